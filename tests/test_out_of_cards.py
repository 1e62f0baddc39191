"""Players without cards: they have not lost, do not lead, and are not passed over silently."""

from __future__ import annotations

import pytest

from scorekeeper import Impossible, Match, load_ruleset

END = ("talon 0", "trump H", "hand Ana: 1")


def table(name: str, players: str, *entries: str) -> Match:
    match = Match(load_ruleset(name), players.split())
    for entry in entries:
        match.record(entry)
    return match


@pytest.mark.parametrize(
    ("name", "players", "hands"),
    [
        ("podkidnoy", "Ana Ben", ("hand Ben: 3",)),
        ("podkidnoy", "Ana Ben Cem", ("hand Ben: 3", "hand Cem: 2")),
        (
            "podkidnoy-teams",
            "Ana Ben Cem Dov",
            ("hand Ben: 3", "hand Cem: 0", "hand Dov: 2"),
        ),
    ],
)
def test_who_has_laid_the_last_card_of_all_has_not_lost(
    name: str, players: str, hands: tuple[str, ...]
) -> None:
    match = table(name, players, *END, *hands, "lead Ana", "Ana: attack 6C")
    with pytest.raises(Impossible, match="Ana has no cards left and cannot have lost"):
        match.record("result loser=Ana")
    match.record("result loser=Ben")
    assert match.scores["Ben"] == 1


def test_who_will_draw_or_may_have_to_take_may_still_lose() -> None:
    facts = ("turnup 9H", "talon 1", "hand Ana: 1", "hand Ben: 3", "lead Ana", "Ana: attack 6C")
    assert table("podkidnoy", "Ana Ben", *facts, "result loser=Ana").scores["Ana"] == 1
    deal = [*END, "hand Ben: 2", "hand Cem: 4", "lead Cem", "Cem: attack 6C"]
    deal += ["Ben: attack 6D !stands", "Ana: cover 6C 7C", "result loser=Ana"]
    assert table("podkidnoy", "Ana Ben Cem", *deal).scores["Ana"] == 1


def test_it_is_no_draw_where_the_defender_must_keep_a_card() -> None:
    facts = (*END, "hand Ben: 2", "lead Ana", "Ana: attack 6C")
    with pytest.raises(Impossible, match="Ben must have lost, because only they have cards left"):
        table("podkidnoy", "Ana Ben", *facts, "result draw")
    even = (*END, "hand Ben: 1", "lead Ana", "Ana: attack 6C", "result draw")
    assert table("podkidnoy", "Ana Ben", *even).rounds[0].over
    third = (*END, "hand Ben: 2", "hand Cem: 1", "lead Ana", "Ana: attack 6C", "result draw")
    assert table("podkidnoy", "Ana Ben Cem", *third).rounds[0].over


@pytest.mark.parametrize(
    ("name", "facts", "act"),
    [
        ("durak", ("trump H", "hand Ana: 0", "hand Ben: 3", "talon 2"), "Ben: attack 6C"),
        ("doppelkopf", ("hand Ana: 0",), "all: gesund"),
        ("sheng-ji", ("trump H", "hand Ana: 0", "hand Ben: 5"), "Ben: AC"),
    ],
)
def test_who_holds_no_cards_does_not_lead(name: str, facts: tuple[str, ...], act: str) -> None:
    match = table(name, "Ana Ben Cem Dov", *facts)
    with pytest.raises(Impossible, match="Ana leads but holds no cards"):
        match.record(act)
    match.record("lead Ben")
    assert match.record(act).verdict == "legal"


@pytest.mark.parametrize("facts", [("hand Ben: 0",), ("hand Ana: 12", "hand Ben: 11")])
@pytest.mark.parametrize("name", ["doppelkopf", "doppelkopf-ddv"])
def test_a_hand_said_to_be_shorter_than_the_others_is_told(
    name: str, facts: tuple[str, ...]
) -> None:
    match = table(name, "Ana Ben Cem Dov", *facts[:-1])
    findings = match.record(facts[-1]).findings
    assert [finding.code for finding in findings] == ["tricks.position"]
    assert "the hands differ in size" in findings[0].reason


def test_who_alone_has_cards_attacks_nobody() -> None:
    match = table("durak", "X Y", "trump H", "talon 0", "hand X: 0", "hand Y: 5")
    assert match.rounds[0].over
    # in the next deal, with Y as the dealer
    assert match.judge("Y: attack 6C").findings[0].code == "turn"
    match.record("result loser=Y")
    assert match.scores == {"X": 0, "Y": 1}
