"""Commands about the program itself: its settings, its manual page and the shell's completion."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    FormatOption,
    commanded,
    say,
    say_json,
)
from scorekeeper.cli.settings import EXAMPLE, settings_path
from scorekeeper.cli.settings import settings as settings_said
from scorekeeper.cli.writing import ForceOption, check_free, make_folder, write_out
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr

PAGE = os.path.join("share", "man", "man1", "scorekeeper.1")
# Where a shell looks for completions below a prefix, and what its own file is to say.
SCRIPTS = {
    "bash": os.path.join("share", "bash-completion", "completions", "scorekeeper"),
    "zsh": os.path.join("share", "zsh", "site-functions", "_scorekeeper"),
    "fish": os.path.join("share", "fish", "vendor_completions.d", "scorekeeper.fish"),
}
THEN = {
    "bash": mark(
        "completion begins with the next shell; without bash-completion, add to ~/.bashrc:"
    ),
    "zsh": mark("add to ~/.zshrc, after compinit:"),
    "fish": mark("completion begins with the next shell; if not, add to config.fish:"),
}


@commanded
def settings(format: FormatOption = "text") -> int:
    """What need not be typed: where the file of settings is, and what it says.

    Example: scorekeeper settings
    """
    path, said = settings_path(), settings_said()._asdict()
    if format == "json":
        say_json({"file": path, "exists": os.path.exists(path), **said})
        return FINE
    if not path:
        say(tr("your home folder is not known here, so there are no settings"))
        say(tr("  try: {hint}", hint=tr("set HOME, or name the file: SCOREKEEPER_SETTINGS")))
        return FINE
    if not os.path.exists(path):
        say(tr("there are no settings yet; they would stand in {path}", path=path))
        say(tr("as lines like:"), *(f"  {line}" for line in EXAMPLE))
        return FINE
    say(tr("the settings in {path}", path=path))
    for key, value in said.items():
        if value:
            say(f"  {key}: {value if isinstance(value, str) else ', '.join(value)}")
    return FINE


@commanded
def install(
    to: Annotated[
        str, typer.Option("--to", metavar="PREFIX", help="Where share/man and the rest are.")
    ] = os.path.join("~", ".local"),
    shell: Annotated[
        Literal["bash", "zsh", "fish"] | None,
        typer.Option("--shell", help="Whose completion (default: your shell's)."),
    ] = None,
    force: ForceOption = False,
    format: FormatOption = "text",
) -> int:
    """Write the manual page and the completion of your shell, both made from the commands.

    Example: scorekeeper install --to prefix --shell bash
    """
    # What `--show-completion` shows, which does so for the shell it runs in alone.
    from typer._completion_shared import get_completion_script

    from scorekeeper.cli.manual import manual
    from scorekeeper.store.files import check_address, expanded

    check_address(to)
    chosen = shell or _shell()
    prefix = os.path.abspath(expanded(to))
    page, script = (os.path.join(prefix, name) for name in (PAGE, SCRIPTS[chosen]))
    completing = get_completion_script(
        prog_name="scorekeeper", complete_var="_SCOREKEEPER_COMPLETE", shell=chosen
    )
    written = ((page, "manual", manual()), (script, chosen, f"{completing}\n"))
    for path, form, _ in written:
        check_free(path, form, force)
    for path, form, text in written:
        make_folder(os.path.dirname(path))
        write_out([text], path, form, force)
    if format == "json":
        say_json({"manual": page, "completion": script, "shell": chosen})
        return FINE
    say(tr("the manual is {path}: man scorekeeper, or man -l {path}", path=page))
    say(tr("the completion of {shell} is {path}", shell=chosen, path=script))
    say(tr(THEN[chosen]), f"  source {script}")
    return FINE


def _shell() -> Literal["bash", "zsh", "fish"]:
    """The shell of the user. Raises Unreadable for one that nothing is known about."""
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
