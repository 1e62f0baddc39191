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
    say,
    say_json,
    speech_of,
    talk,
    turn_text,
)
from scorekeeper.failures import Unreadable

if TYPE_CHECKING:
    from scorekeeper.desk import Desk
    from scorekeeper.notation.speech import Speech


@commanded
def undo(match: MatchOption = None, book: BookOption = None, format: FormatOption = "text") -> int:
    """Take the last entry back; the log keeps it.

    Example: scorekeeper undo
    """
    with open_book(book) as opened:
        desk = open_desk(opened, match)
        talk(label_of(desk.match, f"match {desk.id}"))
        text = desk.undo()
        if format == "json":
            say_json({"undone": text, "to_act": desk.match.to_act})
        else:
            speech = desk.speech()
            say(f"taken back: {speech.echo(text)}")
            say(speech.told(turn_text(desk.match)))
    return FINE


@commanded
def amend(
    at: Annotated[
        str,
        typer.Argument(metavar="[ROUND.]N", help="Which entry, counted from 1 in its round."),
    ],
    entry: Annotated[list[str], typer.Argument(metavar="ENTRY", help="What it should have been.")],
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
    with open_book(book) as opened:
        desk = open_desk(opened, match)
        talk(label_of(desk.match, f"match {desk.id}"))
        number, position = _place(desk, at)
        speech = speech_of(desk, format)
        text = _single(speech, entry)
        _, broken = desk.try_amend(number, position, text)
        if format == "text":
            for row in broken:
                own = (row.round, row.number) == (number, position)
                what = "would itself be refused" if own else "no longer stands"
                entry_text, reason = speech.echo(row.entry), speech.told(row.reason)
                say(f"{what}: {row.round}.{row.number} {entry_text}: {reason}")
        saved = not broken or yes or _agreed(len(broken))
        if saved:
            desk.amend(number, position, text)
        if format == "json":
            rows = [row._asdict() for row in broken]
            say_json({"saved": saved, "broken": rows, "to_act": desk.match.to_act})
        elif saved:
            say(f"amended: {number}.{position} {speech.echo(text)}")
            if broken:
                say("what no longer stands is kept, and counts until it is amended")
            say(speech.told(turn_text(desk.match)))
        else:
            say("nothing was saved; --yes saves it, and keeps the others as they are")
    return FINE if saved else REFUSED


def _place(desk: Desk, at: str) -> tuple[int, int]:
    """The round and the entry that `2.5`, or `5` of the last round, mean."""
    parts = at.split(".")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise Unreadable(f"“{at[:40]}” is no entry's number", "amend 2.5 ENTRY, or amend 5 ENTRY")
    live = desk.match.rounds[-1].number if desk.match.rounds else 1
    numbers = [int(part[:9]) for part in parts]
    return (live, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])


def _single(speech: Speech, arguments: list[str]) -> str:
    texts = speech.split(" ".join(joined(arguments)))
    if len(texts) != 1:
        raise Unreadable(f"one entry is replaced by one, found {len(texts)}", "amend N ENTRY")
    return speech.canonical(texts[0])


def _agreed(count: int) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    talk(f"save all the same? {count} later entries no longer stand [y/N]")
    return input().strip().lower() in ("y", "yes")
