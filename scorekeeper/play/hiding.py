"""The entries of a round as the table has seen them: hands that were entered are only counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from scorekeeper.notation import Notation

WAIVE = "waive"


def as_seen(
    notation: Notation,
    entries: Sequence[str],
    doubted: Container[int],
    stuck: Callable[[Sequence[str]], int],
) -> list[str]:
    """The entries as the table has seen them, each in its place. What was taken back and cannot
    have been so by a hand that was entered (`doubted`) is a note, as nothing came of it; so is it
    when somebody waived what only such a hand has proven: `stuck` gives the number of the entry
    at which a round gets stuck, 0 for none."""
    note = notation.say("note")
    texts = [
        f"{note} it was taken back" if number in doubted else notation.hide(text)
        for number, text in enumerate(entries, 1)
    ]
    waived = {at for at, text in enumerate(texts, 1) if text.startswith(f"{notation.say(WAIVE)} ")}
    while waived:
        at = stuck(texts)
        if at not in waived:
            break
        waived.remove(at)
        texts[at - 1] = f"{note} nothing is claimed"
    return texts
