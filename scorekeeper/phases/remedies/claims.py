"""The windows in which faults may be claimed (`Windows`), and the handling of claims (`Claims`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NotYetKnown
from scorekeeper.core.messages import join_list, tr
from scorekeeper.engine.phase import TRICK as LAYING
from scorekeeper.engine.round import opponents
from scorekeeper.engine.state import VOID, Effects, Window
from scorekeeper.phases.remedies import view
from scorekeeper.phases.remedies.decisions import ChoiceEffects, DecisionPending
from scorekeeper.phases.remedies.state import (
    ACTS,
    CLAIMANT,
    DECIDED,
    EVERYBODY,
    JUDGE,
    LAPSED,
    LAW,
    MOOT,
    NEXT,
    NEXT_DEAL,
    OPPONENTS,
    SECOND,
    SIDE,
    SPEAKS,
    TAKEN_UP,
    TRICK,
    Consequence,
    Fault,
    Remedy,
    State,
    mates,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.engine.phase import Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.remedies.decisions import DecisionExecutor
    from scorekeeper.phases.remedies.state import RemedyClaim

OUTLASTING = (ACTS, NEXT_DEAL)  # windows that remain open after the round


class Windows:
    """The windows in which a ruleset's remedies may be claimed.

    `effects` contains the verbs by which a player loses all claims, and determines whether a fault
    has lapsed. A finding with a code in `errors` means that the entry itself is wrong, so that no
    player can be blamed.
    """

    def __init__(
        self, remedies: Mapping[str, Remedy], effects: ChoiceEffects, errors: Iterable[str]
    ) -> None:
        self.remedies = remedies
        self.effects = effects
        self.forfeits = effects.forfeits
        self.errors = frozenset(errors)

    def update(self, rnd: Round, state: State) -> None:
        """Examine the entries since the last call. Open windows for faults, and close windows for
        players who have played on."""
        entries, heard = rnd.log.entries, rnd.decisions.heard
        wrong = rnd.log.refused[state.findings_seen :]
        if not (wrong or heard.windows or state.open_faults()):
            state.entries_seen, rnd.decisions.watching = len(entries), False
            return
        state.findings_seen += len(wrong)
        while state.entries_seen < len(entries):
            state.entries_seen += 1
            self._close_windows(rnd, state, state.entries_seen)
            if state.entries_seen <= heard.until:
                self._open_announced(rnd, state, heard.windows)
            else:
                for shown, number, finding in wrong:
                    if shown == state.entries_seen:
                        self._open_window(rnd, state, number, finding)
            if state.entries_seen < len(entries) and rnd.pending_notes:
                rnd.attach_notes(state.entries_seen)
        rnd.decisions.watching = bool(state.open_faults())
        left = [fault for fault in state.open_faults() if fault.claimed_by or not fault.round]
        if rnd.over and left and not (state.is_provisional or rnd.ended):
            state.is_provisional = True
            view.remark_provisional(rnd, left)

    # --- opening windows

    def _open_window(self, rnd: Round, state: State, number: int, finding: Finding) -> None:
        """Open a window for a finding, if a remedy applies to it."""
        remedy = self.remedy_for(finding.code)
        if remedy is None or self._is_known(state, number, remedy) or self._is_error(rnd, number):
            return
        seat = rnd.log.entries[number - 1].seat
        if seat is None or seat < 0:
            return
        if len(state.open_faults()) >= untrusted.MAX_CLAIMABLE:
            view.remark_too_many(rnd, number, remedy)
            return
        self._add_fault(rnd, state, self.make_fault(rnd, remedy, number, seat, state.entries_seen))

    def _open_announced(self, rnd: Round, state: State, windows: Iterable[Window]) -> None:
        """Open the given windows that belong to the current entry."""
        for shown, name, number, seat, asked in windows:
            if shown == state.entries_seen and name in self.remedies:
                remedy = self.remedies[name]
                self._add_fault(
                    rnd, state, self.make_fault(rnd, remedy, number, seat, shown, asked)
                )

    def _add_fault(self, rnd: Round, state: State, fault: Fault) -> None:
        """Add a fault, open its window, and add a note about it."""
        state.faults.append(fault)
        window = Window(
            state.entries_seen, fault.remedy, fault.number, fault.culprit[0], fault.entitled
        )
        rnd.decisions.windows.append(window)
        if self.effects.has_lapsed(rnd, fault):
            fault.lapse(state.entries_seen)
        if fault.claimants:
            view.remark_opened(rnd, fault, self.remedies[fault.remedy])
        else:
            self._lapse(rnd, fault)

    def _is_known(self, state: State, number: int, remedy: Remedy) -> bool:
        """Return whether a fault in that entry is already recorded. A lapsed fault is considered
        only if it has the same remedy."""
        known = [each for each in state.faults if each.number == number and not each.round]
        return any(each.ended != LAPSED or each.remedy == remedy.name for each in known)

    def _is_error(self, rnd: Round, number: int) -> bool:
        """Return whether an entry must be a recording error, rather than a fault of the player."""
        wrong = rnd.log.refused
        return number in rnd.log.doubted or any(
            at == number and finding.code in self.errors for _, at, finding in wrong
        )

    def remedy_for(self, code: str) -> Remedy | None:
        """Return the remedy for findings with that code, or None."""
        return next((each for each in self.remedies.values() if code in each.on), None)

    def make_fault(
        self,
        rnd: Round,
        remedy: Remedy,
        number: int,
        seat: int,
        opened: int,
        asked: Sequence[int] | None = None,
    ) -> Fault:
        """Return the fault that an entry shows. `asked` are the seats that may claim it. If it
        is None, use the seats that could claim it when entry `opened` opened its window."""
        if asked is None:
            then = rnd if opened >= len(rnd.log.entries) else rnd.at(opened)
            asked = self.claimants(then, remedy, seat)
        text = rnd.log.entries[number - 1].text
        fault = Fault(remedy.name, number, text, (seat,), opened, asked)
        if not remedy.opens_when_shown:
            fault.opened_at = number
            for later in range(number + 1, opened + 1):
                self._close_after(rnd, fault, remedy, later)
        return fault

    def make_reported_fault(
        self, rnd: Round, remedy: Remedy, seat: int, number: int, text: str
    ) -> Fault:
        """Return the fault that the table reports in an entry. Players whose window has closed may
        not claim it."""
        asked = self.claimants(rnd, remedy, seat)
        fault = Fault(remedy.name, number, text, (seat,), 0, asked, told=True)
        last = min(number - 1, len(rnd.log.entries))
        for before in range(1, last + 1):
            self._close_after(rnd, fault, remedy, before)
        if rnd.ended:
            fault.closed_for.update(dict.fromkeys(fault.claimants, last))
        return fault

    def claimants(self, rnd: Round, remedy: Remedy, culprit: int) -> Sequence[int]:
        """Return the seats that may now claim a fault of the culprit."""
        who = remedy.who
        kind = who.first if rnd.evaluate(who.when) else who.other
        if kind == EVERYBODY:
            return rnd.seats
        if kind == NEXT:
            return [rnd.seating.next_seat(culprit)]
        if kind == OPPONENTS:
            return sorted(opponents(rnd, culprit))
        return [seat for seat in rnd.seats if seat != culprit]

    # --- closing windows

    def _close_windows(self, rnd: Round, state: State, number: int) -> None:
        """Close each window that an entry ends, for all seats or only for some."""
        entry = rnd.log.entries[number - 1]
        for fault in state.open_faults():
            remedy, before = self.remedies[fault.remedy], fault.claimants
            if rnd.ended or (fault.round and rnd.over):
                fault.closed_for.update(dict.fromkeys(before, number))
            elif rnd.void and not fault.round:
                fault.ended = MOOT
                view.remark_moot(rnd, fault, remedy)
                continue
            else:
                self._close_after(rnd, fault, remedy, number)
                if entry.word in self.forfeits and entry.has_effect:
                    own = [seat for seat in fault.claimants if seat in rnd.acting_seats(number)]
                    fault.closed_for.update(dict.fromkeys(own, number))
                if number == len(rnd.log.entries) and self.effects.has_lapsed(rnd, fault):
                    fault.lapse(number)
            if fault.claimed_by or fault.claimants == before:
                continue
            if fault.claimants:
                view.remark_gone_on(
                    rnd, fault, remedy, [s for s in before if s not in fault.claimants]
                )
            else:
                self._lapse(rnd, fault)

    def _close_after(self, rnd: Round, fault: Fault, remedy: Remedy, number: int) -> None:
        """Record the seats that may no longer claim a fault after an entry."""
        entries = rnd.log.entries
        entry, until = entries[number - 1], remedy.until
        acted = () if entry.type.is_table_entry else rnd.acting_seats(number)
        if until in (ACTS, TAKEN_UP) or fault.round:
            seats = [seat for seat in fault.claimants if seat in acted]
        elif until == SIDE:
            seats = [seat for seat in fault.claimants if set(mates(rnd, seat)).intersection(acted)]
        elif until == SPEAKS:
            seats = fault.claimants if acted else []
        elif until == SECOND:
            laid = [
                each
                for each in entries[:number]
                if each.type.measured_as == LAYING and each.has_effect
            ]
            seats = fault.claimants if len(laid) > 1 else []
        elif until == TRICK:
            then = rnd if number == len(entries) else rnd.at(number)
            play = then.rules.card_play
            led = play is not None and play.seat_to_lead(then) is not None
            seats = fault.claimants if led and number > fault.opened_at else []
        else:
            seats = []
        if rnd.over and until not in OUTLASTING and number == len(entries):
            seats = fault.claimants
        fault.closed_for.update(dict.fromkeys(seats, number))

    def _lapse(self, rnd: Round, fault: Fault) -> None:
        """Mark a fault as lapsed because no player may claim it any more."""
        fault.ended = LAPSED
        view.remark_lapsed(rnd, fault, self.remedies[fault.remedy])

    def waive(self, rnd: Round, state: State, seats: Sequence[int], number: int) -> bool:
        """Waive the claims of these seats, or of all seats if none are given. Return whether there
        were any claims to waive."""
        has_waived = False
        for fault in state.open_faults():
            before = fault.claimants
            waiving = [seat for seat in before if not seats or seat in seats]
            fault.closed_for.update(dict.fromkeys(waiving, number))
            has_waived = has_waived or bool(waiving)
            if waiving and not fault.claimed_by:
                if fault.claimants:
                    view.remark_gone_on(
                        rnd, fault, self.remedies[fault.remedy], waiving, waived=True
                    )
                else:
                    self._lapse(rnd, fault)
        return has_waived


class Claims:
    """The handling of claims. `phase` holds the state, and `reportable` the rows of faults that the
    table may report."""

    def __init__(
        self,
        phase: Phase[State],
        remedies: Mapping[str, Remedy],
        told: Sequence[str],
        windows: Windows,
        deciding: ChoiceEffects,
        carrying: DecisionExecutor,
    ) -> None:
        self.phase = phase
        self.remedies = remedies
        self.reportable = told
        self.windows = windows
        self.choice_effects = deciding
        self.executor = carrying

    def claim(self, rnd: Round, seat: int, claim: RemedyClaim) -> None:
        state, number = rnd.state(self.phase), len(rnd.log.entries)
        fault = self.fault_of(rnd, seat, claim, number)
        if fault.ended == DECIDED:
            raise Impossible(
                tr(
                    "{act} has already been decided: {weight}",
                    act=fault.act_text,
                    weight=rnd.rules.translate_word(fault.weight),
                ),
                tr("undo or amend the decision"),
            )
        if fault not in state.faults:
            if len(state.open_faults()) >= untrusted.MAX_CLAIMABLE:
                message = tr(
                    "{count} claims are open in this round, and no more are possible",
                    count=untrusted.MAX_CLAIMABLE,
                )
                raise Impossible(
                    message, tr("enter a decision with “weigh” first, or enter “waive all”")
                )
            state.faults.append(fault)
        fault.ended = ""
        if seat not in fault.claimed_by:
            fault.claimed_by.append(seat)
        if claim.points:
            fault.points = claim.points
            self._check_points(fault, *self.choices(rnd, fault).values())
        self._decide_or_wait(rnd, state, fault, claim.weight)

    def fault_of(self, rnd: Round, seat: int, claim: RemedyClaim, number: int) -> Fault:
        """Return the fault that a claim refers to; `number` is the number of the claim's entry.

        The fault may be known already, merely possible, or reported in the claim. Raises Impossible
        if the entry contains no fault.
        """
        if claim.at is None:
            text = f"{rnd.rules.lexicon.write_word(claim.told)} {rnd.names[claim.of]}"
            return self.windows.make_reported_fault(
                rnd, self.remedies[claim.told], claim.of, number, text
            )
        at, entries = claim.at, rnd.log.entries
        earlier = at.round if at.round != rnd.number else 0
        fault = rnd.state(self.phase).find_fault(at.number, earlier)
        if fault is not None:
            return fault
        if earlier or at.number >= number:
            message = tr("this round has no entry {number} that anyone may claim", number=at.text)
            raise Impossible(message, self._hint_earlier_round(rnd, seat, claim))
        act = entries[at.number - 1]
        if rnd.void:
            raise Impossible(
                tr("the round is void, so a claim has no effect"), "penalty NAME: -1 WHY"
            )
        for finding in rnd.open_findings(at.number):
            answer = self.windows.remedy_for(finding.code)
            blamed = at.number in finding.facts.get("entries", (at.number,))
            if answer is None or act.seat is None or not blamed:
                continue
            if answer.choice != JUDGE:
                message = tr(
                    "no fault is proven in entry {number} ({text}) yet",
                    number=at.text,
                    text=act.text,
                )
                raise Impossible(message, tr("claim it once it is proven"))
            return self.windows.make_fault(rnd, answer, at.number, act.seat, len(entries))
        raise Impossible(
            tr("no fault is known in entry {number} ({text})", number=at.text, text=act.text),
            self._hint_reporting(rnd, seat),
        )

    def _hint_earlier_round(self, rnd: Round, seat: int, claim: RemedyClaim) -> str:
        """Return a hint that names the entry with the same number in the previous round, if that
        entry contains a fault. Otherwise, return a hint on how to see the numbers of entries."""
        at, before = claim.at, rnd.number - 1
        if (
            at is not None
            and before
            and rnd.state(self.phase).find_fault(at.number, before) is not None
        ):
            return f"claim {rnd.names[seat]}: {before}.{at.number} {claim.weight}".rstrip()
        return tr("enter “status --log” to see the numbers of the entries")

    def _hint_reporting(self, rnd: Round, seat: int) -> str:
        """Return a hint on how to report a fault that the referee cannot see."""
        if not self.reportable:
            return ""
        translate = rnd.rules.translate_word
        return tr(
            "to report a fault that the entries do not show: {form}",
            form=f"{translate('claim')} {rnd.names[seat]}: {translate(self.reportable[-1])} NAME",
        )

    def weigh(self, rnd: Round, claim: RemedyClaim) -> None:
        state, at = rnd.state(self.phase), claim.at
        assert at is not None
        fault = state.find_fault(at.number, at.round if at.round != rnd.number else 0)
        if fault is None or not fault.is_waiting:
            done = fault is not None and fault.ended == DECIDED
            if done:
                raise Impossible(
                    tr("entry {number} has already been decided", number=at.text),
                    tr("undo or amend the decision"),
                )
            form = f"claim NAME: {at.text} {rnd.rules.translate_word(claim.weight)}"
            raise Impossible(tr("entry {number} has not been claimed", number=at.text), form)
        self._decide_or_wait(rnd, state, fault, claim.weight)

    def _decide_or_wait(self, rnd: Round, state: State, fault: Fault, weight: str) -> None:
        """Decide a claimed fault if the choice has been made. Otherwise add a note about what is
        missing."""
        words, remedy = self.words_for(rnd, fault), self.remedies[fault.remedy]
        if not words:
            raise Impossible(tr("under the rules, {act} has no consequence", act=fault.act_text))
        spoken = rnd.rules.translate_word
        names = join_list(list(map(spoken, words)), "or")
        if weight and weight not in words:
            raise Impossible(
                tr(
                    "{weight} cannot be chosen here; the choices are {names}",
                    weight=spoken(weight),
                    names=names,
                )
            )
        if not weight and len(words) == 1:
            weight = words[0]
        if not weight and remedy.choice == CLAIMANT:
            raise Impossible(
                tr("the claiming player must choose the consequence ({names})", names=names),
                tr("add one of them to the claim"),
            )
        if not weight:
            view.remark_claimed(rnd, fault, remedy, words, state.waiting_faults()[0])
        elif fault.round:
            self._decide_earlier(rnd, fault, weight)
        else:
            self._decide(rnd, state, fault, weight)

    def words_for(self, rnd: Round, fault: Fault) -> list[str]:
        """Return the words of the choices. If the law chooses, return only the first word that
        applies. Raises Impossible while the words are unknown."""
        words = list(fault.standings) if fault.round else list(self.choices(rnd, fault))
        return words[:1] if self.remedies[fault.remedy].choice == LAW else words

    def choices(self, rnd: Round, fault: Fault) -> dict[str, Consequence]:
        """Return the possible consequences of a fault, keyed by their words. Raises Impossible
        while the consequences are unknown."""
        try:
            return self.choice_effects.choices(rnd, fault)
        except NotYetKnown as error:
            raise Impossible(
                tr(
                    "the consequence is not yet known: {what}",
                    what=error.message,
                )
            ) from None

    def _decide(self, rnd: Round, state: State, fault: Fault, weight: str) -> None:
        """Carry out the consequence. If it depends on something unknown, leave the fault open."""
        remedy = self.remedies[fault.remedy]
        try:
            row = self.choice_effects.choose(rnd, fault, weight)
            self._check_points(fault, row)
            effects = self.choice_effects.find_effects(rnd, fault, row)
        except DecisionPending as failure:
            view.remark_pending(rnd, fault, remedy, weight, failure)
            return
        fault.weight, fault.ended, fault.decided_by = weight, DECIDED, len(rnd.log.entries)
        fault.decision_cite = row.cite or remedy.cite
        rnd.decisions.effects[fault.decided_by] = effects
        late = rnd.over and (effects.ends or effects.transfer)
        if late or not effects.withdrawn <= rnd.decisions.withdrawn:
            rnd.replay_without(effects.withdrawn)
        self.executor.carry_out(rnd, effects)
        view.remark_decided(
            rnd, fault, remedy, self.choice_effects.describe_decision(rnd, row, effects)
        )
        if effects.ends and effects.outcome == VOID:
            for other in state.open_faults():
                if not other.round:
                    other.ended = MOOT
                    view.remark_moot(rnd, other, self.remedies[other.remedy])

    def _check_points(self, fault: Fault, *rows: Consequence) -> None:
        """Raise Impossible if the claim deducts more points than any of these consequences
        allows."""
        off = max((row.off for row in rows), default=0)
        if -fault.points > off:
            most = (
                tr("at most {off} may be deducted", off=off)
                if off
                else tr("no points may be deducted here")
            )
            words = [self.choice_effects.rules.translate_word(row.word) for row in rows]
            raise Impossible(f"{join_list(words, 'or')}: {most}")

    def _decide_earlier(self, rnd: Round, fault: Fault, weight: str) -> None:
        """Decide a fault of the previous round, and charge the resulting points in this round. If
        the decision changes how this round would have begun, this round is void."""
        instead, before, remedy = (
            fault.standings[weight],
            rnd.seating.standing,
            self.remedies[fault.remedy],
        )
        fault.weight, fault.ended, fault.decided_by = weight, DECIDED, len(rnd.log.entries)
        fault.decision_cite = remedy.cite
        thrown_in = self._start_of(instead) != self._start_of(before)
        if thrown_in and rnd.over and not rnd.void:
            message = tr(
                "with this decision, round {number} would have begun differently, but it is "
                "already finished",
                number=rnd.number,
            )
            last = f"amend {fault.round}.LAST --before weigh {fault.number} {weight}"
            raise Impossible(
                message,
                tr(
                    "undo the entry that ended this round, or enter the decision at the end "
                    "of round {round}: {command}",
                    round=fault.round,
                    command=last,
                ),
            )
        by_seat = enumerate(zip(before["tally"], instead["tally"], strict=True))
        effects = Effects(
            charges=tuple(
                (remedy.code, rnd.seating.sharing_seats(seat), then - now, remedy.cite)
                for seat, (now, then) in by_seat
                if then != now and seat == rnd.seating.sharing_seats(seat)[0]
            ),
            ends=thrown_in,
            outcome=VOID,
            corrected_standing=instead,
        )
        rnd.decisions.effects[fault.decided_by] = effects
        self.executor.carry_out(rnd, effects)
        view.remark_earlier(rnd, fault, remedy, thrown_in)

    # --- from one round to the next

    def left_open(self, rnd: Round) -> list[Json]:
        if rnd.ended or rnd.void:
            return []
        return [
            {
                "remedy": fault.remedy,
                "number": fault.number,
                "text": fault.text,
                "culprit": list(fault.culprit),
                "asked": list(fault.entitled),
                "may": fault.claimants,
                "claims": list(fault.claimed_by),
                "words": self.words_or_none(rnd, fault),
            }
            for fault in rnd.state(self.phase).open_faults()
            if not fault.round
            and (fault.claimed_by or self.remedies[fault.remedy].until in OUTLASTING)
        ]

    def words_or_none(self, rnd: Round, fault: Fault) -> list[str]:
        try:
            return self.words_for(rnd, fault)
        except Impossible:
            return []

    def restore_fault(self, rnd: Round, left: Json) -> Fault:
        """Return a fault of the previous round that is still open."""
        asked = left["asked"]
        fault = Fault(left["remedy"], left["number"], left["text"], left["culprit"], 0, asked)
        fault.closed_for = dict.fromkeys((seat for seat in asked if seat not in left["may"]), 0)
        fault.claimed_by = list(left["claims"])
        fault.round, fault.standings = rnd.number - 1, left["choices"]
        fault.voiding_words = tuple(left.get("voids", ()))
        return fault

    def _start_of(self, standing: Standing) -> Json:
        """Return the dealer, the leader and the carried-over values with which a round begins. The
        values of this phase are left out."""
        carried = standing["carry"].items()
        carry = {name: value for name, value in carried if name != self.phase.name}
        return {"dealer": standing["dealer"], "leader": standing["leader"], "carry": carry}
