"""Amendments typed at the live table, such as `amend 2.5 --before Ben: QC`.

This module also finds the entries that depend on amended entries.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.amend import (
    Amendment,
    find_dependents,
    judge_amendment,
    may_depend,
    read_place,
    report_amendment,
)
from scorekeeper.match.public import redact
from scorekeeper.session.hints import HAND_REFUSES, public_ruling
from scorekeeper.store.recorder import LogState, inserted_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.amend import AmendmentReport, DependentEntry
    from scorekeeper.match.match import Match
    from scorekeeper.notation.notation import Translator
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.rows import LogRow

AMEND = "amend"
USAGE = N_("amend [ROUND.]N ENTRY corrects an entry; options: --before, --remove, --yes")
OPTIONS = ("--before", "--remove", "--yes")

_QUOTED = re.compile(r"""(?<!\S)(["'])(.+?)\1(?=[\s,;]|$)""")
AMENDMENTS = ("amend", "replace", "insert", "remove")


class AmendRequest(NamedTuple):
    """A typed amendment. `texts` are the new entries as typed.

    If `is_confirmed` is true, the amendment is saved even if other entries become invalid.
    """

    round: int
    entry: int
    texts: list[str]
    before: bool
    is_confirmed: bool

    def carry_out(self, desk: MatchRecorder, language: str) -> AmendmentReport:
        """Amend the match, and return the report without revealing hidden hands.

        `language` is the language in which the entries were typed.
        """
        try:
            return desk.amend(
                self.round,
                self.entry,
                *self.texts,
                before=self.before,
                confirm=lambda found: self.is_confirmed or not found.is_destructive,
                language=language,
                make_report=public_report,
            )
        except (Unreadable, Impossible) as failure:
            raise self._public_failure(desk, failure, language) from failure

    def _public_failure(self, desk: MatchRecorder, failure: Failure, language: str) -> Failure:
        """Return the error for an impossible amendment, without revealing hidden hands."""
        public = desk.full_match().public_copy()
        try:
            change = Amendment(self.round, self.entry, tuple(self.texts), self.before)
            texts = [ruling.entry for ruling in judge_amendment(public, change, language)]
            public.amended(self.round, self.entry, *texts, before=self.before)
        except Failure as known:
            return known
        return Impossible(tr("this contradicts other entries"))

    def public_ruling(
        self, desk: MatchRecorder, ruling: Ruling, hide: Callable[[str], str]
    ) -> Ruling:
        """Return the ruling on a refused entry, judged at its place in the match.

        Hidden hands are not revealed.
        """
        public = desk.full_match().public_copy()
        played = public.rounds[public.find_round_index(self.round, self.entry, self.before)]
        return public_ruling(ruling, public.copy_before_entry(played, self.entry), hide)


def read_request(match: Match, line: str, speech: Translator) -> AmendRequest:
    """Return the amendment that a line describes. Raises Unreadable."""
    words = line.split()[1:]
    options = {word for word in words if word in OPTIONS}
    words = [word for word in words if word not in OPTIONS]
    if not words:
        raise Unreadable(tr("the number of the entry is missing"), tr(USAGE))
    number, entry = read_place(match, words[0])
    texts = _split_entries(" ".join(words[1:]), speech)
    if bool(texts) == ("--remove" in options) or {"--before", "--remove"} <= options:
        raise Unreadable(tr("type either new entries or --remove"), tr(USAGE))
    return AmendRequest(number, entry, texts, "--before" in options, "--yes" in options)


def _split_entries(text: str, speech: Translator) -> list[str]:
    """Return the entries in a string. Text in quotation marks is one entry, as in a shell."""
    pieces: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(text):
        pieces += [text[at : quoted.start()], quoted[2]]
        at = quoted.end()
    return [
        entry
        for piece in [*pieces, text[at:]]
        for entry in speech.spoken_notation.split_pieces(piece)
    ]


def public_report(
    before: Match, after: Match, change: Amendment, rulings: list[Ruling]
) -> AmendmentReport:
    """Return the effects of an amendment, without revealing hidden hands.

    If an entry is illegal only because of a hand that was entered, the reason is withheld.
    """
    report = report_amendment(before, after, change, rulings)
    known = report_amendment(before.public_copy(), after.public_copy(), change, rulings)
    places = {(each.round, each.number) for each in known.invalid}
    by_hand = [
        each._replace(reason=tr(HAND_REFUSES))
        for each in report.invalid
        if (each.round, each.number) not in places
    ]
    return report._replace(
        removed=known.removed,
        invalid=sorted([*known.invalid, *by_hand], key=lambda each: (each.round, each.number)),
        valid_count=known.valid_count,
        restored_count=known.restored_count,
        still_invalid_count=known.still_invalid_count,
    )


# --- entries that depend on amended ones


def open_dependents(desk: MatchRecorder) -> list[DependentEntry]:
    """Return the entries that depend on amended entries and that the table has not confirmed.

    An entry is left out once it has been amended, or once the entry on which it depends has been
    restored. Each entry is returned as the table has seen it, with its current place.
    """
    log = desk.log()
    if not any(row.kind in AMENDMENTS for row in log):
        return []
    trail = _AmendmentTrail(log, desk.ruleset)
    if not trail.changes:
        return []
    whole = desk.full_match()
    latest: dict[tuple[int, int], DependentEntry] = {}
    for change in trail.changes:
        for each in _dependents_of(whole, trail, change):
            place = trail.places.get(change.marks[each.round - change.row.round][each.number - 1])
            if place is not None:
                latest[place] = each
    notation = whole.full_notation
    return [
        each._replace(round=number, number=at, entry=redact(each.entry, notation))
        for (number, at), each in sorted(latest.items(), key=itemgetter(0))
    ]


def _dependents_of(
    whole: Match, trail: _AmendmentTrail, change: _PastAmendment
) -> list[DependentEntry]:
    """Return the entries that depended on an amended entry."""
    row, number = change.row, trail.round_of(change)
    if not number:
        return []
    standing = whole.rounds[number - 1].before
    before, after = whole.copy_from(standing, row.round), whole.copy_from(standing, row.round)
    for match, rounds in ((before, change.old_rounds), (after, change.new_rounds)):
        for texts in rounds:
            match.play_round(texts)
    return find_dependents(
        before,
        after,
        Amendment(row.round, row.number, tuple(inserted_entries(row)), row.kind == "insert"),
    )


class _PastAmendment(NamedTuple):
    """A past amendment that has not been undone.

    `old_rounds` and `new_rounds` hold the entries of the amended round and the next round, before
    and after the amendment. `marks` identifies the entries of `new_rounds` even if their places
    change later.
    """

    row: LogRow
    old_rounds: list[list[str]]
    new_rounds: list[list[str]]
    marks: list[list[str]]


class _AmendmentTrail:
    """The history of each entry in a log.

    `changes` lists the amendments that have not been undone and that may affect other entries.
    `places` maps an entry's mark to the entry's current place.
    """

    def __init__(self, log: Sequence[LogRow], ruleset: Ruleset) -> None:
        texts_log, marks_log = LogState(()), LogState(())
        # maps the mark of each replacing entry to the mark of the entry that it replaced
        replaced: dict[str, str] = {}
        past: list[_PastAmendment] = []
        for row in log:
            was, marks = _texts_at(texts_log, row), _texts_at(marks_log, row)
            texts_log.add(row)
            names = [f"{row.position} {at}" for at in range(len(row.text.split("\n")))]
            marks_log.add(row._replace(text="\n".join(names)))
            if row.kind not in AMENDMENTS or not was or (row.kind == "remove" and len(was[0]) == 1):
                continue
            if row.kind == "amend":
                replaced[names[0]] = marks[0][row.number - 1]
            if any(may_depend(text, ruleset) for texts in was for text in texts):
                past.append(
                    _PastAmendment(row, was, _texts_at(texts_log, row), _texts_at(marks_log, row))
                )
        self.places = {
            name: (number, at)
            for number, names in enumerate(marks_log.rounds, 1)
            for at, name in enumerate(names, 1)
        }
        restored = set()  # entries that were amended and then restored
        for name, (number, at) in self.places.items():
            mark = name
            while mark in replaced:
                restored.add((mark, texts_log.rounds[number - 1][at - 1]))
                mark = replaced[mark]
        standing = {undoable.row.position for undoable in texts_log.operations}
        self.changes = [
            each
            for each in past
            if each.row.position in standing
            and (f"{each.row.position} 0", "".join(_amended_entry(each))) not in restored
        ]

    def round_of(self, change: _PastAmendment) -> int:
        """Return the current number of the amended round, or 0 if the round was removed."""
        numbers = (self.places[mark][0] for mark in change.marks[0] if mark in self.places)
        return next(numbers, 0)


def _texts_at(history: LogState, row: LogRow) -> list[list[str]]:
    """Return the current entries of a log row's round, and the entries of the next round."""
    return [list(texts) for texts in history.rounds[row.round - 1 : row.round + 1]]


def _amended_entry(change: _PastAmendment) -> list[str]:
    """Return a list that contains the amended entry. The list is empty for an insertion at the end
    of a round."""
    return change.old_rounds[0][change.row.number - 1 : change.row.number]
