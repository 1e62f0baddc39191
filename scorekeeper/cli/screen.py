"""The live table on a terminal's screen: what is typed, and the keys."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent
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

from scorekeeper.cli.common import FINE, say
from scorekeeper.cli.offers import Offers
from scorekeeper.cli.painting import STYLE
from scorekeeper.cli.showing import KEYS, Showing
from scorekeeper.cli.speaking import agrees, disagrees
from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import tr
from scorekeeper.session import STANDS, WITHDRAWN, judging

if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.data_structures import Size

    from scorekeeper.session import Form, Session

LOOK_EVERY = 0.5  # seconds between looks for what others recorded


class Screen(Showing):
    """One session on the screen; `given_back`: the line holds what was not recorded, and the next
    letter typed replaces it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.given_back = False
        self._menu = Float(_menu(), left=0, right=0)
        self.buffer = Buffer(
            completer=Offers(lambda: self.board, lambda: self.form),
            complete_while_typing=True,
            history=InMemoryHistory(),
            accept_handler=self._accept,
            multiline=False,
            on_text_changed=self._touched,
            on_completions_changed=self._offered,
            on_cursor_position_changed=self._touched,
        )
        self.app: Application[None] = Application(
            layout=Layout(self._layout(), focused_element=self.buffer),
            key_bindings=self._keys(),
            style=Style.from_dict(STYLE),
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
            full_screen=True,
            before_render=self._place_menu,
        )
        self.app.ttimeoutlen = 0.05

    @property
    def size(self) -> Size:
        """How large the terminal is."""
        return self.app.output.get_size()

    def run(self) -> int:
        """Until somebody leaves; the exit code."""
        self.app.run(pre_run=self._watch)
        for board in self.session.boards:
            say(f"{board.label}: {board.screen().turn}")
        say(tr("everything is stored; go on with: scorekeeper table {ids}", ids=self._ids()))
        return FINE

    def _ids(self) -> str:
        return " ".join(str(board.desk.id) for board in self.session.boards)

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
            return self._answer(self.form, text)
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
        self.buffer.complete_state = None
        self.given_back = bool(text)

    def _touched(self, buffer: Buffer) -> None:
        self.given_back = False

    def _type_anew(self, event: KeyPressEvent) -> None:
        self.buffer.reset()
        self.buffer.insert_text(event.data)

    def _paste(self, event: KeyPressEvent) -> None:
        """Lines that were pasted are sent one by one, the last one stays in the line; from one that
        is refused on they wait there."""
        lines = event.data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for at, line in enumerate(lines, 1):
            if self.given_back:
                self.buffer.reset()
            self.buffer.insert_text(line)
            if at < len(lines):
                self.buffer.validate_and_handle()
            if self.given_back and self.form is None:
                rest = ", ".join(filter(None, [self.buffer.text, *lines[at:]]))
                self.buffer.document = Document(rest)
                return

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
            self.panel = self.help_lines()
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
        else:
            self.board.correct()
            self.buffer.reset()

    # --- a round's result

    def _open_form(self) -> None:
        try:
            self.form = self.board.form()
        except Failure as failure:
            self.panel = [failure.message]
        else:
            self.buffer.reset()

    def _answer(self, form: Form, text: str) -> bool:
        command = "" if text in form.asked.words else self.session.command(text)
        if command in ("quit", "help"):
            self._leave_form()
            if command == "help":
                self._command(command)
        elif not form.done:
            if form.answer(text):
                self._ask(form)
            else:
                self.given_back = True
        elif form.preview().kind == judging.REFUSED:
            form.ask_again()
            self._ask(form)
        elif disagrees(text):
            self._field_before(form)
        elif agrees(text, default=True):
            self._leave_form()
            self.session.enter(form.text)
        else:
            self.buffer.reset()
            form.wrong = tr(
                "“{answer}” is neither yes nor no: Enter stores it, Esc goes back", answer=text
            )
        return True

    def _ask(self, form: Form) -> None:
        """The line holds what the field was answered with before."""
        self.buffer.reset(Document(form.given))
        self.given_back = bool(form.given)

    def _leave_form(self) -> None:
        self.form = None
        self.buffer.reset()

    def _field_before(self, form: Form) -> None:
        form.back()
        self._ask(form)

    # --- keys

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        for key, (command, _) in KEYS.items():
            keys.add(key)(self._pressed(command))
        keys.add("f8")(lambda event: self._decide(STANDS))
        keys.add("f9")(lambda event: self._decide(WITHDRAWN))
        keys.add("c-c")(lambda event: self._close())
        keys.add("escape", eager=True)(lambda event: self._escape())
        keys.add("tab")(self._tab)
        keys.add("enter", filter=Condition(self._is_begun))(self._go_on)
        keys.add("c-d")(self._leave)
        keys.add("pageup")(lambda event: self._page(-1))
        keys.add("pagedown")(lambda event: self._page(1))
        given_back = Condition(lambda: self.given_back)
        keys.add(Keys.Any, filter=given_back)(self._type_anew)
        keys.add(Keys.BracketedPaste)(self._paste)
        keys.add(Keys.Vt100MouseEvent)(lambda event: None)  # colours that were pasted look like one
        asking = Condition(lambda: self.form is not None)
        keys.add("up", filter=asking & ~has_completions)(self._up)
        return keys

    def _pressed(self, command: str) -> Callable[[KeyPressEvent], None]:
        return lambda event: self._command(command)

    def _escape(self) -> None:
        """Back a field, from the first one out of the form; else as Ctrl-C."""
        if self.form is not None and self.form.at:
            self._field_before(self.form)
        else:
            self._close()

    def _tab(self, event: KeyPressEvent) -> None:
        """Take the first of what is offered into the line, then the next."""
        state = self.buffer.complete_state
        if state is not None and state.completions:
            self.buffer.complete_next()
            return
        asked = CompleteEvent(completion_requested=True)
        document = self.buffer.document
        found = [*self.buffer.completer.get_completions(document, asked)]
        if found:  # at once: the next key may be there already
            self.buffer.complete_state = CompletionState(document, found)
            self.buffer.go_to_completion(0)

    def _offered(self, buffer: Buffer) -> None:
        """Where the line was refused nothing is offered, for why stands there, until it is changed
        or Tab is pressed."""
        if self.given_back:
            buffer.complete_state = None

    def _is_begun(self) -> bool:
        """Whether what was taken from the menu is only the beginning of an entry."""
        state = self.buffer.complete_state
        chosen = state.current_completion if state is not None else None
        return chosen is not None and chosen.text.endswith(" ")

    def _go_on(self, event: KeyPressEvent) -> None:
        self.buffer.complete_state = None

    def _up(self, event: KeyPressEvent) -> None:
        if self.form is not None:
            self._field_before(self.form)

    def _leave(self, event: KeyPressEvent) -> None:
        if not self.buffer.text:
            event.app.exit()
        else:
            self.panel = [
                tr("Something is typed and not sent: Ctrl-C drops it, F10 leaves anyway.")
            ]

    def _page(self, way: int) -> None:
        page = max(1, self._panel_rows() - 1 if self.panel else self.size.rows // 3)
        self.scroll = max(0, self.scroll + way * (page if self.panel else -page))

    # --- the layout

    def _layout(self) -> FloatContainer:
        wide, alone = Condition(self._is_wide), Condition(self._is_alone)
        table = Window(
            FormattedTextControl(self._table),
            height=lambda: Dimension.exact(self._table_rows()),
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
            ConditionalContainer(
                HSplit([ConditionalContainer(table, filter=~alone), log]), filter=~wide
            ),
            Window(
                BufferControl(self.buffer, input_processors=[BeforeInput(self._prompt)]),
                height=1,
            ),
            Window(FormattedTextControl(self._hint), height=lambda: self._hint_rows()),
            Window(FormattedTextControl(self._bar), height=1, style="class:keys"),
        ]
        return FloatContainer(HSplit(rows), [self._menu])

    def _place_menu(self, app: Application[None]) -> None:
        """Above the line: what is said of it stays to be read."""
        self._menu.bottom = self._hint_rows() + 2

    def _scrolled(self, text: Callable[[], StyleAndTextTuples], line: Callable[[], int]) -> Window:
        control = FormattedTextControl(
            text, show_cursor=False, get_cursor_position=lambda: Point(0, line())
        )
        return Window(control, height=Dimension(min=1))


def _menu() -> ConditionalContainer:
    """What is offered, over whole rows: nothing of what stands behind it is half covered."""
    offered = CompletionsMenu(max_height=8, scroll_offset=1)
    rows = HSplit([Window(height=1, char="─"), VSplit([Window(width=1), offered, Window()])])
    return ConditionalContainer(rows, filter=has_completions & ~is_done)
