"""The log, on stderr: tables by their ids, and never what a client sent, nor a card."""

import json
import logging
import time
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final

LEVELS: Final = ("debug", "info", "warning", "error")
FORMS: Final = ("text", "json")

log = logging.getLogger("cagnotte")


def about(table: str, event: str, why: object = None, level: int = logging.INFO) -> None:
    """Say what happened to a table; for a fault of ours, `place` it."""
    because = "" if why is None else f": {why}"
    log.log(level, "table %s: %s%s", table, event, because, extra={"table": table, "event": event})


def place(error: BaseException) -> str:
    """A fault of ours for the log: its kind and where it was raised, since its text might hold cards."""
    last = extract_tb(error.__traceback__)[-1:]
    return " ".join([type(error).__name__, *(f"{Path(at.filename).name}:{at.lineno}" for at in last)])


def set_up(level: str = "warning", form: str = "text") -> None:
    """Write what is at least so grave, as lines of text or as a JSON object a line."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form == "json" else Plain("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    log.setLevel(level.upper())
    theirs = ("Invalid UTF-8 sequence", "Invalid HTTP request", "Unsupported upgrade request")
    logging.getLogger("uvicorn.error").addFilter(lambda record: not record.getMessage().startswith(theirs))
    logging.getLogger("asyncio").addFilter(_files)


class Plain(logging.Formatter):
    """A fault with all the places that led to it, without its text."""

    def formatException(self, ei: Any) -> str:
        """Where it was raised."""
        places = [f"  {Path(at.filename).name}:{at.lineno} {at.name}" for at in extract_tb(ei[2])]
        return "\n".join([f"{ei[0].__name__}, raised at", *places])


class Json(Plain):
    """A JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Time (UTC), level, who says it and what; the table and the event, where it is about one."""
        second = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        values: dict[str, Any] = {
            "time": f"{second}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: vars(record)[name] for name in ("table", "event") if name in vars(record)},
        }
        if record.exc_info:
            values["fault"] = self.formatException(record.exc_info)
        return json.dumps(values)


def _files(record: logging.LogRecord) -> bool:
    """That the system gives no more files is told in a line; what came is let in a second later."""
    if record.getMessage().startswith("socket.accept() out of system resource"):
        record.msg, record.args, record.exc_info = "no more connections: too many open files", None, None
    return True
