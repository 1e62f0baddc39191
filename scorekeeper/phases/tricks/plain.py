"""Plain plays, many at once: one card in turn, from a hand that may have it, which follows what
was led or cannot. Part of tricks.

Nearly all cards are laid so. They are taken in one loop over what is asked of each card; what is
not plain is left to the clauses. That both come to the same, a law test holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.knowledge import POSSIBLE
from scorekeeper.phases.tricks.laying import lay, leave_hand
from scorekeeper.phases.tricks.sets import lay_sets
from scorekeeper.phases.tricks.shapes import ONE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorekeeper.notation import Entry
    from scorekeeper.notation.verbs import Verb
    from scorekeeper.phases.tricks.laying import Ties
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint


# The clause words that ask nothing else of a plain play than that it follows.
PLAIN = {"held", "follow", "shape", "as-many", "another", "answer"}


class Plain:
    """How cards are laid where nothing is asked but to follow: by the verb `play`, with these
    `ties`; `complete` is told that everyone has laid."""

    __slots__ = ("complete", "play", "ties")

    def __init__(self, play: Verb, ties: Ties, complete: Callable[[Joint, State], None]) -> None:
        self.play = play
        self.ties = ties
        self.complete = complete

    def take(self, rnd: Joint, state: State, entries: Sequence[Entry], start: int) -> int:
        """Let plays happen, and write them down, from `start` on, until one is against a rule or
        has something told; gives where the first stands that is left. A play of which nobody knows
        whether it follows is written down with what is open."""
        at, order, several = start, state.order, state.shapes.most > 1
        if rnd.positioned or state.early or state.barred or order.outside:
            return start
        if any(rnd.hands.hidden) and not several:
            return start
        while state.left and state.order is order and not rnd.remarks:
            wanted = len(state.seats) - len(state.laid)
            trick = entries[at : at + wanted]
            if several:
                count = lay_sets(rnd, state, self.play, self.ties, trick)
            else:
                count = self._lay(rnd, state, trick)
            if count:
                rnd.write_down(trick[:count])
            elif trick and self._lay_in_doubt(rnd, state, trick[0]):
                count = 1
            else:
                break
            at += count
            if len(state.laid) == len(state.seats):
                self.complete(rnd, state)
        return at

    def _lay_in_doubt(self, rnd: Joint, state: State, entry: Entry) -> bool:
        """Lay cards of which the clauses leave something open, in turn; whether it is so."""
        turn = state.to_play(rnd.leader)
        if entry.verb is not self.play or entry.seat != turn or entry.decision:
            return False
        kinds, can_hold = entry.value, rnd.hands.can_hold
        if any(can_hold(turn, kind, kinds.count(kind)) < POSSIBLE for kind in kinds):
            return False
        if state.led < 0 or not rnd.write_open(entry):
            return False
        leave_hand(rnd, turn, kinds)
        lay(rnd, state, self.ties, turn, kinds)
        state.turn = state.left_of[turn]
        rnd.settle_open()
        return True

    def _lay(self, rnd: Joint, state: State, entries: Sequence[Entry]) -> int:
        """Lay plain plays to the trick that lies on the table, until one settles something; gives
        how many these were."""
        hands, order, parties = rnd.hands, state.order, rnd.parties
        columns, sure, loose, news = (
            rnd.rules.pack.column,
            hands.sure,
            hands.loose,
            hands.claims.news,
        )
        laid, turn, led, count = state.laid, state.to_play(rnd.leader), state.led, len(state.laid)
        asked, power = order.masks[led], order.power[led]
        for entry in entries:
            if entry.verb is not self.play or entry.seat != turn or entry.decision:
                break
            kind, hand = entry.value[0], sure[turn]
            column = columns[kind]
            held = hand & column
            if len(entry.value) > 1 or not (held or (loose[turn] and hands.unseen & column)):
                break
            strength = power[kind]
            if led < 0:
                led = state.led = order.classes[kind]
                asked, power = order.masks[led], order.power[led]
                state.size, state.form = 1, ONE
                state.best, state.best_kind, state.best_strength = turn, kind, power[kind]
            elif not column & asked and (
                hand & asked or (hands.unseen & asked and loose[turn] > (not held))
            ):
                break
            elif strength > state.best_strength or (
                strength == state.best_strength and self.ties.won_by_second(rnd, state, kind)
            ):
                state.best, state.best_kind, state.best_strength = turn, kind, strength
            if held:
                sure[turn] = hand ^ 1 << held.bit_length() - 1
            else:
                hands.show(turn, kind)
            if parties is not None and column & parties.watch:
                parties.shown[turn] += 1
            laid.append((turn, entry.value))
            turn = state.left_of[turn]
            if news:
                break
        if len(laid) > count:
            state.turn = turn
        return len(laid) - count
