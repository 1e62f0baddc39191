"""What the live table offers for the line that is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.completion import Completer, Completion

from scorekeeper.core.messages import tr
from scorekeeper.core.text import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from scorekeeper.session import Board, Form


class Offers(Completer):
    """Completion for the line: entries, or the words a field of a form takes."""

    def __init__(self, board: Callable[[], Board], form: Callable[[], Form | None]) -> None:
        self._board = board
        self._form = form

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        line = document.text_before_cursor
        form = self._form()
        if form is not None:
            for word in [] if form.done else form.complete(line):
                yield Completion(word, -len(line), visible(word))
            return
        if not line.strip() and not event.completion_requested:
            return
        for found in self._board().complete(line):
            typed = line[len(line) - found.length :]
            if found.text.rstrip() != typed.rstrip():
                yield Completion(
                    found.text, -found.length, visible(found.text), visible(tr(found.about))
                )
