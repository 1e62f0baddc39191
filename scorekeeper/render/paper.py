"""What a sheet is before anybody lays it out: texts and numbers, nothing of how they look.

The renderers lay it out and make it harmless, each in its own way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Json

# What a row of a grid is.
ROUND, APART, CARRIED, EMPTY = "round", "apart", "carried", "empty"


class Column(NamedTuple):
    """A column of a grid: its heading; `left`, `right` or `center`; how many letters wide it is
    on paper at least (0: as it comes); the player or side that it is for ("": the round)."""

    label: str
    align: str
    width: int = 0
    who: str = ""


class Grid(NamedTuple):
    """A table: every row of `rows`, `totals` and `carried` has a cell for each column.

    `kinds` say of each row what it is: `round`; `apart`, what was decided of something wrong in
    the round above; `carried`, what stood before the first round; `empty`, to be written on.
    `carried` has for each row what is carried over to another page after it.
    """

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    totals: Sequence[Sequence[str]] = ()
    kinds: Sequence[str] = ()
    carried: Sequence[Sequence[str]] = ()


class Running(NamedTuple):
    """The tallies over the evening. `rounds` are the numbers of the rounds behind each point, 0
    for what stood before the first; `points` has a list for each name, None where nobody was;
    `word` is what a round is called on this sheet ("": a round). Over several matches `days` are
    said in the rounds' place, "" for what stood before the first."""

    label: str
    names: Sequence[str]
    rounds: Sequence[int]
    points: Sequence[Sequence[int | None]]
    word: str = ""
    days: Sequence[str] = ()


class Parts(NamedTuple):
    """What tallies were made of: `points` has a list for each name, a number for each label."""

    labels: Sequence[str]
    names: Sequence[str]
    points: Sequence[Sequence[int]]


class Payments(NamedTuple):
    """Who pays whom, in as few payments as can be: names and an amount as it is printed; `how`
    says in a sentence what it was reckoned by, `said` each payment."""

    how: str
    rows: Sequence[tuple[str, str, str]]
    said: Sequence[str] = ()


class Sheet(NamedTuple):
    """A sheet: a title, pairs of a word and what it is, tables (the first is the sheet proper),
    and footnotes; pairs of a sign and what it means; the tallies over the evening and what they
    were made of (None: nothing to draw); who pays whom (None: not asked). `guide` is what counts,
    on a sheet to be written on: headings, each with pairs of a word and what it is worth."""

    title: str
    facts: Sequence[tuple[str, str]]
    grids: Sequence[Grid]
    footnotes: Sequence[str] = ()
    legend: Sequence[tuple[str, str]] = ()
    running: Running | None = None
    parts: Parts | None = None
    payments: Payments | None = None
    guide: Sequence[tuple[str, Sequence[tuple[str, str]]]] = ()


def as_json(sheet: Sheet) -> Json:
    """The sheet as plain JSON values."""
    tables = [
        {
            "caption": grid.caption,
            "columns": [column.label for column in grid.columns],
            "rows": grid.rows,
            "totals": grid.totals,
        }
        for grid in sheet.grids
    ]
    running, parts, payments = sheet.running, sheet.parts, sheet.payments
    return {
        "title": sheet.title,
        "facts": dict(sheet.facts),
        "tables": tables,
        "notes": sheet.footnotes,
        "legend": dict(sheet.legend),
        "running": None if running is None else _running(running),
        "parts": None if parts is None else parts._asdict(),
        "payments": None if payments is None else _payments(payments),
        "guide": [{"heading": heading, "rows": dict(rows)} for heading, rows in sheet.guide],
    }


def _running(running: Running) -> Json:
    """Of one match, where rounds are counted and no days."""
    return {key: value for key, value in running._asdict().items() if key != "days"}


def _payments(payments: Payments) -> Json:
    rows = [{"from": payer, "to": paid, "amount": amount} for payer, paid, amount in payments.rows]
    return {"how": payments.how, "rows": rows}
