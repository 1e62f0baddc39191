"""What the live table's screen shows: title, table, log, what is said of the line, keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import StyleAndTextTuples

from scorekeeper.cli.painting import Line, Painter, bar, joined
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import columns, shortened, visible
from scorekeeper.session import COMMANDS, USAGE, judging
from scorekeeper.session.helping import BETWEEN

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
NAMED = {"enter": mark("Enter"), "esc": mark("Esc")}
LESS = ("f5", "f3", "f12", "f7", "f4", "f6")  # keys that go first where there is no room
REFUSED = mark(
    "Refused? Put it right and press Enter; F8 it stands, F9 it was taken back, Esc drops."
)
LEAST_HINT = 2  # rows of what is said of the line


class Showing(ABC):
    """One session as it is shown. `panel` is what was asked for, in the place of the log."""

    buffer: Buffer

    def __init__(self, session: Session) -> None:
        self.session = session
        self.panel: list[str] = []
        self.form: Form | None = None
        self.scroll = 0
        self._painters: dict[int, Painter] = {}

    @property
    @abstractmethod
    def size(self) -> Size:
        """How large the terminal is."""

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

    def help_lines(self) -> list[str]:
        """What may be typed: in this game, then at any table."""
        named = BETWEEN.join(
            tr(word)
            for word in COMMANDS
            if word not in ("help", "next") or len(self.session.boards) > 1
        )
        return [
            *self.board.help(),
            tr(REFUSED),
            tr("Keys, or their words: {keys}", keys=named),
            tr(USAGE),
            self.board.other_words(),
        ]

    def _form_lines(self, form: Form) -> list[Line]:
        width = self._log_width()
        lines = [
            [("class:turn", tr("The round's result"))],
            *self.painter.form(form.fields, form.answers, form.at, width),
        ]
        if form.done:
            hint = form.preview()
            lines += self.painter.lines(form.text, f"class:{hint.kind}", width)
            lines += self.painter.lines(hint.text, f"class:{hint.kind}", width)
        return lines

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
            said = tr("Esc goes back a field, Ctrl-C leaves the form")
        elif self.panel and len(self._panel_lines()) > self._panel_rows():
            said = tr("PageDown goes on, Esc goes back to the log")
        elif self.panel:
            said = tr("Esc goes back to the log")
        width = self._log_width()
        said = f"── {shortened(said, width - 4)} "
        return [("", said + "─" * (width - columns(said)))]

    def _title(self) -> StyleAndTextTuples:
        screen = self.board.screen()
        said = mark(" {title} · round {number}")
        if screen.over:
            said = mark(" {title} · round {number} (over)")
        title = tr(said, title=self.session.title, number=screen.round)
        return [("", shortened(visible(title), self.size.columns))]

    def _table_lines(self) -> list[Line]:
        most = self.size.rows - 5 - self._hint_rows()
        most -= 0 if self._is_wide() else 2
        return self.painter.table(self.board.screen(), self._table_width(), most)

    def _table(self) -> StyleAndTextTuples:
        lines, rows = self._table_lines(), self._table_rows()
        return joined(lines if len(lines) <= rows else [*lines[: rows - 1], [("", "…")]])

    def _table_rows(self) -> int:
        """How high the table is; a line of the log stays below it."""
        rows = self.size.rows - 3 - self._hint_rows() - (0 if self._is_wide() else 2)
        return max(1, min(len(self._table_lines()), rows))

    def _hint_rows(self) -> int:
        """How high what is said of the line is."""
        lines = sum(part[1] == "\n" for part in self._hint()) + 1
        return max(LEAST_HINT, min(lines, self.size.rows // 3))

    def _panel_lines(self) -> list[Line]:
        width = self._log_width()
        return [part for line in self.panel for part in self.painter.lines(line, "", width)]

    def _panel_rows(self) -> int:
        """How many rows there are for what was asked for."""
        rows = self.size.rows - 4 - self._hint_rows()
        return rows if self._is_wide() or self._is_alone() else rows - self._table_rows() + 1

    def _is_alone(self) -> bool:
        """Whether what was asked for takes the place of the table too: it would not fit."""
        if self._is_wide() or not (self.panel or self.form is not None):
            return False
        asked = self._form_lines(self.form) if self.form is not None else self._panel_lines()
        return len(asked) > self.size.rows - 4 - self._hint_rows() - self._table_rows()

    def _log(self) -> StyleAndTextTuples:
        """As much of the log, or of what was asked for, as a screen may hold."""
        rows, width = self.size.rows, self._log_width()
        if self.form is not None:
            return joined(self._form_lines(self.form))
        if self.panel:
            lines = self._panel_lines()
            self.scroll = min(self.scroll, max(0, len(lines) - self._panel_rows()))
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
            return self._form_hint(self.form)
        if pending is not None and text == pending.line:
            finding = next((f for f in pending.ruling.findings if f.refuses), None)
            why = tr("refused")
            if finding is not None:
                why = tr("refused: {reason}", reason=judging.said(finding))
            return self._told(self.board.speech.told(why), f"class:{judging.REFUSED}")
        if self.board.failed is not None and text == self.board.failed[0]:
            return self._told(self.board.failed[1], f"class:{judging.REFUSED}")
        if not text.strip():
            return self._told(self._idle(), "class:dim")
        if self.session.command(text):
            return self._told(tr(COMMANDS[self.session.command(text)]), "class:dim")
        if self.session.is_amendment(text):
            return self._told(tr(USAGE), "class:dim")
        hint = self.board.hint(text)
        return self._told(hint.text, f"class:{hint.kind}")

    def _idle(self) -> str:
        """What may be typed into an empty line: a form that works as it stands, if there is one."""
        waits, example = self.board.faults.weighs, self.board.examples(1)
        if example:
            said = tr("type what happens, like “{entry}”; Tab offers more", entry=example[0])
        else:
            said = tr("type what happens; Tab: what may be done now")
        return tr("{entry}, or {what}", entry=waits, what=said) if waits else said

    def _form_hint(self, form: Form) -> StyleAndTextTuples:
        if form.wrong:
            why = form.wrong
            if not form.done and form.meant_again:
                why = tr("{reason}; Enter again: it is meant so", reason=why)
            return self._told(why, f"class:{judging.REFUSED}")
        if form.done:
            return []
        field = form.asked
        said = f"{field.key}: {field.about}"
        if field.words:
            said = tr("{field} (Tab: {words})", field=said, words=", ".join(field.words))
        return self._told(said, "class:dim")

    def _prompt(self) -> StyleAndTextTuples:
        if self.form is not None:
            asked = self._done(self.form) if self.form.done else self.form.asked.key
            return [("class:prompt", visible(f"{asked}> "))]
        return [("class:prompt", visible(self.board.faults.prompt))]

    def _done(self, form: Form) -> str:
        if form.preview().kind == judging.REFUSED:
            return tr("Enter goes to what is to be put right")
        return tr("Enter stores it, Esc goes back")

    def _bar(self) -> StyleAndTextTuples:
        keys = [(key, tr(label)) for key, (_, label) in KEYS.items()]
        if len(self.session.boards) == 1:
            keys = [(key, label) for key, label in keys if key != "f7"]
        if self.board.pending is not None:
            keys = [("f8", tr("it stands")), ("f9", tr("taken back")), ("enter", tr("put right")),
                    ("esc", tr("drop it")), ("f5", tr("Explain"))]  # fmt: skip
        named = [(tr(NAMED.get(key, "")) or key.upper(), label) for key, label in keys]
        return bar(named, self.size.columns, [key.upper() for key in LESS])

    def _told(self, text: str, style: str) -> StyleAndTextTuples:
        return joined(self.painter.lines(text, style, self.size.columns))
