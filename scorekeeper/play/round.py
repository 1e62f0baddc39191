"""One round as it stands: what all phases share, and each phase's own state.

This is the house's side of the joint (ruleset/joint.py); the hooks that it calls are those of
`Phase`. Nothing here judges: what is applied has been judged.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import Circular, ExpressionError
from scorekeeper.core.messages import mark, number_of, tr
from scorekeeper.core.rulings import OPEN, WARN, Finding, Line
from scorekeeper.core.text import shown
from scorekeeper.core.types import copied, copied_slots
from scorekeeper.notation import EVERYONE
from scorekeeper.play.opening import NO_HANDS
from scorekeeper.play.retaking import Retaking

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.core.cards import Trick
    from scorekeeper.core.errors import Failure
    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.core.types import Facts
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Stateful
    from scorekeeper.ruleset.vocabulary import AnyPhase

MISRULED = "ruleset.faulty"
UNMEASURED = (AttributeError, LookupError, TypeError)
A = TypeVar("A")
S = TypeVar("S")


class Round(Retaking):
    """The state of one round (see `Seats`, `Opening`, `Findings` and `Joint` for its fields).

    `log` are its entries with what was found; `remarks` what is to be noted with the one that is
    happening; `mistakes` what the rules could not say.
    """

    __slots__ = ()

    def copy(self) -> Round:
        """The same round, to go on apart from this one: what happens to either does not change the
        other. What never changes is shared: entries with their findings, complete tricks, the
        standing before the round."""
        other = Round.__new__(Round)
        for name in SLOTS:
            setattr(other, name, getattr(self, name))
        other.tally, other.carry, other.roles = self.tally[:], copied(self.carry), self.roles.copy()
        other.log, other.tricks, other.lines = self.log.copy(), self.tricks[:], self.lines[:]
        other.decisions = self.decisions.copy()
        other.remarks, other.conflicts = self.remarks[:], self.conflicts[:]
        other.mistakes, other.result = self.mistakes.copy(), copied(self.result)
        other.shared = copied_slots(self.shared)
        other.states = {name: copied_slots(state) for name, state in self.states.items()}
        if self.has_hands:
            other.hands = self.hands.copy()
        if self.parties is not None:
            other.parties = self.parties.copy(other.hands)
        return other

    def __repr__(self) -> str:
        phase = self.phase.name if self.phase is not None else "over"
        parts = [phase, number_of(len(self.log), "entry", "entries")]
        if self.log.entries:
            parts.append(f"last: {shown(self.log.entries[-1].text)}")
        if self.phase is not None:
            parts.append(f"to act: {', '.join(self.names_of(self.waiting())) or 'nobody'}")
        return f"<Round {self.number} of {shown(self.rules.name)}: {'; '.join(parts)}>"

    # --- states of phases

    def state(self, phase: Stateful[S]) -> S:
        """The state of a phase that has begun. Raises KeyError before its time."""
        found: S = self.states[phase.name]
        return found

    def state_if_begun(self, phase: Stateful[S]) -> S | None:
        """The same; None before its time."""
        found: S | None = self.states.get(phase.name)
        return found

    def suppose(self, phase: Stateful[S], state: S, ask: Callable[[], A]) -> A:
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

    def is_current(self, phase: Stateful[object]) -> bool:
        """Whether it is that phase's time now (of those that follow one another)."""
        return self.phase is phase

    def waiting(self) -> list[int]:
        """The seats the game waits for, whose turn it is first."""
        phase = self.phase
        return [] if phase is None else phase.waiting(self)

    def prompt(self) -> str:
        """What must happen now, in words; "" when the round is over."""
        return "" if self.phase is None else self.phase.prompt(self)

    def to_lead(self) -> int | None:
        """Who is to lead, while nothing lies on the table; None where something does, or nobody
        leads now."""
        return None if self.phase is None else self.phase.to_lead(self)

    # --- rules

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

    # --- what happens

    def add_line(self, code: str, seats: Sequence[int], points: int, cite: str = "") -> None:
        """A change of one player's tally, or of one that several share, that happens now, outside
        the score rows; never beyond what the tally may be."""
        changed = self.change(seats, points)
        if changed:
            self.lines.append(Line(code, "+".join(self.names_of(seats)), changed, cite))

    def charge(self, code: str, seat: int, points: int, cite: str = "") -> None:
        """The same for what a player must pay, or gets, by the table's word: their side does,
        where it shares a tally. Said before the first act it is one of the facts of the start."""
        charged = (code, self.sharing(seat), points, cite)
        if self.acted or self.over or self.ended:
            self.add_line(*charged)
            return
        self.start = self.start._replace(charges=(*self.start.charges, charged))
        self.begin()
        self.remarks.clear()

    def complete_trick(self, trick: Trick) -> None:
        """A trick is complete: the sides and every phase that looks at tricks learn of it."""
        self.tricks.append(trick)
        if self.parties is not None and self.parties.searching:
            self.parties.won(trick.winner, trick.number)
        for phase in self.rules.watching_tricks:
            phase.after_trick(self)

    def read_result(self, said: dict[str, str], by: Stateful[object]) -> None:
        """Have every phase but that one, begun or not, read its keys of a result and take them
        out of `said`; then have each infer what follows from all of them together."""
        for phase in (others := [each for each in self.rules.phases.values() if each is not by]):
            if phase.name not in self.states and phase.fields(self):
                self.states[phase.name] = phase.begin(self)
            phase.read_result(self, said)
        for phase in others:
            phase.after_result_read(self)

    def result_fields(self, by: Stateful[object]) -> list[tuple[str, str, list[str]]]:
        """What every phase but that one takes from a result (see `Phase.fields`), each key once."""
        others = (phase for phase in self.rules.phases.values() if phase is not by)
        fields = [field for phase in others for field in phase.fields(self)]
        first = {field[0]: field for field in reversed(fields)}
        return [field for field in fields if first[field[0]] is field]

    def conclude(self, said: Mapping[str, str]) -> None:
        """End the round by its outcome alone. Raises Unreadable for words that are none,
        Impossible for what contradicts the round, or what it is decided by already."""
        concluding = self.rules.concluding
        if self.over and not (self.placed and concluding.confirms(self, dict(said))):
            raise Impossible(tr("the round is over already"))
        self.result = dict(said)
        if self.over:
            self.placed = False
            return
        try:
            concluding.conclude(self, dict(said))
        except Exception:
            self.result = None
            raise
        self.finish()

    def _watch(self) -> list[Finding]:
        """Have the phases that look at every entry see what has happened; gives what they note."""
        for phase in self.rules.watching_entries:
            phase.after_entries(self)
        return self.flush_remarks() if self.remarks else []

    def apply(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        """Write the entry down and let it happen; gives the findings on earlier entries that
        it settles as broken. Raises Impossible, and then nothing has changed but the log."""
        told = self._happen(entry, findings)
        return told + self._watch() if self.rules.watching_entries else told

    def _happen(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        self.log.add(entry, findings)
        if entry.decision and not entry.counts:
            return self._take_back(entry, findings) if entry.withdrawn else []
        taken = self.decisions.taken
        if taken and len(self.log) in taken:  # nothing is asked of it any more
            return self._take_back(entry, [])
        if self.conflicts:
            self.check_start(entry)
        claimed = self.keep_open(findings) if findings else False
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
            self._end_decided()
        else:
            self.acted = True
        if self.phase is not None and self.phase.finished(self):
            self.advance()
        if self.parties is not None and self.parties.awaited:
            self.tell_sides()
        noted = self.flush_remarks() if self.remarks else []
        if self.hands is NO_HANDS or not (claimed or self.hands.news):
            return noted
        return noted + self.settle()

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
                self.keep_open(findings)
                self.hands.show_held(shown)
                if self.parties is not None and self.parties.awaited:
                    self.tell_sides()
            elif shown or findings:
                self.start = self.start._replace(shown=(*self.start.shown, *shown))
                self.begin()
                self.remarks.clear()
        except ValueError as error:
            hint = tr("look for the entry that is mistyped")
            raise Impossible(f"“{entry.text}”: {error}", hint) from None
        return self.flush_remarks() + (self.settle() if self.hands.news else [])

    def gather(self, entries: list[Entry]) -> bool:
        """Take several facts at once, before anything else has happened, and say whether the deal
        is one `as_dealt`. Raises Impossible when one of them is, and then what was said must be
        taken back."""
        self.gathering = True
        try:
            self.log.entries += entries
            phase_of = self.rules.phase_of
            for verb, facts in groupby(entries, attrgetter("verb")):
                phase_of[verb.word].gather(self, verb, facts)
            self.gathering = False
            self.begin()
            plain = self.as_dealt
            if self.remarks:
                self.flush_remarks()
            if self.hands is not NO_HANDS and self.hands.news:
                self.settle()
            return plain
        except ValueError as error:
            raise Impossible(str(error)) from None
        finally:
            self.gathering = False

    def flush_remarks(self) -> list[Finding]:
        """Put what was noted to the entry that has happened, and give it; before the first one it
        waits for that."""
        if not self.log.entries:
            return []
        noted, self.remarks = self.remarks, []
        self.log.blame(noted)
        return noted


SLOTS = tuple(Round.every_slot())


def _unmeasured(name: str) -> ExpressionError:
    """A measure asked of what it does not speak of, in a ruleset that an older check passed."""
    return ExpressionError(tr("“{name}” has no value here", name=name))
