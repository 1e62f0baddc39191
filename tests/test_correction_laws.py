"""Laws of corrections: the book's cache, the log and the match agree, and undo is a stack.

They are tried on random operations of several recorders.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Illegal, Impossible, Match, Unreadable
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import (
    LogState,
    MatchRecorder,
    begin_match,
    current_entries,
    number_entries,
    summarize_match,
)
from scorekeeper.store.round_cache import RoundCache
from tests.effort import tries
from tests.helpers import SHIPPED
from tests.random_play import evening, result_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.random_play import Evening

FAILURES = (Illegal, Impossible, Unreadable)


class Table:
    """Two recorders at one match. `before` holds the states to which undo returns."""

    def __init__(self, path: Path, played: Evening, chance: random.Random) -> None:
        self.played = played
        self.course = [said.known for said in played.all() if said.known]
        self.next = 0
        self.chance = chance
        self.book = Book(str(path))
        first = begin_match(self.book, played.rules, played.names)
        self.desks = [first, MatchRecorder(Book(str(path)), first.id)]
        self.now: list[list[str]] = []
        self.before: list[list[list[str]]] = []

    def act(self) -> None:
        """Do one operation by either recorder, and check the state after it."""
        desk = self.chance.choice(self.desks)
        kind = self.chance.choice(["entry"] * 5 + ["undo", "amend", "amend", "insert", "remove"])
        if kind == "undo":
            self._undo(desk)
            return
        try:
            count = self._entered(desk) if kind == "entry" else self._amended(desk, kind)
        except FAILURES:
            count = 0
        after = current_entries(self.book.log(desk.id))
        if count == 0:
            assert after == self.now
        if count:
            # Each entry of a line is an operation. An amendment is one operation for any number of
            # entries.
            self.before.append(self.now)
            self.now = after

    def _text(self) -> str:
        """Return the next entry of the evening, or any entry of it, or a result."""
        if self.chance.random() < 0.15:
            text = result_of(self.played.rules, self.played.names, self.chance)
        elif self.chance.random() < 0.7:
            text = self.course[self.next % len(self.course)]
            self.next += 1
        else:
            text = self.chance.choice(self.course)
        undecided = "!" not in text
        return text + " !stands" * (undecided and self.chance.random() < 0.1)

    def _entered(self, desk: MatchRecorder) -> int:
        recorded = desk.record([self._text()])
        if recorded.failure is not None:
            raise recorded.failure
        (ruling,) = recorded.rulings
        return int(not ruling.refused or "!" in ruling.entry)

    def _amended(self, desk: MatchRecorder, kind: str) -> int:
        number = self.chance.randint(1, max(1, len(self.now)))
        length = len(self.now[number - 1]) if self.now else 0
        entry = self.chance.randint(1, length + 1)
        count = 0 if kind == "remove" else self.chance.choice((1, 1, 2))
        texts = [self._text() for _ in range(count)]
        desk.amend(number, entry, *texts, before=kind == "insert")
        return 1

    def _undo(self, desk: MatchRecorder) -> None:
        if not self.before:
            with pytest.raises(Impossible):
                desk.undo()
            return
        desk.undo()
        self.now = self.before.pop()

    def check(self) -> None:
        """Check that the match read from the cache equals the match read from the first row."""
        log = self.book.log(self.desks[0].id)
        typed = Match(self.desks[0].ruleset, self.desks[0].row.players)
        for texts in self.now:
            typed.play_round(texts)
        assert current_entries(log) == self.now
        assert entries(typed) == self.now
        for desk in (*self.desks, MatchRecorder(self.book, self.desks[0].id)):
            desk.refresh()
            assert told(desk.match) == told(typed)
            assert entries(desk.match) == entries(typed)[desk.log_state.first - 1 :]
            assert entries(desk.match) == desk.log_state.rounds
            assert told(desk.full_match()) == told(typed)
        for cached in self.book.rounds(self.desks[0].id):
            assert cached.standing == dict(typed.rounds[cached.number - 1].before)
            if cached.first_position is not None:
                tail = LogState(log[cached.first_position - 1 :], cached.number)
                assert tail.rounds == self.now[cached.number - 1 :]
        self.check_summaries(typed)
        summary = self.book.match(self.desks[0].id).summary
        assert summary in (None, summarize_match(typed))
        assert_numbered(log, self.now)

    def check_summaries(self, typed: Match) -> None:
        """Check that the cached summaries of finished rounds, and the output, equal a replay."""
        archive = RoundCache(self.book)
        told = archive.match(self.book.match(self.desks[0].id))
        assert archive.replay_count == 0
        assert (told.scores, told.over, told.current_winners) == (
            typed.scores,
            typed.over,
            typed.current_winners,
        )
        assert plain(told.review()) == plain(typed.review())
        assert plain(told.summaries()) == plain(typed.summaries())
        assert plain(told.written_rounds()) == plain(typed.written_rounds())
        kept = {cached.number for cached in self.book.rounds(told.row.id) if cached.summary}
        last = len(typed.rounds)
        assert kept == {each.number for each in typed.rounds if each.over or each.number < last}


def plain(values: Iterable[object]) -> object:
    """Return values as JSON has them."""
    return json.loads(json.dumps(list(values)))


def assert_numbered(log: list, now: list[list[str]]) -> None:  # type: ignore[type-arg]
    """Check that each row has its entries' numbers, and that a valid entry belongs to one row."""
    rows = {row.position: row for row in log}
    places = [(at, rows[position]) for position, ats in number_entries(log).items() for at in ats]
    assert sorted(at for at, _ in places) == sorted(
        f"{number}.{entry}"
        for number, texts in enumerate(now, 1)
        for entry in range(1, len(texts) + 1)
    )
    for at, row in places:
        number, entry = map(int, at.split("."))
        assert now[number - 1][entry - 1] in row.text.split("\n")


def entries(match: Match) -> list[list[str]]:
    return [list(played.entries) for played in match.rounds]


def told(match: Match) -> tuple[object, ...]:
    return match.scores, match.over, match.to_act, match.legal(), dict(match.standing)


@pytest.mark.parametrize("seed", tries(2))
@pytest.mark.parametrize("name", SHIPPED)
def test_book_log_and_match_agree_whatever_is_corrected(
    tmp_path: Path, name: str, seed: int
) -> None:
    chance = random.Random(f"{name} {seed}")
    table = Table(tmp_path / "book.sqlite", evening(name, seed, 80), chance)
    for number in range(40):
        table.act()
        if number % 8 == 0:
            table.check()
    table.check()
    while table.before:
        table._undo(table.desks[0])
        assert current_entries(table.book.log(table.desks[0].id)) == table.now
    table.check()
