"""A match for spectators, built from public information only.

`SpectatorMatch` reads the store. While the store cannot be read, it shows the last scene. A `Scene`
holds the values of everything that a page shows. Therefore matches that differ only in their hands
have equal scenes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Locked
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.public import PublicEntries, PublicMatch, review_public_round
from scorekeeper.session.hints import stored_finding_text
from scorekeeper.session.public_round import match_since
from scorekeeper.session.rulings import Faults, entry_lines, list_public_findings
from scorekeeper.session.screen import make_screen, turn_text
from scorekeeper.store.rows import format_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Standing
    from scorekeeper.match.match import Match
    from scorekeeper.match.public import PendingDecision
    from scorekeeper.match.view import MatchView, ReviewedRound
    from scorekeeper.notation.notation import Translator
    from scorekeeper.session.screen import TableScreen
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.rows import LogRow


class SpectatorMatch:
    """A match in a store, as shown to spectators.

    If `delay` is 1, a deal is shown when it is finished. If `delay` is 2, the deal is shown when
    the next one is finished, and so on. `language` is the language of the displayed entries. Raises
    Failure if the match cannot be read when this object is created.
    """

    def __init__(self, desk: MatchRecorder, delay: int = 0, language: str = "") -> None:
        self._desk = desk
        self._delay = delay
        self._language = language
        self._rounds = _PublicRounds(desk.full_match())
        self._pending_mark = desk.store.has_pending_decision(desk.id)
        self._read_position = desk.last_position
        self._scene = self._make_scene()

    def scene(self) -> Scene:
        """Return the current scene."""
        return self._scene

    def check_news(self) -> bool:
        """Read the store, and return whether the scene has changed.

        Errors of the store are not raised. Instead, the last scene remains, and its `trouble`
        contains the reason.
        """
        try:
            if self._scene.trouble:
                self._reload()
            rows = self._read_new_rows()
            old_mark, self._pending_mark = (
                self._pending_mark,
                self._desk.store.has_pending_decision(self._desk.id),
            )
            is_stale = (
                self._desk.refresh_details()
                or old_mark != self._pending_mark
                or self._scene.trouble
            )
            if not (rows or is_stale):
                return False
            if rows:
                self._rounds.follow(self._desk, rows)
                self._read_position = rows[-1].position
            made = self._make_scene()
        except Failure as failure:
            made = self._scene._replace(trouble=_trouble_text(failure))
        changed = made != self._scene
        self._scene = made
        return changed

    def _reload(self) -> None:
        """Reload the whole match, because a failure may have left it incomplete."""
        self._desk.load()
        self._rounds = _PublicRounds(self._desk.full_match())
        self._read_position = self._desk.last_position

    def _read_new_rows(self) -> list[LogRow]:
        """Return the rows recorded since the store was last read."""
        desk = self._desk
        desk.refresh()
        if desk.last_position == self._read_position:
            return []
        rows = desk.store.log(desk.id, self._read_position + 1)
        return [row for row in rows if row.position <= desk.last_position]

    # --- scenes

    def _make_scene(self) -> Scene:
        """Return the scene of the current state."""
        desk, speech = self._desk, self._desk.translator(self._language)
        count = self._rounds.shown_count(self._delay)
        live = count == len(self._rounds.publics)
        match, tolds, waits = self._rounds.state_after(count)
        past = PublicMatch(match, tolds)
        table = None
        if live:
            table_screen = make_screen(match, Faults(match, match, speech), playing=True)
            table = table_screen._replace(turn=turn_text(match, for_spectators=True)).translate(
                speech.translate_letters
            )
        scene = Scene(
            desk.ruleset.translate(desk.ruleset.title),
            self._list_details(match),
            table,
            list(_spoken_entries(tolds, speech, desk.ruleset.rules_text)),
            past,
            _rulings(past, match, speech),
            self._pending_text(waits, count, speech) if live else self._delay_text(),
            live and match.over,
            0,
        )
        return scene._replace(position=self._scene_position(scene, count))

    def _scene_position(self, scene: Scene, count: int) -> int:
        """Return the position in the store's log at the last change of the scene."""
        before = getattr(self, "_scene", None)
        if before is None and count < len(self._rounds.publics):
            return max((row.position for row in self._desk.log() if row.round <= count), default=0)
        if before is None or not _is_same(scene, before):
            return self._desk.last_position
        position: int = before.position
        return position

    def _delay_text(self) -> str:
        """Return a sentence that explains when the hidden deals will be shown."""
        if self._delay == 1:
            return tr("this deal will be shown when it is finished")
        template = N_("a deal is shown once {count} more deals are finished")
        return (
            tr(template, count=self._delay - 1)
            if self._delay > 2
            else tr("a deal is shown once the next one is finished")
        )

    def _pending_text(
        self, decision: PendingDecision | None, count: int, speech: Translator
    ) -> str:
        """Return the decision that the table must make, as text, or ""."""
        if decision is not None:
            at, entry = f"{decision.round}.{decision.number}", speech.to_spoken(decision.text)
            if decision.round < count:
                template = N_(
                    "{at} ({entry}) is waiting for the table's decision; the score of round {round}"
                    " may still change"
                )
                return tr(template, at=at, entry=entry, round=decision.round)
            template = N_(
                "{at} ({entry}) is waiting for the table's decision; later entries are hidden"
            )
            return tr(template, at=at, entry=entry)
        if self._pending_mark:
            return tr("an entry was refused and is waiting for the table's decision")
        return ""

    def _list_details(self, match: Match) -> list[tuple[str, str]]:
        """Return the match details as pairs of a label and a value."""
        row = self._desk.row
        pairs = (
            (tr("Title"), row.title),
            (tr("Started"), format_start(row.started, row.day)),
            (tr("Place"), row.place or ""),
            (tr("Note"), row.note),
            (tr("Players"), ", ".join(match.players)),
        )
        return [pair for pair in pairs if pair[1]]


class Scene(NamedTuple):
    """The content of a page about a match.

    `details` lists pairs of a label and a value. `screen` is the live round, or None while that
    round is hidden. `log` contains the entries of all shown rounds, oldest first. The score sheet
    is made from `history`. `rulings` lists lines of text. `pending` is the decision that the table
    must make, or "". `position` increases with every change.

    `trouble` is the reason why the store cannot be read now, or "". If there is a reason, the other
    values are from the last successful reading.
    """

    title: str
    details: list[tuple[str, str]]
    screen: TableScreen | None
    log: list[SpokenEntry]
    history: MatchView
    rulings: list[str]
    pending: str
    over: bool
    position: int
    trouble: str = ""


class SpokenEntry(NamedTuple):
    """A public entry: its place (`2.7`), its text in the match's language, and its findings."""

    place: str
    text: str
    note: str


def _trouble_text(failure: Failure) -> str:
    """Return the reason why a match cannot be read, for spectators."""
    if isinstance(failure, Locked):
        return tr("another program is using the book, so this page may be out of date")
    if isinstance(failure, Damaged):
        return tr("the book cannot be read now, so this page may be out of date")
    return tr("this match is no longer in the book; this page shows its last state")


def _is_same(one: Scene, other: Scene) -> bool:
    """Return whether two scenes have the same content."""
    if one._replace(history=other.history, position=0) != other._replace(position=0):
        return False
    return list(one.history.summaries()) == list(other.history.summaries())


def _spoken_entries(
    rounds: list[ReviewedRound], speech: Translator, rules_text: str
) -> Iterator[SpokenEntry]:
    """Yield the entries of rounds with their findings. The findings cite paragraphs of the rule
    text."""
    from scorekeeper.ruleset.citations import cited_place as cited

    for entries, summary in rounds:
        notes: dict[int, list[str]] = {}
        for number, finding in summary["found"]:
            cite = finding["cite"] and cited(rules_text, finding["cite"])
            told = speech.translate_letters(stored_finding_text({**finding, "cite": cite}))
            notes.setdefault(number, []).append(told)
        for number, text in enumerate(entries, 1):
            place = f"{summary['round']}.{number}"
            yield SpokenEntry(place, speech.to_spoken(text), "; ".join(notes.get(number, ())))


def _rulings(past: PublicMatch, match: Match, speech: Translator) -> list[str]:
    """Return the findings of the rounds as lines, the latest first."""
    rulings = list_public_findings(past, match)
    return [line for entry in rulings for line in entry_lines(entry, match.ruleset, speech)]


class _PublicRounds:
    """The public information on the rounds of a match.

    `publics` contains the public entries of all rounds, and `reviews` contains the same rounds with
    their summaries.
    """

    def __init__(self, whole: Match) -> None:
        self.publics: list[PublicEntries] = []
        self.reviews: list[ReviewedRound] = []
        self._standings: list[Standing] = []
        self._start = whole.copy_from(whole.first_standing, whole.first_number)
        self._add_rounds(whole)

    def follow(self, desk: MatchRecorder, rows: list[LogRow]) -> None:
        """Update the rounds after new rows in the log.

        Usually only the round in progress and later rounds are read. All rounds are read if an
        earlier round may have been amended.
        """
        first = min([len(self.publics) or 1, *(row.round for row in rows)])
        plain = all(row.kind in ("entry", "undo") for row in rows)
        self._add_rounds(match_since(desk, first) if plain else desk.full_match())

    def _add_rounds(self, match: Match) -> None:
        """Replace the round at which the given match begins, and all later rounds."""
        at = match.first_number - 1
        for known in (self.publics, self.reviews, self._standings):
            del known[at:]
        public_match = self._match_after(at)
        for public in match.public_rounds():
            self._standings.append(public_match.standing)
            self.publics.append(public)
            self.reviews.append(review_public_round(public_match.add_public_round(public), public))
        self._current = public_match

    def _match_after(self, count: int) -> Match:
        """Return the public match after the given number of rounds."""
        if not count:
            return self._start.copy_from_start()
        match = self._start.copy_from(self._standings[count - 1], count)
        match.add_public_round(self.publics[count - 1])
        return match

    def shown_count(self, delay: int) -> int:
        """Return the number of rounds to show.

        If there is a delay, only finished rounds are shown, except the last `delay` - 1 of them.
        When the match has ended, all rounds are shown.
        """
        last = self.publics[-1].announced if self.publics else None
        if not delay or (last is not None and last.standing["over"]):
            return len(self.publics)
        over = sum(public.announced is not None for public in self.publics)
        return max(0, over - delay + 1)

    def state_after(self, count: int) -> tuple[Match, list[ReviewedRound], PendingDecision | None]:
        """Return the match after `count` rounds, a list of these rounds, and the pending decision.

        If a decision is pending in the round in progress, only the entries before the undecided
        entry are shown.
        """
        match = self._current if count == len(self.publics) else self._match_after(count)
        tolds = self.reviews[:count]
        waits = match.pending_decision
        if waits is not None and waits.round == count:
            told_of = self.publics[count - 1]
            public = PublicEntries(told_of.texts[: waits.number - 1], None, told_of.windows)
            match, tolds = self._start.copy_from(self._standings[count - 1], count), tolds[:-1]
            if public.texts:
                tolds = [*tolds, review_public_round(match.add_public_round(public), public)]
        return match, tolds, waits
