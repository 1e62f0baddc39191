"""One round: seats, who deals and leads, hands, bindings, and what happened.

The round keeps what all phases share; each phase's own state stands in `states`. Nothing here
judges: what is applied has been judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from scorekeeper.core.claims import AllOf, AnyOf, Claim, Unsure
from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.failures import Impossible
from scorekeeper.core.proofs import counted, shown
from scorekeeper.core.rulings import ILLEGAL, LEGAL, NOTE, OPEN, WARN, Finding, Line
from scorekeeper.notation import EVERYONE, WITHDRAWN
from scorekeeper.notation.syntax import Of
from scorekeeper.play.positions import MISTYPED, dealt, longest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.failures import Failure
    from scorekeeper.core.knowledge import Knowledge, Proof
    from scorekeeper.core.parties import Parties
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.compiled import Clause, Ruleset
    from scorekeeper.ruleset.vocabulary import Phase


MISRULED = "ruleset.faulty"
UNMEASURED = (AttributeError, LookupError, TypeError)


class Logged:
    """An entry of the round with its findings, which later entries may settle. `doubted`: it was
    taken back, and by the hands it cannot have been as it was said."""

    __slots__ = ("doubted", "entry", "findings")

    def __init__(self, entry: Entry, findings: list[Finding]) -> None:
        self.entry = entry
        self.findings = findings
        self.doubted = False


class Trick:
    """A trick that is complete: its number in the deal (from 1), what was laid in this order, by
    whom, who won it with which kind of card, its card points, and whether it was the last.
    `count` is how many tricks it stands for: what is claimed without play is one with no cards."""

    __slots__ = ("count", "laid", "last", "number", "points", "winner", "with_kind")

    def __init__(
        self,
        number: int,
        laid: list[tuple[int, tuple[int, ...]]],
        winner: int,
        with_kind: int,
        points: int,
        last: bool,
        count: int = 1,
    ) -> None:
        self.number = number
        self.laid = laid
        self.winner = winner
        self.with_kind = with_kind
        self.points = points
        self.last = last
        self.count = count


class Round:
    """The state of one round. Seats are numbers from 0 in the order of the names; left is next.

    `before` is the standing that the round began with and is never changed. `facts` are what
    was said before the first act; `tally` what stands on the sheet now, by seat; `roles` who won,
    lost, gained: set when the round is over, for the score rows. `phase` is the one whose time
    it is (None when the round is over). `parties` are the sides where they differ from round to
    round (None: they do not); `tricks` are those complete.
    `positioned`: the hands given are smaller than those that are dealt, so the round began in the
    middle. `conflicts` are facts of the start that do not fit together: what is wrong, and the
    verbs concerned. `placed`: the facts alone have decided the round, and others may still follow.
    """

    __slots__ = (
        "acted",
        "base",
        "before",
        "bindings",
        "carry",
        "conflicts",
        "dealer",
        "ended",
        "facts",
        "gathering",
        "knowledge",
        "leader",
        "lines",
        "log",
        "mistakes",
        "names",
        "next_dealer",
        "next_leader",
        "number",
        "over",
        "parties",
        "phase",
        "placed",
        "positioned",
        "remarks",
        "result",
        "roles",
        "rules",
        "scored",
        "seats",
        "stage",
        "states",
        "step",
        "tally",
        "tricks",
        "void",
    )

    def __init__(
        self,
        rules: Ruleset,
        names: list[str],
        number: int,
        before: Mapping[str, Any],
        gathering: bool = False,
    ) -> None:
        """`gathering`: the round waits for `gather`, and nothing else may be asked of it before."""
        self.rules = rules
        self.names = names
        self.number = number
        self.before = before
        self.facts: dict[str, Any] = {}
        self.log: list[Logged] = []
        self.gathering = gathering
        self.acted = self.over = self.placed = False
        self.conflicts: list[tuple[str, tuple[str, ...]]] = []
        self.start()

    # --- the start, made anew after each fact

    def start(self) -> None:
        """Set everything to the start of the round, as the standing and the facts have it."""
        if self.gathering:
            return
        before, facts = self.before, self.facts
        self.acted = self.over = self.placed = self.void = self.ended = False
        self.scored = True
        self.lines: list[Line] = []
        self.remarks: list[Finding] = []
        self.mistakes: set[str] = set()
        self.tricks: list[Trick] = []
        self.roles: dict[str, tuple[str, tuple[int, ...]]] = {}
        self.result: dict[str, Any] | None = None
        self.carry: dict[str, Any] = dict(before["carry"])
        self.bindings: dict[str, Any] = {}
        self.positioned = False
        self.conflicts = []
        self.base: list[int] = list(before["tally"])
        for seat, number in facts.get("standing", {}).items():
            for mate in self.sharing(seat):
                self.base[mate] = number
        self.tally: list[int] = list(self.base)
        self.step: int = self.carry.get(
            "step", -1 if self.rules.match["direction"] == "right" else 1
        )
        self.dealer: int = facts.get("dealer", before["dealer"])
        self.seats: list[int] = self.rules.seating(len(self.names), self.dealer)
        self.leader: int = self._first()
        self.next_dealer: int | None = None
        self.next_leader: int | None = None
        self.parties: Parties | None = None
        self.knowledge: Knowledge | None = self._deal() if self.rules.pack.total else None
        self.states: dict[str, Any] = {}
        self.phase: Phase | None = None
        for phase in self.rules.beside:
            self.states[phase.name] = phase.begin(self)
        self.stage = -1
        self._next_stage()
        self.advance()
        if facts:
            self._check_facts()

    def _deal(self) -> Knowledge:
        self.positioned = longest(self) < self.rules.deal_size(len(self.seats))
        return dealt(self)

    def _first(self) -> int:
        said = self.facts.get("lead")
        if said is not None and not self.out(said):
            return int(said)
        expected = self.before["leader"]
        if expected is None or ("dealer" in self.facts and self.rules.deal["dealt"]):
            return self.after(self.dealer)
        return self.following(expected, self.step) if self.out(expected) else int(expected)

    def _check_facts(self) -> None:
        """What the facts come to: whether they fit together, and what they decide."""
        for phase in self.rules.phases.values():
            phase.position(self)
        for say, _ in self.conflicts:
            self.remark("table.odds", "{odds}; nothing can happen before that fits", {"odds": say})
        self._end_decided()
        self.placed = self.over

    def place(self, word: str, value: Any) -> None:
        """Say what is so at the start; everything is made anew by it. Raises Impossible when
        somebody has acted, and for what contradicts another fact."""
        if self.acted or (self.over and not self.placed):
            raise Impossible(
                f"“{word}” is said before the first act of a round",
                "undo what came since, or say it in the next round",
            )
        decided = self.placed
        self.facts[word] = value
        self.start()
        if decided and self.placed:
            say = "said of round {round}, which its start has decided"
            self.remark("table.decided", say, {"round": self.number})

    def conflict(self, say: str, *words: str) -> None:
        """Facts of the start, said with these verbs, do not fit together as they stand."""
        self.conflicts.append((say, words))

    def sits_out(self, seat: int, so: str) -> None:
        """Something was said of who sits out: impossible if it is settled who deals, else at
        conflict."""
        name, dealer = self.names[seat], self.names[self.dealer]
        say = f"{name} sits out when {dealer} deals, and {so}"
        if "dealer" in self.facts:
            raise Impossible(say, MISTYPED)
        self.conflict(f"{say} (another: dealer NAME)", "dealer", "hand", "holds", "lead")

    def check_start(self, entry: Entry) -> None:
        """Raise Impossible for what happens while the facts of the start do not fit together."""
        if entry.verb.fact or entry.verb.aside:
            return
        say, words = self.conflicts[0]
        said = [
            f"{number} ({logged.entry.text})"
            for number, logged in enumerate(self.log, 1)
            if logged.entry.verb.word in words and logged.entry.decision != "withdrawn"
        ]
        where = f"; look at {', '.join(said)}" if said else ""
        raise Impossible(
            f"“{entry.text}”: the start does not fit together: {say}{where}",
            "say what is missing, or undo, or amend NUMBER ENTRY",
        )

    def repeats(self, entry: Entry) -> bool:
        """Whether that fact was said of this start already, if perhaps with another value."""
        whose = isinstance(entry.verb.syntax, Of)
        return any(
            entry.verb.says == logged.entry.verb.says
            and not (whose and entry.value[0] != logged.entry.value[0])
            for logged in self.log
            if logged.entry.decision != "withdrawn"
        )

    # --- seats

    def out(self, seat: int) -> bool:
        """Whether the seat is out of the match (its tally is used up), or sits out."""
        return seat not in self.seats or self.rules.is_out(self.tally[seat])

    def after(self, seat: int, step: int = 1) -> int:
        """The next seat to the left (or right, with step -1) that takes part."""
        count = len(self.names)
        for offset in range(1, count + 1):
            found = (seat + step * offset) % count
            if found in self.seats:
                return found
        return seat

    def following(self, seat: int, step: int = 1) -> int:
        """The next seat in that direction that is not out; the seat itself if nobody else is."""
        found = self.after(seat, step)
        while self.out(found) and found != seat:
            found = self.after(found, step)
        return found

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats on that seat's side, where sides are fixed by the seating; else his alone."""
        return self.rules.side_of(seat, len(self.names))

    def sharing(self, seat: int) -> tuple[int, ...]:
        """The seats whose tally is that seat's, too: his side's, or his alone."""
        return self.side(seat) if self.rules.sides["shared"] else (seat,)

    def earlier_entry(self, verbs: Iterable[str]) -> str:
        """The text of this round's first entry of one of these verbs ("" if there is none)."""
        for logged in self.log:
            if logged.entry.verb.word in verbs and logged.entry.counts:
                return logged.entry.text
        return ""

    def playing(self) -> list[int]:
        """The seats that take part and are not out, in the order of the names."""
        return [seat for seat in self.seats if not self.out(seat)]

    def base_of(self, seat: int) -> int:
        """A player's tally before what the score rows give him."""
        return self.base[seat] + sum(
            int(line.points) for line in self.lines if self.names[seat] in line.to.split("+")
        )

    def names_of(self, seats: Iterable[int]) -> list[str]:
        """The names of seats."""
        return [self.names[seat] for seat in seats]

    # --- phases

    def state(self, phase: str) -> Any:
        """The state of the phase of that name (None before its time)."""
        return self.states.get(phase)

    def _next_stage(self) -> None:
        course = self.rules.course
        self.stage += 1
        while self.stage < len(course) and not course[self.stage].needed(self):
            self.stage += 1
        if self.stage < len(course):
            self.phase = phase = course[self.stage]
            self.states[phase.name] = phase.begin(self)
        else:
            self.finish()

    def advance(self) -> None:
        """Go on to the next phase when the present one is over."""
        while self.phase is not None and self.phase.finished(self):
            self._next_stage()

    def finish(self) -> None:
        """End the round: every phase says what comes of it."""
        self.over = True
        self.phase = None
        for phase in (*self.rules.beside, *self.rules.course):
            phase.close(self)

    def _end_decided(self) -> None:
        """End the round when what was said or fined has decided the match: it is not played."""
        if self.over or self.tally == self.before["tally"]:
            return
        if self.rules.ends(self.reading()):
            self.remark("table.decided", "that decides the match", {})
            self.void = True
            self.finish()

    def waiting(self) -> list[int]:
        """The seats the game waits for, whose turn it is first."""
        phase = self.phase
        return [] if phase is None else phase.waiting(self)

    def leaders(self) -> list[int]:
        """Who is expected to start; several where that is not certain."""
        found = [self.leader]
        for phase in self.rules.course:
            if phase.name in self.states:
                found = phase.leaders(self) or found
        return found

    # --- rules

    def findings(self, entry: Entry) -> list[Finding]:
        """What the clauses say of an entry, in the ruleset's order."""
        found: list[Finding] = []
        for clause in self.rules.clauses_of.get(entry.verb.word, ()):
            try:
                result = clause.judge(self, entry)
            except ExpressionError as error:
                say = "this rule cannot be applied: {message}"
                result = Unsure({"say": say, "message": error.message})
            if result is not None:
                finding = self._finding(entry, clause, result)
                if finding is not None:
                    found.append(finding)
        if len(found) > 1 and not entry.decision and any(each.refuses for each in found):
            return [each for each in found if each.verdict != LEGAL]  # nothing comes of it to tell
        return found

    def _finding(self, entry: Entry, clause: Clause, result: Any) -> Finding | None:
        if isinstance(result, (Claim, AnyOf, AllOf)):
            kept = self.decide(result)
            if kept is True:
                return None
            verdict = OPEN if kept is None else ILLEGAL
            finding = clause.finding(verdict, self._named(entry, result.facts))
            finding.claim = result if kept is None else None
            return finding
        if isinstance(result, Unsure):
            return clause.finding(OPEN, self._named(entry, result.facts))
        return clause.finding(clause.word.verdict, self._named(entry, result))

    def _named(self, entry: Entry, facts: dict[str, Any]) -> dict[str, Any]:
        seat = entry.seat
        if "who" not in facts and seat is not None and seat >= 0:
            return {"who": self.names[seat], **facts}
        return facts

    def broken(self, entry: Entry) -> list[Finding]:
        """What the clauses prove to be wrong with an entry."""
        return [finding for finding in self.findings(entry) if finding.verdict == ILLEGAL]

    def imply(self, acts: Sequence[Entry]) -> Entry:
        """Which of these acts the entry that is happening tells of: one of them was done. The
        first that breaks no rule; if all do, the first, and what is wrong with it is a finding on
        the entry."""
        for act in acts:
            if not self.broken(act):
                return act
        found = self.broken(acts[0])
        seats = dict.fromkeys(act.seat for act in acts if act.seat is not None)
        for finding in found:
            finding.facts["who"] = " or ".join(self.names_of(seats))
        self.log[-1].findings += found
        return acts[0]

    # --- hands

    def decide(self, claim: Claim | AnyOf | AllOf) -> bool | None:
        """Whether what a rule needs of a hand is so: True, False, or None where it is open."""
        if isinstance(claim, AnyOf):
            verdicts = [self.decide(part) for part in claim.claims]
            return True if True in verdicts else None if None in verdicts else False
        if isinstance(claim, AllOf):
            verdicts = [self.decide(part) for part in claim.claims]
            return False if False in verdicts else None if None in verdicts else True
        assert self.knowledge is not None
        low, high = self.knowledge.bounds(claim.seat, claim.cards)
        if low >= claim.least and high <= claim.most:
            return True
        return False if high < claim.least or low > claim.most else None

    def _keep(self, claim: Claim | AnyOf | AllOf, ref: object) -> None:
        assert self.knowledge is not None
        if isinstance(claim, (AnyOf, AllOf)):
            parts = [(part.seat, part.cards, part.least, part.most) for part in claim.claims]
            keep = self.knowledge
            (keep.claim_any if isinstance(claim, AnyOf) else keep.claim_all)(parts, ref)
        else:
            self.knowledge.claim(claim.seat, claim.cards, claim.least, claim.most, ref)

    # --- what happens

    def add_line(self, code: str, seats: Sequence[int], points: int, cite: str = "") -> None:
        """A change of one player's tally, or of one that several share, that happens now, outside
        the score rows; never beyond what the tally may be."""
        limits, tally = self.rules.tally, self.tally[seats[0]]
        points = max(limits["least"], min(limits["most"], tally + points)) - tally
        if points:
            self.lines.append(Line(code, "+".join(self.names_of(seats)), points, cite))
            for seat in seats:
                self.tally[seat] += points

    def charge(self, code: str, seat: int, points: int, cite: str = "") -> None:
        """The same for what a player must pay, or gets, by the table's word: his side does, where
        it shares a tally. Said before the first act it is one of the facts of the start."""
        charged = (code, self.sharing(seat), points, cite)
        if self.acted or self.over or self.ended:
            self.add_line(*charged)
            return
        self.facts["charges"] = (*self.facts.get("charges", ()), charged)
        self.start()
        self.remarks.clear()

    def apply(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        """Write the entry down and let it happen; gives the findings on earlier entries that
        it settles as broken. Raises Impossible, and then nothing has changed but the log."""
        self.log.append(Logged(entry, findings))
        if entry.decision and not entry.counts:
            return self._take_back(entry) if entry.decision == WITHDRAWN else []
        if self.conflicts:
            self.check_start(entry)
        claimed = self._remember(findings) if findings else False
        verb = entry.verb
        phase = self.rules.phase_of[verb.word]
        if entry.seat is not None and entry.seat >= 0 and entry.seat not in self.seats:
            raise Impossible(f"{entry.text}: {self.names[entry.seat]} sits out this round")
        if not (verb.table or phase.name in self.states or phase.allows_out_of_phase(self, entry)):
            prompt = self.phase.prompt(self) if self.phase is not None else ""
            raise Impossible(f"{entry.text}: that is not possible yet", prompt)
        try:
            if entry.seat == EVERYONE:
                for seat in phase.everyone(self, entry):
                    phase.apply(self, entry.by(seat))
            else:
                phase.apply(self, entry)
        except ValueError as error:
            raise Impossible(f"{entry.text}: {error}") from None
        if verb.table:
            self._end_decided()
        else:
            self.acted = True
        now = self.phase
        if now is not None and now.finished(self):
            self.advance()
        knowledge = self.knowledge
        told = self.flush_remarks() if self.remarks else []
        if knowledge is None or not (claimed or knowledge.news):
            return told
        return told + self._decide_claims()

    def _take_back(self, entry: Entry) -> list[Finding]:
        """Learn from an entry that was taken back: whose the cards are that were seen. Nothing,
        where they cannot have been in these hands."""
        knowledge = self.knowledge
        if knowledge is None:
            return []
        try:
            shown = self.rules.phase_of[entry.verb.word].shown(self, entry)
            if not knowledge.may_show(shown):
                self.log[-1].doubted = True
                return []
            if self.acted:
                knowledge.show_held(shown)
                return self._decide_claims() if knowledge.news else []
            if shown:
                self.facts["shown"] = (*self.facts.get("shown", ()), *shown)
                self.start()
                self.remarks.clear()
        except ValueError as error:
            hint = "look for the entry that is mistyped"
            raise Impossible(f"“{entry.text}”: {error}", hint) from None
        return []

    def gather(self, entries: Iterable[Entry]) -> None:
        """Take several facts at once, before anything else has happened. Raises Impossible when
        one of them is, and then what was said must be taken back."""
        self.gathering = True
        try:
            for entry in entries:
                self.log.append(Logged(entry, []))
                self.rules.phase_of[entry.verb.word].apply(self, entry)
            self.gathering = False
            self.start()
            if self.remarks:
                self.flush_remarks()
        except ValueError as error:
            raise Impossible(str(error)) from None
        finally:
            self.gathering = False

    def remark(self, code: str, say: str, facts: dict[str, Any], cite: str = "") -> None:
        """Have something noted with the entry that is happening: a failed call, a warning."""
        self.remarks.append(Finding(code, LEGAL, say, facts, NOTE, cite))

    def flush_remarks(self) -> list[Finding]:
        """Put what was noted to the entry that has happened, and give it."""
        told, self.remarks = self.remarks, []
        self.log[-1].findings.extend(told)
        return told

    def _remember(self, findings: Iterable[Finding]) -> bool:
        claimed = False
        for finding in findings:
            if finding.claim is not None and self.knowledge is not None:
                self._keep(finding.claim, (len(self.log), finding))
                claimed = True
        return claimed

    def _decide_claims(self) -> list[Finding]:
        broken: list[Finding] = []
        knowledge = self.knowledge
        assert knowledge is not None
        for ref, kept, proof in knowledge.decided():
            number, finding = cast("tuple[int, Finding]", ref)
            if finding.verdict != OPEN:
                continue
            if kept:
                self.log[number - 1].findings.remove(finding)
                continue
            finding.verdict = ILLEGAL
            if number == len(self.log):  # its own cards prove it: no finding on an earlier entry
                continue
            finding.facts["entries"] = [number, len(self.log)]
            finding.facts["now"] = self.log[-1].entry.text
            finding.facts["then"] = self.log[number - 1].entry.text
            finding.facts["first"], finding.facts["second"] = number, len(self.log)
            finding.say = self._proven(finding, proof)
            broken.append(finding)
        return broken

    def _proven(self, finding: Finding, proof: Proof) -> str:
        """What is said when an earlier entry is proven to have broken a rule."""
        clause = self.rules.clauses[finding.code.partition(".")[2]]
        facts, seat = finding.facts, proof.seat
        first, second = facts["entries"]
        facts["evidence"] = (
            counted(proof, self._set_name(proof.mask), self.names[seat], first, second)
            if proof.counted
            else shown(first, second, facts["now"])
        )
        breach = clause.word.proven or f"{clause.say} ({{first}}, {{then}})"
        return breach + ": {evidence}"

    def _set_name(self, cards: int) -> str:
        """What a set of cards is called: by a phase, or one by one."""
        for phase in self.rules.course:
            name = phase.set_name(self, cards)
            if name:
                return name
        pack = self.rules.pack
        return " or ".join(pack.kinds[kind] for kind in dict.fromkeys(pack.kinds_in(cards)))

    def evaluate(self, expression: Expression, subject: Any = None) -> Any:
        """What an expression comes to; 0 where it has no value, which is told."""
        try:
            return expression(self.reading(subject))
        except ExpressionError as error:
            self.misruled(error)
            return 0

    def misruled(self, error: Failure, so: str = "") -> None:
        """The rules cannot say something that the round needs: what happened stands, the round
        has no score (or `so`), and its entry is told why, once."""
        self.scored = self.scored and bool(so)
        if error.message not in self.mistakes:
            self.mistakes.add(error.message)
            facts = {"message": error.message, "so": so or "so this round has no score"}
            say = "the ruleset has a mistake, {so}: {message}"
            self.remarks.append(Finding(MISRULED, OPEN, say, facts, WARN))

    def reading(self, subject: Any = None) -> Callable[[str], Any]:
        """How an expression reads measures of this round, about an entry or a side."""
        measures = self.rules.measures

        def get(name: str) -> Any:
            try:
                return measures[name].read(self, subject)
            except UNMEASURED:
                raise _unmeasured(name) from None

        return get

    def cached_reading(self, subject: Any = None) -> Callable[[str], Any]:
        """The same when nothing changes any more: each measure is read once."""
        measures, known = self.rules.measures, dict[str, Any]()

        def get(name: str) -> Any:
            if name not in known:
                try:
                    known[name] = measures[name].read(self, subject)
                except UNMEASURED:
                    raise _unmeasured(name) from None
            return known[name]

        return get


def _unmeasured(name: str) -> ExpressionError:
    """A measure asked of what it does not speak of, in a ruleset that an older check passed."""
    return ExpressionError(f"“{name}” has no value here")
