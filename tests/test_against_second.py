"""Random matches compared with games that were written a second time from the rule text alone.

Each game is played three times. With known hands, every verdict and every score must equal that of
the second implementation. With unseen hands, no allowed act may be called illegal. With unseen
hands and planted faults, the cards must prove each fault by the end of the deal.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pytest

from scorekeeper import Match, load_ruleset, verify_record, write_record
from tests.effort import tries
from tests.second.belote import Belote
from tests.second.doppelkopf import (
    Bock,
    Poverty,
    SecondTen,
    SecondTenNotLast,
    Swines,
    WithoutNines,
)
from tests.second.euchre import Euchre
from tests.second.hearts import Hearts
from tests.second.schafkopf import SchafkopfDeals
from tests.second.skat import SkatDeals
from tests.second.spades import Spades
from tests.second.whist import Whist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.second.tricks import Table

DEALS = 6
SEEDS = tries(2)


class Game(NamedTuple):
    """A game, its ruleset, and the facts of a deal that the table enters besides the hands."""

    ruleset: str
    second: Callable[[], Table]
    facts: Callable[[Table], list[str]] = lambda _: []
    # The act as it is entered where hands are unseen.
    unseen: Callable[[str], str] = lambda act: act


def bury_unseen(act: str) -> str:
    """Return the entry without the buried cards. A table that cannot see them enters a number."""
    said, word, cards = act.partition(" bury ")
    return f"{said} bury {len(cards.split())}" if word else act


def turned_up(table: Table) -> list[str]:
    """Return the card that is turned up."""
    return [f"turnup {cast('Belote | Euchre', table).turned}"]


GAMES = [
    Game("belote", Belote, turned_up),
    Game("euchre", Euchre, turned_up, bury_unseen),
    Game("doppelkopf-armut", Poverty),
    Game("doppelkopf-bock", Bock),
    Game("doppelkopf-schweine", Swines),
    Game("doppelkopf-second-ten", SecondTen),
    Game("doppelkopf-second-ten-not-last", SecondTenNotLast),
    Game("doppelkopf-without-nines", WithoutNines),
    Game("hearts", Hearts),
    Game("schafkopf", SchafkopfDeals),
    Game("skat", SkatDeals, unseen=bury_unseen),
    Game("spades", Spades),
    Game("whist", Whist, lambda table: [f"trump {cast('Whist', table).trump}"]),
]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.ruleset)


def hand_entries(table: Table) -> list[str]:
    return [f"hand {name}: {' '.join(cards)}" for name, cards in table.hands.items()]


def candidates(table: Table, random: Random) -> list[str]:
    """Return the acts worth judging: all that are allowed, and every card of the player to act."""
    legal = table.legal()
    if len(legal) > 60:
        legal = random.sample(legal, 20)
    cards = [f"{name}: {card}" for name in table.to_act() for card in table.hands[name]]
    return list(dict.fromkeys([*legal, *cards]))


@each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_known_hands_are_ruled_and_scored_alike(game: Game, seed: int) -> None:
    random, table = Random(seed), game.second()
    match = Match(load_ruleset(game.ruleset), table.names)
    for _ in range(DEALS):
        if table.over:
            break
        table.deal(random)
        for entry in game.facts(table):
            match.record(entry)
        told = False
        while not table.done:
            if table.complete and not told:
                for entry in hand_entries(table):
                    match.record(entry)
                told = True
            allowed = []
            for act in candidates(table, random):
                broken, ruling = table.why_not(act), match.judge(act)
                assert (ruling.verdict == "legal") == (not broken), (act, broken, ruling.text)
                if broken not in ("", "turn", "hand", "act"):
                    cites = {finding.cite for finding in ruling.findings}
                    codes = {finding.code for finding in ruling.findings}
                    assert broken in cites or codes & {"turn", "verb"}, (act, broken, ruling.text)
                if not broken:
                    allowed.append(act)
            act = random.choice(table.likely(allowed))
            match.record(act)
            table.play(act)
        assert match.rounds[-1].scores == table.scores()
    assert match.scores == table.tallies


class Unseen(NamedTuple):
    """A match of a few deals with unseen hands.

    It lists the planted faults, at most one a deal, each with its round, its act and the
    paragraph that it breaks. It also lists the rounds that ended before all cards were played,
    because there not every fault can be proven.
    """

    match: Match
    faults: list[tuple[int, str, str]]
    cut_short: set[int]


def play_unseen(game: Game, seed: int, fault: float) -> Unseen:
    """Play such a match with that chance of a fault."""
    random, table = Random(seed), game.second()
    match, faults, cut_short = Match(load_ruleset(game.ruleset), table.names), [], set[int]()
    for number in range(1, DEALS + 1):
        table.deal(random)
        for entry in game.facts(table):
            match.record(entry)
        spoilt = False
        while not table.done:
            act = random.choice(table.likely(table.legal()))
            wrong = [] if spoilt else list(forbidden_cards(table))
            if wrong and random.random() < fault:
                act, broken = random.choice(wrong)
                faults.append((number, act, broken))
                spoilt = True
                decided = match.judge(act).verdict == "illegal"
                match.record(f"{act} !stands" if decided else act)
            else:
                assert match.record(game.unseen(act)).verdict != "illegal"
            table.play(act, stands=True)
        if any(table.hands.values()):
            cut_short.add(number)
        if table.over:
            break
    return Unseen(match, faults, cut_short)


def forbidden_cards(table: Table) -> Iterator[tuple[str, str]]:
    """Return the cards of the hand that may not be played now, with the paragraph that forbids
    them."""
    for name in table.to_act() if table.laying else ():
        for card in table.hands[name]:
            broken = table.why_not(f"{name}: {card}")
            if broken not in ("", "turn", "hand", "act"):
                yield f"{name}: {card}", broken


def findings(match: Match, path: Path) -> list[dict[str, Any]]:
    """Return the findings in a match as `verify` reports them for its record."""
    write_record(match, path)
    found: list[dict[str, Any]] = verify_record(path)["findings"]
    return found


@each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_unseen_nobody_is_accused_falsely_and_nothing_is_left_open(
    game: Game, seed: int, tmp_path: Path
) -> None:
    played = play_unseen(game, seed, 0)
    found = findings(played.match, tmp_path / "match.toml")
    assert [each for each in found if each["verdict"] == "illegal"] == []
    assert [each for each in found if each["round"] not in played.cut_short] == []


@each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_unseen_every_fault_is_proven_by_the_end_of_its_deal(
    game: Game, seed: int, tmp_path: Path
) -> None:
    played = play_unseen(game, seed, 0.3)
    found = [
        each
        for each in findings(played.match, tmp_path / "match.toml")
        if each["round"] not in played.cut_short
    ]
    faults = {fault for fault in played.faults if fault[0] not in played.cut_short}
    proven = {
        (each["round"], each["entry"].removesuffix(" !stands"), each["cite"])
        for each in found
        if each["verdict"] == "illegal"
    }
    assert faults
    assert faults <= proven
    assert {each["verdict"] for each in found} == {"illegal"}
