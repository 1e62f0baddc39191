"""Text for users: columns, safe display, suggestions for mistyped words, and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_WORD = 60
MAX_KNOWN = 1_000
MIN_LETTERS = 3  # minimum length of a word in which one wrong character is tolerated
_SHORT = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}
# Translations use non-breaking spaces before units. They are harmless, so they are not escaped.
_SHORT |= {blank: blank for blank in "\u00a0\u202f"}

# Invisible joiners that some scripts and emoji need. They hide no text and do not change its
# direction.
_JOINERS = "\u200c\u200d"
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_BLANK = frozenset("\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029")
_FIRST_RIGHT_TO_LEFT = "\u0590"
_RIGHT_TO_LEFT = frozenset(("R", "AL"))
_INSIDE_RUN = frozenset(" '’-\u05be\u200c\u200d")
# A pattern for the position after each `+` in joined names, such as `Ana+Ben`.
JOINED_NAMES = r"(?<=[^\s(]\+)(?=[^\s)])"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

MINUS = "-\u2212\u2013"  # a hyphen, a minus sign, or a dash used as one
SIGNS = f"+{MINUS}"
MAX_DIGITS = 100  # maximum length of a number, in characters


# --- terminal columns: the width of a text, and line breaks


def display_width(text: str) -> int:
    """Return the number of terminal columns that a string occupies.

    A combining character occupies no column, and a wide character occupies two.
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def shorten(text: str, width: int) -> str:
    """Return the text in at most `width` columns, with its middle replaced by `…` if it is wider.

    The end is preserved, because names that begin the same often end differently.
    """
    if display_width(text) <= width:
        return text
    head, tail = "", ""
    while display_width(head + text[len(head)]) <= (width + 1) // 2 - 1:
        head += text[len(head)]
    while display_width(text[-len(tail) - 1] + tail) <= width - display_width(head) - 1:
        tail = text[-len(tail) - 1] + tail
    return f"{head}…{tail}"


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return the text padded with spaces to a width. If `right` is true, align it to the right."""
    blanks = " " * (width - display_width(text))
    return blanks + text if right else text + blanks


def wrap_parts(parts: Iterable[str], width: int, indent: str, separator: str) -> Iterator[str]:
    """Yield lines of at most `width` columns, each with as many parts as fit.

    A part that is wider than a line is broken at spaces. A word that is wider still is broken
    anywhere. Lines after the first begin with `indent`. Each line has at least one character.
    """
    line, width = "", max(width, len(indent) + 1)
    for part in parts:
        if line and display_width(f"{line}{separator}{part}") > width:
            yield line
            line = indent
        elif line:
            line += separator
        line += part
        while display_width(line) > width:
            cut = _find_break(line, width, len(indent))
            yield line[:cut].rstrip()
            line = indent + line[cut:].lstrip()
    if line and line != indent:
        yield line


def wrap_text(text: str, width: int, indent: str) -> list[str]:
    """Return the text in lines of at most `width` columns, broken at spaces.

    Spaces at the beginning are preserved, and lines after the first begin with `indent`.
    """
    words = text.split()
    if not words:
        return []
    words[0] = text[: len(text) - len(text.lstrip())] + words[0]
    return list(wrap_parts(words, width, indent, " "))


def _find_break(line: str, width: int, least: int) -> int:
    """Return the position at which to break a line that is too wide."""
    most = next(at for at in range(len(line), -1, -1) if display_width(line[:at]) <= width)
    blank = line.rfind(" ", least + 1, most + 1)
    return blank if blank > 0 else max(most, least + 1)


# --- suggestions for unknown words


def find_nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word most similar to `word`, ignoring case, or "" if none is similar.

    >>> find_nearest("folow", ["lead", "follow"])
    'follow'
    """
    from difflib import get_close_matches
    from itertools import islice

    typed, names = (
        word[:MAX_WORD].lower(),
        {name.lower(): name for name in islice(known, MAX_KNOWN)},
    )
    matches = get_close_matches(typed, names, n=1)
    if matches or len(typed) < MIN_LETTERS:
        return names[matches[0]] if matches else ""
    return next((names[name] for name in names if _is_one_slip(typed, name)), "")


def _is_one_slip(one: str, other: str) -> bool:
    """Return whether the words differ by one extra, missing, wrong or swapped character."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    swapped = one[1::-1] + one[2:]
    return one[1:] in (other, other[1:]) or one == other[1:] or swapped == other


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean "follow"?`, or "" if no known word is similar to `word`."""
    match = find_nearest(word, known)
    return tr('did you mean "{word}"?', word=match) if match else ""


# --- outside text, for a terminal and for data


def _escape(char: str) -> str:
    code = ord(char)
    return _SHORT.get(char) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _json_escape(char: str) -> str:
    from json import dumps

    return dumps(char)[1:-1]


def escape_controls(text: str, escape: Callable[[str], str] = _escape) -> str:
    r"""Return the text in one line, with each character that is not printable escaped.

    Such characters can control a terminal, break a line or change the direction of text. All output
    passes through this function, whatever its source.

    >>> escape_controls("Ana\x1b[31m")
    'Ana\\u001b[31m'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else escape(char) for char in text)


def escape_lines(text: str, escape: Callable[[str], str] = _escape) -> str:
    """Return the text with all control characters escaped except line breaks and tabs.

    TOML and JSON parsers turn the escapes back into the original characters.
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "\n".join(
        "\t".join(escape_controls(cell, escape) for cell in line.split("\t"))
        for line in text.split("\n")
    )


def format_json(value: object) -> str:
    """Return a value as indented JSON, with invisible characters escaped."""
    from json import dumps

    return escape_lines(dumps(value, ensure_ascii=False, indent=2), _json_escape)


def format_json_line(value: object) -> str:
    """Return a value as JSON in one line, with invisible characters escaped."""
    from json import dumps

    return escape_lines(dumps(value, ensure_ascii=False), _json_escape)


def quote(text: object, max_length: int = 60) -> str:
    """Return any value as safe text of at most `max_length` characters, for messages.

    Non-breaking spaces become ordinary spaces.
    """
    try:
        raw = str(text)
    except ValueError:  # Python refuses to convert an integer with thousands of digits to text.
        raw = tr("a number with too many digits")
    seen = escape_controls(raw if len(raw) <= max_length else raw[: max_length - 3] + "...")
    return seen if seen.isprintable() else "".join(c if c.isprintable() else " " for c in seen)


def describe_crash(error: Exception) -> str:
    """Return a description of an exception that was caused by a bug in the program.

    The description names the exception's type, the function that raised it, and its message.
    """
    function, at = "", error.__traceback__
    while at is not None:
        function, at = at.tb_frame.f_code.co_name, at.tb_next
    return f"{type(error).__name__} in {function}: {quote(error)}"


# --- outside text, for pages


def make_printable(text: str) -> str:
    """Return the text in one line, with each invisible character replaced.

    Line breaks and tabs become spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    from unicodedata import category

    shown = []
    for char in text:
        if char in _BLANK:
            shown.append(" ")
        elif category(char) in _HIDDEN and char not in _JOINERS:
            shown.append(REPLACEMENT)
        else:
            shown.append(char)
    return "".join(shown)


def escape_html(text: str) -> str:
    """Return the text escaped for HTML and SVG, including attributes."""
    from html import escape

    return escape(make_printable(text))


def split_by_direction(text: str) -> list[tuple[str, bool]]:
    """Split the text by writing direction.

    Each piece is paired with True if it is written from right to left, and otherwise with False. A
    right-to-left piece consists of letters of right-to-left scripts and the spaces between them.
    Digits and other characters belong to the neighboring pieces.
    """
    if all(char < _FIRST_RIGHT_TO_LEFT for char in text):
        return [(text, False)]
    from unicodedata import bidirectional

    turned = [bidirectional(char) in _RIGHT_TO_LEFT for char in text]
    marks = [bidirectional(char) == "NSM" or char in _INSIDE_RUN for char in text]
    result: list[tuple[str, bool]] = []
    start = 0
    while start < len(text):
        end = after = start + 1
        if turned[start]:
            while after < len(text) and (turned[after] or marks[after]):
                after += 1
                if turned[after - 1] or text[after - 1] not in _INSIDE_RUN:
                    end = after
        else:
            while end < len(text) and not turned[end]:
                end += 1
        result.append((text[start:end], turned[start]))
        start = end
    return result


# --- whole numbers as people, phones and spreadsheets write them


def is_signed(text: str) -> bool:
    """Return whether a string is an integer, with or without a sign."""
    digits = text[1:].strip() if text[:1] in SIGNS else text
    return digits.isascii() and digits.isdigit()


def parse_signed(text: str) -> int | None:
    """Return the integer that a string represents, or None if it is not an integer or is too
    long."""
    if not is_signed(text) or len(text) > MAX_DIGITS:
        return None
    number = int(text.lstrip(SIGNS))
    return -number if text[0] in MINUS else number
