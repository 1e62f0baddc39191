"""Moments at which expressions are read, and the kinds of their values.

The rulesets here extend a small trick-taking game with spades as trumps: four players with four
cards each of a short pack, partners opposite.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.engine.loading import check
from scorekeeper.engine.measures import RENAMED
from scorekeeper.engine.ruleset import Ruleset
from tests.helpers import SHIPPED
from tests.test_language import DEAL, HANDS, PLAYERS, faults, match_of, scored


@pytest.fixture(autouse=True)
def _shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))


def allowed(tmp_path: Path, base: str, text: str) -> dict[str, tuple[str, str]]:
    """Return for each key with a fault what is wrong, and what is allowed."""
    path = tmp_path / "mine.toml"
    path.write_text(f'extends = "{base}"\nname = "mine"\ntitle = "Mine"\n{text}', encoding="utf-8")
    return {fault.key: (fault.message, fault.allowed) for fault in check(str(path))[2]}


def remark(when: str) -> str:
    return (
        f'[clauses.odd]\nword = "remark"\non = "play"\nwhen = "{when}"\nsay = "odd"\ncite = "2.1"\n'
    )


# --- truths and numbers


@pytest.mark.parametrize(
    ("base", "when", "says", "write"),
    [
        (
            "belote",
            "announced.belote == 2",
            "a truth compared with a number: announced.belote == 2",
            "announced.belote alone, or not announced.belote",
        ),
        (
            "skat",
            "kitty.taken > 1 or opponents.tricks > 0",
            "a truth compared with a number: kitty.taken > 1",
            "kitty.taken alone, or not kitty.taken",
        ),
        (
            "skat",
            "kitty.taken or opponents.tricks",
            "a number where a condition is wanted: opponents.tricks",
            "a comparison, such as opponents.tricks > 0",
        ),
        ("whist", "not own.tricks", "a number where a condition", "such as own.tricks > 0"),
        ("whist", "any(each.tricks)", "a number where a condition", "such as each.tricks > 0"),
        ("whist", "true if own.tricks else false", "a number where a", "such as own.tricks > 0"),
        ("whist", "rounds", "a number where a condition is wanted", "such as rounds > 0"),
        ("whist", "0 < trick.last < 2", "a truth compared with a number", "trick.last alone"),
    ],
)
def test_a_number_is_no_condition_and_a_truth_is_no_number(
    tmp_path: Path, base: str, when: str, says: str, write: str
) -> None:
    message, way = allowed(tmp_path, base, remark(when))["clauses.odd.when"]
    assert says in message
    assert write in way


@pytest.mark.parametrize(
    ("points", "each"),
    [
        ("own.dealer + own.dealer + 1", [1, 1, 1, 3]),
        ("(own.tricks > 0) + (own.tricks > 2)", [2, 1, 0, 0]),
        ("own.tricks if own.tricks > 0 else own.dealer", [3, 1, 0, 1]),
        ("total(each.tricks > 0)", [2, 2, 2, 2]),
        ("1 if (own.tricks > 0) == own.dealer else 0", [0, 0, 1, 0]),
    ],
)
def test_a_truth_counts_as_one_in_sums(tmp_path: Path, points: str, each: list[int]) -> None:
    scores = scored(tmp_path, points)
    one, two = each[0] + each[2], each[1] + each[3]
    assert scores == {"Ana": one, "Ben": two, "Cleo": one, "Dan": two}


def test_a_match_pinned_before_the_kinds_were_held_apart_is_scored_as_it_was(
    tmp_path: Path,
) -> None:
    data = match_of(tmp_path, "[scores.odd-tricks]\npoints = 1\n").ruleset.data
    row = {"for": "each", "points": "2", "when": "own.tricks and trick.last == 0", "cite": "3.1"}
    row["when"] = "own.tricks and own.dealer == 0"
    match = Match(Ruleset({**data, "scores": {"odd": row}}), PLAYERS)
    for entry in (*HANDS, *DEAL):
        match.record(entry)
    assert match.rounds[-1].scores == dict.fromkeys(PLAYERS, 2)


# --- [let] is a value


def test_a_mismatch_is_named_by_the_line_of_let_that_has_it(tmp_path: Path) -> None:
    text = '[let]\nodd = "kitty.size & trumps"\neven = "odd"\n' + remark("count(even) > 0")
    found = allowed(tmp_path, "skat", text)
    assert list(found) == ["let.odd"]
    assert "let.odd has a number joined by &: kitty.size" in found["let.odd"][0]
    text = '[let]\nodd = "own.tricks"\n' + remark("odd and trick.last")
    message, way = allowed(tmp_path, "skat", text)["clauses.odd.when"]
    assert "a number where a condition is wanted: odd of [let]" in message
    assert way == "a comparison, such as odd > 0"


def doubled(first: str, times: int) -> str:
    """Return lines of [let], each of which names the line before twice."""
    lines = [f'x0 = "{first}"']
    lines += [f'x{n} = "x{n - 1} + x{n - 1}"' for n in range(1, times)]
    return "\n".join(lines)


def test_a_name_of_let_is_computed_once_however_often_it_is_named(tmp_path: Path) -> None:
    let = doubled("own.tricks", 30)
    assert scored(tmp_path, f"x29 // {1 << 29}", let=let)["Ana"] == 3
    let = doubled("each.tricks", 30)
    assert scored(tmp_path, f"most(x29) // {1 << 29}", let=let, to="sides")["Ana"] == 3


def test_a_name_of_let_counts_as_one_part(tmp_path: Path) -> None:
    long = f'long = "max({", ".join(["own.tricks"] * 40)})"'
    points = f"max({', '.join(['long'] * 60)})"
    assert scored(tmp_path, points, let=long, to="sides")["Ana"] == 3


def test_names_of_let_have_a_limit_that_says_what_helps(tmp_path: Path) -> None:
    let = doubled("own.tricks", 50)
    text = f'[let]\n{let}\n[scores.odd-tricks]\nfor = "each"\npoints = "x49"\n'
    assert "names of [let] more than 40 deep" in faults(tmp_path, text)
    many = [f'y{n} = "max({", ".join(["own.tricks"] * 40)})"' for n in range(50)]
    points = f"max({', '.join(f'y{n}' for n in range(50))})"
    text = "[let]\n" + "\n".join(many)
    text += f'\n[scores.odd-tricks]\nfor = "each"\npoints = "{points}"\n'
    assert "more than 2000 parts, with the names of [let]" in faults(tmp_path, text)


def test_a_question_about_a_hand_may_name_a_line_of_let_twice(tmp_path: Path) -> None:
    text = """
[let]
low = "hand & lower"
short = "count(low) < 2 and count(hand) > 0"
lower = ["Q*", "J*"]
[clauses.odd]
word = "require"
phase = "tricks"
on = "play"
must = "short or count(laid & lower) > 0 or not short"
say = "odd"
cite = "2.1"
"""
    match = match_of(tmp_path, text)
    assert match.record("KC").verdict == "legal"  # it holds whatever the hand is


# --- moments


def test_special_points_are_not_known_before_the_round_is_over(tmp_path: Path) -> None:
    text = """
[specials.more]
for = "each"
when = "own.tricks > 1"
[specials.last]
when = "trick.last"
[scores.odd-tricks]
for = "each"
points = "own.more + own.last"
[clauses.odd]
word = "require"
phase = "tricks"
on = "play"
must = "own.{} == 0"
say = "odd"
cite = "2.1"
"""
    for special in ("more", "last"):
        match = match_of(tmp_path, text.replace("{}", special))
        assert match.record("AC").verdict == "open"
    match = match_of(tmp_path, text.replace("own.{} == 0", "true"), *HANDS, *DEAL)
    assert match.rounds[-1].scores == {"Ana": 1, "Ben": 1, "Cleo": 1, "Dan": 1}


# --- one name, one kind


def test_a_name_after_the_dot_has_one_kind_everywhere() -> None:
    kinds = defaultdict[str, dict[str, str]](dict)
    for name in SHIPPED:
        rules = load_ruleset(name)
        tables = [table for table in rules.data.values() if isinstance(table, dict)]
        own = {row for table in (*tables, rules.data["phases"].get("choice", {})) for row in table}
        own |= {option for options in rules.data["phases"].values() for option in options}
        for measure in rules.measures.values():
            what = measure.name.rpartition(".")[2]
            if measure.name.startswith("mode.") or what in own or what.endswith(")"):
                continue
            if "." in measure.name:
                kinds[what][measure.kind] = f"{name}: {measure.name}"
    assert {what: found for what, found in kinds.items() if len(found) > 1} == {}
    assert len(kinds) > 40


@pytest.mark.parametrize(
    ("name", "now"),
    [
        ("own.taken", "own.pile"),
        ("winners.taken", "winners.pile"),
        ("own.leads", "own.openers"),
        ("leads", "openers"),
        ("trick.laid", "trick.players"),
        ("kitty.cards", "kitty.size"),
        ("limit", "attacks.limit"),
    ],
)
def test_a_name_that_was_changed_is_told_with_the_present_one(
    tmp_path: Path, name: str, now: str
) -> None:
    message, _ = allowed(tmp_path, "whist", remark(f"count({name}) > 0"))["clauses.odd.when"]
    assert f"“{name}” is called “{now}”" in message
    assert len(RENAMED) == 7


def test_a_match_pinned_with_a_former_name_is_scored_as_it_was(tmp_path: Path) -> None:
    data = match_of(tmp_path, "[scores.odd-tricks]\npoints = 1\n").ruleset.data
    row = {"for": "each", "points": "count(own.taken) + count(each_lead)", "cite": "3.1"}
    rules = Ruleset({**data, "let": {"each_lead": "own.leads"}, "scores": {"odd": row}})
    match = Match(rules, PLAYERS)
    for entry in (*HANDS, *DEAL):
        match.record(entry)
    assert match.rounds[-1].scores == {"Ana": 16, "Ben": 4, "Cleo": 16, "Dan": 4}


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("attacks.open > 1", "“attacks.open” is a measure of the phase bouts"),
        ("wild", "“wild” is a measure of the phase bids"),
        ("deals > 1", "“deals” is a measure of the phase bouts or auction (turns = “wishes”)"),
    ],
)
def test_a_name_of_a_phase_that_is_not_there_is_told_with_its_phase(
    tmp_path: Path, name: str, phase: str
) -> None:
    message, _ = allowed(tmp_path, "whist", remark(name))["clauses.odd.when"]
    assert f"{phase}, which this ruleset does not have" in message


@pytest.mark.parametrize(
    ("base", "text", "key"),
    [
        ("durak", "[counters]\ndeals = { adds = 1 }\n", "counters.deals"),
        ("belote", '[specials]\nlaid = "trick.last"\n', "specials.laid"),
        ("belote", '[specials]\npoints = "trick.last"\n', "specials.points"),
    ],
)
def test_a_row_whose_name_is_a_measure_is_refused(
    tmp_path: Path, base: str, text: str, key: str
) -> None:
    assert "has two meanings here" in allowed(tmp_path, base, text)[key][0]


# --- words


@pytest.mark.parametrize(
    ("base", "word", "says"),
    [
        ("whist", "A", "“A” alone is no card"),
        ("whist", "S", "“S” alone is no card"),
        ("whist", "spades", "“spades” alone is no card"),
        ("skat", "5C", "“5C” is not in the pack"),
        ("whist", "7", "the number 7 is not bid in this game"),
    ],
)
def test_a_word_without_effect_is_refused(tmp_path: Path, base: str, word: str, says: str) -> None:
    found = allowed(tmp_path, base, f'[words]\n{word} = "trick"\n')
    assert says in found[f"words.{word}"][0]


def test_a_card_and_a_number_have_the_name_that_words_gives_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = '[words]\n3 = "hat"\nAS = "spadille"\n'
    path.write_text(f'extends = "auction-each"\nname = "mine"\ntitle = "Mine"\n{text}', "utf-8")
    match = Match(load_ruleset(str(path)), PLAYERS)
    assert "Ana: bid hat" in match.legal
    for said in ("hat", "0", "bid 3", "1", "spadille"):
        match.record(said)
    entries = match.current_round.log.entries
    assert entries[0].value == entries[2].value
    assert entries[-1].text == "Ana: AS"
