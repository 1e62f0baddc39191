"""What rests on an entry that an amendment changes: claims, choices, penalties, and what the table
decided. It stays as it is, and the table is asked about it.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from scorekeeper.core.english import changed
from scorekeeper.core.messages import tr
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.notation import decision_in
from scorekeeper.play.hidden import hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.plain import Json
    from scorekeeper.notation import Entry
    from scorekeeper.play.amending import Change
    from scorekeeper.play.match import Match
    from scorekeeper.play.played import Played
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.compiled import Ruleset

BY_HAND = ("penalty", "foul")  # what the table says of somebody without naming an entry


class Resting(NamedTuple):
    """An entry that rests on what was changed: where it stands now, its text, whether it still
    counts, and why the table is asked about it."""

    round: int
    number: int
    entry: str
    counts: bool
    reason: str

    def as_json(self) -> Json:
        """The same as plain values."""
        return self._asdict()

    def lines(
        self,
        show: Callable[[str], str] = str,
        tell: Callable[[str], str] = str,
        typed: Callable[[str], str] = str,
    ) -> list[str]:
        """What it is and what is typed, each entry as `show` has it, the reason as `tell` has it
        and what is to be typed as `typed` has it."""
        at, out = f"{self.round}.{self.number}", f"amend {self.round}.{self.number} --remove"
        facts = {"at": at, "entry": show(self.entry), "reason": tell(self.reason)}
        if not self.counts:
            say = tr("it does not count any more: {at} {entry}: {reason}", **facts)
            how = tr("put it right: {same}; or take it out: {out}", same=f"amend {at} …", out=out)
        else:
            say = tr("does it still hold? {at} {entry}: {reason}", **facts)
            same = f"amend {at} {shlex.quote(typed(self.entry))}"
            how = tr("yes: {same}; no: {out}", same=same, out=out)
        return [say, f"  {how}"]


class _Proofs:
    """What was proven in a round: by the number of the entry that it is on, the entries that have
    shown it."""

    def __init__(self, rnd: Round) -> None:
        self.rnd, self.entries = rnd, rnd.entries()
        self.shown: dict[int, set[int]] = {}
        stands = {(at, finding.code) for at, finding in rnd.log.all_found() if finding.refuses}
        for shown, at, finding in rnd.log.wrong:
            if (at, finding.code) in stands:
                self.shown.setdefault(at, set()).add(shown)

    def brings(self, number: int) -> str | None:
        """The points that were decided with an entry; None where nothing was."""
        made = self.rnd.decisions.effects.get(number)
        if made is None:
            return None
        names = self.rnd.names_of
        return changed(("+".join(names(seats)), given) for _, seats, given, _ in made.charges) or (
            tr("no points")
        )


def resting(before: Match, after: Match, change: Change) -> list[Resting]:
    """What rests on the entry that an amendment has changed, in its round and in the next one."""
    index = before.place_of(change.round, change.entry, change.before)
    old = before.rounds[index]
    was = "" if change.before else old.entries[change.entry - 1]
    if change.texts == (was,) or len(after.rounds) < len(before.rounds):
        return []
    pairs = list(
        zip(before.rounds[index : index + 2], after.rounds[index : index + 2], strict=True)
    )
    speaking = [
        (played, fresh, number, entry)
        for played, fresh in pairs
        for number, entry in enumerate(before.notation_of(played).read_all(played.entries), 1)
        if _may_rest(entry) and (played is not old or change.before or number != change.entry)
    ]
    if not speaking:
        return []
    look = _Look(before, after, change, old)
    return [
        Resting(fresh.number, number, fresh.entries[number - 1], fresh.counts(number), why)
        for played, fresh, at, entry in speaking
        for number in [look.now(at) if played is old else at]
        if (why := look.why(played, at, entry))
    ]


def may_rest(text: str, ruleset: Ruleset) -> bool:
    """Whether an entry may rest on another one, by how its canonical text looks."""
    verb = ruleset.verbs.get(text.partition(" ")[0])
    spoken = verb is not None and (verb.speaks_of or verb.word in BY_HAND)
    return bool(spoken or decision_in(text))


def _may_rest(entry: Entry) -> bool:
    return bool(entry.decision or entry.verb.speaks_of or entry.verb.word in BY_HAND)


class _Look:
    """What an amendment has changed for what rests on entries of its round."""

    def __init__(self, before: Match, after: Match, change: Change, old: Played) -> None:
        self.change, self.old = change, old
        self.texts = [hidden(text, before.notation_of(old)) for text in old.entries]
        self.proven = _Proofs(before.replayed(old))
        index = before.rounds.index(old)
        self.still = _Proofs(after.replayed(after.rounds[index]))

    def now(self, number: int) -> int:
        """The number that an entry of the round has after the amendment."""
        change = self.change
        if number < change.entry or (number == change.entry and not change.before):
            return number
        return number + len(change.texts) - (not change.before)

    def why(self, played: Played, number: int, entry: Entry) -> str:
        """Why the table is asked about an entry ("": it is not)."""
        own = played is self.old
        if own and decision_in(entry.text) and number in self.proven.shown:
            return "" if self.now(number) in self.still.shown else tr("nothing is against it now")
        about = next(filter(None, map(self._about, self._acts(played, number, entry))), "")
        return about or (self._comes_to(number) if own else "")

    def _comes_to(self, number: int) -> str:
        """That a decision brings other points now ("": it does not)."""
        was = self.proven.brings(number)
        now = self.still.brings(self.now(number))
        if was is None or now is None or was == now:
            return ""
        return tr("it came to {was}, and comes to {now}", was=was, now=now)

    def _acts(self, played: Played, number: int, entry: Entry) -> Iterator[int]:
        """The entries of the round that somebody may speak of with that entry."""
        if entry.verb.word in BY_HAND:
            for act in self.proven.shown:
                earlier = played is not self.old or act < number
                if earlier and self.proven.entries[act - 1].seat == entry.value[0]:
                    yield act
        names = entry.verb.speaks_of and entry.verb.speaks_of(entry.value)
        if names and (names[0] or played.number) == self.old.number:
            yield names[1]

    def _about(self, act: int) -> str:
        """What has become of an act, and of what proved it ("": nothing has changed)."""
        number = 0 if self.change.before else self.change.entry
        at = f"{self.old.number}.{self.now(act)}"
        if act == number:
            return tr("{at} was {was}", at=at, was=self.texts[act - 1])
        shown = self.proven.shown.get(act, set())
        if shown and self.now(act) not in self.still.shown:
            return tr("nothing proves {at} ({text}) any more", at=at, text=self.texts[act - 1])
        if number in shown:
            at, was = f"{self.old.number}.{number}", self.texts[number - 1]
            return tr("{at}, which proved it, was {was}", at=at, was=was)
        return ""
