"""Playing the examples of a clause word, so that what is shown of it is what the referee says."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.types import NamedTuple
from scorekeeper.play.match import Match
from scorekeeper.ruleset.examples import KINDS, examples_of
from scorekeeper.ruleset.loading import load_ruleset
from scorekeeper.ruleset.sources import shipped_folder

if TYPE_CHECKING:
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json
    from scorekeeper.ruleset.examples import Case
    from scorekeeper.ruleset.vocabulary import ClauseWord


class Asked(NamedTuple):
    """An entry that a word was asked about: its kind (`KINDS`), and what the word found."""

    kind: str
    entry: str
    finding: Finding | None


class Example:
    """A situation of a clause word that was played: the match after the entries before, and every
    entry that was judged there.

    Raises a Failure where the entries before cannot be entered, or one of the others not judged.
    """

    __slots__ = ("asked", "case", "match")

    def __init__(self, word: ClauseWord, case: Case) -> None:
        # By its path: a ruleset of the user's own that has the same name is another one.
        path = shipped_folder() / f"{case.ruleset}.toml"
        self.case = case
        self.match = Match(load_ruleset(str(path), **case.options), case.players)
        for text in case.before:
            self.match.record(text)
        self.asked = [
            Asked(kind, text, self._found(word, text))
            for kind in KINDS
            for text in case.entries[kind]
        ]

    def _found(self, word: ClauseWord, text: str) -> Finding | None:
        """What a row of that word says of an entry now."""
        rows = self.match.ruleset.clauses.values()
        codes = {row.code for row in rows if row.word is word}
        findings = self.match.judge(text).findings
        return next((finding for finding in findings if finding.code in codes), None)

    @property
    def codes(self) -> set[str]:
        """The codes of the rows that have found something."""
        return {asked.finding.code for asked in self.asked if asked.finding is not None}

    def as_json(self) -> Json:
        """The example as plain JSON values."""
        return {
            "ruleset": self.case.ruleset,
            "set": self.case.options,
            "players": self.case.players,
            "before": self.case.before,
            "entries": [
                {
                    "entry": asked.entry,
                    "kind": asked.kind,
                    "code": asked.finding.code if asked.finding else "",
                    "reason": asked.finding.reason if asked.finding else "",
                }
                for asked in self.asked
            ],
        }


def played(word: ClauseWord, code: str = "") -> list[Example]:
    """The examples of a clause word, played; where some are about the row of that code, only
    these. What cannot be played is left out: a shipped ruleset may extend one that the user's own
    rulesets hide."""
    found: list[Example] = []
    for case in examples_of(word.phase).get(word.name, []):
        with suppress(Failure):
            found.append(Example(word, case))
    return [each for each in found if code in each.codes] or found
