"""Doppelkopf: values item by item, contracts, sides, calls, disputes, results, the match."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random

import pytest

from scorekeeper import Illegal, Impossible, Match, Unreadable, load_ruleset
from scorekeeper.engine.ruleset import Ruleset
from tests.doppelkopf_deals import ORDERS, deal, entries
from tests.inside import bound

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
MORE = [*NAMES, "Eva", "Finn", "Gil"]
SEED, DDV = "doppelkopf", "doppelkopf-ddv"
SOLOS = [wish for wish in ORDERS if wish != "gesund"]


@cache
def rules(name: str) -> Ruleset:
    return load_ruleset(name)


def table(*lines: str, name: str = SEED, players: Iterable[str] = NAMES) -> Match:
    """Return a match in which these lines have been recorded, entry by entry."""
    match = Match(rules(name), list(players))
    for line in lines:
        for text in match.notation.split_line(line):
            match.record(text)
    return match


def result(text: str, name: str = SEED) -> Match:
    return table(f"result {text}", name=name)


def items(match: Match, to: str) -> dict[str, float]:
    """Return the lines of the last round's score for a side."""
    lines = match.rounds[-1].lines
    return {line.code.removeprefix("scores."): line.points for line in lines if line.to == to}


def changes(match: Match) -> list[int] | None:
    return match.rounds[-1].changes


def refused(match: Match, text: str) -> str:
    """Return the code of the first illegal finding of an entry that must be refused."""
    with pytest.raises(Illegal) as caught:
        match.record(text)
    return next(f.code for f in caught.value.ruling.findings if f.verdict == "illegal")


# --- 11: worked values, item by item


@pytest.mark.parametrize(
    ("said", "side", "expected"),
    [
        ("re=Ana+Ben points=151", "re", {"won": 1, "under-90": 1}),
        (
            "re=Ana+Ben points=151 calls=re:re",
            "re",
            {"won": 1, "under-90": 1, "first-announcement": 2},
        ),
        (
            "re=Ana+Ben points=151 calls=re:re+kontra:kontra",
            "re",
            {"won": 1, "under-90": 1, "second-announcement": 1, "first-announcement": 3},
        ),
        (
            "re=Ana+Ben points=119 specials=kontra:fox",
            "kontra",
            {"won": 1, "against-the-queens": 1, "fox": 1},
        ),
        (
            "re=Ana+Ben points=150 calls=re:re+re:keine90",
            "kontra",
            {"won": 1, "keine90": 1, "first-announcement": 2, "against-the-queens": 1},
        ),
    ],
)
def test_worked_values(said: str, side: str, expected: dict[str, int]) -> None:
    match = result(f"contract=normal {said}")
    assert items(match, side) == expected
    value = sum(expected.values())
    winners = (0, 1) if side == "re" else (2, 3)
    assert changes(match) == [value if seat in winners else -value for seat in range(4)]
    assert all(line.cite for line in match.rounds[0].lines)


def test_worked_values_of_a_solo() -> None:
    assert changes(result("contract=damensolo re=Ana points=121")) == [3, -1, -1, -1]
    lost = result("contract=damensolo re=Ana points=119")
    assert changes(lost) == [-6, 2, 2, 2]
    assert items(lost, "re") == {"won": -1, "against-the-queens": -1, "soloist": -4}
    assert changes(result("contract=damensolo re=Ana points=119", DDV)) == [-3, 1, 1, 1]


def test_120_card_points() -> None:
    def winner(calls: str, name: str) -> str:
        match = result(f"contract=normal re=Ana+Ben points=120{calls}", name)
        return match.replay_round(match.rounds[0]).roles["winners"][0]

    assert [winner("", name) for name in (SEED, DDV)] == ["kontra", "kontra"]
    assert [winner(" calls=kontra:kontra", name) for name in (SEED, DDV)] == ["re", "re"]
    both = " calls=re:re+kontra:kontra"
    assert [winner(both, name) for name in (SEED, DDV)] == ["re", "kontra"]


def test_both_sides_missed_their_calls() -> None:
    said = "contract=normal re=Ana+Ben points=120 calls=re:keine90+kontra:keine90"
    match = result(f"{said} specials=re:fox")
    assert items(match, "re") == {"fox": 1}
    assert changes(match) == [1, 1, -1, -1]
    assert "winners" not in match.replay_round(match.rounds[0]).roles
    assert items(result(said, DDV), "re") == {}
    more = "contract=normal re=Ana+Ben points=130 calls=re:keine90+kontra:keine60"
    assert items(result(more, DDV), "re") == {"reached-120": 1, "reached-90": 1}
    under = "contract=normal re=Ana+Ben points=155 calls=re:keine60+kontra:keine90"
    assert items(result(under, DDV), "re") == {"reached-120": 1, "open-under-90": 1}


def test_a_side_without_points() -> None:
    none = result("contract=normal re=Ana+Ben points=240")
    assert items(none, "re")["nothing"] == 1
    assert changes(none) == [5, 5, -5, -5]
    match = result("contract=normal re=Ana+Ben points=240 calls=re:schwarz tricks=kontra:1")
    assert match.replay_round(match.rounds[0]).roles["winners"][0] == "kontra"
    assert items(result("contract=normal re=Ana+Ben points=240", DDV), "re")["nothing"] == 1
    one = result("contract=normal re=Ana+Ben points=240 tricks=kontra:1", DDV)
    assert "nothing" not in items(one, "re")


# --- results that cannot be


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("contract=normal re=Ana+Ben points=241", "240"),
        ("contract=normal re=Ana+Ben points=1", "no set of cards"),
        (
            "contract=normal re=Ana+Ben points=132 specials=kontra:fox+kontra:fox+re:fox",
            "at most twice",
        ),
        ("contract=damensolo re=Ana points=132 specials=re:fox", "there is no fox in"),
        ("contract=fleischlos re=Ana points=132 specials=re:charlie", "there is no charlie in"),
        ("contract=normal re=Ana+Ben points=200 tricks=kontra:0", "0 tricks"),
        ("contract=normal re=Ana+Ben points=200 tricks=kontra:5+re:5", "12"),
        ("contract=normal re=Ana+Ana points=130", "twice"),
        ("contract=damensolo re=Ana+Ben points=130", "one player"),
        ("contract=normal re=Ana+Ben points=240 specials=kontra:charlie", "no trick"),
        ("contract=normal re=Ana+Ben points=20 specials=re:doppelkopf", "20 card points"),
    ],
)
def test_impossible_results(said: str, word: str) -> None:
    with pytest.raises(Impossible, match=word):
        result(said)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("re=Ana+Ben points=130", "must name the contract"),
        ("contract=normal points=130", "who is re"),
        ("contract=normal re=Ana+Ben", "card points"),
        ("contract=normal re=Ana+Ben points=130 calls=:re", "a call must be for"),
        ("contract=normal re=Ana+Ben points=130 calls=kontra:re", "cannot call"),
        ("contract=normal re=Ana+Ben points=130 specials=re:hat", "not a special"),
        ("contract=normal re=Ana+Ben points=130 colour=red", "colour"),
    ],
)
def test_unreadable_results(said: str, word: str) -> None:
    with pytest.raises(Unreadable, match=word):
        result(said)


def test_a_result_may_close_a_deal_that_it_does_not_contradict() -> None:
    match = table("all: gesund", "Ana: re", "QC AD 9D JD")
    with pytest.raises(Impossible, match="Ana is re"):
        match.record("result contract=normal re=Ben+Cleo points=130 calls=re:re")
    with pytest.raises(Impossible, match="has called re"):
        match.record("result contract=normal re=Ana+Cleo points=130 calls=kontra:kontra")
    with pytest.raises(Impossible, match="has 16"):
        match.record("result contract=normal re=Ana+Cleo points=14 calls=re:re")
    with pytest.raises(Impossible, match="fox"):
        match.record("result contract=normal re=Ana+Cleo points=130 calls=re:re")
    match.record("result contract=normal re=Ana+Cleo points=130 calls=re:re specials=re:fox")
    assert changes(match) == [3, -3, 3, -3]


# --- contracts and their play


@pytest.mark.parametrize("wish", SOLOS)
def test_solos_of_every_kind(wish: str) -> None:
    for seed in range(4):
        random = Random(seed)
        texts = entries(deal(random), wish, random, known=seed % 2 == 0)
        match = Match(rules(SEED), NAMES)
        played = match.play_round(texts)
        assert [finding for _, finding in played.findings if finding.verdict == "illegal"] == []
        assert played.changes is not None
        assert sum(played.changes) == 0
        assert played.changes[0] == -3 * played.changes[1]
        rnd = match.replay_round(played)
        assert rnd.roles["soloist"] == ("re", (0,))
        assert bound(rnd)["contract"] == wish
        if wish in ("damensolo", "bubensolo", "fleischlos"):
            assert "scores.fox" not in {line.code for line in played.lines}


def test_the_trumps_of_the_solos() -> None:
    def winner(wish: str, cards: str) -> str:
        match = table(f"Ana: {wish}", "all: gesund")
        for name, card in zip(NAMES, cards.split(), strict=True):
            match.record(f"{name}: {card} !stands")
        return match.to_act[0]

    assert winner("damensolo", "AH QD TH JC") == "Ben"
    assert winner("bubensolo", "AH QC TH JD") == "Dan"
    assert winner("kreuzsolo", "AS 9C QD TH") == "Dan"
    assert winner("piksolo", "AC 9S AD 9D") == "Ben"
    assert winner("herzsolo", "AS 9S 9H TH") == "Dan"
    assert winner("karosolo", "AS 9D 9S AH") == "Ben"
    assert winner("fleischlos", "9S QC TH KS") == "Dan"


def test_reservations() -> None:
    match = table("Ana: gesund")
    assert refused(match, "Ana: AC") == "verb"
    with pytest.raises(Illegal, match="all: gesund"):
        match.record("AC")
    match.record("Ben: vorbehalt")
    match.record("Cleo: piksolo re keine90")
    match.record("Dan: vorbehalt")
    assert match.to_act == ["Ben"]
    match.record("Ben: damensolo re")
    assert match.to_act == ["Dan"]
    match.record("Dan: damensolo keine90")
    assert match.state["bindings"]["contract"] == "damensolo"
    assert match.state["bindings"]["declarer"] == "Dan"
    assert match.state["bindings"]["calls"] == {"re": ["re", "keine90"], "kontra": []}
    assert match.to_act == ["Ana"]


def test_who_can_no_longer_win_need_not_name_his_reservation_but_may() -> None:
    match = table("Ana: vorbehalt", "all: gesund", "Ana: hochzeit")
    assert match.to_act == ["Ana"]
    match = table("Ana: vorbehalt", "Ben: vorbehalt", "Cleo: gesund", "Dan: gesund")
    match.record("Ana: hochzeit")
    assert match.state["phase"] == "tricks"
    assert match.judge("Ben: piksolo").verdict == "legal"
    match.record("Ben: piksolo")
    assert match.state["bindings"]["contract"] == "hochzeit"
    match.record("Ana: AS")
    assert refused(match, "Ben: damensolo") == "verb"


def test_only_solos_are_raised_and_none_in_the_tournament() -> None:
    assert refused(table(), "Ana: neugeben re") == "auction.raisable"
    assert refused(table(name=DDV), "Ana: piksolo re") == "auction.raisable"
    with pytest.raises(Unreadable, match="cannot follow"):
        table().record("Ana: gesund re")


def test_a_solo_that_the_table_lets_be_raised_with_the_other_sides_call_calls_nothing() -> None:
    match = table("Ana: damensolo kontra !stands", "all: gesund")
    assert match.state["bindings"]["raised"] == ["kontra"]
    assert not any(match.state["bindings"].get("calls", {}).values())
    match.record("Ana: re")
    assert match.state["bindings"]["calls"]["re"] == ["re"]


def test_neugeben() -> None:
    nines = "hand Ana: 9C 9C 9S 9S 9H AC AC AS AS AH AH QC"
    few = "hand Ana: 9D QC AC AC AS AS AH AH KC KC KS KS"
    neither = "hand Ana: 9D QC JC AC AS AS AH AH KC KC KS KS"
    for hand in (nines, few):
        match = table(hand, "Ana: neugeben", "all: gesund")
        assert changes(match) == [0, 0, 0, 0]
        assert match.standing["dealer"] == 3
        assert match.current_round.number == 2
    assert refused(table(neither), "Ana: neugeben") == "auction.needs"
    ruling = table().judge("Ana: neugeben")
    assert ruling.verdict == "open"
    assert table("hand Ana: AC AC AS").judge("Ana: neugeben").verdict == "open"
    with pytest.raises(Unreadable):
        table(name=DDV).record("Ana: neugeben")


def test_annulled_deals_do_not_count() -> None:
    match = table(*["Ana: neugeben, all: gesund"] * 3)
    assert match.standing["dealer"] == 3
    for _ in range(16):
        assert not match.over
        match.record("result contract=normal re=Ana+Ben points=130" if len(match.rounds) % 2 else
                     "result contract=normal re=Ana+Cleo points=130")  # fmt: skip
    assert match.over
    assert match.winners == ["Ana"]


def hochzeit(tricks: int, name: str = SEED) -> Match:
    """Return a match with Ana's hochzeit that finds its partner Ben in that trick (4: never)."""
    match = table("Ana: hochzeit", "all: gesund", name=name)
    own = ["QS JD JD JH", "QS JS JS KD", "QH TD TD JC"]
    for number in range(1, min(tricks, 3) + 1):
        assert not callable_now(match)
        cards = "JH TH 9D 9D" if number == tricks else own[number - 1]
        for card in cards.split():
            match.record(card)
    return match


def callable_now(match: Match) -> bool:
    """Return whether a player may announce now."""
    said = ("Ana: re", "Ben: kontra")
    return any(match.judge(text).verdict != "illegal" for text in said)


@pytest.mark.parametrize(
    ("trick", "partner"),
    [(1, ["Ana", "Ben"]), (2, ["Ana", "Ben"]), (3, ["Ana", "Ben"]), (4, ["Ana"])],
)
def test_hochzeit_and_its_call_windows(trick: int, partner: list[str]) -> None:
    match = hochzeit(trick)
    assert match.state["sides"]["re"] == partner
    assert match.state["bindings"]["contract"] == ("karosolo" if trick == 4 else "hochzeit")
    held = 12 - min(trick, 3)
    assert match.state["players"]["Ana"]["cards"] == held
    assert match.judge("Ana: re").verdict == "legal"
    assert match.judge("Ana: keine90").verdict == "legal"
    assert refused(match, "Cleo: re") == "calls.own-side"
    lead = match.to_act[0]
    match.record(f"{lead}: AC")
    other = "Ana" if lead == "Ben" else "Cleo"
    assert refused(match, f"{lead}: {'re' if lead in partner else 'kontra'}") == "calls.in-time"
    assert match.judge(f"{other}: {'re' if other in partner else 'kontra'}").verdict == "legal"
    assert match.judge(f"{lead}: kontra").verdict == "illegal"


def test_hochzeit_needs_both_queens() -> None:
    match = table("hand Ana: QC 9D AC AC AS AS AH AH KC KC KS KS")
    assert refused(match, "Ana: hochzeit") == "auction.needs"
    match = table("Ana: hochzeit", "all: gesund")
    for text in ("Ana: AC", "Ben: TC", "Cleo: KC", "Dan: 9C", "Ana: 9D"):
        match.record(text)
    ruling = match.record("Ben: QC")
    finding = next(f for f in ruling.findings if f.code == "auction.needs")
    assert finding.verdict == "illegal"
    assert finding.facts["entries"] == [1, 8]


def test_silent_hochzeit() -> None:
    match = table("all: gesund", "QC AD 9D JD", "AC TC KC 9C")
    assert match.state["sides"] == {"re": ["Ana"], "kontra": []}
    match.record("Ana: QC")
    assert match.state["sides"] == {"re": ["Ana"], "kontra": ["Ben", "Cleo", "Dan"]}
    hand = "hand Ana: QC QC 9D AC AC AS AS AH AH KC KC KS"
    known = table(hand, "all: gesund")
    assert known.state["sides"]["kontra"] == ["Ben", "Cleo", "Dan"]
    assert known.public_copy().state["sides"] == {"re": [], "kontra": []}
    assert known.judge("Ana: re").verdict == "legal"
    assert refused(known, "Ben: re") == "calls.own-side"
    alone = result("contract=normal re=Ana points=121")
    assert changes(alone) == [3, -1, -1, -1]
    special = "contract=normal re=Ana points=121 specials=re:charlie"
    assert changes(result(special)) == [6, -2, -2, -2]
    with pytest.raises(Impossible, match="there is no charlie in"):
        result(special, DDV)


# --- special points


def one_trick(cards: str, name: str = SEED) -> Match:
    """Return a trick that Ana leads in a normal game, even if it breaks rules."""
    match = table("all: gesund", name=name)
    for player, card in zip(NAMES, cards.split(), strict=True):
        match.record(f"{player}: {card} !stands")
    return match


@pytest.mark.parametrize(
    ("cards", "points", "seed", "ddv"),
    [("9C 9S 9H 9D", 0, 0, 0), ("TC TS TH TD", 40, 0, 1), ("AC TC AS TS", 42, 1, 1)],
)
def test_tricks_of_0_40_and_42_points(cards: str, points: int, seed: int, ddv: int) -> None:
    for name, expected in ((SEED, seed), (DDV, ddv)):
        match = one_trick(cards, name)
        assert match.current_round.tricks[-1].points == points
        winner = NAMES[match.current_round.tricks[-1].winner]
        partner = next(other for other in NAMES if other != winner)
        said = f"result contract=normal re={winner}+{partner} points=130"
        if expected:
            with pytest.raises(Impossible, match="doppelkopf"):
                match.record(said)
            said += " specials=re:doppelkopf"
        match.record(said)
        assert items(match, "re").get("doppelkopf", 0) == expected


def test_charlie_wins_the_last_trick_and_a_fox_is_the_other_sides() -> None:
    for seed in range(30):
        random = Random(seed)
        match = Match(rules(SEED), NAMES)
        played = match.play_round(entries(deal(random), "gesund", random, known=True))
        rnd = match.replay_round(played)
        re = set(rnd.roles["re"][1])
        last = rnd.tricks[-1]
        kinds = rnd.rules.pack.kinds
        charlie = (1 if last.winner in re else -1) if kinds[last.winning_kind] == "JC" else 0
        fox = sum(
            1 if trick.winner in re else -1
            for trick in rnd.tricks
            for seat, laid in trick.plays
            if kinds[laid[0]] == "AD" and (seat in re) != (trick.winner in re)
        )
        assert items(match, "re").get("charlie", 0) == charlie
        assert items(match, "re").get("fox", 0) == fox


# --- calls


def test_calls_out_of_turn_and_their_deadlines() -> None:
    match = table("all: gesund")
    assert match.judge("Dan: re").verdict == "open"
    match.record("Dan: re")
    for text in ("Ana: 9S", "Ben: KS", "Cleo: 9S", "Dan: KS", "Ben: TS"):
        match.record(text)
    assert refused(match, "Ben: kontra") == "calls.in-time"
    assert match.judge("Cleo: kontra").verdict == "open"
    assert match.judge("Dan: keine60").verdict == "open"
    match.record("Dan: keine60")
    assert match.state["bindings"]["calls"]["re"] == ["re", "keine90", "keine60"]
    again = match.judge("Dan: keine90")
    assert [(f.code, f.severity) for f in again.findings if f.verdict == "legal"] == [
        ("calls.repeated", "note")
    ]


def test_nothing_is_called_while_reservations_are_spoken() -> None:
    assert refused(table("Ana: gesund"), "Ana: re") == "calls.settled"


def test_a_level_by_a_seat_of_unknown_side() -> None:
    match = table("all: gesund")
    with pytest.raises(Unreadable, match="Ben: kontra keine90"):
        match.record("Ben: keine90")
    match.record("Ben: kontra keine90")
    assert match.state["bindings"]["calls"]["kontra"] == ["kontra", "keine90"]
    match = table("all: gesund", "Dan: re", "9S KS 9S KS", "TS AS TS AS")
    match.record("Cleo: keine90")
    assert match.state["bindings"]["calls"]["re"] == ["re", "keine90"]
    match = table("all: gesund", "9S KS 9S KS", "TS AS TS AS")
    assert refused(match, "Cleo: keine90") == "calls.in-time"


def test_a_wrong_call_is_proven_when_hands_show_it() -> None:
    match = table("all: gesund", "Ben: re", "AC TC KC 9C", "QC QC 9D KD")
    assert table_findings(match, 2) == []
    match = table("all: gesund", "Cleo: re", "Ben: QC !stands", "Cleo: 9D", "Dan: QC", "Ana: JD")
    assert table_findings(match, 2) == [("calls.own-side", "illegal")]
    match = table("Ana: piksolo", "all: gesund")
    assert refused(match, "Ben: re") == "calls.own-side"
    assert refused(match, "Ana: kontra") == "calls.own-side"


def table_findings(match: Match, entry: int) -> list[tuple[str, str]]:
    return [(f.code, f.verdict) for f in match.current_round.log[entry - 1].findings]


def test_replies_in_the_tournament() -> None:
    def begun(name: str) -> Match:
        match = table("all: gesund", "Ana: kontra", name=name)
        for card in ["9S", "KS", "9S", "KS", "TS"]:
            match.record(card)
        return match

    assert refused(begun(SEED), "Ben: re") == "calls.in-time"
    match = begun(DDV)
    match.record("Ben: re")
    assert refused(match, "Ben: keine90") == "calls.after-reply"
    assert refused(match, "Cleo: re keine60") == "calls.after-reply"


def test_a_failed_level_is_reported_when_it_is_certain() -> None:
    match = table("Ana: damensolo keine90", "all: gesund")
    found = []
    for cards in ("9C AC TC TC", "TS AS TS AS", "AH TH AH TH"):
        for card in cards.split():
            found += [f.code for f in match.record(card + " !stands").findings]
    assert found.count("calls.missed") == 1


# --- at a real table


def test_a_dispute_on_a_short_file() -> None:
    match = table("hand Ben: 9D KC AS", "all: gesund", "TH")
    ruling = match.judge("Ben: KC")
    assert ruling.verdict == "illegal"
    assert ruling.findings[0].facts["legal"] == ["9D"]
    assert ruling.findings[0].cite == "2"
    assert match.judge("Ben: 9D").verdict == "legal"
    assert match.state["table"] == [{"who": "Ana", "cards": "TH"}]
    for text in ("Ben: 9D", "Cleo: JD", "Dan: JH", "Ana: AC", "Ben: KC", "Cleo: 9C", "Dan: 9C"):
        match.record(text)
    assert next(text for text in match.legal() if text.startswith("Ana: ")) == "Ana: AC"
    for text in ("Ana: KH", "Ben: AS", "Cleo: 9H", "Dan: AH"):
        match.record(text)
    assert match.rounds[0].over
    assert match.rounds[0].scores is None


def test_a_revoke_is_proven_later_and_dated() -> None:
    match = table("all: gesund", "AC AC TC KC", "Ana: TC", "Ben: 9D", "Cleo: 9C", "Dan: 9C")
    match.record("Ben: AS")
    for card in ("9S", "KS", "KS"):
        match.record(card)
    ruling = match.record("Ben: KC")
    (finding,) = ruling.findings
    assert (finding.code, finding.verdict) == ("tricks.follow", "illegal")
    assert finding.facts["entries"] == [7, 14]
    assert finding.facts["trick"] == 2
    assert "clubs in trick 2 and did not (7, Ben: 9D): entry 14 (Ben: KC)" in finding.reason
    assert finding.reason.endswith("unless 7 or 14 is mistyped")


def test_impossible_cards_and_hands() -> None:
    with pytest.raises(Impossible, match="AC is out of play"):
        table("all: gesund", "AC AC AC")
    with pytest.raises(Impossible, match="13 cards"):
        table("hand Ana: AC AC TC TC KC KC 9C 9C AS AS TS TS TH")
    match = table("hand Ana: AC AC TC TC KC KC 9C 9C AS AS TS TS")
    ruling = match.record("hand Ben: TH TH QC QC QS QS QH QH QD QD AH")
    assert [finding.code for finding in ruling.findings] == ["parties.hands"]


def test_a_card_out_of_turn_that_stands() -> None:
    match = table("all: gesund")
    assert refused(match, "Ben: AC") == "turn"
    match.record("Ben: AC !stands")
    assert match.to_act == ["Cleo"]
    match.record("Ana: TC !stands")
    for text in ("Cleo: KC", "Dan: 9C"):
        match.record(text)
    assert match.to_act == ["Ben"]
    with pytest.raises(Impossible, match="already"):
        table("all: gesund", "Ana: AC", "Ana: AC !stands")


def test_check_says_the_difference() -> None:
    match = table("Ana: piksolo", "all: gesund", "AH TH 9H KH")
    match.record("check Ben: 25")
    with pytest.raises(Impossible, match="-5"):
        match.record("check Cleo: 20")
    with pytest.raises(Impossible, match="not known yet"):
        table("all: gesund", "AC TC 9C KC", "check Ana: 25")


def test_a_soloist_claims_the_rest() -> None:
    match = table("Ana: damensolo", "all: gesund", "QC 9H 9H KH")
    assert refused(match, "Ben: rest") == "tricks.rest"
    match.record("Ana: rest")
    assert changes(match) == [15, -5, -5, -5]
    with pytest.raises(Impossible, match="holds Ana: QC QC"):
        table("all: gesund").judge("Ana: rest")
    assert match.replay_round(match.rounds[0]).tricks[-1].count == 11


def test_words_and_rank_letters_of_other_languages() -> None:
    match = table("Ana: solo dames", "Ben: healthy", "Cleo: sain", "Dan: fit", "Ben: contre")
    assert match.rounds[0].entries[0] == "Ana: damensolo"
    assert match.rounds[0].entries[-1] == "Ben: kontra"
    assert match.record("♣D").entry == "Ana: QC"
    assert match.record("Ben: 10♥").entry == "Ben: TH"
    assert match.record("Cleo: RC").entry == "Cleo: KH"
    assert match.record("Dan: BD !stands").entry == "Dan: JD !stands"
    assert match.judge("Ben: keine 90").entry == "Ben: keine90"


# --- the match


@pytest.mark.parametrize(
    ("count", "out"), [(5, ["Dan"]), (6, ["Dan", "Ana"]), (7, ["Dan", "Gil", "Ana"])]
)
def test_seats_that_sit_out(count: int, out: list[str]) -> None:
    match = table("dealer Dan", players=MORE[:count])
    seated = [name for name in MORE[:count] if name not in out]
    assert sorted(name for name in MORE[:count] if match.state["players"][name]["out"]) == sorted(
        out
    )
    first = next(
        MORE[(3 + step) % count] for step in range(1, count) if MORE[(3 + step) % count] in seated
    )
    assert match.to_act == [first]
    a, b = seated[:2]
    match.record(f"result contract=normal re={a}+{b} points=130")
    scores = match.rounds[0].scores
    assert scores is not None
    assert all(scores[name] == 0 for name in out)
    with pytest.raises(Impossible, match="sits out"):
        table(
            "dealer Dan", f"result contract=normal re={out[0]}+{a} points=130", players=MORE[:count]
        )


def test_compulsory_solos() -> None:
    match = table("Ana: gesund", "Ben: damensolo", "all: gesund", name=DDV)
    assert match.to_act == ["Ben"]
    assert match.state["bindings"]["compulsory"] is True
    match.record("Ben: rest")
    assert match.standing["dealer"] == 3
    match.record("Ana: gesund")
    match.record("Ben: damensolo")
    match.record("all: gesund")
    assert match.to_act == ["Ana"]
    match = table("Ana: gesund", "Ben: damensolo lust", "all: gesund", name=DDV)
    assert match.to_act == ["Ana"]
    match = table("Ana: hochzeit", "Ben: damensolo lust", "Cleo: piksolo", "Dan: gesund", name=DDV)
    assert match.state["bindings"]["declarer"] == "Cleo"
    match = table("Ana: hochzeit", "Ben: damensolo lust", "all: gesund", name=DDV)
    assert match.state["bindings"]["declarer"] == "Ben"


def test_forced_solos() -> None:
    short = load_ruleset(DDV, phases={"auction": {"deals": 5}}, match={"ends": "deals >= 5"})
    match = Match(short, NAMES)
    match.record("Ana: gesund")
    ruling = match.record("result contract=normal re=Ana+Ben points=130")
    assert [finding.code for finding in ruling.findings] == ["auction.owed"]
    assert match.standing["dealer"] == 0
    assert refused(match, "Ben: gesund") == "auction.owed"
    assert refused(match, "Ben: damensolo lust") == "auction.owed"
    match.record("Ben: damensolo")
    match.record("all: gesund")
    match.record("Ben: rest")
    assert match.standing["dealer"] == 1
    match.record("result contract=piksolo re=Cleo points=130")
    assert match.standing["carry"]["auction"]["played"] == [1, 2]


def test_what_is_owed_is_told_until_the_last_solo_is_played() -> None:
    four = load_ruleset(DDV, phases={"auction": {"deals": 4}}, match={"ends": "deals >= 4"})
    match, told = Match(four, NAMES), []
    for name in NAMES:
        ruling = match.record(f"result contract=piksolo re={name} points=130")
        told.append([finding.facts["owing"] for finding in ruling.findings])
    assert told == [[["Ben", "Cleo", "Dan"]], [["Cleo", "Dan"]], [["Dan"]], []]
    assert match.over


def test_penalties_of_the_tournament() -> None:
    match = table("all: gesund", "penalty Ben: minor spoke", name=DDV)
    assert [match.current_round.seating.tally[seat] for seat in range(4)] == [1, -3, 1, 1]
    levels = ["re", "keine90", "keine60", "keine30", "schwarz"]
    for count, (culprit, others) in enumerate([(-12, 4), (-15, 5), (-18, 6), (-21, 7), (-24, 8)]):
        match = table("all: gesund", "Ana: QC", "Ben: 9D", "Cleo: QC", name=DDV)
        for word in levels[: count + 1]:
            match.record(f"Ana: {word}")
        match.record("penalty Ben: serious looked")
        assert match.current_round.seating.tally == [others, culprit, others, others]
    assert match.current_round.seating.tally[1] == -24


def test_penalties_of_who_plays_against_a_soloist_are_the_soloists() -> None:
    levels = ["re", "keine90", "keine60", "keine30", "schwarz"]
    for count, points in enumerate([12, 15, 18, 21, 24]):
        match = table("Ana: damensolo", "all: gesund", name=DDV)
        for word in levels[: count + 1]:
            match.record(f"Ana: {word}")
        match.record("penalty Ben: serious looked")
        assert match.current_round.seating.tally == [points, -points, 0, 0]
    for name, weight, scores in (
        ("Ben", "minor", [3, -3, 0, 0]),
        ("Ben", "harmless", [1, -3, 1, 1]),
        ("Ana", "minor", [-3, 1, 1, 1]),
        ("Ana", "serious", [-12, 4, 4, 4]),
    ):
        match = table("Ana: damensolo", "all: gesund", f"penalty {name}: {weight}", name=DDV)
        assert match.current_round.seating.tally == scores


def test_who_sits_out_neither_has_a_class_of_penalty_nor_gains_by_one() -> None:
    match = Match(load_ruleset(DDV), [*NAMES, "Eva"])
    for text in ("dealer Eva", "Ana: damensolo", "all: gesund", "penalty Ben: minor"):
        match.record(text)
    match.record("penalty Ana: minor")
    assert match.current_round.seating.tally == [0, -2, 1, 1, 0]
    with pytest.raises(Impossible, match="Eva sits out, and penalty classes"):
        match.record("penalty Eva: minor")


# --- what a table asks


def test_who_said_vorbehalt_names_a_kind() -> None:
    match = table("Ana: vorbehalt", "Ben: vorbehalt", "Cleo: gesund", "Dan: gesund")
    for word in ("gesund", "vorbehalt"):
        ruling = match.judge(f"Ana: {word}")
        assert [(f.code, f.verdict) for f in ruling.findings] == [("auction.kind", "illegal")]
    assert all(match.judge(text).verdict != "illegal" for text in match.legal())


def test_players_have_tricks_and_points_before_the_first_card() -> None:
    players = table("Ana: gesund").state["players"]
    assert all((row["tricks"], row["points"]) == (0, 0) for row in players.values())


def test_an_empty_list_in_a_result_is_nothing() -> None:
    match = table("result contract=normal re=Ana+Ben points=130 calls= specials= tricks=")
    assert match.rounds[0].changes == [1, 1, -1, -1]


def test_who_sits_out_is_told_so_and_has_the_same_words_in_the_state() -> None:
    match = Match(rules(SEED), [*NAMES, "Eva"])
    match.record("dealer Ana")
    match.record("all: gesund")
    players = match.state["players"]
    expected = {"cards": 0, "out": True, "role": None, "tricks": 0, "points": 0}
    assert players["Ana"] == expected
    assert players["Ben"] == {**expected, "cards": 12, "out": False}
    (finding,) = match.judge("Ana: re").findings
    assert (finding.code, finding.verdict) == ("calls.settled", "illegal")
    assert "sit out" in finding.reason


# --- laws


def test_known_and_unseen_hands_agree_and_every_deal_sums_to_zero() -> None:
    for seed in range(12):
        for name in (SEED, DDV):
            random = Random(seed)
            wish = random.choice(["gesund", *SOLOS])
            hands = deal(random)
            state = random.getstate()
            played = []
            for known in (True, False):
                random.setstate(state)
                match = Match(rules(name), NAMES)
                played.append(match.play_round(entries(hands, wish, random, known)))
            assert played[0].changes == played[1].changes
            assert played[0].changes is not None
            assert sum(played[0].changes) == 0
            if name == DDV:
                assert len({change % 2 for change in played[0].changes}) == 1


def test_a_verdict_on_unseen_hands_never_contradicts_the_one_on_known_hands() -> None:
    for seed in range(4):
        random = Random(100 + seed)
        texts = entries(deal(random), "gesund", random, known=True)
        known, unseen = Match(rules(SEED), NAMES), Match(rules(SEED), NAMES)
        for text in texts:
            if text.startswith("hand "):
                known.record(text)
                continue
            if random.random() < 0.3:
                legal = {text for text in known.legal() if text.split(": ")[1] in PLAYS}
                maybe = {text for text in unseen.legal() if text.split(": ")[1] in PLAYS}
                assert legal <= maybe
                plays = sorted(maybe)
                for play in random.sample(plays, min(6, len(plays))):
                    ruling = known.judge(play)
                    assert (ruling.verdict == "legal") == (play in legal)
                    if all(finding.code != "tricks.held" for finding in ruling.findings):
                        assert unseen.judge(play).verdict in ("open", ruling.verdict)
            known.record(text)
            unseen.record(text)


PLAYS = set(rules(SEED).pack.kinds)
