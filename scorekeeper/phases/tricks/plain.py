"""Plain plays, many at once: one card in turn, from a hand that may have it, which follows what
was led or cannot. Part of tricks.

Nearly all cards are laid so. They are taken in one loop over what is asked of each card; the first
that is not plain is left to the clauses. That both come to the same, a law test holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.tricks.shapes import ONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.notation import Entry
    from scorekeeper.notation.verbs import Verb
    from scorekeeper.phases.tricks.laying import Ties
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint


def asks_only_to_follow(rnd: Joint, state: State) -> bool:
    """Whether one card that is laid in turn has but to follow, where no clause asks more."""
    return not (
        rnd.positioned
        or state.early
        or state.barred
        or state.order.outside
        or any(rnd.hands.hidden)
    )


def lay_plain(
    rnd: Joint, state: State, play: Verb, ties: Ties, entries: Sequence[Entry | None]
) -> int:
    """Lay plain plays to the trick that lies on the table, until one settles something; gives how
    many these were."""
    hands, order, parties = rnd.hands, state.order, rnd.parties
    columns, sure, loose, news = rnd.rules.pack.column, hands.sure, hands.loose, hands.claims.news
    laid, turn, led, count = state.laid, state.to_play(rnd.leader), state.led, len(state.laid)
    asked, power = order.masks[led], order.power[led]
    for entry in entries:
        if entry is None or entry.verb is not play or entry.seat != turn or entry.decision:
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
            strength == state.best_strength and ties.won_by_second(rnd, state, kind)
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
