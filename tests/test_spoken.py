"""The language of the commands' output, which is never stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers import Answer, program


@pytest.fixture(autouse=True)
def own_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")
    monkeypatch.delenv("LANGUAGE")


def refused(*options: str) -> Answer:
    """Return the answer to a bid out of turn."""
    return program("judge", "Ben: 3x4", *options)


def test_the_option_comes_before_the_match_and_that_before_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program("new", "dudo", "Ana", "Ben")
    english = refused().out
    assert "it is not Ben's turn" in english
    monkeypatch.setenv("LC_ALL", "de_CH.UTF-8")
    german = refused().out
    assert german not in (english, "")
    program("describe", "--language", "fr")
    french = refused().out
    assert french not in (english, german, "")
    assert refused("--language", "de").out == german
    assert refused("--language", "en").out == english


def test_the_first_language_that_is_there_is_spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    program("new", "dudo", "Ana", "Ben")
    monkeypatch.setenv("LANGUAGE", "fr")
    french = refused().out
    monkeypatch.setenv("LANGUAGE", "nl:fr_BE:de")
    assert refused().out == french


def test_settings_come_before_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program("new", "dudo", "Ana", "Ben")
    monkeypatch.setenv("LC_ALL", "de_CH.UTF-8")
    german = refused().out
    (tmp_path / "settings.toml").write_text('language = "fr"', "utf-8")
    monkeypatch.setenv("SCOREKEEPER_SETTINGS", str(tmp_path / "settings.toml"))
    assert refused().out == refused("--language", "fr").out != german


def test_a_language_that_is_not_there_is_refused_with_those_that_are() -> None:
    program("new", "dudo", "Ana", "Ben")
    answer = refused("--language", "xx")
    assert answer.code == 2
    assert "“xx”" in answer.err
    assert "de, en, fr" in answer.err


def test_data_is_english() -> None:
    program("new", "dudo", "Ana", "Ben", "--language", "fr")
    (ruling,) = refused("--format", "json", "--language", "de").data
    assert ruling["findings"][0]["reason"].startswith("it is not Ben's turn")


def test_what_is_kept_of_a_match_is_english(tmp_path: Path) -> None:
    kept: dict[str, object] = {}
    texts: dict[str, bytes] = {}
    for language in ("en", "fr"):
        program("new", "dudo", "Ana", "Ben", "Cleo")
        for entry in ("3x4", "Ana: 2x4 !stands", "Cleo: dudo", "count 3", "foul Ben: looked"):
            program("record", entry, "--language", language)
        kept[language] = json.loads(program("rulings", "--format", "json").out)
        program("export", "--to", str(tmp_path / language), "--language", language)
        texts[language] = (tmp_path / language).read_bytes()
    assert kept["fr"] == kept["en"]
    head = b"\n".join(line for line in texts["en"].split(b"\n") if b"started" not in line)
    assert head == b"\n".join(line for line in texts["fr"].split(b"\n") if b"started" not in line)


def test_past_rounds_are_told_in_the_language_that_is_spoken() -> None:
    program("new", "dudo", "Ana", "Ben", "Cleo")
    program("record", "3x4", "Ana: 2x4 !stands", "Cleo: dudo", "count 3")
    english, french = program("rulings").out, program("rulings", "--language", "fr").out
    assert "it is not" in english
    assert "it is not" not in french
    assert program("verify", "1", "--language", "fr").out != program("verify", "1").out


def test_a_role_is_told_in_the_language_that_is_spoken() -> None:
    program("new", "doppelkopf", "Ana", "Ben", "Cleo", "Dan")
    program("record", "result contract=damensolo re=Ana points=130")
    told = program("stats", "--tables", "breakdowns", "--language", "de").out
    assert "Solist" in told
    assert "soloist" not in told
