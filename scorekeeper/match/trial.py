"""Checks of a ruleset by playing: random matches, and the examples for its clause words.

An example lists entries that a word allows and entries that it forbids. Playing the example shows
the rulings of the real referee. Examples are in `phases/examples/PHASE.toml`, in one table for each
clause word. A word with several examples has an array of tables (`[[follow]]`):

    [follow]
    ruleset = "fixed-trump"                 # a shipped ruleset
    players = ["Ana", "Ben", "Cleo"]
    set = { clauses.rest.word = "follow" }  # options as for `--set`; optional
    before = ["Ana: AH"]                    # entries recorded first; optional
    legal = ["Ben: 9H"]                     # the word allows each of these
    illegal = ["Ben: 9S"]                   # the word forbids each of these
    open = ["Ben: 9S"]                      # undecided while hands are unseen
    noted = ["Ben: QH"]                     # allowed, with a note or a warning

`add` contains whole rows and tables that the ruleset lacks, each under its dotted key: `add = {
"phases.give" = { cards = 3, to = "left" } }`.

Each entry in the last four lists is judged separately, after the entries in `before`. `ruleset` and
`players` at the top of a file are defaults for all of its tables.
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
from scorekeeper.match.random_play import UNCHANGED, RandomMatch, TrialLog, TrialProblem
from scorekeeper.ruleset import sources
from scorekeeper.ruleset.sources import find_shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, JsonValue, Rng, Row
    from scorekeeper.ruleset.vocabulary import ClauseWord

MIN_ROUNDS = 8  # number of rounds after which at least one tally should have changed
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal")
NOTED = "noted"
KINDS = (LEGAL, ILLEGAL, OPEN, NOTED)
SHARED_KEYS = ("ruleset", "players")
KEYS = (*SHARED_KEYS, "set", "add", "before", *KINDS)


# --- random matches: `rules check --play`


class Trial:
    """The result of random matches.

    `problems` lists faults, each with the number of times that it occurred. `notes` lists
    observations that may be intended.
    """

    def __init__(
        self, ruleset: Ruleset, watch: TrialLog, written_key: Callable[[str], str]
    ) -> None:
        self.matches, self.rounds, self.entries = watch.matches, watch.rounds, watch.entries
        self.problems = [(trouble, watch.times[sort]) for sort, trouble in watch.problems.items()]
        self.notes = watch.list_notes(ruleset, written_key)

    @property
    def ok(self) -> bool:
        """True if no fault occurred."""
        return not self.problems

    def as_json(self) -> Json:
        """Return the result as a dictionary of JSON values."""
        troubles = [
            {**trouble._asdict(), "players": list(trouble.players),
             "entries": list(trouble.entries), "times": often}
            for trouble, often in self.problems
        ]  # fmt: skip
        return {
            "matches": self.matches,
            "rounds": self.rounds,
            "entries": self.entries,
            "faults": troubles,
            "notes": self.notes,
        }


def play_matches(
    ruleset: Ruleset,
    matches: int,
    seed: int,
    rng_of: Callable[[int], Rng],
    written_key: Callable[[str], str] = str,
) -> Trial:
    """Play `matches` random matches, with consecutive seeds starting at `seed`.

    `rng_of` returns the random number generator for a seed. The same seed always plays the same
    match. `written_key` returns the key that the ruleset's file has for a compiled key. Raises
    Failure if the ruleset allows no number of players between 1 and 8.
    """
    # a new copy, because a used copy remembers which card orders were used
    ruleset = Ruleset(ruleset.data, ruleset.text, ruleset.text_sha256)
    counts = list_player_counts(ruleset)
    watch = TrialLog()
    for each in range(seed, seed + matches):
        names = list(NAMES[: counts[each % len(counts)]])
        RandomMatch(ruleset, names, each, rng_of(each), watch).play()
    _check_unchanged(watch, seed)
    return Trial(ruleset, watch, written_key)


def list_player_counts(ruleset: Ruleset) -> list[int]:
    """Return the numbers of players that the ruleset allows, between 1 and 8."""
    allowed: list[int] = []
    refused: Failure | None = None
    for count in range(1, len(NAMES) + 1):
        try:
            Match(ruleset, NAMES[:count])
        except Failure as failure:
            refused = failure
        else:
            allowed.append(count)
    if not allowed and refused is not None:
        raise refused
    return allowed


def _check_unchanged(watch: TrialLog, seed: int) -> None:
    """Add a fault if many rounds were played and none changed a tally."""
    if watch.scored_rounds >= MIN_ROUNDS and watch.unchanged_rounds == watch.scored_rounds:
        message = f"none of the {watch.scored_rounds} rounds changed a tally"
        watch.problems[UNCHANGED, message] = TrialProblem(UNCHANGED, message, seed, (), 1, 0, ())
        watch.times[UNCHANGED, message] = 1


# --- played examples


class PlayedExample:
    """A played example for a clause word.

    It contains the match after the entries of `before`, and the judged entries. Raises Failure if
    an entry of `before` cannot be recorded, or if another entry cannot be judged.
    """

    __slots__ = ("match", "results", "source")

    def __init__(self, word: ClauseWord, case: WordExample) -> None:
        # Load by path, because a user's ruleset may have the same name as the shipped one.
        path = find_shipped(case.ruleset)
        self.source = case
        self.match = Match(load_ruleset(str(path), **case.options), case.players)
        for text in case.before:
            self.match.record(text)
        self.results = [
            ExampleResult(kind, text, self._finding_on(word, text))
            for kind in KINDS
            for text in case.entries[kind]
        ]

    def _finding_on(self, word: ClauseWord, text: str) -> Finding | None:
        """Return the finding that the example's clause word produced for an entry, or None."""
        rows = self.match.ruleset.clauses.values()
        codes = {row.code for row in rows if row.word is word}
        findings = self.match.judge(text).findings
        return next((finding for finding in findings if finding.code in codes), None)

    @property
    def codes(self) -> set[str]:
        """The codes of the findings in the example's results."""
        return {result.finding.code for result in self.results if result.finding is not None}

    def as_json(self) -> Json:
        """Return the example as a dictionary of JSON values."""
        return {
            "ruleset": self.source.ruleset,
            "set": self.source.options,
            "players": self.source.players,
            "before": self.source.before,
            "entries": [
                {
                    "entry": result.entry,
                    "kind": result.kind,
                    "code": result.finding.code if result.finding else "",
                    "reason": result.finding.reason if result.finding else "",
                }
                for result in self.results
            ],
        }


class ExampleResult(NamedTuple):
    """A judged entry of an example: its kind (one of `KINDS`), its text, and the word's finding on
    it."""

    kind: str
    entry: str
    finding: Finding | None


def play_examples(word: ClauseWord, code: str = "", game: str = "") -> list[PlayedExample]:
    """Return the played examples for a clause word.

    If `code` is given and some examples produced findings with that code, return only these
    examples. If some of them are in the ruleset `game`, return only those. Examples that cannot be
    played are left out. This may happen if a user's ruleset hides a shipped ruleset of the same
    name.
    """
    examples: list[PlayedExample] = []
    for case in load_examples(word.phase).get(word.name, []):
        with suppress(Failure):
            examples.append(PlayedExample(word, case))
    examples = [each for each in examples if code in each.codes] or examples
    return [each for each in examples if each.source.ruleset == game] or examples


# --- written examples


class WordExample:
    """An example as written.

    It consists of the ruleset, the players, the entries to record first, and the entries to judge.
    """

    __slots__ = ("_added", "_set", "before", "entries", "options", "players", "ruleset")

    def __init__(self, row: Row) -> None:
        self.ruleset: str = row["ruleset"]
        self.players: list[str] = row["players"]
        # The schema of the ruleset checks the values of these options.
        self._set: Json = row.get("set", {})
        self._added: Json = row.get("add", {})
        self.options: Json = {**self._set, **self._added}
        self.before: list[str] = row.get("before", [])
        self.entries: dict[str, list[str]] = {kind: row.get(kind, []) for kind in KINDS}

    @property
    def settings(self) -> list[tuple[str, object]]:
        """The options of the example with their dotted keys.

        Each added row or table is listed as one option.
        """
        return [*_leaves(self._set), *self._added.items()]


def _leaves(table: Row, before: str = "") -> Iterator[tuple[str, object]]:
    """Yield the values of nested tables with their dotted keys."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{key}.")
        else:
            yield before + key, value


def load_examples(phase: str) -> dict[str, list[WordExample]]:
    """Return the examples for a phase, by clause word. The result is empty if the phase has no
    file.

    Raises Damaged if the file is malformed.
    """
    path = sources.examples_folder() / f"{phase}.toml"
    if not path.is_file():
        return {}
    table, faults = sources.read_table(path)
    if faults:
        raise Damaged(str(faults[0]))
    shared = {key: table.pop(key) for key in SHARED_KEYS if key in table}
    examples: dict[str, list[WordExample]] = {}
    for word, rows in table.items():
        whole = [shared | row for row in _rows(rows, f"{path.name}: {word}")]
        for row in whole:
            _check(row, f"{path.name}: {word}")
        examples[word] = [WordExample(row) for row in whole]
    return examples


def _rows(value: JsonValue, where: str) -> list[Json]:
    """Return the tables in a value. Raises Damaged if there is no table or if there are too
    many."""
    rows = value if isinstance(value, list) else [value]
    if not 0 < len(rows) <= untrusted.MAX_ROWS or not all(isinstance(row, dict) for row in rows):
        raise Damaged(f"{where}: must be a table, or a list of 1 to {untrusted.MAX_ROWS} tables")
    return rows


def _check(row: Row, where: str) -> None:
    """Raise Damaged for the first problem in an example."""
    for problem in _problems(row):
        raise Damaged(f"{where}: {problem}")


def _problems(row: Row) -> Iterator[str]:
    """Yield the problems in an example."""
    yield from (f"there is no key {key}" for key in row if key not in KEYS)
    if not isinstance(row.get("ruleset"), str):
        yield "ruleset must be the name of a ruleset"
    for key in ("set", "add"):
        if not isinstance(row.get(key, {}), dict):
            yield f"{key} must be a table of keys and values"
    for key in ("players", "before", *KINDS):
        texts = row.get(key, [])
        if not isinstance(texts, list) or len(texts) > untrusted.MAX_ITEMS:
            yield f"{key} must be a list of at most {untrusted.MAX_ITEMS} texts"
        elif not all(isinstance(text, str) and len(text) <= untrusted.MAX_TEXT for text in texts):
            yield f"each item of {key} must be a text of at most {untrusted.MAX_TEXT} characters"
    if not row.get("players"):
        yield "players are missing"
    if not any(row.get(kind) for kind in KINDS):
        yield f"there is no entry to judge; add at least one of: {', '.join(KINDS)}"


# --- options in TOML


def format_value(value: object) -> str:
    """Return the value of an option as text. A table is written in TOML."""
    return format_toml(value) if isinstance(value, dict) else str(value)


def format_toml(value: object) -> str:
    """Return a value in TOML, with tables and lists on one line."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{format_key(key)} = {format_toml(part)}" for key, part in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(format_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def format_key(key: str) -> str:
    """Return a key in TOML, quoted if it needs quotes."""
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)
