"""Special points: what they are, and where they were won. Part of counting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.counting.state import Found
from scorekeeper.ruleset.orders import TRUMP, kinds_of
from scorekeeper.ruleset.phase import TRICK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.parties import Parties
    from scorekeeper.core.plain import Row
    from scorekeeper.core.tricks import Trick
    from scorekeeper.ruleset.joint import Joint, Rules

    Kinds = frozenset[int]
    # Whose cards make the point in that trick, which that side has won; empty if nobody's do.
    Finder = Callable[[Kinds, Trick, int, Parties], tuple[int, ...]]

BY_TRICK = "trick"


def _winner(kinds: Kinds, trick: Trick, side: int, parties: Parties) -> tuple[int, ...]:
    return (trick.winner,)


def _winner_with_card(kinds: Kinds, trick: Trick, side: int, parties: Parties) -> tuple[int, ...]:
    return (trick.winner,) if trick.with_kind in kinds else ()


def _caught(kinds: Kinds, trick: Trick, side: int, parties: Parties) -> tuple[int, ...]:
    return tuple(
        [
            seat
            for seat, laid in trick.laid
            for kind in laid
            if kind in kinds and parties.of(seat) != side
        ]
    )


# What `how` may be.
FINDERS: dict[str, Finder] = {
    BY_TRICK: _winner,
    "caught": _caught,
    "winning": _winner_with_card,
}


class Special:
    """A row of [specials], compiled: the special point of that `name`.

    A trick with at least `least` points has it if `when` holds of the trick and `find` finds whose
    card makes it, one of these `kinds` (`by_trick`: no card does, the trick itself is enough). A
    deal has it `most` times at most, and only if `counts` holds and, with `trump`, the card is a
    trump.
    """

    __slots__ = ("by_trick", "counts", "find", "kinds", "least", "most", "name", "trump", "when")

    def __init__(self, name: str, row: Row, rules: Rules) -> None:
        path = f"specials.{name}"
        self.name = name
        self.by_trick: bool = row["how"] == BY_TRICK
        self.find = FINDERS[row["how"]]
        self.trump: bool = row["trump"]
        self.least: int = row["least"]
        self.most: int = row["most"]
        self.when: Expression = rules.expression(row["when"], f"{path}.when", (TRICK,))
        self.counts: Expression = rules.expression(row["counts"], f"{path}.counts")
        self.kinds: Kinds = frozenset()
        try:
            self.kinds = frozenset(kinds_of(rules.pack, row["card"]) if row["card"] else ())
        except ValueError as error:
            rules.fault(f"{path}.card", row["card"], "a card of the pack", str(error))

    def possible(self, rnd: Joint) -> bool:
        """Whether this deal can have that special point at all."""
        if not rnd.evaluate(self.counts):
            return False
        if not self.trump:
            return True
        order = rnd.order_in_force()
        return order is not None and all(order.classes[kind] == TRUMP for kind in self.kinds)


def found_in(rnd: Joint, parties: Parties, specials: Iterable[Special]) -> Iterator[Found]:
    """The special points that were won in the tricks of the round."""
    for special in specials:
        if not special.possible(rnd):
            continue
        for trick in rnd.tricks:
            if trick.points < special.least or not trick.laid:
                continue
            side = parties.of(trick.winner)
            if side is None:
                continue
            seats = special.find(special.kinds, trick, side, parties)
            if seats and rnd.evaluate(special.when, trick):
                yield Found(special.name, side, trick, seats)
