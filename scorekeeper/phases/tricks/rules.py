"""The clauses of trick play: which cards may be played, which must be, and how to answer sets.

A duty names a set of cards, one of which must be played. If several cards are played, as many as
possible must be from the set. Duties apply in the order of the ruleset's rows, each to the cards
that meet the earlier duties. A ban on cards is a duty to play any other card. A duty whose
condition does not hold is skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.cards import SuitLead
from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import KINDS, NotYetKnown
from scorekeeper.core.hands import AllOf, AnyOf, Breach, Claim, Unsure
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.sides import OTHERS
from scorekeeper.engine.phase import actor_of
from scorekeeper.engine.state import CONCEDE
from scorekeeper.phases.tricks.answers import AGAIN, LONGEST, NO_RUNS, Answer
from scorekeeper.phases.tricks.phase import Duty, Tricks
from scorekeeper.phases.tricks.state import PLAY, find_form, kinds_that_name
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.cards import PlayedCards
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.sides import Sides
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.phases.tricks.state import State


@clause(
    "answer",
    "tricks",
    on=(PLAY,),
    say=N_("{who} must play {wanted}: {legal}"),
    unknown=N_("{who} must play {wanted}; it is unknown whether they did"),
    proven=N_("{who} should have played {wanted} and did not ({first}, {then})"),
    doc=(
        "Players who answer sets or runs with cards of the class led must first play their "
        "longest runs, then single sets, then smaller sets, until they have played as many cards "
        "as were led."
    ),
    parameters={
        "runs": Parameter(
            "choice",
            "whether a run must be answered with the longest run (`longest`), and then "
            "with the longest run of the remaining cards (`again`)",
            AGAIN,
            (AGAIN, LONGEST, NO_RUNS),
        ),
        "smaller": Parameter(
            "bool", "whether a player who has no set of that size must play smaller sets", True
        ),
    },
)
def _answer(row: Row, rules: Ruleset) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack
    runs, smaller = row["runs"], row["smaller"]
    tricks.shapes.must_answer_sets = True

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state, seat, kinds = rnd.state(tricks), entry.seat, entry.value
        if seat is None or not _must_answer(state, kinds):
            return None
        answer = Answer(rnd, state, seat, kinds, runs, smaller)
        answered = answer.is_correct()
        if answered is True:
            return None
        facts = _answer_facts(state, answer)
        if answered is False:
            return Breach({**facts, "legal": [pack.format_kinds(answer.example())]})
        return AllOf((answered,), facts)

    return judge


def _must_answer(state: State, kinds: Sequence[int]) -> bool:
    """Return whether the rules for answering sets and runs apply to these cards. They apply if
    several cards were led legally and all these cards are of the class led."""
    if not kinds or not state.laid or state.size == 1:
        return False
    if state.thrown and max(alike for alike, _ in state.thrown) == 1:
        return False
    if state.form[1] > 1 and len(kinds) != state.size:
        return False
    classes = state.order.classes
    if any(classes[kind] != state.led_class for kind in kinds):
        return False
    if state.thrown:
        return len(kinds) == state.size
    return state.shapes.may_lead(find_form(state.order, state.laid[0][1])[1])


def _answer_facts(state: State, answer: Answer) -> Facts:
    wanted = tr("the longest possible run of sets")
    if answer.is_short:
        wanted = (
            tr("as many identical cards as possible")
            if answer.sets == 1
            else tr("as many identical cards as possible, set by set")
        )
    return {"most": max(answer.laid.values()), "trick": state.number, "wanted": wanted}


# --- cards that may be played


@clause(
    "shape",
    "tricks",
    on=(PLAY,),
    say=N_("{who} may not lead {cards}: a lead must be one of {shapes}"),
    doc="A lead must be one of the combinations in `[shapes]`.",
)
def _shape(row: Row, rules: Ruleset) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state, kinds = rnd.state(tricks), entry.value
        if state.laid or not kinds or state.shapes.may_lead(find_form(state.order, kinds)[1]):
            return None  # an entry without cards represents choices that are not listed
        if state.shapes.split_throw(state.order, kinds):
            return None
        cards = [pack.kinds[kind] for kind in kinds]
        return Breach({"cards": cards, "shapes": list(state.shapes.rows)})

    return judge


@clause(
    "opens",
    "tricks",
    on=(PLAY,),
    say=N_("{who} must lead {legal} to the first trick"),
    unknown=N_(
        "{who} has not led {legal} to the first trick; it is unknown whether any player could"
    ),
    proven=N_("a player held {legal} when {who} led to the first trick ({first}, {then})"),
    doc=(
        "The first card of the round must be one of the cards in `[phases.tricks] opens`, if "
        "any player holds one. If the table has named the leader, only the leader's hand "
        "matters."
    ),
)
def _opens(row: Row, rules: Ruleset) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        if tricks.opening_cards is None or not rnd.state(tricks).is_opening or rnd.starts_midway:
            return None
        cards = int(rnd.evaluate(tricks.opening_cards)) & pack.full
        if not entry.value or any(cards >> kind & 1 for kind in entry.value):
            return None  # an entry without cards represents choices that are not listed
        facts = {"legal": [pack.kinds[kind] for kind in dict.fromkeys(pack.kinds_in(cards))]}
        # a leader named by the table need not hold an opening card
        if rnd.setup.lead is not None:
            return Claim(actor_of(entry), cards, 0, 0, facts)
        if not rnd.hands.unheld_count():
            return Breach(facts)
        return AllOf(tuple(Claim(seat, cards, 0, 0) for seat in rnd.state(tricks).seats), facts)

    return judge


@clause(
    "names-suit",
    "tricks",
    on=(PLAY,),
    say=N_("{who} must name a suit when leading {cards}, and only then: {legal}"),
    doc=(
        "A player who leads a card of `[phases.tricks] names_suit` must name a suit with it, "
        "which becomes the suit led. No suit may be named with any other play, nor with a card "
        "that is one of several trumps."
    ),
)
def _names_suit(row: Row, rules: Ruleset) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        kinds: tuple[int, ...] = entry.value
        state = rnd.state(tricks)
        leads, naming = not state.laid, kinds_that_name(state.order, tricks.naming_kinds)
        should = leads and len(kinds) == 1 and kinds[0] in naming
        if should == isinstance(kinds, SuitLead):
            return None
        cards = [pack.kinds[kind] for kind in tricks.naming_kinds]
        example = f"{pack.kinds[kinds[0]]} {pack.suits[0]}" if should else pack.kinds[kinds[0]]
        return Breach({"cards": cards, "legal": example})

    return judge


@clause(
    "as-many",
    "tricks",
    on=(PLAY,),
    say=N_("{who} must play as many cards as were led: {wanted}, not {laid}"),
    doc="Every player must play as many cards as were led.",
)
def _as_many(row: Row, rules: Ruleset) -> Judge:
    tricks = rules.phase(Tricks)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state = rnd.state(tricks)
        # an entry without cards represents choices that are not listed
        if not state.laid or len(entry.value) in (0, state.size):
            return None
        return Breach({"wanted": state.size, "laid": len(entry.value)})

    return judge


@clause(
    "another",
    "tricks",
    on=(PLAY,),
    say=N_("{who} has taken back {card} and must play another card"),
    doc="A player who took a card back must play one of another rank or suit.",
)
def _another(row: Row, rules: Ruleset) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack

    def judge(rnd: Round, entry: Entry) -> Outcome:
        barred = rnd.state(tricks).barred_kinds
        if entry.seat not in barred or barred[entry.seat] not in entry.value:
            return None
        return Breach({"card": pack.kinds[barred[entry.seat]]})

    return judge


# --- taking back, claiming and conceding


@clause(
    "takeback",
    "tricks",
    on=("takeback",),
    say=N_("{who} may not take their card back: {why}"),
    unknown=N_("{who} takes their card back; it is unknown whether they may play another"),
    doc=(
        "A player may take back the last card played if it was a single card played in turn "
        "and equals the winning card. Another player must have played early to the trick, "
        "and the player who takes the card back must be able to play a different card."
    ),
)
def _takeback(row: Row, rules: Ruleset) -> Judge:
    tricks = rules.phase(Tricks)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state = rnd.state(tricks)
        if state.laid:
            laid, winner, winning = state.laid, state.winner, state.winning_kind
        elif rnd.tricks:
            last = rnd.tricks[-1]
            laid, winner, winning = last.plays, last.winner, last.winning_kind
        else:
            laid, winner, winning = [], -1, -1
        if not laid or laid[-1][0] != entry.seat:
            return Breach({"why": tr("they did not play the last card")})
        seat, kinds = laid[-1]
        if len(kinds) > 1:
            return Breach({"why": tr("only a single card may be taken back")})
        *others_early, early = _find_early(state.seats_in_trick(laid), laid)
        if early:
            return Breach({"why": tr("they played the card before their turn")})
        if not any(others_early):
            return Breach({"why": tr("no player had played out of turn in this trick")})
        strength = state.order.strength
        if strength[kinds[0]] != strength[winning] or winner == seat:
            return Breach({"why": tr("their card does not equal the winning card")})
        led = state.order.classes[laid[0][1][0]]
        return _has_another(rnd, state, seat, kinds[0], led)

    return judge


def _find_early(seats: list[int], laid: Sequence[PlayedCards]) -> list[bool]:
    """Return whether each play to a trick was made before the player's turn. `seats` are the seats
    in the trick, in playing order."""
    start = seats.index(laid[0][0])
    coming = seats[start:] + seats[:start]
    early = []
    for seat, _ in laid:
        early.append(seat != coming[0])
        coming.remove(seat)
    return early


def _has_another(rnd: Round, state: State, seat: int, kind: int, led: int) -> Outcome:
    """Return a claim that the seat holds another card that it may play, or None if that is certain.

    The card must not be of `kind`. `led` is the class led.
    """
    pack, could = rnd.rules.pack, state.order.masks[led]
    facts = {"why": tr("they have no other card that they may play")}
    if rnd.hands.bounds(seat, could & ~pack.column[kind])[0]:
        return None
    playable = could if could & pack.bit[kind] else pack.full
    return Claim(seat, playable & ~pack.column[kind], 1, pack.card_count, facts)


@clause(
    "rest",
    "tricks",
    on=("rest",),
    say=N_("{who} may not claim the rest: {why}"),
    doc=(
        "A player who plays alone and is to lead may show their cards and claim the rest. "
        "The entry is impossible until it is known that they play alone."
    ),
)
def _rest(row: Row, rules: Ruleset) -> Judge:
    tricks = rules.phase(Tricks)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state, seat = rnd.state(tricks), entry.seat
        if seat is None or state.laid or tricks.waiting(rnd) != [seat]:
            return Breach({"why": tr("it is not their turn to lead")})
        return _check_alone(rnd, entry, seat)

    return judge


@clause(
    CONCEDE,
    "tricks",
    on=(CONCEDE,),
    say=N_("{who} may not concede: {why}"),
    doc=(
        "A player who plays alone may concede the rest to the others, even in the middle of "
        "a trick. The entry is impossible until it is known that they play alone."
    ),
)
def _concede(row: Row, rules: Ruleset) -> Judge:
    def judge(rnd: Round, entry: Entry) -> Outcome:
        return _check_alone(rnd, entry, actor_of(entry))

    return judge


def _check_alone(rnd: Round, entry: Entry, seat: int) -> Outcome:
    """Return a breach if the seat does not play alone and so may not end play early. Raises
    Impossible while it is unknown whether the seat plays alone."""
    sides = rnd.sides
    if sides is None:
        return Breach({"why": tr("nobody plays alone")})
    side = sides.side_of(seat)
    if sides.is_alone and side != OTHERS:
        return None
    short = sides.by_cards and sides.dealt_bounds(seat)[1] < sides.copies
    if side == OTHERS or sides.is_complete or short:
        return Breach({"why": tr("they do not play alone")})
    raise Impossible(
        tr(
            "“{text}”: it is not yet known whether {who} plays alone",
            text=entry.text,
            who=rnd.names[seat],
        ),
        _hint_to_prove_alone(rnd, sides, seat),
    )


def _hint_to_prove_alone(rnd: Round, sides: Sides, seat: int) -> str:
    """Return a hint on how to settle the sides: enter the deciding cards if they were seen in the
    hand, or play on."""
    hands, pack = rnd.hands, rnd.rules.pack
    cards = pack.format_hand(
        pack.combine(hands.unseen & sides.mask, hands.known[seat] & sides.mask)
    )
    if not sides.by_cards or not cards:
        return tr("play on until the sides are known")
    return tr(
        "if you have seen these cards in the hand, enter: {form}",
        form=f"holds {rnd.names[seat]}: {cards}",
    )


# --- cards that must be played


@clause(
    "duty",
    "tricks",
    on=(PLAY,),
    say=N_("{who} must play {wanted} in trick {trick}: {legal}"),
    unknown=N_("{who} has not played {wanted} in trick {trick}; it is unknown whether they could"),
    proven=N_("{who} could have played {wanted} in trick {trick} and did not ({first}, {then})"),
    doc=(
        "If `when` is true, a player must play one of `cards` if they hold one that the duties "
        "before this one allow. If several cards are played, as many as possible must be from "
        "`cards`. To ban some cards, require all others with `~`."
    ),
    parameters={
        "cards": Parameter("set", "the cards, one of which must be played"),
        "when": Parameter("condition", "condition under which the row applies", "true"),
        "wanted": Parameter("text", "the name of these cards in messages", "one of these cards"),
    },
)
def _duty(row: Row, rules: Ruleset) -> Judge:
    tricks, path, about = rules.phase(Tricks), row["path"], row["about"]
    cards = rules.compile_expression(row["cards"], f"{path}.cards", about, kind=KINDS)
    when = rules.compile_expression(row["when"], f"{path}.when", about)
    always = when.text == "true"

    def wanted(rnd: Round, entry: Entry) -> int:
        return int(cards.value_in(rnd, entry)) & rules.pack.full

    def asked(rnd: Round, entry: Entry) -> int:
        return wanted(rnd, entry) if always or when.value_in(rnd, entry) else 0

    earlier, duty = list(tricks.duties), Duty(asked, wanted)
    tricks.duties.append(duty)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        facts = {"wanted": row["wanted"], "trick": rnd.state(tricks).number}
        return _judge_duty(rnd, entry, duty, earlier, facts)

    return judge


@clause(
    "follow",
    "tricks",
    on=(PLAY,),
    say=N_("{who} must follow {led} in trick {trick}: {legal}"),
    unknown=N_("{who} has not followed {led} in trick {trick}; it is unknown whether they could"),
    proven=N_("{who} could have followed {led} in trick {trick} and did not ({first}, {then})"),
    doc="The most common duty: a player who has cards of the class led must play them.",
    parameters={"when": Parameter("condition", "condition under which the row applies", "true")},
)
def _follow(row: Row, rules: Ruleset) -> Judge:
    tricks = rules.phase(Tricks)
    when = rules.compile_expression(row["when"], f"{row['path']}.when", row["about"])
    always = when.text == "true"

    def cards(rnd: Round, entry: Entry) -> int:
        state = rnd.state(tricks)
        return state.order.masks[state.led_class] if state.led_class >= 0 else 0

    def asked(rnd: Round, entry: Entry) -> int:
        wanted = cards(rnd, entry)
        return wanted if always or (wanted and when.value_in(rnd, entry)) else 0

    earlier, duty = list(tricks.duties), Duty(asked, cards)
    tricks.duties.append(duty)

    def judge(rnd: Round, entry: Entry) -> Outcome:
        state, seat, kinds = rnd.state(tricks), entry.seat, entry.value
        if seat is None or state.led_class < 0:
            return None
        is_following = None if earlier or not always else state.is_following(rnd.hands, seat, kinds)
        if is_following:
            return None
        facts: Facts = {"led": state.order.names[state.led_class], "trick": state.number}
        if is_following is None and always and not (earlier or state.order.outside):
            could = state.order.masks[state.led_class]
            shown = sum([could >> kind & 1 for kind in kinds])
            return Claim(seat, could, 0, shown, facts)
        return _judge_duty(rnd, entry, duty, earlier, facts)

    return judge


def _judge_duty(
    rnd: Round, entry: Entry, duty: Duty, earlier: Sequence[Duty], facts: Facts
) -> Outcome:
    """Judge a play by a duty. All the cards played must be from the duty's set, or as many of them
    as the hand has."""
    pack, seat, kinds = rnd.rules.pack, entry.seat, entry.value
    if seat is None or _is_outside(rnd, kinds):
        return None
    bits = 0
    for kind in kinds:
        bits |= pack.bit[kind]
    try:
        cards = duty.cards(rnd, entry)
        if not cards or not bits & ~cards:
            return None
        left, instead = _apply_earlier_duties(rnd, entry, earlier, bits)
        if len(kinds) > 1 and _is_of(bits, cards, instead):
            return None
    except NotYetKnown:
        return None if _is_met_anyway(rnd, entry, duty, bits) else Unsure(facts)
    could = cards & left
    instead = instead if len(kinds) == 1 else []
    shown = sum(1 for kind in kinds if could >> kind & 1)
    low, high = rnd.hands.bounds_after(seat, kinds, could)
    ranges = [(each, *rnd.hands.bounds_after(seat, kinds, each)) for each in instead]
    if high <= 0 or any(least > 0 for _, least, _ in ranges):
        return None
    had = [Claim(seat, each, 1, pack.card_count) for each, _, most in ranges if most > 0]
    if low <= 0:
        had.append(Claim(seat, could, 0, shown, facts))
    if had:
        return had[0] if len(had) == 1 and low <= 0 else AnyOf(tuple(had), facts)
    # If the proof rests only on the number of cards, the player may hold any unseen card of the
    # set.
    held = rnd.hands.known[seat] & could or rnd.hands.unseen & could
    legal = dict.fromkeys(pack.kinds_in(held))
    return Breach({**facts, "legal": [pack.kinds[kind] for kind in legal]})


def _apply_earlier_duties(
    rnd: Round, entry: Entry, earlier: Sequence[Duty], bits: int
) -> tuple[int, list[int]]:
    """Return the cards that meet all earlier duties met by this play. For each earlier duty not
    met, also return the set of cards that it required.

    If the player held a card of one of these sets, an earlier duty is broken and later duties no
    longer apply. Raises NotYetKnown like the duties.
    """
    left, instead = rnd.rules.pack.full, list[int]()
    for duty in earlier:
        cards = duty.cards(rnd, entry)
        if cards and not bits & ~cards:
            left &= cards
        elif cards:
            instead.append(left & cards)
    return left, instead


def _is_of(bits: int, cards: int, earlier: Sequence[int]) -> bool:
    """Return whether each card of a play is from a set, or was required by an earlier duty."""
    for each in earlier:
        cards |= each
    return not bits & ~cards


def _is_met_anyway(rnd: Round, entry: Entry, duty: Duty, bits: int) -> bool:
    """Return whether a play would meet a duty if it applied: all the cards played are from the set,
    or the hand has no more of them."""
    try:
        cards = duty.wanted(rnd, entry)
    except NotYetKnown:
        return False
    assert entry.seat is not None
    return not bits & ~cards or rnd.hands.bounds_after(entry.seat, entry.value, cards)[1] <= 0


def _is_outside(rnd: Round, kinds: Sequence[int]) -> bool:
    """Return whether these cards are outside the order and so may be played at any time."""
    return rnd.state(rnd.rules.phase(Tricks)).order.outside.issuperset(kinds)
