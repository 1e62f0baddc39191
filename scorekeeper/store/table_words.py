"""The words by which tables say what their columns are and which rows are sums, in the languages of
the program."""

from __future__ import annotations

import re

from scorekeeper.notation.syntax import composed

# What a column may be, and the words of the headings that say so.
HEADINGS = {
    "date": ("date", "day", "datum", "tag", "jour"),
    "name": ("name", "names", "player", "players", "namen", "spieler", "nom", "noms", "joueur",
             "joueurs"),
    "points": ("points", "score", "scores", "pts", "punkte", "pkt"),
    "round": ("round", "nr", "no", "n°", "#", "№", "nummer", "numéro", "lfd", "laufende", "runde",
              "spiel", "game", "deal", "manche", "donne"),
    "title": ("title", "titel", "titre"),
    "place": ("place", "ort", "lieu"),
}  # fmt: skip
# What the cells of a row or a column come to: sums, which are nobody's name …
SUMS = frozenset(
    {
        *("total", "totals", "sum", "sums", "subtotal", "summe", "summen", "gesamt"),
        *("gesamtsumme", "gesamtpunkte", "gesamtpunktzahl", "gesamtstand", "gesamtergebnis"),
        *("gesamtwertung", "zwischensumme", "zwischenstand", "zwischenergebnis", "endsumme"),
        *("endstand", "endergebnis", "tagessumme", "tagesergebnis", "punktestand", "saldo"),
        *("totaux", "somme", "sommes", "cumul", "soustotal", "σ", "∑"),
    }
)
# … and what else stands below or beside scores, of which some are called so too.
FIGURES = frozenset(
    {
        *("average", "mean", "balance", "result", "results", "standings", "rank", "ranking"),
        *("durchschnitt", "schnitt", "mittelwert", "ergebnis", "ergebnisse", "stand", "platz"),
        *("platzierung", "rang", "rangliste", "moyenne", "solde", "résultat", "résultats"),
        *("classement", "ø", "⌀"),
    }
)
# What may stand beside one of them.
BESIDE = frozenset(
    {
        *("all", "of", "the", "so", "far", "after", "per", "round", "game", "final", "grand"),
        *("end", "score", "scores", "points", "pts", "overall", "sub", "nach", "der", "des"),
        *("den", "je", "pro", "bis", "jetzt", "hier", "runde", "spiel", "abend", "tag"),
        *("punkte", "pkt", "alle", "aller", "général", "générale", "generale", "partiel"),
        *("partielle", "finale", "provisoire", "par", "manche", "soirée", "jour", "sous", "de"),
        *("du", "la", "le", "après"),
    }
)
_POWER = re.compile(r"[+-]?[0-9.,]+e[0-9]+", re.IGNORECASE)
_COUNT = re.compile(r"[\w .:/#№°-]+")
_WORD = re.compile(r"n°|[^\W_]+|[#№∑⌀]")


def is_text(cell: str) -> bool:
    """Whether a cell holds words, and nothing that may be meant as a number."""
    if cell.startswith("=") or _POWER.fullmatch(cell):
        return False
    return any(map(str.isalpha, cell)) or not any(map(str.isdigit, cell))


def words_of(text: str) -> list[str]:
    """The words and numbers in a cell, whatever parts them, in small letters."""
    return _WORD.findall(composed(text).casefold())


def is_heading(text: str, key: str) -> bool:
    """Whether a heading says that its column is that one of HEADINGS: `Nr.`, `Spiel-Nr.`."""
    words = words_of(text)
    return bool(words) and all(word in HEADINGS[key] for word in words)


def is_count(text: str) -> bool:
    """Whether a heading counts days or rounds, or is a day without a year: `20.11.`, `Runde 1`."""
    words = words_of(text) if _COUNT.fullmatch(text) else []
    known = (*HEADINGS["date"], *HEADINGS["round"], "abend", "spieltag", "evening", "soirée")
    return any(map(str.isdigit, words)) and all(word.isdigit() or word in known for word in words)


def is_total(text: str, name: bool = False) -> bool:
    """Whether a cell says that its row or column is a sum of others, or what else is made of them;
    where a `name` is expected, whether it is surely none."""
    words = words_of(text)
    known = SUMS if name else SUMS | FIGURES
    return not known.isdisjoint(words) and all(
        word in SUMS or word in FIGURES or word in BESIDE or word.isdigit() for word in words
    )
