"""All words of a ruleset, with what they mean: its verbs, its rows, its languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.notation import Lexicon
from scorekeeper.ruleset.checks import spoken

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Row
    from scorekeeper.notation.entry import Verb
    from scorekeeper.ruleset.phase import Phase
    from scorekeeper.ruleset.tables import Report

    Typed = tuple[str, str, str]  # a word that may be typed, what it means, where that is said


def lexicon_of(
    data: Row,
    pack: Pack,
    verbs: Mapping[str, Verb],
    off: frozenset[str],
    phases: Collection[Phase[object]],
    fault: Report,
) -> Lexicon:
    """Return the lexicon of a ruleset's tables: of its verbs and those that are turned `off`, of
    what its phases and languages call words. Report a word with two meanings, and one for a number
    that no phase has."""
    rows = [(said, word, f"phases.{p.name}") for p in phases for word, said in p.words()]
    numbers = [number for phase in phases for number in phase.numbers]
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
    _check_numbers(data, numbers, meant, fault)
    return Lexicon(verbs, said, meant, pack, spoken(data, pack, fault), off)


def _check_numbers(
    data: Row, numbers: Sequence[int], meant: Mapping[str, str], fault: Report
) -> None:
    """Report words for numbers that no phase of the ruleset has."""
    known = list(map(str, numbers))
    for _, word, path in _called(data):
        if word.isascii() and word.isdecimal() and word not in known:
            allowed = ", ".join(known) or "no number, for none is bid"
            near = next((each for each in meant.values() if each.endswith(f" {word}")), "")
            hint = f"; did you mean “{near}”?" if near else ""
            fault(path, word, allowed, f"{path}: the number {word} is not bid in this game{hint}")


def _called(data: Row) -> Iterator[Typed]:
    """What the ruleset and its languages call words."""
    tables = [("words", data.get("words", {}))]
    for code, row in data.get("languages", {}).items():
        tables.append((f"languages.{code}.words", row.get("words", {})))
    for path, table in tables:
        for word, forms in table.items():
            for typed in [forms] if isinstance(forms, str) else forms:
                yield typed, word, f"{path}.{word}"
