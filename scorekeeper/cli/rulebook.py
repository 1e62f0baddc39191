"""Commands that show what rulesets say: show, diff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import FINE, commanded, say, say_json
from scorekeeper.cli.playing import complete_rulesets
from scorekeeper.cli.ruling import RulesetArgument, SettingsOption, loaded_ruleset
from scorekeeper.cli.streams import width_or

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.render.pages import Page
    from scorekeeper.render.rules_diff import Difference
    from scorekeeper.ruleset.compiled import Ruleset

OtherArgument = Annotated[
    str,
    typer.Argument(metavar="OTHER", help="Another name or file.", autocompletion=complete_rulesets),
]


@commanded
def show(
    ruleset: RulesetArgument,
    settings: SettingsOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json", "toml"],
        typer.Option("--format", help="How the page is written; toml: the file, all of it."),
    ] = "text",
) -> int:
    """A ruleset as a page that a table agrees on before it plays.

    Example: scorekeeper rules show dudo
    """
    loaded = loaded_ruleset(ruleset, settings)
    if format == "json":
        say_json(loaded.data)
    elif format == "toml":
        say(*loaded.text.rstrip().split("\n"))
    else:
        from scorekeeper.render.rules_page import page
        from scorekeeper.ruleset.citations import paragraph
        from scorekeeper.ruleset.sources import folder_of

        beside = folder_of(ruleset)

        def texts(cite: str) -> str:
            return paragraph(loaded.rules_text, cite, beside)

        _say_page(page(loaded, texts, list(_changes(loaded, ruleset, settings))), format)
    return FINE


@commanded
def diff(
    ruleset: RulesetArgument,
    other: OtherArgument,
    format: Annotated[
        Literal["text", "markdown", "html", "json"],
        typer.Option("--format", help="How the answer is written."),
    ] = "text",
) -> int:
    """What differs between two rulesets, each with all that it extends.

    Example: scorekeeper rules diff durak podkidnoy
    """
    from scorekeeper.render import rules_diff

    one, two = (loaded_ruleset(name).data for name in (ruleset, other))
    found = rules_diff.differences(one, two)
    if format == "json":
        say_json({"one": one["name"], "other": two["name"], "same": not found,
                  "differences": [each.as_json() for each in found]})  # fmt: skip
    else:
        _say_page(rules_diff.page(found, one, two), format)
    return FINE


def _say_page(made: Page, format: str) -> None:
    from scorekeeper.render import pages

    if format == "markdown":
        text = pages.as_markdown(made)
    elif format == "html":
        text = pages.as_html(made)
    else:
        text = pages.as_text(made, width_or(pages.WIDTH))
    say(*text.rstrip("\n").split("\n"))


def _changes(
    loaded: Ruleset, name: str, settings: list[str] | None
) -> Iterator[tuple[str, str, str, Sequence[Difference]]]:
    """What the ruleset changes in the one that it extends, and what was set besides."""
    from scorekeeper.render.rules_diff import NAMING, differences

    plain = loaded_ruleset(name).data if settings else loaded.data
    parent = _parent(name)
    if parent is not None:
        called = str(parent.get("name", ""))
        found = [each for each in differences(parent, plain) if each.key not in NAMING]
        yield f"What is changed against {called}", called, loaded.name, found
    if settings:
        found = differences(plain, loaded.data)
        yield "What was set besides", f"{loaded.name} as it is", "this table", found


def _parent(name: str) -> Row | None:
    """The tables of the ruleset that this one extends, with all that that one extends."""
    from scorekeeper.ruleset import merge as merging
    from scorekeeper.ruleset import sources

    path = sources.find(name, allow_path=True)
    table, _ = sources.read(path)
    base = table.get("extends")
    if not isinstance(base, str):
        return None
    merged, _ = merging.resolve(str(sources.find_named(base, path)), allow_path=True)
    return merged.table
