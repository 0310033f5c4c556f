import base64
import json
import threading
from typing import Any, Dict, List
from unittest import TestCase, mock

from kasi import KasiError, WebhookVerificationError, verify_webhook
from kasi.testing import create_test_webhook_key, sign_test_webhook

from .support import FakeService, Reply, refusal

# The vector published by Svix, and one of Kasi: the seed 00..1f, and a body whose bytes differ from its characters.
SVIX: Dict[str, Any] = {
    "secret": "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==",
    "key": "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
    "now": 1614265330,
    "body": '{"test": 2432232314}',
    "headers": {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
    },
}
KASI: Dict[str, Any] = {
    "secret": f"whsk_{base64.b64encode(bytes(range(32))).decode()}",
    "key": "whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=",
    "now": 1767323045,
    "body": '{"name":"සිංහල ☕"}',
    "headers": {
        "webhook-id": "evt_01J0000000000000000000000",
        "webhook-timestamp": "1767323045",
        "webhook-signature": "v1a,rATIjvii7z/MW40ctNBFLl9hzQ/vhYerXAzCikEU1luhPJGdHG8udYmT6T+KnbI92BOiSZA3YJwMmzvAAj8lBw==",
    },
}


def verify(**changed: Any) -> Any:
    options = {"keys": KASI["key"], "now": KASI["now"], **changed}
    body, headers = options.pop("body", KASI["body"]), options.pop("headers", KASI["headers"])
    return verify_webhook(body, headers, **options)


class Webhooks(TestCase):
    def reason(self, **changed: Any) -> str:
        with self.assertRaises(WebhookVerificationError) as caught:
            verify(**changed)
        return caught.exception.reason

    def test_the_vectors_verify_and_are_signed_to_the_same_bytes(self) -> None:
        for vector in (SVIX, KASI):
            body, headers, now = vector["body"], vector["headers"], vector["now"]
            for given in (body, body.encode(), bytearray(body.encode())):
                self.assertEqual(verify_webhook(given, headers, keys=vector["key"], now=now), json.loads(body))
            signed = sign_test_webhook(body, secret=vector["secret"], event_id=headers["webhook-id"], now=now)
            self.assertEqual(signed, (body.encode(), headers, vector["key"]))

    def test_headers_are_accepted_as_frameworks_give_them(self) -> None:
        own = KASI["headers"]
        for headers in (
            {name.upper(): [value] for name, value in own.items()},
            [(name.encode(), value.encode()) for name, value in own.items()],  # ASGI
            {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in own.items()},  # WSGI
            {**own, "webhook-signature": f"v1,AAAA v1a,AAAA {SVIX['headers']['webhook-signature']} {own['webhook-signature']}"},
        ):
            self.assertEqual(verify(headers=headers)["name"], "සිංහල ☕")

    def test_keys_are_accepted_as_the_service_shows_them(self) -> None:
        jwk = {"kty": "OKP", "crv": "Ed25519", "x": "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg"}
        for keys in (KASI["key"], {"publicKey": KASI["key"]}, jwk, [SVIX["key"], jwk]):
            verify(keys=keys)
        nothing: Dict[str, str] = {}
        for wrong in ("whpk_", "whpk_AAAA", "???", nothing):
            with self.assertRaisesRegex(ValueError, "Not a webhook key"):
                verify(keys=wrong)

    def test_a_secret_in_place_of_a_key_is_a_wrong_setting_and_is_not_repeated(self) -> None:
        for secret in ("whsec_c2VjcmV0", SVIX["secret"], "sk_sandbox_1"):
            for keys in (secret, {"publicKey": secret}):
                with self.assertRaisesRegex(ValueError, r"pass whpk_\.\.\. as webhooks\.keys\.list\(\) shows it") as caught:
                    verify(keys=keys)
                self.assertNotIn(secret, str(caught.exception))

    def test_a_tolerance_that_is_no_number_is_a_wrong_setting(self) -> None:
        for wrong in (float("nan"), -1, None, "300"):
            with self.assertRaisesRegex(ValueError, "tolerance_seconds is a number of seconds"):
                verify(tolerance_seconds=wrong)
        self.assertEqual(self.reason(now=float("nan")), "timestamp_out_of_tolerance")

    def test_anything_else_matches_no_signature(self) -> None:
        signature = KASI["headers"]["webhook-signature"]
        for changed in (
            {"body": KASI["body"].replace("name", "nane")},
            {"body": KASI["body"] + "\n"},
            {"keys": SVIX["key"]},
            {"keys": "whpk_" + base64.b64encode(b"\xff" * 32).decode()},
            *(
                {"headers": {**KASI["headers"], name: value}}
                for name, value in (
                    ("webhook-id", "evt_01J0000000000000000000001"),
                    ("webhook-timestamp", "1767323046"),
                    ("webhook-signature", signature.replace("rATI", "rATJ")),
                    ("webhook-signature", signature.replace("v1a,", "v1,")),
                    ("webhook-signature", "v1a,"),
                )
            ),
        ):
            self.assertEqual(self.reason(**changed), "no_matching_signature")

    def test_a_key_under_which_a_signature_fits_any_text_is_refused(self) -> None:
        # Points of order 1, 2, 4 and 8, also in their second spelling, with R = 0 and S = 0.
        identity = bytes([1]) + bytes(31)
        eighth = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
        minus_one, zero = ((2**255 - 20).to_bytes(32, "little"), bytes(32))
        odd = (2**255 - 18).to_bytes(32, "little")
        signature = "v1a," + base64.b64encode(identity + bytes(32)).decode()
        for key in (identity, eighth, minus_one, zero, odd):
            for attempt in range(16):  # Other texts fit by chance under orders above 1.
                headers = {**KASI["headers"], "webhook-signature": signature, "webhook-id": f"evt_{attempt}"}
                keys = f"whpk_{base64.b64encode(key).decode()}"
                self.assertEqual(self.reason(headers=headers, keys=keys), "no_matching_signature")

    def test_time_counts_either_way(self) -> None:
        for seconds in (-300, 0, 300):
            verify(now=KASI["now"] + seconds)
        for seconds in (-301, 301):
            self.assertEqual(self.reason(now=KASI["now"] + seconds), "timestamp_out_of_tolerance")
        self.assertEqual(self.reason(now=KASI["now"] + 6, tolerance_seconds=5), "timestamp_out_of_tolerance")
        for wrong in ("soon", "1767323045.5", "-1", "9" * 13, "١٢"):
            self.assertEqual(self.reason(headers={**KASI["headers"], "webhook-timestamp": wrong}), "malformed")

    def test_missing_and_doubled_headers_and_parsed_bodies_are_named(self) -> None:
        for name in KASI["headers"]:
            rest = {key: value for key, value in KASI["headers"].items() if key != name}
            self.assertEqual(self.reason(headers=rest), "missing_header")
            self.assertEqual(self.reason(headers={**rest, name: ""}), "missing_header")
            self.assertEqual(self.reason(headers={**rest, name: ["a", "b"]}), "malformed")
        self.assertEqual(self.reason(body={"name": "tea"}), "malformed")
        signed = sign_test_webhook(b"<html>")
        self.assertEqual(self.reason(body=signed.body, headers=signed.headers, keys=signed.public_key, now=None), "malformed")
        with self.assertRaisesRegex(ValueError, "merchant_id is missing"):
            verify(keys=None)

    def test_an_event_is_signed_as_the_service_does(self) -> None:
        secret, public = create_test_webhook_key()
        signed = sign_test_webhook({"id": "evt_1", "type": "payment.completed", "data": {}}, secret=secret)
        self.assertEqual(signed.public_key, public)
        self.assertEqual(verify_webhook(signed.body, signed.headers, keys=public)["id"], "evt_1")
        with self.assertRaisesRegex(ValueError, "Not a webhook secret"):
            sign_test_webhook("{}", secret="whsk_AAAA")


class MerchantKeys(TestCase):
    def setUp(self) -> None:
        self.time = 1000.0
        patch = mock.patch("kasi._webhook_keys.time.monotonic", lambda: self.time)
        patch.start()
        self.addCleanup(patch.stop)
        self.keys: List[str] = []
        self.status = 200
        self.service = FakeService(self, lambda sent: self.answer())

    def answer(self) -> Reply:
        keys = [{"kty": "OKP", "crv": "Ed25519", "x": key[5:]} for key in self.keys]
        return Reply({"keys": [{"kty": "EC", "crv": "P-256", "x": "?"}, *keys]}, self.status)

    def verify(self, secret: str) -> Any:
        signed = sign_test_webhook({"id": "evt_1"}, secret=secret)
        return verify_webhook(signed.body, signed.headers, base_url=self.service.url, merchant_id="mer_1")

    def test_keys_are_fetched_kept_for_five_minutes_and_fetched_again_when_none_fits(self) -> None:
        first, second, foreign = (create_test_webhook_key() for _ in range(3))
        self.keys = [first.public_key]
        for _ in range(3):
            self.verify(first.secret)
        self.assertEqual([sent.target for sent in self.service.sent], ["/v1/public/merchants/mer_1/webhook-keys"])
        self.time += 299
        self.verify(first.secret)
        self.assertEqual(len(self.service.sent), 1)
        # A rotated key fits none, so the keys are fetched again, at most every ten seconds.
        self.keys = [second.public_key, first.public_key]
        self.verify(second.secret)
        self.assertEqual(len(self.service.sent), 2)
        for _ in range(5):
            with self.assertRaises(WebhookVerificationError):
                self.verify(foreign.secret)
        self.assertEqual(len(self.service.sent), 2)
        self.time += 301
        self.verify(first.secret)
        self.assertEqual(len(self.service.sent), 3)

    def test_a_wrong_merchant_is_a_wrong_setting_and_a_redirect_is_not_followed(self) -> None:
        signed = sign_test_webhook({"id": "evt_1"})
        replies = [refusal(404, "NOT_FOUND"), Reply("", 302, {"location": "/v1/public/merchants/mer_1/webhook-keys"})]
        service = FakeService(self, lambda sent: replies[len(service.sent) - 1])

        def verify_other() -> Any:
            return verify_webhook(signed.body, signed.headers, base_url=service.url, merchant_id="mer_2")

        with self.assertRaisesRegex(ValueError, f"There is no merchant 'mer_2' at {service.url}. Set merchant_id to"):
            verify_other()
        with self.assertRaises(KasiError) as caught:
            verify_other()
        self.assertEqual((caught.exception.status, len(service.sent)), (302, 2))

    def test_keys_that_cannot_be_fetched_are_no_forgery_and_evict_nothing(self) -> None:
        key, foreign = create_test_webhook_key(), create_test_webhook_key()
        self.keys = [key.public_key]
        self.verify(key.secret)
        self.time += 20
        self.status = 503
        with self.assertRaises(KasiError):
            self.verify(foreign.secret)
        self.verify(key.secret)
        nowhere = sign_test_webhook({"id": "evt_1"})
        with self.assertRaisesRegex(KasiError, "NETWORK_ERROR.*could not be fetched"):
            verify_webhook(nowhere.body, nowhere.headers, base_url="http://127.0.0.1:9", merchant_id="mer_1")

    def test_threads_share_one_fetch(self) -> None:
        key = create_test_webhook_key()
        self.keys = [key.public_key]
        seen: List[Any] = []
        threads = [threading.Thread(target=lambda: seen.append(self.verify(key.secret)["id"])) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((seen, len(self.service.sent)), (["evt_1"] * 8, 1))
