"""Signatures of requests with an API key, as the chapter "Signing requests" of the documentation describes them."""

from __future__ import annotations

import hashlib
import hmac
import time
from typing import Dict, Optional, Union
from urllib.parse import urlsplit


def sign_request(
    *,
    api_key: str,
    api_secret: str,
    method: str,
    url: str,
    body: Union[str, bytes] = b"",
    idempotency_key: Optional[str] = None,
    now: Optional[float] = None,
) -> Dict[str, str]:
    """The headers of a request that you send with another HTTP library; `Kasi` signs by itself.

    `url` is the URL, or only its path and query, encoded exactly as it is sent: `/v1/payments?page=2&status=paid`. A
    text as `body` is encoded as UTF-8. Send the headers with exactly this method, URL, body and `Idempotency-Key`,
    within five minutes. `now` is the time to sign for in Unix seconds, for tests.
    """
    timestamp = str(int(time.time() if now is None else now))
    return {
        "x-api-key": api_key,
        "x-timestamp": timestamp,
        "x-signature": signature_of(
            api_secret, timestamp, method, target_of(url), _bytes_of(body), idempotency_key or ""
        ),
    }


def signature_of(
    api_secret: str, timestamp: str, method: str, target: str, body: bytes = b"", idempotency_key: str = ""
) -> str:
    """The signature for a timestamp as in the header: seconds, or empty when the header is left out."""
    lines = [timestamp, method.upper(), target, hashlib.sha256(body).hexdigest(), idempotency_key]
    return hmac.new(api_secret.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()


def target_of(url: str) -> str:
    """The request target: what is between the method and the version in the first line of the request."""
    if url.startswith("/"):
        return url
    parts = urlsplit(url)
    if not parts.scheme or not parts.netloc:
        raise ValueError(f"url is neither a URL nor a path that begins with /: {url}")
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _bytes_of(body: Union[str, bytes]) -> bytes:
    return body.encode() if isinstance(body, str) else body
