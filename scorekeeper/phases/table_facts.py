"""The effects of the entries that every game has: setup facts, corrections, results, seating.

This module also contains the syntaxes of these entries. The phase that they belong to is in
`table`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.cards import plain_points
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import N_, format_points, join_list, plural, tr
from scorekeeper.core.text import is_signed, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import deals_again
from scorekeeper.engine.scoring import forms_for_table
from scorekeeper.engine.seating import AFTER, INSTEAD, ROSTER_VERBS
from scorekeeper.engine.setup import add_player, expected_leaders, place, remove_player, reseat_all
from scorekeeper.notation import check_names
from scorekeeper.notation.syntax import MAX_NAME_LENGTH, Syntax, clean, normalize, parse_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.types import Rng, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.scoring import Penalties
    from scorekeeper.engine.state import Hand
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling

    Pair = tuple[str, str]
    Given = tuple[tuple[int, ...], int]  # the seats of a side, and the points of each seat

MAX_POINTS = 99999
NO_HANDS = N_("this game has no hands of cards")
WITHOUT_SEAT = ("note",)  # may precede a change of seats, because it names no seat


class PenaltySyntax(Syntax):
    """The syntax of a penalty class or a number of points, and the reason."""

    form = N_("CLASS or POINTS, and the reason")

    def read(self, text: str, notation: Spelling) -> tuple[str | int, str]:
        head, _, why = text.partition(" ")
        if is_signed(head):
            return parse_whole(head, -MAX_POINTS, MAX_POINTS), clean(why)
        if not head:
            raise Unreadable(tr("a penalty class or a number must follow"))
        return clean(notation.find_meaning(head) or head), clean(why)

    def write(self, value: tuple[str | int, str], notation: Spelling) -> str:
        return f"{value[0]} {value[1]}".rstrip()

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[tuple[str | int, str]]:
        words = sorted(set(notation.meanings.values()))  # includes the penalty classes
        return ((rng.choice(words) if rng.random() < 0.5 else -rng.randint(1, 5), ""),)


class ScoreSyntax(Syntax):
    """The syntax of players and their points: `Ana+Ben: +3`, `Ana: +3 / Cleo: -3`."""

    names_players = True
    form = N_("NAME+NAME: POINTS")

    def read(self, text: str, notation: Spelling) -> tuple[Given, ...]:
        given: list[Given] = []
        named: set[int] = set()
        for part in text.split("/"):
            names, colon, points = part.partition(":")
            if not colon:
                raise Unreadable(tr("names, a colon and points must follow"))
            seats = tuple(notation.find_seat(name.strip()) for name in names.split("+"))
            if named & set(seats) or len(set(seats)) < len(seats):
                raise Unreadable(tr("“{names}”: a player is named twice", names=clean(text)[:80]))
            named |= set(seats)
            given.append((seats, parse_whole(points.strip(), -MAX_POINTS, MAX_POINTS)))
        return tuple(given)

    def write(self, value: Iterable[Given], notation: Spelling) -> str:
        names = notation.names
        parts = [f"{'+'.join(names[seat] for seat in seats)}: {each:+}" for seats, each in value]
        return " / ".join(parts)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[tuple[Given, ...]]:
        seats = rng.sample(range(len(notation.names)), 1)
        return (((tuple(seats), rng.randint(-5, 5)),),)


class Newcomer(NamedTuple):
    """A new player and their place, as names, because the seats are about to change.

    The new player becomes the left neighbour of another player, or replaces them (`instead`).
    """

    name: str
    instead: bool
    other: str


class JoinsSyntax(Syntax):
    """The syntax of a new player's name and place."""

    names_players = True
    form = N_("NAME after NAME, or NAME for NAME")

    def read(self, text: str, notation: Spelling) -> Newcomer:
        tokens = text.split()
        places = [
            at
            for at in range(len(tokens) - 2, 0, -1)
            if notation.find_meaning(tokens[at]) in (AFTER, INSTEAD)
        ]
        if not places:
            raise _missing_place(tokens, notation)
        # A name may contain one of these words, so take the last one that is not part of a player's
        # name.
        known = (at for at in places if _is_player_name(tokens[at + 1 :], notation))
        at = next(known, places[0])
        (name,) = check_names([" ".join(tokens[:at])], ())  # later words cannot match
        instead = notation.find_meaning(tokens[at]) == INSTEAD
        return Newcomer(name, instead, _full_name(" ".join(tokens[at + 1 :]), notation))

    def cut(self, text: str, notation: Spelling) -> tuple[str, str] | None:
        """Split an entry just before the other player's name. Return None if no word introduces
        such a name."""
        tokens = text.split()
        for at in range(len(tokens) - 1, 0, -1):
            if notation.find_meaning(tokens[at]) in (AFTER, INSTEAD):
                return " ".join(tokens[: at + 1]), " ".join(tokens[at + 1 :])
        return None

    def write(self, value: Newcomer, notation: Spelling) -> str:
        return (
            f"{value.name} {notation.write_word(INSTEAD if value.instead else AFTER)} {value.other}"
        )

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Newcomer]:
        return (Newcomer("Zed", rng.randint(0, 1) == 1, rng.choice(notation.names)),)


def _missing_place(tokens: Sequence[str], notation: Spelling) -> Unreadable:
    """Return the error for an entry that does not state the new player's place."""
    dangling = len(tokens) > 1 and notation.find_meaning(tokens[-1]) in (AFTER, INSTEAD)
    who = clean(" ".join(tokens[:-1] if dangling else tokens))[:MAX_NAME_LENGTH] or "NAME"
    beside = notation.names[-1]
    one, other = (f"joins {who} {notation.write_word(word)} {beside}" for word in (AFTER, INSTEAD))
    return Unreadable(
        tr("the new player's seat is missing"),
        tr("type “{one}” or “{other}”", one=one, other=other),
    )


def _is_player_name(tokens: Sequence[str], notation: Spelling) -> bool:
    name = normalize(" ".join(tokens)).casefold()
    return any(name == known.casefold() for known in notation.names)


def _full_name(text: str, notation: Spelling) -> str:
    """Return a player's full name, or any other name as it was typed.

    Another name may belong to a player who has left. Raises Unreadable if the text is the
    beginning of several names.
    """
    name = normalize(clean(text))
    if not name:
        raise Unreadable(tr("a name must follow"))
    try:
        return notation.names[notation.find_seat(name)]
    except Unreadable:
        folded = name.casefold()
        if sum(known.casefold().startswith(folded) for known in notation.names) > 1:
            raise
        return name


class LeaverSyntax(Syntax):
    """The syntax of a departing player's name."""

    names_players = True
    form = N_("NAME")

    def read(self, text: str, notation: Spelling) -> str:
        return _full_name(text, notation)

    def write(self, value: str, notation: Spelling) -> str:
        return value

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[str]:
        return (rng.choice(notation.names),)


class OrderSyntax(Syntax):
    """The syntax of all players' names in seat order."""

    names_players = True
    form = N_("NAME + NAME…")

    def read(self, text: str, notation: Spelling) -> tuple[str, ...]:
        return tuple(_full_name(name, notation) for name in text.split("+"))

    def write(self, value: tuple[str, ...], notation: Spelling) -> str:
        return " + ".join(value)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[tuple[str, ...]]:
        return (tuple(rng.sample(notation.names, len(notation.names))),)


# --- facts of the start: dealer, leader, hands, tallies


def dealer(rnd: Round, entry: Entry) -> None:
    """Apply `dealer NAME`, which states the player who deals this round."""
    seat: int = entry.value
    if not rnd.rules.deal["dealt"]:
        raise Impossible(
            tr("nobody deals in this game"), tr("name the player who starts: lead NAME")
        )
    expected = [rnd.seating.dealer]
    place(rnd, "dealer", rnd.setup._replace(dealer=seat))
    if seat not in expected:
        _remark_unexpected(rnd, "table.dealer", N_("{now} deals, not {expected}"), seat, expected)


def lead(rnd: Round, entry: Entry) -> None:
    """Apply `lead NAME`, which states the player who starts. It is possible until the first
    lead."""
    seat: int = entry.value
    if not rnd.acted and not (rnd.over and not rnd.decided_by_setup):
        expected = expected_leaders(rnd)
        place(rnd, "lead", rnd.setup._replace(lead=seat))
        if seat not in expected:
            _remark_unexpected(
                rnd, "table.lead", N_("{now} starts, not {expected}"), seat, expected
            )
        return
    if rnd.seating.is_out(seat):
        raise Impossible(
            tr("{name} is out, or sits out this round, and cannot lead", name=rnd.names[seat])
        )
    if rnd.over or rnd.play_begun():
        raise Impossible(tr("enter who leads before the first lead of a round"))
    rnd.setup, rnd.seating.leader = rnd.setup._replace(lead=seat), seat


def _remark_unexpected(rnd: Round, code: str, say: str, seat: int, expected: list[int]) -> None:
    """Add a note that the table's statement differs from what was expected. The statement
    counts."""
    names = join_list(rnd.names_of(expected), "or")
    rnd.add_note(code, say, {"now": rnd.names[seat], "expected": names})


def hand(rnd: Round, entry: Entry) -> None:
    """Apply `hand NAME: CARD…` or `hand NAME: NUMBER`, which state a hand's cards or their number.

    In a dice game whose tallies are numbers of dice, the number sets the tally.
    """
    seat: int = entry.value[0]
    held: Hand = entry.value[1]
    if rnd.rules.numbers.dice_are_tally:
        if not isinstance(held, int):
            raise Impossible(
                tr("in this game, a hand is entered as a number"), f"hand {rnd.names[seat]}: 3"
            )
        _set_tally(rnd, seat, held)
    elif not rnd.rules.pack.card_count:
        if rnd.rules.has("dice"):
            name, tally = rnd.names[seat], rnd.rules.translate(rnd.rules.tally["name"])
            message = tr(
                "the number of {name}'s dice follows from the tally ({tally})",
                name=name,
                tally=tally,
            )
            raise Impossible(message, f"standing {name}: NUMBER")
        raise Impossible(tr(NO_HANDS))
    elif rnd.acted:
        _reveal_hand(rnd, seat, held)
    else:
        place(rnd, "hands", rnd.setup._replace(hands={**rnd.setup.hands, seat: held}))


def place_hands(rnd: Round, entries: Iterable[Entry]) -> None:
    """Apply several hands of cards that were entered consecutively before the first act."""
    if not rnd.rules.pack.card_count:
        for entry in entries:
            hand(rnd, entry)
        return
    hands = {entry.value[0]: entry.value[1] for entry in entries}
    place(rnd, "hands", rnd.setup._replace(hands={**rnd.setup.hands, **hands}))


def _reveal_hand(rnd: Round, seat: int, held: Hand) -> None:
    """Reveal the cards in a player's hand during a round."""
    knowledge = rnd.hands
    count, size = held if isinstance(held, int) else len(held), knowledge.size(seat)
    if count != size:
        raise Impossible(
            plural(
                "according to the entries, {name} holds {count} card, not {stated}",
                "according to the entries, {name} holds {count} cards, not {stated}",
                size,
                name=rnd.names[seat],
                stated=count,
            ),
            tr(
                "look for a mistyped entry; if the cards really were dealt like this, the "
                "table must decide: {how}",
                how=forms_for_table(rnd.rules),
            ),
        )
    if not isinstance(held, int):
        knowledge.reveal(seat, rnd.rules.pack.hand_of(held))


def holds(rnd: Round, entry: Entry) -> None:
    """Apply `holds NAME: CARD…`, which states cards seen in a hand. Before play, a card that is
    entered again is the same card, not another copy."""
    seat: int = entry.value[0]
    kinds: tuple[int, ...] = entry.value[1]
    if not rnd.has_hands:
        raise Impossible(tr(NO_HANDS))
    if rnd.acted:
        for kind in set(kinds):
            rnd.hands.note_held(seat, kind, kinds.count(kind))
        return
    seen = rnd.setup.holds
    known = seen.get(seat, ())
    more = [kind for kind in set(kinds) for _ in range(kinds.count(kind) - known.count(kind))]
    place(rnd, "holds", rnd.setup._replace(holds={**seen, seat: (*known, *more)}))


def standing(rnd: Round, entry: Entry) -> None:
    """Apply `standing NAME: NUMBER`, which states a tally."""
    _set_tally(rnd, *entry.value)


def _set_tally(rnd: Round, seat: int, number: int) -> None:
    """Set a player's tally. Raises Impossible if the number is outside the limits of the tally, or
    differs from the tally of the player's side."""
    tally = rnd.rules.tally
    if not tally["least"] <= number <= tally["most"]:
        name, least, most = rnd.rules.translate(tally["name"]), tally["least"], tally["most"]
        raise Impossible(
            tr(
                "the tally ({name}) must be from {least} to {most}, not {number}",
                name=name,
                least=least,
                most=most,
                number=number,
            )
        )
    tallies = rnd.setup.standing
    for mate in rnd.seating.side(seat):
        if mate != seat and tallies.get(mate, number) != number:
            names = join_list(rnd.names_of([seat, mate]))
            raise Impossible(
                tr(
                    "{names} form one side, and its tally is {tally}, not {number}",
                    names=names,
                    tally=tallies[mate],
                    number=number,
                ),
                tr(
                    "if that was wrong, enter: {entry}",
                    entry=f"standing {rnd.names[mate]}: {number}",
                ),
            )
    place(rnd, "standing", rnd.setup._replace(standing={**tallies, seat: number}))


def sudden_death(rnd: Round, entry: Entry) -> None:
    """Apply `sudden-death`, which makes all tallies equal."""
    if not rnd.rules.has("levelling"):
        raise Impossible(tr("this ruleset has no sudden death"))
    place(rnd, entry.word, rnd.setup._replace(is_levelled=True))


# --- entries at any time


def check(rnd: Round, entry: Entry) -> None:
    """Apply `check NAME: NUMBER`, which compares points or a tally with the table's count. Raises
    Impossible if they differ."""
    seat: int = entry.value[0]
    counted: float = entry.value[1]
    play = rnd.rules.card_play
    recorded = rnd.seating.tally[seat] if play is None else play.points_of(rnd, seat)
    if recorded != counted:
        raise Impossible(
            tr(
                "{form}: according to the entries, it is {recorded}, not {stated} "
                "(difference {difference})",
                form=f"check {rnd.names[seat]}",
                recorded=format_points(recorded),
                stated=format_points(counted),
                difference=("+" if counted > recorded else "")
                + format_points(plain_points(counted - recorded)),
            ),
            tr("look for a mistyped entry"),
        )


def note(rnd: Round, entry: Entry) -> None:
    """Apply `note TEXT`, which changes nothing."""


def void(rnd: Round, entry: Entry) -> None:
    """Apply `void WHY`: the round does not count, and the rules decide the next dealer. If the same
    player deals again, the player named by `lead` starts again."""
    rnd.void = True
    if deals_again(rnd) and rnd.rules.deal["dealt"]:
        rnd.next_leader = rnd.setup.lead
    rnd.finish()


def foul(rnd: Round, entry: Entry) -> None:
    """Apply `foul NAME: WHY`, and carry out the consequence that the ruleset provides."""
    law = rnd.rules.law
    follow = None if law is None else law.consequence_of_foul(rnd, entry.value[0])
    if follow is not None:
        follow()


def is_only_noted(rnd: Round, seat: int) -> bool:
    """Return whether a foul by that seat has no consequence."""
    try:
        return rnd.rules.law is None or rnd.rules.law.consequence_of_foul(rnd, seat) is None
    except Impossible:  # the next round may decide the consequence
        return False


def penalty(rnd: Round, entry: Entry, classes: Penalties) -> None:
    """Apply `penalty NAME: POINTS WHY`, where a penalty class may replace the points. Charge each
    side."""
    seat: int = entry.value[0]
    what: str | int = entry.value[1][0]
    if isinstance(what, int):
        rnd.charge("penalty", seat, what)
        return
    for code, seats, points, cite in list(classes.charges(rnd, seat, what)):
        rnd.charge(code, seats[0], points, cite)


def end(rnd: Round, entry: Entry) -> None:
    """Apply `end`, which ends the match."""
    rnd.ended = True


# --- rounds by outcome or score


def result(rnd: Round, entry: Entry) -> None:
    """Apply `result KEY=VALUE…`, which states the outcome of the round."""
    rnd.conclude(dict(entry.value))


def expand_result(row: Row, said: Iterable[Pair], *, usual: bool) -> tuple[Pair, ...]:
    """Return the complete `key=value` pairs of a short result.

    `row` is the table `[result]`. It names the key of a number that is entered alone, and has
    default values for other keys. If `usual` is true, these values complete such a number. Raises
    Unreadable if a key is repeated, or if a key with two players by default names only one.
    """
    stated, key = dict(said), row["number"]
    number = stated.pop("", "")
    if number and key in stated:
        raise Unreadable(tr("“{key}” has been entered twice", key=key))
    added: Mapping[str, str | list[str]] = row["usual"] if number and usual else {}
    pairs = {
        name: value if isinstance(value, str) else "+".join(value)
        for name, value in added.items()
        if name not in stated
    }
    if pairs:
        _check_together(row["together"], number, stated, pairs)
    pairs |= stated
    return (*pairs.items(), (key, number)) if number else tuple(pairs.items())


def _check_together(
    together: Iterable[str], number: str, told: Mapping[str, str], usual: Mapping[str, str]
) -> None:
    """Raise Unreadable if a key that usually names two players names only one."""
    for key in together:
        names = told.get(key, "")
        if names and "+" not in names:
            pairs = " ".join(map("=".join, told.items()))
            whole = " ".join(map("=".join, usual.items()))
            raise Unreadable(
                tr("did you forget a partner, or was {who} alone?", who=names),
                tr(
                    "enter “{both}” or “{alone}”",
                    both=f"{number} {pairs.replace(names, f'{names}+NAME', 1)}",
                    alone=f"{number} {pairs} {whole}",
                ),
            )


def score(rnd: Round, entry: Entry) -> None:
    """Apply `score NAME+NAME: POINTS`: the round counts these points and nothing else. Raises
    Impossible if the round has begun, or if the ruleset cannot divide the points."""
    if rnd.acted or rnd.over:
        raise Impossible(
            tr("this round has begun, so its score follows from its entries"),
            tr("finish the round, or enter “void WHY”; then enter the score as a separate round"),
        )
    shared_out = _share_out(rnd, entry.value)
    for seats, points in shared_out:
        _check_bounds(rnd, seats[0], points)
    for seats, points in shared_out:
        if points:
            rnd.add_line("table.score", seats, points)
    rnd.unscored = True
    rnd.finish()


def _check_bounds(rnd: Round, seat: int, points: int) -> None:
    """Raise Impossible if the points would take a tally beyond its limits."""
    tally, number = rnd.rules.tally, rnd.seating.tally[seat] + points
    if not tally["least"] <= number <= tally["most"]:
        raise Impossible(
            tr(
                "the tally ({name}) must be from {least} to {most}, but {player} would have "
                "{number}",
                name=tally["name"],
                least=tally["least"],
                most=tally["most"],
                player=rnd.names[seat],
                number=number,
            )
        )


def _share_out(rnd: Round, given: Sequence[Given]) -> list[Given]:
    """Return pairs of the seats that share a tally and the points for that tally. If scores must
    add up to zero, the other tallies pay equal shares. Raises Impossible if no equal shares are
    possible."""
    shares: dict[tuple[int, ...], int] = {}
    for seats, points in given:
        for seat in seats:
            if seat not in rnd.seats:
                raise Impossible(tr("{name} sits out this round", name=rnd.names[seat]))
            tally = rnd.seating.sharing_seats(seat)
            if shares.setdefault(tally, points) != points:
                raise Impossible(
                    tr(
                        "{names} form one side and share a tally, so they must have equal points",
                        names=join_list(rnd.names_of(tally)),
                    )
                )
    total = sum(shares.values())
    if total and rnd.rules.tally["zero_sum"]:
        rest = [
            tally
            for tally in dict.fromkeys(map(rnd.seating.sharing_seats, rnd.seats))
            if tally not in shares
        ]
        if len(given) > 1 or not rest:
            raise Impossible(
                tr(
                    "under these rules the scores must add up to zero, but these add up to {sum}",
                    sum=f"{total:+}",
                )
            )
        if total % len(rest):
            raise Impossible(
                plural(
                    "{points} cannot be divided among {count} other player in whole points",
                    "{points} cannot be divided among {count} other players in whole points",
                    len(rest),
                    points=f"{-total:+}",
                ),
                tr("state each side's points: score NAME: POINTS / NAME: POINTS"),
            )
        shares |= dict.fromkeys(rest, -total // len(rest))
    return list(shares.items())


# --- players who join, leave or move between rounds


def joins(rnd: Round, entry: Entry) -> None:
    """Apply `joins NAME after NAME` or `joins NAME for NAME`."""
    _check_time(rnd, entry)
    add_player(rnd, *entry.value)


def quits(rnd: Round, entry: Entry) -> None:
    """Apply `quits NAME`."""
    _check_time(rnd, entry)
    remove_player(rnd, entry.value)


def seats(rnd: Round, entry: Entry) -> None:
    """Apply `seats NAME + NAME…`, which sets the new order of all players."""
    _check_time(rnd, entry)
    reseat_all(rnd, entry.value)


def _check_time(rnd: Round, entry: Entry) -> None:
    """Raise Impossible if the round already has entries other than changes of players."""
    word = rnd.rules.lexicon.write_word(entry.word)
    if rnd.acted or (rnd.over and not rnd.decided_by_setup):
        raise Impossible(
            tr(
                "“{word}” must be entered between rounds, before the first entry of the next round",
                word=word,
            ),
            tr(
                "enter it when this round is finished, or end the round with {void}",
                void="void why",
            ),
        )
    for number, earlier in enumerate(rnd.log.entries[:-1], 1):
        # A withdrawn entry counts too, because it concerned a player at a seat.
        if earlier.word not in (*ROSTER_VERBS, *WITHOUT_SEAT):
            raise Impossible(
                tr(
                    "“{word}” must be the first entry of a round, but “{said}” comes before it",
                    word=word,
                    said=quote(earlier.text, 60),
                ),
                tr("insert it before that entry: {amend}", amend=f"amend {number} --before ENTRY"),
            )
