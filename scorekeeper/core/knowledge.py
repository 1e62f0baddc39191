"""Where the cards lie, as far as the referee may know, and what that proves. Imports pieces only.

Every copy is in one of these places: `gone` (seen; on the table or out of play), `sure[seat]`
(surely that seat's), or `unseen` (nobody has located it). Of the unseen copies `loose[seat]` are
that seat's; those that are nobody's lie in a talon, are buried or out of play. A hand that was
entered is one with no loose cards. A seat that buried cards unseen keeps them in `sure` and
`loose`: its hand is all of these but `hidden[seat]` cards, nobody knows which.

A claim says how many cards of a set a seat held at one moment. By the multisets, what he held then
is what he holds now, plus what he has shown and given since, less what he has taken up since. Each
claim keeps the known part of that sum in `base`; the loose cards and whatever moved unseen leave a
range, and a bound that was proved once stays proved. Nothing is concluded from anybody having
obeyed a rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.claims import within
from scorekeeper.core.english import number_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.pieces import Pack

    Part = tuple[int, int, int, int]

IMPOSSIBLE = -3
"""Too many copies lie on the table or have left play."""
NO_ELSEWHERE = -2
"""Too many copies are known to be in other hands."""
NO_HAND = -1
"""His own hand, or the number of his cards, rules it out."""
POSSIBLE = 0
"""He may hold it or not."""
YES = 1
"""He surely holds it."""


class Proof:
    """What a settled claim rests on.

    They held at least `least` and at most `most` cards of the set `mask` at the claim's moment;
    `found` are the kinds of the set that came to light since, in that order; `counted` says
    whether these alone do not prove it, but only counting what is still unseen: `inside` cards of
    the set and `outside` others, `loose` of them in that hand. `broken_above`: they held too many
    of the set (else the claim was kept, or they held too few).
    """

    __slots__ = (
        *("broken_above", "counted", "found", "inside", "least", "loose", "mask", "most"),
        *("outside", "seat"),
    )

    def __init__(self, claim: _Claim, counted: bool, loose: int) -> None:
        self.seat = claim.seat
        self.mask = claim.mask
        self.least = claim.lo
        self.most = claim.hi
        self.found = claim.found
        self.counted = counted
        self.broken_above = claim.lo > claim.most
        self.inside = claim.group.inside
        self.outside = claim.group.outside
        self.loose = loose


class _Claim:
    """An open claim: between `least` and `most` cards of `mask` were in the hand then.

    `lo` and `hi` are proved. `buried` cards had been hidden before it, `drawn` came unseen and
    `given` left unseen after it. It may be decided when the hand has at most `due_in` loose cards,
    or when its group is due.
    """

    __slots__ = (
        "base",
        "buried",
        "drawn",
        "due_in",
        "found",
        "given",
        "group",
        "hi",
        "least",
        "lo",
        "mask",
        "most",
        "open",
        "owner",
        "ref",
        "seat",
    )

    def __init__(
        self,
        seat: int,
        mask: int,
        least: int,
        most: int,
        lo: int,
        hi: int,
        base: int,
        ref: object,
    ) -> None:
        self.seat = seat
        self.mask = mask
        self.least = least
        self.most = most
        self.lo = lo
        self.hi = hi
        self.base = base
        self.ref = ref
        self.buried: int
        self.due_in: int
        self.group: _Group
        self.drawn = self.given = 0
        self.found: tuple[int, ...] = ()
        self.open = True
        self.owner: _Owner | None = None

    def copy(self, group: _Group, owner: _Owner | None) -> _Claim:
        """The same claim in another group, with another owner."""
        other = _Claim(
            *(self.seat, self.mask, self.least, self.most, self.lo, self.hi, self.base), self.ref
        )
        other.buried, other.due_in, other.found = self.buried, self.due_in, self.found
        other.drawn, other.given, other.open = self.drawn, self.given, self.open
        other.group, other.owner = group, owner
        return other


class _Group:
    """Open claims about one set of cards: `inside` of it and `outside` others are unseen.

    No card of another seat decides one of them before these have fallen to their `due` numbers.
    """

    __slots__ = ("claims", "due_in", "due_out", "inside", "mask", "outside")

    def __init__(self, mask: int, inside: int, outside: int) -> None:
        self.mask = mask
        self.claims: list[_Claim] = []
        self.inside = inside
        self.outside = outside
        self.due_in = self.due_out = -1

    def copy(
        self, twins: dict[_Claim, _Claim], owners: dict[_Owner | None, _Owner | None]
    ) -> _Group:
        """The same group with copies of its claims: `twins` gets these by their originals,
        `owners` the copies of those who wait for several of them."""
        other = _Group(self.mask, self.inside, self.outside)
        other.due_in, other.due_out = self.due_in, self.due_out
        for claim in self.claims:
            owner = claim.owner
            if owner not in owners and owner is not None:
                owners[owner] = _Owner(owner.decisive, owner.pending)
            twin = twins[claim] = claim.copy(other, owners[owner])
            other.claims.append(twin)
        return other


class _Owner:
    """Who waits for several claims: the `decisive` verdict of one decides, or the last's."""

    __slots__ = ("decisive", "pending")

    def __init__(self, decisive: bool, pending: int) -> None:
        self.decisive = decisive
        self.pending = pending


class Knowledge:
    """What is known of the hands of one round. Seats and kinds are numbers, hands integers.

    Read `unseen`, `gone`, `sure`, `loose`, `hidden`, `news` (empty unless a claim was settled)
    freely; change them through methods only. A method that raises ValueError has changed nothing.
    """

    __slots__ = (
        "_fresh",
        "_groups",
        "_open",
        "gone",
        "hidden",
        "loose",
        "news",
        "pack",
        "seats",
        "sure",
        "unseen",
    )

    def __init__(self, pack: Pack, seats: int) -> None:
        """All cards unseen, all hands empty."""
        self.pack = pack
        self.seats = seats
        self.unseen = pack.full
        self.gone = 0
        self.sure = [0] * seats
        self.loose = [0] * seats
        self.hidden = [0] * seats
        self._fresh = [0] * seats
        self._open: list[list[_Claim]] = [[] for _ in range(seats)]
        self._groups: dict[int, _Group] = {}
        self.news: list[tuple[object, bool, Proof]] = []

    # What is so

    def size(self, seat: int) -> int:
        """How many cards the seat holds now."""
        return self.sure[seat].bit_count() + self.loose[seat] - self.hidden[seat]

    def is_known(self, seat: int) -> bool:
        """Whether every card of the hand is known."""
        return not (self.loose[seat] or self.hidden[seat])

    def elsewhere(self) -> int:
        """How many unseen cards are in nobody's hand."""
        return self.unseen.bit_count() - sum(self.loose)

    def can_hold(self, seat: int, kind: int, n: int = 1) -> int:
        """Whether the seat may hold n copies (from 1) of the kind now.

        One of YES, POSSIBLE, NO_HAND, NO_ELSEWHERE, IMPOSSIBLE; not below POSSIBLE means it may.
        """
        if n > 1 or self.hidden[seat]:
            return self._may_hold(seat, kind, n)
        column = self.pack.column[kind]
        if self.sure[seat] & column:
            return YES
        held = self.unseen & column
        loose = self.loose[seat]
        if held and loose:
            return YES if loose + held.bit_count() > self.unseen.bit_count() else POSSIBLE
        if not column & ~self.gone:
            return IMPOSSIBLE
        return NO_ELSEWHERE if loose else NO_HAND

    def bounds(self, seat: int, mask: int) -> tuple[int, int]:
        """How many cards of the set (a mask on all planes) he holds now: at least, at most."""
        sure = self.sure[seat]
        known = (sure & mask).bit_count()
        loose = self.loose[seat]
        hidden = self.hidden[seat]
        if not (loose or hidden):
            return known, known
        inside = (self.unseen & mask).bit_count()
        outside = self.unseen.bit_count() - inside
        lo = known + loose - outside if loose > outside else known
        hi = known + (loose if loose < inside else inside)
        if hidden:
            return max(0, lo - hidden), min(hi, sure.bit_count() + loose - hidden)
        return lo, hi

    def beside(self, seat: int, kinds: Sequence[int], mask: int) -> tuple[int, int]:
        """How many cards of the set he holds beside these, if he holds them: at least, at most."""
        pack, unseen = self.pack, self.unseen
        sure, loose, hidden = self.sure[seat], self.loose[seat], self.hidden[seat]
        for kind in kinds:
            column = pack.column[kind]
            if sure & column:
                sure = pack.remove(sure, kind)
            elif unseen & column and loose:
                unseen = pack.remove(unseen, kind)
                loose -= 1
        known = (sure & mask).bit_count()
        inside = (unseen & mask).bit_count()
        outside = unseen.bit_count() - inside
        low = known + max(0, loose - outside) - hidden
        high = min(known + min(loose, inside), sure.bit_count() + loose - hidden)
        return max(0, low), max(0, high)

    def may_show(self, shown: Iterable[tuple[int, tuple[int, ...]]]) -> bool:
        """Whether these seats may hold all of these cards at the same time now.

        Raises ValueError for more copies than have not left play or lie on the table.
        """
        pack, found = self.pack, True
        every: list[int] = []
        new: list[int] = []
        for seat, kinds in shown:
            every += kinds
            for kind in set(kinds):
                found = found and self.can_hold(seat, kind, kinds.count(kind)) >= POSSIBLE
            unknown = [
                kind
                for kind in set(kinds)
                for _ in range(kinds.count(kind) - pack.count(self.sure[seat], kind))
            ]
            found = found and len(unknown) <= self.loose[seat] and len(kinds) <= self.size(seat)
            new += unknown
        for kind in set(every):
            if every.count(kind) > pack.copies - pack.count(self.gone, kind):
                raise ValueError(f"{pack.kinds[kind]} has left play or lies on the table")
            found = found and new.count(kind) <= pack.count(self.unseen, kind)
        return found

    # What happens

    def deal(self, seat: int, known: int, count: int) -> None:
        """Set a hand of `count` cards, `known` of them identified; a new round, a new hand.

        Replaces what the seat held; its open claims lapse. Raises ValueError when the cards are
        more than the pack has left for it.
        """
        pack = self.pack
        unseen = pack.total_of(self.unseen, self.sure[seat])
        loose = count - known.bit_count()
        if loose < 0:
            raise ValueError("more cards are named than the hand has")
        unseen = pack.without(unseen, known)
        if sum(self.loose) - self.loose[seat] + loose > unseen.bit_count():
            raise ValueError("the hands have more cards than the pack")
        self._lapse(seat)
        self.unseen = unseen
        self.sure[seat] = known
        self.loose[seat] = loose
        self.hidden[seat] = self._fresh[seat] = 0
        self._review_all()

    def show(self, seat: int, kind: int) -> None:
        """A card leaves the hand, seen by all: to the table or out of play.

        Raises ValueError when he cannot hold it.
        """
        if self.hidden[seat]:
            self._show_beside_hidden(seat, kind)
            return
        column = self.pack.column[kind]
        free = column & ~self.gone
        held = self.sure[seat] & column
        if held:
            self.sure[seat] ^= 1 << (held.bit_length() - 1)
            self.gone |= free & -free
            return
        self._identify(seat, kind)
        self.gone |= free & -free
        if self._groups:
            self._identified(seat, kind)

    def holds(self, seat: int, kind: int, n: int = 1) -> None:
        """At least n copies of the kind were seen in his hand now.

        Raises ValueError when he cannot hold them.
        """
        if self.can_hold(seat, kind, n) < POSSIBLE:
            cards = " ".join([self.pack.kinds[kind]] * n)
            raise ValueError(f"{cards} cannot be in this hand")
        for _ in range(n - self.pack.count(self.sure[seat], kind)):
            self._identify(seat, kind)
            self.sure[seat] = self.pack.add(self.sure[seat], kind)
            self._identified(seat, kind)

    def show_held(self, shown: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        """Cards were seen in these hands now, and stay there. Raises ValueError as `holds`."""
        for seat, kinds in shown:
            for kind in set(kinds):
                self.holds(seat, kind, kinds.count(kind))

    def reveal(self, seat: int, hand: int) -> None:
        """All the cards he holds now. Raises ValueError when that contradicts what is known."""
        pack = self.pack
        sure = self.sure[seat]
        hidden = self.hidden[seat]
        if hand.bit_count() != self.size(seat):
            raise ValueError(f"this hand has {number_of(self.size(seat), 'card')}")
        if pack.beyond(sure, hand).bit_count() > hidden:
            raise ValueError("a card seen in this hand is not among these")
        found = pack.beyond(hand, sure)
        unseen = pack.without(self.unseen, found)
        self._review_all()
        for claim in self._open[seat]:
            claim.base += ((hand & claim.mask).bit_count()) - (sure & claim.mask).bit_count()
            claim.given += hidden - claim.buried
            claim.buried = 0
            claim.found += tuple(pack.kinds_in(found & claim.mask))
        self.unseen = unseen
        self.sure[seat] = hand
        self.loose[seat] = self.hidden[seat] = 0
        self._review_all()

    def locate(self, kind: int) -> None:
        """A card nobody held is seen and lies open: turned up, a kitty, put out of play.

        Raises ValueError when no unseen card of the kind is outside the hands.
        """
        self.unseen = self._drawable(kind)
        self.gone = self.pack.add(self.gone, kind)
        self._passed(self.pack.bit[kind])

    def take_seen(self, seat: int, cards: int) -> None:
        """He takes up cards that everybody saw (they were gone). Raises ValueError otherwise."""
        sure = self.pack.total_of(self.sure[seat], cards)
        self.gone = self.pack.without(self.gone, cards)
        self.sure[seat] = sure

    def draw_seen(self, seat: int, kind: int) -> None:
        """He draws a card, seen at once, that nobody held. Raises ValueError as `locate`."""
        self.unseen = self._drawable(kind)
        self.sure[seat] = self.pack.add(self.sure[seat], kind)
        self._passed(self.pack.bit[kind])

    def take_unseen(self, seat: int, n: int) -> None:
        """He draws n cards nobody saw. Raises ValueError when fewer are outside the hands."""
        if n > self.elsewhere():
            left = number_of(self.elsewhere(), "unseen card is", "unseen cards are")
            raise ValueError(f"{left} left to be drawn, not {n}")
        if n:
            self._receive(seat, n)
            self._review_all()

    def drew(self, seat: int, kind: int) -> None:
        """One of the cards of his last unseen draw, still in his hand, was this.

        Raises ValueError when all of them are known or he cannot hold it.
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
        for claim in self._open[seat]:
            inside = bool(claim.mask & bit)
            if claim.drawn:
                claim.drawn -= 1
                claim.base -= inside and known
            elif inside and not known:
                claim.base += 1
                claim.found += (kind,)
        self._review_all()

    def give(self, seat: int, to: int, cards: int) -> None:
        """Cards pass from hand to hand, seen. Raises ValueError when he cannot hold them."""
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

    def give_unseen(self, seat: int, to: int, n: int) -> None:
        """n cards pass from hand to hand, and nobody else saw which.

        What was sure of the giver's hand is no longer. Raises ValueError for more than he has.
        """
        if n > self.size(seat):
            raise ValueError(f"the hand has only {number_of(self.size(seat), 'card')}")
        if not n:
            return
        self._review_all()
        self._loosen(seat)
        self.loose[seat] -= n
        for claim in self._open[seat]:
            claim.given += n
        self._receive(to, n)
        self._review_all()

    def bury_unseen(self, seat: int, n: int) -> None:
        """n cards of the hand are laid aside face down for good; nobody else saw which.

        Raises ValueError for more than he has.
        """
        if n > self.size(seat):
            raise ValueError(f"the hand has only {number_of(self.size(seat), 'card')}")
        self.hidden[seat] += n

    def doubt(self, seat: int, kind: int) -> None:
        """Make room for a card that what was entered rules out, but the table says he showed.

        Some hand was entered wrongly: as much of what is known as necessary is forgotten, and open
        claims about the hands concerned lapse. Raises ValueError when every copy is gone or he
        has no cards.
        """
        if self.can_hold(seat, kind) >= POSSIBLE:
            return
        pack = self.pack
        if pack.column[kind] & ~self.gone == 0 or self.size(seat) < 1:
            raise ValueError(f"{pack.kinds[kind]} cannot have been in this hand")
        bit = pack.bit[kind]
        self._lapse(seat)
        if not self.unseen & bit:
            self.unseen |= bit
            for other, sure in enumerate(self.sure):
                if sure & bit:
                    self.sure[other] = pack.remove(sure, kind)
                    self.loose[other] += 1
                    self._lapse(other)
                    break
        if not self.loose[seat]:
            self._loosen(seat)
        for claims in self._open:
            for claim in claims:
                claim.lo, claim.hi = 0, pack.total
        self._review_all()

    # Claims

    def decide(self, seat: int, mask: int, least: int, most: int) -> bool | None:
        """Whether the seat holds between `least` and `most` cards of the set (on all planes) now;
        None is open."""
        return within(*self.bounds(seat, mask), least, most)

    def claim(self, seat: int, mask: int, least: int, most: int, ref: object) -> bool | None:
        """Whether he holds between `least` and `most` cards of the set (on all planes) now.

        None is open: it is kept, and `decided` gives `ref` back as soon as it is decided.
        """
        known = (self.sure[seat] & mask).bit_count()
        if not (self.loose[seat] or self.hidden[seat]):
            return least <= known <= most
        lo, hi = self.bounds(seat, mask)
        if lo > most or hi < least:
            return False
        if lo >= least and hi <= most:
            return True
        self._keep(_Claim(seat, mask, least, most, lo, hi, known, ref))
        return None

    def claim_any(self, parts: Sequence[Part], ref: object) -> bool | None:
        """Whether one of the claims (seat, mask, least, most) is true; open as in `claim`."""
        return self._compound(parts, True, ref)

    def claim_all(self, parts: Sequence[Part], ref: object) -> bool | None:
        """Whether all of the claims (seat, mask, least, most) are true; open as in `claim`."""
        return self._compound(parts, False, ref)

    def decided(self) -> Sequence[tuple[object, bool, Proof]]:
        """The open claims decided since this was last asked: ref, verdict, proof; oldest first."""
        news = self.news
        if not news:
            return ()
        self.news = []
        return news

    # A copy

    def copy(self) -> Knowledge:
        """The same knowledge with its open claims, to go on apart from this one."""
        other = Knowledge.__new__(Knowledge)
        other.pack, other.seats = self.pack, self.seats
        other.unseen, other.gone = self.unseen, self.gone
        other.sure, other.loose = self.sure.copy(), self.loose.copy()
        other.hidden, other._fresh = self.hidden.copy(), self._fresh.copy()
        other.news = self.news.copy()
        other._groups = {}
        twins: dict[_Claim, _Claim] = {}
        owners: dict[_Owner | None, _Owner | None] = {None: None}
        for mask, group in self._groups.items():
            other._groups[mask] = group.copy(twins, owners)
        other._open = [[twins[claim] for claim in claims] for claims in self._open]
        return other

    # Inside: hands

    def _may_hold(self, seat: int, kind: int, n: int) -> int:
        pack = self.pack
        if n > pack.copies or self.gone & pack.nth(kind, pack.copies - n + 1):
            return IMPOSSIBLE
        sure = self.sure[seat]
        hidden = self.hidden[seat]
        loose = self.loose[seat]
        missing = n - pack.count(sure, kind)
        if missing <= 0 and not hidden:
            return YES
        if loose < missing or (hidden and sure.bit_count() + loose - hidden < n):
            return NO_HAND
        unseen = self.unseen
        inside = pack.count(unseen, kind)
        if inside < missing:
            return NO_ELSEWHERE
        outside = unseen.bit_count() - inside
        return YES if max(0, loose - outside) - hidden >= missing else POSSIBLE

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
        self.gone = self.pack.add(self.gone, kind)
        if not known:
            self._identified(seat, kind)
        for claim in tuple(self._open[seat]):
            if claim.open:
                self._review(claim)

    def _drawable(self, kind: int) -> int:
        """What is unseen when a card of the kind, in nobody's hand, has been seen."""
        if self.elsewhere() < 1:
            raise ValueError("every unseen card is in a hand")
        return self.pack.remove(self.unseen, kind)

    def _receive(self, seat: int, n: int) -> None:
        self._review_all()
        self.loose[seat] += n
        self._fresh[seat] = n
        for claim in self._open[seat]:
            claim.drawn += n

    def _loosen(self, seat: int) -> None:
        """Forget which cards the seat holds, not how many."""
        sure = self.sure[seat]
        self.unseen = self.pack.total_of(self.unseen, sure)
        self.loose[seat] += sure.bit_count()
        self.sure[seat] = 0
        for claim in self._open[seat]:
            claim.base -= (sure & claim.mask).bit_count()

    # Inside: claims

    def _compound(self, parts: Sequence[Part], decisive: bool, ref: object) -> bool | None:
        waiting = []
        for seat, mask, least, most in parts:
            lo, hi = self.bounds(seat, mask)
            verdict = within(lo, hi, least, most)
            if verdict is decisive:
                return decisive
            if verdict is None:
                known = (self.sure[seat] & mask).bit_count()
                waiting.append(_Claim(seat, mask, least, most, lo, hi, known, ref))
        if not waiting:
            return not decisive
        owner = _Owner(decisive, len(waiting))
        for claim in waiting:
            claim.owner = owner
            self._keep(claim)
        return None

    def _keep(self, claim: _Claim) -> None:
        seat = claim.seat
        mask = claim.mask
        group = self._groups.get(mask)
        if group is None:
            inside = (self.unseen & mask).bit_count()
            group = self._groups[mask] = _Group(mask, inside, self.unseen.bit_count() - inside)
        claim.group = group
        claim.buried = hidden = self.hidden[seat]
        group.claims.append(claim)
        self._open[seat].append(claim)
        self._plan(claim, claim.base - hidden, claim.base)

    def _identified(self, seat: int, kind: int) -> None:
        """A loose card of the seat has come to light: what follows for the open claims."""
        bit = self.pack.bit[kind]
        touched = []
        loose = self.loose[seat]
        for claim in self._open[seat]:
            if claim.mask & bit:
                claim.base += 1
                claim.found += (kind,)
                touched.append(claim)
            elif loose <= claim.due_in:
                touched.append(claim)
        self._passed(bit)
        for claim in touched:
            if claim.open:
                self._review(claim)

    def _passed(self, bit: int) -> None:
        """One copy is no longer unseen."""
        due = None
        for group in self._groups.values():
            if group.mask & bit:
                group.inside = level = group.inside - 1
                if level <= group.due_in:
                    due = [group] if due is None else [*due, group]
            else:
                group.outside = level = group.outside - 1
                if level <= group.due_out:
                    due = [group] if due is None else [*due, group]
        if due:
            for group in due:
                self._review_group(group)

    def _review_all(self) -> None:
        """After anything but one card coming to light: count anew."""
        if not self._groups:
            return
        total = self.unseen.bit_count()
        for group in tuple(self._groups.values()):
            group.inside = (self.unseen & group.mask).bit_count()
            group.outside = total - group.inside
            self._review_group(group)

    def _review_group(self, group: _Group) -> None:
        group.due_in = group.due_out = -1
        for claim in tuple(group.claims):
            if claim.open:
                self._review(claim)

    def _review(self, claim: _Claim) -> None:
        """Sharpen the bounds of an open claim, settle it, or say when to look again."""
        if claim.owner is not None and not claim.owner.pending:
            self._close(claim)
            return
        group = claim.group
        loose = self.loose[claim.seat]
        inside = group.inside
        outside = group.outside
        low = claim.base - claim.buried - claim.drawn
        high = claim.base + claim.given
        lo = low + loose - outside if loose > outside else low
        hi = high + (loose if loose < inside else inside)
        if claim.buried:
            sure = self.sure[claim.seat]
            seen = claim.base - (sure & claim.mask).bit_count()
            hi = min(hi, seen + claim.given + sure.bit_count() + loose - claim.buried)
            if not claim.drawn:
                lo = max(lo, seen)
        if lo > claim.lo:
            claim.lo = lo
        if hi < claim.hi:
            claim.hi = hi
        verdict = within(claim.lo, claim.hi, claim.least, claim.most)
        if verdict is None:
            self._plan(claim, low, high)
        else:
            self._decide(claim, verdict)

    def _plan(self, claim: _Claim, low: int, high: int) -> None:
        """Say when to look again; low and high are its bounds but for the loose cards."""
        group = claim.group
        due = (claim.most if claim.hi > claim.most else claim.least - 1) - high
        claim.due_in = due
        if due > group.due_in:
            group.due_in = due
        due = low + self.loose[claim.seat]
        due -= claim.least if claim.lo < claim.least else claim.most + 1
        if due > group.due_out:
            group.due_out = due

    def _decide(self, claim: _Claim, verdict: bool) -> None:
        self._close(claim)
        owner = claim.owner
        if owner is not None:
            owner.pending -= 1
            if verdict is not owner.decisive and owner.pending:
                return
            owner.pending = 0
        low = claim.base - claim.buried - claim.drawn
        counted = low < claim.least if verdict else low <= claim.most
        proof = Proof(claim, counted, self.loose[claim.seat])
        self.news.append((claim.ref, verdict, proof))

    def _close(self, claim: _Claim) -> None:
        claim.open = False
        self._open[claim.seat].remove(claim)
        group = claim.group
        group.claims.remove(claim)
        if not group.claims:
            del self._groups[group.mask]

    def _lapse(self, seat: int) -> None:
        for claim in tuple(self._open[seat]):
            self._close(claim)
