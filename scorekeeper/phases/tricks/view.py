"""The view of a round of tricks: the trick on the table, the last trick, and all winnings so
far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Prompt, Sentence, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import View
from scorekeeper.ruleset.orders import TRUMP_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.tricks.state import State

CONCEDED, AWARDED, CLAIMED = "conceded", "awarded", "claimed"


class LaidCards(NamedTuple):
    """The codes of the cards that one player has played to the trick."""

    who: str
    cards: str


class LastTrick(NamedTuple):
    """The last complete trick: its winner, its number, the winning cards and the card points."""

    who: str
    number: int
    cards: str
    points: float


class UnplayedRest(NamedTuple):
    """The end of a round whose remaining tricks were not played.

    `how` is CONCEDED, AWARDED or CLAIMED. `who` is the player who conceded or claimed the tricks,
    or a player on the side that was awarded them.
    """

    how: str
    who: str


class TricksFacts(NamedTuple):
    """The facts about the tricks of a round.

    `number` is the trick's number, from 1. `to_play` lists the players who may play next. It has
    several names while it is unknown who holds one of `opening_cards`. `trick` lists the cards on
    the table. `points` and `tricks` map each player to the card points and tricks they have won.
    `tricks_played` skips players without a trick, and is empty if only the round's result was
    entered. `hides_points` is true while the players must count for themselves. `cards_left` is the
    number of cards that each player still has to play, this trick included (0 if the round is
    finished).
    """

    number: int
    to_play: Sequence[str]
    opening_cards: str
    trick: Sequence[LaidCards]
    tricks: Mapping[str, int]
    points: Mapping[str, float]
    tricks_played: Mapping[str, int]
    last: LastTrick | UnplayedRest | None
    counts_points: bool
    hides_points: bool
    cards_left: int


class TricksView(View[TricksFacts]):
    """The tricks of a round as text and JSON."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        facts = self.facts
        if facts.opening_cards:
            return Prompt(
                tr(
                    "the player who holds {cards} leads to trick {number}",
                    cards=facts.opening_cards,
                    number=facts.number,
                )
            )
        who = facts.to_play[0]
        if facts.trick:
            return Prompt(tr("{who} plays to trick {number}", who=who, number=facts.number))
        return Prompt(tr("{who} leads to trick {number}", who=who, number=facts.number))

    def table(self) -> Iterator[str]:
        for laid in self.facts.trick:
            yield f"{laid.who}: {laid.cards}"

    def sentences(self) -> Iterator[Sentence]:
        facts = self.facts
        if isinstance(facts.last, LastTrick):
            yield Sentence(self._last_trick(facts.last))
        elif facts.last is not None:
            yield Sentence(_rest(facts.last))
        if facts.cards_left and facts.trick:
            text = plural(
                "each player has {count} card to play, this trick included",
                "each player has {count} cards to play, this trick included",
                facts.cards_left,
            )
            yield Sentence(text, on_table=True)
        elif facts.cards_left:
            text = plural(
                "each player has {count} card to play",
                "each player has {count} cards to play",
                facts.cards_left,
            )
            yield Sentence(text, on_table=True)

    def _last_trick(self, last: LastTrick) -> str:
        worth = ""
        if self.facts.counts_points and not self.facts.hides_points:
            worth = f" ({plural('{count} card point', '{count} card points', last.points)})"
        return tr(
            "{who} took trick {number} with {cards}{worth}",
            who=last.who,
            number=last.number,
            cards=last.cards,
            worth=worth,
        )

    def as_json(self) -> Json:
        facts = self.facts
        return {
            "table": [{"who": laid.who, "cards": laid.cards} for laid in facts.trick],
            "players": {
                name: {"tricks": tricks}
                | ({} if facts.hides_points else {"points": facts.points[name]})
                for name, tricks in facts.tricks.items()
            },
        }

    def summary(self) -> Json:
        return {"player.tricks": dict(self.facts.tricks_played)}


def _rest(rest: UnplayedRest) -> str:
    if rest.how == CONCEDED:
        return tr("{who} has conceded the rest", who=rest.who)
    if rest.how == AWARDED:
        return tr("the remaining tricks went to {who}'s side", who=rest.who)
    return tr("{who} has claimed the rest", who=rest.who)


def read_facts(
    rnd: Round,
    state: State | None,
    to_play: Sequence[int],
    opening_cards: str,
    counts_points: bool,
    hides_points: bool,
) -> TricksFacts:
    """Return the facts of a round; `state` is None before the first trick."""
    names, codes = rnd.names, rnd.rules.pack.format_kinds
    played: dict[str, int] = {}
    for trick in rnd.tricks if rnd.result is None else ():
        played[names[trick.winner]] = played.get(names[trick.winner], 0) + trick.count
    if state is None:
        zero = dict.fromkeys(names, 0)
        return TricksFacts(0, (), "", (), zero, zero, played, None, counts_points, hides_points, 0)
    return TricksFacts(
        number=state.number,
        to_play=rnd.names_of(to_play),
        opening_cards=opening_cards,
        trick=[LaidCards(names[seat], codes(kinds)) for seat, kinds in state.laid],
        tricks=dict(zip(names, state.tricks, strict=True)),
        points=dict(zip(names, state.points, strict=True)),
        tricks_played=played,
        last=_read_last(rnd),
        counts_points=counts_points,
        hides_points=hides_points,
        cards_left=0 if rnd.over else state.cards_left,
    )


def _read_last(rnd: Round) -> LastTrick | UnplayedRest | None:
    tricks = [trick for trick in rnd.tricks if trick.count]  # a count of 0 marks cards set aside
    if not tricks:
        return None
    last, names = tricks[-1], rnd.names
    if last.plays:
        cards = rnd.rules.pack.format_kinds(dict(last.plays)[last.winner])
        return LastTrick(names[last.winner], last.number, cards, last.points)
    if rnd.table.conceded >= 0:
        return UnplayedRest(CONCEDED, names[rnd.table.conceded])
    awarded = any(effects.rest_to >= 0 for effects in rnd.decisions.effects.values())
    return UnplayedRest(AWARDED if awarded else CLAIMED, names[last.winner])


def name_of_set(state: State, cards: int) -> str:
    """Return the name of a set of cards if it is a class of the order (`trumps`, `hearts`)."""
    if cards not in state.order.masks:
        return ""
    name = state.order.names[state.order.masks.index(cards)]
    if name == TRUMP_NAME:
        return tr("trumps")
    return tr(name) if name.endswith("s") else f"{name}s"
