"""A match: rounds of one ruleset between named players.

A match stores the text of its entries. Scores, findings and standings are computed from this text.
`Match.record` refuses an illegal entry. `Match.play_round` accepts a whole written round and
reports its errors.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible
from scorekeeper.core.messages import (
    ENGLISH,
    Prompt,
    current_language,
    join_list,
    plural,
    tr,
    using_language,
)
from scorekeeper.core.rulings import ILLEGAL, Finding, Illegal, Ruling, worst_verdict
from scorekeeper.core.text import quote
from scorekeeper.engine.referee import Legal, judge, options, resolve
from scorekeeper.engine.replay import Replay, RoundRecord, repeats_decision
from scorekeeper.engine.round import Round
from scorekeeper.engine.scoring import (
    apply_score,
    first_standing,
    next_standing,
    note_ruleset_errors,
)
from scorekeeper.engine.seating import (
    PREFERRED,
    ROSTER,
    ROSTER_VERBS,
    all_names,
    check_new_player,
    checked_names,
    notation_for,
    seated_names,
    seating_error,
    tallies_by_name,
)
from scorekeeper.engine.setup import check_start, is_repeated, missing_fact
from scorekeeper.engine.state import HeardWindows
from scorekeeper.match.public import (
    DIVERGED_TEXT,
    PublicEntries,
    PublicRound,
    add_public,
    announced_score,
    contradicts_public,
    pending_decision,
    public_standing,
    public_texts,
    reconcile,
    redact,
    replay_public,
)
from scorekeeper.match.remedies import explain_score, later_decisions, standing_after
from scorekeeper.match.view import MatchView, ReviewedRound, WrittenRound
from scorekeeper.notation import WITHDRAWN, Entry, find_decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.rulings import SettledAct
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.scoring import Score
    from scorekeeper.match.public import PendingDecision
    from scorekeeper.notation import Notation

    EntryPlace = tuple[int, int]  # a round number and an entry number, both counted from 1

MAX_SNAPSHOTS = 200  # number of entries that can be undone without replaying the round


class Match(MatchView):
    """A match under a ruleset, from its first entry to its last.

    `players` are 2 or more distinct names in clockwise order. To resume a match before a later
    round, pass its `standing` and its `number` (from 1). Pass `from_storage` if the names are read
    from a book or a record. Such names were checked when the match was created, so they are
    accepted even if a newer ruleset uses one of them as a word.

    Raises Unreadable if two names are too similar or a name is a word of the game. Raises
    Impossible if the ruleset does not allow this number of players.

    `ruleset` is the compiled ruleset, and `rounds` lists the rounds that have begun, oldest first.
    `first_number` is the number of the oldest round in this list, and `first_standing` is the
    standing before that round.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> match.to_act
    ['Ana']
    >>> match.record("2x3")
    <Ruling Ana: 2x3: legal>
    >>> match.record("Ben: dudo").entry, match.state["phase"]
    ('Ben: dudo', 'reveal')
    >>> match.undo()
    'Ben: dudo'
    >>> match.position
    'dudo: Ana, Ben; lead Ana; Ana: 2x3'
    >>> match
    <Match dudo: Ana 5, Ben 5; to act: Ben; last: 1.1 Ana: 2x3>
    >>> Match(load_ruleset("dudo"), ["Ana"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    scorekeeper.core.errors.Impossible: ...
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: Sequence[str],
        standing: Standing | None = None,
        number: int = 1,
        *,
        from_storage: bool = False,
    ) -> None:
        names = tuple(players) if from_storage else checked_names(ruleset.lexicon, tuple(players))
        self._notation = notation_for(ruleset.lexicon, names)
        self._initial_players = list(self._notation.names)
        refused = seating_error(ruleset, len(names))
        if refused:
            raise Impossible(refused)
        self.ruleset = ruleset
        self.rounds: list[RoundRecord] = []
        self.first_number = number
        self.first_standing = standing or first_standing(ruleset, len(names))
        self._live: Round | None = None
        self._next: Round | None = None
        self._public: PublicRound | None = None
        self._snapshots: deque[Round | None] = deque(maxlen=MAX_SNAPSHOTS)

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {points}" for name, points in self.scores.items())
        parts = [scores, "over" if self.over else f"to act: {', '.join(self.to_act) or 'nobody'}"]
        if self.rounds:
            last = self.rounds[-1]
            at = f"{last.number}.{len(last.entries)}"
            parts.append(f"last: {at} {quote(last.entries[-1])}")
        return f"<Match {quote(self.ruleset.name)}: {'; '.join(parts)}>"

    # --- single entries

    def judge(self, text: str) -> Ruling:
        """Return the ruling on an entry without recording it.

        `text` is one entry, such as `"Ana: 2x3"` or `"2x3"`. The player's name may be left out if
        only one player can be meant. Words from the ruleset's other languages are also accepted.

        Raises Unreadable if the text is not an entry. Raises Impossible if the entry contradicts
        the state of the table, for example if the played card is in another hand.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.judge("2x3").entry
        'Ana: 2x3'
        >>> match.judge("Ben: 2x3").verdict
        'illegal'
        >>> match.rounds
        []
        >>> match.judge("two threes")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        scorekeeper.core.errors.Unreadable: ...
        """
        rnd, entry, findings = self._read_and_judge(text)
        if not entry.decision and worst_verdict(findings) == ILLEGAL:
            return Ruling(entry.text, tuple(findings))
        ruling, _ = _apply_judged(rnd.copy(), entry, findings)
        return ruling.without_settled() if ruling.refused and not entry.decision else ruling

    def record(self, text: str) -> Ruling:
        """Judge an entry, record it, and return the ruling.

        If an illegal act really happened at the table, record it with the table's decision. Add
        `!stands` to let it count, or `!withdrawn` to record it without effect.

        Raises Unreadable and Impossible like `judge`. Raises Illegal if the entry is illegal and
        has no decision. After an exception the match is unchanged.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.record("2x3").verdict
        'legal'
        >>> match.record("Ana: 2x4")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        scorekeeper.core.rulings.Illegal: Ana: 2x4: illegal: ...
        >>> match.record("Ana: 2x4 !withdrawn").verdict
        'illegal'
        >>> match.rounds[0].entries
        ['Ana: 2x3', 'Ana: 2x4 !withdrawn']
        """
        rnd, entry, findings = self._read_and_judge(text)
        ruling = Ruling(entry.text, tuple(findings))
        if ruling.refused and not entry.decision:
            raise Illegal(ruling)
        after = rnd.copy()
        ruling, score = _apply_judged(after, entry, findings)
        # the entry itself is legal, but a card that it shows breaks a rule
        if ruling.refused and not entry.decision:
            raise Illegal(ruling.without_settled())
        self._snapshots.append(self._live)
        if rnd is not self._live:
            self.rounds.append(RoundRecord(rnd.number, rnd.seating.first_standing, rnd.names))
        self._live, self._next = after, None
        played = self.rounds[-1]
        played.entries.append(entry.text)
        played.update_from(after, score)
        played.findings = list(after.log.all_findings())
        return ruling

    def _read_and_judge(self, text: str) -> tuple[Round, Entry, list[Finding]]:
        """Return the round to which an entry belongs, the parsed entry, and the findings on it."""
        entry = self.notation.read(text)
        if entry.word == "joins":
            self._check_new_player(*entry.value)
        rnd = self._round_for(entry)
        if rnd.seating.seating_error:
            check_start(rnd, entry)
        entry = resolve(rnd, entry, self.notation)
        return rnd, entry, judge(rnd, entry)

    def _check_new_player(self, name: str, instead: bool, other: str) -> None:
        """Raise Unreadable if the name of a player who joins is not allowed.

        A former player may rejoin under the same name, even if a newer ruleset uses the name as
        a word.
        """
        known = {player.casefold() for player in self.players}
        if name.casefold() not in known:
            check_new_player(self.ruleset.lexicon, name, instead, other)

    def _round_for(self, entry: Entry) -> Round:
        """Return the round to which an entry belongs. This may be a new round."""
        live = self._live
        if live is None:
            return self._next_round()
        if self.is_round_over:
            if entry.type.is_shorthand or not (live.over or live.ended):
                return self._next_round()
            phase = self.ruleset.phase_of[entry.type.word]
            if not (phase.may_follow(live, entry) or self._is_of_finished_round(live, entry)):
                return self._next_round()
        if self.rounds[-1].failed_entry or self.diverged_at:
            raise self._stuck_error()
        return live

    def _is_of_finished_round(self, rnd: Round, entry: Entry) -> bool:
        """Return whether an entry belongs to a round that was already decided by starting facts.

        If an entry states a new fact, it belongs to that round. So does a result that confirms the
        round's score. A different result belongs to the next round. So does a repeated fact, unless
        the match has ended.
        """
        if not rnd.decided_by_setup or not entry.type.is_setup_fact:
            return rnd.decided_by_setup and repeats_decision(rnd, entry)
        return self.over or not is_repeated(rnd, entry)

    @property
    def legal(self) -> Legal:
        """A view of the entries that are legal now, for all players who may act (see `Legal`).

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.legal()[:3]
        ['Ana: 1x2', 'Ana: 1x3', 'Ana: 1x4']
        >>> "Ana: 5x6" in match.legal
        True
        >>> "Ben: 5x6" in match.legal
        False
        """
        return Legal(self.judge, self._legal_texts)

    def _legal_texts(self, notation: Notation | None) -> Iterator[str]:
        """Yield the legal entries as canonical text in the given notation."""
        if not (self.over or self._is_stuck):
            for entry in options(self.current_round, notation or self.notation):
                yield entry.text

    # --- corrections

    def undo(self) -> str:
        """Remove the last entry and return its text.

        If this leaves a round without entries, the round is removed too. Raises Impossible if there
        is no entry.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.record("2x3").entry
        'Ana: 2x3'
        >>> match.undo()
        'Ana: 2x3'
        >>> match.rounds
        []
        >>> match.undo()  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        scorekeeper.core.errors.Impossible: ...
        """
        if not self.rounds:
            raise Impossible(tr("there is nothing to undo"))
        if not self._snapshots:
            self._replay(self.rounds[-1].entries)
        played = self.rounds[-1]
        text = played.entries.pop()
        if not self._snapshots:
            self._replay(played.entries)
            return text
        self._live, self._next = self._snapshots.pop(), None
        if not played.entries:
            self.rounds.pop()
        if self._live is not None:
            self._step_back(self._live, self.rounds[-1])
        return text

    def _step_back(self, rnd: Round, played: RoundRecord) -> None:
        """Restore the score and the findings of the current round from its latest snapshot."""
        score = apply_score(rnd)
        note_ruleset_errors(rnd)
        played.update_from(rnd, score)
        if not played.failed_entry:
            played.findings = list(rnd.log.all_findings())
            played.ignored = [each for each in played.ignored if each <= len(played.entries)]

    def _replay(self, entries: Sequence[str]) -> None:
        """Replay the current round with these entries, or the previous round if there are none.

        Afterwards the last entry can be undone from a snapshot.
        """
        played = self.rounds.pop()
        if not entries and self.rounds:
            played = self.rounds.pop()
            entries = played.entries
        self._live = self._next = None
        if not entries:
            return
        steps: deque[Round | None] = deque(maxlen=MAX_SNAPSHOTS)
        if not self._play(list(entries), played.before, steps).failed_entry:
            self._snapshots = steps

    def amended(self, number: int, entry: int, *texts: str, before: bool = False) -> Match:
        """Return a new match in which entry `entry` of round `number` is replaced by `texts`.

        Both numbers count from 1. If there are no `texts`, the entry is removed. If `before` is
        true, they are inserted in front of the entry. To insert them at the end of the round, pass
        the number after the last entry. All later entries are judged again, as in `play_round`. If
        a round loses its only entry, the round is removed.

        Raises Impossible if there is no such entry. Also raises Impossible if a later entry refers
        to another entry by a number that would change. Raises Unreadable if one of `texts` is not
        an entry.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> played = match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"])
        >>> match.scores
        {'Ana': 5, 'Ben': 4}
        >>> match.amended(1, 3, "count 1").scores
        {'Ana': 4, 'Ben': 5}
        >>> match.amended(1, 2, "Ben: 3x3", "Ana: dudo").rounds[0].entries
        ['Ana: 2x3', 'Ben: 3x3', 'Ana: dudo', 'count 2']
        >>> match.amended(1, 3).over, match.amended(1, 3).rounds[0].scores
        (False, None)
        >>> match.amended(1, 1, "note at the pub", before=True).rounds[0].entries[0]
        'note at the pub'
        >>> match.amended(2, 1)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        scorekeeper.core.errors.Impossible: ...
        """
        index = self.find_round_index(number, entry, before)
        self._check_readable(self.rounds[index], entry, texts)
        self._check_references(number, entry, 1 - before, len(texts))
        match = self.copy_from_start()
        for position, played in enumerate(self.rounds):
            entries = list(played.entries)
            if position == index:
                entries[entry - 1 : entry - before] = texts
            if entries:
                match.play_round(entries)
        return match

    def _check_readable(self, played: RoundRecord, entry: int, texts: Sequence[str]) -> None:
        """Raise Unreadable for text that is not an entry at this place in a round.

        Only players who have joined before this place can be named.
        """
        there, written = self.copy_before_entry(played, entry), played.entries[: entry - 1]
        for text in texts:
            written.append(text)
            if there.notation.read(text).word in ROSTER_VERBS:
                there = self.copy_from(played.before, played.number)
                there.play_round(written)

    def _check_references(
        self, number: int, entry: int, removed_count: int, inserted_count: int
    ) -> None:
        """Raise Impossible if an amendment would make a reference point to a different entry.

        The amendment removes `removed_count` entries of the round, starting at `entry`, and inserts
        `inserted_count` new ones. An entry such as a claim may refer to another entry by its
        number.
        """
        if removed_count == inserted_count or not any(
            verb.find_reference for verb in self.ruleset.entry_types.values()
        ):
            return
        amended = self.rounds[number - self.first_number]
        is_gone = (
            len(amended.entries) == removed_count and not inserted_count
        )  # removing this round renumbers the later rounds
        for at, names, text in reversed(list(self._references())):
            stays = at[0] != number or not entry <= at[1] < entry + removed_count
            moves = names[0] == number and names[1] >= entry
            if stays and (moves or (is_gone and names[0] >= number and names[0] != at[0])):
                where = f"{at[0]}.{at[1]}"
                raise Impossible(
                    tr(
                        "“{text}” ({where}) refers to an entry whose number would change",
                        text=text,
                        where=where,
                    ),
                    tr(
                        "remove it first ({remove}), then insert it again with the new "
                        "number ({put_in})",
                        remove=f"amend --remove {where}",
                        put_in="amend --before",
                    ),
                )

    def _references(self) -> Iterator[tuple[EntryPlace, EntryPlace, str]]:
        """Yield three values for each entry that refers to another entry.

        The values are the place of the entry, the place to which it refers, and its text.
        """
        for played in self.rounds:
            for at, entry in enumerate(self.notation_of(played).read_all(played.entries), 1):
                names = entry.type.find_reference and entry.type.find_reference(entry.value)
                if names:
                    of = (names[0] or played.number, names[1])
                    yield (played.number, at), of, entry.text

    def find_round_index(self, number: int, entry: int, before: bool = False) -> int:
        """Return the index of round `number` in `rounds`.

        Raises Impossible if the round has no entry with number `entry`. If `before` is true,
        `entry` may also be the number after the last entry.
        """
        index = number - self.first_number
        count = len(self.rounds[index].entries) if 0 <= index < len(self.rounds) else 0
        if count and 1 <= entry <= count + before:
            return index
        raise Impossible(
            tr("there is no entry {number}.{entry}", number=number, entry=entry),
            self._numbering_hint(number, count),
        )

    def _numbering_hint(self, number: int, count: int) -> str:
        """Return a hint that lists the existing entry numbers."""
        if count:
            return plural(
                "round {number} has only entry 1; {command} lists it",
                "round {number} has entries 1 to {count}; {command} lists them",
                count,
                number=number,
                command="status --log",
            )
        if not self.rounds:
            return tr("no entry has been recorded yet")
        last = self.rounds[-1]
        return tr("the last entry is {at}", at=f"{last.number}.{len(last.entries)}")

    # --- written rounds

    def play_round(self, texts: Iterable[str], before: Standing | None = None) -> RoundRecord:
        """Add a whole written round and return its record, even if the round has errors.

        `texts` are its entries in order. If `before` is given, the round begins with this standing.

        An illegal entry without a decision is reported, and it counts if it can be applied. An
        unreadable or impossible entry ends the round. That entry and all later ones are stored, but
        they do not count. After the end of the match no entry counts. The record's `findings` are
        pairs of an entry number (from 1) and a `Finding`. They include findings that a later entry
        proved.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> played = match.play_round(["Ana: 2x3", "Ben: 1x3", "Ben: dudo", "count 2"])
        >>> [(number, finding.code) for number, finding in played.findings]
        [(2, 'bids.same-or-lower-face'), (3, 'bids.caller-doubt')]
        >>> played.scores, played.counts(2), played.failed_entry
        ({'Ana': 0, 'Ben': -1}, True, 0)
        >>> match.play_round(["Ben: 2x3", "nonsense", "Ana: dudo"]).failed_entry
        2
        """
        return self._play(list(texts), self.standing if before is None else before, None)

    def _play(
        self, texts: list[str], standing: Standing, snapshots: deque[Round | None] | None
    ) -> RoundRecord:
        """Replay a written round from the given standing. Add snapshots to `snapshots` unless it is
        None."""
        number = self.first_number + len(self.rounds)
        fold = Replay(Round(self.ruleset, self._initial_players, number, standing, gathering=True))
        fold.take(texts, snapshots)
        self._snapshots.clear()
        self.rounds.append(fold.played)
        self._live, self._next = fold.rnd, None
        return fold.played

    def copy_from_start(self) -> Match:
        """Return a copy of the match as it was before its first round."""
        return self.copy_from(self.first_standing, self.first_number)

    def copy_from(self, standing: Standing, number: int) -> Match:
        """Return a match with the same players and rules that begins with round `number` (from 1).

        The given standing determines which players are at the table.
        """
        return Match(self.ruleset, self._initial_players, standing, number, from_storage=True)

    def copy_before_entry(self, played: RoundRecord, entry: int) -> Match:
        """Return a match that contains only the given round, as it was before entry `entry` (from
        1)."""
        alone = self.copy_from(played.before, played.number)
        if entry > 1:
            alone.play_round(played.entries[: entry - 1])
        return alone

    # --- players and notation

    @property
    def players(self) -> list[str]:
        """The names of all players who have ever been at the table.

        The initial players are listed clockwise, followed by the others in the order in which they
        joined.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.record("joins Cleo after Ben").entry
        'joins Cleo after Ben'
        >>> match.players
        ['Ana', 'Ben', 'Cleo']
        """
        return all_names(self._seating_standing, self._initial_players)

    @property
    def seated_players(self) -> list[str]:
        """The names of the players at the table, clockwise."""
        return seated_names(self._seating_standing, self._initial_players)

    @property
    def initial_players(self) -> list[str]:
        """The names of the players who started the match, clockwise."""
        return list(self._initial_players)

    @property
    def _seating_standing(self) -> Standing:
        """A standing that contains the current players in their current seats."""
        live = self._live
        return self.first_standing if live is None else live.setup.reseated or live.seating.standing

    @property
    def notation(self) -> Notation:
        """The notation for entries made now, with the names of the players at the table."""
        names = (
            self._initial_players
            if self._live is None and ROSTER not in self.first_standing
            else self.seated_players
        )
        if names != self._notation.names:
            away = tuple(name for name in self.players if name not in names)
            self._notation = notation_for(self.ruleset.lexicon, tuple(names), away)
        return self._notation

    @property
    def full_notation(self) -> Notation:
        """The notation for entries in any round, with the names of all players so far."""
        return notation_for(self.ruleset.lexicon, tuple(self.players))

    def notation_of(self, played: RoundRecord) -> Notation:
        """Return the notation for entries in the given round, with the names of its players."""
        return notation_for(self.ruleset.lexicon, tuple(played.names))

    # --- current state

    @property
    def standing(self) -> Standing:
        """The carry-over state after the most recent round, or before the first, as JSON values.

        `tally` lists the points by seat, and `dealer` and `leader` are seats from 0. `carry` holds
        the carry-over state of the phases. `over` is true after the end of the match.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.standing["tally"], match.standing["leader"], match.standing["over"]
        ([5, 5], 0, False)
        """
        if self._live is None:
            return self.first_standing
        public = self._last_public
        if public is not None and public.standing is not None:
            return public.standing
        live = self._live
        return standing_after(live) if live.over else next_standing(live)

    @property
    def over(self) -> bool:
        """True if the match has ended. No entry can be recorded then.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.over
        False
        >>> played = match.play_round(["standing Ben: 1", "Ana: 2x3", "Ben: dudo", "count 2"])
        >>> match.over, match.winners
        (True, ['Ana'])
        """
        return bool(self.standing["over"])

    @property
    def preferred(self) -> list[str]:
        """The names of the only players who can win. The list is empty if every player can win."""
        return [self.seated_players[seat] for seat in self.standing.get(PREFERRED, ())]

    @property
    def scores(self) -> dict[str, int]:
        """The tally of every player who has ever been at the table, by name.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.scores
        {'Ana': 5, 'Ben': 5}
        >>> match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"]).scores
        {'Ana': 0, 'Ben': -1}
        >>> match.scores
        {'Ana': 5, 'Ben': 4}
        """
        return tallies_by_name(self.standing, self._initial_players)

    @property
    def to_act(self) -> list[str]:
        """The names of the players who may act now. The player whose turn it is comes first.

        The list is empty after the end of the match, and while a fact about the table must be
        stated first.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.to_act
        ['Ana']
        >>> match.record("2x3").entry, match.to_act
        ('Ana: 2x3', ['Ben'])
        >>> match.record("dudo").entry, match.to_act  # now the dice are counted
        ('Ben: dudo', [])
        """
        if self.over or self._is_stuck or self.current_round.seating.seating_error:
            return []
        return self.current_round.names_of(self.current_round.waiting())

    @property
    def prompt(self) -> str:
        """A sentence that describes what must happen next (see `full_prompt`).

        >>> Match(load_ruleset("dudo"), ["Ana", "Ben"]).prompt
        'Ana starts with a bid'
        """
        return self.full_prompt.text

    @property
    def full_prompt(self) -> Prompt:
        """The sentence that describes what must happen next.

        It has one version for players and one for spectators.
        """
        if self.over:
            return Prompt(tr("the match is over"))
        if self._is_stuck:
            return Prompt(str(self._stuck_error()))
        now = self.current_round
        if now.seating.seating_error:
            return Prompt(f"{now.seating.seating_error}: {now.seating.seating_hint}")
        if now.conflicts:
            if missing := missing_fact(now):
                return Prompt(missing)
            return Prompt(
                tr("the facts at the start contradict each other: {say}", say=now.conflicts[0][0])
            )
        if now.phase is None:
            return Prompt(tr("the round is over"))
        return now.phase.view(now).prompt()

    @property
    def state(self) -> Json:
        """The current state of the table as a dictionary of JSON values, built from all entries.

        Its keys are `round phase to_act over scores bindings sides table talon players owed`,
        and `faults` if the ruleset has remedies. `docs/json.md` describes them.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.state["round"], match.state["phase"], match.state["to_act"]
        (1, 'bids', ['Ana'])
        >>> match.state["players"]["Ben"]
        {'dice': 5, 'out': False}
        >>> match.record("2x3").entry, match.state["table"]
        ('Ana: 2x3', [{'who': 'Ana', 'bid': '2x3'}])
        """
        from scorekeeper.match.status import describe, describe_bare

        coming = None if self.over else self.current_round
        if self.shows_entries_only:
            return describe_bare(self.shown_round, coming is None, self.to_act, self.scores)
        return describe(self.shown_round, coming, self.to_act, self.scores)

    def score_sentences(self, played: RoundRecord) -> list[str]:
        """Return the reasons for a round's score as sentences.

        While the round is in progress, the sentences describe the decisions on its faults.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.score_sentences(match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"]))
        ['2 dice show 1 or 3; Ana had bid 2x3']
        """
        if not (played.over or played.lines):
            return []
        rnd = self.replay_round(played)
        after = [each for each in self.rounds if each.number == played.number + 1]
        later = [text for each in after for text in later_decisions(rnd, self.replay_round(each))]
        return [*later, *explain_score(rnd)]

    # --- current round

    @property
    def live_round(self) -> Round:
        """The round in progress or, if there is none, the most recent round.

        Before the first entry, this is the first round.
        """
        return self._live if self._live is not None else self._next_round()

    @property
    def shown_round(self) -> Round:
        """The round to display: the live round, or the final round of a finished match."""
        return self.live_round if not (self.over and not self.rounds) else self.current_round

    @property
    def current_round(self) -> Round:
        """The round to which the next act belongs. After a finished round, this is a new round."""
        live = self._live
        if live is None or (self.is_round_over and not self.over):
            return self._next_round()
        return live

    @property
    def is_round_over(self) -> bool:
        """True if the most recent round is finished, either by its entries or by its announced
        score."""
        live, public = self._live, self._last_public
        if live is None:
            return False
        if public is not None and public.standing is not None:
            return public.standing is not live.seating.first_standing
        return live.over or live.ended

    def _next_round(self) -> Round:
        """Return the round that the next entry opens. Raises Impossible if the match has ended."""
        standing = self.standing
        if standing["over"]:
            raise Impossible(
                self._outcome_message(), tr("start another one with {command}", command="new")
            )
        if self._next is None:
            number = self.first_number + len(self.rounds)
            self._next = Round(self.ruleset, self._initial_players, number, standing)
        return self._next

    def _outcome_message(self) -> str:
        """Return a message that the match is over. The message names the winners."""
        winners = self.winners
        if not winners:
            return tr("the match is over")
        return plural(
            "the match is over: {names} has won",
            "the match is over: {names} have won",
            len(winners),
            names=join_list(winners),
        )

    @property
    def _is_stuck(self) -> bool:
        """True if an impossible or unreadable entry blocks the round in progress."""
        if self._live is None or self.is_round_over:
            return False
        return self.rounds[-1].failed_entry > 0 or self.diverged_at > 0

    def _stuck_error(self) -> Impossible:
        """Return the error that explains why no further entry can be recorded."""
        played = self.rounds[-1]
        if self._public is not None and self.diverged_at:
            at = f"{played.number}.{self.diverged_at}"
            entry = quote(self._public.texts[self.diverged_at - 1], 60)
            return Impossible(tr(DIVERGED_TEXT, at=at, entry=entry))
        at = f"{played.number}.{played.failed_entry}"
        return Impossible(
            tr(
                "entry {at} ({entry}) is impossible, and no later entry counts until it is "
                "corrected",
                at=at,
                entry=quote(played.entries[played.failed_entry - 1], 60),
            ),
            tr(
                "correct it with {amend}, remove it with {remove}, or take back the last "
                "entry with {undo}",
                amend=f"amend {at} ENTRY",
                remove=f"amend {at} --remove",
                undo="undo",
            ),
        )

    # --- past rounds

    def replay_round(self, played: RoundRecord) -> Round:
        """Return the final state of a round of this match, replayed from its entries."""
        if self._live is not None and played is self.rounds[-1]:
            return self._live
        alone = self.copy_from(played.before, played.number)
        alone.play_round(played.entries)
        return alone.live_round

    def round_at_start(self, played: RoundRecord) -> Round:
        """Return a round of this match as it was before its first entry."""
        return Round(self.ruleset, self._initial_players, played.number, played.before)

    def review_round(self, played: RoundRecord) -> ReviewedRound:
        """Return the entries of a round with its summary."""
        # imported only when needed, because recording an entry seldom ends a round
        from scorekeeper.match.summary import summarize

        rnd = self.replay_round(played)
        return ReviewedRound(played.entries, summarize(rnd, played, standing_after(rnd)["over"]))

    def review_for_storage(self, played: RoundRecord) -> ReviewedRound:
        """Return the entries of a round with its summary in English, for storage.

        Findings contain sentences in the language of the replay, so the round is replayed in
        English.
        """
        if current_language() == ENGLISH:
            return self.review_round(played)
        with using_language(None):
            alone = self.copy_from(played.before, played.number)
            return alone.review_round(alone.play_round(played.entries))

    def review(self) -> Iterator[ReviewedRound]:
        """Yield every round with its entries and its summary.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> played = match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"])
        >>> [reviewed.summary["changes"] for reviewed in match.review()]
        [{'Ana': 0, 'Ben': -1}]
        """
        return map(self.review_round, self.rounds)

    def written_rounds(self) -> Iterator[WrittenRound]:
        """Yield every round in the form that a record stores."""
        for played in self.rounds:
            dealer = seated_names(played.before, self._initial_players)[played.before["dealer"]]
            yield WrittenRound(played.entries, dealer, played.scores)

    # --- positions

    @property
    def position(self) -> str:
        """The current position as one line of text, for `from_position`.

        The line has the form `RULESET: NAME, …; ENTRY; …`. Its first entries are starting facts,
        such as `dealer`, `lead`, `standing` and `hand`. These facts describe the most recent moment
        at which no card was on the table. All entries since that moment follow. Calls and
        partnerships cannot be stated as facts. In rounds that have them, the line contains all
        entries since they were settled.

        The line preserves everything that determines the legal moves: the players and their
        tallies, the turn, the known cards, the cards on the table, the stock, the contract and
        trump.

        The line does not preserve tricks and points already won, cards seen after they left a hand,
        open findings and notes. It also leaves out the round number, players who left the table,
        ruleset options, and everything carried over from earlier rounds except tallies. Therefore a
        round that is continued from this position may end without a score.

        Raises Impossible if the position cannot be written as one line, or if an earlier entry
        cannot be applied.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.position
        'dudo: Ana, Ben; lead Ana'
        >>> match.record("2x3").entry, match.position
        ('Ana: 2x3', 'dudo: Ana, Ben; lead Ana; Ana: 2x3')
        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> played = match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"])
        >>> match.position
        'dudo: Ana, Ben; standing Ben: 4; lead Ben'
        """
        # imported only when needed, because recording uses no positions
        from scorekeeper.match.position import (
            format_heading,
            list_candidates,
        )

        if self._is_stuck:
            raise self._stuck_error()
        if self.shown_round.seating.seating_error:
            raise Impossible(
                self.shown_round.seating.seating_error, self.shown_round.seating.seating_hint
            )
        first = first_standing(self.ruleset, len(self.seated_players))
        rounds = [self.shown_round]
        if self._live is not None and self.current_round is not self._live:
            rounds.insert(0, self.current_round)
        for rnd in rounds:
            for entries in list_candidates(rnd, first, self.notation):
                text = "; ".join([format_heading(self.ruleset.name, self.seated_players), *entries])
                if self._reads_back(text):
                    return text
        raise Impossible(
            tr("this position cannot be written as one line"),
            tr("write a record of the match instead"),
        )

    def _reads_back(self, text: str) -> bool:
        """Return whether a string, read as a position, produces the current state of the match."""
        from scorekeeper.match.position import is_same_position

        try:
            other = Match.from_position(self.ruleset, text)
        except Failure:
            return False
        scores = {name: self.scores[name] for name in self.seated_players}
        if (scores, self.over, self.current_winners) != (
            other.scores,
            other.over,
            other.current_winners,
        ):
            return False
        if self.over:
            return True
        return (
            is_same_position(self.current_round, other.current_round)
            and self.legal() == other.legal()
        )

    @classmethod
    def from_position(cls, ruleset: Ruleset, text: str) -> Match:
        """Return the match that a position describes (see `position`).

        `ruleset` must be the one named in `text`. Raises Unreadable if the text is not a
        position. Raises Impossible if the text names another ruleset or if the position cannot
        occur. Raises Illegal if one of its acts breaks a rule.

        >>> dudo = load_ruleset("dudo")
        >>> match = Match.from_position(dudo, "dudo: Ana, Ben; standing Ben: 4; lead Ben; Ben: 2x3")
        >>> match.to_act, match.scores
        (['Ana'], {'Ana': 5, 'Ben': 4})
        >>> Match.from_position(dudo, "skat: Ana, Ben, Cleo")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        scorekeeper.core.errors.Impossible: ...
        """
        from scorekeeper.match.position import read_heading

        name, players, entries = read_heading(text)
        if name != ruleset.name:
            raise Impossible(
                tr(
                    "this is a position of {other}, not of {name}",
                    other=quote(name, 60),
                    name=ruleset.name,
                )
            )
        match = cls(ruleset, players, from_storage=True)
        for part in entries.split(";"):
            for entry in match.notation.split_line(part):
                match.record(entry)
        return match

    # --- public information

    @property
    def diverged_at(self) -> int:
        """The number of the first entry that contradicts public information, or 0 if none does.

        Only the most recent round is considered. Only a public copy (see `public_copy`) can have a
        number above 0.
        """
        public = self._last_public
        return public.diverged_at if public is not None else 0

    @property
    def shows_entries_only(self) -> bool:
        """True if the state of the most recent round cannot be computed from public information.

        Only the entries of the round can be shown then.
        """
        live = self._live
        unlike = live is not None and self.is_round_over and not (live.over or live.ended)
        return unlike or self.diverged_at > 0

    @property
    def pending_decision(self) -> PendingDecision | None:
        """The first entry that waits for a decision of the table, or None if no entry waits."""
        public = self._last_public
        return None if public is None or self.is_round_over else pending_decision(public)

    @property
    def _last_public(self) -> PublicRound | None:
        """The public information on the most recent round. Only a public copy has it."""
        return self._public if self._public is not None and self._public.rnd is self._live else None

    def public_copy(self, before: Standing | None = None) -> Match:
        """Return a copy of the match as the table has seen it.

        For hands that were entered, the copy contains only the number of cards. The announced
        scores of finished rounds are public. `before` is the public standing before the first
        round.
        """
        if before is None:
            before = public_standing(self.first_standing, self.ruleset, self.full_notation)
        match = self.copy_from(before, self.first_number)
        for public in self.public_rounds():
            match.add_public_round(public)
        return match

    def add_public_round(self, public: PublicEntries) -> PublicRound:
        """Replay the next round from its public entries, add it to the match, and return it."""
        number = self.first_number + len(self.rounds)
        replayed = replay_public(
            Round(self.ruleset, self._initial_players, number, self.standing), public
        )
        self._snapshots.clear()
        self.rounds.append(replayed.played)
        self._live, self._next, self._public = replayed.rnd, None, replayed
        return replayed

    def update_claim_windows(self, public: PublicEntries) -> None:
        """Set the claim windows that the referee has announced in the most recent round.

        Call this before recording the entries that opened the windows.
        """
        if self._live is not None:
            self._live.decisions.heard = public.claim_windows

    def accept_public(self, public: PublicEntries) -> bool:
        """Add the announced score to the most recent round, and return whether this was possible.

        It is impossible if the announcement contradicts the entries. All entries of the round must
        have been recorded.
        """
        live = self._live
        if live is None or contradicts_public(live, public):
            return False
        self._public = add_public(PublicRound(live, self.rounds[-1], public.texts, 0, None), public)
        self._next = None
        return True

    def public_rounds(self) -> Iterator[PublicEntries]:
        """Yield the public information on each round."""
        return map(self.public_entries, self.rounds, range(len(self.rounds)))

    def public_entries(self, played: RoundRecord, at: int = -1) -> PublicEntries:
        """Return the public information on the round with index `at`, by default the most recent
        one."""
        notation = self.notation_of(played)
        texts = public_texts(played, notation, lambda: self._public_start(played))
        last = at in (-1, len(self.rounds) - 1)
        # A round that never finished has no announced score, even if another round follows it.
        if not self.is_round_over if last else not played.over:
            return PublicEntries(texts, None, played.windows)
        left = self.standing if last else self.rounds[at + 1].before
        standing = public_standing(left, self.ruleset, self.full_notation)
        return PublicEntries(texts, announced_score(played, standing), played.windows)

    def _public_start(self, played: RoundRecord) -> Round:
        """Return a round as it was before its first entry, using public information only."""
        before = public_standing(played.before, self.ruleset, self.full_notation)
        rnd = Round(self.ruleset, self._initial_players, played.number, before)
        rnd.decisions.heard = HeardWindows(played.windows, len(played.entries))
        return rnd

    def public_texts(self, played: RoundRecord) -> list[str]:
        """Return the entries of a round as the table has seen them, one string for each entry.

        If later entries contradict a withdrawn entry, a note replaces the withdrawn entry. This is
        possible because a withdrawn entry has no effect.
        """
        notation = self.notation_of(played)
        texts = [redact(text, notation) for text in played.entries]
        if not any(find_decision(text) == WITHDRAWN for text in texts):
            return texts
        fresh = Round(self.ruleset, self._initial_players, played.number, played.before)
        return reconcile(fresh, texts)


def _apply_judged(rnd: Round, entry: Entry, findings: list[Finding]) -> tuple[Ruling, Score | None]:
    """Apply an entry that has been judged, and return the ruling and the round's score.

    The ruling contains the findings on this entry. It lists separately the findings on earlier
    entries that this entry settles. Raises Impossible if the entry cannot be applied.
    """
    reported = rnd.apply(entry, findings)
    score = apply_score(rnd)
    settled = reported + note_ruleset_errors(rnd)
    own = tuple(each for each in rnd.log.last_findings if each not in settled)
    ended: tuple[SettledAct, ...] = ()
    if rnd.log.settled:
        from scorekeeper.match.status import settled_in_trick  # most entries settle nothing

        ended = settled_in_trick(rnd)
    return Ruling(entry.text, own, tuple(settled), ended), score
