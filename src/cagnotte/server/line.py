"""Who is at a table: a socket with what it waits to send, one who asks once, and what their secrets prove."""

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cagnotte.core import Illegal, Seat
from cagnotte.seating import Leads
from cagnotte.server import wire
from cagnotte.server.limits import Bucket

BACKLOG: Final = 200  # messages that may wait for a slow reader …
HEAVIEST: Final = 250_000  # … and their bytes in all, one that is larger aside …
HEAVIEST_OF_ADDRESS: Final = 25_000_000  # … also for all sockets of an address

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


class Waiting:
    """What waits for the sockets of each address; of too much, whoever has not read longest is cut off."""

    def __init__(self) -> None:
        self.bytes: Counter[str] = Counter()
        self._lines: defaultdict[str, dict[Line, None]] = defaultdict(dict)  # first who has waited longest

    def weigh(self, line: "Line", more: int) -> None:
        """So much more waits for this socket, of all that does."""
        address, lines = line.address, self._lines[line.address]
        self.bytes[address] += more
        if line.waiting:
            lines[line] = None
        else:
            lines.pop(line, None)
        while self.bytes[address] > HEAVIEST_OF_ADDRESS:
            next(iter(lines)).cut()
        if not lines:
            del self.bytes[address]
            self._lines.pop(address, None)  # which to cut off the last may have done


class Line:
    """One socket at a table, with what it waits to send; one that reads too slowly is cut off."""

    def __init__(
        self,
        lang: str,
        token: str | None,
        also: Sequence[str] = (),
        address: str = "",
        screen: bool = False,
        all_waiting: Waiting | None = None,
    ) -> None:
        """`all_waiting` is what waits for this and other sockets."""
        self.lang = lang
        self.screen = screen  # that all share, who are not told of it as of an onlooker
        self.address = address
        self.secrets = [hashed(each) for each in (token, *also) if each]
        self.secret = hashed(token) if token else None  # of the seat from which it sees the table
        self._known: tuple[Leads, Whose] | None = None  # what they prove, and where that follows from
        self.token: str | None = None  # for a seat that is being taken
        self.out: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.all_waiting = all_waiting or Waiting()
        self.waiting = 0  # bytes of what waits, with what is being sent, …
        self.sending = 0  # … and of that alone
        self.free = asyncio.Event()  # while nothing waits
        self.owes = 0  # bytes of states that it asked for, and did not yet answer for
        self.closed = False
        self.end = DONE
        self.hang_up: Callable[[], object] = lambda: None  # called when it is cut off

    def send(self, text: bytes) -> None:
        """Have this sent after what already waits; too much of that, and the socket is cut off."""
        behind = self.waiting - self.sending  # what is being sent may be long, and its reader's line slow
        if self.out.qsize() >= BACKLOG or (behind and behind + len(text) > HEAVIEST):
            self.cut()
        if not self.closed:
            self.out.put_nowait(text)
            self._weigh(len(text))

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

    def cut(self) -> None:
        """Send nothing more: it reads too slowly."""
        self.close(UNREAD)
        self.gone()
        self.hang_up()

    def gone(self) -> None:
        """Nothing more is taken."""
        self.close()
        while not self.out.empty():
            self.out.get_nowait()
        self.out.put_nowait(None)
        self.sending = 0
        self._weigh(-self.waiting)

    async def answered(self, rate: Bucket) -> None:
        """Until it may ask for more: it has answered for the states that it asked for, and taken them."""
        if self.owes:
            await asyncio.sleep(rate.owe(self.owes))
            self.owes = 0
            await self.free.wait()

    def _weigh(self, more: int) -> None:
        self.waiting += more
        if self.waiting:
            self.free.clear()
        else:
            self.free.set()
        self.all_waiting.weigh(self, more)


class Asker:
    """Somebody who asks once, and has no socket: he hears only why not."""

    def __init__(self, token: str, address: str) -> None:
        self.secret = hashed(token)
        self.address = address
        self.refused: Illegal | None = None

    def refuse(self, illegal: Illegal, move_id: str | None = None) -> None:
        """This is why not."""
        self.refused = illegal
