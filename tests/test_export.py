"""Matches as JSON and CSV: complete, and no spreadsheet runs any of their text."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.history.columns import ENTRIES, SCORES
from scorekeeper.history.statistics import CatalogEntry
from scorekeeper.render.export import as_csv, as_json, format_cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper import Ruleset


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load_ruleset("dudo")


def short(rules: Ruleset) -> Match:
    """Return a round with a decision, then a result, then the end of the match."""
    match = Match(rules, ["Ana", "-Ben"])
    for entry in ("1x3", "-Ben: 1x3 !stands", "Ana: dudo", "count 1", "note =1+1", "lead Ana"):
        match.record(entry)
    match.record("result loser=-Ben")
    match.record("end")
    return match


def read(pieces: Iterable[str]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(pieces))))


def data_of(*matches: CatalogEntry) -> Any:
    return json.loads("".join(as_json(matches)))


def test_a_row_per_entry(rules: Ruleset) -> None:
    listed = CatalogEntry(short(rules), "7", "2026-11-21", "=1+1", day="2026-11-21")
    rows = read(as_csv("csv", [listed]))
    assert list(rows[0]) == [column.name for column in ENTRIES]
    assert rows[1] == {
        "match": "7",
        "ruleset": "dudo",
        "started": "2026-11-21",
        "place": "'=1+1",
        "round": "1",
        "number": "2",
        "entry": "'-Ben: 1x3 !stands",
        "who": "'-Ben",
        "word": "bid",
        "decision": "stands",
        "verdict": "illegal",
        "codes": "bids.same-or-lower-face",
        "date": "2026-11-21",
    }
    assert [(row["round"], row["number"], row["entry"]) for row in rows[2:]] == [
        ("1", "3", "Ana: dudo"),
        ("1", "4", "count 1"),
        ("1", "5", "note =1+1"),
        ("2", "1", "lead Ana"),
        ("2", "2", "result loser=-Ben"),
        ("2", "3", "end"),
    ]
    assert rows[5]["who"] == ""


def test_a_row_per_round_and_player(rules: Ruleset) -> None:
    rows = read(as_csv("scores-csv", [CatalogEntry(short(rules), "7")]))
    assert list(rows[0]) == [column.name for column in SCORES]
    assert rows[1] == {
        "match": "7",
        "ruleset": "dudo",
        "started": "",
        "place": "",
        "round": "1",
        "player": "'-Ben",
        "seat": "2",
        "dealer": "",
        "leader": "0",
        "sat_out": "0",
        "roles": "bidder",
        "change": "0",
        "tally": "5",
        "void": "0",
        "date": "",
        "over": "1",
        "won": "",
        "side": "",
        "sides": "",
        "contract": "",
        "options": "",
        "bid": "1x3",
        "trump": "",
        "level": "",
        "value": "",
        "card_points": "",
        "calls": "",
        "side_calls": "",
        "specials": "",
        "announced": "",
        "kept": "",
        "own_specials": "",
        "tricks": "",
    }
    assert [(row["round"], row["change"], row["tally"]) for row in rows] == [
        ("1", "-1", "4"),
        ("1", "0", "5"),
        ("2", "0", "4"),
        ("2", "-1", "4"),
    ]
    assert rows[0]["roles"] == "caller loser"


def test_several_matches_follow_one_another(rules: Ruleset) -> None:
    both = [CatalogEntry(short(rules), "1"), CatalogEntry(short(rules), "2")]
    assert [row["match"] for row in read(as_csv("scores-csv", both))] == [*"11112222"]
    assert len(read(as_csv("csv", both))) == 16
    assert "".join(as_csv("csv", [])).count("\n") == 1
    assert [each["match"] for each in data_of(*both)["matches"]] == ["1", "2"]


def test_json_holds_the_match_its_rounds_and_their_entries(rules: Ruleset) -> None:
    listed = CatalogEntry(short(rules), "7", "2026-11-20T23:30:00Z", "=1+1", day="2026-11-21")
    text = "".join(as_json([listed]))
    assert text.endswith("}\n")
    data = json.loads(text)
    assert data["format"] == 1
    [match] = data["matches"]
    rounds = match.pop("rounds")
    assert match == {
        "match": "7",
        "ruleset": "dudo",
        "title": "Dudo",
        "ruleset_sha256": rules.sha256,
        "players": ["Ana", "-Ben"],
        "began_with": ["Ana", "-Ben"],
        "started": "2026-11-20T23:30:00Z",
        "day": "2026-11-21",
        "place": "=1+1",
        "over": True,
        "scores": {"Ana": 4, "-Ben": 4},
        "places": {"Ana": 1, "-Ben": 1},
    }
    entries = rounds[0].pop("entries")
    assert rounds[0] == {
        "round": 1,
        "over": True,
        "void": None,
        "annulled": False,
        "due": "-Ben",
        "dealer": None,
        "leader": "Ana",
        "sat_out": [],
        "roles": {
            "bidder": {"side": "-Ben", "players": ["-Ben"]},
            "caller": {"side": "Ana", "players": ["Ana"]},
            "loser": {"side": "Ana", "players": ["Ana"]},
        },
        "sides": {},
        "scores": {"Ana": -1, "-Ben": 0},
        "tally": {"Ana": 4, "-Ben": 5},
        "lines": [
            {"code": "scores.lost", "for": "Ana", "points": -1, "cite": "3.1", "label": "lost"}
        ],
        "facts": {"bid": "1x3", "bids": 2, "call": "dudo", "matching": 1},
        "notes": ["=1+1"],
        "fouls": [],
        "penalties": [],
    }
    assert entries[0] == {
        "number": 1,
        "entry": "Ana: 1x3",
        "who": "Ana",
        "word": "bid",
        "decision": "",
        "findings": [],
    }
    assert entries[1]["decision"] == "stands"
    assert [finding["code"] for finding in entries[1]["findings"]] == ["bids.same-or-lower-face"]
    assert entries[3]["who"] is None


def test_what_could_not_be_read_is_exported_as_it_was_typed(rules: Ruleset) -> None:
    match = Match(rules, ["Ana", "Ben"])
    match.play_round(["1x3", "Ben: 1 nonsense"])
    match.play_round(["Ben: dice", "1x2"])
    [first, second] = data_of(CatalogEntry(match))["matches"][0]["rounds"]
    assert first["over"] is False
    assert first["tally"] is first["scores"] is None
    assert first["entries"][1]["entry"] == "Ben: 1 nonsense"
    assert first["entries"][1]["word"] is None
    assert [found["code"] for found in first["entries"][1]["findings"]] == ["entry.unreadable"]
    assert [entry["entry"] for entry in second["entries"]] == ["Ben: dice", "1x2"]
    rows = read(as_csv("csv", [CatalogEntry(match)]))
    assert [(row["word"], row["verdict"], row["codes"]) for row in rows] == [
        ("bid", "legal", ""),
        ("", "illegal", "entry.unreadable"),
        ("", "illegal", "entry.unreadable"),
        ("", "", ""),
    ]


def test_an_entry_after_the_end_of_its_round_changes_nothing_in_it(rules: Ruleset) -> None:
    match = Match(rules, ["Ana", "Ben"])
    match.play_round(["1x3", "Ben: dudo", "count 1", "4x4"])
    match.play_round(["result loser=Ana"])
    first = data_of(CatalogEntry(match))["matches"][0]["rounds"][0]
    assert first["facts"]["bid"] == "1x3"
    assert [found["code"] for found in first["entries"][3]["findings"]] == ["entry.impossible"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (-3, "-3"),
        (2.5, "2.5"),
        ("Ana", "Ana"),
        ("-3", "-3"),
        ("+2.5", "+2.5"),
        ("=1+1", "'=1+1"),
        ("+1+1", "'+1+1"),
        ("-1-1", "'-1-1"),
        ("-", "'-"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "' =1"),
        (" =1", "' =1"),
        ("\uff1d1", "'\uff1d1"),
        ("a\r\nb\u2028c\0", "a b c"),
        ("Club;=1+1;", "Club;'=1+1;"),
        ('Club; "=1+1"; \t-1+1;x', "Club;' \"=1+1\"; \t'-1+1;x"),
        ("Club; home; 3-4", "Club; home; 3-4"),
        ('say "hi", Ben', 'say "hi", Ben'),
    ],
)
def test_a_cell_is_one_line_and_never_a_formula(value: Any, shown: str) -> None:
    assert format_cell(value) == shown


def test_no_text_makes_a_cell_slow() -> None:
    for text in ("\t" * 200_000, "; " * 200_000, ";" + " " * 200_000, ';"' * 200_000):
        assert format_cell(text).strip("'").strip() == text.strip()


def test_quotes_and_commas_come_back_as_they_were(rules: Ruleset) -> None:
    match = Match(rules, ["Ana", "Ben"])
    match.record('note he said "<script>", then left')
    [row] = read(as_csv("csv", [CatalogEntry(match)]))
    assert row["entry"] == 'note he said "<script>", then left'
