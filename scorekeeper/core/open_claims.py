"""Claims about unseen hands that are not decided yet, and when they are.

A claim says how many cards of a set somebody held at one moment. What they held then is what they
hold now, plus what they have shown and given away since, less what they have taken up since. Each
claim keeps the part of that sum that is known in `base`; loose cards, and cards that moved
unseen, leave a range, which only becomes narrower: a bound that was proved once stays proved.
Nothing is concluded from anybody having obeyed a rule.

Counting every claim again after every card would be slow. So claims about the same set of cards
share a group, which counts the unseen cards inside and outside the set, and a claim is looked at
again only when one of these counts, or the number of loose cards in that hand, has fallen so far
that the claim may be decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.hands import Hands
    from scorekeeper.core.placement import View

    Part = tuple[int, int, int, int]
    """Seat, set of cards, at least, at most."""
    News = tuple[object, bool, "Proof"]
    """The ref of a question, the answer, what it rests on."""

NEVER = -1
"""A number that no count falls to."""
AT_EASE, LOOK = 1 << 20, -1
"""How much room there is for open claims that cannot clash, and when it must be looked at anew."""


# --- what is asked and not answered yet: claims, and questions made of several


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
    `Lots`; None: it is not known any more). `ref` is whatever the asker wants back with the
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


Asked = OpenClaim | Several
"""A question, or a part of one."""


def claims_of(asked: Asked) -> Iterator[OpenClaim]:
    """The open claims that a question is made of, in order."""
    if isinstance(asked, OpenClaim):
        if asked.open:
            yield asked
        return
    for part in asked.parts if asked.open else ():
        yield from claims_of(part)


# --- all of them, in step with the hands


class OpenClaims:
    """All open claims of one round: `by_seat`, and in `groups` by their set of cards; `asked` are
    the questions that they make, in the order asked, each with its moment. `news` are those that
    were decided and not asked for yet, oldest first; None stands for clashes that are others than
    before. The hands are not kept here: each method is given them.

    `clashes` are questions of which every world answers one with no (see `knowledge`). `room` is
    how many more unseen cards can come to light before there may be others; below 0: look now. A
    card of `wanted` that comes to light counts as all of them. `choices`: perhaps some question is
    joined by *or*.
    """

    __slots__ = ("asked", "by_seat", "choices", "clashes", "groups", "news", "room", "wanted")

    def __init__(self, seats: int) -> None:
        self.by_seat: list[list[OpenClaim]] = [[] for _ in range(seats)]
        self.groups: dict[int, Group] = {}
        self.asked: dict[Asked, int] = {}
        self.news: list[News | None] = []
        self.clashes: list[list[Asked]] = []
        self.room = AT_EASE
        self.wanted = 0
        self.choices = False

    def copy(self) -> OpenClaims:
        """The same claims, to go on apart from these."""
        other = OpenClaims(len(self.by_seat))
        other.news = self.news.copy()
        other.room, other.wanted = self.room, self.wanted
        other.choices = self.choices
        questions: dict[Several, Several] = {}
        claims: dict[OpenClaim, OpenClaim] = {}
        for mask, group in self.groups.items():
            same = other.groups[mask] = Group(mask, group.inside, group.outside)
            same.wake_inside, same.wake_outside = group.wake_inside, group.wake_outside
            for claim in group.claims:
                claims[claim] = claim.copy(same, _twin(claim.several, questions))
                same.claims.append(claims[claim])
        twins: dict[Asked, Asked] = {}
        twins.update((old, new) for old, new in claims.items())
        twins.update((old, new) for old, new in questions.items())
        for several, twin in questions.items():
            twin.parts = [twins[part] for part in several.parts if part in twins]
        other.by_seat = [[claims[claim] for claim in held] for held in self.by_seat]
        other.asked = {twins[each]: moment for each, moment in self.asked.items()}
        other.clashes = [[twins[each] for each in clash if each in twins] for clash in self.clashes]
        return other

    # Claims come

    def keep(
        self,
        hands: Hands,
        part: Part,
        bounds: tuple[int, int],
        ref: object,
        moment: int,
        several: Several | None = None,
    ) -> OpenClaim:
        """Keep a claim that what is known now (`bounds`, see `Hands.bounds`) leaves open, alone or
        as a part of several; `moment` as in `ask`."""
        seat, mask, least, _ = part
        if least or self.room < 1 or not any(each.bars(mask) for each in self.by_seat[seat]):
            self.room = LOOK
        group = self.groups.get(mask)
        if group is None:
            inside = (hands.unseen & mask).bit_count()
            group = self.groups[mask] = Group(mask, inside, hands.unseen.bit_count() - inside)
        base = (hands.sure[seat] & mask).bit_count()
        claim = OpenClaim(part, bounds, base, ref, group)
        claim.buried = hidden = hands.hidden[seat]
        claim.several = several
        group.claims.append(claim)
        self.by_seat[seat].append(claim)
        self.ask(claim, moment, several)
        _sleep(claim, hands.loose[seat], base - hidden, base)
        return claim

    def ask(self, asked: Asked, moment: int, several: Several | None) -> None:
        """Keep a question, or a part of one. Questions about the same act have the same `moment`, a
        number above 0."""
        if not isinstance(asked, OpenClaim) and asked.decisive:
            self.choices, self.room = True, LOOK
        if several is None:
            self.asked[asked] = moment
        else:
            several.parts.append(asked)

    # What happens to the hands

    def found(self, hands: Hands, seat: int, kind: int) -> None:
        """A loose card of the hand has come to light (it is loose and unseen no longer)."""
        bit = hands.pack.bit[kind]
        touched = []
        loose = hands.loose[seat]
        for claim in self.by_seat[seat]:
            if claim.mask & bit:
                claim.base += 1
                claim.found += (kind,)
                touched.append(claim)
            elif loose <= claim.wake_at:
                touched.append(claim)
        self.located(hands, bit)
        for claim in touched:
            if claim.open:
                self._review(hands, claim)

    def located(self, hands: Hands, bit: int) -> None:
        """One copy of the kind with that bit is no longer unseen."""
        awake: list[Group] = []
        self.room = LOOK if bit & self.wanted else self.room - 1
        for group in self.groups.values():
            if group.mask & bit:
                group.inside = count = group.inside - 1
                if count <= group.wake_inside:
                    awake.append(group)
            else:
                group.outside = count = group.outside - 1
                if count <= group.wake_outside:
                    awake.append(group)
        for group in awake:
            self._review_group(hands, group)

    def shown_beside_hidden(self, hands: Hands, seat: int) -> None:
        """A card has left a hand of which some cards were buried unseen."""
        self._review_all(hands, self.by_seat[seat])

    def revealed(self, hands: Hands, seat: int, hand: int) -> None:
        """All cards of the hand will be known to be these (the hands still say otherwise)."""
        hidden, sure = hands.hidden[seat], hands.sure[seat]
        found = hands.pack.beyond(hand, sure)
        for claim in self.by_seat[seat]:
            claim.base += (hand & claim.mask).bit_count() - (sure & claim.mask).bit_count()
            claim.given += hidden - claim.buried
            claim.buried = 0
            claim.found += tuple(hands.pack.kinds_in(found & claim.mask))

    def drew(self, hands: Hands, seat: int, kind: int, known: bool) -> None:
        """A card that was drawn unseen is told to be of this kind; `known`: it was a sure one."""
        bit = hands.pack.bit[kind]
        for claim in self.by_seat[seat]:
            inside = bool(claim.mask & bit)
            if claim.drawn:
                claim.drawn -= 1
                claim.base -= inside and known
            elif inside and not known:
                claim.base += 1
                claim.found += (kind,)
        self.recount(hands)

    def received(self, seat: int, n: int) -> None:
        """So many cards have come into the hand, and nobody else saw which."""
        for claim in self.by_seat[seat]:
            claim.drawn += n

    def gave(self, seat: int, n: int) -> None:
        """So many cards have left the hand, and nobody else saw which."""
        for claim in self.by_seat[seat]:
            claim.given += n

    def forgotten(self, seat: int, sure: int) -> None:
        """Which cards these are that the hand surely had is known no longer."""
        for claim in self.by_seat[seat]:
            claim.base -= (sure & claim.mask).bit_count()

    def doubted(self, hands: Hands) -> None:
        """Some hand was entered wrongly: what has been proved so far counts no longer."""
        for claims in self.by_seat:
            for claim in claims:
                claim.low, claim.high = 0, hands.pack.total
        self._unclash()
        self.recount(hands)

    def lapse(self, seat: int) -> None:
        """The claims about that hand are not asked any more, nor what they are a part of."""
        for claim in tuple(self.by_seat[seat]):
            self.asked.pop(claim.question, None)
            self._close(claim)
        self.room = LOOK

    def forget(self) -> None:
        """Nothing is concluded from several questions together any more."""
        self.asked = {}
        self._unclash()

    def recount(self, hands: Hands) -> None:
        """More than one card came to light, or cards moved unseen: count everything anew."""
        if not self.groups:
            return
        self.room = LOOK
        total = hands.unseen.bit_count()
        for group in tuple(self.groups.values()):
            group.inside = (hands.unseen & group.mask).bit_count()
            group.outside = total - group.inside
            self._review_group(hands, group)

    # Claims go

    def answer(self, asked: Asked, verdict: bool, loose: Sequence[int]) -> None:
        """A question is decided by all that is known together; `loose` as in `Hands`."""
        claims = list(claims_of(asked))
        for claim in claims:
            self._close(claim)
        del self.asked[asked]
        first = claims[0]
        self.news.append((first.ref, verdict, Proof(first, True, loose[first.seat], True)))

    def decided(self) -> Sequence[News | None]:
        """The news, which are then news no longer."""
        news = self.news
        if not news:
            return ()
        self.news = []
        return news

    def _review_group(self, hands: Hands, group: Group) -> None:
        group.wake_inside = group.wake_outside = NEVER
        self._review_all(hands, group.claims)

    def _review_all(self, hands: Hands, claims: Iterable[OpenClaim]) -> None:
        for claim in list(claims):
            if claim.open:
                self._review(hands, claim)

    def _review(self, hands: Hands, claim: OpenClaim) -> None:
        """Narrow what is proved of an open claim; decide it, or let it sleep."""
        if claim.several is not None and not claim.several.open:
            self._close(claim)
            return
        group, base = claim.group, claim.base
        loose, inside, outside = hands.loose[claim.seat], group.inside, group.outside
        fixed_low = base - claim.buried - claim.drawn
        fixed_high = base + claim.given
        low = fixed_low + loose - outside if loose > outside else fixed_low
        high = fixed_high + (loose if loose < inside else inside)
        if claim.buried:
            sure = hands.sure[claim.seat]
            seen = claim.base - (sure & claim.mask).bit_count()
            kept = hands.kept[claim.seat]
            inside = (kept & claim.mask).bit_count()
            rest = sure.bit_count() + loose - claim.buried - kept.bit_count()
            high = min(high, seen + claim.given + inside + rest)
            if not claim.drawn:
                low = max(low, seen + inside * (not claim.given))
        if low > claim.low:
            claim.low = low
        if high < claim.high:
            claim.high = high
        verdict = within(claim.low, claim.high, claim.least, claim.most)
        if verdict is None:
            _sleep(claim, loose, fixed_low, fixed_high)
        else:
            self._settle(claim, verdict, fixed_low, loose)

    def _settle(self, claim: OpenClaim, verdict: bool, fixed_low: int, loose: int) -> None:
        """The claim is decided: tell it, if that answers the question it belongs to."""
        self._close(claim)
        counted = fixed_low < claim.least if verdict else fixed_low <= claim.most
        answer = verdict if claim.several is None else claim.several.hear(verdict)
        if answer is not None:
            self.asked.pop(claim.question, None)
            if self.clashes:
                self.room = LOOK
            self.news.append((claim.ref, answer, Proof(claim, counted, loose)))

    def _unclash(self) -> None:
        """What has been found to clash counts no longer."""
        if self.clashes:
            self.clashes = []
            self.news.append(None)

    def _close(self, claim: OpenClaim) -> None:
        claim.open = False
        if claim.several is not None:
            claim.several.drop(claim)
        self.by_seat[claim.seat].remove(claim)
        group = claim.group
        group.claims.remove(claim)
        if not group.claims:
            del self.groups[group.mask]


def _twin(asked: Several | None, twins: dict[Several, Several]) -> Several | None:
    """The copy of a question, and of what it is a part of; each is made once."""
    if asked is None:
        return None
    if asked not in twins:
        parent = _twin(asked.parent, twins)
        twins[asked] = Several(asked.decisive, asked.waiting, parent)
    return twins[asked]


def _sleep(claim: OpenClaim, loose: int, fixed_low: int, fixed_high: int) -> None:
    """Work out at which numbers of unseen cards an open claim may next be decided; its group wakes
    it then.

    `fixed_low` and `fixed_high` bound what was in the hand then apart from its loose cards. Of
    these, at most `loose` and at most as many as are unseen inside the set are of the set; at
    least as many as do not find room among the unseen cards outside of it. So the claim's upper
    bound moves over a limit when the first two numbers are low enough, its lower bound when the
    number outside is.
    """
    group = claim.group
    wake = (claim.most if claim.high > claim.most else claim.least - 1) - fixed_high
    claim.wake_at = wake
    if wake > group.wake_inside:
        group.wake_inside = wake
    wake = fixed_low + loose - (claim.least if claim.low < claim.least else claim.most + 1)
    if wake > group.wake_outside:
        group.wake_outside = wake
