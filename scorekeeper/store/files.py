"""Files that are written whole or not at all, and never in the place of a database."""

from __future__ import annotations

import os
import re
import time
from contextlib import contextmanager, suppress
from functools import lru_cache
from stat import S_IMODE, S_ISREG
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PART, ENDING = ".scorekeeper-", ".part"  # of a file until it has its name
ABANDONED = 3600  # seconds after which one that nobody went on with is cleared away
SQLITE = b"SQLite format 3\0"  # the first bytes of every database that has a page
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside an open database
# How the files beside a database begin: its log, in both orders of bytes, and its journal.
_KEPT_BESIDE = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}


def check_address(path: str) -> None:
    """Raises Unreadable for an address (`scheme://…`), which no file is meant by."""
    if _ADDRESS.match(path):
        raise Unreadable(
            tr("{path} is an address, not a file", path=shown(path, 200)), tr("name a file")
        )


def expanded(path: str) -> str:
    """A path in which `~` stands for the user's home. Raises Unreadable where nobody knows it."""
    found = os.path.expanduser(path)
    if found == path and (path == "~" or path.startswith("~" + os.sep)):
        raise Unreadable(
            tr("your home folder is not known here, so neither is {path}", path=shown(path, 200)),
            tr("write out the whole path, or set HOME"),
        )
    return found


def first_bytes(path: str, size: int = 1024) -> bytes | None:
    """How a file begins; None where there is none, or no file but a pipe, a device or a folder.
    Raises Unreadable for a file that may not be read, which might be anything."""
    try:
        if not S_ISREG(os.stat(path).st_mode):
            return None
    except (OSError, ValueError):  # no name of a file, or none in a folder that is open to us
        return None
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(
            tr("{path} cannot be read, so it is not replaced: {reason}",
               path=shown(path, 200), reason=error.strerror),
            tr("name another file"),
        ) from None  # fmt: skip


def check_no_database(path: str) -> None:
    """Raises Unreadable where a file is a SQLite database, or one that SQLite keeps beside one, as
    books, backups and whatever else: nothing takes their place. Links are followed."""
    target = os.path.realpath(path)
    if _is_database(target) or _is_beside(target):
        raise Unreadable(
            tr("{path} is a database, such as a book, and is never replaced",
               path=shown(path, 200)),
            tr("name another file"),
        )  # fmt: skip


def _is_database(path: str) -> bool:
    """Whether a file is a database: also one that is still empty, or whose beginning is damaged, as
    long as something of it lies beside it."""
    head = first_bytes(path, len(SQLITE))
    if head is None:
        return False
    return head == SQLITE or any(os.path.lexists(path + ending) for ending in BESIDE)


def _is_beside(path: str) -> bool:
    """Whether a file, there or not, is what SQLite keeps beside a database."""
    head = first_bytes(path, 8)
    if head is not None and head.startswith(_KEPT_BESIDE):
        return True
    stem, hyphen, ending = path.rpartition("-")
    return f"{hyphen}{ending}" in BESIDE and first_bytes(stem, len(SQLITE)) in (SQLITE, b"")


def write_text(pieces: Iterable[str], path: str) -> None:
    """Write a text to a file, as `write_bytes` does."""
    write_bytes((piece.encode() for piece in pieces), path)


def write_bytes(pieces: Iterable[bytes], path: str) -> None:
    """Write a file whole or not at all, each piece as it comes; by a link what it leads to, and who
    might read it before may read it after. What is no file (a pipe, a device) is written into.
    Raises Unreadable for a file without a name, an address and a database, Damaged when it cannot
    be written."""
    if not path:
        raise Unreadable(tr("the file to write has no name"), tr("name one: --to FILE"))
    check_address(path)
    try:
        check_no_database(path)
        if (stream := _STREAMS.get(path)) is not None:  # it may lead to a file that goes on
            with open(os.dup(stream), "wb") as opened:
                opened.writelines(pieces)
            return
        if os.path.isfile(path) or not os.path.exists(path):
            _replace(pieces, os.path.realpath(path))
        else:
            with open(path, "wb") as opened:
                opened.writelines(pieces)
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
        check_no_database(path)  # somebody may have made one meanwhile
        os.replace(part, path)


def given(rights: int) -> int:
    """Rights of a file as far as the user gives them (umask)."""
    umask = os.umask(0o077)
    os.umask(umask)
    return rights & ~umask


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
