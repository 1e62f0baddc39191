"""In which language a command speaks: what was asked for, else the match's, else the settings' or
the system's. What is data speaks none.

The catalogues are gettext's, beside the package; English needs none.
"""

from __future__ import annotations

import functools
import inspect
import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, ParamSpec, TypeVar, cast

import typer

from scorekeeper.cli.settings import settings
from scorekeeper.cli.writing import form_of, forms_by_ending
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import ENGLISH, Tongue, language, mark, speak, speaking, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

LOCALE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")
DOMAIN = "scorekeeper"
# What the system says, the first that says anything; the first alone may name several.
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

YES = (mark("y"), mark("yes"))
NO = (mark("n"), mark("no"))
DATA = ("json", "jsonl", "csv", "scores-csv", "matches-csv")

LanguageOption = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="CODE",
        help="The language of what is said (default: the match's, or the system's).",
    ),
]

# Whether a match's own language is spoken once it is known: not where one was asked for.
_follows: ContextVar[bool] = ContextVar("follows", default=False)


def languages() -> list[str]:
    """The codes of the languages that sentences are there in; English needs no file."""
    try:
        return sorted([ENGLISH, *os.listdir(LOCALE)])
    except OSError:
        return [ENGLISH]


def tongue(code: str) -> Tongue | None:
    """The language of that code, or of its first part (`fr` of `fr_CA`); None for English, and for
    one without sentences."""
    for name in (code, code.partition("_")[0].partition("-")[0]):
        path = os.path.join(LOCALE, name, "LC_MESSAGES", f"{DOMAIN}.mo")
        if name.isidentifier() and os.path.exists(path):
            from gettext import GNUTranslations

            with open(path, "rb") as file:
                return Tongue(name, GNUTranslations(file))
    return None


def of_system(variables: Mapping[str, str]) -> str:
    """The code of the language that the system is set to, among those that are there; English if
    none is."""
    said = next((variables[name] for name in VARIABLES if variables.get(name)), "")
    known = languages()
    for code in said.split(":"):
        short = code.partition(".")[0].partition("@")[0].partition("_")[0]
        if short in known:
            return short
    return ENGLISH


def hearing(command: Callable[P, int], tell: Callable[[Unreadable], int]) -> Callable[..., None]:
    """A command that speaks the language of its option `--language`, which it gets here; one that
    has an option of that name, which is the match's, speaks that if it can. A number that it
    returns is its exit code."""
    signature = inspect.signature(command, eval_str=True)
    own, forms = "language" in signature.parameters, forms_by_ending(command)

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asked = str((kwargs.get if own else kwargs.pop)("language", None) or "")
        known = languages()
        if own and asked not in known:
            asked = ""
        context = cast("typer.Context | None", kwargs.pop("context", None))
        if context is not None and kwargs["to"] and _is_usual(context, "format"):
            kwargs["format"] = form_of(str(kwargs["to"]), forms, str(kwargs["format"]))
        try:
            if asked and asked not in known:
                raise Unreadable(
                    tr("“{asked}” is no language that is spoken here", asked=asked[:20]),
                    tr("one of {languages}", languages=", ".join(known)),
                )
            with _heard(asked, kwargs.get("format") in DATA):
                code = command(*args, **kwargs)
        except Unreadable as failure:
            code = tell(failure)
        if code:
            raise SystemExit(code)

    added = [] if own else [_added("language", LanguageOption, None)]
    added += [_added("context", typer.Context, inspect.Parameter.empty)] if forms else []
    parameters = [*signature.parameters.values(), *added]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def _added(name: str, kind: object, usual: object) -> inspect.Parameter:
    """A parameter more of a command."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=usual, annotation=kind)


def _is_usual(context: typer.Context, option: str) -> bool:
    """Whether nobody gave an option of the command that runs."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "DEFAULT"


@contextmanager
def _heard(asked: str, data: bool) -> Iterator[None]:
    """A command while it runs: in the language that was asked for, or the usual one; none if
    it answers with data."""
    code = ENGLISH if data else asked or _usual()
    follows = _follows.set(not (asked or data))
    try:
        with speaking(tongue(code)):
            yield
    finally:
        _follows.reset(follows)


def _usual() -> str:
    """The language of who speaks no other: their settings', else their system's."""
    chosen = settings().language
    return chosen if chosen in languages() else of_system(os.environ)


def follow(code: str) -> None:
    """Speak a match's language from now on, where no other was asked for and it has sentences."""
    if code and _follows.get() and code in languages():
        speak(tongue(code))


def in_language(work: Callable[[T], R]) -> Callable[[T], R]:
    """Work that another process does, in the language that is spoken in this one."""
    return functools.partial(_done_in, language(), work)


def _done_in(code: str, work: Callable[[T], R], thing: T) -> R:
    if language() != code:
        speak(tongue(code))
    return work(thing)


def agrees(answer: str, default: bool = False) -> bool:
    """Whether somebody says yes, in English or in the language that is spoken; `default` is what an
    empty line says."""
    said = answer.strip().casefold()
    return said in {*YES, *map(tr, YES)} if said else default


def disagrees(answer: str) -> bool:
    """Whether somebody says no, in English or in the language that is spoken."""
    return answer.strip().casefold() in {*NO, *map(tr, NO)}
