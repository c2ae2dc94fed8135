"""What follows from the odds of five players with two chips each, as terminal and page must say it."""

import re

from cagnotte.locale import say


def of_five(lang: str) -> list[str]:
    """A sentence each of choice, the last card, seats, the dealer's seat and the stake; figures from docs."""

    def part(value: str) -> str:
        return f"{value} %".replace(".", ",") if lang == "fr" else f"{value}%"

    return [
        plain(say(lang, f"ui.odds.say.{name}", **values))
        for name, values in (
            ("choice", {"n": 52}),
            ("last", {"place": 2}),
            ("seats", {"best": 3, "worst": 2, "high": part("23.9"), "low": part("10.8")}),
            ("dealer", {"part": part("23.0"), "share": part("20.0")}),
            ("stake", {"n": 1, "high": part("21.0"), "low": part("18.1"), "other": 59, "cards": 114}),
        )
    ]


def plain(text: str) -> str:
    """Without the lines that it is broken into, and with all spaces alike."""
    return re.sub(r"\s+", " ", text)
