"""12.2 of the tournament rules of Doppelkopf: the players who may claim, by what is public of the
sides."""

from __future__ import annotations

import pytest

from tests.disputes import Table, hands, refused

THREE = ["Ana", "Cleo", "Dan"]
# The entry that opens the window of each deal's fault: with unseen hands, and with entered ones.
OPENS = {
    "revoke": ("Ben: KC", "Ben: 9D"),
    "across": ("Ben: KC", "Ben: 9D"),
    "queen": ("Ben: AH", "Ben: QC"),
    "found": ("Ben: TD", "Ben: KS"),
    "poor": ("Ben: 9H", "Ben: 9S"),
}


def opened(name: str, known: bool, *said: str, words: list[str] | None = None) -> Table:
    """Return a deal up to the entry that opens the window of Ben's revoke, after these calls."""
    return Table(name, known, words).say(*said).to(OPENS[name][known])


# --- not clear


@hands
def test_not_clear_everybody_but_the_culprit(known: bool) -> None:
    """Cover entered hands too: the table does not know that Dan is with Ben."""
    table = opened("revoke", known)
    assert table.may("Ben: 9D") == THREE
    assert "Ben" in refused(table, f"claim Ben: {table.number('Ben: 9D')}")


@hands
@pytest.mark.parametrize("who", THREE)
def test_the_culprits_partner_too(who: str, known: bool) -> None:
    table = opened("revoke", known) if not known else Table("revoke", known).to("Ben: 9D")
    table.claim(who, "Ben: 9D", "serious")
    assert table.scores == {"Ana": 4, "Ben": -12, "Cleo": 4, "Dan": 4}


@hands
@pytest.mark.parametrize(
    "calls",
    [
        ["Ana: re"],
        ["Ana: re", "Ben: kontra"],
        ["Ana: re", "Ben: kontra", "Dan: kontra"],  # Cleo may be kontra, and Ana may be alone
        ["Ben: kontra", "Dan: kontra"],
        ["Ana: re keine90"],
    ],
)
def test_calls_that_leave_a_seat_open(calls: list[str], known: bool) -> None:
    assert opened("revoke", known, *calls).may("Ben: 9D") == THREE


@hands
def test_a_qc_alone_leaves_its_partner_open(known: bool) -> None:
    table = Table("counted", known).to("Cleo: AC" if not known else "Ben: TC")
    found = table.may("Ben: TC")
    assert found == THREE


# --- clear by calls


@hands
@pytest.mark.parametrize(
    "calls",
    [
        ["Ana: re", "Cleo: re"],
        ["Ana: re keine90", "Cleo: re"],
        ["Ana: re", "Cleo: re keine90"],
        ["Ana: re", "Cleo: re", "Ben: kontra", "Dan: kontra"],
    ],
)
def test_two_of_re_called_settle_the_rest(calls: list[str], known: bool) -> None:
    table = opened("revoke", known, *calls)
    assert table.may("Ben: 9D") == ["Ana", "Cleo"]
    assert "side" in refused(table, f"claim Dan: {table.number('Ben: 9D')}")


def silent(known: bool, *said: str) -> Table:
    """Return a deal in which Ana has both QC and Ben revokes in trick 2, up to the open window.

    With entered hands it opens while one QC is on the table, else in trick 6, after both.
    """
    return Table("silent", known).say(*said).to("Ben: 9C" if known else "Ben: 9S")


def test_three_of_kontra_called_settle_the_rest() -> None:
    table = silent(True, "Ben: kontra", "Cleo: kontra", "Dan: kontra")
    assert table.may("Ben: 9C") == ["Ana"]
    assert silent(True, "Ben: kontra", "Dan: kontra").may("Ben: 9C") == THREE


# --- clear by cards


@hands
def test_both_qc_that_were_laid(known: bool) -> None:
    table = Table("middle", known).to(*(["Ben: KS"] if known else ["Dan: 9D", "Ben: JS"]))
    assert table.may("Ben: KS") == ["Ana", "Cleo"]
    assert "side" in refused(table, f"claim Dan: {table.number('Ben: KS')}")


@hands
def test_a_qc_that_was_laid_and_one_that_was_called(known: bool) -> None:
    table = opened("queen", known) if known else Table("queen", known).to("Ben: AH")
    assert table.may("Ben: QC") == ["Cleo", "Dan"]
    assert "side" in refused(table, f"claim Ana: {table.number('Ben: QC')}")


def test_the_entry_that_opens_the_window_counts_with_it() -> None:
    """Count the QC that Ben plays instead of a heart, which reveals his side."""
    table = Table("queen", known=True).before("Ben: QC")
    assert table.match.state["sides"]["re"] == ["Ana", "Ben"]  # by the hands; the table saw one QC
    assert table.to("Ben: QC").may("Ben: QC") == ["Cleo", "Dan"]


def test_both_qc_from_one_seat() -> None:
    """Compare trick 2, with one QC played and unclear sides, with trick 6, after both."""
    assert silent(True).may("Ben: 9C") == THREE
    assert silent(False).may("Ben: 9C") == ["Ana"]


@hands
def test_the_second_qc_is_the_first_entry_at_which_it_is_clear(known: bool) -> None:
    table = Table("silent", known).to("Dan: KC" if known else "Dan: QH")
    assert table.may("Dan: KC") == ["Ana"]


def test_a_plain_card_on_a_trump_lead_by_who_has_laid_no_qc() -> None:
    """Ben and Dan have called kontra. Cleo has no trump in trick 3, so she is kontra too."""
    calls = ["Ben: kontra", "Dan: kontra"]
    assert opened("poor", True, *calls).may("Ben: 9S") == ["Ana"]
    assert opened("poor", True, "Ben: kontra").may("Ben: 9S") == THREE
    assert opened("poor", True, "Dan: kontra").may("Ben: 9S") == THREE


# --- clear by the contract


@hands
def test_an_announced_solo(known: bool) -> None:
    table = Table("solo", known).to("Ben: JS" if known else "Ben: 9H")
    assert table.may("Ben: JS") == ["Cleo"]
    table.to("Cleo: AC" if known else "Cleo: TS")
    assert table.may("Cleo: AC") == ["Ana", "Ben", "Dan"]


@hands
def test_a_hochzeit_that_has_found_its_partner(known: bool) -> None:
    table = opened("found", known)
    assert table.may("Ben: KS") == ["Ana", "Cleo"]


def test_a_hochzeit_that_has_not_found_one_yet() -> None:
    table = Table("nobody", known=True).to("Ben: TS")
    assert table.may("Ben: TS") == THREE


@hands
def test_a_hochzeit_that_has_found_nobody(known: bool) -> None:
    table = Table("nobody", known).to("Dan: TD" if known else "Dan: 9C")
    assert table.may("Dan: TD") == ["Ana"]


# --- fixed when the window opens


def test_what_becomes_clear_later_takes_a_claim_from_nobody() -> None:
    table = Table("revoke", known=True).to("Ben: 9D").say("holds Ana: QC", "holds Cleo: QC")
    assert table.may("Ben: 9D") == THREE
    assert table.match.judge(f"claim Dan: {table.number('Ben: 9D')} minor").verdict == "legal"


@hands
def test_and_what_was_clear_by_a_call_stays_so(known: bool) -> None:
    table = opened("revoke", known, "Ana: re", "Cleo: re")
    table.say("note Dan: I may claim that too")
    assert table.may("Ben: 9D") == ["Ana", "Cleo"]


def test_who_sits_out_may_not() -> None:
    players = ("Ana", "Ben", "Cleo", "Dan", "Eva")
    table = Table("revoke", False, players=players).to("Ben: KC")
    assert table.may("Ben: 9D") == THREE
    assert "sit out" in refused(table, f"claim Eva: {table.number('Ben: 9D')}")
