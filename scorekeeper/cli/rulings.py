"""The command `rulings`: what was found in a match, and what the table may do about it now."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    ReadOption,
    archive_of,
    commanded,
    complete_matches,
    open_match,
    say,
    say_json,
    talk,
)
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import broken, visible
from scorekeeper.play.found import PROVEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.cli.common import Opened
    from scorekeeper.notation.translation import Speech
    from scorekeeper.session.rulings import Ruled
    from scorekeeper.store.desk import Desk

WIDTH = 80
IN_FILE = mark("to decide about an entry, write !stands or !withdrawn behind it in the file")
CLAIMED = mark(
    "what may be claimed, claim in the file: claim NAME: ENTRY, weigh ENTRY WEIGHT, waive all"
)


@commanded
def rulings(
    id_: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID|FILE]",
            help="The match, by its number, or a record file (default: the one last recorded in).",
            autocompletion=complete_matches,
        ),
    ] = None,
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """What was found in a match, the last first: what is proven, plays of which one was against a
    rule, what is open, what the table decided. Of what nobody has decided yet, what may be done
    about it, each as the command to type.

    Example: scorekeeper rulings
    """
    from scorekeeper.session.rulings import command

    if id_ is not None and match is not None and id_ != match:
        raise Unreadable(tr("two matches are named"), "rulings ID, or rulings --match ID")
    opened = open_match(book, match if id_ is None else id_)
    ruled = _ruled(opened)
    options = "" if opened.desk is None else _options(opened.desk, book)
    speech = opened.speech(format)
    if format == "text":
        _tell(opened, ruled, options)
        return FINE
    if opened.meta["language"]:
        options += " --format json"  # there, too, cards have the program's own letters
    say_json([
        {**found.as_json(), "actions": [command(each, speech, options) for each in entry.actions]}
        for entry in ruled
        for found in entry.found
    ])  # fmt: skip
    return FINE


def _ruled(opened: Opened) -> list[Ruled]:
    from scorekeeper.session.rulings import rulings, rulings_of

    desk = opened.desk
    if desk is None:
        return rulings(opened.match)
    with archive_of(desk.store) as archive:
        return rulings_of(archive.spoken(desk.row), desk)


def _options(desk: Desk, book: str | None) -> str:
    """What a command needs to speak of this match."""
    options = "" if book is None else f" --book {shlex.quote(book)}"
    return options if desk.store.match().id == desk.id else f"{options} --match {desk.id}"


def _tell(opened: Opened, ruled: list[Ruled], options: str) -> None:
    from scorekeeper.session.rulings import NOTHING, counted

    if not ruled:
        say(tr(NOTHING))
        return
    speech = opened.speech("text")
    say(counted(ruled))
    for entry in ruled:
        say("", *_lines(entry, opened, speech, options))
    found = [each for entry in ruled for each in entry.found]
    if opened.desk is not None:
        return
    undecided = [each for each in found if each.kind == PROVEN and not each.stuck]
    if any(each.fault is None for each in undecided):
        talk(tr(IN_FILE))
    if any(each.fault is not None for each in undecided):
        talk(tr(CLAIMED))


def _lines(entry: Ruled, opened: Opened, speech: Speech, options: str) -> Iterator[str]:
    from scorekeeper.session.rulings import command, heading, reasons

    yield heading(entry, speech.echo, opened.match.ruleset.spoken)
    for text in reasons(entry, opened.match.ruleset):
        yield from broken(f"  {visible(speech.told(text))}", WIDTH, "  ")
    for action in entry.actions:
        yield f"    {action.said}: {command(action, speech, options)}"
