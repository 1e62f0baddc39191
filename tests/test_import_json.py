"""JSON and JSON lines as `export` writes them, folders, several files at once, and dry runs."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Damaged, load_ruleset
from scorekeeper.cli.import_ import MAX_CHANGED, MAX_SIMILAR
from scorekeeper.core import untrusted
from scorekeeper.store import importing
from scorekeeper.store.arrivals import IncomingMatch, RejectedFile, read_incoming
from scorekeeper.store.book import Book
from scorekeeper.store.importing import MAX_BATCH_MATCHES, import_all, import_incoming
from scorekeeper.store.json_record import make_record
from tests.helpers import match_of, program

if TYPE_CHECKING:
    from collections.abc import Iterator

SHA = load_ruleset("dudo").sha256


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "book.sqlite"


def match(day: int, *entries: str, **changed: Any) -> dict[str, Any]:
    """Return a match as `export --format json` writes it, with the keys that an import reads."""
    rows = [{"number": n, "entry": text, "word": "bid"} for n, text in enumerate(entries, 1)]
    return {
        "match": str(day),
        "ruleset": "dudo",
        "title": "Dudo",
        "ruleset_sha256": SHA,
        "players": ["Ana", "Ben"],
        "began_with": ["Ana", "Ben"],
        "started": f"2026-01-{day:02}",
        "place": "",
        "rounds": [{"round": 1, "scores": None, "entries": rows}],
        **changed,
    }


def lines(*matches: object) -> str:
    return "".join(json.dumps(each) + "\n" for each in matches)


def written(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def listed() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = program("matches", "--format", "json").data
    return found


# --- imported matches


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["all.json", "all"])
def test_a_json_file_gives_its_matches(name: str, indent: int | None) -> None:
    both = {"format": 1, "matches": [match(1, "Ana: 1x2"), match(2, "Ana: 1x3", note="late")]}
    answer = program("import", written(name, json.dumps(both, indent=indent)))
    assert (answer.code, answer.out) == (0, "2 records: 2 new matches (1 to 2)\n")
    assert [row["started"] for row in listed()] == ["2026-01-01", "2026-01-02"]
    assert 'note = "late"' in program("export", "2").out
    again = program("import", name)
    assert again.out == "2 records: 2 already in the book\n"


@pytest.mark.parametrize("name", ["all.jsonl", "all.NDJSON", "all.txt"])
def test_json_lines_give_a_match_a_line(name: str) -> None:
    text = lines(match(1, "Ana: 1x2", format=1), match(2, "Ana: 1x3", format=1))
    answer = program("import", written(name, "\ufeff" + text + "\n"))
    assert answer.out == "2 records: 2 new matches (1 to 2)\n"


def test_a_whole_evening_comes_back_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert program("new", "dudo", "Ana", "Ben", "--date", "2026-01-05", "--title", "x").code == 0
    for text in ("lead Ben", "Ben: 2x3", "Ana: dudo", "count 2", "joins Eva after Ana", "Ana: 1x2"):
        assert program("record", text).code == 0, text
    record = program("export").out
    for format in ("json", "jsonl"):
        assert program("export", "--format", format, "--to", f"all.{format}").code == 0
    for format in ("json", "jsonl"):
        monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / f"{format}.sqlite"))
        assert program("import", f"all.{format}").code == 0
        assert program("export").out == record


def test_title_and_options_of_a_match_are_not_those_of_its_ruleset() -> None:
    sha = load_ruleset("dudo", tally={"start": 4}).sha256
    told = match(1, "Ana: 1x2", match_title="Friday", options={"tally": {"start": 4}})
    assert program("import", written("one.jsonl", lines(told | {"ruleset_sha256": sha}))).code == 0
    (row,) = listed()
    assert (row["match_title"], row["scores"]) == ("Friday", {"Ana": 4, "Ben": 4})


def test_an_older_export_is_taken_if_it_says_enough() -> None:
    old = match(1, "Ana: 1x2")
    del old["began_with"]
    assert program("import", written("old.jsonl", lines(old))).code == 0
    other = program("import", written("other.jsonl", lines({**old, "ruleset_sha256": "0" * 64})))
    assert other.code == 3
    assert "does not contain its rules" in other.err
    old["rounds"][0]["entries"].append({"entry": "joins Eva after Ana", "word": "joins"})
    came = program("import", written("came.jsonl", lines(old)))
    assert came.code == 3
    assert "began_with is missing" in came.err
    assert len(listed()) == 1


def test_a_folder_gives_all_records_in_it() -> None:
    Path("in").mkdir()
    written("in/b.jsonl", lines(match(2, "Ana: 1x3"), match(3, "Ana: 1x4")))
    written("in/a.toml", 'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n')
    written("in/readme.txt", "not a record")
    assert program("import", "in").out == "3 records: 3 new matches (1 to 3)\n"
    Path("none").mkdir()
    answer = program("import", "none")
    assert answer.code == 3
    assert "there are no records in this folder" in answer.err


def test_a_record_may_come_through_a_pipe() -> None:
    os.mkfifo("pipe")
    text = 'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n'
    writer = threading.Thread(target=written, args=("pipe", text))
    writer.start()
    assert program("import", "pipe").out == "pipe is now match 1\n"
    writer.join()


# --- messages


def test_of_several_only_what_is_special_is_a_line() -> None:
    one, like = match(1, "Ana: 1x2"), match(1, "Ana: 1x2", place="inn")
    wrong = match(3, "Ana: 1x2", players=["Ana"], began_with=["Ana"])
    answer = program("import", written("all.jsonl", lines(one, like, wrong, one)))
    assert answer.code == 3
    assert answer.out == (
        "all.jsonl, line 2 is now match 2\n"
        "4 records: 2 new matches (1 to 2), 1 already in the book, 1 refused\n"
    )
    assert "the match is like match 1, except for: place" in answer.err
    assert "all.jsonl, line 3: " in answer.err


def test_json_keeps_a_row_a_match() -> None:
    answer = program(
        "import", written("all.jsonl", lines(match(1, "Ana: 1x2"), 7)), "--format", "json"
    )
    known, bad = answer.data
    assert known == {"file": "all.jsonl", "match": 1, "known": False, "line": 1}
    assert {key: bad[key] for key in ("file", "match", "line")} == {
        "file": "all.jsonl", "match": None, "line": 2,
    }  # fmt: skip
    assert "a match must be a table" in bad["fault"]


def test_a_claim_that_the_entries_do_not_come_to_is_told() -> None:
    told = match(1, "Ana: 1x2", "Ben: dudo", "count 1")
    told["rounds"][0]["scores"] = {"Ana": -1, "Ben": 0}
    answer = program("import", written("all.jsonl", lines(told)))
    assert "the scores claimed for round 1" in answer.err
    assert answer.code == 0


# --- rules that have changed since the export

CHANGED = "the ruleset dudo has changed since the match was recorded; today's rules were applied"
OTHER = "0" * 64


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_a_match_of_a_ruleset_that_has_changed_is_taken_and_told(more: tuple[str, ...]) -> None:
    named = f'ruleset = "dudo"\nruleset_sha256 = "{OTHER}"\n'
    written("a.toml", f'format = 2\n{named}players = ["Ana", "Ben"]\n')
    written("b.jsonl", lines(match(1, "Ana: 1x2", ruleset_sha256=OTHER)))
    for name in ("a.toml", "b.jsonl"):
        answer = program("import", name, *more)
        assert answer.code == 0
        assert answer.err.splitlines()[0] == f"  {CHANGED}"
        (row,) = program("import", name, *more, "--format", "json").data
        assert row["other_rules"] == {"ruleset": "dudo", "recorded": OTHER, "now": SHA}
    assert len(listed() if not more else "ab") == 2


def test_a_match_that_brings_its_rules_or_has_todays_is_told_nothing_of_them() -> None:
    rules = load_ruleset("dudo", tally={"start": 4})
    brings = match(1, "Ana: 1x2", ruleset_sha256=rules.sha256, ruleset_text=rules.text)
    written("a.jsonl", lines(brings, match(2, "Ana: 1x2")))
    assert program("import", "a.jsonl", "--dry-run").err.count("changed") == 0
    answer = program("import", "a.jsonl", "--format", "json")
    assert [row.get("other_rules") for row in answer.data] == [None, None]
    assert listed()[0]["scores"] == {"Ana": 4, "Ben": 4}


def test_of_many_whose_rules_have_changed_some_are_told() -> None:
    many = [match(n, "Ana: 1x2", ruleset_sha256=OTHER) for n in range(1, MAX_CHANGED + 4)]
    for more in (("--dry-run",), ()):
        answer = program("import", written("a.jsonl", lines(*many)), *more)
        told = answer.err.splitlines()
        assert told[0] == f"a.jsonl, line 1: {CHANGED}"
        assert [line.endswith(CHANGED) for line in told].count(True) == MAX_CHANGED
        assert "3 more matches were recorded with other rules; --format json lists them" in told
    assert len(listed()) == len(many)


# --- a dry run


def test_a_dry_run_shows_all_and_writes_nothing(book: Path) -> None:
    written("all.jsonl", lines(match(1, "Ana: 1x2", "Ben: dudo", "count 1"), match(2, "Ana: 1x3")))
    answer = program("import", "all.jsonl", "--dry-run")
    assert not book.exists()
    assert answer.out.splitlines() == [
        "all.jsonl, line 1: 2026-01-01, Dudo: 1 round; Ana 5, Ben 4; new",
        "all.jsonl, line 2: 2026-01-02, Dudo: 1 round; Ana 5, Ben 5; new",
        "2 records: 2 new matches",
    ]
    assert "nothing was written" in answer.err
    program("import", written("one.jsonl", lines(match(2, "Ana: 1x3"))))
    before = book.read_bytes()
    rows = program("import", "all.jsonl", "--dry-run", "--format", "json").data
    assert [(row["match"], row["known"], row["rounds"]) for row in rows] == [
        (None, False, 1),
        (1, True, 1),
    ]
    assert book.read_bytes() == before


# --- faulty files


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"format": 1, "matches": [', "line 1: the JSON ends too early"),
        ('{"format": 1,\n"matches": [\n{"ruleset": "du', "line 3: this is not JSON"),
        ('{"format": 1, "matches": []} x', "line 1: this is not JSON: x"),
        ('{"format": 9, "matches": [{}]}', "the format is 9"),
        ('{"matches": [{"a": NaN}]}', "an invalid number"),
        ('{"matches": [{"a": %s}]}' % ("9" * 9_000), "too many digits"),
        ('{"matches": %s' % ("[" * 200_000), "too deep"),
        ('{"matches": [{}]}', "line 1: ruleset is missing"),
        ("{}", "bad.json, line 1: ruleset is missing, so this is not a match"),
        ("", "bad.json, line 1: the JSON ends too early"),
        ('{"format": 1,}', "line 1: this is not JSON: }"),
        ('{"format": 1, "matches": 5}', "bad.json, line 1: matches must be a list, not 5"),
        ('{"matches": [], "matches": []}', "bad.json, line 1: matches occurs twice"),
        ("[1]", "line 1: the JSON must begin with"),
        ('{"matches": [{"ruleset": "dudo", "players": ["A", "B"], "rounds": [{}]}]}',
         "round 1: the entries are missing"),
        ('{"matches": [{"ruleset": "../x", "players": ["A", "B"], "rounds": []}]}',
         "not a path"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_with_its_line(text: str, said: str) -> None:
    answer = program("import", written("bad.json", text))
    assert answer.code == 3
    assert said in answer.err
    assert len(answer.err.splitlines()) <= 2
    assert listed() == []


def test_matches_before_a_cut_are_kept() -> None:
    text = json.dumps({"matches": [match(1, "Ana: 1x2"), match(2, "Ana: 1x3")]}, indent=1)
    answer = program("import", written("cut.json", text[: text.rindex('"rounds"')]))
    assert answer.code == 3
    assert answer.out == "2 records: 1 new match (1), 1 refused\n"
    assert "the file may have been cut off in the middle" in answer.err


def test_a_json_file_has_a_bound_and_lines_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "MAX_JSON_BYTES", 2_000)
    several = [match(day, "Ana: 1x2") for day in range(1, 9)]
    answer = program("import", written("all.json", json.dumps({"matches": several}, indent=1)))
    assert answer.code == 3
    assert "export --format jsonl" in answer.err
    assert program("import", written("all.jsonl", lines(*several))).code == 0
    assert len(listed()) == 8
    long = program("import", written("long.jsonl", lines(match(9, "Ana: 1x2", note="x" * 3_000))))
    assert "long.jsonl, line 1 is larger" in long.err


def test_few_bytes_of_many_values_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "MAX_JSON_VALUES", 1_000)
    many = match(1, "Ana: 1x2") | {"x": [{}] * 1_000}
    for name, text in (("a.jsonl", lines(many)), ("a.json", json.dumps({"matches": [many]}))):
        answer = program("import", written(name, text))
        assert answer.code == 3
        assert "contains more than 1000 values" in answer.err
    after = program("import", written("b.jsonl", lines(many, match(2, "Ana: 1x2"))))
    assert "1 new match" in after.out


@pytest.mark.parametrize("entry", [{"a": 1}, 7, None, "Ana: 1x2\nBen: 2x2"])
def test_an_entry_is_a_line_of_text(entry: Any) -> None:
    told = match(1, "Ana: 1x2")
    told["rounds"][0]["entries"][0]["entry"] = entry
    answer = program("import", written("a.jsonl", lines(told)))
    assert (answer.code, "round 1: the entries are missing" in answer.err) == (3, True)


def test_a_format_is_looked_at_wherever_it_stands_before_anything_is_taken() -> None:
    text = json.dumps({"matches": [match(1, "Ana: 1x2")], "format": 9})
    answer = program("import", written("a.json", text))
    assert (answer.code, "a.json: the format is 9" in answer.err) == (3, True)
    assert listed() == []


def test_what_else_stands_behind_the_matches_spoils_none() -> None:
    text = json.dumps({"matches": [match(1, "Ana: 1x2")], "rounds": 5, "format": 1})
    answer = program("import", written("a.json", text))
    assert (answer.code, answer.err) == (0, "")
    assert len(listed()) == 1


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
@pytest.mark.parametrize("also", [[], ["good.jsonl"]])
def test_a_file_without_a_match_says_so(name: str, also: list[str]) -> None:
    written(name, "\n" if name.endswith("l") else '{"format": 1, "matches": []}')
    written("good.jsonl", lines(match(1, "Ana: 1x2")))
    answer = program("import", name, *also)
    assert answer.code == 3
    assert answer.err.splitlines()[0] == f"scorekeeper: there is no match in {name}"
    assert len(listed()) == len(also)
    (row, *_) = program("import", name, *also, "--format", "json").data
    assert (row["match"], row["fault"]) == (None, f"there is no match in {name}")


def test_a_second_list_of_matches_is_not_passed_over() -> None:
    one, other = (json.dumps({"matches": [match(day, "Ana: 1x2")]}) for day in (1, 2))
    text = f"{one[:-1]},\n{other[1:]}"
    answer = program("import", written("a.json", text))
    assert answer.code == 3
    assert answer.out == "2 records: 1 new match (1), 1 refused\n"
    assert "a.json, line 2: matches occurs twice" in answer.err


def test_what_comes_through_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    told = lines(match(1, "Ana: 1x2"), match(2, "Ana: 1x2"))
    assert program("new", "dudo", "Ana", "Cem").code == 0
    for text in (told, program("export", "1", "--format", "toml").out):
        writer = threading.Thread(target=Path(pipe).write_text, args=[text])
        writer.start()
        assert program("import", pipe).code == 0
        writer.join()
    assert len(listed()) == 3


def test_a_dry_run_tells_a_match_that_comes_twice_once_as_new() -> None:
    one, other = match(1, "Ana: 1x2"), match(2, "Ana: 1x2")
    answer = program("import", written("a.jsonl", lines(one, other, one)), "--dry-run")
    assert answer.out.splitlines()[-1] == "3 records: 2 new matches, 1 already in the book"
    assert "repeated in this import" in answer.out.splitlines()[-2]


def test_of_many_that_look_like_others_some_are_told() -> None:
    alike = [match(1, f"Ana: {n}x2") for n in range(1, 10)]
    assert program("import", written("a.jsonl", lines(alike[0]))).code == 0
    answer = program("import", written("b.jsonl", lines(*alike[1:])))
    assert answer.err.count("the match is like match 1,") == MAX_SIMILAR
    assert "3 more matches are similar to" in answer.err


@pytest.mark.parametrize("started", ["9999-99-99", "2026-02-30", "2026-02-30T20:15"])
def test_a_match_that_began_on_no_day_is_refused(started: str) -> None:
    written("a.jsonl", lines(match(1, "Ana: 2x3", started=started), match(2, "Ana: 2x3")))
    answer = program("import", "a.jsonl")
    assert answer.code == 2
    assert f"scorekeeper: a.jsonl, line 1: “{started}” is not a date" in answer.err
    assert program("matches", "--format", "json").data[0]["started"] == "2026-01-02"


def test_hostile_names_are_shown_harmless() -> None:
    told = match(1, "note \x1b[31m\u202e", players=["\x1b[31m", "B"], began_with=["\x1b[31m", "B"])
    answer = program("import", written("\x1b[31m.jsonl", lines(told)), "--dry-run")
    assert "\x1b" not in answer.out + answer.err
    with pytest.raises(Damaged):
        make_record([])


# --- several matches in a transaction


def read(count: int) -> Iterator[IncomingMatch | RejectedFile]:
    written("all.jsonl", lines(*(match(1 + n % 28, "Ana: 1x2", note=str(n)) for n in range(count))))
    return read_incoming("all.jsonl")


def test_several_are_written_together_and_a_failure_spoils_no_other() -> None:
    class Picky(Book):
        """A book that refuses one match after its import has begun."""

        def append(self, match_id: int, *arguments: Any, **named: Any) -> int:
            if self.match(match_id).note == "3":
                raise Damaged("not this one")
            return super().append(match_id, *arguments, **named)

    store = Picky(":memory:")
    came = list(import_all(store, read(MAX_BATCH_MATCHES + 3), "beside"))
    assert [isinstance(each, RejectedFile) for each in came].count(True) == 1
    assert isinstance(came[3], RejectedFile)
    assert [row.note for row in store.matches()] == [
        str(n) for n in range(MAX_BATCH_MATCHES + 3) if n != 3
    ]


def test_a_transaction_ends_before_others_wait_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MAX_BATCH_SECONDS", -1.0)
    store = Book(":memory:")
    sizes = [len(store.matches()) for _ in import_all(store, read(4), "beside")]
    assert sizes == [1, 2, 3, 4]


def test_what_was_given_is_in_the_store() -> None:
    store = Book(":memory:")
    for number, each in enumerate(import_all(store, read(MAX_BATCH_MATCHES * 2), "beside")):
        assert not isinstance(each, RejectedFile)
        assert len(store.matches()) > number


def test_to_look_writes_nothing() -> None:
    store = Book(":memory:")
    played = match_of("dudo", ["Ana", "Ben"], "1x2")
    arrival = IncomingMatch(
        "x", 0, played, [played.review_for_storage(each) for each in played.rounds], {}, {}
    )
    assert import_incoming(store, arrival, "look").match == 0
    assert store.matches() == []
    assert import_incoming(store, arrival, "beside").match == 1
    store.append(1, 1, [], summary={})
    assert import_incoming(store, arrival, "look").known
