"""Conversion of a ruleset file of the previous language to the current one.

The previous language is that of compiled tables, with a row of [clauses] for each rule. A rule
moves into its phase's table, under the key that the current language has for it. A row that the
current language also allows stays as it is. Rules that now apply without being written are dropped
with `false` if the file did not have them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.expressions.compiler import RENAMED_FUNCTIONS
from scorekeeper.core.messages import tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.merge import MergedRuleset, resolve
from scorekeeper.ruleset.sources import find_named, former_codes, read_table
from scorekeeper.ruleset.surface import (
    COUNTING,
    LANGUAGE,
    SHEET_TABLES,
    TAKER,
    TURNED,
    TURNED_KEYS,
    Shape,
    as_shown,
    phases_named,
)
from scorekeeper.ruleset.tables import OWN_KEYS, VERSIONS, join_key
from scorekeeper.ruleset.vocabulary import HELD, find_phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.vocabulary import PhaseSpec

    Parts = tuple[str, ...]

# Tables whose texts are no expressions, and keys of rows for such texts.
TEXT_TABLES = ("languages", "words", "sheet", "statistics", "breakdowns", "history")
TEXT_KEYS = ("say", "wanted", "label", "worth", "cite", "also", "title", "source")
# Keys of rows whose value is always an expression.
EXPRESSION_KEYS = ("when", "must", "least", "most", "points", "ends", "needs", "cards", "count")


class Converted(NamedTuple):
    """A converted file: its tables, and the dotted keys that could not be converted.

    `shape` includes the phases of the rulesets that it extends.
    """

    table: Json
    shape: Shape
    unknown: list[str]


def convert(path: Path, renamed: Mapping[str, str]) -> Converted:
    """Return the tables of a file of the previous language in the current language.

    `renamed` are the current names of measures by their former names.

    Raises Unreadable if the file is in the current language, and Damaged if it cannot be read or if
    it extends a ruleset with faults.
    """
    table, faults = read_table(path)
    if faults:
        raise Damaged(str(faults[0]))
    version = table.get("language", VERSIONS.first)
    if version == LANGUAGE:
        raise Unreadable(tr("{path} is in the current language", path=quote(str(path), 200)))
    if type(version) is not int:
        raise Damaged(tr("{path} has no version of its language", path=quote(str(path), 200)))
    VERSIONS.check(quote(str(path), 200), version)
    return _Conversion(path, table, renamed).run()


class _Conversion:
    """The conversion of one file. `base` is the ruleset that it extends, in compiled tables."""

    def __init__(self, path: Path, table: Json, renamed: Mapping[str, str]) -> None:
        functions = {f"{before}(": f"{now}(" for before, now in RENAMED_FUNCTIONS.items()}
        self._rename = _renamer({**renamed, **functions})
        self.base = MergedRuleset({})
        if "extends" in table:
            self.base = _load_base(table["extends"], path)
        version = table.get("language", VERSIONS.first)
        is_extension = "extends" in table
        self.before = _upgraded(table, version, self.base.table if is_extension else None)
        self.phases: Json = {**self.base.table.get("phases", {}), **self._section("phases")}
        self.shape = Shape(phases_named([{"phases": self.phases}, self.before]))
        self.clauses = self._section("clauses")
        self.result: Json = {}
        self.unknown: list[str] = []

    def _section(self, name: str) -> Json:
        table = self.before.get(name)
        return dict(table) if isinstance(table, dict) else {}

    def run(self) -> Converted:
        for name, value in self.before.items():
            if name in ("phases", "clauses", "language"):
                continue
            value = value if name in TEXT_TABLES else self._current(value)
            if name == "words" and isinstance(value, dict):
                known = self.base.table.get("words", {})
                value = {word: of for word, of in value.items() if of is not False or word in known}
            if name == "sheet" and isinstance(value, dict):
                for part in SHEET_TABLES:
                    if part in value:
                        self.result[part] = value[part]
            else:
                self.result[name] = value
            if name in ("name", "title"):
                self.result["language"] = LANGUAGE
        self.result.setdefault("language", LANGUAGE)
        for name, row in self._section("phases").items():
            self._put_phase(name, self._current(row))
        self._turn_up()
        for name, row in self.clauses.items():
            self._put_clause(name, self._current(row))
        self._drop_standard_rules()
        self._rename_codes()
        return Converted(self.result, self.shape, self.unknown)

    def _current(self, value: object, key: str = "") -> object:
        """Return a value in which former names of measures are replaced, except in texts."""
        if isinstance(value, dict):
            return {name: self._current(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [self._current(part, key) for part in value]
        is_text = not isinstance(value, str) or key in TEXT_KEYS
        return value if is_text or not isinstance(value, str) else self._rename(value, key)

    def _put(self, path: Parts, value: object) -> None:
        """Set the value at a path. A table is merged into the table that is there."""
        table = self.result
        for part in path[:-1]:
            inner = table.get(part)
            if inner is False:
                return  # the file drops all of this
            if not isinstance(inner, dict):
                inner = table[part] = {} if inner is None else {"is": inner}
            table = inner
        here = table.get(path[-1])
        if isinstance(value, dict) and here is not None and here is not False:
            inner = here if isinstance(here, dict) else {"is": here}
            table[path[-1]] = {**inner, **value}
        else:
            table[path[-1]] = value

    # --- phases

    def _put_phase(self, name: str, row: object) -> None:
        if name == "turnup":
            self._put(TURNED, row)
        elif name == "counting":
            self._put(("phases", *COUNTING), row)
        elif name in OWN_KEYS:
            if not isinstance(row, dict):
                self._put((name,), row)
            elif row or name not in self.result:
                self.result[name] = {**row, **self.result.get(name, {})}
        else:
            self._put(("phases", name), dict(row) if isinstance(row, dict) else row)

    def _turn_up(self) -> None:
        """Move the phases' keys for the card that is turned up to [deal]."""
        phases = self.result.get("phases", {})
        for name, key in TURNED_KEYS.items():
            row = phases.get(name)
            if not isinstance(row, dict):
                continue
            if name == "kitty":
                if row.get(key) == TURNED[1]:
                    del row[key]
                    self._put(TURNED, {TAKER: row.pop("who", "declarer")})
                    if not row.keys() - {"cite"} and not self._is_in_base("kitty"):
                        del phases[name]
                continue
            holder = row.pop(key, None)
            if holder is None and not (name == "bouts" and not self._is_in_base(name)):
                continue
            card: Json = {"holder": holder} if name == "bouts" and holder else {}
            cite = self.result.get("deal", {}).get("cite", row.get("cite"))
            if cite and not self._is_in_base(name):
                card["cite"] = cite
            self._put(TURNED, card)

    def _is_in_base(self, phase: str) -> bool:
        return phase in self.base.table.get("phases", {})

    # --- clauses

    def _put_clause(self, name: str, row: object) -> None:
        inherited = self.base.table.get("clauses", {}).get(name)
        path = self.base.written_path(("clauses", name)) if inherited is not None else None
        if isinstance(row, dict):
            row = {key: self._place(key, value) for key, value in row.items()}
        if path is None and (not isinstance(row, dict) or "word" not in row):
            path = self._path_of_former(name)
        if path is None and isinstance(row, dict) and row.get("word", name) == name:
            path = self._path_of_word(name, row)
        if path is not None and path[0] != "clauses":
            self._put_rule(path, row)
        elif isinstance(row, dict) or inherited is not None:
            self._put(("clauses", name), row)
            if isinstance(row, dict) and inherited is None:
                self._write_standard_rule(row.get("word", name), row)
        else:
            self.unknown.append(join_key(("clauses", name)))

    def _place(self, key: str, value: object) -> object:
        """Return the value of a row's key, with the present name of a row that it refers to."""
        known = {**self.base.table.get("clauses", {}), **self.clauses}
        if key not in ("before", "after") or value in known:
            return value
        codes = former_codes().items()
        found = [now.partition(".")[2] for code, now in codes if code.partition(".")[2] == value]
        return next((name for name in found if name in known), value)

    def _path_of_former(self, name: str) -> Parts | None:
        """Return the path of a shipped ruleset's rule that had another name."""
        for before, now in former_codes().items():
            phase, _, former = before.partition(".")
            if former == name:
                phase, _, row = now.partition(".")
                if row in self.base.table.get("clauses", {}):
                    return self.base.written_path(("clauses", row))
                path = self.shape.path_of_rule(phase, row, self.phases)
                if path is not None:
                    return as_shown(path)
        return None

    def _path_of_word(self, name: str, row: Row) -> Parts | None:
        """Return the path of a rule in its phase's table, or None if it must stay a row.

        If several phases have the word, it is the rule of the one with the row's entries.
        """
        verbs = row.get("on", [])
        owners = [
            (self._judged(phase, name) != verbs, not set(verbs) <= {*cls.verb_names}, at, phase)
            for at, (phase, cls) in enumerate(self._classes())
            if name in cls.clause_order.split() and row.get("phase", phase) == phase
        ]
        for *_, phase in sorted(owners):
            path = self.shape.path_of_rule(phase, name, self.phases)
            if path is None or len(path) != 3:
                return None
            if path[2] != name and not self._has_key(phase, path[2]):
                return None  # the rule belongs to a key that the phase does not have
            return as_shown(path)
        return None

    def _has_key(self, phase: str, key: str) -> bool:
        row = self.phases.get(phase)
        return isinstance(row, dict) and row.get(key) not in (None, False)

    def _put_rule(self, path: Parts, row: object) -> None:
        """Write a rule in its phase's table, without the keys that its place determines."""
        if not isinstance(row, dict):
            self._put(path, row)
            return
        phase = path[1] if path[0] == "phases" else path[0]
        word = path[2] if path[0] == "phases" else path[1]
        rest = {key: value for key, value in row.items() if key not in ("word", "phase")}
        if rest.get("on") == self._judged(phase, word):
            rest.pop("on", None)
        self._put(path, rest)

    def _judged(self, phase: str, word: str) -> list[str] | None:
        row = self.phases.get(phase, {})
        for cls in self.shape.classes.get(phase, []):
            verbs = cls.judged.get(word, ())
            verbs = row.get(verbs, ()) if isinstance(verbs, str) else verbs
            if verbs:
                return list(verbs)
        return None

    def _classes(self) -> Iterator[tuple[str, PhaseSpec]]:
        for name, row in self.phases.items():
            cls = find_phase(name, row) if isinstance(row, dict) else None
            if cls is not None:
                yield name, cls

    def _write_standard_rule(self, word: str, row: Row) -> None:
        """Write a standard rule of the base that a row with the same word would replace."""
        for name, clause in self.base.table.get("clauses", {}).items():
            path = self.base.written_path(("clauses", name))
            is_same = clause.get("word", name) == word and path[0] != "clauses"
            is_there = word != HELD or row.get("phase") == clause.get("phase")
            if is_same and is_there and "cite" in clause:
                self._put(path, {"cite": clause["cite"]})

    def _drop_standard_rules(self) -> None:
        """Write `false` for each standard rule that the file's own phases did not have."""
        whole = {**self.base.table, **self.before, "phases": self.phases}
        words = [
            (row.get("word", name), row.get("phase"))
            for name, row in {**self.base.table.get("clauses", {}), **self.clauses}.items()
            if isinstance(row, dict)
        ]
        for phase, cls in self._classes():
            row = self.phases[phase]
            if self._is_in_base(phase) or not isinstance(row, dict):
                continue
            present = {key: value for key, value in row.items() if value is not False}
            idle = cls.idle_words(present, whole)
            for word in cls.standard_words.split():
                has = any(word == each and at in (None, phase) for each, at in words)
                if not has and word not in idle:
                    path = self.shape.path_of_rule(phase, word, self.phases)
                    if path is not None:
                        self._put(as_shown(path), False)

    # --- codes

    def _rename_codes(self) -> None:
        """Replace former codes of shipped rulesets in the rows that list codes."""
        codes = former_codes()
        own = {name for name, row in self.clauses.items() if isinstance(row, dict)}

        def current(value: object) -> object:
            if isinstance(value, list):
                return [current(each) for each in value]
            known = isinstance(value, str) and value.partition(".")[2] not in own
            return codes.get(value, value) if known and isinstance(value, str) else value

        for table, key in (("remedies", "on"), ("statistics", "of"), ("breakdowns", "of")):
            rows = self.result.get(table)
            for row in rows.values() if isinstance(rows, dict) else ():
                if isinstance(row, dict) and key in row:
                    row[key] = current(row[key])


def _load_base(name: object, path: Path) -> MergedRuleset:
    """Return the ruleset that a file extends. Raises Damaged if it has faults."""
    if not isinstance(name, str):
        raise Damaged(tr("`extends` must be the name of a ruleset"))
    merged, faults = resolve(str(find_named(name, path)), allow_path=True)
    faults = faults or merged.expand()
    if faults:
        raise Damaged(str(faults[0]), f"scorekeeper rules check {name}")
    return merged


def _upgraded(table: Json, version: int, base: Json | None) -> Json:
    """Return a file's tables under the names of the current version.

    The step to a version expects whole tables. In a file that extends `base`, keys that only the
    step has added are removed again.
    """
    before = table.get("phases", {})
    before = before if isinstance(before, dict) else {}
    result = VERSIONS.upgrade("", {**table, "phases": before}, version)
    for name in ("contracts", "remedies", "clauses"):
        rows = table.get(name)
        if isinstance(rows, dict):  # the step leaves out rows that drop an inherited one
            result[name] = {key: result[name].get(key, row) for key, row in rows.items()}
    if not before and "phases" not in table:
        result = {key: value for key, value in result.items() if key != "phases"}
    auction = result.get("phases", {}).get("auction")
    inherited = (base or {}).get("phases", {}).get("auction")
    if not isinstance(inherited, dict):
        return result
    contracts = table.get("contracts", {})
    contracts = contracts if isinstance(contracts, dict) else {}
    for key, former in (("raises", "raises"), ("solos", "solo")):
        rows = {
            name: row[former]
            for name, row in contracts.items()
            if isinstance(row, dict) and former in row
        }
        remaining = [
            name for name in _named(inherited.get(key), base or {}) if rows.get(name, True)
        ]
        now = [*remaining, *(name for name, one in rows.items() if one and name not in remaining)]
        if isinstance(auction, dict):
            auction.pop(key, None)
        if rows:
            auction = result.setdefault("phases", {}).setdefault("auction", {})
            auction[key] = now
            for name in rows:
                result["contracts"][name].pop(former, None)
    if isinstance(auction, dict):
        auction.pop("turns", None)
    result["contracts"] = {
        name: row for name, row in result.get("contracts", {}).items() if row != {}
    }
    if not result["contracts"]:
        del result["contracts"]
    return result


def _named(value: object, base: Row) -> list[str]:
    """Return the contracts that an auction's key names: a list, or one kind of sides."""
    if isinstance(value, list):
        return [name for name in value if isinstance(name, str)]
    contracts = base.get("contracts", {})
    return [name for name, row in contracts.items() if value and row.get("sides") == value]


def _renamer(names: Mapping[str, str]) -> Callable[[str, str], str]:
    """Return a function that replaces former names of measures in the text of a key.

    A name that begins with a dot is replaced after any owner. A name without a dot is replaced only
    in expressions, since it may be a word elsewhere.
    """
    rules = []
    for before, now in names.items():
        # These names are still those of a trick and a kitty.
        left = r"(?<=\w)(?<!trick)(?<!kitty)" if before.startswith(".") else r"(?<![\w.-])"
        right = "" if before.endswith("(") else r"(?![\w.-])"
        pattern = re.compile(f"{left}{re.escape(before)}{right}")
        rules.append((pattern, now, before.isalpha()))

    def rename(text: str, key: str) -> str:
        for pattern, now, is_bare in rules:
            if not is_bare or key in EXPRESSION_KEYS:
                text = pattern.sub(now, text)
        return text

    return rename
