"""The commands, in the order of their help."""

from __future__ import annotations

import typer

from scorekeeper.cli import keeping, playing, ruling, telling

app = typer.Typer(
    name="scorekeeper",
    help="A referee and scorekeeper for table games: type what happens, read what it was worth.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
rules = typer.Typer(help="The rulesets: list, show, check, explain.", rich_markup_mode=None)
app.add_typer(rules, name="rules", no_args_is_help=True)

PLAIN = {"ignore_unknown_options": True}

app.command("new")(playing.new)
app.command("record", context_settings=PLAIN)(playing.record)
app.command("judge", context_settings=PLAIN)(playing.judge)
app.command("legal")(telling.legal)
app.command("undo")(playing.undo)
app.command("status")(telling.status)
app.command("score")(telling.score)
app.command("matches")(telling.matches)
app.command("export")(keeping.export)
app.command("import")(keeping.import_)
app.command("verify")(keeping.verify)
app.command("odds")(telling.odds)
rules.command("list")(ruling.list_)
rules.command("show")(ruling.show)
rules.command("check")(ruling.check)
rules.command("explain")(ruling.explain)
