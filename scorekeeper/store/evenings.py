"""A table of scores made matches of: one a day and title, a round of its own by its value a row."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import shown
from scorekeeper.play.match import Match
from scorekeeper.play.roster import checked_names, why_not_seated
from scorekeeper.store.arriving import Arrival, Refused
from scorekeeper.store.table_numbered import rounds_of
from scorekeeper.store.table_rounds import ANOTHER, EACH, record_round, told
from scorekeeper.store.table_rows import NoDay
from scorekeeper.store.table_totals import record_totals
from scorekeeper.store.table_turned import Column, place, places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Plain
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.store.about import Said
    from scorekeeper.store.scores_table import Table
    from scorekeeper.store.table_numbered import Fault, Round
    from scorekeeper.store.table_rows import Scores

NOTE = "imported from "  # how the note of a match begins that came from a table
TOTALS = ", a row a whole evening: its totals alone are known"
# What a row is.
ROUND, EVENING = "round", "evening"
TABLES = mark(
    "a row for each table that they sat at, told apart by a column called title; or say by which"
    " rules it counts: --ruleset NAME, --set KEY=VALUE"
)
MOST_FAULTS = 10  # of a match that are told
MOST_LINES = 10  # of a fault that are told


class Evening:
    """One match of a table: what is said about it, its rounds, each with its lines, and why rows of
    it cannot be read."""

    def __init__(self, first: Scores) -> None:
        self.line = 1 if isinstance(first.line, Column) else first.line  # of its headings
        said: Said = {"started": first.date, "title": first.title, "place": first.place}
        self.about: Said = {key: text for key, text in said.items() if text}  # type: ignore[assignment]
        self.rows: list[Scores] = []
        self.rounds: list[Round] = []
        self.faults: list[Fault] = []
        # By the line of a row what everybody stood at before its round, where the table says it.
        self.stood: dict[int, dict[str, int]] = {}

    def split(self, seats: Sequence[str]) -> None:
        """Find the rounds in the rows: each is one, its names as they sit, where the columns are
        `seats`; else see `rounds_of`."""
        if not seats:
            self.line = min(row.line for row in self.rows)
            self.rounds, faults = rounds_of(self.rows)
            self.faults += faults
            of_round: dict[str, dict[str, int]] = {}
            for row in self.rows:
                self.stood[row.line] = of_round.setdefault(row.round, {})
                self.stood[row.line].update(row.stood)
            return
        for row in self.rows:
            if isinstance(row.points, Failure):
                self.faults.append(((row.line,), row.points))
            elif row.points:
                points = {name: row.points[name] for name in seats if name in row.points}
                self.rounds.append(((row.line,), points))

    @property
    def everybody(self) -> list[str]:
        """All who have points, or are said to have sat out, as they stand in the table."""
        said = (row.stood for row in self.rows)
        points = (points for _, points in self.rounds)
        return list(dict.fromkeys(name for each in (*said, *points) for name in each))


def evenings_of(table: Table) -> list[Evening]:
    """The matches of a table, in the order in which they begin in it."""
    found: dict[tuple[str, ...], Evening] = {}
    astray = 0  # the line of a row just above of which nobody knows the day
    for row in table.rows:
        evening = found.get(row.match)
        if evening is None:
            evening = found[row.match] = Evening(row)
            if astray and not isinstance(row.points, NoDay):
                evening.faults.append(((row.line,), _beside(astray)))
        evening.rows.append(row)
        astray = row.line if isinstance(row.points, NoDay) else 0
    seats = [*table.columns.players.values()]
    for evening in found.values():
        evening.split(seats)
    return [each for each in found.values() if each.rounds or each.faults]


def _beside(line: int) -> Failure:
    """The failure of a match beside a row of which nobody knows the day."""
    return Unreadable(
        tr(
            "{place} above, whose date cannot be read, may belong to this day too",
            place=place(line),
        ),
        tr("put {place} right", place=place(line)),
    )


def one_a_day(table: Table) -> bool:
    """Whether each row of a table, of which there are several, has a day of its own."""
    days = [row.match for row in table.rows if row.date and row.marked and not row.round]
    wide = table.columns.name is None
    return wide and len({*days}) == len(days) == len(table.rows) > 1


def row_is(table: Table) -> str:
    """What a row of a table is where nobody says it: a ROUND; or an EVENING, where days were the
    headings of columns, each once."""
    return EVENING if table.turned and (one_a_day(table) or len(table.rows) == 1) else ROUND


def matches_of(
    path: str, table: Table, ruleset: Ruleset, options: Mapping[str, Plain], row: str = ""
) -> Iterator[Arrival | Refused]:
    """The matches of a table under a ruleset, each played as it is made; of one that the rules
    refuse, why, row by row. A row is a ROUND, or a whole EVENING; empty: see `row_is`."""
    seats = list(table.columns.players.values())
    try:
        checked_names(ruleset.lexicon, tuple(seats))
    except Failure as failure:
        yield Refused(path, 1, _told(path, [((1,), _misnamed(failure))]))
        return
    whole = (row or row_is(table)) == EVENING
    for evening in evenings_of(table):
        names = evening.everybody
        if whole:  # they alone have a total
            names = [name for name in names if any(name in each for _, each in evening.rounds)]
        names.sort(key=lambda name: seats.index(name) if seats else 0)
        faults = [*evening.faults]
        try:
            match = _begun(ruleset, evening, names, whole)
        except Failure as failure:
            faults = faults or [((evening.line,), failure)]
            yield Refused(path, evening.line, _told(path, faults))
            continue
        faults += _totalled(match, evening) if whole else _played(match, evening, seats or names)
        if faults:
            yield Refused(path, evening.line, _told(path, faults))
            continue
        note = f"{NOTE}{shown(os.path.basename(path), 200)}{TOTALS if whole else ''}"
        kept = [match.kept(played) for played in match.rounds]
        about: Said = {**evening.about, "note": note}
        unlike = () if whole else _unlike(match, evening)
        yield Arrival(path, evening.line, match, kept, about, options, (), True, 0, whole,
                      unlike=unlike)  # fmt: skip


def _played(match: Match, evening: Evening, everybody: Sequence[str]) -> list[Fault]:
    """Record the rounds of an evening; what the rules refuse of them. `everybody`: of whom the
    table could say something."""
    faults: list[Fault] = []
    names = [name for name in everybody if name in {*evening.everybody}]
    for lines, points in evening.rounds:
        if match.over:
            return [*faults, (lines, _over(match))]
        try:
            record_round(match, points, names, everybody, evening.stood.get(lines[0], {}))
        except Failure as failure:
            faults.append((lines, failure))
    return faults


def _unlike(match: Match, evening: Evening) -> list[tuple[int, int]]:
    """The rounds that come to something else than the rules know, each with its line."""
    known = match.ruleset.tally["sums"]
    came = [
        (lines[0], sum((played.scores or {}).values()))
        for (lines, _), played in zip(evening.rounds, match.rounds, strict=True)
    ]
    return [(line, total) for line, total in came if known and total not in known]


def _totalled(match: Match, evening: Evening) -> list[Fault]:
    """Record a whole evening, which is one row; what the rules refuse of it."""
    first, *others = evening.rounds or [((0,), {})]
    if others:
        return [(lines, _twice(first[0][0])) for lines, _ in others]
    try:
        record_totals(match, first[1])
    except Failure as failure:
        return [(first[0], failure if failure.hint else told(failure))]
    return []


def _twice(line: int) -> Failure:
    """The failure of a second row of a day of which a row is all."""
    return Unreadable(
        tr("it may be another evening than {place}, on the same day, or a part of that",
           place=place(line)),
        tr("tell evenings apart by a column {column}; of parts leave {option} out",
           column="title", option="--row evening"),
    )  # fmt: skip


def _begun(ruleset: Ruleset, evening: Evening, names: Sequence[str], whole: bool) -> Match:
    """A match between all of an evening; of those with points in its first round, where the rules
    do not seat so many: the others come later. Raises Unreadable, Impossible."""
    for key, text in evening.about.items():
        if len(str(text)) > untrusted.TEXT:
            most = untrusted.TEXT
            raise Unreadable(tr("{key} is longer than {most} characters", key=key, most=most))
    if why_not_seated(ruleset, len(names)) and evening.rounds:
        first = evening.rounds[0][1]
        names = [name for name in names if name in first]
    why = why_not_seated(ruleset, len(names))
    if why:
        raise Impossible(why, tr(TABLES if whole else EACH))
    return Match(ruleset, names)


def _misnamed(failure: Failure) -> Failure:
    """The failure of a heading that nobody can be called."""
    return Unreadable(
        failure.message, tr("name it otherwise, or leave it out: --columns skip=COLUMN")
    )


def _over(match: Match) -> Failure:
    """The failure of what was played after the end of a match."""
    return Impossible(
        tr("the match is over with {count} rounds by these rules, and more follow",
           count=len(match.rounds)),
        tr("if they played on: {option}", option="--set match.ends=false"),
    )  # fmt: skip


def _told(path: str, faults: Sequence[Fault]) -> list[Failure]:
    """Why an evening is refused, each with its line."""
    found: list[Failure] = []
    for lines, failure in sorted(faults, key=lambda each: each[0])[:MOST_FAULTS]:
        said = tr("{path}, {place}: {what}", path=shown(path, 200), place=_span(lines),
                  what=failure.message)  # fmt: skip
        found.append(Unreadable(said, failure.hint or tr(ANOTHER)))
    if len(faults) > MOST_FAULTS:
        found.append(Unreadable(tr("{path}: and {count} rows more", path=shown(path, 200),
                                   count=len(faults) - MOST_FAULTS)))  # fmt: skip
    return found


def _span(lines: Sequence[int]) -> str:
    """Where rows stand that are one fault; of many the first."""
    told = places(lines[:MOST_LINES])
    return f"{told}, …" if len(lines) > MOST_LINES else told
