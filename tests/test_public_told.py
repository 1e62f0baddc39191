"""Public views of earlier rounds: of the round before, and of rounds that only hands could decide.

A later reader, a command or another live table sees the same as the readers who were there.
"""

from __future__ import annotations

import pytest

from scorekeeper.cli.show import status_lines
from scorekeeper.render.sheet import build_sheet
from scorekeeper.session.live import LiveMatch
from scorekeeper.session.public_round import make_public
from scorekeeper.session.rulings import Faults
from tests.test_public import FOUR, REVOKE, Side, bare, ddv

# Only in the last trick does Ben show that he could have followed in the first.
LAID = """
    Cleo: 9C, Dan: 9C, Ben: AS, Cleo: 9S, Dan: KS, Ana: TS, Ben: JD, Cleo: JC, Dan: QS,
    Ana: JD, Dan: 9D, Ana: TH, Ben: JS, Cleo: AD, Ana: TS, Ben: KH, Cleo: 9S, Dan: KS,
    Ana: QC, Ben: AD, Cleo: JC, Dan: QS, Ana: TH, Ben: KD, Cleo: TD, Dan: JS, Ana: AS,
    Ben: KD, Cleo: KC, Dan: AC, Ben: AH, Cleo: KH, Dan: AH, Ana: JH, Ana: QD, Ben: 9H,
    Cleo: TD, Dan: QH, Dan: QD, Ana: QH, Ben: 9H, Cleo: QC, Cleo: TC, Dan: JH, Ana: TC,
    Ben: KC
"""
SHOWN_LAST = [*REVOKE[4:], *(text.strip() for text in LAID.split(","))]


def test_what_the_referee_has_told_of_the_round_before_is_told_to_whoever_comes() -> None:
    """With Ben's hand entered, the revoke was proven at once, and it was not claimed in time. With
    only its size entered, it was proven by the last card, and Cleo may claim it in the next
    round."""
    for hand, is_open in ((REVOKE[1], False), ("hand Ben: 12", True)):
        texts = [hand, *SHOWN_LAST, "dealer Cleo"]
        assert (ddv(texts).board.enter("claim Cleo: 1.4") == "") is is_open
        side = ddv(texts)
        come = LiveMatch(side.desk())
        assert come.match.first_number == 2
        shown = make_public(come.match, come.desk)
        lines = status_lines(shown, Faults(shown, shown, come.speech))
        told = [line for line in lines if line.strip().startswith("Cleo may claim 1.4 (Ben: 9D")]
        assert bool(told) is is_open
        assert come.screen() == side.board.screen()
        assert bare(side.watch().scene()) == bare(side.scene())
        side.enter("all: gesund")
        assert LiveMatch(side.desk()).screen() == side.board.screen()


# --- the parts of the scores


def assert_summed(side: Side) -> None:
    """Check for each player that the shown parts of the scores add up to the tally."""
    scene = side.scene()
    parts = build_sheet(scene.history).sources
    assert parts is not None
    sums = dict(zip(parts.names, map(sum, parts.points), strict=True))
    assert sums == scene.history.scores == side.board.match.scores


@pytest.mark.parametrize("named", [True, False])
def test_what_the_scores_came_from_sums_where_the_table_does_not_know_the_sides(
    named: bool,
) -> None:
    """Show the second round by its entries: only the hand decides the side of Ben's call."""
    side = ddv([*REVOKE, "result re=Ana+Cleo points=132", "dealer Cleo", REVOKE[1]])
    said = "result re=Ana+Cleo points=132" if named else "result re=Ana points=100"
    side.enter("claim Ana: 1.7 minor", "all: gesund", "Ben: keine90", said)
    assert_summed(side)
    assert side.board.last()
    lines = [line["for"] for line in list(side.scene().history.summaries())[-1]["lines"]]
    assert not {"re", "kontra"} & set(lines)


def test_what_nobody_can_read_any_more_is_told_by_how_it_begins() -> None:
    """Eva joined and passed unseen cards; then an amendment shows that she never joined."""
    side = Side("hearts", FOUR).enter("score Ana: +26", "joins Eva for Ben", "Eva: give AC 9D TC")
    assert side.board.amend("amend 2.1 --remove --yes") == ""
    told = [
        bare(side.scene()),
        *side.board.rulings(),
        *(event.text for event in side.board.log.events),
    ]
    assert not [text for text in told if "AC 9D" in text]
    assert [said.text for said in side.scene().log] == ["score Ana: +26", "Eva: give …"]


def test_what_is_to_be_weighed_of_the_round_before_hides_nothing_of_this_one() -> None:
    side = ddv(["hand Ben: 12", *SHOWN_LAST, "dealer Cleo", "claim Cleo: 1.4"])
    scene = side.scene()
    said = (
        "1.4 (Ben: 9D !stands) is waiting for the table's decision; the score of round 1 may still"
    )
    assert scene.pending == f"{said} change"
    assert [said.place for said in scene.log][-2:] == ["2.1", "2.2"]
    assert scene.screen is not None
    side.enter("weigh 1.4 minor")
    assert side.scene().pending == ""
