"""Who may claim, and what is weighed first. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import listed, mark, tr
from scorekeeper.phases.remedies.course import BARRED, WAIVE, WEIGH, WORD, Remedies
from scorekeeper.phases.remedies.rows import DEAL, OPPONENTS, SECOND, TRICK
from scorekeeper.phases.remedies.state import LAPSED
from scorekeeper.phases.remedies.telling import UNTIL
from scorekeeper.ruleset.penalties import by_the_table
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.remedies.rows import Remedy
    from scorekeeper.phases.remedies.state import Fault
    from scorekeeper.phases.remedies.syntax import Claim
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

# What is told too late.
LATE = mark(
    "{who} may not claim that: {why}; by the rules nothing follows now, the table decides: {how}"
)


@clause(
    WORD,
    "remedies",
    on=("claim",),
    say=mark("{who} may not claim that: {why}"),
    doc="Who claims something may still do so, and it was wrong, or may have been.",
)
def _entitled(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Remedies)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        seat, claim = entry.value
        try:
            fault = phase.claims.fault_of(rnd, seat, claim, len(rnd.entries()) + 1)
        except Impossible as failure:
            if claim.at is not None and (claim.at.round or claim.at.number > len(rnd.entries())):
                raise
            return Breach({"who": rnd.names[seat], "why": failure.message})
        why = _why_not(rnd, seat, fault, phase.remedies[fault.remedy])
        if why and fault.told and seat in fault.gone:
            return Breach({"who": rnd.names[seat], "why": why, "how": by_the_table(rules)}, LATE)
        return Breach({"who": rnd.names[seat], "why": why}) if why else None

    return judge


def _why_not(rnd: Joint, seat: int, fault: Fault, remedy: Remedy) -> str:
    """Why somebody may not claim a fault ("": they may)."""
    if fault.ended == LAPSED and seat in fault.gone:
        return _gone(rnd, fault, seat, remedy)
    if fault.ended:
        what = f" ({fault.weight})" if fault.weight else ""
        return tr("{act} has been settled{what}", act=fault.act, what=what)
    if seat not in fault.asked:
        if seat not in rnd.seats:
            return tr("they sit out this round")
        if seat in fault.culprit:
            return tr("they did it themselves")
        if OPPONENTS in (remedy.who.first, remedy.who.other):
            return tr("the sides are clear, and they are on that side")
        return tr("only {names} may", names=listed(rnd.names_of(fault.asked), "or"))
    return _gone(rnd, fault, seat, remedy) if seat in fault.gone else ""


def _gone(rnd: Joint, fault: Fault, seat: int, remedy: Remedy) -> str:
    """Why the window is closed for somebody for whom it was open."""
    number = fault.gone[seat]
    if not number:
        return tr("they went on in round {round}", round=fault.round)
    entry = rnd.entries()[number - 1]
    own = seat in rnd.actors(number) and remedy.until not in (SECOND, TRICK, DEAL)
    until = ""
    if entry.verb.word == WAIVE:
        say = mark("they have waived it ({number}, {text})")
    elif own or fault.round:
        say = mark("they have gone on since ({number}, {text})")
    elif rnd.ended:
        say = mark("the match is over ({number}, {text})")
    else:
        say = mark("it could be claimed until {until} ({number}, {text})")
        until = tr(UNTIL[remedy.until])
    return tr(say, number=number, text=entry.text, until=until)


@clause(
    "in-order",
    "remedies",
    on=("claim", "weigh"),
    say=mark("{first} was done first and is weighed first"),
    doc="Of what is claimed and not weighed yet, the one that was done first is weighed first.",
)
def _in_order(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Remedies)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        claim: Claim = entry.value if entry.word == WEIGH else entry.value[1]
        waiting, at = rnd.state(phase).waiting(), claim.at
        if not waiting or at is None or not claim.weight:
            return None
        first = waiting[0]
        asked = (at.number, at.round if at.round != rnd.number else 0)
        if entry.word == WEIGH and asked not in [(each.number, each.round) for each in waiting]:
            return None  # it cannot be weighed at all
        if asked == (first.number, first.round) or (not asked[1] and asked[0] < first.number):
            return None
        return Breach({"first": first.act})

    return judge


@clause(
    BARRED,
    "remedies",
    say=mark("{who} may not say that any more in this round: it was lost by what was wrong"),
    doc="Who has lost a say by a consequence (`bars`) does not use it; `on` names such verbs.",
)
def _barred_verb(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Remedies)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        barred = rnd.state(phase).barred.get(-1 if entry.seat is None else entry.seat, ())
        return Breach({}) if entry.word in barred else None

    return judge
