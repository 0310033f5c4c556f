"""What has to be known of the contract to read numbers.

Written by `npm run generate` from openapi/; never edited.
"""

from __future__ import annotations

# Fields that are numbers: `Decimal` in Python, whole or not.
NUMBER_NAMES = frozenset(
    {
        "amount",
        "amountDue",
        "amountReceived",
        "amountRefunded",
        "availableBalance",
        "dailyRemaining",
        "fee",
        "fiatAmount",
        "heldBalance",
        "max",
        "maxAmount",
        "min",
        "minAmount",
        "netAmount",
        "owed",
        "paymentAmount",
        "pendingBalance",
        "refundOfferMinimum",
        "suspense",
        "totalEarned",
        "totalPaid",
        "unitAmount",
        "value",
        "worth",
    }
)

# Fields whose content is somebody else's, such as your metadata.
FREE_NAMES = frozenset(
    {
        "changes",
        "detail",
        "metadata",
        "typedData",
    }
)
