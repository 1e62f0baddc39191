"""Cards that players give away before play, face up or unseen, for example to the left.

All cards change hands at once, so no player passes on a card that they have just received.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, Prompt, Sentence, join_list, plural, tr
from scorekeeper.core.sides import ACCEPTED
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import ONE, deals_again, mates_of, seat_of
from scorekeeper.engine.phase import Measure, Phase, View, actor_of
from scorekeeper.engine.ruleset import player_counts
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import CardsOrCount, NoValue, Syntax
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling

ALL = "all"
ACROSS, PARTNER, ANYONE, NOBODY = "across", "partner", "anyone", "nobody"
ASKED = "taker"
DIRECTIONS = ("left", "right", ACROSS, PARTNER, ANYONE, ASKED, NOBODY)
DIRECTION_TEXTS = {
    "left": N_("to the left"),
    "right": N_("to the right"),
    ACROSS: N_("across"),
    PARTNER: N_("to their partner"),
}
NAMED = -1  # the receiver is named when the cards are given
TAKER = -2  # the other players are asked in turn until one takes the cards
TO = "to"  # the word before the receiver's name


class CardsToGive(NamedTuple):
    """The number of cards that a seat must give, and their receiver: a seat, NAMED or TAKER."""

    to: int
    number: int


class State:
    """The giving of cards in one round.

    `direction` is the ruleset's word for the receiver. `owed` maps each giving seat, in turn order,
    to the cards that it must give. `gifts` are cards that have been given but not yet moved.
    `seats_to_ask` must still be asked whether they take the cards. `is_return` is true if the
    receiver gives the same number of cards back. `is_done` is true once no more cards have to be
    given.
    """

    __slots__ = ("direction", "gifts", "is_done", "is_return", "owed", "seats_to_ask")

    def __init__(self, where: str, due: dict[int, CardsToGive]) -> None:
        self.direction = where
        self.owed = due
        self.gifts: dict[int, Gift] = {}
        self.seats_to_ask: list[int] = []
        self.is_return = self.is_done = False

    def waiting(self) -> list[int]:
        """Return the seats that must still give, or the seat being asked whether it takes the
        cards."""
        if self.is_done:
            return []
        return [seat for seat in self.owed if seat not in self.gifts] or self.seats_to_ask[:1]


class Gift(NamedTuple):
    """Cards given to a seat, or to -1 if no receiver was stated.

    `cards` are the kinds of the cards, or their number if they are unseen. The kinds are empty if
    the gift represents choices that are not listed.
    """

    cards: tuple[int, ...] | int
    to: int

    @property
    def number(self) -> int:
        """The number of cards."""
        return self.cards if isinstance(self.cards, int) else len(self.cards)


class GiftSyntax(Syntax):
    """The syntax of cards or their number, with or without a receiver."""

    names_players = True
    form = N_("CARD… or NUMBER, optionally followed by to NAME")
    cards = CardsOrCount()

    def read(self, text: str, notation: Spelling) -> Gift:
        tokens = text.split()
        words = [notation.find_meaning(token) for token in tokens]
        to = -1
        if TO in words:
            cut = words.index(TO)
            if cut + 1 == len(tokens):
                raise Unreadable(tr("the name of the receiver is missing"))
            to = notation.find_seat(" ".join(tokens[cut + 1 :]))
            text = " ".join(tokens[:cut])
        return Gift(self.cards.read(text, notation), to)

    def write(self, value: Gift, notation: Spelling) -> str:
        text = self.cards.write(value.cards, notation)
        return (
            text if value.to < 0 else f"{text} {notation.write_word(TO)} {notation.names[value.to]}"
        )

    def is_count_only(self, value: Gift) -> bool:
        return isinstance(value.cards, int)

    def sample(self, rng: Rng, notation: Spelling) -> tuple[Gift, ...]:
        seats = range(-1, len(notation.names))
        return tuple(Gift(cards, rng.choice(seats)) for cards in self.cards.sample(rng, notation))

    def hide_cards(self, value: Gift) -> Gift:
        return value._replace(cards=value.number)


@phase
class Give(Phase[State]):
    """The phase in which players give cards away before play."""

    name = "give"
    doc = (
        "All players, or one player, give cards to others, face up or unseen. The cards "
        "change hands when all have given. A round whose recording begins in the middle "
        "skips this phase."
    )
    passes_cards = True
    clause_order = "gives given-to held"
    standard_words = clause_order
    judged = {"held": ("give",)}
    tables = ("pack", "deal")
    parameters = {
        "cards": Parameter(
            "number", "the number of cards that each player gives (0: the phase is skipped)"
        ),
        "to": Parameter(
            "lines",
            "the receiver: one word, or a list with one word for each round (if the same "
            "player deals again, the word is repeated); `anyone`: another player named "
            "by the giver; `taker`: the others are asked in turn, and the first to "
            "`take` the cards gets them (if all `pass`, the round is void); `nobody`: no "
            "cards are given in that round",
            choices=DIRECTIONS,
        ),
        "who": Parameter("choice", "the players who give", ALL, (ALL, *ONE)),
        "returned": Parameter(
            "bool", "whether a player who has received cards then gives the same number back", False
        ),
    }
    entry_types: tuple[EntryType, ...] = (
        EntryType("give", GiftSyntax(), N_("gives cards away"), by=Actor.TURN, plays_cards=True),
        EntryType("take", NoValue(), N_("takes the offered cards"), by=Actor.TURN),
        EntryType(
            "pass", NoValue(), N_("leaves the offered cards to the next player"), by=Actor.TURN
        ),
    )
    reports = {"given": "the players to whom cards were given"}
    player_reports = ("given",)

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.directions: list[str] = [row["to"]] if isinstance(row["to"], str) else row["to"]
        self.entry_types = self.entry_types if ASKED in self.directions else self.entry_types[:1]
        self._cards: Expression  # the number of cards that each player gives; compiled in `link`

    def link(self) -> None:
        where = "phases.give.to"
        self._cards = self.rules.compile_expression(
            self.row["cards"], "phases.give.cards", whole=True
        )
        for direction, wrong, message in (
            ("nothing", not self.directions, "does not say to whom cards are given"),
            (
                ACROSS,
                self._has_nobody_across(),
                "with an odd number of players nobody sits across",
            ),
            (PARTNER, not self._has_partners(), "here nobody has a partner"),
            (ANYONE, self.row["who"] == ALL, "who gives to anyone is one player (who = …)"),
            (
                ASKED,
                self.row["who"] == ALL,
                "who gives to who takes it is one player (who = …)",
            ),
        ):
            if wrong and (direction in self.directions or not self.directions):
                self.rules.fault(where, direction, " or ".join(DIRECTIONS), f"{where}: {message}")

    def _has_nobody_across(self) -> bool:
        out = self.rules.deal["sits_out"]
        known = player_counts(self.rules.players)
        return any((count - len(out.get(str(count), ()))) % 2 for count in known)

    def _has_partners(self) -> bool:
        return bool(self.rules.sides["number"]) or self.rules.has("parties")

    def words(self) -> Iterable[tuple[str, str]]:
        return ((TO, TO),)

    def named_measures(self) -> Iterator[Measure]:
        yield Measure("give.back", "whether cards are given back now", self._is_back, kind=TRUTH)
        yield Measure("give.done", "whether all cards have been given", self._is_done, kind=TRUTH)

    def _is_back(self, rnd: Round, _: object) -> bool:
        state = rnd.state_if_begun(self)
        return state is not None and state.is_return

    def _is_done(self, rnd: Round, _: object) -> bool:
        state = rnd.state_if_begun(self)
        return state.is_done if state is not None else not self._find_owed(rnd)

    # --- givers and receivers

    def begin(self, rnd: Round) -> State:
        return State(self._direction(rnd), self._find_owed(rnd))

    def takes_place(self, rnd: Round) -> bool:
        return bool(self._find_owed(rnd))

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).is_done

    def waiting(self, rnd: Round) -> list[int]:
        return rnd.state(self).waiting()

    def _direction(self, rnd: Round) -> str:
        """Return the ruleset's word for the receiver in this round."""
        if not self.directions:
            return NOBODY
        place: int = rnd.carried(self.name).get("rounds", 0)
        return self.directions[place % len(self.directions)]

    def _find_owed(self, rnd: Round) -> dict[int, CardsToGive]:
        """Return the cards that each seat must give, beginning with the seat to the dealer's
        left."""
        number = int(rnd.evaluate(self._cards))
        where, who = self._direction(rnd), self.row["who"]
        if rnd.starts_midway or number < 1 or where == NOBODY:
            return {}
        start = rnd.seating.next_seat(rnd.seating.dealer)
        seats = [seat for seat in rnd.seats if seat >= start]
        seats += [seat for seat in rnd.seats if seat < start]
        if who != ALL:
            seats = [seat for seat in seats if seat == seat_of(rnd, who)]
        owed = {seat: CardsToGive(self._receiver(rnd, seat, where), number) for seat in seats}
        return {seat: due for seat, due in owed.items() if due.to != seat}

    def _receiver(self, rnd: Round, seat: int, where: str) -> int:
        """Return the receiver of a seat's cards: another seat, NAMED or TAKER. Return the seat
        itself if there is no receiver."""
        if where in (ANYONE, ASKED):
            return NAMED if where == ANYONE else TAKER
        if where == PARTNER:
            mates = mates_of(rnd, seat)
            return mates[0] if len(mates) == 1 else seat
        seats = rnd.seats
        steps = {"left": 1, "right": -1, ACROSS: len(seats) // 2}[where]
        return seats[(seats.index(seat) + steps) % len(seats)]

    def options(self, rnd: Round) -> Iterator[Entry]:
        state = rnd.state(self)
        for seat in state.waiting():
            if seat not in state.owed:
                yield from (Entry(verb, seat, None) for verb in self.entry_types[1:])
                continue
            due = state.owed[seat]
            named = [other for other in rnd.seats if other != seat] if due.to == NAMED else [-1]
            for to in named:
                yield Entry(self.entry_types[0], seat, Gift((), to))
                yield Entry(self.entry_types[0], seat, Gift(due.number, to))

    def fill(self, rnd: Round, entry: Entry, rng: Rng) -> Entry | None:
        """Return a gift of random cards from the giver's hand, or None if the hand has too few
        cards."""
        seat, state = actor_of(entry), rnd.state(self)
        hand = rnd.rules.pack.kinds_in(rnd.hands.known[seat])
        number = state.owed[seat].number
        if number > len(hand):
            return None
        return Entry(entry.type, seat, Gift(tuple(rng.sample(hand, number)), entry.value.to))

    def hand_cards(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        cards = () if entry.value is None else entry.value.cards
        return () if entry.seat is None or isinstance(cards, int) else ((entry.seat, cards),)

    # --- effects of entries

    def apply(self, rnd: Round, entry: Entry) -> None:
        state, seat, gift = rnd.state_if_begun(self), actor_of(entry), entry.value
        name = rnd.names[seat]
        if state is None or state.is_done:
            raise Impossible(tr("no cards can be given now"), rnd.prompt())
        if entry.type.word != "give":
            self._answer(rnd, state, seat, entry)
            return
        if seat not in state.owed or seat in state.gifts:
            say = (
                tr("{who} has already given their cards", who=name)
                if seat in state.gifts
                else tr("{who} has no cards to give", who=name)
            )
            raise Impossible(say, tr("undo or amend the wrong entry"))
        due = state.owed[seat]
        to = due.to if gift.to < 0 else gift.to
        if due.to == TAKER:
            to = TAKER
        elif to in (NAMED, seat) or to not in rnd.seats:
            raise Impossible(
                tr("the name of the player to whom {who} gives the cards is missing", who=name),
                f"{entry.text} {TO} NAME",
            )
        if gift.number > rnd.hands.size(seat):
            cards = plural("{count} card", "{count} cards", rnd.hands.size(seat))
            raise Impossible(
                tr("{who} holds {cards}, not {number}", who=name, cards=cards, number=gift.number)
            )
        if not isinstance(gift.cards, int):
            rnd.hands.note_seen(seat, gift.cards)
        state.gifts[seat] = Gift(gift.cards, to)
        if to == TAKER:
            others = rnd.seats[rnd.seats.index(seat) + 1 :] + rnd.seats[: rnd.seats.index(seat)]
            state.seats_to_ask = others
        if not state.waiting():
            self._move_cards(rnd, state)

    def _answer(self, rnd: Round, state: State, seat: int, entry: Entry) -> None:
        """Let the player who was asked take the cards, or offer the cards to the next player."""
        if seat not in state.seats_to_ask[:1]:
            raise Impossible(
                tr(
                    "“{text}”: it is not {who}'s turn to answer",
                    text=entry.text,
                    who=rnd.names[seat],
                ),
                rnd.prompt(),
            )
        if entry.type.word == "take":
            ((giver, gift),) = state.gifts.items()
            state.gifts, state.seats_to_ask = {giver: gift._replace(to=seat)}, []
            if rnd.sides is not None and rnd.sides.mode == ACCEPTED:
                rnd.sides.assign((giver, seat))
            self._move_cards(rnd, state)
            return
        state.seats_to_ask = state.seats_to_ask[1:]
        if not state.seats_to_ask:
            state.is_done = rnd.void = True
            rnd.finish()

    def _move_cards(self, rnd: Round, state: State) -> None:
        """Move all cards at once, so that no player passes on a card that they have just
        received."""
        unseen: list[tuple[int, int, int]] = []
        seen: list[tuple[int, int, int]] = []
        gifts = state.gifts
        for seat, gift in gifts.items():
            if isinstance(gift.cards, int):
                unseen.append((seat, gift.to, gift.cards))
            else:
                seen.append((seat, gift.to, rnd.rules.pack.hand_of(gift.cards)))
        rnd.hands.pass_on(unseen, seen)
        if rnd.sides is not None:
            rnd.sides.reset_proofs()
        if self.row["returned"] and not state.is_return:
            state.is_return, state.gifts = True, {}
            state.owed = {gift.to: CardsToGive(seat, gift.number) for seat, gift in gifts.items()}
        else:
            state.is_done = True

    def close(self, rnd: Round) -> None:
        if not (rnd.void and deals_again(rnd)) and len(self.directions) > 1:
            rounds: int = rnd.carried(self.name).get("rounds", 0)
            rnd.carry_over(self.name, {"rounds": (rounds + 1) % len(self.directions)})

    def view(self, rnd: Round) -> GiveView:
        state = rnd.state_if_begun(self)
        if state is None:
            nothing = GiveFacts(None, False, (), (), None, (), False, rnd.over, rnd.void, str)
            return GiveView(nothing)
        debts = {seat: _read_debt(rnd, seat, due) for seat, due in state.owed.items()}
        waiting = state.waiting()
        asked = [seat for seat in waiting if seat not in debts]
        return GiveView(
            GiveFacts(
                direction=state.direction,
                is_return=state.is_return,
                debts=tuple(debts.values()),
                owed=[debts[seat] for seat in waiting if seat in debts],
                asked=rnd.names[asked[0]] if asked else None,
                given=rnd.names_of(state.gifts),
                is_done=state.is_done,
                over=rnd.over,
                void=rnd.void,
                spoken=rnd.rules.translate_word,
            )
        )


# --- view


class CardDebt(NamedTuple):
    """Cards that a player must give.

    `receiver` is None while it is undecided. In that case, `giver_names` is true if the giver names
    the receiver.
    """

    giver: str
    cards: int
    receiver: str | None
    giver_names: bool


def _read_debt(rnd: Round, seat: int, due: CardsToGive) -> CardDebt:
    receiver = None if due.to < 0 else rnd.names[due.to]
    return CardDebt(rnd.names[seat], due.number, receiver, due.to == NAMED)


class GiveFacts(NamedTuple):
    """The cards that have been given, and the cards that must still be given.

    `direction` is the ruleset's word for the receiver, or None before the phase begins. `is_return`
    is true if the same number of cards is given back. `owed` are the cards that have not been given
    yet. `asked` is the player being asked whether they take the cards. `is_done` is true once the
    cards have changed hands. `spoken` returns the game's word for a canonical word.
    """

    direction: str | None
    is_return: bool
    debts: Sequence[CardDebt]
    owed: Sequence[CardDebt]
    asked: str | None
    given: Sequence[str]
    is_done: bool
    over: bool
    void: bool
    spoken: Callable[[str], str]


class GiveView(View[GiveFacts]):
    """The cards to be given, as text and JSON."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        owed, translate = self.facts.owed, self.facts.spoken
        if not owed:
            text = tr(
                "{who} says {take} or {leave}",
                who=self.facts.asked,
                take=translate("take"),
                leave=translate("pass"),
            )
            return Prompt(text)
        debt = owed[0]
        facts = {
            "names": join_list([each.giver for each in owed]),
            "cards": plural("{count} card", "{count} cards", debt.cards),
            "whom": self._whom(debt),
        }
        text = plural(
            "{names} gives {cards} {whom}: enter {give} CARD…{to}, or {give} {number}{to} if "
            "they are unseen",
            "{names} each give {cards} {whom}: enter {give} CARD…{to}, or {give} "
            "{number}{to} if they are unseen",
            len(owed),
            give=translate("give"),
            number=debt.cards,
            to=f" {translate(TO)} NAME" if debt.giver_names else "",
            **facts,
        )
        awaited = plural(
            "{names} gives {cards} {whom}", "{names} each give {cards} {whom}", len(owed), **facts
        )
        return Prompt(text, awaited)

    def sentences(self) -> Iterator[Sentence]:
        facts = self.facts
        if facts.is_done and not facts.is_return and len(facts.debts) > 1:
            debt = facts.debts[0]
            message = plural(
                "everyone has given {count} card {whom}",
                "everyone has given {count} cards {whom}",
                debt.cards,
                whom=self._whom(debt),
            )
            yield Sentence(message)
        elif facts.given:
            message = plural(
                "{names} has given their cards",
                "{names} have given their cards",
                len(facts.given),
                names=join_list(facts.given),
            )
            yield Sentence(message)

    def _whom(self, debt: CardDebt) -> str:
        """Return the receiver of the cards, worded as the end of a sentence."""
        facts = self.facts
        if debt.receiver is None:
            return (
                tr("to a player of their choice")
                if debt.giver_names
                else tr("to the player who takes them")
            )
        if facts.is_return:
            return tr("back to {who}", who=debt.receiver)
        if len(facts.debts) == 1:
            return tr("to {who}", who=debt.receiver)
        direction = facts.direction or ""
        return tr(DIRECTION_TEXTS[direction]) if direction in DIRECTION_TEXTS else direction

    def as_json(self) -> Json:
        facts = self.facts
        if facts.direction is None or facts.over:
            return {}
        owed: list[Json] = []
        for debt in facts.owed:
            to = {} if debt.receiver is None else {"to": debt.receiver}
            owed.append({"who": debt.giver, "what": "give", "cards": debt.cards, **to})
        if facts.asked is not None:
            owed.append({"who": facts.asked, "what": "take"})
        return {"bindings": {"give": facts.direction}, "owed": owed}

    def summary(self) -> Json:
        return {"given": None if self.facts.void else self.facts.direction}


# --- the clauses


@clause(
    "gives",
    "give",
    on=("give",),
    say=N_("{who} must give {due}, not {count}"),
    doc=(
        "A player must give the number of cards that the phase sets. A player who must "
        "return cards must return as many as they received."
    ),
)
def _gives(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Give)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        due, gift = rnd.state(phase).owed.get(actor_of(entry)), entry.value
        if due is None or gift.cards == () or gift.number == due.number:
            return None
        return Breach(
            {"due": plural("{count} card", "{count} cards", due.number), "count": gift.number}
        )

    return judge


@clause(
    "given-to",
    "give",
    on=("give",),
    say=N_("{who} must give the cards to {to} in this round, not to {named}"),
    doc=(
        "Cards must go to the player set by the phase or, with `anyone`, to another player "
        "named by the giver."
    ),
)
def _given_to(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Give)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        seat, named = actor_of(entry), entry.value.to
        due = rnd.state(phase).owed.get(seat)
        if due is None or (named in (NAMED, due.to) and due.to != NAMED):
            return None
        if due.to == TAKER:
            return Breach(
                {"named": rnd.names[named]},
                N_("{who} must give the cards to the player who takes them, not to {named}"),
            )
        if due.to != NAMED:
            return Breach({"to": rnd.names[due.to], "named": rnd.names[named]})
        if named in rnd.seats and named != seat:
            return None
        message = N_("{who} must name another player: {form}")
        return Breach(
            {"form": f"{rules.translate_word('give')} CARD… {rules.translate_word('to')} NAME"},
            message,
        )

    return judge
