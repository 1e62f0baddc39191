"""What somebody may have meant by a word that is unknown, and how text from outside is shown. May
import nothing.

A suggestion is only made once something is wrong, so its import is paid for in that case alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_WORD = 60
MAX_KNOWN = 1_000
SHORTEST = 3  # letters of a word in which one may be a slip
_SHORT = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}
# A translation's own blanks, which keep a number and its unit in one line, are blanks.
_SHORT |= {blank: blank for blank in "\u00a0\u202f"}


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like `word`, whatever letters are capitals, or "" if none is like it."""
    from difflib import get_close_matches
    from itertools import islice

    typed, names = (
        word[:MAX_WORD].lower(),
        {name.lower(): name for name in islice(known, MAX_KNOWN)},
    )
    found = get_close_matches(typed, names, n=1)
    if found or len(typed) < SHORTEST:
        return names[found[0]] if found else ""
    return next((names[name] for name in names if _is_one_slip(typed, name)), "")


def _is_one_slip(one: str, other: str) -> bool:
    """Whether a letter too many, missing, wrong or changed with the next makes the difference."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    swapped = one[1::-1] + one[2:]
    return one[1:] in (other, other[1:]) or one == other[1:] or swapped == other


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`did you mean "follow"?`, or "" if nothing known is like `word`."""
    found = nearest(word, known)
    return tr('did you mean "{word}"?', word=found) if found else ""


def _escape(char: str) -> str:
    code = ord(char)
    return _SHORT.get(char) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _json_escape(char: str) -> str:
    from json import dumps

    return dumps(char)[1:-1]


def visible(text: str, escape: Callable[[str], str] = _escape) -> str:
    """`text` in one line, with an escape for whatever is no sign of its own: what steers a
    terminal, breaks a line, turns the direction of what follows. All that is printed goes through
    here, whoever wrote it."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else escape(char) for char in text)


def visible_lines(text: str, escape: Callable[[str], str] = _escape) -> str:
    """A text of several lines, with its breaks and tabs, each part `visible`. In TOML and JSON
    what was escaped is read back as it was."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "\n".join(
        "\t".join(visible(cell, escape) for cell in line.split("\t")) for line in text.split("\n")
    )


def json_text(value: object) -> str:
    """A value as JSON for people and programs: whatever cannot be seen is escaped in it."""
    from json import dumps

    return visible_lines(dumps(value, ensure_ascii=False, indent=2), _json_escape)


def json_line(value: object) -> str:
    """The same in one line."""
    from json import dumps

    return visible_lines(dumps(value, ensure_ascii=False), _json_escape)


def shown(text: object, most: int = 60) -> str:
    """`text` visible and not too long, whatever stands in it: for messages. Blanks that do not
    break are blanks like others there."""
    try:
        raw = str(text)
    except ValueError:  # Python writes no whole number of thousands of digits
        raw = tr("a number with too many digits")
    seen = visible(raw if len(raw) <= most else raw[: most - 3] + "...")
    return seen if seen.isprintable() else "".join(c if c.isprintable() else " " for c in seen)


def crash(error: Exception) -> str:
    """Tell an exception that is the program's own fault: its type, the function that raised it, and
    its text."""
    function, at = "", error.__traceback__
    while at is not None:
        function, at = at.tb_frame.f_code.co_name, at.tb_next
    return f"{type(error).__name__} in {function}: {shown(error)}"
