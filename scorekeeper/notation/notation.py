"""Conversion between text and entries for the players of one match.

`Notation` accepts many forms of an entry, and always writes the same form. Words and names are read
in every language of the ruleset. Cards are read in the match's language, or in any language if that
is unambiguous. Ambiguous text is refused with an error that names its readings. `Translator`
converts between canonical text and the language of a match.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import format_quoted, join_list, tr
from scorekeeper.core.text import is_signed
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.entry import EVERYONE, Entry, EntryType, split_decision
from scorekeeper.notation.languages import PROGRAM_LANGUAGE, ParsedAct, ambiguity_error
from scorekeeper.notation.syntax import (
    MAX_NAME_LENGTH,
    SUIT_SYMBOLS,
    Cards,
    NoValue,
    OfPlayer,
    clean,
    find_seat,
    normalize,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.notation.languages import Lexicon
    from scorekeeper.notation.syntax import Syntax, Value

_TOKENS = re.compile(r"\w+")
# Opening mark, entry, closing mark: “…”, „…“ or « … ».
_QUOTED = re.compile(r"([“„]|«\s?)([^“”„«»]*?)([”“]|\s?»)")

SCORE = "score"  # the verb that books points without play
MAX_LINE_LENGTH = 2000
MAX_CACHED = 20_000
_ENTRY_ENDS = frozenset(",;")  # characters that end an entry in a line
_MARKS = frozenset("!#,;")  # characters that follow an entry or separate two entries
UNREADABLE = Entry(EntryType("", NoValue(), "could not be read"), None, None)
"""The entry for a string that cannot be read."""


class FactText(NamedTuple):
    """The parsed beginning of an entry that states a fact about a player.

    It contains the entry type, the seat, the syntax of the value that follows, and the canonical
    text of the beginning.
    """

    verb: EntryType
    seat: int
    syntax: Syntax
    prefix: str


class Notation:
    """The reader and writer of entries in one match.

    It combines the words and cards of a lexicon with the players' names. `away` are players who
    have left. `single_lines` are lines known to be exactly one entry.

    >>> from scorekeeper import Match, load_ruleset
    >>> notation = Match(load_ruleset("dudo"), ["Ana", "Ben"]).notation
    >>> notation.split_line("ana: 2x3, Ben: doubt  # a short round")
    ['ana: 2x3', 'Ben: doubt']
    >>> notation.read("ana: 2x3").text
    'Ana: 2x3'
    """

    __slots__ = (
        *("_folded", "_fact_texts", "_cache", "_seats", "single_lines", "away", "kinds", "lexicon"),
        *("meanings", "name_keys", "names", "pack", "suits", "entry_types"),
    )

    def __init__(self, lexicon: Lexicon, names: Sequence[str], away: Sequence[str] = ()) -> None:
        self.lexicon = lexicon
        self.names = list(names)
        self.away = tuple(away)
        self.pack = lexicon.pack
        self.kinds = lexicon.kinds
        self.suits = lexicon.suits
        self.entry_types = lexicon.entry_types
        self.meanings = lexicon.meanings
        self.name_keys = lexicon.name_keys
        self._seats = {name: seat for seat, name in enumerate(self.names)}
        self._folded = {name.casefold() for name in self.names}
        self._cache: dict[str, Entry] = {}
        self._fact_texts: dict[str, FactText] = {}
        self.single_lines: set[str] = set()

    @property
    def known_cards(self) -> Mapping[str, int]:
        """The kind of card for each string, in lower case, that can mean only that kind."""
        return self.lexicon.cards.known

    # --- lines

    def split_line(self, line: str) -> list[str]:
        """Return the entries in a line as typed, without comments.

        A row of cards is split into the plays of a trick.
        """
        if len(line) > MAX_LINE_LENGTH:
            raise Unreadable(
                tr(
                    "a line can have at most {most} characters, but this one has {count}",
                    most=MAX_LINE_LENGTH,
                    count=len(line),
                )
            )
        if line in self.single_lines:
            return [line]
        name, _, act = line.partition(": ")
        if act in self.lexicon.acts and name in self._seats:
            if len(self.single_lines) > MAX_CACHED:
                self.single_lines.clear()
            self.single_lines.add(line)
            return [line]
        if name in self._fact_texts and find_entry_end(line) == (len(line), True):
            return [line.strip()]
        return [entry for piece in self.split_pieces(line) for entry in self.split_row(piece)]

    def split_pieces(self, line: str) -> list[str]:
        """Return the entries in a line as typed, without splitting rows of cards."""
        entries: list[str] = []
        close = False
        rest = line.strip()
        while rest and not rest.startswith("#"):
            if self._is_free_text(rest):
                entries.append(rest)
                break
            end, over = find_entry_end(rest)
            text = rest[:end].strip()
            if text:
                if entries and "=" in entries[-1]:
                    self._check_own_entry(entries[-1], text, close)
                entries.append(text)
            if over:
                break
            close = rest[end] == "," and not rest[end + 1 : end + 2].isspace()
            rest = rest[end + 1 :].strip()
        return entries

    def _check_own_entry(self, before: str, text: str, close: bool) -> None:
        """Raise Unreadable if a comma follows `key=value`, but the text after it is not an entry.

        A single word directly after the comma is refused too, because it may belong to the value.
        """
        last = before.split()[-1]
        if "=" not in last or "=" in text:
            return
        try:
            verb = self.read(text).type
        except Unreadable:
            close = True
        else:
            close = close and not (
                verb.is_table_entry or verb.is_shorthand or verb.plays_cards or ":" in text
            )
        if close:
            raise Unreadable(
                tr("“{text}” after the comma is not an entry", text=clean(text)[:80]),
                tr(
                    "join several values with +: “{joined}”",
                    joined=clean(f"{last}+{text}"),
                ),
            )

    def _is_free_text(self, text: str) -> bool:
        head, colon, _ = text.partition(":")
        if colon and self._is_name(head):
            return False
        verb = self.entry_types.get(self.split_first_word(text)[0]) or self.entry_types.get(
            self._first_word(text)
        )
        return verb is not None and verb.is_table_entry and verb.is_text

    def _first_word(self, text: str) -> str:
        """Return the meaning of the first word of a string, or ""."""
        return self.find_meaning(" ".join(text.split(None, 1)[:1]))

    def split_row(self, text: str) -> list[str]:
        """Return the cards of a row as separate entries if cards are played one at a time.

        Any other string is returned unchanged.
        """
        name, colon, act = text.partition(":")
        if colon and not name.strip():
            return [text]
        cards = (act if colon else text).split()
        if len(cards) < 2 or not all(map(self.is_card, cards)):
            return [text]
        # A player may have a name that looks like a card.
        if colon and self._find_table_type(name):
            return [text]
        plays = [
            verb for verb in self.entry_types.values() if verb.is_implicit and verb.plays_cards
        ]
        if not any(isinstance(v.syntax, Cards) and v.syntax.most == 1 for v in plays):
            return [text]
        first = f"{name}: {cards[0]}" if colon else cards[0]
        return [first, *cards[1:]]

    # --- entries

    def read_all(self, texts: Sequence[str]) -> list[Entry]:
        """Return the entries for these strings, with UNREADABLE for each string that cannot be
        read."""
        known = list(map(self._cache.get, texts))
        return [
            self._try_read(texts[at]) if entry is None else entry for at, entry in enumerate(known)
        ]

    def _try_read(self, text: str) -> Entry:
        try:
            return self.read(text)
        except Unreadable:
            return UNREADABLE

    def read(self, text: str) -> Entry:
        """Return the entry for a string, without its trailing comment. Raises Unreadable."""
        entry = self._cache.get(text)
        if entry is None:
            entry = self._read_known(text) or self._parse(text.strip())
            if not entry.type.is_table_entry:  # table entries are rarely repeated
                if len(self._cache) > MAX_CACHED:
                    self._cache.clear()
                self._cache[text] = entry
        return entry

    def _read_known(self, text: str) -> Entry | None:
        """Return the entry for a string whose beginning is cached.

        The beginning is a player's name or a fact about a player. The act after a name may have
        been read in another match.
        """
        head, colon, rest = text.partition(": ")
        if not colon:
            return None
        seat = self._seats.get(head)
        if seat is None:
            of = self._fact_texts.get(head)
            return None if of is None else self._read_fact_text(of, rest)
        act = self.lexicon.acts.get(rest)
        if act is None:
            return None
        text = text if act.text == rest else f"{head}: {act.text}"
        return Entry(act.verb, seat, act.value, text=text)

    def _read_fact_text(self, of: FactText, text: str) -> Entry | None:
        """Return the entry for a fact about a player, or None if the string needs the full
        parser."""
        if not _MARKS.isdisjoint(text) or len(text) > MAX_LINE_LENGTH // 2:
            return None
        verb, seat, syntax, begins = of
        try:
            value = syntax.read(text, self)
        except Unreadable:
            return None
        return Entry(verb, None, (seat, value), text=begins + syntax.write(value, self))

    def _learn(self, text: str, entry: Entry) -> None:
        """Cache a player's act if it is one entry that means the same for all players."""
        name, _, done = text.partition(": ")
        if name not in self._seats or entry.decision or entry.type.syntax.names_players:
            return
        if self.split_line(text) == [text] and not self._find_table_type(name):
            acts = self.lexicon.acts
            if len(acts) > MAX_CACHED:
                acts.clear()
            acts[done] = ParsedAct(entry.type, entry.value, entry.text[len(name) + 2 :])

    def _learn_fact_text(self, text: str, verb: EntryType, seat: int, syntax: Syntax) -> None:
        """Cache the beginning of an entry that states a fact about a player."""
        if len(self._fact_texts) > 1000:
            self._fact_texts.clear()
        begins = f"{self.write_word(verb.word)} {self.names[seat]}: "
        self._fact_texts[text.partition(": ")[0]] = FactText(verb, seat, syntax, begins)

    def _parse(self, text: str) -> Entry:
        if len(text) > MAX_LINE_LENGTH:
            raise Unreadable(
                tr("an entry can have at most {most} characters", most=MAX_LINE_LENGTH)
            )
        if not text or text.startswith("#"):
            raise Unreadable(tr("the entry is empty"), tr("type what happened"))
        verb, decision = self._find_table_type(text), ""
        if verb is None or not verb.is_text:
            text, decision = split_decision(strip_comment(text))
        if verb is not None:
            head, colon, tail = text.partition(":")
            if colon and not (decision or verb.is_text):  # the colon may follow the word directly
                rest = f"{self._text_after(head, verb)}:{tail}"
            else:
                rest = self._text_after(text, verb)
            brief = verb.short_form
            if brief is not None and brief.syntax.may_match(rest, self):
                verb = brief
            entry = self.write(Entry(verb, None, self._read_value(verb, rest), decision))
            if isinstance(verb.syntax, OfPlayer) and not verb.is_text:
                self._learn_fact_text(text, verb, entry.value[0], verb.syntax.inner)
        else:
            head, colon, _ = text.partition(":")
            if not (colon and self._is_name(head)):
                self._check_enabled(self.split_first_word(head)[0])
            entry = self._parse_act(text, decision)
            self._learn(text, self.write(entry))
        written = entry.text
        if not (
            entry.type.is_text
            or _ENTRY_ENDS.isdisjoint(written)
            or self.split_line(written) == [written]
        ):
            raise several_entries_error(written)
        return entry

    def _find_table_type(self, text: str) -> EntryType | None:
        head, colon, _ = text.partition(":")
        if colon and self._is_name(head):
            return None
        for word in (self.split_first_word(head)[0], self._first_word(text)):
            verb = self.entry_types.get(word)
            if verb is not None and verb.is_table_entry:
                return verb
        return None

    def _text_after(self, text: str, verb: EntryType) -> str:
        tokens = text.split()
        for length in range(min(4, len(tokens)), 0, -1):
            if self.find_meaning(" ".join(tokens[:length])) == verb.word:
                return " ".join(tokens[length:])
        return ""

    def _parse_act(self, text: str, decision: str) -> Entry:
        name, colon, act = text.partition(":")
        if not colon or "=" in name:
            return self._parse_act_of(None, text, decision)
        who = name.strip()
        if self.find_meaning(who) == "all" and not self._is_name(who):
            entry = self._parse_act_of(EVERYONE, act.strip(), decision)
            if not entry.type.for_all:
                self._refuse(tr("“{act}” cannot be entered for all players", act=clean(act)))
            return entry
        return self._parse_act_of(self.find_seat(who), act.strip(), decision)

    def _parse_act_of(self, seat: int | None, act: str, decision: str) -> Entry:
        if not act:
            raise Unreadable(tr("type what happened after the name"))
        word, rest = self.split_first_word(act)
        verb = self.entry_types.get(word)
        if verb is not None and verb.is_joint and seat is not None:
            self._refuse(tr("“{act}” must be entered without a name", act=clean(act)))
        line = self.lexicon.line_form if seat is None else None
        if line is not None and line.syntax.may_match(act, self):
            try:
                return Entry(line, None, line.syntax.read(act, self), decision)
            except Unreadable:
                if verb is None:
                    raise
        if verb is not None and not verb.is_table_entry:
            brief = verb.short_form
            if brief is not None and rest and brief.syntax.may_match(rest, self):
                verb = brief
            elif verb.is_implicit and verb.plays_cards and self._is_shorthand(rest):
                verb = verb.as_explicit()
            return Entry(verb, seat, self._read_value(verb, rest), decision)
        if seat is not None and seat >= 0 and len(self.split_row(f"{self.names[seat]}: {act}")) > 1:
            raise one_at_a_time_error(self.names[seat], act.split())
        for verb in self.lexicon.implicit:
            if not (verb.is_joint and seat is not None) and verb.syntax.may_match(act, self):
                return Entry(verb, seat, self._read_value(verb, act), decision)
        self._check_enabled(word)
        for verb in self.lexicon.shorthand:
            if (seat is None or verb.needs_turn) and verb.syntax.may_match(act, self):
                return Entry(verb, seat, self._read_value(verb, act), decision)
        say = tr("“{act}” is not an act of this game", act=clean(act)[:80])
        form = self.lexicon.early_ends.get(act.casefold())
        if form is not None:
            raise Unreadable(say, early_end_hint(form))
        self._check_colon(say, seat, act)
        if act.isascii() and act.isdigit():
            self._check_word(say, seat, act)
            if line is not None:
                raise Unreadable(
                    tr("“{text}” is not a complete result yet", text=act),
                    tr("the form is {form}", form=line.form),
                )
        self._check_points(say, seat, act)
        return self._refuse(say)

    def _is_shorthand(self, text: str) -> bool:
        """Return whether a string may be shorthand for an act."""
        shorts = self.lexicon.shorthand
        return any(verb.needs_turn and verb.syntax.may_match(text, self) for verb in shorts)

    def _check_colon(self, say: str, seat: int | None, act: str) -> None:
        """Raise Unreadable with a suggestion if the text only lacks a colon after the name."""
        tokens = act.split()
        for at in range(len(tokens) - 1, 0, -1) if seat is None else ():
            name = " ".join(tokens[:at])
            everyone = self.find_meaning(name) == "all"
            if not (everyone or self._is_name(name)):
                continue
            try:
                meant = self.read(f"{name}: {' '.join(tokens[at:])}").text
            except Unreadable:
                continue
            raise Unreadable(say, tr("did you mean “{meant}”?", meant=meant))

    def _check_word(self, say: str, seat: int | None, number: str) -> None:
        """Raise Unreadable for a number without a word, and suggest words to put before it."""
        who = "" if seat is None or seat < 0 else f"{self.names[seat]}: "
        meant = []
        for verb in self.entry_types.values():
            if not (verb.is_table_entry or verb.is_implicit):
                try:
                    verb.syntax.read(number, self)
                except Unreadable:
                    continue
                meant.append(format_quoted(f"{who}{self.write_word(verb.word)} {number}"))
        if meant:
            raise Unreadable(say, tr("did you mean {entries}?", entries=join_list(meant, "or")))

    def _check_points(self, say: str, seat: int | None, act: str) -> None:
        """Raise Unreadable for signed points of a player, and suggest the entry that books them."""
        *words, points = act.split()
        who = self.names[seat] if seat is not None and seat >= 0 else " ".join(words)
        if points[:1].isdigit() or not (is_signed(points) and self._is_name(who)):
            return
        try:
            meant = self.read(f"{SCORE} {who}: {points}").text
        except Unreadable:
            return
        raise Unreadable(say, tr("did you mean “{meant}”?", meant=meant))

    def _check_enabled(self, word: str) -> None:
        """Raise Unreadable if the ruleset turns a word off."""
        if word in self.lexicon.disabled:
            self._refuse(
                tr(
                    "“{word}” is not played here, because the ruleset turns it off",
                    word=self.write_word(word),
                )
            )

    def _refuse(self, message: str) -> NoReturn:
        acts = [
            verb.form if verb.is_implicit else self.write_word(verb.word)
            for verb in self.entry_types.values()
            if not verb.is_table_entry
        ]
        tables = [
            self.write_word(verb.word) for verb in self.entry_types.values() if verb.is_table_entry
        ]
        raise Unreadable(
            message,
            tr(
                "a player's act begins with {acts}; a table entry begins with {tables}",
                acts=", ".join(acts),
                tables=", ".join(tables),
            ),
        )

    def _read_value(self, verb: EntryType, text: str) -> Value:
        try:
            return verb.syntax.read(text, self)
        except Unreadable as failure:
            if verb.is_implicit:
                raise
            form = f"{self.write_word(verb.word)} {verb.form}".strip()
            raise Unreadable(
                f"{self.write_word(verb.word)}: {failure.message}",
                failure.hint or tr("the form is “{form}”", form=form),
            ) from None

    def hide_cards(self, text: str) -> str:
        """Return an entry's text as the whole table saw it.

        Cards that only the recorder saw (a hand, buried cards) are replaced by their number.
        """
        try:
            entry = self.read(text)
        except Unreadable:
            return text
        value = entry.type.syntax.hide_cards(entry.value)
        if value == entry.value:
            return text
        return self.write(Entry(entry.type, entry.seat, value, entry.decision)).text

    def write(self, entry: Entry) -> Entry:
        """Set the entry's canonical text, and return the entry."""
        verb = entry.type
        text = verb.syntax.write(entry.value, self)
        if not verb.is_implicit:
            text = f"{self.write_word(verb.word)} {text}".rstrip()
        if entry.seat is not None:
            name = "all" if entry.seat == EVERYONE else self.names[entry.seat]
            text = f"{name}: {text}"
        entry.text = f"{text} !{entry.decision}" if entry.decision else text
        return entry

    # --- players, cards, suits and words for a syntax (see `syntax.Spelling`)

    def read_card(self, token: str) -> int:
        """Return the card kind that a token names. Raises Unreadable."""
        forms, typed = self.lexicon.cards, _fold_token(token)
        kind = forms.find(typed)
        if kind is not None:
            return kind
        if typed in forms.ambiguous:
            codes = self.lexicon.pack.kinds
            raise ambiguity_error(
                token, {codes[kind]: codes_of for kind, codes_of in forms.ambiguous[typed].items()}
            )
        if not self.kinds:
            raise Unreadable(tr("this game has no cards"))
        raise Unreadable(
            tr("“{typed}” is not a card of this pack", typed=clean(token)[:MAX_NAME_LENGTH]),
            tr("type a rank and a suit, such as {card}", card=self.kinds[0]),
        )

    def read_suit(self, text: str) -> str:
        """Return the suit that a letter or symbol names. Raises Unreadable."""
        forms, typed = self.lexicon.suit_letters, _fold_token(text)
        suit = forms.find(typed)
        if suit is not None:
            return suit
        if typed in forms.ambiguous:
            raise ambiguity_error(text, forms.ambiguous[typed])
        suits = " ".join(map(self.write_suit, self.lexicon.suits))
        raise Unreadable(
            tr("“{text}” is not a suit; the suits are {suits}", text=clean(text), suits=suits)
        )

    def is_suit(self, text: str) -> bool:
        """Return whether a string names a suit, even if it is ambiguous."""
        forms, typed = self.lexicon.suit_letters, _fold_token(text)
        return forms.find(typed) is not None or typed in forms.ambiguous

    def kinds_of_suit(self, suit: str) -> tuple[int, ...]:
        """Return the kinds of card in a suit."""
        return tuple(kind for kind, each in enumerate(self.lexicon.pack.suit) if each == suit)

    def write_suit(self, suit: str) -> str:
        """Return the written form of a suit."""
        return self.lexicon.languages[self.lexicon.language].suit(suit)

    def split_tokens(self, text: str) -> list[str]:
        """Return the words of a string, with the words of a card's name (`Grand Roi`) joined."""
        tokens = text.split()
        for length in range(self.lexicon.max_card_words, 1, -1):
            for index in range(len(tokens) - length, -1, -1):
                joined = " ".join(tokens[index : index + length])
                if self.is_card(joined):
                    tokens[index : index + length] = [joined]
        return tokens

    def is_card(self, token: str) -> bool:
        """Return whether a token names a card of the pack, even if it is ambiguous."""
        forms, typed = self.lexicon.cards, _fold_token(token)
        return forms.find(typed) is not None or typed in forms.ambiguous

    def find_seat(self, text: str) -> int:
        """Return the seat of the player with this name, or whose name begins with it.

        Raises Unreadable.
        """
        seat = self._seats.get(text)
        return find_seat(self.names, text, self.away) if seat is None else seat

    def _is_name(self, text: str) -> bool:
        """Return whether a string is a player's full name.

        Before a colon, a name takes precedence over every word, because the word may have been
        introduced after the match began.
        """
        return normalize(text.strip().casefold()) in self._folded

    def find_meaning(self, text: str) -> str:
        """Return the canonical word or row name for a typed word, or ""."""
        return self.lexicon.meanings.get(" ".join(text.casefold().split()), "")

    def write_word(self, word: str) -> str:
        """Return the written form of a canonical word."""
        return self.lexicon.forms.get(word, word)

    def split_first_word(self, text: str) -> tuple[str, str]:
        """Return the longest known word at the beginning of a string, and the rest of the
        string."""
        tokens = text.split()
        for length in range(min(4, len(tokens)), 0, -1):
            word = self.find_meaning(" ".join(tokens[:length]))
            if word:
                return word, " ".join(tokens[length:])
        return "", text


# --- the end of an entry, and errors about texts that are not one entry


def strip_comment(text: str) -> str:
    """Return a string without its trailing comment."""
    for at, char in enumerate(text if "#" in text else ""):
        if char == "#" and (at == 0 or text[at - 1].isspace()):
            return text[:at].rstrip()
    return text


def find_entry_end(text: str) -> tuple[int, bool]:
    """Return the end of the first entry in a line, and whether it is the last entry."""
    if not ("," in text or ";" in text or "#" in text):
        return len(text), True
    for index, char in enumerate(text):
        if char in ",;":
            return index, False
        if char == "#" and text[index - 1].isspace():
            return index, True
    return len(text), True


def one_at_a_time_error(name: str, cards: Sequence[str]) -> Unreadable:
    """Return the error for several cards after one name in a game that plays one card at a time."""
    first, *others = cards
    one = f"{name}: {first}"
    withdrawn = ", ".join([one, *(f"{name}: {card} !withdrawn" for card in others)])
    return Unreadable(
        tr(
            "“{text}”: cards are played one at a time, and these cards do not complete the trick",
            text=clean(f"{name}: {' '.join(cards)}")[:80],
        ),
        tr(
            "type {one} for that card alone, {row} if the next players played the others, or"
            " {withdrawn} if {name} played them all",
            one=one,
            row=", ".join(cards),
            withdrawn=withdrawn,
            name=name,
        ),
    )


def several_entries_error(text: str) -> Unreadable:
    """Return the error for a string that would be read as several entries."""
    return Unreadable(
        tr("“{text}” is more than one entry", text=clean(text)[:80]),
        tr("type one entry at a time; join several values with +"),
    )


def early_end_hint(form: str) -> str:
    """Return the hint to enter the result of a round that ended before the last card was played."""
    return tr(
        "to end the round early, enter its result, including all points and cards that have "
        "not been won yet: {form}",
        form=form,
    )


def _fold_token(token: str) -> str:
    """Return a token in lower case, without the character that turns a symbol into an emoji."""
    return token.lower().replace("\ufe0f", "")


# --- the language of a match


class Translator:
    """The translator between typed and stored entries of a match.

    `language` determines the card letters. `words` is the language in which entries are offered, if
    it differs. `plain` is the notation for stored entries when the match starts. `now` returns the
    notation for stored entries with the current players.
    """

    __slots__ = (
        *("_canonical_notation", "_current_notation", "_letters", "_spoken_notation"),
        *("_words", "language"),
    )

    def __init__(
        self,
        plain: Notation,
        language: str = PROGRAM_LANGUAGE,
        words: str = PROGRAM_LANGUAGE,
        now: Callable[[], Notation] | None = None,
    ) -> None:
        self._current_notation = now
        self.language = language
        self._words = words
        self._letters: dict[str, str] | None = None
        self._canonical_notation = plain
        self._spoken_notation = self._make_spoken_notation()

    def _make_spoken_notation(self) -> Notation:
        plain = self._canonical_notation
        if not (self.language or self._words):
            return plain
        lexicon = plain.lexicon.for_language(self.language, self._words)
        return Notation(lexicon, plain.names, plain.away)

    def _update(self) -> None:
        """Switch to the current players' notation."""
        now = (
            self._canonical_notation if self._current_notation is None else self._current_notation()
        )
        if now is not self._canonical_notation:
            self._canonical_notation, self._letters = now, None
            self._spoken_notation = self._make_spoken_notation()

    @property
    def canonical_notation(self) -> Notation:
        """The notation for stored entries."""
        self._update()
        return self._canonical_notation

    @property
    def spoken_notation(self) -> Notation:
        """The notation for the language of the match."""
        self._update()
        return self._spoken_notation

    def to_canonical(self, typed: str) -> str:
        """Return the canonical text for a typed entry. Raises Unreadable."""
        return (
            self._rewrite(self.spoken_notation.read(typed), self.canonical_notation)
            if self.language
            else typed
        )

    def to_spoken(self, text: str) -> str:
        """Return a stored entry as players type it. If it cannot be read, return it unchanged."""
        if self.spoken_notation is self.canonical_notation:
            return text
        try:
            return self._rewrite(self.canonical_notation.read(text), self.spoken_notation)
        except Unreadable:
            return text

    def echo(self, text: str) -> str:
        """Return a stored entry, followed by its text in the match's language if that differs."""
        translated = self.to_spoken(text) if self.language else text
        if translated == text:
            return text
        who, _, act = translated.partition(": ")
        return f"{text} ({act if act and text.startswith(f'{who}: ') else translated})"

    def _translate_hint(self, text: str) -> str:
        """Return a hint with the quoted entries translated."""
        parts = _QUOTED.split(text)
        parts[2::4] = map(self.to_spoken, parts[2::4])
        return "".join(parts)

    def _translate_message(self, text: str) -> str:
        """Return a message with the quoted entries and card letters translated."""
        parts = _QUOTED.split(text)
        entries = [(part, self.to_spoken(part)) for part in parts[2::4]]
        parts[::4] = map(self.translate_letters, parts[::4])
        parts[2::4] = [new if new != old else self.translate_letters(old) for old, new in entries]
        return "".join(parts)

    def translate_letters(self, text: str) -> str:
        """Return a sentence with cards, ranks and suits in the letters of the match's language.

        A word that is also a player's name is not changed.
        """
        if not self.language:
            return text
        letters = self._letters
        if letters is None:
            letters = self._letters = self._find_differing_letters()
        return _TOKENS.sub(lambda found: letters.get(found[0], found[0]), text)

    def translate_failure(self, failure: Failure) -> Failure:
        """Return an error with the quoted entries as players type them."""
        if not self.language:
            return failure
        if isinstance(failure, Unreadable):
            return Unreadable(failure.message, self._translate_hint(failure.hint))
        return Failure(
            self._translate_message(failure.message), self._translate_message(failure.hint)
        )

    def describe_letters(self) -> str:
        """Return the ranks and suits as readable text (`A K …, C ♣ …`), or "" in a game without
        cards."""
        lexicon = self.spoken_notation.lexicon
        language = lexicon.languages[self.language]
        symbols = {suit: symbol for symbol, suit in reversed(SUIT_SYMBOLS.items())}
        ranks = dict.fromkeys(map(language.rank, lexicon.pack.ranks))
        suits = [
            f"{language.suit(suit)} {symbols.get(suit, '')}".rstrip() for suit in lexicon.pack.suits
        ]
        return f"{' '.join(ranks)}, {' '.join(suits)}" if suits else ""

    def _rewrite(self, entry: Entry, notation: Notation) -> str:
        return notation.write(Entry(entry.type, entry.seat, entry.value, entry.decision)).text

    def _find_differing_letters(self) -> dict[str, str]:
        lexicon = self.spoken_notation.lexicon
        language = lexicon.languages[self.language]
        result = dict(zip(lexicon.pack.kinds, lexicon.kinds, strict=True))
        result |= {rank: language.rank(rank) for rank in language.ranks.values()}
        result |= {suit: language.suit(suit) for suit in language.suits.values()}
        for word in " ".join(self.canonical_notation.names).split():
            result.pop(word, None)
        return result
