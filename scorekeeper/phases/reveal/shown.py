"""Dice that are shown, and how many of them match. Part of reveal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import plural, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.phases.reveal.state import State
    from scorekeeper.ruleset.joint import Joint


def hidden_in(rnd: Joint, state: State) -> list[int]:
    """The seats whose dice nobody has shown yet."""
    return [seat for seat in rnd.playing() if seat not in state.shown]


def not_faces(dice: Iterable[int], faces: Sequence[int]) -> list[int]:
    """Those of some numbers that are on no die."""
    return [face for face in dice if face not in faces]


def show(rnd: Joint, state: State, faces: Sequence[int], seat: int, dice: tuple[int, ...]) -> None:
    """Somebody shows their dice; the last of them give the count."""
    name, has = rnd.names[seat], rnd.dice_of(seat)
    wrong = not_faces(dice, faces)
    if wrong:
        raise Unreadable(
            tr("{number} is no face of a die", number=wrong[0]),
            tr("faces are {least} to {most}", least=faces[0], most=faces[-1]),
        )
    if rnd.out(seat) or len(dice) != has:
        raise Impossible(
            plural(
                "{name} has {count} die, not {told}",
                "{name} has {count} dice, not {told}",
                has,
                name=name,
                told=len(dice),
            ),
            f"dice {name}: …",
        )
    if seat in state.shown:
        raise Impossible(
            tr("{name}'s dice are shown already", name=name), tr("undo, or amend that entry")
        )
    state.shown[seat] = dice
    if not hidden_in(rnd, state):
        state.count = matching_shown(rnd, state)


def take_count(rnd: Joint, state: State, count: int) -> None:
    """The table says how many dice match, without showing all of them."""
    if state.count is not None:
        if hidden_in(rnd, state):
            raise Impossible(
                tr("the count is {count} already", count=state.count),
                tr("undo, or amend that entry"),
            )
        if count != state.count:
            raise Impossible(
                tr(
                    "by the dice shown the count is {count}, not {told}",
                    count=state.count,
                    told=count,
                )
            )
        return
    if rnd.over:
        raise Impossible(tr("the round ended without a count"))
    counts = possible_counts(rnd, state)
    if count not in counts:
        raise Impossible(
            tr(
                "the count is from {least} to {most}, not {count}",
                least=counts[0],
                most=counts[-1],
                count=count,
            )
        )
    state.count = count


def matching_shown(rnd: Joint, state: State) -> int:
    """How many of the dice shown so far match the bid."""
    count, matching = 0, rnd.shared.matching
    for dice in state.shown.values():
        for face in matching:
            count += dice.count(face)
    return count


def possible_counts(rnd: Joint, state: State) -> range:
    """The counts that are possible, by the dice shown so far."""
    least = matching_shown(rnd, state)
    hidden = rnd.dice() - sum(map(len, state.shown.values()))
    return range(least, least + hidden + 1)
