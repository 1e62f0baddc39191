"""What was written down in a round: its entries, and what was found with some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.rulings import OPEN
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.notation import Entry


class Logged(NamedTuple):
    """An entry of a round with its findings. `doubted`: it was taken back, and by the hands it
    cannot have been as it was said."""

    entry: Entry
    findings: Sequence[Finding]
    doubted: bool


class Log:
    """The entries of a round in order; as a sequence, each with its findings.

    Most are as they should be, so what was `found` is kept apart, by the number of the entry from
    1, in order; and so are the numbers of `doubted` ones. A list of findings changes only while
    its entry is happening: copies of a log share them. `settled` are pairs of numbers: an entry of
    which something was open, and the later one that settled it, in the order of these. `wrong` is
    what refuses among what was found, in the order in which it was: the number of the entry that
    showed it, of the entry that it is on, and the finding.
    """

    __slots__ = ("doubted", "entries", "found", "settled", "wrong")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.found: dict[int, list[Finding]] = {}
        self.doubted: set[int] = set()
        self.settled: list[tuple[int, int]] = []
        self.wrong: list[tuple[int, int, Finding]] = []

    def copy(self) -> Log:
        """The same log, to go on apart from this one."""
        other = Log()
        other.entries, other.found = self.entries[:], self.found.copy()
        other.doubted, other.settled = self.doubted.copy(), self.settled[:]
        other.wrong = self.wrong[:]
        return other

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: int) -> Logged:
        number = (index if index >= 0 else len(self.entries) + index) + 1
        return Logged(self.entries[index], self.found.get(number, ()), number in self.doubted)

    def __iter__(self) -> Iterator[Logged]:
        return map(self.__getitem__, range(len(self.entries)))

    def add(self, entry: Entry, findings: list[Finding]) -> None:
        """Write down what happens, with what the rules say of it."""
        self.entries.append(entry)
        number = len(self.entries)
        self.found[number] = findings
        if findings:
            self._note_wrong(number, findings)

    def blame(self, findings: list[Finding]) -> None:
        """Something more is found with the entry that is happening."""
        number = len(self.entries)
        self.found.setdefault(number, []).extend(findings)
        self._note_wrong(number, findings)

    def blame_earlier(self, number: int, finding: Finding) -> None:
        """Something more is found with an entry that something was found with before."""
        self.found[number] = [*self.found[number], finding]
        self._note_wrong(number, [finding])

    def _note_wrong(self, number: int, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.refuses:
                self.wrong.append((len(self.entries), number, finding))

    def doubt(self) -> None:
        """The last entry cannot have been as it was said."""
        self.doubted.add(len(self.entries))

    def settle(self, number: int, old: Finding, new: Finding | None) -> None:
        """Another finding stands in one's place, or none."""
        if old.claim is not None and number != len(self.entries):  # else the act was never open
            self.settled.append((number, len(self.entries)))
        self.found[number] = [
            each
            for finding in self.found[number]
            for each in ((new,) if finding is old else (finding,))
            if each is not None
        ]
        if new is not None:
            self._note_wrong(number, [new])

    @property
    def found_last(self) -> Sequence[Finding]:
        """What was found with the last entry, by all that it shows itself."""
        return self.found.get(len(self.entries), ())

    @property
    def was_open(self) -> bool:
        """Whether something was open once, or is."""
        return bool(self.settled) or any(found.verdict == OPEN for _, found in self.all_found())

    def all_found(self) -> Iterator[tuple[int, Finding]]:
        """All findings, each with the number of its entry."""
        for number, findings in self.found.items():
            for finding in findings:
                yield number, finding
