"""Leagues: a table over matches, by points, average, wins, places or a rating."""

from __future__ import annotations

import csv
import shutil
import sys
from fractions import Fraction
from io import StringIO
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from scorekeeper import Unreadable
from scorekeeper.history.league import League, LeagueRules, Rater, Rating, make_league
from scorekeeper.history.statistics import CatalogEntry, make_statistics
from scorekeeper.render import markdown, text
from scorekeeper.render.league import (
    COLUMNS,
    MAX_DRAWN,
    Season,
    as_csv,
    as_html,
    as_json,
    build_sheet,
)
from tests.browser import Shown, shown
from tests.helpers import match_of, program
from tests.random_play import Evening as Played
from tests.random_play import counts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

CLUB = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gül")
SIGNS = {1: "▼", 0: "=", -1: "▲"}


class Evening(NamedTuple):
    """A match of Durak as values: the day, the players, and the loser of each deal."""

    day: str
    players: Sequence[str]
    losers: Sequence[str]

    @property
    def listed(self) -> CatalogEntry:
        results = [f"result loser={name}" for name in self.losers]
        return CatalogEntry(
            match_of("durak", self.players, *results), started=self.day, day=self.day
        )

    @property
    def points(self) -> dict[str, int]:
        return {name: self.losers.count(name) for name in self.players}

    @property
    def places(self) -> dict[str, int]:
        points = self.points
        return {
            name: 1 + sum(other < mine for other in points.values())
            for name, mine in points.items()
        }

    @property
    def won(self) -> set[str]:
        first = {name for name, place in self.places.items() if place == 1}
        return first if len(first) < len(self.players) else set()


def season(matches: int, seed: int = 1) -> list[Evening]:
    """Return a season of matches of two to four players, with two matches on most days."""
    random, found = Random(seed), []
    for number in range(matches):
        players = random.sample(CLUB, random.randint(2, 4))
        losers = [random.choice(players) for _ in range(random.randint(1, 6))]
        day = f"2026-{9 + number // 20:02}-{1 + number % 20 * 2 // 3:02}"
        found.append(Evening(day, players, losers))
    return found


SEASON = season(40)


def table(matches: Iterable[CatalogEntry], **terms: Any) -> League:
    return make_league(matches, LeagueRules(**terms))


def rows(made: League) -> dict[str, dict[str, Any]]:
    """Return the rows of the table as JSON, by name."""
    return {row["name"]: row for row in as_json(made, Season())["table"]}


@pytest.fixture(scope="module")
def matches() -> list[CatalogEntry]:
    return [evening.listed for evening in SEASON]


# --- compared with a simple computation


Number = tuple[int, int]  # a number, and the number of players that it is out of
PLAIN: dict[str, Callable[[Evening, str], Number]] = {
    "points": lambda evening, name: (evening.points[name], 1),
    "average": lambda evening, name: (evening.points[name], 1),
    "round": lambda evening, name: (evening.points[name], len(evening.losers)),
    "wins": lambda evening, name: (int(name in evening.won), 1),
    "places": lambda evening, name: (evening.places[name], 1),
    "award": lambda evening, name: ((5, 2, 1, 0)[evening.places[name] - 1], 1),
}
TERMS: dict[str, dict[str, Any]] = {
    **{by: {"by": by} for by in ("points", "average", "wins", "places")},
    "round": {"by": "average", "per": "round"},
    "award": {"award": (5, 2, 1)},
}


@pytest.mark.parametrize("best", [0, 3])
@pytest.mark.parametrize("by", PLAIN)
def test_what_decides_is_what_a_plain_sum_over_the_matches_gives(
    matches: list[CatalogEntry], by: str, best: int
) -> None:
    few = by not in ("wins", "award")
    values = {}
    for name in CLUB:
        played = [PLAIN[by](evening, name) for evening in SEASON if name in evening.players]
        played.sort(key=lambda each: Fraction(*each), reverse=not few)
        kept = played[:best] if best else played
        whole = sum(number for number, _ in kept)
        mean = by in ("average", "round", "places")
        values[name] = Fraction(whole, sum(of for _, of in kept)) if mean else Fraction(whole)
    found = rows(table(matches, **TERMS[by], best=best))
    assert found.keys() == values.keys()
    for name, value in values.items():
        better = sum(other < value if few else other > value for other in values.values())
        assert found[name]["value"] == pytest.approx(float(value), abs=1e-6)
        assert found[name]["place"] == better + 1


def test_the_columns_beside_tell_of_all_matches(matches: list[CatalogEntry]) -> None:
    found = rows(table(matches, by="points", best=2))
    for name in CLUB:
        played = [evening for evening in SEASON if name in evening.players]
        points, rounds = sum(e.points[name] for e in played), sum(len(e.losers) for e in played)
        places = [evening.places[name] for evening in played]
        row = found[name]
        assert row["matches"] == len(played)
        assert row["rounds"] == rounds
        assert row["points"] == points
        assert row["per_match"] == pytest.approx(points / len(played), abs=1e-6)
        assert row["per_round"] == pytest.approx(points / rounds, abs=1e-6)
        assert row["won"] == sum(name in evening.won for evening in played)
        assert row["places"] == {str(p): places.count(p) for p in sorted(set(places))}
        assert row["mean_place"] == pytest.approx(sum(places) / len(places), abs=1e-6)


def test_the_place_before_is_that_of_all_days_but_the_last(matches: list[CatalogEntry]) -> None:
    last = SEASON[-1].day
    earlier = [m for m, evening in zip(matches, SEASON, strict=True) if evening.day != last]
    assert 0 < len(earlier) < len(matches) - 1
    moved = False
    for by in ("points", "places", "rating"):
        before = rows(table(earlier, by=by, least=12))
        now = rows(table(matches, by=by, least=12))
        moved |= any(row["place"] != row["before"] for row in now.values())
        for name, row in now.items():
            assert row["before"] == before[name]["place"]
    assert moved


def test_too_few_matches_give_no_place(matches: list[CatalogEntry]) -> None:
    played = {name: sum(name in evening.players for evening in SEASON) for name in CLUB}
    least = sorted(played.values())[3]
    made = as_json(table(matches, by="average", least=least), Season())["table"]
    ranked = [row for row in made if row["place"] is not None]
    assert {row["name"] for row in ranked} == {n for n, many in played.items() if many >= least}
    assert made[: len(ranked)] == ranked
    assert all(row["value"] is not None for row in made)


@pytest.mark.parametrize("game", ["da-ban", "doppelkopf", "dudo", "hearts", "podkidnoy-teams"])
def test_a_league_and_statistics_tell_the_same(game: str) -> None:
    played = []
    for seed in range(6):
        evening = Played(game, seed, players=counts_of(game)[0], wrong=0, result=1).play(5, 500)
        if not evening.match.over:
            evening.match.record("end")
        played.append(CatalogEntry(evening.match, str(seed), day=f"2026-09-{seed + 1:02}"))
    [told] = make_statistics(played)
    found = rows(table(played, by="wins"))
    assert len(found) == len(told.players) > 1
    for player in told.as_json()["players"]:
        row = found[player["name"]]
        assert row["matches"] == player["played"]
        for key in ("rounds", "won", "places", "points"):
            assert row[key] == player[key], key
        assert row["per_round"] == pytest.approx(player["per_round"], abs=1e-6)


# --- laws


def test_in_which_order_matches_of_a_day_come_changes_nothing_but_a_rating(
    matches: list[CatalogEntry],
) -> None:
    mixed = sorted(Random(2).sample(matches, len(matches)), key=lambda listed: listed.started)
    assert mixed != matches
    for terms in TERMS.values():
        one, other = (as_json(table(m, **terms, best=4), Season()) for m in (matches, mixed))
        assert one == other


def test_another_match_changes_nothing_of_those_who_did_not_play_it(
    matches: list[CatalogEntry],
) -> None:
    before = rows(table(matches[:-1]))
    after = rows(table(matches))
    keys = ("matches", "rounds", "points", "won", "places", "value")
    away = set(CLUB) - set(SEASON[-1].players)
    assert away
    for name in away:
        assert [before[name][key] for key in keys] == [after[name][key] for key in keys]
    for name in SEASON[-1].players:
        assert after[name]["matches"] == before[name]["matches"] + 1


def test_places_are_shared_and_the_next_ones_are_left_out() -> None:
    evening = Evening("2026-09-01", ("Ana", "Ben", "Cleo", "Dora"), ("Ana", "Ben"))
    made = as_json(table([evening.listed]), Season())["table"]
    assert [(row["name"], row["place"]) for row in made] == [
        *(("Cleo", 1), ("Dora", 1)),
        *(("Ana", 3), ("Ben", 3)),
    ]
    assert [row["before"] for row in made] == [None] * 4  # there was no day before


# --- which matches count


def test_what_nobody_ended_counts_as_the_ruleset_says_and_is_told() -> None:
    unended = match_of("dudo", ["Ana", "Ben"], "result loser=Ana")
    over = match_of("dudo", ["Ana", "Ben"], "standing Ana: 1", "result loser=Ana")
    stands = Evening("2026-09-01", ("Ana", "Ben"), ("Ana",)).listed
    nothing = match_of("dudo", ["Ana", "Ben"])
    made = table(
        [CatalogEntry(unended), CatalogEntry(over), stands, CatalogEntry(nothing)], by="wins"
    )
    told = as_json(made, Season())
    assert (told["counted"], told["unfinished_counted"]) == (2, 1)
    assert told["left_out"] == [
        {"reason": "unfinished", "matches": 1},
        {"reason": "empty", "matches": 1},
    ]
    assert [(row["name"], row["matches"]) for row in told["table"]] == [("Ben", 2), ("Ana", 2)]
    page = text.render(build_sheet(made, Season()))
    assert (
        "Matches: 2; from 2026-09-01 to 2026-09-01; "
        "1 unfinished match counted with its current score"
    ) in " ".join(page.split())
    assert "Left out: 1 unfinished; 1 without entries" in page


def test_who_left_has_their_points_and_no_place_and_who_came_is_in_it() -> None:
    match = match_of(
        "durak",
        ["Ana", "Ben", "Cleo", "Dora"],
        *("result loser=Ana", "quits Ana", "joins Eva after Ben"),
        *("result loser=Ben", "result loser=Eva"),
    )
    found = rows(table([CatalogEntry(match, day="2026-09-01")]))
    assert (found["Ana"]["points"], found["Ana"]["rounds"], found["Ana"]["places"]) == (1, 1, {})
    assert (found["Eva"]["points"], found["Eva"]["rounds"]) == (1, 2)
    awarded = rows(table([CatalogEntry(match)], award=(3, 2, 1)))
    points = {name: row["points"] for name, row in awarded.items()}
    assert points == {"Cleo": 3, "Dora": 3, "Ben": 1, "Eva": 1, "Ana": 0}
    rated = rows(table([CatalogEntry(match)], by="rating"))
    assert rated["Ana"]["rating"] is None
    assert rated["Ana"]["place"] is None
    assert rated["Eva"]["rating"] is not None


def test_names_that_differ_only_in_case_are_one_players() -> None:
    evenings = [
        Evening("2026-09-01", ("Ana", "Ben"), ("Ana",)),
        Evening("2026-09-02", ("ANA", "Ben"), ("ANA",)),
    ]
    found = rows(table(evening.listed for evening in evenings))
    assert {name: row["points"] for name, row in found.items()} == {"Ben": 0, "Ana": 2}


def test_points_of_different_games_are_never_added_up() -> None:
    durak = Evening("2026-09-01", ("Ana", "Ben"), ("Ana",)).listed
    dudo = CatalogEntry(match_of("dudo", ["Ana", "Ben"], "standing Ana: 1", "result loser=Ana"))
    for by in ("points", "average"):
        with pytest.raises(Unreadable, match="points of dudo and durak cannot be compared"):
            table([dudo, durak], by=by)
    assert rows(table([dudo, durak], award=(3, 1)))["Ben"]["points"] == 6
    mixed = table([dudo, durak], by="wins")
    assert rows(mixed)["Ben"]["value"] == 2
    assert rows(mixed)["Ben"]["points"] is None
    assert build_sheet(mixed, Season()).running_totals is None
    assert [each["name"] for each in as_json(mixed, Season())["rulesets"]] == ["dudo", "durak"]


def test_variants_of_a_game_are_comparable() -> None:
    both = [
        CatalogEntry(match_of(name, ["Ana", "Ben"], "result loser=Ana"))
        for name in ("durak", "durak-spades")
    ]
    assert rows(table(both))["Ana"]["points"] == 2


# --- ratings


def test_ratings_are_those_that_openskill_gives(matches: list[CatalogEntry]) -> None:
    models = pytest.importorskip("openskill.models")
    model = models.PlackettLuce()
    known = {name: model.rating() for name in CLUB}
    for evening in SEASON:
        teams = [[known[name]] for name in evening.players]
        ranks = [evening.places[name] for name in evening.players]
        for name, [rating] in zip(evening.players, model.rate(teams, ranks=ranks), strict=True):
            known[name] = rating
    found = rows(table(matches, by="rating"))
    order = sorted(CLUB, key=lambda name: -known[name].ordinal())
    assert sorted(CLUB, key=lambda name: found[name]["place"]) == order
    for name in CLUB:
        rating = found[name]["rating"]
        assert rating["mu"] == pytest.approx(known[name].mu, abs=1e-6)
        assert rating["sigma"] == pytest.approx(known[name].sigma, abs=1e-6)
        assert found[name]["value"] == pytest.approx(known[name].ordinal(), abs=1e-6)


def test_a_side_that_shares_its_tally_is_one_team() -> None:
    names = ["Ana", "Ben", "Cleo", "Dora"]
    won = match_of("da-ban", names, "result points=185", "result points=20", "end")
    first = [name for name in names if name in won.winners]
    rest = [name for name in names if name not in first]
    assert first == ["Ben", "Dora"]
    found = rows(table([CatalogEntry(won)], by="rating"))
    rater = Rater()
    [[one, mate], [other, _]] = rater.rate([[rater.initial] * 2] * 2, [1, 2])
    assert one == mate
    for team, rating in ((first, one), (rest, other)):
        for name in team:
            assert found[name]["rating"]["mu"] == pytest.approx(rating.mu, abs=1e-6)
    assert [found[name]["place"] for name in names] == [3, 1, 3, 1]
    assert [found[name]["places"] for name in names] == [{"2": 1}, {"1": 1}] * 2


def test_equal_places_are_a_draw() -> None:
    rater = Rater()
    strong, weak = Rating(30.0, 5.0), Rating(20.0, 5.0)
    [[one], [other]] = rater.rate([[strong], [weak]], [1, 1])
    assert one.mu < strong.mu
    assert other.mu > weak.mu


def test_without_openskill_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(Unreadable) as caught:
        table([], by="rating")
    assert caught.value.message == "a rating needs openskill, which is not installed"
    assert "'.[rating]'" in caught.value.hint
    assert table([], by="wins").table == []


# --- output


HOSTILE = ("@SUM(1)", "-1", "|a|b|", "שרה כהן", "王小明" * 13, "D" * 40, "*_`~[x]")


@pytest.fixture(scope="module")
def hostile() -> League:
    random = Random(3)
    evenings = []
    for day in range(1, 13):
        players = random.sample(HOSTILE, 4)
        losers = [random.choice(players) for _ in range(4)]
        evenings.append(Evening(f"2026-09-{day:02}", players, losers))
    return table((evening.listed for evening in evenings), by="average", least=8)


def test_a_page_of_text_is_no_wider_than_a_terminal(
    hostile: League, matches: list[CatalogEntry]
) -> None:
    from scorekeeper.core.text import display_width

    for made in (hostile, *(table(matches, **terms) for terms in TERMS.values())):
        page = text.render(build_sheet(made, Season()))
        assert max(map(display_width, page.splitlines())) <= 80
    page = text.render(build_sheet(table(matches, by="rating", least=2, best=0), Season("Cup")))
    assert page.startswith("Cup\n")
    assert "starting at mu 25.00 and sigma 8.33" in page
    assert "Ranked: players with at least 2 matches" in page


def test_what_moved_is_shown(matches: list[CatalogEntry]) -> None:
    made = table(matches, by="places")
    grid = build_sheet(made, Season()).tables[0]
    assert grid.columns[1].label == f"before {SEASON[-1].day}"
    seen = set()
    for row, cells in zip(made.table, grid.rows, strict=True):
        assert row.place is not None
        assert row.previous_place is not None
        seen.add(sign := (row.place > row.previous_place) - (row.place < row.previous_place))
        assert cells[:3] == [str(row.place), f"{row.previous_place} {SIGNS[sign]}", row.player.name]
    assert seen == {-1, 0, 1}


def test_those_who_lead_are_drawn_with_all_days(
    hostile: League, matches: list[CatalogEntry]
) -> None:
    made = table(matches)
    running = build_sheet(made, Season()).running_totals
    assert running is not None
    assert running.days == ["", *dict.fromkeys(evening.day for evening in SEASON)]
    leading = [row.player for row in made.table][:MAX_DRAWN]
    assert running.names == [player.name for player in leading]
    assert [points[-1] for points in running.points] == [player.points for player in leading]
    for name, points in zip(running.names, running.points, strict=True):
        for day, point in zip(running.days, points, strict=True):
            so_far = [e for e in SEASON if e.day <= day and name in e.players]
            assert point == (sum(e.points[name] for e in so_far) if so_far else None)


def test_matches_without_a_date_come_before_the_first_day() -> None:
    evenings = [
        Evening("", ("Ana", "Ben"), ["Ben"]),
        Evening("", ("Emil", "Fritz"), ["Emil"]),
        Evening("2026-09-01", ("Ana", "Ben"), ["Ben"]),
        Evening("2026-09-08", ("Ana", "Cleo"), ["Ana"]),
    ]
    made = table([evening.listed for evening in evenings])
    running = build_sheet(made, Season()).running_totals
    assert running is not None
    assert running.days == ["", "2026-09-01", "2026-09-08"]
    told = dict(zip(running.names, running.points, strict=True))
    assert told["Ana"] == [None, 0, 1]
    assert (told["Ben"], told["Emil"]) == ([None, 2, 2], [None, 1, 1])
    assert {row.player.name: row.previous_place for row in made.table}["Fritz"] == 1
    assert "<svg" in as_html(made, Season())


def test_as_csv_it_is_read_back_and_no_cell_is_a_formula(hostile: League) -> None:
    [head, *found] = csv.reader(StringIO(as_csv(hostile)))
    assert head == [*COLUMNS]
    for cells, row in zip(found, hostile.table, strict=True):
        read = dict(zip(head, cells, strict=True))
        assert read["player"].removeprefix("'") == row.player.name
        assert read["player"] == "-1" or read["player"][0] not in "=+-@"
        assert read["place"] == ("" if row.place is None else str(row.place))
        assert float(read["value"]) == pytest.approx(row.value, abs=1e-6)
        assert int(read["points"]) == row.player.points


def test_markdown_shows_names_as_they_are(hostile: League) -> None:
    page = markdown.render(build_sheet(hostile, Season("# <b>")))
    assert page.startswith("# \\# &lt;b&gt;\n")
    assert "\\|a\\|b\\|" in page
    assert "\\*\\_\\`\\~\\[x\\]" in page


def test_a_page_of_html_runs_nothing_and_shows_everybody(hostile: League) -> None:
    page = as_html(hostile, Season("<script>alert(1)</script>"))
    assert "<script" not in page
    assert "default-src 'none'" in page
    for name in HOSTILE:
        assert name in page
    assert page.count("<svg") == 1


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    yield from shown(tmp_path_factory.mktemp("pages"))


def test_nothing_is_cut_or_faint_on_a_screen_a_phone_and_paper(
    browser: Shown, hostile: League, matches: list[CatalogEntry]
) -> None:
    for made in (hostile, table(matches, by="rating", least=12)):
        browser.show(as_html(made, Season("Season 2026/27")))
        for width in (1100, 790, 720, 390):
            for dark in (False, True):
                browser.on_screen(width, dark=dark)
                assert browser.outside() == []
                assert browser.faint() == []
        browser.on_paper(718)
        assert browser.outside() == []
        assert browser.faint() == []


# --- the command


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a book with two evenings at the club, recorded in the wrong order, and one
    at home."""
    path = tmp_path_factory.mktemp("league") / "book.sqlite"
    for day, place, players, losers in (
        ("2026-10-02", "Club", "Ana Ben Cleo", "Ana Ana"),
        ("2026-09-04", "Club", "Ana Ben Dora", "Ben Dora Dora"),
        ("2027-01-01", "Home", "Anna Ben", "Ben"),
    ):
        about = ("--date", day, "--place", place, "--book", str(path))
        program("new", "durak", *players.split(), *about)
        lost = (f"result loser={name}" for name in losers.split())
        assert program("record", *lost, "--book", str(path)).code == 0
    return path


@pytest.fixture
def book(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copy that book so that a test can write in it."""
    copied = shutil.copytree(recorded.parent, tmp_path / "book")
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(copied / recorded.name))


@pytest.mark.usefixtures("book")
def test_a_season_is_chosen_and_said() -> None:
    chosen = ("--since", "2026-09", "--until", "2026-10", "--place", "club", "--ruleset", "dur*")
    told = program("league", *chosen, "--format", "json").data
    assert told["counted"] == 2
    assert told["season"] == {
        "since": "2026-09", "until": "2026-10", "first": "2026-09-04", "last": "2026-10-02",
    }  # fmt: skip
    found = [(row["name"], row["points"], row["place"], row["before"]) for row in told["table"]]
    assert found == [("Cleo", 0, 1, None), ("Ben", 1, 2, 2), ("Ana", 2, 3, 1), ("Dora", 2, 3, 3)]
    page = program("league", *chosen).out
    assert "Selection: since 2026-09; until 2026-10; under the rules dur*; at club" in page
    assert "Ranked by: total lost deals over all matches; lower is better" in page
    assert program("league", "1", "--format", "json").data["chosen"]["matches"] == ["1"]
    assert "Selection: matches 1, 3" in program("league", "1", "3").out
    assert "with Dora" in program("league", "--player", "Dora").out


@pytest.mark.usefixtures("book")
def test_spellings_that_were_merged_are_one_player() -> None:
    assert program("players", "merge", "Anna", "Ana").code == 0
    told = program("league", "--format", "json").data["table"]
    assert {row["name"]: row["matches"] for row in told} == {"Ana": 3, "Ben": 3, "Cleo": 1,
                                                             "Dora": 1}  # fmt: skip


@pytest.mark.usefixtures("book")
def test_the_same_book_gives_the_same_table(tmp_path: Path) -> None:
    for form in ("text", "markdown", "html", "json", "csv"):
        to = tmp_path / f"table.{form}"
        answer = program("league", "--by", "rating", "--format", form, "--to", str(to))
        assert (answer.code, answer.out) == (0, "")
        assert str(to) in answer.err
        assert program("league", "--by", "rating", "--format", form).out == to.read_text("utf-8")


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "csv"])
def test_a_season_without_matches_is_said_to_be_one(form: str) -> None:
    answer = program("league", "--since", "2030", "--by", "rating", "--format", form)
    assert answer.code == 0
    if form in ("text", "markdown", "html"):
        assert "No match counts yet." in answer.out
    elif form == "json":
        assert (answer.data["counted"], answer.data["table"]) == (0, [])
    else:
        assert answer.out == ",".join(COLUMNS) + "\n"


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("--award 3,x", "“3,x” is not a list of points for places"),
        (
            "--award 3 --by wins",
            "--award works only with --by points or --by average, not with --by wins",
        ),
        ("--per round", "--per round works only with --by average"),
        ("--per round --by average --award 3", "--per round works only with --by average"),
        ("--best 3 --by rating", "--by rating counts all matches of a player"),
        ("--since soon", "soon is not a day, month or year"),
        ("--player Anton", "no player in the book is called Anton"),
        ("1 --place Club", "matches can be selected by number or by options, but not by both"),
        ("17", "there is no match 17"),
        ("x.toml", "“x.toml” is not a match number"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_line(typed: str, said: str) -> None:
    answer = program("league", *typed.split())
    assert answer.code == 2
    assert said in answer.err.splitlines()[0]
    assert answer.out == ""


@pytest.mark.usefixtures("book")
def test_games_that_differ_are_named_with_what_to_type() -> None:
    program("new", "dudo", "Ana", "Ben")
    program("record", "standing Ana: 1", "result loser=Ana")
    answer = program("league")
    assert (answer.code, answer.out) == (2, "")
    assert "--ruleset durak" in answer.err
    assert program("league", "--award", "3,2,1").code == 0
