"""What was seen while a ruleset was played at random: what went wrong, and what ever applied."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import number_of
from scorekeeper.core.rulings import ILLEGAL, OPEN, verdict_of
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.play.findings import UNRULED
from scorekeeper.play.round import MISRULED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Row, Standing
    from scorekeeper.notation import Entry
    from scorekeeper.play.match import Match
    from scorekeeper.play.played import Played
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.compiled import Ruleset

# What went wrong, in a word. UNREAD and CRASH are the program's own faults.
RULE, DEAD_END, CHANCE, UNREAD, CRASH = "rule", "dead end", "chance", "unreadable", "crash"
STILL, ENDLESS, UNSCORED, NOTHING = "stands still", "endless", "no score", "nothing changes"
UNDECIDED = "undecided"
MOST_SORTS = 8  # of one kind of trouble that are told apart
NUMBER = re.compile(r"[-+]?\d+")


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
