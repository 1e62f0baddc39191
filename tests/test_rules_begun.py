"""`rules new`: a ruleset file to start from."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.ruleset import sources
from tests.helpers import program

SHIPPED = [found.name for found in sources.list_rulesets() if found.shipped]
FOUR = ("Ana", "Ben", "Cleo", "Dan")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    return tmp_path


def begun(*arguments: str) -> None:
    answer = program("rules", "new", *arguments)
    assert answer.code == 0, answer


def test_the_small_game_passes_the_check_and_can_be_played_at_once() -> None:
    begun("mine", "--title", "Our game")
    checked = program("rules", "check", "./mine.toml")
    assert (checked.code, checked.out) == (0, "mine: no mistakes; 2 clauses, 2 scores\n")
    rules = load_ruleset("./mine.toml")
    assert rules.title == "Our game"
    match = Match(rules, FOUR)
    cards = list(rules.pack.kinds)
    random.Random(1).shuffle(cards)
    for seat, name in enumerate(FOUR):
        match.record(f"hand {name}: {' '.join(cards[8 * seat : 8 * seat + 8])}")
    while not match.rounds or match.rounds[-1].scores is None:
        match.record(next(iter(match.legal)))
    changes = match.rounds[-1].scores
    assert changes["Ana"] == changes["Cleo"]
    assert changes["Ben"] == changes["Dan"]


def test_every_rule_of_the_small_game_cites_its_text() -> None:
    begun("mine")
    for code in ("tricks.follow", "tricks.held", "scores.won", "scores.all", "phases.counting"):
        said = program("rules", "explain", code, "--ruleset", "./mine.toml").out
        assert re.search(r"^mine \d\.\d ", said, re.M), said
    assert "Mine" in Path("mine.md").read_text("utf-8").splitlines()[0]


@pytest.mark.parametrize("parent", SHIPPED)
def test_what_extends_changes_nothing_at_first(parent: str) -> None:
    begun("ours", "--extends", parent)
    assert program("rules", "check", "./ours.toml").code == 0
    found = program("rules", "diff", parent, "./ours.toml", "--format", "json").data
    assert {each["key"] for each in found["differences"]} <= {"name", "title", "rules", "source"}


@pytest.mark.parametrize("parent", SHIPPED)
def test_its_comments_are_the_values_that_hold(parent: str) -> None:
    """Uncomment every line; the ruleset is still the same."""
    begun("ours", "--extends", parent)
    path = Path("ours.toml")
    text = path.read_text("utf-8")
    assert max(map(len, text.splitlines())) <= 160
    open_ = re.sub(r"^# (\[(?!cites)|[a-z_]+ = )", r"\1", text, flags=re.M)
    assert open_.count("\n[") > 1
    path.write_text(open_, "utf-8")
    assert program("rules", "check", "./ours.toml").out.startswith("ours: no mistakes")
    found = program("rules", "diff", parent, "./ours.toml", "--format", "json").data
    assert {each["key"] for each in found["differences"]} <= {"name", "title", "rules", "source"}


@pytest.mark.parametrize("parent", SHIPPED)
def test_its_text_is_the_parents_with_a_section_to_write_in(parent: str) -> None:
    begun("ours", "--extends", parent)
    text = Path("ours.md").read_text("utf-8")
    last = re.findall(r"^## (\d+)\.", text, re.M)[-1]
    assert text.endswith(f"## {last}. At our table\n{last}.1 All the rules above apply.\n")
    code = next(iter(load_ruleset(parent).clauses.values())).code
    path = Path("ours.toml")
    path.write_text(f'{path.read_text("utf-8")}\n[cites]\n"{code}" = "{last}.1"\n', "utf-8")
    said = program("rules", "explain", code, "--ruleset", "./ours.toml").out
    assert f"ours {last}.1 All the rules above apply." in said


def test_a_title_from_anywhere_is_kept_as_it_is() -> None:
    title = 'A "game" \\ <b> NAME TITLE PARENT NUMBER\n# x \u202e\x1b'
    begun("mine", "--title", title)
    begun("ours", "--title", title, "--extends", "dudo")
    for name in ("mine", "ours"):
        assert load_ruleset(f"./{name}.toml").title == title


def test_nothing_is_overwritten(folder: Path) -> None:
    for there in ("mine.toml", "mine.md"):
        Path(there).write_text("mine", "utf-8")
        answer = program("rules", "new", "mine")
        assert (answer.code, answer.out) == (2, "")
        assert f"{there} already exists" in answer.err
        assert Path(there).read_text("utf-8") == "mine"
        assert [path.name for path in folder.glob("mine.*")] == [there]
        Path(there).unlink()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Mine"], "“Mine” is not a valid ruleset name"),
        (["a/b"], "“a/b” is not a valid ruleset name"),
        (["x" * 65], "is not a valid ruleset name"),
        ([""], "a ruleset needs a name"),
        (["mine", "--title", " "], "a ruleset needs a title"),
        (["mine", "--title", "x" * 1001], "1001 characters"),
        (["mine", "--extends", "dodo"], 'there is no ruleset "dodo"'),
        (["mine", "--extends", "./dudo.toml"], "is a path"),
        (["mine", "--to", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_is_said(folder: Path, arguments: list[str], said: str) -> None:
    answer = program("rules", "new", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert list(folder.iterdir()) == []


def test_another_folder_and_json(folder: Path) -> None:
    (folder / "there").mkdir()
    answer = program("rules", "new", "mine", "--to", "there", "--format", "json")
    assert answer.data == {"ruleset": "there/mine.toml", "text": "there/mine.md"}
    assert program("rules", "check", "there/mine.toml").code == 0


def test_in_the_folder_of_ones_own_rulesets_the_name_is_enough(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(folder))
    begun("mine")
    assert program("new", "mine", *FOUR).code == 0
    begun("child", "--extends", "mine")
    assert program("rules", "check", "child").code == 0


def test_a_text_with_strange_numbers_gets_a_section_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(folder))
    begun("mine")
    path = Path("mine.md")
    path.write_text(f"{path.read_text('utf-8')}\n## ². Odd\n## {'9' * 5000}. Long\n", "utf-8")
    begun("child", "--extends", "mine")
    assert "## 4. At our table\n4.1 " in Path("child.md").read_text("utf-8")
