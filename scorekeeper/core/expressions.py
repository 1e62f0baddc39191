"""Numbers and conditions in rulesets: `2 * count + 1`, `losers.points < 90`.

Rulesets come from strangers. A text is bounded in length, depth and numbers; its letters are
checked, then it is read once, and each node is written out again in words of our own: nothing of
the text itself is ever run. A dotted name is one name in the caller's table of measures, never an
attribute. That holds for trusted texts too; trust only spares the look-up of the names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Damaged
from scorekeeper.core.suggest import did_you_mean, shown

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Container

    Number = int | float | bool
    # None: the measure has no value now.
    Get = Callable[[str], Number | None]

MAX_LENGTH = 500
MAX_NODES = 200
MAX_DEPTH = 40
MAX_NUMBER = 1_000_000_000
ALLOWED = (
    "measures, numbers, true, false, comparisons, and, or, not, + - * / // %, "
    "a if c else b, ceil, floor, min, max, abs"
)

_LETTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_. +-*/%<>=!(),"
)
_WORDS = {"true": "True", "false": "False"}
_ONE_ARGUMENT = frozenset(("ceil", "floor", "abs"))
_FUNCTIONS = _ONE_ARGUMENT | {"min", "max"}
_SIGNS = {
    "Add": "+",
    "Sub": "-",
    "Mult": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "USub": "-",
    "Not": "not ",
    "And": " and ",
    "Or": " or ",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Eq": "==",
    "NotEq": "!=",
}
_FOUND = {
    "Pow": "a power, **",
    "BitAnd": "&",
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


class Expression:
    """A compiled expression; called with a way to look up a measure, it gives its value."""

    __slots__ = ("_names", "_run", "text")

    def __init__(self, text: str, names: tuple[str, ...], run: Callable[[Get], Number]) -> None:
        self.text = text
        self._names: tuple[str, ...] | None = names
        self._run: Callable[[Get], Number] | None = run

    @classmethod
    def trusted(cls, text: str) -> Expression:
        """Of a text that was checked before, as in a pinned ruleset: compiled when first needed.

        A text that would not pass raises ExpressionError then; only its names are not looked up.
        """
        expression = cls.__new__(cls)
        expression.text = text
        expression._names = None
        expression._run = None
        return expression

    @property
    def names(self) -> tuple[str, ...]:
        """The measures it uses, each once, in the order of the text."""
        if self._names is None:
            self._compile()
        return self._names or ()

    def __call__(self, get: Get) -> Number:
        """The value, with each measure from `get(name)`; raises ExpressionError if it has none."""
        run = self._run or self._compile()
        try:
            return run(get)
        except ZeroDivisionError:
            raise self._valueless("it divides by zero") from None
        except RecursionError:
            raise self._valueless("it is made of itself") from None
        except (ArithmeticError, ValueError) as error:
            raise self._valueless("a number in it grows too large") from error
        except TypeError as error:
            raise self._valueless("a measure in it is no number") from error

    def value(self, get: Get, otherwise: Number = 0) -> Number:
        """The value, or `otherwise` where it has none: for what is only told."""
        try:
            return self(get)
        except ExpressionError:
            return otherwise

    @property
    def whole(self) -> bool:
        """Whether it comes to whole numbers only, where all measures do."""
        return _is_whole(_parsed(self.text))

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def _compile(self) -> Callable[[Get], Number]:
        self._names, run = _compiled(self.text)
        self._run = run
        return run

    def _valueless(self, why: str) -> ExpressionError:
        return ExpressionError(f'"{shown(self.text)}" has no value here: {why}')


def compile_expression(text: str, names: Container[str], where: str = "") -> Expression:
    """Check and compile `text`, whose measures must be in `names`.

    `where` (a file and key, say) stands before the message. Raises ExpressionError, which says
    what was found and what is allowed.
    """
    try:
        used, run = _compiled(text)
        unknown = [name for name in used if name not in names]
        if unknown:
            raise _unknown(unknown, names)
    except ExpressionError as error:
        if not where:
            raise
        message = f"{where}: {error.message}"
        raise ExpressionError(message, error.hint, error.found, error.allowed) from None
    return Expression(text, used, run)


def _unknown(unknown: list[str], names: Container[str]) -> ExpressionError:
    from collections.abc import Iterable

    known = sorted(names) if isinstance(names, Iterable) else []
    hint = " ".join(filter(None, (did_you_mean(name, known) for name in unknown)))
    listed = ", ".join(f'"{shown(name)}"' for name in unknown)
    return ExpressionError(f"unknown measure {listed}", hint, listed, ", ".join(known))


def _refused(found: str) -> ExpressionError:
    return ExpressionError(f"found {found}; allowed are {ALLOWED}", "", found, ALLOWED)


def _compiled(text: str) -> tuple[tuple[str, ...], Callable[[Get], Number]]:
    from math import ceil, floor

    reader = _Reader()
    try:
        source = reader.read(_parsed(text), 0)
        known = {"ceil": ceil, "floor": floor, "min": min, "max": max, "abs": abs}
        # Only `source`, which the reader wrote, is evaluated; never `text`.
        run = eval(f"lambda get: {source}", {"__builtins__": {}, **known})
    except (RecursionError, MemoryError):
        raise _refused("an expression nested too deep") from None
    return tuple(reader.names), run


def _parsed(text: str) -> ast.expr:
    import ast
    import warnings

    if len(text) > MAX_LENGTH:
        raise _refused(f"{len(text)} characters (at most {MAX_LENGTH})")
    line = " ".join(text.split())
    for letter in line:
        if letter not in _LETTERS:
            raise _refused(f'the character "{shown(letter)}"')
    if not line:
        raise _refused("nothing")
    _check_brackets(line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError):
        raise _refused(f'"{shown(line)}", which is no expression') from None


def _check_brackets(line: str) -> None:
    depth = 0
    for letter in line:
        depth += (letter == "(") - (letter == ")")
        if depth > MAX_DEPTH:
            raise _refused(f"more than {MAX_DEPTH} brackets inside one another")


def _is_whole(node: ast.expr) -> bool:
    """Whether a checked part of an expression comes to whole numbers only."""
    import ast

    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) or float(str(node.value)).is_integer()
    if isinstance(node, ast.UnaryOp):
        return _is_whole(node.operand)
    if isinstance(node, ast.IfExp):
        return _is_whole(node.body) and _is_whole(node.orelse)
    if isinstance(node, ast.BoolOp):
        return all(map(_is_whole, node.values))
    if isinstance(node, ast.Call):
        rounds = isinstance(node.func, ast.Name) and node.func.id in ("ceil", "floor")
        return rounds or all(map(_is_whole, node.args))
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.FloorDiv):
        both = _is_whole(node.left) and _is_whole(node.right)
        return both and not isinstance(node.op, ast.Div)
    return True


class _Reader:
    """Writes checked nodes as source; `names` collects the measures (a dict keeps their order)."""

    __slots__ = ("names", "nodes")

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.nodes = 0

    def read(self, node: ast.expr, depth: int) -> str:
        import ast

        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise _refused("an expression with too many parts")
        depth += 1
        if isinstance(node, ast.Constant):
            return _number(node.value)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._name(node)
        if isinstance(node, ast.UnaryOp):
            return f"({_sign(node.op)}{self.read(node.operand, depth)})"
        if isinstance(node, ast.BinOp):
            left, right = self.read(node.left, depth), self.read(node.right, depth)
            return f"({left}{_sign(node.op)}{right})"
        if isinstance(node, ast.BoolOp):
            return f"({_sign(node.op).join(self.read(part, depth) for part in node.values)})"
        if isinstance(node, ast.Compare):
            return self._comparison(node, depth)
        if isinstance(node, ast.IfExp):
            parts = [self.read(part, depth) for part in (node.body, node.test, node.orelse)]
            return "({} if {} else {})".format(*parts)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        raise _refused(_described(node))

    def _name(self, node: ast.Name | ast.Attribute) -> str:
        name = _dotted(node)
        if name in _WORDS:
            return _WORDS[name]
        if name in _FUNCTIONS:
            raise _refused(f"{name} without brackets")
        self.names[name] = None
        return f"get({name!r})"

    def _comparison(self, node: ast.Compare, depth: int) -> str:
        text = self.read(node.left, depth)
        for sign, right in zip(node.ops, node.comparators, strict=True):
            text += _sign(sign) + self.read(right, depth)
        return f"({text})"

    def _call(self, node: ast.Call, depth: int) -> str:
        import ast

        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in _FUNCTIONS:
            raise _refused(f"a call of {shown(_spelled(node.func))}")
        if node.keywords:
            raise _refused(f"a named argument of {name}")
        count = len(node.args)
        if count != 1 if name in _ONE_ARGUMENT else count < 2:
            wanted = "one value" if name in _ONE_ARGUMENT else "two values or more"
            raise _refused(f"{name} of {count} values, where it takes {wanted}")
        return f"{name}({', '.join(self.read(part, depth) for part in node.args)})"


def _sign(operator: ast.AST) -> str:
    sign = _SIGNS.get(type(operator).__name__)
    if sign is None:
        raise _refused(_described(operator))
    return sign


def _described(node: ast.AST) -> str:
    kind = type(node).__name__
    return _FOUND.get(kind, f"a part that is none of them ({kind})")


def _number(value: object) -> str:
    if isinstance(value, bool):
        return repr(value)
    if not isinstance(value, int | float):
        raise _refused(f'"{shown(value)}", which is no number')
    if not value <= MAX_NUMBER:
        raise _refused(f"a number over {MAX_NUMBER}")
    return repr(value)


def _dotted(node: ast.expr) -> str:
    import ast

    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise _refused(_FOUND["Attribute"])
    parts.append(node.id)
    return ".".join(reversed(parts))


def _spelled(node: ast.expr) -> str:
    import ast

    return _dotted(node) if isinstance(node, ast.Name | ast.Attribute) else "a value"
