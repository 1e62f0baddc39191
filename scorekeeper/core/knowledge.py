"""What is known of the hands of one round, and how it changes with all that happens.

`hands` says where the cards lie, `open_claims` what was asked of the hands and is not decided yet:
here both are kept in step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.asking import AskedHands
from scorekeeper.core.hands import IMPOSSIBLE, NO_ELSEWHERE, NO_HAND, POSSIBLE, YES
from scorekeeper.core.lots import BURIED, STOCK
from scorekeeper.core.messages import plural
from scorekeeper.core.questions import LOOK, Proof

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.pieces import Pack

__all__ = [
    "IMPOSSIBLE",
    "NO_ELSEWHERE",
    "NO_HAND",
    "POSSIBLE",
    "YES",
    "Knowledge",
    "Proof",
]


class Knowledge(AskedHands):
    """What is known of the hands, changed by what happens, and the claims about them.

    Everything that may be asked of `AskedHands` may be asked here. Change it through methods only;
    one that raises ValueError has changed nothing.
    """

    __slots__ = ("_fresh",)

    def __init__(self, pack: Pack, seats: int) -> None:
        """All cards unseen, all hands empty, no claims."""
        super().__init__(pack, seats)
        self._fresh = [0] * seats  # cards of the last unseen draw that were not named since

    def copy(self) -> Knowledge:
        """The same knowledge with its open claims, to go on apart from this one."""
        other = Knowledge.__new__(Knowledge)
        other.pack, other.seats = self.pack, self.seats
        other.unseen = self.unseen
        other.sure, other.loose, other.hidden = self.sure[:], self.loose[:], self.hidden[:]
        other.kept = self.kept[:]
        other._fresh, other.moved = self._fresh[:], self.moved[:]
        other.claims = self.claims.copy()
        other.lots = None if self.lots is None else self.lots.copy()
        return other

    # What happens

    def deal(self, seat: int, known: int, count: int) -> None:
        """Set a hand of `count` cards, `known` of them identified; a new round, a new hand.

        Replaces what the seat held; open claims about that hand lapse. Raises ValueError when
        there are more cards than the pack has left for it.
        """
        pack = self.pack
        unseen = pack.total_of(self.unseen, self.sure[seat]) if self.sure[seat] else self.unseen
        loose = count - known.bit_count()
        if loose < 0:
            raise ValueError("more cards are named than the hand has")
        if known:
            unseen = pack.without(unseen, known)
        if sum(self.loose) - self.loose[seat] + loose > unseen.bit_count():
            raise ValueError("the hands have more cards than the pack")
        if self.claims.groups:
            self.claims.lapse(seat)
        self.lots = None
        self.unseen = unseen
        self.sure[seat] = known
        self.loose[seat] = loose
        self.hidden[seat] = self.kept[seat] = self._fresh[seat] = 0
        self.moved[seat] = False
        if self.claims.groups:
            self.claims.recount(self)

    def show(self, seat: int, kind: int) -> None:
        """A card leaves the hand, seen by all: to the table or out of play.

        Raises ValueError when it cannot be in the hand.
        """
        if self.hidden[seat] or self.lots is not None:
            self._show_traced(seat, kind)
            return
        column = self.pack.column[kind]
        held = self.sure[seat] & column
        if held:
            self.sure[seat] ^= 1 << (held.bit_length() - 1)
            return
        held, loose = self.unseen & column, self.loose[seat]
        if not (held and loose):
            raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        self.unseen ^= 1 << (held.bit_length() - 1)  # as `_identify`: nearly every unseen card
        self.loose[seat] = loose - 1
        claims = self.claims
        if claims.groups:
            claims.found(self, seat, kind)
            if claims.room < 0:
                self.look()

    def holds(self, seat: int, kind: int, n: int = 1) -> None:
        """At least n copies of the kind were seen in the hand now.

        Raises ValueError when they cannot be in it.
        """
        if self.can_hold(seat, kind, n) < POSSIBLE:
            cards = " ".join([self.pack.kinds[kind]] * n)
            raise ValueError(f"{cards} cannot be in this hand")
        for _ in range(n - self.pack.count(self.sure[seat], kind)):
            self._identify(seat, kind)
            self.sure[seat] = self.pack.add(self.sure[seat], kind)
            self.claims.found(self, seat, kind)
        self._see(seat, kind, n, self.pack.total)
        if self.hidden[seat]:
            for _ in range(n - self.pack.count(self.kept[seat], kind)):
                self.kept[seat] = self.pack.add(self.kept[seat], kind)
            self.claims.shown_beside_hidden(self, seat)

    def show_held(self, shown: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        """Cards were seen in these hands now, and stay there. Raises ValueError as `holds`."""
        for seat, kinds in shown:
            for kind in set(kinds):
                self.holds(seat, kind, kinds.count(kind))

    def reveal(self, seat: int, hand: int) -> None:
        """All cards of the hand, as it is now. Raises ValueError when that contradicts what is
        known."""
        pack = self.pack
        sure = self.sure[seat]
        hidden = self.hidden[seat]
        if hand.bit_count() != self.size(seat):
            raise ValueError(
                plural("this hand has {count} card", "this hand has {count} cards", self.size(seat))
            )
        if pack.beyond(sure, hand).bit_count() > hidden:
            raise ValueError("a card seen in this hand is not among these")
        found = pack.beyond(hand, sure)
        unseen = pack.without(self.unseen, found)
        self.claims.recount(self)
        self.claims.revealed(self, seat, hand)
        self.unseen = unseen
        self.sure[seat] = hand
        self.loose[seat] = self.hidden[seat] = self.kept[seat] = 0
        for kind in range(pack.size) if self.lots is not None else ():
            self._see(seat, kind, pack.count(hand, kind), pack.count(hand, kind))
        self.claims.recount(self)

    def locate(self, kind: int) -> None:
        """A card nobody held is seen and lies open: turned up, a kitty, put out of play.

        Raises ValueError when no unseen card of the kind is outside the hands.
        """
        self.unseen = self._drawable(kind)
        self._from_stock(kind)

    def take_seen(self, seat: int, cards: int) -> None:
        """Cards that everybody saw (they were gone) come into the hand. Raises ValueError
        for others."""
        self.put_back(seat, cards)
        self.moved[seat] = True

    def put_back(self, seat: int, cards: int) -> None:
        """Cards that left the hand, seen by all, go back to it as if they had not. Raises
        ValueError for others."""
        pack, held = self.pack, self.unseen
        for sure in self.sure:
            held |= sure
        for kind in pack.kinds_in(cards & held & pack.first):
            if pack.count(cards, kind) > pack.copies - self.in_play(kind):
                raise ValueError(f"{pack.kinds[kind]} does not lie open")
        self.sure[seat] = pack.total_of(self.sure[seat], cards)
        if self.hidden[seat]:  # when such a card is seen there, it need not be one of before
            self.claims.received(seat, cards.bit_count())
        if self.lots is not None:
            self.lots.come(seat, cards)

    def draw_seen(self, seat: int, kind: int) -> None:
        """A card that nobody held is drawn and seen at once. Raises ValueError as `locate`."""
        self.unseen = self._drawable(kind)
        self._from_stock(kind)
        self.put_back(seat, self.pack.bit[kind])

    def take_unseen(self, seat: int, n: int) -> None:
        """n cards that nobody saw are drawn. Raises ValueError when fewer are outside the hands."""
        if n > self.elsewhere():
            raise ValueError(
                plural(
                    "{count} unseen card is left to be drawn, not {number}",
                    "{count} unseen cards are left to be drawn, not {number}",
                    self.elsewhere(),
                    number=n,
                )
            )
        if n:
            if self.claims.by_seat[seat]:
                self.trace()
            self._move([(STOCK, n, seat)])
            self._receive(seat, n)
            self.claims.recount(self)

    def drew(self, seat: int, kind: int) -> None:
        """One of the cards of this hand's last unseen draw, still in it, is of this kind.

        Raises ValueError when all of them are known, or it cannot be in the hand.
        """
        if not self._fresh[seat]:
            raise ValueError("every card just drawn is known")
        if self.can_hold(seat, kind) < POSSIBLE:
            raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        bit = self.pack.bit[kind]
        known = bool(self.sure[seat] & bit)
        if not known:
            self._identify(seat, kind)
            self.sure[seat] = self.pack.add(self.sure[seat], kind)
        self._fresh[seat] -= 1
        self.claims.drew(self, seat, kind, known)
        if self.lots is not None:
            self.lots.see(self.lots.drawn(seat), self.pack.column[kind], 1, self.pack.total)

    def give(self, seat: int, to: int, cards: int) -> None:
        """Cards pass from hand to hand, seen. Raises ValueError when they cannot be in it."""
        self.pass_on([], [(seat, to, cards)])

    def give_unseen(self, seat: int, to: int, n: int) -> None:
        """n cards pass from hand to hand, and nobody else saw which.

        What was sure of the giver's hand is no longer. Raises ValueError for more than it has.
        """
        self.pass_on([(seat, to, n)], [])

    def pass_on(
        self, unseen: Sequence[tuple[int, int, int]], seen: Sequence[tuple[int, int, int]]
    ) -> None:
        """At the same time cards pass from hand to hand: so many `unseen` ones, and those that all
        have `seen`. Raises ValueError as `give` and `give_unseen`."""
        for seat, _, n in unseen:
            if n > self.size(seat):
                raise ValueError(_has_only(self.size(seat)))
        for seat, _, cards in seen:
            self._check_given(seat, cards)
        if any(n for _, _, n in unseen) and self._knows_much():
            self.trace()
        for seat, _, cards in seen:
            for kind in self.pack.kinds_in(cards):
                self.show(seat, kind)
        self._move([(seat, n, to) for seat, to, n in unseen if n])
        for seat, to, n in unseen:
            if n:
                self._pass_unseen(seat, to, n)
        for seat, to, cards in seen:
            self.take_seen(to, cards)
            self.moved[seat] = True

    def _check_given(self, seat: int, cards: int) -> None:
        kinds = self.pack.kinds_in(cards)
        for kind in set(kinds):
            if self.can_hold(seat, kind, kinds.count(kind)) < POSSIBLE:
                raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        if self.pack.beyond(cards, self.sure[seat]).bit_count() > self.loose[seat]:
            raise ValueError("the hand cannot hold all of these")
        if len(kinds) > self.size(seat):
            raise ValueError(_has_only(self.size(seat)))

    def _pass_unseen(self, seat: int, to: int, n: int) -> None:
        self.claims.recount(self)
        self._loosen(seat)
        self.loose[seat] -= n
        self.claims.gave(seat, n)
        self.moved[seat] = True
        self._receive(to, n)
        self.claims.recount(self)

    def bury_unseen(self, seat: int, n: int) -> None:
        """n cards of the hand are laid aside face down for good; nobody else saw which.

        Raises ValueError for more than it has.
        """
        if n > self.size(seat):
            raise ValueError(_has_only(self.size(seat)))
        if self.hidden[seat]:
            self.trace()
        self._move([(seat, n, BURIED)])
        self.hidden[seat] += n
        self.kept[seat] = 0
        self.moved[seat] = True

    def doubt(self, seat: int, kind: int) -> None:
        """Make room for a card that what was entered rules out, but the table says was shown.

        Some hand was entered wrongly: as much of what is known as necessary is forgotten, and open
        claims about the hands concerned lapse. Raises ValueError when every copy is gone or the
        hand is empty.
        """
        if self.can_hold(seat, kind) >= POSSIBLE:
            return
        self.lose_track()
        pack = self.pack
        if not self.in_play(kind) or self.size(seat) < 1:
            raise ValueError(f"{pack.kinds[kind]} cannot have been in this hand")
        bit = pack.bit[kind]
        self.claims.lapse(seat)
        self.kept[seat] = 0
        if not self.unseen & bit:
            self.unseen |= bit
            for other, sure in enumerate(self.sure):
                if sure & bit:
                    self.sure[other] = pack.remove(sure, kind)
                    self.loose[other] += 1
                    self.kept[other] = 0
                    self.claims.lapse(other)
                    break
        if not self.loose[seat]:
            self._loosen(seat)
        self.claims.doubted(self)

    # Inside

    def _identify(self, seat: int, kind: int) -> None:
        """One of the loose cards is this kind; the caller puts it somewhere."""
        held = self.unseen & self.pack.column[kind]
        loose = self.loose[seat]
        if not (held and loose):
            raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        self.unseen ^= 1 << (held.bit_length() - 1)
        self.loose[seat] = loose - 1

    def _show_traced(self, seat: int, kind: int) -> None:
        if self.size(seat) < 1:
            raise ValueError("the hand is empty")
        known = self.sure[seat] & self.pack.bit[kind]
        if known:
            self.sure[seat] = self.pack.remove(self.sure[seat], kind)
        else:
            self._identify(seat, kind)
            self.claims.found(self, seat, kind)
        if self.hidden[seat]:
            if self.kept[seat] & self.pack.bit[kind]:
                self.kept[seat] = self.pack.remove(self.kept[seat], kind)
            self.claims.shown_beside_hidden(self, seat)
        if self.lots is not None:
            self.lots.show(seat, kind)
            self.claims.room = LOOK

    def _from_stock(self, kind: int) -> None:
        """A card of the stock has come to light."""
        self.claims.located(self, self.pack.bit[kind])
        if self.lots is not None:
            self.lots.show(STOCK, kind)
            self.claims.room = LOOK

    def _drawable(self, kind: int) -> int:
        """What is unseen when a card of the kind, in nobody's hand, has been seen."""
        if self.elsewhere() < 1:
            raise ValueError("every unseen card is in a hand")
        return self.pack.remove(self.unseen, kind)

    def _receive(self, seat: int, n: int) -> None:
        self.claims.recount(self)
        self.loose[seat] += n
        self._fresh[seat] = n
        self.moved[seat] = True
        self.claims.received(seat, n)

    def _loosen(self, seat: int) -> None:
        """Forget which cards the seat holds, not how many."""
        sure = self.sure[seat]
        self.unseen = self.pack.total_of(self.unseen, sure)
        self.loose[seat] += sure.bit_count()
        self.sure[seat] = self.kept[seat] = 0
        self.claims.forgotten(seat, sure)


def _has_only(size: int) -> str:
    return plural("the hand has only {count} card", "the hand has only {count} cards", size)
