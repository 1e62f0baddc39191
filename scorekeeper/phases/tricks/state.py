"""The trick on the table, the shapes of what may be led, and what answers them."""

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
    """The tricks of one round, the present one above all. Seats, kinds and classes of cards are
    numbers; the tricks that are complete stand in the round.

    `order` says which card beats which; `seats` are those who take part in the trick, `left_of`
    the next of them for each; `number` is the trick's, from 1, and `left` how many cards a hand
    still has to play, this trick included.
    `laid` lies on the table, in the order of laying; `led` is the class of the first card (-1:
    nothing lies there), `size` how many cards each plays to the trick, `form` what those have that
    may win (see `Shapes`). `best` is the seat that is winning, `best_kind` its highest card, as
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


def cards_each(rnd: Round) -> int:
    """How many cards everyone has had when the recording begins: what was dealt, and drawn before
    that from a stock."""
    seats = len(rnd.seats)
    dealt = rnd.rules.deal_size(seats)
    if rnd.setup.stock is None:
        return dealt
    drawn = rnd.rules.pack.total - dealt * seats - rnd.setup.stock
    return dealt + max(0, drawn // seats)


def seat_who_has_cards(rnd: Round, state: State) -> None:
    """Hands of a round that began in the middle may differ in size: who has cards takes part."""
    plays = set(rnd.seats).difference(rnd.table.resting)
    state.set_seats([seat for seat in rnd.seats if seat in plays and rnd.hands.size(seat)])
    if state.turn >= 0 and state.seats:
        while state.turn not in state.seats:
            state.turn = rnd.seating.after(state.turn)


def class_led(order: Order, laid: Sequence[Laid]) -> int | None:
    """The class that is followed, where this was laid; None before a card that stands in the
    order."""
    first = (kinds[0] for _, kinds in laid if kinds[0] not in order.outside)
    return next((order.classes[kind] for kind in first), None)


# --- what may be laid together


class Shapes:
    """The `[shapes]`, compiled: what may be laid together, from one card to runs of sets.

    A set is so many identical cards; a run is several sets of as many cards each, each next below
    the other in the order that holds. Cards of equal strength stand on one place of it, so they are
    no neighbours. A `Form` is what some cards come to: how many are alike, and how many such sets.

    `rows`: by name, how many cards are alike and how many sets there are at least; of these, `sets`
    are the single sets and `runs` the others. `most` is how many cards may be laid together, where
    nobody holds more than `longest`; `answered`: who has sets must answer with them (the clause
    says so).
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
        """Whether what has this form may be led."""
        return any(
            alike == form[0] and (run == form[1] == 1 or 1 < run <= form[1])
            for alike, run in self.rows.values()
        )

    def least_run(self, alike: int) -> int:
        """How many sets of so many cards make a run; 0 where there are no such runs."""
        return min(
            (run for each, run in self.rows.values() if each == alike and run > 1), default=0
        )


def read(order: Order, kinds: Sequence[int]) -> tuple[int, Form]:
    """The highest of some cards that hang together, and their form; the first of others, and
    `NONE`."""
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
    """The runs of so many sets, as one kind of each of so many places that follow one another."""
    for start in range(len(steps) - sets + 1):
        yield from product(*steps[start : start + sets])


# --- what answers sets and runs


class Answer:
    """Cards of the class that was led, laid to what was led, and the hand that they come from.

    Who answers sets lays, of the class that was led, the longest run that they have (no longer than
    the one that was led), with the rest again the longest that is left, then single sets, then
    smaller sets, then what they like. Which of several equally long runs it is, and which sets, is
    free.

    Put as a question about the hand: no set is held back while too few are laid; and where as many
    are laid as were led, for some way to take the cards laid apart into runs, there is at each step
    no longer run in what the hand still had. Both are bounds on how many the hand has of single
    kinds, joined by any and all, so that one question serves known and unseen hands. It says
    exactly what the rule says for sets of up to three cards. For larger sets it asks less: only
    until a smaller set ends what is to be laid. And where the ways to take the cards apart are very
    many, those that come after the first run ask nothing.

    `steps` are the kinds of the class, those of equal strength together; `bounds` how many of each
    the hand has, at least and at most, as it lays these; `alike` cards make a set, `sets` were led,
    and `least` sets make a run (0: there are none to be laid).
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
        """Whether fewer sets are laid than were led."""
        return sum(count // self.alike for count in self.laid.values()) < self.sets

    def kept(self) -> Part:
        """Whether this is how what was led is answered."""
        return self._sets() if self.short else self._runs(self.sets, ())

    def _at_most(self, kind: int, most: int) -> Part:
        low, high = self.bounds[kind]
        if high <= most or low > most:
            return high <= most
        return Claim(self.seat, self.column[kind], 0, most)

    def _sets(self) -> Part:
        """No set is held back: of each kind the hand has no more than the sets that are laid of
        it, and less than another set."""
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
        """Of so many sets that are still to be laid the longest runs are, and so on; `used` are the
        kinds of those that lie in runs already."""
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
        """There is no run of so many sets in the hand beside what is used."""
        gone = [
            every(self._at_most(kind, self.alike * (used[kind] + 1) - 1) for kind in step)
            for step in self.steps
        ]
        return every(some(gone[at : at + sets]) for at in range(len(gone) - sets + 1))

    def example(self) -> list[int]:
        """Sets that would be laid, of what the hand surely has."""
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
    """Whether all of these hold; what is decided is not asked."""
    return _joined(parts, False, AllOf)


def some(parts: Iterable[Part]) -> Part:
    """Whether one of these holds; what is decided is not asked."""
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
    """How many claims a question is made of."""
    if isinstance(part, (AllOf, AnyOf)):
        return sum(map(_claims_in, part.claims))
    return 1


def _held(steps: Sequence[Sequence[int]], sets: Kinds) -> list[list[int]]:
    """The kinds of each place of which there is a set."""
    return [[kind for kind in step if sets.get(kind, 0) > 0] for step in steps]


def longest_run(steps: Sequence[Sequence[int]], sets: Kinds, most: int) -> int:
    """How many places that follow one another have a set; no more than `most`."""
    best = now = 0
    for held in _held(steps, sets):
        now = now + 1 if held else 0
        best = max(best, now)
    return min(best, most)
