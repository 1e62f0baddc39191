"""Da Ban: card orders, draw, exchange, kitty, early cards, results, whole matches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scorekeeper import (
    Illegal,
    Impossible,
    Match,
    Ruleset,
    Unreadable,
    load_ruleset,
    read_record,
    verify_record,
    write_record,
)
from scorekeeper.phases.tricks import Tricks
from scorekeeper.session.screen import points_so_far
from tests.da_ban_reference import CODES, FOUR, RANKS, SIX, SUITS, Told, points, side, strength
from tests.helpers import match_of
from tests.inside import bound
from tests.random_play import Evening

RULES = load_ruleset("da-ban")
RECORD = Path(__file__).parent / "records" / "da_ban_deal.toml"


def match(*entries: str, names: list[str] = FOUR, rules: Ruleset = RULES) -> Match:
    """Return a match in which these entries were recorded, each of them allowed."""
    found = Match(rules, names)
    for text in entries:
        found.record(text)
    return found


def second_deal(won: int, *entries: str, names: list[str] = FOUR) -> Match:
    """Return a match after a first deal in which Ana was master and the opponents made these
    points."""
    return match("trump H", "master Ana", f"result points={won}", *entries, names=names)


def refused(found: Match, text: str) -> dict[str, dict[str, Any]]:
    """Return the findings that refuse an entry, facts by code. Check that it is not recorded."""
    with pytest.raises(Illegal) as caught:
        found.record(text)
    broken = [f for f in caught.value.ruling.findings if f.verdict == "illegal"]
    assert all(f.cite and f.reason and "{" not in f.reason for f in broken)
    return {f.code: f.facts for f in broken}


def tricks() -> Tricks:
    """Return the ruleset's trick phase with its card orders and card points."""
    found = RULES.phases["tricks"]
    assert isinstance(found, Tricks)
    return found


def owed(found: Match, what: str) -> list[dict[str, Any]]:
    return [item for item in found.state["owed"] if item["what"] == what]


def hand(*cards: str) -> str:
    """Return 39 cards, written as `4C*3` for several of a card."""
    told: list[str] = []
    for card in cards:
        code, _, count = card.partition("*")
        told += [code] * int(count or 1)
    assert len(told) == 39
    return " ".join(told)


LOW = [f"{rank}{suit}*3" for suit in "CD" for rank in "456789"]  # 36 cards


# --- 1: cards


@pytest.mark.parametrize("trump", SUITS)
@pytest.mark.parametrize("level", ["3", "4", "7", "9"])
def test_the_order_of_all_54_kinds(trump: str, level: str) -> None:
    order = tricks().rules.orders.get("trump", {"trump": trump, "level": level})
    for index, card in enumerate(CODES):
        group, mine = strength(card, trump, level)
        for other, against in enumerate(CODES):
            same, theirs = strength(against, trump, level)
            assert (order.classes[index] == order.classes[other]) == (group == same)
            if group == same:
                stronger = order.strength[index] > order.strength[other]
                assert stronger == (mine > theirs), (card, against)


def test_the_worked_order_of_trump_hearts_at_level_3() -> None:
    order = tricks().rules.orders.get("trump", {"trump": "H", "level": "3"})
    index = RULES.pack.index
    ladder = ["BJ", "LJ", "3H", "3S", "2H", "2S", "AH", "KH", "QH", "4H"]
    found = [order.strength[index[card]] for card in ladder]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == len(found)
    assert order.strength[index["3S"]] == order.strength[index["3C"]]
    assert order.strength[index["2S"]] == order.strength[index["2D"]]
    counts = sorted(mask.bit_count() for mask in order.masks)
    assert counts[-1] == 63
    assert [count for count in counts if count][:-1] == [33, 33, 33]


def test_the_pack_holds_300_points() -> None:
    worth = tricks().worth
    assert 3 * sum(worth) == 300
    assert [worth[RULES.pack.index[card]] for card in ("KD", "TC", "5S", "AD", "BJ")] == [
        *(10, 10, 5, 0, 0)
    ]


@pytest.mark.parametrize(("names", "each"), [(FOUR, 39), (SIX, 26)])
def test_what_everyone_draws(names: list[str], each: int) -> None:
    players = match(names=names).state["players"]
    assert {player["cards"] for player in players.values()} == {each}


def test_a_kitty_that_does_not_let_the_players_share_is_refused_when_loaded() -> None:
    with pytest.raises(Unreadable, match="cannot be shared evenly"):
        load_ruleset("da-ban", deal={"kitty": 4})
    rules = load_ruleset("da-ban", deal={"kitty": "10 if players == 4 else 6"})
    assert match(rules=rules).state["players"]["Ana"]["cards"] == 38


def test_five_players_are_refused() -> None:
    with pytest.raises(Impossible, match="4 or 6"):
        Match(RULES, [*FOUR, "Eva"])


# --- 2: trump, master, draw, kitty


def test_in_the_first_deal_trump_and_master_are_said_and_nobody_declares() -> None:
    found = match()
    assert "trump" in found.prompt
    with pytest.raises(Impossible, match="the trump is not known"):
        found.record("kitty 5H 9C 9C KD 2S TC")
    assert "draw.first-deal" in refused(found, "Ana: declare 3H")
    for text in ("trump H", "master Cleo", "kitty 5H 9C 9C KD 2S TC"):
        found.record(text)
    bindings = found.state["bindings"]
    assert (bindings["master"], bindings["trump"], bindings["level"]) == ("Cleo", "H", "3")
    assert found.to_act == ["Cleo"]


def test_a_recording_may_begin_later_with_the_levels_as_they_stand() -> None:
    found = match("standing Ben: 5", "standing Ana: 4", "master Dan", "Ana: declare 5S 5S")
    assert found.scores == {"Ana": 4, "Ben": 5, "Cleo": 4, "Dan": 5}
    assert found.state["bindings"]["level"] == "5"
    assert found.state["bindings"]["trump"] == "S"
    with pytest.raises(Impossible):
        match("standing Ben: 11")


@pytest.mark.parametrize(
    ("declared", "trump"),
    [
        (["Ana: 3H", "Ben: 3S"], "H"),  # One each, so the first player counts.
        (["Ana: 3H", "Ben: 3S 3S"], "S"),
        (["Ana: 3H", "Ben: 3S", "Ana: 3H"], "H"),  # He adds to the cards he played.
        (["Ana: 3H 3H", "Ben: 3S 3S", "Cleo: 3H"], "H"),  # players are not added up
        (["Ana: 3H", "Ben: 3S", "Cleo: 3S", "Dan: 3H"], "H"),
        (["Ana: 3H", "Ben: 3S 3S", "Ana: 3H"], "H"),  # a tie: Ana began with hearts earlier
        (["Ana: 3H", "Ben: 3S 3S", "Ana: 3C 3C 3C"], "C"),  # He may play another suit.
        (["Ana: 3C", "Ben: 3S 3S", "Ana: 3H 3H"], "S"),  # the first card of that suit counts
        (["Ana: 3S 3S", "Ben: 3C 3C 3C"], "C"),
    ],
)
def test_who_laid_most_of_a_suit_names_the_trump(declared: list[str], trump: str) -> None:
    entries = [text.replace(": ", ": declare ") for text in declared]
    found = second_deal(130, *entries)
    assert found.state["bindings"]["trump"] == trump


def test_declared_cards_return_to_the_hand_and_are_known() -> None:
    found = second_deal(130, "Ana: declare 3H 3H")
    assert found.state["players"]["Ana"]["cards"] == 39
    found.record("Ben: declare 3H")
    with pytest.raises(Impossible):
        found.record("Cleo: declare 3H")


def test_declared_cards_must_be_held() -> None:
    found = second_deal(130, f"hand Ana: {hand(*LOW, '3S', '3S', 'AH')}", "Ana: declare 3S")
    assert refused(found, "Ana: declare 3S 3S")["draw.declared-held"]["count"] == 3
    assert "draw.declared-held" in refused(found, "Ana: declare 3H")
    assert "draw.declared-held" in refused(found, "Ben: declare 3S 3S")
    assert found.record("Ana: declare 3S").verdict == "legal"


def test_what_may_be_declared() -> None:
    found = second_deal(130)
    assert refused(found, "Ana: declare 3H 3S")["draw.level-cards"]["level"] == "3"
    assert "draw.level-cards" in refused(found, "Ana: declare 4H")
    assert "draw.level-cards" in refused(found, "Ana: declare BJ BJ")
    assert "Ana: declare 3H 3H 3H" in found.legal()
    assert not any("declare 4H" in text for text in found.legal())


def test_jokers_that_stand_as_declared_name_no_trump() -> None:
    """Check that a card of the level beats such jokers, which break the rule and name no suit."""
    found = second_deal(130, "Ana: declare BJ BJ !stands")
    bindings = found.state["bindings"]
    assert bindings["declared"] == [{"who": "Ana", "cards": ["BJ", "BJ"]}]
    assert "trump" not in bindings
    found.record("Ben: declare 3H")
    assert found.state["bindings"]["trump"] == "H"
    found.record("Ana: declare 3S 3S")
    assert found.state["bindings"]["trump"] == "S"


@pytest.mark.parametrize("last", ["Ben: exchange 2 with Ana", "Ana: show BJ BJ BJ", "kitty"])
def test_the_draw_ends_with_the_first_show_exchange_or_kitty(last: str) -> None:
    found = second_deal(185, "Ana: declare 3H")
    found.record("kitty 3S 9C 9C KD 2S TC" if last == "kitty" else last)
    assert "draw.draw-over" in refused(found, "Ben: declare 3S 3S")
    assert found.state["bindings"]["trump"] == "H"


def test_nobody_declares_then_the_first_card_of_the_kitty_with_a_suit_decides() -> None:
    found = second_deal(130, "kitty BJ LJ 9C KD 2S TC")
    assert found.state["bindings"]["trump"] == "C"
    assert owed(found, "take")


def test_six_jokers_in_the_kitty_keep_the_trump_of_the_deal_before() -> None:
    first = ["trump S", "master Ana", "kitty 5S 9C 9C KD 2S TC", "Ana: take", "Ana: bury 6"]
    found = match(*first, "result points=130", "kitty BJ BJ BJ LJ LJ LJ")
    assert found.state["bindings"]["trump"] == "S"
    assert owed(found, "leave")


@pytest.mark.parametrize(
    ("kitty", "must"),
    [
        ("4C 9C 9C KD AS TC", "leave"),  # no card of the trump suit
        ("BJ BJ LJ KD AS TC", "leave"),  # a joker is not enough
        ("BJ BJ BJ LJ LJ LJ", "leave"),  # jokers only
        ("4H 5H 9H KH 2H 3H", "leave"),  # nothing but hearts
        ("4H 5H 9H KH 2H BJ", "take"),  # jokers make it not "only"
        ("4H 5H 9H KH 2H 3S", "take"),  # a level card counts with its suit
        ("2H 9C 9C KD AS TC", "take"),  # a 2 counts with its suit
        ("3S 2S 9C KD AS TC", "leave"),
        ("BJ BJ BJ LJ LJ 7H", "take"),
    ],
)
def test_when_the_kitty_is_taken_and_when_left(kitty: str, must: str) -> None:
    found = match("trump H", "master Ana", f"kitty {kitty}")
    (item,) = found.state["owed"]
    assert (item["who"], item["what"]) == ("Ana", must)
    assert item["why"]
    assert must in found.prompt
    other = "take" if must == "leave" else "leave"
    facts = refused(found, f"Ana: {other}")
    (code,) = facts
    assert code.startswith("kitty.")
    assert facts[code]["legal"] == [must]
    assert found.legal() == [f"Ana: {must}"]
    assert found.record(must).verdict == "legal"


def test_the_kitty_is_six_unseen_cards_turned_once() -> None:
    found = match("trump H", "master Ana")
    for text in ("kitty 4H 5H", "kitty 4H 4H 4H 4H 5C 6C"):
        with pytest.raises(Impossible):
            found.record(text)
    found.record("kitty 4H 9C 9C KD AS TC")
    with pytest.raises(Impossible):
        found.record("kitty 4H 9C 9C KD AS TC")
    with pytest.raises(Illegal):
        found.record("Ben: take")


def test_the_master_leads_only_after_he_buried_or_left() -> None:
    found = match("trump H", "master Ana", "kitty 4H 9C 9C KD AS TC")
    with pytest.raises(Illegal, match="take"):
        found.record("Ana: AC")
    found.record("take")
    with pytest.raises(Illegal, match="bur"):
        found.record("Ana: AC")
    assert "kitty.buries" in refused(found, "Ana: bury 5")
    assert refused(found, "Ana: bury 4H 9C KD")["kitty.buries"] == {
        "who": "Ana",
        "size": 6,
        "count": 3,
    }
    assert found.state["players"]["Ana"]["cards"] == 45
    found.record("Ana: bury 4H 9C 9C KD AS TC")
    assert found.state["players"]["Ana"]["cards"] == 39
    assert found.to_act == ["Ana"]
    with pytest.raises(Impossible):
        match("trump H", "master Ana").record("Ana: AC !stands")


def test_what_is_buried_must_be_held() -> None:
    clubs = " ".join([f"{rank}C" for rank in RANKS] * 3)
    found = match(f"hand Ana: {clubs}", "trump H", "master Ana", "kitty 4H 9D 9D KD AS TS", "take")
    assert "kitty.held" in refused(found, "Ana: bury 5H 4C 4C 4C 5C 5C")
    assert found.record("Ana: bury 4H 4C 4C 4C 9D 9D").verdict == "legal"


# --- 3: play


def playing(*plays: str, trump: str = "H") -> Match:
    """Return the first deal after these plays, with the kitty left."""
    kitty = "kitty 4C 9C 9C KD AS TC" if trump == "H" else "kitty 4H 9H 9H KD AS TH"
    return match(f"trump {trump}", "master Ana", kitty, "Ana: leave", *plays)


def test_a_lead_is_one_card_or_identical_cards() -> None:
    found = playing()
    for lead in ("AC", "AC AC", "7S 7S 7S", "BJ BJ"):
        assert found.judge(f"Ana: {lead}").verdict == "legal"
    for lead in ("3S 3C", "5H 6H", "3S 3S 3C", "BJ LJ"):
        assert "tricks.shape" in refused(found, f"Ana: {lead}")
    with pytest.raises(Unreadable):
        found.record("Ana: AC AC AC AC")


def test_everyone_lays_as_many_cards() -> None:
    found = playing("Ana: QS QS")
    assert refused(found, "Ben: KS")["tricks.as-many"]["wanted"] == 2
    assert found.record("Ben: KS 7S").verdict == "legal"


def taken(*plays: str) -> str:
    """Return the name of the player who takes the trick."""
    return playing(*plays).to_act[0]


@pytest.mark.parametrize(
    ("plays", "who"),
    [
        (["Ana: QS", "Ben: KS", "Cleo: AS", "Dan: 4S"], "Cleo"),
        (["Ana: AS", "Ben: AS", "Cleo: 4S", "Dan: 5S"], "Ana"),
        (["Ana: 3S", "Ben: 3C", "Cleo: 3H", "Dan: AH"], "Cleo"),
        (["Ana: 2S", "Ben: 2H", "Cleo: AH", "Dan: KH"], "Ben"),
        (["Ana: AS", "Ben: KC", "Cleo: 4H", "Dan: KD"], "Cleo"),
        (["Ana: QS QS", "Ben: AS KS", "Cleo: 4H 5H", "Dan: 4S 4S"], "Ana"),
        (["Ana: QS QS", "Ben: AS AS", "Cleo: 4H 4H", "Dan: 4S 4S"], "Cleo"),
        (["Ana: QS QS", "Ben: KC KC", "Cleo: 3S 3C", "Dan: 4S 4S"], "Ana"),
        (["Ana: 7S 7S 7S", "Ben: 8S 8S 8S", "Cleo: AS AS KS", "Dan: BJ BJ LJ"], "Ben"),
    ],
)
def test_who_wins(plays: list[str], who: str) -> None:
    assert taken(*plays) == who


def test_who_shows_fewer_has_none_left_and_a_later_card_is_a_revoke_of_that_trick() -> None:
    found = playing("Ana: AC AC", "Ben: 7C 9C", "Cleo: KC KC")
    ruling = found.record("Dan: 4C 5D")
    assert ruling.verdict == "open"
    found.record("Ana: AD")
    for text in ("Ben: 9D", "Cleo: KD"):
        found.record(text)
    settled = found.record("Dan: 4C").settled
    (finding,) = [f for f in settled if f.verdict == "illegal"]
    assert finding.code == "tricks.follow"
    assert finding.facts["trick"] == 1
    assert finding.facts["then"] == "Dan: 4C 5D"


def test_cards_that_were_declared_must_follow_beside_those_that_are_shown() -> None:
    found = second_deal(130, "Cleo: declare 3H 3H", "kitty 4C 9C 9C KD AS TC", "Ben: leave")
    found.record("Ben: KH KH KH")
    assert "tricks.follow" in refused(found, "Cleo: 4H 5C 6C")
    assert "tricks.follow" in refused(found, "Cleo: 3H 4H 5C")
    assert found.judge("Cleo: 3H 3H 5C").verdict == "open"
    assert found.judge("Cleo: 3H 3H 4H").verdict == "legal"
    assert found.to_act == ["Cleo"]


def test_cards_before_ones_turn_stand_but_not_into_a_trick_that_is_not_led() -> None:
    found = playing()
    with pytest.raises(Illegal):
        found.record("Ben: AC")
    found = playing("Ana: AS", "Dan: AS")
    assert found.state["table"][-1] == {"who": "Dan", "cards": "AS"}
    assert found.to_act == ["Ben"]
    with pytest.raises(Impossible):
        found.record("Dan: 4S !stands")
    with pytest.raises(Illegal):
        found.record("Dan: takeback")
    assert taken("Ana: QS", "Dan: AS", "Ben: AS", "Cleo: 4S") == "Dan"
    assert taken("Ana: 7S 7S", "Dan: AS AS", "Cleo: KS KS", "Ben: QS 4S") == "Dan"


EARLY = ["Ana: AS", "Dan: 7S", "Ben: AS"]


def test_an_equal_card_after_an_early_one_may_be_taken_back() -> None:
    found = playing(*EARLY, "Ben: takeback")
    assert refused(found, "Ben: AS")["tricks.another"]["card"] == "AS"
    assert found.to_act == ["Ben"]
    found.record("Ben: TS")
    found.record("Cleo: 5S")
    assert found.to_act == ["Ana"]
    assert found.state["players"]["Ana"]["points"] == 15


def test_the_last_card_of_a_trick_may_be_taken_back_before_the_next_lead() -> None:
    plays = ["Ana: AS", "Cleo: 7S", "Ben: 4S", "Dan: AS"]
    found = playing(*plays, "Dan: takeback", "Dan: KS")
    assert found.state["players"]["Ana"] == {
        **found.state["players"]["Ana"],
        "tricks": 1,
        "points": 10,
    }
    assert "tricks.takeback" in refused(playing(*plays, "Ana: 5D"), "Dan: takeback")


@pytest.mark.parametrize(
    "plays",
    [
        [*EARLY, "Cleo: 5S"],  # Another card was played.
        ["Ana: AS", "Ben: AS"],  # No player played early.
        ["Ana: AS", "Dan: 7S", "Ben: KS"],  # not equal
        ["Ana: AS", "Dan: 7S", "Cleo: 4S", "Ben: QS"],
        ["Ana: QS QS", "Dan: 7S 7S", "Ben: QS 5S"],  # single cards only
        ["Ana: AS", "Ben: AS", "Dan: 7S"],  # the early card came after
        ["Ana: AS", "Dan: 7S", "Cleo: AS"],  # He played early himself.
    ],
)
def test_when_a_card_may_not_be_taken_back(plays: list[str]) -> None:
    who = "Cleo" if plays[-1].startswith("Cleo: A") else "Ben"
    assert "tricks.takeback" in refused(playing(*plays), f"{who}: takeback")


# --- 4: results, levels, exchange


@pytest.mark.parametrize(
    ("won", "level", "master", "cards"),
    [
        (0, 4, "Cleo", 0),
        (120, 4, "Cleo", 0),
        (125, 3, "Ben", 0),
        (160, 3, "Ben", 0),
        (165, 3, "Ben", 0),
        (170, 3, "Ben", 1),
        (185, 3, "Ben", 2),
        (300, 3, "Ben", 14),
    ],
)
def test_worked_values(won: int, level: int, master: str, cards: int) -> None:
    found = second_deal(won)
    assert found.scores == {"Ana": level, "Ben": 3, "Cleo": level, "Dan": 3}
    assert bound(found.current_round)["master"] == master
    assert bound(found.current_round)["level"] == str(level if master == "Cleo" else 3)
    claims = [(item["who"], item["to"], item["cards"]) for item in owed(found, "exchange")]
    assert claims == ([("Ana", "Ben", cards)] if cards else [])
    change = level - 3
    assert found.rounds[0].scores == {"Ana": change, "Ben": 0, "Cleo": change, "Dan": 0}
    assert sum(line.points for line in found.rounds[0].lines) == change


@pytest.mark.parametrize("names", [FOUR, SIX])
def test_the_master_rotates(names: list[str]) -> None:
    found = match("trump H", "master Ana", names=names)
    masters = []
    for won in (100, 100, 125, 100, 130, 120):
        masters.append(names.index(bound(found.current_round)["master"]))
        found.record(f"result points={won}")
    masters.append(names.index(bound(found.current_round)["master"]))
    assert masters == [seat % len(names) for seat in (0, 2, 4, 5, 7, 8, 10)]


@pytest.mark.parametrize("value", ["305", "123", "-5", "1e2", ""])
def test_impossible_results_are_refused(value: str) -> None:
    found = match("trump H", "master Ana")
    with pytest.raises((Impossible, Unreadable)):
        found.record(f"result points={value}")
    with pytest.raises(Unreadable):
        found.record("result winner=Ana")
    assert found.state["bindings"]["trump"] == "H"


def test_a_result_may_close_a_deal_that_it_does_not_contradict() -> None:
    plays = ["Ana: QS", "Ben: KS", "Cleo: TS", "Dan: 5S"]
    for wrong in (20, 300):
        with pytest.raises(Impossible, match="25"):
            playing(*plays, "Ben: KD", "Cleo: AD", "Dan: TD", "Ana: 5D").record(
                f"result points={wrong}"
            )
    assert playing(*plays, "result points=25").scores["Ana"] == 4


def test_the_exchange_is_of_the_masters_choice_for_the_best_trumps() -> None:
    found = second_deal(185, "Ben: declare 3H 3H")
    assert "exchange.between" in refused(found, "Dan: exchange 4C 6D for BJ LJ with Ana")
    assert "exchange.between" in refused(found, "Ben: exchange 4C 6D for BJ LJ with Cleo")
    assert "exchange.even" in refused(found, "Ben: exchange 4C for BJ LJ with Ana")
    assert "exchange.even" in refused(found, "Ben: exchange 4C 5C 6C for BJ BJ LJ with Ana")
    assert "exchange.best" in refused(found, "Ben: exchange 4C for AS with Ana")
    ruling = found.record("Ben: exchange 4C 6D for BJ 3S with Ana")
    assert ruling.verdict == "open"
    assert not owed(found, "exchange")
    assert "exchange.owed" in refused(found, "Ben: exchange 4C for BJ with Ana")


@pytest.mark.parametrize(("won", "numbers"), [(170, [1]), (185, [1, 2])])
def test_legal_offers_an_exchange_of_every_number_that_is_due(won: int, numbers: list[int]) -> None:
    offered = [text for text in second_deal(won).legal() if text.startswith("Ben: exchange")]
    assert offered == [
        "Ben: exchange … for … with Ana",
        *(f"Ben: exchange {number} with Ana" for number in numbers),
    ]


def test_the_exchange_with_hands_that_were_entered() -> None:
    ana = f"hand Ana: {hand(*LOW, 'BJ', '3S', 'AH')}"
    found = second_deal(185, ana, "Ben: declare 3H")
    assert "exchange.best" in refused(found, "Ben: exchange TC TD for BJ AH with Ana")
    assert "exchange.held" in refused(found, "Ben: exchange TC for LJ with Ana")
    assert found.judge("Ben: exchange TC for BJ with Ana").verdict == "legal"
    assert found.record("Ben: exchange TC TD for BJ 3S with Ana").verdict == "legal"
    found.record("kitty 4H JC JC KD AS TC")
    assert found.legal() == ["Ben: take"]


def test_a_better_trump_that_stayed_behind_comes_to_light() -> None:
    found = second_deal(185, "Ben: declare 3H", "Ben: exchange 4C 6D for BJ 3S with Ana")
    for text in ("kitty 4C 9C 9C KD AS TC", "Ben: leave", "Ben: 4H", "Cleo: 5H", "Dan: 6H"):
        found.record(text)
    (finding,) = found.record("Ana: LJ").settled
    assert (finding.code, finding.verdict) == ("exchange.best", "illegal")
    assert finding.facts["then"] == "Ben: exchange 4C 6D for BJ 3S with Ana"
    assert "{" not in finding.reason


def test_fewer_trumps_fewer_cards() -> None:
    ana = f"hand Ana: {hand(*LOW, 'AS', 'KS', 'AH')}"
    found = second_deal(185, ana, "Ben: declare 3H")
    assert "exchange.best" in refused(found, "Ben: exchange 2 with Ana")
    assert "exchange.best" in refused(found, "Ben: exchange TC TD for AH AS with Ana")
    assert found.judge("Ben: exchange 1 with Ana").verdict == "legal"
    assert found.record("Ben: exchange TC for AH with Ana").verdict == "legal"


def test_before_trump_is_known_only_jokers_level_cards_and_twos_can_be_asked_for() -> None:
    ana = f"hand Ana: {hand(*LOW, '3S', '2H', 'AH')}"
    found = second_deal(190, ana)
    assert "exchange.best" in refused(found, "Ben: exchange TC TD for 3S AH with Ana")
    assert "exchange.best" in refused(found, "Ben: exchange 3 with Ana")
    assert "exchange.best" in refused(found, "Ben: exchange TC for 2H with Ana")
    assert found.record("Ben: exchange TC TD for 3S 2H with Ana").verdict == "legal"


def test_an_exchange_that_nobody_claims_lapses_and_it_is_said_once() -> None:
    found = second_deal(185, "Ben: declare 3H")
    (item,) = owed(found, "exchange")
    assert item == {"who": "Ana", "what": "exchange", "cards": 2, "to": "Ben", "until": ["kitty"]}
    ruling = found.record("kitty 4H 9C 9C KD AS TC")
    (finding,) = ruling.findings
    assert (finding.code, finding.verdict, finding.severity) == ("exchange.lapsed", "legal", "note")
    assert not owed(found, "exchange")
    facts = refused(found, "Ben: exchange 2 with Ana")["exchange.owed"]
    assert "lapsed" in facts["why"]
    assert found.record("Ben: take").findings == ()
    assert found.state["players"]["Ben"]["role"] == "master"
    assert "Ben" in found.prompt


def test_what_is_owed_lapses_silently_with_a_result() -> None:
    found = second_deal(185)
    assert found.record("result points=100").findings == ()
    assert not owed(found, "exchange")


@pytest.mark.parametrize("shown", ["BJ BJ BJ", "LJ LJ LJ"])
def test_three_jokers_of_the_penalised_side_cancel_it_in_time(shown: str) -> None:
    found = second_deal(185, "Ben: declare 3H")
    assert "exchange.cancels" in refused(found, f"Ben: show {shown}")
    assert "exchange.cancels" in refused(found, "Cleo: show BJ BJ")
    assert "exchange.cancels" in refused(found, "Cleo: show BJ BJ LJ")
    found.record(f"Cleo: show {shown}")
    assert not owed(found, "exchange")
    assert found.state["players"]["Cleo"]["cards"] == 39
    assert "cancelled" in refused(found, "Ben: exchange 2 with Ana")["exchange.owed"]["why"]
    joker = shown.split()[0]
    found.record("kitty 4H 9C 9C KD AS TC")
    for text in ("Ben: take", "Ben: bury 6"):
        found.record(text)
    assert "tricks.held" in refused(found, f"Ben: {joker}")


@pytest.mark.parametrize("last", ["Ben: exchange 2 with Ana", "kitty 4H 9C 9C KD AS TC"])
def test_three_jokers_too_late_or_for_nothing(last: str) -> None:
    found = second_deal(185, "Ben: declare 3H", last)
    assert "exchange.owed" in refused(found, "Cleo: show BJ BJ BJ")
    assert "exchange.owed" in refused(second_deal(130), "Cleo: show BJ BJ BJ")
    assert "exchange.owed" in refused(second_deal(130), "Ben: exchange 1 with Ana")


def test_a_void_deal_keeps_what_is_owed() -> None:
    found = second_deal(185, "Ben: declare 3H", "void misdeal")
    assert bound(found.current_round)["master"] == "Ben"
    assert [item["cards"] for item in owed(found, "exchange")] == [2]


def test_an_unseen_exchange_leaves_the_hands_as_large() -> None:
    found = second_deal(185, "Ben: declare 3H", "Ben: exchange 2 with Ana")
    assert {p["cards"] for p in found.state["players"].values()} == {39}


@pytest.mark.parametrize("names", [FOUR, SIX])
def test_a_whole_match_to_level_10_by_results(names: list[str], tmp_path: Path) -> None:
    found = match("trump H", "master Ana", names=names)
    values = [120, 125, 185, 0, 300, 100, 95, 90, 170, 80, 75, 70, 65, 60, 55, 50, 45]
    count = 0
    while not found.over:
        found.record(f"result points={values[count % len(values)]}")
        count += 1
    assert max(found.scores.values()) == 10
    assert len(set(found.scores.values())) == 2
    with pytest.raises(Impossible, match="over"):
        found.record("result points=100")
    exported(found, tmp_path)


def exported(found: Match, folder: Path) -> dict[str, Any]:
    """Export, verify, import and export again. Check for the same bytes and no findings."""
    path, again = folder / "match.toml", folder / "again.toml"
    write_record(found, path)
    report = verify_record(path)
    assert report["ok"]
    write_record(read_record(path), again)
    assert path.read_bytes() == again.read_bytes()
    assert [r["scores"] for r in report["rounds"]] == [played.scores for played in found.rounds]
    return dict(report)


@pytest.mark.parametrize("names", [FOUR, SIX])
def test_matches_card_by_card(names: list[str], tmp_path: Path) -> None:
    """Play ten deals of 162 cards, then the rest of the match by results."""
    evening = Evening("da-ban", 1, players=len(names), full=True, wrong=0, result=0)
    found = evening.match
    for number in range(1, 11):
        evening.play(number)
        bindings = found.state["bindings"]
        told = Told(evening.said[-1], names, bindings["trump"], bindings["level"])
        assert sum(told.taken.values()) + points(told.aside) == 300
        own = side(names, told.master)
        won = sum(told.taken[name] for name in names if name not in own)
        assert bindings["opponents"] == {"points": won, "takes_over": won > 120}
        level = {name: 1 if won <= 120 and name in own else 0 for name in names}
        assert found.rounds[-1].scores == level
        follower = names.index(told.master) + (1 if won > 120 else 2)
        assert bound(found.current_round)["master"] == names[follower % len(names)]
        claims = [item["cards"] for item in owed(found, "exchange")]
        assert claims == ([(won - 160) // 10] if won >= 170 else [])
    while not found.over:
        found.record("result points=100")
    report = exported(found, tmp_path)
    assert report["findings"] == []


def test_end_makes_the_standing_final() -> None:
    found = second_deal(120, "end")
    assert found.over
    assert found.scores == {"Ana": 4, "Ben": 3, "Cleo": 4, "Dan": 3}
    with pytest.raises(Impossible):
        found.record("result points=100")


# --- 5: at a table


def test_points_trick_by_trick_and_whether_they_are_enough() -> None:
    found = playing("Ana: TS", "Ben: AS", "Cleo: KS", "Dan: 5S")
    assert found.state["bindings"]["opponents"] == {"points": 25, "takes_over": False}
    assert found.state["sides"] == {"masters": ["Ana", "Cleo"], "opponents": ["Ben", "Dan"]}
    assert found.state["bindings"]["levels"] == {"Ana+Cleo": 3, "Ben+Dan": 3}
    found.record("check Dan: 25")
    with pytest.raises(Impossible, match="25"):
        found.record("check Dan: 30")


def test_the_trick_that_makes_the_points_enough_is_announced() -> None:
    plays = ["Ana: 4D", "Ben: TD", "Cleo: 6D", "Dan: TD"]
    plays += ["Ben: KD KD", "Cleo: 6D 7D", "Dan: AD AD", "Ana: 4D 4D"]
    found = playing(*plays, "Dan: TS TS TS", "Ana: 4S 4S 5S", "Ben: KS KS KS", "Cleo: 6S 6S 7S")
    assert found.state["bindings"]["opponents"] == {"points": 105, "takes_over": False}
    for text in ("Ben: 5C 5C", "Cleo: 6C 7C", "Dan: 5C KC"):
        assert found.record(text).findings == ()
    (finding,) = found.record("Ana: 8C 4C").findings
    assert finding.verdict == "legal"
    assert finding.facts == {"opponents": "Ben+Dan", "points": 130}


def test_the_record_of_a_deal_finds_the_one_revoke() -> None:
    report = verify_record(RECORD)
    found = [
        (f["code"], f["round"], f["entry"]) for f in report["findings"] if f["verdict"] == "illegal"
    ]
    assert found == [("tricks.follow", 1, "Dan: 4C 5D")]
    opens = {f["code"] for f in report["findings"] if f["verdict"] == "open"}
    assert opens <= {"tricks.follow", "exchange.best"}
    assert report["rounds"][0]["scores"] == dict.fromkeys(FOUR, 0)
    assert report["rounds"][1]["scores"] is None


def test_french_words() -> None:
    found = match("atout ♥", "maître Ana", "chien 5H 9C Grand Roi RK 2P Petit Roi")
    found.record("Ana: prend le chien")
    found.record("Ana: écart 6")
    for text in ("Ana: GR", "Ben: petit roi", "Cleo: D♥", "Dan: V♠"):
        found.record(text)
    assert found.judge("Ana: 21").entry == "Ana: BJ"
    assert found.judge("Ana: 1").entry == "Ana: LJ"
    assert found.rounds[-1].entries == [
        *("trump H", "master Ana", "kitty 5H 9C BJ KD 2S LJ", "Ana: take", "Ana: bury 6"),
        *("Ana: BJ", "Ben: LJ", "Cleo: QH", "Dan: JS"),
    ]
    other = second_deal(185, "Ben: pose 3♥", "Ben: échange 4T contre GR avec Ana")
    assert other.rounds[-1].entries[-1] == "Ben: exchange 4C for BJ with Ana"


def test_score_tells_the_points_by_side_while_a_deal_goes_on() -> None:
    begun = ("trump H", "master Ana", "kitty 5H 9C 9C KD 2S TC", "take", "bury 6")
    sides = match_of("da-ban", FOUR, *begun)
    assert points_so_far(sides.live_round) == ""
    for text in ("AC AC", "7C 9C", "KC KC", "4C 5D"):
        sides.record(text)
    assert points_so_far(sides.live_round) == "points so far: Ana and Cleo 25, Ben and Dan 0"
    alone = match_of("doppelkopf", FOUR, "all: gesund", "AC", "9C", "TC", "KC")
    assert points_so_far(alone.live_round) == "points so far: Ana 25, Ben 0, Cleo 0, Dan 0"
    assert (
        points_so_far(match_of("whist", FOUR, "trump H", "AC", "9C", "TC", "KC").live_round) == ""
    )


def test_a_round_that_starts_in_the_middle_has_kitty_and_draw_behind_it() -> None:
    found = match("hand Ana: 4S 5S AH", "hand Ben: 6S KD QD", "trump H", "lead Ana", "Ana: 4S")
    assert "tricks.follow" in refused(found, "Ben: KD")
    found.record("Ben: 6S")
    with pytest.raises(Impossible):
        found.record("kitty 4C 9C 9C KD AS TC")
    for text in ("Cleo: 7S", "Dan: 8S", "Dan: 9S", "Ana: 5S", "Ben: QD", "Cleo: TS"):
        found.record(text)
    for text in ("Cleo: TD", "Dan: JD", "Ana: AH", "Ben: KD"):
        found.record(text)
    assert found.rounds[-1].over
    assert found.rounds[-1].scores is None
    # The points of earlier tricks are unknown, so the points of the known tricks are not the
    # deal's.
    (facts,) = (summary["facts"] for summary in found.summaries())
    assert (facts["points"], facts["side.points"]) == (None, {"Ben+Dan": None})
    (facts,) = (summary["facts"] for summary in second_deal(130).summaries() if summary["over"])
    assert (facts["points"], facts["side.points"]) == (130, {"Ben+Dan": 130})


def test_a_master_who_was_not_expected_is_noted() -> None:
    found = second_deal(130)
    (finding,) = found.record("master Dan").findings
    assert finding.facts["expected"] == "Ben"
    assert finding.verdict == "legal"


def changed(key: str, value: object, *entries: str) -> Match:
    """Return a second deal under a house rule, after a first deal with 185 points."""
    rules = load_ruleset("da-ban", **{key: value})
    return match("trump H", "master Ana", "result points=185", *entries, rules=rules)


def test_choices_are_keys() -> None:
    found = changed("phases.draw.ties", "last", "Ana: declare 3H", "Ben: declare 3S")
    assert found.state["bindings"]["trump"] == "S"
    found = changed("phases.exchange.shown_by", "giver")
    assert "exchange.cancels" in refused(found, "Cleo: show BJ BJ BJ")
    assert found.record("Ana: show BJ BJ BJ").verdict == "legal"
    assert bound(changed("levels.after_lost", 3).current_round)["master"] == "Dan"
    assert owed(changed("phases.exchange.owed", 1), "exchange")[0]["cards"] == 1
    stays = changed("phases.kitty.left_when", "kitty.trumps == 0", "kitty 4H 5H 6H 7H 8H 9H")
    assert "kitty.left" in refused(stays, "Ben: leave")
    no_early_play = {"early": False, "takeback": False, "another": False}
    early = load_ruleset("da-ban", phases={"tricks": no_early_play})
    found = match("trump H", "master Ana", "kitty 4C 9C 9C KD AS TC", "leave", "5S", rules=early)
    with pytest.raises(Illegal):
        found.record("Dan: 7S")


# --- a relative in TOML alone


def test_sheng_ji_needs_no_python(tmp_path: Path) -> None:
    found = match(rules=load_ruleset("sheng-ji"))
    assert found.state["players"]["Ana"]["cards"] == 25
    assert found.state["bindings"]["level"] == "2"
    found.record("Ben: declare 2H 2H")
    found.record("kitty 4C 9C 9C KD AS TC 5D 6D")
    assert found.legal() == ["Ana: take"]
    for text in ("Ana: take", "Ana: bury 8", "Ana: QS QS", "Ben: KS KS", "Cleo: TS 5S"):
        found.record(text)
    with pytest.raises(Illegal):
        playing_early = match(rules=load_ruleset("sheng-ji"))
        for text in ("trump H", "kitty 4H 9C 9C KD AS TC 5D 6D", "take", "Ana: bury 8", "Ana: 5S"):
            playing_early.record(text)
        playing_early.record("Cleo: 7S")
    found.record("Dan: 3S 4S")
    assert found.to_act == ["Ben"]
    assert found.state["bindings"]["opponents"]["points"] == 35
    found.record("result points=35")
    assert found.scores == {"Ana": 4, "Ben": 2, "Cleo": 4, "Dan": 2}
    for won, levels in ((0, (7, 2)), (80, (7, 2)), (160, (9, 2)), (95, (9, 2))):
        found.record(f"result points={won}")
        assert (found.scores["Ana"], found.scores["Ben"]) == levels
    exported(found, tmp_path)


def test_pairs_must_follow_pairs_where_a_house_says_so() -> None:
    start = ["trump H", "kitty 4H 9C 9C KD AS TC 5D 6D", "Ana: take", "Ana: bury 8"]
    found = match(*start, "Ana: QS QS", rules=load_ruleset("sheng-ji"))
    assert found.judge("Ben: 4S 4S").verdict == "legal"
    assert found.judge("Ben: 4S 4C").verdict == "open"
    assert found.record("Ben: 4S 5S").verdict == "open"
    for text in ("Cleo: 6S 6S", "Dan: 7S 7S"):
        found.record(text)
    (finding,) = found.record("Ana: JS").findings + found.record("Ben: 4S").settled
    assert (finding.code, finding.verdict) == ("tricks.answer", "illegal")
    known = match(
        "trump H",
        "standing Ana: 4",
        "lead Ana",
        "hand Ben: 6S 6S 7S 8S 8S 8S",
        "Ana: 5S 5S 5S",
        rules=load_ruleset("da-ban", phases={"tricks": {"answer": "3.2"}}),
    )
    assert refused(known, "Ben: 6S 6S 7S")["tricks.answer"]["legal"] == ["8S 8S 8S"]
    assert "tricks.answer" in refused(known, "Ben: 6S 7S 8S")
    assert known.record("Ben: 8S 8S 8S").verdict == "legal"


def test_ranks_and_suits_of_the_pack_are_those_of_the_rules() -> None:
    assert list(RULES.pack.kinds) == CODES
    assert RULES.pack.copies == 3
    assert (RULES.pack.card_count, len(RANKS)) == (162, 13)


def test_a_takeback_in_the_last_tricks_of_a_round_that_began_in_the_middle() -> None:
    start = [*(f"hand {name}: 1" for name in ("Ana", "Cleo", "Dan")), "hand Ben: 2"]
    found = match(*start, "trump H", "lead Ana", "Ana: AS", "Cleo: 4S", "Dan: 5S")
    found.record("Ben: AS")
    assert found.to_act == ["Ben"]
    assert "tricks.takeback" in refused(found, "Dan: takeback")
    assert "Ben: takeback" in found.legal()
    for text in ("Ben: takeback", "Ben: KS"):
        found.record(text)
    assert found.state["players"]["Ana"]["points"] == 15


def test_a_card_too_many_that_stands_is_counted_in_its_trick() -> None:
    found = Match(load_ruleset("da-ban"), SIX)
    first, second, *others = SIX
    for name in SIX:
        found.record(f"hand {name}: 3")
    found.record("trump H")
    found.record(f"lead {first}")
    found.record(f"{first}: 9C")
    assert found.record(f"{second}: KC KC !stands").verdict == "illegal"
    for name, card in zip(others, ("4C", "6C", "7C", "8C"), strict=True):
        found.record(f"{name}: {card}")
    assert [trick.points for trick in found.live_round.tricks] == [20]
