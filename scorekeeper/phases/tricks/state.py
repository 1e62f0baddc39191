"""What lies on the table in a trick, who is winning it, and who plays next. Part of tricks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.tricks.shapes import ONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.cards import Laid
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.phases.tricks.shapes import Shapes
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.orders import Order


def cards_each(rnd: Joint) -> int:
    """How many cards everyone has had when the recording begins: what was dealt, and drawn before
    that from a stock."""
    seats = len(rnd.seats)
    dealt = rnd.rules.deal_size(seats)
    if rnd.start.stock is None:
        return dealt
    drawn = rnd.rules.pack.total - dealt * seats - rnd.start.stock
    return dealt + max(0, drawn // seats)


class State:
    """The tricks of one round, the present one above all. Seats, kinds and classes of cards are
    numbers; the tricks that are complete stand in the round.

    `order` says which card beats which; `seats` are those who take part in the trick, `left_of`
    the next of them for each; `number` is the trick's, from 1, and `left` how many cards a hand
    still has to play, this trick included.
    `laid` lies on the table, in the order of laying; `led` is the class of the first card (-1:
    nothing lies there), `size` how many cards each plays to the trick, `form` what those have that
    may win (see `shapes`). `best` is the seat that is winning, `best_kind` its highest card, as
    strong as `best_strength`.
    `turn` is whose turn it is (-1 before the first card: then the round's leader); `early` are the
    seats that played before their turn in this trick; `barred` the kind of card that a seat has
    taken back, until it has played another.
    `claimer` is the seat that has ended play by a claim (-1: nobody has). `shapes` may be led;
    `worth` are the card points of each kind; `points` and `tricks` what each seat has won.
    """

    __slots__ = (
        "barred",
        "best",
        "best_kind",
        "best_strength",
        "claimer",
        "early",
        "form",
        "laid",
        "led",
        "left",
        "left_of",
        "number",
        "order",
        "points",
        "seats",
        "shapes",
        "size",
        "tricks",
        "turn",
        "worth",
    )

    def __init__(
        self,
        order: Order,
        shapes: Shapes,
        worth: Sequence[int],
        players: int,
        number: int,
        left: int,
    ) -> None:
        self.order = order
        self.shapes = shapes
        self.worth = order.points or worth
        self.number = number
        self.left = left
        self.seats: list[int] = []
        self.left_of: dict[int, int] = {}
        self.laid: list[Laid] = []
        self.led = self.turn = self.best = self.best_kind = -1
        self.size = self.best_strength = 0
        self.form = ONE
        self.claimer = -1
        self.early: list[int] = []
        self.barred: dict[int, int] = {}
        self.points = [0] * players
        self.tricks = [0] * players

    def set_seats(self, seats: Sequence[int]) -> None:
        """These take part, in playing order."""
        self.seats = list(seats)
        self.left_of = dict(zip(seats, [*seats[1:], *seats[:1]], strict=True))

    def to_play(self, leader: int) -> int:
        """Whose turn it is, if `leader` leads to the first trick."""
        return self.turn if self.turn >= 0 else leader

    @property
    def opening(self) -> bool:
        """Whether no card of the round has been laid."""
        return self.turn < 0 and not self.laid and self.number == 1

    def has_laid(self, seat: int) -> bool:
        """Whether cards of that seat lie on the table."""
        return any(other == seat for other, _ in self.laid)

    def next_to_lay(self) -> int:
        """The first seat after the leader of the trick that has not laid yet."""
        seat = self.laid[0][0]
        while self.has_laid(seat):
            seat = self.left_of[seat]
        return seat

    def taking_part(self, laid: Sequence[Laid]) -> list[int]:
        """The seats of the trick in which these cards were laid: who still has cards, and who has
        laid their last ones to it."""
        return sorted({*self.seats, *(seat for seat, _ in laid)})

    def follows(self, hands: Knowledge, seat: int, kinds: Sequence[int]) -> bool | None:
        """Whether that seat follows suit with these cards: all of them are of the class that was
        led, or there is no more of it in the hand than they show. None: nobody can tell."""
        led = self.led
        if led < 0:
            return True
        classes, shown = self.order.classes, 0
        for kind in kinds:
            shown += classes[kind] == led
        if shown == len(kinds):
            return True
        could = self.order.masks[led]
        if not (hands.loose[seat] or hands.hidden[seat]):
            return (hands.sure[seat] & could).bit_count() <= shown
        least, most = hands.beside(seat, kinds, could)
        if least > 0:
            return False
        return True if most <= 0 else None


def seat_who_has_cards(rnd: Joint, state: State) -> None:
    """Hands of a round that began in the middle may differ in size: who has cards takes part."""
    plays = set(rnd.seats).difference(rnd.shared.resting)
    state.set_seats([seat for seat in rnd.seats if seat in plays and rnd.hands.size(seat)])
    if state.turn >= 0 and state.seats:
        while state.turn not in state.seats:
            state.turn = rnd.after(state.turn)
