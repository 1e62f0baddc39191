"""What may still come of something wrong: what each choice would cost, found by trying it, and what
goes to the next round while something may still be decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible
from scorekeeper.core.messages import listed, tr
from scorekeeper.notation import Notation
from scorekeeper.play.standing import apply_score, next_standing
from scorekeeper.ruleset.decisions import COUNTS, UNSCORED, VOID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Json, Standing
    from scorekeeper.notation import Entry
    from scorekeeper.play.round import Round


OPEN = "open"  # where a standing keeps what may still be decided of the round before


def standing_after(rnd: Round) -> Standing:
    """What goes from a round, whose score is in its tally (`apply_score`), to the next; with what
    may still be decided of it, and the standing by each choice."""
    standing = next_standing(rnd)
    if not (rnd.over and rnd.rules.watching_entries):
        return standing
    if rnd.decisions.left[0] != len(rnd.log):
        rnd.decisions.left = (len(rnd.log), _left_open(rnd))
    left = rnd.decisions.left[1]
    if not left:
        return standing
    (phase,) = rnd.rules.watching_entries
    kept = {**standing["carry"].get(phase.name, {}), OPEN: left}
    return {**standing, "carry": {**standing["carry"], phase.name: kept}}


def _left_open(rnd: Round) -> list[Json]:
    """What may still be decided of a round that is over, with the standing by each choice, and the
    choices by which it is void."""
    notation = Notation(rnd.rules.lexicon, rnd.names)
    found: list[Json] = []
    for phase in rnd.rules.watching_entries:
        for left in phase.left_open(rnd):
            choices: Json = {}
            voids: list[str] = []
            words = left.pop("words")
            for word in words:
                try:
                    text = _text(rnd.names, left, notation.say(word) if len(words) > 1 else "")
                    after = tried(rnd, notation.read(text))
                except Failure:
                    continue  # what hangs on what nobody knows cannot be decided later either
                choices[word] = next_standing(after)
                if after.void:
                    voids.append(word)
            found.append({**left, "choices": choices, "voids": voids})
    return found


def with_costs(rnd: Round, faults: Sequence[Json]) -> list[Json]:
    """Faults as they are described, each with its `choices`: by the word of a choice, how much it
    would change each player's tally; `ends`: the choices that end the round; `outcomes`, of those
    that change this: whether it `counts` then, is `void`, or `unscored`; `waits`: why nobody can
    tell yet what a choice costs."""
    notation = Notation(rnd.rules.lexicon, rnd.names)
    return [_with_costs(rnd, fault, notation) for fault in faults]


def _with_costs(rnd: Round, fault: Json, notation: Notation) -> Json:
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
    words = fault["words"]
    for word in words:
        try:
            text = _text(rnd.names, left, notation.say(word) if len(words) > 1 else "")
            after = tried(rnd, notation.read(text))
        except Failure as failure:
            waits[word] = str(failure)
            continue
        if len(after.decisions.due) > len(rnd.decisions.due):
            names = listed(rnd.names_of(each.seat for each in after.decisions.due))
            waits[word] = tr(
                "its figure waits until it is known whose side {names} is on", names=names
            )
        else:
            choices[word] = _changes(rnd, after)
        if after.over and not rnd.over:
            ends.append(word)
        if word in ends or (after.void, after.unscored) != (rnd.void, rnd.unscored):
            outcomes[word] = VOID if after.void else UNSCORED if after.unscored else COUNTS
    found = {key: value for key, value in fault.items() if key != "words"}
    found |= {"choices": choices, "ends": ends, "outcomes": outcomes, "waits": waits}
    return found


def _changes(rnd: Round, after: Round) -> dict[str, int]:
    """What changes on the sheet between two rounds, by name."""
    seats = [seat for seat in rnd.seats if after.tally[seat] != rnd.tally[seat]]
    return {rnd.names[seat]: after.tally[seat] - rnd.tally[seat] for seat in seats}


def _text(names: Sequence[str], left: Json, word: str) -> str:
    """The entry with which that choice is made ("": there is no other)."""
    number = left["number"]
    if left["claims"]:
        return f"weigh {number} {word}"
    return f"claim {names[left['may'][0]]}: {number} {word}".rstrip()


def tried(rnd: Round, entry: Entry) -> Round:
    """The round as it would be after that entry, its score in its tally. Raises Impossible where
    nothing is decided by it yet."""
    after = rnd.copy()
    after.apply(entry, [])
    if len(after.decisions.effects) == len(rnd.decisions.effects):
        raise Impossible(after.log.found_last[-1].reason)
    apply_score(after)
    return after
