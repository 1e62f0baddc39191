"""The command `delete`: the one that erases, and whole matches only."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    BookOption,
    FormatOption,
    commanded,
    complete_matches,
    match_number,
    open_book,
    say,
    say_json,
    talk,
)
from scorekeeper.cli.settings import chosen_book
from scorekeeper.cli.speaking import agrees
from scorekeeper.cli.writing import make_folder, write_out
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import plural, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.store.protocol import MatchRow, Store


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
    """Erase matches, whole, after their records were written.

    What goes with them is their log: who entered what and when, and what was taken back.

    Example: scorekeeper delete 4 --yes
    """
    with open_book(book) as opened:
        rows = [opened.match(number) for number in dict.fromkeys(map(match_number, ids))]
        files = _files(rows, to, book)
        if not yes and not _agreed(rows):
            talk(tr("nothing was deleted"))
            return REFUSED
        with opened.batch():  # nobody records in them between their records and their end
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


def _agreed(rows: Sequence[MatchRow]) -> bool:
    """Whether the person agrees. Raises Unreadable where nobody can be asked."""
    from scorekeeper.cli.telling import match_line

    for row in rows:
        talk(match_line(row))
    if not sys.stdin.isatty():
        raise Unreadable(tr("nobody is there to be asked, so nothing is deleted"), "--yes")
    talk(
        plural(
            "delete this match, and its log? [y/N]",
            "delete these {count} matches, and their logs? [y/N]",
            len(rows),
        )
    )
    return agrees(sys.stdin.readline())


def _files(rows: Sequence[MatchRow], to: str | None, book: str | None) -> list[str]:
    """Where the records of matches go: never to a file that is there."""
    folder = to is not None and (to.endswith(("/", os.sep)) or os.path.isdir(to))
    if to is not None and not folder and (len(rows) == 1 or to.endswith(".toml")):
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
                tr("{path} is there already, and is not overwritten", path=file), "--to FILE"
            )
    return files


def _beside(book: str | None) -> tuple[str, str]:
    """The folder of the book, and how names of files beside it begin."""
    from scorekeeper.store.opening import place_of

    path = place_of(chosen_book(book))
    return os.path.dirname(path), f"{os.path.splitext(os.path.basename(path))[0]}-"


def _save(store: Store, row: MatchRow, file: str) -> None:
    """Write a match's record. Raises Damaged for a match that cannot be read whole."""
    from scorekeeper.store.desk import Desk
    from scorekeeper.store.protocol import KeptDamaged

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
