"""Bytes that a command answers with: to a file, or to what reads standard output; and folders."""

from __future__ import annotations

import os
import sys

from scorekeeper.cli.streams import put
from scorekeeper.core.failures import Damaged, Unreadable
from scorekeeper.core.messages import tr


def check_outlet(path: str | None) -> None:
    """Raises Unreadable where bytes that nobody can read would come to a terminal."""
    if path is None and sys.stdout.isatty():
        raise Unreadable(tr("a terminal cannot show a PDF; say where to write it"), "--to FILE")


def write_bytes_out(data: bytes, path: str | None) -> None:
    """Bytes to a file, whole or not at all, or to standard output. Raises Damaged."""
    if path is None:
        put(data)
        return
    from scorekeeper.store.files import write_bytes

    write_bytes([data], path)


def is_folder(path: str) -> bool:
    """Whether somebody named a folder: one that is there, or that ends as folders do."""
    return os.path.isdir(path) or path.endswith(("/", os.sep))


def make_folder(path: str) -> None:
    """A folder, which may be there. Raises Damaged where it cannot be made."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Damaged(tr("{path} cannot be made: {why}", path=path, why=error.strerror)) from None
