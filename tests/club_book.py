"""A club's book: years of evenings at four games, with twelve people in changing company.

Most rounds are entered by their results, at random, so thousands of matches are made in a minute.
Some matches end, most remain unfinished. Some rounds are void, undone, or still going on.
"""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING

from scorekeeper import load_ruleset
from scorekeeper.store.recorder import begin_match
from tests.benchmarks.books import TURN, dudo_round
from tests.random_play import result_of

if TYPE_CHECKING:
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.store.rows import Store

CLUB = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gül", "Hugo", "Ida", "Jan", "Kim", "Lou")
# The games, and how many play at a table.
GAMES = {"doppelkopf": (4, 5), "durak": (2, 4), "dudo": (2, 6), "da-ban": (4, 4)}
SOLOS = ("damensolo", "bubensolo", "herzsolo", "fleischlos")
FIRST = date(2019, 1, 4)
TOGETHER = 100  # matches that are recorded in one transaction


def result(rules: Ruleset, seated: list[str], random: Random) -> str:
    """Return a random result of a round. A few are solos, with the soloist's announcement."""
    if "calls" in rules.phases and random.random() < 0.2:
        who, points = random.choice(seated), random.randrange(241)
        return f"result contract={random.choice(SOLOS)} re={who} points={points}"
    if "calls" in rules.phases and random.random() < 0.3:
        return f"{result_of(rules, seated, random)} calls=re:re"
    return result_of(rules, seated, random)


def record(store: Store, number: int, random: Random) -> None:
    """Record the match of that number."""
    name = random.choice([*GAMES])
    rules = load_ruleset(name)
    names = random.sample(CLUB, random.randint(*GAMES[name]))
    started = f"{FIRST + timedelta(number // 4):%Y-%m-%d}"  # four tables every day
    desk = begin_match(
        store, rules, names, started=started, place=random.choice(["club", "home", ""])
    )
    for _ in range(random.choice([0, 1, 2, 4, 8, 16, 40])):
        match = desk.match
        if match.over:
            return
        there = [
            each for each in match.seated_players if not rules.is_eliminated(match.scores[each])
        ]
        texts = ["void misdeal"] if random.random() < 0.04 else [result(rules, there, random)]
        if "bids" in rules.phases and random.random() < 0.5:
            texts = dudo_round(random)
        # An entry is refused if a player sits out or a bid is not allowed. Then the match has one
        # round less.
        made = desk.record(texts, lambda text: text.replace(TURN, (desk.match.to_act or names)[0]))
        if made.failure is None and random.random() < 0.05:
            desk.undo()
        while (told := [*desk.match.summaries()]) and not told[-1]["over"]:
            desk.undo()
    if not desk.match.over and random.random() < 0.1:
        desk.record(["note the table was needed"])


def fill(store: Store, matches: int, seed: int = 1) -> None:
    """Record that many matches."""
    random = Random(seed)
    for begun in range(0, matches, TOGETHER):
        with store.batch():
            for number in range(begun, min(begun + TOGETHER, matches)):
                record(store, number, random)
