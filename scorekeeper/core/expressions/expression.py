"""Compiled expressions, alone or in groups, and conditions that ask about a hand.

An expression may ask about an unseen hand (`Expression.evaluate_claim`). Then its compiled form
calls functions of this module for and, or, not, and for comparisons of a number of cards in a hand.
Such a condition is true, false, or a claim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from scorekeeper.core.errors import Failure
from scorekeeper.core.expressions.parser import (
    ANYTHING,
    HAND,
    NUMBER,
    OWN,
    Circular,
    ExpressionError,
    Scope,
    UnknownName,
    is_whole,
    refused,
)
from scorekeeper.core.hands import AllOf, AnyOf, Claim
from scorekeeper.core.messages import tr
from scorekeeper.core.text import did_you_mean, nearest, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from scorekeeper.core.expressions.compiler import InRound, Part, Reader, Together
    from scorekeeper.core.hands import Question

    Number = int | float | bool
    Get = Callable[[str], Any]
    """Returns a number, a set of cards (an integer, see `Pack`), or a function of sets. The
    compiled text knows which."""
    Run = Callable[[Get], Number]
    Asked = bool | Question
    """A condition, as far as it is known without the hand."""

PLENTY = 1 << 20
"""More cards than any hand has."""


class Measured(Protocol):
    """The part of a round that an expression needs."""

    def reading(self, subject: object = None) -> Get:
        """Return the function that looks up measures for a subject."""


class Expression:
    """An expression, compiled when it is first needed. Call it with a function that returns
    measures.

    `kind` is the kind of its value, known once it is compiled. Texts of a pinned ruleset were
    checked before, so their names are not looked up again. A text that is not an expression
    raises ExpressionError when it is compiled.

    >>> expression = compile_expression("2 * count + 1", {"count"})
    >>> expression({"count": 3}.get)
    7
    """

    __slots__ = ("_asks", "_in_round", "_outcome", "_read", "_run", "kind", "scope", "text")

    def __init__(self, text: str, scope: Scope = ANYTHING) -> None:
        self.text = text
        self.kind = NUMBER  # known once it is compiled
        self.scope = scope
        self._read: tuple[Reader, Part] | None = None
        self._asks: bool | None = None
        self._run: Run | None = None
        self._in_round: InRound | None = None
        self._outcome: Callable[[Get], Asked] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The measures that it uses, each once, in the order of the text."""
        return tuple(self._reading()[0].names)

    def part_of(self, name: str) -> str:
        """Return the named expression that contains a measure, or "" for the text itself."""
        return self._reading()[0].names[name]

    @property
    def parts(self) -> set[str]:
        """The named expressions that it contains."""
        return self._reading()[0].read_parts

    def __call__(self, get: Get) -> Number:
        """Return the value, with measures from `get(name)`.

        Raises ExpressionError if it has none.
        """
        run = self._run or self.compile()
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

    def of(self, rnd: Measured, subject: object = None) -> Number:
        """Return the value in a round for a subject.

        It equals the value of a call with the round's measures, but is computed without looking
        each one up. Raises the same errors.
        """
        try:
            run = self._in_round or self._compile_in_round()
            value: Number = run(rnd, subject)
        except Failure:
            raise
        except RecursionError:
            raise self._circular() from None
        except Exception:
            return self(rnd.reading(subject))  # This call names the measure at fault.
        return value

    def asked(self, get: Get) -> Asked:
        """Return the value of a condition about a hand: true, false, or a claim. Raises as a call
        does."""
        if self._outcome is None:
            self._outcome = _claiming(self.text, self.scope)
        try:
            value = self._outcome(get)
        except RecursionError:
            raise self._circular() from None
        except (ArithmeticError, ValueError, TypeError) as error:
            raise self._valueless("it cannot be computed") from error
        return bool(value) if isinstance(value, int | float) else value

    @property
    def asks(self) -> bool:
        """True if it asks about a hand, so that its value may be a claim."""
        if self._asks is None:
            self._asks = any(self.scope.kind(name) == HAND for name in self.names)
        return self._asks

    def value(self, get: Get, otherwise: Number = 0) -> Number:
        """Return the value, or `otherwise` if it has none. Use it only for display."""
        try:
            return self(get)
        except ExpressionError:
            return otherwise

    @property
    def whole(self) -> bool:
        """True if its value is whole whenever all measures are whole."""
        return is_whole(self.scope.tree(self.text), self.scope.part)

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def _reading(self) -> tuple[Reader, Part]:
        if self._read is None:
            from scorekeeper.core.expressions.compiler import Reader

            reader = Reader(self.scope, False)
            self._read = reader, reader.whole(self.text)
            self.kind = self._read[1].kind
        return self._read

    def check(self) -> None:
        """Parse the text. Raises ExpressionError, for unknown names first, because they cause other
        errors."""
        from scorekeeper.core.expressions.compiler import Reader

        reader, wrong = Reader(self.scope, False), None
        try:
            self._read = reader, reader.whole(self.text)
            self.kind = self._read[1].kind
        except ExpressionError as error:
            wrong = error
        unknown = [name for name in reader.names if self.scope.kind(name) is None]
        if unknown:
            raise unknown_names(unknown, reader.names[unknown[0]], self.scope)
        if wrong is not None:
            raise wrong

    def compile(self) -> Run:
        """Return the function that computes the value.

        Raises ExpressionError for an invalid text.
        """
        from scorekeeper.core.expressions.compiler import by_name

        reader, part = self._reading()
        self._run = by_name(reader, part.source)
        return self._run

    def _compile_in_round(self) -> InRound:
        from scorekeeper.core.expressions.compiler import in_round

        reader, part = self._reading()
        self._in_round = in_round(reader, part.source)
        return self._in_round

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
    """Check and compile a text, whose measures must be in `names` and whose value of the given
    kind.

    With `asks`, it may ask about an unseen hand (see `Expression.evaluate_claim`). `where`, such
    as a file and key, begins the message. Raises ExpressionError with what is wrong and what is
    allowed.
    """
    scope = names if isinstance(names, Scope) else _numbers(names)
    expression = Expression(text, scope)
    try:
        expression.check()
        expression.compile()
        if expression.kind != kind:
            raise refused(expression.kind, kind)
        if asks:
            _claiming(text, scope)
    except ExpressionError as error:
        if not where:
            raise
        named = ExpressionError(f"{where}: {error.message}", error.hint, error.found, error.allowed)
        named.part = error.part
        raise named from None
    return expression


def _numbers(names: Container[str]) -> Scope:
    """Return a scope in which all names are numbers."""
    from collections.abc import Iterable

    known = sorted(names) if isinstance(names, Iterable) else []
    return Scope(lambda name: NUMBER if name in names else None, lambda: known, {})


def unknown_names(unknown: list[str], part: str, scope: Scope) -> ExpressionError:
    """Return the error for unknown measures in the named expression `part`."""
    known = scope.known()
    hint = " ".join(dict.fromkeys(filter(None, (_meant(name, known, scope) for name in unknown))))
    listed = ", ".join(f'"{shown(name)}"' for name in unknown)
    error = UnknownName(f"unknown measure {listed}", hint, listed, ", ".join(known))
    error.part = part
    return error


def _meant(name: str, known: list[str], scope: Scope) -> str:
    """Return a suggestion for an unknown name: another owner, another measure of it, or a similar
    name."""
    whose, dot, what = name.partition(".")
    whose_known = (OWN, *scope.roles)
    if dot and whose not in whose_known:
        meant = nearest(whose, whose_known)
        if meant and scope.kind(f"{meant}.{what}") is not None:
            return tr('did you mean "{word}"?', word=f"{meant}.{what}")
    elif dot:
        own = f"{OWN}."
        match = nearest(what, [each.removeprefix(own) for each in known if each.startswith(own)])
        return tr('did you mean "{word}"?', word=f"{whose}.{match}") if match else ""
    return did_you_mean(name, known)


def _claiming(text: str, scope: Scope) -> Callable[[Get], Any]:
    """Return the compiled function of an expression whose value may be a claim."""
    from scorekeeper.core.expressions.compiler import Reader, by_name

    reader = Reader(scope, True)
    return by_name(reader, reader.whole(text).source, WORDS)


# --- groups of expressions, which compute shared parts once
#
# A group does not report which of its expressions is at fault. It returns no answer, and callers
# evaluate the expressions one by one to find out.


class Rows:
    """Pairs of a condition and a value as texts, compiled when first needed.

    `same_for_all` is true if the values are known to be the same for every subject.
    """

    __slots__ = ("_pairs", "_scope", "_values", "alike")

    def __init__(self, pairs: Sequence[tuple[str, str]], scope: Scope) -> None:
        self._pairs = pairs
        self._scope = scope
        self._values: Together | None = None
        self.alike = False

    def of(self, rnd: Measured, subjects: Sequence[object]) -> list[tuple[int, int, Any]] | None:
        """Return the values whose condition holds, for each subject.

        Each is a triple of the row, the subject (both counted from 0) and the value, of any
        kind. Returns None if an expression has no value.
        """
        try:
            return (self._values or self._compiled())(rnd, subjects)
        except Exception:  # Any exception. The expression reports it when it is evaluated alone.
            return None

    def _compiled(self) -> Together:
        from scorekeeper.core.expressions.compiler import values_of

        self._values, self.alike = values_of(self._pairs, self._scope)
        return self._values


class FirstOf:
    """Conditions as texts, of which the first that holds decides. They are compiled when first
    needed."""

    __slots__ = ("_conditions", "_function", "_scope")

    def __init__(self, conditions: Sequence[str], scope: Scope) -> None:
        self._conditions = conditions
        self._scope = scope
        self._function: InRound | None = None

    def of(self, rnd: Measured) -> int | None:
        """Return the number of the first condition that holds, from 1, or 0 if none does.

        Returns None if a condition has no value.
        """
        try:
            if self._function is None:
                from scorekeeper.core.expressions.compiler import first_of

                self._function = first_of(self._conditions, self._scope)
            number: int = self._function(rnd, None)
        except Exception:  # Any exception. The expression reports it when it is evaluated alone.
            return None
        return number


# --- functions that the compiled form of a condition about a hand calls


def within(seat: int, cards: int, shown: int, least: int, most: int) -> Asked:
    """Return the claim that a hand had `least` to `most` cards of a set, of which `shown` have left
    it."""
    least, most = max(0, least - shown), most - shown
    if most < 0:
        return False
    return Claim(seat, cards, least, most) if least > 0 or most < PLENTY - shown else True


def negated(asked: Asked | float) -> Asked:
    """Return the opposite of a condition."""
    if isinstance(asked, AnyOf | AllOf):
        contrary = AllOf if isinstance(asked, AnyOf) else AnyOf
        return contrary(tuple(map(_contrary, asked.claims)))
    return _contrary(asked) if isinstance(asked, Claim) else not asked


def _contrary(question: Question) -> Question:
    opposite = negated(question) if not isinstance(question, Claim) else None
    if isinstance(opposite, AnyOf | AllOf):
        return opposite
    assert isinstance(question, Claim)
    fewer = Claim(question.seat, question.cards, 0, question.least - 1)
    more = Claim(question.seat, question.cards, question.most + 1, PLENTY)
    if not question.least:
        return more
    return AnyOf((fewer, more)) if question.most < PLENTY // 2 else fewer


def either(parts: Iterable[Callable[[], Asked | float]]) -> Asked:
    """Return whether one of these conditions holds. Later ones are not evaluated once one holds."""
    return _joined(parts, True)


def both(parts: Iterable[Callable[[], Asked | float]]) -> Asked:
    """Return whether all of these conditions hold. Later ones are not evaluated once one fails."""
    return _joined(parts, False)


def _joined(parts: Iterable[Callable[[], Asked | float]], decisive: bool) -> Asked:
    questions: list[Question] = []
    for part in parts:
        value = part()
        if isinstance(value, Claim | AnyOf | AllOf):
            questions.append(value)
        elif bool(value) is decisive:
            return decisive
    if not questions:
        return not decisive
    if len(questions) == 1:
        return questions[0]
    return AnyOf(tuple(questions)) if decisive else AllOf(tuple(questions))


WORDS: dict[str, object] = {
    "either": either,
    "both": both,
    "negated": negated,
    "within": within,
    "PLENTY": PLENTY,
}
