"""Names and numbers as they stand in an English sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def listed(names: Sequence[str], word: str = "and") -> str:
    """Names as a sentence lists them: `Ana`, `Ana and Ben`, `Ana, Ben and Cleo`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def number_of(count: int, noun: str, several: str = "") -> str:
    """A number with its noun, in the singular or plural: `1 card`, `2 cards`."""
    return f"{count} {noun if abs(count) == 1 else several or noun + 's'}"


def accounted_for(count: int, what: str) -> str:
    """That every card of a set is known: `the QC is accounted for`, `both QC are …`."""
    if count == 1:
        return f"the {what} is accounted for"
    return f"{'both' if count == 2 else f'all {count}'} {what} are accounted for"


def times(count: int) -> str:
    """How often something is so: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def has(name: str) -> str:
    """A side and its verb: `re has`, `opponents have`."""
    return f"{name} {'have' if name.endswith('s') else 'has'}"


def of_several(names: Sequence[str], one: str, several: str) -> str:
    """Names and a verb that agrees with how many they are: `Ana is`, `Ana and Ben are`."""
    return f"{listed(names)} {one if len(names) == 1 else several}"


def changed(points: Iterable[tuple[str, float]]) -> str:
    """Who gets how much, what is equal together: `Ben -3; Ana and Cleo +1 each`."""
    names: dict[float, list[str]] = {}
    for name, number in points:
        names.setdefault(number, []).append(name)
    return "; ".join(
        f"{listed(alike)} {number:+g}{' each' if len(alike) > 1 else ''}"
        for number, alike in sorted(names.items())
    )
