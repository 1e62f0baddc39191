"""Special points: what they are, and where they were won. Part of counting.

Each row is a condition and a number, asked of every complete trick for its winner, or, when the
round is over, of every player or side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.expressions import KINDS, Circular, ExpressionError, Rows
from scorekeeper.core.expressions.parser import first_needed
from scorekeeper.core.text import nearest
from scorekeeper.core.types import NamedTuple
from scorekeeper.phases.counting.state import Found, State, as_it_stood
from scorekeeper.ruleset.phase import OWN, TRICK
from scorekeeper.ruleset.scores import EACH, SIDES
from scorekeeper.ruleset.subjects import Moment, Own

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.cards import Trick
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Joint, Rules, Stateful
    from scorekeeper.ruleset.tables import Report

S = TypeVar("S", Moment, Own)
WINNER = "winner"
FOR = (WINNER, EACH, SIDES)


class Traits(NamedTuple):
    """Of a special point: that it hangs on the trick alone, whenever it is asked
    (`settled`); that only a last trick has it; that cards of another side make it (`caught`)."""

    settled: bool
    at_last: bool
    caught: bool


class Special:
    """A row of [specials], compiled: the special point of that `name`.

    Whom it is `to` has it `count` times where `when` holds. A deal has it `most` times at most,
    and only if `counts` holds; a trick that has it holds at least `least` card points. `cards` are
    those that make it (None: the trick itself, or the deal, does). `told`: a result tells how
    often, at least `fewest` times; of fewer than `enough` any number is as good as another.
    """

    __slots__ = (
        *("_marks", "_often", "_orders_change", "_plain", "_traits", "cards", "count", "counts"),
        "enough",
        *("fewest", "least", "most", "name", "to", "told", "when"),
    )

    def __init__(self, name: str, row: Row, rules: Rules) -> None:
        path = f"specials.{name}"
        self.name = name
        self.to: str = row["for"]
        self.least: int = row["least"]
        self.most: int = row["most"]
        self.told: bool = row["told"]
        self.fewest: int = row["fewest"]
        about = (OWN,) if self.to in (EACH, SIDES, *rules.section("parties")) else (TRICK, OWN)
        self.when: Expression = rules.expression(row["when"], f"{path}.when", about)
        self.count: Expression = rules.expression(row["count"], f"{path}.count", about, whole=True)
        self.counts: Expression = rules.expression(row["counts"], f"{path}.counts")
        self.enough = rules.expression(row["enough"], f"{path}.enough", whole=True)
        self._traits: Traits | None = None
        self._orders_change = bool(rules.section("holdings"))  # what is announced may name trumps
        self._often = Rows([(self.when.text, self.count.text)], self.when.scope)
        self.cards: Expression | None = None
        if row["cards"]:
            self.cards = rules.expression(row["cards"], f"{path}.cards", kind=KINDS)
        marks = self.cards.text if self.cards is not None else "0"
        self._marks = Rows([(self.counts.text, marks)], self.counts.scope)
        self._plain = self.cards is None and self.counts.text == "true"

    def check(self, sides: Sequence[str], fault: Report) -> None:
        """Report a `for` that is none of the players and sides that may have it."""
        known = [*sides] if self.told else [*FOR, *sides]
        if self.to in known:
            return
        where, near = f"specials.{self.name}.for", nearest(self.to, known)
        message = f"{where}: “{self.to}” is neither a side nor one of {', '.join(FOR)}"
        if self.told:
            message = f"{where}: with told = true it must be a side, not “{self.to}”"
        message += f"; did you mean “{near}”?" if near else ""
        allowed = ", ".join(known) or "a side; this ruleset has no [parties]"
        fault(where, self.to, allowed, message)

    @property
    def traits(self) -> Traits:
        """What its expressions tell without being asked; nothing, where one is none: that is told
        when it is asked."""
        if self._traits is None:
            try:
                self._traits = self._read_traits()
            except ExpressionError:
                self._traits = Traits(settled=False, at_last=False, caught=False)
        return self._traits

    def _read_traits(self) -> Traits:
        kind, names = self.when.scope.kind, (*self.when.names, *self.count.names)
        settled = all(
            name.startswith("trick.") or (kind(name) == KINDS and not self._orders_change)
            for name in names
        )
        at_last = first_needed(self.when.text, self.when.scope.has) == "trick.last"
        return Traits(settled, at_last, "trick.theirs" in self.count.names)

    @property
    def of_the_deal(self) -> bool:
        """Whether the whole deal, or its last trick whatever lies there, decides who has it: then
        somebody may well have it of whom a result says nothing."""
        return self.to != WINNER or (self.traits.at_last and self.cards is None)

    def possible(self, rnd: Joint) -> bool:
        """Whether this deal can have that special point at all."""
        return bool(rnd.evaluate(self.counts))

    def alike(self, rnd: Joint, one: int, two: int) -> bool:
        """Whether it counts the same so often as that often."""
        return one == two or max(one, two) < self.enough.value(rnd.reading())

    def kinds(self, rnd: Joint) -> list[int]:
        """The kinds of card that make it; empty where none do."""
        cards = int(rnd.evaluate(self.cards)) if self.cards is not None else 0
        return [kind for kind in range(rnd.rules.pack.size) if cards >> kind & 1]

    def marks(self, rnd: Joint) -> int | None:
        """The cards that make it (0: the trick itself does); None in a deal without it."""
        if self._plain:
            return 0
        found = self._marks.of(rnd, (None,))
        if found is not None:
            return int(found[0][2]) if found else None
        if not self.possible(rnd):
            return None
        return int(rnd.evaluate(self.cards)) if self.cards is not None else 0

    def won(
        self, rnd: Joint, subjects: Sequence[S], then: Joint | None = None
    ) -> Iterable[tuple[S, int]]:
        """Those of these tricks, or players and sides, that may have it for whom they are looked
        at, each with how often: one after the other, where it may hang on what those before have.
        `then` is the round as it stood at the moment that it is about (None: as it stands).
        """
        found = self._often.of(rnd, subjects) if self.traits.settled else None
        if found is not None:
            return [(subjects[at], int(times)) for _, at, times in found]
        return ((subject, self._times(rnd, subject, then or rnd)) for subject in subjects)

    def _times(self, rnd: Joint, subject: object, then: Joint) -> int:
        try:
            return int(self.count.of(then, subject)) if self.when.of(then, subject) else 0
        except Circular:
            raise
        except ExpressionError as error:
            rnd.misruled(error)
            return 0


def found_in(
    rnd: Joint, phase: Stateful[State], specials: Iterable[Special], state: State
) -> Iterator[Found]:
    """The special points that were won in the tricks of the round; each is written into the
    `state` before it is asked for the next."""
    owns = _Winners(rnd)
    rows = [
        (special, cards)
        for special in specials
        if special.to == WINNER and (cards := special.marks(rnd)) is not None
    ]
    if all(special.traits.settled for special, _ in rows):
        for special, cards in rows:
            yield from _found_of(rnd, special, cards, rnd.tricks, owns, rnd)
        return
    for number, trick in enumerate(rnd.tricks, 1):  # a row may speak of what others have by then
        then = as_it_stood(rnd, phase, number, state)
        for special, cards in rows:
            yield from _found_of(rnd, special, cards, [trick], owns, then)


def _found_of(
    rnd: Joint,
    special: Special,
    cards: int,
    tricks: Sequence[Trick],
    owns: _Winners,
    then: Joint,
) -> Iterator[Found]:
    """Those of one row in these tricks."""
    traits, least = special.traits, special.least
    anywhere = not traits.at_last
    moments = [
        Moment(trick, own)
        for trick in tricks
        if trick.points >= least and (anywhere or trick.last)
        if trick.laid and (not cards or _has(trick, cards))
        if (own := owns[trick.winner]) is not None
    ]
    for (trick, own), times in special.won(rnd, moments, then) if moments else ():
        if times > 0:
            makers = _makers(trick, cards, own) if traits.caught else ()
            yield Found(special.name, own, times, trick, makers)


def _has(trick: Trick, cards: int) -> bool:
    """Whether one of these cards lies in a trick."""
    for _, laid in trick.laid:
        for kind in laid:
            if cards >> kind & 1:
                return True
    return False


def found_at_end(rnd: Joint, specials: Iterable[Special]) -> Iterator[tuple[str, Own, int]]:
    """The special points of players and sides when the round is over, each with how often."""
    for special in specials:
        if special.to == WINNER or not special.possible(rnd):
            continue
        for own, times in special.won(rnd, everyone(rnd, special.to)):
            if times > 0:
                yield special.name, own, times


def everyone(rnd: Joint, to: str) -> list[Own]:
    """Every player, or every side, for itself; or the side of that name."""
    if to == EACH:
        return [Own((seat,)) for seat in rnd.seats]
    parties = rnd.parties
    if parties is not None and to in parties.names:
        side = parties.names.index(to)
        return [Own(parties.members(side), side)]
    if parties is not None:
        sides = [Own(parties.members(side), side) for side in range(len(parties.names))]
        return [own for own in sides if own.seats]
    return [Own(seats) for seats in dict.fromkeys(rnd.side(seat) for seat in rnd.seats)]


class _Winners(dict[int, Own | None]):
    """Whose a trick is, by the seat that has won it: its own, as one of a side; None, while nobody
    knows which."""

    def __init__(self, rnd: Joint) -> None:
        self._parties = rnd.parties

    def __missing__(self, seat: int) -> Own | None:
        parties, own = self._parties, None
        side = parties.of(seat) if parties is not None else None
        if parties is None:
            own = Own((seat,))
        elif side is not None:
            mates = [mate for mate in parties.members(side) if mate != seat]
            own = Own((seat, *mates), side)
        self[seat] = own
        return own


def _makers(trick: Trick, cards: int, own: Own) -> tuple[int, ...]:
    """From whom the cards that make a special point were caught."""
    return tuple(
        [
            seat
            for seat, laid in trick.laid
            for kind in laid
            if cards >> kind & 1 and seat not in own.seats
        ]
    )
