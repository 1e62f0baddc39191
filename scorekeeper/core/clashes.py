"""What can be proven of several questions together.

Each open claim is decided as soon as its own count leaves nothing else (`open_claims`). Beyond that
several may clash: no world (see `worlds`) answers all of them with yes. Then one of them at least
is answered with no, in every world another perhaps. A question made of several claims may clash
with itself, and is decided. Nothing is concluded from anybody having obeyed a rule.

Looking for a world after every card would be slow. So it is first asked with stricter limits, which
only keep cards out of hands: where that leaves room, there is a world, and as many cards can come
to light before it must be asked again as there is room.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from scorekeeper.core.questions import AT_EASE, LOOK, OpenClaim, Several, claims_of
from scorekeeper.core.tables import Budget
from scorekeeper.core.worlds import Dealt, Either, Limit, Place, possible, room

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.hands import Hands
    from scorekeeper.core.lots import Lots
    from scorekeeper.core.open_claims import OpenClaims
    from scorekeeper.core.questions import Asked
    from scorekeeper.core.worlds import Asked as Wanted


def look(hands: Hands, claims: OpenClaims, lots: Lots | None) -> bool:
    """Find out which of the open questions clash, and decide those that clash with themselves;
    where cards are traced (`lots`), also those that only that decides. False: what is known of the
    lots does not fit together, and nothing has been concluded."""
    first = next(iter(claims.asked), None)
    if len(claims.asked) < 2 and not (claims.clashes or lots or isinstance(first, Several)):
        claims.room = AT_EASE  # counting decides a claim that is alone
        return True
    if not (claims.asked or claims.clashes):
        claims.room = 0
        return True
    found = LOOK if lots else _room(hands, claims)
    if found >= 0 and not (claims.choices or claims.clashes):
        claims.room = found
        return True
    worlds = _Worlds(hands, lots)
    if lots:
        if worlds.answer_all_of(claims.asked, True):
            found = 0
        elif worlds.answer_all_of((), True) is False:
            return False
    claims.choices = _chosen(worlds, claims, hands.loose) if lots or claims.choices else False
    if claims.clashes or found < 0:
        _find_clashes(worlds, claims, hands.loose)
    claims.room = 0 if lots or claims.choices or claims.clashes else max(0, found)
    return True


def _chosen(worlds: _Worlds, claims: OpenClaims, loose: Sequence[int]) -> bool:
    """Answer the questions that hold in every world, where counting each claim does not say it;
    whether there were any to ask."""
    chosen = [asked for asked in claims.asked if _chooses(asked) or worlds.traces(asked)]
    for asked in chosen:
        if worlds.answer_all_of([asked], False) is False:
            claims.answer(asked, True, loose)
    return bool(chosen)


def _find_clashes(worlds: _Worlds, claims: OpenClaims, loose: Sequence[int]) -> None:
    """Look closely: those that were found before go first. While none of their questions is
    answered they clash still, even if that costs too much now, or cannot be seen any more."""
    told = [list(clash) for clash in claims.clashes]
    rest, found = list(claims.asked), []
    for clash in told:
        left = [asked for asked in clash if asked in rest]
        fewer = _clashes(worlds, left, rest, claims.asked)
        if left == clash and not fewer:
            fewer = [clash]
            rest = [asked for asked in rest if asked not in clash]
        found += fewer
    found += _clashes(worlds, rest, rest, claims.asked)
    for clash in found:
        if len(clash) == 1:
            claims.answer(clash[0], False, loose)
    claims.clashes = [clash for clash in found if len(clash) > 1]
    if claims.clashes != told:
        claims.news.append(None)


def _clashes(
    worlds: _Worlds, asked: list[Asked], rest: list[Asked], moments: Mapping[Asked, int]
) -> list[list[Asked]]:
    """Clashes among these questions, none of which has a question of another; they are taken out of
    the `rest`."""
    found = []
    left = asked[:]
    while left and worlds.answer_all_of(left, True) is False:
        acts: dict[object, list[Asked]] = {}
        for each in left:
            acts.setdefault(moments[each] or each, []).append(each)
        clash = _irreducible(worlds, list(acts.values()))
        if len({moments[each] for each in clash}) == 1:
            clash = _irreducible(worlds, [[each] for each in clash])
        found.append(clash)
        left = [each for each in left if each not in clash]
        rest[:] = [each for each in rest if each not in clash]
    return found


def _irreducible(worlds: _Worlds, parts: list[list[Asked]]) -> list[Asked]:
    """Of questions that clash, as few of these parts as clash still: later ones are left out
    first."""
    for part in reversed(parts):
        fewer = [other for other in parts if other is not part]
        if worlds.answer_all_of(chain(*fewer), True) is False:
            parts = fewer
    return list(chain(*parts))


def _chooses(asked: Asked) -> bool:
    """Whether a question is joined by *or* anywhere."""
    return not isinstance(asked, OpenClaim) and (
        asked.decisive or any(_chooses(part) for part in asked.parts if part.open)
    )


class _Worlds:
    """The worlds that fit what is certain of the hands, or of the lots if cards are traced."""

    def __init__(self, hands: Hands, lots: Lots | None) -> None:
        self.hands = hands
        self.lots = lots
        self.layout = lots or Dealt(hands)
        self.budget = Budget()

    def traces(self, asked: Asked) -> bool:
        """Whether a question is about a hand whose cards are traced."""
        lots = self.lots
        return lots is not None and any(each.seat in lots.seats for each in claims_of(asked))

    def answer_all_of(self, asked: Iterable[Asked], verdict: bool) -> bool | None:
        """Whether some world answers all of these so; None: nobody has found out."""
        wanted: list[Wanted] = []
        for each in asked:
            wanted += self._like(each, verdict)
        return possible(self.layout, wanted, self.budget)

    def _like(self, asked: Asked, verdict: bool) -> tuple[Wanted, ...]:
        """What a world is like that answers a question so; nothing where that is not known."""
        if isinstance(asked, OpenClaim):
            return self._limits(asked, verdict)
        parts = [self._like(part, verdict) for part in asked.parts if part.open]
        if asked.decisive is verdict:
            return (Either(tuple(parts)),)
        return tuple(each for part in parts for each in part)

    def _limits(self, claim: OpenClaim, verdict: bool) -> tuple[Wanted, ...]:
        place, known = (claim.view, claim.known) if self.lots else self._at(claim)
        if place is None:
            return ()
        if verdict:
            return (Limit(place, claim.mask, claim.least - known, claim.most - known),)
        fewer = Limit(place, claim.mask, 0, claim.least - 1 - known)
        more = Limit(place, claim.mask, claim.most + 1 - known, self.hands.pack.total)
        return (Either(((fewer,), (more,))),)

    def _at(self, claim: OpenClaim) -> tuple[Place | None, int]:
        """Which of the cards that nobody knows the place of a claim counts, and how many others."""
        hands, seat = self.hands, claim.seat
        hidden = hands.hidden[seat]
        if claim.moved or claim.buried not in (0, hidden):
            return None, 0
        if not claim.buried:
            return Place(seat, not hidden), claim.base
        return Place(seat, True), claim.base - (hands.sure[seat] & claim.mask).bit_count()


def _room(hands: Hands, claims: OpenClaims) -> int:
    """How much room there is for certain: if none, there may still be a world. No card may be in a
    hand of which some claim allows fewer than all; of others as many as a claim wants are in it."""
    barred, needs = [0] * hands.seats, list[OpenClaim]()
    claims.wanted = 0
    for seat, held in enumerate(claims.by_seat):
        hidden = hands.hidden[seat]
        for claim in held:
            if claim.drawn or claim.given:
                continue
            if claim.buried != hidden:
                return LOOK
            if claim.high > claim.most:
                barred[seat] |= claim.mask
            if claim.low < claim.least:
                needs.append(claim)
    if needs:
        return _room_beside(hands, claims, barred, needs)
    return room(hands, barred, hands.unseen, hands.loose)


def _room_beside(
    hands: Hands, claims: OpenClaims, barred: Sequence[int], needs: Sequence[OpenClaim]
) -> int:
    """The same, beside the cards that these claims want in hands."""
    unseen, loose, found = hands.unseen, hands.loose[:], AT_EASE
    for claim in needs:
        seat = claim.seat
        if hands.hidden[seat]:
            return LOOK
        free = unseen & claim.mask & ~barred[seat]
        for _ in range(claim.least - claim.base):
            if not free:
                return LOOK
            unseen ^= free & -free
            free &= free - 1
            loose[seat] -= 1
        found = min(found, loose[seat])
        claims.wanted |= claim.mask
    return min(found, room(hands, barred, unseen, loose))
