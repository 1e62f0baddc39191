"""Text from outside made harmless for any page: no control characters, no marks that turn the
direction of what follows."""

from __future__ import annotations

# Joiners that letters and pictures of some scripts need; they neither hide nor turn anything.
_KEPT = "\u200c\u200d"
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_BLANK = frozenset("\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029")
_FIRST_TURNED = "\u0590"
_TURNED = frozenset(("R", "AL"))
_WITHIN = frozenset(" '’-\u05be\u200c\u200d")
# A pattern of the places between names that are joined to one: `Ana+Ben`.
JOINED = r"(?<=[^\s(]\+)(?=[^\s)])"
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


def runs(text: str) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is written from right to left: letters of such
    scripts with the blanks between them, and no digit or other sign that belongs to the rest."""
    if all(char < _FIRST_TURNED for char in text):
        return [(text, False)]
    from unicodedata import bidirectional

    turned = [bidirectional(char) in _TURNED for char in text]
    marks = [bidirectional(char) == "NSM" or char in _WITHIN for char in text]
    found: list[tuple[str, bool]] = []
    start = 0
    while start < len(text):
        end = after = start + 1
        if turned[start]:
            while after < len(text) and (turned[after] or marks[after]):
                after += 1
                if turned[after - 1] or text[after - 1] not in _WITHIN:
                    end = after
        else:
            while end < len(text) and not turned[end]:
                end += 1
        found.append((text[start:end], turned[start]))
        start = end
    return found
