"""Limits on outside input, and a TOML parser that checks them first.

The limits bound rulesets, their options and records before anything is built from them.
rulesets/README.md and docs/records.md list the same numbers, which a test compares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import shown

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from scorekeeper.core.types import Json

# --- rulesets and options

NUMBERS = (-999_999, 999_999)  # whole numbers, unless a key has narrower bounds
FILE_BYTES = 256 * 1024  # of a ruleset, and of its rule text
DEPTH = 16  # of nested tables and lists
CHAIN = 8  # rulesets that extend one another
KEY_PARTS = 100  # dots in a line, outside of texts
ROWS = 400  # of a table
ROW_NAME = 60  # characters
TEXT = 1_000  # characters of a value
ITEMS = 400  # of a list
OPTIONS = 400  # values that are set
FAULTS = 100  # that are reported

RANKS = 50
RANK_NAME = 3  # characters
JOKERS = 20
COPIES = 20
CARDS = 1_000  # of a pack
CARD_POINTS = 1_000  # of a card
PLAYERS = 200  # of a match
FACES = 20  # of a die
DICE = 50  # that a player may hold
POINTS = 1_000_000_000  # of a line of a score

# --- records

RECORD_BYTES = 8 * 1024 * 1024
RECORD_LINES = 200_000  # outside of texts
RECORD_LINE = 16 * 1024  # characters of a line outside of texts
JSON_BYTES = 32 * 1024 * 1024  # of a JSON file, and of a line of JSON lines
JSON_VALUES = 2_000_000  # in a JSON file
TABLE_BYTES = 8 * 1024 * 1024  # of a table of scores
TABLE_ROWS = 100_000
TABLE_COLUMNS = 250
ROUNDS = 50_000
CLAIMABLE = 60  # acts and table entries of a round that may be claimed or weighed at once


# --- TOML
#
# The standard parser is not made for hostile text. A key of thousands of parts takes it minutes
# and a gigabyte. So each line is checked first, without its texts and comments.

TOO_DEEP = f"tables and lists more than {DEPTH} deep"
TOO_MANY_DIGITS = "a number with too many digits"
# Texts and comments. An unclosed one runs to the end, so that no part is scanned twice.
_TEXTS = (
    r'"""(?:[^"\\]++|\\.?|"{1,2}+(?!"))*+(?:"{3,5}+|\Z)'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+(?:'{3,5}+|\Z)"
    r'|"(?:[^"\\\n]++|\\[^\n]?)*+(?:"|(?=\n)|\Z)'
    r"|'[^'\n]*+(?:'|(?=\n)|\Z)"
    r"|#[^\n]*+"
)
# How the parser's messages begin, and the explanation for each.
_MEANT = (
    ("Expected ']", "a heading ends with ] in its line, as in [name]"),
    ("Expected '='", "a key is followed by = and its value"),
    ("Invalid initial character for a key", "a key is needed here: letters, digits, - and _, or"
     " text in quotes"),
    ("Invalid value", "this is not a value; values are numbers, true, false, texts in quotes, lists"
     " in [ ], tables in { }"),
    ("Cannot overwrite", "this key is already in the table; a key may be used once"),
    ("Cannot declare", "this heading is already in the file; a heading may be used once"),
    ("Cannot redefine", "this heading is already in the file; a heading may be used once"),
    ("Cannot mutate", "this table was closed before; put all its keys in one place"),
    ("Cannot expand", "this table was closed before; put all its keys in one place"),
    ("Duplicate inline table key", "a table in { } has the same key twice; a key may be used once"),
    ("Unclosed array", "a list that began with [ is not closed; separate its values with commas,"
     " and end it with ]"),
    ("Unclosed inline table", "a table that began with { is not closed; end it with } in the same"
     " line"),
    ("Unterminated string", "a text is not closed: the quotes at its end are missing"),
    ("Illegal character '\\n'", "a text is not closed: the quotes at the end of the line are"
     " missing"),
    ("Unescaped '\\'", "in a text in double quotes, write \\\\ for \\"),
    ("Invalid hex value", "in a text in double quotes, write \\\\ for \\"),
    ("Expected newline or end of document", "the line must end after a value; put what follows in"
     " a line of its own"),
    ("Invalid statement", "a line is KEY = VALUE, a [heading], or a # comment"),
)  # fmt: skip


class Broken(ValueError):
    """A text that is not TOML, or is larger than allowed.

    `line` and `column` count from 1, and 0 means unknown. `excerpt` is the text of that line.
    `is_syntax_error` is true if the parser could not read the text.
    """

    def __init__(
        self, message: str, line: int = 0, column: int = 0, found: str = "", unread: bool = False
    ) -> None:
        super().__init__(message)
        self.unread = unread
        self.message = message
        self.line = line
        self.column = column
        self.found = found


def parse(text: str, lines: int, width: int) -> Json:
    """Return the table that a TOML text holds. Its values can be stored again.

    Its texts aside, it may have `lines` lines of at most `width` characters. Raises BrokenToml.
    """
    table = loads(text, lines, width)
    problem = unholdable(table)
    if problem:
        raise Broken(problem)
    return table


def loads(text: str, lines: int, width: int) -> Json:
    """Return the table that a TOML text holds, like `parse`, but with any values."""
    import tomllib

    _look_at(text, lines, width)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Broken(TOO_DEEP) from None
    except tomllib.TOMLDecodeError as error:
        raise _placed(str(error), text) from None
    except ValueError:
        raise Broken(TOO_MANY_DIGITS) from None


def _look_at(text: str, lines: int, width: int) -> None:
    """Raise BrokenToml if the text has too many lines, a line too wide or a key with too many
    parts."""
    import re

    bare = re.sub(_TEXTS, _blank, text, flags=re.DOTALL).split("\n")
    if len(bare) > lines and sum(map(bool, map(str.strip, bare))) > lines:
        raise Broken(f"more than {lines} lines")
    for number, line in enumerate(bare, 1):
        if len(line) > width:
            raise Broken(f"a line with more than {width} characters besides texts", number)
        if line.count(".") > KEY_PARTS:
            raise Broken(f"a line with more than {KEY_PARTS} dots", number)


def _blank(match: re.Match[str]) -> str:
    """Return a replacement for a text or comment that has as many line breaks."""
    return "\n" * match.group().count("\n") or '""'


def _placed(message: str, text: str) -> Broken:
    """Return the error for a parser's message, such as `Invalid value (at line 3, column 5)`."""
    what, _, place = message.rpartition(" (at ")
    explanation = next((meant for begun, meant in _MEANT if what.startswith(begun)), "")
    numbers = [int(word) for word in place.rstrip(")").replace(",", "").split() if word.isdigit()]
    if not what or len(numbers) != 2:
        return Broken(f"this is not TOML: {explanation or shown(message, 200)}", unread=True)
    line, column = numbers
    excerpt = shown(text.split("\n")[line - 1].strip())
    return Broken(
        f"this is not TOML: {explanation or shown(what, 200)}", line, column, excerpt, True
    )


def unholdable(value: object) -> str:
    """Return the reason why a TOML file cannot store a value, or ""."""
    level = [value]
    for _ in range(DEPTH + 1):
        for part in level:
            problem = _unplain(part)
            if problem:
                return problem
        level = [part for outer in level for part in _parts(outer)]
        if not level:
            return ""
    return TOO_DEEP


def _unplain(value: object) -> str:
    if isinstance(value, list | dict):
        return ""
    if isinstance(value, str):
        try:
            value.encode()
        # A lone surrogate, as a command-line argument that is not UTF-8 has it.
        except UnicodeEncodeError:
            return _cannot(value)
        return ""
    if isinstance(value, int):
        return "" if value.bit_length() < 64 else _cannot(value)
    from datetime import date, time

    if isinstance(value, time):
        return "" if value.tzinfo is None else _cannot(value)
    return "" if isinstance(value, float | date) else _cannot(value)


def _cannot(value: object) -> str:
    return f"it cannot hold this {type(value).__name__}"


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()
