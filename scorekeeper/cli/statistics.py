"""Commands about many matches: stats for what players did, and league for a table of players."""

from __future__ import annotations

import os
import re
from functools import partial
from heapq import merge
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    NO_MATCHES,
    BookOption,
    SelectionOptions,
    archive_of,
    commanded,
    dated_rows,
    listed_of,
    named_or_chosen,
    open_book,
    say,
    talk,
    with_selection,
)
from scorekeeper.cli.output import (
    ForceOption,
    ToOption,
    by_ending,
    progress,
    sheet_writer,
    write_out,
)
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import did_you_mean, json_text, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.history.league import League, Terms
    from scorekeeper.history.statistics import Listed
    from scorekeeper.render.league import Season
    from scorekeeper.render.statistics import Asked
    from scorekeeper.store.selection import Selection

EVERY = "all"
MOST_AWARDED = 50

NOTHING_CHOSEN = mark("none of these matches has an entry; scorekeeper matches lists all matches")

By = Literal["points", "average", "wins", "places", "rating"]


@commanded
@by_ending
@with_selection
def stats(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID|FILE…", help="Matches or records (default: the whole book)."),
    ] = None,
    *,
    selection: SelectionOptions,
    tables: Annotated[
        str,
        typer.Option(
            "--tables",
            metavar="NAME,NAME",
            help="players, counts, breakdowns, days, pairs, against, or all "
            "(default: all; as text without the last two).",
        ),
    ] = "",
    to: ToOption = None,
    force: ForceOption = False,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json", "csv"],
        typer.Option("--format", help="How the answer is written; html has pictures."),
    ] = "text",
) -> int:
    """Show players' statistics: matches, rounds, points, places, game counts and partners.

    Example: scorekeeper stats --since 2026-11 --player Ana
    """
    from scorekeeper.history.statistics import figures
    from scorekeeper.render.statistics import Asked
    from scorekeeper.store.selection import EVERYTHING

    to = None if to == "-" else to  # the usual name for standard output
    named_or_chosen(files or [], selection)
    asked = Asked(_tables(tables, format), _first(selection, book), _chosen(selection))
    found = figures(_listed(files or [], selection, book), asked.tables)
    if not found and format in ("text", "markdown"):
        begin = selection == EVERYTHING and not files
        say(tr(NO_MATCHES) if begin else tr(NOTHING_CHOSEN))
        return FINE
    pieces = _written([each.as_json() for each in found], asked, format, to)
    write_out(pieces, to, format, force)
    if to is not None:
        talk(tr("the statistics are in {file}", file=to))
    return FINE


@commanded
@by_ending
@with_selection
def league(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID…", help="The matches (default: the whole book)."),
    ] = None,
    by: Annotated[By, typer.Option("--by", help="What decides the places.")] = "points",
    per: Annotated[
        Literal["match", "round"], typer.Option("--per", help="What an average is for.")
    ] = "match",
    least: Annotated[
        int, typer.Option("--least", min=1, help="So many matches are needed for a place.")
    ] = 1,
    best: Annotated[
        int, typer.Option("--best", min=0, help="Only the best so many of each count (0: all).")
    ] = 0,
    award: Annotated[
        str, typer.Option("--award", metavar="3,2,1", help="Points for places, the first best.")
    ] = "",
    *,
    selection: SelectionOptions,
    title: Annotated[str, typer.Option("--title", help="What the table is called.")] = "",
    to: ToOption = None,
    force: ForceOption = False,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json", "csv"],
        typer.Option("--format", help="How the table is written; html is for paper too."),
    ] = "text",
) -> int:
    """Rank all players over many matches: by points, average, wins, places or a rating.

    Example: scorekeeper league --since 2026-09 --by average --least 3
    """
    from scorekeeper.history.league import league as make
    from scorekeeper.render.league import Season

    terms = _terms(by, per, least, best, award)
    with open_book(book) as store, archive_of(store) as archive:
        rows = partial(dated_rows, store, ids or [], selection)
        aliases = store.aliases()
        matches = (listed_of(kept, aliases) for kept in archive.tell(rows()))
        told = progress(matches, lambda: sum(1 for _ in rows()), tr("matches"), silent=True)
        made = make(told, terms)
    season = Season(title.strip(), *selection, matches=list(dict.fromkeys(ids or ())))
    to = None if to == "-" else to
    write_out([_league_text(made, season, format, to)], to, format, force)
    if to is not None:
        talk(tr("the table is in {file}", file=to))
    return FINE


# --- stats


def _tables(told: str, format: str) -> frozenset[str]:
    """Return the names of the requested tables. Raises Unreadable for an unknown name."""
    from scorekeeper.render.statistics import TABLES, USUAL

    names = [name.strip().lower() for name in told.split(",") if name.strip()]
    for name in names:
        if name not in (*TABLES, EVERY):
            raise Unreadable(
                tr("there is no table {name}", name=shown(name)),
                did_you_mean(name, TABLES)
                or tr("possible are {names}", names=", ".join((*TABLES, EVERY))),
            )
    if not names and format == "text":
        return USUAL
    return frozenset(names) if names and EVERY not in names else frozenset(TABLES)


def _first(selection: Selection, book: str | None) -> frozenset[str]:
    """Return the present names of the players in the selection, who are listed first."""
    if not selection.players:
        return frozenset()
    from scorekeeper.store.selection import told_by

    with open_book(book) as store:
        aliases = store.aliases()
    return frozenset(told_by(name, aliases).casefold() for name in selection.players)


def _chosen(selection: Selection) -> list[tuple[str, str]]:
    """Return the selection as pairs of a label and a text."""
    said = (
        (tr("since"), selection.since),
        (tr("until"), selection.until),
        (tr("with"), ", ".join(selection.players)),
        (tr("rulesets"), ", ".join(selection.rulesets)),
        (tr("places"), ", ".join(selection.places)),
    )
    return [(word, text) for word, text in said if text]


def _listed(wanted: Sequence[str], selection: Selection, book: str | None) -> Iterator[Listed]:
    """Yield the named matches and records, each once, or else the selected matches, by date."""
    files = [name for name in wanted if not name.isdigit()]
    ids = [name for name in wanted if name.isdigit()]
    told = _of_book(ids, selection, book) if ids or not files else iter(())
    return merge(told, _of_files(files), key=lambda listed: (listed.day, listed.started))


def _of_book(ids: Sequence[str], selection: Selection, book: str | None) -> Iterator[Listed]:
    with open_book(book) as store, archive_of(store) as archive:
        aliases = store.aliases()
        rows = partial(dated_rows, store, ids, selection)
        told = archive.tell(rows())
        for kept in progress(told, lambda: sum(1 for _ in rows()), tr("matches"), silent=True):
            yield listed_of(kept, aliases)


def _of_files(paths: Sequence[str]) -> Iterator[Listed]:
    from scorekeeper.history.statistics import Listed
    from scorekeeper.store.record import Source

    once = {os.path.realpath(path): path for path in paths}
    sources = map(Source, once.values())
    for source in sorted(sources, key=lambda each: (each.day, each.data.get("started", ""))):
        started, place, title, note = (
            source.data.get(key, "") for key in ("started", "place", "title", "note")
        )
        match = source.played()
        yield Listed(match, source.path, started, place, title, note, day=source.day)


def _written(found: list[Json], asked: Asked, format: str, to: str | None) -> Iterator[str]:
    """Yield the answer in pieces."""
    if format == "json":
        yield f"{json_text(found)}\n"
    elif format == "csv":
        from scorekeeper.render.statistics import as_csv

        yield from as_csv(found, asked.tables)
    elif format == "html":
        from scorekeeper.render.statistics import as_html

        yield as_html(found, asked)
    else:
        from scorekeeper.render.statistics import sheet

        render = sheet_writer(format, to)
        yield "\n".join(render(sheet(data, asked)) for data in found)


# --- league


def _terms(by: str, per: str, least: int, best: int, award: str) -> Terms:
    """Return the rules of the league. Raises Unreadable for options that exclude each other."""
    from scorekeeper.history.league import AVERAGE, RATING, ROUND, Terms

    terms = Terms(by, per, least, best, _awarded(award))
    if terms.award and not terms.by_points:
        raise Unreadable(
            tr("--award goes with --by points or --by average, not with --by {by}", by=by),
            tr("leave out {options}", options="--award"),
        )
    if per == ROUND and (by != AVERAGE or terms.award):
        raise Unreadable(
            tr("--per round goes with --by average only, and without --award"),
            "--by average --per round",
        )
    if best and by == RATING:
        raise Unreadable(
            tr("--by rating counts all matches of a player, so it does not go with --best"),
            tr("leave out {options}", options="--best"),
        )
    return terms


def _awarded(text: str) -> tuple[int, ...]:
    """Return the points for places from typed text such as `3,2,1`. Raises Unreadable."""
    if not text.strip():
        return ()
    numbers = [each.strip() for each in text.split(",")]
    if len(numbers) > MOST_AWARDED or not all(re.fullmatch("-?[0-9]{1,5}", n) for n in numbers):
        raise Unreadable(
            tr("“{text}” is not a list of points for places", text=shown(text, 30)),
            tr("whole numbers, best place first, as in {example}", example="--award 3,2,1"),
        )
    return tuple(map(int, numbers))


def _league_text(made: League, season: Season, format: str, to: str | None) -> str:
    """Return the league in the requested format."""
    from scorekeeper.render.league import as_csv, as_html, as_json, sheet

    if format == "json":
        return f"{json_text(as_json(made, season))}\n"
    if format == "csv":
        return as_csv(made)
    if format == "html":
        return as_html(made, season)
    return sheet_writer(format, to)(sheet(made, season))
