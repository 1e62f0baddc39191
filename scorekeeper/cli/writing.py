"""Bytes that a command answers with: to a file, or to what reads standard output; and folders."""

from __future__ import annotations

import inspect
import os
import re
import sys
from typing import TYPE_CHECKING, Annotated, ParamSpec, get_args

import typer

from scorekeeper.cli.streams import put
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown, visible_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence


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
# How what the program writes begins: a file that begins otherwise is somebody's, and stays.
_LABEL = r"[^\W_][\w .’'-]{0,40}:\s"
BEGINS = {
    "text": (
        rf"[^\W_](?:(?!: )[^\n])*\n{_LABEL}|[^\W_][^\n]*\n{_LABEL}[^\n]*\n{_LABEL}"
        r"|[^\W_][^\n]*:\s\d+\s[^\n]*, "
    ),
    "markdown": r"# [^\n]+\n\n- ",
    "html": r"(?i:<!doctype html>)",
    "pdf": r"%PDF-",
    "json": r'\[\]|(?:\[\s*)?\{\s*"(?:title|ruleset|format|version)":',
    "jsonl": r'\{"format": ',
    "toml": r"format = \d",
    "csv": r"(?:match,ruleset|ruleset,table|place,before),",
    "manual": r"\.TH SCOREKEEPER ",
    "bash": r"_scorekeeper_completion\(",
    "zsh": r"#compdef scorekeeper\b",
    "fish": r"complete --command scorekeeper ",
}
BEGINS["scores-csv"] = BEGINS["matches-csv"] = BEGINS["csv"]

ForceOption = Annotated[
    bool,
    typer.Option(
        "--force", help="Replace a file that begins as nothing written here does; never a book."
    ),
]


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


def check_free(path: str, form: str, force: bool = False) -> None:
    """Raises Unreadable where a file is that nothing of that form replaces: a database is never
    replaced, any other file if it begins as one of that form does, or by `force`."""
    from scorekeeper.store.files import check_address, check_no_database, first_bytes

    check_address(path)
    check_no_database(path)
    head = None if force else first_bytes(path)
    if head and re.match(BEGINS[form], head.decode(errors="replace")) is None:
        raise Unreadable(
            tr("{path} does not begin as {form} written here does, so it is not replaced",
               path=shown(path, 200), form=form),
            tr("name another file, or say --force"),
        )  # fmt: skip


def write_out(pieces: Iterable[str], path: str | None, form: str, force: bool = False) -> None:
    """A text of that form to a file, whole or not at all, or to standard output, each piece as it
    comes. Raises Unreadable where nothing may be replaced (see `check_free`), Damaged."""
    told = map(visible_lines, pieces)
    if path is None:
        for piece in told:
            print(piece, end="")
        return
    from scorekeeper.store.files import write_text

    check_free(path, form, force)
    write_text(told, path)


def write_bytes_out(data: bytes, path: str | None, form: str, force: bool = False) -> None:
    """Bytes of that form, as `write_out` does. Raises Unreadable, Damaged."""
    if path is None:
        put(data)
        return
    from scorekeeper.store.files import write_bytes

    check_free(path, form, force)
    write_bytes([data], path)


def is_folder(path: str) -> bool:
    """Whether somebody named a folder: one that is there, or that ends as folders do."""
    return os.path.isdir(path) or path.endswith(("/", os.sep))


def make_folder(path: str) -> None:
    """A folder, which may be there. Raises Unreadable for an address, Damaged where it cannot be
    made."""
    from scorekeeper.store.files import check_address

    check_address(path)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Damaged(tr("{path} cannot be made: {why}", path=path, why=error.strerror)) from None
