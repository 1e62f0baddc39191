"""Random entries, evenings, records and rulesets, with a function for each kind.

A function uses its input, and raises if that reveals a fault of the program. Its arguments are the
random generator, an empty folder in which the program runs too, and a list. It adds each input to
the list before trying it.
"""

from __future__ import annotations

import json
import os
import tomllib
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from scorekeeper import Failure, Match, load_ruleset, read_record, verify_record, write_record
from scorekeeper.match.trial import list_player_counts
from scorekeeper.ruleset.sources import find_shipped
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from tests.helpers import SHIPPED, program
from tests.hostile_rulesets import checked, spoilt, table_of, use

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from scorekeeper import Finding, Ruleset
    from tests.helpers import Answer

    Kind = Callable[[Random, Path, list[str]], None]

ROOT = Path(__file__).parent.parent.parent
OWN = ROOT / "tests" / "rulesets"  # They have parts that no shipped ruleset has.
RECORDS = sorted((ROOT / "tests" / "records").glob("*.toml"), key=lambda path: path.stat().st_size)
# The number of records, of which the smallest are taken, because they are quick to judge.
SMALL = 25
PLAYERS = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal"]
CODES = (0, 1, 2, 3, 4)  # See docs/exit-codes.md. An interruption is left out.
OURS = "program's own"  # A report of a fault in the program begins with this.
ODD = (
    *("", " ", "\0", "\n", "\r", "\t", "\x1b[2J", "\u202e", "\u00a0", "\ufeff", "\u2212", "²", "٣"),
    *("ß", "e\u0301", "😀", "'", '"', '"""', "\\", "#", "=", ":", ";", ",", "|", "[", "{", "-"),
    *("!", "0", "-1", "1e9", "9" * 30, "x", "true", "nan", "1/0", "a" * 300, "all", "result"),
)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Run in that folder, with its own home, book and settings."""
    before, environment = Path.cwd(), dict(os.environ)
    own = {"HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    os.environ.update({name: str(path) for name, path in own.items()})
    os.environ["SCOREKEEPER_BOOK"] = str(folder / "book.sqlite")
    os.environ.update(LANGUAGE="en", SCOREKEEPER_SETTINGS=os.devnull)
    os.environ["SCOREKEEPER_RULESETS"] = str(OWN)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)


def spoil(text: str, random: Random, most: int = 4) -> str:
    """Return a text with up to that many changes: lost, doubled and inserted letters, words and
    lines."""
    for _ in range(random.randint(0, most)):
        parted = random.choice(("", " ", "\n"))
        parts = text.split(parted) if parted else list(text)
        at = random.randint(0, len(parts))
        how = random.choice(("lose", "double", "odd", "move", "end"))
        if how == "odd" or not parts:
            parts.insert(at, random.choice(ODD))
        elif how == "lose":
            del parts[at - 1]
        elif how == "double":
            parts.insert(at, parts[at - 1])
        elif how == "move":
            parts.insert(random.randint(0, len(parts) - 1), parts.pop())
        else:
            del parts[max(at, len(parts) // 2) :]
        text = parted.join(parts)
    return text


def answered(told: list[str], *arguments: str, stdin: str = "") -> Answer:
    """Return the program's answer, and check its lines and its exit code."""
    told.append(f"scorekeeper {' '.join(map(repr, arguments))}")
    answer = program(*arguments, stdin=stdin)
    assert answer.code in CODES, answer
    assert OURS not in answer.out + answer.err, answer
    assert answer.code != 2 or answer.out + answer.err, answer
    return answer


# --- entries


@cache
def games() -> dict[str, list[int]]:
    """Return the rulesets that can be played, each with its numbers of players."""
    found = {}
    for name in (*SHIPPED, *sorted(path.stem for path in OWN.glob("*.toml"))):
        with suppress(Failure):
            found[name] = list_player_counts(load_ruleset(name))
    return found


def game(random: Random) -> tuple[Ruleset, list[str]]:
    """Return one of these rulesets, with players."""
    name = random.choice(list(games()))
    return load_ruleset(name), PLAYERS[: random.choice(games()[name])]


def entry(match: Match, random: Random) -> str:
    """Return a line that a user may type, mostly a legal one, else words of this match."""
    legal = match.legal()[:100] if random.random() < 0.8 else []
    if legal and random.random() < 0.85:
        return spoil(random.choice(legal), random, random.choice((0, 0, 0, 0, 2)))
    lexicon, kinds = match.ruleset.lexicon, match.ruleset.pack.kinds or ("2x3",)
    words = [*lexicon.meanings, *kinds, *PLAYERS[:4], "1", "5", *random.choices(ODD, k=3)]
    said = random.choices(words, k=random.randint(1, 4))
    sign = random.choice(("", "", "", " !stands", " !withdrawn", " # why"))
    return f"{random.choice(PLAYERS[:4])}: {' '.join(said)}{sign}"[random.choice((0, 0, 5)) :]


def entries(random: Random, folder: Path, told: list[str]) -> None:
    """Record a random match.

    Every refusal must have a reason, and the record must agree with the match.
    """
    rules, names = game(random)
    match = Match(rules, names)
    told.append(f"{rules.name}, {len(names)} players")
    for _ in range(random.randint(5, 40)):
        text = entry(match, random)
        told.append(text)
        for act in (match.judge, match.record):
            with suppress(Failure):
                act(text)
        if random.random() < 0.05:
            told.append("(undo)")
            with suppress(Failure):
                match.undo()
        assert isinstance(match.prompt, str)
        assert match.state is not None
    told.append("(written)")
    write_record(match, folder / "match.toml")
    again = read_record(folder / "match.toml")
    assert again.scores == match.scores
    assert (again.prompt, again.state) == (match.prompt, match.state)
    for once, rnd in zip(again.rounds, match.rounds, strict=True):
        assert once.entries == rnd.entries
        assert sorted(map(_told, once.findings)) == sorted(map(_told, rnd.findings))
    assert verify_record(folder / "match.toml")["scores"] == dict(match.scores)


def _told(found: tuple[int, Finding]) -> tuple[int, str, str]:
    number, finding = found
    return number, finding.code, finding.reason


def evenings(random: Random, folder: Path, told: list[str]) -> None:
    """Record a match in a book, correct it, print it in every format, and import it into another
    book.

    The match in the other book must be the same.
    """
    rules, names = game(random)
    with Book(folder / "book.sqlite") as book:
        language = random.choice(("", *filter(None, rules.lexicon.languages)))
        desk = begin_match(book, rules, names, language=language)
        told.append(f"{rules.name}, {len(names)} players, {language or 'no language'}")
        for _ in range(random.randint(5, 40)):
            text, how = entry(desk.match, random), random.random()
            told.append(text)
            with suppress(Failure):
                if how < 0.05:
                    told[-1] = "(undo)"
                    desk.undo()
                elif how < 0.15 and desk.full_match().rounds:
                    rnd = random.choice(desk.full_match().rounds)
                    at = (rnd.number, random.randint(1, len(rnd.entries) + 1))
                    told[-1] = f"(amend {at}) {text}"
                    desk.amend(*at, *random.choice(([text], [text], [])), before=how < 0.08)
                else:
                    desk.record([text])
    for command in ("status", "rulings", "score", "legal", "sheet", "stats", "matches"):
        answered(told, command)
    answered(told, "score", "--explain")
    answered(told, "verify", "1")
    assert answered(told, "check-book").code == 0
    ending = random.choice(("toml", "json"))
    assert answered(told, "export", "1", "--to", f"other.{ending}").code == 0
    assert answered(told, "import", f"other.{ending}", "--book", "other.sqlite").code == 0
    asked = ("score", "--format", "json", "--match", "1")
    assert answered(told, *asked).data == answered(told, *asked, "--book", "other.sqlite").data
    if ending == "json":
        _spoilt_json(random, folder, told)


def _spoilt_json(random: Random, folder: Path, told: list[str]) -> None:
    """Damage the JSON of a match, and import it. It is accepted or refused, and the book stays
    intact."""
    text = (folder / "other.json").read_text("utf-8")
    if random.random() < 0.7:
        table, changed = spoilt(json.loads(text), random)
        told.append(changed)
        text = json.dumps(table)
    else:
        text = spoil(text, random)
    (folder / "spoilt.json").write_bytes(text.encode("utf-8", "replace"))
    answered(told, "import", "spoilt.json", "--book", "third.sqlite")
    if (folder / "third.sqlite").exists():
        for command in ("status", "stats", "sheet"):
            answered(told, command, "--book", "third.sqlite")
        assert answered(told, "check-book", "--book", "third.sqlite").code == 0


# --- files


def records(random: Random, folder: Path, told: list[str]) -> None:
    """Verify and import a record of a stranger. It is accepted or refused, and the book stays
    intact."""
    source = random.choice(RECORDS[:SMALL])
    text = source.read_text("utf-8")
    if random.random() < 0.5:
        table, changed = spoilt(tomllib.loads(text), random)
        told.append(f"{source.name}: {changed}")
        with suppress(TypeError, ValueError):  # TOML cannot express that.
            text = tomli_w.dumps(table)
    else:
        text = spoil(text, random)
    told.append(text)
    path = folder / "record.toml"
    path.write_bytes(text.encode("utf-8", "replace"))
    found = verify_record(path)
    assert found["ok"] or found["findings"] or found["rounds"], found
    answered(told, "import", path.name)
    if (folder / "book.sqlite").exists():
        assert answered(told, "check-book").code == 0


def rulesets(random: Random, folder: Path, told: list[str]) -> None:
    """Check a ruleset of a stranger. A ruleset that passes the check can be played."""
    name = random.choice(SHIPPED)
    if random.random() < 0.3:
        text = spoil(find_shipped(name).read_text("utf-8"), random)
        told.append(text)
        (folder / "own.toml").write_bytes(text.encode("utf-8", "replace"))
        answered(told, "rules", "check", "./own.toml", "--play", "1")
        return
    table, changed = spoilt(table_of(name), random)
    told.append(f"{name}: {changed}")
    rules, faults = checked(table)
    if not faults and rules is not None:
        use(rules, random, 15)
