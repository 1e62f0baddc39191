"""The command `table`: the live table, on a full screen or line by line.

The line-by-line form is for simple terminals, screen readers and pipes.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    UNREADABLE,
    BookOption,
    MatchOption,
    cli_command,
    exit_code,
    open_book,
    open_recorder,
    print_lines,
)
from scorekeeper.cli.output import find_locale, is_no, is_yes, use_match_language
from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import ENGLISH, Locale, set_language, tr
from scorekeeper.core.messages import current_language as spoken_code
from scorekeeper.session.amendments import USAGE
from scorekeeper.session.hints import COMMANDS, FAILED
from scorekeeper.session.hints import REFUSED as IS_REFUSED
from scorekeeper.session.live import DECISION_WORDS, LiveMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.session.forms import ResultForm
    from scorekeeper.session.live import Session
    from scorekeeper.store.recorder import MatchRecorder

# Seconds between checks for entries by other processes.
REFRESH_SECONDS = 0.5


@cli_command
def table(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID…", help="Match numbers (default: the most recently changed match)."
        ),
    ] = None,
    match: MatchOption = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="Print one line for each event, and use no cursor movement or special keys.",
        ),
    ] = False,
    language: Annotated[
        str,
        typer.Option(
            "--language", metavar="CODE", help="The language used for cards in suggestions."
        ),
    ] = "",
    book: BookOption = None,
) -> int:
    """Open the live table. Type what happens, and see at once whether it is legal. F1 shows help.

    Each entry is stored before it is confirmed. If there is no terminal, lines are read from
    standard input, as with --plain.

    Example: scorekeeper table 3 4
    """
    from scorekeeper.session.live import Session

    prompting = sys.stdin.isatty()
    with open_book(book, waits_longer=not prompting) as store:
        match_ids: list[str | None] = [*([match] if match else ()), *(ids or ())]
        default = spoken_code()
        desks = [open_recorder(store, each) for each in dict.fromkeys(match_ids or [None])]
        _check_language(desks, language)
        session = Session(desks, language)
        session.on_turn = _language_switcher(desks, default)
        session.on_turn(session.index)
        with _leaving(session.leave):
            if plain or not _has_screen():
                return LineTable(session, prompting).run()
            from scorekeeper.cli.screen import Screen

            return Screen(session).run()


def _has_screen() -> bool:
    """Return whether there is a terminal that supports a full screen."""
    dumb = os.environ.get("TERM", "") in ("", "dumb") and os.name != "nt"
    return sys.stdin.isatty() and sys.stdout.isatty() and not dumb


def _check_language(desks: list[MatchRecorder], language: str) -> None:
    """Raise Unreadable for a language that none of the matches' rulesets has."""
    available = {code for desk in desks for code in desk.ruleset.data.get("languages", {})}
    if language and language not in available:
        known = ", ".join(sorted(available)) or tr("none except English")
        raise Unreadable(
            tr("the ruleset does not have the language “{language}”", language=language[:20]),
            tr("available languages: {known}", known=known),
        )


def _language_switcher(desks: list[MatchRecorder], default: str) -> Callable[[int], None]:
    """Return a function that takes the index of a match and switches messages to that match's
    language.

    `default` is used for a match without a language. The current locale object is changed in place,
    because other code refers to it.
    """
    tongues = []
    for desk in desks:
        set_language(find_locale(default))
        use_match_language(desk.row.language)
        tongues.append(find_locale(spoken_code()))
    if not any(tongues):
        return lambda at: None
    from gettext import NullTranslations

    front = Locale(ENGLISH, NullTranslations())
    set_language(front)

    def turned(at: int) -> None:
        locale = tongues[at] or Locale(ENGLISH, NullTranslations())
        front.code, front.catalog = locale.code, locale.catalog

    return turned


@contextmanager
def _leaving(leave: Callable[[], None]) -> Iterator[None]:
    """Call `leave` at the end, even if the terminal is closed or the process is terminated."""
    handlers = {}
    for name in ("SIGHUP", "SIGTERM"):  # not every system has both signals
        with suppress(AttributeError, ValueError):  # only the main thread may set signal handlers
            number = getattr(signal, name)
            handlers[number] = signal.signal(number, _exit_on_signal)
    try:
        yield
    finally:
        leave()
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _exit_on_signal(number: int, frame: object) -> None:
    raise SystemExit(128 + number)  # the exit code that shells use for a signal


# --- line by line


class LineTable:
    """A line-by-line version of the live table. `prompting` is true at a terminal."""

    def __init__(self, session: Session, prompting: bool) -> None:
        self.session = session
        self.prompting = prompting
        self.form: ResultForm | None = None
        self.worst_code = FINE
        self._printed_events: dict[int, int] = {}
        self._turn = ""

    def run(self) -> int:
        """Read lines to the end and return the exit code.

        Without a terminal, this is the worst exit code of any line.
        """
        self._print_start()
        for line in read_lines():
            if line is None:
                if self.session.check_news():
                    self._print_news()
                continue
            if not self._take_line(line):
                break
            self._print_news()
        board = self.session.current
        if board.store_error is not None and not self.prompting:
            self._print_news()
            self._print(tr("the lines after that were not read"))
            return exit_code(board.store_error)
        if board.pending is not None:
            self._print(tr("the refused entry was not recorded"))
        return FINE if self.prompting else self.worst_code

    def _print_start(self) -> None:
        self._turn = ""
        self._print(f"{self.session.title}, {', '.join(self.session.current.match.players)}")
        if self.prompting:
            self._print(
                tr(
                    "type what happens, or one of these words: {words}",
                    words=", ".join(map(tr, COMMANDS)),
                )
            )
        self._print_news()

    def _take_line(self, line: str) -> bool:
        """Process a line, and return whether to continue."""
        session, board = self.session, self.session.current
        if self.form is not None:
            self._answer(self.form, line)
            return True
        command = session.command(line)
        if command == "quit":
            return False
        if command:
            self._run_command(command, board)
        elif line.strip():
            if not board.uncertain:
                board.check_news()
            self._note_unrecorded(session.enter(line))
        return self.prompting or board.store_error is None

    def _note_unrecorded(self, rest: str) -> None:
        """Update the exit code if an entry was not recorded. `rest` is the unrecorded text, or
        ""."""
        if rest:  # `_print_news` handles failures, which are separate events
            self.worst_code = max(self.worst_code, REFUSED)

    def _run_command(self, command: str, board: LiveMatch) -> None:
        if command == "help":
            known = [f"{tr(word)}: {tr(about)}" for word, about in COMMANDS.items()]
            for text in (
                *board.help(),
                *known,
                tr(USAGE),
                *board.claim_words(),
                board.other_forms(),
            ):
                self._print(text)
        elif command == "undo":
            board.undo()
        elif command == "next":
            self.session.turn_to_next()
            self._print_start()
        elif command == "result":
            self._open_form(board)
        else:
            for text in getattr(board, command)():
                self._print(text)

    # --- result form

    def _open_form(self, board: LiveMatch) -> None:
        try:
            self.form = board.form()
        except Failure as failure:
            self._print(str(failure))
        else:
            self._ask(self.form)

    def _ask(self, form: ResultForm) -> None:
        if not form.is_done:
            self._print(form.question)
            return
        hint = form.preview()
        self._print(f"{form.text}: {hint.text}")
        if hint.kind != IS_REFUSED:
            self._print(tr("record it? yes or no")) if self.prompting else self._store(form)
        elif self.prompting:
            form.go_to_faulty_field()
            self._print(form.question)
        else:
            self.form = None
            self.worst_code = max(self.worst_code, UNREADABLE)

    def _answer(self, form: ResultForm, line: str) -> None:
        if not self.prompting:
            form.set_answer(line)  # in piped input, each line answers one field
            self._ask(form)
        elif form.is_done and is_yes(line):
            self._store(form)
        elif form.is_done and not (is_no(line) or self.session.command(line) == "quit"):
            self._ask(form)
        elif form.is_done or not form.enter(line):
            self.form = None
            self._print(tr("nothing was recorded"))
        else:
            if form.error:
                self._print(form.error)
            self._ask(form)

    def _store(self, form: ResultForm) -> None:
        self.form = None
        self._note_unrecorded(self.session.current.enter(form.text))

    # --- printing

    def _print_news(self) -> None:
        """Print new events, and whose turn it is if the turn has changed."""
        session = self.session
        for board in session.matches:
            events, printed = board.log.events, self._printed_events.get(id(board), 0)
            for event in events[max(0, len(events) - (board.log.total_count - printed)) :]:
                self._print(
                    event.text if board is session.current else f"{board.label}: {event.text}"
                )
                if event.kind == FAILED and not self.prompting:
                    self.worst_code = max(self.worst_code, UNREADABLE)
            self._printed_events[id(board)] = board.log.total_count
        if self.form is not None:
            return
        board = session.current
        if board.pending is not None:
            self._print(
                tr(
                    "not recorded; type it again, or one of these words: {words}",
                    words=", ".join(map(tr, DECISION_WORDS.values())),
                )
            )
        turn, waits = board.screen().turn, board.faults.weigh_forms
        turn = f"{waits}; {turn}" if waits else turn
        if turn != self._turn and board.pending is None:
            self._turn = turn
            self._print(turn)

    def _print(self, text: str) -> None:
        print_lines(text)
        sys.stdout.flush()


def read_lines() -> Iterator[str | None]:
    """Yield the lines of standard input, and None at intervals while there is no input."""
    try:
        source = sys.stdin.fileno()
        select.select([source], [], [], 0)
    except (OSError, ValueError):
        yield from sys.stdin
        return
    left = b""
    while True:
        while b"\n" in left:
            line, _, left = left.partition(b"\n")
            yield line.decode("utf-8", "replace")
        if not select.select([source], [], [], REFRESH_SECONDS)[0]:
            yield None
            continue
        try:
            read = os.read(source, 65536)
        except OSError:
            read = b""
        if not read:
            break
        left += read
    if left:
        yield left.decode("utf-8", "replace")
