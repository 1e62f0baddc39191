"""What somebody has said may be said otherwise, until it binds. Part of reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import mark, tr
from scorekeeper.notation import EVERYONE
from scorekeeper.phases.reservations.wishes import ORDINARY, Wish, spoken

if TYPE_CHECKING:
    from scorekeeper.notation import Entry
    from scorekeeper.phases.reservations.state import State
    from scorekeeper.ruleset.joint import Joint, Stateful


def revises(state: State, seat: int, wish: Wish) -> bool:
    """Whether a wish stands in the place of what that seat has said, and does not name what was
    reserved."""
    if state.spoken.get(seat, wish) == wish:
        return False
    return not (seat in state.pending and state.all_spoken and wish.names_contract)


def why_binding(rnd: Joint, state: State, seat: int) -> str:
    """Why what that seat has said cannot be taken back any more ("": it can)."""
    number = state.numbers.get(seat, 0)
    for at, act in enumerate(rnd.entries()[number:], number + 1):
        if act.verb.table or (act.seat == seat and act.verb.word == "reserve"):
            continue
        if act.verb.word != "reserve" or act.seat is None:
            return tr("“{text}” came after it ({entry})", text=act.text, entry=at)
        who = state.latest if act.seat == EVERYONE else act.seat
        return tr("{who} has spoken ({entry})", who=rnd.names[who], entry=at)
    if state.latest != seat:  # who spoke by the same word, after them
        return tr("{who} has spoken ({entry})", who=rnd.names[state.latest], entry=number)
    return ""


def revise(rnd: Joint, phase: Stateful[State], entry: Entry, seat: int, cite: str) -> None:
    """Take back what that seat has said before the entry that is happening, as if nothing of it
    had been said. Raises Impossible where something rests on it."""
    state = rnd.state(phase)
    number, before = state.numbers.get(seat, 0), state.spoken[seat]
    since = rnd.entries()[number:-1]
    if state.decided and any(not act.verb.table and act.verb.word != "reserve" for act in since):
        why = why_binding(rnd, state, seat)
        hint = tr("undo what came since, or: amend {number} ENTRY", number=number)
        raise Impossible(
            tr("“{text}”: {why}, and rests on what was said", text=entry.text, why=why), hint
        )
    while seat in state.spoken:
        rnd.retake({state.numbers[seat]})
        state = rnd.state(phase)
        if seat in state.pending:
            break
    said = {"before": spoken(rnd.rules, before.words), "wish": spoken(rnd.rules, entry.value.words)}
    facts = {"who": rnd.names[seat], **said, "entry": number}
    say = mark("{who} says {wish} instead of {before} ({entry})")
    rnd.remark("reservations.revised", say, facts, cite)


def speak_for_others(rnd: Joint, state: State, seat: int) -> None:
    """Where one word was said for several, and one of them takes it back, the others have said
    it."""
    taken = rnd.decisions.taken
    for number, act in enumerate(rnd.entries(), 1):
        if number in taken and act.verb.word == "reserve" and act.seat == EVERYONE:
            for other in state.order:
                if other != seat and other not in state.spoken:
                    state.say(other, Wish(ORDINARY), number)
