"""A ruleset checked by playing it: matches at random, and the examples of its clause words.

An example says what a word allows and what it refuses, as entries to play, so that what is shown of
a word is what the referee says. They stand beside the phases, `phases/examples/PHASE.toml`, one
table for each clause word, or several under the same name (`[[follow]]`):

    [follow]
    ruleset = "fixed-trump"                 # one that is shipped
    players = ["Ana", "Ben", "Cleo"]
    set = { clauses.rest.word = "follow" }  # choices, as `--set` makes them; may be left out
    before = ["Ana: AH"]                    # entries that lead there; may be left out
    legal = ["Ben: 9H"]                     # the word has nothing against any of these
    illegal = ["Ben: 9S"]                   # the word forbids each of these ...
    open = ["Ben: 9S"]                      # ... or nobody can tell yet, while hands are unseen
    noted = ["Ben: QH"]                     # the word says something about it, and allows it

Rows and tables that the ruleset has not stand in `add`, each whole, under its dotted key:
`add = { "phases.give" = { cards = 3, to = "left" } }`.

Each entry of the last four is judged by itself, after those of `before`. What stands at the top of
a file, `ruleset` and `players`, holds for every table that does not say otherwise.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Failure
from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.loading import load_ruleset
from scorekeeper.engine.ruleset import Ruleset
from scorekeeper.match.match import Match
from scorekeeper.match.random_play import NOTHING, RandomMatch, Trouble, Watch
from scorekeeper.ruleset import sources
from scorekeeper.ruleset.sources import shipped_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Luck, Plain, Row
    from scorekeeper.ruleset.vocabulary import ClauseWord

SOME = 8  # rounds, of which one would have changed a tally
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal")
NOTED = "noted"
KINDS = (LEGAL, ILLEGAL, OPEN, NOTED)
SHARED = ("ruleset", "players")
KEYS = (*SHARED, "set", "add", "before", *KINDS)


# --- matches at random: `rules check --play`


class Trial:
    """What a number of matches at random have shown: `troubles` that are faults, each with how
    often it came, and `notes`, which may well be meant so."""

    def __init__(self, ruleset: Ruleset, watch: Watch) -> None:
        self.matches, self.rounds, self.entries = watch.matches, watch.rounds, watch.entries
        self.troubles = [(trouble, watch.often[sort]) for sort, trouble in watch.troubles.items()]
        self.notes = watch.notes(ruleset)

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return not self.troubles

    def as_json(self) -> Json:
        """The same as plain values."""
        troubles = [
            {**trouble._asdict(), "players": list(trouble.players),
             "entries": list(trouble.entries), "times": often}
            for trouble, often in self.troubles
        ]  # fmt: skip
        return {
            "matches": self.matches,
            "rounds": self.rounds,
            "entries": self.entries,
            "faults": troubles,
            "notes": self.notes,
        }


def play(ruleset: Ruleset, matches: int, seed: int, luck_of: Callable[[int], Luck]) -> Trial:
    """Play so many matches, one for each seed from `seed` on; `luck_of` gives the chance of a
    seed. A seed plays the same match every time. Raises Failure where no number of players that
    the program has names for is allowed."""
    ruleset = Ruleset(ruleset.data, ruleset.text, ruleset.sha256)  # whose orders nobody asked for
    counts = counts_of(ruleset)
    watch = Watch()
    for each in range(seed, seed + matches):
        names = list(NAMES[: counts[each % len(counts)]])
        RandomMatch(ruleset, names, each, luck_of(each), watch).play()
    _nothing_changed(watch, seed)
    return Trial(ruleset, watch)


def counts_of(ruleset: Ruleset) -> list[int]:
    """The numbers of players that the ruleset allows, as far as there are names."""
    found: list[int] = []
    refused: Failure | None = None
    for count in range(1, len(NAMES) + 1):
        try:
            Match(ruleset, NAMES[:count])
        except Failure as failure:
            refused = failure
        else:
            found.append(count)
    if not found and refused is not None:
        raise refused
    return found


def _nothing_changed(watch: Watch, seed: int) -> None:
    """That no round has ever changed a tally is a fault, unless there were only a few."""
    if watch.counted >= SOME and watch.unchanged == watch.counted:
        said = f"none of {watch.counted} rounds has changed a tally"
        watch.troubles[NOTHING, said] = Trouble(NOTHING, said, seed, (), 1, 0, ())
        watch.often[NOTHING, said] = 1


# --- examples, played


class Example:
    """A situation of a clause word that was played: the match after the entries before, and every
    entry that was judged there.

    Raises a Failure where the entries before cannot be entered, or one of the others not judged.
    """

    __slots__ = ("asked", "case", "match")

    def __init__(self, word: ClauseWord, case: Case) -> None:
        # By its path: a ruleset of the user's own that has the same name is another one.
        path = shipped_folder() / f"{case.ruleset}.toml"
        self.case = case
        self.match = Match(load_ruleset(str(path), **case.options), case.players)
        for text in case.before:
            self.match.record(text)
        self.asked = [
            Asked(kind, text, self._found(word, text))
            for kind in KINDS
            for text in case.entries[kind]
        ]

    def _found(self, word: ClauseWord, text: str) -> Finding | None:
        """What a row of that word says of an entry now."""
        rows = self.match.ruleset.clauses.values()
        codes = {row.code for row in rows if row.word is word}
        findings = self.match.judge(text).findings
        return next((finding for finding in findings if finding.code in codes), None)

    @property
    def codes(self) -> set[str]:
        """The codes of the rows that have found something."""
        return {asked.finding.code for asked in self.asked if asked.finding is not None}

    def as_json(self) -> Json:
        """The example as plain JSON values."""
        return {
            "ruleset": self.case.ruleset,
            "set": self.case.options,
            "players": self.case.players,
            "before": self.case.before,
            "entries": [
                {
                    "entry": asked.entry,
                    "kind": asked.kind,
                    "code": asked.finding.code if asked.finding else "",
                    "reason": asked.finding.reason if asked.finding else "",
                }
                for asked in self.asked
            ],
        }


class Asked(NamedTuple):
    """An entry that a word was asked about: its kind (`KINDS`), and what the word found."""

    kind: str
    entry: str
    finding: Finding | None


def played(word: ClauseWord, code: str = "") -> list[Example]:
    """The examples of a clause word, played; where some are about the row of that code, only
    these. What cannot be played is left out: a shipped ruleset may extend one that the user's own
    rulesets hide."""
    found: list[Example] = []
    for case in examples_of(word.phase).get(word.name, []):
        with suppress(Failure):
            found.append(Example(word, case))
    return [each for each in found if code in each.codes] or found


# --- examples, as they are written


class Case:
    """One situation: the rules, the players, the entries before, and entries of each kind
    (`KINDS`) that the word is asked about there."""

    __slots__ = ("_added", "_set", "before", "entries", "options", "players", "ruleset")

    def __init__(self, row: Row) -> None:
        self.ruleset: str = row["ruleset"]
        self.players: list[str] = row["players"]
        # What a ruleset's keys may be set to is for its schema to say.
        self._set: Json = row.get("set", {})
        self._added: Json = row.get("add", {})
        self.options: Json = {**self._set, **self._added}
        self.before: list[str] = row.get("before", [])
        self.entries: dict[str, list[str]] = {kind: row.get(kind, []) for kind in KINDS}

    @property
    def settings(self) -> list[tuple[str, object]]:
        """The choices, each with its dotted key; a new row or table is one of them."""
        return [*_leaves(self._set), *self._added.items()]


def _leaves(table: Row, before: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{key}.")
        else:
            yield before + key, value


def examples_of(phase: str) -> dict[str, list[Case]]:
    """The examples of a phase's clause words, by word; none where it has no file.

    Raises Damaged for a file that does not hold what it should.
    """
    path = sources.examples_folder() / f"{phase}.toml"
    if not path.is_file():
        return {}
    table, faults = sources.read(path)
    if faults:
        raise Damaged(str(faults[0]))
    shared = {key: table.pop(key) for key in SHARED if key in table}
    found: dict[str, list[Case]] = {}
    for word, rows in table.items():
        whole = [shared | row for row in _rows(rows, f"{path.name}: {word}")]
        for row in whole:
            _check(row, f"{path.name}: {word}")
        found[word] = [Case(row) for row in whole]
    return found


def _rows(value: Plain, where: str) -> list[Json]:
    rows = value if isinstance(value, list) else [value]
    if not 0 < len(rows) <= untrusted.ROWS or not all(isinstance(row, dict) for row in rows):
        raise Damaged(f"{where}: takes a table, or 1 to {untrusted.ROWS} of them")
    return rows


def _check(row: Row, where: str) -> None:
    for problem in _problems(row):
        raise Damaged(f"{where}: {problem}")


def _problems(row: Row) -> Iterator[str]:
    yield from (f"there is no key {key}" for key in row if key not in KEYS)
    if not isinstance(row.get("ruleset"), str):
        yield "ruleset takes the name of a ruleset"
    for key in ("set", "add"):
        if not isinstance(row.get(key, {}), dict):
            yield f"{key} takes a table of keys and values"
    for key in ("players", "before", *KINDS):
        texts = row.get(key, [])
        if not isinstance(texts, list) or len(texts) > untrusted.ITEMS:
            yield f"{key} takes a list of at most {untrusted.ITEMS} texts"
        elif not all(isinstance(text, str) and len(text) <= untrusted.TEXT for text in texts):
            yield f"{key} takes texts of at most {untrusted.TEXT} characters"
    if not row.get("players"):
        yield "players are missing"
    if not any(row.get(kind) for kind in KINDS):
        yield f"no entry is asked about: {', '.join(KINDS)}"


# --- choices as TOML has them


def as_toml(value: object) -> str:
    """The value of a choice, a table as TOML has it; a text as it is."""
    return in_a_line(value) if isinstance(value, dict) else str(value)


def in_a_line(value: object) -> str:
    """A value as TOML has it, tables and lists in one line."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{key_of(key)} = {in_a_line(part)}" for key, part in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(in_a_line, value))}]"
    return json.dumps(value, ensure_ascii=False)


def key_of(key: str) -> str:
    """A key as TOML has it: in quotes, where it has signs other than these."""
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)
