"""From a finished round to the lines of its score.

A row gives points, or a factor on rows above it, to a role (who won, lost, was the soloist) and,
with `against`, the same with the other sign to another. A role's points count for each of its
players. Lines always sum to the score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Damaged
from scorekeeper.ruleset.scores import lines_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.expressions import Get
    from scorekeeper.core.rulings import Line
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.rows import ScoreRow

    # The lines of a score, and the change of each player's tally, by seat.
    Score = tuple[list[Line], list[int]]


def score(rnd: Round) -> Score | None:
    """The lines of a finished round and the change of each player's tally, by seat.

    None while the round goes on, and for a round whose score would need what was not seen, or
    what the rules cannot say (the round is told). A void round has no lines but those of what
    happened beside play (penalties, fouls).
    """
    if not rnd.over or not (rnd.scored or rnd.void):
        return None
    seats = dict(reversed(rnd.roles.values()))
    changes = _summed(rnd, rnd.lines, seats)
    if rnd.void:
        return list(rnd.lines), changes
    try:
        rows = lines_of(rnd.rules.scores, rnd.roles, rnd.cached_reading, _counts)
        given = _summed(rnd, rows, seats)
        _check(rnd, given)
    except Damaged as mistake:
        rnd.misruled(mistake)
        return None
    return rnd.lines + rows, [
        change + points for change, points in zip(changes, given, strict=True)
    ]


def _counts(row: ScoreRow, get: Get) -> bool:
    return row.always or bool(row.when(get))


def _summed(rnd: Round, lines: list[Line], seats: Mapping[str, tuple[int, ...]]) -> list[int]:
    """What the lines come to for each seat; a role's points count for each of its players."""
    changes = [0] * len(rnd.names)
    for line in lines:
        for seat in seats.get(line.to) or map(rnd.names.index, line.to.split("+")):
            changes[seat] += int(line.points)
    return changes


def _check(rnd: Round, given: list[int]) -> None:
    """The sums that a ruleset promises of its score rows. Raises Damaged when they are not so."""
    tally, wrong = rnd.rules.tally, ""
    if tally["zero_sum"] and sum(given):
        wrong = "do not sum to zero (tally.zero_sum)"
    elif tally["parity"] and len({given[seat] % 2 for seat in rnd.seats}) > 1:
        wrong = "are odd for some, even for others (tally.parity)"
    if wrong:
        said = ", ".join(f"{rnd.names[seat]} {given[seat]:+}" for seat in rnd.seats)
        raise Damaged(f"the scores {wrong}: {said}")
