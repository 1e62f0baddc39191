"""Output files, which are written completely or not at all and never replace a database."""

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
from scorekeeper.core.text import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# the prefix and suffix of a file's name while the file is being written
PART_PREFIX, PART_SUFFIX = ".scorekeeper-", ".part"
ABANDONED_AFTER = 3600  # seconds after which an unfinished file is removed
SQLITE_HEADER = b"SQLite format 3\0"  # the first bytes of a database with at least one page
# the suffixes of the files that SQLite creates next to an open database
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
# The first bytes of the files with these suffixes: the write-ahead log in both byte orders, and the
# journal.
_SIDE_FILE_HEADERS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}


def check_address(path: str) -> None:
    """Raise Unreadable if a path is an address (`scheme://…`) and not the name of a file."""
    if _ADDRESS.match(path):
        raise Unreadable(
            tr("{path} is an address, not a file", path=quote(path, 200)), tr("name a file")
        )


def expand_home(path: str) -> str:
    """Return a path with `~` replaced by the user's home folder. Raises Unreadable if that folder
    is unknown."""
    result = os.path.expanduser(path)
    if result == path and (path == "~" or path.startswith("~" + os.sep)):
        raise Unreadable(
            tr("your home folder is unknown, so {path} cannot be located", path=quote(path, 200)),
            tr("type the full path, or set HOME"),
        )
    return result


def read_first_bytes(path: str, size: int = 1024) -> bytes | None:
    """Return the first bytes of a file, or None for a missing file, a pipe, a device or a folder.

    Raises Unreadable for a file without read permission, because it might be a database.
    """
    try:
        if not S_ISREG(os.stat(path).st_mode):
            return None
    except (OSError, ValueError):  # an invalid name, or a folder without permission
        return None
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(
            tr("{path} cannot be read, so it is not replaced: {reason}",
               path=quote(path, 200), reason=error.strerror),
            tr("name another file"),
        ) from None  # fmt: skip


def check_no_database(path: str) -> None:
    """Raise Unreadable if a path leads to a SQLite database or to one of SQLite's files next to it.

    Links are followed.
    """
    target = os.path.realpath(path)
    if _is_database(target) or _is_side_file(target):
        raise Unreadable(
            tr("{path} is a database, such as a book, and is never replaced",
               path=quote(path, 200)),
            tr("name another file"),
        )  # fmt: skip


def _is_database(path: str) -> bool:
    """Return whether a file is a database.

    An empty or damaged file counts as a database if SQLite's files are next to it.
    """
    head = read_first_bytes(path, len(SQLITE_HEADER))
    if head is None:
        return False
    return head == SQLITE_HEADER or any(
        os.path.lexists(path + ending) for ending in SQLITE_SUFFIXES
    )


def _is_side_file(path: str) -> bool:
    """Return whether a file is a companion file that SQLite creates next to a database."""
    head = read_first_bytes(path, 8)
    if head is not None and head.startswith(_SIDE_FILE_HEADERS):
        return True
    stem, hyphen, ending = path.rpartition("-")
    return f"{hyphen}{ending}" in SQLITE_SUFFIXES and read_first_bytes(
        stem, len(SQLITE_HEADER)
    ) in (SQLITE_HEADER, b"")


def write_text(pieces: Iterable[str], path: str) -> None:
    """Write text to a file in the same way as `write_bytes`."""
    write_bytes((piece.encode() for piece in pieces), path)


def write_bytes(pieces: Iterable[bytes], path: str) -> None:
    """Write a file completely or not at all.

    Links are followed, and an existing file retains its permissions. Pipes and devices are written
    to directly. Raises Unreadable for an empty path, an address or a database, and Damaged if the
    file cannot be written.
    """
    if not path:
        raise Unreadable(tr("the name of the file to write is empty"), tr("name a file: --to FILE"))
    check_address(path)
    try:
        check_no_database(path)
        # the stream may be a file with earlier output
        if (stream := _STREAMS.get(path)) is not None:
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
            tr("{path} cannot be written: {reason}", path=quote(path, 200), reason=reason)
        ) from None


def _replace(pieces: Iterable[bytes], path: str) -> None:
    """Write a temporary file in the same folder, then rename it to `path`."""
    _remove_abandoned_once(os.path.dirname(path))
    with temp_path(path) as part:
        with open(part, "wb") as file:
            if os.path.exists(path):
                os.chmod(part, S_IMODE(os.stat(path).st_mode))
            file.writelines(pieces)
        check_no_database(path)  # another process may have created a database meanwhile
        os.replace(part, path)


def apply_umask(rights: int) -> int:
    """Return the permissions that remain after the umask is applied."""
    umask = os.umask(0o077)
    os.umask(umask)
    return rights & ~umask


@contextmanager
def temp_path(target: str, rights: int = 0o666) -> Iterator[str]:
    """Create a temporary file in the folder of `target`, and remove it at the end if it still
    exists.

    The name of the file is random, so that two processes can write the same target. Its permissions
    are `rights`, restricted by the umask.
    """
    name = f"{PART_PREFIX}{os.urandom(8).hex()}{PART_SUFFIX}"
    part = os.path.join(os.path.dirname(target), name)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, rights))
    try:
        yield part
    finally:
        with suppress(OSError):
            os.remove(part)


def remove_abandoned(folder: str) -> None:
    """Remove old temporary files that were left by processes killed while writing."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not (entry.name.startswith(PART_PREFIX) and PART_SUFFIX in entry.name):
                continue
            with suppress(OSError):
                if time.time() - entry.stat().st_mtime > ABANDONED_AFTER:
                    os.remove(entry.path)


# A process that writes thousands of files scans a folder only once.
_remove_abandoned_once = lru_cache(maxsize=1)(remove_abandoned)
