<?php

// Written by `npm run generate` from openapi/; never edited.

declare(strict_types=1);

namespace Kasi\Generated;

/**
 * The types of the contract.
 *
 * @phpstan-type AccountAmounts array{available: string, pending: string, hold: string, suspense: string, debt: string, total: string}
 * @phpstan-type AcknowledgeIncidentRequest array{note?: string}
 * @phpstan-type AdminAuditLogEntry array{id: string, actorType: AuditActorType, actorId: string, action: string, resourceType: string, resourceId: string, merchantId: string|null, ipAddress: string, userAgent: string, timestamp: string, metadata: array<string, mixed>, requestId: string, sequence: int|null, hash: string|null}
 * @phpstan-type AdminAuditLogEntryList array{data: list<AdminAuditLogEntry>, pagination: Pagination}
 * @phpstan-type AdminAuthResult array{admin: OwnAdmin, token: string, refreshToken: string, expiresIn: int, deviceToken: string}
 * @phpstan-type AdminListMerchantsQuery array{page?: int, limit?: int, after?: string, before?: string, status?: MerchantStatus, search?: string}
 * @phpstan-type AdminListWithdrawalsQuery array{page?: int, limit?: int, after?: string, before?: string, status?: AdminWithdrawalStatus, merchantId?: string, fromDate?: string, toDate?: string}
 * @phpstan-type AdminMerchant array{id: string, businessName: string, email: string, phone: string, businessType: BusinessType, status: MerchantStatus, statusReason: string|null, rejectedAt: string|null, walletAddress: string|null, webhookUrl: string|null, twoFactorEnabled: bool, paymentToleranceBps: int|null, refundOffers: list<RefundOfferException>, refundOfferMinimum: int|float, supportEmail: string|null, supportUrl: string|null, website: string|null, brandColor: string|null, logoUrl: string|null, sendReceipts: bool, embedOrigins: list<string>, balance: SettlementBalance, paymentCount: int, paidCount: int, lastPaidAt: string|null, apiKeyCount: int, createdAt: string, updatedAt: string}
 * @phpstan-type AdminMerchantList array{data: list<AdminMerchantSummary>, pagination: Pagination}
 * @phpstan-type AdminMerchantSummary array{id: string, businessName: string, email: string, phone: string, businessType: BusinessType, status: MerchantStatus, statusReason: string|null, createdAt: string, updatedAt: string}
 * @phpstan-type AdminRefund array{id: string, paymentId: string, status: RefundStatus, statusMessage: string|null, amount: int|float, currency: Currency, token: Token, network: string, tokenAmount: string, reason: string, offered: bool, destinationAddress: string|null, txHash: string|null, createdAt: string, finishedAt: string|null, merchantId: string, merchantName: string, claimedBy: 'merchant'|'payer'|null, destinationProven: bool, worth: int|float, processedBy: string|null, failRequestedBy: string|null, failRequestedAt: string|null, txVerified: bool|null, notes: string|null}
 * @phpstan-type AdminTokens array{token: string, refreshToken: string, expiresIn: int}
 * @phpstan-type AdminUser array{id: string, email: string, name: string, role: RoleReference, status: AdminUserStatus, createdAt: string, updatedAt: string}
 * @phpstan-type AdminUserCreated array{id: string, email: string, name: string, role: RoleReference, status: AdminUserStatus, createdAt: string}
 * @phpstan-type AdminUserList array{data: list<AdminUserSummary>, pagination: Pagination}
 * @phpstan-type AdminUserStatus 'active'|'deactivated'
 * @phpstan-type AdminUserStatusChange array{id: string, status: AdminUserStatus, message: string}
 * @phpstan-type AdminUserSummary array{id: string, email: string, name: string, role: RoleReference, status: AdminUserStatus, lastLoginAt: string|null, createdAt: string}
 * @phpstan-type AdminWithdrawal array{id: string, merchantId: string, merchantName: string, method: WithdrawalMethod, amount: string, fee: string, netAmount: string, currency: WithdrawalToken, destinationAddress: string|null, network: string, status: AdminWithdrawalStatus, txHash: string|null, reference: string|null, reviewedBy: string|null, notes: string|null, requestedAt: string, updatedAt: string, merchantStatus: MerchantStatus, bankAccountNumber: string|null, bankName: string|null, bankBranch: string|null, cancelled: bool, reason: string|null, txVerified: bool|null, txBlock: int|null, txFinalAt: string|null, reverts: int, reviewedAt: string|null, processingAt: string|null, processedBy: string|null, failRequestedBy: string|null, failRequestedAt: string|null, completedAt: string|null, closedBy: string|null, closedAt: string|null}
 * @phpstan-type AdminWithdrawalList array{data: list<AdminWithdrawalSummary>, pagination: Pagination}
 * @phpstan-type AdminWithdrawalStatus 'pending'|'approved'|'rejected'|'processing'|'completed'|'failed'
 * @phpstan-type AdminWithdrawalSummary array{id: string, merchantId: string, merchantName: string, method: WithdrawalMethod, amount: string, currency: WithdrawalToken, destinationAddress: string|null, network: string, status: AdminWithdrawalStatus, txHash: string|null, reference: string|null, reviewedBy: string|null, notes: string|null, requestedAt: string, updatedAt: string}
 * @phpstan-type AdvanceSandboxClockRequest array{seconds?: int, to?: string}
 * @phpstan-type AgreementMethod 'signature'|'transaction'
 * @phpstan-type AlertChannel array{destination: string|null, publicKey: string, waiting: int, lastDeliveredAt: string|null, lastFailure: string|null}
 * @phpstan-type ApiKey array{id: string, name: string, apiKey: string, permissions: list<ApiKeyScope>, allowedIps: list<string>, expiresAt: string|null, lastUsedAt: string|null, createdAt: string}
 * @phpstan-type ApiKeyCreated array{id: string, name: string, apiKey: string, apiSecret: string, permissions: list<ApiKeyScope>, allowedIps: list<string>, expiresAt: string|null, createdAt: string}
 * @phpstan-type ApiKeyCreatedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'api_key.created', data: ApiKey}
 * @phpstan-type ApiKeyList array{data: list<ApiKey>}
 * @phpstan-type ApiKeyRevokedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'api_key.revoked', data: ApiKey}
 * @phpstan-type ApiKeyScope 'payments:read'|'payments:write'|'settlements:read'|'settlements:write'|'webhooks:manage'|'links:manage'|'subscriptions:manage'
 * @phpstan-type ApproveChangeRequest array{otp?: string}
 * @phpstan-type ApproveWithdrawalRequest array{notes?: string}
 * @phpstan-type AuditActorType 'admin'|'merchant'|'system'
 * @phpstan-type AuditLogEntry array{id: string, actorType: AuditActorType, actorId: string, action: string, resourceType: string, resourceId: string, ipAddress: string, userAgent: string, timestamp: string, metadata: array<string, mixed>, requestId: string, sequence: int|null, hash: string|null}
 * @phpstan-type AuditLogEntryList array{data: list<AuditLogEntry>, pagination: Pagination}
 * @phpstan-type BankWithdrawalFee array{bps: int, min: string}
 * @phpstan-type BankWithdrawalFeeInput array{bps: int, min: string}
 * @phpstan-type BusinessType 'individual'|'company'|'nonprofit'
 * @phpstan-type CancelByWalletRequest array{challengeId: string, signature: string}
 * @phpstan-type CancelChangeRequest array{reason: string}
 * @phpstan-type ChallengePurpose 'subscribe'|'sign_in'|'cancel'
 * @phpstan-type ChangeAdminPasswordRequest array{currentPassword: string, newPassword: string, otp?: string}
 * @phpstan-type ChangeAdminStatusRequest array{otp?: string}
 * @phpstan-type ChangeKind 'settings'|'role'|'admin'
 * @phpstan-type ChangeList array{data: list<GuardedChange>, pagination: Pagination}
 * @phpstan-type ChangeMerchantPasswordRequest array{currentPassword: string, newPassword: string, otp?: string}
 * @phpstan-type ChangeStatus 'proposed'|'approved'|'in_effect'|'cancelled'|'expired'
 * @phpstan-type Charge array{id: string, subscriptionId: string, number: int, status: ChargeStatus, amount: int|float, currency: Currency, token: SubscriptionToken, network: string, tokenAmount: string|null, periodStart: string, periodEnd: string, dueAt: string|null, earliestChargeAt: string|null, failureCode: ChargeFailureCode|null, reversedAt: string|null, paymentId: string|null, txHash: string|null, attempts: list<ChargeAttempt>, createdAt: string}
 * @phpstan-type ChargeAttempt array{at: string, outcome: ChargeOutcome, failureCode: ChargeFailureCode|null, txHash: string|null}
 * @phpstan-type ChargeFailureCode 'mandate_missing'|'mandate_revoked'|'insufficient_balance'|'insufficient_allowance'|'token_blocked'|'network_unavailable'|'gas_too_dear'
 * @phpstan-type ChargeList array{data: list<Charge>, pagination: Pagination}
 * @phpstan-type ChargeOutcome 'sent'|'collected'|'failed'|'deferred'|'lost'
 * @phpstan-type ChargeStatus 'due'|'sending'|'confirming'|'succeeded'|'failed'|'void'
 * @phpstan-type CheckoutSession array{id: string, status: CheckoutSessionStatus, amount: int|float, currency: Currency, paymentId: string, checkoutUrl: string, successUrl: string, cancelUrl: string, metadata: Metadata, expiresAt: string, createdAt: string}
 * @phpstan-type CheckoutSessionCompletedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'checkout.session.completed', data: CheckoutSession}
 * @phpstan-type CheckoutSessionCreated array{id: string, sessionId: string, paymentId: string, checkoutUrl: string, expiresAt: string}
 * @phpstan-type CheckoutSessionExpiredEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'checkout.session.expired', data: CheckoutSession}
 * @phpstan-type CheckoutSessionStatus 'open'|'completed'|'expired'
 * @phpstan-type ClaimRefundRequest array{destinationAddress: string, signature?: string}
 * @phpstan-type CompletePayoutsRequest array{txHash: string, payoutIds: list<string>, notes?: string}
 * @phpstan-type CompleteRefundRequest array{txHash: string, notes?: string}
 * @phpstan-type CompleteWithdrawalRequest array{txHash: string, notes?: string}
 * @phpstan-type CompletedPayouts array{completed: list<string>, refused: list<RefusedPayout>}
 * @phpstan-type CreateAdminUserRequest array{email: string, name: string, password: string, roleId: string, otp?: string}
 * @phpstan-type CreateApiKeyRequest array{name: string, permissions?: list<ApiKeyScope>, allowedIps?: list<string>, expiresAt?: string|null, otp?: string}
 * @phpstan-type CreateCheckoutSessionRequest array{amount: int|float, currency: Currency, description?: string|null, items?: list<LineItemInput>, customerEmail?: string|null, locale?: Locale|null, successUrl: string, cancelUrl: string, metadata?: MetadataInput, expiresInMinutes?: int}
 * @phpstan-type CreateCustomerSessionRequest array{challengeId: string, signature: string}
 * @phpstan-type CreatePaymentLinkRequest array{title: string, description?: string|null, amount: int|float, currency?: 'USD', payerAmount?: PayerAmountInput, items?: list<LineItemInput>, acceptedTokens?: list<Token>, slug?: string, expiresAt?: string|null, maxPayments?: int|null, customFields?: list<CustomFieldInput>, thankYou?: string|null, thankYouUrl?: string|null}
 * @phpstan-type CreatePaymentRequest array{amount: int|float, currency: Currency, description?: string|null, items?: list<LineItemInput>, customerEmail?: string|null, locale?: Locale|null, metadata?: MetadataInput, acceptedTokens?: list<Token>, expiresInMinutes?: int}
 * @phpstan-type CreatePlanRequest array{name: string, amount: int|float, currency: Currency, interval: SubscriptionInterval, trialDays?: int, description?: string|null, token?: SubscriptionToken, network?: string}
 * @phpstan-type CreateRefundRequest array{amount: int|float|'surplus'|'all', reason: string, destinationAddress?: string, token?: Token, network?: string, otp?: string}
 * @phpstan-type CreateRoleRequest array{name: string, description: string, permissions: list<Permission>}
 * @phpstan-type CreateSandboxWalletRequest array{amount?: string}
 * @phpstan-type CreateWalletChallengeRequest array{purpose: ChallengePurpose, walletAddress: string, planId?: string, subscriptionId?: string}
 * @phpstan-type CreateWithdrawalRequest array{amount: int|float, method: WithdrawalMethod, bankAccountNumber?: string, bankName?: string, bankBranch?: string, destinationAddress?: string, network?: string, currency?: WithdrawalToken, otp?: string}
 * @phpstan-type CreatedRefund array{id: string, paymentId: string, status: RefundStatus, statusMessage: string|null, amount: int|float, currency: Currency, token: Token, network: string, tokenAmount: string, reason: string, offered: bool, destinationAddress: string|null, txHash: string|null, createdAt: string, finishedAt: string|null, claimUrl: string|null}
 * @phpstan-type Currency 'USD'|'LKR'
 * @phpstan-type CustomField array{key: string, label: string, kind: CustomFieldKind, required: bool, maxLength: int|null, minimum: int|null, maximum: int|null, options: list<string>}
 * @phpstan-type CustomFieldAnswer array{key: string, label: string, answer: string|int}
 * @phpstan-type CustomFieldAnswers array<string, string|int>
 * @phpstan-type CustomFieldInput array{key: string, label: string, kind: CustomFieldKind, required?: bool, maxLength?: int, minimum?: int, maximum?: int, options?: list<string>}
 * @phpstan-type CustomFieldKind 'text'|'number'|'choice'
 * @phpstan-type CustomerCharge array{number: int, periodStart: string, periodEnd: string, amount: int|float, currency: Currency, tokenAmount: string|null, token: SubscriptionToken, status: ChargeStatus, receiptUrl: string}
 * @phpstan-type CustomerSession array{token: string, walletAddress: string, networks: list<string>, expiresAt: string}
 * @phpstan-type CustomerSessionEnded array{walletAddress: string}
 * @phpstan-type CustomerSubscription array{id: string, url: string, merchantName: string, merchantContact: MerchantContact, merchantBrand: MerchantBrand, planName: string, amount: int|float, currency: Currency, interval: SubscriptionInterval, status: SubscriptionStatus, mandateStatus: MandateStatus, cancelReason: SubscriptionCancelReason|null, trialEnd: string|null, currentPeriodEnd: string, nextChargeAt: string|null, failureCode: ChargeFailureCode|null, isRetryable: bool, walletAddress: string, network: string, token: SubscriptionToken, charges: list<CustomerCharge>}
 * @phpstan-type CustomerSubscriptionList array{walletAddress: string, expiresAt: string, subscriptions: list<CustomerSubscription>, pagination: Pagination}
 * @phpstan-type DisableTwoFactorRequest array{password: string, otp: string}
 * @phpstan-type DisplayAmount array{amount: int|float, currency: Currency, rate: DisplayRate}
 * @phpstan-type DisplayRate array{value: string, source: string, quotedAt: string}
 * @phpstan-type EnableTwoFactorRequest array{otp: string}
 * @phpstan-type ErrorCode 'VALIDATION_ERROR'|'UNAUTHORIZED'|'FORBIDDEN'|'NOT_FOUND'|'METHOD_NOT_ALLOWED'|'PAYLOAD_TOO_LARGE'|'UNSUPPORTED_MEDIA_TYPE'|'PAYMENT_REQUIRED'|'CONFLICT'|'INSUFFICIENT_BALANCE'|'IDEMPOTENCY_IN_PROGRESS'|'EXPIRED'|'DISABLED'|'IDEMPOTENCY_KEY_REUSED'|'RATE_LIMITED'|'INTERNAL_ERROR'|'SERVICE_UNAVAILABLE'|'RATE_UNAVAILABLE'
 * @phpstan-type ErrorDetail array{code: ErrorCode, message: string, reason?: string, fields?: list<ErrorField>, requestId: string}
 * @phpstan-type ErrorField array{path: string, message: string}
 * @phpstan-type ErrorResponse array{error: ErrorDetail}
 * @phpstan-type EventEnvelope array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int}
 * @phpstan-type EventType 'payment.created'|'payment.pending'|'payment.confirming'|'payment.completed'|'payment.failed'|'payment.expired'|'payment.exception'|'payment.reverted'|'payment.reversed'|'payment.restored'|'checkout.session.completed'|'checkout.session.expired'|'payment_link.created'|'payment_link.updated'|'payment_link.expired'|'subscription.created'|'subscription.trial_will_end'|'subscription.activated'|'subscription.renewed'|'subscription.charge_failed'|'subscription.charge_reversed'|'subscription.charge_recovered'|'subscription.past_due'|'subscription.paused'|'subscription.cancelled'|'subscription.expired'|'withdrawal.created'|'withdrawal.approved'|'withdrawal.rejected'|'withdrawal.processing'|'withdrawal.completed'|'withdrawal.failed'|'withdrawal.reverted'|'refund.created'|'refund.pending'|'refund.processing'|'refund.completed'|'refund.cancelled'|'refund.failed'|'refund.reverted'|'merchant.status_changed'|'api_key.created'|'api_key.revoked'|'webhook.endpoint_disabled'
 * @phpstan-type ExportPayoutsRequest array{network: string, payoutIds?: list<string>, feeRate?: int}
 * @phpstan-type FailRefundRequest array{reason: string}
 * @phpstan-type FailRequest array{notes: string}
 * @phpstan-type FailWithdrawalRequest array{reason: string}
 * @phpstan-type FreezeMerchantRequest array{reason: string}
 * @phpstan-type GetSignedTransferQuery array{network: string, token: Token, payer: string, method?: SignMethod}
 * @phpstan-type GetStatementQuery array{page?: int, limit?: int, after?: string, before?: string}
 * @phpstan-type GuardedChange array{id: string, kind: ChangeKind, subjectId: string, changes: array<string, mixed>, status: ChangeStatus, needsApproval: bool, proposedBy: string, proposedAt: string, dueAt: string, expiresAt: string, approvedBy: string|null, approvedAt: string|null, endedAt: string|null, endedBy: string|null, reason: string|null}
 * @phpstan-type Incident array{id: string, kind: string, severity: IncidentSeverity, title: string, status: IncidentStatus, resourceType: string, subject: string, network: string|null, message: string, count: int, openedAt: string, lastSeenAt: string, acknowledgedAt: string|null, resolvedAt: string|null, meaning: string, effect: string, action: string, end: string, retry: string|null, detail: array<string, mixed>, acknowledgedBy: string|null, resolvedBy: string|null, note: string|null, alertedAt: string|null}
 * @phpstan-type IncidentList array{data: list<IncidentSummary>, pagination: Pagination}
 * @phpstan-type IncidentSeverity 'critical'|'warning'
 * @phpstan-type IncidentStatus 'open'|'acknowledged'|'resolved'
 * @phpstan-type IncidentSummary array{id: string, kind: string, severity: IncidentSeverity, title: string, status: IncidentStatus, resourceType: string, subject: string, network: string|null, message: string, count: int, openedAt: string, lastSeenAt: string, acknowledgedAt: string|null, resolvedAt: string|null}
 * @phpstan-type JsonWebKey array{kty: 'OKP', crv: 'Ed25519', x: string, kid: string, use: 'sig', alg: 'EdDSA'}
 * @phpstan-type JsonWebKeySet array{keys: list<JsonWebKey>}
 * @phpstan-type LedgerAccount 'pending'|'available'|'hold'|'suspense'|'debt'
 * @phpstan-type LedgerEntry array{id: string, journalId: string, account: LedgerAccount, kind: string, amount: string, currency: 'USD', paymentId: string|null, withdrawalId: string|null, createdAt: string}
 * @phpstan-type LedgerEntryList array{data: list<LedgerEntry>, pagination: Pagination}
 * @phpstan-type LineItem array{name: string, quantity: int, unitAmount: int|float}
 * @phpstan-type LineItemInput array{name: string, quantity?: int, unitAmount: int|float}
 * @phpstan-type ListAdminUsersQuery array{page?: int, limit?: int, after?: string, before?: string, status?: AdminUserStatus, roleId?: string}
 * @phpstan-type ListAuditLogsQuery array{page?: int, limit?: int, after?: string, before?: string, action?: string, resourceType?: string, actorId?: string, actorType?: AuditActorType, merchantId?: string, fromDate?: string, toDate?: string}
 * @phpstan-type ListChangesQuery array{page?: int, limit?: int, after?: string, before?: string, status?: ChangeStatus, kind?: ChangeKind}
 * @phpstan-type ListChargesQuery array{page?: int, limit?: int, after?: string, before?: string}
 * @phpstan-type ListCustomerSubscriptionsQuery array{merchantOf?: string, page?: int, limit?: int, after?: string, before?: string}
 * @phpstan-type ListEventsQuery array{after?: int, limit?: int}
 * @phpstan-type ListIncidentsQuery array{page?: int, limit?: int, after?: string, before?: string, status?: IncidentStatus, kind?: string, resource?: string, network?: string, since?: string}
 * @phpstan-type ListLedgerEntriesQuery array{page?: int, limit?: int, after?: string, before?: string, account?: LedgerAccount, fromDate?: string, toDate?: string}
 * @phpstan-type ListMerchantAuditLogsQuery array{page?: int, limit?: int, after?: string, before?: string, action?: string, resourceType?: string, fromDate?: string, toDate?: string}
 * @phpstan-type ListMerchantSessionsQuery array{page?: int, limit?: int, after?: string, before?: string}
 * @phpstan-type ListPaymentLinksQuery array{page?: int, limit?: int, after?: string, before?: string, status?: PaymentLinkStatus}
 * @phpstan-type ListPaymentsQuery array{page?: int, limit?: int, after?: string, before?: string, status?: PaymentStatus, exception?: 'underpaid'|'overpaid'|'late'|'wrong_token', waiting?: bool, source?: 'direct'|'link'|'session'|'subscription', linkId?: string, customerEmail?: string, currency?: Currency, minAmount?: int|float, maxAmount?: int|float, metadata?: array<string, string>, search?: string, fromDate?: string, toDate?: string}
 * @phpstan-type ListPayoutsQuery array{page?: int, limit?: int, after?: string, before?: string, kind?: 'withdrawal'|'refund', network?: string}
 * @phpstan-type ListPlansQuery array{page?: int, limit?: int, after?: string, before?: string, active?: bool}
 * @phpstan-type ListRefundsQuery array{page?: int, limit?: int, after?: string, before?: string, fromDate?: string, toDate?: string, status?: RefundStatus, paymentId?: string}
 * @phpstan-type ListStatementsQuery array{page?: int, limit?: int, after?: string, before?: string}
 * @phpstan-type ListSubscriptionsQuery array{page?: int, limit?: int, after?: string, before?: string, status?: SubscriptionStatus, planId?: string}
 * @phpstan-type ListWebhookDeliveriesQuery array{page?: int, limit?: int, after?: string, before?: string, status?: WebhookDeliveryStatus}
 * @phpstan-type ListWithdrawalsQuery array{page?: int, limit?: int, after?: string, before?: string, status?: WithdrawalStatus}
 * @phpstan-type Locale 'en'|'es'|'fr'|'si'|'ta'
 * @phpstan-type LoginAdminRequest array{email: string, password: string, otp?: string, deviceToken?: string}
 * @phpstan-type LoginMerchantRequest array{email: string, password: string, otp?: string, deviceToken?: string}
 * @phpstan-type Mandate array{id: string, payer: string, token: string, maxPerPeriod: string, period: int, start: int, end: int, carry: int, ref: string}
 * @phpstan-type MandateMessage array{payer: string, token: string, maxPerPeriod: string, period: int, start: int, end: int, carry: int, ref: string}
 * @phpstan-type MandateStatus 'pending'|'active'|'revoked'|'expired'
 * @phpstan-type MandateTerms array{mostPerCharge: string, mostAtOnce: string, mostInAll: string, windowDays: int, from: string, until: string}
 * @phpstan-type MandateTypedData array{types: array<string, list<TypedDataField>>, primaryType: string, domain: TypedDataDomain, message: MandateMessage}
 * @phpstan-type Merchant array{id: string, businessName: string, email: string, phone: string, businessType: BusinessType, status: MerchantStatus, statusReason: string|null, walletAddress: string|null, webhookUrl: string|null, twoFactorEnabled: bool, paymentToleranceBps: int|null, refundOffers: list<RefundOfferException>, refundOfferMinimum: int|float, supportEmail: string|null, supportUrl: string|null, website: string|null, brandColor: string|null, logoUrl: string|null, sendReceipts: bool, embedOrigins: list<string>, createdAt: string, updatedAt: string}
 * @phpstan-type MerchantAuthResult array{merchant: Merchant, token: string, refreshToken: string, expiresIn: int, deviceToken: string}
 * @phpstan-type MerchantBrand array{color: string|null, logoUrl: string|null}
 * @phpstan-type MerchantContact array{email: string|null, url: string|null, website: string|null}
 * @phpstan-type MerchantSession array{id: string, ipAddress: string, userAgent: string, current: bool, createdAt: string, lastUsedAt: string, expiresAt: string}
 * @phpstan-type MerchantSessionList array{data: list<MerchantSession>, pagination: Pagination}
 * @phpstan-type MerchantStatus 'pending_verification'|'active'|'rejected'|'frozen'|'terminated'
 * @phpstan-type MerchantStatusChange array{id: string, status: MerchantStatus, message: string}
 * @phpstan-type MerchantStatusChangedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'merchant.status_changed', data: Merchant}
 * @phpstan-type MerchantTokens array{token: string, refreshToken: string, expiresIn: int}
 * @phpstan-type MessageResponse array{message: string}
 * @phpstan-type Metadata array<string, mixed>
 * @phpstan-type MetadataInput array<string, string|int|float|bool>
 * @phpstan-type MineSandboxBlocksRequest array{blocks: int, network?: SandboxNetworkName}
 * @phpstan-type OwnAdmin array{id: string, email: string, name: string, role: RoleReference, permissions: list<Permission>, twoFactorEnabled: bool}
 * @phpstan-type Pagination array{page: int, limit: int, total: int, totalPages: int, next: string|null, previous: string|null, totalIsMinimum: bool}
 * @phpstan-type PaySandboxPaymentRequest array{token?: Token, network?: string, amount?: string, confirm?: bool}
 * @phpstan-type PaySandboxRefundRequest array{amount?: string, confirm?: bool}
 * @phpstan-type PaySandboxWithdrawalRequest array{token?: Token, amount?: string, confirm?: bool}
 * @phpstan-type PayerAmount array{min: int|float, max: int|float}
 * @phpstan-type PayerAmountInput array{min: int|float, max: int|float}
 * @phpstan-type Payment array{id: string, status: PaymentStatus, reason: PaymentReason|null, exception: PaymentException|null, amount: int|float, currency: Currency, cryptoAmount: string, cryptoAddress: string, token: Token, network: string, tokenAmount: string, paymentUri: string, options: list<PaymentOption>, amountReceived: int|float, amountDue: int|float, amountRefunded: int|float, tokenAmountDue: string, confirmations: PaymentConfirmations, transactions: list<PaymentTransaction>, txHash: string|null, rate: PaymentRate, qrCodeUrl: string, checkoutUrl: string, description: string|null, items: list<LineItem>, customerEmail: string|null, metadata: Metadata, customFields: list<CustomFieldAnswer>, paymentLinkId: string|null, sessionId: string|null, subscriptionId: string|null, chargeId: string|null, paidAt: string|null, expiresAt: string, createdAt: string}
 * @phpstan-type PaymentCompletedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.completed', data: Payment}
 * @phpstan-type PaymentConfirmations array{seen: int, required: int}
 * @phpstan-type PaymentConfirmingEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.confirming', data: Payment}
 * @phpstan-type PaymentCreatedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.created', data: Payment}
 * @phpstan-type PaymentDetail array{id: string, status: PaymentStatus, reason: PaymentReason|null, exception: PaymentException|null, amount: int|float, currency: Currency, cryptoAmount: string, cryptoAddress: string, token: Token, network: string, tokenAmount: string, paymentUri: string, options: list<PaymentOption>, amountReceived: int|float, amountDue: int|float, amountRefunded: int|float, tokenAmountDue: string, confirmations: PaymentConfirmations, transactions: list<PaymentTransaction>, txHash: string|null, rate: PaymentRate, qrCodeUrl: string, checkoutUrl: string, description: string|null, items: list<LineItem>, customerEmail: string|null, metadata: Metadata, customFields: list<CustomFieldAnswer>, paymentLinkId: string|null, sessionId: string|null, subscriptionId: string|null, chargeId: string|null, paidAt: string|null, expiresAt: string, createdAt: string, refunds: list<Refund>}
 * @phpstan-type PaymentException 'underpaid'|'overpaid'|'late'|'wrong_token'
 * @phpstan-type PaymentExceptionEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.exception', data: Payment}
 * @phpstan-type PaymentExpiredEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.expired', data: Payment}
 * @phpstan-type PaymentFailedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.failed', data: Payment}
 * @phpstan-type PaymentInstructions array{version: int, paymentId: string, merchantId: string, merchantName: string, network: string, chainId: int|null, token: Token, contract: string|null, decimals: int, address: string, amount: string, holdsUntil: string, expiresAt: string, issuedAt: string, livemode: bool}
 * @phpstan-type PaymentLink array{id: string, merchantId: string, title: string, description: string|null, amount: int|float, currency: 'USD', payerAmount: PayerAmount|null, items: list<LineItem>, acceptedTokens: list<Token>, slug: string, url: string, status: PaymentLinkStatus, totalPaid: int|float, paymentCount: int, maxPayments: int|null, customFields: list<CustomField>, thankYou: string|null, thankYouUrl: string|null, expiresAt: string|null, createdAt: string, updatedAt: string}
 * @phpstan-type PaymentLinkCreatedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment_link.created', data: PaymentLink}
 * @phpstan-type PaymentLinkExpiredEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment_link.expired', data: PaymentLink}
 * @phpstan-type PaymentLinkList array{data: list<PaymentLinkSummary>, pagination: Pagination}
 * @phpstan-type PaymentLinkStatus 'active'|'expired'|'disabled'
 * @phpstan-type PaymentLinkSummary array{id: string, title: string, amount: int|float, currency: 'USD', slug: string, url: string, status: PaymentLinkStatus, totalPaid: int|float, paymentCount: int, maxPayments: int|null, expiresAt: string|null, createdAt: string}
 * @phpstan-type PaymentLinkUpdatedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment_link.updated', data: PaymentLink}
 * @phpstan-type PaymentList array{payments: list<PaymentSummary>, pagination: Pagination}
 * @phpstan-type PaymentOption array{token: Token, network: string, chainId: int|null, amount: string, address: string, paymentUri: string, contract: string|null, decimals: int, quote: PaymentQuote|null, unavailable: bool}
 * @phpstan-type PaymentPendingEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.pending', data: Payment}
 * @phpstan-type PaymentQuote array{rate: string, source: string, quotedAt: string, expiresAt: string}
 * @phpstan-type PaymentRate array{value: string, source: string, quotedAt: string}
 * @phpstan-type PaymentReason 'cancelled'|'not_confirmed'
 * @phpstan-type PaymentRestoredEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.restored', data: Payment}
 * @phpstan-type PaymentReversedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.reversed', data: Payment}
 * @phpstan-type PaymentRevertedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'payment.reverted', data: Payment}
 * @phpstan-type PaymentStatus 'initiated'|'pending'|'confirming'|'paid'|'failed'|'expired'
 * @phpstan-type PaymentSummary array{id: string, status: PaymentStatus, reason: PaymentReason|null, exception: PaymentException|null, amount: int|float, currency: Currency, cryptoAmount: string, description: string|null, customerEmail: string|null, paidAt: string|null, createdAt: string}
 * @phpstan-type PaymentTimeline array{data: list<PaymentTimelineEntry>}
 * @phpstan-type PaymentTimelineEntry array{at: string, type: string, text: string, status: PaymentStatus|null, txHash: string|null}
 * @phpstan-type PaymentTransaction array{hash: string, network: string, token: Token, amount: string, confirmations: int, block: int, blockTime: string, worth: TransferWorth|null, value: int|float, astray: 'token'|'network'|'again'|'closed'|null, internal: bool}
 * @phpstan-type Payout array{kind: 'withdrawal'|'refund', id: string, status: 'approved'|'pending'|'processing', merchantId: string, merchantName: string, merchantStatus: MerchantStatus, network: string, token: string, tokenAmount: string, worth: int|float, destinationAddress: string|null, createdAt: string, waitingSince: string, ageSeconds: int}
 * @phpstan-type PayoutExport array{network: string, payouts: list<Payout>, refused: list<RefusedPayout>, csv: string, safe: SafeBatch|null, psbt: PsbtFile|null}
 * @phpstan-type PayoutList array{payouts: list<Payout>, pagination: Pagination}
 * @phpstan-type Permission 'merchants.view'|'merchants.approve'|'merchants.reject'|'merchants.freeze'|'merchants.terminate'|'withdrawals.view'|'withdrawals.manage'|'settings.view'|'settings.update'|'users.view'|'users.manage'|'roles.view'|'roles.manage'|'audit_logs.view'|'incidents.view'|'incidents.manage'
 * @phpstan-type PermissionEntry array{name: Permission, description: string}
 * @phpstan-type PermissionList array{data: list<PermissionEntry>}
 * @phpstan-type PermitToSign array{nonce: string, typedData: array<string, mixed>}
 * @phpstan-type Plan array{id: string, name: string, amount: int|float, currency: Currency, interval: SubscriptionInterval, trialDays: int, description: string|null, active: bool, subscriberCount: int, token: SubscriptionToken, network: string, url: string, createdAt: string}
 * @phpstan-type PlanList array{plans: list<Plan>, pagination: Pagination}
 * @phpstan-type PlanSubscription array{id: string, url: string, isNew: bool}
 * @phpstan-type PlatformSettings array{version: int, allowPendingMerchantsToCollect: bool, paymentFeeBps: int, paymentToleranceBps: int, paymentToleranceMax: string, rateSpreadBps: int, paymentExpiryMinutes: int, lateWindowHours: int, confirmations: array<string, int>, manualRates: array<string, string>, withdrawalMin: string, withdrawalMax: string, withdrawalDailyMax: string, withdrawalMaxOpen: int, withdrawalFees: WithdrawalFees, refundDailyMax: string, fourEyesThreshold: string|null, changeDelayHours: int, verifyPayoutOnChain: bool, payoutWallets: list<string>, offRampAddress: string|null, relayMinAmount: string|null, relayDailyMax: int, mandateDeadlineHours: int, webhookRetentionDays: int, auditRetentionDays: int|null, updatedAt: string|null, pendingChanges: list<GuardedChange>}
 * @phpstan-type ProcessRefundRequest array{notes?: string}
 * @phpstan-type ProcessWithdrawalRequest array{notes?: string}
 * @phpstan-type PsbtFile array{psbt: string, txHash: string, fee: string, feeRate: int}
 * @phpstan-type PublicCheckoutSession array{id: string, status: CheckoutSessionStatus, amount: int|float, currency: Currency, merchantName: string, paymentId: string, checkoutUrl: string, successUrl: string, cancelUrl: string, expiresAt: string, livemode: bool}
 * @phpstan-type PublicPayment array{id: string, status: PaymentStatus, reason: PaymentReason|null, exception: PaymentException|null, merchantName: string, merchantContact: MerchantContact, merchantBrand: MerchantBrand, merchantCollects: bool, embedOrigins: list<string>, amount: int|float, currency: Currency, description: string|null, items: list<LineItem>, rate: PaymentRate, token: Token, network: string, tokenAmount: string, cryptoAmount: string, cryptoAddress: string, paymentUri: string, options: list<PaymentOption>, amountReceived: int|float, amountDue: int|float, amountRefunded: int|float, refundOffer: RefundOffer|null, tokenAmountDue: string, confirmations: PaymentConfirmations, transactions: list<PaymentTransaction>, replaced: list<ReplacedTransfer>, expiresAt: string, paidAt: string|null, successUrl: string|null, cancelUrl: string|null, thankYou: string|null, thankYouUrl: string|null, sessionId: string|null, linkSlug: string|null, qrCodeUrl: string, livemode: bool}
 * @phpstan-type PublicPaymentLink array{id: string, title: string, description: string|null, amount: int|float, currency: 'USD', displayAmount: DisplayAmount|null, payerAmount: PayerAmount|null, items: list<LineItem>, acceptedTokens: list<Token>, slug: string, url: string, merchantName: string, merchantBrand: MerchantBrand, merchantCollects: bool, embedOrigins: list<string>, customFields: list<CustomField>, maxPayments: int|null, paymentsLeft: int|null, paymentsOpen: int|null, status: PaymentLinkStatus, expiresAt: string|null, livemode: bool}
 * @phpstan-type PublicPlan array{id: string, merchantName: string, merchantContact: MerchantContact, merchantBrand: MerchantBrand, name: string, description: string|null, amount: int|float, currency: Currency, interval: SubscriptionInterval, trialDays: int, active: bool, token: SubscriptionToken, network: string, chainId: int|null, livemode: bool}
 * @phpstan-type PublicRefund array{status: RefundStatus, merchantName: string, merchantContact: MerchantContact, merchantBrand: MerchantBrand, paymentId: string, paymentAmount: int|float, amount: int|float, currency: Currency, token: Token, network: string, tokenAmount: string, reason: string, destinationAddress: string|null, isChangeable: bool, isProven: bool, wallet: RefundWallet|null, txHash: string|null, createdAt: string, livemode: bool}
 * @phpstan-type PublicSubscription array{id: string, merchantName: string, merchantContact: MerchantContact, merchantBrand: MerchantBrand, merchantCollects: bool, planName: string, description: string|null, amount: int|float, currency: Currency, interval: SubscriptionInterval, status: SubscriptionStatus, cancelReason: SubscriptionCancelReason|null, trialEnd: string|null, firstChargeAt: string, nextChargeAt: string|null, currentPeriodEnd: string, paidUntil: string|null, walletAddress: string, network: string, chainId: int, token: SubscriptionToken, tokenContract: string, tokenDecimals: int, collector: string, mandateStatus: MandateStatus, agreeBy: AgreementMethod, submittedAt: string|null, failureCode: ChargeFailureCode|null, mandate: Mandate, typedData: MandateTypedData|null, terms: MandateTerms, allowance: TokenAllowance, livemode: bool}
 * @phpstan-type QuoteWithdrawalQuery array{amount: int|float, method: WithdrawalMethod, network?: string, currency?: WithdrawalToken}
 * @phpstan-type RecordedEvent array{position: int|null, id: string, type: EventType, createdAt: string, previousHash: string|null, hash: string|null, body: string, pruned: bool}
 * @phpstan-type RecoverWebhooksRequest array{since: string}
 * @phpstan-type RefreshAdminSessionRequest array{refreshToken: string}
 * @phpstan-type RefreshMerchantSessionRequest array{refreshToken: string}
 * @phpstan-type Refund array{id: string, paymentId: string, status: RefundStatus, statusMessage: string|null, amount: int|float, currency: Currency, token: Token, network: string, tokenAmount: string, reason: string, offered: bool, destinationAddress: string|null, txHash: string|null, createdAt: string, finishedAt: string|null}
 * @phpstan-type RefundCancelledEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'refund.cancelled', data: Refund}
 * @phpstan-type RefundCompletedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'refund.completed', data: Refund}
 * @phpstan-type RefundCreatedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'refund.created', data: Refund}
 * @phpstan-type RefundFailedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'refund.failed', data: Refund}
 * @phpstan-type RefundList array{refunds: list<Refund>, pagination: Pagination}
 * @phpstan-type RefundOffer array{amount: int|float, currency: Currency, token: Token, network: string, tokenAmount: string, isEstimate: bool}
 * @phpstan-type RefundOfferException 'underpaid'|'overpaid'|'late'|'wrong_token'
 * @phpstan-type RefundPendingEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'refund.pending', data: Refund}
 * @phpstan-type RefundProcessingEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'refund.processing', data: Refund}
 * @phpstan-type RefundRevertedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'refund.reverted', data: Refund}
 * @phpstan-type RefundStatus 'awaiting_claim'|'pending'|'processing'|'completed'|'cancelled'|'failed'
 * @phpstan-type RefundWallet array{address: string, message: string}
 * @phpstan-type RefusedPayout array{id: string, code: string, reason: string|null, message: string}
 * @phpstan-type RegisterMerchantRequest array{businessName: string, email: string, password: string, phone: string, businessType: BusinessType}
 * @phpstan-type RejectMerchantRequest array{reason: string}
 * @phpstan-type RejectWithdrawalRequest array{reason: string}
 * @phpstan-type RelayReason 'balance'|'spent'|'changed'|'too_late'|'token'|'allowance'|'wallet'
 * @phpstan-type RelayStatus 'to_approve'|'to_sign'|'signed'|'sent'|'done'|'reverted'|'refused'
 * @phpstan-type RenewRefundClaimRequest array{otp?: string}
 * @phpstan-type ReorgSandboxChainRequest array{depth: int, keepTransactions?: bool, network?: SandboxNetworkName}
 * @phpstan-type ReplaceSandboxTransferRequest array{txHash?: string, by: 'same_address'|'other_address'|'double_spend'|'nothing'}
 * @phpstan-type ReplacedTransfer array{hash: string, network: string, by: string|null, undone: bool, at: string}
 * @phpstan-type ResolveIncidentRequest array{note: string}
 * @phpstan-type ResolvePaymentRequest array{action: 'accept'|'refund', reason?: string, otp?: string}
 * @phpstan-type ResolvedPayment array{id: string, status: PaymentStatus, reason: PaymentReason|null, exception: PaymentException|null, amount: int|float, currency: Currency, cryptoAmount: string, cryptoAddress: string, token: Token, network: string, tokenAmount: string, paymentUri: string, options: list<PaymentOption>, amountReceived: int|float, amountDue: int|float, amountRefunded: int|float, tokenAmountDue: string, confirmations: PaymentConfirmations, transactions: list<PaymentTransaction>, txHash: string|null, rate: PaymentRate, qrCodeUrl: string, checkoutUrl: string, description: string|null, items: list<LineItem>, customerEmail: string|null, metadata: Metadata, customFields: list<CustomFieldAnswer>, paymentLinkId: string|null, sessionId: string|null, subscriptionId: string|null, chargeId: string|null, paidAt: string|null, expiresAt: string, createdAt: string, refundsMade: list<CreatedRefund>}
 * @phpstan-type Role array{id: string, name: string, description: string, permissions: list<Permission>, createdAt: string, updatedAt: string}
 * @phpstan-type RoleList array{data: list<Role>}
 * @phpstan-type RoleReference array{id: string, name: string}
 * @phpstan-type RotateApiKeyRequest array{overlapHours?: int, otp?: string}
 * @phpstan-type RotateWebhookKeysRequest array{gracePeriodSeconds?: int}
 * @phpstan-type SafeBatch array{version: '1.0', chainId: string, createdAt: int, meta: SafeBatchMeta, transactions: list<SafeTransaction>}
 * @phpstan-type SafeBatchMeta array{name: string, description: string}
 * @phpstan-type SafeTransaction array{to: string, value: string, data: string}
 * @phpstan-type SandboxChainHead array{network: string, blockNumber: int, blockHash: string, blockTime: string}
 * @phpstan-type SandboxClock array{now: string, offsetMs: int}
 * @phpstan-type SandboxCustomer array{subscription: Subscription, wallet: SandboxWallet}
 * @phpstan-type SandboxInfo array{networks: list<SandboxNetwork>, missing: list<SandboxMissingNetwork>, mnemonic: string}
 * @phpstan-type SandboxMissingNetwork array{network: string, message: string}
 * @phpstan-type SandboxNetwork array{network: string, chainId: int|null, rpcUrl: string, confirmations: int, factory: string|null, collector: string|null, treasury: string|null, tokens: list<SandboxToken>}
 * @phpstan-type SandboxNetworkName string
 * @phpstan-type SandboxPayout array{withdrawalId: string, txHash: string, network: string, token: Token, amount: string, from: string, to: string, block: int}
 * @phpstan-type SandboxRefundPayout array{refundId: string, txHash: string, network: string, token: Token, amount: string, from: string, to: string, block: int}
 * @phpstan-type SandboxReplacement array{paymentId: string, network: string, replacedTxHash: string, txHash: string|null, block: int}
 * @phpstan-type SandboxToken array{token: Token, contract: string|null, decimals: int}
 * @phpstan-type SandboxTokenAmount string
 * @phpstan-type SandboxTransfer array{paymentId: string, txHash: string, network: string, token: Token, amount: string, from: string, to: string, block: int}
 * @phpstan-type SandboxWallet array{address: string, privateKey: string, network: string, balances: list<SandboxWalletBalance>}
 * @phpstan-type SandboxWalletBalance array{token: Token, contract: string|null, amount: string}
 * @phpstan-type SandboxWalletState array{address: string, network: string, token: Token, balance: string, allowance: string}
 * @phpstan-type SealedEvent array{position: int, id: string, type: EventType, createdAt: string, previousHash: string, hash: string, body: string, pruned: bool}
 * @phpstan-type SealedEventList array{data: list<SealedEvent>, hasMore: bool}
 * @phpstan-type SelectPaymentOptionRequest array{token: Token, network: string}
 * @phpstan-type SetUpTwoFactorRequest array{password: string}
 * @phpstan-type SettlementBalance array{availableBalance: int|float, pendingBalance: int|float, heldBalance: int|float, totalEarned: int|float, owed: int|float, suspense: int|float, currency: 'USD'}
 * @phpstan-type SignMethod 'erc3009'|'permit2'
 * @phpstan-type SignedInstructions array{jws: string, keyId: string, keysUrl: string, code: string, verifyUrl: string, instructions: PaymentInstructions}
 * @phpstan-type SignedPermit array{nonce: string, signature: string}
 * @phpstan-type SignedTransfer array{paymentId: string, network: string, token: Token, payer: string, recipient: string, amount: string, validBefore: string, method: SignMethod, typedData: array<string, mixed>, permit: PermitToSign|null, status: RelayStatus, reason: RelayReason|null, transactionHash: string|null}
 * @phpstan-type StartPaymentLinkPaymentRequest array{amount?: int|float, customerEmail?: string|null, customFields?: CustomFieldAnswers}
 * @phpstan-type Statement array{id: string, month: string, final: bool, currency: 'USD', opening: AccountAmounts, totals: StatementTotals, closing: AccountAmounts, movements: list<StatementMovement>, pagination: Pagination}
 * @phpstan-type StatementList array{data: list<StatementSummary>, pagination: Pagination}
 * @phpstan-type StatementMovement array{id: string, kind: string, paymentId: string|null, withdrawalId: string|null, refundId: string|null, value: string, fee: string, amounts: AccountAmounts, transfer: StatementTransfer|null, createdAt: string}
 * @phpstan-type StatementPrice array{value: string, source: string, quotedAt: string}
 * @phpstan-type StatementSummary array{id: string, month: string, final: bool, currency: 'USD', opening: AccountAmounts, totals: StatementTotals, closing: AccountAmounts}
 * @phpstan-type StatementTotals array{received: string, fees: string, reversals: string, refunds: string, payouts: string, payoutFees: string, other: string}
 * @phpstan-type StatementTransfer array{hash: string|null, network: string, token: Token, amount: string, fiatAmount: int|float|null, fiatCurrency: Currency|null, rate: PaymentRate|null, price: StatementPrice|null}
 * @phpstan-type SubmitAuthorizationRequest array{token: Token, network: string, payer: string, signature: string, method?: SignMethod, permit?: SignedPermit}
 * @phpstan-type SubmitMandateRequest array{signature: string}
 * @phpstan-type SubscribeByWalletRequest array{challengeId: string, signature: string, customerEmail: string, customerName: string}
 * @phpstan-type SubscribeSandboxCustomerRequest array{customerEmail?: string, customerName?: string, amount?: string, authorize?: bool}
 * @phpstan-type SubscribeToPlanRequest array{customerEmail: string, customerName: string, walletAddress: string}
 * @phpstan-type SubscribedBy 'merchant'|'customer'
 * @phpstan-type Subscription array{id: string, planId: string, planName: string, amount: int|float, currency: Currency, interval: SubscriptionInterval, customerEmail: string, customerName: string, walletAddress: string, status: SubscriptionStatus, currentPeriodStart: string, currentPeriodEnd: string, trialEnd: string|null, cancelledAt: string|null, cancelReason: SubscriptionCancelReason|null, token: SubscriptionToken, network: string, mandateStatus: MandateStatus, authorizeUrl: string, nextChargeAt: string|null, failureCode: ChargeFailureCode|null, nextRetryAt: string|null, earliestChargeAt: string|null, latestChargeId: string|null, subscribedBy: SubscribedBy, createdAt: string}
 * @phpstan-type SubscriptionActivatedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.activated', data: Subscription}
 * @phpstan-type SubscriptionCancelReason 'requested'|'customer_requested'|'not_authorized'|'payment_failed'|'merchant_terminated'
 * @phpstan-type SubscriptionCancellation array{id: string, status: 'cancelled', cancelledAt: string, currentPeriodEnd: string, message: string}
 * @phpstan-type SubscriptionCancelledEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.cancelled', data: Subscription}
 * @phpstan-type SubscriptionChargeFailedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.charge_failed', data: Subscription}
 * @phpstan-type SubscriptionChargeRecoveredEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.charge_recovered', data: Subscription}
 * @phpstan-type SubscriptionChargeReversedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.charge_reversed', data: Subscription}
 * @phpstan-type SubscriptionCreatedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.created', data: Subscription}
 * @phpstan-type SubscriptionExpiredEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.expired', data: Subscription}
 * @phpstan-type SubscriptionInterval 'daily'|'weekly'|'monthly'|'yearly'
 * @phpstan-type SubscriptionList array{subscriptions: list<SubscriptionSummary>, pagination: Pagination}
 * @phpstan-type SubscriptionPastDueEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.past_due', data: Subscription}
 * @phpstan-type SubscriptionPausedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.paused', data: Subscription}
 * @phpstan-type SubscriptionRenewedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.renewed', data: Subscription}
 * @phpstan-type SubscriptionStatus 'active'|'trialing'|'past_due'|'cancelled'|'expired'
 * @phpstan-type SubscriptionSummary array{id: string, planId: string, planName: string, customerEmail: string, customerName: string, status: SubscriptionStatus, currentPeriodStart: string, currentPeriodEnd: string, mandateStatus: MandateStatus, subscribedBy: SubscribedBy, createdAt: string}
 * @phpstan-type SubscriptionToken 'USDT'|'USDC'
 * @phpstan-type SubscriptionTrialWillEndEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'subscription.trial_will_end', data: Subscription}
 * @phpstan-type TakenRefundOffer array{claimUrl: string}
 * @phpstan-type TerminateMerchantRequest array{reason: string, otp?: string}
 * @phpstan-type Token 'USDT'|'USDC'|'ETH'|'BTC'
 * @phpstan-type TokenAllowance array{recommended: string}
 * @phpstan-type TransferWorth array{amount: string, rate: string, source: string, quotedAt: string}
 * @phpstan-type TwoFactorRecoveryCodes array{recoveryCodes: list<string>}
 * @phpstan-type TwoFactorSetup array{secret: string, otpauthUri: string, expiresAt: string}
 * @phpstan-type TypedDataDomain array{name: string, version: string, chainId: int, verifyingContract: string}
 * @phpstan-type TypedDataField array{name: string, type: string}
 * @phpstan-type UnfreezeMerchantRequest array{reason?: string}
 * @phpstan-type UpdateAdminUserRequest array{name?: string, email?: string, roleId?: string, password?: string, otp?: string}
 * @phpstan-type UpdateMerchantRequest array{businessName?: string, phone?: string, walletAddress?: string|null, webhookUrl?: string|null, businessType?: BusinessType, paymentToleranceBps?: int|null, refundOffers?: list<RefundOfferException>, refundOfferMinimum?: int|float, supportEmail?: string|null, supportUrl?: string|null, website?: string|null, brandColor?: string|null, logo?: string|null, sendReceipts?: bool, embedOrigins?: list<string>, otp?: string}
 * @phpstan-type UpdatePaymentLinkRequest array{title?: string, description?: string|null, status?: 'active'|'disabled', expiresAt?: string|null, maxPayments?: int|null, customFields?: list<CustomFieldInput>, thankYou?: string|null, thankYouUrl?: string|null}
 * @phpstan-type UpdatePlanRequest array{name?: string, description?: string|null, active?: bool, amount?: int|float, currency?: Currency, interval?: SubscriptionInterval, trialDays?: int, token?: SubscriptionToken, network?: string}
 * @phpstan-type UpdateRoleRequest array{name?: string, description?: string, permissions?: list<Permission>, otp?: string}
 * @phpstan-type UpdateSandboxWalletRequest array{token?: Token, balance?: SandboxTokenAmount, allowance?: SandboxTokenAmount}
 * @phpstan-type UpdateSettingsRequest array{version: int, otp?: string, allowPendingMerchantsToCollect?: bool, paymentFeeBps?: int, paymentToleranceBps?: int, paymentToleranceMax?: string, rateSpreadBps?: int, paymentExpiryMinutes?: int, lateWindowHours?: int, confirmations?: array<string, int>, manualRates?: array<string, string>, withdrawalMin?: string, withdrawalMax?: string, withdrawalDailyMax?: string, withdrawalMaxOpen?: int, withdrawalFees?: WithdrawalFeesInput, refundDailyMax?: string, fourEyesThreshold?: string|null, changeDelayHours?: int, verifyPayoutOnChain?: bool, payoutWallets?: list<string>, offRampAddress?: string|null, relayMinAmount?: string|null, relayDailyMax?: int, mandateDeadlineHours?: int, webhookRetentionDays?: int, auditRetentionDays?: null}
 * @phpstan-type UpdateWebhookEndpointRequest array{url?: string|null, eventTypes?: list<EventType>|null, status?: WebhookEndpointStatus}
 * @phpstan-type VerifyWebhookRequest array{headers: array<string, string>, body: string, receivedAt?: string}
 * @phpstan-type WalletChallenge array{id: string, message: string, expiresAt: string}
 * @phpstan-type WebhookAttempt array{attempt: int, url: string, statusCode: int|null, failure: string|null, responseTime: int, responseBody: string|null, startedAt: string}
 * @phpstan-type WebhookBodyDifference array{offset: int, sent: string, received: string}
 * @phpstan-type WebhookCertification array{id: string, url: string, status: WebhookCertificationStatus, verdict: 'passed'|'failed'|null, checks: list<WebhookCertificationCheck>, createdAt: string, finishedAt: string|null}
 * @phpstan-type WebhookCertificationCheck array{name: string, title: string, status: 'pending'|'passed'|'warning'|'failed'|'skipped', expected: string, observed: string|null, advice: string|null}
 * @phpstan-type WebhookCertificationStatus 'running'|'completed'|'interrupted'
 * @phpstan-type WebhookDelivery array{id: string, eventId: string, event: EventType, url: string, status: WebhookDeliveryStatus, statusCode: int|null, failure: string|null, responseTime: int, attempts: int, nextAttemptAt: string|null, redeliveryOf: string|null, createdAt: string}
 * @phpstan-type WebhookDeliveryDetail array{id: string, eventId: string, event: EventType, url: string, status: WebhookDeliveryStatus, statusCode: int|null, failure: string|null, responseTime: int, attempts: int, nextAttemptAt: string|null, redeliveryOf: string|null, createdAt: string, attemptLog: list<WebhookAttempt>, payload: string}
 * @phpstan-type WebhookDeliveryList array{deliveries: list<WebhookDelivery>, pagination: Pagination}
 * @phpstan-type WebhookDeliveryStatus 'success'|'failed'|'pending'
 * @phpstan-type WebhookEndpoint array{url: string|null, eventTypes: list<EventType>|null, status: WebhookEndpointStatus, disabledReason: 'merchant'|'gone'|'failing'|null, failingSince: string|null, updatedAt: string|null}
 * @phpstan-type WebhookEndpointDisabledEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'webhook.endpoint_disabled', data: WebhookEndpoint}
 * @phpstan-type WebhookEndpointStatus 'enabled'|'disabled'
 * @phpstan-type WebhookEvent PaymentCreatedEvent|PaymentPendingEvent|PaymentConfirmingEvent|PaymentCompletedEvent|PaymentFailedEvent|PaymentExpiredEvent|PaymentExceptionEvent|PaymentRevertedEvent|PaymentReversedEvent|PaymentRestoredEvent|CheckoutSessionCompletedEvent|CheckoutSessionExpiredEvent|PaymentLinkCreatedEvent|PaymentLinkUpdatedEvent|PaymentLinkExpiredEvent|SubscriptionCreatedEvent|SubscriptionTrialWillEndEvent|SubscriptionActivatedEvent|SubscriptionRenewedEvent|SubscriptionChargeFailedEvent|SubscriptionChargeReversedEvent|SubscriptionChargeRecoveredEvent|SubscriptionPastDueEvent|SubscriptionPausedEvent|SubscriptionCancelledEvent|SubscriptionExpiredEvent|WithdrawalCreatedEvent|WithdrawalApprovedEvent|WithdrawalRejectedEvent|WithdrawalProcessingEvent|WithdrawalCompletedEvent|WithdrawalFailedEvent|WithdrawalRevertedEvent|RefundCreatedEvent|RefundPendingEvent|RefundProcessingEvent|RefundCompletedEvent|RefundCancelledEvent|RefundFailedEvent|RefundRevertedEvent|MerchantStatusChangedEvent|ApiKeyCreatedEvent|ApiKeyRevokedEvent
 * @phpstan-type WebhookKey array{id: string, publicKey: string, status: 'active'|'retiring', createdAt: string, expiresAt: string|null}
 * @phpstan-type WebhookKeyList array{data: list<WebhookKey>}
 * @phpstan-type WebhookRecovery array{recovered: int, more: bool, next: string|null}
 * @phpstan-type WebhookTestResult array{success: bool, statusCode: int|null, responseTime: int, deliveryId: string}
 * @phpstan-type WebhookVerification array{valid: bool, reason: string|null, message: string, checks: list<WebhookVerificationCheck>, difference: WebhookBodyDifference|null}
 * @phpstan-type WebhookVerificationCheck array{name: string, status: 'passed'|'failed'|'skipped', message: string}
 * @phpstan-type Withdrawal array{id: string, amount: int|float, fee: int|float, netAmount: int|float, status: WithdrawalStatus, statusReason: WithdrawalStatusReason|null, statusMessage: string|null, method: WithdrawalMethod, bankAccountNumber: string|null, bankName: string|null, bankBranch: string|null, currency: WithdrawalToken, network: string, destinationAddress: string|null, txHash: string|null, reference: string|null, createdAt: string, processedAt: string|null}
 * @phpstan-type WithdrawalApprovedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'withdrawal.approved', data: Withdrawal}
 * @phpstan-type WithdrawalCompletedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'withdrawal.completed', data: Withdrawal}
 * @phpstan-type WithdrawalCompletion array{id: string, status: AdminWithdrawalStatus, txHash: string, reference: string|null, completedAt: string, message: string}
 * @phpstan-type WithdrawalCreatedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'withdrawal.created', data: Withdrawal}
 * @phpstan-type WithdrawalFailedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'withdrawal.failed', data: Withdrawal}
 * @phpstan-type WithdrawalFailure array{id: string, status: AdminWithdrawalStatus, failedAt: string, message: string}
 * @phpstan-type WithdrawalFailureAsked array{id: string, status: AdminWithdrawalStatus, failRequestedBy: string, failRequestedAt: string, message: string}
 * @phpstan-type WithdrawalFees array{bank: BankWithdrawalFee, networks: array<string, string>}
 * @phpstan-type WithdrawalFeesInput array{bank: BankWithdrawalFeeInput, networks: array<string, string>}
 * @phpstan-type WithdrawalList array{withdrawals: list<Withdrawal>, pagination: Pagination}
 * @phpstan-type WithdrawalMethod 'bank'|'crypto'
 * @phpstan-type WithdrawalProcessing array{id: string, status: AdminWithdrawalStatus, processingAt: string, message: string}
 * @phpstan-type WithdrawalProcessingEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'withdrawal.processing', data: Withdrawal}
 * @phpstan-type WithdrawalQuote array{amount: int|float, fee: int|float, netAmount: int|float, method: WithdrawalMethod, currency: WithdrawalToken, network: string, availableBalance: int|float, minAmount: int|float, maxAmount: int|float, dailyRemaining: int|float, openRemaining: int}
 * @phpstan-type WithdrawalRejectedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'withdrawal.rejected', data: Withdrawal}
 * @phpstan-type WithdrawalRevertedEvent array{id: string, timestamp: string, livemode: bool, merchantId: string, sequence: int, type: 'withdrawal.reverted', data: Withdrawal}
 * @phpstan-type WithdrawalReview array{id: string, status: AdminWithdrawalStatus, reviewedBy: string, reviewedAt: string, message: string}
 * @phpstan-type WithdrawalStatus 'pending'|'approved'|'rejected'|'completed'
 * @phpstan-type WithdrawalStatusReason 'processing'|'cancelled'|'declined'|'failed'
 * @phpstan-type WithdrawalToken 'USDT'|'USDC'
 */
final class Types
{
    /** Fields of what is sent that are objects, also when they are empty. */
    public const OBJECTS = [
        'bank',
        'confirmations',
        'headers',
        'manualRates',
        'metadata',
        'networks',
        'payerAmount',
        'permit',
        'withdrawalFees',
    ];
}
