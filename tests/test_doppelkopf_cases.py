"""Cases from other sources: whole real deals, scores, tricks, legal cards, calls."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.core.errors import Failure
from scorekeeper.engine.replay import RoundRecord
from scorekeeper.engine.ruleset import Ruleset
from tests.inside import state_of

CASES = Path(__file__).parent / "cases"
NAMES = ["Ana", "Ben", "Cleo", "Dan"]
SEED, DDV = "doppelkopf", "doppelkopf-ddv"
SOLOS = ["damensolo", "bubensolo", "kreuzsolo", "piksolo", "herzsolo", "karosolo", "fleischlos"]
SPECIALS = {"doppelkopf", "fox", "charlie"}
TIERS = {"under90": 89, "under60": 59, "under30": 29, "schwarz": 0}

Case = dict[str, Any]


def cases(kind: str) -> list[Any]:
    lines = (CASES / f"doppelkopf_{kind}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [pytest.param(row, id=row["id"]) for row in rows]


@cache
def rules(name: str) -> Ruleset:
    return load_ruleset(name)


def match(name: str = SEED, **options: object) -> Match:
    return Match(load_ruleset(name, **options) if options else rules(name), NAMES)


# --- whole deals


def deal_of(case: Case, hands: bool) -> list[str]:
    """Return the entries of a real deal. A call is placed right before the caller's card."""
    entries = []
    if hands:
        entries += [f"hand {NAMES[s]}: {' '.join(case['deal'][s])}" for s in range(4)]
    for seat in range(4):
        word = case["reservations"][str(seat + 1)]
        led_by_forehand = word in SOLOS and case["first_leader"] == 1
        entries.append(f"{NAMES[seat]}: {word}" + (" lust" if led_by_forehand else ""))
    laid = 0
    calls = list(case["announcements"])
    for trick in case["tricks"]:
        for step, card in enumerate(trick["cards"]):
            seat = (trick["leader"] - 1 + step) % 4
            for call in [c for c in calls if due(c, seat, trick["n"], laid)]:
                calls.remove(call)
                entries.append(f"{NAMES[call['seat'] - 1]}: {call['call']}")
            entries.append(f"{NAMES[seat]}: {card}")
            laid += 1
    assert not calls
    return entries


def due(call: Case, seat: int, trick: int, laid: int) -> bool:
    if "after_cards_played" in call:
        return bool(call["after_cards_played"] == laid)
    return bool(call["seat"] - 1 == seat and call["trick"] == trick)


def play(name: str, case: Case, hands: bool) -> tuple[Match, RoundRecord]:
    table = match(name)
    return table, table.play_round(deal_of(case, hands))


@pytest.mark.parametrize("hands", [True, False])
@pytest.mark.parametrize("name", [SEED, DDV])
@pytest.mark.parametrize("case", cases("games"))
def test_real_deals(case: Case, name: str, hands: bool) -> None:
    table, played = play(name, case, hands)
    reply = any(finding.code == "calls.in-time" for _, finding in played.findings)
    assert played.over
    if name == DDV or not reply:
        assert [f for _, f in played.findings if f.verdict == "illegal"] == []
    assert all(finding.verdict != "open" for _, finding in played.findings)
    tricks = table.replay_round(played).tricks
    assert [trick.winner + 1 for trick in tricks] == [row["winner"] for row in case["tricks"]]
    assert [trick.points for trick in tricks] == [row["points"] for row in case["tricks"]]
    assert played.changes is not None
    if name == DDV:
        assert played.changes == case["expected_scores"]
    elif not reply:
        assert played.changes == case["seed_scores"]["literal"]["points"]
    assert sum(played.changes) == 0


@pytest.mark.parametrize("case", cases("games"))
def test_real_deals_are_recorded_entry_by_entry(case: Case) -> None:
    table = match(DDV)
    for text in deal_of(case, hands=False):
        ruling = table.record(text)
        assert ruling.verdict != "illegal"
        assert ruling.entry in ruling.text
    assert [table.scores[name] for name in NAMES] == case["expected_scores"]


# --- scores


def result_of(case: Case) -> str:
    points = case["re_points"]
    reached = case.get("expected_components")
    if points is None and isinstance(reached, dict) and "tiers_reached" in reached:
        least = min((TIERS[tier] for tier in reached["tiers_reached"]), default=119)
        points = 240 - least if case["expected_winner"] == "re" else least
    if points is None:
        points = 119 if case["expected_winner"] == "kontra" else 121
    contract = "damensolo" if case["contract"] == "solo" else case["contract"]
    alone = case["solo"]
    seats = case.get("re_seats") or ([1] if alone else [1, 2])
    words = [f"contract={contract}", f"re={'+'.join(NAMES[s - 1] for s in seats)}"]
    words.append(f"points={points}")
    calls = [
        f"{side}:{call}" for side in ("re", "kontra") for call in case[f"{side}_announcements"]
    ]
    extra = [
        f"{side}:{special}"
        for side in ("re", "kontra")
        for special in case["extra_points"][side]
        if special in SPECIALS
    ]
    words += [f"calls={'+'.join(calls)}"] if calls else []
    words += [f"specials={'+'.join(extra)}"] if extra else []
    empty = {0: "re", 240: "kontra"}.get(points)
    if empty and case["all_tricks_to"] is None:
        words.append(f"tricks={empty}:1")
    return "result " + " ".join(words)


def settle(name: str, case: Case) -> tuple[str | None, float]:
    """Return the winner, and the value for one player of re before a soloist's factor of three."""
    table = match(name)
    played = table.play_round([result_of(case)])
    assert played.changes is not None, played.findings
    rnd = table.replay_round(played)
    won = rnd.roles.get("winners")
    lines = [line for line in played.lines if line.to == "re" and line.code != "scores.soloist"]
    if case["scope"].startswith("basic"):
        apart = {"scores.against-the-queens", *(f"scores.{name}" for name in SPECIALS)}
        lines = [line for line in lines if line.code not in apart]
    if case["scope"] == "specials only":
        lines = [line for line in lines if line.code.removeprefix("scores.") in WITH_QUEENS]
    return (won[0] if won else None), sum(line.points for line in lines)


WITH_QUEENS = {*SPECIALS, "against-the-queens"}


def impossible(case: Case) -> bool:
    points = case["re_points"]
    return points is not None and points + case["kontra_points"] != 240


@pytest.mark.parametrize("case", cases("scores"))
def test_scores(case: Case) -> None:
    if impossible(case):
        return
    computed = case.get("computed") or {}
    literal = computed.get("seed_literal")
    if literal is None and case["agrees_with_seed"] is True:
        literal = {"winner": case["expected_winner"], "re_value": case.get("expected_re_value")}
    if literal is not None:
        check(settle(SEED, case), literal["winner"], literal.get("re_value"))
    if case.get("agrees_with_ddv"):
        value = case.get("expected_re_value")
        if "expected_scores_by_seat" in case:
            value = case["expected_scores_by_seat"][case["re_seats"][0] - 1]
            value = value // 3 if len(case["re_seats"]) == 1 else value
        check(settle(DDV, case), case["expected_winner"], value)


def check(found: tuple[str | None, float], winner: str, value: float | None) -> None:
    assert found[0] == (None if winner in ("none", "nobody") else winner)
    if value is not None:
        assert found[1] == value


# --- tricks


def order_of(case: Case) -> str:
    return "normal" if case["contract"] == "hochzeit" else str(case["contract"])


def led(case: Case, **options: object) -> Match:
    """Return a table whose contract is that of a case, Ana to lead. Ana declares a solo."""
    table = match(SEED, **options)
    wish = order_of(case)
    table.record("Ana: gesund" if wish == "normal" else f"Ana: {wish}")
    table.record("all: gesund")
    return table


@pytest.mark.parametrize("case", cases("tricks"))
def test_trick_winners(case: Case) -> None:
    options: dict[str, object] = {}
    if case["agrees_with_seed"] is not True:
        options = {"phases.tricks.later": ["TH"]}
        if "LAST" in case["rules"]:
            options["phases.tricks.later_when"] = "true"
    table = led(case, **options)
    for step, card in enumerate(case["cards"]):
        table.record(f"{NAMES[step]}: {card} !stands")
    rnd = table.current_round
    best = rnd.tricks[-1].winner if rnd.tricks else state_of(rnd, "tricks").winner
    assert best == case["expected_winner_index"]
    if rnd.tricks and case.get("points") is not None:
        assert rnd.tricks[-1].points == case["points"]


def test_the_second_beats_the_first_only_where_the_ruleset_says_so() -> None:
    case = {"contract": "normal"}
    for when, winner in (("not trick.last", "Ben"), ("trick.last", "Ana")):
        table = led(case, **{"phases.tricks.later": ["TH"], "phases.tricks.later_when": when})
        for name, card in zip(NAMES, ("TH", "TH", "AD", "AC"), strict=True):
            table.record(f"{name}: {card} !stands")
        assert table.to_act == [winner]
    table = match(SEED, **{"phases.tricks.later": ["TH"], "phases.tricks.later_when": "trick.last"})
    for name in NAMES:
        table.record(f"hand {name}: 1")
    for text in ("all: gesund", "Ana: TH", "Ben: TH", "Cleo: QC", "Dan: JS"):
        table.record(text)
    assert table.current_round.number == 2
    assert table.rounds[0].over
    assert table.replay_round(table.rounds[0]).tricks[0].winner == 1


# --- cards that may be played


@pytest.mark.parametrize("case", cases("legal"))
def test_legal_cards(case: Case) -> None:
    lead = case["led"]
    who = NAMES[len(lead) % 4]
    table = match(SEED)
    table.record(f"hand {who}: {' '.join(case['hand'])}")
    wish = order_of(case)
    for name in NAMES:
        mine = wish if name == NAMES[-1] and wish != "normal" else "gesund"
        table.record(f"{name}: {mine}")
    for name, card in zip(NAMES, lead, strict=False):
        table.record(f"{name}: {card} !stands")
    plays = [text for text in table.legal() if text.startswith(f"{who}: ")]
    cards = {
        text.split(": ")[1] for text in plays if text.split(": ")[1] in table.notation.pack.index
    }
    assert cards == set(case["expected_legal"])
    for card in set(case["hand"]):
        legal = table.judge(f"{who}: {card}").verdict == "legal"
        assert legal == (card in case["expected_legal"])


# --- calls

PLAIN = ["9S", "9C", "9H", "KS", "KC", "KH", "AS", "AC", "AH"]
LEVELS = ["keine90", "keine60", "keine30", "schwarz"]
# Twelve tricks that obey every rule, each won by who leads it; Ana and Ben have a QC each.
DECK = {
    "Ana": ["TH", "QC", "AC", "AC", "TC", "TC", "KC", "KC", "9C", "9C", "QS", "QS"],
    "Ben": ["QC", "JC", "AS", "AS", "TS", "TS", "KS", "KS", "9S", "9S", "QH", "QH"],
    "Cleo": ["TH", "JC", "AH", "AH", "KH", "KH", "9H", "9H", "QD", "QD", "JS", "JS"],
    "Dan": ["JH", "JH", "JD", "JD", "AD", "AD", "TD", "TD", "KD", "KD", "9D", "9D"],
}


def tricks_until(table: Match, caller: str, cards: int) -> None:
    """Play on until the caller has so many cards, even if that breaks rules."""
    rest = {name: list(hand) for name, hand in DECK.items()}
    while table.state["players"][caller]["cards"] > cards:
        name = table.to_act[0]
        table.record(f"{name}: {rest[name].pop()} !stands")


def side_words(case: Case, own: str, other: str) -> tuple[list[str], list[str], str]:
    def worded(calls: list[str], side: str) -> list[str]:
        return [side if call in ("re/kontra", "re", "kontra") else call for call in calls]

    call = worded([case["call"]], own)[0]
    return worded(case["own_side_calls"], own), worded(case["opponent_calls"], other), call


def call_table(name: str, case: Case) -> tuple[Match, str, str]:
    """Return a table before the call of a case is judged.

    The caller's side has made its calls as early as possible, or as late as possible for a
    reply. The caller holds as many cards as the case says.
    """
    own = "kontra" if case["call"] == "kontra" or "kontra" in case["own_side_calls"] else "re"
    other = "re" if own == "kontra" else "kontra"
    mine, theirs, call = side_words(case, own, other)
    table = match(name)
    caller, opponent = ("Ana", "Cleo") if own == "re" else ("Cleo", "Ana")
    contract = case["contract"]
    for seat, player in enumerate(NAMES):
        word = "gesund"
        if contract != "normal" and seat == 0:
            word = contract
        table.record(f"{player}: {word}")
    if contract in SOLOS and own == "kontra":
        caller, opponent = "Cleo", "Ana"
    if contract == "hochzeit":
        clarify(table, case["hochzeit_clarified_in_trick"])
        caller = "Ana"
    late_reply = "reply" in case["note"]
    for word in theirs:
        table.record(f"{opponent}: {other} {word}" if word in LEVELS else f"{opponent}: {word}")
    if not late_reply:
        for word in mine:
            table.record(f"{caller}: {own} {word}" if word in LEVELS else f"{caller}: {word}")
    if contract != "hochzeit":
        tricks_until(table, caller, case["cards_in_hand"])
    else:
        spare = iter(["9S", "9S", "9C", "9C", "KS", "KS", "KC", "KC"])
        while table.state["players"][caller]["cards"] > case["cards_in_hand"]:
            table.record(f"{table.to_act[0]}: {next(spare)} !stands")
    if late_reply:
        for word in mine:
            table.record(f"{caller}: {word}")
    spoken = f"{caller}: {own} {call}" if call in LEVELS else f"{caller}: {call}"
    return table, spoken, own


def clarify(table: Match, trick: int) -> None:
    """Let Ana, who has the hochzeit, win the earlier tricks and Ben win that one."""
    for number in range(1, trick + 1):
        cards = ["QS", "JD", "JD", "JH"] if number < trick else ["JH", "TH", "9D", "9D"]
        if number == 2 and trick == 3:
            cards = ["QS", "JS", "JS", "KD"]
        for name, card in zip(NAMES, cards, strict=True):
            table.record(f"{name}: {card} !stands")
    assert table.to_act == ["Ben"]


@pytest.mark.parametrize("case", cases("calls"))
def test_calls(case: Case) -> None:
    expected = case["expected_allowed"]
    if "house" in case["rules"] or "server" in case["rules"]:
        return
    if case["note"] == "duplicate call of the same side":
        for name in (SEED, DDV):
            table, call, _ = call_table(name, case)
            ruling = table.judge(call)
            assert ruling.verdict != "illegal"
            assert [finding.code for finding in ruling.findings][-1] == "calls.repeated"
        return
    table, call, _ = call_table(DDV, case)
    assert (table.judge(call).verdict != "illegal") == expected
    if case["agrees_with_seed"] is True or case["id"] in ("A005", "A022", "A050", "A051"):
        table, call, _ = call_table(SEED, case)
        assert (table.judge(call).verdict != "illegal") == expected
    if case["agrees_with_seed"] is False:
        table, call, _ = call_table(SEED, case)
        assert table.judge(call).verdict == "illegal"


# --- reservations

CONTRACTS = {"solo_hearts": "herzsolo", "solo_clubs": "kreuzsolo", "normal": "normal"}


def spoken(words: list[str], name: str) -> dict[str, Any]:
    table = match(name)
    for player, word in zip(NAMES, words, strict=True):
        table.record(f"{player}: {word}")
    found: dict[str, Any] = table.state["bindings"]
    return found


@pytest.mark.parametrize("case", list(cases("reservations")))
def test_reservations(case: Case) -> None:
    if "hochzeit_holder" in case:
        hochzeit(case)
        return
    words = case["reservations_from_forehand"]
    contract = case["expected"].split(";")[0].split()[0]
    contract = CONTRACTS.get(contract, contract)
    seed, ddv = spoken(words, SEED), spoken(words, DDV)
    if case["agrees_with_seed"]:
        assert seed["contract"] == ddv["contract"] == contract
    else:
        assert ddv["contract"] == contract
        assert seed["contract"] != contract


def hochzeit(case: Case) -> None:
    if case["agrees_with_seed"] is not True:
        return
    holder = case["hochzeit_holder"]
    table = match(SEED)
    for seat, name in enumerate(NAMES, 1):
        table.record(f"{name}: {'hochzeit' if seat == holder else 'gesund'}")
    high = iter(["TH", "TH", "QS", "QS"])
    low = iter(["JD", "JD", "JH", "JH", "JS", "JS", "AD", "AD", "KD", "KD", "9D", "9D"])
    for winner in case["trick_winners"]:
        best = next(high)
        for _ in range(4):
            name = table.to_act[0]
            card = best if NAMES.index(name) + 1 == winner else next(low)
            table.record(f"{name}: {card}")
    sides = table.state["sides"]
    others = [seat for seat in case["trick_winners"][:3] if seat != holder]
    expected = sorted({holder, *others[:1]})
    assert sorted(NAMES.index(name) + 1 for name in sides["re"]) == expected
    assert len(sides["kontra"]) == 4 - len(expected)


def test_reservations_do_not_depend_on_who_says_them() -> None:
    """Check that the strongest reservation wins from every seat, and the first of equal ones."""
    ranks = ["hochzeit", "neugeben", *SOLOS]
    for stronger, weaker in pairwise(ranks):
        for words in set(permutations([stronger, weaker, "gesund", "gesund"])):
            table = match(SEED)
            for name, word in zip(NAMES, words, strict=True):
                table.record(f"{name}: {word}")
            if stronger == "neugeben":
                assert table.rounds[0].over
                assert table.rounds[0].changes == [0, 0, 0, 0]
            else:
                assert table.state["bindings"]["contract"] == stronger
                assert table.state["bindings"]["declarer"] == NAMES[words.index(stronger)]


def test_impossible_scores_of_other_suites_are_refused() -> None:
    table = match(SEED)
    with pytest.raises(Failure):
        table.record("result contract=normal re=Ana+Ben points=241")
