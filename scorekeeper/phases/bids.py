"""A chain of bids on all dice, each higher than the last, until somebody calls."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from scorekeeper.core import limits
from scorekeeper.core.failures import Unreadable
from scorekeeper.core.rulings import LEGAL, Finding
from scorekeeper.core.suggest import shown
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import NAME_LENGTH, Nothing, OneOf, Syntax, clean, whole
from scorekeeper.notation.verbs import Verb
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import ACTOR, BID, Measure, Phase
from scorekeeper.ruleset.sources import join_key
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorekeeper.notation import Notation
    from scorekeeper.play.round import Round

MOST_COUNT = 9999
CALLS = ("doubt", "exact")
DIRECTIONS = {"left": 1, "right": -1}


class BidSyntax(Syntax):
    """A count and a face: `5x4`, or `5` and what the face is called."""

    form = "COUNTxFACE"

    def fits(self, text: str, notation: Notation) -> bool:
        return text[:1].isdigit()

    def read(self, text: str, notation: Notation) -> tuple[int, int]:
        folded = text.casefold().replace("×", "x")
        count, cross, face = folded.partition("x")
        if not cross or not count.strip().isdigit():
            count, _, face = folded.partition(" ")
        number = whole(count.strip(), 0, MOST_COUNT)
        return number, self._face(face.strip(), notation)

    def _face(self, face: str, notation: Notation) -> int:
        word = notation.canonical(f"face {face}") or notation.canonical(face)
        if not word.startswith("face "):
            faces = [w.removeprefix("face ") for w in notation.lexicon.meanings if w[:5] == "face "]
            raise Unreadable(
                f"“{clean(face)[:NAME_LENGTH]}” is no face; faces are {', '.join(sorted(faces))}"
            )
        return int(word.removeprefix("face "))

    def show(self, value: tuple[int, int], notation: Notation) -> str:
        return f"{value[0]}x{value[1]}"


class State:
    """The bids so far, as (seat, count, face), and who called what ("" and None before)."""

    __slots__ = ("bids", "call", "caller")

    def __init__(self) -> None:
        self.bids: list[tuple[int, int, int]] = []
        self.call = ""
        self.caller: int | None = None


def _this(read: Callable[[int, int, int], Any]) -> Callable[[Round, Any], Any]:
    """A measure of the bid that is judged: of its count, its face and the wild face."""
    return lambda rnd, entry: read(entry.value[0], entry.value[1], _wild(rnd))


def _previous(read: Callable[[int, int, int], Any]) -> Callable[[Round, Any], Any]:
    """A measure of the bid before it; 0 where there is none."""

    def measure(rnd: Round, entry: Any) -> Any:
        bids = _made(rnd)
        return read(bids[-1][1], bids[-1][2], _wild(rnd)) if bids else 0

    return measure


def _made(rnd: Round) -> list[tuple[int, int, int]]:
    """The bids of the round so far."""
    state: State | None = rnd.states.get("bids")
    return state.bids if state is not None else []


def _wild(rnd: Round) -> int:
    bids = rnd.rules.phases["bids"]
    assert isinstance(bids, Bids)
    return bids.wild(rnd)


@phase
class Bids(Phase):
    """The chain of bids: who bids next, what a raise is, who may call."""

    name = "bids"
    doc = "A chain of bids of a count and a face, ended by a call (`doubt` or `exact`)."
    tables = ("faces",)
    parameters = {
        "wild": Parameter(
            "int", "the face that counts as any other (0: none)", 0, bounds=(0, limits.FACES)
        ),
        "wild_when": Parameter("condition", "the wild face is wild only then", "true"),
        "turns": Parameter(
            "choice",
            "when the starter may name the direction",
            "never",
            ("never", "first", "each"),
        ),
        "keeps": Parameter(
            "bool", "whether a direction that was named holds for later rounds too", True
        ),
    }
    sections = {
        "faces": {"words": Parameter("texts", "what the face is called: one, several, others", [])}
    }
    roles = ("bidder", "caller")
    reports = {
        "bid": "the last bid",
        "bids": "how many bids there were",
        "call": "what was called, in the game's word",
    }
    verbs = (
        Verb(
            "bid",
            BidSyntax(),
            "at least so many dice show that face",
            turn=True,
            implicit=True,
            about=BID,
        ),
        Verb("doubt", Nothing(), "the last bid is doubted"),
        Verb("exact", Nothing(), "the last bid is exactly so"),
        Verb("direction", OneOf("left", "right"), "which way the bids go", turn=True),
    )
    measures = (
        Measure("count", "the count of the bid", _this(lambda count, face, wild: count), BID),
        Measure("face", "the face of the bid", _this(lambda count, face, wild: face), BID),
        Measure("wild", "whether it is on the wild face", _this(lambda c, face, w: face == w), BID),
        Measure("previous.count", "the last bid's count", _previous(lambda count, f, w: count)),
        Measure("previous.face", "the last bid's face", _previous(lambda c, face, w: face)),
        Measure(
            "previous.wild",
            "whether the last bid is on it",
            _previous(lambda c, face, w: face == w),
        ),
        Measure("opening", "whether there is no bid yet", lambda rnd, _: not _made(rnd)),
        Measure("dice", "all dice on the table", lambda rnd, _: sum(rnd.tally)),
        Measure("own.tally", "the actor's dice", lambda rnd, entry: rnd.tally[entry.seat], ACTOR),
    )

    def link(self) -> None:
        # A call that no outcome decides is none of this game.
        decided = {row.get("call") for row in self.rules.data.get("outcomes", {}).values()}
        self.calls = [verb for verb in self.verbs if verb.word in CALLS and verb.word in decided]
        self.faces = self._faces()
        self._always = self.row["wild_when"] in ("true", True)
        self._wild_when = self.rules.expression(
            self.row["wild_when"], "phases.bids.wild_when", but=("previous.wild",)
        )

    def _faces(self) -> list[int]:
        """The numbers of the faces; what is none is reported, and more dice than there may be."""
        faces, rules = self.rules.section("faces"), self.rules
        allowed = f"a number from 1 to {limits.FACES}"
        for name in faces:
            if not (name.isascii() and name.isdigit() and 1 <= int(name[:4]) <= limits.FACES):
                where = join_key(("faces", name))
                rules.fault(where, shown(name), allowed, f"{where}: a face is {allowed}")
        if not 0 <= rules.tally["least"] <= rules.tally["most"] <= limits.DICE:
            found = f"{rules.tally['least']} to {rules.tally['most']}"
            allowed = f"least and most from 0 to {limits.DICE}"
            rules.fault("tally.most", found, allowed, "tally: a player holds too many dice")
        return sorted(int(name) for name in faces if name.isascii() and name.isdigit())

    def wild(self, rnd: Round) -> int:
        """The face that counts as any other in this round; 0 if there is none."""
        if self._always or self._wild_when.value(rnd.reading()):
            return int(self.row["wild"])
        return 0

    def turns(self, rnd: Round) -> bool:
        """Whether the starter may name the direction in this round."""
        when = self.row["turns"]
        return bool(when == "each" or (when == "first" and rnd.number == 1))

    def words(self) -> Iterable[tuple[str, str]]:
        for name, row in self.rules.data.get("faces", {}).items():
            yield f"face {name}", f"face {name}"
            for word in row.get("words", ()):
                yield f"face {name}", word
        yield "left", "left"
        yield "right", "right"

    def begin(self, rnd: Round) -> State:
        rnd.bindings["direction"] = "left" if rnd.step > 0 else "right"
        return State()

    def play_begun(self, rnd: Round) -> bool:
        state: State | None = rnd.states.get(self.name)
        return bool(state and state.bids)

    def allows_out_of_phase(self, rnd: Round, entry: Entry) -> bool:
        begun = self.name in rnd.states or rnd.phase is None
        return entry.verb.word == "direction" and entry.seat == rnd.leader and not begun

    def finished(self, rnd: Round) -> bool:
        return bool(rnd.states[self.name].call)

    def waiting(self, rnd: Round) -> list[int]:
        bids = rnd.states[self.name].bids
        return [rnd.following(bids[-1][0], rnd.step) if bids else rnd.leader]

    def prompt(self, rnd: Round) -> str:
        name = rnd.names[self.waiting(rnd)[0]]
        bids = rnd.states[self.name].bids
        if not bids:
            return f"{name} starts with a bid"
        say = rnd.rules.lexicon.forms
        calls = " or ".join(say.get(verb.word, verb.word) for verb in self.calls)
        or_says = f", or says {calls}" if calls else ""
        return f"{name} bids higher than {bids[-1][1]}x{bids[-1][2]}{or_says}"

    def options(self, rnd: Round) -> Iterator[Entry]:
        bid, *_, direction = self.verbs
        seat = self.waiting(rnd)[0]
        state: State = rnd.states[self.name]
        for count in range(1, sum(rnd.tally) + 1):
            for face in self.faces:
                yield Entry(bid, seat, (count, face))
        if state.bids:
            for caller in (seat, *(s for s in rnd.playing() if s != seat)):
                yield from (Entry(call, caller, None) for call in self.calls)
        elif self.turns(rnd):
            for way in DIRECTIONS:
                yield Entry(direction, seat, way)

    def apply(self, rnd: Round, entry: Entry) -> None:
        seat = entry.seat if entry.seat is not None else rnd.leader
        if rnd.out(seat):
            raise ValueError(f"{rnd.names[seat]} is out")
        if entry.verb.word == "direction":
            rnd.step = rnd.carry["step"] = DIRECTIONS[entry.value]
            rnd.bindings["direction"] = entry.value
            return
        state: State = rnd.states[self.name]
        if entry.verb.word == "bid":
            count, face = entry.value
            state.bids.append((seat, count, face))
            rnd.bindings["bid"] = {"who": rnd.names[seat], "count": count, "face": face}
        elif state.bids:
            self._call(rnd, state, entry.verb.word, seat)
        else:
            raise ValueError("there is no bid that could be called")

    def _call(self, rnd: Round, state: State, call: str, caller: int) -> None:
        if call not in [verb.word for verb in self.calls]:
            said = rnd.rules.lexicon.forms.get(call, call)
            raise ValueError(f"{said} is not played here: no outcome decides it")
        state.call, state.caller = call, caller
        bidder, _, face = state.bids[-1]
        said = rnd.rules.lexicon.forms.get(call, call)
        rnd.bindings["call"] = {"who": rnd.names[caller], "call": said}
        rnd.bindings["matching"] = sorted({face, self.wild(rnd)} - {0})
        rnd.roles["bidder"] = (rnd.names[bidder], (bidder,))
        rnd.roles["caller"] = (rnd.names[caller], (caller,))

    def never(self, rnd: Round, call: str, caller: int, bidder: int) -> list[Finding]:
        """What is wrong with a call upon a bid of that seat, whatever the bid is; empty if in some
        round that goes on from here nothing is."""
        now, found = rnd.states.get(self.name), list[Finding]()
        verb = self.rules.verbs[call]
        try:
            for face in self.faces:
                for count in (1, sum(rnd.tally)):
                    rnd.states[self.name] = supposed = State()
                    supposed.bids.append((bidder, count, face))
                    found = rnd.broken(Entry(verb, caller, None))
                    if not found:
                        return found
        finally:
            if now is None:
                rnd.states.pop(self.name)
            else:
                rnd.states[self.name] = now
        return found

    def describe(self, rnd: Round) -> dict[str, Any]:
        state: State | None = rnd.states.get(self.name)
        if state is None:
            return {}
        table = [
            {"who": rnd.names[seat], "bid": f"{count}x{face}"} for seat, count, face in state.bids
        ]
        return {"table": table}

    def on_table(self, rnd: Round) -> Iterator[str]:
        for told in self.describe(rnd).get("table", ()):
            yield f"{told['who']}: {told['bid']}"

    def sentences(self, rnd: Round) -> Iterator[str]:
        if rnd.states.get(self.name) is None:
            return
        say = rnd.rules.lexicon.forms
        if rnd.step < 0:
            yield f"play goes to the {say.get('right', 'right')}"
        call = rnd.bindings.get("call")
        if call is not None:
            yield f"{call['who']} called {call['call']}"

    def close(self, rnd: Round) -> None:
        if not self.row["keeps"]:
            rnd.carry.pop("step", None)

    def summary(self, rnd: Round) -> dict[str, Any]:
        state: State | None = rnd.states.get(self.name)
        if state is None or not state.bids:
            return {}
        _, count, face = state.bids[-1]
        call = rnd.rules.lexicon.forms.get(state.call, state.call)
        return {"bid": f"{count}x{face}", "bids": len(state.bids), "call": call}


# --- clauses

BIDS = ("bid",)
TOO_HIGH = "{bid} is too high: at most {most} of that face; the least legal bids are {legal}"


def least_raises(rnd: Round, seat: int) -> list[str]:
    """The lowest bid on each face that no clause refuses."""
    bids = rnd.rules.phases["bids"]
    assert isinstance(bids, Bids)
    verb = bids.verbs[0]
    clauses = [c for c in rnd.rules.clauses_of.get(verb.word, ()) if c.word.verdict != LEGAL]
    state: State = rnd.states[bids.name]
    most = 2 * (state.bids[-1][1] if state.bids else 0) + 2
    found: list[str] = []
    for face in bids.faces:
        count: int | None = 1
        while count is not None and count <= most:
            entry = _Quiet(Entry(verb, seat, (count, face), text=f"{count}x{face}"))
            least = _higher(rnd, entry, clauses)
            if least == count:
                found.append(entry.text)
                break
            count = least
    return found


def _higher(rnd: Round, entry: Entry, clauses: list[Any]) -> int | None:
    """The bid's count if every clause lets it pass; else a higher one that may; None if none can.
    A clause that says the least count, or that it bars the face, spares us what lies between."""
    count: int = entry.value[0]
    for kept in clauses:
        facts = kept.judge(rnd, entry)
        if facts:
            if facts.get("never"):
                return None
            least: int = ceil(facts.get("least", 0))
            return max(count + 1, least)
    return count


class _Quiet(Entry):
    """A bid that is only tried: a clause that refuses it need not say what would be legal."""

    __slots__ = ()

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.verb, entry.seat, entry.value, "", entry.text)


def _least(rnd: Round, entry: Entry) -> list[str]:
    if isinstance(entry, _Quiet) or entry.seat is None:
        return []
    return least_raises(rnd, entry.seat)


@clause(
    "raise",
    "bids",
    on=BIDS,
    say="{bid} is too low: at least {least} of that face; the least legal bids are {legal}",
    doc="The least count of a bid, where the condition holds.",
    legal='with `least = "previous.count + 1"`, 6x2 after 5x2',
    illegal="5x2 after 5x2",
    parameters={
        "when": Parameter("condition", "the bids it speaks of", "true"),
        "least": Parameter("number", "the least count"),
        "most": Parameter("number", "the highest count (without it: any)", ""),
    },
)
def _raise(row: dict[str, Any], rules: Any) -> Any:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    least = rules.expression(row["least"], f"{row['path']}.least", row["about"])
    most = (
        rules.expression(row["most"], f"{row['path']}.most", row["about"])
        if row["most"] != ""
        else None
    )

    def judge(rnd: Round, entry: Entry) -> dict[str, Any] | None:
        get = rnd.reading(entry)
        if not when(get):
            return None
        count, face = entry.value
        lowest = least(get)
        if count < lowest:
            return {"bid": f"{count}x{face}", "least": lowest, "legal": _least(rnd, entry)}
        if most is None or count <= most(get):
            return None
        facts = {"bid": f"{count}x{face}", "most": most(get), "legal": _least(rnd, entry)}
        return {**facts, "say": TOO_HIGH, "never": True}

    return judge


@clause(
    "barred",
    "bids",
    on=BIDS,
    say="{bid} may not be bid now; the least legal bids are {legal}",
    doc="Bids that may not be made at all, where the condition holds.",
    legal='with `when = "opening and wild"`, 1x2 as the first bid',
    illegal="1x1 as the first bid",
    parameters={"when": Parameter("condition", "the bids that may not be made")},
)
def _barred(row: dict[str, Any], rules: Any) -> Any:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Round, entry: Entry) -> dict[str, Any] | None:
        if not when(rnd.reading(entry)):
            return None
        count, face = entry.value
        return {"bid": f"{count}x{face}", "legal": _least(rnd, entry)}

    return judge


@clause(
    "on-a-bid",
    "bids",
    on=CALLS,
    say="there is no bid yet that {who} could call",
    doc="A call needs a bid before it.",
    legal="a call after 5x4",
    illegal="a call as the first word of a round",
)
def _on_a_bid(row: dict[str, Any], rules: Any) -> Any:
    def judge(rnd: Round, entry: Entry) -> dict[str, Any] | None:
        return None if rnd.states["bids"].bids else {"legal": _least(rnd, entry)}

    return judge


@clause(
    "caller",
    "bids",
    on=CALLS,
    say="{who} may not call now; {may} may",
    doc="Who may call: the `next` player only, or `others`: anyone but the bidder.",
    legal="the player after the bidder calls",
    illegal="the bidder calls their own bid",
    parameters={
        "who": Parameter("choice", "who may call", "next", ("next", "others")),
        "when": Parameter("condition", "`others` only then, else the next", "true"),
    },
)
def _caller(row: dict[str, Any], rules: Any) -> Any:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Round, entry: Entry) -> dict[str, Any] | None:
        state: State = rnd.states["bids"]
        if not state.bids:
            return None
        bidder = state.bids[-1][0]
        may = [rnd.following(bidder, rnd.step)]
        if row["who"] == "others" and when(rnd.reading(entry)):
            may = [seat for seat in rnd.playing() if seat != bidder]
        return (
            None if entry.seat in may else {"may": rnd.names_of(may), "bidder": rnd.names[bidder]}
        )

    return judge


@clause(
    "direction-first",
    "bids",
    on=("direction",),
    say="the direction is named before the first bid",
    doc="The direction may be named by the starter, before their first bid.",
    legal="`direction right`, then 2x3",
    illegal="2x3, then `direction right`",
)
def _direction_first(row: dict[str, Any], rules: Any) -> Any:
    def judge(rnd: Round, entry: Entry) -> dict[str, Any] | None:
        bids = rules.phases["bids"]
        if bids.turns(rnd) and not bids.play_begun(rnd):
            return None
        return {"direction": "left" if rnd.step > 0 else "right"}

    return judge
