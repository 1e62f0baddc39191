"""`Match.record` takes one entry, as a line of a record has it; the written record reads back."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Failure, Match, Unreadable, load_ruleset, verify_record, write_record
from tests.helpers import program

FOUR, THREE, TWO = ("Ana", "Ben", "Cleo", "Dan"), ("Ana", "Ben", "Cleo"), ("Ana", "Ben")
RESULTS = [
    ("doppelkopf", FOUR, "result contract=normal re=Ana+Ben points=130"),
    ("doppelkopf", FOUR, "130 re=Ana+Ben"),
    ("skat", THREE, "result declarer=Ana contract=grand points=60 matadors=1"),
    ("dudo", TWO, "Ana: 3x4"),
    ("dudo", TWO, "result loser=Ana"),
    ("durak", TWO, "hand Ana: 6S 7S"),
    ("hearts", FOUR, "score Ana: 5"),
]
AFTER = (
    "  # what !withdrawn", " # what", "\t#", " !withdrawn # what", " # a, b; c !stands",
    ", x !withdrawn", "; 5 !withdrawn", ", note x", " , !stands", ",5 !withdrawn",
)  # fmt: skip


@pytest.mark.parametrize(("rules", "players", "entry"), RESULTS)
@pytest.mark.parametrize("after", AFTER)
def test_what_is_written_of_an_entry_is_read_again(
    rules: str, players: tuple[str, ...], entry: str, after: str, tmp_path: Path
) -> None:
    match = Match(load_ruleset(rules), players)
    try:
        ruling = match.record(entry + after)
    except Failure:
        assert not any(played.entries for played in match.rounds)
    else:
        assert "#" not in ruling.entry
        assert match.notation.split_line(ruling.entry) == [ruling.entry]
    path = tmp_path / "record.toml"
    write_record(match, path)
    assert verify_record(path)["ok"]


def test_a_comment_is_no_part_of_an_entry_for_the_library_either() -> None:
    match = Match(load_ruleset("doppelkopf"), FOUR)
    assert match.record("130 re=Ana+Ben  # what !withdrawn").entry == (
        "result contract=normal re=Ana+Ben points=130"
    )
    assert match.record("130 re=Ana+Ben !withdrawn # what").entry.endswith("points=130 !withdrawn")
    assert match.record("hand Ana: KS KS # both").entry == "hand Ana: KS KS"
    with pytest.raises(Unreadable, match="the entry is empty"):
        match.record("# nothing")
    # Free text extends to the end of its line.
    assert match.record("note 1, 2; # 3 !withdrawn").entry == "note 1, 2; # 3 !withdrawn"


def test_two_entries_are_not_recorded_as_one() -> None:
    match = Match(load_ruleset("doppelkopf"), FOUR)
    with pytest.raises(Unreadable, match="is more than one entry; type one entry at a time"):
        match.record("result re=Ana+Ben points=130, note x !withdrawn")


def test_the_command_line_reads_it_alike(tmp_path: Path) -> None:
    book = ("--book", str(tmp_path / "book.sqlite"))
    assert program("new", "doppelkopf", *FOUR, *book).code == 0
    answer = program("record", "130 re=Ana+Ben  # what !withdrawn", *book)
    assert answer.out.startswith("result contract=normal re=Ana+Ben points=130  [ok]")
