"""A match as everybody may look at it who is not at its table: what has been public, and no more.

`SpectatorMatch` looks into the store and keeps what it has while nobody can read that; `Scene` is
all that a page tells, as values. A scene is made of what everybody knows of the rounds (`Public`),
and of what is kept about the match; so it is the same for matches that differ in hands alone.
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
    """One match of a store, looked at. With `delay` a deal is shown when it is over (with 2, when
    the next one is, and so on); `language` is the one that entries are written in. Raises Failure
    if the match cannot be read at first."""

    def __init__(self, desk: Desk, delay: int = 0, language: str = "") -> None:
        self._desk = desk
        self._delay = delay
        self._language = language
        self._past = _Rounds(desk.whole())
        self._marked = desk.store.marked(desk.id)
        self._read = desk.seen
        self._scene = self._made()

    def scene(self) -> Scene:
        """What is shown now."""
        return self._scene

    def news(self) -> bool:
        """Look into the store; whether what is shown has changed. Never raises a failure of the
        store: what was shown stays, and says why."""
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
        """Read the whole match: nobody knows how far that came when it failed."""
        self._desk.load()
        self._past = _Rounds(self._desk.whole())
        self._read = self._desk.seen

    def _rows(self) -> list[LogRow]:
        """What was recorded since we looked, by whomever, as far as the desk has read it."""
        desk = self._desk
        desk.news()
        if desk.seen == self._read:
            return []
        rows = desk.store.log(desk.id, self._read + 1)
        return [row for row in rows if row.position <= desk.seen]

    # --- what is shown

    def _made(self) -> Scene:
        """What is shown of what was read last."""
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
        """Where the log of the store stood when the scene was seen to change."""
        before = getattr(self, "_scene", None)
        if before is None and shown < len(self._past.publics):
            return max((row.position for row in self._desk.log() if row.round <= shown), default=0)
        if before is None or not _alike(scene, before):
            return self._desk.seen
        position: int = before.position
        return position

    def _later(self) -> str:
        """When what is not shown yet will be."""
        if self._delay == 1:
            return tr("this deal is shown when it is over")
        say = mark("a deal is shown when {count} more are over")
        return (
            tr(say, count=self._delay - 1)
            if self._delay > 2
            else tr("a deal is shown when the next one is over")
        )

    def _waits(self, waits: Waiting | None, shown: int, speech: Speech) -> str:
        """What the table has to decide, where so many rounds are shown."""
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
    """What is shown of a match.

    `about` are pairs of a word and what it is; `screen` is the live round, None where nothing of it
    may be shown; `log` has the entries of all rounds that are shown, the first first; `reviewed` is
    what a sheet is made of; `rulings` are lines; `waits` says that the table has to decide
    something ("": it has not). `position` goes up with whatever changes; `trouble` is why the store
    cannot be read now ("": it can), and then all else is as it was last.
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
    """An entry as everybody saw or heard it: where it stands (`2.7`), its text in the letters of
    the match, and what was found on it ("" for nothing)."""

    place: str
    text: str
    note: str


def _trouble(failure: Failure) -> str:
    """Why a match cannot be looked at now, for people who have nothing to do with where it is."""
    if isinstance(failure, Locked):
        return tr("somebody else keeps the book busy: what is shown may be old")
    if isinstance(failure, Damaged):
        return tr("the book cannot be read now: what is shown may be old")
    return tr("this match is not in the book any longer: what is shown is how it stood last")


def _alike(one: Scene, other: Scene) -> bool:
    """Whether two scenes show the same."""
    if one._replace(reviewed=other.reviewed, position=0) != other._replace(position=0):
        return False
    return list(one.reviewed.summaries()) == list(other.reviewed.summaries())


def _said(rounds: list[Told], speech: Speech, rules_text: str) -> Iterator[SpokenEntry]:
    """The entries of rounds, each with what was found on it, by the paragraphs of that text."""
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
    """What was found in the rounds, the last first."""
    found = found_seen(past, match)
    return [line for entry in found for line in entry_lines(entry, match.ruleset, speech)]


class _Rounds:
    """What everybody knows of the rounds of a match: `publics`; what each came to (`tolds`), and
    the standing before it, as far as they are past."""

    def __init__(self, whole: Match) -> None:
        self.publics: list[Public] = []
        self.tolds: list[Told] = []
        self._befores: list[Standing] = []
        self._base = whole.beside(whole.began, whole.first)
        self._take(whole)

    def follow(self, desk: Desk, rows: list[LogRow]) -> None:
        """Take in what came since: the round that went on then, and what followed it. What reaches
        further back, or changes which rounds there are, is read from the beginning."""
        first = min([len(self.publics) or 1, *(row.round for row in rows)])
        plain = all(row.kind in ("entry", "undo") for row in rows)
        self._take(since(desk, first) if plain else desk.whole())

    def _take(self, match: Match) -> None:
        """Take the rounds of a match from its first one on."""
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
        """The match after so many rounds, as the table has seen it."""
        if not count:
            return self._base.begun_again()
        match = self._base.beside(self._befores[count - 1], count)
        match.take_seen(self.publics[count - 1])
        return match

    def count(self, delay: int) -> int:
        """How many rounds are shown: with a delay only such as are over, but for the last ones."""
        last = self.publics[-1].announced if self.publics else None
        if not delay or (last is not None and last.standing["over"]):
            return len(self.publics)
        over = sum(public.announced is not None for public in self.publics)
        return max(0, over - delay + 1)

    def at(self, count: int) -> tuple[Match, list[Told], Waiting | None]:
        """How the match stands after so many rounds, what they came to, and which entry waits for
        the table's decision: its round, if that goes on, is shown as it was before that one."""
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
