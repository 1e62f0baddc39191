"""What is told of faults, windows and decisions. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed, of_several
from scorekeeper.phases.remedies.rows import (
    ACTS,
    DEAL,
    NEXT_DEAL,
    SECOND,
    SIDE,
    SPEAKS,
    TAKEN_UP,
    TRICK,
    Remedy,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.plain import Facts, Json
    from scorekeeper.phases.remedies.state import Fault
    from scorekeeper.ruleset.decisions import Effects
    from scorekeeper.ruleset.joint import Joint

UNTIL = {
    ACTS: "their own next act (a card, a call, a word)",
    SPEAKS: "the next act of anybody",
    SIDE: "the next act of their side",
    TRICK: "the end of this trick",
    SECOND: "the second card lies",
    TAKEN_UP: "their own first act of the round",
    DEAL: "the end of the round",
    NEXT_DEAL: "their own first act of the next round",
}


def act(rnd: Joint, fault: Fault) -> str:
    """The entry that was wrong, with its number."""
    entries = rnd.entries()
    text = entries[fault.number - 1].text if fault.number <= len(entries) else ""
    return f"{fault.number} ({text})"


def _facts(rnd: Joint, fault: Fault, remedy: Remedy) -> Facts:
    return {
        "entry": fault.number,
        "text": rnd.entries()[fault.number - 1].text,
        "act": act(rnd, fault),
        "who": rnd.names_of(fault.culprit),
        "may": rnd.names_of(fault.may),
        "until": UNTIL[remedy.until],
    }


def opened(rnd: Joint, fault: Fault, remedy: Remedy) -> None:
    """Tell that a window has opened: who may claim it, until when, and what is typed."""
    facts = _facts(rnd, fault, remedy)
    facts["names"] = listed(rnd.names_of(fault.may), "or")
    facts["type"] = f"claim {rnd.names[fault.may[0]]}: {fault.number}"
    each = "each until" if len(fault.may) > 1 else "until"
    say = f"{{names}} may claim {{act}}, {each} {{until}}"
    rnd.remark(remedy.code, say, facts, remedy.cite)


def gone_on(rnd: Joint, fault: Fault, remedy: Remedy, gone: Sequence[int]) -> None:
    """Tell that some have gone on, and who may still claim."""
    facts = _facts(rnd, fault, remedy)
    facts["gone"] = rnd.names_of(gone)
    facts["names"] = of_several(rnd.names_of(gone), "has", "have")
    facts["left"] = listed(rnd.names_of(fault.may))
    say = "{names} gone on: {left} may still claim {act}"
    rnd.remark(remedy.code, say, facts, remedy.cite)


def lapsed(rnd: Joint, fault: Fault, remedy: Remedy) -> None:
    """Tell that nobody may claim something any more."""
    facts = _facts(rnd, fault, remedy)
    entry = rnd.entries()[fault.number - 1]
    facts["so"] = "was taken back" if entry.withdrawn else "stands"
    rnd.remark(remedy.code, "lapsed: nobody may claim {act} any more; it {so}", facts, remedy.cite)


def claimed(rnd: Joint, fault: Fault, remedy: Remedy, words: Sequence[str], first: Fault) -> None:
    """Tell that something is claimed, and who chooses what follows."""
    facts = _facts(rnd, fault, remedy)
    facts["by"] = rnd.names[fault.claims[-1][0]]
    facts["words"] = list(words)
    facts["type"] = f"weigh {fault.number} {' | '.join(words)}"
    say = "{by} claims {act}: it is to be weighed"
    if first is not fault:
        facts["first"] = act(rnd, first)
        say = "{by} claims {act}; {first} comes before it"
    rnd.remark(remedy.code, say, facts, remedy.cite)


def decided(rnd: Joint, fault: Fault, remedy: Remedy, what: str, cite: str) -> None:
    """Tell what has been decided, and what follows of it."""
    facts = _facts(rnd, fault, remedy)
    facts["weight"], facts["what"] = fault.weight, what
    rnd.remark(remedy.code, "{act}: {what}", facts, cite or remedy.cite)


def moot(rnd: Joint, fault: Fault, remedy: Remedy) -> None:
    """Tell that nothing follows of something, for the round is void."""
    facts = _facts(rnd, fault, remedy)
    rnd.remark(remedy.code, "{act} is settled: the round is not played", facts, remedy.cite)


def described(rnd: Joint, fault: Fault, remedy: Remedy, words: Sequence[str]) -> Json:
    """A fault that may still be claimed or weighed, as plain values."""
    return {
        "round": rnd.number,
        "entry": fault.number,
        "text": rnd.entries()[fault.number - 1].text,
        "who": rnd.names_of(fault.culprit),
        "remedy": remedy.name,
        "cite": remedy.cite,
        "may": rnd.names_of(fault.may),
        "until": UNTIL[remedy.until],
        "claimed": [rnd.names[seat] for seat, _ in fault.claims],
        "choice": remedy.choice,
        "words": list(words),
    }


def kept(
    rnd: Joint, fault: Fault, remedy: Remedy, effects: Effects | None, cite: str
) -> Json:
    """A fault and what became of it, as plain values: what is kept of a round. `by` is the entry
    that decided it, with the paragraph `cited`; `lines` are the points it brought, `outcome` what
    became of the round by it; `given`: all that was out went to the other side."""
    decided = effects is not None
    return {
        "entry": fault.number,
        "text": rnd.entries()[fault.number - 1].text,
        "told": fault.told,
        "who": rnd.names_of(fault.culprit),
        "remedy": remedy.name,
        "cite": remedy.cite,
        "may": rnd.names_of(fault.may),
        "until": UNTIL[remedy.until],
        "claimed": [rnd.names[seat] for seat, _ in fault.claims],
        "gone": {rnd.names[seat]: number for seat, number in fault.gone.items()},
        "ended": fault.ended,
        "weight": fault.weight,
        "by": fault.by,
        "cited": cite or remedy.cite if decided else "",
        "lines": [
            {"code": code, "for": "+".join(rnd.names_of(seats)), "points": points, "cite": source}
            for code, seats, points, source in (effects.charges if effects is not None else ())
        ],
        "outcome": effects.outcome if effects is not None and effects.ends else "",
        "given": effects is not None and effects.rest >= 0,
    }
