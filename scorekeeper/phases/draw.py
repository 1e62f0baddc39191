"""Cards are drawn in turn, and a player may declare the trump by showing cards of the level.

The player who shows the most cards of one suit decides the trump. If two players show the same
number of cards, the ruleset decides whether the earlier or the later declaration counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import NOT_IN_PLAY, POSSIBLE, Breach
from scorekeeper.core.messages import N_, Sentence, format_times, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import Phase, View, actor_of
from scorekeeper.engine.setup import place
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType, Timing
from scorekeeper.notation.syntax import Cards, Suit
from scorekeeper.ruleset.orders import suit_name
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Json, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup


class State:
    """The declarations. `declared` maps a seat and a card kind to the number of cards of that kind
    that the seat has shown. Its keys are in the order in which their first cards were shown."""

    __slots__ = ("declared",)

    def __init__(self) -> None:
        self.declared: dict[tuple[int, int], int] = {}

    def count_kind(self, kind: int) -> int:
        """Return how many cards of a kind all players together have shown."""
        return sum(count for (_, laid), count in self.declared.items() if laid == kind)


@phase
class Draw(Phase[State]):
    """The phase in which hands are drawn and the trump is declared."""

    name = "draw"
    doc = (
        "Runs together with the other phases. Hands are drawn in turn. With `declare`, a "
        "player shows cards of the level, which then return to the hand. The player who "
        "shows the most cards of one suit decides the trump; `ties` decides between "
        "equals."
    )
    clause_order = "level-cards declared-held"
    standard_words = clause_order
    concurrent = True
    tables = ("pack", "deal")
    others = ("levels",)
    parameters = {
        "ties": Parameter(
            "choice",
            (
                "which of two equal declarations decides the trump: the one whose first card "
                "was shown first, or last"
            ),
            "first",
            ("first", "last"),
        ),
    }
    entry_types = (
        EntryType("declare", Cards(1, 12), N_("shows cards of the level"), plays_cards=True),
        EntryType(
            "trump",
            Suit(),
            N_("the trump of this round"),
            by=Actor.TABLE,
            when=Timing.SETUP,
            can_batch=True,
        ),
    )

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return {"trump": self.rules.lexicon.suits}

    def begin(self, rnd: Round) -> State:
        if rnd.setup.trump is not None:
            rnd.table.declared = rnd.setup.trump
        return State()

    def as_setup(self, rnd: Round, start: Setup) -> Setup:
        return start._replace(trump=rnd.table.trump or None) if rnd.acted else start

    def options(self, rnd: Round) -> Iterator[Entry]:
        pack, level = rnd.rules.pack, rnd.table.level
        for seat in rnd.seats:
            for kind, rank in enumerate(pack.rank):
                if rank == level:
                    for count in range(1, pack.copies + 1):
                        yield Entry(self.entry_types[0], seat, (kind,) * count)

    def apply(self, rnd: Round, entry: Entry) -> None:
        if entry.type.word == "trump":
            place(rnd, "trump", rnd.setup._replace(trump=entry.value))
            return
        self._declare(rnd, actor_of(entry), entry.value)

    def _declare(self, rnd: Round, seat: int, kinds: tuple[int, ...]) -> None:
        """Show cards from a player's hand. From now on, they are known to be in that hand. They
        name the trump if they are the strongest declaration."""
        state = rnd.state(self)
        knowledge, pack = rnd.hands, rnd.rules.pack
        for kind in kinds:
            if state.count_kind(kind) >= pack.copies:
                raise Impossible(
                    tr(
                        "more copies of {card} would be face up than the pack contains",
                        card=pack.kinds[kind],
                    )
                )
            laid = state.declared[seat, kind] = state.declared.get((seat, kind), 0) + 1
            knowledge.note_seen(seat, (kind,) * laid)
        leading = self._leading_declaration(rnd, state)
        if leading is not None and rnd.setup.trump is None:
            rnd.table.declared = pack.suit[leading[1]]

    def _leading_declaration(self, rnd: Round, state: State) -> tuple[int, int] | None:
        """Return the seat and card kind of the declaration that names the trump, or None if no card
        with a suit has been declared.

        The declaration with the most cards names the trump. If several have equally many, the key
        `ties` decides.
        """
        best: tuple[int, int] | None = None
        more = 1 if self.row["ties"] == "first" else 0
        for laid, count in state.declared.items():
            suited = rnd.rules.pack.suit[laid[1]]
            if suited and (best is None or count >= state.declared[best] + more):
                best = laid
        return best

    def seen_cards(self, rnd: Round, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return the cards that an entry declares. If declared cards are still face up, add the
        cards of the same kinds that the player has shown earlier."""
        seat, kinds = actor_of(entry), entry.value
        lying = rnd.state(self).declared if self._only_declarations(rnd) else {}
        return ((seat, sum(((kind,) * lying.get((seat, kind), 0) for kind in set(kinds)), kinds)),)

    def _only_declarations(self, rnd: Round) -> bool:
        """Return whether all entries so far are declarations, so that the declared cards are still
        face up."""
        verbs = [entry.type for entry in rnd.log.entries if entry.has_effect]
        own = self.rules.phase_of
        return all(
            own[verb.word] is self or verb.is_setup_fact or verb.may_follow_round for verb in verbs
        )

    def view(self, rnd: Round) -> DrawView:
        kinds = rnd.rules.pack.kinds
        declared = [
            (rnd.names[who], [kinds[kind]] * count)
            for (who, kind), count in rnd.state(self).declared.items()
        ]
        return DrawView(DrawFacts(rnd.table.trump, declared, rnd.over))


class DrawFacts(NamedTuple):
    """The draw: the trump suit, empty while it is unknown, and the declarations as pairs of a
    player and cards."""

    trump: str
    declared: list[tuple[str, list[str]]]
    is_over: bool


class DrawView(View[DrawFacts]):
    """The view of the draw."""

    __slots__ = ()

    def sentences(self) -> Iterator[Sentence]:
        trump, declared, is_over = self.facts
        if trump:
            suit = suit_name(trump)
            were = tr("{suit} were trump", suit=suit)
            yield Sentence(were if is_over else tr("{suit} are trump", suit=suit))
        for who, cards in declared:
            yield Sentence(tr("{who} has declared {cards}", who=who, cards=" ".join(cards)))

    def as_json(self) -> Json:
        declared = [{"who": who, "cards": cards} for who, cards in self.facts.declared]
        found: Json = {"trump": self.facts.trump, "declared": declared}
        return {"bindings": {name: value for name, value in found.items() if value}}


@clause(
    "level-cards",
    "draw",
    on=("declare",),
    say=N_("{cards} are not all cards of level {level} in one suit; possible: {legal}"),
    doc=(
        "Declared cards must all have the rank of the level and the same suit. There may be "
        "no more of them than the pack contains."
    ),
)
def _level_cards(row: Row, rules: Ruleset) -> Judge:
    pack = rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        level = rnd.table.level
        if len(set(entry.value)) == 1 and pack.rank[entry.value[0]] == level:
            return None
        legal = [code for code, rank in zip(pack.kinds, pack.rank, strict=True) if rank == level]
        cards = [pack.kinds[kind] for kind in entry.value]
        say = (
            N_("{cards} is not a card of level {level}; possible: {legal}")
            if len(cards) == 1
            else ""
        )
        return Breach({"cards": cards, "level": level, "legal": legal}, say)

    return judge


@clause(
    "declared-held",
    "draw",
    on=("declare",),
    say=N_("{who} cannot hold {card} {times}"),
    doc=(
        "A player must hold the declared cards, as well as the cards of the same kind that "
        "they declared before."
    ),
    fixed_severity=True,
)
def _declared_held(row: Row, rules: Ruleset) -> Judge:
    phase, pack = rules.phase(Draw), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        seat, kind, state = actor_of(entry), entry.value[0], rnd.state(phase)
        mine = state.declared.get((seat, kind), 0)
        needs, elsewhere = mine + entry.value.count(kind), state.count_kind(kind) - mine
        if needs + elsewhere > pack.copies or rnd.hands.can_hold(seat, kind, needs) == NOT_IN_PLAY:
            others = (
                tr(", and other players have shown it {times}", times=format_times(elsewhere))
                if elsewhere
                else ""
            )
            raise Impossible(
                tr(
                    "{card} cannot be shown {times}: it occurs {copies} in the pack{others}",
                    card=pack.kinds[kind],
                    times=format_times(needs),
                    copies=format_times(pack.copies),
                    others=others,
                )
            )
        if rnd.hands.can_hold(seat, kind, needs) >= POSSIBLE:
            return None
        return Breach({"card": pack.kinds[kind], "count": needs, "times": format_times(needs)})

    return judge
