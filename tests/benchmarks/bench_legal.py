"""What may be done now, while somebody types: `legal`, completion and hint, where they are dearest.

Run alone (`python -m tests.benchmarks.bench_legal`) it prints, for every ruleset, milliseconds (of
several times the least) and calls of functions in the states that `legal_states.toml` keeps: of
random evenings, with hands known and unseen, the one in which `legal` calls most and the one in
which typing does. With `--search` it looks for these states anew and writes them, for the rulesets
that are named or for all (half an hour).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.session import Board
from scorekeeper.session.completing import Completer
from scorekeeper.session.judging import hint_on
from scorekeeper.store.desk import begin
from scorekeeper.store.memory import Memory
from tests.benchmarks.shape import Found, Row, Run
from tests.random_play import SHIPPED, Evening, counts_of, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STATES = Path(__file__).with_name("legal_states.toml")
SEEDS, STEPS, TIMES = 2, 250, 5
EVERY = 3  # states in which something is typed
ASKED = ("legal", "completion", "hint")


class State(NamedTuple):
    """A round as far as it has been entered, and what is being typed."""

    ruleset: str
    hands: str
    players: list[str]
    entries: list[str]
    typed: str


def kept() -> list[State]:
    """The states in which most is called, as they were found last."""
    found = tomllib.loads(STATES.read_text(encoding="utf-8"))["state"]
    return [State(**{**row, "entries": row["entries"].splitlines()}) for row in found]


def at_table(state: State) -> Board:
    """The state at a live table."""
    desk = begin(Memory(), rules_of(state.ruleset), state.players)
    refused = [ruling for ruling in desk.record(state.entries).rulings if ruling.refused]
    assert all("!" in ruling.entry for ruling in refused), refused
    return Board(desk)


def acts(board: Board, typed: str) -> dict[str, Callable[[], object]]:
    """What is asked of a state, each time as if it were for the first time; the table as it was
    seen is kept in step with the entries and known already."""
    match, asked, speech = board.match, board.asked, board.speech

    def begun() -> list[str]:
        return Completer(speech).begins(asked, typed)

    def hint() -> None:
        texts = speech.split(typed)
        if texts:
            hint_on(match, asked, texts, begun(), speech)

    return {"legal": match.legal, "completion": begun, "hint": hint}


def counted(act: Callable[[], object]) -> int:
    """How many Python functions an act calls."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return calls


def milliseconds(act: Callable[[], object]) -> float:
    """The least that an act takes of the processor."""
    taken = []
    for _ in range(TIMES):
        start = time.process_time()
        act()
        taken.append(time.process_time() - start)
    return 1000 * min(taken)


# --- looking for them


def courses(name: str, seed: int) -> Iterator[State]:
    """A round of an evening after each thing that happens, with hands known and unseen."""
    counts = counts_of(name)
    course = Evening(name, seed, players=counts[-1 - seed % len(counts)], full=True, result=0)
    for _ in range(STEPS):
        if course.match.over or len(course.said) > 1:
            return
        course.step()
        if course.over:
            return
        for hands in ("known", "unseen"):
            entries = [getattr(said, hands) for said in course.said[-1]]
            yield State(name, hands, course.names, [text for text in entries if text], "")


def lines(board: Board) -> list[str]:
    """What might be being typed: nothing, whose act it is, an act, and one after an act."""
    legal = [text for text in board.match.legal() if "…" not in text]
    if not legal:
        return [""]
    name, act = legal[-1].split(":", 1)
    return ["", f"{name}:", act.strip()[:1], legal[-1], f"{legal[-1]}, "]


def worst_of(name: str) -> list[State]:
    """The states in which most functions are called, by `legal` and by what is typed."""
    worst: dict[str, tuple[int, State]] = {}
    for seed in range(SEEDS):
        for number, state in enumerate(courses(name, seed)):
            board = at_table(state)
            for typed in lines(board) if number // 2 % EVERY == 0 else [""]:
                for what, act in acts(board, typed).items():
                    key, calls = "legal" if what == "legal" else "typing", counted(act)
                    if calls > worst.get(key, (0,))[0]:
                        worst[key] = (calls, state._replace(typed=typed))
    return [state for _, state in worst.values()]


def written(states: list[State]) -> str:
    """The states as TOML."""
    text = "# States in which most is called: python -m tests.benchmarks.bench_legal --search\n"
    for state in states:
        text += "\n[[state]]\n"
        for key in ("ruleset", "hands", "players", "typed"):
            text += f"{key} = {json.dumps(getattr(state, key), ensure_ascii=False)}\n"
        text += 'entries = """\n' + "\n".join(state.entries) + '\n"""\n'
    return text


def worst(run: Run, what: str) -> Found:
    """What that takes in the worst of the states that are kept, several times the least, each time
    as if it were asked for the first time; hands known and unseen, every ruleset."""
    found = []
    for state in kept():
        act = acts(at_table(state), state.typed)[what]
        found.append((milliseconds(act), counted(act), state))
    taken, calls, state = max(found, key=lambda each: each[0])
    note = f"{state.ruleset}, hands {state.hands}, {calls:,} calls; {len(found)} states"
    return Found(taken, note)


def rows() -> list[Row]:
    """A row for each thing that is asked."""
    return [
        Row(f"{what}, the worst of all rulesets", partial(worst, what=what), most=20, unit=" ms")
        for what in ASKED
    ]


def main() -> None:
    """Measure, or search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", nargs="*", metavar="RULESET", help="look for the states anew")
    names = parser.parse_args().search
    if names is not None:
        found = kept() if STATES.exists() else []
        for name in names or SHIPPED:
            found = [state for state in found if state.ruleset != name] + worst_of(name)
            found.sort(key=lambda state: state.ruleset)
            STATES.write_text(written(found), encoding="utf-8")
    print(f"{'':40}" + "".join(f"{name:>14}" for name in ASKED) + "   calls")
    for state in kept():
        asked = acts(at_table(state), state.typed).values()
        times = "".join(f"{milliseconds(act):11.2f} ms" for act in asked)
        calls = ", ".join(f"{counted(act):,}" for act in asked)
        print(f"{state.ruleset:30} {state.hands:8} {times}   {calls}")


if __name__ == "__main__":
    main()
