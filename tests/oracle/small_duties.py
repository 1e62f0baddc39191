"""Small games that demand more of a hand than to follow suit.

One has a row of duties, each within the cards that the duties before it leave. The other has
random conditions on the number of cards of some sets in the hand or the dealt hand, joined by
and, or, not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle.small_tricks import TRUMP, Careless, Shape, winner
from tests.oracle.worlds import Small

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.oracle.small_tricks import Laid
    from tests.oracle.worlds import Heap, World

    # A condition on the current hand and on the dealt hand.
    Condition = Callable[[Heap, Heap], bool]

DUTIES = {
    "clauses.overtaking": {
        "word": "duty",
        "phase": "tricks",
        "cards": "trumps & beating",
        "when": "count(led & trumps) > 0",
        "cite": "2.1",
    },
    "clauses.trumping": {
        "word": "duty",
        "phase": "tricks",
        "cards": "trumps",
        "when": "not trick.leads and count(led & trumps) == 0",
        "cite": "2.1",
    },
    "clauses.overtrumping": {
        "word": "duty",
        "phase": "tricks",
        "cards": "trumps & beating",
        "when": "not trick.leads and count(led & trumps) == 0",
        "cite": "2.1",
    },
}


class Dutiful(Careless):
    """A game in which players follow suit, else trump, and beat the trick if they can."""

    codes = frozenset({"tricks.follow", *(key.replace("clauses", "tricks") for key in DUTIES)})

    def options(self) -> dict[str, object]:
        """Return the duties in addition to following."""
        return dict(DUTIES)

    def rows(self, laid: Laid) -> list[tuple[str, Heap]]:
        """Return the sets of which a card must be played, in the order of their rows."""
        led, trumps = laid[0][1][1], self.suit(TRUMP)
        beating = self.pack.set_of(
            kind for kind in self.pack.kinds if winner([*laid, (-1, kind)], self.shape.ranks) < 0
        )
        rows = [("follow", self.suit(led))]
        if led == TRUMP:
            return [*rows, ("overtaking", trumps & beating)]
        return [*rows, ("trumping", trumps), ("overtrumping", trumps & beating)]

    def judge(self, number: int, seat: int, card: str, laid: Laid) -> None:
        """Ask for each row whether the card breaks it as the first row."""
        rows = self.rows(laid) if laid else []
        for row, cards in rows:
            if not cards & self.pack.set_of([card]):
                self.ask((number, f"tricks.{row}"), self.breaking(seat, card, rows, row))

    def breaking(
        self, seat: int, card: str, rows: list[tuple[str, Heap]], row: str
    ) -> Callable[[World], bool]:
        """Return a function that says whether the card breaks this row in a given world."""
        laid = self.pack.set_of([card])
        return lambda world: first_broken(world[seat], laid, rows) == row


def first_broken(hand: Heap, card: Heap, rows: list[tuple[str, Heap]]) -> str:
    """Return the first row that a card of this hand breaks, or ""."""
    for row, cards in rows:
        if hand & cards:
            if not card & cards:
                return row
            hand &= cards
    return ""


class Conditional(Careless):
    """A game with a condition on every played card in addition to following. Each deal has another
    one."""

    codes = frozenset({"tricks.follow", "tricks.odd"})
    asks_dealt = 0.3

    def __init__(self, shape: Shape, random: Random) -> None:
        kinds = [rank + suit for suit in shape.suits for rank in shape.ranks]
        self.sets = [random.sample(kinds, random.randint(1, len(kinds) - 1)) for _ in range(3)]
        self.text, self.holds = self.condition(random, 2, Small(kinds, shape.copies))
        super().__init__(shape, random)
        self.gone = [list[str]() for _ in self.hands]

    def options(self) -> dict[str, object]:
        """Return the condition, and the sets that it names."""
        names = {f"let.set_{number}": cards for number, cards in enumerate(self.sets)}
        row = {"word": "require", "phase": "tricks", "on": ["play"], "must": self.text}
        return {**super().options(), **names, "clauses.odd": {**row, "cite": "2.1"}}

    def condition(self, random: Random, depth: int, pack: Small) -> tuple[str, Condition]:
        """Return a random condition as text for a ruleset and as a function."""
        if not depth or random.random() < 0.3:
            return self.comparison(random, pack)
        parts = [self.condition(random, depth - 1, pack) for _ in range(2)]
        (one, holds_one), (other, holds_other) = parts
        if random.random() < 0.2:
            return f"not ({one})", lambda now, dealt: not holds_one(now, dealt)
        if random.random() < 0.5:
            return (
                f"({one}) and ({other})",
                lambda *heaps: holds_one(*heaps) and holds_other(*heaps),
            )
        return f"({one}) or ({other})", lambda *heaps: holds_one(*heaps) or holds_other(*heaps)

    def comparison(self, random: Random, pack: Small) -> tuple[str, Condition]:
        """Return a condition on the number of cards of a set in the current or the dealt hand."""
        chosen, number = random.randrange(len(self.sets)), random.randint(0, 2)
        cards, dealt = pack.set_of(self.sets[chosen]), random.random() < self.asks_dealt
        sign = random.choice(["<=", ">="])
        text = f"count({'dealt' if dealt else 'hand'} & set_{chosen}) {sign} {number}"

        def holds(now: Heap, before: Heap) -> bool:
            count = ((before if dealt else now) & cards).bit_count()
            return count <= number if sign == "<=" else count >= number

        return text, holds

    def judge(self, number: int, seat: int, card: str, laid: Laid) -> None:
        """Ask about following and about the condition."""
        super().judge(number, seat, card, laid)
        gone = self.gone[seat].copy()

        def broken(world: World) -> bool:
            dealt = world[seat]
            for each in gone:
                dealt = self.pack.add(dealt, each)
            return not self.holds(world[seat], dealt)

        self.ask((number, "tricks.odd"), broken)

    def lay(self, seat: int, card: str, laid: Laid) -> None:
        """Play a card, and remember it as a card that was dealt."""
        super().lay(seat, card, laid)
        self.gone[seat].append(card)
