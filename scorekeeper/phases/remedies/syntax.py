"""How claims, weights and waivers are read and written. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import is_signed
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.entry import Verb
from scorekeeper.notation.syntax import Of, Syntax, clean, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation.syntax import Spelling

MOST_ENTRIES = 9999
MOST_OFF = 9999


class Ref(NamedTuple):
    """An entry: its number, and the number of its round (0: this one)."""

    number: int
    round: int = 0

    @property
    def text(self) -> str:
        """As it is typed: `5`, or `1.47`."""
        return f"{self.round}.{self.number}" if self.round else str(self.number)


class Claim(NamedTuple):
    """What is claimed: the entry `at` which it happened, or what is `told` (a row of [remedies])
    of a player `of`; with a `weight` (the word of a choice, "": none was said), or how many
    `points` are taken off."""

    at: Ref | None
    told: str = ""
    of: int = -1
    weight: str = ""
    points: int = 0


def spoken_of(claim: Claim) -> tuple[int, int] | None:
    """The round and the number of the entry that a claim names; None for what is told."""
    return None if claim.at is None else (claim.at.round, claim.at.number)


def _is_ref(token: str) -> bool:
    digits = token.replace(".", "", 1)
    return digits.isascii() and digits.isdigit()


def _ref(token: str) -> Ref:
    head, dot, tail = token.partition(".")
    if not dot:
        return Ref(whole(head, 1, MOST_ENTRIES))
    return Ref(whole(tail, 1, MOST_ENTRIES), whole(head, 1, MOST_ENTRIES))


class ClaimSyntax(Syntax):
    """The number of an entry, or what is told of whom; then perhaps how it weighs. `weights` are
    the words of the choices, `told` the rows that may be told; `called` is what these are called
    in the language that is spoken."""

    names_players = True

    def __init__(
        self, weights: Iterable[str], told: Iterable[str], called: Callable[[str], str]
    ) -> None:
        self.weights = list(dict.fromkeys(weights))
        self.told = list(told)
        self.called = called
        self.form = mark("ENTRY [WEIGHT]")

    def read(self, text: str, notation: Spelling) -> Claim:
        head, _, rest = text.partition(" ")
        if _is_ref(head):
            return Claim(_ref(head), weight=self._weight(rest.strip(), notation))
        told, rest = notation.opening(text)
        if told not in self.told:
            names = ", ".join(map(self.called, self.told))
            say = tr("the number of an entry must follow")
            if names:
                say = tr(
                    "the number of an entry must follow, or one of {words} and a name", words=names
                )
            raise Unreadable(
                tr("{say}, found “{text}”", say=say, text=clean(text)) if text else say
            )
        if not rest:
            raise Unreadable(tr("after {word} must follow who did it", word=notation.say(told)))
        try:
            return Claim(None, told, notation.seat(rest))
        except Unreadable:
            name, _, last = rest.rpartition(" ")
            if not name:
                raise
        of = notation.seat(name)
        if is_signed(last):
            return Claim(None, told, of, points=-abs(whole(last, -MOST_OFF, MOST_OFF)))
        return Claim(None, told, of, self._weight(last, notation))

    def _weight(self, text: str, notation: Spelling) -> str:
        word = notation.canonical(text) if text else ""
        if word not in ("", *self.weights) or (text and not word):
            names = ", ".join(map(self.called, self.weights))
            raise Unreadable(
                tr("“{text}” is no weight; weights are {words}", text=clean(text), words=names)
            )
        return word

    def show(self, value: Claim, notation: Spelling) -> str:
        what = [value.at.text] if value.at is not None else []
        if value.told:
            what = [notation.say(value.told), notation.names[value.of]]
        if value.weight:
            what.append(notation.say(value.weight))
        return " ".join(what) + (f" {value.points}" if value.points else "")

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Claim]:
        weight = luck.choice(["", *self.weights])
        if self.told and luck.random() < 0.3:
            return (Claim(None, luck.choice(self.told), 0, weight),)
        return (Claim(Ref(luck.randint(1, 12)), weight=weight),)


class ClaimVerb(Verb):
    """The verb of claims: its form names what may be told."""

    __slots__ = ()

    @property
    def form(self) -> str:
        claim = self.syntax.inner if isinstance(self.syntax, Of) else None
        if not (isinstance(claim, ClaimSyntax) and claim.told):
            return super().form
        form = tr(
            "ENTRY [WEIGHT] or {words} NAME [WEIGHT or POINTS]",
            words="|".join(map(claim.called, claim.told)),
        )
        return tr("NAME: {form}", form=form)


class WeighSyntax(ClaimSyntax):
    """The number of an entry, and how it weighs."""

    names_players = False

    def __init__(self, weights: Iterable[str], called: Callable[[str], str]) -> None:
        super().__init__(weights, (), called)
        self.form = mark("ENTRY WEIGHT")

    def read(self, text: str, notation: Spelling) -> Claim:
        found = super().read(text, notation)
        if not found.weight:
            names = ", ".join(map(self.called, self.weights))
            raise Unreadable(tr("one of {words} must follow the number", words=names))
        return found

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Claim]:
        return (Claim(Ref(luck.randint(1, 12)), weight=luck.choice(self.weights)),)


class WaiveSyntax(Syntax):
    """Names joined by `+`, or the word for all (then there are none)."""

    names_players = True
    form = mark("NAME + NAME or all")

    def read(self, text: str, notation: Spelling) -> tuple[int, ...]:
        if notation.canonical(text) == "all":
            return ()
        if not text:
            raise Unreadable(tr("a name must follow, or the word for all"))
        return tuple(dict.fromkeys(notation.seat(name.strip()) for name in text.split("+")))

    def show(self, value: tuple[int, ...], notation: Spelling) -> str:
        return " + ".join(notation.names[seat] for seat in value) or notation.say("all")

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[int, ...]]:
        return ((), (luck.randint(0, len(notation.names) - 1),))
