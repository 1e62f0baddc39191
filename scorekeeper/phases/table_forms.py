"""Deals in one line: the parts of a result in the order of `[result] form`, without keys."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import SIGNS, parse_signed
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.contracts import parse_bid_forms
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import KeyValues, clean
from scorekeeper.phases.table_facts import ScoreSyntax

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.phases.table_facts import Given

    Pairs = tuple[tuple[str, str], ...]

PASSED = "passed"
BID, CONTRACT, DECLARER, DOUBLED = "bid", "contract", "declarer", "doubled"
POINTS, TRICKS, HOLDINGS, SPECIALS = "points", "tricks", "holdings", "specials"
SAYS = "says"
SIDE, EACH, WINNER, SCORE = "side", "each", "winner", "score"
HEADS = ((BID, CONTRACT, DECLARER), (CONTRACT, DECLARER), (SIDE,))
WHOLE_FORMS = ((EACH, BID, TRICKS), (WINNER, SCORE))
MAX_CONTRACT_WORDS, MAX_NAME_WORDS, MAX_EXTRA_WORDS = 3, 4, 3
DOUBLE = "x"  # written after the contract, once for each double
SAY = "say"  # the phase in which players choose words
ALL = "all"  # in a result: every trick
AS_BID = "="  # exactly the tricks that were bid
MAX_EXAMPLE_CARDS = 13
USUAL_POINTS = ("100", "102", "56", "60")  # points in the examples of lines
PLACEHOLDERS = {
    BID: N_("BID"),
    CONTRACT: N_("CONTRACT"),
    DECLARER: N_("DECLARER"),
    SIDE: N_("NAME"),
    POINTS: N_("POINTS"),
    TRICKS: N_("TRICKS"),
    HOLDINGS: N_("MELDS"),
}
_BID_AND_TRICKS = re.compile(r"([0-9]{1,3})[/-]([0-9]{1,3})")


class Head(NamedTuple):
    """The beginning of a line: the words of the contract, the players, and the next word's index.

    The first player is the declarer, and the others are partners. `seats` is empty if the name in
    the line is unknown.
    """

    contract: str
    seats: tuple[int, ...]
    end: int


class ResultInOrder(KeyValues):
    """The values of a result in the order of the ruleset's `form`.

    Numbers and words of a contract may be joined (`110H`), and an `x` after the contract is a
    double. Unless the seating determines the sides, the declarer's partner follows (`Ana+Ben`). A
    declarer who is named twice has no partner. After the last value, special points and
    announcements may follow, each with a player who has it. Words of `sums` and `melds` may follow
    too, each with a number for a side.
    """

    def __init__(self, rules: Ruleset) -> None:
        row = rules.table("result")
        self.rules = rules
        self.row = row
        self.keys: list[str] = row["form"]
        self.outcomes = [key for key in self.keys if key not in (BID, CONTRACT, DECLARER, SIDE)]
        self.passed = [word.casefold() for word in row["passed"]]
        self.every = [word.casefold() for word in row["every"]]

    def translated_form(self) -> str:
        return " ".join(map(self._placeholder, self.keys))

    def _placeholder(self, key: str) -> str:
        if key == TRICKS and BID in self.keys:
            return tr("= or +TRICKS or -TRICKS") if self.row["book"] else tr(PLACEHOLDERS[TRICKS])
        if key in PLACEHOLDERS:
            return tr(PLACEHOLDERS[key])
        return self.rules.translate(key).upper()

    def may_match(self, text: str, notation: Spelling) -> bool:
        """Return whether a text has no key, and has a name in the place where the form has the
        player."""
        words = text.split()
        if ":" in text or any(AS_BID in word and word != AS_BID for word in words):
            return False
        return self._is_passed_out(text) or self._find_head(words, notation) is not None

    def _is_passed_out(self, text: str) -> bool:
        return " ".join(text.casefold().split()) in self.passed

    def write(self, value: Iterable[tuple[str, str]], notation: Spelling) -> str:
        pairs = tuple(value)
        return (
            str(self.row["passed"][0]) if (PASSED, "") in pairs else super().write(pairs, notation)
        )

    # --- the contract and the player

    def _find_head(self, words: Sequence[str], notation: Spelling) -> Head | None:
        """Return the beginning of a line, or None if the words do not follow the form.

        If an unknown name is followed by an outcome, the beginning has no seats. A suit may also be
        the beginning of a name, so the first name after a whole contract is preferred.
        """
        if SIDE in self.keys:
            named = _find_names(words, 0, notation)
            known = named is not None and (
                named[1] == len(words) or self._is_outcome(words[named[1]])
            )
            return Head("", *named) if named is not None and known else None
        first = None
        for head, is_whole in self._possible_heads(words, notation):
            first = first or head if is_whole else first
            with suppress(Unreadable):
                dict(self._read_contract(head.contract, notation))
                return head
        return first

    def _possible_heads(
        self, words: Sequence[str], notation: Spelling
    ) -> Iterator[tuple[Head, bool]]:
        """Yield the possible beginnings of a line. The second value of each pair is true if an
        outcome follows."""
        has_partners = bool(self.rules.section("parties"))
        places = range(1, min(len(words), MAX_CONTRACT_WORDS + 1))
        for at in places:
            contract = " ".join(words[:at])
            named = _find_names(words[:-1], at, notation, joined=has_partners)
            if named is not None:
                yield Head(contract, *named), True
            elif at + 1 < len(words) and self._is_outcome(words[at + 1]):
                yield Head(contract, (), at + 1), True
        for at in places:
            named = _find_names(words, at, notation, joined=has_partners)
            if named is not None and named[1] == len(words):
                yield Head(" ".join(words[:at]), *named), False

    def _is_outcome(self, word: str) -> bool:
        number = word.removesuffix(".5").removesuffix("½")
        return (
            (number.isascii() and number.isdigit())
            or word.casefold() in self.every
            or (TRICKS in self.outcomes and (word == AS_BID or _signed(word) is not None))
        )

    def _read_contract(self, text: str, notation: Spelling) -> Iterator[tuple[str, str]]:
        length = len(text) - len(text.lstrip("0123456789"))
        number, name = text[:length], text[length:].strip()
        most = self._max_doubles()
        bare = name.rstrip(DOUBLE + DOUBLE.upper()) if most else name
        doubles = len(name) - len(bare)
        bare = bare.strip()
        if not number and BID in self.keys:
            fixed = self._row_of(bare, notation)
            if fixed is not None and fixed[1]["number"]:
                yield CONTRACT, fixed[0]
                return
            word, _, more = bare.partition(" ")
            number = notation.find_meaning(word)
            if not number.isdecimal():
                raise Unreadable(
                    tr("a bid begins with a number, not “{text}”", text=clean(text)),
                    tr("the form is {form}", form=self.translated_form()),
                )
            bare = more.strip()
        yield CONTRACT, self._find_contract(bare, notation)
        if number:
            yield BID, number
        if doubles:
            yield DOUBLED, str(doubles)

    def _max_doubles(self) -> int:
        """Return how often a bid can be doubled."""
        return len(self.rules.phases["auction"].row["doubles"])

    def _undeclared_contract(self) -> str:
        """Return the contract that is played if no player bids. If the round is then void, return a
        word that is no contract."""
        return str(self.rules.phases["auction"].row["nobody"])

    def _row_of(self, text: str, notation: Spelling) -> tuple[str, Mapping[str, object]] | None:
        """Return the name and the row of a contract, or None if the text is not the name of one."""
        name = notation.find_meaning(text)
        rows = self.rules.section("contracts")
        return (name, rows[name]) if name in rows else None

    def _find_contract(self, text: str, notation: Spelling) -> str:
        rows = self.rules.section("contracts")
        named = self._row_of(text, notation)
        if named is not None:
            return named[0]
        suit = notation.read_suit(text) if notation.is_suit(text) else ""
        of_suit = [name for name, row in rows.items() if suit and row["trump"] == suit]
        if len(of_suit) == 1:
            return of_suit[0]
        raise Unreadable(
            tr("“{text}” is not a contract", text=clean(text)),
            tr(
                "the contracts are {contracts}", contracts=", ".join(map(notation.write_word, rows))
            ),
        )

    # --- the outcome

    def read(self, text: str, notation: Spelling) -> Pairs:
        if self._is_passed_out(text):
            return ((PASSED, ""),)
        words = text.split()
        head = self._find_head(words, notation)
        if head is None:
            raise self._incomplete_error(text)
        if not head.seats:
            notation.find_seat(words[head.end - 1])  # raises an error, because the name is unknown
        pairs = dict(self._read_contract(head.contract, notation)) if head.contract else {}
        who = notation.names[head.seats[0]]
        if DECLARER in self.keys and pairs[CONTRACT] != self._undeclared_contract():
            pairs[DECLARER] = who
        if len(head.seats) > 1:
            side = next(iter(self.rules.section("parties")))
            pairs[side] = "+".join(notation.names[seat] for seat in dict.fromkeys(head.seats))
        rest = words[head.end :]
        for key in self.outcomes:
            if not rest:
                raise self._incomplete_error(text)
            word = rest.pop(0)
            if key in (POINTS, TRICKS) and word.casefold() in self.every:
                pairs[TRICKS] = f"{who}:{self._all_tricks()}"
            elif key == TRICKS:
                pairs[TRICKS] = f"{who}:{self._read_tricks(word, pairs)}"
            else:
                pairs[key] = f"{who}:{word}" if key == HOLDINGS or SIDE in self.keys else word
        for key, value in self._read_extras(rest, who, notation):
            pairs[key] = f"{pairs[key]}+{value}" if key in pairs else value
        return tuple(pairs.items())

    def _number_of_tricks(self) -> int:
        """Return the number of tricks in a deal. If it depends on the number of players, return the
        maximum that the pack allows."""
        cards = self.rules.deal["cards"]
        if isinstance(cards, int) and cards:
            return cards
        players = min(self.rules.players["counts"] or [self.rules.players["least"]])
        return int((self.rules.pack.card_count - self.rules.deal["kitty"]) // players)

    def _all_tricks(self) -> str:
        """Return the number of tricks in a deal, or ALL if that number depends on the deal."""
        cards = self.rules.deal["cards"]
        return str(cards) if isinstance(cards, int) and cards else ALL

    def _incomplete_error(self, text: str) -> Unreadable:
        return Unreadable(
            tr("“{text}” is not a complete result yet", text=clean(text)),
            tr("the form is {form}", form=self.translated_form()),
        )

    def _read_tricks(self, word: str, pairs: Mapping[str, str]) -> int:
        """Return the number of tricks from `=`, `+1`, `-2` or a number."""
        all_tricks = self._number_of_tricks()
        book: int = self.row["book"]
        form = tr("the form is {form}", form=self.translated_form())
        over = 0 if word == AS_BID else _signed(word)
        if over is None:
            if not (word.isascii() and word.isdigit()):
                raise Unreadable(
                    tr("“{text}” is not a number of tricks", text=clean(word)),
                    form if book else tr("enter a number from 0 to {most}", most=all_tricks),
                )
            if book and int(word) <= book:
                raise Unreadable(
                    tr("“{text}” may mean tricks above or below the bid", text=word),
                    tr("enter {above} or {below}", above=f"+{word}", below=f"-{word}"),
                )
            return int(word)
        if BID not in pairs:
            raise Unreadable(
                tr("this contract has no number, so “{text}” has no meaning", text=clean(word)),
                tr("enter a number from 0 to {most}", most=all_tricks),
            )
        needed = book + int(pairs[BID])
        tricks = needed + over
        if not 0 <= tricks <= all_tricks:
            raise Unreadable(
                tr(
                    "“{text}” would be {number} tricks, but there are {played} in all",
                    text=clean(word),
                    number=tricks,
                    played=all_tricks,
                ),
                tr(
                    "with this bid, {low} to {high} is possible",
                    low=f"-{needed}",
                    high=f"+{all_tricks - needed}" if all_tricks > needed else AS_BID,
                ),
            )
        return tricks

    # --- what follows the outcome

    def _extras(self) -> Iterator[tuple[str, str]]:
        """Yield the words that may follow the outcome, each with its key in a result."""
        for name, row in self.rules.section("specials").items():
            if not (row["included"] or row["told"] or self._is_summed(name)):
                yield name, SPECIALS
        yield from ((name, HOLDINGS) for name in self.rules.section("holdings"))
        yield from ((name, name) for name in self.row["sums"])
        yield from ((word.casefold(), "") for word in self.row["melds"])
        yield from ((word, TRICKS) for word in self.every)
        if SAY in self.rules.phases:
            yield from ((word, SAYS) for word in self.rules.phases[SAY].row["words"])

    def _is_summed(self, special: str) -> bool:
        return any(special in names for names in self.row["sums"].values())

    def _read_extras(
        self, words: Sequence[str], who: str, notation: Spelling
    ) -> Iterator[tuple[str, str]]:
        extras = dict(self._extras())
        at = 0
        for name, number, end in _numbers_by_name(words, 0, who, notation, named=True):
            if TRICKS in self.outcomes:
                yield TRICKS, f"{name}:{number}"
                at = end
        while at < len(words):
            word, at = self._read_extra(words, at, extras, notation)
            key = extras[word]
            if key == TRICKS:
                named = _find_name(words, at, notation)
                name = who if named is None else notation.names[named[0]]
                at = at if named is None else named[1]
                yield TRICKS, f"{name}:{self._all_tricks()}"
                continue
            if key == SAYS and at < len(words):
                for name, number, end in list(self._read_speakers(words, at, notation)):
                    yield SAYS, f"{name}:{word}"
                    if number:
                        yield TRICKS, f"{name}:{number}"
                    at = end
                continue
            if key in (SPECIALS, HOLDINGS, SAYS):
                if at == len(words):
                    raise Unreadable(
                        tr("the result must state who has {name}", name=word),
                        tr(
                            "the form is {form}",
                            form=f"{self.translated_form()} {word} {tr(PLACEHOLDERS[SIDE])}",
                        ),
                    )
                seat, at = _find_name(words, at, notation) or (
                    notation.find_seat(words[at]),
                    at + 1,
                )
                yield key, f"{notation.names[seat]}:{word}"
                continue
            numbers = list(_numbers_by_name(words, at, who, notation))
            if not numbers:
                form = f"{self.translated_form()} {word} {tr(PLACEHOLDERS[SIDE])}"
                raise Unreadable(
                    tr("a number must follow “{word}”", word=word),
                    tr("the form is {form}", form=f"{form} {tr(PLACEHOLDERS[POINTS])}"),
                )
            for name, number, end in numbers:
                yield key or HOLDINGS, f"{name}:{number}"
                at = end

    def _read_speakers(
        self, words: Sequence[str], at: int, notation: Spelling
    ) -> Iterator[tuple[str, str, int]]:
        """Yield the players who chose a word, each with their tricks and the position after them.

        The tricks are "" if they are not stated.
        """
        following: tuple[int, int] | None
        following = _find_name(words, at, notation) or (notation.find_seat(words[at]), at + 1)
        while following is not None:
            seat, at = following
            number = words[at] if at < len(words) and words[at].isdecimal() else ""
            at += bool(number)
            yield notation.names[seat], number, at
            following = _find_name(words, at, notation)

    def _read_extra(
        self, words: Sequence[str], at: int, extras: Mapping[str, str], notation: Spelling
    ) -> tuple[str, int]:
        """Return the longest known word at a position, and the position after it."""
        for end in range(min(len(words), at + MAX_EXTRA_WORDS), at, -1):
            text = " ".join(words[at:end])
            for meaning in (notation.find_meaning(text), text.casefold()):
                if meaning in extras:
                    return meaning, end
        known = ", ".join(map(notation.write_word, extras))
        raise Unreadable(
            tr("“{text}” is not a special point", text=clean(words[at])),
            tr("the special points are: {known}", known=known)
            if known
            else tr("the form is {form}", form=self.translated_form()),
        )

    # --- the other direction

    def example_lines(self, notation: Spelling) -> Iterator[str]:
        rows = self.rules.section("contracts") if CONTRACT in self.keys else {"": {}}
        usual = [name for name, row in rows.items() if not (row.get("number") or row.get("annuls"))]
        steps = self._steps()
        bids = steps[min(3, len(steps) // 2) :][:1] or [0]
        for contract, bid in product(usual[:2], bids):
            pairs = {CONTRACT: contract, BID: str(bid or ""), DECLARER: notation.names[0]}
            for values in product(*(self._example_values(key, bid) for key in self.outcomes)):
                each = dict(zip(self.outcomes, values, strict=True))
                yield self.shorten({**pairs, **each}, notation)

    def _example_values(self, key: str, bid: int) -> list[str]:
        """Return example values for one key of the outcome, the likeliest first."""
        if key == TRICKS:
            return [str(self.row["book"] + bid)]
        if key == HOLDINGS:
            return [str(bid // 20 * 10), "0"]
        if key != POINTS:
            return ["1"]
        return list(USUAL_POINTS)

    def _steps(self) -> Sequence[int]:
        """Return the numbers that can be bid."""
        if BID not in self.keys:
            return ()
        return parse_bid_forms(self.rules.phases["auction"].row["bids"]).steps

    def shorten(self, pairs: Mapping[str, str], notation: Spelling) -> str:
        if PASSED in pairs:
            return str(self.row["passed"][0]) if self.row["passed"] else ""
        contract = notation.find_meaning(pairs.get(CONTRACT, ""))
        row = self.rules.section("contracts").get(contract, {})
        suit = row.get("trump", "")
        short = row.get("short", "") or (notation.write_suit(suit) if suit else "")
        number = pairs.get(BID, "")
        doubles = pairs.get(DOUBLED, "")
        letters = DOUBLE * int(doubles) if doubles.isdecimal() and len(doubles) == 1 else ""
        name = (f"{number}{short}" if short else f"{number} {pairs.get(CONTRACT, '')}").strip()
        side = next(iter(self.rules.section("parties")), "")
        who = pairs.get(side, "") or pairs.get(DECLARER, "")
        who += f"+{who}" if side in pairs and "+" not in who else ""
        words = [f"{name}{letters}", who] if DECLARER in self.keys else []
        for key in self.outcomes:
            who, _, value = pairs.get(key, "").rpartition(":")
            words += [who or notation.names[0]] if SIDE in self.keys else []
            words.append(self._write_tricks(value, number) if key == TRICKS else value)
        for key in (SPECIALS, HOLDINGS):
            parts = pairs.get(key, "").split("+") if key not in self.outcomes else []
            words += [f"{what} {who}" for who, _, what in (p.partition(":") for p in parts if p)]
        return " ".join(filter(None, words))

    def _write_tricks(self, tricks: str, bid: str) -> str:
        if not (self.row["book"] and tricks.isdecimal() and bid.isdecimal()):
            return tricks
        over = int(tricks) - int(bid) - self.row["book"]
        return f"{over:+}" if over else AS_BID


class EachInOrder(KeyValues):
    """The bid and the tricks of every player, in the order of their names: `2/2 0/1 1/1`."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def translated_form(self) -> str:
        return tr("BID/TRICKS of each player in turn")

    def may_match(self, text: str, notation: Spelling) -> bool:
        words = text.split()
        return len(words) > 1 and all(map(_BID_AND_TRICKS.fullmatch, words))

    def read(self, text: str, notation: Spelling) -> Pairs:
        words = text.split()
        if len(words) != len(notation.names):
            raise Unreadable(
                tr(
                    "the line has the numbers of {count} players, not of {players}",
                    count=len(words),
                    players=len(notation.names),
                ),
                tr("enter BID/TRICKS for each of {names}", names=", ".join(notation.names)),
            )
        both = [word.replace("-", "/").split("/") for word in words]
        named = list(zip(notation.names, both, strict=True))
        return tuple(
            (key, "+".join(f"{name}:{int(pair[at])}" for name, pair in named))
            for at, key in enumerate((BID, TRICKS))
        )

    def example_lines(self, notation: Spelling) -> Iterator[str]:
        players = len(notation.names)
        for cards in range(MAX_EXAMPLE_CARDS, 0, -1):
            won = [cards // players + (seat < cards % players) for seat in range(players)]
            bids = [*won[:-1], won[-1] + 1]
            yield " ".join(f"{bid}/{tricks}" for bid, tricks in zip(bids, won, strict=True))

    def shorten(self, pairs: Mapping[str, str], notation: Spelling) -> str:
        parts = [pairs.get(key, "").split("+") for key in (BID, TRICKS)]
        each = [dict(part.rpartition(":")[::2] for part in numbers) for numbers in parts]
        if any(set(numbers) != set(notation.names) for numbers in each):
            return ""
        return " ".join(f"{each[0][name]}/{each[1][name]}" for name in notation.names)


class ScoreInOrder(ScoreSyntax):
    """The syntax of a deal's winner and the points for the win: `Ana 2`. The text is read as a
    `score` entry."""

    def __init__(self, rules: Ruleset) -> None:
        self.worth: list[int] = rules.table("result")["scores"]

    def translated_form(self) -> str:
        return f"{tr(PLACEHOLDERS[SIDE])} {tr(PLACEHOLDERS[POINTS])}"

    def may_match(self, text: str, notation: Spelling) -> bool:
        name, _, points = text.rpartition(" ")
        if not (points.isascii() and points.isdigit()):
            return False
        with suppress(Unreadable):
            return bool(name) and ":" not in name and notation.find_seat(name) >= 0
        return False

    def read(self, text: str, notation: Spelling) -> tuple[Given, ...]:
        name, _, points = text.rpartition(" ")
        if int(points[:9]) not in self.worth:
            raise Unreadable(
                tr("a deal is not worth {points}", points=clean(points)),
                tr("it is worth {possible}", possible=", ".join(map(str, self.worth))),
            )
        return (((notation.find_seat(name),), int(points)),)

    def write(self, value: Iterable[Given], notation: Spelling) -> str:
        return " ".join(f"{notation.names[seats[0]]} {points}" for seats, points in value)

    def example_lines(self, notation: Spelling) -> Iterator[str]:
        yield from (f"{notation.names[0]} {points}" for points in self.worth[1:2] or self.worth)


def _signed(text: str) -> int | None:
    """Return the number in a text that begins with a sign, or None if the text has no sign."""
    return parse_signed(text) if text[:1] in SIGNS else None


def _find_name(words: Sequence[str], at: int, notation: Spelling) -> tuple[int, int] | None:
    """Return the seat of the longest name that begins at a position, and the position after it."""
    named = _find_names(words, at, notation)
    return None if named is None else (named[0][0], named[1])


def _find_names(
    words: Sequence[str], at: int, notation: Spelling, *, joined: bool = False
) -> tuple[tuple[int, ...], int] | None:
    """Return the seats of the longest name at a position, and the position after it.

    If `joined` is true, names joined by `+` are read too.
    """
    for end in range(min(len(words), at + MAX_NAME_WORDS), at, -1):
        text = " ".join(words[at:end])
        with suppress(Unreadable):
            names = text.split("+") if joined else [text]
            return tuple(notation.find_seat(name.strip()) for name in names), end
    return None


def _numbers_by_name(
    words: Sequence[str], at: int, who: str, notation: Spelling, *, named: bool = False
) -> Iterator[tuple[str, str, int]]:
    """Yield the numbers from a position on, each with its player and the position after it.

    A first number without a name belongs to `who`, unless all must be `named`.
    """
    if not named and at < len(words) and words[at].isdecimal():
        at += 1
        yield who, words[at - 1], at
    while True:
        player = _find_name(words, at, notation)
        if player is None or player[1] == len(words) or not words[player[1]].isdecimal():
            return
        seat, at = player[0], player[1] + 1
        yield notation.names[seat], words[at - 1], at


def check_form(rules: Ruleset) -> None:
    """Report an error if `form` is not one of the orders that can be read."""
    row = rules.table("result")
    form = tuple(row["form"])
    told = [name for name, each in rules.section("specials").items() if each["told"]]
    outcomes = (POINTS, TRICKS, HOLDINGS, *told)
    head = next((each for each in HEADS if form[: len(each)] == each), None)
    rest = () if head is None else form[len(head) :]
    if form not in WHOLE_FORMS and not (
        rest and len(set(rest)) == len(rest) and set(rest) <= set(outcomes)
    ):
        heads = ", or ".join(" ".join(each) for each in (*HEADS, *WHOLE_FORMS))
        allowed = f"{heads}; after the first three also {', '.join(outcomes)}"
        message = f"result.form: “{' '.join(form)}” is not an order of keys; it can be {allowed}"
        rules.fault("result.form", " ".join(form), allowed, message)
    specials = rules.section("specials")
    for name, names in row["sums"].items():
        for each in [names] if isinstance(names, str) else names:
            if each not in specials:
                where, allowed = f"result.sums.{name}", ", ".join(specials)
                message = f"{where}: “{each}” is not a special point"
                rules.fault(where, each, allowed, message)


def short_form_type(rules: Ruleset) -> EntryType:
    """Return the entry type of a result without keys."""
    form = tuple(rules.table("result")["form"])
    syntax = (
        EachInOrder(rules)
        if form == WHOLE_FORMS[0]
        else ScoreInOrder(rules)
        if form == WHOLE_FORMS[1]
        else ResultInOrder(rules)
    )
    return EntryType(
        "",
        syntax,
        "a result without keys",
        by=Actor.TABLE,
        is_implicit=True,
        is_shorthand=True,
    )
