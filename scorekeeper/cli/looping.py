"""The plain loop of `record` on a terminal: a line, its ruling, until somebody leaves.

Where the system has readline, the line is edited with it; Tab offers what may be done, and lines of
earlier times come back from a file beside the book. No line is kept that says which cards somebody
holds unseen.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from scorekeeper.cli.common import FINE, say, talk, tell
from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import tr
from scorekeeper.session.commands import COMMANDS, command_of
from scorekeeper.session.looking import Looking
from scorekeeper.store.files import check_no_database

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.store.desk import Desk

MOST_KEPT = 500
HISTORY = ".history"  # what the file's name ends in, after the book's
HERE = ("help", "undo", "last", "score", "result", "quit")  # the commands that are known here


class Loop:
    """Reads lines at a desk: `take` records one, `turn` says whose turn it is, `ask` asks for a
    result. `history` are the lines that may be kept, the oldest first."""

    def __init__(
        self,
        desk: Desk,
        take: Callable[[list[str]], int],
        turn: Callable[[], str],
        ask: Callable[[], int],
    ) -> None:
        self.desk, self.take, self.turn, self.ask = desk, take, turn, ask
        self.looking = Looking(desk)
        self.speech = self.looking.speech
        path = getattr(desk.store, "path", None)
        self._path = f"{path}{HISTORY}" if path else ""
        self.history = self._kept()
        self._remember: Callable[[str], object] = str
        self._edit()

    def run(self) -> int:
        """Until an empty line, the end, or a word for it; the exit code."""
        talk(tr("type what happens; an empty line ends; undo takes back what was done last"))
        say(self.turn())
        while True:
            sys.stdout.flush()
            try:
                line = input("> ").strip()
            except EOFError:
                return FINE
            command = self._command(line)
            if not line or command == "quit":
                return FINE
            try:
                self._do(command) if command else self._enter(line)
            except Failure as failure:
                tell(self.speech.failure(failure))
            self.looking.changes += 1

    def _command(self, line: str) -> str:
        """The command that a line is; "" for an entry."""
        command = command_of(line.casefold().removeprefix("/"))
        if command not in HERE:
            return ""
        entry = command != "undo" and not line.startswith("/") and self._is_entry(line)
        return "" if entry else command

    def _is_entry(self, line: str) -> bool:
        try:
            self.speech.own.read(line)
        except Failure:
            return False
        return True

    def _do(self, command: str) -> None:
        if command == "undo":
            taken = self.speech.echo(self.desk.undo())
            say(tr("taken back: {entry}", entry=taken), self.turn())
        elif command == "help":
            known = [f"{tr(word)}: {tr(COMMANDS[word])}" for word in HERE]
            say(*self.looking.help(), *known, self.looking.other_forms())
        elif command == "result":
            self.ask()
        else:
            say(*getattr(self.looking, command)())

    def _enter(self, line: str) -> None:
        self._remember(line)
        self.take([line])
        self._keep(line)

    # --- the line

    def _edit(self) -> None:
        """Have the line edited, with what was typed before; nothing where there is no readline."""
        try:
            import readline
        except ImportError:
            return
        readline.set_auto_history(False)
        for line in self.history:
            readline.add_history(line)
        self._remember = readline.add_history
        readline.set_completer_delims("")
        readline.set_completer(self._complete)
        readline.parse_and_bind("tab: complete")

    def _complete(self, line: str, number: int) -> str | None:
        found = self.looking.complete(line)
        if number >= len(found):
            return None
        return line[: len(line) - found[number].length] + found[number].text

    # --- what was typed before

    def _kept(self) -> list[str]:
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            return []
        return [line for line in lines if line.isprintable()][-MOST_KEPT:]

    def _keep(self, line: str) -> None:
        """Keep a line, if everybody at the table may read it."""
        if not self._is_open(line):
            return
        self.history = [*self.history, line][-MOST_KEPT:]
        if not self._path:
            return
        try:
            check_no_database(self._path)  # a book may have that name
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(os.open(self._path, flags, 0o600), "w", encoding="utf-8") as file:
                file.write("".join(f"{kept}\n" for kept in self.history))
        except (OSError, Failure):
            self._path = ""

    def _is_open(self, line: str) -> bool:
        speech, hide = self.speech, self.speech.plain.hide
        try:
            texts = [speech.plain.read(speech.canonical(text)).text for text in speech.split(line)]
        except Failure:
            return False
        return line.isprintable() and all(hide(text) == text for text in texts)
