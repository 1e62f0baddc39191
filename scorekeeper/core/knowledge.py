"""Knowledge about the hands of one round, and how each event changes it.

`core/hands.py` holds the known cards, `core/open_claims.py` the undecided questions about hands,
and `core/placement.py` the possible places of unseen cards. This module updates all three
together. A question is answered at once if the known facts decide it; otherwise it stays open
until they do.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from scorekeeper.core.hands import POSSIBLE, AnyOf, Claim, Hands, compare_bounds
from scorekeeper.core.messages import plural
from scorekeeper.core.open_claims import (
    RECHECK,
    UNLIMITED,
    ClaimRegistry,
    CompoundQuestion,
    OpenClaim,
    list_claims,
)
from scorekeeper.core.placement import (
    BURIED,
    STOCK,
    AnyLimit,
    Budget,
    CardPlace,
    CountedLayout,
    Limit,
    Provenance,
    is_possible,
    slack,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.hands import AllOf, Question
    from scorekeeper.core.open_claims import DecidedQuestion, OpenQuestion
    from scorekeeper.core.placement import Constraint

MAX_TRACED = 128
"""The limit for the number of kinds times the number of seats. Above it, cards that move unseen are
not traced."""


class Knowledge(Hands):
    """The hands as far as they are known, with the open `claims` about them. Events update both.

    `provenance` traces cards that moved unseen. It is None as long as counting the cards of each
    hand leads to the same conclusions (see `start_tracing`). Change the object only through its
    methods. A method that raises ValueError has changed nothing.

    Two players have two unseen cards each, dealt from AH KH AS KS. Then seat 1 plays AH:

    >>> from scorekeeper.core.cards import Pack
    >>> pack = Pack.make(["A", "K"], ["H", "S"], [], 1)
    >>> hands = Knowledge(pack, 2)
    >>> for seat in (0, 1):
    ...     hands.deal(seat, 0, 2)
    >>> hearts = pack.hand_of([0, 1])
    >>> hands.bounds(0, hearts)
    (0, 2)
    >>> hands.show(1, 0)
    >>> hands.bounds(0, hearts)
    (0, 1)
    """

    __slots__ = ("_unnamed_draws", "claims", "provenance")

    def __init__(self, pack: Pack, seats: int) -> None:
        """Start with all cards unseen, all hands empty, and no claims."""
        super().__init__(pack, seats)
        self.claims = ClaimRegistry(seats)
        self.provenance: Provenance | None = None
        # how many cards of each seat's latest unseen draw have not been identified yet
        self._unnamed_draws = [0] * seats

    def copy(self) -> Knowledge:
        """Return an independent copy of the knowledge and its open claims."""
        other = Knowledge.__new__(Knowledge)
        other.pack, other.seats = self.pack, self.seats
        other.unseen = self.unseen
        other.known, other.unknown_count, other.buried_count = (
            self.known[:],
            self.unknown_count[:],
            self.buried_count[:],
        )
        other.not_buried = self.not_buried[:]
        other._unnamed_draws, other.changed = self._unnamed_draws[:], self.changed[:]
        other.claims = self.claims.copy()
        other.provenance = None if self.provenance is None else self.provenance.copy()
        return other

    # Questions

    def ask(self, question: Question, ref: object, moment: int = 0) -> bool | None:
        """Return the answer to a question, or None if it stays open.

        If an open question is decided later, `take_decisions` returns its `ref`. Questions about
        the same act share a `moment`, a number above 0.
        """
        if isinstance(question, Claim):
            return self._ask_claim(question, ref, moment, None)
        verdict = self.answer(question)
        if verdict is None:
            self._keep_compound(question, ref, moment, None)
        return verdict

    def ask_again(self, question: Question, ref: object, moment: int) -> None:
        """Ask a question that was open before the hands were rebuilt.

        `take_decisions` returns the answer even if the rebuilt hands decide it at once.
        """
        known = self.answer(question) is not None
        if isinstance(question, Claim):
            self._ask_claim(question, ref, moment, None, known)
        else:
            self._keep_compound(question, ref, moment, None, known)
        if known:
            self.claims.recount(self)

    def _ask_claim(
        self,
        claim: Claim,
        ref: object,
        moment: int,
        parent: CompoundQuestion | None,
        known: bool = False,
    ) -> bool | None:
        """Add a claim if it is undecided, and return its verdict.

        If `known` is true, add the claim even if it is decided.
        """
        part = claim.seat, claim.cards, claim.least, claim.most
        bounds = self.bounds(claim.seat, claim.cards)
        verdict = compare_bounds(*bounds, claim.least, claim.most)
        if verdict is None or known:
            open_claim = self.claims.add_claim(self, part, bounds, ref, moment, parent)
            if self.provenance is not None:
                open_claim.snapshot = self.provenance.take_snapshot(claim.seat)
        return verdict

    def _keep_compound(
        self,
        question: AnyOf | AllOf,
        ref: object,
        moment: int,
        parent: CompoundQuestion | None,
        known: bool = False,
    ) -> None:
        """Add the undecided parts of a compound question. If `known` is true, add all its parts."""
        still_open = [part for part in question.claims if known or self.answer(part) is None]
        several = CompoundQuestion(isinstance(question, AnyOf), len(still_open), parent)
        self.claims.add_question(several, moment, parent)
        for each in still_open:
            if isinstance(each, Claim):
                self._ask_claim(each, ref, moment, several, known)
            else:
                self._keep_compound(each, ref, moment, several, known)

    def take_decisions(self) -> Sequence[DecidedQuestion | None]:
        """Return the questions decided since the last call, each as ref, verdict and proof.

        The oldest decision is first. None in the list means that the clashes have changed (see
        `list_clashes`).
        """
        return self.claims.take_decisions() if self.has_decisions else ()

    @property
    def has_decisions(self) -> bool:
        """True if a question has been decided since `take_decisions` was last called."""
        if self.claims.slack < 0:
            self.update_clashes()
        return bool(self.claims.decisions)

    def list_clashes(self) -> list[list[object]]:
        """Return the refs of questions that cannot all be true, one list for each clash.

        In every possible placement of the unseen cards, the answer to at least one question in each
        list is no. Each list is minimal.
        """
        return [
            [next(list_claims(question)).ref for question in clash] for clash in self.claims.clashes
        ]

    def update_clashes(self) -> None:
        """Draw the conclusions that follow from several open questions together."""
        if not update_clashes(self, self.claims, self.provenance):
            self.stop_tracing()

    # Events

    def deal(self, seat: int, known: int, count: int) -> None:
        """Deal a seat a new hand of `count` cards, of which the cards in `known` are identified.

        The previous hand is replaced, and open claims about it lapse. Raises ValueError if too few
        cards are left in the pack.
        """
        pack = self.pack
        unseen = pack.combine(self.unseen, self.known[seat]) if self.known[seat] else self.unseen
        unknown = count - known.bit_count()
        if unknown < 0:
            raise ValueError("more cards are named than the hand has")
        if known:
            unseen = pack.take_out(unseen, known)
        if sum(self.unknown_count) - self.unknown_count[seat] + unknown > unseen.bit_count():
            raise ValueError("the hands have more cards than the pack")
        if self.claims.groups:
            self.claims.drop_claims(seat)
        self.provenance = None
        self.unseen = unseen
        self.known[seat] = known
        self.unknown_count[seat] = unknown
        self.buried_count[seat] = self.not_buried[seat] = self._unnamed_draws[seat] = 0
        self.changed[seat] = False
        if self.claims.groups:
            self.claims.recount(self)

    def show(self, seat: int, kind: int) -> None:
        """Move a card out of a hand openly, to the table or out of play.

        Raises ValueError if the card cannot be in the hand.
        """
        if self.buried_count[seat] or self.provenance is not None:
            self._show_traced(seat, kind)
            return
        column = self.pack.column[kind]
        held = self.known[seat] & column
        if held:
            self.known[seat] ^= 1 << (held.bit_length() - 1)
            return
        held, unknown = self.unseen & column, self.unknown_count[seat]
        if not (held and unknown):
            raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        # The same as `_identify`, but written out for speed, because nearly every unseen card takes
        # this path.
        self.unseen ^= 1 << (held.bit_length() - 1)
        self.unknown_count[seat] = unknown - 1
        claims = self.claims
        if claims.groups:
            claims.note_shown(self, seat, kind)
            if claims.slack < 0:
                self.update_clashes()

    def note_held(self, seat: int, kind: int, n: int = 1) -> None:
        """Record that at least n copies of the kind were seen in the hand.

        Raises ValueError if the hand cannot have them.
        """
        if self.can_hold(seat, kind, n) < POSSIBLE:
            cards = " ".join([self.pack.kinds[kind]] * n)
            raise ValueError(f"{cards} cannot be in this hand")
        for _ in range(n - self.pack.count(self.known[seat], kind)):
            self._identify(seat, kind)
            self.known[seat] = self.pack.add(self.known[seat], kind)
            self.claims.note_shown(self, seat, kind)
        self._note_sighting(seat, kind, n, self.pack.card_count)
        if self.buried_count[seat]:
            for _ in range(n - self.pack.count(self.not_buried[seat], kind)):
                self.not_buried[seat] = self.pack.add(self.not_buried[seat], kind)
            self.claims.recheck_hand(self, seat)

    def note_seen(self, seat: int, kinds: Sequence[int]) -> None:
        """Record that the table saw these kinds in the hand, even if an entered hand rules them
        out.

        Raises ValueError if no hand has the cards, or if the hand is too small for them.
        """
        for kind in set(kinds):
            self.mark_contradicted(seat, kind)
            self.note_held(seat, kind, kinds.count(kind))

    def note_all_held(self, shown: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        """Record that cards were seen in several hands and remain there.

        `shown` pairs each seat with the kinds of its cards. Raises ValueError if the hands cannot
        have the cards.
        """
        for seat, kinds in shown:
            for kind in set(kinds):
                self.note_held(seat, kind, kinds.count(kind))

    def reveal(self, seat: int, hand: int) -> None:
        """Record all cards of a hand as it is now. Raises ValueError if they contradict known
        facts."""
        pack = self.pack
        known_cards = self.known[seat]
        buried = self.buried_count[seat]
        if hand.bit_count() != self.size(seat):
            raise ValueError(
                plural("this hand has {count} card", "this hand has {count} cards", self.size(seat))
            )
        if pack.subtract(known_cards, hand).bit_count() > buried:
            raise ValueError("a card seen in this hand is not among these")
        new = pack.subtract(hand, known_cards)
        unseen = pack.take_out(self.unseen, new)
        self.claims.recount(self)
        self.claims.note_revealed(self, seat, hand)
        self.unseen = unseen
        self.known[seat] = hand
        self.unknown_count[seat] = self.buried_count[seat] = self.not_buried[seat] = 0
        for kind in range(pack.kind_count) if self.provenance is not None else ():
            self._note_sighting(seat, kind, pack.count(hand, kind), pack.count(hand, kind))
        self.claims.recount(self)

    def locate(self, kind: int) -> None:
        """Record that a card outside the hands was seen, such as a turned-up card or a card of the
        kitty.

        Raises ValueError if no unseen card of the kind can be outside the hands.
        """
        if self.unheld_count() < 1:
            raise ValueError("every unseen card is in a hand")
        self.unseen = self.pack.remove(self.unseen, kind)
        self.claims.note_located(self, self.pack.bit[kind])
        if self.provenance is not None:
            self.provenance.show(STOCK, kind)
            self.claims.slack = RECHECK

    def take_seen(self, seat: int, cards: int) -> None:
        """Move cards that everybody has seen into a hand.

        Raises ValueError unless the cards are on the table or out of play.
        """
        self.put_back(seat, cards)
        self.changed[seat] = True

    def put_back(self, seat: int, cards: int) -> None:
        """Put cards back into the hand that had shown them, as if they had never left it.

        Raises ValueError unless the cards are on the table or out of play.
        """
        pack, held = self.pack, self.unseen
        for known_cards in self.known:
            held |= known_cards
        for kind in pack.kinds_in(cards & held & pack.first):
            if pack.count(cards, kind) > pack.copies - self.copies_in_play(kind):
                raise ValueError(f"{pack.kinds[kind]} does not lie open")
        self.known[seat] = pack.combine(self.known[seat], cards)
        # An identical card that is later seen in the hand may be one of the cards put back.
        if self.buried_count[seat]:
            self.claims.note_received(seat, cards.bit_count())
        if self.provenance is not None:
            self.provenance.add_seen(seat, cards)

    def take_unseen(self, seat: int, n: int) -> None:
        """Move n cards into the hand, unseen by the other players.

        Raises ValueError if fewer than n unseen cards are outside the hands.
        """
        if n > self.unheld_count():
            raise ValueError(
                plural(
                    "{count} unseen card is left to be drawn, not {number}",
                    "{count} unseen cards are left to be drawn, not {number}",
                    self.unheld_count(),
                    number=n,
                )
            )
        if n:
            if self.claims.by_seat[seat]:
                self.start_tracing()
            self._move_lots([(STOCK, n, seat)])
            self._receive(seat, n)
            self.claims.recount(self)

    def name_drawn(self, seat: int, kind: int) -> None:
        """Identify one card of the hand's latest unseen draw that is still in the hand.

        Raises ValueError if all these cards are known, or if the card cannot be in the hand.
        """
        if not self._unnamed_draws[seat]:
            raise ValueError("every card just drawn is known")
        if self.can_hold(seat, kind) < POSSIBLE:
            raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        bit = self.pack.bit[kind]
        known = bool(self.known[seat] & bit)
        if not known:
            self._identify(seat, kind)
            self.known[seat] = self.pack.add(self.known[seat], kind)
        self._unnamed_draws[seat] -= 1
        self.claims.note_named_draw(self, seat, kind, known)
        if self.provenance is not None:
            self.provenance.note_sighting(
                self.provenance.take_draw_snapshot(seat),
                self.pack.column[kind],
                1,
                self.pack.card_count,
            )

    def give(self, seat: int, to: int, cards: int) -> None:
        """Pass cards openly from one hand to another. Raises ValueError if the giver cannot have
        them."""
        self.pass_on([], [(seat, to, cards)])

    def give_unseen(self, seat: int, to: int, n: int) -> None:
        """Pass n cards from one hand to another, unseen by the other players.

        The giver's known cards become unknown. Raises ValueError if the hand has fewer than n
        cards.
        """
        self.pass_on([(seat, to, n)], [])

    def pass_on(
        self, unseen: Sequence[tuple[int, int, int]], seen: Sequence[tuple[int, int, int]]
    ) -> None:
        """Pass cards between several hands at the same time.

        Each item of `unseen` is the giving seat, the receiving seat and the number of cards. An
        item of `seen` has the cards instead of their number. Raises ValueError in the same cases as
        `give` and `give_unseen`.
        """
        for seat, _, n in unseen:
            if n > self.size(seat):
                raise ValueError(_too_few_text(self.size(seat)))
        for seat, _, cards in seen:
            self._check_given(seat, cards)
        if any(n for _, _, n in unseen) and self._has_knowledge():
            self.start_tracing()
        for seat, _, cards in seen:
            for kind in self.pack.kinds_in(cards):
                self.show(seat, kind)
        self._move_lots([(seat, n, to) for seat, to, n in unseen if n])
        for seat, to, n in unseen:
            if n:
                self._pass_unseen(seat, to, n)
        for seat, to, cards in seen:
            self.take_seen(to, cards)
            self.changed[seat] = True

    def _check_given(self, seat: int, cards: int) -> None:
        kinds = self.pack.kinds_in(cards)
        for kind in set(kinds):
            if self.can_hold(seat, kind, kinds.count(kind)) < POSSIBLE:
                raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        if self.pack.subtract(cards, self.known[seat]).bit_count() > self.unknown_count[seat]:
            raise ValueError("the hand cannot hold all of these")
        if len(kinds) > self.size(seat):
            raise ValueError(_too_few_text(self.size(seat)))

    def _pass_unseen(self, seat: int, to: int, n: int) -> None:
        self.claims.recount(self)
        self._forget_cards(seat)
        self.unknown_count[seat] -= n
        self.claims.note_given(seat, n)
        self.changed[seat] = True
        self._receive(to, n)
        self.claims.recount(self)

    def bury_unseen(self, seat: int, n: int) -> None:
        """Put n cards of the hand face down out of play, unseen by the other players.

        Raises ValueError if the hand has fewer than n cards.
        """
        if n > self.size(seat):
            raise ValueError(_too_few_text(self.size(seat)))
        if self.buried_count[seat]:
            self.start_tracing()
        self._move_lots([(seat, n, BURIED)])
        self.buried_count[seat] += n
        self.not_buried[seat] = 0
        self.changed[seat] = True

    def mark_contradicted(self, seat: int, kind: int) -> None:
        """Allow for a card that was seen in a hand although the entered hands rule it out.

        One of the hands must have been entered wrongly. Forget as few known facts as possible, and
        drop open claims about the hands concerned. Raises ValueError if no copy is left in play, or
        if the hand is empty.
        """
        if self.can_hold(seat, kind) >= POSSIBLE:
            return
        self.stop_tracing()
        pack = self.pack
        if not self.copies_in_play(kind) or self.size(seat) < 1:
            raise ValueError(f"{pack.kinds[kind]} cannot have been in this hand")
        bit = pack.bit[kind]
        self.claims.drop_claims(seat)
        self.not_buried[seat] = 0
        if not self.unseen & bit:
            self.unseen |= bit
            for other, known_cards in enumerate(self.known):
                if known_cards & bit:
                    self.known[other] = pack.remove(known_cards, kind)
                    self.unknown_count[other] += 1
                    self.not_buried[other] = 0
                    self.claims.drop_claims(other)
                    break
        if not self.unknown_count[seat]:
            self._forget_cards(seat)
        self.claims.reset_bounds(self)

    # Tracing cards that move unseen

    def start_tracing(self) -> None:
        """Start to trace cards that move unseen, because counting cards is no longer enough.

        Large packs are not traced, because that would take too long.
        """
        if self.provenance is not None or self.pack.kind_count * self.seats > MAX_TRACED:
            return
        self.provenance = lots = Provenance(self)
        for seat, held in enumerate(self.claims.by_seat):
            buried, known_cards = self.buried_count[seat], self.known[seat]
            for claim in held:
                if claim.has_moved or claim.buried not in (0, buried):
                    continue
                after = bool(claim.buried)
                claim.snapshot = lots.take_initial_snapshot(seat, after, buried > 0 and not after)
                claim.known_count = claim.base - (known_cards & claim.mask).bit_count() * after
        self.claims.slack = RECHECK

    def stop_tracing(self) -> None:
        """Stop tracing after a wrong entry, and draw no more conclusions from several questions
        together."""
        if self.provenance is not None:
            self.provenance = None
            self.claims.drop_questions()

    def _move_lots(self, moves: Sequence[tuple[int, int, int]]) -> None:
        """Record unseen moves of cards between places, all at the same time."""
        if self.provenance is None or not moves:
            return
        parts = self.provenance.move(moves)
        for held in self.claims.by_seat:
            for claim in held:
                if claim.snapshot is not None:
                    claim.snapshot = claim.snapshot.add_parts(parts)

    def _note_sighting(self, seat: int, kind: int, least: int, most: int) -> None:
        """Record that `least` to `most` cards of a kind were seen in a hand."""
        if self.provenance is not None:
            self.provenance.note_sighting(
                self.provenance.take_snapshot(seat), self.pack.column[kind], least, most
            )
            self.claims.slack = RECHECK

    def _has_knowledge(self) -> bool:
        """Return whether anything is known or claimed about a hand, so that unseen moves of cards
        matter."""
        return any(self.known) or any(self.buried_count) or bool(self.claims.groups)

    # Helpers

    def _identify(self, seat: int, kind: int) -> None:
        """Turn one unknown card of the hand into a card of this kind. The caller then records its
        place."""
        held = self.unseen & self.pack.column[kind]
        unknown = self.unknown_count[seat]
        if not (held and unknown):
            raise ValueError(f"{self.pack.kinds[kind]} cannot be in this hand")
        self.unseen ^= 1 << (held.bit_length() - 1)
        self.unknown_count[seat] = unknown - 1

    def _show_traced(self, seat: int, kind: int) -> None:
        if self.size(seat) < 1:
            raise ValueError("the hand is empty")
        known = self.known[seat] & self.pack.bit[kind]
        if known:
            self.known[seat] = self.pack.remove(self.known[seat], kind)
        else:
            self._identify(seat, kind)
            self.claims.note_shown(self, seat, kind)
        if self.buried_count[seat]:
            if self.not_buried[seat] & self.pack.bit[kind]:
                self.not_buried[seat] = self.pack.remove(self.not_buried[seat], kind)
            self.claims.recheck_hand(self, seat)
        if self.provenance is not None:
            self.provenance.show(seat, kind)
            self.claims.slack = RECHECK

    def _receive(self, seat: int, n: int) -> None:
        self.claims.recount(self)
        self.unknown_count[seat] += n
        self._unnamed_draws[seat] = n
        self.changed[seat] = True
        self.claims.note_received(seat, n)

    def _forget_cards(self, seat: int) -> None:
        """Forget which cards the seat has, but not how many."""
        known_cards = self.known[seat]
        self.unseen = self.pack.combine(self.unseen, known_cards)
        self.unknown_count[seat] += known_cards.bit_count()
        self.known[seat] = self.not_buried[seat] = 0
        self.claims.note_forgotten(seat, known_cards)


def _too_few_text(size: int) -> str:
    return plural("the hand has only {count} card", "the hand has only {count} cards", size)


# --- conclusions from several questions together
#
# A single claim is decided as soon as its own count leaves only one answer (`core/open_claims.py`).
# Several questions may also clash, which means that no world (see `core/placement.py`) answers all
# of them with yes. At least one of them is then answered with no, though perhaps a different one in
# each world. A compound question may clash with itself, and is then decided. No conclusion is ever
# drawn from the assumption that a player obeyed a rule.
#
# Searching for a world after every card would be slow. So a quick test is made first, with stricter
# limits, which only keep cards out of hands. If these limits can be met, a world exists. The test
# also returns the slack, which is the number of cards that can be seen before the next search.


def update_clashes(hands: Hands, claims: ClaimRegistry, provenance: Provenance | None) -> bool:
    """Find the clashes among open questions, and decide questions that can only be false.

    If cards are traced (`provenance`), also decide questions that only tracing can decide. Return
    False if the traced facts contradict each other. In that case no conclusion is drawn.
    """
    first = next(iter(claims.questions), None)
    if len(claims.questions) < 2 and not (
        claims.clashes or provenance or isinstance(first, CompoundQuestion)
    ):
        claims.slack = UNLIMITED  # a single claim is already decided by counting
        return True
    if not (claims.questions or claims.clashes):
        claims.slack = 0
        return True
    slack = RECHECK if provenance else _compute_slack(hands, claims)
    if slack >= 0 and not (claims.has_choices or claims.clashes):
        claims.slack = slack
        return True
    worlds = _Worlds(hands, provenance)
    if provenance:
        if worlds.can_answer_all(claims.questions, True):
            slack = 0
        elif worlds.can_answer_all((), True) is False:
            return False
    claims.has_choices = (
        _answer_choices(worlds, claims, hands.unknown_count)
        if provenance or claims.has_choices
        else False
    )
    if claims.clashes or slack < 0:
        _find_clashes(worlds, claims, hands.unknown_count)
    claims.slack = 0 if provenance or claims.has_choices or claims.clashes else max(0, slack)
    return True


def _answer_choices(worlds: _Worlds, claims: ClaimRegistry, unknown: Sequence[int]) -> bool:
    """Settle questions that are true in every world although counting does not decide them.

    Only questions that contain an *or* or concern traced hands can be settled this way. Return
    whether there are any such questions.
    """
    chosen = [
        question
        for question in claims.questions
        if _has_choice(question) or worlds.is_traced(question)
    ]
    for question in chosen:
        if worlds.can_answer_all([question], False) is False:
            claims.settle_question(question, True, unknown)
    return bool(chosen)


def _find_clashes(worlds: _Worlds, claims: ClaimRegistry, unknown: Sequence[int]) -> None:
    """Find clashes by means of assignment tables, checking known clashes first.

    A known clash remains while all its questions are open, even if the search fails to find it
    again or exceeds its budget.
    """
    before = [list(clash) for clash in claims.clashes]
    rest, result = list(claims.questions), []
    for clash in before:
        left = [asked for asked in clash if asked in rest]
        fewer = _split_clashes(worlds, left, rest, claims.questions)
        if left == clash and not fewer:
            fewer = [clash]
            rest = [asked for asked in rest if asked not in clash]
        result += fewer
    result += _split_clashes(worlds, rest, rest, claims.questions)
    for clash in result:
        if len(clash) == 1:
            claims.settle_question(clash[0], False, unknown)
    claims.clashes = [clash for clash in result if len(clash) > 1]
    if claims.clashes != before:
        claims.decisions.append(None)


def _split_clashes(
    worlds: _Worlds,
    questions: list[OpenQuestion],
    rest: list[OpenQuestion],
    moments: Mapping[OpenQuestion, int],
) -> list[list[OpenQuestion]]:
    """Return disjoint clashes among these questions, and remove their questions from `rest`."""
    result = []
    left = questions[:]
    while left and worlds.can_answer_all(left, True) is False:
        acts: dict[object, list[OpenQuestion]] = {}
        for each in left:
            acts.setdefault(moments[each] or each, []).append(each)
        clash = _reduce(worlds, list(acts.values()))
        if len({moments[each] for each in clash}) == 1:
            clash = _reduce(worlds, [[each] for each in clash])
        result.append(clash)
        left = [each for each in left if each not in clash]
        rest[:] = [each for each in rest if each not in clash]
    return result


def _reduce(worlds: _Worlds, parts: list[list[OpenQuestion]]) -> list[OpenQuestion]:
    """Return a minimal subset of a clash that still clashes, preferring earlier parts."""
    for part in reversed(parts):
        fewer = [other for other in parts if other is not part]
        if worlds.can_answer_all(chain(*fewer), True) is False:
            parts = fewer
    return list(chain(*parts))


def _has_choice(question: OpenQuestion) -> bool:
    """Return whether a question contains an *or* at any depth."""
    return not isinstance(question, OpenClaim) and (
        question.decisive or any(_has_choice(part) for part in question.parts if part.is_open)
    )


class _Worlds:
    """The worlds (placements of all unseen cards) that fit the facts known for certain.

    Cards are traced if there is a `provenance`, and otherwise counted.
    """

    def __init__(self, hands: Hands, provenance: Provenance | None) -> None:
        self.hands = hands
        self.provenance = provenance
        self.layout = provenance or CountedLayout(hands)
        self.budget = Budget()

    def is_traced(self, question: OpenQuestion) -> bool:
        """Return whether a question is about a hand whose cards are traced."""
        lots = self.provenance
        return lots is not None and any(
            each.seat in lots.moved_seats for each in list_claims(question)
        )

    def can_answer_all(self, questions: Iterable[OpenQuestion], verdict: bool) -> bool | None:
        """Return whether the answer to all questions is `verdict` in some world, or None if the
        budget is too small."""
        wanted: list[Constraint] = []
        for each in questions:
            wanted += self._constraints_of(each, verdict)
        return is_possible(self.layout, wanted, self.budget)

    def _constraints_of(self, question: OpenQuestion, verdict: bool) -> tuple[Constraint, ...]:
        """Return the constraints on a world in which the answer to a question is `verdict`.

        Unknown constraints are left out.
        """
        if isinstance(question, OpenClaim):
            return self._claim_constraints(question, verdict)
        parts = [self._constraints_of(part, verdict) for part in question.parts if part.is_open]
        if question.decisive is verdict:
            return (AnyLimit(tuple(parts)),)
        return tuple(each for part in parts for each in part)

    def _claim_constraints(self, claim: OpenClaim, verdict: bool) -> tuple[Constraint, ...]:
        """Return the constraints on a world in which a claim has this verdict."""
        place, known = (
            (claim.snapshot, claim.known_count) if self.provenance else self._place_of(claim)
        )
        if place is None:
            return ()
        if verdict:
            return (Limit(place, claim.mask, claim.least - known, claim.most - known),)
        fewer = Limit(place, claim.mask, 0, claim.least - 1 - known)
        more = Limit(place, claim.mask, claim.most + 1 - known, self.hands.pack.card_count)
        return (AnyLimit(((fewer,), (more,))),)

    def _place_of(self, claim: OpenClaim) -> tuple[CardPlace | None, int]:
        """Return the place whose cards a claim counts, and the number of known cards to add to the
        count. The place is None if there is no such place."""
        hands, seat = self.hands, claim.seat
        buried = hands.buried_count[seat]
        if claim.has_moved or claim.buried not in (0, buried):
            return None, 0
        if not claim.buried:
            return CardPlace(seat, not buried), claim.base
        return CardPlace(seat, True), claim.base - (hands.known[seat] & claim.mask).bit_count()


def _compute_slack(hands: Hands, claims: ClaimRegistry) -> int:
    """Return a lower bound of the slack (see `ClaimRegistry`).

    The bound rests on two strict assumptions, so the open claims may be compatible even if it is
    below 0. If a claim sets a maximum for a set of cards, the hand is assumed to have none of them.
    If a claim sets a minimum, the hand is assumed to have that many already.
    """
    barred, needs = [0] * hands.seats, list[OpenClaim]()
    claims.needed_cards = 0
    for seat, held in enumerate(claims.by_seat):
        buried = hands.buried_count[seat]
        for claim in held:
            if claim.drawn or claim.given:
                continue
            if claim.buried != buried:
                return RECHECK
            if claim.high > claim.most:
                barred[seat] |= claim.mask
            if claim.low < claim.least:
                needs.append(claim)
    if needs:
        return _slack_with_needs(hands, claims, barred, needs)
    return slack(hands, barred, hands.unseen, hands.unknown_count)


def _slack_with_needs(
    hands: Hands, claims: ClaimRegistry, barred: Sequence[int], needs: Sequence[OpenClaim]
) -> int:
    """Return the slack that is left once the hands have the cards that these claims require."""
    unseen, unknown, result = hands.unseen, hands.unknown_count[:], UNLIMITED
    for claim in needs:
        seat = claim.seat
        if hands.buried_count[seat]:
            return RECHECK
        free = unseen & claim.mask & ~barred[seat]
        for _ in range(claim.least - claim.base):
            if not free:
                return RECHECK
            unseen ^= free & -free
            free &= free - 1
            unknown[seat] -= 1
        result = min(result, unknown[seat])
        claims.needed_cards |= claim.mask
    return min(result, slack(hands, barred, unseen, unknown))
