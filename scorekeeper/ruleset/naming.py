"""Whether what the sheet and the statistics of a ruleset name is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import nearest, shown
from scorekeeper.ruleset.reports import (
    BY_ROLES,
    MOST_SIGN,
    MOST_STEPS,
    PLAYER,
    ROUND,
    ROUND_FACTS,
    ROUNDS,
    SEAT_FACTS,
    SIDE,
    TOTAL_FACTS,
    Breakdown,
    Cells,
    Statistic,
)
from scorekeeper.ruleset.vocabulary import clause_words

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
        names.signs(f"sheet.columns.{column.name}.signs", column)
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
    for breakdown in rows.breakdowns:
        names.breakdown(f"breakdowns.{breakdown.name}", breakdown)
    names.history()


class _Names:
    """The names that a ruleset's sheet may use, and the report of those that are none."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.reports = reported(rules)
        self.roles = roles_of(rules)
        self.plain = {name for name in self.reports if name.split(".")[0] not in (PLAYER, SIDE)}
        self.round = {*ROUND_FACTS, *self.plain, *self.roles}
        self.round |= {f"{role}.side" for role in self.roles}
        self.meant: dict[str, str] = {}  # what each sign stands for

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

    def signs(self, where: str, column: Cells) -> None:
        """Each sign is short, and stands for nothing else on the sheet. What it stands for may be
        a row that a table has dropped."""
        for word, sign in column.signs.items():
            key = f"{where}.{word}"
            if not 0 < len(sign.strip()) <= MOST_SIGN:
                message = f"{key} is no short sign"
                self.rules.fault(key, shown(sign), f"1 to {MOST_SIGN} letters", message)
            other = self.meant.setdefault(sign, word)
            if other != word:
                message = f"{key}: “{shown(sign)}” stands for “{shown(other)}” already"
                self.rules.fault(key, shown(sign), "a sign of its own for each word", message)

    def known(self, where: str, name: str, known: Collection[str]) -> None:
        if name not in known:
            near = nearest(name, known)
            hint = f"; did you mean “{near}”?" if near else ""
            allowed = ", ".join(sorted(known))
            message = f"{where} names “{shown(name)}”, which there is not here{hint}"
            self.rules.fault(where, shown(name), allowed, message)

    def statistic(self, where: str, row: Statistic) -> None:
        for key, named, known in (
            ("verbs", row.verbs, {*self.rules.verbs, *self.rules.off}),
            ("as", row.roles, self.roles),
            ("others", row.others, self.roles),
            ("lines", row.lines, self._lines()),
            ("clauses", row.clauses, self._clauses()),
            ("named", {row.named} - {""}, self.plain),
            ("given", row.given, self.plain),
        ):
            for name in sorted(named):
                self.known(f"{where}.{key}", name, known)
        self._share(where, row)
        needed = {"entries": row.verbs, "roles": row.role, "fact": row.fact}
        key = {"entries": "verbs", "roles": "role"}.get(row.count, row.count)
        if not needed.get(row.count, True):
            message = f"{where} counts {row.count}, so it needs {key}"
            self.rules.fault(where, "nothing", f"{key} = …", message)
        elif row.count == "roles":
            self.known(f"{where}.role", row.role, self.roles)
        elif row.count == "fact":
            self.known(f"{where}.fact", row.fact, self._of(PLAYER))

    def _share(self, where: str, row: Statistic) -> None:
        others = {other.name for other in self.rules.sheet.statistics} - {row.name}
        if row.of and row.of not in (ROUNDS, *self.rules.data.get("statistics", {})):
            self.known(f"{where}.of", row.of, {ROUNDS, *others})
        elif row.of == row.name:
            message = f"{where}.of: it is no share of itself"
            self.rules.fault(f"{where}.of", row.of, ", ".join(sorted({ROUNDS, *others})), message)

    def breakdown(self, where: str, row: Breakdown) -> None:
        """What it is told apart by, whose rounds, and what says that they went well."""
        of_players = self._of(PLAYER)
        if row.by != BY_ROLES:
            self.known(f"{where}.by", row.by, {BY_ROLES, *self.plain, *of_players})
        elif not row.roles:
            message = f"{where} goes by roles, so it needs roles"
            self.rules.fault(where, "nothing", "roles = …", message)
        for key, roles in (("roles", row.roles), ("as", sorted(row.as_))):
            for role in roles:
                self.known(f"{where}.{key}", role, self.roles)
        for key, facts in (("named", {row.named} - {""}), ("given", row.given)):
            for fact in facts:
                self.known(f"{where}.{key}", fact, self.plain)
        if row.success:
            self.known(f"{where}.success", row.success, of_players)

    def history(self) -> None:
        """The roles that a ruleset itself says win and lose."""
        for key, roles in self.rules.data.get("history", {}).items():
            for role in roles if key in ("won", "lost") else ():
                self.known(f"history.{key}", role, self.roles)

    def _lines(self) -> set[str]:
        rows = {row.name for row in self.rules.scores}
        own = {*self.rules.data.get("penalties", {}), *self.rules.data.get("levelling", {})}
        return rows | own | {"foul", "penalty", "score", "sudden-death"}

    def _clauses(self) -> set[str]:
        """The names of clauses, all words of the phases, so that a table may drop a clause, and
        what every entry may be found to be against."""
        words = clause_words(tuple(self.rules.phases))
        return {*self.rules.data.get("clauses", {}), *words, "turn", "verb"}
