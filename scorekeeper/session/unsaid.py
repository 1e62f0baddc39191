"""What a round waits to be told before anybody may act: a card that is turned up, dice, a count."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Failure
from scorekeeper.notation.syntax import Of
from scorekeeper.play.referee import resolve
from scorekeeper.ruleset.turned_off import sayable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.notation import Entry, Notation
    from scorekeeper.notation.entry import Verb
    from scorekeeper.play.round import Round

T = TypeVar("T")
NUMBER = "3"  # an example of one


class First:
    """Chance that always brings the first: an example is the same whenever it is shown."""

    def random(self) -> float:
        """The least."""
        return 0.0

    def randint(self, least: int, most: int, /) -> int:
        """The least."""
        return least

    def choice(self, found: Sequence[T], /) -> T:
        """The first of several."""
        return found[0]

    def sample(self, found: Sequence[T], number: int, /) -> list[T]:
        """The first of several, each once."""
        return list(found[:number])


def unsaid(rnd: Round) -> list[Entry]:
    """Examples of what the phase whose time it is waits to be told by the table."""
    phase = rnd.phase
    if phase is None or rnd.over:
        return []
    brought = sayable(phase.chance(rnd, First()), rnd.rules.off)
    return [entry for entry in brought if entry.verb.table]


def beginning(entry: Entry, notation: Notation) -> str:
    """How such an entry begins, up to what nobody knows before it is said."""
    text = notation.finish(entry).text
    if isinstance(entry.verb.syntax, Of):
        return text[: text.index(": ") + 2]
    return f"{notation.say(entry.verb.word)} "


def shortest(rnd: Round, entry: Entry, notation: Notation) -> str:
    """An entry as short as it may be typed: its last word alone, without the name, or whole."""
    whole = notation.finish(entry).text
    act = whole.partition(": ")[2] if entry.seat is not None else whole
    for text in (act.rpartition(" ")[2], act):
        if meaning(rnd, text, notation) == whole:
            return text
    return whole


def meaning(rnd: Round, text: str, notation: Notation) -> str:
    """The entry that a text stands for now; "" for none."""
    try:
        return notation.finish(resolve(rnd, notation.read(text), notation)).text
    except Failure:
        return ""


def number_alone(rnd: Round, notation: Notation) -> Verb | None:
    """What a number alone says, where that is waited for."""
    said = meaning(rnd, NUMBER, notation)
    verb = notation.verbs.get(notation.opening(said)[0]) if said else None
    return verb if verb is not None and rnd.rules.phase_of[verb.word] is rnd.phase else None


def shortest_result(rnd: Round, whole: str, notation: Notation) -> str:
    """A result as short as it may be typed: its number first, and as few of its keys as will do."""
    pairs = whole.split()[1:]
    number = next((pair for pair in pairs if pair.partition("=")[2].isdigit()), "")
    others = [pair for pair in pairs if pair != number]
    first = [number.partition("=")[2]] if number else []
    for count in range(len(others) + 1):
        for kept in combinations(others, count):
            text = " ".join([*first, *kept])
            if text and _same(meaning(rnd, text, notation), whole):
                return text
    return whole


def _same(one: str, other: str) -> bool:
    """Whether two results say the same, in whatever order."""
    return sorted(one.split()) == sorted(other.split())
