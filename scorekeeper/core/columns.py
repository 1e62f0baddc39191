"""Text in columns of a terminal: how wide it is, and how it is broken into lines. May import
nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def columns(text: str) -> int:
    """How many columns a text takes; a letter that stands on another takes none, a wide one two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def shortened(text: str, width: int) -> str:
    """The text in that many columns at most; of one that is wider the beginning and the end, for
    names that begin alike often end differently."""
    if columns(text) <= width:
        return text
    head, tail = "", ""
    while columns(head + text[len(head)]) <= (width + 1) // 2 - 1:
        head += text[len(head)]
    while columns(text[-len(tail) - 1] + tail) <= width - columns(head) - 1:
        tail = text[-len(tail) - 1] + tail
    return f"{head}…{tail}"


def padded(text: str, width: int, *, right: bool = False) -> str:
    """The text with blanks after it, or before it, up to that many columns."""
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks


def filled(parts: Iterable[str], width: int, indent: str, between: str) -> Iterator[str]:
    """Parts in lines of that width, as many in one as fit; what is wider than a line by itself is
    broken at blanks, a word that is wider still anywhere. Lines after the first are indented. Each
    line has a letter at least, however narrow it is to be."""
    line, width = "", max(width, len(indent) + 1)
    for part in parts:
        if line and columns(f"{line}{between}{part}") > width:
            yield line
            line = indent
        elif line:
            line += between
        line += part
        while columns(line) > width:
            cut = _cut(line, width, len(indent))
            yield line[:cut].rstrip()
            line = indent + line[cut:].lstrip()
    if line and line != indent:
        yield line


def broken(text: str, width: int, indent: str) -> list[str]:
    """A text in lines of that width, broken at blanks; what it begins with stays, lines after the
    first are indented."""
    words = text.split()
    if not words:
        return []
    words[0] = text[: len(text) - len(text.lstrip())] + words[0]
    return list(filled(words, width, indent, " "))


def _cut(line: str, width: int, least: int) -> int:
    """Where a line that is too wide is broken."""
    most = next(at for at in range(len(line), -1, -1) if columns(line[:at]) <= width)
    blank = line.rfind(" ", least + 1, most + 1)
    return blank if blank > 0 else max(most, least + 1)
