"""What a class of penalties costs who has it, and gives the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Impossible
from scorekeeper.play.evidence import publicly_alone
from scorekeeper.ruleset.phase import CULPRIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.plain import Row
    from scorekeeper.ruleset.joint import Joint, Rules


class Penalty:
    """A row of [penalties], compiled: the points of the `culprit`, of each other side, and of who
    is publicly alone, where the culprit plays against them (None: as the others)."""

    __slots__ = ("cite", "culprit", "declarer", "others")

    def __init__(self, rules: Rules, name: str, row: Row) -> None:
        def points(key: str) -> Expression:
            return rules.expression(row[key], f"penalties.{name}.{key}", (CULPRIT,), whole=True)

        self.cite: str = row["cite"]
        self.culprit = points("culprit")
        self.others = points("others")
        self.declarer = points("declarer") if row["declarer"] != "" else None

    def points(self, rnd: Joint, culprit: int) -> Mapping[int, int]:
        """The points of each side that takes part, by one of its seats. Raises Impossible where
        nobody can know them yet, and for a culprit who does not take part."""
        if culprit not in rnd.seats:
            raise Impossible(
                f"{rnd.names[culprit]} sits out this round, and a class of penalty is between those"
                " who play",
                f"penalty {rnd.names[culprit]}: -1 WHY",
            )
        own, found = rnd.sharing(culprit), dict[int, int]()
        lone = publicly_alone(rnd) if self.declarer is not None else None
        for side in dict.fromkeys(map(rnd.sharing, rnd.seats)):
            points = self.culprit if side == own else self.others
            if self.declarer is not None and side != own and lone in side:
                points = self.declarer
            found[side[0]] = int(rnd.evaluate(points, culprit))
        return found


def compiled(rules: Rules) -> dict[str, Penalty]:
    """The classes of penalties of a ruleset, by name."""
    return {name: Penalty(rules, name, row) for name, row in rules.section("penalties").items()}
