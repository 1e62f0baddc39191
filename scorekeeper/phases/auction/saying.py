"""What may still be said in an auction, as far as everybody knows. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple, copied_slots
from scorekeeper.notation import Entry
from scorekeeper.phases.auction.turns import EACH
from scorekeeper.phases.auction.verbs import ENDS, HOLD, IN_TURN, PASS

if TYPE_CHECKING:
    from scorekeeper.phases.auction.contracts import Contracts
    from scorekeeper.phases.auction.state import State
    from scorekeeper.phases.auction.turns import Turns
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.phase import Phase


class Choice(NamedTuple):
    """What a seat may say in its turn: whether some bid, which words alone, whether to pass."""

    bids: bool
    words: tuple[str, ...]
    passes: bool


class Saying:
    """What the clauses let be said in the auction of a ruleset."""

    __slots__ = ("auction", "contracts", "turns")

    def __init__(self, auction: Phase[State], contracts: Contracts, turns: Turns) -> None:
        self.auction = auction
        self.contracts = contracts
        self.turns = turns

    def choice(self, rnd: Joint, seat: int) -> Choice:
        """Return what the seat whose turn it is may say. Who is asked to hold a bid makes none."""
        held, passes = self._held(rnd, seat), self._may(rnd, PASS, seat)
        if held:
            return Choice(False, (HOLD,), passes)
        doubling = self.auction.row["doubling"] == IN_TURN
        words = self._doubles(rnd, seat) if doubling else []
        return Choice(self._may_bid(rnd, seat), tuple(words), passes)

    def idle_passes(self, rnd: Joint, state: State) -> list[int]:
        """Return who would pass, one after another, until the auction is over, where nobody could
        say anything else; nobody where somebody could."""
        if state.standing is None or self.turns.mode == EACH:
            return []
        due, highest = self.turns.due(state), self.contracts.all_bids(rnd.rules.pack)[-1]
        if due and not (state.asked or rnd.barred(Entry(self.auction.verbs[0], due[0], highest))):
            return []  # nearly always
        ahead = copied_slots(state)
        return rnd.suppose(self.auction, ahead, lambda: self._passing(rnd, ahead))

    def _passing(self, rnd: Joint, state: State) -> list[int]:
        found: list[int] = []
        while not self.turns.over(state):
            due = self.turns.due(state)
            if not due or self._may_speak(rnd, due[0]):
                return []
            self.turns.give_up(state, due[0])
            state.last = due[0]
            found += due
        return found

    def _may_speak(self, rnd: Joint, seat: int) -> bool:
        """Return whether a bid may be made, held or doubled in this seat's turn, or must be."""
        if self._held(rnd, seat) or self._may_bid(rnd, seat):
            return True
        doubling = self.auction.row["doubling"]
        may_double = [seat] if doubling == IN_TURN else rnd.seats if doubling == ENDS else []
        if any(self._doubles(rnd, each) for each in may_double):
            return True
        return not self._may(rnd, PASS, seat)

    def _may_bid(self, rnd: Joint, seat: int) -> bool:
        """Return whether some bid may be made. The highest is tried first."""
        bids = reversed(self.contracts.all_bids(rnd.rules.pack))
        verb = self.auction.verbs[0]
        return any(not rnd.barred(Entry(verb, seat, offer)) for offer in bids)

    def _held(self, rnd: Joint, seat: int) -> bool:
        """Return whether a bid waits for this seat, to hold it or not."""
        return rnd.state(self.auction).asked and self._may(rnd, HOLD, seat)

    def _may(self, rnd: Joint, word: str, seat: int) -> bool:
        found = [verb for verb in self.auction.verbs if verb.word == word]
        return any(not rnd.barred(Entry(verb, seat, None)) for verb in found)

    def _doubles(self, rnd: Joint, seat: int) -> list[str]:
        """Return the words by which a seat may double now. Where cards make the sides, the hands
        would tell who may: then everybody might."""
        if rnd.state(self.auction).best < 0:
            return []
        wrong = rnd.barred if rnd.parties is not None else rnd.broken
        doubles = [verb for verb in self.auction.verbs if verb.word in self.auction.row["doubles"]]
        return [verb.word for verb in doubles if not wrong(Entry(verb, seat, None))]
