// Written by `npm run generate` from openapi/; never edited.

/** An amount for each account of your ledger, and their sum. US dollars, decimal strings with 6 decimals. */
export type AccountAmounts = {
    /**
     * What you can withdraw.
     * @example 1250.500000
     */
    available: string;
    /**
     * What you owe, zero or negative in a balance.
     * @example 0.000000
     */
    debt: string;
    /**
     * What open withdrawals and refunds hold.
     * @example 250.000000
     */
    hold: string;
    /**
     * Payments that are confirming.
     * @example 25.000000
     */
    pending: string;
    /**
     * What waits for its payment to be complete, or for your decision.
     * @example 12.000000
     */
    suspense: string;
    /**
     * All of them together.
     * @example 1537.500000
     */
    total: string;
};
/** What others should know of it. */
export type AcknowledgeIncidentRequest = {
    /**
     * What you have found so far, or what you are about to do.
     * @example The provider of the node knows of it.
     */
    note?: string;
};
/** An entry of the platform's audit log, as administrators see it. */
export type AdminAuditLogEntry = {
    /**
     * What was done, as `<resource>.<verb>`. New actions may appear at any time.
     * @example payment_link.create
     */
    action: string;
    /**
     * The id of whoever did it; for `system` a word such as `payer`, or empty.
     * @example mer_01jgges3h8v2n6x0c4b7k9m5qw
     */
    actorId: string;
    /**
     * Who did it: `admin`, an administrator of the platform; `merchant`, the merchant itself, by a session or an API key; `system`, nobody of these: a job, a payer, or somebody who did not prove who they are.
     * @enum {string}
     */
    actorType: AuditActorType;
    /**
     * The SHA-256 over its place, the hash of the entry before and all of this entry, 64 hexadecimal digits; null as long as `sequence` is.
     * @example cff8a02f29078bf8c7ce81928b45fda5715741b98027944fb0b84f726dc6c87f
     */
    hash: string | null;
    /**
     * The id of the entry.
     * @example log_01jggfnds9e9gt3f3v5s7k2m4n
     */
    id: string;
    /**
     * The address that the request came from; empty for jobs.
     * @example 203.0.113.9
     */
    ipAddress: string;
    /**
     * The merchant to whom the resource belongs, null where it is the platform's.
     * @example mer_01jgges3h8v2n6x0c4b7k9m5qw
     */
    merchantId: string | null;
    /**
     * What else there is to know of this action, for example the old and the new status. Never a secret.
     * @example {
     *       "keyName": "Web shop"
     *     }
     */
    metadata: {
        [key: string]: unknown;
    };
    /**
     * The `X-Request-Id` of the request, empty for jobs.
     * @example req-8f14e45fceea
     */
    requestId: string;
    /**
     * The id of what it was done to, empty where it has none.
     * @example plink_01jggfa4w7q1z8c5v2b9n3m6ke
     */
    resourceId: string;
    /**
     * The kind of what it was done to, the first part of `action`.
     * @example payment_link
     */
    resourceType: string;
    /**
     * Its place in the platform's chain of entries, about a second after it was written, and null before.
     * @example 1042
     */
    sequence: number | null;
    /**
     * When it was done.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    timestamp: string;
    /**
     * What the caller called itself; empty where `ipAddress` is.
     * @example Mozilla/5.0
     */
    userAgent: string;
};
/** A page of the platform's audit log. */
export type AdminAuditLogEntryList = {
    /** The entries, newest first. */
    data: AdminAuditLogEntry[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/** An administrator and the tokens of a new login session. */
export type AdminAuthResult = {
    /** An administrator as they see themselves. */
    admin: OwnAdmin;
    /**
     * Keep it, and send it with later logins: it says that this device has logged in before, so that failed logins of strangers do not make it wait. It proves nothing else. A new password makes it worthless.
     * @example dv_Yx2mZ9wKq4vT7sB1nE8yH3uJ6dG0fCaLpRiOqXkYtWc
     */
    deviceToken: string;
    /**
     * Seconds until the access token expires.
     * @example 600
     */
    expiresIn: number;
    /**
     * Trade it for a new pair of tokens when the access token expires. It works once.
     * @example rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc
     */
    refreshToken: string;
    /**
     * The access token. Send it as `Authorization: Bearer <token>`.
     * @example eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJhZG1fMDEifQ.c2lnbmF0dXJl
     */
    token: string;
};
/** A merchant as administrators see it. */
export type AdminMerchant = {
    /**
     * How many of its API keys work.
     * @example 1
     */
    apiKeyCount: number;
    /** What you have, in US dollars, rounded down to cents. */
    balance: SettlementBalance;
    /**
     * Your colour on the pages of payers; null for the platform's.
     * @example #8a1f4b
     */
    brandColor: string | null;
    /**
     * The legal name of the business. Payers see it.
     * @example Ceylon Tea House
     */
    businessName: string;
    /**
     * The legal form of the business.
     * @enum {string}
     */
    businessType: BusinessType;
    /**
     * When the merchant registered.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * The e-mail address to log in with, in lower case.
     * Format: email
     * @example owner@teahouse.example
     */
    email: string;
    /**
     * The websites whose pages may show the checkout in a frame, each as its origin. Empty: none may.
     * @example [
     *       "https://teahouse.example"
     *     ]
     */
    embedOrigins: string[];
    /**
     * The id of the merchant.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    id: string;
    /**
     * When the last of them was paid; null while none was.
     * Format: date-time
     * @example 2026-01-05T10:12:44.310Z
     */
    lastPaidAt: string | null;
    /**
     * Your logo on the pages of payers, a PNG whose address changes with it; null when there is none.
     * Format: uri
     * @example http://localhost:3000/checkout/logo/4b1f0c6de2b94375c1a7e09f5d3b2846.png
     */
    logoUrl: string | null;
    /**
     * How many of them were paid.
     * @example 9
     */
    paidCount: number;
    /**
     * How many payments it has asked for, whatever became of them.
     * @example 12
     */
    paymentCount: number;
    /**
     * How much less than the asked amount still counts as paid, in basis points (50 is 0.5 %); null means the platform's default.
     * @example 50
     */
    paymentToleranceBps: number | null;
    /**
     * The phone number in E.164 form.
     * @example +94771234567
     */
    phone: string;
    /**
     * The least worth in US dollars that is offered so; less waits for a decision.
     * @example 1
     */
    refundOfferMinimum: number;
    /**
     * For which exceptions the page of a payment that is over offers its payer the money back that waits for a decision. Whoever has the address of that page may then take it. Empty: only the merchant gives money back.
     * @example [
     *       "overpaid",
     *       "late"
     *     ]
     */
    refundOffers: RefundOfferException[];
    /**
     * When it was last rejected, also if it has asked for another review since; null if it never was. Until it is approved it collects nothing then, also where pending merchants may.
     * Format: date-time
     * @example null
     */
    rejectedAt: string | null;
    /**
     * Whether payers who left an e-mail address get receipts by mail, where the platform sends any.
     * @example true
     */
    sendReceipts: boolean;
    /**
     * The state of the merchant.
     *
     * | status | log in and read | create links and sessions | collect payments |
     * |---|---|---|---|
     * | `pending_verification` | yes | yes | in the sandbox |
     * | `active` | yes | yes | yes |
     * | `rejected` | yes | no | no |
     * | `frozen` | yes | no | no; money that still arrives is credited |
     * | `terminated` | no | no | no |
     * @enum {string}
     */
    status: MerchantStatus;
    /**
     * Why it is rejected, frozen or terminated, as an administrator wrote it; null otherwise.
     * @example Many payers dispute what they bought.
     */
    statusReason: string | null;
    /**
     * Where payers write to when they need help. Payers see it; null when there is none.
     * Format: email
     * @example help@teahouse.example
     */
    supportEmail: string | null;
    /**
     * A page that helps payers. Payers see it; null when there is none.
     * @example https://teahouse.example/help
     */
    supportUrl: string | null;
    /**
     * Whether logging in needs a one-time code.
     * @example false
     */
    twoFactorEnabled: boolean;
    /**
     * When its profile or its state last changed.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    updatedAt: string;
    /**
     * Where its own money goes by default when it withdraws in crypto; null while it has set none.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    walletAddress: string | null;
    /**
     * Where webhook events are sent; null while it has set none.
     * @example https://teahouse.example/hooks/kasi
     */
    webhookUrl: string | null;
    /**
     * The merchant's website. Payers see it; null when there is none.
     * @example https://teahouse.example
     */
    website: string | null;
};
/** A page of merchants. */
export type AdminMerchantList = {
    /** The merchants, newest first. */
    data: AdminMerchantSummary[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/** A merchant as administrators see it in lists. */
export type AdminMerchantSummary = {
    /**
     * The legal name of the business. Payers see it.
     * @example Ceylon Tea House
     */
    businessName: string;
    /**
     * The legal form of the business.
     * @enum {string}
     */
    businessType: BusinessType;
    /**
     * When the merchant registered.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * The e-mail address to log in with, in lower case.
     * Format: email
     * @example owner@teahouse.example
     */
    email: string;
    /**
     * The id of the merchant.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    id: string;
    /**
     * The phone number in E.164 form.
     * @example +94771234567
     */
    phone: string;
    /**
     * The state of the merchant.
     *
     * | status | log in and read | create links and sessions | collect payments |
     * |---|---|---|---|
     * | `pending_verification` | yes | yes | in the sandbox |
     * | `active` | yes | yes | yes |
     * | `rejected` | yes | no | no |
     * | `frozen` | yes | no | no; money that still arrives is credited |
     * | `terminated` | no | no | no |
     * @enum {string}
     */
    status: MerchantStatus;
    /**
     * Why it is rejected, frozen or terminated, as an administrator wrote it; null otherwise.
     * @example Many payers dispute what they bought.
     */
    statusReason: string | null;
    /**
     * When its profile or its state last changed.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    updatedAt: string;
};
/** A refund with what administrators need to pay it. */
export type AdminRefund = {
    /**
     * What is given back of the payment, in its currency and at its locked rate, rounded down together with what goes back beside it.
     * @example 10
     */
    amount: number;
    /**
     * Who named the address; null while nobody has.
     * @example payer
     * @enum {string|null}
     */
    claimedBy: "merchant" | "payer" | null;
    /**
     * When you made it.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Where it goes; null until that is known.
     * @example null
     */
    destinationAddress: string | null;
    /**
     * Whether the wallet that paid has signed for the address.
     * @example false
     */
    destinationProven: boolean;
    /**
     * When that was asked; null where it was not.
     * Format: date-time
     * @example null
     */
    failRequestedAt: string | null;
    /**
     * The administrator who asks to fail it while it is `processing`; null where none does.
     * @example null
     */
    failRequestedBy: string | null;
    /**
     * When it became `completed`, `cancelled` or `failed`; null before.
     * Format: date-time
     * @example null
     */
    finishedAt: string | null;
    /**
     * The id of the refund.
     * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
     */
    id: string;
    /**
     * Whose payment it gives back.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    merchantId: string;
    /**
     * The name of that merchant.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * The network that it is sent on, which is the one that it was paid on.
     * @example devnet
     */
    network: string;
    /**
     * The latest note of an administrator.
     * @example null
     */
    notes: string | null;
    /**
     * Whether the payer took it from the payment's page, where your rules offered it.
     * @example false
     */
    offered: boolean;
    /**
     * The payment that it gives back.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * The administrator who began to pay it.
     * @example null
     */
    processedBy: string | null;
    /**
     * Why it is given back, in your words. The payer reads it.
     * @example Only a part of the price arrived.
     */
    reason: string;
    /**
     * The state of a refund.
     *
     * ```
     * awaiting_claim ──▶ pending ──▶ processing ──▶ completed
     *       │               │            │
     *       └───────┬───────┴────────────┤
     *               ▼                    ▼
     *           cancelled             failed
     * ```
     *
     * - `awaiting_claim`: the money is held until the payer says where it shall go, by the link in `claimUrl`.
     * - `pending`: it is known where it goes, and it waits to be paid.
     * - `processing`: it is being paid, so its address does not change any more.
     * - `completed`: it is paid. In the rare case that the chain takes the payout back it is `processing` again.
     * - `cancelled`: you took it back. The money is where it was.
     * - `failed`: it could not be paid (`statusMessage` says why). The money is where it was.
     * @example awaiting_claim
     * @enum {string}
     */
    status: RefundStatus;
    /**
     * Why it failed, in plain words; null otherwise.
     * @example null
     */
    statusMessage: string | null;
    /** The token that is sent, which is the one that was paid. */
    token: Token;
    /**
     * What is sent, a decimal string in `token`; fixed when the refund is made. Of ETH and BTC more than an hour after they came it is no more than `amount` was worth then.
     * @example 10.000000
     */
    tokenAmount: string;
    /**
     * The transaction that paid it; null until it is `completed`.
     * @example null
     */
    txHash: string | null;
    /**
     * Whether the chain showed the payout when it was completed, or another one of its transaction later; null before.
     * @example null
     */
    txVerified: boolean | null;
    /**
     * What the ledger holds for it, in US dollars, rounded down.
     * @example 10
     */
    worth: number;
};
/** A fresh pair of tokens. */
export type AdminTokens = {
    /**
     * Seconds until the access token expires.
     * @example 600
     */
    expiresIn: number;
    /**
     * The new refresh token. The one that you sent no longer works.
     * @example rt_Qw3eRt5yUi7oPa9sDf1gHj2kLz4xCv6bNm8qWe0rTyU
     */
    refreshToken: string;
    /**
     * The new access token.
     * @example eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJhZG1fMDEifQ.c2lnbmF0dXJl
     */
    token: string;
};
/** An administrator. */
export type AdminUser = {
    /**
     * When they were added.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * The e-mail address that they log in with, in lower case.
     * @example nimali@kasi.example
     */
    email: string;
    /**
     * The id of the administrator.
     * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    id: string;
    /**
     * The name that colleagues know.
     * @example Nimali Fernando
     */
    name: string;
    /** The role of an administrator. */
    role: RoleReference;
    /**
     * A deactivated administrator can no longer log in; their sessions have ended.
     * @enum {string}
     */
    status: AdminUserStatus;
    /**
     * When they were last changed.
     * Format: date-time
     * @example 2026-01-06T10:00:00.000Z
     */
    updatedAt: string;
};
/** An administrator who was just added. */
export type AdminUserCreated = {
    /**
     * When they were added.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * The e-mail address that they log in with, in lower case.
     * @example nimali@kasi.example
     */
    email: string;
    /**
     * The id of the administrator.
     * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    id: string;
    /**
     * The name that colleagues know.
     * @example Nimali Fernando
     */
    name: string;
    /** The role of an administrator. */
    role: RoleReference;
    /**
     * A deactivated administrator can no longer log in; their sessions have ended.
     * @enum {string}
     */
    status: AdminUserStatus;
};
/** A page of administrators. */
export type AdminUserList = {
    /** The administrators, newest first. */
    data: AdminUserSummary[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/**
 * A deactivated administrator can no longer log in; their sessions have ended.
 * @enum {string}
 */
export type AdminUserStatus = "active" | "deactivated";
/** An administrator's state after it was set. */
export type AdminUserStatusChange = {
    /**
     * The id of the administrator.
     * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    id: string;
    /**
     * What that means, in words for people.
     * @example The administrator can log in.
     */
    message: string;
    /**
     * A deactivated administrator can no longer log in; their sessions have ended.
     * @enum {string}
     */
    status: AdminUserStatus;
};
/** An administrator as lists show them. */
export type AdminUserSummary = {
    /**
     * When they were added.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * The e-mail address that they log in with, in lower case.
     * @example nimali@kasi.example
     */
    email: string;
    /**
     * The id of the administrator.
     * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    id: string;
    /**
     * When they last logged in; null when they never have.
     * Format: date-time
     * @example 2026-01-05T08:14:31.220Z
     */
    lastLoginAt: string | null;
    /**
     * The name that colleagues know.
     * @example Nimali Fernando
     */
    name: string;
    /** The role of an administrator. */
    role: RoleReference;
    /**
     * A deactivated administrator can no longer log in; their sessions have ended.
     * @enum {string}
     */
    status: AdminUserStatus;
};
/** A withdrawal with everything that administrators know of it. */
export type AdminWithdrawal = {
    /**
     * What left the merchant's balance, in US dollars, a decimal string with 2 decimals.
     * @example 250.00
     */
    amount: string;
    /**
     * The number of the bank account, whole for those who may manage withdrawals and masked but for its last four characters for others; null for `crypto`.
     * @example null
     */
    bankAccountNumber: string | null;
    /**
     * The branch of the bank; null for `crypto`.
     * @example null
     */
    bankBranch: string | null;
    /**
     * The name of the bank; null for `crypto`.
     * @example null
     */
    bankName: string | null;
    /**
     * Whether it was `rejected` by its merchant.
     * @example false
     */
    cancelled: boolean;
    /**
     * When it ended, in whatever way; null before.
     * Format: date-time
     * @example null
     */
    closedAt: string | null;
    /**
     * The administrator who completed, rejected or failed it; null before, and when its merchant cancelled it.
     * @example null
     */
    closedBy: string | null;
    /**
     * When it became `completed`; null otherwise.
     * Format: date-time
     * @example null
     */
    completedAt: string | null;
    /**
     * A stablecoin that withdrawals are paid in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    currency: WithdrawalToken;
    /**
     * Where the crypto goes. For `bank` it is the platform's `offRampAddress` as it was at the approval; null before, and when none is set.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    destinationAddress: string | null;
    /**
     * When that was asked; null where it was not.
     * Format: date-time
     * @example null
     */
    failRequestedAt: string | null;
    /**
     * The administrator who asks to fail it while it is `processing`; null where none does.
     * @example null
     */
    failRequestedBy: string | null;
    /**
     * What the platform keeps of it.
     * @example 1.00
     */
    fee: string;
    /**
     * The id of the withdrawal.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * Whose money it is.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    merchantId: string;
    /**
     * The business name of the merchant.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /** The state of the merchant now. Only an `active` one is paid. */
    merchantStatus: MerchantStatus;
    /**
     * How a withdrawal is paid.
     *
     * - `crypto`: as a stablecoin to a wallet
     * - `bank`: to a bank account
     * @example crypto
     * @enum {string}
     */
    method: WithdrawalMethod;
    /**
     * What has to arrive at the destination.
     * @example 249.00
     */
    netAmount: string;
    /**
     * The network that it is paid on.
     * @example devnet
     */
    network: string;
    /**
     * The latest note of an administrator, for administrators only.
     * @example null
     */
    notes: string | null;
    /**
     * The administrator who began to pay it; null before, and where it was paid without that.
     * @example null
     */
    processedBy: string | null;
    /**
     * When somebody began to pay it; null if nobody said so.
     * Format: date-time
     * @example null
     */
    processingAt: string | null;
    /**
     * Why it was rejected or failed, as the merchant reads it.
     * @example null
     */
    reason: string | null;
    /**
     * The bank's reference of the payment, in capitals; null until it is paid, and where a transaction on chain paid it.
     * @example null
     */
    reference: string | null;
    /**
     * When the merchant asked for it.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    requestedAt: string;
    /**
     * How many payouts of it were taken back by the chain after it was `completed`.
     * @example 0
     */
    reverts: number;
    /**
     * When it was approved or rejected; null before, and when its merchant cancelled it.
     * Format: date-time
     * @example null
     */
    reviewedAt: string | null;
    /**
     * The administrator who approved or rejected it; null before, and when its merchant cancelled it.
     * @example null
     */
    reviewedBy: string | null;
    /**
     * The state of a withdrawal.
     *
     * ```
     * pending ──▶ approved ──▶ processing ──▶ completed
     *    │           │  └───────────│─────────────▲
     *    ▼           └──▶ failed ◀──┘
     * rejected
     * ```
     *
     * - `pending`: it waits for a decision.
     * - `approved`: it may be paid.
     * - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
     * - `completed`: it is paid, by the transaction in `txHash`.
     * - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
     * - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
     * @example pending
     * @enum {string}
     */
    status: AdminWithdrawalStatus;
    /**
     * The height of the block that the payout was found in; null until then, and where the chain was not asked.
     * @example null
     */
    txBlock: number | null;
    /**
     * When the payout was seen in a block that is final; null until then. Until then a reorg may take it back.
     * Format: date-time
     * @example null
     */
    txFinalAt: string | null;
    /**
     * The transaction that paid it, or the bank's `reference`; null until it is `completed`.
     * @example null
     */
    txHash: string | null;
    /**
     * Whether the chain was asked and agreed before it was called `completed`, or when another payout of its transaction was later; null until then.
     * @example null
     */
    txVerified: boolean | null;
    /**
     * When it last changed.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    updatedAt: string;
};
/** A page of withdrawals. */
export type AdminWithdrawalList = {
    /** The withdrawals, newest first. */
    data: AdminWithdrawalSummary[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/**
 * The state of a withdrawal.
 *
 * ```
 * pending ──▶ approved ──▶ processing ──▶ completed
 *    │           │  └───────────│─────────────▲
 *    ▼           └──▶ failed ◀──┘
 * rejected
 * ```
 *
 * - `pending`: it waits for a decision.
 * - `approved`: it may be paid.
 * - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
 * - `completed`: it is paid, by the transaction in `txHash`.
 * - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
 * - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
 * @example pending
 * @enum {string}
 */
export type AdminWithdrawalStatus = "pending" | "approved" | "rejected" | "processing" | "completed" | "failed";
/** A withdrawal as lists for administrators show it. */
export type AdminWithdrawalSummary = {
    /**
     * What left the merchant's balance, in US dollars, a decimal string with 2 decimals.
     * @example 250.00
     */
    amount: string;
    /**
     * A stablecoin that withdrawals are paid in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    currency: WithdrawalToken;
    /**
     * Where the crypto goes. For `bank` it is the platform's `offRampAddress` as it was at the approval; null before, and when none is set.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    destinationAddress: string | null;
    /**
     * The id of the withdrawal.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * Whose money it is.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    merchantId: string;
    /**
     * The business name of the merchant.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * How a withdrawal is paid.
     *
     * - `crypto`: as a stablecoin to a wallet
     * - `bank`: to a bank account
     * @example crypto
     * @enum {string}
     */
    method: WithdrawalMethod;
    /**
     * The network that it is paid on.
     * @example devnet
     */
    network: string;
    /**
     * The latest note of an administrator, for administrators only.
     * @example null
     */
    notes: string | null;
    /**
     * The bank's reference of the payment, in capitals; null until it is paid, and where a transaction on chain paid it.
     * @example null
     */
    reference: string | null;
    /**
     * When the merchant asked for it.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    requestedAt: string;
    /**
     * The administrator who approved or rejected it; null before, and when its merchant cancelled it.
     * @example null
     */
    reviewedBy: string | null;
    /**
     * The state of a withdrawal.
     *
     * ```
     * pending ──▶ approved ──▶ processing ──▶ completed
     *    │           │  └───────────│─────────────▲
     *    ▼           └──▶ failed ◀──┘
     * rejected
     * ```
     *
     * - `pending`: it waits for a decision.
     * - `approved`: it may be paid.
     * - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
     * - `completed`: it is paid, by the transaction in `txHash`.
     * - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
     * - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
     * @example pending
     * @enum {string}
     */
    status: AdminWithdrawalStatus;
    /**
     * The transaction that paid it, or the bank's `reference`; null until it is `completed`.
     * @example null
     */
    txHash: string | null;
    /**
     * When it last changed.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    updatedAt: string;
};
/** How far to move the clock, either by `seconds` or `to` a time. It only goes forward. */
export type AdvanceSandboxClockRequest = {
    /**
     * How many seconds to go forward, at most ten years.
     * @example 3600
     */
    seconds?: number;
    /**
     * The time to go to, not before the present one.
     * Format: date-time
     * @example 2035-01-02T04:04:05.006Z
     */
    to?: string;
};
/**
 * How the customer's wallet agrees to `mandate`.
 *
 * - `signature`: it signs `typedData`, and we bring that to the chain; that costs the customer nothing.
 * - `transaction`: it sends `authorize(mandate)` to `collector` from `walletAddress`, and pays the network's fee for it. So it
 *   is once the chain has refused what the wallet had signed: no other signature of this mandate is brought there.
 *
 * Such a transaction counts at any time, also while a signature would do. A new mandate begins with `signature` again.
 * @enum {string}
 */
export type AgreementMethod = "signature" | "transaction";
/** Where the platform sends its alerts, and how that is going. */
export type AlertChannel = {
    /**
     * Scheme and host of `ALERT_WEBHOOK_URL`, as the process that answers is configured; null when alerts are sent nowhere. The path stays secret.
     * @example https://alerts.example
     */
    destination: string | null;
    /**
     * When an alert last arrived; null when none did.
     * Format: date-time
     * @example 2026-01-02T03:04:06.006Z
     */
    lastDeliveredAt: string | null;
    /**
     * Why the last attempt of an alert that is waiting failed; null when none failed.
     * @example null
     */
    lastFailure: string | null;
    /**
     * The key that verifies alerts, like a merchant's webhooks: an Ed25519 public key with the prefix `whpk_`. It follows from the master key and changes with it.
     * @example whpk_lC2yvQp3GJTf3hTz0Ekf9hQn0mYF9x2nqzOZ0l2bX2k=
     */
    publicKey: string;
    /**
     * How many alerts are on their way, the failing ones included.
     * @example 0
     */
    waiting: number;
};
/** A key for your servers. The secret that belongs to it was shown once, when it was made. */
export type ApiKey = {
    /**
     * The addresses that it may be used from, as addresses or CIDR ranges; none means from everywhere.
     * @example [
     *       "203.0.113.0/24"
     *     ]
     */
    allowedIps: string[];
    /**
     * The public value, sent in the header `X-API-Key`.
     * @example pk_sandbox_7d1e5c90b3f84a26a8c2f6e1d4b70953
     */
    apiKey: string;
    /**
     * When it was made.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * When it stops working by itself; null means never.
     * Format: date-time
     * @example 2027-01-02T03:04:05.006Z
     */
    expiresAt: string | null;
    /**
     * The id of the key, by which it is deleted and rotated.
     * @example key_01jggfq2m6b8t4x0r5d9c3v7hk
     */
    id: string;
    /**
     * When it was last used, to the minute; null if never.
     * Format: date-time
     * @example 2026-01-02T03:11:00.000Z
     */
    lastUsedAt: string | null;
    /**
     * What you call it.
     * @example Web shop
     */
    name: string;
    /**
     * What the key may do.
     * @example [
     *       "payments:read",
     *       "payments:write"
     *     ]
     */
    permissions: ApiKeyScope[];
};
/** A new key with its secret. Store the secret now, it is never shown again. */
export type ApiKeyCreated = {
    /**
     * The addresses that it may be used from, as addresses or CIDR ranges; none means from everywhere.
     * @example [
     *       "203.0.113.0/24"
     *     ]
     */
    allowedIps: string[];
    /**
     * The public value, sent in the header `X-API-Key`.
     * @example pk_sandbox_7d1e5c90b3f84a26a8c2f6e1d4b70953
     */
    apiKey: string;
    /**
     * The secret that signs requests. It is in this answer and nowhere else, ever; keep it like a password.
     * @example sk_sandbox_4f9c2b7e8a1d0356c9e4b2f7a8d1e03b4f9c2b7e8a1d0356c9e4b2f7a8d1e03b
     */
    apiSecret: string;
    /**
     * When it was made.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * When it stops working by itself; null means never.
     * Format: date-time
     * @example 2027-01-02T03:04:05.006Z
     */
    expiresAt: string | null;
    /**
     * The id of the key, by which it is deleted and rotated.
     * @example key_01jggfq2m6b8t4x0r5d9c3v7hk
     */
    id: string;
    /**
     * What you call it.
     * @example Web shop
     */
    name: string;
    /**
     * What the key may do.
     * @example [
     *       "payments:read",
     *       "payments:write"
     *     ]
     */
    permissions: ApiKeyScope[];
};
/** An API key was made, or made anew by rotating another. */
export type ApiKeyCreatedEvent = EventEnvelope & {
    /** The key as it was made, without its secret. */
    data: ApiKey;
    /**
     * The type of the event.
     * @constant
     */
    type: "api_key.created";
};
/** Your API keys. */
export type ApiKeyList = {
    /** The keys that work, newest first. */
    data: ApiKey[];
};
/** An API key was deleted or replaced at once and works no more. */
export type ApiKeyRevokedEvent = EventEnvelope & {
    /** The key as it was when it was revoked. */
    data: ApiKey;
    /**
     * The type of the event.
     * @constant
     */
    type: "api_key.revoked";
};
/**
 * What an API key may do. `payments:read` reads payments and checkout sessions, `payments:write` creates and decides about them, `settlements:read` reads the balance and the ledger, `settlements:write` asks for withdrawals, `webhooks:manage` is for everything about webhooks. Only a key that was made with them may do more: `links:manage` makes and changes payment links, `subscriptions:manage` plans and subscriptions.
 * @enum {string}
 */
export type ApiKeyScope = "payments:read" | "payments:write" | "settlements:read" | "settlements:write" | "webhooks:manage" | "links:manage" | "subscriptions:manage";
/** The approver's own second-factor code. */
export type ApproveChangeRequest = {
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on, ignored otherwise.
     * @example 492039
     */
    otp?: string;
};
/** What there is to say about it. */
export type ApproveWithdrawalRequest = {
    /**
     * A note for administrators. An empty or blank one leaves the note before.
     * @example Account checked with the bank.
     */
    notes?: string;
};
/**
 * Who did it: `admin`, an administrator of the platform; `merchant`, the merchant itself, by a session or an API key; `system`, nobody of these: a job, a payer, or somebody who did not prove who they are.
 * @enum {string}
 */
export type AuditActorType = "admin" | "merchant" | "system";
/** Something that was done, or tried and refused. Entries are never changed or removed. */
export type AuditLogEntry = {
    /**
     * What was done, as `<resource>.<verb>`. New actions may appear at any time.
     * @example payment_link.create
     */
    action: string;
    /**
     * The id of whoever did it; for `system` a word such as `payer`, or empty.
     * @example mer_01jgges3h8v2n6x0c4b7k9m5qw
     */
    actorId: string;
    /**
     * Who did it: `admin`, an administrator of the platform; `merchant`, the merchant itself, by a session or an API key; `system`, nobody of these: a job, a payer, or somebody who did not prove who they are.
     * @enum {string}
     */
    actorType: AuditActorType;
    /**
     * The SHA-256 over its place, the hash of the entry before and all of this entry, 64 hexadecimal digits; null as long as `sequence` is.
     * @example cff8a02f29078bf8c7ce81928b45fda5715741b98027944fb0b84f726dc6c87f
     */
    hash: string | null;
    /**
     * The id of the entry.
     * @example log_01jggfnds9e9gt3f3v5s7k2m4n
     */
    id: string;
    /**
     * The address that the request came from; empty for jobs, and for administrators where merchants read it.
     * @example 203.0.113.9
     */
    ipAddress: string;
    /**
     * What else there is to know of this action, for example the old and the new status. Never a secret.
     * @example {
     *       "keyName": "Web shop"
     *     }
     */
    metadata: {
        [key: string]: unknown;
    };
    /**
     * The `X-Request-Id` of the request, empty for jobs.
     * @example req-8f14e45fceea
     */
    requestId: string;
    /**
     * The id of what it was done to, empty where it has none.
     * @example plink_01jggfa4w7q1z8c5v2b9n3m6ke
     */
    resourceId: string;
    /**
     * The kind of what it was done to, the first part of `action`.
     * @example payment_link
     */
    resourceType: string;
    /**
     * Its place in the platform's chain of entries, about a second after it was written, and null before.
     * @example 1042
     */
    sequence: number | null;
    /**
     * When it was done.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    timestamp: string;
    /**
     * What the caller called itself; empty where `ipAddress` is.
     * @example Mozilla/5.0
     */
    userAgent: string;
};
/** A page of the audit log. */
export type AuditLogEntryList = {
    /** The entries, newest first. */
    data: AuditLogEntry[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/** The fee of a payout to a bank account. */
export type BankWithdrawalFee = {
    /**
     * Hundredths of a percent of the amount, rounded up to cents.
     * @example 50
     */
    bps: number;
    /**
     * At least this, in US dollars.
     * @example 5.00
     */
    min: string;
};
/** The fee of a payout to a bank account. */
export type BankWithdrawalFeeInput = {
    /**
     * Hundredths of a percent of the amount, rounded up to cents.
     * @example 50
     */
    bps: number;
    /**
     * At least this, in US dollars.
     * @example 5.00
     */
    min: string;
};
/**
 * The legal form of the business.
 * @enum {string}
 */
export type BusinessType = "individual" | "company" | "nonprofit";
/** The proof that the wallet's owner wants to cancel. */
export type CancelByWalletRequest = {
    /**
     * The id of the challenge whose text was signed.
     * @example wch_01jggm9h3k5n7q9s1v3x5z7b9d
     */
    challengeId: string;
    /**
     * The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that are contracts sign by ERC-1271.
     * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
     */
    signature: string;
};
/** Why it is cancelled. */
export type CancelChangeRequest = {
    /**
     * Why, for the other administrators to read. Spaces alone are refused.
     * @example This is not the address of our off-ramp.
     */
    reason: string;
};
/**
 * What a signed text is good for.
 *
 * - `subscribe`: to subscribe the wallet to the plan `planId`.
 * - `sign_in`: to see the wallet's subscriptions.
 * - `cancel`: to cancel the subscription `subscriptionId`.
 * @example sign_in
 * @enum {string}
 */
export type ChallengePurpose = "subscribe" | "sign_in" | "cancel";
/** The old password and the new one. */
export type ChangeAdminPasswordRequest = {
    /**
     * The password that is valid now.
     * @example Str0ng-enough
     */
    currentPassword: string;
    /**
     * 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
     * @example Even-str0nger
     */
    newPassword: string;
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on, ignored otherwise.
     * @example 492039
     */
    otp?: string;
};
/** The caller's own second-factor code. */
export type ChangeAdminStatusRequest = {
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and the administrator's role moves money or rights; ignored otherwise.
     * @example 492039
     */
    otp?: string;
};
/**
 * What a change is about.
 *
 * - `settings`: the settings of the platform.
 * - `role`: the permissions of a role.
 * - `admin`: the role of an administrator, or a new administrator.
 * @example settings
 * @enum {string}
 */
export type ChangeKind = "settings" | "role" | "admin";
/** A page of changes. */
export type ChangeList = {
    /** The changes, newest first. */
    data: GuardedChange[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/** The old password and the new one. */
export type ChangeMerchantPasswordRequest = {
    /**
     * The password that is valid now.
     * @example Str0ng-enough
     */
    currentPassword: string;
    /**
     * 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
     * @example Even-str0nger
     */
    newPassword: string;
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on, ignored otherwise.
     * @example 492039
     */
    otp?: string;
};
/**
 * The state of a change that has to wait.
 *
 * ```
 * proposed ──▶ approved ──▶ in_effect
 *    │  └─────────│───▶ cancelled
 *    ▼            └────────▲
 * expired
 * ```
 *
 * - `proposed`: another administrator has to approve it.
 * - `approved`: it needs no further approval and takes effect when it is due.
 * - `in_effect`: it has taken effect.
 * - `cancelled`: an administrator cancelled it, or the service found that it can't take effect any more; `reason` says why.
 * - `expired`: it was not approved in time.
 * @example approved
 * @enum {string}
 */
export type ChangeStatus = "proposed" | "approved" | "in_effect" | "cancelled" | "expired";
/** What a subscription owes for one period, and what became of it. */
export type Charge = {
    /**
     * What is charged, in `currency`.
     * @example 25
     */
    amount: number;
    /** The tries, newest first, at most 20. */
    attempts: ChargeAttempt[];
    /**
     * When the charge was made.
     * Format: date-time
     * @example 2026-01-16T03:04:05.106Z
     */
    createdAt: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * When it is to be collected, null unless it is `due`.
     * Format: date-time
     * @example null
     */
    dueAt: string | null;
    /**
     * Until when it has to wait, because the mandate allows no more before. null when it does not wait.
     * Format: date-time
     * @example null
     */
    earliestChargeAt: string | null;
    /** Why the last try failed, null when it did not. */
    failureCode: ChargeFailureCode;
    /**
     * The id of the charge.
     * @example chg_01jggmbw4y6a8c0e2g5j7m9q1s
     */
    id: string;
    /**
     * The network that it is collected on.
     * @example devnet
     */
    network: string;
    /**
     * The number of the period, counted from 1. All tries of a charge have the same, and the chain takes each only once.
     * @example 1
     */
    number: number;
    /**
     * Its payment, null until it is collected.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string | null;
    /**
     * When that period ends.
     * Format: date-time
     * @example 2026-02-16T03:04:05.006Z
     */
    periodEnd: string;
    /**
     * When the period begins that it pays for.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    periodStart: string;
    /**
     * When a reorganised chain took its money back after it had succeeded. null when that never happened, and once it has succeeded again.
     * Format: date-time
     * @example null
     */
    reversedAt: string | null;
    /**
     * The state of a charge.
     *
     * - `due`: it is to be collected, see `dueAt`.
     * - `sending`: it is on its way to the chain.
     * - `confirming`: it was collected, and its payment waits for the network to confirm.
     * - `succeeded`: its payment is paid.
     * - `failed`: the last try failed. While the subscription is `past_due` it is tried again.
     * - `void`: its period went by without it, and nothing was taken for it.
     * @enum {string}
     */
    status: ChargeStatus;
    /**
     * The subscription that it belongs to.
     * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    subscriptionId: string;
    /**
     * A stablecoin that plans are charged in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    token: SubscriptionToken;
    /**
     * What is taken, a decimal string in `token`; null until it is collected for the first time.
     * @example 25.000000
     */
    tokenAmount: string | null;
    /**
     * The transaction that collected it, null until then.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    txHash: string | null;
};
/** One try to collect a charge. */
export type ChargeAttempt = {
    /**
     * When it was made.
     * Format: date-time
     * @example 2026-01-16T03:04:08.112Z
     */
    at: string;
    /**
     * Why a charge failed, null when it did not.
     *
     * - `mandate_missing`: the customer has not agreed, or to less than is charged now.
     * - `mandate_revoked`: the customer has withdrawn the mandate, or its time is over.
     * - `insufficient_balance`: the wallet does not hold enough.
     * - `insufficient_allowance`: the token does not let the collector take enough.
     * - `token_blocked`: the token's contract refuses to move money of this wallet.
     * - `network_unavailable`: the network could not be reached.
     * - `gas_too_dear`: the network's gas costs too much for so small a charge at present. It waits and is tried again every
     *   five minutes.
     * @example null
     * @enum {string|null}
     */
    failureCode: ChargeFailureCode;
    /**
     * What became of one try.
     *
     * - `sent`: it is on its way to the chain.
     * - `collected`: the money was taken.
     * - `failed`: it was refused, see `failureCode`.
     * - `deferred`: it was put off, because the mandate allows no more for now or the network could not be reached. That uses up
     *   no retry.
     * - `lost`: its transaction never came about, or the chain took it back. The charge is sent again.
     * @enum {string}
     */
    outcome: ChargeOutcome;
    /**
     * The transaction that it was made by, null when none was sent.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    txHash: string | null;
};
/**
 * Why a charge failed, null when it did not.
 *
 * - `mandate_missing`: the customer has not agreed, or to less than is charged now.
 * - `mandate_revoked`: the customer has withdrawn the mandate, or its time is over.
 * - `insufficient_balance`: the wallet does not hold enough.
 * - `insufficient_allowance`: the token does not let the collector take enough.
 * - `token_blocked`: the token's contract refuses to move money of this wallet.
 * - `network_unavailable`: the network could not be reached.
 * - `gas_too_dear`: the network's gas costs too much for so small a charge at present. It waits and is tried again every
 *   five minutes.
 * @example null
 * @enum {string|null}
 */
export type ChargeFailureCode = "mandate_missing" | "mandate_revoked" | "insufficient_balance" | "insufficient_allowance" | "token_blocked" | "network_unavailable" | "gas_too_dear" | null;
/** A page of charges. */
export type ChargeList = {
    /** The charges, newest first. */
    data: Charge[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/**
 * What became of one try.
 *
 * - `sent`: it is on its way to the chain.
 * - `collected`: the money was taken.
 * - `failed`: it was refused, see `failureCode`.
 * - `deferred`: it was put off, because the mandate allows no more for now or the network could not be reached. That uses up
 *   no retry.
 * - `lost`: its transaction never came about, or the chain took it back. The charge is sent again.
 * @enum {string}
 */
export type ChargeOutcome = "sent" | "collected" | "failed" | "deferred" | "lost";
/**
 * The state of a charge.
 *
 * - `due`: it is to be collected, see `dueAt`.
 * - `sending`: it is on its way to the chain.
 * - `confirming`: it was collected, and its payment waits for the network to confirm.
 * - `succeeded`: its payment is paid.
 * - `failed`: the last try failed. While the subscription is `past_due` it is tried again.
 * - `void`: its period went by without it, and nothing was taken for it.
 * @enum {string}
 */
export type ChargeStatus = "due" | "sending" | "confirming" | "succeeded" | "failed" | "void";
/** A checkout session, as its merchant sees it. Its payment has the details. */
export type CheckoutSession = {
    /**
     * The amount to pay, in `currency`.
     * @example 49.99
     */
    amount: number;
    /**
     * Where the customer goes when they turn back, as you gave it.
     * Format: uri
     * @example https://shop.example/cart
     */
    cancelUrl: string;
    /**
     * The hosted page.
     * Format: uri
     * @example http://localhost:3000/checkout/session/cs_01jggfq7w3e8yt1b4n6m9p2s5d
     */
    checkoutUrl: string;
    /**
     * When the session was created.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Until when the session can be paid.
     * Format: date-time
     * @example 2026-01-02T05:04:05.006Z
     */
    expiresAt: string;
    /**
     * The id of the session.
     * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
     */
    id: string;
    /**
     * The key-value data that you attached, returned exactly as you sent it. `{}` when you attached none.
     * @example {
     *       "orderId": "A-1001"
     *     }
     */
    metadata: Metadata;
    /**
     * The payment of this session.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * The state of a checkout session.
     *
     * - `open`: the customer can pay.
     * - `completed`: its payment is paid.
     * - `expired`: its time ran out, or you expired it.
     * @enum {string}
     */
    status: CheckoutSessionStatus;
    /**
     * Where the customer goes after paying, as you gave it.
     * Format: uri
     * @example https://shop.example/thanks
     */
    successUrl: string;
};
/** The payment of the session is paid. */
export type CheckoutSessionCompletedEvent = EventEnvelope & {
    /** The checkout session as it was when the event happened. */
    data: CheckoutSession;
    /**
     * The type of the event.
     * @constant
     */
    type: "checkout.session.completed";
};
/** A new checkout session. */
export type CheckoutSessionCreated = {
    /**
     * The hosted page. Redirect the customer there.
     * Format: uri
     * @example http://localhost:3000/checkout/session/cs_01jggfq7w3e8yt1b4n6m9p2s5d
     */
    checkoutUrl: string;
    /**
     * Until when the session can be paid.
     * Format: date-time
     * @example 2026-01-02T05:04:05.006Z
     */
    expiresAt: string;
    /**
     * The id of the session, under the name that it has everywhere else.
     * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
     */
    id: string;
    /**
     * The payment of the session, which webhooks are about.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * The id of the session.
     * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
     */
    sessionId: string;
};
/** The session ended without being paid. */
export type CheckoutSessionExpiredEvent = EventEnvelope & {
    /** The checkout session as it was when the event happened. */
    data: CheckoutSession;
    /**
     * The type of the event.
     * @constant
     */
    type: "checkout.session.expired";
};
/**
 * The state of a checkout session.
 *
 * - `open`: the customer can pay.
 * - `completed`: its payment is paid.
 * - `expired`: its time ran out, or you expired it.
 * @enum {string}
 */
export type CheckoutSessionStatus = "open" | "completed" | "expired";
/** Where the money shall go. */
export type ClaimRefundRequest = {
    /**
     * An address of the refund's network that is the payer's own. An exchange's address will do when it is one for deposits of that token on that network; the address that a withdrawal of an exchange came from will not.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    destinationAddress: string;
    /**
     * The signature of `wallet.message` by the wallet that paid, whose address is then `destinationAddress`. Without it the address is whatever the holder of the link says.
     * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
     */
    signature?: string;
};
/** What a transaction completed, and what it did not. */
export type CompletedPayouts = {
    /** What this transaction has completed, now or before. */
    completed: string[];
    /** What is not completed. */
    refused: RefusedPayout[];
};
/** A transaction, and what it paid. */
export type CompletePayoutsRequest = {
    /**
     * A note on each of them, for other administrators.
     * @example Payout run of 2 January.
     */
    notes?: string;
    /**
     * The withdrawals and refunds that it paid.
     * @example [
     *       "wd_01jggk4x7c2m9q5s8v1y3b6d0f",
     *       "rfd_01jggm5r8e3t6y9b2d4f7h0k1n"
     *     ]
     */
    payoutIds: string[];
    /**
     * The transaction that paid them, as its network writes hashes.
     * @example 0x8d3f0c1b7a59e246d80b35fa91c7e264f0a1d5b83c96e7f2041a8b5d6c3e9f70
     */
    txHash: string;
};
/** What paid the refund. */
export type CompleteRefundRequest = {
    /**
     * A note for other administrators.
     * @example Payout run of 2 January.
     */
    notes?: string;
    /**
     * The transaction that paid it, as its network writes hashes.
     * @example 0x5e0c94d1b7a8f36250d9e4c7183ab6f20c5d7e91a4b83f6072c1d95e8a3b4f16
     */
    txHash: string;
};
/** The transaction that paid it. */
export type CompleteWithdrawalRequest = {
    /**
     * A note for administrators. An empty or blank one leaves the note before. Needed where the network is no longer listed.
     * @example Sent from the payout wallet.
     */
    notes?: string;
    /**
     * The hash of the transaction, 0x and 64 hexadecimal digits on EVM networks. For a withdrawal to a bank account that no transfer on chain leads to, the bank's reference, 4 to 64 characters, or such a hash.
     * @example 0x8d3f0c1b7a59e246d80b35fa91c7e264f0a1d5b83c96e7f2041a8b5d6c3e9f70
     */
    txHash: string;
};
/** Who to add, and what they may do. */
export type CreateAdminUserRequest = {
    /**
     * The e-mail address to log in with, unique among administrators whatever its case.
     * Format: email
     * @example nimali@kasi.example
     */
    email: string;
    /**
     * The name that colleagues know.
     * @example Nimali Fernando
     */
    name: string;
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and the role moves money or rights; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
     * @example Str0ng-enough
     */
    password: string;
    /**
     * The id of the role, from `GET /v1/admin/roles`.
     * @example role_00000000000000000000000002
     */
    roleId: string;
};
/** What the key is for, and what it may do. */
export type CreateApiKeyRequest = {
    /**
     * The addresses that it may be used from, up to 20 addresses or CIDR ranges. Left out or empty, from everywhere.
     * @example [
     *       "203.0.113.0/24"
     *     ]
     */
    allowedIps?: string[];
    /**
     * When the key stops working by itself, a date-time in the future with its offset. `""` or null means never.
     * @example 2035-01-02T03:04:05Z
     */
    expiresAt?: string | null;
    /**
     * What you call it, for example the system that will use it.
     * @example Web shop
     */
    name: string;
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and the key may do `settlements:write`, ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * What the key may do, at least one scope. Left out, everything but `links:manage` and `subscriptions:manage`.
     * @example [
     *       "payments:read",
     *       "payments:write"
     *     ]
     */
    permissions?: ApiKeyScope[];
};
/** What the customer is to pay, and where they go afterwards. */
export type CreateCheckoutSessionRequest = {
    /**
     * More than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals.
     * @example 49.99
     */
    amount: number;
    /**
     * Where the customer goes when they turn back. The same rules as for `successUrl`.
     * Format: uri
     * @example https://shop.example/cart
     */
    cancelUrl: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Where the payer can be reached.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail?: string | null;
    /**
     * What it is for. The payer sees it.
     * @example Order A-1001
     */
    description?: string | null;
    /**
     * How long the session can be paid.
     * @default 120
     * @example 120
     */
    expiresInMinutes?: number;
    /** The lines that the payer sees: goods, shipping, taxes, discounts. They add up to `amount`. With `metadata` at most 8 KiB of JSON. */
    items?: LineItemInput[];
    /**
     * The language in which the payer gets a receipt by e-mail, if they have read none of the payment's pages: what they read there wins.
     * English when you leave it out.
     *
     * - `en`: English.
     * - `es`: Spanish.
     * - `fr`: French.
     * - `si`: Sinhala.
     * - `ta`: Tamil.
     * @example si
     * @enum {string|null}
     */
    locale?: Locale;
    /**
     * Your own key-value data: at most 50 keys of 1 to 64 characters; each value a string of at most 500 characters, a number or a boolean; 8 KiB of JSON in all. Comes back in reads and in webhook events, never in public views.
     * @example {
     *       "orderId": "A-1001"
     *     }
     */
    metadata?: MetadataInput;
    /**
     * Where the customer goes after paying: an http or https URL without user name or password. `session_id` is added to its query, the rest stays as it is.
     * Format: uri
     * @example https://shop.example/thanks
     */
    successUrl: string;
};
/** The proof of a wallet. */
export type CreateCustomerSessionRequest = {
    /**
     * The id of the challenge whose text was signed.
     * @example wch_01jggm9h3k5n7q9s1v3x5z7b9d
     */
    challengeId: string;
    /**
     * The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that are contracts sign by ERC-1271.
     * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
     */
    signature: string;
};
/** A refund, with the link by which its payer claims it. */
export type CreatedRefund = {
    /**
     * What is given back of the payment, in its currency and at its locked rate, rounded down together with what goes back beside it.
     * @example 10
     */
    amount: number;
    /**
     * Send it to your payer: whoever has it says where the money goes. It is shown only now, and a new one can be made. Null when you named a `destinationAddress`.
     * Format: uri
     * @example http://localhost:3000/checkout/refund/4nK0w2dYt7Qx1sVb9ZpLr6JmHc3GfEaU8oTiXyW5qDk
     */
    claimUrl: string | null;
    /**
     * When you made it.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Where it goes; null until that is known.
     * @example null
     */
    destinationAddress: string | null;
    /**
     * When it became `completed`, `cancelled` or `failed`; null before.
     * Format: date-time
     * @example null
     */
    finishedAt: string | null;
    /**
     * The id of the refund.
     * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
     */
    id: string;
    /**
     * The network that it is sent on, which is the one that it was paid on.
     * @example devnet
     */
    network: string;
    /**
     * Whether the payer took it from the payment's page, where your rules offered it.
     * @example false
     */
    offered: boolean;
    /**
     * The payment that it gives back.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * Why it is given back, in your words. The payer reads it.
     * @example Only a part of the price arrived.
     */
    reason: string;
    /**
     * The state of a refund.
     *
     * ```
     * awaiting_claim ──▶ pending ──▶ processing ──▶ completed
     *       │               │            │
     *       └───────┬───────┴────────────┤
     *               ▼                    ▼
     *           cancelled             failed
     * ```
     *
     * - `awaiting_claim`: the money is held until the payer says where it shall go, by the link in `claimUrl`.
     * - `pending`: it is known where it goes, and it waits to be paid.
     * - `processing`: it is being paid, so its address does not change any more.
     * - `completed`: it is paid. In the rare case that the chain takes the payout back it is `processing` again.
     * - `cancelled`: you took it back. The money is where it was.
     * - `failed`: it could not be paid (`statusMessage` says why). The money is where it was.
     * @example awaiting_claim
     * @enum {string}
     */
    status: RefundStatus;
    /**
     * Why it failed, in plain words; null otherwise.
     * @example null
     */
    statusMessage: string | null;
    /** The token that is sent, which is the one that was paid. */
    token: Token;
    /**
     * What is sent, a decimal string in `token`; fixed when the refund is made. Of ETH and BTC more than an hour after they came it is no more than `amount` was worth then.
     * @example 10.000000
     */
    tokenAmount: string;
    /**
     * The transaction that paid it; null until it is `completed`.
     * @example null
     */
    txHash: string | null;
};
/** A new payment link. */
export type CreatePaymentLinkRequest = {
    /**
     * The tokens that payers may choose from, as far as they are enabled; at least one has to be. All of them when you leave it out: those that are enabled later are offered then.
     * @example [
     *       "USDT",
     *       "USDC"
     *     ]
     */
    acceptedTokens?: Token[];
    /**
     * What one payment costs in USD, more than 0 and at most 1,000,000.00, with at most 2 decimals.
     * @example 25
     */
    amount: number;
    /**
     * Only `USD`.
     * @default USD
     * @enum {string}
     */
    currency?: "USD";
    /** What every payer is asked, at most five questions. Their answers come with the payment. The lines, fields and `thankYou` of a link have at most 8 KiB of JSON together, where four bytes count for every character that a payer may write. */
    customFields?: CustomFieldInput[];
    /**
     * More about it.
     * @example Three hours, tea and cake included.
     */
    description?: string | null;
    /**
     * When the link stops taking payments, a date-time in the future with its offset. `""` or null means never.
     * @example 2035-06-30T18:00:00Z
     */
    expiresAt?: string | null;
    /** The lines that every payer sees: goods, shipping, taxes, discounts. They add up to `amount`. Not together with `payerAmount`. At most 8 KiB of JSON. */
    items?: LineItemInput[];
    /**
     * How many payments the link takes, open ones included, 1 to 1,000,000. Null, or nothing, for as many as people make.
     * @example 12
     */
    maxPayments?: number | null;
    /** Lets every payer choose what they pay, between two amounts; `amount` is then what the page suggests, and lies between them. Without it everybody pays `amount`. */
    payerAmount?: PayerAmountInput;
    /**
     * The last part of the address: 3 to 64 lower-case letters, digits and hyphens, with no hyphen at either end. Generated when you leave it out. Free again after the link is deleted.
     * @example spring-workshop
     */
    slug?: string;
    /**
     * What a payer reads once they have paid, on the page and on the receipt; lines are kept. Null or `""` for nothing.
     * @example See you on Saturday at 3 pm.
     *     Bring an apron.
     */
    thankYou?: string | null;
    /**
     * Where a button on that page leads, an https URL without user name or password. Null or `""` for no button.
     * @example https://shop.example/workshop
     */
    thankYouUrl?: string | null;
    /**
     * What is sold, the headline of the page.
     * @example Spring tea workshop
     */
    title: string;
};
/** A payment without a link or a session, for a checkout page of your own. */
export type CreatePaymentRequest = {
    /**
     * The tokens that the payer may choose from. Every enabled one when you leave it out.
     * @example [
     *       "USDT",
     *       "USDC"
     *     ]
     */
    acceptedTokens?: Token[];
    /**
     * More than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals.
     * @example 25
     */
    amount: number;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Where the payer can be reached.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail?: string | null;
    /**
     * What it is for. The payer sees it.
     * @example Invoice 2026-014
     */
    description?: string | null;
    /**
     * How long the payer has to pay. An hour when you leave it out, unless the platform has set another time.
     * @example 60
     */
    expiresInMinutes?: number;
    /** The lines that the payer sees: goods, shipping, taxes, discounts. They add up to `amount`. With `metadata` at most 8 KiB of JSON. */
    items?: LineItemInput[];
    /**
     * The language in which the payer gets a receipt by e-mail, if they have read none of the payment's pages: what they read there wins.
     * English when you leave it out.
     *
     * - `en`: English.
     * - `es`: Spanish.
     * - `fr`: French.
     * - `si`: Sinhala.
     * - `ta`: Tamil.
     * @example si
     * @enum {string|null}
     */
    locale?: Locale;
    /**
     * Your own key-value data: at most 50 keys of 1 to 64 characters; each value a string of at most 500 characters, a number or a boolean; 8 KiB of JSON in all. Comes back in reads and in webhook events, never in public views.
     * @example {
     *       "orderId": "A-1001"
     *     }
     */
    metadata?: MetadataInput;
};
/** A new subscription plan. */
export type CreatePlanRequest = {
    /**
     * What is charged in every interval, more than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals.
     * @example 25
     */
    amount: number;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * More about it. Customers read it when they agree.
     * @example A parcel of fresh tea every month.
     */
    description?: string | null;
    /**
     * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
     * and then on 31 March.
     * @example monthly
     * @enum {string}
     */
    interval: SubscriptionInterval;
    /**
     * What is sold.
     * @example Tea club
     */
    name: string;
    /**
     * The network that they pay on. The first one that can collect when you leave it out.
     * @example devnet
     */
    network?: string;
    /** The stablecoin that customers pay in, `USDT` when you leave it out. */
    token?: SubscriptionToken;
    /**
     * How many days a new subscriber pays nothing, 0 to 730.
     * @default 0
     * @example 14
     */
    trialDays?: number;
};
/** What to give back. It goes in a token that was paid, on the network where it was paid. Where a payment was paid in several, `token` and `network` say in which; without them it is the one of which most is left. */
export type CreateRefundRequest = {
    /**
     * How much, in the payment's currency with at most 2 decimals; `surplus`: what came beyond what was asked; `all`: everything that is left.
     * @example 10
     * @example surplus
     */
    amount: number | ("surplus" | "all");
    /**
     * Where it shall go, an address of that network, when your payer told you. Without it the payer says so themselves by `claimUrl`. Never take the address that a payment came from unasked: an exchange does not find money that is sent back there.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    destinationAddress?: string;
    /**
     * The network to give it back on, one that it was paid on.
     * @example devnet
     */
    network?: string;
    /**
     * The one-time code or a recovery code, needed in a session when two-factor authentication is on; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * Why, in plain words for your payer.
     * @example Only a part of the price arrived.
     */
    reason: string;
    /** The token to give back, one that was paid. */
    token?: Token;
};
/** A role to be. */
export type CreateRoleRequest = {
    /**
     * What the role is for.
     * @example Reviews withdrawals and sends the money.
     */
    description: string;
    /**
     * A unique name of 1 to 120 characters, lower-case letters and digits in words joined by underscores.
     * @example payout_clerk
     */
    name: string;
    /**
     * Everything that the role allows, each of it held by your own role.
     * @example [
     *       "merchants.view",
     *       "withdrawals.view",
     *       "withdrawals.manage"
     *     ]
     */
    permissions: Permission[];
};
/** What the wallet gets. Everything is optional. */
export type CreateSandboxWalletRequest = {
    /**
     * How much it gets of each test token; 0 makes an empty wallet. Coin for fees it always gets.
     * @default 10000
     */
    amount?: SandboxTokenAmount;
};
/** What a wallet wants to prove. */
export type CreateWalletChallengeRequest = {
    /**
     * The plan to subscribe to; only with `subscribe`.
     * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
     */
    planId?: string;
    /**
     * What a signed text is good for.
     *
     * - `subscribe`: to subscribe the wallet to the plan `planId`.
     * - `sign_in`: to see the wallet's subscriptions.
     * - `cancel`: to cancel the subscription `subscriptionId`.
     * @example sign_in
     * @enum {string}
     */
    purpose: ChallengePurpose;
    /**
     * The subscription to cancel; only with `cancel`.
     * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    subscriptionId?: string;
    /**
     * The wallet that signs: 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case is mixed.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    walletAddress: string;
};
/** What to take out, and where it goes: for `crypto` to `destinationAddress`, for `bank` to the account of `bankAccountNumber`, `bankName` and `bankBranch`, all three. Fields of the other method are refused. */
export type CreateWithdrawalRequest = {
    /**
     * What leaves your balance, in US dollars with at most 2 decimals. The fee is a part of it.
     * @example 250
     */
    amount: number;
    /**
     * The number of the bank account or its IBAN, at least 6 letters and digits, with single spaces or hyphens between them.
     * @example 0072 3456 7890
     */
    bankAccountNumber?: string;
    /**
     * The branch of the bank, by name or code.
     * @example Kandy
     */
    bankBranch?: string;
    /**
     * The name of the bank.
     * @example Bank of Ceylon
     */
    bankName?: string;
    /** The stablecoin to pay in, `USDT` when you leave it out. */
    currency?: WithdrawalToken;
    /**
     * The wallet that it goes to, an address of `network`: for EVM networks 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case is mixed. An address of Bitcoin is refused, because no dollars are there. The `walletAddress` of your profile when you leave it out.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    destinationAddress?: string;
    /**
     * How a withdrawal is paid.
     *
     * - `crypto`: as a stablecoin to a wallet
     * - `bank`: to a bank account
     * @example crypto
     * @enum {string}
     */
    method: WithdrawalMethod;
    /**
     * The network to pay on. The first one of the platform that has dollar tokens when you leave it out.
     * @example devnet
     */
    network?: string;
    /**
     * The one-time code or a recovery code, needed when two-factor authentication is on; ignored otherwise.
     * @example 492039
     */
    otp?: string;
};
/**
 * The fiat currency of an amount.
 * @enum {string}
 */
export type Currency = "USD" | "LKR";
/** A charge that was paid, or is being confirmed. */
export type CustomerCharge = {
    /**
     * What was asked, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * The number of its period.
     * @example 1
     */
    number: number;
    /**
     * When that period ends.
     * Format: date-time
     * @example 2026-02-16T03:04:05.006Z
     */
    periodEnd: string;
    /**
     * When the period begins that it pays for.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    periodStart: string;
    /**
     * The receipt of its payment.
     * Format: uri
     * @example https://pay.example/checkout/receipt/pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    receiptUrl: string;
    /**
     * The state of a charge.
     *
     * - `due`: it is to be collected, see `dueAt`.
     * - `sending`: it is on its way to the chain.
     * - `confirming`: it was collected, and its payment waits for the network to confirm.
     * - `succeeded`: its payment is paid.
     * - `failed`: the last try failed. While the subscription is `past_due` it is tried again.
     * - `void`: its period went by without it, and nothing was taken for it.
     * @enum {string}
     */
    status: ChargeStatus;
    /**
     * A stablecoin that plans are charged in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    token: SubscriptionToken;
    /**
     * What was taken in the token, null where that is not known.
     * @example 25.000000
     */
    tokenAmount: string | null;
};
/** A customer's session. */
export type CustomerSession = {
    /**
     * When the session ends.
     * Format: date-time
     * @example 2026-01-02T03:34:05.006Z
     */
    expiresAt: string;
    /**
     * Where it has: everywhere for a wallet with a key, on the networks whose contract has agreed for one that is a contract.
     * @example [
     *       "devnet"
     *     ]
     */
    networks: string[];
    /**
     * The token. It is stored here only as a hash.
     * @example 9vXk2mQ4rT6yB8nD0fH3jL5pS7uW1zC-aEgIkMoQsUw
     */
    token: string;
    /**
     * The wallet that has proven itself.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    walletAddress: string;
};
/** What is left of a session. */
export type CustomerSessionEnded = {
    /**
     * The wallet whose session it was.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    walletAddress: string;
};
/** A subscription as the customer's own list shows it. */
export type CustomerSubscription = {
    /**
     * What is charged in every interval, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * Why a subscription was cancelled, null when it was not.
     *
     * - `requested`: you cancelled it.
     * - `customer_requested`: the customer cancelled it, by a signature of the wallet.
     * - `not_authorized`: the customer did not agree in time.
     * - `payment_failed`: the last try of a charge failed.
     * - `merchant_terminated`: the merchant's account was closed.
     * @example null
     * @enum {string|null}
     */
    cancelReason: SubscriptionCancelReason;
    /** The newest charges that were paid, newest first, twelve at most. */
    charges: CustomerCharge[];
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * When the present period ends.
     * Format: date-time
     * @example 2026-02-16T03:04:05.006Z
     */
    currentPeriodEnd: string;
    /** Why the last try to charge failed, null when it did not. */
    failureCode: ChargeFailureCode;
    /**
     * The id of the subscription.
     * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    id: string;
    /**
     * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
     * and then on 31 March.
     * @example monthly
     * @enum {string}
     */
    interval: SubscriptionInterval;
    /**
     * Whether a failed charge can be tried at once.
     * @example false
     */
    isRetryable: boolean;
    /**
     * What the chain knows of the customer's mandate, without which nothing can be charged.
     *
     * - `pending`: the customer has not agreed yet. Send them to `authorizeUrl`.
     * - `active`: it stands.
     * - `revoked`: the customer has withdrawn it.
     * - `expired`: the time for which it was given is over.
     * @enum {string}
     */
    mandateStatus: MandateStatus;
    /** What payers recognize the merchant by. */
    merchantBrand: MerchantBrand;
    /** How payers reach the merchant. */
    merchantContact: MerchantContact;
    /**
     * Who is paid.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * The network that it is charged on.
     * @example devnet
     */
    network: string;
    /**
     * When the wallet is charged next, or a failed charge is tried again; null when nothing is planned.
     * Format: date-time
     * @example 2026-02-16T03:04:05.006Z
     */
    nextChargeAt: string | null;
    /**
     * What is sold.
     * @example Tea club
     */
    planName: string;
    /**
     * The state of a subscription.
     *
     * - `trialing`: nothing is charged until `trialEnd`.
     * - `active`: the present period is paid, or the first charge waits for the customer to agree.
     * - `past_due`: a charge failed and is tried again.
     * - `cancelled`: nothing more is charged; what was paid holds until `currentPeriodEnd`.
     * - `expired`: cancelled, and the last period is over.
     * @enum {string}
     */
    status: SubscriptionStatus;
    /**
     * A stablecoin that plans are charged in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    token: SubscriptionToken;
    /**
     * When the trial ends or ended, null without one.
     * Format: date-time
     * @example null
     */
    trialEnd: string | null;
    /**
     * Its own page.
     * Format: uri
     * @example https://pay.example/checkout/subscription/sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    url: string;
    /**
     * The wallet that pays.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    walletAddress: string;
};
/** One page of a customer's subscriptions. */
export type CustomerSubscriptionList = {
    /**
     * When the session ends.
     * Format: date-time
     * @example 2026-01-02T03:34:05.006Z
     */
    expiresAt: string;
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
    /** The subscriptions, newest first. */
    subscriptions: CustomerSubscription[];
    /**
     * The wallet whose they are.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    walletAddress: string;
};
/** A question that every payer of the link answers. */
export type CustomField = {
    /**
     * By which the answer is found, unique within the link.
     * @example size
     */
    key: string;
    /**
     * What a payer fills in.
     *
     * - `text`: a line of text, at most `maxLength` characters.
     * - `number`: a whole number from `minimum` to `maximum`.
     * - `choice`: one of `options`.
     * @enum {string}
     */
    kind: CustomFieldKind;
    /**
     * What the payer reads beside the field.
     * @example Size of your apron
     */
    label: string;
    /**
     * Of a `number`, the most; null where any will do, and for other kinds.
     * @example 6
     */
    maximum: number | null;
    /**
     * Of a `text`, how many characters it may have; null for other kinds.
     * @example 60
     */
    maxLength: number | null;
    /**
     * Of a `number`, the least; null where any will do, and for other kinds.
     * @example 1
     */
    minimum: number | null;
    /**
     * Of a `choice`, what there is to choose from; empty for other kinds.
     * @example [
     *       "Small",
     *       "Medium",
     *       "Large"
     *     ]
     */
    options: string[];
    /**
     * Whether a payer has to answer.
     * @example true
     */
    required: boolean;
};
/** What a payer answered to a question of a payment link. */
export type CustomFieldAnswer = {
    /**
     * The answer, a string for a `text` or a `choice`, a whole number for a `number`.
     * @example Medium
     */
    answer: string | number;
    /**
     * The key of the field.
     * @example size
     */
    key: string;
    /**
     * What the payer read beside the field.
     * @example Size of your apron
     */
    label: string;
};
/**
 * The payer's answers, by the `key` of the field: a string for a `text` or a `choice`, a whole number for a `number`. Leave out what is not answered.
 * @example {
 *       "size": "Medium",
 *       "seats": 2
 *     }
 */
export type CustomFieldAnswers = {
    [key: string]: string | number;
};
/** A question that every payer of the link answers. */
export type CustomFieldInput = {
    /**
     * By which you find the answer, unique within the link: a lower-case letter, then letters, digits and `_`, at most 40 characters.
     * @example size
     */
    key: string;
    /**
     * What a payer fills in.
     *
     * - `text`: a line of text, at most `maxLength` characters.
     * - `number`: a whole number from `minimum` to `maximum`.
     * - `choice`: one of `options`.
     * @enum {string}
     */
    kind: CustomFieldKind;
    /**
     * What the payer reads beside the field, one line without spaces around it.
     * @example Size of your apron
     */
    label: string;
    /**
     * Of a `number`, the most; any when you leave it out.
     * @example 6
     */
    maximum?: number;
    /**
     * Of a `text`, how many characters it may have; 100 when you leave it out.
     * @example 60
     */
    maxLength?: number;
    /**
     * Of a `number`, the least; any when you leave it out.
     * @example 1
     */
    minimum?: number;
    /**
     * Of a `choice`, what there is to choose from, in this order.
     * @example [
     *       "Small",
     *       "Medium",
     *       "Large"
     *     ]
     */
    options?: string[];
    /**
     * Whether a payer has to answer.
     * @default false
     * @example true
     */
    required?: boolean;
};
/**
 * What a payer fills in.
 *
 * - `text`: a line of text, at most `maxLength` characters.
 * - `number`: a whole number from `minimum` to `maximum`.
 * - `choice`: one of `options`.
 * @enum {string}
 */
export type CustomFieldKind = "text" | "number" | "choice";
/** Both factors, for the last time. */
export type DisableTwoFactorRequest = {
    /**
     * A code of the authenticator app, or a recovery code.
     * @example 492039
     */
    otp: string;
    /**
     * Your password.
     * @example Str0ng-enough
     */
    password: string;
};
/** About what an amount comes to in another currency, for people to read. Nothing is asked or paid by it. */
export type DisplayAmount = {
    /**
     * The amount at this rate, rounded to cents.
     * @example 7500
     */
    amount: number;
    /** The currency that it is shown in. */
    currency: Currency;
    /** The rate by which an amount is shown in another currency. */
    rate: DisplayRate;
};
/** The rate by which an amount is shown in another currency. */
export type DisplayRate = {
    /**
     * When it was valid.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    quotedAt: string;
    /**
     * Where the rate comes from.
     * @example fixed
     */
    source: string;
    /**
     * How many units of that currency make one US dollar, a decimal string.
     * @example 300
     */
    value: string;
};
/** The proof that the authenticator app has the secret. */
export type EnableTwoFactorRequest = {
    /**
     * The code that the app shows now.
     * @example 492039
     */
    otp: string;
};
/**
 * The machine-readable kind of an error. One code always comes with one HTTP status, a status may have several codes.
 * @enum {string}
 */
export type ErrorCode = "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "PAYMENT_REQUIRED" | "CONFLICT" | "INSUFFICIENT_BALANCE" | "IDEMPOTENCY_IN_PROGRESS" | "EXPIRED" | "DISABLED" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "RATE_UNAVAILABLE";
/** What went wrong. */
export type ErrorDetail = {
    /**
     * The machine-readable kind of an error. One code always comes with one HTTP status, a status may have several codes.
     * @enum {string}
     */
    code: ErrorCode;
    /** For `VALIDATION_ERROR`, every part of the request that has to change. */
    fields?: ErrorField[];
    /**
     * What went wrong and what to change, for the developer who reads it. The wording may change, the code will not.
     * @example The amount must be greater than 0.
     */
    message: string;
    /**
     * A finer code where one `code` has several causes, for example `token_expired` or `merchant_not_active`. New reasons may appear at any time.
     * @example token_expired
     */
    reason?: string;
    /**
     * The id of this request, also in the `X-Request-Id` header. Quote it when you ask for help.
     * @example req-8f14e45fceea
     */
    requestId: string;
};
/** One thing in the request that is wrong. */
export type ErrorField = {
    /**
     * What is wrong with it and what would be right.
     * @example must be greater than 0
     */
    message: string;
    /**
     * Where it is, for example `amount` or `metadata.orderId`; a query or path parameter goes by its name.
     * @example amount
     */
    path: string;
};
/** The body of every answer that is not a success, on every path. */
export type ErrorResponse = {
    /** What went wrong. */
    error: ErrorDetail;
};
/** What every event carries around its `type` and `data`. */
export type EventEnvelope = {
    /**
     * The id of the event, the same in every attempt and redelivery. Remember it to handle an event once.
     * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
     */
    id: string;
    /**
     * False in the sandbox, where money is play money.
     * @example false
     */
    livemode: boolean;
    /**
     * The merchant that it happened to.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    merchantId: string;
    /**
     * Counts the events of one resource. Events may arrive out of order; ignore one whose number is below the last that you handled.
     * @example 4
     */
    sequence: number;
    /**
     * When it happened.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    timestamp: string;
};
/**
 * The type of an event. New types may appear at any time; answer 2xx to those that you do not know.
 * @enum {string}
 */
export type EventType = "payment.created" | "payment.pending" | "payment.confirming" | "payment.completed" | "payment.failed" | "payment.expired" | "payment.exception" | "payment.reverted" | "payment.reversed" | "payment.restored" | "checkout.session.completed" | "checkout.session.expired" | "payment_link.created" | "payment_link.updated" | "payment_link.expired" | "subscription.created" | "subscription.trial_will_end" | "subscription.activated" | "subscription.renewed" | "subscription.charge_failed" | "subscription.charge_reversed" | "subscription.charge_recovered" | "subscription.past_due" | "subscription.paused" | "subscription.cancelled" | "subscription.expired" | "withdrawal.created" | "withdrawal.approved" | "withdrawal.rejected" | "withdrawal.processing" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.reverted" | "refund.created" | "refund.pending" | "refund.processing" | "refund.completed" | "refund.cancelled" | "refund.failed" | "refund.reverted" | "merchant.status_changed" | "api_key.created" | "api_key.revoked" | "webhook.endpoint_disabled";
/** What to pay. */
export type ExportPayoutsRequest = {
    /**
     * The fee of a transaction of Bitcoin, in satoshis a virtual byte. What the node advises when it is missing.
     * @example 12
     */
    feeRate?: number;
    /**
     * The network to pay on, one that is listed.
     * @example devnet
     */
    network: string;
    /**
     * Only these, also when they are `processing` already, as after a file was lost. Be sure that no transaction pays them.
     * @example [
     *       "wd_01jggk4x7c2m9q5s8v1y3b6d0f",
     *       "rfd_01jggm5r8e3t6y9b2d4f7h0k1n"
     *     ]
     */
    payoutIds?: string[];
};
/** Why it fails. */
export type FailRefundRequest = {
    /**
     * Why it can't be paid, for the merchant.
     * @example The network refuses that address.
     */
    reason: string;
};
/** How you know that a payout was not sent. */
export type FailRequest = {
    /**
     * A note for the administrator who fails it after you. Spaces alone are refused.
     * @example The Safe's queue was emptied on 2 January; none of its transactions was signed.
     */
    notes: string;
};
/** Why it can not be paid. */
export type FailWithdrawalRequest = {
    /**
     * Why, for the merchant to read. Spaces alone are refused.
     * @example The bank sent the money back.
     */
    reason: string;
};
/** Why the merchant is frozen. */
export type FreezeMerchantRequest = {
    /**
     * Why. The merchant reads it.
     * @example Many payers dispute what they bought.
     */
    reason: string;
};
/** A change that touches where money goes. It waits, so that everybody can see it and object. */
export type GuardedChange = {
    /**
     * When it was approved.
     * Format: date-time
     * @example 2026-01-02T04:00:00.000Z
     */
    approvedAt: string | null;
    /**
     * The administrator who approved it.
     * @example adm_01jggf9r2td5qm8xk3v7w1y6cz
     */
    approvedBy: string | null;
    /**
     * By field, what it was when the change was proposed (`from`) and what it is to be (`to`).
     * @example {
     *       "fourEyesThreshold": {
     *         "from": "1000.00",
     *         "to": "5000.00"
     *       }
     *     }
     */
    changes: {
        [key: string]: unknown;
    };
    /**
     * It takes effect then, or with its approval if that comes later.
     * Format: date-time
     * @example 2026-01-03T03:04:05.678Z
     */
    dueAt: string;
    /**
     * When it took effect, was cancelled or expired.
     * Format: date-time
     * @example null
     */
    endedAt: string | null;
    /**
     * The administrator who cancelled it; null when the service did.
     * @example null
     */
    endedBy: string | null;
    /**
     * Until then it can be approved.
     * Format: date-time
     * @example 2026-01-10T03:04:05.678Z
     */
    expiresAt: string;
    /**
     * The id of the change.
     * @example gch_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * What a change is about.
     *
     * - `settings`: the settings of the platform.
     * - `role`: the permissions of a role.
     * - `admin`: the role of an administrator, or a new administrator.
     * @example settings
     * @enum {string}
     */
    kind: ChangeKind;
    /** Whether another administrator has to approve it. That is so where there is one who can. */
    needsApproval: boolean;
    /**
     * When it was proposed.
     * Format: date-time
     * @example 2026-01-02T03:04:05.678Z
     */
    proposedAt: string;
    /**
     * The administrator who proposed it.
     * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    proposedBy: string;
    /**
     * Why it was cancelled.
     * @example null
     */
    reason: string | null;
    /**
     * The state of a change that has to wait.
     *
     * ```
     * proposed ──▶ approved ──▶ in_effect
     *    │  └─────────│───▶ cancelled
     *    ▼            └────────▲
     * expired
     * ```
     *
     * - `proposed`: another administrator has to approve it.
     * - `approved`: it needs no further approval and takes effect when it is due.
     * - `in_effect`: it has taken effect.
     * - `cancelled`: an administrator cancelled it, or the service found that it can't take effect any more; `reason` says why.
     * - `expired`: it was not approved in time.
     * @example approved
     * @enum {string}
     */
    status: ChangeStatus;
    /**
     * The role or the administrator that it is about; `platform` for settings.
     * @example platform
     */
    subjectId: string;
};
/** An incident with what it means, what it touches and what to do. */
export type Incident = {
    /**
     * When an administrator acknowledged it; null before.
     * Format: date-time
     * @example null
     */
    acknowledgedAt: string | null;
    /**
     * The administrator who acknowledged it; null before.
     * @example null
     */
    acknowledgedBy: string | null;
    /**
     * What to do.
     * @example Mend the cause. Then try it again.
     */
    action: string;
    /**
     * When it was put into an alert; null when no alert has told of it.
     * Format: date-time
     * @example 2026-01-02T03:04:05.506Z
     */
    alertedAt: string | null;
    /**
     * How often it was seen since it opened, at most once a minute.
     * @example 3
     */
    count: number;
    /**
     * More about it, such as the findings of a reconciliation; mostly empty.
     * @example {}
     */
    detail: {
        [key: string]: unknown;
    };
    /**
     * What it touches while it lasts, and what it doesn't.
     * @example What arrived is stored and not credited. Other payments are not delayed.
     */
    effect: string;
    /**
     * What ends it, and whether the service sees that by itself.
     * @example It is resolved when the parked transfers are counted.
     */
    end: string;
    /**
     * The id of the incident.
     * @example inc_00000000000000000000000042
     */
    id: string;
    /**
     * What has happened, one of the kinds in the chapter "Incidents". New versions bring new kinds.
     * @example payment.parked
     */
    kind: string;
    /**
     * When it was last seen.
     * Format: date-time
     * @example 2026-01-02T04:04:05.006Z
     */
    lastSeenAt: string;
    /**
     * What an incident of this kind means.
     * @example Booking what arrived for one payment fails whenever it is tried alone.
     */
    meaning: string;
    /**
     * What happened, for the operator.
     * @example numeric field overflow
     */
    message: string;
    /**
     * The network that it concerns; null when it concerns none, or none in particular.
     * @example null
     */
    network: string | null;
    /**
     * What the administrator wrote who resolved it, else who acknowledged it.
     * @example null
     */
    note: string | null;
    /**
     * When it opened.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    openedAt: string;
    /**
     * When it was over; null before.
     * Format: date-time
     * @example null
     */
    resolvedAt: string | null;
    /**
     * The administrator who resolved it; null when it is not over, and when the service saw its end.
     * @example null
     */
    resolvedBy: string | null;
    /**
     * What `subject` names, such as `payment`, `network` or `operator_transaction`.
     * @example payment
     */
    resourceType: string;
    /**
     * What trying again does; null when nothing of this kind can be tried again.
     * @example The parked transfers are counted at once.
     */
    retry: string | null;
    /**
     * `critical`: money or a whole network is concerned, look now. `warning`: look today.
     * @enum {string}
     */
    severity: IncidentSeverity;
    /**
     * `open`: no administrator has looked at it. `acknowledged`: an administrator has seen it, and it is not over. `resolved`: it is over; the same thing may open another one later.
     * @enum {string}
     */
    status: IncidentStatus;
    /**
     * What it is about; an id, a network, or a pair of currencies. At most one incident of a kind and subject is not resolved.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    subject: string;
    /**
     * The kind in a few words.
     * @example Transfers to a payment can not be counted
     */
    title: string;
};
/** A page of incidents. */
export type IncidentList = {
    /** The incidents, newest first. */
    data: IncidentSummary[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/**
 * `critical`: money or a whole network is concerned, look now. `warning`: look today.
 * @enum {string}
 */
export type IncidentSeverity = "critical" | "warning";
/**
 * `open`: no administrator has looked at it. `acknowledged`: an administrator has seen it, and it is not over. `resolved`: it is over; the same thing may open another one later.
 * @enum {string}
 */
export type IncidentStatus = "open" | "acknowledged" | "resolved";
/** An incident as lists show it. */
export type IncidentSummary = {
    /**
     * When an administrator acknowledged it; null before.
     * Format: date-time
     * @example null
     */
    acknowledgedAt: string | null;
    /**
     * How often it was seen since it opened, at most once a minute.
     * @example 3
     */
    count: number;
    /**
     * The id of the incident.
     * @example inc_00000000000000000000000042
     */
    id: string;
    /**
     * What has happened, one of the kinds in the chapter "Incidents". New versions bring new kinds.
     * @example payment.parked
     */
    kind: string;
    /**
     * When it was last seen.
     * Format: date-time
     * @example 2026-01-02T04:04:05.006Z
     */
    lastSeenAt: string;
    /**
     * What happened, for the operator.
     * @example numeric field overflow
     */
    message: string;
    /**
     * The network that it concerns; null when it concerns none, or none in particular.
     * @example null
     */
    network: string | null;
    /**
     * When it opened.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    openedAt: string;
    /**
     * When it was over; null before.
     * Format: date-time
     * @example null
     */
    resolvedAt: string | null;
    /**
     * What `subject` names, such as `payment`, `network` or `operator_transaction`.
     * @example payment
     */
    resourceType: string;
    /**
     * `critical`: money or a whole network is concerned, look now. `warning`: look today.
     * @enum {string}
     */
    severity: IncidentSeverity;
    /**
     * `open`: no administrator has looked at it. `acknowledged`: an administrator has seen it, and it is not over. `resolved`: it is over; the same thing may open another one later.
     * @enum {string}
     */
    status: IncidentStatus;
    /**
     * What it is about; an id, a network, or a pair of currencies. At most one incident of a kind and subject is not resolved.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    subject: string;
    /**
     * The kind in a few words.
     * @example Transfers to a payment can not be counted
     */
    title: string;
};
/** An Ed25519 public key as a JSON Web Key (RFC 8037). */
export type JsonWebKey = {
    /**
     * The algorithm.
     * @enum {string}
     */
    alg: "EdDSA";
    /**
     * The curve.
     * @enum {string}
     */
    crv: "Ed25519";
    /**
     * The thumbprint of the key (RFC 7638).
     * @example 1IG2tMH7J2wbJZnOf8LJzQitKf7LMvoAElsuDMVM54Y
     */
    kid: string;
    /**
     * The key type.
     * @enum {string}
     */
    kty: "OKP";
    /**
     * The key is for signatures.
     * @enum {string}
     */
    use: "sig";
    /**
     * The 32 bytes of the public key in base64url.
     * @example A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg
     */
    x: string;
};
/** The public keys of a merchant as a JSON Web Key Set (RFC 7517). */
export type JsonWebKeySet = {
    /** The keys, newest first. */
    keys: JsonWebKey[];
};
/**
 * An account of your ledger.
 *
 * - `pending`: payments that are confirming
 * - `available`: what you can withdraw
 * - `hold`: what an open withdrawal holds
 * - `suspense`: money that waits, for confirmation of the payment or for your decision
 * - `debt`: what you owe
 * @enum {string}
 */
export type LedgerAccount = "pending" | "available" | "hold" | "suspense" | "debt";
/** One movement on one of your accounts. Entries are never changed or removed. */
export type LedgerEntry = {
    /**
     * An account of your ledger.
     *
     * - `pending`: payments that are confirming
     * - `available`: what you can withdraw
     * - `hold`: what an open withdrawal holds
     * - `suspense`: money that waits, for confirmation of the payment or for your decision
     * - `debt`: what you owe
     * @enum {string}
     */
    account: LedgerAccount;
    /**
     * How much the account changed, a decimal string with 6 decimals, negative when it went down.
     * @example 25.000000
     */
    amount: string;
    /**
     * When it was booked.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    createdAt: string;
    /**
     * The currency of the ledger.
     * @enum {string}
     */
    currency: "USD";
    /**
     * The id of the entry.
     * @example je_01jggfpx2ce3wr6t9y1k4h7d0s-available
     */
    id: string;
    /**
     * The booking that it belongs to. Entries of one booking share it.
     * @example je_01jggfpx2ce3wr6t9y1k4h7d0s
     */
    journalId: string;
    /**
     * What was booked, for example `payment.moved`. New kinds may appear at any time.
     * @example payment.moved
     */
    kind: string;
    /**
     * The payment that it is about, null when it is about something else.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string | null;
    /**
     * The withdrawal that it is about, null when it is about something else.
     * @example null
     */
    withdrawalId: string | null;
};
/** A page of ledger entries. */
export type LedgerEntryList = {
    /** The entries, newest first. */
    data: LedgerEntry[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/** A line of what a payment is for, as the payer sees it. */
export type LineItem = {
    /**
     * What it is.
     * @example Ceylon black tea, 250 g
     */
    name: string;
    /**
     * How many of it.
     * @example 2
     */
    quantity: number;
    /**
     * What one of it costs, in the payment's currency. Less than 0 for a discount.
     * @example 12.5
     */
    unitAmount: number;
};
/** A line of what a payment is for. */
export type LineItemInput = {
    /**
     * What it is, on one line. The payer sees it.
     * @example Ceylon black tea, 250 g
     */
    name: string;
    /**
     * How many of it.
     * @default 1
     * @example 2
     */
    quantity?: number;
    /**
     * What one of it costs, in the payment's currency, with at most 2 decimals. Less than 0 for a discount.
     * @example 12.5
     */
    unitAmount: number;
};
/**
 * The language in which the payer gets a receipt by e-mail, if they have read none of the payment's pages: what they read there wins.
 * English when you leave it out.
 *
 * - `en`: English.
 * - `es`: Spanish.
 * - `fr`: French.
 * - `si`: Sinhala.
 * - `ta`: Tamil.
 * @example si
 * @enum {string|null}
 */
export type Locale = "en" | "es" | "fr" | "si" | "ta" | null;
/** The credentials of an administrator. */
export type LoginAdminRequest = {
    /**
     * The `deviceToken` of an earlier login. With it, failed logins of strangers do not make you wait. One that is unknown is ignored.
     * @example dv_Yx2mZ9wKq4vT7sB1nE8yH3uJ6dG0fCaLpRiOqXkYtWc
     */
    deviceToken?: string;
    /**
     * The e-mail address of the administrator.
     * Format: email
     * @example asha@kasi.example
     */
    email: string;
    /**
     * The one-time code or a recovery code, when two-factor authentication is on; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * The password.
     * @example Str0ng-enough
     */
    password: string;
};
/** The credentials of a merchant. */
export type LoginMerchantRequest = {
    /**
     * The `deviceToken` of an earlier login. With it, failed logins of strangers do not make you wait. One that is unknown is ignored.
     * @example dv_Yx2mZ9wKq4vT7sB1nE8yH3uJ6dG0fCaLpRiOqXkYtWc
     */
    deviceToken?: string;
    /**
     * The e-mail address of the merchant.
     * Format: email
     * @example owner@teahouse.example
     */
    email: string;
    /**
     * The one-time code or a recovery code, when two-factor authentication is on; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * The password.
     * @example Str0ng-enough
     */
    password: string;
};
/** What the customer agrees to, as the collector's contract knows it: amounts in base units of the token, times in seconds since 1970. */
export type Mandate = {
    /**
     * How many windows that were not used are kept for later.
     * @example 1
     */
    carry: number;
    /**
     * The first second in which nothing may be taken any more.
     * @example 2084065445
     */
    end: number;
    /**
     * Its name on the chain, the EIP-712 hash of what follows.
     * @example 0x3f1a9d0c7b6e5842f1d0c9b8a7968574635241302f1e0d9c8b7a695847362514
     */
    id: string;
    /**
     * The most that may be taken in one window, in base units of the token.
     * @example 25000000
     */
    maxPerPeriod: string;
    /**
     * The wallet that pays.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    payer: string;
    /**
     * How long a window is, in seconds.
     * @example 2419200
     */
    period: number;
    /**
     * What it is for: the first 28 bytes of keccak256 of the id of the subscription, and in the last four the number of the first charge. No charge may have a number that runs ahead of the windows begun since.
     * @example 0x9c2e4f6a8b0d1c3e5f7091a2b3c4d5e6f708192a3b4c5d6e7f8091a200000001
     */
    ref: string;
    /**
     * When the first window begins.
     * @example 1768529045
     */
    start: number;
    /**
     * The contract of the token.
     * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
     */
    token: string;
};
/** The mandate without its id, in the spelling that wallets sign. */
export type MandateMessage = {
    /**
     * How many windows that were not used are kept for later.
     * @example 1
     */
    carry: number;
    /**
     * The first second in which nothing may be taken any more.
     * @example 2084065445
     */
    end: number;
    /**
     * The most that may be taken in one window, in base units of the token.
     * @example 25000000
     */
    maxPerPeriod: string;
    /**
     * The wallet that pays.
     * @example 0x70997970c51812dc3a010c7d01b50e0d17dc79c8
     */
    payer: string;
    /**
     * How long a window is, in seconds.
     * @example 2419200
     */
    period: number;
    /**
     * What it is for: the first 28 bytes of keccak256 of the id of the subscription, and in the last four the number of the first charge. No charge may have a number that runs ahead of the windows begun since.
     * @example 0x9c2e4f6a8b0d1c3e5f7091a2b3c4d5e6f708192a3b4c5d6e7f8091a200000001
     */
    ref: string;
    /**
     * When the first window begins.
     * @example 1768529045
     */
    start: number;
    /**
     * The contract of the token.
     * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
     */
    token: string;
};
/**
 * What the chain knows of the customer's mandate, without which nothing can be charged.
 *
 * - `pending`: the customer has not agreed yet. Send them to `authorizeUrl`.
 * - `active`: it stands.
 * - `revoked`: the customer has withdrawn it.
 * - `expired`: the time for which it was given is over.
 * @enum {string}
 */
export type MandateStatus = "pending" | "active" | "revoked" | "expired";
/** What the mandate allows at most, for words that people understand. */
export type MandateTerms = {
    /**
     * Nothing is taken before.
     * Format: date-time
     * @example 2026-01-16T02:04:05.000Z
     */
    from: string;
    /**
     * The most that can ever be taken within one window, with what was kept of windows before, a decimal string in the token.
     * @example 50.000000
     */
    mostAtOnce: string;
    /**
     * The most that can be taken from the first to the last day, a decimal string in the token.
     * @example 3275.000000
     */
    mostInAll: string;
    /**
     * The most that is taken in each window on the average, a decimal string in the token.
     * @example 25.000000
     */
    mostPerCharge: string;
    /**
     * Nothing is taken from then on.
     * Format: date-time
     * @example 2036-01-16T03:04:05.000Z
     */
    until: string;
    /**
     * How many days a window has.
     * @example 28
     */
    windowDays: number;
};
/** What the customer's wallet is to sign, the second parameter of `eth_signTypedData_v4` (EIP-712): pass it on as it is. null when nothing is to be signed. */
export type MandateTypedData = {
    /** For which contract on which chain the signature counts. */
    domain: TypedDataDomain;
    /** The mandate without its id, in the spelling that wallets sign. */
    message: MandateMessage;
    /**
     * The type of `message`.
     * @example Mandate
     */
    primaryType: string;
    /** The types of the fields. */
    types: {
        [key: string]: TypedDataField[];
    };
} | null;
/** A merchant, as the merchant sees itself. */
export type Merchant = {
    /**
     * Your colour on the pages of payers; null for the platform's.
     * @example #8a1f4b
     */
    brandColor: string | null;
    /**
     * The legal name of the business. Payers see it.
     * @example Ceylon Tea House
     */
    businessName: string;
    /**
     * The legal form of the business.
     * @enum {string}
     */
    businessType: BusinessType;
    /**
     * When the merchant registered.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * The e-mail address to log in with, in lower case.
     * Format: email
     * @example owner@teahouse.example
     */
    email: string;
    /**
     * The websites whose pages may show the checkout in a frame, each as its origin. Empty: none may.
     * @example [
     *       "https://teahouse.example"
     *     ]
     */
    embedOrigins: string[];
    /**
     * The id of the merchant.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    id: string;
    /**
     * Your logo on the pages of payers, a PNG whose address changes with it; null when there is none.
     * Format: uri
     * @example http://localhost:3000/checkout/logo/4b1f0c6de2b94375c1a7e09f5d3b2846.png
     */
    logoUrl: string | null;
    /**
     * How much less than the asked amount still counts as paid, in basis points (50 is 0.5 %); null means the platform's default.
     * @example 50
     */
    paymentToleranceBps: number | null;
    /**
     * The phone number in E.164 form.
     * @example +94771234567
     */
    phone: string;
    /**
     * The least worth in US dollars that is offered so; less waits for your decision.
     * @example 1
     */
    refundOfferMinimum: number;
    /**
     * For which exceptions the page of a payment that is over offers its payer the money back that waits for your decision. Whoever has the address of that page may then take it. Empty: only you give money back.
     * @example [
     *       "overpaid",
     *       "late"
     *     ]
     */
    refundOffers: RefundOfferException[];
    /**
     * Whether payers who left an e-mail address get receipts by mail, where the platform sends any.
     * @example true
     */
    sendReceipts: boolean;
    /**
     * The state of the merchant.
     *
     * | status | log in and read | create links and sessions | collect payments |
     * |---|---|---|---|
     * | `pending_verification` | yes | yes | in the sandbox |
     * | `active` | yes | yes | yes |
     * | `rejected` | yes | no | no |
     * | `frozen` | yes | no | no; money that still arrives is credited |
     * | `terminated` | no | no | no |
     * @enum {string}
     */
    status: MerchantStatus;
    /**
     * Why you are rejected, frozen or terminated, as an administrator wrote it; null otherwise.
     * @example The certificate of registration is not readable.
     */
    statusReason: string | null;
    /**
     * Where payers write to when they need help. Payers see it; null when there is none.
     * Format: email
     * @example help@teahouse.example
     */
    supportEmail: string | null;
    /**
     * A page that helps payers. Payers see it; null when there is none.
     * @example https://teahouse.example/help
     */
    supportUrl: string | null;
    /**
     * Whether logging in needs a one-time code.
     * @example false
     */
    twoFactorEnabled: boolean;
    /**
     * When the profile last changed.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    updatedAt: string;
    /**
     * Where your own money goes by default when you withdraw in crypto, if it is an address of the network that you withdraw on; null while you have set none.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    walletAddress: string | null;
    /**
     * Where webhook events are sent; null while you have set none.
     * @example https://teahouse.example/hooks/kasi
     */
    webhookUrl: string | null;
    /**
     * The merchant's website. Payers see it; null when there is none.
     * @example https://teahouse.example
     */
    website: string | null;
};
/** A merchant and the tokens of a new login session. */
export type MerchantAuthResult = {
    /**
     * Keep it, and send it with later logins: it says that this device has logged in before, so that failed logins of strangers do not make it wait. It proves nothing else. A new password makes it worthless.
     * @example dv_Yx2mZ9wKq4vT7sB1nE8yH3uJ6dG0fCaLpRiOqXkYtWc
     */
    deviceToken: string;
    /**
     * Seconds until the access token expires.
     * @example 900
     */
    expiresIn: number;
    /** A merchant, as the merchant sees itself. */
    merchant: Merchant;
    /**
     * Trade it for a new pair of tokens when the access token expires. It works once.
     * @example rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc
     */
    refreshToken: string;
    /**
     * The access token. Send it as `Authorization: Bearer <token>`.
     * @example eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJtZXJfMDEifQ.c2lnbmF0dXJl
     */
    token: string;
};
/** What payers recognize the merchant by. */
export type MerchantBrand = {
    /**
     * Its colour; null for the platform's. Pages darken or lighten it where it could not be read otherwise.
     * @example #8a1f4b
     */
    color: string | null;
    /**
     * Its logo, a PNG of at most 256 pixels a side whose address changes with it; null when there is none.
     * Format: uri
     * @example http://localhost:3000/checkout/logo/4b1f0c6de2b94375c1a7e09f5d3b2846.png
     */
    logoUrl: string | null;
};
/** How payers reach the merchant. */
export type MerchantContact = {
    /**
     * Where to write to; null when the merchant has not said.
     * @example help@teahouse.example
     */
    email: string | null;
    /**
     * A page that helps; null when the merchant has not said.
     * @example https://teahouse.example/help
     */
    url: string | null;
    /**
     * The merchant's website; null when the merchant has not said.
     * @example https://teahouse.example
     */
    website: string | null;
};
/** A login session of the merchant. */
export type MerchantSession = {
    /**
     * When the session began.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * Whether this is the session that asks.
     * @example true
     */
    current: boolean;
    /**
     * When the session ends unless it is refreshed before.
     * Format: date-time
     * @example 2026-02-01T03:17:12.480Z
     */
    expiresAt: string;
    /**
     * The id of the session.
     * @example ses_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    id: string;
    /**
     * The address that logged in.
     * @example 203.0.113.7
     */
    ipAddress: string;
    /**
     * When the session was begun or last refreshed.
     * Format: date-time
     * @example 2026-01-02T03:17:12.480Z
     */
    lastUsedAt: string;
    /**
     * The program that logged in, as it names itself.
     * @example Mozilla/5.0 (X11; Linux x86_64)
     */
    userAgent: string;
};
/** A page of login sessions. */
export type MerchantSessionList = {
    /** The sessions that are alive, newest first. */
    data: MerchantSession[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/**
 * The state of the merchant.
 *
 * | status | log in and read | create links and sessions | collect payments |
 * |---|---|---|---|
 * | `pending_verification` | yes | yes | in the sandbox |
 * | `active` | yes | yes | yes |
 * | `rejected` | yes | no | no |
 * | `frozen` | yes | no | no; money that still arrives is credited |
 * | `terminated` | no | no | no |
 * @enum {string}
 */
export type MerchantStatus = "pending_verification" | "active" | "rejected" | "frozen" | "terminated";
/** A merchant's state after it was changed. */
export type MerchantStatusChange = {
    /**
     * The id of the merchant.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    id: string;
    /**
     * What that means, in words for people.
     * @example The merchant is approved.
     */
    message: string;
    /**
     * The state of the merchant.
     *
     * | status | log in and read | create links and sessions | collect payments |
     * |---|---|---|---|
     * | `pending_verification` | yes | yes | in the sandbox |
     * | `active` | yes | yes | yes |
     * | `rejected` | yes | no | no |
     * | `frozen` | yes | no | no; money that still arrives is credited |
     * | `terminated` | no | no | no |
     * @enum {string}
     */
    status: MerchantStatus;
};
/** Your merchant was approved, rejected, frozen, unfrozen or closed. */
export type MerchantStatusChangedEvent = EventEnvelope & {
    /** The merchant as it was when the event happened. */
    data: Merchant;
    /**
     * The type of the event.
     * @constant
     */
    type: "merchant.status_changed";
};
/** A fresh pair of tokens. */
export type MerchantTokens = {
    /**
     * Seconds until the access token expires.
     * @example 900
     */
    expiresIn: number;
    /**
     * The new refresh token. The one that you sent no longer works.
     * @example rt_Qw3eRt5yUi7oPa9sDf1gHj2kLz4xCv6bNm8qWe0rTyU
     */
    refreshToken: string;
    /**
     * The new access token.
     * @example eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJtZXJfMDEifQ.c2lnbmF0dXJl
     */
    token: string;
};
/** A plain confirmation. */
export type MessageResponse = {
    /**
     * What was done, in words for people.
     * @example Payment link deleted.
     */
    message: string;
};
/**
 * The key-value data that you attached, returned exactly as you sent it. `{}` when you attached none.
 * @example {
 *       "orderId": "A-1001"
 *     }
 */
export type Metadata = {
    [key: string]: unknown;
};
/**
 * Your own key-value data: at most 50 keys of 1 to 64 characters; each value a string of at most 500 characters, a number or a boolean; 8 KiB of JSON in all. Comes back in reads and in webhook events, never in public views.
 * @example {
 *       "orderId": "A-1001"
 *     }
 */
export type MetadataInput = {
    [key: string]: string | number | boolean;
};
/** How many blocks to mine. */
export type MineSandboxBlocksRequest = {
    /**
     * The number of blocks.
     * @example 2
     */
    blocks: number;
    /**
     * The network to do it on, one of those that `GET /v1/sandbox` lists; `devnet` when you leave it out.
     * @example devnet
     */
    network?: SandboxNetworkName;
};
/** An administrator as they see themselves. */
export type OwnAdmin = {
    /**
     * The e-mail address that they log in with.
     * @example asha@kasi.example
     */
    email: string;
    /**
     * The id of the administrator.
     * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    id: string;
    /**
     * The name that colleagues know.
     * @example Asha Perera
     */
    name: string;
    /** Everything that the role allows at present. */
    permissions: Permission[];
    /** The role of an administrator. */
    role: RoleReference;
    /** Whether a login asks for a one-time code. */
    twoFactorEnabled: boolean;
};
/** Where a list page stands in the whole list. */
export type Pagination = {
    /**
     * The most items on a page.
     * @example 20
     */
    limit: number;
    /**
     * The cursor of what follows this page, for `after`; null at the end.
     * @example null
     */
    next: string | null;
    /**
     * The page that you asked for, counted from 1; 0 where you asked by a cursor.
     * @example 1
     */
    page: number;
    /**
     * The cursor of what precedes this page, for `before`; null at the beginning.
     * @example null
     */
    previous: string | null;
    /**
     * All items that match the filter; see `totalIsMinimum`.
     * @example 1
     */
    total: number;
    /**
     * True when there are more items than `total`, and they were not counted. Lists count items by most filters exactly, however many there are, and by others up to 10,000 or to the page after yours. `totalPages` is then a minimum, too, and always greater than `page`. False when `total` is exact.
     * @example false
     */
    totalIsMinimum: boolean;
    /**
     * The number of pages, 0 when nothing matches.
     * @example 1
     */
    totalPages: number;
};
/** The amounts between which payers choose, in USD. */
export type PayerAmount = {
    /**
     * The most.
     * @example 500
     */
    max: number;
    /**
     * The least.
     * @example 5
     */
    min: number;
};
/** The amounts between which payers choose, in USD. */
export type PayerAmountInput = {
    /**
     * The most, with at most 2 decimals.
     * @example 500
     */
    max: number;
    /**
     * The least, with at most 2 decimals.
     * @example 5
     */
    min: number;
};
/** A payment with everything that its merchant may know. */
export type Payment = {
    /**
     * What was asked, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * What is still missing, in `currency`, rounded up; 0 when enough has been seen.
     * @example 0
     */
    amountDue: number;
    /**
     * The worth of what has been seen at the locked rate, confirmed or not, in `currency`, rounded down.
     * @example 25
     */
    amountReceived: number;
    /**
     * What of it was given back or is on its way back to the payer, in `currency`, rounded down.
     * @example 0
     */
    amountRefunded: number;
    /**
     * The charge of that subscription, null for others.
     * @example null
     */
    chargeId: string | null;
    /**
     * The hosted page where the payer can pay.
     * Format: uri
     * @example http://localhost:3000/checkout/payment/pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    checkoutUrl: string;
    /** How far the confirmation of a payment is. */
    confirmations: PaymentConfirmations;
    /**
     * When it was created.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * Where to pay with the chosen option. Empty while the payment is open and no option is left, or the chosen one is `unavailable`, and while you may not take payments.
     * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
     */
    cryptoAddress: string;
    /**
     * The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up.
     * @example 25.000000
     */
    cryptoAmount: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Where the payer can be reached, null when they did not say.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail: string | null;
    /** What the payer answered to the questions of a payment link, in their order, without those that were left open; empty for other payments. */
    customFields: CustomFieldAnswer[];
    /**
     * What it is for; null when nobody said. For a link, its title at the time.
     * @example Spring tea workshop
     */
    description: string | null;
    /**
     * What is unusual about the money, null when nothing is.
     *
     * - `underpaid`: less arrived than was needed.
     * - `overpaid`: more arrived than was asked. The surplus waits for your decision.
     * - `late`: money arrived after `expiresAt`.
     * - `wrong_token`: a token arrived that this payment does not accept, or not on that network. `astray` of the transfer says which.
     * @example null
     * @enum {string|null}
     */
    exception: PaymentException;
    /**
     * Until when the payer has to pay.
     * Format: date-time
     * @example 2026-01-02T04:04:05.006Z
     */
    expiresAt: string;
    /**
     * The id of the payment.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    id: string;
    /** The lines that add up to `amount`; empty when nobody listed any. */
    items: LineItem[];
    /**
     * The key-value data that you attached, returned exactly as you sent it. `{}` when you attached none.
     * @example {
     *       "orderId": "A-1001"
     *     }
     */
    metadata: Metadata;
    /**
     * The network of the chosen option.
     * @example devnet
     */
    network: string;
    /** Every way to pay, USDT first. Leaves out networks and coins that are no longer listed, while the payment is open; none while it is open and you may not take payments, as when your account is frozen. */
    options: PaymentOption[];
    /**
     * When it became `paid`, null before.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    paidAt: string | null;
    /**
     * The payment link that it was started through, null for others.
     * @example plink_01jggfm2k8f4rs7a0d3h6x9c5v
     */
    paymentLinkId: string | null;
    /**
     * What a wallet understands when it scans the QR code (EIP-681 or BIP 21), for the chosen option. While only a part has arrived it asks for the rest. Empty when `cryptoAddress` is.
     * @example ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@31337/transfer?address=0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb&uint256=25000000
     */
    paymentUri: string;
    /**
     * A PNG of the QR code of `paymentUri`.
     * Format: uri
     * @example http://localhost:3000/v1/public/payments/pay_01jggfnds9e9gt3f3v5s7k2m4n/qr.png
     */
    qrCodeUrl: string;
    /** The exchange rate that was locked when the payment was quoted. */
    rate: PaymentRate;
    /**
     * Why the payment ended without being paid, null when there is nothing to say.
     *
     * - `cancelled`: the merchant cancelled it, with `expired`.
     * - `not_confirmed`: what was seen never confirmed, with `failed`.
     * @example null
     * @enum {string|null}
     */
    reason: PaymentReason;
    /**
     * The checkout session that it belongs to, null for others.
     * @example null
     */
    sessionId: string | null;
    /**
     * The state of a payment.
     *
     * ```
     * initiated ──▶ pending ──▶ confirming ──▶ paid
     *     │            │            │
     *     └─▶ expired ◀┘            └─▶ failed
     * ```
     *
     * - `initiated`: nobody has done anything yet.
     * - `pending`: the payer chose a token, or sent less than is needed.
     * - `confirming`: enough was seen on the chain; its confirmations are awaited. Back to `pending` when the chain undoes it.
     * - `paid`: enough is confirmed. The money is yours.
     * - `failed`: what was seen never confirmed within 24 hours.
     * - `expired`: the time ran out, or you cancelled. On to `confirming` when stablecoins reach the amount within 24 hours.
     * @enum {string}
     */
    status: PaymentStatus;
    /**
     * The subscription that it was collected for, null for others.
     * @example null
     */
    subscriptionId: string | null;
    /** The token that the payer chose; until they choose, and when the network of their choice is no longer listed while the payment is open, the first option's. */
    token: Token;
    /**
     * What the chosen option asks, a decimal string in `token`.
     * @example 25.000000
     */
    tokenAmount: string;
    /**
     * What is still missing, a decimal string in `token`; zero when enough has been seen.
     * @example 0.000000
     */
    tokenAmountDue: string;
    /** The transfers that reached the address, newest first, at most 20. */
    transactions: PaymentTransaction[];
    /**
     * The hash of the first transfer that counted, null until one is detected.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    txHash: string | null;
};
/** Enough money is confirmed: the payment is paid and credited. Fulfil the order now. */
export type PaymentCompletedEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.completed";
};
/** How far the confirmation of a payment is. */
export type PaymentConfirmations = {
    /**
     * The confirmations that are waited for.
     * @example 2
     */
    required: number;
    /**
     * The confirmations of the youngest transfer that is needed, 0 while too little has arrived.
     * @example 2
     */
    seen: number;
};
/** Enough money was seen on the chain; its confirmations are awaited. */
export type PaymentConfirmingEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.confirming";
};
/** A payment was created. */
export type PaymentCreatedEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.created";
};
/** A payment with what was given back of it. */
export type PaymentDetail = Payment & {
    /** What was given back of it, newest first, at most 20; `GET /v1/refunds` lists all. */
    refunds: Refund[];
};
/**
 * What is unusual about the money, null when nothing is.
 *
 * - `underpaid`: less arrived than was needed.
 * - `overpaid`: more arrived than was asked. The surplus waits for your decision.
 * - `late`: money arrived after `expiresAt`.
 * - `wrong_token`: a token arrived that this payment does not accept, or not on that network. `astray` of the transfer says which.
 * @example null
 * @enum {string|null}
 */
export type PaymentException = "underpaid" | "overpaid" | "late" | "wrong_token" | null;
/** Money arrived that the payment can not take by itself: late, too much or in a wrong token. It waits for `resolvePayment`. */
export type PaymentExceptionEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.exception";
};
/** The time ran out, or the merchant cancelled. `reason` and `exception` say more. */
export type PaymentExpiredEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.expired";
};
/** What was seen on the chain never confirmed. */
export type PaymentFailedEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.failed";
};
/** What is signed about how a payment is to be paid. */
export type PaymentInstructions = {
    /**
     * Where to send it.
     * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
     */
    address: string;
    /**
     * How much is still to be sent, a decimal string in `token`.
     * @example 25.000000
     */
    amount: string;
    /**
     * The chain id of an EVM network, null for others.
     * @example 31337
     */
    chainId: number | null;
    /**
     * The contract of the token, null for a native coin.
     * @example 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
     */
    contract: string | null;
    /**
     * How many decimals the token has on this network.
     * @example 6
     */
    decimals: number;
    /**
     * Until when the payer has to pay.
     * Format: date-time
     * @example 2026-01-02T04:04:05.006Z
     */
    expiresAt: string;
    /**
     * Until when the amount holds; of a coin the end of its quote, else `expiresAt`.
     * Format: date-time
     * @example 2026-01-02T04:04:05.006Z
     */
    holdsUntil: string;
    /**
     * When this was signed, by the clock of the other times; in the sandbox you can move it.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    issuedAt: string;
    /**
     * False in the sandbox, where money is play money.
     * @example false
     */
    livemode: boolean;
    /**
     * The merchant that is paid, whose key signs.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    merchantId: string;
    /**
     * The merchant's name.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * The network of the option that the payer chose.
     * @example devnet
     */
    network: string;
    /**
     * The payment.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /** The token or coin to send. */
    token: Token;
    /**
     * 1. A verifier refuses versions that it does not know.
     * @example 1
     */
    version: number;
};
/** A shareable page that asks for one amount, as often as people open it. */
export type PaymentLink = {
    /**
     * The tokens that payers may choose from, as far as they are enabled.
     * @example [
     *       "USDT",
     *       "USDC"
     *     ]
     */
    acceptedTokens: Token[];
    /**
     * What one payment costs, in USD.
     * @example 25
     */
    amount: number;
    /**
     * When the link was created.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * Links are priced in USD.
     * @enum {string}
     */
    currency: "USD";
    /** What every payer is asked; empty for nothing. */
    customFields: CustomField[];
    /**
     * More about it; null when there is none.
     * @example Three hours, tea and cake included.
     */
    description: string | null;
    /**
     * When the link stops taking payments; null when it never does.
     * Format: date-time
     * @example 2026-06-30T18:00:00.000Z
     */
    expiresAt: string | null;
    /**
     * The id of the link.
     * @example plink_01jggfm2k8f4rs7a0d3h6x9c5v
     */
    id: string;
    /** The lines that add up to `amount`; empty when nobody listed any. */
    items: LineItem[];
    /**
     * How many payments the link takes, open ones included; null for as many as people make.
     * @example 12
     */
    maxPayments: number | null;
    /**
     * The merchant that collects.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    merchantId: string;
    /** The amounts between which payers choose, around `amount`; null when everybody pays `amount`. */
    payerAmount: PayerAmount | null;
    /**
     * How many payments were paid.
     * @example 3
     */
    paymentCount: number;
    /**
     * The last part of the link's address.
     * @example spring-workshop
     */
    slug: string;
    /**
     * The state of a payment link.
     *
     * - `active`: it can be paid.
     * - `expired`: its `expiresAt` has passed. A later `expiresAt` makes it active again.
     * - `disabled`: you switched it off. `status: active` switches it on again.
     * @enum {string}
     */
    status: PaymentLinkStatus;
    /**
     * What a payer reads once they have paid; null for nothing.
     * @example See you on Saturday at 3 pm.
     *     Bring an apron.
     */
    thankYou: string | null;
    /**
     * Where a button on that page leads; null for no button.
     * Format: uri
     * @example https://shop.example/workshop
     */
    thankYouUrl: string | null;
    /**
     * What is sold, the headline of the page.
     * @example Spring tea workshop
     */
    title: string;
    /**
     * The asked amounts of all paid payments together, in USD.
     * @example 75
     */
    totalPaid: number;
    /**
     * When you last changed the link.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    updatedAt: string;
    /**
     * The address to share.
     * Format: uri
     * @example http://localhost:3000/checkout/pay/spring-workshop
     */
    url: string;
};
/** A payment link was created. */
export type PaymentLinkCreatedEvent = EventEnvelope & {
    /** The payment link as it was when the event happened. */
    data: PaymentLink;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment_link.created";
};
/** The time of a payment link ran out. */
export type PaymentLinkExpiredEvent = EventEnvelope & {
    /** The payment link as it was when the event happened. */
    data: PaymentLink;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment_link.expired";
};
/** A page of payment links. */
export type PaymentLinkList = {
    /** The links, newest first. */
    data: PaymentLinkSummary[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/**
 * The state of a payment link.
 *
 * - `active`: it can be paid.
 * - `expired`: its `expiresAt` has passed. A later `expiresAt` makes it active again.
 * - `disabled`: you switched it off. `status: active` switches it on again.
 * @enum {string}
 */
export type PaymentLinkStatus = "active" | "expired" | "disabled";
/** A payment link as lists show it. */
export type PaymentLinkSummary = {
    /**
     * What one payment costs, in USD.
     * @example 25
     */
    amount: number;
    /**
     * When the link was created.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * Links are priced in USD.
     * @enum {string}
     */
    currency: "USD";
    /**
     * When the link stops taking payments; null when it never does.
     * Format: date-time
     * @example 2026-06-30T18:00:00.000Z
     */
    expiresAt: string | null;
    /**
     * The id of the link.
     * @example plink_01jggfm2k8f4rs7a0d3h6x9c5v
     */
    id: string;
    /**
     * How many payments the link takes, open ones included; null for as many as people make.
     * @example 12
     */
    maxPayments: number | null;
    /**
     * How many payments were paid.
     * @example 3
     */
    paymentCount: number;
    /**
     * The last part of the link's address.
     * @example spring-workshop
     */
    slug: string;
    /**
     * The state of a payment link.
     *
     * - `active`: it can be paid.
     * - `expired`: its `expiresAt` has passed. A later `expiresAt` makes it active again.
     * - `disabled`: you switched it off. `status: active` switches it on again.
     * @enum {string}
     */
    status: PaymentLinkStatus;
    /**
     * What is sold.
     * @example Spring tea workshop
     */
    title: string;
    /**
     * The asked amounts of all paid payments together, in USD.
     * @example 75
     */
    totalPaid: number;
    /**
     * The address to share.
     * Format: uri
     * @example http://localhost:3000/checkout/pay/spring-workshop
     */
    url: string;
};
/** A payment link was changed, switched on or switched off. */
export type PaymentLinkUpdatedEvent = EventEnvelope & {
    /** The payment link as it was when the event happened. */
    data: PaymentLink;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment_link.updated";
};
/** A page of payments. */
export type PaymentList = {
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
    /** The payments, newest first. */
    payments: PaymentSummary[];
};
/** One way to pay a payment, a token or a coin on a network. */
export type PaymentOption = {
    /**
     * Where to send it. The address belongs to this payment alone.
     * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
     */
    address: string;
    /**
     * How much of the token to send, a decimal string; of ETH and BTC with eight decimals.
     * @example 25.000000
     */
    amount: string;
    /**
     * The chain id of an EVM network, null for others.
     * @example 31337
     */
    chainId: number | null;
    /**
     * The contract of the token, null for a native coin.
     * @example 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
     */
    contract: string | null;
    /**
     * How many decimals the token has on this network.
     * @example 6
     */
    decimals: number;
    /**
     * The network, for example `ethereum`, `base` or, in the sandbox, `devnet`.
     * @example devnet
     */
    network: string;
    /**
     * What a wallet understands when it scans the QR code (EIP-681 or BIP 21).
     * @example ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@31337/transfer?address=0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb&uint256=25000000
     */
    paymentUri: string;
    /** By what a coin comes to its amount; null for USDT and USDC, which count a dollar. */
    quote: PaymentQuote | null;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
    /**
     * Whether nothing can be paid this way at present, because there has been no reliable rate since its quote ended. Choose another option, or wait.
     * @example false
     */
    unavailable: boolean;
};
/** The payer chose a token, or sent less than is needed. */
export type PaymentPendingEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.pending";
};
/** By what an option in ETH or BTC comes to its amount. It holds for a quarter of an hour and is renewed while the payment is open; who sent the amount of the one before has paid by that. */
export type PaymentQuote = {
    /**
     * Until when the amount holds. The next one replaces it then.
     * Format: date-time
     * @example 2026-01-02T03:19:05.006Z
     */
    expiresAt: string;
    /**
     * When the rate was valid on the market.
     * Format: date-time
     * @example 2026-01-02T03:04:01.000Z
     */
    quotedAt: string;
    /**
     * How many US dollars one coin counts, a decimal string: what is asked, divided by the amount, which is rounded up to eight decimals.
     * @example 59999.88000023
     */
    rate: string;
    /**
     * Where the rate came from.
     * @example median of a, b, c
     */
    source: string;
};
/** The exchange rate that was locked when the payment was quoted. */
export type PaymentRate = {
    /**
     * When it was valid.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    quotedAt: string;
    /**
     * Where the rate came from.
     * @example fixed
     */
    source: string;
    /**
     * How many units of the payment's currency make one US dollar, a decimal string.
     * @example 1
     */
    value: string;
};
/**
 * Why the payment ended without being paid, null when there is nothing to say.
 *
 * - `cancelled`: the merchant cancelled it, with `expired`.
 * - `not_confirmed`: what was seen never confirmed, with `failed`.
 * @example null
 * @enum {string|null}
 */
export type PaymentReason = "cancelled" | "not_confirmed" | null;
/** The money that `payment.reversed` took back is confirmed on the chain again, and in your balance. */
export type PaymentRestoredEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.restored";
};
/** The chain undid a payment that was paid already. It stays `paid`; its amount was taken back from your balance. `payment.restored` tells when it is there again. */
export type PaymentReversedEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.reversed";
};
/** The chain undid a transfer before it was confirmed; the payment is pending again. */
export type PaymentRevertedEvent = EventEnvelope & {
    /** The payment as it was when the event happened. */
    data: Payment;
    /**
     * The type of the event.
     * @constant
     */
    type: "payment.reverted";
};
/**
 * The state of a payment.
 *
 * ```
 * initiated ──▶ pending ──▶ confirming ──▶ paid
 *     │            │            │
 *     └─▶ expired ◀┘            └─▶ failed
 * ```
 *
 * - `initiated`: nobody has done anything yet.
 * - `pending`: the payer chose a token, or sent less than is needed.
 * - `confirming`: enough was seen on the chain; its confirmations are awaited. Back to `pending` when the chain undoes it.
 * - `paid`: enough is confirmed. The money is yours.
 * - `failed`: what was seen never confirmed within 24 hours.
 * - `expired`: the time ran out, or you cancelled. On to `confirming` when stablecoins reach the amount within 24 hours.
 * @enum {string}
 */
export type PaymentStatus = "initiated" | "pending" | "confirming" | "paid" | "failed" | "expired";
/** A payment as lists show it. */
export type PaymentSummary = {
    /**
     * What was asked, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * When it was created.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up.
     * @example 25.000000
     */
    cryptoAmount: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Where the payer can be reached, null when they did not say.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail: string | null;
    /**
     * What it is for; null when nobody said.
     * @example Spring tea workshop
     */
    description: string | null;
    /**
     * What is unusual about the money, null when nothing is.
     *
     * - `underpaid`: less arrived than was needed.
     * - `overpaid`: more arrived than was asked. The surplus waits for your decision.
     * - `late`: money arrived after `expiresAt`.
     * - `wrong_token`: a token arrived that this payment does not accept, or not on that network. `astray` of the transfer says which.
     * @example null
     * @enum {string|null}
     */
    exception: PaymentException;
    /**
     * The id of the payment.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    id: string;
    /**
     * When it became `paid`, null before.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    paidAt: string | null;
    /**
     * Why the payment ended without being paid, null when there is nothing to say.
     *
     * - `cancelled`: the merchant cancelled it, with `expired`.
     * - `not_confirmed`: what was seen never confirmed, with `failed`.
     * @example null
     * @enum {string|null}
     */
    reason: PaymentReason;
    /**
     * The state of a payment.
     *
     * ```
     * initiated ──▶ pending ──▶ confirming ──▶ paid
     *     │            │            │
     *     └─▶ expired ◀┘            └─▶ failed
     * ```
     *
     * - `initiated`: nobody has done anything yet.
     * - `pending`: the payer chose a token, or sent less than is needed.
     * - `confirming`: enough was seen on the chain; its confirmations are awaited. Back to `pending` when the chain undoes it.
     * - `paid`: enough is confirmed. The money is yours.
     * - `failed`: what was seen never confirmed within 24 hours.
     * - `expired`: the time ran out, or you cancelled. On to `confirming` when stablecoins reach the amount within 24 hours.
     * @enum {string}
     */
    status: PaymentStatus;
};
/** The story of a payment. */
export type PaymentTimeline = {
    /** What happened, oldest first. */
    data: PaymentTimelineEntry[];
};
/** Something that happened to a payment. */
export type PaymentTimelineEntry = {
    /**
     * When it happened.
     * Format: date-time
     * @example 2026-01-02T03:11:40.512Z
     */
    at: string;
    /** The state of the payment from then on, null when the step did not change it. */
    status: PaymentStatus | null;
    /**
     * The same in plain words.
     * @example 25.000000 USDT were seen on devnet. 1 more confirmation is awaited.
     */
    text: string;
    /**
     * The transaction that it was about, if any.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    txHash: string | null;
    /**
     * What kind of thing it was: an event type such as `payment.confirming`, or a finer step such as `transfer.seen`. New kinds may appear at any time.
     * @example payment.confirming
     */
    type: string;
};
/** A transfer on the chain that reached the address of the payment. */
export type PaymentTransaction = {
    /**
     * How much arrived, a decimal string.
     * @example 25.000000
     */
    amount: string;
    /**
     * Why the payment does not need it; null when it does.
     *
     * - `token`: the payment does not take this token.
     * - `network`: the payment takes this token, but not on this network.
     * - `again`: enough had come before. Whoever paid twice shows here.
     * - `closed`: it came after `expiresAt`, or the payment was cancelled, and that did not change.
     *
     * The first two never count in `amountReceived`. The money is in your suspense: accept it by `resolve`, or give it
     * back by a refund, which goes out in this token on this network.
     * @example null
     * @enum {string|null}
     */
    astray: "token" | "network" | "again" | "closed" | null;
    /**
     * The number of its block, 0 while it waits for one.
     * @example 1042
     */
    block: number;
    /**
     * The time of its block; while it waits for one, when it was first seen.
     * Format: date-time
     * @example 2026-01-02T03:11:40.000Z
     */
    blockTime: string;
    /**
     * How many blocks confirm it, its own included; 0 while it waits for one.
     * @example 2
     */
    confirmations: number;
    /**
     * The hash of the transaction. Where `internal` is true no hash is known, and it starts with `internal:`.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    hash: string;
    /**
     * Whether a contract sent it, in a transaction that is not known by itself. Explorers list it among the internal transactions of the address.
     * @example false
     */
    internal: boolean;
    /**
     * The network that it happened on.
     * @example devnet
     */
    network: string;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
    /**
     * What it is worth in the payment's `currency` at its locked rate, rounded down, whether it counts or not.
     * @example 25
     */
    value: number;
    /** What it counts in US dollars; null for USDT and USDC, which count a dollar. */
    worth: TransferWorth | null;
};
/** Money that waits to be sent, for a withdrawal or a refund. */
export type Payout = {
    /**
     * For how long that is.
     * @example 3600
     */
    ageSeconds: number;
    /**
     * When it was asked for.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * Where to send it; null for a bank account.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    destinationAddress: string | null;
    /**
     * The id of the withdrawal or the refund.
     * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
     */
    id: string;
    /**
     * What it is.
     * @example refund
     * @enum {string}
     */
    kind: "withdrawal" | "refund";
    /**
     * Whose money it is.
     * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
     */
    merchantId: string;
    /**
     * The name of that merchant.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /** Only what belongs to an `active` merchant can be paid. */
    merchantStatus: MerchantStatus;
    /**
     * The network to send it on.
     * @example devnet
     */
    network: string;
    /**
     * `approved` (a withdrawal) and `pending` (a refund) can be paid; `processing` is being paid.
     * @example pending
     * @enum {string}
     */
    status: "approved" | "pending" | "processing";
    /**
     * The token to send.
     * @example USDT
     */
    token: string;
    /**
     * How much to send, a decimal string in `token`.
     * @example 10.000000
     */
    tokenAmount: string;
    /**
     * Since when it could be paid.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    waitingSince: string;
    /**
     * What it is in the ledger, in US dollars, without the fee of a withdrawal.
     * @example 10
     */
    worth: number;
};
/** What is to be paid on a network. */
export type PayoutExport = {
    /**
     * A table of `payouts` with a header: `id`, `kind`, `network`, `token`, `contract`, `destination`, `amount`, `units` (base units), separated by commas, lines ended by CR LF (RFC 4180).
     * @example id,kind,network,token,contract,destination,amount,units
     */
    csv: string;
    /**
     * The network.
     * @example devnet
     */
    network: string;
    /** What is to be paid, all of it `processing`. */
    payouts: Payout[];
    /** An unsigned transaction that pays all, on a network of Bitcoin; null elsewhere, and when `payouts` is empty. */
    psbt: PsbtFile | null;
    /** What is not in the files, and why. */
    refused: RefusedPayout[];
    /** A batch for the Transaction Builder of a Safe; null for networks without Safes, and when `payouts` is empty. */
    safe: SafeBatch | null;
};
/** A page of payouts. */
export type PayoutList = {
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
    /** The payouts, the longest waiting first. */
    payouts: Payout[];
};
/** How to pay. Everything is optional. */
export type PaySandboxPaymentRequest = {
    /**
     * How much of the token to send, a decimal string greater than zero with no more decimals than the token has. What is due when you leave it out. Send less or more to try an underpaid or overpaid payment.
     * @example 24.500000
     */
    amount?: string;
    /**
     * Whether to mine the blocks that confirm the transfer at once. With false only the block with the transfer is mined, and it stays unconfirmed until other blocks follow, for example by `POST /v1/sandbox/chain/mine`. In bitcoins not even that block is mined: the transaction waits in the pool.
     * @default true
     * @example true
     */
    confirm?: boolean;
    /**
     * The network to pay on. The one of the payment's option for the token when you leave it out.
     * @example devnet
     */
    network?: string;
    /** The token to pay with. The payment's chosen one when you leave it out. */
    token?: Token;
};
/** How to pay it out. Everything is optional. */
export type PaySandboxRefundRequest = {
    /**
     * How much of the token to send, a decimal string greater than zero with no more decimals than the token has. The `tokenAmount` of the refund when you leave it out.
     * @example 9.000000
     */
    amount?: string;
    /**
     * Whether to mine the blocks that confirm the transfer at once. With false it stays unconfirmed.
     * @default true
     * @example true
     */
    confirm?: boolean;
};
/** How to pay it out. Everything is optional. */
export type PaySandboxWithdrawalRequest = {
    /**
     * How much of the token to send, a decimal string greater than zero with no more decimals than the token has. The `netAmount` of the withdrawal when you leave it out.
     * @example 249.000000
     */
    amount?: string;
    /**
     * Whether to mine the blocks that confirm the transfer at once. With false only the block with the transfer is mined, and it stays unconfirmed until other blocks follow, for example by `POST /v1/sandbox/chain/mine`.
     * @default true
     * @example true
     */
    confirm?: boolean;
    /** The token to send. The one of the withdrawal when you leave it out. */
    token?: Token;
};
/**
 * What a role can allow. Every operation for administrators names the one that it needs.
 * @enum {string}
 */
export type Permission = "merchants.view" | "merchants.approve" | "merchants.reject" | "merchants.freeze" | "merchants.terminate" | "withdrawals.view" | "withdrawals.manage" | "settings.view" | "settings.update" | "users.view" | "users.manage" | "roles.view" | "roles.manage" | "audit_logs.view" | "incidents.view" | "incidents.manage";
/** A permission and what it allows. */
export type PermissionEntry = {
    /**
     * What it allows, in words.
     * @example See merchants and their profiles.
     */
    description: string;
    /**
     * What a role can allow. Every operation for administrators names the one that it needs.
     * @enum {string}
     */
    name: Permission;
};
/** The catalogue of permissions. */
export type PermissionList = {
    /** Every permission that there is. */
    data: PermissionEntry[];
};
/** An allowance that the wallet signs besides the transfer (ERC-2612), because Permit2 may not move its tokens yet. It is of just the transfer's amount, and as short. */
export type PermitToSign = {
    /**
     * The number of the allowance, which the token counts for each wallet. Send it back with the signature.
     * @example 0
     */
    nonce: string;
    /** What the wallet signs by `eth_signTypedData_v4`, EIP-712 data of the type `Permit`. */
    typedData: {
        [key: string]: unknown;
    };
};
/** What customers subscribe to, an amount that comes again and again. */
export type Plan = {
    /**
     * Whether the plan takes new subscribers. Those that it has go on either way.
     * @example true
     */
    active: boolean;
    /**
     * What is charged in every interval, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * When the plan was created.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * More about it, for the page on which customers agree; null when there is none.
     * @example A parcel of fresh tea every month.
     */
    description: string | null;
    /**
     * The id of the plan.
     * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
     */
    id: string;
    /**
     * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
     * and then on 31 March.
     * @example monthly
     * @enum {string}
     */
    interval: SubscriptionInterval;
    /**
     * What is sold.
     * @example Tea club
     */
    name: string;
    /**
     * The network that the plan is charged on.
     * @example devnet
     */
    network: string;
    /**
     * How many subscriptions of the plan are `active`.
     * @example 12
     */
    subscriberCount: number;
    /**
     * A stablecoin that plans are charged in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    token: SubscriptionToken;
    /**
     * How many days a new subscriber pays nothing.
     * @example 14
     */
    trialDays: number;
    /**
     * The page of the plan, where customers subscribe with their own wallet. Share it as it is.
     * Format: uri
     * @example https://pay.example/checkout/plan/plan_01jggm5v7c1x4z8b2n6q9s3w0e
     */
    url: string;
};
/** A page of subscription plans. */
export type PlanList = {
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
    /** The plans, newest first. */
    plans: Plan[];
};
/** The subscription of a wallet to a plan. */
export type PlanSubscription = {
    /**
     * The id of the subscription.
     * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    id: string;
    /**
     * False for a wallet that subscribed to the plan before.
     * @example true
     */
    isNew: boolean;
    /**
     * The page on which the customer agrees, and sees it afterwards.
     * Format: uri
     * @example https://pay.example/checkout/subscription/sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    url: string;
};
/** What the platform's owners can change while it runs. Every process follows within a second. */
export type PlatformSettings = {
    /** Whether merchants may collect before they are approved. One that was rejected waits for its approval in any case. */
    allowPendingMerchantsToCollect: boolean;
    /**
     * How long entries of the audit log are kept. Always null, for ever, at present.
     * @example null
     */
    auditRetentionDays: number | null;
    /**
     * How long a change that touches where money goes is announced before it takes effect.
     * @example 24
     */
    changeDelayHours: number;
    /** How deep a block must lie to be counted on, by network, where that is deeper than its configuration says: of the two the stricter counts. It counts for blocks that are looked at from now on. */
    confirmations: {
        [key: string]: number;
    };
    /**
     * From this amount on, the administrator who approved a withdrawal must not complete it, and the one who began to pay a refund must not complete it, nor fail it or a withdrawal while it is `processing`. Null asks that of none.
     * @example 1000.00
     */
    fourEyesThreshold: string | null;
    /**
     * How long after its deadline a payment is still taken, as late.
     * @example 24
     */
    lateWindowHours: number;
    /**
     * How long a subscription without a trial waits for the customer to agree, before it is cancelled.
     * @example 72
     */
    mandateDeadlineHours: number;
    /** Units of a currency in one US dollar, by pair. They win over every source. */
    manualRates: {
        [key: string]: string;
    };
    /**
     * Where the crypto of bank withdrawals is sent. Null when that happens elsewhere.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    offRampAddress: string | null;
    /**
     * How long a payment waits for the payer unless it says otherwise.
     * @example 60
     */
    paymentExpiryMinutes: number;
    /**
     * The platform's fee on payments, in hundredths of a percent.
     * @example 50
     */
    paymentFeeBps: number;
    /**
     * By how much less than asked a payment may bring and still be paid, in hundredths of a percent. Merchants may set their own.
     * @example 50
     */
    paymentToleranceBps: number;
    /**
     * The most that the tolerance comes to, in US dollars.
     * @example 0.50
     */
    paymentToleranceMax: string;
    /** Addresses that payouts must come from. With none, any transfer to the destination that fits and is no older than the approval counts as the payout, whoever sent it: on a live platform, name yours. */
    payoutWallets: string[];
    /** Changes of settings that wait for their approval or their time, oldest first. */
    pendingChanges: GuardedChange[];
    /**
     * By how much less than on the market ETH and BTC count when a payment is quoted in them, in hundredths of a percent. It covers what a price moves while a quote holds.
     * @example 50
     */
    rateSpreadBps: number;
    /**
     * The most that a merchant can give back within 24 hours to others than the wallet that paid, in US dollars. What payers take from the page of their payment does not count.
     * @example 50000.00
     */
    refundDailyMax: string;
    /**
     * How many signed transfers we send for one merchant within 24 hours. Of one wallet we take 10.
     * @example 200
     */
    relayDailyMax: number;
    /**
     * From this worth on, in US dollars, we bring transfers that payers have signed to the chain and pay for that. Null turns it off.
     * @example 5.00
     */
    relayMinAmount: string | null;
    /**
     * When the settings were last changed; null when they never were.
     * Format: date-time
     * @example 2026-01-02T03:04:05.678Z
     */
    updatedAt: string | null;
    /** Whether a crypto withdrawal is complete only when the chain says so, on every network that we watch. */
    verifyPayoutOnChain: boolean;
    /**
     * Counts the changes. Send it back with a change, so that nobody overwrites what they have not seen.
     * @example 7
     */
    version: number;
    /**
     * How long what was sent to webhook endpoints is kept. Events stay.
     * @example 60
     */
    webhookRetentionDays: number;
    /**
     * The most that a merchant can withdraw within 24 hours.
     * @example 50000.00
     */
    withdrawalDailyMax: string;
    /** What withdrawals cost. */
    withdrawalFees: WithdrawalFees;
    /**
     * The most that a merchant can withdraw at once.
     * @example 10000.00
     */
    withdrawalMax: string;
    /**
     * How many withdrawals of a merchant may wait or be on their way at once.
     * @example 5
     */
    withdrawalMaxOpen: number;
    /**
     * The least that a merchant can withdraw at once, before the fee, in US dollars.
     * @example 10.00
     */
    withdrawalMin: string;
};
/** What to note. */
export type ProcessRefundRequest = {
    /**
     * A note for other administrators.
     * @example Payout run of 2 January.
     */
    notes?: string;
};
/** What there is to say about it. */
export type ProcessWithdrawalRequest = {
    /**
     * A note for administrators. An empty or blank one leaves the note before.
     * @example Payout run of 2 January.
     */
    notes?: string;
};
/** A transaction of Bitcoin that nobody has signed. */
export type PsbtFile = {
    /**
     * The fee, in the network's coin.
     * @example 0.00000282
     */
    fee: string;
    /**
     * The fee in satoshis a virtual byte.
     * @example 2
     */
    feeRate: number;
    /**
     * The transaction by BIP174, in base64, for your wallet to sign.
     * @example cHNidP8BAAoCAAAAAAAAAAAAAA==
     */
    psbt: string;
    /**
     * The hash that it has when it is signed as it is.
     * @example 7f1c2a9be04d6358a1b7c0e9d2f4836a5b6c7d8e9f0a1b2c3d4e5f60718293a4
     */
    txHash: string;
};
/** What a payer may know about a checkout session. */
export type PublicCheckoutSession = {
    /**
     * The amount to pay, in `currency`.
     * @example 49.99
     */
    amount: number;
    /**
     * Where the customer goes when they turn back. The page adds `session_id` to its query.
     * Format: uri
     * @example https://shop.example/cart
     */
    cancelUrl: string;
    /**
     * The hosted page.
     * Format: uri
     * @example http://localhost:3000/checkout/session/cs_01jggfq7w3e8yt1b4n6m9p2s5d
     */
    checkoutUrl: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Until when the session can be paid.
     * Format: date-time
     * @example 2026-01-02T05:04:05.006Z
     */
    expiresAt: string;
    /**
     * The id of the session.
     * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
     */
    id: string;
    /**
     * False in the sandbox, where money is play money.
     * @example false
     */
    livemode: boolean;
    /**
     * Who asks for the money.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * The payment of this session. Read it at `/v1/public/payments/{id}`.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * The state of a checkout session.
     *
     * - `open`: the customer can pay.
     * - `completed`: its payment is paid.
     * - `expired`: its time ran out, or you expired it.
     * @enum {string}
     */
    status: CheckoutSessionStatus;
    /**
     * Where the customer goes after paying. The page adds `session_id` to its query.
     * Format: uri
     * @example https://shop.example/thanks
     */
    successUrl: string;
};
/** What a payer may know about a payment. It never shows `metadata`, `customerEmail` or `customFields`. */
export type PublicPayment = {
    /**
     * What is asked, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * What is still missing, in `currency`, rounded up; 0 when enough has been seen.
     * @example 0
     */
    amountDue: number;
    /**
     * The worth of what has been seen at the locked rate, confirmed or not, in `currency`, rounded down.
     * @example 25
     */
    amountReceived: number;
    /**
     * What of it was given back or is on its way back, in `currency`, rounded down.
     * @example 0
     */
    amountRefunded: number;
    /**
     * Where a checkout session sends the payer when they turn back, null for other payments.
     * Format: uri
     * @example https://shop.example/cart
     */
    cancelUrl: string | null;
    /** How far the confirmation of a payment is. */
    confirmations: PaymentConfirmations;
    /**
     * Where to pay with the chosen option. Empty when no option is left, because nobody would see the money, and while the chosen one is `unavailable`.
     * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
     */
    cryptoAddress: string;
    /**
     * The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up.
     * @example 25.000000
     */
    cryptoAmount: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * What it is for; null when nobody said.
     * @example Spring tea workshop
     */
    description: string | null;
    /**
     * The websites whose pages may show this page in a frame, each as its origin. Empty when none may.
     * @example [
     *       "https://teahouse.example"
     *     ]
     */
    embedOrigins: string[];
    /**
     * What is unusual about the money, null when nothing is.
     *
     * - `underpaid`: less arrived than was needed.
     * - `overpaid`: more arrived than was asked. The surplus waits for your decision.
     * - `late`: money arrived after `expiresAt`.
     * - `wrong_token`: a token arrived that this payment does not accept, or not on that network. `astray` of the transfer says which.
     * @example null
     * @enum {string|null}
     */
    exception: PaymentException;
    /**
     * Until when the payer has to pay.
     * Format: date-time
     * @example 2026-01-02T04:04:05.006Z
     */
    expiresAt: string;
    /**
     * The id of the payment.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    id: string;
    /** The lines that add up to `amount`; empty when nobody listed any. */
    items: LineItem[];
    /**
     * The slug of the payment link that it was started from, as it was then, so that its payer can start again; null for others.
     * @example spring-workshop
     */
    linkSlug: string | null;
    /**
     * False in the sandbox, where money is play money.
     * @example false
     */
    livemode: boolean;
    /** What payers recognize the merchant by. */
    merchantBrand: MerchantBrand;
    /**
     * Whether the merchant may take payments at present. While it may not, an open payment has no `options` and nowhere to pay, and the page says so. What is on its way is credited all the same.
     * @example true
     */
    merchantCollects: boolean;
    /** How payers reach the merchant. */
    merchantContact: MerchantContact;
    /**
     * Who asks for the money.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * The network of the chosen option.
     * @example devnet
     */
    network: string;
    /** Every way to pay, USDT first. Leaves out networks and coins that are no longer listed; none while an open payment's merchant may not take payments (`merchantCollects`). */
    options: PaymentOption[];
    /**
     * When it became `paid`, null before.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    paidAt: string | null;
    /**
     * What a wallet understands when it scans the QR code (EIP-681 or BIP 21), for the chosen option. While only a part has arrived it asks for the rest. Empty when `cryptoAddress` is.
     * @example ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@31337/transfer?address=0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb&uint256=25000000
     */
    paymentUri: string;
    /**
     * A PNG of the QR code of `paymentUri`.
     * Format: uri
     * @example http://localhost:3000/v1/public/payments/pay_01jggfnds9e9gt3f3v5s7k2m4n/qr.png
     */
    qrCodeUrl: string;
    /** The exchange rate that was locked when the payment was quoted. */
    rate: PaymentRate;
    /**
     * Why the payment ended without being paid, null when there is nothing to say.
     *
     * - `cancelled`: the merchant cancelled it, with `expired`.
     * - `not_confirmed`: what was seen never confirmed, with `failed`.
     * @example null
     * @enum {string|null}
     */
    reason: PaymentReason;
    /** Money that the merchant's rules give back to whoever takes it with `POST /v1/public/payments/{id}/refund`; null when there is none. */
    refundOffer: RefundOffer | null;
    /** Transfers to the address that were seen waiting for a block and are gone, newest first, at most 5. Nothing of them counts. Only networks whose transfers are seen before their block have such, like `bitcoin`. */
    replaced: ReplacedTransfer[];
    /**
     * The checkout session that it belongs to, null for others.
     * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
     */
    sessionId: string | null;
    /**
     * The state of a payment.
     *
     * ```
     * initiated ──▶ pending ──▶ confirming ──▶ paid
     *     │            │            │
     *     └─▶ expired ◀┘            └─▶ failed
     * ```
     *
     * - `initiated`: nobody has done anything yet.
     * - `pending`: the payer chose a token, or sent less than is needed.
     * - `confirming`: enough was seen on the chain; its confirmations are awaited. Back to `pending` when the chain undoes it.
     * - `paid`: enough is confirmed. The money is yours.
     * - `failed`: what was seen never confirmed within 24 hours.
     * - `expired`: the time ran out, or you cancelled. On to `confirming` when stablecoins reach the amount within 24 hours.
     * @enum {string}
     */
    status: PaymentStatus;
    /**
     * Where a checkout session sends the payer after paying, null for other payments.
     * Format: uri
     * @example https://shop.example/thanks
     */
    successUrl: string | null;
    /**
     * What the merchant says to whoever has paid through a link; null before it is paid, and when they say nothing.
     * @example See you on Saturday at 3 pm.
     *     Bring an apron.
     */
    thankYou: string | null;
    /**
     * Where the merchant leads whoever has paid through a link; null before it is paid, and when there is nowhere.
     * Format: uri
     * @example https://shop.example/workshop
     */
    thankYouUrl: string | null;
    /** The token that the payer chose; until they choose, and when the network of their choice is no longer listed while the payment is open, the first option's. */
    token: Token;
    /**
     * What the chosen option asks, a decimal string in `token`.
     * @example 25.000000
     */
    tokenAmount: string;
    /**
     * What is still missing, a decimal string in `token`; zero when enough has been seen.
     * @example 0.000000
     */
    tokenAmountDue: string;
    /** The transfers that reached the address, newest first, at most 20. */
    transactions: PaymentTransaction[];
};
/** What a payer may know about a payment link. */
export type PublicPaymentLink = {
    /**
     * The tokens that the payer may choose from, as far as they are enabled.
     * @example [
     *       "USDT",
     *       "USDC"
     *     ]
     */
    acceptedTokens: Token[];
    /**
     * What it costs, in USD.
     * @example 25
     */
    amount: number;
    /**
     * Links are priced in USD.
     * @enum {string}
     */
    currency: "USD";
    /** What the payer is asked; empty for nothing. */
    customFields: CustomField[];
    /**
     * More about it; null when there is none.
     * @example Three hours, tea and cake included.
     */
    description: string | null;
    /** About what `amount` is in rupees, for payers who think in them; null while there is no reliable rate. */
    displayAmount: DisplayAmount | null;
    /**
     * The websites whose pages may show this page in a frame, each as its origin. Empty when none may.
     * @example [
     *       "https://teahouse.example"
     *     ]
     */
    embedOrigins: string[];
    /**
     * When the link stops taking payments; null when it never does.
     * Format: date-time
     * @example 2026-06-30T18:00:00.000Z
     */
    expiresAt: string | null;
    /**
     * The id of the link.
     * @example plink_01jggfm2k8f4rs7a0d3h6x9c5v
     */
    id: string;
    /** The lines that add up to `amount`; empty when nobody listed any. */
    items: LineItem[];
    /**
     * False in the sandbox, where money is play money.
     * @example false
     */
    livemode: boolean;
    /**
     * How many payments the link takes; null for as many as people make.
     * @example 12
     */
    maxPayments: number | null;
    /** What payers recognize the merchant by. */
    merchantBrand: MerchantBrand;
    /**
     * Whether the merchant may take payments at present. While it may not, no payment of the link can be started.
     * @example true
     */
    merchantCollects: boolean;
    /**
     * Who asks for the money.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /** The amounts between which payers choose, around `amount`; null when everybody pays `amount`. */
    payerAmount: PayerAmount | null;
    /**
     * How many can be started now; null without `maxPayments`. At 0 no payment starts.
     * @example 9
     */
    paymentsLeft: number | null;
    /**
     * How many were started and are neither paid nor over; null without `maxPayments`. Each may still give its place back.
     * @example 1
     */
    paymentsOpen: number | null;
    /**
     * The last part of the link's address.
     * @example spring-workshop
     */
    slug: string;
    /**
     * The state of a payment link.
     *
     * - `active`: it can be paid.
     * - `expired`: its `expiresAt` has passed. A later `expiresAt` makes it active again.
     * - `disabled`: you switched it off. `status: active` switches it on again.
     * @enum {string}
     */
    status: PaymentLinkStatus;
    /**
     * What is sold.
     * @example Spring tea workshop
     */
    title: string;
    /**
     * The address of the page.
     * Format: uri
     * @example http://localhost:3000/checkout/pay/spring-workshop
     */
    url: string;
};
/** What everybody may know about a plan. */
export type PublicPlan = {
    /**
     * Whether one can subscribe now. False, too, while the merchant may not collect or the network is not offered.
     * @example true
     */
    active: boolean;
    /**
     * What is charged in every interval, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * The chain id of that network; null where it is not offered at present.
     * @example 31337
     */
    chainId: number | null;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * More about it; null when there is none.
     * @example A parcel of fresh tea every month.
     */
    description: string | null;
    /**
     * The id of the plan.
     * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
     */
    id: string;
    /**
     * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
     * and then on 31 March.
     * @example monthly
     * @enum {string}
     */
    interval: SubscriptionInterval;
    /**
     * False in the sandbox, where money is play money.
     * @example false
     */
    livemode: boolean;
    /** What payers recognize the merchant by. */
    merchantBrand: MerchantBrand;
    /** How payers reach the merchant. */
    merchantContact: MerchantContact;
    /**
     * Who asks for the money.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * What is sold.
     * @example Tea club
     */
    name: string;
    /**
     * The network that it is charged on.
     * @example devnet
     */
    network: string;
    /**
     * A stablecoin that plans are charged in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    token: SubscriptionToken;
    /**
     * How many days a new subscriber pays nothing.
     * @example 14
     */
    trialDays: number;
};
/** What a payer may know about a refund. */
export type PublicRefund = {
    /**
     * What is given back, in `currency`.
     * @example 10
     */
    amount: number;
    /**
     * When it was made.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Where it goes; null until somebody said so.
     * @example null
     */
    destinationAddress: string | null;
    /**
     * Whether that can still be said or changed.
     * @example true
     */
    isChangeable: boolean;
    /**
     * Whether the wallet that paid has signed for that address. Then only that wallet can change it.
     * @example false
     */
    isProven: boolean;
    /**
     * False in the sandbox, where money is play money.
     * @example false
     */
    livemode: boolean;
    /** What payers recognize the merchant by. */
    merchantBrand: MerchantBrand;
    /** How payers reach the merchant. */
    merchantContact: MerchantContact;
    /**
     * Who gives the money back.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * The network that it is sent on.
     * @example devnet
     */
    network: string;
    /**
     * What that payment asked, in `currency`.
     * @example 25
     */
    paymentAmount: number;
    /**
     * The payment that it gives back.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * Why, in the merchant's words.
     * @example Only a part of the price arrived.
     */
    reason: string;
    /**
     * The state of a refund.
     *
     * ```
     * awaiting_claim ──▶ pending ──▶ processing ──▶ completed
     *       │               │            │
     *       └───────┬───────┴────────────┤
     *               ▼                    ▼
     *           cancelled             failed
     * ```
     *
     * - `awaiting_claim`: the money is held until the payer says where it shall go, by the link in `claimUrl`.
     * - `pending`: it is known where it goes, and it waits to be paid.
     * - `processing`: it is being paid, so its address does not change any more.
     * - `completed`: it is paid. In the rare case that the chain takes the payout back it is `processing` again.
     * - `cancelled`: you took it back. The money is where it was.
     * - `failed`: it could not be paid (`statusMessage` says why). The money is where it was.
     * @example awaiting_claim
     * @enum {string}
     */
    status: RefundStatus;
    /** The token that is sent. */
    token: Token;
    /**
     * What is sent, a decimal string in `token`; fixed when the refund is made. Of ETH and BTC more than an hour after they came it is no more than `amount` was worth then.
     * @example 10.000000
     */
    tokenAmount: string;
    /**
     * The transaction that paid it; null before.
     * @example null
     */
    txHash: string | null;
    /** The wallet that paid the most of it, which may claim it by a signature; null where none is known, such as for Bitcoin, and once nothing can be changed. An exchange's wallet can't sign for its customers. */
    wallet: RefundWallet | null;
};
/** What a customer may know about a subscription. It never shows `customerEmail` or `customerName`. */
export type PublicSubscription = {
    /**
     * How the customer's wallet agrees to `mandate`.
     *
     * - `signature`: it signs `typedData`, and we bring that to the chain; that costs the customer nothing.
     * - `transaction`: it sends `authorize(mandate)` to `collector` from `walletAddress`, and pays the network's fee for it. So it
     *   is once the chain has refused what the wallet had signed: no other signature of this mandate is brought there.
     *
     * Such a transaction counts at any time, also while a signature would do. A new mandate begins with `signature` again.
     * @enum {string}
     */
    agreeBy: AgreementMethod;
    /** What the customer should let the collector take of the token, by its `approve`. */
    allowance: TokenAllowance;
    /**
     * What is charged in every interval, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * Why a subscription was cancelled, null when it was not.
     *
     * - `requested`: you cancelled it.
     * - `customer_requested`: the customer cancelled it, by a signature of the wallet.
     * - `not_authorized`: the customer did not agree in time.
     * - `payment_failed`: the last try of a charge failed.
     * - `merchant_terminated`: the merchant's account was closed.
     * @example null
     * @enum {string|null}
     */
    cancelReason: SubscriptionCancelReason;
    /**
     * The chain id of that network.
     * @example 31337
     */
    chainId: number;
    /**
     * The contract that collects, which the wallet allows to take the token.
     * @example 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512
     */
    collector: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * When the present period ends.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    currentPeriodEnd: string;
    /**
     * More about it; null when there is none.
     * @example A parcel of fresh tea every month.
     */
    description: string | null;
    /** Why the last try to charge failed, null when it did not. */
    failureCode: ChargeFailureCode;
    /**
     * When the first charge is or was due. Once it has passed, a charge follows as soon as the customer agrees; one who agrees more than an hour later pays for a period that begins then.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    firstChargeAt: string;
    /**
     * The id of the subscription.
     * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    id: string;
    /**
     * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
     * and then on 31 March.
     * @example monthly
     * @enum {string}
     */
    interval: SubscriptionInterval;
    /**
     * False in the sandbox, where money is play money.
     * @example false
     */
    livemode: boolean;
    /** What the customer agrees to, as the collector's contract knows it: amounts in base units of the token, times in seconds since 1970. */
    mandate: Mandate;
    /**
     * What the chain knows of the customer's mandate, without which nothing can be charged.
     *
     * - `pending`: the customer has not agreed yet. Send them to `authorizeUrl`.
     * - `active`: it stands.
     * - `revoked`: the customer has withdrawn it.
     * - `expired`: the time for which it was given is over.
     * @enum {string}
     */
    mandateStatus: MandateStatus;
    /** What payers recognize the merchant by. */
    merchantBrand: MerchantBrand;
    /**
     * Whether the merchant may take payments at present. While it may not, the customer is asked for nothing: `typedData` is null unless a signature was sent before.
     * @example true
     */
    merchantCollects: boolean;
    /** How payers reach the merchant. */
    merchantContact: MerchantContact;
    /**
     * Who asks for the money.
     * @example Ceylon Tea House
     */
    merchantName: string;
    /**
     * The network that it is charged on.
     * @example devnet
     */
    network: string;
    /**
     * When the wallet is charged next, for a new period or again for one that failed. null when nothing more will be charged, while a first charge waits for the customer to agree, and while the merchant may not collect.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    nextChargeAt: string | null;
    /**
     * When the last period ends that is paid; null as long as none is. The first period begins before it is paid, and a reorg of the chain may take a charge back until it is collected again, so `currentPeriodEnd` alone does not say that.
     * Format: date-time
     * @example null
     */
    paidUntil: string | null;
    /**
     * What is sold.
     * @example Tea club
     */
    planName: string;
    /**
     * The state of a subscription.
     *
     * - `trialing`: nothing is charged until `trialEnd`.
     * - `active`: the present period is paid, or the first charge waits for the customer to agree.
     * - `past_due`: a charge failed and is tried again.
     * - `cancelled`: nothing more is charged; what was paid holds until `currentPeriodEnd`.
     * - `expired`: cancelled, and the last period is over.
     * @enum {string}
     */
    status: SubscriptionStatus;
    /**
     * Since when a signature waits for the chain to take it, null when none was sent for this mandate.
     * Format: date-time
     * @example null
     */
    submittedAt: string | null;
    /** What the mandate allows at most, for words that people understand. */
    terms: MandateTerms;
    /**
     * A stablecoin that plans are charged in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    token: SubscriptionToken;
    /**
     * The contract of the token.
     * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
     */
    tokenContract: string;
    /**
     * How many decimals the token has.
     * @example 6
     */
    tokenDecimals: number;
    /**
     * When the trial ends or ended, null without one.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    trialEnd: string | null;
    /** What the customer's wallet is to sign, the second parameter of `eth_signTypedData_v4` (EIP-712): pass it on as it is. null when nothing is to be signed. */
    typedData: MandateTypedData;
    /**
     * The wallet that pays, and that has to agree.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    walletAddress: string;
};
/** An event as it was announced, and its place in your feed once it has one. */
export type RecordedEvent = {
    /**
     * The event as JSON text, the same bytes that a webhook carries. The hash is over exactly these, so parse it afterwards. Empty when the event is `pruned`.
     * @example {"id":"evt_01jggfnrx4f1zc8v5b2n7m0q3e","type":"payment.completed"}
     */
    body: string;
    /**
     * When it happened.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    createdAt: string;
    /**
     * The SHA-256 over its place, `previousHash` and `body`, 64 hexadecimal digits; null as long as it has no place.
     * @example cff8a02f29078bf8c7ce81928b45fda5715741b98027944fb0b84f726dc6c87f
     */
    hash: string | null;
    /**
     * The id of the event, the same that a webhook carries. Remember it to handle an event once.
     * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
     */
    id: string;
    /**
     * Its place in your feed, counted from 1 without gaps; null for about a second.
     * @example 4
     */
    position: number | null;
    /**
     * The `hash` of the event before, 64 hexadecimal digits; zeros for the first; null as long as it has no place.
     * @example fccfc0ba21c4ef19755deaf97b0f212b471d60f12a0c99ae23f5a316e2bf8150
     */
    previousHash: string | null;
    /**
     * True when the event is about a payment of a link that nobody paid and that was removed 30 days after it ended. Its `body` is gone, so its `hash` can't be computed any more; the chain goes on with it.
     * @example false
     */
    pruned: boolean;
    /**
     * The type of an event. New types may appear at any time; answer 2xx to those that you do not know.
     * @enum {string}
     */
    type: EventType;
};
/** From when on events are sent again. */
export type RecoverWebhooksRequest = {
    /**
     * Events that happened then or later, a date-time with its offset.
     * Format: date-time
     * @example 2026-01-02T00:00:00Z
     */
    since: string;
};
/** The refresh token to trade in. */
export type RefreshAdminSessionRequest = {
    /**
     * The newest refresh token of the session. Each works once.
     * @example rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc
     */
    refreshToken: string;
};
/** The refresh token to trade in. */
export type RefreshMerchantSessionRequest = {
    /**
     * The newest refresh token of the session. Each works once.
     * @example rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc
     */
    refreshToken: string;
};
/** Money of a payment that goes back to its payer. */
export type Refund = {
    /**
     * What is given back of the payment, in its currency and at its locked rate, rounded down together with what goes back beside it.
     * @example 10
     */
    amount: number;
    /**
     * When you made it.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Where it goes; null until that is known.
     * @example null
     */
    destinationAddress: string | null;
    /**
     * When it became `completed`, `cancelled` or `failed`; null before.
     * Format: date-time
     * @example null
     */
    finishedAt: string | null;
    /**
     * The id of the refund.
     * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
     */
    id: string;
    /**
     * The network that it is sent on, which is the one that it was paid on.
     * @example devnet
     */
    network: string;
    /**
     * Whether the payer took it from the payment's page, where your rules offered it.
     * @example false
     */
    offered: boolean;
    /**
     * The payment that it gives back.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * Why it is given back, in your words. The payer reads it.
     * @example Only a part of the price arrived.
     */
    reason: string;
    /**
     * The state of a refund.
     *
     * ```
     * awaiting_claim ──▶ pending ──▶ processing ──▶ completed
     *       │               │            │
     *       └───────┬───────┴────────────┤
     *               ▼                    ▼
     *           cancelled             failed
     * ```
     *
     * - `awaiting_claim`: the money is held until the payer says where it shall go, by the link in `claimUrl`.
     * - `pending`: it is known where it goes, and it waits to be paid.
     * - `processing`: it is being paid, so its address does not change any more.
     * - `completed`: it is paid. In the rare case that the chain takes the payout back it is `processing` again.
     * - `cancelled`: you took it back. The money is where it was.
     * - `failed`: it could not be paid (`statusMessage` says why). The money is where it was.
     * @example awaiting_claim
     * @enum {string}
     */
    status: RefundStatus;
    /**
     * Why it failed, in plain words; null otherwise.
     * @example null
     */
    statusMessage: string | null;
    /** The token that is sent, which is the one that was paid. */
    token: Token;
    /**
     * What is sent, a decimal string in `token`; fixed when the refund is made. Of ETH and BTC more than an hour after they came it is no more than `amount` was worth then.
     * @example 10.000000
     */
    tokenAmount: string;
    /**
     * The transaction that paid it; null until it is `completed`.
     * @example null
     */
    txHash: string | null;
};
/** A refund was taken back, and its money is where it was. */
export type RefundCancelledEvent = EventEnvelope & {
    /** The refund as it was when the event happened. */
    data: Refund;
    /**
     * The type of the event.
     * @constant
     */
    type: "refund.cancelled";
};
/** A refund is paid. */
export type RefundCompletedEvent = EventEnvelope & {
    /** The refund as it was when the event happened. */
    data: Refund;
    /**
     * The type of the event.
     * @constant
     */
    type: "refund.completed";
};
/** A refund was made, and its money is held. */
export type RefundCreatedEvent = EventEnvelope & {
    /** The refund as it was when the event happened. */
    data: Refund;
    /**
     * The type of the event.
     * @constant
     */
    type: "refund.created";
};
/** A refund could not be paid, and its money is where it was. */
export type RefundFailedEvent = EventEnvelope & {
    /** The refund as it was when the event happened. */
    data: Refund;
    /**
     * The type of the event.
     * @constant
     */
    type: "refund.failed";
};
/** A page of refunds. */
export type RefundList = {
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
    /** The refunds, newest first. */
    refunds: Refund[];
};
/** Money of a payment that its payer may have back at once. */
export type RefundOffer = {
    /**
     * What comes back of the payment, in `currency` and at its locked rate, rounded down.
     * @example 2
     */
    amount: number;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * Whether less than `tokenAmount` may be sent, or more of it again, when it is taken later: of ETH and BTC more than an hour after they came, no more than `amount` is worth at that moment. False once it was taken.
     * @example false
     */
    isEstimate: boolean;
    /**
     * The network that it is sent on.
     * @example devnet
     */
    network: string;
    /** The token that is sent, which is the one that was paid. */
    token: Token;
    /**
     * What is sent if it is taken now, a decimal string in `token`.
     * @example 2.000000
     */
    tokenAmount: string;
};
/**
 * An exception for which a payment's page may offer the money back.
 * @example overpaid
 * @enum {string}
 */
export type RefundOfferException = "underpaid" | "overpaid" | "late" | "wrong_token";
/** It is known where a refund goes, or that has changed. */
export type RefundPendingEvent = EventEnvelope & {
    /** The refund as it was when the event happened. */
    data: Refund;
    /**
     * The type of the event.
     * @constant
     */
    type: "refund.pending";
};
/** A refund is being paid. */
export type RefundProcessingEvent = EventEnvelope & {
    /** The refund as it was when the event happened. */
    data: Refund;
    /**
     * The type of the event.
     * @constant
     */
    type: "refund.processing";
};
/** The chain took the payout of a refund back. It is paid anew, or fails. */
export type RefundRevertedEvent = EventEnvelope & {
    /** The refund as it was when the event happened. */
    data: Refund;
    /**
     * The type of the event.
     * @constant
     */
    type: "refund.reverted";
};
/**
 * The state of a refund.
 *
 * ```
 * awaiting_claim ──▶ pending ──▶ processing ──▶ completed
 *       │               │            │
 *       └───────┬───────┴────────────┤
 *               ▼                    ▼
 *           cancelled             failed
 * ```
 *
 * - `awaiting_claim`: the money is held until the payer says where it shall go, by the link in `claimUrl`.
 * - `pending`: it is known where it goes, and it waits to be paid.
 * - `processing`: it is being paid, so its address does not change any more.
 * - `completed`: it is paid. In the rare case that the chain takes the payout back it is `processing` again.
 * - `cancelled`: you took it back. The money is where it was.
 * - `failed`: it could not be paid (`statusMessage` says why). The money is where it was.
 * @example awaiting_claim
 * @enum {string}
 */
export type RefundStatus = "awaiting_claim" | "pending" | "processing" | "completed" | "cancelled" | "failed";
/** A wallet that paid, and what it signs to get a refund. */
export type RefundWallet = {
    /**
     * Its address.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    address: string;
    /**
     * What it signs to have the money sent there (EIP-191, or ERC-1271 for a wallet that is a contract).
     * @example Send my refund to this wallet.
     *
     *     Refund: rfd_01jggm5r8e3t6y9b2d4f7h0k1n
     */
    message: string;
};
/** A payout, and why nothing happened to it. */
export type RefusedPayout = {
    /**
     * The error's code, as if it had been asked for alone.
     * @example CONFLICT
     */
    code: string;
    /**
     * The id of the withdrawal or the refund.
     * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
     */
    id: string;
    /**
     * What is wrong, and the cure.
     * @example This refund is cancelled; to complete it, it must be pending or processing.
     */
    message: string;
    /**
     * The error's reason, if it has one.
     * @example payout_wrong_destination
     */
    reason: string | null;
};
/** What a new merchant tells about itself. */
export type RegisterMerchantRequest = {
    /**
     * The legal name of the business. Payers see it.
     * @example Ceylon Tea House
     */
    businessName: string;
    /**
     * The legal form of the business.
     * @enum {string}
     */
    businessType: BusinessType;
    /**
     * The e-mail address to log in with, unique on the platform whatever its case.
     * Format: email
     * @example owner@teahouse.example
     */
    email: string;
    /**
     * 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
     * @example Str0ng-enough
     */
    password: string;
    /**
     * The phone number in international form, starting with `+` and the country code. Stored in E.164 form.
     * @example +94771234567
     */
    phone: string;
};
/** Why the merchant is rejected. */
export type RejectMerchantRequest = {
    /**
     * What is wrong and what would cure it. The merchant reads it.
     * @example The certificate of registration is not readable.
     */
    reason: string;
};
/** Why it is refused. */
export type RejectWithdrawalRequest = {
    /**
     * Why, for the merchant to read. Spaces alone are refused.
     * @example The account does not belong to the business.
     */
    reason: string;
};
/**
 * Why a signed transfer was not sent.
 *
 * - `balance`: the wallet holds less of the token than the transfer moves.
 * - `spent`: the token has executed or called off a transfer with this number already.
 * - `changed`: the payment asks for another amount now, or for none.
 * - `too_late`: the payment's deadline came before it could be sent.
 * - `token`: the token refuses the transfer.
 * - `allowance`: Permit2 may not move so much of the wallet's tokens: it was not approved, or the approval was withdrawn.
 * - `wallet`: the wallet has code, which Permit2 or the token would ask, or a transfer that it had signed failed on the chain within 24 hours. Such wallets pay by a transfer.
 * @example balance
 * @enum {string}
 */
export type RelayReason = "balance" | "spent" | "changed" | "too_late" | "token" | "allowance" | "wallet";
/**
 * The state of a signed transfer.
 *
 * ```
 * to_approve ─▶ to_sign ──▶ signed ──▶ sent ──▶ done
 *                  ▲          │          └─────▶ reverted
 *                  └── refused ◀┘
 * ```
 *
 * - `to_approve`: the token takes no signed allowances, and the wallet has not let Permit2 move it yet. It has to approve Permit2 by a
 *   transaction of its own first, which costs a fee once; the contract is `typedData.domain.verifyingContract`.
 * - `to_sign`: the wallet has signed nothing yet.
 * - `signed`: the signature is stored and will be brought to the chain.
 * - `sent`: our transaction is on its way.
 * - `done`: our transaction is confirmed.
 * - `reverted`: the chain refused our transaction. Nothing more is sent for this payment; the payer pays by a transfer.
 * - `refused`: it was not sent, and `reason` says why. The wallet can sign again.
 * @example to_sign
 * @enum {string}
 */
export type RelayStatus = "to_approve" | "to_sign" | "signed" | "sent" | "done" | "reverted" | "refused";
/** The code of the second factor, where one is needed. */
export type RenewRefundClaimRequest = {
    /**
     * The one-time code or a recovery code, needed in a session when two-factor authentication is on; ignored otherwise.
     * @example 492039
     */
    otp?: string;
};
/** How much of the chain to replace. */
export type ReorgSandboxChainRequest = {
    /**
     * How many of the newest blocks to replace.
     * @example 2
     */
    depth: number;
    /**
     * Whether the transactions of the replaced blocks are in the new ones too. With false they are gone.
     * @default true
     * @example false
     */
    keepTransactions?: boolean;
    /**
     * The network to do it on, one of those that `GET /v1/sandbox` lists; `devnet` when you leave it out.
     * @example devnet
     */
    network?: SandboxNetworkName;
};
/** A transfer that was seen and that the network took back: while it waited for a block, because its sender replaced it or because no block took it, or together with the block that held it. */
export type ReplacedTransfer = {
    /**
     * When it had been seen for the first time.
     * Format: date-time
     * @example 2026-01-02T03:11:40.000Z
     */
    at: string;
    /**
     * The hash of the transaction that spends the same money now; null when there is none, or none is known. It need not pay this payment.
     * @example c0ffee0b7a5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f
     */
    by: string | null;
    /**
     * The hash of the transaction that is gone.
     * @example 7f1c2a9be04d6358a1b7c0e9d2f4836a5b6c7d8e9f0a1b2c3d4e5f60718293a4
     */
    hash: string;
    /**
     * The network where it was.
     * @example bitcoin
     */
    network: string;
    /**
     * Whether a block had held it that is gone. It may come in another one.
     * @example false
     */
    undone: boolean;
};
/** What is to become of a transfer that waits in the pool. */
export type ReplaceSandboxTransferRequest = {
    /**
     * `same_address`: a transaction that pays miners more, and the payment the same. `other_address`: one that pays miners more, and somebody else instead of the payment. `double_spend`: one in a block that is mined at once, which spends the same coins elsewhere. `nothing`: the pool drops the transaction, as nodes do with one that nobody mines.
     * @example same_address
     * @enum {string}
     */
    by: "same_address" | "other_address" | "double_spend" | "nothing";
    /**
     * The transaction. The newest one that waits and pays this payment when you leave it out.
     * @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b
     */
    txHash?: string;
};
/** A payment after a decision, with the refunds that the decision made. */
export type ResolvedPayment = Payment & {
    /** What goes back, with the links by which it is claimed; empty for `accept`. */
    refundsMade: CreatedRefund[];
};
/** Why it is over. */
export type ResolveIncidentRequest = {
    /**
     * What it was, and what you did about it.
     * @example The merchant was told; the network waits for 30 confirmations now.
     */
    note: string;
};
/** What to do with the money that waits. */
export type ResolvePaymentRequest = {
    /**
     * `accept` takes the money into your available balance. `refund` gives all that waits back to its payer, in a refund for each token; with an API key it also needs the scope `settlements:write`.
     * @enum {string}
     */
    action: "accept" | "refund";
    /**
     * The one-time code or a recovery code, needed for `refund` in a session when two-factor authentication is on; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * Why it goes back, in plain words for your payer; needed for `refund`, ignored otherwise.
     * @example Only a part of the price arrived.
     */
    reason?: string;
};
/** What a group of administrators may do. */
export type Role = {
    /**
     * When the role was made.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * What the role is for.
     * @example Reviews withdrawals and sends the money.
     */
    description: string;
    /**
     * The id of the role.
     * @example role_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    id: string;
    /**
     * The name of the role, unique, in lower case with underscores.
     * @example payout_clerk
     */
    name: string;
    /** Everything that the role allows. super_admin allows everything that there is. */
    permissions: Permission[];
    /**
     * When the role was last changed.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    updatedAt: string;
};
/** All roles. */
export type RoleList = {
    /** The roles, newest first. */
    data: Role[];
};
/** The role of an administrator. */
export type RoleReference = {
    /**
     * The id of the role.
     * @example role_01jggf4b9xe6kd2r7t0w3y5h8a
     */
    id: string;
    /**
     * The name of the role.
     * @example support_agent
     */
    name: string;
};
/** How long the old key goes on working beside the new one, and the code that this may need. */
export type RotateApiKeyRequest = {
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and the key may do `settlements:write`, ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * From 0 (it stops now) to 168 hours, 24 when left out. A key that would expire earlier still does.
     * @default 24
     * @example 24
     */
    overlapHours?: number;
};
/** How long the old keys sign along. */
export type RotateWebhookKeysRequest = {
    /**
     * How long the key that is active now signs along with the new one, 0 to 604800 seconds (a week), a day when left out. With 0 every old key ends at once, also those that are retiring already; receivers that fetch the keys take what an old one signs until they fetch them anew, which our clients do after five minutes.
     * @default 86400
     * @example 86400
     */
    gracePeriodSeconds?: number;
};
/** Transactions for the Transaction Builder of a Safe, version 1.0 of its file. */
export type SafeBatch = {
    /**
     * The chain, as a decimal number.
     * @example 8453
     */
    chainId: string;
    /**
     * When it was made, in milliseconds since 1970.
     * @example 1767323045006
     */
    createdAt: number;
    /** What the file is. */
    meta: SafeBatchMeta;
    /** One for each payout, in their order. */
    transactions: SafeTransaction[];
    /**
     * The version of the file.
     * @example 1.0
     * @enum {string}
     */
    version: "1.0";
};
/** What the file is. */
export type SafeBatchMeta = {
    /**
     * What is in it.
     * @example 2 payouts, exported 2026-01-02T03:04:05.006Z
     */
    description: string;
    /**
     * Its name.
     * @example Payouts on base
     */
    name: string;
};
/** A transaction of a Safe. */
export type SafeTransaction = {
    /**
     * The call of the token's contract, `0x` for the coin.
     * @example 0xa9059cbb0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed0000000000000000000000000000000000000000000000000000000000989680
     */
    data: string;
    /**
     * The token's contract, or where the coin goes.
     * @example 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913
     */
    to: string;
    /**
     * Base units of the chain's coin.
     * @example 0
     */
    value: string;
};
/** The newest block of a test chain. */
export type SandboxChainHead = {
    /**
     * Its hash.
     * @example 0x3c5b0f9a7e1d4826b8c2f6a09d7e5134c8b1a2f3e4d5c6b7a8990112233445d6
     */
    blockHash: string;
    /**
     * The number of the block.
     * @example 1044
     */
    blockNumber: number;
    /**
     * Its time.
     * Format: date-time
     * @example 2026-01-02T03:11:44.000Z
     */
    blockTime: string;
    /**
     * The network.
     * @example devnet
     */
    network: string;
};
/** The business clock, which decides expiry. */
export type SandboxClock = {
    /**
     * What the business clock shows.
     * Format: date-time
     * @example 2026-01-02T04:04:05.006Z
     */
    now: string;
    /**
     * How far it is ahead of the real clock, in milliseconds.
     * @example 3600000
     */
    offsetMs: number;
};
/** A customer of play, with their wallet. */
export type SandboxCustomer = {
    /** A customer who pays a plan, with everything that its merchant may know. */
    subscription: Subscription;
    /** A new test wallet with play money in it. */
    wallet: SandboxWallet;
};
/** What the sandbox is made of. */
export type SandboxInfo = {
    /** The test networks that could not start; everything else works without them. */
    missing: SandboxMissingNetwork[];
    /**
     * The well-known test phrase of the networks' rich accounts. Never use it with real money.
     * @example test test test test test test test test test test test junk
     */
    mnemonic: string;
    /** The test networks. */
    networks: SandboxNetwork[];
};
/** A test network that could not start. */
export type SandboxMissingNetwork = {
    /**
     * Why, and what helps.
     * @example bcoin is not installed: run npm ci.
     */
    message: string;
    /**
     * The name of the network.
     * @example regtest
     */
    network: string;
};
/** A test network and the contracts on it. */
export type SandboxNetwork = {
    /**
     * The chain id of an EVM network, null for others.
     * @example 31337
     */
    chainId: number | null;
    /**
     * The contract that collects recurring payments, null when there is none.
     * @example 0xc167dc5088afa9Eba0680d350bA934C28661c09f
     */
    collector: string | null;
    /**
     * How many confirmations payments wait for.
     * @example 2
     */
    confirmations: number;
    /**
     * The contract that deposit addresses derive from, null where they derive from a key.
     * @example 0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB
     */
    factory: string | null;
    /**
     * The name of the network.
     * @example devnet
     */
    network: string;
    /**
     * Where its node listens. Point a wallet at it. A Bitcoin node asks for user and password, which are in the data folder of the sandbox.
     * Format: uri
     * @example http://127.0.0.1:8545
     */
    rpcUrl: string;
    /** The tokens that can be paid with. */
    tokens: SandboxToken[];
    /**
     * The only address that deposits can be swept to, null where they stay in a wallet.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    treasury: string | null;
};
/**
 * The network to do it on, one of those that `GET /v1/sandbox` lists; `devnet` when you leave it out.
 * @example devnet
 */
export type SandboxNetworkName = string;
/** A payout that the sandbox made on its chain. */
export type SandboxPayout = {
    /**
     * How much was sent, a decimal string.
     * @example 249.000000
     */
    amount: string;
    /**
     * The number of the block with the transfer.
     * @example 1042
     */
    block: number;
    /**
     * The wallet that paid, the same for every payout.
     * @example 0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f
     */
    from: string;
    /**
     * The network that it happened on.
     * @example devnet
     */
    network: string;
    /**
     * The destination of the withdrawal.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    to: string;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
    /**
     * The hash of the transaction, with which the withdrawal is completed.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    txHash: string;
    /**
     * The withdrawal that it is for.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    withdrawalId: string;
};
/** A payout that the sandbox made on its chain. */
export type SandboxRefundPayout = {
    /**
     * How much was sent, a decimal string.
     * @example 249.000000
     */
    amount: string;
    /**
     * The number of the block with the transfer.
     * @example 1042
     */
    block: number;
    /**
     * The wallet that paid, the same for every payout.
     * @example 0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f
     */
    from: string;
    /**
     * The network that it happened on.
     * @example devnet
     */
    network: string;
    /**
     * The refund that it is for.
     * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
     */
    refundId: string;
    /**
     * The destination of the refund.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    to: string;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
    /**
     * The hash of the transaction, with which the refund is completed.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    txHash: string;
};
/** What became of a transfer that waited in the pool. */
export type SandboxReplacement = {
    /**
     * The number of the block with that transaction, 0 when there is none or it waits in the pool.
     * @example 0
     */
    block: number;
    /**
     * The network that it happened on.
     * @example regtest
     */
    network: string;
    /**
     * The payment that it paid.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * The transaction that is gone.
     * @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b
     */
    replacedTxHash: string;
    /**
     * The transaction in its place, null when there is none.
     * @example 0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098
     */
    txHash: string | null;
};
/** A test token. */
export type SandboxToken = {
    /**
     * Its contract, null for a native coin.
     * @example 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
     */
    contract: string | null;
    /**
     * How many decimals it has.
     * @example 6
     */
    decimals: number;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
};
/**
 * An amount of a test token, a decimal string with no more decimals than the token has.
 * @example 25.000000
 */
export type SandboxTokenAmount = string;
/** A transfer that the sandbox made on its chain. */
export type SandboxTransfer = {
    /**
     * How much was sent, a decimal string.
     * @example 25.000000
     */
    amount: string;
    /**
     * The number of the block with the transfer, 0 while it waits in the pool.
     * @example 1042
     */
    block: number;
    /**
     * The wallet that paid.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    from: string;
    /**
     * The network that it happened on.
     * @example devnet
     */
    network: string;
    /**
     * The payment that was paid.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /**
     * The address that was paid.
     * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
     */
    to: string;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
    /**
     * The hash of the transaction.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    txHash: string;
};
/** A new test wallet with play money in it. */
export type SandboxWallet = {
    /**
     * Its address.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    address: string;
    /** What it holds, the coin for fees included. */
    balances: SandboxWalletBalance[];
    /**
     * The network that it was funded on.
     * @example devnet
     */
    network: string;
    /**
     * Its private key, to import into any wallet. It is shown only here.
     * @example 0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d
     */
    privateKey: string;
};
/** What a test wallet holds of one token. */
export type SandboxWalletBalance = {
    /**
     * How much, a decimal string.
     * @example 10000.000000
     */
    amount: string;
    /**
     * The contract of the token, null for a native coin.
     * @example 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
     */
    contract: string | null;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
};
/** A wallet that the sandbox has made, as the chain knows it now. */
export type SandboxWalletState = {
    /**
     * Its address.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    address: string;
    /**
     * How much of the token the subscription contract may still take, whatever the mandates say.
     * @example 325.000000
     */
    allowance: string;
    /**
     * How much of the token it holds, a decimal string.
     * @example 10000.000000
     */
    balance: string;
    /**
     * The network that it is on.
     * @example devnet
     */
    network: string;
    /** The token that `balance` and `allowance` count. */
    token: Token;
};
/** An event in your feed. */
export type SealedEvent = {
    /**
     * The event as JSON text, the same bytes that a webhook carries. The hash is over exactly these, so parse it afterwards. Empty when the event is `pruned`.
     * @example {"id":"evt_01jggfnrx4f1zc8v5b2n7m0q3e","type":"payment.completed"}
     */
    body: string;
    /**
     * When it happened.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    createdAt: string;
    /**
     * The SHA-256 over its place, `previousHash` and `body`, 64 hexadecimal digits.
     * @example cff8a02f29078bf8c7ce81928b45fda5715741b98027944fb0b84f726dc6c87f
     */
    hash: string;
    /**
     * The id of the event, the same that a webhook carries. Remember it to handle an event once.
     * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
     */
    id: string;
    /**
     * Its place in your feed, counted from 1 without gaps.
     * @example 4
     */
    position: number;
    /**
     * The `hash` of the event before, 64 hexadecimal digits; zeros for the first.
     * @example fccfc0ba21c4ef19755deaf97b0f212b471d60f12a0c99ae23f5a316e2bf8150
     */
    previousHash: string;
    /**
     * True when the event is about a payment of a link that nobody paid and that was removed 30 days after it ended. Its `body` is gone, so its `hash` can't be computed any more; the chain goes on with it.
     * @example false
     */
    pruned: boolean;
    /**
     * The type of an event. New types may appear at any time; answer 2xx to those that you do not know.
     * @enum {string}
     */
    type: EventType;
};
/** A piece of the feed. */
export type SealedEventList = {
    /** The events, oldest first, each with the position after the one before. */
    data: SealedEvent[];
    /**
     * Whether there are more behind the last of them already.
     * @example false
     */
    hasMore: boolean;
};
/** The option that the payer chose, one of the payment's `options`. */
export type SelectPaymentOptionRequest = {
    /**
     * The network of the option.
     * @example devnet
     */
    network: string;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
};
/** What you have, in US dollars, rounded down to cents. */
export type SettlementBalance = {
    /**
     * What you can withdraw, which is confirmed payments less withdrawals that are open or completed. Never below 0.
     * @example 1250.5
     */
    availableBalance: number;
    /**
     * The currency of the balance.
     * @enum {string}
     */
    currency: "USD";
    /**
     * What your open withdrawals hold.
     * @example 250
     */
    heldBalance: number;
    /**
     * What you owe after a confirmed payment was undone by its chain; later payments repay it first. 0 almost always.
     * @example 0
     */
    owed: number;
    /**
     * Payments that are still confirming on the chain.
     * @example 25
     */
    pendingBalance: number;
    /**
     * What arrived for your payments and waits for its payment to be complete, or for your decision.
     * @example 12
     */
    suspense: number;
    /**
     * Everything that was ever confirmed, before fees, less what was reversed.
     * @example 1400.75
     */
    totalEarned: number;
};
/** Who asks, once more. */
export type SetUpTwoFactorRequest = {
    /**
     * Your password, so that nobody who finds a session open can lock you out of your account.
     * @example Str0ng-enough
     */
    password: string;
};
/** Instructions for a payment with the signature of its merchant's key. */
export type SignedInstructions = {
    /**
     * A short form of the instructions for people to compare: 80 bits of their hash in four groups of four. It changes with the address, the amount, the token, the network and the deadline, and not with `issuedAt`.
     * @example H3R8-JEXQ-AE5E-7C82
     */
    code: string;
    /** What is signed about how a payment is to be paid. */
    instructions: PaymentInstructions;
    /**
     * The instructions as a compact JWS (RFC 7515): `alg` is `EdDSA`, `typ` is `kasi-payment-instructions+jws`, and `kid` is `keyId`. Its payload is `instructions` as JSON.
     * @example eyJhbGciOiJFZERTQSIsInR5cCI6Imthc2ktcGF5bWVudC1pbnN0cnVjdGlvbnMrandzIn0.e30.c2lnbmF0dXJl
     */
    jws: string;
    /**
     * The key that signed, by its thumbprint (RFC 7638), as in the merchant's key set.
     * @example ouTabGTOmRDWFXkxQzGlQPjm5Zc3gbr9gRdX5q7gk9o
     */
    keyId: string;
    /**
     * The merchant's key set (JWKS). Keep your own copy of the keys to verify without trusting the network.
     * Format: uri
     * @example http://localhost:3000/v1/public/merchants/mer_01jggf3t6he2nb5w8c4y7z9m1k/webhook-keys
     */
    keysUrl: string;
    /**
     * The page on which people compare address and code on another device.
     * Format: uri
     * @example http://localhost:3000/checkout/verify/pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    verifyUrl: string;
};
/** The allowance that the wallet has signed, where `permit` asked for one. */
export type SignedPermit = {
    /**
     * The `nonce` that `permit` had.
     * @example 0
     */
    nonce: string;
    /**
     * What `eth_signTypedData_v4` gave for its `typedData`.
     * @example 0x2f1c9d3e8b7a6f5e4d3c2b1a0918273645546372819a0b1c2d3e4f5061728394051627384950a1b2c3d4e5f60718293a4b5c6d7e8f90011223344556677889901c
     */
    signature: string;
};
/** A transfer that the payer's wallet signs and we bring to the chain, so that the payer needs none of the network's coin. */
export type SignedTransfer = {
    /**
     * How much of the token it moves, all that the payment still asks for.
     * @example 15.000000
     */
    amount: string;
    /**
     * By which contract a signed transfer is made.
     *
     * - `erc3009`: by the token's own. One signature is enough.
     * - `permit2`: by [Permit2](https://github.com/Uniswap/permit2), which moves any token whose holder has approved it. A wallet that has not
     *   signs an allowance besides, where the token takes one (ERC-2612); otherwise it has to approve by a transaction first.
     * @example erc3009
     * @enum {string}
     */
    method: SignMethod;
    /**
     * The network of the transfer.
     * @example devnet
     */
    network: string;
    /**
     * The wallet that signs.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    payer: string;
    /**
     * The payment that it pays.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string;
    /** What the wallet signs besides; null where the one signature is enough. */
    permit: PermitToSign | null;
    /** Why it was `refused`; null otherwise. */
    reason: RelayReason | null;
    /**
     * Where the money goes, the payment's own address. The signature is good for no other.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    recipient: string;
    /**
     * The state of a signed transfer.
     *
     * ```
     * to_approve ─▶ to_sign ──▶ signed ──▶ sent ──▶ done
     *                  ▲          │          └─────▶ reverted
     *                  └── refused ◀┘
     * ```
     *
     * - `to_approve`: the token takes no signed allowances, and the wallet has not let Permit2 move it yet. It has to approve Permit2 by a
     *   transaction of its own first, which costs a fee once; the contract is `typedData.domain.verifyingContract`.
     * - `to_sign`: the wallet has signed nothing yet.
     * - `signed`: the signature is stored and will be brought to the chain.
     * - `sent`: our transaction is on its way.
     * - `done`: our transaction is confirmed.
     * - `reverted`: the chain refused our transaction. Nothing more is sent for this payment; the payer pays by a transfer.
     * - `refused`: it was not sent, and `reason` says why. The wallet can sign again.
     * @example to_sign
     * @enum {string}
     */
    status: RelayStatus;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
    /**
     * Our transaction that carries it; null while there is none.
     * @example null
     */
    transactionHash: string | null;
    /** What the wallet signs by `eth_signTypedData_v4`: EIP-712 data of the type `TransferWithAuthorization` (ERC-3009), or of `PermitWitnessTransferFrom` (Permit2), whose witness names the recipient. */
    typedData: {
        [key: string]: unknown;
    };
    /**
     * Until then the signature is good, the payment's deadline.
     * Format: date-time
     * @example 2026-01-02T04:04:05.000Z
     */
    validBefore: string;
};
/**
 * By which contract a signed transfer is made.
 *
 * - `erc3009`: by the token's own. One signature is enough.
 * - `permit2`: by [Permit2](https://github.com/Uniswap/permit2), which moves any token whose holder has approved it. A wallet that has not
 *   signs an allowance besides, where the token takes one (ERC-2612); otherwise it has to approve by a transaction first.
 * @example erc3009
 * @enum {string}
 */
export type SignMethod = "erc3009" | "permit2";
/** What the payer tells. Everything is optional, but what the link's `customFields` require. */
export type StartPaymentLinkPaymentRequest = {
    /**
     * What the payer chose to pay, in USD, on a link with `payerAmount`. Without it they pay the link's `amount`.
     * @example 25
     */
    amount?: number;
    /**
     * Where the merchant can reach the payer.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail?: string | null;
    /**
     * The payer's answers, by the `key` of the field: a string for a `text` or a `choice`, a whole number for a `number`. Leave out what is not answered.
     * @example {
     *       "size": "Medium",
     *       "seats": 2
     *     }
     */
    customFields?: CustomFieldAnswers;
};
/** A month of your ledger with its movements. */
export type Statement = {
    /** What each account held when the month ended; of the current month, what it holds now. */
    closing: AccountAmounts;
    /**
     * The currency of the ledger.
     * @enum {string}
     */
    currency: "USD";
    /**
     * Whether the month is over and nothing of it changes any more, which is so an hour after its end.
     * @example true
     */
    final: boolean;
    /**
     * The id of the statement, which is its month.
     * @example 2026-01
     */
    id: string;
    /**
     * The month, by UTC.
     * @example 2026-01
     */
    month: string;
    /** The movements, oldest first, one page of them. */
    movements: StatementMovement[];
    /** What each account held when the month began, which is the closing of the month before. */
    opening: AccountAmounts;
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
    /** What changed in the month, by cause. `opening.total` and all of these add up to `closing.total`. US dollars, decimal strings with 6 decimals, negative where they took something from you. */
    totals: StatementTotals;
};
/** A page of months. */
export type StatementList = {
    /** The months, newest first. */
    data: StatementSummary[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/** One booking, with what it did to each of your accounts. */
export type StatementMovement = {
    /** An amount for each account of your ledger, and their sum. US dollars, decimal strings with 6 decimals. */
    amounts: AccountAmounts;
    /**
     * When it was booked.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    createdAt: string;
    /**
     * The platform's fee; negative when it was given back. `value` less `fee` is `amounts.total`.
     * @example 0.250000
     */
    fee: string;
    /**
     * The id of the booking, the `journalId` of its ledger entries.
     * @example je_01jggfpx2ce3wr6t9y1k4h7d0s
     */
    id: string;
    /**
     * What was booked, for example `payment.moved`. New kinds may appear at any time.
     * @example payment.moved
     */
    kind: string;
    /**
     * The payment that it is about, if any.
     * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
     */
    paymentId: string | null;
    /**
     * The refund that it is about, if any.
     * @example null
     */
    refundId: string | null;
    /** The transfer that came or left; null when money only moved between your accounts. */
    transfer: StatementTransfer | null;
    /**
     * What came from outside (positive) or left (negative), before the fee. 0 when money only moved between your accounts.
     * @example 25.000000
     */
    value: string;
    /**
     * The withdrawal that it is about, if any.
     * @example null
     */
    withdrawalId: string | null;
};
/** What a coin counted as when it was credited. */
export type StatementPrice = {
    /**
     * When it was valid.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    quotedAt: string;
    /**
     * Where the price came from.
     * @example fixed
     */
    source: string;
    /**
     * US dollars for one coin, a decimal string with 8 decimals.
     * @example 3012.55000000
     */
    value: string;
};
/** A month of your ledger. */
export type StatementSummary = {
    /** What each account held when the month ended; of the current month, what it holds now. */
    closing: AccountAmounts;
    /**
     * The currency of the ledger.
     * @enum {string}
     */
    currency: "USD";
    /**
     * Whether the month is over and nothing of it changes any more, which is so an hour after its end.
     * @example true
     */
    final: boolean;
    /**
     * The id of the statement, which is its month.
     * @example 2026-01
     */
    id: string;
    /**
     * The month, by UTC.
     * @example 2026-01
     */
    month: string;
    /** What each account held when the month began, which is the closing of the month before. */
    opening: AccountAmounts;
    /** What changed in the month, by cause. `opening.total` and all of these add up to `closing.total`. US dollars, decimal strings with 6 decimals, negative where they took something from you. */
    totals: StatementTotals;
};
/** What changed in the month, by cause. `opening.total` and all of these add up to `closing.total`. US dollars, decimal strings with 6 decimals, negative where they took something from you. */
export type StatementTotals = {
    /**
     * The fees of payments, less those that a reversal gave back.
     * @example -14.007500
     */
    fees: string;
    /**
     * Causes that none of these names; 0 today.
     * @example 0.000000
     */
    other: string;
    /**
     * The fees of withdrawals.
     * @example -1.000000
     */
    payoutFees: string;
    /**
     * What withdrawals paid out.
     * @example -249.000000
     */
    payouts: string;
    /**
     * What arrived for payments, before fees.
     * @example 1400.750000
     */
    received: string;
    /**
     * What was paid back to payers.
     * @example -10.000000
     */
    refunds: string;
    /**
     * What chains took back.
     * @example 0.000000
     */
    reversals: string;
};
/** The transfer that moved the money. */
export type StatementTransfer = {
    /**
     * How much of the token, a decimal string.
     * @example 25.000000
     */
    amount: string;
    /**
     * What it was credited as in the payment's currency, rounded down; null for withdrawals.
     * @example 25
     */
    fiatAmount: number | null;
    /** The payment's currency; null for withdrawals. */
    fiatCurrency: Currency | null;
    /**
     * The hash of its transaction; null when a payout was taken back and its hash is not kept. It starts with `internal:` where a contract sent coins in a transaction that is not known. Of a withdrawal to a bank, what its operator noted.
     * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
     */
    hash: string | null;
    /**
     * The network of the transfer.
     * @example devnet
     */
    network: string;
    /** What a coin counted as; null for tokens that are worth a dollar, for what is paid out, and for a booking that was taken back since and made anew by another price, since only that one is kept. */
    price: StatementPrice | null;
    /** The rate between that currency and dollars, locked when the payment was made; null for withdrawals. */
    rate: PaymentRate | null;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
};
/** A signed transfer. */
export type SubmitAuthorizationRequest = {
    /**
     * By which contract a signed transfer is made.
     *
     * - `erc3009`: by the token's own. One signature is enough.
     * - `permit2`: by [Permit2](https://github.com/Uniswap/permit2), which moves any token whose holder has approved it. A wallet that has not
     *   signs an allowance besides, where the token takes one (ERC-2612); otherwise it has to approve by a transaction first.
     * @example erc3009
     * @enum {string}
     */
    method?: SignMethod;
    /**
     * The network of the transfer, that of one of the payment's `options`.
     * @example devnet
     */
    network: string;
    /**
     * The wallet that has signed.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    payer: string;
    /** The allowance that the wallet has signed, where `permit` asked for one. */
    permit?: SignedPermit;
    /**
     * What `eth_signTypedData_v4` gave for `typedData`, 65 bytes in hexadecimal digits. Wallets that are contracts pay by a transfer.
     * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
     */
    signature: string;
    /**
     * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
     * @enum {string}
     */
    token: Token;
};
/** The customer's signature. */
export type SubmitMandateRequest = {
    /**
     * What `eth_signTypedData_v4` gave for `typedData`, 0x and hexadecimal digits: of a key 65 bytes, of a contract wallet (ERC-1271) up to 8,192.
     * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
     */
    signature: string;
};
/** Who subscribes, and the proof of their wallet. */
export type SubscribeByWalletRequest = {
    /**
     * The id of the challenge whose text was signed.
     * @example wch_01jggm9h3k5n7q9s1v3x5z7b9d
     */
    challengeId: string;
    /**
     * Where the merchant can reach the customer.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail: string;
    /**
     * The name of the customer.
     * @example Nimal Perera
     */
    customerName: string;
    /**
     * The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that are contracts sign by ERC-1271.
     * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
     */
    signature: string;
};
/**
 * Who made the subscription.
 *
 * - `merchant`: you did, by the API.
 * - `customer`: the customer did, on the page of the plan. Name and e-mail are what they typed there, so do not take them
 *   for an account of yours without a check of your own.
 * @example merchant
 * @enum {string}
 */
export type SubscribedBy = "merchant" | "customer";
/** Who subscribes. Everything is optional. */
export type SubscribeSandboxCustomerRequest = {
    /**
     * How much their wallet gets of each test token.
     * @default 10000
     */
    amount?: SandboxTokenAmount;
    /**
     * Whether the wallet agrees at once. With false you can agree on the page, or by the sandbox, later.
     * @default true
     * @example true
     */
    authorize?: boolean;
    /**
     * The customer's email address.
     * Format: email
     * @default customer@example.com
     * @example nimal@example.org
     */
    customerEmail?: string;
    /**
     * The name of the customer.
     * @default Test Customer
     * @example Nimal Perera
     */
    customerName?: string;
};
/** Who subscribes. */
export type SubscribeToPlanRequest = {
    /**
     * Where you can reach the customer.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail: string;
    /**
     * The name of the customer.
     * @example Nimal Perera
     */
    customerName: string;
    /**
     * The wallet that pays: 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case is mixed. It has to belong to the customer, who agrees with it.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    walletAddress: string;
};
/** A customer who pays a plan, with everything that its merchant may know. */
export type Subscription = {
    /**
     * What is charged in every interval, in `currency`.
     * @example 25
     */
    amount: number;
    /**
     * The page on which the customer agrees, or agrees again.
     * Format: uri
     * @example http://localhost:3000/checkout/subscription/sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    authorizeUrl: string;
    /**
     * When it was cancelled, null when it was not.
     * Format: date-time
     * @example null
     */
    cancelledAt: string | null;
    /**
     * Why a subscription was cancelled, null when it was not.
     *
     * - `requested`: you cancelled it.
     * - `customer_requested`: the customer cancelled it, by a signature of the wallet.
     * - `not_authorized`: the customer did not agree in time.
     * - `payment_failed`: the last try of a charge failed.
     * - `merchant_terminated`: the merchant's account was closed.
     * @example null
     * @enum {string|null}
     */
    cancelReason: SubscriptionCancelReason;
    /**
     * When the customer was subscribed.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency: Currency;
    /**
     * When the present period ends.
     * Format: date-time
     * @example 2026-02-16T03:04:05.006Z
     */
    currentPeriodEnd: string;
    /**
     * When the present period began.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    currentPeriodStart: string;
    /**
     * Where the customer can be reached.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail: string;
    /**
     * The name of the customer.
     * @example Nimal Perera
     */
    customerName: string;
    /**
     * Until when a due charge has to wait, because the mandate allows no more before. null when it does not wait.
     * Format: date-time
     * @example null
     */
    earliestChargeAt: string | null;
    /** Why the last try to charge failed, null when it did not. */
    failureCode: ChargeFailureCode;
    /**
     * The id of the subscription.
     * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    id: string;
    /**
     * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
     * and then on 31 March.
     * @example monthly
     * @enum {string}
     */
    interval: SubscriptionInterval;
    /**
     * The newest charge, null before the first.
     * @example chg_01jggmbw4y6a8c0e2g5j7m9q1s
     */
    latestChargeId: string | null;
    /**
     * What the chain knows of the customer's mandate, without which nothing can be charged.
     *
     * - `pending`: the customer has not agreed yet. Send them to `authorizeUrl`.
     * - `active`: it stands.
     * - `revoked`: the customer has withdrawn it.
     * - `expired`: the time for which it was given is over.
     * @enum {string}
     */
    mandateStatus: MandateStatus;
    /**
     * The network that it is charged on.
     * @example devnet
     */
    network: string;
    /**
     * When the wallet is charged next, for a new period or again for one that failed. null when nothing more will be charged, while a first charge waits for the customer to agree, and while the merchant may not collect or the network or token is no longer listed.
     * Format: date-time
     * @example 2026-02-16T03:04:05.006Z
     */
    nextChargeAt: string | null;
    /**
     * When a charge that failed is tried again, null when none waits. A refilled wallet is tried at once.
     * Format: date-time
     * @example null
     */
    nextRetryAt: string | null;
    /**
     * The plan.
     * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
     */
    planId: string;
    /**
     * The name of the plan.
     * @example Tea club
     */
    planName: string;
    /**
     * The state of a subscription.
     *
     * - `trialing`: nothing is charged until `trialEnd`.
     * - `active`: the present period is paid, or the first charge waits for the customer to agree.
     * - `past_due`: a charge failed and is tried again.
     * - `cancelled`: nothing more is charged; what was paid holds until `currentPeriodEnd`.
     * - `expired`: cancelled, and the last period is over.
     * @enum {string}
     */
    status: SubscriptionStatus;
    /**
     * Who made the subscription.
     *
     * - `merchant`: you did, by the API.
     * - `customer`: the customer did, on the page of the plan. Name and e-mail are what they typed there, so do not take them
     *   for an account of yours without a check of your own.
     * @example merchant
     * @enum {string}
     */
    subscribedBy: SubscribedBy;
    /**
     * A stablecoin that plans are charged in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    token: SubscriptionToken;
    /**
     * When the trial ends or ended, null without one.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    trialEnd: string | null;
    /**
     * The wallet that pays, with its checksum.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    walletAddress: string;
};
/** The first charge of a subscription is paid. */
export type SubscriptionActivatedEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.activated";
};
/** What cancelling came to. */
export type SubscriptionCancellation = {
    /**
     * When it was cancelled.
     * Format: date-time
     * @example 2026-01-20T08:00:00.000Z
     */
    cancelledAt: string;
    /**
     * When the present period ends. Access stays until then, unless that period is not paid, as where the chain took its charge back; `message` says so.
     * Format: date-time
     * @example 2026-02-16T03:04:05.006Z
     */
    currentPeriodEnd: string;
    /**
     * The id of the subscription.
     * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    id: string;
    /**
     * What that means, in words for people.
     * @example The subscription is cancelled. Access stays until 2026-02-16T03:04:05.006Z, and nothing more is charged.
     */
    message: string;
    /**
     * It is cancelled now.
     * @enum {string}
     */
    status: "cancelled";
};
/** A subscription was cancelled; `cancelReason` says why. Nothing more is charged. */
export type SubscriptionCancelledEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.cancelled";
};
/**
 * Why a subscription was cancelled, null when it was not.
 *
 * - `requested`: you cancelled it.
 * - `customer_requested`: the customer cancelled it, by a signature of the wallet.
 * - `not_authorized`: the customer did not agree in time.
 * - `payment_failed`: the last try of a charge failed.
 * - `merchant_terminated`: the merchant's account was closed.
 * @example null
 * @enum {string|null}
 */
export type SubscriptionCancelReason = "requested" | "customer_requested" | "not_authorized" | "payment_failed" | "merchant_terminated" | null;
/** A charge failed; `failureCode` says why and `nextRetryAt` when it is tried again. */
export type SubscriptionChargeFailedEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.charge_failed";
};
/** A charge that a reorganised chain had taken back has succeeded again. */
export type SubscriptionChargeRecoveredEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.charge_recovered";
};
/** A reorganised chain took back a charge that had succeeded. It is collected again by itself. */
export type SubscriptionChargeReversedEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.charge_reversed";
};
/** A customer was subscribed to a plan, and has to agree. */
export type SubscriptionCreatedEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.created";
};
/** The last period of a cancelled subscription is over. */
export type SubscriptionExpiredEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.expired";
};
/**
 * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
 * and then on 31 March.
 * @example monthly
 * @enum {string}
 */
export type SubscriptionInterval = "daily" | "weekly" | "monthly" | "yearly";
/** A page of subscriptions. */
export type SubscriptionList = {
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
    /** The subscriptions, newest first. */
    subscriptions: SubscriptionSummary[];
};
/** A subscription became `past_due`, because a charge failed. */
export type SubscriptionPastDueEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.past_due";
};
/** Charging paused, because the network or token of the subscription is no longer listed. It goes on by itself when it is listed again. */
export type SubscriptionPausedEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.paused";
};
/** The charge of a further period is paid. */
export type SubscriptionRenewedEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.renewed";
};
/**
 * The state of a subscription.
 *
 * - `trialing`: nothing is charged until `trialEnd`.
 * - `active`: the present period is paid, or the first charge waits for the customer to agree.
 * - `past_due`: a charge failed and is tried again.
 * - `cancelled`: nothing more is charged; what was paid holds until `currentPeriodEnd`.
 * - `expired`: cancelled, and the last period is over.
 * @enum {string}
 */
export type SubscriptionStatus = "active" | "trialing" | "past_due" | "cancelled" | "expired";
/** A subscription as lists show it. */
export type SubscriptionSummary = {
    /**
     * When the customer was subscribed.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * When the present period ends.
     * Format: date-time
     * @example 2026-02-16T03:04:05.006Z
     */
    currentPeriodEnd: string;
    /**
     * When the present period began.
     * Format: date-time
     * @example 2026-01-16T03:04:05.006Z
     */
    currentPeriodStart: string;
    /**
     * Where the customer can be reached.
     * Format: email
     * @example nimal@example.org
     */
    customerEmail: string;
    /**
     * The name of the customer.
     * @example Nimal Perera
     */
    customerName: string;
    /**
     * The id of the subscription.
     * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
     */
    id: string;
    /**
     * What the chain knows of the customer's mandate, without which nothing can be charged.
     *
     * - `pending`: the customer has not agreed yet. Send them to `authorizeUrl`.
     * - `active`: it stands.
     * - `revoked`: the customer has withdrawn it.
     * - `expired`: the time for which it was given is over.
     * @enum {string}
     */
    mandateStatus: MandateStatus;
    /**
     * The plan.
     * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
     */
    planId: string;
    /**
     * The name of the plan.
     * @example Tea club
     */
    planName: string;
    /**
     * The state of a subscription.
     *
     * - `trialing`: nothing is charged until `trialEnd`.
     * - `active`: the present period is paid, or the first charge waits for the customer to agree.
     * - `past_due`: a charge failed and is tried again.
     * - `cancelled`: nothing more is charged; what was paid holds until `currentPeriodEnd`.
     * - `expired`: cancelled, and the last period is over.
     * @enum {string}
     */
    status: SubscriptionStatus;
    /**
     * Who made the subscription.
     *
     * - `merchant`: you did, by the API.
     * - `customer`: the customer did, on the page of the plan. Name and e-mail are what they typed there, so do not take them
     *   for an account of yours without a check of your own.
     * @example merchant
     * @enum {string}
     */
    subscribedBy: SubscribedBy;
};
/**
 * A stablecoin that plans are charged in. Each counts as one US dollar.
 * @example USDT
 * @enum {string}
 */
export type SubscriptionToken = "USDT" | "USDC";
/** A trial ends in three days; then the first charge is due. */
export type SubscriptionTrialWillEndEvent = EventEnvelope & {
    /** The subscription as it was when the event happened. */
    data: Subscription;
    /**
     * The type of the event.
     * @constant
     */
    type: "subscription.trial_will_end";
};
/** The way to money that was offered back. */
export type TakenRefundOffer = {
    /**
     * Where the payer says where it goes. Whoever has it does. It is shown only now; taking the offer again makes a new one.
     * Format: uri
     * @example http://localhost:3000/checkout/refund/4nK0w2dYt7Qx1sVb9ZpLr6JmHc3GfEaU8oTiXyW5qDk
     */
    claimUrl: string;
};
/** Why the account is closed. */
export type TerminateMerchantRequest = {
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * Why. It stays with the merchant and in the audit log.
     * @example Sold what it never had.
     */
    reason: string;
};
/**
 * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
 * @enum {string}
 */
export type Token = "USDT" | "USDC" | "ETH" | "BTC";
/** What the customer should let the collector take of the token, by its `approve`. */
export type TokenAllowance = {
    /**
     * In base units of the token, enough for a year. Other subscriptions of the same wallet need theirs besides.
     * @example 325000000
     */
    recommended: string;
};
/** What a transfer of ETH or BTC counts, by the quote that was in force when it was first seen. */
export type TransferWorth = {
    /**
     * Its worth in US dollars, a decimal string with 6 decimals, rounded down.
     * @example 100.000000
     */
    amount: string;
    /**
     * When the rate was valid on the market.
     * Format: date-time
     * @example 2026-01-02T03:04:01.000Z
     */
    quotedAt: string;
    /**
     * How many US dollars one coin counted, a decimal string.
     * @example 59999.88000023
     */
    rate: string;
    /**
     * Where the rate came from.
     * @example median of a, b, c
     */
    source: string;
};
/** The way back in when the authenticator app is lost. */
export type TwoFactorRecoveryCodes = {
    /**
     * Ten codes that work once each wherever a code of the app does. They are in this answer and nowhere else, ever: write them down.
     * @example [
     *       "4k7t-9pzw-2mdx-e6hv",
     *       "0w3n-h8rc-xv5b-71qe",
     *       "9d2f-t6ym-kj4s-az0p"
     *     ]
     */
    recoveryCodes: string[];
};
/** What an authenticator app needs. It is shown once; the second factor is off until a first code comes back. */
export type TwoFactorSetup = {
    /**
     * Until when the first code has to come, 15 minutes from now. After that, set it up again.
     * Format: date-time
     * @example 2026-01-02T03:19:05.006Z
     */
    expiresAt: string;
    /**
     * The same with issuer and account, to be shown as a QR code that the app scans.
     * @example otpauth://totp/Kasi:owner%40teahouse.example?issuer=Kasi&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30
     */
    otpauthUri: string;
    /**
     * The secret in base32, to be typed into the app. Keep it like a password.
     * @example GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
     */
    secret: string;
};
/** For which contract on which chain the signature counts. */
export type TypedDataDomain = {
    /**
     * The id of the chain.
     * @example 31337
     */
    chainId: number;
    /**
     * What wallets show of it.
     * @example Kasi Subscriptions
     */
    name: string;
    /**
     * The address of the collector.
     * @example 0xe7f1725e7734ce288f8367e1bb143e90bb3f0512
     */
    verifyingContract: string;
    /**
     * The version of the contract.
     * @example 1
     */
    version: string;
};
/** One field of a type. */
export type TypedDataField = {
    /**
     * Its name.
     * @example payer
     */
    name: string;
    /**
     * Its type in Solidity.
     * @example address
     */
    type: string;
};
/** Why the merchant may go on. */
export type UnfreezeMerchantRequest = {
    /**
     * Why, for the audit log.
     * @example All disputes are settled.
     */
    reason?: string;
};
/** What to change of an administrator; everything else stays as it is. */
export type UpdateAdminUserRequest = {
    /**
     * The e-mail address to log in with, unique among administrators whatever its case.
     * Format: email
     * @example nimali@kasi.example
     */
    email?: string;
    /**
     * The name that colleagues know.
     * @example Nimali Fernando
     */
    name?: string;
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and the new role, or the one of an account whose role, password or e-mail address you change, moves money or rights; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
     * @example Str0ng-enough
     */
    password?: string;
    /**
     * The id of the role, from `GET /v1/admin/roles`.
     * @example role_00000000000000000000000002
     */
    roleId?: string;
};
/** What to change. Everything that you leave out stays as it is. */
export type UpdateMerchantRequest = {
    /**
     * Your colour on the pages of payers, six hexadecimal digits. Where it could not be read, pages darken or lighten it. Null removes it.
     * @example #8a1f4b
     */
    brandColor?: string | null;
    /**
     * The legal name of the business.
     * @example Ceylon Tea House
     */
    businessName?: string;
    /**
     * The legal form of the business.
     * @enum {string}
     */
    businessType?: BusinessType;
    /**
     * The websites whose pages may show the checkout in a frame, at most 10 origins such as `https://teahouse.example`: scheme, host and, if it is not 443, the port, without a path and without wildcards. In the sandbox also `http://localhost` and `http://127.0.0.1` with any port. They are stored in the form in which browsers write them, sorted and without repetitions. Empty: none may.
     * @example [
     *       "https://teahouse.example"
     *     ]
     */
    embedOrigins?: string[];
    /**
     * Your logo on the pages of payers: a PNG, JPEG or WebP image of at most 4,096 pixels a side and 45 kB, in base64. It is drawn anew, at most 256 pixels a side and without what else the file holds. Null removes it.
     * @example iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
     */
    logo?: string | null;
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and `walletAddress` changes, `refundOffers` names another exception, or `refundOfferMinimum` falls; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * How much less than the asked amount counts as paid, in basis points, 0 to 500. Null means the platform's default.
     * @example 50
     */
    paymentToleranceBps?: number | null;
    /**
     * The phone number in international form, starting with `+` and the country code. Stored in E.164 form.
     * @example +94771234567
     */
    phone?: string;
    /**
     * The least worth in US dollars that is offered so; less waits for your decision.
     * @example 1
     */
    refundOfferMinimum?: number;
    /**
     * For which exceptions the page of a payment that is over offers its payer the money back that waits for your decision. Whoever has the address of that page may then take it. Empty: only you give money back.
     * @example [
     *       "overpaid",
     *       "late"
     *     ]
     */
    refundOffers?: RefundOfferException[];
    /**
     * Whether payers get a receipt by e-mail when a payment with a `customerEmail` is paid or money of it was given back. Yes unless you say no; it needs a platform that sends mails.
     * @example true
     */
    sendReceipts?: boolean;
    /**
     * Where payers write to when they need help. Payers see it. Null removes it.
     * Format: email
     * @example help@teahouse.example
     */
    supportEmail?: string | null;
    /**
     * A page that helps payers, an https URL without user name or password. Payers see it. `""` or null removes it.
     * @example https://teahouse.example/help
     */
    supportUrl?: string | null;
    /**
     * A valid address of an enabled network: for EVM networks 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case is mixed; for Bitcoin bech32, bech32m or base58check, of the Bitcoin network that is enabled. Withdrawals are paid in dollar tokens: with a Bitcoin address here, each has to name its own `destinationAddress`. `""` or null removes it.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    walletAddress?: string | null;
    /**
     * Where webhook events are sent: an https URL on a public host without user name or password (in the sandbox also http and loopback addresses). `""` or null removes it.
     * @example https://teahouse.example/hooks/kasi
     */
    webhookUrl?: string | null;
    /**
     * Your website, an https URL without user name or password. Payers see it. `""` or null removes it.
     * @example https://teahouse.example
     */
    website?: string | null;
};
/** What to change. Everything that you leave out stays as it is. */
export type UpdatePaymentLinkRequest = {
    /** What every payer is asked from now on, in the place of what they were asked; `[]` for nothing. The lines, fields and `thankYou` of a link have at most 8 KiB of JSON together, where four bytes count for every character that a payer may write. */
    customFields?: CustomFieldInput[];
    /**
     * More about it. `""` or null removes it.
     * @example Three hours, tea and cake included.
     */
    description?: string | null;
    /**
     * When the link stops taking payments, a date-time in the future with its offset. `""` or null means never.
     * @example 2035-06-30T18:00:00Z
     */
    expiresAt?: string | null;
    /**
     * How many payments the link takes, open ones included, 1 to 1,000,000; null for as many as people make. Payments that were started stay, also when there are more.
     * @example 12
     */
    maxPayments?: number | null;
    /**
     * `disabled` switches the link off, `active` switches it on again. A link becomes `expired` only by its `expiresAt`.
     * @enum {string}
     */
    status?: "active" | "disabled";
    /**
     * What a payer reads once they have paid, for payments that are started from now on. `""` or null removes it.
     * @example See you on Saturday at 3 pm.
     *     Bring an apron.
     */
    thankYou?: string | null;
    /**
     * Where a button on that page leads, an https URL without user name or password. `""` or null removes it.
     * @example https://shop.example/workshop
     */
    thankYouUrl?: string | null;
    /**
     * What is sold, the headline of the page.
     * @example Spring tea workshop
     */
    title?: string;
};
/** What to change. Everything that you leave out stays as it is. `name`, `description`, `trialDays` and `active` can always change, the rest only while nobody subscribes. */
export type UpdatePlanRequest = {
    /**
     * Whether the plan takes new subscribers. Those that it has go on either way.
     * @example false
     */
    active?: boolean;
    /**
     * What is charged in every interval, more than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals.
     * @example 25
     */
    amount?: number;
    /**
     * The fiat currency of an amount.
     * @enum {string}
     */
    currency?: Currency;
    /**
     * More about it. `""` or null removes it.
     * @example A parcel of fresh tea every month.
     */
    description?: string | null;
    /**
     * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
     * and then on 31 March.
     * @example monthly
     * @enum {string}
     */
    interval?: SubscriptionInterval;
    /**
     * What is sold.
     * @example Tea club
     */
    name?: string;
    /**
     * The network that customers pay on.
     * @example devnet
     */
    network?: string;
    /**
     * A stablecoin that plans are charged in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    token?: SubscriptionToken;
    /**
     * How many days a new subscriber pays nothing, 0 to 730. A trial that has begun keeps its end.
     * @example 14
     */
    trialDays?: number;
};
/** What to change of a role; everything else stays as it is. */
export type UpdateRoleRequest = {
    /**
     * What the role is for.
     * @example Reviews withdrawals and sends the money.
     */
    description?: string;
    /**
     * A unique name of 1 to 120 characters, lower-case letters and digits in words joined by underscores.
     * @example payout_clerk
     */
    name?: string;
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and permissions are added or removed that move money or rights; ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * Everything that the role allows, each of it held by your own role. Replaces the whole list.
     * @example [
     *       "merchants.view",
     *       "withdrawals.view",
     *       "withdrawals.manage"
     *     ]
     */
    permissions?: Permission[];
};
/** What to change. Everything is optional. */
export type UpdateSandboxWalletRequest = {
    /** How much of it the subscription contract may take from the wallet in all. With 0 it may take nothing. */
    allowance?: SandboxTokenAmount;
    /** How much of it the wallet is to hold. The rest is sent away, what is missing is made. */
    balance?: SandboxTokenAmount;
    /** Of which token. USDT when you leave it out. */
    token?: Token;
};
/** The settings to change; those that are left out stay as they are. */
export type UpdateSettingsRequest = {
    /** Whether merchants may collect before they are approved. One that was rejected waits for its approval in any case. */
    allowPendingMerchantsToCollect?: boolean;
    /**
     * Only null. The audit log is kept for ever, because a chain without its beginning would prove nothing.
     * @example null
     */
    auditRetentionDays?: null;
    /**
     * How long a change that touches where money goes is announced before it takes effect, its own change included. With 0, what needs no approval takes effect at once.
     * @example 24
     */
    changeDelayHours?: number;
    /** How deep a block must lie to be counted on, by network, where that is deeper than its configuration says. A network that waits for finality takes no number. Replaces the whole list; a network that is not named goes by the configuration. */
    confirmations?: {
        [key: string]: number;
    };
    /**
     * From this amount on, the administrator who approved a withdrawal must not complete it, and the one who began to pay a refund must not complete it, nor fail it or a withdrawal while it is `processing`. Null asks that of none.
     * @example 1000.00
     */
    fourEyesThreshold?: string | null;
    /**
     * How long after its deadline a payment is still taken, as late.
     * @example 24
     */
    lateWindowHours?: number;
    /**
     * How long a subscription without a trial waits for the customer to agree, before it is cancelled.
     * @example 72
     */
    mandateDeadlineHours?: number;
    /** Units of a currency in one US dollar, by pair (`USD/LKR`, from 1 to 100000), and US dollars in one coin of a chain (`ETH/USD`). They win over every source. Replaces the whole list. */
    manualRates?: {
        [key: string]: string;
    };
    /**
     * Where the crypto of bank withdrawals is sent. Null when that happens elsewhere. Addresses of the platform itself are refused, those of payments too.
     * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    offRampAddress?: string | null;
    /**
     * A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and anything but `webhookRetentionDays` and `auditRetentionDays` changes, ignored otherwise.
     * @example 492039
     */
    otp?: string;
    /**
     * How long a payment waits for the payer unless it says otherwise.
     * @example 60
     */
    paymentExpiryMinutes?: number;
    /**
     * The platform's fee on payments, in hundredths of a percent.
     * @example 50
     */
    paymentFeeBps?: number;
    /**
     * By how much less than asked a payment may bring and still be paid, in hundredths of a percent. Merchants may set their own.
     * @example 50
     */
    paymentToleranceBps?: number;
    /**
     * The most that the tolerance comes to, in US dollars.
     * @example 0.50
     */
    paymentToleranceMax?: string;
    /** Addresses that payouts must come from. With none, any transfer to the destination that fits and is no older than the approval counts as the payout, whoever sent it: on a live platform, name yours. Replaces the whole list. */
    payoutWallets?: string[];
    /**
     * By how much less than on the market ETH and BTC count when a payment is quoted in them, in hundredths of a percent. It covers what a price moves while a quote holds.
     * @example 50
     */
    rateSpreadBps?: number;
    /**
     * The most that a merchant can give back within 24 hours to others than the wallet that paid, in US dollars. What payers take from the page of their payment does not count. With 0, refunds go only where the merchant names the wallet that paid.
     * @example 50000.00
     */
    refundDailyMax?: string;
    /**
     * How many signed transfers we send for one merchant within 24 hours. Of one wallet we take 10.
     * @example 200
     */
    relayDailyMax?: number;
    /**
     * From this worth on, in US dollars, we bring transfers that payers have signed to the chain and pay for that. Null turns it off.
     * @example 5.00
     */
    relayMinAmount?: string | null;
    /** Whether a crypto withdrawal is complete only when the chain says so, on every network that we watch. */
    verifyPayoutOnChain?: boolean;
    /**
     * The version that you have read.
     * @example 7
     */
    version: number;
    /**
     * How long what was sent to webhook endpoints is kept. Events stay.
     * @example 60
     */
    webhookRetentionDays?: number;
    /**
     * The most that a merchant can withdraw within 24 hours.
     * @example 50000.00
     */
    withdrawalDailyMax?: string;
    /** What withdrawals cost. */
    withdrawalFees?: WithdrawalFeesInput;
    /**
     * The most that a merchant can withdraw at once.
     * @example 10000.00
     */
    withdrawalMax?: string;
    /**
     * How many withdrawals of a merchant may wait or be on their way at once.
     * @example 5
     */
    withdrawalMaxOpen?: number;
    /**
     * The least that a merchant can withdraw at once, before the fee, in US dollars.
     * @example 10.00
     */
    withdrawalMin?: string;
};
/** What to change. Everything that you leave out stays as it is. */
export type UpdateWebhookEndpointRequest = {
    /**
     * The types to send, at least one; null means all of them, also those that are yet to come.
     * @example [
     *       "payment.completed",
     *       "payment.exception"
     *     ]
     */
    eventTypes?: EventType[] | null;
    /**
     * Whether events go to your endpoint.
     *
     * - `enabled`: every event that it wants is sent
     * - `disabled`: nothing is sent, and what waits is given up; `disabledReason` tells who or what switched it off
     * @enum {string}
     */
    status?: WebhookEndpointStatus;
    /**
     * Where events are sent: an https URL on a public host without user name or password (in the sandbox also http and loopback addresses). Another URL than before enables the endpoint. `""` or null removes it, with everything else that is set here.
     * @example https://teahouse.example/hooks/kasi
     */
    url?: string | null;
};
/** A webhook as your server received it. */
export type VerifyWebhookRequest = {
    /**
     * The body that your verifier was given, as text, not parsed. At most 40,000 characters.
     * @example {"id":"evt_01jggfnrx4f1zc8v5b2n7m0q3e","type":"payment.completed"}
     */
    body: string;
    /**
     * The headers of the request, names in any case. Only `webhook-id`, `webhook-timestamp` and `webhook-signature` are looked at, nothing is kept. At most 100, with values of at most 8,000 characters.
     * @example {
     *       "webhook-id": "evt_01jggfnrx4f1zc8v5b2n7m0q3e",
     *       "webhook-timestamp": "1767323502",
     *       "webhook-signature": "v1a,rATIjvii7z/MW40ctNBFLl9hzQ/vhYerXAzCikEU1luhPJGdHG8udYmT6T+KnbI92BOiSZA3YJwMmzvAAj8lBw=="
     *     }
     */
    headers: {
        [key: string]: string;
    };
    /**
     * What the clock of your server said when it received the request; the present when left out.
     * Format: date-time
     * @example 2026-01-02T03:11:42.402Z
     */
    receivedAt?: string;
};
/** A text for a wallet to sign. */
export type WalletChallenge = {
    /**
     * Until when the signature is taken.
     * Format: date-time
     * @example 2026-01-02T03:14:05.006Z
     */
    expiresAt: string;
    /**
     * The id of the challenge, which is sent with the signature.
     * @example wch_01jggm9h3k5n7q9s1v3x5z7b9d
     */
    id: string;
    /**
     * The text to sign, exactly as it stands (EIP-4361).
     * @example pay.example wants you to sign in with your Ethereum account:
     *     0x70997970C51812dc3A010C7d01b50e0d17dc79C8
     */
    message: string;
};
/** One attempt to deliver an event, and what your endpoint said. */
export type WebhookAttempt = {
    /**
     * Counts the attempts from 1.
     * @example 1
     */
    attempt: number;
    /**
     * Why it failed, in one word as in `failure` of the delivery; null when it did not.
     * @example status
     */
    failure: string | null;
    /**
     * The first 2 kB of the answer, read as UTF-8; null when none came.
     * @example {"error":"no such order"}
     */
    responseBody: string | null;
    /**
     * How long it took, in milliseconds.
     * @example 84
     */
    responseTime: number;
    /**
     * When the attempt began.
     * Format: date-time
     * @example 2026-01-02T03:11:42.120Z
     */
    startedAt: string;
    /**
     * The HTTP status of the answer; null when none came.
     * @example 500
     */
    statusCode: number | null;
    /**
     * Where this attempt went.
     * Format: uri
     * @example https://teahouse.example/hooks/kasi
     */
    url: string;
};
/** The first place where a body is not what we sent. */
export type WebhookBodyDifference = {
    /**
     * The number of bytes before it that are the same.
     * @example 5
     */
    offset: number;
    /**
     * What you received, from the same place on.
     * @example {"id": "evt_01jggfnrx4f1z…
     */
    received: string;
    /**
     * What we sent, from a little before the place on; `…` where something is left out.
     * @example {"id":"evt_01jggfnrx4f1zc…
     */
    sent: string;
};
/** How an endpoint did in a series of checks. */
export type WebhookCertification = {
    /** The checks, in the order in which they are made. */
    checks: WebhookCertificationCheck[];
    /**
     * When it was asked for.
     * Format: date-time
     * @example 2026-01-02T03:20:00.480Z
     */
    createdAt: string;
    /**
     * When it ended; null while it is running.
     * Format: date-time
     * @example 2026-01-02T03:20:06.112Z
     */
    finishedAt: string | null;
    /**
     * The id of the certification.
     * @example crt_01jggfq8y2c6m0v4s8w1x5z9ta
     */
    id: string;
    /**
     * The state of a certification.
     *
     * - `running`: the checks are being made
     * - `completed`: all were made, `verdict` says how it went
     * - `interrupted`: it could not be brought to its end, through no fault of yours; start another one
     * @enum {string}
     */
    status: WebhookCertificationStatus;
    /**
     * The endpoint that is tried.
     * Format: uri
     * @example https://teahouse.example/hooks/kasi
     */
    url: string;
    /**
     * `passed` when no check failed and none was skipped; warnings are advice. null unless `status` is `completed`.
     * @enum {string|null}
     */
    verdict: "passed" | "failed" | null;
};
/** One thing that was tried, and how the endpoint did. */
export type WebhookCertificationCheck = {
    /**
     * What to change; null when there is nothing to change.
     * @example Anyone may send your handler an event: it has to verify the signature and to answer 400 when none of the tokens fits. In TypeScript verifyWebhook of @kasi/client does it.
     */
    advice: string | null;
    /**
     * What a good handler does.
     * @example It is refused with 4xx, best 400.
     */
    expected: string;
    /**
     * The check in a word. New checks may appear at any time.
     * @example bad_signature
     */
    name: string;
    /**
     * What your endpoint did; null before the check was made.
     * @example Answered with 200 after 31 ms.
     */
    observed: string | null;
    /**
     * `pending` before it was made; `warning` where it is enough but could be better; `skipped` when it could not be made, because the endpoint takes no genuine event or was too slow in the checks before.
     * @enum {string}
     */
    status: "pending" | "passed" | "warning" | "failed" | "skipped";
    /**
     * What was sent.
     * @example An event signed with a key that is not yours
     */
    title: string;
};
/**
 * The state of a certification.
 *
 * - `running`: the checks are being made
 * - `completed`: all were made, `verdict` says how it went
 * - `interrupted`: it could not be brought to its end, through no fault of yours; start another one
 * @enum {string}
 */
export type WebhookCertificationStatus = "running" | "completed" | "interrupted";
/** An event on its way to your endpoint. */
export type WebhookDelivery = {
    /**
     * How many attempts were made.
     * @example 1
     */
    attempts: number;
    /**
     * When it was made, that is, when the event happened or when it was asked for again.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    createdAt: string;
    /**
     * The type of an event. New types may appear at any time; answer 2xx to those that you do not know.
     * @enum {string}
     */
    event: EventType;
    /**
     * The id of the event, also in the `webhook-id` header.
     * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
     */
    eventId: string;
    /**
     * Why the last attempt failed, in one word, for example `status`, `timeout`, `connection_failed` or `blocked_address`; null when it did not. New words may appear at any time.
     * @example null
     */
    failure: string | null;
    /**
     * The id of the delivery.
     * @example whd_01jggfnrx6e5hs9k3d8f1g4j7p
     */
    id: string;
    /**
     * When the next attempt is due; null when none will come.
     * Format: date-time
     * @example null
     */
    nextAttemptAt: string | null;
    /**
     * The delivery that this one repeats, because somebody asked for it again; null for the first of its event.
     * @example null
     */
    redeliveryOf: string | null;
    /**
     * How long the last attempt took, in milliseconds; 0 before the first.
     * @example 84
     */
    responseTime: number;
    /**
     * The state of a delivery.
     *
     * - `pending`: not delivered yet, another attempt will come
     * - `success`: your endpoint answered 2xx
     * - `failed`: given up
     * @enum {string}
     */
    status: WebhookDeliveryStatus;
    /**
     * The HTTP status of your endpoint's last answer; null when none came.
     * @example 200
     */
    statusCode: number | null;
    /**
     * Where it goes.
     * Format: uri
     * @example https://teahouse.example/hooks/kasi
     */
    url: string;
};
/** A delivery with every attempt, and with the bytes that are sent. */
export type WebhookDeliveryDetail = {
    /** Every attempt that has ended, oldest first. */
    attemptLog: WebhookAttempt[];
    /**
     * How many attempts were made.
     * @example 1
     */
    attempts: number;
    /**
     * When it was made, that is, when the event happened or when it was asked for again.
     * Format: date-time
     * @example 2026-01-02T03:11:42.117Z
     */
    createdAt: string;
    /**
     * The type of an event. New types may appear at any time; answer 2xx to those that you do not know.
     * @enum {string}
     */
    event: EventType;
    /**
     * The id of the event, also in the `webhook-id` header.
     * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
     */
    eventId: string;
    /**
     * Why the last attempt failed, in one word, for example `status`, `timeout`, `connection_failed` or `blocked_address`; null when it did not. New words may appear at any time.
     * @example null
     */
    failure: string | null;
    /**
     * The id of the delivery.
     * @example whd_01jggfnrx6e5hs9k3d8f1g4j7p
     */
    id: string;
    /**
     * When the next attempt is due; null when none will come.
     * Format: date-time
     * @example null
     */
    nextAttemptAt: string | null;
    /**
     * The body of the request, exactly as it is sent and signed, the same in every attempt.
     * @example {"id":"evt_01jggfnrx4f1zc8v5b2n7m0q3e","type":"payment.completed","timestamp":"2026-01-02T03:11:42.117Z"}
     */
    payload: string;
    /**
     * The delivery that this one repeats, because somebody asked for it again; null for the first of its event.
     * @example null
     */
    redeliveryOf: string | null;
    /**
     * How long the last attempt took, in milliseconds; 0 before the first.
     * @example 84
     */
    responseTime: number;
    /**
     * The state of a delivery.
     *
     * - `pending`: not delivered yet, another attempt will come
     * - `success`: your endpoint answered 2xx
     * - `failed`: given up
     * @enum {string}
     */
    status: WebhookDeliveryStatus;
    /**
     * The HTTP status of your endpoint's last answer; null when none came.
     * @example 200
     */
    statusCode: number | null;
    /**
     * Where it goes.
     * Format: uri
     * @example https://teahouse.example/hooks/kasi
     */
    url: string;
};
/** A page of deliveries. */
export type WebhookDeliveryList = {
    /** The deliveries, newest first. */
    deliveries: WebhookDelivery[];
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
};
/**
 * The state of a delivery.
 *
 * - `pending`: not delivered yet, another attempt will come
 * - `success`: your endpoint answered 2xx
 * - `failed`: given up
 * @enum {string}
 */
export type WebhookDeliveryStatus = "success" | "failed" | "pending";
/** Where your events go, which of them, and whether any go at all. */
export type WebhookEndpoint = {
    /**
     * Why it is disabled; null while it is enabled, and while no URL is set.
     *
     * - `merchant`: you disabled it
     * - `gone`: it answered 410
     * - `failing`: it did nothing but fail for 120 hours
     * @example null
     * @enum {string|null}
     */
    disabledReason: "merchant" | "gone" | "failing" | null;
    /**
     * The types that are sent; null means all of them, also those that are yet to come.
     * @example [
     *       "payment.completed",
     *       "payment.exception"
     *     ]
     */
    eventTypes: EventType[] | null;
    /**
     * Since when it has done nothing but fail. Null after a success, and before the first attempt.
     * Format: date-time
     * @example null
     */
    failingSince: string | null;
    /**
     * Whether events go to your endpoint.
     *
     * - `enabled`: every event that it wants is sent
     * - `disabled`: nothing is sent, and what waits is given up; `disabledReason` tells who or what switched it off
     * @enum {string}
     */
    status: WebhookEndpointStatus;
    /**
     * When the URL, the types or the status last changed; null while no URL is set.
     * Format: date-time
     * @example 2026-01-02T03:05:20.731Z
     */
    updatedAt: string | null;
    /**
     * Where events are sent, the `webhookUrl` of your merchant. Null while none is set; then nothing is sent.
     * Format: uri
     * @example https://teahouse.example/hooks/kasi
     */
    url: string | null;
};
/** Your endpoint was disabled, because it answered 410 or because it did nothing but fail for 120 hours. No webhook brings this event, since there is nowhere left to send it; it stands in the event feed. */
export type WebhookEndpointDisabledEvent = EventEnvelope & {
    /** The endpoint as it was when it was disabled. */
    data: WebhookEndpoint;
    /**
     * The type of the event.
     * @constant
     */
    type: "webhook.endpoint_disabled";
};
/**
 * Whether events go to your endpoint.
 *
 * - `enabled`: every event that it wants is sent
 * - `disabled`: nothing is sent, and what waits is given up; `disabledReason` tells who or what switched it off
 * @enum {string}
 */
export type WebhookEndpointStatus = "enabled" | "disabled";
/** Any event that a webhook can bring. `type` tells which, and with it what `data` is. */
export type WebhookEvent = PaymentCreatedEvent | PaymentPendingEvent | PaymentConfirmingEvent | PaymentCompletedEvent | PaymentFailedEvent | PaymentExpiredEvent | PaymentExceptionEvent | PaymentRevertedEvent | PaymentReversedEvent | PaymentRestoredEvent | CheckoutSessionCompletedEvent | CheckoutSessionExpiredEvent | PaymentLinkCreatedEvent | PaymentLinkUpdatedEvent | PaymentLinkExpiredEvent | SubscriptionCreatedEvent | SubscriptionTrialWillEndEvent | SubscriptionActivatedEvent | SubscriptionRenewedEvent | SubscriptionChargeFailedEvent | SubscriptionChargeReversedEvent | SubscriptionChargeRecoveredEvent | SubscriptionPastDueEvent | SubscriptionPausedEvent | SubscriptionCancelledEvent | SubscriptionExpiredEvent | WithdrawalCreatedEvent | WithdrawalApprovedEvent | WithdrawalRejectedEvent | WithdrawalProcessingEvent | WithdrawalCompletedEvent | WithdrawalFailedEvent | WithdrawalRevertedEvent | RefundCreatedEvent | RefundPendingEvent | RefundProcessingEvent | RefundCompletedEvent | RefundCancelledEvent | RefundFailedEvent | RefundRevertedEvent | MerchantStatusChangedEvent | ApiKeyCreatedEvent | ApiKeyRevokedEvent;
/** A public key that your webhooks are signed with. */
export type WebhookKey = {
    /**
     * When the key was made.
     * Format: date-time
     * @example 2026-01-02T03:02:11.004Z
     */
    createdAt: string;
    /**
     * When a retiring key stops signing; null for the active one.
     * Format: date-time
     * @example null
     */
    expiresAt: string | null;
    /**
     * The id of the key.
     * @example whk_01jggf3t6pfa7n2x5c9v4b8m0r
     */
    id: string;
    /**
     * The Ed25519 public key in base64 after the prefix `whpk_`, as Standard Webhooks writes it.
     * @example whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=
     */
    publicKey: string;
    /**
     * `active` signs; `retiring` signs along until `expiresAt`, so that you have time to change over.
     * @enum {string}
     */
    status: "active" | "retiring";
};
/** The keys that sign your webhooks. */
export type WebhookKeyList = {
    /** The keys, newest first. */
    data: WebhookKey[];
};
/** What is sent again. */
export type WebhookRecovery = {
    /**
     * Whether events are left to look at. Call again with `next`.
     * @example false
     */
    more: boolean;
    /**
     * The `since` of the next call; null when nothing is left.
     * Format: date-time
     * @example null
     */
    next: string | null;
    /**
     * How many deliveries this call has made, 1,000 at most.
     * @example 17
     */
    recovered: number;
};
/** What your endpoint made of the test. */
export type WebhookTestResult = {
    /**
     * The delivery that recorded the test.
     * @example whd_01jggfnrx6e5hs9k3d8f1g4j7p
     */
    deliveryId: string;
    /**
     * How long the answer took, in milliseconds.
     * @example 84
     */
    responseTime: number;
    /**
     * The HTTP status of its answer; null when none came.
     * @example 200
     */
    statusCode: number | null;
    /**
     * Whether your endpoint answered 2xx.
     * @example true
     */
    success: boolean;
};
/** Whether a webhook verifies, and why not. */
export type WebhookVerification = {
    /** Every check, in the order in which they are made. */
    checks: WebhookVerificationCheck[];
    /** Where the body differs first from the one that we sent; null when it does not, or when we can't know. */
    difference: WebhookBodyDifference | null;
    /**
     * The same in words, and what to change.
     * @example The body says the same as the one that we sent, but its bytes differ from byte 5 on: a parser has read it and written it anew. Verify the bytes as they arrive, before anything parses them.
     */
    message: string;
    /**
     * Why the first check failed that did; null when all passed. New reasons may appear at any time.
     *
     * - `header_missing`: one of the three headers is not there
     * - `header_malformed`: one of them can't be read
     * - `event_unknown`: none of your keys signed it, and you have no event with this id
     * - `body_reserialized`: the JSON is the same, the bytes are not
     * - `body_changed`: the body is another one than we sent
     * - `key_ended`: signed with a key of yours that has stopped signing since
     * - `wrong_key`: none of your keys signed it
     * - `clock`: the timestamp is more than 300 seconds from the time of receipt
     * @example body_reserialized
     */
    reason: string | null;
    /**
     * Whether all checks passed.
     * @example false
     */
    valid: boolean;
};
/** One of the checks that a verifier makes. */
export type WebhookVerificationCheck = {
    /**
     * What was found.
     * @example Signed with your key whk_01jggf3t6pfa7n2x5c9v4b8m0r.
     */
    message: string;
    /**
     * `headers`, `signature` or `clock`.
     * @example signature
     */
    name: string;
    /**
     * `skipped`: it could not be made, because an earlier one failed.
     * @enum {string}
     */
    status: "passed" | "failed" | "skipped";
};
/** Money that you take out. */
export type Withdrawal = {
    /**
     * What leaves your balance, in US dollars.
     * @example 250
     */
    amount: number;
    /**
     * The number of the bank account; null for `crypto`. In events all but the last four characters are masked.
     * @example null
     */
    bankAccountNumber: string | null;
    /**
     * The branch of the bank; null for `crypto`.
     * @example null
     */
    bankBranch: string | null;
    /**
     * The name of the bank; null for `crypto`.
     * @example null
     */
    bankName: string | null;
    /**
     * When you asked for it.
     * Format: date-time
     * @example 2026-01-02T03:04:05.006Z
     */
    createdAt: string;
    /**
     * A stablecoin that withdrawals are paid in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    currency: WithdrawalToken;
    /**
     * The wallet that it goes to; null for `bank`.
     * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
     */
    destinationAddress: string | null;
    /**
     * The part of it that the platform keeps.
     * @example 1
     */
    fee: number;
    /**
     * The id of the withdrawal.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * How a withdrawal is paid.
     *
     * - `crypto`: as a stablecoin to a wallet
     * - `bank`: to a bank account
     * @example crypto
     * @enum {string}
     */
    method: WithdrawalMethod;
    /**
     * What arrives, `amount` less `fee`.
     * @example 249
     */
    netAmount: number;
    /**
     * The network that it is paid on.
     * @example devnet
     */
    network: string;
    /**
     * When it became `completed` or `rejected`; null before.
     * Format: date-time
     * @example null
     */
    processedAt: string | null;
    /**
     * The bank's reference of the payment, in capitals; null until it is paid, and where a transaction on chain paid it.
     * @example null
     */
    reference: string | null;
    /**
     * The state of a withdrawal, as its merchant sees it. `statusReason` says more.
     *
     * ```
     * pending ──▶ approved ──▶ completed
     *    │           │
     *    └────┬──────┘
     *         ▼
     *      rejected
     * ```
     *
     * - `pending`: it waits to be looked at. You can still cancel it.
     * - `approved`: it will be paid, or is being paid (`statusReason: processing`).
     * - `completed`: it is paid. In the rare case that the chain takes the payment back it is `approved` again, and is paid anew.
     * - `rejected`: it was refused, cancelled, or could not be paid. The money is back in your balance.
     * @example pending
     * @enum {string}
     */
    status: WithdrawalStatus;
    /**
     * Why it was refused or could not be paid, in the words of whoever decided; null otherwise.
     * @example null
     */
    statusMessage: string | null;
    /**
     * What is behind the status, null when there is nothing to add.
     *
     * - `processing`: it is being paid, with `approved`.
     * - `cancelled`: you cancelled it, with `rejected`.
     * - `declined`: it was refused, with `rejected`; `statusMessage` says why.
     * - `failed`: it was approved and could not be paid, with `rejected`; `statusMessage` says why.
     * @example null
     * @enum {string|null}
     */
    statusReason: WithdrawalStatusReason;
    /**
     * The transaction that paid it, or the bank's `reference`; null until it is `completed`.
     * @example null
     */
    txHash: string | null;
};
/** A withdrawal was approved and will be paid. */
export type WithdrawalApprovedEvent = EventEnvelope & {
    /** The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
    data: Withdrawal;
    /**
     * The type of the event.
     * @constant
     */
    type: "withdrawal.approved";
};
/** A withdrawal is paid. */
export type WithdrawalCompletedEvent = EventEnvelope & {
    /** The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
    data: Withdrawal;
    /**
     * The type of the event.
     * @constant
     */
    type: "withdrawal.completed";
};
/** A withdrawal that is paid. */
export type WithdrawalCompletion = {
    /**
     * When it was completed.
     * Format: date-time
     * @example 2026-01-02T08:15:30.000Z
     */
    completedAt: string;
    /**
     * The id of the withdrawal.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * What was done, in words.
     * @example Withdrawal completed.
     */
    message: string;
    /**
     * The bank's reference of the payment, in capitals; null until it is paid, and where a transaction on chain paid it.
     * @example null
     */
    reference: string | null;
    /**
     * The state of a withdrawal.
     *
     * ```
     * pending ──▶ approved ──▶ processing ──▶ completed
     *    │           │  └───────────│─────────────▲
     *    ▼           └──▶ failed ◀──┘
     * rejected
     * ```
     *
     * - `pending`: it waits for a decision.
     * - `approved`: it may be paid.
     * - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
     * - `completed`: it is paid, by the transaction in `txHash`.
     * - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
     * - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
     * @example pending
     * @enum {string}
     */
    status: AdminWithdrawalStatus;
    /**
     * The transaction that paid it, in lower case, or the bank's `reference`.
     * @example 0x8d3f0c1b7a59e246d80b35fa91c7e264f0a1d5b83c96e7f2041a8b5d6c3e9f70
     */
    txHash: string;
};
/** A withdrawal was asked for, and its money is held. */
export type WithdrawalCreatedEvent = EventEnvelope & {
    /** The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
    data: Withdrawal;
    /**
     * The type of the event.
     * @constant
     */
    type: "withdrawal.created";
};
/** An approved withdrawal could not be paid; its money is back in the balance. */
export type WithdrawalFailedEvent = EventEnvelope & {
    /** The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
    data: Withdrawal;
    /**
     * The type of the event.
     * @constant
     */
    type: "withdrawal.failed";
};
/** A withdrawal that could not be paid. */
export type WithdrawalFailure = {
    /**
     * When it was given up.
     * Format: date-time
     * @example 2026-01-02T08:15:30.000Z
     */
    failedAt: string;
    /**
     * The id of the withdrawal.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * What was done, in words.
     * @example Withdrawal failed; the money is back in the merchant's balance.
     */
    message: string;
    /**
     * The state of a withdrawal.
     *
     * ```
     * pending ──▶ approved ──▶ processing ──▶ completed
     *    │           │  └───────────│─────────────▲
     *    ▼           └──▶ failed ◀──┘
     * rejected
     * ```
     *
     * - `pending`: it waits for a decision.
     * - `approved`: it may be paid.
     * - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
     * - `completed`: it is paid, by the transaction in `txHash`.
     * - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
     * - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
     * @example pending
     * @enum {string}
     */
    status: AdminWithdrawalStatus;
};
/** A withdrawal that an administrator asks another one to fail. */
export type WithdrawalFailureAsked = {
    /**
     * When you asked.
     * Format: date-time
     * @example 2026-01-02T08:15:30.000Z
     */
    failRequestedAt: string;
    /**
     * The administrator who asked, which is you.
     * @example adm_01jggf0a2b4c6d8e0f2g4h6j8k
     */
    failRequestedBy: string;
    /**
     * The id of the withdrawal.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * What was done, in words.
     * @example Noted. Another administrator can fail the withdrawal now.
     */
    message: string;
    /**
     * The state of a withdrawal.
     *
     * ```
     * pending ──▶ approved ──▶ processing ──▶ completed
     *    │           │  └───────────│─────────────▲
     *    ▼           └──▶ failed ◀──┘
     * rejected
     * ```
     *
     * - `pending`: it waits for a decision.
     * - `approved`: it may be paid.
     * - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
     * - `completed`: it is paid, by the transaction in `txHash`.
     * - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
     * - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
     * @example pending
     * @enum {string}
     */
    status: AdminWithdrawalStatus;
};
/** What withdrawals cost. */
export type WithdrawalFees = {
    /** The fee of a payout to a bank account. */
    bank: BankWithdrawalFee;
    /** The fee of a payout in crypto in US dollars, by network; nobody can withdraw to a network that is not named. */
    networks: {
        [key: string]: string;
    };
};
/** What withdrawals cost. */
export type WithdrawalFeesInput = {
    /** The fee of a payout to a bank account. */
    bank: BankWithdrawalFeeInput;
    /** The fee of a payout in crypto in US dollars, by network; nobody can withdraw to a network that is not named. */
    networks: {
        [key: string]: string;
    };
};
/** A page of withdrawals. */
export type WithdrawalList = {
    /** Where a list page stands in the whole list. */
    pagination: Pagination;
    /** The withdrawals, newest first. */
    withdrawals: Withdrawal[];
};
/**
 * How a withdrawal is paid.
 *
 * - `crypto`: as a stablecoin to a wallet
 * - `bank`: to a bank account
 * @example crypto
 * @enum {string}
 */
export type WithdrawalMethod = "bank" | "crypto";
/** A withdrawal that is being paid. */
export type WithdrawalProcessing = {
    /**
     * The id of the withdrawal.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * What was done, in words.
     * @example Withdrawal is being paid.
     */
    message: string;
    /**
     * When it was said to be.
     * Format: date-time
     * @example 2026-01-02T08:15:30.000Z
     */
    processingAt: string;
    /**
     * The state of a withdrawal.
     *
     * ```
     * pending ──▶ approved ──▶ processing ──▶ completed
     *    │           │  └───────────│─────────────▲
     *    ▼           └──▶ failed ◀──┘
     * rejected
     * ```
     *
     * - `pending`: it waits for a decision.
     * - `approved`: it may be paid.
     * - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
     * - `completed`: it is paid, by the transaction in `txHash`.
     * - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
     * - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
     * @example pending
     * @enum {string}
     */
    status: AdminWithdrawalStatus;
};
/** A withdrawal is being paid. */
export type WithdrawalProcessingEvent = EventEnvelope & {
    /** The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
    data: Withdrawal;
    /**
     * The type of the event.
     * @constant
     */
    type: "withdrawal.processing";
};
/** What a withdrawal would cost, and how much you can withdraw now. */
export type WithdrawalQuote = {
    /**
     * What leaves your balance, in US dollars.
     * @example 250
     */
    amount: number;
    /**
     * What you have.
     * @example 1250.5
     */
    availableBalance: number;
    /**
     * A stablecoin that withdrawals are paid in. Each counts as one US dollar.
     * @example USDT
     * @enum {string}
     */
    currency: WithdrawalToken;
    /**
     * What you can still ask for now; what you asked for within 24 hours counts.
     * @example 49750
     */
    dailyRemaining: number;
    /**
     * The part of it that the platform keeps.
     * @example 1
     */
    fee: number;
    /**
     * The most that one withdrawal may be.
     * @example 10000
     */
    maxAmount: number;
    /**
     * How a withdrawal is paid.
     *
     * - `crypto`: as a stablecoin to a wallet
     * - `bank`: to a bank account
     * @example crypto
     * @enum {string}
     */
    method: WithdrawalMethod;
    /**
     * The least that one withdrawal may be.
     * @example 10
     */
    minAmount: number;
    /**
     * What arrives, `amount` less `fee`.
     * @example 249
     */
    netAmount: number;
    /**
     * The network that it is paid on.
     * @example devnet
     */
    network: string;
    /**
     * How many more withdrawals may be open at once.
     * @example 4
     */
    openRemaining: number;
};
/** A withdrawal was refused or cancelled; its money is back in the balance. */
export type WithdrawalRejectedEvent = EventEnvelope & {
    /** The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
    data: Withdrawal;
    /**
     * The type of the event.
     * @constant
     */
    type: "withdrawal.rejected";
};
/** The chain took back the transaction that had paid a withdrawal. The withdrawal is *approved* again (`statusReason` *processing*), its money is held again, and it will be paid by another transaction. */
export type WithdrawalRevertedEvent = EventEnvelope & {
    /** The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
    data: Withdrawal;
    /**
     * The type of the event.
     * @constant
     */
    type: "withdrawal.reverted";
};
/** A decision about a withdrawal. */
export type WithdrawalReview = {
    /**
     * The id of the withdrawal.
     * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
     */
    id: string;
    /**
     * What was done, in words.
     * @example Withdrawal approved.
     */
    message: string;
    /**
     * When it was decided.
     * Format: date-time
     * @example 2026-01-02T08:15:30.000Z
     */
    reviewedAt: string;
    /**
     * The administrator who decided.
     * @example adm_01jggf8r2m5q9t1w4y7z0b3d6f
     */
    reviewedBy: string;
    /**
     * The state of a withdrawal.
     *
     * ```
     * pending ──▶ approved ──▶ processing ──▶ completed
     *    │           │  └───────────│─────────────▲
     *    ▼           └──▶ failed ◀──┘
     * rejected
     * ```
     *
     * - `pending`: it waits for a decision.
     * - `approved`: it may be paid.
     * - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
     * - `completed`: it is paid, by the transaction in `txHash`.
     * - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
     * - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
     * @example pending
     * @enum {string}
     */
    status: AdminWithdrawalStatus;
};
/**
 * The state of a withdrawal, as its merchant sees it. `statusReason` says more.
 *
 * ```
 * pending ──▶ approved ──▶ completed
 *    │           │
 *    └────┬──────┘
 *         ▼
 *      rejected
 * ```
 *
 * - `pending`: it waits to be looked at. You can still cancel it.
 * - `approved`: it will be paid, or is being paid (`statusReason: processing`).
 * - `completed`: it is paid. In the rare case that the chain takes the payment back it is `approved` again, and is paid anew.
 * - `rejected`: it was refused, cancelled, or could not be paid. The money is back in your balance.
 * @example pending
 * @enum {string}
 */
export type WithdrawalStatus = "pending" | "approved" | "rejected" | "completed";
/**
 * What is behind the status, null when there is nothing to add.
 *
 * - `processing`: it is being paid, with `approved`.
 * - `cancelled`: you cancelled it, with `rejected`.
 * - `declined`: it was refused, with `rejected`; `statusMessage` says why.
 * - `failed`: it was approved and could not be paid, with `rejected`; `statusMessage` says why.
 * @example null
 * @enum {string|null}
 */
export type WithdrawalStatusReason = "processing" | "cancelled" | "declined" | "failed" | null;
/**
 * A stablecoin that withdrawals are paid in. Each counts as one US dollar.
 * @example USDT
 * @enum {string}
 */
export type WithdrawalToken = "USDT" | "USDC";
export type ListChangesQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only changes of this kind. */
    kind?: ChangeKind | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only changes in this state. */
    status?: ChangeStatus | undefined;
};
export type ListIncidentsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only incidents of this kind. */
    kind?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** Only incidents that concern this network. */
    network?: string | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only incidents about this, such as the id of a payment. It is compared with `subject`. */
    resource?: string | undefined;
    /** Only what was seen at or after this. A date means from the start of that UTC day. */
    since?: string | undefined;
    /** Only incidents in this state. */
    status?: IncidentStatus | undefined;
};
export type AdminListMerchantsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only merchants in which every word of this occurs: in the name of the business, the e-mail address, the phone number, or at the beginning of the id. Case does not matter. */
    search?: string | undefined;
    /** Only merchants in this state. */
    status?: MerchantStatus | undefined;
};
export type ListPayoutsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only withdrawals, or only refunds. */
    kind?: ("withdrawal" | "refund") | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** Only on this network. */
    network?: string | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
};
export type ListAdminUsersQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only administrators with this role. */
    roleId?: string | undefined;
    /** Only administrators in this state. */
    status?: AdminUserStatus | undefined;
};
export type AdminListWithdrawalsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only what was created at or after this. A date means from the start of that UTC day. */
    fromDate?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** Only withdrawals of this merchant. */
    merchantId?: string | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only withdrawals in this state. */
    status?: AdminWithdrawalStatus | undefined;
    /** Only what was created at or before this. A date means to the end of that UTC day. */
    toDate?: string | undefined;
};
export type ListAuditLogsQuery = {
    /** Only entries of this action. */
    action?: string | undefined;
    /** Only entries of whoever has this id. */
    actorId?: string | undefined;
    /** Only entries of actors of this kind. */
    actorType?: AuditActorType | undefined;
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only what was created at or after this. A date means from the start of that UTC day. */
    fromDate?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** Only entries about what belongs to this merchant. */
    merchantId?: string | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only entries about this kind of thing. */
    resourceType?: string | undefined;
    /** Only what was created at or before this. A date means to the end of that UTC day. */
    toDate?: string | undefined;
};
export type ListMerchantSessionsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
};
export type ListEventsQuery = {
    /** Only events behind this position; 0 is the beginning. There may be none yet. */
    after?: number | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
};
export type ListMerchantAuditLogsQuery = {
    /** Only entries of this action. */
    action?: string | undefined;
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only what was created at or after this. A date means from the start of that UTC day. */
    fromDate?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only entries about this kind of thing. */
    resourceType?: string | undefined;
    /** Only what was created at or before this. A date means to the end of that UTC day. */
    toDate?: string | undefined;
};
export type ListPaymentLinksQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only links in this state. */
    status?: PaymentLinkStatus | undefined;
};
export type ListPaymentsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only payments in this currency. */
    currency?: Currency | undefined;
    /** Only payments with this whole e-mail address of the customer, in upper or lower case. */
    customerEmail?: string | undefined;
    /** Only payments with this exception. `waiting` tells which of them you still have to decide about. */
    exception?: ("underpaid" | "overpaid" | "late" | "wrong_token") | undefined;
    /** Only what was created at or after this. A date means from the start of that UTC day. */
    fromDate?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** Only payments that were started through this payment link. */
    linkId?: string | undefined;
    /** Only payments of at most this amount, in the currency of each payment; add `currency` if you sell in several. */
    maxAmount?: number | undefined;
    /** Only payments whose metadata holds this value under this key, written `metadata[orderId]=A-1001`; of several keys all count, at most 5. Case matters. A number or a boolean is found by how it is written: `metadata[table]=7`. */
    metadata?: {
        [key: string]: string;
    } | undefined;
    /** Only payments of at least this amount, in the currency of each payment; add `currency` if you sell in several. */
    minAmount?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only payments with this whole id, transaction hash or deposit address. Any other text is looked for in the description and the customer's e-mail address, as any part of them, and at the beginning of the id; case does not matter there. A text is looked for in at least the 100,000 newest payments between `fromDate` and `toDate`, and the other filters choose among those; where `status`, `exception`, `waiting=true`, `linkId`, `customerEmail` or a key of `metadata` by itself leaves at most 2,000 payments, it is looked for in all of them. The `total` counts those that are found; older ones are found with `toDate`. */
    search?: string | undefined;
    /** Only payments that were started this way. */
    source?: ("direct" | "link" | "session" | "subscription") | undefined;
    /** Only payments in this state. */
    status?: PaymentStatus | undefined;
    /** Only what was created at or before this. A date means to the end of that UTC day. */
    toDate?: string | undefined;
    /** `true`: only payments that are over and have money that waits for your decision, which `resolve` takes or a refund gives back. `false`: only the others. */
    waiting?: boolean | undefined;
};
export type ListCustomerSubscriptionsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** Only subscriptions at the merchant who offers this plan. */
    merchantOf?: string | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
};
export type GetSignedTransferQuery = {
    /** By which contract; without it the one that asks for the fewest signatures. */
    method?: SignMethod | undefined;
    /** The network of one of the payment's `options`. */
    network: string;
    /** The wallet that will sign. */
    payer: string;
    /** The token of that option. */
    token: Token;
};
export type GetPaymentQrPngQuery = {
    /** Any text of your choice, on which the image does not depend. Browsers keep one image for each URL, so change it when the payment's `paymentUri` changes. */
    of?: string | undefined;
};
export type GetPaymentQrSvgQuery = {
    /** Any text of your choice, on which the image does not depend. Browsers keep one image for each URL, so change it when the payment's `paymentUri` changes. */
    of?: string | undefined;
};
export type ListRefundsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only what was created at or after this. A date means from the start of that UTC day. */
    fromDate?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only refunds of this payment. */
    paymentId?: string | undefined;
    /** Only refunds in this state. */
    status?: RefundStatus | undefined;
    /** Only what was created at or before this. A date means to the end of that UTC day. */
    toDate?: string | undefined;
};
export type ListStatementsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
};
export type GetStatementQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
};
export type ListLedgerEntriesQuery = {
    /** Only entries on this account. */
    account?: LedgerAccount | undefined;
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** Only what was created at or after this. A date means from the start of that UTC day. */
    fromDate?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only what was created at or before this. A date means to the end of that UTC day. */
    toDate?: string | undefined;
};
export type ListPlansQuery = {
    /** Only plans that take new subscribers, or only those that do not. */
    active?: boolean | undefined;
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
};
export type ListSubscriptionsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only subscriptions of this plan. Of a plan that does not exist there are none. */
    planId?: string | undefined;
    /** Only subscriptions in this state. */
    status?: SubscriptionStatus | undefined;
};
export type ListChargesQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
};
export type ListWebhookDeliveriesQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only deliveries in this state. */
    status?: WebhookDeliveryStatus | undefined;
};
export type ListWithdrawalsQuery = {
    /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
    after?: string | undefined;
    /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
    before?: string | undefined;
    /** The most items on a page. */
    limit?: number | undefined;
    /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
    page?: number | undefined;
    /** Only withdrawals in this state. */
    status?: WithdrawalStatus | undefined;
};
export type QuoteWithdrawalQuery = {
    /** What would leave your balance, in US dollars with at most 2 decimals. */
    amount: number;
    /** The stablecoin to pay in, only with `crypto`. `USDT` when you leave it out. */
    currency?: WithdrawalToken | undefined;
    /** How it would be paid. */
    method: WithdrawalMethod;
    /** The network to pay on, only with `crypto`. The first one of the platform that has dollar tokens when you leave it out. */
    network?: string | undefined;
};
