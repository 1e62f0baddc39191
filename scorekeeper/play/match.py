"""Rounds between named players under one ruleset: the fold, the standing, undo, amend.

A match is its rounds' entries; everything else is computed from them, by one fold. `record`
refuses what is not allowed; `play_round` takes a written round as it is and reports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core import limits
from scorekeeper.core.english import listed, of_several
from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.failures import Failure, Impossible, Unreadable
from scorekeeper.core.rulings import ILLEGAL, Finding, Illegal, Line, Ruling, verdict_of
from scorekeeper.core.suggest import shown
from scorekeeper.notation import IGNORED, WITHDRAWN, Entry, Notation, check_names, decision_in
from scorekeeper.play.referee import judge, legal_texts, resolve
from scorekeeper.play.round import Round
from scorekeeper.play.scoring import score
from scorekeeper.play.status import describe
from scorekeeper.ruleset.shared import Start

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.ruleset.compiled import Ruleset

    Standing = Mapping[str, Any]


class Played:
    """A round of a match: its entries, and what they were worth.

    `entries` are canonical texts (as typed where they could not be read); `findings` pairs of an
    entry's number, from 1, and a finding on it; `changes` by seat, None without a score;
    `mistaken`: the rules could not say something of it. Entry `stuck` (0: none) could not be:
    neither it nor what follows counts. `ignored` are the numbers of illegal entries that the state
    did not allow: each is kept, and changes nothing.
    """

    __slots__ = (
        *("before", "changes", "entries", "findings", "ignored", "lines", "mistaken", "names"),
        *("number", "over", "stuck"),
    )

    def __init__(self, number: int, before: Standing, names: list[str]) -> None:
        self.number = number
        self.before = before
        self.names = names
        self.entries: list[str] = []
        self.findings: list[tuple[int, Finding]] = []
        self.lines: list[Line] = []
        self.changes: list[int] | None = None
        self.over = self.mistaken = False
        self.stuck = 0
        self.ignored: list[int] = []

    def counts(self, entry: int) -> bool:
        """Whether that entry, counted from 1, does anything but stand in the list."""
        return not (0 < self.stuck <= entry or entry in self.ignored)

    @property
    def unscored(self) -> str:
        """Why a round that is over has no score."""
        return why_unscored(self.mistaken)

    @property
    def scores(self) -> dict[str, int] | None:
        """The change of each player's tally, or None for a round without a score."""
        return None if self.changes is None else dict(zip(self.names, self.changes, strict=True))


def why_unscored(mistaken: bool) -> str:
    """Why a round that is over has no score: the rules, or the cards."""
    return "the ruleset has a mistake" if mistaken else "it would need what was not seen"


def first_standing(ruleset: Ruleset, count: int) -> Standing:
    """The standing before the first round: the last-named deals; where nobody does, the
    first-named leads, or whom the ruleset says."""
    tally = [int(ruleset.tally["start"])] * count
    leader = min(max(int(ruleset.match["leader"]), 1), count) - 1
    return {"tally": tally, "dealer": count - 1, "leader": leader, "carry": {}, "over": False}


def apply_score(rnd: Round) -> tuple[list[Line], list[int]] | None:
    """The score of a round that is over, put into its tally; None without one."""
    scored = score(rnd)
    if scored is not None:
        rnd.tally = [base + change for base, change in zip(rnd.base, scored[1], strict=True)]
    return scored


def mistakes_of(rnd: Round) -> list[Finding]:
    """What the rules could not say at the end of a round whose score is `apply_score`, put to its
    last entry."""
    if rnd.over:
        try:
            rnd.rules.ends(rnd.reading())
        except ExpressionError as error:
            rnd.misruled(error, "so nobody knows whether the match is over")
    return rnd.flush_remarks() if rnd.remarks else []


def standing_after(rnd: Round) -> Standing:
    """What goes from a round, whose score is in its tally (`apply_score`), to the next."""
    dealer = rnd.next_dealer
    if dealer is None:
        dealer = (rnd.dealer + 1) % len(rnd.names) if rnd.rules.deal["dealt"] else rnd.dealer
    leader = rnd.next_leader
    if leader is None and not rnd.rules.deal["dealt"]:
        leader = rnd.leader
    ends = rnd.over and bool(rnd.rules.ends.value(rnd.reading()))
    over = rnd.before["over"] or rnd.ended or ends
    carry = dict(rnd.carry)
    return {"tally": rnd.tally, "dealer": dealer, "leader": leader, "carry": carry, "over": over}


class Match:
    """A match under a ruleset. `players` are named clockwise; left is the next in the list.

    Raises Unreadable for names that cannot be told apart, Impossible for a number of players that
    the ruleset does not allow. `standing` and `number` resume a match before a later round. Names
    that are `kept` in a book or a record were told apart when it was made: words that came since
    do not matter.
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
        names = check_names(players, () if kept else ruleset.lexicon.reserved())
        _check_count(ruleset, len(names))
        self.ruleset = ruleset
        self.players = names
        self.notation = Notation(ruleset.lexicon, names)
        self.rounds: list[Played] = []
        self._before = standing or first_standing(ruleset, len(names))
        self._number = number
        self._live: Round | None = None
        self._coming: Round | None = None

    # --- one entry

    def judge(self, text: str) -> Ruling:
        """Whether an entry would be allowed now. Records nothing; raises Unreadable, Impossible."""
        rnd, entry, findings = self._judged(text)
        if not entry.decision and verdict_of(findings) == ILLEGAL:
            return Ruling(entry.text, tuple(findings))
        trial = self._again(rnd, len(rnd.log))
        told = trial.apply(entry, findings)
        apply_score(trial)
        ruling = _ruled(entry, findings, told + mistakes_of(trial))
        return ruling.alone() if ruling.refused and not entry.decision else ruling

    def record(self, text: str) -> Ruling:
        """Judge an entry and write it down. Raises Unreadable, Impossible, or Illegal for one
        that is refused and that the table has not decided (` !stands`, ` !withdrawn`)."""
        rnd, entry, findings = self._judged(text)
        ruling = Ruling(entry.text, tuple(findings))
        if ruling.refused and not entry.decision:
            raise Illegal(ruling)
        ruling = _ruled(entry, findings, self._enter(rnd, entry, findings))
        if ruling.refused and not entry.decision:  # what it shows or tells of is broken
            self.undo()
            raise Illegal(ruling.alone())
        return ruling

    def _judged(self, text: str) -> tuple[Round, Entry, list[Finding]]:
        entry = self.notation.read(text)
        rnd = self._round_for(entry)
        entry = resolve(rnd, entry, self.notation)
        return rnd, entry, judge(rnd, entry)

    def _round_for(self, entry: Entry) -> Round:
        live = self._live
        if live is None:
            return self._next_round()
        if live.over or live.ended:
            phase = self.ruleset.phase_of[entry.verb.word]
            if not (phase.joins_finished_round(live, entry) or self._still_said(live, entry)):
                return self._next_round()
        if self.rounds[-1].stuck:
            raise self._why_stuck()
        return live

    def _still_said(self, rnd: Round, entry: Entry) -> bool:
        """Whether an entry belongs to the start that has decided the round: another fact, or a
        result that says the same. While the match goes on, what was said already, or another
        result, is said of the next round."""
        if not rnd.placed or not entry.verb.fact:
            return rnd.placed and self._confirms(rnd, entry)
        return self.over or not rnd.repeats(entry)

    def _confirms(self, rnd: Round, entry: Entry) -> bool:
        result = entry.verb.word == "result"
        return result and self.ruleset.concluding.confirms(rnd, dict(entry.value))

    def _why_stuck(self) -> Impossible:
        """Why nothing can be entered after an entry that could not be."""
        played = self.rounds[-1]
        at = f"{played.number}.{played.stuck}"
        return Impossible(
            f"entry {at} ({shown(played.entries[played.stuck - 1], 60)}) cannot be, "
            "and nothing after it counts until it is put right",
            f"amend {at} ENTRY, amend {at} --remove, or undo",
        )

    def _next_round(self) -> Round:
        """The round that the next entry opens; raises Impossible when the match is over."""
        standing = self.standing
        if standing["over"]:
            raise Impossible(self._how_it_ended(), "begin another with: new")
        if self._coming is None:
            number = self._number + len(self.rounds)
            self._coming = Round(self.ruleset, self.players, number, standing)
        return self._coming

    def _enter(self, rnd: Round, entry: Entry, findings: list[Finding]) -> list[Finding]:
        opens = rnd is not self._live
        try:
            told = rnd.apply(entry, findings)
        except Failure:
            self._coming = None
            if not opens:
                self._rebuild()
            raise
        if opens:
            self._live = rnd
            self.rounds.append(Played(rnd.number, rnd.before, self.players))
        self.rounds[-1].entries.append(entry.text)
        self._coming = None
        return told + self._close()

    def _close(self) -> list[Finding]:
        """Bring the last round's lines and scores up to date; gives what the rules cannot say."""
        rnd, played = self._live, self.rounds[-1]
        assert rnd is not None
        scored = apply_score(rnd)
        told = mistakes_of(rnd)
        played.mistaken = bool(rnd.mistakes)
        played.over = rnd.over
        played.lines, played.changes = scored if scored is not None else (list(rnd.lines), None)
        return told

    # --- what stands

    @property
    def standing(self) -> Standing:
        """The standing after the last round, or before the first."""
        return self._before if self._live is None else standing_after(self._live)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.standing["over"])

    @property
    def scores(self) -> dict[str, int]:
        """The tallies, by name."""
        return dict(zip(self.players, self.standing["tally"], strict=True))

    @property
    def winners(self) -> list[str]:
        """Who has won a match that is over (see `ahead`)."""
        return self.ahead if self.over else []

    @property
    def ahead(self) -> list[str]:
        """Who has won if the match ends here. Ties are shared; nobody has where all are even, nor
        where the last one in wins and several still are."""
        tally, wins = self.standing["tally"], self.ruleset.match["wins"]
        if wins == "last":
            found = [not self.ruleset.is_out(points) for points in tally]
            return self._named(found) if sum(found) == 1 else []
        best = min(tally) if wins == "fewest" else max(tally)
        found = [points == best for points in tally]
        return [] if all(found) else self._named(found)

    def _named(self, which: Iterable[bool]) -> list[str]:
        return [name for name, is_one in zip(self.players, which, strict=True) if is_one]

    @property
    def outcome(self) -> str:
        """How a match that is over ended, in words."""
        if self.winners:
            return f"{listed(self.winners)} won"
        return "a draw" if len(set(self.standing["tally"])) == 1 else "nobody has won"

    def _how_it_ended(self) -> str:
        winners = self.winners
        won = f": {of_several(winners, 'has', 'have')} won" if winners else ""
        return f"the match is over{won}"

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
        if live is None or ((live.over or live.ended) and not self.over):
            return self._next_round()
        return live

    @property
    def to_act(self) -> list[str]:
        """Whom the game waits for, whose turn it is first."""
        if self.over or self._stuck:
            return []
        return self.now.names_of(self.now.waiting())

    @property
    def prompt(self) -> str:
        """What must happen now, in words."""
        if self.over:
            return "the match is over"
        if self._stuck:
            return str(self._why_stuck())
        now = self.now
        if now.conflicts:
            return f"the start does not fit together: {now.conflicts[0][0]}"
        return now.phase.prompt(now) if now.phase is not None else "the round is over"

    def legal(self, notation: Notation | None = None) -> list[str]:
        """What somebody may do now, as canonical texts, or as that notation writes them."""
        if self.over or self._stuck:
            return []
        return legal_texts(self.now, notation or self.notation)

    @property
    def _stuck(self) -> bool:
        """Whether the round that goes on cannot, for one of its entries cannot be."""
        live = self._live
        return live is not None and self.rounds[-1].stuck > 0 and not (live.over or live.ended)

    @property
    def state(self) -> dict[str, Any]:
        """The table as it stands, by all that was entered (as plain JSON values)."""
        coming = None if self.over else self.now
        return describe(self.shown, coming, self.to_act, self.scores)

    # --- looking back

    def replayed(self, played: Played) -> Round:
        """A round of this match as it stands at its end, played again from its entries."""
        if self._live is not None and played is self.rounds[-1]:
            return self._live
        alone = self.beside(played.before, played.number)
        alone.play_round(played.entries)
        return alone.live

    def review(self) -> Iterator[tuple[Played, Round, dict[str, Any]]]:
        """Every round with its state at its end and its summary (see summary.py)."""
        from scorekeeper.play.summary import summarize

        later = [played.before for played in self.rounds[1:]]
        for played, standing in zip(self.rounds, [*later, self.standing], strict=False):
            rnd = self.replayed(played)
            yield played, rnd, summarize(rnd, played.lines, played.changes, standing["tally"])

    def score_sentences(self, played: Played) -> list[str]:
        """What the score of a round rests on, in sentences; none while it goes on."""
        if not played.over:
            return []
        rnd = self.replayed(played)
        return [text for phase in rnd.rules.phases.values() for text in phase.score_sentences(rnd)]

    def begun_again(self) -> Match:
        """The same match before its first round here."""
        return self.beside(self._before, self._number)

    def beside(self, standing: Standing, number: int) -> Match:
        """Another match of these players under these rules, before a round."""
        return Match(self.ruleset, self.players, standing, number, kept=True)

    def seen(self) -> Match:
        """The match as the table has seen it: hands that were entered are only counted."""
        match = self.begun_again()
        for played in self.rounds:
            match.play_round(self.seen_of(played))
        return match

    def seen_of(self, played: Played, start: int = 0) -> list[str]:
        """The entries of a round, from one on, as the table has seen them. What was taken back
        and cannot have been so by a hand that was entered is left out, as nothing came of it."""
        texts = played.entries[start:]
        if any(decision_in(text) == WITHDRAWN for text in texts):
            log = self.replayed(played).log[start:]
            doubted = {index for index, logged in enumerate(log) if logged.doubted}
            texts = [text for index, text in enumerate(texts) if index not in doubted]
        return [self.notation.hide(text) for text in texts]

    # --- corrections

    def undo(self) -> str:
        """Take the last entry back, and give its text. Raises Impossible if there is none."""
        if not self.rounds:
            raise Impossible("there is nothing to undo")
        text = self.rounds[-1].entries.pop()
        if not self.rounds[-1].entries:
            self.rounds.pop()
        self._rebuild()
        return text

    def _rebuild(self) -> None:
        """Play the last round again from its entries."""
        self._coming = self._live = None
        if self.rounds:
            played = self.rounds.pop()
            self.play_round(played.entries, played.before)

    def amended(self, number: int, entry: int, *texts: str, before: bool = False) -> Match:
        """A new match in which `texts` stand in the place of entry `entry` of round `number`
        (none: it is taken out), or `before` it; everything after them is judged again. A round
        without entries is gone. Raises Impossible for an entry that there is not (one may be put
        in at a round's end), Unreadable for a text."""
        for text in texts:
            self.notation.read(text)
        index = self.place_of(number, entry, before)
        match = self.begun_again()
        for position, played in enumerate(self.rounds):
            entries = list(played.entries)
            if position == index:
                entries[entry - 1 : entry - before] = texts
            if entries:
                match.play_round(entries)
        return match

    def place_of(self, number: int, entry: int, before: bool = False) -> int:
        """Where round `number` stands in `rounds`. Raises Impossible if it has no such entry, and
        nothing could be put in `before` it."""
        index = number - self._number
        count = len(self.rounds[index].entries) if 0 <= index < len(self.rounds) else 0
        if count and 1 <= entry <= count + before:
            return index
        raise Impossible(f"there is no entry {number}.{entry}", self._numbering(number, count))

    def _numbering(self, number: int, count: int) -> str:
        """Which entries there are instead."""
        if count:
            entries = "entry 1" if count == 1 else f"entries 1 to {count}"
            return f"round {number} has {entries}; status --log numbers them"
        if not self.rounds:
            return "nothing was entered yet"
        return f"the last one is {self.rounds[-1].number}.{len(self.rounds[-1].entries)}"

    # --- written rounds

    def play_round(self, texts: Iterable[str], before: Standing | None = None) -> Played:
        """Take a whole written round, whatever stands in it. What is illegal and undecided is
        reported and stands, where the state allows; what is unreadable or impossible ends the
        round: what follows is kept, but does not count; after the end of the match nothing does.
        The findings, the late ones too, are in the round that is given back."""
        if before is None:
            before = self.standing
        number = self._number + len(self.rounds)
        rnd = Round(self.ruleset, self.players, number, before, gathering=True)
        played = Played(number, before, self.players)
        self._live, self._coming = rnd, None
        self.rounds.append(played)
        read, notation, entries = self.notation.read, self.notation, played.entries
        findings: list[Finding] = []
        texts = list(texts)
        closed = before["over"]
        count = self._gather(rnd, [] if closed else texts)
        entries += [logged.entry.text for logged in rnd.log]
        rest = iter(texts[count:])
        for text in rest:
            try:
                findings = []
                if closed:
                    raise Impossible("the match was over before this round")
                entry = read(text)
                if entry.seat is None and not entry.verb.table:
                    entry = resolve(rnd, entry, notation)
                if (rnd.over or rnd.ended) and not self._joins(rnd, entry):
                    raise Impossible(f"“{entry.text}”: the round is over already")
                phase = rnd.phase
                if phase is None or not phase.legal_at_a_glance(rnd, entry):
                    findings = judge(rnd, entry)
                rnd.apply(entry, findings)
            except Failure as failure:
                self._live = rnd = self._again(rnd, len(entries))
                if verdict_of(findings) == ILLEGAL:
                    rnd.apply(_ignored(entry), findings)
                    played.ignored.append(len(entries) + 1)
                else:
                    entries.append(text)
                    played.stuck = len(entries)
                    played.findings.append((len(entries), finding_of(failure)))
                    entries += rest
                    break
            entries.append(entry.text)
        self._close()
        for index, logged in enumerate(rnd.log):
            if logged.findings:
                played.findings += [(index + 1, finding) for finding in logged.findings]
        return played

    def _gather(self, rnd: Round, texts: list[str]) -> int:
        """Take the hands that a written round begins with all at once, and say how many entries
        that were. None, if anything is wrong with one of them: then they are taken one by one."""
        read, hands = self.notation.read, []
        try:
            for text in texts:
                entry = read(text)
                if not entry.verb.gathers or entry.decision:
                    break
                hands.append(entry)
        except Failure:
            hands = []
        try:
            rnd.gather(hands)
        except Failure:
            rnd.start, rnd.log = Start(), []
            rnd.begin()
            return 0
        return len(hands)

    def _again(self, rnd: Round, count: int) -> Round:
        """The round as it was after so many of its entries, played anew."""
        fresh = Round(self.ruleset, self.players, rnd.number, rnd.before)
        for logged in rnd.log[:count]:
            fresh.apply(logged.entry, judge(fresh, logged.entry))
            if fresh.over:
                apply_score(fresh)  # what joins a round that is over looks at its tally
        return fresh

    def _joins(self, rnd: Round, entry: Entry) -> bool:
        word = entry.verb.word
        apply_score(rnd)  # a foul joins by what its culprit has left
        if word == "penalty" or (rnd.placed and (entry.verb.fact or self._confirms(rnd, entry))):
            return True
        return self.ruleset.phase_of[word].joins_finished_round(rnd, entry)


def _ignored(entry: Entry) -> Entry:
    """An illegal entry that the state does not allow: it is written down and changes nothing."""
    return Entry(entry.verb, entry.seat, entry.value, IGNORED, entry.text)


def _ruled(entry: Entry, findings: list[Finding], settled: list[Finding]) -> Ruling:
    """The ruling on an entry that has happened: what it settled or told is no finding on it."""
    own = tuple(finding for finding in findings if finding not in settled)
    return Ruling(entry.text, own, tuple(settled))


def finding_of(failure: Failure) -> Finding:
    """The finding that stands for an entry that could not be judged."""
    code = "entry.unreadable" if isinstance(failure, Unreadable) else "entry.impossible"
    facts = {"message": failure.message, "hint": failure.hint}
    return Finding(code, ILLEGAL, "{message}; {hint}" if failure.hint else "{message}", facts)


def _check_count(ruleset: Ruleset, count: int) -> None:
    players = ruleset.players
    if count > limits.PLAYERS:
        raise Impossible(f"a match has at most {limits.PLAYERS} players, not {count}")
    counts: list[int] = players["counts"]
    if counts and count not in counts:
        allowed = " or ".join(map(str, counts))
        raise Impossible(f"{ruleset.title} is for {allowed} players, not {count}")
    if not players["least"] <= count <= players["most"]:
        most = "" if players["most"] > 50 else f" to {players['most']}"
        least = f"{players['least']}{most or ' or more'}"
        raise Impossible(f"{ruleset.title} is for {least} players, not {count}")
