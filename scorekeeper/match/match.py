"""A match: rounds of one ruleset between named players.

A match stores the texts of its entries. Scores, findings and standings are computed from these.
`Match.record` refuses an illegal entry, while `Match.play_round` accepts a whole written round and
reports what is wrong in it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible
from scorekeeper.core.messages import ENGLISH, Prompt, language, listed, plural, speaking, tr
from scorekeeper.core.rulings import ILLEGAL, Finding, Illegal, Ruling, verdict_of
from scorekeeper.core.text import shown
from scorekeeper.engine.referee import Legal, judge, options, resolve
from scorekeeper.engine.replay import Fold, Played, confirms
from scorekeeper.engine.round import Round
from scorekeeper.engine.scoring import apply_score, first_standing, mistakes_of
from scorekeeper.engine.seating import (
    COMING,
    ROSTER,
    check_comer,
    checked_names,
    everyone,
    notation_for,
    seated,
    tallies,
    why_not_seated,
)
from scorekeeper.engine.setup import check_start, repeats
from scorekeeper.engine.state import Heard
from scorekeeper.match.public import (
    BEYOND,
    Public,
    Seen,
    announced,
    as_told,
    folded,
    heard,
    hidden,
    is_beyond,
    reconciled,
    seen_texts,
    waiting,
)
from scorekeeper.match.remedies import decided_later, sentences, standing_after
from scorekeeper.match.view import MatchView, Told, Written
from scorekeeper.notation import WITHDRAWN, Entry, decision_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.rulings import Settled
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.scoring import Score
    from scorekeeper.match.public import Waiting
    from scorekeeper.notation import Notation

    Place = tuple[int, int]  # the number of a round and the number of an entry in it, both from 1

STEPS = 200  # entries that can be undone before a round must be replayed


class Match(MatchView):
    """A match under a ruleset, from its first entry to its last.

    `players` are 2 or more distinct names in clockwise order. `standing` and `number` (from 1)
    resume a match before a later round. Pass `from_storage` for names out of a book or a record.
    They were checked when the match was made, so words added to the ruleset since then do no
    harm.

    Raises Unreadable if two names are too similar or a name is a word of the game. Raises
    Impossible if the ruleset does not allow this number of players.

    `ruleset` is the compiled ruleset and `rounds` the list of rounds that have begun, oldest first.
    `first_number` is the number of the first of them, and `first_standing` the standing before it.

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
        kept: bool = False,
    ) -> None:
        names = tuple(players) if kept else checked_names(ruleset.lexicon, tuple(players))
        self._notation = notation_for(ruleset.lexicon, names)
        self._founders = list(self._notation.names)
        refused = why_not_seated(ruleset, len(names))
        if refused:
            raise Impossible(refused)
        self.ruleset = ruleset
        self.rounds: list[Played] = []
        self.first = number
        self.began = standing or first_standing(ruleset, len(names))
        self._live: Round | None = None
        self._coming: Round | None = None
        self._seen: Seen | None = None
        self._steps: deque[Round | None] = deque(maxlen=STEPS)

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {points}" for name, points in self.scores.items())
        parts = [scores, "over" if self.over else f"to act: {', '.join(self.to_act) or 'nobody'}"]
        if self.rounds:
            last = self.rounds[-1]
            at = f"{last.number}.{len(last.entries)}"
            parts.append(f"last: {at} {shown(last.entries[-1])}")
        return f"<Match {shown(self.ruleset.name)}: {'; '.join(parts)}>"

    # --- one entry

    def judge(self, text: str) -> Ruling:
        """Return the ruling on an entry without recording it.

        `text` is one entry, such as `"Ana: 2x3"` or `"2x3"`. The player's name may be left out
        where only one player can be meant. Words of the ruleset's other languages are accepted
        too.

        Raises Unreadable if the text is not an entry. Raises Impossible if the entry contradicts
        the table, for example a card that is in another hand.

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
        rnd, entry, findings = self._judged(text)
        if not entry.decision and verdict_of(findings) == ILLEGAL:
            return Ruling(entry.text, tuple(findings))
        ruling, _ = _tried(rnd.copy(), entry, findings)
        return ruling.alone() if ruling.refused and not entry.decision else ruling

    def record(self, text: str) -> Ruling:
        """Judge an entry, record it, and return the ruling.

        An illegal entry that happened all the same is recorded with the table's decision. `
        !stands` lets it count, and ` !withdrawn` records it without effect.

        Raises Unreadable and Impossible like `judge`. Raises Illegal if the entry is refused and
        carries no decision. After an exception the match is unchanged.

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
        rnd, entry, findings = self._judged(text)
        ruling = Ruling(entry.text, tuple(findings))
        if ruling.refused and not entry.decision:
            raise Illegal(ruling)
        after = rnd.copy()
        ruling, score = _tried(after, entry, findings)
        # the entry itself is legal, but a card that it shows breaks a rule
        if ruling.refused and not entry.decision:
            raise Illegal(ruling.alone())
        self._steps.append(self._live)
        if rnd is not self._live:
            self.rounds.append(Played(rnd.number, rnd.seating.began, rnd.names))
        self._live, self._coming = after, None
        played = self.rounds[-1]
        played.entries.append(entry.text)
        played.bring(after, score)
        played.findings = list(after.log.all_found())
        return ruling

    def _judged(self, text: str) -> tuple[Round, Entry, list[Finding]]:
        """Return the round that a text belongs to, its entry and the findings on it."""
        entry = self.notation.read(text)
        if entry.word == "joins":
            self._check_comer(*entry.value)
        rnd = self._round_for(entry)
        if rnd.seating.unseated:
            check_start(rnd, entry)
        entry = resolve(rnd, entry, self.notation)
        return rnd, entry, judge(rnd, entry)

    def _check_comer(self, name: str, instead: bool, other: str) -> None:
        """Raise Unreadable if a player who joins may not have that name.

        A player who sat at the table before keeps their name, even if it is a word of the game
        by now.
        """
        known = {player.casefold() for player in self.players}
        if name.casefold() not in known:
            check_comer(self.ruleset.lexicon, name, instead, other)

    def _round_for(self, entry: Entry) -> Round:
        """Return the round that an entry belongs to, which may be a new one."""
        live = self._live
        if live is None:
            return self._next_round()
        if self.finished:
            if entry.verb.short or not (live.over or live.ended):
                return self._next_round()
            phase = self.ruleset.phase_of[entry.verb.word]
            if not (phase.joins_finished_round(live, entry) or self._still_said(live, entry)):
                return self._next_round()
        if self.rounds[-1].stuck or self.astray:
            raise self._why_stuck()
        return live

    def _still_said(self, rnd: Round, entry: Entry) -> bool:
        """Return whether an entry belongs to the start that decided the round.

        This holds for a further fact, and for a result that confirms the score. While the match
        goes on, a repeated fact or a different result belongs to the next round.
        """
        if not rnd.placed or not entry.verb.fact:
            return rnd.placed and confirms(rnd, entry)
        return self.over or not repeats(rnd, entry)

    @property
    def legal(self) -> Legal:
        """A view of the legal entries now, for all players who may act (see `Legal`).

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
        """Yield the legal entries as canonical texts, written in that notation."""
        if not (self.over or self._stuck):
            for entry in options(self.now, notation or self.notation):
                yield entry.text

    # --- corrections

    def undo(self) -> str:
        """Remove the last entry and return its text.

        A round without entries is removed too. Raises Impossible if there is no entry.

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
        if not self._steps:
            self._replay(self.rounds[-1].entries)
        played = self.rounds[-1]
        text = played.entries.pop()
        if not self._steps:
            self._replay(played.entries)
            return text
        self._live, self._coming = self._steps.pop(), None
        if not played.entries:
            self.rounds.pop()
        if self._live is not None:
            self._step_back(self._live, self.rounds[-1])
        return text

    def _step_back(self, rnd: Round, played: Played) -> None:
        """Restore the score and the findings of the last round to those of its snapshot."""
        score = apply_score(rnd)
        mistakes_of(rnd)
        played.bring(rnd, score)
        if not played.stuck:
            played.findings = list(rnd.log.all_found())
            played.ignored = [each for each in played.ignored if each <= len(played.entries)]

    def _replay(self, entries: Sequence[str]) -> None:
        """Replay the last round from these entries, or the round before it if there are none.

        Afterwards the last entry can be undone from a snapshot.
        """
        played = self.rounds.pop()
        if not entries and self.rounds:
            played = self.rounds.pop()
            entries = played.entries
        self._live = self._coming = None
        if not entries:
            return
        steps: deque[Round | None] = deque(maxlen=STEPS)
        if not self._play(list(entries), played.before, steps).stuck:
            self._steps = steps

    def amended(self, number: int, entry: int, *texts: str, before: bool = False) -> Match:
        """Return a new match in which entry `entry` of round `number` is replaced by `texts`.

        Both numbers count from 1. Without `texts` the entry is removed. With `before` the texts
        are inserted in front of it, or at the end of the round if `entry` is one beyond its
        last. Everything after the entry is judged again, and `play_round` describes how. A round
        that loses its only entry is removed.

        Raises Impossible if there is no such entry, or if a later entry refers by number to one
        whose number would change. Raises Unreadable if a text is not an entry.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> round_record = match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"])
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
        index = self.place_of(number, entry, before)
        self._check_readable(self.rounds[index], entry, texts)
        self._check_references(number, entry, 1 - before, len(texts))
        match = self.begun_again()
        for position, played in enumerate(self.rounds):
            entries = list(played.entries)
            if position == index:
                entries[entry - 1 : entry - before] = texts
            if entries:
                match.play_round(entries)
        return match

    def _check_readable(self, played: Played, entry: int, texts: Sequence[str]) -> None:
        """Raise Unreadable for a text that is no entry at this place of a round.

        Names are read among the players who sat at the table by then.
        """
        there, written = self.before_entry(played, entry), played.entries[: entry - 1]
        for text in texts:
            written.append(text)
            if there.notation.read(text).word in COMING:
                there = self.beside(played.before, played.number)
                there.play_round(written)

    def _check_references(self, number: int, entry: int, out: int, put_in: int) -> None:
        """Raise Impossible if an amendment would make a reference point to a different entry.

        The amendment removes `removed_count` entries of that round from `entry` on and inserts
        `inserted_count`. An entry may refer to another one by number, as a claim does.
        """
        if out == put_in or not any(verb.speaks_of for verb in self.ruleset.verbs.values()):
            return
        amended = self.rounds[number - self.first]
        is_gone = len(amended.entries) == out and not put_in  # the later rounds are renumbered
        for at, names, text in reversed(list(self._references())):
            stays = at[0] != number or not entry <= at[1] < entry + out
            moves = names[0] == number and names[1] >= entry
            if stays and (moves or (is_gone and names[0] >= number and names[0] != at[0])):
                where = f"{at[0]}.{at[1]}"
                raise Impossible(
                    tr(
                        "“{text}” ({where}) names an entry by its number, which would "
                        "be another one then",
                        text=text,
                        where=where,
                    ),
                    tr(
                        "take it out first ({remove}); then put it in there again, with the"
                        " number that is right ({put_in})",
                        remove=f"amend --remove {where}",
                        put_in="amend --before",
                    ),
                )

    def _references(self) -> Iterator[tuple[Place, Place, str]]:
        """Yield each entry that names another one: its place, the place it names, and its text."""
        for played in self.rounds:
            for at, entry in enumerate(self.notation_of(played).read_all(played.entries), 1):
                names = entry.verb.speaks_of and entry.verb.speaks_of(entry.value)
                if names:
                    of = (names[0] or played.number, names[1])
                    yield (played.number, at), of, entry.text

    def place_of(self, number: int, entry: int, before: bool = False) -> int:
        """Return the index of round `number` in `rounds`.

        Raises Impossible if the round has no such entry. With `before`, the place after the last
        entry is allowed too.
        """
        index = number - self.first
        count = len(self.rounds[index].entries) if 0 <= index < len(self.rounds) else 0
        if count and 1 <= entry <= count + before:
            return index
        raise Impossible(
            tr("there is no entry {number}.{entry}", number=number, entry=entry),
            self._numbering(number, count),
        )

    def _numbering(self, number: int, count: int) -> str:
        """Return a hint that names the entries that exist."""
        if count:
            return plural(
                "round {number} has entry 1; {command} numbers them",
                "round {number} has entries 1 to {count}; {command} numbers them",
                count,
                number=number,
                command="status --log",
            )
        if not self.rounds:
            return tr("nothing was entered yet")
        last = self.rounds[-1]
        return tr("the last one is {at}", at=f"{last.number}.{len(last.entries)}")

    # --- written rounds

    def play_round(self, texts: Iterable[str], before: Standing | None = None) -> Played:
        """Add a whole written round and return its record, whatever is wrong in it.

        `texts` are its entries in order. `before` replaces the standing with which the round
        begins.

        An illegal entry without a decision is reported and counts, if the state allows it. An
        unreadable or impossible entry ends the round. It is stored with all later ones, and none
        of them counts. After the end of the match no entry counts. The record's `findings` are
        pairs of an entry number (from 1) and a `Finding`, including those that a later entry
        proved.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> played = match.play_round(["Ana: 2x3", "Ben: 1x3", "Ben: dudo", "count 2"])
        >>> [(number, finding.code) for number, finding in played.findings]
        [(2, 'bids.same-or-lower-face'), (3, 'bids.doubter')]
        >>> played.scores, played.counts(2), played.stuck
        ({'Ana': 0, 'Ben': -1}, True, 0)
        >>> match.play_round(["Ben: 2x3", "nonsense", "Ana: dudo"]).stuck
        2
        """
        return self._play(list(texts), self.standing if before is None else before, None)

    def _play(
        self, texts: list[str], standing: Standing, steps: deque[Round | None] | None
    ) -> Played:
        """Replay a written round from that standing, and store snapshots if wanted."""
        number = self.first + len(self.rounds)
        fold = Fold(Round(self.ruleset, self._founders, number, standing, gathering=True))
        fold.take(texts, steps)
        self._steps.clear()
        self.rounds.append(fold.played)
        self._live, self._coming = fold.rnd, None
        return fold.played

    def begun_again(self) -> Match:
        """Return a copy of the match before its first round."""
        return self.beside(self.began, self.first)

    def beside(self, standing: Standing, number: int) -> Match:
        """Return a match of the same players and rules before round `number` (from 1).

        The standing determines who sits at the table by then.
        """
        return Match(self.ruleset, self._founders, standing, number, kept=True)

    def before_entry(self, played: Played, entry: int) -> Match:
        """Return a match with that round alone, as it was before entry `entry` (from 1)."""
        alone = self.beside(played.before, played.number)
        if entry > 1:
            alone.play_round(played.entries[: entry - 1])
        return alone

    # --- who sits there, and how they write

    @property
    def players(self) -> list[str]:
        """The names of all players who ever sat at the table, the first ones clockwise, then by
        arrival.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.record("joins Cleo after Ben").entry
        'joins Cleo after Ben'
        >>> match.players
        ['Ana', 'Ben', 'Cleo']
        """
        return everyone(self._seating, self._founders)

    @property
    def seated(self) -> list[str]:
        """The names of the players at the table, clockwise."""
        return seated(self._seating, self._founders)

    @property
    def began_with(self) -> list[str]:
        """The names of the players who began the match, clockwise."""
        return list(self._founders)

    @property
    def _seating(self) -> Standing:
        """The standing that says who sits at the table now."""
        live = self._live
        return self.began if live is None else live.setup.reseated or live.seating.before

    @property
    def notation(self) -> Notation:
        """The notation for entries now, with the names of the players at the table."""
        names = self._founders if self._live is None and ROSTER not in self.began else self.seated
        if names != self._notation.names:
            away = tuple(name for name in self.players if name not in names)
            self._notation = notation_for(self.ruleset.lexicon, tuple(names), away)
        return self._notation

    @property
    def known_notation(self) -> Notation:
        """The notation for entries of any round, with the names of all players so far."""
        return notation_for(self.ruleset.lexicon, tuple(self.players))

    def notation_of(self, played: Played) -> Notation:
        """Return the notation for entries of that round, with the names of its players."""
        return notation_for(self.ruleset.lexicon, tuple(played.names))

    # --- how it stands

    @property
    def standing(self) -> Standing:
        """The carry-over state after the last round, or before the first, as plain JSON values.

        `tally` lists the points by seat, `dealer` and `leader` are seats from 0, `carry` belongs
        to the phases, and `over` is true after the end of the match.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.standing["tally"], match.standing["leader"], match.standing["over"]
        ([5, 5], 0, False)
        """
        if self._live is None:
            return self.began
        told = self._last_seen
        if told is not None and told.standing is not None:
            return told.standing
        return standing_after(self._live)

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
    def scores(self) -> dict[str, int]:
        """The tally of every player who ever sat at the table, by name.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.scores
        {'Ana': 5, 'Ben': 5}
        >>> match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"]).scores
        {'Ana': 0, 'Ben': -1}
        >>> match.scores
        {'Ana': 5, 'Ben': 4}
        """
        return tallies(self.standing, self._founders)

    @property
    def to_act(self) -> list[str]:
        """The names of the players for whom the game waits, the one whose turn it is first.

        The list is empty after the end of the match, and while the table must state something
        first.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.to_act
        ['Ana']
        >>> match.record("2x3").entry, match.to_act
        ('Ana: 2x3', ['Ben'])
        >>> match.record("dudo").entry, match.to_act  # now the dice are counted
        ('Ben: dudo', [])
        """
        if self.over or self._stuck or self.now.seating.unseated:
            return []
        return self.now.names_of(self.now.waiting())

    @property
    def prompt(self) -> str:
        """A sentence that says what must happen now (see `full_prompt`).

        >>> Match(load_ruleset("dudo"), ["Ana", "Ben"]).prompt
        'Ana starts with a bid'
        """
        return self.full_prompt.text

    @property
    def full_prompt(self) -> Prompt:
        """The sentence that says what must happen now, for players and for spectators."""
        if self.over:
            return Prompt(tr("the match is over"))
        if self._stuck:
            return Prompt(str(self._why_stuck()))
        now = self.now
        if now.seating.unseated:
            return Prompt(f"{now.seating.unseated}: {now.seating.how_to_seat}")
        if now.conflicts:
            return Prompt(tr("the start does not fit together: {say}", say=now.conflicts[0][0]))
        if now.phase is None:
            return Prompt(tr("the round is over"))
        return now.phase.view(now).prompt()

    @property
    def state(self) -> Json:
        """The current table as a dictionary of plain JSON values, built from all entries.

        Its keys are `round phase to_act over scores bindings sides table talon players owed`,
        and `faults` where the ruleset has remedies. `docs/json.md` describes them.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.state["round"], match.state["phase"], match.state["to_act"]
        (1, 'bids', ['Ana'])
        >>> match.state["players"]["Ben"]
        {'dice': 5, 'out': False}
        >>> match.record("2x3").entry, match.state["table"]
        ('Ana: 2x3', [{'who': 'Ana', 'bid': '2x3'}])
        """
        from scorekeeper.match.status import bare, describe

        coming = None if self.over else self.now
        if self.told_by_entries:
            return bare(self.shown, coming is None, self.to_act, self.scores)
        return describe(self.shown, coming, self.to_act, self.scores)

    def score_sentences(self, played: Played) -> list[str]:
        """Return the reasons for a round's score as sentences.

        While the round goes on, these are the decisions on its faults.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.score_sentences(match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"]))
        ['2 dice show 1 or 3; Ana had bid 2x3']
        """
        if not (played.over or played.lines):
            return []
        rnd = self.replayed(played)
        after = [each for each in self.rounds if each.number == played.number + 1]
        later = [text for each in after for text in decided_later(rnd, self.replayed(each))]
        return [*later, *sentences(rnd)]

    # --- which round

    @property
    def live(self) -> Round:
        """The round in progress, or the last one, or the first one before it begins."""
        return self._live if self._live is not None else self._next_round()

    @property
    def shown(self) -> Round:
        """The round to display. It is the live round, or the one with which the match ended."""
        return self.live if not (self.over and not self.rounds) else self.now

    @property
    def now(self) -> Round:
        """The round that the next act belongs to. After a finished round it is the next one."""
        live = self._live
        if live is None or (self.finished and not self.over):
            return self._next_round()
        return live

    @property
    def finished(self) -> bool:
        """True if the last round has finished, by its entries or by its announced score."""
        live, told = self._live, self._last_seen
        if live is None:
            return False
        if told is not None and told.standing is not None:
            return told.standing is not live.seating.began
        return live.over or live.ended

    def _next_round(self) -> Round:
        """Return the round that the next entry opens. Raises Impossible if the match has ended."""
        standing = self.standing
        if standing["over"]:
            raise Impossible(
                self._how_it_ended(), tr("begin another with: {command}", command="new")
            )
        if self._coming is None:
            number = self.first + len(self.rounds)
            self._coming = Round(self.ruleset, self._founders, number, standing)
        return self._coming

    def _how_it_ended(self) -> str:
        """Return the message that the match has ended, with its winners."""
        winners = self.winners
        if not winners:
            return tr("the match is over")
        return plural(
            "the match is over: {names} has won",
            "the match is over: {names} have won",
            len(winners),
            names=listed(winners),
        )

    @property
    def _stuck(self) -> bool:
        """True if the round in progress cannot go on because of an entry that cannot be applied."""
        if self._live is None or self.finished:
            return False
        return self.rounds[-1].stuck > 0 or self.astray > 0

    def _why_stuck(self) -> Impossible:
        """Return the error that explains why no entry can follow."""
        played = self.rounds[-1]
        if self._seen is not None and self.astray:
            at = f"{played.number}.{self.astray}"
            entry = shown(self._seen.texts[self.astray - 1], 60)
            return Impossible(tr(BEYOND, at=at, entry=entry))
        at = f"{played.number}.{played.stuck}"
        return Impossible(
            tr(
                "entry {at} ({entry}) cannot be, and nothing after it counts until it is put right",
                at=at,
                entry=shown(played.entries[played.stuck - 1], 60),
            ),
            tr(
                "{amend}, {remove}, or {undo}",
                amend=f"amend {at} ENTRY",
                remove=f"amend {at} --remove",
                undo="undo",
            ),
        )

    # --- looking back

    def replayed(self, played: Played) -> Round:
        """Return the final state of a round of this match, replayed from its entries."""
        if self._live is not None and played is self.rounds[-1]:
            return self._live
        alone = self.beside(played.before, played.number)
        alone.play_round(played.entries)
        return alone.live

    def opened(self, played: Played) -> Round:
        """Return a round of this match as it was before its first entry."""
        return Round(self.ruleset, self._founders, played.number, played.before)

    def told(self, played: Played) -> Told:
        """Return a round of this match with its summary."""
        from scorekeeper.match.summary import summarize  # recording an entry seldom ends a round

        rnd = self.replayed(played)
        return Told(played.entries, summarize(rnd, played, standing_after(rnd)["over"]))

    def kept(self, played: Played) -> Told:
        """Return a round with its summary in English, to be stored.

        Findings contain sentences made in the language of the replay, so the round is replayed
        in English.
        """
        if language() == ENGLISH:
            return self.told(played)
        with speaking(None):
            alone = self.beside(played.before, played.number)
            return alone.told(alone.play_round(played.entries))

    def review(self) -> Iterator[Told]:
        """Yield every round with its entries and its summary.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> played = match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"])
        >>> [reviewed.summary["changes"] for reviewed in match.review()]
        [{'Ana': 0, 'Ben': -1}]
        """
        return map(self.told, self.rounds)

    def written(self) -> Iterator[Written]:
        """Yield every round as a record stores it."""
        for played in self.rounds:
            dealer = seated(played.before, self._founders)[played.before["dealer"]]
            yield Written(played.entries, dealer, played.scores)

    # --- positions

    @property
    def position(self) -> str:
        """The current position as one line, which `from_position` reads: `RULESET: NAME, …; ENTRY;
        …`.

        The line begins with facts of a start, such as `dealer`, `lead`, `standing` and `hand`.
        They describe the last moment at which no card lay on the table. The entries since then
        follow. The line preserves the players at the table, their tallies, whose turn it is, and
        all that is known of the hands. It preserves the cards on the table, the stock, the
        contract and trump, and so the legal moves. A call that was made and the partners have no
        fact. Then all entries since they were settled follow.

        The line does not preserve tricks and points already won, cards seen since they left a
        hand, open findings and notes. It leaves out the round's number, players who left the
        table, options of the ruleset, and what earlier rounds left besides tallies. Such a round
        may end without a score.

        Raises Impossible if the position cannot be written as a line, or after an entry that cannot
        be applied.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.position
        'dudo: Ana, Ben; lead Ana'
        >>> match.record("2x3").entry, match.position
        ('Ana: 2x3', 'dudo: Ana, Ben; lead Ana; Ana: 2x3')
        >>> played = match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"])
        >>> match.position
        'dudo: Ana, Ben; standing Ben: 4; lead Ben'
        """
        from scorekeeper.match.position import heading, ways_to_say  # recording needs no positions

        if self._stuck:
            raise self._why_stuck()
        if self.shown.seating.unseated:
            raise Impossible(self.shown.seating.unseated, self.shown.seating.how_to_seat)
        first = first_standing(self.ruleset, len(self.seated))
        rounds = [self.shown]
        if self._live is not None and self.now is not self._live:
            rounds.insert(0, self.now)
        for rnd in rounds:
            for entries in ways_to_say(rnd, first, self.notation):
                text = "; ".join([heading(self.ruleset.name, self.seated), *entries])
                if self._reads_back(text):
                    return text
        raise Impossible(
            tr("this position cannot be said in a line"), tr("write a record of the match")
        )

    def _reads_back(self, text: str) -> bool:
        """Return whether that text reads back as this position."""
        from scorekeeper.match.position import alike

        try:
            other = Match.from_position(self.ruleset, text)
        except Failure:
            return False
        scores = {name: self.scores[name] for name in self.seated}
        if (scores, self.over, self.ahead) != (other.scores, other.over, other.ahead):
            return False
        if self.over:
            return True
        return alike(self.now, other.now) and self.legal() == other.legal()

    @classmethod
    def from_position(cls, ruleset: Ruleset, text: str) -> Match:
        """Return the match that a position describes (see `position`).

        `ruleset` must be the one named in `text`. Raises Unreadable if the text is not a
        position. Raises Impossible for another ruleset or a position that cannot occur, and
        Illegal if one of its acts breaks a rule.

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
                    other=shown(name, 60),
                    name=ruleset.name,
                )
            )
        match = cls(ruleset, players, kept=True)
        for part in entries.split(";"):
            for entry in match.notation.split(part):
                match.record(entry)
        return match

    # --- as the table has seen it

    @property
    def astray(self) -> int:
        """The number of the first entry of the last round that public information contradicts, or
        0.

        It is above 0 only in a public copy (see `public_copy`).
        """
        told = self._last_seen
        return told.astray if told is not None else 0

    @property
    def told_by_entries(self) -> bool:
        """True if public information determines neither the state nor the end of the last round."""
        live = self._live
        unlike = live is not None and self.finished and not (live.over or live.ended)
        return unlike or self.astray > 0

    @property
    def waits(self) -> Waiting | None:
        """The entry on which the table must decide in the round in progress, or None."""
        seen = self._last_seen
        return None if seen is None or self.finished else waiting(seen)

    @property
    def _last_seen(self) -> Seen | None:
        """The public information on the last round, in a public copy only."""
        return self._seen if self._seen is not None and self._seen.rnd is self._live else None

    def seen(self, before: Standing | None = None) -> Match:
        """Return the match as the table has seen it.

        Hands that were entered are only counted. The announced scores of finished rounds are
        known to all. `before` is the public standing before the first round.
        """
        if before is None:
            before = as_told(self.began, self.ruleset, self.known_notation)
        match = self.beside(before, self.first)
        for public in self.publicly():
            match.take_seen(public)
        return match

    def take_seen(self, public: Public) -> Seen:
        """Replay the next round from its public entries, add it, and return it."""
        number = self.first + len(self.rounds)
        seen = folded(Round(self.ruleset, self._founders, number, self.standing), public)
        self._steps.clear()
        self.rounds.append(seen.played)
        self._live, self._coming, self._seen = seen.rnd, None, seen
        return seen

    def listen(self, public: Public) -> None:
        """Set the claim windows that the referee announced in the last round.

        Call it before recording the entries with which they were announced.
        """
        if self._live is not None:
            self._live.decisions.heard = public.heard

    def hear(self, public: Public) -> bool:
        """Compare the last round, whose entries are all recorded, with what was announced of it.

        Return False if they contradict each other.
        """
        live = self._live
        if live is None or is_beyond(live, public):
            return False
        self._seen = heard(Seen(live, self.rounds[-1], public.texts, 0, None), public)
        self._coming = None
        return True

    def publicly(self) -> Iterator[Public]:
        """Yield the public information on each round."""
        return map(self.public, self.rounds, range(len(self.rounds)))

    def public(self, played: Played, at: int = -1) -> Public:
        """Return the public information on a round. Its index is `at`, by default the last."""
        notation = self.notation_of(played)
        texts = seen_texts(played, notation, lambda: self._begun_publicly(played))
        last = at in (-1, len(self.rounds) - 1)
        # No score is announced of a round that never finished, even if another one follows it.
        if not self.finished if last else not played.over:
            return Public(texts, None, played.windows)
        left = self.standing if last else self.rounds[at + 1].before
        standing = as_told(left, self.ruleset, self.known_notation)
        return Public(texts, announced(played, standing), played.windows)

    def _begun_publicly(self, played: Played) -> Round:
        """Return a round of this match before its first entry, from public information."""
        before = as_told(played.before, self.ruleset, self.known_notation)
        begun = Round(self.ruleset, self._founders, played.number, before)
        begun.decisions.heard = Heard(played.windows, len(played.entries))
        return begun

    def seen_of(self, played: Played) -> list[str]:
        """Return the entries of a round as the table has seen them, one text for each entry.

        A withdrawn entry that later entries contradict becomes a note, because it has no effect.
        """
        notation = self.notation_of(played)
        texts = [hidden(text, notation) for text in played.entries]
        if not any(decision_in(text) == WITHDRAWN for text in texts):
            return texts
        fresh = Round(self.ruleset, self._founders, played.number, played.before)
        return reconciled(fresh, texts)


def _tried(rnd: Round, entry: Entry, findings: list[Finding]) -> tuple[Ruling, Score | None]:
    """Apply an entry that was judged, and return the ruling and the round's score.

    Findings that it settles on earlier entries are not findings on it. Raises Impossible.
    """
    told = rnd.apply(entry, findings)
    score = apply_score(rnd)
    settled = told + mistakes_of(rnd)
    own = tuple(each for each in rnd.log.found_last if each not in settled)
    ended: tuple[Settled, ...] = ()
    if rnd.log.settled:
        from scorekeeper.match.status import settled_in_trick  # settled findings are rare

        ended = settled_in_trick(rnd)
    return Ruling(entry.text, own, tuple(settled), ended), score
