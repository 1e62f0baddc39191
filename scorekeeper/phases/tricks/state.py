"""The state of trick play, the acts that change it, and the combinations that may be led.

The acts play cards, take cards back and award tricks.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import combinations, product
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.cards import SuitLead, Trick, plain_points
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NotYetKnown
from scorekeeper.core.hands import POSSIBLE
from scorekeeper.core.messages import N_, format_points, plural, tr
from scorekeeper.core.sides import OTHERS
from scorekeeper.engine.measures import Owner, TrickFor
from scorekeeper.engine.phase import TRICK
from scorekeeper.engine.setup import check_leader_has_cards, holding_text, longest_hand, stated_now
from scorekeeper.notation import Entry
from scorekeeper.ruleset.orders import TRUMP
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack, PlayedCards
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.ruleset.orders import Order

    Form = tuple[int, int]
    Kinds = tuple[int, ...]

PLAY = "play"
FOLLOW, DUTIES = "follow", ("follow", "duty")
SHAPE: Mapping[str, Parameter] = {
    "alike": Parameter(
        "int", "the number of identical cards in a set", 1, bounds=(1, untrusted.MAX_COPIES)
    ),
    "run": Parameter(
        "int",
        (
            "the minimum number of sets in the run, which must be neighbours in the order (1 "
            "for a single set)"
        ),
        1,
        bounds=(1, untrusted.MAX_RANKS),
    ),
}
ONE: Form = (1, 1)
NONE: Form = (0, 0)  # the form of cards that are neither a set nor a run
SINGLE_CARD = {"card": ONE}  # used if `[shapes]` has no rows


class State:
    """The state of trick play in a round, mainly of the current trick. `Round.tricks` holds the
    complete tricks.

    Seats, kinds and classes of cards are numbers. `order` is the ranking of the cards. `seats` take
    part in the trick, and `next_seats` maps each of them to the next in turn. `number` is the
    trick's number, from 1. `cards_left` is the number of cards that each hand still has to play,
    this trick included.

    `laid` lists the cards on the table in the order of play. `led_class` is the class of the first
    card, or -1 if the table is empty. `size` is the number of cards that each player plays, and
    `form` the combination that the winning cards must have (see `Shapes`). After a throw, they must
    have all combinations in `thrown`, of which `form` is the largest. `winner` is the seat
    winning so far, with the card `winning_kind` of strength `winning_strength`.

    `turn` is the seat whose turn it is, or -1 before the first card, when the round's leader leads.
    `early_seats` have played before their turn. `barred_kinds` maps a seat that took a card back to
    that card's kind, until the seat has played another. `claimer` is the seat that ended play by a
    claim, or -1. `shapes` are the combinations that may be led. `worth` lists the card points of
    each kind; `points` and `tricks` list the card points and tricks that each seat has won.
    """

    __slots__ = (
        *("barred_kinds", "cards_left", "claimer", "early_seats", "form", "laid"),
        *("led_class", "next_seats", "number", "order", "points", "seats", "shapes"),
        *("size", "thrown", "tricks", "turn", "winner", "winning_kind", "winning_strength"),
        "worth",
    )

    def __init__(
        self,
        order: Order,
        shapes: Shapes,
        worth: Sequence[float],
        players: int,
        number: int,
        left: int,
    ) -> None:
        self.order = order
        self.shapes = shapes
        self.worth = order.points or worth
        self.number = number
        self.cards_left = left
        self.seats: list[int] = []
        self.next_seats: dict[int, int] = {}
        self.laid: list[PlayedCards] = []
        self.led_class = self.turn = self.winner = self.winning_kind = -1
        self.size = self.winning_strength = 0
        self.form = ONE
        self.thrown: tuple[Form, ...] = ()
        self.claimer = -1
        self.early_seats: list[int] = []
        self.barred_kinds: dict[int, int] = {}
        self.points: list[float] = [0] * players
        self.tricks = [0] * players

    def set_seats(self, seats: Sequence[int]) -> None:
        """Set the seats that take part, in playing order."""
        self.seats = list(seats)
        self.next_seats = dict(zip(seats, [*seats[1:], *seats[:1]], strict=True))

    def seat_to_play(self, leader: int) -> int:
        """Return the seat whose turn it is. `leader` leads to the first trick."""
        return self.turn if self.turn >= 0 else leader

    @property
    def is_opening(self) -> bool:
        """True if no card of the round has been played yet."""
        return self.turn < 0 and not self.laid and self.number == 1

    def has_laid(self, seat: int) -> bool:
        """Return whether the seat has played to the trick on the table."""
        return any(other == seat for other, _ in self.laid)

    def next_to_lay(self) -> int:
        """Return the first seat, starting from the trick's leader, that has not yet played."""
        seat = self.laid[0][0]
        while self.has_laid(seat):
            seat = self.next_seats[seat]
        return seat

    def seats_in_trick(self, laid: Sequence[PlayedCards]) -> list[int]:
        """Return the seats that belong to the trick in which these cards were played, in ascending
        order. Seats that played their last cards to it are included."""
        return sorted({*self.seats, *(seat for seat, _ in laid)})

    def is_following(self, hands: Knowledge, seat: int, kinds: Sequence[int]) -> bool | None:
        """Return whether the seat follows suit with these cards, or None if that is unknown.

        A seat follows suit if all the cards are of the class led, or if it has no more of that
        class.
        """
        led = self.led_class
        if led < 0:
            return True
        classes, shown = self.order.classes, 0
        for kind in kinds:
            shown += classes[kind] == led
        if shown == len(kinds):
            return True
        could = self.order.masks[led]
        if not (hands.unknown_count[seat] or hands.buried_count[seat]):
            return (hands.known[seat] & could).bit_count() <= shown
        least, most = hands.bounds_after(seat, kinds, could)
        if least > 0:
            return False
        return True if most <= 0 else None


def count_cards_each(rnd: Round) -> int:
    """Return the number of cards that each player had before the first recorded trick.

    Cards drawn from a stock before that trick count as well as those dealt.
    """
    seats = len(rnd.seats)
    dealt = rnd.deal_size
    if rnd.setup.stock is None:
        return dealt
    drawn = rnd.rules.pack.card_count - dealt * seats - rnd.setup.stock
    return dealt + max(0, drawn // seats)


def seat_players_with_cards(rnd: Round, state: State) -> None:
    """Let only the players who still have cards take part. Hands may differ in size if the
    recording begins during the deal."""
    plays = set(rnd.seats).difference(rnd.table.resting)
    state.set_seats([seat for seat in rnd.seats if seat in plays and rnd.hands.size(seat)])
    if state.turn >= 0 and state.seats:
        while state.turn not in state.seats:
            state.turn = rnd.seating.next_seat(state.turn)


def find_led_class(order: Order, laid: Sequence[PlayedCards]) -> int | None:
    """Return the class that must be followed, or None until a card of the order has been played."""
    first = (kinds for _, kinds in laid if kinds[0] not in order.outside)
    return next((find_class_of_lead(order, kinds) for kinds in first), None)


def find_class_of_lead(order: Order, kinds: Kinds) -> int:
    """Return the class of the cards led, or the class of the suit if the lead names one.

    The class of a suit is the class of its cards that are not trumps.
    """
    if not isinstance(kinds, SuitLead):
        return order.classes[kinds[0]]
    classes = (order.classes[kind] for kind in kinds.members)
    return next((group for group in classes if group != TRUMP), TRUMP)


def suit_named(rnd: Round, entry: Entry) -> int:
    """Return the set of cards of the suit that an act names, which is empty if it names none."""
    kinds: Kinds = entry.value
    column = rnd.rules.pack.column
    return sum(column[kind] for kind in kinds.members) if isinstance(kinds, SuitLead) else 0


def kinds_that_name(order: Order, naming: Collection[int]) -> list[int]:
    """Return the cards of `naming` that are led with the name of a suit in this order.

    A card that shares its class with cards not in `naming`, such as a joker among the trumps, is
    led without a suit. Players follow it with cards of that class.
    """
    shared = {group for kind, group in enumerate(order.classes) if kind not in naming}
    return [kind for kind in naming if order.classes[kind] not in shared]


def name_suits(pack: Pack, naming: Collection[int], leads: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the given leads, but replace each card that must name a suit by one lead for each
    suit."""
    for entry in leads:
        kinds: tuple[int, ...] = entry.value
        if len(kinds) != 1 or kinds[0] not in naming:
            yield entry
            continue
        for suit in pack.suits:
            members = tuple(kind for kind, each in enumerate(pack.suit) if each == suit)
            yield Entry(entry.type, entry.seat, SuitLead(kinds, suit, members))


# --- possible leads


def possible_kinds(rnd: Round, seat: int, count: int) -> list[int]:
    """Return the kinds for which the seat may hold at least `count` cards."""
    can_hold = rnd.hands.can_hold
    kinds = range(rnd.rules.pack.kind_count)
    return [kind for kind in kinds if can_hold(seat, kind, count) >= POSSIBLE]


def possible_runs(rnd: Round, state: State, seat: int) -> Iterator[Kinds]:
    """Yield the runs that the seat might lead."""
    order, most = state.order, rnd.hands.size(seat)
    for alike, least in state.shapes.runs:
        held = set(possible_kinds(rnd, seat, alike))
        for group in range(len(order.masks)):
            steps = [[kind for kind in step if kind in held] for step in order.ladder(group)]
            for sets in range(least, most // alike + 1):
                for chosen in runs_in(steps, sets):
                    yield tuple(kind for kind in chosen for _ in range(alike))


def possible_throws(rnd: Round, state: State, seat: int) -> Iterator[Kinds]:
    """Yield throws of two combinations that the seat might lead, the highest cards first."""
    order, shapes = state.order, state.shapes
    for group in range(len(order.masks)) if shapes.throws else ():
        kinds = [kind for step in order.ladder(group) for kind in step]
        sets = [
            (kind,) * alike
            for kind in kinds
            for alike in shapes.set_sizes
            if kind in possible_kinds(rnd, seat, alike)
        ]
        for one, other in combinations(sets, 2):
            if one[0] != other[0]:
                yield (*one, *other)


# --- equal cards


class TieRule:
    """The rule that decides between two equal cards.

    The second wins if its kind is among `kinds` and the condition `when` is true for the trick;
    otherwise the first wins.
    """

    __slots__ = ("kinds", "when")

    def __init__(self, kinds: frozenset[int], when: Expression) -> None:
        self.kinds = kinds
        self.when = when

    def is_won_by_second(self, rnd: Round, state: State, kind: int) -> bool:
        """Return whether this card beats the equally strong card that is winning so far."""
        if kind not in self.kinds or kind != state.winning_kind:
            return False
        trick = Trick(state.number, state.laid, state.winner, kind, 0, state.cards_left == 1)
        return bool(rnd.evaluate(self.when, trick))


# --- acts


def lay_cards(rnd: Round, state: State, ties: TieRule, seat: int, kinds: Kinds) -> None:
    """Add cards to the trick and update its winner.

    Cards win if they are of the class led or trumps, form the combination led, and have a higher
    top card. If the lead broke the rules, a set of the same size beats it.
    """
    order, size = state.order, len(kinds)
    if size == 1 and state.led_class >= 0 and not order.outside:  # most plays follow a single card
        _lay_card(rnd, state, ties, seat, kinds)
        return
    kind, form = (kinds[0], ONE) if size == 1 else find_form(order, kinds)
    if state.thrown and state.laid:
        highest = highest_kind(order, kinds, state.thrown)
        kind, form = (kinds[0], NONE) if highest is None else (highest, state.form)
    group, strength = order.classes[kind], order.strength[kind]
    wins = False
    if kind in order.outside:
        if not state.laid:  # the next card decides which class must be followed
            state.size, state.form = size, form
            state.winner, state.winning_kind, state.winning_strength = seat, kind, -1
    elif state.led_class < 0:
        state.led_class = find_class_of_lead(order, kinds) if size == 1 else group
        state.size = size
        state.form = form if state.shapes.may_lead(form) else (size, 1)
        parts = [] if state.shapes.may_lead(form) else state.shapes.split_throw(order, kinds)
        state.thrown = tuple(find_form(order, part)[1] for part in parts)
        if parts:
            kind, state.form = find_form(order, parts[0])
            strength = order.strength[kind]
        wins = True
    elif (group == state.led_class or group == TRUMP) and (
        strength > state.winning_strength
        or (strength == state.winning_strength and ties.is_won_by_second(rnd, state, kind))
    ):
        wins = form == state.form
    if wins:
        state.winner, state.winning_kind, state.winning_strength = seat, kind, strength
    state.laid.append((seat, kinds))


def _lay_card(rnd: Round, state: State, ties: TieRule, seat: int, kinds: Kinds) -> None:
    """Play one card to a trick of single cards, the most common case."""
    kind, order = kinds[0], state.order
    group, strength = order.classes[kind], order.strength[kind]
    if (
        (group == state.led_class or group == TRUMP)
        and (
            strength > state.winning_strength
            or (strength == state.winning_strength and ties.is_won_by_second(rnd, state, kind))
        )
        and state.form == ONE
    ):
        state.winner, state.winning_kind, state.winning_strength = seat, kind, strength
    state.laid.append((seat, kinds))


def check_early(rnd: Round, state: State, seat: int, turn: int) -> None:
    """Mark the seat if it plays before its turn. Raises Impossible if the seat cannot play at
    all."""
    if state.has_laid(seat):
        raise Impossible(
            tr(
                "{who} has already played to trick {number}",
                who=rnd.names[seat],
                number=state.number,
            ),
            tr(
                "undo or amend the wrong entry; if the second card was played by mistake, "
                "enter it as withdrawn: {form}",
                form=f"{rnd.names[seat]}: CARD !withdrawn",
            ),
        )
    if seat not in state.seats:
        raise Impossible(tr("{who} sits out", who=rnd.names[seat]))
    if state.laid and seat != turn:
        state.early_seats.append(seat)


def take_from_hand(rnd: Round, seat: int, kinds: Kinds) -> None:
    """Take these cards out of the hand, even if the hand was known not to contain them."""
    hands, sides = rnd.hands, rnd.sides
    for kind in kinds:
        try:
            hands.show(seat, kind)
        except ValueError:
            hands.mark_contradicted(seat, kind)
            hands.show(seat, kind)
            if sides is not None:
                sides.recheck()
        if sides is not None:
            if sides.watched_cards >> kind & 1:
                sides.shown_counts[seat] += 1
                sides.proof_due = sides.unproven
            elif not hands.unknown_count[seat]:
                sides.proof_due = sides.unproven


# --- taking cards back, and changes of their order


def take_back(rnd: Round, state: State, ties: TieRule, seat: int) -> None:
    """Put the seat's most recent cards back into its hand; the seat must then play others. Raises
    Impossible if another seat has played since."""
    if not state.laid and rnd.tricks:
        reopen_trick(state, rnd.tricks.pop())
    if not state.laid or state.laid[-1][0] != seat:
        raise Impossible(tr("{who} did not play the last card", who=rnd.names[seat]))
    *before, (_, kinds) = state.laid
    state.barred_kinds[seat] = kinds[0]
    return_to_hand(rnd, seat, kinds)
    _lay_again(rnd, state, ties, before)
    state.turn = state.next_to_lay() if state.laid else seat


def reopen_trick(state: State, trick: Trick) -> None:
    """Put the last complete trick back on the table."""
    state.laid = list(trick.plays)
    state.set_seats(state.seats_in_trick(trick.plays))
    state.points[trick.winner] = plain_points(state.points[trick.winner] - trick.points)
    state.tricks[trick.winner] -= 1
    state.cards_left += state.size
    state.number -= 1


def return_to_hand(rnd: Round, seat: int, kinds: Kinds) -> None:
    """Put cards that all players have seen back into the hand."""
    sides = rnd.sides
    rnd.hands.put_back(seat, rnd.rules.pack.hand_of(kinds))
    if sides is not None:
        sides.shown_counts[seat] -= sum(sides.watched_cards >> kind & 1 for kind in kinds)


def _lay_again(rnd: Round, state: State, ties: TieRule, cards: Sequence[PlayedCards]) -> None:
    """Put these cards on the empty table, in this order."""
    state.laid, state.led_class = [], -1
    for laid in cards:
        lay_cards(rnd, state, ties, *laid)


def lay_in_turn(rnd: Round, state: State, ties: TieRule) -> None:
    """Sort the cards on the table by turn. Of two equal cards, the card of the earlier player in
    turn then counts as the first, even if it was played later."""
    seats = state.seats_in_trick(state.laid)
    start = seats.index(state.laid[0][0])
    coming = seats[start:] + seats[:start]
    _lay_again(rnd, state, ties, sorted(state.laid, key=lambda laid: coming.index(laid[0])))


def reorder(rnd: Round, state: State, ties: TieRule, order: Order) -> None:
    """Rank the cards by a new order, including the cards already on the table."""
    state.order, lying, state.laid = order, state.laid, []
    for laid in lying:
        lay_cards(rnd, state, ties, *laid)


# --- points won and points still out


def let_outside_card_win(rnd: Round, state: State, condition: Expression, *, is_last: bool) -> None:
    """Let the player of a card outside the order win the complete trick if a condition holds for
    that player. A condition whose value is unknown counts as false."""
    trick = Trick(state.number, state.laid, state.winner, state.winning_kind, 0, is_last)
    for seat, kinds in state.laid:
        if state.order.outside.issuperset(kinds):
            with suppress(NotYetKnown):
                if condition.value_in(rnd, TrickFor(trick, Owner((seat,)))):
                    state.winner, state.winning_kind = seat, kinds[0]


def return_outside_cards(rnd: Round, state: State) -> float:
    """Credit each card outside the order to its player, who need not win the trick.

    Return the card points that the winner of the trick does not receive.
    """
    total: float = 0
    for seat, kinds in state.laid:
        points = plain_points(sum(state.worth[kind] for kind in kinds))
        if seat != state.winner and state.order.outside.issuperset(kinds):
            rnd.tricks.append(Trick(state.number, [], seat, -1, points, False, 0))
            state.points[seat] = plain_points(state.points[seat] + points)
            total += points
    return total


def check_table_empty(state: State) -> None:
    """Raise Impossible if cards are on the table."""
    if state.laid:
        raise Impossible(tr("the rest can be claimed only between tricks"))


def take_rest(rnd: Round, state: State, seat: int, sets: int, points: float) -> None:
    """Award all unplayed cards and the cards on the table to the seat's side."""
    count = -(-state.cards_left // sets)
    rnd.tricks.append(Trick(state.number, [], seat, -1, points, False, count))
    state.points[seat] = plain_points(state.points[seat] + points)
    state.tricks[seat] += count
    state.cards_left, state.laid, state.led_class = 0, [], -1


def points_still_out(rnd: Round, worth: Sequence[float]) -> list[float]:
    """Return the card points of every card that no side has won yet. `worth` has the points of each
    kind."""
    pack = rnd.rules.pack
    played = [kind for trick in rnd.tricks for _, kinds in trick.plays for kind in kinds]
    played += rnd.lost_cards()
    return [worth[kind] for kind in pack.kinds_in(pack.subtract(pack.full, pack.hand_of(played)))]


def points_of(rnd: Round, state: State, seat: int) -> float:
    """Return the card points of the seat's side. Raises Impossible while the side is unknown."""
    mates: Iterable[int] = rnd.seating.side(seat)
    if rnd.sides is not None:
        side = rnd.sides.side_of(seat)
        if side is None or not rnd.sides.is_complete:
            name, alone = rnd.names[seat], state.points[seat]
            raise Impossible(
                tr(
                    "it is not known yet who is on {who}'s side; {who} alone has {points}",
                    who=name,
                    points=format_points(alone),
                ),
                tr("check again when the sides are known"),
            )
        mates = rnd.sides.members(side)
    return plain_points(sum([trick.points for trick in rnd.tricks if trick.winner in mates]))


# --- players who visibly had no more of a class, because they did not follow it


def public_sides(rnd: Round, state: State) -> dict[int, int]:
    """Return the seats that are publicly known to be opponents, each mapped to the opponents' side.

    A seat is an opponent if it could not follow a class that contains all the cards of the
    declaring side. A seat is skipped if a card of that class was seen in its hand later, or if its
    play broke a rule.
    """
    sides, masks = rnd.require_sides(), state.order.masks
    classes = [group for group, cards in enumerate(masks) if not sides.mask & ~cards]
    if not (sides.by_cards and sides.mask and classes):
        return {}
    (group,) = classes
    cards, beyond = masks[group], rnd.rules.pack.subtract
    seen, result = rnd.cards_seen(), dict[int, int]()
    for seat, gone in _find_discards(rnd, state, group):
        if seat == sides.declarer or sides.unseen_plays[seat] or seen[seat] & sides.mask:
            continue
        if not beyond(seen[seat], gone) & cards:
            result[seat] = OTHERS
    return result


def _find_discards(rnd: Round, state: State, group: int) -> Iterator[tuple[int, int]]:
    """Yield each seat that did not follow suit when class `group` was led, with all the cards that
    it had played by then. Plays that broke a rule are skipped."""
    entries = rnd.log.entries
    wrong = [entries[number - 1] for _, number, _ in rnd.log.refused]
    broken = {(entry.seat, entry.value) for entry in wrong if entry.type.measured_as == TRICK}
    for seat, kinds, led, gone in _each_discard(rnd, state):
        if led == group and (seat, kinds) not in broken:
            yield seat, gone


def _each_discard(rnd: Round, state: State) -> Iterator[tuple[int, Kinds, int, int]]:
    """Yield each play that did not follow suit: its seat and kinds, the class led, and all the
    cards that the seat had played by then."""
    pack, classes = rnd.rules.pack, state.order.classes
    played = [0] * len(rnd.names)
    for laid in (*(trick.plays for trick in rnd.tricks), state.laid):
        led = find_led_class(state.order, laid)
        for seat, kinds in laid:
            played[seat] = pack.combine_capped(played[seat], pack.hand_of(kinds))
            if isinstance(kinds, SuitLead):
                continue
            if led is not None and not all(classes[kind] == led for kind in kinds):
                yield seat, kinds, led, played[seat]


def find_lacks(rnd: Round, state: State, seats: Collection[int]) -> int:
    """Return the cards of every class that one of these seats has failed to follow in public.

    A class is left out if the hand was later seen to hold a card of it. Cards outside the order may
    be played at any time, so playing one proves nothing.
    """
    seen, lacks = rnd.cards_seen(), 0
    for seat, kinds, led, gone in _each_discard(rnd, state):
        cards = state.order.masks[led]
        if seat in seats and not state.order.outside.issuperset(kinds):
            later = rnd.rules.pack.subtract(seen[seat], gone)
            lacks |= 0 if later & cards else cards
    return lacks


# --- the hands that were entered before play


def check_hands(phase: Phase[State], rnd: Round, *, one_card: bool) -> None:
    """Check the hands that were entered before play.

    A hand may be shorter than the deal if the recording begins late; a note after the last hand
    reports that. `one_card` is true if every player plays one card to a trick. Raises Impossible
    for a hand that is too long.
    """
    given = rnd.setup.hands
    if not given:
        return
    dealt = rnd.deal_size
    for seat, held in given.items():
        count = held if isinstance(held, int) else len(held)
        if count > dealt:
            raise Impossible(
                plural(
                    "{who} cannot hold {count} card: each player is dealt {dealt}",
                    "{who} cannot hold {count} cards: each player is dealt {dealt}",
                    count,
                    who=rnd.names[seat],
                    dealt=dealt,
                ),
                tr("look for a mistyped or extra card"),
            )
    if not longest_hand(rnd):
        rnd.add_conflict(tr("no player holds any cards, so there is nothing to play"), "hand")
        return
    check_leader_has_cards(rnd, rnd.seating.leader)
    if stated_now(rnd, "hand"):
        _remark_on_sizes(phase, rnd, dealt, one_card)


def _remark_on_sizes(phase: Phase[State], rnd: Round, dealt: int, one_card: bool) -> None:
    """Add a note if the recording begins mid-deal, or if hands that should be equal in size
    differ."""
    code, given, sizes = f"{phase.name}.position", rnd.setup.hands, rnd.hands.sizes()
    if rnd.starts_midway:
        trick = tr("with trick {number}", number=count_cards_each(rnd) - longest_hand(rnd) + 1)
        begins = trick if one_card else tr("partway through the deal")
        message = N_(
            "{holding}: the record begins {begins}; if it begins with the deal, undo this entry "
            "and enter all {dealt} cards of the hand"
        )
        if rnd.is_partial:
            message = N_(
                "{holding}: the record begins {begins}, so the deal cannot be scored unless "
                "you enter its result; if it begins with the deal, undo this entry and enter "
                "all {dealt} cards of the hand"
            )
        rnd.add_note(
            code,
            message,
            {"holding": holding_text(rnd), "begins": begins, "dealt": dealt},
            phase.cite,
        )
    elif min([sizes[seat] for seat in rnd.seats]) < dealt and (
        rnd.sides is None or any(isinstance(held, int) for held in given.values())
    ):
        message = N_(
            "the hands differ in size ({holding}); a card may have been mistyped or left out"
        )
        rnd.add_note(code, message, {"holding": holding_text(rnd)}, phase.cite)


# --- the combinations that may be led


class Shapes:
    """The combinations that may be led, compiled from `[shapes]`: single cards, sets and runs of
    sets.

    A set consists of identical cards. A run is several sets of the same size whose cards are
    neighbours in the order. Cards of equal strength share a position in the order, so they are not
    neighbours. A `Form` is a pair: the size of each set, and the number of sets.

    `rows` maps a name to the size of the sets and their minimum number. `set_sizes` are the sizes
    of single sets that may be led, and `runs` the forms of runs. `max_cards` is the maximum number
    of cards in a lead if no hand is longer than `longest`. `must_answer_sets` is true if a clause
    requires players to answer sets with sets. `throws` is true if several combinations of one class
    may be led together, which is called a throw.
    """

    __slots__ = ("max_cards", "must_answer_sets", "rows", "runs", "set_sizes", "throws")

    def __init__(self, rows: Mapping[str, Row], longest: int, *, throws: bool = False) -> None:
        forms = {name: (int(row["alike"]), int(row["run"])) for name, row in rows.items()}
        self.rows: Mapping[str, Form] = forms or SINGLE_CARD
        self.must_answer_sets = False
        self.set_sizes = [alike for alike, run in self.rows.values() if run == 1]
        self.runs = [(alike, run) for alike, run in self.rows.values() if run > 1]
        self.max_cards = max(
            alike if run == 1 else max(alike * run, longest) for alike, run in self.rows.values()
        )
        self.throws = throws
        if throws:
            self.max_cards = max(self.max_cards, longest)

    def may_lead(self, form: Form) -> bool:
        """Return whether cards of this form may be led."""
        return any(
            alike == form[0] and (run == form[1] == 1 or 1 < run <= form[1])
            for alike, run in self.rows.values()
        )

    def min_run(self, alike: int) -> int:
        """Return the minimum number of sets of this size in a run, or 0 if no run may be led."""
        return min(
            (run for each, run in self.rows.values() if each == alike and run > 1), default=0
        )

    def split_throw(self, order: Order, kinds: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the combinations of a throw, or [] if these cards are no throw.

        The longest runs come first, then sets from large to small.
        """
        if not self.throws or len({order.classes[kind] for kind in kinds}) != 1:
            return []
        steps, left = order.ladder(order.classes[kinds[0]]), Counter(kinds)
        parts: list[tuple[int, ...]] = []
        for alike, least in sorted(self.runs, reverse=True):
            while run := _longest_run(steps, left, alike, least):
                parts.append(tuple(kind for kind in run for _ in range(alike)))
                left -= Counter(parts[-1])
        for alike in sorted(self.set_sizes, reverse=True):
            for kind in (kind for step in steps for kind in step):
                for _ in range(left[kind] // alike):
                    parts.append((kind,) * alike)
                    left[kind] -= alike
        whole = len(parts) > 1 and not +left
        return sorted(parts, key=len, reverse=True) if whole else []


def _longest_run(
    steps: Sequence[Sequence[int]], cards: Counter[int], alike: int, least: int
) -> tuple[int, ...]:
    """Return the longest run of sets in the cards, or () if none has at least `least` sets."""
    held = [[kind for kind in step if cards[kind] >= alike] for step in steps]
    for sets in range(len(steps), least - 1, -1):
        for run in runs_in(held, sets):
            return run
    return ()


def highest_kind(order: Order, kinds: Sequence[int], forms: Sequence[Form]) -> int | None:
    """Return the highest kind of the first combination if these cards contain combinations of all
    these forms, or None. The cards must be of one class."""
    if len({order.classes[kind] for kind in kinds}) != 1:
        return None
    steps, left = order.ladder(order.classes[kinds[0]]), Counter(kinds)
    highest: int | None = None
    for alike, sets in forms:
        held = [[kind for kind in step if left[kind] >= alike] for step in steps]
        run = next(runs_in(held, sets), None)
        if run is None:
            return None
        highest = run[0] if highest is None else highest
        left -= Counter(kind for kind in run for _ in range(alike))
    return highest


def find_form(order: Order, kinds: Sequence[int]) -> tuple[int, Form]:
    """Return the highest kind and the form of a set or run. For other cards, return the first kind
    and `NONE`."""
    alike, different = kinds.count(kinds[0]), set(kinds)
    if len(different) == 1:
        return kinds[0], (alike, 1)
    if any(kinds.count(kind) != alike for kind in different):
        return kinds[0], NONE
    places = [
        (place, kind)
        for place, step in enumerate(order.ladder(order.classes[kinds[0]]))
        for kind in step
        if kind in different
    ]
    top, kind = places[0]
    if [place for place, _ in places] != list(range(top, top + len(different))):
        return kinds[0], NONE
    return kind, (alike, len(different))


def runs_in(steps: Sequence[Sequence[int]], sets: int) -> Iterator[tuple[int, ...]]:
    """Yield every run of `sets` neighbouring sets, with one kind from each position."""
    for start in range(len(steps) - sets + 1):
        yield from product(*steps[start : start + sets])
