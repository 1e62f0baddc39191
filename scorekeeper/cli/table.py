"""The command `table`: the live table, on a screen or line by line."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from scorekeeper.cli.common import BookOption, MatchOption, commanded, open_book, open_desk


@commanded
def table(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID", help="The matches (default: the one last recorded in)."),
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

    with open_book(book) as opened:
        wanted: list[str | None] = [*([match] if match else ()), *(ids or ())]
        desks = [open_desk(opened, each) for each in dict.fromkeys(wanted or [None])]
        session = Session(desks, language)
        if plain or not _screen():
            from scorekeeper.cli.lines import Lines

            return Lines(session, prompting=sys.stdin.isatty()).run()
        from scorekeeper.cli.screen import Screen

        return Screen(session).run()


def _screen() -> bool:
    """Whether there is a terminal that can do more than print lines."""
    dumb = os.environ.get("TERM", "") in ("", "dumb") and os.name != "nt"
    return sys.stdin.isatty() and sys.stdout.isatty() and not dumb
