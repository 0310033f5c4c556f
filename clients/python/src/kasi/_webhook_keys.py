"""The public keys of merchants."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from http.client import HTTPException
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Union
from urllib.parse import quote

from ._deadline import Deadline
from ._http import HttpRequest, Pool, Send
from ._json import parse_json_or_text
from ._options import parse_base_url
from ._webhook_content import from_base64
from .errors import KasiError, error_from_response

WebhookPublicKey = Union[str, Mapping[str, Any]]
"""A public key as the service shows it: `whpk_...`, an entry of `webhooks.keys.list()`, or a key of the JWKS."""

# How long fetched keys are cached, as the service allows.
_LIFETIME_SECONDS = 300

# The least time between two fetches when a signature fits none of the keys.
_REFETCH_PAUSE_SECONDS = 10

_FETCH_TIMEOUT_SECONDS = 10.0

# How many merchants' keys are cached; the oldest are evicted first.
_CACHE_MAX = 1000


class _Cached(NamedTuple):
    fetched_at: float
    keys: Sequence[bytes]


class KeyCache:
    """The public keys of merchants, fetched from the service and cached for five minutes. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: OrderedDict[str, _Cached] = OrderedDict()
        # One fetch at a time for each address: those who wait find the keys.
        self._fetching: dict[str, threading.Lock] = {}
        self._pool = Pool()

    def fetch(
        self, base_url: Optional[str], merchant_id: Optional[str], *, is_stale: bool, send: Optional[Send] = None
    ) -> Sequence[bytes]:
        """The keys of a merchant.

        `is_stale` asks for newer keys; they are fetched only if the cached ones are at least ten seconds old. Raises
        `KasiError` when they can't be fetched: answer the webhook with an error then, and it is sent again; `ValueError`
        when there is no such merchant. The keys that were cached before stay: a forged webhook must not evict them.
        """
        if not merchant_id:
            raise ValueError("merchant_id is missing: whose webhooks to accept (mer_...).")
        path = f"/v1/public/merchants/{quote(merchant_id, safe='')}/webhook-keys"
        url = parse_base_url(base_url) + path
        asked_at = time.monotonic()
        found = self._fresh_enough(url, is_stale, asked_at)
        if found is not None:
            return found
        with self._lock:
            fetching = self._fetching.setdefault(url, threading.Lock())
        if not fetching.acquire(timeout=_FETCH_TIMEOUT_SECONDS):
            raise KasiError("TIMEOUT", f"The webhook keys did not come from {url}.")
        try:
            # Another thread may have fetched them meanwhile.
            found = self._fresh_enough(url, is_stale, asked_at)
            if found is not None:
                return found
            return self._remember(url, _fetch_keys(url, send or self._pool.send, merchant_id, base_url))
        finally:
            fetching.release()
            with self._lock:
                self._fetching.pop(url, None)

    def _fresh_enough(self, url: str, is_stale: bool, now: float) -> Optional[Sequence[bytes]]:
        with self._lock:
            cached = self._cached.get(url)
        limit = _REFETCH_PAUSE_SECONDS if is_stale else _LIFETIME_SECONDS
        return cached.keys if cached is not None and now - cached.fetched_at < limit else None

    def _remember(self, url: str, keys: Sequence[bytes]) -> Sequence[bytes]:
        with self._lock:
            self._cached[url] = _Cached(time.monotonic(), keys)
            self._cached.move_to_end(url)
            while len(self._cached) > _CACHE_MAX:
                self._cached.popitem(last=False)
        return keys


def parse_public_key(key: WebhookPublicKey) -> bytes:
    """The 32 bytes of a public key. Raises `ValueError` when it is invalid."""
    text = key if isinstance(key, str) else key.get("x") or key.get("publicKey")
    # A secret is not repeated, because messages end in logs.
    if isinstance(text, str) and text.startswith(("whsec_", "whsk_", "sk_")):
        raise ValueError(
            "keys holds a secret, but the keys of webhooks are public: pass whpk_... as webhooks.keys.list() shows it, "
            "or base_url and merchant_id instead of keys. There is no secret to share."
        )
    data = from_base64(text[5:] if text.startswith("whpk_") else text) if isinstance(text, str) else None
    if data is None or len(data) != 32:
        raise ValueError(f"Not a webhook key: {str(text)[:60]}")
    return data


def _fetch_keys(url: str, send: Send, merchant_id: str, base_url: Optional[str]) -> List[bytes]:
    deadline = Deadline(_FETCH_TIMEOUT_SECONDS)
    headers = {"accept": "application/json", "user-agent": "kasi-python"}
    try:
        response = send(HttpRequest("GET", url, headers, b"", deadline, is_repeatable=True))
        text = response.read()
    except (OSError, HTTPException) as cause:
        if deadline.is_over():
            raise deadline.error() from cause
        raise KasiError("NETWORK_ERROR", f"The webhook keys could not be fetched from {url}: {cause}") from cause
    body = parse_json_or_text(text)
    keys = body.get("keys") if isinstance(body, dict) else None
    if response.status != 200 or not isinstance(keys, list):
        refusal = error_from_response(response.status, response.headers, body)
        raise _no_such_merchant(merchant_id, base_url) if refusal.code == "NOT_FOUND" else refusal
    # Ignores keys of kinds that don't exist yet.
    return [parse_public_key(key) for key in keys if isinstance(key, dict) and key.get("crv") == "Ed25519"]


def _no_such_merchant(merchant_id: str, base_url: Optional[str]) -> ValueError:
    """A wrong setting, which no repetition of the webhook mends."""
    return ValueError(
        f"There is no merchant {merchant_id!r} at {base_url}. Set merchant_id to the id that auth.login() shows as "
        "merchant.id and every webhook carries as merchantId (mer_...), and base_url to the service that sends the "
        "webhooks."
    )
