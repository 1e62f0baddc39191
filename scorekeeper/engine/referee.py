"""Judgment of entries by the ruleset's clauses.

`judge` returns the findings on an entry. `resolve` completes an entry that was typed in short form.
`options` judges every act that may be possible now, and `Legal` is a view of the results. None of
them changes the round.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.hands import Claim
from scorekeeper.core.messages import N_, format_quoted, join_list, tr
from scorekeeper.core.rulings import ILLEGAL, Finding, worst_verdict
from scorekeeper.engine.findings import findings_on
from scorekeeper.engine.phase import TRICK, CardPlay, Interruptible
from scorekeeper.engine.ruleset import enabled_entries
from scorekeeper.engine.setup import check_start
from scorekeeper.notation import EVERYONE, STANDS, Entry
from scorekeeper.notation.notation import one_at_a_time_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.engine.phase import AnyPhase
    from scorekeeper.engine.round import Round
    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import EntryType

REST_MARK = "…"  # replaces cards that an option does not specify
MAX_IN_REPR = 5  # the maximum number of moves shown


def resolve(rnd: Round, entry: Entry, notation: Notation) -> Entry:
    """Return the complete entry, with its actor.

    An entry without a name belongs to the player whose turn it is, or to the only player who may
    make it. A shorthand is replaced by its meaning. Raises Unreadable if the actor is unclear.
    Raises Impossible if no player has the turn, or if the text has several meanings.
    """
    if entry.type.is_shorthand or _is_ambiguous(rnd, entry):
        return _interpret(rnd, entry, notation)
    if _may_omit_word(rnd, entry):
        usual = rnd.rules.entry_types[entry.type.word]
        entry = notation.write(Entry(usual, entry.seat, entry.value, entry.decision))
    if entry.seat is not None or entry.type.is_table_entry or entry.type.is_joint:
        return entry
    phase = rnd.rules.phase_of[entry.type.word]
    rnd = _after_giving_way(rnd, entry.type, phase) or rnd
    if not entry.type.needs_turn:
        return notation.read(f"{rnd.names[_single_actor(rnd, entry)]}: {entry.text}")
    own_time = phase is rnd.phase or phase.concurrent or phase.may_act_early(rnd, entry)
    actor = phase.acting_seat(rnd, entry) if own_time else None
    if actor is None:
        waiting = rnd.waiting()
        if not waiting:
            raise Impossible(
                tr("“{text}”: it is no player's turn now", text=entry.text), rnd.prompt()
            )
        actor = waiting[0]
    return notation.read(f"{rnd.names[actor]}: {entry.text}")


def check_row(rnd: Round, entry: Entry, cards: Sequence[str]) -> None:
    """Raise Unreadable if several cards follow one name but do not complete the trick.

    `entry` is the play of the first card.
    """
    seat = entry.seat
    if seat is None or seat < 0 or len(cards) < 2:
        return
    phase = rnd.rules.phase_of[entry.type.word]
    if not isinstance(phase, CardPlay) or phase.cards_to_complete(rnd, seat) != len(cards):
        name, _, first = cards[0].partition(":")
        raise one_at_a_time_error(name.strip(), [first.strip(), *cards[1:]])


def needs_resolving(rnd: Round, entry: Entry) -> bool:
    """Return whether `resolve` may return an entry that differs from this one."""
    verb = entry.type
    if verb.is_shorthand:
        return True
    if entry.seat is None and not (verb.is_table_entry or verb.is_joint):
        return True
    if rnd.phase is not None and verb.word in rnd.phase.shared_verbs:
        return True
    return verb.plays_cards and (_is_ambiguous(rnd, entry) or _may_omit_word(rnd, entry))


def _may_omit_word(rnd: Round, entry: Entry) -> bool:
    """Return whether cards were typed with a word that is optional in the current phase."""
    verb, phase = entry.type, rnd.phase
    if verb.is_implicit or verb.is_shorthand or not verb.plays_cards or phase is None:
        return False
    return phase is rnd.rules.phase_of[verb.word] and rnd.rules.entry_types[verb.word].is_implicit


def _is_ambiguous(rnd: Round, entry: Entry) -> bool:
    """Return whether an act of another phase also has a meaning in the current phase."""
    verb, phase = entry.type, rnd.phase
    if phase is None or phase is rnd.rules.phase_of[verb.word]:
        return False
    is_card = verb.is_implicit and verb.plays_cards and bool(phase.shorthands)
    return (is_card or verb.word in phase.shared_verbs) and any(phase.interpret(rnd, entry))


def _single_actor(rnd: Round, entry: Entry) -> int:
    """Return the only seat that may make an entry without a name.

    Raises Unreadable if no seat or several seats may make it.
    """
    may = seats_that_may(rnd, entry) if entry.type.is_one_of else []
    if len(may) == 1:
        return may[0]
    if may:
        forms = join_list(
            [format_quoted(f"{name}: {entry.text}") for name in rnd.names_of(may)], "or"
        )
        hint = tr("type {forms}", forms=forms)
    elif entry.type.is_one_of and rnd.phase is not None:
        hint = tr("no player may do that now: {prompt}", prompt=rnd.prompt())
    else:
        hint = tr("put a name before the entry, as in “{example}: …”", example=_example_name(rnd))
    raise Unreadable(tr("who made the entry “{text}”?", text=entry.text), hint)


def seats_that_may(rnd: Round, entry: Entry) -> list[int]:
    """Return the seats that may make an entry now, as far as is known."""
    phase = rnd.rules.phase_of[entry.type.word]
    if rnd.over or not (phase.concurrent or phase is rnd.phase):
        return []
    seats = []
    for seat in rnd.seats:
        try:
            findings = judge(rnd, entry.with_seat(seat))
        except Unreadable:  # the entry can be read in several ways, so the player may make it
            seats.append(seat)
            continue
        except Impossible:
            continue
        if worst_verdict(findings) != ILLEGAL:
            seats.append(seat)
    return seats


def _interpret(rnd: Round, entry: Entry, notation: Notation) -> Entry:
    """Return the only reading of a shorthand that obeys the rules.

    If there is only one reading, return it even if it breaks a rule, unless another player may have
    made the entry. Raises Impossible if there is no reading or several.
    """
    meanings: dict[str, Entry] = {}
    for phase in rnd.rules.phases.values():
        for meant in phase.interpret(rnd, entry):
            meant.decision = entry.decision
            meanings.setdefault(notation.write(meant).text, meant)
    if not entry.type.is_shorthand and _is_possible(rnd, entry):
        meanings.setdefault(entry.text, entry)
    may = [text for text, meant in meanings.items() if _is_possible(rnd, meant)]
    others = [] if may or entry.seat is not None else _others_that_may(rnd, entry)
    if len(may or meanings) == 1 and not others:
        return meanings[(may or list(meanings))[0]]
    if not meanings:
        say = tr("“{text}” has no meaning at this point", text=entry.text)
        raise Impossible(say, rnd.prompt())
    named = [f"{name}: {entry.text}" for name in rnd.names_of(others)]
    readings = join_list([format_quoted(text) for text in may or [*named, *meanings]], "or")
    say = tr("“{text}” may mean {readings}", text=entry.text, readings=readings)
    if may or others:
        raise Impossible(say, tr("type the one you mean"))
    raise Impossible(
        say,
        tr("none of these is allowed now; “scorekeeper judge” with one of them shows the reason"),
    )


def _others_that_may(rnd: Round, entry: Entry) -> list[int]:
    """Return the seats that may have made a shorthand entry out of turn without breaking a rule."""
    return [
        seat
        for seat in rnd.seats
        if any(
            meant.seat == seat and _is_possible(rnd, meant)
            for phase in rnd.rules.phases.values()
            for meant in phase.interpret(rnd, entry.with_seat(seat))
        )
    ]


def _is_possible(rnd: Round, entry: Entry) -> bool:
    """Return whether a reading is possible and not known for certain to break a rule."""
    try:
        findings = judge(rnd, entry)
        if entry.type.is_table_entry:
            rnd.copy().apply(entry, findings)
    except (Impossible, Unreadable):
        return False
    return worst_verdict(findings) != ILLEGAL and not _is_contradiction(rnd, entry, findings)


def _example_name(rnd: Round) -> str:
    waiting = rnd.waiting()
    return rnd.names[waiting[0] if waiting else rnd.seats[0]]


def judge(rnd: Round, entry: Entry, is_decided: bool = False) -> list[Finding]:
    """Return the findings on an entry that has an actor, in the ruleset's order.

    If `is_decided` is true, the entry will be recorded whatever the findings are. Raises Impossible
    if the entry cannot be judged.
    """
    verb = entry.type
    if rnd.conflicts:
        check_start(rnd, entry)
    phase = rnd.rules.phase_of[verb.word]
    if not verb.is_table_entry:
        if not phase.concurrent and phase is not rnd.phase:
            if phase.may_act_early(rnd, entry):
                return findings_on(rnd, entry)
            ahead = _after_giving_way(rnd, verb, phase)
            return [_not_now_finding(rnd, entry, phase)] if ahead is None else judge(ahead, entry)
        if entry.seat == EVERYONE:
            return _judge_everyone(rnd, entry, phase)
        if verb.needs_turn and not phase.may_act(rnd, entry):
            findings = [_turn_finding(rnd, entry, phase)]
            if verb.measured_as == TRICK and (is_decided or entry.decision == STANDS):
                # the entry counts as the player's card in the trick
                findings += findings_on(rnd, entry)
            return findings
    return findings_on(rnd, entry)


def _after_giving_way(rnd: Round, verb: EntryType, phase: AnyPhase) -> Round | None:
    """Return a copy of the round in which the current phase has ended because of an entry.

    Return None if the entry cannot end the phase.
    """
    now = rnd.phase
    if now is phase or not verb.plays_cards or not _may_be_cut_short(rnd):
        return None
    ahead = rnd.copy()
    return ahead if ahead.give_way() and ahead.phase is phase else None


def _may_be_cut_short(rnd: Round) -> bool:
    """Return whether cards of the next phase can end the current one."""
    return isinstance(rnd.phase, Interruptible) and rnd.phase.may_give_way(rnd)


def _judge_everyone(rnd: Round, entry: Entry, phase: AnyPhase) -> list[Finding]:
    seats = phase.everyone(rnd, entry)
    if not seats:
        say = N_("no player may enter that now")
        return [Finding("turn", ILLEGAL, say, {"to_act": rnd.names_of(phase.waiting(rnd))})]
    return [finding for seat in seats for finding in findings_on(rnd, entry.with_seat(seat))]


def _not_now_finding(rnd: Round, entry: Entry, phase: AnyPhase) -> Finding:
    now = rnd.phase
    facts = {
        "who": rnd.names[entry.seat] if entry.seat is not None and entry.seat >= 0 else None,
        "word": entry.type.word,
        "phase": now.name if now is not None else None,
        "to_act": rnd.names_of(rnd.waiting()),
        "prompt": rnd.prompt() or tr("the round is over"),
    }
    say = N_("that is not possible now: {prompt}")
    return Finding("verb", ILLEGAL, say, facts, cite=(now or phase).cite)


def _turn_finding(rnd: Round, entry: Entry, phase: AnyPhase) -> Finding:
    facts = {
        "who": rnd.names[entry.seat] if entry.seat is not None else None,
        "to_act": rnd.names_of(phase.waiting(rnd)),
        "prompt": phase.view(rnd).prompt().text,
    }
    return Finding("turn", ILLEGAL, N_("it is not {who}'s turn: {prompt}"), facts, cite=phase.cite)


def options(rnd: Round, notation: Notation) -> Iterator[Entry]:
    """Yield every entry that is not known to break a rule, for everyone who may act."""
    for entry in enabled_entries(_candidates(rnd), rnd.rules.disabled_verbs):
        try:
            findings = judge(rnd, entry)
            if worst_verdict(findings) != ILLEGAL and not _is_contradiction(rnd, entry, findings):
                yield notation.write(entry)
        except Impossible:
            continue


def _is_contradiction(rnd: Round, entry: Entry, findings: list[Finding]) -> bool:
    """Return whether the claims of an entry cannot all be true, although each of them can be."""
    claims = [finding.claim for finding in findings if finding.claim is not None]
    if not claims or (len(claims) == 1 and isinstance(claims[0], Claim)):
        return False
    tried = rnd.copy()
    tried.apply(entry, findings)
    return worst_verdict(tried.log.last_findings) == ILLEGAL


def _candidates(rnd: Round) -> Iterator[Entry]:
    """Yield every entry that may be legal now, phase by phase."""
    now = rnd.phase
    for phase in (now, *rnd.rules.concurrent):
        if phase is not None and not rnd.over:
            yield from phase.options(rnd)
    for phase in rnd.rules.sequence:
        if phase is not now and phase.offers_early and not rnd.over:
            yield from phase.options(rnd)
    if _may_be_cut_short(rnd):
        ahead = rnd.copy()
        if ahead.give_way() and ahead.phase is not None:
            yield from (entry for entry in ahead.phase.options(ahead) if entry.type.plays_cards)


# --- a lazy view of the legal moves


class Legal:
    """The legal moves in a match, for everyone who may act, computed when they are read.

    Iterating yields canonical texts one by one. `len` counts them all, and `bool` looks only for
    the first. Where several cards are chosen, only sets of identical cards are listed, and an
    option with `…` represents all other choices. Calling the object returns a list: `legal()`, or
    `legal(notation)` for texts in that notation.

    `text in legal` is true if the entry is not illegal now. This includes a choice of cards for
    which only `…` is listed, and facts that can be entered, such as a hand or a note. It is false
    for an option with `…`, and for a text that is unreadable or impossible.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> "Ana: 2x3" in match.legal, "Ben: 2x3" in match.legal
    (True, False)
    >>> next(iter(match.legal)), len(match.legal), bool(match.legal)
    ('Ana: 1x2', 52, True)
    """

    __slots__ = ("_judge", "_texts")

    def __init__(
        self,
        judge: Callable[[str], Ruling],
        texts: Callable[[Notation | None], Iterator[str]],
    ) -> None:
        """Create the view. `judge` returns the ruling on an entry, and `texts` yields the legal
        entries as they are written in a notation."""
        self._judge = judge
        self._texts = texts

    def __contains__(self, text: object) -> bool:
        if not isinstance(text, str) or REST_MARK in text:
            return False
        try:
            return self._judge(text).verdict != ILLEGAL
        except Failure:
            return False

    def __iter__(self) -> Iterator[str]:
        return self._texts(None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __call__(self, notation: Notation | None = None) -> list[str]:
        """Return the legal moves as a list.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.legal()[:2]
        ['Ana: 1x2', 'Ana: 1x3']
        """
        return list(self._texts(notation))

    def __repr__(self) -> str:
        first = list(islice(self, MAX_IN_REPR + 1))
        more = [REST_MARK] if len(first) > MAX_IN_REPR else []
        return f"<Legal {' | '.join(first[:MAX_IN_REPR] + more)}>"
