"""What goes from one round to the next: tallies, who deals, who leads, what is used up."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.messages import tr
from scorekeeper.play.roster import DEALT, ROSTER
from scorekeeper.play.scoring import score
from scorekeeper.ruleset.who import dealt_again

if TYPE_CHECKING:
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Standing
    from scorekeeper.play.round import Round
    from scorekeeper.play.scoring import Score
    from scorekeeper.ruleset.compiled import Ruleset


def first_standing(ruleset: Ruleset, count: int) -> Standing:
    """The standing before the first round: the last-named deals; where nobody does, the
    first-named leads, or whom the ruleset says."""
    tally = [ruleset.numbers.start(count)] * count
    leader = min(max(ruleset.numbers.leader(count), 1), count) - 1
    return {"tally": tally, "dealer": count - 1, "leader": leader, "carry": {}, "over": False}


def apply_score(rnd: Round) -> Score | None:
    """The score of a round that is over, put into its tally; None without one. It may be asked for
    again, when something has joined the round: the tally is first as it was before its score."""
    if rnd.over:
        rnd.tally = (
            [rnd.base_of(seat) for seat in range(len(rnd.names))] if rnd.lines else rnd.base[:]
        )
    scored = score(rnd)
    if rnd.over:
        for phase in rnd.rules.closing:
            phase.closed(rnd)
    if scored is not None:
        rnd.tally = [base + change for base, change in zip(rnd.base, scored[1], strict=True)]
    return scored


def mistakes_of(rnd: Round) -> list[Finding]:
    """What the rules could not say at the end of a round whose score is `apply_score`, put to its
    last entry."""
    if rnd.over:
        try:
            _ends(rnd)
        except ExpressionError as error:
            rnd.misruled(error, tr("so nobody knows whether the match is over"))
    return rnd.flush_remarks() if rnd.remarks else []


def _ends(rnd: Round) -> bool:
    """Whether the match is over with a round whose score is in its tally: that is asked of what
    stands after it, of the tallies and of what else is counted. Raises ExpressionError."""
    rnd.booked = True
    try:
        return bool(rnd.rules.ends.of(rnd))
    finally:
        rnd.booked = False


def next_standing(rnd: Round) -> Standing:
    """What goes from a round, whose score is in its tally (`apply_score`), to the next; what may
    still be decided of it is apart (`aftermath`)."""
    if rnd.unseated and rnd.start.reseated is not None:
        return {**rnd.start.reseated, "over": rnd.ended}
    dealer, leader, moves_on = rnd.next_dealer, rnd.next_leader, {}
    dealt, again = rnd.rules.deal["dealt"], dealer is None and dealt_again(rnd)
    if dealer is None:
        dealer = rnd.dealer
        if dealt and not again:
            dealer, moves_on = (rnd.dealer + 1) % len(rnd.names), {DEALT: rnd.dealer}
    if leader is None and not dealt:
        leader = rnd.leader
    elif leader is None and again and rnd.void and rnd.start.dealer is None:
        leader = rnd.before["leader"]  # who was to lead, not who came to by what was bid
    ends = False
    if rnd.over:
        with suppress(ExpressionError):
            ends = _ends(rnd)
    over = rnd.before["over"] or rnd.ended or ends
    carry = dict(rnd.carry)
    if ROSTER in rnd.before:
        moves_on[ROSTER] = rnd.before[ROSTER]
    standing = {"tally": rnd.tally, "dealer": dealer, "leader": leader, "carry": carry}
    return {**standing, "over": over, **moves_on}
