"""Plain plays where sets of cards may be led: identical cards, and as many as were led, of the
class that was led, or of a hand that has no more of it. Part of tricks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.tricks.laying import leave_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.notation import Entry
    from scorekeeper.notation.verbs import Verb
    from scorekeeper.phases.tricks.laying import Ties
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint


def lay_sets(
    rnd: Joint, state: State, play: Verb, ties: Ties, entries: Sequence[Entry | None]
) -> int:
    """Lay plain plays to the trick that lies on the table, until one settles something; gives how
    many these were."""
    hands, order, news, whose = rnd.hands, state.order, rnd.hands.claims.news, rnd.parties
    laid, turn, count = state.laid, state.to_play(rnd.leader), len(state.laid)
    for entry in entries:
        if entry is None or entry.verb is not play or entry.seat != turn or entry.decision:
            break
        kinds = entry.value
        kind, size = kinds[0], len(kinds)
        is_set = size == 1 or kinds.count(kind) == size
        hand = _plainly_left(hands, state, turn, kinds) if _fits(state, kinds, is_set) else None
        if hand is None:
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
        known = (hands.sure[turn] ^ hand).bit_count() == size and not hands.hidden[turn]
        if known and whose is None:
            hands.sure[turn] = hand
        else:
            leave_hand(rnd, turn, kinds)
        laid.append((turn, kinds))
        turn = state.left_of[turn]
        if news:
            break
    if len(laid) > count:
        state.turn = turn
    return len(laid) - count


def _fits(state: State, kinds: Sequence[int], is_set: bool) -> bool:
    """Whether these cards may be led, or are as many as were led: where sets are asked of who has
    them, and it is no set, others than those of the class that was led."""
    size, shapes, classes = len(kinds), state.shapes, state.order.classes
    if state.led < 0:
        return is_set and size in shapes.sets
    if size != state.size or state.form != (size, 1):
        return False
    return is_set or not shapes.answered or any(classes[kind] != state.led for kind in kinds)


def _plainly_left(hands: Knowledge, state: State, seat: int, kinds: Sequence[int]) -> int | None:
    """What is surely left of a hand that may have these cards, and plainly follows with them; None
    where that is not plain."""
    columns, hand = hands.pack.column, hands.sure[seat]
    loose, unseen, led = hands.loose[seat], hands.unseen, state.led
    asked = state.order.masks[led] if led >= 0 else hands.pack.full
    follows = True
    for kind in kinds:
        column = columns[kind]
        held = hand & column
        if held:
            hand ^= 1 << held.bit_length() - 1
        else:
            held = unseen & column
            if not (held and loose):
                return None
            unseen ^= 1 << held.bit_length() - 1
            loose -= 1
        follows = follows and column & asked > 0
    if hands.hidden[seat] and len(kinds) > hands.size(seat):
        return None
    if not follows and (hand & asked or (loose and unseen & asked)):
        return None
    return hand
