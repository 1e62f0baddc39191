"""What is known of the hands of one round, and how it changes with all that happens.

`hands` says where the cards lie, `open_claims` what was asked of the hands and is not decided yet,
`placement` where unseen cards may be: here all three are kept in step. A question is answered at
once where what is known decides it, else it is kept until it does.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from scorekeeper.core.hands import POSSIBLE, AnyOf, Claim, Hands, within
from scorekeeper.core.messages import plural
from scorekeeper.core.open_claims import (
    AT_EASE,
    LOOK,
    OpenClaim,
    OpenClaims,
    Several,
    claims_of,
)
from scorekeeper.core.placement import (
    BURIED,
    STOCK,
    Budget,
    Dealt,
    Either,
    Limit,
    Lots,
    Place,
    possible,
    room,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.hands import AllOf, Question
    from scorekeeper.core.open_claims import Asked, News
    from scorekeeper.core.placement import Wanted

MOST_TRACED = 128
"""For how many kinds of card, times seats, cards are traced that go where nobody sees."""


class Knowledge(Hands):
    """What is known of the hands, changed by what happens, and the `claims` about them that are
    open.

    `lots` say where cards have gone unseen; None as long as counting those of each hand says as
    much (see `trace`). Change it through methods only; one that raises ValueError has changed
    nothing.
    """

    __slots__ = ("_fresh", "claims", "lots")

    def __init__(self, pack: Pack, seats: int) -> None:
        """All cards unseen, all hands empty, no claims."""
        super().__init__(pack, seats)
        self.claims = OpenClaims(seats)
        self.lots: Lots | None = None
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

    # Questions

    def ask(self, question: Question, ref: object, moment: int = 0) -> bool | None:
        """The answer to a question; None is open: it is kept, and `decided` gives `ref` back as
        soon as it is decided. Questions about the same act have the same `moment`, a number above
        0."""
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
        if self.elsewhere() < 1:
            raise ValueError("every unseen card is in a hand")
        self.unseen = self.pack.remove(self.unseen, kind)
        self.claims.located(self, self.pack.bit[kind])
        if self.lots is not None:
            self.lots.show(STOCK, kind)
            self.claims.room = LOOK

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

    # Where cards have gone unseen

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


# --- what can be proven of several questions together
#
# Each open claim is decided as soon as its own count leaves nothing else (`open_claims`). Beyond
# that several may clash: no world (see `placement`) answers all of them with yes. Then one of them
# at least is answered with no, in every world another perhaps. A question made of several claims
# may clash with itself, and is decided. Nothing is concluded from anybody having obeyed a rule.
#
# Looking for a world after every card would be slow. So it is first asked with stricter limits,
# which only keep cards out of hands: where that leaves room, there is a world, and as many cards
# can come to light before it must be asked again as there is room.


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
