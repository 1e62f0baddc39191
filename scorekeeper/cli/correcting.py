"""Commands that correct: undo, amend. Nothing is erased; the log keeps what was."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    BookOption,
    FormatOption,
    MatchOption,
    commanded,
    joined,
    label_of,
    open_book,
    open_desk,
    ruling_lines,
    say,
    say_json,
    speech_of,
    talk,
    turn_text,
)
from scorekeeper.cli.speaking import agrees
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.play.amending import read_place

if TYPE_CHECKING:
    from scorekeeper.notation.translation import Speech
    from scorekeeper.play.amending import Account
    from scorekeeper.store.desk import Desk


@commanded
def undo(match: MatchOption = None, book: BookOption = None, format: FormatOption = "text") -> int:
    """Take back what was done last, an entry or a whole amendment; the log keeps it.

    Example: scorekeeper undo
    """
    with open_book(book) as opened:
        desk = open_desk(opened, match)
        talk(label_of(desk.match, tr("match {id}", id=desk.id)))
        text = desk.undo()
        if format == "json":
            say_json({"undone": text, "to_act": desk.match.to_act})
        else:
            speech = desk.speech()
            say(tr("taken back: {entry}", entry=speech.echo(text)))
            say(speech.told(turn_text(desk.match)))
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
        raise typer.BadParameter(tr("--remove takes an entry out, and nothing stands in its place"))
    if not (remove or entries):
        raise typer.BadParameter(tr("what should it have been? (to take it out: --remove)"))
    with open_book(book) as opened:
        desk = open_desk(opened, match)
        talk(label_of(desk.match, tr("match {id}", id=desk.id)))
        number, position = read_place(desk.match, at)
        speech = speech_of(desk, format)
        asking = Asking(yes, speech)
        try:
            texts = _texts(speech, entries)
            found = desk.amend(
                number,
                position,
                *texts,
                before=before,
                agree=asking.agree,
                language=speech.language,
            )
        except Illegal as refused:
            return _refused(refused, speech, format == "json")
        except Unreadable as failure:
            if len(entries or ()) > 1:
                quotes = tr("an entry with blanks needs quotes")
                failure.hint = "; ".join(filter(None, (failure.hint, quotes)))
            raise
        if format == "json":
            say_json({**found.as_json(), "to_act": desk.match.to_act})
        else:
            _tell(desk, found, asking)
    return FINE if found.saved else REFUSED


def _texts(speech: Speech, entries: list[str] | None) -> list[str]:
    """What is to be put in, as typed; None: nothing is."""
    texts = [text for line in joined(entries or ()) for text in speech.pieces(line)]
    if entries and not texts:
        raise Unreadable(tr("there is no entry in that"), "amend N ENTRY, or amend N --remove")
    return texts


class Asking:
    """Whether an amendment is saved: where something breaks, only if that was said. `shown` are
    the lines of the account that somebody was asked about."""

    def __init__(self, yes: bool, speech: Speech) -> None:
        self.yes = yes
        self.speech = speech
        self.shown: list[str] = []

    def lines(self, found: Account) -> list[str]:
        """The account as it is told."""
        return found.lines(self.speech.echo, self.speech.told, self.speech.spoken)

    def agree(self, found: Account) -> bool:
        """Say yes, or ask where somebody sits at a terminal."""
        if self.yes or not found.breaks:
            return True
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        self.shown = self.lines(found)
        for line in self.shown:
            talk(line)
        talk(tr("save it all the same? [y/N]"))
        return agrees(sys.stdin.readline())


def _tell(desk: Desk, found: Account, asking: Asking) -> None:
    speech = asking.speech
    if found.saved:
        _tell_done(found, speech)
    lines = asking.lines(found)
    for line in lines if lines != asking.shown else ():
        say(line)
    turn = speech.told(turn_text(desk.match))
    say(turn if found.saved else tr("nothing was saved; with --yes it is"))


def _tell_done(found: Account, speech: Speech) -> None:
    """What now stands there, with the rulings on it."""
    rulings = [ruling_lines(ruling, speech) for ruling in found.rulings]
    removed = [[speech.echo(text)] for text in found.removed]
    for entry, (text, *reasons) in enumerate(rulings or removed, found.change.entry):
        say(f"{found.change.said}: {found.change.round}.{entry} {text}", *reasons)


def _refused(refused: Illegal, speech: Speech, as_json: bool) -> int:
    if as_json:
        say_json({"saved": False, "rulings": [refused.ruling.as_json()], "broken": []})
    else:
        say(*ruling_lines(refused.ruling, speech))
        say(f"  {tr('nothing was saved; if it happened, add !stands or !withdrawn')}")
    return REFUSED
