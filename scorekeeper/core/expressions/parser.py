"""From a text to a tree of what may stand in an expression, within its bounds; what kinds of value
there are, and what the names in an expression stand for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scorekeeper.core.errors import Damaged
from scorekeeper.core.text import shown

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Collection, Mapping

    Reader = Callable[[Any, Any], Any]
    """Of a round, and of what is asked about there; `core` knows neither."""

MAX_LENGTH = 500
MAX_NODES = 200
MAX_DEPTH = 40
MAX_NUMBER = 1_000_000_000
SHARE = "use several rows, or let [specials] or [counters] count a part of it"
TOO_MANY = f"more than {MAX_NODES} parts"
PARTS = (
    f"at most {MAX_NODES} names, numbers and signs, and what [let] names counts each time; " + SHARE
)
TOO_DEEP = f"parts more than {MAX_DEPTH} deep in one another"
DEPTH = (
    f"at most {MAX_DEPTH} deep, and what [let] names counts; a sum is as deep as it has signs, so "
    f"put brackets around parts of it, or {SHARE}"
)
ALLOWED = (
    "measures, numbers, true, false, comparisons, and, or, not, + - * / // %, "
    "a if c else b, ceil, floor, min, max, abs; sets of cards joined by & | ~, and count, "
    "worth, run, suits, ranks of them; any, all, total, most, least over each.…"
)

NUMBER = "a number"
KINDS = "kinds of card"
HEAP = "a heap of cards"
HAND = "cards of a hand"
"""Cards of a hand that the referee may not see: only how many there are may be asked, and that
makes a claim."""

OWN = "own"  # whom an expression is asked of
EACH = "each"  # inside any(…), total(…) and their like: the player that is looked at
PLAYERS = "players()"  # the measure of them all

_LETTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_. +-*/%<>=!(),&|~\u01c0"
)
_MASK = "\u01c0"  # a letter that no text may have: it begins what stands for a name
# What may be a name: letters, digits and _, parted by dots and hyphens.
_NAME = r"(?<![\w.])[^\W\d][\w.]*(?:-\w[\w.]*)*"
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
    `part` is the named expression that is wrong, where it is not the whole.
    """

    def __init__(self, message: str, hint: str = "", found: str = "", allowed: str = "") -> None:
        super().__init__(message, hint)
        self.found = found
        self.allowed = allowed
        self.part = ""


class UnknownName(ExpressionError):
    """An expression that names what is no measure."""


class TooLarge(ExpressionError):
    """An expression that is beyond a limit: no part of it alone is wrong."""


class NotSeen(ExpressionError):
    """An expression that has no value yet: it asks about cards, or sides, that nobody has seen."""


class Circular(ExpressionError):
    """An expression that is made of itself, by way of measures. A round does not take it for a
    number: who went on with the next part would go round for ever."""


def refused(found: str, allowed: str = ALLOWED) -> ExpressionError:
    """The error for something that may not stand in an expression."""
    return ExpressionError(f"found {found}; allowed are {allowed}", "", found, allowed)


def too_large(found: str, allowed: str) -> TooLarge:
    """Return the error for an expression beyond a limit; `allowed` names it and the way out."""
    return TooLarge(f"found {found}; allowed are {allowed}", "", found, allowed)


def described(node: ast.AST) -> str:
    """What a node is, in words."""
    kind = type(node).__name__
    return _FOUND.get(kind, f"a part that is none of them ({kind})")


def is_name(text: str) -> bool:
    """Return whether an expression can name a measure that is called so."""
    import re

    return re.fullmatch(_NAME, text) is not None


def tree(text: str, has: Callable[[str], bool]) -> ast.expr:
    """Return the tree of a text, which nobody changes; `has` says which names there are. A name
    with a hyphen, or with letters of any language, is one name where there is such a name. Raises
    ExpressionError for what is too long, has other letters, or is no expression."""
    if len(text) > MAX_LENGTH:
        allowed = f"at most {MAX_LENGTH} characters; give a part of it a name in [let]"
        raise too_large(f"{len(text)} characters", allowed)
    if _MASK in text:
        raise refused(f'the character "{_MASK}"')
    if "-" in text or not text.isascii():
        text = _masked(text, has)
    return _parsed(text)


def _masked(text: str, has: Callable[[str], bool]) -> str:
    """A text in which letters stand for the names that Python would not read as one."""
    import re

    def masked(found: re.Match[str]) -> str:
        parts = found[0].split("-")
        said: list[str] = []
        while parts:
            count = next((n for n in range(len(parts), 0, -1) if has("-".join(parts[:n]))), 1)
            name = "-".join(parts[:count])
            odd = has(name) and not (name.isascii() and count == 1)
            said.append(f"{_MASK}{name.encode().hex()}" if odd else name)
            del parts[:count]
        return "-".join(said)

    return re.sub(_NAME, masked, text)


@lru_cache(maxsize=200)
def _parsed(text: str) -> ast.expr:
    """The tree of a text in which names are masked."""
    import ast
    import warnings

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
            allowed = f"at most {MAX_DEPTH}; leave out brackets that are not needed, or {SHARE}"
            raise too_large(f"more than {MAX_DEPTH} brackets inside one another", allowed)


def number(value: object) -> str:
    """A number as it is written out. Raises ExpressionError for another value."""
    if isinstance(value, bool):
        return repr(value)
    if not isinstance(value, int | float):
        raise refused(f'"{shown(value)}", which is no number')
    if not value <= MAX_NUMBER:
        raise too_large(f"a number over {MAX_NUMBER:,}", f"numbers up to {MAX_NUMBER:,}")
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
    name = ".".join(reversed(parts))
    return bytes.fromhex(name[1:]).decode() if name[0] == _MASK else name


def written(node: ast.expr) -> str:
    """A part of an expression as a text."""
    import ast
    import re

    def name(found: re.Match[str]) -> str:
        return bytes.fromhex(found[1]).decode()

    return re.sub(f"{_MASK}([0-9a-f]+)", name, ast.unparse(node))


def first_needed(text: str, has: Callable[[str], bool]) -> str:
    """The name that a condition asks before all else, and without which it does not hold; empty
    where there is none."""
    import ast

    node = tree(text, has)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        node = node.values[0]
    return dotted(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def is_whole(node: ast.expr, named: Callable[[str], ast.expr | None]) -> bool:
    """Whether a checked part of an expression comes to whole numbers only; `named` gives the
    expression that has a name, or None."""
    import ast

    def whole(*parts: ast.expr) -> bool:
        return all(is_whole(part, named) for part in parts)

    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) or float(str(node.value)).is_integer()
    if isinstance(node, ast.Name | ast.Attribute):
        part = named(dotted(node))
        return part is None or whole(part)
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


# --- what names stand for


class Item:
    """How a measure is read of which several are read at once: `of` gives all, by their `key`."""

    __slots__ = ("key", "of")

    def __init__(self, of: Reader, key: object) -> None:
        self.of = of
        self.key = key

    def __call__(self, rnd: object, subject: object) -> object:
        return self.of(rnd, subject)[self.key]


class Scope:
    """What names may be used: `kind` tells of what kind of value a measure is (None: there is no
    such measure), `parts` are the texts of the expressions that have a name of their own, `known`
    lists the names, for messages. `reader` gives how a measure is read of a round, and whether it
    is the same whatever is asked about there (None: there are no rounds). `roles` are those of
    whom a measure may be asked as of a player, for messages."""

    __slots__ = ("kind", "known", "parts", "reader", "roles")

    def __init__(
        self,
        kind: Callable[[str], str | None],
        known: Callable[[], list[str]],
        parts: Mapping[str, str],
        reader: Callable[[str], tuple[Reader, bool]] | None = None,
        roles: Collection[str] = (),
    ) -> None:
        self.kind = kind
        self.known = known
        self.parts = parts
        self.reader = reader
        self.roles = roles

    def has(self, name: str) -> bool:
        """Return whether there is surely a measure, or a named expression, of that name."""
        return name in self.parts or (self.kind is not _number and self.kind(name) is not None)

    def tree(self, text: str) -> ast.expr:
        """Return the tree of a text in which these names may stand. Raises ExpressionError."""
        return tree(text, self.has)

    def part(self, name: str) -> ast.expr | None:
        """Return the tree of the expression that has that name, or None."""
        text = self.parts.get(name)
        return None if text is None else self.tree(text)


def _number(name: str) -> str:
    return NUMBER


def _nothing() -> list[str]:
    return []


ANYTHING = Scope(_number, _nothing, {})
"""Every name is a number: for texts that were checked before."""
