"""The engine: entries judged and applied in one warm match."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scorekeeper import Match, load_ruleset
from scorekeeper.core import untrusted
from tests.benchmarks import deals
from tests.benchmarks.daban_deals import before
from tests.benchmarks.durak_deals import NAMES as DURAK_NAMES
from tests.benchmarks.shape import Found, Row, Run, growth, least
from tests.doppelkopf_deals import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.types import Standing

BLOCKS = 12
PLAYS = 48  # Cards of a deal of Doppelkopf. Its other entries are not counted.
PASSES = 5
ROUNDS = 3  # The first rounds of a match. With more dice each round is longer.

Evening = list[list[str]]  # Rounds of one match, from its beginning.


class Warm:
    """A match in which evenings are played, each from the same standing."""

    def __init__(self, name: str, names: list[str]) -> None:
        self.match = Match(load_ruleset(name), names)
        self.first: Standing = self.match.standing

    def play(self, evenings: list[Evening], plays: int = 0) -> int:
        """Judge and apply evenings. Return the number of entries, or of `plays` in each evening."""
        match = self.match
        for rounds in evenings:
            match.rounds.clear()
            standing = self.first
            for texts in rounds:
                found = match.play_round(texts, standing)
                assert found.over
                assert not any(finding.verdict == "illegal" for _, finding in found.findings)
                if len(rounds) > 1:
                    standing = match.standing
        return plays * len(evenings) or entries(evenings)

    def blocks(self, evenings: list[Evening], plays: int = 0) -> Iterator[Callable[[], int]]:
        """Yield the evenings in that many blocks. The first block only warms up."""
        size = max(1, len(evenings) // (BLOCKS + 1))
        self.play(evenings[:size])
        for first in range(size, len(evenings) - size + 1, size):
            yield partial(self.play, evenings[first : first + size], plays)


def da_ban_match() -> Warm:
    """Return a match of Da Ban before its second deal."""
    warm = Warm("da-ban", NAMES)
    warm.match, warm.first = before()
    return warm


def entries(evenings: list[Evening]) -> int:
    """Return how many entries they have."""
    return sum(len(texts) for rounds in evenings for texts in rounds)


def against_first(warm: list[Warm], evenings: list[list[Evening]]) -> list[float]:
    """Return the time for each entry in each of these matches with its evenings."""
    acts = [partial(each.play, played) for each, played in zip(warm, evenings, strict=True)]
    for act in acts:
        act()
    costs = least(PASSES, *acts)
    return [cost / entries(played) for cost, played in zip(costs, evenings, strict=True)]


def doppelkopf(run: Run) -> Found:
    """Compare plays of Doppelkopf per second in one warm match with python-chess replaying SAN.

    All hands are given, and every deal is a new one.
    """
    played = [[deals.doppelkopf(seed)] for seed in range(run.size(6_000, 400))]
    return run.beside_chess(Warm("doppelkopf", NAMES).blocks(played, PLAYS))


def unseen(run: Run) -> Found:
    """Compare a deal of Doppelkopf with no hand given to the same deal with all hands given."""
    return hands(run, [deals.SEATS, 0])


def unseen_growth(run: Run) -> Found:
    """Compare a deal of Doppelkopf with one to four unseen hands to one with all hands given."""
    return hands(run, [4, 3, 2, 1, 0])


def hands(run: Run, given: list[int]) -> Found:
    """Compare the times of deals with given hands in these numbers to that of the first number."""
    acts = []
    for number in given:
        played = [[deals.doppelkopf(seed, number)] for seed in range(run.size(400, 60))]
        acts.append(partial(Warm("doppelkopf", NAMES).play, played))
        acts[-1]()
    missing = [deals.SEATS - number for number in given]
    return growth(missing, least(PASSES, *acts), what="hands unseen ")


def durak(run: Run) -> Found:
    """Compare entries of Durak per second in one warm match of four with python-chess.

    All hands are given, and the deals have whole bouts with passes and draws.
    """
    played = [[deals.durak(seed, True)] for seed in range(run.size(130, 26))]
    return run.beside_chess(Warm(deals.DURAK, durak_names()).blocks(played))


def durak_names() -> list[str]:
    """Return the players of Durak."""
    return list(DURAK_NAMES[: deals.SEATS])


def durak_unseen(run: Run) -> Found:
    """Compare an entry of Durak with hidden hands and draws to one with all hands known."""
    seeds = range(run.size(60, 15))
    both = [[[deals.durak(seed, known)] for seed in seeds] for known in (True, False)]
    costs = against_first([Warm(deals.DURAK, durak_names()) for _ in both], both)
    return Found(costs[1] / costs[0])


def da_ban(run: Run) -> Found:
    """Compare entries of Da Ban per second in one warm match of four with python-chess.

    All hands are given. There are single cards, pairs and triples, a declared trump and a kitty.
    """
    played = [[deals.da_ban(seed, True)] for seed in range(run.size(390, 39))]
    return run.beside_chess(da_ban_match().blocks(played))


def da_ban_unseen(run: Run) -> Found:
    """Compare a deal of Da Ban with no hand given to the same deal with all hands given."""
    acts = []
    for known in (True, False):
        played = [[deals.da_ban(seed, known)] for seed in range(run.size(60, 15))]
        acts.append(partial(da_ban_match().play, played))
        acts[-1]()
    costs = least(PASSES, *acts)
    return Found(costs[1] / costs[0])


def dudo(run: Run) -> Found:
    """Compare entries of Dudo per second in warm matches of four to the last die with python-chess.

    In the end all dice are shown, or only counted.
    """
    played = [deals.dudo(seed) for seed in range(run.size(260, 39))]
    return run.beside_chess(Warm("dudo", deals.dudo_names(deals.SEATS)).blocks(played))


def players(run: Run) -> Found:
    """Compare an entry of Dudo with the maximum number of players to one with two players.

    Only the first rounds of a match are played.
    """
    counts = run.steps(2, 3, 4, 6, 10, 50, untrusted.MAX_PLAYERS, quick=5)
    played = [
        [deals.dudo(seed, count, ROUNDS) for seed in range(run.size(10, 5))] for count in counts
    ]
    matches = [Warm("dudo", deals.dudo_names(count)) for count in counts]
    return growth(counts, against_first(matches, played), what="players ")


def rows() -> list[Row]:
    """Return the rows of the engine."""
    return [
        Row("Doppelkopf, hands known", doppelkopf, least=5),
        Row("Doppelkopf, unseen against known", unseen, most=1.5),
        Row("Doppelkopf, growth over unseen hands", unseen_growth, most=1.5),
        Row("Durak", durak, least=2),
        Row("Durak, hidden against known", durak_unseen, most=1.5),
        Row("Da Ban", da_ban, least=2),
        Row("Da Ban, unseen against known", da_ban_unseen, most=1.5),
        Row("Dudo", dudo, least=1.5),
        Row("Dudo, growth over players", players),
    ]
