"""What the shell completes: match numbers, ruleset names. Never fails: nothing is better."""

from __future__ import annotations

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import tr
from scorekeeper.core.text import visible

MOST = 200


def match_ids(incomplete: str) -> list[tuple[str, str]]:
    """The matches in the book whose number begins so, with what they are."""
    from scorekeeper.cli.settings import chosen_book
    from scorekeeper.store.opening import open_store

    try:
        with open_store(chosen_book(None)) as store:
            rows = store.matches()
    except Failure:
        return []
    return [
        (str(row.id), visible(f"{row.ruleset}: {', '.join(row.players)}"))
        for row in reversed(rows)
        if str(row.id).startswith(incomplete)
    ]


def ruleset_names(incomplete: str) -> list[tuple[str, str]]:
    """The rulesets whose name begins so."""
    from scorekeeper.ruleset import sources

    return [
        (found.name, tr("shipped") if found.shipped else tr("yours"))
        for found in sources.names()
        if found.name.startswith(incomplete)
    ]


def legal_entries(match: str | None, book_path: str | None, incomplete: str) -> list[str]:
    """What is legal now by what the table has seen, where it begins so."""
    from scorekeeper.cli.settings import chosen_book
    from scorekeeper.store.desk import Desk
    from scorekeeper.store.opening import open_store

    try:
        with open_store(chosen_book(book_path)) as store:
            wanted = int(match) if match and match.isdigit() else store.match().id
            desk = Desk(store, wanted)
            entries = desk.match.seen().legal(desk.speech().own)
    except Failure:
        return []
    folded = incomplete.casefold()
    return [entry for entry in entries if entry.casefold().startswith(folded)][:MOST]
