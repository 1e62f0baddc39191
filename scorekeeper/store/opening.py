"""Access to a store by name. At present every name refers to a book, which is a SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.store.rows import Store


def locate_store(name: str | None) -> str:
    """Return the absolute path of the book with this name, or of the default book.

    Raises Unreadable for an address (`scheme://…`).
    """
    import os

    from scorekeeper.store.book import default_path
    from scorekeeper.store.files import check_address

    path = name or default_path()
    check_address(path)
    return os.path.abspath(path)


def open_store(
    name: str | None, *, create: bool = False, wait: float = 2.0, shared: bool = False
) -> Store:
    """Return the store with this name, or the default store. It is opened when it is first used.

    If `create` is set, a missing file is created. If `shared` is set too, the group can read and
    write the new file. `wait` is the number of seconds to wait for a book that another process is
    using.
    """
    from scorekeeper.store.book import Book

    return Book(locate_store(name), create=create, wait=wait, shared=shared)
