"""A match in a book: loaded, recorded in, corrected.

The desk keeps a match and the book in step. It loads the live round alone (its cached standing
and the log since), so that recording costs the same in a long match; what reaches further back
loads everything. A round is cached when the next one opens.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from scorekeeper.core.failures import Damaged, Impossible, Unreadable
from scorekeeper.core.rulings import Illegal
from scorekeeper.notation.speech import Speech
from scorekeeper.play.match import Match, first_standing
from scorekeeper.ruleset.loading import pinned
from scorekeeper.store.book import RESCUE, Conflict, LogRow, RoundRow
from scorekeeper.store.history import Done, History, stands, taken_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.play.amending import Account
    from scorekeeper.play.match import Played, Standing
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.store.book import Book, MatchRow

MOST_TRIES = 100


class Recorded(NamedTuple):
    """What came of recording: rulings, in order, what others had entered meanwhile, and the
    entries that were left because nobody can say whose they are."""

    rulings: list[Ruling]
    meanwhile: list[LogRow]
    left: list[str]


class Taken(NamedTuple):
    """What a line came to: rulings, in order, the entries that were left, and what ended it."""

    rulings: list[Ruling]
    left: list[str]
    failure: Exception | None = None


def recorder() -> str:
    """Who records: this user, in this process."""
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "somebody"
    return f"{user[:40]}@{os.getpid()}"


def begin(book: Book, ruleset: Ruleset, players: Sequence[str], **about: Any) -> Desk:
    """Begin a match in a book. `about`: `started`, `place`, `options`, `language`. Raises
    Unreadable for a language that the rules have not."""
    return _begun(book, Match(ruleset, players), **about)


def _begun(book: Book, match: Match, **about: Any) -> Desk:
    ruleset = match.ruleset
    language = about.get("language") or ""
    ruleset.lexicon.spoken(language)
    match_id = book.create_match(
        ruleset.name,
        ruleset.sha256,
        ruleset.text,
        match.players,
        about.get("options") or {},
        about.get("started") or "",
        about.get("place"),
        ruleset.data,
        language,
    )
    return Desk(book, match_id)


class Desk:
    """One match of a book. `match` is the match from its live round on (`whole` all of it),
    `history` what stands of its log since; `seen` the last position of the log that was read."""

    def __init__(self, book: Book, match_id: int) -> None:
        self.book = book
        self.id = match_id
        self.row: MatchRow = book.match(match_id)
        sha = self.row.ruleset_sha
        self.ruleset = pinned(book.ruleset_text(sha), sha, book.ruleset_data(sha))
        self.load()

    # --- loading

    def load(self) -> None:
        """Read the live round: the standing before it and what stands in the log since."""
        cached, rows, self.seen = self.book.tail(self.id)
        number = 1 if cached is None else cached.number
        standing = None if cached is None else cached.standing
        self.first = 1 if cached is None else cached.first_position
        if standing is not None and not self._is_standing(standing):
            raise Damaged(f"the standing kept of match {self.id} is damaged", RESCUE)
        self.history = History(rows, number)
        self.match = self._played(self.history, standing)

    def _is_standing(self, standing: object) -> bool:
        """Whether a standing is one: a row of a book's first schema did not vouch for itself."""
        known = first_standing(self.ruleset, len(self.row.players))
        return isinstance(standing, dict) and known.keys() <= standing.keys()

    def whole(self) -> Match:
        """The whole match, from its first entry."""
        return self._played(History(self.book.log(self.id)))

    def _played(self, history: History, standing: Standing | None = None) -> Match:
        match = Match(self.ruleset, self.row.players, standing, history.first, kept=True)
        for texts in history.rounds:
            match.play_round(texts)
        return match

    def record_text(self) -> str:
        """The whole match as the text of a record."""
        from scorekeeper.store.record import record_text

        row = self.row
        about = {key: getattr(row, key) for key in ("started", "place", "language", "options")}
        return record_text(self.whole(), **about)

    def news(self) -> list[LogRow]:
        """What others entered since we looked; the match is brought up to date."""
        if self.book.position(self.id) == self.seen:
            return []
        rows = self.book.log(self.id, self.seen + 1)
        self.load()
        return rows

    def described(self) -> bool:
        """Whether somebody changed the match's language since we looked."""
        before, self.row = self.row.language, self.book.match(self.id)
        return self.row.language != before

    # --- recording

    def speech(self, words: str = "") -> Speech:
        """How the match's people write; `words` is the language that entries are offered in."""
        return Speech(self.match.notation, self.row.language, words)

    def record(self, texts: Iterable[str], read: Callable[[str], str] = str) -> Recorded:
        """Record the entries of a line one after the other, all in one transaction; `read` makes
        canonical texts of them. A refused
        one is not written, the next is judged without it, if it says whose it is: in the same
        line a bare one would fall to somebody else, so it and what follows is left. An
        unreadable or impossible one raises, after what came before it is written (its rulings
        are in the failure's `rulings`)."""
        wanted = list(texts)
        meanwhile = self.news()
        try:
            with self._or_as_before():
                taken = self._take(wanted, read)
        except Conflict:
            # Once more, and this time nobody can come between.
            with self._or_as_before(), self.book.batch():
                meanwhile += self.news()
                taken = self._take(wanted, read)
        if taken.failure is not None:
            taken.failure.rulings = taken.rulings  # type: ignore[attr-defined]
            raise taken.failure
        return Recorded(taken.rulings, meanwhile, taken.left)

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
            rows.append(_row("entry", played.number, len(played.entries), played.entries[-1]))
        self._append(rows, opened)
        return taken

    def _is_bare(self, text: str) -> bool:
        entry = self.match.notation.read(text)
        return entry.seat is None and not entry.verb.table

    def _append(self, rows: list[LogRow], opened: list[Played]) -> None:
        if not rows:
            return
        at = {(row.round, row.number): self.seen + n for n, row in enumerate(rows, 1)}
        cached = [
            RoundRow(played.number, at[played.number, 1], dict(played.before))
            for played in opened
            if played.number > 1
        ]
        self.seen = self.book.append(
            self.id, self.seen, rows, finished=cached, summary=self._summary()
        )
        for row in rows:
            self.history.add(row)

    @contextmanager
    def _or_as_before(self) -> Iterator[None]:
        """Where nothing was stored, the match in memory is what it was before."""
        match, seen, kept, history = self.match, self.seen, self._texts(), self.history.copy()
        try:
            yield
        except Damaged:
            self.match, self.seen, self.history = match, seen, history
            self._restore(kept)
            raise

    def _texts(self) -> list[list[str]]:
        return [list(played.entries) for played in self.match.rounds]

    def _restore(self, texts: list[list[str]]) -> None:
        """Nothing was stored: the match in memory is what it was before."""
        self.match = self.match.begun_again()
        for entries in texts:
            self.match.play_round(entries)

    def _summary(self) -> dict[str, Any]:
        return {"scores": self.match.scores, "over": self.match.over}

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
                raise Impossible("there is nothing to undo")
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
        raise Impossible("others record so fast that nothing could be undone", "try again")

    def _undo_entry(self) -> None:
        played = self.match.rounds[-1]
        number, position = played.number, len(played.entries)
        kept = self._texts()
        row = _row("undo", number, position, self.match.undo())
        gone = position == 1
        try:
            self.seen = self.book.append(
                self.id,
                self.seen,
                [row],
                reopened=number if gone else None,
                summary=None if gone else self._summary(),
            )
        except Damaged:
            self._restore(kept)
            raise
        if gone:
            self.load()
            self.book.append(self.id, self.seen, [], summary=self._summary())
        else:
            self.history.add(row)

    def _restore_amended(self, amended: LogRow) -> None:
        rows = self.book.log(self.id)
        row = _row("restore", amended.round, amended.number, amended.text)
        self._rewrite(row, self._played(History(rows)), self._played(History([*rows, row])))

    def amend(
        self,
        number: int,
        entry: int,
        *texts: str,
        before: bool = False,
        agree: Callable[[Account], bool] | None = None,
    ) -> Account:
        """Put `texts` in the place of an entry (none: it is taken out), or `before` it; what
        follows is judged again. It is saved if `agree` says so of what it comes to. Raises
        Impossible for an entry that there is not, and Illegal, Unreadable, Impossible for texts
        that could not have been recorded then."""
        from scorekeeper.play.amending import Change, account, retyped

        if before and not texts:
            raise Unreadable("there is nothing to put in")
        for _ in range(MOST_TRIES):
            self.news()
            whole = self.whole()
            rulings = retyped(whole, Change(number, entry, texts, before))
            change = Change(number, entry, tuple(ruling.entry for ruling in rulings), before)
            amended = whole.amended(number, entry, *change.texts, before=before)
            found = account(whole, amended, change, rulings)
            if agree is not None and not agree(found):
                return found
            text = "\n".join(change.texts or found.removed)
            try:
                self._rewrite(_row(change.kind, number, entry, text), whole, amended)
            except Conflict:
                continue
            return found._replace(saved=True)
        raise Impossible("others record so fast that nothing could be amended", "try again")

    def _rewrite(self, row: LogRow, before: Match, after: Match) -> None:
        """Write a correction, with the standings before the rounds after it. Where a round came
        or went the rows before this one have other numbers: nothing is cached from there on."""
        moved = len(before.rounds) != len(after.rounds)
        firsts = {cached.number: cached.first_position for cached in self.book.rounds(self.id)}
        cached = [
            RoundRow(played.number, firsts[played.number], dict(played.before))
            for played in after.rounds
            if played.number > row.round and played.number in firsts and not moved
        ]
        self.seen = self.book.append(
            self.id,
            self.seen,
            [row],
            finished=cached,
            reopened=row.round + (not moved),
            summary={"scores": after.scores, "over": after.over},
        )
        self.load()


def _row(kind: str, number: int, entry: int, text: str) -> LogRow:
    return LogRow(kind, number, entry, text, None, recorder())


class Imported(NamedTuple):
    """Where a match that was read is now, whether it was there already, and what it is like."""

    match: int
    known: bool
    like: list[Like]


class Like(NamedTuple):
    """A match of the book that looks like another one, and in what they differ."""

    match: int
    differs: list[str]


def import_match(book: Book, match: Match, **about: Any) -> Imported:
    """Put a match that was read into a book, unless it is there already: then nothing is written.
    The same is what agrees in all that tells matches apart; `about` is as for `begin`."""
    texts = [played.entries for played in match.rounds]
    with book.batch():
        like = _likenesses(book, match, texts, about)
        for each in like:
            if not each.differs:
                return Imported(each.match, True, [])
        desk = _begun(book, match, **about)
        rows: list[LogRow] = []
        cached: list[RoundRow] = []
        for played in match.rounds:
            if played.number > 1:
                cached.append(RoundRow(played.number, len(rows) + 1, dict(played.before)))
            for number, text in enumerate(played.entries, 1):
                rows.append(_row("entry", played.number, number, text))
        summary = {"scores": match.scores, "over": match.over}
        book.append(desk.id, 0, rows, finished=cached, summary=summary)
    return Imported(desk.id, False, like)


def _likenesses(
    book: Book, match: Match, texts: list[list[str]], about: Mapping[str, Any]
) -> list[Like]:
    """The matches between the same players that were begun at the same time, or have the same
    entries. Options are not compared: what they come to is in the rules' SHA-256."""
    found: list[Like] = []
    for row in book.matches():
        if row.players != match.players:
            continue
        differs = {
            "rules": row.ruleset_sha != match.ruleset.sha256,
            "started": row.started != (about.get("started") or ""),
            "place": (row.place or "") != (about.get("place") or ""),
            "language": row.language != (about.get("language") or ""),
            "entries": stands(book.log(row.id)) != texts,
        }
        if not differs["entries"] or (row.started and not differs["started"]):
            found.append(Like(row.id, [name for name, other in differs.items() if other]))
    return found
