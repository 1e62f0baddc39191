"""What was wrong in a round, who may claim it, and what follows. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed
from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.failures import Impossible
from scorekeeper.notation.verbs import Verb
from scorekeeper.phases.remedies import telling
from scorekeeper.phases.remedies.deciding import KEPT, Deciding
from scorekeeper.phases.remedies.rows import (
    CLAIMANT,
    CONSEQUENCE,
    LAW,
    REMEDY,
    SECOND,
    TAKEN_UP,
    TOLD,
    Consequence,
    Remedy,
)
from scorekeeper.phases.remedies.state import DECIDED, MOOT, Fault, State
from scorekeeper.phases.remedies.syntax import Claim, ClaimSyntax, WaiveSyntax, WeighSyntax
from scorekeeper.phases.remedies.windows import LASTING, Windows
from scorekeeper.ruleset.decisions import UNSCORED, VOID, Effects
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.penalties import Penalties
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.plain import Json, Row, Standing
    from scorekeeper.notation import Entry
    from scorekeeper.phases.remedies.state import Case
    from scorekeeper.ruleset.joint import Joint, Rules

CLAIM, WEIGH, WAIVE = "claim", "weigh", "waive"
OPEN = "open"  # what is kept of a round's faults for the next: those that may still be claimed


def _verbs(weights: Sequence[str], told: Sequence[str]) -> tuple[Verb, ...]:
    from scorekeeper.notation.syntax import Of

    verbs = (
        Verb(CLAIM, Of(ClaimSyntax(weights, told)), "somebody claims what was wrong", table=True,
             late=True, aside=True, since=2),
        Verb(WEIGH, WeighSyntax(weights), "how what is claimed weighs", table=True, late=True,
             aside=True, since=2),
        Verb(WAIVE, WaiveSyntax(), "somebody claims nothing", table=True, late=True,
             aside=True, since=2),
    )  # fmt: skip
    for verb in verbs:
        verb.phase = "remedies"
    return verbs


@phase
class Remedies(Phase[State]):
    """What the law says once something was wrong."""

    name = "remedies"
    doc = (
        "Always there where a ruleset has `[remedies]`: what was against a rule and was recorded"
        " all the same, or was proven later, or is told, may be claimed while its window is open;"
        " then a consequence follows."
    )
    beside = True
    watches = True
    parameters = {"forfeits": Parameter("texts", "the verbs with which every window closes", [])}
    sections = {"remedies": REMEDY, "consequences": CONSEQUENCE}
    verbs = _verbs((), ())

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        rows, named = rules.section("remedies"), rules.section("consequences")
        self.told = [name for name, each in rows.items() if TOLD in each["on"]]
        chosen = [name for each in rows.values() if each["choice"] != LAW for name in each["then"]]
        self.weights = list(dict.fromkeys(named[n]["as"] or n for n in chosen if n in named))
        self.verbs = _verbs(self.weights, self.told)
        self.remedies: dict[str, Remedy] = {}
        self.windows: Windows  # these two are compiled when linked
        self.deciding: Deciding

    def link(self) -> None:
        rules = self.rules
        self.remedies = {n: Remedy(n, row, rules) for n, row in rules.section("remedies").items()}
        rows = {n: Consequence(n, row, rules) for n, row in rules.section("consequences").items()}
        self._check_verbs("phases.remedies.forfeits", self.row["forfeits"])
        for name, row in rows.items():
            self._check_verbs(f"consequences.{name}.bars", row.bars)
        self.windows = Windows(self.remedies, self.row["forfeits"])
        self.deciding = Deciding(self, self.remedies, rows, Penalties(rules))

    def _check_verbs(self, where: str, words: Iterable[str]) -> None:
        for word in words:
            if word not in self.rules.verbs and word not in self.rules.off:
                allowed = ", ".join(self.rules.verbs)
                self.rules.fault(where, word, allowed, f"{where} names no verb: “{word}”")

    def words(self) -> Iterable[tuple[str, str]]:
        yield from ((word, word) for word in self.weights)
        yield from ((name, name) for name in self.told)

    def named_measures(self) -> Iterator[Measure]:
        for name, doc in (
            ("since", "how many cards were laid since the act"),
            ("followed", "how many of them the culprit's side laid to later tricks"),
            ("took", "whether the culprit won the trick of the act"),
            ("tricks", "how many tricks the culprit's side has won from that one on"),
            ("times", "how often the same was decided against the culprit before in this match"),
        ):
            yield Measure(f"fault.{name}", doc, self._of_case(name))

    def _of_case(self, name: str) -> Callable[[Joint, object], object]:
        def read(rnd: Joint, _: object) -> object:
            case: Case | None = rnd.state(self).case
            if case is None:
                raise NotSeen("nothing is claimed here")
            return getattr(case, name)

        return read

    def begin(self, rnd: Joint) -> State:
        state = State()
        for left in rnd.kept(self.name).get(OPEN, ()):
            if left["number"] not in rnd.decisions.earlier and left["remedy"] in self.remedies:
                state.faults.append(self._earlier(rnd, left))
        return state

    def _earlier(self, rnd: Joint, left: Json) -> Fault:
        """What may still be decided of the round before."""
        fault = Fault(left["remedy"], left["number"], left["text"], left["culprit"], 0, left["may"])
        fault.claims = [(seat, 0) for seat in left["claims"]]
        fault.round, fault.instead = rnd.number - 1, left["choices"]
        return fault

    def after_entries(self, rnd: Joint) -> None:
        if rnd.decisions.replaying:
            self._charge_again(rnd)
            return
        if rnd.decisions.due:
            self._ask_again(rnd)
        self.windows.look(rnd, rnd.state(self))

    def _charge_again(self, rnd: Joint) -> None:
        """In a round that is played again, charge what an entry brought that is not this phase's:
        a figure that had waited for it."""
        made = rnd.decisions.effects.get(len(rnd.entries()))
        if made is not None and rnd.entries()[-1].verb.phase != self.name:
            self._carry_out(rnd, made)

    def _ask_again(self, rnd: Joint) -> None:
        """Charge a penalty whose figure has waited, if it is known now."""
        for due in rnd.decisions.due[:]:
            try:
                charges = self.deciding.figure(rnd, due)
            except Impossible:
                continue
            rnd.decisions.due.remove(due)
            made = rnd.decisions.effects.get(len(rnd.entries()), Effects())
            rnd.decisions.effects[len(rnd.entries())] = made._replace(
                charges=(*made.charges, *charges)
            )
            for code, seats, points, cite in charges:
                rnd.charge(code, seats[0], points, cite)
            telling.charged(rnd, charges)

    # --- what happens

    def apply(self, rnd: Joint, entry: Entry) -> None:
        made = rnd.decisions.effects.get(len(rnd.entries()))
        if rnd.decisions.replaying:
            if made is not None:
                self._carry_out(rnd, made)
        elif entry.word == CLAIM:
            self._claim(rnd, *entry.value)
        elif entry.word == WEIGH:
            self._weigh(rnd, entry.value)
        elif not self.windows.waive(rnd, rnd.state(self), entry.value, len(rnd.entries())):
            names = listed(rnd.names_of(entry.value), "or") if entry.value else "anybody"
            raise Impossible(f"“{entry.text}”: there is nothing that {names} might claim")

    def _claim(self, rnd: Joint, seat: int, claim: Claim) -> None:
        state, number = rnd.state(self), len(rnd.entries())
        fault = self.fault_of(rnd, seat, claim, number)
        if fault.ended == DECIDED:
            raise Impossible(f"{fault.act} is decided: {fault.weight}", "undo, or amend")
        if fault not in state.faults:
            state.faults.append(fault)
        fault.ended = ""
        fault.claims.append((seat, number))
        fault.points = claim.points
        self._decide_or_wait(rnd, state, fault, claim.weight)

    def fault_of(self, rnd: Joint, seat: int, claim: Claim, number: int) -> Fault:
        """What a claim, the entry of that number, is about: what is known to have been wrong, what
        may have been, or what is told. Raises Impossible where nothing is known against an
        entry."""
        if claim.at is None:
            text = f"{rnd.rules.spoken(claim.told)} {rnd.names[claim.of]}"
            return self.windows.told(rnd, self.remedies[claim.told], claim.of, number, text)
        at, entries = claim.at, rnd.entries()
        earlier = at.round if at.round != rnd.number else 0
        found = rnd.state(self).at(at.number, earlier)
        if found is not None:
            return found
        if earlier or at.number >= number:
            say = f"there is no entry {at.text} that may be claimed in this round"
            raise Impossible(say, self._other_round(rnd, seat, claim))
        act = entries[at.number - 1]
        for finding in rnd.open_on(at.number):
            answer = self.windows.answering(finding.code)
            if answer is not None and act.seat is not None:
                return self.windows.fault(rnd, answer, at.number, act.seat, len(entries))
        raise Impossible(f"nothing is known against {at.text} ({act.text})", self._hint(rnd, seat))

    def _other_round(self, rnd: Joint, seat: int, claim: Claim) -> str:
        """The entry of the round before that may be meant."""
        at = claim.at
        if at is not None and rnd.state(self).at(at.number, rnd.number - 1) is not None:
            return f"claim {rnd.names[seat]}: {rnd.number - 1}.{at.number} {claim.weight}".rstrip()
        return "status --log numbers them"

    def _hint(self, rnd: Joint, seat: int) -> str:
        """How to claim what the referee cannot see."""
        if not self.told:
            return ""
        say = rnd.rules.spoken
        return f"what nobody can see is told: claim {rnd.names[seat]}: {say(self.told[-1])} NAME"

    def _weigh(self, rnd: Joint, claim: Claim) -> None:
        state, at = rnd.state(self), claim.at
        assert at is not None
        fault = state.at(at.number, at.round if at.round != rnd.number else 0)
        if fault is None or not fault.waits:
            done = fault is not None and fault.ended == DECIDED
            say = f"{at.text} is {'decided' if done else 'not claimed'}"
            raise Impossible(say, f"claim NAME: {at.text} {rnd.rules.spoken(claim.weight)}")
        self._decide_or_wait(rnd, state, fault, claim.weight)

    def _decide_or_wait(self, rnd: Joint, state: State, fault: Fault, weight: str) -> None:
        """Decide what is claimed, if the choice is made; else say what it waits for."""
        words, remedy = self.words_for(rnd, fault), self.remedies[fault.remedy]
        if weight and weight not in words:
            names = listed([rnd.rules.spoken(word) for word in words], "or")
            raise Impossible(f"{rnd.rules.spoken(weight)} is no choice here: {names}")
        if not weight and (len(words) == 1 or remedy.choice == LAW):
            weight = words[0] if words else ""
        if not weight and remedy.choice == CLAIMANT:
            names = listed([rnd.rules.spoken(word) for word in words], "or")
            raise Impossible(f"who claims chooses what follows: {names}", "say it with the claim")
        if not weight:
            telling.claimed(rnd, fault, remedy, words, state.waiting()[0])
        elif fault.round:
            self._decide_earlier(rnd, fault, weight)
        else:
            self._decide(rnd, state, fault, weight)

    def words_for(self, rnd: Joint, fault: Fault) -> list[str]:
        """What may be chosen. Raises Impossible while nobody knows."""
        return list(fault.instead) if fault.round else list(self.choices(rnd, fault))

    def _decide(self, rnd: Joint, state: State, fault: Fault, weight: str) -> None:
        """What follows is done."""
        row, remedy = self.choices(rnd, fault)[weight], self.remedies[fault.remedy]
        self._check_points(fault, row)
        effects = self.deciding.effects(rnd, fault, row)
        fault.weight, fault.ended, fault.by = weight, DECIDED, len(rnd.entries())
        fault.cited = row.cite or remedy.cite
        rnd.decisions.effects[fault.by] = effects
        if not effects.taken <= rnd.decisions.taken or (effects.moved and rnd.over):
            rnd.retake(effects.taken)
        self._carry_out(rnd, effects)
        telling.decided(rnd, fault, remedy, self.deciding.told(rnd, row, effects))
        if effects.ends and effects.outcome == VOID:
            for other in state.open():
                if not other.round:
                    other.ended = MOOT
                    telling.moot(rnd, other, self.remedies[other.remedy])

    def _decide_earlier(self, rnd: Joint, fault: Fault, weight: str) -> None:
        """Something of the round before is decided: what it changes is booked here, and where this
        round would not have begun so, it is thrown in."""
        instead, before, remedy = fault.instead[weight], rnd.before, self.remedies[fault.remedy]
        fault.weight, fault.ended, fault.by = weight, DECIDED, len(rnd.entries())
        fault.cited = remedy.cite
        rnd.decisions.earlier |= {fault.number}
        thrown_in = any(_begun(instead)[key] != value for key, value in _begun(before).items())
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
        self._carry_out(rnd, effects)
        telling.earlier(rnd, fault, remedy, thrown_in)

    def choices(self, rnd: Joint, fault: Fault) -> dict[str, Consequence]:
        """What may follow of a fault, by its word. Raises Impossible while nobody knows."""
        try:
            return self.deciding.choices(rnd, fault)
        except NotSeen as error:
            raise Impossible(f"what follows hangs on it: {error.message}") from None

    def _check_points(self, fault: Fault, row: Consequence) -> None:
        if -fault.points > row.off:
            most = f"at most {row.off} may be taken off" if row.off else "no points are said here"
            raise Impossible(f"{row.word}: {most}, not {-fault.points}")

    def _remember(self, rnd: Joint, remedy: str, seat: int) -> None:
        """Keep, for the rest of the match, that this was decided against somebody."""
        kept = rnd.kept(self.name)
        times = {name: dict(counts) for name, counts in kept.get(KEPT, {}).items()}
        of, name = times.setdefault(remedy, {}), rnd.names[seat]
        of[name] = of.get(name, 0) + 1
        rnd.keep(self.name, {**kept, KEPT: times})

    def _carry_out(self, rnd: Joint, effects: Effects) -> None:
        """Let happen what was decided."""
        state = rnd.state(self)
        if effects.bars is not None:
            seat, verbs = effects.bars
            state.barred[seat] = (*state.barred.get(seat, ()), *verbs)
        if effects.against is not None:
            self._remember(rnd, *effects.against)
        if effects.due is not None and not rnd.decisions.replaying:
            rnd.decisions.due.append(effects.due)
        for code, seats, points, cite in effects.charges:
            rnd.charge(code, seats[0], points, cite)
        if effects.instead is not None and not effects.ends:
            rnd.keep(
                self.name, {**rnd.kept(self.name), **effects.instead["carry"].get(self.name, {})}
            )
        if not effects.ends or rnd.over:
            return
        if effects.rest >= 0:
            rnd.award(effects.rest)
            return
        if effects.outcome == VOID:
            rnd.void = True
            rnd.next_dealer, rnd.next_leader = rnd.dealer, rnd.leader
        elif effects.outcome == UNSCORED:
            rnd.unscored = True
        if effects.starts >= 0:
            rnd.next_leader = effects.starts
        rnd.finish()
        if effects.instead is not None:
            self._begin_instead(rnd, effects.instead)

    def _begin_instead(self, rnd: Joint, standing: Standing) -> None:
        """The next round begins as this one would have."""
        rnd.next_dealer, rnd.next_leader = standing["dealer"], standing["leader"]
        carry = standing["carry"]
        for name in {**rnd.before["carry"], **carry}:
            rnd.keep(name, carry.get(name))

    def close(self, rnd: Joint) -> None:
        """Tricks that were lost by a fault go to the other side."""
        for effects in rnd.decisions.effects.values():
            if effects.moved is not None:
                count, seats, to = effects.moved
                taken = [at for at, trick in enumerate(rnd.tricks) if trick.winner in seats]
                for at in taken[len(taken) - min(count, len(taken)) :]:
                    rnd.tricks[at] = rnd.tricks[at].won_by(to)
        kept = rnd.kept(self.name)
        if OPEN in kept:
            rest = {name: value for name, value in kept.items() if name != OPEN}
            rnd.keep(self.name, rest or None)

    def joins_finished_round(self, rnd: Joint, entry: Entry) -> bool:
        if entry.word != CLAIM or entry.value[1].at is not None:
            return True
        return self.remedies[entry.value[1].told].until not in (TAKEN_UP, SECOND)

    def left_open(self, rnd: Joint) -> list[Json]:
        if rnd.ended or rnd.void:
            return []
        return [
            {
                "remedy": fault.remedy,
                "number": fault.number,
                "text": fault.text,
                "culprit": list(fault.culprit),
                "may": fault.may,
                "claims": [seat for seat, _ in fault.claims],
                "words": self._words_or_none(rnd, fault),
            }
            for fault in rnd.state(self).open()
            if not fault.round and (fault.claims or self.remedies[fault.remedy].until in LASTING)
        ]

    def _words_or_none(self, rnd: Joint, fault: Fault) -> list[str]:
        try:
            return self.words_for(rnd, fault)
        except Impossible:
            return []

    # --- what is told

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        if state is None:
            return {}
        return {"faults": [self._described(rnd, fault) for fault in state.open()]}

    def _described(self, rnd: Joint, fault: Fault) -> Json:
        words = self._words_or_none(rnd, fault)
        return telling.described(rnd, fault, self.remedies[fault.remedy], words)

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        faults = [] if state is None else state.faults
        rows = self.remedies
        return {"faults": [telling.kept(rnd, each, rows[each.remedy], faults) for each in faults]}


def _begun(standing: Standing) -> Json:
    """How a round begins, but for tallies and for what this phase keeps."""
    carry = {name: value for name, value in standing["carry"].items() if name != Remedies.name}
    return {"dealer": standing["dealer"], "leader": standing["leader"], "carry": carry}
