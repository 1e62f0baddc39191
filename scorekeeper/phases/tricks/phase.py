"""The trick-taking phase: turns, and the plays to choose from.

The clauses in `rules` decide which cards may be played.
"""

from __future__ import annotations

from itertools import chain, combinations, islice
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.cards import Trick, plain_points
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions.parser import KINDS
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.findings import broken_rules
from scorekeeper.engine.phase import OWN, TRICK, CardPlay, Measure, Phase, actor_of
from scorekeeper.engine.state import CONCEDE
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import MAX_CARDS, Cards, CardsNamingSuit, NoValue
from scorekeeper.phases.tricks.answers import AGAIN, Answer
from scorekeeper.phases.tricks.measures import measures_of
from scorekeeper.phases.tricks.shapes import SHAPE, Shapes
from scorekeeper.phases.tricks.state import (
    State,
    TieRule,
    check_early,
    check_hands,
    check_table_empty,
    count_cards_each,
    kinds_that_name,
    lay_cards,
    lay_in_turn,
    let_outside_card_win,
    name_suits,
    points_of,
    points_still_out,
    possible_kinds,
    possible_runs,
    possible_throws,
    public_sides,
    reorder,
    return_outside_cards,
    seat_players_with_cards,
    take_back,
    take_from_hand,
    take_rest,
)
from scorekeeper.phases.tricks.view import TricksView, name_of_set, read_facts
from scorekeeper.ruleset.orders import (
    ORDER_ROW,
    Order,
    iter_patterns,
    match_kinds,
    points_by_kind,
    points_pattern,
)
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Rng, Row
    from scorekeeper.engine.phase import Measure, Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.orders import Order

    Kinds = tuple[int, ...]

_NO_TRICK = Trick(0, [], 0, 0, 0, False)  # used before the first trick begins

PLAY = "play"


REST = "rest"
ENDS_EARLY = (REST, CONCEDE)  # verbs that award the unplayed cards to a side
CLAIMER = "claimer"
FOLLOW, DUTIES = "follow", ("follow", "duty")
# The number of choices of several cards to try before assuming that one of them is legal.
MAX_TRIED = 200
# Entry types for playing cards and for ending play early. A ruleset chooses among them.
VERBS = (
    EntryType(
        PLAY,
        Cards(1, 1),
        N_("plays a card"),
        by=Actor.TURN,
        is_implicit=True,
        plays_cards=True,
        measured_as=TRICK,
    ),
    EntryType("takeback", NoValue(), N_("takes back the last card they played")),
    EntryType(REST, NoValue(), N_("claims all the remaining tricks")),
    EntryType(CONCEDE, NoValue(), N_("concedes all the remaining tricks to the others")),
    EntryType("enough", NoValue(), N_("ends play by claiming to have won enough"), by=Actor.TURN),
)


class Duty(NamedTuple):
    """The duty to play one of a set of cards.

    `cards` returns the set, or 0 if the duty does not apply now. `wanted` returns the set whether
    or not the duty applies. Both raise NotYetKnown if the answer depends on cards that no player
    has seen.
    """

    cards: Callable[[Round, Entry], int]
    wanted: Callable[[Round, Entry], int]


@phase
class Tricks(Phase[State], CardPlay):
    """The phase in which the players play tricks; the winner of a trick leads to the next.

    `play_type` is the entry type for playing cards. `other_acts` maps each other verb to its
    effect. The compiled ruleset supplies `shapes` (the combinations that may be led), `worth` (the
    card points of each kind) and `ties` (which of two equal cards wins).
    """

    name = "tricks"
    family = N_("trick-taking games")
    doc = "Tricks are played until the hands are empty. The winner of a trick leads to the next."
    clause_order = (
        "held shape throw as-many opens names-suit follow takeback another rest concede answer"
    )
    standard_words = "held shape as-many follow"
    judged = {"held": ("play",)}
    parameters = {
        "order": Parameter(
            "name",
            "the row of `[orders]` that ranks the cards, unless a binding `order` replaces it",
            rows="orders",
        ),
        "early": Parameter(
            "bool", "whether players may play out of turn as soon as a card is led", False
        ),
        "rest": Parameter(
            "bool", "whether a player who plays alone may claim the rest", False, words=("rest",)
        ),
        "concede": Parameter(
            "bool",
            "whether a player who plays alone may concede the rest to the others",
            False,
            words=("concede",),
        ),
        "throws": Parameter(
            "bool",
            "whether several combinations of one class may be led together (a throw), if no other"
            " player can beat one of them",
            False,
            words=("throw",),
        ),
        "points": Parameter(
            "halves of",
            "card points, by rank or pattern of cards; the first row that matches counts",
            {},
            bounds=(0, untrusted.MAX_CARD_POINTS),
        ),
        "opens": Parameter(
            "set",
            (
                "opening cards: a player who holds one leads it to the first trick (default: "
                "the usual leader leads)"
            ),
            "",
            words=("opens",),
        ),
        "names_suit": Parameter(
            "cards",
            "cards with which a player names the suit that is led (`CARD SUIT`), unless other"
            " cards are of their class, such as trumps",
            [],
            words=("names-suit",),
        ),
        "claims": Parameter(
            "bool",
            "whether the player whose turn it is may end play by claiming to have won enough; no"
            " points are shown until then",
            False,
        ),
        "later": Parameter("cards", "cards that beat an equal card played before them", []),
        "later_when": Parameter("condition", "condition under which they do so", "true"),
        "outside_wins": Parameter(
            "condition",
            "condition under which a card outside the order wins its trick, read when the trick is"
            " complete; `own` is its player",
            "false",
        ),
    }
    row_tables = {"orders": ORDER_ROW, "shapes": SHAPE}
    tables = ("pack", "deal")
    entry_types: tuple[EntryType, ...] = VERBS
    roles: tuple[str, ...] = (CLAIMER,)
    reports = {
        "player.tricks": "the number of tricks that a player won, if the tricks were recorded"
    }

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        return () if data.get("shapes") else ("shape", "as-many")

    def named_measures(self) -> Iterator[Measure]:
        yield from measures_of(self)

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        longest = min(MAX_CARDS, rules.pack.card_count // rules.players["least"])
        self.roles = (CLAIMER,) if row["claims"] else ()
        self.shapes = Shapes(rules.section("shapes"), longest, throws=row["throws"])
        cards = Cards(1, self.shapes.max_cards)
        if row["names_suit"]:
            cards = CardsNamingSuit(self.shapes.max_cards)
        self.play_type = EntryType(
            PLAY,
            cards,
            N_("plays cards"),
            by=Actor.TURN,
            is_implicit=True,
            plays_cards=True,
            measured_as=TRICK,
        )
        _, take_back, claim_rest, concede, enough = Tricks.entry_types
        self.entry_types = (
            self.play_type,
            *((take_back,) if row["early"] else ()),
            *((claim_rest,) if row["rest"] else ()),
            *((concede,) if row["concede"] else ()),
            *((enough,) if row["claims"] else ()),
        )
        self.disabled_endings = [word for word in ENDS_EARLY if not row[word]]
        self.other_acts: dict[str, Callable[[Round, State, int], None]] = {
            take_back.word: self._take_back,
            claim_rest.word: self._claim_rest,
            concede.word: self._concede,
            enough.word: self._claim_enough,
        }
        self.duties: list[Duty] = []  # in the order of the rows; each duty clause adds a duty
        self.worth: tuple[float, ...] = ()
        self.naming_kinds: frozenset[int] = frozenset()  # compiled by `link`
        self.ties: TieRule
        self.outside_wins: Expression | None = None  # compiled by `link`
        self.opening_cards: Expression | None = None  # compiled by `link`

    def link(self) -> None:
        points = self.row["points"]
        for pattern in points:
            self._kinds([points_pattern(pattern)], f"phases.tricks.points.{pattern}")
        self.worth = points_by_kind(self.rules.pack, points, {})
        later = frozenset(self._kinds(self.row["later"], "phases.tricks.later"))
        compiled, row = self.rules.compile_expression, self.row
        if row["opens"]:
            self.opening_cards = compiled(row["opens"], "phases.tricks.opens", kind=KINDS)
        when = compiled(row["later_when"], "phases.tricks.later_when", (TRICK,))
        self.ties = TieRule(later, when)
        if row["outside_wins"] != "false":
            where = "phases.tricks.outside_wins"
            self.outside_wins = compiled(row["outside_wins"], where, (TRICK, OWN))
        naming = self._kinds(self.row["names_suit"], "phases.tricks.names_suit")
        self.naming_kinds = frozenset(naming)
        if isinstance(self.play_type.syntax, CardsNamingSuit):
            self.play_type.syntax.naming = self.naming_kinds

    def _kinds(self, patterns: Iterable[str], where: str) -> list[int]:
        """Return the kinds of card that the patterns match, and report patterns that match none."""
        kinds: list[int] = []
        for pattern in iter_patterns(patterns):
            try:
                kinds += match_kinds(self.rules.pack, pattern)
            except ValueError as error:
                self.rules.fault(where, pattern, "patterns of cards", f"{where}: {error}")
        return kinds

    # --- turn

    def begin(self, rnd: Round) -> State:
        sizes = rnd.hands.sizes()
        left = max([sizes[seat] for seat in rnd.seats], default=0)
        number = max(1, count_cards_each(rnd) - left + 1)
        order = self.order_in_force(rnd)
        state = State(order, self.shapes, self.worth, len(rnd.names), number, left)
        resting = rnd.table.resting
        state.set_seats([seat for seat in rnd.seats if seat not in resting])
        while rnd.seating.leader in resting:
            rnd.seating.leader = rnd.seating.next_seat(rnd.seating.leader)
        if rnd.starts_midway:
            seat_players_with_cards(rnd, state)
        return state

    def order_in_force(self, rnd: Round) -> Order:
        return self.rules.orders.get(rnd.table.order or self.row["order"], rnd.table.bindings)

    def card_points(self) -> Sequence[float]:
        return self.worth

    def check_start(self, rnd: Round) -> None:
        check_hands(self, rnd, one_card=self.shapes.max_cards == 1)

    def play_begun(self, rnd: Round) -> bool:
        state = rnd.state_if_begun(self)
        return bool(state and (state.laid or rnd.tricks))

    def finished(self, rnd: Round) -> bool:
        return not rnd.state(self).cards_left

    def stop(self, rnd: Round) -> None:
        rnd.state(self).cards_left = 0

    def waiting(self, rnd: Round) -> list[int]:
        state = rnd.state(self)
        if self.opening_cards is not None and state.is_opening:
            return self.find_openers(rnd)
        return [state.seat_to_play(rnd.seating.leader)]

    def find_openers(self, rnd: Round) -> list[int]:
        """Return the players who may lead to the first trick.

        The leader is the player who holds an opening card. While that player is unknown, every
        player who may hold such a card is returned.
        """
        assert self.opening_cards is not None
        if rnd.setup.lead is not None or rnd.starts_midway:
            return [rnd.seating.leader]
        cards = int(rnd.evaluate(self.opening_cards))
        held = {seat: rnd.hands.bounds(seat, cards) for seat in rnd.state(self).seats}
        sure = [seat for seat, (low, _) in held.items() if low]
        return sure or [seat for seat, (_, high) in held.items() if high] or [rnd.seating.leader]

    def seat_to_lead(self, rnd: Round) -> int | None:
        if not rnd.is_current(self) or rnd.state(self).laid:
            return None
        return self.waiting(rnd)[0]

    def may_act(self, rnd: Round, entry: Entry) -> bool:
        state, seat = rnd.state(self), entry.seat
        if seat == state.turn or seat in self.waiting(rnd):
            return True
        if seat is None or not self.row["early"] or not state.laid:
            return False
        return seat in state.seats and not state.has_laid(seat)

    def cards_to_complete(self, rnd: Round, seat: int) -> int:
        state = rnd.state_if_begun(self)
        if state is None:
            return len(rnd.seats) - len(rnd.table.resting)
        return len(state.seats) - len(state.laid) if seat in self.waiting(rnd) else 0

    def options(self, rnd: Round) -> Iterator[Entry]:
        state, waiting = rnd.state(self), self.waiting(rnd)
        may_play = state.seats if self.row["early"] and state.laid else waiting
        plays = find_plays(rnd, state, self.play_type, may_play)
        if self.naming_kinds and not state.laid:
            naming = kinds_that_name(state.order, self.naming_kinds)
            plays = name_suits(rnd.rules.pack, naming, plays)
        yield from plays
        for verb in self.entry_types[1:]:
            if verb.word not in ENDS_EARLY or self._may_end_early(rnd):
                yield from (Entry(verb, seat, None) for seat in state.seats)

    def fill(self, rnd: Round, entry: Entry, rng: Rng) -> Entry | None:
        return fill_with_run(rnd, rnd.state(self), entry, rng)

    # --- effects of entries

    def apply(self, rnd: Round, entry: Entry) -> None:
        seat, state = entry.seat, rnd.state(self)
        if seat is None:
            raise Impossible(tr("“{text}”: the player's name is missing", text=entry.text))
        if entry.type is not self.play_type:
            self.other_acts[entry.type.word](rnd, state, seat)
            return
        if self.opening_cards is not None and state.is_opening and seat in self.find_openers(rnd):
            rnd.seating.leader = seat
        turn = state.seat_to_play(rnd.seating.leader)
        in_turn = seat == turn and not state.early_seats
        if not in_turn:
            check_early(rnd, state, seat, turn)
        if state.barred_kinds:
            state.barred_kinds.pop(seat, None)
        take_from_hand(rnd, seat, entry.value)
        lay_cards(rnd, state, self.ties, seat, entry.value)
        if state.early_seats and not self.row["early"]:
            lay_in_turn(rnd, state, self.ties)
        if len(state.laid) == len(state.seats):
            self._complete_trick(rnd, state)
        else:
            state.turn = state.next_seats[seat] if in_turn else state.next_to_lay()

    def _complete_trick(self, rnd: Round, state: State) -> None:
        """Award the complete trick to its winner, who leads to the next."""
        worth, points = state.worth, 0.0 if rnd.rules.has_halves else 0
        size, drawing = state.size, rnd.table.stock
        for _, kinds in state.laid:
            # may differ from the number led, because the table may accept an illegal play
            for kind in kinds:
                points += worth[kind]
        last = state.cards_left == size and not drawing
        if state.order.outside:
            if self.outside_wins is not None:
                let_outside_card_win(rnd, state, self.outside_wins, is_last=last)
            points -= return_outside_cards(rnd, state)
        if type(points) is float:
            points = plain_points(points)
        winner = state.winner
        trick = Trick(state.number, state.laid, winner, state.winning_kind, points, last)
        state.points[winner] += points
        if type(points) is float:
            state.points[winner] = plain_points(state.points[winner])
        state.tricks[winner] += 1
        state.number += 1
        state.cards_left -= size
        state.laid = []
        state.led_class = -1
        if state.early_seats:
            state.early_seats.clear()
        state.turn = winner
        if rnd.starts_midway:
            seat_players_with_cards(rnd, state)
        rnd.complete_trick(trick)
        if drawing:
            state.cards_left = max(rnd.hands.size(seat) for seat in state.seats)

    def _claim_rest(self, rnd: Round, state: State, seat: int) -> None:
        check_table_empty(state)
        rnd.check_rest()
        self.award_rest(rnd, seat)

    def _concede(self, rnd: Round, state: State, seat: int) -> None:
        rnd.check_rest()
        rnd.table.conceded = seat
        self.award_rest(rnd, rnd.seating.next_seat(seat))

    def _may_end_early(self, rnd: Round) -> bool:
        try:
            rnd.check_rest()
        except Impossible:
            return False
        return True

    def award_rest(self, rnd: Round, seat: int) -> None:
        take_rest(
            rnd,
            rnd.state(self),
            seat,
            self.shapes.max_cards,
            plain_points(sum(self.points_left(rnd))),
        )

    def _claim_enough(self, rnd: Round, state: State, seat: int) -> None:
        """End play because the player claims to have won enough. The score rows decide whether the
        claim was right."""
        state.claimer, state.cards_left = seat, 0

    def close(self, rnd: Round) -> None:
        state = rnd.state_if_begun(self)
        if state is not None and state.claimer >= 0:
            rnd.roles[CLAIMER] = (rnd.names[state.claimer], (state.claimer,))

    def reorder(self, rnd: Round) -> None:
        state = rnd.state_if_begun(self)
        if state is not None:
            reorder(rnd, state, self.ties, self.order_in_force(rnd))

    def _take_back(self, rnd: Round, state: State, seat: int) -> None:
        take_back(rnd, state, self.ties, seat)

    # --- points and public facts

    def points_left(self, rnd: Round) -> list[float]:
        """Return the card points of every card that no side has won yet."""
        state = rnd.state_if_begun(self)
        order = self.order_in_force(rnd) if state is None else state.order
        return points_still_out(rnd, order.points or self.worth)

    def set_name(self, rnd: Round, cards: int) -> str:
        state = rnd.state_if_begun(self)
        return "" if state is None else name_of_set(state, cards)

    def points_of(self, rnd: Round, seat: int) -> float:
        state = rnd.state_if_begun(self)
        return 0 if state is None else points_of(rnd, state, seat)

    def public_sides(self, rnd: Round) -> Mapping[int, int]:
        state = rnd.state_if_begun(self)
        return {} if state is None or rnd.sides is None else public_sides(rnd, state)

    def view(self, rnd: Round) -> TricksView:
        state = rnd.state_if_begun(self)
        waiting = self.waiting(rnd) if rnd.is_current(self) else []
        cards = ""
        if len(waiting) > 1 and self.opening_cards is not None:
            pack = rnd.rules.pack
            cards = pack.format_kinds(
                dict.fromkeys(pack.kinds_in(int(rnd.evaluate(self.opening_cards))))
            )
        hides_points = self.row["claims"] and not rnd.over
        return TricksView(read_facts(rnd, state, waiting, cards, any(self.worth), hides_points))


# --- possible plays


def find_plays(rnd: Round, state: State, verb: EntryType, seats: Iterable[int]) -> Iterator[Entry]:
    """Yield the cards that these seats might play, as far as their hands are known.

    The clauses judge each choice later. Seats that have already played are skipped. The choices are
    single cards, sets of identical cards, and, if the hand is known, one other answer of several
    cards. A single entry without cards represents all other choices of several cards.
    """
    for seat in seats:
        if state.has_laid(seat):
            continue
        for size in [state.size] if state.laid else state.shapes.set_sizes:
            for kind in possible_kinds(rnd, seat, size):
                yield Entry(verb, seat, (kind,) * size)
        example = _example_answer(rnd, state, seat)
        if example:
            yield Entry(verb, seat, example)
        if _has_other_choices(rnd, state, Entry(verb, seat, example)):
            yield Entry(verb, seat, ())


def fill_with_run(rnd: Round, state: State, entry: Entry, rng: Rng) -> Entry | None:
    """Replace a lead of unnamed cards by a run. Return the new entry, or None if the seat cannot
    lead a run."""
    seat = actor_of(entry)
    runs = [] if state.laid else list(islice(possible_runs(rnd, state, seat), MAX_TRIED))
    return Entry(entry.type, seat, rng.choice(runs)) if runs else None


def _has_other_choices(rnd: Round, state: State, listed: Entry) -> bool:
    """Return whether a choice of several cards that is not listed may be legal. If there are very
    many choices, one is assumed to be legal."""
    if state.laid and state.size == 1:
        return False
    seat, example = actor_of(listed), sorted(listed.value)
    others = (
        _possible_answers(rnd, state, seat)
        if state.laid
        else chain(possible_runs(rnd, state, seat), possible_throws(rnd, state, seat))
    )
    tried = list(islice(others, MAX_TRIED))
    return len(tried) == MAX_TRIED or any(
        sorted(cards) != example and not broken_rules(rnd, Entry(listed.type, seat, cards))
        for cards in tried
    )


def _example_answer(rnd: Round, state: State, seat: int) -> Kinds:
    """Return one answer to a lead of several cards, from a known hand.

    Runs and sets of the class led come first, then other cards of that class, then any others.
    Return no cards if the hand is not known, or if the answer is a single set.
    """
    if not state.laid or state.size == 1 or not rnd.hands.is_known(seat):
        return ()
    pack, hand, classes = rnd.rules.pack, rnd.hands.known[seat], state.order.classes
    sets = Answer(rnd, state, seat, (), AGAIN, smaller=True).example()
    rest = pack.kinds_in(pack.subtract(hand, pack.hand_of(sets)))
    rest.sort(key=lambda kind: classes[kind] != state.led_class)
    cards = (*sets, *rest[: state.size - len(sets)])
    return cards if len(set(cards)) > 1 else ()


def _possible_answers(rnd: Round, state: State, seat: int) -> Iterator[Kinds]:
    """Yield the choices of unequal cards that might answer a lead of several cards. Choices that
    start with the class led come first."""
    order, size = state.order, state.size
    held = [kind for count in range(1, size + 1) for kind in possible_kinds(rnd, seat, count)]
    if _must_follow(rnd, state, seat):
        held = [k for k in held if order.classes[k] == state.led_class or k in order.outside]
    held.sort(key=lambda kind: (order.classes[kind] != state.led_class, kind))
    return (cards for cards in combinations(held, size) if cards[0] != cards[-1])


def _must_follow(rnd: Round, state: State, seat: int) -> bool:
    """Return whether following suit is the first duty and the hand is certain to have enough
    cards."""
    clauses = rnd.rules.clauses_of.get(PLAY, ())
    first = next((each for each in clauses if each.word.name in DUTIES), None)
    if first is None or first.word.name != FOLLOW or state.led_class < 0:
        return False
    if first.row["when"] not in ("true", True):
        return False
    return rnd.hands.bounds(seat, state.order.masks[state.led_class])[0] >= state.size
