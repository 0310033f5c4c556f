"""The types of the contract, by their names there: `Payment`, `CreatePaymentRequest`, `WebhookEvent`."""

from ._generated.models import *  # noqa: F403
