"""What whoever runs the server is told: figures and a log, and nothing of a card or a client in either."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from conftest import Served
from sockets import asking, opened, site
from starlette.types import Message, Receive, Scope, Send

from cagnotte.server import line, measure
from cagnotte.server.door import PART, Gate, Paced
from cagnotte.server.limits import FEW, Limits, Turns
from cagnotte.server.logs import Json, Plain, about
from cagnotte.server.pages import Guard
from cagnotte.server.store import Unstored

pytestmark = pytest.mark.anyio
LINE = re.compile(r'[a-z_]+(\{(le|why)="[+\w.]+"\})? [\d.]+')


def read(text: str) -> dict[str, float]:
    """The figures by their names."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(LINE.fullmatch(line) for line in lines), lines
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


async def test_metrics_count_what_happens_and_tell_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "LOOK", 0.01)
    async with site() as place, asking(place.url) as client:
        before = read((await client.get("/metrics")).text)
        table = await opened(place.url, "fan-tan", ["steady"] * 2)
        async with table.host() as ann:
            await ann.play(2)
            await ann.send("nonsense")
            await ann.hear("refused")
            answer = await client.get("/metrics")
            after = read(answer.text)
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        grown = {name: after[name] - before[name] for name in after}
        assert grown["cagnotte_tables"] == grown["cagnotte_sockets"] == grown["cagnotte_opened_total"] == 1
        assert grown["cagnotte_moves_total"] >= 4 and grown['cagnotte_refused_total{why="unread"}'] == 1
        assert (
            grown["cagnotte_commit_seconds_count"] == grown['cagnotte_commit_seconds_bucket{le="+Inf"}'] > 0
        )
        assert grown["cagnotte_lag_seconds_count"] > 0
        assert not any(word in answer.text for word in (table.table, table.code, "fan-tan", "Ann", "127.0"))
        kinds = dict(line.split()[2:4] for line in answer.text.splitlines() if line.startswith("# TYPE"))
        assert set(kinds.values()) == {"gauge", "counter", "histogram"}


async def test_metrics_are_for_this_machine_or_a_token() -> None:
    async with site(token="pear", guard=Guard(proxies=["127.0.0.1"])) as place, asking(place.url) as client:
        strangers = ({"X-Forwarded-For": "192.0.2.1"}, {"Host": "cards.example"}, {"Via": "1.1 a"})
        for headers in strangers:
            for token in (None, "Bearer plum", "pear", "Bearer pearé"):
                said = {name.encode(): value.encode() for name, value in headers.items()}
                said |= {} if token is None else {b"Authorization": token.encode()}
                answer = await client.get("/metrics", headers=said)
                assert answer.status_code == 403 and not answer.text
            told = await client.get("/metrics", headers={**headers, "Authorization": "Bearer pear"})
            assert told.status_code == 200
    async with site() as place, asking(place.url) as client:
        assert (await client.get("/metrics")).status_code == 200
        other = {"Host": "cards.example", "Authorization": "Bearer None"}
        assert (await client.get("/metrics", headers=other)).status_code == 403


def test_a_log_line_is_json_and_a_fault_has_no_text() -> None:
    """The text of a fault of ours might hold cards or what a client sent."""
    try:
        raise ValueError("7S 8S")
    except ValueError as error:
        fault = (type(error), error, error.__traceback__)
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "a.py", 7, "Exception in %s\n", ("it",), fault)
    told = json.loads(Json().format(record))
    assert told["fault"].startswith("ValueError, raised at") and "test_server_watched.py" in told["fault"]
    assert (told["level"], told["logger"], told["message"]) == ("error", "uvicorn.error", "Exception in it\n")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["time"])
    record.exc_text = None
    assert "7S" not in json.dumps(told) and "7S" not in Plain("%(message)s").format(record)


def test_a_line_about_a_table_names_it(caplog: pytest.LogCaptureFixture) -> None:
    about("2345678923", "failed", Unstored("disk full"), logging.ERROR)
    told = json.loads(Json().format(caplog.records[0]))
    assert told["message"] == "table 2345678923: failed: disk full"
    assert (told["table"], told["event"]) == ("2345678923", "failed")


@pytest.mark.slow
async def test_a_log_at_its_most_talkative_holds_nothing_of_a_client(serve: Callable[..., Served]) -> None:
    place = serve("--log-level", "debug", "--log", "json", "--proxy")
    words = ["Zaphod", "<b>", "203.0.113.77", "beetle%20brox", "slartibartfast"]
    said = {"X-Forwarded-For": words[2], "User-Agent": words[4]}
    table = await opened(place.url, "fan-tan", ["steady"] * 2, name=words[0])
    async with table.host(headers=said) as ann, asking(place.url, headers=said) as client:
        await ann.play(3)
        await ann.say("say", text=words[1])
        await ann.send(words[1])
        await ann.hear("refused")
        for path in (f"/{words[3]}", f"/t/{words[3]}", f"/api/codes/{words[3]}?{words[4]}", "/static/x/%00"):
            await client.get(path)
        hand = ann.view["hand"]
    place.stop()
    lines = [json.loads(line) for line in place.log.read_text("utf-8").splitlines()]
    assert [line["event"] for line in lines if line.get("table") == table.table][:1] == ["opened"]
    text = place.log.read_text("utf-8")
    assert not any(word in text for word in (*words, table.code, table.token or "x", *hand))


@pytest.mark.slow
async def test_a_socket_that_says_nothing_for_long_comes_again() -> None:
    async with site(limits=Limits(silence=0.3)) as place:
        table = await opened(place.url, "fan-tan", ["open"] * 2)
        async with table.host() as ann:
            for _ in range(4):
                await asyncio.sleep(0.15)
                await ann.say("ping")
                await ann.hear("pong")
            assert await asyncio.wait_for(ann.closed(), 5) == 1001
            assert ann.socket.close_reason == "silent"
            await ann.come()


async def test_B269_who_says_no_hello_or_does_not_read_is_told_why_he_is_hung_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with site(limits=Limits(hello=0.2)) as place:
        table = await opened(place.url)
        ann = await table.host().open()
        assert await ann.closed() == 1008 and ann.socket.close_reason == "no hello"
        monkeypatch.setattr(line, "BACKLOG", 0)
        await ann.open()
        await ann.say("hello", token=ann.token)
        assert await ann.closed() == 1013 and ann.socket.close_reason == "not read"


async def test_B147_requests_without_end_are_answered_in_a_line_and_hung_up() -> None:
    """The page's own files are counted apart; others go on; a table that is open is not touched."""
    now = [1000.0]
    limits, guard = (
        Limits(asks=5, asks_per_second=1.0, files=3, files_per_second=1.0),
        Guard(proxies=["127.0.0.1"]),
    )
    async with site(limits=limits, clock=lambda: now[0], guard=guard) as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["open"] * 2)
        async with table.host() as ann:
            her = {"X-Forwarded-For": "192.0.2.1"}
            codes = [(await client.get("/healthz", headers=her)).status_code for _ in range(6)]
            assert codes == [200] * 5 + [429]
            answer = await client.get("/", headers=her)
            assert (answer.status_code, answer.headers["retry-after"], answer.headers["connection"]) == (
                429,
                "5",
                "close",
            )
            file = re.search(r'"(static/[^"]+)"', (await client.get("/")).text)
            assert file
            codes = [(await client.get("/" + file[1], headers=her)).status_code for _ in range(4)]
            assert codes == [200] * 3 + [429]
            await ann.say("ping")
            await ann.hear("pong")
            now[0] += 2
            assert (await client.get("/", headers=her)).status_code == 200


async def test_B147_many_requests_at_once_do_not_go_before_one_of_another() -> None:
    """Of each address one is begun in a round of the loop; else players wait until all are answered."""
    begun: list[str] = []

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        begun.append(scope["client"][0])

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        pass

    paced = Paced(answer, Gate(Limits(), lambda: 0.0, []), Turns(), "/static/")

    def ask(address: str) -> Coroutine[Any, Any, None]:
        scope = {"type": "http", "path": "/", "headers": [], "client": (address, 1)}
        return paced(scope, receive, send)

    await asyncio.gather(*(ask("192.0.2.1") for _ in range(50)), ask("192.0.2.2"))
    assert len(begun) == 51 and begun.index("192.0.2.2") < 5


async def test_B147_a_long_answer_goes_out_in_parts_between_what_others_ask() -> None:
    """Of HEAD nothing; and where an answer is made for one who asks, an address has a few at a time."""
    body, sent, under_way = bytes(range(256)) * 1000, [], [0, 0]

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        under_way[:] = under_way[0] + 1, max(under_way[1], under_way[0] + 1)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body if scope["path"] == "/long" else b"x"})
        under_way[0] -= 1

    async def receive() -> Message:
        return {"type": "http.request"}

    paced = Paced(answer, Gate(Limits(), lambda: 0.0, []), Turns(), "/static/", ("/api/replay/",))

    async def ask(address: str, path: str, method: str = "GET") -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.body":
                sent.append((address, message["body"], message.get("more_body", False)))
            await asyncio.sleep(0.001 if path == "/api/replay/x" else 0)

        scope = {"type": "http", "method": method, "path": path, "headers": [], "client": (address, 1)}
        await paced(scope, receive, send)

    await asyncio.gather(*(ask("192.0.2.1", "/long") for _ in range(9)), ask("192.0.2.2", "/"))
    assert [address for address, _, _ in sent].index("192.0.2.2") < 5
    assert all(len(part) <= PART for _, part, _ in sent)
    assert sum(len(part) for _, part, _ in sent) == 9 * len(body) + 1
    assert sum(not more for _, _, more in sent) == 10
    sent.clear()
    await ask("192.0.2.1", "/long", "HEAD")
    await ask("192.0.2.1", "/long")
    assert sent[0] == ("192.0.2.1", b"", False)
    assert b"".join(part for _, part, _ in sent) == body
    under_way[:] = 0, 0
    await asyncio.gather(*(ask("192.0.2.1", "/api/replay/x") for _ in range(50)))
    assert under_way == [0, FEW]


async def test_B147_an_address_opens_only_so_many_connections_a_second() -> None:
    """Also where nothing that they send is a request; a proxy opens those of all."""
    now = [0.0]
    gate = Gate(Limits(opens=3, opens_per_second=1.0), lambda: now[0], ["127.0.0.1"])
    assert [gate.lets_in("192.0.2.1") for _ in range(5)] == [True] * 3 + [False] * 2
    assert gate.lets_in("192.0.2.2") and all(gate.lets_in("127.0.0.1") for _ in range(9))
    now[0] = 1.0
    assert [gate.lets_in("192.0.2.1") for _ in range(2)] == [True, False]


async def test_B147_a_home_with_many_networks_searches_no_faster_for_codes() -> None:
    """A home of IPv6 has 65,536 networks; all of them together have five times what one has."""
    limits = Limits(codes=2, codes_per_second=0.0, asks=1000)
    async with site(limits=limits, guard=Guard(proxies=["127.0.0.1"])) as place, asking(place.url) as client:
        answers = []
        for n in range(12):
            headers = {"X-Forwarded-For": f"2001:db8:1:{n:x}::1"}
            answers.append((await client.get("/api/codes/222222", headers=headers)).status_code)
        assert answers == [404] * 10 + [429] * 2
        other = {"X-Forwarded-For": "2001:db8:2::1"}
        assert (await client.get("/api/codes/222222", headers=other)).status_code == 404


async def test_a_code_finds_no_table_that_was_long_left_alone() -> None:
    """Whoever sat there comes back by his link; there is less to be found by searching."""
    async with site(limits=Limits(codes_hold=0.4)) as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["open"] * 2)
        assert (await client.get(f"/api/codes/{table.code}")).json() == {"table": table.table}
        await asyncio.sleep(0.5)
        assert (await client.get(f"/api/codes/{table.code}")).status_code == 404
        async with table.host() as ann:
            await ann.say("name", name="Anna")
            await ann.until(lambda update: update["table"]["seats"][0]["name"] == "Anna")
            assert (await client.get(f"/api/codes/{table.code}")).json() == {"table": table.table}
