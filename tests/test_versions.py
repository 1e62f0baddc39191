"""Numbered formats: data of earlier versions is upgraded step by step.

A version that cannot be read is refused, with advice.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Damaged, Match, load_ruleset, read_record, verify_record
from scorekeeper.core.versions import Versions
from scorekeeper.engine.loading import check
from scorekeeper.engine.ruleset import pinned
from scorekeeper.ruleset import tables
from scorekeeper.ruleset.sources import find_shipped, pin, sha256
from scorekeeper.ruleset.surface import LANGUAGE
from scorekeeper.store import record
from scorekeeper.store.record import record_text
from tests.helpers import SHIPPED, match_of, program

TWO = ["Ana", "Ben"]
ROUND = ("Ana: 2x3", "Ben: dudo", "count 1")


def test_each_step_is_taken_from_the_version_that_is_found() -> None:
    versions = Versions[str](4, {2: lambda text: text + "c", 3: lambda text: text + "d"})
    assert versions.upgrade("it", "b", 2) == "bcd"
    assert versions.upgrade("it", "x", 3) == "xd"
    assert versions.upgrade("it", "x", 4) == "x"


@pytest.mark.parametrize(
    ("found", "message", "hint"),
    [
        (5, "it was written by a newer scorekeeper (its format version is 5, but this program only"
         " reads versions up to 4)", "update"),
        (1, "it was written by an early version of scorekeeper (its format version is 1, but this"
         " program only reads versions from 2 on)",
         "export it with the version of scorekeeper that wrote it"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_what_it_is(found: int, message: str, hint: str) -> None:
    versions = Versions[str](4, {2: str, 3: str})
    with pytest.raises(Damaged) as caught:
        versions.upgrade("it", "", found)
    assert caught.value.message == message
    assert hint in caught.value.hint


# --- rulesets


def own(folder: Path, text: str) -> str:
    path = folder / "ours.toml"
    path.write_text(f'extends = "dudo"\nname = "ours"\ntitle = "Ours"\n{text}')
    return str(path)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_ruleset_says_its_version(name: str) -> None:
    assert tomllib.loads(find_shipped(name).read_text("utf-8"))["language"] == LANGUAGE


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("2", "an early version"),
        ("3", "the file is in the previous language"),
        ("5", "a newer scorekeeper"),
        ("'4'", "must be a whole number"),
    ],
)
def test_a_ruleset_in_other_words_is_told_as_one(version: str, said: str, tmp_path: Path) -> None:
    ruleset, _, faults = check(own(tmp_path, f"language = {version}\n[fouls]\ncost = 2\n"))
    assert ruleset is None
    assert [fault.key for fault in faults] == ["language"]
    assert said in faults[0].message


def test_a_match_whose_ruleset_is_in_words_of_another_time_is_damaged() -> None:
    table = {key: value for key, value in load_ruleset("dudo").data.items() if key != "language"}
    for version, said in ((None, "an early version"), (9, "a newer scorekeeper")):
        text = pin({**table, **({"language": version} if version else {})})
        with pytest.raises(Damaged, match=said):
            pinned(text, sha256(text))


def test_a_pinned_ruleset_of_an_earlier_version_is_brought_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Use a made-up step between the versions of compiled tables, the first with `begin` for
    `start`."""

    def step(table: dict[str, Any]) -> dict[str, Any]:
        tally = dict(table.get("tally", {}))
        if "begin" in tally:
            tally["start"] = tally.pop("begin")
        return {**table, "tally": tally, "language": 3}

    versions = Versions[dict[str, Any]](3, {2: step})
    monkeypatch.setattr(tables, "VERSIONS", versions)
    monkeypatch.setattr("scorekeeper.ruleset.schema.VERSIONS", versions)
    table = load_ruleset("dudo").data
    table = {**table, "language": 2, "tally": {**table["tally"], "begin": 3}}
    text = pin(table)
    assert Match(pinned(text, sha256(text)), TWO).scores == {"Ana": 3, "Ben": 3}


# --- records


@pytest.mark.parametrize("number", [1, 2])
def test_a_record_of_an_earlier_format_is_read_and_written_in_the_third(
    number: int, tmp_path: Path
) -> None:
    path = tmp_path / "evening.toml"
    text = record_text(match_of("dudo", TWO, *ROUND))
    assert text.startswith("format = 3\n")
    path.write_text(text.replace("format = 3", f"format = {number}"), "utf-8")
    assert verify_record(path)["ok"]
    assert record_text(read_record(path)) == text


def test_a_record_of_an_earlier_format_is_brought_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replace the real step by a made-up one."""

    def step(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "format": 3, "place": "the old one"}

    monkeypatch.setattr(record, "RECORD_VERSIONS", Versions[dict[str, Any]](3, {2: step}))
    path = tmp_path / "evening.toml"
    path.write_text(record_text(match_of("dudo", TWO)).replace("format = 3", "format = 2"), "utf-8")
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("import", str(path)).code == 0
    assert program("describe", "--format", "json").data["place"] == "the old one"


@pytest.mark.parametrize(("number", "said"), [(0, "an early version"), (4, "a newer scorekeeper")])
def test_a_record_of_another_format_is_told_as_one(number: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "evening.toml"
    text = record_text(match_of("dudo", TWO, *ROUND))
    path.write_text(text.replace("format = 3", f"format = {number}"), "utf-8")
    (finding,) = verify_record(path)["findings"]
    assert said in finding["reason"]
    assert program("import", str(path)).code == 3
