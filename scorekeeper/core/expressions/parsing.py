"""From a text to a tree of what may stand in an expression, within its bounds."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from scorekeeper.core.failures import Damaged
from scorekeeper.core.suggest import shown

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

MAX_LENGTH = 500
MAX_NODES = 200
MAX_DEPTH = 40
MAX_NUMBER = 1_000_000_000
ALLOWED = (
    "measures, numbers, true, false, comparisons, and, or, not, + - * / // %, "
    "a if c else b, ceil, floor, min, max, abs; sets of cards joined by & | ~, and count, "
    "worth, run, suits, ranks of them; any, all, total, most, least over each.…"
)

_LETTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_. +-*/%<>=!(),&|~"
)
_FOUND = {
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
    """An expression that may not stand in a ruleset, or that has no value here.

    `found` and `allowed` are texts for a report of the ruleset's faults; they may be empty.
    """

    def __init__(self, message: str, hint: str = "", found: str = "", allowed: str = "") -> None:
        super().__init__(message, hint)
        self.found = found
        self.allowed = allowed


class NotSeen(ExpressionError):
    """An expression that has no value yet: it asks about cards, or sides, that nobody has seen."""


class Circular(ExpressionError):
    """An expression that is made of itself, by way of measures. A round does not take it for a
    number: who went on with the next part would go round for ever."""


def refused(found: str, allowed: str = ALLOWED) -> ExpressionError:
    """The error for something that may not stand in an expression."""
    return ExpressionError(f"found {found}; allowed are {allowed}", "", found, allowed)


def described(node: ast.AST) -> str:
    """What a node is, in words."""
    kind = type(node).__name__
    return _FOUND.get(kind, f"a part that is none of them ({kind})")


@lru_cache(maxsize=200)
def parsed(text: str) -> ast.expr:
    """The tree of a text, which nobody changes. Raises ExpressionError for what is too long, has
    other letters, or is no expression."""
    import ast
    import warnings

    if len(text) > MAX_LENGTH:
        raise refused(f"{len(text)} characters (at most {MAX_LENGTH})")
    line = " ".join(text.split()).replace("\u2212", "-")
    for letter in line:
        if letter not in _LETTERS:
            raise refused(f'the character "{shown(letter)}"')
    if not line:
        raise refused("nothing")
    _check_brackets(line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError):
        raise refused(f'"{shown(line)}", which is no expression') from None


def _check_brackets(line: str) -> None:
    depth = 0
    for letter in line:
        depth += (letter == "(") - (letter == ")")
        if depth > MAX_DEPTH:
            raise refused(f"more than {MAX_DEPTH} brackets inside one another")


def number(value: object) -> str:
    """A number as it is written out. Raises ExpressionError for another value."""
    if isinstance(value, bool):
        return repr(value)
    if not isinstance(value, int | float):
        raise refused(f'"{shown(value)}", which is no number')
    if not value <= MAX_NUMBER:
        raise refused(f"a number over {MAX_NUMBER}")
    return repr(value)


def dotted(node: ast.expr) -> str:
    """A dotted name as one text. Raises ExpressionError for something of another value."""
    import ast

    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise refused(_FOUND["Attribute"])
    parts.append(node.id)
    return ".".join(reversed(parts))


def first_needed(text: str) -> str:
    """The name that a condition asks before all else, and without which it does not hold; empty
    where there is none."""
    import ast

    node = parsed(text)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        node = node.values[0]
    return dotted(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def is_whole(node: ast.expr, named: Mapping[str, str]) -> bool:
    """Whether a checked part of an expression comes to whole numbers only; `named` are the texts
    of the expressions that have a name."""
    import ast

    def whole(*parts: ast.expr) -> bool:
        return all(is_whole(part, named) for part in parts)

    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) or float(str(node.value)).is_integer()
    if isinstance(node, ast.Name | ast.Attribute):
        text = named.get(dotted(node))
        return text is None or whole(parsed(text))
    if isinstance(node, ast.UnaryOp):
        return whole(node.operand)
    if isinstance(node, ast.IfExp):
        return whole(node.body, node.orelse)
    if isinstance(node, ast.BoolOp):
        return whole(*node.values)
    if isinstance(node, ast.Call):
        rounds = isinstance(node.func, ast.Name) and node.func.id in ("ceil", "floor", "count")
        return rounds or whole(*node.args)
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.FloorDiv):
        return not isinstance(node.op, ast.Div) and whole(node.left, node.right)
    return True
