"""The kitty: cards that are dealt to no player.

It may be turned up for all players to see. One player takes it and buries the same number of
cards, or leaves it. Play begins afterwards, so an earlier lead is out of turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.cards import Trick, plain_points
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, Prompt, Sentence, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.contracts import KITTY, LAST, NOBODY, OWNER
from scorekeeper.engine.measures import MASTER, ONE, mates_of, seat_of
from scorekeeper.engine.phase import KittyRules, Measure, Phase, View
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import Cards, CardsOrCount, NoValue
from scorekeeper.ruleset.orders import suit_name
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Json, Rng, Row
    from scorekeeper.engine.phase import Build, Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

TURNED, TAKEN, LEFT, BURIED = "turned", "taken", "left", "buried"
OWED = (TURNED, TAKEN)  # the stages in which the owner must still act
ALL, UPCARD = "all", "turned"
NOT_NOW = N_("this cannot be entered now: {prompt}")


class State:
    """The kitty of one round.

    `stage` is "" before the kitty is turned up, then TURNED, and then either LEFT, or TAKEN and
    BURIED. A kitty that stays face down begins as TURNED. `size` is the number of cards that may be
    taken. `cards` are the kinds of the cards, empty while the cards are unseen. `upcard` is the
    card of an unseen kitty that was turned up in the deal, or empty. `buried` are the kinds of the
    buried cards, or their number if they are unseen. `contract` is the contract before the kitty
    was turned up.
    """

    __slots__ = ("buried", "cards", "contract", "size", "stage", "upcard")

    def __init__(self, size: int, contract: str) -> None:
        self.stage = ""
        self.size = size
        self.contract = contract
        self.cards: tuple[int, ...] = ()
        self.upcard: tuple[int, ...] = ()
        self.buried: tuple[int, ...] | int = 0

    @property
    def was_taken(self) -> bool:
        """True if a player has taken the kitty."""
        return self.stage in (TAKEN, BURIED)

    @property
    def is_owed(self) -> bool:
        """True if a player must still take or leave the kitty, or bury cards."""
        return self.stage in OWED


def _state_measure(read: Callable[[Round, State], int]) -> Reader:
    """Return a function that computes a measure of the kitty, or 0 before the phase begins."""

    def measure(rnd: Round, _: object) -> int:
        state = rnd.state_if_begun(rnd.rules.phase(Kitty))
        return read(rnd, state) if state is not None else 0

    return measure


def _count_cards(rnd: Round, state: State) -> int:
    """Return the number of cards in the kitty, or 0 before it is turned up."""
    return state.size if state.stage else 0


def count_trumps(rnd: Round, state: State) -> int:
    """Return the number of cards of the trump suit in the kitty."""
    suit = rnd.rules.pack.suit
    return sum(suit[kind] == rnd.table.trump for kind in state.cards)


@phase
class Kitty(Phase[State], KittyRules):
    """The phase in which the kitty is turned up, taken or left, and cards are buried."""

    name = "kitty"
    doc = (
        "The kitty is the rest of the pack (`deal.kitty` cards), which may be turned up. "
        "One player takes it and buries the same number of cards, or leaves it. With "
        "`names_trump`, it decides the trump if no player has named one. The phase is "
        "skipped if no player may take the kitty. If the card turned up at the deal has a "
        "`taker`, that card alone is taken."
    )
    clause_order = "taken left buries held"
    standard_words = clause_order
    judged = {"held": ("bury",)}
    tables = ("pack", "deal")
    parameters = {
        "who": Parameter("choice", "the player who may take the kitty", MASTER, ONE),
        "when": Parameter(
            "condition",
            "condition under which they may take it; otherwise, a kitty that is turned "
            "up for all is set aside, and the entry `kitty` may show its cards before "
            "the last trick is complete",
            "true",
        ),
        "shown": Parameter("bool", "whether the kitty is turned up for all to see", True),
        "takes": Parameter(
            "choice",
            "the cards taken: the whole kitty, or only the card that was turned up in "
            "the deal; that card is taken without an entry, and it is one of the dealt "
            "cards if the deal leaves none over",
            ALL,
            (ALL, UPCARD),
        ),
        "said": Parameter(
            "bool", "whether the card that was turned up must be taken by an entry (`take`)", False
        ),
        "optional": Parameter(
            "condition",
            (
                "condition under which they may take or leave it; naming a contract without "
                "taking it leaves it"
            ),
            "false",
        ),
        "counts": Parameter(
            "choice",
            "the player who gets the card points of the kitty, or of the cards buried "
            "for it; `last`: the winner of the last trick",
            NOBODY,
            KITTY,
        ),
        "left_when": Parameter(
            "condition",
            "condition under which it must be left; otherwise, it must be taken",
            "false",
        ),
        "names_trump": Parameter(
            "condition",
            (
                "condition under which its first card with a suit decides the "
                "trump, if none was named"
            ),
            "false",
        ),
    }
    entry_types: tuple[EntryType, ...] = (
        EntryType("kitty", Cards(1, 60), N_("the kitty is turned up"), by=Actor.TABLE),
        EntryType("take", NoValue(), N_("takes the kitty up"), by=Actor.TURN),
        EntryType("leave", NoValue(), N_("leaves the kitty"), by=Actor.TURN),
        EntryType(
            "bury",
            CardsOrCount(),
            N_("buries the same number of cards face down"),
            by=Actor.TURN,
            plays_cards=True,
        ),
    )
    reports = {"trump": "the trump suit", "kitty": "what became of the kitty"}
    measures = (
        Measure("kitty.size", "the number of cards in the kitty", _state_measure(_count_cards)),
        Measure(
            "kitty.taken",
            "whether the kitty was taken",
            _state_measure(lambda _, st: st.was_taken),
            kind=TRUTH,
        ),
        Measure(
            "kitty.trumps",
            "the number of cards in the kitty that show the trump suit",
            _state_measure(count_trumps),
        ),
    )

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        if row.get("takes") != UPCARD:
            return ()
        if row.get("said"):
            return ("left",)
        # A player who takes only the upcard may have no card to bury.
        return [word for word in cls.standard_words.split() if word == "left" or word not in row]

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self._left_when: Expression  # `link` compiles these four
        self._names_trump: Expression
        self._optional: Expression
        self._when: Expression
        self._needs_trump = False
        acts = Kitty.entry_types[1:]
        self._take, self._leave, self._bury_some = acts
        if row["takes"] == UPCARD:
            self.entry_types = (self._take, self._bury_some) if row["said"] else (self._bury_some,)
        elif not row["shown"]:
            self.entry_types = acts

    def link(self) -> None:
        row, compiled = self.row, self.rules.compile_expression
        self._left_when = compiled(row["left_when"], "phases.kitty.left_when")
        self._names_trump = compiled(row["names_trump"], "phases.kitty.names_trump")
        self._optional = compiled(row["optional"], "phases.kitty.optional")
        self._when = compiled(row["when"], "phases.kitty.when")
        # The trump may decide whether a master takes or leaves the kitty.
        verbs = {*self.rules.entry_types, *self.rules.disabled_verbs}
        self._needs_trump = row["who"] == MASTER and "trump" in verbs
        if row["who"] == MASTER and MASTER not in self.rules.entry_types:
            message = "phases.kitty.who: no phase here says who is master"
            allowed = " or ".join(who for who in ONE if who != MASTER)
            self.rules.fault("phases.kitty.who", MASTER, allowed, message)
        if row["takes"] == UPCARD and "turnup" not in self.rules.entry_types:
            message = "phases.kitty.takes: no phase here says which card was turned up"
            self.rules.fault("phases.kitty.takes", UPCARD, ALL, message)

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return {"trump": self.rules.lexicon.suits}

    def owner(self, rnd: Round) -> int:
        """Return the seat that may take the kitty. Return -1 if there is no such seat, or if it
        plays no cards in this round."""
        seat = seat_of(rnd, self.row["who"])
        return -1 if seat in rnd.table.resting else seat

    def begin(self, rnd: Round) -> State:
        state = State(rnd.kitty_size, rnd.table.contract)
        state.upcard = upcard_in_kitty(rnd)
        if self.row["takes"] == UPCARD:
            self._begin_with_upcard(rnd, state)
        elif not self.row["shown"]:
            state.stage = TURNED
        elif self.row["who"] != MASTER and not rnd.evaluate(self._when):
            state.stage = LEFT
        return state

    def takes_place(self, rnd: Round) -> bool:
        """Return whether the round still needs this phase. A round whose recording begins in the
        middle does not need it if the trump is known."""
        if self.row["who"] == MASTER:
            return not rnd.starts_midway or (self._needs_trump and not rnd.table.trump)
        if rnd.starts_midway or self.owner(rnd) < 0:
            return False
        if self.row["shown"] and self.row["takes"] == ALL:
            return True  # if no player takes the kitty, its cards may still be shown
        upcard = self.row["takes"] == ALL or rnd.setup.turned is not None
        return upcard and bool(rnd.evaluate(self._when))

    def finished(self, rnd: Round) -> bool:
        state = rnd.state(self)
        return state.stage in (LEFT, BURIED) or self._is_passed_over(rnd, state)

    def _is_passed_over(self, rnd: Round, state: State) -> bool:
        """Return whether the owner named a contract instead of taking the kitty."""
        named = rnd.table.contract != state.contract
        return not state.was_taken and named

    def waiting(self, rnd: Round) -> list[int]:
        return [self.owner(rnd)] if rnd.state(self).is_owed else []

    def is_optional(self, rnd: Round) -> bool:
        """Return whether the owner may choose between taking and leaving the kitty."""
        return bool(self._optional.value_or(rnd.reading()))

    def required_act(self, rnd: Round) -> str:
        """Return the required act for the open kitty: `take`, `leave`, or "" if both are
        allowed."""
        if self.is_optional(rnd):
            return ""
        return "leave" if self._left_when.value_or(rnd.reading()) else "take"

    def hand_cards(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        if entry.seat is None or not isinstance(entry.value, tuple):
            return ()
        return ((entry.seat, entry.value),)

    def _may_name_trump(self, rnd: Round) -> bool:
        """Return whether the cards of the kitty may name the trump."""
        return bool(self._names_trump.value_or(rnd.reading()))

    def options(self, rnd: Round) -> Iterator[Entry]:
        state = rnd.state(self)
        for seat in self.waiting(rnd):
            if state.stage == TURNED:
                yield Entry(self._take, seat, None)
                if self._leave in self.entry_types:
                    yield Entry(self._leave, seat, None)
            else:
                yield Entry(self._bury_some, seat, ())
                yield Entry(self._bury_some, seat, state.size)

    def chance(self, rnd: Round, rng: Rng) -> Iterator[Entry]:
        state = rnd.state_if_begun(self)
        if state is None or not rnd.is_current(self) or state.stage:
            return
        if self._needs_trump and not rnd.table.trump and not self._may_name_trump(rnd):
            yield Entry(self.rules.all_verbs["trump"], None, rng.choice(self.rules.lexicon.suits))
        cards = self.rules.pack.kinds_in(rnd.hands.unseen)
        size = min(rnd.kitty_size - len(state.upcard), len(cards))
        yield Entry(self.entry_types[0], None, (*state.upcard, *rng.sample(cards, size)))

    def apply(self, rnd: Round, entry: Entry) -> None:
        state = rnd.state_if_begun(self)
        if state is not None and state.stage == LEFT and entry.type.word == "kitty":
            show_left_kitty(rnd, state, entry.value)
        elif state is None or not rnd.is_current(self):
            early = state is None and not rnd.starts_midway and self.owner(rnd) < 0
            message = tr("it is not known yet who gets the kitty")
            raise Impossible(
                message if early else tr("it is too late to do anything with the kitty")
            )
        elif entry.type.word == "kitty":
            self._turn_up(rnd, state, entry.value)
        elif entry.type.word == "bury":
            self._bury(rnd, state, entry.value)
        elif state.stage != TURNED:
            raise Impossible(self.view(rnd).prompt().text)
        elif entry.type.word == "leave":
            state.stage = LEFT
        else:
            self._take_up(rnd, state)

    def _take_up(self, rnd: Round, state: State) -> None:
        owner = self.owner(rnd)
        if state.cards:
            rnd.hands.take_seen(owner, rnd.rules.pack.hand_of(state.cards))
        else:
            rnd.hands.take_seen(owner, rnd.rules.pack.hand_of(state.upcard))
            rnd.hands.take_unseen(owner, state.size - len(state.upcard))
        if rnd.sides is not None:
            rnd.sides.reset_proofs()
        state.stage = TAKEN

    def _begin_with_upcard(self, rnd: Round, state: State) -> None:
        """Offer the upcard to its owner, or hand it over at once.

        The upcard is an additional card, or one of the cards that were dealt.
        """
        kind, hands, pack = rnd.setup.turned, rnd.hands, rnd.rules.pack
        if kind is None:
            return
        over = pack.card_count > rnd.deal_size * len(rnd.seats)
        state.cards, state.size = (kind,), 1
        try:
            if over and hands.copies_in_play(kind) == pack.copies:
                hands.locate(kind)
            if over and self.row["said"]:
                state.stage = TURNED
            elif over:
                self._take_up(rnd, state)
            else:
                hands.note_held(self.owner(rnd), kind)
                state.stage = BURIED
        except ValueError:
            message = tr("{card} was turned up, but is in another hand", card=pack.kinds[kind])
            raise Impossible(message, tr("look for a mistyped entry; undo or amend it")) from None

    def _turn_up(self, rnd: Round, state: State, kinds: tuple[int, ...]) -> None:
        if state.stage:
            raise Impossible(
                tr("the kitty has already been turned up"), tr("undo or amend that entry")
            )
        if rnd.starts_midway:
            raise Impossible(self.view(rnd).prompt().text)
        check_size(state, kinds)
        trump = rnd.table.trump or (
            find_trump(rnd, self, kinds) if self._may_name_trump(rnd) else ""
        )
        if self._needs_trump and not trump:
            raise Impossible(
                tr("the trump is not known"),
                tr("enter it first: {form} SUIT", form=rnd.rules.translate_word("trump")),
            )
        locate(rnd, state, kinds)
        rnd.table.turned = trump
        rnd.acted = True
        state.cards, state.stage = kinds, TURNED

    def _bury(self, rnd: Round, state: State, what: tuple[int, ...] | int) -> None:
        knowledge, owner = rnd.hands, self.owner(rnd)
        if state.stage != TAKEN:
            raise Impossible(self.view(rnd).prompt().text)
        if isinstance(what, int):
            knowledge.bury_unseen(owner, what)
        else:
            for kind in what:
                knowledge.mark_contradicted(owner, kind)
                knowledge.show(owner, kind)
        if rnd.sides is not None:
            rnd.sides.reset_proofs()
        state.buried, state.stage = what, BURIED

    # --- points and public facts

    def after_trick(self, rnd: Round) -> None:
        """After the last trick, award the cards that are in no trick. Their points are known even
        if the cards are not, because all other cards have been seen."""
        last = rnd.tricks[-1]
        if not last.is_last or rnd.starts_midway:
            return
        recipient = self._points_recipient(rnd)
        heirs = self.heirs(rnd)
        if not heirs:
            return
        seat = last.winner if recipient == LAST else heirs[0]
        play = rnd.rules.card_play
        points = 0 if play is None else plain_points(sum(play.points_left(rnd)))
        rnd.tricks.append(Trick(last.number, [], seat, -1, points, False, 0))

    def _points_recipient(self, rnd: Round) -> str:
        """Return the recipient of the kitty's card points, as set by the contract or the phase."""
        contract = self.rules.section("contracts").get(rnd.table.contract, {})
        recipient: str = contract.get("kitty") or self.row["counts"]
        return recipient

    def heirs(self, rnd: Round) -> list[int]:
        """Return the seats that may receive the cards that are in no trick at the end. Exactly one
        of these seats receives them."""
        recipient, owner = self._points_recipient(rnd), self.owner(rnd)
        if recipient == LAST:
            return list(rnd.seats)
        if recipient == NOBODY or owner < 0:
            return []
        if recipient == OWNER:
            return [owner]
        own = (owner, *mates_of(rnd, owner))
        return [seat for seat in rnd.seats if seat not in own] or [owner]

    def lost_cards(self, rnd: Round) -> Iterable[int]:
        """Return the cards that count for no player: a kitty that was left or must be left, or
        buried cards that have been seen."""
        state = rnd.state_if_begun(self)
        if state is None or self._points_recipient(rnd) != NOBODY:
            return ()
        if state.stage == LEFT or (state.stage == TURNED and self.required_act(rnd) == "leave"):
            return state.cards or state.upcard
        return state.buried if isinstance(state.buried, tuple) else ()

    def close(self, rnd: Round) -> None:
        if rnd.void:
            return
        rnd.carry_over(self.name, None)
        if rnd.table.trump:
            rnd.carry_over(self.name, {"trump": rnd.table.trump})

    def view(self, rnd: Round) -> KittyView:
        state, owner, trump = rnd.state_if_begun(self), self.owner(rnd), rnd.table.trump
        stage, is_now = "" if state is None else state.stage, rnd.is_current(self)
        cards, pack = () if state is None else state.cards, rnd.rules.pack
        names_no_trump = False
        if is_now and not stage and self._needs_trump and not trump:
            names_no_trump = rnd.starts_midway or not self._may_name_trump(rnd)
        return KittyView(
            KittyFacts(
                stage=stage,
                is_now=is_now,
                owner=rnd.names[owner] if owner >= 0 else "",
                role=self.row["who"],
                size=0 if state is None else state.size,
                cards=[pack.kinds[kind] for kind in cards],
                trump=trump,
                trump_cards=sum(pack.suit[kind] == trump for kind in cards),
                must=self.required_act(rnd) if is_now and stage == TURNED else "",
                takes_upcard=self.row["takes"] == UPCARD,
                needs_trump=names_no_trump,
                level=str(rnd.table.level) if self._needs_trump else None,
                spoken=rnd.rules.translate_word,
            )
        )


# --- showing the kitty


def check_size(state: State, kinds: tuple[int, ...]) -> None:
    """Raise Impossible unless the number of cards equals the size of the kitty."""
    if len(kinds) != state.size:
        raise Impossible(
            tr(
                "the kitty has {cards}, not {number}",
                cards=plural("{count} card", "{count} cards", state.size),
                number=len(kinds),
            )
        )


def upcard_in_kitty(rnd: Round) -> tuple[int, ...]:
    """Return the card of the kitty that was turned up in the deal, or () if none was."""
    kind = rnd.setup.turned
    if kind is None or rnd.hands.copies_in_play(kind) == rnd.rules.pack.copies:
        return ()
    return (kind,)


def locate(rnd: Round, state: State, kinds: tuple[int, ...]) -> None:
    """Record that no player holds these cards. Raises ValueError if a player does.

    Raises Impossible if the card that was turned up in the deal is not one of them.
    """
    pack, unseen = rnd.rules.pack, list(kinds)
    pack.hand_of(kinds)  # raises ValueError for too many copies
    for kind in state.upcard:
        if kind not in unseen:
            raise Impossible(
                tr("{card} was turned up, so it is in the kitty", card=pack.kinds[kind]),
                tr("look for a mistyped entry; undo or amend it"),
            )
        unseen.remove(kind)
    for kind in unseen:
        rnd.hands.locate(kind)


def find_trump(rnd: Round, phase: Phase[State], kinds: tuple[int, ...]) -> str:
    """Return the trump that these cards name: the suit of the first card that has a suit, or else
    the trump of the previous round."""
    suits = [rnd.rules.pack.suit[kind] for kind in kinds]
    return next(filter(None, suits), "") or rnd.carried(phase.name).get("trump", "")


def show_left_kitty(rnd: Round, state: State, kinds: tuple[int, ...]) -> None:
    """Show the cards of a kitty that was left. Raises Impossible if they are already known, or if
    the number of cards is wrong."""
    if state.cards:
        raise Impossible(tr("the kitty has already been turned up"), tr("undo or amend that entry"))
    check_size(state, kinds)
    locate(rnd, state, kinds)
    if rnd.sides is not None:
        rnd.sides.reset_proofs()
    rnd.acted = True
    state.cards = kinds


# --- the clauses


def _required_act_clause(act: str) -> Build:
    """Return the function that builds the clause for `take` or `leave`. The clause forbids the act
    if the other act is required."""

    def build(row: Row, rules: Ruleset) -> Judge:
        kitty = rules.phase(Kitty)

        def judge(rnd: Round, entry: Entry) -> Outcome:
            state = rnd.state(kitty)
            if state.stage != TURNED:
                return Breach({"prompt": kitty.view(rnd).prompt().text}, NOT_NOW)
            must = kitty.required_act(rnd)
            if must in (act, ""):
                return None
            facts: Facts = {
                "cards": [rules.pack.kinds[kind] for kind in state.cards],
                "trump": rnd.table.trump,
                "why": kitty.view(rnd).why()
                or tr("they must {act} it", act=rules.translate_word(must)),
                "legal": [must],
            }
            return Breach(facts)

        return judge

    return build


clause(
    "taken",
    "kitty",
    on=("take",),
    say=N_("{who} may not take the kitty: {why}"),
    doc=(
        "The kitty may be taken only after it has been turned up, and only if it need not be "
        "left (`left_when`)."
    ),
)(_required_act_clause("take"))


clause(
    "left",
    "kitty",
    on=("leave",),
    say=N_("{who} may not leave the kitty: {why}"),
    doc=(
        "The kitty may be left only if it must be left (`left_when`) or the choice is free "
        "(`optional`)."
    ),
)(_required_act_clause("leave"))


@clause(
    "buries",
    "kitty",
    on=("bury",),
    say=N_("{who} must bury as many cards as the kitty had: {size}, not {count}"),
    doc="The number of cards buried must equal the number taken.",
)
def _buries(row: Row, rules: Ruleset) -> Judge:
    kitty = rules.phase(Kitty)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state = rnd.state(kitty)
        if state.stage != TAKEN:
            return Breach({"prompt": kitty.view(rnd).prompt().text}, NOT_NOW)
        if entry.value == ():  # an entry that represents choices that are not listed
            return None
        count = entry.value if isinstance(entry.value, int) else len(entry.value)
        size = state.size
        return None if count == size else Breach({"size": size, "count": count})

    return judge


# --- view


class KittyFacts(NamedTuple):
    """The kitty, its owner and its cards.

    `is_now` is true while the phase is in progress. `owner` is the player who may take the kitty,
    and `role` is that player's role. `size` is the number of cards that may be taken. `cards` are
    the codes of the cards seen, and `trump_cards` is the number of these cards in the suit `trump`.
    `must` is "take" or "leave", or empty if the owner may choose. `takes_upcard` is true if only
    the upcard is taken. `needs_trump` is true if the trump must be entered first. `level` is None
    in a game without levels. `spoken` returns the game's word for a canonical word.
    """

    stage: str
    is_now: bool
    owner: str
    role: str
    size: int
    cards: list[str]
    trump: str
    trump_cards: int
    must: str
    takes_upcard: bool
    needs_trump: bool
    level: str | None
    spoken: Callable[[str], str]


SAID = {
    TURNED: N_("the kitty{cards} is face up"),
    TAKEN: N_("{who} took up the kitty{cards}"),
    LEFT: N_("the kitty{cards} was left"),
    BURIED: N_("{who} took up the kitty{cards} and buried the same number of cards"),
}
SAID_UNSEEN = {**SAID, TURNED: N_("the kitty{cards} has not been taken yet")}


class KittyView(View[KittyFacts]):
    """The kitty as text and JSON."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        facts = self.facts
        if facts.stage == TAKEN:
            return self._bury()
        if facts.stage == TURNED:
            return Prompt(self._take_or_leave())
        if facts.needs_trump:
            text = tr("the trump must be entered: {form} SUIT", form=facts.spoken("trump"))
            return Prompt(text, tr("the trump must be entered"))
        return self._turn_up()

    def _take_or_leave(self) -> str:
        facts, translate = self.facts, self.facts.spoken
        if not facts.must:
            return tr(
                "{who} may {take} the kitty, or {leave} it",
                who=facts.owner,
                take=translate("take"),
                leave=translate("leave"),
            )
        if facts.takes_upcard:
            cards = " ".join(facts.cards)
            return tr(
                "{who} must {take} {card}", who=facts.owner, take=translate("take"), card=cards
            )
        why = self.why()
        return tr(
            "{who} must {act} the kitty{why}",
            who=facts.owner,
            act=translate(facts.must),
            why=f": {why}" if why else "",
        )

    def _bury(self) -> Prompt:
        facts = self.facts
        cards = plural("{count} card", "{count} cards", facts.size)
        text = tr(
            "{who} buries {cards}: enter {bury} CARD…, or {bury} {size} if they are unseen",
            who=facts.owner,
            cards=cards,
            bury=facts.spoken("bury"),
            size=facts.size,
        )
        return Prompt(text, tr("{who} buries {cards}", who=facts.owner, cards=cards))

    def _turn_up(self) -> Prompt:
        facts = self.facts
        values = {
            "who": facts.owner,
            "role": facts.spoken(facts.role),
            "kitty": facts.spoken("kitty"),
            "cards": plural("{count} card", "{count} cards", facts.size),
        }
        if facts.level is None:
            return Prompt(
                tr(
                    "{who} is {role}; the kitty is turned up: enter {kitty} and its {cards}",
                    **values,
                ),
                tr("{who} is {role}; the kitty is turned up", **values),
            )
        values["level"] = facts.level
        return Prompt(
            tr(
                "{who} is {role} at level {level}; after the draw the kitty is turned up: "
                "enter {kitty} and its {cards}",
                **values,
            ),
            tr("{who} is {role} at level {level}; after the draw the kitty is turned up", **values),
        )

    def why(self) -> str:
        """Return the reason why an open kitty must be taken or left, or "" if its cards or the
        trump are unknown."""
        facts = self.facts
        if not (facts.cards and facts.trump):
            return ""
        cards, suit = plural("{count} card", "{count} cards", len(facts.cards)), facts.trump
        if not facts.trump_cards:
            return tr(
                "none of its {cards} is of the trump suit, {suit}",
                cards=cards,
                suit=suit_name(suit),
            )
        return plural(
            "{count} of its {cards} is of the trump suit, {suit}",
            "{count} of its {cards} are of the trump suit, {suit}",
            facts.trump_cards,
            cards=cards,
            suit=suit_name(suit),
        )

    def sentences(self) -> Iterator[Sentence]:
        facts = self.facts
        if not facts.stage:
            return
        cards = f", {' '.join(facts.cards)}," if facts.cards else ""
        texts = SAID if cards else SAID_UNSEEN
        yield Sentence(tr(texts[facts.stage], who=facts.owner, cards=cards))

    def as_json(self) -> Json:
        facts = self.facts
        bindings: Json = {"trump": facts.trump} if facts.trump else {}
        if facts.stage:
            bindings["kitty"] = {"cards": facts.cards, "state": facts.stage}
        if not facts.is_now or facts.stage not in OWED:
            return {"bindings": bindings}
        owed: Json = {"who": facts.owner, "what": "bury", "cards": facts.size}
        if facts.stage == TURNED:
            owed["what"] = facts.must or "take"
            why = self.why()
            if why:
                owed["why"] = why
        return {"bindings": bindings, "owed": [owed]}

    def summary(self) -> Json:
        return {"trump": self.facts.trump or None, "kitty": self.facts.stage or None}
