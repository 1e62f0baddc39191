"""What was found in a match, and what the table may do about it now, for the table's minute."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import NOTE, REFUSE, WARN
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import WITHDRAWN, decision_in
from scorekeeper.play.deciding import actions_on
from scorekeeper.play.found import BY_TABLE, PROVEN, found_in, is_any_in, settling
from scorekeeper.play.hidden import conceals
from scorekeeper.play.remedied import LAPSED, became
from scorekeeper.session.seen import past_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from scorekeeper.core.types import Json, Standing
    from scorekeeper.notation import Notation
    from scorekeeper.notation.translation import Speech
    from scorekeeper.play.deciding import Action
    from scorekeeper.play.found import Found
    from scorekeeper.play.match import Match
    from scorekeeper.play.reviewed import Reviewed
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.store.desk import Desk

# How many entries that nobody decided are told with what may be done; the latest ones.
MOST_OFFERED = 12
KINDS = {REFUSE: mark("proven"), WARN: mark("warn"), NOTE: mark("note")}
STOOD = mark("lapsed: it stands")
NOTHING = mark("nothing was found: no entry is against a rule, and none is open")


class Ruled(NamedTuple):
    """An entry, what was found on it, what may be done about it, and what would settle it."""

    found: list[Found]
    actions: list[Action]
    asked: str


def rulings(match: Match) -> list[Ruled]:
    """What was found in a match that is whole, the last first."""
    return _ruled(found_in(match.review(), match.ruleset), match, {})


def found_seen(past: Reviewed, match: Match) -> list[Ruled]:
    """What was found in a match by what has been public, the last first; `match` is its live round
    as the table has seen it."""
    if not any(map(is_any_in, past.summaries())):  # nobody need look at the entries
        return []
    return _ruled(found_in(past.review(), match.ruleset), match, {})


def rulings_seen(past: Reviewed, match: Match) -> list[Ruled]:
    """The same, and what may be done about it; `match` is whole."""
    entries = [entry.found for entry in found_seen(past, match)]
    last = match.live.number
    before = {played.number: played.before for played in match.rounds}
    actions = {
        (each.round, each.number): actions_on(match, each, before[each.round], each.round == last)
        for each in _wanted(entries)
    }
    return _ruled(entries, match, actions)


def rulings_of(kept: Reviewed, desk: Desk) -> list[Ruled]:
    """What was found in a match of a store, the last first, and what may be done about it."""
    entries: list[list[Found]] = []
    if any(map(is_any_in, kept.summaries())):  # else nobody need look at the entries
        entries = found_in(kept.review(), desk.ruleset)
    return _ruled(entries, desk.match, _actions(entries, desk))


def _ruled(
    entries: list[list[Found]], match: Match, actions: dict[tuple[int, int], list[Action]]
) -> list[Ruled]:
    asked: dict[tuple[int, int], str] = {}
    if match.rounds:
        number = match.rounds[-1].number
        asked = {(number, entry): text for entry, text in settling(match.live).items()}
    places = [(entry[0].round, entry[0].number) for entry in entries]
    return [
        Ruled(entry, actions.get(place, []), asked.get(place, ""))
        for place, entry in zip(places, entries, strict=True)
    ]


def _actions(entries: list[list[Found]], desk: Desk) -> dict[tuple[int, int], list[Action]]:
    """What may be done about the latest entries that nobody has decided."""
    wanted = _wanted(entries)
    if not wanted:
        return {}
    match = desk.match
    last = match.live.number
    before: dict[int, Standing] = {
        row.number: row.standing for row in desk.rounds(min(each.round for each in wanted))
    }
    before |= {played.number: played.before for played in match.rounds}
    return {
        (each.round, each.number): actions_on(match, each, before[each.round], each.round == last)
        for each in wanted
        if each.round in before
    }


def _wanted(entries: list[list[Found]]) -> list[Found]:
    """What nobody has decided on the latest entries."""
    proven = [next(filter(_is_undecided, entry), None) for entry in entries]
    return [each for each in proven if each is not None][:MOST_OFFERED]


def _is_undecided(found: Found) -> bool:
    """Whether it is against a rule, or may be claimed, and nothing is decided about it."""
    return found.kind == PROVEN or (found.fault is not None and not found.fault["ended"])


def counted(ruled: list[Ruled]) -> str:
    """How many of each kind there are."""
    kinds = [each.kind for entry in ruled for each in entry.found]
    said = {
        PROVEN: mark("{count} proven and undecided"),
        "group": mark("{count} among several plays"),
        "open": mark("{count} open"),
        "decided": mark("{count} decided"),
    }
    return ", ".join(tr(said[kind], count=kinds.count(kind)) for kind in said if kind in kinds)


def heading(entry: Ruled, show: Callable[[str], str], called: Callable[[str], str]) -> str:
    """Where it is, the entry, and how it stands; `called` is what choices are called."""
    first = entry.found[0]
    marks = [*dict.fromkeys(filter(None, map(_mark, entry.found))), *_stands(entry, called)]
    return f"{first.round}.{first.number}  {show(first.entry)}  [{'; '.join(marks)}]"


def _mark(found: Found) -> str:
    if found.stuck and found.finding["code"].startswith("entry."):
        return tr("cannot be")
    if found.kind == "group":
        return tr("shows that one of several was against a rule")
    if found.finding["verdict"] == "open":
        return tr("open")
    if found.finding["verdict"] == "legal":
        return ""
    word = tr(KINDS[found.finding["severity"] or NOTE])
    if not found.settled_by:
        return word
    return tr("{word} by {entry}", word=word, entry=f"{found.round}.{found.settled_by}")


def _stands(entry: Ruled, called: Callable[[str], str]) -> list[str]:
    """What became of the entry."""
    first = entry.found[0]
    faults = _faults(entry)
    if faults:
        return [_standing(fault, called) for fault in faults]
    decision = next((each.decision for each in entry.found if each.decision), None)
    if decision is not None:
        said = {"stands": tr("decided: it stands"), "withdrawn": tr("decided: taken back")}
        return [said.get(decision, tr("by the table"))]
    if first.stuck:
        return [tr("nothing counts from it on")]
    if not first.counts:
        return [tr("undecided: it could not be, and changes nothing")]
    if any(each.kind == PROVEN for each in entry.found):
        return [tr("undecided: treated as if it stood")]
    return [tr("the round is over")] if first.over else []


def _faults(entry: Ruled) -> list[Json]:
    """What may be, or might have been, claimed of an entry."""
    faults = [found.fault for found in entry.found if found.fault is not None]
    return [fault for at, fault in enumerate(faults) if fault not in faults[:at]]


def _standing(fault: Json, called: Callable[[str], str]) -> str:
    """How a fault stands, in a few words."""
    if not fault["ended"]:
        return tr("to be weighed") if fault["claimed"] else tr("may be claimed")
    if fault["ended"] != LAPSED:
        weight = fault["weight"]
        return tr("decided: {weight}", weight=called(weight)) if weight else tr("settled")
    return tr("lapsed: it was taken back") if decision_in(fault["text"]) == WITHDRAWN else tr(STOOD)


def reasons(entry: Ruled, ruleset: Ruleset) -> list[str]:
    """The sentences: what was found, with its rule and paragraph; what would settle it."""
    said = [_sentence(found, ruleset.rules_text) for found in entry.found]
    said += [became(fault, ruleset.spoken) for fault in _faults(entry)]
    return [text for text in (*said, entry.asked) if text]


def _sentence(found: Found, rules_text: str) -> str:
    from scorekeeper.ruleset.citations import place

    finding = found.finding
    cite = place(rules_text, finding["cite"]) if finding["cite"] else ""
    if finding["code"].startswith(BY_TABLE):
        return cite if finding["facts"] else finding["reason"]
    return f"{finding['reason']} ({', '.join(filter(None, (finding['code'], cite)))})"


def command(action: Action, speech: Speech, options: str) -> str:
    """An action as the command that does it, for a shell."""
    text = speech.spoken(action.text)
    word = f"scorekeeper {'amend' if action.at else 'record'}{options}"
    if action.at:
        word += f" {action.at}"
    if not text:
        return f"{word} --remove"
    return f"{word}{' --' if text.startswith('-') else ''} {shlex.quote(text)}"


def typed(action: Action, speech: Speech) -> str:
    """An action as the line that does it at the live table."""
    text = speech.spoken(action.text)
    return f"amend {action.at} {text or '--remove'}" if action.at else text


def table_lines(desk: Desk, speech: Speech) -> list[str]:
    """The list for the live table: nothing is told that the table has not seen."""
    match, past = past_of(desk.whole())
    ruled = rulings_seen(past, match)
    if not ruled:
        return [tr(NOTHING)]
    notation = match.known_notation
    concealed = {verb.word for verb in notation.verbs.values() if conceals(verb.syntax)}
    lines = [counted(ruled)]
    for entry in ruled:
        lines += entry_lines(entry, desk.ruleset, speech)
        lines += [
            f"    {action.said}: {typed(action, speech)}"
            for action in entry.actions
            if not _is_of(concealed, entry.found[0].entry, notation) or not action.at
        ]
    return lines


def entry_lines(entry: Ruled, ruleset: Ruleset, speech: Speech) -> list[str]:
    """What was found on an entry, for people, without what may be done about it."""
    said = [f"  {speech.told(text)}" for text in reasons(entry, ruleset)]
    return [heading(entry, speech.spoken, ruleset.spoken), *said]


def _is_of(words: Collection[str], text: str, notation: Notation) -> bool:
    """Whether an entry is one of these verbs: what it said is not known here."""
    try:
        return notation.read(text).verb.word in words
    except Failure:
        return False
