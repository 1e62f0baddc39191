"""The live table: the open matches of a `Session`, each a `LiveMatch`, and the lines typed to them.

Everything is stored before it is acknowledged; failures are told in the events of the match and
never raised. A store that fails is said so once; what was not stored is taken out of the match
again, and the next entry tries anew.
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

# What the table may say of a refused entry, while it waits.
CORRECT = "correct"
DECIDING = {STANDS: mark("stands"), WITHDRAWN: mark("withdrawn"), CORRECT: mark("correct")}

MOST_EXAMPLES = 4
FAULTS = len(INDENT) + 2  # columns before what may be done about something wrong


class Session:
    """The open matches, one of them in front; `turned` hears which. Raises ValueError without a
    desk."""

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
        """Which match is in front, and of how many."""
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
        """Nobody is at the table any longer."""
        for board in self.boards:
            board.leave()

    def news(self) -> bool:
        """Look for what others recorded in any of the matches; whether there is anything new."""
        found = [board.news() for board in self.boards]
        return any(found)

    def enter(self, line: str) -> str:
        """Take a line: an entry, or what the table says of the one that was refused; gives what
        of it was not recorded."""
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
        """Whether a line puts an earlier entry right: its first word, with a slash before it
        always, without one where it is no entry of the match."""
        word = (line.casefold().split() or [""])[0]
        return word == f"/{WORD}" or (word == WORD and not self.board.is_entry(line))

    def command(self, line: str) -> str:
        """The command that a line is: with a slash before it always, without one where it is no
        entry of the match; "" if it is none."""
        word = line.strip().casefold()
        command = command_of(word.removeprefix("/"))
        return command if word.startswith("/") or not self.board.is_entry(word) else ""


class LiveMatch:
    """A match on the table: what it shows, and what is done at it.

    `ruling` is the last one given, `log` what happened here, `pending` what the table has to
    decide; `changes` counts what changed the screen. `failed` is the line that could not be taken
    at all, and why, until something else is done; `unstored` is why the last line was not stored
    whole, where the book is to blame; `doubt` what was done last, while it is not known whether it
    was stored.
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
        """The match from its live round on, as it was recorded."""
        return self.desk.match

    @property
    def seen(self) -> Match:
        """The same as the table has seen it."""
        return self._view.of(self.match)

    @property
    def label(self) -> str:
        """Which match that is."""
        return tr(
            "match {id}: {title}",
            id=self.desk.id,
            title=self.desk.ruleset.said(self.desk.ruleset.title),
        )

    def screen(self) -> TableScreen:
        """The table as it stands, by what has been seen."""
        if self._shown is None or self._shown[0] != self.changes:
            shown = screen.screen(self.seen, self.faults, playing=True)
            self._shown = (self.changes, shown.told(self.speech.told))
        return self._shown[1]

    @property
    def faults(self) -> Faults:
        """What may still be claimed or weighed, and what it would cost, by what has been seen."""
        if self._faults is None or self._faults[0] != self.changes:
            self._faults = (self.changes, Faults(self.seen, self.seen, self.speech))
        return self._faults[1]

    @property
    def _now(self) -> Round | None:
        """The round that the next act belongs to."""
        return None if self.seen.over else self.seen.now

    def _hidden(self, kept: str) -> str:
        """An entry as the table has seen it."""
        return hidden(kept, self.match.known_notation)

    def _seen_text(self, kept: str) -> str:
        """The same, in the match's language."""
        return self.speech.spoken(self._hidden(kept))

    def _listen(self) -> None:
        """Take in the language of the match."""
        self.speech = self.desk.speech(self._words)
        self._completer = Completer(self.speech)

    # --- while typing

    def is_entry(self, text: str) -> bool:
        """Whether a text can be read as an entry of the match."""
        try:
            self.speech.own.read(text)
        except Failure:
            return False
        return True

    def complete(self, line: str) -> list[Completion]:
        """What may stand at the end of the line."""
        return self._completer.complete(self.seen, line, self.faults.offered(line))

    def hint(self, line: str) -> Hint:
        """What would become of the line; nothing is recorded."""
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
        """A form for the round's result. Raises Impossible where there is none."""
        return Form(self.seen, self.speech)

    # --- entries

    def enter(self, line: str) -> str:
        """Record a line, entry by entry, up to the first that is refused or fails; gives what
        of the line was not recorded, to be put right."""
        self._settled()
        try:
            texts = hints.entries_of(self.match, line, self.speech)
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
                    say = mark("round {number}: {now}; it was: {worth}")
                    self._say(hints.PLAIN, tr(say, number=over, now=now, worth=worth))
        return ruling

    def _acknowledge(self, over: int) -> None:
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
        """A line that was typed and why it cannot be, without what is in somebody's hand."""
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
        """What may be told of an entry that could not be."""
        try:
            canonical = self.speech.canonical(text)
        except Failure as unreadable:
            return unreadable
        return hints.failed_as_seen(failure, self.seen, canonical)

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
        self._refuse(hints.FAILED, why)
        self.failed = (line, why)

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
        """Put an earlier entry right, as the line says; gives the line if nothing was saved:
        where it is refused, where something no longer stands, and where somebody else did
        something meanwhile, for then the numbers may be others."""
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
        last = tr("nothing was amended; with --yes it is")
        if found.saved:
            self._retell()
            last = found.done(self._seen_text)
        seen = self._seen_text
        self._say(hints.NOTED, *found.lines(seen, self.speech.told, seen), last)

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
            self._retell()  # entries have other texts now, and other numbers
        self._report(rows)
        return bool(rows)

    def leave(self) -> None:
        """Nobody is at this table any longer: nothing waits for it."""
        if self.pending is not None:
            self.desk.store.mark(self.desk.id, None)

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
            hints.FAILED,
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
            self._say(hints.NEWS, tr(said, entry=doubt))
        if outcome == "recorded":
            self._retell()
        return bool(doubt)

    def _stumble(self, failure: Failure) -> None:
        if failure.message != self._trouble:
            self._trouble = failure.message
            self._say(hints.FAILED, str(failure))

    def _soothe(self) -> None:
        if self._trouble:
            self._trouble = ""
            self._say(hints.PLAIN, tr("the book can be used again"))

    # --- what is told when asked

    def help(self) -> list[str]:
        """What may be typed in this game now."""
        examples = self.examples(MOST_EXAMPLES)
        turn, now = self.screen().turn, self._now
        return [*game_lines(self.speech, turn, examples, self._result(), now)]

    def _result(self) -> str:
        """A result that this table could enter now, as short as it may be typed."""
        now = self._now
        if now is None or now.acted or not now.rules.concluding.fields(now):
            return ""
        from scorekeeper.match.result_line import result_line

        whole = self.speech.spoken(result_line(self.seen))
        return shortest_result(now, whole, self.speech.own) if whole else ""

    def other_words(self) -> str:
        """The words for what else may be said in this game."""
        return other_words(self.speech, self._now)

    def other_forms(self) -> str:
        """What else may be typed in this game."""
        return other_forms(self.speech, self._now)

    def examples(self, most: int) -> list[str]:
        """Entries of different kinds that would be taken now, as people here type them."""
        if self._examples is None or self._examples[0] != self.changes:
            self._examples = (self.changes, self._completer.examples(self.seen, MOST_EXAMPLES))
        return self._examples[1][:most]

    def claim_words(self) -> list[str]:
        """What may be typed when something was wrong."""
        return claim_words(self.desk.ruleset, self.speech)

    def last(self) -> list[str]:
        """The last trick, bout or bids."""
        return [self.speech.told(line) for line in screen.last_lines(self.seen)]

    def score(self) -> list[str]:
        """The sheet so far."""
        try:
            return screen.score_lines(self.desk, self.seen)
        except Failure as failure:
            return [str(failure)]

    def explain(self) -> list[str]:
        """The last ruling, with the rule's own paragraph."""
        return screen.explained(self.seen, self.ruling, self.speech)

    def rulings(self) -> list[str]:
        """What was found in the match, the last first, and what may be done about it."""
        self.news()
        try:
            return table_lines(self.desk, self.speech)
        except Failure as failure:
            return [str(failure)]

    # --- what happened

    def _retell(self) -> None:
        """What stands in the live round, for somebody who comes to the table now."""
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
        for event in screen.ruling_events(ruling, place, kind, self._seen_text, self.speech.told):
            self.log.add(event)
        self.changes += 1

    def _tell_fault(self, fault: Json) -> None:
        """What each choice about something wrong would cost, and what is typed."""
        lines = self.faults.lines(fault, NARROW - 1 - FAULTS)
        self._say(hints.NOTED, *(" " * FAULTS + line for line in lines))

    def _tell_over(self, played: Played) -> None:
        """What a round came to: it belongs to the entry that ended it."""
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
        for row in rows:
            text, place = told(row, self._seen_text), (row.round, row.number)
            if row.kind == "undo":
                self.log.take_back(place)
            if row.kind == "entry":
                self._say(hints.NEWS, place_text(place) + text, place=place)
            else:
                self._say(hints.NEWS, text)

    def _refuse(self, kind: str, *lines: str) -> None:
        for line in lines:
            self.log.add(Event(kind, line, passing=True))
        self.changes += 1

    def _say(self, kind: str, *lines: str, place: tuple[int, int] = NO_PLACE) -> None:
        for line in lines:
            self.log.add(Event(kind, line, place))
        self.changes += 1
