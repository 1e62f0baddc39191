"""The commands `settings` and `install`. The latter installs the manual page and shell completion.

The manual page is in the format of `man`. It is generated from the commands and their help.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scorekeeper import __version__
from scorekeeper.cli import common
from scorekeeper.cli.app import HELP, build
from scorekeeper.cli.common import FINE, FormatOption, cli_command, print_json, print_lines
from scorekeeper.cli.output import ForceOption, check_replaceable, make_folder, write_out
from scorekeeper.cli.settings import EXAMPLE_LINES, read_settings, settings_path
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

MANUAL_PATH = os.path.join("share", "man", "man1", "scorekeeper.1")
# For each shell, the path of the completion file below the prefix, and advice about its startup
# file.
COMPLETION_PATHS = {
    "bash": os.path.join("share", "bash-completion", "completions", "scorekeeper"),
    "zsh": os.path.join("share", "zsh", "site-functions", "_scorekeeper"),
    "fish": os.path.join("share", "fish", "vendor_completions.d", "scorekeeper.fish"),
}
COMPLETION_HINTS = {
    "bash": N_(
        "completion works in new shells; if you do not use bash-completion, add this line to "
        "~/.bashrc:"
    ),
    "zsh": N_("add this line to ~/.zshrc, after compinit:"),
    "fish": N_("completion works in new shells; if it does not, add this line to config.fish:"),
}

EXIT_CODES = {
    common.FINE: "success",
    common.REFUSED: "an entry was ruled illegal, faults were found in a record or ruleset, "
    "or nothing was amended or deleted",
    common.UNREADABLE: "an entry or file cannot be read, an act is impossible, or the "
    "command is wrong",
    common.DAMAGED: "the book, a record or a ruleset is damaged, or cannot be written",
    common.LOCKED: "another program is using the book",
    common.INTERRUPTED: "interrupted",
}
VARIABLES = {
    "SCOREKEEPER_BOOK": "the book, unless --book names one",
    "SCOREKEEPER_RULESETS": "the folder of your own rulesets",
    "SCOREKEEPER_SETTINGS": "the path of the settings file",
    "NO_COLOR": "if set, no colours are used",
}
# Options that the manual page describes once, for all commands.
SHARED_OPTIONS = ("--help", "-h", "--book", "--language")


@cli_command
def settings(format: FormatOption = "text") -> int:
    """Show the settings and the path of their file. Settings provide defaults for options.

    Example: scorekeeper settings
    """
    path, values = settings_path(), read_settings()._asdict()
    if format == "json":
        print_json({"file": path, "exists": os.path.exists(path), **values})
        return FINE
    if not path:
        print_lines(tr("your home folder is unknown, so there are no settings"))
        print_lines(
            tr(
                "  try: {hint}",
                hint=tr("set HOME, or set SCOREKEEPER_SETTINGS to the path of the file"),
            )
        )
        return FINE
    if not os.path.exists(path):
        print_lines(tr("there are no settings yet; you can create the file {path}", path=path))
        print_lines(tr("with lines such as:"), *(f"  {line}" for line in EXAMPLE_LINES))
        return FINE
    print_lines(tr("the settings in {path}", path=path))
    for key, value in values.items():
        if value:
            print_lines(f"  {key}: {value if isinstance(value, str) else ', '.join(value)}")
    return FINE


@cli_command
def install(
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="PREFIX",
            help="The folder to install into: the one that contains share/man.",
        ),
    ] = os.path.join("~", ".local"),
    shell: Annotated[
        Literal["bash", "zsh", "fish"] | None,
        typer.Option("--shell", help="The shell to install completion for (default: yours)."),
    ] = None,
    force: ForceOption = False,
    format: FormatOption = "text",
) -> int:
    """Install the manual page, and completion for your shell.

    Example: scorekeeper install --to prefix --shell bash
    """
    # `--show-completion` supports only the shell that runs it.
    from typer._completion_shared import get_completion_script

    from scorekeeper.store.files import check_address, expand_home

    check_address(to)
    chosen = shell or _users_shell()
    prefix = os.path.abspath(expand_home(to))
    page, script = (os.path.join(prefix, name) for name in (MANUAL_PATH, COMPLETION_PATHS[chosen]))
    completing = get_completion_script(
        prog_name="scorekeeper", complete_var="_SCOREKEEPER_COMPLETE", shell=chosen
    )
    written = ((page, "manual", manual()), (script, chosen, f"{completing}\n"))
    for path, form, _ in written:
        check_replaceable(path, form, force)
    for path, form, text in written:
        make_folder(os.path.dirname(path))
        write_out([text], path, form, force)
    if format == "json":
        print_json({"manual": page, "completion": script, "shell": chosen})
        return FINE
    print_lines(
        tr("the manual is {path}; to read it: man scorekeeper, or man -l {path}", path=page)
    )
    print_lines(tr("the completion script for {shell} is {path}", shell=chosen, path=script))
    print_lines(tr(COMPLETION_HINTS[chosen]), f"  source {script}")
    return FINE


def _users_shell() -> Literal["bash", "zsh", "fish"]:
    """Return the user's shell. Raises Unreadable for a shell that is not supported."""
    name = os.path.basename(os.environ.get("SHELL", ""))
    if name == "zsh":
        return "zsh"
    if name == "fish":
        return "fish"
    if name in ("bash", "sh", ""):
        return "bash"
    raise Unreadable(
        tr("there is no completion for {shell}", shell=name[:40]), "--shell bash, zsh or fish"
    )


# --- the manual page


def manual() -> str:
    """Return the whole manual page, in ASCII."""
    return "\n".join(_manual_lines()) + "\n"


def _manual_lines() -> Iterator[str]:
    program = typer.main.get_command(build())
    yield f'.TH SCOREKEEPER 1 "" "scorekeeper {__version__}" "Scorekeeper"'
    yield ".SH NAME"
    yield "scorekeeper \\- referee and scorekeeper for card and dice games"
    yield ".SH SYNOPSIS"
    yield ".B scorekeeper"
    yield "\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]..."
    yield ".SH DESCRIPTION"
    yield _escape_paragraph(HELP)
    yield ".PP"
    yield _escape_paragraph(
        "Every command explains itself with --help. --version shows the version."
    )
    yield ".SH COMMANDS"
    for name, command in _walk_commands(program, ""):
        yield from _command_lines(name, command)
    yield ".SH OPTIONS OF ALL COMMANDS"
    yield from _item_lines("--book FILE", "The book to use instead of yours.")
    yield from _item_lines("--language CODE", "The language of messages.")
    yield from _item_lines("--help, -h", "Show help about the command, with an example.")
    for title, rows in (("ENVIRONMENT", VARIABLES), ("EXIT STATUS", EXIT_CODES)):
        yield f".SH {title}"
        for key, meaning in rows.items():
            yield from _item_lines(str(key), meaning)


# The types are `Any`, because Typer's command class is private.
def _walk_commands(group: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _walk_commands(command, f"{prefix}{name} ")
        elif not command.hidden:
            yield f"{prefix}{name}", command


def _command_lines(name: str, command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    words = [_argument_text(each) for each in arguments]
    yield f".SS {_escape(' '.join([name, *words]))}"
    for number, part in enumerate(re.split(r"\n\s*\n", (command.help or "").strip())):
        yield from [".PP"] if number else []
        yield _escape_paragraph(" ".join(part.split()))
    for each in arguments:
        if each.help:
            yield from _item_lines(_argument_text(each), each.help)
    for each in options:
        if not each.hidden and not set(each.opts) & set(SHARED_OPTIONS):
            yield from _item_lines(_option_text(each), each.help or "")


def _argument_text(argument: Any) -> str:
    word = (argument.metavar or argument.name).upper().strip("[]. ")
    word = f"{word} ..." if argument.nargs != 1 else word
    return word if argument.required else f"[{word}]"


def _option_text(option: Any) -> str:
    flags = ", ".join([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return flags
    choices = getattr(option.type, "choices", None)
    value = option.metavar or ("|".join(map(str, choices)) if choices else option.type.name.upper())
    return f"{flags} {value}"


def _item_lines(head: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_escape(head)}"
    yield _escape_paragraph(text)


def _escape_paragraph(text: str) -> str:
    """Escape a paragraph for the manual page.

    A paragraph that begins like a `man` request is protected from being read as one.
    """
    escaped = _escape(text)
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped


def _escape(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
