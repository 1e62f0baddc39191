"""How a line is parted: where an entry ends, and what a row of cards after a name may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.syntax import clean

if TYPE_CHECKING:
    from collections.abc import Sequence


def uncommented(text: str) -> str:
    """A text without the comment after it, which a line would end with."""
    for at, char in enumerate(text if "#" in text else ""):
        if char == "#" and (at == 0 or text[at - 1].isspace()):
            return text[:at].rstrip()
    return text


def entry_end(text: str) -> tuple[int, bool]:
    """Where the first entry of a line ends, and whether only a comment is left after it."""
    if not ("," in text or ";" in text or "#" in text):
        return len(text), True
    for index, char in enumerate(text):
        if char in ",;":
            return index, False
        if char == "#" and text[index - 1].isspace():
            return index, True
    return len(text), True


def one_at_a_time(name: str, cards: Sequence[str]) -> Unreadable:
    """Why a row of cards after a name is no entry where one card is laid at a time, and what may
    be typed instead."""
    first, *others = cards
    one = f"{name}: {first}"
    withdrawn = ", ".join([one, *(f"{name}: {card} !withdrawn" for card in others)])
    return Unreadable(
        tr(
            "“{text}”: one card is laid at a time, and this is not the rest of the trick",
            text=clean(f"{name}: {' '.join(cards)}")[:80],
        ),
        tr(
            "{one} for that card alone; {row} if whoever comes next laid the others; {withdrawn} "
            "if {name} laid them at once",
            one=one,
            row=", ".join(cards),
            withdrawn=withdrawn,
            name=name,
        ),
    )


def more_than_one(text: str) -> Unreadable:
    """Why what is written so is no entry: a line would read it as several."""
    return Unreadable(
        tr("“{text}” is more than one entry", text=clean(text)[:80]),
        tr("enter them one after the other; what belongs together is joined by +"),
    )
