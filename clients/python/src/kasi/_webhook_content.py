"""What signatures of webhooks cover, and how keys are written."""

from __future__ import annotations

import base64
import binascii
from typing import Optional


def signed_content(event_id: str, timestamp: str, body: bytes) -> bytes:
    """The bytes that a webhook signature covers: id "." seconds "." body."""
    return f"{event_id}.{timestamp}.".encode() + body


def from_base64(text: str) -> Optional[bytes]:
    """Decodes base64 or base64url, padded or not; None when the text is neither."""
    plain = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
