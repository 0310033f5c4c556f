"""The typed client of Kasi: payments priced in fiat, paid in crypto."""

from ._client import Kasi
from ._feed import EventFeedError, EventPosition
from ._http import HttpRequest, HttpResponse
from ._json import to_json
from ._session import SessionTokens
from ._signature import sign_request
from .errors import KasiError
from .webhooks import WebhookVerificationError, verify_webhook

__version__ = "0.1.0"

__all__ = [
    "EventFeedError",
    "EventPosition",
    "HttpRequest",
    "HttpResponse",
    "Kasi",
    "KasiError",
    "SessionTokens",
    "WebhookVerificationError",
    "sign_request",
    "to_json",
    "verify_webhook",
]
