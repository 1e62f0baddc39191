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
    catalog_entry,
    cli_command,
    complete_rulesets,
    open_book,
    open_finished_rounds,
    open_round_cache,
    print_notes,
    select_rows,
    with_selection,
)
from scorekeeper.cli.output import (
    ForceOption,
    ToOption,
    check_not_terminal,
    check_replaceable,
    is_folder,
    make_folder,
    progress,
    sheet_writer,
    with_format_by_ending,
    write_bytes_out,
    write_out,
)
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.text import format_json, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.render.sheet import SheetDetails
    from scorekeeper.render.sheet_model import Sheet
    from scorekeeper.store.round_cache import StoredMatch
    from scorekeeper.store.rows import MatchRow, Store
    from scorekeeper.store.selection import Selection

    Rows = Callable[[], Iterable[MatchRow]]

T = TypeVar("T")

# File names, by format, for exports into a folder.
FILE_NAMES = {
    "json": "matches.json",
    "jsonl": "matches.jsonl",
    "csv": "entries.csv",
    "scores-csv": "scores.csv",
    "matches-csv": "matches.csv",
}

USUAL_PLAYERS = 4
MAX_DIGITS = 4  # maximum number of digits accepted in a typed number of players


@cli_command
@with_format_by_ending
@with_selection
def export(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID…", help="Match numbers (default: the most recently changed match)."
        ),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Export every match in the book.")] = False,
    *,
    selection: SelectionOptions,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FILE|DIR", help="The file to write (default: standard output)."
        ),
    ] = None,
    force: ForceOption = False,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            help="Instead of exporting matches, describe the columns of all tables as JSON.",
        ),
    ] = False,
    book: BookOption = None,
    format: Annotated[
        Literal["toml", "json", "jsonl", "csv", "scores-csv", "matches-csv"],
        typer.Option(
            "--format",
            help=(
                "toml: records. json and jsonl: all data. csv: one row per entry. "
                "scores-csv: one row per round and player. matches-csv: one row per match "
                "and player."
            ),
        ),
    ] = "toml",
) -> int:
    """Export matches as records, JSON or tables. Spreadsheets, pandas and databases can read the
    tables.

    Example: scorekeeper export 1 --to evening.toml
    """
    if schema:
        from scorekeeper.history.columns import schema as described

        write_out([format_json(described()) + "\n"], to, "json", force)
        return FINE
    with open_book(book) as store, open_round_cache(store) as archive:
        rows = _make_rows(store, ids or [], selection, all_)
        matches = archive.matches(rows())
        with closing(
            progress(matches, _count_rows(rows), tr("exported"), silent=to is not None)
        ) as matches_shown:
            if format == "toml":
                _write_records(matches_shown, rows, to, force)
            else:
                _write_data(matches_shown, format, to, store.aliases(), force)
    return FINE


BlankPlayers = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME", help="With --blank: the names of the players, or how many there are."
    ),
]


@cli_command
@with_format_by_ending
def sheet(
    players: BlankPlayers = None,
    match: ReadOption = None,
    blank: Annotated[
        str | None,
        typer.Option(
            "--blank",
            metavar="RULESET",
            help="Make a blank sheet for this ruleset, to print.",
            autocompletion=complete_rulesets,
        ),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="The number of rows on a blank sheet (default: one page).",
        ),
    ] = None,
    to: ToOption = None,
    force: ForceOption = False,
    stake: Annotated[
        str | None,
        typer.Option(
            "--stake",
            metavar="AMOUNT",
            help=(
                "The amount of money that a point is worth, such as 0.10. The sheet then "
                "shows who pays whom."
            ),
        ),
    ] = None,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "pdf", "json"],
        typer.Option("--format", help="The format of the sheet; html and pdf are for printing."),
    ] = "text",
) -> int:
    """Show the score sheet of a match, or a blank one to print.

    Example: scorekeeper sheet --format html --to evening.html
    """
    to = None if to == "-" else to  # "-" conventionally means standard output
    if format == "pdf":
        check_not_terminal(to)
    if to is not None:
        check_replaceable(to, format, force)
    if blank is None:
        if players:
            raise Unreadable(
                tr("players' names can only be given for a blank sheet"),
                "sheet --blank RULESET NAME NAME …",
            )
        if rows is not None:
            raise Unreadable(
                tr("--rows works only with a blank sheet"), "sheet --blank RULESET --rows 12"
            )
        sheet_made = _match_sheet(book, match, stake)
    else:
        if stake is not None:
            raise Unreadable(tr("--stake does not work with a blank sheet"), "sheet --stake 0.10")
        if match is not None:
            raise Unreadable(tr("--blank and --match cannot be combined"), f"sheet --match {match}")
        sheet_made = _blank_sheet(blank, players or [], rows)
    if format == "pdf":
        _write_pdf(sheet_made, to, force)
    else:
        write_out([_choose_renderer(format, to)(sheet_made)], to, format, force)
    if to is not None:
        print_notes(tr("the sheet is in {file}", file=to))
    return FINE


# --- export


def _make_rows(store: Store, ids: Sequence[str], selection: Selection, takes_all: bool) -> Rows:
    """Return a function. Each call of it returns a new iterator over the requested matches."""
    from scorekeeper.store.selection import EVERYTHING

    if takes_all and ids:
        raise Unreadable(
            tr("matches can be selected by number or by options, but not by both"),
            tr("leave out either the numbers or --all"),
        )
    if not ids and not takes_all and selection == EVERYTHING:
        return lambda: [store.match()]
    return lambda: select_rows(store, ids, selection)


def _count_rows(rows: Rows) -> int:
    """Return the number of matches for the progress bar, or 0 if there is no terminal to show it
    on."""
    return sum(1 for _ in rows()) if sys.stderr.isatty() else 0


def _write_records(matches: Iterator[StoredMatch], rows: Rows, to: str | None, force: bool) -> None:
    """Write a record for each match, to a file or into a folder."""
    first = [*islice(matches, 2)]
    several = len(first) > 1
    folder = to is not None and is_folder(to)
    if several and (to is None or (not folder and (os.path.isfile(to) or to.endswith(".toml")))):
        raise Unreadable(tr("to write several records, name a folder"), "--to FOLDER")
    written = 0
    if to is not None and (several or folder):
        for row in rows():  # check all files before the first is written
            check_replaceable(_file_in_folder(to, row), "toml", force)
        make_folder(to)
    for stored in chain(first, matches):
        target = to
        if to is not None and (several or folder):
            target = _file_in_folder(to, stored.row)
        write_out([stored.record_text()], target, "toml", force)
        written += 1
        if target is not None and not several:
            print_notes(tr("match {match} is in {file}", match=stored.row.id, file=target))
    if written != 1:
        _print_written(written, to)


def _file_in_folder(folder: str, row: MatchRow) -> str:
    """Return the path of a match's record in a folder."""
    return os.path.join(folder, f"match-{row.id}.toml")


def _write_data(
    matches: Iterator[StoredMatch],
    format: str,
    to: str | None,
    aliases: Mapping[str, str],
    force: bool,
) -> None:
    """Write all matches to a single output, as JSON, JSON Lines or a CSV table."""
    from scorekeeper.render.export import as_csv, as_json, as_json_lines

    if to is not None and is_folder(to):
        make_folder(to)
        to = os.path.join(to, FILE_NAMES[format])
    first = [*islice(matches, 1)]  # reading one match reports a wrong selection early
    # Other tables contain players' names as they were written.
    names = aliases if format in ("scores-csv", "matches-csv") else {}
    listed = _CountingIterable(catalog_entry(stored, names) for stored in chain(first, matches))
    if format == "json":
        write_out(as_json(listed), to, format, force)
    elif format == "jsonl":
        write_out(as_json_lines(listed), to, format, force)
    else:
        rows = _CountingIterable(as_csv(format, listed), lambda piece: piece.count("\n"))
        write_out(rows, to, format, force)
        if to is not None:
            _print_written(listed.count, to, rows.count - 1)  # the heading row is not counted
        return
    if to is not None:
        _print_written(listed.count, to)


class _CountingIterable(Generic[T]):
    """An iterable that counts its items as they are read.

    `weight` returns the amount by which an item increases `count`.
    """

    def __init__(self, items: Iterable[T], weight: Callable[[T], int] = lambda _: 1) -> None:
        self.count = 0
        self._items = items
        self._weight = weight

    def __iter__(self) -> Iterator[T]:
        for each in self._items:
            self.count += self._weight(each)
            yield each


def _print_written(matches: int, to: str | None, rows: int | None = None) -> None:
    """Print how many matches and rows were written, and to which file."""
    text = plural("{count} match", "{count} matches", matches)
    if rows is not None:
        text += ", " + plural("{count} row", "{count} rows", rows)
    print_notes(text if to is None else tr("{what} in {file}", what=text, file=to))


# --- sheet


def _match_sheet(book: str | None, match_id: str | None, stake: str | None) -> Sheet:
    from scorekeeper.render.sheet import build_sheet as make
    from scorekeeper.render.sheet_model import parse_stake

    worth = None if stake is None else parse_stake(stake)
    match, meta = open_finished_rounds(book, match_id)
    return make(match, sheet_details(meta), worth)


def sheet_details(details: dict[str, str]) -> SheetDetails:
    """Return the match details that the sheet shows."""
    from scorekeeper.render.sheet import SheetDetails
    from scorekeeper.store.rows import format_start

    texts = (details.get(key, "") for key in ("place", "title", "note"))
    started = format_start(details.get("started", ""), details.get("day", ""))
    return SheetDetails(details.get("match", ""), started, *texts)


def _blank_sheet(ruleset: str, players: list[str], rows: int | None) -> Sheet:
    """Return a blank sheet for the named players, or for a number of players."""
    from scorekeeper.engine.loading import load_ruleset
    from scorekeeper.render.sheet import build_blank_sheet

    rules = load_ruleset(ruleset)
    count_text = (
        players[0] if len(players) == 1 and players[0].isascii() and players[0].isdigit() else ""
    )
    if len(count_text) > MAX_DIGITS:
        raise Unreadable(
            tr("a sheet cannot have {count} players", count=quote(count_text, 20)),
            f"sheet --blank {ruleset} {_usual_player_count(rules)}",
        )
    return build_blank_sheet(
        rules, int(count_text) if count_text else players or _usual_player_count(rules), rows=rows
    )


def _usual_player_count(rules: Ruleset) -> int:
    """Return the number of players on a blank sheet if none is given.

    It is the smallest number above 3 that the ruleset allows. If the ruleset allows none, it is
    the largest number that the ruleset allows.
    """
    from scorekeeper.engine.ruleset import player_counts

    possible = player_counts(rules.players)
    return next((count for count in possible if count >= USUAL_PLAYERS), possible[-1])


def _write_pdf(sheet: Sheet, to: str | None, force: bool) -> None:
    """Write the sheet as a PDF, and print a warning if it lacks some characters."""
    from scorekeeper.render import pdf

    printed = pdf.render(sheet)
    if printed.warning:
        print_notes(f"scorekeeper: {printed.warning}")
    write_bytes_out(printed.content, to, "pdf", force)


def _choose_renderer(format: str, to: str | None) -> Callable[[Sheet], str]:
    if format == "json":
        from scorekeeper.render.sheet_model import as_json

        return lambda made: f"{format_json(as_json(made))}\n"
    if format == "html":
        from scorekeeper.render import html

        return html.render
    return sheet_writer(format, to)
