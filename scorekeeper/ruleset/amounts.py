"""Whole numbers of a ruleset where an expression may stand: `6`, or `"5 if bouts == 0 else 6"`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.ruleset.phase import OWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Joint, Rules


ALL_DICE = "dice"  # the measure that adds up what everyone has


class Amount:
    """A whole number, never beyond its bounds; an expression is asked anew each time. `fixed` is
    the number where it is no expression (None: it is one)."""

    __slots__ = ("_expression", "_least", "_most", "fixed")

    def __init__(self, expression: Expression | int, bounds: tuple[int, int]) -> None:
        self.fixed = expression if isinstance(expression, int) else None
        self._expression = expression
        self._least, self._most = bounds

    def __call__(self, rnd: Joint, subject: object = None) -> int:
        """The number in a round, about an entry or a player."""
        if isinstance(self._expression, int):
            return self._expression
        number = int(rnd.evaluate(self._expression, subject))
        return max(self._least, min(self._most, number))


def amount(
    rules: Rules,
    value: str | int,
    where: str,
    bounds: tuple[int, int] = untrusted.NUMBERS,
    about: Sequence[str] = (),
    but: Sequence[str] = (),
) -> Amount:
    """The value of a key that takes a `number`, compiled; see `Rules.expression`."""
    if isinstance(value, int):
        return Amount(value, bounds)
    return Amount(rules.expression(value, where, about, but, whole=True), bounds)


def dice_each(rules: Rules, dice: Row) -> Amount | None:
    """How many dice a player has, by the table [dice]; None where there are none."""
    if not rules.has("dice"):
        return None
    return amount(rules, dice["each"], "dice.each", (0, untrusted.DICE), (OWN,), (ALL_DICE,))
