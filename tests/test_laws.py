"""Laws for any course of play under every shipped ruleset, checked on random evenings: replaying,
undoing, amending, querying, writing records, and the effect of unseen hands."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorekeeper import (
    Failure,
    Finding,
    Impossible,
    Match,
    Ruling,
    load_ruleset,
    read_record,
    verify_record,
    write_record,
)
from tests.effort import tries
from tests.helpers import SHIPPED
from tests.random_play import DICE, Evening, Said, evening, rules_of

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = tries(2)
FEW = 60
each = pytest.mark.parametrize("name", SHIPPED)
seeded = pytest.mark.parametrize("seed", SEEDS)


def entries(match: Match) -> list[list[str]]:
    return [list(played.entries) for played in match.rounds]


def told(match: Match) -> tuple[object, ...]:
    """Return all that a match shows."""
    return (
        entries(match),
        [(played.over, played.scores, list(map(repr, played.lines))) for played in match.rounds],
        match.standing,
        match.state,
        match.legal(),
    )


def retyped(match: Match, rounds: list[list[str]]) -> Match:
    """Return a match with these rounds recorded, even if entries in them are illegal."""
    again = Match(match.ruleset, match.players)
    for texts in rounds:
        again.play_round(texts)
    return again


# --- writing and reading


@each
@seeded
def test_what_is_written_is_read_as_the_same(name: str, seed: int) -> None:
    match = evening(name, seed).match
    for text in [text for texts in entries(match) for text in texts]:
        assert match.notation.split_line(text) == [text]
        assert match.notation.read(text).text == text
    for text in match.legal():
        if "…" not in text:
            assert match.notation.read(text).text == text


@each
@seeded
def test_a_record_reads_as_the_match_and_is_written_with_the_same_bytes(
    name: str, seed: int, tmp_path: Path
) -> None:
    match = evening(name, seed).match
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    write_record(match, first)
    again = read_record(first)
    write_record(again, second)
    assert first.read_bytes() == second.read_bytes()
    assert told(again) == told(match)
    report = verify_record(first)
    assert [row["scores"] for row in report["rounds"]] == [row.scores for row in match.rounds]
    undecided = [row for row in report["findings"] if row["decision"] is None]
    assert {row["verdict"] for row in undecided} <= {"open"}
    assert report["ok"]


@each
@seeded
def test_the_state_is_plain_json_and_stays_as_it_was_when_it_was_asked_for(
    name: str, seed: int
) -> None:
    match, states = evening(name, seed).fresh(), []
    for said in evening(name, seed).all():
        if said.known:
            match.record(said.known)
            states.append((match.state, json.dumps(match.state)))
    assert all(json.loads(text) == state for state, text in states)


# --- replaying, undoing, amending


@each
@seeded
def test_replay_and_retyping_equal_live(name: str, seed: int) -> None:
    match = evening(name, seed).match
    assert told(retyped(match, entries(match))) == told(match)
    again = evening(name, seed).fresh()
    for text in (text for texts in entries(match) for text in texts):
        again.record(text)
    assert told(again) == told(match)


@each
@seeded
def test_undo_goes_all_the_way_back(name: str, seed: int) -> None:
    played = evening(name, seed, FEW)
    match, before = played.fresh(), []
    for said in played.all():
        if said.known:
            before.append((said.known, match.state, match.standing, entries(match)))
            match.record(said.known)
    for text, *earlier in reversed(before):
        assert match.undo() == match.notation.read(text).text
        assert [match.state, match.standing, entries(match)] == earlier
    assert match.rounds == []
    assert told(match) == told(played.fresh())


@each
@seeded
def test_an_amendment_equals_retyping(name: str, seed: int) -> None:
    """Replace an entry, insert one before it, or remove it."""
    match, random = evening(name, seed, FEW).match, Random(seed)
    before, pool = told(match), [text for texts in entries(match) for text in texts]
    for _ in range(4):
        number = random.randrange(len(match.rounds))
        at = random.randint(1, len(match.rounds[number].entries))
        texts = random.sample(pool, random.randint(0, 2))
        insert = bool(texts) and random.random() < 0.3
        amended = match.amended(number + 1, at, *texts, before=insert)
        assert told(match) == before
        rounds = entries(match)
        rounds[number][at - 1 : at - insert] = texts
        assert told(amended) == told(retyped(match, [part for part in rounds if part]))


# --- queries


@each
@seeded
def test_asking_changes_nothing_and_what_is_listed_is_not_illegal(name: str, seed: int) -> None:
    played = Evening(name, seed).play(2, 8 + 9 * seed)
    match, random = played.match, Random(seed)
    before, legal = told(match), [text for text in match.legal() if "…" not in text]
    for text in random.sample(legal, min(12, len(legal))):
        assert match.judge(text).verdict != "illegal", text
    for said in random.sample(played.all(), min(5, len(played.all()))):
        try:
            match.judge(said.known)
        except Failure as failure:
            assert failure.message.isprintable()
    assert told(match) == before


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.sampled_from(SHIPPED))
@example("=;\ud7fc", "belote")
@example("=;\x1b[31m", "dudo")
def test_whatever_is_typed_is_answered(text: str, name: str) -> None:
    match = evening(name, 0, 3).fresh()
    try:
        for entry in match.notation.split_line(text):
            match.judge(entry)
    except Failure as failure:
        assert failure.message.isprintable()
        assert failure.hint.isprintable()
    assert match.rounds == []


# --- scores


@each
@seeded
def test_scores_are_what_their_lines_say_and_make_the_tallies(name: str, seed: int) -> None:
    """Dice or lives that are stated at the start set the tally and are in no round's score."""
    match = evening(name, seed).match
    tally = dict.fromkeys(match.players, match.ruleset.numbers.start(len(match.players)))
    sides_of = match.ruleset.sides["number"] or len(match.players)
    for count, played in enumerate(match.rounds, 1):
        of = retyped(match, entries(match)[:count]).state["sides"]
        assert dict(zip(match.players, played.before["tally"], strict=True)) == tally
        for text in played.entries:
            if name in DICE and text.startswith(("hand ", "standing ")):
                who, _, number = text.partition(" ")[2].partition(": ")
                tally[who] = int(number)
        if played.scores is not None:
            for seat, (who, change) in enumerate(played.scores.items()):
                sides = [side for side, names in of.items() if who in names]
                ours = set(match.players[seat % sides_of :: sides_of])
                mine = [line for line in played.lines if ours.intersection(line.to.split("+"))]
                mine += [line for line in played.lines if line.to in sides and line not in mine]
                assert change == sum(line.points for line in mine)
                tally[who] += change
    if match.rounds[-1].over:
        assert match.scores == tally


ZERO_SUM = [name for name in SHIPPED if load_ruleset(name).tally["zero_sum"]]


@pytest.mark.parametrize("name", ZERO_SUM)
@pytest.mark.parametrize("seed", range(1, 17, 2))
def test_where_one_wins_what_the_others_lose_scores_sum_to_zero(name: str, seed: int) -> None:
    """Leave out penalties that are entered as a number."""
    scored = [played for played in evening(name, seed).match.rounds if played.scores]
    assert scored
    for played in scored:
        beside = sum(line.points for line in played.lines if line.code == "penalty")
        assert sum((played.scores or {}).values()) == beside


def test_some_rulesets_sum_to_zero() -> None:
    assert len(ZERO_SUM) >= 2


# --- unseen hands


def own(ruling: Ruling) -> str:
    """Return the verdict on the entry itself, without the earlier findings that it settles."""
    found = {finding.verdict for finding in ruling.findings if finding not in ruling.settled}
    return next((verdict for verdict in ("illegal", "open") if verdict in found), "legal")


def blamed(ruling: Ruling) -> list[Finding]:
    """Return the findings that prove an earlier entry illegal."""
    return [finding for finding in ruling.settled if finding.verdict == "illegal"]


def asks_for_a_result(match: Match, text: str) -> bool:
    """Return whether an entry would end play while a number on which the score depends, such as the
    matadors of Skat, is unseen. The referee then asks for the result of the deal."""
    try:
        match.judge(text)
    except Impossible as failure:
        return "enter its result" in failure.hint
    return False


@each
@pytest.mark.parametrize("seed", range(8))
def test_hands_that_are_known_never_contradict_hands_unseen(name: str, seed: int) -> None:
    """Compare the same play with known hands and with unseen ones, or with one or two known hands.

    A verdict with unseen hands is open or equals the one with known hands. No player who obeyed the
    rules is proven to have broken one. Where both rounds have a score, it is the same.
    """
    played = evening(name, seed)
    unseen, numbered = played.fresh(), list[Said]()
    shown = tuple(f"hand {who}: " for who in played.names[: seed % 3])
    for part in played.said:
        numbered.clear()
        for said in part:
            text = said.known if said.known.startswith(shown) else said.unseen
            if not text:
                continue
            numbered.append(said)
            if asks_for_a_result(unseen, text):
                return
            ruling = unseen.record(text)
            assert own(ruling) in ("open", "illegal" if said.illegal else "legal"), said
            for finding in blamed(ruling):
                assert numbered[finding.facts["entries"][0] - 1].illegal, (said, finding)
    for known, found in zip(played.match.rounds, unseen.rounds, strict=True):
        assert found.scores in (None, known.scores)
    for side, names in unseen.state["sides"].items():
        assert set(names) <= set(played.match.state["sides"][side])
    assert unseen.state["players"].keys() == played.match.state["players"].keys()


WITH_CARDS = [name for name in SHIPPED if rules_of(name).pack.kinds]
DRAWING = [name for name in WITH_CARDS if "stock" in rules_of(name).phases]
PROVING = [name for name in WITH_CARDS if "bouts" not in rules_of(name).phases]


@pytest.mark.parametrize("name", PROVING)
@pytest.mark.parametrize("seed", [1, 3, 5])
def test_a_fault_is_proven_when_the_deal_is_seen_or_stays_to_be_told(name: str, seed: int) -> None:
    """Check that every fault is detected although the hands are unseen.

    An entry that is illegal with known hands is illegal at once, proven later, or still open at
    the end; it is never cleared. If every card was seen in the end, nothing that a card can
    prove is open.
    """
    played = Evening(name, seed, full=True, wrong=0.15, result=0).play(1, 150)
    unseen, faults = played.fresh(), set[int]()
    number = 0
    for said in played.all():
        if said.unseen:
            number += 1
            ruling = unseen.record(said.unseen)
            if said.illegal and own(ruling) == "open" and not said.known.endswith("withdrawn"):
                faults.add(number)
    live = unseen.live_round
    verdicts = {at: {f.verdict for f in live.log[at - 1].findings} for at in faults}
    proven = {at for at in faults if "illegal" in verdicts[at]}
    blamed_at = {
        finding.facts["entries"][0]
        for logged in live.log
        for finding in logged.findings
        if finding.verdict == "illegal" and finding.facts.get("entries")
    }
    left = faults - proven - blamed_at
    assert all("open" in verdicts[at] for at in left)
    if live.over and not live.hands.unseen:
        assert not left


@each
@pytest.mark.parametrize("seed", range(8))
def test_what_may_be_done_by_known_hands_may_be_done_by_unseen_ones(name: str, seed: int) -> None:
    played = Evening(name, seed).play(1, 10 + 7 * seed)
    unseen = played.fresh()
    for said in played.all():
        if said.unseen and asks_for_a_result(unseen, said.unseen):
            return
        if said.unseen:
            unseen.record(said.unseen)
    if played.over or played.draws:
        return
    for text in played.match.legal():
        if "…" not in text and "bury" not in text and not asks_for_a_result(unseen, text):
            assert unseen.judge(text).verdict in ("legal", "open"), text


@pytest.mark.parametrize("name", [name for name in WITH_CARDS if name not in DRAWING])
@seeded
def test_everyone_holds_as_many_cards_as_were_dealt_to_them(name: str, seed: int) -> None:
    """Compare the match's card counts with a second count that does not know the rules."""
    played = Evening(name, seed)
    for _ in range(FEW):
        played.step()
        if played.hands and not played.over:
            players = played.match.state["players"]
            held = {who: players[who]["cards"] for who in played.hands}
            assert held == {who: len(hand) for who, hand in played.hands.items()}
