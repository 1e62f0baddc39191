"""Text from outside made harmless for any page: no control characters, no marks that turn the
direction of what follows."""

from __future__ import annotations

# Joiners that letters and pictures of some scripts need; they neither hide nor turn anything.
_KEPT = "\u200c\u200d"
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_BLANK = frozenset("\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029")
REPLACED = "\N{REPLACEMENT CHARACTER}"


def plain(text: str) -> str:
    """The text in one line: line breaks and tabs are blanks, what cannot be seen is shown as a
    replacement character."""
    if text.isascii() and text.isprintable():
        return text
    from unicodedata import category

    shown = []
    for char in text:
        if char in _BLANK:
            shown.append(" ")
        elif category(char) in _HIDDEN and char not in _KEPT:
            shown.append(REPLACED)
        else:
            shown.append(char)
    return "".join(shown)
