"""The live table without a terminal: typed lines and the screens that follow."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.notation.notation import Translator
from scorekeeper.session import screen
from scorekeeper.session.live import LiveMatch, Session
from scorekeeper.session.rulings import Faults
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match

PLAYERS = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with Book(tmp_path / "book.sqlite", wait=0.0) as opened:
        yield opened


def board(
    book: Book, ruleset: str = "dudo", players: list[str] = PLAYERS, language: str = ""
) -> LiveMatch:
    return Session([begin_match(book, load_ruleset(ruleset), players)], language).current


def texts(table: LiveMatch) -> list[str]:
    return [event.text for event in table.log.events]


def offered(table: LiveMatch, line: str) -> list[str]:
    return [completion.text for completion in table.complete(line)]


def stored(table: LiveMatch) -> list[str]:
    """Return the entries in the book, as another process reads them."""
    kept = table.desk.store
    assert isinstance(kept, Book)
    with Book(kept.path, create=False) as again:
        rounds = MatchRecorder(again, table.desk.id).match.rounds
        return list(rounds[-1].entries) if rounds else []


# --- entries


def test_an_entry_is_stored_before_it_is_told(book: Book) -> None:
    table = board(book)
    assert table.enter("3x4") == ""
    assert stored(table) == ["Ana: 3x4"]
    assert texts(table) == ["round 1", "  1.1  Ana: 3x4"]
    assert table.screen().turn == "Ben bids higher than 3x4, or says dudo or calzo"


def test_a_line_stops_at_the_first_entry_that_is_refused(book: Book) -> None:
    table = board(book)
    assert table.enter("3x4, 2x4, 5x4") == "2x4, 5x4"
    assert stored(table) == ["Ana: 3x4"]
    assert table.pending is not None
    assert table.pending.ruling.findings[0].code == "bids.same-or-lower-face"


def test_what_the_table_decides_is_recorded_with_what_came_after(book: Book) -> None:
    table = board(book)
    table.enter("3x4, 2x4, 5x4")
    assert table.decide("stands") == ""
    assert stored(table) == ["Ana: 3x4", "Ben: 2x4 !stands", "Cleo: 5x4"]
    table.enter("Ana: dudo")
    assert table.decide("withdrawn") == ""
    assert stored(table)[-1] == "Ana: dudo !withdrawn"
    assert table.decide("stands") == ""
    assert len(stored(table)) == 4


def test_a_refused_entry_is_put_right(book: Book) -> None:
    table = board(book)
    table.enter("1x1")
    assert table.correct() == "1x1"
    assert table.pending is None
    assert table.enter("1x2") == ""
    assert stored(table) == ["Ana: 1x2"]


@pytest.mark.parametrize("line", ["what?", "3x9", "Zoe: 3x4", "count 3", "dudo", "3x4" * 900])
def test_what_cannot_be_is_told_and_given_back(book: Book, line: str) -> None:
    table = board(book)
    assert table.enter(line) == line
    assert table.pending is None
    assert stored(table) == []
    assert table.log.events[-1].kind == "failed"


def test_a_typed_word_decides_only_while_something_waits(book: Book) -> None:
    session = Session([begin_match(book, load_ruleset("dudo"), PLAYERS)])
    assert session.enter("stands") == "stands"
    session.enter("1x1")
    assert session.enter("!withdrawn") == ""
    assert stored(session.current) == ["Ana: 1x1 !withdrawn"]


def test_a_round_that_ends_says_what_it_was_worth(book: Book) -> None:
    table = board(book)
    table.enter("3x4, Ben: dudo, count 2")
    assert texts(table)[-1] == "round 1 is over: Ana -1, Ben +0, Cleo +0, Dan +0"
    assert table.screen().over
    assert table.screen().turn == "Ana starts with a bid"
    table.enter("note a good one")
    assert sum("is over" in text for text in texts(table)) == 1


# --- while typing


@pytest.mark.parametrize(
    ("line", "kind", "part"),
    [
        ("", "plain", ""),
        ("3x", "plain", "3x5"),
        ("4x4", "fine", "Ben: 4x4: legal"),
        ("4x4, 5x4", "fine", "Cleo: 5x4: legal"),
        ("30x4", "noted", "a bluff"),
        ("2x4", "refused", "2x4 is too low"),
        ("4x4, 2x4, 5x4", "refused", "Cleo: 2x4: 2x4 is too low"),
        ("Dan: 9x4", "refused", "it is not Dan's turn"),
        ("Dan: cal", "warned", "calzo is not possible now; Ben bids higher"),
        ("dude", "failed", "is not an act of this game"),
        ("hand B", "plain", "hand Ben"),
    ],
)
def test_what_a_line_would_come_to_is_said_before_it_is_sent(
    book: Book, line: str, kind: str, part: str
) -> None:
    table = board(book)
    if line != "hand B":
        table.enter("3x4")
    hint = table.hint(line)
    assert hint.kind == kind
    assert part in hint.text
    assert len(stored(table)) == (line != "hand B")


def test_a_hint_does_not_change_what_is_recorded(book: Book) -> None:
    table = board(book, "durak", ["X", "Y"])
    table.enter("lead X; trump D")
    for line in ("X: attack 6C", "attack 6C, Y: cover 6C 7C", "X: attack", "6C"):
        table.hint(line)
    table.enter("X: attack 6C")
    assert stored(table)[-1] == "X: attack 6C"


# --- completion


def test_only_what_is_legal_is_offered(book: Book) -> None:
    table = board(book)
    assert "1x1" not in offered(table, "1x")
    assert "1x2" in offered(table, "1x")
    table.enter("3x4")
    assert offered(table, "2x") == ["2x1"]
    assert "4x4" in offered(table, "3x5, 4x") or offered(table, "3x5, 4x") == ["4x1", "4x2"]
    assert offered(table, "3x5, Cleo: d") == ["Cleo: dudo"]


def test_the_next_of_several_cards_is_offered_though_nobody_lists_them(book: Book) -> None:
    table = board(book, "da-ban", ["Ana", "Ben", "Cleo", "Dan"])
    table.enter("master Ana; trump H")
    table.enter("kitty 4C 5C 6C 7C 8C 9C")
    table.enter("leave")
    table.enter("Ana: AC AC")
    assert "Ben: …" in table.match.legal()
    assert offered(table, "Ben: KC Q") == ["Ben: KC QC", "Ben: KC QS", "Ben: KC QH", "Ben: KC QD"]
    assert "KC QS" in offered(table, "KC q")
    assert offered(table, "Ana: KC Q") == offered(table, "Ben: nonsense Q") == []
    table.enter("Ben: KC QS")
    assert stored(table)[-1] == "Ben: KC QS"


@pytest.mark.parametrize("typed", ["du", "je d", "Be: d", "b: du", "Ben: je"])
def test_a_word_is_completed_in_any_language_with_or_without_a_name(book: Book, typed: str) -> None:
    table = board(book)
    table.enter("3x4")
    assert ("Ben: dudo" if ":" in typed else "dudo") in offered(table, typed)


def test_entries_are_offered_in_the_language_that_was_asked_for(book: Book) -> None:
    table = board(book, language="fr")
    table.enter("3x4")
    found = offered(table, "du")
    assert found == ["je doute"]
    assert table.enter(found[0]) == ""
    assert stored(table)[-1] == "Ben: dudo"


def test_what_is_owed_and_what_the_table_says_is_offered(book: Book) -> None:
    table = board(book)
    assert "hand Ben: " in offered(table, "hand b")
    assert "lead Cleo" in offered(table, "lead c")
    assert "count " not in offered(table, "c")
    table.enter("3x4, Ben: dudo")
    assert offered(table, "dice A") == ["dice Ana: "]
    assert "count " in offered(table, "c")
    assert not any(text.startswith("lead") for text in offered(table, "le"))


def test_a_hand_that_was_entered_gives_nothing_away(book: Book) -> None:
    table = board(book, "durak", ["X", "Y"])
    table.enter("trump D; talon 0; lead X")
    table.enter("hand X: 6C 7C")
    table.enter("hand Y: 8C 9C")
    assert "hand X: 2" in "".join(texts(table))
    assert "attack AS" in offered(table, "attack A")
    hint = table.hint("attack AS")
    assert hint.kind == "fine"  # before it is sent, not even a refusal by the hand is shown
    assert table.enter("attack AS") == "attack AS"
    assert table.pending is not None
    told = [event.text for event in table.log.events if event.kind == "refused"]
    assert told == [
        "X: attack AS: illegal",
        "  this breaks a rule because of a hand that was entered; “scorekeeper judge” shows"
        " the reason (entry.hand)",
    ]
    assert not any(card in " ".join([*told, *table.explain()]) for card in ("6C", "7C"))


def test_the_view_of_the_table_keeps_step(book: Book) -> None:
    table = board(book, "durak", ["X", "Y"])
    lines = ["trump D; talon 0; lead X", "hand X: 6C 7C 8S", "hand Y: 8C 9C AS", "X: attack 6C"]
    lines += ["Y: cover 6C 8C", "X: attack 8S", "Y: cover 8S AS", "X: pass", "undo", "undo"]
    lines += ["Y: take", "X: pass"]
    for line in lines:
        if line == "undo":
            table.undo()
        else:
            assert table.enter(line) == ""
        assert table.public_match.state == table.match.public_copy().state


@pytest.mark.parametrize("ruleset", ["dudo", "durak-transfer", "doppelkopf", "da-ban"])
def test_whatever_is_typed_the_table_stands(book: Book, ruleset: str) -> None:
    random = Random(ruleset)
    table = board(book, ruleset)
    words = [*table.match.notation.lexicon.meanings, *PLAYERS, "Ben:", "all:", "3x4", "2", ",", ";"]
    words += [*table.match.ruleset.pack.kinds, "!stands", "♥10", "#", "H", "", "\u202e", "/"]
    for _ in range(150):
        line = " ".join(random.choices(words, k=random.randint(1, 4)))
        if random.random() < 0.4:
            line = random.choice(offered(table, "") or [line])
        for typed in (line[: len(line) // 2], line):
            table.hint(typed)
            table.complete(typed)
        if table.enter(line) and table.pending and random.random() < 0.5:
            table.decide(random.choice(["stands", "withdrawn"]))
        if random.random() < 0.1:
            table.undo()
        table.screen()
        assert table.public_match.live_round.number == table.match.live_round.number
    assert all([table.last(), table.score(), table.explain()])
    live = table.match.rounds[-1].entries if table.match.rounds else []
    assert stored(table) == live


# --- corrections


def test_undo_takes_back_one_entry_and_a_waiting_one_first(book: Book) -> None:
    table = board(book)
    table.enter("3x4, 4x4, 1x1")
    table.undo()
    assert table.pending is None
    assert stored(table) == ["Ana: 3x4", "Ben: 4x4"]
    table.undo()
    table.undo()
    assert stored(table) == []
    table.undo()
    assert "nothing to undo" in texts(table)[-1]


def test_undo_goes_back_into_the_round_before(book: Book) -> None:
    table = board(book)
    table.enter("3x4, Ben: dudo, count 2, 1x2")
    table.undo()
    table.undo()
    assert stored(table) == ["Ana: 3x4", "Ben: dudo"]
    table.enter("count 3")
    assert table.match.scores == {"Ana": 5, "Ben": 4, "Cleo": 5, "Dan": 5}


# --- other recorders


def test_what_another_enters_is_told(book: Book) -> None:
    table = board(book)
    with Book(book.path) as other_book:
        other = Session([MatchRecorder(other_book, table.desk.id)]).current
        other.enter("3x4")
        assert table.check_news()
        assert "entered: Ana: 3x4" in texts(table)[-1]
        assert not table.check_news()
        assert offered(table, "2x") == ["2x1"]
        table.enter("4x4")
        other.undo()  # another recorder's entry, not yet seen here
    assert stored(table) == ["Ana: 3x4", "Ben: 4x4"]
    assert "read the new messages" in texts(other)[-1]


def test_the_second_ones_entry_is_judged_on_what_stands_now(book: Book) -> None:
    table = board(book)
    with Book(book.path) as other_book:
        other = Session([MatchRecorder(other_book, table.desk.id)]).current
        table.enter("3x4")
        assert other.enter("Ana: 3x4") == "Ana: 3x4"
        assert other.pending is not None
        assert other.correct() == "Ana: 3x4"
        assert other.enter("Ben: 4x4") == ""
    assert stored(table) == ["Ana: 3x4", "Ben: 4x4"]


def test_one_of_several_matches_is_in_front(book: Book) -> None:
    desks = [begin_match(book, load_ruleset("dudo"), PLAYERS) for _ in range(2)]
    session = Session(desks)
    assert session.title == "match 1: Dudo (1 of 2 open)"
    session.turn_to_next()
    session.enter("3x4")
    assert session.title == "match 2: Dudo (2 of 2 open)"
    assert [len(each.match.rounds) for each in session.matches] == [0, 1]
    with Book(book.path) as other_book:
        MatchRecorder(other_book, 1).record(["5x4"])
    assert session.check_news()
    assert "Ana: 5x4" in texts(session.matches[0])[-1]


# --- the store


def test_a_store_that_fails_is_told_and_the_session_goes_on(book: Book) -> None:
    table = board(book)
    table.enter("3x4")
    blocker = sqlite3.connect(book.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    assert table.enter("4x4, 5x4") == "4x4, 5x4"
    assert "NOT STORED" in texts(table)[-1]
    assert table.match.rounds[-1].entries == ["Ana: 3x4"]
    table.undo()
    assert "nothing was undone" in texts(table)[-1]
    assert table.match.rounds[-1].entries == ["Ana: 3x4"]
    blocker.execute("COMMIT")
    blocker.close()
    assert table.enter("4x4, 5x4") == ""
    assert stored(table) == ["Ana: 3x4", "Ben: 4x4", "Cleo: 5x4"]


def test_a_book_that_is_gone_is_told_once(book: Book) -> None:
    match = board(book).desk.id
    path = Path(book.path)
    book.close()
    with Book(path, create=False) as opened:
        table = Session([MatchRecorder(opened, match)]).current
        table.enter("3x4")
        away = path.rename(path.with_name("away"))
        assert table.enter("4x4") == "4x4"
        assert "NOT STORED" in texts(table)[-1]
        table.check_news()
        told = table.log.total_count
        table.check_news()
        assert table.log.total_count == told
        assert table.match.scores == {"Ana": 5, "Ben": 5, "Cleo": 5, "Dan": 5}
        away.rename(path)
        assert table.check_news()
        assert table.enter("4x4") == ""
        assert stored(table) == ["Ana: 3x4", "Ben: 4x4"]


# --- commands at the live table


def test_the_last_ruling_is_explained_with_its_paragraph(book: Book) -> None:
    table = board(book)
    assert table.explain() == ["there is no ruling yet"]
    table.enter("1x1")
    lines = table.explain()
    assert lines[0] == "Ana: 1x1: illegal"
    assert any(line.startswith("2.2 ") for line in lines)
    table.correct()
    table.enter("1x2")
    assert "  obeyed: bids.opening-face, 2.2" in table.explain()


def test_the_last_trick_or_bout_is_told(book: Book) -> None:
    table = board(book, "durak", ["X", "Y"])
    assert "nothing" in table.last()[0]
    table.enter("trump D; talon 0; lead X")
    table.enter("hand X: 6C 7C 8S; hand Y: 8C 9C AS")
    table.enter("X: attack 6C; Y: cover 6C 8C; X: pass; Y: attack 9C")
    assert [line.strip() for line in table.last()[1:4]] == [
        "X: attack 6C", "Y: cover 6C 8C", "X: pass",
    ]  # fmt: skip


def test_the_score_is_the_sheet_so_far(book: Book) -> None:
    table = board(book)
    table.enter("3x4, Ben: dudo, count 2")
    table.enter("1x2, Ben: dudo, count 0")
    lines = table.score()
    assert lines[1].split() == ["after", "1", "4", "5", "5", "5"]
    assert lines[2].split() == ["after", "2", "3", "5", "5", "5"]
    assert lines[3].startswith("round 2: Ana -1")


def test_a_result_is_a_form(book: Book) -> None:
    table = board(book)
    table.enter("3x4, 4x4, Cleo: dudo")
    form = table.form()
    assert [field.key for field in form.fields] == ["loser", "gainer"]
    assert form.complete("c") == ["Cleo"]
    form.answer("Dan")
    form.answer("")
    assert form.is_done
    assert form.preview().kind == "refused"
    form.go_back()
    form.go_back()
    form.answer("Cleo")
    form.answer("")
    assert form.preview().text == "score: Ana +0, Ben +0, Cleo -1, Dan +0"
    assert stored(table)[-1] == "Cleo: dudo"
    assert table.enter(form.text) == ""
    assert stored(table)[-1] == "result loser=Cleo"


def test_how_many_cards_somebody_holds_is_not_told_of_a_round_that_is_over() -> None:
    match = Match(load_ruleset("doppelkopf"), ["Ana", "Ben", "Cleo", "Dan"])
    match.record("all: gesund")
    faults = Faults(match, match, Translator(match.notation, "", ""))
    assert "cards" in screen.make_screen(match, faults).headings
    match.undo()
    match.record("132 re=Ana+Ben")
    assert "cards" not in screen.make_screen(match, faults).headings


def test_of_what_cannot_be_read_an_explanation_says_no_more(book: Book) -> None:
    for last in ("Ana: keine90", "Ana: no such thing"):
        match = Match(load_ruleset("whist"), PLAYERS)
        match.play_round(["turnup 2S", last])
        made = import_match(book, match, title=last)
        table = Session([MatchRecorder(book, made.match)]).current
        assert table.explain()
        table.enter("Ana: AC")
        assert table.explain()


def test_a_session_that_is_opened_again_knows_what_stands(book: Book) -> None:
    table = board(book)
    table.enter("3x4, 2x4")
    table.decide("stands")
    again = Session([MatchRecorder(book, table.desk.id)]).current
    assert texts(again)[:2] == ["round 1", "  1.1  Ana: 3x4"]
    assert again.explain()[0] == "Ben: 2x4 !stands: illegal"


def test_commands_are_words_that_are_no_entries(book: Book) -> None:
    session = Session([begin_match(book, load_ruleset("dudo"), PLAYERS)])
    words = ["undo", "/undo", "UNDO ", "result", "/nothing", "end", "3x4", "result loser=Ana"]
    found = [session.command(word) for word in words]
    assert found == ["undo", "undo", "undo", "result", "", "", "", ""]


def test_what_was_found_is_told_as_the_table_has_seen_it(book: Book) -> None:
    table = board(book, "doppelkopf")
    assert table.rulings() == ["no findings: every entry is known to be legal"]
    table.enter("all: gesund, AS, Ben: 9H")
    assert table.rulings() == [
        "1 open",
        "1.3  Ben: 9H  [open]",
        "  Ben has not followed spades in trick 1; it is unknown whether they could (tricks.follow,"
        " doppelkopf 2)",
        "  the cards that Ben still holds would show whether Ben had spades",
    ]
    table.enter("Dan: TS")
    table.decide("stands")
    assert table.rulings()[:2] == [
        "1 open, 1 decided",
        "1.4  Dan: TS !stands  [proven; decided: the entry stands]",
    ]


def test_what_somebody_else_recorded_is_among_what_was_found(book: Book) -> None:
    table = board(book)
    other = Session([MatchRecorder(book, table.desk.id)]).current
    table.enter("3x4")
    other.check_news()
    other.enter("Ana: 4x4 !stands")
    assert "1.2  Ana: 4x4 !stands  [proven; decided: the entry stands]" in table.rulings()
    assert any("Ana: 4x4 !stands" in text for text in texts(table))


def test_cards_that_the_table_has_not_seen_are_in_nothing_that_is_offered(book: Book) -> None:
    match = Match(load_ruleset("euchre"), PLAYERS)
    match.play_round(["turnup TC", "Ana: clubs alone", "Dan: take", "Ana: bury 9H"])
    desk = MatchRecorder(book, import_match(book, match).match)
    lines = Session([desk]).current.rulings()
    assert lines[1].startswith("1.4  Ana: bury 1  [")
    assert not any("9H" in line for line in lines)
    shown = desk.full_match()
    assert shown.rounds[0].entries[-1] == "Ana: bury 9H"
