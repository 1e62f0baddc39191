"""The reference of the public library, generated from its docstrings.

`python -m tests.api` writes `docs/api.md`; `tests/test_api.py` compares the page with the code.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import scorekeeper

PAGE = Path(__file__).parent.parent / "docs" / "api.md"
HEAD = """\
# The library's names

Everything that `from scorekeeper import …` offers, with signatures and examples. The text comes
from the docstrings (`python -m tests.api` writes this page), and the tests run the examples. Begin
with [the library page](library.md).

"""
GROUPS = {
    "A match": ("Match", "Legal"),
    "What the referee answers": ("Ruling", "Finding", "Line"),
    "Rulesets": ("load_ruleset", "Ruleset"),
    "Records": ("read_record", "write_record", "verify_record"),
    "Errors": ("Failure", "Unreadable", "Impossible", "Illegal", "Damaged", "Locked"),
}


def page() -> str:
    """Return the whole page as Markdown."""
    parts = [HEAD, *_contents()]
    for names in GROUPS.values():
        for name in names:
            parts.extend(_entry(name, getattr(scorekeeper, name), "## "))
    return "".join(parts)


def _contents() -> Iterator[str]:
    yield "| group | names |\n|---|---|\n"
    for group, names in GROUPS.items():
        yield f"| {group} | {', '.join(f'[`{name}`](#{name.lower()})' for name in names)} |\n"
    yield "\n"


def _entry(name: str, thing: object, heading: str) -> Iterator[str]:
    yield f"{heading}{name}\n\n"
    if inspect.isclass(thing):
        base = next(each for each in thing.__mro__[1:])
        shown = base.__name__ in scorekeeper.__all__ or base is Exception
        parent = f" A kind of {_mention(base.__name__)}." if shown else ""
        if not issubclass(thing, Exception):
            yield f"```py\n{name}{_signature(thing)}\n```\n\n"
        yield _text(inspect.getdoc(thing)) + (f"\n{parent.strip()}\n" if parent else "") + "\n"
        for member, value in sorted(_members(thing).items()):
            yield from _member(member, value)
    else:
        yield f"```py\n{name}{_signature(thing)}\n```\n\n"
        yield _text(inspect.getdoc(thing)) + "\n"


def _members(thing: type) -> dict[str, object]:
    """Return the public members that the project's own classes declare, by name."""
    found: dict[str, object] = {}
    for each in thing.__mro__:
        if each.__module__.startswith("scorekeeper."):
            for name, value in vars(each).items():
                if not name.startswith("_") and _is_documented(value):
                    found.setdefault(name, value)
    return found


def _is_documented(value: object) -> bool:
    callable_ = inspect.isroutine(value) or isinstance(
        value, property | cached_property | classmethod | staticmethod
    )
    return callable_ and bool(inspect.getdoc(value))


def _member(name: str, value: object) -> Iterator[str]:
    if isinstance(value, property | cached_property):
        yield f"### {name}\n\n"
        getter = value.fget if isinstance(value, property) else value.func
        returned = inspect.signature(getter).return_annotation if getter is not None else ""
        yield f"```py\n{name}: {_type(returned)}\n```\n\n"
    else:
        inner = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        yield f"### {name}\n\n"
        yield f"```py\n{name}{_signature(inner)}\n```\n\n"
    yield _text(inspect.getdoc(value)) + "\n"


def _signature(thing: object) -> str:
    signature = inspect.signature(thing)  # type: ignore[arg-type]
    rows = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    short = str(signature.replace(parameters=rows)).replace("'", "")
    if len(short) <= 88:
        return short
    inner = "".join(f"    {str(row).replace(chr(39), '')},\n" for row in rows)
    after = short.rpartition(")")[2]
    return f"(\n{inner}){after}"


def _type(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")


def _text(doc: str | None) -> str:
    """Return a docstring as Markdown: examples fenced, public names linked."""
    parts = []
    for block in (doc or "").split("\n\n"):
        if block.lstrip().startswith(">>>"):
            parts.append(f"```pycon\n{textwrap.dedent(block)}\n```")
        else:
            parts.append(re.sub(r"`(\w+)`", lambda match: _mention(match[1]), block))
    text = "\n\n".join(parts)
    return text.replace("```\n\n```pycon\n", "\n") + "\n"


def _mention(name: str) -> str:
    return f"[`{name}`](#{name.lower()})" if name in scorekeeper.__all__ else f"`{name}`"


def main() -> None:
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
