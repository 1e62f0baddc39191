"""What is claimed, weighed and decided. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.messages import listed, tr
from scorekeeper.phases.remedies import telling
from scorekeeper.phases.remedies.deciding import Deciding, Hanging
from scorekeeper.phases.remedies.rows import CLAIMANT, JUDGE, LAW, Consequence, Remedy
from scorekeeper.phases.remedies.state import DECIDED, MOOT, Fault, State
from scorekeeper.phases.remedies.windows import LASTING, Windows
from scorekeeper.ruleset.decisions import VOID, Effects

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.core.types import Json, Standing
    from scorekeeper.phases.remedies.carrying import Carrying
    from scorekeeper.phases.remedies.syntax import Claim
    from scorekeeper.ruleset.joint import Joint, Stateful


class Claims:
    """What becomes of claims. `phase` is whose state is asked, `told` are the rows of [remedies]
    that the table tells of."""

    def __init__(
        self,
        phase: Stateful[State],
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

    def claim(self, rnd: Joint, seat: int, claim: Claim) -> None:
        state, number = rnd.state(self.phase), len(rnd.entries())
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

    def fault_of(self, rnd: Joint, seat: int, claim: Claim, number: int) -> Fault:
        """What a claim, the entry of that number, is about: what is known to have been wrong, what
        may have been, or what is told. Raises Impossible where nothing is known against an
        entry."""
        if claim.at is None:
            text = f"{rnd.rules.lexicon.form(claim.told)} {rnd.names[claim.of]}"
            return self.windows.told(rnd, self.remedies[claim.told], claim.of, number, text)
        at, entries = claim.at, rnd.entries()
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

    def _other_round(self, rnd: Joint, seat: int, claim: Claim) -> str:
        """The entry of the round before that may be meant."""
        at, before = claim.at, rnd.number - 1
        if at is not None and before and rnd.state(self.phase).at(at.number, before) is not None:
            return f"claim {rnd.names[seat]}: {before}.{at.number} {claim.weight}".rstrip()
        return tr("status --log numbers them")

    def _hint(self, rnd: Joint, seat: int) -> str:
        """How to claim what the referee cannot see."""
        if not self.told:
            return ""
        say = rnd.rules.spoken
        return tr(
            "what nobody can see is told: {form}",
            form=f"{say('claim')} {rnd.names[seat]}: {say(self.told[-1])} NAME",
        )

    def weigh(self, rnd: Joint, claim: Claim) -> None:
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

    def _decide_or_wait(self, rnd: Joint, state: State, fault: Fault, weight: str) -> None:
        """Decide what is claimed, if the choice is made; else say what it waits for."""
        words, remedy = self.words_for(rnd, fault), self.remedies[fault.remedy]
        if not words:
            raise Impossible(tr("nothing may follow of {act} by the rules", act=fault.act))
        if weight and weight not in words:
            names = listed([rnd.rules.spoken(word) for word in words], "or")
            raise Impossible(
                tr(
                    "{weight} is no choice here: {names}",
                    weight=rnd.rules.spoken(weight),
                    names=names,
                )
            )
        if not weight and len(words) == 1:
            weight = words[0]
        if not weight and remedy.choice == CLAIMANT:
            names = listed([rnd.rules.spoken(word) for word in words], "or")
            raise Impossible(
                tr("who claims chooses what follows: {names}", names=names),
                tr("say it with the claim"),
            )
        if not weight:
            telling.claimed(rnd, fault, remedy, words, state.waiting()[0])
        elif fault.round:
            self._decide_earlier(rnd, fault, weight)
        else:
            self._decide(rnd, state, fault, weight)

    def words_for(self, rnd: Joint, fault: Fault) -> list[str]:
        """What may be chosen; by the law, the first that applies. Raises Impossible while nobody
        knows."""
        words = list(fault.instead) if fault.round else list(self.choices(rnd, fault))
        return words[:1] if self.remedies[fault.remedy].choice == LAW else words

    def choices(self, rnd: Joint, fault: Fault) -> dict[str, Consequence]:
        """What may follow of a fault, by its word. Raises Impossible while nobody knows."""
        try:
            return self.deciding.choices(rnd, fault)
        except NotSeen as error:
            raise Impossible(tr("what follows hangs on it: {what}", what=error.message)) from None

    def _decide(self, rnd: Joint, state: State, fault: Fault, weight: str) -> None:
        """What follows is done; where that hangs on what nobody knows yet, it is to be weighed
        again."""
        remedy = self.remedies[fault.remedy]
        try:
            row = self.deciding.chosen(rnd, fault, weight)
            self._check_points(fault, row)
            effects = self.deciding.effects(rnd, fault, row)
        except Hanging as failure:
            telling.hanging(rnd, fault, remedy, weight, failure)
            return
        fault.weight, fault.ended, fault.by = weight, DECIDED, len(rnd.entries())
        fault.cited = row.cite or remedy.cite
        rnd.decisions.effects[fault.by] = effects
        late = rnd.over and (effects.ends or effects.moved)
        if late or not effects.taken <= rnd.decisions.taken:
            rnd.retake(effects.taken)
        self.carrying.carry_out(rnd, effects)
        telling.decided(rnd, fault, remedy, self.deciding.told(rnd, row, effects))
        if effects.ends and effects.outcome == VOID:
            for other in state.open():
                if not other.round:
                    other.ended = MOOT
                    telling.moot(rnd, other, self.remedies[other.remedy])

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

    def _decide_earlier(self, rnd: Joint, fault: Fault, weight: str) -> None:
        """Something of the round before is decided: what it changes is booked here, and where this
        round would not have begun so, it is thrown in."""
        instead, before, remedy = fault.instead[weight], rnd.before, self.remedies[fault.remedy]
        fault.weight, fault.ended, fault.by = weight, DECIDED, len(rnd.entries())
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
                (remedy.code, rnd.sharing(seat), then - now, remedy.cite)
                for seat, (now, then) in by_seat
                if then != now and seat == rnd.sharing(seat)[0]
            ),
            ends=thrown_in,
            outcome=VOID,
            instead=instead,
        )
        rnd.decisions.effects[fault.by] = effects
        self.carrying.carry_out(rnd, effects)
        telling.earlier(rnd, fault, remedy, thrown_in)

    # --- from one round to the next

    def left_open(self, rnd: Joint) -> list[Json]:
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

    def words_or_none(self, rnd: Joint, fault: Fault) -> list[str]:
        try:
            return self.words_for(rnd, fault)
        except Impossible:
            return []

    def earlier(self, rnd: Joint, left: Json) -> Fault:
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
