"""Who may claim what until when (`Windows`), and what becomes of it when they do (`Claims`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.messages import listed, tr
from scorekeeper.engine.phase import TRICK as LAYING
from scorekeeper.engine.round import opponents
from scorekeeper.engine.state import VOID, Effects, Window
from scorekeeper.phases.remedies import view
from scorekeeper.phases.remedies.decisions import Deciding, Hanging
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
    from scorekeeper.phases.remedies.decisions import Carrying
    from scorekeeper.phases.remedies.state import Claim

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

    def look(self, rnd: Round, state: State) -> None:
        """Look at the entries since the last time: what was wrong, and who has gone on."""
        entries, heard = rnd.log.entries, rnd.decisions.heard
        wrong = rnd.log.wrong[state.wrongs :]
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
            view.provisional(rnd, left)

    # --- opening

    def _open(self, rnd: Round, state: State, number: int, finding: Finding) -> None:
        """Something has turned out to be wrong: open a window, if a remedy answers it."""
        remedy = self.answering(finding.code)
        if remedy is None or self._is_known(state, number, remedy) or self._is_error(rnd, number):
            return
        seat = rnd.log.entries[number - 1].seat
        if seat is None or seat < 0:
            return
        if len(state.open()) >= untrusted.CLAIMABLE:
            view.too_many(rnd, number, remedy)
            return
        self._tell(rnd, state, self.fault(rnd, remedy, number, seat, state.seen))

    def _hear(self, rnd: Round, state: State, windows: Iterable[Window]) -> None:
        """Open what the referee has told with the entry that is looked at."""
        for shown, name, number, seat, asked in windows:
            if shown == state.seen and name in self.remedies:
                remedy = self.remedies[name]
                self._tell(rnd, state, self.fault(rnd, remedy, number, seat, shown, asked))

    def _tell(self, rnd: Round, state: State, fault: Fault) -> None:
        """A window is open."""
        state.faults.append(fault)
        told = Window(state.seen, fault.remedy, fault.number, fault.culprit[0], fault.asked)
        rnd.decisions.windows.append(told)
        if fault.may:
            view.opened(rnd, fault, self.remedies[fault.remedy])
        else:
            self._close(rnd, fault)

    def _is_known(self, state: State, number: int, remedy: Remedy) -> bool:
        """Whether that act is claimed already, or may be: one act is one fault, but what comes to
        light once its window has closed is another."""
        known = [each for each in state.faults if each.number == number and not each.round]
        return any(each.ended != LAPSED or each.remedy == remedy.name for each in known)

    def _is_error(self, rnd: Round, number: int) -> bool:
        """Whether the entry itself must be wrong."""
        wrong = rnd.log.wrong
        return number in rnd.log.doubted or any(
            at == number and finding.code in self.errors for _, at, finding in wrong
        )

    def answering(self, code: str) -> Remedy | None:
        """The remedy for findings with that code."""
        return next((each for each in self.remedies.values() if code in each.on), None)

    def fault(
        self,
        rnd: Round,
        remedy: Remedy,
        number: int,
        seat: int,
        opened: int,
        asked: Sequence[int] | None = None,
    ) -> Fault:
        """What was wrong with an entry, as it was when the window opened; those who are `asked` may
        claim it, where that is known."""
        if asked is None:
            then = rnd if opened >= len(rnd.log.entries) else rnd.at(opened)
            asked = self.claimants(then, remedy, seat)
        text = rnd.log.entries[number - 1].text
        fault = Fault(remedy.name, number, text, (seat,), opened, asked)
        if not remedy.shown:
            fault.opened = number
            for later in range(number + 1, opened + 1):
                self._gone_with(rnd, fault, remedy, later)
        return fault

    def told(self, rnd: Round, remedy: Remedy, seat: int, number: int, text: str) -> Fault:
        """What the table tells of a seat, with that entry; who has gone on may not."""
        asked = self.claimants(rnd, remedy, seat)
        fault = Fault(remedy.name, number, text, (seat,), 0, asked, told=True)
        last = min(number - 1, len(rnd.log.entries))
        for before in range(1, last + 1):
            self._gone_with(rnd, fault, remedy, before)
        if rnd.ended:
            fault.gone.update(dict.fromkeys(fault.may, last))
        return fault

    def claimants(self, rnd: Round, remedy: Remedy, culprit: int) -> Sequence[int]:
        """Who may claim something of that seat, as things are."""
        who = remedy.who
        kind = who.first if rnd.evaluate(who.when) else who.other
        if kind == EVERYBODY:
            return rnd.seats
        if kind == NEXT:
            return [rnd.seating.after(culprit)]
        if kind == OPPONENTS:
            return sorted(opponents(rnd, culprit))
        return [seat for seat in rnd.seats if seat != culprit]

    # --- going on

    def _go_on(self, rnd: Round, state: State, number: int) -> None:
        """An entry has happened: windows may close by it, for some or for all."""
        entry = rnd.log.entries[number - 1]
        for fault in state.open():
            remedy, before = self.remedies[fault.remedy], fault.may
            if rnd.ended or (fault.round and rnd.over):
                fault.gone.update(dict.fromkeys(before, number))
            elif rnd.void and not fault.round:
                fault.ended = MOOT
                view.moot(rnd, fault, remedy)
                continue
            else:
                self._gone_with(rnd, fault, remedy, number)
                if entry.word in self.forfeits and entry.counts:
                    own = [seat for seat in fault.may if seat in rnd.actors(number)]
                    fault.gone.update(dict.fromkeys(own, number))
            if fault.claims or fault.may == before:
                continue
            if fault.may:
                view.gone_on(rnd, fault, remedy, [s for s in before if s not in fault.may])
            else:
                self._close(rnd, fault)

    def _gone_with(self, rnd: Round, fault: Fault, remedy: Remedy, number: int) -> None:
        """Note who may claim something no more after that entry."""
        entries = rnd.log.entries
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
            play = then.rules.card_play
            led = play is not None and play.to_lead(then) is not None
            gone = fault.may if led and number > fault.opened else []
        else:
            gone = []
        if rnd.over and until not in LASTING and number == len(entries):
            gone = fault.may
        fault.gone.update(dict.fromkeys(gone, number))

    def _close(self, rnd: Round, fault: Fault) -> None:
        """Nobody may claim it any more: it is settled."""
        fault.ended = LAPSED
        view.lapsed(rnd, fault, self.remedies[fault.remedy])

    def waive(self, rnd: Round, state: State, seats: Sequence[int], number: int) -> bool:
        """These seats (all, if none) claim nothing; whether any of them might have."""
        found = False
        for fault in state.open():
            before = fault.may
            gone = [seat for seat in before if not seats or seat in seats]
            fault.gone.update(dict.fromkeys(gone, number))
            found = found or bool(gone)
            if gone and not fault.claims:
                if fault.may:
                    view.gone_on(rnd, fault, self.remedies[fault.remedy], gone, waived=True)
                else:
                    self._close(rnd, fault)
        return found


class Claims:
    """What becomes of claims. `phase` is whose state is asked, `told` are the rows of [remedies]
    that the table tells of."""

    def __init__(
        self,
        phase: Phase[State],
        remedies: Mapping[str, Remedy],
        told: Sequence[str],
        windows: Windows,
        deciding: Deciding,
        carrying: Carrying,
    ) -> None:
        self.phase = phase
        self.remedies = remedies
        self.told = told
        self.windows = windows
        self.deciding = deciding
        self.carrying = carrying

    def claim(self, rnd: Round, seat: int, claim: Claim) -> None:
        state, number = rnd.state(self.phase), len(rnd.log.entries)
        fault = self.fault_of(rnd, seat, claim, number)
        if fault.ended == DECIDED:
            raise Impossible(
                tr(
                    "{act} is decided: {weight}",
                    act=fault.act,
                    weight=rnd.rules.spoken(fault.weight),
                ),
                tr("undo, or amend"),
            )
        if fault not in state.faults:
            if len(state.open()) >= untrusted.CLAIMABLE:
                say = tr(
                    "{count} are open in this round, and no more may be claimed",
                    count=untrusted.CLAIMABLE,
                )
                raise Impossible(say, tr("weigh one of them first, or: waive all"))
            state.faults.append(fault)
        fault.ended = ""
        if seat not in fault.claims:
            fault.claims.append(seat)
        if claim.points:
            fault.points = claim.points
            self._check_points(fault, *self.choices(rnd, fault).values())
        self._decide_or_wait(rnd, state, fault, claim.weight)

    def fault_of(self, rnd: Round, seat: int, claim: Claim, number: int) -> Fault:
        """What a claim, the entry of that number, is about: what is known to have been wrong, what
        may have been, or what is told. Raises Impossible where nothing is known against an
        entry."""
        if claim.at is None:
            text = f"{rnd.rules.lexicon.form(claim.told)} {rnd.names[claim.of]}"
            return self.windows.told(rnd, self.remedies[claim.told], claim.of, number, text)
        at, entries = claim.at, rnd.log.entries
        earlier = at.round if at.round != rnd.number else 0
        found = rnd.state(self.phase).at(at.number, earlier)
        if found is not None:
            return found
        if earlier or at.number >= number:
            say = tr("there is no entry {number} that may be claimed in this round", number=at.text)
            raise Impossible(say, self._other_round(rnd, seat, claim))
        act = entries[at.number - 1]
        if rnd.void:
            raise Impossible(
                tr("the round is void, and nothing follows any more"), "penalty NAME: -1 WHY"
            )
        for finding in rnd.open_on(at.number):
            answer = self.windows.answering(finding.code)
            blamed = at.number in finding.facts.get("entries", (at.number,))
            if answer is None or act.seat is None or not blamed:
                continue
            if answer.choice != JUDGE:
                say = tr(
                    "nothing is proven against {number} ({text}) yet",
                    number=at.text,
                    text=act.text,
                )
                raise Impossible(say, tr("claim it once it is proven"))
            return self.windows.fault(rnd, answer, at.number, act.seat, len(entries))
        raise Impossible(
            tr("nothing is known against {number} ({text})", number=at.text, text=act.text),
            self._hint(rnd, seat),
        )

    def _other_round(self, rnd: Round, seat: int, claim: Claim) -> str:
        """The entry of the round before that may be meant."""
        at, before = claim.at, rnd.number - 1
        if at is not None and before and rnd.state(self.phase).at(at.number, before) is not None:
            return f"claim {rnd.names[seat]}: {before}.{at.number} {claim.weight}".rstrip()
        return tr("status --log numbers them")

    def _hint(self, rnd: Round, seat: int) -> str:
        """How to claim what the referee cannot see."""
        if not self.told:
            return ""
        say = rnd.rules.spoken
        return tr(
            "what nobody can see is told: {form}",
            form=f"{say('claim')} {rnd.names[seat]}: {say(self.told[-1])} NAME",
        )

    def weigh(self, rnd: Round, claim: Claim) -> None:
        state, at = rnd.state(self.phase), claim.at
        assert at is not None
        fault = state.at(at.number, at.round if at.round != rnd.number else 0)
        if fault is None or not fault.waits:
            done = fault is not None and fault.ended == DECIDED
            if done:
                raise Impossible(tr("{number} is decided", number=at.text), tr("undo, or amend"))
            form = f"claim NAME: {at.text} {rnd.rules.spoken(claim.weight)}"
            raise Impossible(tr("{number} is not claimed", number=at.text), form)
        self._decide_or_wait(rnd, state, fault, claim.weight)

    def _decide_or_wait(self, rnd: Round, state: State, fault: Fault, weight: str) -> None:
        """Decide what is claimed, if the choice is made; else say what it waits for."""
        words, remedy = self.words_for(rnd, fault), self.remedies[fault.remedy]
        if not words:
            raise Impossible(tr("nothing may follow of {act} by the rules", act=fault.act))
        spoken = rnd.rules.spoken
        names = listed(list(map(spoken, words)), "or")
        if weight and weight not in words:
            raise Impossible(
                tr("{weight} is no choice here: {names}", weight=spoken(weight), names=names)
            )
        if not weight and len(words) == 1:
            weight = words[0]
        if not weight and remedy.choice == CLAIMANT:
            raise Impossible(
                tr("who claims chooses what follows: {names}", names=names),
                tr("say it with the claim"),
            )
        if not weight:
            view.claimed(rnd, fault, remedy, words, state.waiting()[0])
        elif fault.round:
            self._decide_earlier(rnd, fault, weight)
        else:
            self._decide(rnd, state, fault, weight)

    def words_for(self, rnd: Round, fault: Fault) -> list[str]:
        """What may be chosen; by the law, the first that applies. Raises Impossible while nobody
        knows."""
        words = list(fault.instead) if fault.round else list(self.choices(rnd, fault))
        return words[:1] if self.remedies[fault.remedy].choice == LAW else words

    def choices(self, rnd: Round, fault: Fault) -> dict[str, Consequence]:
        """What may follow of a fault, by its word. Raises Impossible while nobody knows."""
        try:
            return self.deciding.choices(rnd, fault)
        except NotSeen as error:
            raise Impossible(tr("what follows hangs on it: {what}", what=error.message)) from None

    def _decide(self, rnd: Round, state: State, fault: Fault, weight: str) -> None:
        """What follows is done; where that hangs on what nobody knows yet, it is to be weighed
        again."""
        remedy = self.remedies[fault.remedy]
        try:
            row = self.deciding.chosen(rnd, fault, weight)
            self._check_points(fault, row)
            effects = self.deciding.effects(rnd, fault, row)
        except Hanging as failure:
            view.hanging(rnd, fault, remedy, weight, failure)
            return
        fault.weight, fault.ended, fault.by = weight, DECIDED, len(rnd.log.entries)
        fault.cited = row.cite or remedy.cite
        rnd.decisions.effects[fault.by] = effects
        late = rnd.over and (effects.ends or effects.moved)
        if late or not effects.taken <= rnd.decisions.taken:
            rnd.retake(effects.taken)
        self.carrying.carry_out(rnd, effects)
        view.decided(rnd, fault, remedy, self.deciding.told(rnd, row, effects))
        if effects.ends and effects.outcome == VOID:
            for other in state.open():
                if not other.round:
                    other.ended = MOOT
                    view.moot(rnd, other, self.remedies[other.remedy])

    def _check_points(self, fault: Fault, *rows: Consequence) -> None:
        """Raise Impossible for points that none of these consequences takes off."""
        off = max((row.off for row in rows), default=0)
        if -fault.points > off:
            most = (
                tr("at most {off} may be taken off", off=off)
                if off
                else tr("no points are said here")
            )
            words = [self.deciding.rules.spoken(row.word) for row in rows]
            raise Impossible(f"{listed(words, 'or')}: {most}")

    def _decide_earlier(self, rnd: Round, fault: Fault, weight: str) -> None:
        """Something of the round before is decided: what it changes is booked here, and where this
        round would not have begun so, it is thrown in."""
        instead, before, remedy = (
            fault.instead[weight],
            rnd.seating.before,
            self.remedies[fault.remedy],
        )
        fault.weight, fault.ended, fault.by = weight, DECIDED, len(rnd.log.entries)
        fault.cited = remedy.cite
        thrown_in = self._begun(instead) != self._begun(before)
        if thrown_in and rnd.over and not rnd.void:
            say = tr(
                "by that round {number} would not have begun as it did, and it is over",
                number=rnd.number,
            )
            last = f"amend {fault.round}.LAST --before weigh {fault.number} {weight}"
            raise Impossible(
                say,
                tr(
                    "undo it, or say that at the end of round {round}: {command}",
                    round=fault.round,
                    command=last,
                ),
            )
        by_seat = enumerate(zip(before["tally"], instead["tally"], strict=True))
        effects = Effects(
            charges=tuple(
                (remedy.code, rnd.seating.sharing(seat), then - now, remedy.cite)
                for seat, (now, then) in by_seat
                if then != now and seat == rnd.seating.sharing(seat)[0]
            ),
            ends=thrown_in,
            outcome=VOID,
            instead=instead,
        )
        rnd.decisions.effects[fault.by] = effects
        self.carrying.carry_out(rnd, effects)
        view.earlier(rnd, fault, remedy, thrown_in)

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
                "asked": list(fault.asked),
                "may": fault.may,
                "claims": list(fault.claims),
                "words": self.words_or_none(rnd, fault),
            }
            for fault in rnd.state(self.phase).open()
            if not fault.round and (fault.claims or self.remedies[fault.remedy].until in LASTING)
        ]

    def words_or_none(self, rnd: Round, fault: Fault) -> list[str]:
        try:
            return self.words_for(rnd, fault)
        except Impossible:
            return []

    def earlier(self, rnd: Round, left: Json) -> Fault:
        """What may still be decided of the round before."""
        asked = left["asked"]
        fault = Fault(left["remedy"], left["number"], left["text"], left["culprit"], 0, asked)
        fault.gone = dict.fromkeys((seat for seat in asked if seat not in left["may"]), 0)
        fault.claims = list(left["claims"])
        fault.round, fault.instead = rnd.number - 1, left["choices"]
        fault.voids = tuple(left.get("voids", ()))
        return fault

    def _begun(self, standing: Standing) -> Json:
        """How a round begins, but for tallies and for what this phase keeps."""
        kept = standing["carry"].items()
        carry = {name: value for name, value in kept if name != self.phase.name}
        return {"dealer": standing["dealer"], "leader": standing["leader"], "carry": carry}
