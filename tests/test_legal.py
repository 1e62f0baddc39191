"""The lists of `legal` on random evenings of every ruleset, with known and unseen hands.

They contain exactly the acts that the judge does not prove illegal. Single cards and sets of
identical cards are listed one by one; other sets share one line that leaves the cards open.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Failure, Match
from scorekeeper.engine.referee import judge
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards
from tests.effort import tries
from tests.helpers import SHIPPED
from tests.random_play import Evening, counts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.notation.entry import EntryType

each = pytest.mark.parametrize("name", SHIPPED)
MOST_TRIED = 400


def states(name: str, seed: int) -> Iterator[tuple[Evening, Match]]:
    """Yield an evening at some moments with its match, or with the match over unseen hands."""
    course = Evening(name, seed, players=counts_of(name)[-1], full=True, result=0)
    unseen, told = course.fresh(), 0
    for step in range(110):
        if course.match.over:
            return
        course.step()
        for said in course.all()[told:]:
            told += 1
            if said.unseen:
                unseen.record(said.unseen)
        if step % 11 == 10:
            yield course, course.match
            yield course, unseen


def may_be(match: Match, entry: Entry) -> bool:
    """Return whether an entry is not provably illegal."""
    try:
        return all(finding.verdict != "illegal" for finding in judge(match.current_round, entry))
    except Failure:
        return False


def verbs_of_cards(match: Match) -> list[EntryType]:
    """Return the acts of the current phases that consist of one card or several."""
    rnd = match.current_round
    phases = [] if rnd.over else [rnd.phase, *rnd.rules.concurrent]
    verbs = [verb for phase in phases if phase is not None for verb in phase.entry_types]
    return [
        v
        for v in verbs
        if type(v.syntax) is Cards
        and v.plays_cards
        and not v.is_table_entry
        and not v.is_setup_fact
    ]


@each
@pytest.mark.parametrize("seed", tries(1))
def test_listed_is_what_the_judge_allows(name: str, seed: int) -> None:
    for _, match in states(name, seed):
        rnd, notation, legal = match.current_round, match.notation, match.legal()
        assert len(set(legal)) == len(legal)
        for text in legal:
            assert "…" in text or match.judge(text).verdict != "illegal", text
        for verb in verbs_of_cards(match):
            assert isinstance(verb.syntax, Cards)
            sizes = range(verb.syntax.least, min(verb.syntax.most, rnd.rules.pack.copies) + 1)
            for seat in rnd.seats:
                for kind in range(rnd.rules.pack.kind_count):
                    for size in sizes:
                        entry = notation.write(Entry(verb, seat, (kind,) * size))
                        assert may_be(match, entry) == (entry.text in legal), entry.text


@pytest.mark.parametrize("name", ["da-ban", "da-ban-pairs", "sheng-ji", "sheng-ji-tractors"])
def test_cards_are_left_open_where_others_may_be_laid(name: str) -> None:
    """Only hands that are known; sets of many cards have too many choices to try here."""
    for seed in range(3):
        for course, match in states(name, seed):
            lying, legal = match.state["table"], match.legal()
            if match is not course.match or match.state["phase"] != "tricks" or not lying:
                continue
            size = len(lying[0]["cards"].split())
            for who in match.to_act if size > 1 else ():
                ways = combinations(sorted(course.hands[who]), size)
                tried = list(islice(dict.fromkeys(ways), MOST_TRIED))
                open_ = [
                    cards
                    for cards in tried
                    if match.judge(f"{who}: {' '.join(cards)}").verdict != "illegal"
                ]
                listed = [sorted(text.split()[1:]) for text in legal if text.startswith(who)]
                left = [cards for cards in open_ if list(cards) not in listed]
                if left or len(tried) < MOST_TRIED:
                    assert (f"{who}: …" in legal) == bool(left), (who, left)
