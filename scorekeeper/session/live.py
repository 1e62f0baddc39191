"""The open matches of a live table, and the lines that are typed to them.

A `Session` takes desks. A line goes to the match in front; a word that the match does not know
and the session does (`undo`, `/undo`) is a command. Everything is stored before it is
acknowledged; failures are told in the match's events and never raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.notation import STANDS, WITHDRAWN
from scorekeeper.session.amending import WORD
from scorekeeper.session.board import Board
from scorekeeper.session.commands import command_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scorekeeper.store.desk import Desk

# What the table may say of a refused entry, while it waits.
CORRECT = "correct"
DECIDING = {STANDS: mark("stands"), WITHDRAWN: mark("withdrawn"), CORRECT: mark("correct")}


class Session:
    """The open matches, one of them in front; `turned` hears which. Raises ValueError without a
    desk."""

    def __init__(self, desks: Iterable[Desk], language: str = "") -> None:
        self.boards = [Board(desk, language) for desk in desks]
        if not self.boards:
            raise ValueError("a session needs a match")
        self.at = 0
        self.turned: Callable[[int], None] = lambda at: None

    @property
    def board(self) -> Board:
        """The match in front."""
        return self.boards[self.at]

    @property
    def title(self) -> str:
        """Which match is in front, and of how many."""
        others = (
            tr(" ({number} of {count} open)", number=self.at + 1, count=len(self.boards))
            if len(self.boards) > 1
            else ""
        )
        return self.board.label + others

    def turn_to_next(self) -> None:
        """Bring the next open match to the front."""
        self.at = (self.at + 1) % len(self.boards)
        self.turned(self.at)

    def leave(self) -> None:
        """Nobody is at the table any longer."""
        for board in self.boards:
            board.leave()

    def news(self) -> bool:
        """Look for what others recorded in any of the matches; whether there is anything new."""
        found = [board.news() for board in self.boards]
        return any(found)

    def enter(self, line: str) -> str:
        """Take a line: an entry, or what the table says of the one that was refused; gives what
        of it was not recorded."""
        board = self.board
        word = line.strip().casefold().lstrip("!/")
        if board.pending is not None:
            for decision, named in DECIDING.items():
                if word in (decision, tr(named)):
                    return board.correct() if decision == CORRECT else board.decide(decision)
        if self.is_amendment(line):
            return board.amend(line)
        return board.enter(board.faults.whole(line))

    def is_amendment(self, line: str) -> bool:
        """Whether a line puts an earlier entry right: its first word, with a slash before it
        always, without one where it is no entry of the match."""
        word = (line.casefold().split() or [""])[0]
        return word == f"/{WORD}" or (word == WORD and not self._is_entry(line))

    def command(self, line: str) -> str:
        """The command that a line is: with a slash before it always, without one where it is no
        entry of the match; "" if it is none."""
        word = line.strip().casefold()
        command = command_of(word.removeprefix("/"))
        return command if word.startswith("/") or not self._is_entry(word) else ""

    def _is_entry(self, text: str) -> bool:
        try:
            self.board.speech.own.read(text)
        except Unreadable:
            return False
        return True
