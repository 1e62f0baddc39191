"""Cards, suits and words in each language of a ruleset, and valid player names.

A card combines a rank and a suit of the same language. Letters that a language does not rename
are the program's. Suit symbols belong to every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import ENGLISH, language, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.entry import BID
from scorekeeper.notation.syntax import NAME_LENGTH, SUITS, clean, composed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.notation.entry import Verb
    from scorekeeper.notation.syntax import Value

Meant = TypeVar("Meant")
NONE: Mapping[str, str] = {}
OWN = ""  # the program's own language
TEN = ("T", "10")  # the digits are valid in every language
FORBIDDEN = ":;,/+=#!"
"""Characters that no player's name may contain."""


class Act(NamedTuple):
    """A parsed act: its type, its value and its canonical text."""

    verb: Verb
    value: Value
    text: str


class Lexicon:
    """The words of a ruleset in all its languages, for reading and writing.

    `entry_types` maps the program's words to types. `forms` is the written word for each word of
    the program and each row name. `meanings` is the program's word for each typed word, in lower
    case. `name_keys` are the keys of a `result` whose values are players. `kinds` are the cards
    as written. `disabled` are the words that the ruleset turns off. `early_ends` are words that
    would end a round early but are not in the ruleset, each with the form of the result to enter
    instead. `shorthand` are the types that replace a whole entry. `acts` caches parsed acts by
    the text after the name, since they are the same for all players.
    """

    __slots__ = (
        *("_card_words", "_cards", "_suits", "acts", "forms", "kinds", "language", "languages"),
        *("implicit", "meanings", "name_keys", "off", "pack", "shorts", "suits", "unplayed"),
        "verbs",
    )

    def __init__(
        self,
        verbs: Mapping[str, Verb],
        said: Mapping[str, str],
        meant: dict[str, str],
        pack: Pack,
        languages: Mapping[str, Language],
        off: frozenset[str] = frozenset(),
    ) -> None:
        self.verbs = verbs
        self.forms = said
        self.meanings = meant
        self.pack = pack
        self.off = off
        self.languages = {**languages, OWN: Language.own(pack)}
        self.language = OWN
        self.kinds = pack.kinds
        self.suits = sorted(pack.suits)
        self.name_keys: frozenset[str] = frozenset()
        self.shorts: tuple[Verb, ...] = ()
        self.unplayed: Mapping[str, str] = {}
        implicit = [verb for verb in verbs.values() if verb.implicit]
        self.implicit = tuple(sorted(implicit, key=lambda verb: verb.about == BID))
        self._cards: Readings[int] | None = None
        self._suits: Readings[str] | None = None
        self._card_words: int | None = None
        self.acts: dict[str, Act] = {}

    def speaking(self, language: str, words: str = OWN) -> Lexicon:
        """Return the lexicon for players who use the letters of `language` and read `words`.

        Without `words`, entries are written in `language`. Raises Unreadable for an unknown
        language.
        """
        letters, written = self.spoken(language), self.spoken(words or language)
        forms = {**self.forms, **written.forms}
        other = Lexicon(self.verbs, forms, self.meanings, self.pack, self.languages, self.off)
        other.language, other.name_keys = language, self.name_keys
        other.shorts, other.unplayed = self.shorts, self.unplayed
        other.kinds = tuple(
            map(
                letters.forms.get,
                self.pack.kinds,
                map(letters.card, self.pack.rank, self.pack.suit),
            )
        )
        return other

    def spoken(self, code: str) -> Language:
        """Return the language of a code. Raises Unreadable if these rules do not have it."""
        language = self.languages.get(code)
        if language is None:
            known = ", ".join(sorted(filter(None, self.languages))) or tr(
                "none besides the ruleset's own words"
            )
            raise Unreadable(
                tr("these rules have no language “{code}”", code=clean(code)[:NAME_LENGTH]),
                tr("languages: {known}", known=known),
            )
        return language

    def form(self, word: str) -> str:
        """Return the written word for a word of the program or a row, or that word itself."""
        return self.forms.get(word, word)

    def told(self, word: str) -> str:
        """Return the word for a word of the program or a row in the current language of messages.

        Without a translation, it is the game's own word.
        """
        language = self._spoken_now()
        form = None if language is None else language.forms.get(word)
        return self.form(word) if form is None else form

    def said(self, text: str) -> str:
        """Return a text of the ruleset in the current language of messages.

        Without a translation in the ruleset, the program's own is used.
        """
        language = self._spoken_now()
        translation = (
            None if language is None else language.sentences.get(text, language.forms.get(text))
        )
        return tr(text) if translation is None else translation

    def _spoken_now(self) -> Language | None:
        code = language()
        return None if code == ENGLISH else self.languages.get(code)

    @property
    def card_words(self) -> int:
        """The largest number of words in the name of a card."""
        if self._card_words is None:
            self._card_words = max((typed.count(" ") + 1 for typed in self.cards.known), default=1)
        return self._card_words

    @property
    def cards(self) -> Readings[int]:
        """All forms of each card, in lower case."""
        if self._cards is None:
            self._cards = Readings(self.languages, self.language, self._forms_of_cards)
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
    def suit_letters(self) -> Readings[str]:
        """All forms of each suit, in lower case."""
        if self._suits is None:
            self._suits = Readings(self.languages, self.language, self._forms_of_suits)
        return self._suits

    def _forms_of_suits(self, language: Language) -> Iterator[tuple[str, str]]:
        for suit in self.suits:
            yield from ((typed, suit) for typed in language.suit_forms(suit))

    def reserved(self) -> list[str]:
        """Return the words that cannot be player names.

        They begin a table entry or mean all players.
        """
        return [typed for typed, word in self.meanings.items() if self._is_reserved(word)]

    def _is_reserved(self, word: str) -> bool:
        verb = self.verbs.get(word)
        return word == "all" or (verb is not None and verb.table)


# --- one language, and the meanings of a text in several


class Language:
    """The letters of one language, from typed to meant, and the words that it writes (`forms`).

    `suit_words` maps the names of single suits, in lower case, to suits. `sentences` translates
    texts of the ruleset.
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
        """Return the program's own letters for the cards of a pack."""
        ranks, suits = pack.ranks, pack.suits
        return cls(dict(zip(ranks, ranks, strict=True)), dict(zip(suits, suits, strict=True)), {})

    def card(self, rank: str, suit: str) -> str:
        """Return the written form of a card. A joker has no suit, and one form."""
        return self.rank(rank) + self.suit(suit) if suit else rank

    def suit(self, suit: str) -> str:
        """Return the written form of a suit."""
        return _first(self.suits, suit)

    def rank(self, rank: str) -> str:
        """Return the written form of a rank."""
        return _first(self.ranks, rank)

    def card_forms(self, cards: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, str]]]:
        """Return each way to type one of these cards, in lower case, with the card (rank, suit)."""
        ranks: dict[str, list[str]] = {}
        suits: dict[str, list[str]] = {}
        symbols: dict[str, list[str]] = {}
        result: list[tuple[str, tuple[str, str]]] = []
        for card in cards:
            rank, suit = card
            if rank not in ranks:
                ten = TEN[1:] if rank == TEN[0] else ()
                ranks[rank] = [form.lower() for form in (*_all(self.ranks, rank), *ten)]
            if suit not in suits:
                suits[suit] = [form.lower() for form in _all(self.suits, suit)]
                symbols[suit] = _all(SUITS, suit)
            for form in ranks[rank]:
                result += [(form + other, card) for other in suits[suit]]
                for symbol in symbols[suit]:
                    result += [(form + symbol, card), (symbol + form, card)]
        return result

    def suit_forms(self, suit: str) -> Iterator[str]:
        """Yield each way to type a suit, in lower case."""
        yield from (letter.lower() for letter in (*_all(self.suits, suit), *_all(SUITS, suit)))
        yield from _all(self.called, suit)


class Readings(Generic[Meant]):
    """The meanings of texts in the chosen language, or else in the program's own.

    They are in `known`. If no language was chosen, any language may be meant. The others are
    read only when a text is unknown.
    """

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
        """All texts with one meaning, and that meaning."""
        if self._doubts is None:
            self._doubts = self._guessed()
        return self.known

    @property
    def doubts(self) -> dict[str, dict[Meant, list[str]]]:
        """Texts with several meanings, and the languages of each meaning."""
        if self._doubts is None:
            self._doubts = self._guessed()
        return self._doubts

    def find(self, typed: str) -> Meant | None:
        """Return the meaning of a text, or None if it has none or several."""
        meaning = self.known.get(typed)
        return self.all.get(typed) if meaning is None else meaning

    def _guessed(self) -> dict[str, dict[Meant, list[str]]]:
        """Add the meanings in other languages, and return the ambiguous texts."""
        candidates: dict[str, dict[Meant, list[str]]] = {}
        for code, each in self._languages.items() if self._spoken == OWN else ():
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


def in_doubt(typed: str, doubts: Mapping[str, Iterable[str]]) -> Unreadable:
    """Return the error for a text that languages read in several ways."""
    readings = tr(" and ").join(
        tr("{meant} in {codes}", meant=meant, codes=", ".join(codes))
        for meant, codes in doubts.items()
    )
    codes = tr(" or ").join(code for each in doubts.values() for code in each)
    return Unreadable(
        tr("“{typed}” is {readings}", typed=clean(typed)[:NAME_LENGTH], readings=readings),
        tr(
            "type {doubts}, or set the match's language ({codes}): describe --language CODE",
            doubts=tr(" or ").join(doubts),
            codes=codes,
        ),
    )


def letters(own: Iterable[str], renamed: Mapping[str, str]) -> dict[str, str]:
    """Return the meaning of each letter: `renamed` ones, and the others, which mean themselves."""
    unchanged = {letter: letter for letter in own if letter not in renamed.values()}
    return {**renamed, **unchanged}


def _first(table: Mapping[str, str], meant: str) -> str:
    return next((typed for typed, means in table.items() if means == meant), meant)


def _all(table: Mapping[str, str], meant: str) -> list[str]:
    return [typed for typed, means in table.items() if means == meant]


# --- player names


def check_names(names: Sequence[str], words: Iterable[str]) -> list[str]:
    """Return the players' names in their stored form.

    `words` are table words, which no player's name may be. Raises Unreadable for an invalid name.
    """
    stored = list(map(composed, names))
    reserved = {word.casefold() for word in words} | {"all"}  # every version reserves "all"
    for name in stored:
        _check_name(name, reserved)
    folded = [name.casefold() for name in stored]
    for index, name in enumerate(folded):
        if name in folded[:index]:
            raise Unreadable(
                tr("two players are called “{name}”", name=clean(stored[index])),
                tr("give them different names"),
            )
    return stored


def _check_name(name: str, taken: set[str]) -> None:
    shown = clean(name)[:NAME_LENGTH]
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Unreadable(
            tr(
                "a name has 1 to {most} characters; “{name}” has {count}",
                most=NAME_LENGTH,
                name=shown,
                count=len(name),
            )
        )
    if not name.isprintable() or name != " ".join(name.split()):
        raise Unreadable(
            tr("the name “{name}” contains control characters or too many blanks", name=shown)
        )
    if any(char in FORBIDDEN for char in name):
        raise Unreadable(
            tr(
                "the name “{name}” contains one of {signs}",
                name=shown,
                signs=" ".join(FORBIDDEN),
            )
        )
    folded = name.casefold()
    first = folded.split()[0]
    if folded in taken or (first in taken and " " in folded):
        raise Unreadable(
            tr(
                "“{name}” cannot be a name, because “{word}” is a reserved word",
                name=shown,
                word=first,
            )
        )
