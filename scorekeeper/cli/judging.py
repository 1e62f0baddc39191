"""The command that asks and records nothing: judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    BookOption,
    FormatOption,
    ReadOption,
    code_of,
    commanded,
    entries_of,
    going_on,
    joined,
    open_match,
    ruling_lines,
    say,
    say_json,
    talk,
)
from scorekeeper.cli.results import failed_lines, refused_lines
from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.notation.translation import Speech
    from scorekeeper.play.match import Match


@commanded
def judge(
    entries: Annotated[list[str], typer.Argument(metavar="ENTRY", help="What is asked about.")],
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Ask the referee; records nothing. Several entries are judged one after the other.

    Example: scorekeeper judge Ben: 10x4
    """
    from scorekeeper.play.fold import finding_of

    opened = open_match(book, match)
    spoken, speech = opened.match, opened.speech(format)
    answers: list[dict[str, object]] = []
    code = FINE
    for text, unread in _split(spoken, speech, joined(entries)):
        try:
            if unread is not None:
                raise unread
            ruling = _judged(spoken, speech.canonical(text))
        except Failure as failure:
            answers.append(
                {"entry": text, "verdict": None, "findings": [finding_of(failure).as_json()]}
            )
            if format == "text":
                talk(
                    f"{shown(text, 120)}  [{tr('cannot be judged')}]",
                    *failed_lines(failure, spoken, speech, text),
                )
            code = code_of(failure)
            break
        answers.append(ruling.as_json())
        if format == "text":
            other = refused_lines(spoken, speech, text) if ruling.refused else []
            say(*ruling_lines(ruling, speech), *going_on(ruling, spoken, speech), *other)
        if ruling.refused:
            code = REFUSED
    if format == "json":
        say_json(answers)
    return code


def _split(
    match: Match, speech: Speech, lines: Iterable[str]
) -> Iterator[tuple[str, Unreadable | None]]:
    """The entries of lines, each line read as the match stands by then; or a line with why it
    cannot be."""
    for line in lines:
        try:
            yield from ((text, None) for text in entries_of(match, line, speech))
        except Unreadable as failure:
            yield line, failure


def _judged(match: Match, text: str) -> Ruling:
    """The ruling on an entry, which is then assumed to have happened if it may."""
    try:
        return match.record(text)
    except Illegal as refused:
        return refused.ruling
