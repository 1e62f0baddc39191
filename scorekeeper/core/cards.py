"""Packs, hands and complete tricks: values without rules.

A multiset of cards, a "hand", is one integer made of planes. With K kinds in the pack, bit `n * K
+ k` is set when the hand has at least n + 1 copies of kind k, so planes nest: union is `|`, the
common part of two hands is `&`, `b` lies inside `a` when `b & ~a == 0`, and the size is
`hand.bit_count()`. A kind is a number, its place in the pack's order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Laid = tuple[int, tuple[int, ...]]
"""A seat, and the kinds of card it laid."""


class Pack:
    """The kinds of card a game is played with, and how many copies of each.

    `kinds` are the codes in the pack's order, `index` leads from a code to its kind, `size` is the
    number of kinds, `total` the number of cards, `full` the hand of all of them, `bit[kind]` the
    first copy and `column[kind]` all copies of a kind, `first` the mask of plane 0. `rank[kind]`
    and `suit[kind]` are what its code is made of; a joker is its own rank and has the suit "".
    """

    __slots__ = (
        *("bit", "column", "copies", "first", "full", "index", "kinds", "rank", "size", "suit"),
        "total",
    )

    def __init__(
        self, kinds: Sequence[str], copies: int, suited: Sequence[tuple[str, str]] = ()
    ) -> None:
        """`suited` are rank and suit of the first kinds; all others are jokers. A pack without
        kinds is that of a game without cards.

        Raises ValueError for a kind named twice and for less than one copy.
        """
        if copies < 1:
            raise ValueError("a pack needs at least one copy")
        self.kinds = tuple(kinds)
        self.index = {code: kind for kind, code in enumerate(self.kinds)}
        if len(self.index) != len(self.kinds):
            raise ValueError("a kind stands twice in the pack")
        jokers = self.kinds[len(suited) :]
        self.rank = (*[rank for rank, _ in suited], *jokers)
        self.suit = (*[suit for _, suit in suited], *[""] * len(jokers))
        self.copies = copies
        self.size = len(self.kinds)
        self.total = self.size * copies
        self.first = (1 << self.size) - 1
        self.full = (1 << self.total) - 1
        self.bit = tuple(1 << kind for kind in range(self.size))
        self.column = tuple(self.spread(bit) for bit in self.bit)

    @classmethod
    def make(
        cls, ranks: Sequence[str], suits: Sequence[str], jokers: Sequence[str], copies: int
    ) -> Pack:
        """Every rank of the first suit, then of the next; jokers last."""
        suited = [(rank, suit) for suit in suits for rank in ranks]
        return cls([*map("".join, suited), *jokers], copies, suited)

    @property
    def ranks(self) -> list[str]:
        """Each rank of the suits' cards once, in the pack's order."""
        return list(dict.fromkeys(self.rank[kind] for kind in self.suited))

    @property
    def suits(self) -> list[str]:
        """Each suit once, in the pack's order."""
        return list(dict.fromkeys(filter(None, self.suit)))

    @property
    def suited(self) -> list[int]:
        """The kinds that are no jokers, in the pack's order."""
        return [kind for kind, suit in enumerate(self.suit) if suit]

    def add(self, hand: int, kind: int) -> int:
        """The hand with one more card. Raises ValueError when it has every copy already."""
        free = self.column[kind] & ~hand
        if not free:
            raise ValueError(f"more copies of {self.kinds[kind]} than the pack has")
        return hand | (free & -free)

    def remove(self, hand: int, kind: int) -> int:
        """The hand with one card less. Raises ValueError when it has none of the kind."""
        held = self.column[kind] & hand
        if not held:
            raise ValueError(f"no {self.kinds[kind]} is there")
        return hand ^ (1 << (held.bit_length() - 1))

    def count(self, hand: int, kind: int) -> int:
        """How many copies of the kind the hand has."""
        return (self.column[kind] & hand).bit_count()

    def nth(self, kind: int, n: int) -> int:
        """The bit set in a hand that has at least n copies (from 1) of the kind."""
        return self.bit[kind] << ((n - 1) * self.size)

    def spread(self, kinds: int) -> int:
        """A mask of kinds (plane 0) on all planes: every copy of these kinds."""
        mask = kinds
        for _ in range(1, self.copies):
            mask = mask << self.size | kinds
        return mask

    def total_of(self, left: int, right: int) -> int:
        """Both hands together. Raises ValueError when the pack has not that many copies."""
        if not (left and right) or (self.copies == 1 and not left & right):
            return left | right
        a, b = self._at_least(left), self._at_least(right)
        planes = [0] * (2 * self.copies + 1)
        for i, has in enumerate(a):
            for j, adds in enumerate(b):
                planes[i + j] |= has & adds
        if any(planes[self.copies + 1 :]):
            raise ValueError("more copies than the pack has")
        return self._stack(planes[1 : self.copies + 1])

    def joined(self, left: int, right: int) -> int:
        """Both heaps together, of each kind never more than the pack has."""
        if self.copies == 1 or not left & right:
            return left | right
        kinds = [*self.kinds_in(left), *self.kinds_in(right)]
        return self.of(
            kind for kind in range(self.size) for _ in range(min(self.copies, kinds.count(kind)))
        )

    def without(self, hand: int, part: int) -> int:
        """The hand after the part has left it. Raises ValueError when it is not inside."""
        if part & ~hand:
            raise ValueError("not all of these cards are there")
        return self.beyond(hand, part)

    def beyond(self, hand: int, part: int) -> int:
        """What the hand has of each kind beyond what the part has."""
        if not part or self.copies == 1:
            return hand & ~part
        if self.copies == 2:
            size, first = self.size, self.first
            one, two = part & first, part >> size
            more = hand >> size
            return hand & first & ~one | more & ~two | (more & ~one) << size
        a, b = self._at_least(hand), self._at_least(part)
        planes = []
        for n in range(1, self.copies + 1):
            plane = 0
            for j in range(self.copies + 1 - n):
                plane |= a[n + j] & ~b[j + 1]
            planes.append(plane)
        return self._stack(planes)

    def kinds_in(self, hand: int) -> list[int]:
        """The cards of the hand one by one, in the pack's order."""
        found: list[int] = []
        rest, more = hand & self.first, hand >> self.size
        while rest:
            low = rest & -rest
            kind = low.bit_length() - 1
            found += [kind] * self.count(hand, kind) if more else (kind,)
            rest ^= low
        return found

    def of(self, kinds: Iterable[int]) -> int:
        """The hand of these cards. Raises ValueError for more copies than the pack has."""
        hand, column = 0, self.column
        for kind in kinds:
            free = column[kind] & ~hand
            if not free:
                raise ValueError(f"more copies of {self.kinds[kind]} than the pack has")
            hand |= free & -free
        return hand

    def codes(self, kinds: Iterable[int]) -> str:
        """The codes of these cards, in this order, separated by blanks."""
        return " ".join([self.kinds[kind] for kind in kinds])

    def show(self, hand: int) -> str:
        """The codes of the cards, separated by blanks, in the pack's order."""
        return " ".join(self.kinds[kind] for kind in self.kinds_in(hand))

    def _at_least(self, hand: int) -> list[int]:
        """Kinds with at least 0, 1, 2 ... copies, each as a mask on plane 0."""
        planes = [hand >> (n * self.size) & self.first for n in range(self.copies)]
        return [self.first, *planes]

    def _stack(self, planes: list[int]) -> int:
        hand = 0
        for n, plane in enumerate(planes):
            hand |= plane << (n * self.size)
        return hand


class Trick:
    """A trick that is complete: its number in the deal (from 1), what was laid in this order, by
    whom, who won it with which kind of card, its card points, and whether it was the last.
    `count` is how many tricks it stands for: what is claimed without play is one with no cards."""

    __slots__ = ("count", "laid", "last", "number", "points", "winner", "with_kind")

    def __init__(
        self,
        number: int,
        laid: list[Laid],
        winner: int,
        with_kind: int,
        points: int,
        last: bool,
        count: int = 1,
    ) -> None:
        self.number = number
        self.laid = laid
        self.winner = winner
        self.with_kind = with_kind
        self.points = points
        self.last = last
        self.count = count

    def won_by(self, seat: int) -> Trick:
        """The same trick as if that seat had won it."""
        return Trick(
            self.number, self.laid, seat, self.with_kind, self.points, self.last, self.count
        )


def sums(numbers: Iterable[int]) -> int:
    """A mask of every sum that some of these numbers come to."""
    mask = 1
    for number in numbers:
        mask |= mask << number
    return mask


def left(seats: int, seat: int, steps: int = 1) -> int:
    """The seat so many steps to the left (clockwise); seats are numbered from 0."""
    return (seat + steps) % seats
