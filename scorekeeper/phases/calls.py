"""Calls during play. A player announces that their own side will win, or that the other side will
score fewer points than a stated number.

A call commits the caller's side. It proves nothing about the caller's hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import TRUTH, BatchedMeasure
from scorekeeper.core.hands import Breach, Claim, Unsure
from scorekeeper.core.messages import N_, Sentence, join_list, plural, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.core.sides import DECLARING, OTHERS
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.findings import broken_rules, infer_act
from scorekeeper.engine.measures import Owner
from scorekeeper.engine.phase import (
    CULPRIT,
    OWN,
    Coverage,
    Measure,
    Phase,
    ResultPart,
    View,
    actor_of,
)
from scorekeeper.engine.ruleset import enabled_entries
from scorekeeper.engine.state import CONCEDE
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import Syntax, clean
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import beside, clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling


SIDE_NUMBERS = (DECLARING, OTHERS)
HAND_BOUNDS = (0, untrusted.MAX_CARDS)
WINNERS = "winners"  # the role of the side that has won
ANNOUNCED_INDEX, LEVELS_INDEX = (
    0,
    1,
)  # keys of the two measures that belong to no single call


class State:
    """The calls of a round. A side is 0 (declaring) or 1, and a player is a seat.

    `calls_by_side` are the calls of each side, including implied calls. `is_reply` is true for a
    side whose announcement was in time only as a reply to the other side. `log` contains the seat,
    side and name of each call. `called_side` maps seats to the side that they have called for.
    `heard_sides` maps a seat to this side only if all players know which side the call is for.
    `reported_failures` are the calls (side, name) that have been reported as failed. `from_result`
    are the calls stated in a result, until their callers have been inferred.
    """

    __slots__ = (
        *("called_side", "calls_by_side", "from_result", "heard_sides", "is_reply", "log"),
        "reported_failures",
    )

    def __init__(self) -> None:
        self.calls_by_side: list[tuple[str, ...]] = [(), ()]
        self.is_reply = [False, False]
        self.log: list[tuple[int, int, str]] = []
        self.called_side: dict[int, int] = {}
        self.heard_sides: dict[int, set[int]] = {}
        self.reported_failures: set[tuple[int, str]] = set()
        self.from_result: list[tuple[int, str]] = []


# --- calls and their syntax


class Call(NamedTuple):
    """A call as typed: its side ("" if none was named) and its name."""

    side: str
    name: str


class CallSyntax(Syntax):
    """The syntax of a call. The call begins with the side's name if the side would otherwise be
    unclear."""

    form = N_("CALL")

    def __init__(self, calls: Iterable[str], sides: Iterable[str]) -> None:
        self.calls = self.words_named = set(calls)
        self.sides = set(sides)

    def word_in(self, value: Call) -> str:
        return value.name

    def may_match(self, text: str, notation: Spelling) -> bool:
        return notation.split_first_word(text)[0] in self.calls | self.sides

    def read(self, text: str, notation: Spelling) -> Call:
        word, rest = notation.split_first_word(text)
        if not rest and word in self.calls:
            return Call("", word)
        name, more = notation.split_first_word(rest)
        if word not in self.sides or name not in self.calls or more:
            calls = ", ".join(map(notation.write_word, sorted(self.calls)))
            raise Unreadable(
                tr("“{text}” is not a call; the calls are {calls}", text=clean(text), calls=calls)
            )
        return Call(word, name)

    def write(self, value: Call, notation: Spelling) -> str:
        return " ".join(notation.write_word(word) for word in value if word)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Call]:
        if not self.calls:
            return ()
        return (Call(rng.choice(["", *sorted(self.sides)]), rng.choice(sorted(self.calls))),)


def call_type(syntax: CallSyntax) -> EntryType:
    """Return the entry type of a call. `syntax` reads its words."""
    return EntryType("call", syntax, N_("a call for one's side"), is_implicit=True, by=Actor.ONE_OF)


# --- the ruleset's calls


class CallCatalog:
    """The compiled table `[calls]`.

    `rows` maps call names to their rows, and `sides` are the names of the two sides.
    `implied[side][name]` lists the calls that a call includes: the announcement, the lower levels
    and the call itself. A player who replies to a call of the other side may hold fewer cards than
    for a first call. `_fewer_by_dealt` is how many fewer.
    """

    def __init__(self, rules: Ruleset, row: Row) -> None:
        self.rows = rules.section("calls")
        self.sides = list(rules.section("parties"))
        self._fewer_by_dealt: int = row["reply"]
        levels = [name for name in self.rows if self.is_level(name)]
        self.implied: list[dict[str, list[str]]] = []
        for side in self.sides:
            own = [name for name, each in self.rows.items() if each["side"] == side]
            implied = {name: [name] for name in own}
            for index, level in enumerate(levels):
                implied[level] = [*own, *levels[: index + 1]]
            self.implied.append(implied)

    def is_level(self, name: str) -> bool:
        """Return whether the call is a level rather than an announcement that a side wins."""
        return not self.rows[name]["side"]

    def called(self, rnd: Round, state: State, side: int) -> Sequence[str]:
        """Return a side's calls, including implied calls and calls in its contract."""
        has = state.calls_by_side[side]
        raised = rnd.table.raised if side == DECLARING else ()
        if not raised:
            return has
        found = [name for word in raised for name in self.implied[side].get(word, ())]
        return list(dict.fromkeys((*found, *has)))

    # --- time limits

    def min_cards(self, rnd: Round, name: str) -> int:
        """Return how many cards a caller must still hold for a call to be in time in this deal."""
        later = max(0, rnd.require_sides().settled_after - 1)
        return int(self.rows[name]["cards"]) - later

    def find_too_late(self, rnd: Round, state: State, seat: int, side: int, call: str) -> str:
        """Return the name of the first call that is too late for that seat: the call itself, or one
        that it implies. Return "" if none is too late."""
        held, has = rnd.hands.size(seat), self.called(rnd, state, side)
        for name in self.implied[side].get(call, ()):
            if name in has or held >= self.min_cards(rnd, name):
                continue
            announces = name == call and not self.is_level(name)
            if not (announces and self._is_timely_reply(rnd, state, side, held)):
                return name
        return ""

    def _is_timely_reply(self, rnd: Round, state: State, side: int, held: int) -> bool:
        """Return whether an announcement by a player who holds `held` cards is in time as a reply
        to the other side."""
        if not self._fewer_by_dealt:
            return False
        needed = [
            self.min_cards(rnd, n) - self._fewer_by_dealt for n in self.called(rnd, state, 1 - side)
        ]
        return bool(needed) and held >= min(needed)

    # --- sides

    def side_of(self, rnd: Round, state: State, seat: int, call: Call) -> int | None:
        """Return the side that a seat's call is for, or None if neither side could make the call.
        Raise Unreadable if both sides could make it and the entry does not name a side."""
        side = call.side or self.rows[call.name]["side"]
        if side:
            return self.sides.index(side)
        known = rnd.require_sides().side_of(seat)
        if known is None:
            known = state.called_side.get(seat)
        if known is not None:
            return known
        may = self._may_call(rnd, state, seat, call.name)
        if len(may) == 2:
            name, say = rnd.rules.translate_word(call.name), rnd.rules.translate_word
            spoken = [f"{rnd.names[seat]}: {say(side)} {name}" for side in self.sides]
            raise Unreadable(
                tr(
                    "it is unclear for which side {name} is called, because either side may still "
                    "call it",
                    name=name,
                ),
                tr("type “{one}” or “{other}”", one=spoken[0], other=spoken[1]),
            )
        return may[0] if may else None

    def _may_call(self, rnd: Round, state: State, seat: int, name: str) -> list[int]:
        """Return the sides for which the seat might still make that call."""
        return [
            side
            for side in SIDE_NUMBERS
            if not state.is_reply[side] and not self.find_too_late(rnd, state, seat, side, name)
        ]

    def is_heard(self, rnd: Round, state: State, seat: int, side: int, call: Call) -> bool:
        """Return whether all players know that a seat's call is for that side.

        They know if the call names the side, if only that side may make the call, or if the seat is
        publicly on that side.
        """
        if call.side or self.rows[call.name]["side"]:
            return True
        known = rnd.public_sides().get(seat)
        if known is not None:
            return known == side
        return self._may_call(rnd, state, seat, call.name) == [side]

    # --- recording a call

    def record_call(self, rnd: Round, state: State, seat: int, side: int, call: str) -> None:
        """Record a seat's call for a side. A repeated call changes nothing."""
        has = self.called(rnd, state, side)
        if call in has:
            return
        held = rnd.hands.size(seat)
        if not self.is_level(call) and held < self.min_cards(rnd, call):
            state.is_reply[side] = self._is_timely_reply(rnd, state, side, held)
        fresh = [name for name in self.implied[side].get(call, [call]) if name not in has]
        state.calls_by_side[side] = (*state.calls_by_side[side], *fresh)


# --- the phase


@beside
class Calls(Phase[State], ResultPart, Coverage):
    """The phase of calls: who may make which call, and until when."""

    name = "calls"
    doc = (
        "Runs together with play: calls of `[calls]`, each while enough cards are in the"
        " caller's hand. A call with a `side` announces that it wins. The others are levels,"
        " in the file's order, and imply the announcement and the levels before them."
    )
    clause_order = "settled in-time own-side repeated after-reply"
    standard_words = "settled in-time own-side repeated"
    concurrent = True
    tables = ("calls",)
    others = ("parties", "auction")
    parameters = {
        "reply": Parameter(
            "int",
            "how many fewer cards in hand an announcement in reply needs",
            0,
            bounds=HAND_BOUNDS,
            words=("after-reply",),
        )
    }
    row_tables = {
        "calls": {
            "side": Parameter(
                "name", "the side that wins (if omitted, the call is a level)", "", rows="parties"
            ),
            "cards": Parameter("int", "the minimum number of cards in hand", bounds=HAND_BOUNDS),
            "missed": Parameter(
                "condition", "the condition under which it has failed (`own.…`, `other.…`)", "false"
            ),
        }
    }
    coverage_tables = ("calls",)
    entry_types = (call_type(CallSyntax((), ())),)
    reports = {
        "calls": "what was called, by side",
        "callers": "who called what (empty if a result states only the sides)",
        "player.calls": "what a player called",
        "player.kept": "the calls that have not failed; an announcement that a side wins fails"
        " unless that side has won",
    }

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.catalogue = CallCatalog(rules, row)
        self.entry_types = (call_type(CallSyntax(self.catalogue.rows, self.catalogue.sides)),)
        self.failure_conditions: dict[
            str, Expression
        ] = {}  # the condition under which each call has failed

    def link(self) -> None:
        missed = [f"{name}.missed" for name in self.catalogue.sides]
        for name, row in self.catalogue.rows.items():
            path = f"calls.{name}.missed"
            self.failure_conditions[name] = self.rules.compile_expression(
                row["missed"], path, (OWN,), but=missed
            )

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.catalogue.rows]

    # --- course of a round

    def begin(self, rnd: Round) -> State:
        return State()

    def calls_of(self, rnd: Round, side: int) -> Sequence[str]:
        """Return the calls of a side so far, including implied calls."""
        return self.catalogue.called(rnd, rnd.state(self), side)

    def options(self, rnd: Round) -> Iterator[Entry]:
        state = rnd.state(self)
        if not rnd.table.contract or rnd.require_sides().tricks_left:
            return
        for seat in rnd.seats:
            for name in self.catalogue.rows:
                for call in self._call_entries(rnd, seat, name):
                    side = self.catalogue.side_of(rnd, state, seat, call)
                    if side is not None and name not in self.calls_of(rnd, side):
                        yield Entry(self.entry_types[0], seat, call)

    def _call_entries(self, rnd: Round, seat: int, name: str) -> Iterator[Call]:
        """Yield the entries with which a seat may make a call. If the seat's side is unclear, yield
        one entry for each side."""
        alone = Call("", name)
        try:
            self.catalogue.side_of(rnd, rnd.state(self), seat, alone)
            yield alone
        except Unreadable:
            yield from (Call(side, name) for side in self.catalogue.sides)

    def applied_rows(self, rnd: Round) -> Iterator[str]:
        named = {name for side in SIDE_NUMBERS for name in self.calls_of(rnd, side)}
        yield from (f"calls.{name}" for name in named)

    def may_follow(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the call may still be made after a concession has ended the round."""
        return rnd.table.conceded >= 0

    def apply(self, rnd: Round, entry: Entry) -> None:
        # the call counts as if it had been made before the concession
        if rnd.over and rnd.table.conceded >= 0:
            words = [act.type.word if act.has_effect else "" for act in rnd.log.entries]
            rnd.replay_without(last=words.index(CONCEDE) + 1)
            return
        state, seat, call = rnd.state(self), actor_of(entry), entry.value
        if not rnd.table.contract:
            raise Impossible(tr("{entry}: no contract is settled yet", entry=entry.text))
        side = self.catalogue.side_of(rnd, state, seat, call)
        if side is None:
            raise Impossible(
                tr("{entry}: the side is missing", entry=entry.text),
                tr("name the side before the call"),
            )
        if self.catalogue.is_heard(rnd, state, seat, side, call):
            state.heard_sides.setdefault(seat, set()).add(side)
            # a seat that has called for both sides claims to be on neither side
            heard = state.heard_sides.items()
            rnd.table.claimed_sides = {each: one for each, (one, *more) in heard if not more}
        self.catalogue.record_call(rnd, state, seat, side, call.name)
        state.called_side[seat] = side
        state.log.append((seat, side, call.name))

    def after_trick(self, rnd: Round) -> None:
        state = rnd.state(self)
        if not (state.log or rnd.table.raised):
            return
        for side in SIDE_NUMBERS:
            own = self._owner(rnd, side)
            for name in self.calls_of(rnd, side):
                if (side, name) not in state.reported_failures and rnd.evaluate(
                    self.failure_conditions[name], own
                ):
                    state.reported_failures.add((side, name))
                    say = N_("{side} has called {call}, and the call has failed")
                    facts = {
                        "side": self.catalogue.sides[side],
                        "call": rnd.rules.translate_word(name),
                    }
                    rnd.add_note("calls.missed", say, facts, self.cite)

    def close(self, rnd: Round) -> None:
        """Add a note that calls may still be made after a concession."""
        if rnd.table.conceded < 0:
            return
        if any(
            not broken_rules(rnd, call)
            for call in enabled_entries(self.options(rnd), self.rules.disabled_verbs)
        ):
            rows = self.rules.clause_rows(CONCEDE, CONCEDE)
            say = N_("the other players may still call until the next round begins")
            rnd.add_note("calls.still", say, {}, rows[0]["cite"] if rows else "")

    # --- measures

    def named_measures(self) -> Iterable[Measure]:
        levels = [name for name in self.catalogue.rows if self.catalogue.is_level(name)]
        for side, name in enumerate(self.catalogue.sides[:2]):
            called = self._summarize_calls(side)
            yield Measure(
                f"{name}.announced",
                "whether it announced",
                BatchedMeasure(called, ANNOUNCED_INDEX),
                kind=TRUTH,
            )
            yield Measure(
                f"{name}.levels", "how many levels it called", BatchedMeasure(called, LEVELS_INDEX)
            )
            yield Measure(
                f"{name}.missed",
                "whether a level it called failed",
                self._failure_measure(side),
                kind=TRUTH,
            )
            for call in levels:
                yield Measure(
                    f"{name}.{call}",
                    f"whether it called {call}",
                    BatchedMeasure(called, call),
                    kind=TRUTH,
                )
        yield Measure(
            "others.levels", "levels called against a player", self._levels_against, CULPRIT
        )

    def _summarize_calls(self, side: int) -> Reader:
        """Return a function that computes all measures of a side. They are whether the side has
        announced that it wins, how many levels it has called, and whether it has made each call."""
        catalogue = self.catalogue
        nothing: dict[object, float] = {
            **dict.fromkeys(catalogue.rows, False),
            ANNOUNCED_INDEX: False,
            LEVELS_INDEX: 0,
        }

        def read(rnd: Round, _: object) -> Mapping[object, float]:
            if not self._announced_measure(rnd, side):
                return nothing
            called = self.calls_of(rnd, side)
            levels = sum(map(catalogue.is_level, called))
            announced = levels < len(called)
            return {
                **nothing,
                **dict.fromkeys(called, True),
                ANNOUNCED_INDEX: announced,
                LEVELS_INDEX: levels,
            }

        return read

    def _announced_measure(self, rnd: Round, side: int) -> bool:
        return bool(rnd.state(self).calls_by_side[side] or rnd.table.raised)

    def _levels_measure(self, rnd: Round, side: int) -> int:
        return sum(map(self.catalogue.is_level, self.calls_of(rnd, side)))

    def _failure_measure(self, side: int) -> Reader:
        def read(rnd: Round, _: object) -> bool:
            if not self._announced_measure(rnd, side):
                return False
            own = self._owner(rnd, side)
            return any(
                self.failure_conditions[name].value_in(rnd, own)
                for name in self.calls_of(rnd, side)
            )

        return read

    def _owner(self, rnd: Round, side: int) -> Owner:
        """Return the side as an `Owner`, which expressions need in place of a side."""
        return Owner(rnd.require_sides().members(side), side)

    def _levels_against(self, rnd: Round, seat: int) -> int:
        """Return how many levels the side opposing a player has called. Raise Impossible if any
        side has called a level and the player's side is unknown."""
        levels = [self._levels_measure(rnd, side) for side in SIDE_NUMBERS]
        if not any(levels):
            return 0
        side = rnd.require_sides().side_of(seat)
        if side is None:
            name = rnd.names[seat]
            raise Impossible(
                tr(
                    "{name}'s side is not known yet, so it is unknown which levels the other side "
                    "has called",
                    name=name,
                ),
                tr(
                    "enter it again before the end of the round, once a card or a hand has "
                    "shown the side"
                ),
            )
        return levels[1 - side]

    # --- results

    def read_result(self, rnd: Round, result: dict[str, str]) -> None:
        if not rnd.void:
            _read_calls(rnd, rnd.state(self), self.catalogue, result)

    def infer_from_result(self, rnd: Round) -> None:
        _infer_callers(rnd, rnd.state(self), self.catalogue)

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        sides = zip(self.catalogue.sides, self.catalogue.implied, strict=True)
        words = [f"{side}:{call}" for side, implied in sides for call in implied]
        return [("calls", tr("the calls, joined by + (empty if there were none)"), words)]

    def view(self, rnd: Round) -> CallsView:
        return CallsView(self, rnd)

    def words_by_side(self, rnd: Round) -> Iterator[tuple[str, list[str]]]:
        """Yield each side that has called, together with the game's words for its calls."""
        for side, name in enumerate(self.catalogue.sides):
            words = [rnd.rules.translate_word(call) for call in self.calls_of(rnd, side)]
            if words:
                yield name, words

    def unproven_callers(self, rnd: Round) -> Iterator[tuple[str, str]]:
        """Yield each player who has called for a side without being known to be on it, together
        with that side."""
        side_of = rnd.require_sides().side_of
        for seat, side in rnd.state(self).called_side.items():
            if side_of(seat) is None:
                yield rnd.names[seat], self.catalogue.sides[side]

    def has_failed(self, rnd: Round, side: int, name: str) -> bool:
        """Return whether a side's call has failed in a finished round."""
        own = self._owner(rnd, side)
        if not self.catalogue.is_level(name):
            return own.seats != rnd.roles.get(WINNERS, ("", ()))[1]
        return bool(self.failure_conditions[name].value_or(rnd.reading(own)))


class CallsView(View[None]):
    """The view of the calls. Unlike other views, this view reads the round directly."""

    __slots__ = ("phase", "rnd")

    def __init__(self, phase: Calls, rnd: Round) -> None:
        super().__init__(None)
        self.phase = phase
        self.rnd = rnd

    def sentences(self) -> Iterator[Sentence]:
        phase, rnd = self.phase, self.rnd
        if rnd.state_if_begun(phase) is None:
            return
        for name, words in phase.words_by_side(rnd):
            side = rnd.rules.translate(name)
            yield Sentence(tr("{name} has called {words}", name=side, words=join_list(words)))
        for who, side in phase.unproven_callers(rnd):
            yield Sentence(
                tr(
                    "{who} has called for {side} (unproven)",
                    who=who,
                    side=rnd.rules.translate(side),
                )
            )

    def as_json(self) -> Json:
        phase, rnd = self.phase, self.rnd
        if rnd.state_if_begun(phase) is None:
            return {}
        sides = enumerate(phase.catalogue.sides)
        calls = {name: list(phase.calls_of(rnd, side)) for side, name in sides}
        if not any(calls.values()):
            return {}
        players = {name: {"says": side} for name, side in phase.unproven_callers(rnd)}
        found: Json = {"bindings": {"calls": calls}}
        return {**found, "players": players} if players else found

    def summary(self) -> Json:
        """Return the calls as JSON. A side's name is omitted if its first call has the same name.
        In a finished round that is not void, `player.kept` contains the calls that have not failed.
        """
        phase, rnd = self.phase, self.rnd
        sides = [
            " ".join(words if words[0] == rnd.rules.translate_word(name) else [f"{name}:", *words])
            for name, words in phase.words_by_side(rnd)
        ]
        players: dict[str, list[str]] = {}
        kept: dict[str, list[str]] = {}
        counts = rnd.over and not rnd.void
        for seat, side, call in rnd.state(phase).log:
            players.setdefault(rnd.names[seat], []).append(rnd.rules.translate_word(call))
            if counts and not phase.has_failed(rnd, side, call):
                kept.setdefault(rnd.names[seat], []).append(rnd.rules.translate_word(call))
        callers = [f"{name}: {' '.join(words)}" for name, words in players.items()]
        said = {"calls": sides or None, "callers": callers or None}
        return {**said, "player.calls": players, "player.kept": kept}


# --- calls in results


def _read_calls(rnd: Round, state: State, catalogue: CallCatalog, said: dict[str, str]) -> None:
    """Remove the calls from the words of a result and store them. Raise Unreadable for calls that
    the side cannot make, and Impossible if a recorded call is missing."""
    text = said.pop("calls", None)
    if text is None:
        return
    for part in text.split("+") if text else ():
        state.from_result.append(_read_call(rnd, catalogue, part))
    for side in SIDE_NUMBERS:
        told = [catalogue.implied[each][call] for each, call in state.from_result if each == side]
        for name in catalogue.called(rnd, state, side):
            if not any(name in implied for implied in told):
                raise Impossible(
                    tr(
                        "according to the entries, {side} has called {name}",
                        side=catalogue.sides[side],
                        name=name,
                    )
                )


def _read_call(rnd: Round, catalogue: CallCatalog, part: str) -> tuple[int, str]:
    """Return the side and the call that a part of the text names."""
    meanings = rnd.rules.lexicon.meanings
    who, colon, what = part.partition(":")
    if not colon:
        return _read_short_call(catalogue, part, meanings.get(" ".join(who.split()).casefold(), ""))
    side = meanings.get(who.strip().casefold(), "")
    call = meanings.get(" ".join(what.split()).casefold(), "")
    if side not in catalogue.sides:
        sides = join_list(catalogue.sides, "or")
        raise Unreadable(
            tr("calls={part}: a call must be for {sides}", part=part, sides=sides),
            f"calls={_example_call(catalogue)}",
        )
    index = catalogue.sides.index(side)
    if call not in catalogue.implied[index]:
        allowed = ", ".join(catalogue.implied[index])
        raise Unreadable(
            tr("calls={part}: {side} cannot call that", part=part, side=side),
            tr("it can call {allowed}", allowed=allowed),
        )
    return index, call


def _read_short_call(catalogue: CallCatalog, part: str, call: str) -> tuple[int, str]:
    """Return a call whose side is omitted, if only one side can make it."""
    sides = [index for index, implied in enumerate(catalogue.implied) if call in implied]
    if len(sides) == 1:
        return sides[0], call
    forms = [f"calls={catalogue.sides[index]}:{call}" for index in sides]
    raise Unreadable(
        tr("calls={part}: name the side that called it", part=part),
        join_list(forms, "or") or f"calls={_example_call(catalogue)}",
    )


def _example_call(catalogue: CallCatalog) -> str:
    sides = zip(catalogue.sides, catalogue.implied, strict=True)
    return "+".join(f"{side}:{next(iter(implied))}" for side, implied in sides)


def _infer_callers(rnd: Round, state: State, catalogue: CallCatalog) -> None:
    """Infer which players made the calls in a result.

    The result states neither the players nor the order of the calls. Each call is judged as if it
    were made now, because a call that is too late at one time remains too late.
    """
    while state.from_result:
        ways = [(told, _possible_acts(rnd, catalogue, *told)) for told in state.from_result]
        allowed = [told for told, acts in ways if not all(broken_rules(rnd, act) for act in acts)]
        side, call = allowed[0] if allowed else state.from_result[0]
        acts = _possible_acts(rnd, catalogue, side, call)
        act = acts[0] if rnd.starts_midway else infer_act(rnd, acts)
        catalogue.record_call(rnd, state, actor_of(act), side, call)
        state.from_result.remove((side, call))


def _possible_acts(rnd: Round, catalogue: CallCatalog, side: int, call: str) -> list[Entry]:
    """Return the acts by which a side may have made a call. The first act is that of the player
    with the most cards."""
    players = rnd.require_sides().members(side)
    verb, value = rnd.rules.entry_types["call"], Call(catalogue.sides[side], call)
    return [Entry(verb, seat, value) for seat in sorted(players, key=lambda s: -rnd.hands.size(s))]


# --- the clauses


def _reason_barred(rnd: Round, seat: int | None) -> str:
    """Return the reason why a seat may make no call at all now, or "" if it may make one."""
    if seat not in rnd.seats:
        return tr("they sit out this round")
    if not rnd.table.contract:
        return tr("the contract is not settled")
    if seat == rnd.table.conceded:
        return tr("they have conceded the rest")
    if rnd.require_sides().tricks_left:
        return tr("the trick that decides the partner is not complete")
    return ""


class MadeCall(NamedTuple):
    """A seat's call, and whether its side had made that call before. `side` is None if neither side
    could make the call."""

    seat: int
    side: int | None
    name: str
    is_repeated: bool


def _call_made(phase: Calls, rnd: Round, entry: Entry) -> MadeCall | None:
    """Return the call that an entry makes. Return None if the caller may make no call at all; the
    clause `settled` reports that case."""
    seat, name = entry.seat, entry.value.name
    if seat is None or _reason_barred(rnd, seat):
        return None
    side = phase.catalogue.side_of(rnd, rnd.state(phase), seat, entry.value)
    return MadeCall(seat, side, name, side is not None and name in phase.calls_of(rnd, side))


@clause(
    "settled",
    "calls",
    on=("call",),
    say=N_("{who} may not call now, because {why}"),
    doc=(
        "No call may be made before the contract is settled. If a trick decides who the partner "
        "is, no call may be made before that trick is complete."
    ),
)
def _settled(row: Row, rules: Ruleset) -> Judge:
    def judge(rnd: Round, entry: Entry) -> Outcome:
        why = _reason_barred(rnd, entry.seat)
        return Breach({"why": why}) if why else None

    return judge


@clause(
    "in-time",
    "calls",
    on=("call",),
    say=N_("{who} is too late to call {call}; that needs {cards} in hand, but {left}"),
    doc="The caller must hold enough cards for the call, and for each call that it implies.",
)
def _in_time(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Calls)
    catalogue = phase.catalogue

    def judge(rnd: Round, entry: Entry) -> Outcome:
        call = _call_made(phase, rnd, entry)
        if call is None or call.is_repeated:
            return None
        sides = SIDE_NUMBERS if call.side is None else (call.side,)
        state = rnd.state(phase)
        found = [catalogue.find_too_late(rnd, state, call.seat, side, call.name) for side in sides]
        late = [name for name in found if name]
        if not late:
            return None
        least, held = (
            min(catalogue.min_cards(rnd, name) for name in late),
            rnd.hands.size(call.seat),
        )
        return Breach(
            {
                "call": join_list(list(dict.fromkeys(map(rules.translate_word, late))), "or"),
                "least": least,
                "held": held,
                "cards": plural("{count} card", "{count} cards", least),
                "left": plural("{count} is left", "{count} are left", held),
            }
        )

    return judge


@clause(
    "after-reply",
    "calls",
    on=("call",),
    say=N_(
        "{who} may not call a level, because the announcement of {side} was in time only as a reply"
    ),
    doc=(
        "A side may not call a level if its announcement was in time only because it replied to "
        "the other side."
    ),
)
def _after_reply(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Calls)
    catalogue = phase.catalogue

    def judge(rnd: Round, entry: Entry) -> Outcome:
        call = _call_made(phase, rnd, entry)
        if call is None or call.side is None or call.is_repeated:
            return None
        if not rnd.state(phase).is_reply[call.side] or not catalogue.is_level(call.name):
            return None
        return Breach({"side": catalogue.sides[call.side]})

    return judge


@clause(
    "own-side",
    "calls",
    on=("call",),
    say=N_("{who} calls for {side}, but is known to be {proven}"),
    unknown=N_("{who} calls for {side}; it is unknown which side they are on"),
    proven=N_("{who} called for {side}, but is {proven} ({first}, {then})"),
    doc=(
        "A player may call only for their own side. If the hands decide the sides, a call is also "
        "a claim about the player's hand."
    ),
)
def _own_side(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Calls)
    catalogue = phase.catalogue

    def judge(rnd: Round, entry: Entry) -> Outcome:
        call = _call_made(phase, rnd, entry)
        if call is None or call.side is None:
            return None
        seat, side, parties = call.seat, call.side, rnd.require_sides()
        proven = parties.side_of(seat)
        if proven == side:
            return None
        facts = {"side": catalogue.sides[side], "proven": catalogue.sides[1 - side]}
        if proven is not None:
            return Breach(facts)
        if not parties.by_cards or parties.unseen_plays[seat]:
            return Unsure(facts)
        if side == DECLARING:
            return Claim(seat, parties.mask, 1, parties.copies, facts)
        return Claim(seat, parties.mask, 0, 0, facts)

    return judge


@clause(
    "repeated",
    "calls",
    on=("call",),
    say=N_("{side} has already called {call}, and it counts only once"),
    doc=(
        "Adds a note when a side repeats a call. The repeated call changes nothing, so it is "
        "never too late."
    ),
    verdict=LEGAL,
)
def _repeated(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Calls)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        call = _call_made(phase, rnd, entry)
        if call is None or call.side is None or not call.is_repeated:
            return None
        return Breach(
            {"side": phase.catalogue.sides[call.side], "call": rules.translate_word(call.name)}
        )

    return judge
