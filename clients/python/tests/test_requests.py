import gzip
import os
import pickle
import socket
import threading
import time
from datetime import date
from decimal import Decimal
from typing import Optional
from unittest import TestCase

from kasi import HttpRequest, HttpResponse, Kasi, KasiError, sign_request, to_json
from kasi.admin import KasiAdmin

from .support import FakeService, Reply, Sent, error_of, refusal


class Requests(TestCase):
    def test_methods_send_what_the_contract_says(self) -> None:
        service = FakeService(self, lambda sent: Reply({"id": "pay_1"}))
        client = Kasi(base_url=f"{service.url}/", token="T1")
        client.payments.create({"amount": Decimal("49.90"), "currency": "USD", "metadata": {"note": "සිංහල ☕"}})
        client.payments.list(
            {"status": "paid", "page": 2, "waiting": True, "metadata": {"order no": "A 1&2"}, "search": None}
        )
        client.payments.get("pay/1 ☕")
        client.payments.cancel("pay_1")
        client.payment_links.delete("plink_1")
        client.public.payments.get("pay_1")
        self.assertEqual(
            [(sent.method, sent.target) for sent in service.sent],
            [
                ("POST", "/v1/payments"),
                ("GET", "/v1/payments?status=paid&page=2&waiting=true&metadata[order%20no]=A%201%262"),
                ("GET", "/v1/payments/pay%2F1%20%E2%98%95"),
                ("POST", "/v1/payments/pay_1/cancel"),
                ("DELETE", "/v1/payment-links/plink_1"),
                ("GET", "/v1/public/payments/pay_1"),
            ],
        )
        create, listed, _, cancel, _, public = service.sent
        self.assertEqual(
            create.body, b'{"amount":49.9,"currency":"USD","metadata":{"note":"\\u0dc3\\u0dd2\\u0d82\\u0dc4\\u0dbd \\u2615"}}'
        )
        self.assertEqual(create.headers["content-type"], "application/json")
        self.assertEqual(create.headers["authorization"], "Bearer T1")
        self.assertRegex(create.headers["idempotency-key"], r"^[0-9a-f-]{36}$")
        self.assertNotEqual(create.headers["idempotency-key"], cancel.headers["idempotency-key"])
        self.assertNotIn("idempotency-key", listed.headers)
        self.assertEqual((cancel.body, cancel.headers["content-length"]), (b"", "0"))
        self.assertNotIn("authorization", public.headers)

    def test_a_signature_covers_what_arrives(self) -> None:
        service = FakeService(self, lambda sent: Reply({"id": "cs_1"}))
        client = Kasi(base_url=f"{service.url}/pay", api_key="pk_1", api_secret="sk_1")
        client.payments.list({"metadata": {"ශ්‍රී": "a+b"}, "fromDate": "2026-01-01T00:00:00+05:30"})
        body = {"amount": 5, "currency": "USD", "successUrl": "https://a.example", "cancelUrl": "https://b.example"}
        client.checkout.sessions.create(body, idempotency_key="order-1")  # type: ignore[arg-type]
        self.assertEqual(service.sent[1].target, "/pay/v1/sdk/checkout/sessions")
        for sent in service.sent:
            wanted = sign_request(
                api_key="pk_1",
                api_secret="sk_1",
                method=sent.method,
                url=sent.target,
                body=sent.body,
                idempotency_key=sent.headers.get("idempotency-key"),
                now=float(sent.headers["x-timestamp"]),
            )
            self.assertEqual({name: sent.headers[name] for name in wanted}, wanted)
            self.assertNotIn("authorization", sent.headers)
        self.assertAlmostEqual(int(service.sent[0].headers["x-timestamp"]), time.time(), delta=5)
        session = Kasi(base_url=service.url, token="T1")
        session.checkout.sessions.create(body)  # type: ignore[arg-type]
        self.assertEqual(service.sent[2].target, "/v1/checkout/sessions")

    def test_amounts_come_through_unchanged_and_have_one_type(self) -> None:
        text = (
            b'{"amount":131072.01,"amountDue":25,"amountReceived":99999999.99,"amountRefunded":0,'
            b'"confirmations":{"seen":2},"tokenAmount":"25.000000","metadata":{"amount":5,"weight":1.10},"unknown":[{"x":1}]}'
        )
        service = FakeService(self, lambda sent: Reply(text))
        payment = Kasi(base_url=service.url, token="T1").payments.get("pay_1")
        amounts = [payment["amount"], payment["amountDue"], payment["amountReceived"], payment["amountRefunded"]]
        self.assertEqual([type(amount) for amount in amounts], [Decimal] * 4)
        self.assertEqual([str(amount) for amount in amounts], ["131072.01", "25", "99999999.99", "0"])
        self.assertIs(type(payment["confirmations"]["seen"]), int)
        self.assertIs(type(payment["metadata"]["amount"]), int)
        self.assertEqual(to_json(payment).encode(), text)

    def test_one_amount_is_one_body_however_it_was_computed(self) -> None:
        service = FakeService(self, lambda sent: Reply({"id": "pay_1"}))
        client = Kasi(base_url=service.url, token="T1")
        # As a model has them before and after it was stored; another body under the same key is refused.
        for amount in (25, 25.0, Decimal(25), Decimal("25.00"), Decimal("2.5E+1")):
            client.payments.create({"amount": amount, "currency": "USD"}, idempotency_key="order-1001")
        for tip in (4.5, Decimal("4.50")):
            client.payments.create({"amount": tip, "currency": "USD"}, idempotency_key="order-1002")
        bodies = [sent.body for sent in service.sent]
        self.assertEqual(set(bodies[:5]), {b'{"amount":25,"currency":"USD"}'})
        self.assertEqual(set(bodies[5:]), {b'{"amount":4.5,"currency":"USD"}'})

    def test_what_json_does_not_have_is_refused_by_name(self) -> None:
        client = Kasi(base_url="http://127.0.0.1:9", token="T1")
        for wrong, error, said in (
            (float("nan"), ValueError, "amount is nan"),
            (Decimal("Infinity"), ValueError, "amount is Infinity"),
            ({1, 2}, TypeError, "amount is a set"),
        ):
            with self.assertRaisesRegex(error, said):
                client.payments.create({"amount": wrong, "currency": "USD"})  # type: ignore[typeddict-item]
        with self.assertRaisesRegex(TypeError, r"items\[0\].name is a date.*isoformat"):
            client.payments.create({"items": [{"name": date(2026, 1, 1)}]})  # type: ignore

    def test_files_come_as_text_or_bytes(self) -> None:
        answers = {"svg": b"<svg>\xe2\x98\x95</svg>", "png": b"\x89PNG\x00", "csv": b"id\n"}
        service = FakeService(self, lambda sent: Reply(answers[sent.target[-3:]]))
        client = Kasi(base_url=service.url, token="T1")
        self.assertEqual(client.public.payments.qr_svg("pay_1"), "<svg>☕</svg>")
        self.assertEqual(client.public.payments.qr_png("pay_1"), b"\x89PNG\x00")
        self.assertEqual(client.settlements.statements.csv("2026-01"), "id\n")

    def test_any_path_can_be_called_with_the_same_credentials(self) -> None:
        service = FakeService(self, lambda sent: Reply({"new": True}))
        client = Kasi(base_url=service.url, token="T1")
        self.assertEqual(client.request("get", "/v1/new", query={"a": 1}), {"new": True})
        client.request("POST", "/v1/new", body={"a": 1}, idempotency_key="order-1")
        self.assertEqual(service.sent[0].target, "/v1/new?a=1")
        self.assertEqual(service.sent[1].headers["idempotency-key"], "order-1")

    def test_administrators_have_their_own_operations(self) -> None:
        service = FakeService(self, lambda sent: Reply({"token": "A1", "refreshToken": "R1", "id": "wd_1"}))
        client = KasiAdmin(base_url=service.url, email="root@kasi.example", password="Str0ng-enough")
        client.withdrawals.approve("wd_1", {})
        self.assertEqual(
            [sent.target for sent in service.sent], ["/v1/admin/auth/login", "/v1/admin/withdrawals/wd_1/approve"]
        )


    def test_what_is_logged_holds_no_credentials(self) -> None:
        seen = []

        def send(request: HttpRequest) -> HttpResponse:
            seen.append(repr(request))
            return HttpResponse(200, {}, b"{}")

        client = Kasi(base_url="http://localhost", token="T1-secret", refresh_token="R1-secret", send=send)
        client.payments.get("pay_1")
        said = [*seen, repr(client), str(client.tokens()), f"{client.tokens()}"]
        self.assertIn("/v1/payments/pay_1", said[0])
        self.assertEqual([text for text in said if "secret" in text], [])


class Errors(TestCase):
    def test_an_error_says_what_when_and_where(self) -> None:
        fields = [{"path": "amount", "message": "must be greater than 0"}]
        service = FakeService(self, lambda sent: refusal(400, "VALIDATION_ERROR", fields=fields, reason="new_reason"))
        error = error_of(lambda: Kasi(base_url=service.url, token="T1").payments.create({"amount": 0, "currency": "USD"}))
        assert error is not None
        self.assertEqual(
            str(error),
            "VALIDATION_ERROR: This is VALIDATION_ERROR. "
            "(status 400, reason new_reason, POST /v1/payments, request req-1)\n  amount: must be greater than 0",
        )
        self.assertEqual((error.code, error.status, error.attempts, error.fields), ("VALIDATION_ERROR", 400, 1, fields))
        copied = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copied), copied.fields), (str(error), fields))

    def test_a_proxy_s_answer_is_no_answer_of_the_service(self) -> None:
        headers = {"x-request-id": "req-2"}
        for body, status in ((b"<html>Bad gateway</html>", 502), (b"[]", 404), (b'{"error":{"code":7}}', 400)):
            service = FakeService(self, lambda sent: Reply(body, status, headers))
            error = error_of(lambda: Kasi(base_url=service.url, token="T1", max_retries=0).payments.get("pay_1"))
            assert error is not None
            self.assertEqual((error.code, error.status, error.request_id), ("UNEXPECTED_RESPONSE", status, "req-2"))
        for body in (b"<html>", b'{"amount": NaN}', b"\xff", b"[" * 100_000):
            service = FakeService(self, lambda sent: Reply(body))
            error = error_of(lambda: Kasi(base_url=service.url, token="T1").payments.get("pay_1"))
            assert error is not None
            self.assertEqual((error.code, error.status), ("UNEXPECTED_RESPONSE", 200))

    def test_a_redirect_is_not_followed(self) -> None:
        service = FakeService(self, lambda sent: Reply(b"", 302, {"location": "/elsewhere"}))
        error = error_of(lambda: Kasi(base_url=service.url, token="T1").payments.get("pay_1"))
        assert error is not None
        self.assertEqual((error.code, error.status, len(service.sent)), ("UNEXPECTED_RESPONSE", 302, 1))
        self.assertIn("302 leads to /elsewhere, and no redirect is followed. Let base_url be", error.message)

    def test_no_connection_and_a_broken_answer_are_network_errors(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            nobody = f"http://127.0.0.1:{unused.getsockname()[1]}"
            error = error_of(lambda: Kasi(base_url=nobody, max_retries=0).public.payments.get("pay_1"))
        assert error is not None and isinstance(error.__cause__, OSError)
        self.assertEqual((error.code, error.status), ("NETWORK_ERROR", 0))
        self.assertIn(f"No answer from {nobody}", str(error))
        cut = FakeService(self, lambda sent: Reply(b"{}", 200, {"content-length": "1000", "connection": "close"}))
        error = error_of(lambda: Kasi(base_url=cut.url, max_retries=0).public.payments.get("pay_1"))
        assert error is not None
        self.assertEqual(error.code, "NETWORK_ERROR")
        self.assertIn("broke off", str(error))

    def test_a_certificate_that_nobody_vouches_for_is_refused(self) -> None:
        # Nothing but TLS is spoken to an https address, so a server of plain text fails the handshake.
        plain = FakeService(self, lambda sent: Reply())
        error = error_of(
            lambda: Kasi(base_url=plain.url.replace("http:", "https:"), max_retries=0).public.payments.get("pay_1")
        )
        assert error is not None
        self.assertEqual((error.code, plain.sent), ("NETWORK_ERROR", []))


class Http(TestCase):
    def test_connections_are_kept_and_threads_share_a_client(self) -> None:
        service = FakeService(self, lambda sent: Reply({"id": sent.target[-5:]}))
        client = Kasi(base_url=service.url, token="T1")
        for _ in range(5):
            client.payments.get("pay_1")
        self.assertEqual(service.connections, 1)
        seen = []

        def work(index: int) -> None:
            for _ in range(20):
                seen.append(client.payments.get(f"pay_{index}")["id"] == f"pay_{index}")

        threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(seen, [True] * 160)
        self.assertLessEqual(service.connections, 9)

    def test_a_connection_that_the_server_has_closed_is_not_used_again(self) -> None:
        service = FakeService(self, lambda sent: Reply({"id": "pay_1"}, 200, {"connection": "close"}))
        client = Kasi(base_url=service.url, token="T1", max_retries=0)
        for _ in range(3):
            client.payments.get("pay_1")
            client.payment_links.delete("plink_1")
        self.assertEqual(len(service.sent), 6)

    def test_a_kept_connection_that_breaks_is_replaced_at_once(self) -> None:
        count = [0]

        def answer(sent: Sent) -> Optional[Reply]:
            count[0] += 1
            return None if count[0] == 2 else Reply({"id": "pay_1"})

        service = FakeService(self, answer)
        client = Kasi(base_url=service.url, token="T1", max_retries=0)
        client.payments.get("pay_1")
        client.payments.get("pay_1")
        self.assertEqual(len(service.sent), 3)

    def test_what_must_not_arrive_twice_takes_a_new_connection(self) -> None:
        service = FakeService(self, lambda sent: Reply({"id": "plink_1"}))
        client = Kasi(base_url=service.url, token="T1")
        client.payments.get("pay_1")
        client.payment_links.delete("plink_1")
        self.assertEqual(service.connections, 2)
        client.close()

    def test_a_child_process_opens_connections_of_its_own(self) -> None:
        service = FakeService(self, lambda sent: Reply({"id": "pay_1"}))
        client = Kasi(base_url=service.url, token="T1")
        client.payments.get("pay_1")
        child = os.fork()
        if child == 0:
            os._exit(0 if client.payments.get("pay_1")["id"] == "pay_1" else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        client.payments.get("pay_1")
        self.assertEqual((service.connections, len(service.sent)), (2, 3))

    def test_an_answer_that_drips_is_over_in_time(self) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def drip(text: bytes) -> None:
            connection, _ = listener.accept()
            with connection:
                try:
                    for byte in text:
                        connection.sendall(bytes([byte]))
                        time.sleep(0.05)
                except OSError:
                    pass

        head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"
        for text in (b"HTTP/1.1 200 OK\r\nx-slow: " + b"a" * 200, head + b" " * 200):
            threading.Thread(target=drip, args=(text,), daemon=True).start()
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            client = Kasi(base_url=url, max_retries=0, timeout=0.4)
            began = time.monotonic()
            error = error_of(lambda: client.public.payments.get("pay_1"))
            assert error is not None
            self.assertEqual(str(error), "TIMEOUT: No answer within 0.4 seconds. (GET /v1/public/payments/{id})")
            self.assertLess(time.monotonic() - began, 2)

    def test_send_replaces_the_http_and_sees_every_request(self) -> None:
        seen = []

        def send(request: HttpRequest) -> HttpResponse:
            seen.append((request.method, request.url, request.timeout))
            return HttpResponse(200, {"Content-Type": "application/json"}, [b'{"id":', b'"pay_1"}'])

        client = Kasi(base_url="https://kasi.example", token="T1", send=send, timeout=0)
        self.assertEqual(client.payments.get("pay_1"), {"id": "pay_1"})
        self.assertEqual(seen, [("GET", "https://kasi.example/v1/payments/pay_1", None)])

    def test_unknown_fields_and_values_break_nothing(self) -> None:
        answer = {"id": "pay_1", "status": "teleported", "moon": {"amount": 1}, "options": None}
        service = FakeService(self, lambda sent: Reply(answer))
        payment = Kasi(base_url=service.url, token="T1").payments.get("pay_1")
        self.assertEqual(payment, answer)

    def test_answers_are_not_asked_for_compressed(self) -> None:
        service = FakeService(self, lambda sent: Reply(gzip.compress(b"{}") if "gzip" in sent.headers["accept-encoding"] else {}))
        self.assertEqual(Kasi(base_url=service.url, token="T1").payments.get("pay_1"), {})
        self.assertIsInstance(KasiError("TIMEOUT", "No."), Exception)
