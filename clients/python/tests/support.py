"""What the tests share: a service that answers as told, and a clock that runs as fast as possible."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, NamedTuple, Optional
from unittest import TestCase, mock

from kasi import HttpRequest, HttpResponse, Kasi, KasiError


class Sent(NamedTuple):
    """A request that arrived."""

    method: str
    target: str
    headers: Dict[str, str]
    body: bytes


class Reply(NamedTuple):
    body: Any = {}
    status: int = 200
    headers: Dict[str, str] = {}


def refusal(status: int, code: str, headers: Optional[Dict[str, str]] = None, **more: Any) -> Reply:
    """An error as the service writes it."""
    detail = {"code": code, "message": f"This is {code}.", "requestId": "req-1", **more}
    return Reply({"error": detail}, status, headers or {})


class FakeService:
    """Serves `answer` on a free port until the test is over, and records the requests.

    An answer of None means that the connection is closed without one.
    """

    def __init__(self, test: TestCase, answer: Callable[[Sent], Optional[Reply]]) -> None:
        self.sent: List[Sent] = []
        self.connections = 0
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                fake.connections += 1
                super().setup()

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except OSError:
                    self.close_connection = True

            def reply(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Sent(self.command, self.path, headers, body)
                fake.sent.append(request)
                answered = answer(request)
                if answered is None:
                    self.close_connection = True
                    return
                self.send_response(answered.status)
                text = answered.body if isinstance(answered.body, bytes) else json.dumps(answered.body).encode()
                headers = {"content-type": "application/json", "content-length": str(len(text)), **answered.headers}
                for name, value in headers.items():
                    if value:
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)
                self.close_connection = headers.get("connection") == "close"

            do_GET = do_POST = do_PUT = do_DELETE = reply

            def log_message(self, *args: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        test.addCleanup(server.server_close)
        test.addCleanup(server.shutdown)


class FakeClock:
    """Replaces the time of the client; `sleep` moves it."""

    def __init__(self, test: TestCase) -> None:
        self.now = 1000.0
        fake = SimpleNamespace(monotonic=lambda: self.now, sleep=self.sleep)
        for module in ("kasi._retry", "kasi._deadline", "kasi._event_stream"):
            patch = mock.patch(f"{module}.time", fake)
            patch.start()
            test.addCleanup(patch.stop)
        # Pauses are then three quarters of the longest.
        jitter = mock.patch("random.random", return_value=0.5)
        self.jitter = jitter.start()
        test.addCleanup(jitter.stop)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Attempts:
    """A client whose attempts end with these outcomes in turn, the last one repeated, and when each was made.

    An outcome is a status, a reply, "lost" (no connection) or "silence" (no answer until the deadline).
    """

    def __init__(self, clock: FakeClock, *outcomes: Any, **options: Any) -> None:
        self.at: List[float] = []
        self.requests: List[HttpRequest] = []
        self._clock = clock
        self._outcomes = outcomes
        began = clock.now

        def send(request: HttpRequest) -> HttpResponse:
            self.at.append(round(clock.now - began, 3))
            self.requests.append(request)
            outcome = outcomes[min(len(self.at), len(outcomes)) - 1]
            if outcome == "lost":
                raise ConnectionRefusedError("refused")
            if outcome == "silence":
                clock.now += request.deadline.left()
                raise TimeoutError("timed out")
            if outcome == 200:
                outcome = Reply({"id": "pay_1", "payments": [], "pagination": {"next": None}})
            if isinstance(outcome, int):
                outcome = Reply(b"<html>", outcome)
            text = outcome.body if isinstance(outcome.body, bytes) else json.dumps(outcome.body).encode()
            return HttpResponse(outcome.status, outcome.headers, text)

        self.client = Kasi(**{"base_url": "https://kasi.example", "token": "T1", "send": send, **options})


def error_of(call: Callable[[], Any]) -> Optional[KasiError]:
    """What a call raises; None when it succeeds."""
    try:
        call()
        return None
    except KasiError as error:
        return error
