"""A match for spectators, built from public information only.

`SpectatorMatch` reads the store, and keeps the last scene while the store cannot be read. A `Scene`
has all that a page shows, as values. Matches that differ only in hands therefore have equal scenes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Locked
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.public import Public, PublicMatch, told
from scorekeeper.session.hints import said_of
from scorekeeper.session.public_round import since
from scorekeeper.session.rulings import Faults, entry_lines, found_seen
from scorekeeper.session.screen import screen, turn
from scorekeeper.store.rows import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Standing
    from scorekeeper.match.match import Match
    from scorekeeper.match.public import Waiting
    from scorekeeper.match.view import MatchView, Told
    from scorekeeper.notation.translation import Speech
    from scorekeeper.session.screen import TableScreen
    from scorekeeper.store.recorder import Desk
    from scorekeeper.store.rows import LogRow


class SpectatorMatch:
    """A match of a store for spectators.

    With `delay` 1 a deal is shown when it is finished, with 2 when the next one is, and so on.
    `language` is the language of its entries. Raises Failure if the match cannot be read at first.
    """

    def __init__(self, desk: Desk, delay: int = 0, language: str = "") -> None:
        self._desk = desk
        self._delay = delay
        self._language = language
        self._past = _Rounds(desk.whole())
        self._marked = desk.store.marked(desk.id)
        self._read = desk.seen
        self._scene = self._made()

    def scene(self) -> Scene:
        """Return the current scene."""
        return self._scene

    def news(self) -> bool:
        """Read the store, and return whether the scene has changed.

        A failure of the store is never raised. The scene remains with the reason in `trouble`.
        """
        try:
            if self._scene.trouble:
                self._begin_again()
            rows = self._rows()
            marked, self._marked = self._marked, self._desk.store.marked(self._desk.id)
            told = self._desk.described() or marked != self._marked or self._scene.trouble
            if not (rows or told):
                return False
            if rows:
                self._past.follow(self._desk, rows)
                self._read = rows[-1].position
            made = self._made()
        except Failure as failure:
            made = self._scene._replace(trouble=_trouble(failure))
        changed = made != self._scene
        self._scene = made
        return changed

    def _begin_again(self) -> None:
        """Reload the whole match, since a failure may have left it incomplete."""
        self._desk.load()
        self._past = _Rounds(self._desk.whole())
        self._read = self._desk.seen

    def _rows(self) -> list[LogRow]:
        """Return the rows that were recorded since the last look."""
        desk = self._desk
        desk.news()
        if desk.seen == self._read:
            return []
        rows = desk.store.log(desk.id, self._read + 1)
        return [row for row in rows if row.position <= desk.seen]

    # --- what is shown

    def _made(self) -> Scene:
        """Return the scene of the current state."""
        desk, speech = self._desk, self._desk.speech(self._language)
        shown = self._past.count(self._delay)
        live = shown == len(self._past.publics)
        match, tolds, waits = self._past.at(shown)
        past = PublicMatch(match, tolds)
        table = None
        if live:
            seen = screen(match, Faults(match, match, speech), playing=True)
            table = seen._replace(turn=turn(match, looking_on=True)).told(speech.told)
        scene = Scene(
            desk.ruleset.said(desk.ruleset.title),
            self._about(match),
            table,
            list(_said(tolds, speech, desk.ruleset.rules_text)),
            past,
            _rulings(past, match, speech),
            self._waits(waits, shown, speech) if live else self._later(),
            live and match.over,
            0,
        )
        return scene._replace(position=self._position(scene, shown))

    def _position(self, scene: Scene, shown: int) -> int:
        """Return the position of the store's log when the scene last changed."""
        before = getattr(self, "_scene", None)
        if before is None and shown < len(self._past.publics):
            return max((row.position for row in self._desk.log() if row.round <= shown), default=0)
        if before is None or not _alike(scene, before):
            return self._desk.seen
        position: int = before.position
        return position

    def _later(self) -> str:
        """Return when the hidden deals will be shown."""
        if self._delay == 1:
            return tr("this deal is shown when it is over")
        say = mark("a deal is shown when {count} more are over")
        return (
            tr(say, count=self._delay - 1)
            if self._delay > 2
            else tr("a deal is shown when the next one is over")
        )

    def _waits(self, waits: Waiting | None, shown: int, speech: Speech) -> str:
        """Return the decision for which the table waits, as text, or ""."""
        if waits is not None:
            at, entry = f"{waits.round}.{waits.number}", speech.spoken(waits.text)
            if waits.round < shown:
                say = mark(
                    "{at} ({entry}) waits for the table's decision; the score of round {round} may"
                    " still change"
                )
                return tr(say, at=at, entry=entry, round=waits.round)
            say = mark("{at} ({entry}) waits for the table's decision; nothing is shown from it on")
            return tr(say, at=at, entry=entry)
        if self._marked:
            return tr("an entry was refused, and waits for the table's decision")
        return ""

    def _about(self, match: Match) -> list[tuple[str, str]]:
        """Return the details of the match as pairs of a label and a text."""
        row = self._desk.row
        pairs = (
            (tr("Title"), row.title),
            (tr("Started"), moment_of(row.started, row.day)),
            (tr("Place"), row.place or ""),
            (tr("Note"), row.note),
            (tr("Players"), ", ".join(match.players)),
        )
        return [pair for pair in pairs if pair[1]]


class Scene(NamedTuple):
    """The content of a page about a match.

    `details` are pairs of a label and a text. `screen` is the live round, None while it is
    hidden. `log` has the entries of all shown rounds, oldest first. `history` is the source of
    the sheet. `rulings` are lines. `pending` is the decision for which the table waits, or "".
    `position` rises with every change. `trouble` is the reason why the store cannot be read now,
    or "". The other values are then those of the last reading.
    """

    title: str
    about: list[tuple[str, str]]
    screen: TableScreen | None
    log: list[SpokenEntry]
    reviewed: MatchView
    rulings: list[str]
    waits: str
    over: bool
    position: int
    trouble: str = ""


class SpokenEntry(NamedTuple):
    """A public entry: its place (`2.7`), its text in the match's language, and its findings."""

    place: str
    text: str
    note: str


def _trouble(failure: Failure) -> str:
    """Return the reason why a match cannot be read, for spectators."""
    if isinstance(failure, Locked):
        return tr("somebody else keeps the book busy: what is shown may be old")
    if isinstance(failure, Damaged):
        return tr("the book cannot be read now: what is shown may be old")
    return tr("this match is not in the book any longer: what is shown is how it stood last")


def _alike(one: Scene, other: Scene) -> bool:
    """Return whether two scenes have the same content."""
    if one._replace(reviewed=other.reviewed, position=0) != other._replace(position=0):
        return False
    return list(one.reviewed.summaries()) == list(other.reviewed.summaries())


def _said(rounds: list[Told], speech: Speech, rules_text: str) -> Iterator[SpokenEntry]:
    """Yield the entries of rounds with their findings, citing paragraphs of the rule text."""
    from scorekeeper.ruleset.citations import place as cited

    for entries, summary in rounds:
        notes: dict[int, list[str]] = {}
        for number, found in summary["found"]:
            cite = found["cite"] and cited(rules_text, found["cite"])
            told = speech.told(said_of({**found, "cite": cite}))
            notes.setdefault(number, []).append(told)
        for number, text in enumerate(entries, 1):
            place = f"{summary['round']}.{number}"
            yield SpokenEntry(place, speech.spoken(text), "; ".join(notes.get(number, ())))


def _rulings(past: PublicMatch, match: Match, speech: Speech) -> list[str]:
    """Return the findings of the rounds as lines, the latest first."""
    found = found_seen(past, match)
    return [line for entry in found for line in entry_lines(entry, match.ruleset, speech)]


class _Rounds:
    """The public information on the rounds of a match.

    `publics` has all rounds. `reviews` are those rounds with their summaries.
    """

    def __init__(self, whole: Match) -> None:
        self.publics: list[Public] = []
        self.tolds: list[Told] = []
        self._befores: list[Standing] = []
        self._base = whole.beside(whole.began, whole.first)
        self._take(whole)

    def follow(self, desk: Desk, rows: list[LogRow]) -> None:
        """Update the rounds after new rows of the log.

        Only the round in progress and later ones are read, unless an amendment changed earlier
        ones.
        """
        first = min([len(self.publics) or 1, *(row.round for row in rows)])
        plain = all(row.kind in ("entry", "undo") for row in rows)
        self._take(since(desk, first) if plain else desk.whole())

    def _take(self, match: Match) -> None:
        """Replace the rounds from the first one of that match on."""
        at = match.first - 1
        for known in (self.publics, self.tolds, self._befores):
            del known[at:]
        seen = self._after(at)
        for public in match.publicly():
            self._befores.append(seen.standing)
            self.publics.append(public)
            self.tolds.append(told(seen.take_seen(public), public))
        self._now = seen

    def _after(self, count: int) -> Match:
        """Return the public match after that number of rounds."""
        if not count:
            return self._base.begun_again()
        match = self._base.beside(self._befores[count - 1], count)
        match.take_seen(self.publics[count - 1])
        return match

    def count(self, delay: int) -> int:
        """Return the number of rounds to show.

        With a delay, only finished rounds are shown, without the last `delay` - 1 of them.
        """
        last = self.publics[-1].announced if self.publics else None
        if not delay or (last is not None and last.standing["over"]):
            return len(self.publics)
        over = sum(public.announced is not None for public in self.publics)
        return max(0, over - delay + 1)

    def at(self, count: int) -> tuple[Match, list[Told], Waiting | None]:
        """Return the match after that number of rounds, its reviewed rounds, and the pending
        decision.

        A round in progress with a pending decision is shown up to the entry before it.
        """
        match = self._now if count == len(self.publics) else self._after(count)
        tolds = self.tolds[:count]
        waits = match.waits
        if waits is not None and waits.round == count:
            told_of = self.publics[count - 1]
            public = Public(told_of.texts[: waits.number - 1], None, told_of.windows)
            match, tolds = self._base.beside(self._befores[count - 1], count), tolds[:-1]
            if public.texts:
                tolds = [*tolds, told(match.take_seen(public), public)]
        return match, tolds, waits
