"""Imports of an edited export: they correct the original match, and one bad file stops no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.store.arrivals import import_match, play_record
from scorekeeper.store.book import Book
from scorekeeper.store.importing import corrections
from scorekeeper.store.record import RecordSource
from scorekeeper.store.recorder import current_entries
from scorekeeper.store.rows import LogRow
from tests.helpers import program

ROUND = ("lead Ana", "3x4", "Ben: dudo", "count 3")
AGAIN = ("Ben: 2x2", "Ana: dudo", "count 4")


@pytest.fixture(autouse=True)
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    program("new", "dudo", "Ana", "Ben", "--date", "2026-11-20")
    assert program("record", *ROUND, *AGAIN).code == 0
    program("export", "--to", "evening.toml")
    return tmp_path / "evening.toml"


def edit(path: Path, old: str, new: str) -> str:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return path.read_text("utf-8")


def entered() -> list[list[str]]:
    (match,) = program("export", "1", "--format", "json").data["matches"]
    return [[entry["entry"] for entry in each["entries"]] for each in match["rounds"]]


def test_an_edited_export_takes_the_place_of_its_match(evening: Path) -> None:
    before = entered()
    edit(evening, "Ana: 3x4", "Ana: 3x5")
    edited = edit(evening, "Ben: 2x2\n", "Ben: 2x2\nnote Cleo came\n")
    answer = program("import", str(evening), "--replace")
    assert (answer.code, answer.out) == (
        0,
        f"{evening}: match 1 was corrected\n",
    )
    assert len(program("matches", "--format", "json").data) == 1
    assert program("export", "1").out == edited
    assert "Ana: 3x4" in program("status", "--log", "--match", "1").out
    assert program("verify", "1").code == 0
    for _ in range(2):  # the import made two corrections
        assert program("undo", "--match", "1").code == 0
    assert entered() == before
    assert program("verify", "1").code == 0


def test_what_is_kept_about_it_is_put_right_too(evening: Path) -> None:
    edit(evening, "format = 3", 'format = 3\ntitle = "Friday"')
    assert program("import", str(evening), "--replace").code == 0
    assert program("describe", "--match", "1", "--format", "json").data["match_title"] == "Friday"
    assert program("record", "note it goes on", "--match", "1").code == 0


def test_what_was_said_about_it_since_stays_if_the_record_says_nothing_of_it(
    evening: Path,
) -> None:
    program("describe", "--title", "Final", "--note", "important", "--place", "Home")
    edit(evening, "format = 3", 'format = 3\ntitle = "Friday"')
    answer = program("import", str(evening), "--replace")
    assert answer.err == "  title: changed from “Final” to “Friday”\n"
    about = program("describe", "--match", "1", "--format", "json").data
    kept = [about[key] for key in ("match_title", "note", "place", "started")]
    assert kept == ["Friday", "important", "Home", "2026-11-20"]


def test_without_being_asked_for_it_is_a_match_of_its_own_and_the_way_is_told(
    evening: Path,
) -> None:
    edit(evening, "Ana: 3x4", "Ana: 3x5")
    answer = program("import", str(evening))
    assert "is now match 2" in answer.out
    assert (
        "to correct match 1 with this record, enter: scorekeeper delete 2, then import --replace"
        in answer.err
    )


def test_the_way_to_put_it_right_stays_open_when_it_was_imported_first(evening: Path) -> None:
    edit(evening, "Ana: 3x4", "Ana: 3x5")
    program("import", str(evening))
    answer = program("import", str(evening), "--replace")
    assert answer.out == f"{evening}: match 1 was corrected\n"
    assert answer.err == "  match 2 is now an identical copy; to delete it: scorekeeper delete 2\n"
    assert "is already match 1" in program("import", str(evening), "--replace").out


def test_a_match_beside_its_origin_is_not_taken_for_it(evening: Path) -> None:
    edit(evening, "Ana: 3x4", "Ana: 3x5")
    assert "is now match 2" in program("import", str(evening)).out
    edit(evening, "Ben: 2x2", "Ben: 2x3")
    answer = program("import", str(evening), "--replace")
    assert (answer.out, answer.err) == (f"{evening}: match 1 was corrected\n", "")
    copy = evening.with_name("copy.toml")
    program("export", "2", "--to", str(copy))
    edit(copy, "Ben: 2x2", "Ben: 2x6")
    assert "match 2 was corrected" in program("import", str(copy), "--replace").out


def test_where_several_may_be_meant_none_is_replaced(evening: Path) -> None:
    """Two matches share an identifier, as they could in earlier books."""
    edit(evening, "Ana: 3x4", "Ana: 3x5")
    with Book("book.sqlite") as store:
        source = RecordSource(str(evening))
        match, told = play_record(source)
        import_match(store, match, finished_rounds=told, **source.details)
    edit(evening, "Ben: 2x2", "Ben: 2x3")
    answer = program("import", str(evening), "--replace")
    assert answer.code == 2
    assert "the record may have been exported from any of the matches 1, 2" in answer.err
    assert "scorekeeper delete 2" in answer.err
    assert len(program("matches", "--format", "json").data) == 2
    assert program("delete", "2", "--yes").code == 0
    assert "match 1 was corrected" in program("import", str(evening), "--replace").out


def test_claims_that_an_edit_left_behind_are_named(evening: Path) -> None:
    edit(evening, "count 3", "count 2")
    answer = program("import", str(evening), "--replace")
    assert answer.out == f"{evening}: match 1 was corrected\n"
    assert answer.err == (
        "  the scores claimed for round 1 do not match its entries; for details:"
        f" scorekeeper verify {evening}\n"
    )


def test_a_dry_run_says_whose_place_would_be_taken(evening: Path) -> None:
    program("describe", "--title", "Final")
    edit(evening, "format = 3", 'format = 3\ntitle = "Friday"')
    edited = edit(evening, "Ana: 3x4", "Ana: 3x5")
    before = Path("book.sqlite").read_bytes()
    answer = program("import", str(evening), "--replace", "--dry-run")
    assert answer.code == 0
    assert answer.out.endswith("; would replace match 1\n")
    assert answer.err.splitlines() == [
        "  title: now “Final”, would become “Friday”",
        "nothing was written, because of --dry-run",
    ]
    (row,) = program("import", str(evening), "--replace", "--dry-run", "--format", "json").data
    assert (row["match"], row["known"], row["replaced"], row["rounds"]) == (1, True, True, 2)
    assert Path("book.sqlite").read_bytes() == before
    Path("twice.toml").write_text(edited, "utf-8")
    for dry in (("--dry-run",), ()):  # a dry run reports the same result
        answer = program("import", str(evening), "twice.toml", "--replace", *dry)
        assert answer.out.splitlines()[-1] == "2 records: 1 corrected, 1 already in the book"
    assert "is already match 1" in program("import", "twice.toml", "--replace", "--dry-run").out
    assert program("import", "twice.toml", "--dry-run").err.count("corrects") == 0


def test_a_dry_run_refuses_what_cannot_take_a_place(evening: Path) -> None:
    text = edit(evening, '"Ben"', '"Cleo"')
    evening.write_text(text.replace("Ben", "Cleo"), "utf-8")
    told = [program("import", str(evening), "--replace", *dry) for dry in (("--dry-run",), ())]
    assert [answer.code for answer in told] == [2, 2]
    assert told[0].err.splitlines()[:2] == told[1].err.splitlines()
    assert told[0].err.startswith(
        f"scorekeeper: {evening}: the record does not have the same players"
    )


def test_a_match_is_known_by_the_second_at_which_it_began(tmp_path: Path) -> None:
    """Identify a match by its start time, so that an export needs no identifier."""
    program("new", "dudo", "Ana", "Cleo")
    program("record", "lead Ana", "3x4")
    text = program("export").out
    assert "identifier" not in text
    assert text.startswith("format = 3\n")
    path = tmp_path / "later.toml"
    path.write_text(text.replace("3x4", "3x5"), "utf-8")
    assert "match 2 was corrected" in program("import", str(path), "--replace").out


def test_a_date_put_right_gives_an_identifier_that_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("new", "dudo", "Ana", "Cleo")
    program("describe", "--date", "2026-11-19T20:15")
    text = program("export").out
    assert text.startswith("format = 3\n")
    assert 'started = "2026-11-19T20:15"' in text
    assert "identifier = " in text
    path = tmp_path / "other.toml"
    path.write_text(text, "utf-8")
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "two.sqlite"))
    assert program("import", str(path)).code == 0
    assert program("export").out == text
    assert "is already match 1" in program("import", str(path), "--replace").out


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [('"Ben"', '"Cleo"', "the same players"), ('ruleset = "dudo"', 'ruleset = "perudo"', "rules")],
)
def test_other_players_or_rules_are_another_match(
    evening: Path, old: str, new: str, told: str
) -> None:
    text = edit(evening, old, new).replace("Ben", "Cleo") if "Cleo" in new else edit(
        evening, old, new
    )  # fmt: skip
    evening.write_text(
        "\n".join(line for line in text.splitlines() if "sha256" not in line), "utf-8"
    )
    before = entered()
    answer = program("import", str(evening), "--replace")
    assert (answer.code, told in answer.err) == (2, True)
    assert entered() == before


rounds = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=0, max_size=4)


@settings(max_examples=60, deadline=None)
@given(rounds, rounds)
def test_corrections_make_of_any_entries_any_others(
    were: list[list[str]], wanted: list[list[str]]
) -> None:
    log = [
        LogRow("entry", number, entry, text)
        for number, texts in enumerate(were, 1)
        for entry, text in enumerate(texts, 1)
    ]
    assert current_entries([*log, *corrections(were, wanted)]) == wanted


# --- several files


def test_one_bad_file_stops_no_other(evening: Path) -> None:
    Path("bad.toml").write_text("what", "utf-8")
    Path("old.toml").write_text(evening.read_text("utf-8").replace("2026-11-20", "2026-11-13"))
    answer = program("import", "bad.toml", "gone.toml", "old.toml")
    assert answer.code == 3
    assert answer.out == "old.toml is now match 2\n3 records: 1 new match (2), 2 refused\n"
    assert "bad.toml" in answer.err
    assert "gone.toml cannot be read" in answer.err
    told = program("import", "bad.toml", "old.toml", "--format", "json")
    assert [row["match"] for row in told.data] == [None, 2]
    assert "bad.toml" in told.data[0]["fault"]


def test_verify_tells_each_file(evening: Path) -> None:
    Path("bad.toml").write_text("what", "utf-8")
    answer = program("verify", "bad.toml", "gone.toml", str(evening), "9")
    assert answer.code == 1
    assert [line.partition(": ")[0] for line in answer.out.splitlines() if line[0] != " "][:4] == [
        "bad.toml", "gone.toml", str(evening), "9",
    ]  # fmt: skip
