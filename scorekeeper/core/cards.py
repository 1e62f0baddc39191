"""Packs, hands and complete tricks as plain data, with no game rules.

A "hand" is a multiset of cards, stored as one integer made of bit planes. With K kinds in the
pack, bit `n * K + k` is set if the hand has at least n + 1 copies of kind k. Because the planes
nest, union is `|`, intersection is `&`, and `b` is contained in `a` if `b & ~a == 0`. The
hand's size is `hand.bit_count()`. A kind is a number, namely its position in the pack's order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

PlayedCards = tuple[int, tuple[int, ...]]
"""A seat, and the kinds of card that it played."""


class SuitLead(tuple[int, ...]):
    """Kinds of card that, when led, name the suit to follow.

    `suit` is the letter of that suit, and `members` are all its kinds. Two leads with the same
    cards but different suits are not equal.
    """

    suit: str
    members: tuple[int, ...]

    def __new__(cls, kinds: Iterable[int], suit: str, members: tuple[int, ...]) -> SuitLead:
        lead = super().__new__(cls, kinds)
        lead.suit, lead.members = suit, members
        return lead

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SuitLead) and self.suit == other.suit and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((tuple(self), self.suit))

    def __reduce__(self) -> tuple[object, ...]:
        return SuitLead, (tuple(self), self.suit, self.members)


class Pack:
    """The kinds of card in a game, and the number of copies of each kind.

    `kinds` lists the card codes in the pack's order, and `index` maps a code to its kind.
    `kind_count` is the number of kinds, and `card_count` the number of cards. `full` is the hand
    that contains every card. As masks, `bit[kind]` is the first copy of a kind, `column[kind]` is
    all its copies, and `first` is the whole of plane 0. `rank[kind]` and `suit[kind]` are the two
    parts of a card code. A joker's rank is its whole code, and its suit is "". `ranks` are the
    ranks of the suited cards, each listed once, strongest first.

    >>> pack = Pack(["AH", "KH"], 2, [("A", "H"), ("K", "H")])
    >>> hand = pack.add(pack.bit[0], 0)
    >>> pack.count(hand, 0), hand.bit_count()
    (2, 2)
    """

    __slots__ = (
        *("bit", "card_count", "column", "copies", "first", "full", "index", "kind_count"),
        *("kinds", "rank", "ranks", "suit"),
    )

    def __init__(
        self, kinds: Sequence[str], copies: int, suited: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Create a pack.

        `suited` lists the rank and suit of the first kinds; all further kinds are jokers. A game
        without cards has a pack without kinds. Raises ValueError if a code is repeated, or if
        `copies` is below 1.
        """
        if copies < 1:
            raise ValueError("a pack needs at least one copy")
        self.kinds = tuple(kinds)
        self.index = {code: kind for kind, code in enumerate(self.kinds)}
        if len(self.index) != len(self.kinds):
            raise ValueError("the pack has the same kind twice")
        jokers = self.kinds[len(suited) :]
        self.rank = (*[rank for rank, _ in suited], *jokers)
        self.suit = (*[suit for _, suit in suited], *[""] * len(jokers))
        self.ranks = list(dict.fromkeys(rank for rank, _ in suited))
        self.copies = copies
        self.kind_count = len(self.kinds)
        self.card_count = self.kind_count * copies
        self.first = (1 << self.kind_count) - 1
        self.full = (1 << self.card_count) - 1
        self.bit = tuple(1 << kind for kind in range(self.kind_count))
        self.column = tuple(self.all_copies(bit) for bit in self.bit)

    @classmethod
    def make(
        cls,
        ranks: Sequence[str],
        suits: Sequence[str] | Mapping[str, Sequence[str]],
        jokers: Sequence[str],
        copies: int,
    ) -> Pack:
        """Return a pack ordered by suit and then by rank, with the jokers at the end.

        `suits` may map each suit to its own ranks. A suit without its own ranks uses `ranks`.

        >>> Pack.make(["A", "K"], {"H": [], "T": ["2", "1"]}, ["XX"], 1).kinds
        ('AH', 'KH', '2T', '1T', 'XX')
        """
        own = suits if isinstance(suits, Mapping) else {}
        suited = [(rank, suit) for suit in suits for rank in own.get(suit) or ranks]
        return cls([*map("".join, suited), *jokers], copies, suited)

    def without(self, kinds: Collection[int]) -> Pack:
        """Return the pack without these kinds of card."""
        left = [kind for kind in range(self.kind_count) if kind not in kinds]
        suited = [(self.rank[kind], self.suit[kind]) for kind in left if self.suit[kind]]
        fewer = Pack([self.kinds[kind] for kind in left], self.copies, suited)
        fewer.ranks = [rank for rank in self.ranks if rank in fewer.rank]
        return fewer

    @property
    def suits(self) -> list[str]:
        """The suits, each listed once, in the pack's order."""
        return list(dict.fromkeys(filter(None, self.suit)))

    @property
    def suited(self) -> list[int]:
        """The kinds that are not jokers, in the pack's order."""
        return [kind for kind, suit in enumerate(self.suit) if suit]

    def add(self, hand: int, kind: int) -> int:
        """Return the hand with one more card of the kind. Raises ValueError if it has every copy
        already."""
        free = self.column[kind] & ~hand
        if not free:
            raise ValueError(f"more copies of {self.kinds[kind]} than the pack has")
        return hand | (free & -free)

    def remove(self, hand: int, kind: int) -> int:
        """Return the hand without one card of the kind. Raises ValueError if it has no such
        card."""
        held = self.column[kind] & hand
        if not held:
            raise ValueError(f"no {self.kinds[kind]} is there")
        return hand ^ (1 << (held.bit_length() - 1))

    def count(self, hand: int, kind: int) -> int:
        """Return how many copies of the kind the hand has."""
        return (self.column[kind] & hand).bit_count()

    def nth(self, kind: int, n: int) -> int:
        """Return the bit that is set in every hand with at least n copies of the kind (n is 1 or
        more)."""
        return self.bit[kind] << ((n - 1) * self.kind_count)

    def all_copies(self, kinds: int) -> int:
        """Return the hand with every copy of the given kinds. The kinds are a mask on plane 0."""
        mask = kinds
        for _ in range(1, self.copies):
            mask = mask << self.kind_count | kinds
        return mask

    def combine(self, left: int, right: int) -> int:
        """Return the cards of both hands. Raises ValueError if the pack has fewer copies of a
        kind."""
        if not (left and right) or (self.copies == 1 and not left & right):
            return left | right
        a, b = self._planes_at_least(left), self._planes_at_least(right)
        planes = [0] * (2 * self.copies + 1)
        for i, has in enumerate(a):
            for j, adds in enumerate(b):
                planes[i + j] |= has & adds
        if any(planes[self.copies + 1 :]):
            raise ValueError("more copies than the pack has")
        return self._stack(planes[1 : self.copies + 1])

    def combine_capped(self, left: int, right: int) -> int:
        """Return the cards of both hands, capped at the number of copies in the pack."""
        if self.copies == 1 or not left & right:
            return left | right
        kinds = [*self.kinds_in(left), *self.kinds_in(right)]
        return self.hand_of(
            kind
            for kind in range(self.kind_count)
            for _ in range(min(self.copies, kinds.count(kind)))
        )

    def take_out(self, hand: int, part: int) -> int:
        """Return the hand without the cards of `part`. Raises ValueError if one of them is
        missing."""
        if part & ~hand:
            raise ValueError("not all of these cards are there")
        return self.subtract(hand, part)

    def subtract(self, hand: int, part: int) -> int:
        """Return the hand without the cards of `part`. Cards that the hand does not have are
        ignored."""
        if not part or self.copies == 1:
            return hand & ~part
        if self.copies == 2:
            size, first = self.kind_count, self.first
            one, two = part & first, part >> size
            more = hand >> size
            return hand & first & ~one | more & ~two | (more & ~one) << size
        a, b = self._planes_at_least(hand), self._planes_at_least(part)
        planes = []
        for n in range(1, self.copies + 1):
            plane = 0
            for j in range(self.copies + 1 - n):
                plane |= a[n + j] & ~b[j + 1]
            planes.append(plane)
        return self._stack(planes)

    def kinds_in(self, hand: int) -> list[int]:
        """Return the kind of each card in the hand, in the pack's order."""
        result: list[int] = []
        rest, more = hand & self.first, hand >> self.kind_count
        while rest:
            low = rest & -rest
            kind = low.bit_length() - 1
            result += [kind] * self.count(hand, kind) if more else (kind,)
            rest ^= low
        return result

    def hand_of(self, kinds: Iterable[int]) -> int:
        """Return the hand made of these cards. Raises ValueError if the pack has fewer copies of a
        kind.

        >>> pack = Pack.make(["A", "K"], ["H", "S"], [], 2)
        >>> hand = pack.hand_of([0, 0, 3])
        >>> pack.format_hand(hand)
        'AH AH KS'
        >>> pack.format_hand(pack.subtract(hand, pack.hand_of([0])))
        'AH KS'
        """
        hand, column = 0, self.column
        for kind in kinds:
            free = column[kind] & ~hand
            if not free:
                raise ValueError(f"more copies of {self.kinds[kind]} than the pack has")
            hand |= free & -free
        return hand

    def format_kinds(self, kinds: Iterable[int]) -> str:
        """Return the codes of these cards in the given order, separated by spaces."""
        return " ".join([self.kinds[kind] for kind in kinds])

    def format_hand(self, hand: int) -> str:
        """Return the codes of the cards in the pack's order, separated by spaces."""
        return " ".join(self.kinds[kind] for kind in self.kinds_in(hand))

    def _planes_at_least(self, hand: int) -> list[int]:
        """Return a list of masks on plane 0. Mask n has the kinds with at least n copies in the
        hand."""
        planes = [hand >> (n * self.kind_count) & self.first for n in range(self.copies)]
        return [self.first, *planes]

    def _stack(self, planes: list[int]) -> int:
        hand = 0
        for n, plane in enumerate(planes):
            hand |= plane << (n * self.kind_count)
        return hand


class Trick:
    """A complete trick.

    `number` counts from 1 in each deal. `plays` lists seats and kinds in the order of play.
    `winning_kind` is the kind of card that won. `points` is the total of the card points. `is_last`
    is true for the last trick of a deal. `count` is the number of tricks that the object
    represents. Tricks that a player claims without playing them share one object without cards.
    """

    __slots__ = ("count", "is_last", "number", "plays", "points", "winner", "winning_kind")

    def __init__(
        self,
        number: int,
        plays: list[PlayedCards],
        winner: int,
        winning_kind: int,
        points: float,
        is_last: bool,
        count: int = 1,
    ) -> None:
        self.number = number
        self.plays = plays
        self.winner = winner
        self.winning_kind = winning_kind
        self.points = points
        self.is_last = is_last
        self.count = count

    def with_winner(self, seat: int) -> Trick:
        """Return a copy of the trick with that seat as the winner."""
        return Trick(
            self.number, self.plays, seat, self.winning_kind, self.points, self.is_last, self.count
        )


def rank_ladders(pack: Pack) -> list[list[int]]:
    """Return lists of ranks in order. Each rank is a mask of its kinds on plane 0.

    All suits whose ranks are in the pack's order share one list. Suits with another order have a
    list of their own.

    >>> [len(ladder) for ladder in rank_ladders(Pack.make("AKQ", {"H": "", "T": "QA"}, [], 1))]
    [3, 2]
    """
    ladders: dict[tuple[str, ...], list[int]] = {}
    for suit in pack.suits:
        kinds = [kind for kind in pack.suited if pack.suit[kind] == suit]
        own = [pack.rank[kind] for kind in kinds]
        in_order = own == [rank for rank in pack.ranks if rank in own]
        ranks = tuple(pack.ranks if in_order else own)
        masks = ladders.setdefault(ranks, [0] * len(ranks))
        for kind in kinds:
            masks[ranks.index(pack.rank[kind])] |= pack.bit[kind]
    return list(ladders.values())


def longest_sequence(ladders: Iterable[Iterable[int]], cards: int) -> int:
    """Return the length of the longest run of consecutive ranks among the cards."""
    longest = 0
    for ladder in ladders:
        length = 0
        for mask in ladder:
            length = length + 1 if cards & mask else 0
            longest = max(longest, length)
    return longest


def plain_points(number: float) -> float:
    """Return card points as an integer if they are whole, and unchanged if they end in a half.

    >>> plain_points(4.5 + 4.5), plain_points(4.5 + 1)
    (9, 5.5)
    """
    return number if type(number) is int or number % 1 else int(number)


def can_add_up(numbers: Iterable[float], total: float) -> bool:
    """Return whether some of these numbers add up to a total.

    Each number must be at least 0, and must be whole or end in a half.

    >>> can_add_up([1, 3], 4), can_add_up([0.5, 3], 3.5), can_add_up([0.5, 3], 4)
    (True, True, False)
    """
    mask = 1  # bit n is set if some of the numbers add up to n halves
    for number in numbers:
        mask |= mask << int(2 * number)
    return bool(mask >> int(2 * total) & 1)


def seat_to_left(seats: int, seat: int, steps: int = 1) -> int:
    """Return the seat that is this many steps to the left (clockwise). Seats count from 0."""
    return (seat + steps) % seats
