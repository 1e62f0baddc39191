"""Score tables from other programs: how they are interpreted, and which are refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Damaged, Failure, Unreadable, load_ruleset
from scorekeeper.core import untrusted
from scorekeeper.history.statistics import CatalogEntry
from scorekeeper.render.export import as_csv
from scorekeeper.store.arrivals import IncomingMatch, RejectedFile
from scorekeeper.store.score_cells import detect_date_order, is_date
from scorekeeper.store.score_rows import FileScores
from scorekeeper.store.score_table import ScoreFileOptions, matches_of, read_table, split_evenings
from tests.helpers import SHIPPED, Answer, program
from tests.random_play import Evening, evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

# Every player for themselves, without a fixed sum.
ALONE = ("--set", "tally.zero_sum=false")
WIDE = "date,Ana,Ben,Cleo,Dan\n"


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "book.sqlite"


def written(text: str, encoding: str = "utf-8", name: str = "table.csv") -> str:
    Path(name).write_bytes(text.encode(encoding))
    return name


def taken(text: str, *options: str, ruleset: str = "doppelkopf") -> Answer:
    return program("import", "--table", written(text), "--ruleset", ruleset, *options)


def points(text: str, encoding: str = "utf-8", **how: Any) -> list[Mapping[str, int] | Failure]:
    return [row.points for row in read_table(written(text, encoding), ScoreFileOptions(**how)).rows]


def rounds(text: str, **how: Any) -> list[list[dict[str, int]]]:
    """Return the points of the rounds of each match."""
    table = read_table(written(text), ScoreFileOptions(**how))
    return [[each for _, each in evening.rounds] for evening in split_evenings(table)]


def entries(match: int = 1) -> list[list[str]]:
    (told,) = program("export", str(match), "--format", "json").data["matches"]
    return [[entry["entry"] for entry in row["entries"]] for row in told["rounds"]]


# --- the imported matches


def test_a_row_becomes_a_round_and_a_date_a_match() -> None:
    answer = taken(
        "Datum;Ana;Ben;Cleo;Dan;Summe\n"
        "20.11.2026;+3;\u22121;-1;-1;0\n;-2;-2;+2;2,0;0\n27.11.2026;1;1;-1;-1;0\nSumme;2;;;;\n"
    )
    assert (answer.code, answer.out) == (0, "2 evenings: 2 new matches (1 to 2)\n")
    assert (
        "date “Datum”; players Ana, Ben, Cleo, Dan; columns skipped: Summe; date format dmy"
        in answer.err
    )
    assert "1 row with sums was skipped: line 5, “Summe”" in answer.err
    assert entries(1) == [
        ["score Ana: +3 / Ben: -1 / Cleo: -1 / Dan: -1"],
        ["score Ana: -2 / Ben: -2 / Cleo: +2 / Dan: +2"],
    ]
    told = program("matches", "--format", "json").data
    assert [row["started"] for row in told] == ["2026-11-20", "2026-11-27"]
    assert told[0]["scores"] == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}
    assert "imported from table.csv" in program("export", "1").out


def test_a_row_a_player_makes_a_round_until_a_name_comes_again() -> None:
    long = "date,name,points\n2026-01-05,Ana,3\n2026-01-05,Ben,-3\n2026-01-05,Ben,1\n"
    assert rounds(long + "2026-01-05,Ana,-1\n2026-01-12,Ana+Ben,+2\n") == [
        [{"Ana": 3, "Ben": -3}, {"Ben": 1, "Ana": -1}],
        [{"Ana": 2, "Ben": 2}],
    ]
    said = "day,round,player,score\n2026-01-05,1,Ana,3\n2026-01-05,2,Ben,1\n2026-01-05,2,Ana,1\n"
    assert rounds(said) == [[{"Ana": 3}, {"Ben": 1, "Ana": 1}]]


SORTED = (
    "date;round;name;points\n2026-01-05;1;Ana;3\n2026-01-05;2;Ana;3\n2026-01-05;1;Ben;-3\n"
    "2026-01-05;2;Ben;3\n2026-01-05;1;Cleo;3\n2026-01-05;2;Cleo;-3\n2026-01-05;1;Dan;-3\n"
    "2026-01-05;2;Dan;-3\n"
)


@pytest.mark.parametrize("order", ["by player", "by round", "backwards"])
def test_rows_of_one_date_and_round_are_one_round_in_whatever_order_they_come(order: str) -> None:
    head, *rows = SORTED.splitlines(keepends=True)
    if order == "by round":
        rows.sort(key=lambda row: row.split(";")[1])
    text = "".join([head, *(reversed(rows) if order == "backwards" else rows)])
    assert taken(text).code == 0
    (match,) = program("matches", "--format", "json").data
    assert match["scores"] == {"Ana": 6, "Ben": 0, "Cleo": 0, "Dan": -6}
    first = {"Ana": 3, "Ben": -3, "Cleo": 3, "Dan": -3}
    second = {"Ana": 3, "Ben": 3, "Cleo": -3, "Dan": -3}
    assert rounds(text) == [[first, second]]
    # Running totals grow from round to round, whatever the order of the rows.
    assert rounds(text, running="match")[0][1]["Dan"] == 0


def test_a_round_may_be_numbered_in_words_and_comes_where_its_number_says() -> None:
    text = "round,name,points\nRunde 2,Ana,1\n01,Ana,2\n1,Ben,3\n2.,Ben,4\nRunde 10,Ana,5\n"
    assert rounds(text) == [[{"Ana": 2, "Ben": 3}, {"Ana": 1, "Ben": 4}, {"Ana": 5}]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # Without round numbers the rows of different players cannot be matched.
        (SORTED.replace(";1;", ";").replace(";2;", ";").replace("round;", ""),
         "lines 2, 3, 4, 5, 6, 7, 8, 9: these rows are sorted by player"),
        # Numbers that count the rows do not help either.
        ("date,nr,name,points\n2026-01-05,1,Ana,3\n,2,Ben,-1\n,3,Cleo,-1\n,4,Dan,-1\n",
         "lines 2, 3, 4, 5: these rows have different numbers"),
        (SORTED.replace(";2;Ben", ";1;Ben"),
         "line 5: “Ben” already has points in round 1, which begins in line 2"),
        (SORTED.replace(";2;Ben", ";;Ben"),
         "line 5: this row has no round number, but other rows of this match do"),
        (SORTED.replace(";2;Ben;3", ";2;Ben;5"),
         "lines 3, 5, 7, 9: under these rules the scores must add up to zero, "
         "but these add up to +2"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_round_is_refused_with_its_lines(text: str, said: str) -> None:
    answer = taken(text)
    assert (answer.code, said in answer.err, "try: " in answer.err) == (2, True, True)
    assert not program("matches", "--format", "json").data


def test_the_lines_of_a_long_table_that_cannot_be_rounds_are_told_in_part() -> None:
    rows = "".join(f"{name},{at}\n" for name in ("Ana", "Ben") for at in range(20))
    answer = taken(f"name,points\n{rows}", ruleset="durak")
    assert "lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …: these rows are sorted" in answer.err


def test_a_huge_number_of_a_round_and_a_round_of_thousands_are_answered_at_once() -> None:
    long = "9" * 20_000
    assert len(rounds(f"round,name,points\n{long},Ana,1\n{long},Ben,2\n1,Ana,3\n")[0]) == 2
    rows = "".join(f"1,P{at},0\n" for at in range(20_000))
    (refused,) = matches_of(
        "x",
        read_table(written(f"round,name,points\n{rows}"), ScoreFileOptions()),
        load_ruleset("durak"),
        {},
    )
    assert isinstance(refused, RejectedFile)


def test_who_won_may_stand_alone_in_a_numbered_round() -> None:
    text = "nr,name,points\n1,Ana+Ben,2\n2,Ana,3\n3,Cleo+Dan,1\n"
    assert taken(text).code == 0
    (row,) = program("matches", "--format", "json").data
    assert row["scores"] == {"Ana": 4, "Ben": 0, "Cleo": -2, "Dan": -2}


def test_title_and_place_part_matches_and_stay_with_them() -> None:
    text = "date,title,place,Ana,Ben\n2026-01-05,A,inn,1,2\n2026-01-05,B,inn,3,4\n"
    assert taken(text, ruleset="durak").code == 0
    told = program("matches", "--format", "json").data
    assert [(row["match_title"], row["place"]) for row in told] == [("A", "inn"), ("B", "inn")]


def test_merged_cells_of_title_and_place_are_those_of_the_row_above() -> None:
    text = (
        "Datum;Titel;Ort;Ana;Ben\n20.11.2025;Spielabend;Krug;1;2\n;;;3;4\n;Finale;;5;6\n"
        "27.11.2025;;;7;8\n"
    )
    rows = read_table(written(text), ScoreFileOptions()).rows
    assert [row.match[1:] for row in rows] == [
        *[("Spielabend", "Krug")] * 2,
        ("Finale", "Krug"),
        ("", ""),  # another day
    ]
    assert [len(each) for each in rounds(text)] == [2, 1, 1]


def test_a_title_that_alone_is_missing_is_refused_with_both_readings() -> None:
    text = "date,title,Ana,Ben\n2026-01-05,A,1,2\n2026-01-05,,3,4\n2026-01-12,,5,6\n"
    answer = taken(text, ruleset="durak")
    assert answer.out == "2 evenings: 1 new match (1), 1 refused\n"
    assert "line 3: this row could belong to “A” above, on the same day, or to" in answer.err
    assert taken(text, "--columns", "skip=title", ruleset="durak").code == 0


def test_a_table_without_dates_is_one_match() -> None:
    assert taken("Ana,Ben\n1,2\n3,4\n", "--date", "2026-01-05", ruleset="durak").code == 0
    (row,) = program("matches", "--format", "json").data
    assert (row["started"], row["scores"]) == ("2026-01-05", {"Ana": 4, "Ben": 6})


def test_without_headings_it_is_date_name_points() -> None:
    assert rounds("2026-01-05,Ana,3\n2026-01-05,Ben,4\n") == [[{"Ana": 3, "Ben": 4}]]
    with pytest.raises(Unreadable, match="no headings"):
        rounds("2026-01-05,Ana,3,4\n")


def test_columns_are_said_by_heading_or_number() -> None:
    text = "Wann,Wer,Wieviel,Summe\n2026-01-05,Ana,3,x\n2026-01-05,Ben,4,y\n"
    for said in ("date=Wann,name=Wer,points=wieviel", "date=1,name=2,points=3"):
        answer = taken(text, "--columns", said, "--dry-run", ruleset="durak")
        assert "2026-01-05, Durak: 1 round; Ana 3, Ben 4; new" in answer.out
    wide = "date,Ana,Ben,Bemerkung\n2026-01-05,3,4,spät\n"
    for said in ("skip=Bemerkung", "players=Ana+Ben"):
        assert taken(wide, "--columns", said, "--dry-run", ruleset="durak").code == 0


def test_running_totals_begin_anew_or_go_on() -> None:
    text = "date,Ana,Ben\n2026-01-05,1,0\n2026-01-05,3,1\n2026-01-12,4,1\n"
    first = [{"Ana": 1, "Ben": 0}, {"Ana": 2, "Ben": 1}]
    assert rounds(text, running="match") == [first, [{"Ana": 4, "Ben": 1}]]
    assert rounds(text, running="table") == [first, [{"Ana": 1, "Ben": 0}]]


def test_what_rests_on_a_row_that_cannot_be_read_is_refused() -> None:
    text = (
        "Datum;Ana;Ben;Cleo;Dan\n20.11.2025;3;-1;-1;-1\n20.11.2025;1;x;1;-3\n"
        "27.11.2025;4;4;-2;-6\n04.12.2025;5;5;-3;-7\n"
    )
    answer = taken(text, "--running", "table")
    assert answer.out == "3 evenings: 1 new match (1), 2 refused\n"
    assert "line 4: the points depend on the totals in line 3" in answer.err
    assert program("matches", "--format", "json").data[0]["started"] == "2025-12-04"
    # A player without points in one row still has a running total, so the next row depends on it.
    text = "date,Ana,Ben\n2026-01-05,1,x\n2026-01-12,2,\n2026-01-19,3,1\n2026-01-26,4,2\n"
    refused = points(text, running="table")
    assert [isinstance(each, Failure) for each in refused] == [True, True, True, False]
    # A match whose totals begin at 0 does not depend on an earlier one.
    assert not isinstance(points(text, running="match")[1], Failure)


def test_totals_grow_in_the_order_of_the_rows() -> None:
    text = (
        "Datum;Titel;Ana;Ben;Cleo;Dan\n20.11.2025;A;3;-1;-1;-1\n20.11.2025;B;1;1;1;-3\n"
        "20.11.2025;A;2;2;0;-4\n"
    )
    assert rounds(text, running="table") == [
        [{"Ana": 3, "Ben": -1, "Cleo": -1, "Dan": -1}, {"Ana": 1, "Ben": 1, "Cleo": -1, "Dan": -1}],
        [{"Ana": -2, "Ben": 2, "Cleo": 2, "Dan": -2}],
    ]


def test_a_row_whose_day_cannot_be_read_may_belong_to_the_matches_on_both_sides() -> None:
    text = WIDE + "2026-01-05,3,-1,-1,-1\n2026-13-12,1,1,-1,-1\n,1,1,-1,-1\n"
    answer = taken(text + "2026-01-12,1,1,-1,-1\n2026-01-19,1,1,-1,-1\n")
    assert answer.out == "3 evenings: 1 new match (1), 2 refused\n"
    assert "line 4: this row has no date of its own, and the date in line 3 above" in answer.err
    assert "line 5: line 4 above could belong to this day too" in answer.err
    assert taken(text, "--running", "match").code == 2


def test_who_has_no_points_sits_out_or_was_not_there() -> None:
    assert taken("date,Ana,Ben,Cleo,Dan,Eva\n2026-01-05,3,-1,-1,-1,\n,3,-1,-,-1,-1\n").code == 0
    assert entries() == [
        ["score Ana: +3 / Ben: -1 / Cleo: -1 / Dan: -1"],
        ["dealer Cleo", "score Ana: +3 / Ben: -1 / Dan: -1 / Eva: -1"],
    ]
    assert taken("date,Ana,Ben,Cleo\n2026-01-05,1,,0\n,,1,0\n", ruleset="durak").code == 0
    (told,) = program("export", "2", "--format", "json").data["matches"]
    assert [row["scores"] for row in told["rounds"]] == [
        {"Ana": 1, "Cleo": 0},
        {"Ben": 1, "Cleo": 0},
    ]
    assert told["scores"] == {"Ana": 1, "Ben": 1, "Cleo": 0}


def test_the_others_pay_where_scores_sum_to_zero() -> None:
    text = "date,name,points\n2026-01-05,Ana+Ben,2\n2026-01-05,Cleo+Dan,-2\n2026-01-05,Ana+Cleo,1\n"
    assert taken(text).code == 0
    (row,) = program("matches", "--format", "json").data
    assert row["scores"] == {"Ana": 3, "Ben": 1, "Cleo": -1, "Dan": -3}


def test_who_paid_is_refused_where_it_may_be_several() -> None:
    text = "Datum;Ana;Ben;Cleo;Dan;Eva\n20.11.2025;1;1;;;\n20.11.2025;;;;2;2\n"
    answer = taken(text)
    assert answer.out == ""
    assert (
        "line 2: it is unclear who paid for the +1 of Ana and Ben: Cleo and Dan, or Cleo and Eva"
        "\n  try: enter the points of each of them in the row" in answer.err
    )
    # If four of the columns play, the points of the others follow.
    four = "Datum;Ana;Ben;Cleo;Dan\n20.11.2025;1;1;;\n20.11.2025;;;2;2\n"
    assert "Ana -1, Ben -1, Cleo 1, Dan 1" in taken(four, "--dry-run").out
    # A player without an entry that evening may have played all the same.
    text = "date,Ana,Ben,Cleo,Dan,Eva\n2026-01-05,3,-1,-1,-1,\n2026-01-05,1,1,,,\n"
    assert "who paid for the +1 of Ana and Ben" in taken(text).err
    assert taken(text.replace("1,1,,,", "1,1,-1,-1,")).code == 0


FIVE = "Datum;Ana;Ben;Cleo;Dan;Eva\n"


def test_a_zero_of_who_must_sit_out_is_read_as_no_points() -> None:
    # Only Eva can have sat out. The deal then moves on to Ana, then to Ben.
    rows = "20.11.2025;3;-1;-1;-1;0\n;0;1;1;-1;-1\n;0;0;0;0;0\n"
    assert taken(FIVE + rows).code == 0
    assert entries() == [
        ["score Ana: +3 / Ben: -1 / Cleo: -1 / Dan: -1"],
        ["score Ben: +1 / Cleo: +1 / Dan: -1 / Eva: -1"],
        ["score Ana+Cleo+Dan+Eva: +0"],
    ]
    assert (
        taken("date,Ana,Ben,Cleo,Dan\n2026-01-05,,48,0,0\n,0,0,0,-36\n", ruleset="skat").code == 0
    )
    assert entries(2) == [
        ["dealer Ana", "score Ben: +48 / Cleo: +0 / Dan: +0"],
        ["score Ana: +0 / Cleo: +0 / Dan: -36"],
    ]


def test_a_row_that_says_not_who_sat_out_is_refused_with_what_helps() -> None:
    answer = taken("date,Ana,Ben,Cleo,Dan\n2026-01-05,0,48,0,0\n", ruleset="skat")
    assert "it is unclear who sat out: Ana, or Cleo" in answer.err
    assert "try: leave the cells of players who sat out empty" in answer.err
    answer = taken(FIVE + "20.11.2025;4;-1;-1;-1;-1\n")
    assert (
        "all 5 players at the table have points, but only 4 of them play in a round" in answer.err
    )


def test_who_leaves_and_who_sits_out_in_one_row() -> None:
    six = "date,Ana,Ben,Cleo,Dan,Eva,Fay\n"
    rows = "2026-01-05,3,-1,-1,-1,,\n,,,3,-1,-1,-1\n,3,0,-1,-1,-1,\n"
    assert taken(six + rows).code == 0
    assert entries()[2] == [
        *("joins Ana after Fay", "joins Ben after Ana", "quits Fay", "dealer Ben"),
        "score Ana: +3 / Cleo: -1 / Dan: -1 / Eva: -1",
    ]


def test_the_same_table_again_adds_only_what_is_new() -> None:
    text = WIDE + "2026-01-05,3,-1,-1,-1\n"
    assert "is now match 1" in taken(text).out
    more = written(text + "2026-01-12,3,-1,-1,-1\n", name="other.csv")
    answer = program("import", "--table", more, "--ruleset", "doppelkopf")
    assert answer.out == "2 evenings: 1 new match (2), 1 already in the book\n"


def test_a_dry_run_makes_no_book(book: Path) -> None:
    answer = taken(WIDE + "2026-01-05,3,-1,-1,-1\n", "--dry-run", "--format", "json")
    (row,) = answer.data
    assert (row["match"], row["line"], row["rounds"]) == (None, 2, 1)
    assert row["scores"] == {"Ana": 3, "Ben": -1, "Cleo": -1, "Dan": -1}
    assert not book.exists()


# --- scores as the program exports them


@pytest.mark.parametrize("name", SHIPPED)
def test_exported_scores_come_back(name: str) -> None:
    match = evening(name, 1).match
    text = "".join(as_csv("scores-csv", [CatalogEntry(match)]))
    if not any(row.over and row.scores for row in match.rounds):
        return
    table = read_table(written(text), ScoreFileOptions())
    (back,) = matches_of("table.csv", table, match.ruleset, {})
    assert isinstance(back, IncomingMatch)
    over = [row for row in match.rounds if row.over and row.void_reason is None]
    assert [row.scores for row in back.match.rounds] == [row.scores for row in over]


def test_scores_of_several_matches_and_rulesets_come_back_with_what_stands() -> None:
    assert program("new", "skat", "Ana", "Ben", "Cleo", "Dan", "--date", "2026-01-05").code == 0
    for text in ("score Ben: 48", "void misdealt", "score Cleo: -36"):
        assert program("record", text).code == 0
    for count in ("count 2", "count 1"):  # the same players on the same day
        assert program("new", "dudo", "Ana", "Ben", "--date", "2026-01-06T20:15").code == 0
        assert program("record", "standing Ana: 3", "Ana: 2x3", "dudo", count).code == 0
    assert program("record", "3x3").code == 0  # an unfinished round has no score
    assert program("export", "--all", "--format", "scores-csv", "--to", "own.csv").code == 0
    wanted = [row["scores"] for row in program("matches", "--format", "json").data]
    there = ("--book", "other.sqlite")
    answer = program("import", "--table", "own.csv", *there)
    assert (answer.code, answer.out.splitlines()[-1]) == (0, "3 evenings: 3 new matches (1 to 3)")
    assert "own.csv: scores exported by this program\n" in answer.err
    assert "4 rows of void rounds were skipped: lines 6" in answer.err
    told = program("matches", "--format", "json", *there).data
    assert [row["scores"] for row in told] == wanted
    begun = ["2026-01-05", "2026-01-06T20:15", "2026-01-06T20:15"]
    assert [row["started"] for row in told] == begun
    # Values that were set by hand are in no round's score and are reported separately.
    text = program("export", "2", *there).out
    assert "penalty Ana: -2 set by hand, as the table has it\nscore Ana: +0 / Ben: -1\n" in text
    assert (
        program("import", "--table", "own.csv", *there).out == "3 evenings: 3 already in the book\n"
    )


def test_an_exported_round_may_be_taken_for_a_whole_evening_of_those_who_played_it() -> None:
    names = ("Ana", "Ben", "Cleo", "Dan")
    assert program("new", "skat", *names, "--date", "2026-01-05", "--place", "=inn").code == 0
    assert program("record", "score Ben: 48").code == 0
    text = program("export", "--format", "scores-csv").out
    there = ("--book", "other.sqlite", "--row", "evening")
    assert program("import", "--table", written(text), *there).code == 0
    (row,) = program("matches", "--format", "json", *there[:2]).data
    assert (row["scores"], row["place"]) == ({"Ana": 0, "Ben": 48, "Cleo": 0}, "=inn")


def test_of_exported_scores_only_those_of_a_ruleset_that_is_said_are_taken() -> None:
    for ruleset, *names in (("skat", "Ana", "Ben", "Cleo"), ("dudo", "Ana", "Ben")):
        assert program("new", ruleset, *names).code == 0
        assert (
            program("record", "score Ana: 18" if ruleset == "skat" else "score Ana: -1").code == 0
        )
    assert program("export", "--all", "--format", "scores-csv", "--to", "own.csv").code == 0
    there = ("--book", "other.sqlite")
    answer = program("import", "--table", "own.csv", "--ruleset", "dudo", *there)
    assert (answer.code, answer.out) == (2, "2 evenings: 1 new match (1), 1 refused\n")
    assert (
        "own.csv, line 2: the table names a different ruleset: skat\n  try: leave out --ruleset"
        in answer.err
    )
    (row,) = program("matches", "--format", "json", *there).data
    assert row["ruleset"] == "dudo"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nosuch", 'there is no ruleset "nosuch"'),
        ("../mine.toml", "“../mine.toml” is not a valid ruleset name"),
    ],
)
def test_a_table_names_its_rulesets_and_no_files(name: str, said: str) -> None:
    """Refuse paths to ruleset files, because the table may come from a stranger."""
    assert program("new", "dudo", "Ana", "Ben").code == 0
    assert program("record", "score Ana: -1").code == 0
    text = program("export", "--format", "scores-csv").out.replace(",dudo,", f",{name},")
    Path("../mine.toml").write_text('extends = "dudo"\nname = "mine"\n', "utf-8")
    answer = program("import", "--table", written(text))
    assert (answer.code, f"table.csv, line 2: {said}" in answer.err) == (2, True)


def test_of_matches_that_look_like_others_file_line_and_number_are_told() -> None:
    text = WIDE + "2026-01-05,3,-1,-1,-1\n2026-01-06,1,1,-1,-1\n"
    assert taken(text).code == 0
    again = text.replace("date", "place,date").replace("\n2026", "\ninn,2026")
    looked = taken(again, "--dry-run")
    assert "\ntable.csv, line 3: the match is like match 2, except for: place\n" in looked.err
    answer = taken(again)
    assert (
        "\ntable.csv, line 2, match 3: the match is like match 1, except for: place\n" in answer.err
    )
    looked = taken(text.replace("3,-1,-1,-1", "-3,1,1,1"), "--dry-run")
    assert (
        "\ntable.csv, line 2: to correct match 1 with this record: import --replace\n" in looked.err
    )


# --- whole evenings

EVENINGS = FIVE + "20.11.2025;12;-4;-8;4;-4\n27.11.2025;3;-5;0;4;-2\n04.12.2025;6;-6;2;-2;\n"


def test_a_row_is_a_whole_evening_of_all_who_were_there() -> None:
    answer = taken(EVENINGS, "--row", "evening", "--dry-run")
    assert "2025-11-20, Doppelkopf: a whole evening; Ana 12, Ben -4, Cleo -8" in answer.out
    told = taken(EVENINGS, "--row", "evening", "--dry-run", "--format", "json").data
    assert [row["rounds"] for row in told] == [0, 0, 0]
    assert taken(EVENINGS, "--row", "evening").out == "3 evenings: 3 new matches (1 to 3)\n"
    why = "sum of the evening, no penalty"
    assert entries(2) == [
        [f"penalty {who} {why}" for who in ("Ana: 3", "Ben: -5", "Dan: 4", "Eva: -2")] + ["end"]
    ]
    assert "its totals alone are known" in program("export", "1").out
    (told,) = program("stats", "--format", "json").data
    assert {row["name"]: (row["played"], row["rounds"], row["points"], row["places"])
            for row in told["players"]} == {
        "Ana": (3, 0, 21, {"1": 2, "2": 1}), "Ben": (3, 0, -15, {"3": 1, "4": 1, "5": 1}),
        "Cleo": (3, 0, -6, {"2": 1, "3": 1, "5": 1}), "Dan": (3, 0, 6, {"1": 1, "2": 1, "3": 1}),
        "Eva": (2, 0, -6, {"3": 1, "4": 1}),
    }  # fmt: skip
    league = program("league", "--format", "json").data["table"]
    assert [(row["name"], row["points"]) for row in league][:2] == [("Ana", 21), ("Dan", 6)]
    assert "Ana 12, Ben -4, Cleo -8, Dan 4, Eva -4" in program("score", "--match", "1").out
    assert taken(EVENINGS, "--row", "evening").out == "3 evenings: 3 already in the book\n"


@pytest.mark.parametrize(
    ("ruleset", "names", "row", "scores"),
    [
        ("skat", "Ana,Ben,Cleo,Dan", "96,-40,0,23", {"Ana": 96, "Ben": -40, "Cleo": 0, "Dan": 23}),
        ("hearts", "Ana,Ben,Cleo,Dan", "104,3,20,55",
         {"Ana": 104, "Ben": 3, "Cleo": 20, "Dan": 55}),
        ("belote", "Ana,Ben,Cleo,Dan", "1010,800,1010,800",
         {"Ana": 1010, "Ben": 800, "Cleo": 1010, "Dan": 800}),
        ("dudo", "Ana,Ben,Cleo", "-5,0,-5", {"Ana": 0, "Ben": 5, "Cleo": 0}),
        ("durak", "Ana,Ben,Cleo", "0,0,0", {"Ana": 0, "Ben": 0, "Cleo": 0}),
        ("doppelkopf", "Ana,Ben,Cleo,Dan,Eva,Fay,Gus", "1,2,3,-3,-2,-1,0",
         {"Ana": 1, "Ben": 2, "Cleo": 3, "Dan": -3, "Eva": -2, "Fay": -1, "Gus": 0}),
    ],
)  # fmt: skip
def test_a_whole_evening_of_any_game_ends_with_its_totals(
    ruleset: str, names: str, row: str, scores: dict[str, int]
) -> None:
    answer = taken(f"date,{names}\n2026-01-05,{row}\n", "--row", "evening", ruleset=ruleset)
    assert answer.code == 0
    (match,) = program("matches", "--format", "json").data
    assert (match["scores"], match["over"]) == (scores, True)
    league = program("league", "--by", "places", "--format", "json").data["table"]
    assert len(league) == len(scores)


@pytest.mark.parametrize(
    ("ruleset", "text", "said", "settings"),
    [
        ("doppelkopf", f"{WIDE}2026-01-05,1,1,1,1\n", "the scores must add up to zero", ()),
        ("doppelkopf", "date,Ana,Ben,Cleo\n2026-01-05,1,0,-1\n",
         "add a row for each table", ()),
        ("belote", f"{WIDE}2026-01-05,1,1,2,1\n", "Ana and Cleo are one side", ()),
        ("dudo", "date,Ana,Ben\n2026-01-05,3,-1\n", "Ana would have 8", ()),
        ("spades", f"{WIDE}2026-01-05,510,505,510,505\n", "if the players went on",
         ("match.ends=false",)),
        ("doppelkopf", FIVE + "20.11.2025;12;-4;-8;4;-4\n", "", ("match.ends=tally.most >= 9",)),
    ],
)  # fmt: skip
def test_a_whole_evening_that_the_rules_have_no_room_for_is_refused(
    ruleset: str, text: str, said: str, settings: tuple[str, ...]
) -> None:
    answer = taken(text, "--row", "evening", ruleset=ruleset)
    assert (answer.code, said in answer.err) == (2 if said else 0, True)
    assert said == "" or "try: " in answer.err
    for setting in settings:
        code = taken(text, "--row", "evening", "--set", setting, ruleset=ruleset).code
        assert code == (0 if said else 2)


def test_two_rows_of_a_day_are_no_two_evenings_unless_a_title_says_so() -> None:
    text = "date,title,Ana,Ben\n2026-01-05,,1,0\n,,0,2\n"
    answer = taken(text, "--row", "evening", ruleset="durak")
    assert "line 3: this row could be another evening on the same day as line 2" in answer.err
    apart = text.replace("2026-01-05,", "2026-01-05,A").replace("\n,,", "\n,B,")
    assert taken(apart, "--row", "evening", ruleset="durak").code == 0


def test_a_row_a_player_may_be_a_whole_evening_too() -> None:
    text = "date,name,points\n2026-01-05,Ana,3\n2026-01-05,Ben,4\n2026-01-12,Ana,1\n"
    answer = taken(text + "2026-01-12,Ben,0\n", "--row", "evening", ruleset="durak")
    assert answer.out == "2 evenings: 2 new matches (1 to 2)\n"


def test_it_is_told_that_a_row_a_day_may_be_a_whole_evening() -> None:
    rows = "2026-01-05,3,-1,-1,-1\n2026-01-12,3,-1,-1,-1\n"
    asked = "which was read as a round; if each row is a whole evening, use --row evening"
    assert asked in taken(WIDE + rows, "--dry-run").err
    assert asked not in taken(WIDE + rows, "--dry-run", "--row", "round").err
    assert asked not in taken(WIDE + rows + ",1,1,-1,-1\n", "--dry-run").err


# --- rows that are not rounds

SUM_ROWS = (
    *(
        "Endstand",
        "Gesamtpunkte",
        "Gesamtsumme",
        "Stand",
        "Ergebnis",
        "Σ",
        "Summe gesamt",
        "Total:",
    ),
    *("Total général", "Zwischensumme", "Saldo", "Durchschnitt", "Platz", "Sous-total", "Ø", "sum"),
    *("Stand nach Runde 2", "Summe 20.11.2025", "Grand total", "moyenne", "RANG"),
)


@pytest.mark.parametrize("label", SUM_ROWS)
@pytest.mark.parametrize("heading", ["Datum", "Nr.", "", "Titel"])
def test_a_row_that_is_called_a_sum_is_left_out_and_told(label: str, heading: str) -> None:
    first = {"Datum": "20.11.2025", "Nr.": "1", "": "Runde 1", "Titel": "A"}[heading]
    text = f"{heading};Ana;Ben;Cleo;Dan\n{first};3;-1;-1;-1\n{first};1;1;-1;-1\n"
    answer = taken(f"{text}{label};4;1;-2;-2\n", "--dry-run")
    assert "2 rounds; Ana 4, Ben 0, Cleo -2, Dan -2" in answer.out
    assert f"1 row with sums was skipped: line 4, “{label}”" in answer.err


def test_a_row_of_a_player_called_total_is_left_out() -> None:
    text = "date,name,points\n2026-01-05,Ana,3\n2026-01-05,Platz,-3\n2026-01-05,Gesamt,0\n"
    assert rounds(text) == [[{"Ana": 3, "Platz": -3}]]


def test_a_match_that_is_called_as_a_sum_is_refused_with_both_readings() -> None:
    text = "date,title,Ana,Ben\n2026-01-05,A,1,0\n2026-01-12,Endstand,1,0\n"
    answer = taken(text, ruleset="durak")
    assert "line 3: this row could be a sum, or “End" in answer.err
    assert taken(text, "--columns", "skip=title", ruleset="durak").code == 0


DATED = "20.11.2025;3;-1;-1;-1\n20.11.2025;1;1;-1;-1\n27.11.2025;1;1;-1;-1\n27.11.2025;2;-2;2;-2\n"


def test_a_row_without_date_that_comes_to_those_above_it_is_left_out_and_told() -> None:
    answer = taken("Datum;Ana;Ben;Cleo;Dan\n" + DATED + ";7;-1;-1;-5\n", "--dry-run")
    assert answer.code == 0
    assert answer.out.count("2 rounds") == 2
    assert "1 row was skipped because it is the sum of the rows above it: line 6" in answer.err
    # Sums at the end of each evening, too.
    first, second = DATED[: DATED.index("27")], DATED[DATED.index("27") :]
    text = f"Datum;Ana;Ben;Cleo;Dan\n{first};4;0;-2;-2\n{second};3;-1;1;-3\n;7;-1;-1;-5\n"
    answer = taken(text, "--dry-run")
    assert answer.out.count("2 rounds") == 2
    assert (
        "3 rows were skipped because each is the sum of the rows above it: lines 4, 7, 8"
        in answer.err
    )


def test_a_row_without_number_that_comes_to_those_above_it_is_left_out() -> None:
    # the third row is numbered, so it is a round
    text = "Nr;Ana;Ben\n1;3;-3\n2;1;-1\n3;4;-4\n;8;-8\n"
    assert points(text) == [{"Ana": 3, "Ben": -3}, {"Ana": 1, "Ben": -1}, {"Ana": 4, "Ben": -4}]


@pytest.mark.parametrize(
    "rows",
    [
        "20.11.2025;1;1;-1;-1\n;2;2;-2;-2\n;3;3;-3;-3\n",  # merged cells
        "20.11.2025;1;1;-1;-1\n20.11.2025;2;2;-2;-2\n20.11.2025;3;3;-3;-3\n",
        "20.11.2025;1;1;-1;-1\n27.11.2025;2;2;-2;-2\n04.12.2025;3;3;-3;-3\n",
        "20.11.2025;1;x;-1;-1\n27.11.2025;2;2;-2;-2\n;4;4;-4;-4\n",
    ],
)
def test_a_last_row_that_may_be_a_sum_or_a_round_is_refused(rows: str) -> None:
    answer = taken("Datum;Ana;Ben;Cleo;Dan\n" + rows)
    assert answer.code == 2
    assert "line 4: this row could be a round, or the sum of the rows above it" in answer.err
    assert "if it is a round, give its number in a column called Nr" in answer.err
    numbered = "".join(f"{row};{at}\n" for at, row in enumerate(rows.splitlines(), 1))
    assert "or the sum" not in taken("Datum;Ana;Ben;Cleo;Dan;Nr\n" + numbered, "--replace").err


def test_the_only_row_of_a_match_with_its_sum_is_refused_beside_other_sums() -> None:
    text = "Datum;Ana;Ben;Cleo;Dan\n" + DATED + ";7;-1;-1;-5\n04.12.2025;1;1;-1;-1\n;1;1;-1;-1\n"
    answer = taken(text)
    assert answer.out == "3 evenings: 2 new matches (1 to 2), 1 refused\n"
    assert "line 8: this row could be a round, or the sum" in answer.err


@pytest.mark.parametrize(
    "rows",
    [
        # a sum that is not in the last row
        "20.11.2025;1;1;-1;-1\n;2;2;-2;-2\n;3;3;-3;-3\n;1;1;-1;-1\n",
        "20.11.2025;1;1;-1;-1\n;1;1;-1;-1\n",  # a sum of one row is not taken for a sum
        "20.11.2025;1;1;-1;-1\n;-1;-1;1;1\n;0;0;0;0\n",
    ],
)
def test_rounds_that_come_to_others_are_rounds(rows: str) -> None:
    assert len(points("Datum;Ana;Ben;Cleo;Dan\n" + rows)) == rows.count("\n")


def test_a_row_that_says_running_totals_once_more_is_no_round() -> None:
    rows = "20.11.2025;1;3;-3\n20.11.2025;2;4;-4\n"
    assert len(points(f"Datum;Nr;Ana;Ben\n{rows};;4;-4\n", running="match")) == 2
    merged = "Datum;Ana;Ben\n20.11.2025;3;-3\n;4;-4\n;4;-4\n"
    assert isinstance(points(merged, running="match")[2], Failure)
    numbered = "Datum;Nr;Ana;Ben\n20.11.2025;1;3;-3\n;2;4;-4\n;3;4;-4\n"
    assert points(numbered, running="match")[2] == {"Ana": 0, "Ben": 0}


def test_sums_of_players_stand_below_a_row_a_player() -> None:
    long = "date,name,points\n2026-01-05,Ana,3\n2026-01-05,Ben,-3\n2026-01-12,Ana,1\n"
    text = long + "2026-01-12,Ben,-1\n,Ana,4\n,Ben,-4\n"
    assert rounds(text) == [[{"Ana": 3, "Ben": -3}], [{"Ana": 1, "Ben": -1}]]


def test_rows_without_points_are_told() -> None:
    answer = taken(WIDE + "2026-01-05,3,-1,-1,-1\n2026-01-12,,-,,\n", "--dry-run")
    assert "1 row without points was skipped: line 3" in answer.err


@pytest.mark.parametrize(
    "headings", ["Nr.;Ana;Ben", "Lfd. Nr.;Ana;Ben", "Spiel-Nr;Ana;Ben", "N°;Ana;Ben", "#;Ana;Ben",
                 "№;Ana;Ben", "Runde;Ana;Ben;Σ", "Round:;Ana;Ben;Gesamtpunkte;Platz"],
)  # fmt: skip
def test_headings_are_known_whatever_stands_around_them(headings: str) -> None:
    assert points(f"{headings}\n1;3;-3\n") == [{"Ana": 3, "Ben": -3}]


def test_days_below_no_heading_are_dates() -> None:
    text = ";Ana;Ben\n20.11.2025;1;2\n27.11.2025;3;4\nSumme;4;6\n"
    answer = taken(text, "--dry-run", ruleset="durak")
    assert "date “1”; players Ana, Ben; date format dmy" in answer.err
    assert answer.out.endswith("2 evenings: 2 new matches\n")
    assert len(rounds(text.replace("27.11.2025", "x"))) == 1  # a single round for one name


def test_a_round_without_a_number_is_refused() -> None:
    text = "date,round,Ana,Ben\n2026-01-05,Runde 1,1,2\n2026-01-05,Solo,3,4\n"
    first, second = points(text)
    assert first == {"Ana": 1, "Ben": 2}
    assert isinstance(second, Unreadable)
    assert second.message == "“Solo” is not a round number"
    assert len(points(text, columns={"skip": "round"})[1]) == 2  # type: ignore[arg-type]


# --- columns of texts


def test_a_column_of_texts_is_no_player_and_told() -> None:
    text = (
        "Datum;Ana;Ben;Cleo;Dan;Kommentar;Spiel;Summe\n20.11.2026;2;-2;2;-2;spät, 90;Solo;0\n"
        ";-1;-1;-1;3;;Hochzeit;0\nSumme;1;-3;1;1;0;;\n"
    )
    answer = taken(text)
    assert (answer.code, answer.out) == (0, "table.csv, line 2 is now match 1\n")
    assert (
        "players Ana, Ben, Cleo, Dan; columns skipped: Kommentar, Spiel, Summe; date format dmy"
        in answer.err
    )
    assert (
        "  “Kommentar”, “Spiel” contain text, so they were not read as players' points"
        in answer.err
    )
    # An explicit `--columns` is obeyed. Numbers among texts are refused, and both readings are
    # listed.
    said = taken(text, "--columns", "players=Ana+Ben+Cleo+Kommentar")
    assert "“spät, 90” for Kommentar is not a whole number" in said.err
    mixed = text.replace("spät, 90", "3")
    assert rounds(mixed)[0][0]["Kommentar"] == 3
    first = {"Ana": 2, "Ben": -2, "Cleo": 2, "Dan": -2}
    assert rounds(mixed, columns={"skip": "Kommentar"})[0][0] == first


CLUB = "Ana,Ben,Cleo,Dan\n2,-2,2,-2,HZ\n-1,-1,-1,3,Solo 5\n1,1,-1,-1\n"


def test_texts_under_no_heading_are_left_out_and_told() -> None:
    answer = taken(CLUB)
    assert (answer.code, answer.out) == (0, "table.csv, line 2 is now match 1\n")
    assert "players Ana, Ben, Cleo, Dan; columns skipped: 5" in answer.err
    assert "  column 5 contains text, so it was not read as a player's points" in answer.err
    assert program("matches", "--format", "json").data[0]["scores"] == {
        "Ana": 2, "Ben": -2, "Cleo": 0, "Dan": 0,
    }  # fmt: skip
    # A number in that column may be a cell too many, so the user must confirm that it is not.
    wrong = CLUB.replace("HZ", "7")
    refused = taken(wrong)
    assert "line 2: this row has 5 cells, but the table has only 4 columns" in refused.err
    assert "skip its column: --columns skip=5" in refused.err
    assert len(points(wrong, columns={"skip": "5"})) == 3


@pytest.mark.parametrize("cell", ["3.5", "1e3", "=1+1", "1.000"])
def test_numbers_that_are_none_of_points_make_no_column_of_texts(cell: str) -> None:
    text = f"date,Ana,Ben,Cleo\n2026-01-05,1,2,{cell}\n"
    assert "for Cleo is not a whole number" in taken(text, ruleset="durak").err


MARKDOWN = r"""# An evening

| Datum      | **Ana** | Ben | Cleo | Dan | Note       |
|:-----------|--------:|:---:|------|-----|------------|
| 20.11.2026 |      +3 |  -1 |   -1 |**-1**| solo \| re |
|            |       1 |   1 |   -1 |  -1 |            |
| **Summe**  |   **4** |   0 |   -2 |  -2 |            |

That was it.
"""


def test_a_table_in_markdown_is_read() -> None:
    answer = taken(MARKDOWN)
    assert (answer.code, answer.out) == (0, "table.csv, line 5 is now match 1\n")
    assert "2 lines around the table were skipped: lines 1, 9" in answer.err
    assert "1 row with sums was skipped: line 7, “Summe”" in answer.err
    assert program("matches", "--format", "json").data[0]["scores"] == {
        "Ana": 4, "Ben": 0, "Cleo": -2, "Dan": -2,
    }  # fmt: skip
    assert rounds("name | points\n---|---\nAna | 3\nBen | -3\n") == [[{"Ana": 3, "Ben": -3}]]
    two = taken(f"{MARKDOWN}\n{MARKDOWN}")
    assert (two.code, "line 13: another table begins here" in two.err) == (3, True)
    assert "put only one table in each file" in two.err


def test_two_headings_that_say_the_same_are_refused_and_no_player() -> None:
    text = "Datum;Tag;Ana;Ben\n20.11.2025;Do;1;-1\n"
    with pytest.raises(
        Unreadable, match=r"“Datum” and “Tag” could both be the date column.*date=Datum"
    ):
        points(text)
    assert points(text, columns={"date": "Datum"}) == [{"Ana": 1, "Ben": -1}]
    assert points("Runde;Spiel;Ana;Ben\n1;1;1;-1\n") == [{"Ana": 1, "Ben": -1}]


# --- layouts of a table


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_signs_and_delimiters_are_found_out(encoding: str, delimiter: str) -> None:
    text = "Tag,Zoë,Jürgen\r\n2026-01-05,+3,-3\r\n".replace(",", delimiter)
    assert points(text, encoding) == [{"Zoë": 3, "Jürgen": -3}]
    assert ("cp1252" in taken_err(text, encoding)) == (encoding == "cp1252")


def test_what_windows_writes_breaks_no_row() -> None:
    text = "date;title;Ana;Ben\n2026-01-05;Kreis… A\x0b\u2028;\u20133;3\n"
    (row,) = read_table(written(text), ScoreFileOptions()).rows
    assert (row.title, row.points) == ("Kreis… A", {"Ana": -3, "Ben": 3})
    cp1252 = text.replace("\u2028", "")
    (row,) = read_table(written(cp1252, "cp1252"), ScoreFileOptions()).rows
    assert (row.title, row.points) == ("Kreis… A", {"Ana": -3, "Ben": 3})


@pytest.mark.parametrize("first", ["sep=;", "SEP=;\r"])
def test_what_excel_says_of_the_cells_is_left_out_and_told(first: str) -> None:
    answer = taken(f"{first}\nDatum;Ana;Ben\n20.11.2025;1,0;2,0\n", "--dry-run", ruleset="durak")
    assert "2025-11-20, Durak: 1 round; Ana 1, Ben 2; new" in answer.out
    assert "skipped above the headings: line 1, “sep=;”" in answer.err.replace("SEP", "sep")
    assert points("sep=|\nAna|Ben\n1|2\n") == [{"Ana": 1, "Ben": 2}]
    assert "is empty" in taken("sep=;\n", ruleset="durak").err


def test_titles_above_the_headings_are_left_out_and_told() -> None:
    for delimiters in (";;", ""):
        text = f"Spielrunde, Saison 2025{delimiters}\n\nKlub{delimiters}\nDatum;Ana;Ben\n"
        answer = taken(text + "20.11.2025;1,0;2,0\n", "--dry-run", ruleset="durak")
        assert "line 5: 2025-11-20, Durak: 1 round; Ana 1, Ben 2; new" in answer.out
        assert "skipped above the headings: line 1, “Spielrunde, Saison 2025”" in answer.err
        assert "line 3, “Klub”" in answer.err


TURNED = (
    "Spieler;20.11.2025;27.11.2025;Summe\nAna;12;3;15\nBen;-4;-5;-9\nCleo;-8;;-8\nDan;4;4;8\n"
    "Eva;-4;-2;-6\nSumme;0;0;0\n"
)


def test_players_in_rows_and_days_as_headings_are_turned_round() -> None:
    answer = taken(TURNED)
    assert answer.out == "2 evenings: 2 new matches (1 to 2)\n"
    assert (
        "table.csv: transposed, because each row is a player; players Ana, Ben, Cleo, Dan, Eva"
        in answer.err
    )
    assert "1 row with sums was skipped: column 4, “Summe”" in answer.err
    assert (
        "each column was read as a whole evening; if each column is a round, use --row round"
        in answer.err
    )
    told = program("matches", "--format", "json").data
    assert [row["started"] for row in told] == ["2025-11-20", "2025-11-27"]
    assert told[1]["scores"] == {"Ana": 3, "Ben": -5, "Dan": 4, "Eva": -2}
    assert "only 4 of them play" in taken(TURNED, "--row", "round").err


@pytest.mark.parametrize("heading", ["", "Name", "Datum"])
def test_a_turned_table_may_have_few_columns_and_days_of_several_rounds(heading: str) -> None:
    text = f"{heading};20.11.2025;27.11.2025\nAna;1;0\nBen;0;2\n"
    assert rounds(text) == [[{"Ana": 1, "Ben": 0}], [{"Ana": 0, "Ben": 2}]]
    text = f"{heading};20.11.2025;;27.11.2025\nAna;1;0;1\nBen;0;2;1\n"
    assert taken(text, ruleset="durak").out == "2 evenings: 2 new matches (1 to 2)\n"
    assert [len(each) for each in rounds(text)] == [2, 1]
    assert taken(f"{heading};20.11.2025\nAna;1\nBen;0\n", ruleset="durak").code == 0


def test_what_is_wrong_in_a_turned_table_is_told_by_its_column() -> None:
    answer = taken(TURNED.replace("12", "x"))
    assert "table.csv, column 2: “x” for Ana is not a whole number" in answer.err
    assert answer.out == "2 evenings: 1 new match (1), 1 refused\n"
    running = taken(TURNED.replace("12", "x"), "--running", "table")
    assert "column 3: the points depend on the totals in column 2" in running.err
    assert (
        "line 1: “01/02/2025” could mean" in taken(";01/02/2025;02/03/2025\nAna;1;2\nBen;1;2\n").err
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Name;20.11.;27.11.\nAna;1;2\nBen;3;4\n", "“20.11.” is not a player's name"),
        (";20.11.;27.11.\nAna;1;2\nBen;3;4\n", "with their year, or transpose the table"),
        (
            "Spieler;Runde 1;Runde 2;Summe\nAna;1;2;3\nBen;3;4;7\n",
            "“Runde 1” is not a player's name",
        ),
        ("Spieler;1;2\nAna;1;2\nBen;3;4\n", "each row seems to be a player"),
        (
            "Name;Klub;20.11.2025;27.11.2025\nAna;x;1;2\n",
            "each column a day, but “Klub” is not a day",
        ),
        ("Name;20.11.2025;27.11.2025\nAna;1;2\nana;3;4\n", "line 3: “ana”: a player is named"),
        ("Name;20.11.2025;27.11.2025\nAna;1;2\n;3;4\n", "line 3: this row has points but no name"),
        ("Name;20.11.2025;27.11.2025\nAna;1;2;3\n", "line 2: this row has 4 cells"),
    ],
)
def test_a_table_with_players_in_rows_that_cannot_be_read_is_told_what_to_do(
    text: str, said: str
) -> None:
    answer = taken(text, ruleset="durak")
    assert (answer.code, said in answer.err) == (2, True)


def test_a_row_with_too_many_cells_is_refused() -> None:
    shifted, blank = points("date,Ana,Ben\n2026-01-05,1,-1,9\n2026-01-05,1,-1,,\n")
    assert isinstance(shifted, Unreadable)
    assert "4 cells" in shifted.message
    assert blank == {"Ana": 1, "Ben": -1}


def test_a_year_of_two_digits_is_none_to_come() -> None:
    rows = read_table(
        written("date,Ana,Ben\n04.02.99,1,-1\n04.02.24,1,-1\n"), ScoreFileOptions()
    ).rows
    assert [row.date for row in rows] == ["1999-02-04", "2024-02-04"]


def test_a_table_without_a_row_of_points_is_told() -> None:
    answer = taken("date,Ana,Ben\nTotal,0,0\n")
    assert (answer.code, "there is no row with points" in answer.err) == (2, True)


def test_a_heading_that_is_no_name_is_told_once() -> None:
    days = "".join(f"2026-01-{day:02},1,-1,0,0\n" for day in range(1, 9))
    answer = taken(f"date,=1+1,Ben,Cleo,Dan\n{days}")
    assert answer.code == 2
    assert answer.err.count("=1+1") == 2  # the interpretation, and why it was refused
    assert "line 1" in answer.err


def test_what_no_record_could_say_is_refused() -> None:
    long = "x" * (untrusted.MAX_TEXT + 1)
    answer = taken(f"date,title,Ana,Ben,Cleo,Dan\n2026-01-05,{long},1,-1,1,-1\n")
    assert (answer.code, "title is longer" in answer.err) == (2, True)
    assert program("matches").out.strip() == "" or "x" not in program("matches").out


def test_a_corrected_table_puts_its_matches_right() -> None:
    wrong = WIDE + "2026-01-05,3,-1,-1,-1\n2026-01-06,1,1,-1,-1\n"
    assert taken(wrong).code == 0
    right = wrong.replace("3,-1,-1,-1", "-3,1,1,1")
    assert "to correct match 1 with this record: import --replace" in taken(right, "--dry-run").err
    looked = taken(right, "--replace", "--dry-run")
    answer = taken(right, "--replace")
    for told in (looked, answer):
        assert told.out.splitlines()[-1] == "2 evenings: 1 corrected, 1 already in the book"
    assert [row["match"] for row in program("matches", "--format", "json").data] == [1, 2]
    (match,) = program("export", "1", "--format", "json").data["matches"]
    assert match["scores"] == {"Ana": -3, "Ben": 1, "Cleo": 1, "Dan": 1}
    assert taken(right).out.splitlines()[-1] == "2 evenings: 2 already in the book"


def test_what_was_recorded_is_not_replaced_by_a_table() -> None:
    names = ("Ana", "Ben", "Cleo", "Dan")
    assert program("new", "doppelkopf", *names, "--date", "2026-01-05").code == 0
    assert program("record", "score Ana+Ben: +1 / Cleo+Dan: -1").code == 0
    assert taken(WIDE + "2026-01-05,3,-1,-1,-1\n", "--replace").code == 0
    assert entries(1) == [["score Ana+Ben: +1 / Cleo+Dan: -1"]]
    assert len(program("matches", "--format", "json").data) == 2


def taken_err(text: str, encoding: str) -> str:
    name = written(text, encoding)
    return program("import", "--table", name, "--ruleset", "durak", "--dry-run").err


@pytest.mark.parametrize(
    ("cell", "number"),
    [("3", 3), ("+3", 3), ("'+3", 3), ("\u22123", -3), ("–3", -3), ('"3,0"', 3), ("3.00", 3),
     (" 3 ", 3), ("0", 0)],
)  # fmt: skip
def test_a_number_is_read_whatever_its_sign(cell: str, number: int) -> None:
    assert points(f"date,Ana,Ben\n2026-01-05,{cell},0\n") == [{"Ana": number, "Ben": 0}]


@pytest.mark.parametrize("cell", ["", "-", "–", "—", " "])
def test_nothing_is_no_number(cell: str) -> None:
    assert points(f"date,Ana,Ben\n2026-01-05,{cell},0\n") == [{"Ben": 0}]


@pytest.mark.parametrize("cell", ["3.5", "1.000", "three", "1e3", "٣", "=1+1", "9" * 30])
def test_what_is_no_whole_number_is_refused(cell: str) -> None:
    (row,) = points(f"date,Ana,Ben\n2026-01-05,{cell},0\n")
    assert isinstance(row, Unreadable)
    assert "for Ana is not a whole number" in row.message


@pytest.mark.parametrize(
    ("days", "order"),
    [
        (["2026-11-20"], "ymd"),
        (["2026/1/5", "2026-01-05T20:15:00"], "ymd"),
        (["01.02.2026", "1.2.26"], "dmy"),
        (["01/02/2026", "20/02/2026"], "dmy"),
        (["01/02/2026", "02/20/2026"], "mdy"),
    ],
)
def test_the_order_of_dates_is_found_out(days: list[str], order: str) -> None:
    dates = detect_date_order("x", [*enumerate(days, 2)], "")
    assert dates.order == order
    assert all(dates.read_day(day).startswith("2026-") for day in days)


def test_a_date_of_two_readings_is_refused_with_both() -> None:
    with pytest.raises(Unreadable, match="2026-02-01 or 2026-01-02"):
        detect_date_order("x", [(2, "01/02/2026")], "")
    with pytest.raises(Unreadable, match="begin with the day, others with the month"):
        detect_date_order("x", [(2, "20/02/2026"), (3, "02/20/2026")], "")
    assert detect_date_order("x", [(2, "01/02/2026")], "mdy").read_day("01/02/2026") == "2026-01-02"
    assert not any(map(is_date, ["", "Ana", "2026", "99.99.2026", "1-2.2026", "2026-02-30"]))
    assert not any(
        map(is_date, ["20.11.", "Mai 2026", "31. Feb 2026", "Marie 3, 2026", "So", "21:10"])
    )


@pytest.mark.parametrize(
    "text",
    ["06.04.2026, 21:10", "Mo, 6.4.2026", "Mo., 06.04.26 21:10 Uhr", "Montag, 6. April 2026",
     "6. April 2026", "6 Apr 2026", "06-Apr-2026", "Apr 6, 2026", "April 6th, 2026",
     "Monday, April 6, 2026 at 9:10 p.m.", "lundi 6 avril 2026, 21h10", "6. Apr. 26",
     "2026-04-06 21:10:00+02:00", "2026-04-06T21:10Z"],
)  # fmt: skip
def test_days_may_have_the_time_the_day_of_the_week_and_the_month_in_words(text: str) -> None:
    rows = f'"{text}",1,2\n"Sonntag, 1. März 2026",3,4\n"1er août 2025",5,6\n"Mar 3, 2026",7,8\n'
    answer = taken(f"date,Ana,Ben\n{rows}", "--dry-run", "--format", "json", ruleset="durak")
    days = ["2026-04-06", "2026-03-01", "2025-08-01", "2026-03-03"]
    assert [row["started"] for row in answer.data] == days


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("13/25/2026", "try: write the date like 2026-11-20\n"),
        ("im April", "try: write the date like 2026-11-20\n"),
        ("20.11.", "try: write the date like 2026-11-20\n"),
        ("01/25/2026", "or state the order: --date-format mdy\n"),
    ],
)
def test_the_hint_for_what_is_no_date_fits(text: str, hint: str) -> None:
    answer = taken(
        f"date,Ana,Ben\n20/11/2026,1,2\n{text},3,4\n", "--date-format", "dmy", ruleset="durak"
    )
    assert f"“{text}” is not a date\n" in answer.err
    assert hint in answer.err
    two = taken("date,Ana,Ben\n20/11/2026,1,2\n01/25/2026,3,4\n", ruleset="durak")
    assert "others with the month\n  try: write all dates like 2026-11-20" in two.err


# --- refused tables


def test_rounds_that_come_to_what_the_rules_do_not_know_are_taken_and_told() -> None:
    rows = "2026-01-05,3,13,5,5\n,0,26,26,26\n,3,13,5,6\n2026-01-12,1,1,1,1\n"
    answer = taken(WIDE + rows, ruleset="hearts")
    assert (answer.code, answer.out) == (0, "2 evenings: 2 new matches (1 to 2)\n")
    told = (
        "  in 2 of 4 rounds, the points do not add up to 26 or 78; they were imported unchanged:"
        " line 4 (27), line 5"
    )
    assert f"{told} (4)" in answer.err
    assert "add up" not in taken(WIDE + rows[:40], "--dry-run", ruleset="hearts").err
    # The table chooses the value of shooting the moon, and so the sum of a deal.
    other = taken(WIDE + rows, "--dry-run", "--set", "tally.sums=[26, -26]", ruleset="hearts")
    assert "  in 3 of 4 rounds, the points do not add up to 26 or -26; they" in other.err
    assert "add up" not in taken(WIDE + rows, "--set", "tally.sums=[]", ruleset="hearts").err
    # The number of deals of a whole evening is unknown, so no sum is checked.
    evenings = WIDE + "2026-02-05,30,13,50,5\n"
    assert "add up" not in taken(evenings, "--row", "evening", ruleset="hearts").err


@pytest.mark.parametrize("name", [each for each in SHIPPED if rules_of(each).tally["sums"]])
def test_deals_that_were_played_come_to_what_their_rules_know(name: str) -> None:
    match = Evening(name, 1, full=True, wrong=0, result=0).play(6, 2000).match
    sums = {sum(row.scores.values()) for row in match.rounds if row.scores}
    assert sums
    assert sums <= {*rules_of(name).tally["sums"]}


def test_what_the_rules_refuse_is_told_row_by_row_and_the_rest_taken() -> None:
    answer = taken(
        WIDE + "2026-01-05,3,-1,-1,-1\n2026-01-12,3,0,0,0\n2026-01-12,1,1,-1,-1\n"
        "2026-01-12,9,x,0,0\n2026-01-19,1,-1,,\n2026-01-19,1,-1,,\n"
    )
    assert answer.code == 2
    assert answer.out == "3 evenings: 1 new match (1), 2 refused\n"
    told = [line for line in answer.err.splitlines() if line.startswith("scorekeeper: ")]
    assert [line.split(": ")[1] for line in told] == [
        "table.csv, line 3", "table.csv, line 5", "table.csv, line 6",
    ]  # fmt: skip
    assert "under these rules the scores must add up to zero, but these add up to +3" in told[0]
    assert "“x” for Ben is not a whole number" in told[1]
    assert "players, not 2" in told[2]
    assert taken(WIDE + "2026-01-12,3,0,0,0\n", *ALONE).code == 0


def test_a_row_that_is_refused_leaves_nothing_behind() -> None:
    table = read_table(
        written("date,Ana,Ben,Cleo\n2026-01-05,1,0,\n,,99999999,0\n"), ScoreFileOptions()
    )
    (refused,) = matches_of("x", table, load_ruleset("durak"), {})
    assert isinstance(refused, RejectedFile)
    assert len(refused.failures) == 1


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("date,Ana,ana\n2026-01-05,1,2\n", (), "two columns are called “Ana”"),
        ("date,Ana\n2026-01-05,1\n", (), "unclear which columns contain the players' points"),
        ("date,name\n2026-01-05,Ana\n", (), "a column for names, but none for points"),
        ("date,points\n2026-01-05,1\n", (), "a column for points, but none for the players' names"),
        ("date,Ana,Ben\n", ("--columns", "date=Datum"), "no column is called “Datum”"),
        ("date,Ana,Ben\n", ("--columns", "dte=date"), "does not assign a column"),
        ("date,Ana,Ben\n", ("--columns", "date=9"), "no column is called “9”"),
        ("date,Ana,all\n2026-01-05,1,2\n", (), "cannot be a name"),
        ("date,Ana,A\x1b[31m\n2026-01-05,1,2\n", (), "control characters"),
        ("date,Ana,Ben\n2026-13-45,1,2\n", (), "“2026-13-45” is not a date"),
        ("", (), "is empty"),
        ("date" + ",x" * 1_000_000, (), "1000001 columns, but at most 250"),
        ('date,Ana,Ben\n"' + "x" * 200_000, (), "this is not a table"),
    ],
)
def test_what_is_no_table_is_told(text: str, options: tuple[str, ...], said: str) -> None:
    answer = taken(text, *options, ruleset="durak")
    assert answer.code in (2, 3)
    assert said in answer.err
    assert "\x1b" not in answer.err
    assert not program("matches", "--format", "json").data


def test_other_files_are_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("book.xlsx").write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(Damaged, match="spreadsheet program"):
        read_table("book.xlsx", ScoreFileOptions())
    with pytest.raises(Damaged, match="cannot be read"):
        read_table("nowhere.csv", ScoreFileOptions())
    monkeypatch.setattr(untrusted, "MAX_TABLE_BYTES", 100)
    with pytest.raises(Damaged, match="larger than"):
        read_table(written("x" * 101), ScoreFileOptions())
    monkeypatch.setattr(untrusted, "MAX_TABLE_BYTES", 10_000)
    monkeypatch.setattr(untrusted, "MAX_TABLE_ROWS", 10)
    with pytest.raises(Damaged, match="more than 10 rows"):
        read_table(written("a\n" * 11), ScoreFileOptions())


def test_a_table_needs_a_ruleset_and_only_a_table_takes_one() -> None:
    name = written(WIDE)
    assert "--ruleset NAME" in program("import", "--table", name).err
    wrong = program("import", "--table", name, "--ruleset", "doppelkop")
    assert (wrong.code, "doppelkopf" in wrong.err) == (2, True)
    answer = program("import", name, "--ruleset", "doppelkopf")
    assert (answer.code, "--table" in answer.err) == (2, True)


def test_thousands_of_rows_are_read() -> None:
    text = WIDE + "".join(f"2026-01-{1 + n % 28:02},3,-1,-1,-1\n" for n in range(3_000))
    table = read_table(written(text), ScoreFileOptions())
    assert [row.line for row in table.rows[:2]] == [2, 3]
    assert isinstance(table.rows[0], FileScores)
    ruleset = load_ruleset("doppelkopf", **{"match.ends": False})
    first = next(matches_of("x", table, ruleset, {}))
    assert isinstance(first, IncomingMatch)
    assert len(first.match.rounds) == 108


def test_who_played_on_after_the_end_is_told_how_to_say_so() -> None:
    text = WIDE + "2026-01-05,3,-1,-1,-1\n" * 20
    answer = taken(text)
    assert answer.code == 2
    assert "line 18: under these rules the match is finished after 16 rounds" in answer.err
    assert answer.err.count("match.ends=false") == 1
    assert taken(text, "--set", "match.ends=false").code == 0


def test_the_bounds_stand_on_the_page() -> None:
    page = (Path(__file__).parent.parent / "docs" / "importing.md").read_text("utf-8")
    for number in (untrusted.MAX_TABLE_BYTES // 2**20, untrusted.MAX_TABLE_ROWS,
                   untrusted.MAX_TABLE_COLUMNS,
                   untrusted.MAX_JSON_BYTES // 2**20):  # fmt: skip
        assert f"{number:,}" in page
