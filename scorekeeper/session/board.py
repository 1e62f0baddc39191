"""One open match of a live session: entries, decisions, corrections, news.

Nothing is acknowledged here before the desk has stored it. A store that fails is said so once;
what was not stored is taken out of the match again, and the next entry tries anew.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import Illegal, Ruling
from scorekeeper.notation import decision_in
from scorekeeper.play.hidden import is_secret
from scorekeeper.session import judging, telling
from scorekeeper.session.amending import read_wanted
from scorekeeper.session.events import INDENT, KEPT, Pending
from scorekeeper.session.reporting import Reporting
from scorekeeper.store.history import taken_back
from scorekeeper.store.protocol import Unsettled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.play.amending import Account
    from scorekeeper.session.amending import Wanted
    from scorekeeper.store.desk import Desk


class Board(Reporting):
    """A match on the table. `log` is what happened here; `pending` what the table has to decide;
    `failed` the line that could not be taken at all, and why, until something else is done;
    `unstored` is why the last line was not stored whole, where the book is to blame; `doubt` what
    was done last, while it is not known whether it was stored.
    """

    def __init__(self, desk: Desk, language: str = "") -> None:
        super().__init__(desk, language)
        self.pending: Pending | None = None
        self.failed: tuple[str, str] | None = None
        self.unstored: Damaged | None = None
        self._astray = False
        self.doubt = ""
        self._trouble = ""
        self._retell()

    # --- entries

    def enter(self, line: str) -> str:
        """Record a line, entry by entry, up to the first that is refused or fails; gives what
        of the line was not recorded, to be put right."""
        self._settled()
        try:
            texts = judging.entries_of(self.match, line, self.speech)
        except Unreadable as failure:
            self._fail(line, failure.message)
            return line
        return self._take(texts)

    def decide(self, decision: str) -> str:
        """Record the pending entry with the table's decision, `stands` or `withdrawn`, and what
        was typed after it; gives what was not recorded."""
        pending = self._settled()
        if pending is None:
            return ""
        refused = self.speech.spoken(pending.entry)
        return self._take([f"{refused} !{decision}", *pending.rest])

    def correct(self) -> str:
        """Nothing of the pending entry is kept; gives the line to be put right."""
        pending = self._settled()
        return "" if pending is None else pending.line

    def _take(self, texts: Sequence[str]) -> str:
        self.unstored = None
        for index, text in enumerate(texts):
            rest = ", ".join(texts[index:])
            try:
                if self._recover():
                    self._say(judging.PLAIN, tr("nothing was entered: look at that first"))
                    return rest
                ruling = self._store(text)
            except Unsettled as failure:
                self.unstored = failure
                self._doubtful(text, failure)
                return ", ".join(texts[index + 1 :])
            except Damaged as failure:
                self.unstored = failure
                self._say(
                    judging.FAILED,
                    tr("NOT STORED, {entry}: {failure}", entry=text, failure=failure),
                )
                return rest
            except Failure as failure:
                told = self.speech.failure(self._failed(failure, text))
                self._refuse(judging.FAILED, self._about(text, told.message))
                self.failed = (rest, str(told))
                return rest
            if ruling.refused and not decision_in(ruling.entry):
                self.ruling = known = judging.as_seen(ruling, self.seen, self._hidden)
                self.pending = Pending(rest, known, list(texts[index + 1 :]), ruling.entry)
                self._refuse(judging.REFUSED, *telling.ruling_lines(known, self.speech))
                self.desk.store.mark(self.desk.id, self.desk.seen)
                return rest
        return ""

    def _about(self, text: str, why: str) -> str:
        """A line that was typed and why it cannot be, without what is in somebody's hand."""
        kept = text
        with suppress(Failure):
            kept = self.speech.canonical(text)
        if not is_secret(kept, self.match.known_notation):
            return f"{text}: {why}"
        seen = self._seen_text(kept)
        for told in (text, kept, self.speech.spoken(kept)):
            why = why.replace(told, seen)
        return why if why.startswith(seen) else f"{seen}: {why}"

    def _failed(self, failure: Failure, text: str) -> Failure:
        """What may be told of an entry that could not be."""
        try:
            canonical = self.speech.canonical(text)
        except Failure as unreadable:
            return unreadable
        return judging.failed_as_seen(failure, self.seen, canonical)

    def _store(self, text: str) -> Ruling:
        """Record one entry. Raises Unreadable, Impossible, and Damaged when it was not stored."""
        match = self.match
        last = match.rounds[-1] if match.rounds else None
        over, worth = (last.number, last.worth) if last and last.over else (0, "")
        with self._storing():
            recorded = self.desk.record([text], self.speech.canonical)
        if recorded.failure is not None:
            raise recorded.failure
        self._report(recorded.meanwhile)
        (ruling,) = recorded.rulings
        if not ruling.refused or decision_in(ruling.entry):
            self._acknowledge(over)
            for played in match.rounds:
                if played.number == over and (now := played.worth) != worth:
                    self._say(
                        judging.PLAIN,
                        tr(
                            "round {number}: {now}; it was: {worth}",
                            number=over,
                            now=now,
                            worth=worth,
                        ),
                    )
        return ruling

    def _acknowledge(self, over: int) -> None:
        played, seen = self.match.rounds[-1], self.seen
        self.ruling = ruling = self._view.ruling
        place = (played.number, len(played.entries))
        if ruling is not None:
            self._tell_ruling(ruling, place, judging.FINE)
            for fault in self.faults.ruled(ruling):
                self._tell_fault(fault)
        if seen.astray == place[1] and not seen.finished:
            self._say(judging.NOTED, INDENT + self.speech.told(seen.prompt), place=place)
        self._round_over(over)

    # --- corrections

    def undo(self) -> None:
        """Take back what was done last, an entry or an amendment; a refused one that waits is
        only dropped. Where somebody else did something meanwhile that is shown, and nothing is
        taken back."""
        if self.pending is not None:
            self.correct()
            return
        self._settled()
        try:
            if self._recover() or self._look():
                self._say(judging.PLAIN, tr("nothing was taken back: look at what came, then undo"))
                return
            with self._storing():
                done = self.desk.take_back()
        except Unsettled as failure:
            self._doubtful("undo", failure)
        except Failure as failure:
            self._refuse(judging.FAILED, tr("nothing was taken back: {failure}", failure=failure))
        else:
            self.ruling = None
            if done.row.kind == "entry":
                self.log.take_back((done.row.round, done.row.number))
            else:
                self._retell()
            self._say(
                judging.NOTED,
                tr("taken back: {entry}", entry=taken_back(done, self._seen_text)),
            )

    def amend(self, line: str) -> str:
        """Put an earlier entry right, as the line says; gives the line if nothing was saved:
        where it is refused, where something no longer stands, and where somebody else did
        something meanwhile, for then the numbers may be others."""
        self._settled()
        try:
            if self._recover() or self._look():
                self._say(judging.PLAIN, tr("nothing was amended: look at what came first"))
                return line
            wanted = read_wanted(self.match, line, self.speech)
            found = self._amend(wanted)
        except Illegal as refused:
            self.ruling = wanted.refused(self.desk, refused.ruling, self._hidden)
            self._say(
                judging.REFUSED,
                *telling.ruling_lines(self.ruling, self.speech),
                tr("nothing was amended"),
            )
            return line
        except Unsettled as failure:
            self._doubtful(line, failure)
            return ""
        except Failure as failure:
            self._fail(line, tr("nothing was amended: {failure}", failure=failure))
            return line
        self._tell_amended(found)
        return "" if found.saved else line

    def _tell_amended(self, found: Account) -> None:
        last = tr("nothing was amended; with --yes it is")
        if found.saved:
            self._retell()
            last = found.done(self._seen_text)
        seen = self._seen_text
        self._say(judging.NOTED, *found.lines(seen, self.speech.told, seen), last)

    def _amend(self, wanted: Wanted) -> Account:
        with self._storing():
            return wanted.done(self.desk, self.speech.language)

    def leave(self) -> None:
        """Nobody is at this table any longer: nothing waits for it."""
        if self.pending is not None:
            self.desk.store.mark(self.desk.id, None)

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
        changed = self.desk.described()
        if "language" in changed:
            self._listen()
            self._say(
                judging.NEWS,
                tr(
                    "the match's language: {language}",
                    language=self.desk.row.language or tr("none"),
                ),
            )
        for key, say in KEPT.items():
            if key in changed:
                self._say(judging.NEWS, tr(say, said=changed[key] or tr("none")))
        rows = self.desk.news()
        if any(row.kind not in ("entry", "undo") for row in rows):
            self._retell()  # entries have other texts now, and other numbers
        self._report(rows)
        return bool(rows)

    # --- the store

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """What stands is read again before anything else, if the store fails inside."""
        try:
            yield
        except Damaged:
            self._astray = True
            raise

    def _doubtful(self, what: str, failure: Unsettled) -> None:
        self.doubt = what
        self._say(
            judging.FAILED,
            tr("NOT KNOWN WHETHER STORED, {entry}: {failure}", entry=what, failure=failure),
        )

    def _recover(self) -> bool:
        """After a failure of the store, read again what stands in it before anything else; whether
        that told what came of a doubt. Raises Damaged while nothing can be read."""
        if not self._astray:
            return False
        doubt, outcome = self.doubt, self.desk.settle() if self.doubt else ""
        if outcome == "unknown":
            raise Damaged(tr("it is still not known whether this was stored: {doubt}", doubt=doubt))
        self.desk.load()
        self._astray, self.doubt = False, ""
        self.changes += 1
        if doubt:
            stored = outcome == "recorded"
            said = mark("stored after all: {entry}") if stored else mark("NOT stored: {entry}")
            self._say(judging.NEWS, tr(said, entry=doubt))
        if outcome == "recorded":
            self._retell()
        return bool(doubt)

    def _stumble(self, failure: Failure) -> None:
        if failure.message != self._trouble:
            self._trouble = failure.message
            self._say(judging.FAILED, str(failure))

    def _soothe(self) -> None:
        if self._trouble:
            self._trouble = ""
            self._say(judging.PLAIN, tr("the book can be used again"))

    # --- what is told when asked

    def rulings(self) -> list[str]:
        """What was found in the match, the last first, and what may be done about it."""
        from scorekeeper.session.rulings import table_lines

        self.news()
        try:
            return table_lines(self.desk, self.speech)
        except Failure as failure:
            return [str(failure)]

    def _settled(self) -> Pending | None:
        """Nothing waits any longer, and what was refused leaves the log; gives what waited."""
        pending, self.pending, self.failed = self.pending, None, None
        if pending is not None:
            self.desk.store.mark(self.desk.id, None)
        self.log.settle()
        self.changes += 1
        return pending

    def _fail(self, line: str, why: str) -> None:
        """The line could not be taken."""
        self._refuse(judging.FAILED, why)
        self.failed = (line, why)
