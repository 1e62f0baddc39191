"""The settings file: it replaces options that are always typed, and the program names the file it
uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scorekeeper import __version__
from scorekeeper.cli.settings import NO_SETTINGS, read_settings, settings_path
from tests.helpers import program


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCOREKEEPER_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "settings.toml"


def test_without_a_file_nothing_is_set(own: Path) -> None:
    assert read_settings() is NO_SETTINGS
    answer = program("settings")
    assert answer.code == 0
    assert str(own) in answer.out
    answer = program("new")
    assert (answer.code, "the settings have none" in " ".join(answer.err.split())) == (2, True)


def test_new_alone_begins_the_usual_match(own: Path) -> None:
    own.write_text('ruleset = "durak"\nplayers = ["Ana", "Ben", "Cleo"]\nplace = "home"\n', "utf-8")
    assert "Durak, Ana, Ben, Cleo" in program("new").out
    assert program("describe", "--format", "json").data["place"] == "home"
    assert "Dudo, Eva, Finn" in program("new", "dudo", "Eva", "Finn", "--place", "inn").out
    assert program("describe", "--format", "json").data["place"] == "inn"
    assert "Dudo, Ana, Ben, Cleo" in program("new", "dudo").out


def test_a_match_has_the_usual_language_where_its_ruleset_has_it(own: Path) -> None:
    own.write_text('language = "fr"\n', "utf-8")
    assert program("new", "durak", "Ana", "Ben").code == 0
    assert program("describe", "--format", "json").data["language"] == "fr"
    assert program("new", "durak", "Ana", "Ben", "--language", "none").code == 0
    assert program("describe", "--format", "json").data["language"] == ""
    own.write_text('language = "xx"\n', "utf-8")
    assert program("new", "durak", "Ana", "Ben").code == 0
    assert program("describe", "--format", "json").data["language"] == ""


def test_sentences_are_in_the_usual_language(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.cli.output.languages", lambda: ["en", "fr"])
    heard: list[str] = []
    monkeypatch.setattr("scorekeeper.cli.output.find_locale", heard.append)
    own.write_text('language = "fr"\n', "utf-8")
    for arguments in ((), ("--language", "en"), ("--format", "json")):
        program("matches", *arguments)
    assert heard == ["fr", "en", "en"]


def test_the_book_may_be_another_one(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCOREKEEPER_BOOK")
    own.write_text(f'book = "{own.parent}/club.sqlite"\n', "utf-8")
    assert program("new", "dudo", "Ana", "Ben").code == 0
    assert (own.parent / "club.sqlite").exists()
    assert program("matches", "--book", "other.sqlite", "--format", "json").data == []
    assert len(program("matches", "--format", "json").data) == 1
    assert "club.sqlite" in program("check-book").out


def test_the_command_says_where_they_are_and_what_they_say(own: Path) -> None:
    own.write_text('players = ["Ana", "Ben"]\nplace = "home"\n', "utf-8")
    assert program("settings").out == f"the settings in {own}\n  players: Ana, Ben\n  place: home\n"
    assert program("settings", "--format", "json").data == {
        "file": str(own), "exists": True, "ruleset": "", "players": ["Ana", "Ben"],
        "language": "", "place": "home", "book": "", "share": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("plaers = []", "plaers is not a setting; the settings are ruleset, players"),
        ("place = 3", "place must be text, not 3"),
        ("players = 'Ana'", "players must be a list of names"),
        ("players = [1]", "players must be a list of names"),
        ("what", "it is not valid TOML"),
        ("a = 1\n" * 20_000, "it is larger than 64 KiB"),
        ("x\x1b[31m = 1", "it is not valid TOML"),
    ],
)
def test_nonsense_is_told_in_a_line_that_names_file_and_key(
    own: Path, text: str, told: str
) -> None:
    own.write_text(text, "utf-8")
    for command in (("settings",), ("new", "dudo", "Ana", "Ben")):
        answer = program(*command)
        assert (answer.code, answer.out) == (2, "")
        first, *rest = answer.err.splitlines()
        assert str(own) in first
        assert told in first
        assert len(rest) == 1
        assert "\x1b" not in answer.err


def test_they_stand_in_the_folder_of_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    monkeypatch.delenv("SCOREKEEPER_SETTINGS")
    for home in ("", "/somewhere", " "):
        monkeypatch.setenv("XDG_CONFIG_HOME", home)
        folder = platformdirs.user_config_path("scorekeeper", appauthor=False)
        assert settings_path() == str(folder / "settings.toml")


def test_the_version_is_told_without_looking_for_it() -> None:
    answer = program("--version")
    assert (answer.code, answer.out) == (0, f"scorekeeper {__version__}\n")
    code = (
        "import sys; sys.argv = ['scorekeeper', '--version']\n"
        "from scorekeeper.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "assert 'importlib.metadata' not in sys.modules\n"
    )
    root = Path(__file__).parent.parent
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=root).returncode == 0


def test_an_empty_place_is_none_and_players_alone_may_be_missing(own: Path) -> None:
    own.write_text('ruleset = "dudo"\nplace = "the club"\n', "utf-8")
    program("new", "dudo", "Ana", "Ben", "--place", "")
    assert program("describe", "--format", "json").data["place"] in (None, "")
    assert "name the players" in " ".join(program("new").err.split())
