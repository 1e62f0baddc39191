"""Short forms of entries: a text means the only entry that fits now, or is refused with all
candidates. The stored entry is always complete."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from scorekeeper import (
    Failure,
    Impossible,
    Match,
    Unreadable,
    load_ruleset,
    read_record,
    verify_record,
    write_record,
)
from scorekeeper.notation.notation import Translator
from scorekeeper.session.completion import Completer
from tests.helpers import SHIPPED, match_of, program
from tests.random_play import DICE, evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

BOUTS = [name for name in SHIPPED if "bouts" in rules_of(name).phases]
RESULTS = [name for name in SHIPPED if rules_of(name).data.get("result")]
THREE = ["Ana", "Ben", "Cleo"]
FOUR = [*THREE, "Dan"]


def said(match: Match, text: str) -> str:
    """Return the entry that a text means, as it would be stored."""
    return match.judge(text).entry


def refused(match: Match, text: str) -> str:
    """Return the error message for a text that cannot be read or played."""
    with pytest.raises((Impossible, Unreadable)) as raised:
        match.judge(text)
    return str(raised.value)


def durak(*entries: str, rules: str = "durak") -> Match:
    """Return a deal of Durak for three with spades as trumps, led by Ana."""
    return match_of(rules, THREE, "trump S", "lead Ana", *entries)


# --- a card in a bout


def test_a_bare_card_is_the_lead_and_the_cover() -> None:
    match = durak()
    assert said(match, "6C") == "Ana: attack 6C"
    match.record("6c")
    assert said(match, "8C") == "Ben: cover 6C 8C"
    assert said(match, "Ben: 8♣") == "Ben: cover 6C 8C"
    match.record("8C")
    assert match.rounds[0].entries[-2:] == ["Ana: attack 6C", "Ben: cover 6C 8C"]


def test_a_bare_card_covers_the_one_attack_that_it_can() -> None:
    match = durak("6C", "Ana: 6D")
    assert said(match, "8D") == said(match, "cover 8D") == "Ben: cover 6D 8D"
    for text in ("7S", "cover 7S", "Ben: 7S"):
        why = refused(match, text)
        assert "Ben: cover 6C 7S” or “Ben: cover 6D 7S" in why


def test_what_is_a_cover_or_a_transfer_is_refused_with_both() -> None:
    match = durak("6C", rules="durak-transfer")
    assert "“Ben: cover 6C 6S” or “Ben: transfer 6S”" in refused(match, "6S")
    assert said(match, "cover 6S") == "Ben: cover 6C 6S"
    assert said(match, "6D") == "Ben: transfer 6D"  # the six covers nothing
    assert said(match, "7C") == "Ben: cover 6C 7C"
    match.record("6D")
    assert match.rounds[0].entries[-1] == "Ben: transfer 6D"
    assert said(durak("6C"), "6S") == "Ben: cover 6C 6S"  # these rules have no transfer


def test_a_card_that_breaks_a_rule_is_told_which() -> None:
    ruling = durak("6C").judge("QD")
    assert ruling.entry == "Ben: cover 6C QD"
    assert "bouts.beats" in [finding.code for finding in ruling.findings]
    wrong = durak("6C").record("QD !stands")
    assert wrong.entry == "Ben: cover 6C QD !stands"


@pytest.mark.parametrize("decision", ["", " !stands", " !withdrawn"])
def test_nobody_is_accused_where_somebody_else_may_have_laid_it(decision: str) -> None:
    match = durak("6C")
    why = refused(match, f"6D{decision}")
    assert f"“Ana: 6D{decision}”, “Cleo: 6D{decision}” or “Ben: cover 6C 6D{decision}”" in why
    assert said(match, "Cleo: 6D") == "Cleo: attack 6D"
    wrong = match.record("Ben: 6D !stands")  # the entry belongs to the player it names
    assert wrong.entry == "Ben: cover 6C 6D !stands"


def test_a_card_that_is_added_needs_its_name() -> None:
    match = durak("6C", "8C")
    assert "it may be Ana and Cleo" in refused(match, "8D")
    assert said(match, "Cleo: 8D") == "Cleo: attack 8D"
    assert "turn" in [finding.code for finding in durak().judge("Cleo: 8D").findings]


def test_a_hand_that_is_known_leaves_one_reading() -> None:
    match = durak("hand Ben: 7S 7C 8D 9D TD AH", "6C", "Ana: 6D")
    assert said(match, "7C") == "Ben: cover 6C 7C"


def _means(match: Match, text: str) -> str:
    """Return the entry that a text means, or "" if it is refused."""
    try:
        return said(match, text)
    except (Impossible, Unreadable):
        return ""


def test_pass_is_of_the_one_who_is_left() -> None:
    match = durak("6C", "8C")
    assert "“Ana: pass” or “Cleo: pass”" in refused(match, "pass")
    match.record("Cleo: pass")
    assert said(match, "pass") == "Ana: pass"


def test_a_written_round_may_be_short_and_is_kept_whole(tmp_path: Path) -> None:
    lines = ["trump S", "lead Ana", "6C", "8C", "Cleo: pass", "pass", "7D"]
    path = tmp_path / "short.toml"
    text = "\n".join(lines)
    head = f'format = 2\nruleset = "durak"\nplayers = {THREE}'
    path.write_text(f'{head}\n\n[[rounds]]\nentries = """\n{text}\n"""\n', encoding="utf-8")
    assert verify_record(path)["ok"]
    read = read_record(path)
    assert read.rounds[0].entries == match_of("durak", THREE, *lines).rounds[0].entries
    assert "Ben: attack 7D" in read.rounds[0].entries[-1]


def meant(legal: list[str], who: str, card: str) -> set[str]:
    """Return the player's legal acts that play this one card."""
    acts = [text.removeprefix(f"{who}: ").split() for text in legal if text.startswith(f"{who}: ")]
    return {
        f"{who}: {' '.join(act)}"
        for act in acts
        if act[-1] == card and len(act) == 2 + (act[0] == "cover")
        if act[0] in ("attack", "cover", "transfer")
    }


@pytest.mark.parametrize("unseen", [False, True])
@pytest.mark.parametrize("name", BOUTS)
def test_a_card_means_what_is_legal_alone_or_nothing(name: str, unseen: bool) -> None:
    played = evening(name, 1).match
    match, looked = Match(rules_of(name), played.players), 0
    for entry in played.rounds[0].entries[:50]:
        if looked < 8 and match.to_act and match.rounds and match.live_round.acted:
            looked += 1
            legal, turn = match.legal(), match.to_act[0]
            for card in match.ruleset.pack.kinds[looked % 3 :: 3]:
                for who in dict.fromkeys((turn, match.to_act[-1])):
                    means = meant(legal, who, card)
                    _hold_to(match, f"{who}: {card}", means)
                    covers = {text for text in means if " cover " in text}
                    _hold_to(match, f"{who}: cover {card}", covers)
                    if who == turn:
                        added = any(" pass" in text for text in legal if text.startswith(who))
                        _hold_to(match, card, set() if added else means)
        match.record(match.notation.hide_cards(entry) if unseen else entry)


def _hold_to(match: Match, typed: str, means: set[str]) -> None:
    """Check a short text: one possible meaning is taken; with several or none, no legal act is."""
    found = _means(match, typed)
    if len(means) == 1:
        assert {found} == means, (match, typed)
    elif found:
        assert not means, (match, typed)
        assert match.judge(found).verdict == "illegal", (match, typed)


# --- dice


def test_a_call_is_of_whose_turn_it_is_where_only_they_may_make_it() -> None:
    match = match_of("dudo", THREE, "3x4")
    assert said(match, "dudo") == "Ben: dudo"
    assert said(match, "calzo") == "Ben: calzo"
    others = match_of(
        "dudo", THREE, "3x4", phases={"bids": {"caller": {"exact": {"who": "others"}}}}
    )
    assert "“Ben: calzo” or “Cleo: calzo”" in refused(others, "calzo")
    assert said(others, "dudo") == "Ben: dudo"
    assert "who made the entry" in refused(match_of("dudo", THREE), "dudo")
    assert "no player may do that now: Ana starts" in refused(match_of("dudo", THREE), "dudo")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ana 8c", "did you mean “Ana: 8C”?"),
        ("Ben take", "did you mean “Ben: take”?"),
        ("all pass", "did you mean “all: pass”?"),
        ("Ana: +3", "did you mean “score Ana: +3”?"),
        ("Ana −3", "did you mean “score Ana: -3”?"),
        ("8C", "who adds these cards? it may be Ana and Cleo; type “Ana: 8C” or “Cleo: 8C”"),
    ],
)
def test_a_name_without_its_colon_and_a_card_without_a_name(typed: str, meant: str) -> None:
    match = match_of("durak", THREE, "trump H", "6S", "8S")
    assert meant in refused(match, typed)


def test_a_written_round_of_dice_may_be_short() -> None:
    match = Match(rules_of("dudo"), THREE)
    match.play_round(["3x4", "4x4", "dudo", "2"])
    assert match.rounds[0].entries == ["Ana: 3x4", "Ben: 4x4", "Cleo: dudo", "count 2"]
    match.play_round(["loser=Ana"])
    assert match.rounds[1].entries == ["result loser=Ana"]
    assert match.amended(1, 4, "5").rounds[0].entries[-1] == "count 5"


def test_right_after_a_doubt_a_number_is_the_count() -> None:
    match = match_of("dudo", THREE, "3x4")
    assert "has no meaning at this point" in refused(match, "4")
    match.record("dudo")
    assert said(match, "4") == "count 4"
    match.record("4")
    assert match.rounds[0].entries[-1] == "count 4"
    assert match.rounds[0].over
    assert "has no meaning at this point" in refused(match, "4")


def test_a_number_that_some_word_must_stand_before_is_told_which() -> None:
    match = match_of("hearts", FOUR)
    assert "did you mean “Ana: give 2”?" in refused(match, "Ana: 2")
    assert "did you mean “give 2”?" in refused(match, "2")


@pytest.mark.parametrize("name", DICE)
def test_a_call_means_the_legal_one_or_nothing(name: str) -> None:
    played = evening(name, 2).match
    match = Match(rules_of(name), played.players)
    for entry in [text for part in played.rounds[:3] for text in part.entries][:40]:
        legal = [text.partition(": ") for text in match.legal()] if match.to_act else []
        for word in {act for _, _, act in legal if act in match.prompt.split()}:
            may = [who for who, _, act in legal if act == word]
            found = _means(match, word)
            assert found == (f"{may[0]}: {word}" if len(may) == 1 else ""), (match, word)
        match.record(entry)


# --- calls


def test_a_call_without_a_name_is_of_who_alone_may_make_it() -> None:
    hands = (
        "hand Ana: QC QC AC AC TC TC KC KC 9C 9C AS AS",
        "hand Ben: QS QS QH QH QD QD JC JC JS JS JH JH",
    )
    match = match_of("doppelkopf", FOUR, *hands, "all: gesund")
    assert said(match, "re") == "Ana: re"
    unseen = match_of("doppelkopf", FOUR, "all: gesund")
    assert "“Ana: re”, “Ben: re”, “Cleo: re” or “Dan: re”" in refused(unseen, "re")


# --- results in a line


def test_a_result_begins_with_its_number() -> None:
    match = match_of("doppelkopf", FOUR)
    whole = "result contract=normal re=Ana+Ben points=132"
    assert said(match, "132 re=Ana+Ben") == said(match, "132 re=an+be") == whole
    assert said(match, "99 contract=damensolo re=Dan") == (
        "result contract=damensolo re=Dan points=99"
    )
    assert said(match, "points=132 contract=normal re=Ana+Ben") == (
        "result points=132 contract=normal re=Ana+Ben"
    )
    match.record("132 re=Ana+Ben calls=re")
    told = match_of("doppelkopf", FOUR, f"{whole} calls=re:re")
    assert match.scores == told.scores != match_of("doppelkopf", FOUR, whole).scores
    assert "entered twice" in refused(match, "120 points=120 re=Ana")


def test_a_call_of_a_result_needs_no_side_where_it_has_one() -> None:
    match = match_of("doppelkopf", FOUR)
    why = refused(match, "132 re=Ana+Ben calls=re+keine90")
    assert "calls=re:keine90 or calls=kontra:keine90" in why
    told = match.record("132 re=Ana+Ben calls=kontra+re:re")
    assert told.verdict == "legal"


@pytest.mark.parametrize(
    ("typed", "joined"),
    [
        ("140 re=Ana+Ben calls=Re,kontra:keine90", "calls=Re+kontra:keine90"),
        ("140 re=Ana+Ben calls=Re, kontra:keine90", "calls=Re+kontra:keine90"),
        ("140 re=Ana+Ben calls=re,kontra", "calls=re+kontra"),
        ("re=Ana,Ben", "re=Ana+Ben"),
    ],
)
def test_of_a_line_that_may_be_one_result_no_half_is_taken(typed: str, joined: str) -> None:
    match = match_of("doppelkopf", FOUR)
    with pytest.raises(Unreadable, match="after the comma is not an entry") as raised:
        match.notation.split_line(typed)
    assert raised.value.hint.endswith(f"with +: “{joined}”")
    for line in ("140 re=Ana+Ben, end", "140 re=Ana+Ben; Ana: gesund", "140 re=Ana+Ben, note x"):
        assert len(match.notation.split_line(line)) == 2


def test_a_results_number_may_stand_among_its_words_and_after_the_word() -> None:
    match = match_of("doppelkopf", FOUR)
    whole = "result contract=normal re=Ana+Ben points=132"
    for text in ("result 132 re=Ana+Ben", "re=Ana+Ben 132 contract=normal", "re=an+be 132"):
        assert sorted(said(match, text).split()) == sorted(whole.split())
    dudo = match_of("dudo", ["Ana", "Ben"], "2x3", "Ben: dudo")
    assert refused(dudo, "result 3").startswith("in this game, enter the result as loser=NAME")


def test_the_words_of_a_result_are_kept_small() -> None:
    match = match_of("doppelkopf", FOUR)
    for text in ("140 re=Ana+Ben calls=Re:RE", "140 re=Ana+Ben calls=re:Re"):
        assert "calls=re:re" in said(match, text)


def test_a_round_that_has_begun_is_closed_short_too() -> None:
    match = match_of("doppelkopf", FOUR, "all: gesund")
    assert said(match, "132 re=Ana+Ben") == "result re=Ana+Ben points=132"
    assert said(match, "re=Ana+Ben points=132") == "result re=Ana+Ben points=132"
    assert "has no meaning at this point" in refused(match, "132")
    alone = match_of("doppelkopf", FOUR, "Ana: damensolo", "all: gesund")
    assert said(alone, "132 re=Ana") == "result re=Ana points=132"
    assert said(match_of("dudo", THREE, "2x3"), "loser=Ben") == "result loser=Ben"
    assert said(match_of("dudo", THREE), "loser=An") == "result loser=Ana"


def test_da_bans_result_is_a_number() -> None:
    assert said(match_of("da-ban", FOUR), "185") == "result points=185"


@pytest.mark.parametrize("name", RESULTS)
def test_a_number_alone_is_a_result_or_says_what_is_missing(name: str) -> None:
    match = evening(name, 1).fresh()
    number = "61" if "auction" in rules_of(name).phases else "60"  # a bid that no player can make
    try:
        assert match.judge(number).entry.startswith("result ")
    except Failure as failure:
        said = f"{failure.message} {failure.hint}"
        missing = ("the result must ", "cannot be bid", "not a complete result yet", "did you mean")
        assert any(each in said for each in missing)


# --- a round by its value


def test_a_score_is_a_round_of_its_own() -> None:
    match = match_of("doppelkopf", FOUR)
    match.record("score Ana+Ben: +3")
    assert match.scores == {"Ana": 3, "Ben": 3, "Cleo": -3, "Dan": -3}
    assert {line.code for line in match.rounds[0].lines} == {"table.score"}
    match.record("score Ana: 3")
    assert match.rounds[1].entries == ["score Ana: +3"]
    assert match.scores == {"Ana": 6, "Ben": 2, "Cleo": -4, "Dan": -4}
    match.record("score Ana: +2 / Dan: -2")
    assert match.scores == {"Ana": 8, "Ben": 2, "Cleo": -4, "Dan": -6}
    assert [sum(line.points for line in played.lines) for played in match.rounds] == [0, 0, 0]
    assert match.undo() == "score Ana: +2 / Dan: -2"
    assert match.amended(1, 1, "score Ana+Ben: +1").scores["Ana"] == 4


def test_a_score_that_cannot_be_is_refused_with_the_reason() -> None:
    match = match_of("doppelkopf", FOUR)
    assert "cannot be divided among 3 other players" in refused(match, "score Ana: 4")
    assert "these add up to +1" in refused(match, "score Ana: 3 / Ben: -2")
    assert "these add up to +4" in refused(match, "score Ana+Ben+Cleo+Dan: 1")
    assert "named twice" in refused(match, "score Ana+Ana: 1")
    assert "a colon and points" in refused(match, "score Ana 3")
    assert "this round has begun" in refused(
        match_of("doppelkopf", FOUR, "all: gesund"), "score Ana: 3"
    )
    assert "Ana would have 6" in refused(match_of("dudo", THREE), "score Ana: 1")


def test_without_a_zero_sum_and_with_one_tally_for_two() -> None:
    skat = match_of("skat", THREE, "score Ana: -48")
    assert skat.scores == {"Ana": -48, "Ben": 0, "Cleo": 0}
    pairs = match_of("da-ban", FOUR, "score Ana: 2")
    assert pairs.scores == {"Ana": 5, "Ben": 3, "Cleo": 5, "Dan": 3}
    assert pairs.rounds[0].lines[0].to == "Ana+Cleo"
    assert "one side" in refused(match_of("da-ban", FOUR), "score Ana: 2 / Cleo: 1")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_score_ends_a_round_of_every_game(name: str, tmp_path: Path) -> None:
    match = evening(name, 1).fresh()
    match.record(f"score {match.players[0]}: {-1 if name in DICE else 0}")
    assert match.rounds[0].over
    assert match.rounds[0].scores is not None
    match.judge("note and on")
    write_record(match, tmp_path / "one.toml")
    assert "format = 3" in (tmp_path / "one.toml").read_text(encoding="utf-8")
    assert verify_record(tmp_path / "one.toml")["ok"]


def test_at_the_command_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "doppelkopf", *FOUR)
    assert "result contract=normal re=Ana+Ben points=132" in program("record", "132 re=Ana+Ben").out
    assert "score Ana: +3" in program("record", "score Ana: +3").out
    explained = program("score", "--explain", "2").out
    assert "score: Ana +3, Ben -1, Cleo -1, Dan -1" in explained
    assert "score Ana: +3" in program("status", "--log").out
    assert "+3" in program("sheet").out or "4" in program("sheet").out
    assert program("stats").code == 0
    assert "table.score" in program("export", "--format", "json").out


def test_letters_of_a_language_are_read_in_short_forms(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "durak", *THREE, "--language", "fr")
    told = program("record", "trump P", "lead Ana", "6C", "DC").out  # hearts, in French letters
    assert "Ana: attack 6H" in told
    assert "Ben: cover 6H QH" in told
    assert "cover 6H KH" in program("amend", "1.4", "RC", "--yes").out


def test_readings_are_named_as_the_match_is_typed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "durak-transfer", *THREE, "--language", "fr")
    program("record", "trump K", "lead Ana", "6T")
    both = program("judge", "6K").err
    found = re.findall(r"«\s(Ben: [^»]+?)\s»", both)
    assert len(found) == 2, both
    judged = [program("judge", text).out for text in found]
    assert ["cover 6C 6D" in judged[0], "transfer 6D" in judged[1]] == [True, True], (found, judged)
    assert "6K" in found[0]


# --- completions


def offered(match: Match, typed: str) -> list[str]:
    """Return the completions that the live table offers for the beginning of a line."""
    return [each.text for each in Completer(Translator(match.notation)).complete(match, typed)]


def test_short_forms_are_offered_where_they_work() -> None:
    match = durak("6C")
    assert offered(match, "8C") == offered(match, "cover 8C") == ["cover 6C 8C"]
    assert "pass" not in offered(durak("6C", "8C"), "pa")
    assert offered(durak("6C", "8C", "Cleo: pass"), "pa") == ["pass"]
    assert offered(match_of("dudo", THREE, "3x4"), "du") == ["dudo"]


# --- prompts

PLACES = ("NAME", "CARD", "SUIT", "N")


def fillings(match: Match, place: str) -> Iterable[str]:
    """Return the texts that may fill a placeholder of a form."""
    pack = match.ruleset.pack
    numbers = list(map(str, range(30)))
    return dict(zip(PLACES, (match.players, pack.kinds, pack.suits, numbers), strict=True))[place]


def forms(match: Match) -> Iterator[str]:
    """Yield the texts that the prompt offers: a word alone, or a word with its placeholder filled
    in every possible way."""
    for word, place in re.findall(r"([\w-]+) (NAME|CARD|SUIT|N)(?![\w…:])", match.prompt):
        yield "|".join(f"{word} {each}" for each in fillings(match, place))
    bare = {text.partition(": ")[2] for text in match.legal()}
    for word in re.findall(r"[\w-]+", match.prompt):
        if (
            word in bare
            and match.notation.entry_types.get(match.notation.find_meaning(word)) is not None
        ):
            yield word


def may_be_typed(match: Match, text: str) -> bool:
    """Return whether a text is legal as it is, or is refused only because its player is missing."""
    try:
        return match.judge(text).verdict != "illegal"
    except Unreadable as failure:
        return "“" in failure.hint and ": " in failure.hint
    except Failure:
        return False


@pytest.mark.parametrize("name", SHIPPED)
def test_what_a_prompt_names_may_be_typed(name: str) -> None:
    played = evening(name, 3, 60).match
    match, asked = Match(rules_of(name), played.players), set[str]()
    for entry in [text for part in played.rounds for text in part.entries][:80]:
        kind = re.sub(r"\d+|\b[2-9TJQKA][CDHS]\b|" + "|".join(match.players), "", match.prompt)
        if kind not in asked and not match.over:
            asked.add(kind)
            for form in forms(match):
                assert any(may_be_typed(match, text) for text in form.split("|")), (match, form)
        match.record(entry)


def test_old_entries_read_as_before() -> None:
    match = load_ruleset("durak")
    texts = ["trump S", "lead Ana", "Ana: attack 6C", "Ben: cover 6C 8C", "Ana: pass", "Cleo: pass"]
    played = Match(match, THREE)
    for text in texts:
        assert played.record(text).entry == text


def test_a_side_that_is_usually_two_is_not_taken_for_one() -> None:
    match = match_of("doppelkopf", FOUR)
    for text in ("132 re=Ana", "re=Ana 132", "result 132 re=ana"):
        assert refused(match, text) == (
            "did you forget a partner, or was Ana alone?;"
            " enter “132 re=Ana+NAME” or “132 re=Ana contract=normal”"
        )
    assert said(match, "132 re=Ana contract=normal") == "result re=Ana contract=normal points=132"
    assert "contract=fleischlos" in said(match, "132 re=Ana contract=fleischlos")
