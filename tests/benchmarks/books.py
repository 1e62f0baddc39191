"""Books for measurements: many matches of several games, each recorded entry by entry.

Run by hand: python -m tests.benchmarks.books FILE [MATCHES] [ROUNDS] [FOLDER]
With a FOLDER, each match is also written there as a record.
"""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from scorekeeper import load_ruleset
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from tests.benchmarks.durak_deals import Deal
from tests.doppelkopf_deals import NAMES, deal, entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.store.rows import Store

GAMES = ("dudo", "doppelkopf", "durak-spades-transfer")
POOL = 20  # Deals of each game. Each match takes some of them.
TURN = "TURN"  # Placeholder for the name of the player to act.
CHOICE = ": open"  # The entry of a player who must choose before the first bid.
TOGETHER = 50  # Matches that are recorded in one transaction.
FIRST = datetime(2020, 1, 1, 20)


@cache
def doppelkopf_deal(seed: int) -> list[str]:
    """Return a deal card by card, with Ana to lead."""
    random = Random(seed)
    return ["dealer Dan", *entries(deal(random), "gesund", random, known=True)]


@cache
def durak_deal(seed: int) -> list[str]:
    """Return a deal act by act with all hands known, or only its loser if it does not end soon."""
    made = Deal(GAMES[2], 4, Random(seed)).play()
    return [*made.facts, *made.hands, *made.acts] if made.over else [f"result loser={NAMES[0]}"]


def dudo_round(random: Random) -> list[str]:
    """Return some bids, each higher than the last, then a doubt by the next player, and a count."""
    face = random.randint(2, 6)
    bids = [f"{count}x{face}" for count in range(2, random.randint(4, 7))]
    return [*bids, f"{TURN}: dudo", f"count {random.randint(0, 5)}"]


def rounds_of(game: str, seed: int, count: int) -> list[list[str]]:
    """Return the entries of a match, round by round."""
    random = Random(seed)
    if game == "dudo":
        return [dudo_round(random) for _ in range(count)]
    if game == "doppelkopf":
        return [doppelkopf_deal(random.randrange(POOL)) for _ in range(count)]
    later = [[f"result loser={random.choice(NAMES[:2])}"] for _ in range(count - 1)]
    return [durak_deal(random.randrange(POOL)), *later]


def record(
    store: Store, number: int, rounds: int = 1, games: Sequence[str] = GAMES
) -> MatchRecorder:
    """Record the match of that number, which decides its contents."""
    game = games[number % len(games)]
    players = ["Ana", "Ben", "Cid", "Dora"] if game.startswith("durak") else NAMES
    started = f"{FIRST + timedelta(hours=number):%Y-%m-%dT%H:%M:%SZ}"
    desk = begin_match(store, load_ruleset(game), players, started=started, place="the club")

    def named(text: str) -> str:
        return text.replace(TURN, desk.match.to_act[0]) if TURN in text else text

    for texts in rounds_of(game, number, rounds):
        choice = [text for text in desk.match.legal() if text.endswith(CHOICE)]
        made = desk.record([*choice, *texts], named)
        if made.failure is not None:
            raise made.failure
        assert not made.unassigned, made
    return desk


def fill(
    store: Store, matches: int, rounds: int = 1, games: Sequence[str] = GAMES, first: int = 0
) -> None:
    """Record that many matches of that many rounds each, numbered from `first` on."""
    for begun in range(first, first + matches, TOGETHER):
        with store.batch():
            for number in range(begun, min(begun + TOGETHER, first + matches)):
                record(store, number, rounds, games)


def main() -> None:
    """Make a book, and records of its matches."""
    path, *rest = sys.argv[1:]
    matches, rounds = (int(text) for text in [*rest[:2], "1000", "1"][:2])
    with Book(path) as book:
        fill(book, matches, rounds)
        for folder in map(Path, rest[2:]):
            folder.mkdir(parents=True, exist_ok=True)
            for row in book.matches():
                text = MatchRecorder(book, row.id).record_text()
                (folder / f"match-{row.id}.toml").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
