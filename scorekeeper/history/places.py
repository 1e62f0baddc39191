"""What one match came to: places, who went out when, what its ruleset's `[statistics]` count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.reports import LAST, STANDS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.play.counts import Counts
    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.ruleset.compiled import Ruleset


def is_decided(match: Reviewed, summaries: Iterable[Summary] | None = None) -> bool:
    """Whether a match has places: it is over, or a round was finished and the ruleset says that
    what stands when the table stops is the result (`[history] stopped`)."""
    if match.over:
        return True
    stands = match.ruleset.history.stopped == STANDS
    return stands and any(summary["over"] for summary in summaries or match.summaries())


def places(
    match: Reviewed,
    summaries: Iterable[Summary] | None = None,
    among: Container[str] | None = None,
) -> dict[str, int]:
    """The place of each who sits there, 1 being the best, as things stand; `among`: only these
    count. Equal players share a place, and the next one is as many places lower. Where a side
    shares its tally it has one place: the second of two sides is second, however many they are.
    Where the last one in wins, the places are the order of going out backwards."""
    seated, rules = match.seated, match.ruleset
    wins = rules.match["wins"]
    if wins == LAST:
        gone, scores = went_out(match, summaries), match.scores
        worth = [(gone.get(name, 0) or len(gone) + 1, scores[name]) for name in seated]
    else:
        sign = -1 if wins == "fewest" else 1
        worth = [(sign * number, 0) for number in match.tally]
    shared = shares(rules)
    placed = [
        (name, worth[seat], rules.side_of(seat, len(seated)) if shared else seat)
        for seat, name in enumerate(seated)
        if among is None or name in among
    ]
    return {
        name: 1 + len({side for _, other, side in placed if other > mine})
        for name, mine, _ in placed
    }


def decided(
    match: Reviewed, summaries: Sequence[Summary], among: Container[str]
) -> tuple[dict[str, int], Sequence[str]]:
    """The places in a match among those who took part, and who has won it; none, if it has
    none."""
    if not is_decided(match, summaries):
        return {}, ()
    found = places(match, summaries, among)
    if len(found) == len(match.seated):
        return found, match.ahead
    # Others only sit there: these are those who are ahead of one another, or the last one in.
    scores, rules = match.scores, match.ruleset
    if rules.match["wins"] == LAST:
        best = [name for name in found if not rules.is_out(scores[name])]
        return found, best if len(best) == 1 else []
    best = [name for name, place in found.items() if place == 1]
    return found, best if len(best) < len(found) else []


def shares(rules: Ruleset) -> bool:
    """Whether the seating makes sides that have one tally each."""
    return bool(rules.sides["number"] and rules.sides["shared"])


def went_out(match: Reviewed, summaries: Iterable[Summary] | None = None) -> dict[str, int]:
    """Who is out of the match, each with their place in the order of going out, from 1; players
    who went out in the same round share one."""
    rules = match.ruleset
    since = {name: 0 for name, tally in match.scores.items() if rules.is_out(tally)}
    for number, summary in enumerate(summaries or match.summaries(), 1) if since else ():
        for name, tally in summary["before"].items():
            if name in since and not rules.is_out(tally):
                since[name] = number
    return {name: 1 + sum(other < mine for other in since.values()) for name, mine in since.items()}


def counts(rules: Ruleset, summaries: Iterable[Summary]) -> dict[str, Counts]:
    """What each row of `[statistics]` counts in these rounds, by player."""
    found: dict[str, Counts] = {row.name: {} for row in rules.sheet.statistics}
    for summary in summaries:
        for row, counted in summary["counts"].items():
            for name, number in counted.items():
                found[row][name] = found[row].get(name, 0) + number
    return found
