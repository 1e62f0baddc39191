"""Commands that correct: rulings, undo, amend, delete.

Only `delete` erases anything, and only whole matches. The log keeps all else.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    WIDTH,
    BookOption,
    FormatOption,
    MatchOption,
    ReadOption,
    archive_of,
    commanded,
    complete_matches,
    joined,
    label_of,
    match_number,
    open_book,
    open_desk,
    open_match,
    ruling_lines,
    say,
    say_json,
    speech_of,
    talk,
    turn_text,
)
from scorekeeper.cli.output import agrees, is_folder, make_folder, write_out
from scorekeeper.cli.settings import chosen_book
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.text import broken, visible
from scorekeeper.match.amend import read_place
from scorekeeper.match.status import PROVEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.cli.common import Opened
    from scorekeeper.core.types import Json
    from scorekeeper.match.amend import Account
    from scorekeeper.notation.translation import Speech
    from scorekeeper.session.rulings import Ruled
    from scorekeeper.store.recorder import Desk
    from scorekeeper.store.rows import MatchRow, Store

IN_FILE = mark("to decide about an entry, add !stands or !withdrawn after it in the file")
CLAIMED = mark(
    "to claim a fault, add a line to the file: claim NAME: ENTRY, weigh ENTRY WEIGHT, or waive all"
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
    """Show what the referee found in a match, latest first, and how to decide it.

    That is what is proven, what is open, groups of plays of which one was illegal, and what the
    table decided. For undecided findings it shows the commands to type.

    Example: scorekeeper rulings
    """
    from scorekeeper.session.rulings import command

    if id_ is not None and match is not None and id_ != match:
        raise Unreadable(tr("two different matches are named"), "rulings ID, or rulings --match ID")
    opened = open_match(book, match if id_ is None else id_)
    ruled = _ruled(opened)
    options = "" if opened.desk is None else _options(opened.desk, book)
    speech = opened.speech(format)
    if format == "text":
        _tell_ruled(opened, ruled, options)
        return FINE
    if opened.meta["language"]:
        options += " --format json"  # with --format json, cards are in the program's own letters
    say_json([
        {**found.as_json(), "actions": [command(each, speech, options) for each in entry.actions]}
        for entry in ruled
        for found in entry.found
    ])  # fmt: skip
    return FINE


@commanded
def undo(match: MatchOption = None, book: BookOption = None, format: FormatOption = "text") -> int:
    """Undo the last entry or amendment. The log keeps it.

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
    """Correct an earlier entry. Everything after it is judged again.

    Example: scorekeeper amend 1.2 Ana: 3x5
    """
    if remove and (before or entries):
        raise typer.BadParameter(tr("--remove goes with neither --before nor a new entry"))
    if not (remove or entries):
        raise typer.BadParameter(
            tr("type what should have been entered, or --remove to remove the entry")
        )
    with open_book(book) as opened:
        desk = open_desk(opened, match)
        talk(label_of(desk.match, tr("match {id}", id=desk.id)))
        number, position = read_place(desk.match, at)
        speech = speech_of(desk, format)
        dialog = AmendDialog(yes, speech)
        try:
            texts = _texts(speech, entries)
            found = desk.amend(
                number,
                position,
                *texts,
                before=before,
                agree=dialog.agree,
                language=speech.language,
            )
        except Illegal as refused:
            return _refused(refused, speech, format == "json")
        except Unreadable as failure:
            if len(entries or ()) > 1:
                quotes = tr("an entry with spaces needs quotes")
                failure.hint = "; ".join(filter(None, (failure.hint, quotes)))
            raise
        if format == "json":
            say_json({**found.as_json(), "to_act": desk.match.to_act})
        else:
            _tell_amended(desk, found, dialog)
    return FINE if found.saved else REFUSED


@commanded
def delete(
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID…", help="The matches, by their numbers.", autocompletion=complete_matches
        ),
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FILE|DIR", help="Where their records go (default: beside the book)."
        ),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Erase whole matches after writing their records.

    Their logs are erased too: who entered what and when, and what was undone.

    Example: scorekeeper delete 4 --yes
    """
    with open_book(book) as opened:
        rows = [opened.match(number) for number in dict.fromkeys(map(match_number, ids))]
        files = _files(rows, to, book)
        if not yes and not _agreed(rows):
            talk(tr("nothing was deleted"))
            return REFUSED
        with opened.batch():  # nobody else may record between writing the records and erasing
            for row, file in zip(rows, files, strict=True):
                _save(opened, row, file)
            for row in rows:
                opened.erase(row.id)
    told: list[Json] = []
    for row, file in zip(rows, files, strict=True):
        told.append({"match": row.id, "file": file})
        if format == "text":
            say(tr("match {match} is deleted; its record is {file}", match=row.id, file=file))
    if format == "json":
        say_json(told)
    return FINE


# --- rulings: what was found in a match, and what the table may do about it now


def _ruled(opened: Opened) -> list[Ruled]:
    from scorekeeper.session.rulings import rulings, rulings_of

    desk = opened.desk
    if desk is None:
        return rulings(opened.match)
    with archive_of(desk.store) as archive:
        return rulings_of(archive.spoken(desk.row), desk)


def _options(desk: Desk, book: str | None) -> str:
    """Return the options that a command needs for this match."""
    options = "" if book is None else f" --book {shlex.quote(book)}"
    return options if desk.store.match().id == desk.id else f"{options} --match {desk.id}"


def _tell_ruled(opened: Opened, ruled: list[Ruled], options: str) -> None:
    from scorekeeper.session.rulings import NOTHING, counted

    if not ruled:
        say(tr(NOTHING))
        return
    speech = opened.speech("text")
    say(counted(ruled))
    for entry in ruled:
        say("", *_lines_of(entry, opened, speech, options))
    found = [each for entry in ruled for each in entry.found]
    if opened.desk is not None:
        return
    undecided = [each for each in found if each.kind == PROVEN and not each.stuck]
    if any(each.fault is None for each in undecided):
        talk(tr(IN_FILE))
    if any(each.fault is not None for each in undecided):
        talk(tr(CLAIMED))


def _lines_of(entry: Ruled, opened: Opened, speech: Speech, options: str) -> Iterator[str]:
    from scorekeeper.session.rulings import command, heading, reasons

    yield heading(entry, speech.echo, opened.match.ruleset.spoken)
    for text in reasons(entry, opened.match.ruleset):
        yield from broken(f"  {visible(speech.told(text))}", WIDTH, "  ")
    for action in entry.actions:
        yield f"    {action.said}: {command(action, speech, options)}"


# --- amend


def _texts(speech: Speech, entries: list[str] | None) -> list[str]:
    """Return the entries to insert, as typed."""
    texts = [text for line in joined(entries or ()) for text in speech.own.pieces(line)]
    if entries and not texts:
        raise Unreadable(tr("the text has no entry"), "amend N ENTRY, or amend N --remove")
    return texts


class AmendDialog:
    """The question whether to save an amendment that makes other entries invalid.

    `shown` are the lines of the report that the user has already seen with the question.
    """

    def __init__(self, yes: bool, speech: Speech) -> None:
        self.yes = yes
        self.speech = speech
        self.shown: list[str] = []

    def lines(self, found: Account) -> list[str]:
        """Return the report as lines of text."""
        return found.lines(self.speech.echo, self.speech.told, self.speech.spoken)

    def agree(self, found: Account) -> bool:
        """Return whether to save: if nothing breaks, with `--yes`, or if the user says so at a
        terminal."""
        if self.yes or not found.breaks:
            return True
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        self.shown = self.lines(found)
        for line in self.shown:
            talk(line)
        talk(tr("save it anyway? [y/N]"))
        return agrees(sys.stdin.readline())


def _tell_amended(desk: Desk, found: Account, dialog: AmendDialog) -> None:
    speech = dialog.speech
    if found.saved:
        _tell_done(found, speech)
    lines = dialog.lines(found)
    for line in lines if lines != dialog.shown else ():
        say(line)
    turn = speech.told(turn_text(desk.match))
    say(turn if found.saved else tr("nothing was saved; to save anyway, add --yes"))


def _tell_done(found: Account, speech: Speech) -> None:
    """Print the new entries with their rulings, or the removed entries."""
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


# --- delete


def _agreed(rows: Sequence[MatchRow]) -> bool:
    """Return whether the user agrees. Raises Unreadable without a terminal."""
    from scorekeeper.cli.show import match_line

    for row in rows:
        talk(match_line(row))
    if not sys.stdin.isatty():
        raise Unreadable(
            tr("nothing was deleted, because without a terminal there is no one to confirm it"),
            "--yes",
        )
    talk(
        plural(
            "delete this match, and its log? [y/N]",
            "delete these {count} matches, and their logs? [y/N]",
            len(rows),
        )
    )
    return agrees(sys.stdin.readline())


def _files(rows: Sequence[MatchRow], to: str | None, book: str | None) -> list[str]:
    """Return the paths of the records to write. Raises Unreadable for a path that exists."""
    if to is not None and not is_folder(to) and (len(rows) == 1 or to.endswith(".toml")):
        if len(rows) > 1:
            raise Unreadable(tr("several records need a folder"), "--to FOLDER")
        files = [to]
    else:
        where, stem = (to, "") if to is not None else _beside(book)
        files = [os.path.join(where, f"{stem}match-{row.id}.toml") for row in rows]
    from scorekeeper.store.files import check_address, check_no_database

    for file in files:
        check_address(file)
        check_no_database(file)
        if os.path.lexists(file):
            raise Unreadable(
                tr("{path} exists already and is not overwritten", path=file), "--to FILE"
            )
    return files


def _beside(book: str | None) -> tuple[str, str]:
    """Return the folder of the book, and the beginning of names for files next to it."""
    from scorekeeper.store.opening import place_of

    path = place_of(chosen_book(book))
    return os.path.dirname(path), f"{os.path.splitext(os.path.basename(path))[0]}-"


def _save(store: Store, row: MatchRow, file: str) -> None:
    """Write a match's record. Raises Damaged if the match cannot be read completely."""
    from scorekeeper.store.recorder import Desk
    from scorekeeper.store.rows import KeptDamaged

    try:
        desk = Desk(store, row.id)
        store.rounds(row.id)
        text = desk.record_text()
    except Damaged as damaged:
        say = tr("match {match} cannot be exported, so it is not deleted: {why}",
                 match=row.id, why=damaged.message)  # fmt: skip
        mends = isinstance(damaged, KeptDamaged)
        raise Damaged(
            say, damaged.hint if mends else "scorekeeper check-book --save FOLDER"
        ) from None
    folder = os.path.dirname(file)
    if folder:
        make_folder(folder)
    write_out([text], file, "toml")
