"""The command `import`: records, JSON and tables of scores into the book, as new matches or in the
place of old ones."""

from __future__ import annotations

import os
import sys
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    BookOption,
    FormatOption,
    ShareOption,
    commanded,
    open_book,
    talk,
)
from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import listed, plural, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Plain
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.store.arriving import Arrival, Refused
    from scorekeeper.store.protocol import Store
    from scorekeeper.store.scores_table import Table
    from scorekeeper.store.table_rows import LeftOut
    from scorekeeper.store.taking import How


MOST_LINES = 10  # of rows that were left out


class Tables(NamedTuple):
    """How tables are to be read, as it was typed."""

    ruleset: str | None
    settings: Sequence[str]
    columns: str
    date: str
    order: str
    running: str
    row: str


@commanded
def import_(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Records, JSON, JSON lines, or a folder of them."),
    ],
    replace: Annotated[
        bool,
        typer.Option("--replace", help="An edited record puts the match right that it came from."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be taken, and write nothing.")
    ] = False,
    table: Annotated[
        bool, typer.Option("--table", help="The files are tables of scores (CSV).")
    ] = False,
    ruleset: Annotated[
        str | None,
        typer.Option("--ruleset", metavar="RULESET", help="What a table's matches were played by."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A choice of that ruleset."),
    ] = None,
    columns: Annotated[
        str,
        typer.Option(metavar="WHAT=COLUMN,…", help="Which column of a table is what."),
    ] = "",
    date: Annotated[
        str, typer.Option(metavar="DATE", help="The day of a table without dates: 2026-11-20.")
    ] = "",
    date_format: Annotated[
        Literal["ymd", "dmy", "mdy"] | None,
        typer.Option("--date-format", help="The order of day, month and year in a table."),
    ] = None,
    running: Annotated[
        Literal["match", "table"] | None,
        typer.Option("--running", help="Points are running totals, from 0 in each match, or on."),
    ] = None,
    row: Annotated[
        Literal["round", "evening"] | None,
        typer.Option("--row", help="What a row is: a round, or the totals of a whole evening."),
    ] = None,
    share: ShareOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Put records into the book; what is there already is not doubled.

    A record that was exported from a match of the book and edited may take its place: what differs
    is amended there, so `undo` and the log still have what was.

    Example: scorekeeper import evening.toml
    """
    said = date_format or "", running or "", row or ""
    how = Tables(ruleset, settings or (), columns, date, *said)
    if not table and how != Tables(None, (), "", "", "", "", ""):
        raise Unreadable(tr("this is said of tables alone"), "import --table FILE --ruleset NAME")
    found = _of_tables(files, how) if table else _of_files(files)
    with open_book(book, create=not dry_run, share=share) as store:
        return _imported(store, found, files, replace, dry_run, format, table)


def _imported(
    store: Store,
    found: Iterator[Arrival | Refused],
    files: Sequence[str],
    replace: bool,
    dry: bool,
    format: str,
    table: bool,
) -> int:
    from scorekeeper.cli.imported import Import, agreed
    from scorekeeper.cli.progress import progress
    from scorekeeper.store.arriving import Refused
    from scorekeeper.store.taking import take_alone, taken

    first = [*islice(found, 2)]
    several = len(first) > 1
    asks = format == "text" and sys.stdin.isatty()
    how: How = "replace" if replace else "ask" if asks else "beside"
    if dry:
        how = "look to replace" if replace else "look"
    done = Import(format, several, dry, table)
    shown_ = progress(chain(first, found), _bytes(files), "imported", lambda each: each.size, True)
    waiting: list[tuple[Arrival, int]] = []
    try:
        for each in taken(store, shown_, how):
            if not isinstance(each, Refused) and not each[1].match and how == "ask":
                waiting.append((each[0], each[1].origins[0].id))
            else:
                done.heard(each)
        for arrival, origin in waiting:
            chosen: How = "replace" if agreed(arrival, store.match(origin)) else "beside"
            done.heard(take_alone(store, arrival, chosen))
    finally:
        done.end()
    return done.code


def _of_files(paths: Sequence[str]) -> Iterator[Arrival | Refused]:
    """The matches in files and folders."""
    from scorekeeper.store.arriving import Refused, arrivals, files_of

    for path in paths:
        try:
            files = files_of(path)
        except Damaged as failure:
            yield Refused(path, 0, [failure])
            continue
        for file in files:
            yield from arrivals(file)


def _of_tables(paths: Sequence[str], how: Tables) -> Iterator[Arrival | Refused]:
    """The matches in tables. Raises Unreadable and Damaged for a ruleset that is not there, and for
    what cannot be said of a table."""
    from scorekeeper.cli.describing import begun
    from scorekeeper.store.arriving import Refused
    from scorekeeper.store.evenings import matches_of
    from scorekeeper.store.scores_table import Mapped, read_table

    asked = _rules(how.ruleset, how.settings) if how.ruleset else None
    mapped = Mapped(_mapping(how.columns), begun(how.date), how.order, how.running)
    for path in paths:
        try:
            table = read_table(path, mapped)
        except Failure as failure:
            if asked is None:
                raise _nothing_said() from None
            yield Refused(path, 0, [failure])
            continue
        if asked is None and table.columns.ruleset is None:
            raise _nothing_said()
        talk(*_understood(path, table))
        for told in () if how.row else _guessed(table):
            talk(told)
        for name, part in _by_ruleset(table):
            if asked is not None and name not in ("", asked[0].name):
                yield _by_others(path, part, name)
                continue
            try:
                rules, options = asked or _rules_in(name, how.settings)
            except Failure as failure:
                yield _in_line(path, part, failure.message, failure.hint)
                continue
            made = matches_of(path, part, rules, options, how.row)
            yield from _held_against(made, rules.tally["sums"])


def _held_against(
    found: Iterator[Arrival | Refused], sums: Sequence[int]
) -> Iterator[Arrival | Refused]:
    """The same matches; then what their rounds come to is told where the rules know no such sum."""
    from scorekeeper.store.arriving import Arrival
    from scorekeeper.store.table_turned import place

    count, unlike = 0, list[tuple[int, int]]()
    for each in found:
        if isinstance(each, Arrival):
            count += len(each.match.rounds)
            unlike += each.unlike
        yield each
    if unlike:
        told = ", ".join(f"{place(line)} ({total})" for line, total in unlike[:MOST_LINES])
        talk(
            plural(
                "  {unlike} of {count} round does not come to {sums}, and was taken as it is:"
                " {places}",
                "  {unlike} of {count} rounds do not come to {sums}, and were taken as they are:"
                " {places}",
                count,
                unlike=len(unlike),
                sums=listed([*map(str, sums)], "or"),
                places=f"{told}, …" if len(unlike) > MOST_LINES else told,
            )
        )


def _rules(name: str, settings: Sequence[str]) -> tuple[Ruleset, Mapping[str, Plain]]:
    """A ruleset with what was set of it. Raises Unreadable, Damaged."""
    from scorekeeper.ruleset.loading import check, refusal

    rules, options, faults = check(name, settings)
    if rules is None:
        raise refusal(name, faults)
    return rules, options


def _rules_in(name: str, settings: Sequence[str]) -> tuple[Ruleset, Mapping[str, Plain]]:
    """The ruleset that a table names, which may be a stranger's: no file is read for that. Raises
    Unreadable, Damaged."""
    from scorekeeper.ruleset.sources import is_name

    if not is_name(name):
        raise Unreadable(tr("“{name}” is no name of a ruleset", name=shown(name)), "--ruleset NAME")
    return _rules(name, settings)


def _nothing_said() -> Failure:
    return Unreadable(tr("what was played does not stand in a table"), "--ruleset NAME")


def _by_ruleset(table: Table) -> Iterator[tuple[str, Table]]:
    """The parts of a table by what was played, where that stands in it."""
    names = dict.fromkeys(row.own[1] if row.own else "" for row in table.rows)
    for name in names:
        rows = [row for row in table.rows if not name or row.own[1] == name]
        yield name, table._replace(rows=rows)


def _by_others(path: str, table: Table, name: str) -> Refused:
    """What was played by another ruleset than the one that was said."""
    hint = tr("leave {option} out: the table says what was played", option="--ruleset")
    return _in_line(path, table, tr("this was played by {ruleset}", ruleset=shown(name)), hint)


def _in_line(path: str, table: Table, what: str, hint: str) -> Refused:
    """A part of a table that cannot be taken, by its first line."""
    from scorekeeper.store.arriving import Refused

    line = table.rows[0].line
    said = tr("{path}, line {line}: {what}", path=shown(path, 200), line=line, what=what)
    return Refused(path, line, [Unreadable(said, hint)])


def _mapping(text: str) -> dict[str, str]:
    """What is said of columns: `date=Datum,name=Spieler`. Raises Unreadable."""
    from scorekeeper.store.table_columns import SEVERAL
    from scorekeeper.store.table_words import HEADINGS

    found: dict[str, str] = {}
    for part in filter(str.strip, text.split(",")):
        key, equals, column = (each.strip() for each in part.partition("="))
        if key not in (*HEADINGS, *SEVERAL) or not equals or not column:
            raise Unreadable(
                tr("“{text}” says of no column what it is", text=shown(part)),
                tr("write it like {example}; it may be {keys}",
                   example="--columns date=Datum,name=Spieler",
                   keys=", ".join((*HEADINGS, *SEVERAL))),
            )  # fmt: skip
        found[key] = column
    return found


def _understood(path: str, table: Table) -> Iterator[str]:
    """How a table was read, and what of it was left out."""
    columns, heads = table.columns, table.headings
    named = {key: getattr(columns, key) for key in ("date", "title", "place", "round", "name",
                                                    "points")}  # fmt: skip
    told = [f"{key} “{shown((columns.headed and heads[at]) or at + 1)}”"
            for key, at in named.items() if at is not None and not table.turned]  # fmt: skip
    if columns.match is not None:
        told = [tr("scores as this program exports them")]
    if table.turned:
        told.append(tr("turned round, for its rows are players"))
    if columns.players:
        told.append(tr("players {names}", names=", ".join(map(shown, columns.players.values()))))
    left = [shown(heads[at] or str(at + 1)) for at in columns.left_out]
    if left and columns.match is None:
        told.append(tr("left out {columns}", columns=", ".join(left)))
    if columns.date is not None and columns.match is None:
        told.append(tr("dates {order}", order=table.dates.order))
    if table.encoding != "utf-8":
        told.append(tr("its signs are {encoding}", encoding=table.encoding))
    yield tr("{path}: {what}", path=shown(path, 200), what="; ".join(told))
    if columns.texts:
        names = [f"“{shown(heads[at])}”" if heads[at] else tr("column {column}", column=at + 1)
                 for at in columns.texts]  # fmt: skip
        yield plural(
            "  {columns} holds texts, so it is nobody's points; if it is: {option}",
            "  {columns} hold texts, so they are nobody's points; if they are: {option}",
            len(names),
            columns=", ".join(names),
            option="--columns players=Ana+Ben",
        )
    yield from _left_out(table.left_out)


def _guessed(table: Table) -> Iterator[str]:
    """What a row was taken for, or may be, where nobody has said it."""
    from scorekeeper.store.evenings import EVENING, one_a_day, row_is

    if row_is(table) == EVENING:
        yield tr("  each column is a whole evening; if it is a round: {option}",
                 option="--row round")  # fmt: skip
    elif one_a_day(table):
        yield tr("  each day has one row: if that is a whole evening, {option}",
                 option="--row evening")  # fmt: skip


def _left_out(rows: Sequence[LeftOut]) -> Iterator[str]:
    """Which rows of a table were left out, and why."""
    from scorekeeper.store.table_rows import ABOVE, AROUND, CALLED, COMES_TO, EMPTY, VOID
    from scorekeeper.store.table_turned import place

    whys = (ABOVE, AROUND, CALLED, COMES_TO, EMPTY, VOID)
    above, around, called, sums, empty, void = (
        [row for row in rows if row.why == why] for why in whys
    )
    for row in above:
        yield tr("  above the headings, and left out: {place}, “{what}”",
                 place=place(row.line), what=row.what)  # fmt: skip
    if around:
        yield plural(
            "  {count} line stands around the table, and was left out: {places}",
            "  {count} lines stand around the table, and were left out: {places}",
            len(around),
            places=_places(around),
        )
    if called:
        yield plural(
            "  {count} row is a sum, and was left out: {place}, “{what}”",
            "  {count} rows are sums, and were left out: the first is {place}, “{what}”",
            len(called),
            place=place(called[0].line),
            what=called[0].what,
        )
    if sums:
        yield plural(
            "  {count} row comes to what those above it do, and was left out: {places}",
            "  {count} rows come to what those above them do, and were left out: {places}",
            len(sums),
            places=_places(sums),
        )
    if empty:
        yield plural(
            "  {count} row has no points, and was left out: {places}",
            "  {count} rows have no points, and were left out: {places}",
            len(empty),
            places=_places(empty),
        )
    if void:
        yield plural(
            "  {count} row is of a round that counts for nothing, and was left out: {places}",
            "  {count} rows are of rounds that count for nothing, and were left out: {places}",
            len(void),
            places=_places(void),
        )


def _places(rows: Sequence[LeftOut]) -> str:
    """Where the first rows stand."""
    from scorekeeper.store.table_turned import places

    told = places([row.line for row in rows[:MOST_LINES]])
    return f"{told}, …" if len(rows) > MOST_LINES else told


def _bytes(files: Sequence[str]) -> int:
    """How large files are together; folders are taken by what lies in them."""
    from scorekeeper.store.arriving import files_of

    total = 0
    for path in files:
        try:
            total += sum(map(os.path.getsize, files_of(path)))
        except (OSError, Failure):
            continue
    return max(total, 1)
