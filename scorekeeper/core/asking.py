"""Hands that questions are asked of: answered at once where what is known decides them, else kept
until it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.claims import AllOf, AnyOf, Claim, fold, within
from scorekeeper.core.clashes import look
from scorekeeper.core.hands import Hands
from scorekeeper.core.lots import Lots
from scorekeeper.core.open_claims import OpenClaims
from scorekeeper.core.questions import LOOK, Several, claims_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.claims import Question
    from scorekeeper.core.open_claims import News
    from scorekeeper.core.pieces import Pack


MOST_TRACED = 128
"""For how many kinds of card, times seats, cards are traced that go where nobody sees."""


class AskedHands(Hands):
    """Hands, and the `claims` about them that are open.

    `lots` say where cards have gone unseen; None as long as counting those of each hand says as
    much (see `trace`).
    """

    __slots__ = ("claims", "lots")

    def __init__(self, pack: Pack, seats: int) -> None:
        """All cards unseen, all hands empty, no claims."""
        super().__init__(pack, seats)
        self.claims = OpenClaims(seats)
        self.lots: Lots | None = None

    def claim(self, seat: int, mask: int, least: int, most: int, ref: object) -> bool | None:
        """Whether the hand has between `least` and `most` cards of the set now.

        None is open: the claim is kept, and `decided` gives `ref` back as soon as it is decided.
        """
        return self._claim(Claim(seat, mask, least, most), ref, 0, None)

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
            return self._claim(question, ref, moment, None)
        verdict = self.answer(question)
        if verdict is None:
            self._keep(question, ref, moment, None)
        return verdict

    def ask_again(self, question: Question, ref: object, moment: int) -> None:
        """Ask a question that was open of hands that have been made anew. `decided` gives the
        answer, also where they give it at once."""
        known = self.answer(question) is not None
        if isinstance(question, Claim):
            self._claim(question, ref, moment, None, known)
        else:
            self._keep(question, ref, moment, None, known)
        if known:
            self.claims.recount(self)

    def _claim(
        self, claim: Claim, ref: object, moment: int, parent: Several | None, known: bool = False
    ) -> bool | None:
        """Keep a claim that is open; one whose answer is `known` too, if that is to be kept."""
        part = claim.seat, claim.cards, claim.least, claim.most
        bounds = self.bounds(claim.seat, claim.cards)
        verdict = within(*bounds, claim.least, claim.most)
        if verdict is None or known:
            kept = self.claims.keep(self, part, bounds, ref, moment, parent)
            if self.lots is not None:
                kept.view = self.lots.now(claim.seat)
        return verdict

    def _keep(
        self,
        question: AnyOf | AllOf,
        ref: object,
        moment: int,
        parent: Several | None,
        known: bool = False,
    ) -> None:
        """Keep what is open of a question made of several; all of it, if its answer is `known`."""
        still_open = [part for part in question.claims if known or self.answer(part) is None]
        several = Several(isinstance(question, AnyOf), len(still_open), parent)
        self.claims.ask(several, moment, parent)
        for each in still_open:
            if isinstance(each, Claim):
                self._claim(each, ref, moment, several, known)
            else:
                self._keep(each, ref, moment, several, known)

    def decided(self) -> Sequence[News | None]:
        """The questions decided since this was last asked: ref, verdict, proof; oldest first. None
        among them: what is `clashing` is not what it was."""
        return self.claims.decided() if self.news else ()

    @property
    def news(self) -> bool:
        """Whether anything has been decided since that was last asked."""
        if self.claims.room < 0:
            self.look()
        return bool(self.claims.news)

    def clashing(self) -> list[list[object]]:
        """The refs of the questions that clash: in every world one of each list is answered with
        no, and no smaller part of it is such a list."""
        return [[next(claims_of(asked)).ref for asked in clash] for clash in self.claims.clashes]

    def look(self) -> None:
        """See what the open questions come to together."""
        if not look(self, self.claims, self.lots):
            self.lose_track()

    # Where cards have gone

    def trace(self) -> None:
        """From now on follow where cards go that nobody sees: counting those of each hand will not
        say everything any more. Not with large packs: that would take too long."""
        if self.lots is not None or self.pack.size * self.seats > MOST_TRACED:
            return
        self.lots = lots = Lots(self)
        for seat, held in enumerate(self.claims.by_seat):
            hidden, sure = self.hidden[seat], self.sure[seat]
            for claim in held:
                if claim.moved or claim.buried not in (0, hidden):
                    continue
                after = bool(claim.buried)
                claim.view = lots.at_first(seat, after, hidden > 0 and not after)
                claim.known = claim.base - (sure & claim.mask).bit_count() * after
        self.claims.room = LOOK

    def lose_track(self) -> None:
        """Something was entered wrongly: nothing is concluded any more of where cards have gone,
        nor from several questions together."""
        if self.lots is not None:
            self.lots = None
            self.claims.forget()

    def _move(self, moves: Sequence[tuple[int, int, int]]) -> None:
        """So many cards leave a place unseen for another, all at once."""
        if self.lots is None or not moves:
            return
        parts = self.lots.move(moves)
        for held in self.claims.by_seat:
            for claim in held:
                if claim.view is not None:
                    claim.view = claim.view.split(parts)

    def _see(self, seat: int, kind: int, least: int, most: int) -> None:
        """So many of a kind were seen in a hand."""
        if self.lots is not None:
            self.lots.see(self.lots.now(seat), self.pack.column[kind], least, most)
            self.claims.room = LOOK

    def _knows_much(self) -> bool:
        """Whether it makes a difference which cards leave a hand unseen."""
        return any(self.sure) or any(self.hidden) or bool(self.claims.groups)
