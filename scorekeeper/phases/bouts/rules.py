"""The clause words of bouts. They decide which cards may be led, added, covered and transferred,
and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, join_list, plural, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.engine.phase import actor_of
from scorekeeper.phases.bouts.acts import sort_simultaneous
from scorekeeper.phases.bouts.phase import Bouts
from scorekeeper.phases.bouts.state import (
    ATTACK,
    DRAWN_DEAL,
    TOGETHER,
    VERBS,
    attacks_left,
    attacks_left_at_once,
    cards_by_seat,
    each_card,
    limit_of,
    next_seat,
)
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.phases.bouts.state import BoutSettings, State

    Seen = Sequence[tuple[int, int]]  # pairs of a seat and a card that an entry shows


# --- attacks


@clause(
    "one-rank",
    "bouts",
    on=("attack",),
    say=N_("{who} may lead only cards of the same rank; these cards have the ranks {ranks}"),
    doc="Cards led together must have the same rank.",
)
def _one_rank(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.settings

    def judge(rnd: Round, entry: Entry) -> Outcome:
        kinds = entry.value
        if len(kinds) < 2 or rnd.state(bouts).attacks:
            return None
        ranks = terms.rank_names(terms.rank_mask(kinds))
        return None if len(ranks) == 1 else Breach({"ranks": ranks})

    return judge


@clause(
    "on-table",
    "bouts",
    on=("attack", "together"),
    say=N_("{card} does not match any rank on the table; the ranks there are {ranks}"),
    doc="An added card must have the rank of an attack or a cover on the table.",
)
def _on_table(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.settings
    unled = N_("{card} cannot be played together with other cards, because no bout has begun")

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        if not st.attacks and entry.type is ATTACK:
            return None
        for seat, kind in each_card(entry):
            if not st.ranks >> terms.rank[kind] & 1:
                facts: Facts = {"who": rnd.names[seat], "ranks": terms.rank_names(st.ranks)}
                facts["card"] = rules.pack.kinds[kind]
                return Breach(facts, "" if st.attacks else unled)
        return None

    return judge


@clause(
    "room",
    "bouts",
    on=("attack",),
    say=N_("{many} would be too many; this bout allows at most {limit}, so {room}"),
    doc="A bout may have no more attacks than the keys `most` and `limit` allow.",
)
def _room(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        more, left = len(entry.value), attacks_left(bouts.settings, rnd, st)
        if more <= left:
            return None
        laid, left = len(st.attacks), max(0, left)
        facts: Facts = {"attacks": laid + more, "left": left, "limit": laid + left, "laid": laid}
        facts["defender"] = rnd.names[st.defender]
        facts["many"] = plural("{count} attack", "{count} attacks", laid + more)
        facts["room"] = (
            tr("only {count} more may be played", count=left)
            if left
            else tr("no more may be played")
        )
        return Breach(facts)

    return judge


@clause(
    "at-once",
    "bouts",
    on=("attack",),
    say=N_("{who} may play at most {cards} at a time here, not {more}"),
    doc="A player may lead or add only as many cards at a time as the key `at_once` allows.",
)
def _at_once(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        most = bouts.settings.max_at_once(rnd, rnd.state(bouts))
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
    say=N_("{who} must wait for the defender, because {open}"),
    doc="Attacks may be added only while all attacks on the table are covered.",
)
def _answered(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        if not st.open_count:
            return None
        kinds = [rules.pack.kinds[kind] for kind in st.open_attacks()]
        names = [rnd.names[seat] for seat, _ in each_card(entry)]
        said = plural("{cards} is open", "{cards} are open", len(kinds), cards=join_list(kinds))
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
    say=N_("{who} may not attack in this bout; only {may} may"),
    doc=(
        "Only the players allowed by the key `adders` may attack, and only the defender may "
        "cover, transfer or take."
    ),
)
def _roles(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        if not st.attacks:
            return None
        if entry.type not in (ATTACK, TOGETHER):
            if entry.seat == st.defender:
                return None
            say = N_("{who} is not the defender; the defender is {may}")
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
    say=N_("all these cards stay on the table: {stays}"),
    doc=(
        "Adds a note that names the cards that stay on the table and the cards that return "
        "to the hands."
    ),
    verdict=LEGAL,
)
def _returned(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.settings

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        if not st.attacks or any(seat not in st.attackers for seat, _ in entry.value):
            return None
        stays, back = (
            _cards_by_name(rnd, cards) for cards in sort_simultaneous(terms, rnd, st, entry.value)
        )
        left = attacks_left_at_once(terms, rnd, st)
        goes, stay = _cards_with_owners(back), _cards_with_owners(stays)
        back_said = plural(
            "{cards} returns to the hand",
            "{cards} return to the hand",
            sum(map(len, back.values())),
            cards=goes,
        )
        kept_said = plural(
            "{cards} stays on the table",
            "{cards} stay on the table",
            sum(map(len, stays.values())),
            cards=stay,
        )
        facts: Facts = {"kept": stays, "returned": back, "left": left}
        facts["order"] = rnd.names_of(st.attackers)
        facts["stays"] = stay or tr("no cards")
        facts["kept_said"] = kept_said if stays else tr("no card stays on the table")
        facts["room"] = (
            plural("{count} card", "{count} cards", left) if left else tr("no more cards")
        )
        facts["back"] = back_said if back else None
        why = N_(
            "there was room for {room}, so {kept_said} and {back}; cards are added in the order"
            " {order}"
        )
        return Breach(facts, why if back else "")

    return judge


def _cards_by_name(rnd: Round, cards: Mapping[int, Iterable[int]]) -> dict[str, list[str]]:
    """Return the codes of the cards, keyed by player name instead of seat."""
    show = rnd.rules.pack.kinds
    return {rnd.names[seat]: [show[kind] for kind in kinds] for seat, kinds in cards.items()}


def _cards_with_owners(cards: dict[str, list[str]]) -> str:
    """Return the cards with their owners as text: `Ana's 6H 6S, Ben's 7H`."""
    return ", ".join(
        tr("{name}'s {cards}", name=name, cards=" ".join(kinds)) for name, kinds in cards.items()
    )


# --- defence and passes


@clause(
    "lies-open",
    "bouts",
    on=("cover",),
    say=N_("{attack} is not open; open attacks: {lying}"),
    doc="Only an open attack may be covered, and only once. The cover may not be moved.",
)
def _lies_open(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        attack = entry.value[0]
        if st.find_open(attack) is not None:
            return None
        show = rules.pack.kinds
        facts: Facts = {"attack": show[attack]}
        facts["lying"] = [show[kind] for kind in st.open_attacks()]
        if attack not in st.attacks:
            return Breach(facts)
        facts["cover"] = show[st.covers_by_attack[st.attacks.index(attack)] or 0]
        return Breach(facts, N_("{attack} is already covered by {cover}; open attacks: {lying}"))

    return judge


@clause(
    "beats",
    "bouts",
    on=("cover",),
    say=N_(
        "{card} does not cover {attack}, because {why}; {who} may hold these cards that "
        "cover it: {legal}"
    ),
    doc=(
        "A card is covered by a higher card of its suit, or by a trump if it is of another "
        "suit. A card of a suit in `alone` covers only its own suit, and is covered only by "
        "its own suit."
    ),
    parameters={"alone": Parameter("texts", "suits that trumps do not cover", [])},
)
def _beats(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)
    alone = frozenset(row["alone"])
    # for each trump suit and each attack, the mask of the cards that cover the attack
    tables: dict[str, list[int]] = {}

    def covering(attack: int, trump: str) -> int:
        if trump not in tables:
            kinds = range(rules.pack.kind_count)
            tables[trump] = [_covering_mask(bouts.settings, kind, trump, alone) for kind in kinds]
        return tables[trump][attack]

    def judge(rnd: Round, entry: Entry) -> Outcome:
        attack, card = entry.value
        trump = rnd.state(bouts).trump
        covers = covering(attack, trump)
        if covers >> card & 1:
            return None
        show = rules.pack.kinds
        facts: Facts = {"attack": show[attack], "card": show[card]}
        facts["why"] = _reason_not_covered(bouts.settings, attack, card, trump, alone)
        facts["trump"] = trump or None
        can_hold, seat = rnd.hands.can_hold, actor_of(entry)
        held = [kind for kind in rules.pack.kinds_in(covers) if can_hold(seat, kind) >= 0]
        facts["legal"] = [show[kind] for kind in held]
        return Breach(facts)

    return judge


def _covering_mask(terms: BoutSettings, attack: int, trump: str, alone: frozenset[str]) -> int:
    """Return the mask of the cards that cover an attack. Trumps do not cover a card of a suit in
    `alone`."""
    rank, suit, found = terms.rank, terms.suit, 0
    for kind, own in enumerate(suit):
        if own == suit[attack]:
            beats = rank[kind] < rank[attack]
        else:
            beats = own == trump and suit[attack] != trump and not {own, suit[attack]} & alone
        found |= beats << kind
    return found


def _reason_not_covered(
    terms: BoutSettings, attack: int, card: int, trump: str, alone: frozenset[str]
) -> str:
    """Return the reason why a card does not cover an attack. Raise Impossible if the reason depends
    on the trump and the trump is unknown."""
    attacked, own = terms.suit[attack], terms.suit[card]
    if attacked == own:
        return tr("it is not higher")
    if not trump and not {attacked, own} & alone:
        raise Impossible(tr("the trump is unknown"), tr("enter the trump: trump SUIT"))
    if attacked in alone:
        return tr("only {suit} covers {suit}", suit=attacked)
    if attacked == trump:
        return tr("only a higher trump covers a trump")
    return tr("it is neither {suit} nor a trump ({trump})", suit=attacked, trump=trump)


@clause(
    "take-stands",
    "bouts",
    on=("cover", "transfer", "take"),
    say=N_("{who} has announced that they will take, and must wait until a card is added"),
    doc=(
        "A defender who has announced that they will take may do nothing else until an "
        "attack is added."
    ),
)
def _take_stands(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if not rnd.state(bouts).is_taking:
            return None
        return Breach({"to_act": rnd.names_of(bouts.waiting(rnd))})

    return judge


@clause(
    "something-open",
    "bouts",
    on=("take",),
    say=N_("everything is covered, so {who} may not take; {to_act} may add or pass"),
    doc="The defender may not take while all attacks are covered.",
)
def _something_open(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if rnd.state(bouts).open_count:
            return None
        return Breach({"to_act": rnd.names_of(bouts.waiting(rnd))})

    return judge


@clause(
    "may-pass",
    "bouts",
    on=("pass",),
    say=N_("{who} cannot pass now: {why}"),
    doc="A player may pass only if they may attack, have cards left and have not passed yet.",
)
def _may_pass(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        seat = actor_of(entry)
        if not st.attacks:
            why = tr("the table is empty, so {name} must lead", name=rnd.names[st.leader])
        elif seat in st.passed:
            why = tr("they have already passed, and no card has been played since")
        elif seat == st.defender:
            why = tr("they are the defender")
        elif seat not in st.attackers or not rnd.hands.size(seat):
            why = tr("they cannot add a card")
        else:
            return None
        return Breach({"why": why, "to_act": rnd.names_of(bouts.waiting(rnd))})

    return judge


# --- transfers


@clause(
    "not-played",
    "bouts",
    on=("transfer",),
    say=N_("the attack cannot be passed on in this game; {who} must cover or take"),
    doc="The verbs in `on` are forbidden (by default, transfers).",
)
def _not_played(row: Row, rules: Ruleset) -> Judge:
    def judge(rnd: Round, entry: Entry) -> Outcome:
        return Breach({"word": entry.type.word})

    return judge


@clause(
    "one-card",
    "bouts",
    on=("transfer",),
    say=N_("only one card may be played here, not {more}"),
    doc="An entry with a verb in `on` may play only one card.",
)
def _one_card(row: Row, rules: Ruleset) -> Judge:
    def judge(rnd: Round, entry: Entry) -> Outcome:
        return None if len(entry.value) == 1 else Breach({"more": len(entry.value)})

    return judge


@clause(
    "led-rank",
    "bouts",
    on=("transfer",),
    say=N_("{card} cannot pass the attack on, because the rank that was led is {rank}"),
    doc="A transfer needs a card of the rank that was led.",
)
def _led_rank(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.settings

    def judge(rnd: Round, entry: Entry) -> Outcome:
        led = terms.rank_mask(rnd.state(bouts).attacks)
        for kind in entry.value:
            if led != 1 << terms.rank[kind]:
                return Breach({"card": rules.pack.kinds[kind], "rank": terms.rank_names(led)})
        return None

    return judge


@clause(
    "before-cover",
    "bouts",
    on=("transfer",),
    say=N_("{who} has covered already, so the attack cannot be passed on; cover the rest or take"),
    doc="The attack may be passed on only before the first cover.",
)
def _before_cover(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        laid = rnd.state(bouts).covers_by_attack
        covers = [rules.pack.kinds[kind] for kind in laid if kind is not None]
        return Breach({"covers": covers}) if covers else None

    return judge


@clause(
    "room-there",
    "bouts",
    on=("transfer",),
    say=N_(
        "{attacks} attacks would be too many for {next}, who has {holds}; {who} must cover or take"
    ),
    doc="After a transfer, the number of attacks may not exceed the next defender's limit.",
)
def _room_there(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        to = next_seat(rnd, st, st.defender)
        attacks, limit = len(st.attacks) + len(entry.value), limit_of(bouts.settings, rnd, st, to)
        if attacks <= limit:
            return None
        cards = rnd.hands.size(to)
        facts = {"attacks": attacks, "next": rnd.names[to], "cards": cards, "limit": limit}
        return Breach(
            {
                **facts,
                "holds": plural("{count} card", "{count} cards", cards)
                if cards
                else tr("no cards"),
            }
        )

    return judge


# --- trump, first lead and results


@clause(
    "trump-suit",
    "bouts",
    on=("trump",),
    say=N_("{suit} cannot be trump, so another card must be turned up"),
    doc="The suits in the key `never_trump` cannot be trump.",
    self_contained=True,
)
def _trump_suit(row: Row, rules: Ruleset) -> Judge:
    barred = rules.phase(Bouts).row["never_trump"]

    def judge(rnd: Round, entry: Entry) -> Outcome:
        return Breach({"suit": entry.value, "barred": barred}) if entry.value in barred else None

    return judge


@clause(
    "turned-back",
    "bouts",
    on=("turnup",),
    say=N_("{card} is put back into the talon, and another card is turned up"),
    doc=(
        "Adds a note when the turned-up card is put back into the talon because its suit cannot "
        "be trump."
    ),
    verdict=LEGAL,
    self_contained=True,
)
def _turned_back(row: Row, rules: Ruleset) -> Judge:
    terms = rules.phase(Bouts).settings
    barred = terms.row["never_trump"]

    def judge(rnd: Round, entry: Entry) -> Outcome:
        kind = entry.value[0]
        if terms.suit[kind] not in barred:
            return None
        return Breach({"card": rules.pack.kinds[kind], "barred": barred})

    return judge


@clause(
    "lowest-leads",
    "bouts",
    on=("attack", "cover", "transfer", "together", "draw", "holds", "hand"),
    say=N_(
        "{holder} had {card}, which is lower than any trump that {leader} held, but {leader} "
        "led first"
    ),
    doc=(
        "Adds a note if a trump that is now seen was dealt to another player and is lower than "
        "every trump that was dealt to the first leader. The note has no effect."
    ),
    verdict=LEGAL,
    self_contained=True,
)
def _lowest_leads(row: Row, rules: Ruleset) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.settings

    def judge(rnd: Round, entry: Entry) -> Outcome:
        st = rnd.state_if_begun(bouts)
        if st is None or st.claimed_leader is None or not st.trump:
            return None
        seen = _seen_cards(entry)
        if not st.bouts and not st.attacks:
            leads = entry.type is ATTACK
            lower = _find_lower_trump(terms, rnd, st, actor_of(entry), seen) if leads else None
            return None if lower is None else Breach(lower)
        if not any(terms.suit[kind] == st.trump for _, kind in seen):
            return None
        lower = _find_lower_trump(terms, rnd, st, st.claimed_leader, seen)
        if lower is None:
            return None
        noted = any(
            lower["card"] == facts.get("card") and "holder" in facts
            for facts in rnd.finding_facts()
        )
        return None if noted else Breach(lower)

    return judge


def _find_lower_trump(
    terms: BoutSettings, rnd: Round, st: State, leader: int, seen: Seen
) -> Facts | None:
    """Return facts about the lowest trump that another player is known to have been dealt. Return
    None if the first leader may have been dealt a lower trump. `seen` are the cards that the
    current entry shows."""
    lower = 0
    for kind in terms.trump_cards(st.trump):
        holder = _known_holder(rnd, st, leader, seen, kind)
        if holder == leader:
            return None
        if holder is not None:
            break
        if all(kind != shown for _, shown in seen):
            lower |= rnd.rules.pack.column[kind]
    else:
        return None
    if rnd.hands.bounds(leader, lower)[1]:
        return None
    card = rnd.rules.pack.kinds[kind]
    return {"holder": rnd.names[holder], "card": card, "leader": rnd.names[leader]}


def _known_holder(rnd: Round, st: State, leader: int, seen: Seen, kind: int) -> int | None:
    """Return the seat known to have held a card since the deal, or None."""
    if kind in st.shown:
        return st.shown[kind]
    column, sure = rnd.rules.pack.column[kind], rnd.hands.known
    held = [(seat, kind) for seat in rnd.seats if sure[seat] & column]
    for seat, card in (*reversed(seen), *reversed(held)):
        if card == kind and (seat == leader or seat not in st.has_drawn):
            return seat
    return None


def _seen_cards(entry: Entry) -> list[tuple[int, int]]:
    """Return the cards that an entry shows, each with its seat."""
    if entry.type in VERBS:
        return list(each_card(entry))
    seat, held = entry.value
    return [] if isinstance(held, int) else [(seat, kind) for kind in held]


@clause(
    "may-draw",
    "bouts",
    on=("result",),
    say=N_(
        "a deal cannot end in a draw here, because {why}; enter {form}, or “void WHY” if the "
        "deal was cut short"
    ),
    doc="A result is a draw only if the keys `nobody` and `out` allow one.",
)
def _may_draw(row: Row, rules: Ruleset) -> Judge:
    terms = rules.phase(Bouts).settings

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if terms.may_draw or entry.value != ((DRAWN_DEAL, ""),):
            return None
        why = tr("a player who plays their last card is out at once, so one player is always left")
        if terms.row["nobody"] != DRAWN_DEAL:
            role = terms.row["nobody"]
            why = tr("if no player has cards left, the {role} has lost", role=tr(role))
        return Breach({"why": why, "form": "result loser=NAME"})

    return judge
