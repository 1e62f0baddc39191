"""What players did across matches, laid out as tables: what is printed of the figures of one
ruleset, before anybody knows how it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.paper import Column, Grid, Running, Sheet
from scorekeeper.ruleset.reports import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json

# What may be told; what grows with the square of the players stands last.
PLAYERS, COUNTS, BREAKDOWNS, DAYS, PAIRS, AGAINST = TABLES = (
    *("players", "counts", "breakdowns", "days"),
    *("pairs", "against"),
)
USUAL = frozenset((PLAYERS, COUNTS, BREAKDOWNS, DAYS))
MOST_DRAWN = 8  # lines that can be told apart
NOTHING = "–"
SHARE = mark("{part} of {whole} ({percent}%)")


class Asked(NamedTuple):
    """What is told of the figures: which of TABLES, of whom first (their names, casefolded), and
    how the matches were chosen, as pairs of a word and what was said."""

    tables: frozenset[str] = frozenset(TABLES)
    first: frozenset[str] = frozenset()
    chosen: Sequence[tuple[str, str]] = ()

    def is_first(self, name: str) -> bool:
        """Whether that is one of those who were asked for."""
        return name.casefold() in self.first


def sheet(data: Json, asked: Asked) -> Sheet:
    """The figures of one ruleset (`Figures.as_json`), with the tables that are asked for."""
    players = in_order(data["players"], asked)
    grids = [grid for grid in _grids(data, players, asked) if grid.rows and grid.columns[1:]]
    running = _running(data, players) if DAYS in asked.tables else None
    return Sheet(title(data), [*asked.chosen, *_unended(data["unended"])], grids, running=running)


def title(data: Json) -> str:
    """Of what and of how many matches the figures are, and from when to when."""
    matches = plural("{count} match", "{count} matches", data["matches"])
    rounds = plural("{count} round", "{count} rounds", data["rounds"])
    first, last = data["first"], data["last"]
    span = tr("{first} to {last}", first=first, last=last) if first != last else last
    return f"{data['title']}: {', '.join(filter(None, (matches, rounds, span)))}"


def share(part: int, whole: int) -> str:
    """How many of how many, and what share that is."""
    if not whole:
        return NOTHING
    return tr(SHARE, part=part, whole=whole, percent=round(100 * part / whole))


def whole_of(data: Json, player: Json, row: str) -> int | None:
    """Of how many a player's count is a share: of another row's, or of their rounds, those apart
    that were void and those of which the score alone is known; None for what is none."""
    of = data["shares"].get(row)
    if of == ROUNDS:
        return int(player["rounds_told"])
    counts: dict[str, int] = player["counts"]
    return counts.get(of)


def _unended(found: Json) -> Iterator[tuple[str, str]]:
    """What became of matches that nobody ended."""
    counted, left = found["counted"], found["left_out"]
    told = []
    if counted:
        told.append(plural("{count} counts as it stood", "{count} count as they stood", counted))
    if left:
        told.append(plural("{count} has no places", "{count} have no places", left))
    if told:
        head = plural(
            "{count} match that nobody ended", "{count} matches that nobody ended", counted + left
        )
        yield head, ", ".join(told)


def in_order(players: Sequence[Json], asked: Asked) -> list[Json]:
    """The players as they come, those who were asked for before the others."""
    return sorted(players, key=lambda player: not asked.is_first(player["name"]))


def _grids(data: Json, players: Sequence[Json], asked: Asked) -> Iterator[Grid]:
    if PLAYERS in asked.tables:
        yield _matches(data, players)
        yield _rounds(data, players)
        yield _streaks(players)
    if COUNTS in asked.tables:
        yield _counts(data, players)
    if BREAKDOWNS in asked.tables:
        yield from (_breakdown(data, found, players) for found in data["breakdowns"])
    if PAIRS in asked.tables:
        yield _pairs(data, asked)
    if AGAINST in asked.tables:
        yield _against(data, players, asked)


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    """A table, the first column of texts, the others of numbers; without columns in which nothing
    is said of anybody."""
    columns = enumerate(zip(heads, *rows, strict=True))
    kept = [at for at, column in columns if not at or {*column[1:]} - {"", NOTHING}]
    found = [Column(heads[at], "right" if at else "left") for at in kept]
    return Grid(caption, found, [[row[at] for at in kept] for row in rows])


# --- of each player


def _matches(data: Json, players: Sequence[Json]) -> Grid:
    """What each did in matches."""
    last = max((int(place) for player in players for place in player["places"]), default=1)
    heads = [
        *("", tr("played"), tr("won"), tr("places 1 to {last}", last=last), data["tally"]),
        *(tr("a match"), tr("best"), tr("worst")),
    ]
    rows = [
        [
            player["name"],
            str(player["played"]),
            share(player["won"], player["played"] - player["unfinished"]),
            _places(player["places"], last),
            str(player["points"]),
            mean(player["per_match"]),
            _extreme(player["best"]["match"]),
            _extreme(player["worst"]["match"]),
        ]
        for player in players
    ]
    return _table(tr("Matches"), heads, rows)


def _rounds(data: Json, players: Sequence[Json]) -> Grid:
    """What each did in rounds."""
    heads = ["", tr("rounds"), tr("won"), data["tally"], tr("a round"), tr("best"), tr("worst")]
    rows = [
        [
            player["name"],
            str(player["rounds"]),
            share(player["rounds_won"], player["rounds_decided"])
            if _wins_rounds(player)
            else NOTHING,
            str(player["points"]),
            mean(player["per_round"]),
            _extreme(player["best"]["round"]),
            _extreme(player["worst"]["round"]),
        ]
        for player in players
    ]
    return _table(tr("Rounds"), heads, rows)


def _streaks(players: Sequence[Json]) -> Grid:
    """How many each won or lost one after another."""
    heads = [
        *("", tr("matches won"), tr("matches lost"), tr("current"), tr("rounds won")),
        tr("rounds lost"),
    ]
    rows = []
    for player in players:
        found = player["streaks"]
        of_matches = [str(found["won"]), str(found["lost"]), _signed(found["current"])]
        of_rounds = [str(found["rounds_won"]), str(found["rounds_lost"])]
        rows.append(
            [
                player["name"],
                *(of_matches if player["places"] else [NOTHING] * 3),
                *(of_rounds if _wins_rounds(player) else [NOTHING] * 2),
            ]
        )
    return _table(tr("At most in a row"), heads, rows)


def _wins_rounds(player: Json) -> bool:
    """Whether rounds are won where they play, or in none of them by anybody."""
    return player["round_share"] is not None


def _places(places: Json, last: int) -> str:
    """How often each place was reached, from the first to the last."""
    every = [str(places.get(str(place), 0)) for place in range(1, last + 1)]
    return "-".join(every) if places else NOTHING


def mean(number: float | None) -> str:
    """An average, to a hundredth."""
    return NOTHING if number is None else f"{number:.2f}"


def _signed(number: int) -> str:
    """A number that is more or less than nothing."""
    return f"{number:+}" if number else "0"


def _extreme(found: Json | None) -> str:
    return NOTHING if found is None else str(found["points"])


# --- with a column for each player


def _by_player(caption: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    heads = [Column("", "left"), *(Column(name, "right", who=name) for name in names)]
    return Grid(caption, heads, rows)


def _counts(data: Json, players: Sequence[Json]) -> Grid:
    """What the ruleset counts; nothing that never happened."""
    rows = []
    for row, label in data["labels"].items():
        numbers = [player["counts"][row] for player in players]
        if any(numbers):
            rows.append([label, *(_count(data, player, row) for player in players)])
    return _by_player(tr("Counted"), [player["name"] for player in players], rows)


def _count(data: Json, player: Json, row: str) -> str:
    number, whole = player["counts"][row], whole_of(data, player, row)
    return str(number) if whole is None else share(number, whole)


def _breakdown(data: Json, found: Json, players: Sequence[Json]) -> Grid:
    """What came of each part; of those who had a part in any."""
    told = {player["name"]: player["parts"] for player in found["players"]}
    names = [player["name"] for player in players if player["name"] in told]
    rows = []
    for part in found["parts"]:
        each = [told[name].get(part) for name in names]
        if any(each):
            rows.append(
                [part, *(share(of["won"], of["decided"]) if of else NOTHING for of in each)]
            )
        if any(of and of["points"] for of in each):
            rows.append([f"{part}: {data['tally']}", *(_came_to(of) for of in each)])
    return _by_player(found["label"], names, rows)


def _came_to(part: Json | None) -> str:
    """Points, and how many that is a round."""
    return f"{part['points']} ({mean(part['per_round'])})" if part else NOTHING


# --- of two


def _pairs(data: Json, asked: Asked) -> Grid:
    """Who played on the same side; of those who were asked for, if somebody was."""
    heads = ["", tr("rounds"), tr("won"), data["tally"], tr("a round")]
    found = sorted(data["pairs"], key=lambda pair: -pair["rounds"])
    rows = [
        [
            "+".join(pair["players"]),
            str(pair["rounds"]),
            share(pair["won"], pair["decided"]),
            str(pair["points"]),
            mean(pair["per_round"]),
        ]
        for pair in found
        if not asked.first or any(map(asked.is_first, pair["players"]))
    ]
    return _table(tr("On the same side"), heads, rows)


def _against(data: Json, players: Sequence[Json], asked: Asked) -> Grid:
    """Who was ahead of whom; each two once, told of who comes first."""
    order = {player["name"]: at for at, player in enumerate(players)}
    heads = [
        *("", tr("matches"), tr("ahead"), tr("behind"), tr("even")),
        *(tr("rounds"), tr("{tally} more", tally=data["tally"])),
    ]
    rows = [
        [
            tr("{player} and {other}", player=row["player"], other=row["other"]),
            *(str(row[key]) for key in ("matches", "ahead", "behind", "even", "rounds")),
            _signed(row["points"]),
        ]
        for row in data["against"]
        if order[row["player"]] < order[row["other"]]
        and (not asked.first or asked.is_first(row["player"]))
    ]
    return _table(tr("Against one another"), heads, rows)


# --- over the days


def _running(data: Json, players: Sequence[Json]) -> Running | None:
    """How the sums grew day by day, of those who played most; what nobody knows the day of comes
    before the first."""
    order = sorted(players, key=lambda player: -player["rounds"])
    most = {player["name"] for player in order[:MOST_DRAWN]}
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
        for name, found in points.items():
            found.append(found[-1] + day["points"].get(name, 0))
    dates = ["", *(day["date"] for day in days)]
    return Running(data["tally"], names, range(len(dates)), list(points.values()), days=dates)
