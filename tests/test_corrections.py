"""Corrections: amending by several entries, before an entry, or by none.

The consequences are reported truthfully, and undo withdraws an amendment as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Damaged, Illegal, Impossible, Match, Unreadable, load_ruleset
from scorekeeper.match.amend import Amendment
from scorekeeper.session.live import Session
from scorekeeper.store.book import Book
from scorekeeper.store.record import read_record
from scorekeeper.store.recorder import LogState, MatchRecorder, begin_match, current_entries
from scorekeeper.store.rows import LogRow
from scorekeeper.store.verify import verify_record
from tests.helpers import Answer, match_of, program

if TYPE_CHECKING:
    from pathlib import Path

FOUR = ("Ana", "Ben", "Cleo", "Dan")
TRICK = ("all: gesund", "QC 9D JD 9D")
ALL_SPEAK = ("Ana: hochzeit", "Ben: gesund", "Cleo: gesund", "Dan: gesund")


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    return path


def fine(*arguments: str) -> Answer:
    answer = program(*arguments)
    assert answer.code == 0, answer
    return answer


def begun(ruleset: str, players: tuple[str, ...], *entries: str) -> None:
    fine("new", ruleset, *players)
    if entries:
        fine("record", *entries)


def told(*arguments: str, code: int = 0) -> Any:
    answer = program(*arguments, "--format", "json")
    assert answer.code == code, answer
    return answer.data


def desk_of(path: Path) -> MatchRecorder:
    return MatchRecorder(Book(str(path)), 1)


def standing(path: Path) -> list[list[str]]:
    return current_entries(Book(str(path)).log(1))


# --- what may be put in


def test_a_forgotten_reservation_is_put_right_by_several_entries(book: Path) -> None:
    begun("doppelkopf", FOUR, *TRICK)
    answer = fine("amend", "1", *ALL_SPEAK)
    assert "4 later entries are valid" in answer.out
    assert "\n  open: Ana says hochzeit" in answer.out
    assert "no longer" not in answer.out
    cards = ["Ana: QC", "Ben: 9D", "Cleo: JD", "Dan: 9D"]
    assert standing(book) == [[*ALL_SPEAK, *cards]]
    assert "Ana leads to trick 2" in answer.out


def test_arguments_are_read_as_record_reads_them(book: Path) -> None:
    begun("doppelkopf", FOUR, *TRICK)
    fine("amend", "1", "Ana:", "hochzeit", "ben: gesund; cleo: gesund, dan: gesund")
    assert standing(book)[0][:4] == list(ALL_SPEAK)


def test_a_row_of_cards_takes_the_place_of_one(book: Path) -> None:
    begun("doppelkopf", FOUR, "all: gesund", "Ana: QC")
    fine("amend", "2", "QC 9D JD 9D")
    assert standing(book)[0][1:] == ["Ana: QC", "Ben: 9D", "Cleo: JD", "Dan: 9D"]


def test_entries_are_put_in_before_one_and_at_the_end_of_a_finished_round(book: Path) -> None:
    begun("dudo", FOUR[:3], "2x3", "Ben: dudo", "count 0", "Ana: 2x2")
    fine("amend", "1.1", "--before", "note the first")
    fine("amend", "1.5", "--before", "note the last")
    first = ["note the first", "Ana: 2x3", "Ben: dudo", "count 0", "note the last"]
    assert standing(book) == [first, ["Ana: 2x2"]]
    late = program("amend", "1.6", "--before", "Ana: 2x2")
    assert late.code == 2
    assert "round 1 has already ended" in late.err


def test_an_entry_is_taken_out(book: Path) -> None:
    begun("dudo", FOUR[:3], "2x3", "note a", "Ben: 3x3")
    assert "removed: 1.2 note a" in fine("amend", "2", "--remove").out
    assert standing(book) == [["Ana: 2x3", "Ben: 3x3"]]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["1.1", "Ana: 9x9"], 2, "not a face"),
        (["1.1", "Eva: 2x2"], 2, "Eva"),
        (["1.1", "count 3"], 2, "after a call"),
        (["1.2", "Ben: 1x3"], 1, "illegal"),
        (["1.2", "Cleo: 4x3"], 1, "not Cleo's turn"),
        (["1.2", "--before", "Ben: 1x3"], 1, "illegal"),
        (["1.1", "Ana: 2x2", "Ben: 1x2"], 1, "illegal"),
        (["1.4", "note"], 2, "round 1 has entries 1 to 3"),
        (["1.5", "--before", "note x"], 2, "round 1 has entries 1 to 3"),
        (["1.0", "note x"], 2, "no entry 1.0"),
        (["2.1", "note x"], 2, "the last entry is 1.3"),
        (["-1", "note x"], 2, "not the number of an entry"),
        (["1.2.3", "note x"], 2, "not the number of an entry"),
        (["9" * 40, "note x"], 2, "there is no entry"),
        (["1", ";"], 2, "the text contains no entry"),
        (["1", "# nothing"], 2, "the text contains no entry"),
        (["1", "count", "3"], 2, "an entry with spaces needs quotes"),
        (["1", "--remove", "note x"], 2, "try: scorekeeper amend --help"),
        (["1", "--remove", "--before"], 2, "try: scorekeeper amend --help"),
        (["1", "--before"], 2, "try: scorekeeper amend --help"),
        (["1", "--befor", "note x"], 2, "--befor"),
    ],
)
def test_what_could_not_have_been_recorded_is_refused_and_nothing_written(
    book: Path, arguments: list[str], code: int, said: str
) -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3", "Cleo: 4x3")
    before = Book(str(book)).log(1)
    for yes in ([], ["--yes"]):
        answer = program("amend", *arguments, *yes)
        assert answer.code == code, answer
        assert said in answer.out + answer.err
        assert "Traceback" not in answer.err
    assert Book(str(book)).log(1) == before


def test_an_illegal_entry_is_put_in_with_the_tables_decision(book: Path) -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3")
    refused = told("amend", "1.2", "Ben: 1x3", code=1)
    assert refused["saved"] is False
    assert refused["rulings"][0]["verdict"] == "illegal"
    saved = told("amend", "1.2", "Ben: 1x3 !withdrawn", "Ben: 3x3")
    assert saved["saved"] is True
    assert standing(book) == [["Ana: 2x3", "Ben: 1x3 !withdrawn", "Ben: 3x3"]]


# --- the account


def test_nothing_is_said_to_count_that_does_not(book: Path) -> None:
    begun("doppelkopf", FOUR, *TRICK)
    refused = program("amend", "1", "Ana: hochzeit")
    assert refused.code == 1
    assert "nothing was saved; to save anyway, add --yes" in refused.out
    answer = fine("amend", "1", "Ana: hochzeit", "--yes")
    assert "1.2 Ana: QC is no longer valid: that is not possible now" in answer.out
    assert "none of them counts" in answer.out
    assert "no later entry is valid" in answer.out
    assert "and counts" not in answer.out
    match = desk_of(book).full_match()
    assert match.live_round.tricks == []
    assert match.state["players"]["Ana"]["cards"] == 12
    assert [match.rounds[0].counts(n) for n in range(1, 6)] == [True] + 4 * [False]


def test_what_is_put_in_later_makes_entries_stand_again(book: Path) -> None:
    begun("doppelkopf", FOUR, *TRICK)
    fine("amend", "1", "Ana: hochzeit", "--yes")
    account = told("amend", "2", "--before", *ALL_SPEAK[1:])
    assert (account["restored"], account["stands"], account["broken"]) == (4, 4, [])


def test_an_entry_against_a_rule_that_the_state_allows_counts_until_it_is_decided() -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3")
    account = told("amend", "1.1", "Ana: 5x3", code=1)
    (broken,) = account["broken"]
    assert (broken["round"], broken["number"], broken["counts"]) == (1, 2, True)
    answer = fine("amend", "1.1", "Ana: 5x3", "--yes")
    assert "it counts until you decide: amend 1.2 'Ben: 3x3 !stands'" in answer.out
    assert "to act: Cleo" in answer.out
    again = fine("amend", "1.1", "Ana: 6x3")
    assert "1 entry is still invalid" in again.out
    decided = told("amend", "1.2", "Ben: 3x3 !stands")
    assert decided["broken"] == []


def test_many_complaints_of_one_kind_are_one_line(book: Path) -> None:
    tricks = ["QC 9D JD 9D"] + 11 * ["note x; y"]
    begun("doppelkopf", FOUR, "all: gesund", *tricks)
    lines = fine("amend", "1", "Ana: hochzeit", "--yes").out.splitlines()
    assert sum("no longer valid" in line for line in lines) == 1
    assert "  ...and 3 more entries for the same reason; the last is 1.5" in lines
    assert "11 later entries are valid" in lines


def test_a_round_that_is_over_no_longer_and_its_score_are_told(book: Path) -> None:
    begun("dudo", FOUR[:3], "2x3", "Ben: dudo", "count 0", "Ana: 2x2", "Ben: 3x2")
    account = told("amend", "1.3", "--remove", code=1)
    assert account["reopened"] == [1]
    was = {"Ana": -1, "Ben": 0, "Cleo": 0}
    assert account["scores"] == [{"round": 1, "from": was, "to": None}]
    answer = fine("amend", "1.3", "--remove", "--yes")
    assert (
        "round 1 is no longer finished; insert what is missing with amend 1.3 --before ENTRY"
        in (answer.out)
    )
    assert "round 1: no score (before: Ana -1, Ben +0, Cleo +0)" in answer.out
    mended = fine("amend", "1.3", "--before", "count 0")
    assert "round 1: Ana -1, Ben +0, Cleo +0 (before: no score)" in mended.out
    assert standing(book) == [["Ana: 2x3", "Ben: dudo", "count 0"], ["Ana: 2x2", "Ben: 3x2"]]


def test_the_last_round_goes_on_when_it_is_over_no_longer() -> None:
    begun("dudo", FOUR[:3], "2x3", "Ben: dudo", "count 0")
    answer = fine("amend", "3", "--remove")
    assert "round 1 is no longer finished\n" in answer.out
    fine("record", "count 2")


def test_a_changed_score_is_told_and_what_follows_goes_by_it(book: Path) -> None:
    begun("dudo", FOUR[:3], "result loser=Ana", "result loser=Ben", "result loser=Cleo")
    account = told("amend", "1.1", "result loser=Ben")
    assert [row["round"] for row in account["scores"]] == [1]
    assert account["stands"] == 2
    assert told("score")["scores"] == {"Ana": 5, "Ben": 3, "Cleo": 4}


def test_a_round_whose_only_entry_is_taken_out_is_gone(book: Path) -> None:
    begun(
        "dudo", FOUR[:3], "result loser=Ana", "result loser=Ben", "result loser=Cleo", "Cleo: 2x2"
    )
    answer = fine("amend", "2.1", "--remove")
    assert "round 2 had no other entry and is removed" in answer.out
    assert "round 2: no score (before: Ana +0, Ben -1, Cleo +0)" in answer.out
    assert standing(book) == [["result loser=Ana"], ["result loser=Cleo"], ["Cleo: 2x2"]]
    fine("record", "Ana: 3x2", "Ben: dudo", "count 0", "2x2")
    assert desk_of(book).match.live_round.number == 4
    for _ in range(4):
        fine("undo")
    assert "undone: 2.1 removed: result loser=Ben" in fine("undo").out
    assert told("score")["scores"] == {"Ana": 4, "Ben": 4, "Cleo": 4}


def test_an_empty_match_is_left_when_the_only_entry_is_taken_out(book: Path) -> None:
    begun("dudo", FOUR[:3], "result loser=Ana")
    fine("amend", "1", "--remove")
    assert standing(book) == []
    assert told("score")["rounds"] == []
    fine("undo")
    assert standing(book) == [["result loser=Ana"]]


def test_a_match_that_was_over_goes_on_when_its_end_is_taken_out() -> None:
    begun("dudo", FOUR[:3], "result loser=Ana", "end")
    answer = fine("amend", "1.2", "--remove")
    assert "the match is no longer finished" in answer.out
    fine("record", "Ana: 2x2")


def test_nothing_counts_after_the_end_of_the_match(book: Path) -> None:
    begun("dudo", FOUR[:3], "result loser=Ana", "result loser=Ben", "Ben: 2x2")
    account = told("amend", "1.2", "--before", "end", code=1)
    assert [(row["round"], row["counts"]) for row in account["broken"]] == [(2, False), (3, False)]
    answer = fine("amend", "1.2", "--before", "end", "--yes")
    assert "the match was over before this round" in answer.out
    assert "the match is over: " in answer.out
    assert told("score")["scores"] == {"Ana": 4, "Ben": 5, "Cleo": 5}
    late = program("record", "Ben: 3x2")
    assert late.code == 2
    fine("undo")
    assert told("score")["scores"] == {"Ana": 4, "Ben": 4, "Cleo": 5}


def test_a_record_whose_rounds_follow_its_end_says_so(tmp_path: Path) -> None:
    file = tmp_path / "late.toml"
    file.write_text(
        'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n'
        '[[rounds]]\nentries = """\nresult loser=Ana\nend\n"""\n'
        '[[rounds]]\nentries = """\nresult loser=Ana\n"""\n',
        "utf-8",
    )
    report = verify_record(file)
    assert report["ok"] is False
    assert "the match was over before this round" in report["findings"][0]["reason"]
    assert read_record(file).scores == {"Ana": 4, "Ben": 5}


# --- nothing is recorded where it would not count


def test_nothing_is_recorded_after_an_entry_that_cannot_be(book: Path) -> None:
    begun("dudo", FOUR[:3], "2x3", "Ben: dudo", "count 0", "note well")
    fine("amend", "2", "Ben: 3x3", "--yes")
    for command in ("record", "judge"):
        answer = program(command, "Cleo: 4x3")
        assert answer.code == 2, answer
        assert "entry 1.3 (count 0) is impossible" in answer.err
        assert "amend 1.3 --remove" in answer.err
    assert "entry 1.3 (count 0) is impossible" in fine("status").out
    assert told("legal") == {"to_act": [], "entries": []}
    fine("amend", "3", "--remove")
    fine("record", "Cleo: 4x3")
    assert standing(book) == [["Ana: 2x3", "Ben: 3x3", "note well", "Cleo: 4x3"]]


# --- undo


def test_undo_takes_an_amendment_back_whole_and_then_what_came_before(book: Path) -> None:
    begun("doppelkopf", FOUR, *TRICK)
    before = standing(book)
    fine("amend", "1", *ALL_SPEAK)
    said = fine("undo").out
    assert "undone: 1.1 replaced by: " + "; ".join(ALL_SPEAK) + " (restored: all: gesund)" in said
    assert standing(book) == before
    assert fine("undo").out.startswith("undone: Dan: 9D")


def test_amendments_and_entries_are_undone_in_the_order_they_came(book: Path) -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3")
    states = [standing(book)]
    for arguments in (
        ["amend", "1", "Ana: 3x3"],
        ["record", "Ben: 4x3"],
        ["amend", "1", "--before", "note a"],
        ["amend", "2", "Ana: 2x3", "note b"],
        ["record", "Cleo: dudo"],
        ["amend", "3", "--remove"],
    ):
        fine(*arguments)
        states.append(standing(book))
    for state in states[-2::-1]:
        fine("undo")
        assert standing(book) == state
    assert program("undo").out.startswith("undone: Ana: 2x3")
    assert program("undo").code == 2


def rows(*said: tuple[str, int, int, str]) -> list[LogRow]:
    return [
        LogRow(kind, number, entry, text, position=position)
        for position, (kind, number, entry, text) in enumerate(said, 1)
    ]


def test_an_old_undo_after_an_amendment_took_the_last_entry_back() -> None:
    old = rows(
        ("entry", 1, 1, "a"), ("entry", 1, 2, "b"), ("amend", 1, 1, "A"), ("undo", 1, 2, "b"),
    )  # fmt: skip
    history = LogState(old)
    assert history.rounds == [["A"]]
    assert history.operations[-1].row.kind == "amend"
    history.add(LogRow("restore", 1, 1, "A"))
    assert history.rounds == [["a"]]
    history.add(LogRow("undo", 1, 1, "a"))
    assert (history.rounds, history.operations) == ([], [])


def test_an_old_undo_of_an_amended_entry_took_its_amendments_along() -> None:
    old = rows(
        ("entry", 1, 1, "a"), ("entry", 1, 2, "b"), ("amend", 1, 2, "B"), ("amend", 1, 1, "A"),
        ("undo", 1, 2, "B"), ("entry", 1, 2, "c"),
    )  # fmt: skip
    history = LogState(old)
    assert history.rounds == [["A", "c"]]
    assert [done.row.text for done in history.operations] == ["a", "A", "c"]


@pytest.mark.parametrize(
    "row",
    [
        LogRow("undo", 1, 1, "a"),
        LogRow("amend", 1, 1, "a"),
        LogRow("restore", 1, 1, "a"),
        LogRow("entry", 3, 1, "a"),
        LogRow("insert", 1, 4, "a"),
    ],
)
def test_a_log_that_cannot_be_is_damaged_and_no_crash(row: LogRow) -> None:
    with pytest.raises(Damaged, match="the log is damaged"):
        LogState([row])


def test_the_log_says_what_was_undone_and_amended_and_where_it_stands_now() -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3", "Cleo: 4x3")
    fine("undo")
    fine("amend", "2", "--before", "note a", "note b")
    fine("amend", "2", "--remove")
    fine("amend", "1", "Ana: 2x2")
    fine("undo")
    lines = [line.split("  ", 1)[1].strip() for line in fine("status", "--log").out.splitlines()]
    assert lines == [
        "1.1  Ana: 2x3",
        "1.2  Ben: 3x3  (now 1.3)",
        "1.3  Cleo: 4x3  (removed since)",
        "1.3  undone: Cleo: 4x3",
        "1.2  inserted before this entry: note a; note b",
        "1.2  removed: note a",
        "1.1  amended to: Ana: 2x2  (removed since)",
        "1.1  amendment undone: Ana: 2x2",
    ]
    now = [row["now"] for row in told("status", "--log")]
    assert now == [["1.1"], ["1.3"], [], [], ["1.2"], [], [], []]


# --- several at once, and long matches


def test_an_amendment_is_judged_on_what_others_entered_meanwhile(book: Path) -> None:
    one = begin_match(Book(str(book)), load_ruleset("dudo"), FOUR[:3])
    one.record(["Ana: 2x3"])
    other = MatchRecorder(Book(str(book)), one.id)
    other.record(["Ben: 3x3"])
    asked: list[int] = []

    def agree(found: Any) -> bool:
        asked.append(len(found.invalid))
        if len(asked) == 1:
            other.record(["Cleo: 4x3"])
        return len(asked) < 2 or not found.invalid

    found = one.amend(1, 1, "Ana: 3x3", confirm=agree)
    assert asked == [1, 1]
    assert not found.is_saved
    assert standing(book) == [["Ana: 2x3", "Ben: 3x3", "Cleo: 4x3"]]
    assert one.amend(1, 1, "Ana: 2x2").is_saved
    assert other.undo_operation().row.kind == "amend"


def test_recording_goes_on_from_the_cache_after_an_early_amendment(book: Path) -> None:
    desk = begin_match(Book(str(book)), load_ruleset("dudo", tally={"start": 5}), FOUR[:3])
    for name in ("Ana", "Ben", "Cleo", "Ana"):
        desk.record([f"result loser={name}"])
    desk.record(["Ana: 2x3"])
    desk.amend(1, 1, "result loser=Cleo")
    again = MatchRecorder(Book(str(book)), desk.id)
    assert [played.number for played in again.match.rounds] == [5]
    again.record(["Ben: 3x3"])
    assert again.match.scores == again.full_match().scores == {"Ana": 4, "Ben": 4, "Cleo": 3}


def test_the_library_amends_by_several_before_and_by_none() -> None:
    match = match_of("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3")
    assert match.amended(1, 1, "Ana: 2x2").rounds[0].entries == ["Ana: 2x2", "Ben: 3x3"]
    two = match.amended(1, 1, "Ana: 2x2", "note a")
    assert two.rounds[0].entries == ["Ana: 2x2", "note a", "Ben: 3x3"]
    put = match.amended(1, 3, "Cleo: 4x3", before=True)
    assert put.rounds[0].entries == ["Ana: 2x3", "Ben: 3x3", "Cleo: 4x3"]
    assert match.amended(1, 2).rounds[0].entries == ["Ana: 2x3"]
    with pytest.raises(Impossible):
        match.amended(1, 3, "Cleo: 4x3")
    with pytest.raises(Unreadable):
        match.amended(1, 1, "nonsense")


def test_a_change_has_a_row_of_its_kind() -> None:
    kinds = [
        Amendment(1, 1, ("a",)).kind, Amendment(1, 1, ("a", "b")).kind, Amendment(1, 1, ()).kind,
        Amendment(1, 1, ("a",), before=True).kind,
    ]  # fmt: skip
    assert kinds == ["amend", "replace", "remove", "insert"]


def test_a_refused_text_raises_and_leaves_the_desk_as_it_was(book: Path) -> None:
    desk = begin_match(Book(str(book)), load_ruleset("dudo"), FOUR[:3])
    desk.record(["Ana: 2x3", "Ben: 3x3"])
    with pytest.raises(Illegal):
        desk.amend(1, 2, "Ben: 1x3")
    assert desk.match.to_act == ["Cleo"]
    desk.record(["Cleo: 4x3"])


# --- the live table


def said(session: Session) -> str:
    return "\n".join(event.text for event in session.current.log.events)


def test_the_live_table_takes_an_amendment_back_and_says_what_it_was(book: Path) -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3")
    fine("amend", "1", "Ana: 2x2")
    session = Session([desk_of(book)])
    session.current.undo()
    assert "undone: 1.1 amended to: Ana: 2x2 (restored: Ana: 2x3)" in said(session)
    assert standing(book) == [["Ana: 2x3", "Ben: 3x3"]]


def test_a_second_live_table_follows_an_amendment(book: Path) -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3")
    session = Session([desk_of(book)])
    fine("amend", "1", "--before", "direction right", "--yes")
    assert session.check_news()
    assert "1.1 inserted before this entry: Ana: direction right" in said(session)
    assert "  1.2  Ana: 2x3" in said(session).split("inserted", 1)[0]
    assert "  1.1  Ana: 2x3" not in said(session)
    assert session.current.match.to_act == desk_of(book).match.to_act
    fine("undo")
    assert session.check_news()
    assert "1.1 amendment undone: Ana: direction right" in said(session)
    assert session.enter("Cleo: 4x3") == ""


def test_an_amendment_is_typed_at_the_live_table(book: Path) -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3")
    session = Session([desk_of(book)])
    assert session.enter("amend 1 Ana: 2x2, note why") == ""
    assert standing(book) == [["Ana: 2x2", "note why", "Ben: 3x3"]]
    assert session.enter("amend 2 --remove") == ""
    broken = "amend 1 Ana: 6x3"
    assert session.enter(broken) == broken
    assert "nothing was amended; add --yes to amend anyway" in said(session)
    refused = "amend 2 Ben: 1x3"
    assert session.enter(refused) == refused
    for nonsense in ("amend", "amend x", "amend 1", "amend 1 --remove note", "amend 9 note x"):
        assert session.enter(nonsense) == nonsense
    assert standing(book) == [["Ana: 2x2", "Ben: 3x3"]]
    assert session.enter(f"{broken} --yes") == ""


def test_a_hand_is_not_shown_at_the_live_table_by_an_amendment(book: Path) -> None:
    begun("durak", ("X", "Y", "Z"), "turnup 9H", "hand X: 6C 7C 8C 9C TC JC")
    session = Session([desk_of(book)])
    fine("amend", "2", "hand X: 6C 7C 8C 9C TC QC")
    session.check_news()
    session.current.undo()
    assert "hand X: 6" in said(session)
    assert "QC" not in said(session)
    assert "JC" not in said(session)


def test_what_an_amendment_means_is_what_typing_it_means() -> None:
    right = match_of("doppelkopf", FOUR, *ALL_SPEAK, "Ana: QC", "Ben: 9D")
    wrong = match_of("doppelkopf", FOUR, "all: gesund", "Ana: QC", "Ben: 9D")
    amended = wrong.amended(1, 1, *ALL_SPEAK)
    assert amended.state == right.state
    assert isinstance(amended, Match)


def test_the_next_round_goes_on_after_a_round_that_has_one_entry_too_many(tmp_path: Path) -> None:
    match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    played = match.play_round(["result loser=Ana", "Ana: 2x2"])
    assert (played.failed_entry, played.counts(1), played.counts(2)) == (2, True, False)
    assert match.to_act == ["Ana"]
    match.record("Ana: 3x3")
    assert match.rounds[1].entries == ["Ana: 3x3"]


def test_what_would_join_a_round_after_an_entry_that_cannot_be_is_refused() -> None:
    match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    match.play_round(["result loser=Ana", "Ana: 2x2"])
    with pytest.raises(Impossible, match=r"entry 1\.2 \(Ana: 2x2\) is impossible"):
        match.record("note well")


def test_amendments_are_piped_to_the_live_table(book: Path) -> None:
    begun("dudo", FOUR[:3], "Ana: 2x3", "Ben: 3x3")
    answer = program("table", "--plain", stdin="amend 1 Ana: 2x2\nundo\nhelp\n")
    assert answer.code == 0
    assert "amended: 1.1 Ana: 2x2" in answer.out
    assert "undone: 1.1 amended to: Ana: 2x2 (restored: Ana: 2x3)" in answer.out
    assert "amend [ROUND.]N ENTRY" in answer.out
    assert program("table", "--plain", stdin="amend 1 Ana: 9x9\n").code == 2
    assert program("table", "--plain", stdin="amend 1 Ana: 6x3\n").code == 1
    assert program("table", "--plain", stdin="amend 2 Ben: 1x3\n").code == 1
