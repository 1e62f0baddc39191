"""The formats of a record: it is written in the first that can hold what it says, so that older
versions of the program read it as long as they can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.notation import Notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.plain import Plain
    from scorekeeper.notation import Lexicon

FORMATS = (1, 2)
# The keys that a record of the first format has not.
LATER = ("title", "note", "language", "identifier")


def format_of(
    told: Mapping[str, Plain],
    rounds: Iterable[Sequence[str]],
    players: Sequence[str],
    lexicon: Lexicon | None,
) -> int:
    """The format of a record that says this about its match, and in which the entries of the
    rounds are these; of rules that are not there, the words of a record's first format."""
    newest = FORMATS[any(key in told for key in LATER)]
    if lexicon is None:
        return newest
    later = {
        lexicon.form(word).split()[0] for word, verb in lexicon.verbs.items() if verb.since > newest
    }
    notation = Notation(lexicon, players)
    for texts in rounds:
        suspects = [text for text in texts if not later.isdisjoint(text.split())]
        for entry in notation.read_all(suspects):
            newest = max(newest, entry.verb.since)
    return newest
