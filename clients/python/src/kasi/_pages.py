"""Every item of a list, page by page."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Callable, Iterator, List, Tuple

from .errors import KasiError

_PAGE_SIZE = 100

# How many recent ids are remembered. An item appears twice only if more than this are added between two pages.
_REMEMBERED_IDS = 10_000


def iterate_pages(fetch_page: Callable[[int, int], Any], limit: int = _PAGE_SIZE) -> Iterator[Any]:
    """Yields every item of a list once.

    Lists are newest first, so items added meanwhile push others to a later page, where they are recognised by their
    ids. Does not yield items added after the first page. If items are removed meanwhile, others may be missed: page
    numbers can't show that. Raises `KasiError` `UNEXPECTED_RESPONSE` for an answer that isn't a list, or a list that
    doesn't end.
    """
    seen: OrderedDict[Any, None] = OrderedDict()
    repeated = 0
    page = 0
    while True:
        page += 1
        items, total_pages = _parse_page(fetch_page(page, limit))
        for item in items:
            key = item.get("id")
            repeated = repeated + 1 if key in seen else 0
            if repeated > 0:
                continue
            seen[key] = None
            yield item
        if repeated > _REMEMBERED_IDS:
            raise _unexpected("The list shows the same items on page after page.")
        while len(seen) > _REMEMBERED_IDS:
            seen.popitem(last=False)
        if not items or page >= total_pages:
            return


def _parse_page(body: Any) -> Tuple[List[Any], int]:
    """The name of a page's list depends on its content: `payments`, `deliveries`, `data`."""
    page = body if isinstance(body, dict) else {}
    pagination = page.get("pagination")
    total_pages = pagination.get("totalPages") if isinstance(pagination, dict) else None
    items = next((value for name, value in page.items() if isinstance(value, list)), None)
    if items is None or not isinstance(total_pages, int) or not all(isinstance(item, dict) for item in items):
        raise _unexpected("The answer is not a page of a list.")
    return items, total_pages


def _unexpected(message: str) -> KasiError:
    return KasiError("UNEXPECTED_RESPONSE", message, status=200)
