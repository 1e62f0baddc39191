"""A match: rounds between named players under one ruleset, judged, recorded, undone, amended.

A match is its rounds' entries; everything else is computed from them. `record` refuses what is not
allowed; `play_round` takes a written round as it is and reports.
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

    Place = tuple[int, int]  # the numbers of a round and of an entry in it

STEPS = 200  # how many entries can be undone before a round is played again


class Match(MatchView):
    """A match under a ruleset. `players` are named clockwise; left is the next in the list.

    Raises Unreadable for names that cannot be told apart, Impossible for a number of players that
    the ruleset does not allow. `standing` and `number` resume a match before a later round. Names
    that are `kept` in a book or a record were told apart when it was made: words that came since
    do not matter.

    `rounds` are those that have begun, `first` is the number of the first of them and `began` the
    standing before it. Everything else is computed from their entries, by one fold: `_live` is the
    last round as it stands, `_coming` the one that the next entry would open, if somebody has asked
    for it, and `_steps` are the round before each of the last entries (None where there was
    none). Of a match as the table has seen it `_seen` is what the table can make of its last round.

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
            self.rounds.append(Played(rnd.number, rnd.seating.began, rnd.names))
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
        if rnd.seating.unseated:
            check_start(rnd, entry)
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
        return self.over or not repeats(rnd, entry)

    @property
    def legal(self) -> Legal:
        """What somebody may do now (see `Legal`)."""
        return Legal(self.judge, self._legal_texts)

    def _legal_texts(self, notation: Notation | None) -> Iterator[str]:
        if not (self.over or self._stuck):
            for entry in options(self.now, notation or self.notation):
                yield entry.text

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
        """Raise Unreadable for a text that says nothing before that entry of a round, among those
        who sat there by then."""
        there, written = self.before_entry(played, entry), played.entries[: entry - 1]
        for text in texts:
            written.append(text)
            if there.notation.read(text).word in COMING:
                there = self.beside(played.before, played.number)
                there.play_round(written)

    def _check_references(self, number: int, entry: int, out: int, put_in: int) -> None:
        """Raise Impossible where an amendment, which takes so many entries out of that round from
        that entry on and puts so many in, gives another number to one that an entry which stays
        names."""
        if out == put_in or not any(verb.speaks_of for verb in self.ruleset.verbs.values()):
            return
        amended = self.rounds[number - self.first]
        is_gone = len(amended.entries) == out and not put_in  # and the later rounds move up
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
        """The entries that name another one: where it stands and which it names, and its text."""
        for played in self.rounds:
            for at, entry in enumerate(self.notation_of(played).read_all(played.entries), 1):
                names = entry.verb.speaks_of and entry.verb.speaks_of(entry.value)
                if names:
                    of = (names[0] or played.number, names[1])
                    yield (played.number, at), of, entry.text

    def place_of(self, number: int, entry: int, before: bool = False) -> int:
        """Where round `number` stands in `rounds`. Raises Impossible if it has no such entry, and
        nothing could be put in `before` it."""
        index = number - self.first
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

    # --- written rounds

    def play_round(self, texts: Iterable[str], before: Standing | None = None) -> Played:
        """Take a whole written round, whatever stands in it. What is illegal and undecided is
        reported and stands, where the state allows; what is unreadable or impossible ends the
        round: what follows is kept, but does not count; after the end of the match nothing does.
        The findings, the late ones too, are in the round that is given back."""
        return self._play(list(texts), self.standing if before is None else before, None)

    def _play(
        self, texts: list[str], standing: Standing, steps: deque[Round | None] | None
    ) -> Played:
        number = self.first + len(self.rounds)
        fold = Fold(Round(self.ruleset, self._founders, number, standing, gathering=True))
        fold.take(texts, steps)
        self._steps.clear()
        self.rounds.append(fold.played)
        self._live, self._coming = fold.rnd, None
        return fold.played

    def begun_again(self) -> Match:
        """The same match before its first round here."""
        return self.beside(self.began, self.first)

    def beside(self, standing: Standing, number: int) -> Match:
        """Another match of these players under these rules, before a round; who sits there by then
        the standing says."""
        return Match(self.ruleset, self._founders, standing, number, kept=True)

    def before_entry(self, played: Played, entry: int) -> Match:
        """Another match with a round of this one alone, as it was before one of its entries."""
        alone = self.beside(played.before, played.number)
        if entry > 1:
            alone.play_round(played.entries[: entry - 1])
        return alone

    # --- who sits there, and how they write

    @property
    def players(self) -> list[str]:
        """Everybody who has ever sat at the table: those who began, then as they came."""
        return everyone(self._seating, self._founders)

    @property
    def seated(self) -> list[str]:
        """Who sits at the table, clockwise."""
        return seated(self._seating, self._founders)

    @property
    def began_with(self) -> list[str]:
        """Those who sat there at the beginning."""
        return list(self._founders)

    @property
    def _seating(self) -> Standing:
        """A standing that says who sits there now."""
        live = self._live
        return self.began if live is None else live.setup.reseated or live.seating.before

    @property
    def notation(self) -> Notation:
        """How entries are read and written now, among those who sit there."""
        names = self._founders if self._live is None and ROSTER not in self.began else self.seated
        if names != self._notation.names:
            away = tuple(name for name in self.players if name not in names)
            self._notation = notation_for(self.ruleset.lexicon, tuple(names), away)
        return self._notation

    @property
    def known_notation(self) -> Notation:
        """How entries of any round are read, among everybody who has ever sat there."""
        return notation_for(self.ruleset.lexicon, tuple(self.players))

    def notation_of(self, played: Played) -> Notation:
        """How the entries of a round are read, among those who sat there in it."""
        return notation_for(self.ruleset.lexicon, tuple(played.names))

    # --- how it stands

    @property
    def standing(self) -> Standing:
        """The standing after the last round, or before the first."""
        if self._live is None:
            return self.began
        told = self._last_seen
        if told is not None and told.standing is not None:
            return told.standing
        return standing_after(self._live)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.standing["over"])

    @property
    def scores(self) -> dict[str, int]:
        """The tallies of everybody who has ever sat at the table, by name."""
        return tallies(self.standing, self._founders)

    @property
    def to_act(self) -> list[str]:
        """Whom the game waits for, whose turn it is first."""
        if self.over or self._stuck or self.now.seating.unseated:
            return []
        return self.now.names_of(self.now.waiting())

    @property
    def prompt(self) -> str:
        """The text of `full_prompt`."""
        return self.full_prompt.text

    @property
    def full_prompt(self) -> Prompt:
        """What must happen now, for the players and for onlookers."""
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
        """The table as it stands, by all that was entered (as plain JSON values)."""
        from scorekeeper.match.status import bare, describe

        coming = None if self.over else self.now
        if self.told_by_entries:
            return bare(self.shown, coming is None, self.to_act, self.scores)
        return describe(self.shown, coming, self.to_act, self.scores)

    def score_sentences(self, played: Played) -> list[str]:
        """What the score of a round rests on, in sentences; while it goes on, what was decided of
        what was wrong in it."""
        if not (played.over or played.lines):
            return []
        rnd = self.replayed(played)
        after = [each for each in self.rounds if each.number == played.number + 1]
        later = [text for each in after for text in decided_later(rnd, self.replayed(each))]
        return [*later, *sentences(rnd)]

    # --- which round

    @property
    def live(self) -> Round:
        """The round that is going on, or the last one, or the one that is to come."""
        return self._live if self._live is not None else self._next_round()

    @property
    def shown(self) -> Round:
        """The round that is to be seen: the live one, or what a match is over with."""
        return self.live if not (self.over and not self.rounds) else self.now

    @property
    def now(self) -> Round:
        """The round that the next act belongs to: a finished one gives way to the next."""
        live = self._live
        if live is None or (self.finished and not self.over):
            return self._next_round()
        return live

    @property
    def finished(self) -> bool:
        """Whether the last round is over, by what was announced too."""
        live, told = self._live, self._last_seen
        if live is None:
            return False
        if told is not None and told.standing is not None:
            return told.standing is not live.seating.began
        return live.over or live.ended

    def _next_round(self) -> Round:
        """The round that the next entry opens; raises Impossible when the match is over."""
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
        """Whether the round that goes on cannot, for one of its entries cannot be."""
        if self._live is None or self.finished:
            return False
        return self.rounds[-1].stuck > 0 or self.astray > 0

    def _why_stuck(self) -> Impossible:
        """Why nothing can be entered after an entry that could not be."""
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
        """A round of this match as it stands at its end, played again from its entries."""
        if self._live is not None and played is self.rounds[-1]:
            return self._live
        alone = self.beside(played.before, played.number)
        alone.play_round(played.entries)
        return alone.live

    def opened(self, played: Played) -> Round:
        """A round of this match before its first entry."""
        return Round(self.ruleset, self._founders, played.number, played.before)

    def told(self, played: Played) -> Told:
        """A round of this match to look back on."""
        from scorekeeper.match.summary import summarize  # only the end of a round needs it

        rnd = self.replayed(played)
        return Told(played.entries, summarize(rnd, played, standing_after(rnd)["over"]))

    def kept(self, played: Played) -> Told:
        """The same for whoever keeps it, in English whatever is spoken: what was found in a round
        has its sentences from when it was played, so it is played again."""
        if language() == ENGLISH:
            return self.told(played)
        with speaking(None):
            alone = self.beside(played.before, played.number)
            return alone.told(alone.play_round(played.entries))

    def review(self) -> Iterator[Told]:
        """Every round with its entries and what it came to."""
        return map(self.told, self.rounds)

    def written(self) -> Iterator[Written]:
        """Every round as a record has it."""
        for played in self.rounds:
            dealer = seated(played.before, self._founders)[played.before["dealer"]]
            yield Written(played.entries, dealer, played.scores)

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
        from scorekeeper.match.position import heading, ways_to_say  # recording needs none

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
        """Whether that position is this one."""
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
        """The match that a position tells of (see `position`). `ruleset` must be the one that it
        names. Raises Unreadable for what is no position, Impossible for one of another ruleset or
        that cannot be, Illegal for one whose acts break a rule."""
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
        """The entry of the last round that does not follow from what the table has seen, where only
        that is known here; 0 if there is none."""
        told = self._last_seen
        return told.astray if told is not None else 0

    @property
    def told_by_entries(self) -> bool:
        """Whether the table cannot say how the last round stands, or ended, by what it has seen."""
        live = self._live
        unlike = live is not None and self.finished and not (live.over or live.ended)
        return unlike or self.astray > 0

    @property
    def waits(self) -> Waiting | None:
        """Which entry waits for the table's decision while a round goes on. None where all is
        decided."""
        seen = self._last_seen
        return None if seen is None or self.finished else waiting(seen)

    @property
    def _last_seen(self) -> Seen | None:
        """What the table can make of the last round, if that is asked here."""
        return self._seen if self._seen is not None and self._seen.rnd is self._live else None

    def seen(self, before: Standing | None = None) -> Match:
        """The match as the table has seen it: hands that were entered are only counted. What was
        announced of rounds that are over is known to all; `before` is what the table knows of the
        standing with which it begins here."""
        if before is None:
            before = as_told(self.began, self.ruleset, self.known_notation)
        match = self.beside(before, self.first)
        for public in self.publicly():
            match.take_seen(public)
        return match

    def take_seen(self, public: Public) -> Seen:
        """Take the next round by what everybody knows of it."""
        number = self.first + len(self.rounds)
        seen = folded(Round(self.ruleset, self._founders, number, self.standing), public)
        self._steps.clear()
        self.rounds.append(seen.played)
        self._live, self._coming, self._seen = seen.rnd, None, seen
        return seen

    def listen(self, public: Public) -> None:
        """Take in what the referee has told may be claimed in the last round, before the entries
        are recorded with which it was told."""
        if self._live is not None:
            self._live.decisions.heard = public.heard

    def hear(self, public: Public) -> bool:
        """Take in what everybody knows of the last round, whose entries were all taken here; False
        where it contradicts them."""
        live = self._live
        if live is None or is_beyond(live, public):
            return False
        self._seen = heard(Seen(live, self.rounds[-1], public.texts, 0, None), public)
        self._coming = None
        return True

    def publicly(self) -> Iterator[Public]:
        """What everybody knows of each round."""
        return map(self.public, self.rounds, range(len(self.rounds)))

    def public(self, played: Played, at: int = -1) -> Public:
        """What everybody knows of a round of this match, the last one unless `at` says which."""
        notation = self.notation_of(played)
        texts = seen_texts(played, notation, lambda: self._begun_publicly(played))
        last = at in (-1, len(self.rounds) - 1)
        # Of a round that was never over nothing was announced, whatever followed it.
        if not self.finished if last else not played.over:
            return Public(texts, None, played.windows)
        left = self.standing if last else self.rounds[at + 1].before
        standing = as_told(left, self.ruleset, self.known_notation)
        return Public(texts, announced(played, standing), played.windows)

    def _begun_publicly(self, played: Played) -> Round:
        """A round of this match before its first entry, on what everybody knows."""
        before = as_told(played.before, self.ruleset, self.known_notation)
        begun = Round(self.ruleset, self._founders, played.number, before)
        begun.decisions.heard = Heard(played.windows, len(played.entries))
        return begun

    def seen_of(self, played: Played) -> list[str]:
        """The entries of a round as the table has seen them, each in its place. What was taken
        back and leaves no room for what came later is a note: nothing came of it."""
        notation = self.notation_of(played)
        texts = [hidden(text, notation) for text in played.entries]
        if not any(decision_in(text) == WITHDRAWN for text in texts):
            return texts
        fresh = Round(self.ruleset, self._founders, played.number, played.before)
        return reconciled(fresh, texts)


def _tried(rnd: Round, entry: Entry, findings: list[Finding]) -> tuple[Ruling, Score | None]:
    """Let an entry happen that has been judged: the ruling on it, and the round's score. What it
    settled or told is no finding on it. Raises Impossible."""
    told = rnd.apply(entry, findings)
    score = apply_score(rnd)
    settled = told + mistakes_of(rnd)
    own = tuple(each for each in rnd.log.found_last if each not in settled)
    ended: tuple[Settled, ...] = ()
    if rnd.log.settled:
        from scorekeeper.match.status import settled_in_trick  # where all is known it is not due

        ended = settled_in_trick(rnd)
    return Ruling(entry.text, own, tuple(settled), ended), score
