"""How a language writes cards, suits and words, and how texts are read in several.

A card is a rank and a suit of one language, never of two; what a language does not name anew keeps
the program's letter. Symbols of suits belong to every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.syntax import NAME_LENGTH, SUITS, clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.core.cards import Pack

Meant = TypeVar("Meant")
NONE: Mapping[str, str] = {}
OWN = ""  # the program's own language
TEN = ("T", "10")  # digits are read in all languages


def letters(own: Iterable[str], renamed: Mapping[str, str]) -> dict[str, str]:
    """What may be typed, and what it means: what `renamed` says, and what it leaves as it is."""
    kept = {letter: letter for letter in own if letter not in renamed.values()}
    return {**renamed, **kept}


class Language:
    """The letters of one language, typed to meant, and the words that it writes (`forms`).

    `called` are the names that suits have where they stand alone, in lower case, and what they
    mean; `sentences` what texts of the ruleset are in it.
    """

    __slots__ = ("called", "forms", "ranks", "sentences", "suits")

    def __init__(
        self,
        ranks: dict[str, str],
        suits: dict[str, str],
        said: Mapping[str, str],
        called: Mapping[str, str] = NONE,
        sentences: Mapping[str, str] = NONE,
    ) -> None:
        self.ranks = ranks
        self.suits = suits
        self.forms = said
        self.called = called
        self.sentences = sentences

    @classmethod
    def own(cls, pack: Pack) -> Language:
        """The program's own letters for the cards of a pack."""
        ranks, suits = pack.ranks, pack.suits
        return cls(dict(zip(ranks, ranks, strict=True)), dict(zip(suits, suits, strict=True)), {})

    def card(self, rank: str, suit: str) -> str:
        """The card as it is written; a joker, which has no suit, is written in one way."""
        return self.rank(rank) + self.suit(suit) if suit else rank

    def suit(self, suit: str) -> str:
        """The suit as it is written."""
        return _first(self.suits, suit)

    def rank(self, rank: str) -> str:
        """The rank as it is written."""
        return _first(self.ranks, rank)

    def card_forms(self, cards: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, str]]]:
        """Every way to type each of these cards (rank, suit), in lower case, with the card."""
        ranks: dict[str, list[str]] = {}
        suits: dict[str, list[str]] = {}
        symbols: dict[str, list[str]] = {}
        found: list[tuple[str, tuple[str, str]]] = []
        for card in cards:
            rank, suit = card
            if rank not in ranks:
                ten = TEN[1:] if rank == TEN[0] else ()
                ranks[rank] = [form.lower() for form in (*_all(self.ranks, rank), *ten)]
            if suit not in suits:
                suits[suit] = [form.lower() for form in _all(self.suits, suit)]
                symbols[suit] = _all(SUITS, suit)
            for form in ranks[rank]:
                found += [(form + other, card) for other in suits[suit]]
                for symbol in symbols[suit]:
                    found += [(form + symbol, card), (symbol + form, card)]
        return found

    def suit_forms(self, suit: str) -> Iterator[str]:
        """Every way to type a suit, in lower case."""
        yield from (letter.lower() for letter in (*_all(self.suits, suit), *_all(SUITS, suit)))
        yield from _all(self.called, suit)


class Readings(Generic[Meant]):
    """What texts mean in the language that is spoken, or else in the program's own: `known`. Where
    none is spoken, any may be meant: that is looked up when a text is not known."""

    __slots__ = ("_doubts", "_forms", "_languages", "_spoken", "known")

    def __init__(
        self,
        languages: Mapping[str, Language],
        spoken: str,
        forms: Callable[[Language], Iterable[tuple[str, Meant]]],
    ) -> None:
        self._languages = languages
        self._spoken = spoken
        self._forms = forms
        self._doubts: dict[str, dict[Meant, list[str]]] | None = None
        self.known = dict(forms(languages[spoken]))
        if spoken != OWN:
            self.known = {**dict(forms(languages[OWN])), **self.known}

    @property
    def all(self) -> dict[str, Meant]:
        """Every text with one meaning, and what it is."""
        if self._doubts is None:
            self._doubts = self._guessed()
        return self.known

    @property
    def doubts(self) -> dict[str, dict[Meant, list[str]]]:
        """Texts with several meanings, and in which languages each."""
        if self._doubts is None:
            self._doubts = self._guessed()
        return self._doubts

    def find(self, typed: str) -> Meant | None:
        """What the text means; None where that is nothing, or in doubt."""
        found = self.known.get(typed)
        return self.all.get(typed) if found is None else found

    def _guessed(self) -> dict[str, dict[Meant, list[str]]]:
        """Learn what any language reads that is not known yet; gives what is in doubt."""
        told: dict[str, dict[Meant, list[str]]] = {}
        for code, language in self._languages.items() if self._spoken == OWN else ():
            for typed, meant in self._forms(language):
                if typed not in self.known:
                    codes = told.setdefault(typed, {}).setdefault(meant, [])
                    if code not in codes:
                        codes.append(code)
        self.known |= {typed: next(iter(found)) for typed, found in told.items() if len(found) == 1}
        return {typed: found for typed, found in told.items() if len(found) > 1}


def in_doubt(typed: str, doubts: Mapping[str, Iterable[str]]) -> Unreadable:
    """The failure for a text that languages read in several ways."""
    readings = tr(" and ").join(
        tr("{meant} in {codes}", meant=meant, codes=", ".join(codes))
        for meant, codes in doubts.items()
    )
    codes = tr(" or ").join(code for found in doubts.values() for code in found)
    return Unreadable(
        tr("“{typed}” is {readings}", typed=clean(typed)[:NAME_LENGTH], readings=readings),
        tr(
            "{doubts}; or the match's language, {codes}: about --language CODE",
            doubts=tr(" or ").join(doubts),
            codes=codes,
        ),
    )


def _first(table: Mapping[str, str], meant: str) -> str:
    return next((typed for typed, means in table.items() if means == meant), meant)


def _all(table: Mapping[str, str], meant: str) -> list[str]:
    return [typed for typed, means in table.items() if means == meant]
