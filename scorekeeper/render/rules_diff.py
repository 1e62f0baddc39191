"""Differences between two rulesets, as values and as a page with descriptions of keys.

The vocabulary provides the descriptions and value formats (`Parameter.doc`, `ClauseWord.doc`), so
tables of a new phase need no change here.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from scorekeeper.core.messages import format_count
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.pages import Page, PageItem, Section, fact_line
from scorekeeper.ruleset.merge import value_at
from scorekeeper.ruleset.ranking import FIGURE, RANKING
from scorekeeper.ruleset.reports import BREAKDOWN, HISTORY, SHEET, STATISTIC
from scorekeeper.ruleset.tables import (
    CLAUSE,
    HEADER,
    LANGUAGE,
    OWN_KEYS,
    REQUIRED,
    SCORE,
    TABLES,
    Parameter,
    join_key,
    phase_parameters,
    split_key,
)
from scorekeeper.ruleset.vocabulary import clause_words, find_phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.merge import MergedRuleset
    from scorekeeper.ruleset.vocabulary import ClauseWord, PhaseSpec

    Parameters = Mapping[str, Parameter]
    Parts = tuple[str, ...]


NAME_KEYS = (
    "name",
    "title",
    "called",
    "source",
    "rules",
)  # keys that differ between any two rulesets anyway
ONLY_ONE, ONLY_OTHER, VALUE, PLACE = "only-one", "only-other", "value", "place"
# Headings of tables. Any other table has its name as the heading.
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
# The order of tables on a page. All tables that are not listed appear at the position of "".
READING_ORDER = (
    *("pack", "orders", "deal", "sides", "let", "options", "phases"),
    *("contracts", "parties", "calls", "", "clauses"),
    *("scores", "specials", "melds", "victory", "penalties", "levelling"),
    *("counters", "tally", "match"),
)
# Tables in which the order of rows has no meaning.
UNORDERED = ("", "words", "languages", "let")
# The note in a key's description about what applies if the key is missing.
_DEFAULT_NOTE = re.compile(r" \((?:without it|empty|0): [^)]*\)")
EXPRESSION_KINDS = ("number", "condition")


class Difference(NamedTuple):
    """A difference between two rulesets.

    `key` is the key as an author writes it. `section` is the compiled table that contains it.

    `kind` is `only-one` or `only-other` for a row that only one ruleset has. It is `value` for a
    key, and `place` for a row in a different position. `one` and `other` are the values in the two
    rulesets, including defaults, or None for a missing value.
    """

    kind: str
    section: str
    key: str
    label: str
    cite: str
    one: object
    other: object
    facts: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> Json:
        """Return the difference as JSON values."""
        parts = split_key(self.key)
        table = parts[0] if self.section else ""
        return {"kind": self.kind, "table": table, "heading": table_heading(self.section),
                "key": self.key, "label": self.label, "cite": self.cite,
                "one": self.one, "other": self.other}  # fmt: skip


def find_differences(one: MergedRuleset, other: MergedRuleset) -> list[Difference]:
    """List the differences between two rulesets, in the reading order of the second.

    The compiled tables are compared, and each difference has the key that an author writes. If one
    written row is compiled into several rows, their differences are merged.
    """
    found: dict[str, Difference] = {}
    writing = _Writing(one, other)
    for each in _Comparison(one.table, other.table, writing.moved_rules()).find_all():
        path = writing.path_of(split_key(each.key), each.kind)
        key = join_key(path)
        each = each._replace(key=key)
        place = f"{PLACE} {key}" if each.kind == PLACE else key
        found[place] = writing.join(path, found[place], each) if place in found else each
    return list(found.values())


class _Writing:
    """The keys of two rulesets, as written in their files."""

    def __init__(self, one: MergedRuleset, other: MergedRuleset) -> None:
        self.rulesets = one, other

    def moved_rules(self) -> frozenset[str]:
        """Return the names of the rules that the two rulesets write in different places.

        Both rulesets have a compiled rule with such a name, but these are different rules.
        """
        rows = [_as_table(each.table.get("clauses")) for each in self.rulesets]
        one, other = self.rulesets
        names = [name for name in rows[0] if name in rows[1]]
        paths = [("clauses", name) for name in names]
        return frozenset(
            path[1] for path in paths if one.written_path(path) != other.written_path(path)
        )

    def path_of(self, compiled: Parts, kind: str) -> Parts:
        """Return the written path of a value in the compiled tables.

        The path in the second ruleset is used, unless only the first has the value. If a
        rule does not cite a paragraph itself, its `cite` has the path of the phase's `cite`.
        """
        one, other = self.rulesets
        is_gone = value_at(other.table, compiled) is None is not value_at(one.table, compiled)
        is_gone = kind == ONLY_ONE or (kind != ONLY_OTHER and is_gone)
        path = (one if is_gone else other).written_path(compiled)
        if compiled[0] == "clauses" and compiled[2:] == ("cite",) and path[0] != "clauses":
            rules = (each.written_path(compiled) for each in self.rulesets)
            if all(
                value_at(each.surface, rule) is None
                for each, rule in zip(self.rulesets, rules, strict=True)
            ):
                return (*path[: _words_of_phase(path)], "cite")
        return path

    def join(self, path: Parts, first: Difference, second: Difference) -> Difference:
        """Merge two differences that belong to the same written row."""
        cite = second.cite or first.cite
        if VALUE in (first.kind, second.kind):
            value = first if first.kind == VALUE else second
            return value._replace(cite=cite)
        one, other = (value_at(each.surface, path) for each in self.rulesets)
        if first.kind != second.kind:
            return first._replace(kind=VALUE, one=one, other=other, facts=())
        facts = tuple(dict.fromkeys((*first.facts, *second.facts)))
        return first._replace(one=one, other=other, cite=cite, facts=facts)


class _Comparison:
    """The comparison of two rulesets, table by table."""

    def __init__(self, one: Row, other: Row, moved_rules: frozenset[str]) -> None:
        self.moved_rules = moved_rules
        self.tables = one, other
        self.keys = RulesetKeys(one), RulesetKeys(other)

    def find_all(self) -> Iterator[Difference]:
        """Yield all differences."""
        one, other = self.tables
        yield from self._compare_values(
            "",
            (),
            _top_level_values(one),
            _top_level_values(other),
            (self.keys[1].table_parameters(""),) * 2,
            "",
        )
        for section in merge_names(one, other):
            mine, theirs = _as_table(one.get(section)), _as_table(other.get(section))
            if section == "sheet":
                for part in merge_names(mine, theirs):
                    rows = _as_table(mine.get(part)), _as_table(theirs.get(part))
                    yield from self._compare_rows(f"sheet.{part}", *rows)
            elif isinstance(one.get(section, other.get(section)), dict):
                yield from self._compare_rows(section, mine, theirs)

    def _compare_rows(self, section: str, one: Row, other: Row) -> Iterator[Difference]:
        """Compare the rows and keys of a table."""
        plain = {**self.keys[0].table_parameters(section), **self.keys[1].table_parameters(section)}
        path = tuple(section.split("."))
        values: list[dict[str, object]] = [{}, {}]
        for name in merge_names(one, other):
            mine, theirs = one.get(name), other.get(name)
            if name in plain or not (isinstance(mine, dict) or isinstance(theirs, dict)):
                for table, source in zip(values, (one, other), strict=True):
                    table.update({name: source[name]} if name in source else {})
            elif section == "clauses" and name in self.moved_rules:
                yield self._one_sided_row(section, name, mine, None)
                yield self._one_sided_row(section, name, None, theirs)
            elif isinstance(mine, dict) and isinstance(theirs, dict):
                yield from self._compare_row(section, name, mine, theirs)
            else:
                yield self._one_sided_row(section, name, mine, theirs)
        cite = str(other.get("cite", one.get("cite", ""))) if plain else ""
        yield from self._compare_values(path[0], path, values[0], values[1], (plain, plain), cite)
        if path[0] not in UNORDERED:
            yield from self._compare_places(section, list(one), list(other))

    def _one_sided_row(self, section: str, name: str, one: object, other: object) -> Difference:
        """Describe a row that only one ruleset has."""
        place = 0 if isinstance(one, dict) else 1
        row = _as_table(one if place == 0 else other)
        keys = self.keys[place]
        takes = keys.row_parameters(section, name, row)
        facts = tuple(table_facts(row, takes, ("cite", "label")))
        kind = (ONLY_ONE, ONLY_OTHER)[place]
        key = join_key((*section.split("."), name))
        label, cite = keys.row_doc(section, name, row), str(row.get("cite", ""))
        return Difference(kind, section.split(".")[0], key, label, cite, one, other, facts)

    def _compare_row(self, section: str, name: str, one: Row, other: Row) -> Iterator[Difference]:
        """Compare the keys of a row that both rulesets have."""
        first, second = (
            keys.row_parameters(section, name, row)
            for keys, row in zip(self.keys, (one, other), strict=True)
        )
        takes = {**second, **first}, {**first, **second}
        path = (*section.split("."), name)
        if section == "clauses":
            one, other = ({"word": name, **row} for row in (one, other))
        cite = str(other.get("cite") or one.get("cite") or "")
        yield from self._compare_values(path[0], path, one, other, takes, cite)

    def _compare_values(
        self,
        section: str,
        path: Sequence[str],
        one: Row,
        other: Row,
        parameters: tuple[Mapping[str, Parameter], Mapping[str, Parameter]],
        cite: str,
    ) -> Iterator[Difference]:
        """Compare the keys of a table. A missing key counts as its default value.

        `parameters` holds the keys that the table may have, with their defaults, for the first
        ruleset and for the second.
        """
        for key in merge_names(one, other):
            first, parameter = (each.get(key) for each in parameters)
            label = parameter.doc if parameter is not None else ""
            mine, theirs = one.get(key, default_of(first)), other.get(key, default_of(parameter))
            if _normalize(mine, first) == _normalize(theirs, parameter):
                continue
            inner = isinstance(mine, dict) and isinstance(theirs, dict) and mine and theirs
            pairs = [((*path, key), mine, theirs)]
            if inner:
                assert isinstance(mine, dict)
                assert isinstance(theirs, dict)
                pairs = [
                    ((*path, key, part), mine.get(part), theirs.get(part))
                    for part in merge_names(mine, theirs)
                    if mine.get(part) != theirs.get(part)
                ]
            for where, left, right in pairs:
                yield Difference(VALUE, section, join_key(where), label, cite, left, right)

    def _compare_places(
        self, section: str, one: list[str], other: list[str]
    ) -> Iterator[Difference]:
        """Yield the rows of a table that have moved from one ruleset to the other.

        Yield nothing if a name that both tables contain is not the name of a row.
        """
        old = [name for name in one if name in other]
        new = [name for name in other if name in one]
        rows = _as_table(self.tables[1].get(section.split(".")[0]))
        if old == new or not all(isinstance(rows.get(name, {}), dict) for name in new):
            return
        unmoved: set[str] = set()
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            unmoved.update(old[block.a : block.a + block.size])
        for name in new:
            if name not in unmoved:
                key = join_key((*section.split("."), name))
                label = "the row before it"
                places = _previous_row(name, old), _previous_row(name, new)
                yield Difference(PLACE, section.split(".")[0], key, label, "", *places)


def _previous_row(name: str, names: list[str]) -> str:
    """Return the name of the row before the given one, or "first" for the first row."""
    place = names.index(name)
    return names[place - 1] if place else "first"


def _as_table(value: object) -> Row:
    """Return the value if it is a table, otherwise an empty table."""
    return value if isinstance(value, dict) else {}


def _top_level_values(tables: Row) -> Row:
    """Return the top-level values that are not tables."""
    return {key: value for key, value in tables.items() if not isinstance(value, dict)}


def _normalize(value: object, parameter: Parameter | None) -> tuple[type, object]:
    """Return the type and value used for comparison.

    The expressions `1` and `"1"` are equal, and a single string equals a list that contains only
    this string.
    """
    kind = parameter.kind if parameter is not None else ""
    if kind in EXPRESSION_KINDS and value is not None:
        return str, str(value).lower() if isinstance(value, bool) else str(value)
    if kind in ("lines", "words") and isinstance(value, str):
        return list, [value]
    return type(value), value


# --- as a page


def build_page(differences: Sequence[Difference], one: Row, other: Row) -> Page:
    """Build a page with the differences between two rulesets."""
    names = [str(table.get("name", "")) for table in (one, other)]
    if names[0] == names[1]:
        names = ["the first", "the second"]
    rest = [each for each in differences if each.key not in ("name", "title")]
    if not rest:
        but = " except their names" if differences else ""
        return Page(f"Nothing differs between {names[0]} and {names[1]}{but}", (), ())
    many = format_count(len(rest), "difference")
    facts = [
        (name, str(table.get("title", ""))) for name, table in zip(names, (one, other), strict=True)
    ]
    facts.append((many, f"left of an arrow {names[0]}, right of it {names[1]}"))
    return Page(f"{names[0]} and {names[1]}", facts, build_sections(rest, *names))


def build_sections(differences: Sequence[Difference], one: str, other: str) -> list[Section]:
    """Group differences by table."""
    groups: dict[str, list[Difference]] = {}
    for each in differences:
        groups.setdefault(each.section, []).append(each)
    return [
        Section(table_heading(name), (), (), build_items(group, one, other))
        for name, group in groups.items()
    ]


def build_items(differences: Sequence[Difference], one: str, other: str) -> list[PageItem]:
    """Build a page item for each difference. Items use the given names of the rulesets."""
    made = []
    for each in differences:
        if each.kind in (ONLY_ONE, ONLY_OTHER):
            head = f"only in {one if each.kind == ONLY_ONE else other}: {_name_of_row(each.key)}"
            lines = (each.label,) if each.label else ()
            made.append(PageItem(head, each.key, each.cite, lines, each.facts))
        else:
            words = strip_default_note(each.label) or each.key
            head = fact_line(words, f"{format_value(each.one)} → {format_value(each.other)}")
            made.append(PageItem(head, each.key if each.label else "", each.cite))
    return made


def _name_of_row(key: str) -> str:
    """Return a row's key without the path of its table. If nothing would remain, return the last
    part of the key."""
    parts = split_key(key)
    return " ".join(parts[_words_of_phase(parts) :] or parts[-1:])


def _words_of_phase(path: Parts) -> int:
    """Return how many parts at the beginning of a row's path belong to the path of its table."""
    return 2 if path[0] == "phases" else 1 if path[0] in OWN_KEYS else len(path) - 1


# --- descriptions of keys and values


def table_heading(section: str) -> str:
    """Return the heading of a table."""
    return HEADINGS.get(section) or section.replace("-", " ").replace("_", " ").capitalize()


class RulesetKeys:
    """The parameters of the tables in a ruleset, even in a ruleset with errors."""

    def __init__(self, tables: Row) -> None:
        self.phases: dict[str, PhaseSpec] = {}
        phases = tables.get("phases")
        rows = phases if isinstance(phases, dict) else {}
        for name, row in {"table": {}, **rows}.items():
            cls = find_phase(name, row if isinstance(row, dict) else {})
            if cls is not None:
                self.phases[name] = cls
        self.clause_words = clause_words(self.phases.values())
        self._table_parameters: dict[str, Parameters] = {
            "": HEADER,
            **TABLES,
            "history": HISTORY,
            "ranking": RANKING,
        }
        self._row_parameters: dict[str, Parameters] = {
            "languages": LANGUAGE,
            "scores": SCORE,
            "statistics": STATISTIC,
            "breakdowns": BREAKDOWN,
            "figures": FIGURE,
        }
        for cls in self.phases.values():
            for section, takes in cls.row_tables.items():
                (self._table_parameters if section in cls.single_tables else self._row_parameters)[
                    section
                ] = takes

    def table_parameters(self, section: str) -> Parameters:
        """Return the parameters of a table without rows, or none if the table is unknown."""
        return self._table_parameters.get(section, {})

    def row_parameters(self, section: str, name: str, row: Row) -> Parameters:
        """Return the parameters of a row. The table may be a part of `[sheet]`, such as
        `sheet.columns`."""
        if section == "clauses":
            word = self.clause_word(name, row)
            return {**CLAUSE, **(word.parameters if word is not None else {})}
        if section == "phases":
            cls = self.phases.get(name)
            return {} if cls is None else phase_parameters(cls.parameters, cls.concurrent)
        whole, _, part = section.partition(".")
        return SHEET.get(part, {}) if whole == "sheet" else self._row_parameters.get(section, {})

    def clause_word(self, name: str, row: Row) -> ClauseWord | None:
        """Return the clause word that a row of `[clauses]` uses, or None if it is unknown."""
        word = row.get("word", name)
        return self.clause_words.get(word) if isinstance(word, str) else None

    def row_doc(self, section: str, name: str, row: Row) -> str:
        """Return the description of a row's clause word or phase, or otherwise the row's label or
        ""."""
        if section == "clauses":
            word = self.clause_word(name, row)
            return word.doc if word is not None else ""
        if section == "phases":
            return self.phases[name].doc if name in self.phases else ""
        label = row.get("label")
        return label if isinstance(label, str) else ""


def merge_names(one: Iterable[str], other: Iterable[str]) -> list[str]:
    """Return the names of both lists in the order of the second.

    A name that is only in the first list follows the name that precedes it there.
    """
    merged = list(other)
    last = ""
    for name in one:
        if name not in merged:
            merged.insert(merged.index(last) + 1 if last else 0, name)
        last = name
    return merged


def default_of(parameter: Parameter | None) -> object:
    """Return the value that applies if a key is missing, or None if there is no such value."""
    if parameter is None or parameter.default is REQUIRED:
        return None
    return parameter.default


def table_facts(
    row: Row, parameters: Parameters, exclude: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield the values of a table, each with the description of its key, or with the key itself if
    there is none."""
    for key, value in row.items():
        if key not in exclude:
            parameter = parameters.get(key)
            yield (strip_default_note(parameter.doc) if parameter else key), format_value(value)


def strip_default_note(doc: str) -> str:
    """Return a key's description without the note about what applies if the key is missing."""
    return _DEFAULT_NOTE.sub("", doc)


def format_value(value: object) -> str:
    """Format a value for readers. Expressions remain as they are."""
    if value is None or value == "" or value == [] or value == {}:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_format_part(part) for part in value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {format_value(part)}" for key, part in value.items())
    return str(value)


def _format_part(value: object) -> str:
    """Format a list item. A nested list contains cards of equal strength."""
    return f"({' = '.join(map(str, value))})" if isinstance(value, list) else format_value(value)
