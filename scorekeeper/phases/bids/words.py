"""The words of bidding, and how a bid is read and written. Part of bids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.notation.entry import NUMBER, Verb
from scorekeeper.notation.syntax import NAME_LENGTH, Nothing, OneOf, Syntax, clean, whole
from scorekeeper.ruleset.phase import BID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation.syntax import Spelling

MOST_COUNT = 9999
STEPS = {"left": 1, "right": -1}  # a direction as a step from seat to seat


class BidSyntax(Syntax):
    """A count and a face: `5x4`, or `5` and what the face is called."""

    form = mark("COUNTxFACE")

    def fits(self, text: str, notation: Spelling) -> bool:
        return text[:1].isdigit() and not NUMBER.syntax.fits(text, notation)

    def read(self, text: str, notation: Spelling) -> tuple[int, int]:
        folded = text.casefold().replace("×", "x")
        count, cross, face = folded.partition("x")
        if not cross or not count.strip().isdigit():
            count, _, face = folded.partition(" ")
        number = whole(count.strip(), 0, MOST_COUNT)
        return number, self._face(face.strip(), notation)

    def _face(self, face: str, notation: Spelling) -> int:
        word = notation.canonical(f"face {face}") or notation.canonical(face)
        if not word.startswith("face "):
            faces = [w.removeprefix("face ") for w in notation.meanings if w[:5] == "face "]
            raise Unreadable(
                tr(
                    "“{typed}” is no face; faces are {faces}",
                    typed=clean(face)[:NAME_LENGTH],
                    faces=", ".join(sorted(faces)),
                )
            )
        return int(word.removeprefix("face "))

    def show(self, value: tuple[int, int], notation: Spelling) -> str:
        return written(value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[int, int]]:
        faces = sorted({word for word in notation.meanings.values() if word[:5] == "face "})
        count = luck.randint(0, luck.choice((3, 10, MOST_COUNT)))
        return ((count, int(luck.choice(faces).removeprefix("face "))),)


def written(bid: tuple[int, int]) -> str:
    """A count and a face as a bid is written: `5x4`."""
    return f"{bid[0]}x{bid[1]}"


def direction(step: int) -> str:
    """The program's word for a step from seat to seat."""
    return "left" if step > 0 else "right"


TO_BID = Verb(
    "bid",
    BidSyntax(),
    mark("at least so many dice show that face"),
    turn=True,
    implicit=True,
    about=BID,
)
DOUBT = Verb("doubt", Nothing(), mark("the last bid is doubted"), alone=True)
EXACT = Verb("exact", Nothing(), mark("the last bid is exactly so"), alone=True)
DIRECTION = Verb("direction", OneOf(*STEPS), mark("which way the bids go"), turn=True)
CALLS = (DOUBT, EXACT)
