"""Who had no more of a class, as everyone could see: they laid another when it was led. Part of
tricks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.sides import OTHERS
from scorekeeper.ruleset.phase import TRICK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.cards import Laid
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint


def public_sides(rnd: Joint, state: State) -> dict[int, int]:
    """The seats that had none of the cards that make the declaring side, since they did not follow
    the class of all of these cards; unless one of that class, which they then had, was seen, or the
    play was found to be against a rule."""
    parties, masks = rnd.require_parties(), state.order.masks
    classes = [group for group, cards in enumerate(masks) if not parties.mask & ~cards]
    if not (parties.by_cards and parties.mask and classes):
        return {}
    (group,) = classes
    cards, beyond = masks[group], rnd.rules.pack.beyond
    seen, found = rnd.cards_seen(), dict[int, int]()
    for seat, gone in _did_not_follow(rnd, state, group):
        if seat == parties.declarer or parties.before[seat] or seen[seat] & parties.mask:
            continue
        if not beyond(seen[seat], gone) & cards:
            found[seat] = OTHERS
    return found


def _did_not_follow(rnd: Joint, state: State, group: int) -> Iterator[tuple[int, int]]:
    """Each seat that laid a card of another class when that one was led, and all that it had laid
    by then (a heap)."""
    pack, classes = rnd.rules.pack, state.order.classes
    gone = [0] * len(rnd.names)
    entries = rnd.entries()
    wrong = [entries[number - 1] for _, number, _ in rnd.wrong(0)]
    broken = {(entry.seat, entry.value) for entry in wrong if entry.verb.about == TRICK}
    for laid in (*(trick.laid for trick in rnd.tricks), state.laid):
        led = _class_led(state, laid)
        for seat, kinds in laid:
            gone[seat] = pack.joined(gone[seat], pack.of(kinds))
            follows = all(classes[kind] == group for kind in kinds)
            if led == group and not follows and (seat, kinds) not in broken:
                yield seat, gone[seat]


def _class_led(state: State, laid: Sequence[Laid]) -> int | None:
    """The class of the first card that stands in the order."""
    first = (kinds[0] for _, kinds in laid if kinds[0] not in state.order.outside)
    return next((state.order.classes[kind] for kind in first), None)
