"""The result of one match for its players: rounds, points, places and winners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple
from scorekeeper.match.summary import players_of_line
from scorekeeper.ruleset.reports import LAST, STANDS

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.summary import Counts
    from scorekeeper.match.view import MatchView


class MatchResult(NamedTuple):
    """The result of a match for the players who took part in it. Values are keyed by name.

    Players took part if they played a finished round, or were eliminated before the first round. As
    long as no round is finished, all players count as taking part. `rounds` is the number of
    finished rounds in which each player took part. Of these, `scored_rounds` have a score and are
    not void, and `round_points` is the total of their tally changes.

    `points` are the total tally changes made by rounds, for all players who have ever been at the
    table. They include penalties in rounds that are unfinished or have no score. They exclude
    tallies that were set by hand. `places` are the places of the players at the table at the end,
    from 1 for the best. They are empty while the match is undecided. `winners` is empty if all
    players tie. `outcomes` are all finished rounds, each with its summary.
    """

    outcomes: Sequence[tuple[Summary, RoundOutcome]]
    rounds: Mapping[str, int]
    scored_rounds: Mapping[str, int]
    round_points: Mapping[str, int]
    points: Mapping[str, int]
    places: Mapping[str, int]
    winners: Collection[str]


def match_result(match: MatchView, summaries: Sequence[Summary]) -> MatchResult:
    """Return the result of a match. `summaries` are the summaries of its rounds."""
    rules, everybody = match.ruleset, match.players
    rounds, scored, made, points = (dict.fromkeys(everybody, 0) for _ in range(4))
    out, out_at = set(), rules.eliminated_at
    outcomes = [(each, outcome_of(each)) for each in summaries if each["over"]]
    for summary in summaries:
        for name, change in _changes(match, summary, last=summary is summaries[-1]).items():
            points[name] += change
    for summary, outcome in outcomes:
        changes = outcome.changes if outcome.scored else None
        for name in outcome.present:
            rounds[name] += 1
            if changes is not None:
                scored[name] += 1
                made[name] += changes[name]
        if len(outcome.present) < len(summary["before"]):
            out |= {name for name, tally in summary["before"].items() if tally <= out_at}
    took_part = {n: many for n, many in rounds.items() if many or not outcomes or n in out}
    return MatchResult(
        outcomes, took_part, scored, made, points, *_decide(match, summaries, took_part)
    )


def _changes(match: MatchView, summary: Summary, *, last: bool) -> Mapping[str, int]:
    """Return the tally changes in a round."""
    tallies = summary["tally"] or (match.scores if last else None)
    if tallies is not None:
        return {name: tallies[name] - before for name, before in summary["before"].items()}
    changes = dict.fromkeys(summary["before"], 0)
    # an unfinished round before the last one may still have penalty lines
    for line in summary["lines"]:
        for name in players_of_line(match.ruleset, summary, line):
            changes[name] = changes.get(name, 0) + int(line["points"])
    return changes


# --- outcome of a finished round


class RoundOutcome(NamedTuple):
    """The outcome of a finished round.

    `present` lists the players who neither sat out nor were eliminated. `won` and `lost` follow the
    ruleset's `[history]`. `is_decided` is true if the winner is known, or if it is known that there
    is none.

    `changes` are the tally changes of all players at the table, or None if the round has no score.
    Events between rounds belong to the next round. Tallies that were set by hand are never
    included. A void round has no winners, changes tallies only by penalties, and may be dealt
    again. `has_details` is true if the round is not void and more than its score is known.
    """

    present: Sequence[str]
    changes: Mapping[str, int] | None
    is_void: bool
    has_details: bool
    won: Collection[str]
    lost: Collection[str]
    is_decided: bool

    @property
    def scored(self) -> bool:
        """True if the round counts in averages."""
        return self.changes is not None and not self.is_void

    def sign(self, name: str) -> int:
        """Return 1 if the player won the round, -1 if they lost it, else 0."""
        return 1 if name in self.won else -1 if name in self.lost else 0


def outcome_of(summary: Summary) -> RoundOutcome:
    """Return the outcome of a finished round from its summary."""
    void = summary["annulled"]
    return RoundOutcome(
        summary["present"],
        summary["changes"],
        void,
        not (void or summary["unscored"]),
        summary["won"],
        summary["lost"],
        summary["decided"],
    )


# --- places and elimination


def _decide(
    match: MatchView, summaries: Sequence[Summary], among: Container[str]
) -> tuple[dict[str, int], Sequence[str]]:
    """Return the places of the players who took part, and the winners.

    Both are empty if the match has no result.
    """
    if not is_decided(match, summaries):
        return {}, ()
    by_name = places(match, summaries, among)
    if len(by_name) == len(match.seated_players):
        return by_name, match.current_winners
    # The other players joined later and have not played, so compare only the players who took part.
    scores, rules = match.scores, match.ruleset
    if rules.match["wins"] == LAST:
        best = [name for name in by_name if not rules.is_eliminated(scores[name])]
        return by_name, best if len(best) == 1 else []
    best = [name for name, place in by_name.items() if place == 1]
    return by_name, best if len(best) < len(by_name) else []


def is_decided(match: MatchView, summaries: Iterable[Summary] | None = None) -> bool:
    """Return whether a match has places.

    A finished match has places. A match in progress has them if a round is finished and the ruleset
    allows a table to stop at any time (`[history] stopped`).
    """
    if match.over:
        return True
    may_stop = match.ruleset.history.stopped == STANDS
    return may_stop and any(summary["over"] for summary in summaries or match.summaries())


def places(
    match: MatchView,
    summaries: Iterable[Summary] | None = None,
    among: Container[str] | None = None,
) -> dict[str, int]:
    """Return the current place of each player at the table, from 1 for the best.

    If `among` is given, only these players are ranked. Players who tie share a place, and the
    places that they would otherwise take are skipped. A side with a shared tally has one place, so
    the worse of two sides is always second. If the last remaining player wins the game, a player
    who is eliminated later has a better place.
    """
    seated, rules = match.seated_players, match.ruleset
    wins = rules.match["wins"]
    preferred = [name in match.preferred for name in seated]
    if wins == LAST:
        eliminated, scores = elimination_order(match, summaries), match.scores
        ranks = [eliminated.get(name, 0) or len(eliminated) + 1 for name in seated]
        worth = list(zip(preferred, ranks, [scores[name] for name in seated], strict=True))
    else:
        sign = -1 if wins == "fewest" else 1
        numbers = [sign * number for number in match.tally]
        worth = [(is_first, number, 0) for is_first, number in zip(preferred, numbers, strict=True)]
    shared = has_shared_tallies(rules)
    placed = [
        (name, worth[seat], rules.side_of(seat, len(seated)) if shared else seat)
        for seat, name in enumerate(seated)
        if among is None or name in among
    ]
    return {
        name: 1 + len({side for _, other, side in placed if other > mine})
        for name, mine, _ in placed
    }


def elimination_order(
    match: MatchView, summaries: Iterable[Summary] | None = None
) -> dict[str, int]:
    """Return the eliminated players with their rank in the order of elimination, from 1.

    Players eliminated in the same round share a rank.
    """
    rules = match.ruleset
    since = {name: 0 for name, tally in match.scores.items() if rules.is_eliminated(tally)}
    for number, summary in enumerate(summaries or match.summaries(), 1) if since else ():
        for name, tally in summary["before"].items():
            if name in since and not rules.is_eliminated(tally):
                since[name] = number
    return {name: 1 + sum(other < mine for other in since.values()) for name, mine in since.items()}


def has_shared_tallies(rules: Ruleset) -> bool:
    """Return whether the seating forms sides that share a tally."""
    return bool(rules.sides["number"] and rules.sides["shared"])


def sum_counts(rules: Ruleset, summaries: Iterable[Summary]) -> dict[str, Counts]:
    """Return the total of each row of `[statistics]` over these rounds, by player."""
    sums: dict[str, Counts] = {row.name: {} for row in rules.sheet.statistics}
    for summary in summaries:
        for row, numbers in summary["counts"].items():
            for name, number in numbers.items():
                sums[row][name] = sums[row].get(name, 0) + number
    return sums
