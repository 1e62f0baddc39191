"""Whether what the sheet and the statistics of a ruleset name is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.suggest import nearest, shown
from scorekeeper.ruleset.sheets import (
    MOST_STEPS,
    PLAYER,
    ROUND,
    ROUND_FACTS,
    SEAT_FACTS,
    SIDE,
    TOTAL_FACTS,
    Cells,
    Statistic,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from scorekeeper.ruleset.compiled import Ruleset


def reported(rules: Ruleset) -> dict[str, str]:
    """What the phases of a ruleset report about a round, by name, with what it is."""
    return {name: doc for phase in rules.phases.values() for name, doc in phase.reports.items()}


def roles_of(rules: Ruleset) -> set[str]:
    """The roles that a ruleset's phases give."""
    return {role for phase in rules.phases.values() for role in phase.role_names()}


def check(rules: Ruleset) -> None:
    """Report every name in the sheet and the statistics that is no fact, role, verb or row."""
    rows, names = rules.sheet, _Names(rules)
    columns = {column.name: column for column in rows.columns}
    for column in rows.columns:
        names.templates(f"sheet.columns.{column.name}", column, names.of(column.per))
    for total in rows.totals:
        where = f"sheet.totals.{total.name}"
        names.templates(where, total, names.of_total(total.per))
        fitting = [name for name, column in columns.items() if column.per == total.per]
        if total.under:
            names.known(f"{where}.under", total.under, fitting)
    for ladder in rows.ladders:
        where = f"sheet.ladders.{ladder.name}"
        names.known(f"{where}.of", ladder.of, names.of_total(ladder.per))
        if len(ladder.steps) > MOST_STEPS:
            message = f"{where} has more than {MOST_STEPS} steps"
            rules.fault(where, str(len(ladder.steps)), f"at most {MOST_STEPS}", message)
    for statistic in rows.statistics:
        names.statistic(f"statistics.{statistic.name}", statistic)


class _Names:
    """The names that a ruleset's sheet may use, and the report of those that are none."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.reports = reported(rules)
        self.roles = roles_of(rules)
        self.plain = {name for name in self.reports if name.split(".")[0] not in (PLAYER, SIDE)}
        self.round = {*ROUND_FACTS, *self.plain, *self.roles}
        self.round |= {f"{role}.side" for role in self.roles}

    def of(self, per: str) -> set[str]:
        """What a column may name."""
        return self.round if per == ROUND else {*self.round, *SEAT_FACTS, *self._of(per)}

    def of_total(self, per: str) -> set[str]:
        """What a total or a ladder may name."""
        counts = {f"stat.{row.name}" for row in self.rules.sheet.statistics}
        return {*TOTAL_FACTS, *self._of(per), *(counts if per == PLAYER else ())}

    def _of(self, per: str) -> set[str]:
        return {name for name in self.reports if name.startswith(f"{per}.")}

    def templates(self, where: str, cells: Cells, known: set[str]) -> None:
        for template in cells.say:
            for name in template.names:
                self.known(f"{where}.say", name, known)

    def known(self, where: str, name: str, known: Collection[str]) -> None:
        if name not in known:
            near = nearest(name, known)
            hint = f"; did you mean “{near}”?" if near else ""
            allowed = ", ".join(sorted(known))
            message = f"{where} names “{shown(name)}”, which there is not here{hint}"
            self.rules.fault(where, shown(name), allowed, message)

    def statistic(self, where: str, row: Statistic) -> None:
        for verb in row.verbs:
            self.known(f"{where}.verbs", verb, {*self.rules.verbs, *self.rules.off})
        for key, roles in (("as", row.roles), ("others", row.others)):
            for role in roles:
                self.known(f"{where}.{key}", role, self.roles)
        for line in row.lines:
            self.known(f"{where}.lines", line, self._lines())
        for fact in row.given:
            self.known(f"{where}.given", fact, self.plain)
        needed = {"entries": row.verbs, "roles": row.role, "fact": row.fact, "lines": True}
        key = {"entries": "verbs", "roles": "role"}.get(row.count, row.count)
        if not needed[row.count]:
            message = f"{where} counts {row.count}, so it needs {key}"
            self.rules.fault(where, "nothing", f"{key} = …", message)
        elif row.count == "roles":
            self.known(f"{where}.role", row.role, self.roles)
        elif row.count == "fact":
            self.known(f"{where}.fact", row.fact, self._of(PLAYER))

    def _lines(self) -> set[str]:
        rows = {row.name for row in self.rules.scores}
        own = {*self.rules.data.get("penalties", {}), *self.rules.data.get("levelling", {})}
        return rows | own | {"foul", "penalty", "score", "sudden-death"}
