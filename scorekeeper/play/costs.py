"""What each choice about something wrong would cost, found by trying it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Failure
from scorekeeper.notation import Notation
from scorekeeper.play.standing import apply_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.plain import Json
    from scorekeeper.notation import Entry
    from scorekeeper.play.round import Round


def with_costs(rnd: Round, faults: Sequence[Json]) -> list[Json]:
    """Faults as `Remedies.describe` has them, each with its `choices`: by the word of a choice, how
    much it would change each player's tally; `ends`: the choices that end the round; `waits`: why
    nobody can tell yet what a choice costs."""
    notation = Notation(rnd.rules.lexicon, rnd.names)
    return [_with_costs(rnd, fault, notation) for fault in faults]


def _with_costs(rnd: Round, fault: Json, notation: Notation) -> Json:
    choices: dict[str, dict[str, int]] = {}
    waits: dict[str, str] = {}
    ends: list[str] = []
    for word in fault["words"]:
        try:
            after = _tried(rnd, notation.read(_text(fault, notation.say(word))))
        except Failure as failure:
            waits[word] = str(failure)
            continue
        seats = [seat for seat in rnd.seats if after.tally[seat] != rnd.tally[seat]]
        choices[word] = {rnd.names[seat]: after.tally[seat] - rnd.tally[seat] for seat in seats}
        if after.over and not rnd.over:
            ends.append(word)
    found = {key: value for key, value in fault.items() if key != "words"}
    return {**found, "choices": choices, "ends": ends, "waits": waits}


def _text(fault: Json, word: str) -> str:
    """The entry with which that choice is made."""
    number = fault["entry"]
    if fault["claimed"]:
        return f"weigh {number} {word}"
    return f"claim {fault['may'][0]}: {number} {word}"


def _tried(rnd: Round, entry: Entry) -> Round:
    """The round as it would be after that entry, its score in its tally."""
    after = rnd.copy()
    after.apply(entry, [])
    apply_score(after)
    return after
