"""What is made up: a function for each kind, which uses what it makes up, and raises where that
shows a mistake of the program's.

Each takes its chance, a folder of its own, which is also where the program runs, and a list to
which it adds what it is about to try.
"""

from __future__ import annotations

import os
import tomllib
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import tomli_w
import typer.main

from scorekeeper import Failure, Match, load_ruleset, read_record, verify_record, write_record
from scorekeeper.cli.commands import build
from scorekeeper.play.trial import counts_of
from tests.helpers import program
from tests.hostile_rulesets import checked, spoilt, table_of, use

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from tests.helpers import Answer

    Kind = Callable[[Random, Path, list[str]], None]

ROOT = Path(__file__).parent.parent.parent
SHIPPED = sorted(path.stem for path in (ROOT / "rulesets").glob("*.toml"))
RECORDS = sorted((ROOT / "tests" / "records").glob("*.toml"), key=lambda path: path.stat().st_size)
SMALL = 25  # so many of the records, the smallest, which are quick to judge
PLAYERS = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal"]
CODES = (0, 1, 2, 3, 4)  # docs/exit-codes.md, but for an interruption
OURS = "program's own"  # so a mistake of the program begins where it is told
SQLITE = b"SQLite format 3\0"
ODD = (
    *("", " ", "\0", "\n", "\r", "\t", "\x1b[2J", "\u202e", "\u00a0", "\ufeff", "\u2212", "²", "٣"),
    *(
        "ß",
        "e\u0301",
        "😀",
        "'",
        '"',
        '"""',
        "\\",
        "#",
        "=",
        ":",
        ";",
        ",",
        "|",
        "[",
        "{",
        "-",
        "!",
    ),
    *("0", "-1", "1e9", "9" * 30, "x", "true", "nan", "1/0", "a" * 300, "all", "result", "Ana"),
)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Run there, with a home, a book and settings of its own."""
    before, environment = Path.cwd(), dict(os.environ)
    own = {"HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    os.environ.update({name: str(path) for name, path in own.items()})
    os.environ["SCOREKEEPER_BOOK"] = str(folder / "book.sqlite")
    os.environ.update(LANGUAGE="en", SCOREKEEPER_SETTINGS=os.devnull)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)


def spoil(text: str, random: Random, most: int = 4) -> str:
    """A text with up to so many changes: letters, words and lines are lost, doubled, put in."""
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
    """What the program answers: in lines, with one of its exit codes."""
    told.append(f"scorekeeper {' '.join(map(repr, arguments))}")
    answer = program(*arguments, stdin=stdin)
    assert answer.code in CODES, answer
    assert OURS not in answer.out + answer.err, answer
    assert answer.code != 2 or answer.out + answer.err, answer
    return answer


# --- entries


@cache
def seats(ruleset: str) -> list[int]:
    return counts_of(load_ruleset(ruleset))


def entry(match: Match, random: Random) -> str:
    """A line that somebody may type: mostly what is legal now, else words of this match."""
    legal = match.legal()[:100] if random.random() < 0.8 else []
    if legal and random.random() < 0.85:
        return spoil(random.choice(legal), random, random.choice((0, 0, 0, 0, 2)))
    lexicon, kinds = match.ruleset.lexicon, match.ruleset.pack.kinds or ("2x3",)
    words = [*lexicon.meanings, *kinds, *PLAYERS[:4], "1", "5", *random.choices(ODD, k=3)]
    said = random.choices(words, k=random.randint(1, 4))
    sign = random.choice(("", "", "", " !stands", " !withdrawn", " # why"))
    return f"{random.choice(PLAYERS[:4])}: {' '.join(said)}{sign}"[random.choice((0, 0, 5)) :]


def entries(random: Random, folder: Path, told: list[str]) -> None:
    """A match is recorded; what is refused is refused with a reason, and its record says what the
    match says."""
    name = random.choice(SHIPPED)
    match = Match(load_ruleset(name), PLAYERS[: random.choice(seats(name))])
    told.append(f"{name}, {len(match.players)} players")
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
    assert [rnd.entries for rnd in again.rounds] == [rnd.entries for rnd in match.rounds]
    assert verify_record(folder / "match.toml")["scores"] == dict(match.scores)


# --- files


def records(random: Random, folder: Path, told: list[str]) -> None:
    """A record comes from a stranger: it is looked through, and taken or refused; the book stays
    whole."""
    source = random.choice(RECORDS[:SMALL])
    text = source.read_text("utf-8")
    if random.random() < 0.5:
        table, changed = spoilt(tomllib.loads(text), random)
        told.append(f"{source.name}: {changed}")
        with suppress(TypeError, ValueError):  # no TOML can say that
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
    """A ruleset comes from a stranger: what the check passes can be played."""
    name = random.choice(SHIPPED)
    if random.random() < 0.3:
        text = spoil((ROOT / "rulesets" / f"{name}.toml").read_text("utf-8"), random)
        told.append(text)
        (folder / "own.toml").write_bytes(text.encode("utf-8", "replace"))
        answered(told, "rules", "check", "./own.toml", "--play", "1")
        return
    table, changed = spoilt(table_of(name), random)
    told.append(f"{name}: {changed}")
    rules, faults = checked(table)
    if not faults and rules is not None:
        use(rules, random, 15)


CELLS = (
    *("1", "-1", "+3", "0", "", "", "2,5", "1.000", "−6", "–", "12", "-12", "x", "Ana", "Ben"),
    *("20.11.2026", "2026-11-27", "11/27/26", "Fr, 20.11.2026", "Nov 20, 2026", "32.13.2026"),
    *("Summe", "total", "solo", "1,2", "=A1+1", "#REF!", "(3)", "3-", "½", "1e400"),
)
HEADINGS = (
    *(["Datum", *PLAYERS[:4], "Summe"], ["Datum", *PLAYERS[:4]], PLAYERS[:4], PLAYERS[:4]),
    *(["date", "round", "name", "points"], ["Datum", "Runde", *PLAYERS[:4], "Kommentar"]),
    *(["Ana", "Ben", "Cleo", "Dan", "Kommentar"], ["", *PLAYERS[:3]], ["date", "name", "points"]),
    *(["Runde", *PLAYERS[:4]], ["Spieler", "20.11.2026", "27.11.2026"], ["Ana", "Ana"]),
)


def tables(random: Random, folder: Path, told: list[str]) -> None:
    """A table of scores of another program is taken or refused."""
    heads, comma = random.choice(HEADINGS), random.choice((";", ",", "\t", " | "))
    lines = [comma.join(heads)] if random.random() < 0.9 else []
    for number in range(random.randint(1, 8)):
        row = _row(heads, number, random)
        if random.random() < 0.1:
            row = random.choices(CELLS, k=max(1, len(heads) + random.choice((0, 0, -1, 1))))
        elif random.random() < 0.1:
            row[random.randrange(len(row))] = random.choice(CELLS)
        lines.append(comma.join(row))
    text = "\n".join(lines)
    text = spoil(text, random, 2) if random.random() < 0.3 else text
    told.append(text)
    encoding = random.choice(("utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16"))
    (folder / "table.csv").write_bytes(text.encode(encoding, "replace"))
    how = random.choice(([], [], ["--dry-run"], ["--row", "evening"], ["--date-format", "mdy"]))
    ruleset = random.choice(("doppelkopf", "schafkopf", "skat", "skat", "hearts", "dudo", "durak"))
    if answered(told, "import", "--table", "table.csv", "--ruleset", ruleset, *how).code == 0:
        answered(told, "stats", "--format", "json")
    if (folder / "book.sqlite").exists():
        assert answered(told, "check-book").code == 0


def _row(heads: Sequence[str], number: int, random: Random) -> list[str]:
    """A row as it would stand below these headings, its points in two pairs."""
    points = [1, 1, -1, -1]
    random.shuffle(points)
    worth, found = random.randint(1, 40), []
    for head in heads:
        if head.casefold() in ("datum", "date"):
            found.append(f"{20 + number // 3}.11.2026")
        elif head in ("Runde", "round"):
            found.append(str(number // 2 + 1))
        elif head in ("name", "Spieler"):
            found.append(PLAYERS[number % 4])
        elif head in ("Summe", "Kommentar"):
            found.append({"Summe": "0", "Kommentar": random.choice(("solo", "", "re 2"))}[head])
        else:
            found.append(str(worth * points.pop() if points else ""))
    return found


SETTINGS = {
    "ruleset": ('"dudo"', '"durak"', '"./own.toml"', '"nothing"'),
    "players": ('["Ana", "Ben"]', '["Ana", "Ana"]', '["Ana"]', '["Ana", "Ben", "Cleo"]'),
    "language": ('"en"', '"fr"', '"de"', '"xx"'),
    "place": ('"at home"', '"\\u0007"'),
    "book": ('"b.sqlite"', '"folder/b.sqlite"', '"~/b.sqlite"', '"."', '"postgresql://x/y"'),
    "colour": ('"red"',),
}


def settings(random: Random, folder: Path, told: list[str]) -> None:
    """A settings file says anything."""
    odd = [f'"{word}"' for word in random.choices(ODD, k=2)]
    lines = []
    for key in random.sample(list(SETTINGS), random.randint(0, 4)):
        values = SETTINGS[key] if random.random() < 0.9 else (*odd, "7", "[]", "{}", '""', "[7]")
        lines.append(f"{key} = {random.choice(values)}")
    text = spoil("\n".join(lines), random, random.choice((0, 0, 0, 2)))
    told.append(text)
    (folder / "settings.toml").write_bytes(text.encode("utf-8", "replace"))
    os.environ["SCOREKEEPER_SETTINGS"] = str(folder / "settings.toml")
    os.environ.pop("SCOREKEEPER_BOOK")
    begun = random.choice((("new",), ("new", "dudo"), ("new", "dudo", "Ana", "Ben")))
    for command in (("settings",), begun, ("record", "2x3"), ("status",), ("matches",)):
        answered(told, *command)


# --- command lines


class Command(NamedTuple):
    """A command as it is typed; how many words follow it; its options that take a value, with
    what they may be if that is few; and those that take none."""

    words: tuple[str, ...]
    takes: int
    valued: dict[str, tuple[str, ...]]
    flags: tuple[str, ...]


ENDLESS = ("serve", "--jobs", "--play")  # which wait for somebody, or go on for long
BOOKS = ("book.sqlite", "other.sqlite")
FILES = ("record.toml", "own.toml", "table.csv", "folder", "new.txt", "sheet.html", "link.sqlite")
WORDS = (
    *("1", "1", "2", "0", "-1", "1.1", "all", "Ana", "Ben", "dudo", "durak", "3x3", "Ana: 2x3"),
    *("note x", "result loser=Ana", "result gainer=Ben", "3x4", "en", "fr", "2026-11-20"),
    *(*BOOKS, *FILES, "./book.sqlite"),
)
VALUES = {  # what an option is mostly given
    "--book": (*BOOKS, *BOOKS, *BOOKS, "new.sqlite", "table.csv"),
    "--to": (*BOOKS, *FILES, "-"),
    "--save": FILES,
    "--match": ("1", "1", "1", "2"),
    "--format": ("text", "json", "html", "csv", "toml", "jsonl", "markdown", "pdf", "scores-csv"),
    "--language": ("en", "fr", "de", "xx"),
    "--ruleset": ("dudo", "doppelkopf", "own.toml"),
}


@cache
def commands() -> list[Command]:
    """All commands, with what the program itself says of their options."""

    def below(command: Any, words: tuple[str, ...]) -> Iterator[Command]:
        for name, inner in getattr(command, "commands", {}).items():
            yield from below(inner, (*words, name))
        if not words or hasattr(command, "commands") or words[0] in ENDLESS:
            return
        options = [each for each in command.params if each.opts[0].startswith("--")]
        options = [each for each in options if each.opts[0] not in ENDLESS]
        valued = {each.opts[0]: VALUES.get(each.opts[0], WORDS) for each in options}
        for each in options:
            if choices := getattr(each.type, "choices", ()):
                valued[each.opts[0]] = tuple(str(getattr(one, "value", one)) for one in choices)
        flags = tuple(each.opts[0] for each in options if each.is_flag)
        valued = {key: values for key, values in valued.items() if key not in flags}
        yield Command(words, len(command.params) - len(options), valued, flags)

    return list(below(typer.main.get_command(build()), ()))


def command_line(random: Random) -> list[str]:
    """Any command, mostly as it is meant to be typed."""
    command = random.choice(commands())
    line = [*command.words]
    number = max(0, min(command.takes, 3) + random.choice((0, 0, 0, -1, 1)))
    line += [random.choice(WORDS if random.random() < 0.9 else ODD) for _ in range(number)]
    for key in random.sample(list(command.valued), min(len(command.valued), random.randint(0, 3))):
        line += [key, random.choice(command.valued[key] if random.random() < 0.9 else ODD)]
    return line + random.sample(command.flags, min(len(command.flags), random.choice((0, 0, 1))))


def command_lines(random: Random, folder: Path, told: list[str]) -> None:
    """Any command with any options, where there are books, records and tables: no book becomes
    anything else, and every one stays whole."""
    (folder / "folder").mkdir()
    for source, name in ((RECORDS[0], "record.toml"), (ROOT / "rulesets/dudo.toml", "own.toml")):
        (folder / name).write_bytes(source.read_bytes())
    (folder / "table.csv").write_text("date;Ana;Ben\n20.11.2026;1;-1\n", "utf-8")
    for book in BOOKS:
        answered(told, "new", "dudo", "Ana", "Ben", "--book", book)
        answered(told, "record", "2x3", "dudo", "count 1", "2x4", "--book", book)
    (folder / "link.sqlite").symlink_to("book.sqlite")
    for _ in range(6):
        line = command_line(random)
        if any("/" in word.replace("./", "") or "\0" in word for word in line):
            continue  # outside this folder, or nothing that can be typed there
        answered(told, *line, stdin=random.choice(("", "y\n", "2x5\ndudo\n", "\0")))
        for book in BOOKS:
            assert (folder / book).read_bytes()[:16] == SQLITE, f"{book} is no book any more"
    for book in BOOKS:
        assert answered(told, "check-book", "--book", book).code == 0


KINDS: dict[str, Kind] = {
    "entries": entries,
    "records": records,
    "rulesets": rulesets,
    "tables": tables,
    "settings": settings,
    "command-lines": command_lines,
}
