"""When calls are made, and what is noted when one has failed. Part of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import Item
from scorekeeper.core.messages import mark, tr
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Verb
from scorekeeper.phases.calls.catalogue import SIDES, Catalogue
from scorekeeper.phases.calls.state import State
from scorekeeper.phases.calls.syntax import Call, CallSyntax
from scorekeeper.ruleset.phase import CULPRIT, OWN, Measure, Phase, actor_of
from scorekeeper.ruleset.shared import CONCEDE
from scorekeeper.ruleset.subjects import Own
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.turned_off import sayable
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader

IN_HAND = (0, untrusted.CARDS)
WINNERS = "winners"  # the role of the side that has won, whoever says so
ANNOUNCED, LEVELS = 0, 1  # what is known of a side beside its calls, which have names


def _call(syntax: CallSyntax) -> Verb:
    """The verb of a call, its words read by that syntax."""
    verb = Verb("call", syntax, mark("a call for one's side"), implicit=True, alone=True)
    verb.phase = "calls"
    return verb


@phase
class Calls(Phase[State]):
    """Who may call what, and for how long."""

    name = "calls"
    doc = (
        "Beside play: calls of `[calls]`, each while enough cards are in the caller's hand. A call"
        " with a `side` announces that it wins; the others are levels, in the file's order, and"
        " imply the announcement and the levels before them."
    )
    beside = True
    tables = ("calls",)
    others = ("parties", "reservations")
    parameters = {
        "reply": Parameter(
            "int", "how many cards fewer an announcement in reply needs", 0, bounds=IN_HAND
        )
    }
    sections = {
        "calls": {
            "side": Parameter(
                "name", "whose announcement it is (without it: a level)", "", rows="parties"
            ),
            "cards": Parameter("int", "the fewest cards in the caller's hand", bounds=IN_HAND),
            "missed": Parameter("condition", "that it has failed (own.…, other.…)", "false"),
        }
    }
    tracked = ("calls",)
    verbs = (_call(CallSyntax((), ())),)
    reports = {
        "calls": "what was called, by side",
        "callers": "who called what (nothing where a result says it of sides)",
        "player.calls": "what a player called",
        "player.kept": "what of it was kept: it has not failed, and, where it announced that a side"
        " wins, that side has won",
    }

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.catalogue = Catalogue(rules, row)
        self.verbs = (_call(CallSyntax(self.catalogue.rows, self.catalogue.sides)),)
        self.missed: dict[str, Expression] = {}  # by call: that it has failed

    def link(self) -> None:
        missed = [f"{name}.missed" for name in self.catalogue.sides]
        for name, row in self.catalogue.rows.items():
            path = f"calls.{name}.missed"
            self.missed[name] = self.rules.expression(row["missed"], path, (OWN,), but=missed)

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.catalogue.rows]

    # --- measures

    def named_measures(self) -> Iterable[Measure]:
        levels = [name for name in self.catalogue.rows if self.catalogue.is_level(name)]
        for side, name in enumerate(self.catalogue.sides[:2]):
            called = self._what_it_called(side)
            yield Measure(f"{name}.announced", "whether it announced", Item(called, ANNOUNCED))
            yield Measure(f"{name}.levels", "how many levels it called", Item(called, LEVELS))
            yield Measure(f"{name}.missed", "whether a level it called failed", self._fails(side))
            for call in levels:
                yield Measure(f"{name}.{call}", f"whether it called {call}", Item(called, call))
        yield Measure("others.levels", "levels called against a player", self._against, CULPRIT)

    def _what_it_called(self, side: int) -> Reader:
        """Of a side whether it has announced, how many levels it has called, and which."""
        catalogue = self.catalogue
        nothing: dict[object, float] = {
            **dict.fromkeys(catalogue.rows, False),
            ANNOUNCED: False,
            LEVELS: 0,
        }

        def read(rnd: Joint, _: object) -> Mapping[object, float]:
            if not self._has_called(rnd, side):
                return nothing
            called = self.called(rnd, side)
            levels = sum(map(catalogue.is_level, called))
            announced = levels < len(called)
            return {**nothing, **dict.fromkeys(called, True), ANNOUNCED: announced, LEVELS: levels}

        return read

    def _has_called(self, rnd: Joint, side: int) -> bool:
        return bool(rnd.state(self).has[side] or rnd.shared.raised)

    def _number_of_levels(self, rnd: Joint, side: int) -> int:
        return sum(map(self.catalogue.is_level, self.called(rnd, side)))

    def _fails(self, side: int) -> Reader:
        def read(rnd: Joint, _: object) -> bool:
            if not self._has_called(rnd, side):
                return False
            own = self._own(rnd, side)
            return any(self.missed[name].of(rnd, own) for name in self.called(rnd, side))

        return read

    def _own(self, rnd: Joint, side: int) -> Own:
        """A side as an expression speaks of it."""
        return Own(rnd.require_parties().members(side), side)

    def _against(self, rnd: Joint, seat: int) -> int:
        """Levels that the side against a player has called. Raises Impossible where it has called
        some, or theirs has, and nobody knows whose side they are on."""
        levels = [self._number_of_levels(rnd, side) for side in SIDES]
        if not any(levels):
            return 0
        side = rnd.require_parties().of(seat)
        if side is None:
            name = rnd.names[seat]
            raise Impossible(
                tr(
                    "{name}'s side is not known yet, so nobody knows the levels against {name}",
                    name=name,
                ),
                tr(
                    "enter it again once a card or a hand has shown the side, "
                    "before the round is over"
                ),
            )
        return levels[1 - side]

    # --- what happens

    def begin(self, rnd: Joint) -> State:
        return State()

    def called(self, rnd: Joint, side: int) -> Sequence[str]:
        """What a side has called so far, implied calls included."""
        return self.catalogue.called(rnd, rnd.state(self), side)

    def said_sides(self, rnd: Joint) -> Mapping[int, int]:
        """Whoever has called for both sides has said nothing."""
        state = rnd.state_if_begun(self)
        heard = state.heard.items() if state is not None else ()
        return {seat: side for seat, (side, *more) in heard if not more}

    def options(self, rnd: Joint) -> Iterator[Entry]:
        state = rnd.state(self)
        if not rnd.shared.contract or rnd.require_parties().searching:
            return
        for seat in rnd.seats:
            for name in self.catalogue.rows:
                for call in self._forms(rnd, seat, name):
                    side = self.catalogue.side_of(rnd, state, seat, call)
                    if side is not None and name not in self.called(rnd, side):
                        yield Entry(self.verbs[0], seat, call)

    def _forms(self, rnd: Joint, seat: int, name: str) -> Iterator[Call]:
        """How a seat may make a call: by its name alone, or, where that is not clear, for either
        side."""
        alone = Call("", name)
        try:
            self.catalogue.side_of(rnd, rnd.state(self), seat, alone)
            yield alone
        except Unreadable:
            yield from (Call(side, name) for side in self.catalogue.sides)

    def applied(self, rnd: Joint) -> Iterator[str]:
        named = {name for side in SIDES for name in self.called(rnd, side)}
        yield from (f"calls.{name}" for name in named)

    def joins_finished_round(self, rnd: Joint, entry: Entry) -> bool:
        """Who conceded has ended play before its time: the others may still call."""
        return rnd.shared.conceded >= 0

    def apply(self, rnd: Joint, entry: Entry) -> None:
        if rnd.over and rnd.shared.conceded >= 0:  # what was called counts as if called before
            words = [act.verb.word if act.counts else "" for act in rnd.entries()]
            rnd.retake(last=words.index(CONCEDE) + 1)
            return
        state, seat, call = rnd.state(self), actor_of(entry), entry.value
        if not rnd.shared.contract:
            raise Impossible(tr("{entry}: no contract is settled yet", entry=entry.text))
        side = self.catalogue.side_of(rnd, state, seat, call)
        if side is None:
            raise Impossible(
                tr("{entry}: it must say for which side", entry=entry.text),
                tr("name the side before it"),
            )
        if self.catalogue.is_heard(rnd, state, seat, side, call):
            state.heard.setdefault(seat, set()).add(side)
        self.catalogue.make(rnd, state, seat, side, call.name)
        state.side_called[seat] = side
        state.log.append((seat, side, call.name))

    def close(self, rnd: Joint) -> None:
        """Note that calls may still be made, when somebody has conceded."""
        if rnd.shared.conceded < 0:
            return
        if any(not rnd.broken(call) for call in sayable(self.options(rnd), self.rules.off)):
            rows = self.rules.clause_rows(CONCEDE, CONCEDE)
            say = mark("the others may still call, as long as nothing of the next round is entered")
            rnd.remark("calls.still", say, {}, rows[0]["cite"] if rows else "")

    def after_trick(self, rnd: Joint) -> None:
        state = rnd.state(self)
        if not (state.log or rnd.shared.raised):
            return
        for side in SIDES:
            own = self._own(rnd, side)
            for name in self.called(rnd, side):
                if (side, name) not in state.reported and rnd.evaluate(self.missed[name], own):
                    state.reported.add((side, name))
                    say = mark("{side} has called {call}, and it has failed")
                    facts = {"side": self.catalogue.sides[side], "call": rnd.rules.spoken(name)}
                    rnd.remark("calls.missed", say, facts, self.cite)

    # --- results

    def read_result(self, rnd: Joint, said: dict[str, str]) -> None:
        from scorekeeper.phases.calls import results

        if not rnd.void:
            results.read(rnd, rnd.state(self), self.catalogue, said)

    def after_result_read(self, rnd: Joint) -> None:
        from scorekeeper.phases.calls import results

        results.infer_callers(rnd, rnd.state(self), self.catalogue)

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        from scorekeeper.phases.calls import results

        return results.fields(self.catalogue)

    # --- what is told

    def describe(self, rnd: Joint) -> Json:
        from scorekeeper.phases.calls import telling

        state = rnd.state_if_begun(self)
        return telling.described(rnd, state, self.catalogue) if state is not None else {}

    def sentences(self, rnd: Joint) -> Iterator[str]:
        from scorekeeper.phases.calls import telling

        state = rnd.state_if_begun(self)
        return telling.sentences(rnd, state, self.catalogue) if state is not None else iter(())

    def summary(self, rnd: Joint) -> Json:
        from scorekeeper.phases.calls import telling

        return telling.summary(rnd, rnd.state(self), self.catalogue, self._failed)

    def _failed(self, rnd: Joint, side: int, name: str) -> bool:
        """Whether a side's call has failed in a round that is over."""
        own = self._own(rnd, side)
        if not self.catalogue.is_level(name):
            return own.seats != rnd.roles.get(WINNERS, ("", ()))[1]
        return bool(self.missed[name].value(rnd.reading(own)))
