"""The command that prints: sheet."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    ReadOption,
    commanded,
    open_told,
    talk,
)
from scorekeeper.cli.playing import complete_rulesets
from scorekeeper.cli.streams import width_or
from scorekeeper.cli.writing import (
    ForceOption,
    by_ending,
    check_free,
    check_outlet,
    write_bytes_out,
    write_out,
)
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import json_text, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.render.sheet import About
    from scorekeeper.render.sheet_model import Sheet
    from scorekeeper.ruleset.compiled import Ruleset

AT_A_TABLE = 4
MOST_DIGITS = 4  # of how many players there will be

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
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FILE", help="Where to write (default: standard output)."),
    ] = None,
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
    """The score sheet, filled in or blank.

    Example: scorekeeper sheet --format html --to evening.html
    """
    to = None if to == "-" else to  # the usual name for standard output
    if format == "pdf":
        check_outlet(to)
    if to is not None:
        check_free(to, format, force)
    if blank is None:
        if players:
            raise Unreadable(tr("names are for a blank sheet"), "sheet --blank RULESET NAME NAME …")
        if rows is not None:
            raise Unreadable(tr("rows are for a blank sheet"), "sheet --blank RULESET --rows 12")
        made = _filled(book, match, stake)
    else:
        if stake is not None:
            raise Unreadable(tr("nobody pays by a blank sheet"), "sheet --stake 0.10")
        if match is not None:
            raise Unreadable(tr("a blank sheet is of no match"), f"sheet --match {match}")
        made = _empty(blank, players or [], rows)
    if format == "pdf":
        _print(made, to, force)
    else:
        write_out([_renderer(format, to)(made)], to, format, force)
    if to is not None:
        talk(tr("the sheet is in {file}", file=to))
    return FINE


def _empty(ruleset: str, named: list[str], rows: int | None) -> Sheet:
    """A blank sheet for these players, or for as many as the one text says."""
    from scorekeeper.render.sheet import blank_sheet
    from scorekeeper.ruleset.loading import load_ruleset

    rules = load_ruleset(ruleset)
    many = named[0] if len(named) == 1 and named[0].isascii() and named[0].isdigit() else ""
    if len(many) > MOST_DIGITS:
        raise Unreadable(
            tr("{count} players are too many", count=shown(many, 20)),
            f"sheet --blank {ruleset} {_usual(rules)}",
        )
    return blank_sheet(rules, int(many) if many else named or _usual(rules), rows=rows)


def _usual(rules: Ruleset) -> int:
    """For how many players a blank sheet is where nobody says: as many as sit at a table, or as
    the ruleset is for."""
    from scorekeeper.ruleset.shares import counts

    found = counts(rules.players)
    return next((count for count in found if count >= AT_A_TABLE), found[-1])


def _print(made: Sheet, to: str | None, force: bool) -> None:
    """The sheet as PDF, and which letters are missing on it."""
    from scorekeeper.render import pdf

    printed = pdf.render(made)
    if printed.missing:
        talk(f"scorekeeper: {printed.missing}")
    write_bytes_out(printed.pages, to, "pdf", force)


def _filled(book: str | None, wanted: str | None, stake: str | None) -> Sheet:
    from scorekeeper.render.sheet import sheet as make
    from scorekeeper.render.sheet_model import stake_of

    worth = None if stake is None else stake_of(stake)
    told, meta = open_told(book, wanted)
    return make(told, about(meta), worth)


def about(meta: dict[str, str]) -> About:
    """What a sheet tells of the match besides its rounds."""
    from scorekeeper.render.sheet import About
    from scorekeeper.store.about import moment_of

    said = (meta.get(key, "") for key in ("place", "title", "note"))
    return About(meta.get("match", ""), moment_of(meta.get("started", "")), *said)


def _renderer(format: str, to: str | None) -> Callable[[Sheet], str]:
    if format == "json":
        from scorekeeper.render.sheet_model import as_json

        return lambda made: f"{json_text(as_json(made))}\n"
    if format == "html":
        from scorekeeper.render import html as sheet_html

        return sheet_html.render
    if format == "markdown":
        from scorekeeper.render import text as markdown

        return markdown.markdown_render
    from scorekeeper.render import text

    width = width_or(text.WIDTH) if to is None else text.WIDTH
    return partial(text.render, width=width)
