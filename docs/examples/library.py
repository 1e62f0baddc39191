"""The referee as a library: judge, record, undo and amend, and a record written and read back.

Run it from anywhere: `python docs/examples/library.py`.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from scorekeeper import (
    Illegal,
    Impossible,
    Match,
    Unreadable,
    load_ruleset,
    read_record,
    verify_record,
    write_record,
)

NAMES = ["Ana", "Ben", "Cleo", "Dan"]


def told(match: Match, text: str) -> str:
    """What comes of an entry: it is recorded, or why it is not, and what the rules say of it."""
    try:
        ruling = match.record(text)
    except Illegal as refused:
        ruling = refused.ruling
    except Impossible as failure:
        return f"impossible: {failure.message}"
    except Unreadable as failure:
        return f"unreadable: {failure.message}"
    reasons = [f"\n  {each.reason} ({each.code}, {each.cite})" for each in ruling.findings]
    return f"{ruling.entry}: {ruling.verdict}{''.join(reasons)}"


def a_trick_with_unseen_hands() -> Match:
    """An open ruling, the card that proves it a revoke, and what is no entry at this table."""
    match = Match(load_ruleset("doppelkopf"), NAMES)
    for text in ("all: gesund", "AC", "9S", "TC", "KC"):
        print(told(match, text))
    print("to act:", match.to_act, "points:", match.state["players"]["Ana"]["points"])
    for text in ("Cleo: TH", "AC", "Ben: 9C", "Cleo: AC", "Cleo: a fox"):
        print(told(match, text))
    return match


def corrections(match: Match) -> None:
    """What was recorded last is taken back; an earlier entry gives way to another."""
    match.undo()
    print(match.rounds[0].entries)
    amended = match.amended(1, 3, "Ben: 9C")
    print(amended.rounds[0].entries)
    print("Ben asks:", match.judge("Ben: 9D").verdict, "entries:", len(match.rounds[0].entries))


def choices_and_a_record(folder: Path) -> None:
    """A ruleset with choices, a match by results, a record that is verified."""
    match = Match(load_ruleset("dudo", tally={"start": 2}), NAMES)
    for loser in ("Ana", "Ben", "Ana", "Ben"):
        match.record(f"result loser={loser}")
    print(match.scores, "next:", match.to_act, "who may:", match.legal()[:2])
    path = folder / "evening.toml"
    write_record(match, path)
    print(read_record(path).scores == match.scores, verify_record(path)["ok"])


if __name__ == "__main__":
    corrections(a_trick_with_unseen_hands())
    with TemporaryDirectory() as folder:
        choices_and_a_record(Path(folder))
