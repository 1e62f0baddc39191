"""The words that ask the program for something, wherever lines are typed."""

from __future__ import annotations

from scorekeeper.core.messages import mark, tr

# Each has its function key on a screen, and may be typed.
COMMANDS = {
    mark("help"): mark("what may be typed here"),
    mark("undo"): mark("take back what was done last"),
    mark("last"): mark("the last trick, bout or bids"),
    mark("score"): mark("the sheet so far"),
    mark("explain"): mark("the last ruling, with its rule"),
    mark("rulings"): mark("what was found"),
    mark("result"): mark("the round, field by field"),
    mark("next"): mark("the next of the open matches"),
    mark("quit"): mark("leave; all is stored"),
}
ALSO = {"exit": "quit", "?": "help"}  # other words for commands


def command_of(word: str) -> str:
    """The command that a word is, in English or the language that is spoken; "" if it is none."""
    known = {tr(command): command for command in COMMANDS} | ALSO
    return word if word in COMMANDS else known.get(word, "")
