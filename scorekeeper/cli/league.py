"""The command `league`: a table of players over matches."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    archive_of,
    commanded,
    open_book,
    talk,
)
from scorekeeper.cli.progress import progress
from scorekeeper.cli.selecting import (
    PlacesOption,
    PlayersOption,
    RulesetsOption,
    SinceOption,
    UntilOption,
    dated_rows,
    selection_of,
)
from scorekeeper.cli.streams import width_or
from scorekeeper.cli.writing import ForceOption, by_ending, write_out
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import json_text, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.history.league import League, Terms
    from scorekeeper.history.statistics import Listed
    from scorekeeper.render.league import Season
    from scorekeeper.store.kept import Kept

MOST_AWARDED = 50
By = Literal["points", "average", "wins", "places", "rating"]


@commanded
@by_ending
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
    since: SinceOption = "",
    until: UntilOption = "",
    player: PlayersOption = None,
    ruleset: RulesetsOption = None,
    place: PlacesOption = None,
    title: Annotated[str, typer.Option("--title", help="What the table is called.")] = "",
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FILE", help="Where to write (default: standard output)."),
    ] = None,
    force: ForceOption = False,
    book: BookOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json", "csv"],
        typer.Option("--format", help="How the table is written; html is for paper too."),
    ] = "text",
) -> int:
    """A table of all players over many matches: by points, average, wins, places or a rating.

    Example: scorekeeper league --since 2026-09 --by average --least 3
    """
    from scorekeeper.history.league import league as make
    from scorekeeper.render.league import Season

    terms = _terms(by, per, least, best, award)
    selection = selection_of(since, until, player, ruleset, place)
    with open_book(book) as store, archive_of(store) as archive:
        rows = partial(dated_rows, store, ids or [], selection)
        matches = _listed(archive.tell(rows()), store.aliases())
        told = progress(matches, lambda: sum(1 for _ in rows()), tr("matches"), silent=True)
        made = make(told, terms)
    season = Season(title.strip(), *selection, matches=list(dict.fromkeys(ids or ())))
    to = None if to == "-" else to
    write_out([_written(made, season, format, to)], to, format, force)
    if to is not None:
        talk(tr("the table is in {file}", file=to))
    return FINE


def _terms(by: str, per: str, least: int, best: int, award: str) -> Terms:
    """What counts. Raises Unreadable for choices that do not go together."""
    from scorekeeper.history.league import AVERAGE, RATING, ROUND, Terms

    terms = Terms(by, per, least, best, _awarded(award))
    if terms.award and not terms.by_points:
        raise Unreadable(
            tr("points for places count by points or by average, not by {by}", by=by),
            tr("leave out {options}", options="--award"),
        )
    if per == ROUND and (by != AVERAGE or terms.award):
        raise Unreadable(
            tr("what counts for a round is an average of the points in it"),
            "--by average --per round",
        )
    if best and by == RATING:
        raise Unreadable(
            tr("a rating is of all matches of a player"),
            tr("leave out {options}", options="--best"),
        )
    return terms


def _awarded(text: str) -> tuple[int, ...]:
    """The points for places, as they were typed. Raises Unreadable."""
    if not text.strip():
        return ()
    numbers = [each.strip() for each in text.split(",")]
    if len(numbers) > MOST_AWARDED or not all(re.fullmatch("-?[0-9]{1,5}", n) for n in numbers):
        raise Unreadable(
            tr("“{text}” are no points for places", text=shown(text, 30)),
            tr("whole numbers, the first for the best, as in {example}", example="--award 3,2,1"),
        )
    return tuple(map(int, numbers))


def _listed(matches: Iterable[Kept], aliases: Mapping[str, str]) -> Iterator[Listed]:
    """The matches, each when it is its turn, with the days on which they began."""
    from scorekeeper.history.statistics import Listed
    from scorekeeper.store.about import day_of
    from scorekeeper.store.names import told_as

    for kept in matches:
        row, match = kept.row, told_as(kept, aliases)
        yield Listed(match, str(row.id), day_of(row.started), row.place or "", row.title, row.note)


def _written(made: League, season: Season, format: str, to: str | None) -> str:
    """The table in that form."""
    from scorekeeper.render.league import as_csv, as_json, sheet

    if format == "json":
        return f"{json_text(as_json(made, season))}\n"
    if format == "csv":
        return as_csv(made)
    if format == "html":
        from scorekeeper.render import league as league_html

        return league_html.render(made, season)
    if format == "markdown":
        from scorekeeper.render import text as markdown

        return markdown.markdown_render(sheet(made, season))
    from scorekeeper.render import text

    width = width_or(text.WIDTH) if to is None else text.WIDTH
    return text.render(sheet(made, season), width)
