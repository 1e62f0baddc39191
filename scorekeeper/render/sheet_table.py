"""The table of a sheet: the columns that the ruleset names, a row for each round, what stands at
the foot, and the ladders."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.play.facts import common, round_fact, seat_fact, shown, strokes
from scorekeeper.play.remedied import faults_of
from scorekeeper.render.paper import APART, CARRIED, EMPTY, ROUND, Column, Grid
from scorekeeper.render.sheet_signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.render.sheet_totals import Totals
    from scorekeeper.ruleset.reports import Cells, Ladder

NAME_TO_WRITE, LADDER_NAME_TO_WRITE = 7, 10  # letters of width


class Row(NamedTuple):
    """A row of the table: a cell for each column, what it is (see paper.py), and the tallies that
    stand after it, by name (none: they are still to be written)."""

    cells: list[str]
    kind: str
    tally: Mapping[str, object]


class Layout:
    """The columns of one sheet: each of the ruleset's, with the player or side it is for ("" for
    a column of the round). Not `named`: the names are still to be written."""

    def __init__(self, match: Reviewed, summaries: Sequence[Summary], named: bool = True) -> None:
        self.rules = match.ruleset
        self.said = match.ruleset.said
        self.players = match.players
        self.began_with = match.began_with
        self.named = named
        self.sides: dict[str, list[str]] = {}
        for summary in summaries:
            self.sides.update(summary["sides"])
        rows = self.rules.sheet.columns
        self.signs = Signs(self.rules, self.players)
        self.columns = [(cells, who) for cells in rows for who in self.whom(cells.per)]
        self.noted: frozenset[str] = frozenset()  # optional columns that are there when empty

    def whom(self, per: str) -> list[str]:
        """For whom there is a column: players, sides, or the round itself."""
        return {"player": self.players, "side": list(self.sides)}.get(per, [""])

    def _said(self, who: str) -> str:
        return who if self.named else ""

    def grids(
        self, rows: Sequence[Row], totals: Totals | None, summaries: Sequence[Summary]
    ) -> list[Grid]:
        """The sheet's table; a small one for each row of totals that has no column to stand
        under; the ladders."""
        found = self.rules.sheet
        shown = {cells.per for cells, _ in self.columns}
        under = [cells for cells in found.totals if cells.per in shown]
        alone = [cells for cells in found.totals if cells.per not in shown]
        return [
            self.grid(rows, under, totals),
            *(self.apart(cells, totals) for cells in alone if self.whom(cells.per)),
            *(self.ladder(ladder, summaries) for ladder in found.ladders),
        ]

    # --- rows

    def rows(self, summaries: Sequence[Summary]) -> Iterator[Row]:
        """The rows of these rounds. Where another tally than the last round left, or than a match
        begins with, stood before a round, a row says so."""
        start = self.rules.numbers.start(len(self.began_with))
        stood: dict[str, object] = dict.fromkeys(self.began_with, start)
        for summary in summaries:
            before = summary["before"]
            if any(stood.get(name, number) != number for name, number in before.items()):
                yield Row(self._standing(before), CARRIED, before)
            stood = {**stood, **before, **(summary["tally"] or {})}
            yield from self.rows_of(summary, stood)

    def rows_of(self, summary: Summary, stood: Mapping[str, object]) -> Iterator[Row]:
        """A round's row; what was decided of something wrong in it has a row of its own below."""
        faults = [fault for fault in faults_of(summary) if fault["lines"]]
        rest, *after = _apart(summary, faults)
        yield Row(self.row(rest), ROUND, {**stood, **(rest["tally"] or {})})
        for fault, standing in zip(faults, after, strict=True):
            row = self.row(standing)
            penalty = fault["lines"][0]["code"].rpartition(".")[2]
            earlier = "." in fault["at"]  # it was weighed after its round
            label = f"{self.said(fault['weight'] if earlier else penalty)} ({fault['cited']})"
            for at, (column, _) in enumerate(self.columns):
                if not column.seated:
                    row[at], label = label, ""
            yield Row(row, APART, {**stood, **(standing["tally"] or {})})

    def row(self, summary: Summary) -> list[str]:
        """A round's cells."""
        texts = zip(self.columns, self._texts(summary), strict=True)
        return [
            text if cells.seated else self.signs.written(cells, text) for (cells, _), text in texts
        ]

    def _texts(self, summary: Summary) -> Iterator[str]:
        """The same in whole words."""
        for cells, who in self.columns:
            yield cells.text(self._told(summary, _of_round(summary, cells.per, who)))

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

        def told(name: str) -> str:
            value = read(name)
            if name == "result" and isinstance(value, str):
                return self._result(value)
            return shown(tell(value) if name in summary["facts"] else value)

        return told

    def _result(self, text: str) -> str:
        """A result's keys as they are typed in the language that is spoken."""
        pairs = [pair.partition(" ") for pair in text.split(", ")]
        return ", ".join(f"{self.rules.spoken(key)}{gap}{value}" for key, gap, value in pairs)

    def blank_row(self, number: int) -> Row:
        """A round's cells before it is played: its number alone."""
        read = _texts(lambda name: number if name == "round" else None)
        return Row([cells.text(read) for cells, _ in self.columns], EMPTY, {})

    def to_note(self, coming: Summary) -> frozenset[str]:
        """The optional columns in which people will write: those with signs, and those in which
        something stands before the first round begins."""
        read = zip(self.columns, self._texts(coming), strict=True)
        return frozenset(
            cells.name for (cells, _), text in read if cells.optional and (cells.signs or text)
        )

    def _standing(self, tally: Mapping[str, object]) -> list[str]:
        """These tallies, each under the column in which tallies are told."""
        return [
            cells.text(_texts(partial(_stands, tally, self._members(cells.per, who))))
            if cells.seated and cells.names & {"tally", "strokes"}
            else ""
            for cells, who in self.columns
        ]

    def _members(self, per: str, who: str) -> list[str]:
        return self.sides.get(who, []) if per == "side" else [who]

    # --- the table

    def grid(self, rows: Sequence[Row], under: Sequence[Cells], totals: Totals | None) -> Grid:
        """The table, without the optional columns in which nothing stands."""
        kept = [
            at
            for at, (cells, _) in enumerate(self.columns)
            if not cells.optional or cells.name in self.noted or any(row.cells[at] for row in rows)
        ]
        first = next((at for at in kept if not self.columns[at][0].seated), None)

        def cut(row: Sequence[str], label: str = "") -> list[str]:
            return [label if label and at == first else row[at] for at in kept]

        over = tr("carried over")
        carried = [cut(self._standing(row.tally), over) for row in rows if row.tally]
        return Grid(
            "",
            [self._heading(*self.columns[at]) for at in kept],
            [cut(row.cells, over if row.kind == CARRIED else "") for row in rows],
            [cut(row, _label(cells, totals)) for cells, row in self._foot(under, totals)],
            [row.kind for row in rows],
            carried,
        )

    def _foot(
        self, under: Sequence[Cells], totals: Totals | None
    ) -> Iterator[tuple[Cells, list[str]]]:
        """The rows of totals: on a sheet that is filled in those in which something stands."""
        for cells in under:
            row = self.total(cells, totals)
            if totals is None or any(row):
                yield cells, row

    def _heading(self, cells: Cells, who: str) -> Column:
        label = cells.label.replace("{name}", self._said(who)).strip()
        width = cells.width or (0 if self.named or not who else NAME_TO_WRITE)
        return Column(label, cells.align, width, who)

    def total(self, cells: Cells, totals: Totals | None) -> list[str]:
        """A row of totals: a cell under the column of each player or side."""
        fitting = [column.name for column, _ in self.columns if column.per == cells.per]
        under = cells.under or (fitting[0] if fitting else "")
        return [
            _of_match(cells, who, totals) if column.seated and column.name == under else ""
            for column, who in self.columns
        ]

    def apart(self, cells: Cells, totals: Totals | None) -> Grid:
        """A row of totals as a table of its own."""
        per = tr("Side") if cells.per == "side" else tr("Player")
        columns = [Column(per, "left"), Column(_label(cells, totals), cells.align)]
        whom = self.whom(cells.per)
        rows = [[self._said(who), _of_match(cells, who, totals)] for who in whom]
        return Grid("", columns, rows, [])

    def ladder(self, ladder: Ladder, summaries: Sequence[Summary]) -> Grid:
        """A row for each player or side, a cell for each step: the round that led to it, 0 for
        where the tally began."""
        steps = [Column(str(step), "center") for step in ladder.steps]
        columns = [Column("", "left", 0 if self.named else LADDER_NAME_TO_WRITE), *steps]
        rows = []
        for who in self.whom(ladder.per):
            reached: dict[object, str] = {}
            if summaries and ladder.of == "tally":
                members = self._members(ladder.per, who)
                first = [summaries[0]["before"].get(member) for member in members]
                reached[common(lambda step: step, first)] = "0"
            for summary in summaries:
                step = seat_fact(summary, ladder.per, who, ladder.of)
                reached.setdefault(step, str(summary["round"]))
            cells = [reached.get(step, "") for step in ladder.steps]
            rows.append([self.signs.short(self._said(who)), *cells])
        return Grid(ladder.label, columns, rows, [])

    def legend(self, columns: Sequence[Cells] = ()) -> list[tuple[str, str]]:
        """What the signs mean that stand on the sheet, and all that these columns have; how the
        ladders are to be read."""
        word = self.rules.sheet.word or tr("Round")
        how = tr(
            "{column} in which each step was reached, 0: from the beginning",
            column=word,
        )
        ladders = self.rules.sheet.ladders
        return [*self.signs.legend(columns), *((ladder.label, how) for ladder in ladders)]


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


def _label(cells: Cells, totals: Totals | None) -> str:
    return cells.label if totals is None else totals.label(cells)


def _of_match(cells: Cells, who: str, totals: Totals | None) -> str:
    """A cell of a row of totals."""
    return "" if totals is None else cells.text(_texts(partial(totals.read, cells.per, who)))


def _texts(read: Callable[[str], object]) -> Callable[[str], str]:
    return lambda name: shown(read(name))


def _of_round(summary: Summary, per: str, who: str) -> Callable[[str], object]:
    return partial(seat_fact, summary, per, who) if who else partial(round_fact, summary)


def _stands(tally: Mapping[str, object], members: Sequence[str], name: str) -> object:
    """What is told of a tally alone."""
    numbers = [tally.get(member) for member in members]
    if name == "strokes":
        return common(strokes, numbers)
    return common(lambda number: number, numbers) if name == "tally" else None
