"""Connects operations with credentials, deadlines and retries."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import quote

from ._credentials import Credentials, Signer
from ._deadline import Deadline
from ._http import FAILURES, HttpRequest, HttpResponse, Send
from ._json import parse_json, parse_json_or_text, to_body, to_json
from ._options import parse_retries, parse_timeout
from ._retry import RetryPolicy, with_retries
from ._session import Login, OnTokens, Session, SessionCalls, SessionTokens
from .errors import KasiError, error_from_response

_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class Operation(NamedTuple):
    """An operation of the contract."""

    method: str
    path: str
    """As the contract writes it, parameters in braces."""
    is_open: bool = False
    """Whether it is sent without credentials."""
    is_idempotent: bool = False
    """Whether it takes an `Idempotency-Key`."""
    signed_path: Optional[str] = None
    """Its path when the client signs with an API key, where that is another."""

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class CallOptions:
    """How to make one call. None means what the client says."""

    timeout: Optional[float] = None
    max_retries: Optional[int] = None
    idempotency_key: Optional[str] = None


@dataclass(frozen=True)
class Exchange:
    """One call, as a method describes it."""

    operation: Operation
    path: Mapping[str, str] = field(default_factory=dict)
    query: Optional[Mapping[str, Any]] = None
    body: Optional[Any] = None
    accept: str = "application/json"


@dataclass(frozen=True)
class TransportOptions:
    base_url: str
    send: Send
    timeout: float
    max_retries: int
    # The API key that signs every request; None when a session authenticates the caller.
    signer: Optional[Signer]
    tokens: Optional[SessionTokens]
    login: Optional[Login]
    on_tokens: OnTokens
    login_operation: Operation
    refresh_operation: Operation


_Read = Callable[[HttpResponse, Deadline], Any]


class Transport:
    """Carries calls out. Holds no state but the session, so threads may share it."""

    def __init__(self, options: TransportOptions) -> None:
        self._options = options
        self.max_retries = options.max_retries
        self.session: Optional[Session] = None
        if options.signer is None:
            calls = SessionCalls(self._call_login, self._call_refresh)
            self.session = Session(options.tokens, options.login, options.on_tokens, calls)
        self._credentials: Credentials = options.signer or self.session  # type: ignore[assignment]

    def call(self, exchange: Exchange, options: CallOptions) -> Any:
        """Returns the body of a success. Raises everything else as `KasiError`."""
        read = _READERS.get(exchange.accept, _read_json)
        return self._carry_out(exchange, options, lambda response, _: read(response))

    def begin(self, exchange: Exchange, options: CallOptions) -> Tuple[HttpResponse, Deadline]:
        """Like `call`, for streamed answers: the caller reads and closes it, and restarts the deadline of reading."""
        begun: Tuple[HttpResponse, Deadline] = self._carry_out(exchange, options, lambda *both: both)
        return begun

    def _carry_out(self, exchange: Exchange, options: CallOptions, read: _Read) -> Any:
        deadline = Deadline(self._options.timeout if options.timeout is None else parse_timeout(options.timeout))
        operation = exchange.operation
        key = _key_for(operation, options.idempotency_key)
        url = self._options.base_url + self._target_of(exchange)
        # Serialized once, so that every attempt sends the same bytes even if the object changes.
        body = b"" if exchange.body is None else to_body(exchange.body)
        wanted = {"accept": exchange.accept, "user-agent": "kasi-python"}
        if body:
            wanted["content-type"] = "application/json"
        if key is not None:
            wanted["idempotency-key"] = key
        is_repeatable = operation.method in ("GET", "PUT") or operation.is_idempotent
        retries = self.max_retries if options.max_retries is None else parse_retries(options.max_retries)

        def attempt(share: Deadline) -> Any:
            request = HttpRequest(operation.method, url, wanted, body, share, is_repeatable)
            return self._receive(request, operation, key, read)

        try:
            return with_retries(attempt, RetryPolicy(retries, is_repeatable), deadline)
        except KasiError as error:
            error.operation = error.operation or str(operation)
            raise

    def _receive(
        self, request: HttpRequest, operation: Operation, key: Optional[str], read: _Read
    ) -> Any:
        response = self._send(request, operation, key)
        try:
            if 200 <= response.status < 300:
                return read(response, request.deadline)
            raise error_from_response(response.status, response.headers, parse_json_or_text(response.read()))
        except FAILURES as cause:
            if request.deadline.is_over():
                raise request.deadline.error() from cause
            message = f"The answer broke off: {_said(cause)}"
            raise KasiError("NETWORK_ERROR", message, request_id=response.headers.get("x-request-id")) from cause

    def _send(self, request: HttpRequest, operation: Operation, key: Optional[str]) -> HttpResponse:
        """Sends a request with the caller's credentials; once more if newer credentials may be accepted."""
        if operation.is_open:
            return self._send_once(request, {})
        credentials = self._credentials
        about = (request.method, request.url, request.body, key, request.deadline)
        sent = credentials.authorize(*about)
        response = self._send_once(request, sent)
        if response.status != 401:
            return response
        text = response.read()
        refusal = error_from_response(response.status, response.headers, parse_json_or_text(text))
        if not credentials.renew(sent, refusal, request.deadline):
            return HttpResponse(response.status, response.headers, text)
        return self._send_once(request, credentials.authorize(*about))

    def _send_once(self, request: HttpRequest, credentials: Dict[str, str]) -> HttpResponse:
        request.deadline.check()
        headers = {**request.headers, **credentials}
        whole = HttpRequest(
            request.method, request.url, headers, request.body, request.deadline, request.is_repeatable
        )
        try:
            return self._options.send(whole)
        except FAILURES as cause:
            if request.deadline.is_over():
                raise request.deadline.error() from cause
            message = f"No answer from {self._options.base_url}: {_said(cause)}"
            raise KasiError("NETWORK_ERROR", message) from cause

    def _target_of(self, exchange: Exchange) -> str:
        operation = exchange.operation
        template = operation.path if self.session is not None else operation.signed_path or operation.path
        names = {name: _encoded_id(value, name, operation) for name, value in exchange.path.items()}
        query = encode_query(exchange.query or {})
        return template.format(**names) + (f"?{query}" if query else "")

    def _call_login(self, login: Login) -> Mapping[str, Any]:
        body = {"email": login.email, "password": login.password}
        if login.device_token is not None:
            body["deviceToken"] = login.device_token
        return self._tokens_of(self._options.login_operation, body)

    def _call_refresh(self, refresh_token: str) -> Mapping[str, Any]:
        return self._tokens_of(self._options.refresh_operation, {"refreshToken": refresh_token})

    def _tokens_of(self, operation: Operation, body: Mapping[str, Any]) -> Mapping[str, Any]:
        answer = self.call(Exchange(operation, body=body), CallOptions())
        if isinstance(answer, dict) and isinstance(answer.get("token"), str):
            return answer
        raise KasiError("UNEXPECTED_RESPONSE", "The answer has no token.", status=200)


def encode_query(query: Mapping[str, Any]) -> str:
    """`{"page": 2, "metadata": {"orderId": "A-1"}}` becomes `page=2&metadata[orderId]=A-1`. None is left out."""
    pairs = []
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs += [(f"{_encoded(name)}[{_encoded(key)}]", item) for key, item in value.items()]
        elif isinstance(value, (list, tuple)):
            pairs += [(_encoded(name), item) for item in value]
        else:
            pairs.append((_encoded(name), value))
    return "&".join(f"{name}={_encoded(_plain(value))}" for name, value in pairs if value is not None)


def _key_for(operation: Operation, given: Optional[str]) -> Optional[str]:
    """The `Idempotency-Key` of one call, the same for all its attempts: the caller's, or a new one."""
    if not operation.is_idempotent:
        if given is None:
            return None
        raise ValueError(f"{operation} takes no idempotency_key.")
    if given is None:
        return str(uuid.uuid4())
    if isinstance(given, str) and _KEY.fullmatch(given):
        return given
    raise ValueError("An idempotency_key is 1 to 255 visible ASCII characters without spaces.")


def _encoded_id(value: Any, name: str, operation: Operation) -> str:
    """Refuses an id that would change the path, because the request would reach another operation."""
    if isinstance(value, str) and value not in ("", ".", ".."):
        return _encoded(value)
    raise ValueError(f"{operation} needs {name} as a text that is not empty.")


def _encoded(text: str) -> str:
    return quote(text, safe="")


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else to_json(value)


def _said(cause: BaseException) -> str:
    return str(cause) or type(cause).__name__


def _read_json(response: HttpResponse) -> Any:
    text = response.read()
    try:
        return parse_json(text)
    except ValueError as cause:
        message = f"{response.status} with a body that is not JSON."
        request_id = response.headers.get("x-request-id")
        raise KasiError("UNEXPECTED_RESPONSE", message, status=response.status, request_id=request_id) from cause


def _read_text(response: HttpResponse) -> str:
    return response.read().decode("utf-8", "replace")


_READERS: Dict[str, Callable[[HttpResponse], Any]] = {
    "text/csv": _read_text,
    "image/svg+xml": _read_text,
    "image/png": HttpResponse.read,
}
