"""What every page of HTML is made of: texts that do nothing, and a head that lets nothing be loaded
or run."""

from __future__ import annotations

import re

from scorekeeper.core.messages import ENGLISH
from scorekeeper.core.text import JOINED, plain, runs

_DAY, _WHOLE = re.compile(r"\b\d{4}-\d\d-\d\d\b"), r'<span class="day">\g<0></span>'
HEAD = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
"""


def escaped(text: str) -> str:
    """Text that stands for itself in HTML, in attributes too."""
    from html import escape

    return escape(plain(text))


def head_of(title: str, style: str, code: str = ENGLISH) -> str:
    """What stands before the body of a page in this language: its title, and how it looks."""
    return HEAD.format(language=code, title=escaped(title), style=style, policy=policy(style))


def policy(style: str) -> str:
    """Nothing may be loaded or run; of styles, only the page's own."""
    from base64 import b64encode
    from hashlib import sha256

    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def isolated(text: str) -> str:
    """Text whose own direction does not turn what stands around it; no line ends within a day."""
    return f"<bdi>{_DAY.sub(_WHOLE, escaped(text))}</bdi>"


def joined(names: str) -> str:
    """Names that are joined, as one text whose direction turns nothing: a line may end between
    them."""
    return f"<bdi>{'<wbr>'.join(map(escaped, re.split(JOINED, names)))}</bdi>"


def mixed(text: str) -> str:
    """A text put together from facts, read from the left: names from the right stand apart, and a
    line may end after what joins names."""
    return "<wbr>".join(map(_mixed, re.split(JOINED, text)))


def _mixed(text: str) -> str:
    return "".join(isolated(piece) if turned else escaped(piece) for piece, turned in runs(text))
