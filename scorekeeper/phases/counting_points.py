"""Points, tricks and special points that were won.

A special point is a row with a condition and a number. It is evaluated for the winner of every
complete trick, or at the end of the round for every player or side.

Some special points count cards of the dealt hand, such as `matadors(opponents.laid)`. The deal
decides them, even if play ends early. If a result states such a number, or play ends early, the
cards seen limit the number. The program then tries every division of the other cards that the hand
sizes allow.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.cards import plain_points
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import (
    HEAP,
    KINDS,
    CircularExpression,
    ConditionalRows,
    ExpressionError,
    parser,
)
from scorekeeper.core.messages import tr
from scorekeeper.core.text import find_nearest
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import Owner, TrickFor, owner_of_role
from scorekeeper.engine.phase import OWN, TRICK
from scorekeeper.engine.rows import EACH, SIDES
from scorekeeper.notation.notation import early_end_hint

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from scorekeeper.core.cards import Trick
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.ruleset.tables import Report

S = TypeVar("S", TrickFor, Owner)
Pair = tuple[int, int]  # the declaring side and the others
Points = tuple[float, float]  # card points of both sides; half points are possible
Won = tuple[float, int]  # points and tricks

POINTS, TRICKS = "points", "tricks"
WINNER = "winner"
HOLDERS = (WINNER, EACH, SIDES)  # the possible owners of a special point, besides a named side
LAID, CONTRACT = (
    ".laid",
    "contract.",
)  # the suffix of names for cards played, and the prefix of names for a contract's numbers
MAX_WAYS = 1 << 14  # the maximum number of divisions of cards to try


# --- totals


class SideTotals(NamedTuple):
    """The card points and the tricks of each side."""

    points: Points
    tricks: Pair

    def of(self, what: str) -> Points:
        """Return the points or the tricks, depending on `what`."""
        return self.points if what == POINTS else self.tricks


class SpecialPoint(NamedTuple):
    """A special point that was won in a trick. `name` is its name.

    `own` is the owner, whose first seat is the trick's winner. `times` is how often the special
    point was won. `caught_from` are the seats that lost its cards in the trick.
    """

    special: str
    own: Owner
    times: int
    trick: Trick
    caught_from: tuple[int, ...]


class State:
    """The result of a round that is finished or was entered as a result.

    `totals` are the points and tricks of the sides, or None during play. `specials` maps a special
    point's name and a side to the number of times that the side has won it. `by_seats` maps a
    special point's name and the seats that won it to the number of times that they won it.
    `special_points` are the special points won in tricks. `winning_side` is None if no
    side has won. If the seating determines the sides, `won_by_seat` contains the points and tricks
    of each seat after play. Otherwise, it is None. `unknown` are seats for which a result states
    only their total. `snapshots` are pairs of a number of complete tricks and a read-only copy of
    the round at that moment.
    """

    __slots__ = (
        *("by_seats", "is_counted", "snapshots", "special_points", "specials", "totals"),
        *("unknown", "winning_side", "won_by_seat"),
    )

    def __init__(self) -> None:
        self.totals: SideTotals | None = None
        self.specials: dict[tuple[str, int], int] = {}
        self.by_seats: dict[tuple[str, tuple[int, ...]], int] = {}
        self.special_points: list[SpecialPoint] = []
        self.is_counted = False
        self.winning_side: int | None = None
        self.won_by_seat: list[Won] | None = None
        self.unknown: tuple[int, ...] = ()
        self.snapshots: tuple[tuple[int, Round], ...] = ()

    def count(self, special: str, side: int) -> int:
        """Return how often a side has that special point."""
        return self.specials.get((special, side), 0)

    def add(self, special: str, side: int, times: int = 1) -> None:
        """Add to the number of times that a side has that special point."""
        self.specials[special, side] = self.count(special, side) + times

    def give(self, special: str, own: Owner, times: int, by: tuple[int, ...]) -> None:
        """Award the special point to a player or a side. `by` are the seats that earned it."""
        if own.side is not None:
            self.add(special, own.side, times)
        self.by_seats[special, by] = self.by_seats.get((special, by), 0) + times

    def times_won(self, special: str, own: Owner) -> int:
        """Return how often a player or a side has that special point. Each player of a side also
        has what the whole side has won."""
        if own.side is not None:
            return self.count(special, own.side)
        return sum(
            times
            for (name, by), times in self.by_seats.items()
            if name == special and not set(by).isdisjoint(own.seats)
        )


def won_by(rnd: Round, seats: Container[int], what: str) -> float:
    """Return the points or the tricks that these seats have won."""
    won = [trick for trick in rnd.tricks if trick.winner in seats]
    return plain_points(sum([trick.points if what == POINTS else trick.count for trick in won]))


def won_by_seats(rnd: Round) -> list[Won]:
    """Return the points and the tricks that each seat has won."""
    points: list[float] = [0] * len(rnd.names)
    tricks = [0] * len(rnd.names)
    for trick in rnd.tricks:
        points[trick.winner] += trick.points
        tricks[trick.winner] += trick.count
    if rnd.rules.has_halves:
        points = [plain_points(each) for each in points]
    return list(zip(points, tricks, strict=True))


def still_out(rnd: Round) -> list[float]:
    """Return a list of the points of each card that may still be won."""
    play = rnd.rules.card_play
    return [] if play is None else play.points_left(rnd)


def kitty_and_heirs(rnd: Round) -> tuple[int, Sequence[int]]:
    """Return the number of kitty cards, and the seats that may receive these cards at the end.
    Exactly one of these seats receives them."""
    kitty = rnd.rules.kitty_rules
    return (0, ()) if kitty is None else (rnd.kitty_size, kitty.heirs(rnd))


def totals_so_far(rnd: Round) -> SideTotals:
    """Return the totals of the tricks played, crediting only sides proven to have won a trick."""
    points: list[float] = [0, 0]
    tricks = [0, 0]
    sides = rnd.sides
    if sides is None:
        return SideTotals((0, 0), (0, 0))
    known = sides.known
    for trick in rnd.tricks:
        side = known[trick.winner]
        if side is None:
            side = sides.side_of(trick.winner)
        if side is not None:
            points[side] = plain_points(points[side] + trick.points)
            tricks[side] += trick.count
    return SideTotals((points[0], points[1]), (tricks[0], tricks[1]))


# --- special points


class SpecialConditions(NamedTuple):
    """Properties of a special point's conditions.

    `settled` is true if the special point depends on the trick alone, so that its value never
    changes. `at_last` is true if only the last trick can earn the special point. `caught` is true
    if cards of another side earn it.
    """

    settled: bool
    at_last: bool
    caught: bool


class Special:
    """A compiled row of [specials].

    `holder` names the owner, who gets the special point `count` times if `when` holds. In one deal,
    the special point can be won at most `most` times, and only if `counts` holds. A trick that
    earns the special point contains at least `least` card points. `cards` are the cards that earn
    the special point, or None if the trick or the deal earns it. `is_in_result` is true if a result
    states how often the special point was won. That number is at least `fewest`, and all numbers
    below `enough` have the same effect.
    """

    __slots__ = (
        *("_conditions", "_marks", "_orders_change", "_plain", "_times_won", "cards"),
        *("count", "counts", "enough", "fewest", "holder", "is_in_result", "least", "most"),
        *("name", "when"),
    )

    def __init__(self, name: str, row: Row, rules: Ruleset) -> None:
        path = f"specials.{name}"
        self.name = name
        self.holder: str = row["for"]
        self.least: int = row["least"]
        self.most: int = row["most"]
        self.is_in_result: bool = row["told"]
        self.fewest: int = row["fewest"]
        about = (OWN,) if self.holder in (EACH, SIDES, *rules.section("parties")) else (TRICK, OWN)
        self.when: Expression = rules.compile_expression(row["when"], f"{path}.when", about)
        self.count: Expression = rules.compile_expression(
            row["count"], f"{path}.count", about, whole=True
        )
        self.counts: Expression = rules.compile_expression(row["counts"], f"{path}.counts")
        self.enough = rules.compile_expression(row["enough"], f"{path}.enough", whole=True)
        self._conditions: SpecialConditions | None = None
        self._orders_change = bool(rules.section("holdings"))  # an announcement may name the trump
        self._times_won = ConditionalRows([(self.when.text, self.count.text)], self.when.scope)
        self.cards: Expression | None = None
        if row["cards"]:
            self.cards = rules.compile_expression(row["cards"], f"{path}.cards", kind=KINDS)
        marks = self.cards.text if self.cards is not None else "0"
        self._marks = ConditionalRows([(self.counts.text, marks)], self.counts.scope)
        self._plain = self.cards is None and self.counts.text == "true"

    def check(self, sides: Sequence[str], fault: Report) -> None:
        """Report an error if `for` names neither a player nor a side that may own the special
        point."""
        known = [*sides] if self.is_in_result else [*HOLDERS, *sides]
        if self.holder in known:
            return
        where, near = f"specials.{self.name}.for", find_nearest(self.holder, known)
        message = f"{where}: “{self.holder}” is neither a side nor one of {', '.join(HOLDERS)}"
        if self.is_in_result:
            message = f"{where}: with told = true it must be a side, not “{self.holder}”"
        message += f"; did you mean “{near}”?" if near else ""
        allowed = ", ".join(known) or "a side; this ruleset has no [parties]"
        fault(where, self.holder, allowed, message)

    @property
    def conditions(self) -> SpecialConditions:
        """The properties of the special point's conditions. All properties are false if an
        expression is invalid. That error is reported when the expression is evaluated."""
        if self._conditions is None:
            try:
                self._conditions = self._read_conditions()
            except ExpressionError:
                self._conditions = SpecialConditions(settled=False, at_last=False, caught=False)
        return self._conditions

    def _read_conditions(self) -> SpecialConditions:
        kind, names = self.when.scope.kind_of, (*self.when.names, *self.count.names)
        settled = all(
            name.startswith("trick.") or (kind(name) == KINDS and not self._orders_change)
            for name in names
        )
        at_last = parser.first_condition(self.when.text, self.when.scope.has_name) == "trick.last"
        return SpecialConditions(settled, at_last, "trick.theirs" in self.count.names)

    @property
    def is_of_deal(self) -> bool:
        """True if the whole deal or its last trick decides the owner, rather than single cards. A
        player may then have the special point even if a result does not mention it."""
        return self.holder != WINNER or (self.conditions.at_last and self.cards is None)

    def is_possible(self, rnd: Round) -> bool:
        """Return whether the special point can occur in this deal."""
        return bool(rnd.evaluate(self.counts))

    def counts_same(self, rnd: Round, one: int, two: int) -> bool:
        """Return whether two numbers of the special point have the same effect."""
        return one == two or max(one, two) < self.enough.value_or(rnd.reading())

    def kinds(self, rnd: Round) -> list[int]:
        """Return the kinds of card that earn the special point. The result is empty if none do."""
        cards = int(rnd.evaluate(self.cards)) if self.cards is not None else 0
        return [kind for kind in range(rnd.rules.pack.kind_count) if cards >> kind & 1]

    def marking_cards(self, rnd: Round) -> int | None:
        """Return the cards that earn the special point, 0 if the trick earns it, or None if it
        cannot occur in this deal."""
        if self._plain:
            return 0
        rows = self._marks.evaluate(rnd, (None,))
        if rows is not None:
            return int(rows[0][2]) if rows else None
        if not self.is_possible(rnd):
            return None
        return int(rnd.evaluate(self.cards)) if self.cards is not None else 0

    def find_won(
        self, rnd: Round, subjects: Sequence[S], then: Round | None = None
    ) -> Iterable[tuple[S, int]]:
        """Return the tricks, players or sides in `subjects` that earn the special point, each with
        the number of times. They are evaluated in order, because one result may depend on earlier
        ones. `then` is the round as it was earlier, or None for the current state.
        """
        rows = self._times_won.evaluate(rnd, subjects) if self.conditions.settled else None
        if rows is not None:
            return [(subjects[at], int(times)) for _, at, times in rows]
        return ((subject, self._times(rnd, subject, then or rnd)) for subject in subjects)

    def _times(self, rnd: Round, subject: object, then: Round) -> int:
        try:
            return (
                int(self.count.value_in(then, subject)) if self.when.value_in(then, subject) else 0
            )
        except CircularExpression:
            raise
        except ExpressionError as error:
            rnd.report_ruleset_error(error)
            return 0


def find_in_tricks(
    rnd: Round, phase: Phase[State], specials: Iterable[Special], state: State
) -> Iterator[SpecialPoint]:
    """Yield the special points won in the tricks of the round. Each is recorded in `state` before
    the next is evaluated."""
    owns = _TrickOwners(rnd)
    rows = [
        (special, cards)
        for special in specials
        if special.holder == WINNER and (cards := special.marking_cards(rnd)) is not None
    ]
    if all(special.conditions.settled for special, _ in rows):
        for special, cards in rows:
            yield from _find_one(rnd, special, cards, rnd.tricks, owns, rnd)
        return
    for number, trick in enumerate(rnd.tricks, 1):  # a row may depend on earlier rows
        then = round_after_trick(rnd, phase, number, state)
        for special, cards in rows:
            yield from _find_one(rnd, special, cards, [trick], owns, then)


def _find_one(
    rnd: Round,
    special: Special,
    cards: int,
    tricks: Sequence[Trick],
    owns: _TrickOwners,
    then: Round,
) -> Iterator[SpecialPoint]:
    """Yield the special points of one row that were won in these tricks."""
    traits, least = special.conditions, special.least
    anywhere = not traits.at_last
    moments = [
        TrickFor(trick, own)
        for trick in tricks
        if trick.points >= least and (anywhere or trick.is_last)
        if trick.plays and (not cards or _has_card(trick, cards))
        if (own := owns[trick.winner]) is not None
    ]
    for (trick, own), times in special.find_won(rnd, moments, then) if moments else ():
        if times > 0:
            makers = _caught_from(trick, cards, own) if traits.caught else ()
            yield SpecialPoint(special.name, own, times, trick, makers)


def _has_card(trick: Trick, cards: int) -> bool:
    """Return whether a trick contains one of these cards."""
    for _, laid in trick.plays:
        for kind in laid:
            if cards >> kind & 1:
                return True
    return False


def _caught_from(trick: Trick, cards: int, own: Owner) -> tuple[int, ...]:
    """Return the seats that lost the cards of a special point in a trick."""
    return tuple(
        [
            seat
            for seat, laid in trick.plays
            for kind in laid
            if cards >> kind & 1 and seat not in own.seats
        ]
    )


class _TrickOwners(dict[int, Owner | None]):
    """A map from the seat that won a trick to the owner of that trick. The owner is None while the
    seat's side is unknown. Otherwise, the owner's first seat is the winner."""

    def __init__(self, rnd: Round) -> None:
        self._parties = rnd.sides

    def __missing__(self, seat: int) -> Owner | None:
        sides, own = self._parties, None
        side = sides.side_of(seat) if sides is not None else None
        if sides is None:
            own = Owner((seat,))
        elif side is not None:
            mates = [mate for mate in sides.members(side) if mate != seat]
            own = Owner((seat, *mates), side)
        self[seat] = own
        return own


def round_after_trick(rnd: Round, phase: Phase[State], tricks: int, specials: State) -> Round:
    """Return the round as it was when that number of tricks was complete.

    The copy includes what is now known of the sides and hands, and the special points won up to
    then.
    """
    moments = dict(rnd.state(phase).snapshots)
    if tricks not in moments:
        return rnd
    then = moments[tricks].copy()
    then.sides = rnd.sides
    state = then.state(phase)
    state.specials, state.by_seats = specials.specials, specials.by_seats
    state.is_counted = True
    pack, laid = rnd.rules.pack, [each for trick in rnd.tricks[tricks:] for each in trick.plays]
    for seat in rnd.seats:
        if rnd.hands.is_known(seat) and not rnd.hands.changed[seat]:
            with suppress(ValueError):  # the entries contradict each other
                later = pack.hand_of([kind for who, kinds in laid if who == seat for kind in kinds])
                then.hands.reveal(seat, pack.combine(later, rnd.hands.known[seat]))
    return then


def possible_holders(rnd: Round, to: str) -> list[Owner]:
    """Return every player, every side, or the side of that name, as possible owners of a special
    point."""
    if to == EACH:
        return [Owner((seat,)) for seat in rnd.seats]
    parties = rnd.sides
    if parties is not None and to in parties.names:
        side = parties.names.index(to)
        return [Owner(parties.members(side), side)]
    if parties is not None:
        sides = [Owner(parties.members(side), side) for side in range(len(parties.names))]
        return [own for own in sides if own.seats]
    return [Owner(seats) for seats in dict.fromkeys(rnd.seating.side(seat) for seat in rnd.seats)]


# --- possible numbers of a special point, by the known cards


def find_at_end(rnd: Round, state: State, specials: Iterable[Special]) -> bool:
    """Record the special points of the whole deal, with their owners. Return False if play ended
    early and a number that a result would state is unknown."""
    unplayed = any(rnd.hands.size(seat) for seat in rnd.seats)
    for special in specials:
        if special.holder == WINNER or not special.is_possible(rnd):
            continue
        owns = possible_holders(rnd, special.holder)
        if unplayed and _counts_unplayed_cards(special):
            number = known_number(rnd, special)
            if number is None:
                return False
            for own in owns:
                state.give(special.name, own, number, own.seats)
            continue
        for own, times in special.find_won(rnd, owns):
            if times > 0:
                state.give(special.name, own, times, own.seats)
    return True


def check_known(rnd: Round, specials: Iterable[Special], form: str) -> None:
    """Raise Impossible if play cannot end now, because the number of a special point is unknown and
    a result would have to state it. `form` is the form of a result."""
    for special in specials:
        if not _counts_unplayed_cards(special) or not special.is_possible(rnd):
            continue
        if known_number(rnd, special) is None:
            name = rnd.rules.translate_word(special.name)
            message = tr("{name} is not known, because not all cards have been seen", name=name)
            raise Impossible(message, early_end_hint(form))


def _counts_unplayed_cards(special: Special) -> bool:
    """Return whether unplayed cards count toward the special point and a result can name it."""
    return special.is_in_result and any(name.endswith(LAID) for name in _names_in(special))


def likely_numbers(rnd: Round, special: Special) -> list[str]:
    """Return the numbers that a result may state for the special point. Return an empty list if
    the cards seen do not limit the number."""
    numbers = possible_numbers(rnd, special) or ()
    return [str(number) for number in numbers if number >= special.fewest]


def known_number(rnd: Round, special: Special) -> int | None:
    """Return the number of the special point, or a number with the same effect, or None if it is
    unknown."""
    numbers = possible_numbers(rnd, special)
    if numbers is None or not all(special.counts_same(rnd, numbers[0], each) for each in numbers):
        return None
    return numbers[0]


def possible_numbers(rnd: Round, special: Special) -> list[int] | None:
    """Return the possible numbers of the special point in ascending order.

    Return None if they cannot be determined, because the special point depends on more than the
    cards of one side, or on too many cards.
    """
    sides = rnd.sides
    if sides is None or not sides.is_complete or special.holder not in sides.names:
        return None
    heap = _only_heap(special)
    cards = _CardShares.of(rnd, special, heap) if heap else None
    if cards is None:
        return None
    side = sides.names.index(special.holder)
    read = rnd.reading(Owner(sides.members(side), side))
    numbers: set[int] = set()
    try:
        for laid in cards.ways():

            def get(name: str, laid: int = laid) -> object:
                return laid if name == heap else read(name)

            numbers.add(int(special.count(get)) if special.when(get) else 0)
    except ExpressionError:
        return None
    return sorted(numbers) or None


class _CardShares:
    """The possible ways to divide a special point's cards between some players and the others.

    These players are known to have had the cards in `certain`. For each kind in `kinds`,
    `free_copies` is the number of copies with an unknown holder. These players have between
    `min_extra` and `max_extra` of all such copies.
    """

    __slots__ = ("certain", "free_copies", "kinds", "max_extra", "min_extra", "rnd")

    def __init__(self, rnd: Round) -> None:
        self.rnd = rnd
        self.certain = self.min_extra = self.max_extra = 0
        self.kinds: list[int] = []
        self.free_copies: list[int] = []

    @classmethod
    def of(cls, rnd: Round, special: Special, heap: str) -> _CardShares | None:
        """Return the possible divisions for a special point that depends on the set of played cards
        named `heap`. Return None if nothing limits the divisions."""
        role, pack, hands = heap.removesuffix(LAID), rnd.rules.pack, rnd.hands
        try:
            seats = owner_of_role(rnd, special.holder if role == parser.OWN else role).seats
        except ExpressionError:
            return None
        kinds, begun = special.kinds(rnd), rnd.play_begun()
        if not kinds or rnd.may_pass_cards():
            return None
        shares = cls(rnd)
        laid = rnd.reading(Owner(seats))("recorded()")
        assert isinstance(laid, int)
        count, heirs = kitty_and_heirs(rnd)
        shares.certain, unknown, open_cards, room = laid, 0, hands.unseen, 0
        for seat in seats:
            certain = hands.known[seat]
            if hands.buried_count[seat]:
                certain = hands.not_buried[seat]
            elif not begun and seat in heirs:
                certain, room = 0, room + count
            shares.certain = pack.combine(shares.certain, certain)
            open_cards = pack.combine(open_cards, pack.take_out(hands.known[seat], certain))
            unknown += hands.size(seat) - certain.bit_count()
        for kind in kinds:
            free = pack.count(open_cards, kind)
            if free:
                shares.kinds.append(kind)
                shares.free_copies.append(free)
        if sum(shares.free_copies) == len(kinds) * pack.copies:
            return None
        elsewhere = open_cards.bit_count() - unknown + room
        if rnd.starts_midway:  # unseen cards may have been played
            unknown = open_cards.bit_count()
        shares.min_extra, shares.max_extra = sum(shares.free_copies) - elsewhere, unknown
        return shares if prod(free + 1 for free in shares.free_copies) <= MAX_WAYS else None

    def ways(self) -> Iterator[int]:
        """Yield the cards that these players have in each possible division."""
        pack = self.rnd.rules.pack
        for way in product(*(range(free + 1) for free in self.free_copies)):
            if self.min_extra <= sum(way) <= self.max_extra:
                more = [kind for kind, n in zip(self.kinds, way, strict=True) for _ in range(n)]
                yield pack.combine(self.certain, pack.hand_of(more))


def _only_heap(special: Special) -> str:
    """Return the name of the set of played cards on which the special point depends, or "" if it
    depends on anything else."""
    kind, heaps = special.count.scope.kind_of, set[str]()
    for name in _names_in(special):
        if kind(name) == HEAP:
            heaps.add(name)
        elif kind(name) != KINDS and not name.startswith(CONTRACT):
            return ""
    (heap, *more) = heaps or {""}
    return heap if heap.endswith(LAID) and not more else ""


def _names_in(special: Special) -> tuple[str, ...]:
    """Return the names in the special point's expressions. Return no names if an expression is
    invalid, which may happen in a pinned ruleset."""
    try:
        return (*special.count.names, *special.when.names)
    except ExpressionError:
        return ()
