"""Bytes that a command answers with: to a file, or to what reads standard output; and folders."""

from __future__ import annotations

import inspect
import os
import sys
from typing import TYPE_CHECKING, ParamSpec, get_args

from scorekeeper.cli.streams import put
from scorekeeper.core.failures import Damaged, Unreadable
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence


P = ParamSpec("P")
BY_ENDING = "by_ending"  # what is noted on a command
# The form that a file's ending names.
ENDINGS = {
    ".htm": "html",
    ".html": "html",
    ".md": "markdown",
    ".pdf": "pdf",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".toml": "toml",
}


def by_ending(command: Callable[P, int]) -> Callable[P, int]:
    """A command whose answer goes to the file of its option `--to`: in the form of `--format`,
    which the file's ending may say instead."""
    setattr(command, BY_ENDING, True)
    return command


def forms_by_ending(command: Callable[P, int]) -> Sequence[str]:
    """The forms of such a command; none for any other."""
    if not getattr(command, BY_ENDING, False):
        return ()
    format = inspect.signature(command, eval_str=True).parameters["format"]
    return get_args(format.annotation.__origin__)


def form_of(path: str, forms: Collection[str], usual: str) -> str:
    """The form that a file's ending names, if it is one of these; else the usual one."""
    named = ENDINGS.get(os.path.splitext(path)[1].lower(), "")
    return named if named in forms else usual


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
