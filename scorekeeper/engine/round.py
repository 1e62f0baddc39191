"""One round, with the state that all phases share and the state of each phase.

The state of a round is the result of applying its entries in order. Earlier states, and states
without some of the entries, are computed by applying the entries again. The entries are not judged
again, because they were judged when they were recorded.

`engine/setup.py` starts a round from its facts. `engine/findings.py` manages the clauses' findings
on an entry. Entries are judged before they are applied here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import CircularExpression, ExpressionError, NotYetKnown
from scorekeeper.core.messages import N_, format_count, format_quoted, tr
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
    """The state of one round. The round restarts after each fact of its setup.

    `seating` holds the seats and tallies, `setup` the facts stated before the first act, and
    `table` the values that phases share. `log` holds the entries with their findings, and `hands`
    what is known about the cards. `sides` are the sides that change from round to round, or None.
    `decisions` are the decisions about faults. `states` are the states of the phases that have
    begun. `phase` is the current phase, or None when the round is finished. `names` and `seats` are
    copied from `seating`.

    `acted` is true once a player has acted, `over` once the round is finished, `closed` once its
    phases have set the roles, and `ended` once the match is finished. `void` is true if the round
    does not count, and `unscored` if it counts but no score row applies. `scored` is false once the
    round cannot have a score. `starts_midway` is true if the hands are smaller than dealt hands.
    `conflicts` lists setup facts that do not fit together. Each item is a sentence and the verbs of
    the facts. `decided_by_setup` is true if the setup facts alone have decided the round. More
    facts can still follow. `score_applied` is true while the end of the match is evaluated with
    tallies that include the score. `batching_setup` is true while several facts are applied
    together. `pending_notes` are notes for the current entry, and `ruleset_errors` are the rule
    errors so far. `carried_over` holds the values that phases store for the next rounds.
    `remembered` holds, by name, the values that were stored when an act was applied.

    A phase may read and write the following. `tests/test_house.py` compares this table with the
    code. A phase may use all public names of `table`, `hands` and `sides`.

    | the round | rules number names seats acted over ended void unscored scored |
    | the round | decided_by_setup starts_midway is_partial score_applied result tricks roles |
    | the round | next_dealer next_leader setup conflicts closed |
    | seating   | seating seating.next_seat seating.starting_tally seating.tally_before_score |
    | seating   | seating.standing seating.dealer seating.next_active seating.leader |
    | seating   | seating.is_out seating.playing seating.sharing_seats seating.side |
    | seating   | seating.step seating.tally names_of |
    | phases    | phase table state state_if_begun is_current carried has_carried carry_over |
    | phases    | with_state copy at |
    | cards     | hands has_hands sides require_sides public_sides cards_seen lost_cards dice |
    | cards     | dice_of deal_size kitty_size |
    | the law   | decisions decisions.assumed decisions.due decisions.effects decisions.heard |
    | the law   | decisions.replaying decisions.withdrawn decisions.windows |
    | entries   | log log.attach_findings log.doubted log.entries log.refused acting_seats |
    | entries   | first_entry_text finding_facts open_findings pending_notes remembered |
    | turns     | waiting prompt play_begun may_pass_cards |
    | to ask    | evaluate reading report_ruleset_error other_result_fields |
    | to do     | add_line award charge check_rest complete_trick conclude add_conflict |
    | to do     | finish attach_notes read_result add_note replay_without |
    | written   | acted deals_next ended next_dealer next_leader scored setup sides unscored |
    | written   | void decisions.watching seating.leader seating.step |
    """

    __slots__ = (
        *("acted", "batching_setup", "carried_over", "closed", "conflicts", "dealt", "deals_next"),
        *("decided_by_setup", "decisions", "ended", "hands", "log", "names", "next_dealer"),
        *("next_leader", "number", "over", "pending_notes", "phase", "remembered", "result"),
        *("roles", "rules", "ruleset_errors", "score_applied", "scored", "seating", "seats"),
        *("setup", "sides", "stage", "starts_midway", "states", "table", "tricks"),
        *("unscored", "void"),
    )

    def __init__(
        self,
        rules: Ruleset,
        names: list[str],
        number: int,
        before: Standing,
        gathering: bool = False,
    ) -> None:
        """Start a round from the standing `before`.

        `names` are the initial players, who are at the table unless the standing names others. If
        `gathering` is true, the round is not set up until `gather` is called.
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
        # Each phase has its own state type, which `state` restores.
        self.states: dict[str, Any] = {}
        self.clear()
        begin(self)

    def clear(self) -> None:
        """Reset the round to a state without entries and phases."""
        self.names, self.seats = self.seating.names, self.seating.seats
        self.acted = self.over = self.decided_by_setup = self.void = self.ended = (
            self.starts_midway
        ) = False
        self.unscored = self.closed = False
        self.scored = True
        self.table = TableState()
        self.pending_notes: list[Finding] = []
        self.ruleset_errors: set[str] = set()
        self.conflicts: list[tuple[str, tuple[str, ...]]] = []
        self.tricks: list[Trick] = []
        self.roles: dict[str, Role] = {}
        self.result: dict[str, str] | None = None
        self.deals_next = ""
        self.remembered: Mapping[str, float | None] = {}
        self.next_dealer: int | None = None
        self.next_leader: int | None = None
        self.sides: Sides | None = None
        self.hands: Knowledge = NO_HANDS
        self.dealt: tuple[int, int] | None = None
        self.phase: AnyPhase | None = None
        self.stage = -1

    def copy(self) -> Round:
        """Return an independent copy of the round.

        Immutable values are shared, such as entries with their findings, complete tricks and the
        standing.
        """
        other = Round.__new__(Round)
        other.log, other.decisions = self.log.copy(), self.decisions.copy()
        other._take_over(self)
        other.seating, other.table = self.seating.copy(), self.table.copy()
        other.carried_over, other.roles = copy_value(self.carried_over), self.roles.copy()
        other.tricks, other.result = self.tricks[:], copy_value(self.result)
        other.pending_notes, other.conflicts = self.pending_notes[:], self.conflicts[:]
        other.ruleset_errors = self.ruleset_errors.copy()
        other.remembered = copy_value(self.remembered)
        other.states = {name: copy_slots(state) for name, state in self.states.items()}
        if self.has_hands:
            other.hands = self.hands.copy()
        if self.sides is not None:
            other.sides = self.sides.copy(other.hands)
        return other

    def _take_over(self, other: Round) -> None:
        """Take over the state of another round, except its log and its decisions."""
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
        self.closed = other.closed
        self.starts_midway, self.dealt = other.starts_midway, other.dealt
        self.remembered = other.remembered

    def __repr__(self) -> str:
        phase = self.phase.name if self.phase is not None else "over"
        parts = [phase, format_count(len(self.log), "entry", "entries")]
        if self.log.entries:
            parts.append(f"last: {quote(self.log.entries[-1].text)}")
        if self.phase is not None:
            parts.append(f"to act: {', '.join(self.names_of(self.waiting())) or 'nobody'}")
        return f"<Round {self.number} of {quote(self.rules.name)}: {'; '.join(parts)}>"

    # --- phases

    def state(self, phase: Phase[S]) -> S:
        """Return a phase's state. Raises KeyError if the phase has not begun."""
        state: S = self.states[phase.name]
        return state

    def state_if_begun(self, phase: Phase[S]) -> S | None:
        """Return a phase's state, or None if the phase has not begun."""
        state: S | None = self.states.get(phase.name)
        return state

    def with_state(self, phase: Phase[S], state: S, ask: Callable[[], A]) -> A:
        """Return the result of `ask` with a different phase state, then restore the round.

        Ruleset errors that `ask` reports are dropped.
        """
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
        """Return whether the round is currently in that phase."""
        return self.phase is phase

    def carried(self, name: str) -> Json:
        """Return the values that the named phase carried over from the previous round, or {}."""
        value: Json = self.carried_over.get(name, {})
        return value

    def carry_over(self, name: str, value: Json | int | None) -> None:
        """Carry a JSON value over to the next rounds. None removes the value."""
        if value is None:
            self.carried_over.pop(name, None)
        else:
            self.carried_over[name] = value

    def has_carried(self, name: str) -> bool:
        """Return whether a value with that name was carried over from an earlier round."""
        return name in self.carried_over

    def names_of(self, seats: Iterable[int]) -> list[str]:
        """Return the names of the players in these seats."""
        return [self.names[seat] for seat in seats]

    @property
    def deal_size(self) -> int:
        """The number of cards that each player is dealt in this round."""
        return self._sizes()[0]

    @property
    def kitty_size(self) -> int:
        """The number of cards left over in this round after the deal."""
        return self._sizes()[1]

    def _sizes(self) -> tuple[int, int]:
        """Return the sizes of a hand and of the kitty. The values that determine them are read only
        once."""
        if self.dealt is None:
            rules, seats = self.rules, len(self.seats)
            self.dealt = (rules.deal_size(seats, self), rules.kitty_size(seats, self))
        return self.dealt

    def require_sides(self) -> Sides:
        """Return `sides`. Raises Impossible if the sides do not change from deal to deal."""
        if self.sides is None:
            raise Impossible(tr("this game has no sides that change from deal to deal"))
        return self.sides

    @property
    def has_hands(self) -> bool:
        """True if the game has hands of cards."""
        return self.hands is not NO_HANDS

    @property
    def is_partial(self) -> bool:
        """True if the round started midway but the score depends on everything won since the
        start."""
        return self.starts_midway and any(
            phase.needs_whole_round for phase in self.rules.phases.values()
        )

    # --- rules

    def evaluate(self, expression: Expression, subject: object = None) -> float:
        """Return the value of an expression. Raises CircularExpression.

        If the expression has no value, report a ruleset error and return 0.
        """
        try:
            return expression.value_in(self, subject)
        except CircularExpression:
            raise
        except ExpressionError as error:
            self.report_ruleset_error(error)
            return 0

    def report_ruleset_error(self, error: Failure, consequence: str = "") -> None:
        """Report once that the rules have no value for something that the round needs.

        As a result, the round has no score, unless `consequence` states another result. The finding
        is attached to the current entry.
        """
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
        """Return a function that reads this round's measures about a subject."""
        measures = self.rules.measures

        def get(name: str) -> object:
            try:
                return measures[name].read(self, subject)
            except MEASURE_ERRORS:
                raise _measure_error(name) from None

        return get

    def cached_reading(self, subject: object = None) -> Lookup:
        """Return a function like the one from `reading` that reads each measure only once.

        Use it only while the state of the round does not change.
        """
        read, known = self.reading(subject), dict[str, object]()

        def get(name: str) -> object:
            if name not in known:
                known[name] = read(name)
            return known[name]

        return get

    # --- questions

    def waiting(self) -> list[int]:
        """Return the seats for which the game is waiting, beginning with the seat whose turn it
        is."""
        phase = self.phase
        return [] if phase is None else phase.waiting(self)

    def prompt(self) -> str:
        """Return the next required action as a sentence, or "" when the round is finished."""
        return "" if self.phase is None else self.phase.view(self).prompt().text

    def play_begun(self) -> bool:
        """Return whether the part of play that depends on the leader has begun."""
        return any(phase.play_begun(self) for phase in self.rules.sequence)

    def report_proven_sides(self) -> None:
        """Report the sides that the current entry proves, unless hands may still receive cards."""
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
        """Return, for each seat, a mask of the cards that everyone has seen in its hand or leaving
        it."""
        return cards_seen(self)

    def public_sides(self) -> Mapping[int, int]:
        """Return the seats' sides, as far as everyone can derive them from what was seen and heard.

        Cards are not counted, and hands that were entered are not used.
        """
        from scorekeeper.core.sides import public_sides

        if self.sides is None:
            return {}
        shown = dict[int, int]()
        for phase in self.rules.phases.values():
            shown.update(phase.public_sides(self))
        return public_sides(self.sides, shown, self.table.claimed_sides)

    def lost_cards(self) -> list[int]:
        """Return the kinds of the cards whose points certainly count for no player."""
        return [kind for phase in self.rules.phases.values() for kind in phase.lost_cards(self)]

    def check_rest(self) -> None:
        """Raise Impossible if the score cannot be known before the rest of the round is played."""
        for part in self.rules.result_parts:
            part.check_rest(self)

    def may_pass_cards(self) -> bool:
        """Return whether cards may still be passed between hands before play."""
        passing = any(phase.passes_cards for phase in self.rules.phases.values())
        return passing and not self.play_begun()

    def dice_of(self, seat: int) -> int:
        """Return how many dice a player has in this round, or 0 for a player who is out."""
        number = self.rules.dice_per_player
        if self.rules.numbers.dice_are_tally:
            return self.seating.tally[seat]
        return 0 if number is None or self.seating.is_out(seat) else number(self, Owner((seat,)))

    def dice(self) -> int:
        """Return the total number of dice on the table."""
        if self.rules.numbers.dice_are_tally:
            return sum([self.seating.tally[seat] for seat in self.seats])
        number = self.rules.dice_per_player
        if number is not None and number.fixed is not None:
            return number.fixed * len(self.seating.playing())
        return sum(map(self.dice_of, self.seats))

    # --- entries

    def first_entry_text(self, verbs: Iterable[str]) -> str:
        """Return the text of the first entry that has one of these verbs, or ""."""
        for entry in self.log.entries:
            if entry.type.word in verbs and entry.has_effect:
                return entry.text
        return ""

    def finding_facts(self) -> Iterable[Facts]:
        """Return the facts in all findings of this round so far."""
        return (finding.facts for _, finding in self.log.all_findings())

    def acting_seats(self, number: int) -> Sequence[int]:
        """Return the seats that made an entry (number from 1).

        If the entry is for everyone, there are several seats.
        """
        entry = self.log.entries[number - 1]
        if entry.seat is None:
            return ()
        if entry.seat != EVERYONE:
            return (entry.seat,)
        before = self.at(number - 1)
        return self.rules.phase_of[entry.type.word].everyone(before, entry)

    def open_findings(self, number: int) -> Sequence[Finding]:
        """Return the open findings on an entry (number from 1)."""
        return [each for each in self.log.findings.get(number, ()) if each.verdict == OPEN]

    def attach_notes(self, number: int) -> None:
        """Attach the pending notes to an earlier entry (number from 1)."""
        noted, self.pending_notes = self.pending_notes, []
        findings = self.log.findings
        findings[number] = [*findings.get(number, ()), *noted]
        self.log.findings = dict(sorted(findings.items()))

    # --- course

    def advance(self) -> None:
        """Begin the next phase that takes place, if no phase has begun or the current one is
        finished."""
        while not self.over and (self.phase is None or self._has_ended(self.phase)):
            if not self.over:
                self._next_stage()

    def _has_ended(self, phase: AnyPhase) -> bool:
        """Return whether a phase has ended. If its condition `ends` is true, stop it first.

        A condition that depends on something unknown counts as false.
        """
        if phase.finished(self):
            return True
        if phase.end_condition is None:
            return False
        try:
            ends = bool(phase.end_condition.value_in(self))
        except NotYetKnown:
            return False
        except ExpressionError as error:
            self.report_ruleset_error(error)
            return False
        if ends:
            phase.stop(self)
        return ends

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
        """End the current phase because cards of the next phase were played, if it can end this
        way."""
        if not isinstance(self.phase, Interruptible) or not self.phase.give_way(self):
            return False
        self.advance()
        return True

    def finish(self) -> None:
        """Finish the round and close all phases."""
        self.over = True
        self.phase = None
        for phase in self.rules.ending:
            phase.close(self)
        self.closed = True

    def award(self, seat: int) -> None:
        """Award all cards that are not yet won to the seat's side, and end play."""
        if not isinstance(self.phase, CardPlay):
            raise Impossible(tr("there are no more cards to win"), "void why")
        self.phase.award_rest(self, seat)
        self.advance()

    def add_conflict(self, say: str, *words: str) -> None:
        """Record that setup facts do not fit together, as a sentence and the verbs of these
        facts. Without verbs, the sentence asks for a missing fact."""
        self.conflicts.append((say, words))

    def add_note(self, code: str, say: str, facts: Facts, cite: str = "") -> None:
        """Add a note to the current entry, such as a failed call or a warning."""
        self.pending_notes.append(Finding(code, LEGAL, say, facts, NOTE, cite))

    def add_line(self, code: str, seats: Sequence[int], points: int, cite: str = "") -> None:
        """Change the tally of a player, or of players who share a tally, independently of the score
        rows.

        The tally remains within its bounds.
        """
        changed = self.seating.change(seats, points)
        if changed:
            self.seating.lines.append(Line(code, "+".join(self.names_of(seats)), changed, cite))

    def charge(self, code: str, seat: int, points: int, cite: str = "") -> None:
        """Charge points to a player, or to the player's side if it shares a tally.

        Before the first act, the charge is a setup fact.
        """
        charged = (code, self.seating.sharing_seats(seat), points, cite)
        if self.acted or self.over or self.ended:
            self.add_line(*charged)
            return
        self.setup = self.setup._replace(charges=(*self.setup.charges, charged))
        begin(self)
        self.pending_notes.clear()

    def complete_trick(self, trick: Trick) -> None:
        """Add a complete trick, and notify the sides and all phases that process tricks."""
        self.tricks.append(trick)
        if self.sides is not None and self.sides.tricks_left:
            self.sides.note_trick(trick.winner, trick.number)
        for phase in self.rules.watching_tricks:
            phase.after_trick(self)

    def read_result(self, result: dict[str, str], by: ResultPart) -> None:
        """Have all phases except `by` remove their keys from a result, apply them, and infer what
        follows.

        Phases that have not begun are begun first.
        """
        others = [part for part in self.rules.result_parts if part is not by]
        for phase in self.rules.phases.values():
            if isinstance(phase, ResultPart) and phase is not by:
                if phase.name not in self.states and phase.result_fields(self):
                    self.states[phase.name] = phase.begin(self)
                phase.read_result(self, result)
        for part in others:
            part.infer_from_result(self)

    def result_fields(self) -> list[tuple[str, str, list[str]]]:
        """Return the keys that a `result` can have now (see `ResultPart.result_fields`)."""
        concluding = self.rules.concluding
        return [] if concluding is None else concluding.result_fields(self)

    def other_result_fields(self, by: ResultPart) -> list[tuple[str, str, list[str]]]:
        """Return the keys of a result that any phase except `by` reads, without duplicates."""
        others = (part for part in self.rules.result_parts if part is not by)
        fields = [field for part in others for field in part.result_fields(self)]
        first = {field[0]: field for field in reversed(fields)}
        return [field for field in fields if first[field[0]] is field]

    def is_confirmed_by(self, result: Mapping[str, str]) -> bool:
        """Return whether a result only repeats what the setup facts have already decided."""
        concluding = self.rules.concluding
        return concluding is not None and concluding.confirms(self, dict(result))

    def conclude(self, result: Mapping[str, str]) -> None:
        """Finish the round with its result alone.

        Raises Unreadable for words that have no meaning. Raises Impossible for a result that
        contradicts the round.
        """
        concluding = self.rules.concluding
        if self.over and not (self.decided_by_setup and self.is_confirmed_by(result)):
            raise Impossible(tr("the round is over already"))
        self.result = dict(result)
        if self.over:
            self.decided_by_setup = False
            return
        try:
            if concluding is None:
                raise not_by_result()
            concluding.conclude(self, dict(result))
        except Exception:
            self.result = None
            raise
        self.finish()

    # --- applying entries

    def apply(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        """Log and apply an entry, and return the findings about earlier entries that it proves.

        If it raises Impossible, only the log has changed.
        """
        proven = self._apply(entry, findings)
        law = self.rules.watching_law
        if law is None:
            return proven
        law.after_entries(self)
        return proven + self.flush_notes() if self.pending_notes else proven

    def _apply(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        self.log.add(entry, findings)
        if entry.decision and not entry.has_effect:
            return self._apply_withdrawn(entry, findings) if entry.is_withdrawn else []
        taken = self.decisions.withdrawn
        if taken and len(self.log) in taken:  # the claims of a withdrawn entry are dropped
            return self._apply_withdrawn(entry, [])
        if self.conflicts:
            check_start(self, entry)
        claimed = keep_open(self, findings) if findings else False
        verb, seat = entry.type, entry.seat
        phase = self.rules.phase_of[verb.word]
        if not (verb.is_table_entry or (seat in self.seats and phase.name in self.states)):
            self._check_time(phase, entry)
        now = self._values_at(entry) if self.rules.values_at else {}
        try:
            if seat == EVERYONE:
                for each in phase.everyone(self, entry):
                    phase.apply(self, entry.with_seat(each))
            else:
                phase.apply(self, entry)
        except ValueError as error:
            raise Impossible(f"{entry.text}: {error}") from None
        if now:
            self.remembered = {**self.remembered, **now}
        if verb.is_table_entry:
            end_decided(self)
        else:
            self.acted = True
        if self.phase is not None:
            self.advance()
        if self.sides is not None and self.sides.unproven:
            self.report_proven_sides()
        noted = self.flush_notes() if self.pending_notes else []
        if self.hands is NO_HANDS or not (claimed or self.hands.has_decisions):
            return noted
        return noted + settle(self)

    def _values_at(self, entry: Entry) -> dict[str, float | None]:
        """Return the values to store for an act that is about to be applied. None means unknown."""
        words = {entry.type.word, entry.type.syntax.word_in(entry.value)}
        owner = Owner(() if entry.seat is None else (entry.seat,))
        found: dict[str, float | None] = {}
        for word in words & self.rules.values_at.keys():
            for name, value in self.rules.values_at[word]:
                try:
                    found[name] = value.value_in(self, owner)
                except NotYetKnown:
                    found[name] = None
        return found

    def _check_time(self, phase: AnyPhase, entry: Entry) -> None:
        """Raise Impossible for an act by a player who sits out, or in a phase that has not begun.

        If cards of the next phase are played, the current phase may give way first.
        """
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
        """Apply a withdrawn entry. The cards that it showed become known, unless the hands
        contradict them.

        Its open `findings` remain open, because the act happened.
        """
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
            hint = tr("look for a mistyped entry")
            raise Impossible(f"{format_quoted(entry.text)}: {error}", hint) from None
        return self.flush_notes() + (settle(self) if self.hands.has_decisions else [])

    def flush_notes(self) -> list[Finding]:
        """Attach the pending notes to the last entry, if there is one, and return the notes."""
        if not self.log.entries:
            return []
        noted, self.pending_notes = self.pending_notes, []
        self.log.attach_findings(noted)
        return noted

    # --- other states

    def at(self, number: int, withdrawn: Collection[int] = ()) -> Round:
        """Return a copy of this round as it was after `number` of its entries.

        In the copy, the entries in `withdrawn` (numbers from 1) are withdrawn.
        """
        past = self._restarted_without(withdrawn)
        for at in range(number):
            past.apply(self.log.entries[at], _open_claims(self.log, at + 1))
        return past

    def replay_without(self, withdrawn: Collection[int] = (), last: int = 0) -> None:
        """Replay the round up to the current entry without the entries in `withdrawn` (numbers from
        1).

        Cards that the withdrawn entries showed are still known. If `last` is above 0, apply the
        current entry and then entry `last`. Raises Impossible if an entry cannot be applied without
        the withdrawn ones.
        """
        now, log = len(self.log), self.log
        order = range(1, now)
        # Entry `last` has no effect at its previous position. All other entries keep their numbers.
        put_off = {last} - {0}
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
        """Return the round before its first entry. If `gathering` is true, the round waits for
        `gather`."""
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
        """Return the round as it began, to be replayed with these entries withdrawn."""
        anew = self.restarted()
        anew.decisions = self.decisions.for_replay(withdrawn)
        return anew

    def _settle_reopened(self, fresh: EntryLog, order: Sequence[int]) -> None:
        """Settle open findings that the replay has decided, and drop those of withdrawn entries."""
        for number, finding in list(self.log.all_findings()):
            if finding.claim is None or finding.verdict != OPEN or number not in order:
                continue
            current = fresh.findings.get(order.index(number) + 1, ())
            if number in self.decisions.withdrawn:
                self.log.settle(number, finding, None)
            elif finding not in current:
                later = (each for each in current if each.code == finding.code and each.refuses)
                self.log.settle(number, finding, next(later, None))


def _open_claims(log: EntryLog, number: int) -> list[Finding]:
    """Return an entry's open findings that have a claim, so that the claims can be checked
    again."""
    findings = log.findings.get(number, ())
    return [each for each in findings if each.claim is not None and each.verdict == OPEN]


def _measure_error(name: str) -> ExpressionError:
    """Return the error for a measure that is used with the wrong subject."""
    return ExpressionError(tr("“{name}” has no value here", name=name))


# --- public sides


def lone_public_seat(rnd: Round) -> int | None:
    """Return the seat that is publicly known to be alone against the others, or None."""
    parties = rnd.sides
    if parties is None:
        return None
    from scorekeeper.core.sides import lone_seat

    return lone_seat(parties, rnd.cards_seen() if parties.by_cards else ())


def opponents(rnd: Round, seat: int) -> list[int]:
    """Return the seats that are publicly known to be on the other side."""
    if rnd.sides is None:
        return [other for other in rnd.seats if other not in rnd.seating.side(seat)]
    sides = rnd.public_sides()
    own = sides.get(seat)
    return [other for other in rnd.seats if own is not None and sides.get(other, own) != own]


def cards_seen(rnd: Round) -> list[int]:
    """Return, for each seat, a mask of the cards that everyone has seen in its hand or leaving it.

    Cards count if they were played, withdrawn after being played, or stated to have been seen. A
    card that was seen twice before it was played counts as one card.
    """
    pack, log, taken = rnd.rules.pack, rnd.log, rnd.decisions.withdrawn
    seen, gone = [0] * len(rnd.names), [0] * len(rnd.names)
    last: dict[int, int] = {}  # the cards that each seat played last
    for number, entry in enumerate(log.entries, 1):
        counts, seat = entry.has_effect and number not in taken, entry.seat
        if entry.word == "takeback" and counts and seat is not None:
            gone[seat] = pack.subtract(gone[seat], last.get(seat, 0))
        if number in log.doubted:
            continue
        for owner, kinds in _cards_shown(rnd, entry):
            cards = pack.hand_of(kinds)
            now = pack.combine_capped(gone[owner], cards)
            seen[owner] |= now  # for each kind, the higher of the two counts
            if counts and not entry.type.is_table_entry:
                gone[owner], last[owner] = now, cards
    return seen


def _cards_shown(rnd: Round, entry: Entry) -> Sequence[Cards]:
    """Return the cards that an entry has shown, as pairs of a seat and the cards' kinds."""
    if entry.word == "holds":
        return (entry.value,) if entry.has_effect else ()
    laid = entry.type.measured_as == TRICK and (entry.has_effect or entry.is_withdrawn)
    return rnd.rules.hand_cards(entry) if laid else ()
