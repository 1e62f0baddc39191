"""What stands, by a log: the one meaning of its rows.

A row is one operation. Its round and number say where, counted as things stood then:

    entry     an entry at the end of the last round, or of a new one
    undo      takes the last entry back
    amend     puts an entry in the place of that one
    replace   puts several there, one a line of its text
    insert    puts one or several in before it
    remove    takes it out; its text is what was taken out
    restore   takes the last amendment back, whole; its text is the amendment's

A round without entries is gone, and the later ones move up. Who takes something back means the
last operation that stands. Only the first version took back the last entry although an amendment
came after it; such a log keeps that meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scorekeeper.store.protocol import LogRow

_SAID = {
    "entry": "{entries}",
    "undo": mark("taken back: {entries}"),
    "amend": mark("amended to: {entries}"),
    "replace": mark("replaced by: {entries}"),
    "insert": mark("put in before it: {entries}"),
    "remove": mark("taken out: {entries}"),
    "restore": mark("amendment taken back: {entries}"),
}


class Done(NamedTuple):
    """An operation that stands, and what an amendment found in its place; `alone`: it took the
    only entry of its round out."""

    row: LogRow
    was: list[str]
    alone: bool = False


class History:
    """What stands after some rows of a log. `rounds` are the entries of the rounds from `first`
    on, `done` the operations that nobody took back, those on earlier rounds too. Raises Damaged
    for a row that cannot follow the others."""

    def __init__(self, rows: Iterable[LogRow], first: int = 1) -> None:
        self.first = first
        self.rounds: list[list[str]] = []
        self.done: list[Done] = []
        for row in rows:
            self.add(row)

    def copy(self) -> History:
        """The same, to go another way."""
        other = History((), self.first)
        other.rounds = [list(texts) for texts in self.rounds]
        other.done = list(self.done)
        return other

    def add(self, row: LogRow) -> None:
        """Let the next row happen."""
        index = row.round - self.first
        try:
            if row.kind == "entry":
                self._enter(row, index)
            elif row.kind == "undo":
                self._take_back(row)
            elif row.kind == "restore":
                self._restore(row, index)
            else:
                self._amend(row, index)
        except (IndexError, ValueError):
            at = f"{row.round}.{row.number}"
            raise Damaged(
                tr(
                    "the log is damaged at position {position}: {kind} of {at}, "
                    "which was not there",
                    position=row.position,
                    kind=row.kind,
                    at=at,
                ),
                tr("put back a copy of the book"),
            ) from None

    def _enter(self, row: LogRow, index: int) -> None:
        if index == len(self.rounds):
            self.rounds.append([])
        self.rounds[index].append(row.text)
        self.done.append(Done(row, []))

    def _take_back(self, row: LogRow) -> None:
        """The last entry goes, and any amendment of it; others that came after it stay."""
        last = self.rounds[-1]
        at = (self.first + len(self.rounds) - 1, len(last))
        last.pop()
        if not last:
            self.rounds.pop()
        index = max(n for n, done in enumerate(self.done) if done.row.kind == "entry")
        kept = [done for done in self.done[index + 1 :] if (done.row.round, done.row.number) != at]
        self.done[index:] = kept

    def _amend(self, row: LogRow, index: int) -> None:
        was: list[str] = []
        if index >= 0:
            texts = self.rounds[index]
            start, count = row.number - 1, row.kind != "insert"
            if not 0 <= start <= len(texts) - count:
                raise IndexError
            was = texts[start : start + count]
            texts[start : start + count] = put_in(row)
            if not texts:
                del self.rounds[index]
        alone = index >= 0 and not texts
        self.done.append(Done(row, was, alone))

    def _restore(self, row: LogRow, index: int) -> None:
        last = self.done.pop()
        if (last.row.round, last.row.number) != (row.round, row.number):
            raise IndexError
        if last.alone:
            self.rounds.insert(index, last.was)
        elif index >= 0:
            start = row.number - 1
            self.rounds[index][start : start + len(put_in(last.row))] = last.was


def stands(rows: Iterable[LogRow], first: int = 1) -> list[list[str]]:
    """The entries that stand, round by round, by a log; rounds before `first` are left out."""
    return History(rows, first).rounds


def put_in(row: LogRow) -> list[str]:
    """The entries that an amendment puts in."""
    return [] if row.kind == "remove" else row.text.split("\n")


def numbered(rows: Iterable[LogRow]) -> dict[int, list[str]]:
    """Where the entries of each row stand now, as `2.5`, by the row's position."""
    marked = [
        row._replace(text="\n".join(str(row.position) for _ in row.text.split("\n")))
        for row in rows
    ]
    found: dict[int, list[str]] = {}
    for number, marks in enumerate(stands(marked), 1):
        for entry, position in enumerate(marks, 1):
            found.setdefault(int(position), []).append(f"{number}.{entry}")
    return found


def said(row: LogRow, show: Callable[[str], str] = str) -> str:
    """An operation in words, each entry as `show` has it."""
    return tr(_SAID[row.kind], entries="; ".join(map(show, row.text.split("\n"))))


def told(row: LogRow, show: Callable[[str], str] = str) -> str:
    """Who did what, for those who did not."""
    if row.kind in ("entry", "undo"):
        say = (
            mark("{who} entered: {entry}")
            if row.kind == "entry"
            else mark("{who} took back: {entry}")
        )
        return tr(say, who=recorded_by(row), entry=show(row.text))
    return f"{recorded_by(row)}: {row.round}.{row.number} {said(row, show)}"


def recorded_by(row: LogRow) -> str:
    """The name of whoever recorded a row, without the process they did it in."""
    return row.recorder.rpartition("@")[0] or row.recorder


def taken_back(done: Done, show: Callable[[str], str] = str) -> str:
    """What an undo took back: an entry, or an amendment and what stands there again."""
    if done.row.kind == "entry":
        return show(done.row.text)
    text = f"{done.row.round}.{done.row.number} {said(done.row, show)}"
    return (
        tr("{done} (again: {entries})", done=text, entries="; ".join(map(show, done.was)))
        if done.was
        else text
    )
