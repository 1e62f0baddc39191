"""What was found in a match, for who must rule on it: proven, open, or decided by the table.

Notes on what is allowed are not among it. It is read from what is kept of the rounds, so that
nothing need be played again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark
from scorekeeper.core.rulings import ILLEGAL, LEGAL, NOTE, OPEN, Finding
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import WITHDRAWN, decision_in
from scorekeeper.play.findings import GROUP
from scorekeeper.play.remedied import REMEDY, answer_to, decision_of, faults_of, latest
from scorekeeper.play.unsettled import open_findings, what_settles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.play.remedied import Place
    from scorekeeper.play.reviewed import Told
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.compiled import Ruleset

# What a table decides beside the entries that it is about, by the first word of the entry.
SAID = ("penalty", "foul", "void")
# What codes of such decisions begin with.
BY_TABLE = "decided."
PROVEN = "proven"  # a kind of what was found: nobody has decided about it


class Found(NamedTuple):
    """A finding on an entry, `round` and `number` say where, both from 1; `finding` as JSON has it.

    `decision` is the table's: `stands`, `withdrawn`, or the word of an entry that says it by
    itself; `settled_by` the number of the entry that proved it, if a later one did. `counts`: the
    entry changed the state; `stuck`: nothing counts from it on; `over`: the round is. `entries` are
    all those of the round. `fault`, where the rules have a remedy for it: who may claim it, and
    what became of that (see `Remedies.summary`).
    """

    round: int
    number: int
    entry: str
    finding: Json
    decision: str | None
    settled_by: int | None
    counts: bool
    stuck: bool
    over: bool
    entries: list[str]
    fault: Json | None = None

    @property
    def kind(self) -> str:
        """`proven`, `group`, `open` or `decided`."""
        if self.fault is not None and self.fault["ended"]:
            return "decided"
        if self.finding["verdict"] == OPEN:
            return "group" if self.finding["code"] == GROUP else "open"
        return PROVEN if self.decision is None or self.fault is not None else "decided"

    @property
    def when(self) -> int:
        """The entry with which it was found."""
        return self.settled_by or self.number

    def as_json(self) -> Json:
        """The finding, where it is, and what became of it, as plain values."""
        found = {
            **self.finding,
            "round": self.round,
            "number": self.number,
            "entry": self.entry,
            "decision": self.decision,
            "settled_by": self.settled_by,
        }
        return found if self.fault is None else {**found, "fault": self.fault}


def is_any_in(summary: Summary) -> bool:
    """Whether anything was found or decided in a round of which that is the summary."""
    if summary["decisions"] or summary["penalties"] or summary["fouls"] or faults_of(summary):
        return True
    found: list[tuple[int, Json]] = summary["found"]
    return summary["void"] is not None or any(each["verdict"] != LEGAL for _, each in found)


def found_in(rounds: Iterable[Told], ruleset: Ruleset) -> list[list[Found]]:
    """What was found in rounds, what was found last first; the findings on an entry together."""
    found: list[list[Found]] = []
    wrong: list[Summary] = []
    for told in rounds:
        found.append([*_of_round(told, ruleset)])
        if faults_of(told.summary):
            wrong.append(told.summary)
    if wrong:
        faults = latest(wrong)
        found = [[_answered(each, faults, ruleset) for each in entries] for entries in found]
    return [entry for each in reversed(found) for entry in _last_first(each)]


def _answered(found: Found, faults: Mapping[Place, Json], ruleset: Ruleset) -> Found:
    """The same with what the rules' remedy for it says, and what was decided by that."""
    fault = answer_to(faults, ruleset, found.round, found.number, found.finding["code"])
    if fault is None:
        return found
    decided = decision_of(fault)
    decision = decided if fault["weight"] else found.decision or decided
    return found._replace(fault=fault, decision=decision or None)


def _last_first(found: list[Found]) -> list[list[Found]]:
    entries: dict[int, list[Found]] = {}
    for each in found:
        entries.setdefault(each.number, []).append(each)
    return sorted(entries.values(), key=_latest, reverse=True)


def _latest(found: list[Found]) -> tuple[int, int]:
    return max(each.when for each in found), found[0].number


def _of_round(told: Told, ruleset: Ruleset) -> Iterator[Found]:
    """What was found in one round, and what the table decided in it."""
    entries, summary = told
    findings: dict[int, list[Json]] = {}
    for number, finding in summary["found"]:
        if finding["verdict"] != LEGAL:
            findings.setdefault(number, []).append(finding)
    told_by = {
        each["entry"]: [_told(each).as_json()]
        for each in faults_of(summary)
        if (each["told"] or not findings.get(each["entry"])) and each["round"] == summary["round"]
    }
    for number, text in enumerate(entries, 1):
        counts = number not in summary["ignored"] and not 0 < summary["stuck"] <= number
        found = findings.get(number, [])
        if counts:
            found = [*found, *_by_table(text, found, ruleset), *told_by.get(number, ())]
        for finding in found:
            yield Found(
                summary["round"],
                number,
                text,
                finding,
                _decision(text, finding),
                _settled_by(finding),
                counts,
                number == summary["stuck"],
                summary["over"],
                entries,
            )


def _by_table(text: str, found: Sequence[Json], ruleset: Ruleset) -> Iterator[Json]:
    """What the table said by an entry of its own, or needlessly of another, as a finding; a class
    of penalties has its paragraph."""
    decision = decision_in(text)
    word, _, what = text.partition(" ")
    if word in SAID and decision != WITHDRAWN:
        name = what.partition(": ")[2].partition(" ")[0]
        row = ruleset.data.get("penalties", {}).get(name) if word == "penalty" else None
        cite = str(row.get("cite", "")) if isinstance(row, dict) else ""
        told = Finding(
            f"{BY_TABLE}{word}", LEGAL, mark("the table said so"), {"said": what}, NOTE, cite
        )
        yield told.as_json()
    elif decision and not found:
        say = mark("the table decided about it; nothing is known against it")
        yield Finding(f"{BY_TABLE}{decision}", LEGAL, say, {}, NOTE).as_json()


def _told(fault: Json) -> Finding:
    """What the referee cannot see and somebody has claimed, or could not see when it was decided,
    as a finding."""
    facts = {"who": fault["who"], "text": fault["text"]}
    say = mark("{text}: told, for nobody can see it in what was entered")
    if not fault["told"]:
        say = mark(
            "{text}: claimed and decided before it could be seen whether it was against a rule"
        )
    verdict = LEGAL if fault["ended"] else OPEN
    return Finding(f"{REMEDY}{fault['remedy']}", verdict, say, facts, NOTE, fault["cite"])


def _decision(text: str, finding: Json) -> str | None:
    """What the table decided about an entry on which that was found."""
    code: str = finding["code"]
    if code.startswith(BY_TABLE):
        return code.removeprefix(BY_TABLE)
    is_group = code == GROUP and finding["verdict"] == OPEN
    return None if is_group else decision_in(text) or None


def _settled_by(finding: Json) -> int | None:
    """The number of the later entry that proves what was found, if one did."""
    if finding["verdict"] != ILLEGAL or "evidence" not in finding["facts"]:
        return None
    second = finding["facts"].get("second")
    return second if isinstance(second, int) and second != finding["facts"]["first"] else None


def settling(rnd: Round) -> dict[int, str]:
    """What would settle the findings that are open in a round, in words, by the number of the
    entry."""
    told: dict[int, list[str]] = {}
    for number, finding in open_findings(rnd):
        told.setdefault(number, []).append(what_settles(rnd, finding))
    return {number: "; ".join(dict.fromkeys(texts)) for number, texts in told.items()}
