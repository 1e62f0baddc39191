"""The command `rules new`: a ruleset to begin with, and its rule text."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import FINE, FormatOption, commanded, say, say_json
from scorekeeper.cli.playing import complete_rulesets
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown, visible

if TYPE_CHECKING:
    from scorekeeper.ruleset.tables import Parameter

TEXTS = Path(__file__).parent


@commanded
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Its name: small letters, digits, hyphens.")
    ],
    extends: Annotated[
        str | None,
        typer.Option(
            "--extends",
            metavar="RULESET",
            help="The ruleset of which it changes a little (default: a small game of its own).",
            autocompletion=complete_rulesets,
        ),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", help="What people call it (default: the name).")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="FOLDER", help="Where to write (default: here).")
    ] = ".",
    format: FormatOption = "text",
) -> int:
    """A ruleset to begin with, NAME.toml and its rule text NAME.md: it can be played at once.

    Example: scorekeeper rules new ours --extends dudo
    """
    _check("name", name)
    title = title if title is not None else name.replace("-", " ").capitalize()
    _check("title", title)
    rules, text = _whole(name, title) if extends is None else _extending(name, title, extends)
    folder = Path(to)
    files = [folder / f"{name}.toml", folder / f"{name}.md"]
    _write(folder, list(zip(files, (rules, text), strict=True)))
    if format == "json":
        say_json({"ruleset": str(files[0]), "text": str(files[1])})
        return FINE
    file = str(files[0]) if os.sep in str(files[0]) else f".{os.sep}{files[0]}"
    say(tr("wrote {rules} and {text}", rules=files[0], text=files[1]))
    say(
        tr(
            "next: scorekeeper rules check {file}, rules show {file}, new {file} NAME NAME …",
            file=file,
        )
    )
    return FINE


def _check(key: str, value: str) -> None:
    """Raises Unreadable for a name or title that no ruleset may have."""
    from scorekeeper.ruleset.tables import HEADER, wrong

    parameter: Parameter = HEADER[key]
    if not value.strip():
        raise Unreadable(tr("a ruleset needs a {key}", key=key), f"{parameter.doc}")
    for fault in wrong(value, parameter, {}):
        found = fault.found if fault.found != value else f"“{shown(value)}”"
        raise Unreadable(
            tr("{found} is no {key} of a ruleset", found=found, key=key), fault.allowed
        )


def _whole(name: str, title: str) -> tuple[str, str]:
    """A small game of its own: file and rule text."""
    from scorekeeper.render.rules_page import toml_text

    rules = _filled("whole.toml", {'"TITLE"': toml_text(title), "NAME": name})
    return rules, _filled("whole.md", {"TITLE": visible(title), "NAME": name})


def _filled(template: str, marks: dict[str, str]) -> str:
    """A template with what its marks stand for; marks in that are none."""
    text = (TEXTS / template).read_text("utf-8")
    return re.sub("|".join(marks), lambda mark: marks[mark[0]], text)


def _extending(name: str, title: str, extends: str) -> tuple[str, str]:
    """A ruleset that extends another, and the other's rule text with a section of its own."""
    from scorekeeper.cli.ruling import loaded_ruleset
    from scorekeeper.render.rules_page import extending
    from scorekeeper.ruleset import citations, sources

    sources.find(extends)
    parent = loaded_ruleset(extends)
    path = citations.rule_text(parent.rules_text)
    assert path is not None, "a ruleset without its text is faulty"
    text = path.read_text("utf-8", errors="replace")
    sections = {number.partition(".")[0] for number in citations.paragraphs(path)}
    number = 1 + max(int(each) for each in {"0", *sections} if each.isdecimal() and len(each) < 5)
    marks = {"TITLE": visible(title), "NAME": name, "PARENT": visible(parent.title)}
    head = _filled("extending.md", {**marks, "NUMBER": str(number)})
    body = text.partition("\n")[2] if text.startswith("# ") else text
    own = f"## {number}. At our table\n{number}.1 All as above.\n"
    return extending(name, title, parent.data, number), f"{head}\n{body.strip()}\n\n{own}"


def _write(folder: Path, files: list[tuple[Path, str]]) -> None:
    """Write all of the files, or none of them."""
    if not os.path.isdir(folder):
        raise Unreadable(
            tr("there is no folder {path}", path=shown(folder)),
            tr("make it first, or --to another"),
        )
    for path, _ in files:
        if os.path.lexists(path):
            raise Unreadable(
                tr("{path} is there already, and is not overwritten", path=shown(path)),
                tr("take another name, or --to another folder"),
            )
    done: list[Path] = []
    try:
        for path, text in files:
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                done.append(path)
                file.write(text)
    except OSError as error:
        for path in done:
            path.unlink(missing_ok=True)
        raise Damaged(
            tr(
                "{path} cannot be written: {why}",
                path=shown(path),
                why=error.strerror or error,
            )
        ) from None
