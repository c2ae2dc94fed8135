"""Many tables in one file: at the start, beside a server that crashed, and when few of them are played at."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Served
from sockets import Opened, asking, opened, site

import cagnotte
from cagnotte.server.line import hashed
from cagnotte.table import Table

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def test_B107_of_two_thousand_tables_each_is_there_from_the_first_moment(tmp_path: Path) -> None:
    """None is read before somebody comes to it, so nobody is told meanwhile that there is no such table."""
    path, token = tmp_path / "tables.db", "a token"
    seats = ["person", "steady", "steady"]
    async with site(path) as place:
        made = [
            place.hall.open(*Table.open(cagnotte.game("fear", 3), seats, [("Ann", hashed(token))]))
            for _ in range(2000)
        ]
        ids = [room.id for room in await asyncio.gather(*made)]
    async with site(path) as place:
        for id in ids[::200]:
            async with Opened(place.url, id, token=token).host() as ann:
                assert ann.update["table"]["me"] == 0
        assert len(place.hall.rooms) == 10


async def test_B113_the_tables_of_a_server_that_crashed_are_joined_at_another(
    serve: Callable[..., Served],
) -> None:
    """And they are in its list once somebody is there, who could let others in, and no sooner."""
    first, second = serve(), serve()
    table = await opened(first.url, "fear", ["open", "open"], listed=True)
    async with table.host():
        first.kill()
    here = Opened(second.url, table.table, token=table.token)
    async with asking(second.url) as client:
        assert (await client.get("/api/open")).json()["tables"] == []
        assert (await client.get(f"/api/codes/{table.code}")).json() == {"table": table.table}
        async with here.host():
            shown = (await client.get("/api/open")).json()["tables"]
            assert [each["table"] for each in shown] == [table.table]
            async with here.guest() as bo:
                assert (await bo.sit("Bo"))["type"] == "seated"


async def test_B199_tables_that_rest_are_let_go_and_the_one_that_is_played_at_is_not() -> None:
    now = [0.0]
    async with site(clock=lambda: now[0]) as place:
        busy = await opened(place.url, "fan-tan", ["steady"] * 3, pace="normal")
        async with busy.host() as ann:
            for _ in range(90):
                await opened(place.url, "fear", ["steady"] * 2)
            now[0] += place.hall.limits.unload + 1
            place.hall.sweep()
            assert [*place.hall.rooms] == [busy.table]
            await ann.say("ping")
            await ann.hear("pong")
