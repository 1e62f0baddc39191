"""Whole numbers as people, phones and spreadsheets write them."""

from __future__ import annotations

MINUS = "-\u2212\u2013"  # a hyphen, a minus, a dash in its place
SIGNS = f"+{MINUS}"
MOST_LONG = 100  # characters


def is_signed(text: str) -> bool:
    """Return whether a text is a whole number, perhaps with a sign before it."""
    digits = text[1:].strip() if text[:1] in SIGNS else text
    return digits.isascii() and digits.isdigit()


def signed(text: str) -> int | None:
    """Return the whole number that a text is. None for another text, and for one far too long."""
    if not is_signed(text) or len(text) > MOST_LONG:
        return None
    number = int(text.lstrip(SIGNS))
    return -number if text[0] in MINUS else number
