"""What somebody might lay to a trick, by all that is known of the hand, for the clauses to judge.
Part of tricks.

Listed are single cards and sets of identical ones, and of a hand that is known one answer to many
cards. All other choices of several cards are one that leaves them open, where there is any.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

from scorekeeper.core.hands import POSSIBLE
from scorekeeper.notation import Entry
from scorekeeper.phases.tricks.answers import AGAIN, Answer
from scorekeeper.phases.tricks.shapes import runs_in
from scorekeeper.ruleset.phase import actor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.types import Luck
    from scorekeeper.notation.entry import Verb
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint

    Cards = tuple[int, ...]

PLAY = "play"
FOLLOW, DUTIES = "follow", ("follow", "duty")
TRIED = 200  # choices of several cards; where all of these are wrong, others may not be


def plays(rnd: Joint, state: State, verb: Verb, seats: Iterable[int]) -> Iterator[Entry]:
    """What these seats might lay, if they have not laid yet."""
    for seat in seats:
        if state.has_laid(seat):
            continue
        for size in [state.size] if state.laid else state.shapes.sets:
            for kind in _possible(rnd, seat, size):
                yield Entry(verb, seat, (kind,) * size)
        example = _example(rnd, state, seat)
        if example:
            yield Entry(verb, seat, example)
        if _may_lay_others(rnd, state, Entry(verb, seat, example)):
            yield Entry(verb, seat, ())


def with_a_run(rnd: Joint, state: State, entry: Entry, luck: Luck) -> Entry | None:
    """An entry that leaves open what is led, with a run; None where none can be."""
    seat = actor_of(entry)
    found = [] if state.laid else list(islice(_runs(rnd, state, seat), TRIED))
    return Entry(entry.verb, seat, luck.choice(found)) if found else None


def _may_lay_others(rnd: Joint, state: State, listed: Entry) -> bool:
    """Whether there is a choice of several cards that is not listed and not surely wrong; where
    they are many, there may be."""
    if state.laid and state.size == 1:
        return False
    seat, example = actor_of(listed), sorted(listed.value)
    others = _answers(rnd, state, seat) if state.laid else _runs(rnd, state, seat)
    tried = list(islice(others, TRIED))
    return len(tried) == TRIED or any(
        sorted(cards) != example and not rnd.broken(Entry(listed.verb, seat, cards))
        for cards in tried
    )


def _possible(rnd: Joint, seat: int, count: int) -> list[int]:
    """The kinds of which the seat may hold so many."""
    can_hold = rnd.hands.can_hold
    kinds = range(rnd.rules.pack.size)
    return [kind for kind in kinds if can_hold(seat, kind, count) >= POSSIBLE]


def _example(rnd: Joint, state: State, seat: int) -> Cards:
    """An answer to many cards by whatever rules, where the hand is known and it is not a set: runs
    and sets of the class that was led, as much as there is of them, then its other cards, then
    any."""
    if not state.laid or state.size == 1 or not rnd.hands.is_known(seat):
        return ()
    pack, hand, classes = rnd.rules.pack, rnd.hands.sure[seat], state.order.classes
    sets = Answer(rnd, state, seat, (), AGAIN, smaller=True).example()
    rest = pack.kinds_in(pack.beyond(hand, pack.of(sets)))
    rest.sort(key=lambda kind: classes[kind] != state.led)
    cards = (*sets, *rest[: state.size - len(sets)])
    return cards if len(set(cards)) > 1 else ()


def _answers(rnd: Joint, state: State, seat: int) -> Iterator[Cards]:
    """Different cards that might answer many, those of the class that was led first."""
    order, size = state.order, state.size
    held = [kind for count in range(1, size + 1) for kind in _possible(rnd, seat, count)]
    if _must_follow(rnd, state, seat):
        held = [k for k in held if order.classes[k] == state.led or k in order.outside]
    held.sort(key=lambda kind: (order.classes[kind] != state.led, kind))
    return (cards for cards in combinations(held, size) if cards[0] != cards[-1])


def _must_follow(rnd: Joint, state: State, seat: int) -> bool:
    """Whether the first duty is to follow, and the hand surely has cards enough for it."""
    words = (word for word in rnd.rules.clause_names(PLAY) if word in DUTIES)
    if next(words, "") != FOLLOW or state.led < 0:
        return False
    return rnd.hands.bounds(seat, state.order.masks[state.led])[0] >= state.size


def _runs(rnd: Joint, state: State, seat: int) -> Iterator[Cards]:
    """The runs that might be led."""
    order, most = state.order, rnd.hands.size(seat)
    for alike, least in state.shapes.runs:
        held = set(_possible(rnd, seat, alike))
        for group in range(len(order.masks)):
            steps = [[kind for kind in step if kind in held] for step in order.ladder(group)]
            for sets in range(least, most // alike + 1):
                for chosen in runs_in(steps, sets):
                    yield tuple(kind for kind in chosen for _ in range(alike))
