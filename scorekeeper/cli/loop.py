"""Line-by-line entry outside the live table: the `record` loop and result forms.

The loop reads a line and prints its ruling until the user leaves. If the system has readline, lines
can be edited, Tab completes entries, and earlier lines can be recalled. Earlier lines are stored in
a file next to the book, except lines with hidden cards.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from scorekeeper.cli.common import FINE, print_lines, print_notes, report_failure
from scorekeeper.cli.output import is_no, is_yes
from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.match.match import Match
from scorekeeper.notation.syntax import clean
from scorekeeper.session.hints import COMMANDS, command_of
from scorekeeper.session.live import LiveMatch
from scorekeeper.store.files import check_no_database

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.notation.notation import Translator
    from scorekeeper.store.recorder import MatchRecorder

LOOP_COMMANDS = (
    "help",
    "undo",
    "last",
    "score",
    "result",
    "quit",
)  # words that the loop treats as commands

HISTORY_SUFFIX = ".history"  # appended to the book's file name
MAX_HISTORY = 500


class RecordLoop:
    """A loop that reads lines and records them in a match.

    `record_lines` records lines, `turn_line` returns whose turn it is, and `ask_result` asks for a
    result. `history` contains the earlier lines, oldest first, except lines with hidden cards.
    """

    def __init__(
        self,
        recorder: MatchRecorder,
        record_lines: Callable[[list[str]], int],
        turn_line: Callable[[], str],
        ask_result: Callable[[], int],
    ) -> None:
        self.recorder, self.record_lines, self.turn_line, self.ask_result = (
            recorder,
            record_lines,
            turn_line,
            ask_result,
        )
        self.live = LiveMatch(recorder)
        self.translator = self.live.speech
        path = getattr(recorder.store, "path", None)
        self._path = f"{path}{HISTORY_SUFFIX}" if path else ""
        self.history = self._load_history()
        self._add_to_readline: Callable[[str], object] = str
        self._set_up_readline()

    def run(self) -> int:
        """Read and record lines until an empty line, "quit" or the end of input. Return the exit
        code."""
        print_notes(
            tr("type what happens; undo removes the last entry, and an empty line ends the program")
        )
        print_lines(self.turn_line())
        while True:
            sys.stdout.flush()
            try:
                line = input("> ").strip()
            except EOFError:
                return FINE
            command = self._command(line)
            if not line or command == "quit":
                return FINE
            try:
                self._run_command(command) if command else self._enter(line)
            except Failure as failure:
                report_failure(self.translator.translate_failure(failure))
            self.live.changes += 1

    def _command(self, line: str) -> str:
        """Return the command named by a line, or "" for an entry."""
        command = command_of(line.casefold().removeprefix("/"))
        if command not in LOOP_COMMANDS:
            return ""
        entry = command != "undo" and not line.startswith("/") and self.live.is_entry(line)
        return "" if entry else command

    def _run_command(self, command: str) -> None:
        if command == "undo":
            undone = self.translator.echo(self.recorder.undo())
            print_lines(tr("undone: {entry}", entry=undone), self.turn_line())
        elif command == "help":
            known = [f"{tr(word)}: {tr(COMMANDS[word])}" for word in LOOP_COMMANDS]
            print_lines(*self.live.help(), *known, self.live.other_forms())
        elif command == "result":
            self.ask_result()
        else:
            print_lines(*getattr(self.live, command)())

    def _enter(self, line: str) -> None:
        self._add_to_readline(line)
        self.record_lines([line])
        self._save_to_history(line)

    # --- input line

    def _set_up_readline(self) -> None:
        """Make lines editable and load earlier lines, if the system has readline."""
        try:
            import readline
        except ImportError:
            return
        readline.set_auto_history(False)
        for line in self.history:
            readline.add_history(line)
        self._add_to_readline = readline.add_history
        readline.set_completer_delims("")
        readline.set_completer(self._complete)
        readline.parse_and_bind("tab: complete")

    def _complete(self, line: str, number: int) -> str | None:
        candidates = self.live.complete(line)
        if number >= len(candidates):
            return None
        return line[: len(line) - candidates[number].length] + candidates[number].text

    # --- history

    def _load_history(self) -> list[str]:
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            return []
        return [line for line in lines if line.isprintable()][-MAX_HISTORY:]

    def _save_to_history(self, line: str) -> None:
        """Add a line to the history and save it, unless the line shows hidden cards."""
        if not self._is_public(line):
            return
        self.history = [*self.history, line][-MAX_HISTORY:]
        if not self._path:
            return
        try:
            check_no_database(self._path)  # the file with this name may be a book
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(os.open(self._path, flags, 0o600), "w", encoding="utf-8") as file:
                file.write("".join(f"{each}\n" for each in self.history))
        except (OSError, Failure):
            self._path = ""

    def _is_public(self, line: str) -> bool:
        speech, hide = self.translator, self.translator.canonical_notation.hide_cards
        try:
            texts = [
                speech.canonical_notation.read(speech.to_canonical(text)).text
                for text in speech.spoken_notation.split_line(line)
            ]
        except Failure:
            return False
        return line.isprintable() and all(hide(text) == text for text in texts)


# --- result form


def ask_result_entry(match: Match, translator: Translator) -> str | None:
    """Ask for the fields of a result. Return the `result` entry, or None if the user cancels.

    At a terminal, each question is repeated until its answer is valid. Otherwise, each line of
    standard input is an answer, and the first wrong answer raises Unreadable.
    """
    if not match.current_round.result_fields():
        raise Unreadable(tr("in this game, the result of a whole round cannot be entered"))
    if sys.stdin.isatty():
        return _fill_form(match, translator)
    text = f"result {' '.join(_ask_fields(match))}".strip()
    canonical = translator.to_canonical(text)
    print_notes(translator.translate_letters(match.judge(canonical).text))
    print_notes(_result_worth(match, canonical))
    return text


def _fill_form(match: Match, translator: Translator) -> str | None:
    from scorekeeper.session.forms import ResultForm
    from scorekeeper.session.hints import REFUSED

    form = ResultForm(match, translator)
    while True:
        while not form.is_done:
            print_notes(form.question)
            if not form.enter(_read_edited_line()):
                print_notes(tr("nothing was recorded"))
                return None
            if form.error:
                print_notes(form.error)
        hint = form.preview()
        print_notes(f"{form.text}: {hint.text}")
        if hint.kind == REFUSED:
            form.go_to_faulty_field()
            continue
        if _confirm_result():
            return form.text
        print_notes(tr("nothing was recorded"))
        return None


def _confirm_result() -> bool:
    """Ask until the user answers yes or no, and return whether to store the result."""
    while True:
        print_notes(tr("record it? [Y/n]"))
        answer = _read_edited_line()
        if is_yes(answer, default=True):
            return True
        if is_no(answer) or command_of(answer.casefold()) == "quit":
            return False


def _read_edited_line() -> str:
    """Read a line, with editing if the system supports it."""
    sys.stdout.flush()
    try:
        return input("> ").strip()
    except EOFError:
        return "quit"


def _ask_fields(match: Match) -> list[str]:
    rnd = match.current_round
    fields = rnd.result_fields()
    answers: list[str] = []
    for key, what, words in fields:
        question = f"{what} ({', '.join(words)})" if words else what
        print_notes(tr("{key}: {what}; press Enter to leave it out", key=key, what=question))
        answer = clean(_read_answer())
        if answer:
            answers.append(f"{key}={answer}" if answer != key else key)
    return answers


def _read_answer() -> str:
    line = sys.stdin.readline()
    if not line:
        raise Unreadable(tr("the answers ended before the result was complete"))
    return line.strip()


def _result_worth(match: Match, text: str) -> str:
    """Return a line with the scores that a result would produce."""
    trial = match.copy_from(match.current_round.seating.first_standing, match.current_round.number)
    played = trial.play_round([logged.entry.text for logged in match.current_round.log] + [text])
    if played.scores is None:
        return tr("this result is worth no points")
    scores = ", ".join(f"{name} {points:+}" for name, points in played.scores.items())
    return tr("score: {worth}", worth=scores)
