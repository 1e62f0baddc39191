"""Trick games with small packs and careless players, judged by a referee who sees no hands.

The dealer knows all cards and so knows what really happened. All possible worlds are computed next
to the match. The rules here decide which acts depend on a hand, and when such an act is broken.

A player follows suit if possible. Spades are trump. The highest trump wins, or else the highest
card of the led suit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorekeeper import Match, load_ruleset
from tests.oracle.worlds import Small, Worlds

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.oracle.worlds import Act, Heap, World

    # The cards of a trick, with the seats that played them.
    Laid = list[tuple[int, str]]

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
TRUMP = "S"


class Shape(NamedTuple):
    """The size of a game."""

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
OBEYS = 0.8  # The chance that a player who can follow suit does so.
BACK = 0.08  # The chance that a played card is withdrawn.
HOLDS = 0.1  # The chance that some cards of a hand are seen.
ENTERED = 0.15  # The chance that a hand is given before play.
LOOKED_AT = 0.02  # The chance that the whole hand is given.


class Careless:
    """One deal, played entry by entry. `checked` is called after each entry.

    `broken` are the entries of acts that really broke a rule. `codes` are those of the rules
    that are compared.
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
        """Return the options of the ruleset other than its size."""
        return {}

    def empty(self) -> int:
        """Return the number of places in addition to the seats. They have no cards yet."""
        return 0

    def enter(self, text: str) -> int:
        """Record an entry with the decision that it stands. Return the entry's number."""
        if not text.endswith("!withdrawn") and self.match.judge(text).verdict == "illegal":
            text += " !stands"
        self.match.record(text)
        self.said.append(text)
        return len(self.said)

    def begin(self, checked: Callable[[], None]) -> None:
        """Enter some hands."""
        for seat, name in enumerate(self.names):
            if self.random.random() < ENTERED:
                self.enter(f"hand {name}: {' '.join(self.hands[seat])}")
                self.worlds.entered(seat, self.hands[seat])
                checked()

    def play(self, checked: Callable[[], None]) -> None:
        """Play all tricks."""
        leader = 0
        while self.hands[leader]:
            leader = self.trick(leader, checked)

    def trick(self, leader: int, checked: Callable[[], None]) -> int:
        """Play a trick. Return the winner's seat."""
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
        """Enter, now and then, that some or all cards of a player are seen."""
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
        """Play a card and withdraw it.

        The withdrawal changes no hand, but the card was seen and may have broken a rule.
        """
        card = self.random.choice(self.hands[seat])
        number = self.enter(f"{self.names[seat]}: {card} !withdrawn")
        self.worlds.held(seat, [card])
        self.judge(number, seat, card, laid)
        checked()

    def choose(self, seat: int, led: str) -> str:
        """Return a card of the hand, which mostly follows suit."""
        hand = self.hands[seat]
        following = [card for card in hand if card[1] == led]
        return self.random.choice(following if following and self.random.random() < OBEYS else hand)

    def lay(self, seat: int, card: str, laid: Laid) -> None:
        """Play a card to a trick."""
        number = self.enter(f"{self.names[seat]}: {card}")
        self.worlds.held(seat, [card])
        self.judge(number, seat, card, laid)
        self.worlds.moved(seat, None, [card])
        self.hands[seat].remove(card)

    def judge(self, number: int, seat: int, card: str, laid: Laid) -> None:
        """Ask, for a card that does not follow, whether the player has none of the suit."""
        if laid and card[1] != laid[0][1][1]:
            suit = self.suit(laid[0][1][1])
            self.ask((number, "tricks.follow"), lambda world: bool(world[seat] & suit))

    def suit(self, suit: str) -> Heap:
        """Return all cards of a suit."""
        return self.pack.set_of(kind for kind in self.pack.kinds if kind[1] == suit)

    def ask(self, act: Act, broken: Callable[[World], bool]) -> None:
        """Note an act that depends on a hand."""
        self.worlds.asked(act, broken)
        if broken(tuple(map(self.pack.heap, self.hands))):
            self.broken.add(act)


def winner(laid: Laid, ranks: str) -> int:
    """Return the seat that wins a trick. Of equal cards the first wins."""
    best = TRUMP if any(card[1] == TRUMP for _, card in laid) else laid[0][1][1]
    rivals = [
        (ranks.index(card[0]), step) for step, (_, card) in enumerate(laid) if card[1] == best
    ]
    return laid[min(rivals)[1]][0]
