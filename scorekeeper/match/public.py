"""A round as everybody saw or heard it, built from public texts alone.

An entry as the table has seen it has no more of a hand than how many cards it is about: what only
the recorder was told is not there. A round is folded from such texts; what was announced of it,
once it was over, are its changes and the standing that it left. So two matches of which these are
alike come to the same, whatever the hands were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark
from scorekeeper.core.rulings import Line
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.replay import Fold
from scorekeeper.engine.seating import checked_names
from scorekeeper.engine.state import Heard
from scorekeeper.match.remedies import OPEN, standing_after
from scorekeeper.match.view import MatchView, Told
from scorekeeper.notation import WITHDRAWN, decision_in
from scorekeeper.notation.syntax import Of, Syntax

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scorekeeper.core.types import Standing
    from scorekeeper.engine.replay import Played
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Window
    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import Verb

BEYOND = mark(
    "{at} ({entry}) does not follow from what the table has seen: hands that were entered rule "
    "here, and the round is told by its entries until it is over"
)
MOST_NOTED = 20  # acts taken back that are tried as notes, for one entry


class Announced(NamedTuple):
    """What was told of a round when it was over: the change of each seat's tally (None: it has no
    score), the lines, each with the players for whom it counted, the standing that it left;
    `mistaken` as in `Played`."""

    changes: list[int] | None
    lines: list[Line]
    standing: Standing
    mistaken: bool


class Public(NamedTuple):
    """What everybody knows of a round: its entries as they were seen and heard, what was announced
    (None: it goes on), and what the referee has told may be claimed (`windows`)."""

    texts: list[str]
    announced: Announced | None
    windows: tuple[Window, ...] = ()

    @property
    def heard(self) -> Heard:
        """The windows that were told, up to the last entry."""
        return Heard(self.windows, len(self.texts))


class Seen(NamedTuple):
    """What the table can make of a round. `astray` is the number of the first entry that does not
    follow from what was seen (0: all do): the round is as it was before that one. `standing` is
    what it left, None while it goes on."""

    rnd: Round
    played: Played
    texts: list[str]
    astray: int
    standing: Standing | None


class Waiting(NamedTuple):
    """An entry about which the table must decide something: where it is, and its text."""

    round: int
    number: int
    text: str


class PublicMatch(MatchView):
    """A match to look back on by what has been public; `stands` is how it does."""

    def __init__(self, stands: MatchView, rounds: Sequence[Told]) -> None:
        self.ruleset = stands.ruleset
        self._stands = stands
        self._rounds = rounds

    @property
    def players(self) -> list[str]:
        """Everybody who has ever sat at the table: those who began, then as they came."""
        return self._stands.players

    @property
    def seated(self) -> list[str]:
        """Who sits at the table, clockwise."""
        return self._stands.seated

    @property
    def began_with(self) -> list[str]:
        """Those who sat there at the beginning."""
        return self._stands.began_with

    @property
    def scores(self) -> dict[str, int]:
        """The tallies of everybody who has ever sat at the table, by name."""
        return self._stands.scores

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._stands.over

    def review(self) -> Iterator[Told]:
        """Every round with its entries and what it came to."""
        return iter(self._rounds)


# --- an entry as the table has seen it


def hidden(text: str, notation: Notation) -> str:
    """An entry as the table has seen it. Of one that cannot be read nobody knows what is in it: no
    more is told than how it begins, unless it has a verb with which nobody speaks of a hand."""
    try:
        notation.read(text)
    except Unreadable:
        return _unread(text, notation)
    return notation.hide(text)


def _unread(text: str, notation: Notation) -> str:
    """What is told of an entry that cannot be read."""
    if not any(conceals(verb.syntax) for verb in notation.verbs.values()):
        return text
    who, colon, said = text.partition(": ")
    for begins, rest in (("", text), *([(f"{who}: ", said)] if colon else ())):
        word = notation.opening(rest)[0]
        verb = notation.verbs.get(word)
        if verb is not None:
            secret = conceals(verb.syntax) or _says_of(verb)
            return f"{begins}{notation.say(word)} …" if secret else text
    return f"{who}: …" if colon and _is_name(who, notation) else "…"


def _is_name(text: str, notation: Notation) -> bool:
    """Whether somebody could be called that who has gone since, or will come."""
    if any(map(notation.is_card, text.split())):
        return False
    try:
        checked_names(notation.lexicon, (text,))
    except Unreadable:
        return False
    return True


def begun_of(text: str, notation: Notation) -> str:
    """What is said of somebody, without what that is."""
    try:
        entry = notation.read(text)
    except Unreadable:
        return text
    verb = entry.verb
    if not _says_of(verb) or verb.speaks_of is not None or conceals(verb.syntax):
        return text
    return f"{notation.say(verb.word)} {notation.names[entry.value[0]]}: …"


def is_secret(text: str, notation: Notation) -> bool:
    """Whether a text begins as what speaks of a hand, or of somebody's dice, does."""
    rests = (text, text.partition(": ")[2])
    verbs = (notation.verbs.get(notation.opening(rest)[0]) for rest in rests if rest)
    return any(verb is not None and (conceals(verb.syntax) or _says_of(verb)) for verb in verbs)


def _says_of(verb: Verb) -> bool:
    """Whether something about somebody's cards or dice may follow a verb."""
    return isinstance(verb.syntax, Of) and not verb.text


def conceals(syntax: Syntax) -> bool:
    """Whether what follows a verb may be cards that only the recorder was told of."""
    if isinstance(syntax, Of):
        return conceals(syntax.inner)
    return type(syntax).hidden is not Syntax.hidden


def is_concealed(texts: Sequence[str], notation: Notation) -> bool:
    """Whether hands may have been entered for what the table has seen."""
    for text in texts:
        try:
            verb = notation.read(text).verb
        except Unreadable:
            found = notation.verbs.get(notation.opening(text)[0])
            if found is None:
                continue
            verb = found
        if conceals(verb.syntax):
            return True
    return False


def verb_of(text: str, notation: Notation) -> str:
    """The verb that an entry has; "" of one that cannot be read."""
    try:
        return notation.read(text).verb.word
    except Unreadable:
        return ""


# --- what everybody knows of a round


def seen_texts(played: Played, notation: Notation, begun: Callable[[], Round]) -> list[str]:
    """The entries of a round as the table has seen them; `begun` gives the round before its first.
    Nobody has seen what was said of somebody before it could be: it stands where nothing counts,
    by what is public."""
    texts = [hidden(text, notation) for text in played.entries]
    stuck = played.stuck
    if is_concealed(texts, notation):
        told = any(begun_of(text, notation) != text for text in texts)
        stuck = _fold(begun(), texts).played.stuck if told else 0
    if stuck:
        start = stuck - 1
        texts[start:] = [begun_of(text, notation) for text in texts[start:]]
    return texts


def announced(played: Played, standing: Standing) -> Announced:
    """What was told of a round that left this standing. Who was on which side the table may not
    know; whose tallies a line changed it does."""
    whom = dict(played.roles.values())
    if played.sides is not None:
        sides = enumerate(played.sides.names)
        whom |= {name: played.sides.members(side) for side, name in sides}
    lines = []
    for line in played.lines:
        names = [played.names[seat] for seat in whom.get(line.to, ())] or [line.to]
        lines.append(Line(line.code, "+".join(names), line.points, line.cite))
    return Announced(played.changes, lines, standing, played.mistaken)


def as_told(standing: Standing, ruleset: Ruleset, notation: Notation) -> Standing:
    """A standing as it was announced: of what may still be decided of the round before, which was
    told, no entry has cards that nobody saw."""
    carry = dict(standing["carry"])
    law = ruleset.watching_law
    kept = {} if law is None else carry.get(law.name, {})
    if law is not None and OPEN in kept:
        told = [{**left, "text": hidden(left["text"], notation)} for left in kept[OPEN]]
        carry[law.name] = {**kept, OPEN: told}
    return {**standing, "carry": carry}


# --- folding it


def folded(rnd: Round, public: Public) -> Seen:
    """A round by what everybody knows of it; `rnd` has not begun. What was taken back was seen,
    unless a later entry could not be then: nothing came of it, and it is as if a note stood there.
    What may be claimed is what the referee has told."""
    rnd.decisions.heard = public.heard
    texts, done = public.texts, _fold(rnd, public.texts)
    concealed = is_concealed(texts, done.notation)
    if concealed and _trouble(done):
        texts, done = _reconciled(rnd, texts, done)
    astray = _beyond(done, concealed)
    if concealed and not astray and is_beyond(done.rnd, public):
        astray = len(texts)
    if astray:
        done = _fold(rnd, texts[: astray - 1])
        done.played.entries = list(texts)
    return heard(Seen(done.rnd, done.played, public.texts, astray, None), public)


def heard(seen: Seen, public: Public) -> Seen:
    """The same with what was announced, which counts whatever the table could make of it."""
    rnd, played, _, astray, _ = seen
    said = public.announced
    if said is None:
        return seen._replace(standing=rnd.seating.began if astray else None)
    if astray or not rnd.over or played.changes != said.changes:
        played.changes, played.lines = said.changes, said.lines
        played.over, played.mistaken = True, said.mistaken
    return seen._replace(standing=dict(said.standing))


def is_beyond(rnd: Round, public: Public) -> bool:
    """Whether a round that has come so far contradicts what everybody knows of it."""
    return (rnd.over or rnd.ended) and public.announced is None


def reconciled(rnd: Round, texts: list[str]) -> list[str]:
    """The entries of a round with those acts that were taken back as notes which leave no room for
    what came later; `rnd` has not begun."""
    return _reconciled(rnd, texts, _fold(rnd, texts))[0]


def _reconciled(rnd: Round, texts: list[str], done: Fold) -> tuple[list[str], Fold]:
    at, note = _trouble(done), f"{done.notation.say('note')} it was taken back"
    while at:
        back = [n for n in range(at, 0, -1) if decision_in(texts[n - 1]) == WITHDRAWN]
        for number in back[:MOST_NOTED]:
            tried = [*texts[: number - 1], note, *texts[number:]]
            other = _fold(rnd, tried)
            then = _trouble(other)
            if not then or then > at:
                texts, done, at = tried, other, then
                break
        else:
            return texts, done
    return texts, done


def _fold(rnd: Round, texts: Sequence[str]) -> Fold:
    fold = Fold(rnd.unplayed(gathering=True))
    fold.take(list(texts))
    return fold


def _trouble(fold: Fold) -> int:
    """The first entry that cannot be, or is against a rule that refuses, and that nobody has
    decided; 0 if there is none."""
    played = fold.played
    found = [*played.ignored, *filter(None, (played.stuck,))]
    return min([*found, *_undecided(fold.rnd, played.entries)], default=0)


def _beyond(fold: Fold, concealed: bool) -> int:
    """The first entry that cannot be by what was seen, though it was taken, where hands were
    `concealed`: one that contradicts it, or that speaks of something wrong of which only a hand
    tells."""
    if not concealed:
        return 0
    played, texts = fold.played, fold.played.entries
    law = fold.rnd.rules.watching_law
    words = set() if law is None else {verb.word for verb in law.verbs}
    claims = [on for on in _undecided(fold.rnd, texts) if _word(fold, on) in words]
    stuck = [played.stuck] if _word(fold, played.stuck) else []
    return min([*claims, *played.ignored, *stuck], default=0)


def _undecided(rnd: Round, texts: Sequence[str]) -> list[int]:
    """The entries that were refused when they were entered, and that nobody has decided."""
    return [on for shown, on, _ in rnd.log.wrong if shown == on and not decision_in(texts[on - 1])]


def _word(fold: Fold, number: int) -> str:
    """The verb of an entry; "" of one that cannot be read, and where there is none."""
    return verb_of(fold.played.entries[number - 1], fold.notation) if number else ""


def waiting(seen: Seen) -> Waiting | None:
    """The first entry about which the table must decide something in a round that goes on: it was
    refused when it was entered, or is claimed."""
    rnd = seen.rnd
    if seen.astray:
        return None
    found = _undecided(rnd, seen.texts)
    law = rnd.rules.watching_law
    for fault in () if law is None else law.open_faults(rnd):
        if fault["claimed"]:
            if fault["round"] != rnd.number:
                return Waiting(fault["round"], fault["entry"], fault["text"])
            found.append(fault["entry"])
    if not found:
        return None
    return Waiting(rnd.number, min(found), seen.texts[min(found) - 1])


# --- looking back


def told(seen: Seen, public: Public) -> Told:
    """The round to look back on: its entries as they were seen, and what it came to. What the table
    cannot know of it is not there."""
    from scorekeeper.match.summary import eliminated, summarize  # recording needs none

    rnd, played, texts, astray, standing = seen
    ends = bool((standing or standing_after(rnd))["over"])
    summary = summarize(rnd, played, ends)
    tally: list[int] = (standing or rnd.seating.began)["tally"]  # what stands on the sheet, by seat
    if public.announced is not None and (not rnd.over or rnd.seating.tally != tally):
        summary["over"] = True
        summary["tally"] = dict(zip(rnd.names, tally, strict=True))
        summary["eliminated"] = eliminated(rnd, tally)
    if astray:
        summary["found"] = [each for each in summary["found"] if each[0] < astray]
    return Told(texts, summary)
