"""Rounds between named players under one ruleset: judging, recording, undoing, amending.

A match is its rounds' entries; everything else is computed from them, by one fold. `record`
refuses what is not allowed; `play_round` takes a written round as it is and reports.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.rulings import ILLEGAL, Finding, Illegal, Ruling, verdict_of
from scorekeeper.core.text import shown
from scorekeeper.notation import Entry
from scorekeeper.play.fold import Fold, confirms
from scorekeeper.play.numbers import Moving, check_numbers
from scorekeeper.play.played import Played
from scorekeeper.play.referee import judge, options, resolve
from scorekeeper.play.roster import COMING, check_comer, notation_for, seated
from scorekeeper.play.round import Round
from scorekeeper.play.standing import apply_score, first_standing, mistakes_of
from scorekeeper.play.taken import STEPS, Taken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.rulings import Settled
    from scorekeeper.notation import Notation
    from scorekeeper.play.legal import Legal
    from scorekeeper.play.scoring import Score
    from scorekeeper.ruleset.compiled import Ruleset


class Match(Taken):
    """A match under a ruleset. `players` are named clockwise; left is the next in the list.

    Raises Unreadable for names that cannot be told apart, Impossible for a number of players that
    the ruleset does not allow. `standing` and `number` resume a match before a later round. Names
    that are `kept` in a book or a record were told apart when it was made: words that came since
    do not matter.

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
    """

    # --- one entry

    def judge(self, text: str) -> Ruling:
        """Whether an entry would be allowed now. Records nothing; raises Unreadable, Impossible."""
        rnd, entry, findings = self._judged(text)
        if not entry.decision and verdict_of(findings) == ILLEGAL:
            return Ruling(entry.text, tuple(findings))
        ruling, _ = _tried(rnd.copy(), entry, findings)
        return ruling.alone() if ruling.refused and not entry.decision else ruling

    def record(self, text: str) -> Ruling:
        """Judge an entry and write it down. Raises Unreadable, Impossible, or Illegal for one
        that is refused and that the table has not decided (` !stands`, ` !withdrawn`)."""
        rnd, entry, findings = self._judged(text)
        ruling = Ruling(entry.text, tuple(findings))
        if ruling.refused and not entry.decision:
            raise Illegal(ruling)
        after = rnd.copy()
        ruling, score = _tried(after, entry, findings)
        if ruling.refused and not entry.decision:  # what it shows or tells of is broken
            raise Illegal(ruling.alone())
        self._steps.append(self._live)
        if rnd is not self._live:
            self.rounds.append(Played(rnd.number, rnd.began, rnd.names))
        self._live, self._coming = after, None
        played = self.rounds[-1]
        played.entries.append(entry.text)
        played.bring(after, score)
        played.findings = list(after.log.all_found())
        return ruling

    def _judged(self, text: str) -> tuple[Round, Entry, list[Finding]]:
        entry = self.notation.read(text)
        if entry.word == "joins":
            self._check_comer(*entry.value)
        rnd = self._round_for(entry)
        if rnd.unseated:
            rnd.check_start(entry)
        entry = resolve(rnd, entry, self.notation)
        return rnd, entry, judge(rnd, entry)

    def _check_comer(self, name: str, instead: bool, other: str) -> None:
        """Raise Unreadable for what nobody may be called who comes now. Who has a name keeps it,
        whatever words came since."""
        known = {player.casefold() for player in self.players}
        if name.casefold() not in known:
            check_comer(self.ruleset.lexicon, name, instead, other)

    def _round_for(self, entry: Entry) -> Round:
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
        """Whether an entry belongs to the start that has decided the round: another fact, or a
        result that says the same. While the match goes on, what was said already, or another
        result, is said of the next round."""
        if not rnd.placed or not entry.verb.fact:
            return rnd.placed and confirms(rnd, entry)
        return self.over or not rnd.repeats(entry)

    @property
    def legal(self) -> Legal:
        """What somebody may do now (see `Legal`)."""
        from scorekeeper.play.legal import Legal

        return Legal(self.judge, self._legal_texts)

    def _legal_texts(self, notation: Notation | None) -> Iterator[str]:
        if not (self.over or self._stuck):
            for entry in options(self.now, notation or self.notation):
                yield entry.text

    # --- positions

    @property
    def position(self) -> str:
        """The position as one line, which `from_position` reads back: `RULESET: NAME, …; ENTRY; …`.

        What stood when last nothing lay on the table is said by facts of a start (`dealer`,
        `lead`, `standing`, `hand` …); what happened since follows, entry by entry. Kept are the
        players at the table, their tallies, whose turn it is, all that is known of the hands, what
        lies on the table, the stock, the contract, trump and the like, and so what may be done
        now. Where facts of a start cannot say one of these, a call that was made or who is whose
        partner, all that happened since it was settled follows.

        Lost are tricks and points that were taken and which cards have been seen since they left
        a hand, so that such a round may get no score; open findings; notes; the number of the
        round, who has left the table, and what earlier rounds have left beside tallies (the solos
        that were played, rights that were used up). Options of the ruleset are not said. Raises
        Impossible for a position that cannot be said: after an entry that could not be, or where
        the rest follows from what is lost.
        """
        from scorekeeper.play.position_text import heading, ways_to_say  # recording needs none

        if self._stuck:
            raise self._why_stuck()
        if self.shown.unseated:
            raise Impossible(self.shown.unseated, self.shown.how_to_seat)
        first = first_standing(self.ruleset, len(self.seated))
        rounds = [self.shown]
        if self._live is not None and self.now is not self._live:
            rounds.insert(0, self.now)
        for rnd in rounds:
            for entries in ways_to_say(rnd, self._moments(rnd), first, self.notation):
                text = "; ".join([heading(self.ruleset.name, self.seated), *entries])
                if self._reads_back(text):
                    return text
        raise Impossible(
            tr("this position cannot be said in a line"), tr("write a record of the match")
        )

    def _moments(self, rnd: Round) -> list[Round]:
        """A round as it stands and as it stood before each of its entries, the latest first, as
        long as the same sat there."""
        steps = [rnd.unplayed()]
        names = tuple(seated(rnd.began, rnd.named))
        fold = Fold(rnd.unplayed(gathering=True), notation_for(self.ruleset.lexicon, names))
        fold.take([entry.text for entry in rnd.log.entries], steps)
        alike = [step for step in steps if not step.unseated and step.names == rnd.names]
        return [rnd, *reversed(alike)] if rnd.log.entries else [rnd]

    def _reads_back(self, text: str) -> bool:
        """Whether that position is this one."""
        from scorekeeper.play.position_text import alike

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
        """The match that a position tells of (see `position`). `ruleset` must be the one that it
        names. Raises Unreadable for what is no position, Impossible for one of another ruleset or
        that cannot be, Illegal for one whose acts break a rule."""
        from scorekeeper.play.position_text import read_heading

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

    # --- corrections

    def undo(self) -> str:
        """Take the last entry back, and give its text. Raises Impossible if there is none."""
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
        """The last round stands as it did before: so do what it came to and what was found."""
        score = apply_score(rnd)
        mistakes_of(rnd)
        played.bring(rnd, score)
        if not played.stuck:
            played.findings = list(rnd.log.all_found())
            played.ignored = [each for each in played.ignored if each <= len(played.entries)]

    def _replay(self, entries: Sequence[str]) -> None:
        """Play the last round again from these entries, or the one before it if there are none,
        so that the last of them can be undone without."""
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
        """A new match in which `texts` stand in the place of entry `entry` of round `number`
        (none: it is taken out), or `before` it; everything after them is judged again. A round
        without entries is gone. Raises Impossible for an entry that there is not (one may be put
        in at a round's end) and where others that are named by number move, Unreadable."""
        index = self.place_of(number, entry, before)
        self._check_readable(self.rounds[index], entry, texts)
        check_numbers(self, Moving(number, entry, 1 - before, len(texts)))
        match = self.begun_again()
        for position, played in enumerate(self.rounds):
            entries = list(played.entries)
            if position == index:
                entries[entry - 1 : entry - before] = texts
            if entries:
                match.play_round(entries)
        return match

    def _check_readable(self, played: Played, entry: int, texts: Sequence[str]) -> None:
        """Raise Unreadable for a text that says nothing before that entry of a round, among those
        who sat there by then."""
        there, written = self.before_entry(played, entry), played.entries[: entry - 1]
        for text in texts:
            written.append(text)
            if there.notation.read(text).word in COMING:
                there = self.beside(played.before, played.number)
                there.play_round(written)

    def place_of(self, number: int, entry: int, before: bool = False) -> int:
        """Where round `number` stands in `rounds`. Raises Impossible if it has no such entry, and
        nothing could be put in `before` it."""
        index = number - self._number
        count = len(self.rounds[index].entries) if 0 <= index < len(self.rounds) else 0
        if count and 1 <= entry <= count + before:
            return index
        raise Impossible(
            tr("there is no entry {number}.{entry}", number=number, entry=entry),
            self._numbering(number, count),
        )

    def _numbering(self, number: int, count: int) -> str:
        """Which entries there are instead."""
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


def _tried(rnd: Round, entry: Entry, findings: list[Finding]) -> tuple[Ruling, Score | None]:
    """Let an entry happen that has been judged: the ruling on it, and the round's score. What it
    settled or told is no finding on it. Raises Impossible."""
    told = rnd.apply(entry, findings)
    score = apply_score(rnd)
    settled = told + mistakes_of(rnd)
    own = tuple(each for each in rnd.log.found_last if each not in settled)
    ended: tuple[Settled, ...] = ()
    if rnd.log.settled:
        from scorekeeper.play.unsettled import settled_in_trick  # where all is known it is not due

        ended = settled_in_trick(rnd)
    return Ruling(entry.text, own, tuple(settled), ended), score
