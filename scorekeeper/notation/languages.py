"""Cards, suits and words in each of a ruleset's languages, and valid player names.

A card combines a rank and a suit of the same language. Characters that a language does not rename
have their built-in meaning. Suit symbols belong to every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import ENGLISH, current_language, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.entry import BID
from scorekeeper.notation.syntax import MAX_NAME_LENGTH, SUIT_NAMES, SUIT_SYMBOLS, clean, normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.notation.syntax import Value

Meant = TypeVar("Meant")
NONE: Mapping[str, str] = {}
PROGRAM_LANGUAGE = ""  # the built-in language
TEN = ("T", "10")  # the digits are valid in every language
FORBIDDEN_IN_NAMES = ":;,/+=#!"
"""Characters that no player's name may contain."""


class ParsedAct(NamedTuple):
    """A parsed act with its type, its value and its canonical text."""

    verb: EntryType
    value: Value
    text: str


class Lexicon:
    """A ruleset's words in all its languages, for reading and writing.

    `entry_types` maps canonical words to types. `forms` maps canonical words and row names to
    written words. `meanings` maps typed words, in lower case, to canonical words. `name_keys` are
    the keys of a `result` with players as values. `kinds` are the written forms of the card kinds.
    `disabled` are the words that the ruleset turns off. `early_ends` maps words that would end a
    round early, but are turned off, to the form of the result to enter instead. `shorthand` are the
    entry types that are typed in place of a whole entry. `acts` caches parsed acts
    by the text after the name, because they are the same for all players.
    """

    __slots__ = (
        *("_card_words", "_cards", "_suits", "acts", "disabled", "early_ends"),
        *("entry_types", "forms", "implicit", "kinds", "language", "languages", "meanings"),
        *("name_keys", "pack", "shorthand", "suits"),
    )

    def __init__(
        self,
        entry_types: Mapping[str, EntryType],
        forms: Mapping[str, str],
        meanings: dict[str, str],
        pack: Pack,
        languages: Mapping[str, Language],
        disabled: frozenset[str] = frozenset(),
    ) -> None:
        self.entry_types = entry_types
        self.forms = forms
        self.meanings = meanings
        self.pack = pack
        self.disabled = disabled
        self.languages = {**languages, PROGRAM_LANGUAGE: Language.for_pack(pack)}
        self.language = PROGRAM_LANGUAGE
        self.kinds = pack.kinds
        self.suits = sorted(pack.suits)
        self.name_keys: frozenset[str] = frozenset()
        self.shorthand: tuple[EntryType, ...] = ()
        self.early_ends: Mapping[str, str] = {}
        implicit = [verb for verb in entry_types.values() if verb.is_implicit]
        self.implicit = tuple(sorted(implicit, key=lambda verb: verb.measured_as == BID))
        self._cards: FormTable[int] | None = None
        self._suits: FormTable[str] | None = None
        self._card_words: int | None = None
        self.acts: dict[str, ParsedAct] = {}

    @property
    def line_form(self) -> EntryType | None:
        """The entry type for a deal typed in one line without keys, or None if there is none."""
        return next((verb for verb in self.shorthand if verb.is_table_entry), None)

    def for_language(self, language: str, words: str = PROGRAM_LANGUAGE) -> Lexicon:
        """Return the lexicon with the card letters of `language` and the words of the language
        `words`.

        If `words` is not given, the words are also those of `language`. Raises Unreadable if a
        language is unknown.
        """
        letters, written = self.find_language(language), self.find_language(words or language)
        forms = {**self.forms, **written.forms}
        other = Lexicon(
            self.entry_types, forms, self.meanings, self.pack, self.languages, self.disabled
        )
        other.language, other.name_keys = language, self.name_keys
        other.shorthand, other.early_ends = self.shorthand, self.early_ends
        other.kinds = tuple(
            map(
                letters.forms.get,
                self.pack.kinds,
                map(letters.card, self.pack.rank, self.pack.suit),
            )
        )
        return other

    def find_language(self, code: str) -> Language:
        """Return the language with this code. Raises Unreadable if the ruleset does not have it."""
        language = self.languages.get(code)
        if language is None:
            known = ", ".join(sorted(filter(None, self.languages))) or tr(
                "none (only the ruleset's own words)"
            )
            raise Unreadable(
                tr(
                    "this ruleset has no words in the language “{code}”",
                    code=clean(code)[:MAX_NAME_LENGTH],
                ),
                tr("available languages: {known}", known=known),
            )
        return language

    def write_word(self, word: str) -> str:
        """Return the written form of a canonical word or row name, or the word itself if it has
        none."""
        return self.forms.get(word, word)

    def translate_word(self, word: str) -> str:
        """Return a canonical word or row name in the current language of messages.

        If there is no translation, return the game's own word.
        """
        language = self._current_language()
        form = None if language is None else language.forms.get(word)
        return self.write_word(word) if form is None else form

    def translate(self, text: str) -> str:
        """Return one of the ruleset's texts in the current language of messages.

        If the ruleset has no translation, the built-in translation is used.
        """
        language = self._current_language()
        translation = (
            None if language is None else language.sentences.get(text, language.forms.get(text))
        )
        return tr(text) if translation is None else translation

    def _current_language(self) -> Language | None:
        code = current_language()
        return None if code == ENGLISH else self.languages.get(code)

    @property
    def max_card_words(self) -> int:
        """The maximum number of words in a card's name."""
        if self._card_words is None:
            self._card_words = max((typed.count(" ") + 1 for typed in self.cards.known), default=1)
        return self._card_words

    @property
    def cards(self) -> FormTable[int]:
        """All forms of each card, in lower case."""
        if self._cards is None:
            self._cards = FormTable(self.languages, self.language, self._forms_of_cards)
        return self._cards

    def _forms_of_cards(self, language: Language) -> Iterator[tuple[str, int]]:
        pack = self.pack
        suited = {(pack.rank[kind], pack.suit[kind]): kind for kind in pack.suited}
        yield from ((typed, suited[card]) for typed, card in language.card_forms(suited))
        kinds = {code: kind for kind, code in enumerate(pack.kinds)}
        yield from ((code.lower(), kind) for code, kind in kinds.items() if not pack.suit[kind])
        called = self.meanings.items()
        yield from ((typed, kinds[meant]) for typed, meant in called if meant in kinds)

    @property
    def suit_letters(self) -> FormTable[str]:
        """All forms of each suit, in lower case."""
        if self._suits is None:
            self._suits = FormTable(self.languages, self.language, self._forms_of_suits)
        return self._suits

    def _forms_of_suits(self, language: Language) -> Iterator[tuple[str, str]]:
        for suit in self.suits:
            yield from ((typed, suit) for typed in language.suit_forms(suit))

    def list_reserved(self) -> list[str]:
        """Return the words that cannot be player names.

        They begin a table entry or mean all players.
        """
        return [typed for typed, word in self.meanings.items() if self._is_reserved(word)]

    def _is_reserved(self, word: str) -> bool:
        verb = self.entry_types.get(word)
        return word == "all" or (verb is not None and verb.is_table_entry)


# --- one language, and the meanings of a text in several


class Language:
    """The letters of one language with their meanings, and its written words (`forms`).

    `suit_words` maps names of single suits, in lower case, to suits. `sentences` translates the
    ruleset's texts.
    """

    __slots__ = ("forms", "ranks", "sentences", "suit_words", "suits")

    def __init__(
        self,
        ranks: dict[str, str],
        suits: dict[str, str],
        forms: Mapping[str, str],
        suit_words: Mapping[str, str] = NONE,
        sentences: Mapping[str, str] = NONE,
    ) -> None:
        self.ranks = ranks
        self.suits = suits
        self.forms = forms
        self.suit_words = suit_words
        self.sentences = sentences

    @classmethod
    def for_pack(cls, pack: Pack) -> Language:
        """Return the built-in letters for the cards of a pack, and the names of its suits."""
        ranks, suits = pack.ranks, pack.suits
        names = {SUIT_NAMES[suit]: suit for suit in suits if suit in SUIT_NAMES}
        own = [dict(zip(letters, letters, strict=True)) for letters in (ranks, suits)]
        return cls(own[0], own[1], {}, names)

    def card(self, rank: str, suit: str) -> str:
        """Return the written form of a card. A joker has only one form and no suit."""
        return self.rank(rank) + self.suit(suit) if suit else rank

    def suit(self, suit: str) -> str:
        """Return the written form of a suit."""
        return _first_form(self.suits, suit)

    def rank(self, rank: str) -> str:
        """Return the written form of a rank."""
        return _first_form(self.ranks, rank)

    def card_forms(self, cards: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, str]]]:
        """Return every way to type these cards, in lower case, each with its card (a rank and a
        suit)."""
        ranks: dict[str, list[str]] = {}
        suits: dict[str, list[str]] = {}
        symbols: dict[str, list[str]] = {}
        result: list[tuple[str, tuple[str, str]]] = []
        for card in cards:
            rank, suit = card
            if rank not in ranks:
                ten = TEN[1:] if rank == TEN[0] else ()
                forms = _all_forms(self.ranks, rank) or [rank]
                ranks[rank] = [form.lower() for form in (*forms, *ten)]
            if suit not in suits:
                suits[suit] = [form.lower() for form in _all_forms(self.suits, suit)]
                symbols[suit] = _all_forms(SUIT_SYMBOLS, suit)
            for form in ranks[rank]:
                result += [(form + other, card) for other in suits[suit]]
                for symbol in symbols[suit]:
                    result += [(form + symbol, card), (symbol + form, card)]
        return result

    def suit_forms(self, suit: str) -> Iterator[str]:
        """Yield each way to type a suit, in lower case."""
        yield from (
            letter.lower()
            for letter in (*_all_forms(self.suits, suit), *_all_forms(SUIT_SYMBOLS, suit))
        )
        yield from _all_forms(self.suit_words, suit)


class FormTable(Generic[Meant]):
    """The meanings of typed strings in the chosen language and in the built-in language.

    `known` maps strings to meanings. If no language was chosen, a string may be in any language.
    The other languages are read only when a string is unknown.
    """

    __slots__ = ("_ambiguous", "_forms", "_language", "_languages", "known")

    def __init__(
        self,
        languages: Mapping[str, Language],
        spoken: str,
        forms: Callable[[Language], Iterable[tuple[str, Meant]]],
    ) -> None:
        self._languages = languages
        self._language = spoken
        self._forms = forms
        self._ambiguous: dict[str, dict[Meant, list[str]]] | None = None
        self.known = dict(forms(languages[spoken]))
        if spoken != PROGRAM_LANGUAGE:
            self.known = {**dict(forms(languages[PROGRAM_LANGUAGE])), **self.known}

    @property
    def all(self) -> dict[str, Meant]:
        """All strings with exactly one meaning, mapped to that meaning."""
        if self._ambiguous is None:
            self._ambiguous = self._add_other_languages()
        return self.known

    @property
    def ambiguous(self) -> dict[str, dict[Meant, list[str]]]:
        """Strings with several meanings, mapped to each meaning and its languages."""
        if self._ambiguous is None:
            self._ambiguous = self._add_other_languages()
        return self._ambiguous

    def find(self, typed: str) -> Meant | None:
        """Return the meaning of a string, or None if it has none or several."""
        meaning = self.known.get(typed)
        return self.all.get(typed) if meaning is None else meaning

    def _add_other_languages(self) -> dict[str, dict[Meant, list[str]]]:
        """Add the meanings in other languages and return the ambiguous strings."""
        candidates: dict[str, dict[Meant, list[str]]] = {}
        for code, each in self._languages.items() if self._language == PROGRAM_LANGUAGE else ():
            for typed, meant in self._forms(each):
                if typed not in self.known:
                    codes = candidates.setdefault(typed, {}).setdefault(meant, [])
                    if code not in codes:
                        codes.append(code)
        self.known |= {
            typed: next(iter(meanings_of))
            for typed, meanings_of in candidates.items()
            if len(meanings_of) == 1
        }
        return {
            typed: meanings_of for typed, meanings_of in candidates.items() if len(meanings_of) > 1
        }


def ambiguity_error(typed: str, meanings: Mapping[str, Iterable[str]]) -> Unreadable:
    """Return the error for a string that means different things in different languages."""
    readings = tr(" and ").join(
        tr("{meant} in {codes}", meant=meant, codes=", ".join(codes))
        for meant, codes in meanings.items()
    )
    codes = tr(" or ").join(code for each in meanings.values() for code in each)
    return Unreadable(
        tr("“{typed}” means {readings}", typed=clean(typed)[:MAX_NAME_LENGTH], readings=readings),
        tr(
            "type {doubts}, or set the match's language ({codes}): describe --language CODE",
            doubts=tr(" or ").join(meanings),
            codes=codes,
        ),
    )


def make_letters(own: Iterable[str], renamed: Mapping[str, str]) -> dict[str, str]:
    """Return the meaning of each letter. A letter that is not in `renamed` means itself."""
    taken = {*renamed, *renamed.values()}
    return {**renamed, **{letter: letter for letter in own if letter not in taken}}


def _first_form(table: Mapping[str, str], meant: str) -> str:
    return next((typed for typed, means in table.items() if means == meant), meant)


def _all_forms(table: Mapping[str, str], meant: str) -> list[str]:
    return [typed for typed, means in table.items() if means == meant]


# --- player names


def check_names(names: Sequence[str], words: Iterable[str]) -> list[str]:
    """Return the players' names in their stored form.

    `words` are words of table entries, which cannot be player names. Raises Unreadable for an
    invalid name.
    """
    stored = list(map(normalize, names))
    # every version of the program reserves "all"
    reserved = {word.casefold() for word in words} | {"all"}
    for name in stored:
        _check_name(name, reserved)
    folded = [name.casefold() for name in stored]
    for index, name in enumerate(folded):
        if name in folded[:index]:
            raise Unreadable(
                tr("two players are called “{name}”", name=clean(stored[index])),
                tr("give the players different names"),
            )
    return stored


def _check_name(name: str, reserved: set[str]) -> None:
    shown = clean(name)[:MAX_NAME_LENGTH]
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        raise Unreadable(
            tr(
                "a name has 1 to {most} characters; “{name}” has {count}",
                most=MAX_NAME_LENGTH,
                name=shown,
                count=len(name),
            )
        )
    if not name.isprintable() or name != " ".join(name.split()):
        raise Unreadable(
            tr("the name “{name}” contains control characters or too many spaces", name=shown)
        )
    if any(char in FORBIDDEN_IN_NAMES for char in name):
        raise Unreadable(
            tr(
                "the name “{name}” contains one of the forbidden characters {signs}",
                name=shown,
                signs=" ".join(FORBIDDEN_IN_NAMES),
            )
        )
    folded = name.casefold()
    first = folded.split()[0]
    if folded in reserved or (first in reserved and " " in folded):
        raise Unreadable(
            tr(
                "“{name}” cannot be a name, because “{word}” is a reserved word",
                name=shown,
                word=first,
            )
        )
