"""The contract of all stores: every test runs on each of them.

A new store is added to `OPENED`, and must pass all of it.
"""

from __future__ import annotations

import ast
import inspect
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Impossible, Match, load_ruleset
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.session.live import Session
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from scorekeeper.store.round_cache import RoundCache
from scorekeeper.store.rows import (
    KINDS,
    MAX_SIMILAR,
    Conflict,
    LogRow,
    NewMatch,
    PendingWrite,
    RoundRow,
    RulesetText,
    Store,
    reread_after_failure,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.types import Summary

    # Opens the same store once more, as another process would; a store in memory returns itself.
    Opener = Callable[[], Store]

ROOT = Path(__file__).parent.parent
SAID = RulesetText("f00", "a = 1", {"a": [1, None]})
NAMES = ["Ana", "Ben", "Cleo"]
ROUND_ONE = ["Ana: 3x4", "Ben: 4x4", "Cleo: dudo", "count 3"]
ROUND_TWO = ["Ben: 2x6", "Cleo: 3x6", "Ana: calzo", "count 3"]


def a_book(folder: Path) -> Opener:
    return lambda: Book(folder / "book.sqlite", wait=0.05)


def a_memory(folder: Path) -> Opener:
    kept = Book(":memory:")
    return lambda: kept


OPENED = (a_book, a_memory)


@pytest.fixture(params=OPENED)
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    opened: Opener = request.param(tmp_path)
    return opened


@pytest.fixture
def store(opener: Opener) -> Iterator[Store]:
    with opener() as opened:
        yield opened


@pytest.fixture
def other(opener: Opener) -> Iterator[Store]:
    """Open the same store for a second recorder."""
    with opener() as opened:
        yield opened


def new(store: Store, ruleset: str = "cards", place: str = "home", language: str = "") -> int:
    options = {"x": [1, None]}
    given = NewMatch(ruleset, SAID, ["Ana", "Ben"], options, "2024-05-01", place, language)
    return store.create(given)


def entry(text: str, number: int = 1, round_: int = 1) -> LogRow:
    return LogRow("entry", round_, number, text)


def texts(rows: list[LogRow]) -> list[str]:
    return [row.text for row in rows]


# --- matches


def test_a_match_comes_back_as_it_was_given(store: Store) -> None:
    row = store.match(new(store, language="fr"))
    assert (row.id, row.ruleset, row.ruleset_sha, row.language) == (1, "cards", "f00", "fr")
    assert (row.players, row.options) == (["Ana", "Ben"], {"x": [1, None]})
    assert (row.started, row.place, row.entries, row.summary) == ("2024-05-01", "home", 0, None)
    assert row.last_time.endswith("Z")
    assert store.ruleset_text("f00") == SAID


def test_a_match_is_begun_with_nothing_in_it(store: Store) -> None:
    match = new(store)
    assert (store.log(match), store.rounds(match), store.position(match)) == ([], [], 0)
    assert store.tail(match) == (None, [], 0)


def test_rules_are_kept_once_and_never_under_anothers_sha(store: Store) -> None:
    new(store)
    given = NewMatch("another name", SAID._replace(data="later"), ["Ana"], {}, "")
    store.create(given)
    assert store.ruleset_text("f00") == SAID
    with pytest.raises(ValueError, match="f00"):
        store.create(given._replace(ruleset_text=RulesetText("f00", "a = 2")))
    assert [row.ruleset for row in store.matches()] == ["cards", "another name"]
    with pytest.raises(Damaged, match="does not contain the ruleset"):
        store.ruleset_text("bad")


def test_matches_are_listed_the_oldest_first(store: Store) -> None:
    assert store.matches() == []
    made = [new(store, place=place) for place in ("one", "two", "three")]
    assert [(row.id, row.place) for row in store.matches()] == list(
        zip(made, ("one", "two", "three"), strict=True)
    )
    assert store.matches() == [store.match(number) for number in made]


def test_matches_are_listed_in_pages_too(store: Store) -> None:
    made = [new(store) for _ in range(5)]
    assert [row.id for row in store.matches(made[1])] == made[2:]
    assert [row.id for row in store.matches(made[1], 2)] == made[2:4]
    assert [row.id for row in store.matches(most=9)] == made
    assert store.matches(made[-1], 2) == []


def test_a_store_says_when_its_matches_were_begun(store: Store) -> None:
    assert store.match_dates() == []
    made = [new(store) for _ in range(3)]
    store.describe(made[1], started="2023")
    assert store.match_dates() == [
        ("2024-05-01", "2024-05-01"),
        ("", "2023"),
        ("2024-05-01", "2024-05-01"),
    ]


def test_a_fingerprint_holds_until_something_else_is_written(store: Store) -> None:
    match = new(store)
    assert store.match(match).fingerprint is None
    store.append(match, 0, [entry("a")], fingerprint="f")
    before = store.match(match)
    store.append(match, 1, (), summary={"over": True})
    store.describe(match, language="fr")
    assert store.match(match).fingerprint == before.fingerprint == "f"
    assert [row.id for row in store.similar_matches(["Ana", "Ben"], "", "f")] == [match]
    store.append(match, 1, [entry("b")])
    assert store.match(match).fingerprint is None


def test_matches_are_alike_by_their_players_and_their_beginning_or_fingerprint(
    store: Store,
) -> None:
    def begun(players: list[str], started: str, mark: str | None) -> int:
        match = store.create(NewMatch("n", SAID, players, {}, started))
        store.append(match, 0, [entry("a")], fingerprint=mark)
        return match

    both, ours = ["Ana", "Ben"], ["Ben", "Ana"]
    then, same, unknown = begun(both, "then", "x"), begun(both, "", "f"), begun(both, "now", None)
    begun(both, "", "x")
    begun(ours, "then", "f")
    assert [row.id for row in store.similar_matches(both, "then", "f")] == [then, same, unknown]
    assert [row.id for row in store.similar_matches(both, "", "f")] == [same, unknown]
    assert store.similar_matches(["Ana"], "then", "f") == []
    assert store.similar_matches(both, "then", "f")[0] == store.match(then)
    more = [begun(both, "then", f"{number}") for number in range(MAX_SIMILAR)]
    last = begun(both, "then", "f")
    found = [row.id for row in store.similar_matches(both, "then", "f")]
    assert found == [then, same, unknown, *more[:-1], last]


def test_of_many_of_one_fingerprint_those_of_the_day_are_found_and_a_few_others(
    store: Store,
) -> None:
    def begun(started: str) -> int:
        match = store.create(NewMatch("n", SAID, ["Ana", "Ben"], {}, started))
        store.append(match, 0, [entry("a")], fingerprint="f")
        return match

    others = [begun(f"day {number}") for number in range(MAX_SIMILAR + 5)]
    then = [begun("then") for _ in range(MAX_SIMILAR + 5)]
    found = [row.id for row in store.similar_matches(["Ana", "Ben"], "then", "f")]
    assert found == [*others[:MAX_SIMILAR], *then]


def test_a_list_counts_entries_and_shows_the_last_time_and_the_summary(store: Store) -> None:
    match = new(store)
    rows = [entry("a"), entry("b", 2), LogRow("undo", 1, 2, "b", time="2024-05-02")]
    store.append(match, 0, rows)
    (row,) = store.matches()
    assert (row.entries, row.last_time, row.summary) == (2, "2024-05-02", None)
    store.append(match, 3, [entry("c", 2)], summary={"over": True})
    store.append(match, 4, [entry("d", 3)])
    assert (store.match(match).entries, store.match(match).summary) == (4, {"over": True})


def test_without_a_number_the_match_is_the_one_last_begun_or_recorded_in(store: Store) -> None:
    first, second = new(store), new(store)
    assert store.match().id == second
    store.append(first, 0, [entry("a")])
    assert store.match() == store.match(first)
    store.append(second, 0, [], summary={"over": True})
    store.describe(second, language="fr")
    assert store.match().id == first


def test_the_language_of_a_match_may_be_changed_and_nothing_else_is(store: Store) -> None:
    match = new(store)
    store.append(match, 0, [entry("a")])
    before = store.match(match)
    store.describe(match, language="fr")
    store.describe(match)
    assert store.match(match) == before._replace(language="fr")
    store.describe(match, language="")
    assert store.match(match) == before


def test_a_match_that_is_not_there_is_refused_with_those_that_are(store: Store) -> None:
    with pytest.raises(Unreadable, match="there is no match yet") as failure:
        store.match()
    assert "scorekeeper new" in failure.value.hint
    with pytest.raises(Unreadable, match="there is no match 1"):
        store.match(1)
    new(store)
    new(store)
    asked = (store.match, store.tail, store.log, store.rounds, store.position, store.describe)
    for missing in (0, -1, 3, 10**30):
        for ask in asked:
            with pytest.raises(Unreadable, match=f"no match {missing}") as failure:
                ask(missing)
            assert failure.value.hint == "use an existing number: 1, 2"
        with pytest.raises(Unreadable, match=f"no match {missing}"):
            store.append(missing, 0, [entry("a")])
    for _ in range(12):
        new(store)
    with pytest.raises(Unreadable) as failure:
        store.match(99)
    assert failure.value.hint.startswith("use an existing number: 5, 6, 7")


# --- the log


def test_every_kind_of_row_is_kept_in_order_with_its_position(store: Store) -> None:
    match, second = new(store), new(store)
    rows = [
        LogRow(kind, 2, number, f"Ben: {kind}", "stands", "ana@1", "2024-05-01T20:00:00Z")
        for number, kind in enumerate(KINDS, 1)
    ]
    assert store.append(match, 0, rows[:1]) == 1
    assert store.append(match, 1, rows[1:]) == len(KINDS)
    assert store.append(second, 0, [entry("x")]) == 1
    kept = [row._replace(position=n) for n, row in enumerate(rows, 1)]
    assert store.log(match) == kept
    assert store.log(match, 3) == kept[2:]
    assert store.log(match, len(KINDS) + 1) == []
    assert (store.position(match), store.position(second)) == (len(KINDS), 1)


def test_a_row_without_a_time_gets_one(store: Store) -> None:
    match = new(store)
    store.append(match, 0, [entry("a")])
    (row,) = store.log(match)
    assert row.time.endswith("Z")
    assert store.match(match).last_time == row.time


@pytest.mark.parametrize("text", ["", "a\0b", "♥10 Zoë 王 🃏", "'; DROP TABLE log; --", "\r\n"])
def test_any_text_comes_back_as_it_was(store: Store, text: str) -> None:
    match = new(store, ruleset=text)
    row = LogRow("entry", 1, 1, text, text, text)
    store.append(match, 0, [row], finished=[RoundRow(1, 1, {text: text})], summary=text)
    (kept,) = store.log(match)
    assert (kept.text, kept.decision, kept.recorder) == (text, text, text)
    assert (store.match(match).summary, store.match(match).ruleset) == (text, text)
    assert store.rounds(match) == [RoundRow(1, 1, {text: text})]


def test_what_cannot_be_kept_is_refused_before_anything_is_written(store: Store) -> None:
    match = new(store)
    before, half = store.matches(), "Ben: \ud800"
    unreadable: tuple[Callable[[], object], ...] = (
        lambda: store.append(match, 0, [entry("fine"), entry(half)]),
        lambda: store.append(match, 0, [entry("fine")._replace(recorder=half)]),
        lambda: store.append(match, 0, [entry("fine")], summary={"a": half}),
        lambda: store.append(match, 0, [entry("fine")], finished=[RoundRow(1, 1, {half: 1})]),
        lambda: store.describe(match, language=half),
        lambda: new(store, ruleset=half),
        lambda: new(store, place=half),
        lambda: store.create(NewMatch("n", RulesetText("s", half), ["Ana"], {}, "")),
        lambda: store.create(NewMatch("n", RulesetText("s", "t"), [half], {}, "")),
        lambda: store.create(NewMatch("n", RulesetText("s", "t", half), ["Ana"], {}, "")),
    )
    for attempt in unreadable:
        with pytest.raises(Unreadable, match=r"lone surrogate.*\\ud800"):
            attempt()
    mistakes: tuple[Callable[[], object], ...] = (
        lambda: store.append(match, 0, [entry("a"), LogRow("erase", 1, 1, "a")]),
        lambda: store.append(match, 0, [entry("a")], summary=float("nan")),
        lambda: store.append(match, 0, [entry("a")], finished=[RoundRow(1, 0, {})]),
        lambda: store.append(match, 0, [entry("a")], finished=[RoundRow(1, 3, {})]),
    )
    for attempt in mistakes:
        with pytest.raises(ValueError):
            attempt()
    assert (store.log(match), store.rounds(match), store.matches()) == ([], [], before)
    with pytest.raises(Damaged, match="does not contain the ruleset"):
        store.ruleset_text("s")


def test_what_is_given_or_read_may_be_changed_and_the_store_stays_as_it_is(store: Store) -> None:
    data, options, standing = {"a": [1]}, {"x": [1]}, {"tally": [0]}
    players, rows = ["Ana"], [entry("a")]
    match = store.create(NewMatch("n", RulesetText("s", "t", data), players, options, ""))
    store.append(match, 0, rows, finished=[RoundRow(1, 1, standing)], summary=standing)
    for given in (data["a"], options["x"], standing["tally"]):
        given.append(9)
    players.append("Ben")
    rows.append(entry("b"))
    for _ in range(2):
        row, (cached,) = store.match(match), store.rounds(match)
        assert (row.players, row.options, row.summary) == (["Ana"], {"x": [1]}, {"tally": [0]})
        assert cached.standing == {"tally": [0]}
        assert store.ruleset_text("s").data == {"a": [1]}
        assert texts(store.log(match)) == ["a"]
        row.players.append("Cleo")
        row.options.clear()
        row.summary["tally"].append(9)
        cached.standing.clear()
        store.ruleset_text("s").data.clear()
        store.log(match).clear()


# --- several recorders


def test_an_append_behind_what_stands_is_told_what_came_between(store: Store, other: Store) -> None:
    match = new(store)
    seen = store.append(match, 0, [entry("a")])
    other.append(match, seen, [entry("b"), entry("c")])
    late = RoundRow(1, 1, {"late": True})
    before = other.match(match)
    with pytest.raises(Conflict, match="2 entries") as conflict:
        store.append(match, seen, [entry("late")], finished=[late], reopened=1, summary="late")
    assert (texts(conflict.value.rows), conflict.value.position) == (["b", "c"], 3)
    assert [row.position for row in conflict.value.rows] == [2, 3]
    assert (texts(store.log(match)), store.rounds(match)) == (["a", "b", "c"], [])
    assert store.match(match) == before
    assert store.append(match, conflict.value.position, [entry("late")]) == 4


def test_two_writers_lose_double_and_reorder_nothing(store: Store, other: Store) -> None:
    match = new(store)
    seen = {"ana": 0, "ben": 0}
    for number in range(20):
        for who, mine in (("ana", store), ("ben", other)):
            row = entry(f"{who} {number}")
            with suppress(Conflict):
                seen[who] = mine.append(match, seen[who], [row])
                continue
            seen[who] = mine.append(match, mine.position(match), [row])
    rows = store.log(match)
    assert rows == other.log(match)
    assert [row.position for row in rows] == list(range(1, 41))
    assert texts(rows) == [f"{who} {n}" for n in range(20) for who in ("ana", "ben")]


def test_an_append_ahead_of_what_stands_is_damage_and_no_conflict(store: Store) -> None:
    match = new(store)
    with pytest.raises(
        Damaged, match="ends at position 0, although it was read up to position 5"
    ) as failure:
        store.append(match, 5, [entry("a")])
    assert not isinstance(failure.value, Conflict)
    assert store.position(match) == 0


def test_another_sees_what_one_wrote(store: Store, other: Store) -> None:
    match = new(store)
    assert other.position(match) == 0
    store.append(match, 0, [entry("a")], finished=[RoundRow(1, 1, {})])
    store.describe(match, language="de")
    assert (other.position(match), texts(other.log(match))) == (1, ["a"])
    assert (other.match(match).language, other.rounds(match)) == ("de", [RoundRow(1, 1, {})])


# --- rounds


def play_two_rounds(store: Store) -> int:
    match = new(store)
    first = RoundRow(1, 1, {"Ana": 0}, {"Ana": 5})
    store.append(match, 0, [entry("a"), entry("b", 2)])
    store.append(match, 2, [entry("c", 3)], finished=[RoundRow(2, 4, {"Ana": 5}), first])
    return match


def test_the_tail_is_the_live_round_with_the_standing_before_it(store: Store) -> None:
    match = new(store)
    store.append(match, 0, [entry("a"), entry("b", 2)])
    cached, rows, position = store.tail(match)
    assert (cached, texts(rows), position) == (None, ["a", "b"], 2)
    match = play_two_rounds(store)
    assert store.tail(match) == (RoundRow(2, 4, {"Ana": 5}), [], 3)
    store.append(match, 3, [entry("d", 1, 2)])
    tail = store.tail(match)
    assert tail.cached is not None
    assert (tail.cached.number, texts(tail.rows), tail.position) == (2, ["d"], 4)
    assert [row.number for row in store.rounds(match)] == [1, 2]
    assert [row.summary for row in store.rounds(match)] == [{"Ana": 5}, None]


def test_an_undo_across_a_rounds_boundary_reopens_the_round_before(store: Store) -> None:
    match = play_two_rounds(store)
    live = RoundRow(1, 1, {"Ana": 0})
    store.append(match, 3, [LogRow("undo", 1, 3, "c")], reopened=2, finished=[live])
    tail = store.tail(match)
    assert tail.cached == live
    assert [row.kind for row in tail.rows] == ["entry", "entry", "entry", "undo"]
    again = [live._replace(summary={"Ana": 7}), RoundRow(2, 6, {"Ana": 7})]
    store.append(match, 4, [entry("C", 3)], finished=again)
    assert (store.tail(match), store.rounds(match)) == ((again[1], [], 5), again)


def test_an_amended_old_round_renews_the_standings_after_it(store: Store) -> None:
    match = play_two_rounds(store)
    store.append(match, 3, [entry("d", 1, 2)])
    amended = [RoundRow(1, 1, {"Ana": 0}, {"Ana": 9}), RoundRow(2, 4, {"Ana": 9})]
    store.append(match, 4, [LogRow("replace", 1, 2, "B\nB")], reopened=2, finished=amended)
    tail = store.tail(match)
    assert (tail.cached, texts(tail.rows)) == (amended[1], ["d", "B\nB"])


def test_the_cache_may_be_dropped_and_made_again_without_a_row(store: Store) -> None:
    match = play_two_rounds(store)
    cached = store.rounds(match)
    assert store.append(match, 3, [], reopened=1) == 3
    assert (store.tail(match).cached, texts(store.tail(match).rows)) == (None, ["a", "b", "c"])
    store.append(match, 3, [], finished=cached)
    assert store.rounds(match) == cached


def test_rounds_are_read_from_one_on_and_gone_on_from_where_they_begin(store: Store) -> None:
    match = play_two_rounds(store)
    moved = RoundRow(3, None, {"Ana": 6}, {"Ana": 7})
    store.append(match, 3, [], finished=[moved])
    assert [row.number for row in store.rounds(match)] == [1, 2, 3]
    assert store.rounds(match, 3) == [moved]
    assert store.rounds(match, 4) == []
    assert store.tail(match).cached == store.rounds(match)[1]


def test_rounds_of_several_matches_are_read_at_once(store: Store) -> None:
    one, empty, other = play_two_rounds(store), new(store), play_two_rounds(store)
    found = store.rounds_of([other, empty, one, 99])
    assert found == {other: store.rounds(other), empty: [], one: store.rounds(one), 99: []}
    assert len(found[one]) == 2
    assert store.rounds_of([]) == {}


# --- transactions, closing


def test_a_batch_is_kept_whole_or_not_at_all(store: Store) -> None:
    kept = play_two_rounds(store)
    before = (store.matches(), store.log(kept), store.rounds(kept), store.match())

    def interrupted() -> None:
        with store.batch():
            store.append(new(store), 0, [entry("a")])
            store.append(kept, 3, [entry("d")], reopened=1, summary="gone")
            store.describe(kept, language="fr")
            store.create(NewMatch("n", RulesetText("s", "t"), ["Ana"], {}, ""))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (store.matches(), store.log(kept), store.rounds(kept), store.match()) == before
    with pytest.raises(Damaged, match="does not contain the ruleset"):
        store.ruleset_text("s")
    with store.batch():
        match = new(store)
        store.append(match, 0, [entry("a")])
        with store.batch():
            store.append(match, 1, [entry("b")])
        assert texts(store.log(match)) == ["a", "b"]
    assert texts(store.log(match)) == ["a", "b"]


def test_a_conflict_in_a_batch_leaves_nothing_of_it(store: Store) -> None:
    match = play_two_rounds(store)
    with pytest.raises(Conflict), store.batch():
        store.append(match, 3, [entry("d")])
        store.append(match, 3, [entry("d again")])
    assert store.position(match) == 3


def test_a_closed_store_opens_again_when_it_is_used(store: Store) -> None:
    match = play_two_rounds(store)
    before = (store.matches(), store.log(match), store.rounds(match))
    store.close()
    store.close()
    assert (store.matches(), store.log(match), store.rounds(match)) == before
    with store:
        assert store.append(match, 3, [entry("d")]) == 4
    assert store.position(match) == 4


# --- the outcome of a write


def test_rows_of_the_log_are_known_by_position_and_content(store: Store) -> None:
    match = new(store)
    store.append(match, 0, [entry("a"), entry("b"), entry("c")])
    rows = store.log(match)
    assert reread_after_failure(store, PendingWrite(match, 0, rows)) == "recorded"
    assert reread_after_failure(store, PendingWrite(match, 1, rows[1:2])) == "recorded"
    other = rows[1]._replace(recorder="somebody@1")
    for seen, wanted in ((1, other), (2, rows[1]), (3, rows[1])):
        assert reread_after_failure(store, PendingWrite(match, seen, [wanted])) == "not recorded"
    assert reread_after_failure(store, PendingWrite(9, 0, rows)) == "not recorded"


def test_what_was_kept_of_a_match_is_known_by_all_that_it_says(store: Store) -> None:
    before = store.match(new(store))
    french, german = before._replace(language="fr"), before._replace(language="de")
    assert reread_after_failure(store, PendingWrite(1, 0, (), before, french)) == "not recorded"
    store.describe(1, language="fr")
    assert reread_after_failure(store, PendingWrite(1, 0, (), before, french)) == "recorded"
    assert reread_after_failure(store, PendingWrite(1, 0, (), None, french)) == "recorded"
    assert reread_after_failure(store, PendingWrite(1, 0, (), before, german)) == "unknown"
    assert reread_after_failure(store, PendingWrite(2, 0, (), None, french)) == "not recorded"


# --- a desk over each


def standing_texts(desk: MatchRecorder) -> list[list[str]]:
    return [played.entries for played in desk.full_match().rounds]


@pytest.fixture
def desk(store: Store) -> MatchRecorder:
    return begin_match(store, load_ruleset("dudo"), NAMES, place="home", options={})


def test_a_desk_records_undoes_and_amends(store: Store, desk: MatchRecorder) -> None:
    desk.record([*ROUND_ONE, *ROUND_TWO])
    again = MatchRecorder(store, desk.id)
    assert standing_texts(again) == [ROUND_ONE, ROUND_TWO]
    assert again.match.scores == {"Ana": 5, "Ben": 4, "Cleo": 5}
    told = {"scores": again.match.scores, "over": False, "ahead": []}
    assert store.match(desk.id).summary == told
    desk.amend(1, 4, "count 2")
    typed = Match(load_ruleset("dudo"), NAMES)
    for text in [*ROUND_ONE[:3], "count 2"]:
        typed.record(text)
    assert desk.full_match().rounds[0].scores == typed.rounds[0].scores
    assert desk.undo() == "1.4 amended to: count 2"
    taken = []
    for _ in (*ROUND_ONE, *ROUND_TWO):
        taken.append(desk.undo())
        assert standing_texts(MatchRecorder(store, desk.id)) == standing_texts(desk)
    assert taken == [*ROUND_ONE, *ROUND_TWO][::-1]
    with pytest.raises(Impossible):
        desk.undo()
    assert [row.kind for row in desk.log()] == (["entry"] * 8 + ["amend", "restore"] + ["undo"] * 8)
    told = {"scores": desk.match.scores, "over": False, "ahead": []}
    assert store.match(desk.id).summary == told


def told_of(store: Store, desk: MatchRecorder) -> list[Summary]:
    """Return the store's summaries of a match, and check that a replay has the same."""
    archive = RoundCache(store)
    told = archive.match(store.match(desk.id))
    summaries = list(told.summaries())
    assert archive.replay_count == 0
    assert summaries == list(desk.full_match().summaries())
    assert list(told.review()) == list(desk.full_match().review())
    return summaries


def test_a_desk_keeps_what_a_round_came_to(store: Store, desk: MatchRecorder) -> None:
    def kept() -> list[int]:
        return [row.number for row in store.rounds(desk.id) if row.summary is not None]

    desk.record(ROUND_ONE[:3])
    assert kept() == []
    desk.record(ROUND_ONE[3:])
    assert kept() == [1]
    assert told_of(store, desk)[0]["changes"] == {"Ana": 0, "Ben": -1, "Cleo": 0}
    desk.undo()
    assert kept() == []
    desk.record([*ROUND_ONE[3:], "note late"])
    assert told_of(store, desk)[0]["notes"] == ["late"]
    desk.undo()
    desk.record(ROUND_TWO)
    assert [summary["over"] for summary in told_of(store, desk)] == [True, True]
    desk.amend(1, 3, "note so", before=True)
    assert told_of(store, desk)[0]["notes"] == ["so"]
    assert kept() == [1, 2]
    desk.record(["lead Ana"])
    desk.amend(3, 1)
    assert kept() == [1, 2]
    desk.undo()
    assert [summary["notes"] for summary in told_of(store, desk)] == [["so"], [], []]


def test_what_is_not_kept_is_worked_out_once(store: Store, desk: MatchRecorder) -> None:
    desk.record([*ROUND_ONE, *ROUND_TWO])
    wanted = told_of(store, desk)
    store.append(desk.id, store.position(desk.id), (), reopened=1)
    said: list[str] = []
    archive = RoundCache(store, lambda: said.append("again"))
    assert list(archive.match(store.match(desk.id)).summaries()) == wanted
    assert list(archive.match(store.match(desk.id)).summaries()) == wanted
    assert (archive.replay_count, said) == (1, ["again"])
    other = store.rounds(desk.id)[0]
    older = other._replace(summary={**other.summary, "version": 0})
    store.append(desk.id, store.position(desk.id), (), finished=[older])
    assert [each.row.id for each in archive.all_matches()] == [desk.id]
    assert (archive.replay_count, said) == (2, ["again"])
    assert told_of(store, desk) == wanted


def test_two_desks_tell_one_another_and_judge_anew(
    store: Store, other: Store, desk: MatchRecorder
) -> None:
    rival = MatchRecorder(other, desk.id)
    desk.record(["Ana: 3x4"])
    recorded = rival.record(["Ben: 4x4"])
    assert texts(recorded.other_rows) == ["Ana: 3x4"]
    late = desk.record(["Ben: 5x4"])
    assert texts(late.other_rows) == ["Ben: 4x4"]
    assert [finding.code for finding in late.rulings[0].findings] == ["turn"]
    rival.describe(language="es", title="Friday")
    assert desk.refresh_details() == {"language": "es", "title": "Friday"}
    assert (desk.refresh_details(), desk.row.language) == ({}, "es")


def test_a_match_goes_from_one_store_into_another_once(
    desk: MatchRecorder, store: Store, tmp_path: Path
) -> None:
    desk.record([*ROUND_ONE, "Ben: 2x6"])
    for opened in OPENED:
        with opened(tmp_path / opened.__name__)() as there:
            made = import_match(there, desk.full_match(), place="home")
            assert (made.match, made.known) == (1, False)
            assert import_match(there, desk.full_match(), place="home") == (1, True, [])
            moved = MatchRecorder(there, made.match)
            assert moved.record_text() == desk.record_text()
            moved.record(["Cleo: 3x6"])
            moved.undo()
            moved.undo()
            assert standing_texts(moved) == [ROUND_ONE]


def test_a_table_is_played_over_it(desk: MatchRecorder, other: Store) -> None:
    session = Session([desk])
    assert session.enter("3x4, 4x4") == ""
    assert session.enter("2x2") == "2x2"
    session.enter("correct")
    MatchRecorder(other, desk.id).record(["Cleo: dudo"])
    assert session.check_news()
    assert session.enter("count 3") == ""
    assert session.current.score()[-1]
    session.current.undo()
    assert standing_texts(desk) == [ROUND_ONE[:3]]


def test_a_mark_holds_until_anything_is_recorded(store: Store, other: Store) -> None:
    match, elsewhere = new(store), new(store)
    store.append(match, 0, [entry("Ana: 3x4")])
    assert not other.has_pending_decision(match)
    store.set_pending_decision(match, 1)
    assert other.has_pending_decision(match)
    assert not other.has_pending_decision(elsewhere)
    store.set_pending_decision(match, None)
    assert not other.has_pending_decision(match)
    store.set_pending_decision(match, 1)
    other.append(match, 1, [entry("Ben: 4x4", 2)])
    assert not store.has_pending_decision(match)  # the log has grown since
    store.set_pending_decision(match, 1)  # from a recorder that does not know of it yet
    assert not other.has_pending_decision(match)


def test_a_mark_goes_with_its_match_and_asks_for_none(store: Store) -> None:
    match = new(store)
    store.set_pending_decision(match, 0)
    assert store.has_pending_decision(match)
    store.erase(match)
    assert not store.has_pending_decision(match)
    store.set_pending_decision(match, 0)
    assert not store.has_pending_decision(match)
    store.set_pending_decision(99, None)


# --- the protocol itself


def test_each_store_has_the_methods_of_the_protocol_as_it_declares_them() -> None:
    declared = {
        name: inspect.signature(method)
        for name, method in vars(Store).items()
        if inspect.isfunction(method) and not name.startswith("_")
    }
    assert len(declared) == 21
    for name, signature in declared.items():
        own = inspect.signature(getattr(Book, name))
        assert own.parameters == signature.parameters, name


def test_only_what_needs_a_file_knows_that_there_are_books() -> None:
    """Check that desk, session and commands use a store through its protocol only."""
    may = {
        "cli/common.py": {"book"},
        "cli/book.py": {"book", "integrity", "backup"},
    }
    inside = {"book", "database", "tables", "integrity", "backup"}
    users = [*(ROOT / "scorekeeper").glob("[scr]*/*.py")]
    assert len(users) > 40
    for path in users:
        name = path.relative_to(ROOT / "scorekeeper").as_posix()
        if path.parent.name == "store" and path.stem in inside:
            continue
        tree = ast.parse(path.read_text("utf-8"))
        known = {
            (node.module or "").removeprefix("scorekeeper.store.")
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("scorekeeper.store.")
        }
        assert known & inside <= may.get(name, set()), name
