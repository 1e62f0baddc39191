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
        if rnd.positioned or state.early or state.barred or order.outside or rnd.hands.lots:
            return start
        if any(rnd.hands.hidden) and not several:
            return start
        size, lay_all = len(state.seats), self._lay_sets if several else self._lay
        parties, claims = rnd.parties, rnd.hands.claims
        while state.left and state.order is order and not rnd.remarks:
            trick = entries[at : at + size - len(state.laid)]
            if not trick:
                break
            count = lay_all(rnd, state, trick)
            at += count
            told = claims.news or rnd.remarks or (parties is not None and parties.due)
            if count:
                rnd.write_down(trick if count == len(trick) else trick[:count])
            if count < len(trick) and not (count and told):
                if not self._lay_in_doubt(rnd, state, trick[count]):
                    break
                at += 1
            if len(state.laid) == size:
                self.complete(rnd, state)
            if parties is not None and parties.due and state.left:
                rnd.settle_sides()
        return at

    def _lay_sets(self, rnd: Joint, state: State, entries: Sequence[Entry]) -> int:
        return lay_sets(rnd, state, self.play, self.ties, entries)

    def _lay_in_doubt(self, rnd: Joint, state: State, entry: Entry) -> bool:
        """Lay cards of which the clauses leave something open, in turn; whether it is so."""
        turn = state.to_play(rnd.leader)
        if entry.verb is not self.play or entry.seat != turn or entry.decision:
            return False
        kinds, can_hold = entry.value, rnd.hands.can_hold
        for kind in kinds:
            if can_hold(turn, kind, kinds.count(kind)) < POSSIBLE:
                return False
        # One card that may be in the hand breaks none of the rules that leave nothing open.
        if state.led < 0 or not rnd.write_open(entry, len(kinds) == state.size == 1):
            return False
        leave_hand(rnd, turn, kinds)
        lay(rnd, state, self.ties, turn, kinds)
        state.turn = state.left_of[turn]
        parties = rnd.parties
        if parties is not None and parties.awaited and (parties.near or not rnd.hands.loose[turn]):
            parties.due = True
        rnd.settle_open()
        return True

    def _lay(self, rnd: Joint, state: State, entries: Sequence[Entry]) -> int:
        """Lay plain plays of one card to the trick that lies on the table, until one settles
        something or may prove a side; gives how many these were."""
        hands, order, play, parties = rnd.hands, state.order, self.play, rnd.parties
        sure, loose, news, left_of = hands.sure, hands.loose, hands.claims.news, state.left_of
        groups = hands.claims.groups
        columns, plane = rnd.rules.pack.column, rnd.rules.pack.size
        watch = 0 if parties is None else parties.watch
        shown = [] if parties is None else parties.shown
        telling = 0
        if parties is not None and parties.awaited:
            telling = hands.pack.full if parties.near else watch
        laid, turn, led, high = (
            state.laid,
            state.to_play(rnd.leader),
            state.led,
            state.best_strength,
        )
        asked, power, before = order.masks[led], order.power[led], len(state.laid)
        for entry in entries:
            if entry.seat != turn or entry.verb is not play or entry.decision:
                break
            kinds, hand = entry.value, sure[turn]
            kind = kinds[0]
            column = columns[kind]
            held = hand & column
            if not (held or (loose[turn] and hands.unseen & column)):
                break
            if led < 0:
                led = state.led = order.classes[kind]
                asked, power = order.masks[led], order.power[led]
                state.size, state.form, high = 1, ONE, power[kind]
                state.best, state.best_kind, state.best_strength = turn, kind, high
            elif not column & asked and (
                hand & asked or (hands.unseen & asked and loose[turn] > (not held))
            ):
                break
            elif power[kind] >= high and (
                power[kind] > high or self.ties.won_by_second(rnd, state, kind)
            ):
                state.best, state.best_kind = turn, kind
                state.best_strength = high = power[kind]
            if held:
                sure[turn] = hand ^ held | held >> plane  # the last of the copies goes
            elif groups:
                hands.show(turn, kind)
            else:  # no claim waits for it
                hands.unseen ^= 1 << (hands.unseen & column).bit_length() - 1
                loose[turn] -= 1
            if column & watch:
                shown[turn] += 1
            laid.append((turn, kinds))
            turn = left_of[turn]
            if telling and parties and (column & telling or not loose[entry.seat]):
                parties.due = True
                break
            if news:
                break
        if len(laid) > before:
            state.turn = turn
        return len(laid) - before
