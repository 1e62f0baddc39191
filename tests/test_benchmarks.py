"""The benchmarks: each row names its figure and its goal, and one row runs."""

from __future__ import annotations

from collections import Counter
from inspect import getdoc

from tests.benchmarks.__main__ import chosen, function_of, line, modules, title
from tests.benchmarks.shape import Found, Row, Run, growth, new_run

ROWS = [row for _, rows in modules() for row in rows]


def test_every_row_has_a_name_of_its_own_and_says_what_it_measures() -> None:
    names = Counter(row.name for row in ROWS)
    assert [name for name, count in names.items() if count > 1] == []
    assert [row.name for row in ROWS if not getdoc(function_of(row))] == []
    assert [module.__name__ for module, _ in modules() if not title(module)] == []


def test_rows_are_found_by_their_names_and_by_their_modules() -> None:
    assert [len(rows) for _, rows in chosen(["news"])] == [1]
    ((module, rows),) = chosen(["bench_verify"])
    assert rows == module.rows()
    assert sum(len(rows) for _, rows in chosen([])) == len(ROWS)


def test_what_is_measured_is_compared_with_what_it_is_to_reach() -> None:
    def measured(run: Run) -> Found:
        return Found(2.5, "so")

    with new_run(quick=True) as run:
        said = [
            line(Row("a figure", measured, **reach), run)
            for reach in ({"least": 2}, {"most": 2.4, "unit": " ms"}, {})
        ]
    assert [met for _, met in said] == [True, False, None]
    assert [text.split()[2:-1] for text, _ in said] == [
        ["2.50", ">=", "2", "met"],
        ["2.50", "ms", "<=", "2.4", "ms", "NOT"],
        ["2.50"],
    ]


def test_what_needs_a_library_that_is_not_there_says_so() -> None:
    def measured(run: Run) -> Found:
        raise ModuleNotFoundError("No module named 'away'", name="away")

    with new_run(quick=True) as run:
        said, met = line(Row("a figure", measured, least=2), run)
    assert (said.split()[2:], met) == (["-", "away", "is", "not", "installed"], None)


def test_growth_is_what_the_dearest_costs_against_the_first() -> None:
    assert growth([10, 1_000], [2.0, 3.0]) == Found(1.5, "10: 1.00, 1,000: 1.50")


def test_a_row_runs() -> None:
    (row,) = (row for row in ROWS if row.name.startswith("live: news"))
    with new_run(quick=True) as run:
        assert " ms" in line(row, run)[0]
        folder = run.folder
    assert not folder.exists()
