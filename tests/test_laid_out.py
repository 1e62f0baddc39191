"""Layout of a record: the pattern for the usual layout agrees with TOML's parser, whatever is
inserted anywhere in the text."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper import verify_record
from scorekeeper.store.record import parse_canonical_head, parse_canonical_rounds

HEAD = """format = 2
ruleset = "dudo"
players = [
    "Ana",
    "Ben",
]
"""
ROUND = '''
[[rounds]]
dealer = "Ana"
entries = """
Ana: 2x3
Ben: dudo # he does
"""

[rounds.scores]
Ana = 0
"Ben" = -1
'''
USUAL = HEAD + ROUND + ROUND.replace('dealer = "Ana"\n', "")
ODD = (
    *'"\\#=[]{}.,\n\r\t\x00\x0c\x7f\x85\u2028é0+-_',
    '"""', "'''", "''", "[[rounds]]\n", "[rounds.scores]\n", "[rounds]\n", "rounds = []\n",
    'entries = """\n', '"""\n', "Ana = 1\n", "Ana = 01\n", "Ana = 1.5\n", "Ben = true\n",
    'dealer = "Ben"\n', "rounds.scores = {}\n", "[options]\n", 'place = """\n', "\\\n", "\n\n",
    "-0", "9" * 18, "9" * 19, '"" = 3\n', '"a = b" = 3\n', "x = [\n", "# [[rounds]]\n",
)  # fmt: skip


def changes(text: str) -> st.SearchStrategy[list[tuple[int, int, str]]]:
    """Draw insertions: the place, the number of characters replaced, and the new text."""
    place = st.integers(0, len(text))
    return st.lists(st.tuples(place, st.sampled_from([0, 0, 1, 2, 9]), st.sampled_from(ODD)))


@given(changes(USUAL))
def test_what_the_pattern_takes_the_parser_reads_alike(made: list[tuple[int, int, str]]) -> None:
    text = USUAL
    for at, length, odd in made:
        text = text[:at] + odd + text[at + length :]
    text = text.replace("\r\n", "\n")
    found = parse_canonical_rounds(text)
    if found is None:
        return
    plain = parse_canonical_head(found.head)
    try:
        head = tomllib.loads(found.head)
    except tomllib.TOMLDecodeError:
        assert plain is None
        return
    assert plain is None or plain == head
    if "rounds" not in head:
        assert tomllib.loads(text) == {**head, "rounds": found.rounds}
        below = text.split("\n")
        for row, line in zip(found.rounds, found.lines, strict=True):
            assert row["entries"].split("\n")[0] == below[line - 1].removesuffix('"""')


def test_the_usual_layout_is_taken() -> None:
    found = parse_canonical_rounds(USUAL)
    assert found is not None
    assert (len(found.rounds), found.lines) == (2, [11, 21])
    assert parse_canonical_head(found.head) == {
        "format": 2, "ruleset": "dudo", "players": ["Ana", "Ben"]
    }  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_a_record_is_verified_alike_however_it_is_laid_out(tmp_path: Path, odd: str) -> None:
    path = tmp_path / "evening.toml"
    for at in (len(HEAD), USUAL.index("Ben: dudo"), USUAL.index("Ana = 0"), len(USUAL)):
        text = USUAL[:at] + odd + USUAL[at:]
        path.write_bytes(text.encode())
        report = verify_record(path)
        before, _, after = text.rpartition("Ana = 0")
        unusual = f"{before}Ana = +0{after}"
        assert parse_canonical_rounds(unusual) is None
        path.write_bytes(unusual.encode())
        assert report == verify_record(path)
