"""The client of the platform's administrators."""

from __future__ import annotations

from typing import Optional

from ._client import MAX_RETRIES, TIMEOUT_SECONDS, Connected
from ._generated.admin_surface import AdminSurface
from ._http import Send
from ._options import UNSET
from ._session import OnTokens

__all__ = ["KasiAdmin"]


class KasiAdmin(Connected, AdminSurface):
    """A client for administrators of the platform at `base_url`. Sends nothing yet.

    Administrators use a login session; API keys are for merchants. The options are those of `kasi.Kasi`.
    """

    def __init__(
        self,
        *,
        base_url: Optional[str],
        token: Optional[str] = None,
        refresh_token: Optional[str] = None,
        email: Optional[str] = None,
        password: Optional[str] = None,
        on_tokens: Optional[OnTokens] = None,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        send: Optional[Send] = None,
    ) -> None:
        transport = self._connect(
            base_url,
            key=(UNSET, UNSET),
            session=(token, refresh_token, email, password),
            on_tokens=on_tokens,
            timeout=timeout,
            max_retries=max_retries,
            send=send,
            auth_path="/v1/admin/auth",
        )
        super().__init__(transport)
