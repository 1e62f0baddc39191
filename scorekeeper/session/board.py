"""One open match of a live session: entries, decisions, corrections, news. Floor 8.

Nothing is acknowledged here before the desk has stored it. A store that fails is said so once;
what was not stored is taken out of the match again, and the next entry tries anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.failures import Damaged, Failure, Unreadable
from scorekeeper.rulings import Ruling
from scorekeeper.session import judging, telling
from scorekeeper.session.completing import Completer, Completion
from scorekeeper.session.form import Form
from scorekeeper.session.judging import Hint, decided, failure_text
from scorekeeper.session.seen import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.book import LogRow
    from scorekeeper.desk import Desk
    from scorekeeper.match import Match
    from scorekeeper.session.telling import Screen

MOST_EVENTS = 500
STANDS, WITHDRAWN = "stands", "withdrawn"


class Event(NamedTuple):
    """A line of what happened; kinds are those of `judging`."""

    kind: str
    text: str


class Pending(NamedTuple):
    """A refused entry that waits for the table: the line as it was typed from there on, the
    ruling, the entries after it."""

    line: str
    ruling: Ruling
    rest: list[str]


class Board:
    """A match on the table. `events` is what happened here, the newest last; `ruling` the last
    one given; `pending` what the table has to decide; `changes` counts what changed the screen,
    `happened` the events there ever were (only the last ones are kept); `unstored` is why the last
    line was not stored whole, where the book is to blame.
    """

    def __init__(self, desk: Desk, language: str = "") -> None:
        self.desk = desk
        self.events: list[Event] = []
        self.ruling: Ruling | None = None
        self.pending: Pending | None = None
        self.unstored: Damaged | None = None
        self.changes = 0
        self.happened = 0
        self._view = View(desk.match)
        self._completer = Completer(desk.ruleset, desk.match.players, language)
        self._astray = False
        self._trouble = ""
        self._hinted: tuple[tuple[int, str], Hint] | None = None
        self._shown: tuple[int, Screen] | None = None
        self._retell()

    # --- what stands

    @property
    def match(self) -> Match:
        """The match from its live round on, as it was recorded."""
        return self.desk.match

    @property
    def seen(self) -> Match:
        """The same as the table has seen it."""
        return self._view.of(self.match)

    @property
    def asked(self) -> Match:
        """As the table has seen it, with the round that the next act belongs to."""
        return self._view.asked(self.match)

    @property
    def label(self) -> str:
        """Which match that is."""
        return f"match {self.desk.id}: {self.desk.ruleset.title}"

    def screen(self) -> Screen:
        """The table as it stands, by what has been seen."""
        if self._shown is None or self._shown[0] != self.changes:
            self._shown = (self.changes, telling.screen(self.match, self.seen, self.asked))
        return self._shown[1]

    # --- while typing

    def complete(self, line: str) -> list[Completion]:
        """What may stand at the end of the line."""
        return self._completer.complete(self.asked, line)

    def hint(self, line: str) -> Hint:
        """What would become of the line; nothing is recorded."""
        key = (self.changes, line)
        if self._hinted is None or self._hinted[0] != key:
            self._hinted = (key, self._hint(line))
        return self._hinted[1]

    def _hint(self, line: str) -> Hint:
        try:
            texts = self.match.notation.split(line)
        except Unreadable as failure:
            return Hint(judging.FAILED, failure_text(failure))
        if not texts:
            return Hint(judging.PLAIN, "")
        begun = [] if line[-1:] in ",;" else self._completer.begins(self.asked, line)
        hint = judging.hint_on(self.match, self.asked, texts, begun)
        word = "" if begun or hint.kind != judging.FAILED else self._completer.word(line)
        if word:
            return Hint(judging.WARNED, f"{word}: not now; {self.screen().turn}")
        return hint

    # --- entries

    def enter(self, line: str) -> str:
        """Record a line, entry by entry, up to the first that is refused or fails; gives what
        of the line was not recorded, to be put right."""
        self.pending = None
        try:
            texts = self.match.notation.split(line)
        except Unreadable as failure:
            self._say(judging.FAILED, failure.message)
            return line
        return self._take(texts)

    def decide(self, decision: str) -> str:
        """Record the pending entry with the table's decision, `stands` or `withdrawn`, and what
        was typed after it; gives what was not recorded."""
        pending, self.pending = self.pending, None
        if pending is None:
            return ""
        return self._take([f"{pending.ruling.entry} !{decision}", *pending.rest])

    def correct(self) -> str:
        """Nothing of the pending entry is kept; gives the line to be put right."""
        pending, self.pending = self.pending, None
        self.changes += 1
        return "" if pending is None else pending.line

    def _take(self, texts: Sequence[str]) -> str:
        self.unstored = None
        for index, text in enumerate(texts):
            rest = ", ".join(texts[index:])
            try:
                self._recover()
                ruling = self._store(text)
            except Damaged as failure:
                self.unstored = failure
                self._say(judging.FAILED, f"NOT STORED, {text}: {failure_text(failure)}")
                return rest
            except Failure as failure:
                self._say(judging.FAILED, f"{text}: {failure.message}")
                return rest
            if ruling.refused and not decided(ruling.entry):
                self.ruling = ruling
                self.pending = Pending(rest, ruling, list(texts[index + 1 :]))
                self._say(judging.REFUSED, *telling.ruling_lines(ruling))
                return rest
        return ""

    def _store(self, text: str) -> Ruling:
        """Record one entry. Raises Unreadable, Impossible, and Damaged when it was not stored."""
        match = self.match
        over = match.rounds[-1].number if match.rounds and match.rounds[-1].over else 0
        try:
            recorded = self.desk.record([text])
        except Damaged:
            self._astray = True
            raise
        self._report(recorded.meanwhile)
        (ruling,) = recorded.rulings
        if not ruling.refused or decided(ruling.entry):
            self._acknowledge(ruling, over)
        return ruling

    def _acknowledge(self, ruling: Ruling, over: int) -> None:
        self.ruling = ruling
        self._tell_ruling(ruling, len(self.match.rounds[-1].entries), judging.FINE)
        self._round_over(over)

    def _round_over(self, over: int) -> None:
        played = self.match.rounds[-1]
        if played.over and played.number != over:
            self._say(judging.PLAIN, f"round {played.number} is over: {telling.worth(played)}")
            if self.match.over:
                self._say(judging.PLAIN, telling.turn(self.match, self.match))

    # --- corrections

    def undo(self) -> None:
        """Take the last entry back; a refused one that waits is only dropped. Where somebody
        else entered something meanwhile that is shown, and nothing is taken back."""
        if self.pending is not None:
            self.correct()
            return
        try:
            self._recover()
            if self._look():
                self._say(judging.PLAIN, "nothing was taken back: look at what came, then undo")
                return
            text = self._take_back()
        except Failure as failure:
            self._say(judging.FAILED, f"nothing was taken back: {failure_text(failure)}")
        else:
            self.ruling = None
            self._say(judging.NOTED, f"taken back: {self.match.notation.hide(text)}")

    def _take_back(self) -> str:
        try:
            return self.desk.undo()
        except Damaged:
            self._astray = True
            raise

    # --- others at the same match

    def news(self) -> bool:
        """Look for what others recorded, and tell; whether anything is to be seen."""
        before = self.changes
        try:
            self._recover()
            self._look()
        except Failure as failure:
            self._stumble(failure)
        else:
            self._soothe()
        return self.changes != before

    def _look(self) -> bool:
        rows = self.desk.news()
        self._report(rows)
        return bool(rows)

    def _report(self, rows: Iterable[LogRow]) -> None:
        words = {"entry": "entered", "undo": "took back", "amend": "amended"}
        for row in rows:
            seen = self.match.notation.hide(row.text)
            self._say(judging.NEWS, f"{row.recorder} {words[row.kind]}: {seen}")

    # --- the store

    def _recover(self) -> None:
        """After a failure of the store, read again what stands in it before anything else."""
        if self._astray:
            self.desk.load()
            self._astray = False
            self.changes += 1

    def _stumble(self, failure: Failure) -> None:
        if failure.message != self._trouble:
            self._trouble = failure.message
            self._say(judging.FAILED, failure_text(failure))

    def _soothe(self) -> None:
        if self._trouble:
            self._trouble = ""
            self._say(judging.PLAIN, "the book can be used again")

    # --- what is told when asked

    def last(self) -> list[str]:
        """The last trick, bout or bids."""
        return telling.last_lines(self.match)

    def score(self) -> list[str]:
        """The sheet so far."""
        try:
            return telling.score_lines(self.desk)
        except Failure as failure:
            return [failure_text(failure)]

    def explain(self) -> list[str]:
        """The last ruling, with the rule's own paragraph."""
        return telling.explained(self.match, self.ruling)

    def form(self) -> Form:
        """A form for the round's result. Raises Impossible where there is none."""
        return Form(self.match)

    def _retell(self) -> None:
        """What stands in the live round, for somebody who comes to the table now."""
        if not self.match.rounds:
            return
        played = self.match.rounds[-1]
        for number, text in enumerate(played.entries, 1):
            findings = [finding for at, finding in played.findings if at == number]
            self.ruling = Ruling(text, tuple(findings))
            self._tell_ruling(self.ruling, number, judging.PLAIN)

    def _tell_ruling(self, ruling: Ruling, number: int, kind: str) -> None:
        word = "" if ruling.verdict == "legal" else f"  [{ruling.verdict}]"
        self._say(kind, f"{number:>3} {self.match.notation.hide(ruling.entry)}{word}")
        for finding in ruling.findings:
            self._say(judging.kind_of(finding), f"      {judging.said(finding)}")

    def _say(self, kind: str, *lines: str) -> None:
        self.events += [Event(kind, line) for line in lines]
        self.happened += len(lines)
        del self.events[:-MOST_EVENTS]
        self.changes += 1
