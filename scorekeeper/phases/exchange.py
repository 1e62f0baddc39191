"""The exchange of cards owed since the previous round.

The player who owes cards hands over their best trumps, and the master returns cards of their
choice. The entry `exchange` claims the cards. If it is not made before certain other entries, the
claim lapses. A player on the owing side may cancel the claim by showing certain cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.hands import Breach, Claim
from scorekeeper.core.messages import N_, Sentence, join_list, plural, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import Phase, View, actor_of
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import EntryType
from scorekeeper.notation.syntax import Cards, Syntax, clean, parse_whole
from scorekeeper.ruleset.orders import TRUMP
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Json, Rng, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.ruleset.orders import Order

    # one half of a swap: either the kinds of the cards or their number
    Part = tuple[int, ...] | int

DONE, CANCELLED = "done", "cancelled"
LAPSED = {
    False: N_("the card that {giver} owed {master} was not claimed in time, so the claim lapses"),
    True: N_(
        "the {cards} cards that {giver} owed {master} were not claimed in time, so the claim lapses"
    ),
}


class State:
    """The exchange of one round.

    The seat `giver` owes `cards` cards (None and 0 if nothing is owed). `outcome` is "" until the
    exchange is DONE or CANCELLED. `last_act` holds the last seat that acted in the exchange and
    the text of its entry.
    """

    __slots__ = ("cards", "giver", "last_act", "outcome")

    def __init__(self, cards: int, giver: int | None) -> None:
        self.cards = cards
        self.giver = giver
        self.outcome = ""
        self.last_act: tuple[int, str] | None = None


class Swap(NamedTuple):
    """A swap of cards with the player at a seat.

    `given` and `taken` are the kinds of the cards, or the same number for both if the cards are
    unseen. Both are empty if the swap represents choices that are not listed.
    """

    given: Part
    taken: Part
    seat: int

    @property
    def is_open(self) -> bool:
        """True if the swap represents choices of cards that are not listed."""
        return self.given == ()


def count_cards(part: Part) -> int:
    """Return the number of cards in one half of a swap."""
    return part if isinstance(part, int) else len(part)


class SwapSyntax(Syntax):
    """The syntax of a swap: cards for cards, or a number of cards, with a player's name."""

    names_players = True
    form = N_("CARD… for CARD… with NAME, or NUMBER with NAME")

    def read(self, text: str, notation: Spelling) -> Swap:
        tokens = text.split()
        words = [notation.find_meaning(token) for token in tokens]
        if "with" not in words:
            raise Unreadable(
                tr("the name of the player to exchange with is missing"),
                tr("the form is “{form}”", form=tr(self.form)),
            )
        cut = words.index("with")
        seat = notation.find_seat(" ".join(tokens[cut + 1 :]))
        if cut == 1 and tokens[0].isascii() and tokens[0].isdigit():
            number = parse_whole(tokens[0], 1, 99)
            return Swap(number, number, seat)
        if "for" not in words[:cut]:
            raise Unreadable(
                tr("“{text}” does not state which cards are exchanged for which", text=clean(text))
            )
        middle = words.index("for")
        cards = Cards(1, 60)
        given = cards.read(" ".join(tokens[:middle]), notation)
        taken = cards.read(" ".join(tokens[middle + 1 : cut]), notation)
        return Swap(given, taken, seat)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Swap]:
        cards = Cards(1, 3)
        seat = rng.randint(0, len(notation.names) - 1)
        (given,), (taken,) = cards.sample(rng, notation), cards.sample(rng, notation)
        return (Swap(given, taken, seat),)

    def write(self, value: Swap, notation: Spelling) -> str:
        name, with_ = notation.names[value.seat], notation.write_word("with")
        if isinstance(value.given, int):
            return f"{value.given} {with_} {name}"
        cards = Cards()
        given, taken = cards.write(value.given, notation), cards.write(value.taken, notation)
        return f"{given} {notation.write_word('for')} {taken} {with_} {name}"


@phase
class Exchange(Phase[State]):
    """The phase in which a player may claim the cards owed since the previous round.

    The claim may also be cancelled or lapse.
    """

    name = "exchange"
    doc = (
        "Runs during the whole round. The master may claim cards that were owed when the "
        "last round ended. The master gives cards of their choice for the best cards of "
        "the player who was master then."
    )
    clause_order = "owed between even best held cancels lapsed"
    standard_words = clause_order
    judged = {"held": ("exchange", "show"), "between": ("exchange",), "lapsed": "until"}
    concurrent = True
    passes_cards = True
    tables = ("pack", "deal")
    others = ("levels", "tricks")
    parameters = {
        "owed": Parameter(
            "number", "the number of cards that the old master owes after a round", words=("owed",)
        ),
        "order": Parameter(
            "name",
            "the order that ranks the cards; only its trumps count",
            rows="orders",
        ),
        "until": Parameter("texts", "the verbs with which an unclaimed exchange lapses"),
        "cancelled_by": Parameter(
            "texts", "the sets of cards that cancel the exchange when shown", []
        ),
        "shown_by": Parameter(
            "choice", "the players who may show them", "side", ("side", "giver", "all")
        ),
    }
    reports = {
        "exchange": "the cards exchanged, or whether the exchange was cancelled or lapsed",
        "owes": "the number of cards that this round's master owes in the next round",
    }
    player_reports = ("exchange",)
    entry_types = (
        EntryType(
            "exchange",
            SwapSyntax(),
            N_("claims the cards that are owed to the master"),
            plays_cards=True,
        ),
        EntryType("show", Cards(1, 12), N_("shows cards from the hand"), plays_cards=True),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        # an entry with one of these verbs makes the claim lapse
        self.lapsing_verbs: list[str] = row["until"]
        self.cancelling_sets: list[
            tuple[int, ...]
        ] = []  # sets of cards, each sorted, that cancel the claim when shown
        self._owed: Expression  # number of cards owed after a round; compiled in `link`

    def link(self) -> None:
        self._owed = self.rules.compile_expression(
            self.row["owed"], "phases.exchange.owed", whole=True
        )
        self.cancelling_sets = self._sets()

    def _sets(self) -> list[tuple[int, ...]]:
        index, result = self.rules.pack.index, []
        for text in self.row["cancelled_by"]:
            unknown = [code for code in text.split() if code not in index]
            if unknown:
                message = f"phases.exchange.cancelled_by: {unknown[0]} is no card of the pack"
                self.rules.fault("phases.exchange.cancelled_by", text, "cards", message)
            else:
                result.append(tuple(sorted(index[code] for code in text.split())))
        return result

    def words(self) -> Iterable[tuple[str, str]]:
        return (("for", "for"), ("with", "with"))

    def begin(self, rnd: Round) -> State:
        carried = rnd.carried(self.name)
        if not carried or rnd.starts_midway:
            return State(0, None)
        return State(carried["cards"], carried["from"])

    def cards_due(self, rnd: Round) -> int:
        """Return the number of cards that may be claimed now."""
        state = rnd.state(self)
        if (
            state.outcome
            or state.giver is None
            or state.giver in rnd.seating.side(rnd.table.master)
        ):
            return 0
        return 0 if rnd.over or rnd.first_entry_text(self.lapsing_verbs) else state.cards

    def reason_none_due(self, rnd: Round) -> str:
        """Return the reason why no card may be claimed now, worded as the end of a sentence."""
        state = rnd.state(self)
        if rnd.starts_midway:
            return tr("the recording began in the middle of the round")
        if state.giver is None or state.giver in rnd.seating.side(rnd.table.master):
            return tr("no cards are owed from the previous round")
        if state.outcome:
            what = state.last_act[1] if state.last_act is not None else ""
            return (
                tr("the exchange was already cancelled ({what})", what=what)
                if state.outcome == CANCELLED
                else tr("the exchange is already complete ({what})", what=what)
            )
        return tr("the claim lapsed with “{entry}”", entry=rnd.first_entry_text(self.lapsing_verbs))

    def cancelling_seats(self, rnd: Round) -> tuple[int, ...]:
        """Return the seats that may cancel the exchange by showing cards."""
        giver = rnd.state(self).giver
        if giver is None:
            return ()
        seats = {"side": rnd.seating.side(giver), "giver": (giver,), "all": tuple(rnd.seats)}
        return seats[self.row["shown_by"]]

    def order(self, rnd: Round) -> Order:
        """Return the order of the cards, given what is known about the trump."""
        return self.rules.orders.get(self.row["order"], rnd.table.bindings)

    def hand_cards(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        if entry.seat is None:
            return ()
        if entry.type.word == "show":
            return ((entry.seat, entry.value),)
        given, taken, giver = entry.value
        return () if isinstance(given, int) else ((entry.seat, given), (giver, taken))

    def options(self, rnd: Round) -> Iterator[Entry]:
        due, giver = self.cards_due(rnd), rnd.state(self).giver
        if not due or giver is None:
            return
        exchange, show = self.entry_types
        master = rnd.table.master
        yield Entry(exchange, master, Swap((), (), giver))
        for number in range(1, due + 1):
            yield Entry(exchange, master, Swap(number, number, giver))
        for seat in self.cancelling_seats(rnd):
            for cards in self.cancelling_sets:
                yield Entry(show, seat, cards)

    def fill(self, rnd: Round, entry: Entry, rng: Rng) -> Entry | None:
        """Return an exchange of random cards from the master's hand for the giver's best trumps.
        Return None if the known hands do not allow one."""
        hands, swap, order = rnd.hands, entry.value, self.order(rnd)
        kinds_in = self.rules.pack.kinds_in
        trumps = kinds_in(hands.known[swap.seat] & order.masks[TRUMP])
        own = kinds_in(hands.known[rnd.table.master])
        number = min(rng.randint(1, max(1, self.cards_due(rnd))), len(trumps), len(own))
        if not number:
            return None
        best = sorted(trumps, key=lambda kind: -order.strength[kind])[:number]
        given = tuple(rng.sample(own, number))
        return Entry(entry.type, entry.seat, Swap(given, tuple(best), swap.seat))

    def apply(self, rnd: Round, entry: Entry) -> None:
        state, seat = rnd.state(self), actor_of(entry)
        if entry.type.word == "show":
            rnd.hands.note_seen(seat, entry.value)
            if self.cards_due(rnd):
                state.outcome = CANCELLED
        else:
            self._swap(rnd, seat, entry.value)
            if rnd.sides is not None:
                rnd.sides.reset_proofs()
            state.outcome = DONE
        state.last_act = (seat, entry.text)

    def _swap(self, rnd: Round, seat: int, swap: Swap) -> None:
        """Move the cards between the hands."""
        knowledge, pack = rnd.hands, rnd.rules.pack
        given, taken, giver = swap
        if seat == giver:
            raise Impossible(tr("players cannot exchange cards with themselves"))
        if isinstance(given, int) or isinstance(taken, int):
            knowledge.give_unseen(giver, seat, count_cards(taken))
            knowledge.give_unseen(seat, giver, count_cards(given))
            return
        for kind in taken:
            knowledge.mark_contradicted(giver, kind)
        for kind in given:
            knowledge.mark_contradicted(seat, kind)
        knowledge.give(giver, seat, pack.hand_of(taken))
        knowledge.give(seat, giver, pack.hand_of(given))

    def close(self, rnd: Round) -> None:
        if rnd.void:
            return
        rnd.carry_over(self.name, None)
        cards = 0 if rnd.starts_midway and rnd.result is None else int(rnd.evaluate(self._owed))
        if cards > 0:
            rnd.carry_over(self.name, {"cards": cards, "from": rnd.table.master})

    def reseat(self, carried: Json, new_seats: Sequence[int | None], count: int) -> Json:
        giver = new_seats[carried["from"]]
        return {} if giver is None else {**carried, "from": giver}

    def view(self, rnd: Round) -> ExchangeView:
        state, due = rnd.state(self), self.cards_due(rnd)
        names, carried = rnd.names, rnd.carried(self.name)
        owes = None
        if carried and rnd.over and not rnd.void:
            owes = (names[carried["from"]], carried["cards"])
        return ExchangeView(
            ExchangeFacts(
                master=names[rnd.table.master],
                giver=None if state.giver is None else names[state.giver],
                cards=state.cards,
                due=due if state.giver is not None else 0,
                until=[rnd.rules.translate_word(verb) for verb in self.lapsing_verbs],
                act=None
                if state.last_act is None
                else (names[state.last_act[0]], state.last_act[1]),
                end=state.outcome,
                lapsed=bool(rnd.first_entry_text(self.lapsing_verbs)),
                owes=owes,
            )
        )


# --- view


class ExchangeFacts(NamedTuple):
    """The exchange of one round.

    `cards` is the number of cards that `giver` owed `master` when the round began. `due` is the
    number of cards that may still be claimed. After one of the entries `until`, the claim
    lapses, and `lapsed` is true. `act` is the last entry about the exchange, with its player, and
    `end` is the outcome of the exchange. Once this round is finished, `owes` contains the player
    who owes cards in the next round, and the number of cards.
    """

    master: str
    giver: str | None
    cards: int
    due: int
    until: Sequence[str]
    act: tuple[str, str] | None
    end: str
    lapsed: bool
    owes: tuple[str, int] | None


class ExchangeView(View[ExchangeFacts]):
    """The cards owed and how the exchange ended, as text and JSON."""

    __slots__ = ()

    def sentences(self) -> Iterator[Sentence]:
        facts = self.facts
        if facts.due:
            message = plural(
                "{giver} owes {master} {count} card, to be exchanged before {verbs}",
                "{giver} owes {master} {count} cards, to be exchanged before {verbs}",
                facts.due,
                giver=facts.giver,
                master=facts.master,
                verbs=join_list(facts.until, "or"),
            )
            yield Sentence(message)
        if facts.act is not None:
            _, what = facts.act
            if facts.end == CANCELLED:
                yield Sentence(tr("the exchange is cancelled: {what}", what=what))
            else:
                yield Sentence(tr("the exchange is complete: {what}", what=what))
        yield from map(Sentence, self.result_sentences())

    def result_sentences(self) -> Iterator[str]:
        if self.facts.owes is not None:
            giver, cards = self.facts.owes
            yield plural(
                "{giver} owes {count} card in the next exchange",
                "{giver} owes {count} cards in the next exchange",
                cards,
                giver=giver,
            )

    def as_json(self) -> Json:
        facts = self.facts
        bindings: Json = {}
        if facts.act is not None:
            who, what = facts.act
            bindings["exchange"] = {"who": who, "what": what, "state": facts.end}
        if not facts.due:
            return {"bindings": bindings}
        owed = {
            "who": facts.giver,
            "what": "exchange",
            "cards": facts.due,
            "to": facts.master,
            "until": list(facts.until),
        }
        return {"bindings": bindings, "owed": [owed]}

    def summary(self) -> Json:
        facts = self.facts
        owes = None if facts.owes is None else facts.owes[1]
        return {"exchange": self._outcome(), "owes": owes}

    def _outcome(self) -> str | None:
        """Return how the exchange ended, or None if no cards were owed or the exchange is still
        possible."""
        facts = self.facts
        what = None if facts.act is None else facts.act[1]
        if facts.end == CANCELLED:
            return f"cancelled ({what})"
        if facts.cards and facts.act is None and facts.lapsed:
            return "lapsed"
        return what


# --- the clauses


@clause(
    "owed",
    "exchange",
    on=("exchange", "show"),
    say=N_("no exchange is due now: {why}"),
    doc=(
        "Cards may be exchanged only if they are owed from the previous round, and the claim "
        "has not lapsed or been used or cancelled."
    ),
)
def _owed(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Exchange)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if phase.cards_due(rnd):
            return None
        return Breach({"why": phase.reason_none_due(rnd), "owed": 0})

    return judge


@clause(
    "between",
    "exchange",
    on=("exchange",),
    say=N_("the exchange is between {master} and {giver}"),
    doc="The master must claim the cards from the player who was master in the lost round.",
)
def _between(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Exchange)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        giver, master = rnd.state(phase).giver, rnd.table.master
        if giver is None or (entry.seat == master and entry.value.seat == giver):
            return None
        return Breach({"master": rnd.names[master], "giver": rnd.names[giver]})

    return judge


@clause(
    "even",
    "exchange",
    on=("exchange",),
    say=N_("{cards} for {taken}: the two numbers must be equal, and at most {owed}"),
    doc="The master must give as many cards as they take, and may not take more than are owed.",
)
def _even(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Exchange)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        swap, due = entry.value, phase.cards_due(rnd)
        if swap.is_open or not due:
            return None
        given, taken = count_cards(swap.given), count_cards(swap.taken)
        if given == taken <= due:
            return None
        facts = {"given": given, "taken": taken, "owed": due}
        return Breach({**facts, "cards": plural("{count} card", "{count} cards", given)})

    return judge


@clause(
    "best",
    "exchange",
    on=("exchange",),
    say=N_(
        "{giver} must give their best trumps and may not hold back one that is better than "
        "{weakest}"
    ),
    doc=(
        "The cards taken must be the giver's best trumps. A giver with too few trumps gives "
        "fewer cards."
    ),
)
def _best(row: Row, rules: Ruleset) -> Judge:
    phase, pack = rules.phase(Exchange), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        swap: Swap = entry.value
        giver, taken = swap.seat, swap.taken
        if swap.is_open or not phase.cards_due(rnd) or giver != rnd.state(phase).giver:
            return None
        order = phase.order(rnd)
        facts: Facts = {"giver": rnd.names[giver]}
        if isinstance(taken, int):
            message = N_(
                "{giver} must have {trumps} to give; a player with fewer trumps gives fewer cards"
            )
            facts |= {"count": taken, "trumps": plural("{count} trump", "{count} trumps", taken)}
            return Claim(giver, order.masks[TRUMP], taken, pack.card_count, facts, message)
        plain = [pack.kinds[kind] for kind in taken if order.classes[kind] != TRUMP]
        if plain:
            message = N_(
                "{cards} cannot be claimed; a player can claim only known trumps, the best ones "
                "first"
            )
            return Breach({**facts, "cards": plain}, message)
        weakest = min(taken, key=order.strength.__getitem__)
        better = _better_trumps(order, weakest)
        mask = sum(pack.column[kind] for kind in better)
        most = sum(kind in better for kind in taken)
        facts |= {"weakest": pack.kinds[weakest], "better": [pack.kinds[kind] for kind in better]}
        return Claim(giver, mask, 0, most, facts) if better else None

    return judge


def _better_trumps(order: Order, weakest: int) -> list[int]:
    """Return the kinds of trump that beat this one."""
    return [
        kind
        for kind, strength in enumerate(order.strength)
        if order.classes[kind] == TRUMP and strength > order.strength[weakest]
    ]


@clause(
    "cancels",
    "exchange",
    on=("show",),
    say=N_(
        "{who} cannot cancel the exchange by showing {cards}; {names} can, by showing {sets} "
        "from one hand"
    ),
    doc=(
        "A player may cancel the exchange by showing a set from `cancelled_by`. By default, "
        "only the owing side may do so (`shown_by`)."
    ),
)
def _cancels(row: Row, rules: Ruleset) -> Judge:
    phase, pack = rules.phase(Exchange), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        giver, seats = rnd.state(phase).giver, phase.cancelling_seats(rnd)
        shown = tuple(sorted(entry.value))
        if giver is None or (entry.seat in seats and shown in phase.cancelling_sets):
            return None
        sets = [pack.format_kinds(cards) for cards in phase.cancelling_sets]
        cards, may = [pack.kinds[kind] for kind in entry.value], rnd.names_of(seats)
        facts = {"cards": cards, "giver": rnd.names[giver], "may": may, "sets": sets}
        return Breach({**facts, "names": join_list(may, "or")})

    return judge


@clause(
    "lapsed",
    "exchange",
    say=LAPSED[True],
    doc=(
        "An entry with one of the verbs in `on` makes an unclaimed exchange lapse. A note "
        "reports it."
    ),
    verdict=LEGAL,
)
def _lapsed(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Exchange)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        due, seat = phase.cards_due(rnd), rnd.state(phase).giver
        if not due or seat is None:
            return None
        giver, master = rnd.names[seat], rnd.names[rnd.table.master]
        facts: Facts = {"cards": due, "giver": giver, "master": master}
        return Breach(facts, LAPSED[due > 1])

    return judge
