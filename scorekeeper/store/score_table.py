"""Score tables from spreadsheets and other programs, which are checked and converted into matches.

A *long* table has a row for each player, with one column for names and one for points. A *wide*
table has a column for each player and a row for each round or evening. A table that can be read in
two ways is rejected, and the message names both. Each day or title is a match, and each row or
round number in it is a round.
"""

from __future__ import annotations

import os
from itertools import combinations, islice
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import N_, join_list, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.seating import checked_names, seating_error
from scorekeeper.match.match import Match
from scorekeeper.store.arrivals import IncomingMatch, RejectedFile
from scorekeeper.store.score_cells import (
    DateOrder,
    ScoreColumns,
    TextColumns,
    detect_columns,
    detect_date_order,
    is_date,
    is_text,
    is_total,
    read_lines,
)
from scorekeeper.store.score_rows import (
    ABOVE_HEADINGS,
    AROUND_TABLE,
    EMPTY,
    EMPTY_CELLS,
    EQUALS_SUM,
    NAMED_AS_SUM,
    VOID,
    YES,
    FileScores,
    ScoreRowReader,
    SkippedRow,
    TurnedColumn,
    UnreadableDate,
    cell_of,
    find_repeats,
    find_sums,
    group_rounds,
    place_text,
    places_text,
    sort_by_number,
    subtract_totals,
    sum_label,
    sum_or_round,
    transpose,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import JsonValue
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.store.rows import DetailOptions
    from scorekeeper.store.score_rows import Fault, Round

    Tally = tuple[int, ...]  # the seats that share a tally

TOTALS_REASON = "sum of the evening, no penalty"
CHANGE_REASON = "set by hand, as the table has it"
ROW_HINT = N_("correct the row, or state the rules with --ruleset NAME or --set KEY=VALUE")
CELLS_HINT = N_(
    "enter the points of every player who took part, even if they are 0, or state the rules "
    "with --ruleset NAME or --set KEY=VALUE"
)


class ScoreFileOptions(NamedTuple):
    """The options for reading a table.

    `columns` are the meanings of columns (see `detect_columns`), and `date` is the day of a table
    without dates. `order` is the order of year, month and day in dates (`ymd`, `dmy`, `mdy`; "" to
    detect it). `running` is set if the points are running totals. It is `match` if totals start
    from zero in each match, and `table` if they start only once.
    """

    columns: Mapping[str, str] = {}
    date: str = ""
    order: str = ""
    running: str = ""


class ScoreFile(NamedTuple):
    """A table after reading: its rows, the meanings of its columns, its encoding, and the skipped
    rows.

    `is_transposed` is set if the rows were columns in the file.
    """

    rows: Sequence[FileScores]
    columns: ScoreColumns
    headings: Sequence[str]
    encoding: str
    delimiter: str
    dates: DateOrder
    skipped: Sequence[SkippedRow]
    is_transposed: bool


def read_table(path: str, how: ScoreFileOptions) -> ScoreFile:
    """Read a table.

    Raises Damaged if the file is not a table, and Unreadable if it is unclear what columns or dates
    mean.
    """
    lines = read_lines(path)
    days = transpose(path, lines.rows)
    (line, first), *_ = table = days or lines.rows
    headings = [cell.strip() for cell in first]
    texts = _text_columns([row for _, row in table[1:]])
    widest = max(len(row) for _, row in table)
    headings += [""] * (min(_count_columns(texts.all, how.columns), widest) - len(first))
    columns = detect_columns(path, headings, line, how.columns, texts)
    columns = columns._replace(unnamed=[at for at in columns.unnamed if at < len(first)])
    body = table[columns.has_headings :]
    columns = _with_date_column(columns, [row for _, row in body])
    dated = [(line if days else at, cell_of(row, columns.date)) for at, row in body]
    dates = detect_date_order(path, dated, how.order)
    reader = ScoreRowReader(columns, len(first), dates, how.date)
    rows: list[FileScores] = []
    left_out = [SkippedRow(at, quote(text), ABOVE_HEADINGS) for at, text in lines.above]
    left_out += [SkippedRow(at, "", AROUND_TABLE) for at in lines.around]
    for line, row in body:
        if cell_of(row, columns.void) == YES:
            left_out.append(SkippedRow(line, "", VOID))
            continue
        label = sum_label(row, columns)
        scores = None if label else reader.read(line, row)
        if scores is None or not (scores.points or scores.tallies_before):
            left_out.append(SkippedRow(line, quote(label), NAMED_AS_SUM if label else EMPTY))
        else:
            rows.append(scores)
    wide = columns.name is None
    if not wide:
        rows = sort_by_number(rows)
    if how.running:
        rows = [*subtract_totals(rows, how.running)]
    sums = find_repeats(rows, wide) if how.running else find_sums(rows, wide)
    rows, more = _remove_sums(rows, *sums)
    left_out = sorted([*left_out, *more])
    if not rows:
        raise Unreadable(tr("{path}: there is no row with points", path=quote(path, 200)))
    signs = lines.encoding, lines.delimiter
    return ScoreFile(rows, columns, headings, *signs, dates, left_out, days is not None)


def _text_columns(rows: Sequence[Sequence[str]]) -> TextColumns:
    """Return the columns that contain only text. Rows of totals are ignored."""
    texts: set[int] = set()
    wordy: set[int] = set()
    others: set[int] = set()
    for row in rows:
        cells = [cell.strip() for cell in row]
        if any(map(is_total, cells)):
            continue
        for at, cell in enumerate(cells):
            if cell in EMPTY_CELLS or at in others:
                continue
            if not is_text(cell):
                others.add(at)
            elif any(map(str.isdigit, cell)):
                texts.add(at)
            else:
                wordy.add(at)
    return TextColumns(frozenset((texts | wordy) - others), frozenset(wordy - texts - others))


def _count_columns(texts: Iterable[int], wanted: Mapping[str, str]) -> int:
    """Return the number of columns up to the last one that contains text or is skipped."""
    parts = (part.strip() for part in wanted.get("skip", "").split("+"))
    skipped = (int(part[:9]) for part in parts if part.isascii() and part.isdigit())
    return max([*(at + 1 for at in texts), *skipped], default=0)


def _with_date_column(columns: ScoreColumns, rows: Sequence[Sequence[str]]) -> ScoreColumns:
    """Return the columns, with the date column added if only its heading is missing.

    A column without a heading is the date column if all its cells are dates. Rows of totals are
    ignored.
    """
    for at in columns.unnamed if columns.date is None else ():
        cells = [cell for row in rows if (cell := cell_of(row, at)) and not is_total(cell)]
        if cells and all(map(is_date, cells)):
            others = [[each for each in some if each != at]
                      for some in (columns.skipped, columns.unnamed)]  # fmt: skip
            return columns._replace(date=at, skipped=others[0], unnamed=others[1])
    return columns


def _remove_sums(
    rows: Sequence[FileScores], sure: Collection[int], unsure: Container[int]
) -> tuple[list[FileScores], list[SkippedRow]]:
    """Return the rows without definite sums, and the sums as skipped rows. Possible sums are
    rejected."""
    remaining = [
        row._replace(points=sum_or_round()) if at in unsure else row
        for at, row in enumerate(rows)
        if at not in sure
    ]
    return remaining, [SkippedRow(rows[at].line, "", EQUALS_SUM) for at in sure]


# --- matches of a table


NOTE = "imported from "  # the beginning of the note of each match from a score table
TOTALS = ", a row a whole evening: its totals alone are known"
# The possible meanings of a row.
ROUND, EVENING = "round", "evening"
TABLES_HINT = N_(
    "add a row for each table, with different titles in a column called title, or state the "
    "rules with --ruleset NAME or --set KEY=VALUE"
)
MAX_FAULTS = 10  # maximum number of faults to report for a match
MAX_LINES = 10  # maximum number of lines to name for a fault


class ScoreEvening:
    """A match in a table: its details, its rounds with their lines, and the faults of its rows."""

    def __init__(self, first: FileScores) -> None:
        self.line = (
            1 if isinstance(first.line, TurnedColumn) else first.line
        )  # the line of the headings
        details: DetailOptions = {"started": first.date, "title": first.title, "place": first.place}
        self.details: DetailOptions = {key: text for key, text in details.items() if text}  # type: ignore[assignment]
        self.rows: list[FileScores] = []
        self.rounds: list[Round] = []
        self.faults: list[Fault] = []
        # The players' tallies before the round of each row, by the row's line, if the table
        # contains them.
        self.tallies_before: dict[int, dict[str, int]] = {}

    def split(self, seats: Sequence[str]) -> None:
        """Divide the rows into rounds.

        In a wide table, `seats` are the players, and each row is a round. In a long table,
        `seats` is empty, and `group_rounds` divides the rows.
        """
        if not seats:
            self.line = min(row.line for row in self.rows)
            self.rounds, faults = group_rounds(self.rows)
            self.faults += faults
            of_round: dict[str, dict[str, int]] = {}
            for row in self.rows:
                self.tallies_before[row.line] = of_round.setdefault(row.round, {})
                self.tallies_before[row.line].update(row.tallies_before)
            return
        for row in self.rows:
            if isinstance(row.points, Failure):
                self.faults.append(((row.line,), row.points))
            elif row.points:
                points = {name: row.points[name] for name in seats if name in row.points}
                self.rounds.append(((row.line,), points))

    @property
    def all_players(self) -> list[str]:
        """The players who have points or sat out, in the order of the table."""
        tallies = (row.tallies_before for row in self.rows)
        points = (points for _, points in self.rounds)
        return list(dict.fromkeys(name for each in (*tallies, *points) for name in each))


def split_evenings(table: ScoreFile) -> list[ScoreEvening]:
    """Return the matches in a table, in the order of their first rows."""
    evenings: dict[tuple[str, ...], ScoreEvening] = {}
    astray = 0  # the line of the previous row if its date is unreadable, otherwise 0
    for row in table.rows:
        evening = evenings.get(row.match)
        if evening is None:
            evening = evenings[row.match] = ScoreEvening(row)
            if astray and not isinstance(row.points, UnreadableDate):
                evening.faults.append(((row.line,), _day_unclear(astray)))
        evening.rows.append(row)
        astray = row.line if isinstance(row.points, UnreadableDate) else 0
    seats = [*table.columns.players.values()]
    for evening in evenings.values():
        evening.split(seats)
    return [each for each in evenings.values() if each.rounds or each.faults]


def _day_unclear(line: int) -> Failure:
    """Return the error for a match that directly follows a row with an unreadable date."""
    return Unreadable(
        tr(
            "{place} above could belong to this day too, because its date cannot be read",
            place=place_text(line),
        ),
        tr("correct {place}", place=place_text(line)),
    )


def has_one_row_a_day(table: ScoreFile) -> bool:
    """Return whether a wide table has several rows, each for a different day."""
    days = [
        row.match for row in table.rows if row.date and row.has_date_or_number and not row.round
    ]
    wide = table.columns.name is None
    return wide and len({*days}) == len(days) == len(table.rows) > 1


def default_row_kind(table: ScoreFile) -> str:
    """Return the default meaning of a row: EVENING if the headings are days and no day occurs
    twice, otherwise ROUND."""
    return (
        EVENING
        if table.is_transposed and (has_one_row_a_day(table) or len(table.rows) == 1)
        else ROUND
    )


def matches_of(
    path: str, table: ScoreFile, ruleset: Ruleset, options: Mapping[str, JsonValue], row: str = ""
) -> Iterator[IncomingMatch | RejectedFile]:
    """Play the matches in a table under a ruleset, and yield each match when it is ready.

    If the rules do not allow a match, yield a rejection with a reason for each bad row. `row` is
    ROUND or EVENING, by default the result of `default_row_kind`.
    """
    seats = list(table.columns.players.values())
    try:
        checked_names(ruleset.lexicon, tuple(seats))
    except Failure as failure:
        yield RejectedFile(path, 1, _rejections(path, [((1,), _bad_heading(failure))]))
        return
    whole = (row or default_row_kind(table)) == EVENING
    for evening in split_evenings(table):
        names = evening.all_players
        if whole:  # only players with points have a total
            names = [name for name in names if any(name in each for _, each in evening.rounds)]
        names.sort(key=lambda name: seats.index(name) if seats else 0)
        faults = [*evening.faults]
        try:
            match = _begin_match(ruleset, evening, names, whole)
        except Failure as failure:
            faults = faults or [((evening.line,), failure)]
            yield RejectedFile(path, evening.line, _rejections(path, faults))
            continue
        faults += (
            _record_evening(match, evening)
            if whole
            else _record_rounds(match, evening, seats or names)
        )
        if faults:
            yield RejectedFile(path, evening.line, _rejections(path, faults))
            continue
        note = f"{NOTE}{quote(os.path.basename(path), 200)}{TOTALS if whole else ''}"
        finished = [match.review_for_storage(played) for played in match.rounds]
        about: DetailOptions = {**evening.details, "note": note}
        unlike = () if whole else _unusual_rounds(match, evening)
        yield IncomingMatch(path, evening.line, match, finished, about, options, (), True, 0, whole,
                            unusual_rounds=unlike)  # fmt: skip


def _record_rounds(match: Match, evening: ScoreEvening, all_players: Sequence[str]) -> list[Fault]:
    """Record the rounds of an evening. Return the faults of rounds that the rules do not allow.

    `all_players` are the players who have a column or a row in the table.
    """
    faults: list[Fault] = []
    names = [name for name in all_players if name in {*evening.all_players}]
    for lines, points in evening.rounds:
        if match.over:
            return [*faults, (lines, _over_before_the_rest(match))]
        try:
            record_round(
                match, points, names, all_players, evening.tallies_before.get(lines[0], {})
            )
        except Failure as failure:
            faults.append((lines, failure))
    return faults


def _unusual_rounds(match: Match, evening: ScoreEvening) -> list[tuple[int, int]]:
    """Return the line and the total of each round whose total is unusual under the rules."""
    known = match.ruleset.tally["sums"]
    totals = [
        (lines[0], sum((played.scores or {}).values()))
        for (lines, _), played in zip(evening.rounds, match.rounds, strict=True)
    ]
    return [(line, total) for line, total in totals if known and total not in known]


def _record_evening(match: Match, evening: ScoreEvening) -> list[Fault]:
    """Record an evening that is a single row. Return the faults of rows that the rules do not
    allow."""
    first, *others = evening.rounds or [((0,), {})]
    if others:
        return [(lines, _second_row(first[0][0])) for lines, _ in others]
    try:
        record_totals(match, first[1])
    except Failure as failure:
        return [(first[0], failure if failure.hint else without_entry_hint(failure))]
    return []


def _second_row(line: int) -> Failure:
    """Return the error for a second row of the same day when each row is a whole evening."""
    return Unreadable(
        tr(
            "this row could be another evening on the same day as {place}, or a part of that "
            "evening",
           place=place_text(line)),
        tr(
            "add a column called {column} to distinguish two evenings, or omit {option} if "
            "the rows are parts of one evening",
           column="title", option="--row evening"),
    )  # fmt: skip


def _begin_match(
    ruleset: Ruleset, evening: ScoreEvening, names: Sequence[str], whole: bool
) -> Match:
    """Return a new match between all players of an evening.

    If the rules cannot seat all of them, the match begins with the players who have points in the
    first round. Raises Unreadable if a detail is too long, and Impossible if the rules cannot seat
    even these players.
    """
    for key, text in evening.details.items():
        if len(str(text)) > untrusted.MAX_TEXT:
            most = untrusted.MAX_TEXT
            raise Unreadable(tr("{key} is longer than {most} characters", key=key, most=most))
    if seating_error(ruleset, len(names)) and evening.rounds:
        first = evening.rounds[0][1]
        names = [name for name in names if name in first]
    why = seating_error(ruleset, len(names))
    if why:
        raise Impossible(why, tr(TABLES_HINT if whole else CELLS_HINT))
    return Match(ruleset, names)


def _bad_heading(failure: Failure) -> Failure:
    """Return the error for a heading that cannot be a name."""
    return Unreadable(failure.message, tr("rename the column, or skip it: --columns skip=COLUMN"))


def _over_before_the_rest(match: Match) -> Failure:
    """Return the error for rounds that follow the end of a match."""
    return Impossible(
        tr("under these rules the match is finished after {count} rounds, but more rounds follow",
           count=len(match.rounds)),
        tr("if the players went on after that, add {option}", option="--set match.ends=false"),
    )  # fmt: skip


def _rejections(path: str, faults: Sequence[Fault]) -> list[Failure]:
    """Return the reasons to reject an evening, each with its lines."""
    failures: list[Failure] = []
    for lines, failure in sorted(faults, key=lambda each: each[0])[:MAX_FAULTS]:
        message = tr("{path}, {place}: {what}", path=quote(path, 200), place=_lines_text(lines),
                     what=failure.message)  # fmt: skip
        failures.append(Unreadable(message, failure.hint or tr(ROW_HINT)))
    if len(faults) > MAX_FAULTS:
        more = len(faults) - MAX_FAULTS
        message = tr("{path}: {count} more rows have errors", path=quote(path, 200), count=more)
        failures.append(Unreadable(message))
    return failures


def _lines_text(lines: Sequence[int]) -> str:
    """Return the lines of a fault as text. If there are too many, only the first ones are named."""
    text = places_text(lines[:MAX_LINES])
    return f"{text}, …" if len(lines) > MAX_LINES else text


# --- rounds of a row


def record_round(
    match: Match,
    points: Mapping[str, int],
    names: Sequence[str],
    all_players: Sequence[str],
    tallies_before: Mapping[str, int],
) -> None:
    """Record a round from its scores, after entries for players who join or quit and for the
    dealer.

    `names` are the players of the match in their order. `all_players` are the players who have a
    column or a row in the table. `tallies_before` are the tallies before the round, if the table
    contains them. If the round cannot be recorded, none of these entries is recorded, and Failure
    is raised with a hint about the table.
    """
    done = 0
    try:
        for text in _entries(match, points, names, all_players, tallies_before):
            match.record(text)
            done += 1
    except Failure as failure:
        for _ in range(done):
            match.undo()
        raise failure if isinstance(failure, _RowError) else without_entry_hint(failure) from None


def without_entry_hint(failure: Failure) -> Failure:
    """Replace the hint of an error with a hint about the table.

    The rules raised the error, so its own hint is about entries.
    """
    return Impossible(failure.message, tr(ROW_HINT))


class _RowError(Impossible):
    """An error for an ambiguous row, with a hint about the table."""


def _entries(
    match: Match,
    points: Mapping[str, int],
    names: Sequence[str],
    all_players: Sequence[str],
    tallies_before: Mapping[str, int],
) -> Iterator[str]:
    """Yield the entries for a row. Each entry depends on the match after the previous one."""
    begun = bool(match.rounds)
    if not _others_pay(match, points, all_players):
        if not (
            points.keys() == {*match.seated_players} or _find_dealer(match, points) is not None
        ):
            yield from _roster_entries(match, points, names)
        out = _sitting_out(match, points, begun)
        points = {name: each for name, each in points.items() if name not in out}
        dealer = _find_dealer(match, points)
        if (
            dealer is not None
            and dealer != match.current_round.seating.dealer
            and points.keys() < {*match.seated_players}
        ):
            yield f"dealer {match.seated_players[dealer]}"
    yield from _manual_changes(match, tallies_before)
    # if all points are equal, one entry names all these players; the other players may have to pay
    if len({*points.values()}) == 1:
        yield f"score {'+'.join(points)}: {next(iter(points.values())):+}"
    else:
        yield "score " + " / ".join(f"{name}: {each:+}" for name, each in points.items())


def _manual_changes(match: Match, tallies_before: Mapping[str, int]) -> Iterator[str]:
    """Yield a penalty for each tally that changes between two rounds of the table."""
    for name, tally in tallies_before.items():
        before = (
            match.current_round.seating.tally[match.seated_players.index(name)]
            if name in match.seated_players
            else tally
        )
        if tally != before:
            yield f"penalty {name}: {tally - before} {CHANGE_REASON}"


def _players_in(match: Match, dealer: int) -> list[str]:
    """Return the players who take part if the player in this seat deals."""
    seated = match.seated_players
    return [seated[seat] for seat in match.ruleset.seating(len(seated), dealer)]


def _find_dealer(match: Match, who: Collection[str]) -> int | None:
    """Return the seat of a dealer with whom exactly these players take part, or None if there is
    none.

    If several seats fit, the next dealer is preferred.
    """
    dealers = [match.current_round.seating.dealer, *range(len(match.seated_players))]
    return next((each for each in dealers if {*_players_in(match, each)} == {*who}), None)


# --- players who join and leave


def _roster_entries(match: Match, points: Mapping[str, int], names: Sequence[str]) -> Iterator[str]:
    """Yield the entries for players who join or quit.

    A new player with points joins to the left of the previous player in `names`. Players without
    points quit. Raises Impossible if the rules do not allow this number of players.
    """
    why = seating_error(match.ruleset, len(points))
    if why:
        raise _RowError(why, tr(CELLS_HINT))
    sitting = list(match.seated_players)
    absent = [name for name in sitting if name not in points]
    for name in names:
        if name in points and name not in sitting:
            before = names[: names.index(name)]
            beside = next((each for each in reversed(before) if each in sitting), sitting[-1])
            sitting.insert(sitting.index(beside) + 1, name)
            yield f"joins {name} after {beside}"
    yield from (f"quits {name}" for name in absent)


# --- players who sit out, and players who pay


def _sitting_out(match: Match, points: Mapping[str, int], begun: bool) -> Collection[str]:
    """Return the players who sat out if the row has a number for every player, otherwise an empty
    collection.

    A player who sat out has the number 0. If several players could have sat out, the order of
    dealers determines who did, except in the first round (`begun` is false). Raises Impossible if
    it is unclear who sat out, or if no player could have.
    """
    seated = match.seated_players
    ways = [
        tuple(name for name in seated if name not in _players_in(match, dealer))
        for dealer in range(len(seated))
    ]
    if points.keys() != {*seated} or not all(ways):
        return ()
    possible = [way for way in dict.fromkeys(ways) if not any(points[name] for name in way)]
    if not possible:
        raise _RowError(
            tr(
                "all {count} players at the table have points, but only {playing} of them "
                "play in a round",
               count=len(seated), playing=len(seated) - len(ways[0])),
            tr("leave the cells of players who sat out empty; if the row is a whole evening, "
               "add {option}",
               option="--row evening"),
        )  # fmt: skip
    due = ways[match.current_round.seating.dealer]
    if len(possible) > 1 and not (begun and due in possible):
        raise _RowError(
            tr("it is unclear who sat out: {one}, or {other}", one=join_list(possible[0]),
               other=join_list(possible[1])),
            tr("leave the cells of players who sat out empty"),
        )  # fmt: skip
    return possible[0] if len(possible) == 1 else due


def _others_pay(match: Match, points: Mapping[str, int], all_players: Sequence[str]) -> bool:
    """Return whether the players without a number must pay for the points of the others.

    Raises Impossible if it is unclear which players pay.
    """
    total = sum(points.values())
    if not (match.ruleset.tally["zero_sum"] and total and len({*points.values()}) == 1):
        return False
    blank = [name for name in all_players if name not in points]
    missing = len(_players_in(match, match.current_round.seating.dealer)) - len(points)
    if missing <= 0 or len(blank) < missing:
        return False
    if len(blank) > missing:
        one, other = (join_list(each) for each in islice(combinations(blank, missing), 2))
        raise _RowError(
            tr(
                "it is unclear who paid for the {points} of {names}: {one}, or {other}",
                points=f"{total // len(points):+}",
                names=join_list([*points]),
                one=one,
                other=other,
            ),
            tr("enter the points of each of them in the row"),
        )
    return {*blank, *points} <= {*match.seated_players}


# --- evenings with totals only
#
# The match has no round, because it is unknown how many rounds were played and who sat out. The
# points are recorded as penalties, which also count for players who would sit out a round.


def record_totals(match: Match, points: Mapping[str, int]) -> None:
    """Record the totals of all players in a match, and end the match.

    Raises Failure for totals that the rules do not allow.
    """
    tallies = _tallies(match, points)
    _check_totals(match, tallies)
    count, seats = len(match.seated_players), len(match.current_round.seats)
    texts = [
        f"penalty {match.seated_players[tally[0]]}: {total} {TOTALS_REASON}"
        for tally, total in tallies.items()
        if total
    ]
    _record_entries(match, texts)
    # in a finished round, the totals of players who sit out would not count
    if match.over and seats < count:
        raise _over_with_totals()
    if not match.over:
        match.record("end")


def _tallies(match: Match, points: Mapping[str, int]) -> dict[Tally, int]:
    """Return the points of each tally.

    Raises Impossible if players who share a tally have different points.
    """
    now = match.current_round
    points_by_tally: dict[Tally, int] = {}
    for seat, name in enumerate(match.seated_players):
        tally = now.seating.sharing_seats(seat)
        if points_by_tally.setdefault(tally, points[name]) != points[name]:
            names = join_list(now.names_of(tally))
            raise Impossible(
                tr(
                    "{names} are one side and share a tally, so they must have equal points",
                    names=names,
                )
            )
    return points_by_tally


def _check_totals(match: Match, tallies: Mapping[Tally, int]) -> None:
    """Raise Impossible for totals that no match can have under the rules."""
    now, rules = match.current_round, match.ruleset.tally
    total = sum(tallies.values())
    if rules["zero_sum"] and total:
        raise Impossible(
            tr(
                "under these rules the scores must add up to zero, but these add up to {sum}",
                sum=f"{total:+}",
            )
        )
    for (first, *_), points in tallies.items():
        number = now.seating.tally[first] + points
        if not rules["least"] <= number <= rules["most"]:
            raise Impossible(
                tr("the tally ({name}) must be from {least} to {most}; {player} would have "
                   "{number}",
                   name=match.ruleset.translate(rules["name"]), least=rules["least"],
                   most=rules["most"], player=now.names[first], number=number)
            )  # fmt: skip


def _record_entries(match: Match, texts: Sequence[str]) -> None:
    """Record these entries. If one of them ends the match under the rules, it is recorded last.

    Raises Impossible if several entries would end the match.
    """
    waiting = [*texts]
    while waiting:
        for text in waiting:
            match.record(text)
            if not match.over or len(waiting) == 1:
                break
            match.undo()
        else:
            raise _over_with_totals()
        waiting.remove(text)


def _over_with_totals() -> Impossible:
    return Impossible(
        tr("under these rules the match is finished before all these totals have been added"),
        tr("if the players went on after that, add {option}", option="--set match.ends=false"),
    )
