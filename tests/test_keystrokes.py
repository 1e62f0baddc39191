"""Keystrokes per evening: entries in full, with names left out or shortened, and in the shortest
forms that mean the same.

The table in `docs/examples/README.md` has the numbers; `python -m tests.test_keystrokes` prints
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scorekeeper import Failure, Match, load_ruleset, read_record

ROOT = Path(__file__).parent.parent
README = ROOT / "docs" / "examples" / "README.md"
FOUR = ["Ana", "Ben", "Cleo", "Dan"]
SIXTEEN_DEALS = """\
result contract=normal re=Ana+Ben points=132
result contract=normal re=Cleo+Dan points=151 calls=re:re
result contract=normal re=Ana+Dan points=118 specials=kontra:fox
result contract=damensolo re=Cleo points=140
result contract=normal re=Ben+Dan points=121 calls=kontra:kontra
result contract=normal re=Ana+Cleo points=183 calls=re:re+re:keine90
result contract=normal re=Ben+Cleo points=90
result contract=hochzeit re=Ana+Dan points=155
result contract=normal re=Ben+Dan points=125 specials=re:charlie
result contract=normal re=Cleo+Dan points=99
result contract=bubensolo re=Ben points=101
result contract=normal re=Ana+Ben points=147 calls=re:re
result contract=normal re=Ana+Cleo points=120
result contract=normal re=Ben+Cleo points=161
result contract=normal re=Ana+Dan points=131 specials=re:fox
result contract=normal re=Ben+Dan points=210 calls=re:re"""


class Typed(NamedTuple):
    """The lines of an evening: entries in full, with names left out or shortened, and in the
    shortest forms; also the first and the last match."""

    whole: list[str]
    named: list[str]
    short: list[str]
    one: Match
    other: Match


def strokes(lines: list[str]) -> int:
    """Count the keys pressed, with Enter after each line."""
    return sum(len(line) + 1 for line in lines)


def named(entry: str, names: list[str]) -> Iterator[str]:
    """Yield the entry with shortened names, with and without the actor; the meaning may differ."""
    for name in names:
        entry = re.sub(rf"\b{name}\b", name[0].lower(), entry)
    yield from (entry, entry.partition(": ")[2] or entry)


def forms(entry: str, names: list[str]) -> Iterator[str]:
    """Yield shorter forms of the entry."""
    for text in named(entry, names):
        yield text
        yield text.rpartition(" ")[2]
        points = re.search(r" points=(\d+)", text)
        if points:
            said = re.sub(r"^result| contract=normal| points=\d+", "", text).strip()
            yield f"{points[1]} {plain(said)}"


def shortest(match: Match, entry: str, others: Iterable[str]) -> str:
    """Return the shortest text that is read as the entry."""

    def means(text: str) -> bool:
        try:
            return pairs(match.judge(text).entry) == pairs(match.judge(entry).entry)
        except Failure:
            return False

    return min(filter(means, (entry, *others)), key=len)


def pairs(entry: str) -> list[str]:
    """Return an entry's words; those of a result are sorted, because the order of its keys has no
    meaning."""
    return sorted(plain(entry).split()) if entry.startswith("result ") else entry.split()


def plain(said: str) -> str:
    """Write a call that has the name of its side only once."""
    return re.sub(r"\b(\w+):\1\b", r"\1", said)


def typed(ruleset: str, names: list[str], whole: list[str]) -> Typed:
    rules = load_ruleset(ruleset)
    found = Typed(whole, [], [], Match(rules, names), Match(rules, names))
    for entry in whole:
        found.named.append(shortest(found.one, entry, named(entry, names)))
        found.short.append(shortest(found.other, entry, forms(entry, names)))
        found.one.record(entry)
        found.other.record(found.short[-1])
    return found


def sixteen_deals() -> Typed:
    return typed("doppelkopf", FOUR, SIXTEEN_DEALS.split("\n"))


def durak_deal() -> Typed:
    record = read_record(ROOT / "tests" / "records" / "podkidnoy_evening.toml")
    deal = max(record.rounds, key=lambda played: len(played.entries))
    return typed(record.ruleset.name, list(record.scores), list(deal.entries))


EVENINGS = {"sixteen deals of Doppelkopf by result": sixteen_deals, "a deal of Durak": durak_deal}


@pytest.mark.parametrize("what", EVENINGS)
def test_what_is_shorter_comes_to_the_same(what: str) -> None:
    evening = EVENINGS[what]()
    assert evening.one.scores == evening.other.scores
    for one, other in zip(evening.one.rounds, evening.other.rounds, strict=True):
        assert [pairs(entry) for entry in one.entries] == [pairs(entry) for entry in other.entries]


@pytest.mark.parametrize("what", EVENINGS)
def test_the_numbers_are_those_that_are_told(what: str) -> None:
    assert row(what) in README.read_text("utf-8")


def row(what: str) -> str:
    evening = EVENINGS[what]()
    numbers = map(strokes, (evening.whole, evening.named, evening.short))
    return f"| {what} | {' | '.join(map(str, numbers))} |"


if __name__ == "__main__":
    for name, make in EVENINGS.items():
        print(row(name), *make().short, sep="\n")
