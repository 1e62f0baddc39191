"""The clause for throws: leads of several combinations that no other player can beat."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.core.hands import AllOf, Breach, Claim
from scorekeeper.core.messages import N_, join_list
from scorekeeper.engine.phase import actor_of
from scorekeeper.phases.tricks.answers import all_of, any_of
from scorekeeper.phases.tricks.phase import Tricks
from scorekeeper.phases.tricks.state import PLAY, find_form, runs_in
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.hands import Outcome, Question
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.phases.tricks.state import State

    Kinds = tuple[int, ...]
    Part = bool | Question  # yes or no, or the question about hands that decides it


@clause(
    "throw",
    "tricks",
    on=(PLAY,),
    say=N_("{who} may not lead {cards} together: {names} can beat {part}"),
    unknown=N_(
        "{who} leads {cards} together; it is unknown whether another player can beat one of these"
        " combinations"
    ),
    proven=N_(
        "{who} led {cards} together, but another player could beat one of these combinations"
        " ({first}, {then})"
    ),
    doc=(
        "No other player may be able to beat a combination of a throw with cards of its class."
        " After a throw that was taken back (`!withdrawn`), the smallest combination that can be"
        " beaten must be led."
    ),
)
def _throw(row: Row, rules: Ruleset) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state, kinds = rnd.state(tricks), entry.value
        if state.laid or not kinds:
            return None
        parts = state.shapes.split_throw(state.order, kinds)
        if not parts or state.shapes.may_lead(find_form(state.order, kinds)[1]):
            return _judge_lead_after_throw(rnd, state, entry)
        others = [seat for seat in state.seats if seat != actor_of(entry)]
        safe = [all_of(_cannot_beat(rnd, state, seat, part) for seat in others) for part in parts]
        facts: Facts = {"cards": [pack.kinds[kind] for kind in kinds]}
        if False in safe:
            part = min(
                (part for part, is_safe in zip(parts, safe, strict=True) if is_safe is False),
                key=partial(_size, state),
            )
            can = [seat for seat in others if _cannot_beat(rnd, state, seat, part) is False]
            names = join_list(rnd.names_of(can))
            return Breach({**facts, "part": pack.format_kinds(part), "names": names})
        question = all_of(safe)
        return None if isinstance(question, bool) else AllOf((question,), facts)

    return judge


def _judge_lead_after_throw(rnd: Round, state: State, entry: Entry) -> Outcome:
    """Return the breach if the player took back a throw and does not lead the right part of it.

    While it is unknown which parts can be beaten, any of them may be led.
    """
    thrown = _last_throw_taken_back(rnd, state, actor_of(entry))
    if not thrown:
        return None
    parts = sorted(state.shapes.split_throw(state.order, thrown), key=partial(_size, state))
    others = [seat for seat in state.seats if seat != entry.seat]
    possible = []
    for part in parts:
        safe = all_of(_cannot_beat(rnd, state, seat, part) for seat in others)
        if safe is not True:
            possible.append(part)
        if safe is False:
            break
    possible = possible or parts
    if any(sorted(part) == sorted(entry.value) for part in possible):
        return None
    legal = [rnd.rules.pack.format_kinds(part) for part in dict.fromkeys(possible)]
    message = N_(
        "{who} took back a throw, and must lead the smallest part that can be beaten: {legal}"
    )
    return Breach({"legal": legal}, message)


def _last_throw_taken_back(rnd: Round, state: State, seat: int) -> Kinds:
    """Return the throw that the player took back just before this lead, or ()."""
    for entry in reversed(rnd.log.entries):
        if entry.type.word != PLAY:
            continue
        if entry.has_effect or entry.seat != seat:
            return ()
        cards: Kinds = entry.value
        if state.shapes.split_throw(state.order, cards):
            return cards
    return ()


def _size(state: State, part: Sequence[int]) -> tuple[int, int]:
    """Return a sort key for a part of a throw: its number of cards, then its strength."""
    return len(part), state.order.strength[find_form(state.order, part)[0]]


def _cannot_beat(rnd: Round, state: State, seat: int, part: Sequence[int]) -> Part:
    """Return whether a hand has no higher combination of the same form and class, or the question
    that decides it."""
    order, pack = state.order, rnd.rules.pack
    top, (alike, sets) = find_form(order, part)
    steps = order.ladder(order.classes[top])
    strengths = [order.strength[step[0]] for step in steps]

    def lacks(kind: int) -> Part:
        low, high = rnd.hands.bounds(seat, pack.column[kind])
        if high < alike or low >= alike:
            return high < alike
        return Claim(seat, pack.column[kind], 0, alike - 1)

    higher = sum(strength > order.strength[top] for strength in strengths)
    runs = (run for start in range(higher) for run in runs_in(steps[start : start + sets], sets))
    return all_of(any_of(map(lacks, run)) for run in runs)
