"""What the tables of every ruleset take, whatever is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.rulings import REFUSE, SEVERITIES
from scorekeeper.core.versions import Versions
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.who import DEALING, SAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.types import Json

# The language of rulesets: the tables of one version as those of the next.
VERSIONS: Versions[Json] = Versions(3, {})
VERSION = VERSIONS.current
# Keys that are gone from it, and what says now what they said.
GONE: Mapping[str, str] = {
    "phases.bouts.undecided": "who deals after a draw or a void deal is said by deal.after_void",
}
PRESETS = ("tournament", "club")
IN_PACK = (0, untrusted.CARDS)

HEADER: Mapping[str, Parameter] = {
    "name": Parameter("file", "the ruleset's name: small letters, digits, hyphens"),
    "title": Parameter("text", "what people call it"),
    "rules": Parameter("file", "the rule text beside it, without its ending"),
    "source": Parameter("text", "where the rules come from", ""),
    "language": Parameter(
        "int",
        "the version of the words it is written in",
        VERSION,
        bounds=(VERSIONS.first, VERSION),
    ),
    "severity": Parameter(
        "choice",
        "all refuse (`tournament`), or warn but for turn and possession",
        "tournament",
        PRESETS,
    ),
}
PLAYERS: Mapping[str, Parameter] = {
    "least": Parameter("int", "the fewest players", 2, bounds=(1, untrusted.PLAYERS)),
    "most": Parameter("int", "the most players", 99, bounds=(1, 9999)),
    "counts": Parameter(
        "ints", "only these numbers of players (empty: any)", [], bounds=(1, untrusted.PLAYERS)
    ),
}
DEAL: Mapping[str, Parameter] = {
    "dealt": Parameter("bool", "whether somebody deals, and the deal moves on", False),
    "after_void": Parameter(
        "choice",
        "who deals after a round that counts for nothing, or a draw of `bouts`: the `same` player"
        " again, or the `next`",
        SAME,
        DEALING,
    ),
    "cards": Parameter(
        "number",
        "how many cards each player is dealt (over `players`, those who play)",
        0,
        bounds=IN_PACK,
    ),
    "sits_out": Parameter(
        "ints for",
        "for a number of players, who sits out: steps to the left of the dealer, 0 the dealer",
        {},
        bounds=(0, untrusted.PLAYERS - 1),
    ),
    "kitty": Parameter(
        "number",
        "cards left over: the players share the others evenly (over `players`)",
        0,
        bounds=IN_PACK,
    ),
}
SIDES: Mapping[str, Parameter] = {
    "number": Parameter(
        "int",
        "how many sides, alternating round the table (0: each alone)",
        0,
        bounds=(0, untrusted.PLAYERS),
    ),
    "shared": Parameter(
        "bool", "whether a standing, a foul or a penalty of one player is their side's", True
    ),
}
# What is paid at a stake.
TALLY_ITSELF, DIFFERENCES, NOTHING = "tally", "differences", "nothing"
TALLY: Mapping[str, Parameter] = {
    "name": Parameter("text", "what stands on the sheet"),
    "start": Parameter("number", "with how many a match begins (over `players`)", 0),
    "joins": Parameter(
        "choice",
        "with what somebody begins who joins later: `start`, or the least, the most or the mean of"
        " those who sit there and are not out",
        "start",
        ("start", "least", "most", "mean"),
    ),
    "least": Parameter("int", "it never falls below", -999999),
    "most": Parameter("int", "it never rises above", 999999),
    "out": Parameter("bool", "who is down to the least is out of the match", False),
    "zero_sum": Parameter("bool", "a round's score rows sum to zero", False),
    "sums": Parameter(
        "ints",
        "what the scores of all players in a round may come to together (empty: anything): a table"
        " of scores that is imported is held against it",
        [],
    ),
    "parity": Parameter("bool", "the score rows change all tallies by odd, or all by even", False),
    "pays": Parameter(
        "choice",
        "at a stake: everyone's own `tally`, or the `differences` between every two players (where"
        " the seating makes sides, of each player and one of the other side), or `nothing`, as it"
        " is no money (without it: `tally` where scores sum to zero, `nothing` where the last"
        " one in wins, else `differences`)",
        "",
        (TALLY_ITSELF, DIFFERENCES, NOTHING),
    ),
    "limits": Parameter(
        "int",
        "a round changes it by no more than this (0: any)",
        0,
        bounds=(0, untrusted.NUMBERS[1]),
    ),
}
MATCH: Mapping[str, Parameter] = {
    "ends": Parameter("condition", "the match is over after a round when this holds", "false"),
    "wins": Parameter("choice", "whose tally wins", "most", ("most", "fewest", "last")),
    "leader": Parameter(
        "number",
        "who starts the first round where nobody deals, as named (over `players`)",
        1,
        bounds=(1, untrusted.PLAYERS),
    ),
    "direction": Parameter(
        "choice", "which way play goes round at first", "left", ("left", "right")
    ),
}
DICE: Mapping[str, Parameter] = {
    "each": Parameter(
        "number",
        "how many dice a player has in a round: a number, or over the tally; with `own.tally` the"
        " dice are the tally, and `hand` sets it",
        bounds=(1, untrusted.DICE),
    ),
}
VERB = Parameter("bool", "whether the verb of that name is played", True)
LANGUAGE: Mapping[str, Parameter] = {
    "ranks": Parameter("table", "letters that differ, and the ranks that they stand for", {}),
    "suits": Parameter("table", "letters that differ, and the suits that they stand for", {}),
    "suit_words": Parameter("table", "for suits by their letters, what they are called", {}),
    "words": Parameter("table", "for canonical words, what they are called", {}),
    "sentences": Parameter("sentences", "for the ruleset's own texts, what they are", {}),
}
PACK: Mapping[str, Parameter] = {
    "ranks": Parameter("text", "the ranks, strongest first, with blanks between"),
    "suits": Parameter("text", "the suits", "C S H D"),
    "jokers": Parameter("texts", "cards without a suit", []),
    "copies": Parameter("int", "how many of each card", 1, bounds=(1, untrusted.COPIES)),
}
CLAUSE: Mapping[str, Parameter] = {
    "word": Parameter("name", "the clause word (without it: the row's name)", ""),
    "phase": Parameter(
        "name", "for words that every phase has: whose clause it is", "", rows="phases"
    ),
    "on": Parameter("texts", "the verbs it judges (without it: the word's own)", []),
    "severity": Parameter("choice", "what a breach does", REFUSE, SEVERITIES),
    "cite": Parameter("text", "the paragraph of the rule text"),
    "say": Parameter("text", "the sentence, with facts in braces", ""),
}
SCORE: Mapping[str, Parameter] = {
    "for": Parameter("name", "the role that gets the points"),
    "against": Parameter("name", "a role that gets the same points with the other sign", ""),
    "points": Parameter("number", "how many points", ""),
    "factor": Parameter("number", "what the rows in `of` are multiplied by", ""),
    "of": Parameter(
        "texts", "the rows that a factor multiplies (without it: all above)", [], rows="scores"
    ),
    "when": Parameter("condition", "the row counts only then", "true"),
    "cite": Parameter("text", "the paragraph of the rule text"),
    "label": Parameter("text", "what the sheet calls the row", ""),
    "worth": Parameter(
        "text", "what it gives, in words (for a blank sheet, where `points` are no number)", ""
    ),
}
PHASE: Mapping[str, Parameter] = {
    "cite": Parameter("text", "the paragraph of the rule text", ""),
}
TABLES: Mapping[str, Mapping[str, Parameter]] = {
    "players": PLAYERS,
    "deal": DEAL,
    "sides": SIDES,
    "tally": TALLY,
    "match": MATCH,
    "dice": DICE,
    "pack": PACK,
}
NEEDED = ("name", "title", "rules", "phases", "tally")
