import time
from decimal import Decimal
from email.utils import formatdate
from typing import Any, Callable, List, Optional
from unittest import TestCase

from kasi import Kasi

from .support import Attempts, FakeClock, FakeService, Reply, Sent, error_of, refusal

UNAVAILABLE = refusal(503, "SERVICE_UNAVAILABLE")
IN_PROGRESS = refusal(409, "IDEMPOTENCY_IN_PROGRESS", {"retry-after": "1"})
LOST: List[Any] = ["lost", "silence", UNAVAILABLE, refusal(500, "INTERNAL_ERROR"), 504]
BEFORE: List[Any] = [refusal(429, "RATE_LIMITED"), 429, refusal(503, "RATE_UNAVAILABLE")]


def read(client: Kasi) -> object:
    return client.payments.get("pay_1")


def update(client: Kasi) -> object:
    return client.merchants.update("mer_1", {})


def create(client: Kasi) -> object:
    return client.payments.create({"amount": 5, "currency": "USD"})


def delete(client: Kasi) -> object:
    return client.payment_links.delete("plink_1")


def start(client: Kasi) -> object:
    return client.public.payment_links.start_payment("tea")


class Retries(TestCase):
    def setUp(self) -> None:
        self.clock = FakeClock(self)

    def test_a_call_is_retried_when_that_is_safe(self) -> None:
        for outcome in [*LOST, *BEFORE, IN_PROGRESS, 502]:
            for call in (read, update, create):
                with self.subTest(outcome=outcome, call=call.__name__):
                    attempts = Attempts(self.clock, outcome, 200)
                    self.assertIsNone(error_of(lambda: call(attempts.client)))
                    self.assertEqual(len(attempts.at), 2)

    def test_what_might_be_done_twice_is_not_retried_and_what_was_not_done_is(self) -> None:
        for call in (delete, start):
            for outcome in LOST:
                attempts = Attempts(self.clock, outcome, 200)
                self.assertIsNotNone(error_of(lambda: call(attempts.client)))
                self.assertEqual(len(attempts.at), 1)
            for outcome in BEFORE:
                attempts = Attempts(self.clock, outcome, 200)
                self.assertIsNone(error_of(lambda: call(attempts.client)))
                self.assertEqual(len(attempts.at), 2)

    def test_a_refusal_is_final(self) -> None:
        refusals = [(400, "VALIDATION_ERROR"), (403, "FORBIDDEN"), (409, "CONFLICT"), (422, "IDEMPOTENCY_KEY_REUSED")]
        for outcome in [*(refusal(*pair) for pair in refusals), 404]:
            attempts = Attempts(self.clock, outcome, 200)
            error = error_of(lambda: create(attempts.client))
            assert error is not None
            self.assertEqual((error.attempts, len(attempts.at)), (1, 1))

    def test_pauses_grow_from_half_a_second_to_eight_with_jitter(self) -> None:
        attempts = Attempts(self.clock, "lost")
        error = error_of(lambda: read(attempts.client))
        assert error is not None
        self.assertEqual((error.code, error.attempts, attempts.at), ("NETWORK_ERROR", 3, [0, 0.375, 1.125]))
        self.assertIn("3 attempts", str(error))
        patient = Attempts(self.clock, "lost")
        error_of(lambda: patient.client.payments.get("pay_1", max_retries=7, timeout=0))
        pauses = [later - earlier for earlier, later in zip(patient.at, patient.at[1:])]
        self.assertEqual(pauses, [0.375, 0.75, 1.5, 3, 6, 6, 6])
        self.jitter_free = Attempts(self.clock, "lost", max_retries=1)
        self.clock.jitter.return_value = 0
        error_of(lambda: read(self.jitter_free.client))
        self.assertEqual(self.jitter_free.at, [0, 0.25])

    def test_max_retries_of_the_call_or_the_client_counts(self) -> None:
        once = Attempts(self.clock, "lost")
        error_of(lambda: once.client.payments.get("pay_1", max_retries=0))
        eager = Attempts(self.clock, "lost", max_retries=4)
        error_of(lambda: read(eager.client))
        self.assertEqual((len(once.at), len(eager.at)), (1, 5))
        with self.assertRaisesRegex(ValueError, "max_retries"):
            eager.client.payments.get("pay_1", max_retries=-1)

    def test_retry_after_is_waited_for_as_seconds_or_a_date(self) -> None:
        seconds = Attempts(self.clock, refusal(429, "RATE_LIMITED", {"retry-after": "7"}), 200)
        self.assertIsNone(error_of(lambda: read(seconds.client)))
        self.assertEqual(seconds.at, [0, 7.375])
        date = formatdate(time.time() + 5, usegmt=True)
        dated = Attempts(self.clock, refusal(503, "SERVICE_UNAVAILABLE", {"retry-after": date}), 200)
        self.assertIsNone(error_of(lambda: read(dated.client)))
        self.assertTrue(4.375 <= dated.at[1] <= 5.375, dated.at)
        for nonsense in ("soon", "-1", "²", "Wed, 99 Nov 2026"):
            odd = Attempts(self.clock, refusal(429, "RATE_LIMITED", {"retry-after": nonsense}), 200)
            self.assertIsNone(error_of(lambda: read(odd.client)))

    def test_a_pause_that_does_not_fit_is_not_begun(self) -> None:
        attempts = Attempts(self.clock, refusal(429, "RATE_LIMITED", {"retry-after": "12"}), 200)
        error = error_of(lambda: attempts.client.payments.get("pay_1", timeout=10))
        assert error is not None
        self.assertEqual((error.code, error.retry_after_seconds, attempts.at), ("RATE_LIMITED", 12, [0]))
        endless = Attempts(self.clock, refusal(429, "RATE_LIMITED", {"retry-after": "61"}), 200)
        error = error_of(lambda: endless.client.payments.get("pay_1", timeout=0))
        assert error is not None
        self.assertEqual((error.retry_after_seconds, endless.at), (61, [0]))

    def test_a_hanging_attempt_gets_half_of_the_time_left_and_the_last_one_all_of_it(self) -> None:
        attempts = Attempts(self.clock, "silence")
        error = error_of(lambda: attempts.client.payments.get("pay_1", timeout=20))
        assert error is not None
        self.assertEqual((error.code, error.message, error.attempts), ("TIMEOUT", "No answer within 20 seconds.", 3))
        self.assertEqual(attempts.at, [0, 10.375, 15.938])
        once = Attempts(self.clock, "silence")
        error = error_of(lambda: once.client.payment_links.delete("plink_1", timeout=20))
        assert error is not None
        self.assertEqual((error.code, error.attempts), ("TIMEOUT", 1))
        short = Attempts(self.clock, "silence")
        error = error_of(lambda: short.client.payments.get("pay_1", timeout=0.9))
        assert error is not None
        self.assertEqual((error.code, error.attempts), ("TIMEOUT", 1))

    def test_all_attempts_share_one_key_and_one_body_and_each_signs_anew(self) -> None:
        attempts = Attempts(self.clock, "lost", "lost", 200, token=None, api_key="pk_1", api_secret="sk_1")
        create(attempts.client)
        create(attempts.client)
        attempts.client.payments.create({"amount": Decimal("5.10"), "currency": "USD"}, idempotency_key="order-1001")
        keys = [request.headers["idempotency-key"] for request in attempts.requests]
        self.assertEqual(len(set(keys[:3])), 1)
        self.assertNotEqual(keys[0], keys[3])
        self.assertEqual(keys[4], "order-1001")
        self.assertEqual(len({request.body for request in attempts.requests[:3]}), 1)
        self.assertTrue(all(request.headers["x-signature"] for request in attempts.requests))


class FlakyProxy(TestCase):
    def test_a_payment_is_made_once_through_a_proxy_that_breaks(self) -> None:
        made: List[str] = []

        def answer(sent: Sent) -> Optional[Reply]:
            if sent.headers["idempotency-key"] not in made:
                made.append(sent.headers["idempotency-key"])
            outcomes: List[Callable[[], Optional[Reply]]] = [
                lambda: None,
                lambda: Reply(b"<html>", 502),
                lambda: Reply({"id": f"pay_{len(made)}"}),
            ]
            return outcomes[(len(service.sent) - 1) % 3]()

        service = FakeService(self, answer)
        client = Kasi(base_url=service.url, token="T1")
        self.assertEqual(client.payments.create({"amount": 5, "currency": "USD"})["id"], "pay_1")
        self.assertEqual(len(made), 1)
        self.assertEqual(len({sent.body for sent in service.sent}), 1)
