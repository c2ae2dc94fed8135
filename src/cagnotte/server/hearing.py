"""What each message of a browser asks of its table."""

from cagnotte import telling
from cagnotte.core import Illegal, quoted
from cagnotte.players import LEVELS
from cagnotte.server import wire
from cagnotte.server.answers import HURRIED
from cagnotte.server.limits import Buckets
from cagnotte.server.line import Line
from cagnotte.server.rooms import Room
from cagnotte.table_terms import (
    Act,
    Again,
    Choose,
    Fill,
    Leave,
    PassOn,
    Pause,
    PutBot,
    React,
    Remove,
    Rename,
    Say,
    Start,
)


async def hear(room: Room, line: Line, message: wire.Message | None, opened: Buckets) -> None:
    """Have done what a browser says; `opened` is how many tables an address may open."""

    async def choose(what: str, value: int | str | bool) -> None:
        await room.wish(line, lambda seat: Choose(seat, what, value))

    match message:
        case wire.Ping():
            line.send(wire.write(type="pong"))
        case wire.Speak(value=lang):
            await room.speak(line, lang)
        case wire.Sit(name=name, seat=wanted):
            await room.sit(line, name, wanted)
        case wire.As(seat=seat):
            await room.turn(line, seat)
        case wire.Act(id=id, seen=seen, move=move):
            await room.act(line, lambda seat: Act(seat, seen, id, move))
        case wire.Go(seen=seen):
            await room.go(line, seen)
        case wire.Share(commitment=commitment, share=share):
            await room.share(line, commitment, share)
        case wire.Hint():
            await room.hint(line)
        case wire.Rename(name=name):
            await room.hear(line, lambda seat: Rename(seat, name))
        case wire.Leave():
            await room.hear(line, Leave)
        case wire.Say(text=text):
            await room.chat(line, lambda seat: Say(seat, text))
        case wire.React(what=what):
            await room.chat(line, lambda seat: React(seat, what))
        case wire.PutBot(level=level) | wire.Fill(level=level) if level not in LEVELS:
            line.refuse(no_bot(level))
        case wire.PutBot(seat=other, level=level):
            await room.wish(line, lambda seat: PutBot(seat, other, level))
        case wire.Fill(level=level):
            await room.wish(line, lambda seat: Fill(seat, level))
        case wire.Start():
            await room.wish(line, Start)
        case wire.Again():
            await room.wish(line, Again)
        case wire.Remove(seat=other):
            await room.wish(line, lambda seat: Remove(seat, other))
        case wire.PassOn(seat=other):
            await room.wish(line, lambda seat: PassOn(seat, other))
        case wire.Pause(on=on):
            await room.wish(line, lambda seat: Pause(seat, on))
        case wire.Pace(value=pace):
            await choose("pace", pace)
        case wire.Clock(value=seconds):
            await choose("clock", seconds)
        case wire.Listed(on=on):
            await choose("listed", on)
        case wire.Onlookers(on=on):
            await choose("onlookers", on)
        case wire.Mute(on=on):
            await choose("muted", on)
        case wire.Beside() if not opened.take(line.address):
            line.refuse(HURRIED)
        case wire.Beside():
            await room.beside(line)
        case _:
            line.refuse(telling.UNREAD)


def no_bot(level: str) -> Illegal:
    """There is no bot of this level."""
    return Illegal(None, "{bot} is not a bot: {levels}", bot=quoted(level, 30), levels=", ".join(LEVELS))
