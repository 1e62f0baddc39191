"""Every clause word of [remedies] and [consequences] in whist: the effect of each window, choice
and consequence, whatever is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Illegal, Impossible, Match, load_ruleset, verify_record, write_record

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
HEAD = """
extends = "whist"
name = "judged"
title = "Whist with a judge"

[clauses.entitled]
cite = "2.2"
[clauses.in-order]
cite = "2.2"
[clauses.say-no-more]
word = "barred-verb"
on = ["play"]
severity = "warn"
cite = "2.2"

[penalties.point]
culprit = -1
cite = "2.2"

[consequences.nothing]
[consequences.point]
penalty = "point"
"""
REMEDY = """
[remedies.revoke]
on = ["tricks.follow"]
cite = "2.2"
"""
# Ben does not follow hearts, and plays one to the second trick. Entry 3 is a revoke, shown by 7.
REVOKED = ["turnup 2C", "Ana: AH", "Ben: 9S", "Cleo: KH", "Dan: QH", "Ana: 3H", "Ben: 8H"]


@pytest.fixture
def play(tmp_path: Path) -> Any:
    """Return a function that plays entries in a match of whist under additional rules."""

    def played(more: str, *texts: str) -> Match:
        path = tmp_path / "judged.toml"
        path.write_text(HEAD + more, "utf-8")
        match = Match(load_ruleset(str(path)), NAMES)
        for text in texts:
            match.record(text)
        return match

    return played


def may(match: Match) -> list[str]:
    """Return the players who may claim the open fault."""
    (fault,) = match.state["faults"]
    return list(fault["may"])


@pytest.mark.parametrize(
    ("who", "names"),
    [
        ("others", ["Ana", "Cleo", "Dan"]),
        ("opponents", ["Ana", "Cleo"]),
        ("everybody", NAMES),
        ("next", ["Cleo"]),
        ("next if own_lead else opponents", ["Ana", "Cleo"]),
    ],
)
def test_who_may_claim(play: Any, who: str, names: list[str]) -> None:
    let = '[let]\nown_lead = "players == 3"\n'
    match = play(f'{let}{REMEDY}who = "{who}"\nthen = ["point"]\n', *REVOKED)
    assert may(match) == names


@pytest.mark.parametrize(
    ("until", "open_after", "closed_by"),
    [
        ("acts", ["Cleo: 4H"], None),
        ("speaks", [], "Cleo: 4H"),
        ("trick", ["Cleo: 4H"], "Dan: 5H"),
        ("deal", ["Cleo: 4H", "Dan: 5H"], None),
        ("next-deal", ["Cleo: 4H", "Dan: 5H"], None),
        ("second-card", [], "note it is over"),
    ],
)
def test_until_when(play: Any, until: str, open_after: list[str], closed_by: str | None) -> None:
    match = play(f'{REMEDY}until = "{until}"\nthen = ["point"]\n', *REVOKED)
    for text in open_after:
        match.record(text)
        assert match.state["faults"], text
    if closed_by is not None:
        match.record(closed_by)
        assert not match.state["faults"]
        with pytest.raises((Illegal, Impossible)):
            match.record("claim Ana: 3")


def test_with_the_next_act_of_their_side(play: Any) -> None:
    match = play(f'{REMEDY}until = "side"\nthen = ["point"]\n', *REVOKED, "Cleo: 4H")
    assert may(match) == ["Dan"]


def test_from_when_it_was_done_who_has_played_since_may_not(play: Any) -> None:
    match = play(f'{REMEDY}from = "done"\nuntil = "acts"\nthen = ["point"]\n', *REVOKED)
    assert match.state["faults"] == []
    with pytest.raises(Illegal, match="played on"):
        match.record("claim Dan: 3")


def test_the_law_chooses_the_first_that_applies(play: Any) -> None:
    rows = '[consequences.never]\nwhen = "fault.since < 3"\npenalty = "point"\n'
    match = play(f'{rows}{REMEDY}then = ["never", "nothing"]\n', *REVOKED, "claim Ana: 3")
    assert match.rounds[-1].lines == []
    assert match.state["faults"] == []


def test_who_claims_chooses(play: Any) -> None:
    match = play(f'{REMEDY}choice = "claimant"\nthen = ["nothing", "point"]\n', *REVOKED)
    with pytest.raises(Impossible, match="nothing or point"):
        match.record("claim Ana: 3")
    match.record("claim Ana: 3 point")
    assert [(line.to, line.points) for line in match.current_round.seating.lines] == [
        ("Ben+Dan", -1)
    ]


def test_a_say_is_lost(play: Any) -> None:
    rows = '[consequences.mute]\nbars = ["play"]\n'
    match = play(f'{rows}{REMEDY}then = ["mute"]\n', *REVOKED, "claim Ana: 3", "Cleo: 4H")
    match.record("Dan: 5H")
    (finding,) = match.judge("Ben: 7C").findings
    assert (finding.code, finding.verdict) == ("remedies.say-no-more", "illegal")
    match.record("Ben: 7C")
    assert match.judge("Cleo: 6C").verdict == "legal"


def test_the_culprit_starts_the_next_round(play: Any) -> None:
    rows = '[consequences.stop]\nplay = "stops"\nround = "unscored"\nstarts = "culprit"\n'
    match = play(f'{rows}{REMEDY}then = ["stop"]\n', *REVOKED, "claim Ana: 3")
    assert match.rounds[0].scores == dict.fromkeys(NAMES, 0)
    assert match.to_act[:1] == ["Ben"] or match.current_round.seating.leader == NAMES.index("Ben")


def test_a_round_that_counts_as_lost(play: Any) -> None:
    rows = '[consequences.lost]\nplay = "stops"\nround = "lost"\n'
    score = '[scores.forfeit]\nfor = "sides"\npoints = "-3 if own.forfeited else 3"\ncite = "3.1"\n'
    gone = "[scores]\ntricks = false\n"
    match = play(f'{gone}{score}{rows}{REMEDY}then = ["lost"]\n', *REVOKED, "claim Ana: 3")
    assert match.rounds[0].scores == {"Ana": 3, "Ben": -3, "Cleo": 3, "Dan": -3}
    assert any("counts as lost" in text for text in match.score_sentences(match.rounds[0]))


def test_the_second_time_costs_more(play: Any, tmp_path: Path) -> None:
    rows = (
        '[penalties.more]\nculprit = "-2 * (1 + fault.times)"\ncite = "2.2"\n'
        '[consequences.more]\nplay = "stops"\nround = "unscored"\npenalty = "more"\n'
    )
    match = play(f'{rows}{REMEDY}then = ["more"]\n', *REVOKED, "claim Ana: 3")
    assert match.rounds[0].scores == {"Ana": 0, "Ben": -2, "Cleo": 0, "Dan": -2}
    match.record("dealer Dan")
    for text in [*REVOKED, "claim Ana: 4"]:
        match.record(text)
    assert match.rounds[1].scores == {"Ana": 0, "Ben": -4, "Cleo": 0, "Dan": -4}
    write_record(match, tmp_path / "match.toml")
    assert [each["scores"] for each in verify_record(tmp_path / "match.toml")["rounds"]] == [
        played.scores for played in match.rounds
    ]


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        ('who = "friends"\nthen = ["point"]', "remedies.revoke.who"),
        ('who = "others if"\nthen = ["point"]', "remedies.revoke.who"),
        ('then = ["points"]', "remedies.revoke.then"),
        ("then = []", "remedies.revoke.then"),
        ('until = "tomorrow"\nthen = ["point"]', "remedies.revoke.until"),
        ('then = ["point"]\ndecided = "gone"', "remedies.revoke.decided"),
        ('then = ["point"]\n[consequences.bad]\nbars = ["sing"]', "consequences.bad.bars"),
        ('then = ["point"]\n[consequences.bad]\nbars = ["claim"]', "consequences.bad.bars"),
        ('who = "next if fault.took else others"\nthen = ["point"]', "remedies.revoke.who"),
        ('then = ["point"]\n[consequences.bad]\npenalty = "no"', "consequences.bad.penalty"),
        ('then = ["point"]\n[consequences.bad]\nwhen = "fault.colour"', "consequences.bad.when"),
    ],
)
def test_what_a_row_cannot_mean_is_said_when_it_is_loaded(play: Any, rows: str, key: str) -> None:
    with pytest.raises(Exception, match=key.replace(".", r"\.")):
        play(f"{REMEDY}{rows}\n")
