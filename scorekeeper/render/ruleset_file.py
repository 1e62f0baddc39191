"""The text of a ruleset file from its tables, with a short row in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.render.rules_page import format_toml
from scorekeeper.ruleset.tables import join_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.surface import Shape

    Parts = tuple[str, ...]
    Comments = Mapping[Parts, list[str]]

WIDTH = 120  # maximum width of a line
MAX_ALIGNED = 24  # maximum width of a key after which the other values of its table are aligned
MAX_ONE_LINE = 80  # maximum width of a text that is written in one line although it has several
# Tables that precede all others in a file.
FIRST = ("players", "sides", "pack", "dice", "deal", "tally", "match", "result")
# Tables that are written last, because they are about what is shown.
LAST = ("columns", "totals", "ladders", "statistics", "breakdowns", "history", "words", "languages")
# Tables of tables, each of which has its own heading. The order of their keys does not matter.
OUTER = ("phases", "languages")


def write_ruleset(table: Row, shape: Shape, comments: Comments | None = None) -> str:
    """Return the text of a ruleset file. `shape` includes the phases of all that it extends.

    `comments` are the lines before the key or table at a path. Those at () begin the file.
    """
    notes = dict(comments or {})
    whole = shape.shorten(table)
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
    """Yield the lines of a table. `full` has its rows in their long form.

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
    """Yield the lines for each value, with the signs of equality in one column."""
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
    """Return a value in TOML. A long text that has several lines is written in several lines."""
    line = format_toml(value)
    if not isinstance(value, str) or "\n" not in value or len(line) < MAX_ONE_LINE:
        return line
    is_plain = value.replace("\n", "").isprintable() and not set('\\"') & set(value)
    return f'"""\n{value}"""' if is_plain else line


def _filled(items: list[str]) -> Iterator[str]:
    """Yield indented lines that are filled with the items."""
    line = "   "
    for item in items:
        if len(line) + len(item) >= WIDTH and line.strip():
            yield line
            line = "   "
        line += f" {item}"
    yield line
