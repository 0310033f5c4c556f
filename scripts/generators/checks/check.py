"""Takes a payment for each amount of KASI_AMOUNTS, such as "25 USD,131072.01 USD", or reads KASI_PAYMENT."""

import importlib
import os
import pkgutil
import time

import kasi
from kasi import AuthenticatedClient
from kasi.api.checkout import create_sdk_checkout_session, get_checkout_session
from kasi.api.payments import get_payment
from kasi.api.sandbox import pay_sandbox_payment
from kasi.models import CreateCheckoutSessionRequest, ErrorResponse, PaySandboxPaymentRequest
from shop import KASI_URL, client


def good(answer):
    if answer is None or isinstance(answer, ErrorResponse):
        raise SystemExit(f"refused: {answer}")
    return answer


def read(payment_id):
    return good(get_payment.sync(payment_id, client=client))


def take(amount, currency):
    created = good(
        create_sdk_checkout_session.sync(
            client=client,
            body=CreateCheckoutSessionRequest(
                amount=float(amount),
                currency=currency,
                success_url="https://shop.example/thanks",
                cancel_url="https://shop.example/cart",
            ),
        )
    )
    session = good(get_checkout_session.sync(created.session_id, client=client))
    bearer = AuthenticatedClient(base_url=KASI_URL, token=os.environ["KASI_TOKEN"])
    good(pay_sandbox_payment.sync(session.payment_id, client=bearer, body=PaySandboxPaymentRequest()))
    for _ in range(100):
        payment = read(session.payment_id)
        if payment.status == "paid":
            return payment
        time.sleep(0.1)
    raise SystemExit("it was not paid in time")


def tell(payment):
    print("payment", repr(payment.amount).removesuffix(".0"), payment.currency, payment.status)


# Python compiles what is imported, and nothing else.
for module in pkgutil.walk_packages(kasi.__path__, "kasi."):
    importlib.import_module(module.name)

if "KASI_PAYMENT" in os.environ:
    tell(read(os.environ["KASI_PAYMENT"]))
else:
    for each in os.environ["KASI_AMOUNTS"].split(","):
        tell(take(*each.split(" ")))
