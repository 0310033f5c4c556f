"""What the generated groups of methods are made of."""

from __future__ import annotations

from functools import wraps
from types import FunctionType
from typing import Any, Callable, Iterator, Mapping, Optional, Tuple, TypeVar, Union

from ._event_stream import follow_events
from ._feed import EventPosition, HandleEvent, read_feed, sync_feed
from ._pages import iterate_pages
from ._transport import CallOptions, Exchange, Operation, Transport

Answer = TypeVar("Answer", bound=Mapping[str, Any])
_Query = Optional[Mapping[str, Any]]


class Group:
    """Methods of the client that belong together."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, method in list(vars(cls).items()):
            if isinstance(method, FunctionType) and not name.startswith("_"):
                setattr(cls, name, _with_advice(method))

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(
        self,
        operation: Operation,
        path: Mapping[str, str],
        options: CallOptions,
        *,
        query: Any = None,
        body: Any = None,
        accept: str = "application/json",
    ) -> Any:
        return self._transport.call(Exchange(operation, path, query, body, accept), options)

    def _pages(
        self, operation: Operation, path: Mapping[str, str], query: Any, options: CallOptions
    ) -> Iterator[Any]:
        filters = dict(query or {})
        size, start = filters.pop("limit", None), filters.pop("after", None)
        # A page or a `before` can only come from a caller without types.
        filters.pop("page", None)
        filters.pop("before", None)

        def fetch_page(after: Optional[str], limit: int) -> Any:
            asked = {**filters, "limit": limit, "after": after}
            return self._transport.call(Exchange(operation, path, asked), options)

        return iterate_pages(fetch_page, start, size)

    def _follow(self, operation: Operation, path: Mapping[str, str], options: CallOptions) -> Iterator[Any]:
        exchange = Exchange(operation, path, accept="text/event-stream")
        return follow_events(self._transport, exchange, "payment", options)

    def _feed(self, operation: Operation, query: Any, options: CallOptions) -> Iterator[Any]:
        wanted = query or {}
        return read_feed(self._transport, operation, wanted.get("after") or 0, wanted.get("limit"), options)

    def _sync(
        self, operation: Operation, after: Union[int, Tuple[int, str]], handle: HandleEvent, options: CallOptions
    ) -> EventPosition:
        return sync_feed(self._transport, operation, after, handle, options)

    def _begins(self, answer: Answer) -> Answer:
        """Afterwards the client uses the session in the answer, unless it signs with an API key."""
        if self._transport.session is not None:
            self._transport.session.replace(answer)
        return answer

    def _ends(self) -> None:
        """Afterwards the client holds no tokens."""
        if self._transport.session is not None:
            self._transport.session.replace(None)

    def _changes_password(self, body: Mapping[str, Any]) -> None:
        """Afterwards the client knows the new password, if it knew the old one."""
        if self._transport.session is not None:
            self._transport.session.replace_password(body["newPassword"])

    def _exchanges(self, body: Mapping[str, Any], trade: Callable[[], Answer]) -> Answer:
        """Never runs at the same time as another refresh, because a refresh token works once."""
        session = self._transport.session
        return trade() if session is None else session.exchange(body["refreshToken"], trade)


def _with_advice(method: FunctionType) -> Callable[..., Any]:
    """The method, which says how fields are passed when it gets an argument that it does not know."""
    code, name = method.__code__, method.__name__
    known = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]

    @wraps(method)
    def advised(*args: Any, **named: Any) -> Any:
        unknown = [each for each in named if each not in known]
        if not unknown:
            return method(*args, **named)
        if "body" in known or "query" in known:
            fields = ", ".join(f'"{each}": ...' for each in unknown)
            cure = f"Pass fields as one dict, under the names that the API gives them: {name}({{{fields}}})."
        else:
            cure = f"It takes {', '.join(known)}."
        raise TypeError(f"{name}() takes no argument {', '.join(unknown)}. {cure}")

    return advised
