"""Commands that correct: undo, amend. Nothing is erased; the log keeps what was."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.amending import read_place
from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    BookOption,
    FormatOption,
    MatchOption,
    commanded,
    entries_of,
    joined,
    label_of,
    open_book,
    open_desk,
    ruling_text,
    say,
    say_json,
    talk,
    turn_text,
)
from scorekeeper.failures import Illegal, Unreadable

if TYPE_CHECKING:
    from scorekeeper.amending import Account
    from scorekeeper.desk import Desk


@commanded
def undo(match: MatchOption = None, book: BookOption = None, format: FormatOption = "text") -> int:
    """Take back what was done last, an entry or a whole amendment; the log keeps it.

    Example: scorekeeper undo
    """
    with open_book(book) as opened:
        desk = open_desk(opened, match)
        talk(label_of(desk.match, f"match {desk.id}"))
        text = desk.undo()
        if format == "json":
            say_json({"undone": text, "to_act": desk.match.to_act})
        else:
            say(f"taken back: {text}")
            say(turn_text(desk.match))
    return FINE


@commanded
def amend(
    at: Annotated[
        str,
        typer.Argument(metavar="[ROUND.]N", help="Which entry, counted from 1 in its round."),
    ],
    entries: Annotated[
        list[str] | None,
        typer.Argument(metavar="ENTRY", help="What it should have been; several, if it was more."),
    ] = None,
    before: Annotated[
        bool, typer.Option("--before", help="Put the entries in before it, and keep it.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take it out.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Save even if later entries no longer stand.")
    ] = False,
    match: MatchOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Put an earlier entry right; everything after it is judged again.

    Example: scorekeeper amend 1.2 Ana: 3x5
    """
    if remove and (before or entries):
        raise typer.BadParameter("--remove takes an entry out, and nothing stands in its place")
    if not (remove or entries):
        raise typer.BadParameter("what should it have been? (to take it out: --remove)")
    with open_book(book) as opened:
        desk = open_desk(opened, match)
        talk(label_of(desk.match, f"match {desk.id}"))
        number, position = read_place(desk.match, at)
        asking = Asking(yes)
        try:
            texts = _texts(desk, entries)
            found = desk.amend(number, position, *texts, before=before, agree=asking.agree)
        except Illegal as refused:
            return _refused(refused, format == "json")
        except Unreadable as failure:
            if len(entries or ()) > 1:
                failure.hint += f"{'; ' if failure.hint else ''}an entry with blanks needs quotes"
            raise
        if format == "json":
            say_json({**found.as_json(), "to_act": desk.match.to_act})
        else:
            _tell(desk, found, asking.shown)
    return FINE if found.saved else REFUSED


def _texts(desk: Desk, entries: list[str] | None) -> list[str]:
    """What is to be put in; None: nothing is."""
    texts = entries_of(desk.match, joined(entries or ()))
    if entries and not texts:
        raise Unreadable("there is no entry in that", "amend N ENTRY, or amend N --remove")
    return texts


class Asking:
    """Whether an amendment is saved: where something breaks, only if that was said. `shown` is
    the account that somebody was asked about."""

    def __init__(self, yes: bool) -> None:
        self.yes = yes
        self.shown: Account | None = None

    def agree(self, found: Account) -> bool:
        """Say yes, or ask where somebody sits at a terminal."""
        if self.yes or not found.breaks:
            return True
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        self.shown = found
        for line in found.lines():
            talk(line)
        talk("save it all the same? [y/N]")
        return sys.stdin.readline().strip().lower() in ("y", "yes")


def _tell(desk: Desk, found: Account, shown: Account | None) -> None:
    if found.saved:
        _tell_done(found)
    if shown is None or shown.lines() != found.lines():
        for line in found.lines():
            say(line)
    say(turn_text(desk.match) if found.saved else "nothing was saved; with --yes it is")


def _tell_done(found: Account) -> None:
    """What now stands there, with the rulings on it."""
    texts = [ruling_text(ruling) for ruling in found.rulings] or found.removed
    for entry, text in enumerate(texts, found.change.entry):
        say(f"{found.change.said}: {found.change.round}.{entry} {text}")


def _refused(refused: Illegal, as_json: bool) -> int:
    if as_json:
        say_json({"saved": False, "rulings": [refused.ruling.as_json()], "broken": []})
    else:
        say(f"{ruling_text(refused.ruling)}\n"
            "  nothing was saved; if it happened, add !stands or !withdrawn")  # fmt: skip
    return REFUSED
