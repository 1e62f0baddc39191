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

    from tests.oracle.worlds import Act, Heap, World

    # The cards of a trick, and by whom.
    Laid = list[tuple[int, str]]

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
TRUMP = "S"


class Shape(NamedTuple):
    """How large a game is."""

    players: int
    ranks: str
    suits: str
    copies: int
    cards: int


NO_REST = [
    Shape(2, "AKQJ", "CS", 1, 4),
    Shape(3, "AKQ", "CSH", 1, 3),
    Shape(4, "AKQJ", "CS", 1, 2),
    Shape(2, "AK", "CS", 2, 4),
    Shape(3, "AK", "CSH", 2, 4),
]
SOME_LEFT = [
    Shape(3, "AKQJ", "CS", 1, 2),
    Shape(3, "AKQJT", "CS", 1, 3),
    Shape(3, "AKQ", "CS", 2, 3),
]
TO_DRAW = [
    Shape(2, "AKQJ", "CS", 1, 3),
    Shape(2, "AKQJ", "CS", 1, 2),
    Shape(3, "AKQ", "CSH", 1, 2),
    Shape(2, "AK", "CS", 2, 2),
    Shape(3, "AKQ", "CS", 2, 2),
]
TO_PAIR = [
    Shape(2, "AK", "CS", 2, 4),
    Shape(2, "AKQ", "CS", 2, 5),
    Shape(3, "AKQ", "CS", 2, 4),
    Shape(3, "AKQ", "CS", 2, 3),
    Shape(4, "AKQ", "CS", 2, 3),
    Shape(2, "AK", "CS", 3, 6),
    Shape(3, "AK", "CS", 3, 4),
]
TO_RUN = [
    Shape(2, "AKQ", "CS", 2, 6),
    Shape(2, "AKQ", "CS", 2, 5),
    Shape(2, "AKQJ", "CS", 2, 7),
    Shape(3, "AKQ", "CS", 2, 4),
]
WITH_QUEENS = [
    Shape(2, "AKQ", "CS", 2, 5),
    Shape(3, "AKQ", "CSH", 1, 3),
    Shape(3, "AKQ", "CS", 2, 4),
    Shape(4, "AKQ", "CS", 2, 3),
]
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
BACK = 0.08  # how often a card is laid that is taken back
HOLDS = 0.1  # how often something in somebody's hand is seen
ENTERED = 0.15  # how often a hand is given before play
LOOKED_AT = 0.02  # how often all of it is


class Careless:
    """One deal, played on entry by entry; `checked` is called after each.

    `broken` are the entries of acts that really were against a rule; `codes` those of the rules
    that are looked at.
    """

    codes = frozenset({"tricks.follow"})

    ruleset = "small"

    def __init__(self, shape: Shape, random: Random) -> None:
        self.random = random
        self.shape = shape
        self.names = NAMES[: shape.players]
        kinds = [rank + suit for suit in shape.suits for rank in shape.ranks]
        self.pack = Small(kinds, shape.copies)
        options: dict[str, object] = {
            "players.counts": [shape.players],
            "pack.ranks": " ".join(shape.ranks),
            "pack.suits": " ".join(shape.suits),
            "pack.copies": shape.copies,
            "deal.cards": shape.cards,
            **self.options(),
        }
        self.match = Match(load_ruleset(self.ruleset, **options), self.names)
        cards = [kind for kind in kinds for _ in range(shape.copies)]
        random.shuffle(cards)
        size = shape.cards
        self.hands = [cards[seat * size :][:size] for seat in range(shape.players)]
        self.rest = cards[size * shape.players :]
        sizes = [*map(len, self.hands), len(self.rest), *[0] * self.empty()]
        self.worlds = Worlds(self.pack, sizes)
        self.said: list[str] = []
        self.rules = [f"[{key} = {value}]" for key, value in self.options().items()]
        self.broken: set[Act] = set()

    def options(self) -> dict[str, object]:
        """What is set of the ruleset besides its size."""
        return {}

    def empty(self) -> int:
        """How many more places there are, in which no card lies yet."""
        return 0

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
        laid: Laid = []
        for step in range(len(self.names)):
            seat = (leader + step) % len(self.names)
            led = laid[0][1][1] if laid else ""
            self.beside(checked)
            while self.random.random() < BACK:
                self.take_back(seat, laid, checked)
                self.beside(checked)
            card = self.choose(seat, led)
            self.lay(seat, card, laid)
            laid.append((seat, card))
            checked()
        return winner(laid, self.shape.ranks)

    def beside(self, checked: Callable[[], None]) -> None:
        """Now and then somebody's cards are seen, or all of them."""
        seat = self.random.randrange(len(self.names))
        name, hand, chance = self.names[seat], self.hands[seat], self.random.random()
        if chance > HOLDS or not hand:
            return
        if chance < LOOKED_AT:
            self.enter(f"hand {name}: {' '.join(hand)}")
            self.worlds.entered(seat, hand)
        else:
            cards = self.random.sample(hand, self.random.randint(1, min(2, len(hand))))
            self.enter(f"holds {name}: {' '.join(cards)}")
            self.worlds.held(seat, cards)
        checked()

    def take_back(self, seat: int, laid: Laid, checked: Callable[[], None]) -> None:
        """A card is laid and taken back: that changes nothing, but it was seen, and it may have
        been against a rule."""
        card = self.random.choice(self.hands[seat])
        number = self.enter(f"{self.names[seat]}: {card} !withdrawn")
        self.worlds.held(seat, [card])
        self.judge(number, seat, card, laid)
        checked()

    def choose(self, seat: int, led: str) -> str:
        """A card of the hand; mostly one that follows."""
        hand = self.hands[seat]
        following = [card for card in hand if card[1] == led]
        return self.random.choice(following if following and self.random.random() < OBEYS else hand)

    def lay(self, seat: int, card: str, laid: Laid) -> None:
        """A card is laid to a trick."""
        number = self.enter(f"{self.names[seat]}: {card}")
        self.worlds.held(seat, [card])
        self.judge(number, seat, card, laid)
        self.worlds.moved(seat, None, [card])
        self.hands[seat].remove(card)

    def judge(self, number: int, seat: int, card: str, laid: Laid) -> None:
        """Who does not follow had better have no card of that suit."""
        if laid and card[1] != laid[0][1][1]:
            suit = self.suit(laid[0][1][1])
            self.ask((number, "tricks.follow"), lambda world: bool(world[seat] & suit))

    def suit(self, suit: str) -> Heap:
        """All cards of a suit."""
        return self.pack.set_of(kind for kind in self.pack.kinds if kind[1] == suit)

    def ask(self, act: Act, broken: Callable[[World], bool]) -> None:
        """An act that hangs on a hand was done."""
        self.worlds.asked(act, broken)
        if broken(tuple(map(self.pack.heap, self.hands))):
            self.broken.add(act)


def winner(laid: Laid, ranks: str) -> int:
    """Who wins a trick: of equal cards the first."""
    best = TRUMP if any(card[1] == TRUMP for _, card in laid) else laid[0][1][1]
    rivals = [
        (ranks.index(card[0]), step) for step, (_, card) in enumerate(laid) if card[1] == best
    ]
    return laid[min(rivals)[1]][0]
