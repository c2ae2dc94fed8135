"""A little of the nonsense of which `fuzz.py` has more."""

import pytest
from fuzz import PARTS, run

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.mark.parametrize(("name", "inputs"), [*zip(PARTS, (4000, 1200, 400, 400), strict=True)])
async def test_B271_nonsense_finds_no_fault(name: str, inputs: int) -> None:
    assert await run(name, "short", inputs) >= inputs
