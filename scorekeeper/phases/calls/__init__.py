"""Calls beside play: that one's side wins, and that the other stays under so many points.

A call is the caller's word; it binds their side and proves nothing about their hand. `syntax` is
how a call is typed, `catalogue` what each implies and until when it may be made, `state` who has
called what, `course` when that happens, `results` the calls that a result tells of, `telling` how
it stands in words, `clauses` the rules.
"""

from scorekeeper.phases.calls import clauses
from scorekeeper.phases.calls.course import Calls
from scorekeeper.phases.calls.state import State

__all__ = ["Calls", "State", "clauses"]
