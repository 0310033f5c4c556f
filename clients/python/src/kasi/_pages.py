"""Every item of a list, page by page."""

from __future__ import annotations

from typing import Any, Callable, Iterator, List, Optional, Tuple

from .errors import KasiError

_PAGE_SIZE = 100


def iterate_pages(
    fetch_page: Callable[[Optional[str], int], Any], after: Optional[str], limit: Optional[int]
) -> Iterator[Any]:
    """Yields every item of a list once, from the cursor `after` on.

    Each page begins behind the last item of the one before, so what is added or removed meanwhile repeats and hides
    nothing. Asks for a page when the one before is used up. Raises `KasiError` `UNEXPECTED_RESPONSE` for an answer that
    isn't a page, or a cursor that leads nowhere.
    """
    cursor = after
    while True:
        items, following = _parse_page(fetch_page(cursor, _PAGE_SIZE if limit is None else limit))
        if following is not None and following == cursor:
            raise _unexpected("The list shows the same page again and again.")
        yield from items
        if following is None:
            return
        cursor = following


def _parse_page(body: Any) -> Tuple[List[Any], Optional[str]]:
    """The name of a page's list depends on its content: `payments`, `deliveries`, `data`."""
    page = body if isinstance(body, dict) else {}
    pagination = page.get("pagination")
    following: Any = pagination.get("next", 0) if isinstance(pagination, dict) else 0
    items = next((value for value in page.values() if isinstance(value, list)), None)
    is_cursor = following is None or isinstance(following, str)
    if items is None or not is_cursor or not all(isinstance(item, dict) for item in items):
        raise _unexpected("The answer is not a page of a list with cursors. Is the service older than this client?")
    return items, following


def _unexpected(message: str) -> KasiError:
    return KasiError("UNEXPECTED_RESPONSE", message, status=200)
