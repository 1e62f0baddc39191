"""The effects of each choice (`ChoiceEffects`), and the code that carries them out
(`DecisionExecutor`)."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NotYetKnown
from scorekeeper.core.messages import join_list, plural, tr
from scorekeeper.engine.measures import deals_again
from scorekeeper.engine.phase import TRICK
from scorekeeper.engine.scoring import Penalties
from scorekeeper.engine.state import (
    AGAIN,
    LOST,
    UNSCORED,
    VOID,
    AssumedPenalty,
    Effects,
    PendingPenalty,
    TrickTransfer,
)
from scorekeeper.phases.remedies import view
from scorekeeper.phases.remedies.state import (
    DUE,
    FOUL,
    GIVEN,
    LAW,
    ON,
    Consequence,
    Fault,
    Remedy,
    RemedyCase,
    State,
    mates,
)
from scorekeeper.ruleset.tables import SAME

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Standing
    from scorekeeper.engine.phase import Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.scoring import Charge
    from scorekeeper.notation import Entry

TIMES = "times"  # carried over: how often each fault was decided against a player


class DecisionPending(Impossible):
    """Raised if an effect depends on a player's side, which is still unknown."""


class ChoiceEffects:
    """The effects of each consequence that may be chosen for a fault.

    `phase` holds the state, and `rows` the rows of [consequences]. `forfeits` are the verbs by
    which a player gives up the rest of a round.
    """

    def __init__(
        self,
        phase: Phase[State],
        remedies: Mapping[str, Remedy],
        rows: Mapping[str, Consequence],
        forfeits: Collection[str],
        rules: Ruleset,
    ) -> None:
        self.phase = phase
        self.remedies = remedies
        self.rows = rows
        self.forfeits = forfeits
        self.rules = rules

    @cached_property
    def penalties(self) -> Penalties:
        """The penalty classes, compiled on first use because most matches never need them."""
        return Penalties(self.rules)

    # --- the round at the moment of the act

    def find_charges(self, rnd: Round, due: PendingPenalty) -> list[Charge]:
        """Return the charges of a penalty whose amount was unknown.

        The charges are based on the proven sides, or else on the public sides. Raises Impossible
        while the sides are neither proven nor public.
        """
        past = self._round_before(rnd, due.number, due.seat, told=due.is_reported)
        try:
            return list(self.penalties.charges(past, due.seat, due.penalty))
        except Impossible:
            if not self._assume_public_sides(rnd, past):
                raise
            return list(self.penalties.charges(past, due.seat, due.penalty))

    def _assume_public_sides(self, rnd: Round, past: Round) -> bool:
        """Give a past round the sides that are public now, including sides known from calls. Return
        False, and change nothing, if any player's side is not public."""
        if past.sides is None or rnd.sides is None:
            return False
        sides = rnd.public_sides()
        if len(sides) < len(rnd.seats):
            return False
        for seat, side in sides.items():
            if past.sides.known[seat] is None:
                past.sides.known[seat] = side
        return True

    def round_at_act(self, rnd: Round, fault: Fault) -> Round:
        """Return the round as it was before the act, with the cards that the act showed and what is
        now known about the culprit's side."""
        past = self._round_before(rnd, fault.number, fault.culprit[0], told=fault.is_reported)
        past.state(self.phase).case = self._make_case(rnd, past, fault)
        return past

    def _round_before(self, rnd: Round, number: int, seat: int, told: bool) -> Round:
        past = rnd.at(number, () if told else (number,))
        if past.sides is not None and rnd.sides is not None:
            # A partner found later was not yet a partner at the time of the act.
            known = rnd.seats if past.sides.by_cards else [seat]
            for each in known:
                if past.sides.known[each] is None:
                    past.sides.known[each] = rnd.sides.side_of(each)
        return past

    def _make_case(self, rnd: Round, past: Round, fault: Fault) -> RemedyCase:
        """Return the facts about what has happened since the act."""
        (seat,) = fault.culprit
        start, mine = len(past.tricks), set(mates(rnd, seat))
        laid = _cards_laid(rnd)
        lying = len(_laid_before(laid, fault.number)) - sum(len(each.plays) for each in past.tricks)
        since = [each for each in laid if each[0] > fault.number]
        later = since[max(0, len(past.seats) - lying - 1) :]
        trick = next(iter(rnd.tricks[start:]), None)
        won = [each for each in rnd.tricks[start:] if each.winner in mine]
        return RemedyCase(
            since=len(since),
            later=[at for at, _ in later],
            followed=sum(entry.seat in mine for _, entry in later),
            took=trick is not None and trick.winner == seat,
            tricks=sum(each.count for each in won),
            times=self._count_times(rnd, fault.remedy, seat),
            stands=rnd.log.entries[fault.number - 1].has_effect,
            mate=seat != rnd.table.declarer and rnd.table.declarer in mine,
        )

    def _count_times(self, rnd: Round, remedy: str, seat: int) -> int:
        times = rnd.carried(self.phase.name).get(TIMES, {})
        before: int = times.get(remedy, {}).get(rnd.names[seat], 0)
        return before

    def has_lapsed(self, rnd: Round, fault: Fault) -> bool:
        """Return whether a fault of this round has lapsed by the condition in its remedy."""
        lapses = self.remedies[fault.remedy].lapses
        if lapses is None or fault.round or fault.is_reported:
            return False
        past = self.round_at_act(rnd, fault)
        with suppress(NotYetKnown):
            return bool(lapses(past.reading(fault.culprit[0])))
        return False

    # --- choices

    def choices(self, rnd: Round, fault: Fault) -> dict[str, Consequence]:
        """Return the possible choices, keyed by their words. Raises NotYetKnown if the choices
        depend on something unknown."""
        past, remedy = self.round_at_act(rnd, fault), self.remedies[fault.remedy]
        choices: dict[str, Consequence] = {}
        for name in remedy.then:
            row = self.rows[name]
            if row.word not in choices and self._applies(past, fault, row):
                choices[row.word] = row
        return dict(islice(choices.items(), 1 if remedy.choice == LAW else None))

    def choose(self, rnd: Round, fault: Fault, word: str) -> Consequence:
        """Return the consequence of a choice. If the row `decided` applies, it replaces every
        consequence that has an effect. Raises DecisionPending if it is unknown whether that row
        applies."""
        row, decided = self.choices(rnd, fault)[word], self.remedies[fault.remedy].decided
        if not decided or row.has_no_effect:
            return row
        try:
            applies = self._applies(self.round_at_act(rnd, fault), fault, self.rows[decided])
        except NotYetKnown as error:
            raise DecisionPending(error.message, self._hint_to_prove(rnd)) from None
        return self.rows[decided] if applies else row

    def _applies(self, past: Round, fault: Fault, row: Consequence) -> bool:
        get = past.reading(fault.culprit[0])
        return bool(row.when(get))

    # --- effects

    def find_effects(self, rnd: Round, fault: Fault, row: Consequence) -> Effects:
        """Return the effects of a consequence.

        Raises DecisionPending if they depend on an unknown side. Raises Impossible if the penalty
        of a player who sits out cannot be determined.
        """
        past = self.round_at_act(rnd, fault)
        (seat,) = fault.culprit
        charges: list[Charge] = []
        due: PendingPenalty | None = None
        assumed: AssumedPenalty | None = None
        if row.penalty:
            try:
                charges += self.penalties.charges(past, seat, row.penalty)
            except Impossible:
                if seat not in past.seats:
                    raise  # the amount will never be known
                due = PendingPenalty(row.penalty, seat, fault.number, fault.is_reported)
                clear = self.round_at_act(rnd, fault)
                if self._assume_public_sides(rnd, clear):
                    charges = list(self.penalties.charges(clear, seat, row.penalty))
                    assumed = AssumedPenalty(due, {each[1]: each[2] for each in charges})
                    due = None
        if fault.points:
            code = self.remedies[fault.remedy].code
            charges.append((code, rnd.seating.sharing_seats(seat), fault.points, row.cite))
        return self._common_effects(rnd, past, seat, row)._replace(
            withdrawn=frozenset(self._entries_withdrawn(rnd, past, fault, row)),
            charges=tuple(each for each in charges if each[2]),
            due=due,
            assumed=assumed,
            against=None if row.has_no_effect else (fault.remedy, seat),
        )

    def _common_effects(self, rnd: Round, past: Round, seat: int, row: Consequence) -> Effects:
        """Return the effects for a culprit, except points and withdrawn entries."""
        tricks = int(row.tricks(past.reading(seat)))
        return Effects(
            ends=row.play != ON,
            outcome=row.outcome,
            rest_to=self._find_opponent(rnd, seat) if row.play == GIVEN else -1,
            transfer=self._find_transfer(rnd, past, seat, tricks) if tricks > 0 else None,
            starter=row.starter(seat),
            dealer=row.dealer,
            bars=(seat, row.bars) if row.bars else None,
        )

    # --- fouls

    def find_foul_consequence(self, rnd: Round, seat: int) -> tuple[Remedy, Consequence] | None:
        """Return the remedy and the consequence if that seat commits a foul now. Return None if the
        foul is only noted. Raises NotYetKnown if the answer depends on something unknown."""
        if rnd.rules.is_eliminated(rnd.seating.tally[seat]):
            return None
        for remedy in self.remedies.values():
            if FOUL not in remedy.on:
                continue
            with self._as_foul(rnd, remedy, seat):
                get = rnd.reading(seat)
                row = next((self.rows[n] for n in remedy.then if self.rows[n].when(get)), None)
            if row is not None:
                return None if row.has_no_effect else (remedy, row)
        return None

    def foul_effects(self, rnd: Round, seat: int, remedy: Remedy, row: Consequence) -> Effects:
        """Return the effects of a foul. Raises Impossible if the effects depend on something
        unknown."""
        with self._as_foul(rnd, remedy, seat):
            charges: list[Charge] = []
            if row.penalty and seat in rnd.seats:
                charges += self.penalties.charges(rnd, seat, row.penalty)
            elif row.penalty:
                charges.append(self.penalties.culprit_charge(rnd, seat, row.penalty))
            common = self._common_effects(rnd, rnd, seat, row)
        return common._replace(
            charges=tuple((FOUL, *each[1:]) for each in charges if each[2]),
            foul_by=seat,
            against=(remedy.name, seat),
        )

    @contextmanager
    def _as_foul(self, rnd: Round, remedy: Remedy, seat: int) -> Iterator[None]:
        """Return a context in which conditions are evaluated for a foul by that seat."""
        state = rnd.state(self.phase)
        state.case = RemedyCase(0, (), 0, False, 0, self._count_times(rnd, remedy.name, seat), True)
        try:
            yield
        finally:
            state.case = None

    def _entries_withdrawn(
        self, rnd: Round, past: Round, fault: Fault, row: Consequence
    ) -> Iterator[int]:
        """Yield the entries that are withdrawn.

        If the act is undone, these are the act and the cards played to later tricks. If play stops,
        they are all acts from this act on. If the other side receives the remaining tricks, they
        are the cards played since the trick of the act began, and any entry that gave up the
        remaining tricks.
        """
        entries = rnd.log.entries
        if not fault.is_reported and row.undone(past.reading(fault.culprit[0])):
            yield fault.number
            case = past.state(self.phase).case
            # empty until the trick in which the act happened is complete
            yield from () if case is None else case.later
        if row.play == ON or fault.is_reported:
            return
        start = fault.number
        if row.play == GIVEN:
            before = _laid_before(_cards_laid(rnd), start)
            complete = sum(len(each.plays) for each in past.tricks)
            start = before[complete][0] if len(before) > complete else start
        for number in range(start, len(entries) + 1):
            verb = entries[number - 1].type
            laid = verb.plays_cards or verb.word in self.forfeits
            if not verb.is_table_entry and (laid or row.play != GIVEN):
                yield number

    def _find_opponent(self, rnd: Round, seat: int) -> int:
        """Return a seat of the other side. Raises DecisionPending if the sides are not all
        known."""
        sides = rnd.sides
        if sides is not None and not sides.is_complete:
            open_ = [s for s in rnd.seats if sides.side_of(s) is None]
            message = plural(
                "it is not yet known whose side {names} is on",
                "it is not yet known whose side {names} are on",
                len(open_),
                names=join_list(rnd.names_of(open_)),
            )
            raise DecisionPending(message, self._hint_to_prove(rnd))
        mine = set(mates(rnd, seat))
        return next((each for each in rnd.seats if each not in mine), seat)

    def _hint_to_prove(self, rnd: Round) -> str:
        """Return a hint on how to enter proof of a player's side."""
        sides = rnd.sides
        name = next((rnd.names[s] for s in rnd.seats if sides and sides.side_of(s) is None), "NAME")
        return tr("enter a card that shows the player's side ({form})", form=f"holds {name}: CARD")

    def _find_transfer(self, rnd: Round, past: Round, seat: int, tricks: int) -> TrickTransfer:
        """Return the transfer of `tricks` tricks to the other side. Only the trick of the act and
        later tricks can be transferred."""
        mine = mates(rnd, seat)
        other = next((each for each in rnd.seats if each not in mine), seat)
        return TrickTransfer(tricks, mine, other, len(past.tricks) + 1)

    def describe_decision(self, rnd: Round, row: Consequence, effects: Effects) -> str:
        """Return a description of the decision and its consequences."""
        word = rnd.rules.translate_word(row.word)
        parts = [
            word if not row.has_no_effect else tr("{word}, which has no consequence", word=word)
        ]
        if effects.charges:
            parts.append(view.format_points(rnd, effects.charges))
        if effects.due is not None:
            who = rnd.names[effects.due.seat]
            message = tr("the amount will be known once {who}'s side is known", who=who)
            parts.append(f"{message} ({self._hint_to_prove(rnd)})")
        if effects.rest_to >= 0:
            parts.append(tr("the other side receives the trick of the fault and all later tricks"))
        if effects.outcome == VOID:
            parts.append(tr("the round is void"))
        elif effects.outcome == UNSCORED:
            parts.append(tr("the round counts, but is not scored"))
        elif effects.outcome == LOST:
            parts.append(tr("the round counts as lost"))
        elif effects.withdrawn and not effects.ends:
            parts.append(tr("the act is withdrawn"))
        return "; ".join(parts)


def _cards_laid(rnd: Round) -> list[tuple[int, Entry]]:
    """Return the entries that played cards to tricks and were not withdrawn, with their numbers."""
    return [
        (number, entry)
        for number, entry in enumerate(rnd.log.entries, 1)
        if entry.type.measured_as == TRICK
        and entry.has_effect
        and number not in rnd.decisions.withdrawn
    ]


def _laid_before(laid: Sequence[tuple[int, Entry]], number: int) -> Sequence[tuple[int, Entry]]:
    return [each for each in laid if each[0] < number]


class DecisionExecutor:
    """An object that carries out decisions. `phase` holds the state that it changes."""

    def __init__(self, phase: Phase[State], deciding: ChoiceEffects) -> None:
        self.phase = phase
        self.choice_effects = deciding

    def carry_out(self, rnd: Round, effects: Effects) -> None:
        """Apply the effects of a decision to the round."""
        state = rnd.state(self.phase)
        if effects.bars is not None:
            seat, verbs = effects.bars
            state.barred_verbs[seat] = (*state.barred_verbs.get(seat, ()), *verbs)
        if effects.against is not None:
            self._count_decision(rnd, *effects.against)
        if effects.due is not None and not rnd.decisions.replaying:
            rnd.decisions.due.append(effects.due)
        if effects.assumed is not None and not rnd.decisions.replaying:
            rnd.decisions.assumed.append(effects.assumed)
        for code, seats, points, cite in effects.charges:
            rnd.charge(code, seats[0], points, cite)
        if effects.corrected_standing is not None and not effects.ends:
            name = self.phase.name
            rnd.carry_over(
                name, {**rnd.carried(name), **effects.corrected_standing["carry"].get(name, {})}
            )
        if not effects.ends:
            return
        if effects.rest_to >= 0:
            if rnd.over:
                message = tr(
                    "the other side would receive the later tricks, but these were never entered"
                )
                raise Impossible(message, tr("undo the entry that ended the round"))
            rnd.award(effects.rest_to)
            return
        starter = rnd.seating.leader if effects.starter == AGAIN else effects.starter
        if effects.foul_by >= 0:
            rnd.table.foul = effects.foul_by
            rnd.next_leader = starter if starter >= 0 else None  # other phases may overwrite this
        if effects.outcome == VOID:
            rnd.deals_next = SAME if effects.dealer == DUE else effects.dealer
        if not rnd.over:
            rnd.finish()
        if effects.outcome == VOID:
            self._deal_void(rnd, effects.dealer == DUE)
        if starter >= 0 and (effects.foul_by < 0 or effects.outcome == VOID):
            rnd.next_leader = starter
        if effects.corrected_standing is not None:
            self._begin_instead(rnd, effects.corrected_standing)

    def _deal_void(self, rnd: Round, due: bool) -> None:
        """Set the next dealer and starter after a round that a decision made void."""
        rnd.next_dealer = rnd.next_leader = None
        if due and rnd.seating.dealer != rnd.seating.standing["dealer"]:
            rnd.next_dealer = rnd.seating.standing["dealer"]
        elif deals_again(rnd) and rnd.rules.deal["dealt"]:
            rnd.next_leader = rnd.setup.lead

    def prepare_foul(self, rnd: Round, seat: int) -> Callable[[], None] | None:
        """Return a function that carries out the consequence of a foul, or None if the foul is only
        noted. Raises Impossible while the consequence is unknown."""
        try:
            consequence = self.choice_effects.find_foul_consequence(rnd, seat)
        except NotYetKnown as error:
            raise Impossible(
                tr(
                    "the consequence is not yet known: {what}",
                    what=error.message,
                )
            ) from None
        return (
            None if consequence is None else partial(self._carry_out_foul, rnd, seat, *consequence)
        )

    def _carry_out_foul(self, rnd: Round, seat: int, remedy: Remedy, row: Consequence) -> None:
        effects, number = rnd.decisions.effects, len(rnd.log.entries)
        if not rnd.decisions.replaying or number not in effects:
            effects[number] = self.choice_effects.foul_effects(rnd, seat, remedy, row)
        self.carry_out(rnd, effects[number])

    def _count_decision(self, rnd: Round, remedy: str, seat: int) -> None:
        """Count this decision against the player for the rest of the match."""
        carried = rnd.carried(self.phase.name)
        times = {name: dict(counts) for name, counts in carried.get(TIMES, {}).items()}
        of, name = times.setdefault(remedy, {}), rnd.names[seat]
        of[name] = of.get(name, 0) + 1
        rnd.carry_over(self.phase.name, {**carried, TIMES: times})

    def _begin_instead(self, rnd: Round, standing: Standing) -> None:
        """Make the next round begin as this round should have begun."""
        rnd.next_dealer, rnd.next_leader = standing["dealer"], standing["leader"]
        carry = standing["carry"]
        for name in {**rnd.seating.standing["carry"], **carry}:
            rnd.carry_over(name, carry.get(name))

    def finish_round(self, rnd: Round) -> None:
        """Apply the decisions that affect the whole round, before other phases close it."""
        for effects in rnd.decisions.effects.values():
            if effects.ends and effects.outcome == VOID:
                rnd.void = True
            elif effects.ends and effects.outcome == UNSCORED:
                rnd.unscored = True
            elif effects.ends and effects.outcome == LOST and effects.against is not None:
                rnd.table.forfeited = effects.against[1]
        self._move_tricks(rnd)

    def _move_tricks(self, rnd: Round) -> None:
        """Transfer to the other side the tricks that a side loses because of a fault."""
        for effects in rnd.decisions.effects.values():
            if effects.transfer is not None:
                count, seats, to, since = effects.transfer
                won = [
                    at
                    for at, trick in enumerate(rnd.tricks)
                    if trick.winner in seats and trick.number >= since
                ]
                for at in won[-count:]:
                    rnd.tricks[at] = rnd.tricks[at].with_winner(to)

    # --- amounts that were unknown

    def charge_known(self, rnd: Round) -> None:
        """Charge penalties whose amount is now known."""
        for due in rnd.decisions.due[:]:
            try:
                charges = self.choice_effects.find_charges(rnd, due)
            except Impossible:
                continue
            rnd.decisions.due.remove(due)
            self._charge_late(rnd, charges)
            view.remark_charged(rnd, charges)
            if not _is_side_proven(rnd, due):
                charged = {seats: points for _, seats, points, _ in charges}
                rnd.decisions.assumed.append(AssumedPenalty(due, charged))

    def correct_assumed(self, rnd: Round) -> None:
        """Correct penalties that were based on an assumed side, once the side is proven."""
        for assumed in rnd.decisions.assumed[:]:
            if not _is_side_proven(rnd, assumed.penalty):
                continue
            rnd.decisions.assumed.remove(assumed)
            charges = [
                (code, seats, points - assumed.charged.get(seats, 0), cite)
                for code, seats, points, cite in self.choice_effects.find_charges(
                    rnd, assumed.penalty
                )
            ]
            charges = [each for each in charges if each[2]]
            if charges:
                self._charge_late(rnd, charges)
                view.remark_changed(rnd, charges, rnd.names[assumed.penalty.seat])

    def _charge_late(self, rnd: Round, charges: Sequence[Charge]) -> None:
        """Charge the points of an earlier decision."""
        number = len(rnd.log.entries)
        effects = rnd.decisions.effects.get(number, Effects())
        rnd.decisions.effects[number] = effects._replace(charges=(*effects.charges, *charges))
        for code, seats, points, cite in charges:
            rnd.charge(code, seats[0], points, cite)

    def charge_again(self, rnd: Round) -> None:
        """Charge a penalty again if its amount became known with the last entry. This is needed
        while a round is replayed.

        Claims and fouls charge their own amounts.
        """
        effects = rnd.decisions.effects.get(len(rnd.log.entries))
        own = rnd.rules.phase_of[rnd.log.entries[-1].type.word] is self.phase
        if effects is not None and effects.foul_by < 0 and not own:
            self.carry_out(rnd, effects)


def _is_side_proven(rnd: Round, due: PendingPenalty) -> bool:
    """Return whether the side of the penalized player is proven."""
    return rnd.sides is None or rnd.sides.side_of(due.seat) is not None
