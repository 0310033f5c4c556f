"""Webhooks: genuine or not."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, Union

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ._http import Send
from ._json import parse_json
from ._webhook_content import from_base64, signed_content
from ._webhook_keys import KeyCache, WebhookPublicKey, parse_public_key

if TYPE_CHECKING:
    from ._generated.models import WebhookEvent

class _WithItems(Protocol):
    def items(self) -> Iterable[Tuple[str, Any]]: ...


WebhookHeaders = Union[_WithItems, Iterable[Tuple[Union[str, bytes], Union[str, bytes]]]]
"""The headers of a request, as frameworks provide them: by name, or as pairs."""

_TOLERANCE_SECONDS = 300

# The service signs with at most four keys; signatures beyond this number are ignored.
_SIGNATURES_MAX = 10

# The field and the curve of Ed25519 (RFC 8032).
_P = 2**255 - 19
_D = -121665 * pow(121666, _P - 2, _P) % _P

_cache = KeyCache()


class WebhookVerificationError(Exception):
    """The request is not a genuine webhook: answer 400 and do nothing.

    `reason` is `missing_header`, `malformed`, `timestamp_out_of_tolerance` or `no_matching_signature`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


def verify_webhook(
    body: Union[bytes, bytearray, memoryview, str],
    headers: WebhookHeaders,
    *,
    keys: Union[WebhookPublicKey, Sequence[WebhookPublicKey], None] = None,
    base_url: Optional[str] = None,
    merchant_id: Optional[str] = None,
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: Optional[float] = None,
    send: Optional[Send] = None,
) -> WebhookEvent:
    """Returns the event if the merchant's key signed the body and the timestamp is within the tolerance.

    That is as Standard Webhooks defines it (`v1a`, Ed25519). Takes the body byte for byte, before any JSON parser, and
    `keys`, or `base_url` and `merchant_id`, whose keys are fetched and cached for five minutes. Handle each event once
    by its `id`; new types may appear at any time. Raises `WebhookVerificationError` for a request that is not genuine,
    `KasiError` when the keys can't be fetched, `ValueError` when a key is invalid, there is no such merchant or nothing
    says whose keys to take. `now` is the time to compare with in Unix seconds, for tests.
    """
    # A setting that is no number must not let in what is old.
    if not isinstance(tolerance_seconds, (int, float)) or not tolerance_seconds >= 0:
        raise ValueError("tolerance_seconds is a number of seconds, 300 when it is left out.")
    signed = _parse_headers(headers, tolerance_seconds, time.time() if now is None else now)
    data = _bytes_of(body)
    message = signed_content(signed.id, signed.timestamp, data)

    def fits(known: Sequence[bytes]) -> bool:
        return any(_is_signed_by(key, message, signature) for signature in signed.signatures for key in known)

    if keys is not None:
        given = [keys] if isinstance(keys, (str, Mapping)) else keys
        is_genuine = fits([parse_public_key(key) for key in given])
    else:
        is_genuine = any(
            fits(_cache.fetch(base_url, merchant_id, is_stale=is_stale, send=send)) for is_stale in (False, True)
        )
    if not is_genuine:
        raise _unmatched(
            "No signature fits the body. Pass the body exactly as it arrived, "
            "and the keys of the merchant that it was sent to."
        )
    return _parse_event(data)


class _Signed(NamedTuple):
    """What the headers say: which event was signed, when, and with which signatures."""

    id: str
    timestamp: str
    signatures: Sequence[bytes]


def _parse_headers(headers: WebhookHeaders, tolerance_seconds: float, now: float) -> _Signed:
    event_id = _header_of(headers, "webhook-id")
    timestamp = _header_of(headers, "webhook-timestamp")
    signatures = _parse_signatures(_header_of(headers, "webhook-signature"))
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise _malformed("webhook-timestamp is not a number of seconds.")
    skew = abs(now - int(timestamp))
    # Written so that a time that is no number is refused, too.
    if not skew <= tolerance_seconds:
        raise WebhookVerificationError(
            "timestamp_out_of_tolerance",
            f"The webhook was signed {skew:.0f} seconds from now. Is the clock right?",
        )
    if not signatures:
        raise _unmatched("webhook-signature holds no v1a signature.")
    return _Signed(event_id, timestamp, signatures)


def _parse_signatures(header: str) -> List[bytes]:
    """The `v1a` signatures of the header, which may contain other schemes as well."""
    wanted = [token[len("v1a,") :] for token in header.split(" ") if token.startswith("v1a,")]
    decoded = [from_base64(token) for token in wanted[:_SIGNATURES_MAX]]
    return [signature for signature in decoded if signature is not None and len(signature) == 64]


def _header_of(headers: WebhookHeaders, name: str) -> str:
    # WSGI writes HTTP_WEBHOOK_ID.
    names = (name, f"http-{name}")
    found = [value for key, value in _pairs_of(headers) if _text_of(key).lower().replace("_", "-") in names]
    values = [text for value in found for text in _texts_of(value)]
    if not values or values == [""]:
        raise WebhookVerificationError("missing_header", f"The request has no {name}.")
    if len(values) > 1:
        raise _malformed(f"The request has more than one {name}.")
    return values[0]


def _pairs_of(headers: WebhookHeaders) -> Iterable[Tuple[Any, Any]]:
    return headers.items() if hasattr(headers, "items") else headers


def _texts_of(value: Any) -> List[str]:
    return [_text_of(item) for item in value] if isinstance(value, (list, tuple)) else [_text_of(value)]


def _text_of(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _bytes_of(body: Any) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise _malformed("The body has to be the text or the bytes of the request, not what a JSON parser made of it.")


def _is_signed_by(key: bytes, message: bytes, signature: bytes) -> bool:
    if _has_small_order(key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def _has_small_order(key: bytes) -> bool:
    """Whether a signature under this key may fit any text: OpenSSL, which verifies here, does not refuse such keys.

    Points of order 1, 2 and 4 have the y of 1, -1 and 0. A point of order 8 doubles to one with y = 0, so its own y
    solves d * y^4 + 2 * y^2 = 1.
    """
    y = (int.from_bytes(key, "little") & (2**255 - 1)) % _P
    return y in (0, 1, _P - 1) or (_D * pow(y, 4, _P) + 2 * y * y - 1) % _P == 0


def _parse_event(data: bytes) -> WebhookEvent:
    try:
        event = parse_json(data)
    except ValueError:
        raise _malformed("The body is signed but is not JSON.") from None
    return event  # type: ignore[no-any-return]


def _unmatched(message: str) -> WebhookVerificationError:
    return WebhookVerificationError("no_matching_signature", message)


def _malformed(message: str) -> WebhookVerificationError:
    return WebhookVerificationError("malformed", message)
