"""What became of what was wrong in a round, in words: it reads what is kept of rounds (`faults` of
a summary, as `Remedies.summary` has them).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import changed, listed
from scorekeeper.ruleset.decisions import UNSCORED, VOID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.plain import Json, Summary

DECIDED, LAPSED = "decided", "lapsed"  # what `ended` says of a fault
Place = tuple[int, int, str]


def faults_of(summary: Summary) -> Sequence[Json]:
    """What was wrong in a round, where its rules have remedies."""
    faults: Sequence[Json] = summary.get("faults", ())
    return faults


def latest(summaries: Iterable[Summary]) -> dict[Place, Json]:
    """What was wrong in rounds, as it stands at the last of them, with `during`, the round in which
    that came about: by the round, the entry and the row that answers it."""
    return {
        (fault["round"], fault["entry"], fault["remedy"]): {**fault, "during": summary["round"]}
        for summary in summaries
        for fault in faults_of(summary)
    }


def deed(fault: Json) -> str:
    """What was done, by whom, with the entry: `Ben's 9D (3)`."""
    who, colon, act = fault["text"].partition(": ")
    name = f"{who}'s {act}" if colon and not fault["told"] else fault["text"]
    return f"{name.partition(' !')[0]} ({fault['at']})"


def became(fault: Json) -> str:
    """What became of it, with the paragraph."""
    if fault["ended"] == DECIDED:
        parts = [f"{_claimed(fault)}: {fault['weight']} ({fault['cited']})", *_follows(fault)]
        return "; ".join(parts)
    if fault["ended"] == LAPSED:
        return f"lapsed, nobody claimed it in time ({fault['cite']})"
    if fault["ended"]:
        return "settled: the round is not played"
    if fault["claimed"]:
        return f"{_claimed(fault)}, and to be weighed"
    names = fault["may"]
    each = "each until" if len(names) > 1 else "until"
    return f"{listed(names, 'or')} may claim it, {each} {fault['until']} ({fault['cite']})"


def _claimed(fault: Json) -> str:
    return f"claimed by {listed(fault['claimed'])}"


def _follows(fault: Json) -> Iterator[str]:
    """What followed of a decision."""
    points = changed((line["for"], line["points"]) for line in fault["lines"])
    yield points or "no points"
    if fault["given"]:
        yield "the tricks from it on go to the other side"
    if fault["outcome"] == VOID:
        yield "the round is void"
    elif fault["outcome"] == UNSCORED:
        yield "the round counts, without a score of its own"


def void_by(faults: Iterable[Json], outcome: str = VOID) -> str:
    """What has made a round void, or one without a score: `Ben's 9D (3), serious`; "" if nothing
    of this has."""
    return "; ".join(
        f"{deed(fault)}, {fault['weight']}" for fault in faults if fault["outcome"] == outcome
    )
