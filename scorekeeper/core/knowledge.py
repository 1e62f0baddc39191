"""What is known of the hands of one round, and how it changes with all that happens.

`hands` says where the cards lie, `open_claims` what was asked of the hands and is not decided yet:
here both are kept in step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.claims import AnyOf, Claim, fold, within
from scorekeeper.core.clashes import look
from scorekeeper.core.english import number_of
from scorekeeper.core.hands import IMPOSSIBLE, NO_ELSEWHERE, NO_HAND, POSSIBLE, YES, Hands
from scorekeeper.core.open_claims import OpenClaims
from scorekeeper.core.questions import Proof, Several, claims_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.claims import Question
    from scorekeeper.core.open_claims import News
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


class Knowledge(Hands):
    """What is known of the hands, changed by what happens, and the claims about them.

    Everything that may be asked of `Hands` may be asked here. Change it through methods only; one
    that raises ValueError has changed nothing.
    """

    __slots__ = ("_fresh", "claims")

    def __init__(self, pack: Pack, seats: int) -> None:
        """All cards unseen, all hands empty, no claims."""
        super().__init__(pack, seats)
        self._fresh = [0] * seats  # cards of the last unseen draw that were not named since
        self.claims = OpenClaims(seats)

    def copy(self) -> Knowledge:
        """The same knowledge with its open claims, to go on apart from this one."""
        other = Knowledge.__new__(Knowledge)
        other.pack, other.seats = self.pack, self.seats
        other.unseen = self.unseen
        other.sure, other.loose, other.hidden = self.sure[:], self.loose[:], self.hidden[:]
        other._fresh, other.moved = self._fresh[:], self.moved[:]
        other.claims = self.claims.copy()
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
        self.unseen = unseen
        self.sure[seat] = known
        self.loose[seat] = loose
        self.hidden[seat] = self._fresh[seat] = 0
        self.moved[seat] = False
        if self.claims.groups:
            self.claims.recount(self)

    def show(self, seat: int, kind: int) -> None:
        """A card leaves the hand, seen by all: to the table or out of play.

        Raises ValueError when it cannot be in the hand.
        """
        if self.hidden[seat]:
            self._show_beside_hidden(seat, kind)
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
                look(self, claims)

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
            raise ValueError(f"this hand has {number_of(self.size(seat), 'card')}")
        if pack.beyond(sure, hand).bit_count() > hidden:
            raise ValueError("a card seen in this hand is not among these")
        found = pack.beyond(hand, sure)
        unseen = pack.without(self.unseen, found)
        self.claims.recount(self)
        self.claims.revealed(self, seat, hand)
        self.unseen = unseen
        self.sure[seat] = hand
        self.loose[seat] = self.hidden[seat] = 0
        self.claims.recount(self)

    def locate(self, kind: int) -> None:
        """A card nobody held is seen and lies open: turned up, a kitty, put out of play.

        Raises ValueError when no unseen card of the kind is outside the hands.
        """
        self.unseen = self._drawable(kind)
        self.claims.located(self, self.pack.bit[kind])

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

    def draw_seen(self, seat: int, kind: int) -> None:
        """A card that nobody held is drawn and seen at once. Raises ValueError as `locate`."""
        self.unseen = self._drawable(kind)
        self.sure[seat] = self.pack.add(self.sure[seat], kind)
        self.claims.located(self, self.pack.bit[kind])

    def take_unseen(self, seat: int, n: int) -> None:
        """n cards that nobody saw are drawn. Raises ValueError when fewer are outside the hands."""
        if n > self.elsewhere():
            left = number_of(self.elsewhere(), "unseen card is", "unseen cards are")
            raise ValueError(f"{left} left to be drawn, not {n}")
        if n:
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

    def give(self, seat: int, to: int, cards: int) -> None:
        """Cards pass from hand to hand, seen. Raises ValueError when they cannot be in it."""
        kinds = self.pack.kinds_in(cards)
        for kind in set(kinds):
            if self.can_hold(seat, kind, kinds.count(kind)) < POSSIBLE:
                raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        if self.pack.beyond(cards, self.sure[seat]).bit_count() > self.loose[seat]:
            raise ValueError("the hand cannot hold all of these")
        if len(kinds) > self.size(seat):
            raise ValueError(f"the hand has only {number_of(self.size(seat), 'card')}")
        for kind in kinds:
            self.show(seat, kind)
        self.take_seen(to, cards)
        self.moved[seat] = self.moved[to] = True

    def give_unseen(self, seat: int, to: int, n: int) -> None:
        """n cards pass from hand to hand, and nobody else saw which.

        What was sure of the giver's hand is no longer. Raises ValueError for more than it has.
        """
        if n > self.size(seat):
            raise ValueError(f"the hand has only {number_of(self.size(seat), 'card')}")
        if not n:
            return
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
            raise ValueError(f"the hand has only {number_of(self.size(seat), 'card')}")
        self.hidden[seat] += n
        self.moved[seat] = True

    def doubt(self, seat: int, kind: int) -> None:
        """Make room for a card that what was entered rules out, but the table says was shown.

        Some hand was entered wrongly: as much of what is known as necessary is forgotten, and open
        claims about the hands concerned lapse. Raises ValueError when every copy is gone or the
        hand is empty.
        """
        if self.can_hold(seat, kind) >= POSSIBLE:
            return
        pack = self.pack
        if not self.in_play(kind) or self.size(seat) < 1:
            raise ValueError(f"{pack.kinds[kind]} cannot have been in this hand")
        bit = pack.bit[kind]
        self.claims.lapse(seat)
        if not self.unseen & bit:
            self.unseen |= bit
            for other, sure in enumerate(self.sure):
                if sure & bit:
                    self.sure[other] = pack.remove(sure, kind)
                    self.loose[other] += 1
                    self.claims.lapse(other)
                    break
        if not self.loose[seat]:
            self._loosen(seat)
        self.claims.doubted(self)

    # Claims

    def claim(self, seat: int, mask: int, least: int, most: int, ref: object) -> bool | None:
        """Whether the hand has between `least` and `most` cards of the set now.

        None is open: the claim is kept, and `decided` gives `ref` back as soon as it is decided.
        """
        bounds = self.bounds(seat, mask)
        verdict = within(*bounds, least, most)
        if verdict is None:
            self.claims.keep(self, (seat, mask, least, most), bounds, ref, 0)
        return verdict

    def answer(self, question: Question) -> bool | None:
        """What the answer to a question is now; None is open."""
        if isinstance(question, Claim):
            bounds = self.bounds(question.seat, question.cards)
            return within(*bounds, question.least, question.most)
        return fold(map(self.answer, question.claims), isinstance(question, AnyOf))

    def ask(self, question: Question, ref: object, moment: int = 0) -> bool | None:
        """The answer to a question; open as in `claim`. Questions about the same act have the same
        `moment`, a number above 0."""
        if isinstance(question, Claim):
            part = question.seat, question.cards, question.least, question.most
            bounds = self.bounds(*part[:2])
            verdict = within(*bounds, *part[2:])
            if verdict is None:
                self.claims.keep(self, part, bounds, ref, moment)
            return verdict
        verdict = self.answer(question)
        if verdict is None:
            self._keep(question, ref, moment, None)
        return verdict

    def _keep(self, question: Question, ref: object, moment: int, parent: Several | None) -> None:
        """Keep what is open of a question."""
        if isinstance(question, Claim):
            part = question.seat, question.cards, question.least, question.most
            self.claims.keep(self, part, self.bounds(*part[:2]), ref, moment, parent)
            return
        still_open = [part for part in question.claims if self.answer(part) is None]
        several = Several(isinstance(question, AnyOf), len(still_open), parent)
        self.claims.ask(several, moment, parent)
        for each in still_open:
            self._keep(each, ref, moment, several)

    def decided(self) -> Sequence[News | None]:
        """The questions decided since this was last asked: ref, verdict, proof; oldest first. None
        among them: what is `clashing` is not what it was."""
        return self.claims.decided() if self.news else ()

    @property
    def news(self) -> bool:
        """Whether anything has been decided since that was last asked."""
        if self.claims.room < 0:
            look(self, self.claims)
        return bool(self.claims.news)

    def clashing(self) -> list[list[object]]:
        """The refs of the questions that clash: in every world one of each list is answered with
        no, and no smaller part of it is such a list."""
        return [[next(claims_of(asked)).ref for asked in clash] for clash in self.claims.clashes]

    # Inside

    def _identify(self, seat: int, kind: int) -> None:
        """One of the loose cards is this kind; the caller puts it somewhere."""
        held = self.unseen & self.pack.column[kind]
        loose = self.loose[seat]
        if not (held and loose):
            raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        self.unseen ^= 1 << (held.bit_length() - 1)
        self.loose[seat] = loose - 1

    def _show_beside_hidden(self, seat: int, kind: int) -> None:
        if self.size(seat) < 1:
            raise ValueError("the hand is empty")
        known = self.sure[seat] & self.pack.bit[kind]
        if known:
            self.sure[seat] = self.pack.remove(self.sure[seat], kind)
        else:
            self._identify(seat, kind)
            self.claims.found(self, seat, kind)
        self.claims.shown_beside_hidden(self, seat)

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
        self.sure[seat] = 0
        self.claims.forgotten(seat, sure)
