"""Notes about faults, claims and decisions, and the view of a round's faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import N_, format_changes, join_list, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import View
from scorekeeper.engine.state import Effects
from scorekeeper.notation import WITHDRAWN, find_decision
from scorekeeper.phases.remedies.state import (
    ACTS,
    DEAL,
    LAW,
    NEXT_DEAL,
    SECOND,
    SIDE,
    SPEAKS,
    TAKEN_UP,
    TRICK,
    Remedy,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scorekeeper.core.errors import Impossible
    from scorekeeper.core.types import Facts, Json
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.scoring import Charge
    from scorekeeper.phases.remedies.state import Fault

UNTIL_TEXTS = {
    ACTS: N_("their own next act (such as a card or a call)"),
    SPEAKS: N_("the next act of any player"),
    SIDE: N_("the next act of their side"),
    TRICK: N_("the end of this trick"),
    SECOND: N_("the second card is played"),
    TAKEN_UP: N_("their own first act of the round"),
    DEAL: N_("the end of the round"),
    NEXT_DEAL: N_("their own first act of the next round"),
}


def _facts(rnd: Round, fault: Fault, remedy: Remedy) -> Facts:
    return {
        "round": fault.round or rnd.number,
        "entry": fault.number,
        "text": fault.text,
        "act": fault.act_text,
        "who": rnd.names_of(fault.culprit),
        "may": rnd.names_of(fault.claimants),
        "until": tr(UNTIL_TEXTS[remedy.until]),
    }


def remark_opened(rnd: Round, fault: Fault, remedy: Remedy) -> None:
    """Add a note that a fault may be claimed. It names the players who may claim the fault, the
    time limit, and the entry to type."""
    facts = _facts(rnd, fault, remedy)
    facts["names"] = join_list(rnd.names_of(fault.claimants), "or")
    facts["type"] = (
        f"{rnd.rules.translate_word('claim')} {rnd.names[fault.claimants[0]]}: {fault.reference}"
    )
    one = N_("{names} may claim {act}, until {until}")
    several = N_("{names} may claim {act}, each until {until}")
    rnd.add_note(remedy.code, several if len(fault.claimants) > 1 else one, facts, remedy.cite)


def remark_too_many(rnd: Round, number: int, remedy: Remedy) -> None:
    """Add a note that a fault cannot be claimed because too many faults are open already."""
    facts: Facts = {"act": f"{number} ({rnd.log.entries[number - 1].text})"}
    message = N_(
        "too many faults are open already, so no player can claim {act}, and the table decides"
    )
    rnd.add_note(remedy.code, message, facts, remedy.cite)


def remark_gone_on(
    rnd: Round, fault: Fault, remedy: Remedy, gone: Sequence[int], waived: bool = False
) -> None:
    """Add a note that some players have played on or waived their claim. It names the players who
    may still claim."""
    facts = _facts(rnd, fault, remedy)
    facts["gone"] = rnd.names_of(gone)
    facts["names"] = join_list(rnd.names_of(gone))
    facts["left"] = join_list(rnd.names_of(fault.claimants))
    one = N_("{names} has played on; {left} may still claim {act}")
    several = N_("{names} have played on; {left} may still claim {act}")
    if waived:
        one = N_("{names} has waived the claim; {left} may still claim {act}")
        several = N_("{names} have waived the claim; {left} may still claim {act}")
    say = one if len(gone) == 1 else several
    rnd.add_note(remedy.code, say, facts, remedy.cite)


def remark_nothing_to_waive(rnd: Round, seats: Sequence[int]) -> None:
    """Add a note that these players, or all players, had nothing to claim."""
    names = join_list(rnd.names_of(seats), "or") or tr("any player")
    rnd.add_note(
        "remedies.nothing", N_("there is nothing that {names} may claim"), {"names": names}
    )


def remark_lapsed(rnd: Round, fault: Fault, remedy: Remedy) -> None:
    """Add a note that a fault may no longer be claimed."""
    facts = _facts(rnd, fault, remedy)
    taken_back = N_("{act} can no longer be claimed; it has been withdrawn")
    stands = N_("{act} can no longer be claimed, so it counts")
    say = taken_back if find_decision(fault.text) == WITHDRAWN else stands
    rnd.add_note(remedy.code, say, facts, remedy.cite)


def remark_claimed(
    rnd: Round, fault: Fault, remedy: Remedy, words: Sequence[str], first: Fault
) -> None:
    """Add a note that a fault is claimed, with the possible choices."""
    facts = _facts(rnd, fault, remedy)
    facts["by"] = rnd.names[fault.claimed_by[-1]]
    facts["words"] = list(words)
    translate = rnd.rules.translate_word
    choices = " | ".join(map(translate, words))
    facts["type"] = f"{translate('weigh')} {fault.reference} {choices}"
    message = N_("{by} claims {act}, which must now be decided")
    if first is not fault:
        facts["first"] = first.act_text
        message = N_("{by} claims {act}; {first} happened earlier and must be decided first")
    rnd.add_note(remedy.code, message, facts, remedy.cite)


def remark_pending(rnd: Round, fault: Fault, remedy: Remedy, weight: str, why: Impossible) -> None:
    """Add a note that a fault is claimed, and that the decision depends on something unknown."""
    facts = _facts(rnd, fault, remedy)
    facts["why"], facts["how"] = why.message, why.hint
    spoken, who = rnd.rules.translate_word, rnd.names[fault.claimed_by[-1]]
    by_law = remedy.choice == LAW
    facts["type"] = (
        f"{spoken('claim')} {who}: {fault.reference}"
        if by_law
        else f"{spoken('weigh')} {fault.reference} {spoken(weight)}"
    )
    message = N_("{act} is claimed, but cannot be decided yet: {why}; {how}, then enter: {type}")
    rnd.add_note(remedy.code, message, facts, remedy.cite)


def remark_decided(rnd: Round, fault: Fault, remedy: Remedy, what: str) -> None:
    """Add a note about a decision and its consequences."""
    facts = _facts(rnd, fault, remedy)
    facts["weight"], facts["what"] = fault.weight, what
    rnd.add_note(remedy.code, "{act}: {what}", facts, fault.decision_cite)


def format_points(rnd: Round, charges: Iterable[Charge]) -> str:
    """Return the changes of the tallies as text."""
    return format_changes(("+".join(rnd.names_of(seats)), given) for _, seats, given, _ in charges)


def remark_charged(rnd: Round, charges: Sequence[Charge]) -> None:
    """Add a note that states the amount of a penalty, which was unknown until now."""
    code, _, _, cite = charges[0]
    facts: Facts = {"points": format_points(rnd, charges)}
    rnd.add_note(code, N_("the amount of the penalty is now known: {points}"), facts, cite)


def remark_changed(rnd: Round, charges: Sequence[Charge], who: str) -> None:
    """Add a note that a penalty changes because a player is not on the assumed side."""
    code, _, _, cite = charges[0]
    facts: Facts = {"points": format_points(rnd, charges), "who": who}
    message = N_("{who} is not on the assumed side, so the penalty changes: {points}")
    rnd.add_note(code, message, facts, cite)


def remark_moot(rnd: Round, fault: Fault, remedy: Remedy) -> None:
    """Add a note that a fault has no consequence because the round is void."""
    facts = _facts(rnd, fault, remedy)
    rnd.add_note(
        remedy.code, N_("{act} has no consequence, because the round is void"), facts, remedy.cite
    )


def remark_provisional(rnd: Round, faults: Sequence[Fault]) -> None:
    """Add a note that the score of a finished round may still change."""
    may = sorted({seat for fault in faults for seat in fault.claimants})
    facts: Facts = {
        "acts": [fault.act_text for fault in faults],
        "may": rnd.names_of(may),
        "names": join_list(rnd.names_of(may), "or") or tr("the judge"),
        "told": join_list([fault.act_text for fault in faults if not fault.claimed_by]),
        "claimed": join_list([fault.act_text for fault in faults if fault.claimed_by]),
    }
    still = []
    if facts["claimed"]:
        still.append(tr("{acts} must still be decided", acts=facts["claimed"]))
    if facts["told"]:
        message = tr(
            "{acts} may still be claimed until the claimants have played on in the next "
            "round or the match ends",
            acts=facts["told"],
        )
        still.append(message)
    facts["still"] = "; ".join(still)
    rnd.add_note("remedies.provisional", N_("the score is provisional: {still}"), facts)


def remark_earlier(rnd: Round, fault: Fault, remedy: Remedy, thrown_in: bool) -> None:
    """Add a note about a decision on a fault in the previous round."""
    facts = _facts(rnd, fault, remedy)
    facts["weight"], facts["said"] = fault.weight, rnd.rules.translate_word(fault.weight)
    message = N_(
        "{act} is decided ({said}); the change to the score of round {round} is entered in this "
        "round"
    )
    if thrown_in:
        message = N_(
            "{act} is decided ({said}); the change to the score of round {round} is entered in "
            "this round, which is void"
        )
    rnd.add_note(remedy.code, message, facts, remedy.cite)


# --- view


class FaultFacts(NamedTuple):
    """A fault and its outcome.

    `round` and `entry` are the numbers of the round and the entry, `at` is the reference as a user
    types it, and `text` is the text of the entry. `told` is true if the table reported the fault.
    `who` are the culprits, and `remedy` is the row that applies. `may` are the players who may
    claim the fault until the moment `until`, and `claimed` are the players who have claimed it.
    `choice` is the party that chooses the consequence. `ended` is the outcome, "" while the fault
    is open. `weight` is the word chosen for the consequence. `by` is the number of the entry that
    decided the fault (0 if none), and `cited` is the paragraph on which the decision is based.
    `lines` are the resulting charges; `waits` is true if the amount of a charge is still unknown.
    `outcome` is the effect on the round ("" if it continued). `given` is true if the other side
    received all tricks that were still to be won. `voids` is true if the fault happened in the
    previous round and makes that round void.
    """

    round: int
    entry: int
    at: str
    text: str
    told: bool
    who: list[str]
    remedy: str
    cite: str
    may: list[str]
    until: str
    claimed: list[str]
    choice: str
    ended: str
    weight: str
    by: int
    cited: str
    lines: list[Json]
    waits: bool
    outcome: str
    given: bool
    voids: bool


class RemediesView(View["Sequence[FaultFacts] | None"]):
    """The faults of a round as JSON, or None before the phase has begun.

    `words` takes a position in the list of faults and returns the choices for that fault. It
    replays the round, so only `open_faults` calls it.
    """

    __slots__ = ("_words",)

    def __init__(
        self, facts: Sequence[FaultFacts] | None, words: Callable[[int], list[str]]
    ) -> None:
        super().__init__(facts)
        self._words = words

    def as_json(self) -> Json:
        return {} if self.facts is None else {"faults": self.open_faults()}

    def summary(self) -> Json:
        return {"faults": self.all_faults()}

    def open_faults(self) -> list[Json]:
        """Return the faults that may still be claimed or decided, with the words of the choices."""
        return [
            {
                "round": fault.round,
                "entry": fault.entry,
                "at": fault.at,
                "text": fault.text,
                "who": fault.who,
                "remedy": fault.remedy,
                "cite": fault.cite,
                "may": fault.may,
                "until": fault.until,
                "claimed": fault.claimed,
                "choice": fault.choice,
                "words": self._words(at),
            }
            for at, fault in enumerate(self.facts or ())
            if not fault.ended
        ]

    def all_faults(self) -> list[Json]:
        """Return all faults with their outcomes."""
        return [
            {
                "round": fault.round,
                "entry": fault.entry,
                "at": fault.at,
                "text": fault.text,
                "told": fault.told,
                "who": fault.who,
                "remedy": fault.remedy,
                "cite": fault.cite,
                "may": fault.may,
                "until": fault.until,
                "claimed": fault.claimed,
                "ended": fault.ended,
                "weight": fault.weight,
                "by": fault.by or None,
                "cited": fault.cited,
                "lines": fault.lines,
                "waits": fault.waits,
                "outcome": fault.outcome,
                "given": fault.given,
                "voids": fault.voids,
            }
            for fault in self.facts or ()
        ]


def read_fault(rnd: Round, fault: Fault, remedy: Remedy, faults: Iterable[Fault]) -> FaultFacts:
    """Return the facts about a fault. `faults` are all faults of the same round."""
    effects = rnd.decisions.effects.get(fault.decided_by, Effects())
    return FaultFacts(
        round=fault.round or rnd.number,
        entry=fault.number,
        at=fault.reference,
        text=fault.text,
        told=fault.is_reported,
        who=rnd.names_of(fault.culprit),
        remedy=remedy.name,
        cite=remedy.cite,
        may=rnd.names_of(fault.claimants),
        until=UNTIL_TEXTS[remedy.until],
        claimed=rnd.names_of(fault.claimed_by),
        choice=remedy.choice,
        ended=fault.ended,
        weight=fault.weight,
        by=fault.decided_by,
        cited=fault.decision_cite,
        lines=[
            {"code": code, "for": "+".join(rnd.names_of(seats)), "points": given, "cite": cite}
            for code, seats, given, cite in _charges_of(rnd, effects, faults)
        ],
        waits=effects.due in rnd.decisions.due,
        outcome=effects.outcome if effects.ends else "",
        given=effects.rest_to >= 0,
        voids=bool(fault.ended) and fault.weight in fault.voiding_words,
    )


def _charges_of(rnd: Round, effects: Effects, faults: Iterable[Fault]) -> list[Charge]:
    """Return the charges of a decision, including those added when an amount became known or
    changed."""
    all_effects, own = rnd.decisions.effects, {each.decided_by for each in faults}
    charges = list(effects.charges)
    if not (effects.due or effects.assumed):
        return charges
    charges += [line for at, each in all_effects.items() if at not in own for line in each.charges]
    points = dict.fromkeys(((code, seats, cite) for code, seats, _, cite in charges), 0)
    for code, seats, given, cite in charges:
        points[code, seats, cite] += given
    return [(code, seats, given, cite) for (code, seats, cite), given in points.items()]
