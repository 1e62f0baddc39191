"""The words of a ruleset: its verbs, its rows, its cards and numbers, and its languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.notation import Lexicon
from scorekeeper.notation.syntax import SUIT_NAMES
from scorekeeper.ruleset.tables import USUAL_RANKS, compile_languages

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Phase
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.ruleset.tables import Report

    Typed = tuple[str, str, str]  # a word, its meaning, and the place where it is defined


def lexicon_of(
    data: Row,
    pack: Pack,
    verbs: Mapping[str, EntryType],
    off: frozenset[str],
    phases: Collection[Phase[object]],
    fault: Report,
) -> Lexicon:
    """Return a ruleset's lexicon, which contains its verbs and the words of its phases and
    languages.

    Report words with two meanings, and words for numbers that no phase uses. Verbs in `off` are
    turned off.
    """
    rows = [(said, word, f"phases.{p.name}") for p in phases for word, said in p.words()]
    numbers = [number for phase in phases for number in phase.named_numbers]
    said: dict[str, str] = {}
    meant: dict[str, str] = {}
    own = [(word, word, "phases") for word in (*verbs, *off, "all")]
    for typed, word, path in (*own, *rows, *_words_given(data)):
        key = " ".join(typed.casefold().split())
        if meant.setdefault(key, word) != word:
            message = f"“{typed}” means both “{meant[key]}” and “{word}”"
            fault(path, typed, "a word that means one thing", message)
    for word, forms in data.get("words", {}).items():
        listed = [forms] if isinstance(forms, str) else forms
        if listed:
            said[word] = listed[0]
    _check_numbers(data, numbers, meant, fault)
    _check_cards(data, pack, {word for _, word, _ in (*own, *rows)}, fault)
    return Lexicon(verbs, said, meant, pack, compile_languages(data, pack, fault), off)


def _check_numbers(
    data: Row, numbers: Sequence[int], meant: Mapping[str, str], fault: Report
) -> None:
    """Report names given to numbers that no phase of the ruleset uses."""
    known = list(map(str, numbers))
    for _, word, path in _words_given(data):
        if word.isascii() and word.isdecimal() and word not in known:
            allowed = ", ".join(known) or "no number, because no numbers are bid"
            near = next((each for each in meant.values() if each.endswith(f" {word}")), "")
            hint = f"; did you mean “{near}”?" if near else ""
            fault(path, word, allowed, f"{path}: the number {word} is not bid in this game{hint}")


def _check_cards(data: Row, pack: Pack, known: Collection[str], fault: Report) -> None:
    """Report words that the ruleset defines for a rank or a suit alone, or for a card that is not
    in the pack."""
    ranks = {*pack.rank, *USUAL_RANKS}
    alone = {*ranks, *pack.suits, *(SUIT_NAMES.get(suit, suit) for suit in pack.suits)}
    absent = {rank + suit for rank in ranks for suit in pack.suits}
    for _, word, path in _words_given(data):
        if word in known or word in pack.kinds or word.isdecimal():
            continue
        if word in alone:
            message = f"{path}: “{word}” alone is no card; a language names ranks and suits"
            fault(path, word, "a card, or `ranks` and `suits` of a language", message)
        elif word in absent:
            fault(path, word, "a card of the pack", f"{path}: “{word}” is not in the pack")


def _words_given(data: Row) -> Iterator[Typed]:
    """Yield the words that the ruleset and its languages define."""
    tables = [("words", data.get("words", {}))]
    for code, row in data.get("languages", {}).items():
        tables.append((f"languages.{code}.words", row.get("words", {})))
    for path, table in tables:
        for word, forms in table.items():
            for typed in [forms] if isinstance(forms, str) else forms:
                yield typed, word, f"{path}.{word}"
