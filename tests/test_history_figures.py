"""Statistics across matches, each computed in a second way.

A simple oracle computes them from the exported JSON of random matches of every shipped ruleset.
Laws that hold for any matches are checked too.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from contextlib import suppress
from functools import cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from scorekeeper import Failure
from scorekeeper.history.statistics import ALL_TABLES, CatalogEntry, make_statistics
from scorekeeper.render.statistics import share_base
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from scorekeeper.store.round_cache import RoundCache
from tests.helpers import SHIPPED, program
from tests.random_play import Evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from scorekeeper import Match

Row = dict[str, Any]
SEEDS = 4


def played(name: str, seed: int) -> Match:
    """Return a match of a few rounds, mostly entered by results. Some rounds are void, some matches
    ended."""
    evening = Evening(name, seed, result=0.2 if seed == 1 else 1).play(4, 30 if seed == 1 else 8)
    match = evening.match
    if evening.over:
        said = [f"foul {match.seated_players[0]}: looked", "void the cat", "end"]
        for text in said[seed % 4 :]:
            with suppress(Failure):
                match.record(text)
    return match


@cache
def matches() -> list[CatalogEntry]:
    """Return random matches in an order of dates, some without a date."""
    found = [played(name, seed) for seed in range(1, SEEDS + 1) for name in SHIPPED]
    return [
        CatalogEntry(match, str(number), f"2026-{1 + number // 28:02}-{1 + number % 28:02}")
        for number, match in enumerate((each for each in found if each.rounds), 1)
    ]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a book in which the random matches are recorded."""
    path = tmp_path_factory.mktemp("history") / "book.sqlite"
    with Book(path) as store, store.batch():
        for listed in matches():
            match = listed.match
            desk = begin_match(store, match.ruleset, match.players, started=listed.started)
            for told in match.review():
                made = desk.record(told.entries)
                assert made.failure is None, made
    return path


@pytest.fixture(scope="module")
def told() -> dict[str, Row]:
    """Provide the statistics of all matches by ruleset, as JSON has them."""
    return by_ruleset(matches())


def by_ruleset(found: Iterable[CatalogEntry], tables: Iterable[str] = ALL_TABLES) -> dict[str, Row]:
    plain = [each.as_json() for each in make_statistics(found, tables)]
    return {each["ruleset"]: each for each in json.loads(json.dumps(plain))}


def by_name(figures_of: Row) -> dict[str, Row]:
    return {player["name"]: player for player in figures_of["players"]}


# --- the oracle: lists of what happened, from what is exported


class Turn(NamedTuple):
    """A finished round from one player's view. `points` is None if the round has no score."""

    match: str
    round: int
    date: str
    void: bool
    points: int | None
    won: bool
    lost: bool
    roles: frozenset[str]
    partners: frozenset[str]


def turns(match: Row) -> Iterator[dict[str, Turn]]:
    """Yield the players of each finished round with their turn."""
    rules = rules_of(match["ruleset"])
    for each in match["rounds"]:
        if not each["over"]:
            continue
        changes, void = each["scores"] or {}, each["annulled"]
        before = {name: tally - changes.get(name, 0) for name, tally in each["tally"].items()}
        playing = [
            name
            for name in before
            if name not in each["sat_out"]
            and not (rules.tally["out"] and before[name] <= rules.tally["least"])
        ]
        won, lost = sides_of(rules.data.get("history", {}), each, playing, void=void)
        yield {
            name: Turn(
                match["match"],
                each["round"],
                match["started"],
                void,
                changes.get(name),
                name in won,
                name in lost,
                frozenset(role for role, of in each["roles"].items() if name in of["players"]),
                frozenset(
                    other
                    for members in each["sides"].values()
                    for other in members
                    if name in members and other != name
                ),
            )
            for name in playing
        }


def sides_of(
    said: Row, each: Row, playing: Sequence[str], *, void: bool
) -> tuple[set[str], set[str]]:
    """Return the players who won the round and the players who lost it."""
    if void:
        return set(), set()
    if said.get("by", "roles") == "roles":

        def having(roles: Sequence[str]) -> set[str]:
            return {
                name
                for role in roles
                for name in each["roles"].get(role, {"players": ()})["players"]
            }

        won = having(said.get("won", ["winners"]))
        return won, having(said.get("lost", ["losers"])) - won
    sign = 1 if said["by"] == "most" else -1
    ranked = sorted(playing, key=lambda name: -sign * (each["scores"] or {}).get(name, 0))
    worth = [(each["scores"] or {}).get(name, 0) for name in ranked]
    if len(set(worth)) < 2:
        return set(), set()
    won = {name for name, number in zip(ranked, worth, strict=True) if number == worth[0]}
    return won, set(playing) - won


def streak(signs: Iterable[int], wanted: int) -> int:
    """Return the longest run of a sign."""
    runs = "".join("-0+"[sign + 1] for sign in signs)
    other = "-0+".replace("-0+"[wanted + 1], "")
    return max(map(len, runs.replace(other[0], " ").replace(other[1], " ").split(" ")))


def standing(match: Row) -> dict[str, int]:
    """Return the places of a match by its last tallies. Each side that the seating makes counts
    once. Players who sat out every finished round, while others played, have no place."""
    rules = rules_of(match["ruleset"])
    idle = [set(each["sat_out"]) for each in match["rounds"] if each["over"]]
    never = set.intersection(*idle) if idle else set()
    scores = {name: tally for name, tally in match["scores"].items() if name not in never}
    if rules.match["wins"] == "last":
        worth = {}
        for name in scores:
            tallies = [scores[name], *(r["tally"][name] for r in match["rounds"] if r["over"])]
            began = [
                r["tally"][name] - (r["scores"] or {}).get(name, 0)
                for r in match["rounds"]
                if r["over"]
            ]
            alive = [number for number, tally in enumerate(began, 1) if tally > 0]
            worth[name] = (
                tallies[0] > 0,
                0 if tallies[0] > 0 else max(alive, default=0),
                tallies[0],
            )
    else:
        sign = -1 if rules.match["wins"] == "fewest" else 1
        worth = {name: (sign * tally, 0, 0) for name, tally in scores.items()}
    number = rules.sides["number"]
    sides = [list(scores)[at::number] for at in range(number)] if number else [[n] for n in scores]
    return {name: 1 + sum(worth[side[0]] > worth[name] for side in sides) for name in scores}


@pytest.fixture(scope="module")
def exported(book: Path) -> dict[str, list[Row]]:
    """Provide the exported rows of the book by ruleset."""
    found: dict[str, list[Row]] = defaultdict(list)
    text = program("export", "--all", "--format", "json", "--book", str(book)).out
    for match in json.loads(text)["matches"]:
        found[match["ruleset"]].append(match)
    return found


# --- each figure against the oracle


def test_there_is_enough_to_tell(told: dict[str, Row], exported: dict[str, list[Row]]) -> None:
    assert set(told) == set(exported) == set(SHIPPED)
    assert sum(each["rounds"] for each in told.values()) >= 400
    assert sum(each["unended"]["left_out"] for each in told.values()) > 10
    assert any(
        player["rounds"] > player["rounds_scored"]
        for each in told.values()
        for player in each["players"]
    )


def test_rounds_and_points_are_those_of_the_export(
    told: dict[str, Row], exported: dict[str, list[Row]]
) -> None:
    for name, found in exported.items():
        had: dict[str, list[Turn]] = defaultdict(list)
        points: Counter[str] = Counter()
        for match in found:
            for each in match["rounds"]:
                points.update(each["scores"] or {} if each["over"] else {})
            for turn in turns(match):
                for who, own in turn.items():
                    had[who].append(own)
        for who, player in by_name(told[name]).items():
            mine = had[who]
            scored = [turn for turn in mine if not turn.void and turn.points is not None]
            known = [turn for turn in mine if turn in scored or turn.won or turn.lost]
            assert player["rounds"] == len(mine), (name, who)
            assert player["points"] == points[who]
            assert player["rounds_scored"] == len(scored)
            assert player["rounds_won"] == sum(turn.won for turn in mine)
            assert player["rounds_lost"] == sum(turn.lost for turn in mine)
            average = points[who] / len(scored) if scored else None
            assert player["per_round"] == pytest.approx(average)
            if player["round_share"] is not None:
                share = sum(turn.won for turn in mine) / len(known) if known else None
                assert player["round_share"] == pytest.approx(share)
            best, worst = extremes(
                [turn.points or 0 for turn in scored], fewest=told[name]["fewest"]
            )
            assert (player["best"]["round"] or {}).get("points") == best
            assert (player["worst"]["round"] or {}).get("points") == worst


def extremes(points: Sequence[int], *, fewest: bool) -> tuple[int | None, int | None]:
    """Return the best value and the worst value."""
    ranked = sorted(points, reverse=not fewest)
    return (ranked[0], ranked[-1]) if ranked else (None, None)


def test_matches_places_and_streaks_are_those_of_the_export(
    told: dict[str, Row], exported: dict[str, list[Row]]
) -> None:
    for name, found in exported.items():
        stops = rules_of(name).history.stopped
        placed: dict[str, list[int]] = defaultdict(list)
        signs: dict[str, list[int]] = defaultdict(list)
        played, left_out, counted = 0, 0, 0
        for match in found:
            over = any(each["over"] for each in match["rounds"])
            decided = match["over"] or (stops == "stands" and over)
            played += 1
            left_out += not decided
            counted += decided and not match["over"]
            if decided:
                places = standing(match)
                even = set(places.values()) == {1}
                alive = sum(tally > 0 for tally in match["scores"].values())
                nobody = even or (rules_of(name).match["wins"] == "last" and alive != 1)
                for who, place in places.items():
                    placed[who].append(place)
                    signs[who].append(0 if nobody else 1 if place == 1 else -1)
        assert told[name]["matches"] == played
        assert told[name]["unended"] == {"counted": counted, "left_out": left_out}
        for who, player in by_name(told[name]).items():
            often = Counter(map(str, placed[who]))
            assert player["places"] == often, (name, who)
            assert player["won"] == signs[who].count(1)
            assert player["played"] == player["unfinished"] + len(placed[who])
            assert player["streaks"]["won"] == streak(signs[who], 1)
            assert player["streaks"]["lost"] == streak(signs[who], -1)


def test_pairs_are_those_of_the_export(
    told: dict[str, Row], exported: dict[str, list[Row]]
) -> None:
    seen = 0
    for name, found in exported.items():
        shared = rules_of(name).sides["number"] and rules_of(name).sides["shared"]
        rows: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
        for turn in (turn for match in found for turn in turns(match)):
            for one, other in combinations(sorted(turn), 2):
                mine, theirs = turn[one], turn[other]
                if other in mine.partners and not mine.void:
                    points = [mine.points or 0, 0 if shared else theirs.points or 0]
                    row = rows[one, other]
                    row[:] = row[0] + 1, row[1] + (mine.won and theirs.won), row[2] + sum(points)
        got = {
            tuple(row["players"]): [row["rounds"], row["won"], row["points"]]
            for row in told[name]["pairs"]
        }
        assert got == rows, name
        seen += len(got)
    assert seen > 20


def test_who_is_against_whom_is_told_as_the_export_has_it(
    told: dict[str, Row], exported: dict[str, list[Row]]
) -> None:
    for name, found in exported.items():
        fixed = rules_of(name).sides["number"]
        rows: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
        for turn in (turn for match in found for turn in turns(match)):
            for one, other in permutations(turn, 2):
                mine, theirs = turn[one], turn[other]
                if not (mine.void or (fixed and other in mine.partners)):
                    row = rows[one, other]
                    row[:] = row[0] + 1, row[1] + (mine.points or 0) - (theirs.points or 0)
        got = {
            (row["player"], row["other"]): [row["rounds"], row["points"]]
            for row in told[name]["against"]
            if row["rounds"]
        }
        assert got == rows, name


def test_parts_are_those_of_the_export(
    told: dict[str, Row], exported: dict[str, list[Row]]
) -> None:
    for name, found in exported.items():
        rules = rules_of(name)
        by_name = {row.name: row for row in rules.sheet.breakdowns}
        for got in told[name]["breakdowns"]:
            row = by_name[got["name"]]
            if row.by != "roles" or row.given:
                continue
            rows: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
            for turn in (turn for match in found for turn in turns(match)):
                for who, mine in turn.items():
                    for role in row.roles if not mine.void else ():
                        if role in mine.roles and (not row.as_roles or row.as_roles & mine.roles):
                            sums = rows[who, rules.translate_word(role)]
                            won = mine.won if not row.success else 0
                            sums[:] = sums[0] + 1, sums[1] + won, sums[2] + (mine.points or 0)
            assert {
                (player["name"], part): [of["rounds"], of["won"], of["points"]]
                for player in got["players"]
                for part, of in player["parts"].items()
            } == rows, (name, row.name)


# --- laws


def test_what_a_book_has_kept_tells_the_same_as_the_matches(
    book: Path, told: dict[str, Row]
) -> None:
    with Book(book) as store:
        kept = [
            CatalogEntry(match, str(match.row.id), match.row.started)
            for match in RoundCache(store).all_matches()
        ]
        assert by_ruleset(kept) == told


def test_no_share_is_of_fewer_than_it_counts(told: dict[str, Row]) -> None:
    shares = 0
    for data in told.values():
        for player in data["players"]:
            for row in data["shares"]:
                whole = share_base(data, player, row)
                assert whole is None or player["counts"][row] <= whole, (data["ruleset"], row)
                shares += bool(whole and player["counts"][row])
            assert player["won"] <= player["played"] - player["unfinished"]
            assert player["rounds_won"] + player["rounds_lost"] <= player["rounds_decided"]
            assert player["rounds_decided"] <= player["rounds_scored"] <= player["rounds"]
        parts = [
            part
            for found in data["breakdowns"]
            for player in found["players"]
            for part in player["parts"].values()
        ]
        for each in [*parts, *data["pairs"]]:
            assert each["won"] <= each["decided"] <= each["rounds"]
    assert shares > 100


def test_figures_of_halves_add_up_to_those_of_the_whole(told: dict[str, Row]) -> None:
    halves = [by_ruleset(matches()[at::2]) for at in (0, 1)]
    keys = ("played", "unfinished", "won", "rounds", "points", "rounds_scored", "rounds_won")
    for name, whole in told.items():
        parts = [by_name(half[name]) for half in halves if name in half]
        for player in whole["players"]:
            mine = [part[player["name"]] for part in parts if player["name"] in part]
            for key in (*keys, "rounds_lost", "rounds_decided"):
                assert player[key] == sum(each[key] for each in mine)
            for row, number in player["counts"].items():
                assert number == sum(each["counts"][row] for each in mine)
        rounds = [
            sum(row["rounds"] for row in part["pairs"])
            for part in [whole, *[h[name] for h in halves if name in h]]
        ]
        assert rounds[0] == sum(rounds[1:])


def test_what_one_wins_another_loses(told: dict[str, Row]) -> None:
    for name in (name for name in told if name.startswith("doppelkopf")):
        assert sum(player["points"] for player in told[name]["players"]) == 0
    for each in told.values():
        rows = {(row["player"], row["other"]): row for row in each["against"]}
        for (one, other), row in rows.items():
            back = rows[other, one]
            assert (row["ahead"], row["points"]) == (back["behind"], -back["points"])
            assert row["matches"] == row["ahead"] + row["behind"] + row["even"] == back["matches"]


def test_days_sum_to_the_points(told: dict[str, Row]) -> None:
    for each in told.values():
        sums: Counter[str] = Counter()
        for day in each["days"]:
            sums.update(day["points"])
        assert sums == Counter({player["name"]: player["points"] for player in each["players"]})
        assert [day["date"] for day in each["days"]] == sorted(day["date"] for day in each["days"])
        assert each["first"] == each["days"][0]["date"]
        assert each["last"] == each["days"][-1]["date"]


def test_only_the_tables_that_are_asked_for_are_told() -> None:
    plain = by_ruleset(matches()[:40], ())
    some = by_ruleset(matches()[:40], ("pairs",))
    for name, each in plain.items():
        assert not ALL_TABLES & each.keys()
        assert {key: value for key, value in some[name].items() if key != "pairs"} == each
