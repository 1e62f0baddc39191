"""Finding, extending and pinning rulesets, without knowing what their words mean.

The only file access below floor 7. What is wrong with a file is a value, a Fault, and all of them
are returned; a ruleset that cannot be found is a failure. Files come from strangers: size, depth
and chains of `extends` are bounded.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scorekeeper.core import limits, toml
from scorekeeper.core.failures import Damaged, Unreadable
from scorekeeper.core.suggest import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Table = dict[str, Any]
    Parts = tuple[str, ...]

MAX_NAME = 64
MAX_SETTING = 10_000
MAX_LISTED = 40
# Tables whose tables have rows with names.
NESTED = ("sheet",)
FOLDER_VARIABLE = "SCOREKEEPER_RULESETS"
OPTIONS = "the options"

_NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_BARE_LETTERS = _NAME_LETTERS | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")


class Fault(NamedTuple):
    """One thing wrong with a ruleset: where it is, what was found, what is allowed.

    `key` is the dotted path of the value; `line` and `column` count from 1, 0 is unknown.
    """

    file: str
    key: str
    message: str
    found: str = ""
    allowed: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        text = ": ".join(part for part in (place, self.key, self.message) if part)
        text += f"; found {self.found}" if self.found else ""
        return text + (f"; allowed: {self.allowed}" if self.allowed else "")


class Available(NamedTuple):
    """A ruleset that can be named, and whether it came with the program."""

    name: str
    path: Path
    shipped: bool


class Merged:
    """A ruleset with all that it extends: its table, its files (its own first), and what is whose.

    Where a file could not be read the table is empty.
    """

    __slots__ = ("_origins", "files", "table")

    def __init__(self, table: Table, files: tuple[Path, ...] = ()) -> None:
        self.table = table
        self.files = files
        self._origins: dict[Parts, str] = {}

    def origin(self, key: str) -> str:
        """The file that set the value at a dotted key, or else the row or table it belongs in.

        Of a value set from outside, OPTIONS.
        """
        parts = split_key(key)
        for length in range(len(parts), 0, -1):
            found = self._origins.get(parts[:length])
            if found is not None:
                return found
        return shown_path(self.files[0]) if self.files else ""

    def resolve(self) -> None:
        """Put plain values before tables, everywhere: the order that the pinned text keeps."""
        _resolve(self.table)


# Finding


def user_folder() -> Path:
    """Where the user's own rulesets lie, whether or not the folder exists."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("scorekeeper", appauthor=False) / "rulesets"


def shipped_folder() -> Path:
    """Where the rulesets lie that came with the program."""
    package = Path(__file__).parent.parent
    packed = package / "rulesets"
    return packed if packed.is_dir() else package.parent / "rulesets"


def examples_folder() -> Path:
    """Where the examples of the clause words lie, a file for each phase."""
    return Path(__file__).parent.parent / "phases" / "examples"


def names() -> list[Available]:
    """All rulesets that can be named, by name; the user's hide shipped ones of the same name."""
    found = {}
    for folder, shipped in ((shipped_folder(), True), (user_folder(), False)):
        for name in _listed(folder):
            found[name] = Available(name, folder / f"{name}.toml", shipped)
    return [found[name] for name in sorted(found)]


def find(name_or_path: str, allow_path: bool = False) -> Path:
    """The file of a ruleset; the user's folder is looked into first.

    What holds a slash or ends in `.toml` is a path, and refused unless `allow_path`. Raises
    Unreadable; a path is not looked at before it is read.
    """
    if _is_path(name_or_path):
        if allow_path:
            return Path(name_or_path)
        raise Unreadable(
            f'"{shown(name_or_path)}" is a path; here a ruleset is given by its name',
            _hint(name_or_path),
        )
    return _find_named(name_or_path, None)


def _find_named(name: str, but_not: Path | None) -> Path:
    if name and len(name) <= MAX_NAME and _NAME_LETTERS.issuperset(name):
        for folder in (user_folder(), shipped_folder()):
            path = folder / f"{name}.toml"
            if os.path.lexists(path) and not (but_not and _same(path, but_not)):
                return path
    raise Unreadable(f'there is no ruleset "{shown(name)}"', _hint(name))


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _is_path(text: str) -> bool:
    return "/" in text or os.sep in text or text.endswith(".toml")


def _hint(word: str) -> str:
    known = [available.name for available in names()]
    listed = f"there are: {', '.join(known)}" if known else "there are none at all"
    stem = word.removesuffix(".toml").replace("\\", "/").rpartition("/")[2]
    return " ".join(filter(None, (did_you_mean(stem, known), listed)))


def _listed(folder: Path) -> list[str]:
    try:
        files = os.listdir(folder)
    except (OSError, ValueError):
        return []
    stems = [file.removesuffix(".toml") for file in files if file.endswith(".toml")]
    return [stem for stem in stems if 0 < len(stem) <= MAX_NAME and _NAME_LETTERS.issuperset(stem)]


# Reading


def shown_path(path: Path) -> str:
    """A path as text that is safe to print, whatever its name holds."""
    return shown(path, 4096)


def read(path: Path) -> tuple[Table, list[Fault]]:
    """The table in one file, `extends` and all; empty if there are faults."""
    file = shown_path(path)
    data, fault = _bytes(path, file)
    if fault:
        return {}, [fault]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"the byte 0x{data[error.start]:02x}"
        return {}, [Fault(file, "", "this is no text in UTF-8", found, line=line)]
    return _parsed(text, file)


def _bytes(path: Path, file: str) -> tuple[bytes, Fault | None]:
    try:
        # Looked at before it is opened: opening a pipe would wait for somebody to write.
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            found = "a folder" if stat.S_ISDIR(mode) else "something else"
            return b"", Fault(file, "", "this is not a file", found)
        with open(path, "rb") as stream:
            data = stream.read(limits.FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return b"", Fault(file, "", f"the file cannot be read: {why}")
    if len(data) > limits.FILE_BYTES:
        return b"", Fault(file, "", f"the file is larger than {limits.FILE_BYTES // 1024} kB")
    return data, None


def _parsed(text: str, file: str) -> tuple[Table, list[Fault]]:
    try:
        return toml.parse(text, limits.FILE_BYTES, limits.FILE_BYTES), []
    except toml.Broken as broken:
        place = (broken.line, broken.column)
        return {}, [Fault(file, "", broken.message, broken.found, "", *place)]


# Extending


def resolve(name_or_path: str, allow_path: bool = False) -> tuple[Merged, list[Fault]]:
    """A ruleset merged over all that it extends, and every fault on the way.

    Raises Unreadable if there is no such ruleset; one that is missing in `extends` is a fault.
    """
    layers, faults = _chain(find(name_or_path, allow_path))
    merged = Merged({}, tuple(path for path, _ in layers))
    if faults:
        return merged, faults
    for path, table in reversed(layers):
        layer = _Layer(merged, shown_path(path))
        layer.merge(merged.table, table, ())
        faults += layer.faults
    merged.resolve()
    return merged, faults


def _chain(path: Path) -> tuple[list[tuple[Path, Table]], list[Fault]]:
    layers: list[tuple[Path, Table]] = []
    while True:
        table, faults = read(path)
        layers.append((path, table))
        if faults or "extends" not in table:
            return layers, faults
        found = _extended(path, table.pop("extends"), [done for done, _ in layers])
        if isinstance(found, Fault):
            return layers, [found]
        path = found


def _extended(path: Path, base: object, before: list[Path]) -> Path | Fault:
    file = shown_path(path)
    if not isinstance(base, str):
        return Fault(file, "extends", "not a name", shown(base), "the name of a ruleset")
    try:
        # A user's file may extend the shipped one of its own name.
        found = find(base) if _is_path(base) else _find_named(base, path)
    except Unreadable as failure:
        return Fault(file, "extends", failure.message, f'"{shown(base)}"', failure.hint)
    if any(_same(found, done) for done in before):
        circle = " -> ".join(done.stem for done in [*before, found])
        return Fault(file, "extends", "rulesets that extend one another", circle)
    if len(before) > limits.CHAIN:
        return Fault(file, "extends", f"a chain of more than {limits.CHAIN} rulesets")
    return found


class _Layer:
    """One file, or one set of options, laid over what there is."""

    __slots__ = ("_file", "_merged", "faults")

    def __init__(self, merged: Merged, file: str) -> None:
        self._merged = merged
        self._file = file
        self.faults: list[Fault] = []

    def merge(self, base: Table, over: Mapping[str, Any], at: Parts = ()) -> None:
        """Lay `over` on `base`, the table at `at`; then its rows go to the places they ask for."""
        rows = len(at) == 1 and bool(base) and all(map(_is_row, base.values()))
        moves = []
        for key, value in over.items():
            here = (*at, key)
            if value is False and rows and key not in base:
                self._missing(here, "there is no such row to drop", key, base)
            elif isinstance(value, dict):
                places = _places(value, here)
                moves += [(key, word, target) for word, target in places.items()]
                rest = {inner: value[inner] for inner in value if inner not in places}
                self._merge_table(base, key, rest, here)
            else:
                self._set(base, key, value, here)
        self._move(base, moves, at)

    def _merge_table(self, base: Table, key: str, over: Table, here: Parts) -> None:
        old = base.get(key)
        if not isinstance(old, dict):
            base[key] = {}
            self._merged._origins[here] = self._file
        self.merge(base[key], over, here)

    def _set(self, base: Table, key: str, value: object, here: Parts) -> None:
        old = base.get(key)
        table = isinstance(old, dict)
        if value is False and (table or (len(here) == 2 and _is_row(old))):
            del base[key]
            self._forget(old, here)
        elif table and len(here) <= 2:
            self._fault(here, "not a table", _kind(value), "a table, or false to drop it")
        else:
            self._forget(old, here)
            base[key] = value
            self._merged._origins[here] = self._file

    def _move(self, base: Table, moves: list[tuple[str, str, str]], at: Parts) -> None:
        order = list(base)
        # From the last, so that rows after the same row stay in the file's order.
        after = [move for move in reversed(moves) if move[1] == "after"]
        for key, word, target in [move for move in moves if move[1] == "before"] + after:
            if target in base and target != key:
                order.remove(key)
                order.insert(order.index(target) + (word == "after"), key)
            else:
                others = (name for name in order if name != key)
                self._missing((*at, key, word), "there is no such row beside it", target, others)
        if moves:
            _reorder(base, order)

    def _forget(self, old: object, here: Parts) -> None:
        self._merged._origins.pop(here, None)
        if isinstance(old, dict):
            for key, value in old.items():
                self._forget(value, (*here, key))

    def _missing(self, here: Parts, message: str, word: str, known: Iterable[str]) -> None:
        if len(self.faults) < limits.FAULTS:
            self._fault(here, message, f'"{shown(word)}"', _near(word, known))

    def _fault(self, here: Parts, message: str, found: str, allowed: str) -> None:
        if len(self.faults) < limits.FAULTS:
            self.faults.append(Fault(self._file, join_key(here), message, found, allowed))


def _is_row(value: object) -> bool:
    return isinstance(value, dict | list)


def _places(row: Table, here: Parts) -> dict[str, str]:
    """Where a row asks to stand: `before` or `after` and the row's name; only rows are asked."""
    if len(here) != (3 if here[0] in NESTED else 2):
        return {}
    return {word: row[word] for word in ("before", "after") if isinstance(row.get(word), str)}


def _reorder(table: Table, keys: Iterable[str]) -> None:
    rows = {key: table[key] for key in keys}
    table.clear()
    table.update(rows)


def _resolve(table: Table) -> None:
    _reorder(table, sorted(table, key=lambda key: _rank(table[key])))
    for value in table.values():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                _resolve(part)


def _rank(value: object) -> int:
    if isinstance(value, dict):
        return 2
    tables = isinstance(value, list) and value and all(isinstance(part, dict) for part in value)
    return int(bool(tables))


def _near(word: str, known: Iterable[str]) -> str:
    known = list(known)
    listed = ", ".join(shown(name) for name in known[:MAX_LISTED])
    more = ", ..." if len(known) > MAX_LISTED else ""
    return " ".join(filter(None, (did_you_mean(word, known), listed + more)))


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else shown(repr(value))


# Keys and options


def join_key(parts: Iterable[str]) -> str:
    """The dotted key of a path; parts that TOML would quote are quoted."""
    return ".".join(_quoted(part) for part in parts)


def _quoted(part: str) -> str:
    if part and _BARE_LETTERS.issuperset(part):
        return part
    escaped = part.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_escaped(letter) for letter in escaped) + '"'


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"


def split_key(key: str) -> tuple[str, ...]:
    """The parts of a dotted key, quoted ones too; none if it is no key."""
    if _BARE_LETTERS.issuperset(key.replace(".", "")):
        parts = tuple(key.split("."))
        return parts if all(parts) and len(parts) <= limits.DEPTH else ()
    if key.count(".") > limits.KEY_PARTS:
        return ()
    value, found = _toml_value(f'{key} = "="'), []
    while isinstance(value, dict) and len(value) == 1:
        ((part, value),) = value.items()
        found.append(part)
    return tuple(found) if value == "=" and len(found) <= limits.DEPTH else ()


def set_value(merged: Merged, setting: str) -> tuple[Table, list[Fault]]:
    """Apply one `KEY=VALUE` from a command line; see `set_options`.

    VALUE is read as TOML if it is a TOML value, and is a text otherwise.
    """
    key, sign, text = setting.partition("=")
    if not sign or len(setting) > MAX_SETTING:
        return {}, [Fault(OPTIONS, "", "this is no setting", shown(setting), "KEY=VALUE")]
    return set_options(merged, {key.strip(): _value(text)})


def set_options(merged: Merged, options: Mapping[str, object]) -> tuple[Table, list[Fault]]:
    """Apply options, dotted keys or nested tables, to `merged`; `false` drops a row.

    A key must exist, or its table must: whether that may hold such a key is for the schema to
    say. Returns the options that were applied, dotted keys to values, as a record keeps them.
    """
    applied: Table = {}
    layer = _Layer(merged, OPTIONS)
    leaves: list[tuple[Parts, object]] = []
    for key, value in options.items():
        parts = split_key(key)
        if parts:
            leaves += _leaves(merged.table, parts, value)
        else:
            layer.faults.append(Fault(OPTIONS, shown(key), "this is no key", "", "table.row.key"))
        if len(leaves) > limits.OPTIONS or len(layer.faults) > limits.FAULTS:
            allowed = f"at most {limits.OPTIONS} values"
            return {}, [Fault(OPTIONS, "", "this is too much to set", f"{len(options)}", allowed)]
    for here, leaf in leaves:
        if _apply(layer, merged.table, here, leaf):
            applied[join_key(here)] = leaf
    merged.resolve()
    return applied, layer.faults


def _leaves(table: Table, parts: Parts, value: object) -> list[tuple[Parts, object]]:
    """The values in an option, each with its path, going down as far as there are tables."""
    if not isinstance(value, dict) or not value or len(parts) > limits.DEPTH:
        return [(parts, value)]
    if not isinstance(_at(table, parts), dict):
        return [(parts, value)]
    found = []
    for key, inner in value.items():
        found += _leaves(table, (*parts, key), inner)
    return found


def _at(table: Table, parts: Parts) -> object:
    value: object = table
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _apply(layer: _Layer, table: Table, here: Parts, value: object) -> bool:
    problem = _unfit(table, here, value)
    if problem:
        layer.faults.append(problem)
        return False
    # A caller's lists and tables stay his own.
    over = _copied(value)
    for part in reversed(here):
        over = {part: over}
    count = len(layer.faults)
    layer.merge(table, over)
    return len(layer.faults) == count


def _unfit(table: Table, here: Parts, value: object) -> Fault | None:
    key = join_key(here)
    if here == ("extends",):
        return Fault(OPTIONS, key, "what a ruleset extends cannot be set")
    for length in range(1, len(here)):
        inner = _at(table, here[:length])
        if isinstance(inner, dict):
            continue
        wrong = join_key(here[:length])
        if inner is not None:
            return Fault(OPTIONS, key, f"{wrong} is no table", _kind(inner))
        known = _at(table, here[: length - 1])
        near = _near(here[length - 1], known if isinstance(known, dict) else ())
        return Fault(OPTIONS, key, f"there is no {wrong}", "", near)
    problem = toml.unholdable(value)
    return Fault(OPTIONS, key, problem) if problem else None


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value


def _value(text: str) -> object:
    table = _toml_value(f"v = {text}")
    return table["v"] if isinstance(table, dict) and set(table) == {"v"} else text


def _toml_value(line: str) -> object:
    try:
        return None if "\n" in line else toml.loads(line, 1, MAX_SETTING + len("v = "))
    except toml.Broken:
        return None


# Pinning


def pin(table: Mapping[str, Any]) -> str:
    """The ruleset as one text, the same for the same table, for a match to keep."""
    from tomli_w import dumps

    return dumps(table)


def unpin(text: str) -> Table:
    """The table of a pinned text; raises Damaged if it is none."""
    table, faults = _parsed(text, "the pinned ruleset")
    if faults:
        raise Damaged(str(faults[0]))
    return table


def sha256(text: str) -> str:
    """The SHA-256 of a pinned text's UTF-8, as 64 hexadecimal digits."""
    from hashlib import sha256 as digest

    return digest(text.encode()).hexdigest()
