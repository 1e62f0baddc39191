"""A position as one line of text: the ruleset, the players, and the entries that lead to it.

The line begins with facts, as stated at the start of a round. The acts since then follow. Positions
have no grammar of their own, because a position is read by recording its entries.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import quote
from scorekeeper.engine.replay import Replay
from scorekeeper.engine.state import EMPTY_SETUP, Hand, Setup
from scorekeeper.match.status import has_laid
from scorekeeper.notation import IGNORED, Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Standing
    from scorekeeper.engine.round import Round
    from scorekeeper.notation import Notation

SILENT_VERBS = ("note", "check")  # verbs of entries that have no effect
# Fields of the table that a position leaves out: how trump was determined, and public claims.
UNSTATED = ("declared", "turned", "possible_leaders", "claimed_sides")
TABLE_KEYS = ("table", "talon", "owed")
FORM = "RULESET: NAME, NAME…; ENTRY; ENTRY…"


def format_heading(ruleset: str, players: Sequence[str]) -> str:
    """Return the beginning of a position, with the ruleset name and the players."""
    return f"{ruleset}: {', '.join(players)}"


def read_heading(text: str) -> tuple[str, list[str], str]:
    """Return the ruleset name, the players and the entries of a position.

    Raises Unreadable if the text is not a position.
    """
    text = text if isinstance(text, str) else repr(text)  # callers may pass an object of any type
    head, _, entries = text.partition(";")
    ruleset, colon, players = head.partition(":")
    if not colon or len(text.splitlines()) > 1:
        raise Unreadable(
            tr("“{text}” is not a position", text=quote(text, 60)),
            tr("a position looks like this: {form}", form=FORM),
        )
    return ruleset.strip(), [name.strip() for name in players.split(",")], entries.strip()


def list_candidates(rnd: Round, first: Standing, notation: Notation) -> Iterator[list[str]]:
    """Yield lists of entries that may lead to the round's current state, the shortest first.

    Each list begins with facts that describe an earlier state with no cards on the table. The
    entries since that state follow. `first` is the standing at the start of a match.
    """
    for then in _earlier_rounds(rnd):
        if then is not rnd and (then.over or has_laid(then)):
            continue
        since = list(_entries_since(rnd, len(then.log)))
        facts = [notation.write(fact).text for fact in _facts(then, first)]
        agreed, lead = (
            list(_contract_acts(then)),
            [notation.write(fact).text for fact in _lead(then)],
        )
        yield facts + agreed + lead + since
        yield facts + agreed + since
        if agreed:
            yield facts + lead + since
            yield facts + since
    yield list(_entries_since(rnd, 0))


def _earlier_rounds(rnd: Round) -> list[Round]:
    """Return the current state of the round and its state before each entry, the latest first.

    States in which other players were at the table are left out.
    """
    steps = [rnd.restarted()]
    fold = Replay(rnd.restarted(gathering=True))
    fold.take([entry.text for entry in rnd.log.entries], steps)
    same_players = [
        step for step in steps if not step.seating.seating_error and step.names == rnd.names
    ]
    return [rnd, *reversed(same_players)] if rnd.log.entries else [rnd]


def is_same_position(one: Round, other: Round) -> bool:
    """Return whether two rounds agree in everything that a position preserves.

    A position preserves the phase, the table, the known cards, the cards on the table and the owed
    acts.
    """
    return _position_key(one) == _position_key(other)


def _position_key(rnd: Round) -> tuple[object, ...]:
    """Return the values that a position preserves, for comparison."""
    table, hands = rnd.table, rnd.hands
    fields = [getattr(table, name) for name in table.__slots__ if name not in UNSTATED]
    known = (hands.known, hands.unknown_count, hands.buried_count) if rnd.has_hands else None
    parts = [
        [view.get(key) for key in TABLE_KEYS]
        for view in (phase.view(rnd).as_json() for phase in rnd.rules.phases.values())
    ]
    phase = rnd.phase.name if rnd.phase is not None else None
    return phase, rnd.over, rnd.seating.tally, rnd.seating.step, table.trump, fields, known, parts


def _entries_since(rnd: Round, count: int) -> Iterator[str]:
    """Yield the entries of a round that had an effect, skipping its first `count` entries."""
    for entry, findings, _ in islice(rnd.log, count, None):
        if entry.type.word in SILENT_VERBS or entry.decision == IGNORED:
            continue
        refused = not entry.decision and any(finding.refuses for finding in findings)
        yield f"{entry.text} !stands" if refused else entry.text


def _contract_acts(rnd: Round) -> Iterator[str]:
    """Yield the acts that settled the contract before the current phase.

    If the silence of some players counted as an act, that act is yielded too.
    """
    settled = rnd.rules.sequence[: max(rnd.stage, 0)]
    for entry in rnd.log.entries:
        own = not entry.type.is_table_entry and not entry.type.plays_cards and entry.has_effect
        if own and rnd.rules.phase_of[entry.type.word] in settled:
            yield entry.text
    yield from (
        each.facts["counts_as"] for _, each in rnd.log.all_findings() if "counts_as" in each.facts
    )


def _facts(rnd: Round, first: Standing) -> Iterator[Entry]:
    """Yield the facts that describe a round's current state."""
    verbs, start = rnd.rules.all_verbs, _start(rnd, first)
    if start.touched is not None:
        yield Entry(verbs["touch"], None, start.touched)
    elif start.dealer is not None:
        yield Entry(verbs["dealer"], None, start.dealer)
    if start.master is not None:
        yield Entry(verbs["master"], None, start.master)
    for seat, tally in sorted(start.standing.items()):
        yield Entry(verbs["standing"], None, (seat, tally))
    for kind in start.returned if start.turned is None else (*start.returned, start.turned):
        yield Entry(verbs["turnup"], None, (kind,))
    if start.trump is not None:
        yield Entry(verbs["trump"], None, start.trump)
    if start.contract is not None:
        yield Entry(verbs["contract"], None, start.contract)
    if start.stock is not None:
        yield Entry(verbs["talon"], None, start.stock)
    for word, stated in (("hand", start.hands), ("holds", start.holds)):
        for seat, cards in sorted(stated.items()):
            value = cards if isinstance(cards, int) else tuple(sorted(cards))
            yield Entry(verbs[word], None, (seat, value))


def _lead(rnd: Round) -> Iterator[Entry]:
    """Yield the fact that names the next leader, unless the `master` fact already implies the
    leader.

    The fact may be stated as soon as the contract is settled.
    """
    if not rnd.over:
        in_play = rnd.play_begun() and rnd.waiting()
        leader = rnd.waiting()[0] if in_play else rnd.seating.leader
        if leader != rnd.table.master:
            yield Entry(rnd.rules.all_verbs["lead"], None, leader)


def _start(rnd: Round, first: Standing) -> Setup:
    """Return a setup that produces the round's current state."""
    standing = {
        seats[0]: rnd.seating.tally[seats[0]]
        for seats in dict.fromkeys(map(rnd.seating.sharing_seats, range(len(rnd.names))))
        if rnd.seating.tally[seats[0]] != first["tally"][seats[0]]
    }
    start = EMPTY_SETUP if rnd.acted or rnd.over else rnd.setup
    start = start._replace(standing=standing)
    if rnd.over:
        return start
    if rnd.rules.deal["dealt"]:
        start = start._replace(dealer=rnd.seating.dealer)
    for phase in rnd.rules.phases.values():
        start = phase.as_setup(rnd, start)
    return _with_hands(rnd, start) if rnd.acted and rnd.has_hands else start


def _with_hands(rnd: Round, start: Setup) -> Setup:
    """Return the setup with the known hands added.

    A fully known hand is stated as a list of its cards. For any other hand, the setup states the
    number of cards and the cards that are known for certain.
    """
    hands, pack = rnd.hands, rnd.rules.pack
    stated: dict[int, Hand] = {}
    certain: dict[int, tuple[int, ...]] = {}
    for seat in rnd.seats:
        sure = tuple(pack.kinds_in(hands.known[seat]))
        stated[seat] = sure if sure and hands.is_known(seat) else hands.size(seat)
        if sure and not hands.is_known(seat) and not hands.buried_count[seat]:
            certain[seat] = sure
    return start._replace(hands=stated, holds=certain)
