"""What is bid before play and named as contract: how it is read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import listed, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import NAME_LENGTH, Syntax, clean, whole
from scorekeeper.ruleset.shared import Offer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.core.types import Luck, Row
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling

CONTRACTS = "contracts"
TO = ".."
MOST_STEPS = 300
MOST_STEP = 9999
MOST_DIGITS = NAME_LENGTH
SAMPLED = 0.3  # how often a sample has an option


class Bids(NamedTuple):
    """What may be bid: `steps` are the numbers, the least first; `contracts`: whether a bid names
    one."""

    steps: tuple[int, ...]
    contracts: bool


def read_bids(text: str) -> Bids:
    """What a ruleset's text lets be bid: numbers, `0..13` for all from one to another, and the
    word `contracts`. Raises ValueError for anything else."""
    steps: list[int] = []
    words = text.split()
    for word in words:
        first, to, last = word.partition(TO)
        if word != CONTRACTS:
            bounds = [whole(bound, 0, MOST_STEP) for bound in ((first, last) if to else (first,))]
            steps += range(bounds[0], min(bounds[-1], bounds[0] + MOST_STEPS) + 1)
    if steps != sorted(set(steps)) or len(steps) > MOST_STEPS:
        raise ValueError(f"the numbers rise, and are at most {MOST_STEPS}")
    if not (steps or CONTRACTS in words):
        raise ValueError("nothing can be bid")
    return Bids(tuple(steps), CONTRACTS in words)


def offer_of(entry: Entry) -> Offer:
    """What an entry says is bid, or is played: an act, or a fact of somebody."""
    value: Offer | tuple[int, Offer] = entry.value
    return value if isinstance(value, Offer) else value[1]


class OfferSyntax(Syntax):
    """A number, a contract with the words and cards that may be said with it, or both.

    `steps` are the numbers, and whether there must be one; `rows` the contracts that may be named
    (none: no contract is), `options` the words that may follow one.
    """

    def __init__(
        self,
        steps: Sequence[int],
        rows: Mapping[str, Row],
        options: Mapping[str, Row],
        number_needed: bool = True,
    ) -> None:
        self.steps = steps
        self.rows = rows
        self.options = options
        self.number_needed = bool(steps) and number_needed
        forms = (("NUMBER", steps), ("CONTRACT OPTION…", rows))
        self.form = " ".join(form for form, known in forms if known)

    def fits(self, text: str, notation: Spelling) -> bool:
        if self.steps:
            number, text = self._begins(text, notation)
            if number is not None and not text:
                return True
        return bool(self.rows) and self._names_contract(text, notation)

    # --- reading

    def read(self, text: str, notation: Spelling) -> Offer:
        number, rest = self._number(text, notation)
        if not self.rows:
            if rest:
                raise Unreadable(tr("“{text}” cannot follow {word}", text=clean(rest), word=number))
            return Offer(number)
        contract, rest = self._contract(rest, notation)
        options, cards = self._words(contract, rest, notation)
        self._check_cards(contract, cards, notation)
        return Offer(number, contract, options, cards)

    def _begins(self, text: str, notation: Spelling) -> tuple[int | None, str]:
        """Return the number that a text begins with, in digits or as the game calls it, and the
        rest of it. The number is None where the text begins with none."""
        length = len(text) - len(text.lstrip("0123456789"))
        digits, rest = text[:length], text[length:].strip()
        if not digits:
            word, after = notation.opening(text)
            if word.isascii() and word.isdecimal():
                digits, rest = word, after
        return (int(digits[:MOST_DIGITS]), rest) if digits and self.steps else (None, text)

    def _number(self, text: str, notation: Spelling) -> tuple[int | None, str]:
        """Return the number that a text begins with, and the rest of it. Raise Unreadable for a
        number that cannot be bid, and where one is missing."""
        number, rest = self._begins(text, notation)
        if number in self.steps or (number is None and not self.number_needed):
            return number, rest
        say = (
            tr("a bid has a number, found “{text}”", text=clean(text))
            if number is None
            else tr("{number} cannot be bid", number=number)
        )
        raise Unreadable(say, tr("numbers: {numbers}", numbers=_some(self.steps)))

    def _contract(self, text: str, notation: Spelling) -> tuple[str, str]:
        """The contract that a text begins with, by its name or by its suit, and the rest of it."""
        word, rest = notation.opening(text)
        if word in self.rows:
            return word, rest
        first, _, rest = text.partition(" ")
        of_suit = self._of_suit(notation.suit(first)) if notation.is_suit(first) else []
        if len(of_suit) == 1:
            return of_suit[0], rest
        if of_suit:
            meant = listed([f"“{notation.say(name)}”" for name in of_suit], "or")
            say = tr("“{text}” may be {readings}", text=clean(first), readings=meant)
            raise Unreadable(say, tr("type the one that is meant"))
        names = ", ".join(map(notation.say, self.rows))
        found = (
            tr("“{text}” is no contract", text=clean(text)[:NAME_LENGTH])
            if text
            else tr("no contract is named")
        )
        raise Unreadable(found, tr("contracts: {contracts}", contracts=names))

    def _of_suit(self, suit: str) -> list[str]:
        """Return the contracts whose trump is that suit."""
        return [name for name, row in self.rows.items() if row.get("trump", "") == suit]

    def _names_contract(self, text: str, notation: Spelling) -> bool:
        """Return whether a text begins with a contract, or with a suit that may mean one."""
        if notation.opening(text)[0] in self.rows:
            return True
        return notation.is_suit(text.partition(" ")[0])

    def _words(
        self, contract: str, text: str, notation: Spelling
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The options and the cards that follow a contract."""
        options: dict[str, None] = {}
        cards: list[int] = []
        while text:
            word, rest = notation.opening(text)
            if word in self.options:
                options[word] = None
            else:
                first, *others = notation.tokens(text)
                if not notation.is_card(first):
                    said = notation.say(contract)
                    raise Unreadable(
                        tr(
                            "“{text}” cannot follow {word}",
                            text=clean(text)[:NAME_LENGTH],
                            word=said,
                        )
                    )
                cards.append(notation.card(first))
                rest = " ".join(others)
            text = rest
        return tuple(name for name in self.options if name in options), tuple(cards)

    def _check_cards(self, contract: str, cards: Sequence[int], notation: Spelling) -> None:
        """Raise Unreadable where a card is named that the contract does not take, or none that it
        needs."""
        takes = self.rows[contract].get("calls", ())
        if len(cards) != bool(takes):
            said = notation.say(contract)
            if takes:
                raise Unreadable(
                    tr("one card is called with {contract}", contract=said),
                    tr("as in {form}", form=f"{said} CARD"),
                )
            raise Unreadable(tr("no card is called with {contract}", contract=said))

    def sample(self, luck: Luck, notation: Spelling) -> tuple[Offer, ...]:
        number = luck.choice(self.steps) if self.steps and self.number_needed else None
        if not self.rows:
            return (Offer(number),)
        contract = luck.choice(list(self.rows))
        options = tuple(name for name in self.options if luck.random() < SAMPLED)
        takes = self.rows[contract].get("calls", ())
        cards = (luck.randint(0, len(notation.kinds) - 1),) if takes else ()
        return (Offer(number, contract, options, cards),)

    # --- writing

    def show(self, value: Offer, notation: Spelling) -> str:
        number, contract, options, cards = value
        said = "" if number is None else notation.say(str(number))
        words = [said] if said else []
        if contract:
            brief = self._brief(contract, notation) if said else ""
            glue = "" if said.isdigit() else " "
            words = [f"{said}{glue}{brief}"] if brief else [*words, notation.say(contract)]
        words += [notation.say(option) for option in options]
        return " ".join([*words, *(notation.kinds[kind] for kind in cards)])

    def _brief(self, contract: str, notation: Spelling) -> str:
        """What stands for a contract right after a number: its short name, or its suit where no
        other contract has that; "" where nothing does."""
        row = self.rows[contract]
        if not self.number_needed or row.get("short", ""):
            return str(row.get("short", "")) if self.number_needed else ""
        trump = row["trump"]
        return notation.say_suit(trump) if trump and len(self._of_suit(trump)) == 1 else ""


def _some(steps: Sequence[int]) -> str:
    """Numbers for a sentence; of many, the first and the last."""
    said = list(map(str, steps))
    return ", ".join(said if len(said) <= 12 else [*said[:10], "…", said[-1]])
