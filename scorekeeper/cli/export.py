"""Commands that write matches to files: export and sheet."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeVar

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    ReadOption,
    SelectionOptions,
    archive_of,
    commanded,
    complete_rulesets,
    listed_of,
    open_book,
    open_told,
    selected_rows,
    talk,
    with_selection,
)
from scorekeeper.cli.output import (
    ForceOption,
    ToOption,
    by_ending,
    check_free,
    check_outlet,
    is_folder,
    make_folder,
    progress,
    sheet_writer,
    write_bytes_out,
    write_out,
)
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.text import json_text, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.render.sheet import About
    from scorekeeper.render.sheet_model import Sheet
    from scorekeeper.store.round_cache import StoredMatch
    from scorekeeper.store.rows import MatchRow, Store
    from scorekeeper.store.selection import Selection

    Rows = Callable[[], Iterable[MatchRow]]

T = TypeVar("T")

# Names of files that are written into a folder.
FILES = {
    "json": "matches.json",
    "jsonl": "matches.jsonl",
    "csv": "entries.csv",
    "scores-csv": "scores.csv",
    "matches-csv": "matches.csv",
}

AT_A_TABLE = 4
MOST_DIGITS = 4  # of the number of players of a blank sheet


@commanded
@by_ending
@with_selection
def export(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID…", help="The matches (default: the one last recorded in)."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every match in the book.")] = False,
    *,
    selection: SelectionOptions,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FILE|DIR", help="Where to write (default: standard output)."),
    ] = None,
    force: ForceOption = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="What the tables' columns are, as JSON; no match.")
    ] = False,
    book: BookOption = None,
    format: Annotated[
        Literal["toml", "json", "jsonl", "csv", "scores-csv", "matches-csv"],
        typer.Option(
            "--format",
            help="Records; all data, one text or a match a line; a row an entry; a row a round and"
            " player; a row a match and player.",
        ),
    ] = "toml",
) -> int:
    """Export matches as records, JSON, or tables for a spreadsheet, pandas or a database.

    Example: scorekeeper export 1 --to evening.toml
    """
    if schema:
        from scorekeeper.history.columns import schema as described

        write_out([json_text(described()) + "\n"], to, "json", force)
        return FINE
    with open_book(book) as opened, archive_of(opened) as archive:
        rows = _rows(opened, ids or [], selection, all_)
        told = archive.tell(rows())
        with closing(progress(told, _count(rows), tr("exported"), silent=to is not None)) as shown:
            if format == "toml":
                _records(shown, rows, to, force)
            else:
                _data(shown, format, to, opened.aliases(), force)
    return FINE


BlankPlayers = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="With --blank: the players, or how many."),
]


@commanded
@by_ending
def sheet(
    players: BlankPlayers = None,
    match: ReadOption = None,
    blank: Annotated[
        str | None,
        typer.Option(
            "--blank",
            metavar="RULESET",
            help="An empty sheet to print before an evening.",
            autocompletion=complete_rulesets,
        ),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="How many empty rows a blank sheet has (default: a page of them).",
        ),
    ] = None,
    to: ToOption = None,
    force: ForceOption = False,
    stake: Annotated[
        str | None,
        typer.Option(
            "--stake", metavar="AMOUNT", help="What a point is worth (0.10): also who pays whom."
        ),
    ] = None,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "pdf", "json"],
        typer.Option("--format", help="How the sheet is written; html and pdf are for paper."),
    ] = "text",
) -> int:
    """Show or write the score sheet of a match, or a blank one to print.

    Example: scorekeeper sheet --format html --to evening.html
    """
    to = None if to == "-" else to  # the usual name for standard output
    if format == "pdf":
        check_outlet(to)
    if to is not None:
        check_free(to, format, force)
    if blank is None:
        if players:
            raise Unreadable(
                tr("players can only be named for a blank sheet"),
                "sheet --blank RULESET NAME NAME …",
            )
        if rows is not None:
            raise Unreadable(
                tr("--rows is only for a blank sheet"), "sheet --blank RULESET --rows 12"
            )
        made = _filled(book, match, stake)
    else:
        if stake is not None:
            raise Unreadable(tr("--stake is only for the sheet of a match"), "sheet --stake 0.10")
        if match is not None:
            raise Unreadable(tr("--blank and --match exclude each other"), f"sheet --match {match}")
        made = _empty(blank, players or [], rows)
    if format == "pdf":
        _print(made, to, force)
    else:
        write_out([_renderer(format, to)(made)], to, format, force)
    if to is not None:
        talk(tr("the sheet is in {file}", file=to))
    return FINE


# --- export


def _rows(store: Store, ids: Sequence[str], selection: Selection, every: bool) -> Rows:
    """Return a function that returns the requested matches, each time it is called."""
    from scorekeeper.store.selection import EVERYTHING

    if every and ids:
        raise Unreadable(
            tr("matches are chosen by number or by options, not by both"),
            tr("leave out the numbers, or --all"),
        )
    if not ids and not every and selection == EVERYTHING:
        return lambda: [store.match()]
    return lambda: selected_rows(store, ids, selection)


def _count(rows: Rows) -> int:
    """Return the number of matches for the progress bar. Without a terminal nothing is counted."""
    return sum(1 for _ in rows()) if sys.stderr.isatty() else 0


def _records(matches: Iterator[StoredMatch], rows: Rows, to: str | None, force: bool) -> None:
    """Write a record for each match, to a file or into a folder."""
    first = [*islice(matches, 2)]
    several = len(first) > 1
    folder = to is not None and is_folder(to)
    if several and (to is None or (not folder and (os.path.isfile(to) or to.endswith(".toml")))):
        raise Unreadable(tr("several records need a folder"), "--to FOLDER")
    written = 0
    if to is not None and (several or folder):
        for row in rows():  # check all files before the first is written
            check_free(_in_folder(to, row), "toml", force)
        make_folder(to)
    for kept in chain(first, matches):
        target = to
        if to is not None and (several or folder):
            target = _in_folder(to, kept.row)
        write_out([kept.record_text()], target, "toml", force)
        written += 1
        if target is not None and not several:
            talk(tr("match {match} is in {file}", match=kept.row.id, file=target))
    if written != 1:
        _say_written(written, to)


def _in_folder(folder: str, row: MatchRow) -> str:
    """Return the path of a match's record in a folder."""
    return os.path.join(folder, f"match-{row.id}.toml")


def _data(
    matches: Iterator[StoredMatch],
    format: str,
    to: str | None,
    aliases: Mapping[str, str],
    force: bool,
) -> None:
    """Write all matches into one text, as JSON or as a table."""
    from scorekeeper.render.export import as_csv, as_json, as_lines

    if to is not None and is_folder(to):
        make_folder(to)
        to = os.path.join(to, FILES[format])
    first = [*islice(matches, 1)]  # reports a wrong selection before anything is written
    # Tables with entries have the names as they were written.
    names = aliases if format in ("scores-csv", "matches-csv") else {}
    listed = _Counted(listed_of(kept, names) for kept in chain(first, matches))
    if format == "json":
        write_out(as_json(listed), to, format, force)
    elif format == "jsonl":
        write_out(as_lines(listed), to, format, force)
    else:
        rows = _Counted(as_csv(format, listed), lambda piece: piece.count("\n"))
        write_out(rows, to, format, force)
        if to is not None:
            _say_written(listed.count, to, rows.count - 1)  # without the heading
        return
    if to is not None:
        _say_written(listed.count, to)


class _Counted(Generic[T]):
    """An iterable that counts its items as they are read. `worth` is how much an item counts."""

    def __init__(self, made: Iterable[T], worth: Callable[[T], int] = lambda _: 1) -> None:
        self.count = 0
        self._made = made
        self._worth = worth

    def __iter__(self) -> Iterator[T]:
        for each in self._made:
            self.count += self._worth(each)
            yield each


def _say_written(matches: int, to: str | None, rows: int | None = None) -> None:
    """Print a line about what was written."""
    told = plural("{count} match", "{count} matches", matches)
    if rows is not None:
        told += ", " + plural("{count} row", "{count} rows", rows)
    talk(told if to is None else tr("{what} in {file}", what=told, file=to))


# --- sheet


def _filled(book: str | None, wanted: str | None, stake: str | None) -> Sheet:
    from scorekeeper.render.sheet import sheet as make
    from scorekeeper.render.sheet_model import stake_of

    worth = None if stake is None else stake_of(stake)
    told, meta = open_told(book, wanted)
    return make(told, about(meta), worth)


def about(meta: dict[str, str]) -> About:
    """Return the details of a match that its sheet shows."""
    from scorekeeper.render.sheet import About
    from scorekeeper.store.rows import moment_of

    said = (meta.get(key, "") for key in ("place", "title", "note"))
    started = moment_of(meta.get("started", ""), meta.get("day", ""))
    return About(meta.get("match", ""), started, *said)


def _empty(ruleset: str, named: list[str], rows: int | None) -> Sheet:
    """Return a blank sheet for the named players, or for a number of players."""
    from scorekeeper.engine.loading import load_ruleset
    from scorekeeper.render.sheet import blank_sheet

    rules = load_ruleset(ruleset)
    many = named[0] if len(named) == 1 and named[0].isascii() and named[0].isdigit() else ""
    if len(many) > MOST_DIGITS:
        raise Unreadable(
            tr("a sheet for {count} players is not possible", count=shown(many, 20)),
            f"sheet --blank {ruleset} {_usual(rules)}",
        )
    return blank_sheet(rules, int(many) if many else named or _usual(rules), rows=rows)


def _usual(rules: Ruleset) -> int:
    """Return the usual number of players for a blank sheet: 4, or as near as the ruleset allows."""
    from scorekeeper.engine.ruleset import counts

    found = counts(rules.players)
    return next((count for count in found if count >= AT_A_TABLE), found[-1])


def _print(made: Sheet, to: str | None, force: bool) -> None:
    """Write the sheet as PDF, and print a note about missing characters."""
    from scorekeeper.render import pdf

    printed = pdf.render(made)
    if printed.missing:
        talk(f"scorekeeper: {printed.missing}")
    write_bytes_out(printed.pages, to, "pdf", force)


def _renderer(format: str, to: str | None) -> Callable[[Sheet], str]:
    if format == "json":
        from scorekeeper.render.sheet_model import as_json

        return lambda made: f"{json_text(as_json(made))}\n"
    if format == "html":
        from scorekeeper.render import html

        return html.render
    return sheet_writer(format, to)
