"""The clause words that every phase may use, but for what cards are in a hand. Part of table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.hands import Breach, Unsure
from scorekeeper.core.messages import mark
from scorekeeper.core.rulings import LEGAL
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

NAMED_ANYWAY = ("who", "entry", "must")  # what a sentence may name besides measures


@clause(
    "remark",
    "table",
    say=mark("{who}: worth a note"),
    doc="Says something about a legal entry: a note when the condition holds, never a refusal.",
    verdict=LEGAL,
    parameters={"when": Parameter("condition", "when the note is given")},
)
def _remark(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    facts_of = _facts_for_sentence(row, rules)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        return Breach(facts_of(entry, get)) if when(get) else None

    return judge


@clause(
    "until",
    "table",
    say=mark("{who} is too late: “{since}” came before"),
    doc=(
        "An entry of the verbs in `on` may be said until one of the verbs in `verbs` has been;"
        " in a round that begins in the middle it is too late."
    ),
    parameters={"verbs": Parameter("texts", "the verbs after which it is too late")},
)
def _until(row: Row, rules: Rules) -> Judge:
    verbs = tuple(row["verbs"])

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        since = rnd.earlier_entry(verbs)
        if rnd.positioned and not since:
            return Breach({"since": ""}, mark("that is over: the round began in the middle"))
        return Breach({"since": since}) if since else None

    return judge


@clause(
    "require",
    "table",
    say=mark("{who} may not do that"),
    unknown=mark("nobody knows yet whether {who} may do that"),
    doc=(
        "A condition that must hold for an entry of the verbs in `on`; it may ask about the actor's"
        " hand (`count(hand & trumps) == 0`)."
    ),
    parameters={"must": Parameter("condition", "what must hold")},
)
def _require(row: Row, rules: Rules) -> Judge:
    must = rules.expression(row["must"], f"{row['path']}.must", row["about"], asks=True)
    facts_of = _facts_for_sentence(row, rules)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        if must.asks:
            return _asked(must, get, lambda: facts_of(entry, get))
        return None if must(get) else Breach({"must": row["must"], **facts_of(entry, get)})

    return judge


def _asked(must: Expression, get: Get, facts: Callable[[], Facts]) -> Outcome:
    """What comes of a condition that asks about a hand: kept, broken, or what it needs of one."""
    try:
        found = must.asked(get)
    except NotSeen:
        return Unsure(facts())
    if isinstance(found, bool):
        return None if found else Breach(facts())
    found.facts = facts()
    return found


def _facts_for_sentence(row: Row, rules: Rules) -> Callable[[Entry, Get], Facts]:
    """What gives the facts for a clause's own sentence: the entry, and the measures that the
    sentence names in braces. A name that is nothing of these is a fault."""
    names = [piece.partition("}")[0] for piece in row["say"].split("{")[1:] if "}" in piece]
    measures = rules.measures_about(row["about"])
    for name in names:
        if name not in NAMED_ANYWAY and name not in measures:
            allowed = ", ".join([*NAMED_ANYWAY, *sorted(measures)])
            path = f"{row['path']}.say"
            rules.fault(
                path,
                name,
                allowed,
                f"{path} names what there is not: “{name}”",
            )
    named = [name for name in names if name in measures]
    return lambda entry, get: {"entry": entry.text, **{name: get(name) for name in named}}
