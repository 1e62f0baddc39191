"""The exported tables, the selection of matches, and JSON that holds everything of a record."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tomli_w import dumps

from scorekeeper import load_ruleset
from scorekeeper.history.columns import TABLES
from scorekeeper.history.statistics import CatalogEntry
from scorekeeper.render.export import as_csv, match_data
from scorekeeper.store.record import RecordSource, read_record, record_text
from scorekeeper.store.rows import MatchDetails
from tests.helpers import SHIPPED, match_of, program
from tests.random_play import evening

if TYPE_CHECKING:
    from collections.abc import Iterable

RECORDS = Path(__file__).parent / "records"


def table(name: str, *matches: CatalogEntry) -> list[dict[str, str]]:
    return read("".join(as_csv(name, matches)))


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def of(rows: Iterable[dict[str, str]], columns: str, **where: str) -> list[list[str]]:
    """Return these columns of the rows whose other columns have the given values."""
    names = columns.split()
    return [
        [row[name] for name in names]
        for row in rows
        if all(row[name] == value for name, value in where.items())
    ]


def as_record(data: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a match from the JSON export."""
    keys = ("ruleset", "ruleset_sha256", "ruleset_text", "options", "started", "day", "place",
            "note", "language", "identifier")  # fmt: skip
    record = {key: data[key] for key in keys if data.get(key)}
    if "match_title" in data:
        record["title"] = data["match_title"]
    rounds = [
        {
            "entries": "".join(f"{entry['entry']}\n" for entry in row["entries"]),
            **({} if row["scores"] is None else {"scores": row["scores"]}),
        }
        for row in data["rounds"]
    ]
    return {"format": 3, "players": data["began_with"], **record, "rounds": rounds}


# --- what a row says


def test_a_round_in_which_sides_played_for_card_points() -> None:
    rows = table("scores-csv", CatalogEntry(read_record(RECORDS / "doppelkopf_G05.toml")))
    columns = "player side won contract value card_points calls side_calls specials"
    assert of(rows, columns) == [
        ["Ana", "kontra", "0", "normal", "7", "64", "", "", ""],
        ["Ben", "re", "1", "normal", "7", "176", "", "re keine90", "fox charlie"],
        ["Cleo", "kontra", "0", "normal", "7", "64", "", "", ""],
        ["Dan", "re", "1", "normal", "7", "176", "re keine90", "re keine90", "fox charlie"],
    ]
    assert {row["sides"] for row in rows} == {"re: Ben+Dan, kontra: Ana+Cleo"}


def test_who_sat_out_was_on_no_side_and_neither_won_nor_lost() -> None:
    rows = table("scores-csv", CatalogEntry(read_record(RECORDS / "doppelkopf_results.toml")))
    columns = "sat_out side won card_points contract change"
    assert of(rows, columns, round="2", player="Ana Maria") == [["1", "", "", "", "damensolo", "0"]]
    assert of(rows, columns, round="2", player="Eva") == [
        ["0", "re", "0", "119", "damensolo", "-6"]
    ]


def test_what_counts_several_times_stands_there_so_often() -> None:
    said = "result contract=normal re=Ana+Ben points=132 specials=re:fox+re:fox+kontra:charlie"
    match = match_of("doppelkopf", ["Ana", "Ben", "Cleo", "Dan"], said)
    rows = table("scores-csv", CatalogEntry(match))
    assert of(rows, "player specials") == [
        ["Ana", "fox fox"],
        ["Ben", "fox fox"],
        ["Cleo", "charlie"],
        ["Dan", "charlie"],
    ]


def test_sides_that_are_named_by_their_players_are_told_once() -> None:
    rows = table("scores-csv", CatalogEntry(read_record(RECORDS / "da_ban_deal.toml")))
    assert of(rows, "side sides trump level card_points", round="1", player="Ben") == [
        ["Ben+Dan", "Ana+Cleo, Ben+Dan", "H", "3", "185"]
    ]


def test_a_round_that_goes_on_has_no_score_and_is_not_over() -> None:
    rows = table("scores-csv", CatalogEntry(match_of("dudo", ["Ana", "Ben"], "2x3")))
    assert of(rows, "player over change tally won bid") == [
        ["Ana", "0", "", "", "", "2x3"],
        ["Ben", "0", "", "", "", "2x3"],
    ]


def test_who_came_and_who_left() -> None:
    entries = ("result loser=Ana", "quits Ana", "joins Eva after Ben", "result loser=Eva")
    match = match_of("durak", ["Ana", "Ben", "Cleo"], *entries)
    rows = table("matches-csv", CatalogEntry(match))
    assert of(rows, "player seat match_rounds rounds first_round last_round seated rank") == [
        ["Ana", "1", "2", "1", "1", "1", "0", ""],
        ["Ben", "2", "2", "2", "1", "2", "1", "1"],
        ["Cleo", "3", "2", "2", "1", "2", "1", "1"],
        ["Eva", "4", "2", "1", "2", "2", "1", "3"],
    ]


def test_a_match_without_an_entry_has_its_players() -> None:
    rows = table("matches-csv", CatalogEntry(match_of("dudo", ["Ana", "Ben"])))
    assert of(rows, "player match_rounds rank won tally points rounds first_round") == [
        ["Ana", "0", "", "", "5", "0", "0", ""],
        ["Ben", "0", "", "", "5", "0", "0", ""],
    ]


@pytest.mark.parametrize(
    ("started", "day"),
    [("2026-11-20", "2026-11-20"), ("2026-11-20T12:00:00Z", "2026-11-21"), ("long ago", "")],
)
def test_a_day_is_the_one_that_is_kept(started: str, day: str) -> None:
    listed = CatalogEntry(match_of("dudo", ["Ana", "Ben"], "2x3"), started=started, day=day)
    for name in TABLES:
        assert {(row["started"], row["date"]) for row in table(name, listed)} == {(started, day)}


def test_no_cell_is_a_formula_or_breaks_a_line() -> None:
    match = match_of("dudo", ["-1-1", "@b"], "2x3")
    for name in TABLES:
        text = "".join(as_csv(name, [CatalogEntry(match, "1", "=a\nb", "+x()\r", "\t=y", "n")]))
        rows = list(csv.reader(io.StringIO(text)))
        assert len({len(row) for row in rows}) == 1
        assert text.count("\n") == len(rows)
        assert not [cell for row in rows[1:] for cell in row if cell[:1] in set("=+-@\t\r")]


# --- of every game


@pytest.mark.parametrize("name", SHIPPED)
def test_of_every_game_a_match_comes_to_what_its_rounds_do(name: str) -> None:
    match = evening(name, 0, 100).match
    listed = CatalogEntry(match, "1", "2026-11-20")
    scores, matches = table("scores-csv", listed), table("matches-csv", listed)
    assert [row["player"] for row in matches] == match.players
    for row in matches:
        own = [each for each in scores if each["player"] == row["player"]]
        assert int(row["points"]) == sum(int(each["change"] or 0) for each in own)
        assert int(row["rounds_won"]) == sum(each["won"] == "1" for each in own)
        assert int(row["rounds_lost"]) == sum(each["won"] == "0" for each in own)
        assert int(row["rounds"]) <= int(row["match_rounds"])
        assert int(row["tally"]) == match.scores[row["player"]]
        assert [row["first_round"], row["last_round"]] == [own[0]["round"], own[-1]["round"]]
    for row in scores:
        assert (row["side"] == "") == (row["player"] not in row["sides"]), row


@pytest.mark.parametrize("name", SHIPPED)
def test_of_every_game_json_says_all_that_a_record_does(name: str, tmp_path: Path) -> None:
    played = evening(name, 0, 100).match
    said = ("2026-11-20T23:30:00Z", "club", "Friday", "late", "fr", "1-2", None, "2026-11-21")
    data = json.loads(json.dumps(match_data(CatalogEntry(played, "7", *said))))
    path = tmp_path / "record.toml"
    path.write_text(dumps(as_record(data), multiline_strings=True), "utf-8")
    read_again = RecordSource(path)
    about = MatchDetails(
        "2026-11-20T23:30:00Z", "club", "fr", "Friday", "late", "1-2", "2026-11-21"
    )._asdict()
    assert read_again.details == about
    assert record_text(read_again.play(), **about) == record_text(played, **about)


def test_json_says_what_was_set_of_the_rules_or_brings_them_along() -> None:
    players = ["Ana", "Ben"]
    options = {"tally.start": 3}
    told = match_data(CatalogEntry(match_of("dudo", players, **options), options=options))
    assert told["options"] == options
    assert "ruleset_text" not in told
    told = match_data(CatalogEntry(match_of("dudo", players, **options)))
    assert told["ruleset_text"] == load_ruleset("dudo", **options).text


# --- the command


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three matches: of different days, places, games and players."""
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    monkeypatch.chdir(tmp_path)
    for day, place, game, *players in (
        ("2026-10-02", "club", "dudo", "Ana", "Ben"),
        ("2026-11-20", "club", "durak", "Ana", "Cleo"),
        ("2026-11-21", "home", "dudo", "Ben", "Cleo"),
    ):
        assert program("new", game, *players, "--date", day, "--place", place).code == 0
        assert program("record", f"result loser={players[0]}").code == 0
    return path


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (["--all"], "1 2 3"),
        (["1", "3"], "1 3"),
        ([], "3"),
        (["--since", "2026-11"], "2 3"),
        (["--until", "2026-11-20"], "1 2"),
        (["--player", "ana"], "1 2"),
        (["--ruleset", "dud*", "--place", "club"], "1"),
        (["--all", "--player", "Cleo"], "2 3"),
    ],
)
@pytest.mark.usefixtures("book")
def test_matches_are_named_or_chosen(choice: list[str], found: str) -> None:
    lines = program("export", *choice, "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["match"] for line in lines] == found.split()
    rows = read(program("export", *choice, "--format", "matches-csv").out)
    assert sorted({row["match"] for row in rows}) == found.split()


@pytest.mark.usefixtures("book")
def test_json_lines_are_the_json() -> None:
    lines = program("export", "--all", "--format", "jsonl").out.splitlines()
    whole = program("export", "--all", "--format", "json").data
    assert [json.loads(line) for line in lines] == [
        {"format": whole["format"], **match} for match in whole["matches"]
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["1", "--player", "Ana"], "not by both"),
        (["1", "--all"], "not by both"),
        (["--player", "Nobody"], "no player in the book is called Nobody"),
        (["--since", "yesterday"], "not a day, month or year"),
        (["--since", "2026-05", "--until", "2026-01-03"], "2026-05 is after 2026-01-03"),
        (["--place", "moon"], "no match in the book was played at moon"),
        (["9"], "9"),
    ],
)
@pytest.mark.parametrize("format", ["toml", "json", "scores-csv"])
def test_what_cannot_be_chosen_writes_nothing(
    book: Path, arguments: list[str], said: str, format: str
) -> None:
    to = book.with_name("out")
    for target in ([], ["--to", str(to)]):
        answer = program("export", *arguments, "--format", format, *target)
        assert (answer.code, answer.out, said in answer.err) == (2, "", True), answer
    assert not to.exists()


def test_one_line_says_what_was_written(book: Path) -> None:
    folder = book.parent
    for format, file, said in (
        ("jsonl", "matches.jsonl", "3 matches in"),
        ("csv", "entries.csv", "3 matches, 3 rows in"),
        ("scores-csv", "scores.csv", "3 matches, 6 rows in"),
        ("matches-csv", "matches.csv", "3 matches, 6 rows in"),
    ):
        answer = program("export", "--all", "--format", format, "--to", str(folder))
        assert answer.err == f"{said} {folder / file}\n"
        assert answer.out == ""
        printed = program("export", "--all", "--format", format)
        assert (printed.out, printed.err) == ((folder / file).read_text("utf-8"), "")
    answer = program("export", "--all", "--to", str(folder / "records"))
    assert answer.err == f"3 matches in {folder / 'records'}\n"
    assert len([*(folder / "records").iterdir()]) == 3


def test_a_match_that_cannot_be_read_leaves_the_file_as_it_was(book: Path) -> None:
    to = book.with_name("scores.csv")
    to.write_text("before", "utf-8")
    with sqlite3.connect(book) as opened:
        opened.execute("UPDATE kept_rounds SET summary = '{}' WHERE match = 2")
    opened.close()
    answer = program("export", "--all", "--format", "csv", "--to", str(to))
    assert answer.code == 3
    assert to.read_text("utf-8") == "before"
    assert sorted(each.name for each in book.parent.iterdir() if "part" in each.name) == []


def test_names_are_told_where_no_entries_are(book: Path) -> None:
    assert program("players", "rename", "Ana", "Annina").code == 0
    for name, column, spelled in (
        ("csv", "entry", "result loser=Ana"),
        ("scores-csv", "player", "Annina"),
        ("matches-csv", "player", "Annina"),
    ):
        rows = read(program("export", "1", "--format", name).out)
        assert spelled in [row[column] for row in rows]


@pytest.mark.parametrize("name", TABLES)
def test_columns_need_no_quotes_in_sql(name: str) -> None:
    names = ", ".join(column.name for column in TABLES[name])
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE t ({names})")
    connection.execute(f"SELECT {names} FROM t")
    connection.close()


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_what_was_exported_comes_back_as_the_same_records(
    book: Path, tmp_path: Path, format: str
) -> None:
    assert program("describe", "--match", "1", "--title", "Friday", "--note", "=1").code == 0
    options = ("--set", "tally.start=3", "--language", "fr")
    assert program("new", "dudo", "Ana", "Ben", *options).code == 0
    assert program("record", "2x3", "Ben: 2x2 !stands", "Ana: dudo", "count 1", "2x2").code == 0
    assert program("import", str(RECORDS / "doppelkopf_dispute.toml")).code == 0
    data = tmp_path / f"data.{format}"
    assert program("export", "--all", "--format", format, "--to", str(data)).code == 0
    assert program("export", "--all", "--to", "before").code == 0
    other = ("--book", str(tmp_path / "other.sqlite"))
    assert program("import", str(data), *other).code == 0
    assert program("export", "--all", "--to", "after", *other).code == 0
    before, after = (
        [each.read_bytes() for each in sorted((tmp_path / name).iterdir())]
        for name in ("before", "after")
    )
    assert len(before) == 5
    assert before == after


@pytest.mark.usefixtures("book")
def test_a_player_is_chosen_by_any_name_they_had_whatever_its_case() -> None:
    everything = program("export", "--player", "Ana", "--format", "matches-csv").out
    assert program("players", "rename", "Ana", "Anabel").code == 0
    for name in ("Anabel", "ANABEL", "ana", "Ana"):
        answer = program("export", "--player", name, "--format", "matches-csv")
        assert (answer.code, answer.out.count("\n")) == (0, everything.count("\n")), name
        assert program("stats", "--player", name, "--tables", "players").code == 0


@pytest.mark.parametrize("option", ["--player", "--ruleset", "--place"])
def test_of_an_empty_book_it_is_said_how_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "none.sqlite"))
    answer = program("stats", option, "Ana")
    assert (answer.code, "scorekeeper new RULESET" in answer.err) == (2, True)


def test_places_are_the_same_in_json_and_in_the_table_of_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a player who sat there without playing has no place and takes none."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    names = ("Ana", "Ben", "Cleo", "Dan", "Eva")
    chosen = ("--set", "match.ends=false", "--set", "tally.zero_sum=false")
    assert program("new", "doppelkopf", *names, *chosen).code == 0
    assert program("record", "score Ben: -3 / Cleo: -1 / Dan: -2 / Ana: -2").code == 0
    (told,) = program("export", "--format", "json").data["matches"]
    rows = csv.DictReader(program("export", "--format", "matches-csv").out.splitlines())
    ranks = {row["player"]: int(row["rank"]) for row in rows if row["rank"]}
    assert told["places"] == ranks == {"Cleo": 1, "Dan": 2, "Ana": 2, "Ben": 4}
