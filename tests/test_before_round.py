"""Numbers that are read before a round: they depend on the rounds, counters and tallies so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.engine.loading import check

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = ["Ana", "Ben", "Cleo"]
# One trick a round, one card each; the winner gets a point.
CARDS = """
name    = "before-round"
title   = "Before the round"
rules   = "fixed-trump"
language = 4
[players]
least   = 2
most    = 4
[pack]
ranks   = "A K Q J"
[deal]
cards   = 1
[orders]
none    = {}
[phases.tricks]
order   = "none"
cite    = "2.1"
counted = { most = "tricks", cite = "3.1" }
[scores]
won     = { for = "each", points = "own.tricks", cite = "3.1" }
[counters]
done    = { start = 3, adds = 1 }
"""
DICE = """
name    = "before-round"
extends = "bluff"
language = 4
title   = "Before the round"
[counters]
done    = { adds = 1 }
[dice]
"""


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Return a function that returns the messages of a ruleset's faults."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", "tests/rulesets")
    path = tmp_path / "before-round.toml"

    def check_text(text: str) -> list[str]:
        path.write_text(text, encoding="utf-8")
        return [fault.message for fault in check(str(path))[2]]

    return check_text


@pytest.fixture
def match(tmp_path: Path, faults: Callable[[str], list[str]]) -> Callable[[str], Match]:
    """Return a function that begins a match under a ruleset without faults."""

    def begin(text: str) -> Match:
        assert faults(text) == []
        return Match(load_ruleset(tmp_path / "before-round.toml"), NAMES)

    return begin


def play_round(match: Match) -> None:
    """Play one trick, which the player who leads wins."""
    cards = iter(["AC", "KC", "QC", "JC"])
    for _ in match.seated_players:
        match.record(f"{match.to_act[0]}: {next(cards)}")


@pytest.mark.parametrize(
    ("leader", "leaders"),
    [
        ("2", ["Ben", "Ben", "Ben", "Ben"]),  # the first round; the same player goes on
        ("players", ["Cleo", "Cleo", "Cleo", "Cleo"]),
        ("rounds", ["Ana", "Ben", "Cleo", "Cleo"]),
        ("(rounds - 1) % players + 1", ["Ana", "Ben", "Cleo", "Ana"]),
        ("done - 2", ["Ana", "Ben", "Cleo", "Cleo"]),
        ("1 + tally.most", ["Ana", "Ben", "Ben", "Cleo"]),
        ("2 if total(each.tally) % 2 == 1 else 3", ["Cleo", "Ben", "Cleo", "Ben"]),
    ],
)
def test_who_leads(match: Callable[[str], Match], leader: str, leaders: list[str]) -> None:
    now = match(f'{CARDS}[tally]\nname = "points"\n[match]\nleader = "{leader}"\n')
    result = []
    for _ in leaders:
        result += now.to_act
        play_round(now)
    assert result == leaders


def test_another_leader_is_stated_as_ever(match: Callable[[str], Match]) -> None:
    now = match(f'{CARDS}[tally]\nname = "points"\n[match]\nleader = "rounds"\n')
    now.record("lead Cleo")
    assert now.to_act == ["Cleo"]
    play_round(now)
    assert now.to_act == ["Ben"]


def test_who_joins_begins_with_what_is_due_by_then(match: Callable[[str], Match]) -> None:
    now = match(f'{CARDS}[tally]\nname = "points"\nstart = "10 * rounds + done"\n')
    assert now.scores == dict.fromkeys(NAMES, 13)
    play_round(now)
    now.record("joins Dan after Ana")
    assert now.scores["Dan"] == 24


def test_the_dice_of_a_player(match: Callable[[str], Match]) -> None:
    now = match(f'{DICE}each = "5 - rounds + (1 if own.seat == 1 else 0)"\n')

    def dice() -> list[int]:
        return [now.state["players"][name]["dice"] for name in NAMES]

    assert dice() == [5, 4, 4]
    now.record("result loser=Ana dice=1")
    now.record("Ana: 1x2")
    assert dice() == [4, 3, 3]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f'{CARDS}[tally]\nname = "points"\nstart = "tally.most"\n', "tally.start: “tally.most”"),
        (f'{CARDS}[tally]\nname = "points"\nstart = "trick.number"\n', "trick.number"),
        (
            f'{CARDS}[tally]\nname = "points"\n[match]\nleader = "done.added"\n',
            "match.leader: “done.added”",
        ),
        (f'{DICE}each = "5 - bid.count"\n', "dice.each: “bid.count”"),
    ],
)
def test_what_is_not_known_before_the_round(
    faults: Callable[[str], list[str]], text: str, name: str
) -> None:
    assert any(name in message for message in faults(text))
