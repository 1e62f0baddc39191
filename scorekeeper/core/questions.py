"""What is asked about unseen hands and not answered yet: claims, and questions made of several.

A claim says how many cards of a set somebody held at one moment. What they held then is what they
hold now, plus what they have shown and given away since, less what they have taken up since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.lots import View

    Part = tuple[int, int, int, int]
    """Seat, set of cards, at least, at most."""

NEVER = -1
"""A number that no count falls to."""
AT_EASE, LOOK = 1 << 20, -1
"""How much room there is for open claims that cannot clash, and when it must be looked at anew."""


class Proof:
    """What the verdict on a claim rests on.

    At the claim's moment `seat` held at least `least` and at most `most` cards of the set `mask`;
    `found` are the kinds of the set that came to light since, in that order; `counted` says
    that these alone do not prove it, but only counting what is still unseen: `inside` cards of
    the set and `outside` others, `loose` of them in that hand. `broken_above`: there were too many
    cards of the set in the hand (else the claim was kept, or there were too few). `together`: it
    is no count of that one set that proves it, but that several claims, of which this is one,
    cannot hold at once.
    """

    __slots__ = (
        *("broken_above", "counted", "found", "inside", "least", "loose", "mask", "most"),
        *("outside", "seat", "together"),
    )

    def __init__(self, claim: OpenClaim, counted: bool, loose: int, together: bool = False) -> None:
        self.seat = claim.seat
        self.mask = claim.mask
        self.least = claim.low
        self.most = claim.high
        self.found = claim.found
        self.counted = counted
        self.broken_above = claim.low > claim.most
        self.inside = claim.group.inside
        self.outside = claim.group.outside
        self.loose = loose
        self.together = together


class OpenClaim:
    """At one moment, between `least` and `most` cards of `mask` were in the hand of `seat`: not
    decided yet.

    There were at least `low` and at most `high`: that much is proved. `base` is the known part of
    the number. Since that moment, `drawn` cards have come into the hand unseen and `given` have
    left it unseen; `buried` had been hidden before. `found` are the kinds of the set that have
    come to light since. `wake_at` is the number of loose cards in the hand at which it may be
    decided. Where cards are traced, what was asked of are `known` ones and those of a `view` (see
    `lots`; None: it is not known any more). `ref` is whatever the asker wants back with the
    verdict; `several` says whose verdict depends on other claims too.
    """

    __slots__ = (
        *("base", "buried", "drawn", "found", "given", "group", "high", "least", "low", "mask"),
        *("known", "most", "open", "ref", "seat", "several", "view", "wake_at"),
    )

    def __init__(
        self, part: Part, bounds: tuple[int, int], base: int, ref: object, group: Group
    ) -> None:
        self.seat, self.mask, self.least, self.most = part
        self.low, self.high = bounds
        self.base = base
        self.ref = ref
        self.group = group
        self.buried = self.drawn = self.given = self.known = 0
        self.view: View | None = None
        self.found: tuple[int, ...] = ()
        self.open = True
        self.several: Several | None = None
        self.wake_at = NEVER

    @property
    def moved(self) -> bool:
        """Whether cards have come into the hand since, or left it, that nobody else saw."""
        return bool(self.drawn or self.given)

    def bars(self, cards: int) -> bool:
        """Whether no more is asked than that of this very set fewer are in the hand than may be:
        another such claim leaves all others as much room as they had."""
        return (
            self.mask == cards
            and self.high > self.most
            and self.low >= self.least
            and not self.moved
        )

    @property
    def question(self) -> Asked:
        """The whole question that it is a part of, or itself."""
        return self if self.several is None else self.several.whole

    def copy(self, group: Group, several: Several | None) -> OpenClaim:
        """The same claim in a copy of its group, and with a copy of its question."""
        part, bounds = (self.seat, self.mask, self.least, self.most), (self.low, self.high)
        other = OpenClaim(part, bounds, self.base, self.ref, group)
        other.buried, other.drawn, other.given = self.buried, self.drawn, self.given
        other.found, other.open, other.wake_at = self.found, self.open, self.wake_at
        other.several, other.view, other.known = several, self.view, self.known
        return other


class Group:
    """The open claims about one set of cards, and how many cards `inside` and `outside` of it are
    unseen. None of them is decided by another seat's card before `inside` has fallen to
    `wake_inside`, or `outside` to `wake_outside`.
    """

    __slots__ = ("claims", "inside", "mask", "outside", "wake_inside", "wake_outside")

    def __init__(self, mask: int, inside: int, outside: int) -> None:
        self.mask = mask
        self.claims: list[OpenClaim] = []
        self.inside = inside
        self.outside = outside
        self.wake_inside = self.wake_outside = NEVER


class Several:
    """Claims of which one question is made: the first that comes out as `decisive` answers it, or
    else the last of the `waiting` ones. It may be a part of a larger question, its `parent`;
    `parts` are what it was made of, in order."""

    __slots__ = ("decisive", "parent", "parts", "waiting")

    def __init__(self, decisive: bool, waiting: int, parent: Several | None = None) -> None:
        self.decisive = decisive
        self.waiting = waiting
        self.parent = parent
        self.parts: list[Asked] = []

    @property
    def whole(self) -> Several:
        """The whole question that it is a part of, or itself."""
        return self if self.parent is None else self.parent.whole

    @property
    def open(self) -> bool:
        """Whether it is asked still: neither it is answered, nor what it is a part of."""
        return bool(self.waiting) and (self.parent is None or self.parent.open)

    def drop(self, part: Asked) -> None:
        """A part of it is closed: nothing is asked of it any more."""
        self.parts.remove(part)
        if not self.parts and self.parent is not None:
            self.parent.drop(self)

    def hear(self, verdict: bool) -> bool | None:
        """A part of it is decided: the answer to the whole question, None while it is open."""
        self.waiting -= 1
        if verdict is not self.decisive and self.waiting:
            return None
        self.waiting = 0
        return verdict if self.parent is None else self.parent.hear(verdict)


# A question, or a part of one.
Asked = OpenClaim | Several


def claims_of(asked: Asked) -> Iterator[OpenClaim]:
    """The open claims that a question is made of, in order."""
    if isinstance(asked, OpenClaim):
        if asked.open:
            yield asked
        return
    for part in asked.parts if asked.open else ():
        yield from claims_of(part)
