"""What is done and said in a deal of bouts, and how its cards are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.notation.entry import OneCard, Verb
from scorekeeper.notation.syntax import (
    Cards,
    CardsOrCount,
    Nothing,
    Number,
    Suit,
    Syntax,
    Who,
    clean,
)
from scorekeeper.ruleset.phase import actor_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling

    Laid = tuple[tuple[int, tuple[int, ...]], ...]  # whose hand, and the cards out of it


class CardsOn(Cards):
    """The attack, then what covers it."""

    form = mark("ATTACK CARD")

    def __init__(self) -> None:
        super().__init__(2, 2)


class Hands(Syntax):
    """Several players' cards at one moment: `X: 6H / Z: 6S 6D`."""

    names_players = True
    form = mark("NAME: CARD… / NAME: CARD…")

    def read(self, text: str, notation: Spelling) -> Laid:
        cards = Cards()
        laid: dict[int, tuple[int, ...]] = {}
        for part in text.split("/"):
            name, colon, rest = part.partition(":")
            if not colon:
                raise Unreadable(
                    tr("a name, a colon and cards must follow, found “{part}”", part=clean(part))
                )
            seat = notation.seat(name)
            laid[seat] = (*laid.get(seat, ()), *cards.read(rest, notation))
        return tuple(laid.items())

    def show(self, value: Laid, notation: Spelling) -> str:
        cards = Cards()
        shown = [f"{notation.names[seat]}: {cards.show(kinds, notation)}" for seat, kinds in value]
        return " / ".join(shown)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Laid]:
        seats = luck.sample(range(len(notation.names)), min(2, len(notation.names)))
        one = Cards(1, 1)
        return (tuple((seat, *one.sample(luck, notation)) for seat in seats),)


ATTACK = Verb("attack", Cards(), mark("leads cards, or adds them"), turn=True, cards=True)
ADD = "add"  # what prompts call an attack that is not the first
COVERING = Verb(
    "cover", OneCard(), mark("covers the attack that it can cover"), turn=True, short=True
)
COVER = Verb("cover", CardsOn(), mark("covers an attack"), turn=True, brief=COVERING)
TRANSFER = Verb("transfer", Cards(), mark("the attacks go on to the next"), turn=True, cards=True)
TAKE = Verb("take", Nothing(), mark("takes what lies there"), turn=True)
PASS = Verb("pass", Nothing(), mark("adds nothing"), everyone=True, alone=True)
DRAW = Verb("draw", CardsOrCount(), mark("cards seen when they were drawn"))
TOGETHER = Verb("together", Hands(), mark("attacks laid at the same time"), table=True)
TURNUP = Verb(
    "turnup",
    Cards(1, 1),
    mark("the card that shows trump"),
    table=True,
    fact=True,
    gathers=True,
    says="trump",
)
TRUMP = Verb("trump", Suit(), mark("the trump suit"), table=True, fact=True, gathers=True)
TALON = Verb("talon", Number(0, 999), mark("how many cards are to be drawn"), table=True, fact=True)
TOUCH = Verb("touch", Who(), mark("touched the pack before the deal"), table=True, fact=True)

VERBS = (
    *(ATTACK, COVER, TRANSFER, TAKE, PASS, DRAW),
    *(TOGETHER, TURNUP, TRUMP, TALON, TOUCH),
)
LAYING = (ATTACK, COVER, TRANSFER, TOGETHER)  # cards out of hands on the table


def cards_by_seat(entry: Entry) -> Laid:
    """The cards that an entry takes out of hands, or shows there."""
    if entry.verb is TOGETHER:
        laid: Laid = entry.value
        return laid
    if entry.verb is COVER:
        return ((actor_of(entry), entry.value[1:]),)
    if entry.verb is DRAW and isinstance(entry.value, int):
        return ()  # nobody but who drew them saw them
    return ((actor_of(entry), entry.value),) if entry.verb in (ATTACK, TRANSFER, DRAW) else ()


def each_card(entry: Entry) -> Iterator[tuple[int, int]]:
    """The same cards one by one, each with its seat."""
    for seat, kinds in cards_by_seat(entry):
        for kind in kinds:
            yield seat, kind
