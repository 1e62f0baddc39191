"""A chain of rising bids on all the dice on the table. A call on the last bid ends the chain."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.expressions import NUMBER, TRUTH, ExpressionError
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, Prompt, Sentence, join_list, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.findings import broken_rules
from scorekeeper.engine.phase import BID, CallRules, Measure, Phase, View
from scorekeeper.engine.round import Round
from scorekeeper.engine.ruleset import player_counts
from scorekeeper.engine.scoring import first_standing
from scorekeeper.engine.state import Bid, DiceCall
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import SHORT_NUMBER, Actor, EntryType
from scorekeeper.notation.syntax import (
    MAX_NAME_LENGTH,
    NoValue,
    Syntax,
    WordChoice,
    clean,
    parse_whole,
)
from scorekeeper.ruleset.tables import Parameter, join_key
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.expressions import Expression, Lookup
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling


MAX_COUNT = 9999
STEP_OF = {"left": 1, "right": -1}  # a direction as a step from seat to seat
TOO_HIGH = N_("{bid} is too high: at most {most} of that face; the lowest legal bids are {legal}")


class State:
    """The chain of bids, in the order in which they were made. `call` is the call that ended the
    chain, or None while it continues."""

    __slots__ = ("bids", "call")

    def __init__(self) -> None:
        self.bids: list[Bid] = []
        self.call: DiceCall | None = None

    @property
    def last_bid(self) -> Bid | None:
        """The last bid, or None."""
        return self.bids[-1] if self.bids else None


# --- entries and their syntax


class BidSyntax(Syntax):
    """The syntax of a count and a face: `5x4`, or `5` followed by the word for the face."""

    form = N_("COUNTxFACE")

    def may_match(self, text: str, notation: Spelling) -> bool:
        return text[:1].isdigit() and not SHORT_NUMBER.syntax.may_match(text, notation)

    def read(self, text: str, notation: Spelling) -> tuple[int, int]:
        folded = text.casefold().replace("×", "x")
        count, cross, face = folded.partition("x")
        if not cross or not count.strip().isdigit():
            count, _, face = folded.partition(" ")
        number = parse_whole(count.strip(), 0, MAX_COUNT)
        return number, self._face(face.strip(), notation)

    def _face(self, face: str, notation: Spelling) -> int:
        word = notation.find_meaning(f"face {face}") or notation.find_meaning(face)
        if not word.startswith("face "):
            faces = [w.removeprefix("face ") for w in notation.meanings if w[:5] == "face "]
            raise Unreadable(
                tr(
                    "“{typed}” is not a face; the faces are {faces}",
                    typed=clean(face)[:MAX_NAME_LENGTH],
                    faces=", ".join(sorted(faces)),
                )
            )
        return int(word.removeprefix("face "))

    def write(self, value: tuple[int, int], notation: Spelling) -> str:
        return format_bid(value)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[tuple[int, int]]:
        faces = sorted({word for word in notation.meanings.values() if word[:5] == "face "})
        count = rng.randint(0, rng.choice((3, 10, MAX_COUNT)))
        return ((count, int(rng.choice(faces).removeprefix("face "))),)


def format_bid(bid: tuple[int, int]) -> str:
    """Return a count and a face as text: `5x4`."""
    return f"{bid[0]}x{bid[1]}"


BID_ENTRY = EntryType(
    "bid",
    BidSyntax(),
    N_("at least that many dice show that face"),
    by=Actor.TURN,
    is_implicit=True,
    measured_as=BID,
)
DOUBT = EntryType("doubt", NoValue(), N_("the last bid is doubted"), by=Actor.ONE_OF)
EXACT = EntryType("exact", NoValue(), N_("the last bid is exactly right"), by=Actor.ONE_OF)
DIRECTION = EntryType(
    "direction", WordChoice(*STEP_OF), N_("the direction of the bids"), by=Actor.TURN
)
CALLS = (DOUBT, EXACT)


# --- the phase


def _last_bid(rnd: Round) -> Bid | None:
    """Return the last bid of the round, or None."""
    state = rnd.state_if_begun(rnd.rules.phase(Bids))
    return state.last_bid if state is not None else None


def _is_wild(rnd: Round, face: int) -> bool:
    return face == rnd.rules.phase(Bids).wild_face(rnd)


def _previous(read: Callable[[Round, Bid], float]) -> Reader:
    """Return a function that computes a measure of the last bid, or 0 before the first bid."""

    def measure(rnd: Round, subject: object) -> float:
        last = _last_bid(rnd)
        return read(rnd, last) if last is not None else 0

    return measure


@phase
class Bids(Phase[State], CallRules):
    """The phase of bidding. It determines whose turn it is, which bids are high enough, and which
    players may call.

    `calls` are the calls for which the ruleset has an outcome. `faces` are the numbers on a die.
    `barring_rows` are the rows that bar bids, in the ruleset's order. Each clause that bars bids
    adds its row.
    """

    name = "bids"
    family = N_("dice games")
    doc = "A chain of bids of a count and a face, ended by a call (`doubt` or `exact`)."
    clause_order = "on-a-bid caller direction-first"
    standard_words = "on-a-bid caller"
    tables = ("faces", "dice")
    parameters = {
        "wild": Parameter(
            "number",
            "the face that counts as any face (0: none)",
            0,
            bounds=(0, untrusted.MAX_FACES),
        ),
        "turns": Parameter(
            "choice",
            "when the starter may name the direction",
            "never",
            ("never", "first", "each"),
            words=("direction-first",),
        ),
        "keeps": Parameter("bool", "whether a named direction also applies to later rounds", True),
    }
    row_tables = {
        "faces": {
            "words": Parameter(
                "texts", "the names of the face: singular, plural, and any others", [], natural=True
            )
        }
    }
    roles = ("bidder", "caller")
    reports = {
        "bid": "the last bid",
        "bids": "the number of bids",
        "call": "the call, in the game's word",
    }
    entry_types = (BID_ENTRY, *CALLS, DIRECTION)
    measures = (
        Measure("count", "the count of the bid", lambda rnd, bid: bid.value[0], BID),
        Measure("face", "the face of the bid", lambda rnd, bid: bid.value[1], BID),
        Measure(
            "wild",
            "whether the bid is on the wild face",
            lambda r, bid: _is_wild(r, bid.value[1]),
            BID,
            kind=TRUTH,
        ),
        Measure("previous.count", "the last bid's count", _previous(lambda rnd, bid: bid.number)),
        Measure("previous.face", "the last bid's face", _previous(lambda rnd, bid: bid.face)),
        Measure(
            "previous.wild",
            "whether the last bid is on the wild face",
            _previous(lambda rnd, bid: _is_wild(rnd, bid.face)),
            kind=TRUTH,
        ),
        Measure(
            "opening",
            "whether there is no bid yet",
            lambda rnd, _: _last_bid(rnd) is None,
            kind=TRUTH,
        ),
        Measure("dice", "all dice on the table", lambda rnd, _: rnd.dice()),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.barring_rows: list[BarringRow] = []
        self.calls: list[EntryType] = []
        self.faces: list[int] = []
        self._wild_face: Expression | int = 0

    def link(self) -> None:
        # A call without an outcome in the ruleset is not part of the game.
        decided = {row.get("call") for row in self.rules.section("outcomes").values()}
        self.calls = [verb for verb in CALLS if verb.word in decided]
        self.faces = self._read_faces()
        wild, where = self.row["wild"], "phases.bids.wild"
        self._wild_face = wild
        if not isinstance(wild, int):
            but = ("previous.wild",)
            self._wild_face = self.rules.compile_expression(wild, where, but=but, whole=True)

    def _read_faces(self) -> list[int]:
        """Return the numbers of the faces. Report invalid faces, and tallies that would allow too
        many dice."""
        faces, rules = self.rules.section("faces"), self.rules
        allowed = f"a number from 1 to {untrusted.MAX_FACES}"
        for name in faces:
            if not (
                name.isascii() and name.isdigit() and 1 <= int(name[:4]) <= untrusted.MAX_FACES
            ):
                where = join_key(("faces", name))
                rules.fault(where, quote(name), allowed, f"{where}: a face is {allowed}")
        sound = 0 <= rules.tally["least"] <= rules.tally["most"] <= untrusted.MAX_DICE
        if rules.numbers.dice_are_tally and not sound:
            found = f"{rules.tally['least']} to {rules.tally['most']}"
            allowed = f"least and most from 0 to {untrusted.MAX_DICE}"
            rules.fault("tally.most", found, allowed, "tally: a player holds too many dice")
        return sorted(int(name) for name in faces if name.isascii() and name.isdigit())

    def check(self, trial_allowed: bool) -> None:
        """Report clauses that bar every first bid. If `trial_allowed`, try a round
        with the smallest number of players."""
        if not trial_allowed:
            return
        rules = self.rules
        names = [f"P{number}" for number in range(1, min(player_counts(rules.players)) + 1)]
        rnd = Round(rules, names, 1, first_standing(rules, len(names)))
        wrong = rnd.with_state(self, State(), lambda: self._find_first_bid_faults(rnd))
        if wrong and all(wrong):
            codes = _smallest_cover([{finding.code for finding in found} for found in wrong])
            where = join_key(("clauses", codes[-1].partition(".")[2]))
            what = f"none of the {len(wrong)} first bids of {len(names)} players is legal"
            message = f"{where}: {what}, by {join_list(codes)}"
            rules.fault(where, "no legal bid", "a bid with which a round may begin", message)

    def _find_first_bid_faults(self, rnd: Round) -> list[list[Finding]]:
        """Return the findings on each possible first bid, up to the first bid without any
        findings."""
        wrong = []
        for bid in self._possible_bids(rnd, self.waiting(rnd)[0]):
            wrong.append(broken_rules(rnd, bid))
            if not wrong[-1]:
                break
        return wrong

    def words(self) -> Iterable[tuple[str, str]]:
        for name, row in self.rules.section("faces").items():
            yield f"face {name}", f"face {name}"
            for word in row.get("words", ()):
                yield f"face {name}", word
        for way in STEP_OF:
            yield way, way

    def wild_face(self, rnd: Round) -> int:
        """Return the face that counts as any face in this round, or 0 if there is none."""
        wild = self._wild_face
        return wild if isinstance(wild, int) else int(wild.value_or(rnd.reading()))

    def usual_wild_face(self) -> int:
        """Return the wild face of a round without a chosen mode and without setup facts, or 0 if
        there is none."""
        wild = self._wild_face
        return wild if isinstance(wild, int) else int(wild.value_or(lambda _: 0))

    def may_set_direction(self, rnd: Round) -> bool:
        """Return whether the starter may name the direction now."""
        when = self.row["turns"]
        allowed = when == "each" or (when == "first" and rnd.number == 1)
        allowed = allowed and DIRECTION.word not in self.rules.disabled_verbs
        return allowed and not self.play_begun(rnd)

    # --- course of a round

    def begin(self, rnd: Round) -> State:
        return State()

    def play_begun(self, rnd: Round) -> bool:
        state = rnd.state_if_begun(self)
        return bool(state and state.bids)

    def may_act_early(self, rnd: Round, entry: Entry) -> bool:
        begun = rnd.state_if_begun(self) is not None or rnd.over
        return entry.type is DIRECTION and entry.seat == rnd.seating.leader and not begun

    def finished(self, rnd: Round) -> bool:
        return rnd.state(self).call is not None

    def waiting(self, rnd: Round) -> list[int]:
        last = rnd.state(self).last_bid
        if last is not None:
            return [rnd.seating.next_active(last.seat, rnd.seating.step)]
        return [
            rnd.seating.next_active(rnd.seating.leader, rnd.seating.step)
            if rnd.seating.is_out(rnd.seating.leader)
            else rnd.seating.leader
        ]

    def options(self, rnd: Round) -> Iterator[Entry]:
        seat = self.waiting(rnd)[0]
        yield from (bid for bid in self._possible_bids(rnd, seat) if not self._is_barred(rnd, bid))
        if self.play_begun(rnd):
            for caller in (seat, *(s for s in rnd.seating.playing() if s != seat)):
                yield from (Entry(call, caller, None) for call in self.calls)
        elif self.may_set_direction(rnd):
            for way in STEP_OF:
                yield Entry(DIRECTION, seat, way)

    def _possible_bids(self, rnd: Round, seat: int) -> Iterator[Entry]:
        """Yield every bid, legal or not, up to the number of dice on the table."""
        for count in range(1, rnd.dice() + 1):
            yield from (Entry(BID_ENTRY, seat, (count, face)) for face in self.faces)

    def _is_barred(self, rnd: Round, bid: Entry) -> bool:
        """Return whether a row bars a bid, without working out the reason. A row bars no bid if its
        expression has no value."""
        try:
            return any(row.next_count(rnd, bid) != bid.value[0] for row in self.barring_rows)
        except ExpressionError:
            return False

    def apply(self, rnd: Round, entry: Entry) -> None:
        # If an entry names no player, its actor is the player whose turn it is.
        seat = self.waiting(rnd)[0] if entry.seat is None else entry.seat
        if rnd.seating.is_out(seat):
            raise ValueError(f"{rnd.names[seat]} is out")
        if entry.type is DIRECTION:
            rnd.seating.step = STEP_OF[entry.value]
            rnd.carry_over("step", rnd.seating.step)
        elif entry.type is BID_ENTRY:
            rnd.table.bid = Bid(seat, *entry.value)
            rnd.state(self).bids.append(rnd.table.bid)
        else:
            self._take_call(rnd, entry.type, seat)

    def _take_call(self, rnd: Round, call: EntryType, caller: int) -> None:
        state = rnd.state(self)
        if state.last_bid is None:
            raise ValueError("there is no bid that could be called")
        if call not in self.calls:
            form = rnd.rules.lexicon.write_word(call.word)
            raise ValueError(f"{form} is not played here: no outcome decides it")
        bidder, _, face = state.last_bid
        state.call = rnd.table.call = DiceCall(caller, call.word)
        rnd.table.matching = tuple(sorted({face, self.wild_face(rnd)} - {0}))
        rnd.roles["bidder"] = (rnd.names[bidder], (bidder,))
        rnd.roles["caller"] = (rnd.names[caller], (caller,))

    def findings_on_call(self, rnd: Round, call: str, caller: int, bidder: int) -> list[Finding]:
        entry = Entry(self.rules.all_verbs[call], caller, None)
        found: list[Finding] = []
        for face in self.faces:
            for count in (1, rnd.dice()):
                supposed = State()
                supposed.bids.append(Bid(bidder, count, face))
                found = rnd.with_state(self, supposed, lambda: broken_rules(rnd, entry))
                if not found:
                    return found
        return found

    def close(self, rnd: Round) -> None:
        if not self.row["keeps"]:
            rnd.carry_over("step", None)

    def view(self, rnd: Round) -> View[object]:
        state, form = rnd.state_if_begun(self), rnd.rules.lexicon.write_word
        has_begun = state is not None
        if state is None:
            if not rnd.first_entry_text((DIRECTION.word,)):
                return View(None)
            state = State()  # the direction has been named, but no bid has been made
        way = direction_of(rnd.seating.step)
        call = state.call
        facts = ChainFacts(
            has_begun=has_begun,
            next_player=rnd.names[self.waiting(rnd)[0]] if has_begun else "",
            bids=[(rnd.names[bid.seat], bid) for bid in state.bids],
            direction=way,
            direction_word=form(way),
            calls=[form(verb.word) for verb in self.calls],
            caller="" if call is None else rnd.names[call.seat],
            call="" if call is None else form(call.word),
            matching_faces=list(rnd.table.matching),
        )
        return BidsView(facts)


def _smallest_cover(barring: list[set[str]]) -> list[str]:
    """Return a small set of codes that together still bar every bid. `barring` contains one set of
    codes for each bid."""
    codes = list(dict.fromkeys(code for bid in barring for code in sorted(bid)))
    for code in codes[:]:
        rest = set(codes) - {code}
        if all(bid & rest for bid in barring):
            codes.remove(code)
    return codes


# --- view


class ChainFacts(NamedTuple):
    """A chain of bids.

    `bids` are pairs of a player and a bid. `next_player` is the player whose turn it is.
    `direction` is `left` or `right`. `calls` are the calls that the ruleset allows. After a call,
    `caller` and `call` are set, and `matching_faces` are the faces that match the bid. If
    `has_begun` is false, at most the direction has been named.
    """

    has_begun: bool
    next_player: str
    bids: list[tuple[str, Bid]]
    direction: str
    direction_word: str
    calls: list[str]
    caller: str
    call: str
    matching_faces: list[int]


class BidsView(View[ChainFacts]):
    """The view of a chain of bids."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        name, bids, calls = (
            self.facts.next_player,
            self.facts.bids,
            tr(" or ").join(self.facts.calls),
        )
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
            bindings["matching"] = chain.matching_faces
        table = [{"who": who, "bid": bid.text} for who, bid in chain.bids]
        return {"table": table, "bindings": bindings}

    def summary(self) -> Json:
        bids = self.facts.bids
        if not bids:
            return {}
        return {"bid": bids[-1][1].text, "bids": len(bids), "call": self.facts.call}


# --- rows that bar bids


class BidBarrier(NamedTuple):
    """The reason why a row bars a bid. `limit` is the key of the limit that the bid breaks, `least`
    or `most`, and `bound` is the value of that limit. If `limit` is empty, the row bars the bid
    regardless of the bid's count."""

    limit: str
    bound: float


ANY_COUNT = BidBarrier("", 0)


class BarringRow:
    """A row that bars some of the bids for which `when` holds. It bars bids below `min_count` or
    above `max_count`. If there is no `min_count`, it bars all these bids."""

    __slots__ = ("max_count", "min_count", "when")

    def __init__(self, when: Expression, least: Expression | None = None) -> None:
        self.when = when
        self.min_count = least
        self.max_count: Expression | None = None

    def find_barrier(self, count: int, get: Lookup) -> BidBarrier | None:
        """Return the reason why the row bars a bid with this count, or None if the row does not bar
        it. `get` looks up measures."""
        if not self.when(get):
            return None
        if self.min_count is None:
            return ANY_COUNT
        least = self.min_count(get)
        if count < least:
            return BidBarrier("least", least)
        if self.max_count is None:
            return None
        most = self.max_count(get)
        return BidBarrier("most", most) if count > most else None

    def next_count(self, rnd: Round, bid: Entry) -> int | None:
        """Return the bid's count if the row does not bar the bid. Otherwise, return the next higher
        count that the row may allow for this face, or None if there is none."""
        count: int = bid.value[0]
        barred = self.find_barrier(count, rnd.reading(bid))
        if barred is None:
            return count
        if barred.limit == "most":
            return None
        return count + 1 if barred is ANY_COUNT else max(count + 1, ceil(barred.bound))


def lowest_bids(bids: Bids, rnd: Round, entry: Entry) -> list[str]:
    """Return, for each face, the lowest bid on it that no clause forbids the acting player."""
    if entry.seat is None:
        return []
    lowest = (_lowest_bid(bids, rnd, entry.seat, face) for face in bids.faces)
    return [bid for bid in lowest if bid]


def _lowest_bid(bids: Bids, rnd: Round, seat: int, face: int) -> str:
    """Return the lowest bid on this face that no clause forbids, or "" if all are forbidden.

    Only counts up to 2 more than twice the last bid's count are tried.
    """
    last = rnd.state(bids).last_bid
    most = 2 * (last.number if last is not None else 0) + 2
    count: int | None = 1
    while count is not None and count <= most:
        bid = Entry(BID_ENTRY, seat, (count, face), text=format_bid((count, face)))
        passed, count = count, _next_count(rnd, bid, bids.barring_rows)
        if count == passed:
            if not broken_rules(rnd, bid):
                return bid.text
            count += 1
    return ""


def _next_count(rnd: Round, bid: Entry, rows: Iterable[BarringRow]) -> int | None:
    """Return the bid's count if no row bars it. Otherwise, return the next count that may be
    allowed."""
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
    on=(BID_ENTRY.word,),
    say=N_("{bid} is too low: at least {least} of that face; the lowest legal bids are {legal}"),
    doc=("If `when` is true for a bid, its count must be at least `least` and at most `most`."),
    parameters={
        "when": Parameter("condition", "the bids to which the row applies", "true"),
        "least": Parameter("number", "the lowest count"),
        "most": Parameter("number", "the highest count (default: any)", ""),
    },
)
def _raise(row: Row, rules: Ruleset) -> Judge:
    def compiled(key: str, kind: str = NUMBER) -> Expression:
        return rules.compile_expression(row[key], f"{row['path']}.{key}", row["about"], kind=kind)

    barring = BarringRow(compiled("when", TRUTH), compiled("least"))
    if row["most"] != "":
        barring.max_count = compiled("most")
    return _barring_judge(barring, rules.phase(Bids))


@clause(
    "barred",
    "bids",
    on=(BID_ENTRY.word,),
    say=N_("{bid} may not be bid now; the lowest legal bids are {legal}"),
    doc="A bid may not be made if `when` is true for it.",
    parameters={"when": Parameter("condition", "the bids that may not be made")},
)
def _barred(row: Row, rules: Ruleset) -> Judge:
    when = rules.compile_expression(row["when"], f"{row['path']}.when", row["about"])
    return _barring_judge(BarringRow(when), rules.phase(Bids))


def _barring_judge(barring: BarringRow, bids: Bids) -> Judge:
    """Return a function that judges bids by the row, and add the row to `bids.barring_rows`."""
    bids.barring_rows.append(barring)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        barred = barring.find_barrier(entry.value[0], rnd.reading(entry))
        if barred is None:
            return None
        bound = {barred.limit: barred.bound} if barred.limit else {}
        facts = {"bid": format_bid(entry.value), **bound, "legal": lowest_bids(bids, rnd, entry)}
        return Breach(facts, TOO_HIGH if barred.limit == "most" else "")

    return judge


@clause(
    "on-a-bid",
    "bids",
    on=tuple(verb.word for verb in CALLS),
    say=N_("there is no bid yet that {who} could call"),
    doc="A call is possible only after a bid.",
)
def _on_a_bid(row: Row, rules: Ruleset) -> Judge:
    bids = rules.phase(Bids)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if rnd.state(bids).bids:
            return None
        return Breach({"legal": lowest_bids(bids, rnd, entry)})

    return judge


@clause(
    "caller",
    "bids",
    on=tuple(verb.word for verb in CALLS),
    say=N_("{who} may not call now, but {may} may"),
    doc=(
        "The players who may call: only the `next` player, or all the `others`, that is, "
        "every player except the bidder."
    ),
    parameters={
        "who": Parameter("choice", "the players who may call", "next", ("next", "others")),
        "when": Parameter(
            "condition",
            "the condition under which `others` may call; otherwise, only the next player may",
            "true",
        ),
    },
)
def _caller(row: Row, rules: Ruleset) -> Judge:
    when = rules.compile_expression(row["when"], f"{row['path']}.when", row["about"])
    bids = rules.phase(Bids)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        last = rnd.state(bids).last_bid
        if last is None:
            return None
        may = [rnd.seating.next_active(last.seat, rnd.seating.step)]
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
    say=N_("the direction must be named before the first bid"),
    doc="The starter may name the direction before their first bid.",
)
def _direction_first(row: Row, rules: Ruleset) -> Judge:
    bids = rules.phase(Bids)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        return (
            None
            if bids.may_set_direction(rnd)
            else Breach({"direction": direction_of(rnd.seating.step)})
        )

    return judge


def direction_of(step: int) -> str:
    """Return `left` for a step of 1 from seat to seat, and `right` for a step of -1."""
    return "left" if step > 0 else "right"
