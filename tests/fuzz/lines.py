"""Random tables of scores, settings and command lines, in addition to those of `inputs`."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import typer.main

from scorekeeper.cli.app import build
from tests.fuzz.inputs import ODD, PLAYERS, RECORDS, ROOT, answered, spoil

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from random import Random

SQLITE = b"SQLite format 3\0"

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
    """Import a table of scores of another program. It is accepted or refused."""
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
    """Return a row for these headings, with its points in two pairs."""
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
    "share": ('"group"', '"nobody"', '"all"'),
    "colour": ('"red"',),
}


def settings(random: Random, folder: Path, told: list[str]) -> None:
    """Use a settings file with any contents."""
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
    """A command's name, its number of arguments, its options with a value, and its flags.

    An option has its possible values if they are few.
    """

    words: tuple[str, ...]
    takes: int
    valued: dict[str, tuple[str, ...]]
    flags: tuple[str, ...]


ENDLESS = ("serve", "--jobs", "--play")  # They wait for the user, or run for long.
BOOKS = ("book.sqlite", "other.sqlite")
FILES = ("record.toml", "own.toml", "table.csv", "folder", "new.txt", "sheet.html", "link.sqlite")
WORDS = (
    *("1", "1", "2", "0", "-1", "1.1", "all", "Ana", "Ben", "dudo", "durak", "3x3", "Ana: 2x3"),
    *("note x", "result loser=Ana", "result gainer=Ben", "3x4", "en", "fr", "2026-11-20"),
    *(*BOOKS, *FILES, "./book.sqlite"),
)
VALUES = {  # Usual values of options.
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
    """Return all commands with their options as the program itself lists them."""

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
    """Return any command, mostly as it is meant to be typed."""
    command = random.choice(commands())
    line = [*command.words]
    number = max(0, min(command.takes, 3) + random.choice((0, 0, 0, -1, 1)))
    line += [random.choice(WORDS if random.random() < 0.9 else ODD) for _ in range(number)]
    for key in random.sample(list(command.valued), min(len(command.valued), random.randint(0, 3))):
        line += [key, random.choice(command.valued[key] if random.random() < 0.9 else ODD)]
    return line + random.sample(command.flags, min(len(command.flags), random.choice((0, 0, 1))))


def command_lines(random: Random, folder: Path, told: list[str]) -> None:
    """Run random commands with random options in a folder with books, records and tables.

    No book turns into another kind of file, and every book stays intact.
    """
    (folder / "folder").mkdir()
    for source, name in (
        (RECORDS[0], "record.toml"),
        (ROOT / "rulesets/dudo/rules.toml", "own.toml"),
    ):
        (folder / name).write_bytes(source.read_bytes())
    (folder / "table.csv").write_text("date;Ana;Ben\n20.11.2026;1;-1\n", "utf-8")
    for book in BOOKS:
        answered(told, "new", "dudo", "Ana", "Ben", "--book", book)
        answered(told, "record", "2x3", "dudo", "count 1", "2x4", "--book", book)
    (folder / "link.sqlite").symlink_to("book.sqlite")
    for _ in range(6):
        line = command_line(random)
        if any("/" in word.replace("./", "") or "\0" in word for word in line):
            continue  # Outside this folder, or paths that cannot be typed.
        answered(told, *line, stdin=random.choice(("", "y\n", "2x5\ndudo\n", "\0")))
        for book in BOOKS:
            assert (folder / book).read_bytes()[:16] == SQLITE, f"{book} is no book any more"
    for book in BOOKS:
        assert answered(told, "check-book", "--book", book).code == 0
