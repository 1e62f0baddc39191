"""The tables and keys that every ruleset may have, with the kinds of their values.

Phases, clause words and sheets also use `Parameter` to declare the keys of their own rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorekeeper.core import untrusted
from scorekeeper.core.expressions import MAX_LENGTH as LONGEST
from scorekeeper.core.rulings import REFUSE, SEVERITIES
from scorekeeper.core.text import did_you_mean, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.core.versions import Versions
from scorekeeper.notation.languages import PROGRAM_LANGUAGE, Language, make_letters
from scorekeeper.notation.syntax import SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Json, Row

    # A function that reports a fault. Its arguments are a key's path, its value, the allowed values
    # and a message.
    Report = Callable[[str, str, str, str], None]

SUIT_LETTERS = " ".join(SUIT_NAMES)
USUAL_RANKS = frozenset("AKQJT98765432")
NONE = "none"  # the code for no language; a ruleset cannot use it for one of its languages


# The default for a required key. The schema reports a row in which such a key is missing.
REQUIRED: Final = object()

# Tables whose own keys and rules are compiled as a phase, because they concern the whole round.
OWN_KEYS = ("parties", "calls", "holdings", "levels", "remedies", "counters")
# Phases that had another name in earlier versions.
RENAMED_PHASES = {"reservations": "auction"}
_KEYS_OF_WISHES = {"default": "nobody"}
# The current keys of other options, by their keys in earlier records.
_RENAMED_OPTIONS = {"phases.bouts.shown": "deal.turned.holder"}
_WORDS_OF_HOLDINGS = {
    "announced-held": "held.announce",
    "announced-when": "in-time",
    "announced-once": "repeated",
    "announced-apart": "apart",
}


def current_code(code: str) -> str:
    """Return the current form of a finding's code. The phase in it may have been renamed.

    >>> current_code("reservations.needs")
    'auction.needs'
    """
    phase, dot, rest = code.partition(".")
    return f"{RENAMED_PHASES.get(phase, phase)}{dot}{rest}"


def _to_version_4(table: Json) -> Json:
    """Turn the phase `reservations` into an auction with `turns = "wishes"`."""
    ((before, now),) = RENAMED_PHASES.items()
    phases = _tables_in(table.get("phases"))
    if before not in phases or now in phases:
        return table
    contracts = _tables_in(table.get("contracts"))
    raised, solos = (
        [name for name, contract in contracts.items() if contract.get(key) is True]
        for key in ("raises", "solo")
    )
    alone = [name for name, contract in contracts.items() if contract.get("sides") == "alone"]
    row = {_KEYS_OF_WISHES.get(key, key): value for key, value in phases[before].items()}
    auction = {"turns": "wishes", **row, "raises": raised}
    if solos != alone:
        auction["solos"] = solos
    law = phases.get("remedies", {})
    if "errors" in law:
        phases["remedies"] = {**law, "errors": _current_codes(law["errors"])}
    result = {
        **table,
        "phases": {
            (now if name == before else name): (auction if name == before else part)
            for name, part in phases.items()
        },
        "contracts": {
            name: {key: value for key, value in contract.items() if key not in ("raises", "solo")}
            for name, contract in contracts.items()
        },
    }
    if "remedies" in table:
        result["remedies"] = {
            name: {**each, **({"on": _current_codes(each["on"])} if "on" in each else {})}
            for name, each in _tables_in(table["remedies"]).items()
        }
    if "clauses" in table:
        result["clauses"] = {
            name: {**each, "phase": now} if each.get("phase") == before else each
            for name, each in _tables_in(table["clauses"]).items()
        }
    return result


def current_option(key: str) -> str:
    """Return the current form of an option's dotted key in a record.

    >>> current_option("phases.reservations.deals")
    'phases.auction.deals'
    """
    key = _RENAMED_OPTIONS.get(key, key)
    parts = key.split(".")
    if len(parts) > 2 and parts[0] == "phases" and parts[1] in OWN_KEYS:
        return current_option(".".join(parts[1:]))
    if len(parts) > 1 and parts[0] == "holdings":
        return ".".join(("calls", _WORDS_OF_HOLDINGS.get(parts[1], parts[1]), *parts[2:]))
    if len(parts) != 3 or parts[0] != "phases" or parts[1] not in RENAMED_PHASES:
        return key
    return f"phases.{RENAMED_PHASES[parts[1]]}.{_KEYS_OF_WISHES.get(parts[2], parts[2])}"


def _current_codes(codes: object) -> object:
    """Return codes of findings in their current form. Any other value is returned unchanged."""
    if not isinstance(codes, list):
        return codes
    return [current_code(code) if isinstance(code, str) else code for code in codes]


def _tables_in(value: object) -> dict[str, Json]:
    """Return the inner tables of a table."""
    rows = value.items() if isinstance(value, dict) else ()
    return {name: row for name, row in rows if isinstance(row, dict)}


# The versions of the ruleset format.
VERSIONS: Versions[Json] = Versions(4, {3: _to_version_4})
VERSION = VERSIONS.current
# Removed keys, each with its replacement.
REMOVED_KEYS: Mapping[str, str] = {
    "phases.bouts.undecided": "deal.after_void decides who deals after a draw or a void deal",
}
PRESETS = ("tournament", "club")
# who deals the next round: the same player, or the next one
SAME, NEXT = DEALING = ("same", "next")
IN_PACK = (0, untrusted.MAX_CARDS)
MAX_NAME = 64
MAX_LISTED = 40  # maximum number of known words in a suggestion
_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_EXPRESSIONS = ("number", "condition")
MAX_SETTING = 10_000  # maximum length of KEY=VALUE, in characters

BARE_KEY_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ_")


class Parameter:
    """One key of a row, with the kind of its value, its default, and its description.

    Kinds of single values: `int`, `bool`, `text`, `name` (a row of another table or a word),
    `choice`. Expressions over measures: `number` (an integer), `condition`, `set` (of cards).
    Lists: `texts`, `ints`, `cards` (card patterns, with equal strength in an inner list), `lines`
    (one text or several). Tables: `table` (of single or several texts), `ints for` and `int for`
    (by number of players), `int of` (by name), `halves of` (by card pattern), `values` (of values
    or lists of values).

    `choices` are the allowed words. `rows` is the table whose row names are allowed. If `rows` is
    `verbs`, the value is an entry type, and its row is dropped if that type is turned off. `bounds`
    are the minimum and maximum for integers. A row may be written as the value of its `natural`
    key alone. `words` are the clause words whose rules are written under this key.
    """

    __slots__ = ("bounds", "choices", "default", "doc", "kind", "natural", "rows", "words")

    def __init__(
        self,
        kind: str,
        doc: str,
        default: object = REQUIRED,
        choices: tuple[str, ...] = (),
        *,
        bounds: tuple[int, int] = untrusted.NUMBER_RANGE,
        rows: str = "",
        natural: bool = False,
        words: tuple[str, ...] = (),
    ) -> None:
        self.kind = kind
        self.doc = doc
        self.default = default
        self.choices = choices
        self.bounds = bounds
        self.rows = rows
        self.natural = natural
        self.words = words


HEADER: Mapping[str, Parameter] = {
    "name": Parameter("file", "the ruleset's name: lower-case letters, digits, hyphens"),
    "title": Parameter("text", "the name to display"),
    "called": Parameter("texts", "other names by which players ask for the game", []),
    "rules": Parameter("file", "the name of the rule text in the same folder, without its ending"),
    "source": Parameter("text", "where the rules come from", ""),
    "language": Parameter(
        "int",
        "the version of the ruleset format",
        VERSION,
        bounds=(VERSIONS.first, VERSION),
    ),
    "severity": Parameter(
        "choice",
        "the effect of a breach (`tournament`: the entry is refused; `club`: only a warning, except"
        " about turn and possession)",
        "tournament",
        PRESETS,
    ),
}
PLAYERS: Mapping[str, Parameter] = {
    "least": Parameter(
        "int", "the minimum number of players", 2, bounds=(1, untrusted.MAX_PLAYERS)
    ),
    "most": Parameter("int", "the maximum number of players", 99, bounds=(1, 9999)),
    "counts": Parameter(
        "ints", "the allowed numbers of players (empty: any)", [], bounds=(1, untrusted.MAX_PLAYERS)
    ),
}
DEAL: Mapping[str, Parameter] = {
    "dealt": Parameter("bool", "whether a player deals, and the deal moves on each round", False),
    "after_void": Parameter(
        "choice",
        "who deals after a void round, or after a draw in `bouts`: the `same` player again, or the"
        " `next`",
        SAME,
        DEALING,
    ),
    "cards": Parameter(
        "number",
        "the number of cards that each player is dealt; it may depend on `players` (those in the "
        "round) and on what is known before the round: `rounds`, tallies and counters",
        0,
        bounds=IN_PACK,
    ),
    "sits_out": Parameter(
        "ints for",
        "for each number of players, who sits out, in steps to the left of the dealer (0: the"
        " dealer)",
        {},
        bounds=(0, untrusted.MAX_PLAYERS - 1),
    ),
    "kitty": Parameter(
        "number",
        "the number of cards left over when the others are dealt evenly (it may depend on the "
        "same as `cards`)",
        0,
        bounds=IN_PACK,
    ),
}
SIDES: Mapping[str, Parameter] = {
    "number": Parameter(
        "int",
        "the number of sides, which alternate round the table (0: every player plays alone)",
        0,
        bounds=(0, untrusted.MAX_PLAYERS),
    ),
    "shared": Parameter(
        "bool", "whether the players of a side share a tally, fouls and penalties", True
    ),
}
# The ways to settle a match that is played for a stake.
TALLY_ITSELF, DIFFERENCES, NOTHING = "tally", "differences", "nothing"
TALLY: Mapping[str, Parameter] = {
    "name": Parameter("text", "its name on the sheet"),
    "start": Parameter(
        "number",
        "its first value, which may depend on `players`, `rounds` and counters",
        0,
    ),
    "joins": Parameter(
        "choice",
        "the tally of a player who joins later: `start`, or the least, the most or the mean of the"
        " players at the table who are not out",
        "start",
        ("start", "least", "most", "mean"),
    ),
    "least": Parameter("int", "its minimum", -999999),
    "most": Parameter("int", "its maximum", 999999),
    "out": Parameter(
        "bool", "whether a player whose tally falls to `least` is out of the match", False
    ),
    "zero_sum": Parameter("bool", "whether the score rows of a round add up to zero", False),
    "sums": Parameter(
        "ints",
        "the possible sums of all players' scores in a round (empty: any); imported score tables"
        " are checked against them",
        [],
    ),
    "parity": Parameter(
        "bool",
        "whether the score rows change all tallies by odd numbers, or all by even numbers",
        False,
    ),
    "pays": Parameter(
        "choice",
        "what is paid in a match for a stake: each player's `tally`, the `differences` between"
        " every two players (if the seating forms sides, only between players of different"
        " sides), or `nothing` (default: `tally` if scores add up to zero, `nothing` if the last"
        " player left wins, otherwise `differences`)",
        "",
        (TALLY_ITSELF, DIFFERENCES, NOTHING),
    ),
    "limits": Parameter(
        "int",
        "its maximum change in a round (0: no limit)",
        0,
        bounds=(0, untrusted.NUMBER_RANGE[1]),
    ),
}
MATCH: Mapping[str, Parameter] = {
    "ends": Parameter("condition", "the match ends after a round if this holds", "false"),
    "wins": Parameter(
        "choice",
        "the player who wins (with the `most` or the `fewest` points, or as the `last` one left)",
        "most",
        ("most", "fewest", "last"),
    ),
    "prefers": Parameter(
        "condition",
        "condition on a player, after a round; if it holds for some, only they can win",
        "",
    ),
    "leader": Parameter(
        "number",
        "the player who starts the first round if there is no dealer, as a place in the list of "
        "players; it may depend on the same as `deal.cards`, and applies to every round if it "
        "names `rounds`, tallies or counters",
        1,
        bounds=(1, untrusted.MAX_PLAYERS),
    ),
    "direction": Parameter(
        "choice",
        "the initial direction of play; cards are always played to the left (in a game to the "
        "right, name the players in the order of play)",
        "left",
        ("left", "right"),
    ),
}
DICE: Mapping[str, Parameter] = {
    "each": Parameter(
        "number",
        "the number of dice of a player in a round (it may depend on the same as `deal.cards`); "
        "with `own.tally`, the tally is the number of dice, and `hand` sets it",
        bounds=(1, untrusted.MAX_DICE),
    ),
}
VERB = Parameter("bool", "whether the game has the entry of that name", True)
LANGUAGE: Mapping[str, Parameter] = {
    "ranks": Parameter(
        "table", "letters that differ from those of the pack, and the ranks that they mean", {}
    ),
    "suits": Parameter(
        "table", "letters that differ from those of the pack, and the suits that they mean", {}
    ),
    "suit_words": Parameter("table", "the names of suits, by their letters", {}),
    "words": Parameter("table", "the translations of canonical words", {}),
    "sentences": Parameter("sentences", "the translations of the ruleset's own texts", {}),
}
PACK: Mapping[str, Parameter] = {
    "ranks": Parameter("text", "the ranks, strongest first, separated by spaces"),
    "suits": Parameter(
        "suits",
        "the suits, as capital letters separated by spaces; or a table with the ranks of each suit"
        " (empty: those of `ranks`)",
        "C S H D",
    ),
    "jokers": Parameter("texts", "cards without a suit", []),
    "without": Parameter("texts", "cards that are removed, as patterns of cards", []),
    "copies": Parameter(
        "int", "the number of copies of each card", 1, bounds=(1, untrusted.MAX_COPIES)
    ),
}
CLAUSE: Mapping[str, Parameter] = {
    "word": Parameter("name", "the clause word (default: the row's name)", ""),
    "phase": Parameter(
        "name", "the phase of the clause, for words that every phase has", "", rows="phases"
    ),
    "on": Parameter(
        "texts", "the entry types that the clause judges (default: those of its word)", []
    ),
    "when": Parameter("condition", "condition under which the row applies", "true"),
    "severity": Parameter("choice", "the effect of a breach", REFUSE, SEVERITIES),
    "cite": Parameter("text", "the paragraph of the rule text"),
    "say": Parameter("text", "the sentence for a breach, with facts in braces", ""),
}
SCORE: Mapping[str, Parameter] = {
    "for": Parameter(
        "name",
        "the role that gets the points; `each` player of the round, `all` (with those who sit out)"
        " or each of the `sides`",
    ),
    "against": Parameter("name", "a role that gets the same points with the opposite sign", ""),
    "points": Parameter("number", "the number of points", ""),
    "shares": Parameter(
        "number of",
        "the number of points for each of several roles, in place of `for`, `against` and `points`",
        {},
    ),
    "factor": Parameter("number", "the factor by which the rows in `of` are multiplied", ""),
    "of": Parameter(
        "texts",
        "the rows that a factor multiplies (default: all rows above); of these, it multiplies only"
        " what its own role gets, so several roles need a factor each",
        [],
        rows="scores",
    ),
    "when": Parameter("condition", "the row counts only if this holds", "true"),
    "cite": Parameter("text", "the paragraph of the rule text"),
    "label": Parameter("text", "the name of the row on the sheet", ""),
    "worth": Parameter(
        "text", "the row's value as text, for a blank sheet (if `points` is not a number)", ""
    ),
}
PHASE: Mapping[str, Parameter] = {
    "cite": Parameter("text", "the paragraph of the rule text", ""),
    "also": Parameter("lines", "further paragraphs that it implements", []),
}
TIMED: Mapping[str, Parameter] = {
    "ends": Parameter(
        "condition",
        "condition under which the phase ends early, checked when it begins and after each entry",
        "false",
    ),
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
REQUIRED_KEYS = ("name", "title", "rules", "phases", "tally")


def phase_parameters(own: Mapping[str, Parameter], concurrent: bool) -> Mapping[str, Parameter]:
    """Return the keys in `own` and those that every phase has. A concurrent phase has no `ends`."""
    return {**PHASE, **own} if concurrent else {**PHASE, **TIMED, **own}


def suits_of(pack: Row) -> dict[str, list[str]]:
    """Return the suits of a `[pack]`, each with the ranks that it lists for that suit, if any."""
    suits = pack["suits"]
    if isinstance(suits, str):
        return {suit: [] for suit in suits.split()}
    return {suit: ranks.split() for suit, ranks in suits.items()}


def with_defaults(table: Row, takes: Mapping[str, Parameter]) -> Row:
    """Return a table with defaults filled in for missing keys."""
    row: Json = dict(table)  # a mutable copy of the `Row`
    for key, parameter in takes.items():
        if key not in row:
            default = parameter.default
            row[key] = [] if default is REQUIRED and parameter.kind.endswith("s") else default
    return row


# --- checking a value: its kind, bounds and length, and the words and rows that it can name


class ValueProblem(NamedTuple):
    """A fault in a value.

    `key` is the key inside the value, or "" if the problem is the value itself. `found` is the
    wrong value, and `allowed` describes the allowed values.
    """

    key: str
    found: object
    allowed: str


def find_problems(value: object, parameter: Parameter, tables: Row) -> list[ValueProblem]:
    """Return all problems with a key's value. `tables` is the ruleset in which named rows are
    looked up."""
    return list(_iter_problems(value, parameter, tables))


def _iter_problems(value: object, parameter: Parameter, tables: Row) -> Iterator[ValueProblem]:
    key = ""
    fits, description, inner = _KINDS[parameter.kind]
    if not fits(value):
        yield ValueProblem(key, value, description)
    elif isinstance(value, dict | list) and len(value) > untrusted.MAX_ITEMS:
        yield ValueProblem(key, f"{len(value)} of them", f"at most {untrusted.MAX_ITEMS} of them")
    elif isinstance(value, dict):
        for name, part in value.items():
            if parameter.kind.endswith(" for") and not _is_count(name):
                yield ValueProblem(key, name, "a number of players")
            else:
                yield from _part_problems(part, inner, parameter, tables, name)
    elif isinstance(value, list):
        for part in value:
            yield from _part_problems(part, inner, parameter, tables, key)
    else:
        yield from _scalar_problems(value, parameter, tables, key)


def _part_problems(
    value: object, kind: str, parameter: Parameter, tables: Row, key: str
) -> Iterator[ValueProblem]:
    """Yield the problems with a value inside a list or table, including nested lists."""
    fits, description, inner = _KINDS[kind]
    if not fits(value):
        yield ValueProblem(key, value, description)
    elif not isinstance(value, list):
        yield from _scalar_problems(value, parameter, tables, key)
    elif len(value) > untrusted.MAX_ITEMS:
        yield ValueProblem(key, f"{len(value)} of them", f"at most {untrusted.MAX_ITEMS} of them")
    else:
        for part in value:
            yield from _part_problems(part, inner, parameter, tables, key)


def _scalar_problems(
    value: object, parameter: Parameter, tables: Row, key: str
) -> Iterator[ValueProblem]:
    """Yield the problems with a single value that has the right kind."""
    least, most = parameter.bounds
    if isinstance(value, str):
        known = list(parameter.choices) or _row_names(parameter, tables)
        if known and value not in known:
            yield ValueProblem(key, value, " or ".join(filter(None, known)))
        elif not parameter.choices and value and parameter.rows and not known:
            yield ValueProblem(key, value, f"a row of [{parameter.rows}], which has none")
        elif len(value) > untrusted.MAX_TEXT or (
            parameter.kind in _EXPRESSIONS and len(value) > LONGEST
        ):
            so = f"at most {LONGEST} characters (give a part of it a name in [let])"
            allowed = (
                so if parameter.kind in _EXPRESSIONS else f"at most {untrusted.MAX_TEXT} characters"
            )
            yield ValueProblem(key, f"{len(value)} characters", allowed)
    elif type(value) is int and not least <= value <= most:
        yield ValueProblem(key, value, f"a whole number from {least} to {most}")


def _row_names(parameter: Parameter, tables: Row) -> list[str]:
    rows = tables.get(parameter.rows) if parameter.rows else None
    return ["", *rows] if isinstance(rows, dict) and rows else []


def _is_count(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= 4 and name[0] != "0"


def is_ruleset_name(text: str) -> bool:
    """Return whether a text is a valid name for a ruleset or a rule text."""
    return 0 < len(text) <= MAX_NAME and _NAME.issuperset(text)


def _is_half(value: object) -> bool:
    return type(value) is int or (type(value) is float and (2 * value).is_integer())


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_words(value: object) -> bool:
    return isinstance(value, str) or _is_texts(value)


def _is_ints(value: object) -> bool:
    return isinstance(value, list) and all(type(part) is int for part in value)


def _is_file(value: object) -> bool:
    return isinstance(value, str) and is_ruleset_name(value)


def _is_item(value: object) -> bool:
    return isinstance(value, str | int)


def _is_value(value: object) -> bool:
    return _is_item(value) or (isinstance(value, list) and all(map(_is_item, value)))


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


# Each kind has a function that accepts its values, a description, and the kind of its items.
_KINDS: Mapping[str, tuple[Callable[[object], bool], str, str]] = {
    "int": (lambda value: type(value) is int, "a whole number", ""),
    "bool": (lambda value: isinstance(value, bool), "true or false", ""),
    "text": (lambda value: isinstance(value, str), "text", ""),
    "file": (_is_file, f"1 to {MAX_NAME} small letters, digits and hyphens", ""),
    "name": (lambda value: isinstance(value, str), "a name", ""),
    "choice": (lambda value: isinstance(value, str), "a word", ""),
    "number": (
        lambda value: isinstance(value, str) or type(value) is int,
        "a whole number or an expression",
        "",
    ),
    "set": (lambda value: isinstance(value, str), "an expression of a set of cards", ""),
    "condition": (lambda value: isinstance(value, str | bool), "a condition", ""),
    "texts": (_is_texts, "a list of texts", "text"),
    "lines": (_is_words, "a text or a list of texts", "text"),
    "words": (_is_words, "a word or a list of words", "text"),
    "suits": (lambda value: isinstance(value, str | dict), "letters, or a table of ranks", "text"),
    "ints": (_is_ints, "a list of whole numbers", "int"),
    "cards": (lambda value: isinstance(value, list), "a list of card patterns", "pattern"),
    "let": (_is_table, "a table", "named"),
    "named": (
        lambda value: isinstance(value, str | bool | int | list),
        "an expression, or a list of card patterns",
        "pattern",
    ),
    "pattern": (_is_words, "patterns of cards, or lists of them", "text"),
    "table": (_is_table, "a table", "words"),
    "sentences": (_is_table, "a table", "text"),
    "int for": (_is_table, "a table", "int"),
    "ints for": (_is_table, "a table", "ints"),
    "int of": (_is_table, "a table", "int"),
    "halves of": (_is_table, "a table", "half"),
    "half": (_is_half, "a whole number, or a half such as 4.5", ""),
    "number of": (_is_table, "a table", "number"),
    "values": (_is_table, "a table", "value"),
    "value": (_is_value, "a text, a whole number, true or false, or a list of these", "item"),
    "item": (_is_item, "a text, a whole number, true or false", ""),
}


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a suggestion for a mistyped word, followed by the known words."""
    known = list(known)
    listed = ", ".join(quote(name) for name in known[:MAX_LISTED])
    more = ", ..." if len(known) > MAX_LISTED else ""
    return " ".join(filter(None, (did_you_mean(word, known), listed + more)))


def describe_kind(value: object) -> str:
    """Return a description of a value: `a table`, `a list`, or the value itself."""
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else quote(repr(value))


# --- dotted keys: `clauses.follow.severity`


def join_key(parts: Iterable[str]) -> str:
    """Return the dotted key for a path, with quotes around parts that TOML would quote."""
    return ".".join(_quoted(part) for part in parts)


def _quoted(part: str) -> str:
    if part and BARE_KEY_LETTERS.issuperset(part):
        return part
    escaped = part.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_escaped(letter) for letter in escaped) + '"'


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"


def split_key(key: str) -> tuple[str, ...]:
    """Return the parts of a dotted key, which may be quoted, or () if the text is not a key.

    >>> split_key('scores."last trick".points')
    ('scores', 'last trick', 'points')
    """
    if BARE_KEY_LETTERS.issuperset(key.replace(".", "")):
        parts = tuple(key.split("."))
        return parts if all(parts) and len(parts) <= untrusted.MAX_DEPTH else ()
    if key.count(".") > untrusted.MAX_KEY_PARTS:
        return ()
    value, keys = parse_toml_line(f'{key} = "="'), []
    while isinstance(value, dict) and len(value) == 1:
        ((part, value),) = value.items()
        keys.append(part)
    return tuple(keys) if value == "=" and len(keys) <= untrusted.MAX_DEPTH else ()


def parse_toml_line(line: str) -> object:
    """Return the table in one line of TOML, or None if the line is not TOML."""
    try:
        return None if "\n" in line else untrusted.parse_any(line, 1, MAX_SETTING + len("v = "))
    except untrusted.BrokenToml:
        return None


def compile_languages(data: Row, pack: Pack, report: Report) -> dict[str, Language]:
    """Return a ruleset's languages by code, and report their faults."""
    result: dict[str, Language] = {}
    ranks_apart = _ranks_apart(pack)
    for code, row in data.get("languages", {}).items():
        where = f"languages.{code}"
        if code in (PROGRAM_LANGUAGE, NONE):
            report(where, code, "a code such as xx", "no language can have this code")
        words = {word: _first_form(forms) for word, forms in row.get("words", {}).items() if forms}
        no_suits: dict[str, set[str]] = {}
        kinds = (("ranks", pack.ranks, ranks_apart), ("suits", pack.suits, no_suits))
        tables = [
            make_letters(own, _read_letters(row.get(key, {}), own, apart, f"{where}.{key}", report))
            for key, own, apart in kinds
        ]
        names = _read_suit_words(row.get("suit_words", {}), pack, f"{where}.suit_words", report)
        result[code] = Language(tables[0], tables[1], words, names, row.get("sentences", {}))
    return result


def _read_suit_words(row: Row, pack: Pack, where: str, report: Report) -> dict[str, str]:
    """Return the suit for each suit name.

    Suits that are not in the pack are allowed, because several rulesets share words.
    """
    result: dict[str, str] = {}
    for suit, forms in row.items():
        if suit not in SUIT_NAMES and suit not in pack.suits:
            message = f"{where}.{suit} is not a suit"
            report(f"{where}.{suit}", suit, SUIT_LETTERS, message)
        for form in [forms] if isinstance(forms, str) else forms:
            typed = form.casefold()
            if not typed.isalpha():
                message = f"{where}.{suit} cannot be typed as one word"
                report(f"{where}.{suit}", form, "letters", message)
            elif suit in pack.suits and result.setdefault(typed, suit) != suit:
                _report_doubled(f"{where}.{suit}", typed, result[typed], suit, report)
    return result


def _ranks_apart(pack: Pack) -> dict[str, set[str]]:
    """Return, for each rank, the ranks that share no suit with it."""
    suits: dict[str, set[str]] = {}
    for kind in pack.suited:
        suits.setdefault(pack.rank[kind], set()).add(pack.suit[kind])
    return {
        rank: {other for other, theirs in suits.items() if own.isdisjoint(theirs)}
        for rank, own in suits.items()
    }


def _read_letters(
    row: Row, own: Sequence[str], apart: Mapping[str, set[str]], where: str, report: Report
) -> dict[str, str]:
    """Return the meaning of each letter in a table.

    A letter may mean two ranks if they are `apart` (share no suit), because the suit then decides.
    """
    result: dict[str, str] = {}
    for letter, meant in row.items():
        typed = letter.upper()
        if meant not in own:
            if own and isinstance(meant, str) and meant in USUAL_RANKS:
                # a variant may use fewer cards than the game that defined these letters
                continue
            allowed = " ".join(own) or "nothing, without cards"
            message = f"{where}.{letter} means nothing in the pack"
            report(f"{where}.{letter}", str(meant), allowed, message)
        elif not typed.isalnum():
            message = f"{where}.{letter} cannot be typed as a part of a card"
            report(f"{where}.{letter}", letter, "letters or digits", message)
        elif result.setdefault(typed, meant) != meant:
            _report_doubled(f"{where}.{letter}", typed, result[typed], meant, report)
    for typed, meant in result.items():
        other = typed in own and typed != meant and typed not in result.values()
        if other and typed not in apart.get(meant, ()):
            _report_doubled(f"{where}.{typed}", typed, meant, typed, report)
    return result


def _report_doubled(where: str, typed: str, one: str, other: str, report: Report) -> None:
    message = f"“{typed}” means both {one} and {other}"
    report(where, typed, "a letter with one meaning", message)


def _first_form(forms: str | list[str]) -> str:
    return forms if isinstance(forms, str) else forms[0]
