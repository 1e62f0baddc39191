"""The text of a ruleset file, written from its tables. A short row takes one line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.render.rules_page import format_toml
from scorekeeper.ruleset.surface import TEXT_LISTS
from scorekeeper.ruleset.tables import OWN_KEYS, join_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.surface import Shape
    from scorekeeper.ruleset.tables import Parameter

    Parts = tuple[str, ...]
    Comments = Mapping[Parts, list[str]]

WIDTH = 120  # maximum width of a line
MAX_ALIGNED = 24  # the values of a table are aligned if no key is longer than this
MAX_ONE_LINE = 80  # a text with line breaks is written on one line if it is shorter than this
# Tables that precede all others in a file.
FIRST = ("players", "sides", "pack", "dice", "deal", "tally", "match", "result")
# Tables about the output, which are written last.
LAST = (
    *("ranking", "figures", "columns", "totals", "ladders", "statistics", "breakdowns"),
    *("history", "words", "languages"),
)
# Tables of tables, each of which has its own heading. The order of their keys does not matter.
OUTER = ("phases", "languages")


def write_ruleset(table: Row, shape: Shape, comments: Comments | None = None) -> str:
    """Return the text of a ruleset file.

    `shape` includes the phases of all rulesets that the file extends. `comments` maps the path of
    a key or table to the lines above it. The lines for the path () begin the file.
    """
    notes = dict(comments or {})
    whole = _shorten(shape, table)
    values = {key: value for key, value in whole.items() if not isinstance(value, dict)}
    names = sorted((name for name in whole if name not in values), key=_rank)
    body = [*_lines((), values, notes)]
    for name in names:
        body += _section((name,), whole[name], table.get(name, {}), notes)
    return "\n".join([*notes.pop((), ()), *body]).lstrip("\n") + "\n"


def _rank(name: str) -> tuple[int, int]:
    for rank, names in ((0, FIRST), (2, LAST)):
        if name in names:
            return rank, names.index(name)
    return 1, 0


def _section(path: Parts, table: Row, full: Row, notes: dict[Parts, list[str]]) -> Iterator[str]:
    """Yield the lines of a table. `full` is the same table with its rows in their long form.

    The first row that is too long for one line gets a heading, and so do all rows after it,
    because the order of rows matters.
    """
    own: Json = {}
    inner: Json = {}
    is_ordered = path[0] not in OUTER
    for key, value in table.items():
        row = value if isinstance(value, dict) else full.get(key)
        line = f"{join_key((key,))} = {format_toml(value)}"
        is_outer = len(path) == 1 and path[0] in OUTER
        is_long = isinstance(value, dict) and (is_outer or len(line) > WIDTH)
        if isinstance(row, dict) and (is_long or (is_ordered and inner)):
            inner[key] = row
        else:
            own[key] = value
    if own or not inner or path in notes:
        yield ""
        yield from notes.pop(path, ())
        yield f"[{join_key(path)}]"
        yield from _lines(path, own, notes)
    for key, row in inner.items():
        yield from _section((*path, key), row, {}, notes)


def _lines(path: Parts, values: Row, notes: dict[Parts, list[str]]) -> Iterator[str]:
    """Yield the lines for each value, with the equals signs aligned."""
    keys = {key: join_key((key,)) for key in values}
    wide = max((len(key) for key in keys.values()), default=0)
    for key, value in values.items():
        for here in [here for here in notes if here[: len(path) + 1] == (*path, key)]:
            yield from notes.pop(here)
        name = keys[key].ljust(wide if wide <= MAX_ALIGNED else 0)
        line = f"{name} = {_format(value)}"
        if len(line) <= WIDTH or not isinstance(value, list):
            yield line
        else:
            yield f"{name} = ["
            yield from _filled([f"{format_toml(item)}," for item in value])
            yield "]"


def _format(value: object) -> str:
    """Return a value in TOML. A long text with several lines is written on several lines."""
    line = format_toml(value)
    if not isinstance(value, str) or "\n" not in value or len(line) < MAX_ONE_LINE:
        return line
    is_plain = value.replace("\n", "").isprintable() and not set('\\"') & set(value)
    return f'"""\n{value}"""' if is_plain else line


def _filled(items: list[str]) -> Iterator[str]:
    """Yield indented lines, each with as many items as fit."""
    line = "   "
    for item in items:
        if len(line) + len(item) >= WIDTH and line.strip():
            yield line
            line = "   "
        line += f" {item}"
    yield line


# --- rows and rules in their shortest form


def _shorten(shape: Shape, table: Row) -> Json:
    """Return a file's table with rows and rules in their shortest form.

    Normalizing the returned table has the same result as normalizing the original one.
    """
    result: Json = dict(table)
    for name, value in table.items():
        if not isinstance(value, dict):
            continue
        if name == "phases":
            result[name] = {
                phase: _short_phase(shape, phase, row) if isinstance(row, dict) else row
                for phase, row in value.items()
            }
        else:
            result[name] = _short_table(shape, name, value)
    turned = result.get("deal")
    if isinstance(turned, dict) and isinstance(turned.get("turned"), dict):
        card = turned["turned"]
        result["deal"] = {**turned, "turned": card["cite"] if set(card) == {"cite"} else card}
    return result


def _short_phase(shape: Shape, phase: str, row: Row) -> Json:
    return {key: _short_value(shape, phase, key, value) for key, value in row.items()}


def _short_table(shape: Shape, name: str, rows: Row) -> Json:
    own = shape.own_keys(name) if name in OWN_KEYS else ()
    takes = shape.rows.get(name)
    result: Json = {}
    for key, value in rows.items():
        if key in own:
            result[key] = _short_value(shape, name, key, value)
        elif takes is not None and isinstance(value, dict):
            short = {part: _as_text(of, takes.get(part)) for part, of in value.items()}
            only = next(iter(short)) if len(short) == 1 else ""
            forms = [short[only], short] if only and takes.get(only) else [short]
            result[key] = _same(forms, value, partial(shape.row_value, key, takes=takes))
        else:
            result[key] = value
    return result


def _short_value(shape: Shape, phase: str, key: str, value: object) -> object:
    """Return a phase's key or rule in its shortest form."""
    forms: list[object] = []
    if isinstance(value, dict):
        short = {part: _cite_alone(of) for part, of in value.items()}
        forms = [short.get("cite"), short.get("is"), short]
    elif isinstance(value, list) and len(value) == 1:
        forms = [value[0]]
    return _same(forms, value, partial(shape.phase_value, phase, key))


def _same(forms: Iterable[object], value: object, shape: Callable[[object], object]) -> object:
    """Return the first of the given forms that means the same as the value, or else the value.

    They mean the same if `shape` expands both to the same row.
    """
    wanted = shape(value)
    same = (form for form in forms if form is not None and shape(form) == wanted)
    return next(same, value)


def _as_text(value: object, parameter: Parameter | None) -> object:
    """Return the string of a list with one string, if the key takes a list of strings.

    Any other value is returned unchanged.
    """
    is_list = parameter is not None and parameter.kind in TEXT_LISTS
    if is_list and isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    return value


def _cite_alone(value: object) -> object:
    """Return only a rule's paragraph if the rule has no other keys."""
    return value["cite"] if isinstance(value, dict) and set(value) == {"cite"} else value
