"""The clients of merchants and payers."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Mapping, Optional, Tuple, Type, TypeVar

from ._generated.surface import Surface
from ._http import Pool, Send
from ._options import UNSET, parse_base_url, parse_retries, parse_session, parse_signer, parse_timeout
from ._session import OnTokens, SessionTokens
from ._transport import CallOptions, Exchange, Operation, Transport, TransportOptions

Self = TypeVar("Self", bound="Connected")

TIMEOUT_SECONDS = 30.0
MAX_RETRIES = 2


class Connected:
    """What every client has besides its methods."""

    _transport: Transport
    _pool: Pool

    def _connect(
        self,
        base_url: Optional[str],
        *,
        key: Tuple[Optional[str], Optional[str]],
        session: Tuple[Optional[str], Optional[str], Optional[str], Optional[str]],
        on_tokens: Optional[OnTokens],
        timeout: float,
        max_retries: int,
        send: Optional[Send],
        auth_path: str,
    ) -> Transport:
        self._pool = Pool()
        tokens, login = parse_session(*session)
        return Transport(
            TransportOptions(
                base_url=parse_base_url(base_url),
                send=send or self._pool.send,
                timeout=parse_timeout(timeout),
                max_retries=parse_retries(max_retries),
                signer=parse_signer(key[0], key[1], session),
                tokens=tokens,
                login=login,
                on_tokens=on_tokens or (lambda tokens: None),
                login_operation=Operation("POST", f"{auth_path}/login", is_open=True),
                refresh_operation=Operation("POST", f"{auth_path}/refresh", is_open=True),
            )
        )

    def tokens(self) -> Optional[SessionTokens]:
        """The current tokens of the session; None without a session."""
        return None if self._transport.session is None else self._transport.session.tokens()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Any] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Any:
        """Any call, with the same credentials, for what the methods don't offer yet. `path` begins with `/v1`.

        A POST is retried after a broken connection only with an `idempotency_key`: send one if the operation takes it.
        """
        if not path.startswith("/") or any(mark in path for mark in "{}?# "):
            raise ValueError("path begins with /v1 and has no query: that is an argument of its own.")
        operation = Operation(method.upper(), path, is_idempotent=idempotency_key is not None)
        return self._transport.call(
            Exchange(operation, query=query, body=body), CallOptions(timeout, max_retries, idempotency_key)
        )

    def close(self) -> None:
        """Closes kept connections. The client can still be used."""
        self._pool.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class Kasi(Connected, Surface):
    """A client of the service at `base_url`, for merchants and payers. Sends nothing yet.

    The caller authenticates with an API key (`api_key`, `api_secret`: every request is signed) or a login session
    (`email` and `password`, or `token` and `refresh_token`), or not at all: public operations need neither. Methods
    return the body of the answer and raise `KasiError`. Raises `ValueError` when the options are incomplete or
    contradict each other. Threads may share one client.
    """

    def __init__(
        self,
        *,
        base_url: Optional[str],
        api_key: Optional[str] = UNSET,
        api_secret: Optional[str] = UNSET,
        token: Optional[str] = None,
        refresh_token: Optional[str] = None,
        email: Optional[str] = None,
        password: Optional[str] = None,
        on_tokens: Optional[OnTokens] = None,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        send: Optional[Send] = None,
    ) -> None:
        """
        - `base_url`: the URL of the service, without `/v1`
        - `on_tokens`: called with the tokens whenever they change; None when the session has ended. Store them: using
          a refresh token a second time ends the session. Calls of other threads wait until it has finished.
        - `timeout`: seconds that a call may take with all its attempts; 0 means no limit
        - `max_retries`: how often a failed attempt is retried at most, if a retry can do no harm
        - `send`: replaces the HTTP of the standard library; sees every request and every answer
        """
        transport = self._connect(
            base_url,
            key=(api_key, api_secret),
            session=(token, refresh_token, email, password),
            on_tokens=on_tokens,
            timeout=timeout,
            max_retries=max_retries,
            send=send,
            auth_path="/v1/auth",
        )
        super().__init__(transport)
