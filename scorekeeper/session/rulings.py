"""The findings of a match, and the actions that the table may take on them.

`RuledEntry` is an entry with its findings. `Faults` holds the open cases, which are faults on which
the table has not decided yet. It lists their claimants, deadlines, costs and the entries to type.

The live table, its page and `status` use public information only. The cost of a choice is also
computed from public information. Otherwise it could reveal a side that is known only from an
entered hand.
"""

from __future__ import annotations

import shlex
from itertools import permutations
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import N_, format_changes, join_list, tr
from scorekeeper.core.rulings import NOTE, REFUSE, WARN
from scorekeeper.core.text import display_width, wrap_parts, wrap_text
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.amend import list_actions
from scorekeeper.match.public import may_conceal
from scorekeeper.match.remedies import LAPSED, outcome_text
from scorekeeper.match.status import (
    PROVEN,
    TABLE_PREFIX,
    has_findings,
    list_findings,
    open_faults,
    settling_texts,
)
from scorekeeper.notation import WITHDRAWN, find_decision
from scorekeeper.session.public_round import public_history

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.amend import Action
    from scorekeeper.match.match import Match
    from scorekeeper.match.status import EntryFinding
    from scorekeeper.match.view import MatchView
    from scorekeeper.notation import Notation
    from scorekeeper.notation.notation import Translator
    from scorekeeper.store.recorder import MatchRecorder

TABLE_WIDTH = 60  # the width of the live table in columns
# number of undecided entries that are listed with actions, the latest first
MAX_OFFERED = 12

KIND_TEXTS = {REFUSE: N_("proven"), WARN: N_("warn"), NOTE: N_("note")}
LAPSED_TEXT = N_("lapsed: the entry counts")
NOTHING_FOUND = N_("no findings: every entry is known to be legal")

CLAIM, WEIGH, WAIVE = "claim", "weigh", "waive"
ON_TOLD = "told"  # the trigger in a row of [remedies] for faults that players report
OUTCOME_TEXTS = {
    "void": N_("the round is void"),
    "unscored": N_("the round counts without a score"),
    "counts": N_("play stops, and the round counts"),
}


class RuledEntry(NamedTuple):
    """An entry with its findings, the possible actions, and the facts that would settle the
    findings."""

    findings: list[EntryFinding]
    actions: list[Action]
    settling_text: str


def list_rulings(match: Match) -> list[RuledEntry]:
    """Return the findings of a whole match without actions, the latest first."""
    return _make_ruled(list_findings(match.review(), match.ruleset), match, {})


def list_public_findings(history: MatchView, match: Match) -> list[RuledEntry]:
    """Return the public findings of a match without actions, the latest first.

    `match` is the public copy of the match, beginning with the live round.
    """
    if not any(
        map(has_findings, history.summaries())
    ):  # without findings, there is no need to read the entries
        return []
    return _make_ruled(list_findings(history.review(), match.ruleset), match, {})


def list_public_rulings(history: MatchView, match: Match) -> list[RuledEntry]:
    """Return the public findings of a whole match with the possible actions, the latest first."""
    entries = [entry.findings for entry in list_public_findings(history, match)]
    before = {played.number: played.before for played in match.rounds}
    return _make_ruled(entries, match, _actions(_undecided_findings(entries), match, before))


def list_stored_rulings(stored: MatchView, desk: MatchRecorder) -> list[RuledEntry]:
    """Return the findings of a stored match with the possible actions, the latest first."""
    entries: list[list[EntryFinding]] = []
    # without findings, there is no need to read the entries
    if any(map(has_findings, stored.summaries())):
        entries = list_findings(stored.review(), desk.ruleset)
    before: dict[int, Standing] = {}
    if undecided := _undecided_findings(entries):
        rows = desk.rounds(min(each.round for each in undecided))
        before = {row.number: row.standing for row in rows}
        before |= {played.number: played.before for played in desk.match.rounds}
    return _make_ruled(entries, desk.match, _actions(undecided, desk.match, before))


def _make_ruled(
    entries: list[list[EntryFinding]], match: Match, actions: dict[tuple[int, int], list[Action]]
) -> list[RuledEntry]:
    """Return findings with their actions.

    In the live round, the facts that would settle open findings are included.
    """
    settling: dict[tuple[int, int], str] = {}
    if match.rounds:
        number = match.rounds[-1].number
        settling = {
            (number, entry): text for entry, text in settling_texts(match.live_round).items()
        }
    places = [(entry[0].round, entry[0].number) for entry in entries]
    return [
        RuledEntry(entry, actions.get(place, []), settling.get(place, ""))
        for place, entry in zip(places, entries, strict=True)
    ]


def _actions(
    undecided: list[EntryFinding], match: Match, before: Mapping[int, Standing]
) -> dict[tuple[int, int], list[Action]]:
    """Return the possible actions on each entry, by its round and entry number.

    `before` maps a round number to the standing before that round.
    """
    return {
        (each.round, each.number): list_actions(
            match, each, before[each.round], each.round == match.live_round.number
        )
        for each in undecided
        if each.round in before
    }


def _undecided_findings(entries: list[list[EntryFinding]]) -> list[EntryFinding]:
    """Return the latest undecided findings, one for each entry."""
    proven = [next(filter(_is_undecided, entry), None) for entry in entries]
    return [each for each in proven if each is not None][:MAX_OFFERED]


def _is_undecided(finding: EntryFinding) -> bool:
    """Return whether a finding is proven or claimable, and the table has not yet decided on it."""
    return finding.kind == PROVEN or (finding.fault is not None and not finding.fault["ended"])


# --- rulings as text


def table_lines(desk: MatchRecorder, speech: Translator) -> list[str]:
    """Return the public findings as lines for the live table."""
    match, past = public_history(desk.full_match())
    ruled = list_public_rulings(past, match)
    if not ruled:
        return [tr(NOTHING_FOUND)]
    notation = match.full_notation
    concealed = {verb.word for verb in notation.entry_types.values() if may_conceal(verb.syntax)}
    lines = [count_kinds(ruled)]
    for entry in ruled:
        lines += entry_lines(entry, desk.ruleset, speech)
        lines += [
            f"    {action.label}: {table_line(action, speech)}"
            for action in entry.actions
            if not _has_verb(concealed, entry.findings[0].entry, notation) or not action.at
        ]
    return lines


def _has_verb(words: Collection[str], text: str, notation: Notation) -> bool:
    """Return whether an entry has one of these verbs. Their values may contain secret cards."""
    try:
        return notation.read(text).type.word in words
    except Failure:
        return False


def count_kinds(ruled: list[RuledEntry]) -> str:
    """Return the number of findings of each kind as text."""
    kinds = [each.kind for entry in ruled for each in entry.findings]
    templates = {
        PROVEN: N_("{count} proven and undecided"),
        "group": N_("{count} on a group of plays"),
        "open": N_("{count} open"),
        "decided": N_("{count} decided"),
    }
    return ", ".join(
        tr(templates[kind], count=kinds.count(kind)) for kind in templates if kind in kinds
    )


def entry_lines(entry: RuledEntry, ruleset: Ruleset, speech: Translator) -> list[str]:
    """Return an entry and its findings as lines, without actions."""
    lines = [f"  {speech.translate_letters(text)}" for text in reasons(entry, ruleset)]
    return [heading(entry, speech.to_spoken, ruleset.translate_word), *lines]


def heading(
    entry: RuledEntry, show: Callable[[str], str], translate_word: Callable[[str], str]
) -> str:
    """Return the place, the text and the status of an entry."""
    first = entry.findings[0]
    marks = [
        *dict.fromkeys(filter(None, map(_finding_mark, entry.findings))),
        *_status_marks(entry, translate_word),
    ]
    return f"{first.round}.{first.number}  {show(first.entry)}  [{'; '.join(marks)}]"


def _finding_mark(finding: EntryFinding) -> str:
    """Return the status of a finding, to be shown in brackets, or ""."""
    if finding.stuck and finding.finding["code"].startswith("entry."):
        return tr("impossible")
    if finding.kind == "group":
        return tr("one of several entries broke a rule")
    if finding.finding["verdict"] == "open":
        return tr("open")
    if finding.finding["verdict"] == "legal":
        return ""
    word = tr(KIND_TEXTS[finding.finding["severity"] or NOTE])
    if not finding.settled_by:
        return word
    return tr("{word} by {entry}", word=word, entry=f"{finding.round}.{finding.settled_by}")


def _status_marks(entry: RuledEntry, translate_word: Callable[[str], str]) -> list[str]:
    """Return the status of an entry and the decision on it."""
    first = entry.findings[0]
    faults = _faults(entry)
    if faults:
        return [_fault_status(fault, translate_word) for fault in faults]
    decision = next((each.decision for each in entry.findings if each.decision), None)
    if decision is not None:
        texts = {"stands": tr("decided: the entry stands"), "withdrawn": tr("decided: withdrawn")}
        return [texts.get(decision, tr("decided by the table"))]
    if first.stuck:
        return [tr("no entry counts from here on")]
    if not first.counts:
        return [tr("undecided: the entry is impossible and has no effect")]
    if any(each.kind == PROVEN for each in entry.findings):
        return [tr("undecided: it counts until the table decides")]
    return [tr("the round is over")] if first.over else []


def _faults(entry: RuledEntry) -> list[Json]:
    """Return the cases that an entry opened under `[remedies]`, without duplicates."""
    faults = [finding.fault for finding in entry.findings if finding.fault is not None]
    return [fault for at, fault in enumerate(faults) if fault not in faults[:at]]


def _fault_status(fault: Json, translate_word: Callable[[str], str]) -> str:
    """Return the status of a fault."""
    if not fault["ended"]:
        return tr("to be rated") if fault["claimed"] else tr("may be claimed")
    if fault["ended"] != LAPSED:
        weight = fault["weight"]
        return tr("decided: {weight}", weight=translate_word(weight)) if weight else tr("settled")
    return (
        tr("lapsed: the entry was withdrawn")
        if find_decision(fault["text"]) == WITHDRAWN
        else tr(LAPSED_TEXT)
    )


def reasons(entry: RuledEntry, ruleset: Ruleset) -> list[str]:
    """Return the findings on an entry as sentences that cite the rules.

    The facts that would settle open findings are added.
    """
    sentences = [_finding_sentence(finding, ruleset.rules_text) for finding in entry.findings]
    sentences += [outcome_text(fault, ruleset.translate_word) for fault in _faults(entry)]
    return [text for text in (*sentences, entry.settling_text) if text]


def _finding_sentence(finding: EntryFinding, rules_text: str) -> str:
    """Return a finding as a sentence that cites its rule and paragraph."""
    from scorekeeper.ruleset.citations import cited_place

    row = finding.finding
    cite = cited_place(rules_text, row["cite"]) if row["cite"] else ""
    if row["code"].startswith(TABLE_PREFIX):
        return cite if row["facts"] else row["reason"]
    return f"{row['reason']} ({', '.join(filter(None, (row['code'], cite)))})"


def shell_command(action: Action, speech: Translator, options: str) -> str:
    """Return an action as a shell command."""
    text = speech.to_spoken(action.text)
    word = f"scorekeeper {'amend' if action.at else 'record'}{options}"
    if action.at:
        word += f" {action.at}"
    if not text:
        return f"{word} --remove"
    return f"{word}{' --' if text.startswith('-') else ''} {shlex.quote(text)}"


def table_line(action: Action, speech: Translator) -> str:
    """Return an action as a line for the live table."""
    text = speech.to_spoken(action.text)
    return f"amend {action.at} {text or '--remove'}" if action.at else text


# --- open cases


class Faults:
    """The open cases of a match, with the cost of each choice computed from public information."""

    def __init__(self, match: Match, public: Match, speech: Translator) -> None:
        self.all = (
            [] if match.shows_entries_only else open_faults(match.shown_round, public.shown_round)
        )
        self.speech = speech
        self._match = match
        claimed = [fault for fault in self.all if fault["claimed"]]
        claimed.sort(key=lambda fault: (fault["round"], fault["entry"]))
        self.next_to_weigh = claimed[0] if claimed else None  # the next case to rate

    @property
    def weigh_start(self) -> str:
        """The beginning of the entry that rates the next case, or ""."""
        return (
            ""
            if self.next_to_weigh is None
            else f"{self.speech.spoken_notation.write_word(WEIGH)} {self.next_to_weigh['at']}"
        )

    @property
    def prompt(self) -> str:
        """The prompt before the line that the user types."""
        return f"{self.weigh_start} …> " if self.weigh_start else "> "

    @property
    def weigh_forms(self) -> str:
        """The form of the entry that rates the next case, with the possible words, or ""."""
        return (
            ""
            if self.next_to_weigh is None
            else f"{self.weigh_start} {'|'.join(self._words(self.next_to_weigh))}"
        )

    def complete_line(self, line: str) -> str:
        """Return a typed line as an entry.

        If the line is only a word that rates the next case, the text of the prompt is added in
        front of it.
        """
        first = self.next_to_weigh
        word = self.speech.spoken_notation.find_meaning(line.strip())
        known = first is not None and word in (*first["choices"], *first["waits"])
        return f"{self.weigh_start} {line.strip()}" if known else line

    def _words(self, fault: Json) -> Iterator[str]:
        """Return the words for the choices, as displayed."""
        return map(
            self.speech.spoken_notation.lexicon.translate_word, (*fault["choices"], *fault["waits"])
        )

    def faults_of_ruling(self, ruling: Ruling) -> list[Json]:
        """Return the cases that a ruling's findings concern."""
        places = [
            (finding.code, finding.facts["round"], finding.facts["entry"])
            for finding in ruling.findings
            if "type" in finding.facts
        ]
        return [
            f for f in self.all if (f"remedies.{f['remedy']}", f["round"], f["entry"]) in places
        ]

    def entries(self) -> Iterator[str]:
        """Yield the entries that claim, rate or waive the open cases."""
        translate = self.speech.spoken_notation.write_word
        if self.next_to_weigh is not None:
            yield from (f"{self.weigh_start} {word}" for word in self._words(self.next_to_weigh))
        for fault in self.all:
            for name in fault["may"]:
                claim = f"{translate(CLAIM)} {name}: {fault['at']}"
                yield claim
                yield from (f"{claim} {word}" for word in self._words(fault))
        may = dict.fromkeys(name for fault in self.all for name in fault["may"])
        yield from (f"{translate(WAIVE)} {name}" for name in may)
        if may:
            yield f"{translate(WAIVE)} {translate('all')}"

    # --- claims that only players can report

    def list_told_claims(self, start: str = "", what: str = "") -> Iterator[str]:
        """Yield the possible claims about facts that only players can report.

        The claims begin with `start`. If `what` is given, they concern only that row of
        `[remedies]`.
        """
        translate, called = (
            self.speech.spoken_notation.write_word,
            self.speech.spoken_notation.lexicon.translate_word,
        )
        for row in [what] if what else self._told_rows():
            for name, of in permutations(self._match.seated_players, 2):
                text = f"{translate(CLAIM)} {name}: {called(row)} {of}"
                if text.casefold().startswith(start) and self._may_record(text):
                    yield text

    def told_claims_forms(self) -> Iterator[str]:
        """Yield the form of claims about facts that only players can report, if such claims are
        possible."""
        words = [what for what in self._told_rows() if any(self.list_told_claims(what=what))]
        if words:
            called, name = (
                map(self.speech.spoken_notation.lexicon.translate_word, words),
                tr("NAME"),
            )
            claim = self.speech.spoken_notation.write_word(CLAIM)
            yield f"{claim} {name}: {'|'.join(called)} {name}"

    def list_completions(self, line: str) -> Iterator[str]:
        """Yield completions for a line that concerns the open cases."""
        yield from self.entries()
        start = " ".join(line.casefold().split())
        if self.speech.spoken_notation.split_first_word(start)[0] == CLAIM:
            yield from self.list_told_claims(start)

    def _told_rows(self) -> Sequence[str]:
        rows = self._match.ruleset.data.get("remedies", {})
        return [name for name, row in rows.items() if ON_TOLD in row["on"]]

    def _may_record(self, text: str) -> bool:
        try:
            return not self._match.judge(self.speech.to_canonical(text)).refused
        except Failure:
            return False

    # --- open cases as lines

    def heading(self, fault: Json, short: bool = False) -> str:
        """Return the claimants and the deadline of a case as text.

        If the case has been claimed, the text states that it must be rated.
        """
        act = f"{fault['at']} ({self.speech.to_spoken(fault['text'])}), {fault['cite']}"
        if fault["claimed"]:
            return tr(
                "claimed by {names}, to be rated: {act}",
                names=join_list(fault["claimed"]),
                act=act,
            )
        names = fault["may"]
        until = tr(fault["until"])
        until = until.partition(" (")[0] if short else until
        if len(names) > 1:
            template = N_("{names} may claim {act}, each until {until}")
        else:
            template = N_("{names} may claim {act}, until {until}")
        return tr(template, names=join_list(names, "or"), act=act, until=until)

    def lines(self, fault: Json, width: int) -> Iterator[str]:
        """Yield lines with the cost of each choice and with the entries to type for the case.

        The lines are at most `width` columns wide.
        """
        if self._is_round_over(fault):
            yield from wrap_text(self._change_heading(fault), width, "  ")
        for word, cost in self._costs(fault):
            yield from wrap_text(f"{word}: {cost}", width, "  ")
        typed = [*self._typed_forms(fault)]
        if not typed:
            return
        first, indent = tr("type {entry}", entry=typed[0]), "  "
        if max(map(display_width, (first, *typed))) > width - len(
            indent
        ):  # an entry must not be divided by a line break
            yield tr("type:")
            indent = ""
        else:
            typed[0] = first
        yield from wrap_parts(typed, width, indent, " · ")

    def _is_round_over(self, fault: Json) -> bool:
        """Return whether a fault's round is finished. If so, a choice about the fault changes the
        round's score."""
        return "." in fault["at"] or self._match.shown_round.over

    def _change_heading(self, fault: Json) -> str:
        return tr("change to the score of round {round}:", round=fault["round"])

    def brief_lines(self) -> list[str]:
        """Return the claimants of all cases, followed by the costs of all choices."""
        lines = [self.heading(fault, True) for fault in self.all]
        for fault in self.all:
            costs = " · ".join(f"{word}: {cost}" for word, cost in self._costs(fault))
            if self._is_round_over(fault):
                costs = f"{self._change_heading(fault)} {costs}"
            lines.append(costs if len(self.all) == 1 else f"{fault['at']}: {costs}")
        return lines

    def _costs(self, fault: Json) -> Iterator[tuple[str, str]]:
        """Yield the word of each choice with its cost. The cost for the culprit comes first."""
        for word, called in zip(
            (*fault["choices"], *fault["waits"]), self._words(fault), strict=True
        ):
            points = fault["choices"].get(word, {})
            changes = format_changes(
                sorted(points.items(), key=lambda each: each[0] not in fault["who"])
            )
            why = self.speech.translate_letters(fault["waits"].get(word, tr("no points")))
            end = tr(OUTCOME_TEXTS[fault["outcomes"][word]]) if word in fault["outcomes"] else ""
            if end and "." in fault["at"]:
                end = tr("this round is thrown in")
            yield called, "; ".join(filter(None, (changes or why, end)))

    def _typed_forms(self, fault: Json) -> Iterator[str]:
        """Yield the entries that may be typed about a case."""
        translate = self.speech.spoken_notation.write_word
        if fault is self.next_to_weigh:
            yield self.weigh_forms
        if fault["claimed"]:
            return
        for name in fault["may"]:
            yield f"{translate(CLAIM)} {name}: {fault['at']}"
        if len(fault["may"]) > 1:
            yield from (f"{translate(WAIVE)} {name}" for name in fault["may"])
        yield f"{translate(WAIVE)} {translate('all')}"


def claim_words(ruleset: Ruleset, speech: Translator) -> list[str]:
    """Return the forms of entries that concern faults. The list is empty for a ruleset without
    remedies."""
    phase = ruleset.phases.get("remedies")
    if phase is None or not phase.entry_types:
        return []
    translate = speech.spoken_notation.write_word
    lines = (f"  {translate(verb.word)} {verb.form}: {tr(verb.doc)}" for verb in phase.entry_types)
    return [tr("If a rule was broken:"), *lines]
