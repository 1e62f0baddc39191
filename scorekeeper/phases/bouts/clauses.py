"""What may be laid in a bout, and when: the clause words. Part of bouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.claims import Breach
from scorekeeper.core.english import number_of, of_several
from scorekeeper.core.failures import Impossible
from scorekeeper.core.rulings import LEGAL
from scorekeeper.phases.bouts.course import Bouts
from scorekeeper.phases.bouts.keys import NOBODY
from scorekeeper.ruleset.parameters import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.claims import Outcome
    from scorekeeper.core.plain import Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.bouts.state import State
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge


def _bouts(rnd: Joint) -> tuple[Bouts, State]:
    game = rnd.rules.phase(Bouts)
    return game, rnd.state(game)


def _they(rnd: Joint, entry: Entry) -> Iterator[tuple[int, int]]:
    """Each card out of a hand, with its seat."""
    for seat, kinds in rnd.rules.phase(Bouts).from_hand(entry):
        for kind in kinds:
            yield seat, kind


@clause(
    "one-rank",
    "bouts",
    on=("attack",),
    say="{who} leads cards of one rank only; these are of {ranks}",
    doc="Cards led together are of one rank.",
    legal="7S 7H as a lead",
    illegal="7S 8H as a lead",
)
def _one_rank(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kinds = entry.value
        if len(kinds) < 2:
            return None
        game, st = _bouts(rnd)
        if st.attacks or len({game.rank[kind] for kind in kinds}) == 1:
            return None
        return Breach(
            {"ranks": [game.ranks[r] for r in sorted({game.rank[kind] for kind in kinds})]}
        )

    return judge


@clause(
    "on-table",
    "bouts",
    on=("attack", "together"),
    say="{card} fits no rank on the table; the ranks there are {ranks}",
    doc="Cards that are added have a rank that lies on the table, as an attack or a cover.",
    legal="8H when 8D or a cover 8C lies there",
    illegal="9H when only 8D and JD lie there",
)
def _on_table(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        if not st.attacks and entry.verb.word == "attack":
            return None
        for seat, kind in _they(rnd, entry):
            if not st.ranks >> game.rank[kind] & 1:
                ranks = [name for r, name in enumerate(game.ranks) if st.ranks >> r & 1]
                facts: dict[str, Any] = {"who": rnd.names[seat], "ranks": ranks}
                facts["card"] = rnd.rules.pack.kinds[kind]
                alone = "{card} cannot be laid together with others: no bout has begun"
                return Breach(facts, "" if st.attacks else alone)
        return None

    return judge


@clause(
    "room",
    "bouts",
    on=("attack",),
    say="{many} would be too many: at most {limit} in this bout, so {room}",
    doc="The limit of a bout: the keys `most` and `limit`.",
    legal="a third attack on a defender who became it with three cards",
    illegal="a fourth attack on them",
)
def _room(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        left = game.room(rnd, st)
        more = len(entry.value)
        if more <= left:
            return None
        laid = len(st.attacks)
        facts: dict[str, Any] = {
            "attacks": laid + more,
            "left": max(0, left),
            "limit": laid + max(0, left),
        }
        facts |= {"laid": laid, "defender": rnd.names[st.defender]}
        room = f"{left} more" if left > 0 else "no more"
        return Breach({**facts, "many": number_of(laid + more, "attack"), "room": room})

    return judge


@clause(
    "at-once",
    "bouts",
    on=("attack",),
    say="{who} may lay {cards} at a time here, not {more}",
    doc="How many cards are led, or added, at a time: the keys `lead` and `add`.",
    legal="with `lead = 1`, 8C as a lead",
    illegal="8C 8D as a lead",
)
def _at_once(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        most = game.row["add" if st.attacks else "lead"]
        if not most or len(entry.value) <= most:
            return None
        return Breach({"most": most, "cards": number_of(most, "card"), "more": len(entry.value)})

    return judge


@clause(
    "answered",
    "bouts",
    on=("attack", "together"),
    say="{who} waits for the answer: {open}",
    doc="Attacks are added when all that lies there is covered.",
    legal="8H when 8D is covered by JD",
    illegal="8H while 8D lies open",
)
def _answered(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        _, st = _bouts(rnd)
        if not st.open:
            return None
        kinds = [rules.pack.kinds[kind] for kind in st.uncovered()]
        names = [rnd.names[seat] for seat, _ in _they(rnd, entry)]
        lies = of_several(kinds, "lies", "lie")
        return Breach({"who": names[0] if names else None, "lying": kinds, "open": f"{lies} open"})

    return judge


@clause(
    "roles",
    "bouts",
    on=("attack", "together", "cover", "transfer", "take"),
    say="{who} may not attack in this bout; {may} may",
    doc="The attackers attack (the key `adders`); the defender covers, transfers or takes.",
    legal="6H by the leader, or by another who may add",
    illegal="6H by the defender, or a cover by an attacker",
)
def _roles(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(rnd.rules.phase(Bouts))
        if not st.attacks:
            return None
        if entry.verb.word == "attack":
            wrong = None if entry.seat in st.attackers else entry.seat
        elif entry.verb.word == "together":
            wrong = next((seat for seat, _ in entry.value if seat not in st.attackers), None)
        elif entry.seat != st.defender:
            say = "{who} is not the defender, {may} is"
            return Breach({"may": rnd.names[st.defender]}, say)
        else:
            return None
        if wrong is None:
            return None
        return Breach({"who": rnd.names[wrong], "may": rnd.names_of(st.attackers)})

    return judge


@clause(
    "returned",
    "bouts",
    on=("together",),
    say="{kept_said}; {back}",
    doc="Says which of the cards laid together stay and which go back: a note.",
    legal="every `together`: which cards stay, the leader's first, then the others' in order",
    illegal="nothing: it never refuses",
    verdict=LEGAL,
)
def _returned(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        if not st.attacks or any(seat not in st.attackers for seat, _ in entry.value):
            return None
        stays, back = game.sorted(rnd, st, entry.value)
        show = rules.pack.kinds
        facts: dict[str, Any] = {
            "kept": {rnd.names[s]: [show[k] for k in kinds] for s, kinds in stays.items()},
            "returned": {rnd.names[s]: [show[k] for k in kinds] for s, kinds in back.items()},
            "left": game.room_at_once(rnd, st),
            "order": rnd.names_of(st.attackers),
        }
        facts["stays"] = _whose(facts["kept"]) or "no cards"
        facts["kept_said"] = (
            _moved(facts["kept"], "on the table stays", "on the table stay") or "nothing stays"
        )
        returned = _moved(facts["returned"], "back to the hand goes", "back to the hand go")
        facts["room"] = number_of(facts["left"], "card") if facts["left"] else "none"
        why = "there was room for {room}, and the order is {order}"
        facts["back"] = returned or "nothing goes back"
        return Breach(facts, "{kept_said}; {back}: " + why if returned else "")

    return judge


def _moved(cards: dict[str, list[str]], one: str, several: str) -> str:
    """What becomes of these cards, in words; empty without any."""
    verb = one if sum(map(len, cards.values())) == 1 else several
    return f"{verb} {_whose(cards)}" if cards else ""


def _whose(cards: dict[str, list[str]]) -> str:
    return ", ".join(f"{name}'s {' '.join(kinds)}" for name, kinds in cards.items())


@clause(
    "lies-open",
    "bouts",
    on=("cover",),
    say="{attack} does not lie open; open: {lying}",
    doc="What is covered is an attack that lies open: one cover for each, and it is not moved.",
    legal="cover 6C 8C when 6C lies open",
    illegal="cover 6C 9C when 6C is covered",
)
def _lies_open(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        _, st = _bouts(rnd)
        attack = entry.value[0]
        for place, kind in enumerate(st.attacks):
            if kind == attack and st.covers[place] is None:
                return None
        show = rules.pack.kinds
        facts: dict[str, Any] = {"attack": show[attack]}
        facts["lying"] = [show[kind] for kind in st.uncovered()]
        if attack not in st.attacks:
            return Breach(facts)
        facts["cover"] = show[st.covers[st.attacks.index(attack)] or 0]
        return Breach(facts, "{attack} is covered already, by {cover}; open: {lying}")

    return judge


@clause(
    "beats",
    "bouts",
    on=("cover",),
    say="{card} does not cover {attack}: {why}; what would, as far as {who} may hold it: {legal}",
    doc="A cover is a higher card of the suit, or a trump on another suit; suits `alone` are"
    " covered only by themselves, and cover only themselves.",
    legal="8C on 6C, or a trump",
    illegal="5C on 6C, 8H on 6C when clubs are no trumps",
    parameters={"alone": Parameter("texts", "suits that no trump covers", [])},
)
def _beats(row: Row, rules: Rules) -> Judge:
    alone = frozenset(row["alone"])
    game = rules.phase(Bouts)
    tables: dict[str, list[int]] = {}

    def table(trump: str) -> list[int]:
        """For each attack the mask of what covers it."""
        if trump not in tables:
            tables[trump] = [_covering(game, kind, trump, alone) for kind in range(rules.pack.size)]
        return tables[trump]

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(rnd.rules.phase(Bouts))
        attack, card = entry.value
        trump = st.trump
        covering = (tables.get(trump) or table(trump))[attack]
        if covering >> card & 1:
            return None
        return Breach(_not_covered(rnd, entry, alone, covering))

    return judge


def _covering(game: Bouts, attack: int, trump: str, alone: frozenset[str]) -> int:
    rank, suit, found = game.rank, game.suit, 0
    for kind, own in enumerate(suit):
        if own == suit[attack]:
            beats = rank[kind] < rank[attack]
        else:
            beats = own == trump and suit[attack] != trump and not {own, suit[attack]} & alone
        found |= beats << kind
    return found


def _not_covered(rnd: Joint, entry: Entry, alone: frozenset[str], covering: int) -> dict[str, Any]:
    game, st = _bouts(rnd)
    attack, card = entry.value
    show, suit = rnd.rules.pack.kinds, game.suit
    if suit[attack] == suit[card]:
        why = "it is not higher"
    elif not st.trump and not {suit[attack], suit[card]} & alone:
        raise Impossible("nobody has said what is trump", "say it: trump SUIT")
    elif suit[attack] in alone:
        why = f"only {suit[attack]} covers {suit[attack]}"
    elif suit[attack] == st.trump:
        why = "only a higher trump covers a trump"
    else:
        why = f"it is neither {suit[attack]} nor a trump ({st.trump})"
    seat, knowledge = entry.seat, rnd.hands
    assert seat is not None
    assert knowledge is not None
    would = [k for k in rnd.rules.pack.kinds_in(covering) if knowledge.can_hold(seat, k) >= 0]
    return {
        "attack": show[attack],
        "card": show[card],
        "why": why,
        "trump": st.trump or None,
        "legal": [show[kind] for kind in would],
    }


@clause(
    "take-stands",
    "bouts",
    on=("cover", "transfer", "take"),
    say="{who} has said that they take; that stands until somebody adds a card",
    doc="A defender who has said that they take does nothing else until an attack is added.",
    legal="take, then X adds a card, then a cover",
    illegal="take, then a cover",
)
def _take_stands(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        if not st.taking:
            return None
        return Breach({"to_act": rnd.names_of(game.waiting(rnd))})

    return judge


@clause(
    "something-open",
    "bouts",
    on=("take",),
    say="everything is covered, so {who} may not take; {to_act} may add or pass",
    doc="Nobody takes when everything is covered.",
    legal="take while an attack lies open",
    illegal="take when all attacks are covered",
)
def _something_open(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        return None if st.open else Breach({"to_act": rnd.names_of(game.waiting(rnd))})

    return judge


@clause(
    "may-pass",
    "bouts",
    on=("pass",),
    say="{who} cannot pass now: {why}",
    doc="Somebody passes who may still add a card, by the counts, and has not passed.",
    legal="an attacker with cards, after the lead",
    illegal="the defender, the leader before their lead, or somebody twice",
)
def _may_pass(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        if not st.attacks:
            why = f"nothing lies there, {rnd.names[st.leader]} must lead"
        elif entry.seat in st.passed:
            why = "they have passed, and nothing has been laid since"
        elif entry.seat == st.defender:
            why = "they are the defender"
        elif entry.seat not in st.attackers or not game.size(rnd, entry.seat):
            why = "they could not add a card"
        else:
            return None
        return Breach({"why": why, "to_act": rnd.names_of(game.waiting(rnd))})

    return judge


@clause(
    "may-draw",
    "bouts",
    on=("result",),
    say="no deal here ends in a draw: {why}; say who has lost, {form}, or void a deal cut short",
    doc="A result is a draw only where play can end so: the keys `nobody` and `out`.",
    legal='with `out = "after"`, `result draw`',
    illegal='with `out = "at-once"`, `result draw`: somebody always has cards left',
)
def _may_draw(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, _ = _bouts(rnd)
        if game.may_draw or entry.value != ((NOBODY, ""),):
            return None
        why = "who lays their last card is out at once, so somebody is always left"
        if game.row["nobody"] != NOBODY:
            why = f"where nobody has cards left, the {game.row['nobody']} has lost"
        return Breach({"why": why, "form": "result loser=NAME"})

    return judge


# --- transfers


@clause(
    "not-played",
    "bouts",
    on=("transfer",),
    say="the attack cannot be passed on in this game; {who} covers or takes",
    doc="The verbs in `on` are not played (without it: transfers).",
    legal="cover or take",
    illegal="a transfer",
)
def _not_played(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return Breach({"word": entry.verb.word})

    return judge


@clause(
    "one-card",
    "bouts",
    on=("transfer",),
    say="one card is laid for that, not {more}",
    doc="The verbs in `on` lay one card.",
    legal="transfer 6D",
    illegal="transfer 6D 6H",
)
def _one_card(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return None if len(entry.value) == 1 else Breach({"more": len(entry.value)})

    return judge


@clause(
    "led-rank",
    "bouts",
    on=("transfer",),
    say="{card} cannot be laid beside the attacks: the lead is a {rank}",
    doc="A transfer is a card of the rank that was led.",
    legal="transfer 6D when 6C was led",
    illegal="transfer 7D when 6C was led",
)
def _led_rank(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        led = {game.rank[kind] for kind in st.attacks}
        for kind in entry.value:
            if led != {game.rank[kind]}:
                rank = [game.ranks[r] for r in sorted(led)]
                return Breach({"card": rules.pack.kinds[kind], "rank": rank})
        return None

    return judge


@clause(
    "before-cover",
    "bouts",
    on=("transfer",),
    say="{who} has covered, so the roles stand: they cover the rest or take",
    doc="The attack is passed on before the first cover.",
    legal="6C is led, then a transfer",
    illegal="6C is led and covered, 6H added, then a transfer",
)
def _before_cover(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        _, st = _bouts(rnd)
        covers = [rules.pack.kinds[kind] for kind in st.covers if kind is not None]
        return Breach({"covers": covers}) if covers else None

    return judge


@clause(
    "room-there",
    "bouts",
    on=("transfer",),
    say="{attacks} attacks would be too many for {next}, who {holds}; {who} covers or takes",
    doc="The attacks, with the card of the transfer, are within the next defender's limit.",
    legal="a second attack passed on to somebody with two cards",
    illegal="the same to somebody with one card",
)
def _room_there(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        game, st = _bouts(rnd)
        to = game.next_in(rnd, st, st.defender)
        attacks, limit = len(st.attacks) + len(entry.value), game.limit(rnd, to)
        if attacks <= limit:
            return None
        cards = game.size(rnd, to)
        facts = {"attacks": attacks, "next": rnd.names[to], "cards": cards, "limit": limit}
        return Breach({**facts, "holds": f"holds {number_of(cards, 'card') if cards else 'none'}"})

    return judge


# --- the deal


@clause(
    "trump-suit",
    "bouts",
    on=("trump",),
    say="{suit} cannot be trump; another card is turned up",
    doc="Suits that cannot be trump: the key `never_trump`.",
    legal="trump D",
    illegal='with `never_trump = ["S"]`, trump S',
)
def _trump_suit(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        barred = rules.phase(Bouts).row["never_trump"]
        return Breach({"suit": entry.value, "barred": barred}) if entry.value in barred else None

    return judge


@clause(
    "turned-back",
    "bouts",
    on=("turnup",),
    say="{card} goes back into the talon, and another card is turned",
    doc="Says that a card of a suit that cannot be trump goes back: a note.",
    legal='with `never_trump = ["S"]`, turnup 9S: the next turnup shows trump',
    illegal="nothing: it never refuses",
    verdict=LEGAL,
)
def _turned_back(row: Row, rules: Rules) -> Judge:
    game = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kind = entry.value[0]
        if game.suit[kind] not in game.row["never_trump"]:
            return None
        return Breach({"card": rules.pack.kinds[kind], "barred": game.row["never_trump"]})

    return judge


@clause(
    "lowest-leads",
    "bouts",
    on=("attack", "cover", "transfer", "together", "draw", "holds", "hand"),
    say="{holder} had the {card}, which is lower than any trump of {leader}, who led first",
    doc="Says that a trump seen was in another hand at the deal, and lower than the first leader's:"
    " a note, and nothing is undone.",
    legal="the first leader was right, or nobody can say",
    illegal="nothing: it never refuses",
    verdict=LEGAL,
)
def _lowest_leads(row: Row, rules: Rules) -> Judge:
    game = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(rnd.rules.phase(Bouts))
        if st.watched is None or not st.trump:
            return None
        seen = _seen(entry, game)
        if not st.ended and not st.attacks:
            leads = entry.verb.word == "attack"
            lower = _lower(rnd, game, entry.seat or 0, seen) if leads else None
            return None if lower is None else Breach(lower)
        if not any(game.suit[kind] == st.trump for _, kind in seen):
            return None
        facts = _lower(rnd, game, st.watched, seen)
        if facts is None:
            return None
        told = any(
            facts["card"] == noted.get("card") and "holder" in noted for noted in rnd.facts_noted()
        )
        return None if told else Breach(facts)

    return judge


def _seen(entry: Entry, game: Bouts) -> list[tuple[int, int]]:
    """The cards that an entry shows, each with its seat."""
    if entry.verb.word not in ("holds", "hand"):
        return [(seat, kind) for seat, kinds in game.from_hand(entry) for kind in kinds]
    seat, held = entry.value
    return [] if isinstance(held, int) else [(seat, kind) for kind in held]


def _lower(
    rnd: Joint, game: Bouts, leader: int, seen: list[tuple[int, int]]
) -> dict[str, Any] | None:
    """The lowest trump that is known to have been in a hand since the deal, if it was another's
    and the leader surely had none as low."""
    st = rnd.state(rnd.rules.phase(Bouts))
    knowledge, pack = rnd.hands, rnd.rules.pack
    known = [(seat, kind) for seat in rnd.seats for kind in pack.kinds_in(knowledge.sure[seat])]
    dealt = [
        (seat, kind) for seat, kind in (*known, *seen) if seat == leader or seat not in st.drew
    ]
    held = {kind: seat for seat, kind in dealt} | st.shown
    trumps = [kind for kind in held if game.suit[kind] == st.trump]
    if not trumps:
        return None
    card = max(trumps, key=lambda kind: game.rank[kind])
    located = {kind for _, kind in seen}
    lower = [kind for kind in game.trumps(st) if game.rank[kind] > game.rank[card]]
    mask = pack.spread(sum(pack.bit[kind] for kind in lower if kind not in located))
    if held[card] == leader or knowledge.bounds(leader, mask)[1]:
        return None
    return {"holder": rnd.names[held[card]], "card": pack.kinds[card], "leader": rnd.names[leader]}
