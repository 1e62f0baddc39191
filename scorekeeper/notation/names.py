"""What players may be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.syntax import NAME_LENGTH, clean, composed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORBIDDEN = ":;,/+=#!"


def check_names(names: Sequence[str], words: Iterable[str]) -> list[str]:
    """The players' names in the form they are kept in; raises Unreadable for a name that could
    not be told from something else. `words` are the table words that no name may be."""
    kept = list(map(composed, names))
    taken = {word.casefold() for word in words} | {"all"}  # which every version has kept free
    for name in kept:
        _check_name(name, taken)
    folded = [name.casefold() for name in kept]
    for index, name in enumerate(folded):
        if name in folded[:index]:
            raise Unreadable(
                tr("two players are called “{name}”", name=clean(kept[index])),
                tr("name them apart"),
            )
    return kept


def _check_name(name: str, taken: set[str]) -> None:
    shown = clean(name)[:NAME_LENGTH]
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Unreadable(
            tr(
                "a name has 1 to {most} characters; “{name}” has {count}",
                most=NAME_LENGTH,
                name=shown,
                count=len(name),
            )
        )
    if not name.isprintable() or name != " ".join(name.split()):
        raise Unreadable(
            tr("the name “{name}” holds control characters or too many blanks", name=shown)
        )
    if any(char in FORBIDDEN for char in name):
        raise Unreadable(
            tr(
                "the name “{name}” holds one of {signs}",
                name=shown,
                signs=" ".join(FORBIDDEN),
            )
        )
    folded = name.casefold()
    first = folded.split()[0]
    if folded in taken or (first in taken and " " in folded):
        raise Unreadable(
            tr(
                "“{name}” cannot be a name: “{word}” is a word of the table",
                name=shown,
                word=first,
            )
        )
