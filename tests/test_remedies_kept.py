"""Stored and printed decisions: scores, sheets, exports, records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset, read_record, verify_record, write_record
from scorekeeper.history.statistics import CatalogEntry, make_statistics
from scorekeeper.match.remedies import faults_of
from tests.disputes import FOUR, RULES, Table
from tests.helpers import match_of, program

SHOWN = ("all: gesund", "Ana: AC", "Ben: 9D", "Cleo: KC", "Dan: TC", "Ben: KC")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.toml"


def written(path: Path, *entries: str) -> str:
    """Write a record with these entries and return its path."""
    write_record(match_of(RULES, FOUR, *entries), path)
    return str(path)


def rows_of(path: str, caption: int = 0) -> list[list[str]]:
    rows: list[list[str]] = json.loads(program("sheet", "--match", path, "--format", "json").out)[
        "tables"
    ][caption]["rows"]
    return rows


def test_a_decided_penalty_has_a_row_of_its_own(path: Path) -> None:
    file = written(path, *SHOWN, "claim Ana: 3 minor", "claim Ana: talk Ben -6")
    deal, minor, talk = rows_of(file)
    assert (deal[0], minor[0], talk[0]) == ("1", "minor (12.3)", "talk (12.7)")
    assert minor[-4:] == ["1 (+1)", "-3 (-3)", "1 (+1)", "1 (+1)"]
    assert talk[-4:] == ["1", "-9 (-6)", "1", "1"]
    out = program("score", "--match", file, "--explain", "1").out
    assert "  Ben's 9D (3), claimed by Ana: minor (12.3)\n" in out
    assert "  minor: Ana +1, Ben -3, Cleo +1, Dan +1 (doppelkopf 12.3)\n" in out
    assert "  talk: Ben -6 (doppelkopf 12.7)\n" in out


@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_a_void_round_says_why_in_every_sheet(path: Path, format: str) -> None:
    file = written(path, *SHOWN, "claim Ana: 3 serious")
    text = program("sheet", "--match", file, "--format", format).out.replace("&#x27;", "'")
    assert "Ben's 9D (3), claimed by Ana: serious (12.3); the round is void" in text
    deal, _ = rows_of(file)
    assert deal[-4:] == ["0 (0)"] * 4


def test_a_round_without_a_score_of_its_own_says_why(path: Path) -> None:
    table = Table("solo", known=False)
    while not table.match.state["faults"]:
        table._lay(table.cards.pop(0))
    (fault,) = table.faults
    table.say(f"claim {fault['may'][0]}: {fault['at']} serious")
    write_record(table.match, path)
    sheet = " ".join(program("sheet", "--match", str(path)).out.split())
    act = fault["text"].partition(": ")[2]
    assert f"Deal 1: Ben's {act} ({fault['at']}), claimed by {fault['may'][0]}: serious" in sheet
    assert "the round counts without a score" in sheet
    assert table.match.rounds[0].over


def test_tricks_that_were_given_are_told(path: Path) -> None:
    table = Table("decided", known=False).to("Ben: 9S", "Ben: JD").claim("Cleo", "Ben: 9S", "minor")
    write_record(table.match, path)
    out = program("score", "--match", str(path), "--explain", "1").out
    assert "claimed by Cleo: minor (12.5); the other side gets the tricks from that point on" in out
    assert rows_of(str(path))[1][0] == "minor (12.5)"


def test_rows_sum_to_what_stands_on_the_sheet(path: Path) -> None:
    file = written(
        path, *SHOWN, "claim Ana: 3 serious", "result contract=normal re=Ben+Dan points=132"
    )
    rows = rows_of(file)
    assert [row[0] for row in rows] == ["1", "serious (12.3)", "2"]
    scores = read_record(file).scores
    assert [cell.partition(" ")[0] for cell in rows[-1][-4:]] == [str(scores[n]) for n in FOUR]


def test_a_summary_carries_what_was_wrong_and_others_are_as_they_were() -> None:
    match = match_of(RULES, FOUR, *SHOWN, "claim Ana: 3 minor")
    (summary,) = match.summaries()
    (fault,) = faults_of(summary)
    assert (fault["ended"], fault["weight"], fault["by"], fault["cited"]) == (
        *("decided", "minor", 7), "12.3",
    )  # fmt: skip
    assert sum(line["points"] for line in fault["lines"]) == 0
    (plain,) = match_of("doppelkopf", FOUR, *SHOWN).summaries()
    assert "faults" not in plain


def test_statistics_count_it_like_one_that_was_entered_by_hand() -> None:
    fined = {"statistics.fined": {"label": "fined", "count": "lines", "lines": ["minor"]}}
    counts = []
    for said in ("claim Ana: 3 minor", "penalty Ben: minor"):
        match = match_of(RULES, FOUR, *SHOWN, said, **fined)
        (found,) = make_statistics([CatalogEntry(match)])
        counts.append({name: row.counts["fined"] for name, row in found.players.items()})
    assert counts == [{"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}] * 2


def test_an_export_has_them(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    file = written(path, *SHOWN, "claim Ana: 3 serious")
    assert program("import", file).code == 0
    (match,) = json.loads(program("export", "--format", "json").out)["matches"]
    (round_,) = match["rounds"]
    assert round_["void"] == "Ben's 9D (3), serious"
    assert [fault["weight"] for fault in round_["faults"]] == ["serious"]
    program("export", "--to", str(tmp_path / "again.toml"))
    assert (tmp_path / "again.toml").read_text("utf-8").split("[[rounds]]")[1] == path.read_text(
        "utf-8"
    ).split("[[rounds]]")[1]


# --- verify


@pytest.mark.parametrize("said", [["claim Ana: 3 minor"], ["waive all"], ["claim Ana: 3 none"]])
def test_what_was_claimed_or_has_lapsed_is_decided(path: Path, said: list[str]) -> None:
    report = verify_record(written(path, *SHOWN, *said))
    assert report["ok"]
    (finding,) = report["findings"]
    assert finding["decision"] in ("minor", "lapsed", "none")
    assert f"[{finding['decision']}]" in program("verify", str(path)).out


def test_what_may_still_be_claimed_is_not(path: Path) -> None:
    report = verify_record(written(path, *SHOWN))
    assert not report["ok"]
    assert [finding["decision"] for finding in report["findings"]] == [None]


def test_a_claim_that_was_not_allowed_is_a_finding_like_any_other(path: Path) -> None:
    match = Match(load_ruleset(RULES), list(FOUR))
    match.play_round([*SHOWN, "Cleo: 9C", "claim Cleo: 3 minor"])
    write_record(match, path)
    report = verify_record(path)
    assert not report["ok"]
    (claim,) = [each for each in report["findings"] if each["code"] == "remedies.entitled"]
    assert (claim["entry"], claim["decision"], claim["cite"]) == (
        "claim Cleo: 3 minor",
        None,
        "12.2",
    )
    out = program("verify", str(path)).out
    assert "Cleo may not claim that, because they have played on since (7, Cleo: 9C)" in out
