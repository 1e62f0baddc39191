"""The list of commands in the order in which help shows them, and the program built from them.

Building a command takes about as long as running it, so usually only the requested command is
built. All commands are built for help, for an unknown command name and for shell completion.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

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
# Former command names. They still work and print the new name, but help does not list them.
FORMER_NAMES = {"about": "describe", "summarize": "rebuild"}
RULES = {
    "list": "rules.list_",
    "show": "rules.show",
    "diff": "rules.diff",
    "new": "rules.new",
    "check": "rules.check",
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
    "rules": (RULES, "Work with rulesets: list, show, diff, new, check, explain."),
    "players": (PLAYERS, "Manage player names: list, rename, merge, forget."),
}
HELP = "A referee and scorekeeper for table games. Type what happens, and see what it is worth."
HELP_SETTINGS = {"help_option_names": ["-h", "--help"]}
# Part of an entry may begin with a hyphen, for example negative points.
ENTRY_SETTINGS = {"ignore_unknown_options": True, **HELP_SETTINGS}


def build(command: str = "", subcommand: str = "") -> typer.Typer:
    """Return the program with the named command, or with all commands if no command has that name.

    Within a group, only `subcommand` is built if the group contains it. Otherwise, all subcommands
    of the group are built.
    """
    is_single = command in COMMANDS or command in GROUPS or command in FORMER_NAMES
    app = typer.Typer(
        name="scorekeeper",
        no_args_is_help=True,
        add_completion=not is_single,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=HELP_SETTINGS,
    )
    app.callback(help=HELP)(_program if is_single else _program_or_version)
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


def _program_or_version(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Show help or the version if no command is given."""


def _group(group: str, subcommand: str) -> typer.Typer:
    commands, about = GROUPS[group]
    app = typer.Typer(
        help=about,
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
