"""Remedies across rounds: the cost of each choice, and the history of faults as text.

An open case is a fault on which the table has not decided yet. The cost of a choice is computed by
trying the choice on a copy of the round. The open cases of a finished round are passed to the next
round as part of the standing (see `standing_after`). The history of faults is read from `faults` in
the round summaries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible
from scorekeeper.core.messages import format_changes, join_list, plural, tr
from scorekeeper.engine.scoring import apply_score, next_standing
from scorekeeper.engine.state import COUNTS, LOST, UNSCORED, VOID
from scorekeeper.notation import Notation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Standing, Summary
    from scorekeeper.engine.phase import Law
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Entry

    WordTranslator = Callable[[str], str]

OPEN = "open"  # the key in a standing for the open cases of the previous round
DECIDED, LAPSED = "decided", "lapsed"  # values of the key `ended` of a fault
REMEDY_PREFIX = "remedies."  # the prefix of finding codes
FaultKey = tuple[int, int, str]


# --- open cases and the cost of each choice


def standing_after(rnd: Round) -> Standing:
    """Return the carry-over state after a round, including its open cases.

    Call `apply_score` first. Each open case lists, for every choice, the standing to which the
    choice would lead.
    """
    standing = next_standing(rnd)
    law = rnd.rules.watching_law
    if law is None or not rnd.over:
        return standing
    if rnd.decisions.open_afterwards[0] != len(rnd.log):
        rnd.decisions.open_afterwards = (len(rnd.log), _list_open_cases(rnd, law))
    left = rnd.decisions.open_afterwards[1]
    if not left:
        return standing
    carried = {**standing["carry"].get(law.name, {}), OPEN: left}
    return {**standing, "carry": {**standing["carry"], law.name: carried}}


def _list_open_cases(rnd: Round, law: Law) -> list[Json]:
    """Return the open cases of a finished round.

    Each case contains the standing after every choice, and lists the choices that would make the
    round void.
    """
    cases: list[Json] = []
    for left in law.open_decisions(rnd):
        choices: Json = {}
        voids: list[str] = []
        for word, after in _try_choices(rnd, left, left.pop("words")):
            if isinstance(after, Failure):
                continue  # the choice depends on unseen cards, and remains impossible later
            choices[word] = next_standing(after)
            if after.void:
                voids.append(word)
        cases.append({**left, "choices": choices, "voids": voids})
    return cases


def _try_choices(
    rnd: Round, left: Json, words: Sequence[str]
) -> Iterator[tuple[str, Round | Failure]]:
    """Yield each choice in an open case with the resulting round.

    If a choice is impossible, yield the error instead of the round.
    """
    notation = Notation(rnd.rules.lexicon, rnd.names)
    for word in words:
        spoken = notation.write_word(word) if len(words) > 1 else ""
        after: Round | Failure
        try:
            after = try_entry(rnd, notation.read(_entry_text(rnd.names, left, spoken)))
        except Failure as failure:
            after = failure
        yield word, after


def add_costs(rnd: Round, faults: Sequence[Json]) -> list[Json]:
    """Return the faults with the cost of each choice.

    `choices` maps the word of a choice to the tally change of each player. `ends` lists the choices
    that end the round. Some choices change whether the round counts. `outcomes` maps these to
    `counts`, `void` or `unscored`. `waits` maps a choice to the reason why its cost cannot be
    computed yet.
    """
    return [_add_costs(rnd, fault) for fault in faults]


def _add_costs(rnd: Round, fault: Json) -> Json:
    """Return a fault with the cost of each choice."""
    choices: dict[str, dict[str, int]] = {}
    waits: dict[str, str] = {}
    outcomes: dict[str, str] = {}
    ends: list[str] = []
    seat_of = rnd.names.index
    left = {
        "number": fault["at"],
        "may": list(map(seat_of, fault["may"])),
        "claims": list(map(seat_of, fault["claimed"])),
    }
    for word, after in _try_choices(rnd, left, fault["words"]):
        if isinstance(after, Failure):
            waits[word] = str(after)
            continue
        if len(after.decisions.due) > len(rnd.decisions.due):
            names = join_list(rnd.names_of(each.seat for each in after.decisions.due))
            waits[word] = tr(
                "the amount is unknown until the side of {names} is known", names=names
            )
        else:
            choices[word] = _changes(rnd, after)
        if after.over and not rnd.over:
            ends.append(word)
        if word in ends or (after.void, after.unscored) != (rnd.void, rnd.unscored):
            outcomes[word] = VOID if after.void else UNSCORED if after.unscored else COUNTS
    result = {key: value for key, value in fault.items() if key != "words"}
    result |= {"choices": choices, "ends": ends, "outcomes": outcomes, "waits": waits}
    return result


def _changes(rnd: Round, after: Round) -> dict[str, int]:
    """Return the tally changes between two states of a round, by name."""
    seats = [seat for seat in rnd.seats if after.seating.tally[seat] != rnd.seating.tally[seat]]
    return {rnd.names[seat]: after.seating.tally[seat] - rnd.seating.tally[seat] for seat in seats}


def _entry_text(names: Sequence[str], left: Json, word: str) -> str:
    """Return the entry that makes a choice. `word` is "" if there is only one choice."""
    number = left["number"]
    if left["claims"]:
        return f"weigh {number} {word}"
    return f"claim {names[left['may'][0]]}: {number} {word}".rstrip()


def try_entry(rnd: Round, entry: Entry) -> Round:
    """Return the round after the given entry, with its score added to the tally.

    Raises Impossible if the entry does not decide anything yet.
    """
    after = rnd.copy()
    after.apply(entry, [])
    if len(after.decisions.effects) == len(rnd.decisions.effects):
        raise Impossible(after.log.last_findings[-1].reason)
    apply_score(after)
    return after


# --- history of faults


def faults_of(summary: Summary) -> Sequence[Json]:
    """Return the faults in a round summary. The list is empty if the ruleset has no remedies."""
    faults: Sequence[Json] = summary.get("faults", ())
    return faults


def faults_in(rnd: Round) -> list[Json]:
    """Return the faults of a round in its current state."""
    law = rnd.rules.watching_law
    return [] if law is None else law.all_faults(rnd)


def latest_faults(summaries: Iterable[Summary]) -> dict[FaultKey, Json]:
    """Return the latest state of each fault.

    The keys are tuples of the round, the entry and the row in `[remedies]`. `during` is the number
    of the round in which the fault reached that state.
    """
    return {
        (fault["round"], fault["entry"], fault["remedy"]): {**fault, "during": summary["round"]}
        for summary in summaries
        for fault in faults_of(summary)
    }


def find_fault(
    faults: Mapping[FaultKey, Json], ruleset: Ruleset, number: int, entry: int, code: str
) -> Json | None:
    """Return the fault that an entry caused, or None.

    The remedy for the fault must apply to findings with the given code.
    """
    for name, row in ruleset.data.get("remedies", {}).items():
        fault = faults.get((number, entry, name))
        if fault is not None and (code in row["on"] or code == f"{REMEDY_PREFIX}{name}"):
            return fault
    return None


def fault_decision(fault: Json) -> str:
    """Return the word of the table's choice about a fault.

    If the table made no choice, return the word for how the case ended, or "" if it is open.
    """
    word: str = fault["weight"] or fault["ended"]
    return word


# --- outcomes as text


def explain_score(rnd: Round) -> list[str]:
    """Return the reasons for a round's score so far, as sentences."""
    faults, called = faults_in(rnd), rnd.rules.translate_word
    lines = [describe_case(fault, called) for fault in faults if fault["ended"] == DECIDED]
    for phase in rnd.rules.phases.values() if rnd.over else ():
        lines += phase.view(rnd).result_sentences()
    return lines


def later_decisions(rnd: Round, after: Round) -> list[str]:
    """Return sentences about late decisions on the faults of a round.

    The table made these decisions during the next round, `after`. Their points are added to the
    score of that next round.
    """
    notation, lines = Notation(rnd.rules.lexicon, rnd.names), []
    for fault in faults_in(after):
        if fault["round"] != rnd.number or fault["ended"] != DECIDED:
            continue
        claim = (
            f"claim {fault['claimed'][-1]}: {fault['entry']} {notation.write_word(fault['weight'])}"
        )
        try:
            now = try_entry(rnd, notation.read(claim))
        except Failure:
            continue  # the rules decided the case, so no choice was named
        lines.append(
            tr(
                "{deed}, decided in round {round}: {weight}; {became}, and the change is "
                "added to the score of round {round}",
                deed=fault_text(fault),
                round=after.number,
                weight=rnd.rules.translate_word(fault["weight"]),
                became=tr("this round is void") if now.void else tr("this round remains valid"),
            )
        )
    return lines


def later_choices(summary: Summary) -> dict[str, str]:
    """Return the choices made in a round about faults in the previous round.

    The keys are the codes of the score lines.
    """
    return {
        f"{REMEDY_PREFIX}{fault['remedy']}": fault["weight"]
        for fault in faults_of(summary)
        if fault["weight"] and fault["round"] != summary["round"]
    }


def describe_case(fault: Json, translate_word: WordTranslator) -> str:
    """Return a decision as text. The points are left out, because the score already lists them."""
    return "; ".join(
        [f"{fault_text(fault)}, {_decision_text(fault, translate_word)}", *_consequences(fault)]
    )


def outcome_text(fault: Json, translate_word: WordTranslator) -> str:
    """Return the outcome of a case as text, with the paragraph of the rule.

    `translate_word` returns the displayed word for a choice.
    """
    if fault["ended"] == DECIDED:
        return "; ".join(
            [_decision_text(fault, translate_word), _points_text(fault), *_consequences(fault)]
        )
    if fault["ended"] == LAPSED:
        return tr("lapsed, because no claim was made in time ({cite})", cite=fault["cite"])
    if fault["ended"]:
        return tr("settled: the round is not played")
    if fault["claimed"]:
        return tr("claimed by {claimed}, to be rated", claimed=join_list(fault["claimed"]))
    names = fault["may"]
    return plural(
        "{names} may make a claim until {until} ({cite})",
        "{names} may each make a claim until {until} ({cite})",
        len(names),
        names=join_list(names, "or"),
        until=tr(fault["until"]),
        cite=fault["cite"],
    )


def fault_text(fault: Json) -> str:
    """Return a fault as text, with its player and its entry, such as `Ben's 9D (3)`."""
    who, colon, act = fault["text"].partition(": ")
    act_text = act if colon and not fault["told"] else fault["text"]
    act_text = f"{act_text.partition(' !')[0]} ({fault['at']})"
    return (
        tr("{name}'s {cards}", name=who, cards=act_text)
        if colon and not fault["told"]
        else act_text
    )


def _decision_text(fault: Json, translate_word: WordTranslator) -> str:
    """Return the names of the claimants and the choice as text."""
    return tr(
        "claimed by {claimed}: {weight} ({cited})",
        claimed=join_list(fault["claimed"]),
        weight=translate_word(fault["weight"]),
        cited=fault["cited"],
    )


def _points_text(fault: Json) -> str:
    """Return the points that a decision caused, as text."""
    points = format_changes((line["for"], line["points"]) for line in fault["lines"])
    return points or (
        tr("the amount is unknown until the sides are known") if fault["waits"] else tr("no points")
    )


def _consequences(fault: Json) -> Iterator[str]:
    """Yield the consequences of a decision other than points."""
    if fault["given"]:
        yield tr("the other side gets the tricks from that point on")
    if fault["outcome"] == VOID and "." in fault["at"]:
        yield tr("round {round} is thrown in", round=fault["round"] + 1)
    elif fault["outcome"] == VOID:
        yield tr("the round is void")
    elif fault["outcome"] == UNSCORED:
        yield tr("the round counts without a score")
    elif fault["outcome"] == LOST:
        yield tr("the round counts as lost")


def voiding_entry(faults: Iterable[Json], outcome: str = VOID) -> str:
    """Return the entry and the choice that made a round void, such as `Ben's 9D (3), serious`.

    If `outcome` is `unscored`, return instead the entry and the choice that left the round without
    a score. Return "" if there is no such entry.
    """
    return "; ".join(
        f"{fault_text(fault)}, {fault['weight']}" for fault in faults if fault["outcome"] == outcome
    )
