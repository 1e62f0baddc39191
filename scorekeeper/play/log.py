"""What was written down in a round: its entries, each with what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.core.rulings import Finding
    from scorekeeper.notation import Entry


class Logged:
    """An entry of the round with its findings. It changes only while its entry is happening; what
    later entries settle is another one (see `but`), for copies of a round share them.
    `doubted`: it was taken back, and by the hands it cannot have been as it was said."""

    __slots__ = ("doubted", "entry", "findings")

    def __init__(self, entry: Entry, findings: list[Finding]) -> None:
        self.entry = entry
        self.findings = findings
        self.doubted = False

    def but(self, old: Finding, new: Finding | None) -> Logged:
        """The same with another finding in one's place, or without it."""
        index = self.findings.index(old)
        put = [new] if new is not None else []
        other = Logged(self.entry, [*self.findings[:index], *put, *self.findings[index + 1 :]])
        other.doubted = self.doubted
        return other
