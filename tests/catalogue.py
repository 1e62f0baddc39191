"""The catalogues of sentences: extracted from the code, compared with the translations, compiled.

`python -m tests.catalogue` updates the catalogues in `scorekeeper/locale`. New sentences are added
without a translation, obsolete ones are removed, and the compiled files are written again.
`python -m tests.catalogue CODE` begins another language.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO

from babel.core import UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "scorekeeper"
LOCALE = PACKAGE / "locale"
DOMAIN = "scorekeeper"
KEYWORDS: dict[str, tuple[int, ...] | None] = {"tr": None, "N_": None, "plural": (1, 2)}
Id = str | tuple[str, ...]
Call = tuple[int, str, list[str | None], list[str]]


def languages() -> list[str]:
    """Return the languages with a catalogue. English has none, because the code holds its
    sentences."""
    return sorted(path.name for path in LOCALE.iterdir())


def source(code: str) -> Path:
    """Return the path of the catalogue that people edit."""
    return LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def called(
    file: IO[bytes], keywords: Collection[str], comments: object, options: object
) -> Iterator[Call]:
    """Yield the calls of `keywords` in a Python file with their arguments, for Babel.

    Babel's own reader does not see calls inside an f-string before Python 3.12.
    """
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            name, given = node.func.id, [getattr(each, "value", None) for each in node.args]
            if name in keywords:
                yield (
                    node.lineno,
                    name,
                    [each if isinstance(each, str) else None for each in given],
                    [],
                )


def extracted() -> dict[Id, list[str]]:
    """Return every sentence of the code with the files that contain it."""
    found: dict[Id, list[str]] = {}
    rows = extract_from_dir(PACKAGE, [("**.py", "tests.catalogue:called")], keywords=KEYWORDS)
    for name, _, message, *_ in sorted(rows, key=lambda row: (row[0], row[1])):
        said = message if isinstance(message, str) else tuple(message)
        where = found.setdefault(said, [])
        if name not in where:
            where.append(name)
    return found


def catalogue(code: str) -> Catalog:
    """Return a language's catalogue from its file, or an empty one if there is no file."""
    path = source(code)
    if not path.exists():
        return Catalog(locale=code, domain=DOMAIN)
    with path.open("rb") as file:
        return read_po(file, locale=code, domain=DOMAIN)


def brought_up(code: str, said: dict[Id, list[str]]) -> Catalog:
    """Return the catalogue with exactly the sentences of the code and their translations so far."""
    found = catalogue(code)
    before = {message.id: message for message in found if message.id}
    after = Catalog(locale=code, domain=DOMAIN, charset="utf-8", fuzzy=False)
    after.mime_headers = [("Plural-Forms", found.plural_forms)]
    for key, where in said.items():
        known = before.get(key)
        text = known.string if known is not None and not known.fuzzy else None
        after.add(key, text, [(name, 0) for name in where])
    return after


def written(found: Catalog) -> bytes:
    """Return a catalogue as the bytes of its file, without dates and line numbers."""
    file = io.BytesIO()
    write_po(file, found, width=100, omit_header=True, include_lineno=False, sort_by_file=False)
    head = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {found.locale_identifier}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {found.plural_forms}\\n"\n\n'
    )
    return head.encode() + file.getvalue()


class Lean(Catalog):
    """A catalogue whose header has only the fields that gettext needs, without dates and tools.

    `forms` are the plural forms from its file, because those that Babel knows change with its
    version.
    """

    forms = ""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Plural-Forms", self.forms),
        ]

    @mime_headers.setter
    def mime_headers(self, value: Iterable[tuple[str, str]]) -> None:
        """Ignore the header of a file that is read."""


def compiled(found: Catalog) -> bytes:
    """Return a catalogue as gettext reads it."""
    file = io.BytesIO()
    lean = Lean(locale=found.locale, domain=DOMAIN, charset="utf-8", fuzzy=False)
    lean.forms = found.plural_forms
    for message in found:
        if message.id and translated(message):
            lean.add(message.id, message.string)
    write_mo(file, lean)
    return file.getvalue()


def translated(message: Message) -> bool:
    """Return whether a sentence has all its forms in that language."""
    said = message.string
    forms = (said,) if isinstance(said, str) else said
    return bool(forms) and all(forms or ())


def main(codes: list[str]) -> None:
    said = extracted()
    for code in codes or languages():
        found = brought_up(code, said)
        missing = sum(not translated(message) for message in found if message.id)
        path = source(code)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(found))
        path.with_suffix(".mo").write_bytes(compiled(found))
        print(f"{code}: {len(said)} sentences, {missing} without a translation")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except UnknownLocaleError as unknown:
        sys.exit(str(unknown))
