"""The types of the contract.

Written by `npm run generate` from openapi/; never edited.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

Amount = Union[int, float, Decimal]
"""A number that you send. One that comes back is a `Decimal`."""


class AccountAmounts(TypedDict):
    """An amount for each account of your ledger, and their sum. US dollars, decimal strings with 6
    decimals.
    """

    available: str
    """What you can withdraw."""
    pending: str
    """Payments that are confirming."""
    hold: str
    """What open withdrawals and refunds hold."""
    suspense: str
    """What waits for its payment to be complete, or for your decision."""
    debt: str
    """What you owe, zero or negative in a balance."""
    total: str
    """All of them together."""


class AcknowledgeIncidentRequest(TypedDict, total=False):
    """What others should know of it."""

    note: str
    """What you have found so far, or what you are about to do."""


class AdminAuditLogEntry(TypedDict):
    """An entry of the platform's audit log, as administrators see it."""

    id: str
    """The id of the entry."""
    actorType: AuditActorType
    actorId: str
    """The id of whoever did it; for `system` a word such as `payer`, or empty."""
    action: str
    """What was done, as `<resource>.<verb>`. New actions may appear at any time."""
    resourceType: str
    """The kind of what it was done to, the first part of `action`."""
    resourceId: str
    """The id of what it was done to, empty where it has none."""
    merchantId: Optional[str]
    """The merchant to whom the resource belongs, null where it is the platform's."""
    ipAddress: str
    """The address that the request came from; empty for jobs."""
    userAgent: str
    """What the caller called itself; empty where `ipAddress` is."""
    timestamp: str
    """When it was done."""
    metadata: Dict[str, Any]
    """What else there is to know of this action, for example the old and the new status. Never a
    secret.
    """
    requestId: str
    """The `X-Request-Id` of the request, empty for jobs."""
    sequence: Optional[int]
    """Its place in the platform's chain of entries, about a second after it was written, and null
    before.
    """
    hash: Optional[str]
    """The SHA-256 over its place, the hash of the entry before and all of this entry, 64 hexadecimal
    digits; null as long as `sequence` is.
    """


class AdminAuditLogEntryList(TypedDict):
    """A page of the platform's audit log."""

    data: List[AdminAuditLogEntry]
    """The entries, newest first."""
    pagination: Pagination


class AdminAuthResult(TypedDict):
    """An administrator and the tokens of a new login session."""

    admin: OwnAdmin
    token: str
    """The access token. Send it as `Authorization: Bearer <token>`."""
    refreshToken: str
    """Trade it for a new pair of tokens when the access token expires. It works once."""
    expiresIn: int
    """Seconds until the access token expires."""
    deviceToken: str
    """Keep it, and send it with later logins: it says that this device has logged in before, so that
    failed logins of strangers do not make it wait. It proves nothing else. A new password makes it
    worthless.
    """


class AdminMerchant(TypedDict):
    """A merchant as administrators see it."""

    id: str
    """The id of the merchant."""
    businessName: str
    """The legal name of the business. Payers see it."""
    email: str
    """The e-mail address to log in with, in lower case."""
    phone: str
    """The phone number in E.164 form."""
    businessType: BusinessType
    status: MerchantStatus
    statusReason: Optional[str]
    """Why it is rejected, frozen or terminated, as an administrator wrote it; null otherwise."""
    rejectedAt: Optional[str]
    """When it was last rejected, also if it has asked for another review since; null if it never was.
    Until it is approved it collects nothing then, also where pending merchants may.
    """
    walletAddress: Optional[str]
    """Where its own money goes by default when it withdraws in crypto; null while it has set none."""
    webhookUrl: Optional[str]
    """Where webhook events are sent; null while it has set none."""
    twoFactorEnabled: bool
    """Whether logging in needs a one-time code."""
    paymentToleranceBps: Optional[int]
    """How much less than the asked amount still counts as paid, in basis points (50 is 0.5 %); null
    means the platform's default.
    """
    refundOffers: List[RefundOfferException]
    """For which exceptions the page of a payment that is over offers its payer the money back that
    waits for a decision. Whoever has the address of that page may then take it. Empty: only the
    merchant gives money back.
    """
    refundOfferMinimum: Decimal
    """The least worth in US dollars that is offered so; less waits for a decision."""
    supportEmail: Optional[str]
    """Where payers write to when they need help. Payers see it; null when there is none."""
    supportUrl: Optional[str]
    """A page that helps payers. Payers see it; null when there is none."""
    website: Optional[str]
    """The merchant's website. Payers see it; null when there is none."""
    brandColor: Optional[str]
    """Your colour on the pages of payers; null for the platform's."""
    logoUrl: Optional[str]
    """Your logo on the pages of payers, a PNG whose address changes with it; null when there is none."""
    sendReceipts: bool
    """Whether payers who left an e-mail address get receipts by mail, where the platform sends any."""
    embedOrigins: List[str]
    """The websites whose pages may show the checkout in a frame, each as its origin. Empty: none may."""
    balance: SettlementBalance
    paymentCount: int
    """How many payments it has asked for, whatever became of them."""
    paidCount: int
    """How many of them were paid."""
    lastPaidAt: Optional[str]
    """When the last of them was paid; null while none was."""
    apiKeyCount: int
    """How many of its API keys work."""
    createdAt: str
    """When the merchant registered."""
    updatedAt: str
    """When its profile or its state last changed."""


class AdminMerchantList(TypedDict):
    """A page of merchants."""

    data: List[AdminMerchantSummary]
    """The merchants, newest first."""
    pagination: Pagination


class AdminMerchantSummary(TypedDict):
    """A merchant as administrators see it in lists."""

    id: str
    """The id of the merchant."""
    businessName: str
    """The legal name of the business. Payers see it."""
    email: str
    """The e-mail address to log in with, in lower case."""
    phone: str
    """The phone number in E.164 form."""
    businessType: BusinessType
    status: MerchantStatus
    statusReason: Optional[str]
    """Why it is rejected, frozen or terminated, as an administrator wrote it; null otherwise."""
    createdAt: str
    """When the merchant registered."""
    updatedAt: str
    """When its profile or its state last changed."""


class AdminRefund(TypedDict):
    """A refund with what administrators need to pay it."""

    id: str
    """The id of the refund."""
    paymentId: str
    """The payment that it gives back."""
    status: RefundStatus
    statusMessage: Optional[str]
    """Why it failed, in plain words; null otherwise."""
    amount: Decimal
    """What is given back of the payment, in its currency and at its locked rate, rounded down together
    with what goes back beside it.
    """
    currency: Currency
    token: Token
    """The token that is sent, which is the one that was paid."""
    network: str
    """The network that it is sent on, which is the one that it was paid on."""
    tokenAmount: str
    """What is sent, a decimal string in `token`; fixed when the refund is made. Of ETH and BTC more
    than an hour after they came it is no more than `amount` was worth then.
    """
    reason: str
    """Why it is given back, in your words. The payer reads it."""
    offered: bool
    """Whether the payer took it from the payment's page, where your rules offered it."""
    destinationAddress: Optional[str]
    """Where it goes; null until that is known."""
    txHash: Optional[str]
    """The transaction that paid it; null until it is `completed`."""
    createdAt: str
    """When you made it."""
    finishedAt: Optional[str]
    """When it became `completed`, `cancelled` or `failed`; null before."""
    merchantId: str
    """Whose payment it gives back."""
    merchantName: str
    """The name of that merchant."""
    claimedBy: Optional[Literal["merchant", "payer"]]
    """Who named the address; null while nobody has."""
    destinationProven: bool
    """Whether the wallet that paid has signed for the address."""
    worth: Decimal
    """What the ledger holds for it, in US dollars, rounded down."""
    processedBy: Optional[str]
    """The administrator who began to pay it."""
    failRequestedBy: Optional[str]
    """The administrator who asks to fail it while it is `processing`; null where none does."""
    failRequestedAt: Optional[str]
    """When that was asked; null where it was not."""
    txVerified: Optional[bool]
    """Whether the chain showed the payout when it was completed, or another one of its transaction
    later; null before.
    """
    notes: Optional[str]
    """The latest note of an administrator."""


class AdminTokens(TypedDict):
    """A fresh pair of tokens."""

    token: str
    """The new access token."""
    refreshToken: str
    """The new refresh token. The one that you sent no longer works."""
    expiresIn: int
    """Seconds until the access token expires."""


class AdminUser(TypedDict):
    """An administrator."""

    id: str
    """The id of the administrator."""
    email: str
    """The e-mail address that they log in with, in lower case."""
    name: str
    """The name that colleagues know."""
    role: RoleReference
    status: AdminUserStatus
    createdAt: str
    """When they were added."""
    updatedAt: str
    """When they were last changed."""


class AdminUserCreated(TypedDict):
    """An administrator who was just added."""

    id: str
    """The id of the administrator."""
    email: str
    """The e-mail address that they log in with, in lower case."""
    name: str
    """The name that colleagues know."""
    role: RoleReference
    status: AdminUserStatus
    createdAt: str
    """When they were added."""


class AdminUserList(TypedDict):
    """A page of administrators."""

    data: List[AdminUserSummary]
    """The administrators, newest first."""
    pagination: Pagination


class AdminUserStatusChange(TypedDict):
    """An administrator's state after it was set."""

    id: str
    """The id of the administrator."""
    status: AdminUserStatus
    message: str
    """What that means, in words for people."""


class AdminUserSummary(TypedDict):
    """An administrator as lists show them."""

    id: str
    """The id of the administrator."""
    email: str
    """The e-mail address that they log in with, in lower case."""
    name: str
    """The name that colleagues know."""
    role: RoleReference
    status: AdminUserStatus
    lastLoginAt: Optional[str]
    """When they last logged in; null when they never have."""
    createdAt: str
    """When they were added."""


class AdminWithdrawal(TypedDict):
    """A withdrawal with everything that administrators know of it."""

    id: str
    """The id of the withdrawal."""
    merchantId: str
    """Whose money it is."""
    merchantName: str
    """The business name of the merchant."""
    method: WithdrawalMethod
    amount: str
    """What left the merchant's balance, in US dollars, a decimal string with 2 decimals."""
    fee: str
    """What the platform keeps of it."""
    netAmount: str
    """What has to arrive at the destination."""
    currency: WithdrawalToken
    destinationAddress: Optional[str]
    """Where the crypto goes. For `bank` it is the platform's `offRampAddress` as it was at the
    approval; null before, and when none is set.
    """
    network: str
    """The network that it is paid on."""
    status: AdminWithdrawalStatus
    txHash: Optional[str]
    """The transaction that paid it, or the bank's `reference`; null until it is `completed`."""
    reference: Optional[str]
    """The bank's reference of the payment, in capitals; null until it is paid, and where a transaction
    on chain paid it.
    """
    reviewedBy: Optional[str]
    """The administrator who approved or rejected it; null before, and when its merchant cancelled it."""
    notes: Optional[str]
    """The latest note of an administrator, for administrators only."""
    requestedAt: str
    """When the merchant asked for it."""
    updatedAt: str
    """When it last changed."""
    merchantStatus: MerchantStatus
    """The state of the merchant now. Only an `active` one is paid."""
    bankAccountNumber: Optional[str]
    """The number of the bank account, whole for those who may manage withdrawals and masked but for
    its last four characters for others; null for `crypto`.
    """
    bankName: Optional[str]
    """The name of the bank; null for `crypto`."""
    bankBranch: Optional[str]
    """The branch of the bank; null for `crypto`."""
    cancelled: bool
    """Whether it was `rejected` by its merchant."""
    reason: Optional[str]
    """Why it was rejected or failed, as the merchant reads it."""
    txVerified: Optional[bool]
    """Whether the chain was asked and agreed before it was called `completed`, or when another payout
    of its transaction was later; null until then.
    """
    txBlock: Optional[int]
    """The height of the block that the payout was found in; null until then, and where the chain was
    not asked.
    """
    txFinalAt: Optional[str]
    """When the payout was seen in a block that is final; null until then. Until then a reorg may take
    it back.
    """
    reverts: int
    """How many payouts of it were taken back by the chain after it was `completed`."""
    reviewedAt: Optional[str]
    """When it was approved or rejected; null before, and when its merchant cancelled it."""
    processingAt: Optional[str]
    """When somebody began to pay it; null if nobody said so."""
    processedBy: Optional[str]
    """The administrator who began to pay it; null before, and where it was paid without that."""
    failRequestedBy: Optional[str]
    """The administrator who asks to fail it while it is `processing`; null where none does."""
    failRequestedAt: Optional[str]
    """When that was asked; null where it was not."""
    completedAt: Optional[str]
    """When it became `completed`; null otherwise."""
    closedBy: Optional[str]
    """The administrator who completed, rejected or failed it; null before, and when its merchant
    cancelled it.
    """
    closedAt: Optional[str]
    """When it ended, in whatever way; null before."""


class AdminWithdrawalList(TypedDict):
    """A page of withdrawals."""

    data: List[AdminWithdrawalSummary]
    """The withdrawals, newest first."""
    pagination: Pagination


class AdminWithdrawalSummary(TypedDict):
    """A withdrawal as lists for administrators show it."""

    id: str
    """The id of the withdrawal."""
    merchantId: str
    """Whose money it is."""
    merchantName: str
    """The business name of the merchant."""
    method: WithdrawalMethod
    amount: str
    """What left the merchant's balance, in US dollars, a decimal string with 2 decimals."""
    currency: WithdrawalToken
    destinationAddress: Optional[str]
    """Where the crypto goes. For `bank` it is the platform's `offRampAddress` as it was at the
    approval; null before, and when none is set.
    """
    network: str
    """The network that it is paid on."""
    status: AdminWithdrawalStatus
    txHash: Optional[str]
    """The transaction that paid it, or the bank's `reference`; null until it is `completed`."""
    reference: Optional[str]
    """The bank's reference of the payment, in capitals; null until it is paid, and where a transaction
    on chain paid it.
    """
    reviewedBy: Optional[str]
    """The administrator who approved or rejected it; null before, and when its merchant cancelled it."""
    notes: Optional[str]
    """The latest note of an administrator, for administrators only."""
    requestedAt: str
    """When the merchant asked for it."""
    updatedAt: str
    """When it last changed."""


class AdvanceSandboxClockRequest(TypedDict, total=False):
    """How far to move the clock, either by `seconds` or `to` a time. It only goes forward."""

    seconds: int
    """How many seconds to go forward, at most ten years."""
    to: str
    """The time to go to, not before the present one."""


class AlertChannel(TypedDict):
    """Where the platform sends its alerts, and how that is going."""

    destination: Optional[str]
    """Scheme and host of `ALERT_WEBHOOK_URL`, as the process that answers is configured; null when
    alerts are sent nowhere. The path stays secret.
    """
    publicKey: str
    """The key that verifies alerts, like a merchant's webhooks: an Ed25519 public key with the prefix
    `whpk_`. It follows from the master key and changes with it.
    """
    waiting: int
    """How many alerts are on their way, the failing ones included."""
    lastDeliveredAt: Optional[str]
    """When an alert last arrived; null when none did."""
    lastFailure: Optional[str]
    """Why the last attempt of an alert that is waiting failed; null when none failed."""


class ApiKey(TypedDict):
    """A key for your servers. The secret that belongs to it was shown once, when it was made."""

    id: str
    """The id of the key, by which it is deleted and rotated."""
    name: str
    """What you call it."""
    apiKey: str
    """The public value, sent in the header `X-API-Key`."""
    permissions: List[ApiKeyScope]
    """What the key may do."""
    allowedIps: List[str]
    """The addresses that it may be used from, as addresses or CIDR ranges; none means from everywhere."""
    expiresAt: Optional[str]
    """When it stops working by itself; null means never."""
    lastUsedAt: Optional[str]
    """When it was last used, to the minute; null if never."""
    createdAt: str
    """When it was made."""


class ApiKeyCreated(TypedDict):
    """A new key with its secret. Store the secret now, it is never shown again."""

    id: str
    """The id of the key, by which it is deleted and rotated."""
    name: str
    """What you call it."""
    apiKey: str
    """The public value, sent in the header `X-API-Key`."""
    apiSecret: str
    """The secret that signs requests. It is in this answer and nowhere else, ever; keep it like a
    password.
    """
    permissions: List[ApiKeyScope]
    """What the key may do."""
    allowedIps: List[str]
    """The addresses that it may be used from, as addresses or CIDR ranges; none means from everywhere."""
    expiresAt: Optional[str]
    """When it stops working by itself; null means never."""
    createdAt: str
    """When it was made."""


class ApiKeyCreatedEvent(TypedDict):
    """An API key was made, or made anew by rotating another."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["api_key.created"]
    """The type of the event."""
    data: ApiKey
    """The key as it was made, without its secret."""


class ApiKeyList(TypedDict):
    """Your API keys."""

    data: List[ApiKey]
    """The keys that work, newest first."""


class ApiKeyRevokedEvent(TypedDict):
    """An API key was deleted or replaced at once and works no more."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["api_key.revoked"]
    """The type of the event."""
    data: ApiKey
    """The key as it was when it was revoked."""


class ApproveChangeRequest(TypedDict, total=False):
    """The approver's own second-factor code."""

    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on,
    ignored otherwise.
    """


class ApproveWithdrawalRequest(TypedDict, total=False):
    """What there is to say about it."""

    notes: str
    """A note for administrators. An empty or blank one leaves the note before."""


class AuditLogEntry(TypedDict):
    """Something that was done, or tried and refused. Entries are never changed or removed."""

    id: str
    """The id of the entry."""
    actorType: AuditActorType
    actorId: str
    """The id of whoever did it; for `system` a word such as `payer`, or empty."""
    action: str
    """What was done, as `<resource>.<verb>`. New actions may appear at any time."""
    resourceType: str
    """The kind of what it was done to, the first part of `action`."""
    resourceId: str
    """The id of what it was done to, empty where it has none."""
    ipAddress: str
    """The address that the request came from; empty for jobs, and for administrators where merchants
    read it.
    """
    userAgent: str
    """What the caller called itself; empty where `ipAddress` is."""
    timestamp: str
    """When it was done."""
    metadata: Dict[str, Any]
    """What else there is to know of this action, for example the old and the new status. Never a
    secret.
    """
    requestId: str
    """The `X-Request-Id` of the request, empty for jobs."""
    sequence: Optional[int]
    """Its place in the platform's chain of entries, about a second after it was written, and null
    before.
    """
    hash: Optional[str]
    """The SHA-256 over its place, the hash of the entry before and all of this entry, 64 hexadecimal
    digits; null as long as `sequence` is.
    """


class AuditLogEntryList(TypedDict):
    """A page of the audit log."""

    data: List[AuditLogEntry]
    """The entries, newest first."""
    pagination: Pagination


class BankWithdrawalFee(TypedDict):
    """The fee of a payout to a bank account."""

    bps: int
    """Hundredths of a percent of the amount, rounded up to cents."""
    min: str
    """At least this, in US dollars."""


class BankWithdrawalFeeInput(TypedDict):
    """The fee of a payout to a bank account."""

    bps: int
    """Hundredths of a percent of the amount, rounded up to cents."""
    min: str
    """At least this, in US dollars."""


class CancelByWalletRequest(TypedDict):
    """The proof that the wallet's owner wants to cancel."""

    challengeId: str
    """The id of the challenge whose text was signed."""
    signature: str
    """The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that
    are contracts sign by ERC-1271.
    """


class CancelChangeRequest(TypedDict):
    """Why it is cancelled."""

    reason: str
    """Why, for the other administrators to read. Spaces alone are refused."""


class _ChangeAdminPasswordRequest(TypedDict):
    currentPassword: str
    """The password that is valid now."""
    newPassword: str
    """8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit."""


class ChangeAdminPasswordRequest(_ChangeAdminPasswordRequest, total=False):
    """The old password and the new one."""

    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on,
    ignored otherwise.
    """


class ChangeAdminStatusRequest(TypedDict, total=False):
    """The caller's own second-factor code."""

    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on
    and the administrator's role moves money or rights; ignored otherwise.
    """


class ChangeList(TypedDict):
    """A page of changes."""

    data: List[GuardedChange]
    """The changes, newest first."""
    pagination: Pagination


class _ChangeMerchantPasswordRequest(TypedDict):
    currentPassword: str
    """The password that is valid now."""
    newPassword: str
    """8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit."""


class ChangeMerchantPasswordRequest(_ChangeMerchantPasswordRequest, total=False):
    """The old password and the new one."""

    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on,
    ignored otherwise.
    """


class Charge(TypedDict):
    """What a subscription owes for one period, and what became of it."""

    id: str
    """The id of the charge."""
    subscriptionId: str
    """The subscription that it belongs to."""
    number: int
    """The number of the period, counted from 1. All tries of a charge have the same, and the chain
    takes each only once.
    """
    status: ChargeStatus
    amount: Decimal
    """What is charged, in `currency`."""
    currency: Currency
    token: SubscriptionToken
    network: str
    """The network that it is collected on."""
    tokenAmount: Optional[str]
    """What is taken, a decimal string in `token`; null until it is collected for the first time."""
    periodStart: str
    """When the period begins that it pays for."""
    periodEnd: str
    """When that period ends."""
    dueAt: Optional[str]
    """When it is to be collected, null unless it is `due`."""
    earliestChargeAt: Optional[str]
    """Until when it has to wait, because the mandate allows no more before. null when it does not
    wait.
    """
    failureCode: Union[ChargeFailureCode, Optional[Any]]
    """Why the last try failed, null when it did not."""
    reversedAt: Optional[str]
    """When a reorganised chain took its money back after it had succeeded. null when that never
    happened, and once it has succeeded again.
    """
    paymentId: Optional[str]
    """Its payment, null until it is collected."""
    txHash: Optional[str]
    """The transaction that collected it, null until then."""
    attempts: List[ChargeAttempt]
    """The tries, newest first, at most 20."""
    createdAt: str
    """When the charge was made."""


class ChargeAttempt(TypedDict):
    """One try to collect a charge."""

    at: str
    """When it was made."""
    outcome: ChargeOutcome
    failureCode: Union[ChargeFailureCode, Optional[Any]]
    txHash: Optional[str]
    """The transaction that it was made by, null when none was sent."""


class ChargeList(TypedDict):
    """A page of charges."""

    data: List[Charge]
    """The charges, newest first."""
    pagination: Pagination


class CheckoutSession(TypedDict):
    """A checkout session, as its merchant sees it. Its payment has the details."""

    id: str
    """The id of the session."""
    status: CheckoutSessionStatus
    amount: Decimal
    """The amount to pay, in `currency`."""
    currency: Currency
    paymentId: str
    """The payment of this session."""
    checkoutUrl: str
    """The hosted page."""
    successUrl: str
    """Where the customer goes after paying, as you gave it."""
    cancelUrl: str
    """Where the customer goes when they turn back, as you gave it."""
    metadata: Metadata
    expiresAt: str
    """Until when the session can be paid."""
    createdAt: str
    """When the session was created."""


class CheckoutSessionCompletedEvent(TypedDict):
    """The payment of the session is paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["checkout.session.completed"]
    """The type of the event."""
    data: CheckoutSession
    """The checkout session as it was when the event happened."""


class CheckoutSessionCreated(TypedDict):
    """A new checkout session."""

    id: str
    """The id of the session, under the name that it has everywhere else."""
    sessionId: str
    """The id of the session."""
    paymentId: str
    """The payment of the session, which webhooks are about."""
    checkoutUrl: str
    """The hosted page. Redirect the customer there."""
    expiresAt: str
    """Until when the session can be paid."""


class CheckoutSessionExpiredEvent(TypedDict):
    """The session ended without being paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["checkout.session.expired"]
    """The type of the event."""
    data: CheckoutSession
    """The checkout session as it was when the event happened."""


class _ClaimRefundRequest(TypedDict):
    destinationAddress: str
    """An address of the refund's network that is the payer's own. An exchange's address will do when
    it is one for deposits of that token on that network; the address that a withdrawal of an
    exchange came from will not.
    """


class ClaimRefundRequest(_ClaimRefundRequest, total=False):
    """Where the money shall go."""

    signature: str
    """The signature of `wallet.message` by the wallet that paid, whose address is then
    `destinationAddress`. Without it the address is whatever the holder of the link says.
    """


class _CompletePayoutsRequest(TypedDict):
    txHash: str
    """The transaction that paid them, as its network writes hashes."""
    payoutIds: Sequence[str]
    """The withdrawals and refunds that it paid."""


class CompletePayoutsRequest(_CompletePayoutsRequest, total=False):
    """A transaction, and what it paid."""

    notes: str
    """A note on each of them, for other administrators."""


class _CompleteRefundRequest(TypedDict):
    txHash: str
    """The transaction that paid it, as its network writes hashes."""


class CompleteRefundRequest(_CompleteRefundRequest, total=False):
    """What paid the refund."""

    notes: str
    """A note for other administrators."""


class _CompleteWithdrawalRequest(TypedDict):
    txHash: str
    """The hash of the transaction, 0x and 64 hexadecimal digits on EVM networks. For a withdrawal to a
    bank account that no transfer on chain leads to, the bank's reference, 4 to 64 characters, or
    such a hash.
    """


class CompleteWithdrawalRequest(_CompleteWithdrawalRequest, total=False):
    """The transaction that paid it."""

    notes: str
    """A note for administrators. An empty or blank one leaves the note before. Needed where the
    network is no longer listed.
    """


class CompletedPayouts(TypedDict):
    """What a transaction completed, and what it did not."""

    completed: List[str]
    """What this transaction has completed, now or before."""
    refused: List[RefusedPayout]
    """What is not completed."""


class _CreateAdminUserRequest(TypedDict):
    email: str
    """The e-mail address to log in with, unique among administrators whatever its case."""
    name: str
    """The name that colleagues know."""
    password: str
    """8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit."""
    roleId: str
    """The id of the role, from `GET /v1/admin/roles`."""


class CreateAdminUserRequest(_CreateAdminUserRequest, total=False):
    """Who to add, and what they may do."""

    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on
    and the role moves money or rights; ignored otherwise.
    """


class _CreateApiKeyRequest(TypedDict):
    name: str
    """What you call it, for example the system that will use it."""


class CreateApiKeyRequest(_CreateApiKeyRequest, total=False):
    """What the key is for, and what it may do."""

    permissions: Sequence[ApiKeyScope]
    """What the key may do, at least one scope. Left out, everything but `links:manage` and
    `subscriptions:manage`.
    """
    allowedIps: Sequence[str]
    """The addresses that it may be used from, up to 20 addresses or CIDR ranges. Left out or empty,
    from everywhere.
    """
    expiresAt: Optional[str]
    """When the key stops working by itself, a date-time in the future with its offset. `""` or null
    means never.
    """
    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on
    and the key may do `settlements:write`, ignored otherwise.
    """


class _CreateCheckoutSessionRequest(TypedDict):
    amount: Amount
    """More than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals."""
    currency: Currency
    successUrl: str
    """Where the customer goes after paying: an http or https URL without user name or password.
    `session_id` is added to its query, the rest stays as it is.
    """
    cancelUrl: str
    """Where the customer goes when they turn back. The same rules as for `successUrl`."""


class CreateCheckoutSessionRequest(_CreateCheckoutSessionRequest, total=False):
    """What the customer is to pay, and where they go afterwards."""

    description: Optional[str]
    """What it is for. The payer sees it."""
    items: Sequence[LineItemInput]
    """The lines that the payer sees: goods, shipping, taxes, discounts. They add up to `amount`. With
    `metadata` at most 8 KiB of JSON.
    """
    customerEmail: Optional[str]
    """Where the payer can be reached."""
    locale: Union[Locale, Optional[Any]]
    metadata: MetadataInput
    expiresInMinutes: int
    """How long the session can be paid."""


class CreateCustomerSessionRequest(TypedDict):
    """The proof of a wallet."""

    challengeId: str
    """The id of the challenge whose text was signed."""
    signature: str
    """The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that
    are contracts sign by ERC-1271.
    """


class _CreatePaymentLinkRequest(TypedDict):
    title: str
    """What is sold, the headline of the page."""
    amount: Amount
    """What one payment costs in USD, more than 0 and at most 1,000,000.00, with at most 2 decimals."""


class CreatePaymentLinkRequest(_CreatePaymentLinkRequest, total=False):
    """A new payment link."""

    description: Optional[str]
    """More about it."""
    currency: Literal["USD"]
    """Only `USD`."""
    payerAmount: PayerAmountInput
    """Lets every payer choose what they pay, between two amounts; `amount` is then what the page
    suggests, and lies between them. Without it everybody pays `amount`.
    """
    items: Sequence[LineItemInput]
    """The lines that every payer sees: goods, shipping, taxes, discounts. They add up to `amount`. Not
    together with `payerAmount`. At most 8 KiB of JSON.
    """
    acceptedTokens: Sequence[Token]
    """The tokens that payers may choose from, as far as they are enabled; at least one has to be. All
    of them when you leave it out: those that are enabled later are offered then.
    """
    slug: str
    """The last part of the address: 3 to 64 lower-case letters, digits and hyphens, with no hyphen at
    either end. Generated when you leave it out. Free again after the link is deleted.
    """
    expiresAt: Optional[str]
    """When the link stops taking payments, a date-time in the future with its offset. `""` or null
    means never.
    """
    maxPayments: Optional[int]
    """How many payments the link takes, open ones included, 1 to 1,000,000. Null, or nothing, for as
    many as people make.
    """
    customFields: Sequence[CustomFieldInput]
    """What every payer is asked, at most five questions. Their answers come with the payment. The
    lines, fields and `thankYou` of a link have at most 8 KiB of JSON together, where four bytes
    count for every character that a payer may write.
    """
    thankYou: Optional[str]
    """What a payer reads once they have paid, on the page and on the receipt; lines are kept. Null or
    `""` for nothing.
    """
    thankYouUrl: Optional[str]
    """Where a button on that page leads, an https URL without user name or password. Null or `""` for
    no button.
    """


class _CreatePaymentRequest(TypedDict):
    amount: Amount
    """More than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals."""
    currency: Currency


class CreatePaymentRequest(_CreatePaymentRequest, total=False):
    """A payment without a link or a session, for a checkout page of your own."""

    description: Optional[str]
    """What it is for. The payer sees it."""
    items: Sequence[LineItemInput]
    """The lines that the payer sees: goods, shipping, taxes, discounts. They add up to `amount`. With
    `metadata` at most 8 KiB of JSON.
    """
    customerEmail: Optional[str]
    """Where the payer can be reached."""
    locale: Union[Locale, Optional[Any]]
    metadata: MetadataInput
    acceptedTokens: Sequence[Token]
    """The tokens that the payer may choose from. Every enabled one when you leave it out."""
    expiresInMinutes: int
    """How long the payer has to pay. An hour when you leave it out, unless the platform has set
    another time.
    """


class _CreatePlanRequest(TypedDict):
    name: str
    """What is sold."""
    amount: Amount
    """What is charged in every interval, more than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR,
    with at most 2 decimals.
    """
    currency: Currency
    interval: SubscriptionInterval


class CreatePlanRequest(_CreatePlanRequest, total=False):
    """A new subscription plan."""

    trialDays: int
    """How many days a new subscriber pays nothing, 0 to 730."""
    description: Optional[str]
    """More about it. Customers read it when they agree."""
    token: SubscriptionToken
    """The stablecoin that customers pay in, `USDT` when you leave it out."""
    network: str
    """The network that they pay on. The first one that can collect when you leave it out."""


class _CreateRefundRequest(TypedDict):
    amount: Union[Amount, Literal["surplus", "all"]]
    """How much, in the payment's currency with at most 2 decimals; `surplus`: what came beyond what
    was asked; `all`: everything that is left.
    """
    reason: str
    """Why, in plain words for your payer."""


class CreateRefundRequest(_CreateRefundRequest, total=False):
    """What to give back. It goes in a token that was paid, on the network where it was paid. Where a
    payment was paid in several, `token` and `network` say in which; without them it is the one of
    which most is left.
    """

    destinationAddress: str
    """Where it shall go, an address of that network, when your payer told you. Without it the payer
    says so themselves by `claimUrl`. Never take the address that a payment came from unasked: an
    exchange does not find money that is sent back there.
    """
    token: Token
    """The token to give back, one that was paid."""
    network: str
    """The network to give it back on, one that it was paid on."""
    otp: str
    """The one-time code or a recovery code, needed in a session when two-factor authentication is on;
    ignored otherwise.
    """


class CreateRoleRequest(TypedDict):
    """A role to be."""

    name: str
    """A unique name of 1 to 120 characters, lower-case letters and digits in words joined by
    underscores.
    """
    description: str
    """What the role is for."""
    permissions: Sequence[Permission]
    """Everything that the role allows, each of it held by your own role."""


class CreateSandboxWalletRequest(TypedDict, total=False):
    """What the wallet gets. Everything is optional."""

    amount: str
    """How much it gets of each test token; 0 makes an empty wallet. Coin for fees it always gets."""


class _CreateWalletChallengeRequest(TypedDict):
    purpose: ChallengePurpose
    walletAddress: str
    """The wallet that signs: 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case
    is mixed.
    """


class CreateWalletChallengeRequest(_CreateWalletChallengeRequest, total=False):
    """What a wallet wants to prove."""

    planId: str
    """The plan to subscribe to; only with `subscribe`."""
    subscriptionId: str
    """The subscription to cancel; only with `cancel`."""


class _CreateWithdrawalRequest(TypedDict):
    amount: Amount
    """What leaves your balance, in US dollars with at most 2 decimals. The fee is a part of it."""
    method: WithdrawalMethod


class CreateWithdrawalRequest(_CreateWithdrawalRequest, total=False):
    """What to take out, and where it goes: for `crypto` to `destinationAddress`, for `bank` to the
    account of `bankAccountNumber`, `bankName` and `bankBranch`, all three. Fields of the other
    method are refused.
    """

    bankAccountNumber: str
    """The number of the bank account or its IBAN, at least 6 letters and digits, with single spaces or
    hyphens between them.
    """
    bankName: str
    """The name of the bank."""
    bankBranch: str
    """The branch of the bank, by name or code."""
    destinationAddress: str
    """The wallet that it goes to, an address of `network`: for EVM networks 0x and 40 hexadecimal
    digits, with a right EIP-55 checksum when the case is mixed. An address of Bitcoin is refused,
    because no dollars are there. The `walletAddress` of your profile when you leave it out.
    """
    network: str
    """The network to pay on. The first one of the platform that has dollar tokens when you leave it
    out.
    """
    currency: WithdrawalToken
    """The stablecoin to pay in, `USDT` when you leave it out."""
    otp: str
    """The one-time code or a recovery code, needed when two-factor authentication is on; ignored
    otherwise.
    """


class CreatedRefund(TypedDict):
    """A refund, with the link by which its payer claims it."""

    id: str
    """The id of the refund."""
    paymentId: str
    """The payment that it gives back."""
    status: RefundStatus
    statusMessage: Optional[str]
    """Why it failed, in plain words; null otherwise."""
    amount: Decimal
    """What is given back of the payment, in its currency and at its locked rate, rounded down together
    with what goes back beside it.
    """
    currency: Currency
    token: Token
    """The token that is sent, which is the one that was paid."""
    network: str
    """The network that it is sent on, which is the one that it was paid on."""
    tokenAmount: str
    """What is sent, a decimal string in `token`; fixed when the refund is made. Of ETH and BTC more
    than an hour after they came it is no more than `amount` was worth then.
    """
    reason: str
    """Why it is given back, in your words. The payer reads it."""
    offered: bool
    """Whether the payer took it from the payment's page, where your rules offered it."""
    destinationAddress: Optional[str]
    """Where it goes; null until that is known."""
    txHash: Optional[str]
    """The transaction that paid it; null until it is `completed`."""
    createdAt: str
    """When you made it."""
    finishedAt: Optional[str]
    """When it became `completed`, `cancelled` or `failed`; null before."""
    claimUrl: Optional[str]
    """Send it to your payer: whoever has it says where the money goes. It is shown only now, and a new
    one can be made. Null when you named a `destinationAddress`.
    """


class CustomField(TypedDict):
    """A question that every payer of the link answers."""

    key: str
    """By which the answer is found, unique within the link."""
    label: str
    """What the payer reads beside the field."""
    kind: CustomFieldKind
    required: bool
    """Whether a payer has to answer."""
    maxLength: Optional[int]
    """Of a `text`, how many characters it may have; null for other kinds."""
    minimum: Optional[int]
    """Of a `number`, the least; null where any will do, and for other kinds."""
    maximum: Optional[int]
    """Of a `number`, the most; null where any will do, and for other kinds."""
    options: List[str]
    """Of a `choice`, what there is to choose from; empty for other kinds."""


class CustomFieldAnswer(TypedDict):
    """What a payer answered to a question of a payment link."""

    key: str
    """The key of the field."""
    label: str
    """What the payer read beside the field."""
    answer: Union[str, int]
    """The answer, a string for a `text` or a `choice`, a whole number for a `number`."""


class _CustomFieldInput(TypedDict):
    key: str
    """By which you find the answer, unique within the link: a lower-case letter, then letters, digits
    and `_`, at most 40 characters.
    """
    label: str
    """What the payer reads beside the field, one line without spaces around it."""
    kind: CustomFieldKind


class CustomFieldInput(_CustomFieldInput, total=False):
    """A question that every payer of the link answers."""

    required: bool
    """Whether a payer has to answer."""
    maxLength: int
    """Of a `text`, how many characters it may have; 100 when you leave it out."""
    minimum: int
    """Of a `number`, the least; any when you leave it out."""
    maximum: int
    """Of a `number`, the most; any when you leave it out."""
    options: Sequence[str]
    """Of a `choice`, what there is to choose from, in this order."""


class CustomerCharge(TypedDict):
    """A charge that was paid, or is being confirmed."""

    number: int
    """The number of its period."""
    periodStart: str
    """When the period begins that it pays for."""
    periodEnd: str
    """When that period ends."""
    amount: Decimal
    """What was asked, in `currency`."""
    currency: Currency
    tokenAmount: Optional[str]
    """What was taken in the token, null where that is not known."""
    token: SubscriptionToken
    status: ChargeStatus
    receiptUrl: str
    """The receipt of its payment."""


class CustomerSession(TypedDict):
    """A customer's session."""

    token: str
    """The token. It is stored here only as a hash."""
    walletAddress: str
    """The wallet that has proven itself."""
    networks: List[str]
    """Where it has: everywhere for a wallet with a key, on the networks whose contract has agreed for
    one that is a contract.
    """
    expiresAt: str
    """When the session ends."""


class CustomerSessionEnded(TypedDict):
    """What is left of a session."""

    walletAddress: str
    """The wallet whose session it was."""


class CustomerSubscription(TypedDict):
    """A subscription as the customer's own list shows it."""

    id: str
    """The id of the subscription."""
    url: str
    """Its own page."""
    merchantName: str
    """Who is paid."""
    merchantContact: MerchantContact
    merchantBrand: MerchantBrand
    planName: str
    """What is sold."""
    amount: Decimal
    """What is charged in every interval, in `currency`."""
    currency: Currency
    interval: SubscriptionInterval
    status: SubscriptionStatus
    mandateStatus: MandateStatus
    cancelReason: Union[SubscriptionCancelReason, Optional[Any]]
    trialEnd: Optional[str]
    """When the trial ends or ended, null without one."""
    currentPeriodEnd: str
    """When the present period ends."""
    nextChargeAt: Optional[str]
    """When the wallet is charged next, or a failed charge is tried again; null when nothing is
    planned.
    """
    failureCode: Union[ChargeFailureCode, Optional[Any]]
    """Why the last try to charge failed, null when it did not."""
    isRetryable: bool
    """Whether a failed charge can be tried at once."""
    walletAddress: str
    """The wallet that pays."""
    network: str
    """The network that it is charged on."""
    token: SubscriptionToken
    charges: List[CustomerCharge]
    """The newest charges that were paid, newest first, twelve at most."""


class CustomerSubscriptionList(TypedDict):
    """One page of a customer's subscriptions."""

    walletAddress: str
    """The wallet whose they are."""
    expiresAt: str
    """When the session ends."""
    subscriptions: List[CustomerSubscription]
    """The subscriptions, newest first."""
    pagination: Pagination


class DisableTwoFactorRequest(TypedDict):
    """Both factors, for the last time."""

    password: str
    """Your password."""
    otp: str
    """A code of the authenticator app, or a recovery code."""


class DisplayAmount(TypedDict):
    """About what an amount comes to in another currency, for people to read. Nothing is asked or paid
    by it.
    """

    amount: Decimal
    """The amount at this rate, rounded to cents."""
    currency: Currency
    """The currency that it is shown in."""
    rate: DisplayRate


class DisplayRate(TypedDict):
    """The rate by which an amount is shown in another currency."""

    value: str
    """How many units of that currency make one US dollar, a decimal string."""
    source: str
    """Where the rate comes from."""
    quotedAt: str
    """When it was valid."""


class EnableTwoFactorRequest(TypedDict):
    """The proof that the authenticator app has the secret."""

    otp: str
    """The code that the app shows now."""


class _ErrorDetail(TypedDict):
    code: ErrorCode
    message: str
    """What went wrong and what to change, for the developer who reads it. The wording may change, the
    code will not.
    """
    requestId: str
    """The id of this request, also in the `X-Request-Id` header. Quote it when you ask for help."""


class ErrorDetail(_ErrorDetail, total=False):
    """What went wrong."""

    reason: str
    """A finer code where one `code` has several causes, for example `token_expired` or
    `merchant_not_active`. New reasons may appear at any time.
    """
    fields: List[ErrorField]
    """For `VALIDATION_ERROR`, every part of the request that has to change."""


class ErrorField(TypedDict):
    """One thing in the request that is wrong."""

    path: str
    """Where it is, for example `amount` or `metadata.orderId`; a query or path parameter goes by its
    name.
    """
    message: str
    """What is wrong with it and what would be right."""


class ErrorResponse(TypedDict):
    """The body of every answer that is not a success, on every path."""

    error: ErrorDetail


class EventEnvelope(TypedDict):
    """What every event carries around its `type` and `data`."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """


class _ExportPayoutsRequest(TypedDict):
    network: str
    """The network to pay on, one that is listed."""


class ExportPayoutsRequest(_ExportPayoutsRequest, total=False):
    """What to pay."""

    payoutIds: Sequence[str]
    """Only these, also when they are `processing` already, as after a file was lost. Be sure that no
    transaction pays them.
    """
    feeRate: int
    """The fee of a transaction of Bitcoin, in satoshis a virtual byte. What the node advises when it
    is missing.
    """


class FailRefundRequest(TypedDict):
    """Why it fails."""

    reason: str
    """Why it can't be paid, for the merchant."""


class FailRequest(TypedDict):
    """How you know that a payout was not sent."""

    notes: str
    """A note for the administrator who fails it after you. Spaces alone are refused."""


class FailWithdrawalRequest(TypedDict):
    """Why it can not be paid."""

    reason: str
    """Why, for the merchant to read. Spaces alone are refused."""


class FreezeMerchantRequest(TypedDict):
    """Why the merchant is frozen."""

    reason: str
    """Why. The merchant reads it."""


class GuardedChange(TypedDict):
    """A change that touches where money goes. It waits, so that everybody can see it and object."""

    id: str
    """The id of the change."""
    kind: ChangeKind
    subjectId: str
    """The role or the administrator that it is about; `platform` for settings."""
    changes: Dict[str, Any]
    """By field, what it was when the change was proposed (`from`) and what it is to be (`to`)."""
    status: ChangeStatus
    needsApproval: bool
    """Whether another administrator has to approve it. That is so where there is one who can."""
    proposedBy: str
    """The administrator who proposed it."""
    proposedAt: str
    """When it was proposed."""
    dueAt: str
    """It takes effect then, or with its approval if that comes later."""
    expiresAt: str
    """Until then it can be approved."""
    approvedBy: Optional[str]
    """The administrator who approved it."""
    approvedAt: Optional[str]
    """When it was approved."""
    endedAt: Optional[str]
    """When it took effect, was cancelled or expired."""
    endedBy: Optional[str]
    """The administrator who cancelled it; null when the service did."""
    reason: Optional[str]
    """Why it was cancelled."""


class Incident(TypedDict):
    """An incident with what it means, what it touches and what to do."""

    id: str
    """The id of the incident."""
    kind: str
    """What has happened, one of the kinds in the chapter "Incidents". New versions bring new kinds."""
    severity: IncidentSeverity
    title: str
    """The kind in a few words."""
    status: IncidentStatus
    resourceType: str
    """What `subject` names, such as `payment`, `network` or `operator_transaction`."""
    subject: str
    """What it is about; an id, a network, or a pair of currencies. At most one incident of a kind and
    subject is not resolved.
    """
    network: Optional[str]
    """The network that it concerns; null when it concerns none, or none in particular."""
    message: str
    """What happened, for the operator."""
    count: int
    """How often it was seen since it opened, at most once a minute."""
    openedAt: str
    """When it opened."""
    lastSeenAt: str
    """When it was last seen."""
    acknowledgedAt: Optional[str]
    """When an administrator acknowledged it; null before."""
    resolvedAt: Optional[str]
    """When it was over; null before."""
    meaning: str
    """What an incident of this kind means."""
    effect: str
    """What it touches while it lasts, and what it doesn't."""
    action: str
    """What to do."""
    end: str
    """What ends it, and whether the service sees that by itself."""
    retry: Optional[str]
    """What trying again does; null when nothing of this kind can be tried again."""
    detail: Dict[str, Any]
    """More about it, such as the findings of a reconciliation; mostly empty."""
    acknowledgedBy: Optional[str]
    """The administrator who acknowledged it; null before."""
    resolvedBy: Optional[str]
    """The administrator who resolved it; null when it is not over, and when the service saw its end."""
    note: Optional[str]
    """What the administrator wrote who resolved it, else who acknowledged it."""
    alertedAt: Optional[str]
    """When it was put into an alert; null when no alert has told of it."""


class IncidentList(TypedDict):
    """A page of incidents."""

    data: List[IncidentSummary]
    """The incidents, newest first."""
    pagination: Pagination


class IncidentSummary(TypedDict):
    """An incident as lists show it."""

    id: str
    """The id of the incident."""
    kind: str
    """What has happened, one of the kinds in the chapter "Incidents". New versions bring new kinds."""
    severity: IncidentSeverity
    title: str
    """The kind in a few words."""
    status: IncidentStatus
    resourceType: str
    """What `subject` names, such as `payment`, `network` or `operator_transaction`."""
    subject: str
    """What it is about; an id, a network, or a pair of currencies. At most one incident of a kind and
    subject is not resolved.
    """
    network: Optional[str]
    """The network that it concerns; null when it concerns none, or none in particular."""
    message: str
    """What happened, for the operator."""
    count: int
    """How often it was seen since it opened, at most once a minute."""
    openedAt: str
    """When it opened."""
    lastSeenAt: str
    """When it was last seen."""
    acknowledgedAt: Optional[str]
    """When an administrator acknowledged it; null before."""
    resolvedAt: Optional[str]
    """When it was over; null before."""


class JsonWebKey(TypedDict):
    """An Ed25519 public key as a JSON Web Key (RFC 8037)."""

    kty: Literal["OKP"]
    """The key type."""
    crv: Literal["Ed25519"]
    """The curve."""
    x: str
    """The 32 bytes of the public key in base64url."""
    kid: str
    """The thumbprint of the key (RFC 7638)."""
    use: Literal["sig"]
    """The key is for signatures."""
    alg: Literal["EdDSA"]
    """The algorithm."""


class JsonWebKeySet(TypedDict):
    """The public keys of a merchant as a JSON Web Key Set (RFC 7517)."""

    keys: List[JsonWebKey]
    """The keys, newest first."""


class LedgerEntry(TypedDict):
    """One movement on one of your accounts. Entries are never changed or removed."""

    id: str
    """The id of the entry."""
    journalId: str
    """The booking that it belongs to. Entries of one booking share it."""
    account: LedgerAccount
    kind: str
    """What was booked, for example `payment.moved`. New kinds may appear at any time."""
    amount: str
    """How much the account changed, a decimal string with 6 decimals, negative when it went down."""
    currency: Literal["USD"]
    """The currency of the ledger."""
    paymentId: Optional[str]
    """The payment that it is about, null when it is about something else."""
    withdrawalId: Optional[str]
    """The withdrawal that it is about, null when it is about something else."""
    createdAt: str
    """When it was booked."""


class LedgerEntryList(TypedDict):
    """A page of ledger entries."""

    data: List[LedgerEntry]
    """The entries, newest first."""
    pagination: Pagination


class LineItem(TypedDict):
    """A line of what a payment is for, as the payer sees it."""

    name: str
    """What it is."""
    quantity: int
    """How many of it."""
    unitAmount: Decimal
    """What one of it costs, in the payment's currency. Less than 0 for a discount."""


class _LineItemInput(TypedDict):
    name: str
    """What it is, on one line. The payer sees it."""
    unitAmount: Amount
    """What one of it costs, in the payment's currency, with at most 2 decimals. Less than 0 for a
    discount.
    """


class LineItemInput(_LineItemInput, total=False):
    """A line of what a payment is for."""

    quantity: int
    """How many of it."""


class _LoginAdminRequest(TypedDict):
    email: str
    """The e-mail address of the administrator."""
    password: str
    """The password."""


class LoginAdminRequest(_LoginAdminRequest, total=False):
    """The credentials of an administrator."""

    otp: str
    """The one-time code or a recovery code, when two-factor authentication is on; ignored otherwise."""
    deviceToken: str
    """The `deviceToken` of an earlier login. With it, failed logins of strangers do not make you wait.
    One that is unknown is ignored.
    """


class _LoginMerchantRequest(TypedDict):
    email: str
    """The e-mail address of the merchant."""
    password: str
    """The password."""


class LoginMerchantRequest(_LoginMerchantRequest, total=False):
    """The credentials of a merchant."""

    otp: str
    """The one-time code or a recovery code, when two-factor authentication is on; ignored otherwise."""
    deviceToken: str
    """The `deviceToken` of an earlier login. With it, failed logins of strangers do not make you wait.
    One that is unknown is ignored.
    """


class Mandate(TypedDict):
    """What the customer agrees to, as the collector's contract knows it: amounts in base units of the
    token, times in seconds since 1970.
    """

    id: str
    """Its name on the chain, the EIP-712 hash of what follows."""
    payer: str
    """The wallet that pays."""
    token: str
    """The contract of the token."""
    maxPerPeriod: str
    """The most that may be taken in one window, in base units of the token."""
    period: int
    """How long a window is, in seconds."""
    start: int
    """When the first window begins."""
    end: int
    """The first second in which nothing may be taken any more."""
    carry: int
    """How many windows that were not used are kept for later."""
    ref: str
    """What it is for: the first 28 bytes of keccak256 of the id of the subscription, and in the last
    four the number of the first charge. No charge may have a number that runs ahead of the windows
    begun since.
    """


class MandateMessage(TypedDict):
    """The mandate without its id, in the spelling that wallets sign."""

    payer: str
    """The wallet that pays."""
    token: str
    """The contract of the token."""
    maxPerPeriod: str
    """The most that may be taken in one window, in base units of the token."""
    period: int
    """How long a window is, in seconds."""
    start: int
    """When the first window begins."""
    end: int
    """The first second in which nothing may be taken any more."""
    carry: int
    """How many windows that were not used are kept for later."""
    ref: str
    """What it is for: the first 28 bytes of keccak256 of the id of the subscription, and in the last
    four the number of the first charge. No charge may have a number that runs ahead of the windows
    begun since.
    """


_MandateTermsOdd = TypedDict(
    "_MandateTermsOdd",
    {
        # Nothing is taken before.
        "from": "str",
    },
)


class MandateTerms(_MandateTermsOdd):
    """What the mandate allows at most, for words that people understand."""

    mostPerCharge: str
    """The most that is taken in each window on the average, a decimal string in the token."""
    mostAtOnce: str
    """The most that can ever be taken within one window, with what was kept of windows before, a
    decimal string in the token.
    """
    mostInAll: str
    """The most that can be taken from the first to the last day, a decimal string in the token."""
    windowDays: int
    """How many days a window has."""
    until: str
    """Nothing is taken from then on."""


class MandateTypedData(TypedDict):
    """What the customer's wallet is to sign, the second parameter of `eth_signTypedData_v4` (EIP-712):
    pass it on as it is. null when nothing is to be signed.
    """

    types: Dict[str, List[TypedDataField]]
    """The types of the fields."""
    primaryType: str
    """The type of `message`."""
    domain: TypedDataDomain
    message: MandateMessage


class Merchant(TypedDict):
    """A merchant, as the merchant sees itself."""

    id: str
    """The id of the merchant."""
    businessName: str
    """The legal name of the business. Payers see it."""
    email: str
    """The e-mail address to log in with, in lower case."""
    phone: str
    """The phone number in E.164 form."""
    businessType: BusinessType
    status: MerchantStatus
    statusReason: Optional[str]
    """Why you are rejected, frozen or terminated, as an administrator wrote it; null otherwise."""
    walletAddress: Optional[str]
    """Where your own money goes by default when you withdraw in crypto, if it is an address of the
    network that you withdraw on; null while you have set none.
    """
    webhookUrl: Optional[str]
    """Where webhook events are sent; null while you have set none."""
    twoFactorEnabled: bool
    """Whether logging in needs a one-time code."""
    paymentToleranceBps: Optional[int]
    """How much less than the asked amount still counts as paid, in basis points (50 is 0.5 %); null
    means the platform's default.
    """
    refundOffers: List[RefundOfferException]
    """For which exceptions the page of a payment that is over offers its payer the money back that
    waits for your decision. Whoever has the address of that page may then take it. Empty: only you
    give money back.
    """
    refundOfferMinimum: Decimal
    """The least worth in US dollars that is offered so; less waits for your decision."""
    supportEmail: Optional[str]
    """Where payers write to when they need help. Payers see it; null when there is none."""
    supportUrl: Optional[str]
    """A page that helps payers. Payers see it; null when there is none."""
    website: Optional[str]
    """The merchant's website. Payers see it; null when there is none."""
    brandColor: Optional[str]
    """Your colour on the pages of payers; null for the platform's."""
    logoUrl: Optional[str]
    """Your logo on the pages of payers, a PNG whose address changes with it; null when there is none."""
    sendReceipts: bool
    """Whether payers who left an e-mail address get receipts by mail, where the platform sends any."""
    embedOrigins: List[str]
    """The websites whose pages may show the checkout in a frame, each as its origin. Empty: none may."""
    createdAt: str
    """When the merchant registered."""
    updatedAt: str
    """When the profile last changed."""


class MerchantAuthResult(TypedDict):
    """A merchant and the tokens of a new login session."""

    merchant: Merchant
    token: str
    """The access token. Send it as `Authorization: Bearer <token>`."""
    refreshToken: str
    """Trade it for a new pair of tokens when the access token expires. It works once."""
    expiresIn: int
    """Seconds until the access token expires."""
    deviceToken: str
    """Keep it, and send it with later logins: it says that this device has logged in before, so that
    failed logins of strangers do not make it wait. It proves nothing else. A new password makes it
    worthless.
    """


class MerchantBrand(TypedDict):
    """What payers recognize the merchant by."""

    color: Optional[str]
    """Its colour; null for the platform's. Pages darken or lighten it where it could not be read
    otherwise.
    """
    logoUrl: Optional[str]
    """Its logo, a PNG of at most 256 pixels a side whose address changes with it; null when there is
    none.
    """


class MerchantContact(TypedDict):
    """How payers reach the merchant."""

    email: Optional[str]
    """Where to write to; null when the merchant has not said."""
    url: Optional[str]
    """A page that helps; null when the merchant has not said."""
    website: Optional[str]
    """The merchant's website; null when the merchant has not said."""


class MerchantSession(TypedDict):
    """A login session of the merchant."""

    id: str
    """The id of the session."""
    ipAddress: str
    """The address that logged in."""
    userAgent: str
    """The program that logged in, as it names itself."""
    current: bool
    """Whether this is the session that asks."""
    createdAt: str
    """When the session began."""
    lastUsedAt: str
    """When the session was begun or last refreshed."""
    expiresAt: str
    """When the session ends unless it is refreshed before."""


class MerchantSessionList(TypedDict):
    """A page of login sessions."""

    data: List[MerchantSession]
    """The sessions that are alive, newest first."""
    pagination: Pagination


class MerchantStatusChange(TypedDict):
    """A merchant's state after it was changed."""

    id: str
    """The id of the merchant."""
    status: MerchantStatus
    message: str
    """What that means, in words for people."""


class MerchantStatusChangedEvent(TypedDict):
    """Your merchant was approved, rejected, frozen, unfrozen or closed."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["merchant.status_changed"]
    """The type of the event."""
    data: Merchant
    """The merchant as it was when the event happened."""


class MerchantTokens(TypedDict):
    """A fresh pair of tokens."""

    token: str
    """The new access token."""
    refreshToken: str
    """The new refresh token. The one that you sent no longer works."""
    expiresIn: int
    """Seconds until the access token expires."""


class MessageResponse(TypedDict):
    """A plain confirmation."""

    message: str
    """What was done, in words for people."""


class _MineSandboxBlocksRequest(TypedDict):
    blocks: int
    """The number of blocks."""


class MineSandboxBlocksRequest(_MineSandboxBlocksRequest, total=False):
    """How many blocks to mine."""

    network: SandboxNetworkName


class OwnAdmin(TypedDict):
    """An administrator as they see themselves."""

    id: str
    """The id of the administrator."""
    email: str
    """The e-mail address that they log in with."""
    name: str
    """The name that colleagues know."""
    role: RoleReference
    permissions: List[Permission]
    """Everything that the role allows at present."""
    twoFactorEnabled: bool
    """Whether a login asks for a one-time code."""


class Pagination(TypedDict):
    """Where a list page stands in the whole list."""

    page: int
    """The page that you asked for, counted from 1; 0 where you asked by a cursor."""
    limit: int
    """The most items on a page."""
    total: int
    """All items that match the filter; see `totalIsMinimum`."""
    totalPages: int
    """The number of pages, 0 when nothing matches."""
    next: Optional[str]
    """The cursor of what follows this page, for `after`; null at the end."""
    previous: Optional[str]
    """The cursor of what precedes this page, for `before`; null at the beginning."""
    totalIsMinimum: bool
    """True when there are more items than `total`, and they were not counted. Lists count items by
    most filters exactly, however many there are, and by others up to 10,000 or to the page after
    yours. `totalPages` is then a minimum, too, and always greater than `page`. False when `total`
    is exact.
    """


class PaySandboxPaymentRequest(TypedDict, total=False):
    """How to pay. Everything is optional."""

    token: Token
    """The token to pay with. The payment's chosen one when you leave it out."""
    network: str
    """The network to pay on. The one of the payment's option for the token when you leave it out."""
    amount: str
    """How much of the token to send, a decimal string greater than zero with no more decimals than the
    token has. What is due when you leave it out. Send less or more to try an underpaid or overpaid
    payment.
    """
    confirm: bool
    """Whether to mine the blocks that confirm the transfer at once. With false only the block with the
    transfer is mined, and it stays unconfirmed until other blocks follow, for example by `POST
    /v1/sandbox/chain/mine`. In bitcoins not even that block is mined: the transaction waits in the
    pool.
    """


class PaySandboxRefundRequest(TypedDict, total=False):
    """How to pay it out. Everything is optional."""

    amount: str
    """How much of the token to send, a decimal string greater than zero with no more decimals than the
    token has. The `tokenAmount` of the refund when you leave it out.
    """
    confirm: bool
    """Whether to mine the blocks that confirm the transfer at once. With false it stays unconfirmed."""


class PaySandboxWithdrawalRequest(TypedDict, total=False):
    """How to pay it out. Everything is optional."""

    token: Token
    """The token to send. The one of the withdrawal when you leave it out."""
    amount: str
    """How much of the token to send, a decimal string greater than zero with no more decimals than the
    token has. The `netAmount` of the withdrawal when you leave it out.
    """
    confirm: bool
    """Whether to mine the blocks that confirm the transfer at once. With false only the block with the
    transfer is mined, and it stays unconfirmed until other blocks follow, for example by `POST
    /v1/sandbox/chain/mine`.
    """


class PayerAmount(TypedDict):
    """The amounts between which payers choose, in USD."""

    min: Decimal
    """The least."""
    max: Decimal
    """The most."""


class PayerAmountInput(TypedDict):
    """The amounts between which payers choose, in USD."""

    min: Amount
    """The least, with at most 2 decimals."""
    max: Amount
    """The most, with at most 2 decimals."""


class Payment(TypedDict):
    """A payment with everything that its merchant may know."""

    id: str
    """The id of the payment."""
    status: PaymentStatus
    reason: Union[PaymentReason, Optional[Any]]
    exception: Union[PaymentException, Optional[Any]]
    amount: Decimal
    """What was asked, in `currency`."""
    currency: Currency
    cryptoAmount: str
    """The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up."""
    cryptoAddress: str
    """Where to pay with the chosen option. Empty while the payment is open and no option is left, or
    the chosen one is `unavailable`, and while you may not take payments.
    """
    token: Token
    """The token that the payer chose; until they choose, and when the network of their choice is no
    longer listed while the payment is open, the first option's.
    """
    network: str
    """The network of the chosen option."""
    tokenAmount: str
    """What the chosen option asks, a decimal string in `token`."""
    paymentUri: str
    """What a wallet understands when it scans the QR code (EIP-681 or BIP 21), for the chosen option.
    While only a part has arrived it asks for the rest. Empty when `cryptoAddress` is.
    """
    options: List[PaymentOption]
    """Every way to pay, USDT first. Leaves out networks and coins that are no longer listed, while the
    payment is open; none while it is open and you may not take payments, as when your account is
    frozen.
    """
    amountReceived: Decimal
    """The worth of what has been seen at the locked rate, confirmed or not, in `currency`, rounded
    down.
    """
    amountDue: Decimal
    """What is still missing, in `currency`, rounded up; 0 when enough has been seen."""
    amountRefunded: Decimal
    """What of it was given back or is on its way back to the payer, in `currency`, rounded down."""
    tokenAmountDue: str
    """What is still missing, a decimal string in `token`; zero when enough has been seen."""
    confirmations: PaymentConfirmations
    transactions: List[PaymentTransaction]
    """The transfers that reached the address, newest first, at most 20."""
    txHash: Optional[str]
    """The hash of the first transfer that counted, null until one is detected."""
    rate: PaymentRate
    qrCodeUrl: str
    """A PNG of the QR code of `paymentUri`."""
    checkoutUrl: str
    """The hosted page where the payer can pay."""
    description: Optional[str]
    """What it is for; null when nobody said. For a link, its title at the time."""
    items: List[LineItem]
    """The lines that add up to `amount`; empty when nobody listed any."""
    customerEmail: Optional[str]
    """Where the payer can be reached, null when they did not say."""
    metadata: Metadata
    customFields: List[CustomFieldAnswer]
    """What the payer answered to the questions of a payment link, in their order, without those that
    were left open; empty for other payments.
    """
    paymentLinkId: Optional[str]
    """The payment link that it was started through, null for others."""
    sessionId: Optional[str]
    """The checkout session that it belongs to, null for others."""
    subscriptionId: Optional[str]
    """The subscription that it was collected for, null for others."""
    chargeId: Optional[str]
    """The charge of that subscription, null for others."""
    paidAt: Optional[str]
    """When it became `paid`, null before."""
    expiresAt: str
    """Until when the payer has to pay."""
    createdAt: str
    """When it was created."""


class PaymentCompletedEvent(TypedDict):
    """Enough money is confirmed: the payment is paid and credited. Fulfil the order now."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.completed"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentConfirmations(TypedDict):
    """How far the confirmation of a payment is."""

    seen: int
    """The confirmations of the youngest transfer that is needed, 0 while too little has arrived."""
    required: int
    """The confirmations that are waited for."""


class PaymentConfirmingEvent(TypedDict):
    """Enough money was seen on the chain; its confirmations are awaited."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.confirming"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentCreatedEvent(TypedDict):
    """A payment was created."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.created"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentDetail(TypedDict):
    """A payment with what was given back of it."""

    id: str
    """The id of the payment."""
    status: PaymentStatus
    reason: Union[PaymentReason, Optional[Any]]
    exception: Union[PaymentException, Optional[Any]]
    amount: Decimal
    """What was asked, in `currency`."""
    currency: Currency
    cryptoAmount: str
    """The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up."""
    cryptoAddress: str
    """Where to pay with the chosen option. Empty while the payment is open and no option is left, or
    the chosen one is `unavailable`, and while you may not take payments.
    """
    token: Token
    """The token that the payer chose; until they choose, and when the network of their choice is no
    longer listed while the payment is open, the first option's.
    """
    network: str
    """The network of the chosen option."""
    tokenAmount: str
    """What the chosen option asks, a decimal string in `token`."""
    paymentUri: str
    """What a wallet understands when it scans the QR code (EIP-681 or BIP 21), for the chosen option.
    While only a part has arrived it asks for the rest. Empty when `cryptoAddress` is.
    """
    options: List[PaymentOption]
    """Every way to pay, USDT first. Leaves out networks and coins that are no longer listed, while the
    payment is open; none while it is open and you may not take payments, as when your account is
    frozen.
    """
    amountReceived: Decimal
    """The worth of what has been seen at the locked rate, confirmed or not, in `currency`, rounded
    down.
    """
    amountDue: Decimal
    """What is still missing, in `currency`, rounded up; 0 when enough has been seen."""
    amountRefunded: Decimal
    """What of it was given back or is on its way back to the payer, in `currency`, rounded down."""
    tokenAmountDue: str
    """What is still missing, a decimal string in `token`; zero when enough has been seen."""
    confirmations: PaymentConfirmations
    transactions: List[PaymentTransaction]
    """The transfers that reached the address, newest first, at most 20."""
    txHash: Optional[str]
    """The hash of the first transfer that counted, null until one is detected."""
    rate: PaymentRate
    qrCodeUrl: str
    """A PNG of the QR code of `paymentUri`."""
    checkoutUrl: str
    """The hosted page where the payer can pay."""
    description: Optional[str]
    """What it is for; null when nobody said. For a link, its title at the time."""
    items: List[LineItem]
    """The lines that add up to `amount`; empty when nobody listed any."""
    customerEmail: Optional[str]
    """Where the payer can be reached, null when they did not say."""
    metadata: Metadata
    customFields: List[CustomFieldAnswer]
    """What the payer answered to the questions of a payment link, in their order, without those that
    were left open; empty for other payments.
    """
    paymentLinkId: Optional[str]
    """The payment link that it was started through, null for others."""
    sessionId: Optional[str]
    """The checkout session that it belongs to, null for others."""
    subscriptionId: Optional[str]
    """The subscription that it was collected for, null for others."""
    chargeId: Optional[str]
    """The charge of that subscription, null for others."""
    paidAt: Optional[str]
    """When it became `paid`, null before."""
    expiresAt: str
    """Until when the payer has to pay."""
    createdAt: str
    """When it was created."""
    refunds: List[Refund]
    """What was given back of it, newest first, at most 20; `GET /v1/refunds` lists all."""


class PaymentExceptionEvent(TypedDict):
    """Money arrived that the payment can not take by itself: late, too much or in a wrong token. It
    waits for `resolvePayment`.
    """

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.exception"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentExpiredEvent(TypedDict):
    """The time ran out, or the merchant cancelled. `reason` and `exception` say more."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.expired"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentFailedEvent(TypedDict):
    """What was seen on the chain never confirmed."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.failed"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentInstructions(TypedDict):
    """What is signed about how a payment is to be paid."""

    version: int
    """1. A verifier refuses versions that it does not know."""
    paymentId: str
    """The payment."""
    merchantId: str
    """The merchant that is paid, whose key signs."""
    merchantName: str
    """The merchant's name."""
    network: str
    """The network of the option that the payer chose."""
    chainId: Optional[int]
    """The chain id of an EVM network, null for others."""
    token: Token
    """The token or coin to send."""
    contract: Optional[str]
    """The contract of the token, null for a native coin."""
    decimals: int
    """How many decimals the token has on this network."""
    address: str
    """Where to send it."""
    amount: str
    """How much is still to be sent, a decimal string in `token`."""
    holdsUntil: str
    """Until when the amount holds; of a coin the end of its quote, else `expiresAt`."""
    expiresAt: str
    """Until when the payer has to pay."""
    issuedAt: str
    """When this was signed, by the clock of the other times; in the sandbox you can move it."""
    livemode: bool
    """False in the sandbox, where money is play money."""


class PaymentLink(TypedDict):
    """A shareable page that asks for one amount, as often as people open it."""

    id: str
    """The id of the link."""
    merchantId: str
    """The merchant that collects."""
    title: str
    """What is sold, the headline of the page."""
    description: Optional[str]
    """More about it; null when there is none."""
    amount: Decimal
    """What one payment costs, in USD."""
    currency: Literal["USD"]
    """Links are priced in USD."""
    payerAmount: Union[PayerAmount, Optional[Any]]
    """The amounts between which payers choose, around `amount`; null when everybody pays `amount`."""
    items: List[LineItem]
    """The lines that add up to `amount`; empty when nobody listed any."""
    acceptedTokens: List[Token]
    """The tokens that payers may choose from, as far as they are enabled."""
    slug: str
    """The last part of the link's address."""
    url: str
    """The address to share."""
    status: PaymentLinkStatus
    totalPaid: Decimal
    """The asked amounts of all paid payments together, in USD."""
    paymentCount: int
    """How many payments were paid."""
    maxPayments: Optional[int]
    """How many payments the link takes, open ones included; null for as many as people make."""
    customFields: List[CustomField]
    """What every payer is asked; empty for nothing."""
    thankYou: Optional[str]
    """What a payer reads once they have paid; null for nothing."""
    thankYouUrl: Optional[str]
    """Where a button on that page leads; null for no button."""
    expiresAt: Optional[str]
    """When the link stops taking payments; null when it never does."""
    createdAt: str
    """When the link was created."""
    updatedAt: str
    """When you last changed the link."""


class PaymentLinkCreatedEvent(TypedDict):
    """A payment link was created."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment_link.created"]
    """The type of the event."""
    data: PaymentLink
    """The payment link as it was when the event happened."""


class PaymentLinkExpiredEvent(TypedDict):
    """The time of a payment link ran out."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment_link.expired"]
    """The type of the event."""
    data: PaymentLink
    """The payment link as it was when the event happened."""


class PaymentLinkList(TypedDict):
    """A page of payment links."""

    data: List[PaymentLinkSummary]
    """The links, newest first."""
    pagination: Pagination


class PaymentLinkSummary(TypedDict):
    """A payment link as lists show it."""

    id: str
    """The id of the link."""
    title: str
    """What is sold."""
    amount: Decimal
    """What one payment costs, in USD."""
    currency: Literal["USD"]
    """Links are priced in USD."""
    slug: str
    """The last part of the link's address."""
    url: str
    """The address to share."""
    status: PaymentLinkStatus
    totalPaid: Decimal
    """The asked amounts of all paid payments together, in USD."""
    paymentCount: int
    """How many payments were paid."""
    maxPayments: Optional[int]
    """How many payments the link takes, open ones included; null for as many as people make."""
    expiresAt: Optional[str]
    """When the link stops taking payments; null when it never does."""
    createdAt: str
    """When the link was created."""


class PaymentLinkUpdatedEvent(TypedDict):
    """A payment link was changed, switched on or switched off."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment_link.updated"]
    """The type of the event."""
    data: PaymentLink
    """The payment link as it was when the event happened."""


class PaymentList(TypedDict):
    """A page of payments."""

    payments: List[PaymentSummary]
    """The payments, newest first."""
    pagination: Pagination


class PaymentOption(TypedDict):
    """One way to pay a payment, a token or a coin on a network."""

    token: Token
    network: str
    """The network, for example `ethereum`, `base` or, in the sandbox, `devnet`."""
    chainId: Optional[int]
    """The chain id of an EVM network, null for others."""
    amount: str
    """How much of the token to send, a decimal string; of ETH and BTC with eight decimals."""
    address: str
    """Where to send it. The address belongs to this payment alone."""
    paymentUri: str
    """What a wallet understands when it scans the QR code (EIP-681 or BIP 21)."""
    contract: Optional[str]
    """The contract of the token, null for a native coin."""
    decimals: int
    """How many decimals the token has on this network."""
    quote: Union[PaymentQuote, Optional[Any]]
    """By what a coin comes to its amount; null for USDT and USDC, which count a dollar."""
    unavailable: bool
    """Whether nothing can be paid this way at present, because there has been no reliable rate since
    its quote ended. Choose another option, or wait.
    """


class PaymentPendingEvent(TypedDict):
    """The payer chose a token, or sent less than is needed."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.pending"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentQuote(TypedDict):
    """By what an option in ETH or BTC comes to its amount. It holds for a quarter of an hour and is
    renewed while the payment is open; who sent the amount of the one before has paid by that.
    """

    rate: str
    """How many US dollars one coin counts, a decimal string: what is asked, divided by the amount,
    which is rounded up to eight decimals.
    """
    source: str
    """Where the rate came from."""
    quotedAt: str
    """When the rate was valid on the market."""
    expiresAt: str
    """Until when the amount holds. The next one replaces it then."""


class PaymentRate(TypedDict):
    """The exchange rate that was locked when the payment was quoted."""

    value: str
    """How many units of the payment's currency make one US dollar, a decimal string."""
    source: str
    """Where the rate came from."""
    quotedAt: str
    """When it was valid."""


class PaymentRestoredEvent(TypedDict):
    """The money that `payment.reversed` took back is confirmed on the chain again, and in your
    balance.
    """

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.restored"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentReversedEvent(TypedDict):
    """The chain undid a payment that was paid already. It stays `paid`; its amount was taken back from
    your balance. `payment.restored` tells when it is there again.
    """

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.reversed"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentRevertedEvent(TypedDict):
    """The chain undid a transfer before it was confirmed; the payment is pending again."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["payment.reverted"]
    """The type of the event."""
    data: Payment
    """The payment as it was when the event happened."""


class PaymentSummary(TypedDict):
    """A payment as lists show it."""

    id: str
    """The id of the payment."""
    status: PaymentStatus
    reason: Union[PaymentReason, Optional[Any]]
    exception: Union[PaymentException, Optional[Any]]
    amount: Decimal
    """What was asked, in `currency`."""
    currency: Currency
    cryptoAmount: str
    """The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up."""
    description: Optional[str]
    """What it is for; null when nobody said."""
    customerEmail: Optional[str]
    """Where the payer can be reached, null when they did not say."""
    paidAt: Optional[str]
    """When it became `paid`, null before."""
    createdAt: str
    """When it was created."""


class PaymentTimeline(TypedDict):
    """The story of a payment."""

    data: List[PaymentTimelineEntry]
    """What happened, oldest first."""


class PaymentTimelineEntry(TypedDict):
    """Something that happened to a payment."""

    at: str
    """When it happened."""
    type: str
    """What kind of thing it was: an event type such as `payment.confirming`, or a finer step such as
    `transfer.seen`. New kinds may appear at any time.
    """
    text: str
    """The same in plain words."""
    status: Union[PaymentStatus, Optional[Any]]
    """The state of the payment from then on, null when the step did not change it."""
    txHash: Optional[str]
    """The transaction that it was about, if any."""


class PaymentTransaction(TypedDict):
    """A transfer on the chain that reached the address of the payment."""

    hash: str
    """The hash of the transaction. Where `internal` is true no hash is known, and it starts with
    `internal:`.
    """
    network: str
    """The network that it happened on."""
    token: Token
    amount: str
    """How much arrived, a decimal string."""
    confirmations: int
    """How many blocks confirm it, its own included; 0 while it waits for one."""
    block: int
    """The number of its block, 0 while it waits for one."""
    blockTime: str
    """The time of its block; while it waits for one, when it was first seen."""
    worth: Union[TransferWorth, Optional[Any]]
    """What it counts in US dollars; null for USDT and USDC, which count a dollar."""
    value: Decimal
    """What it is worth in the payment's `currency` at its locked rate, rounded down, whether it counts
    or not.
    """
    astray: Optional[Literal["token", "network", "again", "closed"]]
    """Why the payment does not need it; null when it does.

    - `token`: the payment does not take this token.
    - `network`: the payment takes this token, but not on this network.
    - `again`: enough had come before. Whoever paid twice shows here.
    - `closed`: it came after `expiresAt`, or the payment was cancelled, and that did not change.

    The first two never count in `amountReceived`. The money is in your suspense: accept it by
    `resolve`, or give it
    back by a refund, which goes out in this token on this network.
    """
    internal: bool
    """Whether a contract sent it, in a transaction that is not known by itself. Explorers list it
    among the internal transactions of the address.
    """


class Payout(TypedDict):
    """Money that waits to be sent, for a withdrawal or a refund."""

    kind: Literal["withdrawal", "refund"]
    """What it is."""
    id: str
    """The id of the withdrawal or the refund."""
    status: Literal["approved", "pending", "processing"]
    """`approved` (a withdrawal) and `pending` (a refund) can be paid; `processing` is being paid."""
    merchantId: str
    """Whose money it is."""
    merchantName: str
    """The name of that merchant."""
    merchantStatus: MerchantStatus
    """Only what belongs to an `active` merchant can be paid."""
    network: str
    """The network to send it on."""
    token: str
    """The token to send."""
    tokenAmount: str
    """How much to send, a decimal string in `token`."""
    worth: Decimal
    """What it is in the ledger, in US dollars, without the fee of a withdrawal."""
    destinationAddress: Optional[str]
    """Where to send it; null for a bank account."""
    createdAt: str
    """When it was asked for."""
    waitingSince: str
    """Since when it could be paid."""
    ageSeconds: int
    """For how long that is."""


class PayoutExport(TypedDict):
    """What is to be paid on a network."""

    network: str
    """The network."""
    payouts: List[Payout]
    """What is to be paid, all of it `processing`."""
    refused: List[RefusedPayout]
    """What is not in the files, and why."""
    csv: str
    """A table of `payouts` with a header: `id`, `kind`, `network`, `token`, `contract`, `destination`,
    `amount`, `units` (base units), separated by commas, lines ended by CR LF (RFC 4180).
    """
    safe: Union[SafeBatch, Optional[Any]]
    """A batch for the Transaction Builder of a Safe; null for networks without Safes, and when
    `payouts` is empty.
    """
    psbt: Union[PsbtFile, Optional[Any]]
    """An unsigned transaction that pays all, on a network of Bitcoin; null elsewhere, and when
    `payouts` is empty.
    """


class PayoutList(TypedDict):
    """A page of payouts."""

    payouts: List[Payout]
    """The payouts, the longest waiting first."""
    pagination: Pagination


class PermissionEntry(TypedDict):
    """A permission and what it allows."""

    name: Permission
    description: str
    """What it allows, in words."""


class PermissionList(TypedDict):
    """The catalogue of permissions."""

    data: List[PermissionEntry]
    """Every permission that there is."""


class PermitToSign(TypedDict):
    """An allowance that the wallet signs besides the transfer (ERC-2612), because Permit2 may not move
    its tokens yet. It is of just the transfer's amount, and as short.
    """

    nonce: str
    """The number of the allowance, which the token counts for each wallet. Send it back with the
    signature.
    """
    typedData: Dict[str, Any]
    """What the wallet signs by `eth_signTypedData_v4`, EIP-712 data of the type `Permit`."""


class Plan(TypedDict):
    """What customers subscribe to, an amount that comes again and again."""

    id: str
    """The id of the plan."""
    name: str
    """What is sold."""
    amount: Decimal
    """What is charged in every interval, in `currency`."""
    currency: Currency
    interval: SubscriptionInterval
    trialDays: int
    """How many days a new subscriber pays nothing."""
    description: Optional[str]
    """More about it, for the page on which customers agree; null when there is none."""
    active: bool
    """Whether the plan takes new subscribers. Those that it has go on either way."""
    subscriberCount: int
    """How many subscriptions of the plan are `active`."""
    token: SubscriptionToken
    network: str
    """The network that the plan is charged on."""
    url: str
    """The page of the plan, where customers subscribe with their own wallet. Share it as it is."""
    createdAt: str
    """When the plan was created."""


class PlanList(TypedDict):
    """A page of subscription plans."""

    plans: List[Plan]
    """The plans, newest first."""
    pagination: Pagination


class PlanSubscription(TypedDict):
    """The subscription of a wallet to a plan."""

    id: str
    """The id of the subscription."""
    url: str
    """The page on which the customer agrees, and sees it afterwards."""
    isNew: bool
    """False for a wallet that subscribed to the plan before."""


class PlatformSettings(TypedDict):
    """What the platform's owners can change while it runs. Every process follows within a second."""

    version: int
    """Counts the changes. Send it back with a change, so that nobody overwrites what they have not
    seen.
    """
    allowPendingMerchantsToCollect: bool
    """Whether merchants may collect before they are approved. One that was rejected waits for its
    approval in any case.
    """
    paymentFeeBps: int
    """The platform's fee on payments, in hundredths of a percent."""
    paymentToleranceBps: int
    """By how much less than asked a payment may bring and still be paid, in hundredths of a percent.
    Merchants may set their own.
    """
    paymentToleranceMax: str
    """The most that the tolerance comes to, in US dollars."""
    rateSpreadBps: int
    """By how much less than on the market ETH and BTC count when a payment is quoted in them, in
    hundredths of a percent. It covers what a price moves while a quote holds.
    """
    paymentExpiryMinutes: int
    """How long a payment waits for the payer unless it says otherwise."""
    lateWindowHours: int
    """How long after its deadline a payment is still taken, as late."""
    confirmations: Dict[str, int]
    """How deep a block must lie to be counted on, by network, where that is deeper than its
    configuration says: of the two the stricter counts. It counts for blocks that are looked at from
    now on.
    """
    manualRates: Dict[str, str]
    """Units of a currency in one US dollar, by pair. They win over every source."""
    withdrawalMin: str
    """The least that a merchant can withdraw at once, before the fee, in US dollars."""
    withdrawalMax: str
    """The most that a merchant can withdraw at once."""
    withdrawalDailyMax: str
    """The most that a merchant can withdraw within 24 hours."""
    withdrawalMaxOpen: int
    """How many withdrawals of a merchant may wait or be on their way at once."""
    withdrawalFees: WithdrawalFees
    refundDailyMax: str
    """The most that a merchant can give back within 24 hours to others than the wallet that paid, in
    US dollars. What payers take from the page of their payment does not count.
    """
    fourEyesThreshold: Optional[str]
    """From this amount on, the administrator who approved a withdrawal must not complete it, and the
    one who began to pay a refund must not complete it, nor fail it or a withdrawal while it is
    `processing`. Null asks that of none.
    """
    changeDelayHours: int
    """How long a change that touches where money goes is announced before it takes effect."""
    verifyPayoutOnChain: bool
    """Whether a crypto withdrawal is complete only when the chain says so, on every network that we
    watch.
    """
    payoutWallets: List[str]
    """Addresses that payouts must come from. With none, any transfer to the destination that fits and
    is no older than the approval counts as the payout, whoever sent it: on a live platform, name
    yours.
    """
    offRampAddress: Optional[str]
    """Where the crypto of bank withdrawals is sent. Null when that happens elsewhere."""
    relayMinAmount: Optional[str]
    """From this worth on, in US dollars, we bring transfers that payers have signed to the chain and
    pay for that. Null turns it off.
    """
    relayDailyMax: int
    """How many signed transfers we send for one merchant within 24 hours. Of one wallet we take 10."""
    mandateDeadlineHours: int
    """How long a subscription without a trial waits for the customer to agree, before it is cancelled."""
    webhookRetentionDays: int
    """How long what was sent to webhook endpoints is kept. Events stay."""
    auditRetentionDays: Optional[int]
    """How long entries of the audit log are kept. Always null, for ever, at present."""
    updatedAt: Optional[str]
    """When the settings were last changed; null when they never were."""
    pendingChanges: List[GuardedChange]
    """Changes of settings that wait for their approval or their time, oldest first."""


class ProcessRefundRequest(TypedDict, total=False):
    """What to note."""

    notes: str
    """A note for other administrators."""


class ProcessWithdrawalRequest(TypedDict, total=False):
    """What there is to say about it."""

    notes: str
    """A note for administrators. An empty or blank one leaves the note before."""


class PsbtFile(TypedDict):
    """A transaction of Bitcoin that nobody has signed."""

    psbt: str
    """The transaction by BIP174, in base64, for your wallet to sign."""
    txHash: str
    """The hash that it has when it is signed as it is."""
    fee: str
    """The fee, in the network's coin."""
    feeRate: int
    """The fee in satoshis a virtual byte."""


class PublicCheckoutSession(TypedDict):
    """What a payer may know about a checkout session."""

    id: str
    """The id of the session."""
    status: CheckoutSessionStatus
    amount: Decimal
    """The amount to pay, in `currency`."""
    currency: Currency
    merchantName: str
    """Who asks for the money."""
    paymentId: str
    """The payment of this session. Read it at `/v1/public/payments/{id}`."""
    checkoutUrl: str
    """The hosted page."""
    successUrl: str
    """Where the customer goes after paying. The page adds `session_id` to its query."""
    cancelUrl: str
    """Where the customer goes when they turn back. The page adds `session_id` to its query."""
    expiresAt: str
    """Until when the session can be paid."""
    livemode: bool
    """False in the sandbox, where money is play money."""


class PublicPayment(TypedDict):
    """What a payer may know about a payment. It never shows `metadata`, `customerEmail` or
    `customFields`.
    """

    id: str
    """The id of the payment."""
    status: PaymentStatus
    reason: Union[PaymentReason, Optional[Any]]
    exception: Union[PaymentException, Optional[Any]]
    merchantName: str
    """Who asks for the money."""
    merchantContact: MerchantContact
    merchantBrand: MerchantBrand
    merchantCollects: bool
    """Whether the merchant may take payments at present. While it may not, an open payment has no
    `options` and nowhere to pay, and the page says so. What is on its way is credited all the same.
    """
    embedOrigins: List[str]
    """The websites whose pages may show this page in a frame, each as its origin. Empty when none may."""
    amount: Decimal
    """What is asked, in `currency`."""
    currency: Currency
    description: Optional[str]
    """What it is for; null when nobody said."""
    items: List[LineItem]
    """The lines that add up to `amount`; empty when nobody listed any."""
    rate: PaymentRate
    token: Token
    """The token that the payer chose; until they choose, and when the network of their choice is no
    longer listed while the payment is open, the first option's.
    """
    network: str
    """The network of the chosen option."""
    tokenAmount: str
    """What the chosen option asks, a decimal string in `token`."""
    cryptoAmount: str
    """The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up."""
    cryptoAddress: str
    """Where to pay with the chosen option. Empty when no option is left, because nobody would see the
    money, and while the chosen one is `unavailable`.
    """
    paymentUri: str
    """What a wallet understands when it scans the QR code (EIP-681 or BIP 21), for the chosen option.
    While only a part has arrived it asks for the rest. Empty when `cryptoAddress` is.
    """
    options: List[PaymentOption]
    """Every way to pay, USDT first. Leaves out networks and coins that are no longer listed; none
    while an open payment's merchant may not take payments (`merchantCollects`).
    """
    amountReceived: Decimal
    """The worth of what has been seen at the locked rate, confirmed or not, in `currency`, rounded
    down.
    """
    amountDue: Decimal
    """What is still missing, in `currency`, rounded up; 0 when enough has been seen."""
    amountRefunded: Decimal
    """What of it was given back or is on its way back, in `currency`, rounded down."""
    refundOffer: Union[RefundOffer, Optional[Any]]
    """Money that the merchant's rules give back to whoever takes it with `POST
    /v1/public/payments/{id}/refund`; null when there is none.
    """
    tokenAmountDue: str
    """What is still missing, a decimal string in `token`; zero when enough has been seen."""
    confirmations: PaymentConfirmations
    transactions: List[PaymentTransaction]
    """The transfers that reached the address, newest first, at most 20."""
    replaced: List[ReplacedTransfer]
    """Transfers to the address that were seen waiting for a block and are gone, newest first, at most
    5. Nothing of them counts. Only networks whose transfers are seen before their block have such,
    like `bitcoin`.
    """
    expiresAt: str
    """Until when the payer has to pay."""
    paidAt: Optional[str]
    """When it became `paid`, null before."""
    successUrl: Optional[str]
    """Where a checkout session sends the payer after paying, null for other payments."""
    cancelUrl: Optional[str]
    """Where a checkout session sends the payer when they turn back, null for other payments."""
    thankYou: Optional[str]
    """What the merchant says to whoever has paid through a link; null before it is paid, and when they
    say nothing.
    """
    thankYouUrl: Optional[str]
    """Where the merchant leads whoever has paid through a link; null before it is paid, and when there
    is nowhere.
    """
    sessionId: Optional[str]
    """The checkout session that it belongs to, null for others."""
    linkSlug: Optional[str]
    """The slug of the payment link that it was started from, as it was then, so that its payer can
    start again; null for others.
    """
    qrCodeUrl: str
    """A PNG of the QR code of `paymentUri`."""
    livemode: bool
    """False in the sandbox, where money is play money."""


class PublicPaymentLink(TypedDict):
    """What a payer may know about a payment link."""

    id: str
    """The id of the link."""
    title: str
    """What is sold."""
    description: Optional[str]
    """More about it; null when there is none."""
    amount: Decimal
    """What it costs, in USD."""
    currency: Literal["USD"]
    """Links are priced in USD."""
    displayAmount: Union[DisplayAmount, Optional[Any]]
    """About what `amount` is in rupees, for payers who think in them; null while there is no reliable
    rate.
    """
    payerAmount: Union[PayerAmount, Optional[Any]]
    """The amounts between which payers choose, around `amount`; null when everybody pays `amount`."""
    items: List[LineItem]
    """The lines that add up to `amount`; empty when nobody listed any."""
    acceptedTokens: List[Token]
    """The tokens that the payer may choose from, as far as they are enabled."""
    slug: str
    """The last part of the link's address."""
    url: str
    """The address of the page."""
    merchantName: str
    """Who asks for the money."""
    merchantBrand: MerchantBrand
    merchantCollects: bool
    """Whether the merchant may take payments at present. While it may not, no payment of the link can
    be started.
    """
    embedOrigins: List[str]
    """The websites whose pages may show this page in a frame, each as its origin. Empty when none may."""
    customFields: List[CustomField]
    """What the payer is asked; empty for nothing."""
    maxPayments: Optional[int]
    """How many payments the link takes; null for as many as people make."""
    paymentsLeft: Optional[int]
    """How many can be started now; null without `maxPayments`. At 0 no payment starts."""
    paymentsOpen: Optional[int]
    """How many were started and are neither paid nor over; null without `maxPayments`. Each may still
    give its place back.
    """
    status: PaymentLinkStatus
    expiresAt: Optional[str]
    """When the link stops taking payments; null when it never does."""
    livemode: bool
    """False in the sandbox, where money is play money."""


class PublicPlan(TypedDict):
    """What everybody may know about a plan."""

    id: str
    """The id of the plan."""
    merchantName: str
    """Who asks for the money."""
    merchantContact: MerchantContact
    merchantBrand: MerchantBrand
    name: str
    """What is sold."""
    description: Optional[str]
    """More about it; null when there is none."""
    amount: Decimal
    """What is charged in every interval, in `currency`."""
    currency: Currency
    interval: SubscriptionInterval
    trialDays: int
    """How many days a new subscriber pays nothing."""
    active: bool
    """Whether one can subscribe now. False, too, while the merchant may not collect or the network is
    not offered.
    """
    token: SubscriptionToken
    network: str
    """The network that it is charged on."""
    chainId: Optional[int]
    """The chain id of that network; null where it is not offered at present."""
    livemode: bool
    """False in the sandbox, where money is play money."""


class PublicRefund(TypedDict):
    """What a payer may know about a refund."""

    status: RefundStatus
    merchantName: str
    """Who gives the money back."""
    merchantContact: MerchantContact
    merchantBrand: MerchantBrand
    paymentId: str
    """The payment that it gives back."""
    paymentAmount: Decimal
    """What that payment asked, in `currency`."""
    amount: Decimal
    """What is given back, in `currency`."""
    currency: Currency
    token: Token
    """The token that is sent."""
    network: str
    """The network that it is sent on."""
    tokenAmount: str
    """What is sent, a decimal string in `token`; fixed when the refund is made. Of ETH and BTC more
    than an hour after they came it is no more than `amount` was worth then.
    """
    reason: str
    """Why, in the merchant's words."""
    destinationAddress: Optional[str]
    """Where it goes; null until somebody said so."""
    isChangeable: bool
    """Whether that can still be said or changed."""
    isProven: bool
    """Whether the wallet that paid has signed for that address. Then only that wallet can change it."""
    wallet: Union[RefundWallet, Optional[Any]]
    """The wallet that paid the most of it, which may claim it by a signature; null where none is
    known, such as for Bitcoin, and once nothing can be changed. An exchange's wallet can't sign for
    its customers.
    """
    txHash: Optional[str]
    """The transaction that paid it; null before."""
    createdAt: str
    """When it was made."""
    livemode: bool
    """False in the sandbox, where money is play money."""


class PublicSubscription(TypedDict):
    """What a customer may know about a subscription. It never shows `customerEmail` or `customerName`."""

    id: str
    """The id of the subscription."""
    merchantName: str
    """Who asks for the money."""
    merchantContact: MerchantContact
    merchantBrand: MerchantBrand
    merchantCollects: bool
    """Whether the merchant may take payments at present. While it may not, the customer is asked for
    nothing: `typedData` is null unless a signature was sent before.
    """
    planName: str
    """What is sold."""
    description: Optional[str]
    """More about it; null when there is none."""
    amount: Decimal
    """What is charged in every interval, in `currency`."""
    currency: Currency
    interval: SubscriptionInterval
    status: SubscriptionStatus
    cancelReason: Union[SubscriptionCancelReason, Optional[Any]]
    trialEnd: Optional[str]
    """When the trial ends or ended, null without one."""
    firstChargeAt: str
    """When the first charge is or was due. Once it has passed, a charge follows as soon as the
    customer agrees; one who agrees more than an hour later pays for a period that begins then.
    """
    nextChargeAt: Optional[str]
    """When the wallet is charged next, for a new period or again for one that failed. null when
    nothing more will be charged, while a first charge waits for the customer to agree, and while
    the merchant may not collect.
    """
    currentPeriodEnd: str
    """When the present period ends."""
    paidUntil: Optional[str]
    """When the last period ends that is paid; null as long as none is. The first period begins before
    it is paid, and a reorg of the chain may take a charge back until it is collected again, so
    `currentPeriodEnd` alone does not say that.
    """
    walletAddress: str
    """The wallet that pays, and that has to agree."""
    network: str
    """The network that it is charged on."""
    chainId: int
    """The chain id of that network."""
    token: SubscriptionToken
    tokenContract: str
    """The contract of the token."""
    tokenDecimals: int
    """How many decimals the token has."""
    collector: str
    """The contract that collects, which the wallet allows to take the token."""
    mandateStatus: MandateStatus
    agreeBy: AgreementMethod
    submittedAt: Optional[str]
    """Since when a signature waits for the chain to take it, null when none was sent for this mandate."""
    failureCode: Union[ChargeFailureCode, Optional[Any]]
    """Why the last try to charge failed, null when it did not."""
    mandate: Mandate
    typedData: Union[MandateTypedData, Optional[Any]]
    terms: MandateTerms
    allowance: TokenAllowance
    livemode: bool
    """False in the sandbox, where money is play money."""


class RecordedEvent(TypedDict):
    """An event as it was announced, and its place in your feed once it has one."""

    position: Optional[int]
    """Its place in your feed, counted from 1 without gaps; null for about a second."""
    id: str
    """The id of the event, the same that a webhook carries. Remember it to handle an event once."""
    type: EventType
    createdAt: str
    """When it happened."""
    previousHash: Optional[str]
    """The `hash` of the event before, 64 hexadecimal digits; zeros for the first; null as long as it
    has no place.
    """
    hash: Optional[str]
    """The SHA-256 over its place, `previousHash` and `body`, 64 hexadecimal digits; null as long as it
    has no place.
    """
    body: str
    """The event as JSON text, the same bytes that a webhook carries. The hash is over exactly these,
    so parse it afterwards. Empty when the event is `pruned`.
    """
    pruned: bool
    """True when the event is about a payment of a link that nobody paid and that was removed 30 days
    after it ended. Its `body` is gone, so its `hash` can't be computed any more; the chain goes on
    with it.
    """


class RecoverWebhooksRequest(TypedDict):
    """From when on events are sent again."""

    since: str
    """Events that happened then or later, a date-time with its offset."""


class RefreshAdminSessionRequest(TypedDict):
    """The refresh token to trade in."""

    refreshToken: str
    """The newest refresh token of the session. Each works once."""


class RefreshMerchantSessionRequest(TypedDict):
    """The refresh token to trade in."""

    refreshToken: str
    """The newest refresh token of the session. Each works once."""


class Refund(TypedDict):
    """Money of a payment that goes back to its payer."""

    id: str
    """The id of the refund."""
    paymentId: str
    """The payment that it gives back."""
    status: RefundStatus
    statusMessage: Optional[str]
    """Why it failed, in plain words; null otherwise."""
    amount: Decimal
    """What is given back of the payment, in its currency and at its locked rate, rounded down together
    with what goes back beside it.
    """
    currency: Currency
    token: Token
    """The token that is sent, which is the one that was paid."""
    network: str
    """The network that it is sent on, which is the one that it was paid on."""
    tokenAmount: str
    """What is sent, a decimal string in `token`; fixed when the refund is made. Of ETH and BTC more
    than an hour after they came it is no more than `amount` was worth then.
    """
    reason: str
    """Why it is given back, in your words. The payer reads it."""
    offered: bool
    """Whether the payer took it from the payment's page, where your rules offered it."""
    destinationAddress: Optional[str]
    """Where it goes; null until that is known."""
    txHash: Optional[str]
    """The transaction that paid it; null until it is `completed`."""
    createdAt: str
    """When you made it."""
    finishedAt: Optional[str]
    """When it became `completed`, `cancelled` or `failed`; null before."""


class RefundCancelledEvent(TypedDict):
    """A refund was taken back, and its money is where it was."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["refund.cancelled"]
    """The type of the event."""
    data: Refund
    """The refund as it was when the event happened."""


class RefundCompletedEvent(TypedDict):
    """A refund is paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["refund.completed"]
    """The type of the event."""
    data: Refund
    """The refund as it was when the event happened."""


class RefundCreatedEvent(TypedDict):
    """A refund was made, and its money is held."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["refund.created"]
    """The type of the event."""
    data: Refund
    """The refund as it was when the event happened."""


class RefundFailedEvent(TypedDict):
    """A refund could not be paid, and its money is where it was."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["refund.failed"]
    """The type of the event."""
    data: Refund
    """The refund as it was when the event happened."""


class RefundList(TypedDict):
    """A page of refunds."""

    refunds: List[Refund]
    """The refunds, newest first."""
    pagination: Pagination


class RefundOffer(TypedDict):
    """Money of a payment that its payer may have back at once."""

    amount: Decimal
    """What comes back of the payment, in `currency` and at its locked rate, rounded down."""
    currency: Currency
    token: Token
    """The token that is sent, which is the one that was paid."""
    network: str
    """The network that it is sent on."""
    tokenAmount: str
    """What is sent if it is taken now, a decimal string in `token`."""
    isEstimate: bool
    """Whether less than `tokenAmount` may be sent, or more of it again, when it is taken later: of ETH
    and BTC more than an hour after they came, no more than `amount` is worth at that moment. False
    once it was taken.
    """


class RefundPendingEvent(TypedDict):
    """It is known where a refund goes, or that has changed."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["refund.pending"]
    """The type of the event."""
    data: Refund
    """The refund as it was when the event happened."""


class RefundProcessingEvent(TypedDict):
    """A refund is being paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["refund.processing"]
    """The type of the event."""
    data: Refund
    """The refund as it was when the event happened."""


class RefundRevertedEvent(TypedDict):
    """The chain took the payout of a refund back. It is paid anew, or fails."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["refund.reverted"]
    """The type of the event."""
    data: Refund
    """The refund as it was when the event happened."""


class RefundWallet(TypedDict):
    """A wallet that paid, and what it signs to get a refund."""

    address: str
    """Its address."""
    message: str
    """What it signs to have the money sent there (EIP-191, or ERC-1271 for a wallet that is a
    contract).
    """


class RefusedPayout(TypedDict):
    """A payout, and why nothing happened to it."""

    id: str
    """The id of the withdrawal or the refund."""
    code: str
    """The error's code, as if it had been asked for alone."""
    reason: Optional[str]
    """The error's reason, if it has one."""
    message: str
    """What is wrong, and the cure."""


class RegisterMerchantRequest(TypedDict):
    """What a new merchant tells about itself."""

    businessName: str
    """The legal name of the business. Payers see it."""
    email: str
    """The e-mail address to log in with, unique on the platform whatever its case."""
    password: str
    """8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit."""
    phone: str
    """The phone number in international form, starting with `+` and the country code. Stored in E.164
    form.
    """
    businessType: BusinessType


class RejectMerchantRequest(TypedDict):
    """Why the merchant is rejected."""

    reason: str
    """What is wrong and what would cure it. The merchant reads it."""


class RejectWithdrawalRequest(TypedDict):
    """Why it is refused."""

    reason: str
    """Why, for the merchant to read. Spaces alone are refused."""


class RenewRefundClaimRequest(TypedDict, total=False):
    """The code of the second factor, where one is needed."""

    otp: str
    """The one-time code or a recovery code, needed in a session when two-factor authentication is on;
    ignored otherwise.
    """


class _ReorgSandboxChainRequest(TypedDict):
    depth: int
    """How many of the newest blocks to replace."""


class ReorgSandboxChainRequest(_ReorgSandboxChainRequest, total=False):
    """How much of the chain to replace."""

    keepTransactions: bool
    """Whether the transactions of the replaced blocks are in the new ones too. With false they are
    gone.
    """
    network: SandboxNetworkName


class _ReplaceSandboxTransferRequest(TypedDict):
    by: Literal["same_address", "other_address", "double_spend", "nothing"]
    """`same_address`: a transaction that pays miners more, and the payment the same. `other_address`:
    one that pays miners more, and somebody else instead of the payment. `double_spend`: one in a
    block that is mined at once, which spends the same coins elsewhere. `nothing`: the pool drops
    the transaction, as nodes do with one that nobody mines.
    """


class ReplaceSandboxTransferRequest(_ReplaceSandboxTransferRequest, total=False):
    """What is to become of a transfer that waits in the pool."""

    txHash: str
    """The transaction. The newest one that waits and pays this payment when you leave it out."""


class ReplacedTransfer(TypedDict):
    """A transfer that was seen and that the network took back: while it waited for a block, because
    its sender replaced it or because no block took it, or together with the block that held it.
    """

    hash: str
    """The hash of the transaction that is gone."""
    network: str
    """The network where it was."""
    by: Optional[str]
    """The hash of the transaction that spends the same money now; null when there is none, or none is
    known. It need not pay this payment.
    """
    undone: bool
    """Whether a block had held it that is gone. It may come in another one."""
    at: str
    """When it had been seen for the first time."""


class ResolveIncidentRequest(TypedDict):
    """Why it is over."""

    note: str
    """What it was, and what you did about it."""


class _ResolvePaymentRequest(TypedDict):
    action: Literal["accept", "refund"]
    """`accept` takes the money into your available balance. `refund` gives all that waits back to its
    payer, in a refund for each token; with an API key it also needs the scope `settlements:write`.
    """


class ResolvePaymentRequest(_ResolvePaymentRequest, total=False):
    """What to do with the money that waits."""

    reason: str
    """Why it goes back, in plain words for your payer; needed for `refund`, ignored otherwise."""
    otp: str
    """The one-time code or a recovery code, needed for `refund` in a session when two-factor
    authentication is on; ignored otherwise.
    """


class ResolvedPayment(TypedDict):
    """A payment after a decision, with the refunds that the decision made."""

    id: str
    """The id of the payment."""
    status: PaymentStatus
    reason: Union[PaymentReason, Optional[Any]]
    exception: Union[PaymentException, Optional[Any]]
    amount: Decimal
    """What was asked, in `currency`."""
    currency: Currency
    cryptoAmount: str
    """The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up."""
    cryptoAddress: str
    """Where to pay with the chosen option. Empty while the payment is open and no option is left, or
    the chosen one is `unavailable`, and while you may not take payments.
    """
    token: Token
    """The token that the payer chose; until they choose, and when the network of their choice is no
    longer listed while the payment is open, the first option's.
    """
    network: str
    """The network of the chosen option."""
    tokenAmount: str
    """What the chosen option asks, a decimal string in `token`."""
    paymentUri: str
    """What a wallet understands when it scans the QR code (EIP-681 or BIP 21), for the chosen option.
    While only a part has arrived it asks for the rest. Empty when `cryptoAddress` is.
    """
    options: List[PaymentOption]
    """Every way to pay, USDT first. Leaves out networks and coins that are no longer listed, while the
    payment is open; none while it is open and you may not take payments, as when your account is
    frozen.
    """
    amountReceived: Decimal
    """The worth of what has been seen at the locked rate, confirmed or not, in `currency`, rounded
    down.
    """
    amountDue: Decimal
    """What is still missing, in `currency`, rounded up; 0 when enough has been seen."""
    amountRefunded: Decimal
    """What of it was given back or is on its way back to the payer, in `currency`, rounded down."""
    tokenAmountDue: str
    """What is still missing, a decimal string in `token`; zero when enough has been seen."""
    confirmations: PaymentConfirmations
    transactions: List[PaymentTransaction]
    """The transfers that reached the address, newest first, at most 20."""
    txHash: Optional[str]
    """The hash of the first transfer that counted, null until one is detected."""
    rate: PaymentRate
    qrCodeUrl: str
    """A PNG of the QR code of `paymentUri`."""
    checkoutUrl: str
    """The hosted page where the payer can pay."""
    description: Optional[str]
    """What it is for; null when nobody said. For a link, its title at the time."""
    items: List[LineItem]
    """The lines that add up to `amount`; empty when nobody listed any."""
    customerEmail: Optional[str]
    """Where the payer can be reached, null when they did not say."""
    metadata: Metadata
    customFields: List[CustomFieldAnswer]
    """What the payer answered to the questions of a payment link, in their order, without those that
    were left open; empty for other payments.
    """
    paymentLinkId: Optional[str]
    """The payment link that it was started through, null for others."""
    sessionId: Optional[str]
    """The checkout session that it belongs to, null for others."""
    subscriptionId: Optional[str]
    """The subscription that it was collected for, null for others."""
    chargeId: Optional[str]
    """The charge of that subscription, null for others."""
    paidAt: Optional[str]
    """When it became `paid`, null before."""
    expiresAt: str
    """Until when the payer has to pay."""
    createdAt: str
    """When it was created."""
    refundsMade: List[CreatedRefund]
    """What goes back, with the links by which it is claimed; empty for `accept`."""


class Role(TypedDict):
    """What a group of administrators may do."""

    id: str
    """The id of the role."""
    name: str
    """The name of the role, unique, in lower case with underscores."""
    description: str
    """What the role is for."""
    permissions: List[Permission]
    """Everything that the role allows. super_admin allows everything that there is."""
    createdAt: str
    """When the role was made."""
    updatedAt: str
    """When the role was last changed."""


class RoleList(TypedDict):
    """All roles."""

    data: List[Role]
    """The roles, newest first."""


class RoleReference(TypedDict):
    """The role of an administrator."""

    id: str
    """The id of the role."""
    name: str
    """The name of the role."""


class RotateApiKeyRequest(TypedDict, total=False):
    """How long the old key goes on working beside the new one, and the code that this may need."""

    overlapHours: int
    """From 0 (it stops now) to 168 hours, 24 when left out. A key that would expire earlier still
    does.
    """
    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on
    and the key may do `settlements:write`, ignored otherwise.
    """


class RotateWebhookKeysRequest(TypedDict, total=False):
    """How long the old keys sign along."""

    gracePeriodSeconds: int
    """How long the key that is active now signs along with the new one, 0 to 604800 seconds (a week),
    a day when left out. With 0 every old key ends at once, also those that are retiring already;
    receivers that fetch the keys take what an old one signs until they fetch them anew, which our
    clients do after five minutes.
    """


class SafeBatch(TypedDict):
    """Transactions for the Transaction Builder of a Safe, version 1.0 of its file."""

    version: Literal["1.0"]
    """The version of the file."""
    chainId: str
    """The chain, as a decimal number."""
    createdAt: int
    """When it was made, in milliseconds since 1970."""
    meta: SafeBatchMeta
    transactions: List[SafeTransaction]
    """One for each payout, in their order."""


class SafeBatchMeta(TypedDict):
    """What the file is."""

    name: str
    """Its name."""
    description: str
    """What is in it."""


class SafeTransaction(TypedDict):
    """A transaction of a Safe."""

    to: str
    """The token's contract, or where the coin goes."""
    value: str
    """Base units of the chain's coin."""
    data: str
    """The call of the token's contract, `0x` for the coin."""


class SandboxChainHead(TypedDict):
    """The newest block of a test chain."""

    network: str
    """The network."""
    blockNumber: int
    """The number of the block."""
    blockHash: str
    """Its hash."""
    blockTime: str
    """Its time."""


class SandboxClock(TypedDict):
    """The business clock, which decides expiry."""

    now: str
    """What the business clock shows."""
    offsetMs: int
    """How far it is ahead of the real clock, in milliseconds."""


class SandboxCustomer(TypedDict):
    """A customer of play, with their wallet."""

    subscription: Subscription
    wallet: SandboxWallet


class SandboxInfo(TypedDict):
    """What the sandbox is made of."""

    networks: List[SandboxNetwork]
    """The test networks."""
    missing: List[SandboxMissingNetwork]
    """The test networks that could not start; everything else works without them."""
    mnemonic: str
    """The well-known test phrase of the networks' rich accounts. Never use it with real money."""


class SandboxMissingNetwork(TypedDict):
    """A test network that could not start."""

    network: str
    """The name of the network."""
    message: str
    """Why, and what helps."""


class SandboxNetwork(TypedDict):
    """A test network and the contracts on it."""

    network: str
    """The name of the network."""
    chainId: Optional[int]
    """The chain id of an EVM network, null for others."""
    rpcUrl: str
    """Where its node listens. Point a wallet at it. A Bitcoin node asks for user and password, which
    are in the data folder of the sandbox.
    """
    confirmations: int
    """How many confirmations payments wait for."""
    factory: Optional[str]
    """The contract that deposit addresses derive from, null where they derive from a key."""
    collector: Optional[str]
    """The contract that collects recurring payments, null when there is none."""
    treasury: Optional[str]
    """The only address that deposits can be swept to, null where they stay in a wallet."""
    tokens: List[SandboxToken]
    """The tokens that can be paid with."""


_SandboxPayoutOdd = TypedDict(
    "_SandboxPayoutOdd",
    {
        # The wallet that paid, the same for every payout.
        "from": "str",
    },
)


class SandboxPayout(_SandboxPayoutOdd):
    """A payout that the sandbox made on its chain."""

    withdrawalId: str
    """The withdrawal that it is for."""
    txHash: str
    """The hash of the transaction, with which the withdrawal is completed."""
    network: str
    """The network that it happened on."""
    token: Token
    amount: str
    """How much was sent, a decimal string."""
    to: str
    """The destination of the withdrawal."""
    block: int
    """The number of the block with the transfer."""


_SandboxRefundPayoutOdd = TypedDict(
    "_SandboxRefundPayoutOdd",
    {
        # The wallet that paid, the same for every payout.
        "from": "str",
    },
)


class SandboxRefundPayout(_SandboxRefundPayoutOdd):
    """A payout that the sandbox made on its chain."""

    refundId: str
    """The refund that it is for."""
    txHash: str
    """The hash of the transaction, with which the refund is completed."""
    network: str
    """The network that it happened on."""
    token: Token
    amount: str
    """How much was sent, a decimal string."""
    to: str
    """The destination of the refund."""
    block: int
    """The number of the block with the transfer."""


class SandboxReplacement(TypedDict):
    """What became of a transfer that waited in the pool."""

    paymentId: str
    """The payment that it paid."""
    network: str
    """The network that it happened on."""
    replacedTxHash: str
    """The transaction that is gone."""
    txHash: Optional[str]
    """The transaction in its place, null when there is none."""
    block: int
    """The number of the block with that transaction, 0 when there is none or it waits in the pool."""


class SandboxToken(TypedDict):
    """A test token."""

    token: Token
    contract: Optional[str]
    """Its contract, null for a native coin."""
    decimals: int
    """How many decimals it has."""


_SandboxTransferOdd = TypedDict(
    "_SandboxTransferOdd",
    {
        # The wallet that paid.
        "from": "str",
    },
)


class SandboxTransfer(_SandboxTransferOdd):
    """A transfer that the sandbox made on its chain."""

    paymentId: str
    """The payment that was paid."""
    txHash: str
    """The hash of the transaction."""
    network: str
    """The network that it happened on."""
    token: Token
    amount: str
    """How much was sent, a decimal string."""
    to: str
    """The address that was paid."""
    block: int
    """The number of the block with the transfer, 0 while it waits in the pool."""


class SandboxWallet(TypedDict):
    """A new test wallet with play money in it."""

    address: str
    """Its address."""
    privateKey: str
    """Its private key, to import into any wallet. It is shown only here."""
    network: str
    """The network that it was funded on."""
    balances: List[SandboxWalletBalance]
    """What it holds, the coin for fees included."""


class SandboxWalletBalance(TypedDict):
    """What a test wallet holds of one token."""

    token: Token
    contract: Optional[str]
    """The contract of the token, null for a native coin."""
    amount: str
    """How much, a decimal string."""


class SandboxWalletState(TypedDict):
    """A wallet that the sandbox has made, as the chain knows it now."""

    address: str
    """Its address."""
    network: str
    """The network that it is on."""
    token: Token
    """The token that `balance` and `allowance` count."""
    balance: str
    """How much of the token it holds, a decimal string."""
    allowance: str
    """How much of the token the subscription contract may still take, whatever the mandates say."""


class SealedEvent(TypedDict):
    """An event in your feed."""

    position: int
    """Its place in your feed, counted from 1 without gaps."""
    id: str
    """The id of the event, the same that a webhook carries. Remember it to handle an event once."""
    type: EventType
    createdAt: str
    """When it happened."""
    previousHash: str
    """The `hash` of the event before, 64 hexadecimal digits; zeros for the first."""
    hash: str
    """The SHA-256 over its place, `previousHash` and `body`, 64 hexadecimal digits."""
    body: str
    """The event as JSON text, the same bytes that a webhook carries. The hash is over exactly these,
    so parse it afterwards. Empty when the event is `pruned`.
    """
    pruned: bool
    """True when the event is about a payment of a link that nobody paid and that was removed 30 days
    after it ended. Its `body` is gone, so its `hash` can't be computed any more; the chain goes on
    with it.
    """


class SealedEventList(TypedDict):
    """A piece of the feed."""

    data: List[SealedEvent]
    """The events, oldest first, each with the position after the one before."""
    hasMore: bool
    """Whether there are more behind the last of them already."""


class SelectPaymentOptionRequest(TypedDict):
    """The option that the payer chose, one of the payment's `options`."""

    token: Token
    network: str
    """The network of the option."""


class SetUpTwoFactorRequest(TypedDict):
    """Who asks, once more."""

    password: str
    """Your password, so that nobody who finds a session open can lock you out of your account."""


class SettlementBalance(TypedDict):
    """What you have, in US dollars, rounded down to cents."""

    availableBalance: Decimal
    """What you can withdraw, which is confirmed payments less withdrawals that are open or completed.
    Never below 0.
    """
    pendingBalance: Decimal
    """Payments that are still confirming on the chain."""
    heldBalance: Decimal
    """What your open withdrawals hold."""
    totalEarned: Decimal
    """Everything that was ever confirmed, before fees, less what was reversed."""
    owed: Decimal
    """What you owe after a confirmed payment was undone by its chain; later payments repay it first. 0
    almost always.
    """
    suspense: Decimal
    """What arrived for your payments and waits for its payment to be complete, or for your decision."""
    currency: Literal["USD"]
    """The currency of the balance."""


class SignedInstructions(TypedDict):
    """Instructions for a payment with the signature of its merchant's key."""

    jws: str
    """The instructions as a compact JWS (RFC 7515): `alg` is `EdDSA`, `typ` is
    `kasi-payment-instructions+jws`, and `kid` is `keyId`. Its payload is `instructions` as JSON.
    """
    keyId: str
    """The key that signed, by its thumbprint (RFC 7638), as in the merchant's key set."""
    keysUrl: str
    """The merchant's key set (JWKS). Keep your own copy of the keys to verify without trusting the
    network.
    """
    code: str
    """A short form of the instructions for people to compare: 80 bits of their hash in four groups of
    four. It changes with the address, the amount, the token, the network and the deadline, and not
    with `issuedAt`.
    """
    verifyUrl: str
    """The page on which people compare address and code on another device."""
    instructions: PaymentInstructions


class SignedPermit(TypedDict):
    """The allowance that the wallet has signed, where `permit` asked for one."""

    nonce: str
    """The `nonce` that `permit` had."""
    signature: str
    """What `eth_signTypedData_v4` gave for its `typedData`."""


class SignedTransfer(TypedDict):
    """A transfer that the payer's wallet signs and we bring to the chain, so that the payer needs none
    of the network's coin.
    """

    paymentId: str
    """The payment that it pays."""
    network: str
    """The network of the transfer."""
    token: Token
    payer: str
    """The wallet that signs."""
    recipient: str
    """Where the money goes, the payment's own address. The signature is good for no other."""
    amount: str
    """How much of the token it moves, all that the payment still asks for."""
    validBefore: str
    """Until then the signature is good, the payment's deadline."""
    method: SignMethod
    typedData: Dict[str, Any]
    """What the wallet signs by `eth_signTypedData_v4`: EIP-712 data of the type
    `TransferWithAuthorization` (ERC-3009), or of `PermitWitnessTransferFrom` (Permit2), whose
    witness names the recipient.
    """
    permit: Union[PermitToSign, Optional[Any]]
    """What the wallet signs besides; null where the one signature is enough."""
    status: RelayStatus
    reason: Union[RelayReason, Optional[Any]]
    """Why it was `refused`; null otherwise."""
    transactionHash: Optional[str]
    """Our transaction that carries it; null while there is none."""


class StartPaymentLinkPaymentRequest(TypedDict, total=False):
    """What the payer tells. Everything is optional, but what the link's `customFields` require."""

    amount: Amount
    """What the payer chose to pay, in USD, on a link with `payerAmount`. Without it they pay the
    link's `amount`.
    """
    customerEmail: Optional[str]
    """Where the merchant can reach the payer."""
    customFields: CustomFieldAnswers


class Statement(TypedDict):
    """A month of your ledger with its movements."""

    id: str
    """The id of the statement, which is its month."""
    month: str
    """The month, by UTC."""
    final: bool
    """Whether the month is over and nothing of it changes any more, which is so an hour after its end."""
    currency: Literal["USD"]
    """The currency of the ledger."""
    opening: AccountAmounts
    """What each account held when the month began, which is the closing of the month before."""
    totals: StatementTotals
    closing: AccountAmounts
    """What each account held when the month ended; of the current month, what it holds now."""
    movements: List[StatementMovement]
    """The movements, oldest first, one page of them."""
    pagination: Pagination


class StatementList(TypedDict):
    """A page of months."""

    data: List[StatementSummary]
    """The months, newest first."""
    pagination: Pagination


class StatementMovement(TypedDict):
    """One booking, with what it did to each of your accounts."""

    id: str
    """The id of the booking, the `journalId` of its ledger entries."""
    kind: str
    """What was booked, for example `payment.moved`. New kinds may appear at any time."""
    paymentId: Optional[str]
    """The payment that it is about, if any."""
    withdrawalId: Optional[str]
    """The withdrawal that it is about, if any."""
    refundId: Optional[str]
    """The refund that it is about, if any."""
    value: str
    """What came from outside (positive) or left (negative), before the fee. 0 when money only moved
    between your accounts.
    """
    fee: str
    """The platform's fee; negative when it was given back. `value` less `fee` is `amounts.total`."""
    amounts: AccountAmounts
    transfer: Union[StatementTransfer, Optional[Any]]
    """The transfer that came or left; null when money only moved between your accounts."""
    createdAt: str
    """When it was booked."""


class StatementPrice(TypedDict):
    """What a coin counted as when it was credited."""

    value: str
    """US dollars for one coin, a decimal string with 8 decimals."""
    source: str
    """Where the price came from."""
    quotedAt: str
    """When it was valid."""


class StatementSummary(TypedDict):
    """A month of your ledger."""

    id: str
    """The id of the statement, which is its month."""
    month: str
    """The month, by UTC."""
    final: bool
    """Whether the month is over and nothing of it changes any more, which is so an hour after its end."""
    currency: Literal["USD"]
    """The currency of the ledger."""
    opening: AccountAmounts
    """What each account held when the month began, which is the closing of the month before."""
    totals: StatementTotals
    closing: AccountAmounts
    """What each account held when the month ended; of the current month, what it holds now."""


class StatementTotals(TypedDict):
    """What changed in the month, by cause. `opening.total` and all of these add up to `closing.total`.
    US dollars, decimal strings with 6 decimals, negative where they took something from you.
    """

    received: str
    """What arrived for payments, before fees."""
    fees: str
    """The fees of payments, less those that a reversal gave back."""
    reversals: str
    """What chains took back."""
    refunds: str
    """What was paid back to payers."""
    payouts: str
    """What withdrawals paid out."""
    payoutFees: str
    """The fees of withdrawals."""
    other: str
    """Causes that none of these names; 0 today."""


class StatementTransfer(TypedDict):
    """The transfer that moved the money."""

    hash: Optional[str]
    """The hash of its transaction; null when a payout was taken back and its hash is not kept. It
    starts with `internal:` where a contract sent coins in a transaction that is not known. Of a
    withdrawal to a bank, what its operator noted.
    """
    network: str
    """The network of the transfer."""
    token: Token
    amount: str
    """How much of the token, a decimal string."""
    fiatAmount: Optional[Decimal]
    """What it was credited as in the payment's currency, rounded down; null for withdrawals."""
    fiatCurrency: Union[Currency, Optional[Any]]
    """The payment's currency; null for withdrawals."""
    rate: Union[PaymentRate, Optional[Any]]
    """The rate between that currency and dollars, locked when the payment was made; null for
    withdrawals.
    """
    price: Union[StatementPrice, Optional[Any]]
    """What a coin counted as; null for tokens that are worth a dollar, for what is paid out, and for a
    booking that was taken back since and made anew by another price, since only that one is kept.
    """


class _SubmitAuthorizationRequest(TypedDict):
    token: Token
    network: str
    """The network of the transfer, that of one of the payment's `options`."""
    payer: str
    """The wallet that has signed."""
    signature: str
    """What `eth_signTypedData_v4` gave for `typedData`, 65 bytes in hexadecimal digits. Wallets that
    are contracts pay by a transfer.
    """


class SubmitAuthorizationRequest(_SubmitAuthorizationRequest, total=False):
    """A signed transfer."""

    method: SignMethod
    permit: SignedPermit


class SubmitMandateRequest(TypedDict):
    """The customer's signature."""

    signature: str
    """What `eth_signTypedData_v4` gave for `typedData`, 0x and hexadecimal digits: of a key 65 bytes,
    of a contract wallet (ERC-1271) up to 8,192.
    """


class SubscribeByWalletRequest(TypedDict):
    """Who subscribes, and the proof of their wallet."""

    challengeId: str
    """The id of the challenge whose text was signed."""
    signature: str
    """The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that
    are contracts sign by ERC-1271.
    """
    customerEmail: str
    """Where the merchant can reach the customer."""
    customerName: str
    """The name of the customer."""


class SubscribeSandboxCustomerRequest(TypedDict, total=False):
    """Who subscribes. Everything is optional."""

    customerEmail: str
    """The customer's email address."""
    customerName: str
    """The name of the customer."""
    amount: str
    """How much their wallet gets of each test token."""
    authorize: bool
    """Whether the wallet agrees at once. With false you can agree on the page, or by the sandbox,
    later.
    """


class SubscribeToPlanRequest(TypedDict):
    """Who subscribes."""

    customerEmail: str
    """Where you can reach the customer."""
    customerName: str
    """The name of the customer."""
    walletAddress: str
    """The wallet that pays: 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case
    is mixed. It has to belong to the customer, who agrees with it.
    """


class Subscription(TypedDict):
    """A customer who pays a plan, with everything that its merchant may know."""

    id: str
    """The id of the subscription."""
    planId: str
    """The plan."""
    planName: str
    """The name of the plan."""
    amount: Decimal
    """What is charged in every interval, in `currency`."""
    currency: Currency
    interval: SubscriptionInterval
    customerEmail: str
    """Where the customer can be reached."""
    customerName: str
    """The name of the customer."""
    walletAddress: str
    """The wallet that pays, with its checksum."""
    status: SubscriptionStatus
    currentPeriodStart: str
    """When the present period began."""
    currentPeriodEnd: str
    """When the present period ends."""
    trialEnd: Optional[str]
    """When the trial ends or ended, null without one."""
    cancelledAt: Optional[str]
    """When it was cancelled, null when it was not."""
    cancelReason: Union[SubscriptionCancelReason, Optional[Any]]
    token: SubscriptionToken
    network: str
    """The network that it is charged on."""
    mandateStatus: MandateStatus
    authorizeUrl: str
    """The page on which the customer agrees, or agrees again."""
    nextChargeAt: Optional[str]
    """When the wallet is charged next, for a new period or again for one that failed. null when
    nothing more will be charged, while a first charge waits for the customer to agree, and while
    the merchant may not collect or the network or token is no longer listed.
    """
    failureCode: Union[ChargeFailureCode, Optional[Any]]
    """Why the last try to charge failed, null when it did not."""
    nextRetryAt: Optional[str]
    """When a charge that failed is tried again, null when none waits. A refilled wallet is tried at
    once.
    """
    earliestChargeAt: Optional[str]
    """Until when a due charge has to wait, because the mandate allows no more before. null when it
    does not wait.
    """
    latestChargeId: Optional[str]
    """The newest charge, null before the first."""
    subscribedBy: SubscribedBy
    createdAt: str
    """When the customer was subscribed."""


class SubscriptionActivatedEvent(TypedDict):
    """The first charge of a subscription is paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.activated"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionCancellation(TypedDict):
    """What cancelling came to."""

    id: str
    """The id of the subscription."""
    status: Literal["cancelled"]
    """It is cancelled now."""
    cancelledAt: str
    """When it was cancelled."""
    currentPeriodEnd: str
    """When the present period ends. Access stays until then, unless that period is not paid, as where
    the chain took its charge back; `message` says so.
    """
    message: str
    """What that means, in words for people."""


class SubscriptionCancelledEvent(TypedDict):
    """A subscription was cancelled; `cancelReason` says why. Nothing more is charged."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.cancelled"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionChargeFailedEvent(TypedDict):
    """A charge failed; `failureCode` says why and `nextRetryAt` when it is tried again."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.charge_failed"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionChargeRecoveredEvent(TypedDict):
    """A charge that a reorganised chain had taken back has succeeded again."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.charge_recovered"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionChargeReversedEvent(TypedDict):
    """A reorganised chain took back a charge that had succeeded. It is collected again by itself."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.charge_reversed"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionCreatedEvent(TypedDict):
    """A customer was subscribed to a plan, and has to agree."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.created"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionExpiredEvent(TypedDict):
    """The last period of a cancelled subscription is over."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.expired"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionList(TypedDict):
    """A page of subscriptions."""

    subscriptions: List[SubscriptionSummary]
    """The subscriptions, newest first."""
    pagination: Pagination


class SubscriptionPastDueEvent(TypedDict):
    """A subscription became `past_due`, because a charge failed."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.past_due"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionPausedEvent(TypedDict):
    """Charging paused, because the network or token of the subscription is no longer listed. It goes
    on by itself when it is listed again.
    """

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.paused"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionRenewedEvent(TypedDict):
    """The charge of a further period is paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.renewed"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class SubscriptionSummary(TypedDict):
    """A subscription as lists show it."""

    id: str
    """The id of the subscription."""
    planId: str
    """The plan."""
    planName: str
    """The name of the plan."""
    customerEmail: str
    """Where the customer can be reached."""
    customerName: str
    """The name of the customer."""
    status: SubscriptionStatus
    currentPeriodStart: str
    """When the present period began."""
    currentPeriodEnd: str
    """When the present period ends."""
    mandateStatus: MandateStatus
    subscribedBy: SubscribedBy
    createdAt: str
    """When the customer was subscribed."""


class SubscriptionTrialWillEndEvent(TypedDict):
    """A trial ends in three days; then the first charge is due."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["subscription.trial_will_end"]
    """The type of the event."""
    data: Subscription
    """The subscription as it was when the event happened."""


class TakenRefundOffer(TypedDict):
    """The way to money that was offered back."""

    claimUrl: str
    """Where the payer says where it goes. Whoever has it does. It is shown only now; taking the offer
    again makes a new one.
    """


class _TerminateMerchantRequest(TypedDict):
    reason: str
    """Why. It stays with the merchant and in the audit log."""


class TerminateMerchantRequest(_TerminateMerchantRequest, total=False):
    """Why the account is closed."""

    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on;
    ignored otherwise.
    """


class TokenAllowance(TypedDict):
    """What the customer should let the collector take of the token, by its `approve`."""

    recommended: str
    """In base units of the token, enough for a year. Other subscriptions of the same wallet need
    theirs besides.
    """


class TransferWorth(TypedDict):
    """What a transfer of ETH or BTC counts, by the quote that was in force when it was first seen."""

    amount: str
    """Its worth in US dollars, a decimal string with 6 decimals, rounded down."""
    rate: str
    """How many US dollars one coin counted, a decimal string."""
    source: str
    """Where the rate came from."""
    quotedAt: str
    """When the rate was valid on the market."""


class TwoFactorRecoveryCodes(TypedDict):
    """The way back in when the authenticator app is lost."""

    recoveryCodes: List[str]
    """Ten codes that work once each wherever a code of the app does. They are in this answer and
    nowhere else, ever: write them down.
    """


class TwoFactorSetup(TypedDict):
    """What an authenticator app needs. It is shown once; the second factor is off until a first code
    comes back.
    """

    secret: str
    """The secret in base32, to be typed into the app. Keep it like a password."""
    otpauthUri: str
    """The same with issuer and account, to be shown as a QR code that the app scans."""
    expiresAt: str
    """Until when the first code has to come, 15 minutes from now. After that, set it up again."""


class TypedDataDomain(TypedDict):
    """For which contract on which chain the signature counts."""

    name: str
    """What wallets show of it."""
    version: str
    """The version of the contract."""
    chainId: int
    """The id of the chain."""
    verifyingContract: str
    """The address of the collector."""


class TypedDataField(TypedDict):
    """One field of a type."""

    name: str
    """Its name."""
    type: str
    """Its type in Solidity."""


class UnfreezeMerchantRequest(TypedDict, total=False):
    """Why the merchant may go on."""

    reason: str
    """Why, for the audit log."""


class UpdateAdminUserRequest(TypedDict, total=False):
    """What to change of an administrator; everything else stays as it is."""

    name: str
    """The name that colleagues know."""
    email: str
    """The e-mail address to log in with, unique among administrators whatever its case."""
    roleId: str
    """The id of the role, from `GET /v1/admin/roles`."""
    password: str
    """8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit."""
    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on
    and the new role, or the one of an account whose role, password or e-mail address you change,
    moves money or rights; ignored otherwise.
    """


class UpdateMerchantRequest(TypedDict, total=False):
    """What to change. Everything that you leave out stays as it is."""

    businessName: str
    """The legal name of the business."""
    phone: str
    """The phone number in international form, starting with `+` and the country code. Stored in E.164
    form.
    """
    walletAddress: Optional[str]
    """A valid address of an enabled network: for EVM networks 0x and 40 hexadecimal digits, with a
    right EIP-55 checksum when the case is mixed; for Bitcoin bech32, bech32m or base58check, of the
    Bitcoin network that is enabled. Withdrawals are paid in dollar tokens: with a Bitcoin address
    here, each has to name its own `destinationAddress`. `""` or null removes it.
    """
    webhookUrl: Optional[str]
    """Where webhook events are sent: an https URL on a public host without user name or password (in
    the sandbox also http and loopback addresses). `""` or null removes it.
    """
    businessType: BusinessType
    paymentToleranceBps: Optional[int]
    """How much less than the asked amount counts as paid, in basis points, 0 to 500. Null means the
    platform's default.
    """
    refundOffers: Sequence[RefundOfferException]
    """For which exceptions the page of a payment that is over offers its payer the money back that
    waits for your decision. Whoever has the address of that page may then take it. Empty: only you
    give money back.
    """
    refundOfferMinimum: Amount
    """The least worth in US dollars that is offered so; less waits for your decision."""
    supportEmail: Optional[str]
    """Where payers write to when they need help. Payers see it. Null removes it."""
    supportUrl: Optional[str]
    """A page that helps payers, an https URL without user name or password. Payers see it. `""` or
    null removes it.
    """
    website: Optional[str]
    """Your website, an https URL without user name or password. Payers see it. `""` or null removes
    it.
    """
    brandColor: Optional[str]
    """Your colour on the pages of payers, six hexadecimal digits. Where it could not be read, pages
    darken or lighten it. Null removes it.
    """
    logo: Optional[str]
    """Your logo on the pages of payers: a PNG, JPEG or WebP image of at most 4,096 pixels a side and
    45 kB, in base64. It is drawn anew, at most 256 pixels a side and without what else the file
    holds. Null removes it.
    """
    sendReceipts: bool
    """Whether payers get a receipt by e-mail when a payment with a `customerEmail` is paid or money of
    it was given back. Yes unless you say no; it needs a platform that sends mails.
    """
    embedOrigins: Sequence[str]
    """The websites whose pages may show the checkout in a frame, at most 10 origins such as
    `https://teahouse.example`: scheme, host and, if it is not 443, the port, without a path and
    without wildcards. In the sandbox also `http://localhost` and `http://127.0.0.1` with any port.
    They are stored in the form in which browsers write them, sorted and without repetitions. Empty:
    none may.
    """
    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on
    and `walletAddress` changes, `refundOffers` names another exception, or `refundOfferMinimum`
    falls; ignored otherwise.
    """


class UpdatePaymentLinkRequest(TypedDict, total=False):
    """What to change. Everything that you leave out stays as it is."""

    title: str
    """What is sold, the headline of the page."""
    description: Optional[str]
    """More about it. `""` or null removes it."""
    status: Literal["active", "disabled"]
    """`disabled` switches the link off, `active` switches it on again. A link becomes `expired` only
    by its `expiresAt`.
    """
    expiresAt: Optional[str]
    """When the link stops taking payments, a date-time in the future with its offset. `""` or null
    means never.
    """
    maxPayments: Optional[int]
    """How many payments the link takes, open ones included, 1 to 1,000,000; null for as many as people
    make. Payments that were started stay, also when there are more.
    """
    customFields: Sequence[CustomFieldInput]
    """What every payer is asked from now on, in the place of what they were asked; `[]` for nothing.
    The lines, fields and `thankYou` of a link have at most 8 KiB of JSON together, where four bytes
    count for every character that a payer may write.
    """
    thankYou: Optional[str]
    """What a payer reads once they have paid, for payments that are started from now on. `""` or null
    removes it.
    """
    thankYouUrl: Optional[str]
    """Where a button on that page leads, an https URL without user name or password. `""` or null
    removes it.
    """


class UpdatePlanRequest(TypedDict, total=False):
    """What to change. Everything that you leave out stays as it is. `name`, `description`, `trialDays`
    and `active` can always change, the rest only while nobody subscribes.
    """

    name: str
    """What is sold."""
    description: Optional[str]
    """More about it. `""` or null removes it."""
    active: bool
    """Whether the plan takes new subscribers. Those that it has go on either way."""
    amount: Amount
    """What is charged in every interval, more than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR,
    with at most 2 decimals.
    """
    currency: Currency
    interval: SubscriptionInterval
    trialDays: int
    """How many days a new subscriber pays nothing, 0 to 730. A trial that has begun keeps its end."""
    token: SubscriptionToken
    network: str
    """The network that customers pay on."""


class UpdateRoleRequest(TypedDict, total=False):
    """What to change of a role; everything else stays as it is."""

    name: str
    """A unique name of 1 to 120 characters, lower-case letters and digits in words joined by
    underscores.
    """
    description: str
    """What the role is for."""
    permissions: Sequence[Permission]
    """Everything that the role allows, each of it held by your own role. Replaces the whole list."""
    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on
    and permissions are added or removed that move money or rights; ignored otherwise.
    """


class UpdateSandboxWalletRequest(TypedDict, total=False):
    """What to change. Everything is optional."""

    token: Token
    """Of which token. USDT when you leave it out."""
    balance: SandboxTokenAmount
    """How much of it the wallet is to hold. The rest is sent away, what is missing is made."""
    allowance: SandboxTokenAmount
    """How much of it the subscription contract may take from the wallet in all. With 0 it may take
    nothing.
    """


class _UpdateSettingsRequest(TypedDict):
    version: int
    """The version that you have read."""


class UpdateSettingsRequest(_UpdateSettingsRequest, total=False):
    """The settings to change; those that are left out stay as they are."""

    otp: str
    """A code of the authenticator app or a recovery code. Needed when two-factor authentication is on
    and anything but `webhookRetentionDays` and `auditRetentionDays` changes, ignored otherwise.
    """
    allowPendingMerchantsToCollect: bool
    """Whether merchants may collect before they are approved. One that was rejected waits for its
    approval in any case.
    """
    paymentFeeBps: int
    """The platform's fee on payments, in hundredths of a percent."""
    paymentToleranceBps: int
    """By how much less than asked a payment may bring and still be paid, in hundredths of a percent.
    Merchants may set their own.
    """
    paymentToleranceMax: str
    """The most that the tolerance comes to, in US dollars."""
    rateSpreadBps: int
    """By how much less than on the market ETH and BTC count when a payment is quoted in them, in
    hundredths of a percent. It covers what a price moves while a quote holds.
    """
    paymentExpiryMinutes: int
    """How long a payment waits for the payer unless it says otherwise."""
    lateWindowHours: int
    """How long after its deadline a payment is still taken, as late."""
    confirmations: Mapping[str, int]
    """How deep a block must lie to be counted on, by network, where that is deeper than its
    configuration says. A network that waits for finality takes no number. Replaces the whole list;
    a network that is not named goes by the configuration.
    """
    manualRates: Mapping[str, str]
    """Units of a currency in one US dollar, by pair (`USD/LKR`, from 1 to 100000), and US dollars in
    one coin of a chain (`ETH/USD`). They win over every source. Replaces the whole list.
    """
    withdrawalMin: str
    """The least that a merchant can withdraw at once, before the fee, in US dollars."""
    withdrawalMax: str
    """The most that a merchant can withdraw at once."""
    withdrawalDailyMax: str
    """The most that a merchant can withdraw within 24 hours."""
    withdrawalMaxOpen: int
    """How many withdrawals of a merchant may wait or be on their way at once."""
    withdrawalFees: WithdrawalFeesInput
    refundDailyMax: str
    """The most that a merchant can give back within 24 hours to others than the wallet that paid, in
    US dollars. What payers take from the page of their payment does not count. With 0, refunds go
    only where the merchant names the wallet that paid.
    """
    fourEyesThreshold: Optional[str]
    """From this amount on, the administrator who approved a withdrawal must not complete it, and the
    one who began to pay a refund must not complete it, nor fail it or a withdrawal while it is
    `processing`. Null asks that of none.
    """
    changeDelayHours: int
    """How long a change that touches where money goes is announced before it takes effect, its own
    change included. With 0, what needs no approval takes effect at once.
    """
    verifyPayoutOnChain: bool
    """Whether a crypto withdrawal is complete only when the chain says so, on every network that we
    watch.
    """
    payoutWallets: Sequence[str]
    """Addresses that payouts must come from. With none, any transfer to the destination that fits and
    is no older than the approval counts as the payout, whoever sent it: on a live platform, name
    yours. Replaces the whole list.
    """
    offRampAddress: Optional[str]
    """Where the crypto of bank withdrawals is sent. Null when that happens elsewhere. Addresses of the
    platform itself are refused, those of payments too.
    """
    relayMinAmount: Optional[str]
    """From this worth on, in US dollars, we bring transfers that payers have signed to the chain and
    pay for that. Null turns it off.
    """
    relayDailyMax: int
    """How many signed transfers we send for one merchant within 24 hours. Of one wallet we take 10."""
    mandateDeadlineHours: int
    """How long a subscription without a trial waits for the customer to agree, before it is cancelled."""
    webhookRetentionDays: int
    """How long what was sent to webhook endpoints is kept. Events stay."""
    auditRetentionDays: Optional[Any]
    """Only null. The audit log is kept for ever, because a chain without its beginning would prove
    nothing.
    """


class UpdateWebhookEndpointRequest(TypedDict, total=False):
    """What to change. Everything that you leave out stays as it is."""

    url: Optional[str]
    """Where events are sent: an https URL on a public host without user name or password (in the
    sandbox also http and loopback addresses). Another URL than before enables the endpoint. `""` or
    null removes it, with everything else that is set here.
    """
    eventTypes: Optional[Sequence[EventType]]
    """The types to send, at least one; null means all of them, also those that are yet to come."""
    status: WebhookEndpointStatus


class _VerifyWebhookRequest(TypedDict):
    headers: Mapping[str, str]
    """The headers of the request, names in any case. Only `webhook-id`, `webhook-timestamp` and
    `webhook-signature` are looked at, nothing is kept. At most 100, with values of at most 8,000
    characters.
    """
    body: str
    """The body that your verifier was given, as text, not parsed. At most 40,000 characters."""


class VerifyWebhookRequest(_VerifyWebhookRequest, total=False):
    """A webhook as your server received it."""

    receivedAt: str
    """What the clock of your server said when it received the request; the present when left out."""


class WalletChallenge(TypedDict):
    """A text for a wallet to sign."""

    id: str
    """The id of the challenge, which is sent with the signature."""
    message: str
    """The text to sign, exactly as it stands (EIP-4361)."""
    expiresAt: str
    """Until when the signature is taken."""


class WebhookAttempt(TypedDict):
    """One attempt to deliver an event, and what your endpoint said."""

    attempt: int
    """Counts the attempts from 1."""
    url: str
    """Where this attempt went."""
    statusCode: Optional[int]
    """The HTTP status of the answer; null when none came."""
    failure: Optional[str]
    """Why it failed, in one word as in `failure` of the delivery; null when it did not."""
    responseTime: int
    """How long it took, in milliseconds."""
    responseBody: Optional[str]
    """The first 2 kB of the answer, read as UTF-8; null when none came."""
    startedAt: str
    """When the attempt began."""


class WebhookBodyDifference(TypedDict):
    """The first place where a body is not what we sent."""

    offset: int
    """The number of bytes before it that are the same."""
    sent: str
    """What we sent, from a little before the place on; `…` where something is left out."""
    received: str
    """What you received, from the same place on."""


class WebhookCertification(TypedDict):
    """How an endpoint did in a series of checks."""

    id: str
    """The id of the certification."""
    url: str
    """The endpoint that is tried."""
    status: WebhookCertificationStatus
    verdict: Optional[Literal["passed", "failed"]]
    """`passed` when no check failed and none was skipped; warnings are advice. null unless `status` is
    `completed`.
    """
    checks: List[WebhookCertificationCheck]
    """The checks, in the order in which they are made."""
    createdAt: str
    """When it was asked for."""
    finishedAt: Optional[str]
    """When it ended; null while it is running."""


class WebhookCertificationCheck(TypedDict):
    """One thing that was tried, and how the endpoint did."""

    name: str
    """The check in a word. New checks may appear at any time."""
    title: str
    """What was sent."""
    status: Literal["pending", "passed", "warning", "failed", "skipped"]
    """`pending` before it was made; `warning` where it is enough but could be better; `skipped` when
    it could not be made, because the endpoint takes no genuine event or was too slow in the checks
    before.
    """
    expected: str
    """What a good handler does."""
    observed: Optional[str]
    """What your endpoint did; null before the check was made."""
    advice: Optional[str]
    """What to change; null when there is nothing to change."""


class WebhookDelivery(TypedDict):
    """An event on its way to your endpoint."""

    id: str
    """The id of the delivery."""
    eventId: str
    """The id of the event, also in the `webhook-id` header."""
    event: EventType
    url: str
    """Where it goes."""
    status: WebhookDeliveryStatus
    statusCode: Optional[int]
    """The HTTP status of your endpoint's last answer; null when none came."""
    failure: Optional[str]
    """Why the last attempt failed, in one word, for example `status`, `timeout`, `connection_failed`
    or `blocked_address`; null when it did not. New words may appear at any time.
    """
    responseTime: int
    """How long the last attempt took, in milliseconds; 0 before the first."""
    attempts: int
    """How many attempts were made."""
    nextAttemptAt: Optional[str]
    """When the next attempt is due; null when none will come."""
    redeliveryOf: Optional[str]
    """The delivery that this one repeats, because somebody asked for it again; null for the first of
    its event.
    """
    createdAt: str
    """When it was made, that is, when the event happened or when it was asked for again."""


class WebhookDeliveryDetail(TypedDict):
    """A delivery with every attempt, and with the bytes that are sent."""

    id: str
    """The id of the delivery."""
    eventId: str
    """The id of the event, also in the `webhook-id` header."""
    event: EventType
    url: str
    """Where it goes."""
    status: WebhookDeliveryStatus
    statusCode: Optional[int]
    """The HTTP status of your endpoint's last answer; null when none came."""
    failure: Optional[str]
    """Why the last attempt failed, in one word, for example `status`, `timeout`, `connection_failed`
    or `blocked_address`; null when it did not. New words may appear at any time.
    """
    responseTime: int
    """How long the last attempt took, in milliseconds; 0 before the first."""
    attempts: int
    """How many attempts were made."""
    nextAttemptAt: Optional[str]
    """When the next attempt is due; null when none will come."""
    redeliveryOf: Optional[str]
    """The delivery that this one repeats, because somebody asked for it again; null for the first of
    its event.
    """
    createdAt: str
    """When it was made, that is, when the event happened or when it was asked for again."""
    attemptLog: List[WebhookAttempt]
    """Every attempt that has ended, oldest first."""
    payload: str
    """The body of the request, exactly as it is sent and signed, the same in every attempt."""


class WebhookDeliveryList(TypedDict):
    """A page of deliveries."""

    deliveries: List[WebhookDelivery]
    """The deliveries, newest first."""
    pagination: Pagination


class WebhookEndpoint(TypedDict):
    """Where your events go, which of them, and whether any go at all."""

    url: Optional[str]
    """Where events are sent, the `webhookUrl` of your merchant. Null while none is set; then nothing
    is sent.
    """
    eventTypes: Optional[List[EventType]]
    """The types that are sent; null means all of them, also those that are yet to come."""
    status: WebhookEndpointStatus
    disabledReason: Optional[Literal["merchant", "gone", "failing"]]
    """Why it is disabled; null while it is enabled, and while no URL is set.

    - `merchant`: you disabled it
    - `gone`: it answered 410
    - `failing`: it did nothing but fail for 120 hours
    """
    failingSince: Optional[str]
    """Since when it has done nothing but fail. Null after a success, and before the first attempt."""
    updatedAt: Optional[str]
    """When the URL, the types or the status last changed; null while no URL is set."""


class WebhookEndpointDisabledEvent(TypedDict):
    """Your endpoint was disabled, because it answered 410 or because it did nothing but fail for 120
    hours. No webhook brings this event, since there is nowhere left to send it; it stands in the
    event feed.
    """

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["webhook.endpoint_disabled"]
    """The type of the event."""
    data: WebhookEndpoint
    """The endpoint as it was when it was disabled."""


class WebhookKey(TypedDict):
    """A public key that your webhooks are signed with."""

    id: str
    """The id of the key."""
    publicKey: str
    """The Ed25519 public key in base64 after the prefix `whpk_`, as Standard Webhooks writes it."""
    status: Literal["active", "retiring"]
    """`active` signs; `retiring` signs along until `expiresAt`, so that you have time to change over."""
    createdAt: str
    """When the key was made."""
    expiresAt: Optional[str]
    """When a retiring key stops signing; null for the active one."""


class WebhookKeyList(TypedDict):
    """The keys that sign your webhooks."""

    data: List[WebhookKey]
    """The keys, newest first."""


class WebhookRecovery(TypedDict):
    """What is sent again."""

    recovered: int
    """How many deliveries this call has made, 1,000 at most."""
    more: bool
    """Whether events are left to look at. Call again with `next`."""
    next: Optional[str]
    """The `since` of the next call; null when nothing is left."""


class WebhookTestResult(TypedDict):
    """What your endpoint made of the test."""

    success: bool
    """Whether your endpoint answered 2xx."""
    statusCode: Optional[int]
    """The HTTP status of its answer; null when none came."""
    responseTime: int
    """How long the answer took, in milliseconds."""
    deliveryId: str
    """The delivery that recorded the test."""


class WebhookVerification(TypedDict):
    """Whether a webhook verifies, and why not."""

    valid: bool
    """Whether all checks passed."""
    reason: Optional[str]
    """Why the first check failed that did; null when all passed. New reasons may appear at any time.

    - `header_missing`: one of the three headers is not there
    - `header_malformed`: one of them can't be read
    - `event_unknown`: none of your keys signed it, and you have no event with this id
    - `body_reserialized`: the JSON is the same, the bytes are not
    - `body_changed`: the body is another one than we sent
    - `key_ended`: signed with a key of yours that has stopped signing since
    - `wrong_key`: none of your keys signed it
    - `clock`: the timestamp is more than 300 seconds from the time of receipt
    """
    message: str
    """The same in words, and what to change."""
    checks: List[WebhookVerificationCheck]
    """Every check, in the order in which they are made."""
    difference: Union[WebhookBodyDifference, Optional[Any]]
    """Where the body differs first from the one that we sent; null when it does not, or when we can't
    know.
    """


class WebhookVerificationCheck(TypedDict):
    """One of the checks that a verifier makes."""

    name: str
    """`headers`, `signature` or `clock`."""
    status: Literal["passed", "failed", "skipped"]
    """`skipped`: it could not be made, because an earlier one failed."""
    message: str
    """What was found."""


class Withdrawal(TypedDict):
    """Money that you take out."""

    id: str
    """The id of the withdrawal."""
    amount: Decimal
    """What leaves your balance, in US dollars."""
    fee: Decimal
    """The part of it that the platform keeps."""
    netAmount: Decimal
    """What arrives, `amount` less `fee`."""
    status: WithdrawalStatus
    statusReason: Union[WithdrawalStatusReason, Optional[Any]]
    statusMessage: Optional[str]
    """Why it was refused or could not be paid, in the words of whoever decided; null otherwise."""
    method: WithdrawalMethod
    bankAccountNumber: Optional[str]
    """The number of the bank account; null for `crypto`. In events all but the last four characters
    are masked.
    """
    bankName: Optional[str]
    """The name of the bank; null for `crypto`."""
    bankBranch: Optional[str]
    """The branch of the bank; null for `crypto`."""
    currency: WithdrawalToken
    network: str
    """The network that it is paid on."""
    destinationAddress: Optional[str]
    """The wallet that it goes to; null for `bank`."""
    txHash: Optional[str]
    """The transaction that paid it, or the bank's `reference`; null until it is `completed`."""
    reference: Optional[str]
    """The bank's reference of the payment, in capitals; null until it is paid, and where a transaction
    on chain paid it.
    """
    createdAt: str
    """When you asked for it."""
    processedAt: Optional[str]
    """When it became `completed` or `rejected`; null before."""


class WithdrawalApprovedEvent(TypedDict):
    """A withdrawal was approved and will be paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["withdrawal.approved"]
    """The type of the event."""
    data: Withdrawal
    """The withdrawal as it was when the event happened, with all but the last four characters of
    `bankAccountNumber` masked.
    """


class WithdrawalCompletedEvent(TypedDict):
    """A withdrawal is paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["withdrawal.completed"]
    """The type of the event."""
    data: Withdrawal
    """The withdrawal as it was when the event happened, with all but the last four characters of
    `bankAccountNumber` masked.
    """


class WithdrawalCompletion(TypedDict):
    """A withdrawal that is paid."""

    id: str
    """The id of the withdrawal."""
    status: AdminWithdrawalStatus
    txHash: str
    """The transaction that paid it, in lower case, or the bank's `reference`."""
    reference: Optional[str]
    """The bank's reference of the payment, in capitals; null until it is paid, and where a transaction
    on chain paid it.
    """
    completedAt: str
    """When it was completed."""
    message: str
    """What was done, in words."""


class WithdrawalCreatedEvent(TypedDict):
    """A withdrawal was asked for, and its money is held."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["withdrawal.created"]
    """The type of the event."""
    data: Withdrawal
    """The withdrawal as it was when the event happened, with all but the last four characters of
    `bankAccountNumber` masked.
    """


class WithdrawalFailedEvent(TypedDict):
    """An approved withdrawal could not be paid; its money is back in the balance."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["withdrawal.failed"]
    """The type of the event."""
    data: Withdrawal
    """The withdrawal as it was when the event happened, with all but the last four characters of
    `bankAccountNumber` masked.
    """


class WithdrawalFailure(TypedDict):
    """A withdrawal that could not be paid."""

    id: str
    """The id of the withdrawal."""
    status: AdminWithdrawalStatus
    failedAt: str
    """When it was given up."""
    message: str
    """What was done, in words."""


class WithdrawalFailureAsked(TypedDict):
    """A withdrawal that an administrator asks another one to fail."""

    id: str
    """The id of the withdrawal."""
    status: AdminWithdrawalStatus
    failRequestedBy: str
    """The administrator who asked, which is you."""
    failRequestedAt: str
    """When you asked."""
    message: str
    """What was done, in words."""


class WithdrawalFees(TypedDict):
    """What withdrawals cost."""

    bank: BankWithdrawalFee
    networks: Dict[str, str]
    """The fee of a payout in crypto in US dollars, by network; nobody can withdraw to a network that
    is not named.
    """


class WithdrawalFeesInput(TypedDict):
    """What withdrawals cost."""

    bank: BankWithdrawalFeeInput
    networks: Mapping[str, str]
    """The fee of a payout in crypto in US dollars, by network; nobody can withdraw to a network that
    is not named.
    """


class WithdrawalList(TypedDict):
    """A page of withdrawals."""

    withdrawals: List[Withdrawal]
    """The withdrawals, newest first."""
    pagination: Pagination


class WithdrawalProcessing(TypedDict):
    """A withdrawal that is being paid."""

    id: str
    """The id of the withdrawal."""
    status: AdminWithdrawalStatus
    processingAt: str
    """When it was said to be."""
    message: str
    """What was done, in words."""


class WithdrawalProcessingEvent(TypedDict):
    """A withdrawal is being paid."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["withdrawal.processing"]
    """The type of the event."""
    data: Withdrawal
    """The withdrawal as it was when the event happened, with all but the last four characters of
    `bankAccountNumber` masked.
    """


class WithdrawalQuote(TypedDict):
    """What a withdrawal would cost, and how much you can withdraw now."""

    amount: Decimal
    """What leaves your balance, in US dollars."""
    fee: Decimal
    """The part of it that the platform keeps."""
    netAmount: Decimal
    """What arrives, `amount` less `fee`."""
    method: WithdrawalMethod
    currency: WithdrawalToken
    network: str
    """The network that it is paid on."""
    availableBalance: Decimal
    """What you have."""
    minAmount: Decimal
    """The least that one withdrawal may be."""
    maxAmount: Decimal
    """The most that one withdrawal may be."""
    dailyRemaining: Decimal
    """What you can still ask for now; what you asked for within 24 hours counts."""
    openRemaining: int
    """How many more withdrawals may be open at once."""


class WithdrawalRejectedEvent(TypedDict):
    """A withdrawal was refused or cancelled; its money is back in the balance."""

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["withdrawal.rejected"]
    """The type of the event."""
    data: Withdrawal
    """The withdrawal as it was when the event happened, with all but the last four characters of
    `bankAccountNumber` masked.
    """


class WithdrawalRevertedEvent(TypedDict):
    """The chain took back the transaction that had paid a withdrawal. The withdrawal is *approved*
    again (`statusReason` *processing*), its money is held again, and it will be paid by another
    transaction.
    """

    id: str
    """The id of the event, the same in every attempt and redelivery. Remember it to handle an event
    once.
    """
    timestamp: str
    """When it happened."""
    livemode: bool
    """False in the sandbox, where money is play money."""
    merchantId: str
    """The merchant that it happened to."""
    sequence: int
    """Counts the events of one resource. Events may arrive out of order; ignore one whose number is
    below the last that you handled.
    """
    type: Literal["withdrawal.reverted"]
    """The type of the event."""
    data: Withdrawal
    """The withdrawal as it was when the event happened, with all but the last four characters of
    `bankAccountNumber` masked.
    """


class WithdrawalReview(TypedDict):
    """A decision about a withdrawal."""

    id: str
    """The id of the withdrawal."""
    status: AdminWithdrawalStatus
    reviewedBy: str
    """The administrator who decided."""
    reviewedAt: str
    """When it was decided."""
    message: str
    """What was done, in words."""


class ListMerchantSessionsFilter(TypedDict, total=False):
    """The query of `listMerchantSessions` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """


class ListMerchantSessionsQuery(ListMerchantSessionsFilter, total=False):
    """The query of `listMerchantSessions`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListPaymentLinksFilter(TypedDict, total=False):
    """The query of `listPaymentLinks` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[PaymentLinkStatus]
    """Only links in this state."""


class ListPaymentLinksQuery(ListPaymentLinksFilter, total=False):
    """The query of `listPaymentLinks`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListPaymentsFilter(TypedDict, total=False):
    """The query of `listPayments` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[PaymentStatus]
    """Only payments in this state."""
    exception: Optional[Literal["underpaid", "overpaid", "late", "wrong_token"]]
    """Only payments with this exception. `waiting` tells which of them you still have to decide about."""
    waiting: Optional[bool]
    """`true`: only payments that are over and have money that waits for your decision, which `resolve`
    takes or a refund gives back. `false`: only the others.
    """
    source: Optional[Literal["direct", "link", "session", "subscription"]]
    """Only payments that were started this way."""
    linkId: Optional[str]
    """Only payments that were started through this payment link."""
    customerEmail: Optional[str]
    """Only payments with this whole e-mail address of the customer, in upper or lower case."""
    currency: Optional[Currency]
    """Only payments in this currency."""
    minAmount: Optional[Amount]
    """Only payments of at least this amount, in the currency of each payment; add `currency` if you
    sell in several.
    """
    maxAmount: Optional[Amount]
    """Only payments of at most this amount, in the currency of each payment; add `currency` if you
    sell in several.
    """
    metadata: Optional[Mapping[str, str]]
    """Only payments whose metadata holds this value under this key, written
    `metadata[orderId]=A-1001`; of several keys all count, at most 5. Case matters. A number or a
    boolean is found by how it is written: `metadata[table]=7`.
    """
    search: Optional[str]
    """Only payments with this whole id, transaction hash or deposit address. Any other text is looked
    for in the description and the customer's e-mail address, as any part of them, and at the
    beginning of the id; case does not matter there. A text is looked for in at least the 100,000
    newest payments between `fromDate` and `toDate`, and the other filters choose among those; where
    `status`, `exception`, `waiting=true`, `linkId`, `customerEmail` or a key of `metadata` by
    itself leaves at most 2,000 payments, it is looked for in all of them. The `total` counts those
    that are found; older ones are found with `toDate`.
    """
    fromDate: Optional[str]
    """Only what was created at or after this. A date means from the start of that UTC day."""
    toDate: Optional[str]
    """Only what was created at or before this. A date means to the end of that UTC day."""


class ListPaymentsQuery(ListPaymentsFilter, total=False):
    """The query of `listPayments`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class _GetSignedTransferQuery(TypedDict):
    network: str
    """The network of one of the payment's `options`."""
    token: Token
    """The token of that option."""
    payer: str
    """The wallet that will sign."""


class GetSignedTransferQuery(_GetSignedTransferQuery, total=False):
    """The query of `getSignedTransfer`."""

    method: Optional[SignMethod]
    """By which contract; without it the one that asks for the fewest signatures."""


class ListPlansFilter(TypedDict, total=False):
    """The query of `listPlans` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    active: Optional[bool]
    """Only plans that take new subscribers, or only those that do not."""


class ListPlansQuery(ListPlansFilter, total=False):
    """The query of `listPlans`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListSubscriptionsFilter(TypedDict, total=False):
    """The query of `listSubscriptions` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[SubscriptionStatus]
    """Only subscriptions in this state."""
    planId: Optional[str]
    """Only subscriptions of this plan. Of a plan that does not exist there are none."""


class ListSubscriptionsQuery(ListSubscriptionsFilter, total=False):
    """The query of `listSubscriptions`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListChargesFilter(TypedDict, total=False):
    """The query of `listCharges` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """


class ListChargesQuery(ListChargesFilter, total=False):
    """The query of `listCharges`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListCustomerSubscriptionsFilter(TypedDict, total=False):
    """The query of `listCustomerSubscriptions` without a page."""

    merchantOf: Optional[str]
    """Only subscriptions at the merchant who offers this plan."""
    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """


class ListCustomerSubscriptionsQuery(ListCustomerSubscriptionsFilter, total=False):
    """The query of `listCustomerSubscriptions`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListStatementsFilter(TypedDict, total=False):
    """The query of `listStatements` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """


class ListStatementsQuery(ListStatementsFilter, total=False):
    """The query of `listStatements`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class GetStatementFilter(TypedDict, total=False):
    """The query of `getStatement` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """


class GetStatementQuery(GetStatementFilter, total=False):
    """The query of `getStatement`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListLedgerEntriesFilter(TypedDict, total=False):
    """The query of `listLedgerEntries` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    account: Optional[LedgerAccount]
    """Only entries on this account."""
    fromDate: Optional[str]
    """Only what was created at or after this. A date means from the start of that UTC day."""
    toDate: Optional[str]
    """Only what was created at or before this. A date means to the end of that UTC day."""


class ListLedgerEntriesQuery(ListLedgerEntriesFilter, total=False):
    """The query of `listLedgerEntries`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListRefundsFilter(TypedDict, total=False):
    """The query of `listRefunds` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    fromDate: Optional[str]
    """Only what was created at or after this. A date means from the start of that UTC day."""
    toDate: Optional[str]
    """Only what was created at or before this. A date means to the end of that UTC day."""
    status: Optional[RefundStatus]
    """Only refunds in this state."""
    paymentId: Optional[str]
    """Only refunds of this payment."""


class ListRefundsQuery(ListRefundsFilter, total=False):
    """The query of `listRefunds`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListWithdrawalsFilter(TypedDict, total=False):
    """The query of `listWithdrawals` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[WithdrawalStatus]
    """Only withdrawals in this state."""


class ListWithdrawalsQuery(ListWithdrawalsFilter, total=False):
    """The query of `listWithdrawals`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class _QuoteWithdrawalQuery(TypedDict):
    amount: Amount
    """What would leave your balance, in US dollars with at most 2 decimals."""
    method: WithdrawalMethod
    """How it would be paid."""


class QuoteWithdrawalQuery(_QuoteWithdrawalQuery, total=False):
    """The query of `quoteWithdrawal`."""

    network: Optional[str]
    """The network to pay on, only with `crypto`. The first one of the platform that has dollar tokens
    when you leave it out.
    """
    currency: Optional[WithdrawalToken]
    """The stablecoin to pay in, only with `crypto`. `USDT` when you leave it out."""


class ListWebhookDeliveriesFilter(TypedDict, total=False):
    """The query of `listWebhookDeliveries` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[WebhookDeliveryStatus]
    """Only deliveries in this state."""


class ListWebhookDeliveriesQuery(ListWebhookDeliveriesFilter, total=False):
    """The query of `listWebhookDeliveries`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListEventsQuery(TypedDict, total=False):
    """The query of `listEvents`."""

    after: Optional[int]
    """Only events behind this position; 0 is the beginning. There may be none yet."""
    limit: Optional[int]
    """The most items on a page."""


class ListPayoutsFilter(TypedDict, total=False):
    """The query of `listPayouts` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    kind: Optional[Literal["withdrawal", "refund"]]
    """Only withdrawals, or only refunds."""
    network: Optional[str]
    """Only on this network."""


class ListPayoutsQuery(ListPayoutsFilter, total=False):
    """The query of `listPayouts`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class AdminListWithdrawalsFilter(TypedDict, total=False):
    """The query of `adminListWithdrawals` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[AdminWithdrawalStatus]
    """Only withdrawals in this state."""
    merchantId: Optional[str]
    """Only withdrawals of this merchant."""
    fromDate: Optional[str]
    """Only what was created at or after this. A date means from the start of that UTC day."""
    toDate: Optional[str]
    """Only what was created at or before this. A date means to the end of that UTC day."""


class AdminListWithdrawalsQuery(AdminListWithdrawalsFilter, total=False):
    """The query of `adminListWithdrawals`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListIncidentsFilter(TypedDict, total=False):
    """The query of `listIncidents` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[IncidentStatus]
    """Only incidents in this state."""
    kind: Optional[str]
    """Only incidents of this kind."""
    resource: Optional[str]
    """Only incidents about this, such as the id of a payment. It is compared with `subject`."""
    network: Optional[str]
    """Only incidents that concern this network."""
    since: Optional[str]
    """Only what was seen at or after this. A date means from the start of that UTC day."""


class ListIncidentsQuery(ListIncidentsFilter, total=False):
    """The query of `listIncidents`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListChangesFilter(TypedDict, total=False):
    """The query of `listChanges` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[ChangeStatus]
    """Only changes in this state."""
    kind: Optional[ChangeKind]
    """Only changes of this kind."""


class ListChangesQuery(ListChangesFilter, total=False):
    """The query of `listChanges`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListAuditLogsFilter(TypedDict, total=False):
    """The query of `listAuditLogs` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    action: Optional[str]
    """Only entries of this action."""
    resourceType: Optional[str]
    """Only entries about this kind of thing."""
    actorId: Optional[str]
    """Only entries of whoever has this id."""
    actorType: Optional[AuditActorType]
    """Only entries of actors of this kind."""
    merchantId: Optional[str]
    """Only entries about what belongs to this merchant."""
    fromDate: Optional[str]
    """Only what was created at or after this. A date means from the start of that UTC day."""
    toDate: Optional[str]
    """Only what was created at or before this. A date means to the end of that UTC day."""


class ListAuditLogsQuery(ListAuditLogsFilter, total=False):
    """The query of `listAuditLogs`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListMerchantAuditLogsFilter(TypedDict, total=False):
    """The query of `listMerchantAuditLogs` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    action: Optional[str]
    """Only entries of this action."""
    resourceType: Optional[str]
    """Only entries about this kind of thing."""
    fromDate: Optional[str]
    """Only what was created at or after this. A date means from the start of that UTC day."""
    toDate: Optional[str]
    """Only what was created at or before this. A date means to the end of that UTC day."""


class ListMerchantAuditLogsQuery(ListMerchantAuditLogsFilter, total=False):
    """The query of `listMerchantAuditLogs`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class AdminListMerchantsFilter(TypedDict, total=False):
    """The query of `adminListMerchants` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[MerchantStatus]
    """Only merchants in this state."""
    search: Optional[str]
    """Only merchants in which every word of this occurs: in the name of the business, the e-mail
    address, the phone number, or at the beginning of the id. Case does not matter.
    """


class AdminListMerchantsQuery(AdminListMerchantsFilter, total=False):
    """The query of `adminListMerchants`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


class ListAdminUsersFilter(TypedDict, total=False):
    """The query of `listAdminUsers` without a page."""

    limit: Optional[int]
    """The most items on a page."""
    after: Optional[str]
    """Only items behind this cursor: `pagination.next` of the answer before. Takes the place of
    `page`, and is as fast at any depth.
    """
    status: Optional[AdminUserStatus]
    """Only administrators in this state."""
    roleId: Optional[str]
    """Only administrators with this role."""


class ListAdminUsersQuery(ListAdminUsersFilter, total=False):
    """The query of `listAdminUsers`."""

    page: Optional[int]
    """The page to return, counted from 1. A page past the end is an empty list with the true `total`.
    To read a whole list, `after` is better, and takes its place.
    """
    before: Optional[str]
    """Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer
    before. Takes the place of `page`.
    """


AdminUserStatus = Literal["active", "deactivated"]
"""A deactivated administrator can no longer log in; their sessions have ended."""


AdminWithdrawalStatus = Literal["pending", "approved", "rejected", "processing", "completed", "failed"]
"""The state of a withdrawal.

```
pending ──▶ approved ──▶ processing ──▶ completed
│           │  └───────────│─────────────▲
▼           └──▶ failed ◀──┘
rejected
```

- `pending`: it waits for a decision.
- `approved`: it may be paid.
- `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes
  its payout back.
- `completed`: it is paid, by the transaction in `txHash`.
- `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's
  balance.
- `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
"""


AgreementMethod = Literal["signature", "transaction"]
"""How the customer's wallet agrees to `mandate`.

- `signature`: it signs `typedData`, and we bring that to the chain; that costs the customer
  nothing.
- `transaction`: it sends `authorize(mandate)` to `collector` from `walletAddress`, and pays the
  network's fee for it. So it
is once the chain has refused what the wallet had signed: no other signature of this mandate is
brought there.

Such a transaction counts at any time, also while a signature would do. A new mandate begins with
`signature` again.
"""


ApiKeyScope = Literal["payments:read", "payments:write", "settlements:read", "settlements:write", "webhooks:manage", "links:manage", "subscriptions:manage"]
"""What an API key may do. `payments:read` reads payments and checkout sessions, `payments:write`
creates and decides about them, `settlements:read` reads the balance and the ledger,
`settlements:write` asks for withdrawals, `webhooks:manage` is for everything about webhooks. Only a
key that was made with them may do more: `links:manage` makes and changes payment links,
`subscriptions:manage` plans and subscriptions.
"""


AuditActorType = Literal["admin", "merchant", "system"]
"""Who did it: `admin`, an administrator of the platform; `merchant`, the merchant itself, by a session
or an API key; `system`, nobody of these: a job, a payer, or somebody who did not prove who they
are.
"""


BusinessType = Literal["individual", "company", "nonprofit"]
"""The legal form of the business."""


ChallengePurpose = Literal["subscribe", "sign_in", "cancel"]
"""What a signed text is good for.

- `subscribe`: to subscribe the wallet to the plan `planId`.
- `sign_in`: to see the wallet's subscriptions.
- `cancel`: to cancel the subscription `subscriptionId`.
"""


ChangeKind = Literal["settings", "role", "admin"]
"""What a change is about.

- `settings`: the settings of the platform.
- `role`: the permissions of a role.
- `admin`: the role of an administrator, or a new administrator.
"""


ChangeStatus = Literal["proposed", "approved", "in_effect", "cancelled", "expired"]
"""The state of a change that has to wait.

```
proposed ──▶ approved ──▶ in_effect
│  └─────────│───▶ cancelled
▼            └────────▲
expired
```

- `proposed`: another administrator has to approve it.
- `approved`: it needs no further approval and takes effect when it is due.
- `in_effect`: it has taken effect.
- `cancelled`: an administrator cancelled it, or the service found that it can't take effect any
  more; `reason` says why.
- `expired`: it was not approved in time.
"""


ChargeFailureCode = Literal["mandate_missing", "mandate_revoked", "insufficient_balance", "insufficient_allowance", "token_blocked", "network_unavailable", "gas_too_dear"]
"""Why a charge failed, null when it did not.

- `mandate_missing`: the customer has not agreed, or to less than is charged now.
- `mandate_revoked`: the customer has withdrawn the mandate, or its time is over.
- `insufficient_balance`: the wallet does not hold enough.
- `insufficient_allowance`: the token does not let the collector take enough.
- `token_blocked`: the token's contract refuses to move money of this wallet.
- `network_unavailable`: the network could not be reached.
- `gas_too_dear`: the network's gas costs too much for so small a charge at present. It waits and is
  tried again every
five minutes.
"""


ChargeOutcome = Literal["sent", "collected", "failed", "deferred", "lost"]
"""What became of one try.

- `sent`: it is on its way to the chain.
- `collected`: the money was taken.
- `failed`: it was refused, see `failureCode`.
- `deferred`: it was put off, because the mandate allows no more for now or the network could not be
  reached. That uses up
no retry.
- `lost`: its transaction never came about, or the chain took it back. The charge is sent again.
"""


ChargeStatus = Literal["due", "sending", "confirming", "succeeded", "failed", "void"]
"""The state of a charge.

- `due`: it is to be collected, see `dueAt`.
- `sending`: it is on its way to the chain.
- `confirming`: it was collected, and its payment waits for the network to confirm.
- `succeeded`: its payment is paid.
- `failed`: the last try failed. While the subscription is `past_due` it is tried again.
- `void`: its period went by without it, and nothing was taken for it.
"""


CheckoutSessionStatus = Literal["open", "completed", "expired"]
"""The state of a checkout session.

- `open`: the customer can pay.
- `completed`: its payment is paid.
- `expired`: its time ran out, or you expired it.
"""


Currency = Literal["USD", "LKR"]
"""The fiat currency of an amount."""


CustomFieldAnswers = Mapping[str, Union[str, int]]
"""The payer's answers, by the `key` of the field: a string for a `text` or a `choice`, a whole number
for a `number`. Leave out what is not answered.
"""


CustomFieldKind = Literal["text", "number", "choice"]
"""What a payer fills in.

- `text`: a line of text, at most `maxLength` characters.
- `number`: a whole number from `minimum` to `maximum`.
- `choice`: one of `options`.
"""


ErrorCode = Literal["VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "PAYMENT_REQUIRED", "CONFLICT", "INSUFFICIENT_BALANCE", "IDEMPOTENCY_IN_PROGRESS", "EXPIRED", "DISABLED", "IDEMPOTENCY_KEY_REUSED", "RATE_LIMITED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE", "RATE_UNAVAILABLE"]
"""The machine-readable kind of an error. One code always comes with one HTTP status, a status may have
several codes.
"""


EventType = Literal["payment.created", "payment.pending", "payment.confirming", "payment.completed", "payment.failed", "payment.expired", "payment.exception", "payment.reverted", "payment.reversed", "payment.restored", "checkout.session.completed", "checkout.session.expired", "payment_link.created", "payment_link.updated", "payment_link.expired", "subscription.created", "subscription.trial_will_end", "subscription.activated", "subscription.renewed", "subscription.charge_failed", "subscription.charge_reversed", "subscription.charge_recovered", "subscription.past_due", "subscription.paused", "subscription.cancelled", "subscription.expired", "withdrawal.created", "withdrawal.approved", "withdrawal.rejected", "withdrawal.processing", "withdrawal.completed", "withdrawal.failed", "withdrawal.reverted", "refund.created", "refund.pending", "refund.processing", "refund.completed", "refund.cancelled", "refund.failed", "refund.reverted", "merchant.status_changed", "api_key.created", "api_key.revoked", "webhook.endpoint_disabled"]
"""The type of an event. New types may appear at any time; answer 2xx to those that you do not know."""


IncidentSeverity = Literal["critical", "warning"]
"""`critical`: money or a whole network is concerned, look now. `warning`: look today."""


IncidentStatus = Literal["open", "acknowledged", "resolved"]
"""`open`: no administrator has looked at it. `acknowledged`: an administrator has seen it, and it is
not over. `resolved`: it is over; the same thing may open another one later.
"""


LedgerAccount = Literal["pending", "available", "hold", "suspense", "debt"]
"""An account of your ledger.

- `pending`: payments that are confirming
- `available`: what you can withdraw
- `hold`: what an open withdrawal holds
- `suspense`: money that waits, for confirmation of the payment or for your decision
- `debt`: what you owe
"""


Locale = Literal["en", "es", "fr", "si", "ta"]
"""The language in which the payer gets a receipt by e-mail, if they have read none of the payment's
pages: what they read there wins.
English when you leave it out.

- `en`: English.
- `es`: Spanish.
- `fr`: French.
- `si`: Sinhala.
- `ta`: Tamil.
"""


MandateStatus = Literal["pending", "active", "revoked", "expired"]
"""What the chain knows of the customer's mandate, without which nothing can be charged.

- `pending`: the customer has not agreed yet. Send them to `authorizeUrl`.
- `active`: it stands.
- `revoked`: the customer has withdrawn it.
- `expired`: the time for which it was given is over.
"""


MerchantStatus = Literal["pending_verification", "active", "rejected", "frozen", "terminated"]
"""The state of the merchant.

| status | log in and read | create links and sessions | collect payments |
|---|---|---|---|
| `pending_verification` | yes | yes | in the sandbox |
| `active` | yes | yes | yes |
| `rejected` | yes | no | no |
| `frozen` | yes | no | no; money that still arrives is credited |
| `terminated` | no | no | no |
"""


Metadata = Dict[str, Any]
"""The key-value data that you attached, returned exactly as you sent it. `{}` when you attached none."""


MetadataInput = Mapping[str, Union[str, Amount, bool]]
"""Your own key-value data: at most 50 keys of 1 to 64 characters; each value a string of at most 500
characters, a number or a boolean; 8 KiB of JSON in all. Comes back in reads and in webhook events,
never in public views.
"""


PaymentException = Literal["underpaid", "overpaid", "late", "wrong_token"]
"""What is unusual about the money, null when nothing is.

- `underpaid`: less arrived than was needed.
- `overpaid`: more arrived than was asked. The surplus waits for your decision.
- `late`: money arrived after `expiresAt`.
- `wrong_token`: a token arrived that this payment does not accept, or not on that network. `astray`
  of the transfer says which.
"""


PaymentLinkStatus = Literal["active", "expired", "disabled"]
"""The state of a payment link.

- `active`: it can be paid.
- `expired`: its `expiresAt` has passed. A later `expiresAt` makes it active again.
- `disabled`: you switched it off. `status: active` switches it on again.
"""


PaymentReason = Literal["cancelled", "not_confirmed"]
"""Why the payment ended without being paid, null when there is nothing to say.

- `cancelled`: the merchant cancelled it, with `expired`.
- `not_confirmed`: what was seen never confirmed, with `failed`.
"""


PaymentStatus = Literal["initiated", "pending", "confirming", "paid", "failed", "expired"]
"""The state of a payment.

```
initiated ──▶ pending ──▶ confirming ──▶ paid
│            │            │
└─▶ expired ◀┘            └─▶ failed
```

- `initiated`: nobody has done anything yet.
- `pending`: the payer chose a token, or sent less than is needed.
- `confirming`: enough was seen on the chain; its confirmations are awaited. Back to `pending` when
  the chain undoes it.
- `paid`: enough is confirmed. The money is yours.
- `failed`: what was seen never confirmed within 24 hours.
- `expired`: the time ran out, or you cancelled. On to `confirming` when stablecoins reach the
  amount within 24 hours.
"""


Permission = Literal["merchants.view", "merchants.approve", "merchants.reject", "merchants.freeze", "merchants.terminate", "withdrawals.view", "withdrawals.manage", "settings.view", "settings.update", "users.view", "users.manage", "roles.view", "roles.manage", "audit_logs.view", "incidents.view", "incidents.manage"]
"""What a role can allow. Every operation for administrators names the one that it needs."""


RefundOfferException = Literal["underpaid", "overpaid", "late", "wrong_token"]
"""An exception for which a payment's page may offer the money back."""


RefundStatus = Literal["awaiting_claim", "pending", "processing", "completed", "cancelled", "failed"]
"""The state of a refund.

```
awaiting_claim ──▶ pending ──▶ processing ──▶ completed
│               │            │
└───────┬───────┴────────────┤
▼                    ▼
cancelled             failed
```

- `awaiting_claim`: the money is held until the payer says where it shall go, by the link in
  `claimUrl`.
- `pending`: it is known where it goes, and it waits to be paid.
- `processing`: it is being paid, so its address does not change any more.
- `completed`: it is paid. In the rare case that the chain takes the payout back it is `processing`
  again.
- `cancelled`: you took it back. The money is where it was.
- `failed`: it could not be paid (`statusMessage` says why). The money is where it was.
"""


RelayReason = Literal["balance", "spent", "changed", "too_late", "token", "allowance", "wallet"]
"""Why a signed transfer was not sent.

- `balance`: the wallet holds less of the token than the transfer moves.
- `spent`: the token has executed or called off a transfer with this number already.
- `changed`: the payment asks for another amount now, or for none.
- `too_late`: the payment's deadline came before it could be sent.
- `token`: the token refuses the transfer.
- `allowance`: Permit2 may not move so much of the wallet's tokens: it was not approved, or the
  approval was withdrawn.
- `wallet`: the wallet has code, which Permit2 or the token would ask, or a transfer that it had
  signed failed on the chain within 24 hours. Such wallets pay by a transfer.
"""


RelayStatus = Literal["to_approve", "to_sign", "signed", "sent", "done", "reverted", "refused"]
"""The state of a signed transfer.

```
to_approve ─▶ to_sign ──▶ signed ──▶ sent ──▶ done
▲          │          └─────▶ reverted
└── refused ◀┘
```

- `to_approve`: the token takes no signed allowances, and the wallet has not let Permit2 move it
  yet. It has to approve Permit2 by a
transaction of its own first, which costs a fee once; the contract is
`typedData.domain.verifyingContract`.
- `to_sign`: the wallet has signed nothing yet.
- `signed`: the signature is stored and will be brought to the chain.
- `sent`: our transaction is on its way.
- `done`: our transaction is confirmed.
- `reverted`: the chain refused our transaction. Nothing more is sent for this payment; the payer
  pays by a transfer.
- `refused`: it was not sent, and `reason` says why. The wallet can sign again.
"""


SandboxNetworkName = str
"""The network to do it on, one of those that `GET /v1/sandbox` lists; `devnet` when you leave it out."""


SandboxTokenAmount = str
"""An amount of a test token, a decimal string with no more decimals than the token has."""


SignMethod = Literal["erc3009", "permit2"]
"""By which contract a signed transfer is made.

- `erc3009`: by the token's own. One signature is enough.
- `permit2`: by [Permit2](https://github.com/Uniswap/permit2), which moves any token whose holder
  has approved it. A wallet that has not
signs an allowance besides, where the token takes one (ERC-2612); otherwise it has to approve by a
transaction first.
"""


SubscribedBy = Literal["merchant", "customer"]
"""Who made the subscription.

- `merchant`: you did, by the API.
- `customer`: the customer did, on the page of the plan. Name and e-mail are what they typed there,
  so do not take them
for an account of yours without a check of your own.
"""


SubscriptionCancelReason = Literal["requested", "customer_requested", "not_authorized", "payment_failed", "merchant_terminated"]
"""Why a subscription was cancelled, null when it was not.

- `requested`: you cancelled it.
- `customer_requested`: the customer cancelled it, by a signature of the wallet.
- `not_authorized`: the customer did not agree in time.
- `payment_failed`: the last try of a charge failed.
- `merchant_terminated`: the merchant's account was closed.
"""


SubscriptionInterval = Literal["daily", "weekly", "monthly", "yearly"]
"""How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is
charged on 28 February
and then on 31 March.
"""


SubscriptionStatus = Literal["active", "trialing", "past_due", "cancelled", "expired"]
"""The state of a subscription.

- `trialing`: nothing is charged until `trialEnd`.
- `active`: the present period is paid, or the first charge waits for the customer to agree.
- `past_due`: a charge failed and is tried again.
- `cancelled`: nothing more is charged; what was paid holds until `currentPeriodEnd`.
- `expired`: cancelled, and the last period is over.
"""


SubscriptionToken = Literal["USDT", "USDC"]
"""A stablecoin that plans are charged in. Each counts as one US dollar."""


Token = Literal["USDT", "USDC", "ETH", "BTC"]
"""A token that payers can pay with. `USDT` and `USDC` count as one US dollar each."""


WebhookCertificationStatus = Literal["running", "completed", "interrupted"]
"""The state of a certification.

- `running`: the checks are being made
- `completed`: all were made, `verdict` says how it went
- `interrupted`: it could not be brought to its end, through no fault of yours; start another one
"""


WebhookDeliveryStatus = Literal["success", "failed", "pending"]
"""The state of a delivery.

- `pending`: not delivered yet, another attempt will come
- `success`: your endpoint answered 2xx
- `failed`: given up
"""


WebhookEndpointStatus = Literal["enabled", "disabled"]
"""Whether events go to your endpoint.

- `enabled`: every event that it wants is sent
- `disabled`: nothing is sent, and what waits is given up; `disabledReason` tells who or what
  switched it off
"""


WebhookEvent = Union["PaymentCreatedEvent", "PaymentPendingEvent", "PaymentConfirmingEvent", "PaymentCompletedEvent", "PaymentFailedEvent", "PaymentExpiredEvent", "PaymentExceptionEvent", "PaymentRevertedEvent", "PaymentReversedEvent", "PaymentRestoredEvent", "CheckoutSessionCompletedEvent", "CheckoutSessionExpiredEvent", "PaymentLinkCreatedEvent", "PaymentLinkUpdatedEvent", "PaymentLinkExpiredEvent", "SubscriptionCreatedEvent", "SubscriptionTrialWillEndEvent", "SubscriptionActivatedEvent", "SubscriptionRenewedEvent", "SubscriptionChargeFailedEvent", "SubscriptionChargeReversedEvent", "SubscriptionChargeRecoveredEvent", "SubscriptionPastDueEvent", "SubscriptionPausedEvent", "SubscriptionCancelledEvent", "SubscriptionExpiredEvent", "WithdrawalCreatedEvent", "WithdrawalApprovedEvent", "WithdrawalRejectedEvent", "WithdrawalProcessingEvent", "WithdrawalCompletedEvent", "WithdrawalFailedEvent", "WithdrawalRevertedEvent", "RefundCreatedEvent", "RefundPendingEvent", "RefundProcessingEvent", "RefundCompletedEvent", "RefundCancelledEvent", "RefundFailedEvent", "RefundRevertedEvent", "MerchantStatusChangedEvent", "ApiKeyCreatedEvent", "ApiKeyRevokedEvent"]
"""Any event that a webhook can bring. `type` tells which, and with it what `data` is."""


WithdrawalMethod = Literal["bank", "crypto"]
"""How a withdrawal is paid.

- `crypto`: as a stablecoin to a wallet
- `bank`: to a bank account
"""


WithdrawalStatus = Literal["pending", "approved", "rejected", "completed"]
"""The state of a withdrawal, as its merchant sees it. `statusReason` says more.

```
pending ──▶ approved ──▶ completed
│           │
└────┬──────┘
▼
rejected
```

- `pending`: it waits to be looked at. You can still cancel it.
- `approved`: it will be paid, or is being paid (`statusReason: processing`).
- `completed`: it is paid. In the rare case that the chain takes the payment back it is `approved`
  again, and is paid anew.
- `rejected`: it was refused, cancelled, or could not be paid. The money is back in your balance.
"""


WithdrawalStatusReason = Literal["processing", "cancelled", "declined", "failed"]
"""What is behind the status, null when there is nothing to add.

- `processing`: it is being paid, with `approved`.
- `cancelled`: you cancelled it, with `rejected`.
- `declined`: it was refused, with `rejected`; `statusMessage` says why.
- `failed`: it was approved and could not be paid, with `rejected`; `statusMessage` says why.
"""


WithdrawalToken = Literal["USDT", "USDC"]
"""A stablecoin that withdrawals are paid in. Each counts as one US dollar."""

__all__ = [
    "AccountAmounts",
    "AcknowledgeIncidentRequest",
    "AdminAuditLogEntry",
    "AdminAuditLogEntryList",
    "AdminAuthResult",
    "AdminListMerchantsFilter",
    "AdminListMerchantsQuery",
    "AdminListWithdrawalsFilter",
    "AdminListWithdrawalsQuery",
    "AdminMerchant",
    "AdminMerchantList",
    "AdminMerchantSummary",
    "AdminRefund",
    "AdminTokens",
    "AdminUser",
    "AdminUserCreated",
    "AdminUserList",
    "AdminUserStatus",
    "AdminUserStatusChange",
    "AdminUserSummary",
    "AdminWithdrawal",
    "AdminWithdrawalList",
    "AdminWithdrawalStatus",
    "AdminWithdrawalSummary",
    "AdvanceSandboxClockRequest",
    "AgreementMethod",
    "AlertChannel",
    "Amount",
    "ApiKey",
    "ApiKeyCreated",
    "ApiKeyCreatedEvent",
    "ApiKeyList",
    "ApiKeyRevokedEvent",
    "ApiKeyScope",
    "ApproveChangeRequest",
    "ApproveWithdrawalRequest",
    "AuditActorType",
    "AuditLogEntry",
    "AuditLogEntryList",
    "BankWithdrawalFee",
    "BankWithdrawalFeeInput",
    "BusinessType",
    "CancelByWalletRequest",
    "CancelChangeRequest",
    "ChallengePurpose",
    "ChangeAdminPasswordRequest",
    "ChangeAdminStatusRequest",
    "ChangeKind",
    "ChangeList",
    "ChangeMerchantPasswordRequest",
    "ChangeStatus",
    "Charge",
    "ChargeAttempt",
    "ChargeFailureCode",
    "ChargeList",
    "ChargeOutcome",
    "ChargeStatus",
    "CheckoutSession",
    "CheckoutSessionCompletedEvent",
    "CheckoutSessionCreated",
    "CheckoutSessionExpiredEvent",
    "CheckoutSessionStatus",
    "ClaimRefundRequest",
    "CompletePayoutsRequest",
    "CompleteRefundRequest",
    "CompleteWithdrawalRequest",
    "CompletedPayouts",
    "CreateAdminUserRequest",
    "CreateApiKeyRequest",
    "CreateCheckoutSessionRequest",
    "CreateCustomerSessionRequest",
    "CreatePaymentLinkRequest",
    "CreatePaymentRequest",
    "CreatePlanRequest",
    "CreateRefundRequest",
    "CreateRoleRequest",
    "CreateSandboxWalletRequest",
    "CreateWalletChallengeRequest",
    "CreateWithdrawalRequest",
    "CreatedRefund",
    "Currency",
    "CustomField",
    "CustomFieldAnswer",
    "CustomFieldAnswers",
    "CustomFieldInput",
    "CustomFieldKind",
    "CustomerCharge",
    "CustomerSession",
    "CustomerSessionEnded",
    "CustomerSubscription",
    "CustomerSubscriptionList",
    "DisableTwoFactorRequest",
    "DisplayAmount",
    "DisplayRate",
    "EnableTwoFactorRequest",
    "ErrorCode",
    "ErrorDetail",
    "ErrorField",
    "ErrorResponse",
    "EventEnvelope",
    "EventType",
    "ExportPayoutsRequest",
    "FailRefundRequest",
    "FailRequest",
    "FailWithdrawalRequest",
    "FreezeMerchantRequest",
    "GetSignedTransferQuery",
    "GetStatementFilter",
    "GetStatementQuery",
    "GuardedChange",
    "Incident",
    "IncidentList",
    "IncidentSeverity",
    "IncidentStatus",
    "IncidentSummary",
    "JsonWebKey",
    "JsonWebKeySet",
    "LedgerAccount",
    "LedgerEntry",
    "LedgerEntryList",
    "LineItem",
    "LineItemInput",
    "ListAdminUsersFilter",
    "ListAdminUsersQuery",
    "ListAuditLogsFilter",
    "ListAuditLogsQuery",
    "ListChangesFilter",
    "ListChangesQuery",
    "ListChargesFilter",
    "ListChargesQuery",
    "ListCustomerSubscriptionsFilter",
    "ListCustomerSubscriptionsQuery",
    "ListEventsQuery",
    "ListIncidentsFilter",
    "ListIncidentsQuery",
    "ListLedgerEntriesFilter",
    "ListLedgerEntriesQuery",
    "ListMerchantAuditLogsFilter",
    "ListMerchantAuditLogsQuery",
    "ListMerchantSessionsFilter",
    "ListMerchantSessionsQuery",
    "ListPaymentLinksFilter",
    "ListPaymentLinksQuery",
    "ListPaymentsFilter",
    "ListPaymentsQuery",
    "ListPayoutsFilter",
    "ListPayoutsQuery",
    "ListPlansFilter",
    "ListPlansQuery",
    "ListRefundsFilter",
    "ListRefundsQuery",
    "ListStatementsFilter",
    "ListStatementsQuery",
    "ListSubscriptionsFilter",
    "ListSubscriptionsQuery",
    "ListWebhookDeliveriesFilter",
    "ListWebhookDeliveriesQuery",
    "ListWithdrawalsFilter",
    "ListWithdrawalsQuery",
    "Locale",
    "LoginAdminRequest",
    "LoginMerchantRequest",
    "Mandate",
    "MandateMessage",
    "MandateStatus",
    "MandateTerms",
    "MandateTypedData",
    "Merchant",
    "MerchantAuthResult",
    "MerchantBrand",
    "MerchantContact",
    "MerchantSession",
    "MerchantSessionList",
    "MerchantStatus",
    "MerchantStatusChange",
    "MerchantStatusChangedEvent",
    "MerchantTokens",
    "MessageResponse",
    "Metadata",
    "MetadataInput",
    "MineSandboxBlocksRequest",
    "OwnAdmin",
    "Pagination",
    "PaySandboxPaymentRequest",
    "PaySandboxRefundRequest",
    "PaySandboxWithdrawalRequest",
    "PayerAmount",
    "PayerAmountInput",
    "Payment",
    "PaymentCompletedEvent",
    "PaymentConfirmations",
    "PaymentConfirmingEvent",
    "PaymentCreatedEvent",
    "PaymentDetail",
    "PaymentException",
    "PaymentExceptionEvent",
    "PaymentExpiredEvent",
    "PaymentFailedEvent",
    "PaymentInstructions",
    "PaymentLink",
    "PaymentLinkCreatedEvent",
    "PaymentLinkExpiredEvent",
    "PaymentLinkList",
    "PaymentLinkStatus",
    "PaymentLinkSummary",
    "PaymentLinkUpdatedEvent",
    "PaymentList",
    "PaymentOption",
    "PaymentPendingEvent",
    "PaymentQuote",
    "PaymentRate",
    "PaymentReason",
    "PaymentRestoredEvent",
    "PaymentReversedEvent",
    "PaymentRevertedEvent",
    "PaymentStatus",
    "PaymentSummary",
    "PaymentTimeline",
    "PaymentTimelineEntry",
    "PaymentTransaction",
    "Payout",
    "PayoutExport",
    "PayoutList",
    "Permission",
    "PermissionEntry",
    "PermissionList",
    "PermitToSign",
    "Plan",
    "PlanList",
    "PlanSubscription",
    "PlatformSettings",
    "ProcessRefundRequest",
    "ProcessWithdrawalRequest",
    "PsbtFile",
    "PublicCheckoutSession",
    "PublicPayment",
    "PublicPaymentLink",
    "PublicPlan",
    "PublicRefund",
    "PublicSubscription",
    "QuoteWithdrawalQuery",
    "RecordedEvent",
    "RecoverWebhooksRequest",
    "RefreshAdminSessionRequest",
    "RefreshMerchantSessionRequest",
    "Refund",
    "RefundCancelledEvent",
    "RefundCompletedEvent",
    "RefundCreatedEvent",
    "RefundFailedEvent",
    "RefundList",
    "RefundOffer",
    "RefundOfferException",
    "RefundPendingEvent",
    "RefundProcessingEvent",
    "RefundRevertedEvent",
    "RefundStatus",
    "RefundWallet",
    "RefusedPayout",
    "RegisterMerchantRequest",
    "RejectMerchantRequest",
    "RejectWithdrawalRequest",
    "RelayReason",
    "RelayStatus",
    "RenewRefundClaimRequest",
    "ReorgSandboxChainRequest",
    "ReplaceSandboxTransferRequest",
    "ReplacedTransfer",
    "ResolveIncidentRequest",
    "ResolvePaymentRequest",
    "ResolvedPayment",
    "Role",
    "RoleList",
    "RoleReference",
    "RotateApiKeyRequest",
    "RotateWebhookKeysRequest",
    "SafeBatch",
    "SafeBatchMeta",
    "SafeTransaction",
    "SandboxChainHead",
    "SandboxClock",
    "SandboxCustomer",
    "SandboxInfo",
    "SandboxMissingNetwork",
    "SandboxNetwork",
    "SandboxNetworkName",
    "SandboxPayout",
    "SandboxRefundPayout",
    "SandboxReplacement",
    "SandboxToken",
    "SandboxTokenAmount",
    "SandboxTransfer",
    "SandboxWallet",
    "SandboxWalletBalance",
    "SandboxWalletState",
    "SealedEvent",
    "SealedEventList",
    "SelectPaymentOptionRequest",
    "SetUpTwoFactorRequest",
    "SettlementBalance",
    "SignMethod",
    "SignedInstructions",
    "SignedPermit",
    "SignedTransfer",
    "StartPaymentLinkPaymentRequest",
    "Statement",
    "StatementList",
    "StatementMovement",
    "StatementPrice",
    "StatementSummary",
    "StatementTotals",
    "StatementTransfer",
    "SubmitAuthorizationRequest",
    "SubmitMandateRequest",
    "SubscribeByWalletRequest",
    "SubscribeSandboxCustomerRequest",
    "SubscribeToPlanRequest",
    "SubscribedBy",
    "Subscription",
    "SubscriptionActivatedEvent",
    "SubscriptionCancelReason",
    "SubscriptionCancellation",
    "SubscriptionCancelledEvent",
    "SubscriptionChargeFailedEvent",
    "SubscriptionChargeRecoveredEvent",
    "SubscriptionChargeReversedEvent",
    "SubscriptionCreatedEvent",
    "SubscriptionExpiredEvent",
    "SubscriptionInterval",
    "SubscriptionList",
    "SubscriptionPastDueEvent",
    "SubscriptionPausedEvent",
    "SubscriptionRenewedEvent",
    "SubscriptionStatus",
    "SubscriptionSummary",
    "SubscriptionToken",
    "SubscriptionTrialWillEndEvent",
    "TakenRefundOffer",
    "TerminateMerchantRequest",
    "Token",
    "TokenAllowance",
    "TransferWorth",
    "TwoFactorRecoveryCodes",
    "TwoFactorSetup",
    "TypedDataDomain",
    "TypedDataField",
    "UnfreezeMerchantRequest",
    "UpdateAdminUserRequest",
    "UpdateMerchantRequest",
    "UpdatePaymentLinkRequest",
    "UpdatePlanRequest",
    "UpdateRoleRequest",
    "UpdateSandboxWalletRequest",
    "UpdateSettingsRequest",
    "UpdateWebhookEndpointRequest",
    "VerifyWebhookRequest",
    "WalletChallenge",
    "WebhookAttempt",
    "WebhookBodyDifference",
    "WebhookCertification",
    "WebhookCertificationCheck",
    "WebhookCertificationStatus",
    "WebhookDelivery",
    "WebhookDeliveryDetail",
    "WebhookDeliveryList",
    "WebhookDeliveryStatus",
    "WebhookEndpoint",
    "WebhookEndpointDisabledEvent",
    "WebhookEndpointStatus",
    "WebhookEvent",
    "WebhookKey",
    "WebhookKeyList",
    "WebhookRecovery",
    "WebhookTestResult",
    "WebhookVerification",
    "WebhookVerificationCheck",
    "Withdrawal",
    "WithdrawalApprovedEvent",
    "WithdrawalCompletedEvent",
    "WithdrawalCompletion",
    "WithdrawalCreatedEvent",
    "WithdrawalFailedEvent",
    "WithdrawalFailure",
    "WithdrawalFailureAsked",
    "WithdrawalFees",
    "WithdrawalFeesInput",
    "WithdrawalList",
    "WithdrawalMethod",
    "WithdrawalProcessing",
    "WithdrawalProcessingEvent",
    "WithdrawalQuote",
    "WithdrawalRejectedEvent",
    "WithdrawalRevertedEvent",
    "WithdrawalReview",
    "WithdrawalStatus",
    "WithdrawalStatusReason",
    "WithdrawalToken",
]
