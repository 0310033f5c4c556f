"""Signed webhooks for the tests of your endpoint."""

from __future__ import annotations

import os
import time
from typing import Any, Dict, Mapping, NamedTuple, Optional, Union

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ._json import to_json
from ._webhook_content import from_base64, signed_content, to_base64

# Not "Test...", which pytest would take for tests.
__all__ = ["SignedTestWebhook", "WebhookTestKey", "create_test_webhook_key", "sign_test_webhook"]


class WebhookTestKey(NamedTuple):
    secret: str
    """Signs: `whsk_...`."""
    public_key: str
    """Verifies: `whpk_...`. Pass it to `verify_webhook` as `keys`."""


class SignedTestWebhook(NamedTuple):
    """A signed test webhook, and the key that verifies it."""

    body: bytes
    headers: Dict[str, str]
    public_key: str
    """Pass it to `verify_webhook` as `keys`."""


def create_test_webhook_key() -> WebhookTestKey:
    """Creates a key to sign webhooks in tests, with its public key for the handler."""
    seed = os.urandom(32)
    public = _public_of(seed)
    return WebhookTestKey(f"whsk_{to_base64(seed + public)}", f"whpk_{to_base64(public)}")


def sign_test_webhook(
    event: Union[Mapping[str, Any], str, bytes],
    *,
    secret: Optional[str] = None,
    event_id: Optional[str] = None,
    now: Optional[float] = None,
) -> SignedTestWebhook:
    """Signs an event as the service would. Uses a new key unless you pass `secret` (`whsk_...`).

    A text or bytes become the body unchanged; `event_id` defaults to the event's own id. `now` is in Unix seconds.
    """
    body = event if isinstance(event, bytes) else (event if isinstance(event, str) else to_json(event)).encode()
    own_id = event.get("id") if isinstance(event, Mapping) else None
    webhook_id = event_id or str(own_id or "evt_test")
    timestamp = str(int(time.time() if now is None else now))
    seed = os.urandom(32) if secret is None else _parse_secret(secret)
    signature = Ed25519PrivateKey.from_private_bytes(seed).sign(signed_content(webhook_id, timestamp, body))
    headers = {
        "webhook-id": webhook_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1a,{to_base64(signature)}",
    }
    return SignedTestWebhook(body, headers, f"whpk_{to_base64(_public_of(seed))}")


def _public_of(seed: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def _parse_secret(secret: str) -> bytes:
    """The seed is the first part of `whsk_...`, whether or not the public key follows."""
    data = from_base64(secret[5:] if secret.startswith("whsk_") else secret)
    if data is None or len(data) not in (32, 64):
        raise ValueError("Not a webhook secret (whsk_...).")
    return data[:32]
