"""A match that is played at random, with acts that the ruleset's phases offer.

All hands are dealt and entered, so that every rule about a hand can be checked. Players choose
legal acts. Sometimes another act, usually an illegal one, is judged without being recorded. A
`TrialLog` collects the problems and the rules that applied.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from itertools import chain, islice
from math import inf
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import format_count
from scorekeeper.core.rulings import ILLEGAL, OPEN, worst_verdict
from scorekeeper.core.text import describe_crash, format_json, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.findings import NOT_APPLICABLE
from scorekeeper.engine.phase import BID, Coverage
from scorekeeper.engine.referee import REST_MARK, judge
from scorekeeper.engine.round import RULESET_ERROR
from scorekeeper.engine.ruleset import enabled_entries
from scorekeeper.engine.state import CONCEDE
from scorekeeper.match.match import Match
from scorekeeper.match.result_line import find_result
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards, NoValue, PlayerName
from scorekeeper.ruleset.tables import join_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Rng, Row, Standing
    from scorekeeper.engine.phase import AnyPhase
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import EntryType

MAX_ROUNDS = 40
ENOUGH_ENTRIES = 120  # number of entries after which the match stops at the end of the round
# Limits within one round. Progress is checked after LONG_ROUND entries. The match stops after
# MAX_STILL entries without progress, and in any case after MAX_ENTRIES entries.
LONG_ROUND, MAX_STILL, MAX_ENTRIES = 300, 20, 1500
WRONG_RATE = 0.2  # probability of first trying an act that is usually illegal
WRONG_START_RATE = 0.5  # the same probability before the first act, when facts are stated
FACT_RATE, FOUL_RATE = 0.3, 0.02  # probabilities of recording a legal fact and a legal foul
LOOK_RATE = 0.01  # probability of querying the state of the match
STANDS_RATE = 0.3  # probability of judging an illegal entry as if the table had accepted it
CONCEDE_RATE = 0.02  # probability that a player who may concede does so
MAX_RESULTS_TRIED = 8  # number of results tried in one search
MAX_RESULT_SEARCHES = 2  # number of searches in one match for a result that would be accepted
# probability of trying the acts of concurrent phases before the acts of the current phase
CONCURRENT_RATE = 0.15
# probabilities of recording only the result of a round; one is chosen for each match
RESULT_RATES = (0.02, 0.02, 0.02, 0.3, 0.9)
# probabilities of choosing an unusual act; one is chosen for each round
UNUSUAL_RATES = (0.1, 0.4, 1.0)

MAX_OFFERED = 600  # number of acts listed for a phase; if there are more, cards are drawn at random
MAX_WRONG_CARDS = 3  # maximum number of cards in an illegal act
# probabilities of including a required key and an optional key in a result
KEY_RATE, EMPTY_KEY_RATE = 0.8, 0.2
# A number in a result resembles a sum of points with this probability. Otherwise it is small.
POINTS_RATE, MAX_COUNT = 0.6, 11
# number of card selections to try at random, before the remaining selections are tried in order
MAX_TRIES = 60

# Kinds of problems. UNREAD and CRASH are faults in the program itself.
RULE, DEAD_END, CHANCE, UNREAD, CRASH = "rule", "dead end", "chance", "unreadable", "crash"
STILL, ENDLESS, UNSCORED, UNCHANGED = "stands still", "endless", "no score", "nothing changes"
UNDECIDED = "undecided"
MAX_SORTS = 8  # number of different problems of one kind that are listed separately
NUMBER = re.compile(r"[-+]?\d+")


class StopPlaying(Exception):
    """Raised if the match cannot continue. The log contains the reason."""


class RandomMatch:
    """A random match between these players. The seed determines it, and `log` collects the
    results."""

    def __init__(
        self, ruleset: Ruleset, names: list[str], seed: int, rng: Rng, log: TrialLog
    ) -> None:
        self.match = Match(ruleset, names)
        self.seed = seed
        self.rng = rng
        self.log = log
        self._result_rate = rng.choice(RESULT_RATES)
        self._unusual_rate = rng.choice(UNUSUAL_RATES)
        self._earlier_acts: dict[EntryType, list[Entry]] = {}
        self._verbs = list(ruleset.entry_types.values())
        self._facts = [verb for verb in self._verbs if verb.is_setup_fact]
        self._current: Entry | str = ""  # the entry to name in a crash report
        self._reported: set[str] = set()
        self._result_searches = 0  # number of searches for a result so far in this match
        self._entry_count = self._still_count = 0
        self._last_state: Json = {}

    def play(self, max_steps: float = inf) -> None:
        """Play until the match ends, is long enough, or cannot continue.

        At most `max_steps` steps are played.
        """
        self.log.matches += 1
        tried = 0
        try:
            while tried < max_steps and not self._is_enough():
                self._step()
                tried += 1
        except StopPlaying:
            pass
        except Exception as error:  # any exception is a fault in the program and must be reported
            doing = self._current
            text = doing if isinstance(doing, str) else self.match.notation.write(doing).text
            self._add_problem(CRASH, f"an error in the program: {describe_crash(error)}", text)

    def _is_enough(self) -> bool:
        """Return whether the match has ended or is long enough."""
        match = self.match
        if match.over:
            return True
        between = not match.rounds or match.rounds[-1].over
        return between and (len(match.rounds) >= MAX_ROUNDS or self._entry_count >= ENOUGH_ENTRIES)

    def _add_problem(self, kind: str, message: str, last: str = "") -> None:
        """Log a problem in the current match."""
        self.log.add_problem(kind, message, self.seed, self.match, last)

    # --- choosing the next step

    def _step(self) -> None:
        """Play one step: an act, a random event, a result or an illegal attempt."""
        rnd, rng = self.match.current_round, self.rng
        self._current = ""
        if rng.random() < LOOK_RATE:
            self._query_match()
        if not rnd.log.entries and rng.random() < self._result_rate and self._try_result(rnd):
            return
        if rng.random() < (
            WRONG_RATE if rnd.acted else WRONG_START_RATE
        ) and self._try_something_else(rnd):
            return
        chance = self._next_chance(rnd)
        if chance is not None and (
            chance.type.is_setup_fact or rnd.waiting() or rng.random() < 0.5
        ):
            self._record_chance(chance)
            return
        if self._act(rnd):
            return
        if chance is None:
            self._report_dead_end(rnd)
        else:
            self._record_chance(chance)

    def _query_match(self) -> None:
        """Call the methods of the match that must never crash, whatever its state is."""
        format_json(self.match.state)
        self.match.legal()
        repr(self.match)

    def _next_chance(self, rnd: Round) -> Entry | None:
        """Return the entry for a random event that is due now, or None."""
        now = () if rnd.phase is None else (rnd.phase,)
        brought = chain.from_iterable(
            phase.chance(rnd, self.rng) for phase in (*rnd.rules.concurrent, *now)
        )
        return next(iter(enabled_entries(brought, rnd.rules.disabled_verbs)), None)

    def _record_chance(self, entry: Entry) -> None:
        """Record a random event, which must be accepted."""
        text = self.match.notation.write(entry).text
        self.log.tried_verbs.add(entry.word)
        why = self._record(text)
        if why:
            self._add_problem(
                CHANCE, f"“{quote(text)}” must happen now, but it is refused: {why}", text
            )
            raise StopPlaying
        self.log.legal_verbs.add(entry.word)

    def _try_result(self, rnd: Round) -> bool:
        """Try to enter the whole round as a random result, and return whether one was accepted.

        If none has been accepted so far, also try the result that the program would suggest.
        """
        for _ in range(MAX_RESULTS_TRIED):
            text = sample_result(rnd, self.rng)
            if not text:
                return False
            if self._is_result_accepted(text):
                return True
        if self.log.accepted_results or self._result_searches >= MAX_RESULT_SEARCHES:
            return False
        self._result_searches += 1
        result = find_result(self.match, text)
        return bool(result) and self._is_result_accepted(result)

    def _is_result_accepted(self, result: str) -> bool:
        """Try to record a result, and return whether it was accepted."""
        self.log.tried_results += 1
        is_accepted = not self._record(result)
        self.log.accepted_results += is_accepted
        return is_accepted

    def _try_something_else(self, rnd: Round) -> bool:
        """Judge an entry that is usually illegal, and return whether it was recorded.

        The entry may be a result of the round. Some legal entries, such as fouls, are recorded.
        """
        rng = self.rng
        verb = rng.choice(self._verbs if rnd.acted or rng.random() < 0.5 else self._facts)
        if rng.random() < 0.1:
            verb, text = rnd.rules.entry_types["result"], sample_result(rnd, rng)
        else:
            earlier = self._earlier_acts.get(verb, [])
            entry = wrong_act(verb, rnd, self.match.notation, earlier, rng)
            text = "" if entry is None else self.match.notation.write(entry).text
            if entry is not None:
                self.log.tried_verbs.add(verb.word)
        return bool(text) and self._is_allowed(rnd, text) and self._record_if_suitable(verb, text)

    def _is_allowed(self, rnd: Round, text: str) -> bool:
        """Return whether the match judges an entry to be legal."""
        self._current = text
        try:
            ruling = self.match.judge(text)
        except Failure:
            return False
        self.log.finding_codes.update([finding.code for finding in ruling.findings])
        for message in list_ruleset_errors(ruling.findings, rnd.rules.data):
            self._report_ruleset_error(message, text)
        if ruling.refused and self.rng.random() < STANDS_RATE:
            self._judge_as_stands(f"{text} !stands")
        return ruling.verdict != ILLEGAL

    def _judge_as_stands(self, text: str) -> None:
        """Judge an illegal entry as if the table had accepted it, without recording it."""
        self._current = text
        with suppress(Failure):
            self.match.judge(text)

    def _record_if_suitable(self, verb: EntryType, text: str) -> bool:
        """Record a legal entry if it is plausible, and return whether it was recorded."""
        self.log.legal_verbs.add(verb.word)
        often = FACT_RATE if verb.is_setup_fact else FOUL_RATE
        if not may_happen(verb) or self.rng.random() > often or self._record(text):
            return False
        # only the players at a real table could resolve a conflict between facts
        if self.match.live_round.conflicts:
            self._undo()
        return True

    def _undo(self) -> None:
        """Undo the last entry."""
        self.match.undo()

    # --- acts

    def _act(self, rnd: Round) -> bool:
        """Record a legal act, and return whether there was one."""
        return any(self._do(rnd, entry) for entry in self._choices(rnd))

    def _choices(self, rnd: Round) -> Iterator[Entry]:
        """Yield all acts to try, in the order in which to try them."""
        rng = self.rng
        now = [] if rnd.phase is None else list_offered(rnd.phase, rnd)
        beside = [entry for phase in rnd.rules.concurrent for entry in list_offered(phase, rnd)]
        covered = (each for each in rnd.rules.concurrent if isinstance(each, Coverage))
        also = chain.from_iterable(phase.extra_attempts(rnd) for phase in covered)
        beside += enabled_entries(also, rnd.rules.disabled_verbs)
        parts = [beside, now] if rng.random() < CONCURRENT_RATE else [now, beside]
        for entries in parts:
            if rng.random() < self._unusual_rate / 2:
                yield from in_random_order(entries, rng)
            else:
                yield from by_verb(entries, rng, self._unusual_rate)
            if rnd.phase is not None and len(entries) == MAX_OFFERED:
                for seat in rnd.phase.waiting(rnd) if entries[0].type.plays_cards else ():
                    yield from sample_cards(entries[0].type, seat, rnd, entries, rng)
                more = enabled_entries(rnd.phase.options(rnd), rnd.rules.disabled_verbs)
                yield from islice(more, MAX_OFFERED, None)
        for phase in rnd.rules.sequence:
            if phase.offers_early and phase is not rnd.phase:
                yield from list_offered(phase, rnd)

    def _do(self, rnd: Round, entry: Entry) -> bool:
        """Record an act if it is legal, and return whether it was recorded."""
        notation = self.match.notation
        self._current = ""
        if is_incomplete(entry, notation):
            return self._do_with_cards(rnd, entry)
        self._current = entry
        earlier = self._earlier_acts.setdefault(entry.type, [])
        if len(earlier) < 50:
            earlier.append(entry)
        try:
            findings = judge(rnd, entry)
        except Failure:
            return False
        for message in list_ruleset_errors(findings, rnd.rules.data):
            self._report_ruleset_error(message, notation.write(entry).text)
        if not self.log.add_judged(entry, findings):
            return False
        if entry.word == CONCEDE and self.rng.random() > CONCEDE_RATE:
            return False
        return not self._record(notation.write(entry).text)

    def _do_with_cards(self, rnd: Round, entry: Entry) -> bool:
        """Choose cards for an act that does not name them, and record the act if it is legal.

        If no selection of cards is legal, try an act that states only the number of cards, if the
        game allows this.
        """
        phase = rnd.rules.phase_of[entry.word]
        number = entry.type.syntax.is_count_only(entry.value)
        if (filled := phase.fill(rnd, entry, self.rng)) is not None:
            return self._do(rnd, filled)
        if entry.seat is None or entry.seat < 0 or not (number or entry.value == ()):
            return False
        same = [entry] if number else list_offered(phase, rnd)
        if number and not isinstance(entry.value, int):
            return not self._record(self.match.notation.write(entry).text)
        tries = sample_cards(entry.type, entry.seat, rnd, same, self.rng)
        if any(self._do(rnd, each) for each in tries):
            return True
        return number and not self._record(self.match.notation.write(entry).text)

    # --- recording and checking

    def _record(self, text: str) -> str:
        """Record an entry. Return "" if it was accepted, or else the reason for the refusal."""
        self._current = text
        try:
            self.match.record(text)
        except Unreadable as failure:
            if not text.startswith("result "):
                self._add_problem(
                    UNREAD, f"“{quote(text)}” cannot be read: {failure.message}", text
                )
            return str(failure)
        except Failure as failure:
            return failure.message
        self._entry_count += 1
        self._check_state()
        return ""

    def _check_state(self) -> None:
        """Check the state after the last entry, and log any problems."""
        rnd, played = self.match.live_round, self.match.rounds[-1]
        for message in sorted(rnd.ruleset_errors):
            self._report_ruleset_error(locate_message(message, rnd.rules.data))
        if played.over:
            for phase in rnd.rules.phases.values():
                if isinstance(phase, Coverage) and (message := phase.undecided(rnd)):
                    self._add_problem(UNDECIDED, message)
            if played.changes is None and not rnd.ruleset_errors:
                self._add_problem(
                    UNSCORED, "a round has no score although all its entries are known"
                )
            self.log.add_round(played, rnd)
            self._unusual_rate = self.rng.choice(UNUSUAL_RATES)
            self._still_count = 0
            self._reported.clear()
        elif len(played.entries) > LONG_ROUND:
            self._check_long_round(len(played.entries))

    def _report_ruleset_error(self, message: str, last: str = "") -> None:
        """Log a ruleset error, but not more than once in a round."""
        if message not in self._reported:
            self._reported.add(message)
            self._add_problem(RULE, message, last)

    def _check_long_round(self, entries: int) -> None:
        """Stop the match if a long round makes no progress."""
        state = self.match.state
        self._still_count = self._still_count + 1 if state == self._last_state else 0
        self._last_state = state
        if self._still_count >= MAX_STILL:
            self._add_problem(STILL, f"{MAX_STILL} acts in a row changed nothing")
            raise StopPlaying
        if entries >= MAX_ENTRIES:
            self._add_problem(ENDLESS, f"a round is not over after {entries} entries")
            raise StopPlaying

    def _report_dead_end(self, rnd: Round) -> None:
        """Log that no player can act in an unfinished round, and stop the match."""
        why: dict[str, str] = {}
        often: Counter[str] = Counter()
        for entry in self._choices(rnd):
            try:
                findings = judge(rnd, entry)
            except Failure as failure:
                findings = []
                why.setdefault("", failure.message)
            for finding in findings:
                if finding.verdict == ILLEGAL:
                    why.setdefault(finding.code, f"{finding.code}: {finding.reason}")
                    often[finding.code] += 1
        most = sorted(why, key=lambda code: (-often[code], code))[:2]
        because = f"; for example {'; '.join(why[code] for code in most)}" if why else ""
        self._add_problem(
            DEAD_END, f"no player can act, but the prompt is: {self.match.prompt}{because}"
        )
        raise StopPlaying


# --- offered acts


def list_offered(phase: AnyPhase, rnd: Round) -> list[Entry]:
    """Return the acts that a phase offers now, up to a limit."""
    return list(islice(enabled_entries(phase.options(rnd), rnd.rules.disabled_verbs), MAX_OFFERED))


def in_random_order(entries: list[Entry], rng: Rng) -> Iterator[Entry]:
    """Yield all entries in random order, choosing each entry only when it is needed."""
    left = len(entries)
    while left:
        chosen, left = rng.randint(0, left - 1), left - 1
        entries[chosen], entries[left] = entries[left], entries[chosen]
        yield entries[left]


def by_verb(entries: list[Entry], rng: Rng, unusual_rate: float) -> Iterator[Entry]:
    """Yield all entries grouped by verb, with the verbs in random order.

    A phase offers its usual acts first. Acts that play cards are shuffled. For any other verb, the
    order of the phase is preserved with probability 1 - `unusual_rate`.
    """
    verbs: dict[EntryType, list[Entry]] = {}
    for entry in entries:
        verbs.setdefault(entry.type, []).append(entry)
    for verb in rng.sample(list(verbs), len(verbs)):
        if verb.plays_cards or rng.random() < unusual_rate:
            yield from in_random_order(verbs[verb], rng)
        else:
            yield from verbs[verb]


def is_incomplete(entry: Entry, notation: Notation) -> bool:
    """Return whether an act does not name its cards, or states only the number of cards."""
    if entry.type.plays_cards and entry.type.syntax.is_count_only(entry.value):
        return True
    return REST_MARK in entry.type.syntax.write(entry.value, notation)


def sample_cards(
    verb: EntryType, seat: int, rnd: Round, entries: Sequence[Entry], rng: Rng
) -> Iterator[Entry]:
    """Yield random selections from the actor's cards. Their sizes are taken from similar acts."""
    hand = hand_of(rnd, seat)
    sizes = {
        len(entry.value) if isinstance(entry.value, tuple) else int(entry.value)
        for entry in entries
        if entry.type is verb and entry.seat == seat and isinstance(entry.value, (tuple, int))
    } - {0}
    fit = sorted(size for size in sizes if size <= len(hand)) or list(range(1, len(hand) + 1))
    for _ in range(MAX_TRIES if fit else 0):
        yield Entry(verb, seat, tuple(sorted(rng.sample(hand, rng.choice(fit)))))


def hand_of(rnd: Round, seat: int | None) -> list[int]:
    """Return the cards known to be in a hand, as a list of card kinds."""
    if seat is None or seat < 0 or not rnd.has_hands:
        return []
    return rnd.rules.pack.kinds_in(rnd.hands.known[seat])


# --- wrong acts and results


def wrong_act(
    verb: EntryType, rnd: Round, notation: Notation, earlier: Sequence[Entry], rng: Rng
) -> Entry | None:
    """Return an unchecked act or fact with the given verb, or None if no value is available.

    The actor is usually a player whose turn it is. The value is copied from one of the `earlier`
    acts, taken from the actor's hand, or random.
    """
    waiting = rnd.waiting() or rnd.seats
    seat = None
    if not (verb.is_table_entry or verb.is_joint):
        seat = rng.choice(waiting if rng.random() < 0.7 else rnd.seats)
    if earlier and rng.random() < 0.5:
        return Entry(verb, seat, rng.choice(earlier).value)
    hand = hand_of(rnd, seat)
    if isinstance(verb.syntax, Cards) and hand and rng.random() < 0.5:
        number = min(
            len(hand), rng.randint(verb.syntax.least, max(verb.syntax.least, MAX_WRONG_CARDS))
        )
        return Entry(verb, seat, tuple(rng.sample(hand, number)))
    values = verb.syntax.sample(rng, notation) or [entry.value for entry in earlier]
    return Entry(verb, seat, rng.choice(values)) if values else None


def may_happen(verb: EntryType) -> bool:
    """Return whether an entry with the given verb is plausible in any round.

    Plausible entries are fouls and starting facts that fit any deal. The contract is also plausible
    if the game has no bidding.
    """
    if verb.is_setup_fact:
        return verb.measured_as == BID or isinstance(verb.syntax, (PlayerName, NoValue))
    return verb.is_always_possible and not verb.may_follow_round


def sample_result(rnd: Round, rng: Rng) -> str:
    """Return a random result from the keys and words of the phases, or "" if the game has no
    results."""
    fields = rnd.result_fields()
    if not fields:
        return ""
    parts = []
    for key, what, words in fields:
        if rng.random() > (EMPTY_KEY_RATE if "empty" in what else KEY_RATE):
            continue
        if words:
            several = "+" in what and len(words) > 1 and rng.random() < 0.5
            parts.append(f"{key}={'+'.join(rng.sample(words, 1 + several))}")
        else:
            number = (
                rng.randint(0, 60) * 5 if rng.random() < POINTS_RATE else rng.randint(0, MAX_COUNT)
            )
            parts.append(key if rng.random() < 0.1 else f"{key}={number}")
    return f"result {' '.join(parts)}" if parts else ""


# --- observations


class TrialProblem(NamedTuple):
    """A problem in a random match, with the seed, the players and the entries that reproduce it.

    `entries` contains the entries of rounds `first` to `round`. If `first` is not 1, they begin
    with facts that describe the start of round `first`.
    """

    kind: str
    message: str
    seed: int
    players: tuple[str, ...]
    first: int
    round: int
    entries: tuple[str, ...]


class TrialLog:
    """The observations made in a series of random matches.

    Problems of one kind are the same if their messages differ only in names, cards and numbers.
    `problems` holds the first occurrence of each problem, and `times` the number of occurrences.
    `finding_codes` are the codes of clauses that produced a finding. `tried_verbs` lists verbs that
    were judged, and `legal_verbs` lists verbs that were legal at least once. `applied_rows` lists
    the ruleset rows that applied, as dotted keys. `tried_results` and `accepted_results` count
    results.
    """

    def __init__(self) -> None:
        self.problems: dict[tuple[str, str], TrialProblem] = {}
        self.times: Counter[tuple[str, str]] = Counter()
        self.finding_codes: set[str] = set()
        self.legal_verbs: set[str] = set()
        self.tried_verbs: set[str] = set()
        self.applied_rows: set[str] = set()
        self.matches = self.rounds = self.entries = 0
        self.scored_rounds = self.unchanged_rounds = 0
        self.tried_results = self.accepted_results = 0

    # --- problems

    def add_problem(self, kind: str, message: str, seed: int, match: Match, last: str = "") -> None:
        """Log a problem with the most recent entry of a match, or with `last`, which was not
        recorded.

        At most `MAX_SORTS` different problems of one kind are listed. All others of this kind are
        counted together.
        """
        sort = _generalize(message, match)
        known = [each for each in self.problems if each[0] == kind]
        if (kind, sort) not in self.problems and len(known) >= MAX_SORTS:
            sort, message = "", f"and other problems, such as {message}"
        self.times[kind, sort] += 1
        if (kind, sort) in self.problems:
            return
        first, number, entries = _leading_entries(match, last, kind != CRASH)
        players = tuple(match.players)
        self.problems[kind, sort] = TrialProblem(
            kind, message, seed, players, first, number, entries
        )

    # --- judged entries and played rounds

    def add_judged(self, entry: Entry, findings: Iterable[Finding]) -> bool:
        """Log a judged entry, and return whether the entry is legal."""
        found = list(findings)
        legal = worst_verdict(found) != ILLEGAL
        self.tried_verbs.add(entry.word)
        if legal:
            self.legal_verbs.add(entry.word)
        self.finding_codes.update([finding.code for finding in found])
        return legal

    def add_round(self, played: RoundRecord, rnd: Round) -> None:
        """Log a finished round and the ruleset rows that applied in it."""
        self.rounds += 1
        self.entries += len(played.entries)
        self.finding_codes.update([finding.code for _, finding in rnd.log.all_findings()])
        self.applied_rows.update(line.code for line in played.lines)
        for phase in rnd.rules.phases.values():
            if isinstance(phase, Coverage):
                self.applied_rows.update(phase.applied_rows(rnd))
        if rnd.void or played.changes is None:
            return
        self.scored_rounds += 1
        self.unchanged_rounds += not any(played.changes)

    # --- unused rules

    def list_notes(self, rules: Ruleset, written_key: Callable[[str], str]) -> list[str]:
        """Return notes about rules that never applied, one line each.

        `written_key` returns the key that the ruleset's file has for a compiled key.
        """
        unapplied = [*self._unused_clauses(rules), *self._unapplied_rows(rules)]
        never = [
            *self._unused_verbs(rules),
            *(f"{key} never applied" for key in dict.fromkeys(map(written_key, unapplied))),
            *self._unused_orders(rules),
        ]
        matches = format_count(self.matches, "match", "matches")
        return [*(f"{each} in {matches}" for each in never), *self._round_notes()]

    def _unused_verbs(self, rules: Ruleset) -> Iterable[str]:
        """Yield notes about verbs that were never legal."""
        own = [verb for verb in rules.entry_types if rules.phase_of[verb].name != "table"]
        for verb in own:
            if verb in self.tried_verbs and verb not in self.legal_verbs:
                yield f"{rules.translate_word(verb)} was never legal"

    def _unused_clauses(self, rules: Ruleset) -> Iterable[str]:
        """Yield the keys of clauses that never produced a finding.

        A clause is left out if none of the entries that it concerns could be tried.
        """
        for name, clause in rules.clauses.items():
            verbs = [verb for verb, rows in rules.clauses_of.items() if clause in rows]
            if clause.code not in self.finding_codes and self.tried_verbs.intersection(verbs):
                yield join_key(("clauses", name))

    def _unapplied_rows(self, rules: Ruleset) -> Iterable[str]:
        """Return the ruleset rows that never applied."""
        rows = [row.code for row in rules.scores]
        for phase in rules.phases.values():
            for section in phase.coverage_tables if isinstance(phase, Coverage) else ():
                rows += [f"{section}.{name}" for name in rules.section(section)]
        return [row for row in rows if row not in self.applied_rows]

    def _unused_orders(self, rules: Ruleset) -> Iterable[str]:
        """Yield notes about card orders that were never used."""
        for name in rules.orders.rows:
            if name not in rules.orders.used_names:
                yield f"orders.{name} was never used"
        for name, pattern in rules.orders.unmatched_patterns():
            yield f"orders.{name}: the pattern {pattern} never matched a card"

    def _round_notes(self) -> Iterable[str]:
        """Yield a note about rounds that changed no tally, and a note about results that were
        refused."""
        if self.unchanged_rounds:
            rounds = format_count(self.scored_rounds, "round")
            yield f"{self.unchanged_rounds} of {rounds} changed no tally"
        if self.tried_results and not self.accepted_results:
            yield f"none of the {self.tried_results} results that were tried was accepted"


def _generalize(message: str, match: Match) -> str:
    """Return a message with its names, cards and numbers replaced."""
    for name in match.players:
        message = message.replace(name, "NAME")
    if match.notation.kinds:
        card = "|".join(map(re.escape, match.notation.kinds))
        message = re.sub(rf"\b(?:{card})(?:,? (?:{card}))*\b", "CARDS", message)
    return NUMBER.sub("0", message)


def _leading_entries(match: Match, last: str, sure: bool) -> tuple[int, int, tuple[str, ...]]:
    """Return the entries that lead to the current moment of a match.

    The result is a tuple of the first round that the entries cover, the current round, and the
    entries. Usually the entries are facts that describe the start of the current round, followed by
    the entries of that round. If no facts can describe the start, or if `sure` is false, the
    entries of all rounds are returned. `last` is an entry that was not recorded.
    """
    played = match.rounds[-1] if match.rounds else None
    if played is None or (last and played.over):
        number, before, entries = len(match.rounds) + 1, match.standing, list[str]()
    else:
        number, before, entries = played.number, played.before, list(played.entries)
    whole = [text for each in match.rounds for text in each.entries]
    texts_of_round = (
        entries if number == 1 else _with_start(match, before, entries) if sure else None
    )
    first, texts = (1, whole) if texts_of_round is None else (number, texts_of_round)
    return first, number, (*texts, *([last] if last else []))


def _with_start(match: Match, before: Standing, entries: list[str]) -> list[str] | None:
    """Return facts that describe a round's start, followed by its entries.

    In a separate match, these entries have the same effect. Return None if no facts can describe
    the start.
    """
    try:
        position = match.copy_from(before, 1).position
        facts = [text for text in position.partition(": ")[2].split("; ")[1:] if text]
        other = match.copy_from(match.copy_from_start().standing, 1)
        for text in (*facts, *entries):
            other.record(text)
    except Failure:
        return None
    ours, theirs = match.rounds[-1], other.rounds[-1] if other.rounds else None
    if entries and theirs is not None:
        same = (ours.changes, ours.has_errors) == (theirs.changes, theirs.has_errors)
        return [*facts, *entries] if same else None
    return [*facts, *entries]


def list_ruleset_errors(findings: Iterable[Finding], data: Row) -> list[str]:
    """Return the messages of findings about rules that could not be evaluated."""
    return [
        locate_message(str(finding.facts["message"]), data, finding.code)
        for finding in findings
        if finding.verdict == OPEN
        and (finding.say == NOT_APPLICABLE or finding.code == RULESET_ERROR)
    ]


def locate_message(message: str, data: Row, otherwise: str = "") -> str:
    """Return a message about an expression, with the ruleset keys where the expression is used.

    `otherwise` replaces the keys if the ruleset does not contain the expression literally.
    """
    keys = [key for key, text in _texts(data, "") if f'"{quote(text)}"' in message]
    where = ", ".join(keys) or otherwise
    return f"{message} ({where})" if where else message


def _texts(table: Mapping[str, object], path: str) -> Iterator[tuple[str, str]]:
    """Yield every string in a ruleset with its key."""
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{path}{key}", value
        elif isinstance(value, dict):
            yield from _texts(value, f"{path}{key}.")
