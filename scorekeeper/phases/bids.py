"""A chain of bids on all dice, each higher than the last, until somebody calls."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from scorekeeper.core import limits
from scorekeeper.core.claims import Breach
from scorekeeper.core.failures import Unreadable
from scorekeeper.core.rulings import Finding
from scorekeeper.core.suggest import shown
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import NAME_LENGTH, Nothing, OneOf, Syntax, clean, whole
from scorekeeper.notation.verbs import Verb
from scorekeeper.ruleset.joint import Bid, Called
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.phase import ACTOR, BID, Measure, Phase
from scorekeeper.ruleset.sources import join_key
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.plain import Json, Row
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge, Reader

MOST_COUNT = 9999
CALLS = ("doubt", "exact")
DIRECTIONS = {"left": 1, "right": -1}


class BidSyntax(Syntax):
    """A count and a face: `5x4`, or `5` and what the face is called."""

    form = "COUNTxFACE"

    def fits(self, text: str, notation: Spelling) -> bool:
        return text[:1].isdigit()

    def read(self, text: str, notation: Spelling) -> tuple[int, int]:
        folded = text.casefold().replace("×", "x")
        count, cross, face = folded.partition("x")
        if not cross or not count.strip().isdigit():
            count, _, face = folded.partition(" ")
        number = whole(count.strip(), 0, MOST_COUNT)
        return number, self._face(face.strip(), notation)

    def _face(self, face: str, notation: Spelling) -> int:
        word = notation.canonical(f"face {face}") or notation.canonical(face)
        if not word.startswith("face "):
            faces = [w.removeprefix("face ") for w in notation.meanings if w[:5] == "face "]
            raise Unreadable(
                f"“{clean(face)[:NAME_LENGTH]}” is no face; faces are {', '.join(sorted(faces))}"
            )
        return int(word.removeprefix("face "))

    def show(self, value: tuple[int, int], notation: Spelling) -> str:
        return f"{value[0]}x{value[1]}"


class State:
    """The bids so far, as (seat, count, face), and who called what ("" and None before)."""

    __slots__ = ("bids", "call", "caller")

    def __init__(self) -> None:
        self.bids: list[tuple[int, int, int]] = []
        self.call = ""
        self.caller: int | None = None


def _this(read: Callable[[int, int, int], float]) -> Reader:
    """A measure of the bid that is judged: of its count, its face and the wild face."""
    return lambda rnd, entry: read(entry.value[0], entry.value[1], _wild(rnd))


def _previous(read: Callable[[int, int, int], float]) -> Reader:
    """A measure of the bid before it; 0 where there is none."""

    def measure(rnd: Joint, entry: Entry) -> float:
        bids = _made(rnd)
        return read(bids[-1][1], bids[-1][2], _wild(rnd)) if bids else 0

    return measure


def _made(rnd: Joint) -> list[tuple[int, int, int]]:
    """The bids of the round so far."""
    state = rnd.state_if_begun(rnd.rules.phase(Bids))
    return state.bids if state is not None else []


def _wild(rnd: Joint) -> int:
    return rnd.rules.phase(Bids).wild(rnd)


@phase
class Bids(Phase[State]):
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

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.limits: list[Limit] = []  # the rows that bar bids, in the ruleset's order

    def link(self) -> None:
        # A call that no outcome decides is none of this game.
        decided = {row.get("call") for row in self.rules.section("outcomes").values()}
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

    def wild(self, rnd: Joint) -> int:
        """The face that counts as any other in this round; 0 if there is none."""
        if self._always or self._wild_when.value(rnd.reading()):
            return int(self.row["wild"])
        return 0

    def turns(self, rnd: Joint) -> bool:
        """Whether the starter may name the direction in this round."""
        when = self.row["turns"]
        return bool(when == "each" or (when == "first" and rnd.number == 1))

    def words(self) -> Iterable[tuple[str, str]]:
        for name, row in self.rules.section("faces").items():
            yield f"face {name}", f"face {name}"
            for word in row.get("words", ()):
                yield f"face {name}", word
        yield "left", "left"
        yield "right", "right"

    def begin(self, rnd: Joint) -> State:
        return State()

    def play_begun(self, rnd: Joint) -> bool:
        state = rnd.state_if_begun(self)
        return bool(state and state.bids)

    def allows_out_of_phase(self, rnd: Joint, entry: Entry) -> bool:
        begun = rnd.state_if_begun(self) is not None or rnd.over
        return entry.verb.word == "direction" and entry.seat == rnd.leader and not begun

    def finished(self, rnd: Joint) -> bool:
        return bool(rnd.state(self).call)

    def waiting(self, rnd: Joint) -> list[int]:
        bids = rnd.state(self).bids
        return [rnd.following(bids[-1][0], rnd.step) if bids else rnd.leader]

    def prompt(self, rnd: Joint) -> str:
        name = rnd.names[self.waiting(rnd)[0]]
        bids = rnd.state(self).bids
        if not bids:
            return f"{name} starts with a bid"
        say = rnd.rules.lexicon.forms
        calls = " or ".join(say.get(verb.word, verb.word) for verb in self.calls)
        or_says = f", or says {calls}" if calls else ""
        return f"{name} bids higher than {bids[-1][1]}x{bids[-1][2]}{or_says}"

    def options(self, rnd: Joint) -> Iterator[Entry]:
        bid, *_, direction = self.verbs
        seat = self.waiting(rnd)[0]
        state = rnd.state(self)
        for count in range(1, sum(rnd.tally) + 1):
            for face in self.faces:
                yield Entry(bid, seat, (count, face))
        if state.bids:
            for caller in (seat, *(s for s in rnd.playing() if s != seat)):
                yield from (Entry(call, caller, None) for call in self.calls)
        elif self.turns(rnd):
            for way in DIRECTIONS:
                yield Entry(direction, seat, way)

    def apply(self, rnd: Joint, entry: Entry) -> None:
        seat = entry.seat if entry.seat is not None else rnd.leader
        if rnd.out(seat):
            raise ValueError(f"{rnd.names[seat]} is out")
        if entry.verb.word == "direction":
            rnd.step = DIRECTIONS[entry.value]
            rnd.keep("step", rnd.step)
            return
        state = rnd.state(self)
        if entry.verb.word == "bid":
            count, face = entry.value
            state.bids.append((seat, count, face))
            rnd.shared.bid = Bid(seat, count, face)
        elif state.bids:
            self._call(rnd, state, entry.verb.word, seat)
        else:
            raise ValueError("there is no bid that could be called")

    def _call(self, rnd: Joint, state: State, call: str, caller: int) -> None:
        if call not in [verb.word for verb in self.calls]:
            said = rnd.rules.lexicon.forms.get(call, call)
            raise ValueError(f"{said} is not played here: no outcome decides it")
        state.call, state.caller = call, caller
        bidder, _, face = state.bids[-1]
        rnd.shared.call = Called(caller, call)
        rnd.shared.matching = tuple(sorted({face, self.wild(rnd)} - {0}))
        rnd.roles["bidder"] = (rnd.names[bidder], (bidder,))
        rnd.roles["caller"] = (rnd.names[caller], (caller,))

    def wrong_with_call(
        self, rnd: Joint, call: str, caller: int, bidder: int
    ) -> list[Finding] | None:
        now, found = rnd.state_if_begun(self), list[Finding]()
        verb = self.rules.verbs[call]
        try:
            for face in self.faces:
                for count in (1, sum(rnd.tally)):
                    supposed = State()
                    supposed.bids.append((bidder, count, face))
                    rnd.suppose(self, supposed)
                    found = rnd.broken(Entry(verb, caller, None))
                    if not found:
                        return found
        finally:
            rnd.suppose(self, now)
        return found

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        way = "left" if rnd.step > 0 else "right"
        if state is None:
            named = rnd.earlier_entry(("direction",))
            return {"bindings": {"direction": way}} if named else {}
        table = [
            {"who": rnd.names[seat], "bid": f"{count}x{face}"} for seat, count, face in state.bids
        ]
        bindings: Json = {"direction": way}
        if state.bids:
            seat, count, face = state.bids[-1]
            bindings["bid"] = {"who": rnd.names[seat], "count": count, "face": face}
        call = rnd.shared.call
        if call is not None:
            said = rnd.rules.lexicon.forms.get(call.word, call.word)
            bindings["call"] = {"who": rnd.names[call.seat], "call": said}
            bindings["matching"] = list(rnd.shared.matching)
        return {"table": table, "bindings": bindings}

    def on_table(self, rnd: Joint) -> Iterator[str]:
        for told in self.describe(rnd).get("table", ()):
            yield f"{told['who']}: {told['bid']}"

    def sentences(self, rnd: Joint) -> Iterator[str]:
        if rnd.state_if_begun(self) is None:
            return
        say = rnd.rules.lexicon.forms
        if rnd.step < 0:
            yield f"play goes to the {say.get('right', 'right')}"
        call = rnd.shared.call
        if call is not None:
            yield f"{rnd.names[call.seat]} called {say.get(call.word, call.word)}"

    def close(self, rnd: Joint) -> None:
        if not self.row["keeps"]:
            rnd.keep("step", None)

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        if state is None or not state.bids:
            return {}
        _, count, face = state.bids[-1]
        call = rnd.rules.lexicon.forms.get(state.call, state.call)
        return {"bid": f"{count}x{face}", "bids": len(state.bids), "call": call}


# --- clauses

BIDS = ("bid",)
TOO_HIGH = "{bid} is too high: at most {most} of that face; the least legal bids are {legal}"


class Limit:
    """A row of the ruleset that bars bids where `when` holds: below `least` or above `most`, or
    all (None and None)."""

    __slots__ = ("least", "most", "when")

    def __init__(self, when: Expression, least: Expression | None, most: Expression | None) -> None:
        self.when = when
        self.least = least
        self.most = most

    def higher(self, rnd: Joint, bid: Entry) -> int | None:
        """The bid's count if the row lets it pass; else the next on that face that it may let
        pass; None if none can."""
        get, count = rnd.reading(bid), int(bid.value[0])
        if not self.when(get):
            return count
        if self.least is None:
            return count + 1
        least = self.least(get)
        if count < least:
            return max(count + 1, ceil(least))
        return None if self.most is not None and count > self.most(get) else count


def least_raises(rnd: Joint, seat: int) -> list[str]:
    """The lowest bid on each face that no clause refuses."""
    bids = rnd.rules.phase(Bids)
    made = rnd.state(bids).bids
    most = 2 * (made[-1][1] if made else 0) + 2
    found: list[str] = []
    for face in bids.faces:
        count: int | None = 1
        while count is not None and count <= most:
            bid = Entry(bids.verbs[0], seat, (count, face), text=f"{count}x{face}")
            passed, count = count, _higher(rnd, bid, bids.limits)
            if count == passed and not rnd.broken(bid):
                found.append(bid.text)
                break
            count = passed + 1 if count == passed else count
    return found


def _higher(rnd: Joint, bid: Entry, rows: Iterable[Limit]) -> int | None:
    """The bid's count if every row lets it pass, else what the first that does not says."""
    count: int = bid.value[0]
    for row in rows:
        higher = row.higher(rnd, bid)
        if higher != count:
            return higher
    return count


def _least(rnd: Joint, entry: Entry) -> list[str]:
    return [] if entry.seat is None else least_raises(rnd, entry.seat)


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
def _raise(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    least = rules.expression(row["least"], f"{row['path']}.least", row["about"])
    most = (
        rules.expression(row["most"], f"{row['path']}.most", row["about"])
        if row["most"] != ""
        else None
    )
    rules.phase(Bids).limits.append(Limit(when, least, most))

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        get = rnd.reading(entry)
        if not when(get):
            return None
        count, face = entry.value
        lowest = least(get)
        if count < lowest:
            return Breach({"bid": f"{count}x{face}", "least": lowest, "legal": _least(rnd, entry)})
        if most is None or count <= most(get):
            return None
        facts = {"bid": f"{count}x{face}", "most": most(get), "legal": _least(rnd, entry)}
        return Breach(facts, TOO_HIGH)

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
def _barred(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    rules.phase(Bids).limits.append(Limit(when, None, None))

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if not when(rnd.reading(entry)):
            return None
        count, face = entry.value
        return Breach({"bid": f"{count}x{face}", "legal": _least(rnd, entry)})

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
def _on_a_bid(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return None if rnd.state(rules.phase(Bids)).bids else Breach({"legal": _least(rnd, entry)})

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
def _caller(row: Row, rules: Rules) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(rules.phase(Bids))
        if not state.bids:
            return None
        bidder = state.bids[-1][0]
        may = [rnd.following(bidder, rnd.step)]
        if row["who"] == "others" and when(rnd.reading(entry)):
            may = [seat for seat in rnd.playing() if seat != bidder]
        return (
            None
            if entry.seat in may
            else Breach({"may": rnd.names_of(may), "bidder": rnd.names[bidder]})
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
def _direction_first(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        bids = rules.phase(Bids)
        if bids.turns(rnd) and not bids.play_begun(rnd):
            return None
        return Breach({"direction": "left" if rnd.step > 0 else "right"})

    return judge
