"""One login session, and its tokens."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, TypeVar

from ._deadline import Deadline
from .errors import KasiError

Tokens = TypeVar("Tokens", bound=Mapping[str, Any])


class SessionTokens(NamedTuple):
    """The tokens of a login session. Store them as carefully as a password."""

    token: str
    refresh_token: Optional[str]
    """None when only an access token is known; the session then ends with it."""

    def __repr__(self) -> str:
        """Without the tokens: they would stay in logs."""
        return "SessionTokens(...)"


OnTokens = Callable[[Optional[SessionTokens]], object]


class Login(NamedTuple):
    email: str
    password: str
    device_token: Optional[str] = None

    def __repr__(self) -> str:
        return "Login(...)"


class SessionCalls(NamedTuple):
    """The login and refresh calls of the service, which send no credentials."""

    login: Callable[[Login], Mapping[str, Any]]
    refresh: Callable[[str], Mapping[str, Any]]


class Session:
    """Holds the tokens of one login session.

    A refresh token works once, and its second use ends the session. So at most one refresh runs at a time: other
    threads wait for it. It runs to its end even if the call that began it is out of time by then.
    """

    def __init__(
        self, tokens: Optional[SessionTokens], login: Optional[Login], on_tokens: OnTokens, calls: SessionCalls
    ) -> None:
        self._tokens = tokens
        self._login = login
        self._on_tokens = on_tokens
        self._calls = calls
        # Whoever holds it may change the tokens. Reentrant, so that `on_tokens` may call the service.
        self._turn = threading.RLock()
        # Counts renewals, so that those who waited for one share its outcome.
        self._renewals = 0
        self._failure: Optional[KasiError] = None
        self._refused: Optional[KasiError] = None

    def tokens(self) -> Optional[SessionTokens]:
        return self._tokens

    def authorize(
        self, method: str, url: str, body: bytes, idempotency_key: Optional[str], deadline: Deadline
    ) -> Dict[str, str]:
        seen = self._renewals
        with self._having_turn(deadline):
            if self._tokens is None and self._login is not None:
                self._renew_once(seen)
            held = self._tokens
        return {} if held is None else {"authorization": f"Bearer {held.token}"}

    def renew(self, sent: Dict[str, str], refusal: KasiError, deadline: Deadline) -> bool:
        if refusal.reason != "token_expired":
            return False
        seen = self._renewals
        with self._having_turn(deadline):
            held = self._tokens
            # Another call may have renewed the tokens while this request was under way.
            if held is not None and sent.get("authorization") != f"Bearer {held.token}":
                return True
            return self._renew_once(seen)

    def replace(self, tokens: Optional[Mapping[str, Any]]) -> None:
        """Adopts the tokens of an explicit login, or None after a logout. No automatic login follows any more."""
        with self._turn:
            self._login = None
            self._adopt(tokens)

    def replace_password(self, password: str) -> None:
        """Remembers the new password for the next automatic login, if there is one."""
        with self._turn:
            if self._login is not None:
                self._login = self._login._replace(password=password)

    def exchange(self, refresh_token: str, trade: Callable[[], Tokens]) -> Tokens:
        """Trades `refresh_token` while no other refresh runs, and adopts the answer if the session still has it."""
        with self._turn:
            return self._trade(refresh_token, trade)

    @contextmanager
    def _having_turn(self, deadline: Deadline) -> Iterator[None]:
        left = deadline.left()
        if not self._turn.acquire(timeout=-1 if left > threading.TIMEOUT_MAX else max(left, 0)):
            raise deadline.error()
        try:
            yield
        finally:
            self._turn.release()

    def _renew_once(self, seen: int) -> bool:
        """Calls that need fresh tokens at the same time share one renewal, and its failure."""
        if self._renewals != seen and self._failure is not None:
            raise self._failure
        try:
            self._failure = None
            return self._renew_tokens()
        except KasiError as error:
            self._failure = error
            raise
        finally:
            self._renewals += 1

    def _renew_tokens(self) -> bool:
        """Whether there are fresh tokens. Raises what is not a refusal: the session may still be alive."""
        refresh_token = self._tokens.refresh_token if self._tokens else None
        if refresh_token is not None:
            try:
                self._trade(refresh_token, lambda: self._calls.refresh(refresh_token))
                return True
            except KasiError as error:
                if not _is_refusal(error):
                    raise
        if self._login is None:
            return False
        self._adopt(self._log_in(self._login))
        return True

    def _log_in(self, login: Login) -> Mapping[str, Any]:
        """Tries a wrong password only once: trying it on every call would lock its owner out."""
        if self._refused is not None:
            raise self._refused
        try:
            answer = self._calls.login(login)
        except KasiError as error:
            if _is_refusal(error):
                self._refused = error
            raise
        # The next automatic login is then known, whatever strangers try.
        self._login = login._replace(device_token=answer.get("deviceToken", login.device_token))
        return answer

    def _trade(self, refresh_token: str, trade: Callable[[], Tokens]) -> Tokens:
        try:
            tokens = trade()
        except KasiError as error:
            # A refused refresh token never works again, and sending it again would look like theft.
            if _is_refusal(error) and self._has(refresh_token):
                self._adopt(None)
            raise
        if self._has(refresh_token):
            self._adopt(tokens)
        return tokens

    def _has(self, refresh_token: str) -> bool:
        return self._tokens is not None and self._tokens.refresh_token == refresh_token

    def _adopt(self, tokens: Optional[Mapping[str, Any]]) -> None:
        self._tokens = None if tokens is None else SessionTokens(tokens["token"], tokens.get("refreshToken"))
        self._on_tokens(self._tokens)


def _is_refusal(error: KasiError) -> bool:
    """Whether the service will never accept this token or password."""
    return error.status in (400, 401)
