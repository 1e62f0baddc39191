"""Records that are laid out as the program lays them out, read by patterns.

A parser of TOML looks at each character of an evening, and that takes as long as judging it. Only
what the parser would read alike is taken here; rounds or a head that are written otherwise are the
parser's as a whole, and so is everything that is wrong with one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from scorekeeper.core.types import Json

# Texts without a quote and a backslash are what they look like.
_TEXT = r'[^"\\\x00-\x08\x0a-\x1f\x7f]{0,200}+'
_KEY = "[A-Za-z0-9_-]{1,200}+"
_NUMBER = "-?(?:0|[1-9][0-9]{0,17}+)"
_SCORE = rf'(?:{_KEY}|"{_TEXT}") = {_NUMBER}\n'
_ROUND = re.compile(
    r"\[\[rounds\]\]\n"
    rf'(?:dealer = "({_TEXT})"\n)?+'
    r'entries = """\n([^"\\\x00-\x08\x0b-\x1f\x7f]*+)"""\n'
    rf"(?:\n*+\[rounds\.scores\]\n((?:{_SCORE})*+))?+"
    r"\n*+"
)
_LINE = re.compile(rf'({_KEY}) = (?:"({_TEXT})"|({_NUMBER})|\[\n((?:    "{_TEXT}",\n)*+)\])\n++')


class LaidOut(NamedTuple):
    """A record's text before its rounds; the rounds as tables; the line on which the entries of
    each begin, from 1."""

    head: str
    rounds: list[Json]
    lines: list[int]


def laid_out(text: str) -> LaidOut | None:
    """The rounds of a record; None where one of them is written otherwise. The head may be
    anything, even half a text: whether it is TOML shows when it is parsed."""
    if text.count("\n") > untrusted.RECORD_LINES:
        return None
    start = text.find("\n[[rounds]]\n") + 1
    head = text[:start]
    line = 1 + head.count("\n")
    rounds: list[Json] = []
    lines: list[int] = []
    while 0 < start < len(text):
        found = _ROUND.match(text, start)
        if found is None:
            return None
        dealer, entries, scores = found.groups()
        row: Json = {"entries": entries}
        if dealer is not None:
            row["dealer"] = dealer
        if scores is not None:
            row["scores"] = _claimed(scores)
            if len(row["scores"]) < scores.count("\n"):  # a name stands twice
                return None
        rounds.append(row)
        lines.append(line + text.count("\n", start, found.start(2)))
        line += found[0].count("\n")
        start = found.end()
    return LaidOut(head, rounds, lines) if rounds else None


def head_table(text: str) -> Json | None:
    """The table that the head of a record is; None where it is written otherwise."""
    table: Json = {}
    start = lines = 0
    while start < len(text):
        found = _LINE.match(text, start)
        if found is None:
            return None
        key, said, number, several = found.groups()
        if several is not None:
            table[key] = [row[5:-2] for row in several.split("\n")[:-1]]
        else:
            table[key] = said if number is None else int(number)
        lines += 1
        start = found.end()
    return table if len(table) == lines else None  # no key stands twice


def _claimed(scores: str) -> dict[str, int]:
    rows = (line.rpartition(" = ") for line in scores.split("\n")[:-1])
    return {name.strip('"'): int(points) for name, _, points in rows}
