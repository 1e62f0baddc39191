"""Lines about faults for the players: widths, the owner of the remaining tricks, suitable hints."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Impossible, Unreadable, write_record
from scorekeeper.core.text import display_width
from tests.disputes import Table
from tests.helpers import program


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))


def test_rulings_fit_whatever_they_are_called() -> None:
    names = ("Ana of the very long name forty letters", "ア" * 16, "Cléo", "Dan")
    assert program("new", "doppelkopf-ddv", *names).code == 0
    assert program("record", "all: gesund", "AC 9D KC TC", f"{names[1]}: KC").code == 0
    out = program("rulings").out
    prose = [
        line for line in out.splitlines() if line.startswith("  ") and "scorekeeper " not in line
    ]
    assert max(map(display_width, prose)) <= 80, out


def test_who_is_given_the_rest_has_not_claimed_it(tmp_path: Path) -> None:
    path = tmp_path / "deal.toml"
    table = Table("decided", known=True).to("Ben: 9S", "Dan: AH").claim("Cleo", "Ben: 9S", "minor")
    write_record(table.match, path)
    status = program("status", "--match", str(path)).out
    assert "has claimed the rest" not in status
    assert "the remaining tricks went to Ana's side" in status


def test_quotes_are_asked_for_only_where_they_are_missing() -> None:
    assert program("new", "doppelkopf-ddv", "Ana", "Ben", "Cleo", "Dan").code == 0
    hint = "needs quotes"
    quoted = program("record", "weigh 3 minor", "claim Ana: 3 minor")
    assert quoted.code == 2
    assert hint not in quoted.out + quoted.err
    parted = program("record", "weigh", "3", "minor")
    assert parted.code == 2
    assert hint in parted.out + parted.err


def test_what_is_not_claimed_is_said_to_be_so_while_something_else_waits() -> None:
    table = Table("revoke", known=True).to("Dan: 9C").claim("Ana", "Ben: 9D")
    with pytest.raises(Impossible, match=r"^entry 2 has not been claimed"):
        table.match.judge("weigh 2 minor")


@pytest.mark.parametrize("text", ["claim", "claim Ana:", "claim Ana: talk", "weigh", "waive"])
def test_what_is_missing_is_not_quoted(text: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        Table("revoke", known=True).match.judge(text)
    assert "“”" not in refusal.value.message
    assert "must follow" in refusal.value.message


def test_what_was_decided_while_it_was_open_is_listed_too(tmp_path: Path) -> None:
    """List the decision although the deal is void, so that the open question no longer matters."""
    path = tmp_path / "deal.toml"
    table = Table("revoke", known=False).to("Dan: 9C").claim("Ana", "Ben: 9D", "serious")
    write_record(table.match, path)
    rows = program("rulings", str(path), "--format", "json").data
    assert [(row["entry"], row["decision"]) for row in rows] == [("Ben: 9D", "serious")]
    assert "claimed by Ana: serious (12.3)" in program("rulings", str(path)).out


def test_a_score_is_provisional_while_something_is_still_to_be_weighed() -> None:
    table = Table("solo", known=True).to("Ben: JS").claim("Cleo", "Ben: JS")
    number = table.number("Ben: JS")
    told = table.match.record("Cleo: concede").text
    assert f"the score is provisional: {number} (Ben: JS !stands) must still be decided" in told
    assert "may still be claimed" not in told
    table = Table("last", known=False)
    last = table.cards.pop().text
    while table.cards:
        table.to(table.cards[0].text)
    told = table.match.record(last).text
    assert "may still be claimed until the claimants have played on in the next round" in told
    assert "must still be decided" not in told


def test_what_may_be_claimed_is_among_what_may_be_done() -> None:
    assert program("new", "doppelkopf-ddv", "Ana", "Ben", "Cleo", "Dan").code == 0
    assert program("record", "all: gesund", "AC 9D KC TC", "Ben: KC").code == 0
    entries = program("legal", "--format", "json").data["entries"]
    assert {"claim Ana: 3", "claim Cleo: 3 minor", "waive all"} <= set(entries)
    assert "weigh 3 minor" not in entries
    assert program("record", "claim Ana: 3").code == 0
    assert "  weigh 3 minor" in program("legal").out.splitlines()
    assert program("record", "weigh 3 none").code == 0
    assert "claim Ana" not in program("legal").out
    assert "weigh" not in program("legal").out
