"""A round as everyone at the table saw or heard it, built from public texts alone.

The public text of an entry gives the number of cards from a hand, not the cards that only the
recorder knows. Replaying such texts and adding the announced score gives the public round. Two
matches with the same public texts therefore have equal public rounds, whatever their hands were.
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
MOST_NOTED = 20  # withdrawn acts that are replaced by a note, tried for one entry


class Announced(NamedTuple):
    """The announced score of a finished round.

    `changes` are the changes of the tallies by seat, None if the round has no score. Each of
    `lines` names the players for whom it counted. `standing` is the standing after the round.
    `has_ruleset_errors` is true if a rule had no value.
    """

    changes: list[int] | None
    lines: list[Line]
    standing: Standing
    mistaken: bool


class Public(NamedTuple):
    """The public information on a round.

    `texts` are the entries as seen and heard. `announced` is None while the round goes on.
    `windows` are the claim windows that the referee has announced.
    """

    texts: list[str]
    announced: Announced | None
    windows: tuple[Window, ...] = ()

    @property
    def heard(self) -> Heard:
        """The announced claim windows, up to the last entry."""
        return Heard(self.windows, len(self.texts))


class Seen(NamedTuple):
    """A round replayed from public information.

    `diverged_at` is the number of the first entry that public information contradicts, or 0.
    Then `rnd` is the round before that entry. `standing` is the standing after the round, None
    while it goes on.
    """

    rnd: Round
    played: Played
    texts: list[str]
    astray: int
    standing: Standing | None


class Waiting(NamedTuple):
    """An entry on which the table must decide: its round and number, both from 1, and its text."""

    round: int
    number: int
    text: str


class PublicMatch(MatchView):
    """A view of a match that uses public information only."""

    def __init__(self, stands: MatchView, rounds: Sequence[Told]) -> None:
        """Combine the public state of a match, `view`, with its public rounds."""
        self.ruleset = stands.ruleset
        self._stands = stands
        self._rounds = rounds

    @property
    def players(self) -> list[str]:
        """The names of all players who ever sat at the table, the first ones clockwise, then by
        arrival."""
        return self._stands.players

    @property
    def seated(self) -> list[str]:
        """The names of the players at the table, clockwise."""
        return self._stands.seated

    @property
    def began_with(self) -> list[str]:
        """The names of the players who began the match, clockwise."""
        return self._stands.began_with

    @property
    def scores(self) -> dict[str, int]:
        """The tally of every player who ever sat at the table, by name."""
        return self._stands.scores

    @property
    def over(self) -> bool:
        """True if the match has ended."""
        return self._stands.over

    def review(self) -> Iterator[Told]:
        """Yield every round with its entries and its summary."""
        return iter(self._rounds)


# --- an entry as the table has seen it


def hidden(text: str, notation: Notation) -> str:
    """Return an entry as the table has seen it.

    The cards of an unreadable entry are unknown. Only its beginning is returned then, unless its
    verb never concerns a hand.
    """
    try:
        notation.read(text)
    except Unreadable:
        return _unread(text, notation)
    return notation.hide(text)


def _unread(text: str, notation: Notation) -> str:
    """Return the public part of an entry that cannot be read."""
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
    """Return whether a player who has left or will join could have that name."""
    if any(map(notation.is_card, text.split())):
        return False
    try:
        checked_names(notation.lexicon, (text,))
    except Unreadable:
        return False
    return True


def begun_of(text: str, notation: Notation) -> str:
    """Return a fact about a player without its value."""
    try:
        entry = notation.read(text)
    except Unreadable:
        return text
    verb = entry.verb
    if not _says_of(verb) or verb.speaks_of is not None or conceals(verb.syntax):
        return text
    return f"{notation.say(verb.word)} {notation.names[entry.value[0]]}: …"


def is_secret(text: str, notation: Notation) -> bool:
    """Return whether a text begins like a statement about a hand or about dice."""
    rests = (text, text.partition(": ")[2])
    verbs = (notation.verbs.get(notation.opening(rest)[0]) for rest in rests if rest)
    return any(verb is not None and (conceals(verb.syntax) or _says_of(verb)) for verb in verbs)


def _says_of(verb: Verb) -> bool:
    """Return whether a verb can be followed by a player's cards or dice."""
    return isinstance(verb.syntax, Of) and not verb.text


def conceals(syntax: Syntax) -> bool:
    """Return whether an entry of that syntax may contain cards that only the recorder knows."""
    if isinstance(syntax, Of):
        return conceals(syntax.inner)
    return type(syntax).hidden is not Syntax.hidden


def is_concealed(texts: Sequence[str], notation: Notation) -> bool:
    """Return whether public texts may hide cards that were entered."""
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
    """Return the verb of an entry, or "" if the entry cannot be read."""
    try:
        return notation.read(text).verb.word
    except Unreadable:
        return ""


# --- what everybody knows of a round


def seen_texts(played: Played, notation: Notation, begun: Callable[[], Round]) -> list[str]:
    """Return the entries of a round as the table has seen them.

    `start_round` returns the round before its first entry. From the first entry that public
    information contradicts, facts about players lose their values.
    """
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
    """Return the announced score of a round that left this standing.

    The table may not know the sides, but it knows whose tally each line changed.
    """
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
    """Return a standing as it was announced.

    Open claims of the previous round are part of it. Their entries show no cards that were hidden.
    """
    carry = dict(standing["carry"])
    law = ruleset.watching_law
    kept = {} if law is None else carry.get(law.name, {})
    if law is not None and OPEN in kept:
        told = [{**left, "text": hidden(left["text"], notation)} for left in kept[OPEN]]
        carry[law.name] = {**kept, OPEN: told}
    return {**standing, "carry": carry}


# --- folding it


def folded(rnd: Round, public: Public) -> Seen:
    """Replay a round from its public information. `rnd` has not begun.

    A withdrawn entry was seen. If a later entry contradicts that, the withdrawn entry is
    replaced by a note, because it had no effect. Claims are possible only in announced windows.
    """
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
    """Return the round with its announced score, which overrides the replayed one."""
    rnd, played, _, astray, _ = seen
    said = public.announced
    if said is None:
        return seen._replace(standing=rnd.seating.began if astray else None)
    if astray or not rnd.over or played.changes != said.changes:
        played.changes, played.lines = said.changes, said.lines
        played.over, played.mistaken = True, said.mistaken
    return seen._replace(standing=dict(said.standing))


def is_beyond(rnd: Round, public: Public) -> bool:
    """Return whether a round has ended although no end was announced."""
    return (rnd.over or rnd.ended) and public.announced is None


def reconciled(rnd: Round, texts: list[str]) -> list[str]:
    """Return the entries with notes in place of withdrawn acts that later entries contradict.

    `rnd` has not begun.
    """
    return _reconciled(rnd, texts, _fold(rnd, texts))[0]


def _reconciled(rnd: Round, texts: list[str], done: Fold) -> tuple[list[str], Fold]:
    """Return the entries with those notes, and their replay."""
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
    """Replay texts in a round like `rnd` that has not begun."""
    fold = Fold(rnd.unplayed(gathering=True))
    fold.take(list(texts))
    return fold


def _trouble(fold: Fold) -> int:
    """Return the number of the first entry that is impossible or illegal and undecided, or 0."""
    played = fold.played
    found = [*played.ignored, *filter(None, (played.stuck,))]
    return min([*found, *_undecided(fold.rnd, played.entries)], default=0)


def _beyond(fold: Fold, concealed: bool) -> int:
    """Return the number of the first entry that public information contradicts, or 0.

    Such an entry was possible only because of a hidden hand. A claim about a fault that only a hand
    proves is one too.
    """
    if not concealed:
        return 0
    played, texts = fold.played, fold.played.entries
    law = fold.rnd.rules.watching_law
    words = set() if law is None else {verb.word for verb in law.verbs}
    claims = [on for on in _undecided(fold.rnd, texts) if _word(fold, on) in words]
    stuck = [played.stuck] if _word(fold, played.stuck) else []
    return min([*claims, *played.ignored, *stuck], default=0)


def _undecided(rnd: Round, texts: Sequence[str]) -> list[int]:
    """Return the numbers of entries that were refused when entered and never decided."""
    return [on for shown, on, _ in rnd.log.wrong if shown == on and not decision_in(texts[on - 1])]


def _word(fold: Fold, number: int) -> str:
    """Return the verb of an entry, or "" if there is no such entry or it cannot be read."""
    return verb_of(fold.played.entries[number - 1], fold.notation) if number else ""


def waiting(seen: Seen) -> Waiting | None:
    """Return the first entry of a round in progress on which the table must decide, or None.

    The entry was refused when it was entered, or a player claims it.
    """
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
    """Return the public round with its summary, without facts that the table cannot know."""
    from scorekeeper.match.summary import eliminated, summarize  # recording needs no summaries

    rnd, played, texts, astray, standing = seen
    ends = bool((standing or standing_after(rnd))["over"])
    summary = summarize(rnd, played, ends)
    tally: list[int] = (standing or rnd.seating.began)["tally"]  # by seat
    if public.announced is not None and (not rnd.over or rnd.seating.tally != tally):
        summary["over"] = True
        summary["tally"] = dict(zip(rnd.names, tally, strict=True))
        summary["eliminated"] = eliminated(rnd, tally)
    if astray:
        summary["found"] = [each for each in summary["found"] if each[0] < astray]
    return Told(texts, summary)
