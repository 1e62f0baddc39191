"""What the keys of a ruleset are for, and how its values are written for people.

All of it comes from what the words say of themselves (`Parameter.doc`, `ClauseWord.doc`), so a
table that a new phase brings needs nothing here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.ruleset.reports import BREAKDOWN, HISTORY, SHEET, STATISTIC
from scorekeeper.ruleset.tables import (
    CLAUSE,
    HEADER,
    LANGUAGE,
    PHASE,
    REQUIRED,
    SCORE,
    TABLES,
    Parameter,
)
from scorekeeper.ruleset.vocabulary import clause_words, phase_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.vocabulary import AnyPhase, ClauseWord

    Takes = Mapping[str, Parameter]

# What people call a table; any other is called by its name.
HEADINGS = {
    "": "The ruleset",
    "orders": "Card orders",
    "phases": "The course of a round",
    "clauses": "What is allowed",
    "scores": "What counts",
    "victory": "Who wins",
    "specials": "Special points",
    "sheet": "The sheet",
    "match": "The match",
}
# How a page goes through the tables; those that are not named stand where "" does.
READING = (
    *("pack", "orders", "deal", "sides", "let", "options", "phases"),
    *("contracts", "parties", "calls", "", "clauses"),
    *("scores", "specials", "melds", "victory", "penalties", "levelling"),
    *("counters", "tally", "match"),
)
# Tables of rows whose order says nothing.
UNORDERED = ("", "words", "languages", "let")
# What a key's description says of its absence.
_WITHOUT = re.compile(r" \((?:without it|empty|0): [^)]*\)")
EXPRESSIONS = ("number", "condition")


def heading(section: str) -> str:
    """What a table is called on a page."""
    return HEADINGS.get(section) or section.replace("-", " ").replace("_", " ").capitalize()


class Keys:
    """What the keys of one ruleset's tables take; `tables` may have faults."""

    def __init__(self, tables: Row) -> None:
        self.phases: dict[str, type[AnyPhase]] = {}
        phases = tables.get("phases")
        for name in ("table", *(phases if isinstance(phases, dict) else ())):
            cls = phase_named(name)
            if cls is not None:
                self.phases[name] = cls
        self.words = clause_words(tuple(self.phases))
        self._plain: dict[str, Takes] = {"": HEADER, **TABLES, "history": HISTORY}
        self._rows: dict[str, Takes] = {
            "languages": LANGUAGE,
            "scores": SCORE,
            "statistics": STATISTIC,
            "breakdowns": BREAKDOWN,
        }
        for cls in self.phases.values():
            for section, takes in cls.sections.items():
                (self._plain if section in cls.plain else self._rows)[section] = takes

    def plain(self, section: str) -> Takes:
        """What a table without rows takes; nothing is known of any other."""
        return self._plain.get(section, {})

    def row(self, section: str, name: str, row: Row) -> Takes:
        """What a row of a table takes; `section` may be a part of the sheet."""
        if section == "clauses":
            word = self.word(name, row)
            return {**CLAUSE, **(word.parameters if word is not None else {})}
        if section == "phases":
            cls = self.phases.get(name)
            return {**PHASE, **(cls.parameters if cls is not None else {})}
        whole, _, part = section.partition(".")
        return SHEET.get(part, {}) if whole == "sheet" else self._rows.get(section, {})

    def word(self, name: str, row: Row) -> ClauseWord | None:
        """The clause word of a row of `[clauses]`."""
        said = row.get("word", name)
        return self.words.get(said) if isinstance(said, str) else None

    def doc(self, section: str, name: str, row: Row) -> str:
        """What a row says of itself: a clause's word, a phase, a label; "" if nothing does."""
        if section == "clauses":
            word = self.word(name, row)
            return word.doc if word is not None else ""
        if section == "phases":
            return self.phases[name].doc if name in self.phases else ""
        label = row.get("label")
        return label if isinstance(label, str) else ""


def union(one: Iterable[str], other: Iterable[str]) -> list[str]:
    """The names of both, in the order of the other; what only one has comes after what it came
    after there."""
    found = list(other)
    last = ""
    for name in one:
        if name not in found:
            found.insert(found.index(last) + 1 if last else 0, name)
        last = name
    return found


def default_of(parameter: Parameter | None) -> object:
    """What holds where nothing is said of a key; None where that is not known."""
    if parameter is None or parameter.default is REQUIRED:
        return None
    return parameter.default


def worded(value: object) -> str:
    """A value for people. Expressions stay what they are, for that is what is applied."""
    if value is None or value == "" or value == [] or value == {}:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_part(part) for part in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {worded(part)}" for key, part in value.items())
    return str(value)


def _part(value: object) -> str:
    """A value in a list; a list in the list is of equal strength."""
    return f"({' = '.join(map(str, value))})" if isinstance(value, list) else worded(value)


def without_absence(doc: str) -> str:
    """What a key is for, without what would hold if nothing were said."""
    return _WITHOUT.sub("", doc)


def facts_of(row: Row, takes: Takes, but: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """What a table says, each value with what its key is for (or else the key)."""
    for key, value in row.items():
        if key not in but:
            parameter = takes.get(key)
            yield (without_absence(parameter.doc) if parameter else key), worded(value)
