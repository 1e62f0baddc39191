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
    TOLD,
    Consequence,
    Remedy,
)
from scorekeeper.phases.remedies.state import DECIDED, MOOT, Fault, State
from scorekeeper.phases.remedies.syntax import Claim, ClaimSyntax, WaiveSyntax, WeighSyntax
from scorekeeper.phases.remedies.windows import Windows
from scorekeeper.ruleset.decisions import UNSCORED, VOID
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.penalties import Penalties
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.plain import Json, Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.remedies.state import Case
    from scorekeeper.ruleset.decisions import Effects
    from scorekeeper.ruleset.joint import Joint, Rules

CLAIM, WEIGH, WAIVE = "claim", "weigh", "waive"


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
        return State()

    def after_entries(self, rnd: Joint) -> None:
        self.windows.look(rnd, rnd.state(self))

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
        fault = self.fault_of(rnd, seat, claim)
        if fault not in state.faults:
            state.faults.append(fault)
        fault.claims.append((seat, number))
        fault.points = claim.points
        self._decide_or_wait(rnd, state, fault, claim.weight)

    def fault_of(self, rnd: Joint, seat: int, claim: Claim) -> Fault:
        """What a claim is about: what is known to have been wrong, what may have been, or what is
        told. Raises Impossible where nothing is known against an entry."""
        state, number = rnd.state(self), len(rnd.entries())
        if claim.at is None:
            remedy = self.remedies[claim.told]
            asked = self.windows.claimants(rnd, remedy, claim.of)
            return Fault(claim.told, number, (claim.of,), number, asked, told=True)
        found = state.at(claim.at.number)
        if found is not None:
            return found
        self._check_entry(rnd, claim)
        for finding in rnd.open_on(claim.at.number):
            open_to = self.windows.answering(finding.code)
            culprit = rnd.entries()[claim.at.number - 1].seat
            if open_to is not None and culprit is not None:
                return self.windows.fault(rnd, open_to, claim.at.number, culprit, number)
        act = rnd.entries()[claim.at.number - 1].text
        raise Impossible(
            f"nothing is known against {claim.at.text} ({act})",
            self._hint(rnd, seat),
        )

    def _check_entry(self, rnd: Joint, claim: Claim) -> None:
        assert claim.at is not None
        last = len(rnd.entries())
        if not 0 < claim.at.number <= last:
            raise Impossible(
                f"there is no entry {claim.at.text} in this round", "status --log numbers them"
            )

    def _hint(self, rnd: Joint, seat: int) -> str:
        """How to claim what the referee cannot see."""
        if not self.told:
            return ""
        say = rnd.rules.spoken
        return f"what nobody can see is told: claim {rnd.names[seat]}: {say(self.told[-1])} NAME"

    def _weigh(self, rnd: Joint, claim: Claim) -> None:
        state = rnd.state(self)
        assert claim.at is not None
        fault = state.at(claim.at.number)
        if fault is None or not fault.claims:
            raise Impossible(
                f"{claim.at.text} is not claimed", f"claim NAME: {claim.at.text} {claim.weight}"
            )
        self._decide_or_wait(rnd, state, fault, claim.weight)

    def _decide_or_wait(self, rnd: Joint, state: State, fault: Fault, weight: str) -> None:
        """Decide what is claimed, if it is the first in order and the choice is made."""
        remedy, choices = self.remedies[fault.remedy], self.choices(rnd, fault)
        if weight and weight not in choices:
            words = listed([rnd.rules.spoken(word) for word in choices], "or")
            raise Impossible(f"{rnd.rules.spoken(weight)} is no choice here: {words}")
        if not weight and (len(choices) == 1 or remedy.choice == LAW):
            weight = next(iter(choices), "")
        if not weight and remedy.choice == CLAIMANT:
            words = listed([rnd.rules.spoken(word) for word in choices], "or")
            raise Impossible(f"who claims chooses what follows: {words}", "say it with the claim")
        first = state.waiting()[0]
        if not weight:
            telling.claimed(rnd, fault, remedy, list(choices), first)
            return
        row = choices[weight]
        self._check_points(fault, row)
        effects = self.deciding.effects(rnd, fault, row)
        fault.weight, fault.ended = weight, DECIDED
        fault.by, fault.row = len(rnd.entries()), row.name
        rnd.decisions.effects[len(rnd.entries())] = effects
        if not effects.taken <= rnd.decisions.taken:
            rnd.retake(effects.taken)
        self._carry_out(rnd, effects)
        telling.decided(rnd, fault, remedy, self.deciding.told(rnd, row, effects), row.cite)
        if effects.outcome == VOID and effects.ends:
            for other in state.open():
                other.ended = MOOT
                telling.moot(rnd, other, self.remedies[other.remedy])

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
        if effects.moved is not None:
            state.moved.append(effects.moved)
        for code, seats, points, cite in effects.charges:
            rnd.charge(code, seats[0], points, cite)
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

    def close(self, rnd: Joint) -> None:
        """Tricks that were lost by a fault go to the other side."""
        for count, seats, to in rnd.state(self).moved:
            taken = [at for at, trick in enumerate(rnd.tricks) if trick.winner in seats]
            for at in taken[-count:]:
                rnd.tricks[at] = rnd.tricks[at].won_by(to)

    # --- what is told

    def describe(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        if state is None:
            return {}
        return {"faults": [self._described(rnd, fault) for fault in state.open()]}

    def _described(self, rnd: Joint, fault: Fault) -> Json:
        try:
            words = list(self.deciding.choices(rnd, fault))
        except NotSeen:
            words = []
        return telling.described(rnd, fault, self.remedies[fault.remedy], words)

    def summary(self, rnd: Joint) -> Json:
        state = rnd.state_if_begun(self)
        faults = () if state is None else state.faults
        return {"faults": [self._kept(rnd, fault) for fault in faults]}

    def _kept(self, rnd: Joint, fault: Fault) -> Json:
        effects = rnd.decisions.effects.get(fault.by)
        cite = self.deciding.rows[fault.row].cite if fault.row else ""
        return telling.kept(rnd, fault, self.remedies[fault.remedy], effects, cite)
