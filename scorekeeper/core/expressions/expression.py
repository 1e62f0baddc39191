"""A compiled expression, and how one is made of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.expressions.kinds import ANYTHING, HAND, NUMBER, Scope
from scorekeeper.core.expressions.parsing import (
    Circular,
    ExpressionError,
    is_whole,
    parsed,
    refused,
)
from scorekeeper.core.suggest import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from scorekeeper.core.expressions.asking import Asked

    Number = int | float | bool
    # A number, a set of cards (an integer, see `pieces`), or what works on sets: the compiled
    # text knows which.
    Get = Callable[[str], Any]
    Run = Callable[[Get], Number]


class Expression:
    """A compiled expression; called with a way to look up a measure, it gives its value."""

    __slots__ = ("_asks", "_names", "_outcome", "_run", "_scope", "kind", "text")

    def __init__(self, text: str, scope: Scope = ANYTHING) -> None:
        self.text = text
        self.kind = NUMBER  # the kind of value it comes to, once it is compiled
        self._scope = scope
        self._names: tuple[str, ...] | None = None
        self._asks: bool | None = None
        self._run: Run | None = None
        self._outcome: Callable[[Get], Asked] | None = None

    @classmethod
    def trusted(cls, text: str, scope: Scope = ANYTHING) -> Expression:
        """Of a text that was checked before, as in a pinned ruleset: compiled when first needed.

        A text that would not pass raises ExpressionError then; only its names are not looked up.
        """
        return cls(text, scope)

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
            raise self._circular() from None
        except (ArithmeticError, ValueError) as error:
            raise self._valueless("a number in it grows too large") from error
        except TypeError as error:
            raise self._valueless("a measure in it is no number") from error

    def asked(self, get: Get) -> Asked:
        """The value of a condition that may ask about a hand: true, false, or a claim. Raises as
        a call does."""
        if self._outcome is None:
            self._outcome = _compiled(self.text, self._scope, True)[2]
        try:
            found = self._outcome(get)
        except RecursionError:
            raise self._circular() from None
        except (ArithmeticError, ValueError, TypeError) as error:
            raise self._valueless("it cannot be computed") from error
        return bool(found) if isinstance(found, int | float) else found

    @property
    def asks(self) -> bool:
        """Whether it asks about a hand, so that `asked` may give a claim."""
        if self._asks is None:
            self._asks = any(self._scope.kind(name) == HAND for name in self.names)
        return self._asks

    def value(self, get: Get, otherwise: Number = 0) -> Number:
        """The value, or `otherwise` where it has none: for what is only told."""
        try:
            return self(get)
        except ExpressionError:
            return otherwise

    @property
    def whole(self) -> bool:
        """Whether it comes to whole numbers only, where all measures do."""
        return is_whole(parsed(self.text), self._scope.parts)

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def _compile(self) -> Run:
        self._names, self.kind, run = _compiled(self.text, self._scope, False)
        self._run = run
        return run

    def _circular(self) -> Circular:
        return Circular(f'"{shown(self.text)}" has no value here: it is made of itself')

    def _valueless(self, why: str) -> ExpressionError:
        return ExpressionError(f'"{shown(self.text)}" has no value here: {why}')


def compile_expression(
    text: str,
    names: Container[str] | Scope,
    where: str = "",
    kind: str = NUMBER,
    asks: bool = False,
) -> Expression:
    """Check and compile `text`, whose measures must be in `names`, and which must come to that
    kind of value. `asks`: it may ask about a hand that nobody sees (see `Expression.asked`).

    `where` (a file and key, say) stands before the message. Raises ExpressionError, which says
    what was found and what is allowed.
    """
    scope = names if isinstance(names, Scope) else _numbers(names)
    expression = Expression(text, scope)
    try:
        unknown = [name for name in expression.names if scope.kind(name) is None]
        if unknown:
            raise _unknown(unknown, scope.known())
        if expression.kind != kind:
            raise refused(expression.kind, kind)
        if asks:
            _compiled(text, scope, True)
    except ExpressionError as error:
        if not where:
            raise
        message = f"{where}: {error.message}"
        raise ExpressionError(message, error.hint, error.found, error.allowed) from None
    return expression


def _numbers(names: Container[str]) -> Scope:
    """The scope of these names, which are all numbers."""
    from collections.abc import Iterable

    known = sorted(names) if isinstance(names, Iterable) else []
    return Scope(lambda name: NUMBER if name in names else None, lambda: known, {})


def _unknown(unknown: list[str], known: list[str]) -> ExpressionError:
    hint = " ".join(filter(None, (did_you_mean(name, known) for name in unknown)))
    listed = ", ".join(f'"{shown(name)}"' for name in unknown)
    return ExpressionError(f"unknown measure {listed}", hint, listed, ", ".join(known))


def _compiled(
    text: str, scope: Scope, claiming: bool
) -> tuple[tuple[str, ...], str, Callable[[Get], Any]]:
    """The measures of a text, the kind of its value, and the function it comes to: one of claims,
    or of values."""
    from math import ceil, floor

    from scorekeeper.core.expressions.reading import Reader

    reader = Reader(scope, claiming)
    known: dict[str, object] = {"ceil": ceil, "floor": floor, "min": min, "max": max, "abs": abs}
    known |= {"sum": sum, "any": any, "all": all}
    if claiming:
        from scorekeeper.core.expressions.asking import WORDS

        known |= WORDS
    try:
        part = reader.read(parsed(text), 0)
        # Only this source, which the reader wrote, is evaluated; never `text`.
        run = eval(f"lambda get: {part.source}", {"__builtins__": {}, **known})
    except (RecursionError, MemoryError):
        raise refused("an expression nested too deep") from None
    return tuple(reader.names), part.kind, run
