"""Standard input, output and error, made so that nothing read or written there can end a command
half-way.

What was to be recorded is recorded, whoever listens or not: a stream that cannot be written any
more (a full disk, a reader who went away, none at all) swallows the rest and remembers why.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

MOST_DIGITS = 4  # of how wide a terminal says it is


class Stream(TextIOWrapper):
    """A stream that never raises for what is written; `lost` is why something was not."""

    lost: OSError | None = None

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self.give_up(error)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self.give_up(error)

    def give_up(self, error: OSError) -> None:
        """Write nothing any more; this is why."""
        self.lost = self.lost or error
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())


class Talk(Stream):
    """Standard error. Libraries too quote what was typed: nothing in it steers the terminal."""

    def write(self, text: str) -> int:
        from scorekeeper.core.text import visible_lines

        super().write(visible_lines(text))
        return len(text)


def speak() -> None:
    """Read and write whatever comes: files and pipes are UTF-8, a terminal shows what it cannot
    write as escapes. Where a stream was closed there is nothing to read, standard output fails as
    on a full disk, and nobody hears the talk."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, TextIOWrapper):
        lines, encoding = sys.stdout.line_buffering, sys.stdout.encoding
        sys.stdout = Stream(sys.stdout.detach(), encoding, line_buffering=lines)
    if isinstance(sys.stderr, TextIOWrapper):
        encoding = sys.stderr.encoding
        sys.stderr = Talk(sys.stderr.detach(), encoding, line_buffering=True)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if not stream.isatty():
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")


def put(data: bytes) -> None:
    """Bytes to standard output, where text would be written."""
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        if not isinstance(sys.stdout, Stream):
            raise
        sys.stdout.give_up(error)


def width_or(usual: int) -> int:
    """How wide the terminal is that reads standard output; the usual where it is none, or does not
    say."""
    if not sys.stdout.isatty():
        return usual
    told = os.environ.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and 0 < len(told) <= MOST_DIGITS:
        return int(told) or usual
    try:
        # `shutil` asks the stream that was there before this module put its own in its place.
        return os.get_terminal_size(sys.stdout.fileno()).columns or usual
    except (OSError, ValueError):
        return usual


def why_lost() -> str:
    """Why something that was to be read on standard output is not there; empty if it is, or if
    the reader went away, as `head` does, with what they wanted."""
    sys.stdout.flush()
    sys.stderr.flush()
    lost = getattr(sys.stdout, "lost", None)
    return "" if lost is None or isinstance(lost, BrokenPipeError) else str(lost.strerror)
