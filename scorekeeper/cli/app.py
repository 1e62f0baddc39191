"""The list of commands in the order in which help shows them, and the program built from them.

Building a command takes about as long as running it, so usually only the requested command is
built. All commands are built for help, for an unknown command name and for shell completion.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer.core import TyperGroup

from scorekeeper.cli.common import FINE, UNREADABLE, report_failure
from scorekeeper.cli.output import speaking
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import find_nearest, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from typer._click import Command, Context, HelpFormatter

ABORTED = 1  # the exit code if the user interrupts a question

COMMANDS = {
    "new": "play.new",
    "record": "play.record",
    "judge": "show.judge",
    "describe": "show.describe",
    "table": "table.table",
    "legal": "show.legal",
    "undo": "correct.undo",
    "amend": "correct.amend",
    "status": "show.status",
    "score": "show.score",
    "rulings": "correct.rulings",
    "sheet": "export.sheet",
    "serve": "serve.serve",
    "matches": "show.matches",
    "export": "export.export",
    "import": "import_.import_",
    "delete": "correct.delete",
    "rebuild": "book.rebuild",
    "check-book": "book.check_book",
    "backup": "book.backup",
    "restore": "book.restore",
    "verify": "book.verify",
    "stats": "statistics.stats",
    "league": "statistics.league",
    "odds": "odds.odds",
    "settings": "install.settings",
    "install": "install.install",
}
# The commands, grouped by the situation in which they are used, in the order of the help page.
SECTIONS = {
    N_("at the table"): ("new", "table", "record", "judge", "undo", "amend", "status", "legal"),
    N_("after the round and the evening"): ("score", "sheet", "serve", "describe", "rulings"),
    N_("history"): ("matches", "stats", "league", "export", "import", "verify"),
    N_("care of the book"): (
        *("check-book", "backup", "restore", "rebuild", "delete"),
        *("players", "settings", "install"),
    ),
    N_("rules"): ("rules", "odds"),
}
# Words that people may try as commands, mapped to the commands that they probably want.
ADVICE = {
    "help": "--help",
    "list": "matches",
    "end": "record end",
    "rename": "players rename",
    "start": "new",
    "play": "table",
    "show": "status",
    "result": "record --result",
    "scores": "score",
    "games": "rules list",
}
# Former command names. They still work and print the new name, but help does not list them.
FORMER_NAMES = {"about": "describe", "summarize": "rebuild"}
RULES = {
    "list": "rules.list_",
    "show": "rules.show",
    "diff": "rules.diff",
    "new": "rules.new",
    "check": "rules.check",
    "convert": "rules.convert",
    "explain": "rules.explain",
}
PLAYERS = {
    "list": "book.list_",
    "rename": "book.rename",
    "merge": "book.merge",
    "forget": "book.forget",
}
# Commands that have subcommands, and their help.
GROUPS = {
    "rules": (RULES, "Work with rulesets: list, show, diff, new, check, convert, explain."),
    "players": (PLAYERS, "Manage player names: list, rename, merge, forget."),
}
HELP = "A referee and scorekeeper for table games. Type what happens, and see what it is worth."
HELP_SETTINGS = {"help_option_names": ["-h", "--help"]}
# Part of an entry may begin with a hyphen, for example negative points.
ENTRY_SETTINGS = {"ignore_unknown_options": True, **HELP_SETTINGS}


class CommandGroup(TyperGroup):
    """A group of commands.

    Its help shows whole descriptions. For an unknown command, it suggests what to type.
    """

    def sections(self) -> Mapping[str, Iterable[str]]:
        """Return the command names, keyed by the headings of their help sections."""
        return {N_("commands"): self.commands}

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the commands of each section with their descriptions."""
        for section, names in self.sections().items():
            rows = [(name, self.commands[name].get_short_help_str(limit=200)) for name in names]
            with speaking(), formatter.section(tr(section).capitalize()):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, Command | None, list[str]]:
        """Return the named command. Raises Unreadable if there is none."""
        name = args[0]
        if name in self.commands or name.startswith("-"):
            return super().resolve_command(ctx, args)
        near = ADVICE.get(name.lower(), "") if isinstance(self, Program) else ""
        near = near or find_nearest(name, self.commands) or "--help"
        with speaking():
            message = tr("there is no command “{name}”", name=quote(name))
            raise Unreadable(message, f"{ctx.command_path} {near}")


class Program(CommandGroup):
    """The program. Its help groups the commands by the situation in which they are used."""

    def sections(self) -> Mapping[str, Iterable[str]]:
        return SECTIONS

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *rest: object,
        **extra: object,
    ) -> NoReturn:
        """Run the program. Raises SystemExit with the exit code of the command."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            code = super().main(words, prog_name, standalone_mode=False)
        except typer.Abort:
            code = ABORTED
        except typer.TyperException as error:
            if type(error).__name__ == "NoArgsIsHelpError":  # the help of a group of commands
                typer.echo(error.format_message(), err=True)
                code = UNREADABLE
            else:
                with speaking():
                    code = report_failure(_explain_usage(error, self, words))
        except Unreadable as failure:
            code = report_failure(failure)
        raise SystemExit(code or FINE)


def _explain_usage(
    error: typer.TyperException, program: Command, words: Iterable[str]
) -> Unreadable:
    """Return the failure for a command line that cannot be parsed, with what to type next."""
    command, path = program, "scorekeeper"
    for word in words:
        if isinstance(command, CommandGroup) and word in command.commands:
            command, path = command.commands[word], f"{path} {word}"
    option: str = getattr(error, "option_name", "")
    parameter = next((each for each in command.params if option in each.opts), None)
    if parameter is not None:
        value = parameter.metavar or (parameter.name or "").upper()
        return Unreadable(tr("{option} needs a value", option=option), f"{path} {option} {value}")
    if option:
        near = find_nearest(option, [name for each in command.params for name in each.opts])
        message = tr("there is no option {option}", option=quote(option))
        return Unreadable(message, f"{path} {near or '--help'}")
    missing = getattr(error, "param", None)
    if missing is not None and not error.message:
        name = missing.metavar or (missing.name or "").upper()
        return Unreadable(tr("{argument} is missing", argument=name), f"{path} {name}")
    message = error.message if missing is None else error.format_message()
    return Unreadable(message.rstrip("."), f"{path} --help")


def build(command: str = "", subcommand: str = "") -> typer.Typer:
    """Return the program with the named command, or with all commands if no command has that name.

    Within a group, only `subcommand` is built if the group contains it. Otherwise, all subcommands
    of the group are built.
    """
    is_single = command in COMMANDS or command in GROUPS or command in FORMER_NAMES
    app = typer.Typer(
        name="scorekeeper",
        cls=Program,
        invoke_without_command=not is_single,
        add_completion=not is_single,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=HELP_SETTINGS,
    )
    app.callback(help=HELP)(_program if is_single else _program_or_overview)
    for name, path in COMMANDS.items():
        if name == command or not is_single:
            _add(app, name, path)
    for former, name in FORMER_NAMES.items():
        if former == command or not is_single:
            _add(app, former, COMMANDS[name], name)
    for name in GROUPS:
        if name == command or not is_single:
            app.add_typer(_group(name, subcommand), name=name)
    return app


def _program() -> None:
    """Show help if no command is given."""


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from scorekeeper import __version__

        typer.echo(f"scorekeeper {__version__}")
        raise typer.Exit


def _program_or_overview(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Show the state of the last match if no command is given."""
    if context.invoked_subcommand is None:
        from scorekeeper.cli.start import overview

        overview()


def _group(group: str, subcommand: str) -> typer.Typer:
    commands, about = GROUPS[group]
    app = typer.Typer(
        help=about,
        cls=CommandGroup,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings=HELP_SETTINGS,
    )
    for name, path in commands.items():
        if name == subcommand or subcommand not in commands:
            _add(app, name, path)
    return app


def _add(app: typer.Typer, name: str, path: str, new_name: str = "") -> None:
    """Add a command under `name`. If `new_name` is given, `name` is the command's former name."""
    module, function = path.split(".")
    command = getattr(import_module(f".{module}", __package__), function)
    if new_name:
        from scorekeeper.cli.output import with_former_name

        command = with_former_name(command, name, new_name)
    settings = ENTRY_SETTINGS if name in ("record", "judge", "amend") else HELP_SETTINGS
    app.command(name, context_settings=settings, hidden=bool(new_name))(command)
