"""The entries of a round as the table has seen them: hands that were entered are only counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.notation import WITHDRAWN, decision_in

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from scorekeeper.notation import Notation

WAIVE = "waive"


def as_seen(
    notation: Notation,
    entries: Sequence[str],
    doubted: Callable[[], Container[int]],
    stuck: Callable[[Sequence[str]], int],
    start: int,
) -> list[str]:
    """The entries from one on as the table has seen them, each in its place. What was taken back
    and cannot have been so by a hand that was entered (`doubted`) is a note, as nothing came of
    it; so is it when somebody waived what only such a hand has proven: `stuck` gives the number
    of the entry at which a round gets stuck, 0 for none."""
    waive, note = f"{notation.say(WAIVE)} ", notation.say("note")
    waived = {at for at, text in enumerate(entries, 1) if text.startswith(waive)}
    first = 0 if waived else start
    is_withdrawn = any(decision_in(text) == WITHDRAWN for text in entries[first:])
    gone = doubted() if is_withdrawn else ()
    texts = [
        f"{note} it was taken back" if number in gone else notation.hide(text)
        for number, text in enumerate(entries[first:], first + 1)
    ]
    while waived:
        at = stuck(texts)
        if at not in waived:
            break
        waived.remove(at)
        texts[at - 1] = f"{note} nothing is claimed"
    return texts[start - first :]
