"""Laws of claims, weights and waivers, entered at random moments of deals with faults.

Undoing them is exact, recording them again shows the same, and judging agrees with recording.
Classes of penalty sum to zero.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from scorekeeper import (
    Failure,
    Illegal,
    Impossible,
    Match,
    read_record,
    verify_record,
    write_record,
)
from tests.disputes import lines_of
from tests.effort import tries
from tests.random_play import Evening

RULES = "doppelkopf-ddv"
SEEDS = tries(3)
WEIGHTS = ["", "none", "minor", "harmless", "serious"]
TOLD = ["dealing", "dealt", "dealer", "talk", "conduct"]

each = pytest.mark.parametrize("seed", SEEDS)


class Deal(NamedTuple):
    """Deals that may contain faults.

    The fields are the match before them, the entries of a table that knows the hands, and the same
    entries without the hands.
    """

    before: Match
    known: list[str]
    unseen: list[str]


def deal(seed: int, rounds: int = 1) -> Deal:
    players = 5 if seed % 4 == 3 else 4
    evening = Evening(RULES, seed, players=players, full=True, wrong=0.1, result=0).play(rounds)
    said = evening.all()
    unseen = [one.unseen for one in said if one.unseen]
    return Deal(evening.fresh(), [one.known for one in said if one.known], unseen)


def seen(match: Match) -> dict[str, Any]:
    """Return all that a match shows."""
    return {
        "state": match.state,
        "lines": lines_of(match),
        "scores": [played.scores for played in match.rounds],
        "entries": [played.entries[:] for played in match.rounds],
        "tallies": match.scores,
        "to act": match.to_act,
    }


def something(match: Match, random: Random) -> str:
    """Return a claim, a weight or a waiver; most of them are legal."""
    faults, names = match.state["faults"], match.players
    last = len(match.rounds[-1].entries) if match.rounds else 1
    kind, name = random.random(), random.choice(names)
    if faults and kind < 0.75:
        fault = random.choice(faults)
        at, who = fault["at"], random.choice([*fault["may"], name])
        words = ["", *fault["choices"], random.choice(WEIGHTS)]
        if fault["claimed"] and random.random() < 0.7:
            return f"weigh {at} {random.choice(words[1:])}"
        if random.random() < 0.3:
            return f"waive {random.choice([who, 'all', f'{who} + {name}'])}"
        return f"claim {who}: {at} {random.choice(words)}".rstrip()
    if kind < 0.9:
        number = random.choice(["", "1."]) + str(random.randint(1, last + 1))
        return f"claim {name}: {number} {random.choice(WEIGHTS)}".rstrip()
    told, of = random.choice(TOLD), random.choice(names)
    return f"claim {name}: {told} {of}" + (" -3" if told == "talk" else "")


def recorded(match: Match, text: str) -> bool:
    """Record an entry if it is legal, and check that judging it shows the same."""
    try:
        ruling = match.judge(text)
    except Failure as failure:
        with pytest.raises(type(failure)) as same:
            match.record(text)
        assert (same.value.message, same.value.hint) == (failure.message, failure.hint)
        return False
    if ruling.refused:
        with pytest.raises(Illegal) as refusal:
            match.record(text)
        assert refusal.value.ruling.text == ruling.text
        return False
    assert match.record(text).text == ruling.text
    return True


def meddled(seed: int, hands: str) -> tuple[Match, int]:
    """Insert claims, weights and waivers at random, and undo and repeat each of them.

    Returns the match and their number.
    """
    course, random, said = deal(seed, 2), Random(f"{seed} {hands}"), 0
    match = course.before
    for text in course.known if hands == "known" else course.unseen:
        with suppress(Failure):  # after a claim this entry may not fit any more
            match.record(text)
        while match.rounds and random.random() < 0.35 and not match.over:
            entry, before = something(match, random), seen(match)
            if not recorded(match, entry):
                assert seen(match) == before, entry
                continue
            said += 1
            after = seen(match)
            match.undo()
            assert seen(match) == before, entry
            match.record(entry)
            assert seen(match) == after, entry
    return match, said


@each
@pytest.mark.parametrize("hands", ["known", "unseen"])
def test_said_at_random_it_is_undone_exactly_and_told_again_the_same(
    hands: str, seed: int, tmp_path: Path
) -> None:
    match, _ = meddled(seed, hands)
    path = tmp_path / "deal.toml"
    write_record(match, path)
    found = verify_record(path)
    assert [played["scores"] for played in found["rounds"]] == [p.scores for p in match.rounds]
    assert found["scores"] == match.scores
    assert seen(read_record(path)) == seen(match)
    for lines in lines_of(match):  # the points of each class of penalties sum to zero
        for row in {line["code"] for line in lines if line["code"].startswith("penalties.")}:
            assert sum(line["points"] for line in lines if line["code"] == row) == 0


def test_there_are_claims_among_them() -> None:
    assert sum(meddled(seed, "known")[1] for seed in SEEDS) > 3 * len(SEEDS)


@each
def test_known_and_unseen_hands_come_to_the_same(seed: int) -> None:
    """Enter the same claim at both tables, if both may claim."""
    course, random = deal(seed), Random(seed)
    known, unseen = course.before, course.before.copy_from_start()
    hands = len(course.known) - len(course.unseen)
    for text in course.known[:hands]:
        known.record(text)
    for one, other in zip(course.known[hands:], course.unseen, strict=True):
        try:
            unseen.record(other)
        except Failure:  # only legal with known hands, or no longer fits after a claim
            break
        try:
            known.record(one)
        except Failure:
            unseen.undo()
            break
        for fault in unseen.state["faults"]:
            number = fault["entry"]
            same = [f for f in known.state["faults"] if f["entry"] == number + hands]
            who = [name for name in fault["may"] if same and name in same[0]["may"]]
            words = [word for word in fault["choices"] if same and word in same[0]["choices"]]
            if who and words and random.random() < 0.5:
                name, word = random.choice(who), random.choice(words)
                unseen.record(f"claim {name}: {number} {word}")
                known.record(f"claim {name}: {number + hands} {word}")
                if known.rounds[0].over:
                    break
    if unseen.rounds[0].scores is not None:
        assert known.rounds[0].scores == unseen.rounds[0].scores
        assert known.scores == unseen.scores


@each
def test_to_go_on_is_to_waive(seed: int) -> None:
    """Compare a waiver with a played card: both give up the claim in the same way."""
    course = deal(seed)
    going, waiving = course.before, course.before.copy_from_start()
    for text in course.known:
        going.record(text)
        waiving.record(text)
        open_ = waiving.state["faults"]
        if open_ and any(fault["may"] for fault in open_):
            waiving.record("waive all")
        assert waiving.state["faults"] == []
    going.record("end")
    waiving.record("end")
    assert going.state["faults"] == []
    assert lines_of(going) == lines_of(waiving)
    assert going.scores == waiving.scores


@each
def test_a_note_that_is_put_in_anywhere_changes_no_score(seed: int) -> None:
    """Refuse the note if later entries refer to others by their numbers."""
    match, _ = meddled(seed, "known")
    random = Random(seed)
    for _ in range(6):
        number = random.randint(1, len(match.rounds))
        entry = random.randint(1, len(match.rounds[number - 1].entries) + 1)
        try:
            after = match.amended(number, entry, "note what was that", before=True)
        except Impossible as failure:
            assert "refers to an entry whose number would change" in failure.message
            continue
        assert after.scores == match.scores
        assert lines_of(after) == lines_of(match)
