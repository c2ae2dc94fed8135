"""Replays and records over real sockets: whoever may see them gets what is over, and nobody more."""

import asyncio
import threading
from typing import Any

import pytest
from sockets import asking, opened, site

from cagnotte import record
from cagnotte.fairness import verify
from cagnotte.server import store
from cagnotte.server.limits import Limits

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def test_B151_a_deal_can_be_looked_at_while_the_next_is_played_and_kept_when_all_is_over() -> None:
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["steady", "steady"], rules={"deals": 2})
        replay, kept = f"/api/replay/{table.table}", f"/api/record/{table.table}"
        for address in (replay, kept):
            answer = await client.get(address, params={"lang": "fr"})
            assert answer.status_code == 404 and answer.json()["message"].endswith(".")
        async with table.host() as ann:
            while ann.view is None or ann.view["deal"] < 2:
                await ann.play(1)
            told = (await client.get(replay)).json()
            assert (told["deals"], told["deal"], told["over"]) == ([1], 1, False)
            assert (await client.get(replay, params={"deal": 2})).status_code == 404
            assert (await client.get(kept)).status_code == 404
            assert told["names"][0] == "Ann" and told["frames"][-1]["events"][-1]["kind"] == "turn"
            assert round(sum(told["luck"])) == 0 == sum(told["result"]) - sum(told["before"])
            hands = told["frames"][2]["hands"]
            assert len({card for hand in hands for card in hand}) == 52
            await ann.play()
        last = (await client.get(replay, params={"lang": "fr"})).json()
        assert (last["deal"], last["over"], last["before"]) == (2, True, told["result"])
        assert last["frames"][0]["events"][0]["say"] == "On mêle les cartes."
        few = (await client.get(replay, params={"deal": 1, "frames": "off"})).json()
        assert few == told | {"frames": [], "deals": [1, 2], "over": True}
        answer = await client.get(kept)
        assert answer.headers["content-disposition"] == f'attachment; filename="fan-tan-{table.table}-1.json"'
        outcome = record.check(record.parse(answer.text)).plain()
        assert outcome["over"] and outcome["stacks"] == last["result"]


async def test_T3_what_the_browsers_add_is_in_the_proof_that_all_are_shown_afterwards() -> None:
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["open", "steady"], rules={"deals": 1}, pace="quick")
        promised: list[str] = []
        async with table.host() as ann, table.guest() as bo:
            await bo.sit("Bo")
            for player, byte in ((ann, "a1"), (bo, "b0")):
                promised.append(player.update["table"]["next"]["commitment"])
                await player.say("share", commitment=promised[-1], share=byte * 32)
            await ann.say("start")
            for player in (ann, bo):
                await player.until(lambda update: update["view"] and update["view"]["phase"] == "cut")
            assert "secret" not in "".join(ann.frames + bo.frames)
            await bo.say("leave")
            await ann.say("pace", value="once")
            await ann.play()
        [draw, shuffle] = (await client.get(f"/api/replay/{table.table}")).json()["proofs"]
        assert draw["shares"] == {"0": "a1" * 32, "1": "b0" * 32} and promised == [draw["commitment"]] * 2
        assert draw["move"].startswith("draw ") and shuffle["move"].startswith("shuffle ")
        kept = record.parse((await client.get(f"/api/record/{table.table}")).text)
        assert [proof.plain() for proof in verify(kept).values() if proof] == [
            {name: value for name, value in proof.items() if name != "move"} for proof in (draw, shuffle)
        ]


async def test_of_a_game_of_fear_nothing_is_told_before_its_end() -> None:
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fear", ["steady"] * 4, rules={"stake": 2})
        async with table.host() as ann:
            await ann.play(1)  # she cannot be out yet, so that it waits for her
            assert (await client.get(f"/api/replay/{table.table}")).status_code == 404
            await ann.play()
        told = (await client.get(f"/api/replay/{table.table}")).json()
        assert told["luck"] is None and told["frames"][-1]["view"]["over"]
        assert all(frame["hands"] == [] for frame in told["frames"])


async def test_B155_a_table_closed_to_onlookers_shows_its_deals_to_those_who_sit_there() -> None:
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "play-or-pay", ["steady"] * 2, rules={"deals": 1}, onlookers=False)
        async with table.host() as ann:
            await ann.play()
        for address in (f"/api/replay/{table.table}", f"/api/record/{table.table}"):
            assert (await client.get(address)).status_code == 403
            wrong = await client.get(address, headers={"Authorization": "Bearer guess"})
            assert wrong.status_code == 403 and "sit at this table" in wrong.json()["message"]
            own = await client.get(address, headers={"Authorization": f"Bearer {table.token}"})
            assert own.status_code == 200
            if "replay" in address:
                you = await client.get(address, params={"you": "on"}, headers=own.request.headers)
                assert own.json()["me"] is None and "You lay" not in own.text
                assert you.json()["me"] == 0 and "You lay" in you.text and "Ann lays" not in you.text


async def test_what_is_asked_for_and_not_there_or_too_often() -> None:
    async with site(limits=Limits(tales=12, tales_per_second=0.01)) as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["steady"] * 2, rules={"deals": 1})
        async with table.host() as ann:
            await ann.play()
        for wrong in ("sitting=0", "sitting=2", "deal=0", "deal=2", "deal=x", "deal=-1", "sitting=1e9"):
            assert (await client.get(f"/api/replay/{table.table}?{wrong}")).status_code == 404, wrong
        assert (await client.get("/api/replay/nowhere")).status_code == 404
        both = [client.get(f"/api/replay/{table.table.upper()}") for _ in range(4)]
        told = [answer.json() for answer in await asyncio.gather(*both)]
        assert told[0] == told[1] == told[2] == told[3]
        assert (await client.get(f"/api/replay/{table.table}")).status_code == 429


@pytest.mark.parametrize("stored", [True, False])
async def test_a_replay_that_is_asked_for_while_a_move_is_stored_waits_for_it(
    monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    """However long that takes, and whatever comes of it: what is stored is told."""
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["steady"] * 2, rules={"deals": 2})
        going, append = asyncio.Event(), place.hall.store.append

        async def wait(*what: Any) -> None:
            await going.wait()
            if not stored:
                raise store.Unstored("database is locked")
            await append(*what)

        async with table.host() as ann:
            while ann.view is None or ann.view["deal"] < 2 or not ann.mine:
                await ann.play(0) if ann.view and ann.view["deal"] > 1 else await ann.play(1)
            monkeypatch.setattr(place.hall.store, "append", wait)
            moving = asyncio.create_task(ann.act())
            await asyncio.sleep(0.1)
            asked = [asyncio.create_task(client.get(f"/api/replay/{table.table}")) for _ in range(3)]
            await asyncio.sleep(0.2)
            going.set()
            assert (await moving)["type"] == ("done" if stored else "refused")
            assert [(await each).status_code for each in asked] == [200] * 3


async def test_a_log_that_is_shorter_than_it_should_be_is_asked_for_twice_and_no_more() -> None:
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["steady"] * 2, rules={"deals": 1})
        async with table.host() as ann:
            await ann.play()
        place.hall.rooms[table.table].table.version += 1
        answer = await client.get(f"/api/replay/{table.table}")
        assert (answer.status_code, answer.json()["message"]) == (503, "This could not be stored: try again.")


async def test_B151_a_log_is_read_once_for_all_who_ask_and_not_while_it_is_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And never by the thread that serves the tables."""
    read, threads = [], set()
    limits = Limits(tales=100)
    async with site(limits=limits) as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["steady"] * 2, rules={"deals": 2})
        replay = f"/api/replay/{table.table}"
        entry, of_store = store._entry, place.hall.store.read

        async def count(id: str) -> Any:
            read.append(id)
            return await of_store(id)

        def note(text: str) -> Any:
            threads.add(threading.current_thread())
            return entry(text)

        async with table.host() as ann:
            while ann.view is None or ann.view["deal"] < 2:
                await ann.play(1)
            monkeypatch.setattr(place.hall.store, "read", count)
            monkeypatch.setattr(store, "_entry", note)
            asked = ["", "?lang=fr", "?sitting=1", "?deal=1&frames=off"] * 3
            told = await asyncio.gather(*[client.get(replay + query) for query in asked])
            assert {answer.status_code for answer in told} == {200}
            assert len(read) == 2  # the last sitting, and the first
            for _ in range(5):
                await client.get(replay)
            assert len(read) == 2 and threading.main_thread() not in threads and threads
            await ann.play()
        assert (await client.get(replay)).json()["deal"] == 2 and len(read) == 3
