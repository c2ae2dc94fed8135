"""Light: what a first visit weighs, and that no request leaves the server."""

import importlib.util
import sys
from collections.abc import Callable

from conftest import ROOT, Served
from playwright.sync_api import Browser


def test_a_first_table_weighs_less_than_200_kB_and_asks_nobody_else(
    browser: Browser, serve: Callable[..., Served]
) -> None:
    spec = importlib.util.spec_from_file_location("page_benchmark", ROOT / "benchmarks/page.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    seen = module.visit(browser, serve().url)
    assert seen.elsewhere == []
    assert 20_000 < seen.bytes < 200_000, sorted(seen.sizes.items(), key=lambda one: -one[1])[:12]
