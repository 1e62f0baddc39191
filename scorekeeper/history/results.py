"""What one match came to for each who took part: rounds, points, places, who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple
from scorekeeper.history.outcome import outcome_of
from scorekeeper.history.places import decided
from scorekeeper.play.facts import scored_by

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.history.outcome import Outcome
    from scorekeeper.play.reviewed import Reviewed


class Result(NamedTuple):
    """What a match came to, by name, of those who took part in it: in a finished round of it, or
    out of it from the start; everybody as long as no round is finished.

    `rounds` are the finished ones in which they took part, `scored` those of them that have a score
    and are not void, `made` what these changed for them; `points` are what the rounds changed on
    the sheet, of everybody who has ever sat there: penalties too, in a round without a score and in
    one that was never finished, but nothing that was set by hand; `places`, 1 being the best, are
    theirs who sit there at the end, empty while nothing is decided; `won` are those who have won,
    nobody where all are even.
    `outcomes` are all finished rounds, each with its summary.
    """

    outcomes: Sequence[tuple[Summary, Outcome]]
    rounds: Mapping[str, int]
    scored: Mapping[str, int]
    made: Mapping[str, int]
    points: Mapping[str, int]
    places: Mapping[str, int]
    won: Collection[str]


def came_to(match: Reviewed, summaries: Sequence[Summary]) -> Result:
    """What a match came to, of whose rounds these are the summaries."""
    rules, everybody = match.ruleset, match.players
    rounds, scored, made, points = (dict.fromkeys(everybody, 0) for _ in range(4))
    out, out_at = set(), rules.out_at
    outcomes = [(each, outcome_of(each)) for each in summaries if each["over"]]
    for summary in summaries:
        for name, change in _changes(match, summary, last=summary is summaries[-1]).items():
            points[name] += change
    for summary, found in outcomes:
        changes = found.changes if found.scored else None
        for name in found.present:
            rounds[name] += 1
            if changes is not None:
                scored[name] += 1
                made[name] += changes[name]
        if len(found.present) < len(summary["before"]):
            out |= {name for name, tally in summary["before"].items() if tally <= out_at}
    took_part = {n: many for n, many in rounds.items() if many or not outcomes or n in out}
    return Result(outcomes, took_part, scored, made, points, *decided(match, summaries, took_part))


def _changes(match: Reviewed, summary: Summary, *, last: bool) -> Mapping[str, int]:
    """What a round changed on the sheet."""
    stands = summary["tally"] or (match.scores if last else None)
    if stands is not None:
        return {name: stands[name] - stood for name, stood in summary["before"].items()}
    changes = dict.fromkeys(summary["before"], 0)
    for line in summary["lines"]:  # of a round that goes on although another followed: penalties
        for name in scored_by(match.ruleset, summary, line):
            changes[name] = changes.get(name, 0) + int(line["points"])
    return changes
