"""Findings for the table to rule on: proven ones, open ones, decided ones, and the commands that
decide the rest."""

from __future__ import annotations

import json
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorekeeper import load_ruleset
from scorekeeper.match.match import Match
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.tables import COLUMNS, checksum, select_query
from tests.helpers import SHIPPED, Answer, program
from tests.random_play import evening

PLAYERS = ("Ana", "Ben", "Cleo", "Dan")
KEYS = [
    "code", "verdict", "severity", "cite", "facts", "reason",
    "round", "number", "entry", "decision", "settled_by", "actions",
]  # fmt: skip
# Ben does not follow and shows a spade two entries later. Cleo's play is open, and her call is
# late.
REVOKE = """
format = 2
ruleset = "doppelkopf-ddv"
players = ["Ana", "Ben", "Cleo", "Dan"]

[options]
"remedies.revoke" = false
"remedies.turn" = false
"remedies.call" = false

[[rounds]]
entries = '''
all: gesund
Ana: AS, Ben: QS, Cleo: KS, Dan: TS
Ben: KS
Cleo: 9C
Cleo: 9D
Dan: 9H, Cleo: re
'''
"""


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    return path


@pytest.fixture
def revoke(tmp_path: Path) -> Path:
    """Write a record with an undecided revoke."""
    path = tmp_path / "revoke.toml"
    path.write_text(REVOKE)
    return path


def new(ruleset: str, *entries: str, players: tuple[str, ...] = PLAYERS) -> None:
    assert program("new", ruleset, *players).code == 0
    for entry in entries:
        assert program("record", entry).code == 0, entry


def listed(*arguments: str) -> list[dict[str, Any]]:
    """Return the list as JSON."""
    answer = program("rulings", *arguments, "--format", "json")
    assert answer.code == 0, answer.err
    rows: list[dict[str, Any]] = answer.data
    return rows


def brief(rows: list[dict[str, Any]]) -> list[tuple[str, str, str | None]]:
    """Return the place, the code and the decision of each row."""
    return [(f"{row['round']}.{row['number']}", row["code"], row["decision"]) for row in rows]


def commands(rows: list[dict[str, Any]]) -> list[str]:
    """Return all commands that the rows offer."""
    return list(dict.fromkeys(action for row in rows for action in row["actions"]))


def run(command: str) -> Answer:
    """Run a command as it is printed."""
    name, *arguments = shlex.split(command)
    assert name == "scorekeeper"
    return program(*arguments)


def tried(command: str, book: Path, monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Run a command in a copy of the book."""
    copy = book.with_name("copy.sqlite")
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(book)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    with monkeypatch.context() as patch:
        patch.setenv("SCOREKEEPER_BOOK", str(copy))
        return run(command)


# --- listed findings


def test_a_match_in_which_nothing_was_found_says_so() -> None:
    new("dudo")
    for _ in range(2):
        assert "no findings" in program("rulings").out
        assert listed() == []
        program("record", "3x4", "Ben: 4x4", "note Ben laughed")


def test_the_last_one_found_comes_first_each_with_its_rule_and_what_became_of_it() -> None:
    new(
        "whist", "trump C", "Ana: QD", "Ben: 3D", "Cleo: 4S", "Dan: 2D", "Cleo: 4D !withdrawn",
        "penalty Ben: -2 talked", "Ana: AH", "2H", "3H", "4H", "Ana: KH", "5H", "Cleo: 6D",
    )  # fmt: skip
    rows = listed()
    assert all(list(row) == KEYS for row in rows)
    assert brief(rows) == [
        ("1.14", "tricks.follow", None),
        ("1.7", "decided.penalty", "penalty"),
        ("1.6", "turn", "withdrawn"),
        ("1.4", "tricks.follow", None),
    ]
    late, _, _, revoke = rows
    assert (late["verdict"], late["settled_by"], late["actions"]) == ("open", None, [])
    assert (revoke["verdict"], revoke["settled_by"], revoke["cite"]) == ("illegal", 6, "2.2")

    answer = program("rulings")
    assert answer.out.split("\n\n") == [
        "1 proven and undecided, 1 open, 2 decided",
        "1.14  Cleo: 6D  [open]\n"
        "  Cleo has not followed hearts in trick 3; it is unknown whether they could\n"
        "  (tricks.follow, whist 2.2)\n"
        "  the cards that Cleo still holds would show whether Cleo had hearts",
        "1.7  penalty Ben: -2 talked  [decided by the table]",
        "1.6  Cleo: 4D !withdrawn  [proven; decided: withdrawn]\n"
        "  it is not Cleo's turn: Ana leads to trick 2 (turn, whist 2.1)",
        "1.4  Cleo: 4S  [proven by 1.6; undecided: it counts until the table decides]\n"
        "  Cleo could have followed diamonds in trick 1 and did not (4, Cleo: 4S): entry\n"
        "  6 (Cleo: 4D !withdrawn) proves this, unless 4 or 6 is mistyped (tricks.follow,\n"
        "  whist 2.2)\n"
        "    the entry stands: scorekeeper amend 1.4 'Cleo: 4S !stands'\n"
        "    the entry was mistyped: scorekeeper amend 1.4 'Cleo: …'\n",
    ]


def test_finished_rounds_are_told_like_the_one_that_goes_on() -> None:
    new("dudo", "3x4", "Ana: 4x4 !stands", "Cleo: 1x1 !withdrawn", "Ben: dudo", "count 4")
    new_round = ["5x5 !stands", "Ana: 6x5 !stands", "foul Ana: peeked", "void torn", "2x2"]
    for entry in new_round:
        assert program("record", entry).code == 0, entry
    found = brief(listed())
    assert found == [
        ("3.1", "decided.void", "void"),
        ("2.3", "decided.foul", "foul"),
        ("2.2", "turn", "stands"),
        ("2.1", "decided.stands", "stands"),
        ("1.3", "turn", "withdrawn"),
        ("1.2", "turn", "stands"),
    ]
    text = program("rulings").out
    assert (
        "2.1  Ben: 5x5 !stands  [decided: the entry stands]\n  the table has ruled on this entry"
        in text
    )
    assert "2.3  foul Ana: peeked  [decided by the table]" in text


def test_a_warning_is_told_as_one() -> None:
    assert program("new", "dudo", *PLAYERS, "--set", "severity=club").code == 0
    assert program("record", "3x4", "2x4").code == 0
    (row,) = listed()
    assert (row["verdict"], row["severity"]) == ("illegal", "warn")
    assert "[warn; undecided: it counts until the table decides]" in program("rulings").out


def test_an_entry_that_cannot_be_ends_what_counts(book: Path) -> None:
    with Book(book) as opened:
        match = Match(load_ruleset("dudo"), list(PLAYERS))
        match.play_round(["Ana: 3x4", "nonsense", "Ben: 4x4"])
        import_match(opened, match)
    (row,) = listed()
    assert (row["number"], row["code"]) == (2, "entry.unreadable")
    assert "[impossible; no entry counts from here on]" in program("rulings").out
    assert row["actions"] == ["scorekeeper amend 1.2 --remove", "scorekeeper amend 1.2 '…'"]
    assert run(row["actions"][0]).code == 0
    assert listed() == []


def test_plays_of_which_one_was_wrong_are_told_and_accuse_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))
    new("small", "AC", "Ben: AH", "Cleo: KH", "KC", "AS", "KS", "QS", "JS", "Ana: QH")
    group, *opens = listed()
    assert (group["code"], group["verdict"], group["number"]) == ("hands.group", "open", 9)
    assert group["facts"]["entries"] == [2, 3]
    assert [group[key] for key in ("decision", "settled_by", "actions")] == [None, None, []]
    assert [(row["number"], row["verdict"]) for row in opens] == [(3, "open"), (2, "open")]
    text = program("rulings").out
    assert text.startswith("1 on a group of plays, 2 open\n\n1.9  Ana: QH  [one of several")

    assert program("record", "Ben: JH").code == 0
    (row,) = listed()
    assert (row["number"], row["verdict"], row["settled_by"]) == (3, "illegal", 10)
    assert "1.3  Cleo: KH  [proven by 1.10; undecided: it counts" in program("rulings").out


# --- offered commands


def test_each_command_does_what_it_says(
    revoke: Path, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert program("import", str(revoke)).code == 0
    rows = listed()
    ben = next(row for row in rows if row["entry"] == "Ben: QS")
    assert ben["actions"] == [
        "scorekeeper amend 1.3 'Ben: QS !stands'",
        "scorekeeper record 'penalty Ben: minor at 1.3'",
        "scorekeeper record 'penalty Ben: harmless at 1.3'",
        "scorekeeper record 'penalty Ben: serious at 1.3'",
        "scorekeeper amend 1.3 'Ben: …'",
    ]
    for command in commands(rows):
        answer = tried(command, book, monkeypatch)
        assert (answer.code != 0) == ("…" in command), (command, answer)

    assert run(ben["actions"][0]).code == 0
    decided = next(row for row in listed() if row["number"] == 3)
    assert (decided["entry"], decided["decision"]) == ("Ben: QS !stands", "stands")
    assert (decided["settled_by"], decided["actions"]) == (6, [])


def test_what_the_program_would_refuse_is_not_offered(revoke: Path) -> None:
    assert program("import", str(revoke)).code == 0
    offered = commands(listed())
    # Ben would not have won the trick
    assert "scorekeeper amend 1.3 'Ben: QS !withdrawn'" not in offered
    assert program("amend", "1.3", "Ben: QS !withdrawn").code == 1
    assert "scorekeeper amend 1.8 'Cleo: 9D !stands'" not in offered
    assert program("amend", "1.8", "Cleo: 9D !stands").code != 0


@pytest.mark.parametrize("name", SHIPPED[::4])
def test_what_is_offered_in_any_game_is_taken(
    name: str, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(name)
    played = evening(name, 1).match
    match = played.copy_from_start()
    for each in played.rounds[:3]:
        entries = list(each.entries)
        at = random.randrange(len(entries))
        entries[at - 1], entries[at] = entries[at], entries[at - 1]
        match.play_round(entries)
    with Book(book) as opened:
        import_match(opened, match)
    for command in commands(listed())[:20]:
        if "…" not in command:
            answer = tried(command, book, monkeypatch)
            assert answer.code == 0, (command, answer)


def test_commands_name_the_match_and_the_book_where_they_must(revoke: Path, tmp_path: Path) -> None:
    assert program("import", str(revoke)).code == 0
    new("dudo")
    for wanted in (("1",), ("--match", "1"), ("1", "--match", "1")):
        offered = commands(listed(*wanted))
        assert "scorekeeper amend --match 1 1.3 'Ben: QS !stands'" in offered
    other = tmp_path / "other one.sqlite"
    assert program("import", str(revoke), "--book", str(other)).code == 0
    assert program("new", "dudo", *PLAYERS, "--book", str(other)).code == 0
    offered = commands(listed("1", "--book", str(other)))
    wanted_book = shlex.quote(str(other))
    expected = f"scorekeeper amend --book {wanted_book} --match 1 1.3 'Ben: QS !stands'"
    assert expected in offered
    assert run(expected).code == 0
    assert listed("1", "--book", str(other)) != listed("1")


def test_names_are_quoted_for_the_shell_and_harmless_on_a_terminal(book: Path) -> None:
    names = ["O'Neil", "-x", "$(ls)", "עדי"]
    match = Match(load_ruleset("dudo"), names)
    match.play_round([f"{name}: {count}x4" for count, name in enumerate(names[::-1], 2)])
    with Book(book) as opened:
        import_match(opened, match)
    offered = [command for command in commands(listed()) if "!stands" in command]
    assert len(offered) == 4
    for command in offered:
        assert run(command).code == 0, command
    assert [row["decision"] for row in listed()] == ["stands"] * 4
    assert names[3] in program("rulings").out


def test_a_match_in_a_language_is_told_in_it_and_what_is_offered_is_read_in_it() -> None:
    unanswered = ("--set", "remedies.revoke=false")
    assert program("new", "doppelkopf-ddv", *PLAYERS, "--language", "fr", *unanswered).code == 0
    assert program("record", "all: gesund", "Ana: AP", "Ben: DP", "Cleo: RP", "Dan: 10P").code == 0
    assert program("record", "Ben: RP !stands").code == 0
    answer = program("rulings")
    assert "1.3  Ben: QS (DP)" in answer.out
    assert "amend 1.3 'Ben: DP !stands'" in answer.out
    command = commands(listed())[0]
    assert command == "scorekeeper amend --format json 1.3 'Ben: QS !stands'"
    assert run(command).data["saved"]


# --- records and nonsense


def test_a_record_file_is_told_without_commands(revoke: Path) -> None:
    rows = listed(str(revoke))
    assert [row["number"] for row in rows if row["verdict"] == "illegal"] == [10, 8, 3]
    assert not commands(rows)
    for wanted in ((str(revoke),), ("--match", str(revoke))):
        answer = program("rulings", *wanted)
        assert answer.code == 0
        assert (
            "1.3  Ben: QS  [proven by 1.6; undecided: it counts until the table decides]"
            in answer.out
        )
        assert "in the file" in answer.err


def test_a_hostile_record_steers_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.toml"
    path.write_text(
        'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n[[rounds]]\n'
        'entries = "Ben: 3x4\\npenalty Ana: -1 \\u001b[2J\\u202e why\\n\\u001b[31m nonsense"\n'
    )
    answer = program("rulings", str(path))
    assert answer.code == 0
    assert not set(answer.out + answer.err) & {"\x1b", "\u202e"}
    assert all(row["entry"] for row in listed(str(path)))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("9",), "there is no match 9"),
        (("nothing.toml",), "nothing.toml cannot be read"),
        (("²",), "not a match number"),
        (("1", "--match", "2"), "the command names two different matches"),
        (("",), "cannot be read"),
    ],
)
def test_a_match_that_is_not_there_is_said_in_a_line(arguments: tuple[str, ...], said: str) -> None:
    new("dudo")
    answer = program("rulings", *arguments)
    assert answer.code in (2, 3)
    assert said in answer.err
    assert not answer.out


# --- verify takes matches of the book


def test_a_match_of_the_book_is_verified_by_its_number(revoke: Path) -> None:
    assert program("import", str(revoke)).code == 0
    new("dudo", "3x4", "Ben: dudo", "count 2")
    as_file, first, second = program(
        "verify", str(revoke), "1", "2", "--format", "json", "--jobs", "1"
    ).data
    assert (first["file"], first["ok"], second["file"], second["ok"]) == ("1", False, "2", True)
    assert {key: first[key] for key in ("rounds", "scores")} == {
        key: as_file[key] for key in ("rounds", "scores")
    }
    for row, same in zip(first["findings"], as_file["findings"], strict=True):
        assert row["line"] is None
        assert {**row, "line": 0, "number": 0} == {**same, "line": 0, "number": 0}
    assert [row["number"] for row in first["findings"]] == [3, 7, 8, 9, 10, 10]
    answer = program("verify", "1", "2")
    assert answer.code == 1
    assert "illegal: round 1, entry 3: Ben: QS: Ben could have followed spades" in answer.out
    assert "2: verified; 1 round" in answer.out


def test_a_number_that_is_no_match_is_a_fault_like_a_file_that_is_not_there() -> None:
    new("dudo")
    answer = program("verify", "9", "1", "³", "nothing.toml", "--jobs", "2")
    assert answer.code == 1
    assert "9: NOT verified" in answer.out
    assert "there is no match 9; use an existing number: 1" in answer.out
    assert "1: verified" in answer.out


def test_a_file_whose_name_is_a_number_is_named_with_its_folder(
    revoke: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    revoke.rename(tmp_path / "1")
    new("dudo")
    assert program("verify", "1").code == 0
    assert program("verify", "./1").code == 1


def test_scores_that_the_book_keeps_are_compared(book: Path) -> None:
    new("dudo", "3x4", "Ben: dudo", "count 2")
    with sqlite3.connect(book) as connection:
        row = list(connection.execute(select_query("kept_rounds")).fetchone())
        at = next(n for n, cell in enumerate(row) if str(cell).startswith('{"version"'))
        summary = json.loads(row[at])
        summary["changes"]["Ana"] = -3
        row[at] = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
        row[-1] = checksum(tuple(row[:-1]))
        connection.execute("DELETE FROM kept_rounds")
        marks = ", ".join("?" * len(row))
        columns = ", ".join([*COLUMNS["kept_rounds"], "checksum"])
        connection.execute(f"INSERT INTO kept_rounds ({columns}) VALUES ({marks})", row)
    answer = program("verify", "1")
    assert answer.code == 1
    assert "the claimed scores are Ana -3" in answer.out


def test_what_cannot_be_is_not_to_be_decided_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "stuck.toml"
    path.write_text(
        'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n'
        '[[rounds]]\nentries = """\npenalty Ben: x\n"""\n'
    )
    answer = program("rulings", str(path))
    assert "[impossible; no entry counts from here on]" in answer.out
    assert "!stands" not in answer.out + answer.err
