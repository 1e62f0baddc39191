"""Compiled expressions, single or in groups, and conditions that ask about a hand.

An expression can ask about an unseen hand (see `Expression.evaluate_claim`). In that case, its
compiled form calls functions of this module for `and`, `or` and `not`, and to compare the number of
cards in a hand. Such a condition is true, false, or a claim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from scorekeeper.core.errors import Failure
from scorekeeper.core.expressions.parser import (
    ANY_NAME,
    HAND,
    MAX_QUOTED,
    NUMBER,
    OWN,
    TRUTH,
    CircularExpression,
    ExpressionError,
    Scope,
    UnknownName,
    is_whole,
    not_allowed_error,
)
from scorekeeper.core.hands import AllOf, AnyOf, Claim
from scorekeeper.core.messages import tr
from scorekeeper.core.text import did_you_mean, find_nearest, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from scorekeeper.core.expressions.compiler import (
        CompiledPart,
        ExpressionCompiler,
        InRound,
        RowsFunction,
    )
    from scorekeeper.core.hands import Question

    Number = int | float | bool
    Lookup = Callable[[str], Any]
    """A function that returns the value of a name: a number, a set of cards (an integer, see
    `Pack`), or a function of sets. The value must be of the kind that the name had when the
    expression was compiled."""
    Evaluator = Callable[[Lookup], Number]
    Condition = bool | Question
    """The value of a condition: true, false, or a claim if it depends on an unseen hand."""

PLENTY = 1 << 20
"""A number that is larger than any hand."""


class MeasureSource(Protocol):
    """The part of a round's interface that expressions use."""

    def reading(self, subject: object = None) -> Lookup:
        """Return a function that looks up measures about a subject."""


class Expression:
    """An expression that is compiled when first needed. Call it with a function that returns
    measures.

    `kind` is the kind of its value, which is known once the expression is compiled. The text of a
    pinned ruleset has been checked before, so its names are not looked up again. A string that is
    not an expression raises ExpressionError when it is compiled.

    >>> expression = compile_expression("2 * count + 1", {"count"})
    >>> expression({"count": 3}.get)
    7
    """

    __slots__ = (
        *("_claim_evaluator", "_compiled", "_in_round", "_is_about_hand", "_run", "kind"),
        *("scope", "text"),
    )

    def __init__(self, text: str, scope: Scope = ANY_NAME) -> None:
        self.text = text
        self.kind = NUMBER  # the actual kind is known once the expression is compiled
        self.scope = scope
        self._compiled: tuple[ExpressionCompiler, CompiledPart] | None = None
        self._is_about_hand: bool | None = None
        self._run: Evaluator | None = None
        self._in_round: InRound | None = None
        self._claim_evaluator: Callable[[Lookup], Condition] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The measures that the expression uses, each listed once, in the order of the text."""
        return tuple(self._compile_source()[0].names)

    def part_of(self, name: str) -> str:
        """Return the named expression that contains a measure, or "" for the text itself."""
        return self._compile_source()[0].names[name]

    @property
    def parts(self) -> set[str]:
        """The named expressions that the text contains."""
        return self._compile_source()[0].used_parts

    def __call__(self, get: Lookup) -> Number:
        """Return the value, using `get(name)` to look up measures.

        Raises ExpressionError if there is no value.
        """
        run = self._run or self.compile()
        try:
            return run(get)
        except ZeroDivisionError:
            raise self._no_value("it divides by zero") from None
        except RecursionError:
            raise self._circular() from None
        except (ArithmeticError, ValueError) as error:
            raise self._no_value("a number in it grows too large") from error
        except TypeError as error:
            raise self._no_value("a measure in it is no number") from error

    def value_in(self, rnd: MeasureSource, subject: object = None) -> Number:
        """Return the value for a subject in a round.

        The results and errors are those of calling this expression with the round's measures. This
        method is faster, because it does not look up measures by name.
        """
        try:
            run = self._in_round or self._compile_in_round()
            value: Number = run(rnd, subject)
        except Failure:
            raise
        except RecursionError:
            raise self._circular() from None
        except Exception:
            # Calling the expression reports which measure caused the error.
            return self(rnd.reading(subject))
        return value

    def evaluate_claim(self, get: Lookup) -> Condition:
        """Return the value of a condition about a hand: true, false, or a claim.

        Raises ExpressionError if there is no value.
        """
        if self._claim_evaluator is None:
            self._claim_evaluator = _compile_claiming(self.text, self.scope)
        try:
            value = self._claim_evaluator(get)
        except RecursionError:
            raise self._circular() from None
        except (ArithmeticError, ValueError, TypeError) as error:
            raise self._no_value("it cannot be computed") from error
        return bool(value) if isinstance(value, int | float) else value

    @property
    def is_about_hand(self) -> bool:
        """True if the expression compares cards of a hand with numbers, so that its value may be a
        claim."""
        if self._is_about_hand is None:
            self._is_about_hand = self._names_hand and self._may_be_claim()
        return self._is_about_hand

    @property
    def counts_hand(self) -> bool:
        """True if the expression calculates with cards of a hand, so that its value is unknown
        until these cards are known."""
        return self._names_hand and not self.is_about_hand

    @property
    def _names_hand(self) -> bool:
        return any(self.scope.kind_of(name) == HAND for name in self.names)

    def _may_be_claim(self) -> bool:
        try:
            self._claim_evaluator = _compile_claiming(self.text, self.scope)
        except ExpressionError:
            return False
        return True

    def value_or(self, get: Lookup, otherwise: Number = 0) -> Number:
        """Return the value, or `otherwise` if there is none. Use this method only for display."""
        try:
            return self(get)
        except ExpressionError:
            return otherwise

    def is_whole(self, may_be_half: Callable[[str], bool] = lambda _: False) -> bool:
        """Return whether the value is an integer whenever all measures are integers.

        `may_be_half` is a function that returns whether the value of a measure may end in a half.
        """
        known: dict[str, bool] = {}

        def is_named_whole(name: str) -> bool:
            if name not in known:
                part = self.scope.parse_part(name)
                known[name] = (
                    not may_be_half(name) if part is None else is_whole(part, is_named_whole)
                )
            return known[name]

        return is_whole(self.scope.parse(self.text), is_named_whole)

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def _compile_source(self) -> tuple[ExpressionCompiler, CompiledPart]:
        if self._compiled is None:
            from scorekeeper.core.expressions.compiler import ExpressionCompiler

            reader = ExpressionCompiler(self.scope, False)
            self._compiled = reader, reader.compile_text(self.text)
            self.kind = self._compiled[1].kind
        return self._compiled

    def check(self) -> None:
        """Check the text. Raises ExpressionError if it is not a valid expression.

        Unknown names are reported before other errors, because they often cause the others.
        """
        from scorekeeper.core.expressions.compiler import ExpressionCompiler

        reader, wrong = ExpressionCompiler(self.scope, False), None
        try:
            self._compiled = reader, reader.compile_text(self.text)
            self.kind = self._compiled[1].kind
        except ExpressionError as error:
            wrong = error
        unknown = [name for name in reader.names if self.scope.kind_of(name) is None]
        if unknown:
            raise unknown_names_error(unknown, reader.names[unknown[0]], self.scope)
        if wrong is not None:
            raise wrong

    def compile(self) -> Evaluator:
        """Return the function that computes the value.

        Raises ExpressionError if the text is invalid.
        """
        from scorekeeper.core.expressions.compiler import compile_by_name

        reader, part = self._compile_source()
        self._run = compile_by_name(reader, part.source)
        return self._run

    def _compile_in_round(self) -> InRound:
        from scorekeeper.core.expressions.compiler import compile_in_round

        reader, part = self._compile_source()
        self._in_round = compile_in_round(reader, part.source)
        return self._in_round

    def _circular(self) -> CircularExpression:
        return CircularExpression(f'"{quote(self.text)}" has no value here: it refers to itself')

    def _no_value(self, why: str) -> ExpressionError:
        return ExpressionError(f'"{quote(self.text)}" has no value here: {why}')


def compile_expression(
    text: str,
    names: Container[str] | Scope,
    where: str = "",
    kind: str = NUMBER,
    may_ask_hand: bool = False,
) -> Expression:
    """Check and compile an expression.

    Its measures must be in `names`, and its value must be of the given kind. If `may_ask_hand` is
    true, the expression may ask about an unseen hand (see `Expression.evaluate_claim`). Messages
    begin with `where`, such as a file and key. Raises ExpressionError, whose message states what is
    wrong and what is allowed.
    """
    scope = names if isinstance(names, Scope) else _number_scope(names)
    expression = Expression(text, scope)
    try:
        expression.check()
        expression.compile()
        _check_kind(expression, kind)
        if may_ask_hand:
            _compile_claiming(text, scope)
    except ExpressionError as error:
        if not where:
            raise
        named = ExpressionError(f"{where}: {error.message}", error.hint, error.found, error.allowed)
        named.part = error.part
        raise named from None
    return expression


def _check_kind(expression: Expression, kind: str) -> None:
    """Raise ExpressionError if the value is of another kind. A truth value may be used as a
    number."""
    found = expression.kind
    if found == NUMBER and kind == TRUTH:
        if expression.scope.separates_truths:
            from scorekeeper.core.expressions.compiler import number_as_condition_error

            text = quote(expression.text, MAX_QUOTED)
            raise number_as_condition_error(text, text)
    elif found != kind and (found, kind) != (TRUTH, NUMBER):
        raise not_allowed_error(found, kind)


def _number_scope(names: Container[str]) -> Scope:
    """Return a scope in which all names are numbers."""
    from collections.abc import Iterable

    known = sorted(names) if isinstance(names, Iterable) else []
    return Scope(lambda name: NUMBER if name in names else None, lambda: known, {})


def unknown_names_error(unknown: list[str], part: str, scope: Scope) -> ExpressionError:
    """Return the error for unknown measures in the named expression `part`."""
    known = scope.list_names()
    hints = dict.fromkeys(filter(None, (_suggest(name, known, scope) for name in unknown)))
    hint = "; ".join(hints).replace("?; ", "? ")
    listed = ", ".join(f'"{quote(name)}"' for name in unknown)
    error = UnknownName(f"unknown measure {listed}", hint, listed, ", ".join(known))
    error.part = part
    return error


def _suggest(name: str, known: list[str], scope: Scope) -> str:
    """Return an explanation of an unknown name, a suggestion, or "" if no name is similar.

    For a dotted name, suggest a similar word before the dot or, if that word is known, a similar
    word after the dot.
    """
    reason = scope.explain(name)
    if reason:
        return reason
    whose, dot, what = name.partition(".")
    whose_known = (OWN, *scope.roles)
    if dot and whose not in whose_known:
        meant = find_nearest(whose, whose_known)
        if meant and scope.kind_of(f"{meant}.{what}") is not None:
            return tr('did you mean "{word}"?', word=f"{meant}.{what}")
    elif dot:
        own = f"{OWN}."
        match = find_nearest(
            what, [each.removeprefix(own) for each in known if each.startswith(own)]
        )
        return tr('did you mean "{word}"?', word=f"{whose}.{match}") if match else ""
    return did_you_mean(name, known)


def _compile_claiming(text: str, scope: Scope) -> Callable[[Lookup], Any]:
    """Return the compiled function for an expression whose value may be a claim."""
    from scorekeeper.core.expressions.compiler import ExpressionCompiler, compile_by_name

    reader = ExpressionCompiler(scope, True)
    return compile_by_name(reader, reader.compile_text(text).source, WORDS)


# --- groups of expressions, which compute shared parts once
#
# A group does not report which of its expressions failed. It returns None, and callers then
# evaluate the expressions one by one to get the error.


class ConditionalRows:
    """Pairs of a condition and a value. Both are strings that are compiled when first needed.

    `same_for_all` is true if the values are known to be the same for every subject.
    """

    __slots__ = ("_pairs", "_scope", "_values", "same_for_all")

    def __init__(self, pairs: Sequence[tuple[str, str]], scope: Scope) -> None:
        self._pairs = pairs
        self._scope = scope
        self._values: RowsFunction | None = None
        self.same_for_all = False

    def evaluate(
        self, rnd: MeasureSource, subjects: Sequence[object]
    ) -> list[tuple[int, int, Any]] | None:
        """Return the values of the rows whose conditions hold, for each subject.

        Each result is a triple: the number of the row, the number of the subject (both from 0), and
        the value. Return None if an expression has no value.
        """
        try:
            return (self._values or self._compiled())(rnd, subjects)
        # Callers evaluate the expressions one by one to get the error.
        except Exception:
            return None

    def _compiled(self) -> RowsFunction:
        from scorekeeper.core.expressions.compiler import compile_rows

        self._values, self.same_for_all = compile_rows(self._pairs, self._scope)
        return self._values


class FirstTrue:
    """A list of conditions, compiled when first needed. The first condition that holds determines
    the result."""

    __slots__ = ("_conditions", "_function", "_scope")

    def __init__(self, conditions: Sequence[str], scope: Scope) -> None:
        self._conditions = conditions
        self._scope = scope
        self._function: InRound | None = None

    def evaluate(self, rnd: MeasureSource) -> int | None:
        """Return the number (from 1) of the first condition that holds, or 0 if none does.

        Return None if a condition has no value.
        """
        try:
            if self._function is None:
                from scorekeeper.core.expressions.compiler import compile_first

                self._function = compile_first(self._conditions, self._scope)
            number: int = self._function(rnd, None)
        # Callers evaluate the expressions one by one to get the error.
        except Exception:
            return None
        return number


# --- functions that the compiled form of a condition about a hand calls


def claim_between(seat: int, cards: int, shown: int, least: int, most: int) -> Condition:
    """Return the claim that a hand had `least` to `most` cards of a set before `shown` of them were
    played."""
    least, most = max(0, least - shown), most - shown
    if most < 0:
        return False
    return Claim(seat, cards, least, most) if least > 0 or most < PLENTY - shown else True


def negate(condition: Condition | float) -> Condition:
    """Return the opposite of a condition."""
    if isinstance(condition, AnyOf | AllOf):
        contrary = AllOf if isinstance(condition, AnyOf) else AnyOf
        return contrary(tuple(map(_negate_question, condition.claims)))
    return _negate_question(condition) if isinstance(condition, Claim) else not condition


def _negate_question(question: Question) -> Question:
    opposite = negate(question) if not isinstance(question, Claim) else None
    if isinstance(opposite, AnyOf | AllOf):
        return opposite
    assert isinstance(question, Claim)
    fewer = Claim(question.seat, question.cards, 0, question.least - 1)
    more = Claim(question.seat, question.cards, question.most + 1, PLENTY)
    if not question.least:
        return more
    return AnyOf((fewer, more)) if question.most < PLENTY // 2 else fewer


def any_holds(parts: Iterable[Callable[[], Condition | float]]) -> Condition:
    """Return whether any of these conditions holds. Stop at the first that certainly does."""
    return _join(parts, True)


def all_hold(parts: Iterable[Callable[[], Condition | float]]) -> Condition:
    """Return whether all of these conditions hold. Stop at the first that certainly does not."""
    return _join(parts, False)


def _join(parts: Iterable[Callable[[], Condition | float]], decisive: bool) -> Condition:
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
    "either": any_holds,
    "both": all_hold,
    "negated": negate,
    "within": claim_between,
    "PLENTY": PLENTY,
}
