"""Names and numbers as they stand in a sentence: English here, and in the language that is spoken.

Where the noun or the verb is known to who calls, `plural` says the whole sentence at once, so that
it can be translated: `plural("{names} is out", "{names} are out", …)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import plural, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def listed(names: Sequence[str], word: str = "and") -> str:
    """Names as a sentence lists them: `Ana`, `Ana and Ben`, `Ana, Ben and Cleo`; `or` is the other
    word."""
    if len(names) < 2:
        return "".join(names)
    before, last = ", ".join(names[:-1]), names[-1]
    if word == "or":
        return tr("{names} or {last}", names=before, last=last)
    return tr("{names} and {last}", names=before, last=last)


def number_of(count: int, noun: str, several: str = "") -> str:
    """A number with its noun, in the singular or plural: `1 card`, `2 cards`; for what is said in
    English alone."""
    return f"{count} {noun if abs(count) == 1 else several or noun + 's'}"


def accounted_for(count: int, what: str) -> str:
    """That every card of a set is known: `the QC is accounted for`, `both QC are …`."""
    if count == 1:
        return tr("the {cards} is accounted for", cards=what)
    if count == 2:
        return tr("both {cards} are accounted for", cards=what)
    return tr("all {count} {cards} are accounted for", count=count, cards=what)


def times(count: int) -> str:
    """How often something is so: `once`, `twice`, `3 times`."""
    if count == 1:
        return tr("once")
    return tr("twice") if count == 2 else plural("{count} time", "{count} times", count)


def has(name: str) -> str:
    """A side and its verb: `re has`, `opponents have`."""
    return tr("{side} have", side=name) if name.endswith("s") else tr("{side} has", side=name)


def changed(points: Iterable[tuple[str, float]]) -> str:
    """Who gets how much, what is equal together: `Ben -3; Ana and Cleo +1 each`."""
    names: dict[float, list[str]] = {}
    for name, number in points:
        names.setdefault(number, []).append(name)
    return "; ".join(
        tr("{names} {points} each", names=listed(alike), points=f"{number:+g}")
        if len(alike) > 1
        else f"{alike[0]} {number:+g}"
        for number, alike in sorted(names.items())
    )
