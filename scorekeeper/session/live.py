"""The live table: a `Session` of open matches, each a `LiveMatch` that accepts typed lines.

Every entry is stored before it is acknowledged. Errors are logged as events of the match and are
never raised. A failure of the store is reported once. An entry that could not be stored is removed
from the match. At the next entry, the program tries to use the store again.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.rulings import Illegal, Ruling
from scorekeeper.match.public import is_secret, redact
from scorekeeper.match.status import end_report
from scorekeeper.notation import STANDS, WITHDRAWN, find_decision
from scorekeeper.session import hints, screen
from scorekeeper.session.amendments import AMEND, read_request
from scorekeeper.session.completion import (
    Completer,
    Completion,
    help_lines,
    other_forms,
    other_words,
    shorten_result,
)
from scorekeeper.session.forms import ResultForm
from scorekeeper.session.hints import Hint, command_of
from scorekeeper.session.public_round import (
    DETAIL_TEXTS,
    INDENT,
    NO_PLACE,
    Event,
    EventLog,
    LivePublicRound,
    PendingEntry,
    place_text,
)
from scorekeeper.session.rulings import TABLE_WIDTH, Faults, claim_words, table_lines
from scorekeeper.store.recorder import describe_row_for_others, describe_undone
from scorekeeper.store.rows import UncertainWrite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.engine.round import Round
    from scorekeeper.match.amend import AmendmentReport
    from scorekeeper.match.match import Match
    from scorekeeper.session.screen import TableScreen
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.rows import LogRow

# The decisions from which the table may choose for a refused entry.
CORRECT = "correct"
DECISION_WORDS = {STANDS: N_("stands"), WITHDRAWN: N_("withdrawn"), CORRECT: N_("correct")}

MAX_EXAMPLES = 4
FAULT_INDENT = len(INDENT) + 2  # indentation of the lines about a fault


class Session:
    """The open matches. One of them is active.

    `on_turn` is called when a different match becomes active. Raises ValueError if there is no
    match.
    """

    def __init__(self, desks: Iterable[MatchRecorder], language: str = "") -> None:
        self.matches = [LiveMatch(desk, language) for desk in desks]
        if not self.matches:
            raise ValueError("a session needs a match")
        self.index = 0
        self.on_turn: Callable[[int], None] = lambda at: None

    @property
    def current(self) -> LiveMatch:
        """The active match."""
        return self.matches[self.index]

    @property
    def title(self) -> str:
        """The title of the active match. If several matches are open, it includes their number."""
        others = (
            tr(" ({number} of {count} open)", number=self.index + 1, count=len(self.matches))
            if len(self.matches) > 1
            else ""
        )
        return self.current.label + others

    def turn_to_next(self) -> None:
        """Make the next open match active."""
        self.index = (self.index + 1) % len(self.matches)
        self.on_turn(self.index)

    def leave(self) -> None:
        """Release all matches when the table closes."""
        for board in self.matches:
            board.leave()

    def check_news(self) -> bool:
        """Read new entries by other users, and return whether there are any."""
        has_news = [board.check_news() for board in self.matches]
        return any(has_news)

    def enter(self, line: str) -> str:
        """Process a typed entry, or a decision on a refused entry.

        Return the part of the line that was not recorded.
        """
        board = self.current
        word = line.strip().casefold().lstrip("!/")
        if board.pending is not None:
            for decision, answer in DECISION_WORDS.items():
                if word in (decision, tr(answer)):
                    return board.correct() if decision == CORRECT else board.decide(decision)
        if self.is_amendment(line):
            return board.amend(line)
        return board.enter(board.faults.complete_line(line))

    def is_amendment(self, line: str) -> bool:
        """Return whether a line begins with the command `amend`.

        If `amend` is also an entry of the game, only `/amend` is the command.
        """
        word = (line.casefold().split() or [""])[0]
        return word == f"/{AMEND}" or (word == AMEND and not self.current.is_entry(line))

    def command(self, line: str) -> str:
        """Return the command in a line, or "".

        A word that is also an entry of the game is a command only after a slash.
        """
        word = line.strip().casefold()
        command = command_of(word.removeprefix("/"))
        return command if word.startswith("/") or not self.current.is_entry(word) else ""


class LiveMatch:
    """A match at the live table.

    `ruling` is the most recent ruling, `log` contains the events, and `pending` is the entry on
    which the table must decide. `changes` counts the changes to the screen. Until the next action,
    `failed_line` holds the line that failed and the reason. `store_error` is the reason why the
    last line was not stored completely. `uncertain` is the last action if it is unknown whether
    that action was stored.
    """

    def __init__(self, desk: MatchRecorder, language: str = "") -> None:
        self.desk = desk
        self.ruling: Ruling | None = None
        self.log = EventLog()
        self.pending: PendingEntry | None = None
        self.changes = 0
        self.failed_line: tuple[str, str] | None = None
        self.store_error: Damaged | None = None
        self.uncertain = ""
        self._needs_reload = False
        self._reported_trouble = ""
        self._public_round = LivePublicRound(desk)
        self._language = language
        self._cached_hint: tuple[tuple[int, str], Hint] | None = None
        self._cached_screen: tuple[int, TableScreen] | None = None
        self._cached_faults: tuple[int, Faults] | None = None
        self._cached_examples: tuple[int, list[str]] | None = None
        self._set_language()
        self._rebuild_log()

    @property
    def match(self) -> Match:
        """The recorded match, beginning with its live round."""
        return self.desk.match

    @property
    def public_match(self) -> Match:
        """The public copy of the match, beginning with its live round."""
        return self._public_round.public_match(self.match)

    @property
    def label(self) -> str:
        """The number and the title of the match."""
        return tr(
            "match {id}: {title}",
            id=self.desk.id,
            title=self.desk.ruleset.translate(self.desk.ruleset.title),
        )

    def screen(self) -> TableScreen:
        """Return the current screen, built from public information."""
        if self._cached_screen is None or self._cached_screen[0] != self.changes:
            screen_now = screen.make_screen(self.public_match, self.faults, playing=True)
            self._cached_screen = (
                self.changes,
                screen_now.translate(self.speech.translate_letters),
            )
        return self._cached_screen[1]

    @property
    def faults(self) -> Faults:
        """The open cases with the costs of each choice, computed from public information."""
        if self._cached_faults is None or self._cached_faults[0] != self.changes:
            self._cached_faults = (
                self.changes,
                Faults(self.public_match, self.public_match, self.speech),
            )
        return self._cached_faults[1]

    @property
    def _current_round(self) -> Round | None:
        """The round to which the next act belongs, or None after the end of the match."""
        return None if self.public_match.over else self.public_match.current_round

    def _redact(self, text: str) -> str:
        """Return an entry as the table has seen it."""
        return redact(text, self.match.full_notation)

    def _public_text(self, text: str) -> str:
        """Return an entry as the table has seen it, in the match's language."""
        return self.speech.to_spoken(self._redact(text))

    def _set_language(self) -> None:
        """Switch to the language of the match."""
        self.speech = self.desk.translator(self._language)
        self._completer = Completer(self.speech)

    # --- while typing

    def is_entry(self, text: str) -> bool:
        """Return whether a string can be read as an entry of the match."""
        try:
            self.speech.spoken_notation.read(text)
        except Failure:
            return False
        return True

    def complete(self, line: str) -> list[Completion]:
        """Return the completions of a line."""
        return self._completer.complete(self.public_match, line, self.faults.list_completions(line))

    def hint(self, line: str) -> Hint:
        """Return a hint on a line without recording the line."""
        line = self.faults.complete_line(line)
        key = (self.changes, line)
        if self._cached_hint is None or self._cached_hint[0] != key:
            self._cached_hint = (key, self._make_hint(line))
        return self._cached_hint[1]

    def _make_hint(self, line: str) -> Hint:
        try:
            texts = hints.split_entries(self.public_match, line, self.speech)
        except Unreadable as failure:
            return Hint(hints.FAILED, str(failure))
        if not texts:
            return Hint(hints.PLAIN, "")
        completions = [] if line[-1:] in ",;" else [each.text for each in self.complete(line)]
        hint = hints.make_hint(self.public_match, texts, completions, self.speech)
        word = "" if completions or hint.kind != hints.FAILED else self._completer.find_word(line)
        if word:
            return Hint(
                hints.WARNED,
                tr("{word} is not possible now; {turn}", word=word, turn=self.screen().turn),
            )
        return hint

    def form(self) -> ResultForm:
        """Return a form for the result of the round. Raises Impossible if no result can be
        entered."""
        return ResultForm(self.public_match, self.speech)

    # --- entries

    def enter(self, line: str) -> str:
        """Record the entries of a line, stopping at the first entry that is refused or fails.

        Return the rest of the line, so that the user can correct it.
        """
        self._settle()
        try:
            texts = hints.split_entries(self.match, line, self.speech)
        except Unreadable as failure:
            self._fail(line, failure.message)
            return line
        return self._record_texts(texts)

    def decide(self, decision: str) -> str:
        """Record the pending entry with a decision, and then the rest of its line.

        `decision` is `stands` or `withdrawn`. Return the part that was not recorded.
        """
        pending = self._settle()
        if pending is None:
            return ""
        refused = self.speech.to_spoken(pending.entry)
        return self._record_texts([f"{refused} !{decision}", *pending.rest])

    def correct(self) -> str:
        """Drop the pending entry, and return its line, so that the user can correct it."""
        pending = self._settle()
        return "" if pending is None else pending.line

    def _record_texts(self, texts: Sequence[str]) -> str:
        """Record entries as typed, and return the entries that were not recorded."""
        self.store_error = None
        for index, text in enumerate(texts):
            rest = ", ".join(texts[index:])
            try:
                if self._recover():
                    self._log_lines(
                        hints.PLAIN, tr("nothing was recorded; read the new messages first")
                    )
                    return rest
                ruling = self._store(text)
            except UncertainWrite as failure:
                self.store_error = failure
                self._report_uncertain(text, failure)
                return ", ".join(texts[index + 1 :])
            except Damaged as failure:
                self.store_error = failure
                self._log_lines(
                    hints.FAILED,
                    tr("NOT STORED, {entry}: {failure}", entry=text, failure=failure),
                )
                return rest
            except Failure as failure:
                public_failure = self.speech.translate_failure(self._public_failure(failure, text))
                self._log_refusal(hints.FAILED, self._error_text(text, public_failure.message))
                self.failed_line = (rest, str(public_failure))
                return rest
            if ruling.refused and not find_decision(ruling.entry):
                self.ruling = known = hints.public_ruling(ruling, self.public_match, self._redact)
                self.pending = PendingEntry(rest, known, list(texts[index + 1 :]), ruling.entry)
                self._log_refusal(hints.REFUSED, *screen.ruling_lines(known, self.speech))
                self.desk.store.set_pending_decision(self.desk.id, self.desk.last_position)
                return rest
        return ""

    def _store(self, text: str) -> Ruling:
        """Record one entry.

        Raises Unreadable or Impossible if the entry cannot be recorded. Raises Damaged if it could
        not be stored.
        """
        match = self.match
        last = match.rounds[-1] if match.rounds else None
        over, worth = (last.number, last.result_text) if last and last.over else (0, "")
        with self._storing():
            recorded = self.desk.record([text], self.speech.to_canonical)
        if recorded.failure is not None:
            raise recorded.failure
        self._log_rows(recorded.other_rows)
        (ruling,) = recorded.rulings
        if not ruling.refused or find_decision(ruling.entry):
            self._acknowledge(over)
            for played in match.rounds:
                if played.number == over and (now := played.result_text) != worth:
                    template = N_("round {number}: {now} (before: {worth})")
                    self._log_lines(hints.PLAIN, tr(template, number=over, now=now, worth=worth))
        return ruling

    def _acknowledge(self, over: int) -> None:
        """Log the last entry. If it finished a round, log the score too."""
        played, public = self.match.rounds[-1], self.public_match
        self.ruling = ruling = self._public_round.ruling
        place = (played.number, len(played.entries))
        if ruling is not None:
            self._log_ruling(ruling, place, hints.FINE)
            for fault in self.faults.faults_of_ruling(ruling):
                self._log_fault(fault)
        if public.diverged_at == place[1] and not public.is_round_over:
            self._log_lines(
                hints.NOTED, INDENT + self.speech.translate_letters(public.prompt), place=place
            )
        if played.over and played.number != over:
            self._log_round_end(played)

    def _error_text(self, text: str, why: str) -> str:
        """Return a typed line and the reason why it failed, without revealing secret cards."""
        canonical = text
        with suppress(Failure):
            canonical = self.speech.to_canonical(text)
        if not is_secret(canonical, self.match.full_notation):
            return f"{text}: {why}"
        public = self._public_text(canonical)
        for form in (text, canonical, self.speech.to_spoken(canonical)):
            why = why.replace(form, public)
        return why if why.startswith(public) else f"{public}: {why}"

    def _public_failure(self, failure: Failure, text: str) -> Failure:
        """Return the error for an impossible entry, without revealing hidden hands."""
        try:
            canonical = self.speech.to_canonical(text)
        except Failure as unreadable:
            return unreadable
        return hints.public_failure(failure, self.public_match, canonical)

    def _settle(self) -> PendingEntry | None:
        """Drop the events of refused entries and the pending entry, and return the pending
        entry."""
        pending, self.pending, self.failed_line = self.pending, None, None
        if pending is not None:
            self.desk.store.set_pending_decision(self.desk.id, None)
        self.log.remove_passing()
        self.changes += 1
        return pending

    def _fail(self, line: str, why: str) -> None:
        """Log that a line failed."""
        self._log_refusal(hints.FAILED, why)
        self.failed_line = (line, why)

    # --- corrections

    def undo(self) -> None:
        """Undo the last entry or amendment, or drop the pending entry.

        If another user has changed the match in the meantime, show the change and undo nothing.
        """
        if self.pending is not None:
            self.correct()
            return
        self._settle()
        try:
            if self._recover() or self._read_news():
                self._log_lines(
                    hints.PLAIN,
                    tr("nothing was undone; read the new messages first, then undo again"),
                )
                return
            with self._storing():
                undone = self.desk.undo_operation()
        except UncertainWrite as failure:
            self._report_uncertain("undo", failure)
        except Failure as failure:
            self._log_refusal(hints.FAILED, tr("nothing was undone: {failure}", failure=failure))
        else:
            self.ruling = None
            if undone.row.kind == "entry":
                self.log.remove_entry((undone.row.round, undone.row.number))
            else:
                self._rebuild_log()
            text = describe_undone(undone, self._public_text)
            self._log_lines(hints.NOTED, tr("undone: {entry}", entry=text))

    def amend(self, line: str) -> str:
        """Amend an earlier entry. Return the line if nothing was saved, or else "".

        Nothing is saved if the amendment is refused or makes other entries invalid without `--yes`.
        Nothing is saved either if another user has changed the match in the meantime, because entry
        numbers may have changed.
        """
        self._settle()
        try:
            if self._recover() or self._read_news():
                self._log_lines(hints.PLAIN, tr("nothing was amended; read the new messages first"))
                return line
            request = read_request(self.match, line, self.speech)
            with self._storing():
                report = request.carry_out(self.desk, self.speech.language)
        except Illegal as refused:
            self.ruling = request.public_ruling(self.desk, refused.ruling, self._redact)
            self._log_lines(
                hints.REFUSED,
                *screen.ruling_lines(self.ruling, self.speech),
                tr("nothing was amended"),
            )
            return line
        except UncertainWrite as failure:
            self._report_uncertain(line, failure)
            return ""
        except Failure as failure:
            self._fail(line, tr("nothing was amended: {failure}", failure=failure))
            return line
        self._report_amendment(report)
        return "" if report.is_saved else line

    def _report_amendment(self, report: AmendmentReport) -> None:
        """Log the effects of an amendment."""
        last = tr("nothing was amended; add --yes to amend anyway")
        if report.is_saved:
            self._rebuild_log()
            last = report.summary_line(self._public_text)
        public_text = self._public_text
        self._log_lines(
            hints.NOTED,
            *report.lines(public_text, self.speech.translate_letters, public_text),
            last,
        )

    # --- other users of the match

    def check_news(self) -> bool:
        """Read and log new entries by other users, and return whether the screen changed."""
        before = self.changes
        try:
            self._recover()
            self._read_news()
        except Failure as failure:
            self._report_trouble(failure)
        else:
            self._report_recovery()
        return self.changes != before

    def _read_news(self) -> bool:
        """Read and log new rows in the store, and return whether there are any."""
        changed = self.desk.refresh_details()
        if "language" in changed:
            self._set_language()
            self._log_lines(
                hints.NEWS,
                tr(
                    "the match's language: {language}",
                    language=self.desk.row.language or tr("none"),
                ),
            )
        for key, template in DETAIL_TEXTS.items():
            if key in changed:
                self._log_lines(hints.NEWS, tr(template, said=changed[key] or tr("none")))
        rows = self.desk.refresh()
        if any(row.kind not in ("entry", "undo") for row in rows):
            self._rebuild_log()  # an amendment may have changed the text and numbers of entries
        self._log_rows(rows)
        return bool(rows)

    def leave(self) -> None:
        """Release the match when the table closes."""
        if self.pending is not None:
            self.desk.store.set_pending_decision(self.desk.id, None)

    # --- the store

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Reload the match before the next action if the store fails inside this context."""
        try:
            yield
        except Damaged:
            self._needs_reload = True
            raise

    def _report_uncertain(self, what: str, failure: UncertainWrite) -> None:
        """Log that it is unknown whether an action was stored."""
        self.uncertain = what
        self._log_lines(
            hints.FAILED,
            tr("POSSIBLY NOT STORED, {entry}: {failure}", entry=what, failure=failure),
        )

    def _recover(self) -> bool:
        """Reload the match after a failure of the store.

        Return True if it was uncertain whether an action was stored, and this is now known. Raises
        Damaged while the store is unreadable.
        """
        if not self._needs_reload:
            return False
        doubt, outcome = self.uncertain, self.desk.resolve_last_write() if self.uncertain else ""
        if outcome == "unknown":
            raise Damaged(tr("it is still not known whether this was stored: {doubt}", doubt=doubt))
        self.desk.load()
        self._needs_reload, self.uncertain = False, ""
        self.changes += 1
        if doubt:
            stored = outcome == "recorded"
            template = N_("stored after all: {entry}") if stored else N_("NOT stored: {entry}")
            self._log_lines(hints.NEWS, tr(template, entry=doubt))
        if outcome == "recorded":
            self._rebuild_log()
        return bool(doubt)

    def _report_trouble(self, failure: Failure) -> None:
        """Log a failure of the store, but log each message only once."""
        if failure.message != self._reported_trouble:
            self._reported_trouble = failure.message
            self._log_lines(hints.FAILED, str(failure))

    def _report_recovery(self) -> None:
        """Log that the store can be used again, if a failure was logged."""
        if self._reported_trouble:
            self._reported_trouble = ""
            self._log_lines(hints.PLAIN, tr("the book can be used again"))

    # --- information on request

    def help(self) -> list[str]:
        """Return lines of help on the entries that can be typed now."""
        examples = self.examples(MAX_EXAMPLES)
        turn, now = self.screen().turn, self._current_round
        return [*help_lines(self.speech, turn, examples, self._sample_result(), now)]

    def _sample_result(self) -> str:
        """Return an example of a result in its shortest form, or ""."""
        now = self._current_round
        if now is None or now.acted or not now.result_fields():
            return ""
        from scorekeeper.match.result_line import find_result

        whole = self.speech.to_spoken(find_result(self.public_match))
        return shorten_result(now, whole, self.speech.spoken_notation) if whole else ""

    def other_words(self) -> str:
        """Return a line with the verbs that cannot be used now."""
        return other_words(self.speech, self._current_round)

    def other_forms(self) -> str:
        """Return a line with the forms of entries that cannot be used now."""
        return other_forms(self.speech, self._current_round)

    def examples(self, max_count: int) -> list[str]:
        """Return examples of different kinds of entries that would be accepted now."""
        if self._cached_examples is None or self._cached_examples[0] != self.changes:
            self._cached_examples = (
                self.changes,
                self._completer.examples(self.public_match, MAX_EXAMPLES),
            )
        return self._cached_examples[1][:max_count]

    def claim_words(self) -> list[str]:
        """Return the forms of entries that concern faults."""
        return claim_words(self.desk.ruleset, self.speech)

    def last(self) -> list[str]:
        """Return the most recent trick, bout or bids."""
        return [
            self.speech.translate_letters(line) for line in screen.last_lines(self.public_match)
        ]

    def score(self) -> list[str]:
        """Return the sheet so far."""
        try:
            return screen.score_lines(self.desk, self.public_match)
        except Failure as failure:
            return [str(failure)]

    def explain(self) -> list[str]:
        """Return the most recent ruling with the text of its paragraphs."""
        return screen.explain(self.public_match, self.ruling, self.speech)

    def rulings(self) -> list[str]:
        """Return the findings of the match, the latest first, with the possible actions."""
        self.check_news()
        try:
            return table_lines(self.desk, self.speech)
        except Failure as failure:
            return [str(failure)]

    # --- event log

    def _rebuild_log(self) -> None:
        """Log the live round again, starting with its first entry."""
        if not self.match.rounds:
            return
        played = self.match.rounds[-1]
        self.log.remove_round(played.number)
        all_findings = self.public_match.rounds[-1].findings
        for number, text in enumerate(self.match.public_entries(played).texts, 1):
            findings = [finding for at, finding in all_findings if at == number]
            self.ruling = Ruling(text, tuple(findings))
            self._log_ruling(self.ruling, (played.number, number), hints.PLAIN)
        if played.over:
            self._log_round_end(played)
        for fault in self.faults.all:
            self._log_lines(
                hints.NOTED, INDENT + self.speech.translate_letters(self.faults.heading(fault))
            )
            self._log_fault(fault)

    def _log_ruling(self, ruling: Ruling, place: tuple[int, int], kind: str) -> None:
        """Log a ruling next to its entry."""
        for event in screen.ruling_events(
            ruling, place, kind, self._public_text, self.speech.translate_letters
        ):
            self.log.add(event)
        self.changes += 1

    def _log_fault(self, fault: Json) -> None:
        """Log the cost of each choice on a fault, and the entries to type."""
        lines = self.faults.lines(fault, TABLE_WIDTH - 1 - FAULT_INDENT)
        self._log_lines(hints.NOTED, *(" " * FAULT_INDENT + line for line in lines))

    def _log_round_end(self, played: RoundRecord) -> None:
        """Log the score of a round next to the entry that finished the round."""
        place = (played.number, len(played.entries))
        headline = tr(
            "round {number} is over: {worth}", number=played.number, worth=played.result_text
        )
        public = self.public_match
        ends: list[str] = []
        if not public.shows_entries_only:
            ends = end_report(public.live_round, self._public_text, self.speech.translate_letters)
        self._log_lines(hints.PLAIN, headline, *(f"  {line}" for line in ends), place=place)
        if public.over:
            self._log_lines(hints.PLAIN, screen.turn_text(public), place=place)

    def _log_rows(self, rows: Iterable[LogRow]) -> None:
        """Log rows that other users recorded."""
        for row in rows:
            text, place = describe_row_for_others(row, self._public_text), (row.round, row.number)
            if row.kind == "undo":
                self.log.remove_entry(place)
            if row.kind == "entry":
                self._log_lines(hints.NEWS, place_text(place) + text, place=place)
            else:
                self._log_lines(hints.NEWS, text)

    def _log_refusal(self, kind: str, *lines: str) -> None:
        """Log lines that are removed at the next action."""
        for line in lines:
            self.log.add(Event(kind, line, is_passing=True))
        self.changes += 1

    def _log_lines(self, kind: str, *lines: str, place: tuple[int, int] = NO_PLACE) -> None:
        """Log lines as events of the same kind."""
        for line in lines:
            self.log.add(Event(kind, line, place))
        self.changes += 1
