"""Laws of other games in the same clause words: the established revoke of bridge, and a lost level
in Sheng Ji.

They are sketches, over small rulesets of the tests.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Illegal, Match, load_ruleset, read_record, write_record
from tests.disputes import FOUR, hands, lines_of

RULESETS = Path(__file__).parent / "rulesets"

Deal = dict[str, Any]  # four hands, and the cards in the order of play
# Four cards each, hearts are trumps, Ana and Cleo against Ben and Dan; `!` marks a revoke.
# Ben trumps instead of following, wins with it, and his side wins two more.
WON: Deal = {
    "hands": ["AC KC AS QD", "JC JH KS AD", "QC QS KH KD", "AH QH JS JD"],
    "play": "Ana: AC, Ben: JH!, Cleo: QC, Dan: JS, Ben: JC, Cleo: KD, Dan: JD, Ana: KC,"
    " Ana: AS, Ben: KS, Cleo: QS, Dan: QH, Dan: AH, Ana: QD, Ben: AD, Cleo: KH",
}
# Ben discards instead of following, and Ana wins. His side wins the next two.
LOST: Deal = {
    "hands": ["AC KC AS QD", "JC JH KS AD", "QC QS KH KD", "AH QH JS JD"],
    "play": "Ana: AC, Ben: AD!, Cleo: QC, Dan: JS, Ana: AS, Ben: KS, Cleo: QS, Dan: QH,"
    " Dan: AH, Ana: QD, Ben: JH, Cleo: KH, Dan: JD, Ana: KC, Ben: JC, Cleo: KD",
}
# Ben's side wins two tricks. In the third he does not follow, and it wins no more.
LATE: Deal = {
    "hands": ["AC AH AS QD", "JC JS KS AD", "KH JH QS KD", "KC QC QH JD"],
    "play": "Ana: QD, Ben: AD, Cleo: KD, Dan: JD, Ben: KS, Cleo: QS, Dan: QH, Ana: AS,"
    " Dan: KC, Ana: AC, Ben: JS!, Cleo: JH, Cleo: KH, Dan: QC, Ana: AH, Ben: JC",
}
# Dan trumps the trick in which Ben, his partner, does not follow, and leads to the next.
PARTNER: Deal = {
    "hands": ["AC KC AS QD", "JC KS JS AD", "KH JH KD JD", "QC QS AH QH"],
    "play": "Ana: QD, Ben: JC!, Cleo: KD, Dan: QH, Dan: QC, Ana: AC, Ben: AD, Cleo: JH,"
    " Cleo: JD, Dan: AH, Ana: AS, Ben: JS, Dan: QS, Ana: KC, Ben: KS, Cleo: KH",
}


class Whist:
    """A deal with a revoke in it, played up to a given moment."""

    def __init__(self, deal: Deal, known: bool) -> None:
        self.known = known
        self.match = Match(load_ruleset(str(RULESETS / "whist-revoke.toml")), list(FOUR))
        self.match.record("trump H")
        if known:
            for name, cards in zip(FOUR, deal["hands"], strict=True):
                self.match.record(f"hand {name}: {cards}")
        self.left = str(deal["play"]).split(", ")
        self.wrong = 0

    def play(self, most: int = 99) -> Whist:
        for _ in range(min(most, len(self.left))):
            card = self.left.pop(0)
            if card.endswith("!"):
                card = card.rstrip("!") + (" !stands" if self.known else "")
                self.wrong = len(self.match.rounds[0].entries) + 1
            self.match.record(card)
        return self

    def claim(self, who: str) -> Whist:
        self.match.record(f"claim {who}: {self.wrong}")
        return self

    def comes_to(self, ours: int, theirs: int, tmp_path: Path) -> None:
        """Check the points of each side, also in a record of the match."""
        scores = {"Ana": ours, "Ben": theirs, "Cleo": ours, "Dan": theirs}
        assert self.match.rounds[0].scores == scores
        write_record(self.match, tmp_path / "whist.toml")
        again = read_record(tmp_path / "whist.toml")
        assert again.rounds[0].scores == scores
        assert lines_of(again) == lines_of(self.match)


# --- until it is established


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_a_revoke_is_put_right_until_its_side_plays_to_the_next_trick(cards: int) -> None:
    table = Whist(LOST, known=True).play(cards).claim("Cleo")
    assert table.match.rounds[0].lines == []
    assert table.match.state["players"]["Ben"]["cards"] == 4
    table.match.record("Ben: JC")
    assert {"who": "Ben", "cards": "AD"} not in table.match.state["table"]


def test_also_when_the_other_side_has_led_to_it() -> None:
    """Ana has already led to the next trick, so she takes her card back too."""
    table = Whist(LOST, known=True).play(5).claim("Ana")
    players = table.match.state["players"]
    assert (players["Ana"]["cards"], players["Ben"]["cards"]) == (3, 4)
    table.match.record("Ben: JC")
    assert table.match.to_act == ["Ana"]


def test_established_once_the_culprit_has_played() -> None:
    table = Whist(LOST, known=True).play(6).claim("Ana")
    assert table.match.to_act == ["Cleo"]  # the revoke is established


def test_or_the_culprits_partner(tmp_path: Path) -> None:
    table = Whist(PARTNER, known=True).play(5).claim("Ana")
    assert table.match.to_act == ["Ana"]  # the revoke is established
    table.play().comes_to(3, 1, tmp_path)


@pytest.mark.parametrize("cards", [2, 5, 9])
def test_what_nobody_has_proven_the_law_does_not_decide(cards: int) -> None:
    table = Whist(LOST, known=False).play(cards)
    with pytest.raises(Illegal, match="no fault is proven"):
        table.claim("Ana")


# --- at the end


@hands
@pytest.mark.parametrize("cards", [6, 9, 16])
def test_two_tricks_if_the_culprit_won_the_trick_of_the_revoke(
    cards: int, known: bool, tmp_path: Path
) -> None:
    """Ana and Cleo have one of four tricks and get three, whenever it is claimed."""
    table = Whist(WON, known).play(cards).claim("Cleo").play()
    table.comes_to(3, 1, tmp_path)


@hands
@pytest.mark.parametrize("cards", [6, 9, 16])
def test_one_trick_if_not(cards: int, known: bool, tmp_path: Path) -> None:
    if not known and cards < 15:
        cards = 15  # the revoke is not proven before
    table = Whist(LOST, known).play(cards).claim("Ana").play()
    table.comes_to(3, 1, tmp_path)


@hands
def test_none_if_its_side_has_won_none_since(known: bool, tmp_path: Path) -> None:
    table = Whist(LATE, known).play(16).claim("Ana")
    table.comes_to(2, 2, tmp_path)


@pytest.mark.parametrize(("deal", "ours"), [(WON, 1), (LOST, 2), (LATE, 2), (PARTNER, 2)])
def test_unclaimed_nothing_moves(deal: Deal, ours: int, tmp_path: Path) -> None:
    table = Whist(deal, known=True).play()
    table.comes_to(ours, 4 - ours, tmp_path)


def test_only_the_other_side_may_claim_it() -> None:
    table = Whist(WON, known=True).play(6)
    for who in ("Ben", "Dan"):
        with pytest.raises(Illegal):
            table.claim(who)
    assert table.match.state["faults"][0]["may"] == ["Ana", "Cleo"]


# --- a level that is lost

# The end of a deal with hearts as trumps. Ben and then Dan do not follow clubs.
START = [
    *("master Ana", "standing Ana: 5", "standing Ben: 7", "trump H"),
    *("hand Ana: AC KC 3S", "hand Ben: 4C 3D 6S", "hand Cleo: 6C 8C 9S", "hand Dan: JC JS QS"),
]


def at_the_end(known: bool, *said: str) -> Match:
    match = Match(load_ruleset(str(RULESETS / "sheng-ji-level.toml")), list(FOUR))
    hands = START if known else [*START[:4], *(f"hand {name}: 3" for name in FOUR)]
    for text in (*hands, *said):
        match.record(text if known else text.removesuffix(" !stands"))
    return match


def entry(match: Match, text: str) -> int:
    return [one.partition(" !")[0] for one in match.rounds[0].entries].index(text) + 1


@hands
def test_a_revoke_costs_the_culprits_side_a_level(known: bool) -> None:
    said = ("Ana: AC", "Ben: 3D !stands", "Cleo: 6C", "Dan: JC", "Ana: KC", "Ben: 4C")
    match = at_the_end(known, *said)
    (fault,) = match.state["faults"]
    assert (fault["who"], sorted(fault["may"])) == (["Ben"], ["Ana", "Cleo"])
    with pytest.raises(Illegal):
        match.record(f"claim Dan: {entry(match, 'Ben: 3D')}")
    match.record(f"claim Cleo: {entry(match, 'Ben: 3D')}")
    assert match.scores == {"Ana": 5, "Ben": 6, "Cleo": 5, "Dan": 6}
    assert match.to_act == ["Cleo"]
    match.undo()
    assert match.scores == {"Ana": 5, "Ben": 7, "Cleo": 5, "Dan": 7}


def test_and_each_another(tmp_path: Path) -> None:
    said = ("Ana: AC", "Ben: 3D !stands", "Cleo: 6C", "Dan: JS !stands", "Ana: KC", "Ben: 4C")
    match = at_the_end(True, *said)
    for text in ("Ben: 3D", "Dan: JS"):
        match.record(f"claim Ana: {entry(match, text)}")
    assert match.scores == {"Ana": 5, "Ben": 5, "Cleo": 5, "Dan": 5}
    write_record(match, tmp_path / "level.toml")
    assert read_record(tmp_path / "level.toml").scores == match.scores


def test_unclaimed_it_costs_none() -> None:
    said = ("Ana: AC", "Ben: 3D !stands", "Cleo: 6C", "Dan: JC")
    assert at_the_end(True, *said, "waive all").scores == {"Ana": 5, "Ben": 7, "Cleo": 5, "Dan": 7}
