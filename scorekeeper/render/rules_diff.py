"""What differs between two rulesets, as values and as a page; its keys and values in words.

What keys are for, and how values are written for people, comes from what the words say of
themselves (`Parameter.doc`, `ClauseWord.doc`), so a table that a new phase brings needs nothing
here.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from scorekeeper.core.messages import number_of
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.pages import Item, Page, Section, told
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
    join_key,
    split_key,
)
from scorekeeper.ruleset.vocabulary import clause_words, phase_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.vocabulary import ClauseWord, PhaseSpec

    Takes = Mapping[str, Parameter]


NAMING = ("name", "title", "source", "rules")  # in which every two rulesets differ
ONLY_ONE, ONLY_OTHER, VALUE, PLACE = "only-one", "only-other", "value", "place"
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


class Difference(NamedTuple):
    """One thing that differs. `kind`: a row that only one has (`only-one`, `only-other`), a key's
    `value`, or the `place` of a row among those that both have. Where a key is not said, `one` and
    `other` are what holds then (None: nothing)."""

    kind: str
    section: str
    key: str
    label: str
    cite: str
    one: object
    other: object
    facts: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> Json:
        """The difference as plain values."""
        return {"kind": self.kind, "table": self.section, "heading": heading(self.section),
                "key": self.key, "label": self.label, "cite": self.cite,
                "one": self.one, "other": self.other}  # fmt: skip


def differences(one: Row, other: Row) -> list[Difference]:
    """All that differs between the tables of two rulesets, each with all that it extends, in the
    reading order of the other."""
    return list(_Comparison(one, other).all())


class _Comparison:
    def __init__(self, one: Row, other: Row) -> None:
        self.tables = one, other
        self.keys = Keys(one), Keys(other)

    def all(self) -> Iterator[Difference]:
        one, other = self.tables
        yield from self._values("", (), _head(one), _head(other), self.keys[1].plain(""), "")
        for section in union(one, other):
            mine, theirs = _table(one.get(section)), _table(other.get(section))
            if section == "sheet":
                for part in union(mine, theirs):
                    rows = _table(mine.get(part)), _table(theirs.get(part))
                    yield from self._rows(f"sheet.{part}", *rows)
            elif isinstance(one.get(section, other.get(section)), dict):
                yield from self._rows(section, mine, theirs)

    def _rows(self, section: str, one: Row, other: Row) -> Iterator[Difference]:
        plain = {**self.keys[0].plain(section), **self.keys[1].plain(section)}
        path = tuple(section.split("."))
        values: list[dict[str, object]] = [{}, {}]
        for name in union(one, other):
            mine, theirs = one.get(name), other.get(name)
            if name in plain or not (isinstance(mine, dict) or isinstance(theirs, dict)):
                for table, found in zip(values, (one, other), strict=True):
                    table.update({name: found[name]} if name in found else {})
            elif isinstance(mine, dict) and isinstance(theirs, dict):
                yield from self._row(section, name, mine, theirs)
            else:
                yield self._only(section, name, mine, theirs)
        cite = str(other.get("cite", one.get("cite", ""))) if plain else ""
        yield from self._values(path[0], path, values[0], values[1], plain, cite)
        if path[0] not in UNORDERED:
            yield from self._places(section, list(one), list(other))

    def _only(self, section: str, name: str, one: object, other: object) -> Difference:
        """A row that only one of them has."""
        place = 0 if isinstance(one, dict) else 1
        row = _table(one if place == 0 else other)
        keys = self.keys[place]
        takes = keys.row(section, name, row)
        facts = tuple(facts_of(row, takes, ("cite", "label")))
        kind = (ONLY_ONE, ONLY_OTHER)[place]
        key = join_key((*section.split("."), name))
        label, cite = keys.doc(section, name, row), str(row.get("cite", ""))
        return Difference(kind, section.split(".")[0], key, label, cite, one, other, facts)

    def _row(self, section: str, name: str, one: Row, other: Row) -> Iterator[Difference]:
        takes = {**self.keys[0].row(section, name, one), **self.keys[1].row(section, name, other)}
        path = (*section.split("."), name)
        if section == "clauses":
            one, other = ({"word": name, **row} for row in (one, other))
        cite = str(other.get("cite") or one.get("cite") or "")
        yield from self._values(path[0], path, one, other, takes, cite)

    def _values(
        self,
        section: str,
        path: Sequence[str],
        one: Row,
        other: Row,
        takes: Mapping[str, Parameter],
        cite: str,
    ) -> Iterator[Difference]:
        """The keys of one table that differ; one that is not said is what holds then."""
        for key in union(one, other):
            parameter = takes.get(key)
            label = parameter.doc if parameter is not None else ""
            mine, theirs = (table.get(key, default_of(parameter)) for table in (one, other))
            if _applied(mine, parameter) == _applied(theirs, parameter):
                continue
            inner = isinstance(mine, dict) and isinstance(theirs, dict) and mine and theirs
            pairs = [((*path, key), mine, theirs)]
            if inner:
                assert isinstance(mine, dict)
                assert isinstance(theirs, dict)
                pairs = [
                    ((*path, key, part), mine.get(part), theirs.get(part))
                    for part in union(mine, theirs)
                    if mine.get(part) != theirs.get(part)
                ]
            for where, left, right in pairs:
                yield Difference(VALUE, section, join_key(where), label, cite, left, right)

    def _places(self, section: str, one: list[str], other: list[str]) -> Iterator[Difference]:
        """The rows that stand elsewhere among those that both have: their order is applied."""
        old = [name for name in one if name in other]
        new = [name for name in other if name in one]
        rows = _table(self.tables[1].get(section.split(".")[0]))
        if old == new or not all(isinstance(rows.get(name, {}), dict) for name in new):
            return
        kept: set[str] = set()
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            kept.update(old[block.a : block.a + block.size])
        for name in new:
            if name not in kept:
                key = join_key((*section.split("."), name))
                label = "the row that it comes after"
                places = _before(name, old), _before(name, new)
                yield Difference(PLACE, section.split(".")[0], key, label, "", *places)


def _before(name: str, names: list[str]) -> str:
    """The row before that one; "first" if there is none."""
    place = names.index(name)
    return names[place - 1] if place else "first"


def _table(value: object) -> Row:
    return value if isinstance(value, dict) else {}


def _head(tables: Row) -> Row:
    """The plain values at the top."""
    return {key: value for key, value in tables.items() if not isinstance(value, dict)}


def _applied(value: object, parameter: Parameter | None) -> tuple[type, object]:
    """A value as it is applied: `1` and `"1"` are one number, a text alone is a list of one."""
    kind = parameter.kind if parameter is not None else ""
    if kind in EXPRESSIONS and value is not None:
        return str, str(value).lower() if isinstance(value, bool) else str(value)
    if kind in ("lines", "words") and isinstance(value, str):
        return list, [value]
    return type(value), value


# --- as a page


def page(found: Sequence[Difference], one: Row, other: Row) -> Page:
    """What differs between two rulesets, as a page."""
    names = [str(table.get("name", "")) for table in (one, other)]
    if names[0] == names[1]:
        names = ["the first", "the second"]
    rest = [each for each in found if each.key not in ("name", "title")]
    if not rest:
        but = " but what they are called" if found else ""
        return Page(f"Nothing differs between {names[0]} and {names[1]}{but}", (), ())
    many = number_of(len(rest), "difference")
    facts = [
        (name, str(table.get("title", ""))) for name, table in zip(names, (one, other), strict=True)
    ]
    facts.append((many, f"left of an arrow {names[0]}, right of it {names[1]}"))
    return Page(f"{names[0]} and {names[1]}", facts, sections(rest, *names))


def sections(found: Sequence[Difference], one: str, other: str) -> list[Section]:
    """Differences by table."""
    groups: dict[str, list[Difference]] = {}
    for each in found:
        groups.setdefault(each.section, []).append(each)
    return [
        Section(heading(name), (), (), items(group, one, other)) for name, group in groups.items()
    ]


def items(found: Sequence[Difference], one: str, other: str) -> list[Item]:
    """Differences as rows of a page; the rulesets are called so."""
    made = []
    for each in found:
        if each.kind in (ONLY_ONE, ONLY_OTHER):
            head = f"only in {one if each.kind == ONLY_ONE else other}: {split_key(each.key)[-1]}"
            lines = (each.label,) if each.label else ()
            made.append(Item(head, each.key, each.cite, lines, each.facts))
        else:
            words = without_absence(each.label) or each.key
            head = told(words, f"{worded(each.one)} → {worded(each.other)}")
            made.append(Item(head, each.key if each.label else "", each.cite))
    return made


# --- keys and values in words


def heading(section: str) -> str:
    """What a table is called on a page."""
    return HEADINGS.get(section) or section.replace("-", " ").replace("_", " ").capitalize()


class Keys:
    """What the keys of one ruleset's tables take; `tables` may have faults."""

    def __init__(self, tables: Row) -> None:
        self.phases: dict[str, PhaseSpec] = {}
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


def facts_of(row: Row, takes: Takes, but: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """What a table says, each value with what its key is for (or else the key)."""
    for key, value in row.items():
        if key not in but:
            parameter = takes.get(key)
            yield (without_absence(parameter.doc) if parameter else key), worded(value)


def without_absence(doc: str) -> str:
    """What a key is for, without what would hold if nothing were said."""
    return _WITHOUT.sub("", doc)


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
