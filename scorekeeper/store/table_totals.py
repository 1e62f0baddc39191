"""A whole evening of which a table says the totals alone, recorded as a match of its own.

It has no round: how many there were, and who sat out, nobody knows. What each got is said by the
table's own word on somebody's points, which counts for those too who would sit out a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import listed, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.play.match import Match

    Tally = tuple[int, ...]  # the seats that share one

WHY = "sum of the evening, no penalty"


def record_totals(match: Match, points: Mapping[str, int]) -> None:
    """Record what everybody at the table got in a match, and its end. Raises Failure for what the
    rules have no room for."""
    tallies = _tallies(match, points)
    _check(match, tallies)
    everybody, seats = len(match.seated), len(match.now.seats)
    texts = [
        f"penalty {match.seated[tally[0]]}: {total} {WHY}"
        for tally, total in tallies.items()
        if total
    ]
    _record(match, texts)
    if match.over and seats < everybody:  # who sits out would have no part in a round that is over
        raise _over()
    if not match.over:
        match.record("end")


def _tallies(match: Match, points: Mapping[str, int]) -> dict[Tally, int]:
    """What each tally gets. Raises Impossible for a side whose players have not the same."""
    now = match.now
    found: dict[Tally, int] = {}
    for seat, name in enumerate(match.seated):
        tally = now.sharing(seat)
        if found.setdefault(tally, points[name]) != points[name]:
            names = listed(now.names_of(tally))
            raise Impossible(tr("{names} are one side, with one tally", names=names))
    return found


def _check(match: Match, tallies: Mapping[Tally, int]) -> None:
    """Raise Impossible for totals that no match comes to."""
    now, rules = match.now, match.ruleset.tally
    total = sum(tallies.values())
    if rules["zero_sum"] and total:
        raise Impossible(tr("scores sum to zero here, and these come to {sum}", sum=f"{total:+}"))
    for (first, *_), points in tallies.items():
        number = now.tally[first] + points
        if not rules["least"] <= number <= rules["most"]:
            raise Impossible(
                tr("the tally ({name}) is from {least} to {most}; {player} would stand at {number}",
                   name=match.ruleset.said(rules["name"]), least=rules["least"],
                   most=rules["most"], player=now.names[first], number=number)
            )  # fmt: skip


def _record(match: Match, texts: Sequence[str]) -> None:
    """Record these entries; one with which the rules end the match comes last. Raises Impossible
    where several would be the last."""
    waiting = [*texts]
    while waiting:
        for text in waiting:
            match.record(text)
            if not match.over or len(waiting) == 1:
                break
            match.undo()
        else:
            raise _over()
        waiting.remove(text)


def _over() -> Impossible:
    return Impossible(
        tr("with these totals the match is over by these rules before they all count"),
        tr("if they played on: {option}", option="--set match.ends=false"),
    )
