"""Winners of a match: messages, live table, sheet and statistics all use one function."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Match
from scorekeeper.cli.common import result_text
from scorekeeper.history.statistics import CatalogEntry, make_statistics
from scorekeeper.render.sheet import build_sheet
from scorekeeper.session.screen import turn_text
from tests.helpers import match_of, program

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
NORMAL = "result contract=normal re=Ana+Ben points=130"


def ended(ruleset: str, *entries: str, names: list[str] = FOUR) -> Match:
    return match_of(ruleset, names, *entries, "end")


ENDS = [
    (ended("da-ban", "result points=125"), [], "a draw"),
    (ended("da-ban"), [], "a draw"),
    (ended("da-ban", "result points=100"), ["Ana", "Cleo"], "Ana and Cleo won"),
    (ended("da-ban", "result points=100", "result points=125", "result points=0"), [], "a draw"),
    (ended("sheng-ji", "result points=80"), [], "a draw"),
    (ended("doppelkopf", "result contract=neugeben"), [], "a draw"),
    (ended("doppelkopf", NORMAL), ["Ana", "Ben"], "Ana and Ben won"),
    (ended("durak", "result loser=Ben"), ["Ana", "Cleo", "Dan"], "Ana, Cleo and Dan won"),
    (ended("podkidnoy", "result draw"), [], "a draw"),
    (ended("podkidnoy-teams", "result loser=Ana"), ["Ben", "Dan"], "Ben and Dan won"),
    (ended("dudo", "result loser=Ana"), [], "no winner"),
    (ended("dudo", "note good evening"), [], "a draw"),
    (ended("perudo", *["hand Ana: 1", "result loser=Ana"], names=FOUR[:3]), [], "no winner"),
]


@pytest.mark.parametrize(("match", "winners", "said"), ENDS)
def test_everyone_who_tells_who_has_won_says_the_same(
    match: Match, winners: list[str], said: str
) -> None:
    assert match.over
    assert (match.winners, match.outcome) == (winners, said)
    assert result_text(match).startswith(f"{said} (")
    assert turn_text(match).startswith(f"the match is over: {said} (")
    facts = dict(build_sheet(match).facts)
    assert facts.get("Won by", "") == ", ".join(winners)
    assert facts.get("Result", said) == said
    [found] = make_statistics([CatalogEntry(match)])
    assert [name for name in match.players if found.player(name).matches_won] == winners


def test_a_match_that_goes_on_has_no_winner() -> None:
    match = match_of("durak", FOUR, "result loser=Ben")
    assert match.winners == []
    assert result_text(match) == "Ana 0, Ben 1, Cleo 0, Dan 0"
    assert "Won by" not in dict(build_sheet(match).facts)


def test_the_last_one_in_has_won() -> None:
    match = match_of("dudo", FOUR[:2], "hand Ana: 1", "result loser=Ana")
    assert (match.winners, match.outcome) == (["Ben"], "Ben won")


def test_an_even_match_is_announced_as_a_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "da-ban", *FOUR)
    answer = program("record", "result points=125", "end")
    assert "the match is over: a draw (Ana 3, Ben 3, Cleo 3, Dan 3)" in answer.out
    assert "won" not in answer.out
    assert "Result: a draw" in program("sheet").out
