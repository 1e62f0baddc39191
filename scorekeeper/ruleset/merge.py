"""Merge a ruleset with everything it extends, and record which file set each value.

Options given by the caller are merged last.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.text import find_nearest, parse_signed, quote
from scorekeeper.core.versions import Versions
from scorekeeper.ruleset.calls_table import HOLDINGS
from scorekeeper.ruleset.sources import (
    INCLUDED_FOLDER,
    SHEET_PAGE,
    RulesetFault,
    find_included,
    find_named,
    find_pages,
    find_ruleset,
    is_path,
    is_same_file,
    list_included,
    name_of,
    quote_path,
    read_table,
    stamp_of,
)
from scorekeeper.ruleset.surface import (
    DESCRIBING,
    LANGUAGE,
    SHEET_PAGE_TABLES,
    Shape,
    as_file,
    as_shown,
    expand,
    phases_named,
    with_defaults_of_file,
)
from scorekeeper.ruleset.tables import LANGUAGE as LANGUAGE_TABLE
from scorekeeper.ruleset.tables import (
    MAX_SETTING,
    OWN_KEYS,
    VERSIONS,
    describe_kind,
    join_key,
    parse_toml_line,
    split_key,
    suggest,
)
from scorekeeper.ruleset.vocabulary import BESIDE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.sources import Stamp

    Parts = tuple[str, ...]
    ReadFile = tuple[Path, Stamp, Json]
    ReadRules = Callable[[Path], tuple[Json, list[RulesetFault]]]

# Tables whose rows are grouped in inner tables.
NESTED = ("sheet",)
# The only table in which a row can be a share of another row.
SHARING = ("statistics",)
# The table whose rows can be counted in `statistics`.
COUNTED = ("scores",)
CLAUSES = "clauses"
# The row of a table that has default values for the table's other rows in the same file.
DEFAULTS = "defaults"
# The table in which a file cites its own rule text for inherited rows.
CITES = "cites"
# The first row that matches a card sets its points, so new rows are placed before inherited rows.
# The tables in POINTED have rows with card points.
POINTS, POINTED = "points", ("orders", "phases")
# The tables that an included file may have.
WORDS = ("words", "languages")
# The versions of the language in which files may be written.
_LANGUAGES: Versions[Json] = Versions(LANGUAGE, {})
# A dotted key in a message.
_KEY = re.compile(r"[\w-]+(?:\.[\w-]+)+")
OPTIONS = "the options"
"""The source of a value that an option sets. It is reported in place of a file name."""


class MergedRuleset:
    """A ruleset merged with everything it extends.

    `table` is the result, which is empty if a file could not be read. `files` are the files
    involved, beginning with the ruleset's own. `rulesets` are the files with rules: its own and
    those that it extends, in this order. `languages` are the pages with one language each. `stamps`
    are the states of the files when they were read.
    """

    __slots__ = (
        *("_origins", "_recited", "_written", "files", "languages", "rulesets", "shape"),
        *("stamps", "surface", "table"),
    )

    def __init__(self, table: Json, stamps: dict[Path, Stamp] | None = None) -> None:
        self.table = table
        self.surface = table
        self.shape: Shape | None = None
        self.stamps = stamps or {}
        self.files = tuple(self.stamps)
        self.rulesets: tuple[Path, ...] = ()
        self.languages: frozenset[str] = frozenset()
        self._origins: dict[Parts, str] = {}
        self._recited: dict[Parts, str] = {}
        self._written: dict[Parts, Parts] = {}

    def expand(self) -> list[RulesetFault]:
        """Translate the merged tables into compiled tables (see `surface.expand`).

        Afterwards, `surface` contains the tables as written.
        """
        if self.shape is None:
            return []
        self.surface = as_file(self.table)
        expanded = expand(self.table, self.shape)
        self.table, self._written = expanded.table, expanded.written
        self.resolve()
        return [
            RulesetFault(
                self._file_of(fault.key),
                join_key(as_shown(fault.key)),
                fault.message,
                fault.found,
                fault.allowed,
            )
            for fault in expanded.faults
        ]

    @property
    def file_shape(self) -> Shape:
        """The shape of the ruleset's files."""
        assert self.shape is not None
        return self.shape

    def origin(self, key: str) -> str:
        """Return the file that set the value at a dotted key, or the row or table around it.

        The result is OPTIONS for a value set by the caller. For the key `cites`, it is the file
        that named the rule text.
        """
        return self._file_of(("rules",) if key == CITES else self._path_as_written(key))

    def _file_of(self, parts: Parts) -> str:
        for length in range(len(parts), 0, -1):
            file = self._origins.get(parts[:length])
            if file is not None:
                return file
        return quote_path(self.files[0]) if self.files else ""

    def _path_as_written(self, key: str) -> Parts:
        """Return the path that a file uses for a key of `table`."""
        return self._source_of(split_key(key) or (key,))

    def written_path(self, parts: Parts) -> Parts:
        """Return the path that an author writes for a path in `table`."""
        path = self._source_of(parts)
        return path if self.shape is None else as_shown(path)

    def _source_of(self, parts: Parts) -> Parts:
        for length in range(len(parts), 0, -1):
            written = self._written.get(parts[:length])
            if written is not None:
                return written + parts[length:]
        return parts

    def claim_own(self, key: str) -> None:
        """Attribute the value at a key to the ruleset's own file from now on."""
        self._origins[split_key(key)] = quote_path(self.files[0])

    def is_set_by(self, file: str, key: str) -> bool:
        """Return whether a file set the value at a key, or a value inside it."""
        parts = split_key(key)
        return any(
            own == file and here[: len(parts)] == parts for here, own in self._origins.items()
        )

    def written_key(self, key: str) -> str:
        """Return the key under which a file wrote a value.

        The key of a citation may be in [cites]. In the page of a language, keys do not begin with
        `languages` and the code of the language.
        """
        parts = self._path_as_written(key)
        if parts in self._recited:
            return self._recited[parts]
        if parts[0] == "languages" and len(parts) > 2 and self._file_of(parts) in self.languages:
            return join_key(parts[2:])
        shown = parts if self.shape is None else as_shown(parts)
        return join_key(shown) if shown not in (split_key(key), (key,)) else key

    def as_written(self, message: str) -> str:
        """Return a message in which each key of `table` is replaced by the key that the file
        uses."""
        return _KEY.sub(lambda found: self.written_key(found[0]), message)

    def resolve(self) -> None:
        """Reorder every table so that single values precede tables, as in the pinned text."""
        _resolve(self.table)


def resolve(
    name_or_path: str, allow_path: bool = False, read: ReadRules = read_table
) -> tuple[MergedRuleset, list[RulesetFault]]:
    """Return a ruleset merged with everything it extends, and all faults.

    `read` reads a file with rules. Raises Unreadable if there is no such ruleset. If a ruleset
    named in `extends` is missing, that is a fault.
    """
    rulesets, layers, faults = _read_layers(find_ruleset(name_or_path, allow_path), read)
    merged = MergedRuleset({}, {path: stamp for path, stamp, _ in layers})
    merged.rulesets = tuple(rulesets)
    rules = [(path, table) for path, _, table in layers if path in rulesets]
    faults = faults or _find_other_versions(rules)
    if faults:
        return merged, faults
    merged.shape = Shape(phases_named(table for _, _, table in layers))
    merged.languages = frozenset(
        quote_path(path) for path, _, _ in layers if _is_language_page(path, rulesets)
    )
    base = rules[-1][1]
    if isinstance(base.get("name"), str):
        base.setdefault("rules", base["name"])
    for path, _, table in reversed(layers):
        layer = Layer(merged, quote_path(path))
        cites = table.pop(CITES, {})
        layer.merge_file(table)
        layer.apply_cites(cites)
        faults += layer.faults
    merged.resolve()
    return merged, faults


def is_earlier(table: Row) -> bool:
    """Return whether a file is written in the previous rule language."""
    version = table.get("language")
    return type(version) is int and VERSIONS.first <= version < LANGUAGE


def _find_other_versions(rules: list[tuple[Path, Json]]) -> list[RulesetFault]:
    """Return a fault for each ruleset file that is not in the current language."""
    faults = []
    for path, table in rules:
        version = table.get("language", LANGUAGE)
        message, allowed = "must be a whole number", str(LANGUAGE)
        if is_earlier(table):
            message = "the file is in the previous language"
            command = f"scorekeeper rules convert {quote_path(path)}"
            allowed = f"{LANGUAGE}: `{command}` rewrites the file"
        elif type(version) is int:
            try:
                _LANGUAGES.check("this ruleset", version)
                continue
            except Damaged as failure:
                message = failure.message
        found = describe_kind(version)
        faults.append(RulesetFault(quote_path(path), "language", message, found, allowed))
    return faults


def _is_language_page(path: Path, rulesets: list[Path]) -> bool:
    is_included = path.parent.name == INCLUDED_FOLDER
    return path not in rulesets and path.stem != SHEET_PAGE and not is_included


def _read_layers(
    path: Path, read: ReadRules
) -> tuple[list[Path], list[ReadFile], list[RulesetFault]]:
    """Return the files with rules, all files in reverse order of merging, and the faults."""
    layers: list[ReadFile] = []
    rulesets: list[Path] = []
    while True:
        rulesets.append(path)
        stamp = stamp_of(path)
        table, faults = read(path)
        layers.append((path, stamp, table))
        if not faults:
            pages, wrong = _read_pages(path)
            layers += pages
            faults += wrong
        if "includes" in table:
            below, wrong = _read_included(path, table.pop("includes"))
            layers += below
            faults += wrong
        if faults or "extends" not in table:
            return rulesets, layers, faults
        base = _find_extended(path, table.pop("extends"), rulesets)
        if isinstance(base, RulesetFault):
            return rulesets, layers, [base]
        path = base


def _read_pages(path: Path) -> tuple[list[ReadFile], list[RulesetFault]]:
    """Return the other pages of a ruleset: its sheet and its languages.

    Each page may only have its own tables.
    """
    layers: list[ReadFile] = []
    faults: list[RulesetFault] = []
    for page in find_pages(path):
        stamp = stamp_of(page)
        table, wrong = read_table(page)
        faults += wrong
        is_sheet = page.stem == SHEET_PAGE
        allowed = SHEET_PAGE_TABLES if is_sheet else tuple(LANGUAGE_TABLE)
        what = "a sheet page" if is_sheet else "a language page"
        faults += [
            RulesetFault(
                quote_path(page), key, f"{what} cannot have this table", key, ", ".join(allowed)
            )
            for key in table
            if key not in allowed
        ]
        layers.append((page, stamp, table if is_sheet else {"languages": {page.stem: table}}))
    return layers, faults


def _read_included(path: Path, names: object) -> tuple[list[ReadFile], list[RulesetFault]]:
    """Return the word files that a file includes, in reverse order, and all faults."""
    file = quote_path(path)
    layers: list[ReadFile] = []
    faults: list[RulesetFault] = []
    if not (isinstance(names, list) and len(names) <= untrusted.MAX_EXTENDS):
        allowed = f"a list of at most {untrusted.MAX_EXTENDS} names"
        return [], [
            RulesetFault(file, "includes", "not a list of names", describe_kind(names), allowed)
        ]
    for name in names:
        file_path = find_included(name) if isinstance(name, str) else None
        if file_path is None:
            message, allowed = "there is no such file of words", suggest(str(name), list_included())
            faults.append(RulesetFault(file, "includes", message, f'"{quote(name)}"', allowed))
            continue
        stamp = stamp_of(file_path)
        table, wrong = read_table(file_path)
        layers.insert(0, (file_path, stamp, table))
        faults += wrong
        faults += [
            RulesetFault(
                quote_path(file_path),
                key,
                "an included file may only have words",
                key,
                ", ".join(WORDS),
            )
            for key in table
            if key not in WORDS
        ]
    return layers, faults


def _find_extended(path: Path, base: object, before: list[Path]) -> Path | RulesetFault:
    file = quote_path(path)
    if not isinstance(base, str):
        return RulesetFault(file, "extends", "not a name", quote(base), "the name of a ruleset")
    try:
        # A user's file may extend the shipped ruleset that has the same name.
        target = find_ruleset(base) if is_path(base) else find_named(base, path)
    except Unreadable as failure:
        if base == name_of(path):
            message = f'a ruleset cannot extend itself, and there is no other "{quote(base)}"'
            return RulesetFault(
                file, "extends", message, f"{base} -> {base}", "another ruleset's name"
            )
        return RulesetFault(file, "extends", failure.message, f'"{quote(base)}"', failure.hint)
    if any(is_same_file(target, done) for done in before):
        chain = " -> ".join(quote(name_of(done)) for done in [*before, target])
        message = (
            f'"{quote(name_of(target))}" extends itself, through rulesets that extend one another'
        )
        return RulesetFault(file, "extends", message, chain, "a chain that comes to an end")
    if len(before) > untrusted.MAX_EXTENDS:
        return RulesetFault(
            file, "extends", f"a chain of more than {untrusted.MAX_EXTENDS} rulesets"
        )
    return target


class Layer:
    """One file, or one set of options, to merge into the result so far."""

    __slots__ = ("_file", "_merged", "faults", "shape")

    def __init__(self, merged: MergedRuleset, file: str) -> None:
        self._merged = merged
        self._file = file
        self.shape = merged.shape
        self.faults: list[RulesetFault] = []

    def merge_file(self, table: Row) -> None:
        """Merge a file's table, or a table of options, into the result so far."""
        if self.shape is not None:
            for name in self.shape.misplaced(table):
                message = "there is no such phase in a ruleset file"
                self._add_fault(("phases", name), message, name, BESIDE[name], written=True)
            if HOLDINGS in table:
                message = "there is no such table in a ruleset file"
                found = f"[{HOLDINGS}]"
                self._add_fault((HOLDINGS,), message, found, "rows of [calls]", written=True)
            table = self.shape.normalize({k: of for k, of in table.items() if k != HOLDINGS})
        self.merge(self._merged.table, table)

    def merge(self, base: Json, over: Row, at: Parts = ()) -> None:
        """Merge the table `over` into `base`, whose path is `at`. Move rows as `over` requests."""
        is_surface = self.shape is not None
        rows = len(at) == 1 and bool(base) and all(map(_is_row, base.values()))
        moves = []
        known = list(base)
        defaults = self._defaults(over, at)
        for key, value in over.items():
            here = (*at, key)
            if defaults is not None and key == DEFAULTS:
                continue
            if defaults and isinstance(value, dict) and not isinstance(base.get(key), dict):
                value = with_defaults_of_file(value, defaults)
            if value is False and key not in base and here[0] == "phases" and key in OWN_KEYS:
                continue  # a table in OWN_KEYS that is dropped in full
            if value is False and key not in base and (rows or self._rule_at(here)):
                message, rule = "there is no such row to drop", self._rule_at(here)
                if rule:
                    self._add_fault(here, message, f'"{quote(key)}"', f"{rule} = false")
                else:
                    self._add_missing(here, message, key, base)
            elif isinstance(value, dict):
                places = {
                    word: target
                    for word, target in _requested_places(value, here).items()
                    # A standard rule gets its place only when the whole ruleset is expanded.
                    if not (is_surface and at == (CLAUSES,) and target not in {**base, **over})
                }
                moves += [(key, word, target) for word, target in places.items()]
                rest = {inner: value[inner] for inner in value if inner not in places}
                self._merge_table(base, key, rest, here)
            else:
                self._set(base, key, value, here)
        self._move(base, moves, at)
        if at[-1:] == (POINTS,) and at[0] in POINTED and known:
            _reorder(base, sorted(base, key=known.__contains__))

    def _defaults(self, over: Row, at: Parts) -> Row | None:
        """Return the default values for the rows that the file adds to the table at a path."""
        if self.shape is None or len(at) != 1 or at[0] not in self.shape.rows:
            return None
        defaults = over.get(DEFAULTS)
        if defaults is None or isinstance(defaults, dict):
            return defaults
        self._add_fault((*at, DEFAULTS), "not a table", describe_kind(defaults), "{ KEY = VALUE }")
        return {}

    def _rule_at(self, here: Parts) -> str:
        """Return the key in a phase's table for the rule at a path in [clauses], or "" if no phase
        has it."""
        phases, shape = self._merged.table.get("phases"), self.shape
        if shape is None or here[:-1] != (CLAUSES,) or not isinstance(phases, dict):
            return ""
        paths = (shape.path_of_rule(phase, here[-1], phases) for phase in phases)
        return next((join_key(as_shown(path)) for path in paths if path is not None), "")

    def _merge_table(self, base: Json, key: str, over: Json, here: Parts) -> None:
        old = base.get(key)
        if not isinstance(old, dict):
            base[key] = {}
            self._merged._origins[here] = self._file
        self.merge(base[key], over, here)

    def _set(self, base: Json, key: str, value: object, here: Parts) -> None:
        old = base.get(key)
        table = isinstance(old, dict)
        is_word = self.shape is not None and len(here) == 3 and here[0] == "phases"
        if value is False and not is_word and (table or (len(here) == 2 and _is_row(old))):
            del base[key]
            self._forget(old, here)
            if here[:-1] == SHARING:
                self._drop_shares(base, key)
            elif here[:-1] == COUNTED:
                self._drop_counts(key)
            self._drop_described(here)
        elif table and len(here) <= 2:
            self._add_fault(
                here, "not a table", describe_kind(value), "a table, or false to drop it"
            )
        else:
            self._forget(old, here)
            base[key] = value
            self._merged._origins[here] = self._file

    def _drop_described(self, here: Parts) -> None:
        """Drop the sheet's rows about a dropped row."""
        for name, target in DESCRIBING.items():
            rows = self._merged.table.get(name)
            if here == (target, here[-1]) and isinstance(rows, dict):
                rows.pop(here[-1], None)
                self._forget({}, (name, here[-1]))

    def _drop_shares(self, rows: Json, whole: str) -> None:
        """Turn rows that were shares of a dropped row into simple counts."""
        for name, row in rows.items():
            if isinstance(row, dict) and row.get("of") == whole:
                self._forget(row.pop("of"), (*SHARING, name, "of"))

    def _drop_counts(self, line: str) -> None:
        """Remove a dropped score row from the statistics that count it.

        Drop a statistic if it has no other score row to count.
        """
        rows = self._merged.table.get(SHARING[0])
        if not isinstance(rows, dict):
            return
        for name, row in list(rows.items()):
            lines = row.get("lines") if isinstance(row, dict) else None
            if isinstance(lines, list) and line in lines:
                left = [each for each in lines if each != line]
                if left:
                    row["lines"] = left
                else:
                    self._set(rows, name, False, (*SHARING, name))

    def _move(self, base: Json, moves: list[tuple[str, str, str]], at: Parts) -> None:
        order = list(base)
        # In reverse order, so that several rows placed after the same row stay in the file's order.
        after = [move for move in reversed(moves) if move[1] == "after"]
        for key, word, target in [move for move in moves if move[1] == "before"] + after:
            if target in base and target != key:
                order.remove(key)
                order.insert(order.index(target) + (word == "after"), key)
            else:
                others = (name for name in order if name != key)
                self._add_missing(
                    (*at, key, word), "there is no such row in its table", target, others
                )
        if moves:
            _reorder(base, order)

    def apply_cites(self, cites: object) -> None:
        """Set the citations listed in [cites], for rows given by path or by code."""
        if not isinstance(cites, dict):
            self._add_fault((CITES,), "not a table", describe_kind(cites), 'ROW = "PARAGRAPH"')
            return
        for parts, value in _flatten(cites, ()):
            here = (CITES, ".".join(parts))
            path = self._cited_row(parts)
            row = value_at(self._merged.table, path)
            if not isinstance(row, dict) or (len(path) == 1 and all(map(_is_row, row.values()))):
                known = _cited_rows(self._merged.table)
                self._add_missing(here, "there is no such row", ".".join(parts), known)
            elif not isinstance(value, str) or not value:
                self._add_fault(
                    here, "not a paragraph", describe_kind(value), 'its number, in quotes: "2.1"'
                )
            else:
                self._set(row, "cite", value, (*path, "cite"))
                self._merged._recited[*path, "cite"] = join_key(here)

    def _cited_row(self, parts: Parts) -> Parts:
        """Return the path of a row that is given by its path or, for a clause, by its code.

        If no file has written a standard rule, a row for it is added to its phase's table.
        """
        table, shape = self._merged.table, self.shape
        if shape is not None and len(parts) == 1 and parts[0] in OWN_KEYS:
            return ("phases", *parts)
        if isinstance(value_at(table, parts), dict):
            return parts
        phases, named = table.get("phases"), parts[1:] if parts[0] == "phases" else parts
        if len(named) != 2 or not isinstance(phases, dict):
            return parts
        if parts == named and isinstance(value_at(table, (CLAUSES, named[1])), dict):
            is_played = shape is not None or named[0] == "table" or named[0] in phases
            return (CLAUSES, named[1]) if is_played else parts
        path = None if shape is None else shape.path_of_rule(*named, phases)
        if shape is None or path is None:
            return parts
        if shape.is_standard(path) and value_at(table, path) is None:
            phases[path[1]][path[2]] = {}
        return path

    def _forget(self, old: object, here: Parts) -> None:
        self._merged._origins.pop(here, None)
        self._merged._recited.pop(here, None)
        if isinstance(old, dict):
            for key, value in old.items():
                self._forget(value, (*here, key))

    def _add_missing(self, here: Parts, message: str, word: str, known: Iterable[str]) -> None:
        if len(self.faults) < untrusted.MAX_FAULTS:
            self._add_fault(here, message, f'"{quote(word)}"', suggest(word, known))

    def _add_fault(
        self, here: Parts, message: str, found: str, allowed: str, written: bool = False
    ) -> None:
        """Add a fault at a path in the merged tables, or in the file if `written` is true."""
        shown = here if written or self.shape is None else as_shown(here)
        if len(self.faults) < untrusted.MAX_FAULTS:
            self.faults.append(RulesetFault(self._file, join_key(shown), message, found, allowed))


def _is_row(value: object) -> bool:
    return isinstance(value, dict | list)


def _flatten(table: Row, at: Parts) -> Iterator[tuple[Parts, object]]:
    """Yield the values in [cites] with the parts of their keys, whether dotted or nested."""
    for key, value in table.items():
        parts = (*at, *(split_key(key) or (key,)))
        if isinstance(value, dict):
            yield from _flatten(value, parts)
        else:
            yield parts, value


def value_at(table: Row, parts: Parts) -> object:
    value: object = table
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _cited_rows(table: Row, at: Parts = ()) -> Iterator[str]:
    """Yield the paths of all rows that have a citation."""
    for key, value in table.items():
        if isinstance(value, dict):
            if "cite" in value:
                yield join_key((*at, key))
            yield from _cited_rows(value, (*at, key))


def _requested_places(row: Json, here: Parts) -> dict[str, str]:
    """Return the position that a row requests, as `before` or `after` and the name of the other
    row."""
    if len(here) != (3 if here[0] in NESTED else 2):
        return {}
    return {word: row[word] for word in ("before", "after") if isinstance(row.get(word), str)}


def _reorder(table: Json, keys: Iterable[str]) -> None:
    rows = {key: table[key] for key in keys}
    table.clear()
    table.update(rows)


def _resolve(table: Json) -> None:
    _reorder(table, sorted(table, key=lambda key: _sort_rank(table[key])))
    for value in table.values():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                _resolve(part)


def _sort_rank(value: object) -> int:
    if isinstance(value, dict):
        return 2
    tables = isinstance(value, list) and value and all(isinstance(part, dict) for part in value)
    return int(bool(tables))


# --- options from outside: `--set KEY=VALUE`, a record's options, or the library's


def set_values(merged: MergedRuleset, settings: Iterable[str]) -> tuple[Json, list[RulesetFault]]:
    """Apply each `KEY=VALUE` from a command line, all at once (see `set_options`).

    VALUE is read as TOML if possible, and otherwise as a string.
    """
    options: Json = {}
    faults: list[RulesetFault] = []
    for setting in settings:
        key, sign, text = setting.partition("=")
        if not sign or len(setting) > MAX_SETTING:
            faults.append(
                RulesetFault(OPTIONS, "", "this is not a setting", quote(setting), "KEY=VALUE")
            )
        else:
            options[key.strip()] = _parse_value(text)
    applied, wrong = set_options(merged, options)
    return applied, faults + wrong


def set_options(
    merged: MergedRuleset, options: Mapping[str, object]
) -> tuple[Json, list[RulesetFault]]:
    """Apply options to `merged`. Their keys may be dotted, and their values may be nested tables.

    The value `false` drops a row. The key or its table must exist. The schema checks later whether
    the table allows the key. A row that does not exist is added, unless its name looks mistyped.
    Return the applied options as a record stores them, which is a map from dotted keys to values,
    and all faults.
    """
    applied: Json = {}
    layer = Layer(merged, OPTIONS)
    leaves: list[tuple[Parts, object]] = []
    for key, value in options.items():
        parts = split_key(key)
        if parts:
            leaves += _leaves(merged.table, parts, value)
        else:
            layer.faults.append(
                RulesetFault(OPTIONS, quote(key), "this is not a key", "", "table.row.key")
            )
        if len(leaves) > untrusted.MAX_OPTIONS or len(layer.faults) > untrusted.MAX_FAULTS:
            allowed = f"at most {untrusted.MAX_OPTIONS} values"
            return {}, [
                RulesetFault(OPTIONS, "", "too many values are set", f"{len(options)}", allowed)
            ]
    # Tables in which an option may add rows although the ruleset has none.
    tables: set[Parts] = set()
    if merged.shape is not None:
        tables = {(name,) for name in (*merged.shape.rows, *OWN_KEYS)}
    new = _new_rows(merged.table, leaves, tables)
    for here, leaf in leaves:
        if _apply(layer, merged.table, here, leaf, new):
            applied[join_key(here)] = leaf
    merged.resolve()
    return applied, layer.faults


def _leaves(table: Json, parts: Parts, value: object) -> list[tuple[Parts, object]]:
    """Return the values in an option, each with its path.

    A table is split into its values only where the ruleset has a table too.
    """
    if not isinstance(value, dict) or not value or len(parts) > untrusted.MAX_DEPTH:
        return [(parts, value)]
    if not isinstance(value_at(table, parts), dict):
        return [(parts, value)]
    leaves = []
    for key, inner in value.items():
        leaves += _leaves(table, (*parts, key), inner)
    return leaves


def _new_rows(table: Json, leaves: list[tuple[Parts, object]], tables: set[Parts]) -> set[Parts]:
    """Return the paths of rows that the options add.

    If only one value of a new row is set, its name may be a mistyped name of an existing row. In
    that case, the row is not added if its name resembles an existing name. A row that only sets
    `cite` is always added, because a clause named after its word needs no other key.
    """
    new: set[Parts] = set()
    rows = [here[:-1] for here, _ in leaves]
    for here, _ in leaves:
        row, key = here[:-1], here[-1]
        if row in tables and value_at(table, row) is None:
            new.add(row)
            continue
        beside = value_at(table, row[:-1])
        if beside is None and row[:1] in tables and len(row) == 2:
            new.add(row)
            continue
        if not (row[1:] and isinstance(beside, dict) and row[-1] not in beside):
            continue
        if key == "cite" or rows.count(row) > 1 or not find_nearest(row[-1], beside):
            new.add(row)
    return new


def _apply(layer: Layer, table: Json, here: Parts, value: object, new: set[Parts]) -> bool:
    fits = here[:-1] in new
    problem = (
        _storage_problem(join_key(here), value) if fits else _setting_problem(table, here, value)
    )
    if problem:
        layer.faults.append(problem)
        return False
    # The result must not share the caller's lists and tables.
    over: Json = {here[-1]: _copy(value)}
    for part in reversed(here[:-1]):
        over = {part: over}
    count = len(layer.faults)
    layer.merge_file(over)
    return len(layer.faults) == count


def _setting_problem(table: Json, here: Parts, value: object) -> RulesetFault | None:
    key = join_key(here)
    if here == ("extends",):
        return RulesetFault(OPTIONS, key, "what a ruleset extends cannot be set")
    if here[0] == CITES:
        return RulesetFault(OPTIONS, key, "set a citation in its row", "", "TABLE.ROW.cite")
    for length in range(1, len(here)):
        inner = value_at(table, here[:length])
        if isinstance(inner, dict):
            continue
        wrong = join_key(here[:length])
        if inner is not None:
            return RulesetFault(OPTIONS, key, f"{wrong} is not a table", describe_kind(inner))
        known = value_at(table, here[: length - 1])
        close = suggest(here[length - 1], known if isinstance(known, dict) else ())
        return RulesetFault(OPTIONS, key, f"there is no {wrong}", "", close)
    return _storage_problem(key, value)


def _storage_problem(key: str, value: object) -> RulesetFault | None:
    problem = untrusted.storage_problem(value)
    return RulesetFault(OPTIONS, key, problem) if problem else None


def _copy(value: object) -> object:
    if isinstance(value, dict):
        return {key: _copy(part) for key, part in value.items()}
    return [_copy(part) for part in value] if isinstance(value, list) else value


def _parse_value(text: str) -> object:
    table = parse_toml_line(f"v = {text}")
    if isinstance(table, dict) and set(table) == {"v"}:
        return table["v"]
    number = parse_signed(text.strip())
    return text if number is None else number
