"""The text of a ruleset file from its tables: short rows in one line each, under their table."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from scorekeeper.render.rules_page import format_toml
from scorekeeper.ruleset.tables import join_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.surface import Shape

WIDTH = 120  # maximum width of a line
# Tables that precede all others in a file, and those that follow them.
FIRST = ("players", "sides", "pack", "dice", "deal", "tally", "match", "result")
LAST = ("statistics", "breakdowns", "history", "columns", "totals", "ladders", "languages")


def write_ruleset(table: Row, shape: Shape, comments: dict[str, list[str]] | None = None) -> str:
    """Return the text of a ruleset file. `shape` includes the phases of all that it extends.

    `comments` are lines by the heading that they precede, such as `[deal]`. Lines under "" are the
    beginning of the file.
    """
    notes = comments or {}
    whole = shape.shorten(table)
    values = {key: value for key, value in whole.items() if not isinstance(value, dict)}
    lines = [*notes.get("", ()), *_aligned(values)]
    names = [name for name in whole if name not in values]
    names.sort(key=_rank)
    for name in names:
        lines += _section((name,), whole[name], notes)
    return "\n".join(lines).lstrip("\n") + "\n"


def _rank(name: str) -> int:
    if name in FIRST:
        return FIRST.index(name)
    return len(FIRST) + (LAST.index(name) + 1 if name in LAST else 0)


def find_comments(text: str) -> dict[str, list[str]]:
    """Return the comments of a ruleset file that precede a heading, for `write_ruleset`.

    Those at the beginning of the file are under "". Comments at other places are left out.
    """
    result: dict[str, list[str]] = {}
    block: list[str] = []
    is_head = True
    for line in text.splitlines():
        if line.startswith("#"):
            block.append(line)
            continue
        if is_head and block:
            result[""] = block
            block = []
        elif block and line.startswith("["):
            result.setdefault(line.partition("#")[0].strip(), block)
        is_head = is_head and not line.strip()
        block = [] if line.strip() else block
    return result


def _section(path: tuple[str, ...], table: Json, notes: dict[str, list[str]]) -> Iterator[str]:
    """Yield the lines of a table: its values and rows, and last its long rows.

    The order of rows has a meaning. A long row that others follow has a line for each key.
    """
    long = [key for key, value in table.items() if _is_long(path, key, value)]
    at_end = list(takewhile(long.__contains__, reversed(table)))
    own: Json = {}
    for key, value in table.items():
        if key in long and key not in at_end:
            own |= {join_key((key, part)): of for part, of in value.items()}
        elif key not in at_end:
            own[join_key((key,))] = value
    heading = f"[{join_key(path)}]"
    if own or not at_end:
        yield ""
        yield from notes.get(heading, ())
        yield heading
        yield from _aligned(own)
    for key in reversed(at_end):
        yield from _section((*path, key), table[key], notes)


def _is_long(path: tuple[str, ...], key: str, value: object) -> bool:
    """Return whether a row needs more than one line."""
    if not isinstance(value, dict):
        return False
    line = f"{join_key((key,))} = {format_toml(value)}"
    return len(line) > WIDTH or path in (("phases",), ("languages",))


def _aligned(values: Row) -> Iterator[str]:
    """Yield a line for each value, with the signs of equality in one column.

    `values` have keys as they are written.
    """
    wide = max(map(len, values), default=0)
    for key, value in values.items():
        line = f"{key:<{wide}} = {format_toml(value)}"
        if len(line) > WIDTH and isinstance(value, list):
            yield f"{key:<{wide}} = ["
            yield from _filled([f"{format_toml(item)}," for item in value])
            yield "]"
        else:
            yield line


def _filled(items: list[str]) -> Iterator[str]:
    """Yield indented lines that are filled with the items."""
    line = "   "
    for item in items:
        if len(line) + len(item) >= WIDTH and line.strip():
            yield line
            line = "   "
        line += f" {item}"
    yield line
