"""The live table: a `Session` of open matches, each a `LiveMatch` that takes typed lines.

Every entry is stored before it is acknowledged. Failures appear in the events of the match and are
never raised. A failure of the store is reported once. What was not stored is removed from the
match, and the next entry tries again.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import Illegal, Ruling
from scorekeeper.match.public import hidden, is_secret
from scorekeeper.match.status import told_at_end
from scorekeeper.notation import STANDS, WITHDRAWN, decision_in
from scorekeeper.session import hints, screen
from scorekeeper.session.amendments import WORD, read_wanted
from scorekeeper.session.completion import (
    Completer,
    Completion,
    game_lines,
    other_forms,
    other_words,
    shortest_result,
)
from scorekeeper.session.forms import Form
from scorekeeper.session.hints import Hint, command_of
from scorekeeper.session.public_round import (
    INDENT,
    KEPT,
    NO_PLACE,
    Event,
    EventLog,
    LivePublicRound,
    Pending,
    place_text,
)
from scorekeeper.session.rulings import NARROW, Faults, claim_words, table_lines
from scorekeeper.store.recorder import taken_back, told
from scorekeeper.store.rows import Unsettled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.engine.replay import Played
    from scorekeeper.engine.round import Round
    from scorekeeper.match.amend import Account
    from scorekeeper.match.match import Match
    from scorekeeper.session.screen import TableScreen
    from scorekeeper.store.recorder import Desk
    from scorekeeper.store.rows import LogRow

# The answers of the table to a refused entry.
CORRECT = "correct"
DECIDING = {STANDS: mark("stands"), WITHDRAWN: mark("withdrawn"), CORRECT: mark("correct")}

MOST_EXAMPLES = 4
FAULTS = len(INDENT) + 2  # columns before the actions on a fault


class Session:
    """The open matches, one of them in front. `on_turn` is called when another one is brought to
    the front.

    Raises ValueError without a match.
    """

    def __init__(self, desks: Iterable[Desk], language: str = "") -> None:
        self.boards = [LiveMatch(desk, language) for desk in desks]
        if not self.boards:
            raise ValueError("a session needs a match")
        self.at = 0
        self.turned: Callable[[int], None] = lambda at: None

    @property
    def board(self) -> LiveMatch:
        """The match in front."""
        return self.boards[self.at]

    @property
    def title(self) -> str:
        """The title of the match in front, with the number of open matches."""
        others = (
            tr(" ({number} of {count} open)", number=self.at + 1, count=len(self.boards))
            if len(self.boards) > 1
            else ""
        )
        return self.board.label + others

    def turn_to_next(self) -> None:
        """Bring the next open match to the front."""
        self.at = (self.at + 1) % len(self.boards)
        self.turned(self.at)

    def leave(self) -> None:
        """Release all matches when the table closes."""
        for board in self.boards:
            board.leave()

    def news(self) -> bool:
        """Read new entries of other users, and return whether there are any."""
        found = [board.news() for board in self.boards]
        return any(found)

    def enter(self, line: str) -> str:
        """Take an entry, or a decision on the refused one, and return the part that was not
        recorded."""
        board = self.board
        word = line.strip().casefold().lstrip("!/")
        if board.pending is not None:
            for decision, named in DECIDING.items():
                if word in (decision, tr(named)):
                    return board.correct() if decision == CORRECT else board.decide(decision)
        if self.is_amendment(line):
            return board.amend(line)
        return board.enter(board.faults.whole(line))

    def is_amendment(self, line: str) -> bool:
        """Return whether a line begins with `amend`, or with `/amend` if `amend` is an entry of the
        game."""
        word = (line.casefold().split() or [""])[0]
        return word == f"/{WORD}" or (word == WORD and not self.board.is_entry(line))

    def command(self, line: str) -> str:
        """Return the command that a line is, or "".

        Without a slash before it, a word that is an entry of the game is not a command.
        """
        word = line.strip().casefold()
        command = command_of(word.removeprefix("/"))
        return command if word.startswith("/") or not self.board.is_entry(word) else ""


class LiveMatch:
    """A match at the live table.

    `ruling` is the last one, `log` has the events, and `pending` is the entry on which the table
    must decide. `changes` counts the changes of the screen. `failed_line` is the line that
    failed and the reason, until the next action. `store_error` is the reason why the last line
    was not stored completely. `uncertain` is the last action if it is unknown whether it was
    stored.
    """

    def __init__(self, desk: Desk, language: str = "") -> None:
        self.desk = desk
        self.ruling: Ruling | None = None
        self.log = EventLog()
        self.pending: Pending | None = None
        self.changes = 0
        self.failed: tuple[str, str] | None = None
        self.unstored: Damaged | None = None
        self.doubt = ""
        self._astray = False
        self._trouble = ""
        self._view = LivePublicRound(desk)
        self._words = language
        self._hinted: tuple[tuple[int, str], Hint] | None = None
        self._shown: tuple[int, TableScreen] | None = None
        self._faults: tuple[int, Faults] | None = None
        self._examples: tuple[int, list[str]] | None = None
        self._listen()
        self._retell()

    @property
    def match(self) -> Match:
        """The recorded match from its live round on."""
        return self.desk.match

    @property
    def seen(self) -> Match:
        """The public copy of the match from its live round on."""
        return self._view.of(self.match)

    @property
    def label(self) -> str:
        """The number and the title of the match."""
        return tr(
            "match {id}: {title}",
            id=self.desk.id,
            title=self.desk.ruleset.said(self.desk.ruleset.title),
        )

    def screen(self) -> TableScreen:
        """Return the current screen, from public information."""
        if self._shown is None or self._shown[0] != self.changes:
            shown = screen.screen(self.seen, self.faults, playing=True)
            self._shown = (self.changes, shown.told(self.speech.told))
        return self._shown[1]

    @property
    def faults(self) -> Faults:
        """The open cases with their costs, from public information."""
        if self._faults is None or self._faults[0] != self.changes:
            self._faults = (self.changes, Faults(self.seen, self.seen, self.speech))
        return self._faults[1]

    @property
    def _now(self) -> Round | None:
        """The round of the next act, or None after the end of the match."""
        return None if self.seen.over else self.seen.now

    def _hidden(self, kept: str) -> str:
        """Return an entry as the table has seen it."""
        return hidden(kept, self.match.known_notation)

    def _seen_text(self, kept: str) -> str:
        """Return an entry as the table has seen it, in the match's language."""
        return self.speech.spoken(self._hidden(kept))

    def _listen(self) -> None:
        """Use the language of the match."""
        self.speech = self.desk.speech(self._words)
        self._completer = Completer(self.speech)

    # --- while typing

    def is_entry(self, text: str) -> bool:
        """Return whether a text can be read as an entry of the match."""
        try:
            self.speech.own.read(text)
        except Failure:
            return False
        return True

    def complete(self, line: str) -> list[Completion]:
        """Return the completions of a line."""
        return self._completer.complete(self.seen, line, self.faults.offered(line))

    def hint(self, line: str) -> Hint:
        """Return a hint on a line without recording it."""
        line = self.faults.whole(line)
        key = (self.changes, line)
        if self._hinted is None or self._hinted[0] != key:
            self._hinted = (key, self._hint(line))
        return self._hinted[1]

    def _hint(self, line: str) -> Hint:
        try:
            texts = hints.entries_of(self.seen, line, self.speech)
        except Unreadable as failure:
            return Hint(hints.FAILED, str(failure))
        if not texts:
            return Hint(hints.PLAIN, "")
        begun = [] if line[-1:] in ",;" else [each.text for each in self.complete(line)]
        hint = hints.hint_on(self.seen, texts, begun, self.speech)
        word = "" if begun or hint.kind != hints.FAILED else self._completer.word(line)
        if word:
            return Hint(
                hints.WARNED, tr("{word}: not now; {turn}", word=word, turn=self.screen().turn)
            )
        return hint

    def form(self) -> Form:
        """Return a form for the round's result. Raises Impossible if there is none."""
        return Form(self.seen, self.speech)

    # --- entries

    def enter(self, line: str) -> str:
        """Record the entries of a line up to the first that is refused or fails.

        Return the rest of the line, to be corrected.
        """
        self._settled()
        try:
            texts = hints.entries_of(self.match, line, self.speech)
        except Unreadable as failure:
            self._fail(line, failure.message)
            return line
        return self._take(texts)

    def decide(self, decision: str) -> str:
        """Record the pending entry with a decision, `stands` or `withdrawn`, and then the rest of
        its line.

        Return the part that was not recorded.
        """
        pending = self._settled()
        if pending is None:
            return ""
        refused = self.speech.spoken(pending.entry)
        return self._take([f"{refused} !{decision}", *pending.rest])

    def correct(self) -> str:
        """Drop the pending entry, and return its line to be corrected."""
        pending = self._settled()
        return "" if pending is None else pending.line

    def _take(self, texts: Sequence[str]) -> str:
        """Record entries as typed, and return those that were not recorded."""
        self.unstored = None
        for index, text in enumerate(texts):
            rest = ", ".join(texts[index:])
            try:
                if self._recover():
                    self._say(hints.PLAIN, tr("nothing was entered: look at that first"))
                    return rest
                ruling = self._store(text)
            except Unsettled as failure:
                self.unstored = failure
                self._doubtful(text, failure)
                return ", ".join(texts[index + 1 :])
            except Damaged as failure:
                self.unstored = failure
                self._say(
                    hints.FAILED,
                    tr("NOT STORED, {entry}: {failure}", entry=text, failure=failure),
                )
                return rest
            except Failure as failure:
                told = self.speech.failure(self._failed(failure, text))
                self._refuse(hints.FAILED, self._about(text, told.message))
                self.failed = (rest, str(told))
                return rest
            if ruling.refused and not decision_in(ruling.entry):
                self.ruling = known = hints.as_seen(ruling, self.seen, self._hidden)
                self.pending = Pending(rest, known, list(texts[index + 1 :]), ruling.entry)
                self._refuse(hints.REFUSED, *screen.ruling_lines(known, self.speech))
                self.desk.store.mark(self.desk.id, self.desk.seen)
                return rest
        return ""

    def _store(self, text: str) -> Ruling:
        """Record one entry. Raises Unreadable, Impossible, and Damaged if it was not stored."""
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
                    say = mark("round {number}: {now}; it was: {worth}")
                    self._say(hints.PLAIN, tr(say, number=over, now=now, worth=worth))
        return ruling

    def _acknowledge(self, over: int) -> None:
        """Log the last entry, and the score if it finished a round."""
        played, seen = self.match.rounds[-1], self.seen
        self.ruling = ruling = self._view.ruling
        place = (played.number, len(played.entries))
        if ruling is not None:
            self._tell_ruling(ruling, place, hints.FINE)
            for fault in self.faults.ruled(ruling):
                self._tell_fault(fault)
        if seen.astray == place[1] and not seen.finished:
            self._say(hints.NOTED, INDENT + self.speech.told(seen.prompt), place=place)
        if played.over and played.number != over:
            self._tell_over(played)

    def _about(self, text: str, why: str) -> str:
        """Return a typed line with the reason why it failed, without cards that are secret."""
        kept = text
        with suppress(Failure):
            kept = self.speech.canonical(text)
        if not is_secret(kept, self.match.known_notation):
            return f"{text}: {why}"
        seen = self._seen_text(kept)
        for form in (text, kept, self.speech.spoken(kept)):
            why = why.replace(form, seen)
        return why if why.startswith(seen) else f"{seen}: {why}"

    def _failed(self, failure: Failure, text: str) -> Failure:
        """Return the failure that the table may know for an entry that is impossible."""
        try:
            canonical = self.speech.canonical(text)
        except Failure as unreadable:
            return unreadable
        return hints.failed_as_seen(failure, self.seen, canonical)

    def _settled(self) -> Pending | None:
        """Drop the pending entry and the events of refused entries, and return the entry."""
        pending, self.pending, self.failed = self.pending, None, None
        if pending is not None:
            self.desk.store.mark(self.desk.id, None)
        self.log.settle()
        self.changes += 1
        return pending

    def _fail(self, line: str, why: str) -> None:
        """Log that a line failed."""
        self._refuse(hints.FAILED, why)
        self.failed = (line, why)

    # --- corrections

    def undo(self) -> None:
        """Undo the last entry or amendment, or drop the pending entry.

        If another user has changed the match meanwhile, show that and undo nothing.
        """
        if self.pending is not None:
            self.correct()
            return
        self._settled()
        try:
            if self._recover() or self._look():
                self._say(hints.PLAIN, tr("nothing was taken back: look at what came, then undo"))
                return
            with self._storing():
                done = self.desk.take_back()
        except Unsettled as failure:
            self._doubtful("undo", failure)
        except Failure as failure:
            self._refuse(hints.FAILED, tr("nothing was taken back: {failure}", failure=failure))
        else:
            self.ruling = None
            if done.row.kind == "entry":
                self.log.take_back((done.row.round, done.row.number))
            else:
                self._retell()
            text = taken_back(done, self._seen_text)
            self._say(hints.NOTED, tr("taken back: {entry}", entry=text))

    def amend(self, line: str) -> str:
        """Amend an earlier entry, and return the line if nothing was saved.

        Nothing is saved if the amendment is refused or makes other entries invalid. Nothing is
        saved either if another user has changed the match meanwhile, since the numbers may be
        different.
        """
        self._settled()
        try:
            if self._recover() or self._look():
                self._say(hints.PLAIN, tr("nothing was amended: look at what came first"))
                return line
            wanted = read_wanted(self.match, line, self.speech)
            with self._storing():
                found = wanted.done(self.desk, self.speech.language)
        except Illegal as refused:
            self.ruling = wanted.refused(self.desk, refused.ruling, self._hidden)
            self._say(
                hints.REFUSED,
                *screen.ruling_lines(self.ruling, self.speech),
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
        """Log the effects of an amendment."""
        last = tr("nothing was amended; with --yes it is")
        if found.saved:
            self._retell()
            last = found.done(self._seen_text)
        seen = self._seen_text
        self._say(hints.NOTED, *found.lines(seen, self.speech.told, seen), last)

    # --- others at the same match

    def news(self) -> bool:
        """Read and log new entries of other users, and return whether the screen changed."""
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
        """Read and log new rows of the store, and return whether there are any."""
        changed = self.desk.described()
        if "language" in changed:
            self._listen()
            self._say(
                hints.NEWS,
                tr(
                    "the match's language: {language}",
                    language=self.desk.row.language or tr("none"),
                ),
            )
        for key, say in KEPT.items():
            if key in changed:
                self._say(hints.NEWS, tr(say, said=changed[key] or tr("none")))
        rows = self.desk.news()
        if any(row.kind not in ("entry", "undo") for row in rows):
            self._retell()  # amended entries have other texts and numbers
        self._report(rows)
        return bool(rows)

    def leave(self) -> None:
        """Release the match when the table closes."""
        if self.pending is not None:
            self.desk.store.mark(self.desk.id, None)

    # --- the store

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Reload the match before the next action if the store fails inside."""
        try:
            yield
        except Damaged:
            self._astray = True
            raise

    def _doubtful(self, what: str, failure: Unsettled) -> None:
        """Log that it is unknown whether an action was stored."""
        self.doubt = what
        self._say(
            hints.FAILED,
            tr("NOT KNOWN WHETHER STORED, {entry}: {failure}", entry=what, failure=failure),
        )

    def _recover(self) -> bool:
        """Reload the match after a failure of the store.

        Return whether this settled an uncertain action. Raises Damaged while the store is
        unreadable.
        """
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
            self._say(hints.NEWS, tr(said, entry=doubt))
        if outcome == "recorded":
            self._retell()
        return bool(doubt)

    def _stumble(self, failure: Failure) -> None:
        """Log a failure of the store, once for each message."""
        if failure.message != self._trouble:
            self._trouble = failure.message
            self._say(hints.FAILED, str(failure))

    def _soothe(self) -> None:
        """Log that the store can be used again."""
        if self._trouble:
            self._trouble = ""
            self._say(hints.PLAIN, tr("the book can be used again"))

    # --- what is told when asked

    def help(self) -> list[str]:
        """Return lines of help on the entries that are possible now."""
        examples = self.examples(MOST_EXAMPLES)
        turn, now = self.screen().turn, self._now
        return [*game_lines(self.speech, turn, examples, self._result(), now)]

    def _result(self) -> str:
        """Return an example of a result in its shortest form, or ""."""
        now = self._now
        if now is None or now.acted or not now.result_fields():
            return ""
        from scorekeeper.match.result_line import result_line

        whole = self.speech.spoken(result_line(self.seen))
        return shortest_result(now, whole, self.speech.own) if whole else ""

    def other_words(self) -> str:
        """Return a line with the verbs that are not in use now."""
        return other_words(self.speech, self._now)

    def other_forms(self) -> str:
        """Return a line with the forms of entries that are not in use now."""
        return other_forms(self.speech, self._now)

    def examples(self, most: int) -> list[str]:
        """Return examples of entries of different kinds that would be accepted now."""
        if self._examples is None or self._examples[0] != self.changes:
            self._examples = (self.changes, self._completer.examples(self.seen, MOST_EXAMPLES))
        return self._examples[1][:most]

    def claim_words(self) -> list[str]:
        """Return the forms of entries about faults."""
        return claim_words(self.desk.ruleset, self.speech)

    def last(self) -> list[str]:
        """Return the last trick, bout or bids."""
        return [self.speech.told(line) for line in screen.last_lines(self.seen)]

    def score(self) -> list[str]:
        """Return the sheet so far."""
        try:
            return screen.score_lines(self.desk, self.seen)
        except Failure as failure:
            return [str(failure)]

    def explain(self) -> list[str]:
        """Return the last ruling with the text of its paragraphs."""
        return screen.explained(self.seen, self.ruling, self.speech)

    def rulings(self) -> list[str]:
        """Return the findings of the match, the latest first, with the possible actions."""
        self.news()
        try:
            return table_lines(self.desk, self.speech)
        except Failure as failure:
            return [str(failure)]

    # --- what happened

    def _retell(self) -> None:
        """Log the live round from its first entry on."""
        if not self.match.rounds:
            return
        played = self.match.rounds[-1]
        self.log.begin_again(played.number)
        found = self.seen.rounds[-1].findings
        for number, text in enumerate(self.match.public(played).texts, 1):
            findings = [finding for at, finding in found if at == number]
            self.ruling = Ruling(text, tuple(findings))
            self._tell_ruling(self.ruling, (played.number, number), hints.PLAIN)
        if played.over:
            self._tell_over(played)
        for fault in self.faults.all:
            self._say(hints.NOTED, INDENT + self.speech.told(self.faults.heading(fault)))
            self._tell_fault(fault)

    def _tell_ruling(self, ruling: Ruling, place: tuple[int, int], kind: str) -> None:
        """Log a ruling at its place."""
        for event in screen.ruling_events(ruling, place, kind, self._seen_text, self.speech.told):
            self.log.add(event)
        self.changes += 1

    def _tell_fault(self, fault: Json) -> None:
        """Log the cost of each choice on a fault, and what to type."""
        lines = self.faults.lines(fault, NARROW - 1 - FAULTS)
        self._say(hints.NOTED, *(" " * FAULTS + line for line in lines))

    def _tell_over(self, played: Played) -> None:
        """Log the score of a round at the entry that finished it."""
        place = (played.number, len(played.entries))
        said = tr("round {number} is over: {worth}", number=played.number, worth=played.worth)
        seen = self.seen
        ends: list[str] = []
        if not seen.told_by_entries:
            ends = told_at_end(seen.live, self._seen_text, self.speech.told)
        self._say(hints.PLAIN, said, *(f"  {line}" for line in ends), place=place)
        if seen.over:
            self._say(hints.PLAIN, screen.turn(seen), place=place)

    def _report(self, rows: Iterable[LogRow]) -> None:
        """Log rows that other users recorded."""
        for row in rows:
            text, place = told(row, self._seen_text), (row.round, row.number)
            if row.kind == "undo":
                self.log.take_back(place)
            if row.kind == "entry":
                self._say(hints.NEWS, place_text(place) + text, place=place)
            else:
                self._say(hints.NEWS, text)

    def _refuse(self, kind: str, *lines: str) -> None:
        """Log lines that are removed with the next action."""
        for line in lines:
            self.log.add(Event(kind, line, passing=True))
        self.changes += 1

    def _say(self, kind: str, *lines: str, place: tuple[int, int] = NO_PLACE) -> None:
        """Log lines of one kind."""
        for line in lines:
            self.log.add(Event(kind, line, place))
        self.changes += 1
