"""Who calls: an API key that signs, or a session with its token."""

from __future__ import annotations

from typing import Dict, Optional, Protocol

from ._deadline import Deadline
from ._signature import sign_request
from .errors import KasiError


class Credentials(Protocol):
    """Authenticates requests. The transport knows only this; each kind of credentials implements it."""

    def authorize(
        self, method: str, url: str, body: bytes, idempotency_key: Optional[str], deadline: Deadline
    ) -> Dict[str, str]:
        """The headers of a request that is about to be sent."""

    def renew(self, sent: Dict[str, str], refusal: KasiError, deadline: Deadline) -> bool:
        """Whether the service may accept what was sent with `sent` with other headers, after it was refused."""


class Signer:
    """Signs every request with an API key, with the time of sending as its timestamp."""

    def __init__(self, api_key: str, api_secret: str) -> None:
        self._api_key = api_key
        self._api_secret = api_secret

    def authorize(
        self, method: str, url: str, body: bytes, idempotency_key: Optional[str], deadline: Deadline
    ) -> Dict[str, str]:
        return sign_request(
            api_key=self._api_key,
            api_secret=self._api_secret,
            method=method,
            url=url,
            body=body,
            idempotency_key=idempotency_key,
        )

    def renew(self, sent: Dict[str, str], refusal: KasiError, deadline: Deadline) -> bool:
        return False
