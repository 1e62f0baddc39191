"""Views of a book's matches from cached rounds: fast, match by match, and equal to a replay."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.match.match import Match
from scorekeeper.store import round_cache
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, make_round_row
from scorekeeper.store.round_cache import PAGE, RoundCache, all_rows
from scorekeeper.store.rows import NewMatch
from tests.benchmarks.books import fill
from tests.helpers import SHIPPED, program, unprivileged
from tests.random_play import evening

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.store.rows import RoundRow

TELLING = (
    ("stats",),
    ("stats", "--format", "json"),
    *(("export", "--all", "--format", format) for format in ("json", "csv", "scores-csv")),
    ("sheet", "--match", "3", "--format", "json"),
)


def plain(values: Iterable[object]) -> object:
    """Return values as they look after a trip through JSON."""
    return json.loads(json.dumps(list(values)))


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a book without cached rounds."""
    path = tmp_path / "book.sqlite"
    with Book(path) as book:
        fill(book, 6)
        with book.database.writing() as connection:
            connection.execute("DELETE FROM kept_rounds")
    shutil.copyfile(path, tmp_path / "first.sqlite")
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    return path


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_kept_of_an_evening_is_what_a_replay_gives(name: str, seed: int) -> None:
    played = evening(name, seed).match
    store = Book(":memory:")
    number = import_match(store, played).match
    archive = RoundCache(store)
    told = archive.match(store.match(number))
    assert (told.scores, told.over, told.winners) == (played.scores, played.over, played.winners)
    assert plain(told.review()) == plain(played.review())
    assert plain(told.list_entries()) == plain(played.list_entries())
    assert plain(told.written_rounds()) == plain(played.written_rounds())
    assert told.record_text() == MatchRecorder(store, number).record_text()
    assert archive.replay_count == 0


def test_an_old_book_is_played_again_once_and_said_to_be(old: Path) -> None:
    first = [program(*arguments) for arguments in TELLING]
    assert [answer.code for answer in first] == [0] * len(TELLING)
    assert first[0].err.count("replayed") == 1
    again = [program(*arguments) for arguments in TELLING]
    assert [answer.out for answer in again] == [answer.out for answer in first]
    assert not any("replayed" in answer.err for answer in (*first[1:], *again))


def test_one_command_fills_a_book(old: Path) -> None:
    wanted = program("stats").out
    shutil.copyfile(old.with_name("first.sqlite"), old)
    count = len(program("matches", "--format", "json").data)
    found = program("rebuild", "--format", "json").data
    assert found["matches"] == count
    assert 0 < found["replayed"] <= count
    everything = program("export", "--all", "--format", "json").data["matches"]
    finished = [row["over"] for match in everything for row in match["rounds"]]
    assert found["rounds"] == sum(finished)
    said = f"{count} matches, {sum(finished)} rounds; 0 of the matches replayed\n"
    assert program("rebuild").out == said
    answer = program("stats")
    assert (answer.out, answer.err) == (wanted, "")


def test_a_book_that_cannot_be_written_is_read_all_the_same(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = [program(*arguments).out for arguments in TELLING]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.sqlite"
        shutil.copyfile(old.with_name("first.sqlite"), path)
        monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
        path.chmod(0o444)
        path.parent.chmod(0o777)
        with unprivileged():
            answers = [program(*arguments) for arguments in TELLING]
            filled = program("rebuild")
    assert [answer.out for answer in answers] == wanted
    assert all(answer.err.count("could not be stored") == 1 for answer in answers)
    assert (filled.code, "read-only" in filled.err) == (3, True)


def test_matches_are_read_page_by_page() -> None:
    store = Book(":memory:")
    fill(store, PAGE + 3, games=["dudo"])
    assert [row.id for row in all_rows(store)] == list(range(1, PAGE + 4))


def test_only_the_round_that_goes_on_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Book(tmp_path / "book.sqlite") as book:
        fill(book, 1, rounds=4, games=["dudo"])
        MatchRecorder(book, 1).record(["2x5"])
        counted: list[int] = []
        replay = Match.play_round

        def play_round(self: Match, *given: object) -> object:
            counted.append(len(self.rounds))
            return replay(self, *given)  # type: ignore[arg-type]

        monkeypatch.setattr(Match, "play_round", play_round)
        told = RoundCache(book).match(book.match(1))
        assert [summary["over"] for summary in told.summaries()] == [True] * 4 + [False]
        assert len(counted) == 1


def test_what_others_take_back_meanwhile_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Book(":memory:")
    fill(store, 1, rounds=2, games=["dudo"])
    wanted = RoundCache(store).match(store.match(1)).scores
    store.append(1, store.position(1), (), reopened=1)
    other, keep = MatchRecorder(store, 1), make_round_row

    def keep_meanwhile(*given: object) -> RoundRow:
        while other.log_state.operations:
            other.undo()
        return keep(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(round_cache, "make_round_row", keep_meanwhile)
    archive = RoundCache(store)
    assert archive.match(store.match(1)).scores == wanted
    assert (archive.store_failure, store.rounds(1)) == (None, [])


def test_what_others_amend_between_two_looks_is_told_as_it_stands_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Book(":memory:")
    fill(store, 1, rounds=2, games=["dudo"])
    MatchRecorder(store, 1).record(["2x5"])
    other, look = MatchRecorder(store, 1), store.rounds

    def look_late(match_id: int, first: int = 1) -> list[RoundRow]:
        monkeypatch.undo()
        other.undo()
        other.undo()
        return look(match_id, first)

    monkeypatch.setattr(store, "rounds", look_late)
    told = RoundCache(store).match(store.match(1))
    assert plain(told.review()) == plain(MatchRecorder(store, 1).full_match().review())


def test_a_long_match_is_read_alone_and_short_ones_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Book(":memory:")
    fill(store, 6, games=["dudo"])
    entries = [row.entries for row in store.matches()]
    read, asked = store.rounds_of, []

    def rounds_of(match_ids: Sequence[int]) -> dict[int, list[RoundRow]]:
        asked.append(list(match_ids))
        return read(match_ids)

    monkeypatch.setattr(store, "rounds_of", rounds_of)
    monkeypatch.setattr(round_cache, "MAX_BATCH_ENTRIES", max(sum(entries[:3]), *entries))
    assert [each.row.id for each in RoundCache(store).all_matches()] == [1, 2, 3, 4, 5, 6]
    assert asked[0] == [1, 2, 3]
    monkeypatch.setattr(round_cache, "MAX_BATCH_ENTRIES", 1)
    asked.clear()
    assert len(list(RoundCache(store).all_matches())) == len(asked) == 6


def test_entries_that_are_written_otherwise_today_are_kept_with_what_they_came_to() -> None:
    store = Book(":memory:")
    fill(store, 1, games=["dudo"])
    row, log = store.match(1), store.log(1)
    rules = store.ruleset_text(row.ruleset_sha)
    other = store.create(NewMatch(row.ruleset, rules, row.players, {}, row.started))
    log[0] = log[0]._replace(text=log[0].text.replace(": ", ":  "))
    store.append(other, 0, log)
    told = RoundCache(store).match(store.match(other))
    assert [each.summary for each in store.rounds(other)] == [
        each.summary for each in store.rounds(1)
    ]
    again = RoundCache(store).match(store.match(other))
    assert list(again.review()) == list(told.review())


def test_an_import_marks_what_was_recorded_here_and_finds_it(tmp_path: Path) -> None:
    with Book(tmp_path / "book.sqlite") as book:
        fill(book, 3, games=["dudo"])
        assert {row.fingerprint for row in book.matches()} == {None}
        desk = MatchRecorder(book, 2)
        row = desk.row
        made = import_match(book, desk.full_match(), started=row.started, place=row.place)
        assert (made.match, made.known) == (2, True)
        marks = [row.fingerprint for row in book.matches()]
        assert None not in marks
        desk.record(["2x5"])
        assert book.match(2).fingerprint is None
        other = import_match(book, desk.full_match(), started=row.started, place="elsewhere")
        assert [(each.match, each.differs) for each in other.similar] == [(2, ["place"])]
