"""One round as it stands: what all phases share, and each phase's own state.

A round is a fold over its entries: how it was, and how it would be if some of them had been taken
back, are that fold again. What the rules have said of the entries is not asked again: what was
allowed when it was done is allowed.

The hooks that it calls are those of `Phase`. What is applied has been judged. How a round starts
from its facts is in `engine/setup.py`, what the clauses say of an entry in `engine/findings.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import Circular, ExpressionError
from scorekeeper.core.messages import mark, number_of, tr
from scorekeeper.core.rulings import LEGAL, NOTE, OPEN, WARN, Finding, Line
from scorekeeper.core.text import shown
from scorekeeper.core.types import copied, copied_slots
from scorekeeper.engine.findings import keep_open, settle
from scorekeeper.engine.measures import Own
from scorekeeper.engine.phase import (
    TRICK,
    CardPlay,
    Interruptible,
    ResultPart,
    not_by_result,
)
from scorekeeper.engine.seating import Seating
from scorekeeper.engine.setup import NO_HANDS, begin, check_start, end_decided
from scorekeeper.engine.state import NOTHING_SAID, Decisions, EntryLog, TableState
from scorekeeper.notation import EVERYONE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from scorekeeper.core.cards import Trick
    from scorekeeper.core.errors import Failure
    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.core.sides import Sides
    from scorekeeper.core.types import Facts, Json, Standing
    from scorekeeper.engine.phase import AnyPhase, Phase, Role
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.notation import Entry

    Cards = tuple[int, tuple[int, ...]]  # a seat, and kinds of card

MISRULED = "ruleset.faulty"
UNMEASURED = (AttributeError, LookupError, TypeError)
A = TypeVar("A")
S = TypeVar("S")


class Round:
    """The state of one round, which starts anew after each fact of its setup.

    It holds `seating` (who sits where, the tallies), `setup` (the facts stated before the first
    act), `table` (what phases tell one another), `log` (its entries with what was found), `hands`
    (what is known of them), `sides` (where they differ from round to round, else None),
    `decisions` (the law's on what was wrong) and `states` (of the phases that have begun). `phase`
    is the one whose time it is, None when the round is over. `names` and `seats` are those of the
    seating, at hand because they are asked everywhere.

    `acted`: somebody has; `over`: the round is, `ended`: the match; `void`: it counts for nothing;
    `unscored`: it counts, and no score row applies; `scored`: nothing stands against its having a
    score. `positioned`: the hands given are smaller than those that are dealt, so it began in the
    middle. `conflicts` are facts of the setup that do not fit together: what is wrong, and the
    verbs concerned. `placed`: the facts alone have decided it, and others may still follow.
    `booked`: it is over and in the tallies, and asked is whether the match is over too.
    `gathering`: several facts are taken at once. `remarks` are what is to be noted with the entry
    that is happening, `mistakes` what the rules could not say. `carry` is what phases keep for the
    next rounds.

    What phases may read and write of it (`tests/test_house.py` holds the table to what they use);
    of `table`, `hands` and `sides` what these offer:

    | the round | rules number names seats acted over ended void unscored scored placed |
    | the round | positioned partial booked result tricks roles next_dealer next_leader setup |
    | the round | conflicts |
    | seating   | seating seating.after seating.base seating.base_of seating.before |
    | seating   | seating.dealer seating.following seating.leader seating.out seating.playing |
    | seating   | seating.sharing seating.side seating.step seating.tally names_of |
    | phases    | table state state_if_begun is_current kept has_kept keep suppose copy at |
    | cards     | hands has_hands sides require_sides public_sides cards_seen cards_aside |
    | cards     | dice dice_of |
    | the law   | decisions decisions.assumed decisions.due decisions.effects decisions.heard |
    | the law   | decisions.replaying decisions.taken decisions.windows |
    | entries   | log log.blame log.doubted log.entries log.wrong actors earlier_entry |
    | entries   | facts_noted open_on remarks |
    | turns     | waiting prompt play_begun may_pass |
    | to ask    | evaluate reading misruled other_result_fields |
    | to do     | add_line award charge check_rest complete_trick conclude conflict finish |
    | to do     | note_on read_result remark retake |
    | written   | acted deals_next ended next_dealer next_leader scored setup sides unscored |
    | written   | void decisions.watching seating.leader seating.step |
    """

    __slots__ = (
        *("acted", "booked", "carry", "conflicts", "deals_next", "decisions", "ended", "gathering"),
        *("hands", "log", "mistakes", "names", "next_dealer", "next_leader", "number", "over"),
        *("phase", "placed", "positioned", "remarks", "result", "roles", "rules", "scored"),
        *("seating", "seats", "setup", "sides", "stage", "states", "table", "tricks", "unscored"),
        "void",
    )

    def __init__(
        self,
        rules: Ruleset,
        names: list[str],
        number: int,
        before: Standing,
        gathering: bool = False,
    ) -> None:
        """`names` are those who began the match, and sit if the standing says nothing else.
        `gathering`: the round waits for `gather`, and nothing else may be asked of it before."""
        self.rules = rules
        self.number = number
        self.seating = Seating(rules, names, before)
        self.setup: Setup = NOTHING_SAID
        self.log = EntryLog()
        self.decisions = Decisions()
        self.gathering = gathering
        self.booked = False
        self.carry: Json = {}
        # Each phase has a state of its own type, which `state` gives it back.
        self.states: dict[str, Any] = {}
        self.clear()
        begin(self)

    def clear(self) -> None:
        """Nothing has happened yet, and no phase has begun."""
        self.names, self.seats = self.seating.names, self.seating.seats
        self.acted = self.over = self.placed = self.void = self.ended = self.positioned = False
        self.unscored = False
        self.scored = True
        self.table = TableState()
        self.remarks: list[Finding] = []
        self.mistakes: set[str] = set()
        self.conflicts: list[tuple[str, tuple[str, ...]]] = []
        self.tricks: list[Trick] = []
        self.roles: dict[str, Role] = {}
        self.result: dict[str, str] | None = None
        self.deals_next = ""
        self.next_dealer: int | None = None
        self.next_leader: int | None = None
        self.sides: Sides | None = None
        self.hands: Knowledge = NO_HANDS
        self.phase: AnyPhase | None = None
        self.stage = -1

    def copy(self) -> Round:
        """The same round, to go on apart from this one: what happens to either does not change the
        other. What never changes is shared: entries with their findings, complete tricks, the
        standing before the round."""
        other = Round.__new__(Round)
        other.log, other.decisions = self.log.copy(), self.decisions.copy()
        other._stand_as(self)
        other.seating, other.table = self.seating.copy(), self.table.copy()
        other.carry, other.roles = copied(self.carry), self.roles.copy()
        other.tricks, other.result = self.tricks[:], copied(self.result)
        other.remarks, other.conflicts = self.remarks[:], self.conflicts[:]
        other.mistakes = self.mistakes.copy()
        other.states = {name: copied_slots(state) for name, state in self.states.items()}
        if self.has_hands:
            other.hands = self.hands.copy()
        if self.sides is not None:
            other.sides = self.sides.copy(other.hands)
        return other

    def _stand_as(self, other: Round) -> None:
        """Take over how another round stands: all of it but its log and the decisions."""
        self.rules, self.number, self.gathering = other.rules, other.number, other.gathering
        self.seating, self.names, self.seats = other.seating, other.names, other.seats
        self.setup, self.table, self.hands = other.setup, other.table, other.hands
        self.sides, self.states, self.carry = other.sides, other.states, other.carry
        self.phase, self.stage, self.tricks = other.phase, other.stage, other.tricks
        self.roles, self.result, self.remarks = other.roles, other.result, other.remarks
        self.mistakes, self.conflicts = other.mistakes, other.conflicts
        self.next_dealer, self.next_leader = other.next_dealer, other.next_leader
        self.deals_next, self.acted, self.over = other.deals_next, other.acted, other.over
        self.ended, self.void, self.placed = other.ended, other.void, other.placed
        self.scored, self.unscored, self.booked = other.scored, other.unscored, other.booked
        self.positioned = other.positioned

    def __repr__(self) -> str:
        phase = self.phase.name if self.phase is not None else "over"
        parts = [phase, number_of(len(self.log), "entry", "entries")]
        if self.log.entries:
            parts.append(f"last: {shown(self.log.entries[-1].text)}")
        if self.phase is not None:
            parts.append(f"to act: {', '.join(self.names_of(self.waiting())) or 'nobody'}")
        return f"<Round {self.number} of {shown(self.rules.name)}: {'; '.join(parts)}>"

    # --- what phases hold of it

    def state(self, phase: Phase[S]) -> S:
        """The state of a phase that has begun. Raises KeyError before its time."""
        found: S = self.states[phase.name]
        return found

    def state_if_begun(self, phase: Phase[S]) -> S | None:
        """The same; None before its time."""
        found: S | None = self.states.get(phase.name)
        return found

    def suppose(self, phase: Phase[S], state: S, ask: Callable[[], A]) -> A:
        """What `ask` answers if that is the state of the phase; all is put back then, what the
        rules could not say of it included."""
        begun, before = phase.name in self.states, self.states.get(phase.name)
        scored, mistakes, remarks = self.scored, set(self.mistakes), list(self.remarks)
        self.states[phase.name] = state
        try:
            return ask()
        finally:
            self.scored, self.mistakes, self.remarks = scored, mistakes, remarks
            self.states[phase.name] = before
            if not begun:
                del self.states[phase.name]

    def is_current(self, phase: Phase[object] | CardPlay) -> bool:
        """Whether it is that phase's time now (of those that follow one another)."""
        return self.phase is phase

    def kept(self, name: str) -> Json:
        """What the phase of that name has kept from the last round; empty where it has nothing."""
        found: Json = self.carry.get(name, {})
        return found

    def keep(self, name: str, value: Json | int | None) -> None:
        """Keep plain JSON for the next rounds, or nothing more."""
        if value is None:
            self.carry.pop(name, None)
        else:
            self.carry[name] = value

    def has_kept(self, name: str) -> bool:
        """Whether something of that name has been kept from an earlier round."""
        return name in self.carry

    def names_of(self, seats: Iterable[int]) -> list[str]:
        """The names of those who sit there."""
        return [self.names[seat] for seat in seats]

    def require_sides(self) -> Sides:
        """`sides`, in a game whose sides differ from deal to deal. Raises Impossible where they
        do not."""
        if self.sides is None:
            raise Impossible(tr("no sides are made in this game"))
        return self.sides

    @property
    def has_hands(self) -> bool:
        """Whether the game has hands of cards."""
        return self.hands is not NO_HANDS

    @property
    def partial(self) -> bool:
        """Whether it began in the middle, in a game where all counts that was won from the start
        on: play alone gives it no score."""
        return self.positioned and any(phase.from_start for phase in self.rules.phases.values())

    # --- the rules, asked of this round

    def evaluate(self, expression: Expression, subject: object = None) -> float:
        """What an expression comes to; 0 where it has no value, which is noted. Raises Circular."""
        try:
            return expression.of(self, subject)
        except Circular:
            raise
        except ExpressionError as error:
            self.misruled(error)
            return 0

    def misruled(self, error: Failure, so: str = "") -> None:
        """The rules cannot say something that the round needs: what happened stands, the round
        has no score (or `so`), and its entry is told why, once."""
        self.scored = self.scored and bool(so)
        if error.message not in self.mistakes:
            self.mistakes.add(error.message)
            facts: Facts = {"message": error.message, "so": so or tr("so this round has no score")}
            say = mark("the ruleset has a mistake, {so}: {message}")
            self.remarks.append(Finding(MISRULED, OPEN, say, facts, WARN))

    def reading(self, subject: object = None) -> Get:
        """How an expression reads measures of this round, about an entry or a side."""
        measures = self.rules.measures

        def get(name: str) -> object:
            try:
                return measures[name].read(self, subject)
            except UNMEASURED:
                raise _unmeasured(name) from None

        return get

    def cached_reading(self, subject: object = None) -> Get:
        """The same when nothing changes any more: each measure is read once."""
        read, known = self.reading(subject), dict[str, object]()

        def get(name: str) -> object:
            if name not in known:
                known[name] = read(name)
            return known[name]

        return get

    # --- what phases know of it

    def waiting(self) -> list[int]:
        """The seats the game waits for, whose turn it is first."""
        phase = self.phase
        return [] if phase is None else phase.waiting(self)

    def prompt(self) -> str:
        """What must happen now, in words; "" when the round is over."""
        return "" if self.phase is None else self.phase.view(self).prompt().text

    def play_begun(self) -> bool:
        """Whether play that depends on who leads has begun."""
        return any(phase.play_begun(self) for phase in self.rules.course)

    def tell_sides(self) -> None:
        """Have it noted whose side the entry that has happened proves. While cards may still come
        into hands, nothing is said."""
        parties = self.sides
        if parties is None or self.table.stock:
            return
        play = self.rules.card_play
        leads = play is not None and play.to_lead(self) is not None
        if not (self.tricks or leads or self.play_begun()):
            return
        proven = parties.prove()
        if proven and self.rules.side_rules is not None:
            self.rules.side_rules.sides_proven(self, proven)

    def cards_seen(self) -> list[int]:
        """By seat the cards (a heap) that everyone has seen come out of that hand, or in it."""
        return cards_seen(self)

    def public_sides(self) -> Mapping[int, int]:
        """The sides that seats are on by what everyone has seen and heard: nothing is counted,
        and no hand that was entered tells of any."""
        from scorekeeper.core.sides import public_sides

        if self.sides is None:
            return {}
        shown = dict[int, int]()
        for phase in self.rules.phases.values():
            shown.update(phase.public_sides(self))
        return public_sides(self.sides, shown, self.table.claimed_sides)

    def cards_aside(self) -> list[int]:
        """The cards that are known to go to nobody (kinds, one for each card)."""
        return [kind for phase in self.rules.phases.values() for kind in phase.cards_aside(self)]

    def check_rest(self) -> None:
        """Raise Impossible if the score could not be known when the rest is not played."""
        for part in self.rules.result_parts:
            part.check_rest(self)

    def may_pass(self) -> bool:
        """Whether cards may still pass from hand to hand before play."""
        passing = any(phase.passes for phase in self.rules.phases.values())
        return passing and not self.play_begun()

    def dice_of(self, seat: int) -> int:
        """How many dice a player has in this round; none, who is out."""
        each = self.rules.dice_each
        if self.rules.numbers.dice_are_tally:
            return self.seating.tally[seat]
        return 0 if each is None or self.seating.out(seat) else each(self, Own((seat,)))

    def dice(self) -> int:
        """All dice on the table."""
        if self.rules.numbers.dice_are_tally:
            return sum([self.seating.tally[seat] for seat in self.seats])
        each = self.rules.dice_each
        if each is not None and each.fixed is not None:
            return each.fixed * len(self.seating.playing())
        return sum(map(self.dice_of, self.seats))

    # --- its entries

    def earlier_entry(self, verbs: Iterable[str]) -> str:
        """The text of this round's first entry of one of these verbs ("" if there is none)."""
        for entry in self.log.entries:
            if entry.verb.word in verbs and entry.counts:
                return entry.text
        return ""

    def facts_noted(self) -> Iterable[Facts]:
        """The facts of every finding in this round so far."""
        return (finding.facts for _, finding in self.log.all_found())

    def actors(self, number: int) -> Sequence[int]:
        """The seats whose act that entry is; several, where it speaks for everyone."""
        entry = self.log.entries[number - 1]
        if entry.seat is None:
            return ()
        if entry.seat != EVERYONE:
            return (entry.seat,)
        before = self.at(number - 1)
        return self.rules.phase_of[entry.verb.word].everyone(before, entry)

    def open_on(self, number: int) -> Sequence[Finding]:
        """What is open of that entry."""
        return [each for each in self.log.found.get(number, ()) if each.verdict == OPEN]

    def note_on(self, number: int) -> None:
        """Put what is to be noted to an earlier entry."""
        noted, self.remarks = self.remarks, []
        found = self.log.found
        found[number] = [*found.get(number, ()), *noted]
        self.log.found = dict(sorted(found.items()))

    # --- its course

    def advance(self) -> None:
        """Go on to the next phase that is needed when the present one is over, or none has begun;
        after the last one the round is over."""
        while not self.over and (self.phase is None or self.phase.finished(self)):
            self._next_stage()

    def _next_stage(self) -> None:
        course = self.rules.course
        self.stage += 1
        while self.stage < len(course) and not course[self.stage].needed(self):
            self.stage += 1
        if self.stage < len(course):
            self.phase = phase = course[self.stage]
            self.states[phase.name] = phase.begin(self)
        else:
            self.finish()

    def give_way(self) -> bool:
        """Cards were laid before their time and stand: end the present phase's, if it gives way."""
        if not isinstance(self.phase, Interruptible) or not self.phase.give_way(self):
            return False
        self.advance()
        return True

    def finish(self) -> None:
        """End the round: every phase says what comes of it."""
        self.over = True
        self.phase = None
        for phase in self.rules.ending:
            phase.close(self)

    def award(self, seat: int) -> None:
        """All that is still out goes to that seat's side, and play is over."""
        if not isinstance(self.phase, CardPlay):
            raise Impossible(tr("nothing is out that could go to anybody"), "void why")
        self.phase.award(self, seat)
        self.advance()

    def conflict(self, say: str, *words: str) -> None:
        """Facts of the start, said with these verbs, do not fit together as they stand."""
        self.conflicts.append((say, words))

    def remark(self, code: str, say: str, facts: Facts, cite: str = "") -> None:
        """Have something noted with the entry that is happening: a failed call, a warning."""
        self.remarks.append(Finding(code, LEGAL, say, facts, NOTE, cite))

    def add_line(self, code: str, seats: Sequence[int], points: int, cite: str = "") -> None:
        """A change of one player's tally, or of one that several share, that happens now, outside
        the score rows; never beyond what the tally may be."""
        changed = self.seating.change(seats, points)
        if changed:
            self.seating.lines.append(Line(code, "+".join(self.names_of(seats)), changed, cite))

    def charge(self, code: str, seat: int, points: int, cite: str = "") -> None:
        """The same for what a player must pay, or gets, by the table's word: their side does,
        where it shares a tally. Said before the first act it is one of the facts of the start."""
        charged = (code, self.seating.sharing(seat), points, cite)
        if self.acted or self.over or self.ended:
            self.add_line(*charged)
            return
        self.setup = self.setup._replace(charges=(*self.setup.charges, charged))
        begin(self)
        self.remarks.clear()

    def complete_trick(self, trick: Trick) -> None:
        """A trick is complete: the sides and every phase that looks at tricks learn of it."""
        self.tricks.append(trick)
        if self.sides is not None and self.sides.searching:
            self.sides.won(trick.winner, trick.number)
        for phase in self.rules.watching_tricks:
            phase.after_trick(self)

    def read_result(self, said: dict[str, str], by: ResultPart) -> None:
        """Have every phase but that one, begun or not, read its keys of a result and take them
        out of `said`; then have each infer what follows from all of them together."""
        others = [part for part in self.rules.result_parts if part is not by]
        for phase in self.rules.phases.values():
            if isinstance(phase, ResultPart) and phase is not by:
                if phase.name not in self.states and phase.result_fields(self):
                    self.states[phase.name] = phase.begin(self)
                phase.read_result(self, said)
        for part in others:
            part.infer_from_result(self)

    def result_fields(self) -> list[tuple[str, str, list[str]]]:
        """Return what a `result` takes now (see `ResultPart.result_fields`)."""
        concluding = self.rules.concluding
        return [] if concluding is None else concluding.result_fields(self)

    def other_result_fields(self, by: ResultPart) -> list[tuple[str, str, list[str]]]:
        """Return what all phases but that one take from a result, each key once."""
        others = (part for part in self.rules.result_parts if part is not by)
        fields = [field for part in others for field in part.result_fields(self)]
        first = {field[0]: field for field in reversed(fields)}
        return [field for field in fields if first[field[0]] is field]

    def is_confirmed_by(self, said: Mapping[str, str]) -> bool:
        """Return whether a result repeats what the facts of the start have decided already."""
        concluding = self.rules.concluding
        return concluding is not None and concluding.confirms(self, dict(said))

    def conclude(self, said: Mapping[str, str]) -> None:
        """End the round by its outcome alone. Raises Unreadable for words that are none,
        Impossible for what contradicts the round, or what it is decided by already."""
        concluding = self.rules.concluding
        if self.over and not (self.placed and self.is_confirmed_by(said)):
            raise Impossible(tr("the round is over already"))
        self.result = dict(said)
        if self.over:
            self.placed = False
            return
        try:
            if concluding is None:
                raise not_by_result()
            concluding.conclude(self, dict(said))
        except Exception:
            self.result = None
            raise
        self.finish()

    # --- what happens

    def apply(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        """Write the entry down and let it happen; gives the findings on earlier entries that
        it settles as broken. Raises Impossible, and then nothing has changed but the log."""
        told = self._happen(entry, findings)
        law = self.rules.watching_law
        if law is None:
            return told
        law.after_entries(self)
        return told + self.flush_remarks() if self.remarks else told

    def _happen(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        self.log.add(entry, findings)
        if entry.decision and not entry.counts:
            return self._take_back(entry, findings) if entry.withdrawn else []
        taken = self.decisions.taken
        if taken and len(self.log) in taken:  # nothing is asked of it any more
            return self._take_back(entry, [])
        if self.conflicts:
            check_start(self, entry)
        claimed = keep_open(self, findings) if findings else False
        verb, seat = entry.verb, entry.seat
        phase = self.rules.phase_of[verb.word]
        if not (verb.table or (seat in self.seats and phase.name in self.states)):
            self._check_time(phase, entry)
        try:
            if seat == EVERYONE:
                for each in phase.everyone(self, entry):
                    phase.apply(self, entry.by(each))
            else:
                phase.apply(self, entry)
        except ValueError as error:
            raise Impossible(f"{entry.text}: {error}") from None
        if verb.table:
            end_decided(self)
        else:
            self.acted = True
        if self.phase is not None and self.phase.finished(self):
            self.advance()
        if self.sides is not None and self.sides.awaited:
            self.tell_sides()
        noted = self.flush_remarks() if self.remarks else []
        if self.hands is NO_HANDS or not (claimed or self.hands.news):
            return noted
        return noted + settle(self)

    def _check_time(self, phase: AnyPhase, entry: Entry) -> None:
        """Raise Impossible for an act of who sits out, or one whose time has not come, unless the
        present phase gives way to it."""
        seat = entry.seat
        if seat is not None and seat >= 0 and seat not in self.seats:
            raise Impossible(
                tr("{text}: {name} sits out this round", text=entry.text, name=self.names[seat])
            )
        if phase.name in self.states or phase.allows_out_of_phase(self, entry):
            return
        if not (entry.verb.cards and self.give_way() and phase.name in self.states):
            raise Impossible(tr("{text}: that is not possible yet", text=entry.text), self.prompt())

    def _take_back(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        """Learn whose the cards are that an entry showed which was taken back, unless they cannot
        have been there; keep what is open of its `findings`, for it has happened."""
        if not self.has_hands:
            return []
        try:
            shown = self.rules.phase_of[entry.verb.word].shown(self, entry)
            if not self.hands.may_show(shown):
                self.log.doubt()
                return []
            if self.acted:
                keep_open(self, findings)
                self.hands.show_held(shown)
                if self.sides is not None and self.sides.awaited:
                    self.tell_sides()
            elif shown or findings:
                self.setup = self.setup._replace(shown=(*self.setup.shown, *shown))
                begin(self)
                self.remarks.clear()
        except ValueError as error:
            hint = tr("look for the entry that is mistyped")
            raise Impossible(f"“{entry.text}”: {error}", hint) from None
        return self.flush_remarks() + (settle(self) if self.hands.news else [])

    def flush_remarks(self) -> list[Finding]:
        """Put what was noted to the entry that has happened, and give it; before the first one it
        waits for that."""
        if not self.log.entries:
            return []
        noted, self.remarks = self.remarks, []
        self.log.blame(noted)
        return noted

    # --- as it was, and as it would be

    def at(self, number: int, taken: Collection[int] = ()) -> Round:
        """Another round, as this one was after so many of its entries, these `taken` back."""
        past = self._anew(taken)
        for at in range(number):
            past.apply(self.log.entries[at], _claimed(self.log, at + 1))
        return past

    def retake(self, taken: Collection[int] = (), last: int = 0) -> None:
        """Play this round again up to the entry that is happening, those `taken` back; with `last`
        that one happens too, and entry `last` after it."""
        now, log = len(self.log), self.log
        order = range(1, now)
        put_off = {last} - {0}  # nothing comes of it in its place: all others keep their numbers
        fresh = self._anew({*taken, *put_off})
        for number in [*order, now, last] if last else order:
            if len(fresh.log) == now:
                fresh.decisions = fresh.decisions.apart_from(now + 1)
            fresh.apply(log.entries[number - 1], _claimed(log, number))
        states, law = self.states, self.rules.watching_law
        self._stand_as(fresh)
        if law is not None:
            self.states[law.name] = states[law.name]
        self.decisions.taken = (self.decisions.taken | fresh.decisions.taken) - put_off
        self._bring_open(fresh.log, order)

    def unplayed(self, gathering: bool = False) -> Round:
        """The round before its first entry; `gathering`: it waits for `gather`."""
        fresh = Round(self.rules, self.seating.named, self.number, self.seating.began, gathering)
        fresh.decisions.heard = self.decisions.heard
        return fresh

    def _anew(self, taken: Collection[int]) -> Round:
        """The round before its first entry."""
        anew = self.unplayed()
        anew.decisions = self.decisions.again(taken)
        return anew

    def _bring_open(self, fresh: EntryLog, order: Sequence[int]) -> None:
        """What is open no longer now that the round was played again: of what was taken back
        nothing is asked any more."""
        for number, finding in list(self.log.all_found()):
            if finding.claim is None or finding.verdict != OPEN or number not in order:
                continue
            found = fresh.found.get(order.index(number) + 1, ())
            if number in self.decisions.taken:
                self.log.settle(number, finding, None)
            elif finding not in found:
                later = (each for each in found if each.code == finding.code and each.refuses)
                self.log.settle(number, finding, next(later, None))


def _claimed(log: EntryLog, number: int) -> list[Finding]:
    """What is open of an entry, and must be asked again."""
    found = log.found.get(number, ())
    return [each for each in found if each.claim is not None and each.verdict == OPEN]


def _unmeasured(name: str) -> ExpressionError:
    """A measure asked of what it does not speak of, in a ruleset that an older check passed."""
    return ExpressionError(tr("“{name}” has no value here", name=name))


# --- who plays against whom, by what everyone at the table knows of it


def publicly_alone(rnd: Round) -> int | None:
    """The seat that is publicly alone against the others; None: nobody is, or it is not public."""
    parties = rnd.sides
    if parties is None:
        return None
    from scorekeeper.core.sides import lone_seat

    return lone_seat(parties, rnd.cards_seen() if parties.by_cards else ())


def opponents(rnd: Round, seat: int) -> list[int]:
    """Who is publicly on the other side than a seat, as far as that is public; where the sides are
    those of the seating, who is not on the seat's own."""
    if rnd.sides is None:
        return [other for other in rnd.seats if other not in rnd.seating.side(seat)]
    sides = rnd.public_sides()
    own = sides.get(seat)
    return [other for other in rnd.seats if own is not None and sides.get(other, own) != own]


def cards_seen(rnd: Round) -> list[int]:
    """By seat the cards (a heap) that everyone has seen come out of that hand, or in it: laid to a
    trick, laid and taken back, or told to have been seen there. A card that is seen twice before
    it is laid is one card."""
    pack, log, taken = rnd.rules.pack, rnd.log, rnd.decisions.taken
    seen, gone = [0] * len(rnd.names), [0] * len(rnd.names)
    last: dict[int, int] = {}  # the cards that each has laid last
    for number, entry in enumerate(log.entries, 1):
        counts, seat = entry.counts and number not in taken, entry.seat
        if entry.word == "takeback" and counts and seat is not None:
            gone[seat] = pack.beyond(gone[seat], last.get(seat, 0))
        if number in log.doubted:
            continue
        for owner, kinds in _shown(rnd, entry):
            cards = pack.of(kinds)
            now = pack.joined(gone[owner], cards)
            seen[owner] |= now  # of two heaps, of each kind the more
            if counts and not entry.verb.table:
                gone[owner], last[owner] = now, cards
    return seen


def _shown(rnd: Round, entry: Entry) -> Sequence[Cards]:
    """The cards that an entry has shown, and in whose hands they were."""
    if entry.word == "holds":
        return (entry.value,) if entry.counts else ()
    laid = entry.verb.about == TRICK and (entry.counts or entry.withdrawn)
    return rnd.rules.from_hand(entry) if laid else ()
