"""One thing that happened, and what the table has decided about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.notation.syntax import Value
    from scorekeeper.notation.verbs import Verb

EVERYONE = -1
"""The seat of an act that is said for everybody who may do it now."""
STANDS, WITHDRAWN = DECISIONS = ("stands", "withdrawn")
IGNORED = "ignored"
"""An illegal entry that nobody decided, and that the state does not allow."""


class Entry:
    """One thing that happened. `seat` is whose act it is (None: not said, or of the table),
    `value` what the verb's syntax read, `decision` the table's word on an illegal entry (or
    `IGNORED`)."""

    __slots__ = ("decision", "seat", "text", "value", "verb")

    def __init__(
        self, verb: Verb, seat: int | None, value: Value, decision: str = "", text: str = ""
    ) -> None:
        self.verb = verb
        self.seat = seat
        self.value = value
        self.decision = decision
        self.text = text

    @property
    def word(self) -> str:
        """The program's word for what happened."""
        return self.verb.word

    @property
    def counts(self) -> bool:
        """Whether it changed anything: it was not taken back, and the state allowed it."""
        return self.decision not in (WITHDRAWN, IGNORED)

    @property
    def withdrawn(self) -> bool:
        """Whether it was taken back at the table."""
        return self.decision == WITHDRAWN

    def by(self, seat: int) -> Entry:
        """The same act with its actor named; the text has to be written anew."""
        return Entry(self.verb, seat, self.value, self.decision)

    def __repr__(self) -> str:
        return f"<{self.text or self.verb.word}>"


def split_decision(text: str) -> tuple[str, str]:
    """An entry without the table's decision at its end, and that decision ("" for none)."""
    for decision in DECISIONS:
        if text.endswith(f" !{decision}"):
            return text[: -len(decision) - 2].rstrip(), decision
    return text, ""


def decision_in(text: str) -> str:
    """The table's decision at the end of an entry: `stands`, `withdrawn`, or "" for none."""
    return split_decision(text)[1]
