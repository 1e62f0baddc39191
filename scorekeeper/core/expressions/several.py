"""Several expressions that are asked together: what they share is computed once.

They have no words for what is wrong with one of them: then there is no answer, and whoever asks
them one by one learns it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.expressions.expression import Measured
    from scorekeeper.core.expressions.kinds import Scope
    from scorekeeper.core.expressions.slots import InRound, Together


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
        from scorekeeper.core.expressions.slots import values_of

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
                from scorekeeper.core.expressions.slots import first_of

                self._function = first_of(self._conditions, self._scope)
            found: int = self._function(rnd, None)
        except Exception:  # of whatever kind: asked alone, the expression says what it is
            return None
        return found
