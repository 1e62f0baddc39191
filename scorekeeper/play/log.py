"""What was written down in a round: its entries, each with what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.core.rulings import Finding
    from scorekeeper.notation import Entry


class Logged:
    """An entry of the round with its findings, which later entries may settle. `doubted`: it was
    taken back, and by the hands it cannot have been as it was said."""

    __slots__ = ("doubted", "entry", "findings")

    def __init__(self, entry: Entry, findings: list[Finding]) -> None:
        self.entry = entry
        self.findings = findings
        self.doubted = False

    def replace(self, old: Finding, new: Finding | None) -> None:
        """Put another finding in one's place, or take it out."""
        index = self.findings.index(old)
        self.findings[index : index + 1] = [new] if new is not None else []
