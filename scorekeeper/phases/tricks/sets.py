"""Plain plays where sets of cards may be led: identical cards, and as many as were led, of the
class that was led, or of a hand that has no more of it. Part of tricks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.tricks.laying import leave_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.notation import Entry
    from scorekeeper.notation.verbs import Verb
    from scorekeeper.phases.tricks.laying import Kinds, Ties
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint


def lay_sets(rnd: Joint, state: State, play: Verb, ties: Ties, entries: Sequence[Entry]) -> int:
    """Lay plain plays to the trick that lies on the table, until one settles something; gives how
    many these were."""
    order, news = state.order, rnd.hands.claims.news
    laid, turn, count = state.laid, state.to_play(rnd.leader), len(state.laid)
    parties = rnd.parties
    for entry in entries:
        if entry.verb is not play or entry.seat != turn or entry.decision:
            break
        kinds = entry.value
        kind, size = kinds[0], len(kinds)
        is_set = size == 1 or kinds.count(kind) == size
        if not _fits(state, kinds, is_set) or not _leave_plainly(rnd, state, turn, kinds):
            break
        if state.led < 0:
            state.led, state.size, state.form = order.classes[kind], size, (size, 1)
            state.best_strength = -1
        strength = order.power[state.led][kind]
        if is_set and (
            strength > state.best_strength
            or (strength == state.best_strength and ties.won_by_second(rnd, state, kind))
        ):
            state.best, state.best_kind, state.best_strength = turn, kind, strength
        laid.append((turn, kinds))
        turn = state.left_of[turn]
        if parties is not None and parties.awaited:
            parties.due = True
            break
        if news:
            break
    if len(laid) > count:
        state.turn = turn
    return len(laid) - count


def _fits(state: State, kinds: Kinds, is_set: bool) -> bool:
    """Whether these cards may be led, or are as many as were led: where sets are asked of who has
    them, and it is no set, others than those of the class that was led."""
    size, shapes, classes = len(kinds), state.shapes, state.order.classes
    if state.led < 0:
        return is_set and size in shapes.sets
    if size != state.size or state.form != (size, 1):
        return False
    return is_set or not shapes.answered or any(classes[kind] != state.led for kind in kinds)


def _leave_plainly(rnd: Joint, state: State, seat: int, kinds: Kinds) -> bool:
    """Let these cards leave that hand, if they may be in it, and it plainly follows with them."""
    hands = rnd.hands
    columns, hand, loose = hands.pack.column, hands.sure[seat], hands.loose[seat]
    unseen = hands.unseen
    asked = hands.pack.full if state.led < 0 else state.order.masks[state.led]
    follows = True
    unknown: tuple[int, ...] = ()
    for kind in kinds:
        column = columns[kind]
        held = hand & column
        if held:
            hand ^= 1 << held.bit_length() - 1
        else:
            held = unseen & column
            if len(unknown) == loose or not held:
                return False
            unseen ^= 1 << held.bit_length() - 1
            unknown += (kind,)
        follows = follows and column & asked > 0
    if not follows and (hand & asked or (loose > len(unknown) and unseen & asked)):
        return False
    if hands.hidden[seat] and len(kinds) > hands.size(seat):
        return False
    if hands.hidden[seat] or rnd.parties is not None:
        leave_hand(rnd, seat, kinds)
        return True
    hands.sure[seat] = hand
    if hands.claims.groups:
        for kind in unknown:
            hands.show(seat, kind)
    else:  # no claim waits for them
        hands.unseen, hands.loose[seat] = unseen, loose - len(unknown)
    return True
