import hashlib
import json
from typing import Any, Dict, List, Optional
from unittest import TestCase
from urllib.parse import parse_qs, urlsplit

from kasi import EventFeedError, EventPosition, HttpRequest, HttpResponse, Kasi, to_json

from .support import Attempts, FakeClock, FakeService, Reply, Sent, error_of


def query_of(target: str) -> Dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}


class Pages(TestCase):
    def test_every_item_comes_once_although_the_list_grows(self) -> None:
        items = [f"pay_{index}" for index in range(5)]

        def answer(sent: Sent) -> Reply:
            query = query_of(sent.target)
            if "after" in query:
                items.insert(0, f"pay_new_{len(items)}")
            start = items.index(query["after"]) + 1 if "after" in query else 0
            shown = items[start : start + int(query["limit"])]
            following = shown[-1] if start + len(shown) < len(items) else None
            return Reply({"pagination": {"next": following}, "payments": [{"id": each} for each in shown]})

        service = FakeService(self, answer)
        client = Kasi(base_url=service.url, token="T1")
        found = [payment["id"] for payment in client.payments.iterate({"status": "paid", "limit": 2})]
        self.assertEqual(found, [f"pay_{index}" for index in range(5)])
        self.assertEqual(
            [query_of(sent.target) for sent in service.sent],
            [
                {"status": "paid", "limit": "2"},
                {"status": "paid", "limit": "2", "after": "pay_1"},
                {"status": "paid", "limit": "2", "after": "pay_3"},
            ],
        )
        later = [payment["id"] for payment in client.payments.iterate({"after": "pay_2"})]
        self.assertEqual(later, ["pay_3", "pay_4"])
        self.assertEqual(query_of(service.sent[-1].target), {"limit": "100", "after": "pay_2"})

    def test_no_page_is_asked_for_before_it_is_needed(self) -> None:
        service = FakeService(self, lambda sent: Reply({"data": [{"id": "plink_1"}], "pagination": {"next": "more"}}))
        links = Kasi(base_url=service.url, token="T1").payment_links.iterate({"limit": 1})
        self.assertEqual(len(service.sent), 0)
        for link in links:
            self.assertEqual(link["id"], "plink_1")
            break
        self.assertEqual(len(service.sent), 1)

    def test_a_page_that_fails_is_asked_for_again(self) -> None:
        def page(number: int, following: Optional[str]) -> Reply:
            return Reply({"payments": [{"id": f"pay_{number}"}], "pagination": {"next": following}})

        attempts = Attempts(FakeClock(self), page(0, "1"), 503, "lost", page(1, "2"), 503, page(2, None))
        found = [payment["id"] for payment in attempts.client.payments.iterate({"limit": 1})]
        self.assertEqual(found, ["pay_0", "pay_1", "pay_2"])
        self.assertEqual(len(attempts.requests), 6)

    def test_what_is_no_page_with_cursors_and_a_list_in_circles_are_errors(self) -> None:
        circle = {"payments": [{"id": "pay_1"}], "pagination": {"next": "the-same"}}
        older = {"payments": [], "pagination": {"page": 1, "limit": 100, "total": 0, "totalPages": 0}}
        bodies: List[Any] = [{}, [], {"payments": []}, {"payments": [7], "pagination": {"next": None}}, circle, older]
        for body in bodies:
            service = FakeService(self, lambda sent: Reply(body))
            error = error_of(lambda: list(Kasi(base_url=service.url, token="T1").payments.iterate()))
            assert error is not None
            self.assertEqual(error.code, "UNEXPECTED_RESPONSE")


def seal(bodies: List[str]) -> List[Dict[str, Any]]:
    """A genuine feed of these events."""
    entries: List[Dict[str, Any]] = []
    before = "0" * 64
    for index, body in enumerate(bodies):
        position = index + 1
        covered = b"event-v1\0" + position.to_bytes(8, "big") + bytes.fromhex(before) + body.encode()
        own = hashlib.sha256(covered).hexdigest()
        event = json.loads(body)
        entries.append(
            {"position": position, "id": event["id"], "type": event["type"], "previousHash": before, "hash": own}
        )
        entries[-1]["body"] = body
        before = own
    return entries


class Feed(TestCase):
    def setUp(self) -> None:
        bodies = [to_json({"id": f"evt_{n}", "type": "payment.completed", "data": {"amount": n}}) for n in range(1, 6)]
        self.entries = seal(bodies)

        def answer(sent: Sent) -> Reply:
            query = query_of(sent.target)
            behind = [entry for entry in self.entries if entry["position"] > int(query["after"])]
            shown = behind[: min(int(query["limit"]), 2)]
            return Reply({"data": shown, "hasMore": len(behind) > len(shown)})

        self.client = Kasi(base_url=FakeService(self, answer).url, token="T1")
        self.handled: List[str] = []

    def sync(self, after: Any = 0) -> EventPosition:
        return self.client.events.sync(after, lambda event, at: self.handled.append(event["id"]))

    def wrong(self, after: Any = 0) -> Any:
        with self.assertRaises(EventFeedError) as caught:
            self.sync(after)
        return (caught.exception.reason, caught.exception.position, len(self.handled))

    def test_every_event_is_handled_once_and_a_later_run_continues(self) -> None:
        end = self.sync()
        self.assertEqual(self.handled, [f"evt_{n}" for n in range(1, 6)])
        self.assertEqual(end, (5, self.entries[-1]["hash"]))
        self.assertEqual(self.sync(json.loads(json.dumps(end))), end)
        self.assertEqual(self.sync(3), end)
        self.assertEqual(self.handled[5:], ["evt_4", "evt_5"])
        self.assertEqual([entry["position"] for entry in self.client.events.iterate({"after": 2})], [3, 4, 5])

    def test_what_the_handler_raises_ends_it(self) -> None:
        def handle(event: Any, at: EventPosition) -> None:
            raise RuntimeError(at.position)

        with self.assertRaisesRegex(RuntimeError, "1"):
            self.client.events.sync(0, handle)

    def test_a_missing_a_changed_and_a_replaced_event_are_found(self) -> None:
        whole = json.dumps(self.entries)
        del self.entries[2]
        self.assertEqual(self.wrong(), ("missing", 3, 2))
        for name, value, reason in (
            ("body", '{"id":"evt_3"}', "wrong_hash"),
            ("previousHash", "1" * 64, "broken_chain"),
            ("hash", "1" * 64, "wrong_hash"),
            ("id", "evt_9", "wrong_body"),
        ):
            self.entries, self.handled = json.loads(whole), []
            self.entries[2][name] = value
            self.assertEqual(self.wrong(), (reason, 3, 2))
        self.entries, self.handled = json.loads(whole), []
        self.assertEqual(self.wrong(EventPosition(2, "1" * 64)), ("wrong_hash", 2, 0))
        self.assertEqual(self.wrong(9), ("missing", 9, 0))

    def test_pruned_events_are_skipped_and_proven(self) -> None:
        self.entries[1].update(pruned=True, body="")
        self.sync()
        self.assertEqual(self.handled, ["evt_1", "evt_3", "evt_4", "evt_5"])

    def test_a_position_that_is_none_is_refused(self) -> None:
        for after in (-1, True, "1", (1,), (1, 2), None):
            with self.assertRaisesRegex(ValueError, "after"):
                self.sync(after)


class Stream(TestCase):
    def client_of(self, *connections: Any, **options: Any) -> Kasi:
        """Connections that bring these pieces in turn; an exception among them breaks one."""
        left = list(connections)

        def send(request: HttpRequest) -> HttpResponse:
            if not left:
                raise ConnectionRefusedError("nobody")

            def pieces() -> Any:
                for piece in left.pop(0):
                    if isinstance(piece, Exception):
                        raise piece
                    yield piece

            return HttpResponse(200, {"content-type": "text/event-stream"}, pieces())

        FakeClock(self)
        return Kasi(base_url="https://kasi.example", send=send, **options)

    @staticmethod
    def event(status: str, name: str = "payment") -> bytes:
        return f'event: {name}\r\ndata: {{"status":"{status}",\r\ndata: "amount":5}}\r\n\r\n'.encode()

    def statuses(self, client: Kasi, enough: Optional[str] = None) -> List[str]:
        seen: List[str] = []
        for payment in client.public.payments.events("pay_1"):
            seen.append(payment["status"])
            if payment["status"] == enough:
                break
        return seen

    def test_events_arrive_in_any_pieces_without_repeats_across_lost_connections(self) -> None:
        first = b": hello\n\n" + self.event("initiated") + self.event("other", "ping") + self.event("pending")
        client = self.client_of(
            [first[index : index + 7] for index in range(0, len(first), 7)] + [ConnectionResetError("reset")],
            [self.event("pending"), self.event("paid")],
        )
        self.assertEqual(self.statuses(client, "paid"), ["initiated", "pending", "paid"])

    def test_it_ends_when_connections_bring_nothing_any_more(self) -> None:
        client = self.client_of([self.event("initiated")], [], [])
        self.assertEqual(self.statuses(client), ["initiated"])
        once = self.client_of([self.event("initiated")], [self.event("paid")], max_retries=0)
        self.assertEqual(self.statuses(once), ["initiated"])
        broken = self.client_of([ConnectionResetError("reset")], max_retries=0)
        error = error_of(lambda: self.statuses(broken))
        assert error is not None
        self.assertEqual((error.code, error.operation), ("NETWORK_ERROR", "GET /v1/public/payments/{id}/events"))

    def test_an_event_that_is_no_json_or_does_not_end_is_refused(self) -> None:
        for pieces in ([b"event: payment\ndata: <html>\n\n"], [b"x" * 600_000] * 2):
            error = error_of(lambda: self.statuses(self.client_of(pieces)))
            assert error is not None
            self.assertEqual(error.code, "UNEXPECTED_RESPONSE")
