"""Commands that print: sheet, stats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    ReadOption,
    archive_of,
    commanded,
    open_book,
    open_told,
    say,
    say_json,
    talk,
    wanted_rows,
    write_out,
)
from scorekeeper.cli.playing import complete_rulesets
from scorekeeper.core.failures import Unreadable
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.suggest import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.render.sheet import About, Sheet
    from scorekeeper.ruleset.compiled import Ruleset

AT_A_TABLE = 4

BlankPlayers = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="With --blank: the players, or how many."),
]


@commanded
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
        int, typer.Option(min=1, max=1000, help="How many empty rows a blank sheet has.")
    ] = 24,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FILE", help="Where to write (default: standard output)."),
    ] = None,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json"],
        typer.Option("--format", help="How the sheet is written; html prints on A4."),
    ] = "text",
) -> int:
    """The score sheet, filled in or blank.

    Example: scorekeeper sheet --format html --to evening.html
    """
    from scorekeeper.render.sheet import blank_sheet

    if blank is None:
        if players:
            raise Unreadable(tr("names are for a blank sheet"), "sheet --blank RULESET NAME NAME …")
        made = _filled(book, match)
    else:
        from scorekeeper.ruleset.loading import load_ruleset

        named = players or []
        many = len(named) == 1 and named[0].isascii() and named[0].isdigit()
        rules = load_ruleset(blank)
        wanted = int(named[0][:4]) if many else named or _usual(rules)
        made = blank_sheet(rules, wanted, rows=rows)
    write_out([_renderer(format)(made)], to)
    if to is not None:
        talk(tr("the sheet is in {file}", file=to))
    return FINE


def _usual(rules: Ruleset) -> int:
    """For how many players a blank sheet is where nobody says: as many as sit at a table, or as
    the ruleset is for."""
    from scorekeeper.ruleset.shares import counts

    found = counts(rules.players)
    return next((count for count in found if count >= AT_A_TABLE), found[-1])


def _filled(book: str | None, wanted: str | None) -> Sheet:
    from scorekeeper.render.sheet import sheet as make

    told, meta = open_told(book, wanted)
    return make(told, about(meta))


def about(meta: dict[str, str]) -> About:
    """What a sheet tells of the match besides its rounds."""
    from scorekeeper.render.sheet import About

    started = meta.get("started", "")[:16].replace("T", " ")
    said = (meta.get(key, "") for key in ("place", "title", "note"))
    return About(meta.get("match", ""), started, *said)


def _renderer(format: str) -> Callable[[Sheet], str]:
    if format == "json":
        return _as_json
    if format == "html":
        from scorekeeper.render import html

        return html.render
    if format == "markdown":
        from scorekeeper.render import markdown

        return markdown.render
    from scorekeeper.render import text

    return text.render


def _as_json(made: Sheet) -> str:
    value = {
        "title": made.title,
        "facts": dict(made.facts),
        "tables": [
            {
                "caption": grid.caption,
                "columns": [column.label for column in grid.columns],
                "rows": grid.rows,
                "totals": grid.totals,
            }
            for grid in made.grids
        ],
        "notes": made.footnotes,
    }
    return f"{json_text(value)}\n"


@commanded
def stats(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID|FILE", help="Matches or records (default: the whole book)."),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Played, won, places, and what the rulesets count, for each player.

    Example: scorekeeper stats
    """
    from scorekeeper.render.statistics import statistics
    from scorekeeper.render.text import table

    figures = statistics(_matches(files or [], book))
    if format == "json":
        say_json([each.as_json() for each in figures])
        return FINE
    if not figures:
        say(tr("no matches yet; begin one: scorekeeper new RULESET NAME NAME …"))
    for each in figures:
        data = each.as_json()
        heads = ["", tr("played"), tr("won"), tr("places"), tr("rounds"), *data["labels"].values()]
        rows = [
            [
                str(row["name"]),
                str(row["played"]),
                str(row["won"]),
                ", ".join(f"{place}: {often}" for place, often in row["places"].items()),
                str(row["rounds"]),
                *(str(row["counts"][name]) for name in data["labels"]),
            ]
            for row in data["players"]
        ]
        aligned = ["left", "right", "right", "left", *["right"] * (len(heads) - 4)]
        many = plural("{count} match", "{count} matches", data["matches"])
        say(f"{data['title']}: {many}")
        say(*table(heads, rows, aligned).rstrip().split("\n"))
    return FINE


def _matches(wanted: list[str], book: str | None) -> Iterator[Reviewed]:
    """The matches and records that are named, or the whole book, each when it is its turn."""
    from scorekeeper.store.names import told_as
    from scorekeeper.store.record import read_record

    files = [name for name in wanted if not name.isdigit()]
    ids = [name for name in wanted if name.isdigit()]
    if ids or not files:
        with open_book(book) as store, archive_of(store) as archive:
            aliases = store.aliases()
            rows = wanted_rows(store, ids, every=not ids)
            yield from (told_as(archive.told(row), aliases) for row in rows)
    yield from map(read_record, files)
