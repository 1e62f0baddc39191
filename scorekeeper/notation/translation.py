"""Translate between the language of a match and canonical texts.

Entries are judged and stored with the program's own letters. Letters of the match's language are
read and written only here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.notation.entry import Entry
from scorekeeper.notation.languages import PROGRAM_LANGUAGE
from scorekeeper.notation.notation import Notation
from scorekeeper.notation.syntax import SUIT_SYMBOLS

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKENS = re.compile(r"\w+")
# Opening mark, entry, closing mark: “…”, „…“ or « … ».
_QUOTED = re.compile(r"([“„]|«\s?)([^“”„«»]*?)([”“]|\s?»)")


class Translator:
    """The translator of a match.

    `language` has the letters of cards. `words` is the language in which entries are offered, if it
    differs. `now` returns the notation of stored entries, which changes when players join or leave.
    `canonical_notation` is the first one.
    """

    __slots__ = (
        "_canonical_notation",
        "_current_notation",
        "_letters",
        "_spoken_notation",
        "_words",
        "language",
    )

    def __init__(
        self,
        plain: Notation,
        language: str = PROGRAM_LANGUAGE,
        words: str = PROGRAM_LANGUAGE,
        now: Callable[[], Notation] | None = None,
    ) -> None:
        self._current_notation = now
        self.language = language
        self._words = words
        self._letters: dict[str, str] | None = None
        self._canonical_notation = plain
        self._spoken_notation = self._make_spoken_notation()

    def _make_spoken_notation(self) -> Notation:
        plain = self._canonical_notation
        if not (self.language or self._words):
            return plain
        lexicon = plain.lexicon.for_language(self.language, self._words)
        return Notation(lexicon, plain.names, plain.away)

    def _update(self) -> None:
        """Switch to the notation of the current players."""
        now = (
            self._canonical_notation if self._current_notation is None else self._current_notation()
        )
        if now is not self._canonical_notation:
            self._canonical_notation, self._letters = now, None
            self._spoken_notation = self._make_spoken_notation()

    @property
    def canonical_notation(self) -> Notation:
        """The notation of stored entries."""
        self._update()
        return self._canonical_notation

    @property
    def spoken_notation(self) -> Notation:
        """The notation in the language of the match."""
        self._update()
        return self._spoken_notation

    def to_canonical(self, typed: str) -> str:
        """Return the canonical text of a typed entry. Raises Unreadable."""
        return (
            self._rewrite(self.spoken_notation.read(typed), self.canonical_notation)
            if self.language
            else typed
        )

    def to_spoken(self, text: str) -> str:
        """Return a stored entry as players type it, or unchanged if it cannot be read."""
        if self.spoken_notation is self.canonical_notation:
            return text
        try:
            return self._rewrite(self.canonical_notation.read(text), self.spoken_notation)
        except Unreadable:
            return text

    def echo(self, text: str) -> str:
        """Return a stored entry, with its text in the match's language if that differs."""
        translated = self.to_spoken(text) if self.language else text
        if translated == text:
            return text
        who, _, act = translated.partition(": ")
        return f"{text} ({act if act and text.startswith(f'{who}: ') else translated})"

    def _translate_hint(self, text: str) -> str:
        """Return a hint in which quoted entries are translated."""
        parts = _QUOTED.split(text)
        parts[2::4] = map(self.to_spoken, parts[2::4])
        return "".join(parts)

    def _translate_message(self, text: str) -> str:
        """Return a message in which quoted entries and letters of cards are translated."""
        parts = _QUOTED.split(text)
        entries = [(part, self.to_spoken(part)) for part in parts[2::4]]
        parts[::4] = map(self.translate_letters, parts[::4])
        parts[2::4] = [new if new != old else self.translate_letters(old) for old, new in entries]
        return "".join(parts)

    def translate_letters(self, text: str) -> str:
        """Return a sentence with cards, ranks and suits in the letters of the match's language.

        A word that is also a player's name stays.
        """
        if not self.language:
            return text
        letters = self._letters
        if letters is None:
            letters = self._letters = self._find_differing_letters()
        return _TOKENS.sub(lambda found: letters.get(found[0], found[0]), text)

    def translate_failure(self, failure: Failure) -> Failure:
        """Return a failure with the entries that it quotes as players type them.

        A text that could not be read stays as typed.
        """
        if not self.language:
            return failure
        if isinstance(failure, Unreadable):
            return Unreadable(failure.message, self._translate_hint(failure.hint))
        return Failure(
            self._translate_message(failure.message), self._translate_message(failure.hint)
        )

    def describe_letters(self) -> str:
        """Return the ranks and suits for people, such as `A K …, C ♣ …`, or "" without cards."""
        lexicon = self.spoken_notation.lexicon
        language = lexicon.languages[self.language]
        symbols = {suit: symbol for symbol, suit in reversed(SUIT_SYMBOLS.items())}
        ranks = dict.fromkeys(map(language.rank, lexicon.pack.ranks))
        suits = [f"{language.suit(suit)} {symbols[suit]}" for suit in lexicon.pack.suits]
        return f"{' '.join(ranks)}, {' '.join(suits)}" if suits else ""

    def _rewrite(self, entry: Entry, notation: Notation) -> str:
        return notation.write(Entry(entry.type, entry.seat, entry.value, entry.decision)).text

    def _find_differing_letters(self) -> dict[str, str]:
        lexicon = self.spoken_notation.lexicon
        language = lexicon.languages[self.language]
        result = dict(zip(lexicon.pack.kinds, lexicon.kinds, strict=True))
        result |= {rank: language.rank(rank) for rank in language.ranks.values()}
        result |= {suit: language.suit(suit) for suit in language.suits.values()}
        for word in " ".join(self.canonical_notation.names).split():
            result.pop(word, None)
        return result
