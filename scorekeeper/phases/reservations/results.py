"""A `result` that says what was played, and what must have been said then. Part of
reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.sides import DECLARING
from scorekeeper.notation import Entry, Notation
from scorekeeper.notation.syntax import clean
from scorekeeper.phases.reservations.wishes import ORDINARY, VOLUNTARY, Wish, spoken

if TYPE_CHECKING:
    from scorekeeper.phases.reservations.contracts import Contracts
    from scorekeeper.phases.reservations.state import State
    from scorekeeper.ruleset.joint import Joint


def fields(rnd: Joint, contracts: Contracts) -> list[tuple[str, str, list[str]]]:
    """What a result must say of the contract, while none is known."""
    if rnd.shared.contract:
        return []
    word = rnd.rules.spoken(VOLUNTARY)
    voluntary = [f"{kind} {word}" for kind in contracts.solos] if contracts.compulsory else []
    return [("contract", tr("what was played"), [*contracts.rows, *voluntary])]


def read(rnd: Joint, state: State, contracts: Contracts, said: dict[str, str]) -> None:
    """Take what was played from the words of a result. Raises Unreadable for what is no contract,
    Impossible for another than was recorded."""
    text, known = said.pop("contract", ""), rnd.shared.contract
    if known and not text:
        return
    wish = _wish(rnd, contracts, text)
    if known:
        _check_same(rnd, state, wish, known)
        return
    state.from_result, state.decided = wish, True
    contracts.play(rnd, wish.kind, -1)


def _check_same(rnd: Joint, state: State, wish: Wish, known: str) -> None:
    """Raises Impossible if another wish is played by what was recorded."""
    declarer = rnd.shared.declarer
    own = state.spoken[declarer] if declarer >= 0 else Wish(known)
    if wish.kind not in (known, own.kind) or wish[1:] not in (own[1:], Wish(known)[1:]):
        played = spoken(rnd.rules, own._replace(kind=known).words)
        told = spoken(rnd.rules, wish.words)
        raise Impossible(
            tr(
                "{contract} is played by what was recorded, not {other}",
                contract=played,
                other=told,
            )
        )


def _wish(rnd: Joint, contracts: Contracts, text: str) -> Wish:
    """What a result says was played, in the words of a reservation; blanks or `+` join them, and
    the word for a voluntary one may come first."""
    notation = Notation(rnd.rules.lexicon, rnd.names)
    parts = sorted(text.split("+"), key=lambda part: notation.canonical(part) == VOLUNTARY)
    words = " ".join(parts)
    kind, rest = notation.opening(words)
    if kind != ORDINARY and kind not in contracts.rows:
        raise Unreadable(
            tr(
                "the result must say what was played: {found} is none",
                found=f"contract={clean(words)}",
            )
            if words.strip()
            else tr("the result must say what was played"),
            tr("contracts are {contracts}", contracts=", ".join(contracts.rows)),
        )
    if kind == contracts.default:
        kind = ORDINARY
    wish = contracts.syntax.read_rest(kind, rest, notation)
    return wish._replace(kind=contracts.default) if kind == ORDINARY else wish


# --- what must have been said


def infer_what_was_said(rnd: Joint, state: State, contracts: Contracts) -> None:
    """The sides are known now: somebody's wish, and what the others said, must have been so that
    this contract was played. If the rules allow none of the ways, that is a finding."""
    if state.from_result is None:
        return
    declarers = _declarers(rnd, state, contracts, state.from_result)
    ways = [_unrecorded(rnd, state, contracts, seat, wish) for seat, wish in declarers]
    allowed = [index for index, acts in enumerate(ways) if _is_allowed(rnd, acts)]
    chosen = allowed[0] if allowed else 0
    for acts in ways[chosen]:
        rnd.imply(acts)
    seat, wish = declarers[chosen]
    if seat >= 0 and len(allowed or ways) == 1:
        contracts.choose(rnd, state, seat, wish)
    contracts.change_if_alone(rnd)


def _is_allowed(rnd: Joint, way: list[list[Entry]]) -> bool:
    """Whether each player could have done one of their acts without breaking a rule."""
    return all(any(not rnd.broken(act) for act in acts) for acts in way)


def _declarers(
    rnd: Joint, state: State, contracts: Contracts, wish: Wish
) -> list[tuple[int, Wish]]:
    """Whose wish may have been played (-1: nobody had one), by what everyone is known to have
    said. Raises Impossible if nobody's can."""
    said = {seat: own for seat, own in state.spoken.items() if seat not in state.pending}
    sides, kind = rnd.parties, wish.kind
    seats = sides.members(DECLARING) if sides is not None and not rnd.void else rnd.seats
    if kind == contracts.default:
        may = [(-1, wish)]
    else:
        may = [(seat, said.get(seat, wish)) for seat in seats]
        may = [(seat, own) for seat, own in may if own.kind == kind]
    found = [
        (seat, own)
        for seat, own in may
        if not any(_beats(state, contracts, other, (seat, own)) for other in said.items())
    ]
    if not found:
        texts = [
            tr("{who} said {words}", who=rnd.names[seat], words=spoken(rnd.rules, own.words))
            for seat, own in said.items()
        ]
        raise Impossible(
            tr(
                "by what was recorded {said}: {contract} was not played then",
                said=", ".join(texts),
                contract=kind,
            )
        )
    return found


def _beats(
    state: State, contracts: Contracts, other: tuple[int, Wish], played: tuple[int, Wish]
) -> bool:
    """Whether what another player has said would have been played instead."""
    if other[0] == played[0] or other[1].kind == ORDINARY:
        return False
    return played[0] < 0 or contracts.rank(state, *other) < contracts.rank(state, *played)


def _unrecorded(
    rnd: Joint, state: State, contracts: Contracts, declarer: int, wish: Wish
) -> list[list[Entry]]:
    """What was said beyond what was recorded, if that seat's wish was played: for everyone who has
    yet to speak, or to name a kind, the acts of which they did one."""
    verb, story = rnd.rules.verbs["reserve"], []
    for seat in state.order:
        if seat in state.spoken and seat not in state.pending:
            continue
        wishes = [Wish(ORDINARY)]
        if declarer >= 0:
            played = contracts.rank(state, declarer, wish)
            others = map(Wish, contracts.others)
            wishes += [each for each in others if contracts.rank(state, seat, each) > played]
        if seat == declarer:
            wishes = [wish]
        story.append([Entry(verb, seat, each) for each in wishes])
    return story
