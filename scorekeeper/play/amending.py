"""What an amendment comes to: whether it may be, what no longer stands after it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.core.suggest import shown
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.notation import decision_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.plain import Json
    from scorekeeper.core.rulings import Ruling
    from scorekeeper.play.match import Match
    from scorekeeper.play.played import Played


class Change(NamedTuple):
    """An amendment: `texts` in the place of an entry (none: it is taken out), or `before` it."""

    round: int
    entry: int
    texts: tuple[str, ...]
    before: bool = False

    @property
    def kind(self) -> str:
        """The kind of its row in the log."""
        if self.before:
            return "insert"
        if not self.texts:
            return "remove"
        return "amend" if len(self.texts) == 1 else "replace"

    @property
    def said(self) -> str:
        """What it does, in a word or two."""
        return {"insert": "put in", "remove": "taken out"}.get(self.kind, "amended")

    def origin(self, entry: int) -> int:
        """Which entry of its round it was before; 0 for one that the amendment puts in."""
        if entry < self.entry:
            return entry
        if entry < self.entry + len(self.texts):
            return 0
        return entry - len(self.texts) + (not self.before)


class Broken(NamedTuple):
    """An entry that no longer stands after an amendment: where it is and why, by which rule.
    `counts`: it is taken as it is until it is put right, for the state allows it."""

    round: int
    number: int
    entry: str
    reason: str
    code: str
    counts: bool


class Rescored(NamedTuple):
    """A round whose score changed: what it was and what it is (None: it has none)."""

    round: int
    was: dict[str, int] | None
    now: dict[str, int] | None


class Account(NamedTuple):
    """What an amendment comes to.

    `rulings` are those on what it puts in, `removed` what it takes out; `stands` counts the
    later entries that stand, `mended` those that stand again, `fallen` those that do not as before;
    `reopened` are rounds that are over
    no longer, each with the number of what is missing there (0: it goes on); `gone`: its round had
    no other entry; `over`: whether the match was over, and is.
    """

    change: Change
    rulings: list[Ruling]
    removed: list[str]
    broken: list[Broken]
    stands: int
    mended: int
    fallen: int
    rescored: list[Rescored]
    reopened: dict[int, int]
    gone: bool
    over: tuple[bool, bool]
    saved: bool = False

    @property
    def breaks(self) -> bool:
        """Whether anything no longer stands: an entry, or a round that others followed."""
        return bool(self.broken or any(self.reopened.values()))

    def as_json(self) -> Json:
        """The account as plain values."""
        scores = [{"round": row.round, "from": row.was, "to": row.now} for row in self.rescored]
        return {
            "saved": self.saved,
            "rulings": [ruling.as_json() for ruling in self.rulings],
            "removed": self.removed,
            "broken": [broken._asdict() for broken in self.broken],
            "stands": self.stands,
            "mended": self.mended,
            "fallen": self.fallen,
            "scores": scores,
            "reopened": list(self.reopened),
            "over": self.over[1],
        }

    def done(self, show: Callable[[str], str] = str) -> str:
        """What the amendment did, in a line, each entry as `show` has it."""
        texts = [ruling.entry for ruling in self.rulings] or self.removed
        at = f"{self.change.round}.{self.change.entry}"
        return f"{self.change.said}: {at} {'; '.join(map(show, texts))}"

    def lines(
        self,
        show: Callable[[str], str] = str,
        tell: Callable[[str], str] = str,
        typed: Callable[[str], str] = str,
    ) -> list[str]:
        """What comes of it, in words, each entry as `show` has it, each reason as `tell` has it
        and what is to be typed as `typed` has it: a line for each reason, not for each entry."""
        kinds = dict.fromkeys((each.code, each.counts) for each in self.broken)
        lines = [
            line
            for kind in kinds
            for line in _fallen(
                [b for b in self.broken if kind == (b.code, b.counts)], show, tell, typed
            )
        ]
        if self.stands:
            lines.append(f"{_counted(self.stands)} that came after it")
        elif self.broken:
            lines.append("no entry after it stands")
        if self.mended:
            lines.append(f"{_counted(self.mended)} again that did not")
        if self.fallen:
            does = "does" if self.fallen == 1 else "do"
            lines.append(f"{_entries(self.fallen)} that did not stand before still {does} not")
        for number, following in self.reopened.items():
            missing = f"; what is missing goes in with: amend {number}.{following} --before ENTRY"
            lines.append(f"round {number} is over no longer{missing if following else ''}")
        if self.gone:
            lines.append(f"round {self.change.round} had no other entry and is gone")
        lines += [
            f"round {row.round}: {_scores(row.now)}; it was: {_scores(row.was)}"
            for row in self.rescored
        ]
        if self.over == (True, False):
            lines.append("the match is over no longer")
        return lines


def _fallen(
    alike: list[Broken],
    show: Callable[[str], str],
    tell: Callable[[str], str],
    typed: Callable[[str], str],
) -> list[str]:
    """Entries that no longer stand for one reason, as two or three lines."""
    first, more = alike[0], len(alike) - 1
    at = f"{first.round}.{first.number}"
    lines = [f"no longer stands: {at} {show(first.entry)}: {tell(first.reason)}"]
    if more:
        last = f"{alike[-1].round}.{alike[-1].number}"
        more_entries = _entries(more, "more ")
        lines.append(f"  ...and {more_entries} for the same reason, the last is {last}")
    if first.counts:
        decide = decision_at(at, typed(first.entry))
        lines.append(f"  {'they count as they are' if more else 'it counts as it is'} until "
                     f"decided: {decide}")  # fmt: skip
    else:
        lines.append("  none of them counts" if more else "  it does not count")
    return lines


def decision_at(at: int | str, entry: str) -> str:
    """What to type to decide about an entry; a shell leaves `!` alone in single quotes."""
    return f"amend {at} {shlex.quote(entry + ' !stands')} (or !withdrawn)"


def _counted(number: int) -> str:
    return f"{_entries(number)} {'stands' if number == 1 else 'stand'}"


def _entries(number: int, more: str = "") -> str:
    return f"{number} {more}{'entry' if number == 1 else 'entries'}"


def _scores(scores: dict[str, int] | None) -> str:
    if scores is None:
        return "no score"
    return ", ".join(f"{name} {points:+}" for name, points in scores.items())


def read_place(match: Match, at: str) -> tuple[int, int]:
    """The round and the entry that `2.5`, or `5` of the last round, mean. Raises Unreadable."""
    parts = at.split(".")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise Unreadable(
            f"“{shown(at, 40)}” is no entry's number", "amend 2.5 ENTRY, or amend 5 ENTRY"
        )
    live = match.rounds[-1].number if match.rounds else 1
    numbers = [int(part[:9]) for part in parts]
    return (live, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])


def retyped(match: Match, change: Change) -> list[Ruling]:
    """The rulings on what an amendment puts in, as if it had been recorded then. Raises Illegal,
    Unreadable, Impossible as recording does."""
    played = match.rounds[match.place_of(*change[:2], change.before)]
    trial = match.beside(played.before, played.number)
    if change.entry > 1:
        trial.play_round(played.entries[: change.entry - 1])
    rulings = []
    for text in change.texts:
        rulings.append(trial.record(text))
        if len(trial.rounds) > 1:
            raise Impossible(
                f"“{rulings[-1].entry}”: round {played.number} is over already",
                "what begins another round cannot be put in here",
            )
    return rulings


def account(before: Match, after: Match, change: Change, rulings: list[Ruling]) -> Account:
    """Compare a match with the same after an amendment."""
    index = before.place_of(change.round, change.entry, change.before)
    rounds, taken = list(before.rounds), before.rounds[index]
    rescored = []
    gone = len(after.rounds) < len(rounds)
    if gone:
        del rounds[index]
        if taken.scores is not None:
            rescored.append(Rescored(change.round, taken.scores, None))
    pairs = list(zip(rounds, after.rounds, strict=True))
    rescored += [Rescored(b.number, a.scores, b.scores) for a, b in pairs if a.scores != b.scores]
    broken: list[Broken] = []
    stands = mended = fallen = 0
    for place, (old, new) in enumerate(pairs):
        own = change if place == index and not gone else None
        found, again = _compared(old, new, own)
        broken += found
        mended += again
        fallen += len(_troubles(new)) - len(found)
        first = change.entry + len(change.texts) if own else 1
        if place >= index:
            stands += len(new.entries) - first + 1 - sum(n >= first for n in _troubles(new))
    return Account(
        change,
        rulings,
        [] if change.before else [taken.entries[change.entry - 1]],
        broken,
        stands,
        mended,
        fallen,
        rescored,
        {
            new.number: 0 if new is after.rounds[-1] else len(new.entries) + 1
            for old, new in pairs
            if old.over and not new.over
        },
        gone,
        (before.over, after.over),
    )


def _compared(old: Played, new: Played, change: Change | None) -> tuple[list[Broken], int]:
    """What no longer stands in a round, and how many entries do again; `change` is the amendment
    if it is in this round."""
    known, troubles = _troubles(old), _troubles(new)
    broken: list[Broken] = []
    mended = 0
    for number in range(1, len(new.entries) + 1):
        origin = number if change is None else change.origin(number)
        was, now = known.get(origin), troubles.get(number)
        if now is None:
            mended += was is not None
        elif was is None or (was.code, was.counts) != (now.code, now.counts):
            broken.append(now)
    return broken, mended


def _troubles(played: Played) -> dict[int, Broken]:
    """The entries of a round that do not stand, by number, each with the first reason why."""
    found: dict[int, Broken] = {}
    for number, finding in played.findings:
        text, counts = played.entries[number - 1], played.counts(number)
        if finding.refuses and not (counts and decision_in(text)):
            broken = Broken(played.number, number, text, finding.reason, finding.code, counts)
            found.setdefault(number, broken)
    if played.stuck:
        first = found[played.stuck]
        why = f"nothing counts after {played.number}.{played.stuck}"
        for number, text in enumerate(played.entries[played.stuck :], played.stuck + 1):
            found[number] = first._replace(number=number, entry=text, reason=why)
    return found
