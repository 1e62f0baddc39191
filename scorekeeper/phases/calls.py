"""Calls beside play: that one's side wins, and that the other stays under so many points.

A call is the caller's word; it binds his side and proves nothing about his hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core import limits
from scorekeeper.core.claims import Breach, Claim, Unsure
from scorekeeper.core.english import listed, number_of
from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.core.parties import CARDS, DECLARING, OTHERS
from scorekeeper.core.rulings import LEGAL
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Syntax, clean
from scorekeeper.notation.verbs import Verb
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import CULPRIT, SIDE, Measure, Phase
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.plain import Json, Row
    from scorekeeper.notation import Notation
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

    Said = tuple[str, str]

SIDES = (DECLARING, OTHERS)
IN_HAND = (0, limits.CARDS)


class CallSyntax(Syntax):
    """A call, with the side it is for where that is not clear: (side or "", call)."""

    form = "CALL"

    def __init__(self, calls: Iterable[str], sides: Iterable[str]) -> None:
        self.calls = set(calls)
        self.sides = set(sides)

    def fits(self, text: str, notation: Notation) -> bool:
        return notation.opening(text)[0] in self.calls | self.sides

    def read(self, text: str, notation: Notation) -> Said:
        word, rest = notation.opening(text)
        if not rest and word in self.calls:
            return "", word
        call, more = notation.opening(rest)
        if word not in self.sides or call not in self.calls or more:
            calls = ", ".join(map(notation.say, sorted(self.calls)))
            raise Unreadable(f"“{clean(text)}” is no call; calls are {calls}")
        return word, call

    def show(self, value: Said, notation: Notation) -> str:
        return " ".join(notation.say(word) for word in value if word)


class State:
    """What each side has called, implied calls too; `replied[side]` whether its first call was
    in time as a reply only; `word[seat]` the side that a seat has called for; `log` who called
    what; `told` the calls whose failure has been reported; `said` those that only a result has
    told of, by side."""

    __slots__ = ("has", "log", "replied", "reported", "said", "side_called")

    def __init__(self) -> None:
        self.has: list[list[str]] = [[], []]
        self.replied = [False, False]
        self.side_called: dict[int, int] = {}
        self.log: list[tuple[int, int, str]] = []
        self.reported: set[tuple[int, str]] = set()
        self.said: list[tuple[int, str]] = []


def _state(rnd: Joint) -> State:
    state = rnd.state(rnd.rules.phase(Calls))
    return state


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
    verbs = (Verb("call", CallSyntax((), ()), "a call for one's side", implicit=True),)
    reports = {"calls": "what was called, by side", "player.calls": "what a player called"}

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        syntax = CallSyntax(rules.section("calls"), rules.section("parties"))
        call = Verb("call", syntax, self.verbs[0].doc, implicit=True)
        call.phase = self.name
        self.verbs = (call,)

    def link(self) -> None:
        self.calls = self.rules.section("calls")
        self.names = list(self.rules.section("parties"))
        missed = [f"{name}.missed" for name in self.names]
        self.missed = {
            name: self.rules.expression(row["missed"], f"calls.{name}.missed", (SIDE,), but=missed)
            for name, row in self.calls.items()
        }
        levels = [name for name, row in self.calls.items() if not row["side"]]
        self.implied: list[dict[str, list[str]]] = []
        for side in self.names:
            own = [name for name, row in self.calls.items() if row["side"] == side]
            implied = {name: [name] for name in own}
            for index, level in enumerate(levels):
                implied[level] = [*own, *levels[: index + 1]]
            self.implied.append(implied)

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.rules.section("calls")]

    def named_measures(self) -> Iterable[Measure]:
        calls = self.rules.section("calls")
        for side, name in enumerate(list(self.rules.section("parties"))[:2]):
            yield Measure(f"{name}.announced", "whether it announced", self._announced(side))
            yield Measure(f"{name}.levels", "how many levels it called", self._levels(side))
            yield Measure(f"{name}.missed", "whether a level it called failed", self._fails(side))
            for call, row in calls.items():
                if not row.get("side"):
                    yield Measure(
                        f"{name}.{call}", f"whether it called {call}", self._did(side, call)
                    )
        yield Measure("others.levels", "levels called against a player", self._against, CULPRIT)

    def _announced(self, side: int) -> Callable[[Joint, Any], bool]:
        return lambda rnd, _: any(self.calls[name]["side"] for name in self.called(rnd, side))

    def _levels(self, side: int) -> Callable[[Joint, Any], int]:
        return lambda rnd, _: sum(not self.calls[name]["side"] for name in self.called(rnd, side))

    def _fails(self, side: int) -> Callable[[Joint, Any], bool]:
        return lambda rnd, _: any(
            self.missed[name](rnd.reading(side)) for name in self.called(rnd, side)
        )

    def _did(self, side: int, call: str) -> Callable[[Joint, Any], bool]:
        return lambda rnd, _: call in self.called(rnd, side)

    def _against(self, rnd: Joint, seat: Any) -> int:
        """Levels that the other side has called. Raises Impossible where his side is not known."""
        levels = [self._levels(side)(rnd, None) for side in SIDES]
        if not any(levels) or rnd.parties is None:
            return 0
        side = rnd.parties.of(seat)
        if side is None:
            name = rnd.names[seat]
            raise Impossible(
                f"{name}'s side is not known yet, so nobody knows the levels against {name}",
                "enter it again once a card or a hand has shown the side, before the round is over",
            )
        return levels[1 - side]

    # --- what stands

    def begin(self, rnd: Joint) -> State:
        return State()

    def called(self, rnd: Joint, side: int) -> list[str]:
        """What a side has called, implied calls too."""
        has = _state(rnd).has[side]
        raised = rnd.shared.raised if side == DECLARING else None
        if not raised:
            return has
        found = dict.fromkeys(name for word in raised for name in self.implied[side][word])
        return list(dict.fromkeys((*found, *has)))

    def least(self, rnd: Joint, name: str) -> int:
        """The fewest cards in hand with which a call is in time, in this deal."""
        assert rnd.parties is not None
        later = max(0, rnd.parties.found - 1)
        return int(self.calls[name]["cards"]) - later

    def in_hand(self, rnd: Joint, seat: int) -> int:
        """How many cards a seat holds."""
        return rnd.hands.size(seat)

    def late(self, rnd: Joint, seat: int, side: int, call: str) -> str:
        """Which of what a call says or implies is too late for that seat ("": none)."""
        held, has = self.in_hand(rnd, seat), self.called(rnd, side)
        for name in self.implied[side].get(call, ()):
            if name in has or held >= self.least(rnd, name):
                continue
            if not (name == call and self.calls[name]["side"] and self._replies(rnd, side, held)):
                return name
        return ""

    def _replies(self, rnd: Joint, side: int, held: int) -> bool:
        """Whether an announcement with so many cards is in time as a reply."""
        fewer = self.row["reply"]
        if not fewer:
            return False
        needed = [self.least(rnd, name) - fewer for name in self.called(rnd, 1 - side)]
        return bool(needed) and held >= min(needed)

    def side_of(self, rnd: Joint, seat: int, said: Said) -> int | None:
        """The side that a call is for. None: neither could make it. Raises Unreadable when both
        could and the call does not say which."""
        named, call = said
        word = named or self.calls[call]["side"]
        if word:
            return self.names.index(word)
        parties, state = rnd.parties, _state(rnd)
        assert parties is not None
        side = parties.of(seat)
        if side is None:
            side = state.side_called.get(seat)
        if side is not None:
            return side
        may = [
            side
            for side in SIDES
            if not state.replied[side] and not self.late(rnd, seat, side, call)
        ]
        if len(may) == 2:
            name, say = rnd.names[seat], rnd.rules.lexicon.forms
            spoken = [f"{name}: {say.get(side, side)} {say.get(call, call)}" for side in self.names]
            raise Unreadable(
                f"whose {say.get(call, call)}? either side may still call it",
                f"type “{spoken[0]}” or “{spoken[1]}”",
            )
        return may[0] if may else None

    # --- what may be said

    def options(self, rnd: Joint) -> Iterator[Entry]:
        if not rnd.shared.contract or rnd.parties is None or rnd.parties.searching:
            return
        verb = self.verbs[0]
        for seat in rnd.seats:
            for call in self.calls:
                for said in self._forms(rnd, seat, call):
                    side = self.side_of(rnd, seat, said)
                    if side is not None and call not in self.called(rnd, side):
                        yield Entry(verb, seat, said)

    def _forms(self, rnd: Joint, seat: int, call: str) -> Iterator[Said]:
        try:
            self.side_of(rnd, seat, ("", call))
            yield "", call
        except Unreadable:
            yield from ((side, call) for side in self.names)

    def apply(self, rnd: Joint, entry: Entry) -> None:
        state, seat = _state(rnd), entry.seat
        assert seat is not None
        if not rnd.shared.contract:
            raise Impossible(f"{entry.text}: no contract is settled yet")
        side = self.side_of(rnd, seat, entry.value)
        if side is None:
            raise Impossible(f"{entry.text}: it must say for which side", "name the side before it")
        call = entry.value[1]
        self._count(rnd, seat, side, call)
        state.side_called[seat] = side
        state.log.append((seat, side, call))

    def _count(self, rnd: Joint, seat: int, side: int, call: str) -> None:
        state, has = _state(rnd), self.called(rnd, side)
        if call not in has:
            held = self.in_hand(rnd, seat)
            if self.calls[call]["side"] and held < self.least(rnd, call):
                state.replied[side] = self._replies(rnd, side, held)
            state.has[side].extend(n for n in self.implied[side].get(call, [call]) if n not in has)

    def after_trick(self, rnd: Joint) -> None:
        state = _state(rnd)
        if not (state.log or rnd.shared.raised):
            return
        for side in SIDES:
            for name in self.called(rnd, side):
                if (side, name) not in state.reported and rnd.evaluate(self.missed[name], side):
                    state.reported.add((side, name))
                    say = "{side} has called {call}, and it has failed"
                    word = rnd.rules.lexicon.forms.get(name, name)
                    facts = {"side": self.names[side], "call": word}
                    rnd.remark("calls.missed", say, facts, self.cite)

    # --- results

    def read_result(self, rnd: Joint, said: dict[str, str]) -> None:
        if rnd.void:
            return
        text, state = said.pop("calls", None), _state(rnd)
        if text is None:
            return
        meant = rnd.rules.lexicon.meanings
        for part in text.split("+") if text else ():
            who, _, what = part.partition(":")
            side = meant.get(who.strip().casefold(), "")
            call = meant.get(" ".join(what.split()).casefold(), "")
            if side not in self.names:
                sides = " or ".join(self.names)
                raise Unreadable(f"calls={part}: a call is for {sides}", f"calls={self._example()}")
            index = self.names.index(side)
            if call not in self.implied[index]:
                allowed = ", ".join(self.implied[index])
                raise Unreadable(f"calls={part}: {side} cannot call that", f"it can call {allowed}")
            state.said.append((index, call))
        for index in SIDES:
            own = [self.implied[side][call] for side, call in state.said if side == index]
            for name in self.called(rnd, index):
                if not any(name in implied for implied in own):
                    side = self.names[index]
                    raise Impossible(f"{side} has called {name} by what was recorded")

    def after_result_read(self, rnd: Joint) -> None:
        """The calls that a result tells of were made by somebody of that side, in some order: each
        is judged as if it were made now, since later is never earlier in time."""
        state = _state(rnd)
        while state.said:
            told = [(said, self._acts(rnd, *said)) for said in state.said]
            fine = [said for said, acts in told if not all(map(rnd.broken, acts))]
            side, call = fine[0] if fine else state.said[0]
            acts = self._acts(rnd, side, call)
            seat = acts[0].seat if rnd.positioned else rnd.imply(acts).seat
            assert seat is not None
            self._count(rnd, seat, side, call)
            state.said.remove((side, call))

    def _acts(self, rnd: Joint, side: int, call: str) -> list[Entry]:
        """The ways in which a side may have made a call: who has most cards, first."""
        assert rnd.parties is not None
        seats = sorted(rnd.parties.members(side), key=lambda seat: -self.in_hand(rnd, seat))
        return [Entry(self.verbs[0], seat, (self.names[side], call)) for seat in seats]

    def _example(self) -> str:
        return "+".join(
            f"{side}:{next(iter(self.implied[i]))}" for i, side in enumerate(self.names)
        )

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        words = [f"{side}:{call}" for i, side in enumerate(self.names) for call in self.implied[i]]
        return [("calls", "what was called, joined by + (empty: nothing)", words)]

    # --- what is told

    def describe(self, rnd: Joint) -> Json:
        if rnd.state_if_begun(self) is None:
            return {}
        calls = {name: list(self.called(rnd, side)) for side, name in enumerate(self.names)}
        return {"bindings": {"calls": calls}} if any(calls.values()) else {}

    def sentences(self, rnd: Joint) -> Iterator[str]:
        if rnd.state_if_begun(self) is None:
            return
        say = rnd.rules.lexicon.forms
        for side, name in enumerate(self.names):
            words = [say.get(call, call) for call in self.called(rnd, side)]
            if words:
                yield f"{name} has called {listed(words)}"

    def summary(self, rnd: Joint) -> Json:
        say = rnd.rules.lexicon.forms
        told = []
        for side, name in enumerate(self.names):
            words = [say.get(call, call) for call in self.called(rnd, side)]
            if words:
                told.append(f"{name}: {' '.join(words)}")
        players: dict[str, list[str]] = {}
        for seat, _, call in _state(rnd).log:
            players.setdefault(rnd.names[seat], []).append(say.get(call, call))
        return {"calls": told or None, "player.calls": players}


# --- clauses

CALL = ("call",)


def _owner(rules: Any) -> Calls:
    owner: Calls = rules.phase(Calls)
    return owner


def _repeated(rnd: Joint, entry: Entry) -> bool:
    """Whether the side has made the call before."""
    owner = _owner(rnd.rules)
    assert entry.seat is not None
    side = owner.side_of(rnd, entry.seat, entry.value)
    return side is not None and entry.value[1] in owner.called(rnd, side)


def _barred(rnd: Joint, seat: int | None) -> str:
    """Why a seat may call nothing at all now ("": it may)."""
    if seat not in rnd.seats:
        return "they sit out this round"
    if not rnd.shared.contract or rnd.parties is None:
        return "the contract is not settled"
    if rnd.parties.searching:
        return "the trick that finds the partner is not complete"
    return ""


@clause(
    "settled",
    "calls",
    on=CALL,
    say="{who} may not call now: {why}",
    doc="Nothing is called before the contract is settled and a trick has found the partner.",
    legal="a call after everyone has spoken",
    illegal="a call while reservations are spoken, or while a partner is still looked for",
)
def _settled(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        why = _barred(rnd, entry.seat)
        return Breach({"why": why}) if why else None

    return judge


@clause(
    "in-time",
    "calls",
    on=CALL,
    say="{who} is too late for {call}: it needs {cards} in hand, and {held} {are} left",
    doc="The caller holds enough cards for the call, and for each call that it implies.",
    legal="with `cards = 11`, the call by who has laid one card of twelve",
    illegal="the same call when their second card lies on the table",
)
def _in_time(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        owner, seat = _owner(rules), entry.seat
        if seat is None or _barred(rnd, seat) or _repeated(rnd, entry):
            return None
        side = owner.side_of(rnd, seat, entry.value)
        sides = SIDES if side is None else (side,)
        late = [name for name in (owner.late(rnd, seat, s, entry.value[1]) for s in sides) if name]
        if not late:
            return None
        say = rnd.rules.lexicon.forms
        least, held = min(owner.least(rnd, name) for name in late), owner.in_hand(rnd, seat)
        return Breach(
            {
                "call": " or ".join(dict.fromkeys(say.get(name, name) for name in late)),
                "least": least,
                "held": held,
                "cards": number_of(least, "card"),
                "are": "is" if held == 1 else "are",
            }
        )

    return judge


@clause(
    "after-reply",
    "calls",
    on=CALL,
    say="{who} may call no level: {side} has announced in reply only",
    doc="A side whose announcement was in time as a reply only calls no level.",
    legal="a level after an announcement that was in time by itself",
    illegal="a level after one that was in time as a reply only",
)
def _after_reply(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        owner, seat = _owner(rules), entry.seat
        if seat is None or _barred(rnd, seat) or _repeated(rnd, entry):
            return None
        side = owner.side_of(rnd, seat, entry.value)
        if (
            side is None
            or not _state(rnd).replied[side]
            or rules.section("calls")[entry.value[1]]["side"]
        ):
            return None
        return Breach({"side": owner.names[side]})

    return judge


@clause(
    "own-side",
    "calls",
    on=CALL,
    say="{who} calls for {side}, and is {proven}",
    unknown="{who} calls for {side}; nobody knows whose side they are on",
    proven="{who} called for {side} and is {proven} ({first}, {then})",
    doc="One calls for one's own side: a claim about the hand, or known from the contract.",
    legal="the declaring side's call by who holds its card",
    illegal="the other side's call by who holds it",
)
def _own_side(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        owner, seat, parties = _owner(rules), entry.seat, rnd.parties
        if seat is None or parties is None or _barred(rnd, seat):
            return None
        side = owner.side_of(rnd, seat, entry.value)
        if side is None:
            return None
        proven = parties.of(seat)
        if proven == side:
            return None
        facts = {"side": owner.names[side], "proven": owner.names[1 - side]}
        if proven is not None:
            return Breach(facts)
        if parties.mode != CARDS or parties.before[seat]:
            return Unsure(facts)
        if side == DECLARING:
            return Claim(seat, parties.mask, 1, parties.copies, facts)
        return Claim(seat, parties.mask, 0, 0, facts)

    return judge


@clause(
    "repeated",
    "calls",
    on=CALL,
    say="{side} has called {call} already: it counts once",
    doc="A note when a side repeats a call: it counts once, and is never too late.",
    legal="a call that the side has made before",
    illegal="nothing: a note never refuses",
    verdict=LEGAL,
)
def _again(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if entry.seat is None or _barred(rnd, entry.seat) or not _repeated(rnd, entry):
            return None
        owner = _owner(rules)
        side = owner.side_of(rnd, entry.seat, entry.value)
        assert side is not None
        word = entry.value[1]
        return Breach({"side": owner.names[side], "call": rnd.rules.lexicon.forms.get(word, word)})

    return judge
