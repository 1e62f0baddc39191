"""A match of random acts, chosen from those that the phases of its ruleset offer.

All hands are dealt and entered, so that every rule about a hand is decided. Players choose legal
acts. Sometimes another act, mostly an illegal one, is judged without being recorded. A `TrialLog`
collects the problems, and the rules that applied.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from itertools import chain, islice
from math import inf
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import number_of
from scorekeeper.core.rulings import ILLEGAL, OPEN, verdict_of
from scorekeeper.core.text import crash, json_text, shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.findings import UNRULED
from scorekeeper.engine.phase import BID, Coverage
from scorekeeper.engine.referee import REST, judge
from scorekeeper.engine.round import MISRULED
from scorekeeper.engine.ruleset import sayable
from scorekeeper.engine.state import CONCEDE
from scorekeeper.match.match import Match
from scorekeeper.match.result_line import result_line
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards, Nothing, Who

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Luck, Row, Standing
    from scorekeeper.engine.phase import AnyPhase
    from scorekeeper.engine.replay import Played
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import Verb

MOST_ROUNDS = 40
ENOUGH_ENTRIES = 120  # beyond it, the match stops at the end of the round
# entries of one round: from when on its state is compared, and when the match stops
LONG, STILL_FOR, MOST_ENTRIES = 300, 20, 1500
WRONG = 0.2  # how often another act is tried
WRONG_START = 0.5  # the same before the first act, when facts are stated
FACTS, ASIDE = 0.3, 0.02  # how often a legal fact, or a legal foul, is recorded
LOOKED = 0.01  # how often the state of the match is queried
STANDS = 0.3  # how often an illegal entry is judged as if the table had let it stand
CONCEDES = 0.02  # how often a player who may concede does so
RESULTS_TRIED = 8  # results tried until one is accepted
RESULTS_SOUGHT = 2  # searches of a match for a result that would be accepted
BESIDE = 0.15  # how often a player who could play acts in a concurrent phase instead
# how often a round is entered by its result; one is chosen for each match
RESULTS = (0.02, 0.02, 0.02, 0.3, 0.9)
BOLD = (0.1, 0.4, 1.0)  # how often an unusual act is chosen; one is chosen for each round

MOST_OFFERED = 600  # acts of a phase that are listed; beyond it, cards are drawn at random
MOST_CARDS = 3  # in an illegal act
GIVEN, LEFT_OUT = 0.8, 0.2  # how often a key of a result is given, and one that may be empty
MANY, FEW = 0.6, 11  # how often a number is a sum of points, and the greatest number otherwise
TRIES = 60  # random selections of several cards before all are listed

# Kinds of problems. UNREAD and CRASH are faults of the program itself.
RULE, DEAD_END, CHANCE, UNREAD, CRASH = "rule", "dead end", "chance", "unreadable", "crash"
STILL, ENDLESS, UNSCORED, NOTHING = "stands still", "endless", "no score", "nothing changes"
UNDECIDED = "undecided"
MOST_SORTS = 8  # problems of one kind that are listed separately
NUMBER = re.compile(r"[-+]?\d+")


class Stopped(Exception):
    """The match cannot go on. The reason is in the log."""


class RandomMatch:
    """A random match of these players from a seed. `log` collects what happens in it."""

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
        self._doing: Entry | str = ""  # for the report of a crash
        self._misruled: set[str] = set()
        self._sought = 0  # searches for a result so far
        self._entries = self._still = 0
        self._last: Json = {}

    def play(self, most: float = inf) -> None:
        """Play until the match ends, is long enough, or cannot go on, for at most `max_steps`
        steps."""
        self.watch.matches += 1
        tried = 0
        try:
            while tried < most and not self._enough():
                self._step()
                tried += 1
        except Stopped:
            pass
        except Exception as error:  # any exception is a fault of the program to report
            doing = self._doing
            text = doing if isinstance(doing, str) else self.match.notation.finish(doing).text
            self._trouble(CRASH, f"a mistake of the program's own: {crash(error)}", text)

    def _enough(self) -> bool:
        """Return whether the match has ended or is long enough."""
        match = self.match
        if match.over:
            return True
        between = not match.rounds or match.rounds[-1].over
        return between and (len(match.rounds) >= MOST_ROUNDS or self._entries >= ENOUGH_ENTRIES)

    def _trouble(self, kind: str, message: str, last: str = "") -> None:
        """Log a problem of the current match."""
        self.watch.trouble(kind, message, self.seed, self.match, last)

    # --- what happens next

    def _step(self) -> None:
        """Let the next thing happen: an act, a random event, a result or an illegal try."""
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
        """Query the match in ways that are allowed at any time, and so must not crash."""
        json_text(self.match.state)
        self.match.legal()
        repr(self.match)

    def _chance(self, rnd: Round) -> Entry | None:
        """Return the entry for a random event that is due now, or None."""
        now = () if rnd.phase is None else (rnd.phase,)
        brought = chain.from_iterable(
            phase.chance(rnd, self.luck) for phase in (*rnd.rules.beside, *now)
        )
        return next(iter(sayable(brought, rnd.rules.off)), None)

    def _happen(self, entry: Entry) -> None:
        """Record a random event, which must be accepted."""
        text = self.match.notation.finish(entry).text
        self.watch.tried.add(entry.word)
        why = self._recorded(text)
        if why:
            self._trouble(CHANCE, f"“{shown(text)}” has to happen, and is refused: {why}", text)
            raise Stopped
        self.watch.legal.add(entry.word)

    def _tell_result(self, rnd: Round) -> bool:
        """Try to enter the whole round by a random result, and return whether one was accepted.

        If none was accepted so far, try the result that the program would suggest.
        """
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
        """Try to record a result, and return whether it was accepted."""
        self.watch.results += 1
        taken = not self._recorded(result)
        self.watch.taken += taken
        return taken

    def _say_else(self, rnd: Round) -> bool:
        """Judge another entry, mostly an illegal one, and return whether it was recorded.

        It may be the result of the round so far. Some legal entries, such as fouls, are recorded.
        """
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
        """Return whether an entry would be legal, by the match's own judgement."""
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
        """Check that the table may let an illegal entry stand, without recording it."""
        self._doing = text
        with suppress(Failure):
            self.match.judge(text)

    def _happened(self, verb: Verb, text: str) -> bool:
        """Record a legal entry if it is a plausible one, and return whether it was recorded."""
        self.watch.legal.add(verb.word)
        often = FACTS if verb.fact else ASIDE
        if not may_happen(verb) or self.luck.random() > often or self._recorded(text):
            return False
        if self.match.live.conflicts:  # only a table could resolve conflicts
            self._taken_back()
        return True

    def _taken_back(self) -> None:
        """Undo the last entry."""
        self.match.undo()

    # --- acts

    def _act(self, rnd: Round) -> bool:
        """Record a legal act, and return whether there was one."""
        return any(self._done(rnd, entry) for entry in self._choices(rnd))

    def _choices(self, rnd: Round) -> Iterator[Entry]:
        """Yield all acts to try, in order."""
        luck = self.luck
        now = [] if rnd.phase is None else offered(rnd.phase, rnd)
        beside = [entry for phase in rnd.rules.beside for entry in offered(phase, rnd)]
        covered = (each for each in rnd.rules.beside if isinstance(each, Coverage))
        also = chain.from_iterable(phase.extra_attempts(rnd) for phase in covered)
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
        """Record an act if it is legal, and return whether it was."""
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
        """Complete an act that leaves its cards open, and record it if it is legal.

        If no selection is legal, try the number of cards alone where the act allows that.
        """
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
        """Record an entry, and return the reason if it was refused, else ""."""
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
        """Check the state after the last entry, and log its problems."""
        rnd, played = self.match.live, self.match.rounds[-1]
        for message in sorted(rnd.mistakes):
            self._faulty(placed(message, rnd.rules.data))
        if played.over:
            for phase in rnd.rules.phases.values():
                if isinstance(phase, Coverage) and (message := phase.undecided(rnd)):
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
        """Log a rule without a value, once in a round."""
        if message not in self._misruled:
            self._misruled.add(message)
            self._trouble(RULE, message, last)

    def _watch_long_round(self, entries: int) -> None:
        """Stop the match if a long round makes no progress."""
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
        """Log that no player can act although the round has not finished, and stop the match."""
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


# --- acts that a phase offers


def offered(phase: AnyPhase, rnd: Round) -> list[Entry]:
    """Return the acts that a phase offers now, up to a limit."""
    return list(islice(sayable(phase.options(rnd), rnd.rules.off), MOST_OFFERED))


def in_random_order(entries: list[Entry], luck: Luck) -> Iterator[Entry]:
    """Yield all entries in random order, each drawn when it is needed."""
    left = len(entries)
    while left:
        chosen, left = luck.randint(0, left - 1), left - 1
        entries[chosen], entries[left] = entries[left], entries[chosen]
        yield entries[left]


def by_verb(entries: list[Entry], luck: Luck, bold: float) -> Iterator[Entry]:
    """Yield all entries grouped by verb, the verbs in random order.

    A phase offers its usual acts first. That order is kept with the probability 1 - `unusual_rate`,
    except for cards.
    """
    verbs: dict[Verb, list[Entry]] = {}
    for entry in entries:
        verbs.setdefault(entry.verb, []).append(entry)
    for verb in luck.sample(list(verbs), len(verbs)):
        if verb.cards or luck.random() < bold:
            yield from in_random_order(verbs[verb], luck)
        else:
            yield from verbs[verb]


def leaves_open(entry: Entry, notation: Notation) -> bool:
    """Return whether an act does not list its cards, or gives only their number."""
    if entry.verb.cards and entry.verb.syntax.is_number(entry.value):
        return True
    return REST in entry.verb.syntax.show(entry.value, notation)


def some_cards(
    verb: Verb, seat: int, rnd: Round, entries: Sequence[Entry], luck: Luck
) -> Iterator[Entry]:
    """Yield random selections of the actor's cards, as many as similar acts have."""
    hand = hand_of(rnd, seat)
    sizes = {
        len(entry.value) if isinstance(entry.value, tuple) else int(entry.value)
        for entry in entries
        if entry.verb is verb and entry.seat == seat and isinstance(entry.value, (tuple, int))
    } - {0}
    fit = sorted(size for size in sizes if size <= len(hand)) or list(range(1, len(hand) + 1))
    for _ in range(TRIES if fit else 0):
        yield Entry(verb, seat, tuple(sorted(luck.sample(hand, luck.choice(fit)))))


def hand_of(rnd: Round, seat: int | None) -> list[int]:
    """Return the cards that are certainly in a hand, as a list of kinds."""
    if seat is None or seat < 0 or not rnd.has_hands:
        return []
    return rnd.rules.pack.kinds_in(rnd.hands.sure[seat])


# --- wrong acts, and results


def wrong_act(
    verb: Verb, rnd: Round, notation: Notation, heard: Sequence[Entry], luck: Luck
) -> Entry | None:
    """Return an unchecked act or fact with that verb, or None if there is no value for it.

    Usually it belongs to a player whose turn it is. It has cards of that player, random cards,
    or the value of one of the `earlier` acts.
    """
    waiting = rnd.waiting() or rnd.seats
    seat = None if verb.table else luck.choice(waiting if luck.random() < 0.7 else rnd.seats)
    if heard and luck.random() < 0.5:
        return Entry(verb, seat, luck.choice(heard).value)
    hand = hand_of(rnd, seat)
    if isinstance(verb.syntax, Cards) and hand and luck.random() < 0.5:
        number = min(len(hand), luck.randint(verb.syntax.least, max(verb.syntax.least, MOST_CARDS)))
        return Entry(verb, seat, tuple(luck.sample(hand, number)))
    values = verb.syntax.sample(luck, notation) or [entry.value for entry in heard]
    return Entry(verb, seat, luck.choice(values)) if values else None


def may_happen(verb: Verb) -> bool:
    """Return whether an entry with that verb is plausible in any round.

    Such entries are fouls, facts of a start that fit any deal, and the contract where no one bids.
    """
    if verb.fact:
        return verb.about == BID or isinstance(verb.syntax, (Who, Nothing))
    return verb.aside and not verb.late


def some_result(rnd: Round, luck: Luck) -> str:
    """Return a random result from the keys and words of the phases, or "" if the game has no
    results."""
    fields = rnd.result_fields()
    if not fields:
        return ""
    said = []
    for key, what, words in fields:
        if luck.random() > (LEFT_OUT if "empty" in what else GIVEN):
            continue
        if words:
            several = "+" in what and len(words) > 1 and luck.random() < 0.5
            said.append(f"{key}={'+'.join(luck.sample(words, 1 + several))}")
        else:
            number = luck.randint(0, 60) * 5 if luck.random() < MANY else luck.randint(0, FEW)
            said.append(key if luck.random() < 0.1 else f"{key}={number}")
    return f"result {' '.join(said)}" if said else ""


# --- what was seen


class Trouble(NamedTuple):
    """A problem of a random match, with the seed, the players and the entries that reproduce it.

    `entries` are those of the rounds from `first` to `round`. If `first` is not 1, they begin with
    facts that describe the start of that round.
    """

    kind: str
    message: str
    seed: int
    players: tuple[str, ...]
    first: int
    round: int
    entries: tuple[str, ...]


class Watch:
    """The observations of a number of matches.

    `problems` has the first problem of each sort, and `times` the number of them.
    `finding_codes` are the codes of clauses with a finding. `tried_verbs` were judged, and
    `legal_verbs` were legal once. `applied_rows` are rows that applied, as dotted paths.
    `tried_results` and `accepted_results` are numbers of results.
    """

    def __init__(self) -> None:
        self.troubles: dict[tuple[str, str], Trouble] = {}
        self.often: Counter[tuple[str, str]] = Counter()
        self.found: set[str] = set()
        self.legal: set[str] = set()
        self.tried: set[str] = set()
        self.applied: set[str] = set()
        self.matches = self.rounds = self.entries = 0
        self.counted = self.unchanged = 0
        self.results = self.taken = 0

    # --- what went wrong

    def trouble(self, kind: str, message: str, seed: int, match: Match, last: str = "") -> None:
        """Log a problem with the last entry of a match, or with `last`, which was not recorded.

        Problems that differ only by names, cards and numbers are one sort. Beyond the limit, all
        further sorts of a kind are counted as one.
        """
        sort = _sort(message, match)
        known = [each for each in self.troubles if each[0] == kind]
        if (kind, sort) not in self.troubles and len(known) >= MOST_SORTS:
            sort, message = "", f"and others, such as {message}"
        self.often[kind, sort] += 1
        if (kind, sort) in self.troubles:
            return
        first, number, entries = _leading(match, last, kind != CRASH)
        players = tuple(match.players)
        self.troubles[kind, sort] = Trouble(kind, message, seed, players, first, number, entries)

    # --- what was judged and played

    def judged(self, entry: Entry, findings: Iterable[Finding]) -> bool:
        """Log a judged entry, and return whether it is legal."""
        found = list(findings)
        legal = verdict_of(found) != ILLEGAL
        self.tried.add(entry.word)
        if legal:
            self.legal.add(entry.word)
        self.found.update([finding.code for finding in found])
        return legal

    def round_over(self, played: Played, rnd: Round) -> None:
        """Log a finished round and the rows that applied in it."""
        self.rounds += 1
        self.entries += len(played.entries)
        self.found.update([finding.code for _, finding in rnd.log.all_found()])
        self.applied.update(line.code for line in played.lines)
        for phase in rnd.rules.phases.values():
            if isinstance(phase, Coverage):
                self.applied.update(phase.applied_rows(rnd))
        if rnd.void or played.changes is None:
            return
        self.counted += 1
        self.unchanged += not any(played.changes)

    # --- what never was

    def notes(self, rules: Ruleset) -> list[str]:
        """Return notes about rules that never applied, one line each."""
        never = [
            *self._unheard(rules),
            *(f"{name} never applied" for name in self._unapplied(rules)),
            *self._unused_orders(rules),
        ]
        matches = number_of(self.matches, "match", "matches")
        return [*(f"{each} in {matches}" for each in never), *self._rounds()]

    def _unheard(self, rules: Ruleset) -> Iterable[str]:
        """Yield verbs that were never legal, and clauses that never had a finding.

        Those of which no entry could be tried are left out.
        """
        own = [verb for verb in rules.verbs if rules.phase_of[verb].name != "table"]
        for verb in own:
            if verb in self.tried and verb not in self.legal:
                yield f"{rules.spoken(verb)} was never legal"
        for name, clause in rules.clauses.items():
            verbs = [verb for verb, rows in rules.clauses_of.items() if clause in rows]
            if clause.code not in self.found and self.tried.intersection(verbs):
                yield f"clauses.{name} never applied"

    def _unapplied(self, rules: Ruleset) -> Iterable[str]:
        """Return the rows that never applied."""
        rows = [row.code for row in rules.scores]
        for phase in rules.phases.values():
            for section in phase.coverage_tables if isinstance(phase, Coverage) else ():
                rows += [f"{section}.{name}" for name in rules.section(section)]
        return [row for row in rows if row not in self.applied]

    def _unused_orders(self, rules: Ruleset) -> Iterable[str]:
        """Yield notes about orders that were never used."""
        for name in rules.orders.rows:
            if name not in rules.orders.asked_for:
                yield f"orders.{name} never was in force"
        for name, pattern in rules.orders.unmatched():
            yield f"orders.{name}: the pattern {pattern} never took a card"

    def _rounds(self) -> Iterable[str]:
        """Yield notes about rounds without a score and about results."""
        if self.unchanged:
            yield f"{self.unchanged} of {number_of(self.counted, 'round')} changed no tally"
        if self.results and not self.taken:
            yield f"no result was taken, of {self.results} that were tried"


def _sort(message: str, match: Match) -> str:
    """Return a message without names, cards and numbers."""
    for name in match.players:
        message = message.replace(name, "NAME")
    if match.notation.kinds:
        card = "|".join(map(re.escape, match.notation.kinds))
        message = re.sub(rf"\b(?:{card})(?:,? (?:{card}))*\b", "CARDS", message)
    return NUMBER.sub("0", message)


def _leading(match: Match, last: str, sure: bool) -> tuple[int, int, tuple[str, ...]]:
    """Return the entries that lead to the current moment of a match.

    The result has the first round they cover, the current round, and the entries. They are those
    of the current round after facts that describe its start. If such facts cannot describe it,
    or `sure` is false, they are those of all rounds. `last` is an entry that was not recorded.
    """
    played = match.rounds[-1] if match.rounds else None
    if played is None or (last and played.over):
        number, before, entries = len(match.rounds) + 1, match.standing, list[str]()
    else:
        number, before, entries = played.number, played.before, list(played.entries)
    whole = [text for each in match.rounds for text in each.entries]
    told = entries if number == 1 else _with_start(match, before, entries) if sure else None
    first, texts = (1, whole) if told is None else (number, told)
    return first, number, (*texts, *([last] if last else []))


def _with_start(match: Match, before: Standing, entries: list[str]) -> list[str] | None:
    """Return a round's entries after facts that describe its start, or None if no facts can.

    The entries then have the same effect in a separate match.
    """
    try:
        position = match.beside(before, 1).position
        facts = [text for text in position.partition(": ")[2].split("; ")[1:] if text]
        other = match.beside(match.begun_again().standing, 1)
        for text in (*facts, *entries):
            other.record(text)
    except Failure:
        return None
    ours, theirs = match.rounds[-1], other.rounds[-1] if other.rounds else None
    if entries and theirs is not None:
        same = (ours.changes, ours.mistaken) == (theirs.changes, theirs.mistaken)
        return [*facts, *entries] if same else None
    return [*facts, *entries]


def misruled(findings: Iterable[Finding], data: Row) -> list[str]:
    """Return the messages of findings about rules without a value."""
    return [
        placed(str(finding.facts["message"]), data, finding.code)
        for finding in findings
        if finding.verdict == OPEN and (finding.say == UNRULED or finding.code == MISRULED)
    ]


def placed(message: str, data: Row, otherwise: str = "") -> str:
    """Return a message about an expression with the keys of the ruleset where it is used.

    `otherwise` replaces them if the expression is not in the ruleset literally.
    """
    keys = [key for key, text in _texts(data, "") if f'"{shown(text)}"' in message]
    where = ", ".join(keys) or otherwise
    return f"{message} ({where})" if where else message


def _texts(table: Mapping[str, object], path: str) -> Iterator[tuple[str, str]]:
    """Yield every text of a ruleset with its key."""
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{path}{key}", value
        elif isinstance(value, dict):
            yield from _texts(value, f"{path}{key}.")
