"""Expressions in rulesets: numbers, conditions and sets of cards.

Examples are `2 * count + 1` and `count(laid & hearts) == 0`. Rulesets are untrusted input, so an
expression's length, nesting depth and numbers are limited, and its characters are checked. The text
is then parsed once, and new source is generated from each node, so no part of the text itself is
ever run. A dotted name is looked up as a whole in the caller's table of measures. It is never
treated as an attribute. Strings that were checked before, as in pinned rulesets, are handled the
same way, but their names are not looked up again.

`parser` checks and parses strings, and defines the kinds of values. `compiler` generates and
compiles the source. Callers use the class `Expression` from `expression`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions.expression import (
    ConditionalRows,
    Expression,
    FirstTrue,
    compile_expression,
)
from scorekeeper.core.expressions.parser import (
    ALLOWED,
    HAND,
    HEAP,
    KINDS,
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_NODES,
    MAX_NUMBER,
    NUMBER,
    TRUTH,
    BatchedMeasure,
    CircularExpression,
    ExpressionError,
    NotYetKnown,
    Scope,
)

if TYPE_CHECKING:
    from scorekeeper.core.expressions.expression import Lookup, Number

__all__ = [
    "ALLOWED",
    "HAND",
    "HEAP",
    "KINDS",
    "MAX_DEPTH",
    "MAX_LENGTH",
    "MAX_NODES",
    "MAX_NUMBER",
    "NUMBER",
    "TRUTH",
    "BatchedMeasure",
    "CircularExpression",
    "ConditionalRows",
    "Expression",
    "ExpressionError",
    "FirstTrue",
    "Lookup",
    "NotYetKnown",
    "Number",
    "Scope",
    "compile_expression",
]
