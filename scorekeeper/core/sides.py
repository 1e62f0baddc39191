"""The sides of a round if the seating does not fix them, and which of them are public.

The rules or the declarer may name cards whose holders are partners. Sides may also depend on a
player who plays alone, on the seats, or on the first trick that another player wins. The side of a
seat is None until it is known for certain.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.knowledge import Knowledge

    BySeat = Mapping[int, int]  # the side of each seat

DECLARING, OTHERS = 0, 1
CARDS, ALONE, TRICK = "cards", "alone", "trick"
NAMED, SEATS, ACCEPTED = "named", "seats", "accepted"
MODES = (CARDS, ALONE, TRICK, NAMED, SEATS, ACCEPTED)
"""The ways to decide the sides.

- `CARDS`: the players who hold certain cards are a side.
- `ALONE`: the declarer plays alone.
- `TRICK`: the first other player who wins a trick in time becomes the declarer's partner.
- `NAMED`: the declarer names a card, and its holder becomes the partner.
- `SEATS`: the seats determine the sides.
- `ACCEPTED`: the player who accepts the declarer's offer becomes the partner.
"""


class Sides:
    """The sides of one round. Side 0 is the declaring side, and side 1 the other.

    `mode` is one of MODES, or "" before the contract is settled. `by_cards` is true if the sides
    depend on the cards that each player has when play begins. `mask` is these cards, and
    `watched_cards` their kinds. `shown_counts[seat]` is the number of these cards that the seat has
    shown since the deal. `unseen_plays[seat]` is the number of cards that the seat played before
    the recording began.

    `declarer` is -1 if there is no declarer. At most `tricks_left` more tricks can determine a
    partner, up to trick `partner_by`. The sides were settled after trick `settled_after`, or at
    once if that is 0.

    The entry that proves a side during play announces the side once (`announced[seat]`). `unproven`
    is true if some sides are still unknown, and `proof_due` if a card has been seen that may prove
    one. While more than `proof_threshold` cards are unseen, counting cannot prove a side.
    """

    __slots__ = (
        *("announced", "by_cards", "copies", "declarer", "knowledge", "known", "mask"),
        *("mode", "names", "partner_by", "proof_due", "proof_threshold", "seats"),
        *("settled_after", "shown_counts", "tricks_left", "unproven", "unseen_plays"),
        "watched_cards",
    )

    def __init__(
        self,
        names: Sequence[str],
        watched_cards: int,
        mask: int,
        knowledge: Knowledge,
        seats: Sequence[int],
        unseen_plays: Sequence[int],
    ) -> None:
        self.names = tuple(names)
        self.watched_cards = watched_cards
        self.mask = mask
        self.copies = mask.bit_count()
        self.knowledge = knowledge
        self.seats = tuple(seats)
        self.unseen_plays = list(unseen_plays)
        self.shown_counts = [0] * len(unseen_plays)
        self.known: list[int | None] = [None] * len(unseen_plays)
        self.mode = ""
        self.declarer = -1
        self.tricks_left = self.settled_after = self.partner_by = 0
        self.by_cards = self.unproven = self.proof_due = False
        self.proof_threshold = knowledge.pack.card_count
        self.announced = [False] * len(unseen_plays)

    def copy(self, knowledge: Knowledge) -> Sides:
        """Return an independent copy of the sides that uses a copy of the hands."""
        other = Sides(
            self.names, self.watched_cards, self.mask, knowledge, self.seats, self.unseen_plays
        )
        other.shown_counts, other.known = self.shown_counts.copy(), self.known.copy()
        other.mode, other.by_cards, other.declarer = self.mode, self.by_cards, self.declarer
        other.tricks_left, other.settled_after, other.partner_by = (
            self.tricks_left,
            self.settled_after,
            self.partner_by,
        )
        other.unproven, other.proof_due, other.proof_threshold = (
            self.unproven,
            self.proof_due,
            self.proof_threshold,
        )
        other.announced = self.announced.copy()
        return other

    def set_contract(
        self,
        mode: str,
        declarer: int,
        partner_by: int,
        first: int,
        named: int = 0,
        mates: Sequence[int] = (),
    ) -> None:
        """Set the contract, which decides how the sides are formed.

        `declarer` is -1 if there is no declarer. A partner must be determined by trick
        `partner_by`, and `first` is the number of the next trick. `named` are all copies of the
        cards that the declarer named; until they are named, only the declarer's side is known.
        `mates` are the partners whom the declarer has because of the seating.
        """
        self.mode, self.declarer = mode, declarer
        self.by_cards = mode == CARDS or (mode == NAMED and bool(named))
        self.partner_by = partner_by if mode == TRICK else 0
        self.tricks_left = max(0, self.partner_by - first + 1)
        if mode == NAMED:
            self.watched_cards = self.mask = named
            self.copies = named.bit_count()
        if declarer >= 0:
            self._apply_contract(mates)
        self.announced = [side is not None for side in self.known]
        self.unproven = self.proof_due = self.by_cards

    def _apply_contract(self, mates: Sequence[int]) -> None:
        """Set the sides that follow from the declarer."""
        if self.mode == ALONE:
            self.assign((self.declarer,))
        elif self.mode == SEATS:
            self.assign((self.declarer, *mates))
        elif self.mode in (NAMED, ACCEPTED, TRICK):
            self.known[self.declarer] = DECLARING
        if self.mode == TRICK and not self.tricks_left:
            self.settled_after = self.partner_by

    def assign(self, declaring: Sequence[int]) -> None:
        """Set the seats of the declaring side. All other seats are on the other side."""
        self.unproven = False
        for seat in self.seats:
            self.known[seat] = DECLARING if seat in declaring else OTHERS

    def assign_from_result(self, declaring: Sequence[int]) -> None:
        """Set the sides from a result, which does not state the trick that decided the partner."""
        self.assign(declaring)
        if self.tricks_left:
            self.tricks_left, self.settled_after = 0, self.partner_by

    def note_trick(self, seat: int, number: int) -> None:
        """Record the winner of a trick, who may become the declarer's partner.

        If this was the last trick that could decide the partner, the declarer plays alone.
        """
        if not self.tricks_left:
            return
        self.tricks_left -= 1
        if seat != self.declarer:
            self.tricks_left = 0
            if not any(self.unseen_plays):
                self.assign((self.declarer, seat))
        elif not self.tricks_left and not any(self.unseen_plays):
            self.assign((self.declarer,))
        if not self.tricks_left:
            self.settled_after = number
            self.unproven = self.proof_due = True

    def reset_proofs(self) -> None:
        """Drop proofs based on cards, because cards have moved between hands or were put aside."""
        self.recheck()
        if self.by_cards:
            self.known = [None] * len(self.known)
            if self.mode == NAMED and self.declarer >= 0:
                self.known[self.declarer] = DECLARING

    def recheck(self) -> None:
        """Make the next card, of whatever kind, trigger a new search for proofs of sides."""
        self.proof_threshold = self.knowledge.pack.card_count
        self.proof_due = self.unproven

    def take_proven(self) -> list[int]:
        """Return the seats whose side has become certain since the last call."""
        self.proof_due = True
        seats = [seat for seat in self._provable() if self.side_of(seat) is not None]
        for seat in seats:
            self.announced[seat] = True
        self.proof_due = False
        self.unproven = False in [self.announced[seat] for seat in self.seats]
        return seats

    def _provable(self) -> list[int]:
        """Return the seats whose side has not been announced yet but may be certain now."""
        untold = [seat for seat in self.seats if not self.announced[seat]]
        if not self.by_cards or self.nearly_proven or not self.unseen_counts()[0]:
            return untold
        known_cards, unknown = self.knowledge.known, self.knowledge.unknown_count
        return [
            seat
            for seat in untold
            if self.shown_counts[seat]
            or known_cards[seat] & self.mask
            or not unknown[seat] + self.unseen_plays[seat]
        ]

    @property
    def nearly_proven(self) -> bool:
        """True if counting may soon prove that a seat has one of the cards that decide the sides.

        It is true if a proof may be complete after each player shows one more card.
        """
        knowledge = self.knowledge
        unseen = knowledge.unseen.bit_count()
        if unseen > self.proof_threshold:
            return False
        if any(knowledge.buried_count):
            return True
        outside = (knowledge.unseen & ~self.mask).bit_count() - len(self.seats)
        pairs = zip(knowledge.unknown_count, self.unseen_plays, strict=True)
        # Each card that is seen reduces the margin by at most one.
        spare = outside - max([unknown + gone for unknown, gone in pairs])
        self.proof_threshold = unseen - max(0, spare)
        return spare <= 0

    def side_of(self, seat: int) -> int | None:
        """Return the side of a seat if all entries so far prove it, or None."""
        side = self.known[seat]
        if side is None and self.by_cards:
            if self.unproven and not (self.proof_due or self.nearly_proven):
                return None  # no card has been seen since the last call
            low, high = (1, 1) if self.shown_counts[seat] else self.dealt_bounds(seat)
            if low > 0:
                side = self.known[seat] = DECLARING
            elif high == 0:
                side = self.known[seat] = OTHERS
        return side

    def dealt_bounds(self, seat: int) -> tuple[int, int]:
        """Return the minimum and maximum number of cards of `mask` in the seat's hand when play
        began.

        Cards that the seat played before the recording began are treated as unseen.
        """
        knowledge, mask, shown = self.knowledge, self.mask, self.shown_counts[seat]
        if not self.unseen_plays[seat]:
            low, high = knowledge.bounds(seat, mask)
            return low + shown, high + shown
        shown += (knowledge.known[seat] & mask).bit_count()
        unknown = knowledge.unknown_count[seat] + self.unseen_plays[seat]
        inside, outside = self.unseen_counts()
        return shown + max(0, unknown - outside), shown + min(unknown, inside)

    def unseen_counts(self) -> tuple[int, int]:
        """Return how many of the unseen cards can decide the sides, and how many cannot."""
        unseen = self.knowledge.unseen
        inside = (unseen & self.mask).bit_count()
        return inside, unseen.bit_count() - inside

    def members(self, side: int) -> tuple[int, ...]:
        """Return the seats that are known for certain to be on a side."""
        # Every measure of a side calls this method. Most sides are known, so read them without a
        # call.
        known, of = self.known, self.side_of
        return tuple(
            [
                seat
                for seat in self.seats
                if (of(seat) if known[seat] is None else known[seat]) == side
            ]
        )

    def possible_teams(self) -> Iterator[tuple[int, ...]]:
        """Yield every set of seats that can still be the declaring side after all entries so
        far."""
        proven, left = self.members(DECLARING), [s for s in self.seats if self.side_of(s) is None]
        for number in range(len(left) + 1):
            for more in combinations(left, number):
                if self._is_possible((*proven, *more)) if self.by_cards else number < 2:
                    yield (*proven, *more)

    def _is_possible(self, declaring: Sequence[int]) -> bool:
        """Return whether it is possible that these seats, and no others, are the declaring side."""
        dealt = [self.dealt_bounds(seat) for seat in declaring]
        # the declarer may have no card that decides the sides
        free = self.declarer if self.mode == NAMED else -1
        needed = [max(low, seat != free) for seat, (low, _) in zip(declaring, dealt, strict=True)]
        held = sum((known_cards & self.mask).bit_count() for known_cards in self.knowledge.known)
        number = sum(self.shown_counts) + held + self.unseen_counts()[0]
        least = 0 if self.knowledge.unheld_count() else number
        return sum(needed) <= number and least <= sum(high for _, high in dealt)

    def min_tricks(self, side: int) -> int:
        """Return the fewest tricks that a side can have won, given how its members were decided."""
        if side != DECLARING or not self.partner_by:
            return 0
        return self.partner_by if self.is_alone else 1

    @property
    def is_complete(self) -> bool:
        """True if every seat's side is known for certain."""
        if None not in self.known:
            return True
        return None not in [self.side_of(seat) for seat in self.seats]

    @property
    def is_alone(self) -> bool:
        """True if the declaring side is certain to be one player."""
        return self.is_complete and len(self.members(DECLARING)) == 1


# --- public sides
#
# A side is public if it follows from what everyone at the table could see and hear. This includes
# announcements, but not the hands that only the referee knows.


def shown_sides(sides: Sides, seen: Sequence[int]) -> dict[int, int]:
    """Return each seat's side as settled by the contract or by the cards `seen` in each hand.

    Once every card that decides the declaring side has been seen, all sides are settled.
    """
    if not sides.by_cards:
        known = ((seat, sides.known[seat]) for seat in sides.seats)
        return {seat: side for seat, side in known if side is not None}
    held = {seat: (seen[seat] & sides.mask).bit_count() for seat in sides.seats}
    result = {seat: DECLARING for seat, number in held.items() if number}
    if sides.mode == NAMED and sides.declarer >= 0:
        result[sides.declarer] = DECLARING
    if 0 < sides.copies <= sum(held.values()):
        return {seat: result.get(seat, OTHERS) for seat in sides.seats}
    return result


def lone_seat(sides: Sides, seen: Sequence[int]) -> int | None:
    """Return the seat that is publicly known to be alone on the declaring side, or None."""
    result = shown_sides(sides, seen)
    declaring = [seat for seat, side in result.items() if side == DECLARING]
    return declaring[0] if len(result) == len(sides.seats) and len(declaring) == 1 else None


def public_sides(sides: Sides, shown: BySeat, announced: BySeat) -> dict[int, int]:
    """Return the sides that are public because of cards (`shown`) or announcements (`announced`).

    Sides that follow from the public ones are included. Announcements that contradict the cards are
    ignored.
    """
    if not sides.by_cards:
        return dict(shown)
    result = _complete_sides(sides, shown)
    return _complete_sides(sides, {**announced, **result}) or result


def _complete_sides(sides: Sides, given: BySeat) -> dict[int, int]:
    """Return the given sides, and the sides of other seats that follow from them.

    The declaring side has at least one seat, and at most one for each card that decides it. An
    empty result means that the given sides contradict each other.
    """
    max_number = sides.copies + (sides.mode == NAMED and sides.declarer >= 0)
    number = sum([side == DECLARING for side in given.values()])
    left = [seat for seat in sides.seats if seat not in given]
    if number > max_number or not (number or left):
        return {}
    result = dict(given)
    if number == max_number:
        result.update(dict.fromkeys(left, OTHERS))
    elif not number and len(left) == 1:
        result[left[0]] = DECLARING
    return result
