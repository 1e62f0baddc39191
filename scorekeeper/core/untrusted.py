"""Limits on untrusted input, and a TOML parser that enforces them.

Rulesets, their options and records are checked against the limits before anything is built from
them. rulesets/reference.md and docs/records.md list the same numbers, and a test compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import quote

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from scorekeeper.core.types import Json

# --- rulesets and options

NUMBER_RANGE = (-999_999, 999_999)  # the range of integers, unless a key has narrower bounds
MAX_FILE_BYTES = 256 * 1024  # the size of a ruleset file, and of its rule text
MAX_DEPTH = 16  # the nesting depth of tables and lists
MAX_EXTENDS = 8  # rulesets in a chain in which each extends the next
MAX_KEY_PARTS = 100  # dots in one line, outside strings
MAX_ROWS = 400  # rows in one table
MAX_ROW_NAME = 60  # characters in the name of a row
MAX_TEXT = 1_000  # characters in one value
MAX_ITEMS = 400  # items in one list
MAX_OPTIONS = 400  # values that the options set
MAX_FAULTS = 100  # faults that are reported

MAX_RANKS = 50
MAX_RANK_NAME = 3  # characters in the name of a rank
MAX_JOKERS = 80
MAX_COPIES = 20
MAX_CARDS = 1_000  # cards in a pack
MAX_CARD_POINTS = 1_000  # points of one card
MAX_PLAYERS = 200  # players in a match
MAX_FACES = 20  # faces of one die
MAX_DICE = 50  # dice of one player
MAX_POINTS = 1_000_000_000  # points in one line of a score

# --- records

MAX_RECORD_BYTES = 8 * 1024 * 1024
MAX_RECORD_LINES = 200_000  # lines in a record, except those inside strings
MAX_RECORD_LINE = 16 * 1024  # characters in one line, outside strings
MAX_JSON_BYTES = 32 * 1024 * 1024  # the size of a JSON file, or of one line in JSON Lines
MAX_JSON_VALUES = 2_000_000  # values in a JSON file
MAX_TABLE_BYTES = 8 * 1024 * 1024  # the size of a score table
MAX_TABLE_ROWS = 100_000
MAX_TABLE_COLUMNS = 250
MAX_ROUNDS = 50_000
MAX_CLAIMABLE = 60  # faults of one round that may still be claimed or decided


# --- TOML
#
# The standard parser is not designed for hostile input. It needs minutes and a gigabyte of memory
# for a key with thousands of parts. So each line is checked first, without strings and comments.

TOO_DEEP = f"tables and lists more than {MAX_DEPTH} deep"
TOO_MANY_DIGITS = "a number with too many digits"
# A pattern for strings and comments. An unclosed string runs to the end, so no part is scanned
# twice.
_TEXT_OR_COMMENT = (
    r'"""(?:[^"\\]++|\\.?|"{1,2}+(?!"))*+(?:"{3,5}+|\Z)'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+(?:'{3,5}+|\Z)"
    r'|"(?:[^"\\\n]++|\\[^\n]?)*+(?:"|(?=\n)|\Z)'
    r"|'[^'\n]*+(?:'|(?=\n)|\Z)"
    r"|#[^\n]*+"
)
# The beginnings of the parser's messages, each with an explanation.
_EXPLANATIONS = (
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


class BrokenToml(ValueError):
    """Raised if a string is not valid TOML, or is larger than allowed.

    `line` and `column` count from 1; 0 means unknown. `excerpt` is the text of that line.
    `is_syntax_error` is true if the parser could not read the string.
    """

    def __init__(
        self,
        message: str,
        line: int = 0,
        column: int = 0,
        excerpt: str = "",
        is_syntax_error: bool = False,
    ) -> None:
        super().__init__(message)
        self.is_syntax_error = is_syntax_error
        self.message = message
        self.line = line
        self.column = column
        self.excerpt = excerpt


def parse(text: str, max_lines: int, max_width: int) -> Json:
    """Return the table in TOML text, after checking that its values can be written as TOML again.

    Outside strings, the text may have up to `max_lines` lines of up to `max_width` characters.
    Raises BrokenToml if the text breaks these limits or is not valid TOML.
    """
    table = parse_any(text, max_lines, max_width)
    problem = storage_problem(table)
    if problem:
        raise BrokenToml(problem)
    return table


def parse_any(text: str, max_lines: int, max_width: int) -> Json:
    """Return the table in TOML text, like `parse`, but with values of any kind."""
    import tomllib

    _check_size(text, max_lines, max_width)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BrokenToml(TOO_DEEP) from None
    except tomllib.TOMLDecodeError as error:
        raise _located_error(str(error), text) from None
    except ValueError:
        raise BrokenToml(TOO_MANY_DIGITS) from None


def _check_size(text: str, max_lines: int, max_width: int) -> None:
    """Raise BrokenToml if there are too many lines, overlong lines or overlong dotted keys."""
    import re

    bare = re.sub(_TEXT_OR_COMMENT, _blank_out, text, flags=re.DOTALL).split("\n")
    if len(bare) > max_lines and sum(map(bool, map(str.strip, bare))) > max_lines:
        raise BrokenToml(f"more than {max_lines} lines")
    for number, line in enumerate(bare, 1):
        if len(line) > max_width:
            raise BrokenToml(f"a line with more than {max_width} characters besides texts", number)
        if line.count(".") > MAX_KEY_PARTS:
            raise BrokenToml(f"a line with more than {MAX_KEY_PARTS} dots", number)


def _blank_out(match: re.Match[str]) -> str:
    """Return a replacement for a string or comment that has the same number of line breaks."""
    return "\n" * match.group().count("\n") or '""'


def _located_error(message: str, text: str) -> BrokenToml:
    """Return the error for a parser message such as `Invalid value (at line 3, column 5)`."""
    what, _, place = message.rpartition(" (at ")
    explanation = next((meant for begun, meant in _EXPLANATIONS if what.startswith(begun)), "")
    numbers = [int(word) for word in place.rstrip(")").replace(",", "").split() if word.isdigit()]
    if not what or len(numbers) != 2:
        return BrokenToml(
            f"this is not TOML: {explanation or quote(message, 200)}", is_syntax_error=True
        )
    line, column = numbers
    excerpt = quote(text.split("\n")[line - 1].strip())
    return BrokenToml(
        f"this is not TOML: {explanation or quote(what, 200)}", line, column, excerpt, True
    )


def storage_problem(value: object) -> str:
    """Return the reason why a TOML file cannot store a value, or "" if it can."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        for part in level:
            problem = _scalar_problem(part)
            if problem:
                return problem
        level = [part for outer in level for part in _children(outer)]
        if not level:
            return ""
    return TOO_DEEP


def _scalar_problem(value: object) -> str:
    if isinstance(value, list | dict):
        return ""
    if isinstance(value, str):
        try:
            value.encode()
        # The text contains a lone surrogate, for example from a command-line argument that is not
        # UTF-8.
        except UnicodeEncodeError:
            return _cannot_hold(value)
        return ""
    if isinstance(value, int):
        return "" if value.bit_length() < 64 else _cannot_hold(value)
    from datetime import date, time

    if isinstance(value, time):
        return "" if value.tzinfo is None else _cannot_hold(value)
    return "" if isinstance(value, float | date) else _cannot_hold(value)


def _cannot_hold(value: object) -> str:
    return f"a TOML file cannot hold a value of the type {type(value).__name__}"


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()
