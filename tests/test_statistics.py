"""Statistics across matches: players, wins, places, and the ruleset's own counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.history.results import elimination_order, is_decided, places
from scorekeeper.history.statistics import CatalogEntry, make_statistics
from scorekeeper.phases.table import Table
from tests.helpers import SummaryView

if TYPE_CHECKING:
    from pathlib import Path

    from scorekeeper import Ruleset
    from scorekeeper.engine.round import Round


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load_ruleset("dudo")


def played(rules: Ruleset, *rounds: str, players: str = "Ana Ben Cem") -> Match:
    """Return a match of these rounds, with commas between entries."""
    match = Match(rules, players.split())
    for entries in rounds:
        for entry in entries.split(", "):
            match.record(entry)
    return match


def extended(folder: Path, toml: str) -> Ruleset:
    path = folder / "house.toml"
    path.write_text(f'extends = "dudo"\nname = "house"\ntitle = "House"\n{toml}', "utf-8")
    return load_ruleset(str(path))


ONE_LEFT = "standing Ana: 1, standing Ben: 1, 1x3, Ben: dudo, count 1"


def test_places_are_the_order_of_going_out_backwards(rules: Ruleset) -> None:
    match = played(rules, ONE_LEFT)
    assert not is_decided(match)
    assert elimination_order(match) == {"Ben": 1}
    assert places(match) == {"Ana": 2, "Ben": 3, "Cem": 1}
    match.record("result loser=Ana")
    assert is_decided(match)
    assert elimination_order(match) == {"Ana": 2, "Ben": 1}
    assert places(match) == {"Ana": 2, "Ben": 3, "Cem": 1}


def test_who_is_out_from_the_start_has_gone_first_and_who_comes_back_is_in(
    rules: Ruleset,
) -> None:
    match = played(rules, "hand Ana: 0, hand Ben: 1, result loser=Ben")
    assert elimination_order(match) == {"Ana": 1, "Ben": 2}
    match = played(rules, "hand Ana: 1, result loser=Ana", "hand Ana: 2, result loser=Ben")
    assert elimination_order(match) == {}
    match = played(rules, "hand Ana: 0, hand Ben: 0")
    assert places(match) == {"Ana": 2, "Ben": 2, "Cem": 1}


@pytest.mark.parametrize(
    ("wins", "found"),
    [
        ("most", {"Ana": 3, "Ben": 1, "Cem": 1, "Dan": 4}),
        ("fewest", {"Ana": 2, "Ben": 3, "Cem": 3, "Dan": 1}),
    ],
)
def test_equal_tallies_share_a_place(wins: str, found: dict[str, int]) -> None:
    rules = load_ruleset("dudo", match={"wins": wins, "ends": "rounds >= 3"})
    match = played(
        rules,
        *("result loser=Ana", "result loser=Dan", "result loser=Dan"),
        players="Ana Ben Cem Dan",
    )
    assert match.over
    assert places(match) == found


def test_a_match_without_an_end_of_its_own_is_decided_by_what_stands() -> None:
    rules = load_ruleset(
        "dudo", match={"wins": "most", "ends": "false"}, history={"stopped": "stands"}
    )
    match = played(rules, "1x3")
    assert not is_decided(match)
    match = played(rules, "result loser=Ana", "1x3")
    assert is_decided(match)
    [found] = make_statistics([CatalogEntry(match)])
    assert {name: of.matches_won for name, of in found.players.items()} == {
        "Ben": 1,
        "Cem": 1,
        "Ana": 0,
    }


def test_what_a_ruleset_may_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def view(self: Table, rnd: Round) -> SummaryView:
        odd, lucky = rnd.number % 2 == 1, {"Ana": 2, "Ben": rnd.number > 1}
        return SummaryView({"odd": odd, "player.luck": lucky})

    monkeypatch.setattr(Table, "view", view)
    reports = {"odd": "whether its number is", "player.luck": "how lucky", **Table.reports}
    monkeypatch.setattr(Table, "reports", reports)
    rules = extended(
        tmp_path,
        """
[statistics]
doubts = false
doubts-won = false
doubts-lost = false
exacts = false
exacts-won = false
exacts-lost = false
[statistics.lost]
count = "roles"
role = "loser"
[statistics.lost-odd]
count = "roles"
role = "loser"
given = { odd = true }
[statistics.dice]
count = "lines"
[statistics.dice-lost]
count = "lines"
lines = ["lost", "foul"]
[statistics.luck]
count = "fact"
fact = "player.luck"
[statistics.low]
verbs = ["bid"]
values = ["1x2", "1x3"]
""",
    )
    match = played(
        rules,
        "standing Ana: 2, 1x2, Ben: 1x3, Ana: 1x4, Ben: calzo, count 2",
        "result gainer=Ana",
        "result loser=Ana",
        "foul Ana: looked",
        players="Ana Ben",
    )
    [found] = make_statistics([CatalogEntry(match)])
    assert found.as_json()["labels"]["lost-odd"] == "lost-odd"
    names = ("lost", "lost-odd", "dice", "dice-lost", "luck", "low")
    counted = {name: [of.counts.get(row, 0) for row in names] for name, of in found.players.items()}
    assert counted == {"Ana": [1, 1, -1, -2, 8, 1], "Ben": [1, 1, -1, -1, 3, 1]}


def test_figures_of_several_matches(rules: Ruleset) -> None:
    first = played(
        rules,
        "3x4, 4x4, Cem: dudo, count 3",  # Cem's call was right
        "5x4, Cem: dudo, count 5",  # Cem's call was wrong
        "1x5, Ana: calzo, count 1",  # Ana's call was right, and she already had five dice
        "1x5, Ben: calzo, count 3",  # Ben's call was wrong
        "1x5, Cem: dudo, void the cups fell over",  # a void round counts for nothing
        "1x5, Cem: dudo, foul Ana: looked",  # a call without an outcome
        "Ana: 1x5 !withdrawn, end",
    )
    second = played(rules, ONE_LEFT, "result loser=Cem", "end", players="ana Ben Cem")
    third = played(rules, "1x5, Dan: dudo", players="Ana Dan Ben")
    [found] = make_statistics(
        map(CatalogEntry, [first, second, third, Match(rules, ["Eve", "Fay"])])
    )
    data = found.as_json()
    assert (data["ruleset"], data["title"], data["matches"]) == ("dudo", "Dudo", 3)
    assert {row: data["labels"][row] for row in ("doubts-won", "exacts", "illegal")} == {
        "doubts-won": "dudos won",
        "exacts": "calzos",
        "illegal": "proven illegal",
    }
    by_name = {player["name"]: player for player in data["players"]}
    assert set(by_name) == {"Ana", "Ben", "Cem", "Dan"}
    assert by_name["Cem"]["counts"] == {
        "lost": 2,
        "bids": 1,
        "caught": 0,
        "doubts": 3,
        "doubts-won": 1,
        "doubts-lost": 1,
        "exacts-lost": 0,
        "exacts": 0,
        "exacts-won": 0,
        "illegal": 0,
        "fouls": 0,
    }
    assert by_name["Ana"]["counts"]["exacts-won"] == 1
    assert by_name["Ben"]["counts"]["exacts"] == 1
    assert by_name["Ben"]["counts"]["exacts-won"] == 0
    assert by_name["Ana"]["played"] == 3
    assert by_name["Ana"]["unfinished"] == 1
    told = {
        **{"name": "Dan", "played": 1, "unfinished": 1, "won": 0, "rounds": 0},
        **{"places": {}, "counts": dict.fromkeys(data["labels"], 0)},
        **{"points": 0, "per_round": None, "best": {"round": None, "match": None}},
    }
    assert {key: by_name["Dan"][key] for key in told} == told


def test_who_came_and_has_played_no_round_is_not_counted() -> None:
    match = Match(load_ruleset("durak"), ["Ana", "Ben", "Cem"])
    for text in ("result loser=Ana", "result loser=Ben", "quits Ana", "joins Dan after Cem"):
        match.record(text)
    [found] = make_statistics([CatalogEntry(match)])
    told = {
        name: (of.matches_played, of.matches_won, of.places) for name, of in found.players.items()
    }
    assert told == {"Cem": (1, 1, {1: 1}), "Ben": (1, 0, {2: 1}), "Ana": (1, 0, {})}
