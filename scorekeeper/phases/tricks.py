"""Tricks: who leads, what must be followed, who wins them and what is in them.

A play is one card, or a set of identical cards where the ruleset has `sets`. Which card beats
which is an order (`[orders]`), which may depend on what is bound during play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core import limits
from scorekeeper.core.claims import AllOf, Breach, Claim
from scorekeeper.core.english import number_of
from scorekeeper.core.failures import Impossible
from scorekeeper.core.parties import CARDS, OTHERS
from scorekeeper.core.tricks import Trick
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards, Nothing
from scorekeeper.notation.verbs import Verb
from scorekeeper.play.positions import holding, leads_with_cards, longest, said_now
from scorekeeper.ruleset.orders import ROW, TRUMP, Order, kinds_of
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import TRICK, Measure, Phase
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.plain import Json, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

    Laid = tuple[int, tuple[int, ...]]

# The clauses on a play that `Tricks.legal_at_a_glance` sees at a glance.
GLANCED = ("held", "follow")
MOST_CHOICES = 30_000


class State:
    """The play of one round.

    `laid` lies on the table in the order of laying; `led` is its class (-1: nothing lies), `size`
    how many cards each lays; `best` is who is winning, with `best_kind` (`best_strength`).
    `turn` is whose turn it is, -1 before the first card (then the round's leader). `early` are
    those who laid before their turn in this trick, `barred` the kind that a seat has just taken
    back, until it has laid another. `points` and `tricks` by seat; `left` how many cards a hand
    still has to lay. The tricks that are complete stand in the round.
    """

    __slots__ = (
        "barred",
        "best",
        "best_kind",
        "best_strength",
        "early",
        "laid",
        "led",
        "left",
        "left_of",
        "number",
        "order",
        "points",
        "seats",
        "size",
        "tricks",
        "turn",
    )

    def __init__(self, order: Order, seats: list[int], names: int, first: int, left: int) -> None:
        self.order = order
        self.seats = seats
        self.left_of = dict(zip(seats, [*seats[1:], *seats[:1]], strict=True))
        self.number = first
        self.left = left
        self.laid: list[Laid] = []
        self.led = self.turn = self.best = self.best_kind = -1
        self.size = self.best_strength = 0
        self.early: list[int] = []
        self.barred: dict[int, int] = {}
        self.points = [0] * names
        self.tricks = [0] * names


def _trick(read: Callable[[Trick], Any]) -> Callable[[Joint, Any], Any]:
    return lambda rnd, trick: read(trick)


@phase
class Tricks(Phase[State]):
    """Everyone lays a card in turn; the best one takes them all and leads again."""

    name = "tricks"
    doc = "Tricks until the hands are empty; the winner of a trick leads to the next."
    parameters = {
        "order": Parameter(
            "name", "the row of [orders] that holds (a binding `order` wins)", rows="orders"
        ),
        "sets": Parameter(
            "int", "how many identical cards may be led at once", 1, bounds=(1, limits.COPIES)
        ),
        "early": Parameter("bool", "whether anyone may lay as soon as a card is led", False),
        "rest": Parameter("bool", "whether who plays alone may claim the rest", False),
        "points": Parameter(
            "int of",
            "card points, by rank or pattern of cards",
            {},
            bounds=(0, limits.CARD_POINTS),
        ),
        "later": Parameter("cards", "cards of which the one laid second beats the first", []),
        "later_when": Parameter("condition", "... only then", "true"),
    }
    sections = {"orders": ROW}
    tables = ("pack", "deal")
    verbs: tuple[Verb, ...] = (
        Verb("play", Cards(1, 1), "lays a card", turn=True, implicit=True, cards=True),
        Verb("takeback", Nothing(), "takes back the card they laid last"),
        Verb("rest", Nothing(), "claims all tricks that are left"),
    )
    measures = (
        Measure("trick.points", "the card points in the trick", _trick(lambda t: t.points), TRICK),
        Measure(
            "trick.number", "its number in the deal, from 1", _trick(lambda t: t.number), TRICK
        ),
        Measure("trick.last", "whether it is the last", _trick(lambda t: t.last), TRICK),
    )

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        most = int(row["sets"])
        play = Verb("play", Cards(1, most), "lays cards", turn=True, implicit=True, cards=True)
        play.phase = self.name
        verbs = [play]
        if row["early"]:
            verbs.append(self.verbs[1])
        if row["rest"]:
            verbs.append(self.verbs[2])
        self.verbs = tuple(verbs)

    def link(self) -> None:
        clauses = self.rules.clause_names(self.verbs[0].word)
        self.known_clauses = all(name in GLANCED for name in clauses)
        self.worth = self._worth()
        self.later = frozenset(self._kinds(self.row["later"], "phases.tricks.later"))
        self.later_when = self.rules.expression(
            self.row["later_when"], "phases.tricks.later_when", (TRICK,)
        )

    def _kinds(self, patterns: Iterable[str], where: str) -> list[int]:
        found: list[int] = []
        for pattern in patterns:
            try:
                found += kinds_of(self.rules.pack, pattern)
            except ValueError as error:
                self.rules.fault(where, pattern, "patterns of cards", f"{where}: {error}")
        return found

    def _worth(self) -> tuple[int, ...]:
        """Card points by kind; a card's own pattern wins over its rank."""
        worth = [0] * self.rules.pack.size
        rows = sorted(self.row["points"].items(), key=lambda item: len(item[0]))
        for pattern, points in rows:
            whole = pattern if len(pattern) > 1 else f"{pattern}*"
            for kind in self._kinds([whole], f"phases.tricks.points.{pattern}"):
                worth[kind] = int(points)
        return tuple(worth)

    # --- the course

    def begin(self, rnd: Joint) -> State:
        knowledge = rnd.hands
        order = self.order_in_force(rnd)
        left = max((knowledge.size(seat) for seat in rnd.seats), default=0)
        dealt = self.rules.deal_size(len(rnd.seats))
        state = State(order, list(rnd.seats), len(rnd.names), max(1, dealt - left + 1), left)
        if rnd.positioned:
            self._who_has_cards(rnd, state)
        return state

    def order_in_force(self, rnd: Joint) -> Order:
        return self.rules.orders.get(rnd.shared.order or self.row["order"], rnd.shared.bound)

    def card_points(self) -> Sequence[int]:
        return self.worth

    def position(self, rnd: Joint) -> None:
        """A hand is never longer than the deal; shorter ones say how far the round is."""
        given, knowledge = rnd.start.hands, rnd.hands
        if not given:
            return
        dealt, size = self.rules.deal_size(len(rnd.seats)), longest(rnd)
        for seat, held in given.items():
            count = held if isinstance(held, int) else len(held)
            if count > dealt:
                raise Impossible(
                    f"{rnd.names[seat]} cannot hold {number_of(count, 'card')}: {dealt} are dealt",
                    "look for the card that is mistyped, or one too many",
                )
        if not size:
            rnd.conflict("nobody holds a card, so there is nothing to play", "hand")
            return
        leads_with_cards(rnd, rnd.leader)
        if not said_now(rnd, "hand"):
            return
        if rnd.positioned:
            begins = f"with trick {dealt - size + 1}" if self.row["sets"] == 1 else "in the middle"
            say = "{holding}: the deal begins {begins}"
            say += " (otherwise undo, and type all {dealt} cards of a hand)"
            facts = {"holding": holding(rnd), "begins": begins, "dealt": dealt}
            rnd.remark(f"{self.name}.position", say, facts, self.cite)
        elif any(knowledge.size(s) < dealt for s in rnd.seats) and (
            rnd.parties is None or any(isinstance(held, int) for held in given.values())
        ):
            say = "the hands differ in size ({holding}): one of them may be mistyped"
            rnd.remark(f"{self.name}.position", say, {"holding": holding(rnd)}, self.cite)

    def play_begun(self, rnd: Joint) -> bool:
        state = rnd.state_if_begun(self)
        return bool(state and (state.laid or rnd.tricks))

    def finished(self, rnd: Joint) -> bool:
        state = rnd.state(self)
        return not state.left

    def waiting(self, rnd: Joint) -> list[int]:
        state = rnd.state(self)
        turn = state.turn
        return [turn if turn >= 0 else rnd.leader]

    def legal_at_a_glance(self, rnd: Joint, entry: Entry) -> bool:
        kinds, seat = entry.value, entry.seat
        state = rnd.state(rnd.rules.phase(Tricks))
        if entry.verb is not self.verbs[0] or len(kinds) != 1 or not self.known_clauses:
            return False
        if seat is None or seat != (state.turn if state.turn >= 0 else rnd.leader):
            return False
        knowledge = rnd.hands
        kind, led, order = kinds[0], state.led, state.order
        if led >= 0 and order.classes[kind] != led:
            unsure = knowledge.loose[seat] or knowledge.hidden[seat]
            if unsure or knowledge.sure[seat] & order.masks[led]:
                return False
        return bool(knowledge.can_hold(seat, kind) >= 0)

    def allows_out_of_turn(self, rnd: Joint, entry: Entry) -> bool:
        state = rnd.state(self)
        if not self.row["early"] or not state.laid:
            return False
        return entry.seat in state.seats and all(seat != entry.seat for seat, _ in state.laid)

    def prompt(self, rnd: Joint) -> str:
        state = rnd.state(self)
        name = rnd.names[self.waiting(rnd)[0]]
        if state.laid:
            return f"{name} plays to trick {state.number}"
        return f"{name} leads to trick {state.number}"

    def options(self, rnd: Joint) -> Iterator[Entry]:
        state = rnd.state(self)
        laid = [seat for seat, _ in state.laid]
        for seat in self.waiting(rnd) if not self.row["early"] else state.seats:
            if seat not in laid and (state.laid or seat in self.waiting(rnd)):
                yield from self._choices(rnd, state, seat)
        for verb in self.verbs[1:]:
            yield from (Entry(verb, seat, None) for seat in state.seats)

    def _choices(self, rnd: Joint, state: State, seat: int) -> Iterator[Entry]:
        from itertools import combinations_with_replacement as combinations
        from itertools import islice

        verb, knowledge, pack = self.verbs[0], rnd.hands, rnd.rules.pack
        assert knowledge is not None
        kinds = [kind for kind in range(pack.size) if knowledge.can_hold(seat, kind) >= 0]
        if state.laid:
            chosen: Iterable[tuple[int, ...]] = combinations(kinds, state.size)
        else:
            sizes = range(1, int(self.row["sets"]) + 1)
            chosen = ((kind,) * size for size in sizes for kind in kinds)
        for cards in islice(chosen, MOST_CHOICES):
            if all(knowledge.can_hold(seat, kind, cards.count(kind)) >= 0 for kind in cards):
                yield Entry(verb, seat, cards)

    # --- what happens

    def apply(self, rnd: Joint, entry: Entry) -> None:
        seat: Any = entry.seat
        if entry.verb is not self.verbs[0]:
            act = self._claim_rest if entry.verb.word == "rest" else self._take_back
            act(rnd, seat)
            return
        kinds: tuple[int, ...] = entry.value
        state = rnd.state(rnd.rules.phase(Tricks))
        knowledge = rnd.hands
        laid = state.laid
        turn = state.turn if state.turn >= 0 else rnd.leader
        straight = seat == turn and not state.early
        if not straight:
            self._out_of_turn(rnd, state, seat, turn)
        if state.barred:
            state.barred.pop(seat, None)
        parties = rnd.parties
        for kind in kinds:
            try:
                knowledge.show(seat, kind)
            except ValueError:
                knowledge.doubt(seat, kind)
                knowledge.show(seat, kind)
            if parties is not None and parties.watch >> kind & 1:
                parties.shown[seat] += 1
        order = state.order
        kind = kinds[0]
        if not laid:
            state.led = order.classes[kind]
            state.size = len(kinds)
            state.best, state.best_kind = seat, kind
            state.best_strength = order.strength[kind]
        else:
            group = order.classes[kind]
            if group == TRUMP or group == state.led:
                strength = order.strength[kind]
                if strength >= state.best_strength and (
                    strength > state.best_strength or self._second(rnd, state, kind)
                ):
                    self._beats(state, seat, kinds, strength)
        laid.append((seat, kinds))
        if len(laid) == len(state.seats):
            self._complete(rnd, state)
        elif straight:
            state.turn = state.left_of[seat]
        else:
            state.turn = self._next(state)

    def _beats(self, state: State, seat: int, kinds: tuple[int, ...], strength: int) -> None:
        kind = kinds[0]
        if len(kinds) == state.size and kinds.count(kind) == state.size:
            state.best, state.best_kind, state.best_strength = seat, kind, strength

    def _second(self, rnd: Joint, state: State, kind: int) -> bool:
        """Whether a card as strong as the best one beats it, being laid later."""
        if kind not in self.later or kind != state.best_kind:
            return False
        trick = Trick(state.number, state.laid, state.best, kind, 0, state.left == 1)
        return bool(rnd.evaluate(self.later_when, trick))

    def _out_of_turn(self, rnd: Joint, state: State, seat: int, turn: int) -> None:
        if any(other == seat for other, _ in state.laid):
            raise Impossible(
                f"{rnd.names[seat]} has laid to trick {state.number} already",
                "undo, or amend the entry that is wrong",
            )
        if seat not in state.seats:
            raise Impossible(f"{rnd.names[seat]} sits out")
        if state.laid and seat != turn:
            state.early.append(seat)

    def _next(self, state: State) -> int:
        """The first seat after the leader that has not laid yet."""
        laid = [seat for seat, _ in state.laid]
        seats = state.seats
        start = seats.index(laid[0])
        return next(
            seats[(start + step) % len(seats)]
            for step in range(len(seats))
            if seats[(start + step) % len(seats)] not in laid
        )

    def _complete(self, rnd: Joint, state: State) -> None:
        worth, points = self.worth, 0
        if state.size == 1:
            for _, kinds in state.laid:
                points += worth[kinds[0]]
        else:
            points = sum(worth[kind] for _, kinds in state.laid for kind in kinds)
        winner, size = state.best, state.size
        last = state.left == size
        trick = Trick(state.number, state.laid, winner, state.best_kind, points, last)
        state.points[winner] += points
        state.tricks[winner] += 1
        state.number += 1
        state.left -= size
        state.laid = []
        state.led = -1
        state.early.clear()
        state.turn = winner
        if rnd.positioned:
            self._who_has_cards(rnd, state)
        rnd.complete_trick(trick)

    def _who_has_cards(self, rnd: Joint, state: State) -> None:
        """Hands of a round that began in the middle may differ in size."""
        knowledge = rnd.hands
        state.seats = seats = [seat for seat in rnd.seats if knowledge.size(seat)]
        state.left_of = dict(zip(seats, [*seats[1:], *seats[:1]], strict=True))
        if state.turn >= 0 and state.seats and state.turn not in state.seats:
            state.turn = rnd.after(state.turn)
            while state.turn not in state.seats:
                state.turn = rnd.after(state.turn)

    def _claim_rest(self, rnd: Joint, seat: int) -> None:
        """All cards that are still out go to their side, without being played."""
        state = rnd.state(self)
        if state.laid:
            raise Impossible("the rest is claimed between two tricks")
        points = sum(self.still_out(rnd))
        count = -(-state.left // max(1, int(self.row["sets"])))
        rnd.tricks.append(Trick(state.number, [], seat, -1, points, False, count))
        state.points[seat] += points
        state.tricks[seat] += count
        state.left = 0

    def _take_back(self, rnd: Joint, seat: int) -> None:
        state = rnd.state(self)
        if not state.laid:
            self._reopen(rnd, state)
        if not state.laid or state.laid[-1][0] != seat:
            raise Impossible(f"{rnd.names[seat]} has not laid the last card")
        _, kinds = state.laid.pop()
        state.barred[seat] = kinds[0]
        rnd.hands.take_seen(seat, rnd.rules.pack.of(kinds))
        if rnd.parties is not None:
            rnd.parties.shown[seat] -= sum(rnd.parties.watch >> kind & 1 for kind in kinds)
        self._weigh(rnd, state)
        state.turn = self._next(state) if state.laid else seat

    def _reopen(self, rnd: Joint, state: State) -> None:
        """Put the last trick back on the table."""
        if not rnd.tricks:
            return
        trick = rnd.tricks.pop()
        state.laid = trick.laid
        state.seats = _taking_part(state, trick.laid)
        state.points[trick.winner] -= trick.points
        state.tricks[trick.winner] -= 1
        state.left += state.size
        state.number -= 1

    def _weigh(self, rnd: Joint, state: State) -> None:
        """Find out anew who is winning what lies on the table."""
        classes, strengths = state.order.classes, state.order.strength
        lying, state.laid = state.laid, []
        state.led = -1
        for seat, kinds in lying:
            kind = kinds[0]
            if not state.laid:
                state.led, state.size = classes[kind], len(kinds)
                state.best, state.best_kind = seat, kind
                state.best_strength = strengths[kind]
            elif classes[kind] in (TRUMP, state.led):
                strength = strengths[kind]
                if strength > state.best_strength or (
                    strength == state.best_strength and self._second(rnd, state, kind)
                ):
                    self._beats(state, seat, kinds, strength)
            state.laid.append((seat, kinds))

    # --- what comes of it

    def still_out(self, rnd: Joint) -> list[int]:
        """The card points of each card that lies in no complete trick and goes to somebody."""
        gone = [kind for trick in rnd.tricks for _, kinds in trick.laid for kind in kinds]
        gone += rnd.cards_aside()
        left = self.rules.pack.beyond(self.rules.pack.full, self.rules.pack.of(gone))
        return [self.worth[kind] for kind in self.rules.pack.kinds_in(left)]

    def set_name(self, rnd: Joint, cards: int) -> str:
        state = rnd.state_if_begun(self)
        if state is None or cards not in state.order.masks:
            return ""
        name = state.order.names[state.order.masks.index(cards)]
        return name if name.endswith("s") else f"{name}s"

    def points_of(self, rnd: Joint, seat: int) -> int | None:
        state = rnd.state_if_begun(self)
        if state is None:
            return 0
        mates: Iterable[int] = rnd.side(seat)
        if rnd.parties is not None:
            side = rnd.parties.of(seat)
            if side is None or not rnd.parties.complete:
                name, alone = rnd.names[seat], state.points[seat]
                raise Impossible(
                    f"who is on {name}'s side is not known yet; by {name} alone it is {alone}",
                    "check again when the sides are known",
                )
            mates = rnd.parties.members(side)
        return sum(state.points[mate] for mate in mates)

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        pack, names = rnd.rules.pack, rnd.names
        if state is None:
            return {"players": {name: {"tricks": 0, "points": 0} for name in names}}
        table = [
            {"who": names[seat], "cards": " ".join(pack.kinds[kind] for kind in kinds)}
            for seat, kinds in state.laid
        ]
        players = {
            name: {"tricks": state.tricks[seat], "points": state.points[seat]}
            for seat, name in enumerate(names)
        }
        return {"table": table, "players": players}

    def on_table(self, rnd: Joint) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        for seat, kinds in state.laid if state is not None else ():
            yield f"{rnd.names[seat]}: {rnd.rules.pack.codes(kinds)}"

    def sentences(self, rnd: Joint) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        if state is None:
            return
        if rnd.tricks and rnd.tricks[-1].laid:
            last = rnd.tricks[-1]
            kinds = dict(last.laid)[last.winner]
            worth = f" ({number_of(last.points, 'card point')})" if any(self.worth) else ""
            cards = rnd.rules.pack.codes(kinds)
            yield f"{rnd.names[last.winner]} took trick {last.number} with {cards}{worth}"
        elif rnd.tricks:
            yield f"{rnd.names[rnd.tricks[-1].winner]} has claimed the rest"
        if state.left and not rnd.over:
            left = number_of(state.left, "card")
            yield f"each has {left} to play" + (", this trick included" if state.laid else "")


# --- clauses

PLAY = ("play",)


@clause(
    "follow",
    "tricks",
    on=PLAY,
    say="{who} must follow {led} in trick {trick}: {legal}",
    unknown="{who} has not followed {led} in trick {trick}; nobody knows whether they could",
    proven="{who} could have followed {led} in trick {trick} and did not ({first}, {then})",
    doc="Who has cards of the class that was led plays them: no more of it than they show.",
    legal="hearts led, a heart played; or another card by who has no heart",
    illegal="hearts led, a club played by who has a heart",
)
def _follow(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(rnd.rules.phase(Tricks))
        led = state.led
        if led < 0:
            return None
        kinds = entry.value
        order = state.order
        classes = order.classes
        if len(kinds) == 1:
            if classes[kinds[0]] == led:
                return None
            shown = 0
        else:
            shown = sum(1 for kind in kinds if classes[kind] == led)
            if shown == len(kinds):
                return None
        seat: Any = entry.seat
        knowledge = rnd.hands
        mask = order.masks[led]
        if not (knowledge.loose[seat] or knowledge.hidden[seat]):
            least = most = (knowledge.sure[seat] & mask).bit_count() - shown
        else:
            least, most = knowledge.beside(seat, kinds, mask)
        if least <= 0:
            if most <= 0:
                return None
            return Claim(seat, mask, 0, shown, {"led": order.names[led], "trick": state.number})
        pack = rules.pack
        legal = list(dict.fromkeys(pack.kinds_in(knowledge.sure[seat] & mask)))
        return Breach(
            {
                "led": order.names[led],
                "trick": state.number,
                "legal": [pack.kinds[kind] for kind in legal],
            }
        )

    return judge


@clause(
    "identical",
    "tricks",
    on=PLAY,
    say="{who} may lead one card, or identical ones, not {cards}",
    doc="What is led is one card, or a set of identical cards.",
    legal="3S 3S led",
    illegal="3S 3C led",
)
def _identical(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kinds = entry.value
        if rnd.state(rnd.rules.phase(Tricks)).laid or kinds.count(kinds[0]) == len(kinds):
            return None
        return Breach({"cards": [rules.pack.kinds[kind] for kind in kinds]})

    return judge


@clause(
    "as-many",
    "tricks",
    on=PLAY,
    say="{who} must lay as many cards as were led: {wanted}, not {laid}",
    doc="Everyone lays as many cards as were led.",
    legal="two cards on a pair",
    illegal="one card on a pair",
)
def _as_many(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(rnd.rules.phase(Tricks))
        if not state.laid or len(entry.value) == state.size:
            return None
        return Breach({"wanted": state.size, "laid": len(entry.value)})

    return judge


@clause(
    "sets",
    "tricks",
    on=PLAY,
    say="{who} must lay as many identical cards as they can{more}",
    doc="Who follows a set lays a set, or as much of one as they have of the class that was led.",
    legal="a pair led, a pair of the class laid; or two single cards by who has no pair of it",
    illegal="two single cards of the class by who has a pair of it",
)
def _sets(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(rnd.rules.phase(Tricks))
        kinds, seat, classes = entry.value, entry.seat, state.order.classes
        if state.led < 0 or any(classes[kind] != state.led for kind in kinds):
            return None
        most = max(map(kinds.count, kinds))
        if most >= state.size or seat is None:
            return None
        knowledge, pack = rnd.hands, rules.pack
        more = f": more than {most}" if most > 1 else ", at least two"
        facts = {"most": most, "trick": state.number, "more": more}
        claims = []
        for kind, group in enumerate(classes):
            if group != state.led:
                continue
            low, high = knowledge.bounds(seat, pack.column[kind])
            if low > most:
                legal = [pack.kinds[kind]] * min(low, state.size)
                return Breach({**facts, "legal": [" ".join(legal)]})
            if high > most:
                claims.append(Claim(seat, pack.column[kind], 0, most))
        return AllOf(tuple(claims), facts) if claims else None

    return judge


@clause(
    "another",
    "tricks",
    on=PLAY,
    say="{who} has taken back {card} and must play another card",
    doc="Who took a card back plays one of another rank or suit.",
    legal="AS taken back, TS played",
    illegal="AS taken back, AS played again",
)
def _another(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(rnd.rules.phase(Tricks))
        barred = state.barred.get(entry.seat) if entry.seat is not None else None
        if barred is None or barred not in entry.value:
            return None
        return Breach({"card": rules.pack.kinds[barred]})

    return judge


@clause(
    "takeback",
    "tricks",
    on=("takeback",),
    say="{who} may not take their card back: {why}",
    unknown="{who} takes their card back; nobody knows whether they may play another",
    doc=(
        "The last card laid, alone and in its player's turn, may be taken back when it equals the"
        " one that is winning and another had laid early in the trick, if they can play another."
    ),
    legal="AS led, 7S laid early, AS laid in turn, which equals the first AS: `takeback`",
    illegal="the same without a card laid early",
)
def _takeback(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(rnd.rules.phase(Tricks))
        lying = state.laid or (rnd.tricks[-1].laid if rnd.tricks else [])
        if not lying or lying[-1][0] != entry.seat:
            return Breach({"why": "they have not laid the last card"})
        seat, kinds = lying[-1]
        if len(kinds) > 1:
            return Breach({"why": "only a single card may be taken back"})
        *before, own = _earlies(_taking_part(state, lying), lying)
        if own:
            return Breach({"why": "they laid it before their turn"})
        if not any(before):
            return Breach({"why": "nobody had laid before their turn in this trick"})
        winning = state.best_kind if state.laid else rnd.tricks[-1].with_kind
        strength = state.order.strength
        if (
            strength[kinds[0]] != strength[winning]
            or (state.best if state.laid else rnd.tricks[-1].winner) == seat
        ):
            return Breach({"why": "it does not equal the card that is winning"})
        return _has_another(rnd, state, seat, kinds[0], lying)

    return judge


def _taking_part(state: State, lying: list[Laid]) -> list[int]:
    """The seats of a trick: who still has cards, and who has laid his last one to it."""
    return sorted({*state.seats, *(seat for seat, _ in lying)})


def _earlies(seats: list[int], lying: list[Laid]) -> list[bool]:
    """For each that was laid, whether it was before its player's turn."""
    start = seats.index(lying[0][0])
    coming = seats[start:] + seats[:start]
    found = []
    for seat, _ in lying:
        found.append(seat != coming[0])
        coming.remove(seat)
    return found


@clause(
    "rest",
    "tricks",
    on=("rest",),
    say="{who} may not claim the rest: {why}",
    doc=(
        "Who plays alone and is to lead may lay their cards down and claim the rest; impossible"
        " until it is known that they play alone."
    ),
    legal="the soloist, when they are to lead",
    illegal="one of the others, or the soloist while a trick lies on the table",
)
def _rest(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        owner, parties, seat = rules.phase(Tricks), rnd.parties, entry.seat
        state = rnd.state(rnd.rules.phase(Tricks))
        if seat is None or state.laid or owner.waiting(rnd) != [seat]:
            return Breach({"why": "they are not to lead"})
        if parties is None:
            return Breach({"why": "nobody plays alone"})
        side = parties.of(seat)
        if parties.alone and side != OTHERS:
            return None
        short = parties.mode == CARDS and parties.dealt(seat)[1] < parties.copies
        if side == OTHERS or parties.complete or short:
            return Breach({"why": "they do not play alone"})
        raise Impossible(
            f"“{entry.text}”: it is not known that {rnd.names[seat]} plays alone",
            _proof_of_alone(rnd, seat),
        )

    return judge


def _proof_of_alone(rnd: Joint, seat: int) -> str:
    """What to type when the cards that make a side have been seen in that hand."""
    parties, knowledge, pack = rnd.parties, rnd.hands, rnd.rules.pack
    assert parties is not None
    assert knowledge is not None
    there = (knowledge.unseen & parties.mask, knowledge.sure[seat] & parties.mask)
    cards = pack.show(pack.total_of(*there))
    if parties.mode != CARDS or not cards:
        return "play on until the sides are known"
    return f"if these cards are seen in the hand: holds {rnd.names[seat]}: {cards}"


def _has_another(rnd: Joint, state: State, seat: int, kind: int, lying: list[Laid]) -> Outcome:
    """A claim that they hold another kind that they may play instead."""
    pack, order = rnd.rules.pack, state.order
    led = order.masks[order.classes[lying[0][1][0]]]
    facts = {"why": "they have no other card that they may play"}
    if rnd.hands.bounds(seat, led & ~pack.column[kind])[0]:
        return None
    followed = bool(led & pack.bit[kind])
    if followed:
        return Claim(seat, led & ~pack.column[kind], 1, pack.total, facts)
    return Claim(seat, pack.full & ~pack.column[kind], 1, pack.total, facts)


__all__ = ["State", "Trick", "Tricks"]
