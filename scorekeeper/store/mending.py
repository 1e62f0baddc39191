"""What is kept of matches besides their logs, made again from these where it is damaged.

A log is never mended: nobody knows what was in it. Where it is damaged, nothing of its match is
changed, and `rescue` says what can be saved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged
from scorekeeper.ruleset.pinning import pinned
from scorekeeper.store.desk import Desk
from scorekeeper.store.kept import every_row
from scorekeeper.store.protocol import KeptDamaged
from scorekeeper.store.rounds import kept_round, summary_of
from scorekeeper.store.sound import check_shape, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.store.protocol import Store


def mended(store: Store) -> Iterator[KeptDamaged]:
    """Play the matches again of whose rounds something damaged is kept, and keep these anew: what
    was damaged of each. Raises Damaged, at the end, for the first that cannot be made again."""
    failed: Damaged | None = None
    for damaged in misshapen(store):
        try:
            _keep_anew(store, damaged.match)
        except Damaged as failure:
            failed = failed or failure
        else:
            yield damaged
    if failed is not None:
        raise failed


def misshapen(store: Store) -> Iterator[KeptDamaged]:
    """What is damaged of what is kept of matches besides their logs, one for each."""
    for row in every_row(store):
        sha, text, data = store.rules(row.ruleset_sha)
        ruleset = pinned(text, sha, data)
        try:
            listed(row)
            for each in store.rounds(row.id):
                check_shape(each, row.id, ruleset, row.players)
        except KeptDamaged as damaged:
            yield damaged


def _keep_anew(store: Store, number: int) -> None:
    """Forget what is kept of a match besides its log, and keep what that says; or do nothing."""
    with store.batch():
        seen = store.position(number)
        store.append(number, seen, (), reopened=1)
        match = Desk(store, number).match  # nothing else is there to go on from than its log
        # Where in the log the others begin nobody can say any more.
        kept = [kept_round(match, each, 1 if each.number == 1 else None) for each in match.rounds]
        store.append(number, seen, (), finished=kept, summary=summary_of(match))
