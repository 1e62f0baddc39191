"""Translations of rulesets: the texts of four games are complete in French and German.

No translation is left over. The sheets of all games are covered too, and one round of each of the
four games is typed and offered in its languages.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.core.messages import Locale, using_language
from scorekeeper.engine.loading import check
from scorekeeper.notation.notation import Translator
from scorekeeper.render.sheet import build_sheet
from scorekeeper.session import screen
from scorekeeper.session.rulings import Faults
from tests.helpers import SHIPPED
from tests.random_play import Evening

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parent.parent
GAMES = ("doppelkopf", "dudo", "perudo", "durak", "podkidnoy", "da-ban", "sheng-ji")
RULESETS = [
    name for name in SHIPPED if any(name == game or name.startswith(f"{game}-") for game in GAMES)
]
CODES = ("fr", "de")
NAMED = ("contracts", "calls", "specials", "parties", "penalties", "holdings")
# Names that are the same in every language, and names that are German already.
SAME = {"Dudo", "Perudo", "Durak", "Da Ban", "Doppelkopf", "Re", "re", "normal", "doppelkopf"}
SAME |= {"charlie", "solos"}
GERMAN = {"kontra", "hochzeit", "neugeben", "damensolo", "bubensolo", "kreuzsolo", "piksolo"}
GERMAN |= {"herzsolo", "karosolo", "fleischlos", "armut", "schweine", "herzstich"}
GERMAN |= {"keine90", "keine60", "keine30", "schwarz"}
# Words in cells and counts about a round: roles, and the results of an exchange.
OF_A_ROUND = {"master", "trump", "opponents", "lapsed"}


class English:
    """A catalogue without translations."""

    def gettext(self, message: str) -> str:
        """Return the sentence unchanged."""
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the English form for that number."""
        return msgid1 if n == 1 else msgid2


def in_language(code: str) -> Any:  # returns a context manager
    return using_language(Locale(code, English()))


def has_words(template: str) -> bool:
    """Return whether a text of the sheet contains more than placeholders."""
    rest = "".join(piece.partition("}")[2] for piece in ("}" + template).split("{"))
    return any(char.isalpha() for char in rest)


def texts(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield all texts of a ruleset that people read."""
    yield data["title"]
    yield data["tally"]["name"]
    for section in NAMED:
        yield from data.get(section, {})
    for name, row in data.get("scores", {}).items():
        yield row.get("label") or name
    yield from _told({key: data.get(key, {}) for key in data if key != "languages"})


def _told(found: Mapping[str, Any]) -> Iterator[str]:
    for key, value in found.items():
        if isinstance(value, dict):
            yield from _told(value)
        elif key in ("label", "wanted"):
            yield value
        elif key == "say":
            yield from filter(has_words, [value] if isinstance(value, str) else value)


def language(name: str, code: str) -> dict[str, Any]:
    row: dict[str, Any] = load_ruleset(name).data["languages"][code]
    return row


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", RULESETS)
def test_all_that_is_told_is_there_in_the_language(name: str, code: str) -> None:
    row = language(name, code)
    known = {*row["sentences"], *row["words"], *SAME, *(GERMAN if code == "de" else ())}
    assert not [text for text in texts(load_ruleset(name).data) if text not in known]


@pytest.mark.parametrize("code", CODES)
def test_no_sentence_is_left_over(code: str) -> None:
    told = set(OF_A_ROUND)
    for data in (load_ruleset(name).data for name in RULESETS):
        told |= {*texts(data), *told_on_a_sheet(data)}
    for name in RULESETS:
        assert not [text for text in language(name, code)["sentences"] if text not in told], name


@pytest.mark.parametrize("code", CODES)
def test_a_sentence_keeps_its_places(code: str) -> None:
    for name in RULESETS:
        for text, said in language(name, code)["sentences"].items():
            assert sorted(_places(text)) == sorted(_places(said)), text


def _places(text: str) -> list[str]:
    return [piece.partition("}")[0] for piece in text.split("{")[1:]]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", RULESETS)
def test_every_word_of_the_table_is_there(name: str, code: str) -> None:
    rules = load_ruleset(name)
    spoken = rules.lexicon.languages[code].forms
    implicit = {"play", "reserve", "call", "bid"}
    verbs = {verb for verb in rules.entry_types if verb not in implicit | {"talon"}}
    assert not verbs - set(spoken)


# --- the sheets of all games

ON_A_SHEET = ("contracts", "options", "parties", "penalties", "holdings", "calls")
# Names of games and of their parts that are the same in French and in German.
ALIKE = {*SAME, "belote", "belotes", "cent", "cinquante", "tierce", "nil", "grand", "null"}
ALIKE |= {"matadors", "ouvert", "schneider", "schwarz", "tout", "rufspiel", "wenz", "litige"}


def told_on_a_sheet(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield all texts of a ruleset that appear on a filled or blank sheet or in statistics."""
    yield data["tally"]["name"]
    for part in ("columns", "totals", "ladders"):
        for name, row in data["sheet"].get(part, {}).items():
            usual = "" if part != "ladders" and row.get("per", "round") != "round" else name
            yield row.get("label", usual)
            yield from _told({"say": row.get("say", [])})
            yield from row.get("signs", {})
    for row in data.get("breakdowns", {}).values():
        yield from row.get("roles", ())
    for section in ("statistics", "breakdowns", "scores", "counters"):
        for name, row in data.get(section, {}).items():
            yield row.get("label", name)
            yield row.get("worth", "")
    for section in ON_A_SHEET:
        yield from data.get(section, {})


@pytest.mark.parametrize("name", SHIPPED)
def test_a_sheet_has_no_english_left(name: str) -> None:
    data = load_ruleset(name).data
    told = [text for text in told_on_a_sheet(data) if has_words(text)]
    for code, row in data["languages"].items():
        if not row.get("sentences"):
            continue  # only entries are translated in this language
        known = {*row["sentences"], *row["words"], *ALIKE, *(GERMAN if code == "de" else ())}
        assert not [text for text in told if text not in known], code


@pytest.mark.parametrize("name", SHIPPED)
def test_every_game_has_a_sheet_in_french_and_german(name: str) -> None:
    found = load_ruleset(name).data["languages"]
    for code, headings in (
        ("fr", {"Donne", "Manche", "Partie"}),
        ("de", {"Spiel", "Runde", "Board"}),
    ):
        assert found[code]["sentences"]
        with in_language(code):
            columns = load_ruleset(name).sheet.columns
        assert headings & {column.label for column in columns}, code


@pytest.mark.parametrize(("code", "said"), [("fr", "perdant Ben"), ("de", "verlierer Ben")])
def test_a_result_is_told_by_the_words_that_are_typed(code: str, said: str) -> None:
    match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    match.record("result loser=Ben")
    with in_language(code):
        rows = build_sheet(match).tables[0].rows
    assert any(said in cell for cell in rows[0]), rows


# --- a round of each game in each of its languages

DOPPELKOPF = ["Ana", "Ben", "Cleo", "Dan"]
ROUNDS = {
    ("doppelkopf", "fr"): (
        ["donneur Dan", "tous: sain", "DT", "Ben: contre", "9K", "10K", "VK"],
        ["dealer Dan", "all: ordinary", "Ana: QC", "Ben: kontra", "Ben: 9D", "Cleo: TD", "Dan: JD"],
    ),
    ("doppelkopf", "de"): (
        ["geber Dan", "alle: gesund", "DC", "Ben: kontra", "9D", "10D", "BD"],
        ["dealer Dan", "all: ordinary", "Ana: QC", "Ben: kontra", "Ben: 9D", "Cleo: TD", "Dan: JD"],
    ),
    ("durak", "fr"): (
        ["donneur Dan", "main Ana: 6T 7T 8T 9T 10T VT", "atout coeur", "commence Ana",
         "Ana: attaque 6T", "Ben: couvre 6T DT", "tous: passe"],
        ["dealer Dan", "hand Ana: 6C 7C 8C 9C TC JC", "trump H", "lead Ana",
         "Ana: attack 6C", "Ben: cover 6C QC", "all: pass"],
    ),
    ("durak", "de"): (
        ["geber Dan", "hand Ana: 6C 7C 8C 9C 10C BC", "trumpf herz", "beginnt Ana",
         "Ana: angriff 6C", "Ben: deckt 6C DC", "alle: passt"],
        ["dealer Dan", "hand Ana: 6C 7C 8C 9C TC JC", "trump H", "lead Ana",
         "Ana: attack 6C", "Ben: cover 6C QC", "all: pass"],
    ),
    ("durak", "ja"): (
        ["ディーラー Dan", "手札 Ana: 6C 7C 8C 9C TC JC", "切り札 ハート", "開始 Ana",
         "Ana: 攻撃 6C", "Ben: 防御 6C QC", "全員: パス"],
        ["dealer Dan", "hand Ana: 6C 7C 8C 9C TC JC", "trump H", "lead Ana",
         "Ana: attack 6C", "Ben: cover 6C QC", "all: pass"],
    ),
    ("dudo", "fr"): (
        ["commence Ana", "Ana: 2x3", "Ben: je doute", "compte 1"],
        ["lead Ana", "Ana: 2x3", "Ben: doubt", "count 1"],
    ),
    ("dudo", "de"): (
        ["beginnt Ana", "Ana: 2x3", "Ben: ich zweifle", "gezählt 1"],
        ["lead Ana", "Ana: 2x3", "Ben: doubt", "count 1"],
    ),
    ("da-ban", "fr"): (
        ["maître Ana", "atout coeur", "chien 5C 9T GR RK 2P PR", "Ana: prend", "Ana: écart 6",
         "Ana: DC"],
        ["master Ana", "trump H", "kitty 5H 9C BJ KD 2S LJ", "Ana: take", "Ana: bury 6", "Ana: QH"],
    ),
    ("da-ban", "de"): (
        ["meister Ana", "trumpf herz", "skat 5H 9C GJ KD 2S KJ", "Ana: nimmt", "Ana: drückt 6",
         "Ana: DH"],
        ["master Ana", "trump H", "kitty 5H 9C BJ KD 2S LJ", "Ana: take", "Ana: bury 6", "Ana: QH"],
    ),
    ("da-ban", "ja"): (
        ["親 Ana", "切り札 ハート", "底札 5H 9C 大王 KD 2S 小王", "Ana: 取る", "Ana: 埋める 6",
         "Ana: QH"],
        ["master Ana", "trump H", "kitty 5H 9C BJ KD 2S LJ", "Ana: take", "Ana: bury 6", "Ana: QH"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("game", "code"), ROUNDS)
def test_a_round_is_typed_and_offered_in_the_language(game: str, code: str) -> None:
    typed, meant = ROUNDS[game, code]
    with in_language(code):
        match = Match(load_ruleset(game), DOPPELKOPF)
        speech = Translator(match.notation, code)
        for text in typed:
            canonical = speech.to_canonical(text)
            match.record(canonical)
            assert speech.to_canonical(speech.to_spoken(canonical)) == canonical
            _offers_read_back(match, speech)
        _prompt_is_told(match)
    plain = Match(load_ruleset(game), DOPPELKOPF)
    for text in meant:
        plain.record(text)
    assert match.rounds[-1].entries == plain.rounds[-1].entries
    assert match.scores == plain.scores


def _offers_read_back(match: Match, speech: Translator) -> None:
    """Check that every offered act reads back as itself in the language's words and letters."""
    for kept in [text for text in match.legal() if "…" not in text][:60]:
        assert speech.to_canonical(speech.to_spoken(kept)) == kept


def _prompt_is_told(match: Match) -> None:
    assert match.prompt


@pytest.mark.parametrize(
    ("game", "typed", "meant"),
    [
        ("durak", "resultat perdant=Ben", "result loser=Ben"),
        ("durak", "ergebnis verlierer=Ben", "result loser=Ben"),
        ("durak", "結果 敗者=Ben", "result loser=Ben"),
        ("durak", "résultat nulle", "result draw"),
        ("dudo", "résultat perdante=Ben", "result loser=Ben"),
        ("dudo", "ergebnis gewinner=Ana", "result gainer=Ana"),
    ],
)
def test_keys_of_a_result_have_words(game: str, typed: str, meant: str) -> None:
    match = Match(load_ruleset(game), DOPPELKOPF)
    assert match.judge(typed).entry == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("atout pique", "trump S"), ("atout trèfle", "trump C"), ("trump coeur", "trump H"),
     ("trumpf karo", "trump D"), ("切り札 スペード", "trump S"), ("trump ♦", "trump D")],
)  # fmt: skip
def test_suits_are_named_in_every_language(typed: str, meant: str) -> None:
    assert Match(load_ruleset("durak"), DOPPELKOPF).judge(typed).entry == meant


def test_what_a_ruleset_says_is_told_in_the_language() -> None:
    rules = load_ruleset("doppelkopf")
    assert rules.translate("won") == "won"
    with in_language("fr"):
        assert (rules.translate("won"), rules.translate("kontra")) == ("gagné", "contre")
        assert rules.translate("what nobody translates") == "what nobody translates"
        assert (rules.translate_word("ordinary"), rules.translate_word("all")) == ("sain", "tous")
        assert [row.label for row in rules.sheet.columns][:2] == ["Donne", "Donneur"]
    with in_language("de"):
        assert (rules.translate("won"), rules.translate_word("ordinary")) == ("gewonnen", "gesund")
        assert [row.label for row in rules.sheet.columns][:2] == ["Spiel", "Geber"]
    with in_language("xx"):
        assert (rules.translate("won"), rules.translate_word("ordinary")) == ("won", "gesund")
    assert [row.label for row in rules.sheet.columns][:2] == ["Deal", "Dealer"]


@pytest.mark.parametrize(
    ("code", "ways"),
    [("de", ["links", "rechts", "gegenüber", ""]), ("fr", ["à gauche", "à droite"])],
)
def test_to_whom_cards_were_given_is_told_in_the_language(code: str, ways: list[str]) -> None:
    match = Evening("hearts", 1, full=True, wrong=0, result=0).play(len(ways), 400).match
    with in_language(code):
        made = build_sheet(match).tables[0]
    labels = [column.label for column in made.columns]
    (given,) = (labels.index(label) for label in ("Weitergabe", "Passe") if label in labels)
    assert [row[given] for row in made.rows] == ways


def test_who_plays_alone_is_told_in_the_language_at_the_table_and_in_its_scores() -> None:
    match = Evening("skat", 1, full=True, wrong=0, result=0).play(1, 400).match
    (played,) = match.rounds
    with in_language("de"):
        shown = screen.make_screen(match, Faults(match, match, Translator(match.notation, "", "")))
        cells = {cell for row in shown.rows for cell in row.cells}
        lines = screen.round_score_lines(match, played)
    assert {"Alleinspieler", "Gegenspieler"} <= cells
    assert "declarer" not in " ".join([*cells, *lines])


# --- word files


def _faults(folder: Path, text: str) -> list[str]:
    (folder / "mine.toml").write_text(text, "utf-8")
    return [fault.message for fault in check(str(folder / "mine.toml"))[2]]


HEADER = 'name = "mine"\ntitle = "Mine"\nextends = "whist"\n'


def test_a_ruleset_includes_words_and_may_say_them_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "club.toml").write_text('[languages.xx.words]\nnote = "marginal"\n')
    text = HEADER + 'includes = ["french", "club"]\n[languages.fr.words]\ndealer = "celui"\n'
    assert not _faults(tmp_path, text)
    rules = load_ruleset(str(tmp_path / "mine.toml"))
    assert rules.lexicon.meanings["marginal"] == "note"
    assert rules.lexicon.languages["fr"].forms["dealer"] == "celui"
    assert rules.lexicon.languages["fr"].forms["hand"] == "main"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('includes = "french"', "not a list of names"),
        ('includes = ["frensh"]', "there is no such file of words"),
        ('includes = ["../whist"]', "there is no such file of words"),
        ("includes = [3]", "there is no such file of words"),
        ('includes = ["other"]', "an included file may only have words"),
    ],
)
def test_what_may_be_included_is_said(
    line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "other.toml").write_text("[deal]\ncards = 3\n")
    assert message in _faults(tmp_path, HEADER + line + "\n")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('suit_words = { X = "croix" }', "languages.fr.suit_words.X is not a suit"),
        ('suit_words = { S = "c1" }', "languages.fr.suit_words.S cannot be typed as one word"),
        ('suit_words = { S = "noir", C = "noir" }', "“noir” means both S and C"),
        ("sentences = { Round = 3 }", "languages.fr.sentences.Round must be text"),
    ],
)
def test_what_is_wrong_with_a_language_is_said(table: str, message: str, tmp_path: Path) -> None:
    assert message in _faults(tmp_path, f"{HEADER}[languages.fr]\n{table}\n")
