"""Laws of withdrawn cards: they count as seen, prove nothing false, and survive a replay."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scorekeeper import Impossible, Match
from scorekeeper.core.rulings import worst_verdict
from tests.effort import tries
from tests.random_play import Evening

if TYPE_CHECKING:
    from scorekeeper import Ruling
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.engine.round import Round

Hands = list[int]


class Course(NamedTuple):
    """A deal with all hands known.

    The fields are its entries, the hands before each, the numbers (from 1) of the illegal ones,
    and the players by side.
    """

    before: Match
    texts: list[str]
    hands: list[Hands]
    illegal: frozenset[int]
    sides: dict[str, list[str]]


class Back(NamedTuple):
    """A withdrawn play: the entry, the seat of the cards' owner, and the cards."""

    text: str
    seat: int
    kinds: list[int]


def course(name: str, seed: int) -> Course:
    """Return a whole deal, with a few revokes that were left standing."""
    players = 3 if name in ("durak", "durak-spades-transfer", "podkidnoy") else 4
    evening = Evening(name, seed, players=players, full=True, wrong=0.03, result=0).play(1)
    said = [each for each in evening.all() if each.known]
    match, hands = evening.fresh(), []
    for each in said:
        hands.append(held(match.live_round))
        match.record(each.known)
    illegal = frozenset(number for number, each in enumerate(said, 1) if each.illegal)
    texts = [each.known for each in said]
    return Course(evening.fresh(), texts, hands, illegal, match.state["sides"])


def known(rnd: Round) -> Knowledge:
    """Return the knowledge of a round's hands."""
    return rnd.hands


def held(rnd: Round) -> Hands:
    """Return all hands of a round if they are known, and none while draws are unknown."""
    return list(known(rnd).known) if not any(known(rnd).unknown_count) else []


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the rulesets of the tests to the shipped ones."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))


COURSES = [
    "doppelkopf",
    "doppelkopf-ddv",
    "da-ban",
    "sheng-ji",
    "fixed-trump",
    "durak",
    "durak-spades-transfer",
    "podkidnoy",
    "podkidnoy-teams",
]


def taken_back(match: Match, hands: Hands, random: Random) -> Back | None:
    """Return a random withdrawn play of some cards of one hand."""
    pack, rules = match.ruleset.pack, match.ruleset
    seats = [seat for seat, hand in enumerate(hands) if hand]
    if not seats or match.live_round.over or not match.live_round.acted:
        return None
    seat = random.choice(seats)
    cards = pack.kinds_in(hands[seat])
    kinds = [random.choice(cards)]
    verbs = ["attack", "transfer"] if "bouts" in rules.phases else [""]
    kinds *= random.randint(1, cards.count(kinds[0]) if "draw" in rules.phases else 1)
    said = " ".join(pack.kinds[kind] for kind in kinds)
    name = match.players[seat]
    # A card that was already declared would have to exist twice.
    if "declare" in rules.entry_types and "declared" not in match.state["bindings"]:
        verbs += ["declare"]
    lying = match.state["table"] if "bouts" in rules.phases else []
    if lying and random.random() < 0.5:
        card = lying[0]["attack"]
        act = random.choice([f"{name}: cover {card} {said}", f"together {name}: {said}"])
    else:
        act = f"{name}: {random.choice(verbs)} {said}"
    return Back(f"{act} !withdrawn", seat, kinds)


def agrees(rnd: Round, hands: Hands) -> None:
    """Check that the knowledge does not contradict the hands."""
    knowledge, pack = known(rnd), rnd.rules.pack
    for seat, hand in enumerate(hands):
        if not knowledge.buried_count[seat]:
            assert not pack.subtract(knowledge.known[seat], hand)
            assert knowledge.size(seat) == hand.bit_count()
        for kind in set(pack.kinds_in(hand)):
            assert knowledge.can_hold(seat, kind, pack.count(hand, kind)) >= 0
    assert sum(knowledge.unknown_count) <= knowledge.unseen.bit_count()


def told(match: Match) -> object:
    return match.state, match.to_act, match.standing, [p.entries for p in match.rounds]


def findings(rnd: Round) -> list[list[tuple[str, str, str]]]:
    return [[(f.code, f.verdict, f.reason) for f in logged.findings] for logged in rnd.log]


@pytest.mark.parametrize("seed", tries(2))
@pytest.mark.parametrize("name", COURSES)
def test_what_was_taken_back_accuses_nobody_who_kept_the_rules(name: str, seed: int) -> None:
    """With unseen hands, a shown card is known from then on and fits the real hands.

    A withdrawn play is reported as illegal only if it was, by all hands.
    """
    random, deal = Random(seed), course(name, seed)
    match, whole = deal.before.copy_from_start(), deal.before.copy_from_start()
    illegal: set[int] = set()
    for number, (text, hands) in enumerate(zip(deal.texts, deal.hands, strict=True), 1):
        back = taken_back(match, hands, random) if random.random() < 0.3 else None
        if back is not None:
            ruling, said = match.record(back.text), back.text.removesuffix(" !withdrawn")
            if whole.judge(said).verdict == "illegal":
                illegal.add(len(match.rounds[-1].entries))
            assert blamed(ruling) <= illegal
            knowledge = known(match.live_round)
            if not knowledge.buried_count[back.seat]:
                pack, sure = match.ruleset.pack, knowledge.known[back.seat]
                assert pack.count(sure, back.kinds[0]) >= len(back.kinds)
            agrees(match.live_round, hands)
            for side, names in match.state["sides"].items():
                assert set(names) <= set(deal.sides[side])
        whole.record(text)
        if text.startswith("hand ") or (seed and ": draw " in text):
            continue
        ruling = match.record(match.notation.hide_cards(text) if seed else text)
        if number in deal.illegal:
            illegal.add(len(match.rounds[-1].entries))
        own = worst_verdict(f for f in ruling.findings if f not in ruling.settled)
        assert own in ("open", "illegal" if number in deal.illegal else "legal"), text
        assert blamed(ruling) <= illegal
    again = match.copy_from_start()
    again.play_round(match.rounds[0].entries)
    assert told(again) == told(match)
    assert findings(again.live_round) == findings(match.live_round)
    assert sum(text.endswith("!withdrawn") for text in match.rounds[0].entries) > 2


def blamed(ruling: Ruling) -> set[int]:
    """Return the numbers of the earlier entries that an entry proves illegal."""
    return {f.facts["entries"][0] for f in ruling.settled if f.verdict == "illegal"}


def all_known(rnd: Round) -> tuple[object, ...]:
    knowledge = known(rnd)
    parts = (knowledge.known, knowledge.unknown_count, knowledge.buried_count)
    return *map(tuple, parts), knowledge.unseen


@pytest.mark.parametrize("name", COURSES)
def test_where_hands_are_known_nothing_is_learned(name: str) -> None:
    """Cover a card that is in the hand, and one that is not, which breaks possession."""
    random, deal = Random(name), course(name, 1)
    match, full = deal.before.copy_from_start(), deal.before.ruleset.pack.full
    for text, hands in zip(deal.texts, deal.hands, strict=True):
        others = [full & ~hand if hand else 0 for hand in hands]
        for cards in (hands, others):
            back = taken_back(match, cards, random) if random.random() < 0.2 else None
            if back is None:
                continue
            before = all_known(match.live_round)
            with suppress(Impossible):
                match.record(back.text)
            assert all_known(match.live_round) == before, back.text
        match.record(text)
