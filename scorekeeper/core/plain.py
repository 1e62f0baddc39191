"""Plain values that come from outside, or go there.

These are the only places where a value's type is left open: what is in them is decided by a
file, and whoever reads a key knows, from the schema that checked it, what stands there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A JSON value.
Plain = Any
# A row of a ruleset, completed with its defaults: each value is what its `Parameter` says.
Row = Mapping[str, Any]
# An object as JSON or TOML has it: the state, a summary, a standing in the book, a file.
Json = dict[str, Any]
# The facts of a finding: plain JSON values, of which sentences are made.
Facts = dict[str, Any]
# What goes from one round to the next: tallies, who deals and leads, what phases have kept.
Standing = Mapping[str, Any]
# What may be told of one round, under the names that a ruleset's sheet and statistics use.
Summary = Mapping[str, Any]
