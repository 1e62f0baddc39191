"""Rows of which the first whose condition holds decides: whether each of them ever can, and whether
one always does.

Nothing is said but what is certain: a row is out of reach where that needs no values, or where its
numbers are so small that all cases are tried; that nothing decides is shown by a case.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression

    Case = Mapping[str, int]

UNREAD = "0"  # what stands for a condition that could not be read, which is told
SMALL = frozenset(("1", "2"))  # numbers in conditions whose cases are all among those tried


class Deciding(NamedTuple):
    """A row that decides where its condition holds, if no row before it does."""

    name: str
    when: Expression


def unreachable(rows: Sequence[Deciding], cases: Sequence[Case]) -> Iterator[tuple[Deciding, str]]:
    """The rows that never decide, each with the reason; `cases` are values for some measures."""
    if _unread(rows):
        return
    texts: dict[str, str] = {}
    always = ""
    reached = _reached(rows, cases)
    for row in rows:
        holds, text = _constant(row.when), " ".join(row.when.text.split())
        if always:
            yield row, f"“{always}”, before it, always holds"
        elif holds is False:
            yield row, "its condition never holds"
        elif text in texts:
            yield row, f"“{texts[text]}”, before it, has the same condition"
        elif reached is not None and row.name not in reached:
            yield row, "wherever its condition holds, a row before it does"
        texts.setdefault(text, row.name)
        always = always or (row.name if holds else "")


def undecided(rows: Sequence[Deciding], cases: Sequence[Case]) -> Case | None:
    """The first case in which no condition holds, whatever the other measures are."""
    for case in () if _unread(rows) else cases:
        if all(_holds(row.when, case) is False for row in rows):
            return case
    return None


def cases_of(values: Mapping[str, range]) -> list[Case]:
    """All ways to give each measure one of its values."""
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def _unread(rows: Sequence[Deciding]) -> bool:
    return any(row.when.text == UNREAD for row in rows)


def _reached(rows: Sequence[Deciding], cases: Sequence[Case]) -> set[str] | None:
    """The rows that decide in some case; None where these cases do not stand for all."""
    measures = set(cases[0]) if cases else set()
    for row in rows:
        if not (measures.issuperset(row.when.names) and _is_simple(row.when.text)):
            return None
    first = (next((row for row in rows if _holds(row.when, case)), None) for case in cases)
    return {row.name for row in first if row is not None}


def _is_simple(text: str) -> bool:
    """Whether a condition compares with one small number at most, and divides nothing."""
    numbers = "".join(letter if letter.isdigit() else " " for letter in text).split()
    return len(numbers) <= 1 and SMALL.issuperset(numbers) and not set("/%(") & set(text)


def _constant(when: Expression) -> bool | None:
    return None if when.names else _holds(when, {})


def _holds(when: Expression, case: Case) -> bool | None:
    """Whether a condition holds; None where it needs other measures, or has no value."""
    try:
        return bool(when(case.__getitem__))
    except (KeyError, ExpressionError):
        return None
