"""Expressions that are compiled together with the readers of their measures.

Each must have the same value, and raise the same error, as when it is evaluated alone with its
measures looked up by name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Match, Ruleset, load_ruleset
from scorekeeper.core.expressions import (
    KINDS,
    NUMBER,
    BatchedMeasure,
    ConditionalRows,
    Expression,
    ExpressionError,
    FirstTrue,
    NotYetKnown,
    Scope,
    compiler,
)
from tests.helpers import SHIPPED
from tests.random_play import evening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from scorekeeper.core.expressions import Lookup


def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluate every expression alone, with its measures looked up by name."""

    def of(self: Expression, rnd: Table, subject: object = None) -> float:
        return self(rnd.reading(subject))

    monkeypatch.setattr(Expression, "value_in", of)
    monkeypatch.setattr(ConditionalRows, "evaluate", lambda *_: None)
    monkeypatch.setattr(FirstTrue, "evaluate", lambda *_: None)


def told(match: Match, rounds: Iterable[list[str]]) -> list[object]:
    """Return the lines, scores and findings of these rounds."""
    found: list[object] = []
    for texts in rounds:
        played = match.play_round(texts)
        found += [line.as_json() for line in played.lines]
        found += [(number, finding.as_json()) for number, finding in played.findings]
        found += [played.changes, match.standing, match.score_sentences(played)]
    return found


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("known", [True, False])
def test_rounds_come_to_the_same(name: str, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    played = evening(name, 1)
    rounds = [
        [text for text in (each.known if known else each.unseen for each in said) if text]
        for said in played.said
    ]
    together = told(played.fresh(), rounds)
    one_by_one(monkeypatch)
    assert told(played.fresh(), rounds) == together


OWN_WORD = re.compile(
    r"[akrnpv]\d+|lambda|def|nonlocal|return|for|in|if|else|and|or|not|is|None|True|False"
    "|get|each|rnd|own|at|enumerate|subjects|found|append|values|first|value|bit_count"
    "|ceil|floor|abs|min|max|sum|any|all|within|either|both|negated|PLENTY|suit|rank|face"
)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_name_of_a_ruleset_is_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = []
    made = compiler._run_source

    def noted(source: str, known: dict[str, object]) -> None:
        sources.append(source)
        made(source, known)

    monkeypatch.setattr(compiler, "_run_source", noted)
    fresh = Ruleset(load_ruleset(name).data)
    match = Match(fresh, evening(name, 1).fresh().players)
    told(match, [[text for each in said if (text := each.known)] for said in evening(name, 1).said])
    assert sources
    words = set(re.findall(r"[^\W\d]\w*", " ".join(sources)))
    assert [word for word in words if not OWN_WORD.fullmatch(word)] == []


# --- what is wrong

SCORES = """
extends = "doppelkopf"
[tally]
zero_sum = false
[scores.first]
for = "winners"
against = "losers"
points = "{first}"
cite = "6"
[scores.second]
for = "re"
against = "kontra"
points = "{second}"
cite = "7"
[specials.odd]
when = "{special}"
[victory.odd]
side = "re"
when = "{victory}"
cite = "5"
before = "re-level"
"""
GOOD = {"first": "1", "second": "2", "special": "false", "victory": "re.points > 200"}
NOUGHT = "re.points - re.points"


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"first": f"1 // ({NOUGHT})"},
        {"second": f"1 // ({NOUGHT})"},
        {"first": f"1 // ({NOUGHT})", "second": f"2 % ({NOUGHT})"},
        {"first": "999999999 * 999999999", "second": f"1 // ({NOUGHT})"},
        {"special": f"1 // ({NOUGHT}) > 0"},
        {"special": f"trick.last and 1 // ({NOUGHT}) > 0"},
        {"special": f"1 // ({NOUGHT}) > 0 and trick.last"},
        {"special": "own.odd == 0"},
        {"victory": f"1 // ({NOUGHT}) > 0", "special": f"1 % ({NOUGHT}) > 0"},
        {
            "victory": "kontra.points > 60",
            "first": "own.points // 200",
            "second": "3 if kontra.won else 0",
        },
    ],
)
def test_what_is_wrong_is_told_in_the_same_words(
    wrong: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "odd.toml"
    file.write_text('name = "odd"\n' + SCORES.format(**{**GOOD, **wrong}), encoding="utf-8")
    played = evening("doppelkopf", 2)
    rounds = [[text for text in (each.known for each in said) if text] for said in played.said]
    players = played.fresh().players
    together = told(Match(load_ruleset(str(file)), players), rounds)
    one_by_one(monkeypatch)
    assert told(Match(load_ruleset(str(file)), players), rounds) == together


# --- a small table of measures


class Table:
    """A table of measures that records which of them were read, and about which player."""

    def __init__(self) -> None:
        self.read: list[tuple[str, object]] = []
        self.scope = Scope(
            self._kind, list, {"both": "one + own.two", "twice": "one + one"}, self._reader
        )

    def _kind(self, name: str) -> str:
        return KINDS if name == "cards" else NUMBER

    def _reader(self, name: str) -> tuple[Callable[[object, object], object], bool]:
        def read(rnd: object, subject: object) -> object:
            self.read.append((name, subject))
            if name == "unseen":
                raise NotYetKnown("nobody has seen it")
            return {"one": 1, "nought": 0}.get(name, subject)

        return read, not name.startswith("own.")

    def reading(self, subject: object = None) -> Lookup:
        return lambda name: self._reader(name)[0](self, subject)


def test_what_is_shared_is_read_once() -> None:
    table = Table()
    several = ConditionalRows([("one > 0", "both"), ("own.two > 1", "twice + both")], table.scope)
    assert several.evaluate(table, (1, 5)) == [(0, 0, 2), (0, 1, 6), (1, 1, 8)]
    assert [name for name, _ in table.read].count("one") == 1
    assert [subject for name, subject in table.read if name == "own.two"] == [1, 5]
    assert not several.same_for_all
    assert ConditionalRows([("true", "one")], table.scope).evaluate(table, (1, 2)) == [
        (0, 0, 1),
        (0, 1, 1),
    ]


def test_only_what_decides_is_read() -> None:
    table = Table()
    first = FirstTrue(("nought", "one", "unseen"), table.scope)
    assert first.evaluate(table) == 2
    assert [name for name, _ in table.read] == ["nought", "one"]
    assert FirstTrue(("nought",), table.scope).evaluate(table) == 0


def test_who_has_no_value_gives_no_answer() -> None:
    table = Table()
    for text in ("1 // nought", "unseen", "one +", "("):
        assert ConditionalRows([("true", text)], table.scope).evaluate(table, (1,)) is None
        assert FirstTrue((text,), table.scope).evaluate(table) is None


def test_an_expression_asked_in_a_round_says_what_is_wrong() -> None:
    table = Table()
    assert Expression("twice + own.two", table.scope).value_in(table, 3) == 5
    with pytest.raises(NotYetKnown):
        Expression("unseen", table.scope).value_in(table)
    with pytest.raises(ExpressionError, match="divides by zero"):
        Expression("1 // nought", table.scope).value_in(table)


def test_measures_that_are_read_at_once_are_read_once() -> None:
    reads = []

    def all_of(rnd: object, subject: object) -> dict[str, int]:
        reads.append(subject)
        return {"a": 1, "b": 2}

    table = Table()
    readers = {"a": BatchedMeasure(all_of, "a"), "b": BatchedMeasure(all_of, "b")}
    scope = Scope(table._kind, list, {}, lambda name: (readers[name], True))
    assert ConditionalRows([("a > 0", "a + b"), ("b > 1", "b")], scope).evaluate(table, (7,)) == [
        (0, 0, 3),
        (1, 0, 2),
    ]
    assert reads == [7]
    assert readers["b"](table, None) == 2
