"""Evenings in `docs/examples/evening-*.txt`: input and output at a terminal of 80x24.

A line that begins with `$ ` is a command of the shell. A line with `> ` is typed at the live table
and sent. A line with `@ ` has keys that are pressed there (`@ tab enter`), or text that is typed
and not sent (`@ "4 cua"`). A line with `# ` is a comment. `@ screen` shows the screen. Screens and
output follow after a bar.

`python -m tests.evenings [GAME…]` plays the evenings again and writes their output. Look at the
change before you commit it.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.terminal import Terminal
from tests.test_examples import DATE, EXAMPLES, environment

EVENINGS = sorted(EXAMPLES.glob("evening-*.txt"))
SCREEN = "@ screen"
BAR = "| "
# Seconds without a change after which a screen counts as complete, when output is written.
STILL = 1.2
AWAY = "\x1b[?1049l"  # The key that leaves the screen of the table.
LEAVES = ("f10", "ctrl-d", "quit", "exit")
DIRECTIVES = ("$ ", "> ", "@ ", "# ")


class Step(NamedTuple):
    """A line of input or comment, and the output below it."""

    line: str
    shown: str


def steps(text: str) -> list[Step]:
    """Return the steps of an evening."""
    found: list[list[str]] = []
    for line in filter(None, text.split("\n")):
        if line.startswith(DIRECTIVES):
            found.append([line])
        else:
            assert found, line
            assert line.startswith(BAR.rstrip()), line
            found[-1].append(line)
    return [Step(lines[0], "\n".join(lines[1:])) for lines in found]


class Evening:
    """A user at a terminal, with an empty book."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = environment(folder) | {"COLORTERM": "", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.table: Terminal | None = None

    def take(self, step: Step, *, write: bool) -> str:
        """Do a step, and return the output after it. Unless `write` is set, wait for the step's
        expected output."""
        kind, said = step.line[:2], step.line[2:]
        if kind == "$ ":
            return self._command(said, step.shown, write=write)
        if kind == "# ":
            return ""
        assert self.table is not None, f"no table is open: {step.line}"
        if kind == "> ":
            self.table.enter(said)
        elif step.line == SCREEN:
            return self._screen(step.shown, write=write)
        else:
            self.table.press(*shlex.split(said))
        return self._ended() if said in LEAVES else ""

    def _command(self, said: str, shown: str, *, write: bool) -> str:
        assert self.table is None, f"the table is open still: {said}"
        words = shlex.split(said)
        if words[:2] == ["scorekeeper", "table"]:
            self.table = Terminal(*words[1:], env=self.env)
            self.table.wait("F10")
            return ""
        result = subprocess.run(
            ["bash", "-uc", said],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            check=False,
        )
        code = f"(exit code {result.returncode})" if result.returncode else ""
        return framed(result.stdout.decode("utf-8") + code)

    def _screen(self, shown: str, *, write: bool) -> str:
        assert self.table is not None
        if write:
            before, since = "", time.monotonic()
            while time.monotonic() - since < STILL:
                self.table.look(0.1)
                if self.table.grid.text != before:
                    before, since = self.table.grid.text, time.monotonic()
            return framed(before)
        return framed(self.table.wait(lambda text: framed(text) == shown))

    def _ended(self) -> str:
        """Return the output printed when the table was left."""
        assert self.table is not None
        with self.table as table:
            table.end()
        self.table = None
        said = re.sub(r"\x1b\[[?>]?[\d;]*[ -/]*[@-~]", "", table.printed.rpartition(AWAY)[2])
        return framed(said.replace("\r", "").lstrip("\n"))


def framed(text: str) -> str:
    """Return output as an evening stores it, without dates, trailing blanks and parts that vary."""
    text = re.sub(r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b", "IDENTIFIER", DATE.sub("DATE", text))
    rows = text.rstrip("\n").split("\n") if text.strip() else []
    return "\n".join((BAR + row).rstrip() for row in rows)


def played(path: Path, folder: Path, *, write: bool = False) -> Iterator[tuple[Step, str]]:
    """Yield each step of an evening with its output."""
    evening = Evening(folder)
    for step in steps(path.read_text("utf-8")):
        yield step, evening.take(step, write=write)


def main(names: list[str]) -> None:
    for path in EVENINGS:
        if names and path.stem.partition("-")[2] not in names:
            continue
        lines: list[str] = []
        with TemporaryDirectory() as folder:
            for step, shown in played(path, Path(folder), write=True):
                remark = bool(lines) and lines[-1].startswith("# ")
                lines += [""] if lines and not remark and step.line[0] in "#$" else []
                lines += [step.line, *([shown] if shown else [])]
        path.write_text("\n".join(lines) + "\n", "utf-8")
        print(path.name, len(lines))


if __name__ == "__main__":
    main(sys.argv[1:])
