"""The live table's contents: the log, help, forms, and long names that need much room."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size

from scorekeeper import load_ruleset
from scorekeeper.cli.loop import RecordLoop
from scorekeeper.cli.screen import Painter, Screen, key_bar
from scorekeeper.core.text import display_width, shorten
from scorekeeper.session.forms import ResultForm
from scorekeeper.session.hints import command_of
from scorekeeper.session.live import LiveMatch, Session
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from tests.terminal import Terminal

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
GAMES = ["doppelkopf", "durak", "dudo", "da-ban"]
LONG = [
    unicodedata.normalize("NFC", name)[:40].strip()
    for name in (
        "Anastasia-Maximiliane von Hohenzollern-A",
        "Anastasia-Maximiliane von Hohenzollern-B",
        "李" * 40,
        "王小明" * 13,
        "עברית שמות ארוכים מאוד מאוד כאן ויותר",
        "محمد عبد الرحمن بن عبد العزيز آل سعود",
        "Björk Guðmundsdóttir á Íslandi alla daga",
        "e\u0301" * 40,
    )
]


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with Book(tmp_path / "book.sqlite") as opened:
        yield opened


def board(book: Book, ruleset: str = "dudo", players: list[str] = FOUR) -> LiveMatch:
    return Session([begin_match(book, load_ruleset(ruleset), players)]).current


def texts(table: LiveMatch) -> list[str]:
    return [event.text for event in table.log.events]


# --- the log


def test_each_round_has_a_heading_and_its_outcome(book: Book) -> None:
    table = board(book)
    table.enter("3x4, Ben: dudo, count 2")
    table.enter("1x2")
    assert texts(table) == [
        "round 1",
        "  1.1  Ana: 3x4",
        "  1.2  Ben: dudo",
        "  1.3  count 2",
        "round 1 is over: Ana -1, Ben +0, Cleo +0, Dan +0",
        "round 2",
        "  2.1  Ana: 1x2",
    ]


def test_a_round_whose_last_entry_is_taken_back_has_no_outcome_any_longer(book: Book) -> None:
    table = board(book)
    table.enter("3x4, Ben: dudo, 2")
    assert any("round 1 is over" in text for text in texts(table))
    table.undo()
    assert texts(table) == [
        "round 1",
        "  1.1  Ana: 3x4",
        "  1.2  Ben: dudo",
        "undone: count 2",
    ]
    table.enter("2")
    assert texts(Session([MatchRecorder(book, table.desk.id)]).current) == [
        *texts(table)[:3],
        *texts(table)[4:],
    ]


@pytest.mark.parametrize("settled", ["put right", "stands", "dropped", "undone"])
def test_what_was_refused_leaves_the_log_when_it_is_settled(book: Book, settled: str) -> None:
    table = board(book)
    table.enter("3x4, 2x4")
    assert any("too low" in text for text in texts(table))
    if settled == "put right":
        table.enter("4x4")
    elif settled == "stands":
        table.decide("stands")
    elif settled == "dropped":
        table.correct()
    else:
        table.undo()
    assert not any(text.startswith("Ben: 2x4: illegal") for text in texts(table))
    assert any("too low" in text for text in texts(table)) == (settled == "stands")


def test_what_could_not_be_read_leaves_it_too(book: Book) -> None:
    table = board(book)
    table.enter("what?")
    assert "what?" in texts(table)[-1]
    table.enter("3x4")
    assert texts(table) == ["round 1", "  1.1  Ana: 3x4"]


def test_what_was_taken_back_has_no_number_any_longer(book: Book) -> None:
    table = board(book)
    table.enter("3x4, 4x4")
    table.undo()
    assert texts(table)[-2:] == ["  1.1  Ana: 3x4", "undone: Ben: 4x4"]
    table.undo()
    table.enter("1x2")
    assert texts(table)[-2:] == ["round 1", "  1.1  Ana: 1x2"]


def test_another_is_named_without_the_number_of_a_process(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = board(book)
    monkeypatch.setenv("USER", "eva")
    Session([MatchRecorder(book, table.desk.id)]).current.enter("3x4")
    assert table.check_news()
    assert texts(table)[-2:] == ["round 1", "  1.1  eva entered: Ana: 3x4"]


# --- what stands


def test_a_table_that_plays_sees_what_people_look_for(book: Book) -> None:
    table = board(book, "doppelkopf-ddv")
    table.enter("result contract=normal re=Ana+Ben points=132")
    table.enter("all: gesund")
    table.enter("AC 9C TC KC")
    shown = table.screen()
    assert shown.turn == "Ben leads to trick 2"
    assert shown.facts == [
        "Ben took trick 1 with AC (25 card points)",
        "1 deal of 24 played",
        "Ana, Ben, Cleo and Dan owe a solo",
    ]


def test_bock_deals_that_are_left_stand_there(book: Book) -> None:
    table = board(book, "doppelkopf-bock")
    table.enter("result contract=normal re=Ana+Ben points=120, all: gesund")
    assert table.screen().facts == ["bock deals to come: 4"]


# --- help, and words for it


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_help_names_entries_that_work_as_typed(book: Book, ruleset: str) -> None:
    table = board(book, ruleset)
    if ruleset == "da-ban":
        table.enter("master Ana, trump H, kitty 4C 5C 6C 7C 8C 9C")
    if ruleset == "durak":
        table.enter("trump H")
    examples = table.examples(4)
    assert examples
    for entry in examples:
        assert not table.match.judge(entry).refused
        assert entry in table.help()[1]
    assert table.help()[0] == f"Now: {table.screen().turn}"


@pytest.mark.parametrize(
    ("ruleset", "before", "examples", "first"),
    [
        ("durak", "", ["turnup AC"], ["turnup ", "trump "]),
        ("durak", "trump H", ["AC"], ["Ana: attack AC"]),
        ("durak", "trump H, 6S", ["AS", "take"], ["Ben: cover 6S AS", "Ben: take"]),
        ("durak", "trump H, 6S, 8S", ["Ana: attack 8C"], ["Ana: attack 8C"]),
        ("dudo", "", ["1x2"], ["Ana: 1x2"]),
        ("dudo", "3x4, Ben: dudo", ["3"], ["count ", "dice Ana: "]),
        ("da-ban", "", ["trump C"], ["trump ", "kitty "]),
        ("da-ban", "master Ana, trump H", ["kitty AC AC AC KC KC KC"], ["kitty "]),
        ("doppelkopf", "", ["gesund"], ["Ana: gesund"]),
        ("belote", "", ["turnup AC"], ["turnup ", "trump "]),
    ],
)
def test_what_is_waited_for_comes_first_and_as_short_as_it_may_be_typed(
    book: Book, ruleset: str, before: str, examples: list[str], first: list[str]
) -> None:
    table = board(book, ruleset)
    if before:
        table.enter(before)
    assert table.examples(4)[: len(examples)] == examples
    assert [found.text for found in table.complete("")][: len(first)] == first


def test_the_help_is_of_the_game_that_is_played(book: Book) -> None:
    durak = " ".join(board(book, "durak").help())
    assert "cover ATTACK CARD" in durak
    assert "dudo" not in durak
    dudo = board(book, "dudo")
    assert "dudo (the last bid is doubted)" in " ".join(dudo.help())
    assert "count NUMBER" in dudo.other_forms()


class Wide(Screen):
    """A session as a usual terminal shows it."""

    size = Size(24, 80)


@pytest.mark.parametrize(
    ("ruleset", "result"),
    [("doppelkopf", "100 re=Ana+Ben"), ("durak", "loser=Ana"), ("dudo", "loser=Ana")],
)
def test_the_help_teaches_the_shortest_result_and_is_one_screen(
    book: Book, ruleset: str, result: str
) -> None:
    session = Session([begin_match(book, load_ruleset(ruleset), FOUR)])
    assert session.current.help()[1].endswith(f"or for a whole round: {result}")
    assert not session.current.match.judge(result).refused
    assert session.current.claim_words() == []
    painter = Painter(session.current.speech.spoken_notation)
    lines = [line for said in Wide(session).help_lines() for line in painter.lines(said, "", 80)]
    assert len(lines) <= 18


def test_what_is_not_played_is_not_in_the_help(book: Book) -> None:
    assert "transfer" not in " ".join(board(book, "durak").help())
    assert "transfer CARD" in " ".join(board(book, "durak-transfer").help())


@pytest.mark.parametrize(
    ("word", "command"),
    [("help", "help"), ("?", "help"), ("quit", "quit"), ("exit", "quit"), ("3x4", "")],
)
def test_words_for_help_and_leaving(word: str, command: str) -> None:
    assert command_of(word) == command


# --- a result, field by field


def form(book: Book, ruleset: str = "doppelkopf") -> ResultForm:
    return board(book, ruleset).form()


def test_each_field_is_checked_and_what_was_right_stays(book: Book) -> None:
    asked = form(book)
    assert asked.answer("nor")
    assert not asked.answer("Ana+Zoe")
    assert asked.error == "re: “Zoe” is not one of Ana, Ben, Cleo, Dan"
    assert asked.answer("ana+b")
    assert not asked.answer("keine90")
    assert "re:keine90, kontra:keine90" in asked.error
    assert asked.answer("re")
    for wrong in ("many", "300"):
        assert not asked.answer(wrong)
        assert asked.error
    assert asked.answer("132")
    assert asked.answers[:4] == ["normal", "Ana+Ben", "re:re", "132"]
    asked.go_back()
    assert asked.previous_answer == "132"
    assert asked.answer("")


def test_a_result_that_is_refused_asks_for_what_is_to_blame(book: Book) -> None:
    table = board(book)
    table.enter("3x4, 4x4, Cleo: dudo")
    asked = table.form()
    assert asked.answer("Dan")
    assert asked.answer("")
    assert asked.preview().kind == "refused"
    asked.go_to_faulty_field()
    assert (asked.current_field.key, asked.previous_answer) == ("loser", "Dan")


@pytest.mark.parametrize("wrong", ["many", "-5", "99999"])
def test_an_answer_that_cannot_be_read_is_asked_again_however_often(book: Book, wrong: str) -> None:
    asked = form(book, "da-ban")
    for _ in range(2):
        assert not asked.answer(wrong)
        assert asked.error
        assert not asked.accepts_repeat
    assert asked.answer("90")


def test_an_answer_says_who_or_what_is_missing_beside_a_plus(book: Book) -> None:
    asked = form(book)
    assert asked.answer("normal")
    assert not asked.answer("Ana+")
    assert asked.error == (
        "re: a word is missing next to “+” in “Ana+”; choose from Ana, Ben, Cleo, Dan"
    )
    assert asked.answer("Ana+Ben")
    assert not asked.answer("re + keine90")
    assert "“keine90” could mean" in asked.error
    asked.answer("")
    asked.answer("132")
    assert asked.complete("fo") == ["re:fox", "kontra:fox"]
    assert asked.complete("re:fox+kontra:d") == ["re:fox+kontra:doppelkopf"]


def test_without_keys_an_answer_stays_goes_and_the_field_before_comes(book: Book) -> None:
    asked = form(book)
    assert asked.enter("normal")
    assert asked.enter("help")
    assert asked.current_field.key == "re"
    assert asked.enter("<")
    assert asked.question.endswith("leave empty for normal, or enter “-” to skip or “<” to go back")
    assert asked.enter("")
    assert asked.answers[0] == "normal"
    assert asked.enter("<")
    assert asked.enter("-")
    assert asked.answers[0] == ""
    assert not asked.enter("exit")


# --- room


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("most", [6, 12, 40])
def test_names_of_any_kind_stay_in_their_columns(book: Book, width: int, most: int) -> None:
    table = board(book, "dudo", LONG)
    table.enter("3x4, 4x4")
    painter = Painter(table.speech.spoken_notation)
    lines = [
        "".join(text for _, text in line) for line in painter.table(table.screen(), width, most)
    ]
    assert all(display_width(line) <= width for line in lines), lines
    rows = [line for line in lines if line[:2] in ("> ", "  ") and line.endswith("   5")]
    assert len({display_width(row) for row in rows}) <= 1
    for line in table.score():
        assert display_width(line) < 60 or ":" in line


def test_a_short_name_keeps_its_beginning_and_end() -> None:
    assert shorten(LONG[0], 16) != shorten(LONG[1], 16)
    assert [display_width(shorten(name, 16)) for name in LONG] == [16, 16, 15, 15, 16, 16, 16, 16]
    assert shorten("Ana", 3) == "Ana"


def test_keys_that_do_not_fit_are_left_out_whole() -> None:
    keys = [("F1", "Help"), ("F5", "Explain"), ("F10", "Quit")]
    said = "".join(part[1] for part in key_bar(keys, 20, ["F5"]))
    assert said.split() == ["F1", "Help", "F10", "Quit"]


def test_what_is_typed_about_a_claim_is_never_broken(book: Book) -> None:
    names = [name[:38] + str(number) for number, name in enumerate([LONG[0]] * 4)]
    table = board(book, "doppelkopf-ddv", names)
    table.enter("all: gesund")
    table.enter("AC KC TC 9C")
    table.enter(f"AS, {names[1]}: 9H, 9S, KS, TS, {names[1]}: AS")
    painter = Painter(table.speech.spoken_notation)
    shown = [
        "".join(text for _, text in line).strip()
        for event in table.log.events
        for line in painter.lines(event.text, "", 60)
    ]
    assert f"claim {names[0]}: 7" in shown
    assert f"waive {names[2]}" in [part.strip(" ·") for part in shown]


# --- the loop of `record`


def looped(book: Book, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the entries that a live table records from these lines."""
    desk = MatchRecorder(book, 1)
    typed = iter(lines)
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    taken: list[str] = []

    def take(entered: list[str]) -> int:
        taken.extend(entered)
        desk.record(entered)
        return 0

    RecordLoop(desk, take, lambda: "to act", lambda: 0).run()
    return taken


@pytest.mark.parametrize("word", ["quit", "exit", ""])
def test_a_loop_knows_words_for_leaving_and_help(
    book: Book, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board(book)
    assert looped(book, ["help", "3x4", "last", word], monkeypatch) == ["3x4"]
    assert "COUNTxFACE" in capsys.readouterr().out


def test_a_loop_remembers_lines_but_no_hands(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    board(book)
    looped(book, ["hand Ana: 1 1 2 3 4", "3x4", "no such thing", "exit"], monkeypatch)
    kept = Path(f"{book.path}.history")
    assert kept.read_text("utf-8") == "3x4\n"
    assert os.name == "nt" or kept.stat().st_mode & 0o077 == 0
    looped(book, ["4x4", "exit"], monkeypatch)
    assert kept.read_text("utf-8") == "3x4\n4x4\n"


# --- on a screen


def test_a_screen_of_sixty_columns(book: Book, tmp_path: Path) -> None:
    env = {"SCOREKEEPER_BOOK": str(book.path), "HOME": str(tmp_path)}
    board(book)
    with Terminal("table", env=env, rows=20, columns=60) as table:
        table.wait("type what happens, like “1x2”")
        table.press("1x", "tab")
        table.wait("> 1x2")
        table.press("enter")
        table.wait("  1.1  Ana: 1x2")
        table.press("f1")
        table.wait("You could type: ")
        assert "dice" not in table.grid.text.splitlines()[1]
        table.press("esc", "f6")
        table.wait("loser>")
        table.press("B", "enter")
        table.wait("gainer>")
        table.press("Q", "enter")
        table.wait("“Q” is not one of")
        table.press("esc")
        table.wait("loser> Ben")
        table.press("enter", "enter")
        table.wait("Enter records it")
        table.enter("abc")
        table.wait("“abc” is neither yes nor no")
        table.enter("no")
        table.wait("gainer>")
        table.press("esc", "esc")
        table.wait("── log")
        table.enter("exit")
        assert table.end() == 0


def test_why_a_line_was_refused_stands_under_it_and_nothing_covers_it(
    book: Book, tmp_path: Path
) -> None:
    board(book, "durak").enter("trump H, 6S, 8S")
    env = {"SCOREKEEPER_BOOK": str(book.path), "HOME": str(tmp_path)}
    with Terminal("table", env=env) as table:
        table.wait("type what happens")
        table.press("8c")
        shown = table.wait("  Ana: attack 8C   leads")
        assert "  Cleo: attack 8C  leads" in shown
        rule = next(row for row in shown.splitlines() if row == "─" * 80)
        rows = shown.splitlines()
        assert rows[rows.index(rule) + 1].startswith("  Ana: attack 8C")
        table.press("enter")
        shown = table.wait("> 8c\nwho adds these cards?")
        assert "leads cards, or adds them" not in shown
        table.press("tab")
        table.wait("> Ana: attack 8C")
        table.press("esc")
        table.wait(lambda text: "who adds" not in text)
        table.enter("joins Gus after Cleo")
        shown = table.wait("> joins Gus after Cleo\n“joins” must be entered between rounds")
        table.press("esc")
        table.wait(lambda text: "Gus" not in text)
        table.press("f10")
        table.end()


def test_what_is_pasted_is_taken_line_by_line_and_colours_do_no_harm(
    book: Book, tmp_path: Path
) -> None:
    board(book)
    env = {"SCOREKEEPER_BOOK": str(book.path), "HOME": str(tmp_path)}
    with Terminal("table", env=env) as table:
        table.wait("type what happens")
        table.press("\x1b[31m", "\x1b[200~1x2\n2x2\n3x\x1b[201~")
        table.wait("> 3x")
        assert "  1.2  Ben: 2x2" in table.wait("  1.1  Ana: 1x2")
        table.press("esc", "\x1b[200~1x2\nnote two\n\x1b[201~")
        table.wait("> 1x2, note two")
        table.press("f10")
        assert table.end() == 0
        assert "Traceback" not in table.printed


def test_a_table_that_everybody_has_left_can_be_looked_at(book: Book) -> None:
    table = board(book)
    shown = table.screen()._replace(rows=[])
    assert Painter(table.speech.spoken_notation).table(shown, 80, 10)
