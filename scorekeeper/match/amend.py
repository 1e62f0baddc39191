"""Amendments, and the decisions that a table may make on an illegal entry.

A report compares the match before an amendment with the match after it. The report lists the
entries that became invalid and the scores that changed. It also lists the claims, choices,
penalties and decisions that depend on the changed entry. These remain recorded, and the table is
asked whether they still hold. A decision is offered only if a trial shows that it would be
accepted.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import N_, format_changes, plural, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.referee import check_row
from scorekeeper.match.public import redact
from scorekeeper.notation import DECISIONS, find_decision
from scorekeeper.notation.languages import PROGRAM_LANGUAGE
from scorekeeper.notation.notation import Translator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.match import Match
    from scorekeeper.match.status import EntryFinding
    from scorekeeper.notation import Entry

# The verbs of entries that accuse a player without naming an entry.
ACCUSING_VERBS = ("penalty", "foul")
DECISION_TEXTS = {"stands": N_("the entry stands"), "withdrawn": N_("the entry is withdrawn")}
MISTYPED = N_("the entry was mistyped")


class Amendment(NamedTuple):
    """A change to an earlier entry.

    `texts` replace the entry. If `before` is true, they are inserted in front of it. If there
    are no texts, the entry is removed. `round` and `entry` count from 1.
    """

    round: int
    entry: int
    texts: tuple[str, ...]
    before: bool = False

    @property
    def kind(self) -> str:
        """The kind of this amendment in the log: `amend`, `insert`, `remove` or `replace`."""
        if self.before:
            return "insert"
        if not self.texts:
            return "remove"
        return "amend" if len(self.texts) == 1 else "replace"

    @property
    def description(self) -> str:
        """The effect of the amendment (inserted, removed or amended) in the current language."""
        return {"insert": tr("inserted"), "remove": tr("removed")}.get(self.kind, tr("amended"))

    def old_number(self, entry: int) -> int:
        """Return the number of an entry before the amendment, or 0 if the amendment inserted it.

        `entry` is its number in the amended round after the amendment.
        """
        if entry < self.entry:
            return entry
        if entry < self.entry + len(self.texts):
            return 0
        return entry - len(self.texts) + (not self.before)

    def new_number(self, entry: int) -> int:
        """Return the number of an entry after the amendment.

        `entry` is its number in the amended round before the amendment.
        """
        if entry < self.entry or (entry == self.entry and not self.before):
            return entry
        return entry + len(self.texts) - (not self.before)


class InvalidEntry(NamedTuple):
    """An entry that an amendment made invalid, with the reason and the finding code.

    `counts` is true if the entry can still be applied. It then counts until the table decides on
    it.
    """

    round: int
    number: int
    entry: str
    reason: str
    code: str
    counts: bool


class ScoreChange(NamedTuple):
    """A round whose score changed. A score of None means that the round has no score."""

    round: int
    old: dict[str, int] | None
    new: dict[str, int] | None


class DependentEntry(NamedTuple):
    """An entry that depends on the amended entry, and the reason to ask the table about it.

    `round` and `number` locate the entry after the amendment. `counts` is true if the entry still
    counts.
    """

    round: int
    number: int
    entry: str
    counts: bool
    reason: str

    def as_json(self) -> Json:
        """Return the entry as a dictionary of JSON values."""
        return self._asdict()

    def lines(
        self,
        format_entry: Callable[[str], str] = str,
        format_sentence: Callable[[str], str] = str,
        format_input: Callable[[str], str] = str,
    ) -> list[str]:
        """Return a question about the entry, and the commands that answer the question.

        `format_entry` formats an entry, `format_sentence` a reason, and `format_input` an entry for
        the user to type.
        """
        at, out = f"{self.round}.{self.number}", f"amend {self.round}.{self.number} --remove"
        facts = {
            "at": at,
            "entry": format_entry(self.entry),
            "reason": format_sentence(self.reason),
        }
        if not self.counts:
            question = tr("{at} {entry} no longer counts: {reason}", **facts)
            how = tr(
                "correct it with {same}, or remove it with {out}", same=f"amend {at} …", out=out
            )
        else:
            question = tr("does this entry still hold? {at} {entry}: {reason}", **facts)
            same = f"amend {at} {shlex.quote(format_input(self.entry))}"
            how = tr("if it does, type {same}; if not, type {out}", same=same, out=out)
        return [question, f"  {how}"]


class AmendmentReport(NamedTuple):
    """The effects of an amendment.

    `rulings` holds the rulings on the inserted entries, and `removed` lists the removed entries.
    Among the later entries, `valid_count` are valid, `restored_count` are valid again, and
    `still_invalid_count` are still invalid.

    `reopened_rounds` maps the number of each round that is no longer finished to the number of its
    missing entry, or to 0 if the round is now in progress. `removes_round` is true if the round
    loses its only entry. `over_before_and_after` holds two flags: whether the match was finished
    before the amendment, and whether it is finished now. `dependents` lists the entries that depend
    on the amended entry.
    """

    change: Amendment
    rulings: list[Ruling]
    removed: list[str]
    invalid: list[InvalidEntry]
    valid_count: int
    restored_count: int
    still_invalid_count: int
    score_changes: list[ScoreChange]
    reopened_rounds: dict[int, int]
    removes_round: bool
    over_before_and_after: tuple[bool, bool]
    dependents: list[DependentEntry]
    is_saved: bool = False

    @property
    def is_destructive(self) -> bool:
        """True if an entry became invalid, or if an earlier round is no longer finished."""
        return bool(self.invalid or any(self.reopened_rounds.values()))

    def as_json(self) -> Json:
        """Return the report as a dictionary of JSON values."""
        scores = [
            {"round": row.round, "from": row.old, "to": row.new} for row in self.score_changes
        ]
        return {
            "saved": self.is_saved,
            "rulings": [ruling.as_json() for ruling in self.rulings],
            "removed": self.removed,
            "broken": [broken._asdict() for broken in self.invalid],
            "stands": self.valid_count,
            "restored": self.restored_count,
            "invalidated": self.still_invalid_count,
            "scores": scores,
            "reopened": list(self.reopened_rounds),
            "over": self.over_before_and_after[1],
            "resting": [each.as_json() for each in self.dependents],
        }

    def summary_line(self, format_entry: Callable[[str], str] = str) -> str:
        """Return the effect of the amendment in one line. `format_entry` formats an entry."""
        texts = [ruling.entry for ruling in self.rulings] or self.removed
        at = f"{self.change.round}.{self.change.entry}"
        return f"{self.change.description}: {at} {'; '.join(map(format_entry, texts))}"

    def lines(
        self,
        format_entry: Callable[[str], str] = str,
        format_sentence: Callable[[str], str] = str,
        format_input: Callable[[str], str] = str,
    ) -> list[str]:
        """Return lines of text that describe the consequences.

        Entries that are invalid for the same reason are grouped. `format_entry` formats an entry,
        `format_sentence` a reason, and `format_input` an entry for the user to type.
        """
        kinds = dict.fromkeys((each.code, each.counts) for each in self.invalid)
        lines = [
            line
            for kind in kinds
            for line in _describe_invalid(
                [b for b in self.invalid if kind == (b.code, b.counts)],
                format_entry,
                format_sentence,
                format_input,
            )
        ]
        fallen = {(each.round, each.number) for each in self.invalid}
        for each in self.dependents:
            if (each.round, each.number) not in fallen:
                lines += each.lines(format_entry, format_sentence, format_input)
        lines += self._count_lines()
        for number, following in self.reopened_rounds.items():
            if following:
                text = tr(
                    "round {number} is no longer finished; insert what is missing with {command}",
                    number=number,
                    command=f"amend {number}.{following} --before ENTRY",
                )
            else:
                text = tr("round {number} is no longer finished", number=number)
            lines.append(text)
        if self.removes_round:
            lines.append(
                tr("round {round} had no other entry and is removed", round=self.change.round)
            )
        lines += [
            tr(
                "round {round}: {scores} (before: {before})",
                round=row.round,
                scores=_format_scores(row.new),
                before=_format_scores(row.old),
            )
            for row in self.score_changes
        ]
        if self.over_before_and_after == (True, False):
            lines.append(tr("the match is no longer finished"))
        return lines

    def _count_lines(self) -> Iterator[str]:
        """Yield lines that count the valid, newly valid and still invalid later entries."""
        if self.valid_count:
            yield plural(
                "{count} later entry is valid",
                "{count} later entries are valid",
                self.valid_count,
            )
        elif self.invalid:
            yield tr("no later entry is valid")
        if self.restored_count:
            yield plural(
                "{count} entry is valid again",
                "{count} entries are valid again",
                self.restored_count,
            )
        if self.still_invalid_count:
            yield plural(
                "{count} entry is still invalid",
                "{count} entries are still invalid",
                self.still_invalid_count,
            )


def _describe_invalid(
    entries: list[InvalidEntry],
    format_entry: Callable[[str], str],
    format_sentence: Callable[[str], str],
    format_input: Callable[[str], str],
) -> list[str]:
    """Return two or three lines about entries that became invalid for the same reason."""
    first, more = entries[0], len(entries) - 1
    at = f"{first.round}.{first.number}"
    lines = [
        tr(
            "{at} {entry} is no longer valid: {reason}",
            at=at,
            entry=format_entry(first.entry),
            reason=format_sentence(first.reason),
        )
    ]
    if more:
        last = f"{entries[-1].round}.{entries[-1].number}"
        text = plural(
            "...and {count} more entry for the same reason; the last is {last}",
            "...and {count} more entries for the same reason; the last is {last}",
            more,
            last=last,
        )
        lines.append(f"  {text}")
    if first.counts:
        decide = decision_hint(at, format_input(first.entry))
        if more:
            text = tr("they count until you decide: {command}", command=decide)
        else:
            text = tr("it counts until you decide: {command}", command=decide)
    else:
        text = tr("none of them counts") if more else tr("it does not count")
    return [*lines, f"  {text}"]


def decision_hint(at: int | str, entry: str) -> str:
    """Return the shell command with which the table decides on an entry.

    Single quotes protect the `!` from the shell.
    """
    return tr("{command} (or !withdrawn)", command=f"amend {at} {shlex.quote(entry + ' !stands')}")


def _format_scores(scores: dict[str, int] | None) -> str:
    """Return a score as text."""
    if scores is None:
        return tr("no score")
    return ", ".join(f"{name} {points:+}" for name, points in scores.items())


# --- judging and comparing amendments


def read_place(match: Match, at: str) -> tuple[int, int]:
    """Return the round and entry numbers in a string such as `2.5`.

    A number alone, such as `5`, is an entry of the most recent round. Raises Unreadable if the
    string is not an entry number.
    """
    parts = at.split(".")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise Unreadable(
            tr("“{text}” is not the number of an entry", text=quote(at, 40)),
            tr(
                "for example: {amend} or {or_amend}",
                amend="amend 2.5 ENTRY",
                or_amend="amend 5 ENTRY",
            ),
        )
    live = match.rounds[-1].number if match.rounds else 1
    numbers = [int(part[:9]) for part in parts]
    return (live, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])


def judge_amendment(
    match: Match, change: Amendment, language: str = PROGRAM_LANGUAGE
) -> list[Ruling]:
    """Return the rulings on the entries that an amendment inserts.

    Each entry is judged at the place where it is inserted. `language` is the language in which the
    entries were typed. Raises Illegal, Unreadable and Impossible under the same conditions as
    `Match.record`.
    """
    played = match.rounds[match.find_round_index(*change[:2], change.before)]
    trial = match.copy_before_entry(played, change.entry)
    speech = Translator(trial.notation, language, now=lambda: trial.notation)
    rulings = []
    for text in (card for each in change.texts for card in _split_cards(trial, each, speech)):
        rulings.append(trial.record(speech.to_canonical(text)))
        if len(trial.rounds) > 1:
            raise Impossible(
                tr(
                    "“{entry}” cannot be inserted, because round {number} has already ended",
                    entry=rulings[-1].entry,
                    number=played.number,
                ),
                tr("insert only entries that belong to this round"),
            )
    return rulings


def _split_cards(match: Match, text: str, speech: Translator) -> list[str]:
    """Return the entries in a string. If the string is a row of cards, each card is an entry.

    Raises Unreadable if the cards after a name do not complete the trick.
    """
    row = speech.spoken_notation.split_row(text)
    if len(row) > 1:
        check_row(match.current_round, match.notation.read(speech.to_canonical(row[0])), row)
    return row


def report_amendment(
    before: Match, after: Match, change: Amendment, rulings: list[Ruling]
) -> AmendmentReport:
    """Return a report that compares a match before and after an amendment."""
    index = before.find_round_index(change.round, change.entry, change.before)
    rounds, amended = list(before.rounds), before.rounds[index]
    rescored = []
    is_removed = len(after.rounds) < len(rounds)
    if is_removed:
        del rounds[index]
        if amended.scores is not None:
            rescored.append(ScoreChange(change.round, amended.scores, None))
    pairs = list(zip(rounds, after.rounds, strict=True))
    rescored += [
        ScoreChange(b.number, a.scores, b.scores) for a, b in pairs if a.scores != b.scores
    ]
    broken: list[InvalidEntry] = []
    valid_count = restored = invalidated = 0
    for place, (old, new) in enumerate(pairs):
        own = change if place == index and not is_removed else None
        newly_invalid, restored_here = _compare_rounds(old, new, own)
        broken += newly_invalid
        restored += restored_here
        invalidated += len(_invalid_entries(new)) - len(newly_invalid)
        first = change.entry + len(change.texts) if own else 1
        if place >= index:
            valid_count += (
                len(new.entries) - first + 1 - sum(n >= first for n in _invalid_entries(new))
            )
    return AmendmentReport(
        change,
        rulings,
        [] if change.before else [amended.entries[change.entry - 1]],
        broken,
        valid_count,
        restored,
        invalidated,
        rescored,
        {
            new.number: 0 if new is after.rounds[-1] else len(new.entries) + 1
            for old, new in pairs
            if old.over and not new.over
        },
        is_removed,
        (before.over, after.over),
        find_dependents(before, after, change),
    )


def _compare_rounds(
    old: RoundRecord, new: RoundRecord, change: Amendment | None
) -> tuple[list[InvalidEntry], int]:
    """Return the entries of a round that became invalid, and how many became valid again.

    `change` is the amendment if it belongs to this round, else None.
    """
    known, troubles = _invalid_entries(old), _invalid_entries(new)
    broken: list[InvalidEntry] = []
    restored = 0
    for number in range(1, len(new.entries) + 1):
        origin = number if change is None else change.old_number(number)
        was, now = known.get(origin), troubles.get(number)
        if now is None:
            restored += was is not None
        elif was is None or (was.code, was.counts) != (now.code, now.counts):
            broken.append(now)
    return broken, restored


def _invalid_entries(played: RoundRecord) -> dict[int, InvalidEntry]:
    """Return the invalid entries of a round by number, each with its first reason."""
    invalid: dict[int, InvalidEntry] = {}
    for number, finding in played.findings:
        text, counts = played.entries[number - 1], played.counts(number)
        if finding.refuses and not (counts and find_decision(text)):
            broken = InvalidEntry(played.number, number, text, finding.reason, finding.code, counts)
            invalid.setdefault(number, broken)
    if played.failed_entry:
        first = invalid[played.failed_entry]
        why = tr(
            "no entry after {number}.{stuck} counts",
            number=played.number,
            stuck=played.failed_entry,
        )
        for number, text in enumerate(
            played.entries[played.failed_entry :], played.failed_entry + 1
        ):
            invalid[number] = first._replace(number=number, entry=text, reason=why)
    return invalid


# --- dependent entries


def find_dependents(before: Match, after: Match, change: Amendment) -> list[DependentEntry]:
    """Return the entries that depend on the changed entry.

    Only the amended round and the next one are searched.
    """
    index = before.find_round_index(change.round, change.entry, change.before)
    old = before.rounds[index]
    was = "" if change.before else old.entries[change.entry - 1]
    if change.texts == (was,) or len(after.rounds) < len(before.rounds):
        return []
    pairs = list(
        zip(before.rounds[index : index + 2], after.rounds[index : index + 2], strict=True)
    )
    speaking = [
        (played, fresh, number, entry)
        for played, fresh in pairs
        for number, entry in enumerate(before.notation_of(played).read_all(played.entries), 1)
        if _may_depend(entry) and (played is not old or change.before or number != change.entry)
    ]
    if not speaking:
        return []
    look = _DependencyCheck(before, after, change, old)
    return [
        DependentEntry(fresh.number, number, fresh.entries[number - 1], fresh.counts(number), why)
        for played, fresh, at, entry in speaking
        for number in [change.new_number(at) if played is old else at]
        if (why := look.reason(played, at, entry))
    ]


def may_depend(text: str, ruleset: Ruleset) -> bool:
    """Return whether an entry, given as canonical text, may depend on another entry."""
    verb = ruleset.entry_types.get(text.partition(" ")[0])
    may_refer = verb is not None and (verb.find_reference or verb.word in ACCUSING_VERBS)
    return bool(may_refer or find_decision(text))


def _may_depend(entry: Entry) -> bool:
    """Return whether an entry may depend on another entry."""
    return bool(entry.decision or entry.type.find_reference or entry.type.word in ACCUSING_VERBS)


class _DependencyCheck:
    """A comparison of the faults proven before an amendment with the faults proven after it."""

    def __init__(self, before: Match, after: Match, change: Amendment, old: RoundRecord) -> None:
        self.change, self.old = change, old
        self.texts = [redact(text, before.notation_of(old)) for text in old.entries]
        self.proofs_before = _Proofs(before.replay_round(old))
        index = before.rounds.index(old)
        self.proofs_after = _Proofs(after.replay_round(after.rounds[index]))

    def reason(self, played: RoundRecord, number: int, entry: Entry) -> str:
        """Return why the table must be asked about an entry, or "" if there is no reason to ask."""
        own = played is self.old
        if own and find_decision(entry.text) and number in self.proofs_before.evidence:
            still = self.change.new_number(number) in self.proofs_after.evidence
            return "" if still else tr("the entry no longer breaks a rule")
        about = next(
            filter(None, map(self._act_reason, self._referenced_acts(played, number, entry))), ""
        )
        return about or (self._points_reason(number) if own else "")

    def _points_reason(self, number: int) -> str:
        """Return the old and new points of a decision as a sentence, or "" if they are equal."""
        was = self.proofs_before.points_of(number)
        now = self.proofs_after.points_of(self.change.new_number(number))
        if was is None or now is None or was == now:
            return ""
        return tr("the points used to be {was} and are now {now}", was=was, now=now)

    def _referenced_acts(self, played: RoundRecord, number: int, entry: Entry) -> Iterator[int]:
        """Yield the numbers of the entries in the amended round to which an entry may refer."""
        if entry.type.word in ACCUSING_VERBS:
            for act in self.proofs_before.evidence:
                earlier = played is not self.old or act < number
                if earlier and self.proofs_before.entries[act - 1].seat == entry.value[0]:
                    yield act
        names = entry.type.find_reference and entry.type.find_reference(entry.value)
        if names and (names[0] or played.number) == self.old.number:
            yield names[1]

    def _act_reason(self, act: int) -> str:
        """Return a sentence on how an act or the proof against it changed, or "" if neither did."""
        number = 0 if self.change.before else self.change.entry
        at = f"{self.old.number}.{self.change.new_number(act)}"
        if act == number:
            return tr("entry {at} used to be {was}", at=at, was=self.texts[act - 1])
        evidence = self.proofs_before.evidence.get(act, set())
        if evidence and self.change.new_number(act) not in self.proofs_after.evidence:
            return tr(
                "entry {at} ({text}) is no longer proven illegal", at=at, text=self.texts[act - 1]
            )
        if number in evidence:
            at, was = f"{self.old.number}.{number}", self.texts[number - 1]
            return tr("entry {at}, which proved the fault, used to be {was}", at=at, was=was)
        return ""


class _Proofs:
    """The proven faults of a round.

    `evidence` maps the number of an illegal entry to the numbers of the entries that proved it.
    """

    def __init__(self, rnd: Round) -> None:
        self.rnd, self.entries = rnd, rnd.log.entries
        self.evidence: dict[int, set[int]] = {}
        current = {(at, finding.code) for at, finding in rnd.log.all_findings() if finding.refuses}
        for showed, at, finding in rnd.log.refused:
            if (at, finding.code) in current:
                self.evidence.setdefault(at, set()).add(showed)

    def points_of(self, number: int) -> str | None:
        """Return the points that an entry's decision awards, as text.

        Return None if the entry is not a decision.
        """
        made = self.rnd.decisions.effects.get(number)
        if made is None:
            return None
        names = self.rnd.names_of
        return format_changes(
            ("+".join(names(seats)), points) for _, seats, points, _ in made.charges
        ) or (tr("no points"))


# --- actions of the table


class Action(NamedTuple):
    """An action that the table may take, with its label.

    If `at` is an entry number such as `3.12`, the action amends that entry to `text`, or removes
    the entry if `text` is empty. If `at` is "", the action records `text` as a new entry.
    """

    label: str
    at: str
    text: str


def list_actions(match: Match, case: EntryFinding, before: Standing, last: bool) -> list[Action]:
    """Return the actions that the table may take on an illegal entry.

    `match` is the current match, and `before` the standing at the start of the entry's round.
    `last` is true if no round follows.
    """
    alone = match.copy_from(before, case.round)
    alone.play_round(case.entries)
    at = f"{case.round}.{case.number}"
    name = _actor_name(match, case.entry)
    if case.stuck:
        tried = [Action(tr("the entry is removed"), at, "")]
    elif case.fault is not None and not case.fault["ended"]:
        return [
            *_claim_actions(match, case.fault),
            Action(tr(MISTYPED), at, f"{name}: …" if name else "…"),
        ]
    else:
        tried = [
            Action(tr(DECISION_TEXTS[word]), at, f"{case.entry} !{word}") for word in DECISIONS
        ]
    actions = [each for each in tried if _may_amend(alone, case, each.text, last)]
    if name:
        actions += _penalty_actions(match, name, at)
    return [*actions, Action(tr(MISTYPED), at, f"{name}: …" if name else "…")]


def _actor_name(match: Match, text: str) -> str:
    """Return the name of the player who acts in an entry, or "" unless exactly one player acts."""
    try:
        seat = match.full_notation.read(text).seat
    except Failure:
        return ""
    return match.players[seat] if seat is not None and seat >= 0 else ""


def _may_amend(alone: Match, case: EntryFinding, text: str, last: bool) -> bool:
    """Return whether an amendment would be saved without asking for confirmation.

    `alone` is a match that contains only the amended round. If other rounds follow, the amendment
    must not change how the next round begins.
    """
    change = Amendment(case.round, case.number, (text,) if text else ())
    try:
        rulings = judge_amendment(alone, change)
        after = alone.amended(*change[:2], *(ruling.entry for ruling in rulings))
        report = report_amendment(alone, after, change, rulings)
    except Failure:
        return False
    if report.is_destructive or (report.removes_round and not last):
        return False
    return last or (not report.reopened_rounds and after.standing == alone.standing)


def _claim_actions(match: Match, fault: Json) -> Iterator[Action]:
    """Yield the actions that claim, waive or rate an open fault."""
    keys = ("round", "entry", "remedy")
    for each in match.state.get("faults", ()):
        if any(each[key] != fault[key] for key in keys):
            continue
        at, words = each["at"], (*each["choices"], *each["waits"])
        tried = [
            Action(
                tr("rated {word}", word=match.ruleset.translate_word(word)),
                "",
                f"weigh {at} {word}",
            )
            for word in words
        ]
        if not each["claimed"]:
            tried = [
                Action(
                    tr("{name} makes a claim", name=name),
                    "",
                    f"claim {name}: {at}",
                )
                for name in each["may"]
            ]
            tried.append(Action(tr("no claim is made"), "", "waive all"))
        yield from (action for action in tried if _may_record(match, action.text))


def _penalty_actions(match: Match, name: str, at: str) -> Iterator[Action]:
    """Yield the ruleset's penalties that may be recorded now."""
    for row in match.ruleset.data.get("penalties", {}):
        text = f"penalty {name}: {row} at {at}"
        if _may_record(match, text):
            yield Action(tr("penalty: {row}", row=row), "", text)


def _may_record(match: Match, text: str) -> bool:
    """Return whether an entry would be accepted now."""
    try:
        return not match.judge(text).refused
    except Failure:
        return False
