"""Numbers, conditions and sets of cards in rulesets: `2 * count + 1`, `count(laid & hearts) == 0`.

Rulesets come from strangers. A text is bounded in length, depth and numbers; its letters are
checked, then it is read once, and each node is written out again in words of our own: nothing of
the text itself is ever run. A dotted name is one name in the caller's table of measures, never an
attribute. That holds for trusted texts too; trust only spares the look-up of the names.

`parser` bounds and reads a text and knows the kinds of values, `compiler` writes it out again and
compiles what was written; `expression` is what callers hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions.expression import Expression, FirstOf, Rows, compile_expression
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
    Circular,
    ExpressionError,
    Item,
    NotSeen,
    Scope,
)

if TYPE_CHECKING:
    from scorekeeper.core.expressions.expression import Get, Number

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
    "Circular",
    "Expression",
    "ExpressionError",
    "FirstOf",
    "Get",
    "Item",
    "NotSeen",
    "Number",
    "Rows",
    "Scope",
    "compile_expression",
]
