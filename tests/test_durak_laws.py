"""Laws that hold in every deal of durak: random legal deals, hands known and hidden."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorekeeper import Match
from scorekeeper.core.failures import Failure
from scorekeeper.core.rulings import Illegal
from tests.durak_games import PACK, Deal, rules

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


def deal(name: str, players: int, seed: int, most: int = 400) -> Deal:
    return Deal(name, players, Random(f"{name} {players} {seed}")).play(most)


class Cards:
    """Where every card is, followed by hand: a second opinion."""

    def __init__(self, deal: Deal) -> None:
        self.hands: dict[str, set[str]] = {}
        for line in deal.hands:
            who, _, cards = line.removeprefix("hand ").partition(":")
            self.hands[who] = set(cards.split())
        dealt = set().union(*self.hands.values())
        self.talon = {card for card in PACK if card not in dealt}
        self.table: set[str] = set()
        self.discard: set[str] = set()

    def follow(self, text: str, match: Match) -> None:
        """What an act moves; who took or discarded what lay there is asked of the match."""
        who, _, act = text.partition(": ")
        word, *cards = act.split()
        if word == "draw":
            return
        if word == "cover":
            cards = cards[1:]
        if word in ("attack", "cover", "transfer"):
            assert set(cards) <= self.hands[who]
            self.hands[who] -= set(cards)
            self.table |= set(cards)
        news = match.state["bindings"]["last_bout"]
        if news and not match.state["table"]:
            self.clear(news["outcome"], news["defender"])

    def clear(self, outcome: str, defender: str) -> None:
        if outcome == "taken":
            self.hands[defender] |= self.table
        else:
            self.discard |= self.table
        self.table = set()


@each_deal
def test_every_deal_ends_and_no_card_is_lost(name: str, players: int, seed: int) -> None:
    played = Deal(name, players, Random(f"{name} {players} {seed}"))
    follow, index = Cards(played), 0
    order = list(played.talon)
    for _ in range(500):
        played.record(played.choose())
        if played.over:
            break
        follow.follow(played.acts[index], played.match)
        index = len(played.acts)
        if not played.match.state["table"]:
            for who, number in (played.match.state["bindings"]["last_bout"] or {"draws": []})[
                "draws"
            ]:
                follow.hands[who] |= set(order[:number])
                follow.talon -= set(order[:number])
                order = order[number:]
        state = played.match.state
        assert {n: len(hand) for n, hand in follow.hands.items()} == {
            n: player["cards"] for n, player in state["players"].items()
        }
        assert state["talon"] == len(follow.talon)
        places = [*follow.hands.values(), follow.talon, follow.table, follow.discard]
        assert sorted(card for place in places for card in place) == sorted(PACK)
        for who, hand in follow.hands.items():
            if hand and not state["table"]:
                text = f"hand {who}: {' '.join(sorted(hand))}"
                assert played.match.judge(text).verdict == "legal"
    assert played.over
    check_end(played)


def check_end(played: Deal) -> None:
    """One loser, or one side, or the draw that the ruleset allows; the loser deals."""
    bindings = played.match.state["bindings"]
    losers, scores = bindings["losers"], played.match.scores
    assert scores == {who: int(who in losers) for who in played.players}
    name = played.match.ruleset.name
    if not losers:
        assert name.startswith("podkidnoy")
        return
    assert len(losers) == (len(played.players) // 2 if name == "podkidnoy-teams" else 1)
    assert played.players[played.match.standing["dealer"]] in losers
    assert set(played.players) - set(losers) <= set(bindings["out"])


def ruled(match: Match, text: str) -> tuple[str, set[str]]:
    """The verdict on an act, and the codes of what it breaks; impossible is against possession."""
    try:
        ruling = match.judge(text)
    except Failure:
        return "illegal", {"bouts.held"}
    broken = {finding.code for finding in ruling.findings if finding.verdict == "illegal"}
    return ruling.verdict, broken


def candidates(match: Match) -> list[str]:
    """Every act with one card, and every word without."""
    open_attacks = [row["attack"] for row in match.state["table"] if row["cover"] is None]
    acts = ["take", "pass"]
    acts += [f"attack {card}" for card in PACK]
    acts += [f"transfer {card}" for card in PACK]
    acts += [f"cover {attack} {card}" for attack in open_attacks for card in PACK]
    return [f"{who}: {act}" for who in match.players for act in acts]


def hidden(name: str, facts: list[str], names: list[str], lead: str) -> Match:
    match = Match(rules(name), names)
    for fact in (*facts, f"lead {lead}"):
        match.record(fact)
    return match


@pytest.mark.parametrize(("name", "players", "seed"), DEALS[::3])
@pytest.mark.parametrize("acts", [0, 9, 40])
def test_legal_is_what_judge_allows(name: str, players: int, seed: int, acts: int) -> None:
    played = deal(name, players, seed, acts)
    if played.over:
        return
    match = played.match
    first = next((act for act in played.acts), f"{match.to_act[0]}: ").partition(":")[0]
    unseen = hidden(name, played.facts, played.players, first)
    for act in played.acts:
        unseen.record(act)
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


@each_deal
def test_hidden_hands_change_no_verdict(name: str, players: int, seed: int) -> None:
    played = deal(name, players, seed)
    lead = played.acts[0].partition(":")[0]
    for count in (0, 1, players - 1):
        facts = [*played.facts, *played.hands[:count]]
        match = hidden(name, facts, played.players, lead)
        said = [match.record(act).verdict for act in played.acts]
        assert all(now in (known, "open") for now, known in zip(said, played.verdicts, strict=True))
        assert match.scores == played.match.scores
        assert [f for _, f in match.rounds[0].findings if f.verdict == "illegal"] == []


@pytest.mark.parametrize(("name", "players", "seed"), DEALS[::2])
def test_undo_goes_all_the_way_back(name: str, players: int, seed: int) -> None:
    played = deal(name, players, seed, 40)
    match = Match(rules(name), played.players)
    states: list[tuple[dict[str, Any], list[str] | None]] = []
    entries = [*played.facts, *played.hands, *played.acts]
    for entry in entries:
        states.append((match.state, match.legal() if len(states) % 9 == 0 else None))
        match.record(entry)
    end = match.state
    for state, legal in reversed(states):
        match.undo()
        assert match.state == state
        if legal is not None:
            assert match.legal() == legal
    assert match.rounds == []
    for entry in entries:
        match.record(entry)
    assert match.state == end


@each_deal
def test_judging_changes_nothing(name: str, players: int, seed: int) -> None:
    played = deal(name, players, seed, 25)
    before = played.match.state, played.match.legal()
    for text in candidates(played.match)[:: 7 * players]:
        ruled(played.match, text)
    assert (played.match.state, played.match.legal()) == before


@each_deal
def test_a_written_deal_is_the_deal(name: str, players: int, seed: int) -> None:
    played = deal(name, players, seed)
    match = Match(rules(name), played.players)
    texts = played.match.rounds[0].entries
    written = match.play_round(texts)
    assert (written.findings, written.scores) == ([], played.match.rounds[0].scores)


def test_random_illegal_acts_are_refused_and_leave_no_trace() -> None:
    random = Random(7)
    played = deal("durak-spades-transfer", 3, 5, 30)
    match, state, refused = played.match, played.match.state, 0
    for text in random.sample(candidates(match), 150):
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
