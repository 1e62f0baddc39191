"""An amendment as a line of the live table: `amend 2.5 --before Ben: QC`."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from scorekeeper.core.failures import Failure, Impossible, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.play.amending import Change, account, read_place, retyped
from scorekeeper.play.hidden import hidden
from scorekeeper.play.resting import resting
from scorekeeper.session.judging import BY_HAND, as_seen
from scorekeeper.store.history import History, put_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.notation import Notation
    from scorekeeper.notation.speech import Speech
    from scorekeeper.play.amending import Account
    from scorekeeper.play.match import Match
    from scorekeeper.play.resting import Resting
    from scorekeeper.store.desk import Desk
    from scorekeeper.store.protocol import LogRow

WORD = "amend"
USAGE = mark("amend [ROUND.]N ENTRY puts an entry right; with --before, --remove, --yes")
_QUOTED = re.compile(r"""(?<!\S)(["'])(.+?)\1(?=[\s,;]|$)""")
OPTIONS = ("--before", "--remove", "--yes")


class Wanted(NamedTuple):
    """What somebody wants amended, `texts` as typed; `yes`: whatever no longer stands."""

    round: int
    entry: int
    texts: list[str]
    before: bool
    yes: bool

    def done(self, desk: Desk, language: str) -> Account:
        """What it comes to at the desk of the match, as the table may know it; `language`: in whose
        letters it was typed."""
        try:
            return desk.amend(
                self.round,
                self.entry,
                *self.texts,
                before=self.before,
                agree=lambda found: self.yes or not found.breaks,
                language=language,
                tell=account_as_seen,
            )
        except (Unreadable, Impossible) as failure:
            raise self._failed(desk, failure, language) from failure

    def _failed(self, desk: Desk, failure: Failure, language: str) -> Failure:
        """What may be told of an amendment that cannot be."""
        seen = desk.whole().seen()
        try:
            change = Change(self.round, self.entry, tuple(self.texts), self.before)
            texts = [ruling.entry for ruling in retyped(seen, change, language)]
            seen.amended(self.round, self.entry, *texts, before=self.before)
        except Failure as known:
            return known
        return Impossible(tr("that is impossible by what was entered"))

    def refused(self, desk: Desk, ruling: Ruling, hide: Callable[[str], str]) -> Ruling:
        """What may be told of an entry that is refused there."""
        seen = desk.whole().seen()
        played = seen.rounds[seen.place_of(self.round, self.entry, self.before)]
        return as_seen(ruling, seen.before_entry(played, self.entry), hide)


def account_as_seen(before: Match, after: Match, change: Change, rulings: list[Ruling]) -> Account:
    """What an amendment comes to, by what the table has seen. Of what only a hand that was entered
    refuses no more is told than that."""
    found = account(before, after, change, rulings)
    known = account(before.seen(), after.seen(), change, rulings)
    places = {(each.round, each.number) for each in known.broken}
    by_hand = [
        each._replace(reason=tr(BY_HAND))
        for each in found.broken
        if (each.round, each.number) not in places
    ]
    return found._replace(
        removed=known.removed,
        broken=sorted([*known.broken, *by_hand], key=lambda each: (each.round, each.number)),
        stands=known.stands,
        mended=known.mended,
        fallen=known.fallen,
    )


AMENDMENTS = ("amend", "replace", "insert", "remove")


def asked(desk: Desk) -> list[Resting]:
    """What rests on entries that were amended, as long as nobody has said whether it still holds:
    it was not amended itself since, and what it rests on is not again what it was."""
    log = desk.log()
    if not any(row.kind in AMENDMENTS for row in log):
        return []
    whole, stood, marked = desk.whole(), History(()), History(())
    found: list[tuple[LogRow, str, str, Resting]] = []
    instead: dict[str, str] = {}  # by the mark of what an amendment put in, that of what was there
    for row in log:
        was, marks = _texts_at(stood, row), _texts_at(marked, row)
        stood.add(row)
        names = [f"{row.position} {at}" for at in range(len(row.text.split("\n")))]
        marked.add(row._replace(text="\n".join(names)))
        if row.kind not in AMENDMENTS or not was or row.round > len(whole.rounds):
            continue
        now, names_now = _texts_at(stood, row), _texts_at(marked, row)
        if row.kind == "amend":
            instead[names[0]] = marks[0][row.number - 1]
        for each in _rests(whole, row, was, now):
            name = names_now[each.round - row.round][each.number - 1]
            found.append((row, "".join(was[0][row.number - 1 : row.number]), name, each))
    return list(_unsettled(found, stood, marked, instead, whole.known_notation))


def _unsettled(
    found: list[tuple[LogRow, str, str, Resting]],
    stood: History,
    marked: History,
    instead: Mapping[str, str],
    notation: Notation,
) -> Iterator[Resting]:
    """Those of what was found about which the table must still say something, each once, where it
    stands now and as the table has seen it."""
    standing = {done.row.position for done in stood.done}
    places = {
        name: (number, at)
        for number, names in enumerate(marked.rounds, 1)
        for at, name in enumerate(names, 1)
    }
    again = set()  # what was amended, and then to what it had been
    for name, (number, at) in places.items():
        back = name
        while back in instead:
            again.add((back, stood.rounds[number - 1][at - 1]))
            back = instead[back]
    latest = {
        places[name]: each
        for row, was, name, each in found
        if row.position in standing and (f"{row.position} 0", was) not in again and name in places
    }
    for (number, at), each in sorted(latest.items(), key=itemgetter(0)):
        yield each._replace(round=number, number=at, entry=hidden(each.entry, notation))


def _texts_at(history: History, row: LogRow) -> list[list[str]]:
    """The entries of the round that a row is about and of the next one, as they stand."""
    return [list(texts) for texts in history.rounds[row.round - 1 : row.round + 1]]


def _rests(whole: Match, row: LogRow, was: list[list[str]], now: list[list[str]]) -> list[Resting]:
    """What rested on the entry that a row has changed."""
    before, after = (whole.beside(whole.rounds[row.round - 1].before, row.round) for _ in range(2))
    for match, rounds in ((before, was), (after, now)):
        for texts in rounds:
            match.play_round(texts)
    change = Change(row.round, row.number, tuple(put_in(row)), row.kind == "insert")
    return resting(before, after, change)


def read_wanted(match: Match, line: str, speech: Speech) -> Wanted:
    """What a line that begins with the word says. Raises Unreadable."""
    words = line.split()[1:]
    options = {word for word in words if word in OPTIONS}
    words = [word for word in words if word not in OPTIONS]
    if not words:
        raise Unreadable(tr("which entry?"), tr(USAGE))
    number, entry = read_place(match, words[0])
    texts = _entries(" ".join(words[1:]), speech)
    if bool(texts) == ("--remove" in options) or {"--before", "--remove"} <= options:
        raise Unreadable(tr("an entry is taken out, or something stands in its place"), tr(USAGE))
    return Wanted(number, entry, texts, "--before" in options, "--yes" in options)


def _entries(text: str, speech: Speech) -> list[str]:
    """The entries of a text; quotes part them, as where the command is typed."""
    pieces: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(text):
        pieces += [text[at : quoted.start()], quoted[2]]
        at = quoted.end()
    return [entry for piece in [*pieces, text[at:]] for entry in speech.pieces(piece)]
