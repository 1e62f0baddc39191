"""Who is on which side in a round whose sides are not fixed by the seating, and which sides are
public.

Sides follow from held cards (certain ones, or one that the declarer has named), from who plays
alone, from the seats, or from who first wins a trick beside the declarer. Only what is proven
counts; a side that is not proven yet is None, never a guess.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.knowledge import Knowledge

    BySeat = Mapping[int, int]  # of seats

DECLARING, OTHERS = 0, 1
CARDS, ALONE, TRICK = "cards", "alone", "trick"
NAMED, SEATS, ACCEPTED = "named", "seats", "accepted"
MODES = (CARDS, ALONE, TRICK, NAMED, SEATS, ACCEPTED)
"""What makes the sides: who holds certain cards; the declarer alone; a trick that finds them a
partner; who holds a card that the declarer has named; the seats; who takes what the declarer
offers."""


class Sides:
    """The sides of one round: 0 the declaring one, 1 the others.

    `mode` says what makes the sides ("" before the contract is settled), `by_cards` whether it is
    the cards that everyone has when play begins; `mask` are the cards that make their holders the
    declaring side, `watch` their kinds; `shown[seat]` how many of them that seat has shown since
    the deal, `before[seat]` how many cards it had played unseen when the recording began.
    `declarer` is -1 without one; `searching` is how many more tricks may find their partner, the
    `within`-th at the latest; `found` the number of the trick after which the sides were settled
    (0: at once).

    A side that is found during play is told once, by the entry that proves it: `awaited` says that
    some still are to be, `due` that plain play has come to a card that may prove one, `told` of
    whom nothing more is to be told; before so `few` cards are unseen, counting proves none.
    """

    __slots__ = (
        "awaited",
        "before",
        "by_cards",
        "copies",
        "declarer",
        "due",
        "few",
        "found",
        "knowledge",
        "known",
        "mask",
        "mode",
        "names",
        "searching",
        "seats",
        "shown",
        "told",
        "watch",
        "within",
    )

    def __init__(
        self,
        names: Sequence[str],
        watch: int,
        mask: int,
        knowledge: Knowledge,
        seats: Sequence[int],
        before: Sequence[int],
    ) -> None:
        self.names = tuple(names)
        self.watch = watch
        self.mask = mask
        self.copies = mask.bit_count()
        self.knowledge = knowledge
        self.seats = tuple(seats)
        self.before = list(before)
        self.shown = [0] * len(before)
        self.known: list[int | None] = [None] * len(before)
        self.mode = ""
        self.declarer = -1
        self.searching = self.found = self.within = 0
        self.by_cards = self.awaited = self.due = False
        self.few = knowledge.pack.total
        self.told = [False] * len(before)

    def copy(self, knowledge: Knowledge) -> Sides:
        """The same sides, to go on apart from these, by a copy of what is known of the hands."""
        other = Sides(self.names, self.watch, self.mask, knowledge, self.seats, self.before)
        other.shown, other.known = self.shown.copy(), self.known.copy()
        other.mode, other.by_cards, other.declarer = self.mode, self.by_cards, self.declarer
        other.searching, other.found, other.within = self.searching, self.found, self.within
        other.awaited, other.due, other.few = self.awaited, self.due, self.few
        other.told = self.told.copy()
        return other

    def fix(
        self,
        mode: str,
        declarer: int,
        within: int,
        first: int,
        named: int = 0,
        mates: Sequence[int] = (),
    ) -> None:
        """The contract is known: what makes the sides, who declared it (-1: nobody), within how
        many tricks their partner is found, and which trick comes first; the cards that were
        `named` (every copy), and the declarer's `mates` by the seats."""
        self.mode, self.by_cards, self.declarer = mode, mode in (CARDS, NAMED), declarer
        self.within = within if mode == TRICK else 0
        self.searching = max(0, self.within - first + 1)
        if mode == NAMED:
            self.watch = self.mask = named
            self.copies = named.bit_count()
        if declarer >= 0:
            self._declared(mates)
        self.told = [side is not None for side in self.known]
        self.awaited = self.due = self.by_cards

    def _declared(self, mates: Sequence[int]) -> None:
        """What follows from who has declared the contract."""
        if self.mode == ALONE:
            self.assign((self.declarer,))
        elif self.mode == SEATS:
            self.assign((self.declarer, *mates))
        elif self.mode in (NAMED, ACCEPTED, TRICK):
            self.known[self.declarer] = DECLARING
        if self.mode == TRICK and not self.searching:
            self.found = self.within

    def assign(self, declaring: Sequence[int]) -> None:
        """The sides are these."""
        self.awaited = False
        for seat in self.seats:
            self.known[seat] = DECLARING if seat in declaring else OTHERS

    def assign_from_result(self, declaring: Sequence[int]) -> None:
        """The sides are these, as a result says; it does not say which trick found a partner."""
        self.assign(declaring)
        if self.searching:
            self.searching, self.found = 0, self.within

    def won(self, seat: int, number: int) -> None:
        """That seat has won the trick of that number, which may find the declarer's partner, or
        be the last that could: then the declarer is alone."""
        if not self.searching:
            return
        self.searching -= 1
        if seat != self.declarer:
            self.searching = 0
            if not any(self.before):
                self.assign((self.declarer, seat))
        elif not self.searching and not any(self.before):
            self.assign((self.declarer,))
        if not self.searching:
            self.found = number
            self.awaited = self.due = True

    def forget(self) -> None:
        """Cards have passed between hands, or were laid aside: who holds which is asked anew."""
        self.look_again()
        if self.by_cards:
            self.known = [None] * len(self.known)
            if self.mode == NAMED and self.declarer >= 0:
                self.known[self.declarer] = DECLARING

    def look_again(self) -> None:
        """Less is known of the hands than before: counting may prove something at any card."""
        self.few = self.knowledge.pack.total
        self.due = self.awaited

    def prove(self) -> list[int]:
        """The seats whose side is proven, and was not when this was last asked."""
        self.due = True
        found = [seat for seat in self._provable() if self.of(seat) is not None]
        for seat in found:
            self.told[seat] = True
        self.due = False
        self.awaited = False in [self.told[seat] for seat in self.seats]
        return found

    def _provable(self) -> list[int]:
        """The seats of which nothing has been told and something may be proven now."""
        untold = [seat for seat in self.seats if not self.told[seat]]
        if not self.by_cards or self.near or not self.unseen()[0]:
            return untold
        sure, loose = self.knowledge.sure, self.knowledge.loose
        return [
            seat
            for seat in untold
            if self.shown[seat] or sure[seat] & self.mask or not loose[seat] + self.before[seat]
        ]

    @property
    def near(self) -> bool:
        """Whether counting may prove that a seat has one of the cards that make the sides, while
        everyone lays one card at most."""
        knowledge = self.knowledge
        unseen = knowledge.unseen.bit_count()
        if unseen > self.few:
            return False
        if any(knowledge.hidden):
            return True
        outside = (knowledge.unseen & ~self.mask).bit_count() - len(self.seats)
        pairs = zip(knowledge.loose, self.before, strict=True)
        # It gets less by one, at most, with each card that comes to light.
        spare = outside - max([loose + gone for loose, gone in pairs])
        self.few = unseen - max(0, spare)
        return spare <= 0

    def of(self, seat: int) -> int | None:
        """The side that the seat is proven to be on, by all that was entered."""
        side = self.known[seat]
        if side is None and self.by_cards:
            if self.awaited and not (self.due or self.near):
                return None  # nothing has come to light since it was last asked
            low, high = (1, 1) if self.shown[seat] else self.dealt(seat)
            if low > 0:
                side = self.known[seat] = DECLARING
            elif high == 0:
                side = self.known[seat] = OTHERS
        return side

    def dealt(self, seat: int) -> tuple[int, int]:
        """How many of the cards in `mask` the seat had when play began: at least, at most. Cards
        that it had played unseen before the recording began are among the unseen ones."""
        knowledge, mask, shown = self.knowledge, self.mask, self.shown[seat]
        if not self.before[seat]:
            low, high = knowledge.bounds(seat, mask)
            return low + shown, high + shown
        shown += (knowledge.sure[seat] & mask).bit_count()
        loose = knowledge.loose[seat] + self.before[seat]
        inside, outside = self.unseen()
        return shown + max(0, loose - outside), shown + min(loose, inside)

    def unseen(self) -> tuple[int, int]:
        """How many of the cards that make the sides nobody has located, and how many others."""
        unseen = self.knowledge.unseen
        inside = (unseen & self.mask).bit_count()
        return inside, unseen.bit_count() - inside

    def members(self, side: int) -> tuple[int, ...]:
        """The seats proven to be on a side."""
        known, of = self.known, self.of  # most are known: asked once for every measure of a side
        return tuple(
            [
                seat
                for seat in self.seats
                if (of(seat) if known[seat] is None else known[seat]) == side
            ]
        )

    def ways(self) -> Iterator[tuple[int, ...]]:
        """Every way the declaring side can still be, by all that was entered: its seats."""
        proven, left = self.members(DECLARING), [s for s in self.seats if self.of(s) is None]
        for number in range(len(left) + 1):
            for more in combinations(left, number):
                if self._may_be((*proven, *more)) if self.by_cards else number < 2:
                    yield (*proven, *more)

    def _may_be(self, declaring: Sequence[int]) -> bool:
        """Whether each of these, and nobody else, can have had cards that make the sides."""
        dealt = [self.dealt(seat) for seat in declaring]
        free = self.declarer if self.mode == NAMED else -1  # on the side without such a card
        needed = [max(low, seat != free) for seat, (low, _) in zip(declaring, dealt, strict=True)]
        held = sum((sure & self.mask).bit_count() for sure in self.knowledge.sure)
        number = sum(self.shown) + held + self.unseen()[0]
        least = 0 if self.knowledge.elsewhere() else number
        return sum(needed) <= number and least <= sum(high for _, high in dealt)

    def tricks(self, side: int) -> int:
        """The fewest tricks that a side has won, by how its sides were found."""
        if side != DECLARING or not self.within:
            return 0
        return self.within if self.alone else 1

    @property
    def complete(self) -> bool:
        """Whether the side of every seat is proven."""
        if None not in self.known:
            return True
        return None not in [self.of(seat) for seat in self.seats]

    @property
    def alone(self) -> bool:
        """Whether the declaring side is proven to be one player."""
        return self.complete and len(self.members(DECLARING)) == 1


# --- which sides are public: settled by what everyone at the table could see and hear
#
# That is less than what is proven, and other than that: nothing is counted, and no hand that the
# referee was told of says anything; but what somebody has said of themselves does.


def shown_sides(parties: Sides, seen: Sequence[int]) -> dict[int, int]:
    """The sides that the contract settles, or the cards that everyone has `seen` of each hand; of
    everybody, once every card that makes the declaring side has been seen."""
    if not parties.by_cards:
        known = ((seat, parties.known[seat]) for seat in parties.seats)
        return {seat: side for seat, side in known if side is not None}
    held = {seat: (seen[seat] & parties.mask).bit_count() for seat in parties.seats}
    sides = {seat: DECLARING for seat, number in held.items() if number}
    if parties.mode == NAMED and parties.declarer >= 0:
        sides[parties.declarer] = DECLARING
    if 0 < parties.copies <= sum(held.values()):
        return {seat: sides.get(seat, OTHERS) for seat in parties.seats}
    return sides


def lone_seat(parties: Sides, seen: Sequence[int]) -> int | None:
    """Who is publicly alone on the declaring side, by the contract or by the cards; None: nobody,
    or it is not public."""
    sides = shown_sides(parties, seen)
    declaring = [seat for seat, side in sides.items() if side == DECLARING]
    return declaring[0] if len(sides) == len(parties.seats) and len(declaring) == 1 else None


def public_sides(parties: Sides, shown: BySeat, said: BySeat) -> dict[int, int]:
    """The sides that are public by what was `shown` and what was `said`, and those that follow
    from them. What was shown is stronger; what cannot be so together says nothing."""
    if not parties.by_cards:
        return dict(shown)
    sides = _settled(parties, shown)
    return _settled(parties, {**said, **sides}) or sides


def _settled(parties: Sides, sides: BySeat) -> dict[int, int]:
    """These sides and, as far as they settle them, those of the other seats: nobody else is on the
    declaring side when as many are as there are cards that make it, and somebody is. Empty: they
    cannot be so together."""
    most = parties.copies + (parties.mode == NAMED and parties.declarer >= 0)
    number = sum([side == DECLARING for side in sides.values()])
    left = [seat for seat in parties.seats if seat not in sides]
    if number > most or not (number or left):
        return {}
    found = dict(sides)
    if number == most:
        found.update(dict.fromkeys(left, OTHERS))
    elif not number and len(left) == 1:
        found[left[0]] = DECLARING
    return found
