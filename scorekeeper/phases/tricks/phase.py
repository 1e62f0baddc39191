"""The trick-taking phase: turns, and the measures of trick play.

The clauses in `rules` decide which cards may be played. A measure of a play uses the state before
the play; a measure of a complete trick uses that trick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.cards import Trick, plain_points
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions.parser import HEAP, KINDS, NUMBER, TRUTH, NotYetKnown
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import Owner, TrickFor, hand_measure, owner_of, seats_of
from scorekeeper.engine.phase import ACTOR, OWN, TRICK, CardPlay, Measure, Phase
from scorekeeper.engine.state import CONCEDE
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import MAX_CARDS, Cards, CardsNamingSuit, NoValue
from scorekeeper.phases.tricks.answers import fill_with_run, find_plays
from scorekeeper.phases.tricks.state import (
    PLAY,
    SHAPE,
    Shapes,
    State,
    TieRule,
    check_early,
    check_hands,
    check_table_empty,
    count_cards_each,
    find_lacks,
    find_led_class,
    kinds_that_name,
    lay_cards,
    lay_in_turn,
    let_outside_card_win,
    name_suits,
    points_of,
    points_still_out,
    public_sides,
    reorder,
    return_outside_cards,
    seat_players_with_cards,
    suit_named,
    take_back,
    take_from_hand,
    take_rest,
)
from scorekeeper.phases.tricks.view import TricksView, name_of_set, read_facts
from scorekeeper.ruleset.orders import (
    ORDER_ROW,
    TRUMP,
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

    from scorekeeper.core.cards import PlayedCards
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Rng, Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

    Kinds = tuple[int, ...]

REST = "rest"
ENDS_EARLY = (REST, CONCEDE)  # verbs that award the unplayed cards to a side
CLAIMER = "claimer"
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


# --- measures

_NO_TRICK = Trick(0, [], 0, 0, 0, False)  # used before the first trick begins

# Measures of a trick, with their descriptions and kinds.
_OF_TRICK: tuple[tuple[str, str, Callable[[Round, Trick], float], str], ...] = (
    ("trick.points", "the card points in the trick", lambda _, t: t.points, NUMBER),
    (
        "trick.number",
        "the trick's number in the deal, from 1 (0 before it)",
        lambda _, t: t.number,
        NUMBER,
    ),
    ("trick.last", "whether the trick is the last", lambda _, t: t.is_last, TRUTH),
    (
        "trick.leads",
        "whether this act leads to it",
        lambda _, t: t.number > 0 and not t.plays,
        TRUTH,
    ),
    (
        "trick.players",
        "how many players have played to the trick",
        lambda _, t: len(t.plays),
        NUMBER,
    ),
)


def measures_of(phase: Phase[State]) -> Iterator[Measure]:
    """Yield the measures that read the state of the tricks."""
    look = _TrickReader(phase)
    for name, doc, read, kind in _OF_TRICK:
        yield Measure(name, doc, look.at_trick(read), TRICK, kind)
    heaps = (
        ("trick.cards", "the cards in the trick", lambda rnd, t, _: _cards(rnd, t.plays)),
        ("trick.best", "the card that is winning the trick", _best),
        ("trick.theirs", "the cards in the trick that the other side played", _theirs),
    )
    for name, doc, heap in heaps:
        yield Measure(name, doc, look.at_trick_and_own(heap), TRICK, HEAP)
    yield Measure(
        "trick.ours",
        "whether the actor's side is winning the trick, or has won it",
        look.at_trick_and_own(_is_ours),
        TRICK,
        kind=TRUTH,
    )
    yield Measure(
        "led", "the cards of the class that was led (empty for the leader)", look.led, TRICK, KINDS
    )
    said = "the cards of the suit that this act names (empty if it names none)"
    yield Measure("named", said, suit_named, ACTOR, KINDS)
    yield Measure("beating", "the cards that would win the trick now", look.beating, TRICK, KINDS)
    yield Measure("trumps", "the trumps", look.trumps, "", KINDS)
    said = "the cards of the last complete trick"
    yield Measure("last.cards", said, look.last_cards, "", HEAP)
    said = "the card points in the last complete trick"
    yield Measure("last.points", said, look.last_points)
    said = "the seat of the player who won the last complete trick (see `own.seat`), or 0"
    yield Measure("last.winner", said, look.last_winner)
    yield Measure("openers", "all cards led so far", look.leads, "", HEAP)
    yield Measure("played", "all cards played so far", look.played, "", HEAP)
    yield Measure("own.openers", "the cards that they have led so far", look.own_leads, OWN, HEAP)
    yield Measure("own.laid", "the cards that they have played so far", look.own_laid, OWN, HEAP)
    said = "the cards of the classes that they have publicly not followed"
    yield Measure("own.lacks", said, look.lacks, OWN, KINDS)
    said = "the cards that they played last, until another player plays"
    yield Measure("own.latest", said, look.latest, OWN, HEAP)
    said = "how many throws they took back, because another player could beat a part"
    yield Measure("own.throws", said, look.throws_taken_back, OWN)
    yield Measure("recorded()", "", look.recorded, OWN)
    yield Measure("own.pile", "the cards in the tricks that they won", _cards_won, OWN, HEAP)
    yield Measure("matadors()", "", look.matadors)
    yield Measure("worth()", "", look.worth)
    said = "the cards that the actor was dealt"
    yield from hand_measure("dealt", said, look.dealt, look.claim_on_dealt, look.bounds_of_dealt)


class _TrickReader:
    """The functions with which measures read the trick, the order and the cards played."""

    __slots__ = ("phase",)

    def __init__(self, phase: Phase[State]) -> None:
        self.phase = phase

    # --- the trick

    def trick(self, rnd: Round, subject: object) -> Trick:
        """Return the trick of the subject, or the current trick if the subject has none."""
        if isinstance(subject, TrickFor):
            return subject.trick
        if isinstance(subject, Trick):
            return subject
        state = rnd.state_if_begun(self.phase)
        if state is None:
            return _NO_TRICK
        last = state.cards_left <= max(1, state.size)
        points = plain_points(sum([state.worth[kind] for _, kinds in state.laid for kind in kinds]))
        return Trick(state.number, state.laid, state.winner, state.winning_kind, points, last)

    def state(self, rnd: Round) -> State:
        state = rnd.state_if_begun(self.phase)
        if state is None:
            raise NotYetKnown(tr("no trick has been played yet"))
        return state

    def at_trick(self, read: Callable[[Round, Trick], float]) -> Reader:
        return lambda rnd, subject: read(rnd, self.trick(rnd, subject))

    def at_trick_and_own(self, read: Callable[[Round, Trick, object], float]) -> Reader:
        return lambda rnd, subject: read(rnd, self.trick(rnd, subject), subject)

    # --- ranking of cards

    def order(self, rnd: Round) -> Order:
        state = rnd.state_if_begun(self.phase)
        play = rnd.rules.card_play
        assert play is not None  # only rulesets with this phase have the measure
        return state.order if state is not None else play.order_in_force(rnd)

    def trumps(self, rnd: Round, _: object) -> int:
        return self.order(rnd).masks[TRUMP]

    def led(self, rnd: Round, subject: object) -> int:
        order = self.order(rnd)
        group = find_led_class(order, self.trick(rnd, subject).plays)
        return 0 if group is None else order.masks[group]

    def beating(self, rnd: Round, subject: object) -> int:
        trick, order = self.trick(rnd, subject), self.order(rnd)
        group = find_led_class(order, trick.plays)
        if group is None:
            return rnd.rules.pack.full
        best = order.strength[trick.winning_kind]
        return rnd.rules.pack.all_copies(
            sum(
                rnd.rules.pack.bit[kind]
                for kind, strength in enumerate(order.strength)
                if strength > best and order.classes[kind] in (group, TRUMP)
            )
        )

    def matadors(self, rnd: Round, _: object) -> Callable[[int], int]:
        """Return a function that measures the unbroken run of highest trumps for a set of cards.

        The run begins with the highest trump. Its trumps are all in the set, or all missing from
        it.
        """
        order, pack = self.order(rnd), rnd.rules.pack
        trumps = [kind for kind in range(pack.kind_count) if order.classes[kind] == TRUMP]
        trumps.sort(key=order.strength.__getitem__, reverse=True)

        def matadors(cards: int) -> int:
            has = [bool(cards >> kind & 1) for kind in trumps]
            return next((n for n, each in enumerate(has) if each != has[0]), len(has))

        return matadors

    def worth(self, rnd: Round, _: object) -> Callable[[int], float]:
        """Return a function that adds up the card points of a set of cards."""
        state, pack = self.state(rnd), rnd.rules.pack
        return lambda cards: sum(state.worth[kind] for kind in pack.kinds_in(cards))

    def throws_taken_back(self, rnd: Round, subject: object) -> int:
        state = rnd.state_if_begun(self.phase)
        if state is None:
            return 0
        return sum(
            entry.seat in seats_of(subject)
            and entry.is_withdrawn
            and entry.type.measured_as == TRICK
            and bool(state.shapes.split_throw(state.order, entry.value))
            for entry in rnd.log.entries
        )

    # --- the last complete trick

    def last_cards(self, rnd: Round, _: object) -> int:
        trick = _last_trick(rnd)
        if trick is not None and not trick.plays:
            raise NotYetKnown(tr("the cards in the claimed tricks are not known"))
        return 0 if trick is None else _cards(rnd, trick.plays)

    def last_points(self, rnd: Round, _: object) -> float:
        trick = _last_trick(rnd)
        return 0 if trick is None else trick.points

    def last_winner(self, rnd: Round, _: object) -> int:
        trick = _last_trick(rnd)
        return 0 if trick is None else trick.winner + 1

    # --- played cards

    def leads(self, rnd: Round, _: object) -> int:
        return self._led_by(rnd, range(len(rnd.names)))

    def own_leads(self, rnd: Round, subject: object) -> int:
        return self._led_by(rnd, seats_of(subject))

    def _led_by(self, rnd: Round, seats: Collection[int]) -> int:
        _require_full_record(rnd)
        tricks = [trick.plays for trick in rnd.tricks]
        first = [laid[0] for laid in (*tricks, self.state(rnd).laid) if laid]
        return rnd.rules.pack.hand_of(
            [kind for seat, kinds in first if seat in seats for kind in kinds]
        )

    def played(self, rnd: Round, _: object) -> int:
        _require_full_record(rnd)
        return self._laid_by(rnd, range(len(rnd.names)))

    def own_laid(self, rnd: Round, subject: object) -> int:
        _require_full_record(rnd)
        return self._laid_by(rnd, seats_of(subject))

    def recorded(self, rnd: Round, subject: object) -> int:
        return self._laid_by(rnd, seats_of(subject))

    def latest(self, rnd: Round, subject: object) -> int:
        state = rnd.state_if_begun(self.phase)
        every = [trick.plays for trick in rnd.tricks[-1:]]
        if state is not None:
            every.append(state.laid)
        last = [laid for each in every for laid in each][-1:]
        if not last:
            _require_full_record(rnd)
        return _cards(rnd, [laid for laid in last if laid[0] in seats_of(subject)])

    def lacks(self, rnd: Round, subject: object) -> int:
        _require_full_record(rnd)
        return find_lacks(rnd, self.state(rnd), seats_of(subject))

    def _laid_by(self, rnd: Round, seats: Collection[int]) -> int:
        state = rnd.state_if_begun(self.phase)
        tricks = [trick.plays for trick in rnd.tricks]
        every = (*tricks, state.laid) if state is not None else tricks
        return rnd.rules.pack.hand_of(
            [kind for laid in every for seat, kinds in laid if seat in seats for kind in kinds]
        )

    def dealt(self, rnd: Round, subject: object) -> int:
        """Return the hand as it was dealt. Raises NotYetKnown if that is unknown, or if cards have
        moved between hands."""
        hands, cards = rnd.hands, self.recorded(rnd, subject)
        for seat in seats_of(subject):
            if rnd.starts_midway or hands.changed[seat] or not hands.is_known(seat):
                raise NotYetKnown(
                    tr("it is not known which cards {who} was dealt", who=rnd.names[seat])
                )
            cards = rnd.rules.pack.combine(cards, hands.known[seat])
        return cards

    def claim_on_dealt(self, rnd: Round, subject: object) -> Callable[[int], tuple[int, int, int]]:
        (seat,) = seats_of(subject)
        out = self._cards_gone(rnd, seat)

        def asked(cards: int) -> tuple[int, int, int]:
            return seat, cards & rnd.rules.pack.full, (out & cards).bit_count()

        return asked

    def bounds_of_dealt(self, rnd: Round, seat: int, cards: int) -> tuple[int, int]:
        """Return the minimum and maximum number of cards from a set that the hand was dealt."""
        out = (self._cards_gone(rnd, seat) & cards).bit_count()
        least, most = rnd.hands.bounds(seat, cards)
        return out + least, out + most

    def _cards_gone(self, rnd: Round, seat: int) -> int:
        """Return the cards that have left a hand since the deal. Raises NotYetKnown if the hand has
        received other cards, or if the recording began later."""
        if rnd.starts_midway or rnd.hands.changed[seat]:
            raise NotYetKnown(
                tr("it is not known which cards {who} was dealt", who=rnd.names[seat])
            )
        return self.recorded(rnd, Owner((seat,)))


def _last_trick(rnd: Round) -> Trick | None:
    """Return the last complete trick, or None if no trick is complete yet."""
    for trick in reversed(rnd.tricks):
        if trick.count:  # Cards that belong to no trick are recorded as a trick with a count of 0.
            return trick
    _require_full_record(rnd)
    return None


def _require_full_record(rnd: Round) -> None:
    """Raise NotYetKnown if cards were played before the recording began."""
    if rnd.starts_midway:
        raise NotYetKnown(tr("the cards played before the recording began are not known"))


def _cards(rnd: Round, laid: Collection[PlayedCards]) -> int:
    return rnd.rules.pack.hand_of([kind for _, kinds in laid for kind in kinds])


def _best(rnd: Round, trick: Trick, _: object) -> int:
    return rnd.rules.pack.bit[trick.winning_kind] if trick.plays else 0


def _theirs(rnd: Round, trick: Trick, subject: object) -> int:
    seats, side = owner_of(subject)
    if side is not None:  # the subject is a whole side
        return _cards(rnd, [laid for laid in trick.plays if laid[0] not in seats])
    return _cards(rnd, [laid for laid in trick.plays if not _are_mates(rnd, laid[0], seats)])


def _is_ours(rnd: Round, trick: Trick, subject: object) -> bool:
    return bool(trick.plays) and _are_mates(rnd, trick.winner, seats_of(subject))


def _are_mates(rnd: Round, seat: int, seats: tuple[int, ...]) -> bool:
    """Return whether a seat is one of these seats or on their side. Raises NotYetKnown if the sides
    are unknown."""
    if seat in seats:
        return True
    if rnd.sides is None:
        return any(seat in rnd.seating.side(mate) for mate in seats)
    side, others = rnd.sides.side_of(seat), {rnd.sides.side_of(mate) for mate in seats}
    if side is None or None in others:
        raise NotYetKnown(tr("it is not yet known which side {who} is on", who=rnd.names[seat]))
    return side in others


def _cards_won(rnd: Round, subject: object) -> int:
    _require_full_record(rnd)
    seats, play = owner_of(subject).seats, rnd.rules.card_play
    if any(trick.winner in seats and trick.count and not trick.plays for trick in rnd.tricks):
        raise NotYetKnown(tr("the cards in the claimed tricks are not known"))
    outside = frozenset[int]() if play is None else play.order_in_force(rnd).outside
    return _cards(
        rnd,
        [
            (seat, kinds)
            for trick in rnd.tricks
            for seat, kinds in trick.plays
            if (seat if outside.issuperset(kinds) else trick.winner) in seats
        ],
    )
