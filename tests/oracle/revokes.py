"""Whole deals of shipped games with unseen hands and at most one forbidden card.

The card stands or is withdrawn. The oracle finds out when the mistake can be proven at the
earliest. The deals are played by the games in `tests.second`, which know all hands. Those games
also show what an act demands of a hand: the cards that would have forbidden the played card.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, cast

from tests.oracle.whole import NOBODY, Way, Whole, none_of
from tests.second.belote import Belote
from tests.second.doppelkopf import (
    Bock,
    Doppelkopf,
    Poverty,
    SecondTen,
    SecondTenNotLast,
    Swines,
    WithoutNines,
)
from tests.second.euchre import Euchre
from tests.second.hearts import Hearts
from tests.second.schafkopf import Schafkopf, SchafkopfDeals, card_class
from tests.second.skat import Skat, SkatDeals
from tests.second.spades import Spades
from tests.second.whist import Whist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from tests.second.tricks import Table

    Happening = Callable[[Whole], None]

GAMES: dict[str, Callable[[], Table]] = {
    "belote": Belote,
    "doppelkopf": Doppelkopf,
    "doppelkopf-armut": Poverty,
    "doppelkopf-bock": Bock,
    "doppelkopf-ddv": Doppelkopf,
    "doppelkopf-five-nines": Doppelkopf,
    "doppelkopf-schweine": Swines,
    "doppelkopf-second-ten": SecondTen,
    "doppelkopf-second-ten-not-last": SecondTenNotLast,
    "doppelkopf-solos": Doppelkopf,
    "doppelkopf-without-nines": WithoutNines,
    "euchre": Euchre,
    "hearts": Hearts,
    "schafkopf": SchafkopfDeals,
    "skat": SkatDeals,
    "spades": Spades,
    "whist": Whist,
}
# Entries outside play that show or state something about a hand. They are left out here.
UNSAID = {"armut", "belote", "ouvert", "schweine", "show"}
REVOKES = 0.1  # The chance that a player plays a possible forbidden card, until one was played.
BACK = 0.5  # The chance that the player withdraws it and plays another card.
FINE = ("", "turn", "hand", "act")


class Step(NamedTuple):
    """An entry of a table that sees no hands, with its effect on the oracle."""

    text: str
    happen: Happening


class Deal(NamedTuple):
    """A whole deal.

    It has the certain facts before the first trick and the number of steps before that. It also
    has the entries with which a table enters the hands then. The last field is the number of the
    forbidden card's entry, from 1, or 0 without one.
    """

    ruleset: str
    names: tuple[str, ...]
    steps: list[Step]
    before: int
    hands: list[str]
    whole: Whole
    revoke: int

    def texts(self, known: bool) -> list[str]:
        """Return the entries of the deal, with all hands given or none."""
        texts = [step.text for step in self.steps]
        return [*texts[: self.before], *self.hands, *texts[self.before :]] if known else texts


class Dealer:
    """A player of one deal that records every event."""

    def __init__(self, ruleset: str, random: Random, revoke: bool) -> None:
        self.ruleset, self.random, self.revoking = ruleset, random, revoke
        self.table = GAMES[ruleset]()
        self.table.deal(random)
        self.steps: list[Step] = []
        self.asked: list[tuple[int, str, list[Way]]] = []  # before the first trick
        self.before, self.hands = 0, list[str]()
        self.whole: Whole | None = None
        self.revoke = 0
        self.ran_away = set[str]()  # The player who led the suit of the called ace.

    def play(self) -> Deal | None:
        """Play the deal out. Return None if it is not suitable."""
        table = self.table
        for text in facts(table):
            self._write(text, _nothing)
        while not table.done:
            self._act()
        if self.whole is None:
            return None
        names, before = tuple(table.names), self.before
        return Deal(self.ruleset, names, self.steps, before, self.hands, self.whole, self.revoke)

    def _act(self) -> None:
        table = self.table
        acts = [act for act in table.likely(table.legal()) if UNSAID.isdisjoint(act.split()[1:])]
        act = self.random.choice(acts)
        wrong = list(self._forbidden()) if self.revoking and not self.revoke else []
        if wrong and self.random.random() < REVOKES:
            wrongly = self.random.choice(wrong)
            self.revoke = len(self.steps) + 1
            if self.random.random() < BACK:
                self._take_back(wrongly, *wrongly.split(": "))
            else:
                act = wrongly
        name, _, said = act.partition(": ")
        if said in table.pack:
            self._lay(act, name, said)
        else:
            self._say(act, name, said)
        table.play(act, stands=True)

    def _forbidden(self) -> Iterator[str]:
        """Yield the cards of the hand that may not be played to the current trick."""
        table = self.table
        if isinstance(table, SkatDeals | SchafkopfDeals):
            laid = cast("Schafkopf | Skat", table.game).trick
        else:
            laid = table.laid
        for card in dict.fromkeys(table.hands[table.turn]) if laid else ():
            if table.why_not(f"{table.turn}: {card}") not in FINE:
                yield f"{table.turn}: {card}"

    def _say(self, act: str, name: str, said: str) -> None:
        word, *rest = said.split()
        hidden = f"{name}: {word} {len(rest)}" if word in ("bury", "give") else act
        if word == "rufspiel":  # A card of the called suit other than its ace.
            fellows = [card for card in self.table.pack if card_class(card, word) == rest[0][1]]
            fellows.remove(rest[0])
            ways = [Way(frozenset(rest), (card,)) for card in fellows]
            self.asked.append((len(self.steps) + 1, name, ways))
        self._write(hidden, _nothing)

    def _lay(self, act: str, name: str, card: str) -> None:
        if self.whole is None:
            self.whole = self._begun()
        number, ways = len(self.steps) + 1, self._ways(name, card)

        def happen(whole: Whole) -> None:
            if ways:
                whole.ask(number, name, ways)
            whole.show(name, card)

        self._write(act, happen)

    def _take_back(self, act: str, name: str, card: str) -> None:
        number, ways = len(self.steps) + 1, self._ways(name, card)

        def happen(whole: Whole) -> None:
            whole.ask(number, name, ways)
            whole.see(name, card)

        self._write(f"{act} !withdrawn", happen)

    def _ways(self, name: str, card: str) -> list[Way]:
        """Return the ways in which this card is allowed, or none if nothing is demanded of the
        hand."""
        if not isinstance(self.table, SchafkopfDeals):
            return none_of(self._against(name, card))
        game = cast("Schafkopf", self.table.game)
        free, game.free = game.free, name in self.ran_away
        against, game.free = self._against(name, card), free
        suit = [each for each in self.table.pack if card_class(each, game.contract) == card[1]]
        if game.trick or not game.called or game.called not in suit or card not in suit:
            return none_of(against)
        self.ran_away.add(name)
        suit = [each for each in suit if each not in (card, game.called)]
        four = [Way(frozenset(), (game.called, *two)) for two in combinations(suit, 2)]
        return [*none_of(against), *four] if against else []

    def _against(self, name: str, card: str) -> list[str]:
        """Return the cards that would have forbidden this one if the hand had held them."""
        table, found = self.table, []
        hand = table.hands[name]
        for other in dict.fromkeys(table.pack):
            table.hands[name] = [card, other]
            if table.why_not(f"{name}: {card}") not in FINE:
                found.append(other)
        table.hands[name] = hand
        return found

    def _begun(self) -> Whole:
        """Return the certain facts before the first trick."""
        table, self.before = self.table, len(self.steps)
        self.hands = [f"hand {name}: {' '.join(cards)}" for name, cards in table.hands.items()]
        room = {name: len(cards) for name, cards in table.hands.items()}
        whole = Whole(table.pack, {**room, NOBODY: len(table.pack) - sum(room.values())})
        if isinstance(table, Belote):
            whole.know(table.turned, table.taker)
        elif isinstance(table, Euchre) and table.taken_up:
            whole.know(table.turned, table.dealer, NOBODY)
        elif isinstance(table, Euchre):
            whole.know(table.turned, NOBODY)
        for number, name, ways in self.asked:
            whole.ask(number, name, ways)
        return whole

    def _write(self, text: str, happen: Happening) -> None:
        self.steps.append(Step(text, happen))


def facts(table: Table) -> list[str]:
    """Return the facts of a deal that the table enters besides the hands."""
    if isinstance(table, Belote | Euchre):
        return [f"turnup {table.turned}"]
    return [f"trump {table.trump}"] if isinstance(table, Whist) else []


def _nothing(_: Whole) -> None:
    """Do nothing, because the entry shows no card."""
