"""The numbers of the tables that every ruleset has, where they may depend on how many play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import Expression, ExpressionError, compile_expression

if TYPE_CHECKING:
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.tables import Report

PLAYERS = "players"
TALLY = "own.tally"


class PerPlayers:
    """A whole number that may depend on how many players there are, and on nothing else."""

    __slots__ = ("_expression", "_known", "_number")

    def __init__(self, value: str | int, where: str, fault: Report | None) -> None:
        """`fault` is told what is wrong with it (None: it was checked before)."""
        self._number, self._expression = 0, None
        self._known: dict[int, int] = {}
        if isinstance(value, int):
            self._number = value
            return
        self._expression = Expression.trusted(value)
        if fault is None:
            return
        allowed = f"an expression over {PLAYERS}"
        try:
            checked = compile_expression(value, (PLAYERS,))
        except ExpressionError as error:
            self._expression = None
            fault(where, value, allowed, f"{where}: {error}")
            return
        if not checked.whole:
            message = f"{where} may come to a fraction"
            fault(where, value, "whole numbers: with //, ceil(…) or floor(…)", message)

    def __call__(self, players: int) -> int:
        """The number for so many players; 0 where it has none."""
        if self._expression is None:
            return self._number
        found = self._known.get(players)
        if found is None:
            found = int(self._expression.value({PLAYERS: players}.__getitem__))
            self._known[players] = found
        return found


class Numbers:
    """By how many players there are: the tally with which a match begins (`start`), who starts it
    (`leader`, from 1), how many `cards` each is dealt and how many are left over (`kitty`).
    `dice_are_tally`: a player has as many dice as their tally says."""

    __slots__ = ("cards", "dice_are_tally", "kitty", "leader", "start")

    def __init__(self, tally: Row, match: Row, deal: Row, dice: Row, fault: Report | None) -> None:
        """By the tables of these names; `fault` is told what is wrong with them (None: they were
        checked before)."""
        self.start = PerPlayers(tally["start"], "tally.start", fault)
        self.leader = PerPlayers(match["leader"], "match.leader", fault)
        self.cards = PerPlayers(deal["cards"], "deal.cards", fault)
        self.kitty = PerPlayers(deal["kitty"], "deal.kitty", fault)
        self.dice_are_tally = dice.get("each") == TALLY
