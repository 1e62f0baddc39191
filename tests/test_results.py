"""Results entered as a whole: every rule that they can prove broken applies, nothing is guessed,
and the scores equal those of play."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scorekeeper import Illegal, Impossible, Match, Unreadable, load_ruleset
from tests.helpers import match_of, program
from tests.inside import bound, state_of
from tests.random_play import Evening

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
SEED, DDV = "doppelkopf", "doppelkopf-ddv"
NORMAL = "result contract=normal re=Ana+Ben points=130"
SHORT = {"phases": {"auction": {"deals": 4}}, "match": {"ends": "deals >= 4"}}


def table(*entries: str, name: str = SEED, **options: object) -> Match:
    match = match_of(name, FOUR, **options)
    for text in entries:
        for entry in match.notation.split_line(text):
            match.record(entry)
    return match


def refused(match: Match, text: str) -> str:
    """Return the code of the only finding; `record` and `judge` refuse the result for the same
    reason."""
    judged = match.judge(text)
    with pytest.raises(Illegal) as caught:
        match.record(text)
    assert [f.as_json() for f in judged.findings] == [
        f.as_json() for f in caught.value.ruling.findings
    ]
    [finding] = judged.findings
    assert finding.cite
    return finding.code


def changes(match: Match) -> list[int] | None:
    return match.rounds[-1].changes


# --- sides


@pytest.mark.parametrize("name", [SEED, DDV])
def test_a_result_does_not_take_who_is_proven_so_far_for_the_whole_side(name: str) -> None:
    match = table("all: gesund", "Ana: QC", name=name)
    say = r"who is re; the entries so far show only Ana.*re=Ana\+"
    with pytest.raises(Unreadable, match=say):
        match.record("result points=5")
    match.record("Ben: QC")
    match.record("result points=200")
    assert changes(match) == [3, 3, -3, -3]


def test_a_result_needs_no_side_that_play_has_proven() -> None:
    match = table("Ana: damensolo", "all: gesund", "result points=121")
    assert changes(match) == [3, -1, -1, -1]
    match = table("all: gesund", "QC QC QS QS", "result points=121")
    assert changes(match) == [1, 1, -1, -1]


def test_a_partner_who_is_still_looked_for_is_not_guessed_either() -> None:
    match = table("Ana: hochzeit", "all: gesund", "AC KC 9C TC")
    with pytest.raises(Unreadable, match="who is re"):
        match.record("result points=121")
    with pytest.raises(Impossible, match="Ana is re"):
        match.record("result re=Ben+Cleo points=121")
    ruling = match.record("result re=Ana+Ben points=121")
    assert ruling.findings == ()


@pytest.mark.parametrize(
    ("contract", "word"), [("normal", "to have held QC QC"), ("hochzeit", "found no partner")]
)
def test_a_lone_name_counts_three_times_and_a_note_says_so(contract: str, word: str) -> None:
    match = table()
    ruling = match.record(f"result contract={contract} re=Cleo points=121")
    assert changes(match) == [-1, -1, 3, -1]
    [finding] = ruling.findings
    assert (finding.code, finding.severity) == ("parties.alone", "note")
    assert word in finding.reason
    assert "three times" in finding.reason
    assert "re=Cleo+NAME" in finding.reason


def test_nothing_is_noted_of_who_is_known_to_be_alone() -> None:
    assert table().record("result contract=damensolo re=Ana points=121").findings == ()
    match = table("all: gesund", "QC AD 9D JD", "holds Ana: QC")
    assert match.record("result re=Ana points=121 specials=re:fox").findings == ()


def test_a_side_that_the_cards_rule_out_is_impossible() -> None:
    hand = "hand Ana: QC 9D AC AC AS AS AH AH KC KC KS KS"
    with pytest.raises(Impossible, match="another player is re too"):
        table(hand, "result contract=normal re=Ana points=121")
    with pytest.raises(Impossible, match="Ana is re"):
        table(hand, "result contract=normal re=Ben+Cleo points=121")
    assert table(hand, "result contract=normal re=Ana+Ben points=121").rounds[0].over


# --- reservations


@pytest.mark.parametrize(
    "said",
    [
        "contract=normal re=Ana+Ben",
        "contract=gesund re=Ana+Ben",
        "contract=hochzeit re=Ana+Ben",
        "contract=hochzeit re=Ben",
        "contract=damensolo re=Ben",
        "contract=damensolo lust re=Ana",
        "contract=lust+damensolo re=Ana",
    ],
)
def test_a_result_does_not_pass_over_a_solo_that_is_owed(said: str) -> None:
    match = table(name=DDV, **SHORT)
    assert refused(match, f"result {said} points=130") == "auction.owed"
    assert match.rounds == []
    match.record("result contract=damensolo re=Ana points=130")
    assert match.standing["carry"]["auction"]["played"] == [0]
    assert refused(match, NORMAL) == "auction.owed"


def test_after_twenty_results_the_solos_that_are_owed_are_forced() -> None:
    match = table(name=DDV)
    for _ in range(20):
        match.record(NORMAL)
    assert refused(match, NORMAL) == "auction.owed"
    assert refused(match, "Ana: gesund") == "auction.owed"
    for name in FOUR:
        match.record(f"result contract=piksolo re={name} points=130")
    assert match.over


def test_a_result_that_breaks_a_rule_may_stand_by_the_tables_decision() -> None:
    match = table(name=DDV, **SHORT)
    ruling = match.record(f"{NORMAL} !stands")
    assert [finding.code for finding in ruling.findings] == ["auction.owed"]
    assert changes(match) == [1, 1, -1, -1]
    again = match.copy_from_start()
    again.play_round([NORMAL])
    assert [finding.code for _, finding in again.rounds[0].findings] == ["auction.owed"]
    assert changes(again) == [1, 1, -1, -1]


def test_a_result_is_taken_before_the_phase_that_it_speaks_of_has_begun() -> None:
    gifts = {"cite": "5.1", "cards": 3, "to": "across", "before": "auction"}
    match = table(NORMAL, phases={"give": gifts})
    assert changes(match) == changes(table(NORMAL))


@pytest.mark.parametrize("said", ["damensolo lust", "damensolo+lust", "lust+damensolo"])
def test_a_solo_may_be_said_to_be_voluntary(said: str) -> None:
    match = table(f"result contract={said} re=Ben points=130", name=DDV)
    assert match.standing["carry"]["auction"]["played"] == []
    assert match.standing["dealer"] == 0
    owed = table("result contract=damensolo re=Ben points=130", name=DDV)
    assert owed.standing["carry"]["auction"]["played"] == [1]
    assert owed.standing["dealer"] == 3


def test_only_a_solo_is_voluntary_and_only_some_wishes_are_raised() -> None:
    for said in ("normal lust", "gesund+lust", "hochzeit+lust", "normal keine90", "lust", ""):
        with pytest.raises(Unreadable):
            table(f"result contract={said} re=Ana points=130")
    match = table("result contract=piksolo+keine90 re=Ana points=160")
    assert changes(match) == [18, -6, -6, -6]
    solo = "result contract=piksolo+keine90 re=Ana points=160"
    assert refused(table(name=DDV), solo) == "auction.raisable"


def test_what_everyone_has_said_stands_against_a_result() -> None:
    match = table("Ana: hochzeit")
    for said in ("normal re=Ana+Ben", "damensolo re=Ben", "hochzeit re=Ben+Cleo"):
        with pytest.raises(Impossible, match="Ana said hochzeit"):
            match.record(f"result contract={said} points=130")
    match = table("Ana: piksolo")
    with pytest.raises(Impossible, match="Ana said piksolo"):
        match.record("result contract=karosolo re=Ben points=130")
    match.record("result contract=damensolo re=Ben points=130")
    match = table("Ana: vorbehalt")
    assert refused(match, "result contract=normal re=Ana+Ben points=130") == "auction.kind"
    match.record("result contract=piksolo re=Ana points=130")


def test_what_is_played_stands_against_a_result() -> None:
    match = table("Ana: damensolo lust", "all: gesund", name=DDV)
    for said in ("piksolo", "normal", "gesund"):
        with pytest.raises(Impossible, match="damensolo lust is being played"):
            match.record(f"result contract={said} points=130")
    match.record("result contract=damensolo points=130")
    assert match.standing["carry"]["auction"]["played"] == []


def test_a_hand_that_was_entered_rules_a_wish_out() -> None:
    hands = [f"hand {name}: 9C 9C AC AC AS AS AH AH KC KC KS KS" for name in FOUR[:1]]
    match = table(*hands)
    assert refused(match, "result contract=hochzeit re=Ana points=130") == "auction.needs"
    # possible, because Ben may have held the cards
    match.record("result contract=hochzeit re=Ana+Ben points=130")


def test_who_found_nobody_has_won_the_tricks_that_could_find_a_partner() -> None:
    for said in ("points=0", "points=4", "points=130 tricks=re:2", "points=240 tricks=kontra:10"):
        with pytest.raises(Impossible, match="tricks"):
            table(f"result contract=hochzeit re=Cleo {said}")
    assert table("result contract=hochzeit re=Cleo+Ana points=0").rounds[0].over
    with pytest.raises(Impossible, match="at least 1"):
        table("result contract=hochzeit re=Cleo+Ana points=0 tricks=re:0")
    match = table("result contract=hochzeit re=Cleo points=130")
    assert bound(match.replay_round(match.rounds[0]))["contract"] == "karosolo"


def test_a_deal_that_is_annulled_takes_nothing_else() -> None:
    match = table("result contract=neugeben")
    assert changes(match) == [0, 0, 0, 0]
    assert match.standing["dealer"] == 3
    with pytest.raises(Unreadable, match="re"):
        table("result contract=neugeben re=Ana")


# --- calls


TWO_TRICKS = ["all: gesund", *(["AC", "TC", "KC", "9C"]), *(["AS", "TS", "KS", "9S"])]


@pytest.mark.parametrize("name", [SEED, DDV])
def test_a_call_of_a_result_must_still_have_been_in_time(name: str) -> None:
    said = "result re=Ana+Ben points=130 calls="
    match = table(*TWO_TRICKS, name=name)
    assert refused(match, f"{said}re:re") == "calls.in-time"
    assert "Ana or Ben" in match.judge(f"{said}re:re").findings[0].reason
    both = match.judge(f"{said}re:re+kontra:kontra").findings
    assert {finding.code for finding in both} == {"calls.in-time"}
    match = table(*TWO_TRICKS[:1], "Ana: re", *TWO_TRICKS[1:], name=name)
    match.record(f"{said}re:re+re:keine90")


def test_a_reply_of_a_result_is_in_time_by_the_call_it_replies_to() -> None:
    plays = ["all: gesund", *TWO_TRICKS[1:5], "Ana: AS", "Ben: TS"]
    match = table(*plays, name=DDV)  # Ana and Ben still hold ten cards, Cleo and Dan eleven
    said = "result re=Ana+Ben points=130 calls="
    assert refused(match, f"{said}re:re") == "calls.in-time"
    assert refused(match, f"{said}kontra:kontra+re:re+re:keine90") == "calls.after-reply"
    assert refused(table(*plays), f"{said}kontra:kontra+re:re") == "calls.in-time"
    match.record(f"{said}re:re+kontra:kontra")


def test_calls_of_a_deal_that_began_in_the_middle_are_not_judged() -> None:
    match = table("hand Ana: 8", "all: gesund")
    match.record("result contract=normal re=Ana+Ben points=130 calls=re:re")
    assert match.rounds[0].over


# --- card points, tricks, special points


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("points=164 specials=re:doppelkopf+re:doppelkopf+re:doppelkopf+re:doppelkopf", "168"),
        ("points=200 tricks=re:1", "1 trick is worth"),
        ("points=100 tricks=re:2 specials=re:doppelkopf+re:doppelkopf+re:doppelkopf", "tricks"),
        ("points=239", "no set of cards"),
        ("points=2 specials=kontra:fox re=Ana+Ben", "twice"),
    ],
)
def test_results_that_no_deal_comes_to(said: str, word: str) -> None:
    with pytest.raises((Impossible, Unreadable), match=word):
        table(f"result contract=normal re=Ana+Ben {said}")


def test_special_points_whose_cards_have_been_played_can_come_no_more() -> None:
    match = table("all: gesund", *(["AD", "TD", "KD", "9D"]), *(["AD", "TD", "KD", "9D"]))
    with pytest.raises(Impossible, match="fox"):
        match.record("result re=Ana+Ben points=130 specials=kontra:fox")


def test_with_one_trick_to_come_its_cards_go_to_one_side() -> None:
    match, said = whole_deal(SEED, "damensolo", 3)
    entries = [text for text in match.rounds[0].entries if not text.startswith("hand")]
    plays = [index for index, text in enumerate(entries) if text.split()[-1] in _kinds(match)]
    begun, accepted = table(*entries[: plays[-4]]), set()
    for points in range(241):
        try:
            begun.judge(
                f"result points={points} {said[said.index('calls=') : said.index('tricks=')]}"
            )
        except Impossible:
            continue
        accepted.add(points)
    counted = state_of(match.replay_round(match.rounds[0]), "counting").totals.points[0]
    assert counted in accepted
    assert len(accepted) <= 2


# --- a true result


def _kinds(match: Match) -> tuple[str, ...]:
    return match.ruleset.pack.kinds


def _members(match: Match, side: int) -> tuple[int, ...]:
    parties = match.replay_round(match.rounds[0]).sides
    assert parties is not None
    return parties.members(side)


def whole_deal(name: str, wish: str, seed: int) -> tuple[Match, str]:
    """Return a random legal deal with calls, and its result as an entry."""
    random = Random(seed)
    match = Match(load_ruleset(name), FOUR)
    cards = [kind for kind in match.ruleset.pack.kinds for _ in range(2)]
    while True:
        random.shuffle(cards)
        if wish != "hochzeit" or cards[:12].count("QC") == 2:
            break
    for seat, who in enumerate(FOUR):
        match.record(f"hand {who}: {' '.join(cards[seat * 12 : seat * 12 + 12])}")
    match.record(f"Ana: {wish}")
    match.record("all: gesund")
    while not match.rounds[0].over:
        legal = match.legal()
        plays = [text for text in legal if text.split()[-1] in _kinds(match)]
        others = [text for text in legal if text not in plays]
        calls = [text for text in others if text.split()[-1] not in ("rest", "concede")]
        text = random.choice(calls if calls and random.random() < 0.15 else plays)
        match.record(text if text in plays else _for_a_side(match, text))
    return match, result_of(match, wish)


def _for_a_side(match: Match, text: str) -> str:
    """Return a call with its side, which an observer without hands could not know."""
    who, _, call = text.partition(": ")
    sides = match.state["sides"]
    side = next(side for side in sides if who in sides[side])
    return text if call.split()[0] in sides else f"{who}: {side} {call}"


def result_of(match: Match, wish: str) -> str:
    rnd = match.replay_round(match.rounds[0])
    counted, sides = state_of(rnd, "counting"), list(rnd.rules.section("parties"))
    called = state_of(rnd, "calls").calls_by_side
    calls = [f"{side}:{call}" for side, has in zip(sides, called, strict=True) for call in has]
    specials = [
        f"{sides[side]}:{special}"
        for (special, side), count in counted.specials.items()
        for _ in range(count)
    ]
    return (
        f"result contract={'normal' if wish == 'gesund' else wish}"
        f" re={'+'.join(rnd.names_of(_members(match, 0)))} points={counted.totals.points[0]}"
        f" calls={'+'.join(calls)} specials={'+'.join(specials)}"
        f" tricks=re:{counted.totals.tricks[0]}"
    )


@pytest.mark.parametrize("name", [SEED, DDV])
@pytest.mark.parametrize("wish", ["gesund", "hochzeit", "damensolo", "karosolo"])
def test_a_true_result_closes_a_deal_at_any_moment_and_scores_as_play(name: str, wish: str) -> None:
    for seed in range(4):
        match, said = whole_deal(name, wish, seed)
        texts = match.rounds[0].entries
        hidden = [text for text in texts if not text.startswith("hand")]
        random = Random(seed)
        for entries in (texts, hidden):
            for cut in [0, *random.sample(range(len(entries)), 4)]:
                ruling = (begun := table(*entries[:cut], name=name)).record(said)
                assert ruling.verdict == "legal", (said, entries[:cut], ruling)
                assert changes(begun) == changes(match), (said, entries[:cut])
                assert begun.standing["carry"] == match.standing["carry"]
                assert begun.standing["dealer"] == match.standing["dealer"]


# --- Da Ban: points that no side gets


LEFT = ("trump H", "master Ana", "kitty 3C 4C 5C KC KD 8D")
TAKEN = ("trump H", "master Ana", "kitty 3H 4C 5C KC KD 8D", "Ana: take")


def da_ban(*entries: str, name: str = "da-ban", names: list[str] = FOUR) -> Match:
    return match_of(name, names, *entries)


def accepts(match: Match, *points: int) -> list[int]:
    found = []
    for number in points:
        try:
            match.judge(f"result points={number}")
        except Impossible:
            continue
        found.append(number)
    return found


@pytest.mark.parametrize(
    ("entries", "most"),
    [
        (LEFT[:2], 300),
        (LEFT, 275),  # the master must leave the kitty
        ((*LEFT, "Ana: leave"), 275),
        (TAKEN, 300),
        ((*TAKEN, "Ana: bury 6"), 300),
        ((*TAKEN, "Ana: bury 3H 4C 5C KC KD 8D"), 275),
        ((*TAKEN, "Ana: bury KS KS KS TS TS TS"), 240),
    ],
)
def test_points_that_were_seen_to_go_to_nobody_are_in_no_result(
    entries: tuple[str, ...], most: int
) -> None:
    assert accepts(da_ban(*entries), *range(most - 20, 305, 5)) == list(
        range(most - 20, most + 5, 5)
    )
    with pytest.raises(Impossible, match=f"can reach {most}" if most < 300 else "from 0 to 300"):
        da_ban(*entries, "result points=300" if most < 300 else "result points=305")


def test_the_points_of_a_result_are_sums_of_the_cards_that_are_out() -> None:
    fives = "5C 5C 5C 5S 5S 5S"
    match = da_ban("trump H", "master Ana", f"kitty {fives}", "Ana: leave")
    for text in ("Ana: 5D", "Ben: 5D", "Cleo: 5D", "Dan: 5H"):
        match.record(text)
    for text in ("Dan: 5H", "Ana: 5H", "Ben: 9H", "Cleo: 9H"):
        match.record(text)
    points = [match.state["players"][name]["points"] for name in FOUR]
    assert points == [0, 10, 0, 20]  # all fives have been played
    assert accepts(match, 20, 25, 30, 35, 40, 265, 270, 275, 280) == [30, 40, 270]


@pytest.mark.parametrize("seed", range(4))
def test_true_points_close_a_deal_of_levels_at_any_moment(seed: int) -> None:
    evening = Evening("da-ban", seed, players=4, full=True, wrong=0, result=0).play(1)
    whole = evening.match
    texts = [said.known if seed % 2 else said.unseen for said in evening.all()]
    texts = [text for text in texts if text]
    opponents = whole.state["bindings"]["opponents"]["points"]
    for cut in Random(seed).sample(range(len(texts)), 12):
        begun = da_ban(*texts[:cut])
        begun.record(f"result points={opponents}")
        assert begun.rounds[0].over
        if cut > texts.index(next(text for text in texts if text.startswith("master"))):
            assert changes(begun) == changes(whole)


def test_sheng_ji_counts_what_was_buried_alike() -> None:
    kitty = "kitty 3C 4C 5C KC KD 8D 9D TD"
    match = da_ban("trump H", "master Ana", kitty, "Ana: take", name="sheng-ji")
    match.record("Ana: bury 3C 4C 5C KC KD 8D 9D TD")
    assert accepts(match, 160, 165, 170, 200) == [160, 165]


# --- Durak and Dudo


@pytest.mark.parametrize(
    "name", ["durak", "durak-spades", "durak-transfer", "durak-spades-transfer"]
)
def test_a_draw_where_play_cannot_end_in_one_is_refused(name: str) -> None:
    match = match_of(name, FOUR)
    assert refused(match, "result draw") == "bouts.may-draw"
    assert "result loser=NAME" in match.judge("result draw").findings[0].reason
    assert match.rounds == []
    with pytest.raises(Unreadable, match="enter the result of a deal as loser=NAME"):
        match.record("result winner=Ana")
    assert [key for key, *_ in match.current_round.result_fields()] == ["loser"]
    out = {"phases": {"bouts": {"nobody": "defender"}}}
    assert refused(match_of("podkidnoy", FOUR, **out), "result draw") == "bouts.may-draw"
    for other in ("podkidnoy", "podkidnoy-teams"):
        assert match_of(other, FOUR, "result draw").rounds[0].over


def test_who_is_out_has_not_lost_unless_the_side_has() -> None:
    facts = ("trump H", "talon 0", "hand Ana: 0", "hand Ben: 3", "hand Cleo: 3", "hand Dan: 3")
    with pytest.raises(Impossible, match="Ana is out"):
        match_of("podkidnoy", FOUR, *facts, "result loser=Ana")
    assert match_of("podkidnoy-teams", FOUR, *facts, "result loser=Ana").scores["Cleo"] == 1


def test_nobody_gains_by_a_call_that_nobody_may_make() -> None:
    perudo = match_of("perudo", FOUR[:2])
    assert refused(perudo, "result gainer=Ana") == "bids.enough-players"
    assert match_of("perudo", FOUR[:3], "hand Ana: 2", "result gainer=Ana").scores["Ana"] == 3
    left = match_of("perudo", FOUR[:3], "hand Cleo: 0", "Ana: 2x3")
    assert refused(left, "result gainer=Ben") == "bids.enough-players"
    assert match_of("dudo", FOUR[:2], "hand Ana: 2", "result gainer=Ana").scores["Ana"] == 3
    assert match_of("dudo", FOUR[:2], "result gainer=Ana").scores["Ana"] == 5


NO_EXACT = {"outcomes": {"exactly-so": False, "not-exactly": False}}


def test_a_call_that_no_outcome_decides_cannot_be_said() -> None:
    match = match_of("dudo", FOUR[:2], "3x4", **NO_EXACT)
    assert match.prompt.endswith("or says dudo")
    assert not [text for text in match.legal() if "calzo" in text]
    for judging in (match.judge, match.record):
        with pytest.raises(Impossible, match="calzo is not played here"):
            judging("Ben: calzo")
    assert match.rounds[0].entries == ["Ana: 3x4"]
    with pytest.raises(Impossible, match="no call can make a player the gainer"):
        match.record("result gainer=Ben")
    assert [key for key, *_ in match.current_round.result_fields()] == ["loser"]
    match.record("Ben: dudo")
    match.record("count 0")
    assert match.scores == {"Ana": 4, "Ben": 5}


@pytest.mark.parametrize("name", ["durak", "durak-spades-transfer", "podkidnoy"])
def test_who_has_lost_may_be_said_at_any_moment(name: str) -> None:
    for seed in range(4):
        evening = Evening(name, seed, players=3, full=True, wrong=0, result=0).play(1)
        losers = evening.match.state["bindings"]["losers"]
        said = f"result loser={losers[0]}" if losers else "result draw"
        texts = [said.unseen for said in evening.all() if said.unseen]
        for cut in Random(seed).sample(range(2, len(texts)), 5):
            begun = match_of(name, evening.names, *texts[:cut])
            assert begun.record(said).findings == ()
            assert changes(begun) == changes(evening.match)


# --- games without results


@pytest.mark.parametrize("text", ["winners=7", "points=3", "tricks=Ana:9", "draw"])
def test_a_game_without_changing_sides_takes_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    folder = Path(__file__).parent / "rulesets"
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(folder))
    match = Match(load_ruleset("fixed-trump"), FOUR)
    for judging in (match.judge, match.record):
        with pytest.raises(Impossible, match="a round cannot be entered by its result"):
            judging(f"result {text}")
    assert match.current_round.result_fields() == []
    program("new", "fixed-trump", *FOUR)
    answer = program("record", f"result {text}")
    assert (answer.code, answer.err.count("not recorded")) == (2, 1)
    assert program("record", "--result").code == 2


KEYS = ["contract", "re", "points", "calls", "specials", "tricks", "loser", "gainer", "draw", "x"]
VALUES = [
    *("", "+", "Ana", "Ana+Ben", "Ana+Ben+Cleo", "Zoe", "0", "-1", "125", "240", "9" * 30),
    *("normal", "hochzeit", "neugeben", "damensolo lust", "lust", "lust+lust", "re:re", "re:fox"),
    *("kontra:kontra+re:keine90", "re:", ":re", "re:re:re", "re:0", "kontra:12", "re", "gesund"),
]


@pytest.mark.parametrize(
    "name", ["doppelkopf", "doppelkopf-ddv", "da-ban", "sheng-ji", "durak", "podkidnoy", "perudo"]
)
def test_whatever_a_result_says_it_is_judged_or_refused_with_a_reason(name: str) -> None:
    random = Random(name)
    begun = {"perudo": ["Ana: 2x3"], "doppelkopf": ["Ana: vorbehalt"]}.get(name, [])
    match = match_of(name, FOUR, *begun)
    for _ in range(300):
        keys = random.sample(KEYS, random.randint(1, 5))
        pairs = [f"{key}={random.choice(VALUES)}" for key in keys]
        before = match.state
        try:
            match.judge(f"result {' '.join(pairs)}")
        except (Impossible, Unreadable) as failure:
            assert failure.message.strip()
        assert match.state == before


# --- claims of the rest, and penalties


def test_the_rest_is_claimed_by_who_is_known_to_play_alone() -> None:
    match = table("all: gesund", "QC AD 9D JD")
    with pytest.raises(Impossible, match=r"not yet known whether Ana plays alone.*holds Ana: QC"):
        match.record("Ana: rest")
    match.record("holds Ana: QC")
    match.record("Ana: rest")
    assert changes(match) is not None
    one = "hand Ana: QC 9D AC AC AS AS AH AH KC KC KS KS"
    assert refused(table(one, "all: gesund"), "Ana: rest") == "tricks.rest"
    searching = table("Ana: hochzeit", "all: gesund")
    with pytest.raises(Impossible, match="play on"):
        searching.record("Ana: rest")
    both = table("Ana: gesund", "all: gesund", "QC QC QS QS")
    assert refused(both, "Ana: rest") == "tricks.rest"
    assert "rest" not in " ".join(table("all: gesund").legal())


def test_the_rest_holds_no_points_that_lie_aside() -> None:
    match = table("Ana: damensolo", "all: gesund", "QC 9H 9H KH", "Ana: rest")
    counted = state_of(match.replay_round(match.rounds[0]), "counting")
    assert counted.totals.points == (240, 0)


def test_a_penalty_that_depends_on_the_side_says_when_to_enter_it() -> None:
    match = table("all: gesund", "Ana: QC", "Ana: re", "Ana: keine90", name=DDV)
    with pytest.raises(Impossible, match=r"Ben's side is not known yet.*has shown the side"):
        match.record("penalty Ben: serious")
    match.record("Ben: QC")
    match.record("penalty Ben: serious")
    assert match.current_round.seating.tally[1] == -12
    match.record("penalty Cleo: serious")
    assert match.current_round.seating.tally[2] == 4 - 15


def test_a_result_that_is_only_tried_leaves_no_mistake_of_the_rules(tmp_path: Path) -> None:
    """Report no rule error for the real count if it occurs only for a trial count."""
    path = tmp_path / "odd-dudo.toml"
    path.write_text(
        'name = "odd-dudo"\nextends = "dudo"\n[outcomes.doubted-well]\n'
        'when = "12 // ((matching - 3) * (matching - 3)) >= 0 and matching < bid.count"\n'
    )
    match = Match(load_ruleset(str(path)), ["Ana", "Ben"])
    for text in ("Ana: 2x4", "Ben: dudo", "result loser=Ana"):
        match.record(text)
    assert match.rounds[0].scores == {"Ana": -1, "Ben": 0}


def test_no_key_of_a_result_is_asked_for_twice() -> None:
    """Both bidding and sides know the declarer, so this key could be repeated."""
    for name, count in (("skat", 3), ("schafkopf", 4)):
        match = match_of(name, ["Ana", "Ben", "Cleo", "Dan"][:count])
        keys = [key for key, *_ in match.current_round.result_fields()]
        assert "declarer" in keys
        assert len(keys) == len(set(keys))
