"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from functools import lru_cache
from stat import S_IMODE
from typing import TYPE_CHECKING

from scorekeeper.core.failures import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.suggest import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PART, ENDING = ".scorekeeper-", ".part"  # of a file until it has its name
ABANDONED = 3600  # seconds after which one that nobody went on with is cleared away


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
    _clear_once(os.path.dirname(path))
    with beside(path) as part:
        with open(part, "wb") as file:
            if os.path.exists(path):
                os.chmod(part, S_IMODE(os.stat(path).st_mode))
            file.writelines(pieces)
        os.replace(part, path)


@contextmanager
def beside(target: str, rights: int = 0o666) -> Iterator[str]:
    """A new file in the same folder, of these rights as far as the user gives them, under a name
    that nobody else has: two may write the same file at once. It is gone afterwards, unless it has
    another name by then."""
    name = f"{PART}{os.urandom(8).hex()}{ENDING}"
    part = os.path.join(os.path.dirname(target), name)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, rights))
    try:
        yield part
    finally:
        with suppress(OSError):
            os.remove(part)


def clear(folder: str) -> None:
    """Take away what those left who were killed while they wrote."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not (entry.name.startswith(PART) and ENDING in entry.name):
                continue
            with suppress(OSError):
                if time.time() - entry.stat().st_mtime > ABANDONED:
                    os.remove(entry.path)


# Who writes thousands of files into a folder looks through it once.
_clear_once = lru_cache(maxsize=1)(clear)
