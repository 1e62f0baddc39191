"""All words of a ruleset, with what they mean: its verbs, its rows, its languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.notation import Lexicon
from scorekeeper.ruleset.languages import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.pieces import Pack
    from scorekeeper.core.plain import Row
    from scorekeeper.notation.verbs import Verb
    from scorekeeper.ruleset.parameters import Report

    Typed = tuple[str, str, str]  # a word that may be typed, what it means, where that is said


def lexicon_of(
    data: Row,
    pack: Pack,
    verbs: Mapping[str, Verb],
    off: frozenset[str],
    rows: Sequence[Typed],
    fault: Report,
) -> Lexicon:
    """The lexicon of a ruleset's tables: of its verbs and those that are turned `off`, of the
    `rows` that may be typed, and of its languages. A word with two meanings is a fault."""
    said: dict[str, str] = {}
    meant: dict[str, str] = {}
    own = [(word, word, "phases") for word in (*verbs, *off, "all")]
    for typed, word, path in (*own, *rows, *_called(data)):
        key = " ".join(typed.casefold().split())
        if meant.setdefault(key, word) != word:
            message = f"“{typed}” means both “{meant[key]}” and “{word}”"
            fault(path, typed, "a word that means one thing", message)
    for word, forms in data.get("words", {}).items():
        listed = [forms] if isinstance(forms, str) else forms
        if listed:
            said[word] = listed[0]
    return Lexicon(verbs, said, meant, pack, spoken(data, pack, fault), off)


def _called(data: Row) -> Iterator[Typed]:
    """What the ruleset and its languages call words."""
    tables = [("words", data.get("words", {}))]
    for code, row in data.get("languages", {}).items():
        tables.append((f"languages.{code}.words", row.get("words", {})))
    for path, table in tables:
        for word, forms in table.items():
            for typed in [forms] if isinstance(forms, str) else forms:
                yield typed, word, f"{path}.{word}"
