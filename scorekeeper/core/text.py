"""Text for people: in columns of a terminal, harmless to print, with what a mistyped word may have
been meant for, and numbers as people write them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_WORD = 60
MAX_KNOWN = 1_000
SHORTEST = 3  # letters of a word in which one may be a slip
_SHORT = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}
# A translation's own blanks, which keep a number and its unit in one line, are blanks.
_SHORT |= {blank: blank for blank in "\u00a0\u202f"}

# Joiners that letters and pictures of some scripts need; they neither hide nor turn anything.
_KEPT = "\u200c\u200d"
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_BLANK = frozenset("\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029")
_FIRST_TURNED = "\u0590"
_TURNED = frozenset(("R", "AL"))
_WITHIN = frozenset(" '’-\u05be\u200c\u200d")
# A pattern of the places between names that are joined to one: `Ana+Ben`.
JOINED = r"(?<=[^\s(]\+)(?=[^\s)])"
REPLACED = "\N{REPLACEMENT CHARACTER}"

MINUS = "-\u2212\u2013"  # a hyphen, a minus, a dash in its place
SIGNS = f"+{MINUS}"
MOST_LONG = 100  # characters


# --- columns of a terminal: how wide a text is, and how it is broken into lines


def columns(text: str) -> int:
    """How many columns a text takes; a letter that stands on another takes none, a wide one two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def shortened(text: str, width: int) -> str:
    """The text in that many columns at most; of one that is wider the beginning and the end, for
    names that begin alike often end differently."""
    if columns(text) <= width:
        return text
    head, tail = "", ""
    while columns(head + text[len(head)]) <= (width + 1) // 2 - 1:
        head += text[len(head)]
    while columns(text[-len(tail) - 1] + tail) <= width - columns(head) - 1:
        tail = text[-len(tail) - 1] + tail
    return f"{head}…{tail}"


def padded(text: str, width: int, *, right: bool = False) -> str:
    """The text with blanks after it, or before it, up to that many columns."""
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks


def filled(parts: Iterable[str], width: int, indent: str, between: str) -> Iterator[str]:
    """Parts in lines of that width, as many in one as fit; what is wider than a line by itself is
    broken at blanks, a word that is wider still anywhere. Lines after the first are indented. Each
    line has a letter at least, however narrow it is to be."""
    line, width = "", max(width, len(indent) + 1)
    for part in parts:
        if line and columns(f"{line}{between}{part}") > width:
            yield line
            line = indent
        elif line:
            line += between
        line += part
        while columns(line) > width:
            cut = _cut(line, width, len(indent))
            yield line[:cut].rstrip()
            line = indent + line[cut:].lstrip()
    if line and line != indent:
        yield line


def broken(text: str, width: int, indent: str) -> list[str]:
    """A text in lines of that width, broken at blanks; what it begins with stays, lines after the
    first are indented."""
    words = text.split()
    if not words:
        return []
    words[0] = text[: len(text) - len(text.lstrip())] + words[0]
    return list(filled(words, width, indent, " "))


def _cut(line: str, width: int, least: int) -> int:
    """Where a line that is too wide is broken."""
    most = next(at for at in range(len(line), -1, -1) if columns(line[:at]) <= width)
    blank = line.rfind(" ", least + 1, most + 1)
    return blank if blank > 0 else max(most, least + 1)


# --- what somebody may have meant by a word that is unknown


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


# --- text from outside, for a terminal and for data


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


# --- text from outside, for any page


def plain(text: str) -> str:
    """The text in one line: line breaks and tabs are blanks, what cannot be seen is shown as a
    replacement character."""
    if text.isascii() and text.isprintable():
        return text
    from unicodedata import category

    shown = []
    for char in text:
        if char in _BLANK:
            shown.append(" ")
        elif category(char) in _HIDDEN and char not in _KEPT:
            shown.append(REPLACED)
        else:
            shown.append(char)
    return "".join(shown)


def escaped(text: str) -> str:
    """Text that stands for itself in HTML and SVG, in attributes too."""
    from html import escape

    return escape(plain(text))


def runs(text: str) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is written from right to left: letters of such
    scripts with the blanks between them, and no digit or other sign that belongs to the rest."""
    if all(char < _FIRST_TURNED for char in text):
        return [(text, False)]
    from unicodedata import bidirectional

    turned = [bidirectional(char) in _TURNED for char in text]
    marks = [bidirectional(char) == "NSM" or char in _WITHIN for char in text]
    found: list[tuple[str, bool]] = []
    start = 0
    while start < len(text):
        end = after = start + 1
        if turned[start]:
            while after < len(text) and (turned[after] or marks[after]):
                after += 1
                if turned[after - 1] or text[after - 1] not in _WITHIN:
                    end = after
        else:
            while end < len(text) and not turned[end]:
                end += 1
        found.append((text[start:end], turned[start]))
        start = end
    return found


# --- whole numbers as people, phones and spreadsheets write them


def is_signed(text: str) -> bool:
    """Return whether a text is a whole number, perhaps with a sign before it."""
    digits = text[1:].strip() if text[:1] in SIGNS else text
    return digits.isascii() and digits.isdigit()


def signed(text: str) -> int | None:
    """Return the whole number that a text is. None for another text, and for one far too long."""
    if not is_signed(text) or len(text) > MOST_LONG:
        return None
    number = int(text.lstrip(SIGNS))
    return -number if text[0] in MINUS else number
