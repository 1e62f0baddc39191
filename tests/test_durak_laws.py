"""Laws of Durak that hold in any deal, whatever is played, with known and unseen hands."""

from __future__ import annotations

from random import Random

import pytest

from scorekeeper import Failure, Illegal, Match
from tests.durak_tables import PACK
from tests.random_play import Evening

DEALS = [
    (name, players, seed)
    for name, counts in {
        "durak": (2, 3, 4),
        "durak-spades": (3,),
        "durak-transfer": (3, 4),
        "durak-spades-transfer": (2, 3),
        "podkidnoy": (2, 3, 6),
        "podkidnoy-teams": (4, 6),
    }.items()
    for players in counts
    for seed in (1, 2)
]
each_deal = pytest.mark.parametrize(("name", "players", "seed"), DEALS)


def deal(name: str, players: int, seed: int, most: int = 500) -> Evening:
    """Return a whole deal, or that many entries of it, in which every act is legal."""
    return Evening(name, seed, players=players, full=True, wrong=0, result=0).play(1, most)


@each_deal
def test_every_deal_ends_and_no_card_is_lost(name: str, players: int, seed: int) -> None:
    """Compare the hands in the match after each bout with an independent count."""
    played = deal(name, players, seed, 1)
    while not played.over:
        state = played.match.state
        places = [*played.hands.values(), played.talon, played.table]
        cards = [card for place in places for card in place]
        assert len(set(cards)) == len(cards)
        assert state["talon"] == len(played.talon)
        if not state["table"] and not played.draws:
            for who, hand in played.hands.items():
                text = f"hand {who}: {' '.join(sorted(hand))}"
                assert not hand or played.match.judge(text).verdict == "legal"
        played.step()
    check_end(played)


def check_end(played: Evening) -> None:
    """Check for one loser, one losing side, or an allowed draw, and that the loser deals next."""
    bindings = played.match.state["bindings"]
    losers, scores = bindings["losers"], played.match.scores
    assert scores == {who: int(who in losers) for who in played.names}
    name = played.rules.name
    if not losers:
        assert name.startswith("podkidnoy")
        return
    assert len(losers) == (len(played.names) // 2 if name == "podkidnoy-teams" else 1)
    assert played.names[played.match.standing["dealer"]] in losers
    assert set(played.names) - set(losers) <= set(bindings["out"])


def ruled(match: Match, text: str) -> tuple[str, set[str]]:
    """Return the verdict on an act and the codes it breaks. An impossible act breaks possession."""
    try:
        ruling = match.judge(text)
    except Failure:
        return "illegal", {"bouts.held"}
    broken = {finding.code for finding in ruling.findings if finding.verdict == "illegal"}
    return ruling.verdict, broken


def candidates(match: Match) -> list[str]:
    """Return every act with one card, and every act without a card."""
    open_attacks = [row["attack"] for row in match.state["table"] if row["cover"] is None]
    acts = ["take", "pass"]
    acts += [f"attack {card}" for card in PACK]
    acts += [f"transfer {card}" for card in PACK]
    acts += [f"cover {attack} {card}" for attack in open_attacks for card in PACK]
    return [f"{who}: {act}" for who in match.players for act in acts]


@pytest.mark.parametrize(("name", "players", "seed"), DEALS[::3])
@pytest.mark.parametrize("entries", [9, 20, 60])
def test_legal_is_what_judge_allows(name: str, players: int, seed: int, entries: int) -> None:
    played = deal(name, players, seed, entries)
    if played.over:
        return
    match, unseen = played.match, played.fresh()
    acts = [said.unseen for said in played.all() if ": " in said.unseen]
    first = next(iter(acts), match.to_act[0]).partition(":")[0]
    unseen.record(f"lead {first}")
    for said in played.all():
        text = said.known if ": draw " in said.known else said.unseen
        if text:
            unseen.record(text)
    for one in (match, unseen):
        legal = set(one.legal())
        assert {text for text in candidates(one) if ruled(one, text)[0] == "legal"} == {
            text for text in legal if is_single(text)
        }
        for text in legal:
            if not text.endswith("…"):
                assert one.judge(text).verdict == "legal", text
    for text in candidates(match):
        known, broken = ruled(match, text)
        without = ruled(unseen, text)[0]
        # What is laid is seen: only possession may be decided by a hand.
        assert known == without or broken == {"bouts.held"}, text
        assert not (known == "legal" and without != "legal"), text


def is_single(text: str) -> bool:
    _, word, *cards = text.split()
    return not text.endswith("…") and len(cards) <= (2 if word == "cover" else 1)


def test_random_illegal_acts_are_refused_and_leave_no_trace() -> None:
    played = deal("durak-spades-transfer", 3, 5, 30)
    match, state, refused = played.match, played.match.state, 0
    for text in Random(7).sample(candidates(match), 150):
        if text in match.legal():
            continue
        try:
            match.record(text)
        except Illegal as failure:
            assert failure.ruling.findings[0].cite
            refused += 1
        except Failure:
            refused += 1
        else:
            pytest.fail(text)
    assert refused
    assert match.state == state
