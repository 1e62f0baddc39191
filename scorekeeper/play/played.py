"""What is kept of a round of a match: its entries, and what they came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, number_of, tr
from scorekeeper.core.text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.rulings import Finding, Line
    from scorekeeper.core.sides import Parties
    from scorekeeper.core.types import Standing
    from scorekeeper.play.round import Round
    from scorekeeper.play.scoring import Score
    from scorekeeper.ruleset.decisions import Window
    from scorekeeper.ruleset.joint import Role


class Played:
    """A round of a match: its entries, and what they were worth.

    `before` is the standing that it was opened with, `names` are those who sat there in it.
    `entries` are canonical texts (as typed where they could not be read); `findings` pairs of an
    entry's number, from 1, and a finding on it; `changes` by seat, None without a score; `roles`
    and `parties`, as the round had them, say whom its lines may be for; `mistaken`: the rules
    could not say something of it. Entry `stuck` (0: none) could not be: neither it nor what
    follows counts. `ignored` are the numbers of illegal entries that the state did not allow: each
    is kept, and changes nothing. `windows` are those that were told in it; `waits` are those of
    whom it must be known whose side they are on, before a penalty has a figure. `void`: why it
    counts for nothing, as far as somebody has said it; None where it counts.
    """

    __slots__ = (
        *("before", "changes", "entries", "findings", "ignored", "lines", "mistaken", "names"),
        *("number", "over", "parties", "roles", "stuck", "void", "waits", "windows"),
    )

    def __init__(self, number: int, before: Standing, names: list[str]) -> None:
        self.number = number
        self.before = before
        self.names = names
        self.entries: list[str] = []
        self.findings: list[tuple[int, Finding]] = []
        self.lines: list[Line] = []
        self.roles: dict[str, Role] = {}
        self.parties: Parties | None = None
        self.changes: list[int] | None = None
        self.over = self.mistaken = False
        self.stuck = 0
        self.void: str | None = None
        self.ignored: list[int] = []
        self.windows: tuple[Window, ...] = ()
        self.waits: list[str] = []

    def counts(self, entry: int) -> bool:
        """Whether that entry, counted from 1, does anything but stand in the list."""
        return not (0 < self.stuck <= entry or entry in self.ignored)

    @property
    def unscored(self) -> str:
        """Why a round that is over has no score."""
        return why_unscored(self.mistaken, self.waits)

    @property
    def scores(self) -> dict[str, int] | None:
        """The change of each player's tally, or None for a round without a score."""
        return None if self.changes is None else dict(zip(self.names, self.changes, strict=True))

    @property
    def worth(self) -> str:
        """What the round came to, in one line: the changes of the tallies, or why there are none,
        and that it counts for nothing."""
        if self.scores is None:
            if not self.over:
                return tr("no score yet")
            said = tr("no score: {reason}", reason=self.unscored)
        else:
            said = ", ".join(f"{name} {points:+}" for name, points in self.scores.items())
        if self.void is None:
            return said
        void = tr("void: {reason}", reason=self.void) if self.void else tr("void")
        return f"{said}; {void}"

    def bring(self, rnd: Round, score: Score | None) -> None:
        """Take over what the round has come to with its last entry; `score` is its score."""
        self.mistaken, self.over, self.names = bool(rnd.mistakes), rnd.over, rnd.names
        self.lines, self.changes = score if score is not None else (list(rnd.lines), None)
        self.roles, self.parties = rnd.roles, rnd.parties
        self.void = thrown_in(rnd) if rnd.void else None
        self.windows = tuple(rnd.decisions.windows)
        self.waits = rnd.names_of(dict.fromkeys(each.seat for each in rnd.decisions.due))

    def __repr__(self) -> str:
        parts = [
            number_of(len(self.entries), "entry", "entries"),
            "over" if self.over else "goes on",
        ]
        if self.entries:
            parts.append(f"last: {shown(self.entries[-1])}")
        if self.scores is not None:
            parts.append(", ".join(f"{name} {points:+}" for name, points in self.scores.items()))
        elif self.over:
            parts.append("no score")
        if self.stuck:
            parts.append(f"nothing counts from entry {self.stuck} on")
        return f"<Played round {self.number}: {'; '.join(parts)}>"


def why_unscored(mistaken: bool, waits: Sequence[str] = ()) -> str:
    """Why a round that is over has no score: the rules, the cards, or a penalty that waits until it
    is known whose side these are on."""
    if waits and not mistaken:
        return tr(
            "a penalty waits until it is known whose side {names} is on; type {form}",
            names=listed(waits),
            form="holds NAME: CARD",
        )
    return tr("the ruleset has a mistake") if mistaken else tr("it would need what was not seen")


def thrown_in(rnd: Round) -> str:
    """What the table has said of why a round is void; "" where it has said nothing."""
    said = [each.value for each in rnd.log.entries if each.counts and each.verb.word == "void"]
    return str(said[-1] or "") if said else ""
