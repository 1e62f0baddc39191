"""Statistics that rulesets count over many rounds: rows, breakdowns, winners of rounds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Failure, Match, load_ruleset
from scorekeeper.history.statistics import CatalogEntry, make_statistics
from scorekeeper.render import text
from scorekeeper.render.statistics import StatisticsQuery, build_sheet
from tests.random_play import Evening

if TYPE_CHECKING:
    from pathlib import Path


def counts(match: Match) -> dict[str, dict[str, float]]:
    """Return the count of each row over all rounds."""
    found: dict[str, dict[str, float]] = {}
    for summary in match.summaries():
        for row, by_player in summary["counts"].items():
            for name, number in by_player.items():
                of = found.setdefault(row, {})
                of[name] = of.get(name, 0) + number
    return found


def played(ruleset: str, names: str, *entries: str) -> Match:
    match = Match(load_ruleset(ruleset), names.split())
    for entry in entries:
        match.record(entry)
    return match


def test_what_was_illegal_counts_although_it_was_taken_back() -> None:
    match = played("dudo", "Ana Ben", "1x3", "Ben: 1x2 !withdrawn", "Ben: 2x3", "Ana: dudo")
    match.record("count 5")
    assert counts(match)["illegal"] == {"Ben": 1}


def test_a_foul_counts_though_its_round_comes_to_nothing() -> None:
    match = played("da-ban", "Ana Ben Cem Dan", "master Ana", "foul Ben: looked", "void tea")
    assert counts(match) == {"fouls": {"Ben": 1}}


def test_doubts_are_told_apart_by_who_was_right() -> None:
    match = played("dudo", "Ana Ben", "5x3", "Ben: dudo", "count 1", "1x3", "Ben: dudo", "count 5")
    found = counts(match)
    assert found["doubts"] == {"Ben": 2}
    assert found["doubts-won"] == found["doubts-lost"] == {"Ben": 1}
    assert found["caught"] == {"Ana": 1}


@pytest.mark.parametrize(
    ("name", "key", "said"),
    [
        ("dudo", {"statistics": {"bids": {"of": "doubt"}}}, "doubts"),
        ("doppelkopf", {"breakdowns": {"roles": {"roles": ["kontr"]}}}, "kontra"),
        ("doppelkopf", {"breakdowns": {"calls": {"success": "player.kep"}}}, "player.kept"),
        ("doppelkopf", {"history": {"won": ["winer"]}}, "winners"),
        ("belote", {"statistics": {"taken": {"named": "declare"}}}, "declarer"),
        ("belote", {"breakdowns": {"trumps": {"named": "declare"}}}, "declarer"),
        ("skat", {"statistics": {"revokes": {"clauses": ["folow"]}}}, "follow"),
    ],
)
def test_a_name_that_there_is_not_is_told_with_what_was_meant(
    name: str, key: dict[str, object], said: str
) -> None:
    with pytest.raises(Failure, match=f"did you mean “{said}”"):
        load_ruleset(name, **key)


def test_the_master_who_holds_on_has_won_the_round() -> None:
    match = played("da-ban", "Ana Ben Cem Dan", "master Ana", "result points=100")
    found = counts(match)
    assert found["held"] == {"Ana": 1, "Cem": 1}
    assert found["levels"] == {"Ana": 1, "Cem": 1}
    match = played("da-ban", "Ana Ben Cem Dan", "master Ana", "result points=200")
    assert counts(match)["taken"] == {"Ben": 1, "Dan": 1}


@pytest.mark.parametrize(
    ("name", "by", "stopped"),
    [
        ("doppelkopf", "roles", "stands"),
        ("dudo", "roles", "nothing"),
        ("hearts", "fewest", "nothing"),
    ],
)
def test_rulesets_say_who_wins_and_what_stands(name: str, by: str, stopped: str) -> None:
    history = load_ruleset(name).history
    assert (history.by, history.stopped) == (by, stopped)


@pytest.mark.parametrize(("name", "row"), [("belote", "taken"), ("euchre", "made")])
def test_of_two_partners_only_who_took_has_taken(name: str, row: str) -> None:
    match = Evening(name, 3, players=4, full=True, wrong=0, result=0).play(4, 400).match
    told = make_statistics([CatalogEntry(match, "1")])[0].as_json()
    (parts,) = (each for each in told["breakdowns"] if each["name"] == "trumps")
    by_suit = {
        each["name"]: sum(part["rounds"] for part in each["parts"].values())
        for each in parts["players"]
    }
    took = Counter(summary["facts"]["declarer"] for summary in match.summaries() if summary["over"])
    took.pop(None, None)
    assert took
    assert by_suit == took
    assert {each["name"]: each["counts"][row] for each in told["players"]} == {
        name: took[name] for name in match.players
    }


def test_a_round_that_goes_on_counts_nothing_but_what_was_against_the_rules() -> None:
    said = ["trump H", "master Ana", "result points=60", "trump H", "master Ana"]
    assert counts(played("da-ban", "Ana Ben Cem Dan", *said))["master"] == {"Ana": 1}
    said = ["Ana: 2x3", "Ben: 2x2 !stands"]
    assert counts(played("dudo", "Ana Ben Cem", *said)) == {"illegal": {"Ben": 1}}


def test_what_all_did_against_the_rules_is_nobodys_act() -> None:
    match = played("doppelkopf", "Ana Ben Cem Dan", "all: gesund", "all: gesund !stands")
    [summary] = match.summaries()
    assert [finding["verdict"] for _, finding in summary["found"]] == ["illegal"]
    assert counts(match) == {}


def test_a_share_of_a_row_that_is_dropped_is_a_number_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "dudo"\nname = "house"\nstatistics.doubts = false\n', "utf-8")
    rows = {row.name: row.of for row in load_ruleset(str(path)).sheet.statistics}
    assert "doubts" not in rows
    assert (rows["doubts-won"], rows["exacts-won"]) == ("", "exacts")


def test_a_share_of_a_row_that_is_turned_off_is_a_number_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'extends = "dudo"\nname = "house"\nverbs.exact = false\nstatistics.lost.of = "exacts"\n',
        "utf-8",
    )
    rules = load_ruleset(str(path))
    match = Match(rules, ["Ana", "Ben"])
    match.record("result loser=Ana")
    [found] = make_statistics([CatalogEntry(match)])
    assert "lost" not in found.shares
    assert "rounds lost" in text.render(build_sheet(found.as_json(), StatisticsQuery()))


def test_a_score_row_that_is_dropped_is_counted_by_nothing(tmp_path: Path) -> None:
    base = "extends = 'whist'\nname = 'house'\n"
    (tmp_path / "house.toml").write_text(base + "scores.tricks = false\n", "utf-8")
    rules = load_ruleset(tmp_path / "house.toml")
    assert not any("tricks" in row.lines for row in rules.sheet.statistics)
    assert any("tricks" in row.lines for row in load_ruleset("whist").sheet.statistics)
