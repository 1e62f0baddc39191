"""What lies on the table in a bout, and how several cards are written. Part of bouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.copying import copied_slots
from scorekeeper.core.failures import Unreadable
from scorekeeper.notation.syntax import Cards, Syntax, clean

if TYPE_CHECKING:
    from scorekeeper.notation import Notation

    Laid = tuple[tuple[int, tuple[int, ...]], ...]


class CardsOn(Cards):
    """The attack, then what covers it."""

    form = "ATTACK CARD"

    def __init__(self) -> None:
        super().__init__(2, 2)


class Hands(Syntax):
    """Several players' cards at one moment: `X: 6H / Z: 6S 6D`."""

    form = "NAME: CARD… / NAME: CARD…"

    def read(self, text: str, notation: Notation) -> Laid:
        cards = Cards()
        laid: dict[int, tuple[int, ...]] = {}
        for part in text.split("/"):
            name, colon, rest = part.partition(":")
            if not colon:
                raise Unreadable(f"a name, a colon and cards must follow, found “{clean(part)}”")
            seat = notation.seat(name)
            laid[seat] = (*laid.get(seat, ()), *cards.read(rest, notation))
        return tuple(laid.items())

    def show(self, value: Laid, notation: Notation) -> str:
        cards = Cards()
        shown = [f"{notation.names[seat]}: {cards.show(kinds, notation)}" for seat, kinds in value]
        return " / ".join(shown)


class Draw:
    """What a player drew after the last bout.

    `left`: how many of these cards nobody has named; `last`: the turned-up card, if it is one of
    them; `shown`: what he has shown since; `old`: a mask of what he surely held before, and of
    what has been named.
    """

    __slots__ = ("last", "left", "old", "shown")

    def __init__(self, left: int, old: int) -> None:
        self.left = left
        self.old = old
        self.last: int | None = None
        self.shown: list[int] = []

    def copy(self) -> Draw:
        """The same draw, to go on apart from this one."""
        return copied_slots(self)


class State:
    """A round's bouts. Seats and cards are numbers.

    The table: `attacks` with `by` whom and their `covers` (None where one lies open), `ranks` a
    mask of the ranks that lie there. `limit`: the most attacks of this bout. `taking`: the
    defender has said that he takes. `attackers`: who may add, in playing order. `may_lead`: who
    may open the first bout, where that is not certain. `talon` counts the turned-up card, which
    is None when nobody knows it. `drawn`: the draws after the last bout, by seat, in order;
    `drew`: who has taken up any card; `returned`: what was turned up at the deal and put back, so
    that only who has drawn can have it.
    `news`: how the last bout ended, until the next lead.
    `watched`: who led the first bout by a rule about hands; `shown`: what he has shown since, and
    what others had in the hand since the deal: the card and whose.
    """

    __slots__ = (
        "attackers",
        "attacks",
        "by",
        "certain",
        "covers",
        "defender",
        "drawn",
        "drew",
        "ended",
        "leader",
        "limit",
        "losers",
        "may_lead",
        "news",
        "open",
        "out",
        "over",
        "passed",
        "ranks",
        "returned",
        "shown",
        "taking",
        "talon",
        "trump",
        "turned",
        "watched",
    )

    def __init__(self) -> None:
        self.talon = 0
        self.turned: int | None = None
        self.returned: tuple[int, ...] = ()
        self.trump = ""
        self.certain: bool | None = None
        self.out: list[int] = []
        self.leader = self.defender = 0
        self.attackers: list[int] = []
        self.may_lead: list[int] = []
        self.limit = 0
        self.ended = 0
        self.drawn: dict[int, Draw] = {}
        self.drew: set[int] = set()
        self.news: dict[str, Any] = {}
        self.losers: tuple[int, ...] = ()
        self.over = False
        self.watched: int | None = None
        self.shown: dict[int, int] = {}
        self.clear()

    def clear(self) -> None:
        """An empty table."""
        self.attacks: list[int] = []
        self.by: list[int] = []
        self.covers: list[int | None] = []
        self.ranks = self.open = 0
        self.taking = False
        self.passed: set[int] = set()

    def lying(self) -> list[int]:
        """Every card on the table."""
        return [*self.attacks, *(kind for kind in self.covers if kind is not None)]

    def uncovered(self) -> list[int]:
        """The attacks that lie open."""
        return [k for k, cover in zip(self.attacks, self.covers, strict=True) if cover is None]
