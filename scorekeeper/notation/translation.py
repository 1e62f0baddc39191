"""Translate between the language of a match and canonical texts.

Entries are judged and stored with the program's own letters. Letters of the match's language are
read and written only here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.notation.entry import Entry
from scorekeeper.notation.languages import OWN
from scorekeeper.notation.notation import Notation
from scorekeeper.notation.syntax import SUITS

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKENS = re.compile(r"\w+")
# Opening mark, entry, closing mark: “…”, „…“ or « … ».
_QUOTED = re.compile(r"([“„]|«\s?)([^“”„«»]*?)([”“]|\s?»)")


class Speech:
    """The translator of a match.

    `language` has the letters of cards. `words` is the language in which entries are offered, if it
    differs. `now` returns the notation of stored entries, which changes when players join or leave.
    `plain` is the first one.
    """

    __slots__ = ("_letters", "_now", "_own", "_plain", "_words", "language")

    def __init__(
        self,
        plain: Notation,
        language: str = OWN,
        words: str = OWN,
        now: Callable[[], Notation] | None = None,
    ) -> None:
        self._now = now
        self.language = language
        self._words = words
        self._letters: dict[str, str] | None = None
        self._plain = plain
        self._own = self._spoken()

    def _spoken(self) -> Notation:
        plain = self._plain
        if not (self.language or self._words):
            return plain
        lexicon = plain.lexicon.speaking(self.language, self._words)
        return Notation(lexicon, plain.names, plain.away)

    def _follow(self) -> None:
        """Switch to the notation of the current players."""
        now = self._plain if self._now is None else self._now()
        if now is not self._plain:
            self._plain, self._letters = now, None
            self._own = self._spoken()

    @property
    def plain(self) -> Notation:
        """The notation of stored entries."""
        self._follow()
        return self._plain

    @property
    def own(self) -> Notation:
        """The notation in the language of the match."""
        self._follow()
        return self._own

    def canonical(self, typed: str) -> str:
        """Return the canonical text of a typed entry. Raises Unreadable."""
        return self._written(self.own.read(typed), self.plain) if self.language else typed

    def spoken(self, kept: str) -> str:
        """Return a stored entry as players type it, or unchanged if it cannot be read."""
        if self.own is self.plain:
            return kept
        try:
            return self._written(self.plain.read(kept), self.own)
        except Unreadable:
            return kept

    def echo(self, kept: str) -> str:
        """Return a stored entry, with its text in the match's language if that differs."""
        translated = self.spoken(kept) if self.language else kept
        if translated == kept:
            return kept
        who, _, act = translated.partition(": ")
        return f"{kept} ({act if act and kept.startswith(f'{who}: ') else translated})"

    def _hint(self, text: str) -> str:
        """Return a hint in which quoted entries are translated."""
        parts = _QUOTED.split(text)
        parts[2::4] = map(self.spoken, parts[2::4])
        return "".join(parts)

    def _said(self, text: str) -> str:
        """Return a message in which quoted entries and letters of cards are translated."""
        parts = _QUOTED.split(text)
        entries = [(part, self.spoken(part)) for part in parts[2::4]]
        parts[::4] = map(self.told, parts[::4])
        parts[2::4] = [new if new != old else self.told(old) for old, new in entries]
        return "".join(parts)

    def told(self, text: str) -> str:
        """Return a sentence with cards, ranks and suits in the letters of the match's language.

        A word that is also a player's name stays.
        """
        if not self.language:
            return text
        letters = self._letters
        if letters is None:
            letters = self._letters = self._differing()
        return _TOKENS.sub(lambda found: letters.get(found[0], found[0]), text)

    def failure(self, failure: Failure) -> Failure:
        """Return a failure with the entries that it quotes as players type them.

        A text that could not be read stays as typed.
        """
        if not self.language:
            return failure
        if isinstance(failure, Unreadable):
            return Unreadable(failure.message, self._hint(failure.hint))
        return Failure(self._said(failure.message), self._said(failure.hint))

    def letters(self) -> str:
        """Return the ranks and suits for people, such as `A K …, C ♣ …`, or "" without cards."""
        lexicon = self.own.lexicon
        language = lexicon.languages[self.language]
        symbols = {suit: symbol for symbol, suit in reversed(SUITS.items())}
        ranks = dict.fromkeys(map(language.rank, lexicon.pack.ranks))
        suits = [f"{language.suit(suit)} {symbols[suit]}" for suit in lexicon.pack.suits]
        return f"{' '.join(ranks)}, {' '.join(suits)}" if suits else ""

    def _written(self, entry: Entry, notation: Notation) -> str:
        return notation.finish(Entry(entry.verb, entry.seat, entry.value, entry.decision)).text

    def _differing(self) -> dict[str, str]:
        lexicon = self.own.lexicon
        language = lexicon.languages[self.language]
        result = dict(zip(lexicon.pack.kinds, lexicon.kinds, strict=True))
        result |= {rank: language.rank(rank) for rank in language.ranks.values()}
        result |= {suit: language.suit(suit) for suit in language.suits.values()}
        for word in " ".join(self.plain.names).split():
            result.pop(word, None)
        return result
