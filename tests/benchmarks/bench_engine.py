"""The engine: entries judged and applied in one warm match."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scorekeeper import Match, load_ruleset
from tests.benchmarks import deals
from tests.benchmarks.durak_deals import NAMES as DURAK_NAMES
from tests.benchmarks.shape import Found, Row, Run, growth, least
from tests.random_play import NAMES, counts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DURAK = "durak-spades-transfer"
BLOCKS = 12
PLAYS = 48  # cards of a deal of Doppelkopf: its other entries are not counted
PASSES = 5


def played(match: Match, rounds: list[list[str]], plays: int = 0) -> int:
    """Judge and apply rounds, each as the match's first; gives how many entries (or `plays`, in
    each round) that were."""
    first = match.begun_again().standing
    for texts in rounds:
        found = match.play_round(texts, first)
        assert found.over
        assert not any(finding.verdict == "illegal" for _, finding in found.findings)
        match.rounds.clear()
    return plays * len(rounds) or sum(map(len, rounds))


def warm(name: str, players: int = deals.SEATS) -> Match:
    """A match of so many players."""
    names = DURAK_NAMES if name == DURAK else NAMES
    return Match(load_ruleset(name), names[:players])


def blocks(
    name: str, rounds: list[list[str]], count: int, plays: int = 0
) -> Iterator[Callable[[], int]]:
    """The rounds in so many blocks, all of one match in which some were played before."""
    match = warm(name)
    size = max(1, len(rounds) // (count + 1))
    played(match, rounds[:size])
    for first in range(size, len(rounds) - size + 1, size):
        yield partial(played, match, rounds[first : first + size], plays)


def doppelkopf(run: Run) -> Found:
    """Plays of Doppelkopf a second in one warm match, all hands given, every deal a new one,
    against python-chess replaying SAN."""
    rounds = [deals.doppelkopf(seed) for seed in range(run.size(6_000, 400))]
    return run.beside_chess(blocks("doppelkopf", rounds, BLOCKS, PLAYS))


def unseen(run: Run) -> Found:
    """The time that a deal of Doppelkopf takes with no hand given, against all hands given."""
    return hands(run, [deals.SEATS, 0])


def unseen_growth(run: Run) -> Found:
    """The same with one hand unseen, two, three and all four: against none."""
    return hands(run, [4, 3, 2, 1, 0])


def hands(run: Run, given: list[int]) -> Found:
    """The time of deals of which so many hands are given, against the first number."""
    count = run.size(400, 60)
    matches = [warm("doppelkopf") for _ in given]
    acts = [
        partial(played, match, [deals.doppelkopf(seed, number) for seed in range(count)])
        for match, number in zip(matches, given, strict=True)
    ]
    for act in acts:
        act()
    unseen = [deals.SEATS - number for number in given]
    return growth(unseen, least(PASSES, *acts), what="hands unseen ")


def durak(run: Run) -> Found:
    """Entries of Durak a second in one warm match of four, all hands given, whole bouts with
    passes and draws, against python-chess."""
    rounds = [deals.durak_texts(DURAK, seed, True) for seed in range(run.size(130, 26))]
    return run.beside_chess(blocks(DURAK, rounds, BLOCKS))


def durak_unseen(run: Run) -> Found:
    """The time that a deal of Durak takes with hidden hands and draws, an entry, against all
    known."""
    both = [
        [deals.durak_texts(DURAK, seed, known) for seed in range(run.size(60, 15))]
        for known in (True, False)
    ]
    known, hidden = (
        cost / sum(map(len, rounds))
        for cost, rounds in zip(
            least(PASSES, *(partial(played, warm(DURAK), rounds) for rounds in both)),
            both,
            strict=True,
        )
    )
    return Found(hidden / known)


def da_ban(run: Run) -> Found:
    """Entries of Da Ban a second in one warm match of four, all hands given: singles, pairs,
    triples, an exchange and a kitty, against python-chess."""
    rounds = deals.random_deals("da-ban", run.size(65, 13))
    return run.beside_chess(blocks("da-ban", rounds, BLOCKS))


def dudo(run: Run) -> Found:
    """Entries of Dudo a second in one warm match of four, the dice shown in the end, against
    python-chess."""
    rounds = deals.random_deals("dudo", run.size(130, 39)) * 10
    return run.beside_chess(blocks("dudo", rounds, BLOCKS))


def players(run: Run) -> Found:
    """The time of an entry of Dudo with three players to the most that names are there for,
    against two."""
    counts = counts_of("dudo")
    rounds = [deals.random_deals("dudo", run.size(60, 15), count) for count in counts]
    acts = [
        partial(played, warm("dudo", count), texts)
        for count, texts in zip(counts, rounds, strict=True)
    ]
    costs = [
        cost / sum(map(len, texts))
        for cost, texts in zip(least(PASSES, *acts), rounds, strict=True)
    ]
    return growth(counts, costs, what="players ")


def rows() -> list[Row]:
    """The engine's rows."""
    return [
        Row("Doppelkopf, hands known", doppelkopf, least=5),
        Row("Doppelkopf, unseen against known", unseen, most=1.5),
        Row("Doppelkopf, growth over unseen hands", unseen_growth, most=1.5),
        Row("Durak", durak, least=2),
        Row("Durak, hidden against known", durak_unseen, most=1.5),
        Row("Da Ban", da_ban, least=2),
        Row("Dudo", dudo, least=1.5),
        Row("Dudo, growth over players", players),
    ]
