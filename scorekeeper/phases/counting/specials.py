"""Special points: what they are, and where they were won. Part of counting.

Each row is a condition and a number, asked of every complete trick for its winner, or, when the
round is over, of every player or side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import KINDS
from scorekeeper.phases.counting.state import Found
from scorekeeper.ruleset.phase import OWN, TRICK
from scorekeeper.ruleset.scores import EACH, SIDES
from scorekeeper.ruleset.subjects import Moment, Own

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.plain import Row
    from scorekeeper.core.tricks import Trick
    from scorekeeper.ruleset.joint import Joint, Rules

WINNER = "winner"
FOR = (WINNER, EACH, SIDES)


class Special:
    """A row of [specials], compiled: the special point of that `name`.

    Whom it is `to` has it `count` times where `when` holds. A deal has it `most` times at most,
    and only if `counts` holds; a trick that has it holds at least `least` card points. `cards` are
    those that make it (None: the trick itself, or the deal, does). `told`: a result tells how
    often, at least `fewest` times.
    """

    __slots__ = (
        *("cards", "count", "counts", "fewest", "least", "most", "name", "to", "told"),
        "when",
    )

    def __init__(self, name: str, row: Row, rules: Rules) -> None:
        path = f"specials.{name}"
        self.name = name
        self.to: str = row["for"]
        self.least: int = row["least"]
        self.most: int = row["most"]
        self.told: bool = row["told"]
        self.fewest: int = row["fewest"]
        about = (TRICK, OWN) if self.to == WINNER else (OWN,)
        self.when: Expression = rules.expression(row["when"], f"{path}.when", about)
        self.count: Expression = rules.expression(row["count"], f"{path}.count", about, whole=True)
        self.counts: Expression = rules.expression(row["counts"], f"{path}.counts")
        self.cards: Expression | None = None
        if row["cards"]:
            self.cards = rules.expression(row["cards"], f"{path}.cards", kind=KINDS)

    @property
    def caught(self) -> bool:
        """Whether cards of another side make it."""
        return "trick.theirs" in self.count.names

    def possible(self, rnd: Joint) -> bool:
        """Whether this deal can have that special point at all."""
        return bool(rnd.evaluate(self.counts))

    def kinds(self, rnd: Joint) -> list[int]:
        """The kinds of card that make it; empty where none do."""
        cards = int(rnd.evaluate(self.cards)) if self.cards is not None else 0
        return [kind for kind in range(rnd.rules.pack.size) if cards >> kind & 1]

    def times(self, rnd: Joint, subject: Moment | Own) -> int:
        """How often a trick, or a deal, has it for whom it is looked at."""
        if self.when.text != "true" and not rnd.evaluate(self.when, subject):
            return 0
        return 1 if self.count.text == "1" else int(rnd.evaluate(self.count, subject))


def found_in(rnd: Joint, specials: Iterable[Special]) -> Iterator[Found]:
    """The special points that were won in the tricks of the round."""
    for special in specials:
        if special.to != WINNER or not special.possible(rnd):
            continue
        cards = int(rnd.evaluate(special.cards)) if special.cards is not None else 0
        for trick in rnd.tricks:
            if trick.points < special.least or not trick.laid or not _has(trick, cards):
                continue
            side = rnd.parties.of(trick.winner) if rnd.parties is not None else None
            if rnd.parties is not None and side is None:
                continue
            own = _winner(rnd, trick, side)
            times = special.times(rnd, Moment(trick, own))
            if times > 0:
                yield Found(special.name, own, times, trick, _makers(rnd, special, trick, own))


def _has(trick: Trick, cards: int) -> bool:
    """Whether one of the cards that make a special point lies in a trick; so it is, where none are
    named."""
    if not cards:
        return True
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
        for own in _everyone(rnd, special.to):
            times = special.times(rnd, own)
            if times > 0:
                yield special.name, own, times


def _everyone(rnd: Joint, to: str) -> list[Own]:
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


def _winner(rnd: Joint, trick: Trick, side: int | None) -> Own:
    """Whose a trick is: its winner's, as one of a side."""
    if rnd.parties is None or side is None:
        return Own((trick.winner,))
    others = (seat for seat in rnd.parties.members(side) if seat != trick.winner)
    return Own((trick.winner, *others), side)


def _makers(rnd: Joint, special: Special, trick: Trick, own: Own) -> tuple[int, ...]:
    """From whom the cards that make a special point were caught."""
    if not special.caught:
        return ()
    kinds = special.kinds(rnd)
    return tuple(
        [
            seat
            for seat, laid in trick.laid
            for kind in laid
            if kind in kinds and seat not in own.seats
        ]
    )
