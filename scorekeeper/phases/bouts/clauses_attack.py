"""What may be led and added, by whom, and how many attacks: clause words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.phases.bouts.acts import sorted_out
from scorekeeper.phases.bouts.course import Bouts
from scorekeeper.phases.bouts.seats import room, room_at_once
from scorekeeper.phases.bouts.verbs import ATTACK, TOGETHER, cards_by_seat, each_card
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge


@clause(
    "one-rank",
    "bouts",
    on=("attack",),
    say=mark("{who} leads cards of one rank only; these are of {ranks}"),
    doc="Cards led together are of one rank.",
)
def _one_rank(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.terms

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kinds = entry.value
        if len(kinds) < 2 or rnd.state(bouts).attacks:
            return None
        ranks = terms.ranks_in(terms.ranks_of(kinds))
        return None if len(ranks) == 1 else Breach({"ranks": ranks})

    return judge


@clause(
    "on-table",
    "bouts",
    on=("attack", "together"),
    say=mark("{card} fits no rank on the table; the ranks there are {ranks}"),
    doc="Cards that are added have a rank that lies on the table, as an attack or a cover.",
)
def _on_table(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.terms
    unled = mark("{card} cannot be laid together with others: no bout has begun")

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        if not st.attacks and entry.verb is ATTACK:
            return None
        for seat, kind in each_card(entry):
            if not st.ranks >> terms.rank[kind] & 1:
                facts: Facts = {"who": rnd.names[seat], "ranks": terms.ranks_in(st.ranks)}
                facts["card"] = rules.pack.kinds[kind]
                return Breach(facts, "" if st.attacks else unled)
        return None

    return judge


@clause(
    "room",
    "bouts",
    on=("attack",),
    say=mark("{many} would be too many: at most {limit} in this bout, so {room}"),
    doc="The limit of a bout: the keys `most` and `limit`.",
)
def _room(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        more, left = len(entry.value), room(bouts.terms, rnd, st)
        if more <= left:
            return None
        laid, left = len(st.attacks), max(0, left)
        facts: Facts = {"attacks": laid + more, "left": left, "limit": laid + left, "laid": laid}
        facts["defender"] = rnd.names[st.defender]
        facts["many"] = plural("{count} attack", "{count} attacks", laid + more)
        facts["room"] = tr("{count} more", count=left) if left else tr("no more")
        return Breach(facts)

    return judge


@clause(
    "at-once",
    "bouts",
    on=("attack",),
    say=mark("{who} may lay {cards} at a time here, not {more}"),
    doc="How many cards are led, or added, at a time: the key `at_once`.",
)
def _at_once(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        most = bouts.terms.at_once(rnd, rnd.state(bouts))
        if not most or len(entry.value) <= most:
            return None
        return Breach(
            {
                "most": most,
                "cards": plural("{count} card", "{count} cards", most),
                "more": len(entry.value),
            }
        )

    return judge


@clause(
    "answered",
    "bouts",
    on=("attack", "together"),
    say=mark("{who} waits for the answer: {open}"),
    doc="Attacks are added when all that lies there is covered.",
)
def _answered(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        if not st.open:
            return None
        kinds = [rules.pack.kinds[kind] for kind in st.uncovered()]
        names = [rnd.names[seat] for seat, _ in each_card(entry)]
        said = plural("{cards} lies open", "{cards} lie open", len(kinds), cards=listed(kinds))
        return Breach(
            {
                "who": names[0] if names else None,
                "lying": kinds,
                "open": said,
            }
        )

    return judge


@clause(
    "roles",
    "bouts",
    on=("attack", "together", "cover", "transfer", "take"),
    say=mark("{who} may not attack in this bout; {may} may"),
    doc="The attackers attack (the key `adders`); the defender covers, transfers or takes.",
)
def _roles(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        if not st.attacks:
            return None
        if entry.verb not in (ATTACK, TOGETHER):
            if entry.seat == st.defender:
                return None
            say = mark("{who} is not the defender, {may} is")
            return Breach({"may": rnd.names[st.defender]}, say)
        for seat, _ in cards_by_seat(entry):
            if seat not in st.attackers:
                return Breach({"who": rnd.names[seat], "may": rnd.names_of(st.attackers)})
        return None

    return judge


@clause(
    "returned",
    "bouts",
    on=("together",),
    say=mark("{kept_said}; {back}"),
    doc="Says which of the cards laid together stay and which go back: a note.",
    verdict=LEGAL,
)
def _returned(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.terms

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        if not st.attacks or any(seat not in st.attackers for seat, _ in entry.value):
            return None
        stays, back = (_named(rnd, cards) for cards in sorted_out(terms, rnd, st, entry.value))
        left = room_at_once(terms, rnd, st)
        goes, stay = _whose(back), _whose(stays)
        back_said = plural(
            "back to the hand goes {cards}",
            "back to the hand go {cards}",
            sum(map(len, back.values())),
            cards=goes,
        )
        kept_said = plural(
            "on the table stays {cards}",
            "on the table stay {cards}",
            sum(map(len, stays.values())),
            cards=stay,
        )
        facts: Facts = {"kept": stays, "returned": back, "left": left}
        facts["order"] = rnd.names_of(st.attackers)
        facts["stays"] = stay or tr("no cards")
        facts["kept_said"] = kept_said if stays else tr("nothing stays")
        facts["room"] = plural("{count} card", "{count} cards", left) if left else tr("none")
        facts["back"] = back_said if back else tr("nothing goes back")
        why = mark("{kept_said}; {back}: there was room for {room}, and the order is {order}")
        return Breach(facts, why if back else "")

    return judge


def _named(rnd: Joint, cards: Mapping[int, Iterable[int]]) -> dict[str, list[str]]:
    """Cards by seat as cards by player's name."""
    show = rnd.rules.pack.kinds
    return {rnd.names[seat]: [show[kind] for kind in kinds] for seat, kinds in cards.items()}


def _whose(cards: dict[str, list[str]]) -> str:
    """Cards with their players: `Ana's 6H 6S, Ben's 7H`."""
    return ", ".join(
        tr("{name}'s {cards}", name=name, cards=" ".join(kinds)) for name, kinds in cards.items()
    )
