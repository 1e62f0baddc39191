"""A round as everyone at the table saw or heard it, built from public entries alone.

If an entry contains cards that only the recorder knows, its public form contains only the number of
cards. The public round is produced by replaying the public entries and adding the announced score.
Two matches with the same public entries therefore have equal public rounds, even if the hands were
different.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_
from scorekeeper.core.rulings import Line
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.replay import Replay
from scorekeeper.engine.seating import checked_names
from scorekeeper.engine.state import HeardWindows
from scorekeeper.match.remedies import OPEN, standing_after
from scorekeeper.match.view import MatchView, ReviewedRound
from scorekeeper.notation import WITHDRAWN, find_decision
from scorekeeper.notation.syntax import OfPlayer, Syntax

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scorekeeper.core.types import Standing
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Window
    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import EntryType

DIVERGED_TEXT = N_(
    "{at} ({entry}) depends on a hand that was entered but not shown; until the round ends, only "
    "its entries are shown"
)
# If an entry contradicts a withdrawn act, try replacing up to this many withdrawn acts with notes.
MAX_NOTES_TRIED = 20


class AnnouncedScore(NamedTuple):
    """The announced score of a finished round.

    `changes` lists the tally changes by seat, or is None if the round has no score. Each item of
    `lines` names the players to whom it applies. `standing` is the standing after the round.
    `has_ruleset_errors` is true if a rule of the ruleset could not be evaluated.
    """

    changes: list[int] | None
    lines: list[Line]
    standing: Standing
    has_ruleset_errors: bool


class PublicEntries(NamedTuple):
    """The public information on a round.

    `texts` are the entries as seen and heard. `announced` is None while the round is in progress.
    `windows` are the claim windows that the referee has announced.
    """

    texts: list[str]
    announced: AnnouncedScore | None
    windows: tuple[Window, ...] = ()

    @property
    def claim_windows(self) -> HeardWindows:
        """The claim windows announced up to the last entry."""
        return HeardWindows(self.windows, len(self.texts))


class PublicRound(NamedTuple):
    """A round replayed from public information.

    `diverged_at` is the number of the first entry that contradicts public information, or 0. If it
    is above 0, `rnd` is the round before that entry. `standing` is the standing after the round, or
    None while the round is in progress.
    """

    rnd: Round
    played: RoundRecord
    texts: list[str]
    diverged_at: int
    standing: Standing | None


class PendingDecision(NamedTuple):
    """An entry on which the table must decide: its round and number, both from 1, and its text."""

    round: int
    number: int
    text: str


class PublicMatch(MatchView):
    """A view of a match that uses public information only."""

    def __init__(self, view: MatchView, rounds: Sequence[ReviewedRound]) -> None:
        """Combine `view`, the public state of a match, with the public rounds of that match."""
        self.ruleset = view.ruleset
        self._view = view
        self._rounds = rounds

    @property
    def players(self) -> list[str]:
        """The names of all players who have ever been at the table.

        The initial players are listed clockwise, followed by the others in the order in which they
        joined.
        """
        return self._view.players

    @property
    def seated_players(self) -> list[str]:
        """The names of the players at the table, clockwise."""
        return self._view.seated_players

    @property
    def initial_players(self) -> list[str]:
        """The names of the players who started the match, clockwise."""
        return self._view.initial_players

    @property
    def scores(self) -> dict[str, int]:
        """The tally of every player who has ever been at the table, by name."""
        return self._view.scores

    @property
    def over(self) -> bool:
        """True if the match has ended."""
        return self._view.over

    @property
    def preferred(self) -> list[str]:
        """The names of the only players who can win. The list is empty if every player can win."""
        return self._view.preferred

    def review(self) -> Iterator[ReviewedRound]:
        """Yield every round with its entries and its summary."""
        return iter(self._rounds)


# --- public entries


def redact(text: str, notation: Notation) -> str:
    """Return an entry as the table has seen it.

    An unreadable entry may contain cards, so only its beginning is returned. If its verb shows that
    it contains no cards, the whole entry is returned.
    """
    try:
        notation.read(text)
    except Unreadable:
        return _redact_unreadable(text, notation)
    return notation.hide_cards(text)


def _redact_unreadable(text: str, notation: Notation) -> str:
    """Return the public part of an entry that cannot be read."""
    if not any(may_conceal(verb.syntax) for verb in notation.entry_types.values()):
        return text
    who, colon, act = text.partition(": ")
    for begins, rest in (("", text), *([(f"{who}: ", act)] if colon else ())):
        word = notation.split_first_word(rest)[0]
        verb = notation.entry_types.get(word)
        if verb is not None:
            secret = may_conceal(verb.syntax) or _is_about_player(verb)
            return f"{begins}{notation.write_word(word)} …" if secret else text
    return f"{who}: …" if colon and _is_name(who, notation) else "…"


def _is_name(text: str, notation: Notation) -> bool:
    """Return whether a string could be the name of a player who has left or will join."""
    if any(map(notation.is_card, text.split())):
        return False
    try:
        checked_names(notation.lexicon, (text,))
    except Unreadable:
        return False
    return True


def redact_fact(text: str, notation: Notation) -> str:
    """Return a fact about a player with its value removed."""
    try:
        entry = notation.read(text)
    except Unreadable:
        return text
    verb = entry.type
    if not _is_about_player(verb) or verb.find_reference is not None or may_conceal(verb.syntax):
        return text
    return f"{notation.write_word(verb.word)} {notation.names[entry.value[0]]}: …"


def is_secret(text: str, notation: Notation) -> bool:
    """Return whether the beginning of a string looks like a statement about a hand or about
    dice."""
    rests = (text, text.partition(": ")[2])
    verbs = (notation.entry_types.get(notation.split_first_word(rest)[0]) for rest in rests if rest)
    return any(
        verb is not None and (may_conceal(verb.syntax) or _is_about_player(verb)) for verb in verbs
    )


def _is_about_player(verb: EntryType) -> bool:
    """Return whether a verb can be followed by a player's cards or dice."""
    return isinstance(verb.syntax, OfPlayer) and not verb.is_text


def may_conceal(syntax: Syntax) -> bool:
    """Return whether an entry with the given syntax may contain cards that only the recorder
    knows."""
    if isinstance(syntax, OfPlayer):
        return may_conceal(syntax.inner)
    return type(syntax).hide_cards is not Syntax.hide_cards


def may_hide_hands(texts: Sequence[str], notation: Notation) -> bool:
    """Return whether the public entries of a round may conceal cards that were entered."""
    for text in texts:
        try:
            verb = notation.read(text).type
        except Unreadable:
            known_verb = notation.entry_types.get(notation.split_first_word(text)[0])
            if known_verb is None:
                continue
            verb = known_verb
        if may_conceal(verb.syntax):
            return True
    return False


def verb_of(text: str, notation: Notation) -> str:
    """Return the verb of an entry, or "" if the entry cannot be read."""
    try:
        return notation.read(text).type.word
    except Unreadable:
        return ""


# --- public information on a round


def public_texts(
    played: RoundRecord, notation: Notation, start_round: Callable[[], Round]
) -> list[str]:
    """Return the entries of a round as the table has seen them.

    `start_round` returns the round before its first entry. From the first entry that contradicts
    public information on, the values are removed from facts about players.
    """
    texts = [redact(text, notation) for text in played.entries]
    stuck = played.failed_entry
    if may_hide_hands(texts, notation):
        has_secrets = any(redact_fact(text, notation) != text for text in texts)
        stuck = _replay(start_round(), texts).played.failed_entry if has_secrets else 0
    if stuck:
        start = stuck - 1
        texts[start:] = [redact_fact(text, notation) for text in texts[start:]]
    return texts


def announced_score(played: RoundRecord, standing: Standing) -> AnnouncedScore:
    """Return the announced score of a finished round. `standing` is the standing after it.

    Each score line names the players whose tallies it changed, because the table may not know the
    sides.
    """
    whom = dict(played.roles.values())
    if played.sides is not None:
        sides = enumerate(played.sides.names)
        whom |= {name: played.sides.members(side) for side, name in sides}
    lines = []
    for line in played.lines:
        names = [played.names[seat] for seat in whom.get(line.to, ())] or [line.to]
        lines.append(Line(line.code, "+".join(names), line.points, line.cite))
    return AnnouncedScore(played.changes, lines, standing, played.has_errors)


def public_standing(standing: Standing, ruleset: Ruleset, notation: Notation) -> Standing:
    """Return the public part of a standing.

    It includes the open claims of the previous round, with hidden cards removed from their entries.
    """
    carry = dict(standing["carry"])
    law = ruleset.watching_law
    carried = {} if law is None else carry.get(law.name, {})
    if law is not None and OPEN in carried:
        redacted = [{**left, "text": redact(left["text"], notation)} for left in carried[OPEN]]
        carry[law.name] = {**carried, OPEN: redacted}
    return {**standing, "carry": carry}


# --- public replay


def replay_public(rnd: Round, public: PublicEntries) -> PublicRound:
    """Replay a round from its public information. `rnd` must not have begun.

    If a later entry contradicts a withdrawn entry, a note replaces the withdrawn entry, which had
    no effect. Claims are possible only in the announced claim windows.
    """
    rnd.decisions.heard = public.claim_windows
    texts, replay = public.texts, _replay(rnd, public.texts)
    concealed = may_hide_hands(texts, replay.notation)
    if concealed and _first_problem(replay):
        texts, replay = _reconcile(rnd, texts, replay)
    astray = _first_divergence(replay, concealed)
    if concealed and not astray and contradicts_public(replay.rnd, public):
        astray = len(texts)
    if astray:
        replay = _replay(rnd, texts[: astray - 1])
        replay.played.entries = list(texts)
    return add_public(PublicRound(replay.rnd, replay.played, public.texts, astray, None), public)


def add_public(replayed: PublicRound, public: PublicEntries) -> PublicRound:
    """Return the round with its announced score, which overrides the replayed score."""
    rnd, played, _, astray, _ = replayed
    announced = public.announced
    if announced is None:
        return replayed._replace(standing=rnd.seating.first_standing if astray else None)
    if astray or not rnd.over or played.changes != announced.changes:
        played.changes, played.lines = announced.changes, announced.lines
        played.over, played.has_errors = True, announced.has_ruleset_errors
    return replayed._replace(standing=dict(announced.standing))


def contradicts_public(rnd: Round, public: PublicEntries) -> bool:
    """Return whether the replayed round has ended although no end was announced."""
    return (rnd.over or rnd.ended) and public.announced is None


def reconcile(rnd: Round, texts: list[str]) -> list[str]:
    """Return the entries. A note replaces each withdrawn act that later entries contradict.

    `rnd` is a round before its first entry.
    """
    return _reconcile(rnd, texts, _replay(rnd, texts))[0]


def _reconcile(rnd: Round, texts: list[str], replay: Replay) -> tuple[list[str], Replay]:
    """Return the entries with notes in place of contradicted acts, and the round replayed from
    them."""
    at, note = _first_problem(replay), f"{replay.notation.write_word('note')} it was taken back"
    while at:
        withdrawn = [n for n in range(at, 0, -1) if find_decision(texts[n - 1]) == WITHDRAWN]
        for number in withdrawn[:MAX_NOTES_TRIED]:
            tried = [*texts[: number - 1], note, *texts[number:]]
            other = _replay(rnd, tried)
            then = _first_problem(other)
            if not then or then > at:
                texts, replay, at = tried, other, then
                break
        else:
            return texts, replay
    return texts, replay


def _replay(rnd: Round, texts: Sequence[str]) -> Replay:
    """Replay entries in a fresh copy of `rnd`."""
    fold = Replay(rnd.restarted(gathering=True))
    fold.take(list(texts))
    return fold


def _first_problem(replay: Replay) -> int:
    """Return the number of the first entry that is impossible, or illegal without a decision.
    Return 0 if there is none."""
    played = replay.played
    numbers = [*played.ignored, *filter(None, (played.failed_entry,))]
    return min([*numbers, *_undecided_numbers(replay.rnd, played.entries)], default=0)


def _first_divergence(replay: Replay, concealed: bool) -> int:
    """Return the number of the first entry that contradicts public information, or 0.

    Such an entry was possible only because of a hidden hand. A claim is also
    such an entry if only a hidden hand proves the claimed fault.
    """
    if not concealed:
        return 0
    played, texts = replay.played, replay.played.entries
    law = replay.rnd.rules.watching_law
    words = set() if law is None else {verb.word for verb in law.entry_types}
    claims = [on for on in _undecided_numbers(replay.rnd, texts) if _verb_word(replay, on) in words]
    stuck = [played.failed_entry] if _verb_word(replay, played.failed_entry) else []
    return min([*claims, *played.ignored, *stuck], default=0)


def _undecided_numbers(rnd: Round, texts: Sequence[str]) -> list[int]:
    """Return the numbers of entries that were refused when entered and are still undecided."""
    return [
        on for proved, on, _ in rnd.log.refused if proved == on and not find_decision(texts[on - 1])
    ]


def _verb_word(replay: Replay, number: int) -> str:
    """Return the verb of an entry, or "" if there is no such entry or it cannot be read."""
    return verb_of(replay.played.entries[number - 1], replay.notation) if number else ""


def pending_decision(replayed: PublicRound) -> PendingDecision | None:
    """Return the first entry that waits for a decision of the table, or None if no entry waits.

    `replayed` is a round in progress. The entry was refused when it was entered, or a player claims
    a remedy for it.
    """
    rnd = replayed.rnd
    if replayed.diverged_at:
        return None
    numbers = _undecided_numbers(rnd, replayed.texts)
    law = rnd.rules.watching_law
    for fault in () if law is None else law.open_faults(rnd):
        if fault["claimed"]:
            if fault["round"] != rnd.number:
                return PendingDecision(fault["round"], fault["entry"], fault["text"])
            numbers.append(fault["entry"])
    if not numbers:
        return None
    return PendingDecision(rnd.number, min(numbers), replayed.texts[min(numbers) - 1])


# --- past rounds


def review_public_round(replayed: PublicRound, public: PublicEntries) -> ReviewedRound:
    """Return the public round with its summary, leaving out facts that the table cannot know."""
    # imported only when needed, because recording uses no summaries
    from scorekeeper.match.summary import eliminated, summarize

    rnd, played, texts, astray, standing = replayed
    ends = bool((standing or standing_after(rnd))["over"])
    summary = summarize(rnd, played, ends)
    tally: list[int] = (standing or rnd.seating.first_standing)["tally"]  # by seat
    if public.announced is not None and (not rnd.over or rnd.seating.tally != tally):
        summary["over"] = True
        summary["tally"] = dict(zip(rnd.names, tally, strict=True))
        summary["eliminated"] = eliminated(rnd, tally)
    if astray:
        summary["found"] = [each for each in summary["found"] if each[0] < astray]
    return ReviewedRound(texts, summary)
