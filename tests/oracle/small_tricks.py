"""Small packs played to tricks by careless people, told to a referee who sees no hands.

Who deals knows all cards and so what really happened. Beside the match all worlds are kept; which
acts hang on a hand, and when such an act is broken, is said here from the rules alone: a card of
the suit led is laid by who has one, spades are trump, the highest trump wins, else the highest of
the suit led.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorekeeper import Match, load_ruleset
from tests.oracle.worlds import Small, Worlds

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.oracle.worlds import World

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
TRUMP = "S"


class Shape(NamedTuple):
    """How large a game is."""

    players: int
    ranks: str
    suits: str
    copies: int
    cards: int


SHAPES = [
    Shape(2, "AKQJ", "CS", 1, 4),
    Shape(2, "AKQ", "CSH", 1, 4),
    Shape(2, "AKQJ", "CSH", 1, 5),
    Shape(3, "AKQ", "CSH", 1, 3),
    Shape(3, "AKQJ", "CS", 1, 2),
    Shape(3, "AKQJT", "CS", 1, 3),
    Shape(3, "AKQJ", "CSH", 1, 4),
    Shape(4, "AKQJ", "CS", 1, 2),
    Shape(2, "AK", "CS", 2, 4),
    Shape(3, "AKQ", "CS", 2, 4),
    Shape(3, "AK", "CSH", 2, 3),
    Shape(4, "AKQ", "CS", 2, 3),
]
OBEYS = 0.8  # how often somebody who can follow suit does
BACK = 0.08  # how often a card is shown that is taken back
HOLDS = 0.08  # how often a card in somebody's hand is seen
ENTERED = 0.15  # how often a hand is given


class Careless:
    """One deal, played on entry by entry; `checked` is called after each.

    `broken` are the entries of acts that really were against a rule; `codes` those of the rules
    that are looked at.
    """

    codes = frozenset({"tricks.follow"})

    def __init__(self, shape: Shape, random: Random, ruleset: str = "small") -> None:
        self.random = random
        self.shape = shape
        self.names = NAMES[: shape.players]
        kinds = [rank + suit for suit in shape.suits for rank in shape.ranks]
        self.pack = Small(kinds, shape.copies)
        options = {
            "players.counts": [shape.players],
            "pack.ranks": " ".join(shape.ranks),
            "pack.suits": " ".join(shape.suits),
            "pack.copies": shape.copies,
            "deal.cards": shape.cards,
        }
        self.match = Match(load_ruleset(ruleset, **options), self.names)
        cards = [kind for kind in kinds for _ in range(shape.copies)]
        random.shuffle(cards)
        size = shape.cards
        self.hands = [cards[seat * size :][:size] for seat in range(shape.players)]
        self.rest = cards[size * shape.players :]
        self.worlds = Worlds(self.pack, [*map(len, self.hands), len(self.rest)])
        self.said: list[str] = []
        self.broken: set[int] = set()

    def enter(self, text: str) -> int:
        """Something happened, and the table lets it stand; the entry's number."""
        if not text.endswith("!withdrawn") and self.match.judge(text).verdict == "illegal":
            text += " !stands"
        self.match.record(text)
        self.said.append(text)
        return len(self.said)

    def begin(self, checked: Callable[[], None]) -> None:
        """Some hands are given."""
        for seat, name in enumerate(self.names):
            if self.random.random() < ENTERED:
                self.enter(f"hand {name}: {' '.join(self.hands[seat])}")
                self.worlds.entered(seat, self.hands[seat])
                checked()

    def play(self, checked: Callable[[], None]) -> None:
        """All tricks."""
        leader = 0
        while self.hands[leader]:
            leader = self.trick(leader, checked)

    def trick(self, leader: int, checked: Callable[[], None]) -> int:
        """One trick; who wins it."""
        laid: list[tuple[int, str]] = []
        for step in range(len(self.names)):
            seat = (leader + step) % len(self.names)
            led = laid[0][1][1] if laid else ""
            self.beside(checked)
            if self.random.random() < BACK:
                self.take_back(seat, checked)
            card = self.choose(seat, led)
            self.lay(seat, card, led)
            laid.append((seat, card))
            checked()
        return winner(laid, self.shape.ranks)

    def beside(self, checked: Callable[[], None]) -> None:
        """Now and then somebody's cards are seen."""
        if self.random.random() < HOLDS:
            seat = self.random.randrange(len(self.names))
            if self.hands[seat]:
                size = self.random.randint(1, min(2, len(self.hands[seat])))
                cards = self.random.sample(self.hands[seat], size)
                self.enter(f"holds {self.names[seat]}: {' '.join(cards)}")
                self.worlds.held(seat, cards)
                checked()

    def take_back(self, seat: int, checked: Callable[[], None]) -> None:
        """A card is shown and taken back: that changes nothing, but it was seen."""
        card = self.random.choice(self.hands[seat])
        self.enter(f"{self.names[seat]}: {card} !withdrawn")
        self.worlds.held(seat, [card])
        checked()

    def choose(self, seat: int, led: str) -> str:
        """A card of the hand; mostly one that follows."""
        hand = self.hands[seat]
        following = [card for card in hand if card[1] == led]
        return self.random.choice(following if following and self.random.random() < OBEYS else hand)

    def lay(self, seat: int, card: str, led: str) -> None:
        """A card is laid: who does not follow had better have no card of that suit."""
        number = self.enter(f"{self.names[seat]}: {card}")
        self.worlds.held(seat, [card])
        if led and card[1] != led:
            suit = self.pack.set_of(kind for kind in self.pack.kinds if kind[1] == led)
            self.ask(number, seat, lambda world: bool(world[seat] & suit))
        self.worlds.moved(seat, None, [card])
        self.hands[seat].remove(card)

    def ask(self, number: int, seat: int, broken: Callable[[World], bool]) -> None:
        """An act that hangs on that hand was done with an entry."""
        self.worlds.asked(number, broken)
        if broken(tuple(map(self.pack.heap, self.hands))):
            self.broken.add(number)


def winner(laid: list[tuple[int, str]], ranks: str) -> int:
    """Who wins a trick: of equal cards the first."""
    best = TRUMP if any(card[1] == TRUMP for _, card in laid) else laid[0][1][1]
    rivals = [
        (ranks.index(card[0]), step) for step, (_, card) in enumerate(laid) if card[1] == best
    ]
    return laid[min(rivals)[1]][0]
