"""The phase in which the deal decides the trump: a card is turned up, or its suit is stated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.hands import POSSIBLE
from scorekeeper.core.messages import N_, Prompt, Sentence, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import ONE
from scorekeeper.engine.phase import Measure, Phase, View
from scorekeeper.engine.setup import place
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType, Timing
from scorekeeper.notation.syntax import Cards, Suit
from scorekeeper.ruleset.orders import suit_name
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.types import Json, Rng
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.state import Setup

DEALER, NOBODY = "dealer", "nobody"


def _is_trump(rnd: Round, _: object) -> bool:
    return bool(rnd.table.trump) and rnd.table.trump in (rnd.table.upcard, rnd.table.offered)


@beside
class TurnUp(Phase[None]):
    """The phase in which the deal decides the trump suit."""

    name = "turnup"
    doc = (
        "Before play, a card is turned up, and its suit is trump (`{trump}` in orders). "
        "The suit may be stated instead of the card. With `[phases.stock]` or "
        "`[phases.bouts]`, it is the last card to be drawn. Otherwise it is one of the cards "
        "that are left over, or, if none are left, one of those that are dealt."
    )
    tables = ("pack", "deal")
    parameters = {
        "trump": Parameter(
            "bool",
            (
                "whether the suit of the card is trump, or only the suit that may be "
                "bid (`contract.turned`)"
            ),
            True,
        ),
        "holder": Parameter(
            "choice",
            "the player in whose hand the card is; in `bouts`, only if there is no talon",
            NOBODY,
            (NOBODY, DEALER),
        ),
        "taker": Parameter(
            "choice",
            (
                "the player who gets the card before play, without an entry or as "
                "`[phases.kitty]` says; the other cards that are left over stay out of play"
            ),
            "",
            ONE,
        ),
    }
    entry_types = (
        EntryType(
            "turnup",
            Cards(1, 1),
            N_("the card that is turned up"),
            by=Actor.TABLE,
            when=Timing.SETUP,
            can_batch=True,
            fact_key="trump",
        ),
        EntryType(
            "trump",
            Suit(),
            N_("the trump of this round"),
            by=Actor.TABLE,
            when=Timing.SETUP,
            can_batch=True,
        ),
    )
    measures = (
        Measure(
            "trump.turned", "whether the suit of the card turned up is trump", _is_trump, kind=TRUTH
        ),
    )
    reports = {"trump": "the trump suit"}

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        return {"trump": self.rules.lexicon.suits}

    def begin(self, rnd: Round) -> None:
        start, pack = rnd.setup, self.rules.pack
        if start.turned is None:
            self._publish(rnd, start.trump or "")
            return
        suit, kind = pack.suit[start.turned], start.turned
        if start.trump not in (None, suit):
            raise Impossible(
                tr(
                    "{card} was turned up, but its suit is not {trump}",
                    card=pack.kinds[kind],
                    trump=start.trump,
                )
            )
        self._publish(rnd, suit)
        if self.row["holder"] == NOBODY:
            self._locate_card(rnd, kind)
            return
        if rnd.hands.can_hold(rnd.seating.dealer, kind) < POSSIBLE:
            name = rnd.names[rnd.seating.dealer]
            rnd.add_conflict(
                tr(
                    "{card} was turned up, but {name} does not hold that card",
                    card=pack.kinds[kind],
                    name=name,
                ),
                "turnup",
            )
        elif not rnd.starts_midway:
            rnd.hands.note_held(rnd.seating.dealer, kind)

    def _publish(self, rnd: Round, suit: str) -> None:
        if self.row["trump"]:
            rnd.table.upcard = suit
        else:
            rnd.table.offered = suit

    def _turned_suit(self, rnd: Round) -> str:
        """Return the suit of the turned-up card, or "" while it is unknown."""
        return rnd.table.upcard or rnd.table.offered

    def _locate_card(self, rnd: Round, kind: int) -> None:
        """Record that the turned-up card is in no hand, if some cards are not dealt."""
        dealt = rnd.deal_size * len(rnd.seats)
        if rnd.starts_midway or dealt == self.rules.pack.card_count:
            return
        try:
            rnd.hands.locate(kind)
        except ValueError:
            say = tr(
                "{card} was turned up, but is also in a hand", card=self.rules.pack.kinds[kind]
            )
            rnd.add_conflict(say, "turnup", "hand", "holds")

    def as_setup(self, rnd: Round, start: Setup) -> Setup:
        if not self.row["trump"]:
            return start._replace(turned=rnd.setup.turned, trump=rnd.setup.trump)
        return start._replace(trump=rnd.table.trump or None) if rnd.acted else start

    def finished(self, rnd: Round) -> bool:
        return bool(self._turned_suit(rnd))

    def chance(self, rnd: Round, rng: Rng) -> Iterator[Entry]:
        if self._turned_suit(rnd) or rnd.acted:
            return
        dealers = self.row["holder"] == DEALER
        cards = rnd.hands.known[rnd.seating.dealer] if dealers else rnd.hands.unseen
        kinds = self.rules.pack.kinds_in(cards)
        if kinds:
            yield Entry(self.entry_types[0], None, (rng.choice(kinds),))
        else:
            yield Entry(self.entry_types[1], None, rng.choice(self.rules.lexicon.suits))

    def apply(self, rnd: Round, entry: Entry) -> None:
        if entry.type.word == "trump":
            place(rnd, "trump", rnd.setup._replace(trump=entry.value))
        else:
            place(rnd, "turnup", rnd.setup._replace(turned=entry.value[0]))

    def view(self, rnd: Round) -> TurnUpView:
        say, turned, offered = rnd.rules.translate_word, rnd.setup.turned, rnd.table.offered
        facts = TurnUpFacts(
            must_be_trump=self.row["trump"],
            forms={"card": f"{say('turnup')} CARD", "suit": f"{say('trump')} SUIT"},
            shown=rnd.table.upcard,
            offered=offered,
            card="" if turned is None else self.rules.pack.kinds[turned],
            has_contract=bool(rnd.table.contract),
            trump=rnd.table.trump,
            is_over=rnd.over,
        )
        return TurnUpView(facts)


class TurnUpFacts(NamedTuple):
    """The facts about the card that was turned up.

    `card` is empty while the card is unknown. If its suit is trump, `shown` is the suit. If its
    suit may only be bid, `offered` is the suit until there is a contract. `forms` are the entries
    that state the card or its suit.
    """

    must_be_trump: bool
    forms: Mapping[str, str]
    shown: str
    offered: str
    card: str
    has_contract: bool
    trump: str
    is_over: bool


class TurnUpView(View[TurnUpFacts]):
    """The view of a turned-up card."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        forms = self.facts.forms
        if self.facts.must_be_trump:
            text = tr("the trump must be entered: {card}, or {suit}", **forms)
            return Prompt(text, tr("the trump must be entered"))
        text = tr("the turned-up card must be entered: {card}, or {suit}", **forms)
        return Prompt(text, tr("the turned-up card must be entered"))

    def sentences(self) -> Iterator[Sentence]:
        facts = self.facts
        if facts.shown:
            suit = suit_name(facts.shown)
            were = tr("{suit} were trump", suit=suit)
            yield Sentence(were if facts.is_over else tr("{suit} are trump", suit=suit))
        elif facts.offered and not facts.has_contract:
            card = facts.card or suit_name(facts.offered)
            yield Sentence(tr("{card} is turned up", card=card))

    def as_json(self) -> Json:
        found = {"trump": self.facts.shown, "turned": self.facts.offered}
        return {"bindings": {name: suit for name, suit in found.items() if suit}}

    def summary(self) -> Json:
        return {"trump": self.facts.trump or None}
