"""Statistics across matches as tables, as one CSV table and as an HTML page.

The CSV table has one number in each row and the columns in COLUMNS. The page loads no files, runs
no scripts, and prints on A4 and Letter. On a phone, each table row is a separate block.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from scorekeeper.core.messages import N_, current_language, plural, tr
from scorekeeper.core.text import escape_html
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.charts import CHART_STYLE, Bar, draw_bars, draw_lines
from scorekeeper.render.export import format_cell
from scorekeeper.render.html import (
    BROAD_STYLE,
    PAGE_STYLE,
    isolate,
    isolate_runs,
    page_head,
    render_facts,
    render_figures,
)
from scorekeeper.render.layout import BOLD_FACTOR, MeasuredText
from scorekeeper.render.sheet_model import RunningTotals, Sheet, SheetColumn, SheetTable
from scorekeeper.ruleset.reports import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json

    Number = int | float | None
    CsvRow = tuple[str, str, str, str, str, Number, Number]


# The available tables. The last two grow with the square of the number of players.
PLAYERS, RANKING, COUNTS, BREAKDOWNS, DAYS, PAIRS, AGAINST = TABLES = (
    *("players", "ranking", "counts", "breakdowns", "days"),
    *("pairs", "against"),
)
DEFAULT_TABLES = frozenset((PLAYERS, RANKING, COUNTS, BREAKDOWNS, DAYS))
MAX_DRAWN = 8  # maximum number of lines that a reader can distinguish
NO_VALUE = "–"
SHARE = N_("{part} of {whole} ({percent}%)")
CHART_WIDTH = 520  # width of a chart in pixels
MAX_BARS = 24
PERCENT = 100  # the whole, in per cent
COLUMNS: Mapping[str, str] = {
    "ruleset": "the ruleset's name",
    "table": "players, ranking, counts, breakdowns.NAME, pairs, against or days",
    "player": "the player of the number",
    "other": "the partner or opponent; empty for a number of one player",
    "part": "a part of a breakdown, or a day (2026-11-20; empty if unknown)",
    "figure": "the name of the number",
    "value": "the number; empty if there is none",
    "of": "the whole of which the number is a share; empty if it is no share",
}
# The width of the widest table, the padding of a cell, and the minimum length of a word that may be
# broken, all in letter heights. Wider tables are split.
MAX_TABLE_WIDTH, CELL_PADDING, LONG_WORD = 62.0, 1.0, 10.0
STYLE = """
.sheet { margin: 0 0 2rem; }
.sheet h2 { margin: 0 0 .4rem; font-size: 1.3rem; }
.sheet caption { padding-top: .5em; }
.sheet tbody th { font-weight: 400; min-width: 6em; }
.sheet td { overflow-wrap: normal; }
.sheet thead th { overflow-wrap: break-word; }
.sheet thead .name { overflow-wrap: anywhere; min-width: 4em; }
.sheet .own th, .sheet .own td, .sheet .own { font-weight: 700; }
.sheet table { width: auto; }
.sheet .beside { display: flex; flex-wrap: wrap; gap: 0 2rem; }
.sheet .beside .scroll { max-width: 100%; }
.sheet figure { max-width: 33rem; }
@media screen and (max-width: 699.98px) {
  .sheet .beside, .sheet table, .sheet caption, .sheet tbody { display: block; }
  .sheet thead { display: none; }
  .sheet tbody tr { display: flex; flex-wrap: wrap; gap: 0 1em; padding: .3em 0;
    border-bottom: 1px solid var(--line); }
  .sheet tbody th, .sheet tbody td { border: 0; padding: 0; min-width: 0; text-align: left;
    overflow-wrap: anywhere; }
  .sheet tbody th { flex: 1 0 100%; font-weight: 600; }
  .sheet td::before { content: attr(data-of) " "; color: var(--faint); font-weight: 400; }
}
@media print {
  .sheet { font-size: 8.5pt; }
  .sheet h2 { break-after: avoid; font-size: 12pt; }
  .sheet .drawn { flex-wrap: wrap; break-inside: auto; }
  .sheet figure { flex: 0 1 250pt; }
}
@page { size: portrait; margin: 10mm; }
"""


class StatisticsQuery(NamedTuple):
    """The tables to show, the players to list first, and the selection of matches.

    Players' names are casefolded. `selection` describes the selection as pairs of a word and its
    meaning.
    """

    tables: frozenset[str] = frozenset(TABLES)
    players: frozenset[str] = frozenset()
    selection: Sequence[tuple[str, str]] = ()

    def has_player(self, name: str) -> bool:
        """Return whether the query names this player."""
        return name.casefold() in self.players


def build_sheet(data: Json, query: StatisticsQuery) -> Sheet:
    """Build a sheet with the query's tables.

    `data` are one ruleset's statistics as JSON values.
    """
    players = sort_players(data["players"], query)
    tables = [
        table for table in _build_tables(data, players, query) if table.rows and table.columns[1:]
    ]
    running = _running_totals(data, players) if DAYS in query.tables else None
    return Sheet(
        figures_title(data),
        [*query.selection, *_unfinished_facts(data["unended"])],
        tables,
        running_totals=running,
    )


def figures_title(data: Json) -> str:
    """Return a heading with the ruleset's title, the numbers of matches and rounds, and the
    period."""
    matches = plural("{count} match", "{count} matches", data["matches"])
    rounds = plural("{count} round", "{count} rounds", data["rounds"])
    first, last = data["first"], data["last"]
    span = tr("{first} to {last}", first=first, last=last) if first != last else last
    return f"{data['title']}: {', '.join(filter(None, (matches, rounds, span)))}"


def _unfinished_facts(counts: Json) -> Iterator[tuple[str, str]]:
    """Yield a fact about unfinished matches, if there are any."""
    counted, left = counts["counted"], counts["left_out"]
    texts = []
    if counted:
        texts.append(
            plural(
                "{count} counted with its current score",
                "{count} counted with their current score",
                counted,
            )
        )
    if left:
        texts.append(plural("{count} without places", "{count} without places", left))
    if texts:
        head = plural("{count} unfinished match", "{count} unfinished matches", counted + left)
        yield head, ", ".join(texts)


def sort_players(players: Sequence[Json], query: StatisticsQuery) -> list[Json]:
    """Sort the players. Players whom the query names precede all others."""
    return sorted(players, key=lambda player: not query.has_player(player["name"]))


def _build_tables(
    data: Json, players: Sequence[Json], query: StatisticsQuery
) -> Iterator[SheetTable]:
    """Yield the tables that the query requests."""
    if PLAYERS in query.tables:
        yield _matches_table(data, players)
        yield _rounds_table(data, players)
        yield _streaks_table(players)
    if RANKING in query.tables:
        yield _ranking_table(data["ranking"])
    if COUNTS in query.tables:
        yield _counts_table(data, players)
    if BREAKDOWNS in query.tables:
        yield from (_breakdown_table(data, breakdown, players) for breakdown in data["breakdowns"])
    if PAIRS in query.tables:
        yield _pairs_table(data, query)
    if AGAINST in query.tables:
        yield _against_table(data, players, query)


def _number_table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> SheetTable:
    """Build a table with text in the first column and numbers in the others. Empty columns are
    omitted."""
    columns = enumerate(zip(heads, *rows, strict=True))
    filled = [at for at, column in columns if not at or {*column[1:]} - {"", NO_VALUE}]
    shown = [SheetColumn(heads[at], "right" if at else "left") for at in filled]
    return SheetTable(caption, shown, [[row[at] for at in filled] for row in rows])


# --- tables with a row for each player


def _matches_table(data: Json, players: Sequence[Json]) -> SheetTable:
    """Build the table with each player's results in matches."""
    last = max((int(place) for player in players for place in player["places"]), default=1)
    heads = [
        *("", tr("played"), tr("won"), tr("places 1 to {last}", last=last), data["tally"]),
        *(tr("a match"), tr("best"), tr("worst")),
    ]
    rows = [
        [
            player["name"],
            str(player["played"]),
            format_share(player["won"], player["played"] - player["unfinished"]),
            _places(player["places"], last),
            str(player["points"]),
            format_mean(player["per_match"]),
            _format_extreme(player["best"]["match"]),
            _format_extreme(player["worst"]["match"]),
        ]
        for player in players
    ]
    return _number_table(tr("Matches"), heads, rows)


def _rounds_table(data: Json, players: Sequence[Json]) -> SheetTable:
    """Build the table with each player's results in rounds."""
    heads = ["", tr("rounds"), tr("won"), data["tally"], tr("a round"), tr("best"), tr("worst")]
    rows = [
        [
            player["name"],
            str(player["rounds"]),
            format_share(player["rounds_won"], player["rounds_decided"])
            if _has_round_wins(player)
            else NO_VALUE,
            str(player["points"]),
            format_mean(player["per_round"]),
            _format_extreme(player["best"]["round"]),
            _format_extreme(player["worst"]["round"]),
        ]
        for player in players
    ]
    return _number_table(tr("Rounds"), heads, rows)


def _streaks_table(players: Sequence[Json]) -> SheetTable:
    """Build the table with each player's longest winning and losing streaks."""
    heads = [
        *("", tr("matches won"), tr("matches lost"), tr("current"), tr("rounds won")),
        tr("rounds lost"),
    ]
    rows = []
    for player in players:
        streaks = player["streaks"]
        of_matches = [str(streaks["won"]), str(streaks["lost"]), _format_signed(streaks["current"])]
        of_rounds = [str(streaks["rounds_won"]), str(streaks["rounds_lost"])]
        rows.append(
            [
                player["name"],
                *(of_matches if player["places"] else [NO_VALUE] * 3),
                *(of_rounds if _has_round_wins(player) else [NO_VALUE] * 2),
            ]
        )
    return _number_table(tr("Longest streaks"), heads, rows)


def _ranking_table(figures: Sequence[Json]) -> SheetTable:
    """Build the table of the figures by which the ruleset ranks players, with the best player
    first."""
    first = figures[0]["players"] if figures else []
    by_name = [{row["name"]: row for row in figure["players"]} for figure in figures]
    rows = [
        [
            row["name"],
            NO_VALUE if row["place"] is None else str(row["place"]),
            *(_format_figure(rows.get(row["name"])) for rows in by_name),
        ]
        for row in first
    ]
    return _number_table(
        tr("What decides"), ["", tr("Rank"), *(figure["label"] for figure in figures)], rows
    )


def _format_figure(row: Json | None) -> str:
    """Format a player's figure. A percentage is followed by its two numbers, as in `(3/4)`."""
    if row is None or row["value"] is None:
        return NO_VALUE
    if row["of"] is None:
        return str(row["amount"])
    return f"{row['value']:.2f}% ({row['amount']}/{row['of']})"


def _has_round_wins(player: Json) -> bool:
    """Return whether the ruleset decides a winner of each round."""
    return player["round_share"] is not None


def _places(places: Json, last: int) -> str:
    """Format how often a player reached each place, for example `3-1-0`."""
    every = [str(places.get(str(place), 0)) for place in range(1, last + 1)]
    return "-".join(every) if places else NO_VALUE


def format_mean(number: float | None) -> str:
    """Format an average with two decimals."""
    return NO_VALUE if number is None else f"{number:.2f}"


def _format_signed(number: int) -> str:
    """Format a number with its sign. Zero has no sign."""
    return f"{number:+}" if number else "0"


def _format_extreme(result: Json | None) -> str:
    """Format the points of a player's best or worst result."""
    return NO_VALUE if result is None else str(result["points"])


# --- tables with a column for each player


def _player_table(caption: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> SheetTable:
    """Build a table with a column for each player."""
    heads = [SheetColumn("", "left"), *(SheetColumn(name, "right", owner=name) for name in names)]
    return SheetTable(caption, heads, rows)


def _counts_table(data: Json, players: Sequence[Json]) -> SheetTable:
    """Build the table of events that the ruleset counts. Events that never happened are omitted."""
    rows = []
    for row, label in data["labels"].items():
        numbers = [player["counts"][row] for player in players]
        if any(numbers):
            rows.append([label, *(_format_count(data, player, row) for player in players)])
    return _player_table(tr("Event counts"), [player["name"] for player in players], rows)


def _format_count(data: Json, player: Json, row: str) -> str:
    """Format a count, with a percentage if it is a share."""
    number, whole = player["counts"][row], share_base(data, player, row)
    return str(number) if whole is None else format_share(number, whole)


def share_base(data: Json, player: Json, row: str) -> int | None:
    """Return the total of which a player's count is a share, or None if it is not a share.

    The total is either another count or the number of valid rounds that were recorded entry by
    entry.
    """
    of = data["shares"].get(row)
    if of == ROUNDS:
        return int(player["rounds_told"])
    counts: dict[str, int] = player["counts"]
    return counts.get(of)


def format_share(part: int, whole: int) -> str:
    """Format a part of a whole as a share with its percentage."""
    if not whole:
        return NO_VALUE
    return tr(SHARE, part=part, whole=whole, percent=round(100 * part / whole))


def _breakdown_table(data: Json, breakdown: Json, players: Sequence[Json]) -> SheetTable:
    """Build a table with each player's results in each part of a breakdown. Players without results
    are omitted."""
    parts = {player["name"]: player["parts"] for player in breakdown["players"]}
    names = [player["name"] for player in players if player["name"] in parts]
    rows = []
    for part in breakdown["parts"]:
        each = [parts[name].get(part) for name in names]
        if any(each):
            rows.append(
                [part, *(format_share(of["won"], of["decided"]) if of else NO_VALUE for of in each)]
            )
        if any(of and of["points"] for of in each):
            rows.append([f"{part}: {data['tally']}", *(_format_points(of) for of in each)])
    return _player_table(breakdown["label"], names, rows)


def _format_points(part: Json | None) -> str:
    """Format a player's points in a part of a breakdown, with the average per round."""
    return f"{part['points']} ({format_mean(part['per_round'])})" if part else NO_VALUE


# --- tables of two players


def _pairs_table(data: Json, query: StatisticsQuery) -> SheetTable:
    """Build the table of partners. If the query names players, other pairs are omitted."""
    heads = ["", tr("rounds"), tr("won"), data["tally"], tr("a round")]
    pairs = sorted(data["pairs"], key=lambda pair: -pair["rounds"])
    rows = [
        [
            "+".join(pair["players"]),
            str(pair["rounds"]),
            format_share(pair["won"], pair["decided"]),
            str(pair["points"]),
            format_mean(pair["per_round"]),
        ]
        for pair in pairs
        if not query.players or any(map(query.has_player, pair["players"]))
    ]
    return _number_table(tr("On the same side"), heads, rows)


def _against_table(data: Json, players: Sequence[Json], query: StatisticsQuery) -> SheetTable:
    """Build the table of opponents, with one row for each pair of players."""
    order = {player["name"]: at for at, player in enumerate(players)}
    heads = [
        *("", tr("matches"), tr("ahead"), tr("behind"), tr("even")),
        *(tr("rounds"), tr("lead ({tally})", tally=data["tally"])),
    ]
    rows = [
        [
            tr("{player} and {other}", player=row["player"], other=row["other"]),
            *(str(row[key]) for key in ("matches", "ahead", "behind", "even", "rounds")),
            _format_signed(row["points"]),
        ]
        for row in data["against"]
        if order[row["player"]] < order[row["other"]]
        and (not query.players or query.has_player(row["player"]))
    ]
    return _number_table(tr("Head to head"), heads, rows)


# --- over the days


def _running_totals(data: Json, players: Sequence[Json]) -> RunningTotals | None:
    """Return the total points after each day, for the players with the most rounds.

    Points from matches without a date are added before the first day.
    """
    order = sorted(players, key=lambda player: -player["rounds"])
    most = {player["name"] for player in order[:MAX_DRAWN]}
    names = [player["name"] for player in players if player["name"] in most]
    days = [day for day in data["days"] if day["date"]]
    if not days:
        return None
    sums = dict.fromkeys(names, 0)
    for day in data["days"]:
        if not day["date"]:
            sums = {name: sums[name] + day["points"].get(name, 0) for name in names}
    points = {name: [sums[name]] for name in names}
    for day in days:
        for name, sums_of in points.items():
            sums_of.append(sums_of[-1] + day["points"].get(name, 0))
    dates = ["", *(day["date"] for day in days)]
    return RunningTotals(data["tally"], names, range(len(dates)), list(points.values()), days=dates)


# --- for other programs


def as_csv(every: Iterable[Json], tables: frozenset[str]) -> Iterator[str]:
    """Yield a heading, then the statistics of each ruleset as CSV text."""
    yield _csv_line(COLUMNS)
    for data in every:
        yield "".join(_csv_line((data["ruleset"], *line)) for line in _csv_rows(data, tables))


def _csv_line(values: Iterable[object]) -> str:
    """Format a line of CSV."""
    import csv
    from io import StringIO

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(format_cell, values))
    return text.getvalue()


def _csv_rows(data: Json, tables: frozenset[str]) -> Iterator[CsvRow]:
    """Yield the rows of one ruleset without the column for its name."""
    for player in data["players"]:
        name = player["name"]
        if PLAYERS in tables:
            for figure, value, of in _player_figures(player):
                yield PLAYERS, name, "", "", figure, value, of
        if COUNTS in tables:
            for row, number in player["counts"].items():
                yield COUNTS, name, "", "", row, number, share_base(data, player, row)
    for row in data["ranking"] if RANKING in tables else ():
        for player in row["players"]:
            yield RANKING, player["name"], "", "", row["name"], player["amount"], player["of"]
    for breakdown in data["breakdowns"] if BREAKDOWNS in tables else ():
        table = f"{BREAKDOWNS}.{breakdown['name']}"
        for player in breakdown["players"]:
            for part, of in player["parts"].items():
                for figure, value, whole in _round_figures(of):
                    yield table, player["name"], "", part, figure, value, whole
    for pair in data["pairs"] if PAIRS in tables else ():
        for figure, value, whole in _round_figures(pair):
            yield PAIRS, pair["players"][0], pair["players"][1], "", figure, value, whole
    for row in data["against"] if AGAINST in tables else ():
        for figure in ("matches", "ahead", "behind", "even", "rounds", "points"):
            whole = row["matches"] if figure in ("ahead", "behind", "even") else None
            yield AGAINST, row["player"], row["other"], "", figure, row[figure], whole
    for day in data["days"] if DAYS in tables else ():
        for name, points in day["points"].items():
            yield DAYS, name, "", day["date"], "points", points, None


def _player_figures(player: Json) -> Iterator[tuple[str, Number, Number]]:
    """Yield each figure of a player: its name, its value, and the total of which it is a share.

    The total is None for a figure that is not a share.
    """
    ended, rounds = player["played"] - player["unfinished"], player["rounds_decided"]
    whole = {"won": ended, "unfinished": player["played"]}
    if player["round_share"] is not None:
        whole |= {"rounds_won": rounds, "rounds_lost": rounds}
    for figure in (
        *("played", "unfinished", "won", "rounds", "rounds_won", "rounds_lost"),
        *("points", "per_round", "per_match"),
    ):
        yield figure, player[figure], whole.get(figure)
    for place, often in player["places"].items():
        yield f"place_{place}", often, ended
    for which in ("best", "worst"):
        for span, result in player[which].items():
            yield f"{which}_{span}", result and result["points"], None
    for figure, value in player["streaks"].items():
        yield f"streak_{figure}", value, None


def _round_figures(of: Json) -> Iterator[tuple[str, Number, Number]]:
    """Yield the figures about rounds, wins and points in the same form as `_player_figures`."""
    yield "rounds", of["rounds"], None
    yield "won", of["won"], of["decided"]
    yield "points", of["points"], None
    yield "per_round", of["per_round"], None


# --- as a page


def as_html(every: Sequence[Json], query: StatisticsQuery) -> str:
    """Render the statistics of each ruleset as a page."""
    heading = tr("Statistics")
    head = page_head(heading, PAGE_STYLE + BROAD_STYLE + CHART_STYLE + STYLE, current_language())
    sections = "".join(_render_section(data, query) for data in every)
    nothing = "" if every else f"<p>{escape_html(tr('No matches found.'))}</p>\n"
    body = f"<h1>{escape_html(heading)}</h1>\n{nothing}{sections}"
    return f"{head}<main>\n{body}</main>\n</body>\n</html>\n"


def _render_section(data: Json, query: StatisticsQuery) -> str:
    """Render one ruleset's statistics as tables and charts.

    Tables with a row for each player precede the charts, and tables with a column for each player
    follow them.
    """
    made = build_sheet(data, query)
    first = list(
        takewhile(lambda table: not any(each.owner for each in table.columns), made.tables)
    )
    pictures = draw_charts(data, sort_players(data["players"], query), made.running_totals)
    rest = made.tables[len(first) :]
    inner = (
        render_facts(made.facts)
        + _render_tables(first, query)
        + render_figures(pictures)
        + _render_tables(rest, query)
    )
    return f'<section class="sheet">\n<h2>{isolate(made.title)}</h2>\n{inner}</section>\n'


def draw_charts(data: Json, players: Sequence[Json], running: RunningTotals | None) -> list[str]:
    """Draw the charts of one ruleset. Each is an SVG element."""
    shown = players[:MAX_BARS]
    points = [
        Bar(player["name"], player["per_round"], format_mean(player["per_round"]))
        for player in shown
        if player["per_round"] is not None
    ]
    shares = [
        Bar(
            player["name"],
            PERCENT * player["round_share"],
            f"{PERCENT * player['round_share']:.0f}%",
        )
        for player in shown
        if player["round_share"] is not None
    ]
    label = tr("{tally} per round", tally=data["tally"])
    lines = draw_lines(running, CHART_WIDTH) if running else ""
    pictures = (
        lines,
        draw_bars(label, points, width=CHART_WIDTH),
        draw_bars(tr("Share of rounds won"), shares, PERCENT, CHART_WIDTH),
    )
    return [each for each in pictures if each]


def _render_tables(tables: Sequence[SheetTable], query: StatisticsQuery) -> str:
    """Render tables side by side, as many in a row as fit."""
    html = "".join(_render_table(part, query) for table in tables for part in _split_columns(table))
    return f'<div class="beside">\n{html}</div>\n' if html else ""


def _split_columns(table: SheetTable) -> Iterator[SheetTable]:
    """Split the table into several if it is too wide. Each part repeats the first column."""
    widths = [
        min(max(MeasuredText(text, BOLD_FACTOR).longest for text in column), LONG_WORD)
        + CELL_PADDING
        for column in zip([each.label for each in table.columns], *table.rows, strict=True)
    ]
    chosen, left = [0], MAX_TABLE_WIDTH - widths[0]
    for at in range(1, len(widths)):
        if len(chosen) > 1 and widths[at] > left:
            yield table.select_columns(chosen)
            chosen, left = [0], MAX_TABLE_WIDTH - widths[0]
        chosen.append(at)
        left -= widths[at]
    yield table.select_columns(chosen)


def _render_table(table: SheetTable, query: StatisticsQuery) -> str:
    """Render a table as HTML."""
    heads = "".join(_render_heading(column, query) for column in table.columns)
    rows = "".join(_render_row(table, row, query) for row in table.rows)
    return (
        f'<div class="scroll"><table>\n<caption>{isolate(table.caption)}</caption>\n'
        f"<thead>\n<tr>{heads}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


def _render_heading(column: SheetColumn, query: StatisticsQuery) -> str:
    """Render the heading of a column as HTML."""
    marks = f"{column.align}{' name' if column.owner else ''}{_own_class(column, query)}"
    return f'<th scope="col" class="{marks}">{isolate(column.label)}</th>'


def _render_row(table: SheetTable, row: Sequence[str], query: StatisticsQuery) -> str:
    """Render a row. Narrow screens show each cell's heading in the cell."""
    cells = "".join(
        f'<td class="right{_own_class(column, query)}" data-of="{escape_html(column.label)}">'
        f"{isolate_runs(cell)}</td>"
        for column, cell in zip(table.columns[1:], row[1:], strict=True)
    )
    own = ' class="own"' if query.has_player(row[0]) else ""
    return f'<tr{own}><th scope="row">{isolate_runs(row[0])}</th>{cells}</tr>\n'


def _own_class(column: SheetColumn, query: StatisticsQuery) -> str:
    """Return the CSS class of a column of a player whom the query names."""
    return " own" if column.owner and query.has_player(column.owner) else ""
