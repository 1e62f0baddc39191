"""The stock: cards that are drawn during play.

After each trick every player draws a card, until the stock is empty or a player closes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.hands import POSSIBLE, Breach
from scorekeeper.core.messages import N_, Sentence, join_list, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import Measure, Phase, View, actor_of
from scorekeeper.engine.ruleset import check_patterns, kinds_for, player_counts
from scorekeeper.engine.setup import MISTYPED_HINT, place
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType, Timing
from scorekeeper.notation.syntax import Cards, NoValue, Number, Suit
from scorekeeper.ruleset.orders import suit_name
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.notation.syntax import Spelling

    Drawn = tuple[int, ...]

NO, LAST = "no", "last"


class State:
    """The stock of a round. Its size is `TableState.stock`.

    `turned` is the kind of the face-up last card while it is in the stock. `unnamed_drawers` are
    the seats whose last drawn card is unknown. `closed_at` is the size of the stock when it was
    closed, or -1. `is_begun_midway` is true if cards had been drawn before the recording began.
    `last_draw` is set if the stock's last card was face up and was drawn after the latest trick. It
    contains the seat that drew the card and the possible kinds of the card. Otherwise, it is None.
    """

    __slots__ = ("closed_at", "is_begun_midway", "last_draw", "turned", "unnamed_drawers")

    def __init__(self) -> None:
        self.turned: int | None = None
        self.unnamed_drawers: list[int] = []
        self.closed_at = -1
        self.is_begun_midway = False
        self.last_draw: tuple[int, tuple[int, ...]] | None = None


class DrawnSyntax(Cards):
    """The syntax of a drawn card. The text is empty if no player saw the card."""

    form = N_("CARD, or nothing")

    def __init__(self) -> None:
        super().__init__(0, 1)

    def write(self, value: Drawn, notation: Spelling) -> str:
        return super().write(value, notation) if value else ""

    def hide_cards(self, value: Drawn) -> Drawn:
        return ()


TURNUP, TRUMP, TALON, DRAW, CLOSE, SWAP = (
    EntryType(
        "turnup",
        Cards(1, 1),
        N_("the card that decides the trump suit"),
        by=Actor.TABLE,
        when=Timing.SETUP,
        can_batch=True,
        fact_key="trump",
    ),
    EntryType(
        "trump",
        Suit(),
        N_("the trump of this round"),
        by=Actor.TABLE,
        when=Timing.SETUP,
        can_batch=True,
    ),
    EntryType(
        "talon",
        Number(0, 999),
        N_("the number of cards left to draw"),
        by=Actor.TABLE,
        when=Timing.SETUP,
    ),
    EntryType("draw", DrawnSyntax(), N_("names the card that they drew last"), plays_cards=True),
    EntryType("close", NoValue(), N_("closes the stock, so that no more cards are drawn")),
    EntryType(
        "swap", Cards(1, 1), N_("swaps a card for the one that was turned up"), plays_cards=True
    ),
)


def _is_closed(rnd: Round, _: object) -> bool:
    return rnd.state(rnd.rules.phase(Stock)).closed_at >= 0


@phase
class Stock(Phase[State]):
    """The phase in which cards are drawn after each trick."""

    name = "stock"
    doc = (
        "Runs together with `tricks`. The stock consists of the cards that were not "
        "dealt. After each trick, its winner draws a card, then the others in turn, "
        "until none are left. The cards are unseen unless `draw` names them. If the "
        "recording of a deal begins later, `talon` states the size of the stock."
    )
    clause_order = "closes swaps held"
    standard_words = "held"
    judged = {"held": ("swap",)}
    concurrent = True
    tables = ("pack", "deal")
    others = ("tricks",)
    parameters = {
        "turned": Parameter(
            "choice",
            "whether the last card is turned up, decides the trump, and is drawn face up",
            NO,
            (NO, LAST),
        ),
        "closes": Parameter(
            "bool",
            "whether the stock may be closed, so that no more cards are drawn",
            False,
            words=("closes",),
        ),
        "swaps": Parameter(
            "texts",
            "cards that may be swapped for the last card, for example `9{trump}`",
            [],
            words=("swaps",),
        ),
    }
    entry_types: tuple[EntryType, ...] = (TURNUP, TRUMP, TALON, DRAW, CLOSE, SWAP)
    reports = {
        "trump": "the trump suit",
        "closed": "the number of cards in the stock when it was closed",
    }
    measures = (
        Measure("stock", "the number of cards left to draw", lambda rnd, _: rnd.table.stock),
        Measure("stock.closed", "whether the stock has been closed", _is_closed, kind=TRUTH),
    )

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        return () if row.get("swaps") else ("held",)

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        turned = (TURNUP, TRUMP) if row["turned"] == LAST else ()
        closes = (CLOSE,) if row["closes"] else ()
        self.entry_types = (*turned, TALON, DRAW, *closes, *((SWAP,) if row["swaps"] else ()))

    def link(self) -> None:
        where, rules = "phases.stock", self.rules
        check_patterns(rules, f"{where}.swaps", self.row["swaps"], self.pattern_names())
        if self.row["swaps"] and self.row["turned"] == NO:
            message = f"{where}.swaps: no card is turned up to swap for"
            rules.fault(f"{where}.swaps", " ".join(self.row["swaps"]), "turned = “last”", message)
        if "takeback" in rules.entry_types:
            message = f"{where}: no card is taken back once others were drawn (phases.tricks.early)"
            rules.fault(where, "phases.tricks.early", "phases.tricks.early = false", message)
        for count in () if rules.numbers.depend_on_round else player_counts(rules.players):
            seats = count - len(rules.deal["sits_out"].get(str(count), ()))
            rest = self._stock_size(seats)
            if rest < 1 or rest % seats:
                message = f"{where}: {seats} players cannot draw equally from {rest} cards"
                rules.fault(where, str(rest), f"a multiple of {seats}", message)

    def _stock_size(self, seats: int) -> int:
        """Return the size of the stock after a deal to `seats` players."""
        return self.rules.pack.card_count - seats * self.rules.deal_size(seats)

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return {"trump": self.rules.lexicon.suits} if self.row["turned"] == LAST else {}

    # --- setup

    def begin(self, rnd: Round) -> State:
        state, start, hands = State(), rnd.setup, rnd.hands
        dealt = rnd.deal_size
        rest = rnd.rules.pack.card_count - len(rnd.seats) * dealt
        whole = min(hands.size(seat) for seat in rnd.seats) >= dealt
        rnd.table.stock = (rest if whole else 0) if start.stock is None else start.stock
        state.is_begun_midway = rnd.table.stock < rest
        if rnd.table.stock % len(rnd.seats):
            say = plural(
                "the players cannot all draw the same number of cards from a talon of {count} card",
                "the players cannot all draw the same number of cards from a talon of "
                "{count} cards",
                rnd.table.stock,
            )
            rnd.add_conflict(say, "talon")
        if self.row["turned"] == LAST:
            self._turn_up(rnd, state)
        unseen = rnd.table.stock - (state.turned is not None)
        if not rnd.conflicts and unseen > hands.unheld_count():
            rnd.add_conflict(
                tr("the hands and the talon together contain more cards than the pack"),
                "hand",
                "talon",
            )
        return state

    def _turn_up(self, rnd: Round, state: State) -> None:
        """Turn up the last card, which decides the trump."""
        start, pack, kind = rnd.setup, rnd.rules.pack, rnd.setup.turned
        shown = "" if kind is None else pack.suit[kind]
        rnd.table.bottom = shown if start.trump is None else start.trump
        if kind is None:
            if start.trump is None:
                turnup, trump = (
                    rnd.rules.translate_word("turnup"),
                    rnd.rules.translate_word("trump"),
                )
                say = tr(
                    "the turned-up card must be entered: {card}, or {suit}",
                    card=f"{turnup} CARD",
                    suit=f"{trump} SUIT",
                )
                rnd.add_conflict(say)
            return
        if shown != rnd.table.bottom:
            card, trump = pack.kinds[kind], rnd.table.bottom
            raise Impossible(
                tr(
                    "{card} was turned up, so the trump cannot be {trump}",
                    card=card,
                    trump=trump,
                ),
                MISTYPED_HINT,
            )
        if rnd.table.stock:
            try:
                rnd.hands.locate(kind)
                state.turned = kind
            except ValueError:
                say = tr("{card} was turned up, but is also in a hand", card=pack.kinds[kind])
                rnd.add_conflict(say, "turnup", "hand", "holds", "talon")

    def as_setup(self, rnd: Round, start: Setup) -> Setup:
        if not rnd.acted:
            return start
        turned = rnd.state(self).turned
        trump = rnd.table.bottom if turned is None and rnd.table.bottom else None
        return start._replace(stock=rnd.table.stock, turned=turned, trump=trump)

    # --- drawing

    def after_trick(self, rnd: Round) -> None:
        state, seat = rnd.state(self), rnd.tricks[-1].winner
        state.unnamed_drawers, state.last_draw = [], None
        for _ in rnd.seats:
            if not rnd.table.stock:
                return
            if rnd.table.stock == 1 and self.row["turned"] == LAST:
                state.last_draw = seat, self._possible_last_cards(rnd, state)
            if rnd.table.stock == 1 and state.turned is not None:
                rnd.hands.take_seen(seat, rnd.rules.pack.hand_of((state.turned,)))
                state.turned = None
            else:
                rnd.hands.take_unseen(seat, 1)
                state.unnamed_drawers.append(seat)
            rnd.table.stock -= 1
            seat = rnd.seating.next_seat(seat)
            if rnd.sides is not None:
                rnd.sides.reset_proofs()

    def _possible_last_cards(self, rnd: Round, state: State) -> tuple[int, ...]:
        """Return the possible kinds of the face-up last card. While that card is unknown, it is
        either a card of the trump suit or a card that was swapped for one."""
        if state.turned is not None:
            return (state.turned,)
        suits, swappable = rnd.rules.pack.suit, self.swappable_kinds(rnd)
        shows = [kind for kind, suit in enumerate(suits) if suit == rnd.table.bottom]
        return tuple(dict.fromkeys([*shows, *swappable]))

    def swappable_kinds(self, rnd: Round) -> list[int]:
        """Return the card kinds that may be swapped for the face-up card."""
        bound, pack = rnd.table.bindings, rnd.rules.pack
        return [kind for text in self.row["swaps"] for kind in kinds_for(pack, text, bound)]

    def hand_cards(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        if entry.seat is None or not entry.value:
            return ()
        return ((entry.seat, entry.value),)

    def to_lead(self, rnd: Round) -> int | None:
        """Return the seat that is to lead to the next trick, or None during a trick."""
        play = self.rules.card_play
        return None if play is None else play.seat_to_lead(rnd)

    def options(self, rnd: Round) -> Iterator[Entry]:
        seat = self.to_lead(rnd)
        if seat is None or not rnd.table.stock:
            return
        if CLOSE in self.entry_types:
            yield Entry(CLOSE, seat, None)
        for kind in self.swappable_kinds(rnd):
            if rnd.hands.can_hold(seat, kind) >= POSSIBLE:
                yield Entry(SWAP, seat, (kind,))

    def chance(self, rnd: Round, rng: Rng) -> Iterator[Entry]:
        state, start = rnd.state(self), rnd.setup
        cards = self.rules.pack.kinds_in(rnd.hands.unseen)
        if self.row["turned"] == LAST and start.turned is None and start.trump is None and cards:
            yield Entry(TURNUP, None, (rng.choice(cards),))
        for seat in state.unnamed_drawers:
            yield Entry(DRAW, seat, (rng.choice(cards),))

    def apply(self, rnd: Round, entry: Entry) -> None:
        if entry.type.is_setup_fact:
            self._take_fact(rnd, entry)
            return
        state, seat = rnd.state(self), actor_of(entry)
        if entry.type is DRAW:
            self._name_drawn_card(rnd, state, seat, entry.value)
        elif entry.type is SWAP:
            self._swap(rnd, state, seat, entry.value[0])
        elif state.closed_at >= 0 or not rnd.table.stock:
            raise Impossible(tr("there is no stock left to close"))
        else:
            state.closed_at, rnd.table.stock = rnd.table.stock, 0

    def _take_fact(self, rnd: Round, entry: Entry) -> None:
        """Record a setup fact. A `talon` entered during play is only compared with the size of the
        stock."""
        if entry.type is TALON and rnd.acted:
            if entry.value != rnd.table.stock:
                say = plural(
                    "the entries so far leave {count} card in the talon, not {number}",
                    "the entries so far leave {count} cards in the talon, not {number}",
                    rnd.table.stock,
                    number=entry.value,
                )
                raise Impossible(say)
            return
        if entry.type is TALON:
            start = rnd.setup._replace(stock=entry.value)
        elif entry.type is TURNUP:
            start = rnd.setup._replace(turned=entry.value[0])
        else:
            start = rnd.setup._replace(trump=entry.value)
        place(rnd, entry.type.word, start)

    def _name_drawn_card(self, rnd: Round, state: State, seat: int, kinds: tuple[int, ...]) -> None:
        last = (
            state.last_draw[1]
            if state.last_draw is not None and state.last_draw[0] == seat
            else None
        )
        if last is not None and not set(kinds) <= set(last):
            cards = join_list([rnd.rules.pack.kinds[kind] for kind in last], "or")
            raise Impossible(
                tr(
                    "{who} drew the last card of the stock, which was face up: {cards}",
                    who=rnd.names[seat],
                    cards=cards,
                )
            )
        if last is not None and seat not in state.unnamed_drawers:  # all players saw the card
            return
        if seat not in state.unnamed_drawers:
            raise Impossible(
                tr(
                    "{who} has no drawn card left to name",
                    who=rnd.names[seat],
                )
            )
        for kind in kinds:
            rnd.hands.mark_contradicted(seat, kind)
            rnd.hands.name_drawn(seat, kind)
        state.unnamed_drawers.remove(seat)

    def _swap(self, rnd: Round, state: State, seat: int, kind: int) -> None:
        if state.turned is None:
            raise Impossible(tr("there is no face-up card to swap"))
        rnd.hands.mark_contradicted(seat, kind)
        rnd.hands.show(seat, kind)
        rnd.hands.take_seen(seat, rnd.rules.pack.hand_of((state.turned,)))
        state.turned = kind

    def close(self, rnd: Round) -> None:
        if not rnd.void and rnd.state(self).is_begun_midway and rnd.result is None:
            rnd.scored = False

    # --- results and view

    def lost_cards(self, rnd: Round) -> Iterable[int]:
        """Return the face-up card of a closed stock."""
        state = rnd.state(self)
        return () if state.turned is None or state.closed_at < 0 else (state.turned,)

    def view(self, rnd: Round) -> StockView:
        state, table = rnd.state(self), rnd.table
        facts = StockFacts(
            trump=table.trump,
            shown_trump=table.bottom,
            size=table.stock,
            turned="" if state.turned is None else rnd.rules.pack.kinds[state.turned],
            closed_at=None if state.closed_at < 0 else state.closed_at,
            unnamed_drawers=rnd.names_of(state.unnamed_drawers),
            is_over=rnd.over,
        )
        return StockView(facts)


# --- view


class StockFacts(NamedTuple):
    """A stock of `size` cards. `shown_trump` is the trump that its last card decided, and `turned`
    is that card while it is in the stock. `closed_at` is the size of the stock when it was closed,
    or None. `unnamed_drawers` are the players whose last drawn card is unknown."""

    trump: str
    shown_trump: str
    size: int
    turned: str
    closed_at: int | None
    unnamed_drawers: list[str]
    is_over: bool


class StockView(View[StockFacts]):
    """The view of the stock."""

    __slots__ = ()

    def sentences(self) -> Iterator[Sentence]:
        stock = self.facts
        if stock.shown_trump:
            suit = suit_name(stock.shown_trump)
            were = tr("{suit} were trump", suit=suit)
            yield Sentence(were if stock.is_over else tr("{suit} are trump", suit=suit))
        if not stock.is_over:
            yield Sentence(self._size())

    def _size(self) -> str:
        _, _, size, turned, closed, *_ = self.facts
        if closed is not None:
            return plural(
                "the stock is closed, with {count} card in it",
                "the stock is closed, with {count} cards in it",
                closed,
            )
        if not size:
            return tr("no cards are left to draw")
        text = plural("the stock has {count} card", "the stock has {count} cards", size)
        return (
            tr("{stock}, of which {card} is the last", stock=text, card=turned) if turned else text
        )

    def as_json(self) -> Json:
        stock = self.facts
        bindings: Json = {}
        if stock.shown_trump:
            bindings["trump"] = stock.shown_trump
        if stock.turned:
            bindings["turned"] = stock.turned
        if stock.closed_at is not None:
            bindings["stock"] = "closed"
        owed = [{"who": name, "what": "draw", "cards": 1} for name in stock.unnamed_drawers]
        return {"talon": stock.size, "bindings": bindings, "owed": [] if stock.is_over else owed}

    def summary(self) -> Json:
        return {"trump": self.facts.trump or None, "closed": self.facts.closed_at}


# --- the clauses


@clause(
    "closes",
    "stock",
    on=("close",),
    say=N_("{who} may not close the stock: {why}"),
    doc="Only the player who is to lead may close the stock, and only while it contains cards.",
)
def _closes(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Stock)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if rnd.state(phase).closed_at >= 0:
            return Breach({"why": tr("it is already closed")})
        if not rnd.table.stock:
            return Breach({"why": tr("there are no cards left to draw")})
        leads = phase.to_lead(rnd) == entry.seat
        return None if leads else Breach({"why": tr("it is not their turn to lead")})

    return judge


@clause(
    "swaps",
    "stock",
    on=("swap",),
    say=N_("{who} may not swap {card}: {why}"),
    doc=(
        "The player who is to lead may swap one of the cards in `swaps` for the last card of "
        "the stock, while that card is face up."
    ),
)
def _swaps(row: Row, rules: Ruleset) -> Judge:
    phase, pack = rules.phase(Stock), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        (kind,), state = entry.value, rnd.state(phase)
        card, may = pack.kinds[kind], phase.swappable_kinds(rnd)
        if kind == state.turned:
            raise Impossible(
                tr(
                    "“{text}”: {card} is itself the card that was turned up, so no player holds it",
                    text=entry.text,
                    card=card,
                )
            )
        if state.turned is None or state.closed_at >= 0:
            why = tr("the stock no longer has a face-up card")
        elif kind not in may:
            why = tr(
                "only {cards} may be swapped",
                cards=join_list([pack.kinds[each] for each in may], "or"),
            )
        elif phase.to_lead(rnd) != entry.seat:
            why = tr("it is not their turn to lead")
        else:
            return None
        return Breach({"card": card, "why": why})

    return judge
