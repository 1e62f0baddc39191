"""The cards nobody drew: turned up for all to see, taken or left by the master, and buried.

The master leads when that is done; a lead before it belongs to a phase that has not begun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.claims import Breach
from scorekeeper.core.english import number_of
from scorekeeper.core.failures import Impossible
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards, CardsOrCount, Nothing
from scorekeeper.notation.verbs import Verb
from scorekeeper.ruleset.orders import suit_name
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.plain import Facts, Json, Row
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Build, Judge

MORE = "…"
TURNED, TAKEN, LEFT, BURIED = "turned", "taken", "left", "buried"


class Buried(CardsOrCount):
    """Cards, or how many; `MORE` stands for a choice that is not written out."""

    def show(self, value: Any, notation: Spelling) -> str:
        return MORE if value == MORE else super().show(value, notation)


class State:
    """The kitty (empty before it is turned), what was buried (a number if nobody saw it), and
    how far it is: "", turned, taken, left or buried."""

    __slots__ = ("buried", "cards", "done")

    def __init__(self) -> None:
        self.cards: tuple[int, ...] = ()
        self.buried: tuple[int, ...] | int = 0
        self.done = ""


def _suit(rnd: Joint, kind: int) -> str:
    return rnd.rules.pack.suit[kind]


def _count(read: Callable[[Joint, State], int]) -> Callable[[Joint, Any], int]:
    def measure(rnd: Joint, subject: Any) -> int:
        state = rnd.state_if_begun(rnd.rules.phase(Kitty))
        return read(rnd, state) if state is not None else 0

    return measure


def _trumps(rnd: Joint, state: State) -> int:
    trump = rnd.shared.trump
    return sum(_suit(rnd, kind) == trump for kind in state.cards)


def _master(rnd: Joint) -> int:
    return rnd.shared.master


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
        Verb("bury", Buried(), "lays as many cards face down", turn=True, cards=True),
    )
    reports = {"trump": "the trump suit", "kitty": "what became of the kitty"}
    measures = (
        Measure("kitty.cards", "the cards of the kitty", _count(lambda rnd, s: len(s.cards))),
        Measure("kitty.trumps", "its cards of the trump suit, by their suit", _count(_trumps)),
    )

    def link(self) -> None:
        self.left_when = self.rules.expression(self.row["left_when"], "phases.kitty.left_when")
        self._names_trump = self.rules.expression(
            self.row["names_trump"], "phases.kitty.names_trump"
        )

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return {"trump": self.rules.lexicon.suits}

    def begin(self, rnd: Joint) -> State:
        return State()

    def needed(self, rnd: Joint) -> bool:
        """A round that begins in the middle has its kitty behind it, if its trump is known."""
        return not rnd.positioned or not rnd.shared.trump

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).done in (LEFT, BURIED)

    def waiting(self, rnd: Joint) -> list[int]:
        return [_master(rnd)] if rnd.state(self).done in (TURNED, TAKEN) else []

    def prompt(self, rnd: Joint) -> str:
        state = rnd.state(self)
        size = rnd.rules.kitty_size(len(rnd.seats))
        master, say = rnd.names[rnd.shared.master], rnd.rules.lexicon.forms.get
        if state.done == TAKEN:
            bury = say("bury", "bury")
            cards = number_of(size, "card")
            return f"{master} buries {cards}: {bury} CARD…, or {bury} {size} unseen"
        if state.done == TURNED:
            word = "leave" if self.left_when.value(rnd.reading()) else "take"
            return f"{master} must {say(word, word)} the kitty: {self.why(rnd)}"
        if not rnd.shared.trump and (rnd.positioned or not self._may_name(rnd)):
            return f"the trump must be said: {say('trump', 'trump')} SUIT"
        after = f"{master} is master at level {rnd.shared.level}; after the draw"
        its = number_of(size, "card")
        return f"{after} the kitty is turned up: {say('kitty', 'kitty')} and its {its}"

    def why(self, rnd: Joint) -> str:
        """What the taking or leaving of the kitty turns on, as a sentence."""
        state = rnd.state(self)
        trumps, trump = _trumps(rnd, state), rnd.shared.trump
        bear = "bear" if trumps > 1 else "bears"
        its = number_of(len(state.cards), "card")
        return f"{trumps or 'none'} of its {its} {bear} the trump suit, {suit_name(trump)}"

    def from_hand(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        if entry.seat is None or not isinstance(entry.value, tuple):
            return ()
        return ((entry.seat, entry.value),)

    def _may_name(self, rnd: Joint) -> bool:
        return bool(self._names_trump.value(rnd.reading()))

    def options(self, rnd: Joint) -> Iterator[Entry]:
        _, take, leave, bury = self.verbs
        for seat in self.waiting(rnd):
            if rnd.state(self).done == TURNED:
                yield Entry(take, seat, None)
                yield Entry(leave, seat, None)
            else:
                yield Entry(bury, seat, MORE)
                yield Entry(bury, seat, rnd.rules.kitty_size(len(rnd.seats)))

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state = rnd.state_if_begun(self)
        if state is None or not rnd.is_current(self):
            raise Impossible("the time of the kitty is over")
        if entry.verb.word == "kitty":
            self._turn(rnd, state, entry.value)
        elif entry.verb.word == "bury":
            self._bury(rnd, state, entry.value)
        elif state.done != TURNED:
            raise Impossible(self.prompt(rnd))
        elif entry.verb.word == "leave":
            state.done = LEFT
        else:
            rnd.hands.take_seen(_master(rnd), rnd.rules.pack.of(state.cards))
            state.done = TAKEN

    def _turn(self, rnd: Joint, state: State, kinds: tuple[int, ...]) -> None:
        size = rnd.rules.kitty_size(len(rnd.seats))
        if state.done:
            raise Impossible("the kitty is turned up already", "undo, or amend that entry")
        if rnd.positioned:
            raise Impossible(self.prompt(rnd))
        if len(kinds) != size:
            raise Impossible(f"the kitty has {number_of(size, 'card')}, not {len(kinds)}")
        trump = rnd.shared.trump or self._named(rnd, kinds)
        if not trump:
            raise Impossible("no trump is known", f"say it first: {_said(rnd, 'trump')} SUIT")
        rnd.rules.pack.of(kinds)
        for kind in kinds:
            rnd.hands.locate(kind)
        rnd.shared.turned = trump
        rnd.acted = True
        state.cards, state.done = kinds, TURNED

    def _named(self, rnd: Joint, kinds: tuple[int, ...]) -> str:
        if not self._may_name(rnd):
            return ""
        suits = [_suit(rnd, kind) for kind in kinds]
        return next(filter(None, suits), "") or rnd.kept(self.name).get("trump", "")

    def _bury(self, rnd: Joint, state: State, what: tuple[int, ...] | int) -> None:
        knowledge, master = rnd.hands, _master(rnd)
        if state.done != TAKEN:
            raise Impossible(self.prompt(rnd))
        if isinstance(what, int):
            knowledge.bury_unseen(master, what)
        else:
            for kind in what:
                knowledge.doubt(master, kind)
                knowledge.show(master, kind)
        state.buried, state.done = what, BURIED

    def cards_aside(self, rnd: Joint) -> Iterable[int]:
        """What was left aside, or must be, or was seen to be buried."""
        state = rnd.state_if_begun(self)
        if state is None:
            return ()
        if state.done == LEFT or (state.done == TURNED and self.left_when.value(rnd.reading())):
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
        if state is None or not state.done:
            return
        became = {
            TURNED: "lies open",
            TAKEN: f"was taken up by {rnd.names[rnd.shared.master]}",
            LEFT: "was left aside",
            BURIED: f"was taken up by {rnd.names[rnd.shared.master]}, and as many cards buried",
        }
        if state.cards:
            yield f"the kitty, {rnd.rules.pack.codes(state.cards)}, {became[state.done]}"

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        told: Json = {"bindings": self._bindings(rnd, state)}
        if state is None or not rnd.is_current(self) or state.done not in (TURNED, TAKEN):
            return told
        owed: Json = {"who": rnd.names[rnd.shared.master], "what": "bury"}
        owed["cards"] = len(state.cards)
        if state.done == TURNED:
            owed["what"] = "leave" if self.left_when.value(rnd.reading()) else "take"
            owed["why"] = self.why(rnd)
        return {**told, "owed": [owed]}

    def _bindings(self, rnd: Joint, state: State | None) -> Json:
        told: Json = {"trump": rnd.shared.trump} if rnd.shared.trump else {}
        if state is not None and state.done:
            cards = [rnd.rules.pack.kinds[kind] for kind in state.cards]
            told["kitty"] = {"cards": cards, "state": state.done}
        return told

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        done = state.done if state is not None else ""
        return {"trump": rnd.shared.trump or None, "kitty": done or None}


def _said(rnd: Joint, word: str) -> str:
    return rnd.rules.lexicon.forms.get(word, word)


# --- clauses


NOT_NOW = "not now: {prompt}"


def _lies(must: str) -> Build:
    """Build a clause: the kitty must be left, or must not be."""

    def build(row: Row, rules: Rules) -> Judge:
        def judge(rnd: Joint, entry: Entry) -> Outcome:
            kitty = rules.phase(Kitty)
            state = rnd.state(rnd.rules.phase(Kitty))
            if state.done != TURNED:
                return Breach({"prompt": kitty.prompt(rnd)}, NOT_NOW)
            leave = bool(kitty.left_when.value(rnd.reading()))
            if leave == (must == "leave"):
                return None
            facts: Facts = {
                "cards": [rules.pack.kinds[kind] for kind in state.cards],
                "trump": rnd.shared.trump,
                "why": kitty.why(rnd),
                "legal": ["leave" if leave else "take"],
            }
            return Breach(facts)

        return judge

    return build


clause(
    "taken",
    "kitty",
    on=("take",),
    say="{who} may not take the kitty: {why}",
    doc="The kitty is taken unless it must be left (`left_when`), and when it lies open.",
    legal="with `left_when = 'kitty.trumps == 0'`, `take` when it has a card of the trump suit",
    illegal="`take` when it has none",
)(_lies("take"))
clause(
    "left",
    "kitty",
    on=("leave",),
    say="{who} may not leave the kitty: {why}",
    doc="The kitty is left only where it must be (`left_when`), and when it lies open.",
    legal="with `left_when = 'kitty.trumps == 0'`, `leave` when it has no card of the trump suit",
    illegal="`leave` when it has one",
)(_lies("leave"))


@clause(
    "buries",
    "kitty",
    on=("bury",),
    say="{who} buries as many cards as the kitty had: {size}, not {count}",
    doc="As many cards are buried as were taken, after they were.",
    legal="`bury 6` after a kitty of six was taken",
    illegal="`bury 5`, or `bury 6` before `take`",
)
def _buries(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(rnd.rules.phase(Kitty))
        if state.done != TAKEN:
            return Breach({"prompt": rules.phase(Kitty).prompt(rnd)}, NOT_NOW)
        if entry.value == MORE:
            return None
        count = entry.value if isinstance(entry.value, int) else len(entry.value)
        size = len(state.cards)
        return None if count == size else Breach({"size": size, "count": count})

    return judge
