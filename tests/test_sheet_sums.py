"""Sums on a sheet: the tallies over the evening, their parts, carried points, and payments between
players."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from functools import cache
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import Failure, Impossible, Match, Unreadable, load_ruleset
from scorekeeper.render.sheet import build_sheet
from scorekeeper.render.sheet_model import CARRIED, ROUND, minimize_payments, parse_stake, settle
from tests.helpers import SHIPPED
from tests.random_play import NAMES, counts_of, evening, result_of, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.render.sheet_model import Sheet

each = pytest.mark.parametrize("name", SHIPPED)


def played(name: str, players: str, *entries: str) -> Match:
    match = Match(load_ruleset(name), players.split())
    for entry in entries:
        match.record(entry)
    return match


def members(match: Match, who: str) -> list[str]:
    return [who] if who in match.players else who.split("+")


# --- tallies over the evening, and their parts


def scored(name: str) -> Match:
    """Return a match with results, entered scores and a penalty, as far as the ruleset accepts
    them."""
    random, many = Random(name), counts_of(name)[-1]
    match = Match(rules_of(name), NAMES[:many])
    for number in range(6):
        score = f"score {NAMES[number % many]}: {6 if number % 2 else -6}"
        for text in (result_of(match.ruleset, match.players, random), score, "penalty Ana: -1"):
            with suppress(Failure):
                match.record(text)
    return match


def began(match: Match, name: str) -> int:
    """Return the tally with which a player began."""
    if name in match.initial_players:
        return match.ruleset.numbers.start(len(match.initial_players))
    summaries = (summary["before"] for summary in match.summaries())
    return int(next(before[name] for before in summaries if name in before))


@each
@pytest.mark.parametrize("played", [scored, lambda name: evening(name, 1, 60).match])
def test_what_tallies_were_made_of_sums_to_what_stands_there(
    name: str, played: Callable[[str], Match]
) -> None:
    match = played(name)
    made = build_sheet(match)
    changed = [found.scores for found in match.rounds if found.scores]
    names = [] if made.sources is None else list(made.sources.names)
    for at, who in enumerate(names):
        assert made.sources is not None
        assert len(made.sources.points[at]) == len(made.sources.labels)
        for one in members(match, who):
            assert sum(made.sources.points[at]) == match.scores[one] - began(match, one)
    if not names:
        assert not any(number for scores in changed for number in scores.values())


@each
def test_tallies_over_the_evening_end_with_what_stands_on_the_sheet(name: str) -> None:
    match = evening(name, 1, 60).match
    drawn, over = build_sheet(match).running_totals, [each for each in match.rounds if each.over]
    if not over:
        assert drawn is None
        return
    assert drawn is not None
    assert list(drawn.rounds) == [0, *(each.number for each in over)]
    for who, points in zip(drawn.names, drawn.points, strict=True):
        assert len(points) == len(drawn.rounds)
        if match.rounds[-1].over:
            assert {match.scores[one] for one in members(match, who)} == {points[-1]}


def test_where_nothing_was_played_nothing_is_drawn() -> None:
    for match in (played("dudo", "Ana Ben"), played("dudo", "Ana Ben", "2x3")):
        made = build_sheet(match)
        assert (made.running_totals, made.sources) == (None, None)


def test_what_was_set_by_hand_is_a_part_of_what_stands_there() -> None:
    said = ("standing Ana: 10", "132 re=Ana+Ben", "standing Ben: 4", "132 re=Ana+Ben")
    made = build_sheet(played("doppelkopf", "Ana Ben Cleo Dan", *said))
    assert made.sources is not None
    at = made.sources.labels.index("carried over")
    assert [points[at] for points in made.sources.points] == [10, 3, 0, 0]
    assert [str(sum(points)) for points in made.sources.points] == made.tables[0].totals[0][-4:]


def test_a_penalty_has_a_part_of_its_own() -> None:
    match = played("doppelkopf", "Ana Ben Cleo Dan", "penalty Ana: -3 late", "132 re=Ana+Ben")
    made = build_sheet(match).sources
    assert made is not None
    assert "penalty" in made.labels
    at = made.labels.index("penalty")
    assert [points[at] for points in made.points] == [-3, 0, 0, 0]


def test_sides_with_one_tally_are_drawn_as_one() -> None:
    made = build_sheet(played("da-ban", "Ana Ben Cem Dan", "master Ana", "result points=60"))
    assert made.running_totals is not None
    assert list(made.running_totals.names) == ["Ana+Cem", "Ben+Dan"]


def places(match: Match) -> list[str]:
    found = [
        row for row in build_sheet(match).tables[0].totals if any("Rank" in cell for cell in row)
    ]
    return [cell for cell in found[0] if cell.isdigit() or "/" in cell]


def test_sides_are_ranked_among_the_sides() -> None:
    behind = played("whist", "Ana Ben Cleo Dan", "score Ana: 0 / Ben: 3")
    assert places(behind) == ["2", "1"]
    assert places(played("whist", "Ana Ben Cleo Dan", "score Ana: 3 / Ben: 3")) == ["1", "1"]
    assert places(played("da-ban", "Ana Ben Cem Dan", "result points=60")) == ["1", "2"]


# --- carried over


def tallies(made: Sheet, row: list[str]) -> list[str]:
    """Return the cells under the players' columns, without the change in brackets."""
    found = zip(made.tables[0].columns, row, strict=True)
    return [cell.partition(" (")[0] for column, cell in found if column.owner]


@pytest.mark.parametrize("name", ["doppelkopf", "belote", "skat", "dudo", "durak", "da-ban"])
def test_what_is_carried_over_is_what_stands_in_the_row(name: str) -> None:
    made = build_sheet(evening(name, 1, 60).match)
    grid = made.tables[0]
    assert len(grid.carried) == len(grid.kinds) == len(grid.rows)
    for row, kind, carried in zip(grid.rows, grid.kinds, grid.carried, strict=True):
        assert "carried over" in carried
        if kind == ROUND and any(tallies(made, list(row))):
            assert tallies(made, list(carried)) == tallies(made, list(row))


@each
def test_only_a_tally_that_somebody_set_is_carried_in(name: str) -> None:
    match = evening(name, 1, 60).match
    said = [text.split()[0] for found in match.rounds for text in found.entries]
    if not {"standing", "hand", "joins"} & set(said):
        assert CARRIED not in build_sheet(match).tables[0].kinds


def test_a_match_that_began_in_the_middle_says_what_stood_before() -> None:
    match = played("hearts", "Ana Ben Cleo Dan", "standing Ben: 34", "standing Dan: 5")
    grid = build_sheet(match).tables[0]
    assert grid.kinds[0] == CARRIED
    assert list(grid.rows[0]) == ["carried over", "", "0", "34", "0", "5"]


def test_who_came_later_has_empty_cells_before() -> None:
    match = played("dudo", "Ana Ben", "result loser=Ana", "joins Cem after Ben", "2x3")
    grid = build_sheet(match).tables[0]
    heads = [column.owner for column in grid.columns]
    assert [row[heads.index("Cem")] for row in grid.rows] == ["", ""]
    assert list(grid.kinds) == [ROUND, ROUND]


# --- money

TENTH = Decimal("0.10")


def paid(match: Match, stake: Decimal = TENTH) -> dict[str, Decimal]:
    """Return each player's balance after all payments."""
    found = dict.fromkeys(match.players, Decimal(0))
    for payer, to, amount in settle(match, stake).rows:
        found[payer] = found.get(payer, Decimal(0)) - Decimal(amount)
        found[to] = found.get(to, Decimal(0)) + Decimal(amount)
    return found


def least(owed: tuple[int, ...]) -> int:
    """Return the smallest number of payments, by trying all groups."""

    @cache
    def groups(left: frozenset[int]) -> int:
        if not left:
            return 0
        first, *rest = sorted(left)
        found = []
        for many in range(len(rest) + 1):
            for others in combinations(rest, many):
                one = {first, *others}
                if sum(owed[at] for at in one) == 0:
                    found.append(1 + groups(left - one))
        return max(found)

    open_ = frozenset(at for at, points in enumerate(owed) if points)
    return len(open_) - groups(open_)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-9, 9), max_size=6))
def test_payments_settle_what_is_owed_and_are_as_few_as_can_be(points: list[int]) -> None:
    owed = [*points, -sum(points)]
    left = list(owed)
    found = minimize_payments(owed)
    for by, to, many in found:
        assert many > 0
        left[by] += many
        left[to] -= many
    assert not any(left)
    assert len(found) <= max(0, len(owed) - 1)
    assert len(found) == least(tuple(owed))


def test_payments_among_many_settle_what_is_owed() -> None:
    owed = [at * at - 90 for at in range(30)]
    owed.append(-sum(owed))
    found = minimize_payments(owed)
    left = list(owed)
    for by, to, many in found:
        left[by] += many
        left[to] -= many
    assert not any(left)
    assert len(found) < len(owed)


def test_where_scores_sum_to_zero_everyone_pays_or_gets_their_tally() -> None:
    match = played("doppelkopf", "Ana Ben Cleo Dan", "132 re=Ana+Ben", "151 re=Ana+Dan")
    made = build_sheet(match, stake=TENTH).payments
    assert made is not None
    assert paid(match) == {name: points * TENTH for name, points in match.scores.items()}
    assert all(len(amount.partition(".")[2]) == 2 for _, _, amount in made.rows)
    assert build_sheet(match).payments is None


def test_a_penalty_that_nobody_gets_goes_to_the_pot() -> None:
    match = played("doppelkopf", "Ana Ben Cleo Dan", "penalty Ana: -3 late", "132 re=Ana+Ben")
    assert paid(match)["the pot"] == 3 * TENTH
    assert sum(paid(match).values()) == 0


def test_elsewhere_every_two_opponents_settle_the_difference() -> None:
    match = played("hearts", "Ana Ben Cleo Dan", "score Ana: 20 / Ben: 6")
    assert paid(match, Decimal(1)) == {"Ana": -54, "Ben": 2, "Cleo": 26, "Dan": 26}


def test_of_two_sides_each_player_settles_with_one_of_the_other() -> None:
    match = played("whist", "Ana Ben Cleo Dan", "score Ana: 3 / Ben: 0")
    assert paid(match, Decimal(1)) == {"Ana": 3, "Ben": -3, "Cleo": 3, "Dan": -3}


def test_sides_settle_their_difference_once_whatever_it_was_made_of() -> None:
    entries = ("score Ana: 512 / Ben: 454", "penalty Ana: -10 late")
    match = played("belote", "Ana Ben Cleo Dan", *entries)
    assert paid(match, Decimal(1)) == {"Ana": 48, "Ben": -48, "Cleo": 48, "Dan": -48}
    made = settle(match, TENTH)
    assert sorted(made.sentences) == ["Ben pays Ana 4.80", "Dan pays Cleo 4.80"]


def test_who_took_over_a_seat_settles_for_it_and_its_side_is_ranked() -> None:
    entries = ("score Ana: 3 / Ben: 0", "joins Eve for Cleo", "score Ana: 1 / Ben: 2")
    match = played("whist", "Ana Ben Cleo Dan", *entries)
    assert match.scores["Eve"] == 4
    settled = {"Ana": 2, "Ben": -2, "Cleo": 0, "Dan": -2, "Eve": 2}
    assert paid(match, Decimal(1)) == settled
    assert places(match) == ["1", "2", "1"]


def test_a_sentence_says_who_settles_with_whom() -> None:
    made = {
        name: settle(Match(load_ruleset(name), ["Ana", "Ben", "Cleo", "Dan"]), TENTH)
        for name in ("belote", "hearts", "doppelkopf")
    }
    assert "the sides settle the difference between their tallies (points)" in made["belote"].basis
    assert "every player settles with one player of the other side" in made["belote"].basis
    assert "any two players settle the difference" in made["hearts"].basis
    for each in made.values():
        assert each.basis.startswith("nothing is owed: ")
        assert (each.rows, each.sentences) == ([], [])


def test_what_goes_into_the_pot_or_comes_out_of_it_is_said_in_a_sentence_of_its_own() -> None:
    late = played("doppelkopf", "Ana Ben Cleo Dan", "penalty Ana: -3 late")
    assert settle(late, TENTH).sentences == ["Ana pays 0.30 into the pot"]
    kind = played("doppelkopf", "Ana Ben Cleo Dan", "penalty Ana: 3 kind")
    assert settle(kind, TENTH).sentences == ["Ana gets 0.30 out of the pot"]
    won = played("durak", "Ana Ben", "result loser=Ana")
    assert settle(won, TENTH).sentences == ["Ana pays Ben 0.10"]


@pytest.mark.parametrize("name", ["da-ban", "dudo", "bluff", "perudo-lives", "sheng-ji"])
def test_a_tally_that_is_no_money_is_refused(name: str) -> None:
    match = Match(load_ruleset(name), ["Ana", "Ben", "Cleo", "Dan"])
    with pytest.raises(Impossible, match="is not paid in money"):
        build_sheet(match, stake=TENTH)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "0",
        "0.00",
        "-1",
        "1,000",
        "1,5,0",
        ",5",
        "nan",
        "NaN",
        "inf",
        "1e9",
        "99999999",
        "0.00001",
        "½",
        "١",
        "a",
    ],
)
def test_what_is_no_stake_is_refused(typed: str) -> None:
    with pytest.raises(Unreadable) as found:
        parse_stake(typed)
    assert isinstance(found.value, Failure)
    assert "0.10" in found.value.hint


def test_a_stake_is_as_exact_as_it_was_typed() -> None:
    match = played("hearts", "Ana Ben Cleo Dan", "score Ana: 7")
    for typed in ("0.005", "0,0050"):
        amounts = [amount for _, _, amount in settle(match, parse_stake(typed)).rows]
        assert [Decimal(amount) for amount in amounts] == [Decimal("0.035")] * 3
    assert parse_stake("0,10") == parse_stake(" 0.10 ") == TENTH
