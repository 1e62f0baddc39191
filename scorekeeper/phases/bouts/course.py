"""The phase: what happens in a deal of bouts, each step by the file that knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import listed, tr
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import ONE_CARD
from scorekeeper.phases.bouts import opening, options, results, seats, snapshot, telling
from scorekeeper.phases.bouts.acts import ACTS, check_not_put_back
from scorekeeper.phases.bouts.keys import NAME, PARAMETERS
from scorekeeper.phases.bouts.state import State
from scorekeeper.phases.bouts.terms import Terms, deals_played
from scorekeeper.phases.bouts.verbs import (
    ADD,
    ATTACK,
    COVERING,
    LAYING,
    VERBS,
    cards_by_seat,
    each_card,
)
from scorekeeper.play.positions import leads_with_cards
from scorekeeper.ruleset.keeping import staying
from scorekeeper.ruleset.phase import Measure, Phase
from scorekeeper.ruleset.splits import Split
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json, Luck, Row
    from scorekeeper.phases.bouts.verbs import Laid
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader
    from scorekeeper.ruleset.shared import Start


def _of_state(read: Callable[[State], float]) -> Reader:
    """A measure of the deal as it stands, or of the state that it is asked of."""

    def measure(rnd: Joint, subject: object) -> float:
        if isinstance(subject, State):
            return read(subject)
        return read(rnd.state(rnd.rules.phase(Bouts)))

    return measure


@phase
class Bouts(Phase[State]):
    """Who attacks whom, who may add, when a bout ends, who draws, who is out and who loses."""

    name = NAME
    doc = (
        "Bouts of attacks and covers: a leader, a defender, others who add; hands filled up from a"
        " talon; who has no cards when it is empty is out, who is left loses."
    )
    tables = ("pack", "deal")
    only = True
    parameters = PARAMETERS
    roles = ("losers",)
    reports = {
        "out": "who went out, in that order",
        "losers": "who lost",
        "draw": "whether nobody lost",
        "bouts": "how many bouts were played",
        "player.first": "1 for who went out first",
    }
    named = ("out", "losers")
    verbs = VERBS
    shorts = (ONE_CARD,)
    measures = (
        Measure("laid", "how many attacks lie there", _of_state(lambda st: len(st.attacks))),
        Measure("open", "how many of them are not covered", _of_state(lambda st: st.open)),
        Measure("limit", "the most attacks of this bout", _of_state(lambda st: st.limit)),
        Measure("taking", "whether the defender takes", _of_state(lambda st: st.taking)),
        Measure("talon", "cards to be drawn", _of_state(lambda st: st.talon)),
        Measure(
            "bouts",
            "how many bouts are over (in a deal that began in the middle one more)",
            _of_state(lambda st: st.ended + st.before),
        ),
        Measure(
            "deals", "deals played so far, void ones not counted", lambda rnd, _: deals_played(rnd)
        ),
    )

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.terms = Terms(row, rules.pack)

    def link(self) -> None:
        self.terms.link(self.rules)

    # --- the start

    def begin(self, rnd: Joint) -> State:
        return opening.begin(self.terms, rnd)

    def start_as_it_stands(self, rnd: Joint, start: Start) -> Start:
        st = rnd.state_if_begun(self)
        if not rnd.acted or st is None:
            return start
        trump = (st.trump or None) if st.turned is None else None
        return start._replace(stock=st.talon, turned=st.turned, trump=trump)

    def position(self, rnd: Joint) -> None:
        """What hands and talon come to, unless it is the deal as ever."""
        st = rnd.state(self)
        if not st.over:
            leads_with_cards(rnd, st.leader)
        noted = opening.position_noted(rnd, st)
        if noted is not None:
            rnd.remark(f"{self.name}.position", *noted, self.cite)

    def leaders(self, rnd: Joint) -> list[int]:
        st = rnd.state(self)
        return st.may_lead or [st.leader]

    def play_begun(self, rnd: Joint) -> bool:
        st = rnd.state_if_begun(self)
        return st is not None and bool(st.attacks or st.ended)

    # --- whose turn

    def finished(self, rnd: Joint) -> bool:
        return rnd.state(self).over

    def waiting(self, rnd: Joint) -> list[int]:
        return seats.waiting(rnd, rnd.state(self))

    def words(self) -> Iterable[tuple[str, str]]:
        yield ATTACK.word, ADD

    def actor(self, rnd: Joint, entry: Entry) -> int | None:
        st = rnd.state(self)
        if entry.verb is not ATTACK:
            return st.defender
        if len(st.may_lead) > 1:
            names = listed(rnd.names_of(st.may_lead), "or")
            raise Unreadable(
                tr("who leads? it may be {names}", names=names), tr("say it: lead NAME")
            )
        if not st.attacks:
            return None
        adders = rnd.names_of(st.attackers)
        cards = " ".join(rnd.rules.pack.kinds[kind] for kind in entry.value)
        act = cards if len(entry.value) == 1 else f"{rnd.rules.spoken('attack')} {cards}"
        raise Unreadable(
            tr("who adds these cards? {names} may", names=listed(adders)),
            tr("type {forms}", forms=listed([f"“{name}: {act}”" for name in adders], "or")),
        )

    def readings(self, rnd: Joint, entry: Entry) -> Iterable[Entry]:
        st = rnd.state_if_begun(self)
        if entry.verb not in (ONE_CARD, COVERING) or st is None or st.over:
            return ()
        seat = entry.seat
        if seat is None and entry.verb is ONE_CARD and not st.answering():
            seat = self.actor(rnd, Entry(ATTACK, None, entry.value))
        return options.readings(rnd, st, entry, seat)

    def may_act(self, rnd: Joint, entry: Entry) -> bool:
        st = rnd.state(self)
        if st.attacks:
            if entry.verb is ATTACK:
                if entry.seat in st.attackers:
                    return True
            elif entry.seat == st.defender:
                return True
        return super().may_act(rnd, entry)

    def everyone(self, rnd: Joint, entry: Entry) -> list[int]:
        st = rnd.state(self)
        return seats.may_add(rnd, st) if st.attacks and not st.over else []

    # --- acts

    def options(self, rnd: Joint) -> Iterator[Entry]:
        return options.options(self.terms, rnd, rnd.state(self))

    def filled(self, rnd: Joint, entry: Entry, luck: Luck) -> Entry | None:
        return options.with_cards(self.terms, rnd, rnd.state(self), entry, luck)

    def chance(self, rnd: Joint, luck: Luck) -> Iterator[Entry]:
        return options.chance(self.terms, rnd, rnd.state(self), luck)

    def apply(self, rnd: Joint, entry: Entry) -> None:
        word = entry.verb.word
        if word in opening.FACTS and not (rnd.acted and word in ACTS):
            opening.FACTS[word](self.terms, rnd, entry)
        else:
            ACTS[word](self.terms, rnd, rnd.state(self), entry)

    def from_hand(self, entry: Entry) -> Laid:
        return cards_by_seat(entry)

    def shown(self, rnd: Joint, entry: Entry) -> Laid:
        if entry.verb not in LAYING:
            return ()
        st = rnd.state(self)
        for seat, kind in each_card(entry):
            check_not_put_back(rnd, st, seat, kind)
        return cards_by_seat(entry)

    # --- results

    def result_names(self) -> Iterable[str]:
        return (results.LOSER,)

    def splits(self, split: Split, seats: int) -> Iterator[Split]:
        yield split
        losers = tuple(range(self.rules.side_size(seats)))
        yield split.also(
            f"{len(losers)} of {seats} lose",
            {"losers": ("losers", losers)},
        )

    def conclude(self, rnd: Joint, said: dict[str, str]) -> None:
        results.conclude(self.terms, rnd, rnd.state(self), said)

    def confirms(self, rnd: Joint, said: dict[str, str]) -> bool:
        return results.confirms(rnd, rnd.state(self), said)

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        return results.fields(self.terms, rnd)

    def reseated(self, kept: Json, moved: Sequence[int | None], count: int) -> Json:
        return {**kept, "out": staying(kept.get("out", ()), moved)}

    def close(self, rnd: Joint) -> None:
        results.close(self.terms, rnd, rnd.state(self))

    # --- what is told of it

    def prompt(self, rnd: Joint) -> str:
        return telling.prompt(self.terms, rnd, rnd.state(self))

    def on_table(self, rnd: Joint) -> Iterable[str]:
        st = rnd.state_if_begun(self)
        return () if st is None else telling.on_table(rnd, st)

    def sentences(self, rnd: Joint) -> Iterable[str]:
        st = rnd.state_if_begun(self)
        return () if st is None else telling.sentences(self.terms, rnd, st)

    def score_sentences(self, rnd: Joint) -> Iterable[str]:
        return () if rnd.void else telling.score_sentences(rnd, rnd.state(self))

    def describe(self, rnd: Joint) -> Json:
        st = rnd.state_if_begun(self)
        return {} if st is None else snapshot.describe(self.terms, rnd, st)

    def summary(self, rnd: Joint) -> Json:
        return snapshot.summary(rnd, rnd.state(self))
