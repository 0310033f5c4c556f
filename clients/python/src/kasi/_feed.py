"""The feed of events: all of them, in one order without gaps, with proof."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, NamedTuple, NoReturn, Optional, Tuple, Union

from ._json import parse_json
from ._transport import CallOptions, Exchange, Operation, Transport
from .errors import KasiError

if TYPE_CHECKING:
    from ._generated.models import SealedEvent, WebhookEvent

_PAGE_SIZE = 100
_HASH = re.compile(r"[0-9a-f]{64}")
_TAG = b"event-v1\0"


class EventPosition(NamedTuple):
    """How far a feed was read: the position of an event, and its hash, which covers everything up to it."""

    position: int
    hash: str


HandleEvent = Callable[["WebhookEvent", EventPosition], object]
"""Handles an event. Once it has returned, the position is where to continue: store it together with what you did."""


class EventFeedError(Exception):
    """The feed is incomplete or was changed. Everything before `position` was correct and has been handled.

    `reason` is `missing`, `broken_chain`, `wrong_hash` or `wrong_body`.
    """

    def __init__(self, reason: str, position: int, message: str) -> None:
        super().__init__(reason, position, message)
        self.reason = reason
        self.position = position
        self.message = message

    def __str__(self) -> str:
        return self.message


def read_feed(
    transport: Transport, operation: Operation, after: int, limit: Optional[int], options: CallOptions
) -> Iterator[SealedEvent]:
    """Every event after a position, page by page. Raises `KasiError` `UNEXPECTED_RESPONSE` for what isn't a feed."""
    while True:
        query = {"after": after, "limit": limit or _PAGE_SIZE}
        data, has_more = _parse_page(transport.call(Exchange(operation, query=query), options))
        yield from data
        if not has_more:
            return
        position = data[-1]["position"] if data else after
        if position <= after:
            raise _unexpected("The feed says that there is more, and does not show it.")
        after = position


def sync_feed(
    transport: Transport,
    operation: Operation,
    after: Union[int, Tuple[int, str]],
    handle: HandleEvent,
    options: CallOptions,
) -> EventPosition:
    start, known = _parse_start(after)
    # Reads the last handled event again, to learn its hash and check that it is unchanged.
    last = EventPosition(0, "0" * 64) if start == 0 else None
    for entry in read_feed(transport, operation, max(0, start - 1), None, options):
        if last is None:
            last = _check_start(entry, start, known)
            continue
        event = _check_next(entry, last)
        at = EventPosition(entry["position"], entry["hash"])
        if event is not None:
            handle(event, at)
        last = at
    return last or _missing(start, "the feed ends before it")


def _parse_page(body: Any) -> Tuple[List[SealedEvent], bool]:
    data, has_more = (body.get("data"), body.get("hasMore")) if isinstance(body, dict) else (None, None)
    if isinstance(data, list) and isinstance(has_more, bool) and all(_is_entry(entry) for entry in data):
        return data, has_more
    raise _unexpected("The answer is not a piece of the feed.")


def _is_entry(entry: Any) -> bool:
    texts = ("id", "type", "previousHash", "hash", "body")
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("position"), int)
        and all(isinstance(entry.get(name), str) for name in texts)
    )


def _parse_start(after: Union[int, Tuple[int, str]]) -> Tuple[int, Optional[str]]:
    start: Any = after
    known: Any = None
    # A stored position may come back from JSON as a list.
    if isinstance(after, (tuple, list)) and len(after) == 2:
        start, known = after
    is_known = known is None or isinstance(known, str)
    if isinstance(start, int) and not isinstance(start, bool) and start >= 0 and is_known:
        return start, known
    raise ValueError("after is 0, the position of an event, or what an earlier sync returned.")


def _check_start(entry: SealedEvent, start: int, known: Optional[str]) -> EventPosition:
    """Checks that the last handled event is still there and unchanged."""
    if entry["position"] != start:
        _missing(start, f"{entry['position']} stands in its place")
    if not _has_its_hash(entry) or (known is not None and entry["hash"] != known):
        raise EventFeedError("wrong_hash", start, f"Event {start} of the feed is not the one that you read.")
    return EventPosition(start, entry["hash"])


def _check_next(entry: SealedEvent, last: EventPosition) -> Optional[WebhookEvent]:
    """Checks that an event follows the one before it; None for one whose body was pruned."""
    position = last.position + 1
    if entry["position"] != position:
        _missing(position, f"{entry['position']} stands in its place")
    if entry["previousHash"] != last.hash:
        raise EventFeedError(
            "broken_chain",
            position,
            f"Event {position} of the feed does not follow the one before it: that one, or what led to it, was changed.",
        )
    if not _has_its_hash(entry):
        raise EventFeedError("wrong_hash", position, f"Event {position} of the feed does not have its own hash.")
    return None if _is_pruned(entry) else _parse_body(entry)


def _is_pruned(entry: SealedEvent) -> bool:
    return entry.get("pruned") is True and entry["body"] == ""


def _has_its_hash(entry: SealedEvent) -> bool:
    """What is hashed of a pruned event is gone. The event behind it names its hash, so nothing can stand there."""
    if _is_pruned(entry):
        return _HASH.fullmatch(entry["hash"]) is not None
    return entry["hash"] == _hash_of(entry)


def _parse_body(entry: SealedEvent) -> WebhookEvent:
    try:
        event = parse_json(entry["body"].encode())
        if isinstance(event, dict) and event.get("id") == entry["id"] and event.get("type") == entry["type"]:
            return event  # type: ignore[return-value]
    except ValueError:
        pass
    position = entry["position"]
    message = f"The body of event {position} of the feed is not that of {entry['id']}."
    raise EventFeedError("wrong_body", position, message)


def _hash_of(entry: SealedEvent) -> str:
    """SHA-256 over a tag, the position as 8 bytes, the hash before and the body; empty when that hash is malformed."""
    if not _HASH.fullmatch(entry["previousHash"]) or not 0 <= entry["position"] < 2**64:
        return ""
    place = entry["position"].to_bytes(8, "big")
    whole = _TAG + place + bytes.fromhex(entry["previousHash"]) + entry["body"].encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).hexdigest()


def _missing(position: int, found: str) -> NoReturn:
    raise EventFeedError("missing", position, f"Event {position} of the feed is missing: {found}.")


def _unexpected(message: str) -> KasiError:
    return KasiError("UNEXPECTED_RESPONSE", message, status=200)
