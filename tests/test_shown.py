"""Plays that depend on unseen hands, as the table sees them: a mark, a line at the end of a trick,
and a report at the end of a round."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import (
    Illegal,
    Impossible,
    Match,
    Unreadable,
    load_ruleset,
    verify_record,
    write_record,
)
from scorekeeper.core.rulings import SettledAct
from scorekeeper.match.status import end_report, open_entries, settled_entries
from scorekeeper.session.live import LiveMatch, Session
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from tests.helpers import SHIPPED, program
from tests.random_play import evening
from tests.test_doppelkopf_cases import DDV, cases, deal_of

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
RULESETS = Path(__file__).parent / "rulesets"
DEAL = cases("games")[0].values[0]
REVOKED = ["all: gesund", "Ana: AC", "Ben: 9D", "Cleo: 9C", "Dan: 9C"]
PROVEN = [*REVOKED, "Ben: KC", "Cleo: TC", "Dan: AC", "Ana: KC"]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.db"))
    return tmp_path / "book.db"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveMatch]:
    with Book(tmp_path / "live.db") as book:
        yield Session([begin_match(book, load_ruleset("doppelkopf"), NAMES)]).current


def recorded(*entries: str, ruleset: str = "doppelkopf", players: list[str] = NAMES) -> str:
    """Return the output of recording these entries, each in a separate process."""
    program("new", ruleset, *players)
    return "".join(program("record", entry).out for entry in entries)


# --- the mark


@pytest.mark.usefixtures("path")
def test_a_card_of_which_nobody_knows_is_marked_for_people_only() -> None:
    told = recorded(*REVOKED[:3])
    assert "Ben: 9D?  [open]\n" in told
    assert "Ana: AC  [ok]\n" in told
    assert "on the table: Ana: AC; Ben: 9D?\n" in program("status").out
    for command in (["status"], ["legal"], ["export"]):
        format = "json" if command != ["export"] else "toml"
        assert "9D?" not in program(*command, "--format", format).out
    (ruling,) = program("record", "Cleo: 9D", "--format", "json").data
    assert (ruling["entry"], ruling["verdict"]) == ("Cleo: 9D", "open")


@pytest.mark.usefixtures("path")
def test_the_mark_goes_when_it_is_settled() -> None:
    recorded("all: gesund", "Ana: AC", "Ben: 9D")
    assert "Ben: 9D?" in program("status").out
    program("record", "holds Ben: KC")
    assert "9D?" not in program("status").out


@pytest.mark.usefixtures("path")
def test_an_entered_hand_takes_the_mark_away_only_where_it_may_be_used() -> None:
    hand = "QC QC JC JS JH JD AD KD 9D TH TH AS"
    recorded(f"hand Ben: {hand}", "all: gesund", "Ana: AC", "Ben: 9D")
    assert "Ben: 9D?" in program("status").out
    assert "Ben: 9D?" not in program("status", "--reveal").out


def test_the_live_table_marks_it_too(table: LiveMatch) -> None:
    for entry in REVOKED[:3]:
        table.enter(entry)
    assert table.screen().table == ["Ana: AC", "Ben: 9D?"]
    assert table.log.events[-2].text == "  1.3  Ben: 9D?  [open]"


# --- the end of a trick


def test_a_trick_says_what_was_settled_in_it() -> None:
    match = Match(load_ruleset("doppelkopf"), NAMES)
    ended = {text: match.record(text).settled_in_trick for text in PROVEN}
    assert ended.pop("Ana: KC") == (SettledAct(1, 3, "Ben: 9D", False),)
    assert not any(ended.values())


@pytest.mark.usefixtures("path")
def test_it_is_one_line_though_every_card_came_by_itself() -> None:
    told = recorded(*PROVEN).splitlines()
    assert [line for line in told if "settled" in line] == [
        "  settled in this trick: 1.3 Ben: 9D was wrong"
    ]
    data = program("record", "Dan: 9D", "--format", "json").out
    assert "ended" not in data


@pytest.mark.usefixtures("path")
def test_what_was_kept_is_told_and_many_are_counted() -> None:
    told = recorded(*deal_of(DEAL, hands=False), ruleset=DDV)
    assert "  settled in this trick: 1.12 Dan: re was right; 1.13 Dan: keine90 was right;" in told
    assert "5 others were right\n" in told
    assert told.count("settled in this trick") == 2


def test_the_live_table_tells_it_in_the_trick(table: LiveMatch) -> None:
    table.enter(", ".join(PROVEN))
    assert table.log.events[-1].text.strip() == "settled in this trick: 1.3 Ben: 9D was wrong"


def test_it_is_undone_with_the_card() -> None:
    match = Match(load_ruleset("doppelkopf"), NAMES)
    for text in PROVEN:
        ruling = match.record(text)
    for _ in range(4):
        match.undo()
    assert settled_entries(match.live_round) == []
    for text in PROVEN[-4:]:
        again = match.record(text)
    assert again.settled_in_trick == ruling.settled_in_trick


# --- the end of a round


def ends_of(match: Match) -> list[list[str]]:
    return [end_report(match.replay_round(played)) for played in match.rounds]


@pytest.mark.parametrize("case", cases("games"))
def test_a_round_that_is_played_out_is_verified(case: dict[str, Any]) -> None:
    for hands in (True, False):
        match = Match(load_ruleset(DDV), NAMES)
        match.play_round(deal_of(case, hands))
        assert ends_of(match) == [[] if hands else ["every play is verified"]]


@pytest.mark.usefixtures("path")
def test_it_is_said_once_with_the_entry_that_ends_the_round() -> None:
    told = recorded(*deal_of(DEAL, hands=False), ruleset=DDV)
    assert told.count("  every play is verified\n") == 1
    assert "every play" not in program("record", "note a good one").out
    assert "every play" not in recorded(*deal_of(DEAL, hands=True), ruleset=DDV)


@pytest.mark.usefixtures("path")
def test_what_is_open_says_what_would_settle_it() -> None:
    told = recorded(*REVOKED, "void Ben spilt the tea")
    assert (
        "round 1 is over: Ana +0, Ben +0, Cleo +0, Dan +0; void: Ben spilt the tea\n"
        "  1 entry is still open:\n"
        "    3 (Ben: 9D): the cards that Ben still holds would show whether Ben had clubs\n"
    ) in told


def test_a_group_is_told_with_the_plays_and_is_none_itself(tmp_path: Path) -> None:
    """No player follows the first club; of the other three, Ana can hold two."""
    match = Match(load_ruleset(str(RULESETS / "small.toml")), NAMES)
    for text in ("Ana: AC", "Ben: KH", "Cleo: QH", "Dan: JH", "void"):
        match.record(text)
    assert open_entries(match.live_round) == [2, 3, 4]
    told = ends_of(match)[0]
    assert told[0] == "3 entries are still open:"
    assert (
        told[1] == "  2 (Ben: KH): the cards that Ben still holds would show whether Ben had clubs"
    )
    assert "2 (Ben: KH), 3 (Cleo: QH) and 4 (Dan: JH)" in told[4]
    write_record(match, tmp_path / "group.toml")
    report = verify_record(tmp_path / "group.toml")
    assert [row["open"] for row in report["rounds"]] == [3]
    assert [f["code"] for f in report["findings"]].count("hands.group") == 1
    assert "; 3 open plays\n" in program("verify", str(tmp_path / "group.toml")).out


@pytest.mark.usefixtures("path")
def test_what_was_wrong_is_named() -> None:
    told = recorded(*PROVEN, "void Ben has had enough")
    assert (
        "  every play has been checked: 3 (Ben: 9D) was wrong, and all others were right\n" in told
    )


@pytest.mark.usefixtures("path")
def test_what_was_seen_to_be_wrong_at_once_is_not_verified_either() -> None:
    told = recorded(*PROVEN, "Cleo: KH !stands", "void Ben has had enough")
    assert (
        "every play has been checked: 3 (Ben: 9D) and 10 (Cleo: KH !stands) were wrong, and all"
        in told
    )


@pytest.mark.usefixtures("path")
def test_what_nothing_can_settle_is_told_as_such() -> None:
    """Cards played before the recording began are unknown."""
    told = recorded(*(f"hand {name}: 3" for name in NAMES), "lead Ana", "Ana: 4H", "void",
                    ruleset="hearts")  # fmt: skip
    (line,) = [line for line in told.splitlines() if line.startswith("    6 (Ana: 4H): ")]
    assert line.endswith("it is unknown whether they could; no later entry can settle this")
    assert "1 entry is still open:\n" in told


def test_the_live_table_says_it_too(table: LiveMatch) -> None:
    table.enter(", ".join([*REVOKED, "void"]))
    assert [event.text.strip() for event in table.log.events[-2:]] == [
        "1 entry is still open:",
        "3 (Ben: 9D): the cards that Ben still holds would show whether Ben had clubs",
    ]


def test_nothing_that_only_the_recorder_was_told_is_said_at_the_live_table(
    table: LiveMatch,
) -> None:
    hand = "QC QC JC JS JH JD AD KD 9D TH TH AS"
    table.enter(", ".join([f"hand Cleo: {hand}", *REVOKED[:3], "void"]))
    assert "TH" not in " ".join(event.text for event in table.log.events)


@pytest.mark.usefixtures("path")
def test_letters_of_the_match_are_used() -> None:
    program("new", "doppelkopf", *NAMES, "--language", "fr")
    for entry in ["all: sain", "Ana: AT", "Ben: 9K", "void"]:
        told = program("record", entry)
    assert "3 (Ben: 9K)" in told.out


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", [3, 4])
def test_entry_by_entry_and_at_once_the_same_is_open_and_settled(name: str, seed: int) -> None:
    """Record evenings as a table that sees no hand would enter them."""
    played = evening(name, seed)
    one, other = played.fresh(), played.fresh()
    for part in played.said:
        for text in [said.unseen for said in part if said.unseen]:
            with suppress(Unreadable, Impossible):
                try:
                    one.record(text)
                except Illegal:
                    one.record(f"{text} !stands")
        other.play_round(one.rounds[-1].entries)
        if one.rounds[-1].number != other.rounds[-1].number:
            break  # an entry was impossible, or joined the round before, so the two differ now
        assert open_entries(one.live_round) == open_entries(other.live_round)
        assert one.live_round.log.settled == other.live_round.log.settled
        assert end_report(one.live_round) == end_report(other.live_round)
