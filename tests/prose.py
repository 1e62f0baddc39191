"""Passages of prose in the package, and the rules of style that a script can hold.

`python -m tests.prose` prints a sample to be read without the code: 100 docstrings and comments,
and 100 messages. `--seed` draws another one, `--places` adds where each passage is. `--counts`
lowers the figures in `tests/prose.toml` to what the package has now; it never raises one.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import io
import random
import re
import tokenize
import tomllib
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import tomli_w

from tests.catalogue import PACKAGE, extracted

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = PACKAGE.parent
FILE = Path(__file__).parent / "prose.toml"
SEED = 20270101
SAMPLE = 100  # passages of code, and as many messages
LONGEST = 30  # words of a sentence in a docstring

BEGINNINGS = re.compile(r"(What|Whether|Who|Whom|Whose|Where|Which|Why|How|When)\b")
# A function's docstring begins with a verb, not with a word that opens a noun phrase or a clause.
NO_VERB = re.compile(
    r"(The|A|An|All|Any|Each|Every|Its|Their|One|Some|Those|These|This|That|If|As|For|In|On)\b"
)
# A property's docstring begins with a noun phrase, as does the text below a constant.
NO_NOUN = re.compile(r"(Return|Yield|Raise|Get|Give|Compute|Find)s?\b")
NEVER = re.compile(
    r"\b(whoever|whomever|anew|afresh|as ever|by itself|by themselves|told|tells?|telling|somebody"
    r"|at a glance|in words|who looks? on|those who)\b",
    re.I,
)
# Words that are right in one sense and were used in others.
COUNTED = re.compile(
    r"\b(found|kept|keeps|stands?|stood|said|says?|gives|comes|goes|lies|lying|alike|beside|apart"
    r"|plain|nobody|weighed)\b",
    re.I,
)
NAMES = (ast.Assign, ast.AnnAssign)  # a text can follow each of these
NOT_PROSE = re.compile(r"(---|type:|noqa|pragma|fmt:|mypy:|ruff:|!)")


class Passage(NamedTuple):
    """A docstring, a comment block or an English message, and where it is."""

    place: str  # a path from the root, with a line where there is one
    kind: str  # "module", "class", "function", "property", "comment" or "message"
    text: str


@cache
def docstrings(folder: Path = PACKAGE) -> tuple[Passage, ...]:
    """Return every docstring of the package, or of another folder.

    A text below a constant or an attribute counts as the docstring of a property.
    """
    return tuple(found for path in _files(folder) for found in _docstrings(path))


@cache
def comments(folder: Path = PACKAGE) -> tuple[Passage, ...]:
    """Return every comment of the package, or of another folder.

    Lines that follow one another are one comment.
    """
    return tuple(found for path in _files(folder) for found in _comments(path))


@cache
def messages() -> tuple[Passage, ...]:
    """Return every English message of the catalogues, and what the code documents for the guide.

    A plural is a passage of its own.
    """
    translated = [
        Passage(f"scorekeeper/{files[0]}", "message", text)
        for key, files in extracted().items()
        for text in ((key,) if isinstance(key, str) else key)
    ]
    documented = [found for path in _files(PACKAGE) for found in _documented(path)]
    return tuple({passage.text: passage for passage in (*documented, *translated)}.values())


def without_code(text: str) -> str:
    """Return a text with a mark in the place of names in backticks, examples, tables and gaps."""
    text = re.sub(r"(?m)^(\s*(>>>|\.\.\.|\|)|    ).*$", "", text)
    return re.sub(r"`[^`]*`|\{[^}]*\}", "X", text)


def sentences(text: str) -> list[str]:
    """Split a docstring into sentences; a row of a list counts as one."""
    prose = without_code(text)
    return [row for row in re.split(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*] ", prose) if row.strip()]


def counted() -> dict[str, int]:
    """Count the words of `COUNTED` in all passages."""
    counter = Counter[str]()
    for passage in (*docstrings(), *comments(), *messages()):
        words = COUNTED.findall(without_code(passage.text))
        counter.update(word.lower() for word in words)
    return dict(sorted(counter.items()))


def pinned() -> dict[str, int]:
    """Read the figures that may only fall."""
    figures: dict[str, int] = tomllib.loads(FILE.read_text("utf-8"))["words"]
    return figures


def sample(seed: int) -> tuple[list[Passage], list[Passage]]:
    """Draw passages of code and messages; the same seed draws the same from the same package."""
    chance = random.Random(seed)
    return (
        chance.sample([*docstrings(), *comments()], SAMPLE),
        chance.sample(messages(), SAMPLE),
    )


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _docstrings(path: Path) -> Iterator[Passage]:
    """Yield the docstrings of a file, and the texts below its constants and attributes."""
    place = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield Passage(f"{place}:{getattr(node, 'lineno', 1)}", _kind(node), text)
        body = getattr(node, "body", None)
        for name, below in pairwise(body if isinstance(body, list) else ()):
            match below:
                case ast.Expr(value=ast.Constant(value=str(text))) if isinstance(name, NAMES):
                    yield Passage(f"{place}:{name.lineno}", "property", inspect.cleandoc(text))


def _kind(node: ast.AST) -> str:
    if isinstance(node, ast.Module | ast.ClassDef):
        return "module" if isinstance(node, ast.Module) else "class"
    decorators = {ast.unparse(each) for each in getattr(node, "decorator_list", ())}
    is_property = any(name.endswith(("property", ".setter")) for name in decorators)
    return "property" if is_property else "function"


def _comments(path: Path) -> Iterator[Passage]:
    source = path.read_text("utf-8")
    rows = source.splitlines()
    first = last = -1
    texts: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string.lstrip("#").strip()
        if token.type != tokenize.COMMENT or NOT_PROSE.match(text):
            continue
        line, column = token.start
        alone = not rows[line - 1][:column].strip()
        if texts and not (alone and line == last + 1):
            yield Passage(f"{path.relative_to(ROOT).as_posix()}:{first}", "comment", _one(texts))
            texts = []
        first = first if texts else line
        # A comment after code ends there: the next line is another one.
        last = line if alone else -1
        texts.append(text)
    if texts:
        yield Passage(f"{path.relative_to(ROOT).as_posix()}:{first}", "comment", _one(texts))


def _documented(path: Path) -> Iterator[Passage]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            value = getattr(keyword.value, "value", None)
            if keyword.arg in ("doc", "help") and isinstance(value, str) and value:
                yield Passage(
                    f"{path.relative_to(ROOT).as_posix()}:{keyword.value.lineno}", "message", value
                )


def _one(texts: list[str]) -> str:
    return " ".join(texts)


def _write_counts() -> None:
    now, before = counted(), pinned()
    figures = {word: min(count, before.get(word, 0)) for word, count in now.items()}
    head = (
        "# How often words occur in docstrings, comments and messages that are right in one sense\n"
        "# and were used in others. `python -m tests.prose --counts` lowers these figures.\n\n"
    )
    FILE.write_text(head + tomli_w.dumps({"words": figures}), "utf-8")


def _print_sample(seed: int, places: bool) -> None:
    for title, passages in zip(("DOCSTRINGS AND COMMENTS", "MESSAGES"), sample(seed), strict=True):
        print(f"# {title}, seed {seed}\n")
        for number, passage in enumerate(passages, 1):
            place = f" {passage.place}" if places else ""
            print(f"{number}. [{passage.kind}]{place}\n{passage.text}\n")


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.prose", description=__doc__)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--places", action="store_true")
    options.add_argument("--counts", action="store_true")
    chosen = options.parse_args()
    if chosen.counts:
        _write_counts()
    else:
        _print_sample(chosen.seed, chosen.places)


if __name__ == "__main__":
    main()
