"""Server-sent events, across lost connections."""

from __future__ import annotations

import codecs
import time
from typing import Any, Iterator, List, Optional, Tuple

from ._http import FAILURES
from ._json import parse_json
from ._options import parse_retries
from ._retry import longest_pause
from ._transport import CallOptions, Exchange, Transport
from .errors import KasiError

# The service sends a comment every 15 seconds; after three missing ones the connection counts as lost.
_SILENCE_MAX_SECONDS = 45.0

# Far more characters than any message has.
_MESSAGE_MAX = 1_000_000


def follow_events(transport: Transport, exchange: Exchange, name: str, options: CallOptions) -> Iterator[Any]:
    """Yields the data of every server-sent event named `name`, without consecutive duplicates.

    Reconnects when the connection is lost or the service shuts down. Ends as the last connection did once
    `max_retries` connections in a row brought nothing; with 0 it never reconnects. Leaving the loop closes the
    connection. Raises `KasiError` like any call.
    """
    max_retries = transport.max_retries if options.max_retries is None else parse_retries(options.max_retries)
    last: Optional[str] = None
    idle = 0
    while True:
        try:
            for text, data in _read_connection(transport, exchange, name, options):
                idle = 0
                if text != last:
                    yield data
                last = text
            if idle >= max_retries:
                return
        except KasiError as error:
            # Failures to connect have already been retried.
            is_lost = error.status == 0 and error.attempts == 0
            if idle >= max_retries or not is_lost:
                raise
        idle += 1
        time.sleep(longest_pause(idle))


def _read_connection(
    transport: Transport, exchange: Exchange, name: str, options: CallOptions
) -> Iterator[Tuple[str, Any]]:
    response, deadline = transport.begin(exchange, options)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    buffer = ""
    try:
        deadline.restart(_SILENCE_MAX_SECONDS)
        for piece in response:
            buffer += decoder.decode(piece).replace("\r", "")
            *messages, buffer = buffer.split("\n\n")
            if len(buffer) > _MESSAGE_MAX:
                raise KasiError("UNEXPECTED_RESPONSE", "An event does not end.", status=200)
            for message in messages:
                text = _data_of(message, name)
                if text:
                    yield text, _parse(text)
            deadline.restart(_SILENCE_MAX_SECONDS)
    except FAILURES as cause:
        error = deadline.error() if deadline.is_over() else KasiError("NETWORK_ERROR", f"The answer broke off: {cause}")
        error.operation = str(exchange.operation)
        raise error from cause
    finally:
        response.close()


def _parse(text: str) -> Any:
    try:
        return parse_json(text.encode())
    except ValueError as cause:
        raise KasiError("UNEXPECTED_RESPONSE", "An event whose data is not JSON.", status=200) from cause


def _data_of(message: str, name: str) -> str:
    """The data of one message, empty when the message has another name or none."""

    def values_of(field: str) -> List[str]:
        begin = f"{field}:"
        values = [line[len(begin) :] for line in message.split("\n") if line.startswith(begin)]
        return [value[1:] if value.startswith(" ") else value for value in values]

    return "\n".join(values_of("data")) if values_of("event")[-1:] == [name] else ""
