"""Who may still claim what: windows open when something was wrong, and close as people go on. Part
of remedies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.phases.remedies import telling
from scorekeeper.phases.remedies.rows import (
    ACTS,
    EVERYBODY,
    NEXT,
    NEXT_DEAL,
    OPPONENTS,
    SECOND,
    SIDE,
    SPEAKS,
    TAKEN_UP,
    TRICK,
    Remedy,
)
from scorekeeper.phases.remedies.sides import mates
from scorekeeper.phases.remedies.state import LAPSED, MOOT, Fault, State
from scorekeeper.ruleset.decisions import Window
from scorekeeper.ruleset.evidence import opponents
from scorekeeper.ruleset.phase import TRICK as LAYING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.ruleset.joint import Joint

LASTING = (ACTS, NEXT_DEAL)  # the windows that are still open when the round is over


class Windows:
    """The windows of a ruleset's remedies. `forfeits` are the verbs with which who says them may
    claim nothing any more, `errors` the codes of findings that make an entry one that must be wrong
    itself."""

    def __init__(
        self, remedies: Mapping[str, Remedy], forfeits: Iterable[str], errors: Iterable[str]
    ) -> None:
        self.remedies = remedies
        self.forfeits = frozenset(forfeits)
        self.errors = frozenset(errors)

    def look(self, rnd: Joint, state: State) -> None:
        """Look at the entries since the last time: what was wrong, and who has gone on."""
        entries, heard = rnd.entries(), rnd.decisions.heard
        wrong = rnd.wrong(state.wrongs)
        if not (wrong or heard.windows or state.open()):
            state.seen, rnd.decisions.watching = len(entries), False
            return
        state.wrongs += len(wrong)
        while state.seen < len(entries):
            state.seen += 1
            self._go_on(rnd, state, state.seen)
            if state.seen <= heard.until:
                self._hear(rnd, state, heard.windows)
            else:
                for shown, number, finding in wrong:
                    if shown == state.seen:
                        self._open(rnd, state, number, finding)
            if state.seen < len(entries) and rnd.remarks:
                rnd.note_on(state.seen)
        rnd.decisions.watching = bool(state.open())
        left = [fault for fault in state.open() if fault.claims or not fault.round]
        if rnd.over and left and not (state.provisional or rnd.ended):
            state.provisional = True
            telling.provisional(rnd, left)

    # --- opening

    def _open(self, rnd: Joint, state: State, number: int, finding: Finding) -> None:
        """Something has turned out to be wrong: open a window, if a remedy answers it."""
        remedy = self.answering(finding.code)
        if remedy is None or self._is_known(state, number, remedy) or self._is_error(rnd, number):
            return
        seat = rnd.entries()[number - 1].seat
        if seat is None or seat < 0:
            return
        if len(state.open()) >= untrusted.CLAIMABLE:
            telling.too_many(rnd, number, remedy)
            return
        self._tell(rnd, state, self.fault(rnd, remedy, number, seat, state.seen))

    def _hear(self, rnd: Joint, state: State, windows: Iterable[Window]) -> None:
        """Open what the referee has told with the entry that is looked at."""
        for shown, name, number, seat, asked in windows:
            if shown == state.seen and name in self.remedies:
                remedy = self.remedies[name]
                self._tell(rnd, state, self.fault(rnd, remedy, number, seat, shown, asked))

    def _tell(self, rnd: Joint, state: State, fault: Fault) -> None:
        """A window is open."""
        state.faults.append(fault)
        told = Window(state.seen, fault.remedy, fault.number, fault.culprit[0], fault.asked)
        rnd.decisions.windows.append(told)
        if fault.may:
            telling.opened(rnd, fault, self.remedies[fault.remedy])
        else:
            self._close(rnd, fault)

    def _is_known(self, state: State, number: int, remedy: Remedy) -> bool:
        """Whether that act is claimed already, or may be: one act is one fault, but what comes to
        light once its window has closed is another."""
        known = [each for each in state.faults if each.number == number and not each.round]
        return any(each.ended != LAPSED or each.remedy == remedy.name for each in known)

    def _is_error(self, rnd: Joint, number: int) -> bool:
        """Whether the entry itself must be wrong."""
        wrong = rnd.wrong(0)
        return rnd.is_doubted(number) or any(
            at == number and finding.code in self.errors for _, at, finding in wrong
        )

    def answering(self, code: str) -> Remedy | None:
        """The remedy for findings with that code."""
        return next((each for each in self.remedies.values() if code in each.on), None)

    def fault(
        self,
        rnd: Joint,
        remedy: Remedy,
        number: int,
        seat: int,
        opened: int,
        asked: Sequence[int] | None = None,
    ) -> Fault:
        """What was wrong with an entry, as it was when the window opened; those who are `asked` may
        claim it, where that is known."""
        if asked is None:
            then = rnd if opened >= len(rnd.entries()) else rnd.at(opened)
            asked = self.claimants(then, remedy, seat)
        text = rnd.entries()[number - 1].text
        fault = Fault(remedy.name, number, text, (seat,), opened, asked)
        if not remedy.shown:
            fault.opened = number
            for later in range(number + 1, opened + 1):
                self._gone_with(rnd, fault, remedy, later)
        return fault

    def told(self, rnd: Joint, remedy: Remedy, seat: int, number: int, text: str) -> Fault:
        """What the table tells of a seat, with that entry; who has gone on may not."""
        asked = self.claimants(rnd, remedy, seat)
        fault = Fault(remedy.name, number, text, (seat,), 0, asked, told=True)
        last = min(number - 1, len(rnd.entries()))
        for before in range(1, last + 1):
            self._gone_with(rnd, fault, remedy, before)
        if rnd.ended:
            fault.gone.update(dict.fromkeys(fault.may, last))
        return fault

    def claimants(self, rnd: Joint, remedy: Remedy, culprit: int) -> Sequence[int]:
        """Who may claim something of that seat, as things are."""
        who = remedy.who
        kind = who.first if rnd.evaluate(who.when) else who.other
        if kind == EVERYBODY:
            return rnd.seats
        if kind == NEXT:
            return [rnd.after(culprit)]
        if kind == OPPONENTS:
            return sorted(opponents(rnd, culprit))
        return [seat for seat in rnd.seats if seat != culprit]

    # --- going on

    def _go_on(self, rnd: Joint, state: State, number: int) -> None:
        """An entry has happened: windows may close by it, for some or for all."""
        entry = rnd.entries()[number - 1]
        for fault in state.open():
            remedy, before = self.remedies[fault.remedy], fault.may
            if rnd.ended or (fault.round and rnd.over):
                fault.gone.update(dict.fromkeys(before, number))
            elif rnd.void and not fault.round:
                fault.ended = MOOT
                telling.moot(rnd, fault, remedy)
                continue
            else:
                self._gone_with(rnd, fault, remedy, number)
                if entry.word in self.forfeits and entry.counts:
                    own = [seat for seat in fault.may if seat in rnd.actors(number)]
                    fault.gone.update(dict.fromkeys(own, number))
            if fault.claims or fault.may == before:
                continue
            if fault.may:
                telling.gone_on(rnd, fault, remedy, [s for s in before if s not in fault.may])
            else:
                self._close(rnd, fault)

    def _gone_with(self, rnd: Joint, fault: Fault, remedy: Remedy, number: int) -> None:
        """Note who may claim something no more after that entry."""
        entries = rnd.entries()
        entry, until = entries[number - 1], remedy.until
        acted = () if entry.verb.table else rnd.actors(number)
        if until in (ACTS, TAKEN_UP) or fault.round:
            gone = [seat for seat in fault.may if seat in acted]
        elif until == SIDE:
            gone = [seat for seat in fault.may if set(mates(rnd, seat)).intersection(acted)]
        elif until == SPEAKS:
            gone = fault.may if acted else []
        elif until == SECOND:
            laid = [each for each in entries[:number] if each.verb.about == LAYING and each.counts]
            gone = fault.may if len(laid) > 1 else []
        elif until == TRICK:
            then = rnd if number == len(entries) else rnd.at(number)
            gone = fault.may if number > fault.opened and then.to_lead() is not None else []
        else:
            gone = []
        if rnd.over and until not in LASTING and number == len(entries):
            gone = fault.may
        fault.gone.update(dict.fromkeys(gone, number))

    def _close(self, rnd: Joint, fault: Fault) -> None:
        """Nobody may claim it any more: it is settled."""
        fault.ended = LAPSED
        telling.lapsed(rnd, fault, self.remedies[fault.remedy])

    def waive(self, rnd: Joint, state: State, seats: Sequence[int], number: int) -> bool:
        """These seats (all, if none) claim nothing; whether any of them might have."""
        found = False
        for fault in state.open():
            before = fault.may
            gone = [seat for seat in before if not seats or seat in seats]
            fault.gone.update(dict.fromkeys(gone, number))
            found = found or bool(gone)
            if gone and not fault.claims:
                if fault.may:
                    telling.gone_on(rnd, fault, self.remedies[fault.remedy], gone, waived=True)
                else:
                    self._close(rnd, fault)
        return found
