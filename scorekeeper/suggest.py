"""What somebody may have meant by a word that is unknown. May import nothing.

Only called once something is wrong, so the import is paid for in that case alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_WORD = 60
MAX_KNOWN = 1_000


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like `word`, or "" if none is like it."""
    from difflib import get_close_matches
    from itertools import islice

    found = get_close_matches(word[:MAX_WORD].lower(), list(islice(known, MAX_KNOWN)), n=1)
    return found[0] if found else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`did you mean "follow"?`, or "" if nothing known is like `word`."""
    found = nearest(word, known)
    return f'did you mean "{found}"?' if found else ""


def shown(text: object, most: int = 60) -> str:
    """`text` on one line and not too long, whatever stands in it: for messages."""
    try:
        raw = str(text)
    except ValueError:  # Python writes no whole number of thousands of digits
        raw = "a number with too many digits"
    cut = raw if len(raw) <= most else raw[: most - 3] + "..."
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in cut
    )
