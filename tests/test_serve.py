"""The page for spectators: its content, its event stream, and refused requests."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from scorekeeper import load_ruleset
from scorekeeper.core.errors import Locked
from scorekeeper.session.spectators import SpectatorMatch
from scorekeeper.store.backup import back_up, restore
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from scorekeeper.web import app as server
from scorekeeper.web import feed
from scorekeeper.web.app import HEADERS, PIECE_SIZE, build_app
from scorekeeper.web.feed import MAX_MISSED, MAX_STEPS, RETRY, Feed, Watcher, encode_step
from scorekeeper.web.layout import MAX_SHOWN, PageLayout, render_page
from tests.helpers import program
from tests.public_pairs import pair_of
from tests.serving import PATIENCE, Served, events, served

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import Message

    from scorekeeper.session.spectators import Scene
    from scorekeeper.store.rows import LogRow
    from scorekeeper.web.layout import PageContent

ROOT = Path(__file__).parent.parent
NAMES = ["Ana", "Ben", "Cleo"]
LONG = 16_384
TROUBLE = "may be out of date"
OLD = "The page cannot be updated now"
TOKEN = "a-token-that-nobody-guesses"
HERE = "http://127.0.0.1"
HOSTILE = ["<b>Ana<b>", "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}", '"&lt']


def begun(*entries: str, players: Sequence[str] = NAMES, game: str = "dudo") -> MatchRecorder:
    """Begin a match and record the entries."""
    desk = begin_match(Book(":memory:"), load_ruleset(game), players)
    recorded(desk, *entries)
    return desk


def recorded(desk: MatchRecorder, *entries: str) -> None:
    made = desk.record(entries)
    assert made.failure is None, made.failure
    assert not [ruling for ruling in made.rulings if ruling.refused], made


def client(desk: MatchRecorder, token: str = "") -> TestClient:
    """Return a client that reads the page of a match."""
    feed = Feed()
    feed.publish(PageLayout().lay_out(SpectatorMatch(desk).scene()))
    return TestClient(
        build_app(feed, token=token, local=not token), base_url=HERE, raise_server_exceptions=False
    )


class Reader:
    """A reader of a match's stream who checks for news on demand."""

    def __init__(self, desk: MatchRecorder) -> None:
        self.desk = MatchRecorder(desk.store, desk.id)
        self.watcher = Watcher(lambda: SpectatorMatch(self.desk), lambda: None)
        self.feed = Feed()
        self.look()

    def look(self) -> None:
        """Check the match, and publish news if there is any."""
        shown = self.watcher.check()
        if shown is not None:
            self.feed.publish(shown)

    @property
    def at(self) -> str:
        """The position of a reader who has read everything."""
        assert self.feed.content is not None
        return self.feed.content.position

    def missed(self, at: str) -> bytes:
        """Return the events sent to a reader who has read up to a position."""

        async def told() -> bytes:
            following = self.feed.follow(at)
            first = await anext(following)
            assert first == RETRY
            found = await anext(following)
            while at != self.at and self.at not in [event.id for event in events(found)]:
                found += await anext(following)
            await following.aclose()
            return found

        return asyncio.run(told())


def texts(told: bytes) -> list[str]:
    """Return the texts of the entries in a stream, without their places."""
    said = (event.data for event in events(told) if event.kind == "entry")
    return [re.sub(r"<[^>]*>", "", html).split(" ", 1)[1] for html in said]


# --- the page


def test_the_page_tells_whose_turn_it_is_what_lies_there_and_what_happened() -> None:
    answer = client(begun("Ana: 2x3", "Ben: 3x3")).get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    html = re.sub(r"<[^>]*>", " ", answer.text)
    assert "Dudo" in html
    assert "Cleo" in html
    assert html.index("Ben: 3x3") < html.index("Ana: 2x3")  # the newest entry is first


@pytest.mark.parametrize(
    ("game", "entries", "awaited"),
    [
        ("dudo", ["Ana: 2x3", "Ben: dudo"], "the dice of Ana, Ben and Cleo are counted"),
        ("hearts", [], "Ana, Ben, Cleo and Dan each give 3 cards"),
        ("durak", [], "the trump must be entered"),
        ("podkidnoy", ["trump H"], "the holder of the lowest trump leads; it may be"),
        ("da-ban", [], "the trump must be entered"),
    ],
)
def test_who_looks_on_is_told_what_is_awaited_and_not_how_it_is_typed(
    game: str, entries: list[str], awaited: str
) -> None:
    many = {"hearts": 4, "da-ban": 6}.get(game, 3)
    desk = begun(*entries, game=game, players=[*NAMES, "Dan", "Eva", "Finn"][:many])
    shown = SpectatorMatch(desk).scene().screen
    assert shown is not None
    assert awaited in shown.turn
    typed = "[A-Z]{4}|…"
    assert not re.search(typed, shown.turn)
    assert re.search(typed, desk.match.prompt)  # the recorder sees the prompt


def test_the_page_needs_no_script_and_loads_nothing_from_outside() -> None:
    html = client(begun("Ana: 2x3")).get("/").text
    assert '<noscript><meta http-equiv="refresh"' in html
    assert re.findall(r'(?:src|href)="([^"]*)"', html) == ["page.css", "page.js"]
    assert not re.search(r"<style|style=|\son\w+=", html)


def test_names_and_notes_from_outside_are_no_html() -> None:
    desk = begun(f"{HOSTILE[0]}: 2x3", "note <script>alert(1)</script>", players=HOSTILE)
    desk.describe(title="</title><script>\x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}", note="a\nb")
    reader = Reader(desk)
    assert reader.feed.content is not None
    whole = render_page(reader.feed.content)
    told = reader.missed("").decode()
    for text in (whole, told):
        assert "<b>" not in text
        assert "<script>" not in text
        assert "\x1b" not in text
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in text
    assert f"<bdi>{HOSTILE[1]}</bdi>" in whole
    assert all(
        re.fullmatch(r"(id|event|data|retry): .*", line) for line in told.split("\n") if line
    )


def test_the_newest_entries_stand_on_the_page_and_no_more() -> None:
    desk = begun("Ana: 2x3", *(f"note {number}" for number in range(MAX_SHOWN)))
    reader = Reader(desk)
    assert reader.feed.content is not None
    html = render_page(reader.feed.content)
    assert html.count('class="said"') == MAX_SHOWN
    assert f"note {MAX_SHOWN - 1}<" in html
    assert "Ana: 2x3" not in html


# --- access to the page


def paths(token: str) -> list[str]:
    return [f"/{token}{name}" for name in ("", "page.css", "page.js")]


@pytest.mark.parametrize("token", ["", f"{TOKEN}/"])
def test_every_answer_has_the_strict_headers_and_nothing_of_the_server(token: str) -> None:
    asking = client(begun("Ana: 2x3"), token.rstrip("/"))
    answers = [asking.get(path) for path in [*paths(token), "/nowhere", "/%00"]]
    answers += [asking.post("/"), asking.head(f"/{token}"), asking.get("/", headers={"host": "a"})]
    for answer in answers:
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        assert not {"server", "date", "set-cookie"} & set(answer.headers)
    assert [answer.status_code for answer in answers[:3]] == [200] * 3
    assert "unsafe" not in HEADERS["content-security-policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X"])
def test_nothing_can_be_written(method: str) -> None:
    asking = client(begun("Ana: 2x3"), TOKEN)
    found = {asking.request(method, path).status_code for path in ("/", f"/{TOKEN}/", "/x")}
    assert found == {405}


def test_without_the_token_there_is_nothing_always_the_same() -> None:
    asking = client(begun("Ana: 2x3"), TOKEN)
    wrong = ["/", "/x", f"/{TOKEN[:-1]}/", f"/{TOKEN}x/", f"/{TOKEN.upper()}/", "//", "/page.js"]
    wrong += [
        "/events",
        f"/{TOKEN[:-1]}",
        f"/x/{TOKEN}/",
        f"//{TOKEN}/",
        "/é/",
        f"/{TOKEN}/nowhere",
    ]
    answers = [asking.get(path) for path in wrong]
    assert {(answer.status_code, answer.content) for answer in answers} == {(404, b"Not Found")}
    assert len({tuple(answer.headers.items()) for answer in answers}) == 1


def test_a_link_that_was_typed_without_its_end_leads_to_the_page() -> None:
    answer = client(begun("Ana: 2x3"), TOKEN).get(f"/{TOKEN}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, f"/{TOKEN}/")


@pytest.mark.parametrize(
    "path",
    [
        "/%2e%2e/app.py",
        "/%2fpage.css",
        "/page.css%00",
        "/..%2fapp.py",
        "/%2e%2e%2fapp.py",
        "/page.css/",
        "/app.py",
    ],
)
def test_no_path_leads_to_other_files(path: str) -> None:
    with_token = f"/{TOKEN}{path}"
    for asking, where in ((client(begun()), path), (client(begun(), TOKEN), with_token)):
        transport = asking.build_request("GET", HERE)
        transport.url = transport.url.copy_with(raw_path=where.encode())
        answer = asking.send(transport)
        assert (answer.status_code, answer.content) == (404, b"Not Found")


@pytest.mark.parametrize("host", ["127.0.0.1:9", "localhost", "LOCALHOST:80", "[::1]:80", "[::1]"])
def test_on_this_machine_it_is_read_by_the_machines_own_name(host: str) -> None:
    assert client(begun()).get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "127.0.0.1.evil.example", "", "]", "10.0.0.1", "[::1].evil.example"),
        *("[::1]evil:80", "localhost:80.evil.example", "[localhost", "127.0.0.1:9:9"),
    ],
)
def test_on_this_machine_another_name_that_leads_here_is_refused(host: str) -> None:
    assert client(begun()).get("/", headers={"host": host}).status_code == 421


# --- the stream


def test_entries_come_in_order_each_with_an_id_and_the_parts_that_changed() -> None:
    desk = begun("Ana: 2x3")
    reader = Reader(desk)
    before = reader.at
    recorded(desk, "Ben: 3x3", "Cleo: 4x3")
    reader.look()
    told = reader.missed(before)
    assert texts(told) == ["Ben: 3x3", "Cleo: 4x3"]
    found = events(told)
    assert {event.part[0] for event in found if event.kind == "part"} >= {"now", "table"}
    assert found[-1].id == reader.at


def test_who_comes_back_gets_what_they_missed_wherever_they_were() -> None:
    desk = begun(*(f"note {number}" for number in range(6)))
    reader = Reader(desk)
    ids = [event.id for event in events(reader.missed("0-0-")) if event.kind == "entry"]
    assert len(ids) == 6
    for number, at in enumerate(ids):
        assert texts(reader.missed(at)) == [f"note {left}" for left in range(number + 1, 6)]


def test_what_was_taken_back_or_changed_makes_the_entries_anew() -> None:
    desk = begun("Ana: 2x3", "Ben: 3x3")
    reader = Reader(desk)
    assert reader.feed.content is not None
    shown = reader.feed.content
    desk.undo()
    recorded(desk, "Ben: 4x3")
    reader.look()
    assert {event.kind for event in events(b"".join(encode_step(shown, reader.feed.content)))} == {
        "part"
    }
    told = reader.missed(shown.position)
    assert texts(told) == []
    (log,) = [event.part[1] for event in events(told) if event.part[0] == "log"]
    assert "4x3" in log
    assert "3x3" not in log.replace("2x3", "")
    assert events(told)[-1].id == reader.at


def test_who_was_away_too_long_gets_the_page_in_place_of_every_entry() -> None:
    reader = Reader(begun("Ana: 2x3", *(f"note {number}" for number in range(MAX_MISSED))))
    told = reader.missed("0-0-")
    assert texts(told) == []
    assert "log" in [event.part[0] for event in events(told)]


def test_who_missed_too_much_gets_the_pages_parts_the_same_bytes_as_all() -> None:
    reader = Reader(begun("Ana: 2x3", *(f"note {at} {'x' * 1_500}" for at in range(100))))
    assert reader.feed.content is not None
    few, many = reader.feed.content.position_after(95), reader.feed.content.position_after(1)
    assert len(texts(reader.missed(few))) == 6
    assert texts(reader.missed(many)) == []

    async def parts(at: str) -> bytes:
        following = reader.feed.follow(at)
        told = [await anext(following) for _ in range(3)]
        await following.aclose()
        return told[-1]

    one, other, third = (asyncio.run(parts(at)) for at in (few, many, "0-0-"))
    assert one is other  # all readers share one copy
    assert one is third
    assert events(one)[-1].id == reader.at


def test_who_takes_nothing_is_sent_a_piece_and_no_more() -> None:
    """Cover the page and the stream: a slow reader's remaining data waits."""
    desk = begun(*(f"note {'x' * 1_900}" for _ in range(40)))
    feed = Feed()
    feed.publish(PageLayout().lay_out(SpectatorMatch(desk).scene()))
    assert len(feed.page()) > 2 * PIECE_SIZE

    async def taken(path: str) -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)
            if message.get("body"):
                await asyncio.Event().wait()

        async def receive() -> NoReturn:
            await asyncio.Event().wait()
            raise AssertionError

        scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
        answering = asyncio.ensure_future(
            build_app(feed)({**scope, "headers": [(b"host", b"[::1]")]}, receive, send)
        )
        await asyncio.sleep(0)
        while not any(message.get("body") for message in sent):
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        answering.cancel()
        await asyncio.gather(answering, return_exceptions=True)
        return sent

    sent = asyncio.run(taken("/"))
    assert [len(message.get("body", b"")) for message in sent] == [0, PIECE_SIZE]
    sent = asyncio.run(taken("/events"))
    assert max(len(message.get("body", b"")) for message in sent) <= PIECE_SIZE


@pytest.mark.parametrize(
    "at", ["", "x", "-1-0-", "1-x-", "9" * 5000 + "-0-", "²-0-", "0-0", "\x00", "1--", "<b>-é-\n"]
)
def test_an_id_that_makes_no_sense_is_somebody_who_has_nothing(at: str) -> None:
    reader = Reader(begun("Ana: 2x3", "Ben: 3x3"))
    found = events(reader.missed(at))
    assert found[-1].id == reader.at
    assert {event.part[0] for event in found if event.kind == "part"} >= {"head", "now", "table"}


def test_what_comes_while_somebody_looks_is_told_with_the_next_look() -> None:
    desk = begun("Ana: 2x3")
    reader = Reader(desk)
    before = reader.at
    look = reader.desk.refresh

    def meanwhile() -> list[LogRow]:
        found = look()
        recorded(desk, "note between")
        reader.desk.refresh = look  # type: ignore[method-assign]
        return found

    recorded(desk, "Ben: 3x3")
    reader.desk.refresh = meanwhile  # type: ignore[method-assign]
    reader.look()
    reader.look()
    assert texts(reader.missed(before)) == ["Ben: 3x3", "note between"]


def test_what_is_noted_on_an_entry_later_changes_that_entry_and_no_other() -> None:
    desk = begun("Ana: 2x3")
    reader = Reader(desk)
    scene = SpectatorMatch(desk).scene()
    layout = PageLayout()
    before = layout.lay_out(scene)
    noted = [scene.log[0]._replace(note="open"), scene.log[0]._replace(place="1.2")]
    after = layout.lay_out(scene._replace(log=noted))
    told = events(b"".join(encode_step(before, after)))
    assert [event.kind for event in told] == ["entry", "change"]
    assert told[1].part == ("e1", after.entries[0])
    assert told[1].id == after.position
    assert reader.at == before.position


def test_a_thousand_entries_at_once_are_told_one_by_one_to_who_keeps_up() -> None:
    desk = begun()
    watched, layout = SpectatorMatch(MatchRecorder(desk.store, desk.id)), PageLayout()
    before = layout.lay_out(watched.scene())
    recorded(desk, *(f"note number {number}." for number in range(1000)))
    assert watched.check_news()
    told = events(b"".join(encode_step(before, layout.lay_out(watched.scene()))))
    entries = [event.data for event in told if event.kind == "entry"]
    assert len(entries) == 1000
    assert all(f"number {number}." in entry for number, entry in enumerate(entries))


def test_all_who_keep_up_get_the_same_bytes_and_who_does_not_the_latest() -> None:
    desk = begun("Ana: 2x3")
    reader = Reader(desk)

    async def read() -> None:
        quick = [reader.feed.follow(reader.at) for _ in range(3)]
        slow = reader.feed.follow(reader.at)
        for one in (*quick, slow):
            await anext(one)
            await anext(one)
        for number in range(MAX_STEPS + 2):
            recorded(desk, f"note {number}")
            reader.look()
            told = [await anext(one) for one in quick]
            assert len(set(told)) == 1
            assert texts(told[0]) == [f"note {number}"]
        assert texts(await anext(slow)) == [f"note {number}" for number in range(MAX_STEPS + 2)]
        for one in (*quick, slow):
            await one.aclose()
        assert reader.feed.readers == 0

    asyncio.run(read())


# --- hidden information


def test_hands_that_were_entered_change_no_byte_of_page_and_stream() -> None:
    told = []
    for held in ("QC QC AC TC", "9H 9H KH KS"):
        desk = begun(f"hand Ana: {held}", players=[*NAMES, "Dan"], game="doppelkopf")
        reader = Reader(desk)
        before = reader.at
        recorded(desk, "hand Ben: AS AS TS TS")
        reader.look()
        assert reader.feed.content is not None
        told.append((render_page(reader.feed.content), reader.missed(before), reader.missed("")))
    assert told[0] == told[1]
    assert "4" in told[0][0]
    assert not re.search(r"QC|9H|TS", told[0][0] + told[0][1].decode() + told[0][2].decode())


def corrected(desk: MatchRecorder) -> None:
    """Insert a note before the first entry."""
    assert desk.amend(1, 1, "note begun", before=True, confirm=lambda found: True).is_saved


def told_of(reader: Reader) -> tuple[object, bytes]:
    """Return the current content, and the events of the change to it."""
    before = reader.feed.content
    reader.look()
    assert before is not None
    assert reader.feed.content is not None
    return reader.feed.content, b"".join(encode_step(before, reader.feed.content))


@pytest.mark.parametrize("name", ["durak", "hearts", "skat"])
def test_matches_that_differ_in_entered_hands_alone_give_the_same_bytes(name: str) -> None:
    """Compare them entry by entry, after an undo, and after a correction."""
    pair = next(filter(None, (pair_of(name, seed, 45) for seed in range(20))))
    assert pair.one != pair.other
    desks = [begun(players=pair.names, game=name) for _ in range(2)]
    readers = [Reader(desk) for desk in desks]
    for texts in zip(pair.one, pair.other, strict=True):
        for desk, text in zip(desks, texts, strict=True):
            desk.record([text])
        one, other = map(told_of, readers)
        assert one == other
    for act in (MatchRecorder.undo, MatchRecorder.undo, corrected):
        for desk in desks:
            act(desk)
        one, other = map(told_of, readers)
        assert one == other
    shown = [reader.feed.content for reader in readers]
    assert len({render_page(each) for each in shown if each is not None}) == 1
    assert len({reader.missed("") for reader in readers}) == 1


# --- failures


def test_a_book_that_cannot_be_read_for_a_while_leaves_what_was_there() -> None:
    desk = begun("Ana: 2x3")
    reader = Reader(desk)

    def locked() -> NoReturn:
        raise Locked("the book is locked")

    reading = reader.desk.refresh
    reader.desk.refresh = locked  # type: ignore[method-assign]
    reader.look()
    assert reader.feed.content is not None
    assert TROUBLE in render_page(reader.feed.content)
    assert "Ana: 2x3" in render_page(reader.feed.content)
    reader.desk.refresh = reading  # type: ignore[method-assign]
    recorded(desk, "Ben: 3x3")
    reader.look()
    assert TROUBLE not in render_page(reader.feed.content)
    assert "Ben: 3x3" in render_page(reader.feed.content)


def test_a_match_that_cannot_be_read_at_first_is_shown_as_soon_as_it_can() -> None:
    desk = begun("Ana: 2x3")
    ways = [Locked("the book is locked"), Locked("the book is locked"), None]

    def opened() -> SpectatorMatch:
        failure = ways.pop(0)
        if failure is not None:
            raise failure
        return SpectatorMatch(desk)

    watcher = Watcher(opened, lambda: None)
    first, again, then = (watcher.check() for _ in range(3))
    assert again is None
    assert first is not None
    assert "cannot be read yet" in render_page(first)
    assert "the book is locked" not in render_page(first)  # the cause does not concern readers
    assert then is not None
    assert "Ana: 2x3" in render_page(then)
    assert "cannot be read yet" not in render_page(then)


def test_what_nobody_thought_of_is_told_and_tried_again() -> None:
    desk = begun("Ana: 2x3")
    looked: list[None] = []
    told: list[str] = []

    def opened() -> SpectatorMatch:
        watched = SpectatorMatch(MatchRecorder(desk.store, desk.id))
        news = watched.check_news

        def broken() -> bool:
            looked.append(None)
            if len(looked) in (2, 3):
                raise KeyError("what nobody thought of")
            return news()

        watched.check_news = broken  # type: ignore[method-assign]
        return watched

    watcher = Watcher(opened, lambda: None, told.append)
    shown = [watcher.check() for _ in range(2)]
    recorded(desk, "Ben: 3x3")
    shown += [watcher.check() for _ in range(4)]
    pages = [render_page(each) for each in shown if each is not None]
    assert ["Ben: 3x3" in each for each in pages] == [False, False, True, True, True]
    assert [OLD in each for each in pages] == [False, True, False, True, False]
    assert len(told) == 1  # one report is enough for the terminal
    assert "KeyError" in told[0]
    assert "nobody" not in told[0]


def test_what_was_shown_stays_while_the_book_cannot_be_opened_after_something_went_wrong() -> None:
    desk = begun("Ana: 2x3")
    ways: list[Exception | None] = [None, Locked("the book is locked"), None]

    def opened() -> SpectatorMatch:
        failure = ways.pop(0)
        if failure is not None:
            raise failure
        return SpectatorMatch(desk)

    def broken(self: SpectatorMatch) -> bool:
        raise RuntimeError("what nobody thought of")

    told: list[str] = []
    watcher = Watcher(opened, lambda: None, told.append)
    first = watcher.check()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(SpectatorMatch, "check_news", broken)
        wrong, locked, again = (watcher.check() for _ in range(3))
    assert first is not None
    assert wrong == locked
    assert wrong is not None
    assert OLD in render_page(wrong)
    assert "Ana: 2x3" in render_page(wrong)
    assert again is not None
    assert render_page(again) == render_page(first)


def test_something_that_goes_wrong_ends_no_stream_and_the_book_is_closed(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cover errors while checking for news and while laying out the page."""
    closed: list[Book] = []
    close = Book.close

    def closing(self: Book) -> None:
        closed.append(self)
        close(self)

    monkeypatch.setattr(Book, "close", closing)
    monkeypatch.setattr(feed, "IDLE_INTERVAL", 0.05)
    laid_out = PageLayout.lay_out

    def broken(self: PageLayout, scene: Scene) -> PageContent:
        if any(said.text == "Ben: 3x3" for said in scene.log) and len(scene.log) == 2:
            raise KeyError("what nobody thought of")
        return laid_out(self, scene)

    monkeypatch.setattr(PageLayout, "lay_out", broken)
    with served(book) as page_of:
        at = page_of.stream("2x3")[-1].id
        record(book, "Ben: 3x3")
        told = page_of.stream(OLD, at)
        assert {event.part[0] for event in told} == {"trouble"}
        answer = page_of.raw(asked("/")).decode()
        assert OLD in answer
        assert "Ana: 2x3" in answer
        record(book, "Cleo: 4x3")
        assert page_of.stream("4x3", told[-1].id)
        assert OLD not in page_of.raw(asked("/")).decode()
        served_by = closed[:]
    assert len(closed) == len(served_by) + 1


# --- the running server


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return the path of a book with one match."""
    path = tmp_path / "book.db"
    with Book(path, create=True) as store:
        recorded(begin_match(store, load_ruleset("dudo"), NAMES), "Ana: 2x3")
    return path


def record(book: Path, *entries: str) -> None:
    """Record entries in the book as another recorder would."""
    with Book(book) as store:
        recorded(MatchRecorder(store, 1), *entries)


def test_what_others_record_comes_and_who_comes_back_misses_nothing(book: Path) -> None:
    with served(book) as page_of:
        first = page_of.stream("2x3")
        assert [event.kind for event in first][-1] == "part"
        at = re.findall(r'data-at="([^"]*)"', page_of.raw(asked("/")).decode())[0]
        record(book, "Ben: 3x3")
        told = page_of.stream("3x3", at)
        (entry,) = [event for event in told if event.kind == "entry"]
        assert "Ben: 3x3" in entry.data
    record(book, "Cleo: 4x3", "note late")
    with served(book) as page_of:  # a new process has the same ids
        again = page_of.stream("note late", at, entry.id)
        assert len([event for event in again if event.kind == "entry"]) == 2


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET /" + b"x" * 60_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
        b"GET /\r\nX: y HTTP/1.1\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"CONNECT evil.example:80 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        b"\x00\xff\x16\x03\x01 nothing at all\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /%0d%0aSet-Cookie:x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    ],
)
def test_what_makes_no_sense_is_refused_with_the_same_headers(book: Path, request_: bytes) -> None:
    with served(book) as page_of:
        answer = page_of.raw(request_)
        head = answer.partition(b"\r\n\r\n")[0].decode().lower()
        hung_up = len(request_) > LONG and not head  # the rest of the request was not read
        assert hung_up or head.startswith("http/1.1 4"), head
        assert hung_up or all(f"{key}: {value}".lower() in head for key, value in HEADERS.items())
        assert "server:" not in head
        assert "set-cookie" not in head
        assert page_of.raw(asked("/")).startswith(b"HTTP/1.1 200")


def asked(path: str) -> bytes:
    """Return a request as a browser sends it, for one answer."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()


def test_a_reader_who_takes_nothing_holds_up_neither_others_nor_the_end(book: Path) -> None:
    with served(book) as page_of, socket.socket() as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.connect(("127.0.0.1", page_of.port))
        stuck.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        for number in range(5):
            record(book, *(f"note {number} {'x' * 1900} {each}" for each in range(100)))
            page_of.stream(f"note {number} {'x' * 1900} 99")


def test_who_asks_nothing_is_hung_up_on_and_so_is_who_finds_no_room(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_TIMEOUT", 0.2)
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 2)
    with served(book) as page_of:
        first, second = (socket.create_connection(("127.0.0.1", page_of.port)) for _ in range(2))
        with first, second:
            assert page_of.raw(asked("/")) == b""
            assert not first.recv(1)
            assert not second.recv(1)
        assert page_of.raw(asked("/")).startswith(b"HTTP/1.1 200")


def test_who_stops_in_the_middle_of_a_request_is_hung_up_on_whatever_was_answered_before(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_TIMEOUT", 0.2)
    with served(book) as page_of, socket.create_connection(("127.0.0.1", page_of.port)) as half:
        half.settimeout(PATIENCE)
        half.sendall(b"GET /page.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert half.recv(65536).startswith(b"HTTP/1.1 200")
        half.sendall(b"GET / HT")
        while half.recv(65536):
            pass


def test_whoever_has_not_the_link_goes_when_somebody_else_comes(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_STRANGERS", 2)
    with served(book, token=TOKEN) as page_of:
        where = ("127.0.0.1", page_of.port)
        reading = socket.create_connection(where, timeout=PATIENCE)
        reading.sendall(f"GET /{TOKEN}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert reading.recv(12) == b"HTTP/1.1 200"
        strangers = [socket.create_connection(where, timeout=PATIENCE) for _ in range(3)]
        with suppress(ConnectionResetError):
            assert strangers[0].recv(1) == b""
        assert page_of.raw(asked(f"/{TOKEN}/")).startswith(b"HTTP/1.1 200")
        record(book, "Ben: 3x3")
        while b"3x3" not in reading.recv(65536):
            pass
        for one in (reading, *strangers):
            one.close()


def test_many_strangers_at_once_leave_room_for_who_has_the_link(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MAX_STRANGERS", 2)
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 3)
    with served(book, token=TOKEN) as page_of:
        strangers = [socket.create_connection(("127.0.0.1", page_of.port)) for _ in range(30)]
        assert page_of.raw(asked(f"/{TOKEN}/")).startswith(b"HTTP/1.1 200")
        for one in strangers:
            one.close()


def test_two_hundred_who_come_at_once_are_all_let_in(book: Path) -> None:
    with served(book, token=TOKEN) as page_of:
        where = ("127.0.0.1", page_of.port)
        reading = [socket.create_connection(where, timeout=PATIENCE) for _ in range(200)]
        for one in reading:
            one.sendall(f"GET /{TOKEN}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert {one.recv(12) for one in reading} == {b"HTTP/1.1 200"}
        for one in reading:
            one.close()


def test_who_is_refused_does_not_stay(book: Path) -> None:
    with served(book, token=TOKEN) as page_of:
        for request_ in (b"GET / HTTP/1.1\r\n", f"POST /{TOKEN}/ HTTP/1.1\r\n".encode()):
            answer = page_of.raw(request_ + b"Host: 127.0.0.1\r\n\r\n")  # the answer ends
            assert b"\r\nconnection: close\r\n" in answer.lower()


def test_a_match_that_is_deleted_stays_on_the_page_and_that_is_told(
    book: Path,
) -> None:
    with served(book) as page_of:
        at = page_of.stream("2x3")[-1].id
        with Book(book) as store:
            store.erase(1)
        told = page_of.stream('"trouble", "html": "<p>', at)
        assert {event.part[0] for event in told} == {"trouble"}
        assert b"Ana: 2x3" in page_of.raw(asked("/"))


def test_a_book_that_is_replaced_is_told_and_read_anew(book: Path, tmp_path: Path) -> None:
    copy, away = tmp_path / "copy.db", tmp_path / "away"
    back_up(str(book), str(copy))
    away.mkdir()
    with served(book) as page_of:
        at = page_of.stream("2x3")[-1].id
        for file in book.parent.glob(f"{book.name}*"):
            file.rename(away / file.name)
        told = page_of.stream('"trouble", "html": "<p>', at)
        assert {event.part[0] for event in told} == {"trouble"}
        restore(str(copy), str(book))
        record(book, "Ben: 3x3")
        assert page_of.stream("3x3", told[-1].id)


def test_what_is_refused_where_one_records_waits_for_the_tables_decision(book: Path) -> None:
    waits = b"an entry was refused and is waiting"
    with served(book) as page_of:
        at = page_of.stream("2x3")[-1].id
        assert program("record", "Ben: 2x2", "--book", str(book)).code == 1
        at = page_of.stream("an entry was refused and is waiting", at)[-1].id
        assert waits in page_of.raw(asked("/"))
        assert program("record", "Ben: 3x3", "--book", str(book)).code == 0
        page_of.stream("3x3", at)
        assert waits not in page_of.raw(asked("/"))
        program("judge", "Ana: 1x1", "--book", str(book))
        assert waits not in page_of.raw(asked("/"))


# --- the command


def test_the_command_says_what_it_cannot_do_in_one_line(book: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, said in (
            (["--port", port], f"port {port} is in use"),
            (["--host", "no.such.host.invalid"], "is not an address of this machine"),
            (["--host", "192.0.2.1"], "is not an address of this machine"),
            (["--language", "tlh"], "is not available"),
            (["7"], "7"),
            (["x"], "“x” is not a match number"),
        ):
            answer = program("serve", *arguments, "--book", str(book))
            assert (answer.code, answer.out) == (2, "")
            assert said in answer.err


def test_without_the_extra_the_command_says_which(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    answer = program("serve", "--book", str(book))
    assert (answer.code, answer.out) == (2, "")
    assert "uvicorn" in answer.err
    assert "run pip install '.[web]' in Scorekeeper's folder" in answer.err


RUBBISH = [
    b"\x16\x03\x01 nothing at all\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    b"GET /events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nGET",
]


def test_two_serve_the_same_match_and_ctrl_c_ends_them_with_readers_connected(book: Path) -> None:
    serving = (sys.executable, "-m", "scorekeeper", "serve", "--format", "json")
    environment = os.environ | {"SCOREKEEPER_BOOK": str(book), "PYTHONPATH": str(ROOT)}
    both = [
        subprocess.Popen(
            [*serving, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        for more in ([], ["--host", "0.0.0.0"])
    ]
    told = [json.loads(b"".join(iter(one.stdout.readline, b"}\n")) + b"}") for one in both]  # type: ignore[union-attr]
    addresses = [urlsplit(each["address"]) for each in told]
    assert addresses[0].port != addresses[1].port
    assert addresses[0].hostname == "127.0.0.1"
    assert addresses[0].path == "/"
    assert len(addresses[1].path) > 22  # 128 bits, six per letter
    for one, address in zip(both, addresses, strict=True):
        assert address.port
        there = Served(address.port, Feed(), address.path.strip("/"))
        assert there.stream("2x3")
        with socket.create_connection(("127.0.0.1", address.port)) as reading:
            reading.sendall(asked(f"{address.path}events"))
            reading.recv(10)
            for rubbish in RUBBISH:
                there.raw(rubbish)
            with socket.create_connection(("127.0.0.1", address.port)) as answered:
                begun = f"GET {address.path}events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                answered.sendall(f"{begun}Transfer-Encoding: chunked\r\n\r\n".encode())
                answered.recv(10)
                answered.sendall(b"no number\r\n")
                with suppress(ConnectionError):
                    while answered.recv(65536):
                        pass
            one.send_signal(signal.SIGINT)
            out, err = one.communicate(timeout=PATIENCE)
        assert (one.returncode, out) == (130, b"")
        assert b"Traceback" not in err
        # nothing else is printed
        assert err.splitlines()[-2:] == [b"press Ctrl-C to stop the server", b"interrupted"]
