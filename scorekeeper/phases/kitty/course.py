"""The kitty from the turning to the burying. Part of kitty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import number_of
from scorekeeper.core.failures import Impossible
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards, CardsOrCount, Nothing
from scorekeeper.notation.verbs import Verb
from scorekeeper.phases.kitty import telling
from scorekeeper.phases.kitty.state import BURIED, LEFT, TAKEN, TURNED, State, trumps
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.luck import Luck
    from scorekeeper.core.plain import Json, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader


def _measure(read: Callable[[Joint, State], int]) -> Reader:
    """How a number of the kitty is read: 0 before its time."""

    def measure(rnd: Joint, _: object) -> int:
        state = rnd.state_if_begun(rnd.rules.phase(Kitty))
        return read(rnd, state) if state is not None else 0

    return measure


@phase
class Kitty(Phase[State]):
    """The kitty, from the turning to the burying."""

    name = "kitty"
    doc = (
        "The rest of the pack (`deal.kitty` cards) is turned up; the master takes it and buries"
        " as many cards, or leaves it. With `names_trump` it names the trump when nobody has."
    )
    tables = ("pack", "deal")
    others = ("levels",)
    parameters = {
        "left_when": Parameter("condition", "it must be left aside then, else taken", "false"),
        "names_trump": Parameter(
            "condition", "its first card with a suit is trump then, if none was named", "false"
        ),
    }
    verbs = (
        Verb("kitty", Cards(1, 60), "the kitty is turned up", table=True),
        Verb("take", Nothing(), "the master takes the kitty up", turn=True),
        Verb("leave", Nothing(), "the master leaves the kitty aside", turn=True),
        Verb("bury", CardsOrCount(), "lays as many cards face down", turn=True, cards=True),
    )
    reports = {"trump": "the trump suit", "kitty": "what became of the kitty"}
    measures = (
        Measure(
            "kitty.cards", "the cards of the kitty", _measure(lambda _, state: len(state.cards))
        ),
        Measure("kitty.trumps", "its cards of the trump suit, by their suit", _measure(trumps)),
    )

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self._left_when: Expression  # these two are compiled when linked
        self._names_trump: Expression

    def link(self) -> None:
        row, compiled = self.row, self.rules.expression
        self._left_when = compiled(row["left_when"], "phases.kitty.left_when")
        self._names_trump = compiled(row["names_trump"], "phases.kitty.names_trump")

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return {"trump": self.rules.lexicon.suits}

    def begin(self, rnd: Joint) -> State:
        return State()

    def needed(self, rnd: Joint) -> bool:
        """A round that begins in the middle has its kitty behind it, if its trump is known."""
        return not rnd.positioned or not rnd.shared.trump

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).stage in (LEFT, BURIED)

    def waiting(self, rnd: Joint) -> list[int]:
        return [rnd.shared.master] if rnd.state(self).is_owed else []

    def must(self, rnd: Joint) -> str:
        """What the master must do with the kitty that lies open: `take` or `leave`."""
        return "leave" if self._left_when.value(rnd.reading()) else "take"

    def prompt(self, rnd: Joint) -> str:
        state, say = rnd.state(self), rnd.rules.spoken
        size = rnd.rules.kitty_size(len(rnd.seats))
        master, cards = rnd.names[rnd.shared.master], number_of(size, "card")
        if state.stage == TAKEN:
            bury = say("bury")
            return f"{master} buries {cards}: {bury} CARD…, or {bury} {size} unseen"
        if state.stage == TURNED:
            return f"{master} must {say(self.must(rnd))} the kitty: {telling.why(rnd, state)}"
        if not rnd.shared.trump and (rnd.positioned or not self._may_name(rnd)):
            return f"the trump must be said: {say('trump')} SUIT"
        after = f"{master} is master at level {rnd.shared.level}; after the draw"
        return f"{after} the kitty is turned up: {say('kitty')} and its {cards}"

    def from_hand(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        if entry.seat is None or not isinstance(entry.value, tuple):
            return ()
        return ((entry.seat, entry.value),)

    def _may_name(self, rnd: Joint) -> bool:
        """Whether the kitty itself may name the trump."""
        return bool(self._names_trump.value(rnd.reading()))

    def options(self, rnd: Joint) -> Iterator[Entry]:
        _, take, leave, bury = self.verbs
        for seat in self.waiting(rnd):
            if rnd.state(self).stage == TURNED:
                yield Entry(take, seat, None)
                yield Entry(leave, seat, None)
            else:
                yield Entry(bury, seat, ())
                yield Entry(bury, seat, rnd.rules.kitty_size(len(rnd.seats)))

    def chance(self, rnd: Joint, luck: Luck) -> Iterator[Entry]:
        state = rnd.state_if_begun(self)
        if state is None or not rnd.is_current(self) or state.stage:
            return
        if not rnd.shared.trump and not self._may_name(rnd):
            yield Entry(self.rules.verbs["trump"], None, luck.choice(self.rules.lexicon.suits))
        cards = self.rules.pack.kinds_in(rnd.hands.unseen)
        size = min(self.rules.kitty_size(len(rnd.seats)), len(cards))
        yield Entry(self.verbs[0], None, tuple(luck.sample(cards, size)))

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state = rnd.state_if_begun(self)
        if state is None or not rnd.is_current(self):
            raise Impossible("the time of the kitty is over")
        if entry.verb.word == "kitty":
            self._turn(rnd, state, entry.value)
        elif entry.verb.word == "bury":
            self._bury(rnd, state, entry.value)
        elif state.stage != TURNED:
            raise Impossible(self.prompt(rnd))
        elif entry.verb.word == "leave":
            state.stage = LEFT
        else:
            rnd.hands.take_seen(rnd.shared.master, rnd.rules.pack.of(state.cards))
            state.stage = TAKEN

    def _turn(self, rnd: Joint, state: State, kinds: tuple[int, ...]) -> None:
        size = rnd.rules.kitty_size(len(rnd.seats))
        if state.stage:
            raise Impossible("the kitty is turned up already", "undo, or amend that entry")
        if rnd.positioned:
            raise Impossible(self.prompt(rnd))
        if len(kinds) != size:
            raise Impossible(f"the kitty has {number_of(size, 'card')}, not {len(kinds)}")
        trump = rnd.shared.trump or self._named(rnd, kinds)
        if not trump:
            raise Impossible("no trump is known", f"say it first: {rnd.rules.spoken('trump')} SUIT")
        rnd.rules.pack.of(kinds)  # which refuses more copies than there are
        for kind in kinds:
            rnd.hands.locate(kind)
        rnd.shared.turned = trump
        rnd.acted = True
        state.cards, state.stage = kinds, TURNED

    def _named(self, rnd: Joint, kinds: tuple[int, ...]) -> str:
        """The trump that these cards name: the suit of the first that has one, else the suit that
        was trump in the last round; "" if they may name none."""
        if not self._may_name(rnd):
            return ""
        suits = [rnd.rules.pack.suit[kind] for kind in kinds]
        return next(filter(None, suits), "") or rnd.kept(self.name).get("trump", "")

    def _bury(self, rnd: Joint, state: State, what: tuple[int, ...] | int) -> None:
        knowledge, master = rnd.hands, rnd.shared.master
        if state.stage != TAKEN:
            raise Impossible(self.prompt(rnd))
        if isinstance(what, int):
            knowledge.bury_unseen(master, what)
        else:
            for kind in what:
                knowledge.doubt(master, kind)
                knowledge.show(master, kind)
        state.buried, state.stage = what, BURIED

    def cards_aside(self, rnd: Joint) -> Iterable[int]:
        """What was left aside, or must be, or was seen to be buried."""
        state = rnd.state_if_begun(self)
        if state is None:
            return ()
        if state.stage == LEFT or (state.stage == TURNED and self.must(rnd) == "leave"):
            return state.cards
        return state.buried if isinstance(state.buried, tuple) else ()

    def close(self, rnd: Joint) -> None:
        if rnd.void:
            return
        rnd.keep(self.name, None)
        if rnd.shared.trump:
            rnd.keep(self.name, {"trump": rnd.shared.trump})

    def sentences(self, rnd: Joint) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        return telling.sentences(rnd, state) if state is not None else iter(())

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        found: Json = {"bindings": telling.bindings(rnd, state)}
        if state is not None and rnd.is_current(self) and state.is_owed:
            found["owed"] = [telling.owed(rnd, state, self.must(rnd))]
        return found

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        stage = state.stage if state is not None else ""
        return {"trump": rnd.shared.trump or None, "kitty": stage or None}
