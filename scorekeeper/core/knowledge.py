"""Knowledge about the hands of one round, and how each event changes it.

`core/hands.py` holds the known cards, `core/open_claims.py` the undecided questions about hands,
and `core/placement.py` the possible places of unseen cards. This module updates all three
together. A question is answered at once if the known facts decide it, and otherwise stays open
until they do.
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
"""The largest number of kinds times seats for which cards that move unseen are traced."""


class Knowledge(Hands):
    """The knowledge of the hands, updated by events, with the open `claims` about them.

    `provenance` follows cards that moved unseen. It is None while counting the cards of each
    hand yields as much (see `start_tracing`). Change the object through methods only. A method
    that raises ValueError has changed nothing.
    """

    __slots__ = ("_fresh", "claims", "lots")

    def __init__(self, pack: Pack, seats: int) -> None:
        """Start with all cards unseen, all hands empty, and no claims."""
        super().__init__(pack, seats)
        self.claims = OpenClaims(seats)
        self.lots: Lots | None = None
        self._fresh = [0] * seats  # cards of the last unseen draw that have not been named since

    def copy(self) -> Knowledge:
        """Return an independent copy of the knowledge and its open claims."""
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
        """Return the answer to a question, or None if it stays open.

        `take_decisions` returns `ref` as soon as an open question is decided. Questions about
        the same act have the same `moment`, a number above 0.
        """
        if isinstance(question, Claim):
            return self._claim(question, ref, moment, None)
        verdict = self.answer(question)
        if verdict is None:
            self._keep(question, ref, moment, None)
        return verdict

    def ask_again(self, question: Question, ref: object, moment: int) -> None:
        """Ask a question that was open before the hands were rebuilt.

        `take_decisions` returns the answer even if the hands decide it at once.
        """
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
        """Add an open claim, or one whose answer is `known` if that must be recorded too."""
        part = claim.seat, claim.cards, claim.least, claim.most
        bounds = self.bounds(claim.seat, claim.cards)
        verdict = within(*bounds, claim.least, claim.most)
        if verdict is None or known:
            open_claim = self.claims.keep(self, part, bounds, ref, moment, parent)
            if self.lots is not None:
                open_claim.view = self.lots.now(claim.seat)
        return verdict

    def _keep(
        self,
        question: AnyOf | AllOf,
        ref: object,
        moment: int,
        parent: Several | None,
        known: bool = False,
    ) -> None:
        """Add the open parts of a compound question, or all parts if its answer is `known`."""
        still_open = [part for part in question.claims if known or self.answer(part) is None]
        several = Several(isinstance(question, AnyOf), len(still_open), parent)
        self.claims.ask(several, moment, parent)
        for each in still_open:
            if isinstance(each, Claim):
                self._claim(each, ref, moment, several, known)
            else:
                self._keep(each, ref, moment, several, known)

    def decided(self) -> Sequence[News | None]:
        """Return the questions decided since the last call: ref, verdict and proof, oldest first.

        None in the list means that the clashes have changed (see `list_clashes`).
        """
        return self.claims.decided() if self.news else ()

    @property
    def news(self) -> bool:
        """True if anything has been decided since `take_decisions` was last called."""
        if self.claims.room < 0:
            self.look()
        return bool(self.claims.news)

    def clashing(self) -> list[list[object]]:
        """Return the refs of the questions that clash, one list for each clash.

        In every world at least one question of the list is answered with no. No part of a list
        is a clash.
        """
        return [
            [next(claims_of(question)).ref for question in clash] for clash in self.claims.clashes
        ]

    def look(self) -> None:
        """Find out what the open questions prove together."""
        if not look(self, self.claims, self.lots):
            self.lose_track()

    # Events

    def deal(self, seat: int, known: int, count: int) -> None:
        """Set a hand of `count` cards, of which `known` are identified, for a new round.

        It replaces the previous hand, and open claims about that hand lapse. Raises ValueError
        if the pack has too few cards left.
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
        """Move a card out of a hand for all to see, to the table or out of play.

        Raises ValueError if it cannot be in the hand.
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
        # as in `_identify`, and fast, because nearly every unseen card takes this path
        self.unseen ^= 1 << (held.bit_length() - 1)
        self.loose[seat] = loose - 1
        claims = self.claims
        if claims.groups:
            claims.found(self, seat, kind)
            if claims.room < 0:
                self.look()

    def holds(self, seat: int, kind: int, n: int = 1) -> None:
        """Note that at least n copies of the kind were seen in the hand.

        Raises ValueError if they cannot be in it.
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
        """Note that cards were seen in hands and stay there.

        `shown` are pairs of a seat and kinds. Raises ValueError if they cannot be there.
        """
        for seat, kinds in shown:
            for kind in set(kinds):
                self.holds(seat, kind, kinds.count(kind))

    def reveal(self, seat: int, hand: int) -> None:
        """Note all cards of a hand as it is now. Raises ValueError if they contradict what is
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
        new = pack.beyond(hand, sure)
        unseen = pack.without(self.unseen, new)
        self.claims.recount(self)
        self.claims.revealed(self, seat, hand)
        self.unseen = unseen
        self.sure[seat] = hand
        self.loose[seat] = self.hidden[seat] = self.kept[seat] = 0
        for kind in range(pack.size) if self.lots is not None else ():
            self._see(seat, kind, pack.count(hand, kind), pack.count(hand, kind))
        self.claims.recount(self)

    def locate(self, kind: int) -> None:
        """Note that a card outside all hands is seen: turned up, in a kitty, or put out of play.

        Raises ValueError if no unseen card of the kind is outside the hands.
        """
        if self.elsewhere() < 1:
            raise ValueError("every unseen card is in a hand")
        self.unseen = self.pack.remove(self.unseen, kind)
        self.claims.located(self, self.pack.bit[kind])
        if self.lots is not None:
            self.lots.show(STOCK, kind)
            self.claims.room = LOOK

    def take_seen(self, seat: int, cards: int) -> None:
        """Move cards that everybody saw into a hand. Raises ValueError if they are not gone."""
        self.put_back(seat, cards)
        self.moved[seat] = True

    def put_back(self, seat: int, cards: int) -> None:
        """Return cards to the hand that they left for all to see, as if they had not left it.

        Raises ValueError for other cards.
        """
        pack, held = self.pack, self.unseen
        for sure in self.sure:
            held |= sure
        for kind in pack.kinds_in(cards & held & pack.first):
            if pack.count(cards, kind) > pack.copies - self.in_play(kind):
                raise ValueError(f"{pack.kinds[kind]} does not lie open")
        self.sure[seat] = pack.total_of(self.sure[seat], cards)
        if self.hidden[seat]:  # if such a card is seen there later, it may be one of these
            self.claims.received(seat, cards.bit_count())
        if self.lots is not None:
            self.lots.come(seat, cards)

    def take_unseen(self, seat: int, n: int) -> None:
        """Draw n cards that no other player sees.

        Raises ValueError if fewer cards are outside the hands.
        """
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
        """Name one card of the hand's last unseen draw that is still in it.

        Raises ValueError if all of them are known, or if the card cannot be in the hand.
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
        """Pass cards from hand to hand for all to see. Raises ValueError if they cannot be in the
        hand."""
        self.pass_on([], [(seat, to, cards)])

    def give_unseen(self, seat: int, to: int, n: int) -> None:
        """Pass n cards from hand to hand, unseen by the other players.

        The giver's known cards become unknown. Raises ValueError if the hand has fewer cards.
        """
        self.pass_on([(seat, to, n)], [])

    def pass_on(
        self, unseen: Sequence[tuple[int, int, int]], seen: Sequence[tuple[int, int, int]]
    ) -> None:
        """Pass cards from hand to hand at the same time.

        `unseen` are triples of a seat, the receiving seat and a number. `seen` have the cards
        instead of the number. Raises ValueError as `give` and `give_unseen` do.
        """
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
        """Lay n cards of the hand aside face down for good, unseen by the other players.

        Raises ValueError if the hand has fewer cards.
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
        """Make room for a card that the entered hands rule out, although the table saw it.

        Some hand was entered wrongly. As little as possible of what is known is dropped, and
        open claims about the hands concerned lapse. Raises ValueError if every copy is gone or
        the hand is empty.
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

    # Tracing cards that move unseen

    def trace(self) -> None:
        """Follow cards that move unseen from now on, because counting cards is no longer enough.

        Large packs are not traced, because that would take too long.
        """
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
        """Stop tracing after a wrong entry, and draw no more conclusions from several questions."""
        if self.lots is not None:
            self.lots = None
            self.claims.forget()

    def _move(self, moves: Sequence[tuple[int, int, int]]) -> None:
        """Move numbers of cards from place to place unseen, all at once."""
        if self.lots is None or not moves:
            return
        parts = self.lots.move(moves)
        for held in self.claims.by_seat:
            for claim in held:
                if claim.view is not None:
                    claim.view = claim.view.split(parts)

    def _see(self, seat: int, kind: int, least: int, most: int) -> None:
        """Note that `least` to `most` cards of a kind were seen in a hand."""
        if self.lots is not None:
            self.lots.see(self.lots.now(seat), self.pack.column[kind], least, most)
            self.claims.room = LOOK

    def _knows_much(self) -> bool:
        """Return whether it matters which cards leave a hand unseen."""
        return any(self.sure) or any(self.hidden) or bool(self.claims.groups)

    # Helpers

    def _identify(self, seat: int, kind: int) -> None:
        """Turn one unknown card of the hand into this kind. The caller puts it somewhere."""
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
        """Forget which cards the seat has, but not how many."""
        sure = self.sure[seat]
        self.unseen = self.pack.total_of(self.unseen, sure)
        self.loose[seat] += sure.bit_count()
        self.sure[seat] = self.kept[seat] = 0
        self.claims.forgotten(seat, sure)


def _has_only(size: int) -> str:
    return plural("the hand has only {count} card", "the hand has only {count} cards", size)


# --- conclusions from several questions together  A single claim is decided as soon as its own
# count leaves one answer (`core/open_claims.py`). Several questions may clash as well: no world
# (see `core/placement.py`) answers all of them with yes. Then at least one of them is answered with
# no, though perhaps a different one in each world. A compound question may clash with itself, and
# is then decided. No conclusion is ever drawn from the assumption that a player obeyed a rule.
# Looking for a world after every card would be slow. So a stricter question comes first, with
# limits that only keep cards out of hands. If there is slack, there is a world, and that many cards
# can come to light before the next search.


def look(hands: Hands, claims: OpenClaims, lots: Lots | None) -> bool:
    """Find the clashes among open questions, and decide questions that clash with themselves.

    If cards are traced (`provenance`), also decide questions that only tracing decides. Returns
    False if the traced facts contradict each other; then nothing was concluded.
    """
    first = next(iter(claims.asked), None)
    if len(claims.asked) < 2 and not (claims.clashes or lots or isinstance(first, Several)):
        claims.room = AT_EASE  # a single claim is decided by counting
        return True
    if not (claims.asked or claims.clashes):
        claims.room = 0
        return True
    slack = LOOK if lots else _room(hands, claims)
    if slack >= 0 and not (claims.choices or claims.clashes):
        claims.room = slack
        return True
    worlds = _Worlds(hands, lots)
    if lots:
        if worlds.answer_all_of(claims.asked, True):
            slack = 0
        elif worlds.answer_all_of((), True) is False:
            return False
    claims.choices = _chosen(worlds, claims, hands.loose) if lots or claims.choices else False
    if claims.clashes or slack < 0:
        _find_clashes(worlds, claims, hands.loose)
    claims.room = 0 if lots or claims.choices or claims.clashes else max(0, slack)
    return True


def _chosen(worlds: _Worlds, claims: OpenClaims, loose: Sequence[int]) -> bool:
    """Answer questions that hold in every world although counting does not decide them.

    Returns whether there were any to check.
    """
    chosen = [
        question for question in claims.asked if _chooses(question) or worlds.traces(question)
    ]
    for question in chosen:
        if worlds.answer_all_of([question], False) is False:
            claims.answer(question, True, loose)
    return bool(chosen)


def _find_clashes(worlds: _Worlds, claims: OpenClaims, loose: Sequence[int]) -> None:
    """Search for clashes with tables, starting with the known ones.

    A known clash remains as long as none of its questions is answered, even if it is now too
    costly to check or can no longer be seen.
    """
    before = [list(clash) for clash in claims.clashes]
    rest, result = list(claims.asked), []
    for clash in before:
        left = [asked for asked in clash if asked in rest]
        fewer = _clashes(worlds, left, rest, claims.asked)
        if left == clash and not fewer:
            fewer = [clash]
            rest = [asked for asked in rest if asked not in clash]
        result += fewer
    result += _clashes(worlds, rest, rest, claims.asked)
    for clash in result:
        if len(clash) == 1:
            claims.answer(clash[0], False, loose)
    claims.clashes = [clash for clash in result if len(clash) > 1]
    if claims.clashes != before:
        claims.news.append(None)


def _clashes(
    worlds: _Worlds, asked: list[Asked], rest: list[Asked], moments: Mapping[Asked, int]
) -> list[list[Asked]]:
    """Return disjoint clashes among these questions, and remove their questions from `rest`."""
    result = []
    left = asked[:]
    while left and worlds.answer_all_of(left, True) is False:
        acts: dict[object, list[Asked]] = {}
        for each in left:
            acts.setdefault(moments[each] or each, []).append(each)
        clash = _irreducible(worlds, list(acts.values()))
        if len({moments[each] for each in clash}) == 1:
            clash = _irreducible(worlds, [[each] for each in clash])
        result.append(clash)
        left = [each for each in left if each not in clash]
        rest[:] = [each for each in rest if each not in clash]
    return result


def _irreducible(worlds: _Worlds, parts: list[list[Asked]]) -> list[Asked]:
    """Return the fewest parts of a clash that still clash, leaving out later parts first."""
    for part in reversed(parts):
        fewer = [other for other in parts if other is not part]
        if worlds.answer_all_of(chain(*fewer), True) is False:
            parts = fewer
    return list(chain(*parts))


def _chooses(asked: Asked) -> bool:
    """Return whether a question is joined by *or* at any depth."""
    return not isinstance(asked, OpenClaim) and (
        asked.decisive or any(_chooses(part) for part in asked.parts if part.open)
    )


class _Worlds:
    """The worlds that fit everything certain, traced or counted."""

    def __init__(self, hands: Hands, lots: Lots | None) -> None:
        self.hands = hands
        self.lots = lots
        self.layout = lots or Dealt(hands)
        self.budget = Budget()

    def traces(self, asked: Asked) -> bool:
        """Return whether a question is about a hand whose cards are traced."""
        lots = self.lots
        return lots is not None and any(each.seat in lots.seats for each in claims_of(asked))

    def answer_all_of(self, asked: Iterable[Asked], verdict: bool) -> bool | None:
        """Return whether some world answers all questions so, or None if the budget is spent."""
        wanted: list[Wanted] = []
        for each in asked:
            wanted += self._like(each, verdict)
        return possible(self.layout, wanted, self.budget)

    def _like(self, asked: Asked, verdict: bool) -> tuple[Wanted, ...]:
        """Return the constraints on a world that answers a question so, or none if they are
        unknown."""
        if isinstance(asked, OpenClaim):
            return self._limits(asked, verdict)
        parts = [self._like(part, verdict) for part in asked.parts if part.open]
        if asked.decisive is verdict:
            return (Either(tuple(parts)),)
        return tuple(each for part in parts for each in part)

    def _limits(self, claim: OpenClaim, verdict: bool) -> tuple[Wanted, ...]:
        """Return the constraints on a world that answers a claim so."""
        place, known = (claim.view, claim.known) if self.lots else self._at(claim)
        if place is None:
            return ()
        if verdict:
            return (Limit(place, claim.mask, claim.least - known, claim.most - known),)
        fewer = Limit(place, claim.mask, 0, claim.least - 1 - known)
        more = Limit(place, claim.mask, claim.most + 1 - known, self.hands.pack.total)
        return (Either(((fewer,), (more,))),)

    def _at(self, claim: OpenClaim) -> tuple[Place | None, int]:
        """Return the place of the unknown cards that a claim counts, and the number of its other
        cards."""
        hands, seat = self.hands, claim.seat
        hidden = hands.hidden[seat]
        if claim.moved or claim.buried not in (0, hidden):
            return None, 0
        if not claim.buried:
            return Place(seat, not hidden), claim.base
        return Place(seat, True), claim.base - (hands.sure[seat] & claim.mask).bit_count()


def _room(hands: Hands, claims: OpenClaims) -> int:
    """Return slack that is certain. Below 0, there may still be a world.

    No card may be in a hand of which some claim allows fewer than all. Of cards that a claim
    needs, as many as it needs are in the hand.
    """
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
    """Return the slack after the cards that these claims need have been put into the hands."""
    unseen, loose, result = hands.unseen, hands.loose[:], AT_EASE
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
        result = min(result, loose[seat])
        claims.wanted |= claim.mask
    return min(result, room(hands, barred, unseen, loose))
