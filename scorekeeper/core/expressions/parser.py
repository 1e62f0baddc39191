"""Parse expressions within the limits, and define the kinds of values and the names in scope."""

from __future__ import annotations

from functools import lru_cache
from keyword import iskeyword, kwlist
from typing import TYPE_CHECKING, Any

from scorekeeper.core.errors import Damaged
from scorekeeper.core.text import quote

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Collection, Mapping

    MeasureReader = Callable[[Any, Any], Any]
    """A function of a round and a subject. `core` knows neither of their classes."""

MAX_LENGTH = 500
MAX_QUOTED = 40  # maximum number of characters quoted in a message
MAX_NODES = 200
MAX_ALL_NODES = 2000
MAX_DEPTH = 40
MAX_NUMBER = 1_000_000_000
TOO_MANY = f"more than {MAX_NODES} parts"
NODES_HINT = (
    f"at most {MAX_NODES} names, numbers and signs; give a part of it a name in [let], which "
    "counts as one"
)
TOO_DEEP = f"parts more than {MAX_DEPTH} deep in one another"
DEPTH_HINT = (
    f"at most {MAX_DEPTH} deep; a sum is as deep as it has signs, so put brackets around parts of "
    "it, or give a part of it a name in [let]"
)
PARTS_TOO_MANY = f"more than {MAX_ALL_NODES} parts, with the names of [let] that it uses"
PARTS_HINT = (
    f"at most {MAX_ALL_NODES} names, numbers and signs, counting each name of [let] once; use "
    "several rows, or count a part of it in [specials] or [counters]"
)
PARTS_TOO_DEEP = f"names of [let] more than {MAX_DEPTH} deep in one another"
PARTS_DEPTH_HINT = f"at most {MAX_DEPTH} deep; write some of them out"
ALLOWED = (
    "measures, numbers, true, false, comparisons, and, or, not, + - * / // %, "
    "a if c else b, ceil, floor, min, max, abs; sets of cards joined by & | ~, and count, "
    "worth, sequence, matadors, suits, ranks of them; any, all, total, most, least over each.…, "
    "suit, rank or face"
)

NUMBER = "a number"
TRUTH = "a truth"
"""True or false. In sums it counts as 1 or 0."""

KINDS = "kinds of card"
HEAP = "a heap of cards"
HAND = "cards of a hand"
"""Cards of a hand that the referee may not see. An expression may only ask how many there are, and
the answer is a claim."""
ELEMENT = "kinds of card, one suit, rank or face after another"

OWN = "own"  # the player or side for whom an expression is evaluated
EACH = "each"  # the current player in a loop such as any(…) or total(…)
PLAYERS = "players()"  # the measure that lists all players
SUIT, RANK = "suit", "rank"  # the current suit or rank in such a loop
FACE = "face"  # the dice with the current face in such a loop
LOOPS = {EACH: PLAYERS, SUIT: "suit()", RANK: "rank()", FACE: "face()"}
"""The words for the elements of a loop, each with the measure that lists these elements."""

_LETTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_. +-*/%<>=!(),&|~\u01c0"
)
_MASK = "\u01c0"  # marks the substitute for a special name; expressions must not contain it
# A possible name: letters, digits and _, separated by dots and hyphens.
_NAME = r"(?<![\w.])[^\W\d][\w.]*(?:-\w[\w.]*)*"
_NODE_NAMES = {
    "Pow": "a power, **",
    "Call": "a call",
    "Attribute": "something of a value",
    "Subscript": "an index",
    "Lambda": "a lambda",
    "Tuple": "a list of values",
    "Starred": "a star",
    "UAdd": "a plus sign before a value",
    "LShift": "a shift, <<",
    "RShift": "a shift, >>",
    "In": "in",
    "NotIn": "not in",
    "Is": "is",
    "IsNot": "is not",
    "GeneratorExp": "a loop",
    "Await": "await",
    "Yield": "yield",
    "YieldFrom": "yield",
}


class ExpressionError(Damaged):
    """Raised if an expression is not allowed in a ruleset, or has no value in the current state.

    `found` and `allowed` are strings for a report of the ruleset's faults, and may be empty. `part`
    is the named expression that contains the error, or "" if the text itself does.
    """

    def __init__(self, message: str, hint: str = "", found: str = "", allowed: str = "") -> None:
        super().__init__(message, hint)
        self.found = found
        self.allowed = allowed
        self.part = ""


class UnknownName(ExpressionError):
    """Raised if an expression contains a name that is not a measure."""


class ExpressionTooLarge(ExpressionError):
    """Raised if an expression, with the named expressions that it uses, exceeds a limit."""


class NotYetKnown(ExpressionError):
    """Raised if an expression has no value yet, because it depends on unseen cards or on sides that
    are still unknown."""


class CircularExpression(ExpressionError):
    """Raised if an expression refers to itself through its measures.

    A round reports any other error in an expression and uses 0 as the value. The round does not
    catch this error, because the evaluation would otherwise never end.
    """


def not_allowed_error(found: str, allowed: str = ALLOWED) -> ExpressionError:
    """Return the error for something that is not allowed in an expression."""
    return ExpressionError(f"found {found}; allowed are {allowed}", "", found, allowed)


def too_large_error(found: str, allowed: str) -> ExpressionTooLarge:
    """Return the error for an expression that, together with its named expressions, exceeds a
    limit.

    `allowed` names the limit and how to stay within it.
    """
    return ExpressionTooLarge(f"found {found}; allowed are {allowed}", "", found, allowed)


def describe_node(node: ast.AST) -> str:
    """Return the name of a syntax node for a message."""
    kind = type(node).__name__
    return _NODE_NAMES.get(kind, f"an unknown part ({kind})")


def is_name(text: str) -> bool:
    """Return whether an expression can refer to a measure by this name."""
    import re

    return re.fullmatch(_NAME, text) is not None


def parse_tree(text: str, has: Callable[[str], bool]) -> ast.expr:
    """Return the syntax tree of an expression. Callers must not modify it.

    `has` returns whether a name exists. A name that contains a hyphen, non-English letters or a
    word of Python (`said.pass`) is read as one name if it exists. Raises ExpressionError if the
    text is too long, contains other characters or is not an expression.
    """
    if len(text) > MAX_LENGTH:
        allowed = f"at most {MAX_LENGTH} characters; give a part of it a name in [let]"
        raise not_allowed_error(f"{len(text)} characters", allowed)
    if _MASK in text:
        raise not_allowed_error(f'the character "{_MASK}"')
    if "-" in text or not text.isascii() or any(f".{word}" in text for word in kwlist):
        text = _mask_names(text, has)
    return _parse(text)


def _mask_names(text: str, has: Callable[[str], bool]) -> str:
    """Return the text with a substitute for each name that Python would not read as one name."""
    import re

    def masked(found: re.Match[str]) -> str:
        parts = found[0].split("-")
        words: list[str] = []
        while parts:
            count = next((n for n in range(len(parts), 0, -1) if has("-".join(parts[:n]))), 1)
            name = "-".join(parts[:count])
            plain = name.isascii() and count == 1 and not any(map(iskeyword, name.split(".")))
            odd = has(name) and not plain
            words.append(f"{_MASK}{name.encode().hex()}" if odd else name)
            del parts[:count]
        return "-".join(words)

    return re.sub(_NAME, masked, text)


@lru_cache(maxsize=200)
def _parse(text: str) -> ast.expr:
    """Return the syntax tree of a string in which special names have been replaced."""
    import ast
    import warnings

    line = " ".join(text.split()).replace("\u2212", "-")
    for letter in line:
        if letter not in _LETTERS:
            raise not_allowed_error(f'the character "{quote(letter)}"')
    if not line:
        raise not_allowed_error("nothing")
    _check_brackets(line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError):
        raise not_allowed_error(f'"{quote(line)}", which is not an expression') from None


def _check_brackets(line: str) -> None:
    depth = 0
    for letter in line:
        depth += (letter == "(") - (letter == ")")
        if depth > MAX_DEPTH:
            allowed = (
                f"at most {MAX_DEPTH}; leave out brackets that are not needed, or give a part a "
                "name in [let]"
            )
            raise not_allowed_error(f"more than {MAX_DEPTH} brackets inside one another", allowed)


def number_source(value: object) -> str:
    """Return the source for a number. Raises ExpressionError for any other value."""
    if isinstance(value, bool):
        return repr(value)
    if not isinstance(value, int | float):
        raise not_allowed_error(f'"{quote(value)}", which is not a number')
    if not value <= MAX_NUMBER:
        raise not_allowed_error(f"a number over {MAX_NUMBER:,}", f"numbers up to {MAX_NUMBER:,}")
    return repr(value)


def dotted_name(node: ast.expr) -> str:
    """Return a dotted name as text. Raises ExpressionError for an attribute of anything but a
    name."""
    import ast

    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise not_allowed_error(_NODE_NAMES["Attribute"])
    parts.append(node.id)
    name = ".".join(reversed(parts))
    return bytes.fromhex(name[1:]).decode() if name[0] == _MASK else name


def unparse(node: ast.expr) -> str:
    """Return a part of an expression as text."""
    import ast
    import re

    def name(found: re.Match[str]) -> str:
        return bytes.fromhex(found[1]).decode()

    return re.sub(f"{_MASK}([0-9a-f]+)", name, ast.unparse(node))


def first_condition(text: str, has: Callable[[str], bool]) -> str:
    """Return the name with which a condition begins.

    Return "" if it does not begin with a name, or can hold although the name is false.
    """
    import ast

    node = parse_tree(text, has)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        node = node.values[0]
    return dotted_name(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def is_whole(node: ast.expr, is_named_whole: Callable[[str], bool]) -> bool:
    """Return whether a checked part of an expression always has an integer value.

    `is_named_whole` returns the answer for a name.
    """
    import ast

    def whole(*parts: ast.expr) -> bool:
        return all(is_whole(part, is_named_whole) for part in parts)

    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) or float(str(node.value)).is_integer()
    if isinstance(node, ast.Name | ast.Attribute):
        return is_named_whole(dotted_name(node))
    if isinstance(node, ast.UnaryOp):
        return whole(node.operand)
    if isinstance(node, ast.IfExp):
        return whole(node.body, node.orelse)
    if isinstance(node, ast.BoolOp):
        return whole(*node.values)
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("worth", "count"):
            return name == "count" or is_named_whole("worth()")
        return name in ("ceil", "floor") or whole(*node.args)
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.FloorDiv):
        return not isinstance(node.op, ast.Div) and whole(node.left, node.right)
    return True


# --- names in scope


class BatchedMeasure:
    """A measure that is read together with others. `read_all` returns the values of all these
    measures, and `key` selects one of them."""

    __slots__ = ("key", "read_all")

    def __init__(self, read_all: MeasureReader, key: object) -> None:
        self.read_all = read_all
        self.key = key

    def __call__(self, rnd: object, subject: object) -> object:
        return self.read_all(rnd, subject)[self.key]


class Scope:
    """The names that an expression can use.

    `kind_of` returns the kind of a measure's value, or None if there is no such measure. `parts`
    maps each named expression to its text. `list_names` returns all names, for messages.
    `find_reader` returns the function that reads a measure from a round, and whether its value is
    the same for all subjects. If there are no rounds, `find_reader` is None. `roles` are the words
    allowed before the dot in a measure's name, for messages. `explain` returns the reason why a
    name is not a measure, or "". If `separates_truths` is true, a number cannot be used as a
    condition, and a truth value cannot be compared with a number.
    """

    __slots__ = (
        *("explain", "find_reader", "kind_of", "list_names", "parts", "roles"),
        "separates_truths",
    )

    def __init__(
        self,
        kind_of: Callable[[str], str | None],
        list_names: Callable[[], list[str]],
        parts: Mapping[str, str],
        find_reader: Callable[[str], tuple[MeasureReader, bool]] | None = None,
        roles: Collection[str] = (),
        separates_truths: bool = False,
        explain: Callable[[str], str] | None = None,
    ) -> None:
        self.kind_of = kind_of
        self.list_names = list_names
        self.parts = parts
        self.find_reader = find_reader
        self.roles = roles
        self.separates_truths = separates_truths
        self.explain = explain or _no_reason

    def has_name(self, name: str) -> bool:
        """Return whether a measure or named expression of that name is known to exist."""
        return name in self.parts or (
            self.kind_of is not _number_kind and self.kind_of(name) is not None
        )

    def parse(self, text: str) -> ast.expr:
        """Return the syntax tree of an expression in this scope. Raises ExpressionError."""
        return parse_tree(text, self.has_name)

    def parse_part(self, name: str) -> ast.expr | None:
        """Return the syntax tree of a named expression, or None."""
        text = self.parts.get(name)
        return None if text is None else self.parse(text)


def _number_kind(name: str) -> str:
    return NUMBER


def _no_names() -> list[str]:
    return []


def _no_reason(name: str) -> str:
    return ""


ANY_NAME = Scope(_number_kind, _no_names, {})
"""A scope for expressions that have already been checked. It treats every name as a number."""
