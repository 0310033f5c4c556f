"""A merchant's day against a running service. Started by test/client/python-service.long.test.ts."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from decimal import Decimal
from typing import List, Optional
from unittest import TestCase, main

from kasi import Kasi, KasiError
from kasi.admin import KasiAdmin

from .support import FakeService, Reply, Sent, error_of

URL = os.environ["KASI_URL"]
KEY, SECRET = os.environ["KASI_API_KEY"], os.environ["KASI_API_SECRET"]
EMAIL, PASSWORD = os.environ["KASI_EMAIL"], os.environ["KASI_PASSWORD"]


def forward(sent: Sent) -> Reply:
    """What the service answers to a request that a proxy passes on unchanged."""
    headers = {name: value for name, value in sent.headers.items() if name not in ("host", "connection")}
    request = urllib.request.Request(URL + sent.target, sent.body or None, headers, method=sent.method)
    try:
        with urllib.request.urlopen(request) as response:
            return Reply(response.read(), response.status)
    except urllib.error.HTTPError as error:
        return Reply(error.read(), error.code)


class Live(TestCase):
    def setUp(self) -> None:
        self.server = Kasi(base_url=URL, api_key=KEY, api_secret=SECRET)
        self.person = Kasi(base_url=URL, email=EMAIL, password=PASSWORD)

    def test_a_payment_is_made_paid_and_seen_with_its_amounts_unchanged(self) -> None:
        payment = self.server.payments.create(
            {"amount": Decimal("131072.01"), "currency": "USD", "metadata": {"note": "සිංහල ☕", "order no": "1&2"}}
        )
        self.assertEqual((payment["amount"], payment["amountReceived"]), (Decimal("131072.01"), Decimal(0)))
        self.person.sandbox.payments.pay(payment["id"])
        for state in self.server.public.payments.events(payment["id"]):
            if state["status"] == "paid":
                break
        paid = self.server.payments.get(payment["id"])
        self.assertEqual(paid["amountReceived"], Decimal("131072.01"))
        self.assertEqual(paid["metadata"], {"note": "සිංහල ☕", "order no": "1&2"})
        found = self.server.payments.list({"metadata": {"order no": "1&2"}, "minAmount": 131072.01, "currency": "USD"})
        self.assertEqual([each["id"] for each in found["payments"]], [payment["id"]])

    def test_a_payment_is_made_once_through_a_proxy_that_loses_answers(self) -> None:
        lost: List[str] = []

        def answer(sent: Sent) -> Optional[Reply]:
            reply = forward(sent)
            if sent.method == "GET" or sent.headers["idempotency-key"] in lost:
                return reply
            lost.append(sent.headers["idempotency-key"])
            return None

        proxy = FakeService(self, answer)
        client = Kasi(base_url=proxy.url, api_key=KEY, api_secret=SECRET)
        made = [client.payments.create({"amount": 7, "currency": "USD"})["id"] for _ in range(2)]
        listed = client.payments.list({"minAmount": 7, "maxAmount": 7, "currency": "USD"})
        self.assertEqual(sorted(each["id"] for each in listed["payments"]), sorted(made))
        self.assertEqual((len(set(made)), len(lost), len(proxy.sent)), (2, 2, 5))

    def test_a_key_is_for_one_request(self) -> None:
        first = self.server.payments.create({"amount": 8, "currency": "USD"}, idempotency_key="order-8")
        again = self.server.payments.create({"amount": 8, "currency": "USD"}, idempotency_key="order-8")
        self.assertEqual(first, again)
        error = error_of(
            lambda: self.server.payments.create({"amount": 9, "currency": "USD"}, idempotency_key="order-8")
        )
        assert error is not None
        self.assertEqual((error.code, error.status), ("IDEMPOTENCY_KEY_REUSED", 422))

    def test_every_item_of_a_list_comes_once(self) -> None:
        made = {self.server.payments.create({"amount": 6, "currency": "USD"})["id"] for _ in range(5)}
        items = self.server.payments.iterate({"minAmount": 6, "maxAmount": 6, "currency": "USD", "limit": 2})
        found = [each["id"] for each in items]
        self.assertEqual((len(found), set(found)), (5, made))
        positions = [entry["position"] for entry in self.server.events.iterate({"limit": 3})]
        self.assertEqual(positions, list(range(1, len(positions) + 1)))

    def test_errors_are_the_service_s_own(self) -> None:
        with self.assertRaisesRegex(KasiError, r"VALIDATION_ERROR.*\(status 400, POST /v1/payments, .+\)\n  amount: "):
            self.server.payments.create({"amount": 0.001, "currency": "USD"})
        with self.assertRaisesRegex(KasiError, "NOT_FOUND: .*GET /v1/payments/{id}"):
            self.server.payments.get("pay/../nobody?☕")
        with self.assertRaisesRegex(KasiError, "FORBIDDEN.*scope_missing"):
            self.server.settlements.balance()
        with self.assertRaisesRegex(KasiError, "UNAUTHORIZED.*signature_invalid"):
            Kasi(base_url=URL, api_key=KEY, api_secret="sk_wrong").payments.list()
        with self.assertRaisesRegex(KasiError, "UNAUTHORIZED"):
            KasiAdmin(base_url=URL, email=EMAIL, password=PASSWORD).incidents.list()

    def test_a_person_logs_in_and_goes_on_with_the_stored_session(self) -> None:
        self.assertEqual(type(self.person.settlements.balance()["availableBalance"]), Decimal)
        tokens = self.person.tokens()
        assert tokens is not None
        again = Kasi(base_url=URL, token=tokens.token, refresh_token=tokens.refresh_token)
        again.auth.refresh({"refreshToken": tokens.refresh_token or ""})
        self.assertNotEqual(again.tokens(), tokens)
        again.payment_links.list()
        again.auth.logout()
        self.assertIsNone(again.tokens())


if __name__ == "__main__":
    main()
