from typing import Callable, Tuple
from unittest import TestCase

from kasi import Kasi
from kasi._transport import CallOptions, Exchange, Operation
from kasi.admin import KasiAdmin

BASE_URL = "https://kasi.example"


class Options(TestCase):
    def refused(self, **options: object) -> str:
        with self.assertRaises(ValueError) as caught:
            Kasi(**{"base_url": BASE_URL, **options})  # type: ignore[arg-type]
        return str(caught.exception)

    def test_a_base_url_is_a_web_address_without_the_version(self) -> None:
        for wrong in (None, "", "pay.example.com", "localhost:3000", "ftp://kasi.example", "https://", "/v1", "http://kasi.example:99999", 7):
            self.assertIn("base_url", self.refused(base_url=wrong))
        self.assertIn("Did you mean https://pay.example.com?", self.refused(base_url="pay.example.com"))
        self.assertIn("before /v1", self.refused(base_url=f"{BASE_URL}/v1/"))
        for wrong in ("shop:hidden@pay.example.com", "ftp://shop:hidden@pay.example.com"):
            self.assertNotIn("hidden", self.refused(base_url=wrong))
        self.assertIn("query", self.refused(base_url=f"{BASE_URL}?a=1"))
        with self.assertRaises(TypeError):
            Kasi()  # type: ignore[call-arg]
        Kasi(base_url=f"{BASE_URL}/pay/")

    def test_a_missing_part_of_the_credentials_is_said_at_once(self) -> None:
        self.assertIn("api_secret (sk_...), which is missing", self.refused(api_key="pk_1", api_secret=None))
        self.assertIn("api_secret (sk_...), which is missing", self.refused(api_key="pk_1"))
        self.assertIn("api_key (pk_...), which is missing", self.refused(api_key="", api_secret="sk_1"))
        for both in ({"api_key": None, "api_secret": None}, {"api_key": ""}, {"api_secret": ""}):
            self.assertIn("both missing or empty. Set what they are read from, such as KASI_API_KEY", self.refused(**both))
        self.assertIn("interchanged", self.refused(api_key="sk_1", api_secret="pk_1"))
        self.assertIn("line feed", self.refused(api_key="pk_1", api_secret="sk_1\n"))
        self.assertIn("either", self.refused(api_key="pk_1", api_secret="sk_1", token="T1"))
        self.assertIn("email needs password", self.refused(email="owner@teahouse.example", password=None))
        self.assertIn("refresh_token needs token", self.refused(refresh_token="R1"))

    def test_numbers_are_checked(self) -> None:
        for wrong in (-1, 1.5, "2", True):
            self.assertIn("max_retries", self.refused(max_retries=wrong))
        for late in (-1, "30", None, float("nan")):
            self.assertIn("timeout", self.refused(timeout=late))

    def test_administrators_have_sessions_only(self) -> None:
        with self.assertRaises(TypeError):
            KasiAdmin(base_url=BASE_URL, api_key="pk_1", api_secret="sk_1")  # type: ignore[call-arg]
        self.assertIsNone(KasiAdmin(base_url=BASE_URL).tokens())

    def test_arguments_that_would_reach_another_operation_are_refused_before_anything_is_sent(self) -> None:
        client = Kasi(base_url="http://127.0.0.1:9", token="T1")
        for wrong in ("", ".", "..", None):
            with self.assertRaisesRegex(ValueError, "needs id"):
                client.payments.get(wrong)  # type: ignore[arg-type]
        with self.assertRaisesRegex(ValueError, "takes no idempotency_key"):
            client._transport.call(
                Exchange(Operation("GET", "/v1/payments")), CallOptions(idempotency_key="order-1001")
            )
        for wrong in ("", "a b", "ключ", "x" * 256, "a\nb"):
            with self.assertRaisesRegex(ValueError, "visible ASCII"):
                client.payments.create({"amount": 5, "currency": "USD"}, idempotency_key=wrong)
        calls: Tuple[Tuple[Callable[..., object], str], ...] = (
            (client.payments.create, r'create\(\) takes no argument amount, currency\. Pass fields as one dict.*'
             r'create\(\{"amount": \.\.\., "currency": \.\.\.\}\)'),
            (client.payments.iterate, r"iterate\(\) takes no argument .* as one dict"),
            (client.payments.get, r"get\(\) takes no argument .* It takes id, timeout, max_retries\."),
        )
        for call, cure in calls:
            with self.assertRaisesRegex(TypeError, cure):
                call(amount=5, currency="USD")
        for wrong in ("v1/payments", "/v1/payments?page=2", "/v1/payments/{id}"):
            with self.assertRaisesRegex(ValueError, "path"):
                client.request("GET", wrong)
