"""Fast named tuples: they behave as those of the standard library, except for unused details."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

from scorekeeper.core.types import NamedTuple


class Bid(NamedTuple):
    """A bid of a number of dice with one face."""

    many: int
    face: int = 1
    said: str | None = None

    @property
    def text(self) -> str:
        """The bid as it is written."""
        return f"{self.many}x{self.face}"

    def raised(self) -> Bid:
        return self._replace(many=self.many + 1)


class Theirs(typing.NamedTuple):
    """The same bid as a named tuple of the standard library."""

    many: int
    face: int = 1
    said: str | None = None


def test_it_is_a_tuple_with_names() -> None:
    bid = Bid(3)
    assert tuple(bid) == tuple(Theirs(3)) == (3, 1, None)
    assert bid.raised() == Bid(many=4, face=1)
    assert bid.text == "3x1"
    assert repr(bid) == "Bid(many=3, face=1, said=None)"
    assert hash(bid) == hash((3, 1, None))


def test_it_says_what_the_librarys_says() -> None:
    assert Bid._fields == Theirs._fields
    assert Bid._field_defaults == Theirs._field_defaults
    assert Bid.__doc__ == "A bid of a number of dice with one face."
    assert (Bid.__module__, Bid.__qualname__) == (__name__, "Bid")
    assert str(inspect.signature(Bid)) == "(many, face=1, said=None)"
    assert Bid.__annotations__ == {"many": "int", "face": "int", "said": "str | None"}


def test_it_is_copied_and_pickled() -> None:
    bid = Bid(3, said="three aces")
    assert pickle.loads(pickle.dumps(bid)) == copy.deepcopy(bid)
    assert isinstance(pickle.loads(pickle.dumps(bid)), Bid)
