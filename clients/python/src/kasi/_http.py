"""HTTP by the standard library: kept connections, one deadline for all of an answer, no redirects."""

from __future__ import annotations

import io
import os
import select
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union
from urllib.parse import SplitResult, urlsplit

from ._deadline import Deadline

# A shorter life than servers give to idle connections: five seconds are usual in Node.js.
_IDLE_MAX_SECONDS = 4.0
_IDLE_MAX = 10
_CHUNK_BYTES = 65_536


@dataclass(frozen=True)
class HttpRequest:
    """A request as it goes over the wire. Send exactly this: the signature covers every byte of it."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    deadline: Deadline = field(repr=False)
    is_repeatable: bool = False
    """Whether it does no harm if it arrives twice."""

    @property
    def timeout(self) -> Optional[float]:
        """The seconds left; None without a limit."""
        left = self.deadline.left()
        return None if left == float("inf") else max(left, 0.001)


class HttpResponse:
    """An answer. `body` is bytes, or pieces as they arrive."""

    def __init__(
        self,
        status: int,
        headers: Mapping[str, str],
        body: Union[bytes, Iterable[bytes]] = b"",
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.status = status
        self.headers: Dict[str, str] = {name.lower(): value for name, value in headers.items()}
        self._body = body
        self.close = close

    def __iter__(self) -> Iterator[bytes]:
        return iter((self._body,) if isinstance(self._body, bytes) else self._body)

    def read(self) -> bytes:
        return b"".join(self)


Send = Callable[[HttpRequest], HttpResponse]
"""Sends a request and returns the answer. Raises `OSError` or `http.client.HTTPException` when none comes."""

FAILURES = (OSError, HTTPException)


class Pool:
    """Sends requests over kept connections. Threads may share it, and child processes open their own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: List[Tuple[Tuple[str, str], float, _Connection]] = []
        self._pid = os.getpid()
        self._tls: Optional[ssl.SSLContext] = None

    def send(self, request: HttpRequest) -> HttpResponse:
        parts = urlsplit(request.url)
        origin = (parts.scheme, parts.netloc)
        # What must not arrive twice never meets a connection that the server is just closing.
        kept = self._take(origin) if request.is_repeatable else None
        if kept is not None:
            try:
                return self._exchange(kept, origin, parts, request)
            except FAILURES:
                kept.close()
                if request.deadline.is_over():
                    raise
        fresh = self._connect(parts, request)
        try:
            return self._exchange(fresh, origin, parts, request)
        except BaseException:
            fresh.close()
            raise

    def close(self) -> None:
        """Closes idle connections. The pool can still be used."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, _, connection in idle:
            connection.close()

    def __del__(self) -> None:
        self.close()

    def _exchange(
        self, connection: _Connection, origin: Tuple[str, str], parts: SplitResult, request: HttpRequest
    ) -> HttpResponse:
        connection.use(request.deadline)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        body = request.body or None
        connection.request(request.method, target, body, dict(request.headers))
        response = connection.getresponse()

        def pieces() -> Iterator[bytes]:
            is_whole = False
            try:
                while True:
                    piece = response.read1(_CHUNK_BYTES)
                    if not piece:
                        break
                    yield piece
                if response.length:
                    raise IncompleteRead(b"", response.length)
                is_whole = True
            finally:
                response.close()
                if is_whole and not response.will_close:
                    self._keep(origin, connection)
                else:
                    connection.close()

        return HttpResponse(response.status, _joined(response), pieces(), connection.close)

    def _connect(self, parts: SplitResult, request: HttpRequest) -> _Connection:
        host = parts.hostname or ""
        if parts.scheme == "http":
            return _PlainConnection(host, parts.port, timeout=request.timeout)
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return _TlsConnection(host, parts.port, timeout=request.timeout, context=self._tls)

    def _take(self, origin: Tuple[str, str]) -> Optional[_Connection]:
        with self._lock:
            if self._pid != os.getpid():
                # The connections are those of the parent process, which goes on using them.
                inherited, self._idle, self._pid = self._idle, [], os.getpid()
                for _, _, connection in inherited:
                    connection.close()
            oldest = time.monotonic() - _IDLE_MAX_SECONDS
            stale = [entry for entry in self._idle if entry[1] < oldest]
            self._idle = [entry for entry in self._idle if entry[1] >= oldest]
            found = next((entry for entry in reversed(self._idle) if entry[0] == origin), None)
            if found is not None:
                self._idle.remove(found)
        for entry in stale:
            entry[2].close()
        if found is None:
            return None
        if found[2].is_alive():
            return found[2]
        found[2].close()
        return None

    def _keep(self, origin: Tuple[str, str], connection: _Connection) -> None:
        with self._lock:
            if self._pid == os.getpid() and len(self._idle) < _IDLE_MAX:
                self._idle.append((origin, time.monotonic(), connection))
                return
        connection.close()


class _Connection(HTTPConnection):
    """A connection that reads until a deadline, not for some time a read."""

    deadline: Deadline = Deadline(0)

    def use(self, deadline: Deadline) -> None:
        self.deadline = deadline
        if self.sock is not None:
            _limit(self.sock, deadline)

    def connect(self) -> None:
        super().connect()
        _limit(self.sock, self.deadline)

    def is_alive(self) -> bool:
        """An idle connection that has something to say was closed by the other side."""
        try:
            return self.sock is not None and not select.select([self.sock], [], [], 0)[0]
        except (OSError, ValueError):
            return False

    def response_class(self, sock: socket.socket, *args: Any, **more: Any) -> HTTPResponse:  # type: ignore[override]
        response = HTTPResponse(sock, *args, **more)
        response.fp = io.BufferedReader(_Timed(sock, response.fp.detach(), self.deadline))
        return response


class _PlainConnection(_Connection):
    pass


class _TlsConnection(HTTPSConnection, _Connection):
    pass


class _Timed(io.RawIOBase):
    """What arrives at a socket, until the deadline: however slowly it drips, it is over in time."""

    def __init__(self, sock: socket.socket, raw: io.RawIOBase, deadline: Deadline) -> None:
        self._sock = sock
        self._raw = raw
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        _limit(self._sock, self._deadline)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _limit(sock: socket.socket, deadline: Deadline) -> None:
    left = deadline.left()
    sock.settimeout(None if left == float("inf") else max(left, 0.001))


def _joined(response: HTTPResponse) -> Dict[str, str]:
    headers: Dict[str, str] = {}
    for name, value in response.getheaders():
        key = name.lower()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    return headers
