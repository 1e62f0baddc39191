"""The number of Python functions that each stage of a deal calls, the same on every machine.

`python -m tests.counts` counts the calls of every game that ships with a rule text. It writes
`tests/counts.toml`, which `tests/test_counts.py` checks. `python -m tests.counts GAME` prints the
current counts of one game. `python -m tests.counts --per-entry` prints the calls for each entry of
generated evenings. The deals are in `tests/deals`, one record for each game. They are never written
again, so that figures can be compared. A game without a deal is played once, by chance.

Each game is counted in a separate process with every module imported, so that nothing depends on
earlier runs. Only the project's own named functions count, because some versions of Python run a
comprehension as a function and others do not.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from functools import partial
from importlib import import_module
from inspect import CO_OPTIMIZED
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING

import tomli_w

import scorekeeper
from scorekeeper import Match, load_ruleset, read_record
from scorekeeper.store.record import record_text
from tests.helpers import SHIPPED

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from scorekeeper.engine.replay import RoundRecord

HERE = Path(__file__).parent
FILE = HERE / "counts.toml"
DEALS = HERE / "deals"
RULESETS = HERE.parent / "rulesets"
GAMES = sorted(
    name
    for name in SHIPPED
    if (RULESETS / name / "rules.md").exists() or (RULESETS / f"{name}.md").exists()
)
OWN = str(Path(scorekeeper.__file__).parent)
GENERATED = "<ruleset>"  # The file name of a function that is compiled from an expression.
SEEDS = 40
EVENINGS = 6
PLAYED = ("start", "plays", "end")  # The calls for a written round.
# The interval between entries at which legal acts are listed, because some lists are long.
OFTEN = 4
HEAD = """\
# Calls of the project's own named functions for each stage of one deal, the one in tests/deals.
# `python -m tests.counts` writes it anew; whoever raises a figure says why.
#
# loading   the ruleset, once everything is imported
# reading   every entry, for the first time
# start     a written round up to its first act: the facts, hands given
# plays     on to the last entry but one
# end       the last entry and the score
# unseen    start, plays and end as a table enters them that does not see the hands
# judge, record, undo, legal   one entry after the other: judged, recorded; then all taken back;
#           `legal` is the list of what may be done before every fourth of them

"""


def calls(act: Callable[[], object], *, generated: bool = False) -> int:
    """Return how many of the project's own named functions an act calls.

    Resumed generators count too, and so do functions that are `generated` from rulesets.
    """
    count = 0

    def see(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        if event == "call":
            code = frame.f_code
            named = code.co_flags & CO_OPTIMIZED and not code.co_name.startswith("<")
            count += bool(named) and code.co_filename.startswith(OWN)
            count += generated and code.co_filename == GENERATED

    sys.setprofile(see)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


def deal_of(game: str) -> Match:
    """Return the path of the deal that is counted."""
    return read_record(DEALS / f"{game}.toml")


def counted(game: str) -> dict[str, int]:
    """Return the calls of each stage of this game's deal.

    Call it once in a process, because caches change the counts.
    """
    for module in walk_packages([OWN], f"{scorekeeper.__name__}."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    written = tomllib.loads((DEALS / f"{game}.toml").read_text("utf-8"))
    found = {"loading": calls(lambda: load_ruleset(game))}
    fresh = Match(load_ruleset(game), written["players"])
    lines = written["rounds"][0]["entries"].splitlines()
    found["reading"] = calls(lambda: [fresh.notation.read(line) for line in lines])
    deal = deal_of(game)
    texts = list(deal.rounds[0].entries)
    hidden = list(deal.public_copy().rounds[0].entries)
    return found | _stages(deal, texts) | {"unseen": _whole(deal, hidden)} | _asked(deal, texts)


def _stages(deal: Match, texts: list[str]) -> dict[str, int]:
    """Return the additional calls of a written round for each of its three parts."""
    acts = next(index for index, text in enumerate(texts) if _is_act(deal, text))
    start, plays, whole = (
        _whole(deal, texts[:last]) for last in (acts, len(texts) - 1, len(texts))
    )
    return dict(zip(PLAYED, (start, plays - start, whole - plays), strict=True))


def _is_act(deal: Match, text: str) -> bool:
    return not deal.notation.read(text).type.is_table_entry


def _whole(deal: Match, texts: list[str]) -> int:
    """Return the calls of playing these entries when they have been played before."""
    deal.copy_from_start().play_round(texts)
    match = deal.copy_from_start()
    played: list[RoundRecord] = []
    count = calls(lambda: played.append(match.play_round(texts)))
    wrong = [str(finding) for _, finding in played[0].findings if finding.verdict == "illegal"]
    assert wrong == [], "the rules have changed: remove the deal, and it is played anew"
    return count


def _asked(deal: Match, texts: list[str]) -> dict[str, int]:
    """Return the calls of judging and recording the entries one by one."""
    match = deal.copy_from_start()
    found = dict.fromkeys(("judge", "record", "undo", "legal"), 0)
    for number, text in enumerate(texts):
        if number % OFTEN == 0 and match.rounds:
            found["legal"] += calls(match.legal)
        found["judge"] += calls(partial(match.judge, text))
        found["record"] += calls(partial(match.record, text))
    for _ in texts:
        found["undo"] += calls(match.undo)
    return found


def counted_apart(game: str) -> dict[str, int]:
    """Return the same counts from a separate process."""
    command = [sys.executable, "-m", "tests.counts", game]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE.parent)
    found: dict[str, int] = tomllib.loads(run.stdout)
    return found


def make_deal(game: str) -> None:
    """Write the deal file of a game.

    Choose a rather long deal among some that were played to the end by chance with known hands.
    """
    from tests.random_play import Evening, counts_of

    players = min(counts_of(game), key=lambda count: abs(count - 4))
    # With an odd seed the rounds are whole deals.
    played = [
        Evening(game, seed, players=players, wrong=0, result=0).play(1).match
        for seed in range(1, SEEDS, 2)
    ]
    whole = [match for match in played if len(match.rounds) == 1 and match.rounds[0].scores]
    whole.sort(key=lambda match: len(match.rounds[0].entries))
    text = record_text(whole[len(whole) * 3 // 4])
    # The deal must remain valid when the ruleset's messages change.
    lines = [line for line in text.splitlines() if not line.startswith("ruleset_sha256")]
    (DEALS / f"{game}.toml").write_text("\n".join([*lines, ""]), "utf-8")


def per_entry(game: str, known: bool) -> float:
    """Return the calls for each entry of generated evenings, read as written rounds.

    Named functions and functions compiled from a ruleset's expressions are counted separately.
    """
    from tests.random_play import evening

    evenings = [evening(game, seed) for seed in range(EVENINGS)]
    texts = [
        [[text for said in part if (text := said.known if known else said.unseen)] for part in said]
        for said in (played.said for played in evenings)
    ]

    def play() -> None:
        for played, rounds in zip(evenings, texts, strict=True):
            match = played.fresh()
            for part in rounds:
                match.play_round(part)

    play()  # A part that is used for the first time is compiled then.
    return calls(play, generated=True) / sum(len(part) for rounds in texts for part in rounds)


def main() -> None:
    """Print the counts of one game, or the calls for an entry in every game, or write the file."""
    if sys.argv[1:] == ["--per-entry"]:
        for game in GAMES:
            print(f"{game}: {per_entry(game, True):.1f} known, {per_entry(game, False):.1f} unseen")
        return
    if len(sys.argv) > 1:
        print(tomli_w.dumps(counted(sys.argv[1])), end="")
        return
    for game in GAMES:
        if not (DEALS / f"{game}.toml").exists():
            make_deal(game)
    FILE.write_text(HEAD + tomli_w.dumps({game: counted_apart(game) for game in GAMES}), "utf-8")


if __name__ == "__main__":
    main()
