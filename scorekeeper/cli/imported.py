"""What an import came to, told: each match of a few, of many what is special and a summary."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from scorekeeper.cli.common import FINE, code_of, say, say_json, talk, tell
from scorekeeper.cli.speaking import agrees
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.core.text import shown
from scorekeeper.store.arriving import Refused, place_of
from scorekeeper.store.record import OTHER_RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.store.arriving import Arrival
    from scorekeeper.store.protocol import MatchRow
    from scorekeeper.store.taking import Taken

# What tells a match apart from one that looks like it (`Like.differs`).
DIFFERS = (
    *(mark("rules"), mark("started"), mark("place"), mark("language"), mark("title")),
    *(mark("note"), mark("entries")),
)


MOST_ALIKE = 5  # of several matches that look like others, those that are told
MOST_CHANGED = 5  # of several whose rules have changed since, those that are told


class Import:
    """What has come of an import so far. As text it is told as it comes where `several` is not
    said, else when all is done (`end`): what is special, and a summary. `dry`: nothing is taken,
    and each match is told with what is in it. `table`: they are evenings of a table. `code` is the
    worst exit code."""

    def __init__(self, format: str, several: bool, dry: bool, table: bool) -> None:
        self.code = FINE
        self._table = table
        self._alike = self._changed = 0
        self._format, self._several, self._dry = format, several, dry
        self._rows: list[Json] = []
        self._later: list[Callable[[], object]] = []
        self._new: list[int] = []
        self._known = self._replaced = self._refused = 0

    def heard(self, what: tuple[Arrival, Taken] | Refused) -> None:
        """Something came of a match."""
        if isinstance(what, Refused):
            self._refused += 1
            self._refuse(what)
        else:
            arrival, made = what
            self._count(made)
            self._rows.append(_row(arrival, made, self._dry))
            if self._format == "text":
                self._tell(arrival, made)
        if not self._several:
            self._flush()

    def end(self) -> None:
        """Tell what was not told yet, and what all came to."""
        if self._format == "json":
            say_json(self._rows)
        elif self._several and (self._rows or self._refused):
            self._flush()
            if self._alike > MOST_ALIKE:
                talk(plural("{count} more looks like one that is there: --format json names it",
                            "{count} more look like some that are there: --format json names them",
                            self._alike - MOST_ALIKE))  # fmt: skip
            if self._changed > MOST_CHANGED:
                talk(plural("of {count} more the rules have changed: --format json names it",
                            "of {count} more the rules have changed: --format json names them",
                            self._changed - MOST_CHANGED))  # fmt: skip
            say(self._summary())
        if self._dry:
            talk(tr("nothing was written: it was a dry run"))

    def _count(self, made: Taken) -> None:
        if made.replaced:
            self._replaced += 1
        elif made.known:
            self._known += 1
        else:
            self._new.append(made.match)

    def _flush(self) -> None:
        for line in self._later:
            line()
        self._later.clear()

    def _say(self, text: str) -> None:
        self._later.append(partial(say, text))

    def _talk(self, text: str) -> None:
        self._later.append(partial(talk, text))

    def _refuse(self, refused: Refused) -> None:
        for failure in refused.failures:
            self.code = max(self.code, code_of(failure))
            self._later.append(partial(tell, failure))
        first = refused.failures[0]
        row: Json = {"file": refused.file, "match": None, "known": False}
        if refused.line:
            row["line"] = refused.line
        self._rows.append({**row, "fault": first.message, "hint": first.hint})
        if len(refused.failures) > 1:
            self._rows[-1]["faults"] = [failure.message for failure in refused.failures]
        if self._format == "json":
            self._flush()

    def _summary(self) -> str:
        new, first, last = len(self._new), min(self._new, default=0), max(self._new, default=0)
        said = plural("{count} new match", "{count} new matches", new)
        if new and last:
            said = f"{said} ({first})" if first == last else _with_span(said, first, last)
        parts = [
            said if new else "",
            tr("{count} put right", count=self._replaced) if self._replaced else "",
            tr("{count} known already", count=self._known) if self._known else "",
            tr("{count} refused", count=self._refused) if self._refused else "",
        ]
        count = new + self._replaced + self._known + self._refused
        what = ", ".join(filter(None, parts))
        if self._table:
            return plural("{count} evening: {what}", "{count} evenings: {what}", count, what=what)
        return plural("{count} record: {what}", "{count} records: {what}", count, what=what)

    # --- one match

    def _tell(self, arrival: Arrival, made: Taken) -> None:
        self._tell_taken(arrival, made)
        if arrival.other_rules:
            self._changed += 1
            if self._changed <= MOST_CHANGED:
                what = tr(OTHER_RULES, ruleset=arrival.match.ruleset.name)
                name = place_of(arrival)
                told = tr("{path}: {what}", path=name, what=what) if self._several else f"  {what}"
                self._talk(told)

    def _tell_taken(self, arrival: Arrival, made: Taken) -> None:
        name = place_of(arrival)
        if arrival.misclaimed:
            self._talk(_claims(name, arrival.file, arrival.misclaimed))
        if self._dry:
            self._say(_would_be(name, arrival, made))
        elif made.replaced:
            self._say(tr("{file}: has taken the place of match {match}", file=name,
                         match=made.match))  # fmt: skip
        if made.replaced:
            self._tell_changed(made.changed)
            for number in made.same:
                said = tr("match {match} says the same: scorekeeper delete {match}", match=number)
                self._remark(arrival, made, said)
        elif not self._dry and (not self._several or made.like or made.origins):
            self._alike += 1
            if self._several and self._alike > MOST_ALIKE:
                return
            told = mark("{file}: is already match {match}")
            told = told if made.known else mark("{file}: is now match {match}")
            self._say(tr(told, file=name, match=made.match))
        for other in made.like:
            differs = ", ".join(map(tr, other.differs))
            said = tr("it looks like match {match}, but for: {differs}", match=other.match,
                      differs=differs)  # fmt: skip
            self._remark(arrival, made, said)
        if made.origins and not made.replaced:
            self._remark(arrival, made, _origins(made.origins, made.match))

    def _remark(self, arrival: Arrival, made: Taken, what: str) -> None:
        """Tell something of a match: of several, which one it is about."""
        if not self._several:
            self._talk(f"  {what}")
        elif made.match and not self._dry:
            told = tr("{path}, match {match}: {what}", path=place_of(arrival), match=made.match,
                      what=what)  # fmt: skip
            self._talk(told)
        else:
            self._talk(tr("{path}: {what}", path=place_of(arrival), what=what))

    def _tell_changed(self, changed: Mapping[str, tuple[str, str]]) -> None:
        """What is kept about a match otherwise than before, which no undo brings back."""
        for key, (before, after) in changed.items():
            said = {"what": tr(key), "before": shown(before), "after": shown(after)}
            if self._dry:
                self._talk(_would_change(said, before, after))
            elif before and after:
                self._talk(tr("  its {what} was “{before}”, and is “{after}” now", **said))
            elif before:
                self._talk(tr("  its {what} was “{before}”, and is none now", **said))
            else:
                self._talk(tr("  its {what} is “{after}” now", **said))


def agreed(arrival: Arrival, origin: MatchRow) -> bool:
    """Whether the person wants a record in the place of its match."""
    from scorekeeper.cli.telling import match_line

    talk(match_line(origin))
    asked = tr("{file} came from this match: put it right by it? [y/N]", file=place_of(arrival))
    talk(asked)
    return agrees(sys.stdin.readline())


def _row(arrival: Arrival, made: Taken, dry: bool) -> Json:
    """What came of a match, as data."""
    row: Json = {"file": arrival.file, "match": made.match or None, "known": made.known}
    if arrival.line:
        row["line"] = arrival.line
    if arrival.other_rules:
        now = arrival.match.ruleset
        row["other_rules"] = {"ruleset": now.name, "recorded": arrival.other_rules,
                              "now": now.sha256}  # fmt: skip
    if made.replaced:
        row["replaced"] = True
    if dry:
        match = arrival.match
        row |= {"ruleset": match.ruleset.name, "started": arrival.about.get("started", ""),
                "players": match.players, "rounds": len(match.rounds) * (not arrival.totals_alone),
                "scores": match.scores}  # fmt: skip
    like = [each._asdict() for each in made.like]
    return {**row, "like": like} if like else row


def _would_be(name: str, arrival: Arrival, made: Taken) -> str:
    """What a match is, and what would come of it."""
    match = arrival.match
    said = (arrival.about.get("started", ""), arrival.about.get("title", ""),
            match.ruleset.said(match.ruleset.title))  # fmt: skip
    scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
    rounds = plural("{count} round", "{count} rounds", len(match.rounds))
    if arrival.totals_alone:
        rounds = tr("a whole evening")
    told = tr("new")
    if made.replaced:
        told = tr("takes the place of match {match}", match=made.match)
    elif made.known:
        told = tr("is already match {match}", match=made.match) if made.match else tr("came before")
    return f"{name}: {', '.join(filter(None, said))}: {rounds}; {scores}; {told}"


def _would_change(said: Mapping[str, str], before: str, after: str) -> str:
    if before and after:
        return tr("  its {what} is “{before}”, and would be “{after}”", **said)
    if before:
        return tr("  its {what} is “{before}”, and would be none", **said)
    return tr("  its {what} would be “{after}”", **said)


def _with_span(said: str, first: int, last: int) -> str:
    span = tr("{first} to {last}", first=first, last=last)
    return f"{said} ({span})"


def _claims(name: str, file: str, rounds: Sequence[int]) -> str:
    """Of which rounds a record claims other scores than its entries come to."""
    if name != file:
        return plural(
            "{name}: the scores that it claims of round {rounds} are not what the entries come to",
            "{name}: the scores that it claims of rounds {rounds} are not what the entries come to",
            len(rounds),
            name=name,
            rounds=", ".join(map(str, rounds)),
        )
    return plural(
        "  the scores that it claims of round {rounds} are not what the entries come to:"
        " scorekeeper verify {file}",
        "  the scores that it claims of rounds {rounds} are not what the entries come to:"
        " scorekeeper verify {file}",
        len(rounds),
        rounds=", ".join(map(str, rounds)),
        file=file,
    )


def _origins(found: Sequence[MatchRow], made: int) -> str:
    """Which matches a record may have come from."""
    numbers = ", ".join(str(row.id) for row in found)
    if len(found) > 1:
        return tr("it may have come from any of the matches {numbers}", numbers=numbers)
    if not made:
        return tr("if it is match {match} put right: import --replace", match=numbers)
    say = mark("if it is match {match} put right: scorekeeper delete {made}, then import --replace")
    return tr(say, match=numbers, made=made)
