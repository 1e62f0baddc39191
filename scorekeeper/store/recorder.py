"""A recorder for a stored match, which loads the match, records entries and corrects them.

The recorder updates a match in memory and in the store at the same time. It loads only the live
round (the cached standing and the log since then), so recording is no slower in a long match.
Earlier rounds are loaded only when an operation needs them. A new round is cached when it opens,
and its result is cached when it is finished.

Writes are never repeated. If the store cannot find out whether a write succeeded
(`UncertainWrite`), the match in memory returns to its earlier state. The next operation starts from
the current contents of the store.

Each row of the log is one operation. Its round and entry number refer to the entries at that time.
    entry     Add an entry to the last round, or as the first entry of a new round.
    undo      Remove the last entry.
    amend     Replace one entry with another.
    replace   Replace one entry with several. Each line of the text is an entry.
    insert    Insert one or more entries before the entry.
    remove    Remove the entry. The text is the removed entry.
    restore   Undo the whole of the last amendment. The text is the amendment's text.

If all entries of a round are removed, the round disappears, and later rounds get lower numbers. An
undo refers to the last operation that is in effect. The first version of the program always undid
the last entry, even if an amendment followed it. Logs from that version are still read in that way.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Impossible, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.ruleset import pinned
from scorekeeper.engine.scoring import first_standing
from scorekeeper.engine.seating import notation_for, seated_names
from scorekeeper.match.match import Match
from scorekeeper.notation.notation import Translator
from scorekeeper.store.rows import (
    Conflict,
    DamagedCache,
    LogRow,
    MatchDetails,
    NewMatch,
    PendingWrite,
    RoundRow,
    RulesetText,
    as_json,
    details_of,
    new_identifier,
    reread_after_failure,
    stamp_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Unpack

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json, JsonValue, Standing
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.amend import Amendment, AmendmentReport
    from scorekeeper.match.view import ReviewedRound
    from scorekeeper.store.rows import DetailOptions, MatchRow, Outcome, Store


MAX_TRIES = 100
_DESCRIPTIONS = {
    "entry": "{entries}",
    "undo": N_("undone: {entries}"),
    "amend": N_("amended to: {entries}"),
    "replace": N_("replaced by: {entries}"),
    "insert": N_("inserted before this entry: {entries}"),
    "remove": N_("removed: {entries}"),
    "restore": N_("amendment undone: {entries}"),
}


class RecordResult(NamedTuple):
    """The result of recording a line.

    `rulings` are in the order of the entries. `other_rows` are the rows that others recorded in the
    meantime. `unassigned` are entries that were not recorded because it is unclear which player
    they belong to. If the line ended early at an unreadable or impossible entry, `failure` is the
    reason.
    """

    rulings: list[Ruling]
    other_rows: list[LogRow]
    unassigned: list[str]
    failure: Unreadable | Impossible | None = None


class BatchResult(NamedTuple):
    """The result of judging the entries of a line. The fields have the same meanings as in
    `RecordResult`."""

    rulings: list[Ruling]
    unassigned: list[str]
    failure: Unreadable | Impossible | None = None


def begin_match(
    store: Store,
    ruleset: Ruleset,
    players: Sequence[str],
    *,
    options: Mapping[str, JsonValue] | None = None,
    **said: Unpack[DetailOptions],
) -> MatchRecorder:
    """Begin a match in a store. Raises Unreadable for a language that the ruleset does not have."""
    return MatchRecorder(
        store, create_match(store, Match(ruleset, players), MatchDetails(**said), options or {})
    )


def create_match(
    store: Store, match: Match, about: MatchDetails, options: Mapping[str, JsonValue]
) -> int:
    """Begin a match in a store with the players and rules of `match`, and return its number.

    The entries of `match` are not stored. Player names are accepted even if a new match would
    reject them. Raises Unreadable for a language that the ruleset does not have.
    """
    ruleset = match.ruleset
    ruleset.lexicon.find_language(about.language)
    rules = RulesetText(ruleset.text_sha256, ruleset.text, ruleset.data)
    return store.create(NewMatch(ruleset.name, rules, match.initial_players, options, *about))


class MatchRecorder:
    """The recorder of one stored match.

    `match` is the match from its live round on (`full_match` returns all of it). `log_state`
    contains the valid entries from that round on, and `last_position` is the position of the last
    log row that was read.
    """

    def __init__(self, store: Store, match_id: int) -> None:
        self.store = store
        self.id = match_id
        self.row: MatchRow = store.match(match_id)
        sha, text, data = store.ruleset_text(self.row.ruleset_sha)
        self.ruleset = pinned(text, sha, data)
        self._last_write = PendingWrite(match_id, 0, ())
        self.load()

    # --- loading

    def load(self) -> None:
        """Read the live round: the standing before it and the log since then.

        Raises DamagedCache if the standing is damaged.
        """
        cached, rows, self.last_position = self.store.tail(self.id)
        number = 1 if cached is None else cached.number
        standing = None if cached is None else cached.standing
        if standing is not None and not is_standing(standing, self.ruleset, self.row.players):
            message = tr("the stored standing of match {match} is damaged", match=self.id)
            raise DamagedCache(message, self.id)
        # The log position at which each round begins, where it is known.
        self._first_positions = {number: 1 if cached is None else cached.first_position}
        self.log_state = LogState(rows, number)
        self.match = self._replay(self.log_state, standing)

    def full_match(self) -> Match:
        """Return the whole match from its first entry on."""
        return self._replay(LogState(self.log()))

    def _replay(self, history: LogState, standing: Standing | None = None) -> Match:
        """Play the valid entries of a log, starting from a standing."""
        match = restore_match(self.row, self.ruleset, standing, history.first)
        for texts in history.rounds:
            match.play_round(texts)
        return match

    def record_text(self) -> str:
        """Return the whole match as the text of a record."""
        from scorekeeper.store.record import record_text

        row = self.row
        return record_text(self.full_match(), options=row.options, **details_of(row)._asdict())

    def refresh(self) -> list[LogRow]:
        """Load the rows that others have recorded since the last reading. Return these rows."""
        if self.store.position(self.id) == self.last_position:
            return []
        rows = self.store.log(self.id, self.last_position + 1)
        self.load()
        return rows

    def refresh_details(self) -> dict[str, str]:
        """Read the details of the match again, and return those that others have changed.

        If the beginning changes, the day changes with it and is not returned separately.
        """
        before, self.row = details_of(self.row)._asdict(), self.store.match(self.id)
        now = details_of(self.row)._asdict()
        changed = {key: text or "" for key, text in now.items() if text != before[key]}
        if "started" in changed:
            changed.pop("day", None)
        return changed

    def describe(self, **said: Unpack[DetailOptions]) -> None:
        """Change details of the match (see `MatchDetails`). "" removes a detail.

        If the beginning changes, it can no longer identify the match, so the match gets an
        identifier. Raises Unreadable for a language that the ruleset does not have.
        """
        if "language" in said:
            self.ruleset.lexicon.find_language(said["language"])
        if said.get("started", self.row.started) != self.row.started and not self.row.identifier:
            said["identifier"] = new_identifier()
        self.store.describe(self.id, **said)
        self.row = self.store.match(self.id)

    def log(self) -> list[LogRow]:
        """Return every row of the log."""
        return self.store.log(self.id)

    def rounds(self, first: int = 1) -> list[RoundRow]:
        """Return the cached rounds from number `first` on, with their standings and results."""
        return self.store.rounds(self.id, first)

    # --- recording

    def translator(self, words: str = "") -> Translator:
        """Return the translator for the language of the match.

        `words` is the language in which the translator offers entries.
        """
        return Translator(
            self.match.notation, self.row.language, words, lambda: self.match.notation
        )

    def record(self, texts: Iterable[str], read: Callable[[str], str] = str) -> RecordResult:
        """Record the entries of a line in one transaction. `read` converts each entry to its
        canonical text.

        A refused entry is not recorded, and the next one is judged as if the refused one did not
        exist. After a refused entry, an entry with no player's name could be attributed to the
        wrong player. Recording stops there, and the remaining entries are `unassigned`. An
        unreadable or impossible entry also ends the line, and its error is the `failure` of the
        result. The entries before it are recorded.
        """
        wanted = list(texts)
        meanwhile = self.refresh()
        try:
            with self._restoring_on_failure():
                batch = self._record_batch(wanted, read)
        except Conflict:
            # Try once more inside a transaction, so that no other process can record in between.
            with self._restoring_on_failure(), self.store.batch():
                meanwhile += self.refresh()
                batch = self._record_batch(wanted, read)
        return RecordResult(batch.rulings, meanwhile, batch.unassigned, batch.failure)

    def _record_batch(self, wanted: list[str], read: Callable[[str], str]) -> BatchResult:
        """Judge entries one after the other and store the accepted ones."""
        batch = BatchResult([], [])
        rows: list[LogRow] = []
        opened: list[RoundRecord] = []
        doubtful = False
        for index, text in enumerate(wanted):
            before = len(self.match.rounds)
            try:
                if doubtful and self._names_no_player(read(text)):
                    batch.unassigned.extend(wanted[index:])
                    break
                batch.rulings.append(self.match.record(read(text)))
            except Illegal as refused:
                batch.rulings.append(refused.ruling)
                doubtful = True
                continue
            except (Unreadable, Impossible) as raised:
                batch = batch._replace(failure=raised)
                break
            played = self.match.rounds[-1]
            if len(self.match.rounds) > before:
                opened.append(played)
            rows.append(log_row("entry", played.number, len(played.entries), played.entries[-1]))
        self._store_rows(rows, opened)
        return batch

    def _names_no_player(self, text: str) -> bool:
        """Return whether an entry is the act of a player but does not name one."""
        entry = self.match.notation.read(text)
        names_none = entry.type.is_table_entry or entry.type.is_joint
        return entry.seat is None and not names_none

    def _store_rows(self, rows: list[LogRow], opened: list[RoundRecord]) -> None:
        """Store rows, and cache the rounds that they open or finish. `opened` are the opened
        rounds."""
        if not rows:
            return
        rows = stamp_rows(rows, self.last_position)
        for row in rows:
            self.log_state.add(row)
        places = {(row.round, row.number): row.position for row in rows}
        self._first_positions |= {played.number: places[played.number, 1] for played in opened}
        touched = {row.round for row in rows}
        later = {played.number for played in opened} - {1}
        finished = [
            self._round_row(played)
            for played in self.match.rounds
            if played.number in later or (played.over and played.number in touched)
        ]
        self._write(rows, self.match, finished=finished)

    def _round_row(self, played: RoundRecord) -> RoundRow:
        """Return the cache row of a round."""
        return make_round_row(self.match, played, self._first_positions.get(played.number))

    def _write(
        self,
        rows: Sequence[LogRow],
        match: Match,
        *,
        finished: Sequence[RoundRow] = (),
        reopened: int | None = None,
    ) -> None:
        """Store rows after the last position, with the summary of `match`."""
        self._last_write = PendingWrite(
            self.id, self.last_position, stamp_rows(rows, self.last_position)
        )
        self.last_position = self.store.append(
            self.id, self.last_position, self._last_write.rows,
            finished=finished, reopened=reopened, summary=summarize_match(match),
        )  # fmt: skip

    def resolve_last_write(self) -> Outcome:
        """Find out, after `UncertainWrite`, whether the last write succeeded.

        If this can be determined, the match is loaded again.
        """
        outcome = reread_after_failure(self.store, self._last_write)
        if outcome != "unknown":
            self.load()
        return outcome

    @contextmanager
    def _restoring_on_failure(self) -> Iterator[None]:
        """Return a context in which the match in memory returns to its earlier state if a write
        fails."""
        match, seen, history = self.match, self.last_position, self.log_state.copy()
        entries = [list(played.entries) for played in match.rounds]
        try:
            yield
        except Damaged:
            self.match, self.last_position, self.log_state = match, seen, history
            self._restore(entries)
            raise

    def _restore(self, texts: list[list[str]]) -> None:
        """Reset the match to its start and play rounds with these entries."""
        self.match = self.match.copy_from_start()
        for entries in texts:
            self.match.play_round(entries)

    # --- corrections

    def undo(self) -> str:
        """Undo the last operation and return its description."""
        return describe_undone(self.undo_operation())

    def undo_operation(self) -> LoggedOperation:
        """Undo the last operation in effect and return it.

        It may be an entry or a whole amendment, by any user. Raises Impossible if there is nothing
        to undo.
        """
        self.refresh()
        for _ in range(MAX_TRIES):
            if not self.log_state.operations:
                raise Impossible(tr("there is nothing to undo"))
            last = self.log_state.operations[-1]
            try:
                if last.row.kind == "entry":
                    self._undo_entry()
                else:
                    self._undo_amendment(last.row)
            except Conflict:
                self.load()
                continue
            return last
        raise Impossible(
            tr("nothing was undone, because other programs keep recording in this match"),
            tr("try again"),
        )

    def _undo_entry(self) -> None:
        """Undo the last entry. If its round has no other entry, load the previous round.

        The previous round then becomes live. Its cache cannot be stored until its scores are known.
        """
        played = self.match.rounds[-1]
        number, position, over = played.number, len(played.entries), played.over
        with self._restoring_on_failure(), self.store.batch():
            (row,) = stamp_rows(
                [log_row("undo", number, position, self.match.undo())], self.last_position
            )
            self.log_state.add(row)
            if position > 1:
                finished = [self._round_row(self.match.rounds[-1])] if over else []
                self._write([row], self.match, finished=finished)
            else:
                self._write([row], self.match, reopened=number)
                self.load()
                finished = [self._round_row(last) for last in self.match.rounds[-1:]]
                about = summarize_match(self.match)
                self.store.append(self.id, self.last_position, (), finished=finished, summary=about)

    def _undo_amendment(self, amended: LogRow) -> None:
        """Undo the last amendment."""
        rows = self.log()
        row = log_row("restore", amended.round, amended.number, amended.text)
        self._rewrite(row, self._replay(LogState(rows)), self._replay(LogState([*rows, row])))

    def amend(
        self,
        number: int,
        entry: int,
        *texts: str,
        before: bool = False,
        confirm: Callable[[AmendmentReport], bool] | None = None,
        language: str = "",
        make_report: Callable[[Match, Match, Amendment, list[Ruling]], AmendmentReport]
        | None = None,
    ) -> AmendmentReport:
        """Replace an entry with `texts`, or insert `texts` before it, and judge the following
        entries again.

        If `texts` is empty, the entry is removed. `texts` use the card letters of `language`. The
        amendment is stored if `confirm` returns true for the report made by `make_report`. Raises
        Impossible if the entry does not exist. Raises Illegal, Unreadable or Impossible for entries
        that could not have been recorded at that point.
        """
        from scorekeeper.match.amend import Amendment, judge_amendment, report_amendment

        if before and not texts:
            raise Unreadable(tr("there is nothing to insert"))
        for _ in range(MAX_TRIES):
            self.refresh()
            whole = self.full_match()
            rulings = judge_amendment(whole, Amendment(number, entry, texts, before), language)
            change = Amendment(number, entry, tuple(ruling.entry for ruling in rulings), before)
            amended = whole.amended(number, entry, *change.texts, before=before)
            report = (make_report or report_amendment)(whole, amended, change, rulings)
            if confirm is not None and not confirm(report):
                return report
            replaced = whole.rounds[whole.find_round_index(number, entry, before)].entries[
                entry - 1 : entry
            ]
            text = "\n".join(change.texts or replaced)
            try:
                self._rewrite(log_row(change.kind, number, entry, text), whole, amended)
            except Conflict:
                continue
            return report._replace(is_saved=True)
        raise Impossible(
            tr("nothing was amended, because other programs keep recording in this match"),
            tr("try again"),
        )

    def _rewrite(self, row: LogRow, before: Match, after: Match) -> None:
        """Store a correction, and update the cache of its round and of later rounds.

        If the number of rounds changes, the positions of later rounds refer to an outdated log. The
        match can then no longer be continued from these rounds.
        """
        moved = len(before.rounds) != len(after.rounds)
        known = [each for each in self.rounds() if not moved or each.number < row.round]
        begins = {1: 1, **{cached.number: cached.first_position for cached in known}}
        finished = [
            make_round_row(after, played, begins.get(played.number))
            for played in after.rounds
            # a correction can make another round the last one
            if played.number >= row.round - moved
        ]
        with self._restoring_on_failure(), self.store.batch():
            self._write([row], after, finished=finished, reopened=row.round + (not moved))
            self.load()


def log_row(kind: str, number: int, entry: int, text: str) -> LogRow:
    """Return the log row of an operation, which names this process as the recorder.

    `number` is the number of the round.
    """
    return LogRow(kind, number, entry, text, None, current_recorder())


def current_recorder() -> str:
    """Return the name of the recorder, which consists of the user and the process."""
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "somebody"
    return f"{user[:40]}@{os.getpid()}"


# --- the state that follows from a log


class LoggedOperation(NamedTuple):
    """An operation that is in effect.

    `replaced` are the entries that an amendment replaced. `emptied_round` is set if the amendment
    removed the only entry of its round.
    """

    row: LogRow
    replaced: list[str]
    emptied_round: bool = False


class LogState:
    """The entries and operations that are in effect after some rows of a log.

    `rounds` are the entries of the rounds from `first` on. `operations` are all operations that
    have not been undone, including operations in earlier rounds. Raises Damaged for a row that
    contradicts the rows before it.
    """

    def __init__(self, rows: Iterable[LogRow], first: int = 1) -> None:
        self.first = first
        self.rounds: list[list[str]] = []
        self.operations: list[LoggedOperation] = []
        for row in rows:
            self.add(row)

    def copy(self) -> LogState:
        """Return an independent copy of the state."""
        other = LogState((), self.first)
        other.rounds = [list(texts) for texts in self.rounds]
        other.operations = list(self.operations)
        return other

    def add(self, row: LogRow) -> None:
        """Apply the next row of the log."""
        index = row.round - self.first
        try:
            if row.kind == "entry":
                self._enter(row, index)
            elif row.kind == "undo":
                self._undo(row)
            elif row.kind == "restore":
                self._restore(row, index)
            else:
                self._amend(row, index)
        except (IndexError, ValueError):
            at = f"{row.round}.{row.number}"
            raise Damaged(
                tr(
                    "the log is damaged at position {position}: {kind} refers to {at}, which "
                    "does not exist",
                    position=row.position,
                    kind=row.kind,
                    at=at,
                ),
                tr("restore a backup of the book"),
            ) from None

    def _enter(self, row: LogRow, index: int) -> None:
        if index == len(self.rounds):
            self.rounds.append([])
        self.rounds[index].append(row.text)
        self.operations.append(LoggedOperation(row, []))

    def _undo(self, row: LogRow) -> None:
        """Remove the last entry and its amendments. Later operations on other entries remain in
        effect."""
        last = self.rounds[-1]
        at = (self.first + len(self.rounds) - 1, len(last))
        last.pop()
        if not last:
            self.rounds.pop()
        index = max(n for n, done in enumerate(self.operations) if done.row.kind == "entry")
        remaining = [
            done for done in self.operations[index + 1 :] if (done.row.round, done.row.number) != at
        ]
        self.operations[index:] = remaining

    def _amend(self, row: LogRow, index: int) -> None:
        replaced: list[str] = []
        if index >= 0:
            texts = self.rounds[index]
            start, count = row.number - 1, row.kind != "insert"
            if not 0 <= start <= len(texts) - count:
                raise IndexError
            replaced = texts[start : start + count]
            texts[start : start + count] = inserted_entries(row)
            if not texts:
                del self.rounds[index]
        alone = index >= 0 and not texts
        self.operations.append(LoggedOperation(row, replaced, alone))

    def _restore(self, row: LogRow, index: int) -> None:
        last = self.operations.pop()
        if (last.row.round, last.row.number) != (row.round, row.number):
            raise IndexError
        if last.emptied_round:
            self.rounds.insert(index, last.replaced)
        elif index >= 0:
            start = row.number - 1
            self.rounds[index][start : start + len(inserted_entries(last.row))] = last.replaced


def current_entries(rows: Iterable[LogRow], first: int = 1) -> list[list[str]]:
    """Return the valid entries after the rows of a log, by round, from round `first` on."""
    return LogState(rows, first).rounds


def inserted_entries(row: LogRow) -> list[str]:
    """Return the entries that an amendment inserts."""
    return [] if row.kind == "remove" else row.text.split("\n")


def number_entries(rows: Iterable[LogRow]) -> dict[int, list[str]]:
    """Return the current entry numbers, such as `2.5`, of the entries that each row recorded.

    The result maps the position of each row to these numbers.
    """
    marked = [
        row._replace(text="\n".join(str(row.position) for _ in row.text.split("\n")))
        for row in rows
    ]
    places: dict[int, list[str]] = {}
    for number, marks in enumerate(current_entries(marked), 1):
        for entry, position in enumerate(marks, 1):
            places.setdefault(int(position), []).append(f"{number}.{entry}")
    return places


# --- descriptions of operations


def describe_row(row: LogRow, show: Callable[[str], str] = str) -> str:
    """Describe an operation. `show` formats each entry."""
    return tr(_DESCRIPTIONS[row.kind], entries="; ".join(map(show, row.text.split("\n"))))


def describe_row_for_others(row: LogRow, show: Callable[[str], str] = str) -> str:
    """Describe an operation for people other than its recorder. `show` formats each entry."""
    if row.kind in ("entry", "undo"):
        message = (
            N_("{who} entered: {entry}") if row.kind == "entry" else N_("{who} undid: {entry}")
        )
        return tr(message, who=recorder_name(row), entry=show(row.text))
    return f"{recorder_name(row)}: {row.round}.{row.number} {describe_row(row, show)}"


def recorder_name(row: LogRow) -> str:
    """Return the user who recorded a row, without the process."""
    return row.recorder.rpartition("@")[0] or row.recorder


def describe_undone(done: LoggedOperation, show: Callable[[str], str] = str) -> str:
    """Describe an undone operation. For an amendment, include the entries that are valid again."""
    if done.row.kind == "entry":
        return show(done.row.text)
    text = f"{done.row.round}.{done.row.number} {describe_row(done.row, show)}"
    return (
        tr("{done} (restored: {entries})", done=text, entries="; ".join(map(show, done.replaced)))
        if done.replaced
        else text
    )


# --- cache rows of rounds, and data of matches for lists


def make_round_row(
    match: Match, played: RoundRecord, first: int | None, finished: ReviewedRound | None = None
) -> RoundRow:
    """Return the cache row of a round that begins at position `first` of the log.

    Unless the round is live, the row contains its result and its entries. Pass `finished` if the
    round's review is already available.
    """
    if played is match.rounds[-1] and not played.over:
        return RoundRow(played.number, first, dict(played.before))
    # imported here because only finished rounds need it
    from scorekeeper.match.summary import compact_entry, list_entries

    finished = finished or match.review_for_storage(played)
    notation = notation_for(match.ruleset.lexicon, tuple(match.players))
    entries = as_json([*map(compact_entry, list_entries(*finished, notation))])
    return RoundRow(played.number, first, dict(played.before), finished.summary, entries)


def restore_match(row: MatchRow, ruleset: Ruleset, standing: Standing | None, first: int) -> Match:
    """Return a stored match in the state before its round `first`, without entries.

    Raises Damaged for players whom the rules cannot seat.
    """
    try:
        return Match(ruleset, row.players, standing, first, from_storage=True)
    except (Unreadable, Impossible) as failure:
        raise Damaged(
            tr("match {match} is damaged: {why}", match=row.id, why=failure.message),
            tr("to list the intact matches and save them: scorekeeper check-book --save FOLDER"),
        ) from failure


def is_standing(standing: JsonValue, ruleset: Ruleset, players: Sequence[str]) -> bool:
    """Return whether a value is a valid standing.

    It may be invalid if another program has written it.
    """
    known = first_standing(ruleset, len(players))
    if not isinstance(standing, dict) or not known.keys() <= standing.keys():
        return False
    try:
        count = len(seated_names(standing, players))
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


def summarize_match(match: Match) -> Json:
    """Return the data of a match for the match list.

    `ahead` are the players who would win if the match ended now. `left` are players who have left
    the table, and `since` are the changes to tallies in the live round. These two keys are omitted
    if they are empty.
    """
    summary: Json = {"scores": match.scores, "over": match.over, "ahead": match.current_winners}
    seated = match.seated_players
    absent = [name for name in match.scores if name not in seated]
    since = _live_changes(match)
    return {
        **summary,
        **({"left": absent} if absent else {}),
        **({"since": since} if since else {}),
    }


def _live_changes(match: Match) -> dict[str, int]:
    """Return the changes to tallies in the live round so far. Only penalties make such changes."""
    if not match.rounds or match.rounds[-1].over:
        return {}
    live = match.live_round
    tallies = zip(live.names, live.seating.tally, live.seating.starting_tally, strict=True)
    return {name: now - before for name, now, before in tallies if now != before}
