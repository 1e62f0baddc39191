"""Verbs that a ruleset turns off: `[verbs] exact = false`.

Nobody can do what they say, and rows that are about them alone fall away with them: clauses,
statistics, and rows of other tables whose key for a verb (`Parameter.rows` is `verbs`) names one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.notation.entry import Verb
    from scorekeeper.ruleset.tables import Parameter, Report

TABLE = "verbs"


def words(data: Row) -> frozenset[str]:
    """The verbs that are turned off."""
    return frozenset(word for word, played in data.get(TABLE, {}).items() if played is False)


def played(
    rows: Mapping[str, Row], takes: Mapping[str, Parameter], off: frozenset[str]
) -> Mapping[str, Row]:
    """The rows of a table that are about no verb that is turned off."""
    keys = [key for key, parameter in takes.items() if parameter.rows == TABLE] if off else []
    if not keys:
        return rows
    return {name: row for name, row in rows.items() if not any(row[key] in off for key in keys)}


def sayable(entries: Iterable[Entry], off: frozenset[str]) -> Iterable[Entry]:
    """Leave out entries that nobody can say because their verbs are turned off."""
    return (entry for entry in entries if entry.word not in off) if off else entries


def check(
    said: Row,
    verbs: Iterable[Verb],
    own: Iterable[Verb],
    meanings: Mapping[str, str],
    fault: Report,
) -> None:
    """Report what is none of the phases' verbs, and what cannot be turned off: what is typed
    without a word, and every table's `own`. `meanings` are the verbs for what may be typed."""
    known = {verb.word: verb for verb in verbs}
    for word, is_played in said.items():
        from scorekeeper.ruleset.tables import join_key

        where = join_key((TABLE, word))
        if word not in known:
            near = meanings.get(word, "") or nearest(word, known)
            hint = f"; did you mean “{near}”?" if near else ""
            message = f"{where} is no verb of these phases{hint}"
            fault(where, word, ", ".join(sorted(known)), message)
        elif not is_played and (known[word].implicit or known[word] in own):
            so = "it is typed without a word" if known[word].implicit else "every table has it"
            fault(where, "false", "true", f"{where} cannot be turned off: {so}")
