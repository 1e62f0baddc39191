"""The manual page, in the language of `man`, made from the commands and their help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer

from scorekeeper import __version__
from scorekeeper.cli import common
from scorekeeper.cli.commands import HELP, build

if TYPE_CHECKING:
    from collections.abc import Iterator

CODES = {
    common.FINE: "fine",
    common.REFUSED: "ruled illegal; or faults were found by verifying or checking; or nothing was"
    " amended or deleted",
    common.UNREADABLE: "unreadable, impossible, or wrong usage",
    common.DAMAGED: "the book, a record or a ruleset is damaged, or cannot be written",
    common.LOCKED: "the book is locked by somebody else",
    common.INTERRUPTED: "interrupted",
}
VARIABLES = {
    "SCOREKEEPER_BOOK": "the book, where --book does not name one",
    "SCOREKEEPER_RULESETS": "the folder of your own rulesets",
    "SCOREKEEPER_SETTINGS": "the file of settings",
    "NO_COLOR": "if set, nothing is coloured",
}
# What every command has is said once.
SHARED = ("--help", "-h", "--book", "--language")


def manual() -> str:
    """The whole page, in ASCII."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    program = typer.main.get_command(build())
    yield f'.TH SCOREKEEPER 1 "" "scorekeeper {__version__}" "Scorekeeper"'
    yield ".SH NAME"
    yield "scorekeeper \\- referee and scorekeeper for card and dice games"
    yield ".SH SYNOPSIS"
    yield ".B scorekeeper"
    yield "\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]..."
    yield ".SH DESCRIPTION"
    yield _text(HELP)
    yield ".PP"
    yield _text("Every command says more with --help. --version tells which program this is.")
    yield ".SH COMMANDS"
    for name, command in _commands(program, ""):
        yield from _command(name, command)
    yield ".SH OPTIONS OF ALL COMMANDS"
    yield from _item("--book FILE", "Another book than yours.")
    yield from _item("--language CODE", "The language of what is said.")
    yield from _item("--help, -h", "What the command does, with an example that works.")
    for title, rows in (("ENVIRONMENT", VARIABLES), ("EXIT STATUS", CODES)):
        yield f".SH {title}"
        for key, meaning in rows.items():
            yield from _item(str(key), meaning)


# A command is of a class that typer keeps to itself.
def _commands(group: Any, before: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    words = [_argument(each) for each in arguments]
    yield f".SS {_escaped(' '.join([name, *words]))}"
    for number, part in enumerate(re.split(r"\n\s*\n", (command.help or "").strip())):
        yield from [".PP"] if number else []
        yield _text(" ".join(part.split()))
    for each in arguments:
        if each.help:
            yield from _item(_argument(each), each.help)
    for each in options:
        if not each.hidden and not set(each.opts) & set(SHARED):
            yield from _item(_option(each), each.help or "")


def _argument(argument: Any) -> str:
    word = (argument.metavar or argument.name).upper().strip("[]. ")
    word = f"{word} ..." if argument.nargs != 1 else word
    return word if argument.required else f"[{word}]"


def _option(option: Any) -> str:
    flags = ", ".join([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return flags
    choices = getattr(option.type, "choices", None)
    value = option.metavar or ("|".join(map(str, choices)) if choices else option.type.name.upper())
    return f"{flags} {value}"


def _item(head: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_escaped(head)}"
    yield _text(text)


def _text(text: str) -> str:
    """A paragraph; a line that begins like a request is none."""
    found = _escaped(text)
    return f"\\&{found}" if found[:1] in (".", "'") else found


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
