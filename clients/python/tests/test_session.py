import json
import threading
import time
from typing import Any, Dict, List, Optional
from unittest import TestCase

from kasi import Kasi, SessionTokens

from .support import FakeService, Reply, Sent, error_of, refusal

OWNER = {"email": "owner@teahouse.example", "password": "Str0ng-enough"}


class Service:
    """Logs in, refreshes each token once, and knows the newest token only."""

    def __init__(self, test: TestCase) -> None:
        self.count = 0
        self.valid = ""
        self.refreshable: List[str] = []
        self.password = OWNER["password"]
        self.slow = 0.0
        self.fake = FakeService(test, self.answer)

    def issue(self) -> Reply:
        self.count += 1
        self.valid = f"T{self.count}"
        self.refreshable.append(f"R{self.count}")
        return Reply({"token": self.valid, "refreshToken": f"R{self.count}", "deviceToken": "D1"})

    def answer(self, sent: Sent) -> Optional[Reply]:
        body: Dict[str, Any] = json.loads(sent.body or b"{}")
        time.sleep(self.slow if "/auth/" in sent.target else 0)
        if sent.target.endswith("/auth/login"):
            return self.issue() if body["password"] == self.password else refusal(401, "UNAUTHORIZED")
        if sent.target.endswith("/auth/refresh"):
            if body["refreshToken"] not in self.refreshable:
                return refusal(401, "UNAUTHORIZED", reason="refresh_token_invalid")
            self.refreshable.remove(body["refreshToken"])
            return self.issue()
        if sent.headers.get("authorization") != f"Bearer {self.valid}":
            return refusal(401, "UNAUTHORIZED", reason="token_expired")
        return Reply({"id": "pay_1"})

    def targets(self) -> List[str]:
        return [sent.target.rpartition("/")[2] for sent in self.fake.sent]


class Sessions(TestCase):
    def setUp(self) -> None:
        self.service = Service(self)
        self.told: List[Optional[SessionTokens]] = []

    def client(self, **options: Any) -> Kasi:
        return Kasi(**{"base_url": self.service.fake.url, "on_tokens": self.told.append, **options})

    def test_the_client_logs_in_on_the_first_call_that_needs_it(self) -> None:
        client = self.client(**OWNER)
        self.assertEqual(self.service.fake.sent, [])
        client.payments.get("pay_1")
        client.payments.get("pay_1")
        self.assertEqual(self.service.targets(), ["login", "pay_1", "pay_1"])
        self.assertEqual(self.told, [SessionTokens("T1", "R1")])
        self.assertEqual(client.tokens(), SessionTokens("T1", "R1"))

    def test_an_expired_token_is_renewed_once_however_many_threads_wait(self) -> None:
        client = self.client(**OWNER)
        client.payments.get("pay_1")
        self.service.valid = "expired"
        self.service.slow = 0.1
        errors: List[Any] = []
        threads = [
            threading.Thread(target=lambda: errors.append(error_of(lambda: client.payments.get("pay_1"))))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [None] * 8)
        self.assertEqual(self.service.targets().count("refresh"), 1)
        self.assertEqual(self.told, [SessionTokens("T1", "R1"), SessionTokens("T2", "R2")])

    def test_a_refused_refresh_token_is_not_sent_again_and_a_known_password_begins_anew(self) -> None:
        client = self.client(token="T0", refresh_token="R0")
        error = error_of(lambda: client.payments.get("pay_1"))
        assert error is not None
        self.assertEqual((error.code, error.reason, self.told), ("UNAUTHORIZED", "token_expired", [None]))
        error_of(lambda: client.payments.get("pay_1"))
        self.assertEqual(self.service.targets().count("refresh"), 1)
        both = self.client(token="T0", refresh_token="R0", **OWNER)
        both.payments.get("pay_1")
        self.assertEqual(both.tokens(), SessionTokens("T1", "R1"))

    def test_a_wrong_password_is_tried_once(self) -> None:
        client = self.client(email=OWNER["email"], password="wrong")
        for _ in range(3):
            error = error_of(lambda: client.payments.get("pay_1"))
            assert error is not None
            self.assertEqual((error.code, error.operation), ("UNAUTHORIZED", "POST /v1/auth/login"))
        self.assertEqual(self.service.targets(), ["login"])

    def test_an_explicit_login_a_logout_and_a_new_password_change_the_session(self) -> None:
        client = self.client()
        client.auth.login({"email": OWNER["email"], "password": OWNER["password"]})
        self.assertEqual(client.tokens(), SessionTokens("T1", "R1"))
        client.auth.refresh({"refreshToken": "R1"})
        self.assertEqual(client.tokens(), SessionTokens("T2", "R2"))
        client.auth.logout()
        self.assertIsNone(client.tokens())
        again = self.client(**OWNER)
        again.payments.get("pay_1")
        self.service.password = "N3w-and-longer"
        again.auth.change_password({"currentPassword": OWNER["password"], "newPassword": self.service.password})
        self.service.valid = "expired"
        self.service.refreshable.clear()
        again.payments.get("pay_1")
        self.assertIn(b'"deviceToken":"D1"', self.service.fake.sent[-2].body)

    def test_on_tokens_may_call_the_service(self) -> None:
        def note(tokens: Optional[SessionTokens]) -> None:
            client.payments.get("pay_1")

        client = self.client(on_tokens=note, **OWNER)
        client.payments.get("pay_1")
        self.assertEqual(self.service.targets(), ["login", "pay_1", "pay_1"])

    def test_a_renewal_that_fails_now_makes_its_own_attempts_and_the_call_adds_none(self) -> None:
        service = FakeService(
            self,
            lambda sent: refusal(429, "RATE_LIMITED")
            if sent.target.endswith("/refresh")
            else refusal(401, "UNAUTHORIZED", reason="token_expired"),
        )
        client = Kasi(base_url=service.url, token="T1", refresh_token="R1", max_retries=1)
        error = error_of(lambda: client.payments.get("pay_1"))
        assert error is not None
        self.assertEqual((error.code, error.attempts), ("RATE_LIMITED", 2))
        self.assertEqual(len(service.sent), 3)
        self.assertEqual(client.tokens(), SessionTokens("T1", "R1"))

    def test_a_call_does_not_wait_for_a_renewal_longer_than_it_may_take(self) -> None:
        client = self.client(**OWNER)
        client.payments.get("pay_1")
        self.service.valid = "expired"
        self.service.slow = 1.0
        first = threading.Thread(target=lambda: client.payments.get("pay_1"))
        first.start()
        time.sleep(0.2)
        began = time.monotonic()
        error = error_of(lambda: client.payments.get("pay_1", timeout=0.2, max_retries=0))
        assert error is not None
        self.assertEqual(error.code, "TIMEOUT")
        self.assertLess(time.monotonic() - began, 0.7)
        first.join()
        client.payments.get("pay_1")
        self.assertEqual(self.service.targets().count("refresh"), 1)
