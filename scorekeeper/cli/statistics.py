"""What players did across matches, for people and for other programs."""

from __future__ import annotations

import os
from functools import partial
from heapq import merge
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    archive_of,
    commanded,
    open_book,
    say,
    talk,
)
from scorekeeper.cli.selecting import (
    PlacesOption,
    PlayersOption,
    RulesetsOption,
    SinceOption,
    UntilOption,
    dated_rows,
    named_or_chosen,
    selection_of,
)
from scorekeeper.cli.streams import width_or
from scorekeeper.cli.writing import ForceOption, by_ending, write_out
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import did_you_mean, json_text, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.history.statistics import Listed
    from scorekeeper.render.statistics import Asked
    from scorekeeper.store.selection import Selection

EVERY = "all"
NOTHING_YET = mark("no matches yet; begin one: scorekeeper new RULESET NAME NAME …")
NOTHING_CHOSEN = mark("no match of these has an entry; scorekeeper matches lists all")


@commanded
@by_ending
def stats(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID|FILE…", help="Matches or records (default: the whole book)."),
    ] = None,
    since: SinceOption = "",
    until: UntilOption = "",
    players: PlayersOption = None,
    rulesets: RulesetsOption = None,
    places: PlacesOption = None,
    tables: Annotated[
        str,
        typer.Option(
            "--tables",
            metavar="NAME,NAME",
            help="players, counts, breakdowns, days, pairs, against, or all "
            "(default: all; as text without the last two).",
        ),
    ] = "",
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FILE", help="Where to write (default: standard output)."),
    ] = None,
    force: ForceOption = False,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json", "csv"],
        typer.Option("--format", help="How the answer is written; html has pictures."),
    ] = "text",
) -> int:
    """What players did: matches, rounds, points, places, what the rulesets count, who with whom.

    Example: scorekeeper stats --since 2026-11 --player Ana
    """
    from scorekeeper.history.statistics import figures
    from scorekeeper.render.statistics import Asked
    from scorekeeper.store.about import day_of
    from scorekeeper.store.selection import EVERYTHING

    to = None if to == "-" else to  # the usual name for standard output
    selection = selection_of(since, until, players, rulesets, places)
    named_or_chosen(files or [], selection)
    asked = Asked(_tables(tables, format), _first(selection, book), _chosen(selection))
    found = figures(_listed(files or [], selection, book), asked.tables, day_of)
    if not found and format in ("text", "markdown"):
        begin = selection == EVERYTHING and not files
        say(tr(NOTHING_YET) if begin else tr(NOTHING_CHOSEN))
        return FINE
    pieces = _written([each.as_json() for each in found], asked, format, to)
    write_out(pieces, to, format, force)
    if to is not None:
        talk(tr("the statistics are in {file}", file=to))
    return FINE


def _tables(told: str, format: str) -> frozenset[str]:
    """The tables that are asked for. Raises Unreadable for one that is none."""
    from scorekeeper.render.statistics import TABLES, USUAL

    names = [name.strip().lower() for name in told.split(",") if name.strip()]
    for name in names:
        if name not in (*TABLES, EVERY):
            raise Unreadable(
                tr("there is no table {name}", name=shown(name)),
                did_you_mean(name, TABLES)
                or tr("there are {names}", names=", ".join((*TABLES, EVERY))),
            )
    if not names and format == "text":
        return USUAL
    return frozenset(names) if names and EVERY not in names else frozenset(TABLES)


def _first(selection: Selection, book: str | None) -> frozenset[str]:
    """Of whom is told first: the players who were chosen, by the names they are told by."""
    if not selection.players:
        return frozenset()
    from scorekeeper.store.selection import told_by

    with open_book(book) as store:
        aliases = store.aliases()
    return frozenset(told_by(name, aliases).casefold() for name in selection.players)


def _chosen(selection: Selection) -> list[tuple[str, str]]:
    """How the matches were chosen."""
    said = (
        (tr("since"), selection.since),
        (tr("until"), selection.until),
        (tr("with"), ", ".join(selection.players)),
        (tr("rulesets"), ", ".join(selection.rulesets)),
        (tr("places"), ", ".join(selection.places)),
    )
    return [(word, text) for word, text in said if text]


def _written(found: list[Json], asked: Asked, format: str, to: str | None) -> Iterator[str]:
    """The answer in pieces."""
    if format == "json":
        yield f"{json_text(found)}\n"
    elif format == "csv":
        from scorekeeper.render import statistics as statistics_csv

        yield from statistics_csv.statistics_csv_render(found, asked.tables)
    elif format == "html":
        from scorekeeper.render import statistics as statistics_html

        yield statistics_html.render(found, asked)
    else:
        from scorekeeper.render import text
        from scorekeeper.render import text as markdown
        from scorekeeper.render.statistics import sheet

        width = width_or(text.WIDTH) if to is None else text.WIDTH
        wide = partial(text.render, width=width)
        render = markdown.markdown_render if format == "markdown" else wide
        yield "\n".join(render(sheet(data, asked)) for data in found)


def _listed(wanted: Sequence[str], selection: Selection, book: str | None) -> Iterator[Listed]:
    """The matches and records that are named, each once, or those of the book that are chosen, in
    the order in which they were begun."""
    files = [name for name in wanted if not name.isdigit()]
    ids = [name for name in wanted if name.isdigit()]
    from scorekeeper.store.about import in_order

    told = _of_book(ids, selection, book) if ids or not files else iter(())
    return merge(told, _of_files(files), key=lambda listed: in_order(listed.started))


def _of_book(ids: Sequence[str], selection: Selection, book: str | None) -> Iterator[Listed]:
    from scorekeeper.cli.progress import progress
    from scorekeeper.history.statistics import Listed
    from scorekeeper.store.names import told_as

    with open_book(book) as store, archive_of(store) as archive:
        aliases = store.aliases()
        rows = partial(dated_rows, store, ids, selection)
        told = archive.tell(rows())
        for kept in progress(told, lambda: sum(1 for _ in rows()), tr("matches"), silent=True):
            row, match = kept.row, told_as(kept, aliases)
            yield Listed(match, str(row.id), row.started, row.place or "", row.title, row.note)


def _of_files(paths: Sequence[str]) -> Iterator[Listed]:
    from scorekeeper.history.statistics import Listed
    from scorekeeper.store.about import in_order
    from scorekeeper.store.record import Source

    once = {os.path.realpath(path): path for path in paths}
    sources = map(Source, once.values())
    for source in sorted(sources, key=lambda source: in_order(source.data.get("started", ""))):
        said = (source.data.get(key, "") for key in ("started", "place", "title", "note"))
        yield Listed(source.played(), source.path, *said)
