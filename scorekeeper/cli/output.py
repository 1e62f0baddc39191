"""Standard streams, files, progress bars, and the language of a command's messages.

Stream errors never stop a command half-way, so its entries are still recorded. When writing to a
stream fails, for example because the disk is full, further output is discarded and the error is
remembered.

Messages are in the first language given by `--language`, the match, the settings or the system, in
this order. JSON and CSV are always in English. Translations are gettext catalogues.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import sys
import time
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, ParamSpec, TypeVar, cast, get_args

import typer

from scorekeeper.cli.settings import read_settings
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import (
    ENGLISH,
    N_,
    Locale,
    current_language,
    set_language,
    tr,
    using_language,
)
from scorekeeper.core.text import escape_lines, quote

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Generator,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from scorekeeper.render.sheet_model import Sheet

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

MAX_WIDTH_DIGITS = 4  # maximum number of digits accepted for the width in COLUMNS
PROGRESS_DELAY = 1.0  # seconds before a progress bar is shown

HAS_FORM_BY_ENDING = "by_ending"  # attribute that `with_format_by_ending` sets on a command
# Output formats by file extension.
FORMATS_BY_ENDING = {
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
# Patterns for the beginnings of files that the program writes. Other files are not replaced.
_LABEL = r"[^\W_][\w .’'-]{0,40}:\s"
FIRST_BYTES = {
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
FIRST_BYTES["scores-csv"] = FIRST_BYTES["matches-csv"] = FIRST_BYTES["csv"]

LOCALE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")
DOMAIN = "scorekeeper"
# Environment variables in order of precedence. Only the first may list several languages.
LANGUAGE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
YES = (N_("y"), N_("yes"))
NO = (N_("n"), N_("no"))
DATA_FORMATS = ("json", "jsonl", "csv", "scores-csv", "matches-csv")
# True if messages follow the match's language, because there is no `--language`.
_uses_match_language: ContextVar[bool] = ContextVar("follows", default=False)

ForceOption = Annotated[
    bool,
    typer.Option(
        "--force", help="Replace a file even if another program wrote it. A book is never replaced."
    ),
]
ToOption = Annotated[
    str | None,
    typer.Option("--to", metavar="FILE", help="The file to write (default: standard output)."),
]
LanguageOption = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="CODE",
        help="The language of messages (default: the language of the match or the system).",
    ),
]


# --- streams


def set_up_streams() -> None:
    """Make standard streams safe for any text.

    Files and pipes use UTF-8. Characters that a terminal cannot show are written as escapes. A
    closed standard input reads as empty. Writing to a closed standard output fails as it would on a
    full disk, and messages to a closed standard error are dropped.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, TextIOWrapper):
        lines, encoding = sys.stdout.line_buffering, sys.stdout.encoding
        sys.stdout = OutputStream(sys.stdout.detach(), encoding, line_buffering=lines)
    if isinstance(sys.stderr, TextIOWrapper):
        encoding = sys.stderr.encoding
        sys.stderr = ErrorStream(sys.stderr.detach(), encoding, line_buffering=True)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if not stream.isatty():
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")


class OutputStream(TextIOWrapper):
    """A text stream on which writing never raises. `write_error` is the first write error, or
    None."""

    write_error: OSError | None = None

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self.stop_writing(error)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self.stop_writing(error)

    def stop_writing(self, error: OSError) -> None:
        """Discard all further output after this error."""
        self.write_error = self.write_error or error
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())


class ErrorStream(OutputStream):
    """A standard error stream that escapes control characters, because libraries quote user input
    in messages."""

    def write(self, text: str) -> int:
        super().write(escape_lines(text))
        return len(text)


def write_stdout_bytes(data: bytes) -> None:
    """Write bytes to standard output."""
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        if not isinstance(sys.stdout, OutputStream):
            raise
        sys.stdout.stop_writing(error)


def lost_output_reason() -> str:
    """Return the reason why standard output is incomplete, or "".

    The result is also "" if the reader stopped early, as `head` does.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    lost = getattr(sys.stdout, "write_error", None)
    return "" if lost is None or isinstance(lost, BrokenPipeError) else str(lost.strerror)


def terminal_width(default: int) -> int:
    """Return the width of the terminal of standard output, or `default` if there is none."""
    if not sys.stdout.isatty():
        return default
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and 0 < len(columns) <= MAX_WIDTH_DIGITS:
        return int(columns) or default
    try:
        # `shutil` would query the stream that `set_up_streams` has replaced.
        return os.get_terminal_size(sys.stdout.fileno()).columns or default
    except (OSError, ValueError):
        return default


# --- output to a file or to standard output


def sheet_writer(format: str, to: str | None) -> Callable[[Sheet], str]:
    """Return the function that renders a sheet as Markdown or as text.

    Text for a terminal is as wide as the terminal.
    """
    from scorekeeper.render import markdown, text

    if format == "markdown":
        return markdown.render
    width = terminal_width(text.WIDTH) if to is None else text.WIDTH
    return functools.partial(text.render, width=width)


def write_out(pieces: Iterable[str], path: str | None, format: str, force: bool = False) -> None:
    """Write text to a file completely or not at all, or piece by piece to standard output.

    Raises Unreadable if the file must not be replaced (see `check_replaceable`), and Damaged if it
    cannot be written.
    """
    safe_pieces = map(escape_lines, pieces)
    if path is None:
        for piece in safe_pieces:
            print(piece, end="")
        return
    from scorekeeper.store.files import write_text

    check_replaceable(path, format, force)
    write_text(safe_pieces, path)


def write_bytes_out(data: bytes, path: str | None, format: str, force: bool = False) -> None:
    """Write bytes under the same rules as `write_out`. Raises Unreadable, Damaged."""
    if path is None:
        write_stdout_bytes(data)
        return
    from scorekeeper.store.files import write_bytes

    check_replaceable(path, format, force)
    write_bytes([data], path)


def check_not_terminal(path: str | None) -> None:
    """Raise Unreadable if a PDF would be written to a terminal."""
    if path is None and sys.stdout.isatty():
        raise Unreadable(tr("a terminal cannot show a PDF"), "--to FILE")


def check_replaceable(path: str, format: str, force: bool = False) -> None:
    """Raise Unreadable if the file exists and must not be replaced.

    A database is never replaced. Any other file is replaced if `force` is true, or if it begins
    like a file that the program writes in this format.
    """
    from scorekeeper.store.files import check_address, check_no_database, read_first_bytes

    check_address(path)
    check_no_database(path)
    head = None if force else read_first_bytes(path)
    if head and re.match(FIRST_BYTES[format], head.decode(errors="replace")) is None:
        raise Unreadable(
            tr(
                "{path} is not replaced, because it does not look like a {form} file written "
                "by this program",
                path=quote(path, 200),
                form=format,
            ),
            tr("name another file, or add --force"),
        )


def is_folder(path: str) -> bool:
    """Return whether a path is a folder, or ends with a path separator."""
    return os.path.isdir(path) or path.endswith(("/", os.sep))


def make_folder(path: str) -> None:
    """Make a folder unless it exists. Raises Unreadable for a URL, Damaged if it cannot be made."""
    from scorekeeper.store.files import check_address

    check_address(path)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Damaged(
            tr("{path} cannot be created: {why}", path=path, why=error.strerror)
        ) from None


def with_format_by_ending(command: Callable[P, int]) -> Callable[P, int]:
    """Mark a command that takes its format from the file extension in `--to` if `--format` is not
    given."""
    setattr(command, HAS_FORM_BY_ENDING, True)
    return command


def formats_of(command: Callable[P, int]) -> Sequence[str]:
    """Return the formats that a command marked by `with_format_by_ending` offers. Other commands
    have none."""
    if not getattr(command, HAS_FORM_BY_ENDING, False):
        return ()
    format = inspect.signature(command, eval_str=True).parameters["format"]
    return get_args(format.annotation.__origin__)


def format_by_ending(path: str, formats: Collection[str], default: str) -> str:
    """Return the format for a file's extension if it is one of `formats`, otherwise `default`."""
    named = FORMATS_BY_ENDING.get(os.path.splitext(path)[1].lower(), "")
    return named if named in formats else default


def progress(
    items: Iterable[T],
    count: int | Callable[[], int],
    label: str,
    size: Callable[[T], int] = lambda each: 1,
    silent: bool = False,
) -> Generator[T, None, None]:
    """Yield the items, and show a progress bar on standard error after one second.

    No bar is shown if standard error is not a terminal. If standard output is a terminal too, the
    bar is shown only if `silent` is true, because then nothing is printed before the end. `count`
    is the total, or a function called when the bar appears. `size` returns how much an item adds to
    the total.
    """
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not silent):
        yield from items
        return
    start, done = time.monotonic(), 0
    with ExitStack() as stack:
        bar = None
        for each in items:
            yield each
            done += size(each)
            if bar is not None:
                bar.update(size(each))
            elif time.monotonic() - start > PROGRESS_DELAY:
                # `sys.stderr` would escape the bar's control characters.
                terminal = stack.enter_context(open(sys.stderr.fileno(), "w", closefd=False))
                length = count if isinstance(count, int) else count()
                bar = stack.enter_context(
                    typer.progressbar(length=length, label=label, file=terminal)
                )
                bar.update(done)


# --- language


def accept_language(
    command: Callable[P, int], report: Callable[[Unreadable], int]
) -> Callable[..., None]:
    """Add the option `--language` to a command, and run it with messages in the chosen language.

    If the command already uses `--language` for the match's language, messages use that language
    too if it is available. The command's return value is the exit code.
    """
    signature = inspect.signature(command, eval_str=True)
    own, forms = "language" in signature.parameters, formats_of(command)

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asked = str((kwargs.get if own else kwargs.pop)("language", None) or "")
        known = languages()
        if own and asked not in known:
            asked = ""
        context = cast("typer.Context | None", kwargs.pop("context", None))
        if context is not None and kwargs["to"] and _is_default(context, "format"):
            kwargs["format"] = format_by_ending(str(kwargs["to"]), forms, str(kwargs["format"]))
        try:
            if asked and asked not in known:
                raise Unreadable(
                    tr("the language “{asked}” is not available", asked=asked[:20]),
                    tr("one of {languages}", languages=", ".join(known)),
                )
            with speaking(asked, kwargs.get("format") in DATA_FORMATS):
                code = command(*args, **kwargs)
        except Unreadable as failure:
            code = report(failure)
        if code:
            raise SystemExit(code)

    added = [] if own else [_extra_parameter("language", LanguageOption, None)]
    added += [_extra_parameter("context", typer.Context, inspect.Parameter.empty)] if forms else []
    parameters = [*signature.parameters.values(), *added]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def with_former_name(command: Callable[P, None], former: str, name: str) -> Callable[P, None]:
    """Return a command that prints its new name on standard error, then runs as usual."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asked = str(kwargs.get("language") or "")
        with speaking(asked if asked in languages() else "", False):
            note = tr("scorekeeper {former} is now called scorekeeper {name}",
                      former=former, name=name)  # fmt: skip
        print(note, file=sys.stderr)
        command(*args, **kwargs)

    return run


def _extra_parameter(name: str, kind: object, default: object) -> inspect.Parameter:
    """Return an additional keyword parameter for a command."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _is_default(context: typer.Context, option: str) -> bool:
    """Return whether an option of the running command was left at its default."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "DEFAULT"


@contextmanager
def speaking(asked: str = "", is_data: bool = False) -> Iterator[None]:
    """Use the language `asked`, or the default language if it is empty, while a command runs.

    If `is_data` is true, use English.
    """
    code = ENGLISH if is_data else asked or _default_language()
    follows = _uses_match_language.set(not (asked or is_data))
    try:
        with using_language(find_locale(code)):
            yield
    finally:
        _uses_match_language.reset(follows)


def _default_language() -> str:
    """Return the language in the settings, or otherwise the system's language."""
    chosen = read_settings().language
    return chosen if chosen in languages() else system_language(os.environ)


def system_language(variables: Mapping[str, str]) -> str:
    """Return the code of the system's language, or English if there is no catalogue for it."""
    value = next((variables[name] for name in LANGUAGE_VARIABLES if variables.get(name)), "")
    known = languages()
    for code in value.split(":"):
        short = code.partition(".")[0].partition("@")[0].partition("_")[0]
        if short in known:
            return short
    return ENGLISH


def use_match_language(code: str) -> None:
    """Use the match's language for messages from now on, unless `--language` was given."""
    if code and _uses_match_language.get() and code in languages():
        set_language(find_locale(code))


def languages() -> list[str]:
    """Return the codes of all languages in which messages are available."""
    try:
        return sorted([ENGLISH, *os.listdir(LOCALE)])
    except OSError:
        return [ENGLISH]


def find_locale(code: str) -> Locale | None:
    """Return the catalogue for a language code or its first part (`fr` for `fr_CA`).

    Returns None for English and for a language without a catalogue.
    """
    for name in (code, code.partition("_")[0].partition("-")[0]):
        path = os.path.join(LOCALE, name, "LC_MESSAGES", f"{DOMAIN}.mo")
        if name.isidentifier() and os.path.exists(path):
            from gettext import GNUTranslations

            with open(path, "rb") as file:
                return Locale(name, GNUTranslations(file))
    return None


def in_language(work: Callable[[T], R]) -> Callable[[T], R]:
    """Wrap a function so that it uses this process's language even if another process runs it."""
    return functools.partial(_run_in_language, current_language(), work)


def _run_in_language(code: str, work: Callable[[T], R], item: T) -> R:
    if current_language() != code:
        set_language(find_locale(code))
    return work(item)


def is_yes(answer: str, default: bool = False) -> bool:
    """Return whether an answer is "yes", in English or the current language.

    An empty answer counts as `default`.
    """
    text = answer.strip().casefold()
    return text in {*YES, *map(tr, YES)} if text else default


def is_no(answer: str) -> bool:
    """Return whether an answer is "no", in English or the current language."""
    return answer.strip().casefold() in {*NO, *map(tr, NO)}
