"""Who is at a table: a socket with what it waits to send, one who asks once, and what their secrets prove."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from cagnotte.core import Illegal, Seat
from cagnotte.seating import Leads
from cagnotte.server import wire
from cagnotte.server.limits import Bucket

BACKLOG: Final = 200  # messages that may wait for a slow reader …
HEAVIEST: Final = 250_000  # … and their bytes in all, one that is larger aside …
HEAVIEST_OF_ADDRESS: Final = 25_000_000  # … also for all sockets of an address; those for which nothing waits
MOST_OF_ADDRESS: Final = 4 * HEAVIEST_OF_ADDRESS  # … are told one thing more, up to here

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
        self,
        lang: str,
        token: str | None,
        also: Sequence[str] = (),
        address: str = "",
        screen: bool = False,
        weights: Counter[str] | None = None,
    ) -> None:
        """`weights` are the bytes that wait for all sockets, by address."""
        self.lang = lang
        self.screen = screen  # that all share, who are not told of it as of an onlooker
        self.address = address
        self.secrets = [hashed(each) for each in (token, *also) if each]
        self.secret = hashed(token) if token else None  # of the seat from which it sees the table
        self._known: tuple[Leads, Whose] | None = None  # what they prove, and where that follows from
        self.token: str | None = None  # for a seat that is being taken
        self.out: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.weights = Counter() if weights is None else weights
        self.waiting = 0  # bytes of what waits, with what is being sent, …
        self.sending = 0  # … and of that alone
        self.free = asyncio.Event()  # while nothing waits
        self.owes = 0  # bytes of states that it asked for, and did not yet answer for
        self.closed = False
        self.end = DONE

    def send(self, text: bytes) -> None:
        """Have this sent after what already waits; too much of that, and the socket is cut off."""
        own, all_of_it = self.waiting + len(text), self.weights[self.address] + len(text)
        heavy = own > HEAVIEST or all_of_it > HEAVIEST_OF_ADDRESS
        if (self.waiting and heavy) or all_of_it > MOST_OF_ADDRESS or self.out.qsize() >= BACKLOG:
            self.close(UNREAD)
        if not self.closed:
            self._weigh(len(text))
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

    async def next(self) -> bytes | None:
        """What is to be sent next, once there is something; None when that is all. The last was taken."""
        self._weigh(-self.sending)
        text = await self.out.get()
        self.sending = len(text or b"")
        return text

    def close(self, end: End = DONE) -> None:
        """Send nothing more than what waits, and then why."""
        if not self.closed:
            self.closed, self.end = True, end
            self.out.put_nowait(None)

    def gone(self) -> None:
        """Nothing more is taken."""
        self.close()
        self._weigh(-self.waiting)

    async def answered(self, rate: Bucket) -> None:
        """Until it may ask for more: it has answered for the states that it asked for, and taken them."""
        if self.owes:
            await asyncio.sleep(rate.owe(self.owes))
            self.owes = 0
            await self.free.wait()

    def _weigh(self, more: int) -> None:
        self.waiting += more
        self.weights[self.address] += more
        if self.waiting:
            return self.free.clear()
        self.free.set()
        if not self.weights[self.address]:
            del self.weights[self.address]


class Asker:
    """Somebody who asks once, and has no socket: he hears only why not."""

    def __init__(self, token: str, address: str) -> None:
        self.secret = hashed(token)
        self.address = address
        self.refused: Illegal | None = None

    def refuse(self, illegal: Illegal, move_id: str | None = None) -> None:
        """This is why not."""
        self.refused = illegal
