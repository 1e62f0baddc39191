"""Undecided claims about unseen hands, and the moment at which each is decided.

A claim states how many cards of a set a player held at one moment. To get that number, count the
cards of the set that the player holds now. Add those shown or given away since, and subtract those
picked up since. The claim's `base` is the part of this sum that is known. Unknown cards, and cards
that moved unseen, leave a range around `base`. The range only narrows, so a bound remains valid
once it is proved. No conclusion is ever based on the assumption that a player obeyed a rule.

Counting every claim again after every card would be slow. So claims about the same set of cards
share a group, which counts the unseen cards inside and outside the set. A claim is checked again
only when one of these counts, or the number of unknown cards in that hand, has fallen far enough to
decide the claim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import compare_bounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.hands import Hands
    from scorekeeper.core.placement import HandSnapshot

    ClaimTerms = tuple[int, int, int, int]
    """A claim as a tuple: the seat, the set of cards, and the minimum and maximum number of these
    cards."""
    DecidedQuestion = tuple[object, bool, "Proof"]
    """A decided question as a tuple: its ref, its answer, and the proof."""

NEVER = -1
"""A number that is below every count."""
UNLIMITED, RECHECK = 1 << 20, -1
"""Special values of the slack. UNLIMITED means that the claims cannot clash, and RECHECK that
clashes must be searched for again."""


# --- open questions: claims, and questions made of several


class Proof:
    """The reason for the verdict on a claim.

    At the claim's moment, `seat` held `least` to `most` cards of the set `mask`. `seen_kinds` are
    the kinds of the set that have been seen since, in the order in which they were seen.
    `by_counting` is true if the seen cards are not enough for the proof, so that the unseen cards
    had to be counted. In that case, `inside` unseen cards were in the set, `outside` were not, and
    `unknown_count` of the unseen cards were in the seat's hand. `has_too_many` is true if the hand
    had too many cards of the set. `by_clash` is true if the claim was rejected because it
    contradicts other claims.
    """

    __slots__ = (
        *("has_too_many", "by_counting", "seen_kinds", "inside", "least", "mask", "most"),
        *("outside", "seat", "by_clash", "unknown_count"),
    )

    def __init__(
        self, claim: OpenClaim, by_counting: bool, unknown: int, by_clash: bool = False
    ) -> None:
        self.seat = claim.seat
        self.mask = claim.mask
        self.least = claim.low
        self.most = claim.high
        self.seen_kinds = claim.seen_kinds
        self.by_counting = by_counting
        self.has_too_many = claim.low > claim.most
        self.inside = claim.group.inside
        self.outside = claim.group.outside
        self.unknown_count = unknown
        self.by_clash = by_clash


class OpenClaim:
    """An undecided claim: at one moment the hand of `seat` had `least` to `most` cards of `mask`.

    The number is known to have been between `low` and `high`, and `base` of these cards are known.
    Since then `drawn` cards have entered the hand unseen, and `given` have left it unseen.
    At the claim's moment, `buried` cards had already been buried. `seen_kinds` are the kinds of the
    set that have been seen since. The claim may be decided once the hand has only `wake_at` unknown
    cards. If cards are traced, the claim counts `known_count` known cards and the cards of
    `snapshot` (see `Provenance`). `snapshot` is None once tracing has stopped. The caller's `ref`
    is returned with the verdict. If the claim is part of a larger question, that question is
    `compound`.
    """

    __slots__ = (
        *("base", "buried", "compound", "drawn", "given", "group", "high", "is_open"),
        *("known_count", "least", "low", "mask", "most", "ref", "seat", "seen_kinds"),
        *("snapshot", "wake_at"),
    )

    def __init__(
        self, part: ClaimTerms, bounds: tuple[int, int], base: int, ref: object, group: ClaimGroup
    ) -> None:
        self.seat, self.mask, self.least, self.most = part
        self.low, self.high = bounds
        self.base = base
        self.ref = ref
        self.group = group
        self.buried = self.drawn = self.given = self.known_count = 0
        self.snapshot: HandSnapshot | None = None
        self.seen_kinds: tuple[int, ...] = ()
        self.is_open = True
        self.compound: CompoundQuestion | None = None
        self.wake_at = NEVER

    @property
    def has_moved(self) -> bool:
        """True if, since the claim's moment, cards have entered or left the hand unseen."""
        return bool(self.drawn or self.given)

    def is_cap_on(self, cards: int) -> bool:
        """Return whether the claim only sets a maximum for the cards of this mask in the hand.

        A second claim of this kind about the same hand does not reduce the slack further.
        """
        return (
            self.mask == cards
            and self.high > self.most
            and self.low >= self.least
            and not self.has_moved
        )

    @property
    def question(self) -> OpenQuestion:
        """The whole question to which this claim belongs, or the claim itself."""
        return self if self.compound is None else self.compound.root

    def copy(self, group: ClaimGroup, compound: CompoundQuestion | None) -> OpenClaim:
        """Return a copy of the claim that refers to copies of its group and question."""
        part, bounds = (self.seat, self.mask, self.least, self.most), (self.low, self.high)
        other = OpenClaim(part, bounds, self.base, self.ref, group)
        other.buried, other.drawn, other.given = self.buried, self.drawn, self.given
        other.seen_kinds, other.is_open, other.wake_at = self.seen_kinds, self.is_open, self.wake_at
        other.compound, other.snapshot, other.known_count = (
            compound,
            self.snapshot,
            self.known_count,
        )
        return other


class ClaimGroup:
    """The open claims about one set of cards, and the numbers of unseen cards inside and outside
    the set.

    Changes in other hands cannot decide any of the claims until the count `inside` has fallen to
    `wake_inside`, or `outside` to `wake_outside`.
    """

    __slots__ = ("claims", "inside", "mask", "outside", "wake_inside", "wake_outside")

    def __init__(self, mask: int, inside: int, outside: int) -> None:
        self.mask = mask
        self.claims: list[OpenClaim] = []
        self.inside = inside
        self.outside = outside
        self.wake_inside = self.wake_outside = NEVER


class CompoundQuestion:
    """A question made of several claims.

    It is answered as soon as one part has the verdict `decisive`, or else when the last of its
    `open_count` parts is decided. A question may be part of a larger question, its `parent`.
    `parts` are in the order in which they were asked.
    """

    __slots__ = ("decisive", "open_count", "parent", "parts")

    def __init__(
        self, decisive: bool, open_count: int, parent: CompoundQuestion | None = None
    ) -> None:
        self.decisive = decisive
        self.open_count = open_count
        self.parent = parent
        self.parts: list[OpenQuestion] = []

    @property
    def root(self) -> CompoundQuestion:
        """The outermost question to which this question belongs, or this question itself."""
        return self if self.parent is None else self.parent.root

    @property
    def is_open(self) -> bool:
        """True until this question, or one that contains it, is answered."""
        return bool(self.open_count) and (self.parent is None or self.parent.is_open)

    def remove_part(self, part: OpenQuestion) -> None:
        """Remove a part that has been closed."""
        self.parts.remove(part)
        if not self.parts and self.parent is not None:
            self.parent.remove_part(self)

    def record_verdict(self, verdict: bool) -> bool | None:
        """Record the verdict on a part. Return the answer to the whole question, or None if it is
        still open."""
        self.open_count -= 1
        if verdict is not self.decisive and self.open_count:
            return None
        self.open_count = 0
        return verdict if self.parent is None else self.parent.record_verdict(verdict)


OpenQuestion = OpenClaim | CompoundQuestion
"""A question, or a part of one."""


def list_claims(question: OpenQuestion) -> Iterator[OpenClaim]:
    """Yield the open claims of a question, in order."""
    if isinstance(question, OpenClaim):
        if question.is_open:
            yield question
        return
    for part in question.parts if question.is_open else ():
        yield from list_claims(part)


# --- all open claims of a round


class ClaimRegistry:
    """All open claims of one round.

    `by_seat` and `groups` (by set of cards) hold the claims. `questions` maps the questions to
    their moments, in the order in which they were asked. `decisions` lists the decided questions
    that have not been fetched yet, oldest first. None in the list means that the clashes have
    changed. The hands are passed to the methods as an argument.

    `clashes` are lists of questions that cannot all be true (see `core/knowledge.py`). `slack` is
    the number of further unseen cards that can be seen before new clashes become possible. If it is
    below 0, the clashes must be searched for. Seeing a card of `needed_cards` uses up all slack.
    `has_choices` is true if some question may contain an *or*.
    """

    __slots__ = (
        *("by_seat", "clashes", "decisions", "groups", "has_choices", "needed_cards"),
        *("questions", "slack"),
    )

    def __init__(self, seats: int) -> None:
        self.by_seat: list[list[OpenClaim]] = [[] for _ in range(seats)]
        self.groups: dict[int, ClaimGroup] = {}
        self.questions: dict[OpenQuestion, int] = {}
        self.decisions: list[DecidedQuestion | None] = []
        self.clashes: list[list[OpenQuestion]] = []
        self.slack = UNLIMITED
        self.needed_cards = 0
        self.has_choices = False

    def copy(self) -> ClaimRegistry:
        """Return an independent copy of the claims."""
        other = ClaimRegistry(len(self.by_seat))
        other.decisions = self.decisions.copy()
        other.slack, other.needed_cards = self.slack, self.needed_cards
        other.has_choices = self.has_choices
        questions: dict[CompoundQuestion, CompoundQuestion] = {}
        claims: dict[OpenClaim, OpenClaim] = {}
        for mask, group in self.groups.items():
            same = other.groups[mask] = ClaimGroup(mask, group.inside, group.outside)
            same.wake_inside, same.wake_outside = group.wake_inside, group.wake_outside
            for claim in group.claims:
                claims[claim] = claim.copy(same, _copy_question(claim.compound, questions))
                same.claims.append(claims[claim])
        twins: dict[OpenQuestion, OpenQuestion] = {}
        twins.update((old, new) for old, new in claims.items())
        twins.update((old, new) for old, new in questions.items())
        for several, twin in questions.items():
            twin.parts = [twins[part] for part in several.parts if part in twins]
        other.by_seat = [[claims[claim] for claim in held] for held in self.by_seat]
        other.questions = {twins[each]: moment for each, moment in self.questions.items()}
        other.clashes = [[twins[each] for each in clash if each in twins] for clash in self.clashes]
        return other

    # Adding claims

    def add_claim(
        self,
        hands: Hands,
        terms: ClaimTerms,
        bounds: tuple[int, int],
        ref: object,
        moment: int,
        compound: CompoundQuestion | None = None,
    ) -> OpenClaim:
        """Add a claim that the current `bounds` (see `Hands.bounds`) leave open, and return it.

        If `compound` is given, the claim is part of that question. `moment` has the same meaning as
        in `add_question`.
        """
        seat, mask, least, _ = terms
        if least or self.slack < 1 or not any(each.is_cap_on(mask) for each in self.by_seat[seat]):
            self.slack = RECHECK
        group = self.groups.get(mask)
        if group is None:
            inside = (hands.unseen & mask).bit_count()
            group = self.groups[mask] = ClaimGroup(mask, inside, hands.unseen.bit_count() - inside)
        base = (hands.known[seat] & mask).bit_count()
        claim = OpenClaim(terms, bounds, base, ref, group)
        claim.buried = buried = hands.buried_count[seat]
        claim.compound = compound
        group.claims.append(claim)
        self.by_seat[seat].append(claim)
        self.add_question(claim, moment, compound)
        _set_wake_counts(claim, hands.unknown_count[seat], base - buried, base)
        return claim

    def add_question(
        self, question: OpenQuestion, moment: int, compound: CompoundQuestion | None
    ) -> None:
        """Add a question, or a part of the question `compound`.

        Questions about the same act share a `moment`, a number above 0.
        """
        if not isinstance(question, OpenClaim) and question.decisive:
            self.has_choices, self.slack = True, RECHECK
        if compound is None:
            self.questions[question] = moment
        else:
            compound.parts.append(question)

    # Events

    def note_shown(self, hands: Hands, seat: int, kind: int) -> None:
        """Update the claims after an unknown card of the hand has been seen.

        Before the call, `hands` must have stopped counting the card as unknown or unseen.
        """
        bit = hands.pack.bit[kind]
        touched = []
        unknown = hands.unknown_count[seat]
        for claim in self.by_seat[seat]:
            if claim.mask & bit:
                claim.base += 1
                claim.seen_kinds += (kind,)
                touched.append(claim)
            elif unknown <= claim.wake_at:
                touched.append(claim)
        self.note_located(hands, bit)
        for claim in touched:
            if claim.is_open:
                self._review(hands, claim)

    def note_located(self, hands: Hands, bit: int) -> None:
        """Update the claims after one more copy of a kind has been seen. `bit` is the bit of the
        kind."""
        awake: list[ClaimGroup] = []
        self.slack = RECHECK if bit & self.needed_cards else self.slack - 1
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

    def recheck_hand(self, hands: Hands, seat: int) -> None:
        """Recheck the claims about a hand with buried cards, after a card has left it."""
        self._review_all(hands, self.by_seat[seat])

    def note_revealed(self, hands: Hands, seat: int, hand: int) -> None:
        """Update the claims just before all cards of a hand become known. `hand` contains these
        cards."""
        buried, known_cards = hands.buried_count[seat], hands.known[seat]
        new = hands.pack.subtract(hand, known_cards)
        for claim in self.by_seat[seat]:
            claim.base += (hand & claim.mask).bit_count() - (known_cards & claim.mask).bit_count()
            claim.given += buried - claim.buried
            claim.buried = 0
            claim.seen_kinds += tuple(hands.pack.kinds_in(new & claim.mask))

    def note_named_draw(self, hands: Hands, seat: int, kind: int, known: bool) -> None:
        """Update the claims after a card of an unseen draw was identified.

        `known` is true if the card was already known to be in the hand.
        """
        bit = hands.pack.bit[kind]
        for claim in self.by_seat[seat]:
            inside = bool(claim.mask & bit)
            if claim.drawn:
                claim.drawn -= 1
                claim.base -= inside and known
            elif inside and not known:
                claim.base += 1
                claim.seen_kinds += (kind,)
        self.recount(hands)

    def note_received(self, seat: int, n: int) -> None:
        """Update the claims after n cards entered the hand, unseen by the other players."""
        for claim in self.by_seat[seat]:
            claim.drawn += n

    def note_given(self, seat: int, n: int) -> None:
        """Update the claims after n cards left the hand, unseen by the other players."""
        for claim in self.by_seat[seat]:
            claim.given += n

    def note_forgotten(self, seat: int, known_cards: int) -> None:
        """Update the claims after the known cards of a hand have become unknown."""
        for claim in self.by_seat[seat]:
            claim.base -= (known_cards & claim.mask).bit_count()

    def reset_bounds(self, hands: Hands) -> None:
        """Drop all proved bounds, because some hand was entered wrongly."""
        for claims in self.by_seat:
            for claim in claims:
                claim.low, claim.high = 0, hands.pack.card_count
        self._drop_clashes()
        self.recount(hands)

    def drop_claims(self, seat: int) -> None:
        """Drop the claims about the hand of a seat, and the questions to which they belong."""
        for claim in tuple(self.by_seat[seat]):
            self.questions.pop(claim.question, None)
            self._close(claim)
        self.slack = RECHECK

    def drop_questions(self) -> None:
        """Drop all questions, so that no conclusions are drawn from combinations of them."""
        self.questions = {}
        self._drop_clashes()

    def recount(self, hands: Hands) -> None:
        """Count everything again, after several cards were seen at once or cards moved unseen."""
        if not self.groups:
            return
        self.slack = RECHECK
        total = hands.unseen.bit_count()
        for group in tuple(self.groups.values()):
            group.inside = (hands.unseen & group.mask).bit_count()
            group.outside = total - group.inside
            self._review_group(hands, group)

    # Deciding claims

    def settle_question(
        self, question: OpenQuestion, verdict: bool, unknown: Sequence[int]
    ) -> None:
        """Settle a question that is decided by all known facts together. `unknown` is
        `Hands.unknown_count`."""
        claims = list(list_claims(question))
        for claim in claims:
            self._close(claim)
        del self.questions[question]
        first = claims[0]
        self.decisions.append((first.ref, verdict, Proof(first, True, unknown[first.seat], True)))

    def take_decisions(self) -> Sequence[DecidedQuestion | None]:
        """Return the decisions that have not been fetched yet."""
        news = self.decisions
        if not news:
            return ()
        self.decisions = []
        return news

    def _review_group(self, hands: Hands, group: ClaimGroup) -> None:
        group.wake_inside = group.wake_outside = NEVER
        self._review_all(hands, group.claims)

    def _review_all(self, hands: Hands, claims: Iterable[OpenClaim]) -> None:
        for claim in list(claims):
            if claim.is_open:
                self._review(hands, claim)

    def _review(self, hands: Hands, claim: OpenClaim) -> None:
        """Narrow an open claim's proved bounds. Then decide it, or set when to recheck it."""
        if claim.compound is not None and not claim.compound.is_open:
            self._close(claim)
            return
        group, base = claim.group, claim.base
        unknown, inside, outside = hands.unknown_count[claim.seat], group.inside, group.outside
        fixed_low = base - claim.buried - claim.drawn
        fixed_high = base + claim.given
        low = fixed_low + unknown - outside if unknown > outside else fixed_low
        high = fixed_high + (unknown if unknown < inside else inside)
        if claim.buried:
            known_cards = hands.known[claim.seat]
            seen = claim.base - (known_cards & claim.mask).bit_count()
            not_buried = hands.not_buried[claim.seat]
            inside = (not_buried & claim.mask).bit_count()
            rest = known_cards.bit_count() + unknown - claim.buried - not_buried.bit_count()
            high = min(high, seen + claim.given + inside + rest)
            if not claim.drawn:
                low = max(low, seen + inside * (not claim.given))
        if low > claim.low:
            claim.low = low
        if high < claim.high:
            claim.high = high
        verdict = compare_bounds(claim.low, claim.high, claim.least, claim.most)
        if verdict is None:
            _set_wake_counts(claim, unknown, fixed_low, fixed_high)
        else:
            self._settle(claim, verdict, fixed_low, unknown)

    def _settle(self, claim: OpenClaim, verdict: bool, fixed_low: int, unknown: int) -> None:
        """Close a decided claim, and record the answer if it decides its question."""
        self._close(claim)
        counted = fixed_low < claim.least if verdict else fixed_low <= claim.most
        answer = verdict if claim.compound is None else claim.compound.record_verdict(verdict)
        if answer is not None:
            self.questions.pop(claim.question, None)
            if self.clashes:
                self.slack = RECHECK
            self.decisions.append((claim.ref, answer, Proof(claim, counted, unknown)))

    def _drop_clashes(self) -> None:
        """Drop the known clashes."""
        if self.clashes:
            self.clashes = []
            self.decisions.append(None)

    def _close(self, claim: OpenClaim) -> None:
        claim.is_open = False
        if claim.compound is not None:
            claim.compound.remove_part(claim)
        self.by_seat[claim.seat].remove(claim)
        group = claim.group
        group.claims.remove(claim)
        if not group.claims:
            del self.groups[group.mask]


def _copy_question(
    question: CompoundQuestion | None, copies: dict[CompoundQuestion, CompoundQuestion]
) -> CompoundQuestion | None:
    """Return a copy of a question, with copies of the questions that contain it.

    Each question is copied only once.
    """
    if question is None:
        return None
    if question not in copies:
        parent = _copy_question(question.parent, copies)
        copies[question] = CompoundQuestion(question.decisive, question.open_count, parent)
    return copies[question]


def _set_wake_counts(claim: OpenClaim, unknown: int, fixed_low: int, fixed_high: int) -> None:
    """Set the numbers of unseen cards at which an open claim may next be decided.

    `fixed_low` and `fixed_high` bound the number of cards of the set that the hand had at the
    claim's moment, without its unknown cards. Of the unknown cards, at most `unknown` can be in the
    set, and at most as many as are unseen inside it. Unknown cards that do not fit among the unseen
    cards outside the set must be in it. So the upper bound can only fall when `unknown` or the
    count inside falls. The lower bound can only rise when the count outside falls.
    """
    group = claim.group
    wake = (claim.most if claim.high > claim.most else claim.least - 1) - fixed_high
    claim.wake_at = wake
    if wake > group.wake_inside:
        group.wake_inside = wake
    wake = fixed_low + unknown - (claim.least if claim.low < claim.least else claim.most + 1)
    if wake > group.wake_outside:
        group.wake_outside = wake
