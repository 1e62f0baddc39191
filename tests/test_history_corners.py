"""Statistics of unusual matches.

Players arrive, leave, sit out, or have two spellings. There are sides, void rounds, breakdowns by
facts, and matches in any order.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.history.results import places
from scorekeeper.history.statistics import CatalogEntry, make_statistics
from scorekeeper.phases.table import Table
from scorekeeper.render import statistics, text
from scorekeeper.render.sheet import build_sheet
from scorekeeper.store.book import Book
from scorekeeper.store.people import with_display_names
from scorekeeper.store.rows import NewMatch, RulesetText, day_of
from scorekeeper.store.selection import sort_by_date
from tests.helpers import SummaryView, match_of

if TYPE_CHECKING:
    from pathlib import Path

    from scorekeeper.engine.round import Round
    from scorekeeper.match.view import MatchView

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
SIX = [*FOUR, "Eva", "Finn"]
NORMAL = "result contract=normal re={} points={}"


def told(*matches: MatchView) -> dict[str, Any]:
    """Return the statistics of matches of one ruleset, numbered from 1."""
    listed = [CatalogEntry(match, str(number)) for number, match in enumerate(matches, 1)]
    [found] = make_statistics(listed)
    return found.as_json()


def of(data: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in data["players"] if each["name"] == name)
    return found


def deal(re: str, points: int = 130) -> str:
    return NORMAL.format(re, points)


# --- places of sides


def test_the_second_of_two_sides_is_second() -> None:
    for names in (FOUR, SIX):
        match = match_of("da-ban", names, "result points=100", "end")
        first, second = names[::2], names[1::2]
        expected = {**dict.fromkeys(first, 1), **dict.fromkeys(second, 2)}
        assert places(match) == expected
        assert of(told(match), "Ben")["places"] == {"2": 1}
        ranks = next(line for line in text.render(build_sheet(match)).split("\n") if "Rank" in line)
        assert ranks.split()[-2:] == ["1", "2"]


def test_even_sides_share_their_place() -> None:
    match = match_of("da-ban", FOUR, "result points=125", "end")
    assert set(places(match).values()) == {1}
    data = told(match)
    assert [player["won"] for player in data["players"]] == [0, 0, 0, 0]
    assert of(data, "Ana")["streaks"]["current"] == 0


def test_partners_of_a_match_are_not_compared_and_share_their_points() -> None:
    data = told(match_of("podkidnoy-teams", FOUR, "result loser=Ana", "end"))
    assert {(row["player"], row["other"]) for row in data["against"]} == {
        (one, other)
        for side, rest in ((FOUR[::2], FOUR[1::2]), (FOUR[1::2], FOUR[::2]))
        for one in side
        for other in rest
    }
    [mine] = [row for row in data["pairs"] if row["players"] == ["Ana", "Cleo"]]
    assert (mine["rounds"], mine["points"]) == (1, 1)


# --- who takes part


def test_who_sits_out_has_not_played_and_keeps_their_streak() -> None:
    match = match_of(
        "doppelkopf-ddv", [*FOUR, "Eva"], deal("Ana+Ben"), deal("Cleo+Ben"), deal("Cleo+Dan")
    )
    data = told(match)  # Eva, Ana and Ben sit out, one after another
    assert [of(data, name)["rounds"] for name in (*FOUR, "Eva")] == [2, 2, 3, 3, 2]
    assert of(data, "Ana")["points"] == sum(
        summary["changes"]["Ana"] for summary in match.summaries()
    )
    assert of(data, "Eva")["streaks"]["rounds_lost"] == of(data, "Eva")["rounds_lost"]


def test_who_comes_has_points_from_then_on_and_who_goes_keeps_theirs() -> None:
    match = match_of(
        *("doppelkopf", FOUR, deal("Ana+Ben"), "joins Eva for Dan", deal("Eva+Ana"), "end")
    )
    data = told(match)
    assert [of(data, name)["rounds"] for name in ("Ana", "Dan", "Eva")] == [2, 1, 1]
    assert of(data, "Dan")["points"] == -1
    assert of(data, "Eva")["points"] == 1
    assert (of(data, "Dan")["unfinished"], of(data, "Dan")["best"]["match"]) == (1, None)
    rows = {(row["player"], row["other"]): row for row in data["against"]}
    assert rows["Ana", "Dan"]["rounds"] == rows["Ana", "Eva"]["rounds"] == 1
    assert ("Dan", "Eva") not in rows


def test_a_tally_that_was_set_by_hand_is_nobodys_points() -> None:
    match = match_of("doppelkopf", FOUR, "standing Ana: 12", deal("Ana+Ben"))
    assert match.scores["Ana"] == 13
    assert of(told(match), "Ana")["points"] == 1


def test_spellings_are_one_player() -> None:
    first = match_of("doppelkopf", FOUR, deal("Ana+Ben"))
    second = match_of("doppelkopf", ["ANA", *FOUR[1:]], deal("ANA+Ben"))
    third = match_of("doppelkopf", ["Änne", *FOUR[1:]], deal("Änne+Ben"))
    data = told(first, second, with_display_names(third, {"Änne": "Ana"}))
    assert (of(data, "Ana")["played"], of(data, "Ana")["points"]) == (3, 3)
    [pair] = [row for row in data["pairs"] if row["players"] == ["Ana", "Ben"]]
    assert (pair["rounds"], pair["won"], pair["points"]) == (3, 3, 6)


def test_nothing_is_told_of_what_was_not_begun() -> None:
    assert make_statistics([]) == []
    assert make_statistics([CatalogEntry(Match(load_ruleset("durak"), FOUR))]) == []
    data = told(match_of("durak", FOUR, "dealer Ana"))
    assert (data["rounds"], data["unended"]) == (0, {"counted": 0, "left_out": 1})
    assert [of(data, name)["per_round"] for name in FOUR] == [None] * 4


# --- void rounds


def test_a_void_round_is_in_no_average_but_its_penalty_is_points() -> None:
    match = match_of("doppelkopf", FOUR, "penalty Ben: -3 rude", "void the cat", deal("Ana+Ben"))
    ben = of(told(match), "Ben")
    assert (ben["rounds"], ben["rounds_scored"], ben["points"]) == (2, 1, -2)
    assert (ben["per_round"], ben["round_share"]) == (1.0, 1.0)
    assert ben["best"]["round"] == {"points": 1, "match": "1", "round": 2}
    data = told(match)
    assert {row["rounds"] for row in data["pairs"]} == {1}
    assert {row["rounds"] for row in data["against"]} == {1}


def test_a_deal_that_is_dealt_again_is_in_no_average_and_no_share() -> None:
    data = told(match_of("doppelkopf", FOUR, "Ana: neugeben", "all: gesund", deal("Ana+Ben")))
    ana = of(data, "Ana")
    assert (ana["rounds"], ana["rounds_told"], ana["rounds_decided"]) == (2, 1, 1)
    assert (ana["per_round"], ana["round_share"], ana["streaks"]["rounds_won"]) == (1.0, 1.0, 1)
    assert {pair["rounds"] for pair in data["pairs"]} == {1}


def test_a_round_that_goes_on_although_another_followed_counts_nothing_twice() -> None:
    match = match_of("durak", FOUR[:3], "note hm", "result loser=Ana", *["result loser=Ben"] * 2)
    data = told(match.amended(1, 2))
    assert [of(data, name)["points"] for name in FOUR[:3]] == [0, 2, 0]


def test_a_round_told_by_its_score_alone_is_in_no_share() -> None:
    data = told(match_of("da-ban", FOUR, "score Ana+Cleo: +2", "result points=185"))
    assert of(data, "Ana")["rounds_told"] == 1
    for player in data["players"]:
        for row, whole in data["shares"].items():
            most = player["rounds_told"] if whole == "rounds" else player["counts"][whole]
            assert player["counts"][row] <= most
    data = told(match_of("doppelkopf", FOUR, "score Ana+Ben: +2", deal("Ana+Ben")))
    [pair] = (pair for pair in data["pairs"] if pair["players"] == ["Ana", "Ben"])
    assert (pair["rounds"], pair["decided"], pair["won"]) == (1, 1, 1)


def test_nobody_has_lost_a_round_that_the_rules_decide_otherwise() -> None:
    solo = "result contract=damensolo re=Ana points=140"
    said = (deal("Ana+Ben"), solo, "claim Ana: conduct Ben serious")
    data = told(match_of("doppelkopf-ddv", FOUR, *said))
    parts = {
        (found["name"], player["name"], part): (of_part["rounds"], of_part["decided"])
        for found in data["breakdowns"]
        for player in found["players"]
        for part, of_part in player["parts"].items()
    }
    assert parts["roles", "Ana", "re"] == (2, 1)
    assert parts["roles", "Ben", "kontra"] == (1, 0)
    # The share is of the rounds whose fact is known.
    assert of(data, "Ana")["counts"]["solos"] == 0


def test_an_average_lies_between_the_worst_and_the_best() -> None:
    said = ("penalty Ben: -2 x", "void bad", "penalty Cleo: -1 y", "foul Dan: z")
    data = told(match_of("doppelkopf", [*FOUR, "Eva"], deal("Ana+Ben"), *said))
    for player in data["players"]:
        best, worst = player["best"]["round"], player["worst"]["round"]
        if player["rounds_scored"]:
            assert worst["points"] <= player["per_round"] <= best["points"]
    assert of(data, "Ben")["per_round"] == 1


def test_matches_come_by_the_days_on_which_people_sat_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        begun = ["2026-11-20T23:00:00Z", "2026-11-21", "2026-11-21T02:00:00Z", "2026-11-21T02:30Z"]
        assert [*map(day_of, begun)] == ["2026-11-20", "2026-11-21", "2026-11-20", "2026-11-20"]
        store = Book(":memory:")
        for started in begun:
            store.create(NewMatch("durak", RulesetText("sha", "text"), FOUR, {}, started))
        assert [row.id for row in sort_by_date(store, store.matches())] == [1, 3, 4, 2]
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "said",
    [
        ["penalty Ben: -3 rude"],  # between deals
        ["all: gesund", "Ben: DT", "penalty Ben: -3 rude"],
        # Points that are set by hand belong to no player.
        ["standing Ana: 7", "penalty Ben: -3 rude"],
    ],
)
def test_points_are_those_of_the_sheet_in_a_deal_that_was_never_finished(said: list[str]) -> None:
    for end in ([], ["end"]):
        match = match_of("doppelkopf", FOUR, deal("Ana+Ben"), *said, *end)
        data = told(match)
        assert [of(data, name)["points"] for name in FOUR] == [1, -2, -1, -1]
        assert of(data, "Ben")["places"] == {"4": 1}
        assert of(data, "Ben")["worst"]["match"]["points"] == match.scores["Ben"] == -2


def test_of_a_deal_told_by_its_score_alone_nobody_knows_who_won() -> None:
    score = "score Ana: 2 / Ben: 2 / Cleo: -2 / Dan: -2"
    data = told(match_of("doppelkopf", FOUR, deal("Ana+Ben"), score, "void the cat"))
    ana = of(data, "Ana")
    assert (ana["rounds"], ana["rounds_scored"], ana["rounds_told"]) == (3, 2, 1)
    assert (ana["points"], ana["rounds_won"], ana["round_share"]) == (3, 1, 1.0)
    page = text.render(statistics.build_sheet(data, statistics.StatisticsQuery()), 200)
    assert page.count("1 of 1 (100%)") >= 4  # Ana and Ben: rounds won, and the row that counts it
    assert " of 3" not in page
    assert " of 2" not in page
    rows = "".join(statistics.as_csv([data], frozenset(statistics.TABLES))).split("\n")
    assert "doppelkopf,players,Ana,,,rounds_won,1,1" in rows
    assert "doppelkopf,counts,Ana,,,won,1,1" in rows


def test_where_the_fewest_points_win_a_score_alone_says_who_has_won() -> None:
    ana = of(told(match_of("hearts", FOUR, "score Ana: 0 / Ben: 20 / Cleo: 6 / Dan: 0")), "Ana")
    assert (ana["rounds_won"], ana["round_share"]) == (1, 1.0)


def test_an_average_is_of_matches_in_which_a_round_was_finished() -> None:
    ana = of(
        told(
            match_of("doppelkopf", FOUR, deal("Ana+Ben")),
            match_of("doppelkopf", FOUR, "all: gesund"),
        ),
        "Ana",
    )
    assert (ana["played"], ana["unfinished"], ana["per_match"]) == (2, 1, 1.0)


# --- streaks, best and worst


def test_streaks_follow_the_order_of_the_matches() -> None:
    won = match_of("doppelkopf", FOUR, deal("Ana+Ben"), "end")
    lost = match_of("doppelkopf", FOUR, deal("Ana+Ben", 100), "end")
    even = match_of("doppelkopf", FOUR, "result contract=neugeben", "end")
    streaks = of(told(won, won, lost, won, won, won), "Ana")["streaks"]
    assert (streaks["won"], streaks["lost"], streaks["current"]) == (3, 1, 3)
    streaks = of(told(won, won, even, won, lost, lost), "Ana")["streaks"]
    assert (streaks["won"], streaks["lost"], streaks["current"]) == (2, 2, -2)
    assert streaks["rounds_current"] == -2


def test_best_is_few_where_few_points_are_good() -> None:
    lost = ["result loser=Ana", "result loser=Ana", "result loser=Ben", "end"]
    data = told(match_of("durak", FOUR, *lost[2:]), match_of("durak", FOUR, *lost))
    ana = of(data, "Ana")
    assert data["fewest"]
    assert ana["best"]["match"] == {"points": 0, "match": "1"}
    assert ana["worst"]["match"] == {"points": 2, "match": "2"}
    assert ana["worst"]["round"] == {"points": 1, "match": "2", "round": 1}
    assert ana["per_match"] == 1.0


@pytest.mark.parametrize(("by", "won"), [("most", ["Ben", "Cleo"]), ("fewest", ["Ana"])])
def test_a_round_may_be_won_by_the_best_change(tmp_path: Path, by: str, won: list[str]) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        f'extends = "dudo"\nname = "house"\ntitle = "House"\n[history]\nby = "{by}"\n', "utf-8"
    )
    match = Match(load_ruleset(str(path)), FOUR[:3])
    for said in ("result loser=Ana", "end"):
        match.record(said)
    data = told(match)
    assert [name for name in FOUR[:3] if of(data, name)["rounds_won"]] == won
    assert all(of(data, name)["rounds_won"] + of(data, name)["rounds_lost"] == 1 for name in won)


def test_a_match_that_nobody_ended_is_counted_as_the_ruleset_says(tmp_path: Path) -> None:
    counted = {}
    for stopped in ("stands", "nothing"):
        path = tmp_path / f"{stopped}.toml"
        path.write_text(
            'extends = "durak"\nname = "house"\ntitle = "House"\n'
            f'[history]\nstopped = "{stopped}"\n',
            "utf-8",
        )
        match = Match(load_ruleset(str(path)), FOUR)
        match.record("result loser=Ana")
        data = told(match)
        counted[stopped] = (data["unended"], of(data, "Ben")["won"], of(data, "Ben")["unfinished"])
    assert counted == {
        "stands": ({"counted": 1, "left_out": 0}, 1, 0),
        "nothing": ({"counted": 0, "left_out": 1}, 0, 1),
    }


# --- breakdowns


BREAKDOWNS = """
[breakdowns.sort]
label = "by sort"
by = "sort"
[breakdowns.lost-sort]
by = "sort"
as = ["loser"]
[breakdowns.even]
by = "sort"
given = { odd = false }
[breakdowns.made]
by = "player.made"
success = "player.kept"
[breakdowns.role]
by = "roles"
roles = ["gainer", "loser"]
"""


def test_rounds_are_told_apart_by_facts_and_roles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def view(self: Table, rnd: Round) -> SummaryView:
        made = {"Ana": ["high", "low", "high"], "Ben": [], "Cleo": None}
        facts = {
            "sort": [None, "red", ["red", "blue"], "", None][rnd.number],
            "odd": rnd.number % 2 == 1,
            "player.made": made,
            "player.kept": {"Ana": ["low"]} if rnd.number == 2 else {},
        }
        return SummaryView(facts)

    monkeypatch.setattr(Table, "view", view)
    facts = dict.fromkeys(("sort", "odd", "player.made", "player.kept"), "what it is")
    monkeypatch.setattr(Table, "reports", {**facts, **Table.reports})
    path = tmp_path / "house.toml"
    path.write_text(f'extends = "dudo"\nname = "house"\ntitle = "House"\n{BREAKDOWNS}', "utf-8")
    match = Match(load_ruleset(str(path)), FOUR[:3])
    for said in ("result loser=Ana", "result loser=Ben", "result loser=Ana", "1x2"):
        match.record(said)
    rows = {row["name"]: row for row in told(match)["breakdowns"] if row["name"] in BREAKDOWNS}
    assert (rows["sort"]["label"], rows["sort"]["parts"]) == ("by sort", ["red", "blue"])

    def parts(name: str, who: str) -> dict[str, tuple[int, int, int]]:
        players = [each for each in rows[name]["players"] if each["name"] == who]
        found = players[0]["parts"] if players else {}
        return {part: (row["rounds"], row["won"], row["points"]) for part, row in found.items()}

    assert parts("sort", "Ana") == {"red": (2, 0, -1), "blue": (1, 0, 0)}
    assert parts("lost-sort", "Ana") == {"red": (1, 0, -1)}
    assert parts("even", "Cleo") == {"red": (1, 0, 0), "blue": (1, 0, 0)}
    assert parts("made", "Ana") == {"high": (3, 0, -2), "low": (3, 1, -2)}
    assert parts("made", "Ben") == parts("made", "Cleo") == {}
    assert (rows["role"]["parts"], parts("role", "Ben")) == (["loser"], {"loser": (1, 0, -1)})


# --- the order of matches


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["", "2026-01-01", "2026-01-02"], [1, 2, 3]),
        (["2026-01-03", "", "2026-01-02", "2026-01-02T20:00:00Z"], [2, 3, 4, 1]),
        (["", "2026-01-02", "2026-01-01", ""], [1, 4, 3, 2]),
        ([], []),
    ],
)
def test_matches_come_by_date_and_those_without_first(dates: list[str], order: list[int]) -> None:
    store = Book(":memory:")
    for started in dates:
        store.create(NewMatch("durak", RulesetText("sha", "text"), FOUR, {}, started))
    assert [row.id for row in sort_by_date(store, store.matches())] == order
