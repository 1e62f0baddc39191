"""Bids on all dice in a rising chain, until a player calls the last bid."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import Prompt, Sentence, listed, mark, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.findings import broken
from scorekeeper.engine.phase import BID, CallRules, Measure, Phase, View
from scorekeeper.engine.round import Round
from scorekeeper.engine.ruleset import counts
from scorekeeper.engine.scoring import first_standing
from scorekeeper.engine.state import Bid, Called
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import NUMBER, Actor, Verb
from scorekeeper.notation.syntax import NAME_LENGTH, Nothing, OneOf, Syntax, clean, whole
from scorekeeper.ruleset.tables import Parameter, join_key
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Luck, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling


MOST_COUNT = 9999
STEPS = {"left": 1, "right": -1}  # a direction as a step from seat to seat
TOO_HIGH = mark("{bid} is too high: at most {most} of that face; the least legal bids are {legal}")


class State:
    """The chain of bids. `bids` are in the order in which they were made. `call` ended them; it is
    None before."""

    __slots__ = ("bids", "call")

    def __init__(self) -> None:
        self.bids: list[Bid] = []
        self.call: Called | None = None

    @property
    def last(self) -> Bid | None:
        """The last bid, if there is any."""
        return self.bids[-1] if self.bids else None


# --- what may be said, and how a bid is written


class BidSyntax(Syntax):
    """The syntax of a count and a face: `5x4`, or `5` and the word for the face."""

    form = mark("COUNTxFACE")

    def fits(self, text: str, notation: Spelling) -> bool:
        return text[:1].isdigit() and not NUMBER.syntax.fits(text, notation)

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
                tr(
                    "“{typed}” is no face; faces are {faces}",
                    typed=clean(face)[:NAME_LENGTH],
                    faces=", ".join(sorted(faces)),
                )
            )
        return int(word.removeprefix("face "))

    def show(self, value: tuple[int, int], notation: Spelling) -> str:
        return written(value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[int, int]]:
        faces = sorted({word for word in notation.meanings.values() if word[:5] == "face "})
        count = luck.randint(0, luck.choice((3, 10, MOST_COUNT)))
        return ((count, int(luck.choice(faces).removeprefix("face "))),)


def written(bid: tuple[int, int]) -> str:
    """Return a count and a face as text: `5x4`."""
    return f"{bid[0]}x{bid[1]}"


TO_BID = Verb(
    "bid",
    BidSyntax(),
    mark("at least so many dice show that face"),
    by=Actor.TURN,
    implicit=True,
    about=BID,
)
DOUBT = Verb("doubt", Nothing(), mark("the last bid is doubted"), by=Actor.ONE_OF)
EXACT = Verb("exact", Nothing(), mark("the last bid is exactly so"), by=Actor.ONE_OF)
DIRECTION = Verb("direction", OneOf(*STEPS), mark("which way the bids go"), by=Actor.TURN)
CALLS = (DOUBT, EXACT)


# --- the phase


def _last(rnd: Round) -> Bid | None:
    """Return the last bid of the round, if there is any."""
    state = rnd.state_if_begun(rnd.rules.phase(Bids))
    return state.last if state is not None else None


def _is_wild(rnd: Round, face: int) -> bool:
    return face == rnd.rules.phase(Bids).wild(rnd)


def _previous(read: Callable[[Round, Bid], float]) -> Reader:
    """Return a measure of the last bid. Its value is 0 before the first bid."""

    def measure(rnd: Round, subject: object) -> float:
        last = _last(rnd)
        return read(rnd, last) if last is not None else 0

    return measure


@phase
class Bids(Phase[State], CallRules):
    """The phase of the bids: whose turn it is, what a raise is, who may call.

    `calls` are the calls that an outcome decides, `faces` the numbers on a die. `barring` are the
    rows that bar bids, in the ruleset's order; the clauses add them.
    """

    name = "bids"
    doc = "A chain of bids of a count and a face, ended by a call (`doubt` or `exact`)."
    tables = ("faces", "dice")
    parameters = {
        "wild": Parameter(
            "number", "the face that counts as any other (0: none)", 0, bounds=(0, untrusted.FACES)
        ),
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
    verbs = (TO_BID, *CALLS, DIRECTION)
    measures = (
        Measure("count", "the count of the bid", lambda rnd, bid: bid.value[0], BID),
        Measure("face", "the face of the bid", lambda rnd, bid: bid.value[1], BID),
        Measure(
            "wild", "whether it is on the wild face", lambda r, bid: _is_wild(r, bid.value[1]), BID
        ),
        Measure("previous.count", "the last bid's count", _previous(lambda rnd, bid: bid.number)),
        Measure("previous.face", "the last bid's face", _previous(lambda rnd, bid: bid.face)),
        Measure(
            "previous.wild",
            "whether the last bid is on it",
            _previous(lambda rnd, bid: _is_wild(rnd, bid.face)),
        ),
        Measure("opening", "whether there is no bid yet", lambda rnd, _: _last(rnd) is None),
        Measure("dice", "all dice on the table", lambda rnd, _: rnd.dice()),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.barring: list[BarringRow] = []
        self.calls: list[Verb] = []
        self.faces: list[int] = []
        self._wild: Expression | int = 0

    def link(self) -> None:
        # A call that no outcome decides is not part of the game.
        decided = {row.get("call") for row in self.rules.section("outcomes").values()}
        self.calls = [verb for verb in CALLS if verb.word in decided]
        self.faces = self._faces()
        wild, where = self.row["wild"], "phases.bids.wild"
        self._wild = wild
        if not isinstance(wild, int):
            but = ("previous.wild",)
            self._wild = self.rules.expression(wild, where, but=but, whole=True)

    def _faces(self) -> list[int]:
        """Return the numbers of the faces. Report invalid ones, and tallies that allow too many
        dice."""
        faces, rules = self.rules.section("faces"), self.rules
        allowed = f"a number from 1 to {untrusted.FACES}"
        for name in faces:
            if not (name.isascii() and name.isdigit() and 1 <= int(name[:4]) <= untrusted.FACES):
                where = join_key(("faces", name))
                rules.fault(where, shown(name), allowed, f"{where}: a face is {allowed}")
        sound = 0 <= rules.tally["least"] <= rules.tally["most"] <= untrusted.DICE
        if rules.numbers.dice_are_tally and not sound:
            found = f"{rules.tally['least']} to {rules.tally['most']}"
            allowed = f"least and most from 0 to {untrusted.DICE}"
            rules.fault("tally.most", found, allowed, "tally: a player holds too many dice")
        return sorted(int(name) for name in faces if name.isascii() and name.isdigit())

    def check(self, sound: bool) -> None:
        """Report clauses that bar every first bid. Try a round of as few players as possible, if
        the ruleset has no other fault (`sound`)."""
        if not sound:
            return
        rules = self.rules
        names = [f"P{number}" for number in range(1, min(counts(rules.players)) + 1)]
        rnd = Round(rules, names, 1, first_standing(rules, len(names)))
        wrong = rnd.suppose(self, State(), lambda: self._wrong_with_first(rnd))
        if wrong and all(wrong):
            codes = _needed([{finding.code for finding in found} for found in wrong])
            where = join_key(("clauses", codes[-1].partition(".")[2]))
            what = f"none of the {len(wrong)} first bids of {len(names)} players is legal"
            message = f"{where}: {what}, by {listed(codes)}"
            rules.fault(where, "no legal bid", "a bid with which a round may begin", message)

    def _wrong_with_first(self, rnd: Round) -> list[list[Finding]]:
        """Return the findings on each first bid, up to the first bid without findings."""
        wrong = []
        for bid in self._bids(rnd, self.waiting(rnd)[0]):
            wrong.append(broken(rnd, bid))
            if not wrong[-1]:
                break
        return wrong

    def words(self) -> Iterable[tuple[str, str]]:
        for name, row in self.rules.section("faces").items():
            yield f"face {name}", f"face {name}"
            for word in row.get("words", ()):
                yield f"face {name}", word
        for way in STEPS:
            yield way, way

    def wild(self, rnd: Round) -> int:
        """Return the face that counts as any other in this round; 0 if there is none."""
        wild = self._wild
        return wild if isinstance(wild, int) else int(wild.value(rnd.reading()))

    def usual_wild(self) -> int:
        """Return the wild face of a round for which no mode or fact is set; 0 if there is none."""
        wild = self._wild
        return wild if isinstance(wild, int) else int(wild.value(lambda _: 0))

    def may_turn(self, rnd: Round) -> bool:
        """Return whether the starter may name the direction now."""
        when = self.row["turns"]
        allowed = when == "each" or (when == "first" and rnd.number == 1)
        allowed = allowed and DIRECTION.word not in self.rules.off
        return allowed and not self.play_begun(rnd)

    # --- the course

    def begin(self, rnd: Round) -> State:
        return State()

    def play_begun(self, rnd: Round) -> bool:
        state = rnd.state_if_begun(self)
        return bool(state and state.bids)

    def allows_out_of_phase(self, rnd: Round, entry: Entry) -> bool:
        begun = rnd.state_if_begun(self) is not None or rnd.over
        return entry.verb is DIRECTION and entry.seat == rnd.seating.leader and not begun

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).call is not None

    def waiting(self, rnd: Round) -> list[int]:
        last = rnd.state(self).last
        if last is not None:
            return [rnd.seating.following(last.seat, rnd.seating.step)]
        return [
            rnd.seating.following(rnd.seating.leader, rnd.seating.step)
            if rnd.seating.out(rnd.seating.leader)
            else rnd.seating.leader
        ]

    def options(self, rnd: Round) -> Iterator[Entry]:
        seat = self.waiting(rnd)[0]
        yield from (bid for bid in self._bids(rnd, seat) if not self._is_barred(rnd, bid))
        if self.play_begun(rnd):
            for caller in (seat, *(s for s in rnd.seating.playing() if s != seat)):
                yield from (Entry(call, caller, None) for call in self.calls)
        elif self.may_turn(rnd):
            for way in STEPS:
                yield Entry(DIRECTION, seat, way)

    def _bids(self, rnd: Round, seat: int) -> Iterator[Entry]:
        """Yield every bid up to the number of dice on the table, legal or not."""
        for count in range(1, rnd.dice() + 1):
            yield from (Entry(TO_BID, seat, (count, face)) for face in self.faces)

    def _is_barred(self, rnd: Round, bid: Entry) -> bool:
        """Return whether a row bars a bid, without computing the reason. A row whose expression has
        no value does not bar it."""
        try:
            return any(row.next_count(rnd, bid) != bid.value[0] for row in self.barring)
        except ExpressionError:
            return False

    def apply(self, rnd: Round, entry: Entry) -> None:
        # A bare act is by the player whose turn it is.
        seat = self.waiting(rnd)[0] if entry.seat is None else entry.seat
        if rnd.seating.out(seat):
            raise ValueError(f"{rnd.names[seat]} is out")
        if entry.verb is DIRECTION:
            rnd.seating.step = STEPS[entry.value]
            rnd.keep("step", rnd.seating.step)
        elif entry.verb is TO_BID:
            rnd.table.bid = Bid(seat, *entry.value)
            rnd.state(self).bids.append(rnd.table.bid)
        else:
            self._call(rnd, entry.verb, seat)

    def _call(self, rnd: Round, call: Verb, caller: int) -> None:
        state = rnd.state(self)
        if state.last is None:
            raise ValueError("there is no bid that could be called")
        if call not in self.calls:
            form = rnd.rules.lexicon.form(call.word)
            raise ValueError(f"{form} is not played here: no outcome decides it")
        bidder, _, face = state.last
        state.call = rnd.table.call = Called(caller, call.word)
        rnd.table.matching = tuple(sorted({face, self.wild(rnd)} - {0}))
        rnd.roles["bidder"] = (rnd.names[bidder], (bidder,))
        rnd.roles["caller"] = (rnd.names[caller], (caller,))

    def wrong_with_call(self, rnd: Round, call: str, caller: int, bidder: int) -> list[Finding]:
        entry = Entry(self.rules.every_verb[call], caller, None)
        found: list[Finding] = []
        for face in self.faces:
            for count in (1, rnd.dice()):
                supposed = State()
                supposed.bids.append(Bid(bidder, count, face))
                found = rnd.suppose(self, supposed, lambda: broken(rnd, entry))
                if not found:
                    return found
        return found

    def close(self, rnd: Round) -> None:
        if not self.row["keeps"]:
            rnd.keep("step", None)

    def view(self, rnd: Round) -> View[object]:
        state, form = rnd.state_if_begun(self), rnd.rules.lexicon.form
        has_begun = state is not None
        if state is None:
            if not rnd.earlier_entry((DIRECTION.word,)):
                return View(None)
            state = State()  # the direction was named before the first bid
        way = direction(rnd.seating.step)
        call = state.call
        facts = ChainFacts(
            has_begun=has_begun,
            next=rnd.names[self.waiting(rnd)[0]] if has_begun else "",
            bids=[(rnd.names[bid.seat], bid) for bid in state.bids],
            direction=way,
            direction_word=form(way),
            calls=[form(verb.word) for verb in self.calls],
            caller="" if call is None else rnd.names[call.seat],
            call="" if call is None else form(call.word),
            matching=list(rnd.table.matching),
        )
        return BidsView(facts)


def _needed(barring: list[set[str]]) -> list[str]:
    """Return a small set of the codes that still bar every bid. `barring` has the codes for each
    bid."""
    codes = list(dict.fromkeys(code for bid in barring for code in sorted(bid)))
    for code in codes[:]:
        rest = set(codes) - {code}
        if all(bid & rest for bid in barring):
            codes.remove(code)
    return codes


# --- what a chain of bids shows


class ChainFacts(NamedTuple):
    """A chain of bids. `bids` are pairs of a player and a bid, `next` is the player whose turn it
    is. `direction` is `left` or `right`. `calls` are the calls that the rules have. After a call,
    `caller` and `call` are set, and `matching` are the faces that are counted. If `has_begun` is
    false, only the direction has been named."""

    has_begun: bool
    next: str
    bids: list[tuple[str, Bid]]
    direction: str
    direction_word: str
    calls: list[str]
    caller: str
    call: str
    matching: list[int]


class BidsView(View[ChainFacts]):
    """The view of a chain of bids."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        name, bids, calls = self.facts.next, self.facts.bids, tr(" or ").join(self.facts.calls)
        if not bids:
            return Prompt(tr("{name} starts with a bid", name=name))
        bid = bids[-1][1].text
        if not calls:
            return Prompt(tr("{name} bids higher than {bid}", name=name, bid=bid))
        form = tr("{name} bids higher than {bid}, or says {calls}")
        return Prompt(form.format(name=name, bid=bid, calls=calls))

    def table(self) -> Iterator[str]:
        for who, bid in self.facts.bids:
            yield f"{who}: {bid.text}"

    def sentences(self) -> Iterator[Sentence]:
        chain = self.facts
        if chain.has_begun and chain.direction == "right":
            yield Sentence(tr("play goes to the {direction}", direction=chain.direction_word))
        if chain.call:
            yield Sentence(tr("{name} called {call}", name=chain.caller, call=chain.call))

    def as_json(self) -> Json:
        chain = self.facts
        bindings: Json = {"direction": chain.direction}
        if not chain.has_begun:
            return {"bindings": bindings}
        if chain.bids:
            who, (_, count, face) = chain.bids[-1]
            bindings["bid"] = {"who": who, "count": count, "face": face}
        if chain.call:
            bindings["call"] = {"who": chain.caller, "call": chain.call}
            bindings["matching"] = chain.matching
        table = [{"who": who, "bid": bid.text} for who, bid in chain.bids]
        return {"table": table, "bindings": bindings}

    def summary(self) -> Json:
        bids = self.facts.bids
        if not bids:
            return {}
        return {"bid": bids[-1][1].text, "bids": len(bids), "call": self.facts.call}


# --- the rows that bar bids: by them a bid is judged, and the least legal ones are found


class Barred(NamedTuple):
    """The reason why a row bars a bid. The count exceeds the `bound` of `limit`, which is `least`
    or `most`. If `limit` is empty, the row bars bids of any count."""

    limit: str
    bound: float


ALWAYS = Barred("", 0)


class BarringRow:
    """A row that bars bids for which `when` holds, if they are below `least` or above `most`.
    Without `least` it bars all of them."""

    __slots__ = ("least", "most", "when")

    def __init__(self, when: Expression, least: Expression | None = None) -> None:
        self.when = when
        self.least = least
        self.most: Expression | None = None

    def bars(self, count: int, get: Get) -> Barred | None:
        """Return why the row bars a bid of that count, or None if it does not. `get` reads
        measures."""
        if not self.when(get):
            return None
        if self.least is None:
            return ALWAYS
        least = self.least(get)
        if count < least:
            return Barred("least", least)
        if self.most is None:
            return None
        most = self.most(get)
        return Barred("most", most) if count > most else None

    def next_count(self, rnd: Round, bid: Entry) -> int | None:
        """Return the bid's count if the row does not bar it. Otherwise return the next count of
        that face that the row may allow, or None if there is none."""
        count: int = bid.value[0]
        barred = self.bars(count, rnd.reading(bid))
        if barred is None:
            return count
        if barred.limit == "most":
            return None
        return count + 1 if barred is ALWAYS else max(count + 1, ceil(barred.bound))


def least_raises(bids: Bids, rnd: Round, entry: Entry) -> list[str]:
    """Return the lowest bid on each face that no clause refuses, for the player who acts."""
    if entry.seat is None:
        return []
    lowest = (_lowest(bids, rnd, entry.seat, face) for face in bids.faces)
    return [bid for bid in lowest if bid]


def _lowest(bids: Bids, rnd: Round, seat: int, face: int) -> str:
    """Return the lowest bid on a face that no clause refuses. Counts up to twice the last one plus
    2 are tried; if all are refused, return ""."""
    last = rnd.state(bids).last
    most = 2 * (last.number if last is not None else 0) + 2
    count: int | None = 1
    while count is not None and count <= most:
        bid = Entry(TO_BID, seat, (count, face), text=written((count, face)))
        passed, count = count, _next_count(rnd, bid, bids.barring)
        if count == passed:
            if not broken(rnd, bid):
                return bid.text
            count += 1
    return ""


def _next_count(rnd: Round, bid: Entry, rows: Iterable[BarringRow]) -> int | None:
    """Return the bid's count if no row bars it, else the next count that such a row allows."""
    count: int = bid.value[0]
    for row in rows:
        following = row.next_count(rnd, bid)
        if following != count:
            return following
    return count


# --- the clauses


@clause(
    "raise",
    "bids",
    on=(TO_BID.word,),
    say=mark("{bid} is too low: at least {least} of that face; the least legal bids are {legal}"),
    doc="The least count of a bid, where the condition holds.",
    parameters={
        "when": Parameter("condition", "the bids it speaks of", "true"),
        "least": Parameter("number", "the least count"),
        "most": Parameter("number", "the highest count (without it: any)", ""),
    },
)
def _raise(row: Row, rules: Ruleset) -> Judge:
    def compiled(key: str) -> Expression:
        return rules.expression(row[key], f"{row['path']}.{key}", row["about"])

    barring = BarringRow(compiled("when"), compiled("least"))
    if row["most"] != "":
        barring.most = compiled("most")
    return _as_clause(barring, rules.phase(Bids))


@clause(
    "barred",
    "bids",
    on=(TO_BID.word,),
    say=mark("{bid} may not be bid now; the least legal bids are {legal}"),
    doc="Bids that may not be made at all, where the condition holds.",
    parameters={"when": Parameter("condition", "the bids that may not be made")},
)
def _barred(row: Row, rules: Ruleset) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    return _as_clause(BarringRow(when), rules.phase(Bids))


def _as_clause(barring: BarringRow, bids: Bids) -> Judge:
    """Return the judge of a row, and add the row to those that bar bids."""
    bids.barring.append(barring)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        barred = barring.bars(entry.value[0], rnd.reading(entry))
        if barred is None:
            return None
        bound = {barred.limit: barred.bound} if barred.limit else {}
        facts = {"bid": written(entry.value), **bound, "legal": least_raises(bids, rnd, entry)}
        return Breach(facts, TOO_HIGH if barred.limit == "most" else "")

    return judge


@clause(
    "on-a-bid",
    "bids",
    on=tuple(verb.word for verb in CALLS),
    say=mark("there is no bid yet that {who} could call"),
    doc="A call needs a bid before it.",
)
def _on_a_bid(row: Row, rules: Ruleset) -> Judge:
    bids = rules.phase(Bids)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if rnd.state(bids).bids:
            return None
        return Breach({"legal": least_raises(bids, rnd, entry)})

    return judge


@clause(
    "caller",
    "bids",
    on=tuple(verb.word for verb in CALLS),
    say=mark("{who} may not call now; {may} may"),
    doc="Who may call: the `next` player only, or `others`: anyone but the bidder.",
    parameters={
        "who": Parameter("choice", "who may call", "next", ("next", "others")),
        "when": Parameter("condition", "`others` only then, else the next", "true"),
    },
)
def _caller(row: Row, rules: Ruleset) -> Judge:
    when = rules.expression(row["when"], f"{row['path']}.when", row["about"])
    bids = rules.phase(Bids)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        last = rnd.state(bids).last
        if last is None:
            return None
        may = [rnd.seating.following(last.seat, rnd.seating.step)]
        if row["who"] == "others" and when(rnd.reading(entry)):
            may = [seat for seat in rnd.seating.playing() if seat != last.seat]
        if entry.seat in may:
            return None
        return Breach({"may": rnd.names_of(may), "bidder": rnd.names[last.seat]})

    return judge


@clause(
    "direction-first",
    "bids",
    on=(DIRECTION.word,),
    say=mark("the direction is named before the first bid"),
    doc="The direction may be named by the starter, before their first bid.",
)
def _direction_first(row: Row, rules: Ruleset) -> Judge:
    bids = rules.phase(Bids)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        return None if bids.may_turn(rnd) else Breach({"direction": direction(rnd.seating.step)})

    return judge


def direction(step: int) -> str:
    """Return `left` or `right` for a step of 1 or -1 from seat to seat."""
    return "left" if step > 0 else "right"
