"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from stat import S_IMODE
from typing import TYPE_CHECKING

from scorekeeper.core.failures import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.suggest import shown

if TYPE_CHECKING:
    from collections.abc import Iterable


def write_text(pieces: Iterable[str], path: str) -> None:
    """Write a text to a file, as `write_bytes` does."""
    write_bytes((piece.encode() for piece in pieces), path)


def write_bytes(pieces: Iterable[bytes], path: str) -> None:
    """Write a file whole or not at all, each piece as it comes; by a link what it leads to, and who
    might read it before may read it after. What is no file (a pipe, a device) is written into.
    Raises Unreadable for a file without a name, Damaged when it cannot be written."""
    if not path:
        raise Unreadable(tr("the file to write has no name"), tr("name one: --to FILE"))
    try:
        target = os.path.realpath(path)
        if os.path.isfile(target) or not os.path.exists(target):
            _replace(pieces, target)
        else:
            with open(target, "wb") as stream:
                stream.writelines(pieces)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Damaged(
            tr("{path} cannot be written: {reason}", path=shown(path, 200), reason=reason)
        ) from None


def _replace(pieces: Iterable[bytes], path: str) -> None:
    """Write beside a file, and put that in its place."""
    waiting = f"{path}.part"
    try:
        with open(waiting, "wb") as file:
            if os.path.exists(path):
                os.chmod(waiting, S_IMODE(os.stat(path).st_mode))
            file.writelines(pieces)
        os.replace(waiting, path)
    except BaseException:
        with suppress(OSError, ValueError):
            os.remove(waiting)
        raise
