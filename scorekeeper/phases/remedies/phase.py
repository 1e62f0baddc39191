"""The phase in which faults are claimed and have consequences, together with its clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import NUMBER, TRUTH, NotYetKnown
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, join_list, tr
from scorekeeper.engine.measures import seats_of
from scorekeeper.engine.phase import CULPRIT, OWN, Law, Measure, Phase, View
from scorekeeper.engine.scoring import forms_for_table
from scorekeeper.notation.entry import Actor, EntryType, Timing
from scorekeeper.notation.syntax import OfPlayer
from scorekeeper.phases.remedies.claims import Claims, Windows
from scorekeeper.phases.remedies.decisions import ChoiceEffects, DecisionExecutor
from scorekeeper.phases.remedies.state import (
    CONSEQUENCE,
    DEAL,
    FOUL,
    LAPSED,
    LAW,
    OPPONENTS,
    REMEDY,
    SECOND,
    TAKEN_UP,
    TOLD,
    TRICK,
    ClaimSyntax,
    Consequence,
    Fault,
    Remedy,
    State,
    WaiveSyntax,
    WeighSyntax,
    entry_named,
    mates,
)
from scorekeeper.phases.remedies.view import (
    UNTIL_TEXTS,
    RemediesView,
    read_fault,
    remark_nothing_to_waive,
)
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import COMPILED_PHASES, beside, clause

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Json, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.phases.remedies.state import RemedyCase, RemedyClaim
    from scorekeeper.phases.remedies.view import FaultFacts

CLAIM, WEIGH, WAIVE = "claim", "weigh", "waive"
# Codes of findings that no clause produces, including faults reported by the table.
CODES = (TOLD, FOUL, "turn", "verb", "hands.group")
BARRED = "barred-verb"  # the clause word that enforces barred verbs
ENTITLED = "entitled"  # the clause word for the right to claim
OPEN_FAULTS = "open"  # carried over: faults that may still be claimed
# The message about faults that are reported too late.
LATE = N_(
    "{who} may not claim that, because {why}; the rules no longer set a consequence, so the table "
    "decides: {how}"
)


def _entry_types(
    weights: Sequence[str], told: Sequence[str], called: Callable[[str], str] = str
) -> tuple[EntryType, ...]:
    return (
        EntryType(CLAIM, OfPlayer(ClaimSyntax(weights, told, called)),
             N_("a player claims a fault"), by=Actor.TABLE,
             when=Timing.AFTER | Timing.ALWAYS, find_reference=lambda said: entry_named(said[1])),
        EntryType(WEIGH, WeighSyntax(weights, called), N_("decides a claimed fault"),
             by=Actor.TABLE, when=Timing.AFTER | Timing.ALWAYS, find_reference=entry_named),
        EntryType(WAIVE, WaiveSyntax(), N_("players waive their claims"), by=Actor.TABLE,
             when=Timing.AFTER | Timing.ALWAYS),
    )  # fmt: skip


def _has_forfeited(rnd: Round, subject: object) -> bool:
    seat = rnd.table.forfeited
    return seat >= 0 and not set(mates(rnd, seat)).isdisjoint(seats_of(subject))


@beside
class Remedies(Phase[State], Law):
    """The phase that applies the ruleset's law to faults."""

    name = "remedies"
    doc = (
        "Part of every ruleset with `[remedies]`. A fault that was recorded, proven later or"
        " reported may be claimed while its window is open. The claim then has a consequence."
    )
    clause_order = "entitled in-order"
    standard_words = clause_order
    concurrent = True
    parameters = {
        "forfeits": Parameter(
            "texts", "the verbs by which a player gives up what they might claim", []
        ),
        "errors": Parameter(
            "texts",
            "finding codes that mean an entry error, for which no claim is possible",
            [],
        ),
    }
    row_tables = {"remedies": REMEDY, "consequences": CONSEQUENCE}
    entry_types = _entry_types((), ())

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        rows = data.get("remedies")
        answered = [
            each["on"]
            for each in (rows.values() if isinstance(rows, dict) else ())
            if isinstance(each, dict) and "on" in each
        ]
        claimed = any(on != FOUL and not (isinstance(on, list) and FOUL in on) for on in answered)
        return () if claimed else cls.clause_order.split()

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        rows, named = rules.section("remedies"), rules.section("consequences")
        self.reportable = [name for name, each in rows.items() if TOLD in each["on"]]
        chosen = [name for each in rows.values() if each["choice"] != LAW for name in each["then"]]
        self.weights = list(dict.fromkeys(named[n]["as"] or n for n in chosen if n in named))
        claimed = any(FOUL not in each["on"] for each in rows.values())
        self.watches_entries = claimed
        spoken = (CLAIM, WAIVE, WEIGH) if self.weights else (CLAIM, WAIVE)
        verbs = _entry_types(self.weights, self.reportable, rules.translate_word) if claimed else ()
        self.entry_types = tuple(verb for verb in verbs if verb.word in spoken)
        self.remedies: dict[str, Remedy] = {}
        self.windows: Windows  # these three are compiled in `link`
        self.executor: DecisionExecutor
        self.claims: Claims

    def link(self) -> None:
        rules = self.rules
        self.remedies = {n: Remedy(n, row, rules) for n, row in rules.section("remedies").items()}
        rows = {n: Consequence(n, row, rules) for n, row in rules.section("consequences").items()}
        self._check_verbs("phases.remedies.forfeits", self.row["forfeits"])
        for name, row in rows.items():
            self._check_verbs(f"consequences.{name}.bars", row.bars)
        forfeits = frozenset(self.row["forfeits"])
        deciding = ChoiceEffects(self, self.remedies, rows, forfeits, rules)
        self.windows = Windows(self.remedies, deciding, self.row["errors"])
        self.executor = DecisionExecutor(self, deciding)
        self.claims = Claims(
            self, self.remedies, self.reportable, self.windows, deciding, self.executor
        )

    def check(self, trial_allowed: bool) -> None:
        """Report errors in the ruleset. These are unknown finding codes, barred verbs without a
        clause that enforces the ban, and a missing clause about the right to claim."""
        for name, row in self.rules.section("consequences").items():
            for word in self.rules.entry_types.keys() & row["bars"]:
                if BARRED not in self.rules.clause_names(word):
                    where, allowed = f"consequences.{name}.bars", f"a clause {BARRED} on {word}"
                    message = f"{where}: no clause has the word {BARRED} on “{word}”"
                    self.rules.fault(where, f"no {BARRED}", allowed, message)
        for remedy in self.remedies.values():
            for code in remedy.on:
                if code not in CODES and code.partition(".")[0] not in COMPILED_PHASES:
                    where = f"remedies.{remedy.name}.on"
                    allowed = f"{', '.join(CODES)}, or PHASE.CLAUSE"
                    self.rules.fault(where, code, allowed, f"{where}: no finding is “{code}”")
        claims = self.watches_entries and CLAIM not in self.rules.disabled_verbs
        if claims and ENTITLED not in self.rules.clause_names(CLAIM):
            message = (
                f"remedies: no clause has the word {ENTITLED}, so anybody could claim anything"
            )
            self.rules.fault("clauses", f"no {ENTITLED}", f"[clauses.{ENTITLED}]", message)

    def _check_verbs(self, where: str, words: Iterable[str]) -> None:
        for word in words:
            if word not in self.rules.entry_types and word not in self.rules.disabled_verbs:
                allowed = ", ".join(self.rules.entry_types)
                self.rules.fault(where, word, allowed, f"{where} names no verb: “{word}”")

    def words(self) -> Iterable[tuple[str, str]]:
        rows = self.rules.section("consequences").items()
        yield from ((word, word) for word in dict.fromkeys(row["as"] or name for name, row in rows))
        yield from ((name, name) for name in self.reportable)

    def named_measures(self) -> Iterator[Measure]:
        for name, kind, doc in (
            ("stands", TRUTH, "whether the act was not withdrawn at once"),
            ("since", NUMBER, "how many cards were played since the act"),
            (
                "followed",
                NUMBER,
                "how many of those cards the culprit's side played to later tricks",
            ),
            ("took", TRUTH, "whether the culprit won the trick of the act"),
            (
                "mate",
                TRUTH,
                "whether the culprit is on the declarer's side without being the declarer",
            ),
            (
                "tricks",
                NUMBER,
                "how many tricks the culprit's side has won from the trick of the act on",
            ),
            (
                "times",
                NUMBER,
                "how often the same fault was decided against the culprit before in this match",
            ),
        ):
            yield Measure(f"fault.{name}", doc, self._case_measure(name), CULPRIT, kind)
        doc = "whether a fault by a player of their side has lost them the round"
        yield Measure("own.forfeited", doc, _has_forfeited, OWN, TRUTH)

    def _case_measure(self, name: str) -> Callable[[Round, object], object]:
        def read(rnd: Round, _: object) -> object:
            case: RemedyCase | None = rnd.state(self).case
            if case is None:
                raise NotYetKnown(tr("no fault has been claimed here"))
            return getattr(case, name)

        return read

    def begin(self, rnd: Round) -> State:
        state = State()
        for left in rnd.carried(self.name).get(OPEN_FAULTS, ()) if self.watches_entries else ():
            if left["remedy"] in self.remedies:
                state.faults.append(self.claims.restore_fault(rnd, left))
        return state

    def after_entries(self, rnd: Round) -> None:
        if rnd.decisions.replaying:
            self.executor.charge_again(rnd)
            return
        if rnd.decisions.assumed:
            self.executor.correct_assumed(rnd)
        if rnd.decisions.due:
            self.executor.charge_known(rnd)
        self.windows.update(rnd, rnd.state(self))

    def consequence_of_foul(self, rnd: Round, seat: int) -> Callable[[], None] | None:
        return self.executor.prepare_foul(rnd, seat)

    # --- effects of entries

    def apply(self, rnd: Round, entry: Entry) -> None:
        effects = rnd.decisions.effects.get(len(rnd.log.entries))
        if rnd.decisions.replaying:
            if effects is not None:
                self.executor.carry_out(rnd, effects)
        elif entry.word == CLAIM:
            self.claims.claim(rnd, *entry.value)
        elif entry.word == WEIGH:
            self.claims.weigh(rnd, entry.value)
        elif not self.windows.waive(rnd, rnd.state(self), entry.value, len(rnd.log.entries)):
            remark_nothing_to_waive(rnd, entry.value)

    def close(self, rnd: Round) -> None:
        if rnd.decisions.effects:
            self.executor.finish_round(rnd)
        carried = rnd.carried(self.name) if self.watches_entries else {}
        if OPEN_FAULTS in carried:
            rest = {name: value for name, value in carried.items() if name != OPEN_FAULTS}
            rnd.carry_over(self.name, rest or None)

    def reseat(self, carried: Json, new_seats: Sequence[int | None], count: int) -> Json:
        if carried.get(OPEN_FAULTS):
            raise Impossible(
                tr("faults of the previous round may still be claimed"),
                tr("claim them first, or enter “{waive}”", waive="waive all"),
            )
        return carried

    def open_decisions(self, rnd: Round) -> list[Json]:
        return self.claims.left_open(rnd)

    def may_follow(self, rnd: Round, entry: Entry) -> bool:
        if entry.word != CLAIM or entry.value[1].at is not None:
            return True
        # Nothing is decided any more in a void round, so a report belongs to the next round.
        return not rnd.void and self.remedies[entry.value[1].told].until not in (TAKEN_UP, SECOND)

    # --- view

    def view(self, rnd: Round) -> View[Sequence[FaultFacts] | None]:
        return self._view(rnd) if self.watches_entries else View(None)

    def _view(self, rnd: Round) -> RemediesView:
        state, rows = rnd.state_if_begun(self), self.remedies
        if state is None:
            return RemediesView(None, lambda _: [])
        faults = state.faults
        facts = [read_fault(rnd, fault, rows[fault.remedy], faults) for fault in faults]
        return RemediesView(facts, lambda at: self.claims.words_or_none(rnd, faults[at]))

    def open_faults(self, rnd: Round) -> list[Json]:
        return self._view(rnd).open_faults()

    def all_faults(self, rnd: Round) -> list[Json]:
        return self._view(rnd).all_faults()


# --- the clauses


@clause(
    ENTITLED,
    "remedies",
    on=("claim",),
    say=N_("{who} may not claim that, because {why}"),
    doc=(
        "A player may claim a fault only if the rules give them that right, and only until the "
        "right ends. The claimed entry must have broken a rule, or it must be possible that it "
        "did."
    ),
)
def _entitled(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Remedies)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        seat, claim = entry.value
        try:
            fault = phase.claims.fault_of(rnd, seat, claim, len(rnd.log.entries) + 1)
        except Impossible as failure:
            if claim.at is not None and (claim.at.round or claim.at.number > len(rnd.log.entries)):
                raise
            return Breach({"who": rnd.names[seat], "why": failure.message})
        why = _reason_not_entitled(rnd, seat, fault, phase.remedies[fault.remedy])
        if why and fault.is_reported and seat in fault.closed_for:
            return Breach({"who": rnd.names[seat], "why": why, "how": forms_for_table(rules)}, LATE)
        return Breach({"who": rnd.names[seat], "why": why}) if why else None

    return judge


def _reason_not_entitled(rnd: Round, seat: int, fault: Fault, remedy: Remedy) -> str:
    """Return the reason why the seat may not claim a fault, or "" if it may."""
    if fault.ended == LAPSED and seat in fault.closed_for:
        return _reason_closed(rnd, fault, seat, remedy)
    if fault.ended:
        what = f" ({fault.weight})" if fault.weight else ""
        return tr("{act} has been settled{what}", act=fault.act_text, what=what)
    if seat not in fault.entitled:
        if seat not in rnd.seats:
            return tr("they sit out this round")
        if seat in fault.culprit:
            return tr("they did it themselves")
        if OPPONENTS in (remedy.who.first, remedy.who.other):
            return tr("they are known to be on the culprit's side")
        return tr("only {names} may claim it", names=join_list(rnd.names_of(fault.entitled), "or"))
    return _reason_closed(rnd, fault, seat, remedy) if seat in fault.closed_for else ""


def _reason_closed(rnd: Round, fault: Fault, seat: int, remedy: Remedy) -> str:
    """Return the reason why the window has closed for a seat."""
    number = fault.closed_for[seat]
    if not number:
        return tr("they have played on in round {round}", round=fault.round)
    entry = rnd.log.entries[number - 1]
    own = seat in rnd.acting_seats(number) and remedy.until not in (SECOND, TRICK, DEAL)
    until = ""
    if number == fault.lapsed_at:
        message = N_("under the rules, no player can claim it any more ({number}, {text})")
    elif entry.type.word == WAIVE:
        message = N_("they have waived it ({number}, {text})")
    elif own or fault.round:
        message = N_("they have played on since ({number}, {text})")
    elif rnd.ended:
        message = N_("the match is over ({number}, {text})")
    else:
        message = N_("it could be claimed only until {until} ({number}, {text})")
        until = tr(UNTIL_TEXTS[remedy.until])
    return tr(message, number=number, text=entry.text, until=until)


@clause(
    "in-order",
    "remedies",
    on=("claim", "weigh"),
    say=N_("{first} happened earlier and must be decided first"),
    doc=("Claimed faults must be decided in the order in which they happened."),
)
def _in_order(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Remedies)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        claim: RemedyClaim = entry.value if entry.word == WEIGH else entry.value[1]
        waiting, at = rnd.state(phase).waiting_faults(), claim.at
        if not waiting or at is None or not claim.weight:
            return None
        first = waiting[0]
        asked = (at.number, at.round if at.round != rnd.number else 0)
        if entry.word == WEIGH and asked not in [(each.number, each.round) for each in waiting]:
            return None  # the fault cannot be decided at all
        if asked == (first.number, first.round) or (not asked[1] and asked[0] < first.number):
            return None
        return Breach({"first": first.act_text})

    return judge


@clause(
    BARRED,
    "remedies",
    say=N_("because of an earlier fault, {who} may not do that in this round any more"),
    doc=(
        "A player may not use a verb that a consequence has taken away from them (key "
        "`bars`). `on` lists the verbs that this clause checks."
    ),
)
def _barred_verb(row: Row, rules: Ruleset) -> Judge:
    phase = rules.phase(Remedies)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        barred = rnd.state(phase).barred_verbs.get(-1 if entry.seat is None else entry.seat, ())
        return Breach({}) if entry.word in barred else None

    return judge
