"""The records in `tests/records`: evenings written by hand, at least one per shipped ruleset."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scorekeeper import read_record, verify_record, write_record
from tests.helpers import SHIPPED

RECORDS = sorted((Path(__file__).parent / "records").glob("*.toml"))
each = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)


def marked(path: Path) -> dict[int, str]:
    """Return the lines (from 1) with a finding, and its kind by the record's own comments: decided,
    open, or a revoke."""
    found: dict[int, str] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        entry, _, comment = line.partition("#")
        mark = comment.strip().partition(":")[0]
        if entry.rstrip().endswith(("!stands", "!withdrawn")):
            found[number] = "decided"
        elif entry.strip() and mark in ("open", "revoke"):
            found[number] = mark
    return found


def kind(finding: dict[str, object]) -> str:
    """Return a record's word for the kind of a finding."""
    if finding["decision"]:
        return "decided"
    return "open" if finding["verdict"] == "open" else "revoke"


def test_every_shipped_ruleset_has_a_record() -> None:
    recorded = {tomllib.loads(path.read_text("utf-8"))["ruleset"] for path in RECORDS}
    assert sorted(set(SHIPPED) - recorded) == [], "rulesets without a record in tests/records"


@each
def test_what_is_found_is_what_the_lines_say_and_the_scores_are_right(path: Path) -> None:
    report = verify_record(path)
    assert {row["line"]: kind(row) for row in report["findings"]} == marked(path)
    assert report["ok"] == ("revoke" not in marked(path).values())


@each
def test_every_finished_round_claims_its_scores(path: Path) -> None:
    match = read_record(path)
    claims = [part.get("scores") for part in tomllib.loads(path.read_text("utf-8"))["rounds"]]
    assert claims == [played.scores if played.over else None for played in match.rounds]


@each
def test_a_record_that_is_written_again_stays_as_it_is(path: Path, tmp_path: Path) -> None:
    match = read_record(path)
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    write_record(match, first)
    write_record(read_record(first), second)
    assert first.read_bytes() == second.read_bytes()
    assert match.state == read_record(first).state
