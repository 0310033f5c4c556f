"""The options of every client, checked at once: a forgotten setting must not show on the first payment."""

from __future__ import annotations

from typing import Any, Optional, Tuple
from urllib.parse import SplitResult, urlsplit

from ._credentials import Signer
from ._session import Login, SessionTokens


class _Unset:
    """Tells an option that was left out from one that is None because a setting is missing."""

    def __repr__(self) -> str:
        return "..."


UNSET: Any = _Unset()


def parse_base_url(base_url: Optional[str]) -> str:
    if not isinstance(base_url, str) or not base_url:
        raise ValueError("base_url is missing: the URL of the service, for example https://pay.example.com.")
    # A password in it is not repeated, because messages end in logs.
    said = base_url.rpartition("@")[2]
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not _has_possible_port(parts):
        hint = "" if "://" in base_url else f" Did you mean https://{said}?"
        raise ValueError(f"base_url is not a web address that begins with https://: {said}.{hint}")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError("base_url is an address without query, fragment and user.")
    if not base_url.isascii() or any(character.isspace() for character in base_url):
        raise ValueError(f"base_url has a character that an address must not have: {said!r}")
    bare = base_url.rstrip("/")
    if bare.endswith("/v1"):
        raise ValueError("base_url ends before /v1, which the client adds by itself.")
    return bare


def _has_possible_port(parts: SplitResult) -> bool:
    try:
        return parts.port != 0
    except ValueError:
        return False


def parse_signer(api_key: Optional[str], api_secret: Optional[str], session: Tuple[Any, ...]) -> Optional[Signer]:
    """The API key from the options. Raises when a part is missing: that must not yield an anonymous client."""
    if api_key is UNSET and api_secret is UNSET:
        return None
    key, secret = ("" if given is UNSET or given is None else given for given in (api_key, api_secret))
    if not key and not secret:
        raise ValueError(
            "api_key (pk_...) and api_secret (sk_...) are both missing or empty. Set what they are read from, such as "
            "KASI_API_KEY and KASI_API_SECRET in the environment, or leave both options out to call without a key."
        )
    if not key:
        raise ValueError("api_secret needs api_key (pk_...), which is missing or empty.")
    if not secret:
        raise ValueError("api_key needs api_secret (sk_...), which is missing or empty.")
    if key.startswith("sk_") or secret.startswith("pk_"):
        raise ValueError("api_key and api_secret are interchanged: the key begins with pk_, the secret with sk_.")
    for name, value in (("api_key", key), ("api_secret", secret)):
        if not value.isascii() or not value.isprintable() or " " in value:
            raise ValueError(f"{name} has white space or other characters around it. A line feed of a file?")
    if any(given is not None for given in session):
        raise ValueError(
            "A client has either an API key or a session. "
            "Make one client with api_key and api_secret and another with token or email."
        )
    return Signer(key, secret)


def parse_session(
    token: Optional[str], refresh_token: Optional[str], email: Optional[str], password: Optional[str]
) -> Tuple[Optional[SessionTokens], Optional[Login]]:
    """The tokens of a session, or the login that begins one; neither for an anonymous client."""
    if bool(email) != bool(password):
        said = "email needs password" if email else "password needs email"
        raise ValueError(f"{said}, which is missing or empty.")
    if refresh_token and not token:
        raise ValueError("refresh_token needs token, the access token that came with it.")
    tokens = SessionTokens(token, refresh_token or None) if token else None
    return tokens, Login(email, password) if email and password else None


def parse_timeout(timeout: Any) -> float:
    if isinstance(timeout, (int, float)) and not isinstance(timeout, bool) and timeout >= 0:
        return float(timeout)
    raise ValueError("timeout is a number of seconds, 0 for no limit.")


def parse_retries(max_retries: Any) -> int:
    if isinstance(max_retries, int) and not isinstance(max_retries, bool) and max_retries >= 0:
        return max_retries
    raise ValueError("max_retries is a whole number, 0 for none.")
