"""Games checked by whole deals that independent programs played: in each state the legal acts are
those that the deal lists, the listed illegal acts are refused with their paragraph, and scores are
equal. The same deals are played by tables that see no hand, and nobody is accused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from scorekeeper import Failure, Match, load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CASES = Path(__file__).parent / "cases"
# Rules of the program itself. They cite a paragraph of their phase.
OWN_CODES = ("turn", "verb")


def nothing(case: dict[str, Any]) -> list[str]:
    """Return no entries."""
    return []


def turned_up(case: dict[str, Any]) -> list[str]:
    """Return the entry for the card that was turned up."""
    return [f"turnup {case['facts']['turned']}"]


def maker(case: dict[str, Any]) -> list[str]:
    """Return the entry for who made trumps, and which."""
    facts = case["facts"]
    return [f"contract {facts['maker']}: {facts['trump']}"]


def dog(case: dict[str, Any]) -> list[str]:
    """Return the entries for the contract, the dog and the discard."""
    facts = case["facts"]
    told = [f"contract {facts['taker']}: {facts['contract'].replace(' ', '-')}"]
    if facts["discard"]:
        told += [f"kitty {' '.join(facts['dog'])}", f"{facts['taker']}: take"]
        told.append(f"{facts['taker']}: bury {' '.join(facts['discard'])}")
    return told


def chosen(case: dict[str, Any]) -> list[str]:
    """Return the entry for the contract, by a player whose choice it may be."""
    contract = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
    said = case["facts"]["contract"]
    return [f"contract {case['players'][0]}: {contract.get(said, said)}"]


def stoeck(case: dict[str, Any]) -> dict[int, list[str]]:
    """Return the entry for king and queen of trumps, if they are said."""
    pair = case["facts"]["stock"]
    return {pair["at"]: [f"{pair['who']}: stoeck"]} if pair and pair["said"] else {}


def silent(case: dict[str, Any]) -> dict[int, list[str]]:
    """Return no entries."""
    return {}


def unset(case: dict[str, Any]) -> dict[str, object]:
    """Return no options."""
    return {}


def board(case: dict[str, Any]) -> dict[str, object]:
    """Return the option with which the first deal is that board."""
    return {"let.first_board": str(case["facts"]["board"])}


def pack_of(case: dict[str, Any]) -> dict[str, object]:
    """Return the options for a pack of 45 cards, if the deal has one."""
    black = case["facts"]["pack"] == 45
    return {"pack.without": [], "deal.kitty": 5} if black else {}


def kitty_of(case: dict[str, Any]) -> list[str]:
    """Return the entries for the kitty and the discard."""
    facts = case["facts"]
    if not facts["contract"]:
        return []
    who = facts["contractor"]
    return [f"{who}: take", f"{who}: bury {' '.join(facts['discards'])}"]


def talon_of(case: dict[str, Any]) -> list[str]:
    """Return the entries for the talon, the discards, and what the defenders say."""
    facts = case["facts"]
    who = facts["declarer"]
    told = [f"kitty {' '.join(facts['talon'])}", f"{who}: take"]
    told.append(f"{who}: bury {' '.join(facts['discards'])}")
    told += [f"{each}: {word}" for each, word in facts["whist"].items()]
    told += [f"{each}: open" for each, word in facts["whist"].items() if word == "whist"]
    return told if facts["open"] else [entry for entry in told if not entry.endswith("open")]


def declared(case: dict[str, Any]) -> list[str]:
    """Return the entries for the contract, and for what follows until play."""
    facts = case["facts"]
    return [f"contract {facts['declarer']}: {facts['contract']}", *talon_of(case)]


def melded(case: dict[str, Any]) -> list[str]:
    """Return the entries for the contract and the melds."""
    facts = case["facts"]
    suit, ranks = facts["trump"], {"aces": "A", "kings": "K", "queens": "Q", "jacks": "J"}
    names = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
    told = [f"contract {facts['bidder']}: {facts['bid']} {names[suit]}"]
    for who, melds in facts["melds"].items():
        for meld, _ in melds:
            kind, _, rest = meld.partition(" ")
            cards = {
                "run": [f"{rank}{suit}" for rank in "ATKQJ"],
                "royal": [f"K{suit}", f"Q{suit}"],
                "nine": [f"9{suit}"],
                "marriage": [f"K{rest}", f"Q{rest}"],
                "pinochle": ["JD", "QS"],
                "double": ["JD", "JD", "QS", "QS"],
                "four": [f"{ranks.get(rest, '')}{each}" for each in "CSHD"],
                "eight": [f"{ranks.get(rest, '')}{each}" for each in "CSHDCSHD"],
            }[kind]
            told.append(f"{who}: show {' '.join(cards)}")
    return told


def on_lead(case: dict[str, Any]) -> dict[int, list[str]]:
    """Return the draws of Schnapsen and what the player on lead does, by the play before them."""
    told: dict[int, list[str]] = {}
    for at, who, what in case["events"]:
        act, *rest = what.split()
        if act == "draws" and rest[0] == case["facts"]["turned"]:
            continue  # all players see who gets the card that was turned up
        cards = f" {rest[0]}" if rest else ""
        if act == "marriage":
            cards = f" K{rest[0]} Q{rest[0]}"
        verb = {"draws": "draw", "exchange": "swap", "marriage": "show"}.get(act, act)
        told.setdefault(at - 1, []).append(f"{who}: {verb}{cards}")
    return told


class Game(NamedTuple):
    """The entries of a game's deals, and the options of its ruleset.

    `first` are the entries before the auction, and `between` those before play. `bid` is the entry
    for a bid, and `after` are the entries after a play, by its number. `ruleset` is the ruleset if
    it has another name.
    """

    first: Callable[[dict[str, Any]], list[str]] = nothing
    between: Callable[[dict[str, Any]], list[str]] = nothing
    bid: Callable[[str], str] = str
    after: Callable[[dict[str, Any]], dict[int, list[str]]] = silent
    options: Callable[[dict[str, Any]], dict[str, object]] = unset
    ruleset: str = ""


GAMES = {
    "bridge": Game(options=board),
    "coinche": Game(),
    "five-hundred": Game(
        between=kitty_of, bid=lambda bid: bid.replace("open misere", "open-misere"), options=pack_of
    ),
    "klaverjas": Game(between=maker),
    "oh-hell": Game(first=turned_up, bid="bid {}".format),
    "pinochle": Game(between=melded),
    "preferans": Game(between=declared),
    "schieber": Game(between=chosen, after=stoeck),
    "schnapsen": Game(
        first=turned_up,
        between=lambda case: on_lead(case).get(-1, []),
        after=on_lead,
        ruleset="schnapsen-counted",
    ),
    "sueca": Game(first=turned_up),
    "tarot": Game(between=dog),
}


def cases() -> Iterator[Any]:
    for name in GAMES:
        lines = (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            yield pytest.param(json.loads(line), id=f"{name}-{number}")


def illegal_plays(case: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    """Yield the place, the entry and the paragraph of each card that must be refused."""
    for wrong in case["illegal"]:
        if isinstance(wrong, dict):
            if "card" in wrong and wrong["at"] != "discard":
                yield wrong["at"], f"{wrong['who']}: {wrong['card']}", wrong["para"]
        else:
            at, who, card, paragraph = wrong
            yield at, f"{who}: {card}", paragraph


def illegal_bids(case: dict[str, Any]) -> Iterator[tuple[int, str, str, str]]:
    """Yield the place, the player, the bid and the paragraph of each bid that must be refused."""
    for wrong in case.get("illegal_bids", []):
        yield tuple(wrong)
    for wrong in case["illegal"]:
        if isinstance(wrong, dict) and "bid" in wrong:
            yield wrong["at_bid"], wrong["who"], wrong["bid"], wrong["para"]


def assert_refused(match: Match, entry: str, paragraph: str) -> None:
    """Assert that an entry is refused, and that the ruling cites the paragraph."""
    try:
        ruling = match.judge(entry)
    except Failure:
        return
    assert ruling.verdict == "illegal", (entry, ruling.text)
    found = [finding for finding in ruling.findings if finding.verdict == "illegal"]
    if not any(finding.code in OWN_CODES for finding in found):
        assert paragraph in {finding.cite for finding in found}, ruling.text


def begun(case: dict[str, Any], *, hands: bool, ruleset: str = "") -> Match:
    """Return a match in which everything before the auction is recorded."""
    game = GAMES[case["game"]]
    name = ruleset or game.ruleset or case["game"]
    match = Match(load_ruleset(name, **game.options(case)), case["players"])
    for _ in range(1, case["facts"].get("round", 1)):  # the number of cards follows the rounds
        match.record(f"score {case['players'][0]}: 0")
    told = [entry for entry in case["setup"] if hands or not entry.startswith("hand")]
    told = [entry for entry in told if match.ruleset.deal["dealt"] or "dealer" not in entry]
    for entry in [*told, *game.first(case)]:
        match.record(entry)
    return match


@pytest.mark.parametrize("case", list(cases()))
def test_legal_are_exactly_the_listed_acts(case: dict[str, Any]) -> None:
    game, match = GAMES[case["game"]], begun(case, hands=True)
    for at, (who, said, legal) in enumerate(case.get("bids", [])):
        for bid in legal:
            assert match.judge(f"{who}: {game.bid(str(bid))}").verdict == "legal", (at, bid)
        for place, culprit, bid, paragraph in illegal_bids(case):
            if place == at:
                assert_refused(match, f"{culprit}: {game.bid(str(bid))}", paragraph)
        match.record(f"{who}: {game.bid(str(said))}")
    for entry in game.between(case):
        for wrong in case["illegal"]:
            if isinstance(wrong, dict) and wrong.get("at") == "discard" and " bury " in entry:
                others = [card for card in case["facts"]["discard"] if card != wrong["card"]][:5]
                buried = " ".join([wrong["card"], *others])
                assert_refused(match, f"{wrong['who']}: bury {buried}", wrong["para"])
        match.record(entry)
    for at, (who, card, legal, *more) in enumerate(case["plays"]):
        kinds = match.ruleset.pack.index
        cards = [
            act for name, _, act in (line.partition(": ") for line in match.legal()) if name == who
        ]
        acts_of = [act.split() for act in cards if act.split()[0] in kinds]
        assert set(legal) == {card for card, *_ in acts_of}, at
        names = more[0] if more else {}
        if "names" in names:
            assert set(names["may"]) == {
                suit for each, *suits in acts_of if each == card for suit in suits
            }
        for place, entry, paragraph in illegal_plays(case):
            if place == at:
                assert_refused(match, entry, paragraph)
        assert match.record(play_of(who, card, names)).verdict == "legal"
        for entry in game.after(case).get(at, []):
            assert match.record(entry).verdict == "legal", entry
    assert match.rounds[-1].scores == case["scores"]


def play_of(who: str, card: str, more: dict[str, Any]) -> str:
    """Return the entry for a play, with the suit that it names."""
    return f"{who}: {card} {more.get('names', '')}".rstrip()


def acts(case: dict[str, Any]) -> Iterator[str]:
    """Yield the entries of a deal from its first bid on."""
    game = GAMES[case["game"]]
    yield from (f"{who}: {game.bid(str(bid))}" for who, bid, _ in case.get("bids", []))
    yield from game.between(case)
    for at, (who, card, _, *more) in enumerate(case["plays"]):
        yield play_of(who, card, more[0] if more else {})
        yield from game.after(case).get(at, [])


@pytest.mark.parametrize("case", list(cases()))
def test_nobody_is_accused_where_no_hand_is_seen(case: dict[str, Any]) -> None:
    match = begun(case, hands=False)
    for entry in acts(case):
        if ": draw " in entry:
            continue
        ruling = match.record(entry)
        assert ruling.verdict != "illegal", ruling.text
        assert not [each for each in ruling.settled if each.verdict == "illegal"], ruling.text
    assert match.rounds[-1].scores == case["scores"]


def schnapsen() -> list[Any]:
    lines = (CASES / "schnapsen.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(json.loads(line), id=str(n)) for n, line in enumerate(lines, 1)]


@pytest.mark.parametrize("case", schnapsen())
def test_who_has_66_in_schnapsen_says_so(case: dict[str, Any]) -> None:
    match = begun(case, hands=True, ruleset="schnapsen")
    told = list(acts(case))
    if len(case["plays"]) % 2:  # the card of a marriage that is worth enough
        told.pop()
    for entry in told:
        assert match.record(entry).verdict == "legal", entry
    if case["facts"]["ended"] == "66":
        winner = max(case["scores"], key=case["scores"].get)
        if not match.rounds[-1].scores:
            match.record(f"{winner}: enough")
    assert match.rounds[-1].scores == case["scores"]


@pytest.mark.parametrize("case", schnapsen())
def test_a_wrong_act_on_lead_in_schnapsen_is_refused(case: dict[str, Any]) -> None:
    match, events = begun(case, hands=True), on_lead(case)
    jack = f"J{case['facts']['trump']}"
    for at in range(len(case["plays"])):
        told = events.get(at - 1, [])
        for entry in [each for each in told if ": draw " in each]:
            match.record(entry)
        for _, who, what, paragraph in [each for each in case["illegal_events"] if each[0] == at]:
            act, *suit = what.split()
            shown = "".join(f"show K{each} Q{each}" for each in suit)
            entry = {"exchange": f"swap {jack}", "marriage": shown}.get(act, act)
            assert_refused(match, f"{who}: {entry}", paragraph)
        for entry in [each for each in told if ": draw " not in each]:
            match.record(entry)
        who, card = case["plays"][at][:2]
        match.record(play_of(who, card, {}))


def test_a_wrong_claim_in_schnapsen_costs_two_or_three_points() -> None:
    first, second = ("Ana: AC", "Ben: QC"), ("Ana: TH", "Ben: AH")
    for tricks, winner, points in ((first, "Ana", 3), ((*first, *second), "Ben", 2)):
        match = Match(load_ruleset("schnapsen"), ["Ana", "Ben"])
        for entry in ("dealer Ben", "trump S", *tricks):
            match.record(entry)
        other = "Ben" if winner == "Ana" else "Ana"
        assert_refused(match, f"{other}: enough", "5.1")
        match.record(f"{winner}: enough")
        assert match.rounds[-1].scores == {winner: 0, other: points}


def test_a_match_ends_with_its_last_round() -> None:
    whole = json.loads((CASES / "oh-hell-matches.jsonl").read_text("utf-8"))
    match = Match(load_ruleset(whole["game"]), whole["players"])
    for number, case in enumerate(whole["rounds"]):
        assert not match.over
        told = case["setup"] if number == 0 else [t for t in case["setup"] if "dealer" not in t]
        for entry in [*told, *GAMES[case["game"]].first(case), *acts(case)]:
            match.record(entry)
        assert match.rounds[-1].scores == case["scores"]
    assert match.over
    assert match.scores == whole["totals"]


def test_an_established_revoke_in_bridge_costs_a_trick() -> None:
    match = Match(load_ruleset("bridge"), ["N", "E", "S", "W"])
    ranks = "AKQJT98765432"
    for entry in (
        "hand N: " + " ".join(f"{rank}S" for rank in ranks[:-1]) + " 2D",
        "hand E: " + " ".join(f"{rank}H" for rank in ranks[:-1]) + " 2C",
        "hand S: " + " ".join(f"{rank}D" for rank in ranks[:-1]) + " 2H",
        "hand W: " + " ".join(f"{rank}C" for rank in ranks[:-1]) + " 2S",
        "contract S: 1NT",
        "W: AC",
        "N: AS",
    ):
        match.record(entry)
    assert_refused(match, "E: AH", "3.3")
    match.record("E: AH !stands")
    at = len(match.rounds[-1].entries)
    for entry in ("S: AD", "W: KC", "N: KS", "E: 2C", "S: KD", f"claim N: {at}"):
        match.record(entry)
    for club, spade, heart, diamond in zip(
        "QJT98765432", "QJT98765432", "KQJT9876543", "QJT98765432", strict=True
    ):
        suits = ("S", "S", "H", "D") if club == "2" else ("C", "S", "H", "D")
        for who, rank, suit in zip("WNES", (club, spade, heart, diamond), suits, strict=True):
            card = rank + suit
            if (who, card) == ("N", "2S"):
                card = "2D"
            if (who, card) == ("S", "2D"):
                card = "2H"
            match.record(f"{who}: {card}")
    # S made none of seven tricks, and gets one for the revoke: six down, not vulnerable.
    assert match.rounds[-1].scores == {"N": -300, "E": 300, "S": -300, "W": 300}


def test_the_same_meld_is_shown_again_with_the_other_copies_only() -> None:
    match = Match(load_ruleset("pinochle"), ["Ana", "Ben", "Cleo", "Dan"])
    match.record("hand Ben: 9C KC QC KH QH KD QD AS AS TS TS 9D")
    match.record("contract Ana: 250 clubs")
    for entry in ("Ana: show 9C", "Ben: show KH QH"):
        assert match.record(entry).verdict == "legal"
    # Ben has one nine of clubs and Ana has shown the other.
    for entry in ("Ana: show 9C", "Ben: show KH QH", "Ben: marriage KC QC"):
        assert_refused(match, entry, "2.1")
    assert match.record("Ben: show 9C").verdict == "legal"


def test_the_other_copies_count_whether_the_first_were_played_or_not() -> None:
    match = Match(load_ruleset("pinochle"), ["Ana", "Ben", "Cleo", "Dan"])
    for entry in ("contract Ana: 250 clubs", "Ana: show 9C", "Ana: show 9C"):
        assert match.record(entry).verdict == "legal"
    assert match.judge("Ben: show 9C").verdict == "illegal"
    assert match.judge("Ana: show 9C").verdict == "illegal"


def test_cards_for_which_a_hand_has_no_room_are_not_legal() -> None:
    match = Match(load_ruleset("pinochle"), ["Ana", "Ben", "Cleo", "Dan"])
    match.record("contract Ana: 250 clubs")
    for meld in ("aces", "kings", "pinochle", "show KD QD"):
        match.record(f"Cleo: {meld}")
    # One card of Cleo's is unknown, and two queens are missing.
    assert "Cleo: queens" not in match.legal()
    ruling = match.judge("Cleo: queens")
    assert ruling.text == "Cleo: queens: illegal: Cleo announces queens, but does not hold it (2.1)"


def test_a_call_is_refused_with_the_sentence_of_its_row() -> None:
    match = Match(load_ruleset("schnapsen"), ["Ana", "Ben"])
    for entry in ("trump S", "Ana: show KD QD"):
        match.record(entry)
    reason = match.judge("Ana: show KC QC").findings[0].reason
    assert reason == "only the player on lead may show a marriage, one before each lead"
    with pytest.raises(Failure, match="is no fact"):
        load_ruleset("schnapsen", **{"calls.royal.say": "{points} are too many"})
