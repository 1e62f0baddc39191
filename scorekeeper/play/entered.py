"""The entries of a round as they are told: who did what, what the table decided, what was found.

They are read from the canonical texts and the round's summary. A store keeps them beside it, so
that nobody who asks it needs to read texts: as JSON, a list for each entry, without the fields at
its end that say nothing (`compact`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import Notation
from scorekeeper.play.summary import decision_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Plain, Summary


class Entered(NamedTuple):
    """An entry: its canonical text (as typed from one on that could not be read), the actor (`all`;
    None: the table), the program's word (None: it could not be read), the table's decision
    (`stands`, `withdrawn` or ""), the verdict by all that is known at the end of the round ("": it
    could not be read, and nothing was found) and the codes of what was found."""

    text: str
    who: str | None = None
    word: str | None = None
    decision: str = ""
    verdict: str = ""
    codes: tuple[str, ...] = ()


def entered(texts: Sequence[str], summary: Summary, notation: Notation) -> Iterator[Entered]:
    """The entries of a round; `notation` has the names of all who ever sat at the table."""
    found: dict[int, list[tuple[str, str]]] = {}
    for number, finding in summary["found"]:
        found.setdefault(number, []).append((finding["verdict"], finding["code"]))
    stuck = summary["stuck"] or len(texts) + 1
    for number, text in enumerate(texts, 1):
        verdicts = {verdict for verdict, _ in found.get(number, ())}
        codes = tuple(code for _, code in found.get(number, ()))
        verdict = next((word for word in (ILLEGAL, OPEN) if word in verdicts), "")
        if number >= stuck:
            yield Entered(text, verdict=verdict, codes=codes)
            continue
        entry = notation.read(text)
        who = None
        if entry.seat is not None:
            who = notation.names[entry.seat] if entry.seat >= 0 else "all"
        decision = "" if number in summary["ignored"] else decision_of(entry)
        yield Entered(text, who, entry.verb.word, decision, verdict or LEGAL, codes)


def spread(fields: list[str]) -> Entered:
    """An entry of what was kept of it (see `compact`)."""
    text, who, word, *said = fields
    decision, verdict, codes = said or ("", LEGAL, "")
    return Entered(text, who, word, decision, verdict, tuple(codes.split()))


def compact(row: Entered) -> list[Plain]:
    """An entry as it is kept: `text who word decision verdict codes`, the codes with blanks
    between; legal entries without a decision end with their word."""
    fields: list[Plain] = [*row[:5], " ".join(row.codes)]
    return fields[:3] if fields[3:] == ["", LEGAL, ""] else fields
