"""Languages of a ruleset and of a match: typed entries, printed texts, and stored entries."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from random import Random

import pytest

from scorekeeper import Match, load_ruleset, read_record, verify_record
from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.engine.loading import check
from scorekeeper.notation.notation import Translator
from scorekeeper.session.live import LiveMatch, Session
from scorekeeper.store.book import Book
from scorekeeper.store.record import record_text
from scorekeeper.store.recorder import MatchRecorder, begin_match
from tests.helpers import SHIPPED, program, seated
from tests.terminal import Terminal

ROOT = Path(__file__).parent.parent
SPOKEN = [
    (name, code)
    for name in SHIPPED
    for code in sorted(load_ruleset(name).data.get("languages", {}))
]
FOUR = ["Ana", "Ben", "Cleo", "Dan"]
FRENCH = {"K": "R", "Q": "D", "N": "C", "J": "V", "T": "10"}
COULEURS = {"S": "P", "H": "C", "D": "K", "C": "T", "T": "A"}


@pytest.fixture(autouse=True)
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prepare an empty folder and a separate book."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)


def speech(ruleset: str, language: str = "", words: str = "") -> Translator:
    return Translator(Match(load_ruleset(ruleset), seated(ruleset)).notation, language, words)


def board(ruleset: str, language: str, *entries: str, words: str = "") -> LiveMatch:
    """Return the live table of a new match in the book."""
    book = Book("book.sqlite")
    desk = begin_match(book, load_ruleset(ruleset), seated(ruleset), language=language)
    desk.record(entries)
    return Session([desk], words).current


def stored() -> list[str]:
    """Return the entries of the book's last match."""
    with Book("book.sqlite", create=False) as book:
        return [text for played in MatchRecorder(book, book.match().id).full_match().rounds
                for text in played.entries]  # fmt: skip


# --- cards


@pytest.mark.parametrize(("ruleset", "code"), SPOKEN)
def test_every_card_and_suit_that_is_written_reads_back(ruleset: str, code: str) -> None:
    said = speech(ruleset, code)
    for kind, canonical in enumerate(said.canonical_notation.pack.kinds):
        assert said.spoken_notation.read_card(said.spoken_notation.kinds[kind]) == kind
        assert said.spoken_notation.read_card(said.spoken_notation.kinds[kind].lower()) == kind
        kept = f"holds Ana: {canonical}"
        assert said.to_canonical(said.to_spoken(kept)) == kept
    for suit in said.canonical_notation.lexicon.suits:
        assert said.spoken_notation.read_suit(said.spoken_notation.write_suit(suit)) == suit


@pytest.mark.parametrize(
    "ruleset", [name for name, code in SPOKEN if code == "fr" and load_ruleset(name).pack.kinds]
)
def test_french_letters_are_of_one_alphabet(ruleset: str) -> None:
    said = speech(ruleset, "fr")
    for kind, canonical in enumerate(said.canonical_notation.pack.kinds):
        rank, suit = (
            said.canonical_notation.pack.rank[kind],
            said.canonical_notation.pack.suit[kind],
        )
        if suit:
            french = FRENCH.get(rank, rank)
            assert said.spoken_notation.read_card(french + COULEURS[suit]) == kind
            if suit in "SCHD":
                symbol = "♠♣♥♦"["SCHD".index(suit)]
                assert said.spoken_notation.read_card(french + symbol) == kind
            assert said.spoken_notation.kinds[kind] == french + COULEURS[suit]
            if rank in "KQJ":
                assert (
                    said.spoken_notation.read_card(canonical) == kind
                )  # the program's own letters, not French ranks
            if rank in "KQJ" and suit != "C":
                with pytest.raises(Unreadable, match="is not a card of this pack"):
                    said.spoken_notation.read_card(french + suit)


@pytest.mark.parametrize(
    ("language", "typed", "card"),
    [
        ("fr", "DC", "QH"), ("fr", "dc", "QH"), ("fr", "10C", "TH"), ("fr", "TC", "TH"),
        ("fr", "AC", "AH"), ("fr", "KC", "KC"), ("fr", "QH", "QH"), ("fr", "♥D", "QH"),
        ("fr", "K♣", "KC"), ("fr", "RK", "KD"), ("fr", "10K", "TD"), ("fr", "9T", "9C"),
        ("de", "DC", "QC"), ("de", "BD", "JD"), ("de", "AC", "AC"), ("de", "10C", "TC"),
        ("en", "AC", "AC"), ("en", "♥10", "TH"),
        ("", "DP", "QS"), ("", "RC", "KH"), ("", "BS", "JS"), ("", "10C", "TC"), ("", "KC", "KC"),
        ("", "AC", "AC"), ("", "9T", "9C"), ("", "D♥", "QH"), ("", "♥V", "JH"),
    ],
)  # fmt: skip
def test_a_card_is_read_in_the_language_then_in_the_programs_letters(
    language: str, typed: str, card: str
) -> None:
    said = speech("doppelkopf", language)
    assert said.spoken_notation.pack.kinds[said.spoken_notation.read_card(typed)] == card


@pytest.mark.parametrize(
    ("language", "typed"),
    [("fr", "DH"), ("fr", "RS"), ("fr", "BH"), ("fr", "KK"), ("fr", "KP"), ("de", "DP"),
     ("de", "9K"), ("de", "VC"), ("en", "DC"), ("en", "RH"), ("", "RH"), ("", "KP"), ("", "BP")],
)  # fmt: skip
def test_letters_of_two_alphabets_are_no_card(language: str, typed: str) -> None:
    with pytest.raises(Unreadable, match="is not a card of this pack"):
        speech("doppelkopf", language).spoken_notation.read_card(typed)


def test_what_two_languages_read_differently_is_refused_with_both_readings() -> None:
    match = Match(load_ruleset("doppelkopf"), FOUR)
    match.record("all: gesund")
    for text in ("DC", "Ana: dc", "9C DC", "holds Ben: AC DC"):
        for entry in match.notation.split_line(text)[-1:]:
            with pytest.raises(Unreadable, match="means QC in de and QH in fr") as refused:
                match.record(entry)
            assert "describe --language" in refused.value.hint
    assert match.record("DP").entry == "Ana: QS"
    # A letter that only one language uses is read in that language.
    assert (
        speech("durak").spoken_notation.pack.kinds[speech("durak").spoken_notation.read_card("DP")]
        == "QS"
    )


@pytest.mark.parametrize(
    ("language", "typed", "suit"),
    [("fr", "C", "H"), ("fr", "t", "C"), ("fr", "H", "H"), ("fr", "♣", "C"), ("", "C", "C"),
     ("", "P", "S"), ("", "K", "D"), ("ja", "C", "C")],
)  # fmt: skip
def test_a_suit_alone_is_read_alike(language: str, typed: str, suit: str) -> None:
    assert speech("durak", language).to_canonical(f"trump {typed}") in (
        f"trump {suit}", f"trump {typed}",
    )  # fmt: skip
    assert speech("durak", language).spoken_notation.read_suit(typed) == suit


def test_a_suit_that_two_languages_read_differently_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'extends = "durak"\nname = "own"\ntitle = "Own"\n[languages.xx]\nsuits = { P = "D" }\n'
    )
    ruleset = check(str(path))[0]
    assert ruleset is not None
    match = Match(ruleset, FOUR)
    with pytest.raises(Unreadable, match="trump: “P” means S in fr and D in xx"):
        match.record("trump P")
    assert Translator(match.notation, "xx").to_canonical("trump P") == "trump D"
    assert match.record("trump T").entry == "trump C"


def test_a_card_may_be_called_by_a_word_and_is_kept_as_ever() -> None:
    called = {
        "words": {"QC": ["boss", "queen of the old clubs"]},
        "languages.fr.words": {"TH": ["le dix"], "9S": "petit"},
    }
    rules = load_ruleset("doppelkopf", **called)
    notation = Match(rules, FOUR).notation
    for text in ("Ana: boss", "Ana: queen of the old clubs", "Ana: DT"):
        assert notation.read(text).text == "Ana: QC"
    hand = "hand Ana: QC TH 9S"
    assert notation.read("hand Ana: Queen of the old clubs le dix petit").text == hand
    french = Translator(notation, "fr")
    assert french.to_spoken(hand) == "main Ana: DT le dix petit"
    assert french.to_canonical("main Ana: DT le dix petit") == hand


@pytest.mark.parametrize(
    ("ruleset", "number", "message"),
    [
        ("skat", "19", "words.19: the number 19 is not bid in this game"),
        ("dudo", "1", "words.1: the number 1 is not bid in this game; did you mean “face 1”?"),
    ],
)
def test_a_word_for_a_number_that_is_not_bid_is_a_fault(
    ruleset: str, number: str, message: str
) -> None:
    with pytest.raises(Failure) as raised:
        load_ruleset(ruleset, words={number: ["uno"]})
    assert message in str(raised.value)


@pytest.mark.parametrize(("ruleset", "code"), SPOKEN)
def test_whatever_is_typed_is_unreadable_or_reads_back(ruleset: str, code: str) -> None:
    said, random = speech(ruleset, code), Random(7)
    words = [
        *said.canonical_notation.lexicon.meanings,
        *said.spoken_notation.kinds,
        *said.canonical_notation.pack.kinds,
        "Ana:",
        "all:",
        "♥",
        "♥10",
        "DC",
        "\ufe0f",
        "…",
        "/",
        "!stands",
        "P",
        "K",
        "T",
        "3",
    ]
    for _ in range(400):
        text = " ".join(random.choice(words) for _ in range(random.randint(1, 5)))
        try:
            kept = [said.to_canonical(entry) for entry in said.spoken_notation.split_line(text)]
        except Unreadable:
            continue
        assert [said.to_canonical(said.to_spoken(entry)) for entry in kept] == kept
        assert [said.canonical_notation.read(entry).text for entry in kept] == kept


# --- faults of a ruleset


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ('suits = { C = "H" }', "“C” means both H and C"),
        ('ranks = { D = "Q", d = "J" }', "“D” means both Q and J"),
        ('ranks = { R = "X" }', "means nothing in the pack"),
        ('suits = { P = "Spades" }', "means nothing in the pack"),
        ('ranks = { ":" = "Q" }', "cannot be typed"),
        ("ranks = { R = 3 }", "must be"),
        ('suits = "PCKT"', "must be a table"),
        ('ranks = { 1 = "Q", 11 = "J" }\nsuits = { S = "S", 1S = "C" }', "is both"),
        ('ranks = { tak = "Q" }\nsuits = { E = "C" }', "and the word “take”"),
    ],
)
def test_letters_that_cannot_be_told_apart_are_a_fault(
    tmp_path: Path, language: str, message: str
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'extends = "durak"\nname = "own"\ntitle = "Own"\n[languages.xx]\n{language}\n')
    ruleset, _, faults = check(str(path))
    assert ruleset is None
    assert any(message in fault.message and "languages.xx" in fault.key for fault in faults), faults


def test_no_language_is_called_none(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('extends = "durak"\nname = "own"\ntitle = "Own"\n[languages.none]\n')
    assert [fault.key for fault in check(str(path))[2]] == ["languages.none"]


@pytest.mark.parametrize("name", ["tous", "Tous", "全員", "main", "ALL"])
def test_a_word_for_everyone_in_any_language_is_no_name(name: str) -> None:
    with pytest.raises(Unreadable, match="is a reserved word"):
        Match(load_ruleset("durak"), [name, "Ben"])


# --- a match in a language


def french(*entries: str, ruleset: str = "doppelkopf", begin: tuple[str, ...] = ()) -> str:
    """Begin a match in French, record the entries, and return the output."""
    assert program("new", ruleset, *FOUR, "--language", "fr", *begin).code == 0
    answer = program("record", *entries)
    assert answer.code == 0, answer
    return answer.out


def test_a_round_typed_in_french_is_stored_as_what_was_played() -> None:
    out = french("all: sain", "DC", "9K", "10C", "Dan: VT")
    assert "Ana: QH (DC)" in out
    assert stored() == ["all: gesund", "Ana: QH", "Ben: 9D", "Cleo: TH", "Dan: JC"]
    assert program("record", "DT VC AK 9K").code == 0  # a whole trick
    assert stored()[5:] == ["Cleo: QC", "Dan: JH", "Ana: AD", "Ben: 9D"]


def test_a_durak_bout_in_french() -> None:
    french("talon 0", "atout C", "lead Ana", "main Ana: 6T 7T DC", "main Ben: 8T RC 9K",
           "main Cleo: AK", "main Dan: AP", "Ana: attaque 6T", "couvre 6T 8T",
           ruleset="durak")  # fmt: skip
    assert stored()[1] == "trump H"
    assert stored()[3] == "hand Ana: 6C 7C QH"
    assert stored()[-2:] == ["Ana: attack 6C", "Ben: cover 6C 8C"]
    answer = program("judge", "Ana: attaque AT")
    assert answer.code == 1
    assert "Ana: attack AC (attaque AT)" in answer.out


def test_json_takes_and_gives_the_programs_letters() -> None:
    french("all: sain", "DC")
    assert program("judge", "Ben: AC", "--format", "json").data[0]["entry"] == "Ben: AC"
    refused = program("record", "Ben: DC", "--format", "json")
    assert refused.code == 2
    assert "QC in de and QH in fr" in refused.data[0]["findings"][0]["reason"]
    assert program("undo", "--format", "json").data["undone"] == "Ana: QH"
    program("record", "DC")
    assert program("amend", "2", "Ana: AC", "--format", "json").data["saved"]
    assert stored() == ["all: gesund", "Ana: AC"]
    assert program("amend", "2", "Ana:", "AC").code == 0
    assert stored() == ["all: gesund", "Ana: AH"]
    assert "Ana: AH\n" in program("status", "--log").out
    assert "Ana: AH\n" in program("export").out


@pytest.mark.parametrize(("ruleset", "code"), SPOKEN)
def test_what_legal_writes_reads_back_as_the_same_entry(ruleset: str, code: str) -> None:
    for seed in range(3):
        random = Random(seed)
        match = Match(load_ruleset(ruleset), seated(ruleset))
        said = Translator(match.notation, code)
        for _ in range(30):
            kept, typed = match.legal(), match.legal(said.spoken_notation)
            pairs = [pair for pair in zip(kept, typed, strict=True) if "…" not in pair[0]]
            for entry, text in pairs:
                assert said.to_canonical(text) == entry
                assert said.to_spoken(entry) == text
            if not pairs:
                break
            match.record(random.choice(pairs)[0] if match.current_round.log else pairs[0][0])


def test_legal_lists_for_people_in_the_matchs_letters() -> None:
    french("all: sain", "DC")
    lines = [line.strip() for line in program("legal", "--all").out.splitlines()[1:]]
    kept = program("legal", "--format", "json").data["entries"]
    assert "Ben: AC" in lines
    assert "Ben: 10T" in lines
    for line, entry in zip(lines, kept, strict=True):
        assert program("judge", line).out.startswith(entry)


def test_what_is_told_is_in_the_matchs_letters() -> None:
    french("hand Ana: AT 10T RT DT VT 9T AP 10P RP DP VP 9P", "lead Ben", "all: sain", "Ben: AT")
    answer = program("judge", "Cleo: AP", "Dan: 9P", "Ana: DC")
    assert answer.code == 1
    assert "DT" in answer.out or "AT" in answer.out
    assert " QC" not in answer.out
    assert "Ben: AT" in program("status").out


def test_a_player_called_like_a_card_keeps_the_name() -> None:
    said = Translator(Match(load_ruleset("doppelkopf"), ["AC", "K", "Cleo", "Dan"]).notation, "fr")
    assert said.translate_letters("AC plays QH, K has JC of S") == "AC plays DC, K has VT of P"
    assert said.to_spoken("AC: QH") == "AC: DC"
    assert said.to_canonical("AC: DC") == "AC: QH"


def test_the_amendment_that_is_suggested_reads_back() -> None:
    french("all: sain", "lead Ana", "AT", "9T", "RT", "10P",
           "Ana: DT", "9K", "9K", "VK")  # fmt: skip
    answer = program("record", "holds Dan: 10T")
    assert "amend 6 'Dan: 10P !stands'" in answer.out
    assert program("amend", "6", "Dan: 10P !stands").code == 0
    assert stored()[5] == "Dan: TS !stands"


# --- stored with the match


def test_about_tells_and_changes_what_is_kept_with_a_match() -> None:
    assert program("new", "doppelkopf", *FOUR, "--place", "at Ana's").code == 0
    assert program("record", "all: gesund").code == 0
    shown = program("describe")
    assert "players: Ana, Ben, Cleo, Dan" in shown.out
    assert "place: at Ana's" in shown.out
    assert "language: none (letters for cards: A T K Q J 9, C ♣ S ♠ H ♥ D ♦)" in shown.out
    assert program("judge", "DC").code == 2
    changed = program("describe", "--language", "fr")
    assert "fr (lettres des cartes : A 10 R D V 9, T ♣ P ♠ C ♥ K ♦)" in changed.out
    assert program("judge", "DC").out.startswith("Ana: QH (DC)")
    assert program("describe", "--language", "de", "--format", "json").data == {
        "match": 1, "ruleset": "doppelkopf", "title": "Doppelkopf", "players": FOUR,
        "started": shown.out.partition("started: ")[2].split()[0], "place": "at Ana's",
        "language": "de", "day": date.today().isoformat(),
    }  # fmt: skip
    assert program("judge", "DC").out.startswith("Ana: QC (DC)")
    refused = program("describe", "--language", "xx")
    assert refused.code == 2
    assert "dieses Regelwerk hat keine Wörter in der Sprache „xx“" in refused.err
    assert "de, en, fr" in refused.err
    assert program("describe", "--format", "json").data["language"] == "de"
    assert program("describe", "--language", "none").code == 0
    assert program("describe", "--format", "json").data["language"] == ""
    assert len(stored()) == 1
    assert program("new", "doppelkopf", *FOUR, "--language", "xx").code == 2
    assert program("describe", "--match", "9").code == 2


def test_a_game_without_cards_has_languages_too() -> None:
    assert "langue : fr\n" in program("new", "dudo", *FOUR, "--language", "fr").out
    assert program("record", "3x4", "Ben: je doute", "count 3").code == 0


def test_a_record_keeps_the_language_and_the_programs_letters() -> None:
    french("all: sain", "DC", "9K", "10C", "VT")
    program("export", "--to", "evening.toml")
    record = tomllib.loads(Path("evening.toml").read_text("utf-8"))
    assert (record["format"], record["language"]) == (3, "fr")
    assert "Ana: QH\n" in record["rounds"][0]["entries"]
    assert verify_record("evening.toml")["ok"]
    assert read_record("evening.toml").rounds[0].entries[1] == "Ana: QH"
    assert program("judge", "--match", "evening.toml", "Dan: DP").out.startswith("Dan: QS (DP)")
    assert (
        program("describe", "--match", "evening.toml", "--format", "json").data["language"] == "fr"
    )
    assert program("describe", "--match", "evening.toml", "--language", "de").code == 2
    assert program("import", "evening.toml", "--book", "other.sqlite").code == 0
    assert (
        program("describe", "--book", "other.sqlite", "--format", "json").data["language"] == "fr"
    )
    again = program("export", "--book", "other.sqlite").out
    assert again == Path("evening.toml").read_text("utf-8")


def test_a_record_without_a_language_says_none() -> None:
    match = Match(load_ruleset("durak"), FOUR)
    assert record_text(match) == record_text(match, language="")
    assert "language" not in record_text(match)


@pytest.mark.parametrize(
    ("head", "message"),
    [("format = 2\nlanguage = 'xx'", "xx"), ("format = 2\nlanguage = 3", "language must be text")],
)
def test_a_language_that_a_record_cannot_have_is_damage(head: str, message: str) -> None:
    Path("bad.toml").write_text(f"{head}\nruleset = 'durak'\nplayers = ['Ana', 'Ben']\n", "utf-8")
    report = verify_record("bad.toml")
    assert not report["ok"]
    assert message in report["findings"][0]["reason"]
    assert program("import", "bad.toml").code == 3


# --- the live table


def test_the_live_table_reads_and_offers_the_matchs_letters() -> None:
    table = board("doppelkopf", "fr", "all: gesund")
    assert [found.text for found in table.complete("DC")] == ["DC"]
    assert table.hint("DC").text == "Ana: DC: legal"
    assert table.enter("DC 9K") == ""
    assert stored()[1:] == ["Ana: QH", "Ben: 9D"]
    assert [event.text.strip() for event in table.log.events][-2:] == [
        "1.2  Ana: DC",
        "1.3  Ben: 9K",
    ]
    assert any("DC" in text for text in table.screen().table)
    assert table.enter("Dan: AT") == "Dan: AT"
    assert table.decide("stands") == ""
    assert stored()[-1] == "Dan: AC !stands"


@pytest.mark.parametrize(
    ("said", "offered"),
    [
        ([], ["kontra"]),
        (["kontra"], []),
        (["passt", "passt", "passt"], ["KC", "KS", "KH", "KD"]),
    ],
)
def test_a_word_that_begins_as_a_card_is_offered_in_its_time(
    said: list[str], offered: list[str]
) -> None:
    table = board("coinche", "de", "80 herz", *said)
    assert [found.text for found in table.complete("k")] == offered
    assert table.hint("k").kind == ("plain" if offered else "warned")


@pytest.mark.parametrize(("ruleset", "code"), [*SPOKEN, ("doppelkopf", ""), ("durak", "")])
def test_what_is_completed_reads_back_as_what_is_legal(ruleset: str, code: str) -> None:
    table = board(ruleset, code)
    for step in range(6):
        kept = table.match.legal()
        for typed in ("", "Ana: ", "D", "1", "T", "Ana: A"):
            for found in table.complete(typed):
                text = typed[: len(typed) - found.length] + found.text
                if (
                    text.endswith((" ", ": "))
                    or text.split()[0] in table.match.notation.entry_types
                ):
                    continue
                try:
                    ruling = table.match.judge(table.speech.to_canonical(text))
                except Failure:
                    continue  # the beginning of a longer word
                assert not ruling.refused or "…" in "".join(kept), (typed, text)
        plays = [entry for entry in kept if "…" not in entry]
        if plays:
            table.enter(table.speech.to_spoken(plays[step % len(plays)]))


def test_the_words_that_are_offered_may_be_another_languages() -> None:
    table = board("durak", "", "trump H", "lead Ana", words="fr")
    assert "attaque QH" in [found.text for found in table.complete("attaque")]
    assert table.hint("attaque QH").text == "Ana: attaque QH: legal"


def test_a_language_that_is_changed_meanwhile_is_taken_in() -> None:
    table = board("doppelkopf", "", "all: gesund")
    assert "QC in de" in table.hint("DC").text
    with Book("book.sqlite", create=False) as other:
        other.describe(1, language="fr")
    assert table.check_news()
    assert table.hint("DC").text == "Ana: DC: legal"
    assert "language: fr" in table.log.events[-1].text


def test_a_result_form_speaks_the_matchs_words() -> None:
    table = board("doppelkopf", "fr")
    form = table.form()
    for answer in ("mariage", "Ana+Ben", "", "130", "", ""):
        if not form.is_done:
            form.answer(answer)
    assert table.enter(form.text) == ""
    assert stored() == ["result contract=mariage re=Ana+Ben points=130"]


def test_on_a_terminal_a_french_table_types_french(tmp_path: Path) -> None:
    env = {"SCOREKEEPER_BOOK": str(tmp_path / "book.sqlite"), "HOME": str(tmp_path)}
    board("doppelkopf", "fr", "all: gesund")
    with Terminal("table", env=env) as table:
        table.wait("1.1  all: sain")
        table.press("D", "C")
        table.wait("Ana: DC: ")
        table.press("enter")
        table.wait("1.2  Ana: DC")
    assert stored()[-1] == "Ana: QH"


def test_a_suit_is_typed_by_its_name() -> None:
    match = Match(load_ruleset("durak"), ["Ana", "Ben", "Cleo"])
    assert match.record("trump Hearts").entry == "trump H"
