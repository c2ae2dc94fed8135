"""Who is at a table: a socket with what it waits to send, one who asks once, and what their secrets prove."""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from cagnotte.core import Illegal, Seat
from cagnotte.seating import Leads
from cagnotte.server import wire

BACKLOG: Final = 200  # messages that may wait for a slow reader …
HEAVIEST: Final = 1_000_000  # … and their letters in all, however large each is

# Why a socket is closed that may come again, as RFC 6455 has it: a code, and a word.
End = tuple[int, str]
DONE: Final[End] = 1000, ""
SILENT: Final[End] = 1001, "silent"
UNSAID: Final[End] = 1008, "no hello"
UNREAD: Final[End] = 1013, "not read"
NOT_STORED: Final[End] = 1013, "not stored"


def hashed(token: str) -> str:
    """What is kept of a seat's secret."""
    return hashlib.sha256(token.encode()).hexdigest()


class Whose(NamedTuple):
    """What a socket's secrets prove: the seat that it is shown, all its seats, and one that was left."""

    seat: Seat | None
    seats: tuple[Seat, ...]
    former: Seat | None


class Line:
    """One socket at a table, with what it waits to send; one that reads too slowly is cut off."""

    def __init__(
        self, lang: str, token: str | None, also: Sequence[str] = (), address: str = "", screen: bool = False
    ) -> None:
        self.lang = lang
        self.screen = screen  # that all share, who are not told of it as of an onlooker
        self.address = address
        self.secrets = [hashed(each) for each in (token, *also) if each]
        self.secret = hashed(token) if token else None  # of the seat from which it sees the table
        self._known: tuple[Leads, Whose] | None = None  # what they prove, and where that follows from
        self.token: str | None = None  # for a seat that is being taken
        self.out: asyncio.Queue[str | None] = asyncio.Queue()
        self.waiting = 0  # letters of what waits
        self.owes = 0  # letters of states that it asked for, and did not yet answer for
        self.closed = False
        self.end = DONE

    def send(self, text: str) -> None:
        """Have this sent after what already waits; too much of that, and the socket is cut off."""
        if self.out.qsize() >= BACKLOG or (self.waiting and self.waiting + len(text) > HEAVIEST):
            self.close(UNREAD)
        if not self.closed:
            self.waiting += len(text)
            self.out.put_nowait(text)

    def refuse(self, illegal: Illegal, move_id: str | None = None) -> None:
        """Say why not, and no more."""
        self.send(wire.refused(illegal, self.lang, move_id))

    def whose(self, leads: Leads) -> Whose:
        """All that its secrets prove at a table where they lead there, looked up once for each `leads`."""
        if self._known is None or self._known[0] is not leads:
            owned, left = ({each[one] for one in self.secrets if one in each} for each in leads)
            own = Whose(leads.owners.get(self.secret or ""), tuple(sorted(owned)), min(left, default=None))
            self._known = leads, own
        return self._known[1]

    def drop(self, leads: Leads) -> None:
        """Forget the secrets that prove nothing there, however many were made up: they never will."""
        self.secrets = [one for one in self.secrets if any(one in each for each in leads)]

    def look(self, secret: str | None) -> None:
        """From now on it sees the table from the seat of this secret, or from none."""
        self.secret = secret
        self._known = None

    def seated(self) -> str:
        """From now on it sees the table from the seat that it took; the secret of that."""
        assert self.token is not None
        self.secrets.append(hashed(self.token))
        self.look(self.secrets[-1])
        return self.token

    async def next(self) -> str | None:
        """What is to be sent next, once there is something; None when that is all."""
        text = await self.out.get()
        self.waiting -= len(text or "")
        return text

    def close(self, end: End = DONE) -> None:
        """Send nothing more than what waits, and then why."""
        if not self.closed:
            self.closed, self.end = True, end
            self.out.put_nowait(None)


class Asker:
    """Somebody who asks once, and has no socket: he hears only why not."""

    def __init__(self, token: str, address: str) -> None:
        self.secret = hashed(token)
        self.address = address
        self.refused: Illegal | None = None

    def refuse(self, illegal: Illegal, move_id: str | None = None) -> None:
        """This is why not."""
        self.refused = illegal
