"""The rows of a score table, each with its points, day and round.

A table may have players in rows and days in columns, several rows for each round, running totals,
or rows that are sums of other rows.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.text import SIGNS, parse_signed, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import clean
from scorekeeper.store.score_cells import (
    HEADINGS,
    TRANSPOSE_HINT,
    clean_name,
    is_date,
    is_total,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from scorekeeper.store.score_cells import DateOrder, Row, ScoreColumns

    Lines: TypeAlias = tuple[int, ...]
    Round: TypeAlias = tuple[Lines, dict[str, int]]  # the lines of a round and its points
    Fault: TypeAlias = tuple[Lines, Failure]  # the rejected lines and the reason
    Number: TypeAlias = tuple[tuple[tuple[int, str], ...], tuple[str, ...]]
    # The number of rows directly above a row that add up to it. The first number counts only rows
    # of the same match, the second all rows of the table.
    Above: TypeAlias = tuple[int, int]


# --- rows


class TurnedColumn(int):
    """The number (from 1) that a row had as a column, before the table was transposed."""


def place_text(number: int) -> str:
    """Return the place of a row in the file as text, such as `line 3`."""
    if isinstance(number, TurnedColumn):
        return tr("column {column}", column=number)
    return tr("line {line}", line=number)


def places_text(numbers: Sequence[int]) -> str:
    """Return the places of several rows in the file as text, such as `lines 3, 4`."""
    texts = ", ".join(map(str, numbers))
    if isinstance(numbers[0], TurnedColumn):
        return plural("column {numbers}", "columns {numbers}", len(numbers), numbers=texts)
    return plural("line {numbers}", "lines {numbers}", len(numbers), numbers=texts)


# The reasons to skip a row: the row is above the headings, is marked as a total, equals the sum of
# the rows above, has no points, or is void. AROUND_TABLE means text around a table.
ABOVE_HEADINGS, NAMED_AS_SUM, EQUALS_SUM, EMPTY, VOID = (
    "above",
    "called",
    "comes to",
    "empty",
    "void",
)
AROUND_TABLE = "around"
YES = "1"  # the value for yes in tables that this program exports
EMPTY_CELLS = ("", "-", "–", "—")  # the possible cells of players who did not play
_WHOLE = re.compile(rf"([{re.escape(SIGNS)}]?[0-9]{{1,9}})(?:[.,]0{{1,2}})?")


class FileScores(NamedTuple):
    """A row of a table.

    `line` is its line in the file, from 1. `round` is the number of its round, or "" if each row is
    a round. `points` are the points by name, or the error if they cannot be read.
    `has_date_or_number` is set if the row itself has a date or a round number.

    Two fields are set only in tables that this program exported. `own_key` is the match and its
    ruleset. `tallies_before` are the tallies before the round, including those of players who sat
    out.
    """

    line: int
    date: str
    title: str
    place: str
    round: str
    points: Mapping[str, int] | Failure
    has_date_or_number: bool = True
    own_key: tuple[str, ...] = ()
    tallies_before: Mapping[str, int] = {}

    @property
    def match(self) -> tuple[str, ...]:
        """The key that distinguishes the matches of a table."""
        return self.date, self.title, self.place, *self.own_key


class SkippedRow(NamedTuple):
    """A skipped row: its line, its text, and the reason, which is one of the constants above."""

    line: int
    text: str
    reason: str


class UnreadableDate(Unreadable):
    """An error for a row that cannot be assigned to a match, because its date is unreadable."""


class ScoreRowReader:
    """A reader that takes the rows of a table in order.

    If a row has no date, the date of the row above applies, or `day` if it is the first row. As in
    merged cells, a missing title or place is also taken from the row above. `count` is the number
    of columns.
    """

    def __init__(self, columns: ScoreColumns, count: int, dates: DateOrder, day: str) -> None:
        self._columns = columns
        self._count = count
        self._dates = dates
        self._day = day
        self._undated = 0  # the line of the current date if it is unreadable, otherwise 0
        self._title = self._place = ""

    def read(self, line: int, row: Sequence[str]) -> FileScores:
        """Read the next row. If its points cannot be read, `points` is the error."""
        columns, date, before = self._columns, cell_of(row, self._columns.date), self._day
        failure = self._take_date(line, date) or self._too_long(row)
        is_same_day = bool(date) and self._day == before
        try:
            self._title = _inherit(cell_of(row, columns.title), self._title, date, is_same_day)
            self._place = _inherit(cell_of(row, columns.place), self._place, date, is_same_day)
            _check_no_label(self._title, self._place)
            number = _round_number(cell_of(row, columns.round))
        except Unreadable as unreadable:
            failure, number = failure or unreadable, ""
        points = failure or read_points(row, columns)
        marked = bool(date or number)
        scores = FileScores(line, self._day, self._title, self._place, number, points, marked)
        return scores if columns.match is None else _with_own_columns(scores, row, columns)

    def _take_date(self, line: int, date: str) -> Failure | None:
        """Set the current day from a row, or leave it unchanged if the row has no date.

        Return an error if the row's date is unreadable. A row without a date takes the date of the
        row above.
        """
        if date:
            self._undated = 0
            try:
                self._day = self._dates.read_day(date)
            except Unreadable as unreadable:
                self._undated = line
                return UnreadableDate(unreadable.message, unreadable.hint)
        if self._undated:
            above = place_text(self._undated)
            message = tr(
                "this row has no date of its own, and the date in {place} above cannot be read",
                place=above,
            )
            return UnreadableDate(message, tr("correct {place}", place=above))
        return None

    def _too_long(self, row: Sequence[str]) -> Failure | None:
        """Return an error if a row has more cells than there are columns, otherwise None."""
        left_out = self._columns.skipped  # some skipped columns may be to the right of the headings
        if not any(row[at].strip() for at in range(self._count, len(row)) if at not in left_out):
            return None
        return Unreadable(
            tr("this row has {found} cells, but the table has only {count} columns", found=len(row),
               count=self._count),
            tr("remove the extra cell, or skip its column: {option}",
               option=f"--columns skip={self._count + 1}"),
        )  # fmt: skip


def _with_own_columns(scores: FileScores, row: Sequence[str], columns: ScoreColumns) -> FileScores:
    """Return `scores` with the values from the columns that only exported tables have."""
    key = cell_of(row, columns.match), cell_of(row, columns.ruleset)
    # an apostrophe marks text in a spreadsheet; `clean_name` removes it too
    where = cell_of(row, columns.place).removeprefix("'")
    scores = scores._replace(date=cell_of(row, columns.started), place=where)
    tally, points = parse_signed(cell_of(row, columns.tally)), scores.points
    if isinstance(points, Failure) or tally is None:
        return scores._replace(own_key=key)
    # the player sat out, so the points in this row were not scored in the round
    if cell_of(row, columns.out) == YES:
        return scores._replace(own_key=key, tallies_before=dict.fromkeys(points, tally), points={})
    tallies_before = {name: tally - change for name, change in points.items()}
    return scores._replace(own_key=key, tallies_before=tallies_before)


def sum_label(row: Sequence[str], columns: ScoreColumns) -> str:
    """Return the text of a cell that marks the row as a total of other rows, or ""."""
    date, round_ = cell_of(row, columns.date), cell_of(row, columns.round)
    unnamed = [cell_of(row, at) for at in columns.unnamed]
    about = [] if date else [cell_of(row, columns.title), cell_of(row, columns.place)]
    label = next((cell for cell in (date, round_, *unnamed, *about) if is_total(cell)), "")
    name = cell_of(row, columns.name)
    return label or (name if is_total(name, name=True) else "")


def _check_no_label(*texts: str) -> None:
    """Raise Unreadable if a title or place could also mark the row as a total."""
    for text in filter(is_total, texts):
        raise Unreadable(
            tr("this row could be a sum, or “{text}” could be the title of that day's match",
               text=quote(text)),
            tr(
                "if it is a sum, remove its date; otherwise skip the column with the title: "
                "--columns skip=COLUMN"
            ),
        )  # fmt: skip


def _round_number(cell: str) -> str:
    """Return the round number in a cell, or "". Raises Unreadable for text without digits."""
    if cell and not any(map(str.isdigit, cell)):
        raise Unreadable(
            tr("“{text}” is not a round number", text=quote(cell, 40)),
            tr("enter a round number there, or skip the column: --columns skip=COLUMN"),
        )
    return cell


def _inherit(text: str, above: str, date: str, is_same_day: bool) -> str:
    """Return the title or place of a row. A row without one inherits it from the row above, unless
    the row has a date of its own.

    Raises Unreadable if the row states the same day as the row above (`is_same_day`) but has no
    title or place.
    """
    text = clean(text)
    if text or not above:
        return text
    if is_same_day:
        raise Unreadable(
            tr("this row could belong to “{title}” above, on the same day, or to another match",
               title=quote(above)),
            tr(
                "add the title or place of the match to this row, or skip the column: "
                "--columns skip=COLUMN"
            ),
        )  # fmt: skip
    return "" if date else above


def cell_of(row: Sequence[str], at: int | None) -> str:
    return row[at].strip() if at is not None and at < len(row) else ""


def read_points(row: Sequence[str], columns: ScoreColumns) -> Mapping[str, int] | Failure:
    """Return the points of a row by name, or the error if they cannot be read."""
    points: dict[str, int] = {}
    try:
        for name, cell in _name_cells(row, columns):
            if cell in EMPTY_CELLS:
                continue
            if name in points:
                raise Unreadable(tr("“{names}”: a player is named twice", names=quote(name)))
            hint = tr("correct the cell")
            if columns.name is None:
                hint = tr("correct the cell, or skip its column: --columns skip=COLUMN")
            points[name] = _read_points(cell, name, hint)
    except Unreadable as unreadable:
        return unreadable
    return points


def _name_cells(row: Sequence[str], columns: ScoreColumns) -> Iterator[tuple[str, str]]:
    """Yield each name with the cell that contains its points."""
    if columns.name is None:
        for at, name in columns.players.items():
            yield name, cell_of(row, at)
        return
    points = cell_of(row, columns.points)
    for name in cell_of(row, columns.name).split("+"):
        if name.strip():
            yield clean_name(name), points
        elif points not in EMPTY_CELLS:
            raise Unreadable(tr("this row has points but no name"))


def _read_points(cell: str, name: str, hint: str) -> int:
    """Return the points in a cell. Raises Unreadable if they are not a whole number."""
    text = cell.removeprefix("'").replace("\u00a0", "").replace("\u202f", "").strip()
    whole = _WHOLE.fullmatch(text)
    number = parse_signed(whole[1]) if whole is not None else None
    if number is None:
        raise Unreadable(
            tr("“{text}” for {name} is not a whole number", text=quote(cell, 40), name=quote(name)),
            hint,
        )
    return number


# --- transposed tables: players in rows, days in columns


def transpose(path: str, rows: Sequence[Row]) -> list[Row] | None:
    """Transpose a table with days as its headings. Each player becomes a heading, and each day a
    row.

    Return None for any other table. Raises Unreadable if it is unclear whether the headings are
    days.
    """
    (line, first), *others = rows
    headings = [cell.strip() for cell in first]
    days = [at for at, text in enumerate(headings) if is_date(text)]
    if not days or days[0] == 0 or len(others) > untrusted.MAX_PLAYERS:
        return None
    odd = next((text for text in headings[1:] if not _is_day(text)), "")
    if odd and len(days) < 2:
        return None  # a single date may be in a row of a table without headings
    if odd:
        raise Unreadable(
            tr("{path}, line {line}: {what}", path=quote(path, 200), line=line,
               what=tr(
                   "each row seems to be a player and each column a day, but “{heading}” is "
                   "not a day",
                       heading=quote(odd))),
            tr("remove that column, or {turn}", turn=tr(TRANSPOSE_HINT)),
        )  # fmt: skip
    players = _players(path, len(headings), others)
    transposed = [(line, ["date", *(name for name, _ in players)])]
    for at in range(1, len(headings)):
        cells = [headings[at], *(row[at] if at < len(row) else "" for _, row in players)]
        if any(cell.strip() for cell in cells):
            transposed.append((TurnedColumn(at + 1), cells))
    return transposed


def _is_day(heading: str) -> bool:
    """Return whether a heading fits a column that contains the points of one day, or totals."""
    return not heading or is_date(heading) or is_total(heading)


def _players(path: str, count: int, rows: Iterable[Row]) -> list[tuple[str, list[str]]]:
    """Return the name and row of each player.

    Raises Unreadable for a row without a name, with a repeated name, or with too many cells.
    """
    players: list[tuple[str, list[str]]] = []
    seen: set[str] = set()
    for line, row in rows:
        name, wrong = clean_name(row[0]), ""
        if not name:
            wrong = tr("this row has points but no name")
        elif name.casefold() in seen:
            wrong = tr("“{names}”: a player is named twice", names=quote(name))
        elif any(cell.strip() for cell in row[count:]):
            wrong = tr("this row has {found} cells, but the table has only {count} columns",
                       found=len(row), count=count)  # fmt: skip
        if wrong:
            message = tr(
                "{path}, line {line}: {what}", path=quote(path, 200), line=line, what=wrong
            )
            raise Unreadable(message, tr("correct that row"))
        seen.add(name.casefold())
        players.append((name, row))
    return players


# --- tables with one row for each player of a round


def round_key(text: str) -> Number:
    """Return the sort key for a round number. `2`, `02` and `Runde 2` have the same key."""
    words = (word for word in words_of(text) if not word.isdecimal())
    other_words = tuple(word for word in words if word not in HEADINGS["round"])
    digits = (each.lstrip("0") for each in re.findall(r"[0-9]+", text))
    return tuple((len(each), each) for each in digits), other_words


def sort_by_number(rows: Sequence[FileScores]) -> list[FileScores]:
    """Return the rows, with the rows of each match sorted by round number.

    A row without a number or with an unknown day remains in its position.
    """
    places: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(rows):
        if row.round and not isinstance(row.points, UnreadableDate):
            places.setdefault(row.match, []).append(at)
    ordered = [*rows]
    for numbered in places.values():
        numbered_rows = sorted((rows[at] for at in numbered), key=lambda row: round_key(row.round))
        for at, row in zip(numbered, numbered_rows, strict=True):
            ordered[at] = row
    return ordered


def group_rounds(rows: Sequence[FileScores]) -> tuple[list[Round], list[Fault]]:
    """Group the rows of a match into rounds. Return the rounds and the faults of rows without a
    round.

    Rows with the same number form one round, whatever their order. If there are no numbers, a new
    round begins when a name occurs again.
    """
    rows_with_points: list[tuple[FileScores, Mapping[str, int]]] = []
    faults: list[Fault] = []
    for row in rows:
        if isinstance(row.points, Failure):
            faults.append(((row.line,), row.points))
        elif row.points:
            rows_with_points.append((row, row.points))
    numbered = any(row.round for row, _ in rows_with_points)
    groups: list[tuple[list[int], dict[str, int]]] = []
    where: dict[Number, int] = {}
    for row, points in rows_with_points:
        if numbered and not row.round:
            faults.append(((row.line,), _missing_number()))
            continue
        last = groups[-1][1] if groups else {}
        at = len(groups) - (not numbered and not last.keys() & points.keys())
        if numbered:
            at = where.setdefault(round_key(row.round), len(groups))
        if not 0 <= at < len(groups):
            groups.append(([], {}))
            at = len(groups) - 1
        lines, points_so_far = groups[at]
        repeated = sorted(points_so_far.keys() & points.keys())
        if repeated:
            faults.append(((row.line,), _repeated_name(repeated[0], row.round, lines[0])))
        else:
            lines.append(row.line)
            points_so_far.update(points)
    rounds = [(tuple(lines), points) for lines, points in groups]
    unclear = [] if faults else _ambiguous_rows(rows_with_points, rounds, numbered)
    return ([], unclear) if unclear else (rounds, faults)


def _ambiguous_rows(
    rows: Sequence[tuple[FileScores, Mapping[str, int]]], rounds: Sequence[Round], numbered: bool
) -> list[Fault]:
    """Return an error for all rows if it is unclear which of them form one round, or an empty
    list."""
    lines = tuple(row.line for row, _ in rows)
    if not numbered and _is_grouped_by_player(points for _, points in rows):
        return [(lines, _grouped_by_player())]
    if numbered and all(len(of_round) == 1 for of_round, _ in rounds) and _is_split(rounds):
        return [(lines, _numbers_count_rows())]
    return []


def _is_grouped_by_player(rows: Iterable[Mapping[str, int]]) -> bool:
    """Return whether the table lists all rows of one player, then all rows of the next player, and
    so on."""
    blocks = [(names, len([*some])) for names, some in groupby(map(frozenset, rows))]
    everybody = frozenset().union(*(names for names, _ in blocks))
    is_separate = len(everybody) == sum(len(names) for names, _ in blocks)
    return is_separate and len(blocks) > 1 and any(count > 1 for _, count in blocks)


def _is_split(rounds: Sequence[Round]) -> bool:
    """Return whether the rows appear to be parts of one round.

    This is assumed if all rows together sum to zero, but some rows do not, and if the rows are not
    all for the same players.
    """
    total = sum(sum(points.values()) for _, points in rounds)
    others = len({frozenset(points) for _, points in rounds}) > 1
    return others and not total and any(sum(points.values()) for _, points in rounds)


def _missing_number() -> Failure:
    return Unreadable(
        tr("this row has no round number, but other rows of this match do"),
        tr("add the round number to this row"),
    )


def _repeated_name(name: str, number: str, line: int) -> Failure:
    return Unreadable(
        tr("“{name}” already has points in round {number}, which begins in {place}",
           name=quote(name), number=quote(number, 40), place=place_text(line)),
        tr(
            "correct the row; if there were several matches that day, add a column called "
            "{column}",
           column="title"),
    )  # fmt: skip


def _grouped_by_player() -> Failure:
    return Unreadable(
        tr("these rows are sorted by player, so it is unclear which of them form one round"),
        tr("number the rounds in a column called {column}", column="round"),
    )


def _numbers_count_rows() -> Failure:
    return Unreadable(
        tr(
            "these rows have different numbers, but their points add up to zero only if they "
            "form one round; perhaps each row was numbered instead of each round"
        ),
        tr(
            "give the rows of a round the same number; if each row is a round, enter the "
            "points of every player in it"
        ),
    )  # fmt: skip


# --- running totals

# The values of `running`: totals start from zero in each match, or only once in the table.
MATCH, TABLE = "match", "table"


class _RunningTotals(NamedTuple):
    """The running totals by name, and which of them are unknown.

    If an unreadable row makes a player's total unknown, `unknown_since` maps the player to the line
    of that row. The key "" applies to all players who are not keys themselves.
    """

    totals: dict[str, int]
    unknown_since: dict[str, int]


def subtract_totals(rows: Iterable[FileScores], running: str) -> Iterator[FileScores]:
    """Convert running totals to points. Yield the rows with each total minus the previous one.

    A row that depends on an unreadable row is rejected.
    """
    runs: dict[tuple[str, ...], _RunningTotals] = {}
    for row in rows:
        key = row.match if running == MATCH else ()
        run = runs.setdefault(key, _RunningTotals({}, {}))
        if isinstance(row.points, Failure):
            run.unknown_since.clear()
            run.unknown_since[""] = row.line
            yield row
            continue
        everybody = run.unknown_since.get("", 0)
        depends_on = max((run.unknown_since.get(name, everybody) for name in row.points), default=0)
        points = {name: total - run.totals.get(name, 0) for name, total in row.points.items()}
        run.totals.update(row.points)
        if run.unknown_since:
            run.unknown_since.update(dict.fromkeys(row.points, 0))
        yield row._replace(points=_depends_on_unreadable(depends_on) if depends_on else points)


def _depends_on_unreadable(line: int) -> Failure:
    return Unreadable(
        tr("the points depend on the totals in {place}, which cannot be read",
           place=place_text(line)),
        tr("correct {place}", place=place_text(line)),
    )  # fmt: skip


# --- rows that equal the sum of the rows above


def find_sums(rows: Sequence[FileScores], wide: bool) -> tuple[set[int], set[int]]:
    """Return the indices of rows that are definitely sums, and of rows that are possibly sums.

    A row equals a sum if its points are the sum of the rows above it. If all rows with neither a
    date nor a number equal a sum, they are definitely sums. Any other row that equals a sum is
    possibly a sum if it is the last row of its match or of the table. Such a row counts as possible
    only in a wide table, because a single player's points often equal a sum by chance. A row with a
    round number is never a sum.
    """
    bare = {at for at, row in enumerate(rows) if not row.has_date_or_number and _points_of(row)}
    above = _find_equal_sums(rows, wide, bare)
    if all(at in above for at in bare) and any(max(above[at]) > 1 for at in bare):
        sure = {at for at in bare if max(above[at]) > 1}
    else:
        sure, above = set(), _find_equal_sums(rows, wide, ())
    ends = {at for at in above.keys() - sure if wide and _may_end(rows, at, above[at], sure)}
    last = len(rows) - 1
    has_failures = bare == {last} and any(isinstance(row.points, Failure) for row in rows)
    return sure, ends | (bare - sure if sure else {last} if has_failures else set())


def find_repeats(rows: Sequence[FileScores], wide: bool) -> tuple[set[int], set[int]]:
    """Return the indices of rows that repeat the running totals above them.

    The first set contains rows that definitely repeat the totals, the second rows that possibly do.
    """
    bare = {at for at, row in enumerate(rows) if not row.has_date_or_number and _points_of(row)}
    idle = {at for at in bare if not any(_points_of(rows[at]).values())}
    if idle == bare and all(at > 1 for at in idle):
        return idle, set()
    return set(), {at for at in idle if wide and at and _ends_match(rows, at, ())}


def sum_or_round() -> Failure:
    """Return the error for a row that may be either a sum or a round."""
    return Unreadable(
        tr("this row could be a round, or the sum of the rows above it"),
        tr(
            "if the row is a sum, remove it or begin it with {word}; if it is a round, give its "
            "number in a column called {column}",
            word="Total",
            column="Nr",
        ),
    )


def _points_of(row: FileScores) -> Mapping[str, int]:
    return {} if isinstance(row.points, Failure) else row.points


def _may_end(rows: Sequence[FileScores], at: int, above: Above, sure: Container[int]) -> bool:
    """Return whether a row that equals a sum is the last row of a match or of the table.

    A table can have a row of totals only in these positions.
    """
    of_match, of_all = above
    last = not rows[at].has_date_or_number or _following(rows, at, sure) is None
    return _ends_match(rows, at, sure) and (of_match > 1 or (of_all > 1 and last))


def _ends_match(rows: Sequence[FileScores], at: int, aside: Container[int]) -> bool:
    """Return whether a row is the last one of its match. Rows in `aside` are ignored."""
    following = _following(rows, at, aside)
    return following is None or following.match != rows[at].match


def _following(rows: Sequence[FileScores], at: int, aside: Container[int]) -> FileScores | None:
    return next((rows[n] for n in range(at + 1, len(rows)) if n not in aside), None)


def _find_equal_sums(
    rows: Sequence[FileScores], wide: bool, aside: Container[int]
) -> dict[int, Above]:
    """Return the indices of rows that equal a sum, and for each one how many rows add up to it.

    Rows in `aside` do not contribute to any sum.
    """
    matches: dict[tuple[str, ...], _RowSum] = {}
    everything = _RowSum(wide)
    sums: dict[int, Above] = {}
    for at, row in enumerate(rows):
        points = _points_of(row)
        of_match = matches.setdefault(row.match, _RowSum(wide))
        above = of_match.rows_in(points), everything.rows_in(points)
        if any(above) and not row.round:
            sums[at] = above
        if at not in aside:
            of_match.add(points)
            everything.add(points)
    return sums


class _RowSum:
    """The sum of the rows so far for each name, and how many rows contributed to it."""

    def __init__(self, wide: bool) -> None:
        self._wide = wide
        self._sum: Counter[str] = Counter()
        self._rows: Counter[str] = Counter()

    def add(self, points: Mapping[str, int]) -> None:
        self._sum.update(points)
        self._rows.update(dict.fromkeys({"", *points} if points else (), 1))

    def rows_in(self, points: Mapping[str, int]) -> int:
        """Return how many rows add up to these points. Return 0 if the sum is different or zero."""
        names = self._sum.keys() | points.keys() if self._wide else points.keys()
        if not any(points.values()) or any(self._sum[n] != points.get(n, 0) for n in names):
            return 0
        return self._rows[""] if self._wide else min(self._rows[name] for name in names)
