"""A terminal for tests: a program on a pseudo-terminal, and the contents of its screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

from wcwidth import wcwidth

ROOT = Path(__file__).parent.parent
PATIENCE = 20.0  # Seconds after which a test gives up.
KEYS = {
    "enter": "\r", "esc": "\x1b", "tab": "\t", "backspace": "\x7f", "ctrl-c": "\x03",
    "ctrl-d": "\x04", "up": "\x1b[A", "down": "\x1b[B", "pagedown": "\x1b[6~",
    "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~",
    "f6": "\x1b[17~", "f7": "\x1b[18~", "f8": "\x1b[19~", "f9": "\x1b[20~", "f10": "\x1b[21~",
    "f12": "\x1b[24~",
}  # fmt: skip
PIECE = re.compile(r"\x1b\[([?>]?)([\d;]*)([ -/]*[@-~])|\x1b[()].|\x1b\][^\x07]*\x07|\x1b.|.", re.S)


class Grid:
    """The cells of a screen, painted by the control sequences that are in use."""

    def __init__(self, rows: int, columns: int) -> None:
        self.resize(rows, columns)
        self.colours = 0
        self.moves = 0

    def resize(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.row = self.column = 0
        self.cells = [[" "] * columns for _ in range(rows)]

    def feed(self, text: str) -> str:
        """Paint the text, and return an incomplete control sequence at its end."""
        cut = text.rfind("\x1b")
        if (
            cut >= 0
            and len(text) - cut < 16
            and not re.match(r"\x1b\[[?>]?[\d;]*[@-~]", text[cut:])
        ):
            text, rest = text[:cut], text[cut:]
        else:
            rest = ""
        for found in PIECE.finditer(text):
            if found[3]:
                self._control(found[1], found[2], found[3])
            elif found[0][0] != "\x1b":
                self._print(found[0])
        return rest

    def _print(self, char: str) -> None:
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self._line_feed()
        elif char == "\b":
            self.column = max(0, self.column - 1)
        elif char >= " ":
            if self.column >= self.columns:
                self.column = 0
                self._line_feed()
            self.cells[self.row][self.column] = char
            self.column += 1
            if wcwidth(char) == 2:
                self.cells[self.row][self.column : self.column + 1] = [""]
                self.column += 1

    def _line_feed(self) -> None:
        self.row += 1
        if self.row == self.rows:
            self.row -= 1
            self.cells = [*self.cells[1:], [" "] * self.columns]

    def _control(self, private: str, said: str, final: str) -> None:
        numbers = [int(number) for number in said.split(";") if number] or [0]
        count = max(1, numbers[0])
        if final == "m":
            self.colours += any(30 <= n <= 49 or 90 <= n <= 107 for n in numbers)
            return
        self.moves += final in "ABCDHJK"
        if final in "AB":
            self.row = min(max(0, self.row + (count if final == "B" else -count)), self.rows - 1)
        elif final in "CD":
            move = count if final == "C" else -count
            self.column = min(max(0, min(self.column, self.columns - 1) + move), self.columns - 1)
        elif final == "H":
            self.row = min(count, self.rows) - 1
            self.column = min(max(1, numbers[1]) if len(numbers) > 1 else 1, self.columns) - 1
        elif final == "K":
            self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
        elif final == "J":
            first = 0 if numbers[0] == 2 else self.row + 1
            if numbers[0] != 2:
                self._control("", "", "K")
            for row in range(first, self.rows):
                self.cells[row] = [" "] * self.columns

    @property
    def text(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Terminal:
    """A separate terminal that runs `scorekeeper ARGUMENTS`."""

    def __init__(
        self, *arguments: str, env: Mapping[str, str], rows: int = 24, columns: int = 80
    ) -> None:
        self.grid = Grid(rows, columns)
        self.printed = ""
        self.code: int | None = None
        self._rest = ""
        self.pid, self._end = pty.fork()
        if self.pid == 0:
            self._become(arguments, {**os.environ, "TERM": "xterm-256color", **env}, rows, columns)
        os.set_blocking(self._end, False)

    def _become(
        self, arguments: tuple[str, ...], env: Mapping[str, str], rows: int, columns: int
    ) -> None:
        try:
            self._size(0, rows, columns)
            os.chdir(ROOT)
            command = [sys.executable, "-m", "scorekeeper", *arguments]
            os.execve(sys.executable, command, dict(env))
        finally:
            os._exit(127)

    def _size(self, file: int, rows: int, columns: int) -> None:
        fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.code is None:
            self.kill()
        os.close(self._end)

    def press(self, *keys: str) -> None:
        """Press keys by their names, or type text that is no name of a key."""
        for key in keys:
            os.write(self._end, KEYS.get(key, key).encode())

    def enter(self, line: str) -> None:
        """Type a line and send it."""
        self.press(line, "enter")

    def resize(self, rows: int, columns: int) -> None:
        self._read(0.0)
        self.grid.resize(rows, columns)
        self._size(self._end, rows, columns)

    def wait(self, wanted: str | Callable[[str], bool]) -> str:
        """Wait until the screen shows a text or satisfies a function, and return the screen."""
        is_there = wanted if callable(wanted) else (lambda text: wanted in text)
        until = time.monotonic() + PATIENCE
        while not is_there(self.grid.text):
            if time.monotonic() > until or not self._read(0.2):
                assert is_there(self.grid.text), f"{wanted!r} never came:\n{self.grid.text}"
        return self.grid.text

    def look(self, patience: float) -> None:
        """Read the output up to that time."""
        self._read(patience)

    def end(self) -> int:
        """Wait until the program ends, and return its exit code."""
        until = time.monotonic() + PATIENCE
        while self._read(0.2):
            assert time.monotonic() < until, f"it never ended:\n{self.grid.text}"
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def kill(self) -> None:
        """Kill the program, as a power failure would."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.code = -signal.SIGKILL

    def _read(self, patience: float) -> bool:
        """Read new output. Return False if the program has ended."""
        if not select.select([self._end], [], [], patience)[0]:
            return True
        try:
            data = os.read(self._end, 65536)
        except OSError:
            return False
        text = data.decode("utf-8", "replace")
        self.printed += text
        self._rest = self.grid.feed(self._rest + text)
        return bool(data)
