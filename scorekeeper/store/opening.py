"""Which store a person means, by its name: today always a book, a SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.store.rows import Store


def place_of(name: str | None) -> str:
    """Where the store of that name is, or the usual one. Raises Unreadable for an address."""
    import os

    from scorekeeper.store.book import default_path
    from scorekeeper.store.files import check_address

    path = name or default_path()
    check_address(path)
    return os.path.abspath(path)


def open_store(
    name: str | None, *, create: bool = False, wait: float = 2.0, shared: bool = False
) -> Store:
    """The store of that name, or the usual one; `create` makes it if it is not there, `shared` for
    the group too, `wait` is how many seconds a busy one is waited for. Nothing is opened before it
    is needed."""
    from scorekeeper.store.book import Book

    return Book(place_of(name), create=create, wait=wait, shared=shared)
