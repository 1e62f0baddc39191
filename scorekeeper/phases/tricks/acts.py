"""The effects of playing a card and of taking it back, and what tricks have won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.cards import Trick
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import ExpressionError, NotYetKnown
from scorekeeper.core.messages import tr
from scorekeeper.core.sides import OTHERS
from scorekeeper.engine.phase import TRICK
from scorekeeper.phases.tricks.state import ONE, find_form, find_led_class
from scorekeeper.ruleset.orders import TRUMP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.cards import PlayedCards
    from scorekeeper.core.expressions import Expression
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.orders import Order

    Kinds = tuple[int, ...]


class TieRule:
    """The rule for two equal cards. The second wins if it is of one of these `kinds` and the
    condition `when` holds of the trick; otherwise the first wins."""

    __slots__ = ("kinds", "when")

    def __init__(self, kinds: frozenset[int], when: Expression) -> None:
        self.kinds = kinds
        self.when = when

    def is_won_by_second(self, rnd: Round, state: State, kind: int) -> bool:
        """Return whether this card beats the winning card, which is as strong."""
        if kind not in self.kinds or kind != state.winning_kind:
            return False
        trick = Trick(state.number, state.laid, state.winner, kind, 0, state.cards_left == 1)
        return bool(rnd.evaluate(self.when, trick))


def lay_cards(rnd: Round, state: State, ties: TieRule, seat: int, kinds: Kinds) -> None:
    """Put cards on the table and update the winner of the trick.

    Cards win if they have the form of the cards that were led and a higher top card, of the led
    class or of trumps. If the lead broke the rules, a set of the same size beats it.
    """
    order, size = state.order, len(kinds)
    if size == 1 and state.led_class >= 0 and not order.outside:  # the most common case
        _lay_card(rnd, state, ties, seat, kinds)
        return
    kind, form = (kinds[0], ONE) if size == 1 else find_form(order, kinds)
    group, strength = order.classes[kind], order.strength[kind]
    wins = False
    if kind in order.outside:
        if not state.laid:  # the next card decides the class to follow
            state.size, state.form = size, form
            state.winner, state.winning_kind, state.winning_strength = seat, kind, -1
    elif state.led_class < 0:
        state.led_class, state.size = group, size
        state.form = form if state.shapes.may_lead(form) else (size, 1)
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
    """Note that the seat plays before its turn. Raises Impossible if it cannot play at all."""
    if state.has_laid(seat):
        raise Impossible(
            tr(
                "{who} has laid to trick {number} already",
                who=rnd.names[seat],
                number=state.number,
            ),
            tr(
                "undo, or amend the entry that is wrong; a second card laid at once is taken back: "
                "{form}",
                form=f"{rnd.names[seat]}: CARD !withdrawn",
            ),
        )
    if seat not in state.seats:
        raise Impossible(tr("{who} sits out", who=rnd.names[seat]))
    if state.laid and seat != turn:
        state.early_seats.append(seat)


def take_from_hand(rnd: Round, seat: int, kinds: Kinds) -> None:
    """Take these cards out of the hand, even if what was known ruled them out."""
    hands, parties = rnd.hands, rnd.sides
    for kind in kinds:
        try:
            hands.show(seat, kind)
        except ValueError:
            hands.mark_contradicted(seat, kind)
            hands.show(seat, kind)
            if parties is not None:
                parties.recheck()
        if parties is not None:
            if parties.watched_cards >> kind & 1:
                parties.shown_counts[seat] += 1
                parties.proof_due = parties.unproven
            elif not hands.unknown_count[seat]:
                parties.proof_due = parties.unproven


# --- taking cards back, and changes of their order


def take_back(rnd: Round, state: State, ties: TieRule, seat: int) -> None:
    """Return the last cards that the seat played to its hand. It must play others. Raises
    Impossible if another seat played after it."""
    if not state.laid and rnd.tricks:
        reopen_trick(state, rnd.tricks.pop())
    if not state.laid or state.laid[-1][0] != seat:
        raise Impossible(tr("{who} has not laid the last card", who=rnd.names[seat]))
    *before, (_, kinds) = state.laid
    state.barred_kinds[seat] = kinds[0]
    return_to_hand(rnd, seat, kinds)
    _lay_again(rnd, state, ties, before)
    state.turn = state.next_to_lay() if state.laid else seat


def reopen_trick(state: State, trick: Trick) -> None:
    """Put the last trick back on the table."""
    state.laid = list(trick.plays)
    state.set_seats(state.seats_in_trick(trick.plays))
    state.points[trick.winner] -= trick.points
    state.tricks[trick.winner] -= 1
    state.cards_left += state.size
    state.number -= 1


def return_to_hand(rnd: Round, seat: int, kinds: Kinds) -> None:
    """Put cards that all players have seen back into the hand."""
    parties = rnd.sides
    rnd.hands.put_back(seat, rnd.rules.pack.hand_of(kinds))
    if parties is not None:
        parties.shown_counts[seat] -= sum(parties.watched_cards >> kind & 1 for kind in kinds)


def _lay_again(rnd: Round, state: State, ties: TieRule, cards: Sequence[PlayedCards]) -> None:
    """Put these cards on the empty table, in this order."""
    state.laid, state.led_class = [], -1
    for laid in cards:
        lay_cards(rnd, state, ties, *laid)


def lay_in_turn(rnd: Round, state: State, ties: TieRule) -> None:
    """Sort the cards on the table by turn. Of equal cards, the first in turn counts as the first,
    even if it was played later."""
    seats = state.seats_in_trick(state.laid)
    start = seats.index(state.laid[0][0])
    coming = seats[start:] + seats[:start]
    _lay_again(rnd, state, ties, sorted(state.laid, key=lambda laid: coming.index(laid[0])))


def reorder(rnd: Round, state: State, ties: TieRule, order: Order) -> None:
    """Change the order of the cards, also for the trick on the table."""
    state.order, lying, state.laid = order, state.laid, []
    for laid in lying:
        lay_cards(rnd, state, ties, *laid)


# --- points won and points still out


def return_outside_cards(rnd: Round, state: State) -> int:
    """Return the points of the cards outside the order. Each of them stays with its player, who
    need not win the trick."""
    kept = 0
    for seat, kinds in state.laid:
        points = sum(state.worth[kind] for kind in kinds)
        if seat != state.winner and state.order.outside.issuperset(kinds):
            rnd.tricks.append(Trick(state.number, [], seat, -1, points, False, 0))
            state.points[seat] += points
            kept += points
    return kept


def check_table_empty(state: State) -> None:
    """Raise Impossible if cards are on the table."""
    if state.laid:
        raise Impossible(tr("the rest is claimed between two tricks"))


def take_rest(rnd: Round, state: State, seat: int, sets: int, points: int) -> None:
    """Give all cards that are still out, those on the table included, to the seat's side without
    playing them."""
    count = -(-state.cards_left // sets)
    rnd.tricks.append(Trick(state.number, [], seat, -1, points, False, count))
    state.points[seat] += points
    state.tricks[seat] += count
    state.cards_left, state.laid, state.led_class = 0, [], -1


def points_still_out(rnd: Round, worth: Sequence[int]) -> list[int]:
    """Return the card points of each card that is in no complete trick and will go to a side.
    `worth` are the points by kind."""
    pack = rnd.rules.pack
    gone = [kind for trick in rnd.tricks for _, kinds in trick.plays for kind in kinds]
    gone += rnd.lost_cards()
    return [worth[kind] for kind in pack.kinds_in(pack.subtract(pack.full, pack.hand_of(gone)))]


def has_ended(rnd: Round, ends: Expression) -> bool:
    """Return whether the condition `ends` ends play before the hands are empty."""
    try:
        return bool(ends.value_in(rnd))
    except NotYetKnown:
        return False  # it depends on sides that are not known yet
    except ExpressionError as error:
        rnd.report_ruleset_error(error)
        return False


def points_of(rnd: Round, state: State, seat: int) -> int:
    """Return the card points of the seat's side. Raises Impossible while it is unknown."""
    mates: Iterable[int] = rnd.seating.side(seat)
    if rnd.sides is not None:
        side = rnd.sides.side_of(seat)
        if side is None or not rnd.sides.is_complete:
            name, alone = rnd.names[seat], state.points[seat]
            raise Impossible(
                tr(
                    "who is on {who}'s side is not known yet; by {who} alone it is {points}",
                    who=name,
                    points=alone,
                ),
                tr("check again when the sides are known"),
            )
        mates = rnd.sides.members(side)
    return sum([trick.points for trick in rnd.tricks if trick.winner in mates])


# --- players who visibly had no more of a class, because they did not follow it


def public_sides(rnd: Round, state: State) -> dict[int, int]:
    """Return the seats that all players know to be opponents, mapped to that side.

    These seats did not follow a class that contains all the cards of the declaring side. A seat
    is left out if a card of that class was seen in its hand later, or if its play was against a
    rule.
    """
    parties, masks = rnd.require_sides(), state.order.masks
    classes = [group for group, cards in enumerate(masks) if not parties.mask & ~cards]
    if not (parties.by_cards and parties.mask and classes):
        return {}
    (group,) = classes
    cards, beyond = masks[group], rnd.rules.pack.subtract
    seen, found = rnd.cards_seen(), dict[int, int]()
    for seat, gone in _find_discards(rnd, state, group):
        if seat == parties.declarer or parties.unseen_plays[seat] or seen[seat] & parties.mask:
            continue
        if not beyond(seen[seat], gone) & cards:
            found[seat] = OTHERS
    return found


def _find_discards(rnd: Round, state: State, group: int) -> Iterator[tuple[int, int]]:
    """Yield each seat that played another class than the one led, with all the cards that it had
    played until then."""
    pack, classes = rnd.rules.pack, state.order.classes
    gone = [0] * len(rnd.names)
    entries = rnd.log.entries
    wrong = [entries[number - 1] for _, number, _ in rnd.log.refused]
    broken = {(entry.seat, entry.value) for entry in wrong if entry.type.measured_as == TRICK}
    for laid in (*(trick.plays for trick in rnd.tricks), state.laid):
        led = find_led_class(state.order, laid)
        for seat, kinds in laid:
            gone[seat] = pack.combine_capped(gone[seat], pack.hand_of(kinds))
            follows = all(classes[kind] == group for kind in kinds)
            if led == group and not follows and (seat, kinds) not in broken:
                yield seat, gone[seat]
