"""The text of a ruleset that only begins: one that extends another and says nothing yet.

What people may change first stands in it as comments, with the values that hold.
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from scorekeeper.core.text import visible
from scorekeeper.render.rules_keys import EXPRESSIONS, Keys
from scorekeeper.ruleset.tables import join_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.tables import Parameter

# The tables whose keys people change; rows are named where they may be dropped.
PLAIN = ("players", "deal", "sides", "tally", "match", "levelling")
WIDTH = 99  # of a line
KINDS = ("int", "bool", "choice", "ints", "texts", "int of", "int for", "ints for", *EXPRESSIONS)
DROPPED = ("clauses", "scores")
HEAD = """\
# What differs from {parent}, and nothing else. The rule text is {name}.md.
extends = {extends}
name = {quoted}
title = {title}
rules = {quoted}
source = {source}

# Below is what people change first, with the values that hold: take the # away from a line, and
# from the name of its table above it. `scorekeeper rules show {parent}` has all of it in words.

# Rules of our own stand in {name}.md from {number}.1 on. A row that one of them is about cites it:
# [cites]
# "clauses.ROW" = "{number}.1"
"""


def toml_text(value: object) -> str:
    """A value as TOML, in one line."""
    from tomli_w import dumps

    if isinstance(value, list):
        return f"[{', '.join(map(toml_text, value))}]"
    if isinstance(value, dict):
        pairs = (f"{join_key((key,))} = {toml_text(part)}" for key, part in value.items())
        return f"{{ {', '.join(pairs)} }}"
    return visible(dumps({"v": value}).partition("=")[2].strip())


def extending(name: str, title: str, parent: Row, number: int) -> str:
    """The file of a ruleset that extends that one, the tables of which are `parent`; rules of its
    own stand in that section of its text."""
    called = str(parent["name"])
    said = {
        "parent": called,
        "name": name,
        "number": str(number),
        "extends": toml_text(called),
        "quoted": toml_text(name),
        "title": toml_text(title),
        "source": toml_text(f"our own table, after {called}"),
    }
    return HEAD.format(**said) + "".join(f"\n{block}\n" for block in _blocks(parent))


def _blocks(parent: Row) -> Iterator[str]:
    keys = Keys(parent)
    for section in PLAIN:
        yield from _block((section,), parent.get(section, {}), keys.plain(section))
    for name, row in parent.get("phases", {}).items():
        yield from _block(("phases", name), row, keys.row("phases", name, row))
    for name, row in parent.get("clauses", {}).items():
        word = keys.word(name, row)
        if word is not None:
            yield from _block(("clauses", name), row, word.parameters, word.doc)
    for name, row in parent.get("scores", {}).items():
        takes = keys.row("scores", name, row)
        numbers = {key: takes[key] for key in ("points", "factor") if type(row.get(key)) is int}
        yield from _block(("scores", name), row, numbers, keys.doc("scores", name, row))
    for section in DROPPED:
        names = ", ".join(join_key((name,)) for name in parent.get(section, {}))
        if names:
            said = f"A row is dropped by `NAME = false` under [{section}]. There are: {names}"
            yield "\n".join(f"# {line}" for line in _lines(said, WIDTH - 2))


def _block(
    path: tuple[str, ...], table: Row, takes: Mapping[str, Parameter], doc: str = ""
) -> Iterator[str]:
    """A table as comments: the keys that people change, each with what it is for."""
    lines = []
    for key, value in table.items():
        parameter = takes.get(key)
        if parameter is not None and parameter.kind in KINDS and key != "cite":
            lines += _beside(f"{join_key((key,))} = {toml_text(value)}", _about(parameter))
    if lines:
        head = f"[{join_key(path)}]"
        yield "\n".join([*_beside(head, "" if doc == path[-1] else visible(doc)), *lines])


def _beside(line: str, about: str) -> list[str]:
    """A line of TOML as a comment, and what it is for: behind it, or above it if it is long."""
    whole = f"# {line:<37} # {about}"
    if not about or len(whole) <= WIDTH:
        return [whole if about else f"# {line}"]
    above = _lines(about, WIDTH - 4)
    return [*(f"#   # {each}" for each in above), f"# {line}"]


def _lines(text: str, width: int) -> list[str]:
    return wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _about(parameter: Parameter) -> str:
    if not parameter.choices or all(f"`{word}`" in parameter.doc for word in parameter.choices):
        return parameter.doc
    return f"{parameter.doc}: {', '.join(filter(None, parameter.choices))}"


__all__ = ["extending", "toml_text"]
