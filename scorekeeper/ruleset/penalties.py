"""Classes of penalty: what each costs who is to blame, and what the others get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Unreadable
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.ruleset.phase import CULPRIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.ruleset.joint import Joint, Rules

    # What changes by a penalty: its code, the seats of one tally, points, the citation.
    Charge = tuple[str, tuple[int, ...], int, str]


class Penalty(NamedTuple):
    """A class of penalties: the points of the culprit and of each other side, and the citation."""

    culprit: Expression
    others: Expression
    cite: str


class Penalties:
    """The rows of [penalties], compiled."""

    def __init__(self, rules: Rules) -> None:
        self._classes: dict[str, Penalty] = {}
        for name, row in rules.section("penalties").items():
            culprit, others = (
                rules.expression(row[key], f"penalties.{name}.{key}", (CULPRIT,), whole=True)
                for key in ("culprit", "others")
            )
            self._classes[name] = Penalty(culprit, others, row["cite"])

    def charges(self, rnd: Joint, seat: int, name: str) -> Iterator[Charge]:
        """What a penalty of that class changes if that seat is to blame, as the round stands.
        Raises Unreadable for a class that there is not, Impossible where it hangs on what nobody
        knows yet."""
        found = self._classes.get(name)
        if found is None:
            names = ", ".join(self._classes)
            known = f"classes are {names}" if names else "this ruleset has none"
            raise Unreadable(f"“{name}” is no class of penalty; {known}", "penalty NAME: -1 WHY")
        own = rnd.sharing(seat)
        for side in dict.fromkeys(map(rnd.sharing, rnd.seats)):
            points = rnd.evaluate(found.culprit if side == own else found.others, seat)
            yield f"penalties.{name}", side, int(points), found.cite
