"""The `[languages]` of a ruleset: letters of ranks and suits, words; and what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.notation.languages import OWN, Language, letters
from scorekeeper.ruleset.cards import SUIT_LETTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Lexicon
    from scorekeeper.ruleset.parameters import Report

USUAL_RANKS = frozenset("AKQJT98765432")
NONE = "none"  # the word for no language at all, so no language is called so


def spoken(data: Row, pack: Pack, fault: Report) -> dict[str, Language]:
    """The languages of a ruleset, by code; what is wrong with them is reported."""
    found: dict[str, Language] = {}
    for code, row in data.get("languages", {}).items():
        where = f"languages.{code}"
        if code in (OWN, NONE):
            fault(where, code, "a code such as xx", "a language needs a code of its own")
        said = {word: _first(forms) for word, forms in row.get("words", {}).items() if forms}
        tables = [
            letters(own, _renamed(row.get(name, {}), own, f"{where}.{name}", fault))
            for name, own in (("ranks", pack.ranks), ("suits", pack.suits))
        ]
        names = _suits_called(row.get("suit_words", {}), pack, f"{where}.suit_words", fault)
        found[code] = Language(tables[0], tables[1], said, names, row.get("sentences", {}))
    return found


def check_languages(lexicon: Lexicon, fault: Report) -> None:
    """Report what a language reads as two cards, or as a card and as a word."""
    pack = lexicon.pack
    cards = [(pack.rank[kind], pack.suit[kind]) for kind in pack.suited]
    for code, language in lexicon.languages.items():
        where, allowed = f"languages.{code}", "letters that make one card"
        known: dict[str, tuple[str, str]] = {}
        for typed, card in language.card_forms(cards):
            before = known.setdefault(typed, card)
            if before != card:
                message = f"“{typed}” is both {''.join(before)} and {''.join(card)} in {code}"
                fault(where, typed, allowed, message)
            word = lexicon.meanings.get(typed)
            if word is not None:
                message = f"“{typed}” is both {''.join(card)} and the word “{word}” in {code}"
                fault(where, typed, allowed, message)


def _suits_called(row: Row, pack: Pack, where: str, fault: Report) -> dict[str, str]:
    """What each name of a suit stands for. A suit that this pack has not may be named: words are
    shared by rulesets."""
    found: dict[str, str] = {}
    for suit, forms in row.items():
        if suit not in SUIT_LETTERS.split() and suit not in pack.suits:
            message = f"{where}.{suit} is no suit"
            fault(f"{where}.{suit}", suit, SUIT_LETTERS, message)
        for form in [forms] if isinstance(forms, str) else forms:
            typed = form.casefold()
            if not typed.isalpha():
                message = f"{where}.{suit} cannot be typed as one word"
                fault(f"{where}.{suit}", form, "letters", message)
            elif suit in pack.suits and found.setdefault(typed, suit) != suit:
                _doubled(f"{where}.{suit}", typed, found[typed], suit, fault)
    return found


def _renamed(row: Row, own: Sequence[str], where: str, fault: Report) -> dict[str, str]:
    """What each letter of a table stands for."""
    found: dict[str, str] = {}
    for letter, meant in row.items():
        typed = letter.upper()
        if meant not in own:
            if own and isinstance(meant, str) and meant in USUAL_RANKS:
                continue  # a house may play with fewer cards than the game whose letters these are
            allowed = " ".join(own) or "nothing, without cards"
            message = f"{where}.{letter} stands for nothing in the pack"
            fault(f"{where}.{letter}", str(meant), allowed, message)
        elif not typed.isalnum():
            message = f"{where}.{letter} cannot be typed as a part of a card"
            fault(f"{where}.{letter}", letter, "letters or digits", message)
        elif found.setdefault(typed, meant) != meant:
            _doubled(f"{where}.{letter}", typed, found[typed], meant, fault)
    for typed, meant in found.items():
        if typed in own and typed != meant and typed not in found.values():
            _doubled(f"{where}.{typed}", typed, meant, typed, fault)
    return found


def _doubled(where: str, typed: str, one: str, other: str, fault: Report) -> None:
    message = f"“{typed}” stands for both {one} and {other}"
    fault(where, typed, "a letter that stands for one thing", message)


def _first(forms: str | list[str]) -> str:
    return forms if isinstance(forms, str) else forms[0]
