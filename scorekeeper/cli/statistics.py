"""The commands `stats`, which shows player statistics, and `league`, which ranks the players."""

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
    catalog_entry,
    check_named_or_selected,
    cli_command,
    open_book,
    open_round_cache,
    print_lines,
    print_notes,
    select_rows_by_date,
    with_selection,
)
from scorekeeper.cli.output import (
    ForceOption,
    ToOption,
    progress,
    sheet_writer,
    with_format_by_ending,
    write_out,
)
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import did_you_mean, format_json, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.history.league import League, LeagueRules
    from scorekeeper.history.statistics import CatalogEntry
    from scorekeeper.render.league import Season
    from scorekeeper.render.statistics import StatisticsQuery
    from scorekeeper.store.selection import Selection

ALL_TABLES = "all"
MAX_AWARDS = 50

NO_MATCH_SELECTED = N_(
    "none of these matches has an entry; to list all matches: scorekeeper matches"
)


@cli_command
@with_format_by_ending
@with_selection
def stats(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID|FILE…",
            help="Match numbers or record files (default: the whole book).",
        ),
    ] = None,
    *,
    selection: SelectionOptions,
    tables: Annotated[
        str,
        typer.Option(
            "--tables",
            metavar="NAME,NAME",
            help=(
                "The tables to show: players, ranking, counts, breakdowns, days, pairs, "
                "against, or all. The default is all, but text output leaves out pairs and against."
            ),
        ),
    ] = "",
    to: ToOption = None,
    force: ForceOption = False,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json", "csv"],
        typer.Option("--format", help="The output format; html includes charts."),
    ] = "text",
) -> int:
    """Show statistics about the players.

    They cover matches, rounds, points, places, partners, and whatever the ruleset counts.

    Example: scorekeeper stats --since 2026-11 --player Ana
    """
    from scorekeeper.history.statistics import make_statistics
    from scorekeeper.render.statistics import StatisticsQuery
    from scorekeeper.store.selection import EVERYTHING

    to = None if to == "-" else to  # "-" conventionally means standard output
    check_named_or_selected(files or [], selection)
    query = StatisticsQuery(
        _parse_tables(tables, format), _first_players(selection, book), _selection_facts(selection)
    )
    statistics = make_statistics(_load_matches(files or [], selection, book), query.tables)
    if not statistics and format in ("text", "markdown"):
        begin = selection == EVERYTHING and not files
        print_lines(tr(NO_MATCHES) if begin else tr(NO_MATCH_SELECTED))
        return FINE
    pieces = _render_pieces([each.as_json() for each in statistics], query, format, to)
    write_out(pieces, to, format, force)
    if to is not None:
        print_notes(tr("the statistics are in {file}", file=to))
    return FINE


@cli_command
@with_format_by_ending
@with_selection
def league(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID…", help="Match numbers (default: the whole book)."),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="NAME",
            help=(
                "The value by which players are ranked: points, average, wins, places, rating, or "
                "a figure of the ruleset. The default is the ranking of the ruleset."
            ),
        ),
    ] = "",
    per: Annotated[
        Literal["match", "round"], typer.Option("--per", help="Average per match or per round.")
    ] = "match",
    least: Annotated[
        int,
        typer.Option(
            "--least", min=1, help="The number of matches that a player needs to be ranked."
        ),
    ] = 1,
    best: Annotated[
        int,
        typer.Option(
            "--best", min=0, help="Count only the N best matches of each player (0: all matches)."
        ),
    ] = 0,
    award: Annotated[
        str,
        typer.Option(
            "--award", metavar="3,2,1", help="The points for each place, best place first."
        ),
    ] = "",
    *,
    selection: SelectionOptions,
    title: Annotated[str, typer.Option("--title", help="The title of the table.")] = "",
    to: ToOption = None,
    force: ForceOption = False,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json", "csv"],
        typer.Option(
            "--format", help="The format of the table. “html” is a page to read or print."
        ),
    ] = "text",
) -> int:
    """Rank all players over many matches.

    The ruleset defines the ranking. It can also be by points, average, wins, places or a rating.

    Example: scorekeeper league --since 2026-09 --by average --least 3
    """
    from scorekeeper.history.league import make_league as make
    from scorekeeper.render.league import Season

    terms = _league_rules(by, per, least, best, award)
    with open_book(book) as store, open_round_cache(store) as archive:
        rows = partial(select_rows_by_date, store, ids or [], selection)
        aliases = store.aliases()
        matches = (catalog_entry(stored, aliases) for stored in archive.matches(rows()))
        matches_shown = progress(
            matches, lambda: sum(1 for _ in rows()), tr("matches"), silent=True
        )
        ranking = make(matches_shown, terms)
    season = Season(title.strip(), *selection, matches=list(dict.fromkeys(ids or ())))
    to = None if to == "-" else to
    write_out([_render_league(ranking, season, format, to)], to, format, force)
    if to is not None:
        print_notes(tr("the table is in {file}", file=to))
    return FINE


# --- stats


def _parse_tables(text: str, format: str) -> frozenset[str]:
    """Return the names of the requested tables. Raises Unreadable for an unknown name."""
    from scorekeeper.render.statistics import DEFAULT_TABLES, TABLES

    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in (*TABLES, ALL_TABLES):
            raise Unreadable(
                tr("there is no table {name}", name=quote(name)),
                did_you_mean(name, TABLES)
                or tr("the tables are {names}", names=", ".join((*TABLES, ALL_TABLES))),
            )
    if not names and format == "text":
        return DEFAULT_TABLES
    return frozenset(names) if names and ALL_TABLES not in names else frozenset(TABLES)


def _first_players(selection: Selection, book: str | None) -> frozenset[str]:
    """Return the current names of the selected players, which the tables list first."""
    if not selection.players:
        return frozenset()
    from scorekeeper.store.selection import display_name

    with open_book(book) as store:
        aliases = store.aliases()
    return frozenset(display_name(name, aliases).casefold() for name in selection.players)


def _selection_facts(selection: Selection) -> list[tuple[str, str]]:
    """Return the selection as pairs of a label and a value. Criteria that were not given are left
    out."""
    facts = (
        (tr("since"), selection.since),
        (tr("until"), selection.until),
        (tr("with"), ", ".join(selection.players)),
        (tr("rulesets"), ", ".join(selection.rulesets)),
        (tr("places"), ", ".join(selection.places)),
    )
    return [(word, text) for word, text in facts if text]


def _load_matches(
    names: Sequence[str], selection: Selection, book: str | None
) -> Iterator[CatalogEntry]:
    """Yield the named matches and records without duplicates, or the selected matches, sorted by
    date."""
    files = [name for name in names if not name.isdigit()]
    ids = [name for name in names if name.isdigit()]
    matches = _load_from_book(ids, selection, book) if ids or not files else iter(())
    return merge(matches, _load_from_files(files), key=lambda listed: (listed.day, listed.started))


def _load_from_book(
    ids: Sequence[str], selection: Selection, book: str | None
) -> Iterator[CatalogEntry]:
    with open_book(book) as store, open_round_cache(store) as archive:
        aliases = store.aliases()
        rows = partial(select_rows_by_date, store, ids, selection)
        matches = archive.matches(rows())
        for stored in progress(matches, lambda: sum(1 for _ in rows()), tr("matches"), silent=True):
            yield catalog_entry(stored, aliases)


def _load_from_files(paths: Sequence[str]) -> Iterator[CatalogEntry]:
    from scorekeeper.history.statistics import CatalogEntry
    from scorekeeper.store.record import RecordSource

    once = {os.path.realpath(path): path for path in paths}
    sources = map(RecordSource, once.values())
    for source in sorted(sources, key=lambda each: (each.day, each.data.get("started", ""))):
        started, place, title, note = (
            source.data.get(key, "") for key in ("started", "place", "title", "note")
        )
        match = source.play()
        yield CatalogEntry(match, source.path, started, place, title, note, day=source.day)


def _render_pieces(
    statistics: list[Json], asked: StatisticsQuery, format: str, to: str | None
) -> Iterator[str]:
    """Yield the output piece by piece."""
    if format == "json":
        yield f"{format_json(statistics)}\n"
    elif format == "csv":
        from scorekeeper.render.statistics import as_csv

        yield from as_csv(statistics, asked.tables)
    elif format == "html":
        from scorekeeper.render.statistics import as_html

        yield as_html(statistics, asked)
    else:
        from scorekeeper.render.statistics import build_sheet

        render = sheet_writer(format, to)
        yield "\n".join(render(build_sheet(data, asked)) for data in statistics)


# --- league


def _league_rules(by: str, per: str, least: int, best: int, award: str) -> LeagueRules:
    """Return the league's rules. Raises Unreadable for options that cannot be combined."""
    from scorekeeper.history.league import AVERAGE, CLUB, POINTS, RATING, ROUND, LeagueRules

    by = by.strip().lower()
    terms = LeagueRules(by, per, least, best, _parse_award(award))
    if terms.award and by not in (CLUB, POINTS, AVERAGE):
        raise Unreadable(
            tr("--award works only with --by points or --by average, not with --by {by}", by=by),
            tr("leave out {options}", options="--award"),
        )
    if per == ROUND and (by != AVERAGE or terms.award):
        raise Unreadable(
            tr("--per round works only with --by average and without --award"),
            "--by average --per round",
        )
    if best and by == RATING:
        raise Unreadable(
            tr("--by rating counts all matches of a player, so it cannot be combined with --best"),
            tr("leave out {options}", options="--best"),
        )
    return terms


def _parse_award(text: str) -> tuple[int, ...]:
    """Parse the points for each place from text such as `3,2,1`. Raises Unreadable."""
    if not text.strip():
        return ()
    numbers = [each.strip() for each in text.split(",")]
    if len(numbers) > MAX_AWARDS or not all(re.fullmatch("-?[0-9]{1,5}", n) for n in numbers):
        raise Unreadable(
            tr("“{text}” is not a list of points for places", text=quote(text, 30)),
            tr("whole numbers, best place first, as in {example}", example="--award 3,2,1"),
        )
    return tuple(map(int, numbers))


def _render_league(league: League, season: Season, format: str, to: str | None) -> str:
    """Return the league in the requested format."""
    from scorekeeper.render.league import as_csv, as_html, as_json, build_sheet

    if format == "json":
        return f"{format_json(as_json(league, season))}\n"
    if format == "csv":
        return as_csv(league)
    if format == "html":
        return as_html(league, season)
    return sheet_writer(format, to)(build_sheet(league, season))
