"""A match in a store: loaded, recorded in, corrected.

The desk keeps a match and the store in step. It loads the live round alone (its cached standing
and the log since), so that recording costs the same in a long match; what reaches further back
loads everything. A round is cached when it opens, and what it came to when it is over.

Nothing is written twice: where the store cannot say what a write came to (`Unsettled`) the match in
memory is what it was before, and what the desk does next begins with what the store has then.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.translation import Speech
from scorekeeper.play.match import Match
from scorekeeper.ruleset.pinning import pinned
from scorekeeper.store.about import About, about_of, identifier
from scorekeeper.store.checks import stamped
from scorekeeper.store.history import Done, History, taken_back
from scorekeeper.store.protocol import (
    Conflict,
    KeptDamaged,
    LogRow,
    NewMatch,
    Rules,
    Write,
    read_back,
)
from scorekeeper.store.rounds import is_standing, kept_round, match_of, summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Plain, Standing
    from scorekeeper.play.amending import Account, Change
    from scorekeeper.play.played import Played
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.store.about import Said
    from scorekeeper.store.protocol import MatchRow, Outcome, RoundRow, Store

MOST_TRIES = 100


class Recorded(NamedTuple):
    """What came of recording: rulings, in order, what others had entered meanwhile, the entries
    that were left because nobody can say whose they are, and what ended the line (an entry that is
    unreadable or impossible; the rulings are on those before it)."""

    rulings: list[Ruling]
    meanwhile: list[LogRow]
    left: list[str]
    failure: Unreadable | Impossible | None = None


class Taken(NamedTuple):
    """What a line came to: rulings, in order, the entries that were left, and what ended it."""

    rulings: list[Ruling]
    left: list[str]
    failure: Unreadable | Impossible | None = None


def recorder() -> str:
    """Who records: this user, in this process."""
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "somebody"
    return f"{user[:40]}@{os.getpid()}"


def begin(
    store: Store,
    ruleset: Ruleset,
    players: Sequence[str],
    *,
    options: Mapping[str, Plain] | None = None,
    **said: Unpack[Said],
) -> Desk:
    """Begin a match in a store. Raises Unreadable for a language that the rules have not."""
    return Desk(store, create(store, Match(ruleset, players), About(**said), options or {}))


def create(store: Store, match: Match, about: About, options: Mapping[str, Plain]) -> int:
    """Begin a match in a store, without the entries of this one, and give its number; its players'
    names may be such as would not be taken today. Raises Unreadable for a language that the rules
    have not."""
    ruleset = match.ruleset
    ruleset.lexicon.spoken(about.language)
    rules = Rules(ruleset.sha256, ruleset.text, ruleset.data)
    return store.create(NewMatch(ruleset.name, rules, match.began_with, options, *about))


class Desk:
    """One match of a store. `match` is the match from its live round on (`whole` all of it),
    `history` what stands of its log since; `seen` the last position of the log that was read."""

    def __init__(self, store: Store, match_id: int) -> None:
        self.store = store
        self.id = match_id
        self.row: MatchRow = store.match(match_id)
        sha, text, data = store.rules(self.row.ruleset_sha)
        self.ruleset = pinned(text, sha, data)
        self._last = Write(match_id, 0, ())
        self.load()

    # --- loading

    def load(self) -> None:
        """Read the live round: the standing before it and what stands in the log since."""
        cached, rows, self.seen = self.store.tail(self.id)
        number = 1 if cached is None else cached.number
        standing = None if cached is None else cached.standing
        if standing is not None and not is_standing(standing, self.ruleset, self.row.players):
            say = tr("the standing kept of match {match} is damaged", match=self.id)
            raise KeptDamaged(say, self.id)
        # Where in the log rounds begin, as far as that is known.
        self._begins = {number: 1 if cached is None else cached.first_position}
        self.history = History(rows, number)
        self.match = self._played(self.history, standing)

    def whole(self) -> Match:
        """The whole match, from its first entry."""
        return self._played(History(self.log()))

    def _played(self, history: History, standing: Standing | None = None) -> Match:
        match = match_of(self.row, self.ruleset, standing, history.first)
        for texts in history.rounds:
            match.play_round(texts)
        return match

    def record_text(self) -> str:
        """The whole match as the text of a record."""
        from scorekeeper.store.record import record_text

        row = self.row
        return record_text(self.whole(), options=row.options, **about_of(row)._asdict())

    def news(self) -> list[LogRow]:
        """What others entered since we looked; the match is brought up to date."""
        if self.store.position(self.id) == self.seen:
            return []
        rows = self.store.log(self.id, self.seen + 1)
        self.load()
        return rows

    def described(self) -> dict[str, str]:
        """What somebody changed of what is kept about the match since we looked."""
        before, self.row = about_of(self.row)._asdict(), self.store.match(self.id)
        now = about_of(self.row)._asdict()
        return {key: text or "" for key, text in now.items() if text != before[key]}

    def describe(self, **said: Unpack[Said]) -> None:
        """Change what is kept about the match (`About`); "" takes it away. A match that is said to
        have begun at another time is not known by its beginning any more: it gets an identifier.
        Raises Unreadable for a language that the rules have not."""
        if "language" in said:
            self.ruleset.lexicon.spoken(said["language"])
        if said.get("started", self.row.started) != self.row.started and not self.row.identifier:
            said["identifier"] = identifier()
        self.store.describe(self.id, **said)
        self.row = self.store.match(self.id)

    def log(self) -> list[LogRow]:
        """Everything that was ever recorded."""
        return self.store.log(self.id)

    def rounds(self, first: int = 1) -> list[RoundRow]:
        """What is kept of the rounds from one on: standings, and what they came to."""
        return self.store.rounds(self.id, first)

    # --- recording

    def speech(self, words: str = "") -> Speech:
        """How the match's people write; `words` is the language that entries are offered in."""
        return Speech(self.match.notation, self.row.language, words, lambda: self.match.notation)

    def record(self, texts: Iterable[str], read: Callable[[str], str] = str) -> Recorded:
        """Record the entries of a line one after the other, all in one transaction; `read` makes
        canonical texts of them. A refused one is not written, the next is judged without it, if
        it says whose it is: in the same line a bare one would fall to somebody else, so it and
        what follows is left. An unreadable or impossible one ends the line: what came before it is
        written, and it is the `failure`."""
        wanted = list(texts)
        meanwhile = self.news()
        try:
            with self._or_as_before():
                taken = self._take(wanted, read)
        except Conflict:
            # Once more, and this time nobody can come between.
            with self._or_as_before(), self.store.batch():
                meanwhile += self.news()
                taken = self._take(wanted, read)
        return Recorded(taken.rulings, meanwhile, taken.left, taken.failure)

    def _take(self, wanted: list[str], read: Callable[[str], str]) -> Taken:
        """Judge entries one after the other and store those that may be."""
        taken = Taken([], [])
        rows: list[LogRow] = []
        opened: list[Played] = []
        doubtful = False
        for index, text in enumerate(wanted):
            before = len(self.match.rounds)
            try:
                if doubtful and self._is_bare(read(text)):
                    taken.left.extend(wanted[index:])
                    break
                taken.rulings.append(self.match.record(read(text)))
            except Illegal as refused:
                taken.rulings.append(refused.ruling)
                doubtful = True
                continue
            except (Unreadable, Impossible) as raised:
                taken = taken._replace(failure=raised)
                break
            played = self.match.rounds[-1]
            if len(self.match.rounds) > before:
                opened.append(played)
            rows.append(log_row("entry", played.number, len(played.entries), played.entries[-1]))
        self._append(rows, opened)
        return taken

    def _is_bare(self, text: str) -> bool:
        entry = self.match.notation.read(text)
        return entry.seat is None and not entry.verb.table

    def _append(self, rows: list[LogRow], opened: list[Played]) -> None:
        if not rows:
            return
        rows = stamped(rows, self.seen)
        for row in rows:
            self.history.add(row)
        places = {(row.round, row.number): row.position for row in rows}
        self._begins |= {played.number: places[played.number, 1] for played in opened}
        touched = {row.round for row in rows}
        later = {played.number for played in opened} - {1}
        kept = [
            self._kept(played)
            for played in self.match.rounds
            if played.number in later or (played.over and played.number in touched)
        ]
        self._write(rows, self.match, finished=kept)

    def _kept(self, played: Played) -> RoundRow:
        """What is kept of a round."""
        return kept_round(self.match, played, self._begins.get(played.number))

    def _write(
        self,
        rows: Sequence[LogRow],
        match: Match,
        *,
        finished: Sequence[RoundRow] = (),
        reopened: int | None = None,
    ) -> None:
        """Store rows after the last one seen, and what the match is listed with after them."""
        self._last = Write(self.id, self.seen, stamped(rows, self.seen))
        self.seen = self.store.append(
            self.id, self.seen, self._last.rows,
            finished=finished, reopened=reopened, summary=summary_of(match),
        )  # fmt: skip

    def settle(self) -> Outcome:
        """What the last write came to, where the store could not say (`Unsettled`). As soon as it
        is known the match is brought up to date."""
        outcome = read_back(self.store, self._last)
        if outcome != "unknown":
            self.load()
        return outcome

    @contextmanager
    def _or_as_before(self) -> Iterator[None]:
        """Where nothing was stored, the match in memory is what it was before."""
        match, seen, history = self.match, self.seen, self.history.copy()
        kept = [list(played.entries) for played in match.rounds]
        try:
            yield
        except Damaged:
            self.match, self.seen, self.history = match, seen, history
            self._restore(kept)
            raise

    def _restore(self, texts: list[list[str]]) -> None:
        self.match = self.match.begun_again()
        for entries in texts:
            self.match.play_round(entries)

    # --- corrections

    def undo(self) -> str:
        """Take back what was done last, and say what it was: an entry's text, or an amendment."""
        return taken_back(self.take_back())

    def take_back(self) -> Done:
        """Take back the last operation that stands, whoever did it: an entry, or a whole
        amendment. Raises Impossible when there is none."""
        self.news()
        for _ in range(MOST_TRIES):
            if not self.history.done:
                raise Impossible(tr("there is nothing to undo"))
            last = self.history.done[-1]
            try:
                if last.row.kind == "entry":
                    self._undo_entry()
                else:
                    self._restore_amended(last.row)
            except Conflict:
                self.load()
                continue
            return last
        raise Impossible(tr("others record so fast that nothing could be undone"), tr("try again"))

    def _undo_entry(self) -> None:
        """Take the last entry back. Where its round is gone with it, the one before is live
        again: it is loaded, for its scores, before anything is kept."""
        played = self.match.rounds[-1]
        number, position, over = played.number, len(played.entries), played.over
        with self._or_as_before(), self.store.batch():
            (row,) = stamped([log_row("undo", number, position, self.match.undo())], self.seen)
            self.history.add(row)
            if position > 1:
                kept = [self._kept(self.match.rounds[-1])] if over else []
                self._write([row], self.match, finished=kept)
            else:
                self._write([row], self.match, reopened=number)
                self.load()
                kept = [self._kept(last) for last in self.match.rounds[-1:]]
                about = summary_of(self.match)
                self.store.append(self.id, self.seen, (), finished=kept, summary=about)

    def _restore_amended(self, amended: LogRow) -> None:
        rows = self.log()
        row = log_row("restore", amended.round, amended.number, amended.text)
        self._rewrite(row, self._played(History(rows)), self._played(History([*rows, row])))

    def amend(
        self,
        number: int,
        entry: int,
        *texts: str,
        before: bool = False,
        agree: Callable[[Account], bool] | None = None,
        language: str = "",
        tell: Callable[[Match, Match, Change, list[Ruling]], Account] | None = None,
    ) -> Account:
        """Put `texts`, in the letters of a language, in the place of an entry (none: it is taken
        out), or `before` it; what follows is judged again. It is saved if `agree` says so of what
        it comes to, as `tell` has it. Raises Impossible for an entry that there is not, and
        Illegal, Unreadable, Impossible for texts that could not have been recorded then."""
        from scorekeeper.play.amending import Change, account, retyped

        if before and not texts:
            raise Unreadable(tr("there is nothing to put in"))
        for _ in range(MOST_TRIES):
            self.news()
            whole = self.whole()
            rulings = retyped(whole, Change(number, entry, texts, before), language)
            change = Change(number, entry, tuple(ruling.entry for ruling in rulings), before)
            amended = whole.amended(number, entry, *change.texts, before=before)
            found = (tell or account)(whole, amended, change, rulings)
            if agree is not None and not agree(found):
                return found
            taken = whole.rounds[whole.place_of(number, entry, before)].entries[entry - 1 : entry]
            text = "\n".join(change.texts or taken)
            try:
                self._rewrite(log_row(change.kind, number, entry, text), whole, amended)
            except Conflict:
                continue
            return found._replace(saved=True)
        raise Impossible(tr("others record so fast that nothing could be amended"), tr("try again"))

    def _rewrite(self, row: LogRow, before: Match, after: Match) -> None:
        """Write a correction, with what comes of its round and those after it. Where a round came
        or went the rows before this one have other numbers: nobody can go on from there."""
        moved = len(before.rounds) != len(after.rounds)
        known = [each for each in self.rounds() if not moved or each.number < row.round]
        begins = {1: 1, **{cached.number: cached.first_position for cached in known}}
        kept = [
            kept_round(after, played, begins.get(played.number))
            for played in after.rounds
            if played.number >= row.round - moved  # another may be the last one now
        ]
        with self._or_as_before(), self.store.batch():
            self._write([row], after, finished=kept, reopened=row.round + (not moved))
            self.load()


def log_row(kind: str, number: int, entry: int, text: str) -> LogRow:
    """An operation that this process writes: where, by round and entry, and its text."""
    return LogRow(kind, number, entry, text, None, recorder())
