"""A written round, taken as it is, and what is kept of a round of a match.

What stands in it is judged and reported, and nothing stops it but an entry that cannot be read or
cannot be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import format_count, join_list, tr
from scorekeeper.core.rulings import ILLEGAL, OPEN, Finding, worst_verdict
from scorekeeper.core.text import quote
from scorekeeper.engine.findings import findings_on, may_gather
from scorekeeper.engine.referee import judge, needs_resolving, resolve
from scorekeeper.engine.round import Round
from scorekeeper.engine.scoring import apply_score, note_ruleset_errors
from scorekeeper.engine.seating import notation_for, seated_names
from scorekeeper.engine.setup import begin, fact_key, gather, is_full_deal, is_repeated
from scorekeeper.engine.state import EMPTY_SETUP, EntryLog
from scorekeeper.notation import EVERYONE, IGNORED, Entry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from scorekeeper.core.rulings import Line
    from scorekeeper.core.sides import Sides
    from scorekeeper.core.types import Standing
    from scorekeeper.engine.phase import Role
    from scorekeeper.engine.scoring import Score
    from scorekeeper.engine.state import Window

    class Steps(Protocol):
        """Where the round before each of its entries is kept."""

        def append(self, rnd: Round, /) -> None: ...


class Replay:
    """The entries of a written round, taken one after the other.

    `rnd` is the round as far as it has come, `played` what is kept of it. What is illegal and
    undecided is reported and stands, where the state allows; what is unreadable or impossible ends
    the round: what follows is kept, but does not count.
    """

    def __init__(self, rnd: Round) -> None:
        """`rnd` has not begun, and gathers."""
        self.rnd = rnd
        self.notation = notation_for(
            rnd.rules.lexicon,
            tuple(seated_names(rnd.seating.first_standing, rnd.seating.initial_players)),
        )
        self.match_over: bool = rnd.seating.first_standing["over"]  # before this round began
        self.played = RoundRecord(rnd.number, rnd.seating.first_standing, rnd.names)

    def take(self, texts: list[str], steps: Steps | None = None) -> None:
        """Take these entries. `steps` gets a copy of the round before each of the last ones, as
        many as were taken one by one, but for the first of the round."""
        played, ahead = self.played, self.notation.read_all([] if self.match_over else texts)
        at = self._gather(ahead)
        while at < len(texts) and not played.failed_entry:
            start = at
            if steps is None and ahead:
                at = self._replay(ahead, start)
            if at == start:
                if steps is not None and at:
                    steps.append(self.rnd.copy())
                self._take_one(texts[at])
                at += 1
                if self.notation.names != self.rnd.seating.at_table:
                    self.notation = notation_for(
                        self.rnd.rules.lexicon, tuple(self.rnd.seating.at_table)
                    )
                    ahead[at:] = self.notation.read_all(texts[at:])
                if steps is None and not (self.rnd.acted or played.failed_entry):
                    at += self._gather_more(ahead, at)
        rnd = self.rnd
        played.entries += [entry.text for entry in rnd.log.entries]
        played.entries += texts[len(played.entries) :]
        score = apply_score(rnd)
        note_ruleset_errors(rnd)
        played.update_from(rnd, score)
        played.findings += rnd.log.all_findings()

    def _replay(self, entries: list[Entry], start: int) -> int:
        """Judge acts of the phase whose time it is and let them happen, from `start` on, as long as
        nothing speaks against one; give where the first stands that is left to `_take_one`."""
        rnd = self.rnd
        phase, at = rnd.phase, start
        if phase is None or rnd.over or rnd.ended or rnd.conflicts or rnd.decisions.watching:
            return start
        verbs, phase_of = rnd.rules.entry_types, rnd.rules.phase_of
        while at < len(entries) and rnd.phase is phase:
            entry = entries[at]
            verb, seat = entry.type, entry.seat
            if entry.decision or verbs.get(verb.word) is not verb:
                break
            if phase_of[verb.word] is not phase or verb.is_setup_fact or verb.may_follow_round:
                break
            if verb.is_table_entry:
                if not rnd.acted:
                    break
            elif (
                seat is None
                or seat == EVERYONE
                or (verb.needs_turn and not phase.may_act(rnd, entry))
            ):
                break
            try:
                findings = findings_on(rnd, entry)
                if findings and any(each.verdict != OPEN for each in findings):
                    break
                rnd.apply(entry, findings)
            except Failure:
                self.rnd = replay_up_to(rnd, at)
                break
            at += 1
        return at

    def _take_one(self, text: str) -> None:
        """Take an entry; if it cannot be, nothing counts from it on."""
        rnd, played, count = self.rnd, self.played, len(self.rnd.log)
        findings: list[Finding] = []
        try:
            if self.match_over:
                raise Impossible(tr("the match was over before this round"))
            entry = self.notation.read(text)
            if needs_resolving(rnd, entry):
                entry = resolve(rnd, entry, self.notation)
            if (rnd.over or rnd.ended) and not self._may_follow(entry):
                raise Impossible(tr("“{text}”: the round is over already", text=entry.text))
            findings = judge(rnd, entry, is_decided=not entry.decision)
            rnd.apply(entry, findings)
        except Failure as failure:
            self.rnd = rnd = replay_up_to(rnd, count)
            if worst_verdict(findings) != ILLEGAL:
                played.failed_entry = count + 1
                played.findings.append((count + 1, finding_of(failure)))
                return
            # Nothing came of it, so nothing is asked of it either.
            rnd.apply(_as_ignored(entry), [each for each in findings if each.verdict == ILLEGAL])
            played.ignored.append(count + 1)

    def _gather(self, ahead: list[Entry]) -> int:
        """Take the facts that a written round begins with all at once, and say how many entries
        that were. None, if anything is wrong with one of them: then they are taken one by one."""
        rnd, facts = self.rnd, self._facts(ahead, 0)
        if not facts:
            gather(rnd, [])
            return 0
        others = (at for at, fact in enumerate(facts) if fact.type is not facts[0].type)
        alike = facts[: next(others, len(facts))]
        # Of a deal as ever nothing is told. What is told of one in the middle is told when the
        # last of several hands has been said.
        for run in (facts, alike) if len(alike) < len(facts) else (alike,):
            try:
                if gather(rnd, run) or run is alike:
                    return len(run)
            except Failure:
                pass
            rnd.setup, rnd.log = EMPTY_SETUP, EntryLog()
        begin(rnd)
        return 0

    def _gather_more(self, ahead: list[Entry], at: int) -> int:
        """The same of facts that follow one which was taken alone, in a deal as ever."""
        rnd, facts = self.rnd, self._facts(ahead, at)
        if len(facts) < 2 or not is_full_deal(rnd) or any(is_repeated(rnd, fact) for fact in facts):
            return 0
        start, log = rnd.setup, rnd.log.copy()
        try:
            if gather(rnd, facts):
                return len(facts)
        except Failure:
            pass
        rnd.setup, rnd.log = start, log
        begin(rnd)
        rnd.pending_notes.clear()
        return 0

    def _facts(self, ahead: list[Entry], start: int) -> list[Entry]:
        """The facts from `start` on that may be taken at once, as far as none is said again."""
        said: set[object] = set()
        at = start
        while at < len(ahead) and may_gather(self.rnd, ahead[at]):
            said.add(fact_key(ahead[at]))
            if len(said) == at - start:
                break
            at += 1
        return ahead[start:at]

    def _may_follow(self, entry: Entry) -> bool:
        """Whether an entry belongs to the round although it is over."""
        rnd, word = self.rnd, entry.type.word
        apply_score(rnd)  # a foul joins by what its culprit has left
        if word == "penalty" or (
            rnd.decided_by_setup and (entry.type.is_setup_fact or repeats_decision(rnd, entry))
        ):
            return True
        return rnd.rules.phase_of[word].may_follow(rnd, entry)


def replay_up_to(rnd: Round, count: int) -> Round:
    """The round as it was after so many of its entries, played anew."""
    fresh = rnd.restarted()
    for entry in rnd.log.entries[:count]:
        fresh.apply(entry, judge(fresh, entry))
        if fresh.over:
            apply_score(fresh)  # what joins a round that is over looks at its tally
    return fresh


def repeats_decision(rnd: Round, entry: Entry) -> bool:
    """Whether an entry is a result that only says what the round's start has decided."""
    result = entry.type.word == "result"
    return result and rnd.is_confirmed_by(dict(entry.value))


def finding_of(failure: Failure) -> Finding:
    """The finding that stands for an entry that could not be judged."""
    code = "entry.unreadable" if isinstance(failure, Unreadable) else "entry.impossible"
    facts = {"message": failure.message, "hint": failure.hint}
    return Finding(code, ILLEGAL, "{message}; {hint}" if failure.hint else "{message}", facts)


def _as_ignored(entry: Entry) -> Entry:
    """An illegal entry that the state does not allow: it is written down and changes nothing."""
    return Entry(entry.type, entry.seat, entry.value, IGNORED, entry.text)


# --- what is kept of a round: its entries, and what they came to


class RoundRecord:
    """A round of a match: its entries, and what they were worth.

    `before` is the standing that it was opened with, `names` are those who sat there in it.
    `entries` are canonical texts (as typed where they could not be read); `findings` pairs of an
    entry's number, from 1, and a finding on it; `changes` by seat, None without a score; `roles`
    and `sides`, as the round had them, say whom its lines may be for; `has_errors`: the rules
    could not say something of it. Entry `failed_entry` (0: none) could not be: neither it nor
    what follows counts. `ignored` are the numbers of illegal entries that the state did not
    allow: each is kept, and changes nothing. `windows` are those that were told in it;
    `unknown_sides` are those of whom it must be known whose side they are on, before a penalty
    has a figure. `void_reason`: why it counts for nothing, as far as somebody has said it; None
    where it counts.
    """

    __slots__ = (
        *("before", "changes", "entries", "findings", "ignored", "lines", "has_errors", "names"),
        *(
            "number",
            "over",
            "sides",
            "roles",
            "failed_entry",
            "void_reason",
            "unknown_sides",
            "windows",
        ),
    )

    def __init__(self, number: int, before: Standing, names: list[str]) -> None:
        self.number = number
        self.before = before
        self.names = names
        self.entries: list[str] = []
        self.findings: list[tuple[int, Finding]] = []
        self.lines: list[Line] = []
        self.roles: dict[str, Role] = {}
        self.sides: Sides | None = None
        self.changes: list[int] | None = None
        self.over = self.has_errors = False
        self.failed_entry = 0
        self.void_reason: str | None = None
        self.ignored: list[int] = []
        self.windows: tuple[Window, ...] = ()
        self.unknown_sides: list[str] = []

    def counts(self, entry: int) -> bool:
        """Whether that entry, counted from 1, does anything but stand in the list."""
        return not (0 < self.failed_entry <= entry or entry in self.ignored)

    @property
    def unscored_reason(self) -> str:
        """Why a round that is over has no score."""
        return unscored_reason(self.has_errors, self.unknown_sides)

    @property
    def scores(self) -> dict[str, int] | None:
        """The change of each player's tally, or None for a round without a score."""
        return None if self.changes is None else dict(zip(self.names, self.changes, strict=True))

    @property
    def result_text(self) -> str:
        """What the round came to, in one line: the changes of the tallies, or why there are none,
        and that it counts for nothing."""
        if self.scores is None:
            if not self.over:
                return tr("no score yet")
            said = tr("no score: {reason}", reason=self.unscored_reason)
        else:
            said = ", ".join(f"{name} {points:+}" for name, points in self.scores.items())
        if self.void_reason is None:
            return said
        void = tr("void: {reason}", reason=self.void_reason) if self.void_reason else tr("void")
        return f"{said}; {void}"

    def update_from(self, rnd: Round, score: Score | None) -> None:
        """Take over what the round has come to with its last entry; `score` is its score."""
        self.has_errors, self.over, self.names = bool(rnd.ruleset_errors), rnd.over, rnd.names
        self.lines, self.changes = score if score is not None else (list(rnd.seating.lines), None)
        self.roles, self.sides = rnd.roles, rnd.sides
        self.void_reason = void_reason(rnd) if rnd.void else None
        self.windows = tuple(rnd.decisions.windows)
        self.unknown_sides = rnd.names_of(dict.fromkeys(each.seat for each in rnd.decisions.due))

    def __repr__(self) -> str:
        parts = [
            format_count(len(self.entries), "entry", "entries"),
            "over" if self.over else "goes on",
        ]
        if self.entries:
            parts.append(f"last: {quote(self.entries[-1])}")
        if self.scores is not None:
            parts.append(", ".join(f"{name} {points:+}" for name, points in self.scores.items()))
        elif self.over:
            parts.append("no score")
        if self.failed_entry:
            parts.append(f"nothing counts from entry {self.failed_entry} on")
        return f"<Played round {self.number}: {'; '.join(parts)}>"


def unscored_reason(mistaken: bool, waits: Sequence[str] = ()) -> str:
    """Why a round that is over has no score: the rules, the cards, or a penalty that waits until it
    is known whose side these are on."""
    if waits and not mistaken:
        return tr(
            "a penalty waits until it is known whose side {names} is on; type {form}",
            names=join_list(waits),
            form="holds NAME: CARD",
        )
    return tr("the ruleset has a mistake") if mistaken else tr("it would need what was not seen")


def void_reason(rnd: Round) -> str:
    """What the table has said of why a round is void; "" where it has said nothing."""
    said = [each.value for each in rnd.log.entries if each.has_effect and each.type.word == "void"]
    return str(said[-1] or "") if said else ""
