"""What is written short on a sheet, as people do on paper: words by the signs that the ruleset has
for them, long names by their beginning. What was, stands in the legend."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.reports import Cells

LONG = 8  # letters; longer names are written short in cells
LEAST = 3  # letters of a beginning
SAVED = 3  # what is not shorter by so many is written out
DOT = "."


class Signs:
    """The short forms of one sheet, and which of them stand on it."""

    __slots__ = ("_names", "_rules", "_used", "_words")

    def __init__(self, rules: Ruleset, names: Sequence[str]) -> None:
        self._rules = rules
        self._names = dict(_beginnings(names))
        self._used: set[str] = set()
        self._words = {cells.name: _forms(rules, cells.signs) for cells in rules.sheet.columns}

    def written(self, cells: Cells, text: str) -> str:
        """A cell of a column of the round, with what may be short in it."""
        return _replaced(self.short(text), self._words[cells.name], self._used)

    def short(self, text: str) -> str:
        """A text with the names in it that may be short."""
        return _replaced(text, self._names, self._used)

    def legend(self, columns: Sequence[Cells] = ()) -> list[tuple[str, str]]:
        """Each sign that was used, and all that these columns have, with what it means."""
        lexicon = self._rules.lexicon
        found: dict[str, str] = {}
        known = {*lexicon.meanings.values(), *lexicon.forms}
        for cells in self._rules.sheet.columns:
            for word, sign in cells.signs.items():
                if sign in self._used or (cells in columns and word in known):
                    found.setdefault(sign, self._rules.said(word))
        found |= {short: name for name, short in self._names.items() if short in self._used}
        return list(found.items())


def _forms(rules: Ruleset, signs: Mapping[str, str]) -> dict[str, str]:
    """The sign for each form of these words: a match may have been kept in any of its languages."""
    lexicon = rules.lexicon
    found: dict[str, str] = {}
    for word, sign in signs.items():
        spoken = (language.forms.get(word, word) for language in lexicon.languages.values())
        found |= dict.fromkeys((word, lexicon.form(word), rules.said(word), *spoken), sign)
    return found


def _replaced(text: str, short: Mapping[str, str], used: set[str]) -> str:
    if not text or not short:
        return text

    def sign(found: re.Match[str]) -> str:
        used.add(short[found[0]])
        return short[found[0]]

    longest = sorted(short, key=len, reverse=True)
    return re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", sign, text)


def _beginnings(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each long name with the shortest beginning that is nobody else's."""
    for name in names:
        others = [other.casefold() for other in names if other != name]
        for length in range(LEAST, len(name) - SAVED if len(name) > LONG else 0):
            begins = name[:length]
            if not _ends_there(name, length):
                continue
            if not any(other.startswith(begins.casefold()) for other in others):
                yield name, begins + DOT
                break


def _ends_there(name: str, at: int) -> bool:
    """Whether a letter ends before that place, and none that only looks so."""
    from unicodedata import category

    joined = category(name[at])[0] in "MC" or category(name[at - 1]) == "Cf"
    return name[at - 1].isalnum() and not joined
