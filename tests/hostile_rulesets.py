"""Rulesets spoilt at random or one key after another, and rounds played at random.

A ruleset that the check passes must be playable, whatever was changed in it.
"""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import tomli_w

from scorekeeper.cli.start import first_lines
from scorekeeper.core.errors import Failure
from scorekeeper.engine.loading import check
from scorekeeper.match.match import Match
from scorekeeper.match.random_play import CRASH, UNREAD, RandomMatch, TrialLog
from scorekeeper.match.trial import list_player_counts
from scorekeeper.notation.notation import Translator
from scorekeeper.render import pages, text
from scorekeeper.render.rules_page import build_page
from scorekeeper.render.sheet import build_blank_sheet
from scorekeeper.ruleset import merge
from scorekeeper.session.live import LiveMatch
from scorekeeper.store.book import Book
from scorekeeper.store.database import MEMORY
from scorekeeper.store.recorder import begin_match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.ruleset.sources import RulesetFault

    Table = dict[str, Any]

PLAYERS = ["Ana", "Ben", "Cem", "Dov", "Eva", "Fay", "Gus"]
VALUES: tuple[Any, ...] = (
    *(0, 1, 2, 3, 7, -1, -13, 10_000, 999_999, 2**62, -(2**62), 0.5, 1e300, float("nan")),
    *(True, False, "", "x", "true", "3.1", "*", "{trmp}", "J{trump}", "NORMAL", "1 // 0", "1/2"),
    *("trick.points < 50", "own.tricks", "trick.number", "count", "-1", "99", "\x1b[31m", "A A"),
    *([], [[]], [{}], ["x"], [["x"]], [0], [-1], [7, 7], ["true"], {}, {"x": 1}, {"x": {}}),
    *({"4": 4}, {"4": [0, 1, 2, 3]}, {"": ""}, "x" * 2000, ["x"] * 500, "(" * 300, "tally.most"),
)


def table_of(name: str) -> Table:
    """Return the merged table of a ruleset, by name or path, in the words of its files."""
    merged, faults = merge.resolve(name, allow_path=True)
    assert not faults
    merged.expand()
    return merged.surface


def compiled_table_of(name: str) -> Table:
    """Return the table of a ruleset as a match pins it."""
    merged, faults = merge.resolve(name, allow_path=True)
    assert not faults + merged.expand()
    return merged.table


def checked(table: Table) -> tuple[Ruleset | None, list[RulesetFault]]:
    """Write a table into a file, and return it as a ruleset with its faults."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "spoilt.toml")
        path.write_text(tomli_w.dumps(table), "utf-8", newline="\n")
        rules, _, faults = check(str(path))
    return rules, faults


def paths(table: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a table, tables and lists included."""
    inside = table.items() if isinstance(table, dict) else enumerate(table)
    for key, value in inside:
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from paths(value, (*at, key))


def spoilt(table: Table, random: Random) -> tuple[Table, str]:
    """Return a copy with one or two changes, and a description of the changes."""
    found, told = copy.deepcopy(table), []
    for _ in range(random.choice((1, 1, 1, 2))):
        path = random.choice(list(paths(found)))
        inner: Any = found
        for key in path[:-1]:
            inner = inner[key]
        told.append(f"{path}: {_change(inner, path[-1], found, random)}")
    return found, "; ".join(told)


def _change(inner: Any, key: Any, table: Table, random: Random) -> str:
    how = random.choice(("value", "value", "value", "other", "delete", "add", "swap"))
    if how == "delete":
        del inner[key]
    elif how == "add" and isinstance(inner, dict):
        inner[random.choice(("x", "when", "", "a.b", "tricks", "\x1b[2J"))] = _value(random)
    elif how == "other":
        path = random.choice(list(paths(table)))
        value: Any = table
        for part in path:
            value = value[part]
        inner[key] = copy.deepcopy(value)
        return f"other {path}"
    elif how == "swap" and isinstance(inner, dict):
        items = list(inner.items())
        random.shuffle(items)
        inner.clear()
        inner.update(items)
    else:
        inner[key] = _value(random)
        return f"{inner[key]!r:.60}"
    return how


def _value(random: Random) -> Any:
    return copy.deepcopy(random.choice(VALUES))


def without_a_verb(table: Table) -> Iterator[tuple[Table, str]]:
    """Yield a copy for each verb that a ruleset may turn off, with that verb turned off."""
    rules, _ = checked(copy.deepcopy(table))
    assert rules is not None
    for verb in rules.entry_types.values():
        if not verb.is_implicit and rules.phase_of[verb.word].name != "table":
            found = copy.deepcopy(table)
            found.setdefault("verbs", {})[verb.word] = False
            yield found, verb.word


def spoilt_one_by_one(table: Table) -> Iterator[tuple[Table, str]]:
    """Yield a copy for each key and each of VALUES in its place, and one without the key."""
    for path in paths(table):
        for value in (*VALUES, None):
            found: Any = copy.deepcopy(table)
            inner = found
            for key in path[:-1]:
                inner = inner[key]
            if value is None:
                del inner[path[-1]]
            else:
                inner[path[-1]] = copy.deepcopy(value)
            yield found, f"{path}: {value!r:.60}"


def use(rules: Ruleset, random: Random, steps: int = 40) -> None:
    """Ask a ruleset everything that a command asks: its page, blank sheets, how a match begins, a
    match played at random, and a live table. An exception is a fault of the program's own."""
    pages.as_text(build_page(rules, lambda cite: ""), 80)
    try:
        counts = list_player_counts(rules)
    except Failure:  # It seats no player.
        return
    names = PLAYERS[: random.choice(counts)]
    text.render(build_blank_sheet(rules, len(names), rows=2))
    match = Match(rules, names)
    list(first_lines(match, Translator(match.notation, "")))
    watch = TrialLog()
    played = RandomMatch(rules, names, 1, random, watch)
    played.play(steps)
    for (kind, _), trouble in watch.problems.items():
        assert kind not in (CRASH, UNREAD), (trouble.message, trouble.entries)
    with Book(MEMORY) as store:
        board = LiveMatch(begin_match(store, rules, names))
        for entry in played.match.rounds[0].entries[:6] if played.match.rounds else ("x", "1"):
            board.hint(entry)
            board.complete(entry[: len(entry) // 2])
            board.enter(entry)
            board.screen()


def play(rules: Ruleset, random: Random, entries: int) -> Match | None:
    """Return a match after that many random entries, or None if the ruleset seats none of our
    players."""
    match = None
    for count in (4, 2, 3, 5, 6, 7, 1):
        try:
            match = Match(rules, PLAYERS[:count])
            break
        except Failure:
            continue
    if match is None:
        return None
    for _ in range(entries):
        if match.over:
            break
        legal = match.legal()[:200]
        if legal and random.random() < 0.85:
            text = random.choice(legal)
        else:
            text = random.choice(_facts(rules, random))
        if random.random() < 0.05:
            text += " !stands"
        try:
            match.record(text)
        except Failure:
            continue
        match.state  # noqa: B018
    return match


def _facts(rules: Ruleset, random: Random) -> list[str]:
    name, other = random.sample(PLAYERS[:4], 2)
    kinds = rules.pack.kinds or ("AC",)
    cards = " ".join(random.choices(kinds, k=random.choice((1, 1, 2, 3, 6, 8))))
    return [
        f"lead {name}",
        f"dealer {name}",
        f"trump {random.choice('CSHD')}",
        f"master {name}",
        f"kitty {cards}",
        f"{name}: {cards}",
        f"{name}: exchange 1 with {other}",
        f"hand {name}: {random.randint(0, 12)}",
        f"hand {name}: {cards}",
        f"talon {random.randint(0, 20)}",
        f"turnup {random.choice(kinds)}",
        f"standing {name}: {random.randint(0, 10)}",
        f"count {random.randint(0, 9)}",
        f"penalty {name}: {random.choice(('minor', '3', '-2', 'serious'))}",
        f"foul {name}: cheat",
        "all: gesund",
        "void because",
        "sudden-death",
        f"{name}: rest",
        f"{name}: takeback",
        f"check {name}: 3",
        f"touch {name}",
        f"holds {name}: {random.choice(kinds)}",
        f"{name}: {random.choice(('re', 'kontra', 'keine90', 'hochzeit', 'damensolo', 'pass'))}",
        f"{name}: {random.choice(('dudo', 'calzo', 'take', 'open', 'closed', 'leave'))}",
    ]
