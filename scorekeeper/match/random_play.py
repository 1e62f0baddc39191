"""A match played at random, by what the phases of its ruleset offer and what chance brings.

Everyone's cards are dealt and entered, so that every rule about a hand is decided. Whoever acts
takes something that is legal; now and then something else, mostly wrong, is judged and not
recorded. A `Watch` learns what went wrong, and what ever applied.
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
from scorekeeper.engine.phase import BID
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

MOST_OFFERED = 600  # acts of a phase that are looked at; beyond, cards are chosen by chance
MOST_CARDS = 3  # in a wrong act
GIVEN, LEFT_OUT = 0.8, 0.2  # how often a key of a result is said, and one that may be empty
MANY, FEW = 0.6, 11  # how often a number is of points; else it counts something
TRIES = 60  # choices of several cards, before all are listed

# What went wrong, in a word. UNREAD and CRASH are the program's own faults.
RULE, DEAD_END, CHANCE, UNREAD, CRASH = "rule", "dead end", "chance", "unreadable", "crash"
STILL, ENDLESS, UNSCORED, NOTHING = "stands still", "endless", "no score", "nothing changes"
UNDECIDED = "undecided"
MOST_SORTS = 8  # of one kind of trouble that are told apart
NUMBER = re.compile(r"[-+]?\d+")


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


# --- acts that a phase offers


def offered(phase: AnyPhase, rnd: Round) -> list[Entry]:
    """What somebody might do in a phase now; the first of it, where it is very much."""
    return list(islice(sayable(phase.options(rnd), rnd.rules.off), MOST_OFFERED))


def in_random_order(entries: list[Entry], luck: Luck) -> Iterator[Entry]:
    """All of them, each picked when it is asked for."""
    left = len(entries)
    while left:
        chosen, left = luck.randint(0, left - 1), left - 1
        entries[chosen], entries[left] = entries[left], entries[chosen]
        yield entries[left]


def by_verb(entries: list[Entry], luck: Luck, bold: float) -> Iterator[Entry]:
    """All of them, one verb after the other in random order; who is not `bold` says the usual,
    which a phase offers first, where it is not about cards."""
    verbs: dict[Verb, list[Entry]] = {}
    for entry in entries:
        verbs.setdefault(entry.verb, []).append(entry)
    for verb in luck.sample(list(verbs), len(verbs)):
        if verb.cards or luck.random() < bold:
            yield from in_random_order(verbs[verb], luck)
        else:
            yield from verbs[verb]


def leaves_open(entry: Entry, notation: Notation) -> bool:
    """Whether an act stands for cards that it does not list, or only says how many they are."""
    if entry.verb.cards and entry.verb.syntax.is_number(entry.value):
        return True
    return REST in entry.verb.syntax.show(entry.value, notation)


def some_cards(
    verb: Verb, seat: int, rnd: Round, entries: Sequence[Entry], luck: Luck
) -> Iterator[Entry]:
    """Cards of the actor's by chance, again and again: as many as another of these acts has, or
    says."""
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
    """The cards that surely are in a hand (kinds, one for each card)."""
    if seat is None or seat < 0 or not rnd.has_hands:
        return []
    return rnd.rules.pack.kinds_in(rnd.hands.sure[seat])


# --- wrong acts, and results


def wrong_act(
    verb: Verb, rnd: Round, notation: Notation, heard: Sequence[Entry], luck: Luck
) -> Entry | None:
    """An act of that verb, or a fact, that nobody has looked at: mostly of whose turn it is, with
    cards of theirs or any, or with something that was `heard` before. None where there is
    nothing to say."""
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
    """Whether such an entry may well happen: a foul, a fact of the start that fits any deal, or
    what is played where nobody bids."""
    if verb.fact:
        return verb.about == BID or isinstance(verb.syntax, (Who, Nothing))
    return verb.aside and not verb.late


def some_result(rnd: Round, luck: Luck) -> str:
    """A result as a table might enter it, by the keys and words that the phases name; "" where
    this game takes none."""
    fields = rnd.rules.concluding.fields(rnd)
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
    """Something that went wrong: what kind it is, in words, and the entries that lead there: the
    match's seed and players, and the entries of the rounds from `first` to `round`; where `first`
    is not 1, facts come before them that say how it began."""

    kind: str
    message: str
    seed: int
    players: tuple[str, ...]
    first: int
    round: int
    entries: tuple[str, ...]


class Watch:
    """All that was seen in a number of matches.

    `troubles` are the first of each sort, and `often` how many there were of it; `found` are the
    codes of clauses that had something to say; `legal` are the verbs that were legal once,
    `tried` those of which anything was judged; `applied` rows that have applied, as dotted paths;
    `results`: how many results were tried, and how many could have been taken.
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
        """Something went wrong with the last entry of a match, or with `last`, which it has not
        taken. Those that differ by names, cards and numbers alone are one sort; where there are
        too many sorts of a kind, the rest of them are one."""
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
        """An entry was judged; whether it may be."""
        found = list(findings)
        legal = verdict_of(found) != ILLEGAL
        self.tried.add(entry.word)
        if legal:
            self.legal.add(entry.word)
        self.found.update([finding.code for finding in found])
        return legal

    def round_over(self, played: Played, rnd: Round) -> None:
        """A round is over: what applied in it."""
        self.rounds += 1
        self.entries += len(played.entries)
        self.found.update([finding.code for _, finding in rnd.log.all_found()])
        self.applied.update(line.code for line in played.lines)
        for phase in rnd.rules.phases.values():
            self.applied.update(phase.applied(rnd))
        if rnd.void or played.changes is None:
            return
        self.counted += 1
        self.unchanged += not any(played.changes)

    # --- what never was

    def notes(self, rules: Ruleset) -> list[str]:
        """What never applied, and the like, a line each."""
        never = [
            *self._unheard(rules),
            *(f"{name} never applied" for name in self._unapplied(rules)),
            *self._unused_orders(rules),
        ]
        matches = number_of(self.matches, "match", "matches")
        return [*(f"{each} in {matches}" for each in never), *self._rounds()]

    def _unheard(self, rules: Ruleset) -> Iterable[str]:
        """Verbs that never were legal, and clauses that never had anything to say; those of which
        nothing could be tried are left out."""
        own = [verb for verb in rules.verbs if rules.phase_of[verb].name != "table"]
        for verb in own:
            if verb in self.tried and verb not in self.legal:
                yield f"{rules.spoken(verb)} was never legal"
        for name, clause in rules.clauses.items():
            verbs = [verb for verb, rows in rules.clauses_of.items() if clause in rows]
            if clause.code not in self.found and self.tried.intersection(verbs):
                yield f"clauses.{name} never applied"

    def _unapplied(self, rules: Ruleset) -> Iterable[str]:
        rows = [row.code for row in rules.scores]
        for phase in rules.phases.values():
            for section in phase.tracked:
                rows += [f"{section}.{name}" for name in rules.section(section)]
        return [row for row in rows if row not in self.applied]

    def _unused_orders(self, rules: Ruleset) -> Iterable[str]:
        for name in rules.orders.rows:
            if name not in rules.orders.asked_for:
                yield f"orders.{name} never was in force"
        for name, pattern in rules.orders.unmatched():
            yield f"orders.{name}: the pattern {pattern} never took a card"

    def _rounds(self) -> Iterable[str]:
        if self.unchanged:
            yield f"{self.unchanged} of {number_of(self.counted, 'round')} changed no tally"
        if self.results and not self.taken:
            yield f"no result was taken, of {self.results} that were tried"


def _sort(message: str, match: Match) -> str:
    """A message without what differs from time to time: names, cards, numbers."""
    for name in match.players:
        message = message.replace(name, "NAME")
    if match.notation.kinds:
        card = "|".join(map(re.escape, match.notation.kinds))
        message = re.sub(rf"\b(?:{card})(?:,? (?:{card}))*\b", "CARDS", message)
    return NUMBER.sub("0", message)


def _leading(match: Match, last: str, sure: bool) -> tuple[int, int, tuple[str, ...]]:
    """What leads to this moment of a match: the first round that is told, the round that goes on
    or was the last, and the entries: those of that round after facts of its start, or, where these
    do not lead there (or that is not `sure`), of all rounds. `last` has not been taken."""
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
    """A round's entries after facts that say how it began, so that they come to the same in a
    match of their own; None where no facts can say that."""
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
    """What findings say of rules that have no value."""
    return [
        placed(str(finding.facts["message"]), data, finding.code)
        for finding in findings
        if finding.verdict == OPEN and (finding.say == UNRULED or finding.code == MISRULED)
    ]


def placed(message: str, data: Row, otherwise: str = "") -> str:
    """A message about an expression, with the keys of the ruleset where that stands, or
    `otherwise` where it stands nowhere as it is."""
    keys = [key for key, text in _texts(data, "") if f'"{shown(text)}"' in message]
    where = ", ".join(keys) or otherwise
    return f"{message} ({where})" if where else message


def _texts(table: Mapping[str, object], path: str) -> Iterator[tuple[str, str]]:
    """Every text of a ruleset with its key."""
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{path}{key}", value
        elif isinstance(value, dict):
            yield from _texts(value, f"{path}{key}.")
