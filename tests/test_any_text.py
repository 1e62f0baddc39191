"""Arbitrary input: each line is an entry, unreadable or impossible, and no keystroke crashes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper import Failure, Match, Unreadable, load_ruleset, verify_record
from scorekeeper.session.live import Session
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from tests.helpers import SHIPPED, match_of, program, seated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.session.live import LiveMatch

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
ODD = [
    *(":", " : ", "::", ",", ";", "/", "+", "=", "-", "…", "#", "!", " !stands", " !withdrawn"),
    *("!stands", "all:", "x", "3x4", "2x", "0", "-1", "99", "²", "٣", "10", "♥", "10♥", "♥10", "ß"),
    *("\x00", "\x1c", "\x85", "\u202e", "\ufe0f", "\ufeff", "\u3000", "a" * 45, "points=", "=2"),
    *("re=Ana+Ben", "loser=", "e\u0301", "'", '"'),
]
few = settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
NAMELESS = [": KS 9S", ":", " : 9S", ": ", ":: KS 9S", ": !stands", ",: KS 9S", "; : KS 9S , :"]


def words(match: Match) -> list[str]:
    """Return the words that lines of this match consist of."""
    lexicon = match.ruleset.lexicon
    names = [*match.players, *(f"{name}:" for name in match.players)]
    return [*lexicon.meanings, *names * 4, *match.ruleset.pack.kinds, *ODD]


def line(match: Match, data: st.DataObject) -> str:
    """Draw a line of words, with and without blanks between them, or of any characters."""
    said = st.lists(st.sampled_from(words(match)), max_size=6)
    made = st.one_of(said.map(" ".join), said.map("".join), st.text(max_size=12))
    return data.draw(made)


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, LiveMatch]]:
    """Provide a live table for each ruleset."""
    with Book(tmp_path_factory.mktemp("books") / "book.sqlite", wait=0.0) as book:
        yield {
            name: Session([begin_match(book, load_ruleset(name), seated(name))]).current
            for name in SHIPPED
        }


@pytest.mark.parametrize("name", SHIPPED)
@few
@given(st.data())
def test_any_line_is_read_or_refused(name: str, data: st.DataObject) -> None:
    """Check also that a line that was read is written so that it reads back the same."""
    match = Match(load_ruleset(name), seated(name))
    for _ in range(4):
        text = line(match, data)
        match.notation.hide_cards(text)
        try:
            for part in match.notation.split_line(text):
                entry = match.notation.read(part)
                again = match.notation.read(entry.text)
                assert (again.text, again.seat, again.value) == (
                    entry.text,
                    entry.seat,
                    entry.value,
                )
        except Unreadable:
            pass
        for act in (match.judge, match.record):
            try:
                act(text)
            except Failure:
                continue


@pytest.mark.parametrize("name", SHIPPED)
@few
@given(st.data())
def test_any_line_may_be_typed_at_the_table(
    boards: dict[str, LiveMatch], name: str, data: st.DataObject
) -> None:
    board = boards[name]
    text = line(board.match, data)[:30]
    for end in range(len(text) + 1):
        board.hint(text[:end])
        board.complete(text[:end])
    board.enter(text)
    assert board.screen()


@pytest.mark.parametrize("name", SHIPPED)
@few
@given(st.data())
def test_any_line_may_stand_in_a_record(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    match = Match(load_ruleset(name), seated(name))
    lines = [line(match, data).replace("'''", "").replace("\r", "") for _ in range(3)]
    kept = "\n".join("".join(c for c in text if c.isprintable()) for text in lines)
    path = tmp_path_factory.mktemp("records") / "match.toml"
    head = f'format = 2\nruleset = "{name}"\nplayers = {seated(name)}\n'
    path.write_text(f"{head}[[rounds]]\nentries = '''\n{kept}\n'''\n", "utf-8")
    assert isinstance(verify_record(path)["ok"], bool)


@pytest.mark.parametrize("text", NAMELESS)
@pytest.mark.parametrize("name", SHIPPED)
def test_a_colon_without_a_name_is_unreadable(
    boards: dict[str, LiveMatch], name: str, text: str
) -> None:
    match = match_of(name, seated(name))
    for act in (match.notation.read, match.judge, match.record):
        with pytest.raises(Unreadable):
            act(text)
    for end in range(len(text) + 1):
        assert boards[name].hint(text[:end]).kind in ("plain", "failed")
        boards[name].complete(text[:end])
    assert boards[name].enter(text)


@pytest.mark.parametrize("text", NAMELESS[:2])
def test_every_command_refuses_a_colon_without_a_name(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect one line that names the fault, and no entry in the record."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("new", "doppelkopf", *FOUR).code == 0
    assert program("record", "all: gesund, Ana: QC").code == 0
    for answer in (
        program("record", text),
        program("record", stdin=f"{text}\n"),
        program("judge", text),
        program("amend", "2", text, "--yes"),
    ):
        assert answer.code == 2
        assert "no player is called" in answer.out + answer.err
    record = tmp_path / "match.toml"
    record.write_text(program("export").out.replace("Ana: QC", text), "utf-8")
    assert program("verify", str(record)).code == 1
    assert program("import", str(record)).code in (0, 1, 3)
    assert "QC" in program("export", "1").out


def test_a_result_reads_back_as_it_was_written() -> None:
    """Include an empty list, which could be taken for a part of the value before it."""
    match = match_of("doppelkopf", FOUR)
    match.record("result contract=normal re=Ana+Ben points=130 calls= specials=")
    again = match.copy_from_start()
    assert not again.play_round(match.rounds[0].entries).findings
    assert again.scores == match.scores
    for text in ("result points = 132", "result contract=normal =3"):
        with pytest.raises(Unreadable, match="is not of the form key=value"):
            match.record(text)


def test_a_reservation_is_one_of_the_games() -> None:
    """Check that its word does not turn a call or another entry into a reservation."""
    match = match_of("doppelkopf", FOUR)
    for text in ("reserve void", "reserve", "Ana: reserve k90"):
        with pytest.raises(Unreadable, match="the next word must be one of"):
            match.record(text)
    assert match.record("reserve piksolo").entry == "Ana: piksolo"
