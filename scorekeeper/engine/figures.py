"""The compiled tables `[ranking]` and `[figures]`: the numbers by which clubs rank players.

A figure with `points` is computed from a finished round, as a row of `[scores]` is, but changes no
tally (`match/figures.py`). Other figures are sums of such figures, or compare the score of a deal
with the scores of the same deal at other tables. They need more than one round
(`history/ranking.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scorekeeper.core.text import find_nearest, quote
from scorekeeper.engine.phase import OWN
from scorekeeper.engine.rows import EACH
from scorekeeper.ruleset.ranking import EVERYONE, FIGURE, POINTS, RANKING
from scorekeeper.ruleset.tables import with_defaults

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row

PERCENT = 100


class Figure:
    """A compiled row of `[figures]`.

    A figure is computed in one of three ways. If `points` is set, this expression is evaluated for
    each deal. If `terms` is set, the figure is a weighted sum, and `terms` maps each summand to its
    factor. If `compares` is true, the figure compares tables.
    """

    __slots__ = (
        *("beaten", "but", "equal", "fewest", "is_share", "label", "name", "points"),
        *("steps", "terms", "to", "when"),
    )

    def __init__(self, name: str, row: Row, points: Expression | None, when: Expression) -> None:
        self.name = name
        self.label: str = row["label"] or name
        self.to: str = row["for"]
        self.but: str = row["but"]
        self.points = points
        self.when = when
        self.terms: dict[str, int] = row["sum"]
        self.beaten: int = row["beaten"]
        self.equal: int = row["equal"]
        self.steps: Sequence[int] = row["steps"]
        self.is_share: bool = row["share"]
        self.fewest: bool = row["fewest"]

    @property
    def compares(self) -> bool:
        """True if the figure compares the score of a deal with its scores at other tables."""
        return bool(self.beaten or self.steps)

    def compare(self, lead: int) -> int:
        """Return the points for a score that is `lead` above another one (below it if negative)."""
        if self.steps:
            worth = sum(step <= abs(lead) for step in self.steps)
            return worth if lead > 0 else -worth
        return self.beaten if lead > 0 else 0 if lead else self.equal

    def value(self, amount: int, possible: int) -> float | None:
        """Return the number by which a player is ranked, or None if `possible` is 0.

        `amount` is the player's sum, and `possible` is the greatest sum that could be reached.
        """
        if not possible:
            return None
        return PERCENT * amount / possible if self.is_share else amount


class Ranking:
    """The compiled tables `[ranking]` and `[figures]`.

    `chain` contains the names of the figures that rank players. Each figure decides only between
    players who are equal in the figures before it. `same` is an expression whose value is equal for
    deals with the same cards, or None. `fewest_points` is true if the fewest points win.

    `of_deals` contains the figures that can be computed from a single deal. `of_match` contains the
    figures that can be computed from a single match, which are all figures except comparisons.
    `comparing` contains the comparisons. It is empty if `same` is None.
    """

    __slots__ = ("chain", "comparing", "fewest_points", "figures", "of_deals", "of_match", "same")

    def __init__(
        self,
        chain: tuple[str, ...],
        same: Expression | None,
        figures: Mapping[str, Figure],
        fewest_points: bool,
    ) -> None:
        self.chain = chain
        self.same = same
        self.figures = figures
        self.fewest_points = fewest_points
        rows = list(figures.values())
        self.of_deals = [figure for figure in rows if figure.points is not None]
        self.of_match = [figure for figure in rows if not figure.compares]
        self.comparing = [figure for figure in rows if figure.compares and same is not None]

    @property
    def by(self) -> str:
        """The name of the figure that decides first."""
        return self.chain[0]

    def prefers_fewest(self, name: str) -> bool:
        """Return whether lower numbers are better in a figure, or in the points."""
        return self.figures[name].fewest if name in self.figures else self.fewest_points


class Compiler(Protocol):
    """The methods of a ruleset that are needed to compile its figures."""

    def compile_expression(
        self,
        text: object,
        where: str,
        about: Sequence[str] = (),
        but: Sequence[str] = (),
        whole: bool = False,
    ) -> Expression:
        """Compile an expression, and report what is wrong with it."""
        ...

    def fault(self, key: str, found: str, allowed: str, message: str) -> None:
        """Report a fault."""


def compile_ranking(rules: Compiler, data: Row, roles: Collection[str]) -> Ranking:
    """Compile the tables `[ranking]` and `[figures]` in `data`, and report their faults.

    `roles` are the roles that the keys `for` and `but` of a figure may name.
    """
    row = with_defaults(data.get("ranking", {}), RANKING)
    figures = {
        name: _figure(rules, name, with_defaults(each, FIGURE), roles)
        for name, each in data.get("figures", {}).items()
    }
    known = {POINTS, *figures}
    if POINTS in figures:
        message = f"figures.{POINTS} is the tally already"
        rules.fault(f"figures.{POINTS}", POINTS, "a different name", message)
    single = [POINTS, *(name for name, each in figures.items() if each.points is not None)]
    for name, figure in figures.items():
        for term in figure.terms:
            _check_name(rules, f"figures.{name}.sum", term, single)
    chain = (row["by"], *row["ties"])
    for place, name in enumerate(chain):
        _check_name(rules, "ranking.ties" if place else "ranking.by", name, known)
    same = None
    if row["same"] != "":
        same = rules.compile_expression(row["same"], "ranking.same", whole=True)
    elif any(figure.compares for figure in figures.values()):
        message = "ranking.same is missing, so no tables can be compared"
        rules.fault("ranking.same", "nothing", "a number such as that of the board", message)
    fewest = data.get("match", {}).get("wins") == "fewest"
    return Ranking(chain, same, figures, fewest)


def _check_name(rules: Compiler, where: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        near = find_nearest(name, known)
        hint = f"; did you mean “{near}”?" if near else ""
        message = f"{where} names “{quote(name)}”, which is no figure to be used here{hint}"
        rules.fault(where, quote(name), ", ".join(sorted(known)), message)


def _figure(rules: Compiler, name: str, row: Row, roles: Collection[str]) -> Figure:
    path = f"figures.{name}"
    for key, known in (("for", {*roles, EACH, EVERYONE}), ("but", roles)):
        if row[key] and row[key] not in known:
            allowed = ", ".join(sorted(known))
            rules.fault(f"{path}.{key}", row[key], allowed, f"{path}.{key} is not a role")
    points = None
    if row["points"] != "":
        points = rules.compile_expression(row["points"], f"{path}.points", (OWN,), whole=True)
    figure = Figure(
        name, row, points, rules.compile_expression(row["when"], f"{path}.when", (OWN,))
    )
    ways = [points is not None, bool(row["sum"]), bool(row["beaten"]), bool(row["steps"])]
    if sum(ways) != 1:
        allowed = "one of points, sum, beaten and steps"
        rules.fault(path, "several or none", allowed, f"{path} needs {allowed}")
    if bool(row["for"]) is not (points is not None):
        message = f"{path} needs for and points together"
        rules.fault(f"{path}.for", quote(row["for"]) or "nothing", "both or none", message)
    if row["share"] and not row["beaten"]:
        message = f"{path}.share needs beaten, because no other figure has a most that is possible"
        rules.fault(f"{path}.share", "true", "beaten = …, or false", message)
    if list(row["steps"]) != sorted({*row["steps"]}) or min(row["steps"], default=1) < 1:
        message = f"{path}.steps must be positive and ascend"
        rules.fault(f"{path}.steps", quote(str(row["steps"])), "such as [20, 50, 90]", message)
    return figure
