"""What is set from outside: `--set KEY=VALUE`, the options of a record or of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.text import nearest, shown, signed
from scorekeeper.ruleset.keys import MAX_SETTING, join_key, split_key, toml_value
from scorekeeper.ruleset.merging import CITES, Layer, kind_of, near
from scorekeeper.ruleset.sources import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorekeeper.core.types import Json
    from scorekeeper.ruleset.merging import Merged, Parts

OPTIONS = "the options"


def set_value(merged: Merged, setting: str) -> tuple[Json, list[Fault]]:
    """Apply one `KEY=VALUE` from a command line; see `set_values`."""
    return set_values(merged, (setting,))


def set_values(merged: Merged, settings: Iterable[str]) -> tuple[Json, list[Fault]]:
    """Apply each `KEY=VALUE` from a command line, all of them together; see `set_options`.

    VALUE is read as TOML if it is a TOML value, and is a text otherwise.
    """
    options: Json = {}
    faults: list[Fault] = []
    for setting in settings:
        key, sign, text = setting.partition("=")
        if not sign or len(setting) > MAX_SETTING:
            faults.append(Fault(OPTIONS, "", "this is no setting", shown(setting), "KEY=VALUE"))
        else:
            options[key.strip()] = _value(text)
    applied, wrong = set_options(merged, options)
    return applied, faults + wrong


def set_options(merged: Merged, options: Mapping[str, object]) -> tuple[Json, list[Fault]]:
    """Apply options, dotted keys or nested tables, to `merged`; `false` drops a row.

    A key must exist, or its table must: whether that may hold such a key is for the schema to
    say. A row that there is not is new, unless it seems to be mistyped. Returns the options that
    were applied, dotted keys to values, as a record keeps them.
    """
    applied: Json = {}
    layer = Layer(merged, OPTIONS)
    leaves: list[tuple[Parts, object]] = []
    for key, value in options.items():
        parts = split_key(key)
        if parts:
            leaves += _leaves(merged.table, parts, value)
        else:
            layer.faults.append(Fault(OPTIONS, shown(key), "this is no key", "", "table.row.key"))
        if len(leaves) > untrusted.OPTIONS or len(layer.faults) > untrusted.FAULTS:
            allowed = f"at most {untrusted.OPTIONS} values"
            return {}, [Fault(OPTIONS, "", "this is too much to set", f"{len(options)}", allowed)]
    new = _new_rows(merged.table, leaves)
    for here, leaf in leaves:
        if _apply(layer, merged.table, here, leaf, new):
            applied[join_key(here)] = leaf
    merged.resolve()
    return applied, layer.faults


def _leaves(table: Json, parts: Parts, value: object) -> list[tuple[Parts, object]]:
    """The values in an option, each with its path, going down as far as there are tables."""
    if not isinstance(value, dict) or not value or len(parts) > untrusted.DEPTH:
        return [(parts, value)]
    if not isinstance(_at(table, parts), dict):
        return [(parts, value)]
    found = []
    for key, inner in value.items():
        found += _leaves(table, (*parts, key), inner)
    return found


def _at(table: Json, parts: Parts) -> object:
    value: object = table
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _new_rows(table: Json, leaves: list[tuple[Parts, object]]) -> set[Parts]:
    """The rows that there are not, in which values are set. One alone may be mistyped, where the
    name is like another row's; but a clause that is called by its word may only cite."""
    new: set[Parts] = set()
    rows = [here[:-1] for here, _ in leaves]
    for here, _ in leaves:
        row, key = here[:-1], here[-1]
        beside = _at(table, row[:-1])
        if not (row[1:] and isinstance(beside, dict) and row[-1] not in beside):
            continue
        if key == "cite" or rows.count(row) > 1 or not nearest(row[-1], beside):
            new.add(row)
    return new


def _apply(layer: Layer, table: Json, here: Parts, value: object, new: set[Parts]) -> bool:
    fits = here[:-1] in new
    problem = _unholdable(join_key(here), value) if fits else _unfit(table, here, value)
    if problem:
        layer.faults.append(problem)
        return False
    # A caller's lists and tables stay their own.
    over: Json = {here[-1]: _copied(value)}
    for part in reversed(here[:-1]):
        over = {part: over}
    count = len(layer.faults)
    layer.merge(table, over)
    return len(layer.faults) == count


def _unfit(table: Json, here: Parts, value: object) -> Fault | None:
    key = join_key(here)
    if here == ("extends",):
        return Fault(OPTIONS, key, "what a ruleset extends cannot be set")
    if here[0] == CITES:
        return Fault(OPTIONS, key, "what a row cites is set in the row", "", "TABLE.ROW.cite")
    for length in range(1, len(here)):
        inner = _at(table, here[:length])
        if isinstance(inner, dict):
            continue
        wrong = join_key(here[:length])
        if inner is not None:
            return Fault(OPTIONS, key, f"{wrong} is no table", kind_of(inner))
        known = _at(table, here[: length - 1])
        close = near(here[length - 1], known if isinstance(known, dict) else ())
        return Fault(OPTIONS, key, f"there is no {wrong}", "", close)
    return _unholdable(key, value)


def _unholdable(key: str, value: object) -> Fault | None:
    problem = untrusted.unholdable(value)
    return Fault(OPTIONS, key, problem) if problem else None


def _copied(value: object) -> object:
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value


def _value(text: str) -> object:
    table = toml_value(f"v = {text}")
    if isinstance(table, dict) and set(table) == {"v"}:
        return table["v"]
    number = signed(text.strip())
    return text if number is None else number
