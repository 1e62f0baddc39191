"""The live table in a real terminal: typing, mistakes, corrections, resizing, a lost connection."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset, read_record
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from tests.terminal import ROOT, Terminal

PLAYERS = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.sqlite"


@pytest.fixture
def env(path: Path, tmp_path: Path) -> dict[str, str]:
    return {"SCOREKEEPER_BOOK": str(path), "HOME": str(tmp_path), "COLORTERM": ""}


def new(path: Path, ruleset: str = "dudo", players: list[str] = PLAYERS) -> None:
    with Book(path) as book:
        begin_match(book, load_ruleset(ruleset), players)


def entries(path: Path, match: int = 1) -> list[str]:
    """Return the entries of the match's last round in the book."""
    with Book(path, create=False) as book:
        rounds = MatchRecorder(book, match).match.rounds
        return list(rounds[-1].entries) if rounds else []


def line(text: str) -> Callable[[str], bool]:
    """Return a predicate that is true if the input line has exactly that text."""
    return lambda screen: any(row.rstrip() == f"> {text}".rstrip() for row in screen.split("\n"))


def test_a_round_with_everything_that_goes_wrong(path: Path, env: dict[str, str]) -> None:
    new(path)
    with Terminal("table", env=env) as table:
        screen = table.wait("Ana starts with a bid")
        assert "match 1: Dudo" in screen
        table.enter("lead Ben")
        table.wait("Ben starts with a bid")
        table.press("3x", "w")
        table.wait("not a face")
        table.press("backspace", "4")
        table.wait("Ben: 3x4: legal")
        table.press("enter")
        table.wait("Cleo bids higher than 3x4")

        table.press("2x4")  # too low: reported before it is sent, and again after
        table.wait("2x4 is too low")
        table.press("enter")
        table.wait("refused: 2x4 is too low")
        table.press("backspace", "5", "enter")
        table.wait(line("2x5"))
        table.press("ctrl-c")
        table.wait(line(""))
        table.enter("4x5")
        table.wait("Dan bids higher than 4x5")

        table.enter("Ben: 6x5")  # out of turn, and the table accepts it
        table.wait("it is not Ben's turn")
        table.press("f8")
        table.wait("Cleo bids higher than 6x5")
        table.press("f2")
        table.wait("undone: Ben: 6x5 !stands")

        table.enter("Ana: dudo")  # a call out of turn, withdrawn by the table
        table.wait("Ana may not call now")
        table.press("f9")
        table.wait("Ana: dudo !withdrawn")
        table.enter("Dan: dudo")
        table.wait("are counted")
        table.enter("count 9, x")
        table.wait("round 1 is over")
        table.wait(line("x"))
        table.press("ctrl-c", "f10")
        assert table.end() == 0
    assert entries(path) == [
        "lead Ben", "Ben: 3x4", "Cleo: 4x5", "Ana: dudo !withdrawn", "Dan: dudo", "count 9",
    ]  # fmt: skip


def test_one_key_each(path: Path, env: dict[str, str]) -> None:
    new(path)
    with Terminal("table", env=env) as table:
        table.wait("Ana starts")
        table.enter("3x4, 4x4, Cleo: dudo")
        table.wait("are counted")
        table.press("f6")  # opens the result form
        table.wait("loser>")
        table.enter("Cleo")
        table.wait("gainer>")
        table.press("enter")
        table.wait("score: Ana +0, Ben +0, Cleo -1, Dan +0")
        table.press("enter")
        table.wait("round 1 is over")
        table.enter("1x1")
        table.wait("refused: ")
        table.press("f5")
        table.wait("dudo 2.2")
        table.press("esc")
        table.wait("── log")
        table.press("esc")
        table.wait(line(""))
        table.press("f3")
        table.wait("  Ben: 4x4")
        table.press("f4")
        table.wait("after 1")
        table.press("f1")
        table.wait("F8: stands")
        table.press("f2")
        table.wait("undone: result loser=Cleo")
        table.press("ctrl-d")
        assert table.end() == 0
    assert entries(path) == ["Ana: 3x4", "Ben: 4x4", "Cleo: dudo"]


def test_what_was_found_is_a_key_away_and_is_decided_in_the_line(
    path: Path, env: dict[str, str]
) -> None:
    with Book(path) as book:
        match = Match(load_ruleset("doppelkopf-ddv", **{"remedies.revoke": False}), PLAYERS)
        match.play_round(["all: gesund", "Ana: AS", "Ben: QS", "Cleo: KS", "Dan: TS", "Ben: KS"])
        import_match(book, match)
    new(path)
    with Terminal("table", "1", "2", env=env) as table:
        table.wait("F7 Next F12 Ruled F10 Quit")
        table.press("f12")
        table.wait("1 proven and undecided")
        table.wait("1.3  Ben: QS  [proven by 1.6; undecided: it counts until the table decides]")
        table.press("pagedown")
        table.wait("the entry stands: amend 1.3 Ben: QS !stands")
        table.press("esc")
        table.wait("── log")
        table.enter("amend 1.3 Ben: QS !stands")
        table.wait("amended: 1.3 Ben: QS !stands")
        table.enter("/rulings")
        table.wait("1.3  Ben: QS !stands  [proven by 1.6; decided: the entry stands]")
        table.press("esc", "f7", "f12")
        table.wait("no findings")
        table.press("f10")
        assert table.end() == 0


def test_completion_offers_what_is_legal(path: Path, env: dict[str, str]) -> None:
    new(path)
    with Terminal("table", env=env) as table:
        table.wait("Ana starts")
        table.enter("3x4")
        table.wait("Ben bids higher")
        table.press("je d")
        table.wait("the last bid is doubted")
        table.press("tab")
        table.wait(line("dudo"))
        table.press("enter")
        table.wait("are counted")
        table.press("di")
        table.wait("dice Ana:")
        table.press("ctrl-c", "ctrl-d")
        table.end()


def test_it_fits_any_size(path: Path, env: dict[str, str]) -> None:
    new(path)
    with Terminal("table", env=env) as table:
        table.wait("Ana starts")
        table.enter("3x4")
        table.wait(lambda text: any(row.startswith("  1.1  Ana: 3x4") for row in text.split("\n")))
        table.press("4x")
        table.resize(40, 120)
        table.wait(lambda text: "│  1.1  Ana: 3x4" in text and "\n> 4x" in text)
        table.resize(24, 80)
        table.wait(lambda text: "\n  1.1  Ana: 3x4" in text and "\n> 4x" in text)
        table.press("4", "enter")
        table.wait("  1.2  Ben: 4x4")
        table.resize(12, 40)
        table.wait(lambda text: "match 1" in text and "F1 Help" in text)


def test_what_was_acknowledged_survives_a_kill(path: Path, env: dict[str, str]) -> None:
    new(path)
    with Terminal("table", env=env) as table:
        table.wait("Ana starts")
        for text in ("3x4", "4x4", "5x4"):
            table.enter(text)
        table.wait("  1.3  Cleo: 5x4")
        table.press("6x4", "enter", "7x4")
        table.kill()
    stands = entries(path)
    assert stands[:3] == ["Ana: 3x4", "Ben: 4x4", "Cleo: 5x4"]
    assert stands[3:] in ([], ["Dan: 6x4"])
    with Terminal("table", env=env) as table:
        table.wait("  1.3  Cleo: 5x4")
        table.press("f2")
        table.wait(f"undone: {stands[-1]}")


@pytest.mark.parametrize("plain", [[], ["--plain"]])
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_table_that_is_closed_leaves_nothing_waiting(
    path: Path, env: dict[str, str], plain: list[str], number: int
) -> None:
    new(path)
    with Terminal("table", *plain, env=env) as table:
        table.wait("Ana starts")
        table.enter("Dan: 3x4")
        table.wait("not Dan's turn")
        with Book(path) as book:
            assert book.has_pending_decision(1)
        os.kill(table.pid, number)
        assert table.end() in (128 + number, -number)
    with Book(path) as book:
        assert not book.has_pending_decision(1)


def test_ctrl_c_drops_only_what_was_not_sent(path: Path, env: dict[str, str]) -> None:
    new(path)
    with Terminal("table", env=env) as table:
        table.wait("Ana starts")
        table.enter("3x4")
        table.press("4x", "ctrl-c", "ctrl-c", "4x5", "enter")
        table.wait("  1.2  Ben: 4x5")
    assert entries(path) == ["Ana: 3x4", "Ben: 4x5"]


def test_a_second_window_follows(path: Path, env: dict[str, str]) -> None:
    new(path)
    with Terminal("table", env=env) as one, Terminal("table", "--plain", env=env) as two:
        one.wait("Ana starts")
        two.wait("Ana starts")
        one.enter("3x4")
        two.wait("entered: Ana: 3x4")
        two.wait("Ben bids higher than 3x4")
        two.enter("4x4")
        one.wait("entered: Ben: 4x4")
        one.wait("Cleo bids higher than 4x4")


def test_several_matches(path: Path, env: dict[str, str]) -> None:
    new(path)
    new(path, players=["X", "Y"])
    with Terminal("table", "1", "2", env=env) as table:
        table.wait("match 1: Dudo (1 of 2 open)")
        table.press("f7")
        table.wait("match 2: Dudo (2 of 2 open)")
        table.enter("1x2")
        table.wait("  1.1  X: 1x2")
        table.press("f7")
        table.wait("Ana starts")
        table.press("f10")
        table.end()
    assert (entries(path, 1), entries(path, 2)) == ([], ["X: 1x2"])


def test_no_colour_where_it_is_not_wanted(path: Path, env: dict[str, str]) -> None:
    new(path)
    for more, some in (({}, True), ({"NO_COLOR": "1"}, False)):
        with Terminal("table", env={**env, **more}) as table:
            table.wait("Ana starts")
            table.enter("1x1")
            table.wait("refused")
            assert bool(table.grid.colours) is some


@pytest.mark.parametrize("how", [["--plain"], []])
def test_plain_moves_no_cursor(path: Path, env: dict[str, str], how: list[str]) -> None:
    new(path)
    with Terminal("table", *how, env={**env, "TERM": "dumb"}) as table:
        table.wait("Ana starts")
        table.enter("3x4")
        table.wait("Ben bids higher than 3x4")
        table.enter("Dan: 4x4")
        table.wait("not recorded; type it again, or one of these words: stands, withdrawn, correct")
        table.enter("stands")
        table.wait("Ana bids higher than 4x4")
        table.enter("undo")
        table.wait("undone: Dan: 4x4 !stands")
        table.enter("result")
        table.wait("loser: the player who lost")
        table.enter("Ana")
        table.wait("gainer: ")
        table.enter("")
        table.wait("record it?")
        table.enter("what")
        table.wait(lambda text: text.count("record it?") == 2)
        table.enter("yes")
        table.wait("round 1 is over")
        table.enter("quit")
        assert table.end() == 0
        assert "\x1b" not in table.printed
    assert entries(path) == ["Ana: 3x4", "result loser=Ana"]


def test_ctrl_c_ends_a_plain_table_and_loses_nothing(path: Path, env: dict[str, str]) -> None:
    new(path)
    with Terminal("table", "--plain", env=env) as table:
        table.enter("3x4")
        table.wait("Ben bids higher than 3x4")
        table.press("4x4", "ctrl-c")
        assert table.end() == 130
    assert entries(path) == ["Ana: 3x4"]


def piped(env: dict[str, str], text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scorekeeper", "table", *arguments]
    return subprocess.run(
        command, input=text, env={**env, "PATH": ""}, capture_output=True, text=True, cwd=ROOT
    )


def test_without_a_terminal_it_reads_lines(path: Path, env: dict[str, str]) -> None:
    new(path)
    done = piped(env, "3x4\n4x4; 5x4  # quick\nundo\nscore\n")
    assert done.returncode == 0
    assert "undone: Cleo: 5x4" in done.stdout
    assert "Traceback" not in done.stderr
    assert entries(path) == ["Ana: 3x4", "Ben: 4x4"]
    assert piped(env, "1x1\nwithdrawn\n").returncode == 1
    assert piped(env, "what?\n").returncode == 2
    assert entries(path)[2:] == ["Cleo: 1x1 !withdrawn"]


def test_an_unknown_language_is_refused(path: Path, env: dict[str, str]) -> None:
    new(path)
    done = piped(env, "", "--language", "xx")
    assert done.returncode == 2
    assert "es, fr" in done.stderr
    assert piped(env, "3x4\nBen: je doute\n", "--language", "fr").returncode == 0


def test_without_a_match_it_says_how_to_begin(path: Path, env: dict[str, str]) -> None:
    done = piped(env, "")
    assert done.returncode == 2
    assert "scorekeeper new" in done.stderr


@pytest.mark.parametrize(
    ("command", "loads"), [("record 3x4", False), ("status", False), ("table --plain", False)]
)
def test_only_the_screen_loads_its_library(
    path: Path, env: dict[str, str], command: str, loads: bool
) -> None:
    new(path)
    code = (
        "import sys; from scorekeeper.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('prompt_toolkit' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command.split()],
        input="", env={**env, "PATH": ""}, capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == str(loads)


# --- a deal of each game, typed in as its record has it


@pytest.mark.parametrize("name", ["dudo_seed", "durak_opening", "doppelkopf_G05", "da_ban_deal"])
def test_a_deal_is_typed_in(path: Path, env: dict[str, str], name: str) -> None:
    record = ROOT / "tests" / "records" / f"{name}.toml"
    data = tomllib.loads(record.read_text("utf-8"))
    played = read_record(str(record)).rounds[0]
    new(path, data["ruleset"], data["players"])
    lines = data["rounds"][0]["entries"].strip().splitlines()
    if played.entries[0].startswith("dealer "):
        lines.insert(0, played.entries[0])
    with Terminal("table", env=env, rows=30, columns=160) as table:
        table.wait("match 1")
        for text in filter(None, lines):
            if text.startswith("#"):
                continue
            table.press(text)
            table.wait(line(text))
            table.press("enter")
            table.wait(lambda screen: line("")(screen) or "refused:" in screen)
            if "refused:" in table.grid.text:
                table.press("f8")
                table.wait(line(""))
        table.press("f3")
        table.wait("round 1")
        table.press("f10")
        table.end()
    written = [text.removesuffix(" !stands") for text in entries(path)]
    assert written == [text.removesuffix(" !stands") for text in played.entries]


def test_new_asks_on_a_terminal_and_opens_the_table(env: dict[str, str]) -> None:
    with Terminal("new", env=env) as table:
        table.wait("Which game?")
        table.enter("dokko")
        table.wait("Did you mean doppelkopf?")
        table.press("enter")
        table.wait("Who plays?")
        table.enter("Ana Ben")
        table.wait("4")
        table.enter("Ana, Ben, Cleo, Dan")
        table.wait("A house rule")
        table.enter("match.ends=deals >= 4")
        table.wait("In which language")
        table.enter("de")
        table.wait("F10")
        assert "Ana" in table.grid.text
        table.press("f10")


def test_new_without_answers_begins_no_match(path: Path, env: dict[str, str]) -> None:
    with Terminal("new", "dudo", env=env) as table:
        table.wait("Who plays?")
        table.press("ctrl-d")
        table.wait("no match was started")
    assert not path.exists()
