"""Rulesets as files: finding, extending, changing and pinning them, and the messages on failure."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.ruleset import merge, sources, tables
from scorekeeper.ruleset.merge import OPTIONS, MergedRuleset, set_options, set_values
from scorekeeper.ruleset.sources import RulesetFault

BASE = """
name = "base"
players = [2, 6]

[words]
doubt = ["dudo"]

[clauses.turn]
word = "turn"
severity = "refuse"

[clauses.follow]
word = "follow"
severity = "refuse"
cite = "2.3"

[clauses.last]
word = "last"

[scores.won]
points = 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the user's folder, with one ruleset in it."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    (tmp_path / "base.toml").write_text(BASE)
    return tmp_path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def resolved(name: str) -> MergedRuleset:
    merged, faults = merge.resolve(name)
    assert faults == []
    return merged


def faults_of(name_or_path: str) -> list[RulesetFault]:
    merged, faults = merge.resolve(name_or_path, allow_path=True)
    faults += merged.expand()
    assert faults
    for fault in faults:
        assert fault.file in str(fault)
        assert str(fault).isprintable()
    return faults


# Finding


def test_a_name_is_found_in_the_users_folder(folder: Path) -> None:
    assert sources.find_ruleset("base") == folder / "base.toml"
    assert ("base", folder / "base.toml", False) in sources.list_rulesets()


def test_the_users_hide_the_shipped(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path_factory.mktemp("shipped")
    monkeypatch.setattr(sources, "shipped_folder", lambda: shipped)
    write(shipped, "base", 'name = "shipped"\n[clauses.own]\nword = "own"')
    write(shipped, "other", 'name = "other"')
    (shipped / "Not A Name.toml").write_text("")
    (shipped / "other.md").write_text("")
    assert [(found.name, found.shipped) for found in sources.list_rulesets()] == [
        ("base", False),
        ("other", True),
    ]
    assert sources.find_ruleset("base").parent == folder
    assert sources.find_ruleset("other").parent == shipped
    # The user's file may extend the shipped one with the same name.
    write(folder, "base", 'extends = "base"\ntitle = "mine"')
    assert list(resolved("base").table) == ["name", "rules", "title", "clauses"]
    # So may a path in another spelling, and nothing is left to extend.
    spelled = os.path.join(folder, "..", folder.name, "other.toml")
    write(folder, "other", 'extends = "other"')
    assert merge.resolve(spelled, allow_path=True)[1] == []


def test_the_shipped_folder_stands_beside_the_package() -> None:
    assert sources.shipped_folder().name == "rulesets"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "name", ["", " ", "bass", "../base", "x" * 5000, "a\x00b", "ba\nse", "\udc80"]
)
def test_an_unknown_name(name: str) -> None:
    with pytest.raises(Unreadable) as caught:
        sources.find_ruleset(name)
    assert "base" in caught.value.hint or "scorekeeper rules list" in caught.value.hint
    assert str(caught.value).isprintable()
    assert len(caught.value.message) < 120


@pytest.mark.usefixtures("folder")
def test_an_unknown_name_says_what_is_near() -> None:
    with pytest.raises(Unreadable, match=r'there is no ruleset "bass".*did you mean "base"'):
        sources.find_ruleset("bass")


TITLED = """
title    = "Das Spiel (klein)"
called   = ["spielchen", "игра"]

[languages.fr.sentences]
"Das Spiel (klein)" = "Le petit jeu"
"""


@pytest.mark.parametrize(
    "typed",
    ["Base", "base ", "das spiel klein", "Das-Spiel-Klein", "SPIELCHEN", "игра", "le pétit jeu"],
)
def test_a_ruleset_is_found_by_its_title_and_other_names(folder: Path, typed: str) -> None:
    write(folder, "base", TITLED)
    write(folder, "variant", 'extends = "base"\ntitle = "another"')
    assert sources.name_of(sources.find_ruleset(typed)) == "base"


def test_a_title_of_two_rulesets_names_neither(folder: Path) -> None:
    write(folder, "base", TITLED)
    write(folder, "copy", TITLED)
    with pytest.raises(Unreadable, match="there is no ruleset"):
        sources.find_ruleset("spielchen")


def test_a_misspelled_title_is_suggested(folder: Path) -> None:
    write(folder, "base", TITLED)
    with pytest.raises(Unreadable) as caught:
        sources.find_ruleset("spielchn")
    assert 'did you mean "base"' in caught.value.hint


def test_a_path_needs_leave(folder: Path) -> None:
    path = str(folder / "base.toml")
    assert sources.find_ruleset(path, allow_path=True) == Path(path)
    for text in (path, "base.toml", "./base"):
        with pytest.raises(Unreadable, match="is a path"):
            sources.find_ruleset(text)


def test_without_a_folder_nothing_breaks(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(folder / "missing"))
    assert all(found.shipped for found in sources.list_rulesets())
    monkeypatch.delenv("SCOREKEEPER_RULESETS")
    usual = sources.user_folder()
    assert usual is not None
    assert usual.name == "rulesets"


# Reading


def test_read_gives_the_table(folder: Path) -> None:
    assert sources.read_table(folder / "base.toml") == (tomllib.loads(BASE), [])
    (folder / "mark.toml").write_bytes(b"\xef\xbb\xbfname = 'x'\r\n")
    assert sources.read_table(folder / "mark.toml") == ({"name": "x"}, [])
    (folder / "link.toml").symlink_to(folder / "mark.toml")
    assert sources.read_table(folder / "link.toml") == ({"name": "x"}, [])


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"a = 1\nb = \n", "not TOML", 2),
        (b"a = 1\na = 2\n", "not TOML", 2),
        (b"a = [1,", "not TOML", 0),
        (b"a = 1\nb = 'x\xff'\n", "UTF-8", 2),
        (b"a = '\x00'", "not TOML", 1),
        (b"x = '" + b"x" * 10_000_000 + b"'", "larger than 256 kB", 0),
        (b"a = " + b"[" * 1000 + b"]" * 1000, "16 deep", 0),
        (b"a = " + b"[" * 20 + b"]" * 20, "16 deep", 0),
        (b"a = " + b"{a = " * 1000 + b"1" + b"}" * 1000, "16 deep", 0),
        (b"x = 1\n" + b"a." * 1000 + b"b = 1", "more than 100 dots", 2),
        (b"a." * 20 + b"b = 1", "16 deep", 0),
        (b"[" + b"a." * 100_000 + b"b]", "more than 100 dots", 1),
        (b"a = " + b"9" * 10_000, "too many digits", 0),
        (b"a = 0x" + b"f" * 10_000, "a value of the type int", 0),
        (b"a = 9223372036854775808", "a value of the type int", 0),
    ],
)
def test_files_that_are_none(folder: Path, data: bytes, message: str, line: int) -> None:
    path = folder / "bad.toml"
    path.write_bytes(data)
    for fault in (*sources.read_table(path)[1], *faults_of("bad")):
        assert fault.file == str(path)
        assert message in fault.message
        assert fault.line == line
        assert len(str(fault)) < 1000


@pytest.mark.parametrize(
    ("text", "line", "meant"),
    [
        ("name = 'x'\ntitle = \"X\n", 2, "the quotes at the end of the line are missing"),
        ("[players\nleast = 2\n", 1, "a heading ends with ] in its line"),
        ("title = X\n", 1, "values are numbers, true, false, texts in quotes"),
        ("a = 1\na = 2\n", 2, "may be used once"),
        ("[a]\n[b]\n[a]\n", 3, "may be used once"),
        ("name 'x'\n", 1, "a key is followed by = and its value"),
        ("a = [1, 2\nb = 3\n", 2, "separate its values with commas, and end it with ]"),
        ("a = [1, 2", 0, "a list that began with [ is not closed"),
        ("a = 1 b = 2\n", 1, "put what follows in a line of its own"),
        ('a = "C:\\users"\n', 1, "write \\\\ for \\"),
    ],
)
def test_what_is_no_toml_is_said_with_what_is_allowed(
    folder: Path, text: str, line: int, meant: str
) -> None:
    (fault,) = sources.read_table(write(folder, "bad", text))[1]
    assert fault.line == line
    assert meant in fault.message


def test_a_fault_in_the_text_shows_the_line(folder: Path) -> None:
    path = write(folder, "bad", "name = 'x'\n  players = two\n")
    (fault,) = faults_of("bad")
    assert (fault.line, fault.found) == (2, "players = two")
    assert str(fault).startswith(f"{path}:2:{fault.column}: this is not TOML: ")


def test_things_that_are_no_files(folder: Path) -> None:
    (folder / "folder.toml").mkdir()
    (folder / "loop.toml").symlink_to(folder / "loop.toml")
    (folder / "broken.toml").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe.toml")
    assert "folder" in faults_of("folder")[0].found
    for name in ("loop", "broken", "pipe"):
        assert faults_of(name)
    for path in (
        "/dev/zero",
        "no/such.toml",
        "a\x00/b.toml",
        "x/" * 5000,
        "/\udc80\x1b[31m\n.toml",
    ):
        assert faults_of(path)


def test_odd_paths_are_read(folder: Path) -> None:
    for name in ("a b", "ü", "#1", "a\nb", "-x"):
        path = write(folder, name, "name = 'x'\n[clauses]\nx = false\nx2 = 3")
        merged, faults = merge.resolve(str(path), allow_path=True)
        assert not faults
        assert merged.table["name"] == "x"
        assert merged.origin("name").isprintable()


# Extending


def test_a_ruleset_alone_is_itself(folder: Path) -> None:
    merged = resolved("base")
    assert merged.table == {"rules": "base", **tomllib.loads(BASE)}
    assert merged.files == (folder / "base.toml",)


def test_table_by_table_key_by_key(folder: Path) -> None:
    write(
        folder,
        "mine",
        """
extends = "base"
name = "mine"
players = [3]
[words]
doubt = ["doubt", "liar"]
[clauses]
turn = false
[clauses.follow]
severity = "warn"
[clauses.new]
word = "new"
[clauses.first]
word = "first"
before = "follow"
[clauses.second]
word = "second"
before = "follow"
[clauses.third]
word = "third"
after = "follow"
[clauses.fourth]
word = "fourth"
after = "follow"
[tally]
start = 5
""",
    )
    merged = resolved("mine")
    assert merged.files == (folder / "mine.toml", folder / "base.toml")
    assert list(merged.table["clauses"]) == [
        *("first", "second", "follow", "third", "fourth", "last", "new")
    ]
    assert merged.table["clauses"]["follow"] == {
        "word": "follow",
        "severity": "warn",
        "cite": "2.3",
    }
    assert merged.table["clauses"]["first"] == {"word": "first"}
    assert merged.table["players"] == [3]
    assert merged.table["words"] == {"doubt": ["doubt", "liar"]}
    assert merged.table["scores"] == {"won": {"points": 1}}
    assert "extends" not in merged.table


def test_origins(folder: Path) -> None:
    text = 'extends = "base"\n[clauses.follow]\nseverity = "warn"\n[clauses.new]\nword = "x"'
    mine = str(write(folder, "mine", text))
    base = str(folder / "base.toml")
    merged = resolved("mine")
    assert merged.origin("clauses.follow.severity") == mine
    assert merged.origin("clauses.follow.cite") == base
    assert merged.origin("clauses.follow") == base
    assert merged.origin("clauses.follow.missing") == base
    assert merged.origin("clauses.new.missing") == mine
    assert merged.origin("missing") == mine
    set_values(merged, ["clauses.follow.cite=9"])
    assert merged.origin("clauses.follow.cite") == OPTIONS
    assert merged.origin("clauses.follow.word") == base


def test_a_dropped_row_leaves_nothing_behind(folder: Path) -> None:
    write(folder, "less", 'extends = "base"\n[clauses]\nfollow = false')
    write(folder, "again", 'extends = "less"\n[clauses.follow]\nword = "new"')
    merged = resolved("again")
    assert merged.table["clauses"]["follow"] == {"word": "new"}
    assert list(merged.table["clauses"])[-1] == "follow"
    assert merged.origin("clauses.follow.cite").endswith("again.toml")


def test_lists_that_are_rows_are_dropped_too(folder: Path) -> None:
    write(folder, "mute", 'extends = "base"\nscores = false\nwords.doubt = false')
    assert resolved("mute").table["words"] == {}
    assert "scores" not in resolved("mute").table


def test_a_moved_row(folder: Path) -> None:
    write(folder, "moved", 'extends = "base"\n[clauses.last]\nbefore = "turn"')
    assert list(resolved("moved").table["clauses"]) == ["last", "turn", "follow"]


def test_a_first_file_places_its_own_rows(folder: Path) -> None:
    write(folder, "own", '[clauses.a]\nx = 1\n[clauses.b]\nbefore = "a"')
    assert list(resolved("own").table["clauses"]) == ["b", "a"]


def test_below_a_row_nothing_is_consumed(folder: Path) -> None:
    write(folder, "deep", '[phases.play.steps]\nbefore = "x"\n[phases.play]\nafter = ["y"]')
    play = resolved("deep").table["phases"]["play"]
    assert play == {"after": ["y"], "steps": {"before": "x"}}


def test_all_faults_of_a_layer_are_told(folder: Path) -> None:
    file = str(
        write(
            folder,
            "mine",
            """
extends = "base"
scores = 3
[clauses]
follw = false
turn = "warn"
[clauses.new]
before = "lasst"
[clauses.self]
after = "self"
""",
        )
    )
    faults = faults_of("mine")
    assert {fault.file for fault in faults} == {file}
    assert {fault.key for fault in faults} == {
        *("scores", "clauses.follw", "clauses.turn", "clauses.new.before", "clauses.self.after")
    }
    by_key = {fault.key: fault for fault in faults}
    assert 'did you mean "follow"?' in by_key["clauses.follw"].allowed
    assert 'did you mean "last"?' in by_key["clauses.new.before"].allowed
    assert by_key["clauses.turn"].found == "'warn'"


def test_faults_without_end_are_cut_short(folder: Path) -> None:
    rows = "".join(f"row{number} = {{ before = 'none' }}\n" for number in range(5000))
    write(folder, "many", f"[clauses]\n{rows}")
    faults = faults_of("many")
    assert len(faults) == untrusted.MAX_FAULTS
    assert all(len(str(fault)) < 1000 for fault in faults)


@pytest.mark.parametrize(
    ("extends", "message"),
    [
        ("3", "not a name"),
        ('"bass"', "no ruleset"),
        ('"../base"', "is a path"),
        ('"base.toml"', "is a path"),
        ('"/etc/passwd"', "is a path"),
        ('"mine"', "cannot extend itself"),
        ('"two"', "extend one another"),
        ('"chain0"', "more than 8"),
        ('"broken"', "not TOML"),
    ],
)
def test_what_cannot_be_extended(folder: Path, extends: str, message: str) -> None:
    write(folder, "mine", f"extends = {extends}")
    write(folder, "two", 'extends = "mine"')
    write(folder, "broken", "=")
    for number in range(9):
        write(folder, f"chain{number}", f'extends = "chain{number + 1}"')
    write(folder, "chain9", "")
    (fault,) = faults_of("mine")
    assert message in fault.message
    assert merge.resolve("mine")[0].table == {}
    assert merge.resolve("chain1")[1] == []


# Options


def test_set_reads_toml_or_text(folder: Path) -> None:
    merged = resolved("base")
    for setting, key, value in [
        ("clauses.follow.severity=warn", "clauses.follow.severity", "warn"),
        ("clauses.follow.least = 2 * count + 1", "clauses.follow.least", " 2 * count + 1"),
        ("clauses.follow.cite='2.4'", "clauses.follow.cite", "2.4"),
        ("scores.won.points=2", "scores.won.points", 2),
        ("scores.won.when=a == b", "scores.won.when", "a == b"),
        ("scores.won.flag=false", "scores.won.flag", False),
        ("scores.won.none=", "scores.won.none", ""),
        ("words.doubt=['a', 'b']", "words.doubt", ["a", "b"]),
        ("scores.lost={points = 2}", "scores.lost", {"points": 2}),
        ("title=x\ny = 3", "title", "x\ny = 3"),
    ]:
        options, faults = set_values(merged, [setting])
        assert (options, faults) == ({key: value}, [])
        assert set_options(resolved("base"), options) == (options, [])
    assert merged.table["scores"]["lost"] == {"points": 2}
    assert merged.table["clauses"]["follow"]["severity"] == "warn"


def test_set_drops_and_places_rows(folder: Path) -> None:
    merged = resolved("base")
    assert set_values(merged, ["clauses.turn=false"]) == ({"clauses.turn": False}, [])
    assert set_values(merged, ["clauses.last.before=follow"])[1] == []
    assert list(merged.table["clauses"]) == ["last", "follow"]
    assert "before" not in merged.table["clauses"]["last"]


@pytest.mark.parametrize(
    ("setting", "message", "allowed"),
    [
        ("clauses.follw.severity=warn", "there is no clauses.follw", "follow"),
        ("clases.follow.severity=warn", "there is no clases", "clauses"),
        ("clauses.follw=false", "no such row to drop", "follow"),
        ("clauses.follow=3", "not a table", "false to drop"),
        ("players.most=3", "players is not a table", ""),
        ("words.doubt.0=x", "words.doubt is not a table", ""),
        ("extends=base", "cannot be set", ""),
        ("severity", "not a setting", "KEY=VALUE"),
        ("", "not a setting", "KEY=VALUE"),
        ("=3", "not a key", ""),
        (".=3", "not a key", ""),
        ("a..b=3", "not a key", ""),
        ("a b=3", "not a key", ""),
        ('"a=3', "not a key", ""),
        ("a\nb=3", "not a key", ""),
        ("a." * 50 + "b=3", "not a key", ""),
        ("a." * 5000 + "b=3", "not a setting", ""),
        ("title=" + "x" * 20_000, "not a setting", ""),
        ("title=" + "[" * 30 + "]" * 30, "deep", ""),
        ("title=99999999999999999999", "cannot hold", ""),
        ("title=\udc80", "cannot hold", ""),
    ],
)
def test_what_cannot_be_set(folder: Path, setting: str, message: str, allowed: str) -> None:
    merged = resolved("base")
    options, (fault,) = set_values(merged, [setting])
    assert message in fault.message
    assert allowed in fault.allowed
    assert (fault.file, options) == (OPTIONS, {})
    assert str(fault).isprintable()
    assert merged.table == resolved("base").table


def test_options_in_every_spelling_come_to_the_same(folder: Path) -> None:
    wanted = {"clauses.follow.severity": "warn", "clauses.turn": False, "title": "x"}
    nested = tomllib.loads('title="x"\nclauses.turn = false\nclauses.follow.severity = "warn"')
    for options in (wanted, nested, {"clauses": nested["clauses"], "title": "x"}):
        merged = resolved("base")
        applied, faults = set_options(merged, options)
        assert (applied, faults) == (wanted, [])
        assert list(merged.table["clauses"]) == ["follow", "last"]


def test_all_faults_in_options_are_told_and_the_rest_applied(folder: Path) -> None:
    merged = resolved("base")
    options = {"clauses.follw.x": 1, "players": [4], "words.doubt.x": 2, "title": object()}
    applied, faults = set_options(merged, options)
    assert applied == {"players": [4]}
    assert [fault.key for fault in faults] == ["clauses.follw.x", "words.doubt.x", "title"]


def test_options_are_copied(folder: Path) -> None:
    mine: dict[str, Any] = {"clauses.new": {"of": ["a"]}}
    merged = resolved("base")
    set_options(merged, mine)
    mine["clauses.new"]["of"].append("b")
    assert merged.table["clauses"]["new"] == {"of": ["a"]}


def test_keys() -> None:
    for parts in (("a",), ("a", "b-c", "D_1"), ("a b", "c.d"), ('"', "\\", "é", "\x1b", "")):
        assert tables.split_key(tables.join_key(parts)) == parts
        assert tables.join_key(parts).isprintable()
    for text in ("", "a = 1 #", "[a]", "a = {b", "a,b", "'a", "a\n"):
        assert tables.split_key(text) == ()


# Pinning


def test_pinned_and_read_again(folder: Path) -> None:
    table = resolved("base").table
    text = sources.pin(table)
    assert sources.unpin(text) == table
    assert sources.pin(sources.unpin(text)) == text
    digest = sources.sha256(text)
    assert len(digest) == 64
    assert digest != sources.sha256(text + "\n")


def test_unpin_of_what_was_never_pinned() -> None:
    for text in ("=", "a = [", "a = " + "[" * 1000):
        with pytest.raises(Damaged):
            sources.unpin(text)


PLAIN = st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text(max_size=5)
VALUES = st.recursive(
    PLAIN | st.dates() | st.lists(PLAIN | st.lists(PLAIN, max_size=3), max_size=4),
    lambda inner: st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def ordered(value: object) -> object:
    if isinstance(value, dict):
        return [(key, ordered(part)) for key, part in value.items()]
    return [ordered(part) for part in value] if isinstance(value, list) else value


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=6))
def test_a_settled_table_keeps_its_order_when_pinned(table: dict[str, Any]) -> None:
    merged = MergedRuleset(table)
    merged.resolve()
    text = sources.pin(merged.table)
    assert ordered(sources.unpin(text)) == ordered(merged.table)


@given(st.text(max_size=60))
def test_any_text_is_a_table_or_a_fault(text: str) -> None:
    try:
        sources.pin(sources.unpin(text))
    except Damaged as failure:
        assert str(failure).isprintable()


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_setting_is_applied_or_a_fault(key: str, value: str) -> None:
    merged = MergedRuleset(tomllib.loads(BASE))
    options, faults = set_values(merged, [f"{key}={value}"])
    assert bool(options) != bool(faults)
    assert sources.unpin(sources.pin(merged.table)) == merged.table
