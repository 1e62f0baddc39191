"""The table `[calls]` of a ruleset file: everything that players may call out during play.

It is compiled as two phases: calls for a side, and holdings, which are cards that are announced or
shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.tables import PHASE
from scorekeeper.ruleset.vocabulary import HELD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.vocabulary import PhaseSpec

    Parts = tuple[str, ...]

CALLS, HOLDINGS, IN_HAND = "calls", "holdings", "in_hand"
CALL, ANNOUNCE, SHOW = "call", "announce", "show"
# Words of [calls] whose compiled rules have other names. Each word has one or two compiled rules,
# given as the rule's phase, its name, and the verbs that it judges.
CALL_WORDS: Mapping[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "held": ((HOLDINGS, "announced-held", (ANNOUNCE,)), (HOLDINGS, HELD, (SHOW,))),
    "in-time": (
        (CALLS, "in-time", (CALL,)),
        (HOLDINGS, "announced-when", (ANNOUNCE, SHOW)),
    ),
    "repeated": (
        (CALLS, "repeated", (CALL,)),
        (HOLDINGS, "announced-once", (ANNOUNCE, SHOW)),
    ),
    "apart": ((HOLDINGS, "announced-apart", (ANNOUNCE, SHOW)),),
}


VERBS_OF_HOLDINGS = {
    word: (name, verbs)
    for name, parts in CALL_WORDS.items()
    for phase, word, verbs in parts
    if phase == HOLDINGS and len(parts) > 1 and len(verbs) > 1
}
"""Compiled words of holdings that are written in [calls] as a word for both calls and holdings.

Each has its word in [calls] and the verbs that the compiled word judges.
"""


def in_calls(path: Parts) -> Parts:
    """Return the path in `[calls]` for a compiled path of holdings.

    Any other path is returned unchanged.
    """
    if path[:1] == (HOLDINGS,):
        return (CALLS, *path[1:])
    if path[:2] != ("phases", HOLDINGS):
        return path
    for name, parts in CALL_WORDS.items():
        for phase, word, verbs in parts:
            if phase == HOLDINGS and path[2:3] == (word,):
                verb = verbs if len(verbs) == 1 else ()
                return ("phases", CALLS, name, *verb, *path[3:])
    return ("phases", CALLS, *path[2:])


def split_calls(
    rows: Row, own: Row, classes: Mapping[str, Sequence[PhaseSpec]]
) -> tuple[dict[str, Json], dict[str, Json], dict[Parts, Parts]]:
    """Divide `[calls]` into calls and holdings. Return their rows, their keys and words, and a map
    from compiled paths to paths in the file.

    A row with a side, or with a number of cards in the caller's hand, is a call. Any other row is a
    holding, with or without cards.
    """
    tables: dict[str, Json] = {CALLS: {}, HOLDINGS: {}}
    written: dict[Parts, Parts] = {}
    for name, row in rows.items():
        is_call = isinstance(row, dict) and (IN_HAND in row or "side" in row)
        if is_call and IN_HAND in row:
            row = {"cards" if key == IN_HAND else key: of for key, of in row.items()}
            written[CALLS, name, "cards"] = (CALLS, name, IN_HAND)
        tables[CALLS if is_call else HOLDINGS][name] = row
        if not is_call:
            written[HOLDINGS, name] = (CALLS, name)
    if tables[HOLDINGS] and not tables[CALLS]:
        del tables[CALLS]
    elif not tables[HOLDINGS]:
        del tables[HOLDINGS]
    return tables, {phase: _own_of(phase, own, classes) for phase in tables}, written


def _own_of(phase: str, own: Row, classes: Mapping[str, Sequence[PhaseSpec]]) -> Json:
    """Return the keys and words of [calls] that belong to one compiled phase."""
    known = {*PHASE, *(key for cls in classes.get(phase, ()) for key in cls.parameters)}
    theirs = {
        name
        for cls in classes.get(HOLDINGS if phase == CALLS else CALLS, ())
        for name in (*cls.parameters, *cls.clause_order.split())
    }
    result: Json = {}
    for key, value in own.items():
        if key in CALL_WORDS:
            for owner, word, verbs in CALL_WORDS[key]:
                rule = _rule_for(value, verbs)
                if owner == phase and rule is not None:
                    result[word] = rule
        elif key in known or key not in theirs:
            result[key] = value  # a key that no phase has is reported as unknown
    return result


def _rule_for(value: object, verbs: tuple[str, ...]) -> object:
    """Return the part of a rule that applies to the given verbs, or None if there is none."""
    if not isinstance(value, dict):
        return value
    rest = {key: of for key, of in value.items() if key not in (CALL, ANNOUNCE, SHOW)}
    own = {verb: value[verb] for verb in verbs if verb in value}
    if len(verbs) == 1:
        inner = own.get(verbs[0], {})
        whole = {**rest, **inner} if isinstance(inner, dict) else inner
    elif len(own) == len(verbs) and all(rule == own[verbs[0]] for rule in own.values()):
        inner = own[verbs[0]]
        whole = {**rest, **inner} if isinstance(inner, dict) else inner
    else:
        whole = {**rest, **own}
    return None if whole == {} else whole
