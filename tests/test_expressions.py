"""Expressions: their values, and the refusal of everything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.core.expressions import (
    MAX_DEPTH,
    MAX_LENGTH,
    Expression,
    ExpressionError,
    compile_expression,
)

MEASURES = {"count": 5, "points": 7, "losers.points": 85, "hands": 0, "share": 0.5, "solo": True}


def value(text: str) -> int | float | bool:
    return compile_expression(text, MEASURES, "here")(MEASURES.__getitem__)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("3", 3),
        ("2 * count + 1", 11),
        ("2 * (count + 1)", 12),
        ("10 - 3 - 2", 5),
        ("-count", -5),
        ("--count", 5),
        ("points // 2", 3),
        ("points % 4", 3),
        ("points / 2", 3.5),
        ("ceil(count / 2)", 3),
        ("floor(count / 2)", 2),
        ("min(count, points, 6)", 5),
        ("max(count, points)", 7),
        ("abs(count - points)", 2),
        ("losers.points < 90", True),
        ("losers . points", 85),
        ("0 < count <= 5 < points", True),
        ("0 < count < 5", False),
        ("count == 5 and points != 5", True),
        ("not solo or hands", 0),
        ("not (solo or hands)", False),
        ("1 if solo else 2", 1),
        ("1 if hands else 2 if count > 9 else 3", 3),
        ("true", True),
        ("False", False),
        ("share * 2", 1.0),
        ("1e3", 1000.0),
        ("  count\n + 1\t", 6),
    ],
)
def test_values(text: str, result: float) -> None:
    assert value(text) == result
    assert Expression(text)(MEASURES.__getitem__) == result


def test_only_the_branch_taken_is_looked_up() -> None:
    asked = []

    def get(name: str) -> int:
        asked.append(name)
        return 1

    expression = compile_expression("count if solo else points", MEASURES, "here")
    assert expression(get) == 1
    assert asked == ["solo", "count"]


def test_names_are_in_order_and_once() -> None:
    text = "losers.points + count < losers.points or true"
    assert compile_expression(text, MEASURES, "here").names == ("losers.points", "count")
    assert Expression(text).names == ("losers.points", "count")
    assert Expression(text).text == text


HOSTILE = [
    "",
    "   ",
    "x if",
    "count +",
    "(count",
    "count)",
    "__import__('os')",
    "__import__(count)",
    "a.b.c",
    "count.real",
    "count.__class__",
    "(1).real",
    "(count + 1).real",
    "min.__self__",
    "min(1, 2).real",
    "9**9**9",
    "9 ** 9",
    "(" * 1000,
    "(" * 200 + "1" + ")" * 200,
    "-" * 400 + "1",
    "not " * 100 + "1",
    "+".join(["1"] * 200),
    "count if " * 45 + "1",
    "lambda: 1",
    "lambda x: x",
    "[x for x in count]",
    "(x for x in count)",
    "min(x for x in count)",
    "f'{count}'",
    "'a' * 9",
    '"count"',
    "b'1'",
    "9" * 400,
    "1000000001",
    "1e400",
    "1e10",
    "3j",
    "(n := 3)",
    "count[0]",
    "{1: 2}",
    "{1}",
    "(1, 2)",
    "1,",
    "()",
    "...",
    "None",
    "count & 1",
    "count << 9",
    "~count",
    "+count",
    "count @ 2",
    "count is solo",
    "count in solo",
    "count not in solo",
    "yield",
    "(yield count)",
    "await count",
    "min(*count)",
    "min(count, key=abs)",
    "min(**count)",
    "min()",
    "min(1)",
    "ceil(1, 2)",
    "abs()",
    "ceil",
    "pow(9, 9)",
    "eval(count)",
    "get(count)",
    "count(1)",
    "min(1, 2)(3)",
    "count = 3",
    "count; points",
    "count # + points",
    "count\\\n",
    "1if solo else 2",
    "0or 1",
    "1.real",
    "import os",
    "\uff43ount",
    "count\x00",
    "c\u0301ount",
    "\ud800",
    "1 " * 400,
    "x" * (MAX_LENGTH + 1),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_else_gets_through(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        compile_expression(text, MEASURES, "file.toml: clauses.most.least")
    message = caught.value.message
    assert message.startswith("file.toml: clauses.most.least: ")
    assert message.isprintable()
    assert len(message) < 600
    assert caught.value.found
    assert caught.value.allowed


def test_trust_does_not_open_the_door() -> None:
    for text in ("__import__('os')", "9**9", "count.real()", "lambda: 1", "(" * 1000):
        with pytest.raises(ExpressionError):
            Expression(text)(MEASURES.__getitem__)
    with pytest.raises(KeyError):
        Expression("count.__class__")(MEASURES.__getitem__)


def test_an_unknown_measure_says_what_is_near_and_what_is_known() -> None:
    with pytest.raises(ExpressionError) as caught:
        compile_expression("loser.points < cuont", MEASURES, "f: k")
    error = caught.value
    assert error.message == 'f: k: unknown measure "loser.points", "cuont"'
    assert error.hint == 'did you mean "losers.points"? did you mean "count"?'
    assert "losers.points" in error.allowed


def test_a_container_that_cannot_be_listed_will_do() -> None:
    class Some:
        def __contains__(self, name: object) -> bool:
            return name == "count"

    assert compile_expression("count", Some(), "f: k").names == ("count",)
    with pytest.raises(ExpressionError):
        compile_expression("cuont", Some(), "f: k")


NAMED = {"own.double-run": 3, "own.double": 20, "run": 4, "own.füchse": 5, "a-b-c": 7, "c-1": 9}


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("own.double-run", 3),
        ("own.double - run", 16),
        ("own.double-run-run", -1),
        ("own.double-own.double-run", 17),
        ("2*own.double-run*2", 12),
        ("own.füchse+1", 6),
        ("a-b-c - 1", 6),
        ("run-1", 3),
        ("c-1", 9),
        ("run - -1", 5),
        ("1-run", -3),
    ],
)
def test_a_hyphen_belongs_to_the_longest_name_there_is(text: str, result: int) -> None:
    expression = compile_expression(text, NAMED)
    assert expression(NAMED.__getitem__) == result


def test_an_unknown_name_with_a_hyphen_is_told_as_it_can_be_written() -> None:
    with pytest.raises(ExpressionError) as caught:
        compile_expression("own.double_run", NAMED)
    assert caught.value.hint == 'did you mean "own.double-run"?'


@pytest.mark.parametrize(
    ("text", "limit", "way"),
    [
        ("1 + " * 125 + "1", "at most 500 characters", "[let]"),
        (f"max({','.join('1' * 220)})", "at most 200 names, numbers and signs", "[let]"),
        ("1+" * 41 + "1", "at most 40 deep", "put brackets around parts of it"),
        ("(" * 41 + "1" + ")" * 41, "at most 40", "leave out brackets"),
        ("1000000001", "up to 1,000,000,000", ""),
    ],
)
def test_each_limit_is_told_with_the_way_out(text: str, limit: str, way: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        compile_expression(text, NAMED)
    assert limit in caught.value.allowed
    assert way in caught.value.allowed


def test_brackets_are_a_way_out_of_a_long_sum() -> None:
    assert value(f"({'+'.join('1' * 30)}) + ({'+'.join('1' * 30)})") == 60


@pytest.mark.parametrize("sign", ["/", "//", "%"])
def test_division_by_zero(sign: str) -> None:
    with pytest.raises(ExpressionError, match="divides by zero"):
        value(f"count {sign} hands")


def test_numbers_that_grow_too_large() -> None:
    big = "*".join(["1000000000"] * 38)
    with pytest.raises(ExpressionError, match="too large"):
        value(f"({big}) / 3 + share")
    with pytest.raises(ExpressionError, match="too large"):
        value(f"ceil(share * {' * '.join(['1e9'] * 36)})")


def test_a_measure_that_is_no_number() -> None:
    with pytest.raises(ExpressionError, match="no number"):
        compile_expression("count < 3", {"count"}, "here")(lambda name: None)


def test_the_deepest_that_is_allowed_compiles() -> None:
    text = "abs(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH
    assert value(text) == 1
    assert value("+".join(["1"] * MAX_DEPTH)) == MAX_DEPTH
    ladder = "1 if solo else " * 30 + "2"
    assert value(ladder) == 1


@given(st.text(max_size=40))
def test_any_text_compiles_or_is_refused(text: str) -> None:
    try:
        expression = compile_expression(text, MEASURES, "here")
    except ExpressionError as error:
        assert str(error).isprintable()
    else:
        assert set(expression.names) <= set(MEASURES)


@given(st.text(alphabet="count 1239.()+-*/%<>=!,andorif", max_size=30))
def test_any_text_of_its_letters_too(text: str) -> None:
    try:
        compile_expression(text, MEASURES, "here")(MEASURES.__getitem__)
    except ExpressionError as error:
        assert str(error).isprintable()


@given(
    st.recursive(
        st.sampled_from(["1", "2.5", "count", "points", "hands"]),
        lambda inner: st.tuples(
            inner, st.sampled_from(["+", "-", "*", "<", "==", " and ", " or "]), inner
        ).map(lambda parts: f"({parts[0]}{parts[1]}{parts[2]})"),
        max_leaves=12,
    )
)
def test_worth_what_the_same_arithmetic_is_worth(text: str) -> None:
    assert value(text) == eval(text, dict(MEASURES))
