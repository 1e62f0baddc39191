"""Results without keys: the parts of a deal in the order of `[result] form`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.entry import EntryType
from scorekeeper.notation.syntax import KeyValues, clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling

    Pairs = tuple[tuple[str, str], ...]

PASSED = "passed"
BID, CONTRACT, DECLARER, DOUBLED = "bid", "contract", "declarer", "doubled"
POINTS, TRICKS, SPECIALS = "points", "tricks", "specials"
FORMS = ([BID, CONTRACT, DECLARER, POINTS], [CONTRACT, DECLARER, POINTS])
MAX_CONTRACT_WORDS, MAX_NAME_WORDS = 3, 4
DOUBLE = "x"  # one letter after the contract for each double


class ResultInOrder(KeyValues):
    """The values of a result in the order of the ruleset's `form`.

    Numbers and words of a contract may be joined (`110H`), and an `x` after the contract is a
    double. After the last value, a special point and the name of a player who has it may follow.
    """

    def __init__(self, rules: Ruleset) -> None:
        row = rules.table("result")
        self.rules = rules
        self.keys: list[str] = row["form"]
        self.passed = [word.casefold() for word in row["passed"]]
        self.every = [word.casefold() for word in row["every"]]
        self.form = " ".join(key.upper() for key in self.keys)

    def may_match(self, text: str, notation: Spelling) -> bool:
        """Return whether a text has a name, but no key, where the form has the declarer."""
        if "=" in text or ":" in text:
            return False
        return self._is_passed_out(text) or self._find_declarer(text.split(), notation) > 0

    def _is_passed_out(self, text: str) -> bool:
        return " ".join(text.casefold().split()) in self.passed

    def _find_declarer(self, words: list[str], notation: Spelling) -> int:
        """Return the position of the declarer's name, or 0 if there is none.

        A suit may also be the beginning of a name. The first name that follows a whole contract is
        preferred.
        """
        first = unknown = 0
        for at in range(1, min(len(words) - 1, MAX_CONTRACT_WORDS + 1)):
            if _find_name(words[:-1], at, notation) is not None:
                first = first or at
            elif self._is_outcome(words[at + 1]):
                unknown = at
            else:
                continue
            try:
                dict(self._read_contract(" ".join(words[:at]), notation))
            except Unreadable:
                continue
            return at
        return first or unknown

    def _is_outcome(self, word: str) -> bool:
        return (word.isascii() and word.isdigit()) or word.casefold() in self.every

    def read(self, text: str, notation: Spelling) -> Pairs:
        if self._is_passed_out(text):
            return ((PASSED, ""),)
        words = text.split()
        at = self._find_declarer(words, notation)
        seat, end = _find_name(words[:-1], at, notation) or (notation.find_seat(words[at]), at + 1)
        declarer = notation.names[seat]
        pairs = dict(self._read_contract(" ".join(words[:at]), notation))
        pairs[DECLARER] = declarer
        last, *rest = words[end:]
        if last.casefold() in self.every:
            pairs[TRICKS] = f"{declarer}:{self.rules.deal['cards']}"
        else:
            pairs[POINTS] = last
        if rest:
            pairs[SPECIALS] = "+".join(self._read_specials(rest, notation))
        return tuple(pairs.items())

    def _read_contract(self, text: str, notation: Spelling) -> Iterator[tuple[str, str]]:
        length = len(text) - len(text.lstrip("0123456789"))
        number, name = text[:length], text[length:].strip()
        bare = name.rstrip(DOUBLE + DOUBLE.upper())
        doubles = len(name) - len(bare)
        bare = bare.strip()
        word, _, more = bare.partition(" ")
        if not number and BID in self.keys:
            number = notation.find_meaning(word)
            if number.isdecimal():
                bare = more.strip()
            else:
                raise Unreadable(
                    tr("a bid begins with a number, not “{text}”", text=clean(text)),
                    tr("the form is {form}", form=self.form),
                )
        yield CONTRACT, self._find_contract(bare, notation)
        if number:
            yield BID, number
        if doubles:
            yield DOUBLED, str(doubles)

    def _find_contract(self, text: str, notation: Spelling) -> str:
        rows = self.rules.section("contracts")
        name = notation.find_meaning(text)
        if name in rows:
            return name
        suit = notation.read_suit(text) if notation.is_suit(text) else ""
        named = [name for name, row in rows.items() if suit and row["trump"] == suit]
        if len(named) == 1:
            return named[0]
        raise Unreadable(
            tr("“{text}” is not a contract", text=clean(text)),
            tr(
                "the contracts are {contracts}", contracts=", ".join(map(notation.write_word, rows))
            ),
        )

    def _read_specials(self, words: list[str], notation: Spelling) -> Iterator[str]:
        rows = self.rules.section("specials").items()
        known = [name for name, row in rows if not row["included"]]
        at = 0
        while at < len(words):
            special = notation.find_meaning(words[at])
            if special not in known:
                special_points = ", ".join(known)
                raise Unreadable(
                    tr("“{text}” is not a special point", text=clean(words[at])),
                    tr("the special points are: {known}", known=special_points),
                )
            if at + 1 == len(words):
                raise Unreadable(
                    tr("the result must state who has {name}", name=special),
                    tr("the form is {form}", form=f"{self.form} {special} NAME"),
                )
            named = _find_name(words, at + 1, notation)
            seat, at = named or (notation.find_seat(words[at + 1]), at + 2)
            yield f"{notation.names[seat]}:{special}"


def _find_name(words: list[str], at: int, notation: Spelling) -> tuple[int, int] | None:
    """Return the seat of the longest name that begins at a position, and the position after it."""
    for end in range(min(len(words), at + MAX_NAME_WORDS), at, -1):
        with suppress(Unreadable):
            return notation.find_seat(" ".join(words[at:end])), end
    return None


def check_form(rules: Ruleset) -> None:
    """Report an error if `form` is not one of the orders that can be read."""
    form = rules.table("result")["form"]
    if form not in FORMS:
        allowed = ", or ".join(" ".join(each) for each in FORMS)
        found = " ".join(form)
        message = f"result.form: “{found}” is not an order of keys; it can be {allowed}"
        rules.fault("result.form", found, allowed, message)


def short_form_type(rules: Ruleset) -> EntryType:
    """Return the entry type of a result without keys."""
    return EntryType(
        "", ResultInOrder(rules), "a result without keys", is_implicit=True, is_shorthand=True
    )
