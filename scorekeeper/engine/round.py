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
from scorekeeper.core.expressions import CircularExpression, ExpressionError
from scorekeeper.core.messages import N_, format_count, tr
from scorekeeper.core.rulings import LEGAL, NOTE, OPEN, WARN, Finding, Line
from scorekeeper.core.text import quote
from scorekeeper.core.types import copy_slots, copy_value
from scorekeeper.engine.findings import keep_open, settle
from scorekeeper.engine.measures import Owner
from scorekeeper.engine.phase import (
    TRICK,
    CardPlay,
    Interruptible,
    ResultPart,
    not_by_result,
)
from scorekeeper.engine.seating import Seating
from scorekeeper.engine.setup import NO_HANDS, begin, check_start, end_decided
from scorekeeper.engine.state import EMPTY_SETUP, Decisions, EntryLog, TableState
from scorekeeper.notation import EVERYONE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from scorekeeper.core.cards import Trick
    from scorekeeper.core.errors import Failure
    from scorekeeper.core.expressions import Expression, Lookup
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.core.sides import Sides
    from scorekeeper.core.types import Facts, Json, Standing
    from scorekeeper.engine.phase import AnyPhase, Phase, Role
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.notation import Entry

    Cards = tuple[int, tuple[int, ...]]  # a seat, and kinds of card

RULESET_ERROR = "ruleset.faulty"
MEASURE_ERRORS = (AttributeError, LookupError, TypeError)
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

    `acted`: somebody has; `over`: the round is, `ended`: the match; `void`: it counts for
    nothing; `unscored`: it counts, and no score row applies; `scored`: nothing stands against
    its having a score. `starts_midway`: the hands given are smaller than those that are dealt,
    so it began in the middle. `conflicts` are facts of the setup that do not fit together: what
    is wrong, and the verbs concerned. `decided_by_setup`: the facts alone have decided it, and
    others may still follow. `score_applied`: it is over and in the tallies, and asked is whether
    the match is over too. `batching_setup`: several facts are taken at once. `pending_notes` are
    what is to be noted with the entry that is happening, `ruleset_errors` what the rules could
    not say. `carried_over` is what phases keep for the next rounds.

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
        *(
            "acted",
            "score_applied",
            "carried_over",
            "conflicts",
            "deals_next",
            "decisions",
            "ended",
            "batching_setup",
        ),
        *(
            "hands",
            "log",
            "ruleset_errors",
            "names",
            "next_dealer",
            "next_leader",
            "number",
            "over",
        ),
        *(
            "phase",
            "decided_by_setup",
            "starts_midway",
            "pending_notes",
            "result",
            "roles",
            "rules",
            "scored",
        ),
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
        `batching_setup`: the round waits for `gather`, and nothing else may be asked of it before.
        """
        self.rules = rules
        self.number = number
        self.seating = Seating(rules, names, before)
        self.setup: Setup = EMPTY_SETUP
        self.log = EntryLog()
        self.decisions = Decisions()
        self.batching_setup = gathering
        self.score_applied = False
        self.carried_over: Json = {}
        # Each phase has a state of its own type, which `state` gives it back.
        self.states: dict[str, Any] = {}
        self.clear()
        begin(self)

    def clear(self) -> None:
        """Nothing has happened yet, and no phase has begun."""
        self.names, self.seats = self.seating.names, self.seating.seats
        self.acted = self.over = self.decided_by_setup = self.void = self.ended = (
            self.starts_midway
        ) = False
        self.unscored = False
        self.scored = True
        self.table = TableState()
        self.pending_notes: list[Finding] = []
        self.ruleset_errors: set[str] = set()
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
        other._take_over(self)
        other.seating, other.table = self.seating.copy(), self.table.copy()
        other.carried_over, other.roles = copy_value(self.carried_over), self.roles.copy()
        other.tricks, other.result = self.tricks[:], copy_value(self.result)
        other.pending_notes, other.conflicts = self.pending_notes[:], self.conflicts[:]
        other.ruleset_errors = self.ruleset_errors.copy()
        other.states = {name: copy_slots(state) for name, state in self.states.items()}
        if self.has_hands:
            other.hands = self.hands.copy()
        if self.sides is not None:
            other.sides = self.sides.copy(other.hands)
        return other

    def _take_over(self, other: Round) -> None:
        """Take over how another round stands: all of it but its log and the decisions."""
        self.rules, self.number, self.batching_setup = (
            other.rules,
            other.number,
            other.batching_setup,
        )
        self.seating, self.names, self.seats = other.seating, other.names, other.seats
        self.setup, self.table, self.hands = other.setup, other.table, other.hands
        self.sides, self.states, self.carried_over = other.sides, other.states, other.carried_over
        self.phase, self.stage, self.tricks = other.phase, other.stage, other.tricks
        self.roles, self.result, self.pending_notes = other.roles, other.result, other.pending_notes
        self.ruleset_errors, self.conflicts = other.ruleset_errors, other.conflicts
        self.next_dealer, self.next_leader = other.next_dealer, other.next_leader
        self.deals_next, self.acted, self.over = other.deals_next, other.acted, other.over
        self.ended, self.void, self.decided_by_setup = (
            other.ended,
            other.void,
            other.decided_by_setup,
        )
        self.scored, self.unscored, self.score_applied = (
            other.scored,
            other.unscored,
            other.score_applied,
        )
        self.starts_midway = other.starts_midway

    def __repr__(self) -> str:
        phase = self.phase.name if self.phase is not None else "over"
        parts = [phase, format_count(len(self.log), "entry", "entries")]
        if self.log.entries:
            parts.append(f"last: {quote(self.log.entries[-1].text)}")
        if self.phase is not None:
            parts.append(f"to act: {', '.join(self.names_of(self.waiting())) or 'nobody'}")
        return f"<Round {self.number} of {quote(self.rules.name)}: {'; '.join(parts)}>"

    # --- what phases hold of it

    def state(self, phase: Phase[S]) -> S:
        """The state of a phase that has begun. Raises KeyError before its time."""
        found: S = self.states[phase.name]
        return found

    def state_if_begun(self, phase: Phase[S]) -> S | None:
        """The same; None before its time."""
        found: S | None = self.states.get(phase.name)
        return found

    def with_state(self, phase: Phase[S], state: S, ask: Callable[[], A]) -> A:
        """What `ask` answers if that is the state of the phase; all is put back then, what the
        rules could not say of it included."""
        begun, before = phase.name in self.states, self.states.get(phase.name)
        scored, mistakes, remarks = self.scored, set(self.ruleset_errors), list(self.pending_notes)
        self.states[phase.name] = state
        try:
            return ask()
        finally:
            self.scored, self.ruleset_errors, self.pending_notes = scored, mistakes, remarks
            self.states[phase.name] = before
            if not begun:
                del self.states[phase.name]

    def is_current(self, phase: Phase[object] | CardPlay) -> bool:
        """Whether it is that phase's time now (of those that follow one another)."""
        return self.phase is phase

    def carried(self, name: str) -> Json:
        """What the phase of that name has kept from the last round; empty where it has nothing."""
        found: Json = self.carried_over.get(name, {})
        return found

    def carry_over(self, name: str, value: Json | int | None) -> None:
        """Keep plain JSON for the next rounds, or nothing more."""
        if value is None:
            self.carried_over.pop(name, None)
        else:
            self.carried_over[name] = value

    def has_carried(self, name: str) -> bool:
        """Whether something of that name has been kept from an earlier round."""
        return name in self.carried_over

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
    def is_partial(self) -> bool:
        """Whether it began in the middle, in a game where all counts that was won from the start
        on: play alone gives it no score."""
        return self.starts_midway and any(
            phase.needs_whole_round for phase in self.rules.phases.values()
        )

    # --- the rules, asked of this round

    def evaluate(self, expression: Expression, subject: object = None) -> float:
        """What an expression comes to; 0 where it has no value, which is noted. Raises Circular."""
        try:
            return expression.value_in(self, subject)
        except CircularExpression:
            raise
        except ExpressionError as error:
            self.report_ruleset_error(error)
            return 0

    def report_ruleset_error(self, error: Failure, consequence: str = "") -> None:
        """The rules cannot say something that the round needs: what happened stands, the round
        has no score (or `consequence`), and its entry is told why, once."""
        self.scored = self.scored and bool(consequence)
        if error.message not in self.ruleset_errors:
            self.ruleset_errors.add(error.message)
            facts: Facts = {
                "message": error.message,
                "so": consequence or tr("so this round has no score"),
            }
            say = N_("the ruleset has a mistake, {so}: {message}")
            self.pending_notes.append(Finding(RULESET_ERROR, OPEN, say, facts, WARN))

    def reading(self, subject: object = None) -> Lookup:
        """How an expression reads measures of this round, about an entry or a side."""
        measures = self.rules.measures

        def get(name: str) -> object:
            try:
                return measures[name].read(self, subject)
            except MEASURE_ERRORS:
                raise _measure_error(name) from None

        return get

    def cached_reading(self, subject: object = None) -> Lookup:
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
        return any(phase.play_begun(self) for phase in self.rules.sequence)

    def report_proven_sides(self) -> None:
        """Have it noted whose side the entry that has happened proves. While cards may still come
        into hands, nothing is said."""
        parties = self.sides
        if parties is None or self.table.stock:
            return
        play = self.rules.card_play
        leads = play is not None and play.seat_to_lead(self) is not None
        if not (self.tricks or leads or self.play_begun()):
            return
        proven = parties.take_proven()
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

    def lost_cards(self) -> list[int]:
        """The cards that are known to go to nobody (kinds, one for each card)."""
        return [kind for phase in self.rules.phases.values() for kind in phase.lost_cards(self)]

    def check_rest(self) -> None:
        """Raise Impossible if the score could not be known when the rest is not played."""
        for part in self.rules.result_parts:
            part.check_rest(self)

    def may_pass_cards(self) -> bool:
        """Whether cards may still pass from hand to hand before play."""
        passing = any(phase.passes_cards for phase in self.rules.phases.values())
        return passing and not self.play_begun()

    def dice_of(self, seat: int) -> int:
        """How many dice a player has in this round; none, who is out."""
        each = self.rules.dice_per_player
        if self.rules.numbers.dice_are_tally:
            return self.seating.tally[seat]
        return 0 if each is None or self.seating.is_out(seat) else each(self, Owner((seat,)))

    def dice(self) -> int:
        """All dice on the table."""
        if self.rules.numbers.dice_are_tally:
            return sum([self.seating.tally[seat] for seat in self.seats])
        each = self.rules.dice_per_player
        if each is not None and each.fixed is not None:
            return each.fixed * len(self.seating.playing())
        return sum(map(self.dice_of, self.seats))

    # --- its entries

    def first_entry_text(self, verbs: Iterable[str]) -> str:
        """The text of this round's first entry of one of these verbs ("" if there is none)."""
        for entry in self.log.entries:
            if entry.type.word in verbs and entry.has_effect:
                return entry.text
        return ""

    def finding_facts(self) -> Iterable[Facts]:
        """The facts of every finding in this round so far."""
        return (finding.facts for _, finding in self.log.all_findings())

    def acting_seats(self, number: int) -> Sequence[int]:
        """The seats whose act that entry is; several, where it speaks for everyone."""
        entry = self.log.entries[number - 1]
        if entry.seat is None:
            return ()
        if entry.seat != EVERYONE:
            return (entry.seat,)
        before = self.at(number - 1)
        return self.rules.phase_of[entry.type.word].everyone(before, entry)

    def open_findings(self, number: int) -> Sequence[Finding]:
        """What is open of that entry."""
        return [each for each in self.log.findings.get(number, ()) if each.verdict == OPEN]

    def attach_notes(self, number: int) -> None:
        """Put what is to be noted to an earlier entry."""
        noted, self.pending_notes = self.pending_notes, []
        found = self.log.findings
        found[number] = [*found.get(number, ()), *noted]
        self.log.findings = dict(sorted(found.items()))

    # --- its course

    def advance(self) -> None:
        """Go on to the next phase that is needed when the present one is over, or none has begun;
        after the last one the round is over."""
        while not self.over and (self.phase is None or self.phase.finished(self)):
            self._next_stage()

    def _next_stage(self) -> None:
        course = self.rules.sequence
        self.stage += 1
        while self.stage < len(course) and not course[self.stage].takes_place(self):
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
        self.phase.award_rest(self, seat)
        self.advance()

    def add_conflict(self, say: str, *words: str) -> None:
        """Facts of the start, said with these verbs, do not fit together as they stand."""
        self.conflicts.append((say, words))

    def add_note(self, code: str, say: str, facts: Facts, cite: str = "") -> None:
        """Have something noted with the entry that is happening: a failed call, a warning."""
        self.pending_notes.append(Finding(code, LEGAL, say, facts, NOTE, cite))

    def add_line(self, code: str, seats: Sequence[int], points: int, cite: str = "") -> None:
        """A change of one player's tally, or of one that several share, that happens now, outside
        the score rows; never beyond what the tally may be."""
        changed = self.seating.change(seats, points)
        if changed:
            self.seating.lines.append(Line(code, "+".join(self.names_of(seats)), changed, cite))

    def charge(self, code: str, seat: int, points: int, cite: str = "") -> None:
        """The same for what a player must pay, or gets, by the table's word: their side does,
        where it shares a tally. Said before the first act it is one of the facts of the start."""
        charged = (code, self.seating.sharing_seats(seat), points, cite)
        if self.acted or self.over or self.ended:
            self.add_line(*charged)
            return
        self.setup = self.setup._replace(charges=(*self.setup.charges, charged))
        begin(self)
        self.pending_notes.clear()

    def complete_trick(self, trick: Trick) -> None:
        """A trick is complete: the sides and every phase that looks at tricks learn of it."""
        self.tricks.append(trick)
        if self.sides is not None and self.sides.tricks_left:
            self.sides.note_trick(trick.winner, trick.number)
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
        if self.over and not (self.decided_by_setup and self.is_confirmed_by(said)):
            raise Impossible(tr("the round is over already"))
        self.result = dict(said)
        if self.over:
            self.decided_by_setup = False
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
        told = self._apply(entry, findings)
        law = self.rules.watching_law
        if law is None:
            return told
        law.after_entries(self)
        return told + self.flush_notes() if self.pending_notes else told

    def _apply(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        self.log.add(entry, findings)
        if entry.decision and not entry.has_effect:
            return self._apply_withdrawn(entry, findings) if entry.is_withdrawn else []
        taken = self.decisions.withdrawn
        if taken and len(self.log) in taken:  # nothing is asked of it any more
            return self._apply_withdrawn(entry, [])
        if self.conflicts:
            check_start(self, entry)
        claimed = keep_open(self, findings) if findings else False
        verb, seat = entry.type, entry.seat
        phase = self.rules.phase_of[verb.word]
        if not (verb.is_table_entry or (seat in self.seats and phase.name in self.states)):
            self._check_time(phase, entry)
        try:
            if seat == EVERYONE:
                for each in phase.everyone(self, entry):
                    phase.apply(self, entry.with_seat(each))
            else:
                phase.apply(self, entry)
        except ValueError as error:
            raise Impossible(f"{entry.text}: {error}") from None
        if verb.is_table_entry:
            end_decided(self)
        else:
            self.acted = True
        if self.phase is not None and self.phase.finished(self):
            self.advance()
        if self.sides is not None and self.sides.unproven:
            self.report_proven_sides()
        noted = self.flush_notes() if self.pending_notes else []
        if self.hands is NO_HANDS or not (claimed or self.hands.has_decisions):
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
        if phase.name in self.states or phase.may_act_early(self, entry):
            return
        if not (entry.type.plays_cards and self.give_way() and phase.name in self.states):
            raise Impossible(tr("{text}: that is not possible yet", text=entry.text), self.prompt())

    def _apply_withdrawn(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        """Learn whose the cards are that an entry showed which was taken back, unless they cannot
        have been there; keep what is open of its `findings`, for it has happened."""
        if not self.has_hands:
            return []
        try:
            shown = self.rules.phase_of[entry.type.word].seen_cards(self, entry)
            if not self.hands.can_show(shown):
                self.log.mark_contradicted()
                return []
            if self.acted:
                keep_open(self, findings)
                self.hands.note_all_held(shown)
                if self.sides is not None and self.sides.unproven:
                    self.report_proven_sides()
            elif shown or findings:
                self.setup = self.setup._replace(shown=(*self.setup.shown, *shown))
                begin(self)
                self.pending_notes.clear()
        except ValueError as error:
            hint = tr("look for the entry that is mistyped")
            raise Impossible(f"“{entry.text}”: {error}", hint) from None
        return self.flush_notes() + (settle(self) if self.hands.has_decisions else [])

    def flush_notes(self) -> list[Finding]:
        """Put what was noted to the entry that has happened, and give it; before the first one it
        waits for that."""
        if not self.log.entries:
            return []
        noted, self.pending_notes = self.pending_notes, []
        self.log.attach_findings(noted)
        return noted

    # --- as it was, and as it would be

    def at(self, number: int, withdrawn: Collection[int] = ()) -> Round:
        """Another round, as this one was after so many of its entries, these `withdrawn` back."""
        past = self._restarted_without(withdrawn)
        for at in range(number):
            past.apply(self.log.entries[at], _open_claims(self.log, at + 1))
        return past

    def replay_without(self, withdrawn: Collection[int] = (), last: int = 0) -> None:
        """Play this round again up to the entry that is happening, those `withdrawn` back; with
        `last` that one happens too, and entry `last` after it."""
        now, log = len(self.log), self.log
        order = range(1, now)
        put_off = {last} - {0}  # nothing comes of it in its place: all others keep their numbers
        fresh = self._restarted_without({*withdrawn, *put_off})
        for number in [*order, now, last] if last else order:
            if len(fresh.log) == now:
                fresh.decisions = fresh.decisions.without_entry(now + 1)
            fresh.apply(log.entries[number - 1], _open_claims(log, number))
        states, law = self.states, self.rules.watching_law
        self._take_over(fresh)
        if law is not None:
            self.states[law.name] = states[law.name]
        self.decisions.withdrawn = (self.decisions.withdrawn | fresh.decisions.withdrawn) - put_off
        self._settle_reopened(fresh.log, order)

    def restarted(self, gathering: bool = False) -> Round:
        """The round before its first entry; `batching_setup`: it waits for `gather`."""
        fresh = Round(
            self.rules,
            self.seating.initial_players,
            self.number,
            self.seating.first_standing,
            gathering,
        )
        fresh.decisions.heard = self.decisions.heard
        return fresh

    def _restarted_without(self, withdrawn: Collection[int]) -> Round:
        """The round before its first entry."""
        anew = self.restarted()
        anew.decisions = self.decisions.for_replay(withdrawn)
        return anew

    def _settle_reopened(self, fresh: EntryLog, order: Sequence[int]) -> None:
        """What is open no longer now that the round was played again: of what was taken back
        nothing is asked any more."""
        for number, finding in list(self.log.all_findings()):
            if finding.claim is None or finding.verdict != OPEN or number not in order:
                continue
            found = fresh.findings.get(order.index(number) + 1, ())
            if number in self.decisions.withdrawn:
                self.log.settle(number, finding, None)
            elif finding not in found:
                later = (each for each in found if each.code == finding.code and each.refuses)
                self.log.settle(number, finding, next(later, None))


def _open_claims(log: EntryLog, number: int) -> list[Finding]:
    """What is open of an entry, and must be asked again."""
    found = log.findings.get(number, ())
    return [each for each in found if each.claim is not None and each.verdict == OPEN]


def _measure_error(name: str) -> ExpressionError:
    """A measure asked of what it does not speak of, in a ruleset that an older check passed."""
    return ExpressionError(tr("“{name}” has no value here", name=name))


# --- who plays against whom, by what everyone at the table knows of it


def lone_public_seat(rnd: Round) -> int | None:
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
    pack, log, taken = rnd.rules.pack, rnd.log, rnd.decisions.withdrawn
    seen, gone = [0] * len(rnd.names), [0] * len(rnd.names)
    last: dict[int, int] = {}  # the cards that each has laid last
    for number, entry in enumerate(log.entries, 1):
        counts, seat = entry.has_effect and number not in taken, entry.seat
        if entry.word == "takeback" and counts and seat is not None:
            gone[seat] = pack.subtract(gone[seat], last.get(seat, 0))
        if number in log.doubted:
            continue
        for owner, kinds in _cards_shown(rnd, entry):
            cards = pack.hand_of(kinds)
            now = pack.combine_capped(gone[owner], cards)
            seen[owner] |= now  # of two heaps, of each kind the more
            if counts and not entry.type.is_table_entry:
                gone[owner], last[owner] = now, cards
    return seen


def _cards_shown(rnd: Round, entry: Entry) -> Sequence[Cards]:
    """The cards that an entry has shown, and in whose hands they were."""
    if entry.word == "holds":
        return (entry.value,) if entry.has_effect else ()
    laid = entry.type.measured_as == TRICK and (entry.has_effect or entry.is_withdrawn)
    return rnd.rules.hand_cards(entry) if laid else ()
