"""The live table on a terminal's screen. With `offers` all that knows prompt_toolkit."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_completions
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

from scorekeeper.cli.common import FINE, say
from scorekeeper.cli.offers import Offers
from scorekeeper.cli.painting import STYLE, Line, Painter, bar, joined
from scorekeeper.core.failures import Failure
from scorekeeper.core.suggest import visible
from scorekeeper.session import COMMANDS, STANDS, USAGE, WITHDRAWN, Hint
from scorekeeper.session import judging as kinds

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.session import Board, Form, Session

WIDE = 110  # columns from which the log stands beside the table
LOOK_EVERY = 0.5  # seconds between looks for what others recorded
KEYS = {
    "f1": ("help", "Help"),
    "f2": ("undo", "Undo"),
    "f3": ("last", "Last"),
    "f4": ("score", "Score"),
    "f5": ("explain", "Explain"),
    "f6": ("result", "Result"),
    "f7": ("next", "Next"),
    "f12": ("rulings", "Ruled"),
    "f10": ("quit", "Quit"),
}
HELP = (
    "A card or a bid alone belongs to whom the game waits for; else type “Name: act”.",
    "Commas part several entries. Tab offers what may be done now.",
    "Refused? Put it right and press Enter, or F8 it stands, F9 it was taken back.",
    "What has a number in the log is stored. A key's word may be typed as well:",
)
HELPED = ("help", "quit")  # commands that need no line in the help
IDLE = "type what happens; Tab: what may be done now"


class Screen:
    """One session on the screen. `panel` is what was asked for, in the place of the log;
    `given_back`: the line holds what was not recorded, and the next letter typed replaces it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.panel: list[str] = []
        self.form: Form | None = None
        self.scroll = 0
        self.given_back = False
        self._painters: dict[int, Painter] = {}
        self.buffer = Buffer(
            completer=Offers(lambda: self.board, lambda: self.form),
            complete_while_typing=True,
            history=InMemoryHistory(),
            accept_handler=self._accept,
            multiline=False,
            on_text_changed=self._touched,
            on_cursor_position_changed=self._touched,
        )
        self.app: Application[None] = Application(
            layout=Layout(self._layout(), focused_element=self.buffer),
            key_bindings=self._keys(),
            style=Style.from_dict(STYLE),
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
            full_screen=True,
        )
        self.app.ttimeoutlen = 0.05

    def run(self) -> int:
        """Until somebody leaves; the exit code."""
        self.app.run(pre_run=self._watch)
        for board in self.session.boards:
            say(f"{board.label}: {board.screen().turn}")
        say(f"everything is stored; go on with: scorekeeper table {self._ids()}")
        return FINE

    def _ids(self) -> str:
        return " ".join(str(board.desk.id) for board in self.session.boards)

    @property
    def board(self) -> Board:
        """The match in front."""
        return self.session.board

    @property
    def painter(self) -> Painter:
        """Who paints the match in front, in its language."""
        found, notation = self._painters.get(self.session.at), self.board.speech.own
        if found is None or found.notation is not notation:
            found = self._painters[self.session.at] = Painter(notation)
        return found

    def _watch(self) -> None:
        async def look() -> None:
            while True:
                await asyncio.sleep(LOOK_EVERY)
                if self.session.news():
                    self.app.invalidate()

        self.app.create_background_task(look())

    # --- what is typed

    def _accept(self, buffer: Buffer) -> bool:
        """A line was sent; True keeps it in the line."""
        text = buffer.text
        self.scroll = 0
        if self.form is not None:
            self._answer(self.form, text)
            return False
        self.panel = []
        command = self.session.command(text)
        if command:
            buffer.reset()
            self._command(command)
            return True
        if not text.strip():
            return False
        rest = self.session.enter(text)
        self._leave_in_line(rest)
        return True

    def _leave_in_line(self, text: str) -> None:
        """Put text into the line, the cursor at its end; what was sent goes to the history."""
        if self.buffer.text and self.buffer.text != text:
            self.buffer.append_to_history()
        self.buffer.document = Document(text)
        self.given_back = bool(text)

    def _touched(self, buffer: Buffer) -> None:
        self.given_back = False

    def _type_anew(self, event: KeyPressEvent) -> None:
        self.buffer.reset()
        self.buffer.insert_text(event.data)

    def _command(self, command: str) -> None:
        self.scroll = 0
        if command == "quit":
            self.app.exit()
        elif command == "undo":
            self.panel = []
            self.board.undo()
        elif command == "next":
            self._close()
            self.session.turn_to_next()
        elif command == "result":
            self._open_form()
        elif command == "help":
            told = [f"  {word:<9}{said}" for word, said in COMMANDS.items() if word not in HELPED]
            self.panel = [*HELP, *told, USAGE, *self.board.claim_words()]
        else:
            self.panel = getattr(self.board, command)()

    def _decide(self, decision: str) -> None:
        self.panel = []
        if self.board.pending is not None:
            self._leave_in_line(self.board.decide(decision))

    def _close(self) -> None:
        """Close what is open, the innermost thing alone: form, panel, a refused entry, line."""
        if self.form is not None or self.panel:
            if self.form is not None:
                self.buffer.reset()
            self.form, self.panel, self.scroll = None, [], 0
        elif self.board.pending is not None:
            self.board.correct()
            self.buffer.reset()
        else:
            self.buffer.reset()

    # --- a round's result

    def _open_form(self) -> None:
        try:
            self.form = self.board.form()
        except Failure as failure:
            self.panel = [failure.message]
        else:
            self.buffer.reset()

    def _answer(self, form: Form, text: str) -> None:
        if not form.done:
            form.answer(text)
        elif form.preview().kind == kinds.REFUSED:
            form.at = 0
        else:
            self.form = None
            self.session.enter(form.text)

    def _field_before(self, form: Form) -> None:
        form.back()
        self.buffer.document = Document(form.answers[form.at])

    def _form_lines(self, form: Form) -> list[Line]:
        hint = form.preview() if form.done else Hint(kinds.PLAIN, "empty: left out; Up: back")
        width = self._log_width()
        return [
            [("class:turn", "The round's result")],
            *self.painter.form(form.fields, form.answers, form.at),
            *self.painter.lines(form.text, f"class:{hint.kind}", width),
            *self.painter.lines(hint.text, f"class:{hint.kind}", width),
        ]

    # --- keys

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        for key, (command, _) in KEYS.items():
            keys.add(key)(self._pressed(command))
        keys.add("f8")(lambda event: self._decide(STANDS))
        keys.add("f9")(lambda event: self._decide(WITHDRAWN))
        keys.add("c-c")(lambda event: self._close())
        keys.add("escape", eager=True)(lambda event: self._close())
        keys.add("c-d")(self._leave)
        keys.add("pageup")(lambda event: self._page(-1))
        keys.add("pagedown")(lambda event: self._page(1))
        given_back = Condition(lambda: self.given_back)
        keys.add(Keys.Any, filter=given_back)(self._type_anew)
        keys.add(Keys.BracketedPaste, filter=given_back)(self._type_anew)
        asking = Condition(lambda: self.form is not None)
        keys.add("up", filter=asking & ~has_completions)(self._up)
        return keys

    def _pressed(self, command: str) -> Callable[[KeyPressEvent], None]:
        return lambda event: self._command(command)

    def _up(self, event: KeyPressEvent) -> None:
        if self.form is not None:
            self._field_before(self.form)

    def _leave(self, event: KeyPressEvent) -> None:
        if not self.buffer.text:
            event.app.exit()
        else:
            self.panel = ["Something is typed and not sent: Ctrl-C drops it, F10 leaves anyway."]

    def _page(self, way: int) -> None:
        page = max(1, self.app.output.get_size().rows // 3)
        self.scroll = max(0, self.scroll + way * (page if self.panel else -page))

    # --- the layout

    def _layout(self) -> FloatContainer:
        wide = Condition(self._is_wide)
        table = Window(
            FormattedTextControl(self._table),
            height=lambda: Dimension(max=max(3, self.app.output.get_size().rows - 9)),
            dont_extend_height=True,
        )
        log = HSplit(
            [
                Window(FormattedTextControl(self._heading), height=1, style="class:dim"),
                self._scrolled(self._log, self._log_line),
            ],
            width=self._log_width,
        )
        rows = [
            Window(FormattedTextControl(self._title), height=1, style="class:title"),
            ConditionalContainer(
                VSplit([HSplit([table, Window()]), Window(width=1, char="│"), log]), filter=wide
            ),
            ConditionalContainer(HSplit([table, log]), filter=~wide),
            Window(
                BufferControl(self.buffer, input_processors=[BeforeInput(self._prompt)]),
                height=1,
            ),
            Window(FormattedTextControl(self._hint), height=2),
            Window(FormattedTextControl(self._bar), height=1, style="class:keys"),
        ]
        menu = CompletionsMenu(max_height=8, scroll_offset=1)
        return FloatContainer(HSplit(rows), [Float(menu, xcursor=True, ycursor=True)])

    def _scrolled(self, text: Callable[[], StyleAndTextTuples], line: Callable[[], int]) -> Window:
        control = FormattedTextControl(
            text, show_cursor=False, get_cursor_position=lambda: Point(0, line())
        )
        return Window(control, height=Dimension(min=1))

    def _is_wide(self) -> bool:
        return self.app.output.get_size().columns >= WIDE

    def _log_width(self) -> int:
        columns = self.app.output.get_size().columns
        return columns // 2 - 1 if self._is_wide() else columns

    def _table_width(self) -> int:
        columns = self.app.output.get_size().columns
        return columns - columns // 2 if self._is_wide() else columns

    def _heading(self) -> StyleAndTextTuples:
        said = "log"
        if self.form is not None:
            said = "Esc leaves the form"
        elif self.panel:
            said = "Esc goes back to the log, PageDown on"
        return [("", f"── {said} ".ljust(self._log_width(), "─"))]

    def _title(self) -> StyleAndTextTuples:
        screen = self.board.screen()
        over = " (over)" if screen.over else ""
        return [("", visible(f" {self.session.title} · round {screen.round}{over}"))]

    def _table(self) -> StyleAndTextTuples:
        return self.painter.table(self.board.screen(), self._table_width())

    def _log(self) -> StyleAndTextTuples:
        """As much of the log, or of what was asked for, as a screen may hold."""
        rows, width = self.app.output.get_size().rows, self._log_width()
        if self.form is not None:
            return joined(self._form_lines(self.form))
        if self.panel:
            lines = [part for line in self.panel for part in self.painter.lines(line, "", width)]
            self.scroll = min(self.scroll, len(lines) - 1)
            return joined(lines[self.scroll : self.scroll + rows])
        lines = []
        for event in reversed(self.board.events):
            lines = [*self.painter.lines(event.text, f"class:{event.kind}", width), *lines]
            if len(lines) >= rows + self.scroll:
                break
        self.scroll = min(self.scroll, max(0, len(lines) - 1))
        return joined(lines[: len(lines) - self.scroll][-rows:])

    def _log_line(self) -> int:
        """The line that must be seen: the last of the log, the first of anything else."""
        if self.form is not None or self.panel:
            return 0
        return sum(part[1] == "\n" for part in self._log())

    def _hint(self) -> StyleAndTextTuples:
        pending, text = self.board.pending, self.buffer.text
        if self.form is not None:
            field = self.form.asked
            words = f" ({', '.join(field.words)})" if field.words else ""
            said = "" if self.form.done else f"{field.key}: {field.about}{words}"
            return self._told(said, "class:dim")
        if pending is not None and text == pending.line:
            finding = next((f for f in pending.ruling.findings if f.refuses), None)
            why = f"refused: {kinds.said(finding)}" if finding is not None else "refused"
            return self._told(self.board.speech.told(why), f"class:{kinds.REFUSED}")
        if not text.strip():
            waits = self.board.faults.weighs
            return self._told(f"{waits}, or {IDLE}" if waits else IDLE, "class:dim")
        if self.session.command(text):
            return [("class:dim", COMMANDS[self.session.command(text)])]
        if self.session.is_amendment(text):
            return self._told(USAGE, "class:dim")
        hint = self.board.hint(text)
        return self._told(hint.text, f"class:{hint.kind}")

    def _prompt(self) -> StyleAndTextTuples:
        if self.form is not None:
            done = "Enter stores it, Up goes back, Esc leaves"
            asked = done if self.form.done else self.form.asked.key
            return [("class:prompt", visible(f"{asked}> "))]
        return [("class:prompt", visible(self.board.faults.prompt))]

    def _bar(self) -> StyleAndTextTuples:
        keys = [(key, label) for key, (_, label) in KEYS.items()]
        if len(self.session.boards) == 1:
            keys = [(key, label) for key, label in keys if key != "f7"]
        if self.board.pending is not None:
            keys = [("f8", "it stands"), ("f9", "taken back"), ("enter", "put right"),
                    ("esc", "drop it"), ("f5", "Explain")]  # fmt: skip
        named = [(key.upper() if key[0] == "f" else key.title(), label) for key, label in keys]
        return bar(named, self.app.output.get_size().columns)

    def _told(self, text: str, style: str) -> StyleAndTextTuples:
        return joined(self.painter.lines(text, style, self.app.output.get_size().columns))
