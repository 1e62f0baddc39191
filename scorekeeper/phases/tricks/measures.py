"""The measures of trick play.

A measure of a play uses the state before the play; a measure of a complete trick uses that trick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.cards import Trick, plain_points
from scorekeeper.core.expressions.parser import HEAP, KINDS, NUMBER, TRUTH, NotYetKnown
from scorekeeper.core.messages import tr
from scorekeeper.engine.measures import Owner, TrickFor, hand_measure, owner_of, seats_of
from scorekeeper.engine.phase import ACTOR, OWN, TRICK, Measure, Phase
from scorekeeper.phases.tricks.state import find_lacks, find_led_class, suit_named
from scorekeeper.ruleset.orders import TRUMP

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from scorekeeper.core.cards import PlayedCards
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.orders import Order

_NO_TRICK = Trick(0, [], 0, 0, 0, False)  # used before the first trick begins

# Measures of a trick, with their descriptions and kinds.
_OF_TRICK: tuple[tuple[str, str, Callable[[Round, Trick], float], str], ...] = (
    ("trick.points", "the card points in the trick", lambda _, t: t.points, NUMBER),
    (
        "trick.number",
        "the trick's number in the deal, from 1 (0 before it)",
        lambda _, t: t.number,
        NUMBER,
    ),
    ("trick.last", "whether the trick is the last", lambda _, t: t.is_last, TRUTH),
    (
        "trick.leads",
        "whether this act leads to it",
        lambda _, t: t.number > 0 and not t.plays,
        TRUTH,
    ),
    (
        "trick.players",
        "how many players have played to the trick",
        lambda _, t: len(t.plays),
        NUMBER,
    ),
)


def measures_of(phase: Phase[State]) -> Iterator[Measure]:
    """Yield the measures that read the state of the tricks."""
    look = _TrickReader(phase)
    for name, doc, read, kind in _OF_TRICK:
        yield Measure(name, doc, look.at_trick(read), TRICK, kind)
    heaps = (
        ("trick.cards", "the cards in the trick", lambda rnd, t, _: _cards(rnd, t.plays)),
        ("trick.best", "the card that is winning the trick", _best),
        ("trick.theirs", "the cards in the trick that the other side played", _theirs),
    )
    for name, doc, heap in heaps:
        yield Measure(name, doc, look.at_trick_and_own(heap), TRICK, HEAP)
    yield Measure(
        "trick.ours",
        "whether the actor's side is winning the trick, or has won it",
        look.at_trick_and_own(_is_ours),
        TRICK,
        kind=TRUTH,
    )
    yield Measure(
        "led", "the cards of the class that was led (empty for the leader)", look.led, TRICK, KINDS
    )
    said = "the cards of the suit that this act names (empty if it names none)"
    yield Measure("named", said, suit_named, ACTOR, KINDS)
    yield Measure("beating", "the cards that would win the trick now", look.beating, TRICK, KINDS)
    yield Measure("trumps", "the trumps", look.trumps, "", KINDS)
    said = "the cards of the last complete trick"
    yield Measure("last.cards", said, look.last_cards, "", HEAP)
    said = "the card points in the last complete trick"
    yield Measure("last.points", said, look.last_points)
    said = "the seat of the player who won the last complete trick (see `own.seat`), or 0"
    yield Measure("last.winner", said, look.last_winner)
    yield Measure("openers", "all cards led so far", look.leads, "", HEAP)
    yield Measure("played", "all cards played so far", look.played, "", HEAP)
    yield Measure("own.openers", "the cards that they have led so far", look.own_leads, OWN, HEAP)
    yield Measure("own.laid", "the cards that they have played so far", look.own_laid, OWN, HEAP)
    said = "the cards of the classes that they have publicly not followed"
    yield Measure("own.lacks", said, look.lacks, OWN, KINDS)
    said = "the cards that they played last, until another player plays"
    yield Measure("own.latest", said, look.latest, OWN, HEAP)
    said = "how many throws they took back, because another player could beat a part"
    yield Measure("own.throws", said, look.throws_taken_back, OWN)
    yield Measure("recorded()", "", look.recorded, OWN)
    yield Measure("own.pile", "the cards in the tricks that they won", _cards_won, OWN, HEAP)
    yield Measure("matadors()", "", look.matadors)
    yield Measure("worth()", "", look.worth)
    said = "the cards that the actor was dealt"
    yield from hand_measure("dealt", said, look.dealt, look.claim_on_dealt, look.bounds_of_dealt)


class _TrickReader:
    """The functions with which measures read the trick, the order and the cards played."""

    __slots__ = ("phase",)

    def __init__(self, phase: Phase[State]) -> None:
        self.phase = phase

    # --- the trick

    def trick(self, rnd: Round, subject: object) -> Trick:
        """Return the trick of the subject, or the current trick if the subject has none."""
        if isinstance(subject, TrickFor):
            return subject.trick
        if isinstance(subject, Trick):
            return subject
        state = rnd.state_if_begun(self.phase)
        if state is None:
            return _NO_TRICK
        last = state.cards_left <= max(1, state.size)
        points = plain_points(sum([state.worth[kind] for _, kinds in state.laid for kind in kinds]))
        return Trick(state.number, state.laid, state.winner, state.winning_kind, points, last)

    def state(self, rnd: Round) -> State:
        state = rnd.state_if_begun(self.phase)
        if state is None:
            raise NotYetKnown(tr("no trick has been played yet"))
        return state

    def at_trick(self, read: Callable[[Round, Trick], float]) -> Reader:
        return lambda rnd, subject: read(rnd, self.trick(rnd, subject))

    def at_trick_and_own(self, read: Callable[[Round, Trick, object], float]) -> Reader:
        return lambda rnd, subject: read(rnd, self.trick(rnd, subject), subject)

    # --- ranking of cards

    def order(self, rnd: Round) -> Order:
        state = rnd.state_if_begun(self.phase)
        play = rnd.rules.card_play
        assert play is not None  # only rulesets with this phase have the measure
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

    def matadors(self, rnd: Round, _: object) -> Callable[[int], int]:
        """Return a function that measures the unbroken run of highest trumps for a set of cards.

        The run begins with the highest trump. Its trumps are all in the set, or all missing from
        it.
        """
        order, pack = self.order(rnd), rnd.rules.pack
        trumps = [kind for kind in range(pack.kind_count) if order.classes[kind] == TRUMP]
        trumps.sort(key=order.strength.__getitem__, reverse=True)

        def matadors(cards: int) -> int:
            has = [bool(cards >> kind & 1) for kind in trumps]
            return next((n for n, each in enumerate(has) if each != has[0]), len(has))

        return matadors

    def worth(self, rnd: Round, _: object) -> Callable[[int], float]:
        """Return a function that adds up the card points of a set of cards."""
        state, pack = self.state(rnd), rnd.rules.pack
        return lambda cards: sum(state.worth[kind] for kind in pack.kinds_in(cards))

    def throws_taken_back(self, rnd: Round, subject: object) -> int:
        state = rnd.state_if_begun(self.phase)
        if state is None:
            return 0
        return sum(
            entry.seat in seats_of(subject)
            and entry.is_withdrawn
            and entry.type.measured_as == TRICK
            and bool(state.shapes.split_throw(state.order, entry.value))
            for entry in rnd.log.entries
        )

    # --- the last complete trick

    def last_cards(self, rnd: Round, _: object) -> int:
        trick = _last_trick(rnd)
        if trick is not None and not trick.plays:
            raise NotYetKnown(tr("the cards in the claimed tricks are not known"))
        return 0 if trick is None else _cards(rnd, trick.plays)

    def last_points(self, rnd: Round, _: object) -> float:
        trick = _last_trick(rnd)
        return 0 if trick is None else trick.points

    def last_winner(self, rnd: Round, _: object) -> int:
        trick = _last_trick(rnd)
        return 0 if trick is None else trick.winner + 1

    # --- played cards

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

    def lacks(self, rnd: Round, subject: object) -> int:
        _require_full_record(rnd)
        return find_lacks(rnd, self.state(rnd), seats_of(subject))

    def _laid_by(self, rnd: Round, seats: Collection[int]) -> int:
        state = rnd.state_if_begun(self.phase)
        tricks = [trick.plays for trick in rnd.tricks]
        every = (*tricks, state.laid) if state is not None else tricks
        return rnd.rules.pack.hand_of(
            [kind for laid in every for seat, kinds in laid if seat in seats for kind in kinds]
        )

    def dealt(self, rnd: Round, subject: object) -> int:
        """Return the hand as it was dealt. Raises NotYetKnown if that is unknown, or if cards have
        moved between hands."""
        hands, cards = rnd.hands, self.recorded(rnd, subject)
        for seat in seats_of(subject):
            if rnd.starts_midway or hands.changed[seat] or not hands.is_known(seat):
                raise NotYetKnown(
                    tr("it is not known which cards {who} was dealt", who=rnd.names[seat])
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
        """Return the minimum and maximum number of cards from a set that the hand was dealt."""
        out = (self._cards_gone(rnd, seat) & cards).bit_count()
        least, most = rnd.hands.bounds(seat, cards)
        return out + least, out + most

    def _cards_gone(self, rnd: Round, seat: int) -> int:
        """Return the cards that have left a hand since the deal. Raises NotYetKnown if the hand has
        received other cards, or if the recording began later."""
        if rnd.starts_midway or rnd.hands.changed[seat]:
            raise NotYetKnown(
                tr("it is not known which cards {who} was dealt", who=rnd.names[seat])
            )
        return self.recorded(rnd, Owner((seat,)))


def _last_trick(rnd: Round) -> Trick | None:
    """Return the last complete trick, or None if no trick is complete yet."""
    for trick in reversed(rnd.tricks):
        if trick.count:  # Cards that belong to no trick are recorded as a trick with a count of 0.
            return trick
    _require_full_record(rnd)
    return None


def _require_full_record(rnd: Round) -> None:
    """Raise NotYetKnown if cards were played before the recording began."""
    if rnd.starts_midway:
        raise NotYetKnown(tr("the cards played before the recording began are not known"))


def _cards(rnd: Round, laid: Collection[PlayedCards]) -> int:
    return rnd.rules.pack.hand_of([kind for _, kinds in laid for kind in kinds])


def _best(rnd: Round, trick: Trick, _: object) -> int:
    return rnd.rules.pack.bit[trick.winning_kind] if trick.plays else 0


def _theirs(rnd: Round, trick: Trick, subject: object) -> int:
    seats, side = owner_of(subject)
    if side is not None:  # the subject is a whole side
        return _cards(rnd, [laid for laid in trick.plays if laid[0] not in seats])
    return _cards(rnd, [laid for laid in trick.plays if not _are_mates(rnd, laid[0], seats)])


def _is_ours(rnd: Round, trick: Trick, subject: object) -> bool:
    return bool(trick.plays) and _are_mates(rnd, trick.winner, seats_of(subject))


def _are_mates(rnd: Round, seat: int, seats: tuple[int, ...]) -> bool:
    """Return whether a seat is one of these seats or on their side. Raises NotYetKnown if the sides
    are unknown."""
    if seat in seats:
        return True
    if rnd.sides is None:
        return any(seat in rnd.seating.side(mate) for mate in seats)
    side, others = rnd.sides.side_of(seat), {rnd.sides.side_of(mate) for mate in seats}
    if side is None or None in others:
        raise NotYetKnown(tr("it is not yet known which side {who} is on", who=rnd.names[seat]))
    return side in others


def _cards_won(rnd: Round, subject: object) -> int:
    _require_full_record(rnd)
    seats, play = owner_of(subject).seats, rnd.rules.card_play
    if any(trick.winner in seats and trick.count and not trick.plays for trick in rnd.tricks):
        raise NotYetKnown(tr("the cards in the claimed tricks are not known"))
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
