"""What calls raise."""

from __future__ import annotations

import math
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, List, Mapping, Optional

if TYPE_CHECKING:
    from ._generated.models import ErrorField


class KasiError(Exception):
    """Any failure of a call.

    `code` is one of the service's (`kasi.types.ErrorCode`), or one that the client itself produces: `NETWORK_ERROR`
    (no answer, or an incomplete one), `TIMEOUT` (no answer in time) and `UNEXPECTED_RESPONSE` (an answer that is not
    from the service, for example a proxy's error page). New codes may appear, so handle unknown ones.
    """

    code: str
    message: str
    status: int
    """The HTTP status; 0 when no answer came."""
    reason: Optional[str]
    """A finer code when one `code` has several causes, for example `token_expired`."""
    fields: List[ErrorField]
    """For `VALIDATION_ERROR`: every part of the request that must change."""
    request_id: Optional[str]
    """Quote it when you ask for help."""
    retry_after_seconds: Optional[int]
    """With 429 and 503: the seconds to wait."""
    operation: Optional[str]
    """What was called: `POST /v1/payments/{id}/cancel`."""
    attempts: int
    """How often the request was sent before the client gave up."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        reason: Optional[str] = None,
        fields: Optional[List[ErrorField]] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.status = status
        self.reason = reason
        self.fields = fields or []
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.operation = None
        self.attempts = 0

    def __str__(self) -> str:
        facts = [
            f"status {self.status}" if self.status else "",
            f"reason {self.reason}" if self.reason else "",
            self.operation or "",
            f"request {self.request_id}" if self.request_id else "",
            f"{self.attempts} attempts" if self.attempts > 1 else "",
        ]
        known = ", ".join(fact for fact in facts if fact)
        lines = [f"{self.code}: {self.message}" + (f" ({known})" if known else "")]
        lines += [f"  {field['path']}: {field['message']}" for field in self.fields]
        return "\n".join(lines)


def error_from_response(status: int, headers: Mapping[str, str], body: Any) -> KasiError:
    """The error in an answer. `headers` are in lower case; `body` is parsed if it is JSON, else its text."""
    retry_after = _parse_seconds(headers.get("retry-after"))
    request_id = headers.get("x-request-id")
    detail = _detail_of(body)
    if detail is None:
        said = f": {body[:200]}" if isinstance(body, str) and body else "."
        message = f"{status} with a body that is not Kasi's{said}"
        location = headers.get("location")
        if 300 <= status < 400 and location is not None:
            cure = "Let base_url be the address of the service itself."
            message = f"{status} leads to {location[:200]}, and no redirect is followed. {cure}"
        return KasiError(
            "UNEXPECTED_RESPONSE", message, status=status, request_id=request_id, retry_after_seconds=retry_after
        )
    return KasiError(
        detail["code"],
        detail["message"],
        status=status,
        reason=_text(detail.get("reason")),
        fields=_fields(detail.get("fields")),
        request_id=_text(detail.get("requestId")) or request_id,
        retry_after_seconds=retry_after,
    )


def _detail_of(body: Any) -> Optional[Mapping[str, Any]]:
    detail = body.get("error") if isinstance(body, dict) else None
    if not isinstance(detail, dict):
        return None
    is_detail = isinstance(detail.get("code"), str) and isinstance(detail.get("message"), str)
    return detail if is_detail else None


def _fields(value: Any) -> List[ErrorField]:
    def is_field(item: Any) -> bool:
        return isinstance(item, dict) and isinstance(item.get("path"), str) and isinstance(item.get("message"), str)

    return [item for item in value if is_field(item)] if isinstance(value, list) else []


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _parse_seconds(header: Optional[str]) -> Optional[int]:
    """`Retry-After` is a number of seconds or, from proxies, a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit() and len(header) <= 9:
        return int(header)
    try:
        date = parsedate_to_datetime(header)
        return max(math.ceil(date.timestamp() - time.time()), 0)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
