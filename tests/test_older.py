"""Rulesets and options in the words of an older language mean what they meant."""

from __future__ import annotations

from pathlib import Path
from tomllib import loads
from typing import Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.ruleset.loading import check, pinned
from scorekeeper.ruleset.older import translated
from scorekeeper.ruleset.sources import pin
from scorekeeper.ruleset.standard import VERSION
from tests.helpers import match_of

SHIPPED = Path(__file__).parent.parent / "rulesets"


def older(text: str) -> dict[str, Any]:
    return translated(loads(text))


def test_a_table_of_today_is_its_own_translation_and_nothing_is_changed() -> None:
    for path in SHIPPED.glob("*.toml"):
        name = path.stem
        table = dict(load_ruleset(name).data)
        before = pin(table)
        assert translated(table) == table, name
        assert pin(table) == before


def test_every_shipped_ruleset_says_its_version() -> None:
    for path in SHIPPED.glob("*.toml"):
        assert loads(path.read_text("utf-8"))["language"] == VERSION, path.name


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (
            '[contracts.a]\nneeds = ["least 5 9*", "most 2 trumps"]',
            {
                "let": {"cards_1": ["9*"]},
                "contracts": {
                    "a": {
                        "needs": "count(dealt & cards_1) >= 5 or count(dealt & trumps) <= 2",
                        "wanted": "at least 5 cards of rank 9 or at most 2 trumps",
                    }
                },
            },
        ),
        (
            '[contracts.a]\nneeds = ["least 2 QC"]\n[contracts.b]\nneeds = []',
            {
                "let": {"cards_1": ["QC"]},
                "contracts": {
                    "a": {"needs": "count(dealt & cards_1) >= 2", "wanted": "QC at least twice"},
                    "b": {"needs": "true"},
                },
            },
        ),
        (
            '[specials.a]\nhow = "trick"\nwhen = "trick.points > 40"',
            {"specials": {"a": {"when": "trick.points > 40"}}},
        ),
        (
            '[specials.a]\nhow = "caught"\ncard = "AD"\ntrump = true\ncounts = "not alone"',
            {
                "let": {"cards_1": ["AD"]},
                "specials": {
                    "a": {
                        "count": "count(trick.theirs & cards_1)",
                        "cards": "cards_1",
                        "counts": "(not alone) and (count(cards_1 & trumps) > 0)",
                    }
                },
            },
        ),
        (
            '[specials.a]\nhow = "winning"\ncard = "JC"\nwhen = "trick.last"',
            {
                "let": {"cards_1": ["JC"]},
                "specials": {
                    "a": {
                        "when": "(trick.last) and (count(trick.best & cards_1) > 0)",
                        "cards": "cards_1",
                    }
                },
            },
        ),
        ("[tally]\nheld = true\n[phases.bids]", {"dice": {"each": "own.tally"}}),
        ("[tally]\n[phases.bids]", {"dice": {"each": "own.tally"}}),
        ("[tally]\nheld = false\n[phases.tricks]", {"tally": {}}),
        (
            '[phases.bids]\nwild = 1\nwild_when = "not mode.palifico"',
            {"phases": {"bids": {"wild": "(1) if (not mode.palifico) else 0"}}},
        ),
        ("[phases.bids]\nwild = 1\nwild_when = true", {"phases": {"bids": {"wild": 1}}}),
        (
            "[phases.bids]\nwild = 1\nwild_when = false",
            {"phases": {"bids": {"wild": "(1) if (false) else 0"}}},
        ),
        ("[phases.bouts]\ndeals = 4", {"match": {"ends": "deals >= 4"}}),
        ("[phases.bouts]\nlosses = 0", {"match": {"ends": "tally.most > 0"}}),
        (
            '[match]\nends = "rounds > 9"\n[phases.bouts]\ndeals = 4\nlosses = 1',
            {"match": {"ends": "deals >= 4 or tally.most > 1 or (rounds > 9)"}},
        ),
        (
            '[match]\nends = "deals.most > 0 and deals >= deals.most"\n[phases.bouts]\ndeals = 4',
            {"match": {"ends": "(4) > 0 and deals >= (4)"}},
        ),
        ("[phases.bouts]\nlead = 1\nadd = 1", {"phases": {"bouts": {"at_once": 1}}}),
        (
            "[phases.bouts]\nadd = 2",
            {"phases": {"bouts": {"at_once": "0 if laid == 0 else 2"}}},
        ),
        (
            '[phases.bouts]\nat_once = "0 if laid == 0 else 2"\nlead = 3',
            {"phases": {"bouts": {"at_once": "3 if laid == 0 else 2"}}},
        ),
        (
            '[phases.bouts]\nfirst = "lowest"\nwithout = "dealer"',
            {"phases": {"bouts": {"leads": ["lowest", "dealer"]}}},
        ),
        (
            '[phases.bouts]\nleads = ["lowest", "after-dealer"]\nwithout = "dealer"',
            {"phases": {"bouts": {"leads": ["lowest", "dealer"]}}},
        ),
        (
            '[phases.bouts]\nleads = ["lowest", "dealer"]\nfirst = "after-dealer"',
            {"phases": {"bouts": {"leads": ["after-dealer"]}}},
        ),
        (
            "[deal]\ncards = 6\ncards_for = { 2 = 8, 3 = 7 }",
            {"deal": {"cards": "8 if players == 2 else 7 if players == 3 else 6"}},
        ),
        (
            "[phases.tricks]\nsets = 3",
            {"shapes": {"single": {"alike": 1}, "pair": {"alike": 2}, "triple": {"alike": 3}}},
        ),
        (
            '[phases.tricks]\n[clauses.led]\nword = "identical"\n[clauses.sets]',
            {"clauses": {"led": {"word": "shape"}, "sets": {"word": "answer"}}},
        ),
        (
            '[phases.bouts]\n[clauses.sets]\nword = "beats"',
            {"clauses": {"sets": {"word": "beats"}}},
        ),
        ("[deal.kitty_for]\n4 = 10", {"deal": {"kitty": "10 if players == 4 else 0"}}),
    ],
)
def test_a_word_that_is_gone_is_said_with_those_of_today(was: str, now: dict[str, Any]) -> None:
    table = older(was)
    for key, value in now.items():
        part = {each: table[key][each] for each in value} if value else table[key]
        if key == "phases":
            assert table[key] == value
        else:
            assert part == value


def test_a_file_of_the_first_language_extends_a_shipped_ruleset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    (tmp_path / "ours.toml").write_text(
        'extends = "podkidnoy"\nname = "ours"\n[phases.bouts]\nadd = 2\nlosses = 1\n'
        'without = "dealer"\n'
    )
    (tmp_path / "theirs.toml").write_text(
        'extends = "dudo"\nname = "theirs"\n[phases.bids]\nwild_when = "opening"\n'
    )
    ours, _, faults = check("ours")
    assert faults == []
    assert ours is not None
    bouts = ours.data["phases"]["bouts"]
    assert bouts["at_once"] == "1 if laid == 0 else 2"
    assert bouts["leads"] == ["lowest", "dealer"]
    match = Match(ours, ["X", "Y"])
    for _ in range(2):
        assert not match.over
        match.record("result loser=X")
    assert match.over
    assert f"language = {VERSION}" in ours.text
    assert match_of("theirs", ["Ana", "Ben"], "2x3").judge("Ben: 1x1").verdict == "illegal"


def test_an_old_word_in_a_file_of_today_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    text = 'extends = "podkidnoy"\nname = "ours"\nlanguage = 2\n[phases.bouts]\nadd = 2\n'
    (tmp_path / "ours.toml").write_text(text)
    assert [fault.key for fault in check("ours")[2]] == ["phases.bouts.add"]
    (tmp_path / "ours.toml").write_text(text.replace("= 2", f"= {VERSION + 1}", 1))
    assert "language" in [fault.key for fault in check("ours")[2]]


def test_a_pinned_text_is_translated_each_time_and_stays_as_it_is() -> None:
    table = dict(load_ruleset("perudo").data)
    table["phases"] = {**table["phases"], "bids": {"wild": 1, "wild_when": "not mode.palifico"}}
    table["tally"] = {**table["tally"], "held": True}
    del table["language"], table["dice"]
    text = pin(table)
    ruleset = pinned(text, "")
    assert ruleset.text == text
    assert ruleset.numbers.dice_are_tally
    match = Match(ruleset, ["Ana", "Ben"])
    for entry in ("hand Ana: 2", "hand Ben: 3", "2x3"):
        match.record(entry)
    assert match.judge("Ben: 1x1").verdict == "legal"


def test_card_points_of_an_older_pinned_text_are_those_that_they_were() -> None:
    """Once the longest pattern that fitted a card held, wherever it stood."""
    table = dict(load_ruleset("hearts").data)
    table["orders"] = {"plain": {**table["orders"]["plain"], "points": {"*H": 1, "Q": 2, "QH": 9}}}
    for language, worth in ((2, 9), (VERSION, 1)):
        ruleset = pinned(pin({**table, "language": language}), "")
        points = ruleset.orders.get("plain", {}).points
        assert [points[ruleset.pack.index[card]] for card in ("QH", "KH", "QS")] == [worth, 1, 2]


def test_options_of_an_older_record_are_read_and_kept_as_they_are() -> None:
    _, applied, faults = check("durak", options={"phases.bouts.deals": 2})
    assert faults == []
    assert applied == {"phases.bouts.deals": 2}
    match = match_of("durak", ["X", "Y"], "result loser=X", phases={"bouts": {"deals": 2}})
    assert not match.over
    match.record("result loser=X")
    assert match.over
