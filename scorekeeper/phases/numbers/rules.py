"""The clause words of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import N_
from scorekeeper.phases.numbers.phase import TOO_LITTLE, Numbers
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.ruleset import Ruleset


@clause(
    "allowed",
    "numbers",
    on=("number", "numbers"),
    say=N_("{who} cannot have {number}; the numbers are {allowed}"),
    doc=(
        "The key `number` must allow the number. If there are several kinds of numbers, the row of "
        "that kind in `numbers` must allow it."
    ),
)
def _allowed(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Numbers).find_not_allowed


@clause(
    "said",
    "numbers",
    on=("number", "numbers"),
    say=N_("“{word}” is not possible for {who} now"),
    doc="A word may follow a number only if its condition in `words` holds.",
)
def _said(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Numbers).find_word_not_allowed


@clause(
    "adds-up",
    "numbers",
    on=("number", "numbers"),
    say=TOO_LITTLE,
    doc=(
        "The numbers of all players must add up to `sum`. If there are several kinds of number, "
        "those of the last kind must."
    ),
)
def _adds_up(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Numbers).find_wrong_sum
