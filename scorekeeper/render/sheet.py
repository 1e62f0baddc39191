"""A match, its ruleset's `[sheet]` and what is known about the evening, as one neutral sheet.

A sheet is texts only: the renderers lay it out and make it harmless, each in its own way.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.play.facts import common, round_fact, seat_fact, shown, signed, strokes
from scorekeeper.play.match import Match
from scorekeeper.play.played import Played, why_unscored
from scorekeeper.play.remedied import DECIDED, account, became, deed, faults_of, latest, void_by
from scorekeeper.play.summary import summarize
from scorekeeper.render.statistics import counts, is_decided, places, went_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorekeeper.core.plain import Json, Summary
    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.sheets import Cells, Ladder

    Reading = Callable[[str, str, str], object]  # per, for whom, the fact's name

BLANK_ROWS = 24
MOST_BLANK_ROWS = 1000
TO_WRITE = "_" * 20
NAME_TO_WRITE = 7  # letters of width


class About(NamedTuple):
    """What a sheet tells of the match besides its rounds; empty texts are left out."""

    match: str = ""  # how the match is called
    started: str = ""  # the date, as it is to be printed
    place: str = ""
    title: str = ""
    note: str = ""


NOTHING = About()


class Column(NamedTuple):
    """A column of a grid: its heading; `left`, `right` or `center`; how many letters wide it is
    on paper at least (0: as it comes)."""

    label: str
    align: str
    width: int = 0


class Grid(NamedTuple):
    """A table: every row of `rows` and `totals` has a cell for each column."""

    caption: str
    columns: list[Column]
    rows: list[list[str]]
    totals: list[list[str]]


class Sheet(NamedTuple):
    """A sheet: a title, pairs of a word and what it is, tables (the first is the sheet proper),
    and footnotes."""

    title: str
    facts: list[tuple[str, str]]
    grids: list[Grid]
    footnotes: list[str]


def sheet(match: Reviewed, about: About = NOTHING) -> Sheet:
    """The sheet of a match as it stands."""
    summaries = list(match.summaries())
    layout = _Layout(match, summaries or [_coming(match)])
    read = _Totals(match, layout.sides, summaries).read
    rows = [row for summary in summaries for row in layout.rows_of(summary)]
    facts = _facts(
        (tr("Title"), about.title),
        (tr("Started"), about.started),
        (tr("Place"), about.place),
        (tr("Note"), about.note),
        (tr("Match"), about.match),
        (tr("Players"), ", ".join(match.players)),
        (tr("Tally"), match.ruleset.said(match.ruleset.tally["name"])),
        _outcome(match),
    )
    grids = layout.grids(rows, read, summaries)
    return Sheet(match.ruleset.said(match.ruleset.title), facts, grids, _footnotes(summaries))


def blank_sheet(
    ruleset: Ruleset,
    players: Sequence[str] | int,
    about: About = NOTHING,
    rows: int = BLANK_ROWS,
) -> Sheet:
    """An empty sheet to be written on: `players` are names, or how many there will be; `rows`
    from 1 to 1,000. Raises Unreadable and Impossible as a match of these players does."""
    named = not isinstance(players, int)
    names = [f"P{seat}" for seat in range(players)] if isinstance(players, int) else players
    match = Match(ruleset, names)
    layout = _Layout(match, [_coming(match)], named)
    numbers = range(1, min(rows, MOST_BLANK_ROWS) + 1)
    grids = layout.grids([layout.blank_row(number) for number in numbers], _nothing, [])
    facts = _facts(
        (tr("Date"), about.started or TO_WRITE),
        (tr("Place"), about.place or TO_WRITE),
        (tr("Players"), ", ".join(match.players) if named else ""),
        (tr("Tally"), ruleset.said(ruleset.tally["name"])),
    )
    return Sheet(ruleset.said(ruleset.title), facts, grids, [])


def _coming(match: Reviewed) -> Summary:
    """The summary of a match's first round before it begins: who the sides are is known, no
    more."""
    rnd = Match(match.ruleset, match.began_with, kept=True).now
    return summarize(rnd, Played(rnd.number, rnd.before, rnd.names), False)


def _nothing(per: str, who: str, name: str) -> None:
    """What is known on a sheet that is still to be written."""


# --- around the table


def _facts(*facts: tuple[str, str]) -> list[tuple[str, str]]:
    return [fact for fact in facts if fact[1]]


def _outcome(match: Reviewed) -> tuple[str, str]:
    if match.over and not match.winners:
        return tr("Result"), match.outcome
    return tr("Won by"), ", ".join(match.winners)


def _footnotes(summaries: Sequence[Summary]) -> list[str]:
    open_ = [fault for fault in latest(summaries).values() if not fault["ended"]]
    said = [(summary["round"], text) for summary in summaries for text in _remarks(summary)]
    for fault in open_:
        now = tr("provisional: {deed}: {outcome}", deed=deed(fault), outcome=became(fault))
        said.append((fault["round"], now))
    return [tr("Round {number}: {text}", number=number, text=text) for number, text in said]


def _remarks(summary: Summary) -> list[str]:
    """What is said below the table of one round: what was decided by a claim is said once."""
    said = []
    decided = [fault for fault in faults_of(summary) if fault["ended"] == DECIDED]
    acts = {fault["text"] for fault in decided}
    if summary["void"] is not None and summary["void"] != void_by(decided):
        why = summary["void"]
        said.append(tr("void") if why == "void" else tr("void: {reason}", reason=why))
    said += [account(fault) for fault in decided]
    said += [tr("foul of {text}", text=text) for text in summary["fouls"]]
    said += [tr("penalty of {text}", text=text) for text in summary["penalties"]]
    said += [text for text in summary["decisions"] if text not in acts]
    said += [text for text in summary["notes"] if text]
    if not summary["over"]:
        said.append(tr("not finished"))
    elif summary["changes"] is None:
        why = why_unscored(summary.get("mistaken", False))
        said.append(tr("without a score: {reason}", reason=why))
    return said


# --- the table


class _Layout:
    """The columns of one sheet: each of the ruleset's, with the player or side it is for ("" for
    a column of the round). Not `named`: the names are still to be written."""

    def __init__(self, match: Reviewed, summaries: Sequence[Summary], named: bool = True) -> None:
        self.rows = match.ruleset.sheet
        self.said = match.ruleset.said
        self.players = match.players
        self.named = named
        self.sides: dict[str, list[str]] = {}
        for summary in summaries:
            self.sides.update(summary["sides"])
        self.columns = [(cells, who) for cells in self.rows.columns for who in self.whom(cells.per)]

    def whom(self, per: str) -> list[str]:
        """For whom there is a column: players, sides, or the round itself."""
        return {"player": self.players, "side": list(self.sides)}.get(per, [""])

    def _said(self, who: str) -> str:
        return who if self.named else ""

    def grids(
        self, rows: list[list[str]], read: Reading, summaries: Sequence[Summary]
    ) -> list[Grid]:
        """The sheet's table; a small one for each row of totals that has no column to stand
        under; the ladders."""
        shown = {cells.per for cells, _ in self.columns}
        under = [cells for cells in self.rows.totals if cells.per in shown]
        alone = [cells for cells in self.rows.totals if cells.per not in shown]
        return [
            self.grid(rows, [self.total(cells, read) for cells in under]),
            *(self.apart(cells, read) for cells in alone if self.whom(cells.per)),
            *(self.ladder(ladder, summaries) for ladder in self.rows.ladders),
        ]

    def apart(self, cells: Cells, read: Reading) -> Grid:
        """A row of totals as a table of its own."""
        per = tr("Side") if cells.per == "side" else tr("Player")
        columns = [Column(per, "left"), Column(cells.label, cells.align)]
        whom = self.whom(cells.per)
        rows = [
            [self._said(who), cells.text(_texts(partial(read, cells.per, who)))] for who in whom
        ]
        return Grid("", columns, rows, [])

    def rows_of(self, summary: Summary) -> Iterator[list[str]]:
        """A round's row; what was decided of something wrong in it has a row of its own below."""
        faults = [fault for fault in faults_of(summary) if fault["lines"]]
        rest, *after = _apart(summary, faults)
        yield self.row(rest)
        for fault, standing in zip(faults, after, strict=True):
            row = self.row(standing)
            label = f"{fault['lines'][0]['code'].rpartition('.')[2]} ({fault['cited']})"
            for at, (column, _) in enumerate(self.columns):
                if not column.seated:
                    row[at], label = label, ""
            yield row

    def row(self, summary: Summary) -> list[str]:
        """A round's cells."""
        return [
            cells.text(self._told(summary, _of_round(summary, cells.per, who)))
            for cells, who in self.columns
        ]

    def _told(self, summary: Summary, read: Callable[[str], object]) -> Callable[[str], str]:
        """A round's facts as texts; what phases keep of it is kept in the ruleset's words, and told
        in the language that is spoken."""

        def tell(value: object) -> object:
            if isinstance(value, str):
                return value if value in summary["before"] else self.said(value)
            if isinstance(value, (list, tuple)):
                return [tell(each) for each in value]
            if isinstance(value, dict):
                return {tell(key): tell(each) for key, each in value.items()}
            return tr("yes") if value is True else value

        return lambda name: shown(tell(read(name)) if name in summary["facts"] else read(name))

    def blank_row(self, number: int) -> list[str]:
        """A round's cells before it is played: its number alone."""
        read = _texts(lambda name: number if name == "round" else None)
        return [cells.text(read) for cells, _ in self.columns]

    def total(self, cells: Cells, read: Reading) -> list[str]:
        """A row of totals: its label, and a cell under the column of each player or side."""
        fitting = [column.name for column, _ in self.columns if column.per == cells.per]
        under = cells.under or (fitting[0] if fitting else "")
        row, label = [], cells.label
        for column, who in self.columns:
            if not column.seated:
                row.append(label)
                label = ""
            elif column.name == under:
                row.append(cells.text(_texts(partial(read, cells.per, who))))
            else:
                row.append("")
        return row

    def grid(self, rows: list[list[str]], totals: list[list[str]]) -> Grid:
        """The table, without the optional columns in which nothing stands."""
        kept = [
            at
            for at, (cells, _) in enumerate(self.columns)
            if not cells.optional or any(row[at] for row in rows)
        ]
        columns = [self._heading(cells, who) for cells, who in self.columns]

        def cut(row: list[str]) -> list[str]:
            return [row[at] for at in kept]

        headings = [columns[at] for at in kept]
        return Grid("", headings, [cut(row) for row in rows], [cut(row) for row in totals])

    def _heading(self, cells: Cells, who: str) -> Column:
        label = cells.label.replace("{name}", self._said(who)).strip()
        width = cells.width or (0 if self.named or not who else NAME_TO_WRITE)
        return Column(label, cells.align, width)

    def ladder(self, ladder: Ladder, summaries: Sequence[Summary]) -> Grid:
        """A row for each player or side, a cell for each step: the round that led to it, 0 for
        where the tally began."""
        columns = [Column("", "left", 10), *(Column(str(step), "center") for step in ladder.steps)]
        rows = []
        for who in self.whom(ladder.per):
            reached: dict[object, str] = {}
            if summaries and ladder.of == "tally":
                members = self.sides.get(who, []) if ladder.per == "side" else [who]
                first = [summaries[0]["before"].get(member) for member in members]
                reached[common(lambda step: step, first)] = "0"
            for summary in summaries:
                step = seat_fact(summary, ladder.per, who, ladder.of)
                reached.setdefault(step, str(summary["round"]))
            cells = [reached.get(step, "") for step in ladder.steps]
            rows.append([self._said(who), *cells])
        return Grid(ladder.label, columns, rows, [])


def _apart(summary: Summary, faults: Sequence[Json]) -> Iterator[Summary]:
    """A round without what was decided of these, and then what each of that has changed."""
    points = [_points_of(fault) for fault in faults]
    names, tally, changes = summary["before"], summary["tally"], summary["changes"]
    whole = {name: sum(each.get(name, 0) for each in points) for name in names}
    rest = summary
    if tally is not None and faults:
        tally = {name: tally[name] - whole[name] for name in names}
        rest = {**rest, "tally": tally}
    if changes is not None and faults:
        rest = {**rest, "changes": {name: changes[name] - whole[name] for name in names}}
    yield rest
    now = dict(names if tally is None else tally)
    for each in points:
        now = {name: now[name] + each.get(name, 0) for name in names}
        yield {**summary, "tally": now, "changes": each}


def _points_of(fault: Json) -> dict[str, int]:
    """What was decided of something wrong, as changes of tallies."""
    points: dict[str, int] = {}
    for line in fault["lines"]:
        for name in line["for"].split("+"):
            points[name] = points.get(name, 0) + line["points"]
    return points


def _texts(read: Callable[[str], object]) -> Callable[[str], str]:
    return lambda name: shown(read(name))


def _of_round(summary: Summary, per: str, who: str) -> Callable[[str], object]:
    return partial(seat_fact, summary, per, who) if who else partial(round_fact, summary)


class _Totals:
    """The facts of a whole match, for the rows of totals."""

    def __init__(
        self, match: Reviewed, sides: Mapping[str, list[str]], summaries: Sequence[Summary]
    ) -> None:
        self.sides = sides
        self.summaries = summaries
        self.stats = counts(match.ruleset, summaries)
        tally = match.scores
        scored = [summary["changes"] for summary in summaries if summary["changes"]]
        change = {name: sum(changes.get(name, 0) for changes in scored) for name in match.players}
        self.facts: dict[str, Json] = {
            "tally": tally,
            "strokes": {name: strokes(number) for name, number in tally.items()},
            "change": change,
            "signed": {name: signed(number) for name, number in change.items()},
            "place": places(match, summaries) if is_decided(match, summaries) else {},
            "out": went_out(match, summaries),
        }

    def read(self, per: str, who: str, name: str) -> object:
        """A fact about a player, or what a side's players have in common."""
        if name == "name":
            return who
        if name.startswith(f"{per}."):
            return self._latest(name, who)
        if name.startswith("stat."):
            return self.stats[name.removeprefix("stat.")].get(who, 0)
        members = self.sides.get(who, []) if per == "side" else [who]
        found = [self.facts[name].get(member) for member in members]
        return common(lambda value: value, found)

    def _latest(self, name: str, who: str) -> object:
        for summary in reversed(self.summaries):
            found = (summary["facts"].get(name) or {}).get(who)
            if found is not None:
                return found
        return None
