"""The live table on a full screen: layout, input line and keys.

`Screen` runs the session and `CompletionMenu` offers completions. `Painter` breaks text into lines
and colours cards.
"""

from __future__ import annotations

import asyncio
import os
import re
from textwrap import wrap
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.data_structures import Point
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_completions, is_done
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    CompletionsMenu,
    ConditionalContainer,
    Dimension,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from scorekeeper.cli.common import FINE, print_lines
from scorekeeper.cli.output import is_no, is_yes
from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import (
    display_width,
    escape_controls,
    pad,
    shorten,
    wrap_parts,
    wrap_text,
)
from scorekeeper.notation import STANDS, WITHDRAWN
from scorekeeper.session import hints
from scorekeeper.session.amendments import USAGE
from scorekeeper.session.completion import BETWEEN
from scorekeeper.session.hints import COMMANDS
from scorekeeper.session.public_round import HEADING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from prompt_toolkit.data_structures import Size

    from scorekeeper.notation import Notation
    from scorekeeper.session.forms import FormField, ResultForm
    from scorekeeper.session.live import LiveMatch, Session
    from scorekeeper.session.screen import TableScreen

Line = list[tuple[str, str]]

FUNCTION_KEYS = {
    "f1": ("help", N_("Help")),
    "f2": ("undo", N_("Undo")),
    "f3": ("last", N_("Last")),
    "f4": ("score", N_("Score")),
    "f5": ("explain", N_("Explain")),
    "f6": ("result", N_("Result")),
    "f7": ("next", N_("Next")),
    "f12": ("rulings", N_("Ruled")),
    "f10": ("quit", N_("Quit")),
}
KEY_NAMES = {"enter": N_("Enter"), "esc": N_("Esc")}
OPTIONAL_KEYS = (
    "f5",
    "f3",
    "f12",
    "f7",
    "f4",
    "f6",
)  # keys that a narrow screen omits, in this order

STYLE = {
    "title": "reverse bold",
    "keys": "reverse",
    "key": "reverse bold",
    "turn": "bold",
    "head": "underline",
    "waits": "bold",
    "dim": "#888888",
    HEADING: "bold underline",
    hints.FINE: "",
    hints.PLAIN: "#888888",
    hints.NOTED: "#5f87ff",
    hints.UNPROVEN: "#d7af00",
    hints.WARNED: "#d7af00",
    hints.REFUSED: "bold #ff5f5f",
    hints.FAILED: "bold #ff5f5f",
    hints.NEWS: "bold #00afaf",
    "suit-c": "bold #00af5f",
    "suit-s": "bold #5f87ff",
    "suit-h": "bold #ff5f5f",
    "suit-d": "bold #ffaf00",
    "prompt": "bold",
}

REFUSED_HELP = N_("Refused? Correct it and press Enter. F8: stands. F9: withdrawn. Esc: discard.")

REFRESH_SECONDS = 0.5  # seconds between checks for entries by other processes
WIDE_COLUMNS = 110  # minimum width for the log next to the table
MIN_HINT_ROWS = 2  # minimum height of the hint below the input line
WORD_PATTERN = re.compile(r"([^\s,:;()“”]+)")
MIN_NAME_COLUMNS, MAX_SHORT_NAME_COLUMNS = 8, 16  # limits for names on a narrow screen
MIN_LINE_COLUMNS = 20  # minimum width at which lines are broken
MAX_CACHED_LINES = 2000


class Screen:
    """A session on the screen.

    `panel` contains lines that the user requested, which are shown in place of the log.
    `is_given_back` is true while the input line holds text that was not recorded. The next letter
    typed replaces that text.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.panel: list[str] = []
        self.form: ResultForm | None = None
        self.scroll = 0
        self.is_given_back = False
        self._painters: dict[int, Painter] = {}
        self._menu = Float(_build_menu(), left=0, right=0)
        self.buffer = Buffer(
            completer=CompletionMenu(lambda: self.board, lambda: self.form),
            complete_while_typing=True,
            history=InMemoryHistory(),
            accept_handler=self._accept,
            multiline=False,
            on_text_changed=self._on_edit,
            on_completions_changed=self._on_completions,
            on_cursor_position_changed=self._on_edit,
        )
        self.app: Application[None] = Application(
            layout=Layout(self._build_layout(), focused_element=self.buffer),
            key_bindings=self._key_bindings(),
            style=Style.from_dict(STYLE),
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
            full_screen=True,
            before_render=self._place_menu,
        )
        self.app.ttimeoutlen = 0.05

    def run(self) -> int:
        """Run until the user leaves. Return the exit code."""
        self.app.run(pre_run=self._watch)
        for board in self.session.matches:
            print_lines(f"{board.label}: {board.screen().turn}")
        print_lines(
            tr("everything is recorded; to continue: scorekeeper table {ids}", ids=self._ids())
        )
        return FINE

    def _ids(self) -> str:
        return " ".join(str(board.desk.id) for board in self.session.matches)

    def _watch(self) -> None:
        async def look() -> None:
            while True:
                await asyncio.sleep(REFRESH_SECONDS)
                if self.session.check_news():
                    self.app.invalidate()

        self.app.create_background_task(look())

    @property
    def board(self) -> LiveMatch:
        """The current match."""
        return self.session.current

    @property
    def size(self) -> Size:
        """The size of the terminal."""
        return self.app.output.get_size()

    @property
    def painter(self) -> Painter:
        """The painter for the current match and its language."""
        painter, notation = (
            self._painters.get(self.session.index),
            self.board.speech.spoken_notation,
        )
        if painter is None or painter.notation is not notation:
            painter = self._painters[self.session.index] = Painter(notation)
        return painter

    # --- typed text

    def _accept(self, buffer: Buffer) -> bool:
        """Handle a submitted line. Return True to leave the text in the input line."""
        text = buffer.text
        self.scroll = 0
        if self.form is not None:
            return self._answer(self.form, text)
        self.panel = []
        command = self.session.command(text)
        if command:
            buffer.reset()
            self._run_command(command)
            return True
        if not text.strip():
            return False
        rest = self.session.enter(text)
        self._fill_line(rest)
        return True

    def _fill_line(self, text: str) -> None:
        """Put text into the input line with the cursor at its end. Submitted text is added to the
        history."""
        if self.buffer.text and self.buffer.text != text:
            self.buffer.append_to_history()
        self.buffer.document = Document(text)
        self.buffer.complete_state = None
        self.is_given_back = bool(text)

    def _on_edit(self, buffer: Buffer) -> None:
        self.is_given_back = False

    def _replace_line(self, event: KeyPressEvent) -> None:
        self.buffer.reset()
        self.buffer.insert_text(event.data)

    def _paste(self, event: KeyPressEvent) -> None:
        """Submit pasted lines one by one, except the last, which stays in the input line.

        If a line is refused, it stays in the input line with all following lines.
        """
        lines = event.data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for at, line in enumerate(lines, 1):
            if self.is_given_back:
                self.buffer.reset()
            self.buffer.insert_text(line)
            if at < len(lines):
                self.buffer.validate_and_handle()
            if self.is_given_back and self.form is None:
                rest = ", ".join(filter(None, [self.buffer.text, *lines[at:]]))
                self.buffer.document = Document(rest)
                return

    def _run_command(self, command: str) -> None:
        self.scroll = 0
        if command == "quit":
            self.app.exit()
        elif command == "undo":
            self.panel = []
            self.board.undo()
        elif command == "next":
            self._close_innermost()
            self.session.turn_to_next()
        elif command == "result":
            self._open_form()
        elif command == "help":
            self.panel = self.help_lines()
        else:
            self.panel = getattr(self.board, command)()

    def help_lines(self) -> list[str]:
        """Return help for this game, then general help."""
        named = BETWEEN.join(
            tr(word)
            for word in COMMANDS
            if word not in ("help", "next") or len(self.session.matches) > 1
        )
        return [
            *self.board.help(),
            tr(REFUSED_HELP),
            tr("Keys, or the words to type instead: {keys}", keys=named),
            tr(USAGE),
            self.board.other_words(),
        ]

    def _decide(self, decision: str) -> None:
        self.panel = []
        if self.board.pending is not None:
            self._fill_line(self.board.decide(decision))

    def _close_innermost(self) -> None:
        """Close the form or panel. If neither is open, drop the refused entry and clear the input
        line."""
        if self.form is not None or self.panel:
            if self.form is not None:
                self.buffer.reset()
            self.form, self.panel, self.scroll = None, [], 0
        else:
            self.board.correct()
            self.buffer.reset()

    # --- result form

    def _open_form(self) -> None:
        try:
            self.form = self.board.form()
        except Failure as failure:
            self.panel = [failure.message]
        else:
            self.buffer.reset()

    def _answer(self, form: ResultForm, text: str) -> bool:
        command = "" if text in form.current_field.words else self.session.command(text)
        if command in ("quit", "help"):
            self._leave_form()
            if command == "help":
                self._run_command(command)
        elif not form.is_done:
            if form.answer(text):
                self._ask(form)
            else:
                self.is_given_back = True
        elif form.preview().kind == hints.REFUSED:
            form.go_to_faulty_field()
            self._ask(form)
        elif is_no(text):
            self._previous_field(form)
        elif is_yes(text, default=True):
            self._leave_form()
            self.session.enter(form.text)
        else:
            self.buffer.reset()
            form.error = tr(
                "“{answer}” is neither yes nor no; Enter records the result, Esc goes back",
                answer=text,
            )
        return True

    def _ask(self, form: ResultForm) -> None:
        """Fill the input line with the previous answer to the current field."""
        self.buffer.reset(Document(form.previous_answer))
        self.is_given_back = bool(form.previous_answer)

    def _leave_form(self) -> None:
        self.form = None
        self.buffer.reset()

    def _previous_field(self, form: ResultForm) -> None:
        form.go_back()
        self._ask(form)

    # --- keys

    def _key_bindings(self) -> KeyBindings:
        keys = KeyBindings()
        for key, (command, _) in FUNCTION_KEYS.items():
            keys.add(key)(self._command_handler(command))
        keys.add("f8")(lambda event: self._decide(STANDS))
        keys.add("f9")(lambda event: self._decide(WITHDRAWN))
        keys.add("c-c")(lambda event: self._close_innermost())
        keys.add("escape", eager=True)(lambda event: self._escape())
        keys.add("tab")(self._tab)
        keys.add("enter", filter=Condition(self._is_unfinished_choice))(self._keep_choice)
        keys.add("c-d")(self._leave)
        keys.add("pageup")(lambda event: self._scroll_page(-1))
        keys.add("pagedown")(lambda event: self._scroll_page(1))
        given_back = Condition(lambda: self.is_given_back)
        keys.add(Keys.Any, filter=given_back)(self._replace_line)
        keys.add(Keys.BracketedPaste)(self._paste)
        # ignored, because pasted colour codes look like mouse events
        keys.add(Keys.Vt100MouseEvent)(lambda event: None)
        asking = Condition(lambda: self.form is not None)
        keys.add("up", filter=asking & ~has_completions)(self._up)
        return keys

    def _command_handler(self, command: str) -> Callable[[KeyPressEvent], None]:
        return lambda event: self._run_command(command)

    def _escape(self) -> None:
        """Go back one field, or leave the form from its first field. Otherwise act like Ctrl-C."""
        if self.form is not None and self.form.position:
            self._previous_field(self.form)
        else:
            self._close_innermost()

    def _tab(self, event: KeyPressEvent) -> None:
        """Put the first completion into the input line, or replace it with the next one."""
        state = self.buffer.complete_state
        if state is not None and state.completions:
            self.buffer.complete_next()
            return
        event_for_menu = CompleteEvent(completion_requested=True)
        document = self.buffer.document
        completions = [*self.buffer.completer.get_completions(document, event_for_menu)]
        if completions:  # do not wait, because the next key may already have been pressed
            self.buffer.complete_state = CompletionState(document, completions)
            self.buffer.go_to_completion(0)

    def _on_completions(self, buffer: Buffer) -> None:
        """Suppress completions while the hint explains a refusal, until the user edits or presses
        Tab."""
        if self.is_given_back:
            buffer.complete_state = None

    def _is_unfinished_choice(self) -> bool:
        """Return whether the completion chosen from the menu is only the beginning of an entry."""
        state = self.buffer.complete_state
        chosen = state.current_completion if state is not None else None
        return chosen is not None and chosen.text.endswith(" ")

    def _keep_choice(self, event: KeyPressEvent) -> None:
        self.buffer.complete_state = None

    def _up(self, event: KeyPressEvent) -> None:
        if self.form is not None:
            self._previous_field(self.form)

    def _leave(self, event: KeyPressEvent) -> None:
        if not self.buffer.text:
            event.app.exit()
        else:
            self.panel = [
                tr("The typed line was not sent. Ctrl-C discards it, and F10 quits anyway.")
            ]

    def _scroll_page(self, direction: int) -> None:
        page = max(1, self._panel_rows() - 1 if self.panel else self.size.rows // 3)
        self.scroll = max(0, self.scroll + direction * (page if self.panel else -page))

    # --- layout

    def _build_layout(self) -> FloatContainer:
        wide, alone = Condition(self._is_wide), Condition(self._panel_fills_screen)
        table = Window(
            FormattedTextControl(self._table),
            height=lambda: Dimension.exact(self._table_rows()),
            dont_extend_height=True,
        )
        log = HSplit(
            [
                Window(FormattedTextControl(self._log_heading), height=1, style="class:dim"),
                self._scrolling_window(self._log, self._log_line),
            ],
            width=self._log_width,
        )
        rows = [
            Window(FormattedTextControl(self._title), height=1, style="class:title"),
            ConditionalContainer(
                VSplit([HSplit([table, Window()]), Window(width=1, char="│"), log]), filter=wide
            ),
            ConditionalContainer(
                HSplit([ConditionalContainer(table, filter=~alone), log]), filter=~wide
            ),
            Window(
                BufferControl(self.buffer, input_processors=[BeforeInput(self._prompt)]),
                height=1,
            ),
            Window(FormattedTextControl(self._hint), height=lambda: self._hint_rows()),
            Window(FormattedTextControl(self._key_bar), height=1, style="class:keys"),
        ]
        return FloatContainer(HSplit(rows), [self._menu])

    def _place_menu(self, app: Application[None]) -> None:
        """Place the menu above the hint, so that the hint stays readable."""
        self._menu.bottom = self._hint_rows() + 2

    def _scrolling_window(
        self, text: Callable[[], StyleAndTextTuples], line: Callable[[], int]
    ) -> Window:
        control = FormattedTextControl(
            text, show_cursor=False, get_cursor_position=lambda: Point(0, line())
        )
        return Window(control, height=Dimension(min=1))

    # --- title and table

    def _title(self) -> StyleAndTextTuples:
        screen = self.board.screen()
        template = N_(" {title} · round {number}")
        if screen.over:
            template = N_(" {title} · round {number} (over)")
        title = tr(template, title=self.session.title, number=screen.round)
        return [("", shorten(escape_controls(title), self.size.columns))]

    def _table(self) -> StyleAndTextTuples:
        lines, rows = self._table_lines(), self._table_rows()
        return join_lines(lines if len(lines) <= rows else [*lines[: rows - 1], [("", "…")]])

    def _table_lines(self) -> list[Line]:
        most = self.size.rows - 5 - self._hint_rows()
        most -= 0 if self._is_wide() else 2
        return self.painter.table(self.board.screen(), self._table_width(), most)

    def _table_rows(self) -> int:
        """Return the height of the table. At least one line of the log stays visible below it."""
        rows = self.size.rows - 3 - self._hint_rows() - (0 if self._is_wide() else 2)
        return max(1, min(len(self._table_lines()), rows))

    def _table_width(self) -> int:
        columns = self.size.columns
        return columns - columns // 2 if self._is_wide() else columns

    def _is_wide(self) -> bool:
        return self.size.columns >= WIDE_COLUMNS

    # --- log, panel and form

    def _log_heading(self) -> StyleAndTextTuples:
        heading = tr("log")
        if self.form is not None:
            heading = tr("Esc goes back a field, Ctrl-C leaves the form")
        elif self.panel and len(self._panel_lines()) > self._panel_rows():
            heading = tr("PageDown shows more, Esc goes back to the log")
        elif self.panel:
            heading = tr("Esc goes back to the log")
        width = self._log_width()
        heading = f"── {shorten(heading, width - 4)} "
        return [("", heading + "─" * (width - display_width(heading)))]

    def _log(self) -> StyleAndTextTuples:
        """Return the part of the log, panel or form that fits on the screen."""
        rows, width = self.size.rows, self._log_width()
        if self.form is not None:
            return join_lines(self._form_lines(self.form))
        if self.panel:
            lines = self._panel_lines()
            self.scroll = min(self.scroll, max(0, len(lines) - self._panel_rows()))
            return join_lines(lines[self.scroll : self.scroll + rows])
        lines = []
        for event in reversed(self.board.log.events):
            lines = [*self.painter.lines(event.text, f"class:{event.kind}", width), *lines]
            if len(lines) >= rows + self.scroll:
                break
        self.scroll = min(self.scroll, max(0, len(lines) - 1))
        return join_lines(lines[: len(lines) - self.scroll][-rows:])

    def _log_line(self) -> int:
        """Return the index of the line that must be visible.

        It is the last line of the log, or the first line of a form or panel.
        """
        if self.form is not None or self.panel:
            return 0
        return sum(part[1] == "\n" for part in self._log())

    def _log_width(self) -> int:
        columns = self.size.columns
        return columns // 2 - 1 if self._is_wide() else columns

    def _panel_lines(self) -> list[Line]:
        width = self._log_width()
        return [part for line in self.panel for part in self.painter.lines(line, "", width)]

    def _panel_rows(self) -> int:
        """Return the number of rows for the panel."""
        rows = self.size.rows - 4 - self._hint_rows()
        return (
            rows if self._is_wide() or self._panel_fills_screen() else rows - self._table_rows() + 1
        )

    def _panel_fills_screen(self) -> bool:
        """Return whether the panel or form replaces the table, because both would not fit."""
        if self._is_wide() or not (self.panel or self.form is not None):
            return False
        lines = self._form_lines(self.form) if self.form is not None else self._panel_lines()
        return len(lines) > self.size.rows - 4 - self._hint_rows() - self._table_rows()

    def _form_lines(self, form: ResultForm) -> list[Line]:
        width = self._log_width()
        lines = [
            [("class:turn", tr("The round's result"))],
            *self.painter.form(form.fields, form.answers, form.position, width),
        ]
        if form.is_done:
            hint = form.preview()
            lines += self.painter.lines(form.text, f"class:{hint.kind}", width)
            lines += self.painter.lines(hint.text, f"class:{hint.kind}", width)
        return lines

    # --- input line, hint and keys

    def _prompt(self) -> StyleAndTextTuples:
        if self.form is not None:
            question = (
                self._form_prompt(self.form) if self.form.is_done else self.form.current_field.key
            )
            return [("class:prompt", escape_controls(f"{question}> "))]
        return [("class:prompt", escape_controls(self.board.faults.prompt))]

    def _form_prompt(self, form: ResultForm) -> str:
        if form.preview().kind == hints.REFUSED:
            return tr("Enter goes to the field that needs correcting")
        return tr("Enter records it, Esc goes back")

    def _hint(self) -> StyleAndTextTuples:
        pending, text = self.board.pending, self.buffer.text
        if self.form is not None:
            return self._form_hint(self.form)
        if pending is not None and text == pending.line:
            finding = next((f for f in pending.ruling.findings if f.refuses), None)
            reason = tr("refused")
            if finding is not None:
                reason = tr("refused: {reason}", reason=hints.finding_text(finding))
            return self._styled_text(
                self.board.speech.translate_letters(reason), f"class:{hints.REFUSED}"
            )
        if self.board.failed_line is not None and text == self.board.failed_line[0]:
            return self._styled_text(self.board.failed_line[1], f"class:{hints.REFUSED}")
        if not text.strip():
            return self._styled_text(self._idle_text(), "class:dim")
        if self.session.command(text):
            return self._styled_text(tr(COMMANDS[self.session.command(text)]), "class:dim")
        if self.session.is_amendment(text):
            return self._styled_text(tr(USAGE), "class:dim")
        hint = self.board.hint(text)
        return self._styled_text(hint.text, f"class:{hint.kind}")

    def _hint_rows(self) -> int:
        """Return the number of rows for the hint."""
        lines = sum(part[1] == "\n" for part in self._hint()) + 1
        return max(MIN_HINT_ROWS, min(lines, self.size.rows // 3))

    def _idle_text(self) -> str:
        """Return the hint for an empty input line, with an example entry if there is one."""
        waits, example = self.board.faults.weigh_forms, self.board.examples(1)
        if example:
            text = tr("type what happens, like “{entry}”; Tab offers more", entry=example[0])
        else:
            text = tr("type what happens; Tab shows what is possible now")
        return tr("{entry}, or {what}", entry=waits, what=text) if waits else text

    def _form_hint(self, form: ResultForm) -> StyleAndTextTuples:
        if form.error:
            reason = form.error
            if not form.is_done and form.accepts_repeat:
                reason = tr("{reason}; if this is right, press Enter again", reason=reason)
            return self._styled_text(reason, f"class:{hints.REFUSED}")
        if form.is_done:
            return []
        field = form.current_field
        text = f"{field.key}: {field.about}"
        if field.words:
            text = tr("{field} (Tab: {words})", field=text, words=", ".join(field.words))
        return self._styled_text(text, "class:dim")

    def _key_bar(self) -> StyleAndTextTuples:
        keys = [(key, tr(label)) for key, (_, label) in FUNCTION_KEYS.items()]
        if len(self.session.matches) == 1:
            keys = [(key, label) for key, label in keys if key != "f7"]
        if self.board.pending is not None:
            keys = [("f8", tr("it stands")), ("f9", tr("withdrawn")), ("enter", tr("correct")),
                    ("esc", tr("drop it")), ("f5", tr("Explain"))]  # fmt: skip
        named = [(tr(KEY_NAMES.get(key, "")) or key.upper(), label) for key, label in keys]
        return key_bar(named, self.size.columns, [key.upper() for key in OPTIONAL_KEYS])

    def _styled_text(self, text: str, style: str) -> StyleAndTextTuples:
        return join_lines(self.painter.lines(text, style, self.size.columns))


def _build_menu() -> ConditionalContainer:
    """Return the completion menu with full-width rows, so that it covers whole lines."""
    offered = CompletionsMenu(max_height=8, scroll_offset=1)
    rows = HSplit([Window(height=1, char="─"), VSplit([Window(width=1), offered, Window()])])
    return ConditionalContainer(rows, filter=has_completions & ~is_done)


class CompletionMenu(Completer):
    """Completions for the input line: entries, or the values that a form field accepts."""

    def __init__(
        self, get_match: Callable[[], LiveMatch], get_form: Callable[[], ResultForm | None]
    ) -> None:
        self._get_match = get_match
        self._get_form = get_form

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        line = document.text_before_cursor
        form = self._get_form()
        if form is not None:
            for word in [] if form.is_done else form.complete(line):
                yield Completion(word, -len(line), escape_controls(word))
            return
        if not line.strip() and not event.completion_requested:
            return
        for candidate in self._get_match().complete(line):
            typed = line[len(line) - candidate.length :]
            if candidate.text.rstrip() != typed.rstrip():
                yield Completion(
                    candidate.text,
                    -candidate.length,
                    escape_controls(candidate.text),
                    escape_controls(tr(candidate.about)),
                )


# --- text in lines with coloured cards


class Painter:
    """A formatter that breaks text into lines and colours the cards of one match.

    Results are cached, because the same lines are shown at every key press.
    """

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self._cache: dict[tuple[str, str, int], list[Line]] = {}

    def lines(self, text: str, style: str, width: int) -> list[Line]:
        """Break text at spaces into lines of at most this width. Continuation lines are
        indented."""
        key = (text, style, width)
        lines = self._cache.get(key)
        if lines is None:
            if len(self._cache) > MAX_CACHED_LINES:
                self._cache.clear()
            indent = " " * (len(text) - len(text.lstrip()) + 2)
            pieces = _wrap(escape_controls(text), max(MIN_LINE_COLUMNS, width - 1), indent) or [""]
            lines = self._cache[key] = [self.color_cards(piece, style) for piece in pieces]
        return lines

    def color_cards(self, text: str, style: str) -> Line:
        """Return the text with its cards in the colours of their suits."""
        parts: Line = []
        for index, piece in enumerate(WORD_PATTERN.split(escape_controls(text))):
            kind = self.notation.lexicon.cards.find(piece.lower()) if index % 2 else None
            if kind is not None and piece.isupper():
                suit = self.notation.pack.suit[kind].lower()
                parts.append((f"{style} class:suit-{suit}" if suit else style, piece))
            elif piece:
                parts.append((style, piece))
        return parts

    def table(self, screen: TableScreen, width: int, max_lines: int) -> list[Line]:
        """Return the table as lines: whose turn it is, played cards, players and facts.

        If there are more than `max_lines` lines, all facts are put on one line. If that is not
        enough, names are shortened and players share lines too.
        """
        players = self._player_lines(screen, width)
        lines = self._table_lines(screen, players, screen.facts, width)
        if len(lines) > max_lines:
            facts = [" · ".join(screen.facts)] if screen.facts else []
            lines = self._table_lines(screen, players, facts, width)
        if len(lines) > max_lines:
            close = _shorten_names(screen)
            facts = [" · ".join(close.facts)] if close.facts else []
            lines = self._table_lines(
                close, self._compact_player_lines(screen, width), facts, width
            )
        return lines

    def _table_lines(
        self, screen: TableScreen, players: list[Line], facts: Sequence[str], width: int
    ) -> list[Line]:
        lines = [*self.lines(screen.turn, "class:turn", width)]
        if screen.table:
            lies = tr("on the table: {cards}", cards="   ".join(screen.table))
            lines += self.lines(lies, "", width)
        lines += players
        for text in screen.claims:
            lines += self.lines(text, f"class:{hints.WARNED}", width)
        for text in facts:
            lines += self.lines(text, "class:dim", width)
        return lines

    def _player_lines(self, screen: TableScreen, width: int) -> list[Line]:
        """Return a line for each player, under headings. Names are shortened if necessary."""
        texts = [
            [head, *(row.cells[column] for row in screen.rows)]
            for column, head in enumerate(screen.headings)
        ]
        widths = [max(map(display_width, map(escape_controls, column))) for column in texts]
        names = [escape_controls(row.name) for row in screen.rows]
        room = max(MIN_NAME_COLUMNS, width - 3 - sum(widths) - 2 * len(widths))
        name = min(room, max(map(display_width, names), default=0))
        painted: list[Line] = [
            [("class:head", f"  {'':<{name}}{_join_cells(screen.headings, widths)}")]
        ]
        for row, text in zip(screen.rows, names, strict=True):
            mark, style = (">", "class:waits") if row.is_to_act else (" ", "")
            cells = self.color_cards(_join_cells(row.cells, widths), style)
            painted.append([(style, f"{mark} {pad(shorten(text, name), name)}"), *cells])
        return painted

    def _compact_player_lines(self, screen: TableScreen, width: int) -> list[Line]:
        """Return the headings and all players, packed into few lines."""
        cells_by_player = [f"{', '.join(screen.headings)}:"]
        for row in screen.rows:
            cells = "/".join(cell or "–" for cell in row.cells)
            name = shorten(escape_controls(row.name), MAX_SHORT_NAME_COLUMNS)
            cells_by_player.append(f"{'>' if row.is_to_act else ' '}{name} {cells}")
        return [
            self.color_cards(line, "")
            for line in wrap_parts(cells_by_player, width - 1, "  ", "  ")
        ]

    def form(
        self, fields: Sequence[FormField], answers: Sequence[str], at: int, width: int
    ) -> list[Line]:
        """Return the answers of a form, with the current field in bold."""
        key = max(display_width(escape_controls(field.key)) for field in fields)
        lines: list[Line] = []
        for index, field in enumerate(fields):
            style = "class:waits" if index == at else ""
            text = f"{pad(escape_controls(field.key), key, right=True)}: {answers[index]}"
            lines += self.lines(text, style, width)
        return lines


def _shorten_names(screen: TableScreen) -> TableScreen:
    """Return the table view with long player names shortened, including those within sentences."""
    names = sorted((row.name for row in screen.rows), key=len, reverse=True)
    short = {
        name: shorten(name, MAX_SHORT_NAME_COLUMNS)
        for name in names
        if display_width(name) > MAX_SHORT_NAME_COLUMNS
    }

    def said(text: str) -> str:
        for name, shorter in short.items():
            text = text.replace(name, shorter)
        return text

    return screen._replace(
        turn=said(screen.turn),
        table=[*map(said, screen.table)],
        claims=[*map(said, screen.claims)],
        facts=[*map(said, screen.facts)],
    )


def _wrap(text: str, width: int, indent: str) -> list[str]:
    if display_width(text) <= width:
        return [text]
    if text.isascii():
        return wrap(text, width, subsequent_indent=indent)
    return wrap_text(text, width, indent)


def _join_cells(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(
        "  " + pad(escape_controls(cell), width, right=True)
        for cell, width in zip(cells, widths, strict=True)
    )


def join_lines(lines: Sequence[Line]) -> StyleAndTextTuples:
    """Join lines into one string."""
    text: StyleAndTextTuples = []
    for line in lines:
        text += [*line, ("", "\n")]
    return text[:-1]


def key_bar(
    keys: Sequence[tuple[str, str]], width: int, optional: Sequence[str]
) -> StyleAndTextTuples:
    """Return keys and labels as a line of this width.

    If they do not fit, spaces are reduced first. Then keys are omitted in the order of `optional`.
    """
    shown = list(keys)
    for omitted in optional:
        if sum(display_width(key) + display_width(label) + 2 for key, label in shown) - 1 > width:
            shown = [(key, label) for key, label in shown if key != omitted]
    wide = sum(display_width(key) + display_width(label) + 3 for key, label in shown) <= width
    text: StyleAndTextTuples = []
    for key, label in shown:
        text += [("class:key", f" {key}" if wide or text else key)]
        text += [("class:keys", f" {label} " if wide else f" {label}")]
    return text
