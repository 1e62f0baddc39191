"""How a call is read and written. Part of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import Syntax, clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation.syntax import Spelling


class Call(NamedTuple):
    """A call as it was typed: for which side ("": that was not said), and its name."""

    side: str
    name: str


class CallSyntax(Syntax):
    """A call, after the side that it is for, where that is not clear."""

    form = mark("CALL")

    def __init__(self, calls: Iterable[str], sides: Iterable[str]) -> None:
        self.calls = set(calls)
        self.sides = set(sides)

    def fits(self, text: str, notation: Spelling) -> bool:
        return notation.opening(text)[0] in self.calls | self.sides

    def read(self, text: str, notation: Spelling) -> Call:
        word, rest = notation.opening(text)
        if not rest and word in self.calls:
            return Call("", word)
        name, more = notation.opening(rest)
        if word not in self.sides or name not in self.calls or more:
            calls = ", ".join(map(notation.say, sorted(self.calls)))
            raise Unreadable(
                tr("“{text}” is no call; calls are {calls}", text=clean(text), calls=calls)
            )
        return Call(word, name)

    def show(self, value: Call, notation: Spelling) -> str:
        return " ".join(notation.say(word) for word in value if word)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Call]:
        if not self.calls:
            return ()
        return (Call(luck.choice(["", *sorted(self.sides)]), luck.choice(sorted(self.calls))),)
