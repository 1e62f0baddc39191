"""Who bids, which way it goes round, who calls. Part of bids."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scorekeeper.core import untrusted
from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.messages import listed
from scorekeeper.core.text import shown
from scorekeeper.notation import Entry
from scorekeeper.phases.bids import telling
from scorekeeper.phases.bids.barring import BarringRow
from scorekeeper.phases.bids.state import State
from scorekeeper.phases.bids.words import CALLS, DIRECTION, STEPS, TO_BID
from scorekeeper.ruleset.phase import BID, Measure, Phase
from scorekeeper.ruleset.shared import Bid, Called
from scorekeeper.ruleset.shares import counts
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Row
    from scorekeeper.notation.entry import Verb
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader


def _last(rnd: Joint) -> Bid | None:
    """The last bid of the round, if there is any."""
    state = rnd.state_if_begun(rnd.rules.phase(Bids))
    return state.last if state is not None else None


def _is_wild(rnd: Joint, face: int) -> bool:
    return face == rnd.rules.phase(Bids).wild(rnd)


def _previous(read: Callable[[Joint, Bid], float]) -> Reader:
    """A measure of the last bid; 0 where there is none."""

    def measure(rnd: Joint, subject: object) -> float:
        last = _last(rnd)
        return read(rnd, last) if last is not None else 0

    return measure


def _needed(barring: list[set[str]]) -> list[str]:
    """Of the codes that bar each bid, as few as bar all of them."""
    codes = list(dict.fromkeys(code for bid in barring for code in sorted(bid)))
    for code in codes[:]:
        rest = set(codes) - {code}
        if all(bid & rest for bid in barring):
            codes.remove(code)
    return codes


@phase
class Bids(Phase[State]):
    """The chain of bids: who bids next, what a raise is, who may call.

    `calls` are the verbs of the calls that are played, `faces` the numbers on a die, `barring` the
    rows that bar bids, in the ruleset's order (the clauses put them in).
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

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.barring: list[BarringRow] = []
        self.calls: list[Verb] = []
        self.faces: list[int] = []
        self._wild: Expression | int = 0

    def link(self) -> None:
        # A call that no outcome decides is none of this game.
        decided = {row.get("call") for row in self.rules.section("outcomes").values()}
        self.calls = [verb for verb in CALLS if verb.word in decided]
        self.faces = self._faces()
        wild, where = self.row["wild"], "phases.bids.wild"
        self._wild = wild
        if not isinstance(wild, int):
            but = ("previous.wild",)
            self._wild = self.rules.expression(wild, where, but=but, whole=True)

    def check(self, sound: bool) -> None:
        """Report clauses that leave no first bid: in a round of as few players as may play, where
        the other rules are such that it can be tried."""
        if not sound:
            return
        from scorekeeper.play.rounds import Rounds

        rules = cast("Ruleset", self.rules)
        names = [f"P{number}" for number in range(1, min(counts(rules.players)) + 1)]
        rnd = Rounds(rules, names, None, 1, kept=True).live
        wrong = rnd.suppose(self, State(), lambda: self._wrong_with_first(rnd))
        if wrong and all(wrong):
            codes = _needed([{finding.code for finding in found} for found in wrong])
            from scorekeeper.ruleset.tables import join_key

            where = join_key(("clauses", codes[-1].partition(".")[2]))
            what = f"none of the {len(wrong)} first bids of {len(names)} players is legal"
            message = f"{where}: {what}, by {listed(codes)}"
            rules.fault(where, "no legal bid", "a bid with which a round may begin", message)

    def _wrong_with_first(self, rnd: Joint) -> list[list[Finding]]:
        """What is wrong with each first bid, up to one with which nothing is."""
        wrong = []
        for bid in self._bids(rnd, self.waiting(rnd)[0]):
            wrong.append(rnd.broken(bid))
            if not wrong[-1]:
                break
        return wrong

    def _faces(self) -> list[int]:
        """The numbers of the faces; what is none is reported, and more dice than there may be."""
        faces, rules = self.rules.section("faces"), self.rules
        allowed = f"a number from 1 to {untrusted.FACES}"
        for name in faces:
            if not (name.isascii() and name.isdigit() and 1 <= int(name[:4]) <= untrusted.FACES):
                from scorekeeper.ruleset.tables import join_key

                where = join_key(("faces", name))
                rules.fault(where, shown(name), allowed, f"{where}: a face is {allowed}")
        sound = 0 <= rules.tally["least"] <= rules.tally["most"] <= untrusted.DICE
        if rules.numbers.dice_are_tally and not sound:
            found = f"{rules.tally['least']} to {rules.tally['most']}"
            allowed = f"least and most from 0 to {untrusted.DICE}"
            rules.fault("tally.most", found, allowed, "tally: a player holds too many dice")
        return sorted(int(name) for name in faces if name.isascii() and name.isdigit())

    def wild(self, rnd: Joint) -> int:
        """The face that counts as any other in this round; 0 if there is none."""
        wild = self._wild
        return wild if isinstance(wild, int) else int(wild.value(rnd.reading()))

    def usual_wild(self) -> int:
        """The same of a round of which nothing is said."""
        wild = self._wild
        return wild if isinstance(wild, int) else int(wild.value(lambda _: 0))

    def may_turn(self, rnd: Joint) -> bool:
        """Whether the starter may name the direction now."""
        when = self.row["turns"]
        allowed = when == "each" or (when == "first" and rnd.number == 1)
        allowed = allowed and DIRECTION.word not in self.rules.off
        return allowed and not self.play_begun(rnd)

    def words(self) -> Iterable[tuple[str, str]]:
        for name, row in self.rules.section("faces").items():
            yield f"face {name}", f"face {name}"
            for word in row.get("words", ()):
                yield f"face {name}", word
        for way in STEPS:
            yield way, way

    def begin(self, rnd: Joint) -> State:
        return State()

    def play_begun(self, rnd: Joint) -> bool:
        state = rnd.state_if_begun(self)
        return bool(state and state.bids)

    def allows_out_of_phase(self, rnd: Joint, entry: Entry) -> bool:
        begun = rnd.state_if_begun(self) is not None or rnd.over
        return entry.verb is DIRECTION and entry.seat == rnd.leader and not begun

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).call is not None

    def waiting(self, rnd: Joint) -> list[int]:
        last = rnd.state(self).last
        if last is not None:
            return [rnd.following(last.seat, rnd.step)]
        return [rnd.following(rnd.leader, rnd.step) if rnd.out(rnd.leader) else rnd.leader]

    def prompt(self, rnd: Joint) -> str:
        return telling.prompt(rnd, rnd.state(self), self.waiting(rnd)[0], self.calls)

    def options(self, rnd: Joint) -> Iterator[Entry]:
        seat = self.waiting(rnd)[0]
        yield from (bid for bid in self._bids(rnd, seat) if not self._is_barred(rnd, bid))
        if self.play_begun(rnd):
            for caller in (seat, *(s for s in rnd.playing() if s != seat)):
                yield from (Entry(call, caller, None) for call in self.calls)
        elif self.may_turn(rnd):
            for way in STEPS:
                yield Entry(DIRECTION, seat, way)

    def _bids(self, rnd: Joint, seat: int) -> Iterator[Entry]:
        """Every bid up to the dice on the table, legal or not."""
        for count in range(1, rnd.dice() + 1):
            yield from (Entry(TO_BID, seat, (count, face)) for face in self.faces)

    def _is_barred(self, rnd: Joint, bid: Entry) -> bool:
        """Whether a row bars a bid, so that nobody need be told why; False where one has no
        value."""
        try:
            return any(row.next_count(rnd, bid) != bid.value[0] for row in self.barring)
        except ExpressionError:
            return False

    def apply(self, rnd: Joint, entry: Entry) -> None:
        # A bare act belongs to the turn.
        seat = self.waiting(rnd)[0] if entry.seat is None else entry.seat
        if rnd.out(seat):
            raise ValueError(f"{rnd.names[seat]} is out")
        if entry.verb is DIRECTION:
            rnd.step = STEPS[entry.value]
            rnd.keep("step", rnd.step)
        elif entry.verb is TO_BID:
            self._bid(rnd, rnd.state(self), seat, entry)
        else:
            self._call(rnd, entry.verb, seat)

    def _bid(self, rnd: Joint, state: State, seat: int, entry: Entry) -> None:
        rnd.shared.bid = Bid(seat, *entry.value)
        state.bids.append(rnd.shared.bid)

    def _call(self, rnd: Joint, call: Verb, caller: int) -> None:
        state = rnd.state(self)
        if state.last is None:
            raise ValueError("there is no bid that could be called")
        if call not in self.calls:
            form = rnd.rules.lexicon.form(call.word)
            raise ValueError(f"{form} is not played here: no outcome decides it")
        bidder, _, face = state.last
        state.call = rnd.shared.call = Called(caller, call.word)
        rnd.shared.matching = tuple(sorted({face, self.wild(rnd)} - {0}))
        rnd.roles["bidder"] = (rnd.names[bidder], (bidder,))
        rnd.roles["caller"] = (rnd.names[caller], (caller,))

    def wrong_with_call(
        self, rnd: Joint, call: str, caller: int, bidder: int
    ) -> list[Finding] | None:
        entry = Entry(self.rules.every_verb[call], caller, None)
        found: list[Finding] = []
        for face in self.faces:
            for count in (1, rnd.dice()):
                supposed = State()
                supposed.bids.append(Bid(bidder, count, face))
                found = rnd.suppose(self, supposed, lambda: rnd.broken(entry))
                if not found:
                    return found
        return found

    def describe(self, rnd: Joint) -> Json:
        return telling.describe(rnd, rnd.state_if_begun(self))

    def on_table(self, rnd: Joint) -> Iterator[str]:
        state = rnd.state_if_begun(self)
        for bid in state.bids if state is not None else ():
            yield f"{rnd.names[bid.seat]}: {bid.text}"

    def sentences(self, rnd: Joint) -> Iterable[str]:
        state = rnd.state_if_begun(self)
        return telling.sentences(rnd, state) if state is not None else ()

    def close(self, rnd: Joint) -> None:
        if not self.row["keeps"]:
            rnd.keep("step", None)

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        return telling.summary(rnd, state) if state is not None else {}
