"""The shop of the Django recipe, in PostgreSQL, while two of its workers handle events at once."""

import logging
import os
import threading
from decimal import Decimal

import django
from django.conf import settings
from django.db import connection, transaction

settings.configure(
    INSTALLED_APPS=["shop"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "HOST": os.environ["DB_HOST"],
            "PORT": os.environ["DB_PORT"],
            "NAME": os.environ["DB_NAME"],
            "USER": os.environ["DB_USER"],
            "PASSWORD": os.environ["DB_PASSWORD"],
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    KASI_URL="http://localhost:1",
    KASI_API_KEY="pk_test",
    KASI_API_SECRET="sk_test",
)
django.setup()

from django.core.management import call_command  # noqa: E402

call_command("migrate", run_syncdb=True, verbosity=0)

from shop.models import Order  # noqa: E402
from shop.payments import handle  # noqa: E402

warned = []
log = logging.getLogger("shop.payments")
log.addFilter(lambda record: warned.append(record.getMessage()))


def payment(order, id="pay_1", event="completed", sequence=4):
    metadata = {"orderId": order.id}
    amount = Decimal("25.00")
    data = {"id": id, "amount": amount, "currency": "USD", "amountReceived": amount, "metadata": metadata}
    told = {"type": f"payment.{event}", "sequence": sequence, "data": data}
    return {"id": f"evt_{id}_{sequence}_{order.id}"[:40], **told}


TYPES = {"completed": "refund.completed", "processing": "refund.reverted", "failed": "refund.failed"}


def refund(id, amount, payment_id="pay_1", status="completed", sequence=4):
    data = {"id": id, "paymentId": payment_id, "amount": Decimal(amount), "status": status}
    return {"id": f"evt_{id}_{sequence}", "type": TYPES[status], "sequence": sequence, "data": data}


def at_once(first, second):
    """Handles `second` while what `first` did is not committed: until it is done, or waits for `first`."""
    ends = threading.Event()
    pids = []

    def other():
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("select pg_backend_pid()")
                    pids.append(cursor.fetchone()[0])
                handle(second)
        finally:
            connection.close()
            ends.set()

    worker = threading.Thread(target=other)
    with transaction.atomic():
        handle(first)
        worker.start()
        while not ends.wait(0.01):
            if pids and is_blocked(pids[0]):
                break
    worker.join()


def is_blocked(pid):
    with connection.cursor() as cursor:
        cursor.execute("select cardinality(pg_blocking_pids(%s)) > 0", (pid,))
        return cursor.fetchone()[0]


def new_order():
    return Order.objects.create(amount=Decimal(25))


def status_of(order):
    return Order.objects.get(id=order.id).status


order = new_order()
at_once(payment(order, "pay_1"), refund("ref_1", "25", "pay_1"))
print("a refund beside its payment:", status_of(order))

order = new_order()
at_once(refund("ref_2", "25", "pay_2"), payment(order, "pay_2"))
print("a payment beside its refund:", status_of(order))

order = new_order()
handle(payment(order, "pay_3"))
at_once(refund("ref_3", "10", "pay_3"), refund("ref_4", "15", "pay_3"))
print("two refunds:", status_of(order))

order = new_order()
at_once(payment(order, "pay_4"), payment(order, "pay_5"))
print("two payments:", status_of(order), Order.objects.get(id=order.id).payment, warned)

order = new_order()
handle(payment(order, "pay_8"))
at_once(refund("ref_8", "25", "pay_8", "processing", 5), refund("ref_8", "25", "pay_8"))
print("a refund that was taken back:", status_of(order))
at_once(refund("ref_8", "25", "pay_8", "completed", 6), refund("ref_9", "1", "pay_8", "failed", 4))
print("and that is there again:", status_of(order))
at_once(refund("ref_8", "25", "pay_8", "failed", 8), refund("ref_8", "25", "pay_8", "processing", 7))
print("and that fails:", status_of(order), warned[1:])

order = new_order()
at_once(payment(order, "pay_6"), payment(order, "pay_6"))
print("one event twice:", status_of(order))

order = new_order()
at_once(payment(order, "pay_7", "reversed", 5), payment(order, "pay_7"))
print("a payment that was taken back:", status_of(order))
at_once(payment(order, "pay_7", "restored", 8), payment(order, "pay_7", "reversed", 7))
print("and that is there again:", status_of(order))
