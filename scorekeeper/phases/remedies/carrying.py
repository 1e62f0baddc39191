"""What was decided happens: points, the end of the round, what the next one begins with. Part of
remedies.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.messages import tr
from scorekeeper.phases.remedies import telling
from scorekeeper.phases.remedies.deciding import KEPT, Deciding
from scorekeeper.phases.remedies.rows import DUE
from scorekeeper.ruleset.decisions import AGAIN, LOST, UNSCORED, VOID, Assumed, Effects
from scorekeeper.ruleset.tables import SAME
from scorekeeper.ruleset.who import dealt_again

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorekeeper.core.types import Standing
    from scorekeeper.phases.remedies.rows import Consequence, Remedy
    from scorekeeper.phases.remedies.state import State
    from scorekeeper.ruleset.decisions import Due
    from scorekeeper.ruleset.joint import Joint, Stateful
    from scorekeeper.ruleset.penalties import Charge


class Carrying:
    """Carries out what was decided. `phase` is whose state changes by it."""

    def __init__(self, phase: Stateful[State], deciding: Deciding) -> None:
        self.phase = phase
        self.deciding = deciding

    def carry_out(self, rnd: Joint, effects: Effects) -> None:
        """Let happen what was decided."""
        state = rnd.state(self.phase)
        if effects.bars is not None:
            seat, verbs = effects.bars
            state.barred[seat] = (*state.barred.get(seat, ()), *verbs)
        if effects.against is not None:
            self._remember(rnd, *effects.against)
        if effects.due is not None and not rnd.decisions.replaying:
            rnd.decisions.due.append(effects.due)
        if effects.assumed is not None and not rnd.decisions.replaying:
            rnd.decisions.assumed.append(effects.assumed)
        for code, seats, points, cite in effects.charges:
            rnd.charge(code, seats[0], points, cite)
        if effects.instead is not None and not effects.ends:
            name = self.phase.name
            rnd.keep(name, {**rnd.kept(name), **effects.instead["carry"].get(name, {})})
        if not effects.ends:
            return
        if effects.rest >= 0:
            if rnd.over:
                say = tr("what lies after it was never entered, and goes to the other side")
                raise Impossible(say, tr("undo what has ended the round"))
            rnd.award(effects.rest)
            return
        starter = rnd.leader if effects.starts == AGAIN else effects.starts
        if effects.foul >= 0:
            rnd.shared.foul = effects.foul
            rnd.next_leader = starter if starter >= 0 else None  # phases may know better
        if effects.outcome == VOID:
            rnd.deals_next = SAME if effects.dealer == DUE else effects.dealer
        if not rnd.over:
            rnd.finish()
        if effects.outcome == VOID:
            self._deal_void(rnd, effects.dealer == DUE)
        if starter >= 0 and (effects.foul < 0 or effects.outcome == VOID):
            rnd.next_leader = starter
        if effects.instead is not None:
            self._begin_instead(rnd, effects.instead)

    def _deal_void(self, rnd: Joint, due: bool) -> None:
        """Who deals after a round that was decided to be void, and starts."""
        rnd.next_dealer = rnd.next_leader = None
        if due and rnd.dealer != rnd.before["dealer"]:
            rnd.next_dealer = rnd.before["dealer"]
        elif dealt_again(rnd) and rnd.rules.deal["dealt"]:
            rnd.next_leader = rnd.start.lead

    def foul(self, rnd: Joint, seat: int) -> Callable[[], None] | None:
        """Does what follows of a foul; None: it is only noted. Raises Impossible where nobody knows
        yet what it is."""
        try:
            found = self.deciding.of_foul(rnd, seat)
        except NotSeen as error:
            raise Impossible(tr("what follows hangs on it: {what}", what=error.message)) from None
        return None if found is None else partial(self._carry_out_foul, rnd, seat, *found)

    def _carry_out_foul(self, rnd: Joint, seat: int, remedy: Remedy, row: Consequence) -> None:
        made, number = rnd.decisions.effects, len(rnd.entries())
        if not rnd.decisions.replaying or number not in made:
            made[number] = self.deciding.foul_effects(rnd, seat, remedy, row)
        self.carry_out(rnd, made[number])

    def _remember(self, rnd: Joint, remedy: str, seat: int) -> None:
        """Keep, for the rest of the match, that this was decided against somebody."""
        kept = rnd.kept(self.phase.name)
        times = {name: dict(counts) for name, counts in kept.get(KEPT, {}).items()}
        of, name = times.setdefault(remedy, {}), rnd.names[seat]
        of[name] = of.get(name, 0) + 1
        rnd.keep(self.phase.name, {**kept, KEPT: times})

    def _begin_instead(self, rnd: Joint, standing: Standing) -> None:
        """The next round begins as this one would have."""
        rnd.next_dealer, rnd.next_leader = standing["dealer"], standing["leader"]
        carry = standing["carry"]
        for name in {**rnd.before["carry"], **carry}:
            rnd.keep(name, carry.get(name))

    def at_the_end(self, rnd: Joint) -> None:
        """What was decided about the round as a whole happens when it is over: before any phase
        says what comes of it."""
        for effects in rnd.decisions.effects.values():
            if effects.ends and effects.outcome == VOID:
                rnd.void = True
            elif effects.ends and effects.outcome == UNSCORED:
                rnd.unscored = True
            elif effects.ends and effects.outcome == LOST and effects.against is not None:
                rnd.shared.forfeited = effects.against[1]
        self._move_tricks(rnd)

    def _move_tricks(self, rnd: Joint) -> None:
        """Tricks that were lost by what was wrong go to the other side."""
        for effects in rnd.decisions.effects.values():
            if effects.moved is not None:
                count, seats, to, since = effects.moved
                won = [
                    at
                    for at, trick in enumerate(rnd.tricks)
                    if trick.winner in seats and trick.number >= since
                ]
                for at in won[-count:]:
                    rnd.tricks[at] = rnd.tricks[at].won_by(to)

    # --- a figure that has waited

    def ask_again(self, rnd: Joint) -> None:
        """Charge a penalty whose figure has waited, if it is known now."""
        for due in rnd.decisions.due[:]:
            try:
                charges = self.deciding.figure(rnd, due)
            except Impossible:
                continue
            rnd.decisions.due.remove(due)
            self._charge_late(rnd, charges)
            telling.charged(rnd, charges)
            if not _proven(rnd, due):
                charged = {seats: points for _, seats, points, _ in charges}
                rnd.decisions.assumed.append(Assumed(due, charged))

    def look_again(self, rnd: Joint) -> None:
        """Change the figure of a penalty that rests on a side which was not proven, if now another
        one is."""
        for assumed in rnd.decisions.assumed[:]:
            if not _proven(rnd, assumed.due):
                continue
            rnd.decisions.assumed.remove(assumed)
            charges = [
                (code, seats, points - assumed.charged.get(seats, 0), cite)
                for code, seats, points, cite in self.deciding.figure(rnd, assumed.due)
            ]
            charges = [each for each in charges if each[2]]
            if charges:
                self._charge_late(rnd, charges)
                telling.changed_figure(rnd, charges, rnd.names[assumed.due.seat])

    def _charge_late(self, rnd: Joint, charges: Sequence[Charge]) -> None:
        """Charge what belongs to a decision that was made before."""
        number = len(rnd.entries())
        made = rnd.decisions.effects.get(number, Effects())
        rnd.decisions.effects[number] = made._replace(charges=(*made.charges, *charges))
        for code, seats, points, cite in charges:
            rnd.charge(code, seats[0], points, cite)

    def charge_again(self, rnd: Joint) -> None:
        """In a round that is played again, charge what an entry brought that is neither this
        phase's nor a foul: a figure that had waited for it."""
        made = rnd.decisions.effects.get(len(rnd.entries()))
        if made is not None and made.foul < 0 and rnd.entries()[-1].verb.phase != self.phase.name:
            self.carry_out(rnd, made)


def _proven(rnd: Joint, due: Due) -> bool:
    """Whether it is proven whose side who has that penalty is on."""
    return rnd.parties is None or rnd.parties.of(due.seat) is not None
