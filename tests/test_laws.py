"""What holds for any course of play: notation, undo, replay, amendments; tried on random games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper import Failure, Illegal, Impossible, Match, Unreadable, load_ruleset
from scorekeeper.store.record import record_text

if TYPE_CHECKING:
    from scorekeeper.ruleset.compiled import Ruleset

RULESETS = {name: load_ruleset(name) for name in ("dudo", "perudo")}
NAMES = ["Ana", "Ben", "Cleo", "Dan"]
BETWEEN = ["foul Ana: a", "foul Ben: b", "sudden-death", "note well", "void", "result loser=Cleo"]
few = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


def proposals(match: Match, draw: st.DrawFn) -> str:
    """Something somebody might type now: mostly legal acts, low ones first, or a table entry."""
    kind = draw(st.integers(0, 19))
    if match.over:
        return "note it is over"
    if kind == 0:
        return draw(st.sampled_from([*BETWEEN, "Ana: 1x1", "Ben: 40x6", "Dan: calzo", "Ben: open"]))
    if kind == 1:
        wrong = draw(st.sampled_from(["1x1", "2x2", "dudo", "direction right"]))
        decision = draw(st.sampled_from(["stands", "withdrawn"]))
        return f"{draw(st.sampled_from(NAMES[: len(match.players)]))}: {wrong} !{decision}"
    if match.now.phase is not None and match.now.phase.name == "reveal":
        most = sum(match.now.tally)
        return f"count {draw(st.integers(0, most))}"
    legal = match.legal()
    calls = [text for text in legal if text.endswith(("dudo", "calzo", "open", "closed"))]
    if calls and kind % 2:
        return draw(st.sampled_from(calls))
    return legal[min(draw(st.integers(0, 40)), len(legal) - 1)]


@st.composite
def games(draw: st.DrawFn) -> Match:
    """A match in which a number of things have happened."""
    ruleset: Ruleset = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    names = NAMES[: draw(st.integers(2, 4))]
    match = Match(ruleset, names)
    if draw(st.integers(0, 1)):
        for name in names:
            match.record(f"hand {name}: {draw(st.integers(1, 2))}")
    for _ in range(draw(st.integers(0, 30))):
        try:
            match.record(proposals(match, draw))
        except (Illegal, Impossible, Unreadable):
            continue
    return match


def entries(match: Match) -> list[list[str]]:
    return [list(played.entries) for played in match.rounds]


def told(match: Match) -> tuple[object, ...]:
    return (
        entries(match),
        [played.scores for played in match.rounds],
        match.standing,
        match.legal(),
        match.state,
    )


def fresh(match: Match) -> Match:
    return Match(match.ruleset, match.players)


@few
@given(games())
def test_what_is_written_is_read_as_the_same(match: Match) -> None:
    for played in match.rounds:
        for text in played.entries:
            assert match.notation.split(text) == [text]
            assert match.notation.read(text).text == text
    for text in match.legal():
        assert match.notation.read(text).text == text


@few
@given(games())
def test_replay_equals_live(match: Match) -> None:
    again = fresh(match)
    for texts in entries(match):
        again.play_round(texts)
    assert told(again) == told(match)
    assert record_text(again) == record_text(match)


@few
@given(games())
def test_typing_it_again_equals_live(match: Match) -> None:
    again = fresh(match)
    for texts in entries(match):
        for text in texts:
            again.record(text)
    assert told(again) == told(match)


@few
@given(games())
def test_undo_all_the_way_back(match: Match) -> None:
    texts = [text for played in match.rounds for text in played.entries]
    while match.rounds:
        before = entries(match)
        assert match.undo() == texts.pop()
        again = fresh(match)
        for played in entries(match):
            again.play_round(played)
        assert told(again) == told(match)
        assert entries(match) != before
    assert texts == []
    assert told(match) == told(fresh(match))


@few
@given(games(), st.data())
def test_an_amendment_equals_retyping(match: Match, data: st.DataObject) -> None:
    if not match.rounds:
        return
    index = data.draw(st.integers(0, len(match.rounds) - 1))
    position = data.draw(st.integers(1, len(match.rounds[index].entries)))
    text = data.draw(st.sampled_from(["Ana: 3x3", "Ben: dudo", "count 2", "note it", "Ben: 1x1"]))
    before = told(match)
    amended = match.amended(index + 1, position, text)
    assert told(match) == before
    typed = fresh(match)
    for number, texts in enumerate(entries(match)):
        texts = list(texts)
        if number == index:
            texts[position - 1] = text
        typed.play_round(texts)
    assert told(amended) == told(typed)


@few
@given(games(), st.data())
def test_asking_changes_nothing(match: Match, data: st.DataObject) -> None:
    before = told(match)
    options = [*match.legal(), *BETWEEN, "Ana: 1x1", "Ben: 9999x2", "Cleo: dudo", "count 3"]
    for text in data.draw(st.lists(st.sampled_from(options), max_size=6)):
        try:
            verdict = match.judge(text).verdict
        except Failure:
            verdict = "none"
        if text in match.legal():
            assert verdict == "legal"
    assert told(match) == before


@few
@given(games())
def test_a_round_changes_as_many_dice_as_its_lines_say(match: Match) -> None:
    tally = dict.fromkeys(match.players, match.ruleset.tally["start"])
    for played in match.rounds:
        placed = dict(zip(match.players, played.before["tally"], strict=True))
        assert placed == tally
        for text in played.entries:
            if text.startswith("hand "):
                name, _, number = text.removeprefix("hand ").partition(": ")
                tally[name] = int(number)
        if played.scores is not None:
            for name, change in played.scores.items():
                lines = [line.points for line in played.lines if line.to == name]
                assert change == sum(lines)
                tally[name] += change
    if not match.rounds or match.rounds[-1].over:
        assert match.scores == tally
    assert all(dice in range(6) for dice in tally.values())


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_whatever_is_typed_is_answered(text: str) -> None:
    match = Match(RULESETS["dudo"], ["Ana", "Ben"])
    try:
        for entry in match.notation.split(text):
            match.judge(entry)
    except Failure as failure:
        assert failure.message.isprintable()
        assert failure.hint.isprintable()
    assert match.rounds == []
