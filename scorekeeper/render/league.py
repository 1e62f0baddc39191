"""A league's ranking as a sheet for every layout, as an HTML page, as JSON and as CSV.

JSON has the keys

    title by per least best award ties figures tally fewest counted unfinished_counted left_out
    unknown_deals ambiguous_deals season chosen rulesets table

- `ties`: the names of the figures that decide between equal players.
- `figures`: the label of each figure, keyed by its name.
- `left_out`: rows of `reason` (`empty` if nothing was recorded, `unfinished`, or `uncounted` if the
  rules have no such figure) and `matches`.
- `season`: `since until` as requested, and `first last`, the first and last day of the counted
  matches.
- `chosen`: `players rulesets places matches`.
- `rulesets`: rows of `name title matches`.
- `table`: rows with the keys

      place before name value matches rounds points per_match per_round won places mean_place
      rating figures

Missing values are null. Points are null if games of different scales are mixed. `rating` has the
keys `mu sigma ordinal`. In a row, `figures` maps the name of each figure to `value` and `of`. `of`
is the greatest number that was possible for the player, or null if the figure is not a share.

CSV has a row for each player and the columns in COLUMNS.

The HTML page loads no files, runs no scripts, and prints on A4 and Letter. On a phone, each row
begins with a line that shows the place, the player and the value that decides the place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import current_language, plural, tr
from scorekeeper.core.text import escape_html
from scorekeeper.core.types import NamedTuple
from scorekeeper.history.league import (
    AVERAGE,
    EMPTY,
    PLACES,
    POINTS,
    RATING,
    ROUND,
    UNCOUNTED,
    WINS,
)
from scorekeeper.render.charts import CHART_STYLE, draw_charts
from scorekeeper.render.export import format_cell
from scorekeeper.render.html import (
    BROAD_STYLE,
    PAGE_STYLE,
    isolate,
    isolate_runs,
    page_head,
    render_facts,
    render_figures,
    render_notes,
)
from scorekeeper.render.sheet_model import RunningTotals, Sheet, SheetColumn, SheetTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.history.league import League, LeagueAccount, LeagueRow


MAX_DRAWN = 8  # maximum number of players in the chart
DECIMALS = 6  # decimals in JSON and CSV
COLUMNS: Mapping[str, str] = {
    "place": "the place, shared by equal players; empty without a place",
    "before": "the place before the last day",
    "player": "the player's name",
    "value": "the number that decides the place",
    "matches": "the number of matches played",
    "rounds": "the number of rounds played in these matches",
    "points": "the sum over these matches; empty if games with different points are mixed",
    "per_match": "the average of points for a match",
    "per_round": "the average of points for a round that was not void",
    "won": "the number of matches won",
    "mean_place": "the average place in a match",
    "mu": "the rating: the estimated skill",
    "sigma": "the uncertainty of the estimate",
    "ordinal": "the cautious estimate: mu - 3 sigma",
}
STYLE = """
.sheet table { margin: 0; }
.sheet th, .sheet td { overflow-wrap: normal; }
.sheet .player { min-width: 7em; overflow-wrap: anywhere; }
.sheet td.value { font-weight: 600; }
.sheet figure svg { max-width: 36rem; }
@media screen and (max-width: 779.98px) {
  .sheet table, .sheet tbody { display: block; }
  .sheet thead { display: none; }
  .sheet tr { display: flex; flex-wrap: wrap; gap: 0 .8em; padding: .3em 0 .3em 2.8em;
    border-bottom: 1px solid var(--line); }
  .sheet td { border: 0; padding: 0; }
  .sheet td.place { order: 0; flex: 0 0 2em; margin-left: -2.8em; }
  .sheet td.player { order: 1; flex: 1 1 calc(100% - 7em); min-width: 0; font-weight: 600; }
  .sheet td.value { order: 2; }
  .sheet tr::after { order: 3; flex: 0 0 100%; content: ""; }
  .sheet td.more { order: 4; font-size: .875em; overflow-wrap: anywhere; }
  .sheet td.more:empty { display: none; }
  .sheet td.more::before { content: attr(data-of) " "; color: var(--faint); }
}
@media print {
  .sheet { font-size: 9.5pt; }
}
@page { size: portrait; margin: 10mm; }
"""


class Season(NamedTuple):
    """A league's title and the requested selection of its matches (see `Selection`).

    `matches` contains the numbers of matches that were requested by number. The title may be "".
    """

    title: str = ""
    since: str = ""
    until: str = ""
    players: Sequence[str] = ()
    rulesets: Sequence[str] = ()
    places: Sequence[str] = ()
    matches: Sequence[str] = ()


# --- for people


def build_sheet(league: League, season: Season) -> Sheet:
    """Build a sheet with the ranking and, above it, the league's rules."""
    rows = league.table
    rule_facts = [*_rule_facts(league), *_match_facts(league, season)]
    tables = [_build_table(league, rows)] if rows else []
    remarks = [tr("No match counts yet.")]
    if rows:
        remarks = [
            tr("Tied players share a place."),
            tr("{heading}: how often a player came first, second, third …", heading=tr("places")),
        ]
    title = season.title or tr("League")
    return Sheet(title, rule_facts, tables, remarks, running_totals=_running_totals(league, rows))


def _rule_facts(league: League) -> Iterator[tuple[str, str]]:
    """Yield the facts that explain what decides the places."""
    terms, points = league.terms, _points_name(league)
    parts = {
        POINTS: tr("total {points} over all matches", points=points),
        AVERAGE: tr("average {points} per match", points=points),
        WINS: tr("matches won"),
        PLACES: tr("average place per match"),
    }
    if league.initial_rating is not None:
        begins = league.initial_rating
        parts[RATING] = tr(
            "a rating computed from the places (openskill, Plackett-Luce): mu - 3 sigma, "
            "starting at mu {mu} and sigma {sigma}",
            mu=_format_number(begins.mu),
            sigma=_format_number(begins.sigma),
        )
    by = league.by
    rule = parts.get(by) or tr("{points} over all matches", points=league.figure_labels.get(by, by))
    if terms.per == ROUND:
        rule = tr("average {points} per round", points=points)
    if league.prefers_fewest and terms.is_by_points:
        rule = f"{rule}; {tr('lower is better')}"
    yield tr("Ranked by"), rule
    yield from _figure_facts(league)
    if terms.award:
        worth = ", ".join(map(str, terms.award))
        shared = tr("players who share a place each get the full points for it")
        yield tr("Points for places"), f"{worth}; {shared}"
    if terms.best:
        yield (
            tr("Per player"),
            tr("the best match")
            if terms.best == 1
            else tr("the best {count} matches", count=terms.best),
        )
    if terms.least > 1:
        yield (
            tr("Ranked"),
            plural(
                "players with at least {count} match",
                "players with at least {count} matches",
                terms.least,
            ),
        )


def _figure_facts(league: League) -> Iterator[tuple[str, str]]:
    """Yield facts about the ruleset's figures: ties, comparisons, and deals that were left out."""
    if league.chain[1:]:
        yield tr("Ties"), ", ".join(_tie_texts(league))
    if league.is_comparing:
        yield (
            tr("Tables compared"),
            tr("deals with the same number, on the same day at the same place"),
        )
    if league.ambiguous_deals:
        yield (
            tr("Not compared"),
            plural(
                "{count} deal that a player would have played twice",
                "{count} deals that a player would have played twice",
                league.ambiguous_deals,
            ),
        )
    if league.unknown_deals and league.figures:
        yield (
            tr("Points alone"),
            plural(
                "{count} deal of which only the score is known",
                "{count} deals of which only the score is known",
                league.unknown_deals,
            ),
        )


def _tie_texts(league: League) -> Iterator[str]:
    """Yield the label of each figure that decides between equal players."""
    for name in league.chain[1:]:
        label = league.figure_labels.get(name) or _points_name(league)
        fewest = league.ranking is not None and league.ranking.prefers_fewest(name)
        yield tr("{label} (fewest)", label=label) if fewest else label


def _points_name(league: League) -> str:
    """Return the word for the points, which is the tally's name where possible."""
    return tr("points") if league.terms.award or not league.tally_name else league.tally_name


def _match_facts(league: League, season: Season) -> Iterator[tuple[str, str]]:
    """Yield facts about the matches that count and the matches that were left out."""
    texts = [str(league.counted_matches)]
    if league.days:
        texts.append(tr("from {first} to {last}", first=league.days[0], last=league.days[-1]))
    if league.unfinished_counted:
        texts.append(
            plural(
                "{count} unfinished match counted with its current score",
                "{count} unfinished matches counted with their current scores",
                league.unfinished_counted,
            )
        )
    yield tr("Matches"), "; ".join(texts)
    chosen = "; ".join(_selection_texts(season))
    if chosen:
        yield tr("Selection"), chosen
    if league.rulesets:
        games = (f"{title} {many}" for title, many in league.rulesets.values())
        yield tr("Games"), ", ".join(games)
    if league.skipped_matches:
        yield tr("Left out"), "; ".join(_left_out_texts(league))


def _selection_texts(season: Season) -> Iterator[str]:
    """Describe the criteria by which matches were selected, one at a time."""
    if season.since:
        yield tr("since {day}", day=season.since)
    if season.until:
        yield tr("until {day}", day=season.until)
    if season.players:
        yield tr("with {names}", names=", ".join(season.players))
    if season.rulesets:
        yield tr("under the rules {names}", names=", ".join(season.rulesets))
    if season.places:
        yield tr("at {places}", places=", ".join(season.places))
    if season.matches:
        yield tr("matches {numbers}", numbers=", ".join(season.matches))


def _left_out_texts(league: League) -> Iterator[str]:
    """Yield each reason for leaving out matches, with the number of these matches."""
    for reason, many in league.skipped_matches.items():
        if reason == EMPTY:
            yield plural("{count} without entries", "{count} without entries", many)
        elif reason == UNCOUNTED:
            yield plural(
                "{count} whose rules have no such figure",
                "{count} whose rules have no such figure",
                many,
            )
        else:
            yield plural("{count} unfinished", "{count} unfinished", many)


def _build_table(league: League, rows: Sequence[LeagueRow]) -> SheetTable:
    """Build the table of the ranking."""
    moved = any(row.previous_place is not None for row in rows)
    heads = _headings(league)
    columns = [SheetColumn(tr("Rank"), "right")]
    if moved:
        columns.append(SheetColumn(tr("before {day}", day=league.days[-1]), "right"))
    columns += [SheetColumn(tr("Player"), "left"), *(SheetColumn(head, "right") for head in heads)]
    cells = [
        [
            "-" if row.place is None else str(row.place),
            *([_format_previous_place(row)] if moved else []),
            row.player.name,
            *_cells(league, row),
        ]
        for row in rows
    ]
    return SheetTable("", columns, cells)


def _format_previous_place(row: LeagueRow) -> str:
    """Format the previous place with a sign for the direction of the change."""
    if row.place is None or row.previous_place is None:
        return "" if row.previous_place is None else str(row.previous_place)
    sign = "▲" if row.place < row.previous_place else "▼" if row.place > row.previous_place else "="
    return f"{row.previous_place} {sign}"


def _headings(league: League) -> list[str]:
    """Return the headings to the right of the player's column. The first of them belongs to the
    value that decides the places."""
    terms, points = league.terms, _points_name(league)
    if league.shown_figures:
        labels = [league.figure_labels.get(name) or points for name in league.shown_figures]
        return [*labels, tr("matches"), tr("places")]
    decides = {
        POINTS: [points],
        AVERAGE: [tr("average")],
        WINS: [tr("won")],
        PLACES: [tr("average place")],
        RATING: [tr("rating"), "mu", "sigma"],
    }[league.by]
    rest = [tr("matches")]
    if terms.per == ROUND:
        rest.append(tr("rounds"))
    if league.by == POINTS:
        rest.append(tr("per match"))
    if terms.by == AVERAGE:
        rest.append(points)
    return [*decides, *rest, *([tr("won")] if terms.by != WINS else []), tr("places")]


def _cells(league: League, row: LeagueRow) -> list[str]:
    """Return a player's cells for the columns that `_headings` returns."""
    terms, player = league.terms, row.player
    if league.shown_figures:
        figures = [_format_figure(league, player, name) for name in league.shown_figures]
        places = _format_place_counts(player.places)
        return [*figures, str(player.matches), places]
    whole = league.by in (POINTS, WINS)
    cells = [_format_number(row.value, whole)]
    if terms.by == RATING:
        rating = player.rating
        cells += [_format_number(rating and rating.mu), _format_number(rating and rating.sigma)]
    cells.append(str(player.matches))
    if terms.per == ROUND:
        cells.append(str(player.scored_rounds))
    if league.by == POINTS:
        cells.append(_format_number(player.per_match))
    if terms.by == AVERAGE:
        cells.append(str(player.points))
    if terms.by != WINS:
        cells.append(str(player.wins))
    return [*cells, _format_place_counts(player.places)]


def _format_figure(league: League, player: LeagueAccount, name: str) -> str:
    """Format a player's figure. A percentage is followed by its two numbers, as in `(3/4)`."""
    value, of = league.value(player, name), league.possible(player, name)
    if of is None or value is None:
        return _format_number(value, whole=True)
    return f"{value:.2f}% ({league.amount(player, name)}/{of})"


def _format_place_counts(often: Mapping[int, int]) -> str:
    """Format how often a player was first, second, third and so on, for example `9-2-0-1`."""
    return "-".join(str(often.get(place, 0)) for place in range(1, max(often, default=0) + 1))


def _format_number(value: float | None, whole: bool = False) -> str:
    """Format a number, with two decimals unless it is whole."""
    if value is None:
        return "-"
    return str(round(value)) if whole else f"{value:.2f}"


def _running_totals(league: League, rows: Sequence[LeagueRow]) -> RunningTotals | None:
    """Return the leading players' values after each day."""
    leading = [row.player for row in rows if row.place is not None][:MAX_DRAWN]
    if len(league.days) < 2 or not leading or not league.progress_kind:
        return None
    label = {WINS: tr("won"), RATING: tr("rating")}.get(league.progress_kind)
    label = label or league.figure_labels.get(league.progress_figure) or _points_name(league)
    points: list[list[int | None]] = [[None, *league.progress(each)] for each in leading]
    names, days = [player.name for player in leading], ["", *league.days]
    return RunningTotals(label, names, range(len(days)), points, days=days)


# --- for programs


def as_json(league: League, season: Season) -> Json:
    """Return the league as JSON values (see above)."""
    terms, days = league.terms, league.days
    return {
        "title": season.title,
        **{**terms._asdict(), "by": league.by, "award": list(terms.award)},
        "ties": list(league.chain[1:]),
        "figures": {name: league.figure_labels[name] for name in league.figures},
        "tally": league.tally_name,
        "fewest": league.prefers_fewest,
        "counted": league.counted_matches,
        "unfinished_counted": league.unfinished_counted,
        "left_out": [
            {"reason": reason, "matches": many} for reason, many in league.skipped_matches.items()
        ],
        "unknown_deals": league.unknown_deals,
        "ambiguous_deals": league.ambiguous_deals,
        "season": {
            "since": season.since,
            "until": season.until,
            "first": days[0] if days else "",
            "last": days[-1] if days else "",
        },
        "chosen": {
            key: list(getattr(season, key)) for key in ("players", "rulesets", "places", "matches")
        },
        "rulesets": [
            {"name": name, "title": title, "matches": many}
            for name, (title, many) in league.rulesets.items()
        ],
        "table": [_row_as_json(league, row) for row in league.table],
    }


def _row_as_json(league: League, row: LeagueRow) -> Json:
    """Return a row of the table as JSON values."""
    player, known = row.player, league.is_comparable
    rating = player.rating
    return {
        "place": row.place,
        "before": row.previous_place,
        "name": player.name,
        "value": _round_number(row.value),
        "matches": player.matches,
        "rounds": player.rounds,
        "points": player.points if known else None,
        "per_match": _round_number(player.per_match) if known else None,
        "per_round": _round_number(player.per_round) if known else None,
        "won": player.wins,
        "places": {str(place): player.places[place] for place in sorted(player.places)},
        "mean_place": _round_number(player.mean_place),
        "rating": None
        if rating is None
        else {
            "mu": _round_number(rating.mu),
            "sigma": _round_number(rating.sigma),
            "ordinal": _round_number(rating.ordinal),
        },
        "figures": {
            name: {"value": league.amount(player, name), "of": league.possible(player, name)}
            for name in league.figures
        },
    }


def _round_number(value: float | None) -> float | None:
    """Round a number for JSON and CSV."""
    return value if value is None or isinstance(value, int) else round(value, DECIMALS)


def as_csv(league: League) -> str:
    """Return the ranking as CSV."""
    import csv
    from io import StringIO

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    figures = [f"figure_{name}" for name in league.figures]
    writer.writerow([*COLUMNS, *figures])
    for row in league.table:
        values = {**_row_as_json(league, row), "player": row.player.name}
        values |= values["rating"] or {}
        values |= {f"figure_{name}": each["value"] for name, each in values["figures"].items()}
        writer.writerow([format_cell(values.get(key)) for key in (*COLUMNS, *figures)])
    return text.getvalue()


# --- as a page


def as_html(league: League, season: Season) -> str:
    """Render the ranking as a page."""
    made = build_sheet(league, season)
    head = page_head(made.title, PAGE_STYLE + BROAD_STYLE + CHART_STYLE + STYLE, current_language())
    tables = "".join(map(_render_table, made.tables))
    below = render_notes(made.footnotes) + render_figures(draw_charts(made))
    body = f"<h1>{isolate(made.title)}</h1>\n{render_facts(made.facts)}{tables}{below}"
    return f'{head}<main class="sheet">\n{body}</main>\n</body>\n</html>\n'


def _render_table(table: SheetTable) -> str:
    """Render a table as HTML."""
    kinds = _column_kinds(table)
    heads = "".join(
        f'<th scope="col" class="{column.align} {kind}">{isolate(column.label)}</th>'
        for column, kind in zip(table.columns, kinds, strict=True)
    )
    rows = "".join(_render_row(table, kinds, row) for row in table.rows)
    return (
        f'<div class="scroll"><table>\n<thead>\n<tr>{heads}</tr>\n</thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


def _column_kinds(table: SheetTable) -> list[str]:
    """Return the CSS class of each column: place, player, the value that decides the place, or
    `more`."""
    player = next(at for at, column in enumerate(table.columns) if column.align == "left")
    named = {0: "place", player: "player", player + 1: "value"}
    return [named.get(at, "more") for at in range(len(table.columns))]


def _render_row(table: SheetTable, kinds: Sequence[str], row: Sequence[str]) -> str:
    """Render a row. Narrow screens show each cell's heading in the cell."""
    cells = "".join(
        f'<td class="{column.align} {kind}" data-of="{escape_html(column.label)}">'
        f"{isolate_runs(cell)}</td>"
        for column, kind, cell in zip(table.columns, kinds, row, strict=True)
    )
    return f"<tr>{cells}</tr>\n"
