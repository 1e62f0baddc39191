"""Duplicates among imported matches: all identifying fields must agree; a similar match is reported
and imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers import Answer, program

if TYPE_CHECKING:
    from pathlib import Path

RECORD = {
    "started": "2024-05-01T20:00:00Z",
    "place": "home",
    "ruleset": "dudo",
    "players": '["Ana", "Ben"]',
    "entries": "Ana: 1x2\nBen: 2x2\n",
    "options": "",
}


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))


def record(folder: Path, name: str, **changed: str) -> str:
    said = {**RECORD, **changed}
    head = "".join(f'{key} = "{said[key]}"\n' for key in ("started", "place") if said[key])
    path = folder / f"{name}.toml"
    path.write_text(
        f'format = 2\nruleset = "{said["ruleset"]}"\nplayers = {said["players"]}\n{head}'
        f'{said["options"]}\n[[rounds]]\nentries = """\n{said["entries"]}"""\n',
        "utf-8",
    )
    return str(path)


def imported(path: str) -> Answer:
    answer = program("import", path)
    assert answer.code == 0, answer
    return answer


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"started": "2024-05-08T20:00:00Z"}, "match 1, except for: started"),
        ({"place": "the inn"}, "match 1, except for: place"),
        ({"started": "", "place": ""}, "match 1, except for: started, place"),
        ({"ruleset": "perudo"}, "match 1, except for: rules"),
        ({"options": "[options.tally]\nstart = 4"}, "match 1, except for: rules"),
        ({"entries": "Ana: 1x2\nBen: 2x2\nAna: 3x2\n"}, "match 1, except for: entries"),
    ],
)
def test_a_likeness_that_is_not_identity_is_told_and_imported(
    tmp_path: Path, changed: dict[str, str], told: str
) -> None:
    imported(record(tmp_path, "one"))
    other = record(tmp_path, "other", **changed)
    answer = imported(other)
    assert "is now match 2" in answer.out
    assert told in answer.err
    again = imported(other)
    assert ("is already match 2" in again.out, again.err) == (True, "")
    assert len(program("matches", "--format", "json").data) == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"players": '["Ana", "Cleo"]', "entries": "Ana: 1x2\n"},
        {"started": "2025-01-01T20:00:00Z", "entries": "Ana: 1x3\n"},
        {"started": "", "entries": "Ana: 1x3\n"},
    ],
)
def test_another_match_is_imported_without_a_word(tmp_path: Path, changed: dict[str, str]) -> None:
    imported(record(tmp_path, "one"))
    answer = imported(record(tmp_path, "other", **changed))
    assert ("is now match 2" in answer.out, answer.err) == (True, "")


def test_what_was_exported_is_already_there(tmp_path: Path) -> None:
    """Cover options too: the record's rules are the same, whatever options it names."""
    for arguments in (["dudo"], ["durak", "--set", "severity=club"], ["dudo", "--place", "inn"]):
        assert program("new", *arguments, "Ana", "Ben").code == 0
    for number in ("1", "2", "3"):
        file = str(tmp_path / f"{number}.toml")
        assert program("export", number, "--to", file).code == 0
        assert f"is already match {number}" in imported(file).out


def test_json_says_what_a_match_is_like(tmp_path: Path) -> None:
    one, other = record(tmp_path, "one"), record(tmp_path, "other", place="")
    told = program("import", one, other, "--format", "json").data
    assert told == [
        {"file": one, "match": 1, "known": False},
        {"file": other, "match": 2, "known": False, "like": [{"match": 1, "differs": ["place"]}]},
    ]


def test_a_round_without_entries_is_left_out(tmp_path: Path) -> None:
    """Skip a round without entries, because the book's log cannot represent it."""
    file = record(tmp_path, "odd", entries="Ana: 1x2\nBen: dudo\ncount 1\n")
    with open(file, "a", encoding="utf-8") as text:
        text.write('\n[[rounds]]\n\n[[rounds]]\nentries = """\nBen: 1x3\n"""\n\n[[rounds]]\n')
    imported(file)
    assert [
        row["round"] for row in program("export", "--format", "json").data["matches"][0]["rounds"]
    ] == [1, 2]
    assert "is already match 1" in imported(file).out
