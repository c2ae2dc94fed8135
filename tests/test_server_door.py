"""Who and what may come in: origins, limits, nonsense, pages."""

import asyncio
import functools
import json
import re
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from sockets import ASSETS, Opened, Player, asking, opened, site
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cagnotte.games import GAMES
from cagnotte.locale import refusal
from cagnotte.server import wire
from cagnotte.server.addresses import network
from cagnotte.server.answers import GONE, HURRIED
from cagnotte.server.codes import ID_LENGTH, ID_LETTERS
from cagnotte.server.limits import Buckets, Limits
from cagnotte.server.line import BACKLOG, HEAVIEST, HEAVIEST_OF_ADDRESS, Line, Waiting
from cagnotte.server.pages import Assets, Guard, Missing

pytestmark = pytest.mark.anyio


# The door.


async def test_B267_only_our_own_page_may_connect() -> None:
    guard = Guard(["https://cards.example"])
    async with site(guard=guard) as place:
        table = await opened(place.url)
        own, bad = (
            place.url,
            ["http://evil.test", "null", place.url.replace("http", "https"), place.url + "0"],
        )
        bad += ["http://127.0.0.1", "http://localhost" + place.url[16:], place.url + "/"]
        async with asking(place.url) as client:
            for origin in bad:
                with pytest.raises(InvalidStatus) as refused:
                    await table.host(headers={"Origin": origin}).come()
                assert refused.value.response.status_code == 403
                body = {"game": "fear", "name": "Ann"}
                answer = await client.post("/api/tables", json=body, headers={"Origin": origin})
                assert answer.status_code == 403 and answer.json()["message"]
            for origin in (own, "https://cards.example"):
                async with table.host(headers={"Origin": origin}) as ann:
                    assert ann.update["table"]["me"] == 0
                answer = await client.post("/api/tables", json=body, headers={"Origin": origin})
                assert answer.status_code == 201


async def test_B211_a_proxy_is_believed_only_where_one_is() -> None:
    theirs = {
        "X-Forwarded-Host": "cards.example",
        "X-Forwarded-Proto": "https",
        "Origin": "https://cards.example",
    }
    async with site(guard=Guard(proxies=["127.0.0.1"])) as place, site() as other:
        async with (await opened(place.url)).host(headers=theirs):
            pass
        with pytest.raises(InvalidStatus):
            await (await opened(other.url)).host(headers=theirs).come()
        limits = place.hall.limits
        async with asking(place.url) as client:
            for address in ("192.0.2.1", "198.51.100.7, 192.0.2.2"):
                answer = await client.post(
                    "/api/tables", json={"game": "fear", "name": "Ann"}, headers={"X-Forwarded-For": address}
                )
                assert answer.status_code == 201
    assert limits.tables == 100


async def test_B147_nobody_has_many_addresses_by_what_he_writes() -> None:
    """Some proxies leave his line and add their own, some name the port; IPv6 is counted by network."""
    theirs = ("192.0.2.7", "192.0.2.7:1", "192.0.2.7:2", "::ffff:192.0.2.7")
    guard, limits = Guard(proxies=["127.0.0.1"]), Limits(tables=len(theirs), tables_per_second=0.0)
    async with site(limits=limits, guard=guard) as place, asking(place.url) as client:
        for n, address in enumerate((*theirs, "192.0.2.7")):
            lines = [("X-Forwarded-For", f"198.51.100.{n}"), ("X-Forwarded-For", address)]
            answer = await client.post("/api/tables", json={"game": "fear", "name": "Ann"}, headers=lines)
            assert answer.status_code == (201 if n < len(theirs) else 429)
    assert network("2001:db8:1:2:3::4") == network("[2001:db8:1:2::5]:6") != network("2001:db8:1:3::4")
    assert network("nonsense") == "nonsense"


async def test_B147_an_address_opens_only_so_many_tables() -> None:
    async with site(limits=Limits(tables=3, tables_per_second=0.0)) as place, asking(place.url) as client:
        body = {"game": "fear", "name": "Ann", "lang": "fr"}
        codes = [(await client.post("/api/tables", json=body)).status_code for _ in range(5)]
        assert codes == [201, 201, 201, 429, 429]
        answer = await client.post("/api/tables", json=body)
        assert answer.json() == {"clause": None, "message": refusal("fr", HURRIED)}
    now = [0.0]
    buckets = Buckets(2, 1.0, lambda: now[0])
    assert [buckets.take("a") for _ in range(3)] == [True, True, False] and buckets.take("b")
    now[0] = 1.5
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    for i in range(3000):
        now[0] += 0.01
        buckets.take(str(i))
    assert len(buckets._buckets) < 1500


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "whist"},
        {"game": "fear", "players": 99},
        {"game": "fear", "rules": {"stake": 0}},
        {"game": "fear", "rules": {"chips": 20}},
        {"game": "fear", "rules": {"name": 1, "players": 3, "self": 1}},
        {"game": "fear", "rules": {"stake": "9" * 3900}},
        {"game": "fear", "seats": ["person"]},
        {"game": "fear", "players": 2, "seats": ["person", "os:system"]},
        {"game": "fear", "players": 2, "seats": ["person", "__class__"]},
        {"game": "fear", "players": 2, "seats": ["person", "person"]},
        {"game": "fear", "name": ""},
        {"game": "fear", "name": "\u202e"},
        {"game": "fear", "name": None},
        {"game": "fear", "pace": "warp"},
        {"game": None},
        {},
        [],
        "fear",
        None,
        {"game": "fear", "rules": {"stake": 10**30}},
        {"game": "fear", "name": "x" * 5000},
        {"game": "fear", "seats": ["person"] * 1000},
    ],
)
async def test_a_table_that_cannot_be_is_refused_in_a_sentence(wrong: Any) -> None:
    async with site() as place, asking(place.url) as client:
        body = {"name": "Ann", **wrong} if isinstance(wrong, dict) else wrong
        answer = await client.post("/api/tables", json=body)
        assert answer.status_code == 400 and answer.json()["message"].endswith(".")
        for noise in (b"\xff\xfe", b"[" * 4000, b'{"game":"fear","name":NaN}', b"x" * 10**4, b""):
            answer = await client.post("/api/tables", content=noise)
            assert answer.status_code == 400 and answer.json()["message"]


NONSENSE = [
    "",
    "null",
    "[]",
    "{}",
    "7",
    '"act"',
    "NaN",
    '{"type":null}',
    '{"type":7}',
    '{"type":[]}',
    '{"type":"error"}',
    '{"type":"disconnect"}',
    '{"type":"__proto__"}',
    '{"type":"__class__"}',
    '{"type":"update"}',
    '{"type":"tick"}',
    '{"type":"act"}',
    '{"type":"act","id":null,"seen":1,"move":"7S"}',
    '{"type":"act","id":"a","seen":NaN,"move":"7S"}',
    '{"type":"act","id":"a","seen":1e999,"move":"7S"}',
    '{"type":"act","id":"a","seen":-1,"move":"7S"}',
    '{"type":"act","id":"a","seen":' + "9" * 400 + ',"move":"7S"}',
    '{"type":"act","id":"a","seen":true,"move":"7S"}',
    '{"type":"act","id":"a","seen":1,"move":null}',
    '{"type":"act","id":"a","seen":1,"move":["7S"]}',
    '{"type":"act","id":"a","seen":1,"move":{"card":"7S"}}',
    '{"type":"act","id":"","seen":1,"move":"7S"}',
    '{"type":"act","id":"' + "a" * 65 + '","seen":1,"move":"7S"}',
    '{"type":"act","id":"a","seen":1,"move":"' + "7" * 33 + '"}',
    '{"type":"sit","name":7}',
    '{"type":"sit","name":"Bo","seat":-1}',
    '{"type":"sit","name":"Bo","seat":1.5}',
    '{"type":"remove","seat":99999999999999999999}',
    '{"type":"fill"}',
    '{"type":"lang","value":"de"}',
    '{"type":"hello","token":null,"lang":"en"}',
    '{"type":"go","seen":"1"}',
    '{"type":"as"}',
    '{"type":"as","seat":"1"}',
    '{"type":"as","seat":25}',
    '{"type":"say","text":5}',
    '{"type":"react","what":"<img>"}',
    '{"type":"clock","value":-1}',
    '{"type":"clock","value":true}',
    '{"type":"pause","on":1}',
    '{"type":"bot","seat":1,"level":"os:system"}',
    '{"type":"host","seat":999}',
    '{"type":"hello","also":[7]}',
    "[" * 4000,
    '{"a":' * 600 + "1" + "}" * 600,
    '{"type":"ping","more":' + "[" * 1900 + "]" * 1900 + "}",
    "\x00",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
]


@pytest.mark.slow
async def test_B271_nonsense_is_answered_and_the_table_lives_on() -> None:
    limits = Limits(messages=1000)
    async with site(limits=limits) as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3)
        async with table.host() as ann:
            await ann.play(2)
            before = ann.view
            for text in NONSENSE:
                await ann.send(text)
                answer = await ann.hear("refused", "pong")
                assert answer["type"] == "pong" or answer["message"]
            for move in (
                "",
                " ",
                "7S ",
                "shuffle",
                "draw 0 JS",
                "dealer 1",
                "cut ٣",
                "turn 99",
                "fear",
                "\x00",
                "💥",
            ):
                assert (await ann.act(move or "  "))["type"] == "refused"
            for data in (b"", b'{"type":"ping"}', b"\xff" * 100):
                await ann.send(data)
                await ann.hear("refused")
            assert (ann.view["hand"], ann.view["stacks"]) == (before["hand"], before["stacks"])
            await ann.play(2)
        for text in NONSENSE[:-1]:
            guest = await table.guest().open()
            await guest.send(text)
            if "hello" not in text:
                assert (await guest.hear("refused"))["message"] == "This message was not understood."
            await guest.say("hello", token=None, lang="en")
            await guest.hear("update")
            await guest.go()


async def test_B269_what_is_too_big_or_too_much_closes_its_socket_only() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3)
        async with table.host() as ann:
            big = await table.guest().come()
            with pytest.raises(ConnectionClosed):
                await big.send("x" * 10_000_000)
                await big.closed()
            big = await table.guest().come()
            await big.send("x" * 5000)
            assert await big.closed() == 1009
            flood = await table.guest().come()
            for _ in range(200):
                await flood.say("ping")
            await flood.closed()
            assert json.loads(flood.frames[-1])["type"] == "bye" and len(flood.frames) < 70
            silent = await table.guest().open()  # a flood from one who never says who he is
            for _ in range(200):
                await silent.say("ping")
            await silent.closed()
            assert json.loads(silent.frames[-1])["type"] == "bye" and len(silent.frames) < 70
            await ann.play(2)


async def test_sockets_at_a_table_and_of_an_address_are_counted() -> None:
    limits = Limits(onlookers=3, sockets_of_address=4, hello=0.2)
    async with site(limits=limits) as place, AsyncExitStack() as stack:
        table, other = await opened(place.url), await opened(place.url)
        for _ in range(3):
            await stack.enter_async_context(table.guest())
        full = await table.guest().open()
        await full.say("hello", token=None, lang="fr")
        assert (await full.hear("bye"))["message"] == refusal("fr", HURRIED)
        await full.closed()
        await stack.enter_async_context(other.host())
        fifth = await other.guest().open()
        assert (await fifth.hear("bye"))["code"] == "closed"
        await stack.aclose()
        silent = await table.guest().open()
        began = time.monotonic()
        await silent.closed()
        assert time.monotonic() - began < 5


async def test_a_crowd_of_onlookers_keeps_out_nobody_who_sits() -> None:
    limits = Limits(onlookers=2, sockets_of_seat=2)
    async with site(limits=limits) as place, AsyncExitStack() as stack:
        table = await opened(place.url, "fan-tan")
        ann, bo = await table.host().come(), await table.guest().come()
        await bo.sit("Bo")
        for _ in range(2):
            await stack.enter_async_context(table.guest())
        await stack.enter_async_context(bo)
        await ann.back()
        await stack.enter_async_context(table.host())
        third = await table.host().open()
        await third.say("hello", token=table.token)
        assert (await third.hear("bye"))["code"] == "closed"
        await third.closed()
        await bo.back()  # a seat with too many pages takes no room from another
        await ann.go()


async def test_B269_what_waits_for_a_reader_is_weighed() -> None:
    """In bytes, whatever letters there are; what is being sent waits until the system has taken it."""
    line = Line("en", None)
    line.send(b"x" * 2 * HEAVIEST)  # one is sent however large
    assert not line.closed and await line.next() and line.waiting == 2 * HEAVIEST
    line.send(b"x" * HEAVIEST)  # and while that is sent, another may wait
    assert not line.closed
    line.send(b"x")
    assert line.closed and line.out.get_nowait() is None
    line = Line("en", None)
    for _ in range(BACKLOG - 1):
        line.send(b"x" * (HEAVIEST // 100))
    assert line.closed and line.waiting <= HEAVIEST
    assert wire.write(text="😀" * 10) == b'{"text":"%s"}' % ("😀" * 10).encode()


async def test_B269_what_waits_for_all_sockets_of_an_address_is_weighed() -> None:
    """Whoever does not read is cut off for it, and no neighbour who does."""
    all_waiting, hung_up = Waiting(), list[int]()
    lines = [Line("en", None, address="192.0.2.1", all_waiting=all_waiting) for _ in range(200)]
    reader, other = (Line("en", None, address=f"192.0.2.{n}", all_waiting=all_waiting) for n in (1, 2))

    async def read() -> None:
        while await reader.next():
            pass

    reading = asyncio.create_task(read())
    for n, line in enumerate(lines):
        line.hang_up = functools.partial(hung_up.append, n)
        line.send(b"x" * HEAVIEST)
        reader.send(b"x" * HEAVIEST)
        other.send(b"x")
        await asyncio.sleep(0)
    assert hung_up == [*range(101)] and not reader.closed and not other.closed
    assert [line.closed for line in lines] == [True] * 101 + [False] * 99
    assert all_waiting.bytes["192.0.2.1"] <= HEAVIEST_OF_ADDRESS and lines[0].out.get_nowait() is None
    for line in [*lines, reader, other]:
        line.gone()
    await reading
    assert not all_waiting.bytes


async def test_B269_no_state_is_written_for_one_who_has_not_taken_the_last() -> None:
    """What he says waits meanwhile, and is heard once he reads on; what else happens he is told in order."""
    async with site(limits=Limits(told=10**9)) as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3)
        ann, slow = await table.host().come(), await table.guest().come()
        await slow.say("ping")
        await slow.hear("pong")
        [line] = [each for each in place.hall.rooms[table.table].lines if each.secret is None]
        sent, tell = [], asyncio.Event()
        next = line.next

        async def held() -> bytes | None:
            await tell.wait()
            return await next()

        def send(text: bytes) -> None:
            sent.append(json.loads(text))
            Line.send(line, text)

        line.next, line.send = held, send  # type: ignore[method-assign]
        for n in range(30):
            await slow.say("lang", value=("fr", "en")[n % 2])
        await ann.say("say", text="hello")
        await ann.until(lambda update: "chat" in update)
        await asyncio.sleep(0.2)
        assert len([each for each in sent if "log" in each]) == 1
        tell.set()
        for _ in range(30):
            while "log" not in await slow.hear("update"):
                pass
        assert len([each for each in sent if "log" in each]) == 30
        assert [json.loads(text) for text in slow.frames[-len(sent) :]] == sent
        await slow.go()
        await ann.go()


async def test_B149_a_table_that_is_not_there_is_explained() -> None:
    async with site() as place:
        for id in ("2345678923", "nothing", "2345678923456", "%20", "x" * 1000, "%3Cscript%3E"):
            lost = await Opened(place.url, id).guest(lang="fr").open()
            await lost.say("hello", token="token", lang="fr")
            answer = await lost.hear("bye")
            assert answer["code"] == "gone" and answer["message"] == refusal("fr", GONE)
            await lost.closed()
        async with asking(place.url) as client:
            page = await client.get("/t/<script>alert(1)</script>")
            assert page.status_code == 404 and "script" not in page.text
            page = await client.get("/t/2345678923?<script>alert(1)</script>")
            assert page.text == ASSETS.page("/t/2345678923")  # the page itself explains


async def test_B143_an_id_is_read_in_any_case_and_spells_no_word() -> None:
    """B145."""
    assert not set(ID_LETTERS) & set("aeiouyl01") and len(ID_LETTERS) ** ID_LENGTH > 2**47
    async with site() as place:
        table = await opened(place.url)
        async with Player(place.url, table.table.upper(), table.token) as ann:
            assert ann.update["table"]["id"] == table.table and len(place.hall.rooms) == 1


async def test_a_reader_who_is_too_slow_is_cut_off() -> None:
    line = Line("en", None)
    for i in range(BACKLOG + 5):
        line.send(str(i).encode())
        assert line.out.qsize() == (i + 1 if i < BACKLOG else 1)
    assert line.closed and line.out.get_nowait() is None and not line.waiting


# Pages.


@pytest.mark.slow
async def test_pages_and_their_headers() -> None:
    """B215: assets have the version in their address, and only those may be kept for long."""
    async with site() as place, asking(place.url) as client:
        for path in (
            "/mine",
            "/join?code=K3F9TX",
            "/t/2345678923",
            "/t/2345678923/replay",
            "/t/2345678923/screen",
        ):
            assert (await client.get(path)).text == ASSETS.page(path.partition("?")[0])
        page = await client.get("/")
        assert page.headers["cache-control"] == "no-cache" and "{{" not in page.text
        games = (await client.get("/api/games")).json()
        assert games["version"] == ASSETS.version and list(GAMES) == [game["name"] for game in games["games"]]
        links = re.findall(r'(?:href|src)="(static/[^"]+)"', page.text)
        assert links
        for link in links:
            found = await client.get(link)
            assert found.status_code == 200 and "immutable" in found.headers["cache-control"], link
            if link.endswith(".js"):
                assert found.headers["content-type"].startswith("text/javascript")
        stale = await client.get(links[0].replace(ASSETS.version, "0" * 12))
        assert stale.status_code == 200 and stale.headers["cache-control"] == "no-cache"
        for path in ("/static/x/../app.py", "/static/x/%2e%2e/app.py", "/static/x/..%2fapp.py", "/nowhere"):
            assert (await client.get(path)).status_code == 404
        for answer in (page, stale, await client.get("/nowhere"), await client.get("/api/games")):
            assert "'unsafe" not in answer.headers["content-security-policy"]
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "set-cookie" not in answer.headers and "server" not in answer.headers
        lost = await client.get(
            "/a/wrong/<script>?<b>", headers={"Accept": "text/html", "Accept-Language": "fr"}
        )
        assert lost.status_code == 404 and lost.text == ASSETS.page("/a/wrong/place", "x", "fr")
        assert (await client.get("/api/wrong", headers={"Accept": "text/html"})).text == "Not Found"
        assert (await client.get("/api/locale/fr")).json()["game.fear"] == "La Peur"
        assert "T9" in (await client.get("/api/rules/fan-tan?lang=fr")).json()["html"]
        for path in ("/api/locale/de", "/api/locale/..%2fen", "/api/rules/whist", "/api/rules/fear?lang=xx"):
            assert (await client.get(path)).status_code == 404
        assert (await client.get("/healthz")).json()["ok"]
        for path in ("/api/tables", "/api/games/x"):
            assert (await client.get(path)).status_code in (404, 405)


async def test_a_page_on_this_machine_is_told_where_others_reach_it() -> None:
    """Nobody else is, and nobody where a proxy or another origin says what our address is."""
    lan = "http://192.0.2.7:8000/"
    for guard, told in (
        (Guard(), lan),
        (Guard(proxies=["127.0.0.1"]), None),
        (Guard(["https://cards.example"]), None),
    ):
        async with site(guard=guard, network=lambda: lan) as place, asking(place.url) as client:
            assert (await client.get("/api/games")).json()["network"] == told
            for host in ("cards.example", "192.0.2.7:8000"):
                answer = await client.get("/api/games", headers={"Host": host})
                assert answer.json()["network"] is None
    async with site() as place, asking(place.url) as client:
        assert (await client.get("/api/games")).json()["network"] is None


async def test_the_opener_is_guarded_where_browsers_heed_it() -> None:
    """On a plain line to another machine they ignore the header, and complain of it in the console."""
    async with (
        site() as place,
        site(guard=Guard(["https://cards.example"], proxies=["127.0.0.1"])) as other,
        asking(place.url) as client,
        asking(other.url) as proxied,
    ):
        theirs = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "table.example"}
        for asker, headers, sent in (
            (client, {}, True),
            (client, {"Host": "localhost:8000"}, True),
            (client, {"Host": "192.0.2.7:8000"}, False),
            (client, {"Host": "[::1"}, False),
            (client, theirs | {"Host": "192.0.2.7:8000"}, False),
            (proxied, theirs, True),
            (proxied, theirs | {"X-Forwarded-Proto": "http"}, False),
            (proxied, {"Host": "cards.example"}, True),
        ):
            answer = await asker.get("/", headers=headers)
            assert ("cross-origin-opener-policy" in answer.headers) is sent, headers


async def test_what_is_no_request_is_answered_and_leaves_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    post = b"POST /api/tables HTTP/1.1\r\nHost: a\r\n"
    async with site() as place:
        for request, code in (
            (b"GET /static/x/%00 HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
            (b"GET /static/x//etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
            (b"GET / HTTP/1.1\r\nHost: [::1\r\nOrigin: http://[::1\r\n\r\n", b"200"),
            (b"PUT /api/tables HTTP/1.1\r\nHost: a\r\n\r\n", b"405"),
            (b"\0" * 100, b"400"),
            (post + b"Content-Length: 999999999\r\n\r\n" + b"x" * 6000, b"400"),
            (post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"400"),
            (post + b"Content-Length: 10\r\n\r\n", b""),
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(place.url.rpartition(":")[2]))
            writer.write(request)
            if code:
                assert (await reader.read(1000)).split(b" ")[1] == code
            writer.close()
            await writer.wait_closed()
        async with (await opened(place.url)).host() as ann:
            assert ann.update["table"]["me"] == 0
    assert "Traceback" not in caplog.text


async def test_a_wrong_address_of_any_length_is_answered_shortly() -> None:
    """Our page names its files from where it stands: a step up for each slash, each time it names one."""
    async with site(base="/cards") as place, asking(place.url.removesuffix("/cards")) as client:
        near, *far = [
            await client.get(f"/cards/{path}", headers={"Accept": "text/html"})
            for path in ("a/b/c", "/" * 15_000, "a/" * 11, "a" * 300)
        ]
        assert near.status_code == 404 and "<title>" in near.text
        assert {(answer.status_code, answer.text) for answer in far} == {(404, "Not Found")}


def test_B203_a_missing_part_of_the_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(Missing, match=r"index\.html"):
        Assets(tmp_path)
