"""What somebody says before play: the wish, and how it is read and written. Part of
reservations."""

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
    from scorekeeper.ruleset.joint import Rules

ORDINARY, RESERVED, VOLUNTARY = "ordinary", "reserved", "voluntary"


class Wish(NamedTuple):
    """What a player says: `kind` is a contract, ORDINARY, or RESERVED (they will name it later);
    `raises` are calls that make it stronger; `voluntary`: it is not the solo that they owe."""

    kind: str
    raises: tuple[str, ...] = ()
    voluntary: bool = False

    @property
    def names_contract(self) -> bool:
        """Whether it names a contract."""
        return self.kind not in (ORDINARY, RESERVED)

    @property
    def words(self) -> tuple[str, ...]:
        """The program's words for it, in the order in which they are written."""
        return (self.kind, *self.raises, *((VOLUNTARY,) if self.voluntary else ()))


def spoken(rules: Rules, words: Iterable[str]) -> str:
    """The game's own words for these."""
    return " ".join(map(rules.spoken, words))


class WishSyntax(Syntax):
    """The kind of wish, then calls that raise it, and the word for a voluntary one. Only `solos`
    can be voluntary."""

    form = mark("RESERVATION")

    def __init__(
        self, contracts: Iterable[str], solos: Iterable[str], raises: Iterable[str]
    ) -> None:
        self.kinds = {ORDINARY, RESERVED, *contracts}
        self.solos = set(solos)
        self.raises = set(raises)

    def fits(self, text: str, notation: Spelling) -> bool:
        return notation.opening(text)[0] in self.kinds

    def read(self, text: str, notation: Spelling) -> Wish:
        kind, rest = notation.opening(text)
        if kind not in self.kinds:
            words = ", ".join(map(notation.say, sorted(self.kinds)))
            raise Unreadable(
                tr("one of {words} must follow, found “{text}”", words=words, text=clean(text))
            )
        return self.read_rest(kind, rest, notation)

    def read_rest(self, kind: str, rest: str, notation: Spelling) -> Wish:
        """The wish of that kind, with the words that follow it. Raises Unreadable for words that
        cannot."""
        raises: list[str] = []
        voluntary = False
        while rest:
            unread, (word, rest) = rest, notation.opening(rest)
            if word == VOLUNTARY and kind in self.solos:
                voluntary = True
            elif word in self.raises and kind in self.kinds - {ORDINARY, RESERVED}:
                raises.append(word)
            else:
                raise Unreadable(
                    tr(
                        "“{text}” cannot follow {word}",
                        text=clean(unread),
                        word=notation.say(kind),
                    )
                )
        return Wish(kind, tuple(raises), voluntary)

    def show(self, value: Wish, notation: Spelling) -> str:
        return " ".join(map(notation.say, value.words))

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Wish]:
        kind = luck.choice(sorted(self.kinds))
        if kind in (ORDINARY, RESERVED):
            return (Wish(kind),)
        raises = luck.sample(sorted(self.raises), min(len(self.raises), luck.randint(0, 1)))
        return (Wish(kind, tuple(raises), kind in self.solos and luck.random() < 0.5),)
