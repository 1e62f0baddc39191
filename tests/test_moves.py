"""Cards that move: given away before play, out of a kitty, from a stock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from scorekeeper import Illegal, Impossible, Match, Unreadable, load_ruleset

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
Table = Callable[..., Match]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A match of one of the tests' own rulesets, with choices."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))

    def begin(name: str, seats: int = 4, **options: object) -> Match:
        return Match(load_ruleset(name, **options), NAMES[:seats])

    return begin


def record(match: Match, *texts: str) -> None:
    for text in texts:
        match.record(text)


def codes(match: Match, text: str) -> list[str]:
    return [finding.code for finding in match.judge(text).findings]


def deal(match: Match, seed: int) -> dict[str, list[str]]:
    """Shuffled hands for everyone, by name."""
    pack, seats = match.ruleset.pack, len(match.players)
    cards = list(pack.kinds) * pack.copies
    Random(seed).shuffle(cards)
    size = match.ruleset.deal_size(seats)
    return {name: cards[at * size : (at + 1) * size] for at, name in enumerate(match.players)}


def enter(match: Match, hands: dict[str, list[str]]) -> None:
    for name, cards in hands.items():
        match.record(f"hand {name}: {' '.join(cards)}")


def holds(match: Match, name: str) -> str:
    """The cards that are surely in that hand."""
    hands = match.now.hands
    return hands.pack.show(hands.sure[match.players.index(name)])


def told(match: Match) -> list[str]:
    """How the round stands, in the phases' sentences."""
    rnd = match.live
    return [each for phase in rnd.rules.phases.values() for each in phase.sentences(rnd)]


def play_out(match: Match) -> None:
    """Play the round to its end: always the first that is legal."""
    number = match.now.number
    while match.now.number == number and not match.over:
        match.record(next(text for text in match.legal if "…" not in text))


# --- giving


def test_all_give_before_anyone_receives_in_any_order(table: Table) -> None:
    match = table("giving")
    assert match.to_act == NAMES
    assert "Ana, Ben, Cleo and Dan each give 3 cards to the left" in match.prompt
    record(match, "Cleo: give 2C 3C 4C", "Ana: give AC KC QC")
    assert match.to_act == ["Ben", "Dan"]
    assert match.state["owed"] == [
        {"who": "Ben", "what": "give", "cards": 3, "to": "Cleo"},
        {"who": "Dan", "what": "give", "cards": 3, "to": "Ana"},
    ]
    assert codes(match, "Ben: give AC 5C 6C") == ["give.given-held"]  # they are not theirs yet
    assert codes(match, "Ana: give 7C 8C 9C") == ["turn"]
    record(match, "Dan: give 3", "Ben: give 5C 6C 7C")
    assert match.to_act == ["Ana"]
    assert holds(match, "Ben") == "AC KC QC"
    assert holds(match, "Dan") == "4C 3C 2C"
    assert holds(match, "Ana") == ""
    assert "everyone has given 3 cards to the left" in told(match)


def test_the_direction_runs_through_the_rounds(table: Table) -> None:
    match, seen = table("giving", **{"match.ends": "false"}), []
    for number in range(8):
        described = match.ruleset.phases["give"].describe(match.now)
        seen.append(described.get("bindings", {}).get("give"))
        if seen[-1]:
            record(match, *(f"{name}: give 3" for name in reversed(NAMES)))
        if number == 1:  # a void round is dealt again, and gives as it did
            match.record("void misdealt")
            continue
        play_out(match)
    assert seen == ["left", "right", "right", "across", None, "left", "right", "across"]


def test_what_is_given_seen_is_known_there_and_unseen_is_not(table: Table) -> None:
    match = table("giving")
    enter(match, deal(match, 3))
    hands = {name: holds(match, name).split() for name in NAMES}
    record(match, *(f"{name}: give {' '.join(hands[name][:3])}" for name in NAMES))
    for giver, taker in zip(NAMES, [*NAMES[1:], NAMES[0]], strict=True):
        assert set(holds(match, taker).split()) == {*hands[giver][:3], *hands[taker][3:]}
    match = table("giving")
    enter(match, hands)
    record(match, *(f"{name}: give 3" for name in NAMES))
    assert [holds(match, name) for name in NAMES] == [""] * 4
    assert match.judge(f"Ana: {hands['Cleo'][0]}").verdict == "legal"


def test_an_undo_takes_everything_back_that_the_last_gift_moved(table: Table) -> None:
    match = table("giving")
    enter(match, deal(match, 5))
    record(match, "Ana: give 3", "Ben: give 3", "Cleo: give 3")
    before = holds(match, "Ana")
    match.record("Dan: give 3")
    assert holds(match, "Ana") == ""
    match.undo()
    assert (holds(match, "Ana"), match.to_act) == (before, ["Dan"])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Ana: give 2", "give.gives"),
        ("Ana: give AC KC", "give.gives"),
        ("Ana: give 3 to Cleo", "give.given-to"),
        ("Ana: AC", "verb"),
        ("Ana: give 2C 3C AC", "give.given-held"),
    ],
)
def test_what_is_given_against_a_rule_says_which(table: Table, text: str, code: str) -> None:
    match = table("giving")
    match.record("hand Ana: AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C AS")
    with pytest.raises(Illegal) as caught:
        match.record(text)
    assert [each.code for each in caught.value.ruling.findings] == [code]


@pytest.mark.parametrize(
    "text", ["Ana: give", "Ana: give AC to", "Ana: give AC KC QX", "Ana: give x"]
)
def test_what_cannot_be_read_is_said(table: Table, text: str) -> None:
    with pytest.raises(Unreadable):
        table("giving").record(text)


def test_the_table_may_let_a_wrong_gift_stand(table: Table) -> None:
    match = table("giving")
    record(match, "Ana: give 2C 3C to Cleo !stands", *(f"{name}: give 3" for name in NAMES[1:]))
    sizes = [match.now.hands.size(seat) for seat in range(4)]
    assert sizes == [13 - 2 + 3, 10, 13 + 2, 13]
    assert holds(match, "Cleo") == "3C 2C"
    with pytest.raises(Impossible, match="nobody gives cards away now"):
        match.record("Ana: give 3 !stands")


def test_a_round_that_begins_in_the_middle_is_past_giving(table: Table) -> None:
    match = table("giving")
    match.record("hand Ana: AC KC")
    assert (match.to_act, match.state["phase"]) == (["Ana"], "tricks")


def test_a_partner_is_given_to_and_gives_back(table: Table) -> None:
    options = {"phases.give.to": "partner", "phases.give.who": "dealer"}
    match = table("giving", **options, **{"phases.give.returned": True})
    assert match.prompt.startswith("Dan gives 3 cards to Ben")
    match.record("give 2C 3C 4C")
    assert holds(match, "Ben") == "4C 3C 2C"
    assert match.prompt.startswith("Ben gives 3 cards back to Dan")
    record(match, "Ben: give 2C AS KS")
    assert (holds(match, "Ben"), holds(match, "Dan")) == ("4C 3C", "2C AS KS")
    assert match.to_act == ["Ana"]


def test_one_player_may_name_who_gets_the_cards(table: Table) -> None:
    match = table("giving", **{"phases.give.to": "anyone", "phases.give.who": "dealer"})
    assert "give CARD… to NAME" in match.prompt
    assert codes(match, "Dan: give 3") == codes(match, "Dan: give 3 to Dan") == ["give.given-to"]
    assert "Dan: give 3 to Ana" in list(match.legal)
    match.record("Dan: give 3 to Ana")
    assert [match.now.hands.size(seat) for seat in range(4)] == [16, 13, 13, 10]


def test_a_direction_that_some_number_of_players_has_not_is_a_fault(table: Table) -> None:
    with pytest.raises(Unreadable, match="nobody sits across"):
        table("giving", players={"counts": [3, 4]}, sides={"number": 0}, deal={"cards": 13})
    with pytest.raises(Unreadable, match="here nobody has a partner"):
        table("giving", **{"phases.give.to": "partner", "sides.number": 0})
    with pytest.raises(Unreadable, match="who gives to anyone is one player"):
        table("giving", **{"phases.give.to": "anyone"})


def test_the_table_sees_how_many_cards_were_given_not_which(table: Table) -> None:
    notation = table("giving").notation
    assert notation.hide("Ana: give AC KC QC to Ben") == "Ana: give 3 to Ben"
    assert notation.hide("Ana: give 3") == "Ana: give 3"


# --- a kitty


def points(match: Match) -> list[int]:
    """The card points that each player has won in the round that is over."""
    return [
        sum(trick.points for trick in match.live.tricks if trick.winner == seat)
        for seat in range(len(match.players))
    ]


def test_ten_each_and_two_over_that_nobody_sees(table: Table) -> None:
    match = table("kitty", 3)
    assert [match.now.hands.size(seat) for seat in range(3)] == [10, 10, 10]
    assert match.prompt == "Cleo must take the kitty"
    assert list(match.legal) == ["Cleo: take"]
    assert match.state["owed"] == [{"who": "Cleo", "what": "take", "cards": 2}]
    assert codes(match, "Cleo: leave") == ["kitty.left"]
    assert codes(match, "Ben: take") == ["turn"]
    assert codes(match, "Cleo: bury 2") == ["kitty.buries"]
    match.record("take")
    assert match.now.hands.size(2) == 12
    assert codes(match, "Cleo: bury 3") == ["kitty.buries"]
    assert "Cleo: bury 2" in list(match.legal)
    match.record("Cleo: bury AC 7D")
    assert match.to_act == ["Ana"]
    with pytest.raises(Impossible, match="AC has left play"):
        match.judge("Ana: AC")


def test_the_kitty_is_known_where_all_hands_are(table: Table) -> None:
    match = table("kitty", 3)
    hands = deal(match, 1)
    enter(match, hands)
    match.record("take")
    rest = set(match.ruleset.pack.kinds) - {card for cards in hands.values() for card in cards}
    assert match.judge(f"Cleo: bury {' '.join(rest)}").verdict == "legal"
    assert codes(match, f"Cleo: bury {hands['Ana'][0]} {hands['Ben'][0]}") == ["kitty.buried-held"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("unseen", [False, True])
def test_its_points_are_whose_the_ruleset_says(table: Table, seed: int, unseen: bool) -> None:
    """120 in all: with what was buried, and nobody need have seen that."""
    for whose in ("owner", "opponents", "last", "nobody"):
        match = table("kitty", 3, **{"phases.kitty.counts": whose})
        hands = deal(match, seed)
        if not unseen:
            enter(match, hands)
        record(match, "take", f"bury {'2' if unseen else ' '.join(hands['Cleo'][:2])}")
        play_out(match)
        tricks = match.live.tricks
        played = sum(trick.points for trick in tricks if trick.laid)
        last = [trick for trick in tricks if trick.laid][-1]
        extra = [a - b for a, b in zip(points(match), plain(match), strict=True)]
        gets = {"owner": 2, "opponents": 0, "last": last.winner, "nobody": -1}[whose]
        wanted = [120 - played if seat == gets else 0 for seat in range(3)]
        assert extra == wanted
        assert sum(1 for trick in tricks for _ in range(trick.count)) == 10
        checked = match.now.rules.phases["tricks"].points_of(match.live, 2)
        assert checked == points(match)[2]


def plain(match: Match) -> list[int]:
    """The card points in the tricks that were played."""
    return [
        sum(trick.points for trick in match.live.tricks if trick.winner == seat and trick.laid)
        for seat in range(len(match.players))
    ]


def test_an_owner_may_play_without_it(table: Table) -> None:
    match = table("kitty", 3, **{"phases.kitty.optional": True})
    assert list(match.legal) == ["Cleo: take", "Cleo: leave"]
    measure = match.ruleset.measures["kitty.taken"]
    assert not measure.read(match.now, None)
    match.record("leave")
    assert match.to_act == ["Ana"]
    assert not measure.read(match.now, None)
    play_out(match)
    assert sum(points(match)) == 120
    match = table("kitty", 3, **{"phases.kitty.optional": True})
    record(match, "take", "bury 2")
    assert measure.read(match.now, None)


def test_a_contract_that_is_named_without_it_leaves_it(table: Table) -> None:
    match = table("kitty", 3, **{"phases.kitty.optional": True})
    kitty, now = match.ruleset.phases["kitty"], match.now
    assert not kitty.finished(now)
    now.shared.contract = "named"
    assert kitty.finished(now)


def test_it_may_be_turned_up_for_all_before_it_is_taken(table: Table) -> None:
    match = table("kitty", 3, **{"phases.kitty.shown": True})
    assert match.prompt == "Cleo is dealer; the kitty is turned up: kitty and its 2 cards"
    with pytest.raises(Impossible, match="the kitty has 2 cards, not 3"):
        match.record("kitty AC AS 7D")
    record(match, "kitty AC 7D", "take")
    assert holds(match, "Cleo") == "AC 7D"
    record(match, "bury 7D 7C")
    assert holds(match, "Cleo") == "AC"


def test_a_round_that_begins_in_the_middle_has_its_kitty_behind_it(table: Table) -> None:
    match = table("kitty", 3)
    match.record("hand Ana: AC KC")
    assert match.to_act == ["Ana"]


def test_who_takes_it_must_be_known_in_the_ruleset(table: Table) -> None:
    with pytest.raises(Unreadable, match="no phase here says who is master"):
        table("kitty", 3, **{"phases.kitty.who": "master"})
    with pytest.raises(Unreadable, match="no phase here says which card was turned up"):
        table("kitty", 3, **{"phases.kitty.takes": "turned"})
