"""Score tables of other programs and spreadsheets, which are checked and made into matches.

A *long* table has a row for each player (a column of names, one of points). A *wide* table has a
row for each round or evening (a column for each player). A table with two possible readings is
rejected, and the message names both. Each day and title is a match, and each row or number in it
is a round.
"""

from __future__ import annotations

import os
from itertools import combinations, islice
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import listed, mark, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.seating import checked_names, why_not_seated
from scorekeeper.match.match import Match
from scorekeeper.store.arrivals import Arrival, Refused
from scorekeeper.store.score_cells import (
    Columns,
    Dates,
    Texts,
    columns_of,
    dates_of,
    is_date,
    is_text,
    is_total,
    lines_of,
)
from scorekeeper.store.score_rows import (
    ABOVE,
    AROUND,
    CALLED,
    COMES_TO,
    EMPTY,
    NOTHING,
    VOID,
    YES,
    Column,
    LeftOut,
    NoDay,
    Reader,
    Scores,
    by_number,
    cell_of,
    differences,
    either,
    label_of,
    place,
    places,
    repeats_among,
    rounds_of,
    sums_among,
    turned,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Plain
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.store.rows import Said
    from scorekeeper.store.score_rows import Fault, Round

    Tally = tuple[int, ...]  # the seats that share a tally

WHY_TOTALS = "sum of the evening, no penalty"
WHY = "set by hand, as the table has it"
ANOTHER = mark(
    "put the row right, or say by which rules it counts: --ruleset NAME, --set KEY=VALUE"
)
EACH = mark(
    "write into the row what each has who played, 0 too, or say by which rules it counts:"
    " --ruleset NAME, --set KEY=VALUE"
)


class Mapped(NamedTuple):
    """The options for reading a table.

    `columns` are the meanings of columns (see `detect_columns`), and `date` is the day of a
    table without dates. `order` is the order of the parts of dates (`ymd`, `dmy`, `mdy`; empty:
    detect it). `running` is set if points are running totals, which start again with each
    `match` or never (`table`).
    """

    columns: Mapping[str, str] = {}
    date: str = ""
    order: str = ""
    running: str = ""


class Table(NamedTuple):
    """A table that was read: its rows, the meanings of its columns, how it was decoded, and skipped
    rows.

    `turned` is set if its rows are columns in the file.
    """

    rows: Sequence[Scores]
    columns: Columns
    headings: Sequence[str]
    encoding: str
    delimiter: str
    dates: Dates
    left_out: Sequence[LeftOut]
    turned: bool


def read_table(path: str, how: Mapped) -> Table:
    """Read a table. Raises Damaged for a file that is not a table, Unreadable for unclear columns
    or dates."""
    lines = lines_of(path)
    days = turned(path, lines.rows)
    (line, first), *_ = table = days or lines.rows
    headings = [cell.strip() for cell in first]
    texts = _texts([row for _, row in table[1:]])
    widest = max(len(row) for _, row in table)
    headings += [""] * (min(_named(texts.all, how.columns), widest) - len(first))
    columns = columns_of(path, headings, line, how.columns, texts)
    columns = columns._replace(unnamed=[at for at in columns.unnamed if at < len(first)])
    begun = table[columns.headed :]
    columns = _dated(columns, [row for _, row in begun])
    told = [(line if days else at, cell_of(row, columns.date)) for at, row in begun]
    dates = dates_of(path, told, how.order)
    reader = Reader(columns, len(first), dates, how.date)
    rows: list[Scores] = []
    left_out = [LeftOut(at, shown(text), ABOVE) for at, text in lines.above]
    left_out += [LeftOut(at, "", AROUND) for at in lines.around]
    for line, row in begun:
        if cell_of(row, columns.void) == YES:
            left_out.append(LeftOut(line, "", VOID))
            continue
        label = label_of(row, columns)
        scores = None if label else reader.read(line, row)
        if scores is None or not (scores.points or scores.stood):
            left_out.append(LeftOut(line, shown(label), CALLED if label else EMPTY))
        else:
            rows.append(scores)
    wide = columns.name is None
    if not wide:
        rows = by_number(rows)
    if how.running:
        rows = [*differences(rows, how.running)]
    sums = repeats_among(rows, wide) if how.running else sums_among(rows, wide)
    rows, more = _without(rows, *sums)
    left_out = sorted([*left_out, *more])
    if not rows:
        raise Unreadable(tr("{path}: there is no row with points", path=shown(path, 200)))
    signs = lines.encoding, lines.delimiter
    return Table(rows, columns, headings, *signs, dates, left_out, days is not None)


def _texts(rows: Sequence[Sequence[str]]) -> Texts:
    """Return the columns that only contain texts, except in rows of sums."""
    texts: set[int] = set()
    wordy: set[int] = set()
    others: set[int] = set()
    for row in rows:
        cells = [cell.strip() for cell in row]
        if any(map(is_total, cells)):
            continue
        for at, cell in enumerate(cells):
            if cell in NOTHING or at in others:
                continue
            if not is_text(cell):
                others.add(at)
            elif any(map(str.isdigit, cell)):
                texts.add(at)
            else:
                wordy.add(at)
    return Texts(frozenset((texts | wordy) - others), frozenset(wordy - texts - others))


def _named(texts: Iterable[int], wanted: Mapping[str, str]) -> int:
    """Return the number of columns up to the last one that has texts, or is skipped."""
    said = (part.strip() for part in wanted.get("skip", "").split("+"))
    skipped = (int(part[:9]) for part in said if part.isascii() and part.isdigit())
    return max([*(at + 1 for at in texts), *skipped], default=0)


def _dated(columns: Columns, rows: Sequence[Sequence[str]]) -> Columns:
    """Return the columns with a date, which may be a column without a heading.

    All its cells are dates, except in rows of sums.
    """
    for at in columns.unnamed if columns.date is None else ():
        cells = [cell for row in rows if (cell := cell_of(row, at)) and not is_total(cell)]
        if cells and all(map(is_date, cells)):
            others = [[each for each in some if each != at]
                      for some in (columns.left_out, columns.unnamed)]  # fmt: skip
            return columns._replace(date=at, left_out=others[0], unnamed=others[1])
    return columns


def _without(
    rows: Sequence[Scores], sure: Collection[int], unsure: Container[int]
) -> tuple[list[Scores], list[LeftOut]]:
    """Return the rows without certain sums, and the skipped rows. Possible sums are rejected."""
    kept = [
        row._replace(points=either()) if at in unsure else row
        for at, row in enumerate(rows)
        if at not in sure
    ]
    return kept, [LeftOut(rows[at].line, "", COMES_TO) for at in sure]


# --- matches of a table


NOTE = "imported from "  # the beginning of the note of a match from a score table
TOTALS = ", a row a whole evening: its totals alone are known"
# The meaning of a row.
ROUND, EVENING = "round", "evening"
TABLES = mark(
    "a row for each table that they sat at, told apart by a column called title; or say by which"
    " rules it counts: --ruleset NAME, --set KEY=VALUE"
)
MOST_FAULTS = 10  # reported faults of a match
MOST_LINES = 10  # reported lines of a fault


class Evening:
    """A match of a table: its details, its rounds with their lines, and the faults of its rows."""

    def __init__(self, first: Scores) -> None:
        self.line = 1 if isinstance(first.line, Column) else first.line  # the line of the headings
        said: Said = {"started": first.date, "title": first.title, "place": first.place}
        self.about: Said = {key: text for key, text in said.items() if text}  # type: ignore[assignment]
        self.rows: list[Scores] = []
        self.rounds: list[Round] = []
        self.faults: list[Fault] = []
        # The tallies of players before a round, if the table contains them, by the line of a row.
        self.stood: dict[int, dict[str, int]] = {}

    def split(self, seats: Sequence[str]) -> None:
        """Divide the rows into rounds. `seats` are the players of a wide table, in which each row
        is a round.

        Rows of a long table are divided by `group_rounds`.
        """
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
        """The players with points and those without who sat out, in the order of the table."""
        said = (row.stood for row in self.rows)
        points = (points for _, points in self.rounds)
        return list(dict.fromkeys(name for each in (*said, *points) for name in each))


def evenings_of(table: Table) -> list[Evening]:
    """Return the matches of a table, in the order of their first rows."""
    found: dict[tuple[str, ...], Evening] = {}
    astray = 0  # the line of a row just above with an unreadable date
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
    """Return the failure of a match after a row with an unreadable date."""
    return Unreadable(
        tr(
            "{place} above, whose date cannot be read, may belong to this day too",
            place=place(line),
        ),
        tr("put {place} right", place=place(line)),
    )


def one_a_day(table: Table) -> bool:
    """Return whether a table has several rows, each with a different day."""
    days = [row.match for row in table.rows if row.date and row.marked and not row.round]
    wide = table.columns.name is None
    return wide and len({*days}) == len(days) == len(table.rows) > 1


def row_is(table: Table) -> str:
    """Return the default meaning of a row, ROUND, or EVENING if each day is the heading of one
    column."""
    return EVENING if table.turned and (one_a_day(table) or len(table.rows) == 1) else ROUND


def matches_of(
    path: str, table: Table, ruleset: Ruleset, options: Mapping[str, Plain], row: str = ""
) -> Iterator[Arrival | Refused]:
    """Play the matches of a table under a ruleset and return them, each as it is made.

    A match that the rules do not allow is rejected with the reasons for its rows. `row` is ROUND or
    EVENING, by default the result of `default_row_kind`.
    """
    seats = list(table.columns.players.values())
    try:
        checked_names(ruleset.lexicon, tuple(seats))
    except Failure as failure:
        yield Refused(path, 1, _told(path, [((1,), _misnamed(failure))]))
        return
    whole = (row or row_is(table)) == EVENING
    for evening in evenings_of(table):
        names = evening.everybody
        if whole:  # only they have a total
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
    """Record the rounds of an evening. Return the faults that the rules find.

    `everybody` are the players of whom the table has a column or a row.
    """
    faults: list[Fault] = []
    names = [name for name in everybody if name in {*evening.everybody}]
    for lines, points in evening.rounds:
        if match.over:
            return [*faults, (lines, _over_before_the_rest(match))]
        try:
            record_round(match, points, names, everybody, evening.stood.get(lines[0], {}))
        except Failure as failure:
            faults.append((lines, failure))
    return faults


def _unlike(match: Match, evening: Evening) -> list[tuple[int, int]]:
    """Return the rounds with a total that the rules do not have, each with its line."""
    known = match.ruleset.tally["sums"]
    came = [
        (lines[0], sum((played.scores or {}).values()))
        for (lines, _), played in zip(evening.rounds, match.rounds, strict=True)
    ]
    return [(line, total) for line, total in came if known and total not in known]


def _totalled(match: Match, evening: Evening) -> list[Fault]:
    """Record an evening that is a single row. Return the faults that the rules find."""
    first, *others = evening.rounds or [((0,), {})]
    if others:
        return [(lines, _twice(first[0][0])) for lines, _ in others]
    try:
        record_totals(match, first[1])
    except Failure as failure:
        return [(first[0], failure if failure.hint else told(failure))]
    return []


def _twice(line: int) -> Failure:
    """Return the failure of a second row of the same day if each row is a whole evening."""
    return Unreadable(
        tr("it may be another evening than {place}, on the same day, or a part of that",
           place=place(line)),
        tr("tell evenings apart by a column {column}; of parts leave {option} out",
           column="title", option="--row evening"),
    )  # fmt: skip


def _begun(ruleset: Ruleset, evening: Evening, names: Sequence[str], whole: bool) -> Match:
    """Return a match between all players of an evening.

    If the rules cannot seat all of them, it begins with the players who have points in the first
    round. Raises Unreadable and Impossible.
    """
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
    """Return the failure of a heading that cannot be a name."""
    return Unreadable(
        failure.message, tr("name it otherwise, or leave it out: --columns skip=COLUMN")
    )


def _over_before_the_rest(match: Match) -> Failure:
    """Return the failure of rounds after the end of a match."""
    return Impossible(
        tr("the match is over with {count} rounds by these rules, and more follow",
           count=len(match.rounds)),
        tr("if they played on: {option}", option="--set match.ends=false"),
    )  # fmt: skip


def _told(path: str, faults: Sequence[Fault]) -> list[Failure]:
    """Return the reasons why an evening is rejected, each with its lines."""
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
    """Return the lines of a fault as text, only the first of many."""
    told = places(lines[:MOST_LINES])
    return f"{told}, …" if len(lines) > MOST_LINES else told


# --- rounds of a row


def record_round(
    match: Match,
    points: Mapping[str, int],
    names: Sequence[str],
    everybody: Sequence[str],
    stood: Mapping[str, int],
) -> None:
    """Record a round by its scores, and before it the players who join, quit or deal.

    `names` are the players of the match in their order, and `everybody` those of whom the table
    has a column or a row. `stood` are the tallies before the round, if the table contains them.
    Raises Failure with a hint that fits a table. Then nothing of the round is recorded.
    """
    done = 0
    try:
        for text in _entries(match, points, names, everybody, stood):
            match.record(text)
            done += 1
    except Failure as failure:
        for _ in range(done):
            match.undo()
        raise failure if isinstance(failure, _Said) else told(failure) from None


def told(failure: Failure) -> Failure:
    """Return a failure of the rules with a hint that fits a table."""
    return Impossible(failure.message, tr(ANOTHER))


class _Said(Impossible):
    """A row that is unclear. Its hint fits a table."""


def _entries(
    match: Match,
    points: Mapping[str, int],
    names: Sequence[str],
    everybody: Sequence[str],
    stood: Mapping[str, int],
) -> Iterator[str]:
    """Return the entries for a row. Each one depends on the state after those before it."""
    begun = bool(match.rounds)
    if not _others_pay(match, points, everybody):
        if not (points.keys() == {*match.seated} or _dealer_of(match, points) is not None):
            yield from _comings_and_goings(match, points, names)
        out = _who_sits_out(match, points, begun)
        points = {name: each for name, each in points.items() if name not in out}
        dealer = _dealer_of(match, points)
        if (
            dealer is not None
            and dealer != match.now.seating.dealer
            and points.keys() < {*match.seated}
        ):
            yield f"dealer {match.seated[dealer]}"
    yield from _by_hand(match, stood)
    if len({*points.values()}) == 1:  # the others may have to pay for it
        yield f"score {'+'.join(points)}: {next(iter(points.values())):+}"
    else:
        yield "score " + " / ".join(f"{name}: {each:+}" for name, each in points.items())


def _by_hand(match: Match, stood: Mapping[str, int]) -> Iterator[str]:
    """Return penalties for changes of the tallies between rounds."""
    for name, tally in stood.items():
        before = (
            match.now.seating.tally[match.seated.index(name)] if name in match.seated else tally
        )
        if tally != before:
            yield f"penalty {name}: {tally - before} {WHY}"


def _playing(match: Match, dealer: int) -> list[str]:
    """Return the players who take part if the player in this seat deals."""
    seated = match.seated
    return [seated[seat] for seat in match.ruleset.seating(len(seated), dealer)]


def _dealer_of(match: Match, who: Collection[str]) -> int | None:
    """Return a seat whose dealer makes exactly these players take part, None if there is none.

    The next dealer is preferred.
    """
    dealers = [match.now.seating.dealer, *range(len(match.seated))]
    return next((each for each in dealers if {*_playing(match, each)} == {*who}), None)


# --- players who join and leave


def _comings_and_goings(
    match: Match, points: Mapping[str, int], names: Sequence[str]
) -> Iterator[str]:
    """Return the entries for players who join and quit.

    Players with points join to the left of the player before them in `names`. Players without
    points quit. Raises Impossible if the rules do not allow this number of players.
    """
    why = why_not_seated(match.ruleset, len(points))
    if why:
        raise _Said(why, tr(EACH))
    sitting = list(match.seated)
    absent = [name for name in sitting if name not in points]
    for name in names:
        if name in points and name not in sitting:
            before = names[: names.index(name)]
            beside = next((each for each in reversed(before) if each in sitting), sitting[-1])
            sitting.insert(sitting.index(beside) + 1, name)
            yield f"joins {name} after {beside}"
    yield from (f"quits {name}" for name in absent)


# --- players who sit out, and players who pay


def _who_sits_out(match: Match, points: Mapping[str, int], begun: bool) -> Collection[str]:
    """Return the players who sat out although the row has a number for each.

    Their numbers are 0. If several players could have sat out, the order of dealers decides,
    once a round was played (`begun`). Raises Impossible if it is unclear, or if no player can
    have sat out.
    """
    seated = match.seated
    ways = [
        tuple(name for name in seated if name not in _playing(match, dealer))
        for dealer in range(len(seated))
    ]
    if points.keys() != {*seated} or not all(ways):
        return ()
    found = [way for way in dict.fromkeys(ways) if not any(points[name] for name in way)]
    if not found:
        raise _Said(
            tr("all {count} at the table have points, and only {playing} of them play a round",
               count=len(seated), playing=len(seated) - len(ways[0])),
            tr("leave the cell of who sat out empty; if the row is a whole evening: {option}",
               option="--row evening"),
        )  # fmt: skip
    due = ways[match.now.seating.dealer]
    if len(found) > 1 and not (begun and due in found):
        raise _Said(
            tr("nobody can tell who sat out: {one}, or {other}", one=listed(found[0]),
               other=listed(found[1])),
            tr("leave the cell of who sat out empty"),
        )  # fmt: skip
    return found[0] if len(found) == 1 else due


def _others_pay(match: Match, points: Mapping[str, int], everybody: Sequence[str]) -> bool:
    """Return whether the players without a number pay for the points of the others.

    Raises Impossible if several players could be meant.
    """
    total = sum(points.values())
    if not (match.ruleset.tally["zero_sum"] and total and len({*points.values()}) == 1):
        return False
    blank = [name for name in everybody if name not in points]
    missing = len(_playing(match, match.now.seating.dealer)) - len(points)
    if missing <= 0 or len(blank) < missing:
        return False
    if len(blank) > missing:
        one, other = (listed(each) for each in islice(combinations(blank, missing), 2))
        raise _Said(
            tr("who paid for the {points} of {names} may be {one}, or {other}",
               points=f"{total // len(points):+}", names=listed([*points]), one=one, other=other),
            tr("write into the row what each of them has"),
        )  # fmt: skip
    return {*blank, *points} <= {*match.seated}


# --- evenings of which only the totals are known
#
# The match has no round, because the number of rounds and who sat out are unknown. The points are
# recorded as penalties, which also count for players who would sit out a round.


def record_totals(match: Match, points: Mapping[str, int]) -> None:
    """Record the totals of all players in a match, and its end.

    Raises Failure for totals that the rules do not allow.
    """
    tallies = _tallies(match, points)
    _check(match, tallies)
    everybody, seats = len(match.seated), len(match.now.seats)
    texts = [
        f"penalty {match.seated[tally[0]]}: {total} {WHY_TOTALS}"
        for tally, total in tallies.items()
        if total
    ]
    _record(match, texts)
    # players who sit out would have no part in a finished round
    if match.over and seats < everybody:
        raise _over_with_totals()
    if not match.over:
        match.record("end")


def _tallies(match: Match, points: Mapping[str, int]) -> dict[Tally, int]:
    """Return the points of each tally. Raises Impossible if players of a side have different
    points."""
    now = match.now
    found: dict[Tally, int] = {}
    for seat, name in enumerate(match.seated):
        tally = now.seating.sharing(seat)
        if found.setdefault(tally, points[name]) != points[name]:
            names = listed(now.names_of(tally))
            raise Impossible(tr("{names} are one side, with one tally", names=names))
    return found


def _check(match: Match, tallies: Mapping[Tally, int]) -> None:
    """Raise Impossible for totals that no match can have."""
    now, rules = match.now, match.ruleset.tally
    total = sum(tallies.values())
    if rules["zero_sum"] and total:
        raise Impossible(tr("scores sum to zero here, and these come to {sum}", sum=f"{total:+}"))
    for (first, *_), points in tallies.items():
        number = now.seating.tally[first] + points
        if not rules["least"] <= number <= rules["most"]:
            raise Impossible(
                tr("the tally ({name}) is from {least} to {most}; {player} would stand at {number}",
                   name=match.ruleset.said(rules["name"]), least=rules["least"],
                   most=rules["most"], player=now.names[first], number=number)
            )  # fmt: skip


def _record(match: Match, texts: Sequence[str]) -> None:
    """Record these entries. An entry that ends the match by the rules is recorded last.

    Raises Impossible if several entries would end it.
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
        tr("with these totals the match is over by these rules before they all count"),
        tr("if they played on: {option}", option="--set match.ends=false"),
    )
