"""Conversion of a ruleset file from the previous rule language to the current one.

In the previous language, a file consists of compiled tables, and each rule is a row of [clauses]. A
rule moves into its phase's table if the current language has a word or a key for it there. Any
other rule remains a row. If the file lacks a rule that is now standard, `false` drops that rule.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.calls_table import CALLS, HOLDINGS, IN_HAND
from scorekeeper.ruleset.merge import MergedRuleset, is_earlier, resolve
from scorekeeper.ruleset.places import Places
from scorekeeper.ruleset.sources import (
    RulesetFault,
    find_named,
    former_codes,
    name_of,
    quote_path,
    read_table,
)
from scorekeeper.ruleset.surface import (
    COUNTING,
    LANGUAGE,
    SHEET_TABLES,
    TAKER,
    TURNED,
    TURNED_KEYS,
)
from scorekeeper.ruleset.tables import (
    OWN_KEYS,
    RENAMED_PHASES,
    VERSIONS,
    join_key,
    split_key,
)
from scorekeeper.ruleset.vocabulary import find_phase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.surface import Shape

    Parts = tuple[str, ...]
    Rename = Callable[[str], str]

# Tables in which no text is an expression, and keys of rows whose text is never an expression.
TEXT_TABLES = ("languages", "words", "sheet", "statistics", "breakdowns", "history")
TEXT_KEYS = ("wanted", "label", "worth", "cite", "also", "title", "source")
# Keys of rows whose value is always an expression.
EXPRESSION_KEYS = ("when", "must", "least", "most", "points", "ends", "needs", "cards", "count")
# Keys of rows in [clauses] whose value is a text.
ROW_TEXTS = ("word", "phase", "before", "after")
_NAME = re.compile(r"(?<![\w.-])[a-z]\w*(?:\.\w+)*(?![\w-])")
_HEADING = re.compile(r"\[([^\[\]]+)\]\s*(?:#.*)?")
_FACT = re.compile(r"\{[^{}]*\}")


class Converted(NamedTuple):
    """A converted file.

    `shape` includes the phases of the rulesets that it extends. `comments` maps each path to the
    comments before it. `moved` maps the names of rows in [clauses] to their new paths. `dropped`
    are the paths of standard rules that `false` drops. `unknown` are the keys that cannot be
    converted, each with the reason. `base` is the path of a file of the previous language that the
    file extends, or None.
    """

    table: Json
    shape: Shape
    comments: dict[Parts, list[str]]
    moved: dict[str, Parts]
    dropped: list[Parts]
    unknown: list[tuple[str, str]]
    base: Path | None


def convert(path: Path, rename: Rename) -> Converted:
    """Convert a file of the previous language, and return its tables in the current one.

    `rename` returns the current name of a measure or function. Raises Unreadable if the file is
    in the current language, and Damaged if it cannot be read or extends a ruleset with faults.
    """
    return _Files(rename).convert(path)


class _Files:
    """The file that is converted, and the files that it extends."""

    def __init__(self, rename: Rename) -> None:
        self.rename = rename
        self.done: dict[Path, Converted] = {}
        self.begun: list[Path] = []

    def convert(self, path: Path) -> Converted:
        table, faults = read_table(path)
        if faults:
            raise Damaged(str(faults[0]))
        version = table.setdefault("language", VERSIONS.first)
        if version == LANGUAGE:
            raise Unreadable(
                tr(
                    "{path} is already in the current version of the rule language",
                    path=quote_path(path),
                )
            )
        if type(version) is not int:
            raise Damaged(
                tr("{path} does not state the version of its rule language", path=quote_path(path))
            )
        VERSIONS.check(quote_path(path), version)
        if wrong := _find_wrong_kind(table):
            message = tr(
                "{path}: {key} has a value of the wrong kind", path=quote_path(path), key=wrong
            )
            raise Damaged(message)
        self.begun.append(path)
        base = self._load_base(path, table) if "extends" in table else MergedRuleset({})
        former = [each for each in base.rulesets if each in self.done]
        moved: dict[str, Parts] = {}
        for each in reversed(former):
            moved |= self.done[each].moved
        result = _Conversion(table, base, moved, self.rename).run(_read_comments(path))
        self.done[path] = result._replace(base=former[0] if former else None)
        return self.done[path]

    def read(self, path: Path) -> tuple[Json, list[RulesetFault]]:
        """Return the table in an extended file, in the current language."""
        table, faults = read_table(path)
        if faults or not is_earlier(table):
            return table, faults
        if path not in self.done:
            if path in self.begun:
                message = f"{name_of(path)} extends itself"
                return {}, [RulesetFault(quote_path(path), "extends", message)]
            self.convert(path)
        return _copy(self.done[path].table), []

    def _load_base(self, path: Path, table: Row) -> MergedRuleset:
        """Return the ruleset that a file extends. Raises Damaged if it has faults."""
        name = table["extends"]
        if not isinstance(name, str):
            raise Damaged(tr("`extends` must be the name of a ruleset"))
        beside = path.with_name(f"{name}.toml")
        is_beside = is_earlier(read_table(beside)[0]) and beside not in self.begun
        target = beside if is_beside else find_named(name, path)
        merged, faults = resolve(str(target), allow_path=True, read=self.read)
        faults = faults or merged.expand()
        if faults:
            raise Damaged(str(faults[0]), f"scorekeeper rules check {name}")
        return merged


class _Conversion:
    """The conversion of one file.

    `base` is the ruleset that the file extends, in compiled tables. `moved` maps the former names
    of the base's rows to their converted paths.
    """

    def __init__(
        self, table: Json, base: MergedRuleset, moved: dict[str, Parts], rename: Rename
    ) -> None:
        self.base = base
        self.is_extension = "extends" in table
        self.before = _upgraded(table, base.table if self.is_extension else None)
        self.names = {
            name
            for each in (base.table, self.before)
            for kind in ("let", "values", "counters")
            for name in _table_in(each, kind)
        }
        self.rename = rename
        self.places = Places(self.before, base, moved, former_codes())
        self.result: Json = {}
        self.unknown: list[tuple[str, str]] = []
        self.dropped: list[Parts] = []

    def run(self, comments: dict[Parts, list[str]]) -> Converted:
        """Convert the file. `comments` maps each path to the comments before it."""
        for name, value in self.before.items():
            if name in ("phases", "clauses", "language", "cites"):
                continue
            value = value if name in TEXT_TABLES else self._current(value, name)
            if name == "sheet" and isinstance(value, dict):
                rows = _table_in(self.base.table, name)
                parts = {part: value[part] for part in SHEET_TABLES if part in value}
                self.result |= {part: _known(of, rows.get(part)) for part, of in parts.items()}
            else:
                self.result[name] = _known(value, self.base.table.get(name))
            if name == "name":
                self.result["language"] = LANGUAGE
        self.result.setdefault("language", LANGUAGE)
        phases = self.before.get("phases", {})
        for name, row in phases.items() if isinstance(phases, dict) else ():
            self._put_phase(name, self._current(row))
        self._turn_up()
        self._put_clauses()
        for path in self.places.standard_rules_to_drop():
            self.dropped.append(path)
            self._put(path, False)
        self._join_calls()
        self._rename_codes()
        for name in OWN_KEYS:
            if isinstance(self.result.get(name), dict):
                rows = _table_in(self.before, name)
                own = {key: of for key, of in self.result[name].items() if key not in rows}
                self.result[name] = {**own, **self.result[name]}
        places = self.places
        notes = self._placed_comments(comments)
        return Converted(
            self.result, places.shape, notes, places.moved, self.dropped, self.unknown, None
        )

    def _placed_comments(self, comments: dict[Parts, list[str]]) -> dict[Parts, list[str]]:
        """Return the comments with their current paths. The comments of a removed path go to the
        table that contained it."""
        result: dict[Parts, list[str]] = {}
        for path, lines in comments.items():
            here = self.places.current_path(path)
            while here and self._value_at(here) is None:
                here = here[:-1]
            result.setdefault(here, []).extend(lines)
        return result

    # --- expressions

    def _current(self, value: object, key: str = "") -> object:
        """Return a value in which former names of measures are replaced, except in texts."""
        if isinstance(value, dict):
            in_let = key in ("let", "values")
            return {name: self._current(of, key if in_let else name) for name, of in value.items()}
        if isinstance(value, list):
            return [self._current(part, key) for part in value]
        if not isinstance(value, str) or key in TEXT_KEYS:
            return value
        if key == "say":
            return _FACT.sub(lambda fact: self._renamed(fact[0], key), value)
        return self._renamed(value, key)

    def _renamed(self, text: str, key: str) -> str:
        """Return an expression with current names.

        A name without a dot is replaced only in keys for expressions, since it may be a word
        elsewhere.
        """
        is_expression = key in (*EXPRESSION_KEYS, "let", "values")

        def current(found: re.Match[str]) -> str:
            name = found[0]
            is_call = text[found.end() :].lstrip().startswith("(")
            if name in self.names or not (is_expression or "." in name or is_call):
                return name
            return self.rename(name)

        return _NAME.sub(current, text)

    # --- phases

    def _put(self, path: Parts, value: object) -> None:
        """Set the value at a path. Merge a table with the value that the path already has."""
        table = self.result
        for part in path[:-1]:
            inner = table.get(part)
            if inner is False:
                return  # the whole table is dropped
            if not isinstance(inner, dict):
                inner = table[part] = {} if inner is None else {"is": inner}
            table = inner
        here = table.get(path[-1])
        if isinstance(value, dict) and here is not None and here is not False:
            table[path[-1]] = {**(here if isinstance(here, dict) else {"is": here}), **value}
        else:
            table[path[-1]] = value

    def _put_phase(self, name: str, row: object) -> None:
        if name == "turnup":
            self._put(TURNED, row)
        elif name == "counting":
            self._put(("phases", *COUNTING), row)
        elif name not in OWN_KEYS:
            self._put(("phases", name), dict(row) if isinstance(row, dict) else row)
        elif not isinstance(row, dict):
            self._put((name,), row)
        elif row or name not in self.result:
            self.result[name] = {**row, **self.result.get(name, {})}

    def _turn_up(self) -> None:
        """Move keys for the turned-up card from the phases to [deal]."""
        phases = self.result.get("phases", {})
        for name, key in TURNED_KEYS.items():
            row, cls = phases.get(name), find_phase(name)
            if not isinstance(row, dict) or cls is None:
                continue
            is_new = not self.places.is_in_base(name)
            if name == "kitty":
                if row.get(key) == TURNED[1]:
                    del row[key]
                    self._put(TURNED, {TAKER: row.pop("who", cls.parameters["who"].default)})
                    if not row.keys() - {"cite"} and is_new:
                        del phases[name]
                continue
            holder = row.pop(key, None)
            if name == "bouts":
                if holder is not None or is_new:
                    self._put(TURNED, {"holder": holder or cls.parameters[key].default})
            elif holder is not None:
                self._put(TURNED, {"holder": "nobody"} if holder else False)

    # --- clauses

    def _put_clauses(self) -> None:
        for name, path, row in self.places.rules():
            row = self._current(row)
            if path[0] == "clauses" and row is False and not self.places.is_in_base_row(path[1]):
                reason = tr("no rule has this name")
                self.unknown.append((join_key(("clauses", name)), reason))
            elif self._has_rule_of_key(path) and row is False:
                if self._value_at(path) is not False:
                    key = join_key(path)
                    reason = tr(
                        "`{key}` cannot stay without its rule; remove the key, or keep the rule",
                        key=key,
                    )
                    self.unknown.append((join_key(("clauses", name)), reason))
                    del self.places.moved[name]
            else:
                self._put(path, row)
                first = self.places.preceding(name) if path == ("clauses", name) else ""
                if first and isinstance(row, dict):
                    self._put((*path, "before"), first)

    def _has_rule_of_key(self, path: Parts) -> bool:
        return self.places.key_words(path) != ()

    def _value_at(self, path: Parts) -> object:
        value: object = self.result
        for part in path:
            if value is False:
                break
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def _join_calls(self) -> None:
        """Move the rows of holdings to [calls].

        In rows for calls, the number of cards in hand gets its current key.
        """
        calls, holdings = (self.result.get(name) for name in (CALLS, HOLDINGS))
        if isinstance(calls, dict):
            self.result[CALLS] = calls = {
                name: {IN_HAND if key == "cards" else key: of for key, of in row.items()}
                if isinstance(row, dict) and type(row.get("cards")) is int
                else row
                for name, row in calls.items()
            }
        if holdings is None:
            return
        del self.result[HOLDINGS]
        if isinstance(holdings, dict):
            if self.places.is_in_base(CALLS):
                holdings.pop("cite", None)  # in [calls] it would also apply to inherited calls
            self.result[CALLS] = {**holdings, **(calls if isinstance(calls, dict) else {})}

    # --- codes

    def _rename_codes(self) -> None:
        """Replace former codes and names of rules in the rows that list them."""
        places = self.places
        errors = ("remedies", "errors")
        for table, key, current in (
            ("remedies", "on", places.current_code),
            ("statistics", "clauses", places.current_name),
            ("clauses", "before", places.current_name),
            ("clauses", "after", places.current_name),
        ):
            rows = self.result.get(table)
            for row in rows.values() if isinstance(rows, dict) else ():
                if isinstance(row, dict) and key in row:
                    row[key] = _each(row[key], current)
        law = self.result.get(errors[0])
        if isinstance(law, dict) and errors[1] in law:
            law[errors[1]] = _each(law[errors[1]], places.current_code)
        cites = self.before.get("cites")
        if isinstance(cites, dict):
            self.result["cites"] = {places.current_cite(key): of for key, of in _cites(cites)}


def _find_wrong_kind(table: Row) -> str:
    """Return the first key whose value is of a kind that cannot be converted, or ""."""
    for kind in ("phases", "clauses", "contracts", "deal", *OWN_KEYS):
        rows = table.get(kind, {})
        if rows is False and kind in OWN_KEYS:
            continue  # the whole table is dropped
        if not isinstance(rows, dict):
            return kind
        for name, row in rows.items() if kind in ("phases", "clauses") else ():
            if row is not False and not isinstance(row, dict):
                return join_key((kind, name))
            texts = row if isinstance(row, dict) and kind == "clauses" else {}
            for key in ROW_TEXTS:
                if not isinstance(texts.get(key, ""), str):
                    return join_key((kind, name, key))
    return ""


def _each(value: object, current: Callable[[str], str]) -> object:
    """Return a string, or a list of strings, after applying `current` to each string."""
    if isinstance(value, list):
        return [_each(part, current) for part in value]
    return current(value) if isinstance(value, str) else value


def _cites(table: Row, at: Parts = ()) -> list[tuple[str, object]]:
    """Return the values in [cites] with their dotted keys."""
    result: list[tuple[str, object]] = []
    for key, value in table.items():
        parts = (*at, *(split_key(key) or (key,)))
        result += _cites(value, parts) if isinstance(value, dict) else [(join_key(parts), value)]
    return result


def _table_in(table: Row, name: str) -> Json:
    value = table.get(name)
    return value if isinstance(value, dict) else {}


def _known(value: object, rows: object) -> object:
    """Return a file's table without dropped rows that the base no longer has."""
    if not isinstance(value, dict) or not isinstance(rows, dict):
        return value
    if not all(isinstance(row, dict | list) for row in rows.values()):
        return value
    return {key: row for key, row in value.items() if row is not False or key in rows}


def _copy(value: Json) -> Json:
    return {key: _copy(part) if isinstance(part, dict) else part for key, part in value.items()}


# --- comments


def _read_comments(path: Path) -> dict[Parts, list[str]]:
    """Return a map from the path of each table or key in a file to the comment lines before it.

    Comments at the beginning of the file are at (). Comments after or inside a value are omitted.
    """
    result: dict[Parts, list[str]] = {}
    table: Parts = ()
    block: list[str] = []
    is_head = True
    for line in map(str.strip, path.read_text("utf-8-sig").splitlines()):
        heading = _HEADING.fullmatch(line)
        if line.startswith("#"):
            block.append(line)
            continue
        if is_head and block:
            result[()], block = block, []
        is_head = is_head and not line
        if not line:
            continue
        here: Parts = ()
        if heading:
            here = table = split_key(heading[1].strip())
        elif "=" in line:
            here = (*table, *split_key(line.partition("=")[0].strip()))
        if block and here:
            result.setdefault(here, []).extend(block)
        block = []
    if block:
        result.setdefault((), []).extend(block)
    return result


# --- the upgrade to the current version of compiled tables


def _upgraded(table: Json, base: Row | None) -> Json:
    """Return a file's tables under the names of the current version.

    The upgrade to this version expects whole tables. Tables that only the upgrade has added are
    therefore removed again, and dropped rows remain dropped. `base` is the ruleset that the file
    extends, if any.
    """
    dropped = {
        name: {key: row for key, row in value.items() if not isinstance(row, dict)}
        for name, value in table.items()
        if name in ("phases", "contracts", "remedies", "clauses") and isinstance(value, dict)
    }
    result = VERSIONS.upgrade(
        "", {**table, "phases": _table_in(table, "phases")}, table["language"]
    )
    for name, rows in dropped.items():
        rows = {RENAMED_PHASES.get(key, key): of for key, of in rows.items()}
        result[name] = {**_table_in(result, name), **(rows if name == "phases" else dropped[name])}
    for row in _table_in(result, "clauses").values():
        if isinstance(row, dict) and isinstance(row.get("phase"), str):
            row["phase"] = RENAMED_PHASES.get(row["phase"], row["phase"])
    if base is not None and isinstance(_table_in(base, "phases").get("auction"), dict):
        _mend_wishes(result, _table_in(table, "contracts"), base)
    return {
        key: value
        for key, value in result.items()
        if value != {} or table.get(key) == {} or key not in ("phases", "contracts")
    }


def _mend_wishes(result: Json, contracts: Row, base: Row) -> None:
    """Set the keys `raises` and `solos` of an inherited auction from the rows in `contracts`."""
    result["phases"] = dict(_table_in(result, "phases"))
    inherited, auction = _table_in(base, "phases")["auction"], result["phases"].get("auction")
    auction = dict(auction) if isinstance(auction, dict) else {}
    for key in ("turns", "raises", "solos"):
        auction.pop(key, None)
    for key, former in (("raises", "raises"), ("solos", "solo")):
        rows = {
            name: row[former]
            for name, row in contracts.items()
            if isinstance(row, dict) and former in row
        }
        kept = [name for name in _named(inherited.get(key), base) if rows.get(name, True)]
        if rows:
            auction[key] = [*kept, *(name for name in rows if rows[name] and name not in kept)]
    is_dropped = result["phases"].get("auction") is False
    if not is_dropped and (auction or "auction" in result["phases"]):
        result["phases"]["auction"] = auction
    rows = {
        name: {key: of for key, of in row.items() if key not in ("raises", "solo")}
        if isinstance(row, dict)
        else row
        for name, row in _table_in(result, "contracts").items()
    }
    result["contracts"] = {name: row for name, row in rows.items() if row or not contracts[name]}


def _named(value: object, base: Row) -> list[str]:
    """Return the contracts that the value of an auction's key selects.

    The value is a list of contracts, or a value of `sides` that selects all contracts with this
    value.
    """
    if isinstance(value, list):
        return [name for name in value if isinstance(name, str)]
    contracts = _table_in(base, "contracts")
    return [name for name, row in contracts.items() if value and row.get("sides") == value]
