"""What a ruleset's `[statistics]` count in one round, for each player."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from scorekeeper.core.rulings import ILLEGAL
from scorekeeper.notation.entry import EVERYONE
from scorekeeper.play.facts import is_given, round_fact
from scorekeeper.ruleset.reports import CHANGE, ENTRIES, FACT, FOULS, FOUND, LINES, ROLES, TIMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.types import Summary
    from scorekeeper.notation import Entry
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.reports import Statistic

    Counts = dict[str, int | float]  # by player

FOUL = "foul"


def counts(rnd: Round, summary: Summary) -> dict[str, Counts]:
    """What each row of `[statistics]` counts in a round of which the summary tells the rest, by
    player: only what is not 0. In a round that counts for nothing, and in one that goes on, that is
    only what was done against the rules; in one that goes on, what it has given so far too
    (penalties). Of one told by its score alone no row counts that is a share."""
    found: dict[str, Counts] = {}
    counting = _Counting(rnd, summary)
    for row in rnd.rules.sheet.statistics:
        if not _is_told(rnd, summary, row):
            continue
        if is_given(summary, row.given):
            counted = {name: counting.of(row, name) for name in rnd.names}
            if any(counted.values()):
                found[row.name] = {name: number for name, number in counted.items() if number}
    return found


def _is_told(rnd: Round, summary: Summary, row: Statistic) -> bool:
    """Whether a row counts anything of a round."""
    if row.count in (FOUND, FOULS):
        return True
    if rnd.void or (row.of and (rnd.unscored or not summary["over"])):
        return False
    return summary["over"] or row.count in (LINES, TIMES)


class _Counting:
    """A round, as rows ask it: `said` are the values of the entries that count, by player and
    verb, and `against`, by player and entry, the clauses that it was proven to be against."""

    def __init__(self, rnd: Round, summary: Summary) -> None:
        self.summary = summary
        self.roles: dict[str, set[str]] = {name: set() for name in rnd.names}
        for role, who in summary["roles"].items():
            for name in who["players"]:
                self.roles[name].add(role)
        self.said: dict[tuple[str, str], list[str]] = {}
        self.fouls: dict[str, int] = {}
        self.against: dict[str, dict[int, set[str]]] = {}
        for entry in rnd.log.entries:
            if not entry.counts:
                continue
            word, seat = entry.verb.word, entry.seat
            if seat is not None and seat != EVERYONE:
                said = _value(rnd, entry)
                self.said.setdefault((rnd.names[seat], word), []).append(said)
            elif word == FOUL:
                culprit = rnd.names[entry.value[0]]
                self.fouls[culprit] = self.fouls.get(culprit, 0) + 1
        for number, finding in summary["found"]:
            seat = rnd.log.entries[number - 1].seat if number <= len(rnd.log) else None
            if seat not in (None, EVERYONE) and finding["verdict"] == ILLEGAL:
                acts = self.against.setdefault(rnd.names[seat], {})
                acts.setdefault(number, set()).update(_rules(rnd, finding["code"]))

    def of(self, row: Statistic, name: str) -> int | float:
        """What a row counts of a player."""
        roles = self.roles[name]
        if row.roles and not row.roles & roles:
            return 0
        if row.others and (row.others & roles or not row.others & self.summary["roles"].keys()):
            return 0
        if row.named and round_fact(self.summary, row.named) != name:
            return 0
        counted: int | float = self._of[row.count](self, row, name)
        return counted

    def _entries(self, row: Statistic, name: str) -> int:
        said = [value for verb in row.verbs for value in self.said.get((name, verb), ())]
        return sum(not row.values or value in row.values for value in said)

    def _role(self, row: Statistic, name: str) -> int:
        return int(row.role in self.roles[name])

    def _lines(self, row: Statistic, name: str) -> Iterator[int | float]:
        """The points of the score lines of a player; a side's line is each of its players'."""
        for line in self.summary["lines"]:
            members = line["for"].split("+")
            for role in self.summary["roles"].values():
                if role["side"] == line["for"]:
                    members = role["players"]
            if name in members and (not row.lines or line["code"].rpartition(".")[2] in row.lines):
                yield line["points"]

    def _points(self, row: Statistic, name: str) -> int | float:
        return sum(self._lines(row, name))

    def _times(self, row: Statistic, name: str) -> int:
        return sum(points > 0 for points in self._lines(row, name))

    def _fact(self, row: Statistic, name: str) -> int | float:
        """A number, or how many items a list has."""
        fact = (self.summary["facts"].get(row.fact) or {}).get(name)
        if isinstance(fact, list):
            return sum(not row.values or item in row.values for item in fact)
        return +fact if isinstance(fact, int | float) else 0

    def _change(self, _: Statistic, name: str) -> int | float:
        change: int | float = (self.summary["changes"] or {}).get(name) or 0
        return change

    def _found(self, row: Statistic, name: str) -> int:
        """How many of their entries were proven to be against the rules, then or later, whatever
        became of them."""
        acts = self.against.get(name, {}).values()
        return sum(not row.clauses or bool(row.clauses & codes) for codes in acts)

    def _fouls(self, _: Statistic, name: str) -> int:
        return self.fouls.get(name, 0)

    _of: ClassVar[dict[str, Callable[..., int | float]]] = {
        ENTRIES: _entries,
        ROLES: _role,
        LINES: _points,
        TIMES: _times,
        FACT: _fact,
        CHANGE: _change,
        FOUND: _found,
        FOULS: _fouls,
    }


def _rules(rnd: Round, code: str) -> set[str]:
    """What rows may call the clause of a finding: its own name, or its word."""
    name = code.rpartition(".")[2]
    clause = rnd.rules.clauses.get(name)
    return {name, clause.word.name} if clause is not None else {name}


def _value(rnd: Round, entry: Entry) -> str:
    """What follows the name, and the verb's word if it is written, in a canonical act."""
    said = entry.text.partition(": ")[2].partition(" !")[0]
    if entry.verb.implicit:
        return said
    return said.removeprefix(rnd.rules.lexicon.form(entry.verb.word)).lstrip()
