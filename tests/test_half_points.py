"""Card points that end in a half, such as those of a king in tarot."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Impossible, Match, Unreadable, load_ruleset, read_record, write_record
from scorekeeper.cli.output import find_locale
from scorekeeper.core.messages import using_language
from scorekeeper.engine.loading import check
from scorekeeper.render.rules_page import pack_facts
from scorekeeper.session.screen import points_so_far
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
# Each side scores its card points, rounded up; a suit is worth 10.5 points.
GAME = """
name    = "halves"
title   = "Half points"
rules   = "sides"
language = 4
[players]
counts  = [4]
[pack]
ranks   = "K Q J T"
[deal]
dealt   = true
cards   = 4
[tally]
name    = "points"
[orders]
none    = {}
[parties]
mode    = "cards"
cite    = "2.1"
king    = { holds = "KC", cite = "2.2" }
pawn    = {}
[phases.tricks]
order   = "none"
points  = { K = 4.5, Q = 3.5, J = 2.5 }
cite    = "2.3"
counted = { most = "", cite = "3.1" }
[victory]
king    = { side = "king", when = "king.points >= 14.5", cite = "3.1" }
pawn    = { side = "pawn", cite = "3.1" }
[scores]
won     = { for = "winners", points = "100 + ceil(winners.points)", cite = "3.1" }
lost    = { for = "losers", points = "ceil(losers.points)", cite = "3.1" }
"""
FIRST = ["Ana: KC", "Ben: QC", "Cleo: JC", "Dan: TC"]
SECOND = ["Ana: TH", "Ben: QH", "Cleo: KH", "Dan: JH"]
THIRD = ["Cleo: QD", "Dan: TD", "Ana: KD", "Ben: JD"]
LAST = ["Ana: KS", "Ben: JS", "Cleo: QS", "Dan: TS"]


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Return a function that returns the messages of a ruleset's faults."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    path = tmp_path / "halves.toml"

    def messages(text: str) -> list[str]:
        path.write_text(text, encoding="utf-8")
        return [fault.message for fault in check(str(path))[2]]

    return messages


@pytest.fixture
def match(tmp_path: Path, faults: Callable[[str], list[str]]) -> Match:
    """Return a match in which Dan deals."""
    assert faults(GAME) == []
    begun = Match(load_ruleset(tmp_path / "halves.toml"), NAMES)
    begun.record("dealer Dan")
    return begun


def told(match: Match) -> list[str]:
    """Return the sentences about the tricks."""
    view = match.ruleset.phases["tricks"].view(match.current_round)
    return [sentence.text for sentence in view.sentences()]


def test_halves_are_added_and_compared(match: Match) -> None:
    for text in (*FIRST, *SECOND, *THIRD):
        match.record(text)
    points = [row["points"] for row in match.state["players"].values()]
    assert [repr(each) for each in points] == ["21", "0", "10.5", "0"]
    for text in LAST:
        match.record(text)
    assert match.scores == {"Ana": 132, "Ben": 11, "Cleo": 11, "Dan": 11}


def test_a_half_is_written_with_the_mark_of_the_language(match: Match) -> None:
    for text in FIRST:
        match.record(text)
    sentence = "Ana took trick 1 with KC (10.5 card points)"
    assert sentence in told(match)
    assert points_so_far(match.current_round) == "points so far: Ana 10.5, Ben, Cleo and Dan 0"
    assert dict(pack_facts(match.ruleset))["card points"] == (
        "K 4.5, Q 3.5, J 2.5, T 0; 42 points in all"
    )
    with using_language(find_locale("de")):
        assert any("10,5" in text for text in told(match))
        assert "10,5" in points_so_far(match.current_round)
    for text in (*SECOND, *THIRD, *LAST):
        match.record(text)
    (summary,) = match.summaries()
    assert summary["facts"]["side.points"] == {"king": 31.5, "pawn": 10.5}


@pytest.mark.parametrize("typed", ["10.5", "10,5", "10.50"])
def test_a_half_may_be_checked(match: Match, typed: str) -> None:
    for text in FIRST:
        match.record(text)
    assert match.judge(f"check Ana: {typed}").verdict == "legal"
    with pytest.raises(Impossible, match=r"it is 10.5, not 10 \(difference -0.5\)"):
        match.record("check Ana: 10")
    with pytest.raises(Unreadable):
        match.record("check Ana: 10.25")


def test_a_result_may_have_a_half(match: Match, tmp_path: Path) -> None:
    with pytest.raises(Impossible, match=r"no set of cards adds up to 0\.5 card"):
        match.record("result king=Ana points=0.5")
    with pytest.raises(Impossible, match=r"42\.5 card points are too many"):
        match.record("result king=Ana points=42.5")
    match.record("result king=Ana points=24.5")
    assert match.scores == {"Ana": 125, "Ben": 18, "Cleo": 18, "Dan": 18}
    write_record(match, tmp_path / "match.toml")
    assert read_record(tmp_path / "match.toml").scores == match.scores


def test_a_score_that_may_be_a_half_is_a_fault(faults: Callable[[str], list[str]]) -> None:
    for points in ("losers.points", "2 * losers.points", "max(losers.points, 3)", "worth(played)"):
        (message,) = faults(GAME.replace("ceil(losers.points)", points))
        assert message == "the value of scores.lost.points may be a fraction", points
    assert faults(GAME.replace("ceil(losers.points)", "floor(2 * losers.points)")) == []
    named = GAME.replace("ceil(losers.points)", "cards") + '[let]\ncards = "losers.points + 1"\n'
    assert faults(named) == ["the value of scores.lost.points may be a fraction"]


def test_a_card_is_worth_a_whole_number_or_a_half(faults: Callable[[str], list[str]]) -> None:
    (message,) = faults(GAME.replace("4.5", "4.25"))
    assert "a half such as 4.5" in message


def test_the_exported_card_points_may_be_halves(match: Match, tmp_path: Path) -> None:
    match.record("result king=Ana points=24.5")
    write_record(match, tmp_path / "match.toml")
    program("import", str(tmp_path / "match.toml"))
    lines = program("export", "--format", "scores-csv").out.splitlines()
    points = {row["player"]: row["card_points"] for row in csv.DictReader(lines)}
    assert points == {"Ana": "24.5", "Ben": "17.5", "Cleo": "17.5", "Dan": "17.5"}


def test_a_book_from_before_has_halves_in_its_views(match: Match, tmp_path: Path) -> None:
    book = tmp_path / "book.sqlite"
    match.record("result king=Ana points=24.5")
    write_record(match, tmp_path / "match.toml")
    program("import", str(tmp_path / "match.toml"), "--book", str(book))
    with closing(sqlite3.connect(book)) as opened:
        (text,) = opened.execute("SELECT sql FROM sqlite_master WHERE name = 'scores'").fetchone()
        opened.execute("DROP VIEW scores")
        opened.execute(text.replace("NUMERIC", "BIGINT"))
        opened.execute("PRAGMA user_version = 9")
        asked = "SELECT card_points FROM scores WHERE player = 'Ana'"
        assert opened.execute(asked).fetchone() == (24,)
    program("list", "--book", str(book))
    program("record", "dealer Ben", "--book", str(book))
    with closing(sqlite3.connect(book)) as opened:
        assert opened.execute(asked).fetchone() == (24.5,)
