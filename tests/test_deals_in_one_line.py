"""Deals entered in one line, in the players' own shorthand, in the order of `[result] form`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Failure, Match, load_ruleset, verify_record, write_record
from scorekeeper.notation.notation import Translator
from scorekeeper.session.live import Session
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from tests.helpers import match_of, program
from tests.test_dealt_games import begun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CASES = Path(__file__).parent / "cases"
TABLE = ["Ana", "Ben", "Cleo", "Dov"]


def side_of(case: dict[str, Any], seat: str) -> str:
    return next(side for side in ("NS", "EW") if seat in side)


def won_by(case: dict[str, Any], seats: str) -> int:
    return sum(winner in seats for winner in case["winners"])


def bridge(case: dict[str, Any]) -> str:
    facts = case["facts"]
    if not facts["contract"]:
        return "passed out"
    level, contract = facts["contract"][0], facts["contract"][1:]
    doubles = len(contract) - len(contract.rstrip("X"))
    over = facts["tricks"] - 6 - int(level)
    text = f"{over:+}" if over else "="
    return f"{level}{contract.rstrip('X')}{'x' * doubles} {facts['declarer']} {text}"


def tarot(case: dict[str, Any]) -> str:
    facts = case["facts"]
    taker = facts["taker"]
    line = f"{facts['contract']} {taker} {case['points']['taker']} {facts['bouts']}"
    if facts["petit_au_bout"]:
        others = next(seat for seat in case["players"] if seat != taker)
        line += f" petit {taker if facts['petit_au_bout'] == 'taker' else others}"
    return line


def klaverjas(case: dict[str, Any]) -> str:
    facts = case["facts"]
    side = side_of(case, facts["maker"])
    pit = won_by(case, side) == 8
    line = f"{facts['trump']} {facts['maker']} {'pit' if pit else case['points'][side]}"
    for own in ("NS", "EW"):
        roem = sum(points for _, which, points in facts["roem"] if which == own)
        line += f" roem {own[0]} {roem}" if roem else ""
    return line


def schieber(case: dict[str, Any]) -> str:
    facts = case["facts"]
    declarer = case["players"][0]
    side = side_of(case, declarer)
    points = "match" if won_by(case, side) == 9 else case["points"][side]
    stoeck = f" stoeck {facts['stock']['who']}" if facts["stock"] and facts["stock"]["said"] else ""
    return f"{facts['contract']} {declarer} {points}{stoeck}"


def sueca(case: dict[str, Any]) -> str:
    points = "bandeira" if won_by(case, "NS") == 10 else case["points"]["NS"]
    return f"S {points}"


def pinochle(case: dict[str, Any]) -> str:
    facts = case["facts"]
    bidder = facts["bidder"]
    side = side_of(case, bidder)
    other = "EW" if side == "NS" else "NS"
    melds, points = facts["meld_points"], facts["card_points"]
    line = f"{facts['bid']}{facts['trump']} {bidder} {melds[side]} {points[side]}"
    return line + (f" meld {other[0]} {melds[other]}" if melds[other] else "")


def five_hundred(case: dict[str, Any]) -> str:
    facts = case["facts"]
    if not facts["contract"]:
        return "passed out"
    contractor = facts["contractor"]
    tricks = won_by(case, side_of(case, contractor))
    return f"{facts['contract']} {contractor} {tricks}"


def oh_hell(case: dict[str, Any]) -> str:
    bids = {who: bid for who, bid, _ in case["bids"]}
    return " ".join(f"{bids[who]}/{case['facts']['took'][who]}" for who in case["players"])


def preferans(case: dict[str, Any]) -> str:
    facts = case["facts"]
    line, won = f"{facts['contract']} {facts['declarer']}", facts["tricks"]
    whisters = [who for who, word in facts["whist"].items() if word == "whist"]
    if not whisters:
        return f"{line} pass"
    return f"{line} {won[facts['declarer']]} whist " + " ".join(
        f"{who} {won[who]}" for who in whisters
    )


def schnapsen(case: dict[str, Any]) -> str:
    winner = max(case["scores"], key=case["scores"].get)
    return f"{winner} {case['scores'][winner]}"


GAMES: dict[str, Callable[[dict[str, Any]], str]] = {
    "bridge": bridge,
    "tarot": tarot,
    "klaverjas": klaverjas,
    "schieber": schieber,
    "sueca": sueca,
    "pinochle": pinochle,
    "preferans": preferans,
    "five-hundred": five_hundred,
    "oh-hell": oh_hell,
    "schnapsen": schnapsen,
}


def all_cases() -> Iterator[Any]:
    for game, line_of in GAMES.items():
        lines = (CASES / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            case = json.loads(line)
            yield pytest.param(case, line_of(case), id=f"{game}-{number}-{line_of(case)}")


@pytest.mark.parametrize(("case", "line"), list(all_cases()))
def test_a_deal_scores_the_same_in_one_line_as_card_by_card(
    case: dict[str, Any], line: str
) -> None:
    match = begun(case, hands=False, ruleset=case["game"])
    match.record(line)
    assert match.rounds[-1].scores == case["scores"]


REFUSED = [  # the game, the line, the reason, what would be possible
    ("bridge", "4S Ana +4", "“+4” would be 14 tricks, but there are 13", "-10 to +3 is possible"),
    ("bridge", "7NT Ana +1", "“+1” would be 14 tricks", "-13 to = is possible"),
    ("bridge", "8S Ana -2", "8 cannot be bid", "1, 2, 3, 4, 5, 6, 7"),
    ("bridge", "4S Zoe =", "no player is called “Zoe”", "players are Ana, Ben, Cleo, Dov"),
    (
        "bridge",
        "4S Ana",
        "not a complete result yet",
        "BID CONTRACT DECLARER = or +TRICKS or -TRICKS",
    ),
    ("bridge", "4S Ana 1", "may mean tricks above or below the bid", "enter +1 or -1"),
    ("bridge", "4S Ana many", "“many” is not a number of tricks", "or +TRICKS or -TRICKS"),
    ("bridge", "4Sxxx Ana =", "cannot be doubled 3 times; the maximum is twice", ""),
    ("bridge", "4Q Ana =", "“Q” is not a contract", "the contracts are nt, spades"),
    ("bridge", "S Ana =", "a bid begins with a number, not “S”", "the form is BID CONTRACT"),
    ("bridge", "4S Ana = fox Ben", "“fox” is not a special point", "the form is BID CONTRACT"),
    ("tarot", "garde Ana 51 4", "bouts=4: the number must be from 0 to 3", ""),
    ("tarot", "garde Ana 92 2", "92 card points are too many; there are 91", ""),
    ("tarot", "garde Ana 51", "not a complete result yet", "CONTRACT DECLARER POINTS BOUTS"),
    ("tarot", "garde Ana 51 2 petit", "the result must state who has petit", "petit NAME"),
    ("tarot", "garde Ana 51 2 petit Ana petit Ben", "petit cannot be counted twice", ""),
    ("klaverjas", "H Ana 163", "163 card points are too many; there are 162", ""),
    ("klaverjas", "H Ana 161", "adds up to 161 card points", ""),
    ("klaverjas", "H Ana 112 roem 30", "roem 30 is not possible", "the nearest are 20 and 40"),
    ("klaverjas", "H Ana pit roem Ben 20", "Ben has won no trick, so Ben cannot have roem", ""),
    ("klaverjas", "H Ana 112 roem", "a number must follow “roem”", "roem NAME POINTS"),
    ("klaverjas", "H Ana 112 runs Ana", "“runs” is not a special point", "roem"),
    ("schieber", "H Ana 158", "158 card points are too many; there are 157", ""),
    ("schieber", "H Ana 101 weis 30", "no announcements are worth 30 points", "20 and 40"),
    (
        "schieber",
        "H Ana 101 weis Ana 50 Ben 50",
        "announcements of only one side count",
        "leave out",
    ),
    ("sueca", "Ana 121", "121 card points are too many; there are 120", ""),
    ("sueca", "Ana 119", "no set of cards adds up to 119", ""),
    ("pinochle", "255H Ana 120 140", "255 cannot be bid", "100, 110, 120"),
    ("pinochle", "250H Ana 125 140", "no announcements are worth 125 points", "120 and 130"),
    ("pinochle", "250H Ana 120 251", "251 card points are too many; there are 250", ""),
    ("pinochle", "250H Ana 120", "not a complete result yet", "BID CONTRACT DECLARER MELDS POINTS"),
    ("five-hundred", "7H Ana 11", "11 is not between 0 and 10", ""),
    ("five-hundred", "7H Ana +4", "“+4” would be 11 tricks, but there are 10", "-7 to +3"),
    ("five-hundred", "misere Ana =", "this contract has no number", "a number from 0 to 10"),
    ("five-hundred", "8 misere Ana 0", "misère is named without a number", "type misère"),
    ("preferans", "5H Ana 6 whist Ben", "5 cannot be bid", "6, 7, 8, 9, 10"),
    ("preferans", "6H Ana 5", "the result must state the words of Ben and Cleo", "whist Ben"),
    ("preferans", "6H Ana 7 whist Ben Cleo", "how many tricks Ben has won", "Cleo:NUMBER"),
    ("preferans", "6H Ana 7 whist Ben 4", "the result states 11 tricks", ""),
    (
        "preferans",
        "6H Ana 7 whist Ana",
        "Ana chooses no word in this deal",
        "only Ben and Cleo speak",
    ),
    ("preferans", "6H Ana 7 half Ben", "“half” is not possible for Ben now", ""),
    ("preferans", "6H Ana 7 whist Ben Ben", "a player is named twice", ""),
    ("preferans", "all pass Ana 3", "how many tricks Ben has won", "Cleo:NUMBER"),
    ("oh-hell", "2/2 4/4 3/3 0/0", "the result states 9 tricks, but there are 10 in all", ""),
    ("oh-hell", "2/2 4/4 4/4", "the numbers of 3 players, not of 4", "Ana, Ben, Cleo, Dov"),
    ("oh-hell", "11/2 0/4 0/4 0/0", "11 is not between 0 and 10", ""),
    ("oh-hell", "2/2 3/4 3/2 2/2", "the bids may not come to the number of cards", ""),
    ("schnapsen", "Ana 4", "a deal is not worth 4", "it is worth 1, 2, 3"),
]


def table_of(game: str) -> Match:
    return match_of(game, TABLE[: {"schnapsen": 2, "preferans": 3}.get(game.partition("-c")[0], 4)])


@pytest.mark.parametrize(("game", "line", "reason", "legal"), REFUSED)
def test_a_line_that_contradicts_itself_or_the_rules_is_refused(
    game: str, line: str, reason: str, legal: str
) -> None:
    match = table_of(game)
    with pytest.raises(Failure) as refused:
        match.record(line)
    assert reason in str(refused.value)
    assert legal in f"{refused.value} {refused.value.hint}"
    assert not match.rounds or not match.rounds[-1].over


RECORDED = [  # the game, the line, the entry that it means, the score of Ana
    ("bridge", "4S A +1", "result contract=spades bid=4 declarer=Ana tricks=Ana:11", 450),
    ("bridge", "3ntX b -2", "result contract=nt bid=3 doubled=1 declarer=Ben tricks=Ben:7", 300),
    ("bridge", "4S Ana 10", "result contract=spades bid=4 declarer=Ana tricks=Ana:10", 420),
    (
        "bridge",
        "2HXX Cleo =",
        "result contract=hearts bid=2 doubled=2 declarer=Cleo tricks=Cleo:8",
        640,
    ),
    ("bridge", "passed out", "result passed", 0),
    (
        "tarot",
        "garde sans Ana 41 2 petit Ben",
        "result contract=garde-sans declarer=Ana points=41 bouts=2 specials=Ben:petit",
        180,
    ),
    (
        "tarot",
        "garde Ana 91 3 slam chelem Ana poignee Ben",
        "result contract=garde declarer=Ana points=91 bouts=3 tricks=Ana:all"
        " holdings=Ana:chelem+Ben:poignee",
        1740,
    ),
    ("klaverjas", "H Ana 112", "result contract=hearts declarer=Ana points=112", 112),
    (
        "klaverjas",
        "spades Ana 112 roem 40 Ben 70",
        "result contract=spades declarer=Ana points=112 roem=Ana:40+Ben:70",
        152,
    ),
    (
        "klaverjas",
        "H Ben pit roem 50",
        "result contract=hearts declarer=Ben tricks=Ben:8 roem=Ben:50",
        0,
    ),
    (
        "klaverjas",
        "H Ana 60 roem Ben 20",
        "result contract=hearts declarer=Ana points=60 roem=Ben:20",
        0,
    ),
    (
        "schieber",
        "obenabe Ana 101 weis Ana 150",
        "result contract=obenabe declarer=Ana points=101 holdings=Ana:150",
        753,
    ),
    (
        "schieber",
        "S Cleo match weis Ana 70 stoeck Cleo",
        "result contract=spades declarer=Cleo tricks=Cleo:9 holdings=Ana:70+Cleo:stoeck",
        694,
    ),
    ("sueca", "Ben 29", "result points=Ben:29", 2),
    ("sueca", "Cleo bandeira", "result tricks=Cleo:10", 4),
    (
        "pinochle",
        "250H Ana 120 140 meld Ben 40",
        "result contract=hearts bid=250 declarer=Ana holdings=Ana:120+Ben:40 points=140",
        260,
    ),
    ("five-hundred", "7H Ana +1", "result contract=hearts bid=7 declarer=Ana tricks=Ana:8", 200),
    ("five-hundred", "8NT Ana -1", "result contract=nt bid=8 declarer=Ana tricks=Ana:7", -320),
    ("five-hundred", "misère Ana 0", "result contract=misere declarer=Ana tricks=Ana:0", 250),
    (
        "five-hundred",
        "open misère Ana 2",
        "result contract=open-misere declarer=Ana tricks=Ana:2",
        -500,
    ),
    (
        "oh-hell",
        "2/2 3-4 2/2 2/2",
        "result bid=Ana:2+Ben:3+Cleo:2+Dov:2 tricks=Ana:2+Ben:4+Cleo:2+Dov:2",
        12,
    ),
    (
        "preferans",
        "6H Ana 7 whist Ben 1 Cleo 2",
        "result contract=hearts bid=6 declarer=Ana tricks=Ana:7+Ben:1+Cleo:2"
        " says=Ben:whist+Cleo:whist",
        42,
    ),
    ("preferans", "misere Ana 2", "result contract=misere declarer=Ana tricks=Ana:2", -400),
    ("preferans", "all pass Ana 3 Ben 4", "result contract=all-pass tricks=Ana:3+Ben:4", 10),
    ("schnapsen", "A 3", "score Ana: +3", 3),
    ("schnapsen-counted", "Ben 2", "score Ben: +2", 0),
]


FIVE = [  # the line, the taker's side, the scores
    ("garde Ana+Ben 51 2", "Ana+Ben", [140, 70, -70, -70, -70]),
    ("garde A+B 51 2 petit D", "Ana+Ben", [100, 50, -50, -50, -50]),
    ("garde Ana+Ana 51 2", "Ana", [280, -70, -70, -70, -70]),
]


@pytest.mark.parametrize(("line", "side", "scores"), FIVE)
def test_the_partner_is_named_with_the_declarer(line: str, side: str, scores: list[int]) -> None:
    players = [*TABLE, "Eva"]
    match = match_of("tarot-five", players)
    match.record(line)
    assert f"declarer=Ana taker={side} points=51 bouts=2" in match.rounds[-1].entries[0]
    assert match.rounds[-1].scores == dict(zip(players, scores, strict=True))
    with pytest.raises(Failure, match="the result must state who is taker"):
        match.record("garde Ana 51 2")


@pytest.mark.parametrize(("game", "line", "entry", "score"), RECORDED)
def test_a_line_is_recorded_as_the_entry_that_it_means(
    game: str, line: str, entry: str, score: int, tmp_path: Path
) -> None:
    match = table_of(game)
    assert match.judge(line).verdict == "legal"
    match.record(line)
    assert match.rounds[-1].entries == [entry]
    scores = match.rounds[-1].scores
    assert scores is not None
    assert scores["Ana"] == score
    write_record(match, tmp_path / "one.toml")
    report = verify_record(tmp_path / "one.toml")
    assert report["ok"], report["findings"]
    assert match.undo() == entry
    assert match.rounds == []


def test_words_that_were_chosen_stay_with_the_result() -> None:
    match = table_of("preferans")
    before = (
        "Ana: 6H",
        "Ben: pass",
        "Cleo: pass",
        "talon AH TC",
        "Ana: take",
        "Ana: bury 2",
        "Ana: 6H",
    )
    for entry in (*before, "Ben: whist"):
        match.record(entry)
    with pytest.raises(Failure, match="according to the entries, Ben has chosen whist"):
        match.record("result tricks=Ana:7 says=Cleo:whist")
    match.record("result tricks=Ana:7")
    assert match.rounds[-1].scores == {"Ana": 42, "Ben": -42, "Cleo": 0}


CLAIMED = [  # the game, entries, wrong results with their reasons, a right one, Ana's score
    (
        "bridge",
        "Ana: 1NT / pass / pass / pass / Ben: 2C / Cleo: 3C / Dov: 4C / Ana: AC",
        {"1NT Ana -7": "Ana has won at least 1 trick, not 0", "2NT Ana =": "Ana has bid 1NT"},
        "1NT Ana +1",
        120,
    ),
    (
        "sueca",
        "dealer Dov / turnup 2H / Ana: AC / Ben: 2C / Cleo: 3C / Dov: 4C",
        {
            "Ana 10": "according to the entries, Ana has 11, not 10",
            "Ben bandeira": "Ana has 11, not 0",
        },
        "Ana 91",
        2,
    ),
    (
        "oh-hell",
        "turnup 2H / bid 2 / bid 3 / bid 2 / bid 2 / Ana: AC / Ben: 2C / Cleo: 3C / Dov: 4C",
        {"2/3 2/1 2/3 2/3": "Ben has bid 3", "2/0 3/3 2/4 2/3": "Ana has won at least 1 trick"},
        "2/2 3/4 2/2 2/2",
        12,
    ),
]


@pytest.mark.parametrize(("game", "before", "wrong", "line", "score"), CLAIMED)
def test_a_deal_that_is_claimed_is_ended_by_a_line(
    game: str, before: str, wrong: dict[str, str], line: str, score: int
) -> None:
    match = table_of(game)
    for entry in before.split(" / "):
        match.record(entry)
    for text, reason in wrong.items():
        with pytest.raises(Failure) as refused:
            match.record(text)
        assert reason in str(refused.value)
    match.record(line)
    scores = match.rounds[-1].scores
    assert scores is not None
    assert scores["Ana"] == score


def test_a_line_may_replace_another_when_a_record_is_amended() -> None:
    match = table_of("bridge")
    match.record("4S Ana +1")
    match.record("3NT Ben =")
    amended = match.amended(1, 1, "4S Ana -1")
    assert [each.scores["Ana"] for each in amended.rounds if each.scores] == [-50, -400]
    assert match.rounds[0].scores == {"Ana": 450, "Ben": -450, "Cleo": 450, "Dov": -450}


def test_a_board_of_bridge_needs_at_most_ten_keys() -> None:
    for line, score in (("4S N +1", 450), ("3NTx E -2", 300), ("6NT S =", 990)):
        assert len(line) + len("\n") <= 10
        match = match_of("bridge", ["Nora", "Emil", "Sara", "Wim"])
        match.record(line)
        assert match.rounds[-1].scores == {
            "Nora": score,
            "Emil": -score,
            "Sara": score,
            "Wim": -score,
        }


SPOKEN = [  # the game, the language, the line, the entry
    ("bridge", "de", "4 Pik Ana +1", "result contract=spades bid=4 declarer=Ana tricks=Ana:11"),
    ("bridge", "fr", "4 piques Ana =", "result contract=spades bid=4 declarer=Ana tricks=Ana:10"),
    ("bridge", "de", "durchgepasst", "result passed"),
    ("bridge", "fr", "passe générale", "result passed"),
    ("tarot", "fr", "garde contre Ana 51 2 petit au bout Ben",
     "result contract=garde-contre declarer=Ana points=51 bouts=2 specials=Ben:petit"),
    ("tarot", "fr", "garde Ana 51 2 double poignée Ben",
     "result contract=garde declarer=Ana points=51 bouts=2 holdings=Ben:double-poignee"),
    ("klaverjas", "de", "Herz Ana Durchmarsch", "result contract=hearts declarer=Ana tricks=Ana:8"),
    ("schieber", "de", "Rosen Ana Matsch", "result contract=hearts declarer=Ana tricks=Ana:9"),
    ("schieber", "de", "oben Ana 101 Weis Ana 50 Stöck Ben",
     "result contract=obenabe declarer=Ana points=101 holdings=Ana:50+Ben:stoeck"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "language", "line", "entry"), SPOKEN)
def test_a_line_is_read_in_the_words_of_its_players(
    game: str, language: str, line: str, entry: str
) -> None:
    match = table_of(game)
    translator = Translator(match.notation, language)
    match.record(translator.to_canonical(line))
    assert match.rounds[-1].entries == [entry]


def test_a_new_match_suggests_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    said = program("new", "bridge", *TABLE)
    assert said.code == 0
    assert said.out.rstrip().endswith('scorekeeper record "4NT Ana ="')
    assert program("record", "4NT Ana =").code == 0


@pytest.mark.parametrize(
    ("game", "form", "example"),
    [
        ("bridge", "BID CONTRACT DECLARER = or +TRICKS or -TRICKS", "4NT Ana ="),
        ("tarot", "CONTRACT DECLARER POINTS BOUTS", "petite Ana 56 1"),
        ("sueca", "NAME POINTS", "Ana 100"),
        ("pinochle", "BID CONTRACT DECLARER MELDS POINTS", "130C Ana 60 100"),
        ("five-hundred", "BID CONTRACT DECLARER TRICKS", "8S Ana 8"),
        ("oh-hell", "BID/TRICKS of each player in turn", "3/3 3/3 2/2 3/2"),
    ],
)
def test_help_shows_the_form_of_a_line_and_an_example(
    game: str, form: str, example: str, tmp_path: Path
) -> None:
    with Book(tmp_path / "book.sqlite") as book:
        live = Session([begin_match(book, load_ruleset(game), TABLE)]).current
        said = live.help()
        assert f"A whole deal in one line: {form}" in said
        assert said[1].endswith(f"or for a whole round: {example}")
        assert not live.match.judge(example).refused
