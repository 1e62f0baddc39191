"""Names that are too long to stand above a narrow column, and what stands there in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import columns, filled, plain, shortened
from scorekeeper.render.narrow import MOST_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.render.paper import Grid, Sheet

BESIDE = 16  # columns for what stands beside the players'
LEAST = 4
MOST_LINES = 3  # of a name in a heading
PAIRED = "+"


def shorts(sheet: Sheet, grids: Sequence[Grid], width: int) -> dict[str, str]:
    """Short forms for those that columns are for whose names would be torn above columns of which
    as many as there are stand in that width. What is short on the sheet already stays so."""
    whom = list(dict.fromkeys(column.who for grid in grids for column in grid.columns))
    names = [who for who in whom if who]
    many = max((sum(1 for each in grid.columns if each.who) for grid in grids), default=1)
    room = min(max((width - BESIDE) // max(many, 1) - 2, LEAST), MOST_NAME)
    signs = {meaning: sign for sign, meaning in sheet.legend}
    found: dict[str, str] = {}
    for name in names:
        if _torn(plain(name), room):
            found[name] = _short(name, room, names, {*signs, *found.values()}, signs)
    return found


def shorter(grid: Grid, short: Mapping[str, str]) -> Grid:
    """The table with these names short in its headings."""
    heads = [
        column._replace(label=column.label.replace(column.who, short[column.who]))
        if column.who in short
        else column
        for column in grid.columns
    ]
    return grid._replace(columns=heads)


def _torn(name: str, room: int) -> bool:
    words = name.split()
    lines = sum(1 for _ in filled(words, room, "", " "))
    return lines > MOST_LINES or any(columns(word) > room for word in words)


def _short(
    name: str, room: int, names: Sequence[str], taken: set[str], signs: Mapping[str, str]
) -> str:
    """What is short on the sheet already; the beginning of a name if nobody else's begins so; its
    beginning and its end; its number. Of a pair, what each is called for short."""
    sign = signs.get(name, "")
    if sign and columns(sign) <= room:
        return sign
    text, others = plain(name), [plain(other).casefold() for other in names if other != name]
    start = _beginning(text, room)
    if PAIRED not in text and not any(other.startswith(start.casefold()) for other in others):
        return start
    single = by_signs(name, signs).split(PAIRED)
    both = shortened(text, room)
    if len(single) > 1:
        both = PAIRED.join(plain(one) for one in single)
        signed = not set(signs).isdisjoint(name.split(PAIRED))
        if columns(both) > room and signed:  # a line may end where two are joined
            both = both.replace(PAIRED, f"{PAIRED} ")
        elif columns(both) > room:
            each = max((room + 1) // len(single) - 1, 2)
            both = PAIRED.join(_beginning(one, each) for one in text.split(PAIRED))
    if both not in taken and not _torn(both, room):
        return both
    return str(names.index(name) + 1)


def by_signs(name: str, signs: Mapping[str, str]) -> str:
    """A name, or several that are joined, each by its sign if it has one."""
    return signs.get(name) or PAIRED.join(signs.get(one, one) for one in name.split(PAIRED))


def explained(name: str, short: str, signs: Mapping[str, str]) -> bool:
    """Whether the signs tell who it is that is called so."""
    return short.replace(" ", "") == plain(by_signs(name, signs)).replace(" ", "")


def _beginning(text: str, room: int) -> str:
    """As much of a text as fits, whole words if that is half of it."""
    start = next((text[:at] for at in range(len(text), 0, -1) if columns(text[:at]) <= room), "")
    blank = start.rfind(" ")
    inside = text[len(start) : len(start) + 1].strip()
    return start[:blank] if inside and blank >= room // 2 else start.strip()
