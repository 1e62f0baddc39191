"""How the people of one match write players, cards, suits and words: what a syntax asks (see
`syntax.Spelling`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.languages import in_doubt
from scorekeeper.notation.syntax import NAME_LENGTH, clean, composed, seat_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.notation.lexicon import Lexicon


class Spelt:
    """The words and cards of a lexicon, and players' names."""

    __slots__ = ("_folded", "_seats", "away", "kinds", "lexicon", "names", "pack", "verbs")

    def __init__(self, lexicon: Lexicon, names: Sequence[str], away: Sequence[str] = ()) -> None:
        self.lexicon = lexicon
        self.names = list(names)
        self.away = tuple(away)
        self.pack = lexicon.pack
        self.kinds = lexicon.kinds
        self.verbs = lexicon.verbs
        self._seats = {name: seat for seat, name in enumerate(self.names)}
        self._folded = {name.casefold() for name in self.names}

    @property
    def suits(self) -> Sequence[str]:
        """The suits of the pack."""
        return self.lexicon.suits

    @property
    def known_cards(self) -> Mapping[str, int]:
        """The kind of card for what may be typed, in lower case, where that is in no doubt."""
        return self.lexicon.cards.known

    @property
    def meanings(self) -> Mapping[str, str]:
        """The program's word for each word that may be typed, in lower case."""
        return self.lexicon.meanings

    @property
    def name_keys(self) -> frozenset[str]:
        """The keys of a `result` whose values are players."""
        return self.lexicon.name_keys

    def card(self, token: str) -> int:
        """The kind of card that a token names; raises Unreadable."""
        forms, typed = self.lexicon.cards, _bare(token)
        kind = forms.find(typed)
        if kind is not None:
            return kind
        if typed in forms.doubts:
            codes = self.lexicon.pack.kinds
            raise in_doubt(token, {codes[kind]: said for kind, said in forms.doubts[typed].items()})
        if not self.kinds:
            raise Unreadable(tr("there are no cards in this game"))
        raise Unreadable(
            tr("“{typed}” is no card of this pack", typed=clean(token)[:NAME_LENGTH]),
            tr("a card is a rank and a suit, such as {card}", card=self.kinds[0]),
        )

    def suit(self, text: str) -> str:
        """The suit that a letter or a symbol names; raises Unreadable."""
        forms, typed = self.lexicon.suit_letters, _bare(text)
        suit = forms.find(typed)
        if suit is not None:
            return suit
        if typed in forms.doubts:
            raise in_doubt(text, forms.doubts[typed])
        suits = " ".join(map(self.say_suit, self.lexicon.suits))
        raise Unreadable(
            tr("“{text}” is no suit; suits are {suits}", text=clean(text), suits=suits)
        )

    def is_suit(self, text: str) -> bool:
        """Return whether a text is a suit, or may be several."""
        forms, typed = self.lexicon.suit_letters, _bare(text)
        return forms.find(typed) is not None or typed in forms.doubts

    def say_suit(self, suit: str) -> str:
        """The suit as it is written."""
        return self.lexicon.languages[self.lexicon.language].suit(suit)

    def tokens(self, text: str) -> list[str]:
        """The words of a text; those that together name a card (`Grand Roi`) are one."""
        tokens = text.split()
        for length in range(self.lexicon.card_words, 1, -1):
            for index in range(len(tokens) - length, -1, -1):
                joined = " ".join(tokens[index : index + length])
                if self.is_card(joined):
                    tokens[index : index + length] = [joined]
        return tokens

    def is_card(self, token: str) -> bool:
        """Whether a token names a card of the pack, or may name several."""
        forms, typed = self.lexicon.cards, _bare(token)
        return forms.find(typed) is not None or typed in forms.doubts

    def seat(self, text: str) -> int:
        """The seat of the player whose name this is or begins; raises Unreadable."""
        seat = self._seats.get(text)
        return seat_named(self.names, text, self.away) if seat is None else seat

    def _is_name(self, text: str) -> bool:
        """Whether a text is a player's whole name: before a colon it wins over every word, which
        may be younger than the match."""
        return composed(text.strip().casefold()) in self._folded

    def canonical(self, text: str) -> str:
        """The program's word, or row's name, that a typed word means ('' if none)."""
        return self.lexicon.meanings.get(" ".join(text.casefold().split()), "")

    def say(self, word: str) -> str:
        """The canonical word of the game for a word of the program."""
        return self.lexicon.forms.get(word, word)

    def opening(self, text: str) -> tuple[str, str]:
        """The longest known word that a text begins with, and the rest of it."""
        tokens = text.split()
        for length in range(min(4, len(tokens)), 0, -1):
            word = self.canonical(" ".join(tokens[:length]))
            if word:
                return word, " ".join(tokens[length:])
        return "", text


def _bare(token: str) -> str:
    """A token as forms are kept: in lower case, without the mark that makes a symbol an emoji."""
    return token.lower().replace("\ufe0f", "")
