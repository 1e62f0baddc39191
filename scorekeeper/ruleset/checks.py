"""Check the pack and the `[languages]` of a ruleset, and compile its languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.text import quote
from scorekeeper.notation.languages import PROGRAM_LANGUAGE, Language, make_letters
from scorekeeper.ruleset.orders import SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Lexicon
    from scorekeeper.ruleset.tables import Report

SUIT_LETTERS = " ".join(SUIT_NAMES)
USUAL_RANKS = frozenset("AKQJT98765432")
NONE = "none"  # the word for no language at all, which no language may use as its code
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def check_pack(row: Row, report: Report) -> None:
    """Report ranks, suits and jokers that make no valid pack, and a pack that is too large."""
    ranks, suits = row["ranks"].split(), row["suits"].split()
    for rank in ranks:
        if not (_LETTERS.issuperset(rank) and len(rank) <= untrusted.MAX_RANK_NAME):
            allowed = f"1 to {untrusted.MAX_RANK_NAME} capital letters or digits"
            report("pack.ranks", quote(rank), allowed, f"pack.ranks: a rank is {allowed}")
    for suit in suits:
        if suit not in SUIT_NAMES:
            message = f"pack.suits: suits are of {SUIT_LETTERS}"
            report("pack.suits", quote(suit), SUIT_LETTERS, message)
    for joker in row["jokers"]:
        if not (_LETTERS.issuperset(joker) and 2 <= len(joker) <= 10) or joker[-1] in SUIT_NAMES:
            allowed = f"2 to 10 capital letters or digits, the last of them none of {SUIT_LETTERS}"
            report("pack.jokers", quote(joker), allowed, f"pack.jokers: a joker is {allowed}")
    if bool(ranks) != bool(suits) or not (ranks or row["jokers"]):
        message = "pack: it has no cards"
        report("pack.ranks", "no ranks or suits", "ranks and suits, or jokers", message)
    for key, items in (("ranks", ranks), ("suits", suits), ("jokers", row["jokers"])):
        twice = sorted({each for each in items if items.count(each) > 1})
        if twice:
            report(
                f"pack.{key}", quote(" ".join(twice)), "each once", f"pack.{key} has a duplicate"
            )
    for key, items, most in (
        ("ranks", ranks, untrusted.MAX_RANKS),
        ("jokers", row["jokers"], untrusted.MAX_JOKERS),
    ):
        if len(items) > most:
            message = f"pack.{key}: there are too many"
            report(f"pack.{key}", f"{len(items)} of them", f"at most {most}", message)
    total = (len(ranks) * len(suits) + len(row["jokers"])) * row["copies"]
    if total > untrusted.MAX_CARDS:
        message = "pack: there are too many cards in it"
        report("pack.copies", f"{total} cards", f"at most {untrusted.MAX_CARDS}", message)


def compile_languages(data: Row, pack: Pack, report: Report) -> dict[str, Language]:
    """Return the languages of a ruleset by code, and report their faults."""
    result: dict[str, Language] = {}
    for code, row in data.get("languages", {}).items():
        where = f"languages.{code}"
        if code in (PROGRAM_LANGUAGE, NONE):
            report(where, code, "a code such as xx", "no language can have this code")
        words = {word: _first_form(forms) for word, forms in row.get("words", {}).items() if forms}
        tables = [
            make_letters(own, _read_letters(row.get(name, {}), own, f"{where}.{name}", report))
            for name, own in (("ranks", pack.ranks), ("suits", pack.suits))
        ]
        names = _read_suit_words(row.get("suit_words", {}), pack, f"{where}.suit_words", report)
        result[code] = Language(tables[0], tables[1], words, names, row.get("sentences", {}))
    return result


def check_languages(lexicon: Lexicon, report: Report) -> None:
    """Report texts that a language reads as two cards, or as a card and a word."""
    pack = lexicon.pack
    cards = [(pack.rank[kind], pack.suit[kind]) for kind in pack.suited]
    for code, language in lexicon.languages.items():
        where, allowed = f"languages.{code}", "letters that make one card"
        known: dict[str, tuple[str, str]] = {}
        for typed, card in language.card_forms(cards):
            before = known.setdefault(typed, card)
            if before != card:
                message = f"“{typed}” is both {''.join(before)} and {''.join(card)} in {code}"
                report(where, typed, allowed, message)
            word = lexicon.meanings.get(typed)
            if word is not None:
                message = f"“{typed}” is both {''.join(card)} and the word “{word}” in {code}"
                report(where, typed, allowed, message)


def _read_suit_words(row: Row, pack: Pack, where: str, report: Report) -> dict[str, str]:
    """Return the suit of each suit name.

    Suits that are not in the pack are allowed, because rulesets share words.
    """
    result: dict[str, str] = {}
    for suit, forms in row.items():
        if suit not in SUIT_NAMES and suit not in pack.suits:
            message = f"{where}.{suit} is not a suit"
            report(f"{where}.{suit}", suit, SUIT_LETTERS, message)
        for form in [forms] if isinstance(forms, str) else forms:
            typed = form.casefold()
            if not typed.isalpha():
                message = f"{where}.{suit} cannot be typed as one word"
                report(f"{where}.{suit}", form, "letters", message)
            elif suit in pack.suits and result.setdefault(typed, suit) != suit:
                _report_doubled(f"{where}.{suit}", typed, result[typed], suit, report)
    return result


def _read_letters(row: Row, own: Sequence[str], where: str, report: Report) -> dict[str, str]:
    """Return the meaning of each letter in a table."""
    result: dict[str, str] = {}
    for letter, meant in row.items():
        typed = letter.upper()
        if meant not in own:
            if own and isinstance(meant, str) and meant in USUAL_RANKS:
                # a variant may use fewer cards than the game to which these letters belong
                continue
            allowed = " ".join(own) or "nothing, without cards"
            message = f"{where}.{letter} means nothing in the pack"
            report(f"{where}.{letter}", str(meant), allowed, message)
        elif not typed.isalnum():
            message = f"{where}.{letter} cannot be typed as a part of a card"
            report(f"{where}.{letter}", letter, "letters or digits", message)
        elif result.setdefault(typed, meant) != meant:
            _report_doubled(f"{where}.{letter}", typed, result[typed], meant, report)
    for typed, meant in result.items():
        if typed in own and typed != meant and typed not in result.values():
            _report_doubled(f"{where}.{typed}", typed, meant, typed, report)
    return result


def _report_doubled(where: str, typed: str, one: str, other: str, report: Report) -> None:
    message = f"“{typed}” means both {one} and {other}"
    report(where, typed, "a letter with one meaning", message)


def _first_form(forms: str | list[str]) -> str:
    return forms if isinstance(forms, str) else forms[0]
