"""What one match came to for those who took part: rounds, points, places, who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple
from scorekeeper.match.summary import scored_by
from scorekeeper.ruleset.reports import LAST, STANDS

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.summary import Counts
    from scorekeeper.match.view import MatchView


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


def came_to(match: MatchView, summaries: Sequence[Summary]) -> Result:
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
    return Result(outcomes, took_part, scored, made, points, *_decided(match, summaries, took_part))


def _changes(match: MatchView, summary: Summary, *, last: bool) -> Mapping[str, int]:
    """What a round changed on the sheet."""
    stands = summary["tally"] or (match.scores if last else None)
    if stands is not None:
        return {name: stands[name] - stood for name, stood in summary["before"].items()}
    changes = dict.fromkeys(summary["before"], 0)
    for line in summary["lines"]:  # of a round that goes on although another followed: penalties
        for name in scored_by(match.ruleset, summary, line):
            changes[name] = changes.get(name, 0) + int(line["points"])
    return changes


# --- what one finished round came to, by its summary alone


class Outcome(NamedTuple):
    """A finished round: who took part (`present`: they sat there, did not sit out, and were not
    out of the match), and who won and who lost it, as the ruleset's `[history]` says; `decided`: it
    is known who won it, if anybody did.

    `changes` are what it changed on the sheet, for everybody who sat there: what happened between
    rounds counts in the round that it opened, what was set by hand in none. None: the round has
    no score. A `void` round counts for nothing (it may be dealt again): it has no winners, and no
    changes but those of penalties. `told`: what happened in it counts, and more of it than its
    score is known.
    """

    present: Sequence[str]
    changes: Mapping[str, int] | None
    void: bool
    told: bool
    won: Collection[str]
    lost: Collection[str]
    decided: bool

    @property
    def scored(self) -> bool:
        """Whether the round counts in averages."""
        return self.changes is not None and not self.void

    def sign(self, name: str) -> int:
        """1 for who won the round, -1 for who lost it, else 0."""
        return 1 if name in self.won else -1 if name in self.lost else 0


def outcome_of(summary: Summary) -> Outcome:
    """What a round that is over came to."""
    void = summary["annulled"]
    return Outcome(
        summary["present"],
        summary["changes"],
        void,
        not (void or summary["unscored"]),
        summary["won"],
        summary["lost"],
        summary["decided"],
    )


# --- places, and who went out when


def _decided(
    match: MatchView, summaries: Sequence[Summary], among: Container[str]
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


def is_decided(match: MatchView, summaries: Iterable[Summary] | None = None) -> bool:
    """Whether a match has places: it is over, or a round was finished and the ruleset says that
    what stands when the table stops is the result (`[history] stopped`)."""
    if match.over:
        return True
    stands = match.ruleset.history.stopped == STANDS
    return stands and any(summary["over"] for summary in summaries or match.summaries())


def places(
    match: MatchView,
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


def went_out(match: MatchView, summaries: Iterable[Summary] | None = None) -> dict[str, int]:
    """Who is out of the match, each with their place in the order of going out, from 1; players
    who went out in the same round share one."""
    rules = match.ruleset
    since = {name: 0 for name, tally in match.scores.items() if rules.is_out(tally)}
    for number, summary in enumerate(summaries or match.summaries(), 1) if since else ():
        for name, tally in summary["before"].items():
            if name in since and not rules.is_out(tally):
                since[name] = number
    return {name: 1 + sum(other < mine for other in since.values()) for name, mine in since.items()}


def shares(rules: Ruleset) -> bool:
    """Whether the seating makes sides that have one tally each."""
    return bool(rules.sides["number"] and rules.sides["shared"])


def counts(rules: Ruleset, summaries: Iterable[Summary]) -> dict[str, Counts]:
    """What each row of `[statistics]` counts in these rounds, by player."""
    found: dict[str, Counts] = {row.name: {} for row in rules.sheet.statistics}
    for summary in summaries:
        for row, counted in summary["counts"].items():
            for name, number in counted.items():
                found[row][name] = found[row].get(name, 0) + number
    return found
