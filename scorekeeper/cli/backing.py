"""Commands that keep the book safe: backup, restore."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    DAMAGED,
    FINE,
    PATIENCE,
    BookOption,
    FormatOption,
    ShareOption,
    commanded,
    say,
    say_json,
    talk,
)
from scorekeeper.cli.settings import chosen_book, is_shared
from scorekeeper.core.messages import plural, tr
from scorekeeper.store.opening import place_of
from scorekeeper.store.protocol import ANEW

if TYPE_CHECKING:
    from scorekeeper.store.backup import Copied


@commanded
def backup(
    file: Annotated[
        str, typer.Argument(metavar="FILE|DIR", help="Where to; in a folder a name with the time.")
    ],
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Copy the book while others record in it, and look whether the copy is whole.

    An older backup of that name stays until then.

    Example: scorekeeper backup backup.sqlite
    """
    from scorekeeper.store.backup import back_up

    path = place_of(chosen_book(book))
    copied = back_up(path, file, PATIENCE)
    _tell(copied, format, {"book": path, "file": copied.path})
    if not copied.held.faults:
        return FINE
    saves = tr("scorekeeper check-book --save FOLDER saves what is whole")
    hint = tr(ANEW) if copied.held.mendable else saves
    talk(
        tr("the book {path} is damaged; an older backup is as it was", path=path),
        tr("  try: {hint}", hint=hint),
    )
    return DAMAGED


@commanded
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What backup wrote.")],
    share: ShareOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Make a new book of a backup that is whole, where there is none yet.

    Example: scorekeeper restore backup.sqlite --book restored.sqlite
    """
    from scorekeeper.store import backup as backups

    copied = backups.restore(file, place_of(chosen_book(book)), is_shared(share))
    _tell(copied, format, {"file": file, "book": copied.path})
    return FINE


def _tell(copied: Copied, format: str, named: dict[str, str]) -> None:
    """What a copy holds."""
    path, held = copied
    if format == "json":
        say_json({**named, **held._asdict()})
        return
    for fault in held.faults:
        say(f"{path}: {fault}")
    many = (
        plural("{count} match", "{count} matches", held.matches),
        plural("{count} entry", "{count} entries", held.entries),
        tr("last recorded {time}", time=held.last) if held.last else "",
        tr("NOT whole") if held.faults else tr("whole"),
    )
    say(f"{path}: {', '.join(filter(None, many))}")
