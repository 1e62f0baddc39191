"""Wishes were a phase of its own, `reservations`. Books, pins and records from then are read."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper import Illegal, Match, load_ruleset
from scorekeeper.core.errors import Failure
from scorekeeper.engine.loading import check
from scorekeeper.engine.ruleset import current_form, pinned
from scorekeeper.ruleset.sources import pin, unpin
from scorekeeper.store.book import Book
from scorekeeper.store.integrity import book_contents
from scorekeeper.store.record import RecordSource, record_text
from scorekeeper.store.recorder import MatchRecorder
from tests.helpers import program

EARLIER = Path(__file__).parent / "earlier" / "book_8.sql"
FOUR = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(EARLIER.read_text("utf-8"))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    return path


def pinned_text(book: Path) -> str:
    with closing(sqlite3.connect(book)) as connection:
        (text,) = connection.execute("SELECT text FROM rulesets").fetchone()
    return str(text)


def refusals(match: Match, entry: str) -> list[str]:
    return [finding.code for finding in match.judge(entry).findings if finding.refuses]


def test_a_match_that_was_begun_then_goes_on_with_the_same_rulings(book: Path) -> None:
    assert "[phases.reservations]" in pinned_text(book)
    with Book(book, create=False) as opened:
        match = MatchRecorder(opened, 1).match
        assert match.scores == {"Ana": 4, "Ben": -4, "Cleo": 0, "Dan": 0}
        assert refusals(match, "Dan: damensolo re") == ["auction.raise"]
        assert refusals(match, "Dan: damensolo") == []
        match.record("all: gesund")
        found = [(number, each.code) for number, each in match.live_round.log.all_findings()]
        assert (2, "auction.needs") in found
        assert (2, "auction.owed") in found
        assert match.live_round.table.contract == "piksolo"
        assert match.live_round.table.raised == ("keine90",)


def test_what_players_owed_is_carried_over_and_the_stored_rounds_are_undamaged(
    book: Path,
) -> None:
    """Ana has played her solo; with a cached standing, no earlier round is replayed."""
    said = program("status").out
    assert "1 deal of 4 played\n" in said
    assert "Ben, Cleo and Dan owe a solo\n" in said
    assert book_contents(str(book)).faults == []
    verified = program("verify", "1").out
    assert "(auction.needs, 3.4) [stands]" in verified
    assert "record.damaged" not in verified
    with closing(sqlite3.connect(book)) as connection:
        (summary,) = connection.execute(
            "SELECT summary FROM kept_rounds WHERE number = 1"
        ).fetchone()
    assert '"code":"auction.owed"' in summary


def test_a_match_replayed_from_its_log_has_the_same_standing(book: Path, tmp_path: Path) -> None:
    with Book(book, create=False) as opened:
        recorder = MatchRecorder(opened, 1)
        assert recorder.full_match().standing == recorder.match.standing
        path = tmp_path / "record.toml"
        path.write_text(record_text(recorder.full_match()), "utf-8")
    again = RecordSource(str(path)).match()
    assert list(again.ruleset.phases)[2:4] == ["auction", "parties"]


def test_a_pinned_table_gets_the_keys_of_an_auction(book: Path) -> None:
    table = current_form(unpin(pinned_text(book)))
    auction = table["phases"]["auction"]
    assert (auction["turns"], auction["nobody"], auction["raises"]) == (
        "wishes", "normal", ["piksolo"])  # fmt: skip
    assert "default" not in auction
    assert "solos" not in auction
    assert table["contracts"]["piksolo"]["sides"] == "alone"
    assert not {"solo", "raises"}.intersection(*table["contracts"].values())
    assert "auction.needs" in table["remedies"]["reservation"]["on"]


def test_solos_that_were_no_lone_contracts_stay_solos(book: Path) -> None:
    old = unpin(pinned_text(book))
    old["contracts"]["piksolo"]["solo"] = False
    old["contracts"]["hochzeit"]["solo"] = True
    ruleset = pinned(pin(old), "")
    solos = ruleset.data["phases"]["auction"]["solos"]
    assert "hochzeit" in solos
    assert "piksolo" not in solos
    match = Match(ruleset, FOUR)
    assert refusals(match, "Ana: hochzeit lust")[-1:] == ["auction.owed"]
    with pytest.raises(Failure, match="lust"):
        match.judge("Ana: piksolo lust")


def test_options_of_a_record_from_then_are_read(tmp_path: Path) -> None:
    path = tmp_path / "record.toml"
    path.write_text(
        'format = 3\nruleset = "doppelkopf-ddv"\nplayers = ["Ana", "Ben", "Cleo", "Dan"]\n'
        '[options]\n"phases.reservations.deals" = 4\n"phases.reservations.default" = "normal"\n'
        '"match.ends" = "deals >= 4"\n',
        "utf-8",
    )
    match = RecordSource(str(path)).match()
    with pytest.raises(Illegal, match="must play the solo they owe"):
        match.record("Ana: gesund")


# --- the keys of the auction now


def test_solos_and_raises_may_be_listed() -> None:
    match = Match(
        load_ruleset(
            "doppelkopf-ddv",
            phases={"auction": {"deals": 4, "solos": ["hochzeit"], "raises": ["damensolo"]}},
            match={"ends": "deals >= 4"},
        ),
        FOUR,
    )
    assert refusals(match, "Ana: damensolo") == ["auction.owed"]
    assert refusals(match, "Ana: hochzeit") == []
    assert refusals(match, "Ana: damensolo keine90") == ["auction.owed"]
    assert refusals(match, "Ana: piksolo keine90") == ["auction.raisable", "auction.owed"]


@pytest.mark.parametrize(
    ("ruleset", "key", "value"),
    [
        ("doppelkopf", "phases.auction.bids", '"contracts"'),
        ("doppelkopf", "phases.auction.doubles", '["kontra"]'),
        ("doppelkopf", "contracts.piksolo.when", '"false"'),
        ("doppelkopf", "contracts.piksolo.solo", "true"),
        ("skat", "phases.auction.raises", '"alone"'),
        ("skat", "phases.auction.compulsory", '"2.1"'),
        ("doppelkopf", "phases.reservations.cut_short", "true"),
    ],
)
def test_a_key_that_means_nothing_in_this_auction_is_a_fault(
    ruleset: str, key: str, value: str
) -> None:
    faults = check(ruleset, [f"{key}={value}"])[2]
    assert [fault.key for fault in faults][:1] in ([key], [key.rpartition(".")[0]])


@pytest.mark.parametrize("key", ["raises", "solos"])
def test_a_list_names_contracts(key: str) -> None:
    (fault,) = check("doppelkopf", [f'phases.auction.{key}=["piksol"]'])[2]
    assert fault.key == f"phases.auction.{key}"
    assert fault.message.endswith(f"phases.auction.{key} names no contract: piksol")
