"""The language of rules: valid expressions, and their effect at the table.

The rulesets here extend a small trick-taking game with spades as trumps: four players with four
cards each of a short pack, partners opposite.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorekeeper import Failure, Match, load_ruleset, verify_record
from scorekeeper.core.expressions import HAND, KINDS, Scope, compile_expression
from scorekeeper.core.hands import AnyOf, Claim, Question
from scorekeeper.engine.loading import check

PLAYERS = ["Ana", "Ben", "Cleo", "Dan"]
HANDS = [
    "hand Ana: AS AC KC QH",
    "hand Ben: KS JC AH KH",
    "hand Cleo: QS QC JH AD",
    "hand Dan: JS KD QD JD",
]
# Three tricks for Ana, the last for Ben.
FIRST = ("AC", "JC", "QC", "KD")
DEAL = (*FIRST, "AS", "KS", "QS", "JS", "KC", "KH", "JH", "QD", "QH", "AH", "AD", "JD")
SMALL = """
extends = "fixed-trump"
name = "small"
title = "Small"
rules = "fixed-trump"
[pack]
ranks = "A K Q J"
jokers = ["XX"]
[deal]
cards = 4
"""


@pytest.fixture(autouse=True)
def _shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))


def small(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL + text, encoding="utf-8")
    return path


def match_of(tmp_path: Path, text: str, *entries: str) -> Match:
    match = Match(load_ruleset(str(small(tmp_path, text))), PLAYERS)
    for entry in entries:
        match.record(entry)
    return match


def faults(tmp_path: Path, text: str) -> str:
    return "\n".join(fault.message for fault in check(str(small(tmp_path, text)))[2])


def scored(tmp_path: Path, points: str, *, let: str = "", to: str = "each") -> dict[str, int]:
    """Return the scores by player under one score row in that deal."""
    text = f'[let]\n{let}\n[scores.odd-tricks]\nfor = "{to}"\npoints = "{points}"\n'
    match = match_of(tmp_path, text, *HANDS, *DEAL)
    scores = match.rounds[-1].scores
    assert scores is not None
    return scores


# --- sets of cards


@pytest.mark.parametrize(
    ("points", "let", "each"),
    [
        ("own.tricks", "", [3, 1, 0, 0]),
        ("count(own.pile & reds)", 'reds = ["*H", "*D"]', [4, 4, 0, 0]),
        ("count(own.pile & ~reds)", 'reds = ["*H", "*D"]', [8, 0, 0, 0]),
        ("count(own.laid & (aces | trumps))", 'aces = ["A*"]', [2, 2, 2, 1]),
        ("count(own.laid & suits(aces & trumps))", 'aces = ["A*"]', [1, 1, 1, 1]),
        ("count(own.pile & ranks(jack))", 'jack = ["JS"]', [3, 1, 0, 0]),
        ("count(own.laid | own.pile)", "", [13, 7, 4, 4]),
        ("matadors(own.laid)", "", [1, 1, 2, 3]),
        ("count(dealt & trumps) + count(openers & trumps)", "", [2, 2, 2, 2]),
        ("own.tricks if best else -1", 'best = "own.tricks == most(each.tricks)"', [3, -1, -1, -1]),
        ("total(each.tricks) - least(each.tricks)", "", [4, 4, 4, 4]),
        ("any(each.tricks == 3) + all(each.tricks < 3)", "", [1, 1, 1, 1]),
    ],
)
def test_what_a_player_may_be_asked(tmp_path: Path, points: str, let: str, each: list[int]) -> None:
    # Partners share a tally here, so each side's tally is the sum of its players' points.
    one, two = each[0] + each[2], each[1] + each[3]
    scores = scored(tmp_path, points, let=let)
    assert scores == {"Ana": one, "Ben": two, "Cleo": one, "Dan": two}


def test_a_row_for_sides_changes_a_tally_that_they_share_once(tmp_path: Path) -> None:
    scores = scored(tmp_path, "own.tricks", to="sides")
    assert scores == {"Ana": 3, "Ben": 1, "Cleo": 3, "Dan": 1}


def test_of_equals_all_are_tied(tmp_path: Path) -> None:
    text = """
[scores.even]
for = "tied"
points = 7
cite = "3.1"
"""
    match = match_of(tmp_path, text, *HANDS)
    for card in ("KC", "JC", "QC", "JS", "JD", "AS", "KS", "AD"):
        match.record(card)
    for card in ("QH", "KH", "JH", "KD", "AH", "QS", "QD", "AC"):
        match.record(card)
    assert match.rounds[-1].scores == dict.fromkeys(PLAYERS, 7)


# --- faulty expressions


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ("own.pile", "a heap of cards"),
        ("count(own.pile & 3)", "a number joined by &"),
        ("count(own.pile & own.laid)", "& without kinds of card"),
        ("count(~own.pile)", "~ before something other than kinds of card"),
        ("own.pile + 1", "a set of cards where a number is wanted"),
        ("worth(trumps)", "worth of kinds of card"),
        ("each.tricks", "each.tricks outside any"),
        ("any(any(each.tricks))", "any that names nothing to run through"),
        ("trick.points", "is about a trick"),
        ("hand.size", "unknown measure"),
        ("loop", "refers to itself"),
    ],
)
def test_what_an_expression_may_not_say_is_told(tmp_path: Path, points: str, says: str) -> None:
    text = f'[let]\nloop = "1 + loop"\n[scores.odd-tricks]\nfor = "each"\npoints = "{points}"\n'
    assert says in faults(tmp_path, text)


@pytest.mark.parametrize(
    ("let", "says"),
    [
        ('rounds = "1"', "let.rounds is a measure already"),
        ('count = "1"', "let.count is not a valid name for expressions"),
        ('"a b" = "1"', "is not a valid name for expressions"),
        ('gone = ["*Z"]', "names no card of the pack"),
        ("odd = 1.5", "must be an expression, or a list of card patterns"),
    ],
)
def test_a_name_that_is_none_is_told(tmp_path: Path, let: str, says: str) -> None:
    assert says in faults(tmp_path, f"[let]\n{let}\n")


def test_a_name_in_braces_that_is_none_is_told_with_all_that_are(tmp_path: Path) -> None:
    order = '[orders]\nspades = ["*{gone}"]\n'
    king = '[calls.king]\ncards = "KH"\ncite = "2.1"\n'
    for rows, bound in (("", ""), (king, "king, ")):
        found = check(str(small(tmp_path, order + rows)))[2]
        (fault,) = [each for each in found if each.found == "*{gone}"]
        assert fault.message == "orders.spades.trumps: “*{gone}”: no phase or call binds “gone”"
        assert fault.allowed == f"{bound}the name of a row of [calls] whose cards are the same"


def test_a_table_whose_rows_are_all_dropped_is_told_how_to_go(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    head = 'extends = "holdings"\nname = "none"\ntitle = "None"\n'
    score = "[scores]\nheld.points = 1\nheld-by-losers = false\n"
    rows = load_ruleset("holdings").data["holdings"]
    none = "".join(f"calls.{name} = false\n" for name in rows)
    path.write_text(head + none + score, "utf-8")
    (fault,) = check(str(path))[2]
    assert fault.message.startswith("the table [calls] has no rows")
    assert fault.allowed == "a row, or calls = false to drop the table"
    path.write_text(f"{head}calls = false\n{score}", "utf-8")
    assert check(str(path))[2] == []


# --- questions about a hand

LEAD = """
[let]
reds = ["*H", "*D"]
[clauses.black-first]
word = "require"
phase = "tricks"
on = ["play"]
must = "not trick.leads or count(laid & reds) == 0 or count(hand & ~reds) == 0"
say = "{who} must lead black while they can"
cite = "2.1"
"""


def test_a_condition_about_a_hand_is_ruled_where_the_hand_is_known(tmp_path: Path) -> None:
    match = match_of(tmp_path, LEAD, *HANDS)
    assert match.judge("Ana: QH").verdict == "illegal"
    assert match.judge("Ana: AC").verdict == "legal"


def test_a_condition_about_an_unseen_hand_is_open_until_a_card_proves_it(tmp_path: Path) -> None:
    match = match_of(tmp_path, LEAD, "Ana: QH")
    assert match.judge("Ben: KH").verdict == "legal"
    for card in ("KH", "JH", "KD", "AH"):
        match.record(card)
    proven = match.record("AD")
    assert "Ana must lead black while they can (1, Ana: QH)" in proven.text


# --- values, and the end of a round


def test_card_points_belong_to_the_order(tmp_path: Path) -> None:
    text = """
[orders.spades]
points = { JS = 20, J = 2, A = 11 }
[scores.odd-tricks]
for = "each"
points = "own.points"
"""
    match = match_of(tmp_path, text, *HANDS)
    for card in DEAL:
        match.record(card)
    assert match.rounds[-1].scores == {"Ana": 46, "Ben": 24, "Cleo": 46, "Dan": 24}


@pytest.mark.parametrize(
    ("points", "each"),
    [
        ('{ "*C" = 1, K = 4, A = 11 }', [27, 22, 27, 22]),
        ('{ K = 4, "*C" = 1, A = 11 }', [30, 22, 30, 22]),
        ('{ "*C" = 1, "*" = 2 }', [20, 8, 20, 8]),
    ],
)
def test_of_card_points_the_first_row_holds_that_fits(
    tmp_path: Path, points: str, each: list[int]
) -> None:
    text = f"[orders.spades]\npoints = {points}\n"
    text += '[scores.odd-tricks]\nfor = "each"\npoints = "own.points"\n'
    match = match_of(tmp_path, text, *HANDS, *DEAL)
    assert match.rounds[-1].scores == dict(zip(PLAYERS, each, strict=True))
    assert load_ruleset(str(small(tmp_path, text))).sha256 == match.ruleset.sha256


def test_new_rows_of_card_points_stand_above_those_of_what_is_extended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in (Path(__file__).parent / "rulesets").glob("fixed-trump.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    base = '[orders.spades]\npoints = { "*C" = 1, K = 4 }\n'
    base += '[scores.odd-tricks]\nfor = "each"\npoints = "own.points"\n'
    (tmp_path / "base.toml").write_text(SMALL.replace('"small"', '"base"') + base, "utf-8")
    more = 'extends = "base"\nname = "more"\n'
    more += "[orders.spades.points]\nKC = 9\nK = 5\n"
    (tmp_path / "more.toml").write_text(more, "utf-8")
    more_still = {"orders": {"spades": {"points": {"AH": 3}}}}
    for options, points in (({}, [27, 0, 27, 0]), (more_still, [27, 3, 27, 3])):
        match = Match(load_ruleset("more", **options), PLAYERS)
        for entry in (*HANDS, *DEAL):
            match.record(entry)
        assert match.rounds[-1].scores == dict(zip(PLAYERS, points, strict=True))


def test_a_row_of_card_points_that_none_reaches_is_a_mistake(tmp_path: Path) -> None:
    text = "[orders.spades]\npoints = { K = 4, KC = 9, J = 2 }\n"
    found = {fault.key: fault for fault in check(str(small(tmp_path, text)))[2]}
    assert list(found) == ["orders.spades.points.KC"]
    assert "the row “K” above it matches all of its cards" in str(found["orders.spades.points.KC"])
    path = tmp_path / "mine.toml"
    text = '[orders.trump.points]\n"*{trump}" = 1\nK = 4\n"Q{trump}" = 5\n'
    path.write_text(f'extends = "belote"\nname = "mine"\ntitle = "Mine"\n{text}', "utf-8")
    assert [fault.key for fault in check(str(path))[2]] == []
    path.write_text(path.read_text("utf-8").replace('"*{trump}"', '"Q*"'), "utf-8")
    assert [fault.key for fault in check(str(path))[2]] == ['orders.trump.points."Q{trump}"']


def test_a_round_ends_when_its_condition_holds(tmp_path: Path) -> None:
    text = '[phases.tricks]\nends = "any(each.tricks == 2)"\n'
    match = match_of(tmp_path, text, *HANDS)
    for card in DEAL[:8]:
        match.record(card)
    assert match.rounds[-1].scores is not None


def test_who_says_that_they_have_enough_ends_play(tmp_path: Path) -> None:
    text = """
[phases.tricks]
claims = true
[scores.right]
for = "claimer"
points = "5 if claimer.tricks >= 1 else -5"
cite = "3.1"
[scores]
odd-tricks = false
"""
    match = match_of(tmp_path, text, *HANDS, *FIRST)
    assert "Ana: enough" in match.legal
    assert "Ben: enough" not in match.legal
    match.record("Ana: enough")
    assert match.rounds[-1].scores == {"Ana": 5, "Ben": 0, "Cleo": 5, "Dan": 0}


SPECIALS = """
[let]
jacks = ["J*"]
[specials.caught]
count = "count(trick.theirs & jacks)"
[specials.last]
when = "trick.last"
[specials.nothing]
for = "each"
when = "own.tricks == 0"
[scores.odd-tricks]
for = "each"
points = "100 * own.caught + 10 * own.last + own.nothing"
"""


def test_specials_are_conditions_over_tricks_and_players(tmp_path: Path) -> None:
    match = match_of(tmp_path, SPECIALS, *HANDS)
    for card in DEAL:
        match.record(card)
    # Ana catches JC and JS, Ben takes the last trick; Cleo and Dan have none.
    scores = match.rounds[-1].scores
    assert scores == {"Ana": 201, "Ben": 11, "Cleo": 201, "Dan": 11}


@pytest.mark.parametrize(
    ("when", "scores"),
    [
        ("trick.number == 1 and own.tricks > 1", [0, 0, 0, 0]),
        ("trick.number == 1 and own.tricks == 1", [1, 0, 1, 0]),
        ("trick.number == 2 and own.points == 44", [1, 0, 1, 0]),
        ("trick.number == 3 and count(played) == 12 and count(own.laid) == 3", [1, 0, 1, 0]),
        ("count(own.pile) == 4", [1, 1, 1, 1]),
        ("count(openers) == trick.number", [3, 1, 3, 1]),
        ("trick.number == 1 and count(hand) == 3 and count(hand & hearts) == 1", [1, 0, 1, 0]),
        ("count(dealt & hearts) == 1", [3, 0, 3, 0]),
        ("trick.number == 3 and own.special == 0 and own.other == 2", [1, 0, 1, 0]),
        ("trick.number == 3 and own.after == 0", [1, 0, 1, 0]),
    ],
)
@pytest.mark.parametrize("hands", [HANDS, []])
def test_a_special_of_a_trick_is_read_when_the_trick_has_become_complete(
    tmp_path: Path, when: str, scores: list[int], hands: list[str]
) -> None:
    """Read it when the trick is already counted for its winner, and before any later event."""
    text = """
[let]
hearts = ["*H"]
[specials.other]
when = "trick.number < 3"
[specials.special]
when = "WHEN"
[specials.after]
when = "trick.number == 3"
[orders.spades]
points = { A = 11, K = 11 }
[scores.odd-tricks]
for = "each"
points = "own.special"
"""
    match = match_of(tmp_path, text.replace("WHEN", when), *hands, *DEAL)
    assert match.rounds[-1].scores == dict(zip(PLAYERS, scores, strict=True))


def test_a_special_of_a_trick_is_read_anew_after_an_undo(tmp_path: Path) -> None:
    text = '[specials.third]\nwhen = "trick.number == 3 and own.tricks == 3"\n'
    text += '[scores.odd-tricks]\nfor = "each"\npoints = "own.third"\n'
    match = match_of(tmp_path, text, *HANDS, *DEAL[:12])
    match.undo()
    for entry in DEAL[11:]:
        match.record(entry)
    assert match.rounds[-1].scores == {"Ana": 1, "Ben": 0, "Cleo": 1, "Dan": 0}


@pytest.mark.parametrize("seed", range(3))
def test_a_special_of_a_trick_is_the_sides_that_are_known_at_the_end(seed: int) -> None:
    early = {"when": "trick.number <= 2 and own.tricks == 1", "most": 2}
    match = Match(load_ruleset("doppelkopf", specials={"early": early}), PLAYERS)
    match.record("all: gesund")
    random, cards = Random(seed), set(match.ruleset.pack.index)
    while not match.live_round.over:
        laid = [entry for entry in match.legal if entry.split(": ")[-1] in cards]
        match.record(random.choice(laid))
    parties = match.live_round.sides
    assert parties is not None
    first, second = (parties.side_of(trick.winner) for trick in match.live_round.tricks[:2])
    state: Any = match.live_round.states["counting"]
    where = [
        (each.trick.number, each.own.side)
        for each in state.special_points
        if each.special == "early"
    ]
    assert where == [(1, first), (2, second)][: 1 + (first != second)]


def test_whether_the_stock_is_closed_is_read_when_the_trick_is_complete() -> None:
    special = {"early": {"when": "not stock.closed"}}
    scores = {"won": {"for": "each", "points": "own.early"}}
    match = Match(load_ruleset("stock", specials=special, scores=scores), ["Ana", "Ben"])
    match.record("trump H")
    random, cards = Random(1), set(match.ruleset.pack.index)
    while not match.live_round.over:
        close = [each for each in match.legal if each.endswith(": close")]
        if len(match.live_round.tricks) == 2 and close:
            match.record(close[0])
        laid = [entry for entry in match.legal if entry.split(": ")[-1] in cards]
        match.record(random.choice(laid))
    changes = match.rounds[-1].scores or {}
    assert sum(changes.values()) == 2


# --- from round to round

COUNTERS = """
[counters.double]
adds = "2 if any(each.tricks == 3) else 0"
uses = "1 if double > 0 else 0"
[counters.bags]
for = "sides"
adds = "own.tricks"
uses = "5 if own.bags + own.bags.added >= 5 else 0"
[scores.odd-tricks]
for = "sides"
points = "own.tricks"
[scores.twice]
for = "sides"
factor = 2
when = "double > 0"
cite = "3.1"
[match]
ends = "rounds >= 9"
"""


def play_deal(match: Match) -> None:
    """Record the deal of HANDS above, with Ana to lead."""
    match.record("lead Ana")
    for entry in (*HANDS, *DEAL):
        match.record(entry)


def test_counters_are_read_as_they_stood_at_the_start_and_void_deals_change_none(
    tmp_path: Path,
) -> None:
    match = match_of(tmp_path, COUNTERS)
    seen = []
    for _ in range(4):
        play_deal(match)
        found = match.state["bindings"]["counters"]
        seen.append((match.rounds[-1].scores, found["double"], found["bags"]["Ana"]))
        match.record("note a deal is over")
        if len(seen) == 2:
            match.record("void thrown in")
    once = {"Ana": 3, "Ben": 1, "Cleo": 3, "Dan": 1}
    twice = {name: 2 * points for name, points in once.items()}
    assert seen == [(once, 2, 3), (twice, 3, 1), (twice, 4, 4), (twice, 5, 2)]


@pytest.mark.parametrize(
    "ends",
    ["done >= 2", "done + done.added == 3", "any(each.bags >= 6)", "tally.most >= 6"],
)
def test_a_match_ends_by_what_the_round_has_left(tmp_path: Path, ends: str) -> None:
    """Counters are read after the finished round, as the tallies are."""
    text = f"""
[counters.done]
adds = "1 if done < 2 else 100"
[counters.bags]
for = "sides"
adds = "own.tricks"
[scores.odd-tricks]
for = "sides"
points = "own.tricks"
[match]
ends = "{ends}"
"""
    match = match_of(tmp_path, text)
    play_deal(match)
    assert not match.over
    play_deal(match)
    assert match.over


def test_a_round_that_is_void_has_added_nothing(tmp_path: Path) -> None:
    text = """
[counters.done]
adds = 1
[scores.odd-tricks]
for = "sides"
points = "own.tricks"
[match]
ends = "done.added == 1"
"""
    match = match_of(tmp_path, text)
    match.record("void thrown in")
    assert not match.over
    play_deal(match)
    assert match.over


def test_an_undone_round_gives_its_counters_back(tmp_path: Path) -> None:
    match = match_of(tmp_path, COUNTERS)
    play_deal(match)
    match.undo()
    assert match.state["bindings"]["counters"]["double"] == 0
    match.record("JD")
    assert match.state["bindings"]["counters"]["double"] == 2


def test_a_counter_without_a_number_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Failure):
        match_of(tmp_path, '[counters.odd]\nadds = "none.such"\n')


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[counters.a]\nadds = "a.added + 1"\n', "“a.added” is itself what this round adds"),
        ('[counters.a]\nadds = 1\n[counters.b]\nadds = "2 * a.added"\n', "counters.b.adds: “a.add"),
        ('[let]\nhalf = "1 / 2"\n[counters.a]\nadds = "half"\n', "may be a fraction"),
        (
            '[let]\nhalf = "rounds / 2"\n[scores.x]\nfor = "each"\npoints = "half"\ncite = "3.1"\n',
            "fraction",
        ),
    ],
)
def test_what_a_round_adds_is_whole_and_hangs_on_nothing_that_it_adds(
    tmp_path: Path, text: str, says: str
) -> None:
    assert says in faults(tmp_path, text)


def test_a_counter_without_a_value_stays_as_it_was(tmp_path: Path) -> None:
    text = '[counters.odd]\nstart = 4\nadds = "1 // (rounds - 1)"\n'
    match = match_of(tmp_path, text, *HANDS, *DEAL[:-1])
    ruling = match.record(DEAL[-1])
    assert "so the counters stay as they were" in ruling.text
    assert match.rounds[-1].scores is not None
    assert match.state["bindings"]["counters"] == {"odd": 4}


def test_a_round_without_a_score_changes_no_counter(tmp_path: Path) -> None:
    text = '[counters.odd]\nadds = 1\n[scores.odd-tricks]\npoints = "1 // (rounds - 1)"\n'
    match = match_of(tmp_path, text, *HANDS, *DEAL)
    assert match.rounds[-1].scores is None
    assert match.state["bindings"]["counters"] == {"odd": 0}


def test_a_score_speaks_of_the_tally_as_it_stood_before_however_often_it_is_asked_for(
    tmp_path: Path,
) -> None:
    text = '[scores.odd-tricks]\nfor = "sides"\npoints = "own.tally + 1"\n'
    match = match_of(tmp_path, text, "standing Ana: 2", *HANDS, *DEAL)
    scores, tally = match.rounds[-1].scores, match.scores
    assert (scores, tally["Ana"]) == ({"Ana": 3, "Ben": 1, "Cleo": 3, "Dan": 1}, 5)
    match.undo()
    match.record("JD")
    assert (match.rounds[-1].scores, match.scores) == (scores, tally)


def test_what_a_side_has_each_of_its_players_has(tmp_path: Path) -> None:
    text = '[specials.rich]\nfor = "sides"\nwhen = "own.tricks >= 3"\n[sides]\nshared = false\n'
    text += '[scores.odd-tricks]\nfor = "each"\npoints = "own.rich"\n'
    match = match_of(tmp_path, text, *HANDS, *DEAL)
    assert match.rounds[-1].scores == {"Ana": 1, "Ben": 0, "Cleo": 1, "Dan": 0}


def test_a_player_may_have_the_name_of_a_role(tmp_path: Path) -> None:
    text = '[sides]\nshared = false\n[scores.odd-tricks]\nfor = "each"\npoints = "own.tricks"\n'
    text += '[scores.even]\nfor = "tied"\npoints = 7\ncite = "3.1"\n'
    match = Match(load_ruleset(str(small(tmp_path, text))), ["tied", *PLAYERS[1:]])
    for entry in (*HANDS, "KC", "JC", "QC", "JS", "JD", "AS", "KS", "AD"):
        match.record(entry.replace("Ana", "tied"))
    while match.rounds[-1].scores is None:
        match.record(match.legal()[0])
    assert match.rounds[-1].scores == {"tied": 8, "Ben": 8, "Cleo": 8, "Dan": 8}


@pytest.mark.parametrize(
    ("sign", "number", "kept"),
    [
        (">=", "3 / 2", {2, 3}),
        (">", "3 / 2", {2, 3}),
        ("<", "3 / 2", {0, 1}),
        ("<=", "3 / 2", {0, 1}),
        ("==", "3 / 2", set()),
        ("!=", "3 / 2", {0, 1, 2, 3}),
        ("==", "2", {2}),
    ],
)
def test_how_many_cards_a_hand_has_may_be_compared_with_a_fraction(
    sign: str, number: str, kept: set[int]
) -> None:
    scope = Scope({"hand": HAND, "queens": KINDS}.get, list, {})
    condition = compile_expression(
        f"count(hand & queens) {sign} {number}", scope, may_ask_hand=True
    )
    for count in range(4):
        asked = condition.evaluate_claim(
            {"queens": 7, "hand()": lambda cards: (0, cards, 0)}.__getitem__
        )
        found = asked if isinstance(asked, bool) else answered(asked, count)
        assert found is (count in kept), count


def answered(asked: Question, count: int) -> bool:
    """Return the answer to a question if the hand has that many of the cards."""
    if isinstance(asked, Claim):
        return asked.least <= count <= asked.most
    how = any if isinstance(asked, AnyOf) else all
    return how(answered(each, count) for each in asked.claims)


def test_what_was_laid_before_the_recording_began_is_not_guessed() -> None:
    match = Match(load_ruleset("hearts"), PLAYERS)
    match.record("hand Ana: 2H 3S 4S")
    match.record("lead Ana")
    ruling = match.judge("Ana: 2H")  # Ana may have played a heart in the ten tricks before
    assert [(each.code, each.verdict) for each in ruling.findings] == [("tricks.broken", "open")]


def test_who_opens_is_looked_at_in_a_record_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(tmp_path, '[let]\njack = ["JS"]\n[phases.tricks]\nopens = "jack"\n')
    for name in ("fixed-trump.toml", "fixed-trump.md"):
        shelf = Path(__file__).parent / "rulesets"
        (tmp_path / name).write_text((shelf / name).read_text("utf-8"), "utf-8")
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    entries = "\n".join((*HANDS, "Ana: AC"))
    record = tmp_path / "record.toml"
    head = f'format = 2\nruleset = "small"\nplayers = {PLAYERS}\n'
    record.write_text(f'{head}[[rounds]]\nentries = """\n{entries}\n"""\n', "utf-8")
    assert [each["code"] for each in verify_record(record)["findings"]] == ["turn"]


def test_a_round_does_not_end_by_what_nobody_knows_yet(tmp_path: Path) -> None:
    text = '[phases.tricks]\nends = "winners.tricks >= 2"\n'
    match = match_of(tmp_path, text, *HANDS, *DEAL)
    assert match.rounds[-1].scores == {"Ana": -3, "Ben": 0, "Cleo": -3, "Dan": 0}


def test_a_result_does_not_tell_what_each_player_has_won(tmp_path: Path) -> None:
    path = tmp_path / "each.toml"
    path.write_text(
        """
extends = "doppelkopf"
name = "each"
rules = "doppelkopf"
[tally]
zero_sum = false
parity = false
[scores.mine]
for = "each"
points = "own.points"
cite = "7.1"
""",
        "utf-8",
    )
    match = Match(load_ruleset(str(path)), PLAYERS)
    match.record("result contract=normal points=132 re=Ana+Ben")
    assert match.rounds[-1].scores is None


CIRCLES = {
    "dudo": '[dice]\neach = "5 + dice - dice"\n',
    "holdings": '[calls.couple]\npoints = "own.holdings + own.holdings"\n',
}


@pytest.mark.parametrize("name", CIRCLES)
def test_what_is_made_of_itself_is_told(tmp_path: Path, name: str) -> None:
    path = tmp_path / "circle.toml"
    path.write_text(f'extends = "{name}"\nname = "circle"\n{CIRCLES[name]}', "utf-8")
    told = [fault.message for fault in check(str(path))[2]]
    assert any(
        text.endswith("depends on what is computed here, so it is not available") for text in told
    )


def test_dice_that_depend_on_what_the_round_adds_are_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "circle.toml"
    text = 'extends = "dudo"\nname = "circle"\n[dice]\neach = "5 + k.added"\n'
    path.write_text(f'{text}[counters.k]\nadds = "dice - dice"\n', "utf-8")
    (fault,) = check(str(path))[2]
    assert (fault.key, "not known before the round" in fault.message) == ("dice.each", True)


def test_nobody_opens_with_a_card_that_nobody_was_dealt(tmp_path: Path) -> None:
    text = '[let]\nlow = ["JD"]\n[phases.tricks]\nopens = "low"\n[clauses.opens]\ncite = "2.1"\n'
    rules = load_ruleset(str(small(tmp_path, text)), **{"deal.cards": 3})
    match = Match(rules, PLAYERS)
    ruling = match.record("Ana: KC")
    assert [(each.code, each.verdict) for each in ruling.findings] == [("tricks.opens", "open")]
    for card in ("AC", "JC", "QC", "AD", "KD"):
        match.record(card)
    ruling = match.record(f"{match.to_act[0]}: JD")  # now it shows that a player held it
    assert [each.code for each in ruling.settled] == ["tricks.opens"]
    match = Match(rules, PLAYERS)
    for hand in HANDS:  # the fourth card of each, JD among them, was not dealt
        match.record(hand.rpartition(" ")[0])
    assert match.record("Ana: KC").verdict == "legal"


# --- a card outside the order


def test_a_card_outside_the_order_meets_every_duty_never_wins_and_stays_its_players(
    tmp_path: Path,
) -> None:
    text = """
[orders.spades]
outside = ["XX"]
points = { XX = 4, A = 1 }
[scores.odd-tricks]
for = "each"
points = "own.points"
[clauses.never-led]
word = "require"
phase = "tricks"
on = ["play"]
must = "not trick.leads or count(laid & excuse) == 0 or count(hand & ~excuse) == 0"
cite = "2.1"
[let]
excuse = ["XX"]
"""
    hands = ["hand Ana: AS AC KC XX", *HANDS[1:]]
    match = match_of(tmp_path, text, *hands)
    assert match.judge("Ana: XX").verdict == "illegal"
    for card in ("AC", "JC", "QC", "KD", "KC", "KH", "JH", "QD", "AS", "KS", "QS", "JS"):
        match.record(card)
    for card in ("XX", "AH", "AD", "JD"):
        assert match.record(card).verdict == "legal"
    # Led last, it wins nothing. Ben's ace wins, with its own point and Cleo's.
    assert match.rounds[-1].scores == {"Ana": 6, "Ben": 2, "Cleo": 6, "Dan": 2}


def test_a_card_outside_the_order_need_not_follow(tmp_path: Path) -> None:
    text = '[orders.spades]\noutside = ["XX"]\n'
    hands = ["hand Ana: AS AC KC QH", "hand Ben: KS JC AH XX", *HANDS[2:]]
    match = match_of(tmp_path, text, *hands, "Ana: AC")
    assert match.judge("Ben: XX").verdict == "legal"
    assert match.judge("Ben: AH").verdict == "illegal"
    unseen = match_of(tmp_path, text, "Ana: AC", "Ben: XX", "Cleo: QC", "Dan: KC")
    assert unseen.record("Ana: AS").verdict == "legal"
    assert unseen.record("Ben: JC").verdict == "open"


def test_a_duty_that_is_met_anyway_leaves_nothing_open(tmp_path: Path) -> None:
    text = '[let]\nred = ["*H", "*D"]\n[clauses.red]\nword = "duty"\ncite = "2.1"\ncards = "red"\n'
    text += 'when = "count(dealt & red) > 1"\n'
    match = match_of(tmp_path, text)
    assert match.record("Ana: AH").verdict == "legal"  # legal, whatever the players were dealt
    assert [each.verdict for each in match.record("Ben: AS").findings] == ["open", "open"]


def test_a_result_counts_the_card_points_of_the_order(tmp_path: Path) -> None:
    text = 'extends = "doppelkopf"\n[phases.tricks]\npoints = false\n[orders.normal]\n'
    path = tmp_path / "doppelkopf.toml"
    path.write_text(f"{text}points = {{ A = 11, T = 10, K = 4, Q = 3, J = 2 }}\n", "utf-8")
    assert "points" not in load_ruleset(str(path)).data["phases"]["tricks"]
    match = Match(load_ruleset(str(path)), PLAYERS)
    match.record("result contract=normal points=132 re=Ana+Ben")
    assert match.rounds[-1].scores == {"Ana": 1, "Ben": 1, "Cleo": -1, "Dan": -1}


def test_numbers_that_fall_are_no_bids(tmp_path: Path) -> None:
    path = tmp_path / "falling.toml"
    path.write_text('extends = "auction-each"\n[phases.auction]\nbids = "5..3"\n', "utf-8")
    assert any("5..3 does not count up to 3" in fault.message for fault in check(str(path))[2])


def test_who_rests_lays_nothing_in_a_round_that_begins_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "rests.toml"
    path.write_text('extends = "auction-rounds"\n[options.alone]\nrests = "partner"\n', "utf-8")
    match = Match(load_ruleset(str(path)), PLAYERS)
    for entry in ("turnup 9H", "contract Ana: hearts alone", "hand Ana: AS KS", "lead Ana"):
        match.record(entry)
    for card in ("AS", "9S"):
        match.record(card)
    assert match.to_act == ["Dan"]


@pytest.mark.parametrize(
    ("of", "says"),
    [
        ("odd-tricks", ""),
        ("dbl", "the row “dbl” is not above it"),
        ("later", "the row “later” is not above it"),
        ("whole", "the row “whole” is for “sides”, the factor for “each”"),
    ],
)
def test_a_factor_multiplies_rows_above_it_for_the_same(tmp_path: Path, of: str, says: str) -> None:
    text = '[scores.odd-tricks]\nfor = "each"\npoints = 1\n'
    text += '[scores.whole]\nfor = "sides"\npoints = 1\ncite = "3.1"\n'
    text += f'[scores.dbl]\nfor = "each"\nfactor = 2\nof = ["{of}"]\ncite = "3.1"\n'
    text += '[scores.later]\nfor = "each"\npoints = 1\ncite = "3.1"\n'
    told = faults(tmp_path, text)
    assert says in told if says else not told


CALLED = """
[let]
reds = ["*H", "*D"]
[clauses.black]
word = "require"
say  = "{who} may not call a red card"
cite = "1"
"""


@pytest.mark.parametrize(
    ("parent", "phase", "verb", "before"),
    [
        ("tarot-five", "partner", "call", ["Ana: garde", *["pass"] * 4]),
        ("schafkopf", "auction", "bid", []),
    ],
)
def test_a_called_card_is_the_card_of_the_entry(
    tmp_path: Path, parent: str, phase: str, verb: str, before: list[str]
) -> None:
    path = tmp_path / "mine.toml"
    rule = f'phase = "{phase}"\non = ["{verb}"]\nmust = "count(laid & reds) == 0"\n'
    head = f'extends = "{parent}"\nname = "mine"\ntitle = "Mine"\n'
    path.write_text(head + CALLED + rule, "utf-8")
    match = Match(load_ruleset(str(path)), [*PLAYERS, "Eve"][: len(before) or 4])
    for entry in before:
        match.record(entry)
    ace, contract = ("K", "") if before else ("A", "rufspiel ")
    red, black = (match.judge(f"Ana: {verb} {contract}{ace}{suit}") for suit in "DS")
    code = f"{phase}.black"
    (refusal,) = [each for each in red.findings if each.code == code]
    assert refusal.reason.startswith("Ana may not call a red card")
    assert code not in [each.code for each in black.findings]
    path.write_text(head + CALLED + rule.replace("laid", "called"), "utf-8")
    (fault,) = check(str(path))[2]
    assert fault.message == f"clauses.black.must: no card is called yet when “{verb}” is judged"
    assert fault.allowed == "laid, the card of the entry"


@pytest.mark.parametrize(
    ("to", "of", "is_for"),
    [
        ("each", "won", "winners"),
        ("kontra", "lone", "re"),
        ("kontra", "fox", ""),
        ("losers", "against-the-queens", ""),  # the row's points are also given to the losers
        ("re", "won", ""),
        ("soloist", "fox", ""),
        ("re", "every", "each"),
        ("sides", "won", ""),
    ],
)
def test_a_factor_that_never_meets_a_row_of_other_players_is_told(
    tmp_path: Path, to: str, of: str, is_for: str
) -> None:
    path = tmp_path / "mine.toml"
    head = 'extends = "doppelkopf"\nname = "mine"\ntitle = "Mine"\n[scores]\n'
    every = 'every = { for = "each", points = 1, cite = "8" }\n'
    lone = 'lone = { for = "re", points = 1, cite = "8" }\n'
    twice = f'twice = {{ for = "{to}", factor = 2, of = ["{of}"], cite = "8" }}\n'
    path.write_text(head + every + lone + twice, "utf-8")
    told = [fault.message for fault in check(str(path))[2]]
    why = f"scores.twice.of: the row “{of}” is for “{is_for}”, the factor for “{to}”"
    assert told == ([why] if is_for else [])


def test_whether_nobody_has_won_is_known_where_the_seating_makes_the_sides(tmp_path: Path) -> None:
    assert scored(tmp_path, "10 * nobody + own.tricks", to="sides")["Ana"] == 3
