"""The card that is turned up at the deal: one key, whatever phases the ruleset has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Impossible, Match, load_ruleset, read_record
from scorekeeper.engine.loading import check
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Callable

    Rules = Callable[..., Path]

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
GAME = """
name    = "turned-up"
title   = "A card turned up"
rules   = "fixed-trump"
language = 4
[pack]
ranks   = "A K Q J T 9"
[tally]
name    = "points"
[orders]
suit    = ["*{trump}"]
[phases.tricks]
order   = "suit"
points  = { A = 10 }
cite    = "2.1"
counted = { most = "points", cite = "3.1" }
[scores]
won     = { for = "winners", points = "winners.points", cite = "3.1" }
"""
FOUR = """
[players]
counts  = [4]
"""
KITTY = f"""{FOUR}
[deal]
dealt   = true
kitty   = 4
turned  = "2.1"
[phases.kitty]
who     = "dealer"
shown   = false
before  = "tricks"
cite    = "2.1"
"""
SHOWN = KITTY.replace("false", "true")
STOCK = """
[players]
counts  = [2]
[deal]
dealt   = true
cards   = 6
turned  = "2.1"
[phases.stock]
cite    = "2.1"
"""


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, str]]:
    """Return a function that returns the faults of a ruleset: messages by their keys."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))
    path = tmp_path / "turned-up.toml"

    def found(*parts: str) -> dict[str, str]:
        path.write_text(GAME + "".join(parts), encoding="utf-8")
        return {fault.key: fault.message for fault in check(str(path))[2]}

    return found


@pytest.fixture
def rules(tmp_path: Path, faults: Callable[..., dict[str, str]]) -> Rules:
    """Return a function that writes a ruleset without faults, and returns its path."""

    def write(*parts: str) -> Path:
        assert faults(*parts) == {}
        return tmp_path / "turned-up.toml"

    return write


def table(path: Path, *entries: str, players: int = 4) -> Match:
    """Return a match in which these entries were recorded in order."""
    match = Match(load_ruleset(path), NAMES[:players])
    for text in entries:
        match.record(text)
    return match


def hand(match: Match, name: str) -> str:
    """Return the cards that are known to be in a player's hand."""
    pack = match.ruleset.pack
    known = match.live_round.hands.known[match.players.index(name)]
    return " ".join(pack.kinds[kind] for kind in pack.kinds_in(known))


# --- a kitty that is taken whole


def test_the_card_turned_up_is_taken_with_the_kitty(rules: Rules) -> None:
    match = table(rules(KITTY), "dealer Dan", "turnup QD", "Dan: take")
    assert (hand(match, "Dan"), match.live_round.hands.size(3)) == ("QD", 9)
    match.record("Dan: bury QD 9D 9C 9S")
    assert (match.to_act, match.live_round.hands.size(3)) == (["Ana"], 5)
    with pytest.raises(Impossible, match="QD is out of play"):
        match.record("Ana: QD")


def test_a_kitty_that_is_shown_has_the_card_turned_up(rules: Rules) -> None:
    match = table(rules(SHOWN), "dealer Dan", "turnup QD")
    with pytest.raises(Impossible, match="QD was turned up, so it is in the kitty"):
        match.record("kitty AC KC AS KS")
    match.record("kitty AC QD AS KS")
    match.record("Dan: take")
    assert set(hand(match, "Dan").split()) == {"AC", "QD", "AS", "KS"}


def test_a_kitty_is_taken_where_only_the_trump_is_known(rules: Rules) -> None:
    match = table(rules(KITTY), "dealer Dan", "trump D", "Dan: take", "Dan: bury 4")
    assert match.to_act == ["Ana"]


@pytest.mark.parametrize("kitty", [KITTY, SHOWN])
def test_it_can_be_played_at_random(rules: Rules, kitty: str) -> None:
    answer = program("rules", "check", str(rules(kitty)), "--play", "20")
    assert answer.code == 0
    assert "bury was never" not in answer.out


# --- one player takes the card alone


def test_one_player_takes_the_card_before_play_without_a_table_of_its_own(rules: Rules) -> None:
    deal = f"""{FOUR}
[deal]
dealt   = true
cards   = 5
turned  = {{ taker = "dealer", cite = "2.1" }}
"""
    match = table(rules(deal), "dealer Dan", "turnup QD")
    assert (hand(match, "Dan"), match.live_round.hands.size(3)) == ("QD", 6)


# --- what contradicts


@pytest.mark.parametrize(
    ("parts", "key", "message"),
    [
        (KITTY + 'takes = "turned"\n', "phases.kitty.takes", "is a key of [deal]"),
        (STOCK + 'turned = "last"\n', "phases.stock.turned", "is a key of [deal]"),
        (
            STOCK.replace('"2.1"', '{ holder = "dealer", cite = "2.1" }', 1),
            "deal.turned.holder",
            "not said of the last card",
        ),
        (
            STOCK.replace('"2.1"', '{ trump = false, cite = "2.1" }', 1),
            "deal.turned.trump",
            "not said of the last card",
        ),
        (
            KITTY.replace('"2.1"', '{ taker = "dealer", cite = "2.1" }', 1),
            "phases.kitty.who",
            "who takes the card",
        ),
        (
            KITTY.replace('"2.1"', '{ taker = "nobody", cite = "2.1" }', 1).replace("who ", "#"),
            "deal.turned.taker",
            "taker",
        ),
        (
            KITTY.replace('"2.1"', '{ taker = "dealer", holder = "dealer", cite = "2.1" }', 1),
            "deal.turned.taker",
            "a card in a player's hand cannot be taken",
        ),
    ],
)
def test_what_cannot_be_said_of_it(
    faults: Callable[..., dict[str, str]], parts: str, key: str, message: str
) -> None:
    assert message in faults(parts)[key]


def test_a_record_with_the_key_before_this_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    start = 'format = 1\nruleset = "durak"\nplayers = ["Ana", "Ben"]\n'
    path.write_text(f'{start}[options]\n"phases.bouts.shown" = "nobody"\n[[rounds]]\n', "utf-8")
    assert read_record(path).ruleset.phases["bouts"].row["shown"] == "nobody"


def test_a_game_of_bouts_turns_a_card_up(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = 'name = "mine"\nlanguage = 4\nextends = "durak"\n'
    path.write_text(text + "deal.turned = false\n", "utf-8")
    (fault,) = check(str(path))[2]
    assert fault.key == "deal.turned"
    path.write_text(text + "deal.turned.trump = false\n", "utf-8")
    (fault,) = check(str(path))[2]
    assert fault.key == "deal.turned.trump"
