"""Contracts: how each contract changes play, what it requires of a hand, and how it is bid.

Several phases can settle a contract. They all do so through `Contracts`, the only class that writes
the contract fields of `TableState`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.expressions import TRUTH, NotYetKnown
from scorekeeper.core.expressions.parser import KINDS
from scorekeeper.core.hands import AnyOf, Breach, Claim, Unsure, combine_verdicts, compare_bounds
from scorekeeper.core.messages import N_, format_quoted, join_list, tr
from scorekeeper.core.sides import CARDS, MODES
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import Owner
from scorekeeper.engine.phase import OWN, ContractRules, Measure
from scorekeeper.engine.state import ContractBid
from scorekeeper.notation.syntax import MAX_NAME_LENGTH, Syntax, clean, parse_whole
from scorekeeper.ruleset.orders import TRUMP, iter_patterns, match_kinds
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome, Question
    from scorekeeper.core.types import Facts, Rng, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling

TRUMPS, LAID, DEALT = "trumps", "recorded()", "dealt()"  # names for cards in a condition on a hand


DECLARER, AFTER = "declarer", "after"
# Names that contracts and options cannot have, because measures such as `contract.turned` use them.
RESERVED_NAMES = ("declared", "number", "turned")

KITTY = NOBODY, OWNER, OPPONENTS, LAST = ("nobody", "owner", "opponents", "last")
"""The possible recipients of a kitty's card points at the end of a round."""

PARTNER = "partner"
RESTS_PARAMETER = Parameter(
    "choice",
    ("the player who does not play in this deal: the declarer's `partner`"),
    "",
    ("", PARTNER),
)
CONTRACT: Mapping[str, Parameter] = {
    "order": Parameter("name", "the row of [orders] that applies", "", rows="orders"),
    "trump": Parameter("text", "the suit that `{trump}` means in orders", "", natural=True),
    "sides": Parameter("choice", "what determines the sides", CARDS, MODES),
    "within": Parameter(
        "int",
        "the number of tricks in which the partner can be found",
        3,
        bounds=(1, untrusted.MAX_CARDS),
    ),
    "becomes": Parameter(
        "name", "the contract that replaces it if no partner was found", "", rows="contracts"
    ),
    "leads": Parameter(
        "choice",
        "who leads: the `declarer`, or the player `after` the declarer (default: as usual)",
        "",
        ("", DECLARER, AFTER),
    ),
    "rests": RESTS_PARAMETER,
    "kitty": Parameter(
        "choice",
        "who gets the card points of the kitty (default: as the phase sets it)",
        "",
        ("", *KITTY),
    ),
    "annuls": Parameter("bool", "whether the deal does not count", False),
    "needs": Parameter("condition", "the condition on the hand as dealt (`dealt`)", "true"),
    "wanted": Parameter("text", "`needs` as part of a sentence", "what it needs"),
    "counted": Parameter("name", "the order whose trumps `needs` counts", "", rows="orders"),
    "is": Parameter("int of", "further numbers, each the measure `contract.KEY`", {}),
}


class Contracts:
    """The compiled `[contracts]` table.

    `rows` maps the name of each contract to its row, and `needs` maps it to the condition on the
    hand. `options` maps each word that can be named with a contract to its row.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rows = rules.section("contracts")
        self.options = rules.section("options")
        self._suits = rules.pack.suits
        self.needs: dict[str, Expression] = {}  # set by `link`

    def link(self, rules: Ruleset) -> None:
        """Compile the conditions on hands. Report errors in these conditions, in the trump suits
        and in the names."""
        for name, row in self.rows.items():
            if row["needs"] not in ("true", True):
                self.needs[name] = self._compile_condition(rules, name, row["needs"])
            if row["trump"] and row["trump"] not in rules.pack.suits:
                where, allowed = f"contracts.{name}.trump", " ".join(rules.pack.suits)
                rules.fault(where, row["trump"], allowed, f"{where} is not a suit of the pack")
        seen = set(RESERVED_NAMES)
        for name in (*self.rows, *self.options, *self.fact_keys()):
            if name in seen:
                message = f"contracts: two measures would be called contract.{name}"
                rules.fault("contracts", name, "a different name", message)
            seen.add(name)

    def _compile_condition(self, rules: Ruleset, name: str, text: object) -> Expression:
        """Compile a contract's `needs`.

        If the condition counts trumps, the contract must determine the card order that defines
        them.
        """
        path, order = f"contracts.{name}", self.trumps_text(name)
        if TRUMPS in str(text) and order not in rules.orders.rows:
            message = f"{path}.needs: it is unclear which order's trumps are meant"
            rules.fault(f"{path}.counted", order, ", ".join(rules.orders.rows), message)
        return rules.compile_expression(text, f"{path}.needs", (OWN,))

    def judge_condition(self, rnd: Round, seat: int, name: str, facts: Facts) -> Outcome:
        """Judge whether the hand dealt to a seat meets the contract's needs."""
        condition = self.needs.get(name)
        if condition is None or seat < 0:
            return None
        row = self.rows[name]

        def trumps() -> int:
            bound = {"trump": row["trump"]} if row["trump"] else {}
            return rnd.rules.orders.get(self.trumps_text(name), bound).masks[TRUMP]

        return condition_on_hand(
            rnd, seat, condition, trumps, {**facts, "wanted": rnd.rules.translate(row["wanted"])}
        )

    def trumps_text(self, name: str) -> str:
        """Return the name of the order whose trumps a contract's `needs` counts."""
        row = self.rows[name]
        return row["counted"] or str(row["order"])

    # --- possible bids

    def callable_cards(self, pack: Pack, name: str) -> list[int]:
        """Return the kinds of card that the declarer of a contract can call."""
        patterns = iter_patterns(self.rows[name].get("calls", ()))
        return [kind for pattern in patterns for kind in match_kinds(pack, pattern)]

    def allows_option(self, option: str, contract: str) -> bool:
        """Return whether an option can be named with a contract."""
        fits: list[str] = self.options[option]["with"]
        return not fits or contract in fits

    def possible_bids(
        self, pack: Pack, name: str, number: int | None = None
    ) -> Iterator[ContractBid]:
        """Yield every way to name a contract with at most one option."""
        choices: list[tuple[str, ...]] = [(), *((each,) for each in self.options)]
        for kind in self.callable_cards(pack, name) or (None,):
            cards = () if kind is None else (kind,)
            for options in choices:
                if all(self.allows_option(option, name) for option in options):
                    yield ContractBid(number, name, options, cards)

    # --- measures

    def fact_keys(self) -> dict[str, None]:
        """Return the names of the further numbers that contracts define under the key `is`."""
        return {key: None for row in self.rows.values() for key in row["is"]}

    def measures(self) -> Iterator[Measure]:
        """Yield the measures for contracts, their options, their further numbers, and the called
        card."""
        for name in self.rows:
            yield Measure(
                f"contract.{name}", f"whether {name} is played", _is_contract(name), kind=TRUTH
            )
        for option in self.options:
            doc = f"whether {option} was named with it"
            yield Measure(f"contract.{option}", doc, _has_option(option), kind=TRUTH)
        yield Measure("called", "the card that was named with it", _called, "", KINDS)
        for key in self.fact_keys():
            doc = f"the number {key} of the contract that is played"
            yield Measure(f"contract.{key}", doc, self._number(key))

    def _number(self, key: str) -> Reader:
        def read(rnd: Round, _: object) -> float:
            row = self.rows.get(rnd.table.contract)
            return row["is"].get(key, 0) if row is not None else 0

        return read

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        """Return the trump suits that contracts bind to `{trump}` in card patterns."""
        suits = [row["trump"] for row in self.rows.values() if row["trump"] in self._suits]
        return {"trump": suits} if suits else {}

    # --- settling a contract

    def declare(self, rnd: Round, seat: int, number: int | None = None) -> None:
        """Record which seat is the declarer, and the number that was bid, if there is one."""
        rnd.table.declarer = seat
        if number is not None:
            rnd.table.number = number

    def settle(self, rnd: Round, seat: int, offer: ContractBid) -> None:
        """Record a seat's contract, its options, the options they imply, and the cards it names."""
        self.declare(rnd, seat, offer.number)
        rnd.table.options = self.options_with_implied(offer)
        rnd.table.named_cards = offer.cards
        self.apply_contract(rnd, offer.contract, seat)

    def call_card(self, rnd: Round, kind: int) -> None:
        """Record the card that the declarer calls after the contract is settled."""
        rnd.table.named_cards = (kind,)
        self._make_sides(rnd, self.rows[rnd.table.contract], rnd.table.declarer)

    def options_with_implied(self, offer: ContractBid) -> tuple[str, ...]:
        """Return a bid's options and the options they imply, in the ruleset's order.

        Options that the contract does not allow are left out.
        """
        chosen = list(offer.options)
        for option in chosen:
            for more in self.options[option]["implies"]:
                if more not in chosen and self.allows_option(more, offer.contract):
                    chosen.append(more)
        return tuple(name for name in self.options if name in chosen)

    def apply_contract(self, rnd: Round, contract: str, seat: int) -> None:
        """Apply a contract to the round by setting the order, trump, leader and sides.

        `seat` is the declarer, or -1 if there is no declarer or the declarer is unknown.
        """
        row = self.rows[contract]
        rnd.table.contract = contract
        rnd.void = bool(row["annuls"])
        if rnd.void:
            return
        if row["order"]:
            rnd.table.order = row["order"]
        rnd.table.chosen = row["trump"]
        if row["leads"] and seat >= 0 and rnd.setup.lead is None:
            rnd.seating.leader = (
                seat if row["leads"] == DECLARER else rnd.seating.next_seat(seat, rnd.seating.step)
            )
        rows = [row, *(self.options[option] for option in rnd.table.options)]
        if seat >= 0 and any(each["rests"] for each in rows):
            rnd.table.resting = tuple(mate for mate in rnd.seating.side(seat) if mate != seat)
        self._make_sides(rnd, row, seat)

    def _make_sides(self, rnd: Round, row: Row, seat: int) -> None:
        if rnd.sides is not None:
            sizes = rnd.hands.sizes()
            size = max([sizes[player] for player in rnd.seats])
            first = max(1, rnd.deal_size - size + 1)
            named = _called(rnd, None)
            mates = rnd.seating.side(seat) if seat >= 0 else ()
            rnd.sides.set_contract(row["sides"], seat, row["within"], first, named, mates)

    def change_without_partner(self, rnd: Round) -> None:
        """Switch to the contract that replaces this one if its declarer has found no partner."""
        parties, contract = rnd.sides, rnd.table.contract
        if parties is None or not contract or not parties.is_alone:
            return
        instead: str = self.rows[contract]["becomes"]
        if instead:
            rnd.table.contract = instead


def _is_contract(name: str) -> Reader:
    return lambda rnd, _: rnd.table.contract == name


def _called(rnd: Round, _: object) -> int:
    return sum(rnd.rules.pack.column[kind] for kind in set(rnd.table.named_cards))


def _has_option(option: str) -> Reader:
    return lambda rnd, _: option in rnd.table.options


# --- claims about the hand that a contract needs


def condition_on_hand(
    rnd: Round, seat: int, condition: Expression, trumps: Callable[[], int], facts: Facts
) -> Outcome:
    """Judge a condition on the hand that a seat was dealt.

    `trumps` is a function that returns the cards that the condition calls `trumps`.
    """
    get = rnd.reading(Owner((seat,)))
    laid = int(get(LAID))

    def of_a_part(cards: int) -> tuple[int, int, int]:
        return seat, cards & rnd.rules.pack.full, (laid & cards).bit_count()

    # The type of a measure's value depends on its name. See `Get`.
    def read(name: str) -> Any:
        if name == TRUMPS:
            return trumps()
        return of_a_part if name == DEALT and rnd.starts_midway else get(name)

    try:
        asked = condition.evaluate_claim(read)
    except NotYetKnown:
        return Unsure(facts)
    if isinstance(asked, bool):
        return None if asked else Breach(facts)
    unseen = rnd.deal_size - rnd.hands.size(seat) - laid.bit_count()
    if unseen <= 0:
        asked.facts = facts
        return asked
    obeyed = _holds_for_part(rnd, asked, unseen)
    if obeyed is True:
        return None
    return Unsure(facts) if obeyed is None else Breach(facts)


def _holds_for_part(rnd: Round, asked: Question, unseen: int) -> bool | None:
    """Return whether a condition holds for a hand that has played `unseen` unknown cards.

    Return None if that is uncertain.
    """
    if not isinstance(asked, Claim):
        verdicts = [_holds_for_part(rnd, each, unseen) for each in asked.claims]
        return combine_verdicts(verdicts, isinstance(asked, AnyOf))
    low, high = rnd.hands.bounds(asked.seat, asked.cards)
    high += min(unseen, (rnd.hands.unseen & asked.cards).bit_count())
    return compare_bounds(low, high, asked.least, asked.most)


# --- the syntax of bids and contracts


CONTRACTS = "contracts"
TO, BY = "..", "/"
MAX_STEPS = 300
MAX_STEP = 9999
MAX_DIGITS = MAX_NAME_LENGTH
SAMPLED = 0.3  # the probability that a random bid contains a given option


class BidForms(NamedTuple):
    """The allowed forms of a bid.

    `steps` are the numbers in ascending order. If `contracts` is true, a bid names a contract.
    """

    steps: tuple[int, ...]
    contracts: bool


def parse_bid_forms(text: str) -> BidForms:
    """Parse a ruleset's `bids`, which are numbers, ranges, and the word `contracts`.

    A range is `0..13`, or `10..1500/10` with a step. Raises ValueError for anything else.
    """
    steps: list[int] = []
    words = text.split()
    for word in words:
        first, to, rest = word.partition(TO)
        last, by, step = rest.partition(BY)
        if word != CONTRACTS:
            least = parse_whole(first, 0, MAX_STEP)
            most = parse_whole(last, 0, MAX_STEP) if to else least
            numbers = range(least, most + 1, parse_whole(step, 1, MAX_STEP) if by else 1)
            if most < least or numbers[-1] != most:
                raise ValueError(f"{word} does not count up to {most}")
            steps += numbers[: MAX_STEPS + 1]
    if steps != sorted(set(steps)) or len(steps) > MAX_STEPS:
        raise ValueError(f"the numbers rise, and are at most {MAX_STEPS}")
    if not (steps or CONTRACTS in words):
        raise ValueError("nothing can be bid")
    return BidForms(tuple(steps), CONTRACTS in words)


def bid_in_entry(entry: Entry) -> ContractBid:
    """Return the bid or contract in an entry. The entry is an act, or a fact about a player."""
    value: ContractBid | tuple[int, ContractBid] = entry.value
    return value if isinstance(value, ContractBid) else value[1]


class ContractBidSyntax(Syntax):
    """The syntax of a bid: a number, a contract with its words and cards, or both.

    `steps` are the allowed numbers. `rows` are the contracts that can be named, if any. `options`
    are the words that can follow a contract.
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

    def may_match(self, text: str, notation: Spelling) -> bool:
        if self.steps:
            number, text = self._read_start(text, notation)
            if number is not None and not text:
                return True
        return bool(self.rows) and self._names_contract(text, notation)

    # --- reading

    def read(self, text: str, notation: Spelling) -> ContractBid:
        fixed = self._fixed_number(notation.split_first_word(text)[0])
        number, rest = (fixed, text) if fixed else self._read_number(text, notation)
        if not self.rows:
            if rest:
                raise Unreadable(tr("“{text}” cannot follow {word}", text=clean(rest), word=number))
            return ContractBid(number)
        contract, rest = self._read_contract(rest, notation)
        if not fixed and self._fixed_number(contract):
            name = notation.write_word(contract)
            raise Unreadable(
                tr("{contract} is named without a number", contract=name),
                tr("type {form}", form=name),
            )
        options, cards = self._read_options(contract, rest, notation)
        self._check_cards(contract, cards, notation)
        return ContractBid(number, contract, options, cards)

    def _fixed_number(self, contract: str) -> int:
        """Return the number that a contract has if it is bid without a number, or 0 if it has
        none."""
        number: int = self.rows.get(contract, {}).get("number", 0) if self.steps else 0
        return number

    def _read_start(self, text: str, notation: Spelling) -> tuple[int | None, str]:
        """Return the number at the beginning of a text, in digits or as a word, and the rest.

        The number is None if the text does not begin with a number.
        """
        length = len(text) - len(text.lstrip("0123456789"))
        digits, rest = text[:length], text[length:].strip()
        if not digits:
            word, after = notation.split_first_word(text)
            if word.isascii() and word.isdecimal():
                digits, rest = word, after
        return (int(digits[:MAX_DIGITS]), rest) if digits and self.steps else (None, text)

    def _read_number(self, text: str, notation: Spelling) -> tuple[int | None, str]:
        """Return the number at the beginning of a text, and the rest.

        Raises Unreadable if the number is missing or cannot be bid.
        """
        number, rest = self._read_start(text, notation)
        if number in self.steps or (number is None and not self.number_needed):
            return number, rest
        say = (
            tr("a bid begins with a number, not “{text}”", text=clean(text))
            if number is None
            else tr("{number} cannot be bid", number=number)
        )
        raise Unreadable(
            say, tr("the numbers you can bid are {numbers}", numbers=sample_steps(self.steps))
        )

    def _read_contract(self, text: str, notation: Spelling) -> tuple[str, str]:
        """Return the contract at the beginning of a text, given by name or suit, and the rest."""
        word, rest = notation.split_first_word(text)
        if word in self.rows:
            return word, rest
        first, _, rest = text.partition(" ")
        of_suit = (
            self._contracts_of_suit(notation.read_suit(first)) if notation.is_suit(first) else []
        )
        if len(of_suit) == 1:
            return of_suit[0], rest
        if of_suit:
            meant = join_list([format_quoted(notation.write_word(name)) for name in of_suit], "or")
            say = tr("“{text}” may mean {readings}", text=clean(first), readings=meant)
            raise Unreadable(say, tr("type the one you mean"))
        names = ", ".join(map(notation.write_word, self.rows))
        problem = (
            tr("“{text}” is not a contract", text=clean(text)[:MAX_NAME_LENGTH])
            if text
            else tr("the contract is missing")
        )
        raise Unreadable(problem, tr("the contracts are {contracts}", contracts=names))

    def _contracts_of_suit(self, suit: str) -> list[str]:
        """Return the contracts with this suit as trump."""
        return [name for name, row in self.rows.items() if row.get("trump", "") == suit]

    def _names_contract(self, text: str, notation: Spelling) -> bool:
        """Return whether a text begins with a contract, or with a suit that may mean one."""
        if notation.split_first_word(text)[0] in self.rows:
            return True
        return notation.is_suit(text.partition(" ")[0])

    def _read_options(
        self, contract: str, text: str, notation: Spelling
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the options and the cards that follow a contract."""
        options: dict[str, None] = {}
        cards: list[int] = []
        while text:
            word, rest = notation.split_first_word(text)
            if word in self.options:
                options[word] = None
            else:
                first, *others = notation.split_tokens(text)
                if not notation.is_card(first):
                    said = notation.write_word(contract)
                    raise Unreadable(
                        tr(
                            "“{text}” cannot follow {word}",
                            text=clean(text)[:MAX_NAME_LENGTH],
                            word=said,
                        )
                    )
                cards.append(notation.read_card(first))
                rest = " ".join(others)
            text = rest
        return tuple(name for name in self.options if name in options), tuple(cards)

    def _check_cards(self, contract: str, cards: Sequence[int], notation: Spelling) -> None:
        """Raise Unreadable if a contract lacks the card it calls, or has too many cards."""
        takes = self.rows[contract].get("calls", ())
        if len(cards) != bool(takes):
            name = notation.write_word(contract)
            if takes:
                raise Unreadable(
                    tr("{contract} must be followed by the card you call", contract=name),
                    tr("type {form}", form=f"{name} CARD"),
                )
            raise Unreadable(tr("{contract} does not call a card", contract=name))

    def sample(self, rng: Rng, notation: Spelling) -> tuple[ContractBid, ...]:
        number = rng.choice(self.steps) if self.steps and self.number_needed else None
        if not self.rows:
            return (ContractBid(number),)
        contract = rng.choice(list(self.rows))
        number = self._fixed_number(contract) or number
        options = tuple(name for name in self.options if rng.random() < SAMPLED)
        takes = self.rows[contract].get("calls", ())
        cards = (rng.randint(0, len(notation.kinds) - 1),) if takes else ()
        return (ContractBid(number, contract, options, cards),)

    # --- writing

    def write(self, value: ContractBid, notation: Spelling) -> str:
        number, contract, options, cards = value
        unsaid = number is None or (contract and self.rows[contract].get("number", 0))
        number_text = "" if unsaid else notation.write_word(str(number))
        words = [number_text] if number_text else []
        if contract:
            brief = self._short_name(contract, notation) if number_text else ""
            glue = "" if number_text.isdigit() else " "
            words = (
                [f"{number_text}{glue}{brief}"]
                if brief
                else [*words, notation.write_word(contract)]
            )
        words += [notation.write_word(option) for option in options]
        return " ".join([*words, *(notation.kinds[kind] for kind in cards)])

    def _short_name(self, contract: str, notation: Spelling) -> str:
        """Return a contract's short form for use after a number, or "" if it has none.

        This is the contract's short name, or its trump suit if no other contract has the same suit.
        """
        row = self.rows[contract]
        if not self.number_needed or row.get("short", ""):
            return str(row.get("short", "")) if self.number_needed else ""
        trump = row["trump"]
        return (
            notation.write_suit(trump) if trump and len(self._contracts_of_suit(trump)) == 1 else ""
        )


def sample_steps(steps: Sequence[int]) -> str:
    """Return the numbers as text. A long list is shortened to the first ten and the last."""
    texts = list(map(str, steps))
    return ", ".join(texts if len(texts) <= 12 else [*texts[:10], "…", texts[-1]])


def idle_contract_words(data: Row, are_named_here: bool) -> list[str]:
    """Return the words for clauses about contracts and options that have no use in a ruleset.

    `are_named_here` is false if players name contracts in another phase.
    """

    def is_used(table: str, *keys: str) -> bool:
        rows = data.get(table)
        return isinstance(rows, dict) and any(
            isinstance(row, dict) and any(key in row for key in keys) for row in rows.values()
        )

    used = {
        "offered": is_used("contracts", "when"),
        "optional": is_used("options", "with", "when"),
        "called": is_used("contracts", "calls"),
    }
    return [word for word, is_used_here in used.items() if not (is_used_here and are_named_here)]


# --- the clause word for the declarer's hand, in every kind of auction

AUCTION, NEEDS = "auction", "needs"


@clause(
    NEEDS,
    AUCTION,
    on=("bid", "reserve"),
    say=N_("{who} may say {wish} only with {wanted}"),
    unknown=N_("{who} says {wish}; it is unknown whether they hold {wanted}"),
    proven=N_("{who} said {wish} without {wanted} ({first}, {then})"),
    doc="The declarer's hand, as dealt, must meet the contract's `needs`.",
    parameters={
        "of": Parameter(
            "texts", "the contracts that it judges (default: all)", [], rows="contracts"
        )
    },
)
def _needs(row: Row, rules: Ruleset) -> Judge:
    auction, of = rules.phases[AUCTION], row["of"]
    assert isinstance(auction, ContractRules)
    return lambda rnd, entry: auction.judge_needs(rnd, entry, of)
