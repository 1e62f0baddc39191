"""The secret link of a page: of a match it is always the same, until a new one is made."""

from __future__ import annotations

import os
import stat
import tempfile
from base64 import urlsafe_b64encode
from contextlib import suppress
from hashlib import sha256

SECRET = 32  # bytes
TOKEN = 32  # letters, six bits each


def secret_of(book: str, *, new: bool = False) -> bytes:
    """The secret that stands beside a book, for its owner alone; made where there is none yet, or
    none that only they can have read, or where a `new` one is asked for. Raises OSError where it
    can be neither read nor made, Unreadable where a database is."""
    from scorekeeper.store.files import check_no_database

    path = f"{os.path.realpath(book)}.link"
    check_no_database(path)
    there = os.path.lexists(path)
    found = None if new else _read(path)
    if found is None:
        _write(path, over=there)
        found = _read(path)
    if found is None:
        raise OSError(path)
    return found


def token_of(secret: bytes, match: int) -> str:
    """What stands in the address of a match: nobody guesses it who has not the secret."""
    from hmac import digest

    told = digest(secret, f"match {match}".encode(), sha256)
    return urlsafe_b64encode(told).decode()[:TOKEN]


def _read(path: str) -> bytes | None:
    """The secret that is there, if it is one that only its owner can have read or put there."""
    # Nobody else's file is read through a link, and a pipe is not waited for.
    flags = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC")]
    if os.path.islink(path):
        return None
    try:
        handle = os.open(path, os.O_RDONLY | sum(flags))
    except FileNotFoundError:
        return None
    with open(handle, "rb") as file:
        what = os.fstat(handle)
        if not stat.S_ISREG(what.st_mode):
            return None
        if os.name == "posix" and (what.st_mode & 0o077 or what.st_uid != os.geteuid()):
            return None
        found = file.read(SECRET + 1)
    return found if len(found) == SECRET else None


def _write(path: str, *, over: bool) -> None:
    """A new one, whole or not at all; in place of what is there only where that was meant."""
    from secrets import token_bytes

    handle, made = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".link")
    try:
        with open(handle, "wb") as file:
            file.write(token_bytes(SECRET))
        if over or not _linked(made, path):
            os.replace(made, path)
    finally:
        with suppress(OSError):
            os.unlink(made)


def _linked(made: str, path: str) -> bool:
    """Whether there is a secret now: this one, or one that somebody made at the same moment, which
    is theirs too. Not where files have no second names."""
    try:
        os.link(made, path)
    except FileExistsError:
        return True
    except OSError:
        return False
    return True
