"""A match in a store: loaded, recorded in, corrected; and what stands, by its log.

The desk keeps a match and the store in step. It loads the live round alone (its cached standing
and the log since), so that recording costs the same in a long match; what reaches further back
loads everything. A round is cached when it opens, and what it came to when it is over.

Nothing is written twice: where the store cannot say what a write came to (`Unsettled`) the match
in memory is what it was before, and what the desk does next begins with what the store has then.

A row of the log is one operation. Its round and number say where, counted as things stood then:
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

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Impossible, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.pinning import pinned
from scorekeeper.engine.scoring import first_standing
from scorekeeper.engine.seating import notation_for, seated
from scorekeeper.match.match import Match
from scorekeeper.notation.translation import Speech
from scorekeeper.store.rows import (
    About,
    Conflict,
    KeptDamaged,
    LogRow,
    NewMatch,
    RoundRow,
    Rules,
    Write,
    about_of,
    as_json,
    identifier,
    read_back,
    stamped,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json, Plain, Standing
    from scorekeeper.engine.replay import Played
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.amend import Account, Change
    from scorekeeper.match.view import Told
    from scorekeeper.store.rows import MatchRow, Outcome, Said, Store


MOST_TRIES = 100
_SAID = {
    "entry": "{entries}",
    "undo": mark("taken back: {entries}"),
    "amend": mark("amended to: {entries}"),
    "replace": mark("replaced by: {entries}"),
    "insert": mark("inserted before it: {entries}"),
    "remove": mark("removed: {entries}"),
    "restore": mark("amendment taken back: {entries}"),
}


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
        """What somebody changed of what is kept about the match since we looked; with another
        beginning goes its day, which is not told by itself."""
        before, self.row = about_of(self.row)._asdict(), self.store.match(self.id)
        now = about_of(self.row)._asdict()
        changed = {key: text or "" for key, text in now.items() if text != before[key]}
        if "started" in changed:
            changed.pop("day", None)
        return changed

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
        from scorekeeper.match.amend import Change, account, retyped

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


def recorder() -> str:
    """Who records: this user, in this process."""
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "somebody"
    return f"{user[:40]}@{os.getpid()}"


# --- what stands, by a log


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


# --- operations in words


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


# --- what is kept of a round, and of a match where all are listed


def kept_round(
    match: Match, played: Played, first: int | None, told: Told | None = None
) -> RoundRow:
    """A round that begins at position `first` of the log. What it came to and its entries (`told`,
    if somebody has looked) are kept unless it is the one that goes on."""
    if played is match.rounds[-1] and not played.over:
        return RoundRow(played.number, first, dict(played.before))
    from scorekeeper.match.summary import compact, entered  # only the end of a round needs it

    told = told or match.kept(played)
    notation = notation_for(match.ruleset.lexicon, tuple(match.players))
    entries = as_json([*map(compact, entered(*told, notation))])
    return RoundRow(played.number, first, dict(played.before), told.summary, entries)


def match_of(row: MatchRow, ruleset: Ruleset, standing: Standing | None, first: int) -> Match:
    """A match of a store, before its round `first`. Raises Damaged for players whom its rules
    cannot seat."""
    try:
        return Match(ruleset, row.players, standing, first, kept=True)
    except (Unreadable, Impossible) as failure:
        raise Damaged(
            tr("match {match} is damaged: {why}", match=row.id, why=failure.message),
            tr("scorekeeper check-book says what is whole, and saves it"),
        ) from failure


def is_standing(standing: Plain, ruleset: Ruleset, players: Sequence[str]) -> bool:
    """Whether a standing is one: a row of a book's first schema did not vouch for itself."""
    known = first_standing(ruleset, len(players))
    if not isinstance(standing, dict) or not known.keys() <= standing.keys():
        return False
    try:
        count = len(seated(standing, players))
        tally, dealer, leader = standing["tally"], standing["dealer"], standing["leader"]
        return (
            all(isinstance(points, int) for points in tally)
            and [type(tally), len(tally)] == [list, count]
            and dealer in range(count)
            and (leader is None or leader in range(count))
            and isinstance(standing["carry"], dict)
        )
    except (LookupError, TypeError):
        return False


def summary_of(match: Match) -> Json:
    """What is told of a match where all are listed; `ahead` have won if it ends here, `left` sit
    there no more, where somebody has gone; `since` is what the round that goes on has changed, if
    it has."""
    told: Json = {"scores": match.scores, "over": match.over, "ahead": match.ahead}
    seated = match.seated
    gone = [name for name in match.scores if name not in seated]
    since = _since(match)
    return {**told, **({"left": gone} if gone else {}), **({"since": since} if since else {})}


def _since(match: Match) -> dict[str, int]:
    """What the round that goes on has changed on the sheet so far: penalties."""
    if not match.rounds or match.rounds[-1].over:
        return {}
    live = match.live
    tallies = zip(live.names, live.seating.tally, live.seating.base, strict=True)
    return {name: now - before for name, now, before in tallies if now != before}
