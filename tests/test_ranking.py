"""Figures by which clubs rank: Seeger-Fabian, matchpoints, IMPs, wherever they are shown.

The examples were computed by hand. The recounts at the end share no code with the program.
"""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Unreadable, load_ruleset
from scorekeeper.history.league import CLUB, LeagueRules, make_league
from scorekeeper.history.ranking import sum_figures
from scorekeeper.history.results import match_result
from scorekeeper.history.statistics import CatalogEntry, make_statistics
from scorekeeper.match.summary import is_shaped
from scorekeeper.render.league import Season, as_html, as_json
from tests.helpers import match_of, program
from tests.random_play import evening

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

THREE = ("Ana", "Ben", "Cleo")
FOUR = (*THREE, "Dan")
OTHERS = ("Eva", "Fred", "Gül", "Hans")
# The ends of the ranges in the table of Law 78B.
LAW = """10 40 80 120 160 210 260 310 360 420 490 590 740 890 1090 1290 1490 1740 1990 2240 2490
2990 3490 3990"""


def listed(
    ruleset: str,
    players: Sequence[str],
    *entries: str,
    day: str = "2026-10-02",
    place: str = "Club",
    **options: Any,
) -> CatalogEntry:
    match = match_of(ruleset, players, *entries, **options)
    return CatalogEntry(match, started=day, day=day, place=place)


def league(*matches: CatalogEntry, by: str = CLUB, best: int = 0, least: int = 1) -> Any:
    return as_json(make_league(matches, LeagueRules(by, best=best, least=least)), Season())


def rows(*matches: CatalogEntry, by: str = CLUB, best: int = 0) -> dict[str, Any]:
    return {row["name"]: row for row in league(*matches, by=by, best=best)["table"]}


def figures(row: Any) -> dict[str, int]:
    return {name: each["value"] for name, each in row["figures"].items()}


def deal(declarer: str, points: int, contract: str = "clubs", matadors: int = 1) -> str:
    """Return a deal of Skat by its result."""
    return (
        f"result contract={contract} declarer={declarer} points={points} matadors={matadors} bid=18"
    )


def board(*scores: int, players: Sequence[str] = FOUR, **options: Any) -> CatalogEntry:
    """Return a table of bridge with the scores of the first and third player on each board."""
    one, other = (f"{players[at]}+{players[at + 2]}" for at in (0, 1))
    entries = [f"score {one}: {points} / {other}: {-points}" for points in scores]
    return listed("bridge", players, *entries, **options)


# --- Skat


def test_a_list_of_three_deals_at_a_table_of_three() -> None:
    # clubs with 1 and 80 points: 24; lost: -48; a grand with 2: 72
    three = (deal("Ana", 80), deal("Ben", 50), deal("Cleo", 70, "grand", 2))
    table = rows(listed("skat", THREE, *three))
    assert figures(table["Ana"]) == {"won": 1, "lost": 0, "beaten": 40, "seeger-fabian": 114}
    assert figures(table["Ben"]) == {"won": 0, "lost": 1, "beaten": 0, "seeger-fabian": -98}
    assert figures(table["Cleo"]) == {"won": 1, "lost": 0, "beaten": 40, "seeger-fabian": 162}
    assert [(name, row["place"], row["points"]) for name, row in table.items()] == [
        ("Cleo", 1, 72),
        ("Ana", 2, 24),
        ("Ben", 3, -48),
    ]


def test_at_a_table_of_four_the_dealer_who_sits_out_is_paid_too() -> None:
    # the dealers who sit out are Dan, Ana, Ben
    three = (deal("Ana", 50), deal("Ben", 80), deal("Dan", 60))
    table = rows(listed("skat", FOUR, *three))
    assert figures(table["Ana"]) == {"won": 0, "lost": 1, "beaten": 30, "seeger-fabian": -68}
    assert figures(table["Ben"]) == {"won": 1, "lost": 0, "beaten": 60, "seeger-fabian": 134}
    assert figures(table["Cleo"]) == {"won": 0, "lost": 0, "beaten": 60, "seeger-fabian": 60}
    assert figures(table["Dan"]) == {"won": 0, "lost": 1, "beaten": 30, "seeger-fabian": -68}
    assert {name: row["place"] for name, row in table.items()} == {
        "Ben": 1,
        "Cleo": 2,
        "Ana": 3,
        "Dan": 3,
    }


def test_with_equal_totals_more_games_won_rank_first_then_fewer_lost() -> None:
    # Ana: 24 + 50. Ben: nothing but 74 points that were entered.
    won = (deal("Ana", 80), "score Ben: 74", "score Cleo: 2")
    table = rows(listed("skat", THREE, *won))
    assert [(name, row["value"], row["place"]) for name, row in table.items()] == [
        ("Ana", 74, 1),
        ("Ben", 74, 2),
        ("Cleo", 2, 3),
    ]
    # Ana and Ben have 0 and no win, but Ana has lost a game
    lost = (deal("Ana", 50), "score Ana: 98", "score Ben: -40", "score Cleo: -80")
    table = rows(listed("skat", THREE, *lost))
    assert [(name, row["value"], row["place"]) for name, row in table.items()] == [
        ("Ben", 0, 1),
        ("Ana", 0, 2),
        ("Cleo", -40, 3),
    ]


def test_nobody_is_paid_for_a_deal_that_is_passed_void_or_has_no_declarer() -> None:
    match = match_of("skat", THREE)
    while not match.rounds or not match.rounds[0].over:
        match.record(f"{match.to_act[0]}: pass")
    match.record("void cards dropped")
    table = rows(CatalogEntry(match, day="2026-10-02"))
    assert {name: figures(row)["seeger-fabian"] for name, row in table.items()} == dict.fromkeys(
        THREE, 0
    )
    ramsch = listed("skat-ramsch", THREE, deal("Ana", 50))
    assert figures(rows(ramsch)["Ben"])["beaten"] == 40


def test_a_deal_of_which_only_the_score_is_known_counts_for_points_alone_and_this_is_said() -> None:
    found = league(listed("skat", THREE, deal("Ana", 80), "score Ben: 24"))
    assert found["unknown_deals"] == 1
    (ben,) = (row for row in found["table"] if row["name"] == "Ben")
    assert figures(ben) == {"won": 0, "lost": 0, "beaten": 0, "seeger-fabian": 24}


def test_house_rules_change_the_figures_and_what_ranks() -> None:
    options: dict[str, Any] = {
        "figures.beaten.points": "50",
        "ranking.by": "points",
        "ranking.ties": ["won"],
    }
    found = league(listed("skat", THREE, deal("Ana", 50), deal("Ben", 61), **options))
    assert found["by"] == "points"
    assert found["ties"] == ["won"]
    ben = next(row for row in found["table"] if row["name"] == "Ben")
    assert (ben["place"], figures(ben)["beaten"]) == (1, 50)


def test_the_figures_change_no_tally_and_no_winner() -> None:
    match = match_of("skat", THREE, deal("Ana", 50), deal("Ben", 61))
    assert match.scores == {"Ana": -48, "Ben": 24, "Cleo": 0}


# --- bridge


def test_matchpoints_compare_the_same_board_in_the_same_seats() -> None:
    # board 1: 420 450 420; board 2: -50 -50 110; board 3: 600 630 -100
    tables = [
        board(420, -50, 600),
        board(450, -50, 630, players=OTHERS),
        board(420, 110, -100, players=("Ida", "Jan", "Kai", "Lea")),
    ]
    table = rows(*tables)
    # north and south: 1 + 1 + 2, 4 + 1 + 4, 1 + 4 + 0 of 12; the others have the rest
    expected = {"Ana": 4, "Ben": 8, "Eva": 9, "Fred": 3, "Ida": 5, "Jan": 7}
    assert {name: figures(table[name])["matchpoints"] for name in expected} == expected
    assert table["Ana"]["figures"]["matchpoints"]["of"] == 12
    assert table["Eva"]["value"] == 75
    assert table["Gül"]["place"] == table["Eva"]["place"] == 1
    # 0 -1 0, 0 0 -4, -1 12 in IMPs for Ana's three boards: 30 and 0; 0 and 160; 30 and 700
    imps = {"Ana": -1 - 4 - 1 + 12, "Eva": 1 + 1 - 4 + 1 + 12, "Ida": -1 + 4 + 4 - 12 - 12}
    assert {name: figures(table[name])["imps"] for name in imps} == imps
    assert all(figures(table["Ben"])[name] + 6 == 0 for name in ("imps",))
    assert list(rows(*tables, by="imps"))[:2] == ["Jan", "Lea"]
    page = as_html(make_league(tables, LeagueRules(CLUB)), Season())
    assert "75.00% (9/12)" in page


@pytest.mark.parametrize("step", range(24))
def test_the_scale_of_imps_is_that_of_the_law(step: int) -> None:
    last = int(LAW.split()[step])
    one = rows(board(last), board(0, players=OTHERS))
    more = rows(board(last + 10), board(0, players=OTHERS))
    assert figures(one["Ana"])["imps"] == -figures(one["Eva"])["imps"] == step
    assert figures(more["Ana"])["imps"] == -figures(more["Ben"])["imps"] == step + 1


def test_boards_are_compared_by_their_number_day_and_place_and_a_passed_board_is_a_result() -> None:
    second = board(100, players=OTHERS, **{"let.first_board": 2})
    table = rows(board(420, 90), second)
    assert table["Ana"]["figures"]["matchpoints"] == {"value": 0, "of": 2}
    assert table["Eva"]["figures"]["matchpoints"] == {"value": 2, "of": 2}
    passed = listed("bridge", OTHERS, *(f"{name}: pass" for name in OTHERS))
    assert rows(board(420), passed)["Eva"]["figures"]["matchpoints"] == {"value": 0, "of": 2}
    void = listed("bridge", OTHERS, "void cards dropped")
    for other in (void, board(420, players=OTHERS, day="2026-10-03"),
                  board(420, players=OTHERS, place="Inn")):  # fmt: skip
        found = league(board(420), other)
        assert found["by"] == "points"
        assert found["figures"] == {}


def test_nobody_plays_a_board_twice_so_such_boards_are_not_compared() -> None:
    found = league(board(420, 90), board(-50))
    assert found["ambiguous_deals"] == 1
    assert found["figures"] == {}


def test_pairs_that_change_tables_keep_their_matchpoints() -> None:
    # two rounds of a movement: east and west move up, the boards move down
    first = board(420, -50), board(450, 100, players=OTHERS)
    later = {"let.first_board": 3}
    second = (
        board(600, players=("Ana", "Fred", "Cleo", "Hans"), **later),
        board(630, players=("Eva", "Ben", "Gül", "Dan"), **later),
    )
    table = rows(*first, *second)
    assert figures(table["Eva"])["matchpoints"] == 6
    assert figures(table["Ben"])["matchpoints"] == 2 + 2 + 0
    assert figures(table["Hans"])["matchpoints"] == 0 + 0 + 2
    assert table["Hans"]["figures"]["matchpoints"]["of"] == 6


def test_a_table_at_home_ranks_by_points_and_is_compared_with_no_other() -> None:
    chicago = [
        listed("bridge-chicago", FOUR, "score Ana+Cleo: 420 / Ben+Dan: -420"),
        listed("bridge-chicago", OTHERS, "score Eva+Gül: 420 / Fred+Hans: -420"),
    ]
    found = league(*chicago)
    assert (found["by"], found["figures"]) == ("points", {})
    # the two are one game, but rank differently
    both = league(board(420), board(450, players=("Ida", "Jan", "Kai", "Lea")), *chicago)
    assert (both["by"], both["figures"]) == ("points", {})


# --- leagues


def test_other_games_rank_by_points() -> None:
    for ruleset, entries in (("doppelkopf", ["132 re=Ana+Ben"]), ("hearts", [])):
        rules = load_ruleset(ruleset)
        assert rules.ranking.chain == ("points",)
        assert not rules.ranking.figures
        if entries:
            assert league(listed(ruleset, FOUR, *entries))["by"] == "points"


def test_the_best_matches_count_for_figures_too() -> None:
    matches = [
        listed("skat", THREE, deal("Ana", points), day=f"2026-10-0{day}")
        for day, points in ((1, 80), (2, 50), (3, 80))
    ]
    assert rows(*matches)["Ana"]["value"] == 74 - 98 + 74
    assert rows(*matches, best=2)["Ana"]["value"] == 148
    assert rows(*matches, best=2)["Ben"]["value"] == 40
    assert rows(*matches, by="lost", best=2)["Ana"]["value"] == 0


def test_places_before_the_last_day_are_those_by_the_figures() -> None:
    days = [
        *(board(420, day=day) for day in ("2026-10-01", "2026-10-02")),
        board(450, players=OTHERS, day="2026-10-01"),
        board(-50, players=OTHERS, day="2026-10-02"),
    ]
    days.sort(key=lambda each: each.day)
    table = rows(*days)
    assert (table["Eva"]["before"], table["Eva"]["place"]) == (1, 1)
    assert (table["Ana"]["before"], table["Ana"]["place"]) == (5, 1)


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Use a book with a list of Skat."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "club.db"))
    program("new", "skat", *FOUR, "--date", "2026-09-04")
    program("record", deal("Ana", 50), deal("Ben", 80), deal("Dan", 60))


@pytest.mark.usefixtures("club")
def test_the_score_command_shows_the_figures() -> None:
    assert "Seeger-Fabian: Ana -68, Ben 134, Cleo 60, Dan -68" in program("score").out
    assert program("score", "--format", "json").data["figures"] == {
        "won": {"Ana": 0, "Ben": 1, "Cleo": 0, "Dan": 0},
        "lost": {"Ana": 1, "Ben": 0, "Cleo": 0, "Dan": 1},
        "beaten": {"Ana": 30, "Ben": 60, "Cleo": 60, "Dan": 30},
        "seeger-fabian": {"Ana": -68, "Ben": 134, "Cleo": 60, "Dan": -68},
    }
    german = program("score", "--language", "de").out
    assert "verlorene Spiele: Ana 1, Ben 0, Cleo 0, Dan 1" in german
    program("new", "durak", "Ana", "Ben")
    assert "figures" not in program("score", "--format", "json").data


@pytest.mark.usefixtures("club")
def test_the_sheet_shows_the_list_below_its_totals() -> None:
    (table, *_) = program("sheet", "--format", "json").data["tables"]
    totals = {row[0]: row[-4:] for row in table["totals"]}
    assert totals["Games won"] == ["0", "1", "0", "0"]
    assert totals["Seeger-Fabian"] == ["-68", "134", "60", "-68"]
    assert totals["Rank by Seeger-Fabian so far"] == ["3", "1", "2", "3"]
    french = program("sheet", "--language", "fr").out
    assert "Jeux perdus" in french
    program("record", "score Ana: 24")
    notes = program("sheet", "--format", "json").data["notes"]
    assert any("1 deal of which only the score is known" in note for note in notes)


@pytest.mark.usefixtures("club")
def test_the_statistics_show_the_figures() -> None:
    (found,) = program("stats", "--format", "json").data
    decides = [(row["name"], row["decides"]) for row in found["ranking"]]
    assert decides[:3] == [("seeger-fabian", 1), ("won", 2), ("lost", 3)]
    first = found["ranking"][0]["players"]
    assert [(row["name"], row["place"], row["value"]) for row in first[:2]] == [
        ("Ben", 1, 134),
        ("Cleo", 2, 60),
    ]
    assert "Seeger-Fabian" in program("stats", "--tables", "ranking").out
    lines = list(csv.DictReader(StringIO(program("stats", "--format", "csv").out)))
    assert [line["value"] for line in lines if line["figure"] == "seeger-fabian"] == [
        *("134", "60", "-68", "-68"),
    ]


@pytest.mark.usefixtures("club")
def test_the_league_ranks_by_the_rulesets_figures_unless_told_otherwise() -> None:
    found = program("league", "--format", "json").data
    assert (found["by"], found["ties"]) == ("seeger-fabian", ["won", "lost"])
    assert [row["name"] for row in found["table"]] == ["Ben", "Cleo", "Ana", "Dan"]
    text = program("league", "--language", "de").out
    assert "Bei Gleichstand: gewonnene Spiele, verlorene Spiele (die wenigsten)" in text
    points = program("league", "--by", "points", "--format", "json").data
    assert (points["by"], points["ties"]) == ("points", [])
    heads = program("league", "--format", "csv").out.splitlines()[0]
    assert heads.endswith("figure_won,figure_lost,figure_beaten,figure_seeger-fabian")
    wrong = program("league", "--by", "imps")
    assert wrong.code == 2
    assert "seeger-fabian" in wrong.err
    assert program("league", "--by", "won", "--award", "3,2,1").code == 2


@pytest.mark.usefixtures("club")
def test_matches_of_games_without_a_figure_are_left_out_of_a_league_by_it() -> None:
    program("new", "doppelkopf", *FOUR)
    program("record", "132 re=Ana+Ben")
    found = program("league", "--by", "seeger-fabian", "--format", "json").data
    assert found["left_out"] == [{"reason": "uncounted", "matches": 1}]
    assert found["counted"] == 1


@pytest.mark.parametrize(
    "wrong", [{"won": {"Zoe": 1}}, {"won": {"Ana": "1"}}, {"won": 1}, ["won"], "won"]
)
def test_a_summary_with_wrong_figures_is_not_taken_from_the_book(wrong: object) -> None:
    (summary,) = match_of("skat", THREE, deal("Ana", 80)).summaries()
    assert is_shaped(summary)
    assert not is_shaped({**summary, "figures": wrong})
    (played,) = board(420).match.summaries()
    assert is_shaped(played)
    assert not is_shaped({**played, "same": "1"})


@pytest.mark.usefixtures("club")
def test_merged_names_keep_their_figures() -> None:
    program("players", "rename", "Ben", "Benno")
    found = program("league", "--format", "json").data
    assert {row["name"]: row["value"] for row in found["table"]}["Benno"] == 134


# --- faults


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"ranking.by": "seeger"}, "ranking.by"),
        ({"ranking.ties": ["win"]}, "ranking.ties"),
        ({"figures.won.for": "declarers"}, "figures.won.for"),
        ({"figures.won.but": "declarers"}, "figures.won.but"),
        ({"figures.won.points": "1 / 2"}, "figures.won.points"),
        ({"figures.won.sum": {"points": 1}}, "figures.won"),
        ({"figures.won.beaten": 2}, "figures.won"),
        ({"figures.seeger-fabian.sum": {"seeger-fabian": 1}}, "figures.seeger-fabian.sum"),
        ({"figures.seeger-fabian.share": True}, "figures.seeger-fabian.share"),
        ({"figures.seeger-fabian.for": "declarer"}, "figures.seeger-fabian.for"),
        ({"figures.points": {"sum": {"won": 1}, "cite": "8.1"}}, "figures.points"),
        ({"figures.boards": {"beaten": 2, "cite": "8.1"}}, "ranking.same"),
        ({"figures.boards": {"steps": [50, 20], "cite": "8.1"}}, "figures.boards.steps"),
    ],
)
def test_what_is_wrong_with_a_figure_is_reported(options: dict[str, Any], where: str) -> None:
    with pytest.raises(Unreadable, match=re.escape(where)):
        load_ruleset("skat", **options)


# --- recounts


def recount_skat(tables: Iterable[tuple[Sequence[str], Sequence[tuple[str, int]]]]) -> Any:
    """Recount lists of games in clubs with one matador: the declarer and the card points."""
    total: dict[str, list[int]] = {}
    for players, games in tables:
        for name in players:
            total.setdefault(name, [0, 0, 0])
        for declarer, cards in games:
            value = 12 * (3 if cards <= 30 or cards >= 90 else 2)
            if cards > 60:
                total[declarer][0] += value + 50
                total[declarer][1] += 1
                continue
            total[declarer][0] -= 2 * value + 50
            total[declarer][2] += 1
            for name in players:
                if name != declarer:
                    total[name][0] += {3: 40, 4: 30}[len(players)]
    return {name: tuple(numbers) for name, numbers in total.items()}


@pytest.mark.parametrize("seed", range(6))
def test_seeger_fabian_is_a_plain_recount(seed: int) -> None:
    random, matches, tables = Random(seed), [], []
    names = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Fred"]
    for number in range(5):
        players = random.sample(names, random.choice((3, 4)))
        games = []
        for at in range(random.randint(1, 8)):
            dealer = (len(players) - 1 + at) % len(players)
            able = [p for p in players if len(players) == 3 or p != players[dealer]]
            cards = random.choice(range(25, 96))
            games.append((random.choice(able), cards))
        tables.append((players, games))
        entries = [deal(*game) for game in games]
        matches.append(listed("skat", players, *entries, day=f"2026-10-0{number // 2 + 1}"))
    wanted = recount_skat(tables)
    order = sorted(wanted, key=lambda n: (-wanted[n][0], -wanted[n][1], wanted[n][2]))
    found = rows(*matches)
    assert {
        name: (row["value"], row["figures"]["won"]["value"], row["figures"]["lost"]["value"])
        for name, row in found.items()
    } == wanted
    assert [wanted[name] for name in found] == [wanted[name] for name in order]
    places = {name: 1 + sum(
        (-w[0], -w[1], w[2]) < (-wanted[name][0], -wanted[name][1], wanted[name][2])
        for w in wanted.values()) for name in wanted}  # fmt: skip
    assert {name: row["place"] for name, row in found.items()} == places
    (told,) = (each.as_json() for each in make_statistics(matches))
    shown = {row["name"]: row["value"] for row in told["ranking"][0]["players"]}
    assert shown == {name: numbers[0] for name, numbers in wanted.items()}


@pytest.mark.parametrize("ruleset", ["skat", "skat-ramsch", "skat-bock", "skat-kontra"])
def test_games_of_deals_that_were_played_by_chance_are_a_plain_recount(ruleset: str) -> None:
    for seed in range(6):
        match = evening(ruleset, seed).match
        won, lost, paid = (dict.fromkeys(match.players, 0) for _ in range(3))
        for summary in match.summaries():
            roles = summary["roles"]
            told = summary["over"] and summary["changes"] and not summary["unscored"]
            if not told or summary["annulled"] or "declarer" not in roles:
                continue
            (declarer,) = roles["declarer"]["players"]
            if declarer in roles["winners"]["players"]:
                won[declarer] += 1
                continue
            lost[declarer] += 1
            for name in match.players:
                paid[name] += (30 if len(match.players) == 4 else 40) * (name != declarer)
        points = match_result(match, list(match.summaries())).points
        sums = sum_figures(match.ruleset.ranking, match.summaries(), points)
        assert (sums.numbers["won"], sums.numbers["lost"]) == (won, lost)
        assert sums.numbers["seeger-fabian"] == {
            name: points[name] + 50 * (won[name] - lost[name]) + paid[name] for name in points
        }


@pytest.mark.parametrize("seed", range(6))
def test_matchpoints_and_imps_are_a_plain_recount(seed: int) -> None:
    random, played = Random(seed), []
    for day in ("2026-10-01", "2026-10-02"):
        for table in range(random.randint(2, 4)):
            players = [f"{seat}{table}" for seat in ("Nina", "Emil", "Sam", "Willi")]
            scores = [10 * random.choice((-50, -5, 0, 11, 42, 43, 62, 110)) for _ in range(4)]
            played.append((day, players, scores[: random.randint(1, 4)]))
    ends = [int(each) for each in LAW.split()]
    wanted: dict[str, list[int]] = {}
    for day, players, scores in played:
        for at, score in enumerate(scores):
            rest = [
                theirs[at]
                for when, others, theirs in played
                if when == day and others != players and len(theirs) > at
            ]
            for seat, name in enumerate(players):
                sign = 1 if seat % 2 == 0 else -1
                row = wanted.setdefault(name, [0, 0, 0])
                for other in rest:
                    lead = sign * (score - other)
                    row[0] += 2 if lead > 0 else 1 if lead == 0 else 0
                    row[1] += 2
                    size = sum(abs(lead) > end for end in ends)
                    row[2] += size if lead > 0 else -size
    matches = [board(*scores, players=players, day=day) for day, players, scores in played]
    found = {
        name: [
            row["figures"]["matchpoints"]["value"] or 0,
            row["figures"]["matchpoints"]["of"] or 0,
            row["figures"]["imps"]["value"] or 0,
        ]
        for name, row in rows(*matches).items()
    }
    assert found == wanted
    (told,) = json.loads(json.dumps([each.as_json() for each in make_statistics(matches)]))
    (imps,) = (row for row in told["ranking"] if row["name"] == "imps")
    assert {row["name"]: row["amount"] for row in imps["players"]} == {
        name: row[2] for name, row in wanted.items() if row[1]
    }
