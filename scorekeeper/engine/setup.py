"""The start of a round: its standing, the facts stated before the first act, and the hands.

A fact is refused at once if it can never be true together with another one. Facts that merely do
not fit together yet are a conflict (`Round.add_conflict`), which another fact can resolve.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, cast

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import N_, format_quoted, format_times, join_list, plural, tr
from scorekeeper.core.rulings import OPEN
from scorekeeper.engine.findings import settle
from scorekeeper.engine.seating import ROSTER_VERBS, Reseating
from scorekeeper.engine.state import EMPTY_SETUP
from scorekeeper.notation.syntax import OfPlayer, find_seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.state import Hand, Setup
    from scorekeeper.notation import Entry

H = TypeVar("H", bound="Hand")
MISTYPED_HINT = N_("look for a mistyped entry; undo or amend it")


class _NoHands:
    """A substitute for the hands in a game without cards. Using it raises Impossible."""

    __slots__ = ()

    def __getattr__(self, name: str) -> object:
        raise Impossible(tr("this game has no hands of cards"))


NO_HANDS = cast("Knowledge", _NoHands())


def fact_key(fact: Entry) -> tuple[str, int]:
    """Return a key for a fact that ignores its value: the kind of fact, and the seat or -1."""
    return fact.type.fact_key, fact.value[0] if isinstance(fact.type.syntax, OfPlayer) else -1


def begin(rnd: Round) -> None:
    """Reset the round to its start, as determined by the standing and the facts."""
    if rnd.batching_setup:
        return
    carried, begun = rnd.carried_over, rnd.states
    rnd.seating.sit_down(rnd.setup)
    rnd.clear()
    rnd.carried_over = dict(rnd.seating.standing["carry"])
    leader = rnd.rules.numbers.leader
    if leader.depends_on_round and rnd.setup.lead is None and not rnd.rules.deal["dealt"]:
        rnd.seating.expect_leader(leader(len(rnd.names), rnd))
    if rnd.rules.pack.card_count:
        rnd.starts_midway = longest_hand(rnd) < rnd.deal_size
        rnd.hands = deal_hands(rnd)
    rnd.states = {}
    for phase in rnd.rules.concurrent:
        rnd.states[phase.name] = phase.begin(rnd)
    law = rnd.rules.law
    # claims and decisions persist when the round restarts
    if law is not None and law.name in begun:
        rnd.states[law.name] = begun[law.name]
        rnd.carry_over(law.name, carried.get(law.name))
    rnd.advance()
    if rnd.seating.seating_error:
        rnd.add_conflict(rnd.seating.seating_error, *ROSTER_VERBS)
    if rnd.setup != EMPTY_SETUP:
        _check_facts(rnd)
    if rnd.log.findings and rnd.has_hands:
        _ask_again(rnd)


def _ask_again(rnd: Round) -> None:
    """Check open claims on withdrawn acts against the new hands."""
    log = rnd.log
    for number, finding in list(log.all_findings()):
        if finding.claim is None or finding.verdict != OPEN or number in log.doubted:
            continue
        if log.entries[number - 1].is_withdrawn:
            rnd.hands.ask_again(finding.claim, (number, finding), number)


def _check_facts(rnd: Round) -> None:
    """Check whether the facts fit together, and end the round if they decide it."""
    for phase in rnd.rules.phases.values():
        phase.check_start(rnd)
    for say, words in rnd.conflicts:
        if words:
            rnd.add_note(
                "table.odds", N_("{odds}; correct this before the first act"), {"odds": say}
            )
    end_decided(rnd)
    rnd.decided_by_setup = rnd.over


def end_decided(rnd: Round) -> None:
    """End the round without play if the stated tallies or fines decide the match."""
    if rnd.over or rnd.seating.seating_error:
        return
    if rnd.seating.tally == rnd.seating.standing["tally"] and rnd.setup.reseated is None:
        return
    if rnd.rules.ends.value_in(rnd):
        rnd.add_note("table.decided", N_("that decides the match"), {})
        rnd.void = True
        rnd.finish()


def place(rnd: Round, word: str, setup: Setup) -> None:
    """Replace the setup facts and restart the round.

    `word` is the verb of the fact that was stated last. Raises Impossible if a player has acted, or
    if a fact contradicts another one.
    """
    if rnd.acted or (rnd.over and not rnd.decided_by_setup):
        raise Impossible(
            tr("“{word}” must be entered before the first act of a round", word=word),
            tr("undo the acts since then, or enter it in the next round"),
        )
    decided = rnd.decided_by_setup
    rnd.setup = setup
    begin(rnd)
    if decided and rnd.decided_by_setup:
        say = N_("this entry belongs to round {round}, which was decided before play began")
        rnd.add_note("table.decided", say, {"round": rnd.number})


def refuse_sitting_out(rnd: Round, seat: int, consequence: str) -> None:
    """Refuse a fact about a player who sits out.

    Raises Impossible if the dealer was stated. Otherwise, record the fact as a conflict.
    `consequence` completes a sentence that begins by stating that the player sits out.
    """
    name, dealer = rnd.names[seat], rnd.names[rnd.seating.dealer]
    say = tr(
        "{name} sits out when {dealer} deals, and {so}", name=name, dealer=dealer, so=consequence
    )
    if rnd.setup.dealer is not None:
        raise Impossible(say, tr(MISTYPED_HINT))
    rnd.add_conflict(
        tr("{say}; if another player deals, enter {entry}", say=say, entry="dealer NAME"),
        "dealer",
        "hand",
        "holds",
        "lead",
    )


def check_start(rnd: Round, entry: Entry) -> None:
    """Raise Impossible if an entry cannot be made because the setup facts do not fit together."""
    verb = entry.type
    if rnd.seating.seating_error:
        if verb.word in ROSTER_VERBS or (verb.may_follow_round and not verb.syntax.names_players):
            return
        raise Impossible(
            f"{format_quoted(entry.text)}: {rnd.seating.seating_error}", rnd.seating.seating_hint
        )
    if verb.is_setup_fact or verb.is_always_possible:
        return
    say, words = rnd.conflicts[0]
    if missing_fact(rnd):
        if verb.is_table_entry:
            return
        raise Impossible(f"{format_quoted(entry.text)}: {say}", tr("enter it first"))
    facts = [
        f"{number} ({each.text})"
        for number, each in enumerate(rnd.log.entries, 1)
        if each.type.word in words and not each.is_withdrawn
    ]
    message = tr(
        "“{text}”: the facts about the start of the round do not fit together: {say}",
        text=entry.text,
        say=say,
    )
    if facts:
        message = tr(
            "{message}; check these entries: {facts}", message=message, facts=", ".join(facts)
        )
    raise Impossible(
        message,
        tr(
            "enter the missing facts, or type {undo} or {amend}",
            undo="undo",
            amend="amend NUMBER ENTRY",
        ),
    )


def missing_fact(rnd: Round) -> str:
    """Return the sentence about a setup fact that is missing, or ""."""
    say, words = rnd.conflicts[0] if rnd.conflicts else ("", ())
    return "" if words else say


def is_repeated(rnd: Round, entry: Entry) -> bool:
    """Return whether the same fact was stated before, with any value."""
    what = fact_key(entry)
    return any(fact_key(each) == what for each in rnd.log.entries if not each.is_withdrawn)


def _reseating_of(rnd: Round) -> Reseating:
    return Reseating(
        rnd.rules,
        rnd.setup.reseated or rnd.seating.first_standing,
        rnd.seating.initial_players,
        lambda count: rnd.rules.numbers.start(count, rnd),
    )


def add_player(rnd: Round, name: str, instead: bool, other: str) -> None:
    """Add a player to the left of `other`. If `instead` is true, the player replaces `other`."""
    change = _reseating_of(rnd)
    standing = change.join(name, find_seat(change.names, other, tuple(change.away)), instead)
    place(rnd, "joins", rnd.setup._replace(reseated=standing))


def remove_player(rnd: Round, name: str) -> None:
    """Remove a player from the table. Their tally remains on the score sheet."""
    change = _reseating_of(rnd)
    standing = change.leave(find_seat(change.names, name, tuple(change.away)))
    place(rnd, "quits", rnd.setup._replace(reseated=standing))


def reseat_all(rnd: Round, names: Sequence[str]) -> None:
    """Seat the players at the table in this order."""
    change = _reseating_of(rnd)
    standing = change.move([find_seat(change.names, name) for name in names])
    place(rnd, "seats", rnd.setup._replace(reseated=standing))


def gather(rnd: Round, entries: list[Entry]) -> bool:
    """Apply several facts together before the first act, and return whether it is a full deal.

    Raises Impossible if one of the facts is impossible. The caller must then restore the setup
    and the log.
    """
    rnd.batching_setup = True
    try:
        rnd.log.entries += entries
        phase_of = rnd.rules.phase_of
        for verb, facts in groupby(entries, attrgetter("type")):
            if verb.apply_batch is not None:
                verb.apply_batch(rnd, facts)
                continue
            for fact in facts:
                phase_of[verb.word].apply(rnd, fact)
        rnd.batching_setup = False
        begin(rnd)
        full_deal = is_full_deal(rnd)
        if rnd.pending_notes:
            rnd.flush_notes()
        if rnd.hands is not NO_HANDS and rnd.hands.has_decisions:
            settle(rnd)
        return full_deal
    except ValueError as error:
        raise Impossible(str(error)) from None
    finally:
        rnd.batching_setup = False


def is_full_deal(rnd: Round) -> bool:
    """Return whether all cards are dealt, all facts fit together, and no note is pending."""
    if rnd.conflicts or rnd.pending_notes or rnd.over or not rnd.has_hands:
        return False
    setup = rnd.setup
    if setup.holds or setup.shown or setup.standing or setup.is_levelled or setup.charges:
        return False
    if (setup.touched, setup.stock, setup.contract) != (None, None, None):
        return False
    if rnd.hands.claims.questions:
        return False
    dealt = rnd.deal_size
    sizes = rnd.hands.sizes()
    return {sizes[seat] for seat in rnd.seats} == {dealt}


def expected_leaders(rnd: Round) -> list[int]:
    """Return the seats that may be the leader. There are several if the leader is not certain."""
    return list(rnd.table.possible_leaders) or [rnd.seating.leader]


# --- hands at the start


def deal_hands(rnd: Round) -> Knowledge:
    """Return the hands at the start, as far as they were entered.

    Each other player holds as many cards as the longest of these hands, unless the pack has too
    few. If no hand was entered, each player holds the number of cards dealt.
    """
    from scorekeeper.core.knowledge import Knowledge  # not needed in games with dice

    knowledge = Knowledge(rnd.rules.pack, len(rnd.names))
    if rnd.setup == EMPTY_SETUP:
        size = rnd.deal_size
        for seat in rnd.seats:
            knowledge.deal(seat, 0, size)
        return knowledge
    given, seen = _of_players(rnd, rnd.setup.hands), _of_players(rnd, rnd.setup.holds)
    if seen:
        _check_one_place(rnd, given, seen)
    counts = {seat: held if isinstance(held, int) else len(held) for seat, held in given.items()}
    others = _size_of_others(rnd, counts)
    try:
        for seat in rnd.seats:
            held = given.get(seat, 0)
            known = 0 if isinstance(held, int) else rnd.rules.pack.hand_of(held)
            knowledge.deal(seat, known, counts.get(seat, others))
    except ValueError:
        _check_one_place(rnd, given, seen)
        raise
    for seat, kinds in seen.items():
        _add_seen(rnd, knowledge, seat, kinds)
    if rnd.setup.shown:
        knowledge.note_all_held(rnd.setup.shown)
    return knowledge


def longest_hand(rnd: Round) -> int:
    """Return the size of the longest hand entered, or of a dealt hand if none was entered."""
    given = rnd.setup.hands
    counts = [held if isinstance(held, int) else len(held) for held in given.values()]
    if not any(counts) and len(counts) < len(rnd.seats):
        return rnd.deal_size
    return max(counts)


def _of_players(rnd: Round, hands: Mapping[int, H]) -> Mapping[int, H]:
    """Return the entered hands of the players who take part."""
    for seat in hands:
        if seat not in rnd.seats:
            refuse_sitting_out(rnd, seat, tr("holds no cards"))
    if len(rnd.seats) == len(rnd.names):
        return hands
    return {seat: held for seat, held in hands.items() if seat in rnd.seats}


def _check_one_place(
    rnd: Round, given: Mapping[int, Hand], seen: Mapping[int, tuple[int, ...]]
) -> None:
    """Raise Impossible if entered hands and cards seen in hands contradict each other."""
    hands: dict[int, Sequence[int]] = {s: h for s, h in given.items() if not isinstance(h, int)}
    for seat, kinds in seen.items():
        count = given.get(seat)
        if isinstance(count, int) and len(kinds) > count:
            name = rnd.names[seat]
            raise Impossible(
                plural(
                    "{name} was seen with {count} card and cannot hold {held}",
                    "{name} was seen with {count} cards and cannot hold {held}",
                    len(kinds),
                    name=name,
                    held=count or tr("none"),
                ),
                tr(MISTYPED_HINT),
            )
        for kind in kinds:
            if kinds.count(kind) > hands.get(seat, kinds).count(kind):
                card, name = rnd.rules.pack.kinds[kind], rnd.names[seat]
                raise Impossible(
                    tr(
                        "{card} was seen in {name}'s hand, but the hand was entered without "
                        "this card",
                        card=card,
                        name=name,
                    ),
                    tr(MISTYPED_HINT),
                )
        hands.setdefault(seat, kinds)
    for kind in {kind for kinds in hands.values() for kind in kinds}:
        held = [rnd.names[seat] for seat, kinds in hands.items() for k in kinds if k == kind]
        if len(held) > rnd.rules.pack.copies:
            card, names = rnd.rules.pack.kinds[kind], join_list(list(dict.fromkeys(held)))
            often, said = format_times(rnd.rules.pack.copies), format_times(len(held))
            raise Impossible(
                tr(
                    "the pack contains {card} {often}, but it was entered {said}: {names}",
                    card=card,
                    often=often,
                    said=said,
                    names=names,
                ),
                tr(MISTYPED_HINT),
            )


def _size_of_others(rnd: Round, counts: dict[int, int]) -> int:
    """Return the size of each hand that was not entered."""
    total, talon = rnd.rules.pack.card_count, rnd.setup.stock or 0
    left = total - sum(counts.values()) - talon
    if left < 0:
        if talon:
            say = plural(
                "{count} card in hands and {talon} in the talon are more than the {total} "
                "cards in the pack",
                "{count} cards in hands and {talon} in the talon are more than the {total} "
                "cards in the pack",
                sum(counts.values()),
                talon=talon,
                total=total,
            )
        else:
            say = plural(
                "{count} card in hands is more than the {total} cards in the pack",
                "{count} cards in hands are more than the {total} cards in the pack",
                sum(counts.values()),
                total=total,
            )
        raise Impossible(
            say,
            tr(MISTYPED_HINT),
        )
    others = [rnd.names[seat] for seat in rnd.seats if seat not in counts]
    if not others:
        return 0
    wanted = longest_hand(rnd)
    fits: int = min(wanted, left // len(others))
    if fits < wanted and (not any(counts.values()) or not fits):
        rnd.add_conflict(
            _too_few_cards(others, wanted),
            "talon",
            "hand",
        )
    return fits


def _too_few_cards(others: list[str], wanted: int) -> str:
    """Return the message that too few cards are left in the pack for these players' hands."""
    entry = f"hand {others[0]}: NUMBER"
    if len(others) == 1:
        return plural(
            "the pack does not have {count} card left for {name}; if the hand is smaller, "
            "enter {entry}",
            "the pack does not have {count} cards left for {name}; if the hand is smaller, "
            "enter {entry}",
            wanted,
            name=others[0],
            entry=entry,
        )
    return plural(
        "the pack does not have {count} card left for each of {names}; if a hand is smaller, "
        "enter {entry}",
        "the pack does not have {count} cards left for each of {names}; if a hand is "
        "smaller, enter {entry}",
        wanted,
        names=join_list(others),
        entry=entry,
    )


def _add_seen(rnd: Round, hands: Knowledge, seat: int, kinds: tuple[int, ...]) -> None:
    """Add cards that were seen in a hand."""
    name = rnd.names[seat]
    if len(kinds) > hands.size(seat):
        rnd.add_conflict(
            plural(
                "{name} was seen with {count} card but holds {size} according to the other "
                "hands; to correct the number, enter {entry}",
                "{name} was seen with {count} cards but holds {size} according to the other "
                "hands; to correct the number, enter {entry}",
                len(kinds),
                name=name,
                size=hands.size(seat) or tr("none"),
                entry=f"hand {name}: NUMBER",
            ),
            "hand",
            "holds",
        )
        return
    for kind in set(kinds):
        hands.note_held(seat, kind, kinds.count(kind))


def check_leader_has_cards(rnd: Round, seat: int) -> None:
    """Add a conflict if the player who leads holds no cards."""
    if not rnd.hands.size(seat):
        name = rnd.names[seat]
        rnd.add_conflict(
            tr(
                "{name} leads but holds no cards; if another player leads, enter {entry}",
                name=name,
                entry="lead NAME",
            ),
            "lead",
            "hand",
        )


def stated_now(rnd: Round, *words: str) -> bool:
    """Return whether the last entry is a fact stated with one of these verbs."""
    *_, entry = rnd.log.entries
    return entry.type.word in words


def holding_text(rnd: Round) -> str:
    """Return a sentence with the sizes of all hands, such as `everyone holds 11`."""
    size = rnd.hands.size
    groups = [
        (count, rnd.names_of(seats))
        for count, seats in groupby(sorted(rnd.seats, key=lambda seat: -size(seat)), size)
    ]
    if len(groups) == 1:
        count = groups[0][0]
        return (
            tr("everyone holds {count}", count=count) if count else tr("no player holds any cards")
        )
    return ", ".join(
        plural(
            "{names} holds {cards}",
            "{names} hold {cards}",
            len(names),
            names=join_list(names),
            cards=count or tr("no cards"),
        )
        for count, names in groups
    )
