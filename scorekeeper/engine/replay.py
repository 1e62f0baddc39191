"""Replay of a written round, and the record of a round in a match.

Entries are judged and their findings are reported. The replay stops only at an entry that is
unreadable or impossible.
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
        """A list that receives copies of the round, each as it was before an entry."""

        def append(self, rnd: Round, /) -> None: ...


class Replay:
    """The replay of a written round's entries.

    `rnd` is the round so far, and `played` is its record. Illegal entries without a decision are
    reported, and applied if the state allows it. An unreadable or impossible entry ends the replay.
    Later entries are stored but do not count.
    """

    def __init__(self, rnd: Round) -> None:
        """Prepare the replay of a round that has no entries yet and is waiting for `gather`."""
        self.rnd = rnd
        self.notation = notation_for(
            rnd.rules.lexicon,
            tuple(seated_names(rnd.seating.first_standing, rnd.seating.initial_players)),
        )
        # whether the match was over before this round
        self.match_over: bool = rnd.seating.first_standing["over"]
        self.played = RoundRecord(rnd.number, rnd.seating.first_standing, rnd.names)

    def take(self, texts: list[str], steps: Steps | None = None) -> None:
        """Replay these entries.

        If `steps` is given, add a copy of the round to it before each entry except the first.
        Entries that are applied together get no copies.
        """
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
        """Judge and apply entries of the current phase from `start` on, without copying the round.

        Stop before the first entry that `_take_one` must handle, and return its position.
        """
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
        """Judge and apply one entry. If it is impossible, neither this entry nor any later one
        counts."""
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
            # A rejected entry has no effect, so keep only its illegal findings.
            rnd.apply(_as_ignored(entry), [each for each in findings if each.verdict == ILLEGAL])
            played.ignored.append(count + 1)

    def _gather(self, ahead: list[Entry]) -> int:
        """Apply all facts at the beginning together, and return how many were applied.

        If one of them is wrong, return 0. The caller then applies them one by one.
        """
        rnd, facts = self.rnd, self._facts(ahead, 0)
        if not facts:
            gather(rnd, [])
            return 0
        others = (at for at, fact in enumerate(facts) if fact.type is not facts[0].type)
        same_type = facts[: next(others, len(facts))]
        # If the facts are a full deal without notes, apply all of them together. Otherwise, do so
        # only with the first facts of one type, so that notes are attached to the last of these.
        for run in (facts, same_type) if len(same_type) < len(facts) else (same_type,):
            try:
                if gather(rnd, run) or run is same_type:
                    return len(run)
            except Failure:
                pass
            rnd.setup, rnd.log = EMPTY_SETUP, EntryLog()
        begin(rnd)
        return 0

    def _gather_more(self, ahead: list[Entry], at: int) -> int:
        """Apply together all facts after the first one, and return their number.

        Return 0 if the hands are not a full deal.
        """
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
        """Return the facts from `start` on that can be applied together, up to the first fact that
        is repeated."""
        keys: set[object] = set()
        at = start
        while at < len(ahead) and may_gather(self.rnd, ahead[at]):
            keys.add(fact_key(ahead[at]))
            if len(keys) == at - start:
                break
            at += 1
        return ahead[start:at]

    def _may_follow(self, entry: Entry) -> bool:
        """Return whether an entry may be added to a finished round."""
        rnd, word = self.rnd, entry.type.word
        apply_score(rnd)  # the culprit's tally decides whether a foul may be added
        if word == "penalty" or (
            rnd.decided_by_setup and (entry.type.is_setup_fact or repeats_decision(rnd, entry))
        ):
            return True
        return rnd.rules.phase_of[word].may_follow(rnd, entry)


def replay_up_to(rnd: Round, count: int) -> Round:
    """Return the round after replaying its first `count` entries."""
    fresh = rnd.restarted()
    for entry in rnd.log.entries[:count]:
        fresh.apply(entry, judge(fresh, entry))
        if fresh.over:
            # the tallies decide whether entries may be added to a finished round
            apply_score(fresh)
    return fresh


def repeats_decision(rnd: Round, entry: Entry) -> bool:
    """Return whether an entry is a result that only repeats what the setup has decided."""
    result = entry.type.word == "result"
    return result and rnd.is_confirmed_by(dict(entry.value))


def finding_of(failure: Failure) -> Finding:
    """Return the finding for an entry that could not be judged."""
    code = "entry.unreadable" if isinstance(failure, Unreadable) else "entry.impossible"
    facts = {"message": failure.message, "hint": failure.hint}
    return Finding(code, ILLEGAL, "{message}; {hint}" if failure.hint else "{message}", facts)


def _as_ignored(entry: Entry) -> Entry:
    """Return a copy of an illegal entry, marked as logged without effect."""
    return Entry(entry.type, entry.seat, entry.value, IGNORED, entry.text)


# --- the record of a round: its entries and its score


class RoundRecord:
    """A round of a match: its entries and its score.

    `before` is the standing at its start, and `names` are the players by seat. `entries` are
    canonical texts, or the typed text if an entry could not be read. `findings` are pairs of an
    entry number (from 1) and a finding. `changes` are the tally changes by seat, or None if there
    is no score. `roles` and `sides` are the round's roles and sides. `has_errors` is true if a rule
    had no value. `failed_entry` is the number of an impossible entry, or 0. Neither that entry nor
    any later entry counts. `ignored` are the numbers of illegal entries that the state did not
    allow. They are stored and change nothing. `windows` are the opportunities for claims that were
    reported in the round. `unknown_sides` are players whose side must be known for a penalty.
    `void_reason` is the reason why a round is void ("" if none was stated), or None if the round
    counts.
    """

    __slots__ = (
        *("before", "changes", "entries", "failed_entry", "findings", "has_errors"),
        *("ignored", "lines", "names", "number", "over", "roles", "sides", "unknown_sides"),
        *("void_reason", "windows"),
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
        """Return whether an entry (number from 1) has any effect."""
        return not (0 < self.failed_entry <= entry or entry in self.ignored)

    @property
    def unscored_reason(self) -> str:
        """The reason why the finished round has no score."""
        return unscored_reason(self.has_errors, self.unknown_sides)

    @property
    def scores(self) -> dict[str, int] | None:
        """The change of each player's tally, or None if the round has no score."""
        return None if self.changes is None else dict(zip(self.names, self.changes, strict=True))

    @property
    def result_text(self) -> str:
        """The result of the round in one line.

        It contains the tally changes, or the reason why there are none, and whether the round is
        void.
        """
        if self.scores is None:
            if not self.over:
                return tr("no score yet")
            text = tr("no score: {reason}", reason=self.unscored_reason)
        else:
            text = ", ".join(f"{name} {points:+}" for name, points in self.scores.items())
        if self.void_reason is None:
            return text
        void = tr("void: {reason}", reason=self.void_reason) if self.void_reason else tr("void")
        return f"{text}; {void}"

    def update_from(self, rnd: Round, score: Score | None) -> None:
        """Update the record after the round's last entry. `score` is the round's score."""
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
    """Return why a finished round has no score.

    The ruleset has a mistake (`mistaken`), a penalty needs the sides of the players in `waits`, or
    the score depends on unseen cards.
    """
    if waits and not mistaken:
        return tr(
            "a penalty depends on the side of {names}, which is not known yet; type {form}",
            names=join_list(waits),
            form="holds NAME: CARD",
        )
    return (
        tr("the ruleset has a mistake")
        if mistaken
        else tr("cards or dice that affect the score were not seen")
    )


def void_reason(rnd: Round) -> str:
    """Return the stated reason why a round is void, or ""."""
    reasons = [
        each.value for each in rnd.log.entries if each.has_effect and each.type.word == "void"
    ]
    return str(reasons[-1] or "") if reasons else ""
