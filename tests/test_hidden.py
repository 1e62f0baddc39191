"""A record judged as if hands had not been given: `verify --hands-hidden`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset, verify_record, write_record
from tests.helpers import SHIPPED, match_of, program
from tests.random_play import evening
from tests.test_doppelkopf_cases import DDV, NAMES, cases, deal_of, play

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
RECORDS = sorted((HERE / "records").glob("*.toml"))
HAND = "QC QC JC JS JH JD AD KD 9D AC TC 9C"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.toml"


def written(path: Path, *entries: str, ruleset: str = "doppelkopf") -> Path:
    write_record(match_of(ruleset, NAMES, *entries), path)
    return path


def broken(report: dict[str, Any]) -> set[tuple[object, ...]]:
    """Return the entries that the report calls wrong."""
    found: Iterable[dict[str, Any]] = report["findings"]
    return {(f["round"], f["line"], f["entry"]) for f in found if f["verdict"] == "illegal"}


@pytest.mark.parametrize("case", cases("games"))
def test_real_deals_are_verified_to_the_last_card_though_nobody_saw_a_hand(
    case: dict[str, Any], path: Path
) -> None:
    match, played = play(DDV, case, hands=True)
    write_record(match, path)
    report = verify_record(path, hands_hidden=True)
    assert (report["ok"], report["findings"], report["hidden"]) == (True, [], 4)
    assert report["rounds"][0]["open"] == 0
    assert report["rounds"][0]["scores"] == played.scores
    assert report["scores"] == verify_record(path)["scores"]


def accused_alike(path: Path) -> dict[str, Any]:
    """Return the report without hands, after comparing it with the report that uses them.

    Everything proven without hands is proven with them, for the same entries. Every score is the
    same, or needs more facts.
    """
    known, hidden = verify_record(path), verify_record(path, hands_hidden=True)
    assert broken(hidden) <= broken(known)
    for one, other in zip(known["rounds"], hidden["rounds"], strict=True):
        assert other["scores"] in (None, one["scores"])
    return hidden


# Who claims or concedes must state the matadors if no hand was seen.
FULL = [path for path in RECORDS if path.stem != "skat_claims"]


@pytest.mark.parametrize("record", FULL, ids=lambda path: path.stem)
def test_nothing_is_proven_of_a_record_that_its_hands_do_not_prove(record: Path) -> None:
    accused_alike(record)


@pytest.mark.parametrize("name", SHIPPED)
def test_nothing_is_proven_of_evenings_that_the_hands_do_not_prove(name: str, path: Path) -> None:
    write_record(evening(name, 2, most=80).match, path)
    accused_alike(path)


def test_a_finding_points_to_the_file_as_it_is(path: Path) -> None:
    written(path, f"hand Ana: {HAND}", "all: gesund", "lead Dan", "Dan: AC", "Ana: QC !stands")
    with path.open() as file:
        lines = file.read().split("\n")
    report = verify_record(path, hands_hidden=True)
    (finding,) = report["findings"]
    assert finding["verdict"] == "open"
    assert lines[finding["line"] - 1] == finding["entry"] == "Ana: QC !stands"
    assert (report["hidden"], finding["decision"]) == (1, "stands")
    (known,) = verify_record(path)["findings"]
    assert (known["verdict"], known["line"]) == ("illegal", finding["line"])


def test_what_the_hands_refuse_is_taken_back_without_a_trace(path: Path) -> None:
    """Withdraw a TH that Ana does not have. It was not her card, so Ben's is no fault."""
    written(path, f"hand Ana: {HAND}", "all: gesund", "Ana: TH !withdrawn", "Ana: QC",
            "Ben: TH", "Cleo: TH")  # fmt: skip
    assert accused_alike(path)["findings"] == []


def test_cards_that_were_seen_in_a_hand_stay_seen(path: Path) -> None:
    written(path, f"hand Ana: {HAND}", "holds Ben: 9S", "all: gesund", "Ana: AC", "Ben: KC")
    told = program("verify", "--hands-hidden", str(path)).out
    assert "1 entry hidden" in told
    report = verify_record(path, hands_hidden=True)
    assert report["rounds"][0]["open"] is None  # the round is not over


def test_a_score_that_needs_the_hands_is_not_claimed_wrongly(tmp_path: Path) -> None:
    rules = (HERE / "rulesets" / "small.toml").read_text("utf-8")
    rules = rules.replace('order   = "spades"\n', 'order   = "spades"\nclaims  = true\n')
    row = '[scores.dealt]\nfor = "each"\npoints = "count(dealt & trumps)"\ncite = "3.1"\n'
    (tmp_path / "small.toml").write_text(rules + row, "utf-8")
    shutil.copy(HERE / "rulesets" / "fixed-trump.md", tmp_path)
    path, ruleset = tmp_path / "a.toml", load_ruleset(str(tmp_path / "small.toml"))
    match = Match(ruleset, ["Ana", "Ben"])
    for text in (
        *("hand Ana: AC KS QS", "hand Ben: AH KH JS", "Ana: AC", "Ben: KH", "Ana: enough"),
        *("hand Ana: AC KS QS", "hand Ben: AH KC JS", "Ben: AH", "Ana: KS", "Ana: enough"),
    ):
        match.record(text)
    write_record(match, path)
    report = verify_record(path, hands_hidden=True)
    assert (report["ok"], report["scores"]) == (True, None)
    assert [row["scores"] for row in report["rounds"]] == [None, None]
    assert [finding["verdict"] for finding in report["findings"]] == ["open", "open"]
    assert program("verify", "--hands-hidden", str(path)).out.startswith(
        f"{path}: verified; 2 rounds; 4 entries hidden; 2 open plays\n"
    )


def test_where_there_are_no_hands_nothing_is_hidden() -> None:
    dice = str(HERE / "records" / "dudo_seed.toml")
    answer = program("verify", "--hands-hidden", dice)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith("; no hidden cards\n")
    report = verify_record(dice)
    assert {**report, "hidden": 0} == verify_record(dice, hands_hidden=True)


def test_a_match_of_the_book_is_judged_so_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path.with_name("book.db")))
    write_record(play(DDV, cases("games")[1].values[0], hands=True)[0], path)
    program("import", str(path))
    (kept,) = program("verify", "--hands-hidden", "1", "--format", "json").data
    assert (kept["ok"], kept["findings"], kept["hidden"]) == (True, [], 4)
    assert kept["rounds"] == verify_record(path, hands_hidden=True)["rounds"]


def test_several_processes_say_what_one_says() -> None:
    files = [str(path) for path in RECORDS if path.stem.startswith(("doppelkopf_G", "durak"))]
    for format in ("text", "json"):
        asked = ["verify", "--hands-hidden", *files, "--format", format]
        assert program(*asked, "--jobs", "2") == program(*asked, "--jobs", "1")


def test_all_files_are_counted_together(tmp_path: Path) -> None:
    paths = []
    for number in range(2):
        match = Match(load_ruleset(DDV), NAMES)
        match.play_round(deal_of(cases("games")[number].values[0], hands=True))
        paths.append(tmp_path / f"{number}.toml")
        write_record(match, paths[-1])
    told = program("verify", "--hands-hidden", *map(str, paths)).out.splitlines()
    assert [line.rpartition("; ")[2] for line in told[:2]] == ["every play verified"] * 2
    assert told[2] == "2 files: every play verified"
    known = program("verify", *map(str, paths)).out
    assert "every play" not in known  # nothing was open


def test_what_is_no_record_is_told_as_ever(path: Path) -> None:
    path.write_bytes(b"\xff\x1b[31m")
    answer = program("verify", "--hands-hidden", str(path), str(path.parent / "none.toml"))
    assert answer.code == 1
    assert answer.out.count("record.damaged") == 2
    assert "\x1b" not in answer.out
    assert program("verify", "--hands-hidden").code == 2


def test_the_log_of_a_match_counts_the_hands_unless_they_are_to_be_revealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.db"))
    program("new", "doppelkopf", *NAMES)
    program("record", f"hand Ana: {HAND}", "note a word", "hand Ben: 12")
    program("amend", "3", "hand Ben: 12", f"hand Ana: {HAND.replace('9D', 'TD')}")
    assert "Ana: 12" in program("status", "--log").out
    for format in ("text", "json"):
        shown = program("status", "--log", "--format", format).out
        assert not set(HAND.split()) & set(shown.replace('"', " ").split())
        revealed = program("status", "--log", "--reveal", "--format", format).out
        assert HAND in revealed
