"""Letters that no font here has: what stands on paper in their place, and how that is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    # Whether every letter of these texts can be printed.
    Prints = Callable[[Sequence[str]], bool]

# What joins letters or says how one looks, and is nothing without them.
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
MOST_LETTERS, MOST_TEXTS = 8, 3


def unprinted(texts: Iterable[str], prints: Prints) -> list[str]:
    """The letters of these texts that cannot be printed."""
    words = {word for text in texts if not text.isascii() for word in text.split()}
    found: set[str] = set()
    for word in _failing(sorted(word for word in words if not word.isascii()), prints):
        letters = sorted({letter for letter in word if not letter.isascii()} - set(_JOINERS))
        # Letters that can be printed one by one may yet have no font that has them together.
        found.update(_failing(letters, prints) or letters)
    return sorted(found)


def _failing(texts: Sequence[str], prints: Prints) -> list[str]:
    """Those of the texts that cannot be printed, found by halves: mostly there are none."""
    if not texts or prints(texts):
        return []
    if len(texts) == 1:
        return list(texts)
    half = len(texts) // 2
    return _failing(texts[:half], prints) + _failing(texts[half:], prints)


def replacing(letters: Iterable[str]) -> Callable[[str], str]:
    """What puts letters' numbers in their place."""
    own = "".join(map(re.escape, letters))
    if not own:
        return lambda text: text
    found = re.compile(f"[{own}{_JOINERS}]*[{own}][{own}{_JOINERS}]*")

    def numbers(match: re.Match[str]) -> str:
        return f"[{' '.join(_number(each) for each in match[0] if each not in _JOINERS)}]"

    return lambda text: text if text.isascii() else found.sub(numbers, text)


def _number(letter: str) -> str:
    return f"U+{ord(letter):04X}"


def told_missing(letters: Sequence[str], names: Iterable[str], texts: Iterable[str]) -> str:
    """In one line which letters are not printed, where they stand, and what to do about it: in
    whose names if in names, else in which texts."""
    wanted = set(letters)
    where = [name for name in dict.fromkeys(names) if wanted & set(name)]
    left = wanted - set("".join(where))
    for text in sorted(set(texts), key=len):
        if left & set(text):
            where.append(text)
            left -= set(text)
    said = ", ".join(f"{letter} ({_number(letter)})" for letter in letters[:MOST_LETTERS])
    some = ", ".join(f"“{shown(text, 40)}”" for text in where[:MOST_TEXTS])
    return tr(
        "no font here has {letters} in {texts}: numbers are printed in their place; install a font"
        " that has them, or take --format html",
        letters=said + ("…" if len(letters) > MOST_LETTERS else ""),
        texts=some + ("…" if len(where) > MOST_TEXTS else ""),
    )
