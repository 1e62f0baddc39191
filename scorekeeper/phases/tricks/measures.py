"""The measures of tricks: the trick, the cards played, and what wins.

An act is asked about the trick before the act, a complete trick about itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.cards import Trick
from scorekeeper.core.expressions.parser import HEAP, KINDS, NotYetKnown
from scorekeeper.core.messages import tr
from scorekeeper.engine.measures import Owner, TrickFor, hand_measure, owner_of, seats_of
from scorekeeper.engine.phase import OWN, TRICK, Measure
from scorekeeper.phases.tricks.state import find_led_class
from scorekeeper.ruleset.orders import TRUMP

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from scorekeeper.core.cards import PlayedCards
    from scorekeeper.engine.phase import Phase, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.orders import Order

_NO_TRICK = Trick(0, [], 0, 0, 0, False)  # before the first trick


def measures_of(phase: Phase[State]) -> Iterator[Measure]:
    """Yield the measures of the phase that keeps the state of the tricks."""
    look = _TrickReader(phase)
    of_trick = (
        ("trick.points", "the card points in the trick", lambda rnd, t: t.points),
        (
            "trick.number",
            "its number in the deal, from 1 (0: none is played yet)",
            lambda rnd, t: t.number,
        ),
        ("trick.last", "whether it is the last", lambda rnd, t: t.is_last),
        (
            "trick.leads",
            "whether this act leads to it",
            lambda rnd, t: t.number > 0 and not t.plays,
        ),
        ("trick.laid", "how many have laid to it", lambda rnd, t: len(t.plays)),
    )
    for name, doc, read in of_trick:
        yield Measure(name, doc, look.at_trick(read), TRICK)
    heaps = (
        ("trick.cards", "the cards in the trick", lambda rnd, t, _: _cards(rnd, t.plays)),
        ("trick.best", "the card of it that wins, so far", _best),
        ("trick.theirs", "its cards that the other side laid", _theirs),
    )
    for name, doc, heap in heaps:
        yield Measure(name, doc, look.at_trick_and_own(heap), TRICK, HEAP)
    yield Measure(
        "trick.ours",
        "whether the actor's side (of a complete trick: they) wins it, so far",
        look.at_trick_and_own(_is_ours),
        TRICK,
    )
    yield Measure("led", "the class that was led; empty for who leads", look.led, TRICK, KINDS)
    yield Measure("beating", "what would win the trick as it lies", look.beating, TRICK, KINDS)
    yield Measure("trumps", "the trumps", look.trumps, "", KINDS)
    yield Measure("leads", "all cards that were led so far", look.leads, "", HEAP)
    yield Measure("played", "all cards that were laid so far", look.played, "", HEAP)
    yield Measure("own.leads", "the cards that they led so far", look.own_leads, OWN, HEAP)
    yield Measure("own.laid", "the cards that they laid so far", look.own_laid, OWN, HEAP)
    said = "the cards that they laid last, until anybody lays more"
    yield Measure("own.latest", said, look.latest, OWN, HEAP)
    yield Measure("recorded()", "", look.recorded, OWN)
    yield Measure("own.taken", "the cards in the tricks that they won", _cards_won, OWN, HEAP)
    yield Measure("run()", "", look.run)
    yield Measure("worth()", "", look.worth)
    said = "the cards that the actor was dealt"
    yield from hand_measure("dealt", said, look.dealt, look.claim_on_dealt, look.bounds_of_dealt)


class _TrickReader:
    """Access to the trick, the order and the cards played in a round, for measures."""

    __slots__ = ("phase",)

    def __init__(self, phase: Phase[State]) -> None:
        self.phase = phase

    # --- the trick

    def trick(self, rnd: Round, subject: object) -> Trick:
        """Return the trick that the subject is about, a complete one or the current one."""
        if isinstance(subject, TrickFor):
            return subject.trick
        if isinstance(subject, Trick):
            return subject
        state = rnd.state_if_begun(self.phase)
        if state is None:
            return _NO_TRICK
        last = state.cards_left <= max(1, state.size)
        points = sum([state.worth[kind] for _, kinds in state.laid for kind in kinds])
        return Trick(state.number, state.laid, state.winner, state.winning_kind, points, last)

    def state(self, rnd: Round) -> State:
        state = rnd.state_if_begun(self.phase)
        if state is None:
            raise NotYetKnown(tr("no trick is played yet"))
        return state

    def at_trick(self, read: Callable[[Round, Trick], float]) -> Reader:
        return lambda rnd, subject: read(rnd, self.trick(rnd, subject))

    def at_trick_and_own(self, read: Callable[[Round, Trick, object], float]) -> Reader:
        return lambda rnd, subject: read(rnd, self.trick(rnd, subject), subject)

    # --- what beats what

    def order(self, rnd: Round) -> Order:
        state = rnd.state_if_begun(self.phase)
        play = rnd.rules.card_play
        assert play is not None  # it is this phase
        return state.order if state is not None else play.order_in_force(rnd)

    def trumps(self, rnd: Round, _: object) -> int:
        return self.order(rnd).masks[TRUMP]

    def led(self, rnd: Round, subject: object) -> int:
        order = self.order(rnd)
        group = find_led_class(order, self.trick(rnd, subject).plays)
        return 0 if group is None else order.masks[group]

    def beating(self, rnd: Round, subject: object) -> int:
        trick, order = self.trick(rnd, subject), self.order(rnd)
        group = find_led_class(order, trick.plays)
        if group is None:
            return rnd.rules.pack.full
        best = order.strength[trick.winning_kind]
        return rnd.rules.pack.all_copies(
            sum(
                rnd.rules.pack.bit[kind]
                for kind, strength in enumerate(order.strength)
                if strength > best and order.classes[kind] in (group, TRUMP)
            )
        )

    def run(self, rnd: Round, _: object) -> Callable[[int], int]:
        """Return a function that counts how many of the highest trumps are all among some cards, or
        all missing from them."""
        order, pack = self.order(rnd), rnd.rules.pack
        trumps = [kind for kind in range(pack.kind_count) if order.classes[kind] == TRUMP]
        trumps.sort(key=order.strength.__getitem__, reverse=True)

        def run(cards: int) -> int:
            has = [bool(cards >> kind & 1) for kind in trumps]
            return next((n for n, each in enumerate(has) if each != has[0]), len(has))

        return run

    def worth(self, rnd: Round, _: object) -> Callable[[int], int]:
        """Return a function that returns the card points of some cards."""
        state, pack = self.state(rnd), rnd.rules.pack
        return lambda cards: sum(state.worth[kind] for kind in pack.kinds_in(cards))

    # --- what was laid

    def leads(self, rnd: Round, _: object) -> int:
        return self._led_by(rnd, range(len(rnd.names)))

    def own_leads(self, rnd: Round, subject: object) -> int:
        return self._led_by(rnd, seats_of(subject))

    def _led_by(self, rnd: Round, seats: Collection[int]) -> int:
        _require_full_record(rnd)
        tricks = [trick.plays for trick in rnd.tricks]
        first = [laid[0] for laid in (*tricks, self.state(rnd).laid) if laid]
        return rnd.rules.pack.hand_of(
            [kind for seat, kinds in first if seat in seats for kind in kinds]
        )

    def played(self, rnd: Round, _: object) -> int:
        _require_full_record(rnd)
        return self._laid_by(rnd, range(len(rnd.names)))

    def own_laid(self, rnd: Round, subject: object) -> int:
        _require_full_record(rnd)
        return self._laid_by(rnd, seats_of(subject))

    def recorded(self, rnd: Round, subject: object) -> int:
        return self._laid_by(rnd, seats_of(subject))

    def latest(self, rnd: Round, subject: object) -> int:
        state = rnd.state_if_begun(self.phase)
        every = [trick.plays for trick in rnd.tricks[-1:]]
        if state is not None:
            every.append(state.laid)
        last = [laid for each in every for laid in each][-1:]
        if not last:
            _require_full_record(rnd)
        return _cards(rnd, [laid for laid in last if laid[0] in seats_of(subject)])

    def _laid_by(self, rnd: Round, seats: Collection[int]) -> int:
        state = rnd.state_if_begun(self.phase)
        tricks = [trick.plays for trick in rnd.tricks]
        every = (*tricks, state.laid) if state is not None else tricks
        return rnd.rules.pack.hand_of(
            [kind for laid in every for seat, kinds in laid if seat in seats for kind in kinds]
        )

    def dealt(self, rnd: Round, subject: object) -> int:
        """Return the hand as it was dealt. Raises NotSeen if it is unknown, or if cards moved
        between hands."""
        hands, cards = rnd.hands, self.recorded(rnd, subject)
        for seat in seats_of(subject):
            if rnd.starts_midway or hands.changed[seat] or not hands.is_known(seat):
                raise NotYetKnown(
                    tr("the hand of {who} as dealt is not known", who=rnd.names[seat])
                )
            cards = rnd.rules.pack.combine(cards, hands.known[seat])
        return cards

    def claim_on_dealt(self, rnd: Round, subject: object) -> Callable[[int], tuple[int, int, int]]:
        (seat,) = seats_of(subject)
        out = self._cards_gone(rnd, seat)

        def asked(cards: int) -> tuple[int, int, int]:
            return seat, cards & rnd.rules.pack.full, (out & cards).bit_count()

        return asked

    def bounds_of_dealt(self, rnd: Round, seat: int, cards: int) -> tuple[int, int]:
        """Return how many cards of a set the dealt hand had, at least and at most."""
        out = (self._cards_gone(rnd, seat) & cards).bit_count()
        least, most = rnd.hands.bounds(seat, cards)
        return out + least, out + most

    def _cards_gone(self, rnd: Round, seat: int) -> int:
        """Return the cards that have left a hand since the deal. Raises NotSeen if other cards came
        into it, or if the recording began later."""
        if rnd.starts_midway or rnd.hands.changed[seat]:
            raise NotYetKnown(tr("the hand of {who} as dealt is not known", who=rnd.names[seat]))
        return self.recorded(rnd, Owner((seat,)))


def _require_full_record(rnd: Round) -> None:
    """Raise NotSeen if cards were played before the recording began."""
    if rnd.starts_midway:
        raise NotYetKnown(tr("what was laid before the recording began is not known"))


def _cards(rnd: Round, laid: Collection[PlayedCards]) -> int:
    return rnd.rules.pack.hand_of([kind for _, kinds in laid for kind in kinds])


def _best(rnd: Round, trick: Trick, _: object) -> int:
    return rnd.rules.pack.bit[trick.winning_kind] if trick.plays else 0


def _theirs(rnd: Round, trick: Trick, subject: object) -> int:
    seats, side = owner_of(subject)
    if side is not None:  # all of the side is named
        return _cards(rnd, [laid for laid in trick.plays if laid[0] not in seats])
    return _cards(rnd, [laid for laid in trick.plays if not _are_mates(rnd, laid[0], seats)])


def _is_ours(rnd: Round, trick: Trick, subject: object) -> bool:
    return bool(trick.plays) and _are_mates(rnd, trick.winner, seats_of(subject))


def _are_mates(rnd: Round, seat: int, seats: tuple[int, ...]) -> bool:
    """Return whether a seat is one of these seats or on their side. Raises NotSeen if that is
    unknown."""
    if seat in seats:
        return True
    if rnd.sides is None:
        return any(seat in rnd.seating.side(mate) for mate in seats)
    side, others = rnd.sides.side_of(seat), {rnd.sides.side_of(mate) for mate in seats}
    if side is None or None in others:
        raise NotYetKnown(tr("nobody knows yet which side {who} is on", who=rnd.names[seat]))
    return side in others


def _cards_won(rnd: Round, subject: object) -> int:
    _require_full_record(rnd)
    seats, play = owner_of(subject).seats, rnd.rules.card_play
    if any(trick.winner in seats and trick.count and not trick.plays for trick in rnd.tricks):
        raise NotYetKnown(tr("which cards were in the tricks that were claimed is not known"))
    outside = frozenset[int]() if play is None else play.order_in_force(rnd).outside
    return _cards(
        rnd,
        [
            (seat, kinds)
            for trick in rnd.tricks
            for seat, kinds in trick.plays
            if (seat if outside.issuperset(kinds) else trick.winner) in seats
        ],
    )
