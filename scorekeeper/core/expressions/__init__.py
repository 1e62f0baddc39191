"""Numbers, conditions and sets of cards in rulesets: `2 * count + 1`, `count(laid & hearts) == 0`.

Rulesets come from outside. Length, depth and numbers of a text are bounded, and its letters are
checked. Then it is parsed once, and each node is written out again by the program, so that no part
of the text itself is ever run. A dotted name is one name in the caller's table of measures, never
an attribute. Trusted texts follow the same path, but their names are not looked up.

`parser` checks and parses a text and defines the kinds of values. `compiler` writes and compiles
its source. Callers hold an `expression`.
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
