"""A match that is played at random, by what the phases of its ruleset offer and what chance brings.

Everyone's cards are dealt and entered, so that every rule about a hand is decided. Whoever acts
takes something that is legal; now and then something else is judged and not recorded.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import chain, islice
from math import inf
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.rulings import ILLEGAL
from scorekeeper.core.text import crash, json_text, shown
from scorekeeper.play.match import Match
from scorekeeper.play.random_acts import (
    MOST_OFFERED,
    by_verb,
    in_random_order,
    leaves_open,
    may_happen,
    offered,
    some_cards,
    some_result,
    wrong_act,
)
from scorekeeper.play.referee import judge
from scorekeeper.play.result_line import result_line
from scorekeeper.play.watching import (
    CHANCE,
    CRASH,
    DEAD_END,
    ENDLESS,
    RULE,
    STILL,
    UNDECIDED,
    UNREAD,
    UNSCORED,
    misruled,
    placed,
)
from scorekeeper.ruleset.shared import CONCEDE
from scorekeeper.ruleset.turned_off import sayable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json, Luck
    from scorekeeper.notation import Entry
    from scorekeeper.notation.entry import Verb
    from scorekeeper.play.round import Round
    from scorekeeper.play.watching import Watch
    from scorekeeper.ruleset.compiled import Ruleset

MOST_ROUNDS = 40
ENOUGH_ENTRIES = 120  # after so many the match is left at the end of the round
LONG, STILL_FOR, MOST_ENTRIES = 300, 20, 1500  # of one round: when it is looked at, and left
WRONG = 0.2  # how often something else is tried
WRONG_START = 0.5  # the same before the first act, when facts are said
FACTS, ASIDE = 0.3, 0.02  # how often a fact, or a foul, that is legal happens
LOOKED = 0.01  # how often the match is asked how it stands
STANDS = 0.3  # how often what is illegal is judged as if the table let it stand
CONCEDES = 0.02  # how often who may give up the rest of a round does
RESULTS_TRIED = 8  # results, until one is taken
RESULTS_SOUGHT = 2  # how often in a match one is looked for that would be taken
BESIDE = 0.15  # how often who could play says something beside play
RESULTS = (0.02, 0.02, 0.02, 0.3, 0.9)  # how often a round is told by its result, by the match
BOLD = (0.1, 0.4, 1.0)  # how often something else is said than the usual, by the round


class Stopped(Exception):
    """Nothing more can come of this match; why has been written down."""


class RandomMatch:
    """A match between so many players, from a seed; `watch` learns what happens in it."""

    def __init__(
        self, ruleset: Ruleset, names: list[str], seed: int, luck: Luck, watch: Watch
    ) -> None:
        self.match = Match(ruleset, names)
        self.seed = seed
        self.luck = luck
        self.watch = watch
        self._results = luck.choice(RESULTS)
        self._bold = luck.choice(BOLD)
        self._heard: dict[Verb, list[Entry]] = {}
        self._verbs = list(ruleset.verbs.values())
        self._facts = [verb for verb in self._verbs if verb.fact]
        self._doing: Entry | str = ""  # what is happening, for a crash
        self._misruled: set[str] = set()
        self._sought = 0  # how often a result was looked for
        self._entries = self._still = 0
        self._last: Json = {}

    def play(self, most: float = inf) -> None:
        """Play until the match is over, or long enough, or something stops it, or so many things
        have been tried as `most` says."""
        self.watch.matches += 1
        tried = 0
        try:
            while tried < most and not self._enough():
                self._step()
                tried += 1
        except Stopped:
            pass
        except Exception as error:  # of whatever kind: the program's own fault is what is told
            doing = self._doing
            text = doing if isinstance(doing, str) else self.match.notation.finish(doing).text
            self._trouble(CRASH, f"a mistake of the program's own: {crash(error)}", text)

    def _enough(self) -> bool:
        match = self.match
        if match.over:
            return True
        between = not match.rounds or match.rounds[-1].over
        return between and (len(match.rounds) >= MOST_ROUNDS or self._entries >= ENOUGH_ENTRIES)

    def _trouble(self, kind: str, message: str, last: str = "") -> None:
        self.watch.trouble(kind, message, self.seed, self.match, last)

    # --- what happens next

    def _step(self) -> None:
        """The next thing that happens."""
        rnd, luck = self.match.now, self.luck
        self._doing = ""
        if luck.random() < LOOKED:
            self._look()
        if not rnd.log.entries and luck.random() < self._results and self._tell_result(rnd):
            return
        if luck.random() < (WRONG if rnd.acted else WRONG_START) and self._say_else(rnd):
            return
        chance = self._chance(rnd)
        if chance is not None and (chance.verb.fact or rnd.waiting() or luck.random() < 0.5):
            self._happen(chance)
            return
        if self._act(rnd):
            return
        if chance is None:
            self._nothing_to_do(rnd)
        else:
            self._happen(chance)

    def _look(self) -> None:
        """Ask the match what anybody may ask it at any time: none of it may crash."""
        json_text(self.match.state)
        self.match.legal()
        repr(self.match)

    def _chance(self, rnd: Round) -> Entry | None:
        """What chance brings now; None: nothing."""
        now = () if rnd.phase is None else (rnd.phase,)
        brought = chain.from_iterable(
            phase.chance(rnd, self.luck) for phase in (*rnd.rules.beside, *now)
        )
        return next(iter(sayable(brought, rnd.rules.off)), None)

    def _happen(self, entry: Entry) -> None:
        """Something that chance has brought is entered: it cannot be refused."""
        text = self.match.notation.finish(entry).text
        self.watch.tried.add(entry.word)
        why = self._recorded(text)
        if why:
            self._trouble(CHANCE, f"“{shown(text)}” has to happen, and is refused: {why}", text)
            raise Stopped
        self.watch.legal.add(entry.word)

    def _tell_result(self, rnd: Round) -> bool:
        """Try the whole round by its result; whether it was taken. Where chance finds none, and
        none was taken yet, the one is tried that the table would be told to enter."""
        for _ in range(RESULTS_TRIED):
            text = some_result(rnd, self.luck)
            if not text:
                return False
            if self._taken(text):
                return True
        if self.watch.taken or self._sought >= RESULTS_SOUGHT:
            return False
        self._sought += 1
        found = result_line(self.match, text)
        return bool(found) and self._taken(found)

    def _taken(self, result: str) -> bool:
        """Whether a result is taken."""
        self.watch.results += 1
        taken = not self._recorded(result)
        self.watch.taken += taken
        return taken

    def _say_else(self, rnd: Round) -> bool:
        """Something else is judged, mostly wrong, also the result of the round so far; whether it
        has happened, as a foul or another leader now and then does."""
        luck = self.luck
        verb = luck.choice(self._verbs if rnd.acted or luck.random() < 0.5 else self._facts)
        if luck.random() < 0.1:
            verb, text = rnd.rules.verbs["result"], some_result(rnd, luck)
        else:
            heard = self._heard.get(verb, [])
            entry = wrong_act(verb, rnd, self.match.notation, heard, luck)
            text = "" if entry is None else self.match.notation.finish(entry).text
            if entry is not None:
                self.watch.tried.add(verb.word)
        return bool(text) and self._may_be(rnd, text) and self._happened(verb, text)

    def _may_be(self, rnd: Round, text: str) -> bool:
        """Whether an entry would be legal, as the match itself judges it."""
        self._doing = text
        try:
            ruling = self.match.judge(text)
        except Failure:
            return False
        self.watch.found.update([finding.code for finding in ruling.findings])
        for message in misruled(ruling.findings, rnd.rules.data):
            self._faulty(message, text)
        if ruling.refused and self.luck.random() < STANDS:
            self._stands(f"{text} !stands")
        return ruling.verdict != ILLEGAL

    def _stands(self, text: str) -> None:
        """See that a table may let stand what is illegal: it is not recorded."""
        self._doing = text
        with suppress(Failure):
            self.match.judge(text)

    def _happened(self, verb: Verb, text: str) -> bool:
        """Let something that is legal happen, if it is such as happens; whether it has."""
        self.watch.legal.add(verb.word)
        often = FACTS if verb.fact else ASIDE
        if not may_happen(verb) or self.luck.random() > often or self._recorded(text):
            return False
        if self.match.live.conflicts:  # which only the table could put right
            self._taken_back()
        return True

    def _taken_back(self) -> None:
        """Take back what was recorded last."""
        self.match.undo()

    # --- acts

    def _act(self, rnd: Round) -> bool:
        """Something legal, if there is anything."""
        return any(self._done(rnd, entry) for entry in self._choices(rnd))

    def _choices(self, rnd: Round) -> Iterator[Entry]:
        """All that may be tried, in the order in which it is."""
        luck = self.luck
        now = [] if rnd.phase is None else offered(rnd.phase, rnd)
        beside = [entry for phase in rnd.rules.beside for entry in offered(phase, rnd)]
        also = chain.from_iterable(phase.also_tried(rnd) for phase in rnd.rules.beside)
        beside += sayable(also, rnd.rules.off)
        parts = [beside, now] if luck.random() < BESIDE else [now, beside]
        for entries in parts:
            if luck.random() < self._bold / 2:
                yield from in_random_order(entries, luck)
            else:
                yield from by_verb(entries, luck, self._bold)
            if rnd.phase is not None and len(entries) == MOST_OFFERED:
                for seat in rnd.phase.waiting(rnd) if entries[0].verb.cards else ():
                    yield from some_cards(entries[0].verb, seat, rnd, entries, luck)
                more = sayable(rnd.phase.options(rnd), rnd.rules.off)
                yield from islice(more, MOST_OFFERED, None)

    def _done(self, rnd: Round, entry: Entry) -> bool:
        """Do something if it is legal; whether it was."""
        notation = self.match.notation
        self._doing = ""
        if leaves_open(entry, notation):
            return self._done_with_cards(rnd, entry)
        self._doing = entry
        heard = self._heard.setdefault(entry.verb, [])
        if len(heard) < 50:
            heard.append(entry)
        try:
            findings = judge(rnd, entry)
        except Failure:
            return False
        for message in misruled(findings, rnd.rules.data):
            self._faulty(message, notation.finish(entry).text)
        if not self.watch.judged(entry, findings):
            return False
        if entry.word == CONCEDE and self.luck.random() > CONCEDES:
            return False
        return not self._recorded(notation.finish(entry).text)

    def _done_with_cards(self, rnd: Round, entry: Entry) -> bool:
        """The same for an act that leaves cards open, with some; where none will do, with their
        number alone, if it says that."""
        phase = rnd.rules.phase_of[entry.word]
        number = entry.verb.syntax.is_number(entry.value)
        if (filled := phase.filled(rnd, entry, self.luck)) is not None:
            return self._done(rnd, filled)
        if entry.seat is None or entry.seat < 0 or not (number or entry.value == ()):
            return False
        same = [entry] if number else offered(phase, rnd)
        if number and not isinstance(entry.value, int):
            return not self._recorded(self.match.notation.finish(entry).text)
        tries = some_cards(entry.verb, entry.seat, rnd, same, self.luck)
        if any(self._done(rnd, each) for each in tries):
            return True
        return number and not self._recorded(self.match.notation.finish(entry).text)

    # --- what comes of it

    def _recorded(self, text: str) -> str:
        """Record an entry; why it was refused, or ""."""
        self._doing = text
        try:
            self.match.record(text)
        except Unreadable as failure:
            if not text.startswith("result "):
                self._trouble(UNREAD, f"“{shown(text)}” cannot be read: {failure.message}", text)
            return str(failure)
        except Failure as failure:
            return failure.message
        self._entries += 1
        self._look_after()
        return ""

    def _look_after(self) -> None:
        """What the last entry has come to."""
        rnd, played = self.match.live, self.match.rounds[-1]
        for message in sorted(rnd.mistakes):
            self._faulty(placed(message, rnd.rules.data))
        if played.over:
            for phase in rnd.rules.phases.values():
                if message := phase.undecided(rnd):
                    self._trouble(UNDECIDED, message)
            if played.changes is None and not rnd.mistakes:
                self._trouble(UNSCORED, "a round that was seen whole has no score")
            self.watch.round_over(played, rnd)
            self._bold = self.luck.choice(BOLD)
            self._still = 0
            self._misruled.clear()
        elif len(played.entries) > LONG:
            self._watch_long_round(len(played.entries))

    def _faulty(self, message: str, last: str = "") -> None:
        """The rules could not say something: told once in a round."""
        if message not in self._misruled:
            self._misruled.add(message)
            self._trouble(RULE, message, last)

    def _watch_long_round(self, entries: int) -> None:
        """Whether a long round goes on at all."""
        state = self.match.state
        self._still = self._still + 1 if state == self._last else 0
        self._last = state
        if self._still >= STILL_FOR:
            self._trouble(STILL, f"{STILL_FOR} acts in a row have changed nothing")
            raise Stopped
        if entries >= MOST_ENTRIES:
            self._trouble(ENDLESS, f"a round is not over after {entries} entries")
            raise Stopped

    def _nothing_to_do(self, rnd: Round) -> None:
        """A round is not over, and nobody can do anything."""
        why: dict[str, str] = {}
        often: Counter[str] = Counter()
        for entry in self._choices(rnd):
            try:
                found = judge(rnd, entry)
            except Failure as failure:
                found = []
                why.setdefault("", failure.message)
            for finding in found:
                if finding.verdict == ILLEGAL:
                    why.setdefault(finding.code, f"{finding.code}: {finding.reason}")
                    often[finding.code] += 1
        most = sorted(why, key=lambda code: (-often[code], code))[:2]
        because = f"; for example {'; '.join(why[code] for code in most)}" if why else ""
        self._trouble(DEAD_END, f"nobody can do anything, and {self.match.prompt}{because}")
        raise Stopped
