"""What the live table's screen shows: title, table, log, what is said of the line, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import StyleAndTextTuples

from scorekeeper.cli.painting import Line, Painter, bar, joined
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.suggest import visible
from scorekeeper.session import COMMANDS, USAGE, Hint
from scorekeeper.session import judging as kinds

if TYPE_CHECKING:
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.data_structures import Size

    from scorekeeper.session import Board, Form, Session

WIDE = 110  # columns from which the log stands beside the table
KEYS = {
    "f1": ("help", mark("Help")),
    "f2": ("undo", mark("Undo")),
    "f3": ("last", mark("Last")),
    "f4": ("score", mark("Score")),
    "f5": ("explain", mark("Explain")),
    "f6": ("result", mark("Result")),
    "f7": ("next", mark("Next")),
    "f12": ("rulings", mark("Ruled")),
    "f10": ("quit", mark("Quit")),
}
HELP = (
    mark("A card or a bid alone belongs to whom the game waits for; else type “Name: act”."),
    mark("Commas part several entries. Tab offers what may be done now."),
    mark("Refused? Put it right and press Enter, or F8 it stands, F9 it was taken back."),
    mark("What has a number in the log is stored. A key's word may be typed as well:"),
)
HELPED = ("help", "quit")  # commands that need no line in the help
IDLE = mark("type what happens; Tab: what may be done now")


class Showing:
    """One session as it is shown. `panel` is what was asked for, in the place of the log."""

    buffer: Buffer

    def __init__(self, session: Session) -> None:
        self.session = session
        self.panel: list[str] = []
        self.form: Form | None = None
        self.scroll = 0
        self._painters: dict[int, Painter] = {}

    @property
    def size(self) -> Size:
        """How large the terminal is."""
        raise NotImplementedError

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

    def _form_lines(self, form: Form) -> list[Line]:
        hint = form.preview() if form.done else Hint(kinds.PLAIN, tr("empty: left out; Up: back"))
        width = self._log_width()
        return [
            [("class:turn", tr("The round's result"))],
            *self.painter.form(form.fields, form.answers, form.at),
            *self.painter.lines(form.text, f"class:{hint.kind}", width),
            *self.painter.lines(hint.text, f"class:{hint.kind}", width),
        ]

    def _is_wide(self) -> bool:
        return self.size.columns >= WIDE

    def _log_width(self) -> int:
        columns = self.size.columns
        return columns // 2 - 1 if self._is_wide() else columns

    def _table_width(self) -> int:
        columns = self.size.columns
        return columns - columns // 2 if self._is_wide() else columns

    def _heading(self) -> StyleAndTextTuples:
        said = tr("log")
        if self.form is not None:
            said = tr("Esc leaves the form")
        elif self.panel:
            said = tr("Esc goes back to the log, PageDown on")
        return [("", f"── {said} ".ljust(self._log_width(), "─"))]

    def _title(self) -> StyleAndTextTuples:
        screen = self.board.screen()
        said = mark(" {title} · round {number}")
        if screen.over:
            said = mark(" {title} · round {number} (over)")
        return [("", visible(tr(said, title=self.session.title, number=screen.round)))]

    def _table(self) -> StyleAndTextTuples:
        return self.painter.table(self.board.screen(), self._table_width())

    def _log(self) -> StyleAndTextTuples:
        """As much of the log, or of what was asked for, as a screen may hold."""
        rows, width = self.size.rows, self._log_width()
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
            why = tr("refused")
            if finding is not None:
                why = tr("refused: {reason}", reason=kinds.said(finding))
            return self._told(self.board.speech.told(why), f"class:{kinds.REFUSED}")
        if not text.strip():
            waits = self.board.faults.weighs
            return self._told(
                tr("{entry}, or {what}", entry=waits, what=tr(IDLE)) if waits else tr(IDLE),
                "class:dim",
            )
        if self.session.command(text):
            return [("class:dim", tr(COMMANDS[self.session.command(text)]))]
        if self.session.is_amendment(text):
            return self._told(tr(USAGE), "class:dim")
        hint = self.board.hint(text)
        return self._told(hint.text, f"class:{hint.kind}")

    def _prompt(self) -> StyleAndTextTuples:
        if self.form is not None:
            done = tr("Enter stores it, Up goes back, Esc leaves")
            asked = done if self.form.done else self.form.asked.key
            return [("class:prompt", visible(f"{asked}> "))]
        return [("class:prompt", visible(self.board.faults.prompt))]

    def _bar(self) -> StyleAndTextTuples:
        keys = [(key, tr(label)) for key, (_, label) in KEYS.items()]
        if len(self.session.boards) == 1:
            keys = [(key, label) for key, label in keys if key != "f7"]
        if self.board.pending is not None:
            keys = [("f8", tr("it stands")), ("f9", tr("taken back")), ("enter", tr("put right")),
                    ("esc", tr("drop it")), ("f5", tr("Explain"))]  # fmt: skip
        named = [(key.upper() if key[0] == "f" else key.title(), label) for key, label in keys]
        return bar(named, self.size.columns)

    def _told(self, text: str, style: str) -> StyleAndTextTuples:
        return joined(self.painter.lines(text, style, self.size.columns))
