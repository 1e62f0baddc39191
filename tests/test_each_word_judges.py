"""The clauses that judge a table are the clauses that judge a record.

No clause is passed over when a record is read. Every clause that judges an entry when it is
recorded also judges it when the whole round is read.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Failure, Match, load_ruleset, verify_record, write_record
from scorekeeper.core import rulings
from scorekeeper.core.hands import Breach
from scorekeeper.core.rulings import ILLEGAL, LEGAL
from scorekeeper.engine import loading
from scorekeeper.match.trial import NOTED, PlayedExample, load_examples
from scorekeeper.ruleset.vocabulary import load_all
from tests.effort import tries
from tests.helpers import SHIPPED
from tests.random_play import evening

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper import Ruleset
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.rows import Clause
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.vocabulary import ClauseWord

SEEDS = tries(2)
DEALS = Path(__file__).parent / "deals"
BROKEN = "broken on purpose"
# A clause's code, and the player, verb and value of the entry that it judged.
Look = tuple[str, "int | None", str, str]


def watched(rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> set[Look]:
    """Start to collect the questions that the clauses of a ruleset are asked."""
    looks = set[Look]()

    def watch(clause: Clause) -> None:
        judge = clause.judge

        def look(rnd: Round, entry: Entry) -> Outcome:
            looks.add((clause.code, entry.seat, entry.type.word, repr(entry.value)))
            return judge(rnd, entry)

        monkeypatch.setattr(clause, "judge", look)

    for clause in rules.clauses.values():
        watch(clause)
    return looks


@pytest.mark.parametrize("name", SHIPPED)
def test_a_round_that_is_read_is_judged_by_every_clause_that_judges_its_entries(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = load_ruleset(name)
    looks = watched(rules, monkeypatch)
    whole = set[Look]()
    for seed in SEEDS:
        played = evening(name, seed)
        for known in (True, False):
            table, reader = (Match(rules, played.names) for _ in range(2))
            for part in played.said:
                texts = [text for said in part if (text := said.known if known else said.unseen)]
                looks.clear()
                for text in texts:
                    table.record(text)
                judged = looks.copy()
                looks.clear()
                reader.play_round(texts)
                assert judged <= looks
                whole |= judged
    assert whole


@pytest.fixture
def compiled_anew() -> Iterator[None]:
    """Clear the cache of compiled rulesets before and after the test."""
    forget()
    yield
    forget()


def forget() -> None:
    for known in (loading._checked_rulesets, loading._loaded_rulesets, loading._own_rulesets):
        known.clear()


def records_of(word: ClauseWord, folder: Path) -> list[Path]:
    """Return records that were written while the word worked.

    They are the word's examples, with refused entries decided as `!stands`, and a deal of each
    game.
    """
    paths: list[Path] = []
    for case in load_examples(word.phase)[word.name]:
        entries = [*case.entries[LEGAL], *case.entries[NOTED]]
        for entry in (*entries, *(f"{entry} !stands" for entry in case.entries[ILLEGAL])):
            match = PlayedExample(word, case).match
            with suppress(Failure):  # This entry cannot stand.
                match.record(entry)
                path = folder / f"{len(paths)}.toml"
                write_record(match, path, options=case.options)
                paths.append(path)
    return paths + sorted(DEALS.glob("*.toml"))


@pytest.mark.usefixtures("compiled_anew")
@pytest.mark.parametrize("word", load_all()[1], ids=lambda word: f"{word.phase}.{word.name}")
def test_a_word_that_refuses_is_heard_when_a_record_is_verified(
    word: ClauseWord, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Break each word so that it refuses every entry. Expect findings in an older record."""
    records = records_of(word, tmp_path)
    forget()
    build, broken = word.build, False

    def breaking(row: Row, rules: Ruleset) -> Judge:
        judge = build(row, rules)
        return lambda rnd, entry: Breach({}, BROKEN) if broken else judge(rnd, entry)

    monkeypatch.setattr(word, "build", breaking)
    monkeypatch.setattr(word, "verdict", rulings.ILLEGAL)
    for record in records:
        broken = False
        verify_record(record)  # its ruleset is compiled, and checked, while the word is whole
        broken = True
        if any(BROKEN in finding["reason"] for finding in verify_record(record)["findings"]):
            return
    pytest.fail(f"no record reaches {word.name}")
