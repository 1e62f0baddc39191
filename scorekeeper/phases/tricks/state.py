"""The trick on the table, the shapes of cards that may be led, and the answers to them."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.hands import AllOf, AnyOf, Claim
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Laid
    from scorekeeper.core.hands import Question
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.core.types import Row
    from scorekeeper.engine.round import Round
    from scorekeeper.ruleset.orders import Order

    Form = tuple[int, int]
    Part = bool | Question  # decided, or what is asked of the hand
    Kinds = Mapping[int, int]  # how many of each kind

SHAPE: Mapping[str, Parameter] = {
    "alike": Parameter(
        "int", "how many identical cards a set has", 1, bounds=(1, untrusted.COPIES)
    ),
    "run": Parameter(
        "int",
        "how many sets at least, each next below the other in the order that holds (1: one set)",
        1,
        bounds=(1, untrusted.RANKS),
    ),
}
ONE: Form = (1, 1)
NONE: Form = (0, 0)  # of cards that do not hang together
ALONE = {"card": ONE}  # without rows, what is laid is one card
NO_RUNS, LONGEST, AGAIN = "none", "longest", "again"
MOST_CLAIMS = 400  # that follow from a choice between runs
MOST_WAYS = 400  # to take cards apart that are looked at


class State:
    """The tricks of one round, above all the current one. Complete tricks are in `Round.tricks`.

    Seats, kinds and classes of cards are numbers. `order` says which card beats which. `seats`
    take part in the trick, and `next_seats` maps each of them to the next. `number` is the
    trick's, from 1; `cards_left` is how many cards a hand has still to play, this trick
    included.

    `laid` are the cards on the table in the order of play. `led_class` is the class of the first
    card, -1 if the table is empty. `size` is how many cards each player plays, and `form` what
    the cards of a winner must have (see `Shapes`). `winner` is winning so far, with the card
    `winning_kind` of strength `winning_strength`.

    `turn` is the seat whose turn it is (-1 before the first card: the round's leader).
    `early_seats` have played before their turn. `barred_kinds` maps a seat to the card it took
    back, until it has played another. `claimer` is the seat that ended play by a claim (-1:
    none). `shapes` may be led. `worth` are the card points of each kind; `points` and `tricks`
    are what each seat has won.
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
        """Set who takes part, in playing order."""
        self.seats = list(seats)
        self.left_of = dict(zip(seats, [*seats[1:], *seats[:1]], strict=True))

    def to_play(self, leader: int) -> int:
        """Return whose turn it is. `leader` leads to the first trick."""
        return self.turn if self.turn >= 0 else leader

    @property
    def opening(self) -> bool:
        """True if no card of the round has been played."""
        return self.turn < 0 and not self.laid and self.number == 1

    def has_laid(self, seat: int) -> bool:
        """Return whether cards of that seat are on the table."""
        return any(other == seat for other, _ in self.laid)

    def next_to_lay(self) -> int:
        """Return the first seat after the leader of the trick that has not yet played."""
        seat = self.laid[0][0]
        while self.has_laid(seat):
            seat = self.left_of[seat]
        return seat

    def taking_part(self, laid: Sequence[Laid]) -> list[int]:
        """Return the seats of the trick in which these cards were played, in ascending order. A
        player who played their last cards to it is one of them."""
        return sorted({*self.seats, *(seat for seat, _ in laid)})

    def follows(self, hands: Knowledge, seat: int, kinds: Sequence[int]) -> bool | None:
        """Return whether the seat follows suit with these cards, or None if that is unknown.

        It does if all of them are of the class that was led, or if the hand has no more of that
        class.
        """
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


def cards_each(rnd: Round) -> int:
    """Return how many cards every player had before the first recorded trick: those that were
    dealt, and those drawn from a stock before that."""
    seats = len(rnd.seats)
    dealt = rnd.rules.deal_size(seats)
    if rnd.setup.stock is None:
        return dealt
    drawn = rnd.rules.pack.total - dealt * seats - rnd.setup.stock
    return dealt + max(0, drawn // seats)


def seat_who_has_cards(rnd: Round, state: State) -> None:
    """Let the players who still have cards take part. Hands may differ in size in a round that
    began in the middle."""
    plays = set(rnd.seats).difference(rnd.table.resting)
    state.set_seats([seat for seat in rnd.seats if seat in plays and rnd.hands.size(seat)])
    if state.turn >= 0 and state.seats:
        while state.turn not in state.seats:
            state.turn = rnd.seating.after(state.turn)


def class_led(order: Order, laid: Sequence[Laid]) -> int | None:
    """Return the class that must be followed, or None before a card that belongs to the order."""
    first = (kinds[0] for _, kinds in laid if kinds[0] not in order.outside)
    return next((order.classes[kind] for kind in first), None)


# --- what may be laid together


class Shapes:
    """The compiled table `[shapes]`: which cards may be led together, from one card to runs of
    sets.

    A set is a number of identical cards. A run is several sets of the same size, each next below
    the other in the order. Cards of equal strength share a place in the order, so they are not
    neighbours. A `Form` is a pair: the size of the sets, and their number.

    `rows` maps a name to the size of the sets and their minimum number. `set_sizes` are the
    single sets among the rows, `runs` the others. `max_cards` is how many cards may be led
    together if no hand is longer than `longest`. `must_answer_sets`: a clause asks players to
    answer sets with sets.
    """

    __slots__ = ("answered", "most", "rows", "runs", "sets")

    def __init__(self, rows: Mapping[str, Row], longest: int) -> None:
        found = {name: (int(row["alike"]), int(row["run"])) for name, row in rows.items()}
        self.rows: Mapping[str, Form] = found or ALONE
        self.answered = False
        self.sets = [alike for alike, run in self.rows.values() if run == 1]
        self.runs = [(alike, run) for alike, run in self.rows.values() if run > 1]
        self.most = max(
            alike if run == 1 else max(alike * run, longest) for alike, run in self.rows.values()
        )

    def allow(self, form: Form) -> bool:
        """Return whether cards of this form may be led."""
        return any(
            alike == form[0] and (run == form[1] == 1 or 1 < run <= form[1])
            for alike, run in self.rows.values()
        )

    def least_run(self, alike: int) -> int:
        """Return how many sets of this size make a run; 0 if there are no such runs."""
        return min(
            (run for each, run in self.rows.values() if each == alike and run > 1), default=0
        )


def read(order: Order, kinds: Sequence[int]) -> tuple[int, Form]:
    """Return the highest kind and the form of cards that make a set or a run. Return the first kind
    and `NONE` for other cards."""
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
    """Yield the runs of so many sets, each as one kind for every place in a row of places."""
    for start in range(len(steps) - sets + 1):
        yield from product(*steps[start : start + sets])


# --- what answers sets and runs


class Answer:
    """The cards of the led class with which a hand answers sets or runs, and the check of them.

    A player who answers sets plays the longest run of the led class that they have, no longer
    than the one that was led. With the rest they again play the longest run that is left, then
    single sets, then smaller sets, then any cards. They are free to choose between equally long
    runs, and between sets.

    The check is a question about the hand. No set may be held back while too few are played. If
    as many are played as were led, some way to split the cards into runs must exist in which no
    step leaves a longer run in the hand. Both parts are bounds on the number of cards of single
    kinds, joined by any and all, so one question serves known and unseen hands. It is exact for
    sets of up to three cards. For larger sets it asks less: only until a smaller set completes
    the answer. If there are very many ways to split the cards, only the first run is checked.

    `steps` are the kinds of the class in order, those of equal strength together. `bounds` maps
    each kind to how many the hand has, at least and at most, as it answers. `set_size` cards
    make a set, `sets` were led, and `min_run` sets make a run (0: no runs are asked for).
    """

    def __init__(
        self, rnd: Round, state: State, seat: int, kinds: Sequence[int], runs: str, smaller: bool
    ) -> None:
        self.column, self.seat = rnd.rules.pack.column, seat
        self.alike, self.sets = state.form
        self.least = 0 if runs == NO_RUNS else state.shapes.least_run(self.alike)
        self.again, self.smaller = runs == AGAIN, smaller
        self.steps = state.order.ladder(state.led)
        self.laid = Counter(kinds)
        self.bounds: dict[int, tuple[int, int]] = {}
        for kind in (kind for step in self.steps for kind in step):
            low, high = rnd.hands.beside(seat, kinds, self.column[kind])
            self.bounds[kind] = self.laid[kind] + low, self.laid[kind] + high
        self._known: dict[tuple[int, ...], Part] = {}

    @property
    def short(self) -> bool:
        """True if fewer sets are played than were led."""
        return sum(count // self.alike for count in self.laid.values()) < self.sets

    def kept(self) -> Part:
        """Return whether this answers the lead correctly, or the question that decides it."""
        return self._sets() if self.short else self._runs(self.sets, ())

    def _at_most(self, kind: int, most: int) -> Part:
        low, high = self.bounds[kind]
        if high <= most or low > most:
            return high <= most
        return Claim(self.seat, self.column[kind], 0, most)

    def _sets(self) -> Part:
        """Ask that no set is held back: of each kind the hand has no more than the sets that are
        played, and too few for another set."""
        rest, left = self.alike * self.sets, dict(self.laid)
        taken = dict.fromkeys(self.bounds, 0)
        most = dict.fromkeys(self.bounds, self.alike * self.sets + self.alike)
        for size in range(self.alike, 1 if self.smaller else self.alike - 1, -1):
            found = {kind: count // size * size for kind, count in left.items()}
            if sum(found.values()) >= rest // size * size:
                break
            for kind, count in found.items():
                taken[kind] += count
                left[kind] -= count
                rest -= count
            most = {kind: min(top, taken[kind] + size - 1) for kind, top in most.items()}
        return every(self._at_most(kind, top) for kind, top in most.items())

    def _runs(self, need: int, used: tuple[int, ...]) -> Part:
        """Ask that the longest runs are among the `need` sets still to be played. `used` are the
        kinds whose sets are in runs already."""
        if not self.least or need < self.least or len(self._known) > MOST_WAYS:
            return True
        if used not in self._known:
            self._known[used] = self._next_run(need, Counter(used))
        return self._known[used]

    def _next_run(self, need: int, used: Counter[int]) -> Part:
        spare = Counter({k: n // self.alike - used[k] for k, n in self.laid.items()})
        length = longest_run(self.steps, spare, need)
        if length == need:
            return True
        kept = self._no_run(max(length + 1, self.least), used)
        if kept is False or not self.again or length < self.least:
            return kept
        runs = runs_in(_held(self.steps, spare), length)
        after = some(
            self._runs(need - length, tuple(sorted((*used.elements(), *run)))) for run in runs
        )
        return kept if _claims_in(after) > MOST_CLAIMS else every((kept, after))

    def _no_run(self, sets: int, used: Counter[int]) -> Part:
        """Ask that the hand has no run of so many sets apart from the sets that are used."""
        gone = [
            every(self._at_most(kind, self.alike * (used[kind] + 1) - 1) for kind in step)
            for step in self.steps
        ]
        return every(some(gone[at : at + sets]) for at in range(len(gone) - sets + 1))

    def example(self) -> list[int]:
        """Return the sets that the cards certain to be in the hand would answer with."""
        hand = Counter({kind: low for kind, (low, _) in self.bounds.items()})
        need, found = self.sets, []
        while self.least and need >= self.least:
            spare = Counter({kind: count // self.alike for kind, count in hand.items()})
            length = longest_run(self.steps, spare, need)
            if length < self.least:
                break
            run = next(runs_in(_held(self.steps, spare), length))
            found += [kind for kind in run for _ in range(self.alike)]
            need -= length
            hand -= Counter(dict.fromkeys(run, self.alike))
            if not self.again:
                break
        rest = need * self.alike
        for size in range(self.alike, 1 if self.smaller else self.alike - 1, -1):
            for kind in self.bounds:
                while rest >= size and hand[kind] >= size:
                    found += [kind] * size
                    hand[kind] -= size
                    rest -= size
        return found


def every(parts: Iterable[Part]) -> Part:
    """Ask that all of these hold. Decided parts are left out of the question."""
    return _joined(parts, False, AllOf)


def some(parts: Iterable[Part]) -> Part:
    """Ask that one of these holds. Decided parts are left out of the question."""
    return _joined(parts, True, AnyOf)


def _joined(
    parts: Iterable[Part], decisive: bool, join: Callable[[tuple[Question, ...]], Question]
) -> Part:
    asked: list[Question] = []
    for part in parts:
        if part is decisive:
            return decisive
        if not isinstance(part, bool):
            asked.append(part)
    if not asked:
        return not decisive
    return asked[0] if len(asked) == 1 else join(tuple(asked))


def _claims_in(part: Part) -> int:
    """Return how many claims a question consists of."""
    if isinstance(part, (AllOf, AnyOf)):
        return sum(map(_claims_in, part.claims))
    return 1


def _held(steps: Sequence[Sequence[int]], sets: Kinds) -> list[list[int]]:
    """Return the kinds of each place of which there is a set."""
    return [[kind for kind in step if sets.get(kind, 0) > 0] for step in steps]


def longest_run(steps: Sequence[Sequence[int]], sets: Kinds, most: int) -> int:
    """Return the length of the longest row of places that have a set, at most `most`."""
    best = now = 0
    for held in _held(steps, sets):
        now = now + 1 if held else 0
        best = max(best, now)
    return min(best, most)
