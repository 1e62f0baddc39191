"""Rounds of a table in which a row is one player's points: what belongs together."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.store.table_rows import NoDay
from scorekeeper.store.table_turned import place
from scorekeeper.store.table_words import HEADINGS, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from scorekeeper.store.table_rows import Scores

    Lines: TypeAlias = tuple[int, ...]
    Round: TypeAlias = tuple[Lines, dict[str, int]]  # the rows of a round, and what it came to
    Fault: TypeAlias = tuple[Lines, Failure]  # why rows are refused
    Number: TypeAlias = tuple[tuple[tuple[int, str], ...], tuple[str, ...]]


def number_of(text: str) -> Number:
    """The number of a round as rounds are ordered by it: `2`, `02` and `Runde 2` are the same."""
    words = (word for word in words_of(text) if not word.isdecimal())
    said = tuple(word for word in words if word not in HEADINGS["round"])
    digits = (each.lstrip("0") for each in re.findall(r"[0-9]+", text))
    return tuple((len(each), each) for each in digits), said


def by_number(rows: Sequence[Scores]) -> list[Scores]:
    """The rows with those of each match in the order of their rounds; a row without a number, or
    of which nobody knows the day, stays where it is."""
    places: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(rows):
        if row.round and not isinstance(row.points, NoDay):
            places.setdefault(row.match, []).append(at)
    ordered = [*rows]
    for numbered in places.values():
        found = sorted((rows[at] for at in numbered), key=lambda row: number_of(row.round))
        for at, row in zip(numbered, found, strict=True):
            ordered[at] = row
    return ordered


def rounds_of(rows: Sequence[Scores]) -> tuple[list[Round], list[Fault]]:
    """The rounds of a match: rows with one number are one, in whatever order they come; without
    numbers a round ends where a name comes again. And why rows cannot be part of one."""
    said: list[tuple[Scores, Mapping[str, int]]] = []
    faults: list[Fault] = []
    for row in rows:
        if isinstance(row.points, Failure):
            faults.append(((row.line,), row.points))
        elif row.points:
            said.append((row, row.points))
    numbered = any(row.round for row, _ in said)
    found: list[tuple[list[int], dict[str, int]]] = []
    where: dict[Number, int] = {}
    for row, points in said:
        if numbered and not row.round:
            faults.append(((row.line,), _unnumbered()))
            continue
        last = found[-1][1] if found else {}
        at = len(found) - (not numbered and not last.keys() & points.keys())
        if numbered:
            at = where.setdefault(number_of(row.round), len(found))
        if not 0 <= at < len(found):
            found.append(([], {}))
            at = len(found) - 1
        lines, sofar = found[at]
        again = sorted(sofar.keys() & points.keys())
        if again:
            faults.append(((row.line,), _again(again[0], row.round, lines[0])))
        else:
            lines.append(row.line)
            sofar.update(points)
    rounds = [(tuple(lines), points) for lines, points in found]
    unclear = [] if faults else _unclear(said, rounds, numbered)
    return ([], unclear) if unclear else (rounds, faults)


def _unclear(
    rows: Sequence[tuple[Scores, Mapping[str, int]]], rounds: Sequence[Round], numbered: bool
) -> list[Fault]:
    """Why nobody can tell which rows of a match are one round."""
    lines = tuple(row.line for row, _ in rows)
    if not numbered and _by_name(points for _, points in rows):
        return [(lines, _sorted())]
    if numbered and all(len(of_round) == 1 for of_round, _ in rounds) and _is_split(rounds):
        return [(lines, _counted())]
    return []


def _by_name(rows: Iterable[Mapping[str, int]]) -> bool:
    """Whether rows stand player by player: all of one, then all of another."""
    blocks = [(names, len([*some])) for names, some in groupby(map(frozenset, rows))]
    everybody = frozenset().union(*(names for names, _ in blocks))
    apart = len(everybody) == sum(len(names) for names, _ in blocks)
    return apart and len(blocks) > 1 and any(count > 1 for _, count in blocks)


def _is_split(rounds: Sequence[Round]) -> bool:
    """Whether rounds come to zero together, as the rows of one round do, and not each of them."""
    total = sum(sum(points.values()) for _, points in rounds)
    others = len({frozenset(points) for _, points in rounds}) > 1
    return others and not total and any(sum(points.values()) for _, points in rounds)


def _unnumbered() -> Failure:
    return Unreadable(
        tr("it has no number of a round, and other rows of this match have one"),
        tr("write the number into the row"),
    )


def _again(name: str, number: str, line: int) -> Failure:
    return Unreadable(
        tr("“{name}” has points in round {number} already, which begins in {place}",
           name=shown(name), number=shown(number, 40), place=place(line)),
        tr("put the row right; tell several matches of a day apart by a column {column}",
           column="title"),
    )  # fmt: skip


def _sorted() -> Failure:
    return Unreadable(
        tr("these rows stand player by player, and nothing says which of them are one round"),
        tr("number the rounds in a column called {column}", column="round"),
    )


def _counted() -> Failure:
    return Unreadable(
        tr("each of these rows has a number of its own, and they sum to zero together: the numbers"
           " may count rows, not rounds"),
        tr("give the rows of one round one number; if each is a round, write into it what each"
           " player has"),
    )  # fmt: skip
