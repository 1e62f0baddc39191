"""A compiled expression, and how one is made of a text; several that are asked together.

An expression may ask about a hand that is unseen (`Expression.asked`). Then functions stand in its
compiled form in place of and, or, not and of comparisons of how many cards of some set a hand has:
a condition is true, false, or a claim.
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
    """Gives a number, a set of cards (an integer, see `Pack`), or what works on sets: the compiled
    text knows which."""
    Run = Callable[[Get], Number]
    Asked = bool | Question
    """A condition as far as it is known without the hand."""

PLENTY = 1 << 20
"""More cards than any hand has."""


class Measured(Protocol):
    """A round, as far as an expression knows one."""

    def reading(self, subject: object = None) -> Get:
        """How measures are looked up in it, about that subject."""


class Expression:
    """A compiled expression; called with a way to look up a measure, it gives its value.

    It is compiled when first needed. A text that was not checked before, as that of a pinned
    ruleset was, and would not pass raises ExpressionError then; only its names are not looked up.
    """

    __slots__ = ("_asks", "_in_round", "_outcome", "_read", "_run", "kind", "scope", "text")

    def __init__(self, text: str, scope: Scope = ANYTHING) -> None:
        self.text = text
        self.kind = NUMBER  # the kind of value it comes to, once it is compiled
        self.scope = scope
        self._read: tuple[Reader, Part] | None = None
        self._asks: bool | None = None
        self._run: Run | None = None
        self._in_round: InRound | None = None
        self._outcome: Callable[[Get], Asked] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The measures it uses, each once, in the order of the text."""
        return tuple(self._reading()[0].names)

    def part_of(self, name: str) -> str:
        """Return the named expression in which a measure of it stands; "" for the text itself."""
        return self._reading()[0].names[name]

    @property
    def parts(self) -> set[str]:
        """The named expressions of which it is made."""
        return self._reading()[0].read_parts

    def __call__(self, get: Get) -> Number:
        """The value, with each measure from `get(name)`; raises ExpressionError if it has none."""
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
        """The value in a round, about that subject: what a call with the round's reading gives,
        or raises, without looking its measures up one by one."""
        try:
            run = self._in_round or self._compile_in_round()
            value: Number = run(rnd, subject)
        except Failure:
            raise
        except RecursionError:
            raise self._circular() from None
        except Exception:
            return self(rnd.reading(subject))  # which tells what is wrong with which measure
        return value

    def asked(self, get: Get) -> Asked:
        """The value of a condition that may ask about a hand: true, false, or a claim. Raises as
        a call does."""
        if self._outcome is None:
            self._outcome = _claiming(self.text, self.scope)
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
            self._asks = any(self.scope.kind(name) == HAND for name in self.names)
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
        """Read the text. Raises ExpressionError: of names that are no measure before all else,
        because other mistakes may come of them."""
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
        """The function of a look-up; raises ExpressionError for a text that has none."""
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
    """Check and compile `text`, whose measures must be in `names`, and which must come to that
    kind of value. `asks`: it may ask about a hand that nobody sees (see `Expression.asked`).

    `where` (a file and key, say) stands before the message. Raises ExpressionError, which says
    what was found and what is allowed.
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
    """The scope of these names, which are all numbers."""
    from collections.abc import Iterable

    known = sorted(names) if isinstance(names, Iterable) else []
    return Scope(lambda name: NUMBER if name in names else None, lambda: known, {})


def unknown_names(unknown: list[str], part: str, scope: Scope) -> ExpressionError:
    """The error for names that are no measure; `part` is the named expression that has them."""
    known = scope.known()
    hint = " ".join(dict.fromkeys(filter(None, (_meant(name, known, scope) for name in unknown))))
    listed = ", ".join(f'"{shown(name)}"' for name in unknown)
    error = UnknownName(f"unknown measure {listed}", hint, listed, ", ".join(known))
    error.part = part
    return error


def _meant(name: str, known: list[str], scope: Scope) -> str:
    """What may have been meant by a name that is none: what is asked of somebody else, or
    something else of them, or a name that is like it."""
    whose, dot, what = name.partition(".")
    whose_known = (OWN, *scope.roles)
    if dot and whose not in whose_known:
        meant = nearest(whose, whose_known)
        if meant and scope.kind(f"{meant}.{what}") is not None:
            return tr('did you mean "{word}"?', word=f"{meant}.{what}")
    elif dot:
        own = f"{OWN}."
        found = nearest(what, [each.removeprefix(own) for each in known if each.startswith(own)])
        return tr('did you mean "{word}"?', word=f"{whose}.{found}") if found else ""
    return did_you_mean(name, known)


def _claiming(text: str, scope: Scope) -> Callable[[Get], Any]:
    """The function of an expression that may give a claim."""
    from scorekeeper.core.expressions.compiler import Reader, by_name

    reader = Reader(scope, True)
    return by_name(reader, reader.whole(text).source, WORDS)


# --- several that are asked together: what they share is computed once
#
# They have no words for what is wrong with one of them: then there is no answer, and whoever asks
# them one by one learns it.


class Rows:
    """Pairs of a condition and a number, by their texts; compiled when first asked. `alike`:
    whether the numbers are the same whoever is asked about, once that is known."""

    __slots__ = ("_pairs", "_scope", "_values", "alike")

    def __init__(self, pairs: Sequence[tuple[str, str]], scope: Scope) -> None:
        self._pairs = pairs
        self._scope = scope
        self._values: Together | None = None
        self.alike = False

    def of(self, rnd: Measured, subjects: Sequence[object]) -> list[tuple[int, int, Any]] | None:
        """For each of those who are asked about the numbers whose condition holds, of whatever kind
        each is: which number, of whom (both from 0), and the number. None where one has no
        value."""
        try:
            return (self._values or self._compiled())(rnd, subjects)
        except Exception:  # of whatever kind: asked alone, the expression says what it is
            return None

    def _compiled(self) -> Together:
        from scorekeeper.core.expressions.compiler import values_of

        self._values, self.alike = values_of(self._pairs, self._scope)
        return self._values


class FirstOf:
    """Conditions, by their texts, of which the first that holds decides; compiled when first
    asked."""

    __slots__ = ("_conditions", "_function", "_scope")

    def __init__(self, conditions: Sequence[str], scope: Scope) -> None:
        self._conditions = conditions
        self._scope = scope
        self._function: InRound | None = None

    def of(self, rnd: Measured) -> int | None:
        """The number of the first that holds, from 1; 0 where none does. None, where one has no
        value."""
        try:
            if self._function is None:
                from scorekeeper.core.expressions.compiler import first_of

                self._function = first_of(self._conditions, self._scope)
            found: int = self._function(rnd, None)
        except Exception:  # of whatever kind: asked alone, the expression says what it is
            return None
        return found


# --- what the compiled form of a condition calls that may ask about a hand


def within(seat: int, cards: int, shown: int, least: int, most: int) -> Asked:
    """The claim that a hand has between so many cards of a set, of which `shown` have left it."""
    least, most = max(0, least - shown), most - shown
    if most < 0:
        return False
    return Claim(seat, cards, least, most) if least > 0 or most < PLENTY - shown else True


def negated(asked: Asked | float) -> Asked:
    """The contrary of a condition."""
    if isinstance(asked, AnyOf | AllOf):
        contrary = AllOf if isinstance(asked, AnyOf) else AnyOf
        return contrary(tuple(map(_contrary, asked.claims)))
    return _contrary(asked) if isinstance(asked, Claim) else not asked


def _contrary(question: Question) -> Question:
    found = negated(question) if not isinstance(question, Claim) else None
    if isinstance(found, AnyOf | AllOf):
        return found
    assert isinstance(question, Claim)
    fewer = Claim(question.seat, question.cards, 0, question.least - 1)
    more = Claim(question.seat, question.cards, question.most + 1, PLENTY)
    if not question.least:
        return more
    return AnyOf((fewer, more)) if question.most < PLENTY // 2 else fewer


def either(parts: Iterable[Callable[[], Asked | float]]) -> Asked:
    """Whether one of these conditions holds; none is asked after one that does."""
    return _joined(parts, True)


def both(parts: Iterable[Callable[[], Asked | float]]) -> Asked:
    """Whether all of these conditions hold; none is asked after one that does not."""
    return _joined(parts, False)


def _joined(parts: Iterable[Callable[[], Asked | float]], decisive: bool) -> Asked:
    questions: list[Question] = []
    for part in parts:
        found = part()
        if isinstance(found, Claim | AnyOf | AllOf):
            questions.append(found)
        elif bool(found) is decisive:
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
