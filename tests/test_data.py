"""The tables for other programs: documented as they are, and read with the right types.

Write the columns into the page by hand: python -m tests.test_data
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.cli.export import FILE_NAMES
from scorekeeper.history.columns import ABOUT, FLAG, INTEGER, NUMBER, TABLES, TYPES, VERSION
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parent.parent / "docs" / "data.md"
RECORDS = Path(__file__).parent / "records"
COLUMNS = re.compile(r"(?<=<!-- columns -->\n).*?(?=<!-- end of columns -->)", re.S)


def described() -> Iterator[str]:
    """Yield each table with its columns as the page lists them."""
    for name, columns in TABLES.items():
        yield from (f"### `{name}`: {ABOUT[name]}", "", "| column | type | what it is |")
        yield "|---|---|---|"
        yield from (f"| `{each.name}` | {each.type} | {each.about} |" for each in columns)
        yield ""
    yield from ("| type | is | in pandas | in SQL |", "|---|---|---|---|")
    for name, kind in TYPES.items():
        yield f"| {name} | {kind.about} | `{kind.pandas}` | `{kind.sql}` |"
    yield ""


def written() -> str:
    """Return the text between the markers of the page."""
    return "".join(f"{line}\n" for line in described())


def test_the_page_has_every_column() -> None:
    assert COLUMNS.findall(PAGE.read_text("utf-8")) == [written()]


def test_the_schema_has_every_column_and_its_version(tmp_path: Path) -> None:
    book = tmp_path / "book.sqlite"
    data = program("export", "--schema", "--book", str(book)).data
    assert data["version"] == VERSION
    tables = {name: table["columns"] for name, table in data["tables"].items()}
    assert tables == {
        name: [column._asdict() for column in columns] for name, columns in TABLES.items()
    }
    used = {column["type"] for columns in tables.values() for column in columns}
    assert used == data["types"].keys()
    assert not book.exists()


# --- what reads them


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a folder with a book's tables and their schema. One player has a name that pandas
    reads as a missing value."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    for each in ("doppelkopf_results", "da_ban_deal", "dudo_seed"):
        assert program("import", str(RECORDS / f"{each}.toml")).code == 0
    assert program("new", "dudo", "NA", "7", "--date", "2026-11-20").code == 0
    assert program("record", "result loser=NA").code == 0
    for format in TABLES:
        assert program("export", "--all", "--format", format, "--to", str(tmp_path)).code == 0
    assert program("export", "--schema", "--to", "schema.json").code == 0
    return tmp_path


def snippet(word: str) -> str:
    """Return the Python snippet of the page that contains this word."""
    snippets = re.findall(r"```py\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    (found,) = [each for each in snippets if word in each]
    return str(found)


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "scores.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_pandas_reads_the_types_that_the_schema_says(exported: Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not here")
    rows = rows_of(exported)
    names: dict[str, Any] = {}
    exec(snippet("import pandas"), names)
    scores = names["scores"]
    assert list(scores["player"]) == [row["player"] for row in rows]
    found = {column.name: scores[column.name].dtype.kind for column in TABLES["scores-csv"]}
    numbers = {
        column.name for column in TABLES["scores-csv"] if column.type in (INTEGER, NUMBER, FLAG)
    }
    assert {name for name, kind in found.items() if kind == "i"} == numbers
    assert found["date"] == "M"
    for name in numbers:
        assert scores[name].sum() == sum(int(row[name] or 0) for row in rows), name
        assert scores[name].isna().sum() == sum(row[name] == "" for row in rows), name


def test_duckdb_reads_the_types_that_the_schema_says_and_sees_most_itself(exported: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not here")
    rows, columns = rows_of(exported), TABLES["scores-csv"]
    names: dict[str, Any] = {}
    exec(snippet("import duckdb"), names)
    scores = names["scores"]
    wanted = {column.name: TYPES[column.type].sql for column in columns}
    assert dict(zip(scores.columns, map(str, scores.types), strict=True)) == wanted
    assert scores.sum("change").fetchall() == [(sum(int(row["change"] or 0) for row in rows),)]
    seen = duckdb.read_csv(str(exported / "scores.csv"))
    for name, kind in zip(seen.columns, map(str, seen.types), strict=True):
        number = wanted[name] in ("BIGINT", "TINYINT")
        if any(row[name] for row in rows) and (number or wanted[name] == "DATE"):
            assert kind == ("BIGINT" if number else "DATE"), name
    for table in TABLES:  # no name of a column needs quotes
        plain = ", ".join(column.name for column in TABLES[table])
        duckdb.sql(f"SELECT {plain} FROM read_csv('{exported / FILE_NAMES[table]}')").fetchall()


def main() -> None:
    """Write the columns into the page."""
    PAGE.write_text(COLUMNS.sub(lambda _: written(), PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
