"""Durak compared with every case from other sources that agrees with one of its two rule texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Match
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.rulings import Illegal
from tests.durak_tables import PACK, begun, rules

CASES = Path(__file__).parent / "cases"
Case = dict[str, Any]

# Cards outside the pack, or named twice, and others of the same relation.
INSTEAD = {"2C": "7C", "5D": "7D", "6x": "7C", "x": "9C"}
TRUMPS = "HDCS"


def lines(name: str) -> list[Case]:
    text = (CASES / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def agreeing() -> Iterator[Any]:
    for case in lines("durak_bouts.jsonl"):
        for side in ("fr", "jp"):
            if case[f"agrees_{side}"] is True:
                yield pytest.param(case, side, id=f"{case['id']}-{side}")


def ruleset(case: Case, side: str) -> str:
    if side == "jp":
        return "podkidnoy"
    return "durak-transfer" if case["variant"].get("transfer") else "durak"


def seen(case: Case) -> set[str]:
    """Return every card that the case names."""
    state = case["state"]
    found = [card for pair in state.get("table", ()) for card in pair if card]
    found += [card for hand in state.get("hands", {}).values() for card in hand]
    found += case["action"].get("cards", []) + state.get("defender_hand", [])
    return {INSTEAD.get(card, card) for card in found}


def table_of(case: Case) -> list[tuple[str, str | None]]:
    """Return the table without a card twice: the second is another of its rank."""
    used: set[str] = set()
    free = [card for card in PACK if card not in seen(case)]
    table: list[tuple[str, str | None]] = []
    for pair in case["state"].get("table", ()):
        cards: list[Any] = []
        for card in pair:
            said = INSTEAD.get(card, card)
            if said in used:
                said = next(other for other in free if other[0] == said[0] and other not in used)
            if said is not None:
                used.add(said)
            cards.append(said)
        table.append((cards[0], cards[1]))
    return table


def lay(match: Match, entry: str) -> None:
    """Record an entry that leads to the position. If it is refused, decide that it stands."""
    try:
        match.record(entry)
    except Illegal:
        match.record(f"{entry} !stands")


def allowed(match: Match, entry: str) -> bool:
    try:
        return match.judge(entry).verdict == "legal"
    except (Impossible, Unreadable):
        return False


def players_of(case: Case) -> list[str]:
    return list(case["state"].get("players", ["A", "B", "C"]))


def hand_line(who: str, cards: int | list[str]) -> str:
    return f"hand {who}: {cards if isinstance(cards, int) else ' '.join(cards)}"


def at_the_table(case: Case, side: str) -> Match:
    """Return the position in the middle of a bout, set up before its lead."""
    state, table, players = case["state"], table_of(case), players_of(case)
    leader, defender = state.get("leader", "A"), state.get("defender", "B")
    covers = sum(cover is not None for _, cover in table)
    hands: dict[str, int | list[str]] = dict.fromkeys(players, 6)
    hands[leader] = len(table) + len(case["action"].get("cards", ())) + 1
    hands[defender] = state.get("defender_cards", 6) + covers
    if "next_player_cards" in state:
        hands[players[(players.index(defender) + 1) % len(players)]] = state["next_player_cards"]
    for who, cards in state.get("hands", {}).items():
        hands[who] = cards if cards and "x" not in cards else len(cards)
    if table and isinstance(hands[leader], list):
        hands[leader] = [*hands[leader], *(attack for attack, _ in table)]  # type: ignore[misc]
    if "defender_hand" in state:
        hands[defender] = state["defender_hand"]
    talon = 0 if state.get("talon") == [] else 4
    text = [f"trump {trump_of(case, table)}", f"talon {talon}", f"lead {leader}"]
    text += [hand_line(who, cards) for who, cards in hands.items() if cards != 0 or not talon]
    match = begun(ruleset(case, side), " ".join(players), "\n".join(text))
    if table and all(cover is None for _, cover in table) and side == "fr":
        lay(match, f"{leader}: attack {' '.join(attack for attack, _ in table)}")
        return match
    for attack, cover in sorted(table, key=lambda pair: pair[1] is None):
        lay(match, f"{leader}: attack {attack}")
        if cover is not None:
            lay(match, f"{defender}: cover {attack} {cover}")
    return match


def trump_of(case: Case, table: list[tuple[str, str | None]]) -> str:
    """Return a trump with which the covers are valid, if the case names none."""
    if "trump" in case["state"]:
        return str(case["state"]["trump"])
    for trump in TRUMPS:
        if all(cover is None or covers(trump, attack, cover) for attack, cover in table):
            return trump
    return "H"


def covers(trump: str, attack: str, cover: str) -> bool:
    if attack[1] == cover[1]:
        return "6789TJQKA".index(cover[0]) > "6789TJQKA".index(attack[0])
    return cover[1] == trump


def finished(case: Case, side: str) -> Match:
    """Return the bout of the case, played from its lead to its end, to compare what is left."""
    state, players = case["state"], players_of(case)
    leader, defender = state["leader"], state["defender"]
    talon = state.get("talon", 6)
    count = len(talon) if isinstance(talon, list) else talon
    kept: dict[str, int | list[str]] = {}
    for who in players:
        hands, counts = state.get("hands", {}), state.get("counts", {})
        holding = state.get("holding", players)
        kept[who] = hands.get(who, 6 if hands and count else counts.get(who, 3))
        if who not in holding:
            kept[who] = 0
        if hands and who not in hands and not count:
            kept[who] = 0
    taken = state.get("outcome") == "taken"
    attack, cover = ("6C", "7C") if not taken else (attack_of(case), None)
    text = ["trump H", f"talon {count}", f"lead {leader}"]
    for who in players:
        laid = attack if who == leader else cover if who == defender else None
        hand = kept[who]
        if laid:
            hand = hand + 1 if isinstance(hand, int) else [*hand, laid]
        text.append(hand_line(who, hand if hand else 0))
    match = begun(ruleset(case, side), " ".join(players), "\n".join(text))
    match.record(f"{leader}: attack {attack}")
    match.record(f"{defender}: take" if taken else f"{defender}: cover {attack} {cover}")
    if match.state["table"] and not match.rounds[-1].over and match.to_act:
        match.record("all: pass")
    return match


def attack_of(case: Case) -> str:
    table = case["state"].get("table")
    card = table[0][0] if table else "x"
    return INSTEAD.get(card, card)


def what_it_says(match: Match, entry: str, expected: Case) -> None:
    assert allowed(match, entry) is expected["legal"]
    if "new_defender" in expected:
        match.record(entry)
        assert match.state["bindings"]["defender"] == expected["new_defender"]


def check_act(case: Case, side: str) -> None:
    action = case["action"]
    match = at_the_table(case, side)
    if case["state"].get("phase") == "taking":
        match.record("B: take")
    if action["type"] == "end":
        match.record(f"{action['by']}: pass")
        assert bool(match.state["table"]) is not case["expected"]["legal"]
        return
    cards = " ".join(INSTEAD.get(card, card) for card in action["cards"])
    target = f"{action['attack']} " if "attack" in action else ""
    what_it_says(match, f"{action['by']}: {action['type']} {target}{cards}", case["expected"])


def check_end(case: Case, side: str) -> None:
    expected = case["expected"]
    match = moved(case, side) if "moves" in case["action"] else finished(case, side)
    state = match.state
    bindings, cards = state["bindings"], {n: p["cards"] for n, p in state["players"].items()}
    if "next_leader" in expected:
        assert bindings["leader"] == expected["next_leader"]
    if "next_defender" in expected:
        assert bindings["defender"] == expected["next_defender"]
    if "out" in expected:
        assert sorted(bindings["out"]) == expected["out"]
    if "durak" in expected:
        assert bindings["losers"] == [expected["durak"]]
    for who, hand in expected.get("hands", {}).items():
        assert cards[who] == len(hand)
    for who, count in expected.get("counts", {}).items():
        assert cards[who] == count
    if "hands_B" in expected:
        assert cards["B"] == len(expected["hands_B"])
    if isinstance(expected.get("talon"), int):
        assert state["talon"] == expected["talon"]


def moved(case: Case, side: str) -> Match:
    state, players = case["state"], players_of(case)
    text = [f"trump {state['trump']}", "talon 0", f"lead {state['leader']}"]
    text += [hand_line(who, cards) for who, cards in state["hands"].items()]
    match = begun(ruleset(case, side), " ".join(players), "\n".join(text))
    for move in case["action"]["moves"]:
        who, _, act = move.partition(" ")
        if who != "end":
            match.record(f"{who}: {act}")
    return match


@pytest.mark.parametrize(("case", "side"), list(agreeing()))
def test_a_bout_as_others_expect_it(case: Case, side: str) -> None:
    kind, state = case["kind"], case["state"]
    if kind in ("legality", "transfer"):
        check_act(case, side)
    elif kind == "limit":
        match = at_the_table(case, side)
        assert match.state["bindings"]["left"] == case["expected"]["slots"]
    elif kind == "legal_set":
        legal = at_the_table(case, side).legal()
        found = {text.split()[-1] for text in legal if text.startswith("B: transfer")}
        assert found == set(case["expected"]["cards"])
    elif kind == "first_leader":
        text = [f"turnup {state['trump_card']}"]
        text += [hand_line(who, cards) for who, cards in state["hands"].items()]
        match = begun(ruleset(case, side), "A B", "\n".join(text))
        assert match.to_act == [case["expected"]["leader"]]
    else:
        assert kind in ("bout_result", "refill", "game_end")
        check_end(case, side)


def test_no_case_is_left_out() -> None:
    assert len(list(agreeing())) == 98


BEATS = [case for case in lines("durak_beats.jsonl") if case["agrees_with_seed"] is not False]
LOW = {"2": "6", "3": "7", "4": "8", "5": "9"}


def in_pack(card: str) -> str:
    return LOW.get(card[0], card[0]) + card[1]


@pytest.mark.parametrize("case", BEATS, ids=lambda case: case["id"])
@pytest.mark.parametrize("variant", ["durak", "podkidnoy", "durak-spades"])
def test_what_covers_what(case: Case, variant: str) -> None:
    spades = variant == "durak-spades"
    expected = case["beats_if_spade_autonomous" if spades else "beats"]
    if expected is None:
        assert case["trump"] == "S"
        assert not allowed(Match(rules(variant), ["A", "B"]), "trump S")
        return
    attack, cover = in_pack(case["attack"]), in_pack(case["defence"])
    facts = f"trump {case['trump']}; talon 4; lead A; hand A: 6; hand B: 6"
    match = begun(variant, "A B", f"{facts}\nA: attack {attack}")
    assert allowed(match, f"B: cover {attack} {cover}") is expected
    legal = f"B: cover {attack} {cover}" in match.legal()
    assert legal is expected
