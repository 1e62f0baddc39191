"""`rules check --language`: the texts of a ruleset that a language does not translate."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers import program

ITALIAN = """
[words]
doubt = ["dubito"]

[sentences]
dice = "dadi"
Dudo = "Dudo"
"""


def untranslated(ruleset: str, code: str) -> list[str]:
    asked = ["rules", "check", ruleset, "--language", code, "--format", "json"]
    texts: list[str] = program(*asked).data["untranslated"]
    return texts


def test_a_new_language_lacks_every_text_that_players_read() -> None:
    texts = untranslated("dudo", "it")
    assert {"Dudo", "dice"} <= set(texts)
    assert any("{legal}" in text for text in texts)
    assert len(texts) == len(set(texts))


def test_a_page_in_ones_own_folder_translates_a_shipped_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = untranslated("dudo", "it")
    (tmp_path / "dudo").mkdir()
    (tmp_path / "dudo" / "it.toml").write_text(ITALIAN, "utf-8")
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    assert set(before) - set(untranslated("dudo", "it")) == {"Dudo", "dice"}
    assert "(yours)" not in program("rules", "list").out


def test_each_text_is_a_line_and_the_count_is_a_note() -> None:
    answer = program("rules", "check", "dudo", "--language", "it")
    lines = answer.out.splitlines()
    assert answer.code == 0
    assert answer.err == f"{len(lines)} texts of dudo have no translation into it\n"


def test_what_is_no_language_and_what_cannot_be_combined_is_refused() -> None:
    assert program("rules", "check", "dudo", "--language", "D E").code == 2
    assert program("rules", "check", "dudo", "--language", "de", "--play", "1").code == 2
