"""What two sides have won: points, tricks, special points. Part of counting."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container

    from scorekeeper.core.cards import Trick
    from scorekeeper.ruleset.joint import Joint, Stateful
    from scorekeeper.ruleset.subjects import Own

POINTS, TRICKS = "points", "tricks"
Pair = tuple[int, int]  # of the declaring side and of the others; or points and tricks


class Totals(NamedTuple):
    """The card points and the tricks of each side."""

    points: Pair
    tricks: Pair

    def of(self, what: str) -> Pair:
        """Its points or its tricks, by their name."""
        return self.points if what == POINTS else self.tricks


class Found(NamedTuple):
    """A special point as it was won: its name, by whom (the winner of the trick first), how often,
    in which trick, and the seats from whom the cards that make it were caught."""

    special: str
    own: Own
    times: int
    trick: Trick
    seats: tuple[int, ...]


class State:
    """What a round came to, once it is over or was entered by its result.

    `totals` are the points and tricks of the sides (None: play goes on); `specials` how often each
    special point was won, by its name and the side, `by_seats` the same by its name and who won it,
    and `found` where, as far as it was played; `won` the side that has won (None: nobody). `each`:
    by seat what they have won, where the sides are those of the seating (None: play goes on).
    `moments` are copies of the round, of which none is ever changed: how it stood when so many
    tricks had just become complete.
    """

    __slots__ = ("by_seats", "each", "found", "moments", "specials", "totals", "won")

    def __init__(self) -> None:
        self.totals: Totals | None = None
        self.specials: dict[tuple[str, int], int] = {}
        self.by_seats: dict[tuple[str, tuple[int, ...]], int] = {}
        self.found: list[Found] = []
        self.won: int | None = None
        self.each: list[Pair] | None = None
        self.moments: tuple[tuple[int, Joint], ...] = ()

    def count(self, special: str, side: int) -> int:
        """How often a side has that special point."""
        return self.specials.get((special, side), 0)

    def add(self, special: str, side: int, times: int = 1) -> None:
        """A side has that special point, so many times more."""
        self.specials[special, side] = self.count(special, side) + times

    def give(self, special: str, own: Own, times: int, by: tuple[int, ...]) -> None:
        """A player, or a side, has that special point, so many times more; it was won `by` these
        of its players."""
        if own.side is not None:
            self.add(special, own.side, times)
        self.by_seats[special, by] = self.by_seats.get((special, by), 0) + times

    def has(self, special: str, own: Own) -> int:
        """How often a player, or a side, has that special point; what a whole side has won, each of
        its players has."""
        if own.side is not None:
            return self.count(special, own.side)
        return sum(
            times
            for (name, by), times in self.by_seats.items()
            if name == special and not set(by).isdisjoint(own.seats)
        )


def as_it_stood(rnd: Joint, phase: Stateful[State], tricks: int, specials: State) -> Joint:
    """The round as it stood when so many tricks had just become complete, by what is known now of
    the sides and of the hands; these special points had been won by then."""
    moments = dict(rnd.state(phase).moments)
    if tricks not in moments:
        return rnd
    then = moments[tricks].copy()
    then.parties = rnd.parties
    state = then.state(phase)
    state.specials, state.by_seats = specials.specials, specials.by_seats
    pack, laid = rnd.rules.pack, [each for trick in rnd.tricks[tricks:] for each in trick.laid]
    for seat in rnd.seats:
        if rnd.hands.is_known(seat) and not rnd.hands.moved[seat]:
            with suppress(ValueError):  # what was entered contradicts itself
                later = pack.of([kind for who, kinds in laid if who == seat for kind in kinds])
                then.hands.reveal(seat, pack.total_of(later, rnd.hands.sure[seat]))
    return then


def won_by(rnd: Joint, seats: Container[int], what: str) -> int:
    """The points, or the tricks, that these seats have won."""
    won = [trick for trick in rnd.tricks if trick.winner in seats]
    return sum([trick.points if what == POINTS else trick.count for trick in won])


def won_by_each(rnd: Joint) -> list[Pair]:
    """The points and the tricks that every seat has won."""
    points, tricks = [0] * len(rnd.names), [0] * len(rnd.names)
    for trick in rnd.tricks:
        points[trick.winner] += trick.points
        tricks[trick.winner] += trick.count
    return list(zip(points, tricks, strict=True))


def so_far(rnd: Joint) -> Totals:
    """The totals of the tricks that were played, each for the side that is proven to have it."""
    points, tricks = [0, 0], [0, 0]
    parties = rnd.parties
    if parties is None:
        return Totals((0, 0), (0, 0))
    known = parties.known
    for trick in rnd.tricks:
        side = known[trick.winner]
        if side is None:
            side = parties.of(trick.winner)
        if side is not None:
            points[side] += trick.points
            tricks[side] += trick.count
    return Totals((points[0], points[1]), (tricks[0], tricks[1]))
