"""The command `table`: the live table, on a screen or line by line."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import BookOption, MatchOption, commanded, open_book, open_desk
from scorekeeper.cli.speaking import follow, tongue
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import ENGLISH, Tongue, speak, tr
from scorekeeper.core.messages import language as spoken_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.store.desk import Desk


@commanded
def table(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID…", help="The matches (default: the one last recorded in)."),
    ] = None,
    match: MatchOption = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="One line an event: no cursor movement, no keys.")
    ] = False,
    language: Annotated[
        str, typer.Option("--language", metavar="CODE", help="The language of what is offered.")
    ] = "",
    book: BookOption = None,
) -> int:
    """The live table: type what happens, see at once whether it may be. F1 helps there.

    Each entry is stored before it is acknowledged. Without a terminal, lines are read from
    standard input, as with --plain.

    Example: scorekeeper table 3 4
    """
    from scorekeeper.session import Session

    prompting = sys.stdin.isatty()
    with open_book(book, patient=not prompting) as opened:
        wanted: list[str | None] = [*([match] if match else ()), *(ids or ())]
        before = spoken_code()
        desks = [open_desk(opened, each) for each in dict.fromkeys(wanted or [None])]
        _check_language(desks, language)
        session = Session(desks, language)
        session.turned = _in_front(desks, before)
        session.turned(session.at)
        with _left_behind(session.leave):
            if plain or not _screen():
                from scorekeeper.cli.lines import Lines

                return Lines(session, prompting).run()
            from scorekeeper.cli.screen import Screen

            return Screen(session).run()


@contextmanager
def _left_behind(leave: Callable[[], None]) -> Iterator[None]:
    """A table that is left however it ends: also by a terminal that is closed, or a process that is
    told to end."""
    before = {}
    for name in ("SIGHUP", "SIGTERM"):  # not every system has both
        with suppress(AttributeError, ValueError):  # nor does every thread hear them
            number = getattr(signal, name)
            before[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        leave()
        for number, usual in before.items():
            signal.signal(number, usual)


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)  # as shells tell of a process that a signal has ended


def _screen() -> bool:
    """Whether there is a terminal that can do more than print lines."""
    dumb = os.environ.get("TERM", "") in ("", "dumb") and os.name != "nt"
    return sys.stdin.isatty() and sys.stdout.isatty() and not dumb


def _in_front(desks: list[Desk], code: str) -> Callable[[int], None]:
    """What makes the table speak the language of the match that comes to the front; `code` is what
    is spoken of a match without one. Whoever listens hears the change: the language that is spoken
    stays the same object."""
    tongues = []
    for desk in desks:
        speak(tongue(code))
        follow(desk.row.language)
        tongues.append(tongue(spoken_code()))
    if not any(tongues):
        return lambda at: None
    from gettext import NullTranslations

    front = Tongue(ENGLISH, NullTranslations())
    speak(front)

    def turned(at: int) -> None:
        found = tongues[at] or Tongue(ENGLISH, NullTranslations())
        front.code, front.catalogue = found.code, found.catalogue

    return turned


def _check_language(desks: list[Desk], language: str) -> None:
    """Raises Unreadable for a language that none of the matches' rulesets speaks."""
    spoken = {code for desk in desks for code in desk.ruleset.data.get("languages", {})}
    if language and language not in spoken:
        known = ", ".join(sorted(spoken)) or tr("none besides its own words")
        raise Unreadable(
            tr("“{language}” is no language of these rules", language=language[:20]),
            tr("languages: {known}", known=known),
        )
