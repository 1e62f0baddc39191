"""The words and cards of a ruleset in all its languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import ENGLISH, language, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.languages import OWN, Language, Readings
from scorekeeper.notation.syntax import NAME_LENGTH, clean
from scorekeeper.notation.verbs import BID

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.core.cards import Pack
    from scorekeeper.notation.syntax import Value
    from scorekeeper.notation.verbs import Verb


class Act(NamedTuple):
    """What somebody did, and how it is written."""

    verb: Verb
    value: Value
    text: str


class Lexicon:
    """The words of a ruleset in all its languages: what may be typed, and what is written.

    `verbs` by the program's word; `forms` the word that is written for each of the program's words
    and row names; `meanings` the program's word for each word that may be typed (in lower case);
    `name_keys` the keys of a `result` whose values are players; `kinds` the cards as they are
    written; `off` the verbs that the ruleset turns off; `unplayed` words that end a round early and
    that the ruleset has not, each with the form of the result that does instead; `shorts` what may
    be typed instead of a whole entry. `acts` are those that have been read, by what was typed after
    the name: the same whoever plays.
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
        """The same for people whose letters are those of `language`, and who are written to in
        the words of `words` (else of `language`). Raises Unreadable for one that is not spoken."""
        letters, written = self.spoken(language), self.spoken(words or language)
        said = {**self.forms, **written.forms}
        other = Lexicon(self.verbs, said, self.meanings, self.pack, self.languages, self.off)
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
        """The language of that code. Raises Unreadable for one that these rules have not."""
        found = self.languages.get(code)
        if found is None:
            known = ", ".join(sorted(filter(None, self.languages))) or tr(
                "none besides its own words"
            )
            raise Unreadable(
                tr("“{code}” is no language of these rules", code=clean(code)[:NAME_LENGTH]),
                tr("languages: {known}", known=known),
            )
        return found

    def form(self, word: str) -> str:
        """The word that is written for one of the program's words or for a row; that word itself
        where the game has no other."""
        return self.forms.get(word, word)

    def told(self, word: str) -> str:
        """What is called so in the language that is spoken: one of the program's words, or a row;
        else what the game calls it."""
        spoken = self._spoken_now()
        found = None if spoken is None else spoken.forms.get(word)
        return self.form(word) if found is None else found

    def said(self, text: str) -> str:
        """A text of the ruleset in the language that is spoken; where the ruleset has no other, as
        the program says it."""
        spoken = self._spoken_now()
        found = None if spoken is None else spoken.sentences.get(text, spoken.forms.get(text))
        return tr(text) if found is None else found

    def _spoken_now(self) -> Language | None:
        code = language()
        return None if code == ENGLISH else self.languages.get(code)

    @property
    def card_words(self) -> int:
        """The most words that some card is written in."""
        if self._card_words is None:
            self._card_words = max((typed.count(" ") + 1 for typed in self.cards.known), default=1)
        return self._card_words

    @property
    def cards(self) -> Readings[int]:
        """Every way to write each card, in lower case."""
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
        """Every way to write each suit, in lower case."""
        if self._suits is None:
            self._suits = Readings(self.languages, self.language, self._forms_of_suits)
        return self._suits

    def _forms_of_suits(self, language: Language) -> Iterator[tuple[str, str]]:
        for suit in self.suits:
            yield from ((typed, suit) for typed in language.suit_forms(suit))

    def reserved(self) -> list[str]:
        """What no player may be called: the words that begin a table entry or stand for all."""
        return [typed for typed, word in self.meanings.items() if self._is_reserved(word)]

    def _is_reserved(self, word: str) -> bool:
        verb = self.verbs.get(word)
        return word == "all" or (verb is not None and verb.table)
