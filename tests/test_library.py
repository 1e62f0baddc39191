"""Laws of the library over random play of every shipped ruleset.

Judging changes nothing, undoing restores the state before, `legal` agrees with the judge, a
position reads back, and every object has a representation of one line.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scorekeeper import (
    Damaged,
    Failure,
    Impossible,
    Legal,
    Match,
    Unreadable,
    load_ruleset,
    read_record,
    write_record,
)
from scorekeeper.core.cards import Pack, Trick
from scorekeeper.core.rulings import Finding, Line
from scorekeeper.engine.findings import findings_on
from scorekeeper.engine.phase import Phase
from scorekeeper.engine.round import Round
from scorekeeper.engine.ruleset import Ruleset
from scorekeeper.engine.setup import NO_HANDS
from scorekeeper.engine.state import Setup
from scorekeeper.notation import Entry
from scorekeeper.phases.tricks.state import Shapes
from scorekeeper.ruleset.orders import Order
from tests.effort import tries
from tests.helpers import SHIPPED
from tests.random_play import Evening, evening

MOST = 30
each = pytest.mark.parametrize("name", SHIPPED)
seeded = pytest.mark.parametrize("seed", tries(2))

PLAIN = (int, float, str, frozenset, type(None))
# These objects, and the contents of these slots, never change once they are made.
UNCHANGED = (Entry, Finding, Line, Order, Pack, Phase, Ruleset, Shapes, Trick)
KEPT = {
    *("at_table", "findings", "first_standing", "hands", "initial_players", "names"),
    *("seats", "standing", "standings", "starting_tally"),
}


def slots_of(value: object) -> list[str]:
    found = (getattr(kind, "__slots__", ()) for kind in type(value).__mro__)
    return [name for slots in found for name in slots if hasattr(value, name)]


class Picture:
    """A round's contents as a value that can be compared.

    `changing` has the mutable objects in it, by identity. Earlier states of the round that a phase
    stored are left out, because they are never changed.
    """

    def __init__(self, rnd: Round) -> None:
        self.changing: dict[int, object] = {}
        self._numbers: dict[int, int] = {}
        self.value = self._of(rnd)

    def _of(self, value: object) -> object:
        if isinstance(value, PLAIN):
            return value
        if isinstance(value, UNCHANGED):
            return id(value)
        if isinstance(value, Setup) or value is NO_HANDS:
            return repr(value)
        if isinstance(value, tuple):
            return tuple(map(self._of, value))
        self.changing[id(value)] = value
        if isinstance(value, set):
            return sorted(map(repr, value))
        if isinstance(value, list):
            return [self._of(each) for each in value]
        if isinstance(value, dict):
            return [(self._of(key), self._of(each)) for key, each in value.items()]
        if id(value) in self._numbers:
            return ("again", self._numbers[id(value)])
        self._numbers[id(value)] = len(self._numbers)
        slots = slots_of(value)
        assert slots, type(value)
        return [(name, self._part(name, getattr(value, name))) for name in slots]

    def _part(self, name: str, value: object) -> object:
        if name == "snapshots":
            return repr(value)
        if name not in KEPT or not isinstance(value, (list, dict)):
            return self._of(value)
        if name == "findings" and isinstance(value, dict):
            return [(number, list(map(id, found))) for number, found in value.items()]
        return repr(value)


def played(name: str, seed: int, most: int = MOST) -> list[str]:
    """Return the entries of an evening; for seeds 1 and 2 the hands are unseen."""
    said = evening(name, seed, most).all()
    texts = [each.unseen if seed in (1, 2) else each.known for each in said]
    return [text for text in texts if text]


# --- copies, judging, undoing


@each
@seeded
def test_a_copy_of_a_round_is_equal_and_shares_nothing_that_changes(name: str, seed: int) -> None:
    match = evening(name, seed).fresh()
    for text in played(name, seed):
        match.record(text)
        one, other = Picture(match.live_round), Picture(match.live_round.copy())
        assert other.value == one.value
        shared = [one.changing[key] for key in one.changing.keys() & other.changing.keys()]
        assert not shared, [type(value) for value in shared]


@each
@seeded
def test_judging_changes_nothing_and_says_what_recording_says(name: str, seed: int) -> None:
    texts = played(name, seed)
    match, random = evening(name, seed).fresh(), Random(seed)
    for text in texts:
        state, before = match.state, Picture(match.live_round).value
        ruling = match.judge(text)
        for other in random.sample(texts, min(3, len(texts))):
            try:
                match.judge(other)
            except Failure as failure:
                assert failure.message.isprintable()
        assert match.state == state
        assert Picture(match.live_round).value == before
        assert match.record(text).as_json() == ruling.as_json()


@each
@seeded
def test_undo_goes_back_to_what_was_also_where_the_match_was_loaded(name: str, seed: int) -> None:
    match, before = evening(name, seed).fresh(), []
    for text in played(name, seed):
        before.append((match.state, match.legal(), Picture(match.live_round).value))
        match.record(text)
    loaded = evening(name, seed).fresh()
    for row in match.rounds:
        loaded.play_round(row.entries)
    while before:
        state, legal, picture = before.pop()
        assert match.undo() == loaded.undo()
        assert (match.state, match.legal()) == (loaded.state, loaded.legal()) == (state, legal)
        assert Picture(match.live_round).value == picture
        assert [row.entries for row in match.rounds] == [row.entries for row in loaded.rounds]
        assert [row.scores for row in match.rounds] == [row.scores for row in loaded.rounds]
    assert match.rounds == loaded.rounds == []


@each
def test_what_was_undone_can_be_recorded_again(name: str) -> None:
    texts, random = played(name, 1, 40), Random(1)
    straight, match = evening(name, 1).fresh(), evening(name, 1).fresh()
    for number, text in enumerate(texts, 1):
        straight.record(text)
        match.record(text)
        back = random.randint(0, min(number, 6))
        for _ in range(back):
            match.undo()
        for again in texts[number - back : number]:
            match.record(again)
        assert match.state == straight.state


def test_an_entry_that_cannot_be_leaves_the_round_as_it_was() -> None:
    match = Match(load_ruleset("durak"), ["Ana", "Ben"])
    match.record("hand Ana: 6S 7S 8S 9S TS JS")
    before = Picture(match.live_round).value
    with pytest.raises(Impossible):
        match.record("hand Ben: 6S 7H 8H 9H TH JH")
    assert Picture(match.live_round).value == before


# --- legal acts


@each
@seeded
def test_legal_is_a_view_of_what_the_judge_allows(name: str, seed: int) -> None:
    match, random = Evening(name, seed).play(2, 12 + 9 * seed).match, Random(seed)
    legal, texts = match.legal, match.legal()
    assert isinstance(legal, Legal)
    assert list(legal) == texts
    assert len(legal) == len(texts)
    assert bool(legal) == bool(texts)
    for text in random.sample(texts, min(12, len(texts))):
        assert (text in legal) == ("…" not in text)
    for text in random.choices(played(name, seed), k=8):
        try:
            allowed = match.judge(text).verdict != "illegal"
        except Failure:
            allowed = False
        assert (text in legal) == allowed
    assert 5 not in legal
    assert "no such entry" not in legal


def test_legal_finds_out_only_what_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    match, asked = Match(load_ruleset("dudo"), ["Ana", "Ben"]), []

    def counting(rnd: Round, entry: Entry) -> list[Finding]:
        asked.append(entry)
        return findings_on(rnd, entry)

    monkeypatch.setattr("scorekeeper.engine.referee.findings_on", counting)
    legal = match.legal
    assert not asked
    assert "Ana: 2x3" in legal
    assert len(asked) == 1
    assert legal
    few = len(asked)
    assert len(legal) > 40
    assert few < len(asked) / 4


# --- positions


@each
@seeded
def test_a_position_reads_back_as_itself(name: str, seed: int) -> None:
    course, random, told = Evening(name, seed), Random(seed), 0
    for _ in range(60):
        if course.match.over:
            break
        course.step()
        if told and random.random() > 0.2:
            continue
        match = course.match
        try:
            text = match.position
        except Impossible:
            # A position cannot state what earlier rounds left in addition to tallies.
            assert len(match.rounds) > 1
            continue
        told += 1
        assert text.isprintable()
        again = Match.from_position(match.ruleset, text)
        assert again.position == text
        assert again.legal() == match.legal()
        assert (again.to_act, again.scores) == (match.to_act, match.scores)
        if not match.rounds or not match.rounds[-1].over:
            assert again.state["table"] == match.state["table"]
    assert told


@pytest.mark.parametrize("name", ["doppelkopf", "sheng-ji", "durak"])
def test_where_nothing_lies_on_the_table_a_position_is_said_by_facts_alone(name: str) -> None:
    """Check with known hands and without calls: a position does not list earlier play."""
    course, short = Evening(name, 3, wrong=0, result=0), 0
    for _ in range(100):
        course.step()
        match, state = course.match, course.match.state
        if course.over or course.draws or state["table"] or len(match.rounds) > 1:
            continue
        if state["phase"] in ("tricks", "bouts"):
            verbs = [match.notation.read(each).type for each in match.position.split("; ")[1:]]
            reserved = match.ruleset.phases["auction"].entry_types if name == "doppelkopf" else ()
            short += all(verb.is_setup_fact or verb in reserved for verb in verbs)
    assert short > 3


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", Unreadable),
        ("dudo", Unreadable),
        ("dudo: Ana, Ana", Unreadable),
        ("dudo: Ana, Ben; hand Ana: what", Unreadable),
        ("dudo: Ana, Ben\n; hand Ana: 2", Unreadable),
        ("durak: Ana, Ben", Impossible),
        ("dudo: Ana", Impossible),
        ("dudo: Ana, Ben; hand Ana: 99", Impossible),
    ],
)
def test_what_is_no_position_is_refused(text: str, kind: type[Failure]) -> None:
    with pytest.raises(kind):
        Match.from_position(load_ruleset("dudo"), text)


def test_a_position_that_cannot_be_said_is_refused() -> None:
    match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    match.play_round(["Ana: what"])
    with pytest.raises(Impossible):
        _ = match.position


# --- representations


@each
def test_everything_shows_itself_in_one_line(name: str) -> None:
    match = evening(name, 1).fresh()
    match.play_round(["note \x1b[31m", "Ana: \x07\u202e", "no such entry\x00"])
    match.undo()
    match.undo()
    match.undo()
    shown = [repr(match), repr(match.live_round), repr(match.legal)]
    for text in played(name, 1, 30):
        ruling = match.record(text)
        shown += [repr(match), repr(match.live_round), repr(match.rounds[-1]), repr(ruling)]
        shown += map(repr, ruling.findings)
    for text in shown:
        assert text.isprintable(), text
        assert len(text) < 2000
    assert f"<Match {name}: Ana " in repr(match)
    assert f"<Round {match.live_round.number} of {name}: " in repr(match.live_round)


def test_a_ruleset_is_loaded_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours.toml").write_text('extends = "dudo"\nname = "ours"\ntitle = "Ours"\n')
    for path in (tmp_path / "ours.toml", Path("ours.toml")):
        assert load_ruleset(path).title == "Ours"
    # A `Path` is never taken for the name of a ruleset.
    with pytest.raises(Damaged):
        load_ruleset(Path("dudo"))


def test_what_is_no_text_is_no_position() -> None:
    rules = load_ruleset("dudo")
    with pytest.raises(Unreadable, match="“None” is not a position"):
        Match.from_position(rules, None)  # type: ignore[arg-type]


def test_what_was_found_stands_in_the_round_while_it_is_recorded(tmp_path: Path) -> None:
    """Check findings after an undo too: a record of the match reads back with the same ones."""
    match = Match(load_ruleset("hearts"), ["Ana", "Ben", "Cleo", "Dan"])
    for text in ("Ana: give 3", "Ben: give 3", "Cleo: give 3", "Dan: give 3", "Dan: 2C", "Ana: JS"):
        match.record(text)
    assert [found.code for _, found in match.rounds[-1].findings] == ["tricks.follow"]
    match.record("Ben: 6D")
    match.undo()
    for text in ("Ben: 4C", "Cleo: QC", "Cleo: AC", "Dan: 3C", "Ana: 3D", "Ben: 4S"):
        match.record(text)
    write_record(match, tmp_path / "match.toml")
    (read,) = read_record(tmp_path / "match.toml").rounds
    said = [[(at, each.code, each.reason) for at, each in rnd.findings]
            for rnd in (read, match.rounds[-1])]  # fmt: skip
    assert said[0] == said[1]
    assert len(said[0]) > 2
