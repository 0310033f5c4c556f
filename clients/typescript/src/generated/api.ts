// Written by `npm run generate` from openapi/; never edited.

import type { AccountAmounts, AcknowledgeIncidentRequest, AdminAuditLogEntry, AdminAuditLogEntryList, AdminAuthResult, AdminListMerchantsQuery, AdminListWithdrawalsQuery, AdminMerchant, AdminMerchantList, AdminMerchantSummary, AdminRefund, AdminTokens, AdminUser, AdminUserCreated, AdminUserList, AdminUserStatus, AdminUserStatusChange, AdminUserSummary, AdminWithdrawal, AdminWithdrawalList, AdminWithdrawalStatus, AdminWithdrawalSummary, AdvanceSandboxClockRequest, AgreementMethod, AlertChannel, ApiKey, ApiKeyCreated, ApiKeyCreatedEvent, ApiKeyList, ApiKeyRevokedEvent, ApiKeyScope, ApproveChangeRequest, ApproveWithdrawalRequest, AuditActorType, AuditLogEntry, AuditLogEntryList, BankWithdrawalFee, BankWithdrawalFeeInput, BusinessType, CancelByWalletRequest, CancelChangeRequest, ChallengePurpose, ChangeAdminPasswordRequest, ChangeAdminStatusRequest, ChangeKind, ChangeList, ChangeMerchantPasswordRequest, ChangeStatus, Charge, ChargeAttempt, ChargeFailureCode, ChargeList, ChargeOutcome, ChargeStatus, CheckoutSession, CheckoutSessionCompletedEvent, CheckoutSessionCreated, CheckoutSessionExpiredEvent, CheckoutSessionStatus, ClaimRefundRequest, CompletePayoutsRequest, CompleteRefundRequest, CompleteWithdrawalRequest, CompletedPayouts, CreateAdminUserRequest, CreateApiKeyRequest, CreateCheckoutSessionRequest, CreateCustomerSessionRequest, CreatePaymentLinkRequest, CreatePaymentRequest, CreatePlanRequest, CreateRefundRequest, CreateRoleRequest, CreateSandboxWalletRequest, CreateWalletChallengeRequest, CreateWithdrawalRequest, CreatedRefund, Currency, CustomField, CustomFieldAnswer, CustomFieldAnswers, CustomFieldInput, CustomFieldKind, CustomerCharge, CustomerSession, CustomerSessionEnded, CustomerSubscription, CustomerSubscriptionList, DisableTwoFactorRequest, DisplayAmount, DisplayRate, EnableTwoFactorRequest, ErrorCode, ErrorDetail, ErrorField, ErrorResponse, EventEnvelope, EventType, ExportPayoutsRequest, FailRefundRequest, FailRequest, FailWithdrawalRequest, FreezeMerchantRequest, GetPaymentQrPngQuery, GetPaymentQrSvgQuery, GetSignedTransferQuery, GetStatementQuery, GuardedChange, Incident, IncidentList, IncidentSeverity, IncidentStatus, IncidentSummary, JsonWebKey, JsonWebKeySet, LedgerAccount, LedgerEntry, LedgerEntryList, LineItem, LineItemInput, ListAdminUsersQuery, ListAuditLogsQuery, ListChangesQuery, ListChargesQuery, ListCustomerSubscriptionsQuery, ListEventsQuery, ListIncidentsQuery, ListLedgerEntriesQuery, ListMerchantAuditLogsQuery, ListMerchantSessionsQuery, ListPaymentLinksQuery, ListPaymentsQuery, ListPayoutsQuery, ListPlansQuery, ListRefundsQuery, ListStatementsQuery, ListSubscriptionsQuery, ListWebhookDeliveriesQuery, ListWithdrawalsQuery, Locale, LoginAdminRequest, LoginMerchantRequest, Mandate, MandateMessage, MandateStatus, MandateTerms, MandateTypedData, Merchant, MerchantAuthResult, MerchantBrand, MerchantContact, MerchantSession, MerchantSessionList, MerchantStatus, MerchantStatusChange, MerchantStatusChangedEvent, MerchantTokens, MessageResponse, Metadata, MetadataInput, MineSandboxBlocksRequest, OwnAdmin, Pagination, PaySandboxPaymentRequest, PaySandboxRefundRequest, PaySandboxWithdrawalRequest, PayerAmount, PayerAmountInput, Payment, PaymentCompletedEvent, PaymentConfirmations, PaymentConfirmingEvent, PaymentCreatedEvent, PaymentDetail, PaymentException, PaymentExceptionEvent, PaymentExpiredEvent, PaymentFailedEvent, PaymentInstructions, PaymentLink, PaymentLinkCreatedEvent, PaymentLinkExpiredEvent, PaymentLinkList, PaymentLinkStatus, PaymentLinkSummary, PaymentLinkUpdatedEvent, PaymentList, PaymentOption, PaymentPendingEvent, PaymentQuote, PaymentRate, PaymentReason, PaymentRestoredEvent, PaymentReversedEvent, PaymentRevertedEvent, PaymentStatus, PaymentSummary, PaymentTimeline, PaymentTimelineEntry, PaymentTransaction, Payout, PayoutExport, PayoutList, Permission, PermissionEntry, PermissionList, PermitToSign, Plan, PlanList, PlanSubscription, PlatformSettings, ProcessRefundRequest, ProcessWithdrawalRequest, PsbtFile, PublicCheckoutSession, PublicPayment, PublicPaymentLink, PublicPlan, PublicRefund, PublicSubscription, QuoteWithdrawalQuery, RecordedEvent, RecoverWebhooksRequest, RefreshAdminSessionRequest, RefreshMerchantSessionRequest, Refund, RefundCancelledEvent, RefundCompletedEvent, RefundCreatedEvent, RefundFailedEvent, RefundList, RefundOffer, RefundOfferException, RefundPendingEvent, RefundProcessingEvent, RefundRevertedEvent, RefundStatus, RefundWallet, RefusedPayout, RegisterMerchantRequest, RejectMerchantRequest, RejectWithdrawalRequest, RelayReason, RelayStatus, RenewRefundClaimRequest, ReorgSandboxChainRequest, ReplaceSandboxTransferRequest, ReplacedTransfer, ResolveIncidentRequest, ResolvePaymentRequest, ResolvedPayment, Role, RoleList, RoleReference, RotateApiKeyRequest, RotateWebhookKeysRequest, SafeBatch, SafeBatchMeta, SafeTransaction, SandboxChainHead, SandboxClock, SandboxCustomer, SandboxInfo, SandboxMissingNetwork, SandboxNetwork, SandboxNetworkName, SandboxPayout, SandboxRefundPayout, SandboxReplacement, SandboxToken, SandboxTokenAmount, SandboxTransfer, SandboxWallet, SandboxWalletBalance, SandboxWalletState, SealedEvent, SealedEventList, SelectPaymentOptionRequest, SetUpTwoFactorRequest, SettlementBalance, SignMethod, SignedInstructions, SignedPermit, SignedTransfer, StartPaymentLinkPaymentRequest, Statement, StatementList, StatementMovement, StatementPrice, StatementSummary, StatementTotals, StatementTransfer, SubmitAuthorizationRequest, SubmitMandateRequest, SubscribeByWalletRequest, SubscribeSandboxCustomerRequest, SubscribeToPlanRequest, SubscribedBy, Subscription, SubscriptionActivatedEvent, SubscriptionCancelReason, SubscriptionCancellation, SubscriptionCancelledEvent, SubscriptionChargeFailedEvent, SubscriptionChargeRecoveredEvent, SubscriptionChargeReversedEvent, SubscriptionCreatedEvent, SubscriptionExpiredEvent, SubscriptionInterval, SubscriptionList, SubscriptionPastDueEvent, SubscriptionPausedEvent, SubscriptionRenewedEvent, SubscriptionStatus, SubscriptionSummary, SubscriptionToken, SubscriptionTrialWillEndEvent, TakenRefundOffer, TerminateMerchantRequest, Token, TokenAllowance, TransferWorth, TwoFactorRecoveryCodes, TwoFactorSetup, TypedDataDomain, TypedDataField, UnfreezeMerchantRequest, UpdateAdminUserRequest, UpdateMerchantRequest, UpdatePaymentLinkRequest, UpdatePlanRequest, UpdateRoleRequest, UpdateSandboxWalletRequest, UpdateSettingsRequest, UpdateWebhookEndpointRequest, VerifyWebhookRequest, WalletChallenge, WebhookAttempt, WebhookBodyDifference, WebhookCertification, WebhookCertificationCheck, WebhookCertificationStatus, WebhookDelivery, WebhookDeliveryDetail, WebhookDeliveryList, WebhookDeliveryStatus, WebhookEndpoint, WebhookEndpointDisabledEvent, WebhookEndpointStatus, WebhookEvent, WebhookKey, WebhookKeyList, WebhookRecovery, WebhookTestResult, WebhookVerification, WebhookVerificationCheck, Withdrawal, WithdrawalApprovedEvent, WithdrawalCompletedEvent, WithdrawalCompletion, WithdrawalCreatedEvent, WithdrawalFailedEvent, WithdrawalFailure, WithdrawalFailureAsked, WithdrawalFees, WithdrawalFeesInput, WithdrawalList, WithdrawalMethod, WithdrawalProcessing, WithdrawalProcessingEvent, WithdrawalQuote, WithdrawalRejectedEvent, WithdrawalRevertedEvent, WithdrawalReview, WithdrawalStatus, WithdrawalStatusReason, WithdrawalToken } from "./models.ts";
export interface paths {
    "/v1/admin/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where alerts go
         *
         * Where the platform sends an alert when an incident opens, the key that verifies alerts, and whether they arrive.
         *
         * The role of the administrator needs the permission `incidents.view`.
         */
        get: operations["getAlertChannel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in as an administrator
         *
         * Starts a login session of at most twelve hours. A wrong e-mail address, a wrong password and a deactivated account give the same answer. With two-factor authentication on, the right password alone gets a 401 with `reason: otp_required`: send the same again with a code as `otp`. After five failures in a row from one address or device the account answers 429 there for a while. Send the `deviceToken` of an earlier login, and failures of strangers never make you wait.
         */
        post: operations["loginAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out as an administrator
         *
         * Ends the session that asks. Its access and refresh tokens stop working at once.
         *
         * Every administrator may call it, for their own account.
         */
        post: operations["logoutAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I
         *
         * The administrator that is logged in, and what their role allows at present.
         *
         * Every administrator may call it, for their own account.
         */
        get: operations["getOwnAdmin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the own password
         *
         * Sets a new password and ends all other sessions. The session that asks goes on. With two-factor authentication on, a code has to come along as `otp`.
         *
         * Every administrator may call it, for their own account.
         */
        post: operations["changeAdminPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh an administrator's session
         *
         * Trades a refresh token for a new access token and a new refresh token. Each refresh token works once: using an old one again ends the session, because somebody may have stolen it. A session ends after twelve hours in any case.
         */
        post: operations["refreshAdminSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the own two-factor authentication
         *
         * Turns it off by the password and a code of the authenticator app, or a recovery code. The secret and the recovery codes are worth nothing afterwards. All other sessions end.
         *
         * Every administrator may call it, for their own account.
         */
        post: operations["disableAdminTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable the own two-factor authentication
         *
         * Turns it on by the first code of the secret that was set up, and shows the recovery codes. From now on logging in needs a code. All other sessions end.
         *
         * Every administrator may call it, for their own account.
         */
        post: operations["enableAdminTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/two-factor/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up the own two-factor authentication
         *
         * Makes a secret for an authenticator app. Nothing changes until the first code comes back to `POST /v1/admin/auth/two-factor/enable`; setting up again replaces a secret that still waits.
         *
         * Every administrator may call it, for their own account.
         */
        post: operations["setupAdminTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes that have to wait
         *
         * What was proposed that touches where money goes: settings, permissions of roles, and administrators. Newest first, what is over included.
         *
         * The role of the administrator needs the permission `settings.view`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a change that has to wait
         *
         * One change, with who proposed it, who has to agree, and when it takes effect.
         *
         * The role of the administrator needs the permission `settings.view`.
         */
        get: operations["getChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/changes/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a change
         *
         * Approves a `proposed` change, which takes effect when it is due. The administrator who proposed it can't approve it, nor can an account that may belong to the same person.
         *
         * The role of the administrator needs the permission `settings.update`.
         */
        post: operations["approveChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/changes/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a change
         *
         * Ends a change that has not taken effect. Every administrator with `settings.update` can cancel any change, and no code is needed, so that objecting is easy.
         *
         * The role of the administrator needs the permission `settings.update`.
         */
        post: operations["cancelChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incidents
         *
         * What needs an operator's eyes, newest first. The chapter "Incidents" describes each kind.
         *
         * The role of the administrator needs the permission `incidents.view`.
         */
        get: operations["listIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an incident
         *
         * One incident with what it means, what it touches and what to do about it.
         *
         * The role of the administrator needs the permission `incidents.view`.
         */
        get: operations["getIncident"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an incident
         *
         * Marks the incident as seen (`open` → `acknowledged`), so that two administrators don't work on it. Acknowledging it again keeps the first administrator's name; a new note replaces the old one.
         *
         * The role of the administrator needs the permission `incidents.manage`.
         */
        post: operations["acknowledgeIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an incident
         *
         * Says that it is over, with a note of what it was. For most kinds the service sees the end by itself; where the cause lasts, it opens another incident. While a change waits (`settings.change_pending`), or codes are locked (`identity.codes_locked`), their incident is not resolved by hand.
         *
         * The role of the administrator needs the permission `incidents.manage`.
         */
        post: operations["resolveIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again what an incident is about
         *
         * Tries again what failed, in place of changing the database by hand: transfers and events that are parked are taken up at once. `retry` of the incident says what that does. The incident stays as it is until the service sees that it is over.
         *
         * The role of the administrator needs the permission `incidents.manage`.
         */
        post: operations["retryIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List merchants
         *
         * All merchants, newest first, those in one state, or those that a search finds.
         *
         * The role of the administrator needs the permission `merchants.view`.
         */
        get: operations["adminListMerchants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a merchant
         *
         * The profile of a merchant, why it is in its state, and what has come together on its account.
         *
         * The role of the administrator needs the permission `merchants.view`.
         */
        get: operations["adminGetMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a merchant
         *
         * Lets a merchant that waits for its verification collect payments and withdraw (`pending_verification` → `active`). The merchant hears of it by `merchant.status_changed`.
         *
         * The role of the administrator needs the permission `merchants.approve`.
         */
        post: operations["approveMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze a merchant
         *
         * Stops a merchant from creating, collecting and withdrawing (`active` → `frozen`). It can log in and read; what payers still send is credited. The merchant hears of it by `merchant.status_changed`.
         *
         * The role of the administrator needs the permission `merchants.freeze`.
         */
        post: operations["freezeMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a merchant
         *
         * Refuses a merchant that waits for its verification (`pending_verification` → `rejected`). It asks for another review by changing its profile. The merchant hears of it by `merchant.status_changed`.
         *
         * The role of the administrator needs the permission `merchants.reject`.
         */
        post: operations["rejectMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Terminate a merchant
         *
         * Closes the account of a merchant for good, from any state (→ `terminated`). Its sessions end and its API keys are revoked; what it has stays in the ledger. The merchant hears of it by `merchant.status_changed`. Nothing undoes it, so it asks for a code (`otp`) where two-factor authentication is on: a stolen session alone closes no account.
         *
         * The role of the administrator needs the permission `merchants.terminate`.
         */
        post: operations["terminateMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unfreeze a merchant
         *
         * Lets a frozen merchant go on as before (`frozen` → `active`). The merchant hears of it by `merchant.status_changed`.
         *
         * The role of the administrator needs the permission `merchants.freeze`.
         */
        post: operations["unfreezeMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits to be paid
         *
         * Withdrawals and refunds that can be paid or are being paid, the longest waiting first.
         *
         * The role of the administrator needs the permission `withdrawals.view`.
         */
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete many payouts with one transaction
         *
         * Records one transaction as what paid up to 100 withdrawals and refunds of one network, each by a transfer of its own. The chain is asked about each, and each is completed or refused by itself, as if it were completed alone; what was not completed is named with its reason. Repeating the call changes nothing. Needs the setting `verifyPayoutOnChain`: where no chain is asked, a transaction pays one payout.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["completePayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to pay many payouts
         *
         * Marks what waits on a network as `processing`, by you, and returns it as a table (CSV) and, for EVM networks, as a file that the Transaction Builder of a Safe reads, or for Bitcoin as an unsigned transaction (PSBT, BIP174), so that one transaction signed elsewhere pays all. Without `payoutIds` it is what no administrator has begun to pay, at most 100, the longest waiting first: so nothing is handed out twice unless it is named. One about which the database gave no answer is refused (`SERVICE_UNAVAILABLE`) and in no file: export it by its id. Where the coins of an account of Bitcoin do not suffice for all of that, what can be paid is exported, and the rest is refused (`coins_short`). A transaction of Bitcoin that is drafted again spends every coin of the one before, so that only one of them can be mined. Coins of EVM networks are in the file, but each is completed only with a transaction of its own.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["exportPayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions
         *
         * The catalogue of what a role can allow.
         *
         * The role of the administrator needs the permission `roles.view`.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund of any merchant
         *
         * One refund, with what is needed to pay it.
         *
         * The role of the administrator needs the permission `withdrawals.view`.
         */
        get: operations["adminGetRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a refund
         *
         * Records the transaction that paid a `pending` or `processing` refund. With the setting `verifyPayoutOnChain` the chain is asked first, as for a withdrawal: the transaction must have succeeded after the address was named, be confirmed, come from one of the `payoutWallets` if there are any, and have brought all of `tokenAmount`. A transaction may pay many payouts, each of its transfers one. From the setting `fourEyesThreshold` on somebody else has to complete it than who began to pay it. Where its network or token is no longer listed the chain is not asked: then that holds for every amount, and `notes` are needed. It does as well for a refund in coins whose transaction has completed another payout about which no chain was asked, because no receipt shows what contracts send of them.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["completeRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fail a refund
         *
         * Ends a refund that can not be paid: its money is where it was. Fail one in `processing` only if nothing was sent; from the setting `fourEyesThreshold` on that takes two administrators: one asks for it (`fail-request`), and another fails it. Of one in ETH or BTC that have fallen since, the merchant gets more dollars than you keep in coins: fail it only where the payer will not claim it.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["failRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}/fail-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask to fail a refund
         *
         * Says that a refund in `processing` can not be paid, and how you know. It changes nothing else: from the setting `fourEyesThreshold` on another administrator fails it after that, because its money may have left. The latest request counts, for a day, and is gone when the refund is completed.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["askToFailRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to pay a refund
         *
         * Says that a `pending` refund is being paid: its address does not change any more, and nobody pays it a second time.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["processRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         *
         * All roles, newest first, with what each of them allows.
         *
         * The role of the administrator needs the permission `roles.view`.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         *
         * Makes a role of permissions that you hold yourself.
         *
         * The role of the administrator needs the permission `roles.manage`.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a role
         *
         * Reads one role.
         *
         * The role of the administrator needs the permission `roles.view`.
         */
        get: operations["getRole"];
        /**
         * Change a role
         *
         * Changes the fields that you send and leaves the others as they are; `permissions` replaces the whole list. Administrators who have the role are bound by it from their next request on. They can't change their own role, or one that holds, before or afterwards, what they lack. super_admin stays as it is.
         *
         * Adding or removing `withdrawals.manage`, `merchants.terminate`, `users.manage`, `roles.manage` or `settings.update` asks for a code (`otp`). Where one is added on a live platform, the list changes when the change has taken effect that `GET /v1/admin/changes` shows.
         *
         * The role of the administrator needs the permission `roles.manage`.
         */
        put: operations["updateRole"];
        post?: never;
        /**
         * Delete a role
         *
         * Deletes a role that nobody has, not even a deactivated administrator.
         *
         * The role of the administrator needs the permission `roles.manage`.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings
         *
         * The settings of the platform as they are in force, and their version.
         *
         * The role of the administrator needs the permission `settings.view`.
         */
        get: operations["getSettings"];
        /**
         * Change settings
         *
         * Changes the settings that are sent, if `version` is the one in force; every process follows within a second. What was agreed before stays: payments keep the fee, tolerance and expiry with which they were made, withdrawals their fee.
         *
         * Whatever moves, delays or stops money needs a code (`otp`), which is everything but `webhookRetentionDays` and `auditRetentionDays`. What touches where money goes also waits for `changeDelayHours`, on a live platform for another administrator's approval, too, where there is one who can give it; until then it stands in `pendingChanges`: `offRampAddress`, `payoutWallets`, `withdrawalFees`, `verifyPayoutOnChain` turned off, `fourEyesThreshold` raised or removed, `changeDelayHours` changed, `confirmations` lowered or removed, `manualRates` set, `rateSpreadBps` lowered, and `withdrawalMax`, `withdrawalDailyMax`, `withdrawalMaxOpen`, `refundDailyMax`, `paymentToleranceBps` or `paymentToleranceMax` raised. What tightens takes effect at once.
         *
         * The role of the administrator needs the permission `settings.update`.
         */
        put: operations["updateSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List administrators
         *
         * All administrators of the platform, newest first, deactivated ones included.
         *
         * The role of the administrator needs the permission `users.view`.
         */
        get: operations["listAdminUsers"];
        put?: never;
        /**
         * Add an administrator
         *
         * Adds an administrator, who can log in at once with the password that you tell them. You can only give a role whose permissions you hold yourself.
         *
         * A role with `withdrawals.manage`, `merchants.terminate`, `users.manage`, `roles.manage` or `settings.update` asks for a code (`otp`). On a live platform the administrator is `deactivated` until the change has taken effect that `GET /v1/admin/changes` shows.
         *
         * The role of the administrator needs the permission `users.manage`.
         */
        post: operations["createAdminUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an administrator
         *
         * Reads one administrator.
         *
         * The role of the administrator needs the permission `users.view`.
         */
        get: operations["getAdminUser"];
        /**
         * Change an administrator
         *
         * Changes the fields that you send and leaves the others as they are. A new password ends all sessions of that administrator, and cancels the changes that they proposed or approved and that are not in effect yet. Administrators can't change their own role, give a role whose permissions they lack, or change an administrator whose role holds what they lack.
         *
         * Giving a role that moves money or rights needs a code (`otp`), and so does taking one away. On a live platform the role is given when its change, which `GET /v1/admin/changes` shows, takes effect. Changing the password or e-mail address of an administrator with such a role needs a code, too.
         *
         * The role of the administrator needs the permission `users.manage`.
         */
        put: operations["updateAdminUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate an administrator
         *
         * Lets a deactivated administrator log in again. One who is active stays so. An administrator whose role moves money or rights needs a code (`otp`), and on a live platform stays `deactivated` until the change has taken effect that `GET /v1/admin/changes` shows.
         *
         * The role of the administrator needs the permission `users.manage`.
         */
        post: operations["activateAdminUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate an administrator
         *
         * Ends all sessions of an administrator, who can not log in any more. One who is deactivated stays so. Administrators can't deactivate themselves, and one active super_admin always remains. An administrator whose role moves money or rights is deactivated with a code (`otp`): a stolen session alone stops nobody who could object.
         *
         * The role of the administrator needs the permission `users.manage`.
         */
        post: operations["deactivateAdminUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List withdrawals of all merchants
         *
         * The withdrawals of all merchants, newest first.
         *
         * The role of the administrator needs the permission `withdrawals.view`.
         */
        get: operations["adminListWithdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a withdrawal of any merchant
         *
         * A withdrawal with its merchant, its bank account and who decided what. The account number is whole only for those who may manage withdrawals.
         *
         * The role of the administrator needs the permission `withdrawals.view`.
         */
        get: operations["adminGetWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a withdrawal
         *
         * Lets a `pending` withdrawal be paid. For `bank`, the address that its crypto leg goes to is settled here.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["approveWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a withdrawal
         *
         * Records the transaction that paid an `approved` or `processing` withdrawal. With the setting `verifyPayoutOnChain`, on a network that the platform watches, the chain is asked first: the transaction must have succeeded after the approval, be confirmed, come from one of the `payoutWallets` if there are any, and have brought at least `netAmount` to the destination. A transaction may pay many payouts, each of its transfers one. Where the network or token is no longer listed, nothing is asked: then another person than the approver has to complete it, with `notes`, whatever the amount.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["completeWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a withdrawal up
         *
         * Says that an `approved` or `processing` withdrawal could not be paid. The whole amount goes back to the merchant's balance: be sure that no transaction of it is under way. From the setting `fourEyesThreshold` on it takes two administrators to fail one in `processing`: one asks for it (`fail-request`), and another fails it.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["failWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/fail-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask to give a withdrawal up
         *
         * Says that a withdrawal in `processing` could not be paid, and how you know. It changes nothing else: from the setting `fourEyesThreshold` on another administrator fails it after that, because its money may have left. The latest request counts, for a day, and is gone when the withdrawal is completed.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["askToFailWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to pay a withdrawal
         *
         * Says that an `approved` withdrawal is being paid, so that nobody pays it a second time. Never back from here by itself.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["processWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a withdrawal
         *
         * Refuses a `pending` withdrawal. The whole amount goes back to the merchant's balance, and the merchant reads the reason.
         *
         * The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["rejectWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         *
         * The keys that work, newest first, at most 20. Deleted and expired ones are not shown, secrets never.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         *
         * Makes a key and its secret for one of your servers. The secret is in this answer and nowhere else: store it where the server finds it. A merchant has at most 20 keys that work. When two-factor authentication is on, a key with `settlements:write` wants an `otp`: it gives money back without one.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         *
         * Revokes the key for good. Requests that it signs are refused from now on.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         *
         * Makes a new key with the same name, scopes, addresses and expiry. The old one goes on working for `overlapHours`, so that you can change your servers one after the other. The body may be left out, unless two-factor authentication is on and the key may do `settlements:write`: then this wants an `otp`.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         *
         * Everything that anybody did on the platform, or tried and was refused, newest first.
         *
         * The role of the administrator needs the permission `audit_logs.view`.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an entry of the audit log
         *
         * One entry with all that is known of it.
         *
         * The role of the administrator needs the permission `audit_logs.view`.
         */
        get: operations["getAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         *
         * Starts a login session. A wrong e-mail address, a wrong password and a closed account give the same answer. With two-factor authentication on, the right password alone gets a 401 with `reason: otp_required`: send the same again with a code as `otp`. After five failures in a row from one address or device the account answers 429 there for a while. Send the `deviceToken` of an earlier login, and failures of strangers never make you wait.
         */
        post: operations["loginMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         *
         * Ends the session that asks. Its access and refresh tokens stop working at once.
         */
        post: operations["logoutMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         *
         * Sets a new password and ends all other sessions. The session that asks goes on. With two-factor authentication on, a code has to come along as `otp`.
         */
        post: operations["changeMerchantPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a session
         *
         * Trades a refresh token for a new access token and a new refresh token. Each refresh token works once: using an old one again ends the session, because somebody may have stolen it. Run one refresh at a time. A session ends after 30 days without a refresh and after 90 days in any case.
         */
        post: operations["refreshMerchantSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a merchant
         *
         * Creates a merchant in `pending_verification` and logs it in. In the sandbox such a merchant can collect payments at once; elsewhere somebody approves it first.
         */
        post: operations["registerMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List login sessions
         *
         * Every session of the merchant that is alive, newest first.
         */
        get: operations["listMerchantSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a login session
         *
         * Ends one session, for example on a lost device. Its tokens stop working at once.
         */
        delete: operations["revokeMerchantSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable two-factor authentication
         *
         * Turns it off by the password and a code of the authenticator app, or a recovery code. The secret and the recovery codes are worth nothing afterwards. All other sessions end.
         */
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable two-factor authentication
         *
         * Turns it on by the first code of the secret that was set up, and shows the recovery codes. From now on logging in, changing `walletAddress` and withdrawing need a code. All other sessions end. What was set before stays: look at your API keys and `walletAddress`, which a thief who knew your password may have set.
         */
        post: operations["enableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/two-factor/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up two-factor authentication
         *
         * Makes a secret for an authenticator app. Nothing changes until the first code comes back to `POST /v1/auth/two-factor/enable`; setting up again replaces a secret that still waits.
         */
        post: operations["setupTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout session
         *
         * Creates a session and its payment. Redirect the customer to `checkoutUrl`; they come back to `successUrl` or `cancelUrl` with `session_id` in the query. Fulfil the order when the webhook `checkout.session.completed` or `payment.completed` arrives, not when the customer comes back.
         */
        post: operations["createCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkout session
         *
         * Reads one of your checkout sessions.
         *
         * An API key needs the scope `payments:read`.
         */
        get: operations["getCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire a checkout session
         *
         * Closes an open session and cancels its payment, for example because the goods are sold out. It takes no body.
         *
         * An API key needs the scope `payments:write`.
         */
        post: operations["expireCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         *
         * Everything that was announced to you, oldest first and without gaps, whether or not a webhook brought it. Read on from the last `position` that you have. An event is here within about a second.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         *
         * One event as it was announced. Its position and hashes are null until it is in the feed, about a second.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchant/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your audit log
         *
         * Everything that was done to what is yours, newest first, by whomever: you, your API keys, administrators, payers and jobs. What was tried and refused is there too.
         */
        get: operations["listMerchantAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the profile
         *
         * Reads the merchant's own profile.
         */
        get: operations["getMerchant"];
        /**
         * Change the profile
         *
         * Changes the fields that you send and leaves the others as they are. An empty object changes nothing. `webhookUrl` is where your webhook events go from now on. With two-factor authentication on, another `walletAddress` needs a code as `otp`, and so does what offers payers more of their money back.
         */
        put: operations["updateMerchant"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links
         *
         * Your payment links, newest first.
         *
         * An API key needs the scope `links:manage`.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         *
         * Creates a link that you can share. Anyone who opens it may start a payment of their own.
         *
         * An API key needs the scope `links:manage`.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment link
         *
         * Reads one of your payment links with what it has collected.
         *
         * An API key needs the scope `links:manage`.
         */
        get: operations["getPaymentLink"];
        /**
         * Change a payment link
         *
         * Changes the fields that you send and leaves the others as they are. An empty object changes nothing. Payments that were started keep the terms under which they were started.
         *
         * An API key needs the scope `links:manage`.
         */
        put: operations["updatePaymentLink"];
        post?: never;
        /**
         * Delete a payment link
         *
         * Deletes the link for good and frees its slug. Payments that were started stay payable and stay in your list.
         *
         * An API key needs the scope `links:manage`.
         */
        delete: operations["deletePaymentLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         *
         * Your payments, newest first, whatever they were started through. What payers began through your links and nobody paid is removed 30 days after it ended, and then counts in no `total`.
         *
         * An API key needs the scope `payments:read`.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Create a payment
         *
         * Creates a payment directly. Show its `options` on a page of your own, or send the payer to `checkoutUrl`. The exchange rate is locked now.
         *
         * An API key needs the scope `payments:write`.
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment
         *
         * Reads one of your payments in full.
         *
         * An API key needs the scope `payments:read`.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payment
         *
         * Ends a payment that is `initiated` or `pending`: it becomes `expired` with `reason: cancelled`. Money that still arrives waits for your decision, see `resolvePayment`. The payment of a subscription can't be cancelled: cancel the subscription. It takes no body.
         *
         * An API key needs the scope `payments:write`.
         */
        post: operations["cancelPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give money back
         *
         * Gives back what a payment brought, all of it or a part, in the token that was paid and at the payment's locked rate. Of ETH and BTC more than an hour after they came less is sent where their price has risen: no more than what is given back is worth when the refund is made. While they have no price then, it is a 503 (`RATE_UNAVAILABLE`): try again in a minute. What waits for a decision is given back first, then what you were credited; the platform keeps its fee. The money is held at once. Your payer says by the link in `claimUrl` where it shall go, unless you name a `destinationAddress`. When two-factor authentication is on it wants an `otp`, except from a signed request.
         *
         * An API key needs the scope `settlements:write`.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide about money that waits
         *
         * Money that came late, in a wrong token, short, or on top of what was asked is never lost: it waits, `exception` says why, and this call decides. `accept` takes it into your available balance, `refund` gives it back to its payer as `POST /v1/payments/{id}/refunds` does: all of it, or nothing while a coin of it has no price (`RATE_UNAVAILABLE`).
         *
         * An API key needs the scope `payments:write`.
         */
        post: operations["resolvePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the story of a payment
         *
         * What happened to a payment and when, oldest first, in plain words.
         *
         * An API key needs the scope `payments:read`.
         */
        get: operations["getPaymentTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/checkout/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkout session as a payer
         *
         * What the hosted page shows of a session. It needs no credentials.
         */
        get: operations["getPublicCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/customer-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a customer see their subscriptions
         *
         * Begins a session of half an hour for a wallet that has signed the text of a challenge with `purpose: sign_in`. Its token shows the wallet's subscriptions at all merchants of this platform, on the networks where the wallet has proven itself, and can have a failed charge tried again. It can not subscribe, cancel or pay.
         */
        post: operations["createCustomerSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/customer-sessions/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a customer's session
         *
         * Ends the session at once. Its token proves nothing any more.
         */
        delete: operations["endCustomerSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/customer-sessions/{token}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer's subscriptions
         *
         * The subscriptions of the session's wallet, those that are over too, each with its newest charges: those first that the wallet has agreed to and that can be charged, then the others, newest first. `merchantOf` narrows them to the merchant of one plan.
         */
        get: operations["listCustomerSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/customer-sessions/{token}/subscriptions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a failed charge now
         *
         * Has the charge of a `past_due` subscription tried at once, for a customer who has filled the wallet or raised the allowance. It takes no more than was agreed, and one that is on its way already is not sent twice, so pressing again does no harm.
         */
        post: operations["retryCustomerSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/merchants/{id}/webhook-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read signing keys as a JWKS
         *
         * The same keys as a JSON Web Key Set, public, for verifiers that fetch keys by themselves. May be cached for 5 minutes.
         */
        get: operations["getMerchantWebhookKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payment-links/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment link as a payer
         *
         * What the page behind the link shows. It needs no credentials.
         */
        get: operations["getPublicPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payment-links/by-slug/{slug}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a payment through a link
         *
         * Makes a payment of its own for one payer, with an address that nobody else gets. The body may be left out, unless the link has `customFields` that have to be answered. A payment that was started stays payable until its own `expiresAt`, whatever happens to the link, and until then has a place of a link with `maxPayments`: 15 minutes at most. Of such a link one address starts at most as many payments as the limit `place_hold` says.
         */
        post: operations["startPaymentLinkPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment as a payer
         *
         * What the hosted page shows of a payment. It needs no credentials; the id is the secret.
         */
        get: operations["getPublicPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a wallet signs to pay without a network fee
         *
         * The transfer that a wallet may sign instead of sending it, and what became of it. It needs no credentials; the payment's id is the secret.
         */
        get: operations["getSignedTransfer"];
        put?: never;
        /**
         * Pay by a signed transfer
         *
         * Takes a wallet's signature over `typedData` and brings the transfer to the chain, which costs the payer nothing. The payment is paid once the chain has the transfer, as by any other. Sending the same signature again changes nothing.
         */
        post: operations["submitAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a payment
         *
         * Server-sent events. The present state comes at once, then one message for every change; a comment line every 15
         * seconds keeps the connection alive. After 15 minutes at most it ends; connect again as long as you want to know,
         * since money may arrive late too. Nothing is missed, because every connection begins with the whole state. Read it
         * with `EventSource`, which connects again by itself. One address may hold 32 streams, and gets a 429 for more.
         *
         * ```
         * event: payment
         * data: {"id":"pay_01jggfnds9e9gt3f3v5s7k2m4n","status":"confirming",…}
         * ```
         *
         * `data` is what `getPublicPayment` returns, on one line.
         */
        get: operations["streamPublicPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/instructions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read signed payment instructions
         *
         * Where this payment is to be paid now, and how much, signed by the key of its merchant, so that anybody can verify that nothing on the way has swapped the address. See *Verify the address*. Only what may be paid at this moment is signed. It needs no credentials; the payment's id is the secret.
         */
        get: operations["getPaymentInstructions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/qr.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The QR code as PNG
         *
         * The QR code of the payment's `paymentUri`, 512 pixels wide. `qrCodeUrl` points here.
         */
        get: operations["getPaymentQrPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/qr.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The QR code as SVG
         *
         * The QR code of the payment's `paymentUri`, sharp at any size.
         */
        get: operations["getPaymentQrSvg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take money back that is offered
         *
         * Makes the refund that the payment's `refundOffer` describes, and a link by which it is claimed. Until it is claimed, the offer can be taken again: that makes a new link, and the former one stops working. Where `isEstimate` is true, the price of this moment decides how much is sent; without one it is a 503 (`RATE_UNAVAILABLE`): try again in a minute.
         */
        post: operations["takeRefundOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/select": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose how to pay
         *
         * Chooses one of the payment's `options`. The payer may choose again until money has been seen. An option that is not offered is a 400, and one that is `unavailable` a 503.
         */
        post: operations["selectPaymentOption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/x402": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pay by x402
         *
         * The invoice for programs that pay by themselves, in version 2 of the protocol x402. Without `payment-signature` the answer is 402, and its header `payment-required` says what to sign: a transfer of the scheme `exact` for every option of the payment whose token takes signed transfers, by ERC-3009 or by Permit2. With it the transfer is brought to the chain as by *Pay by a signed transfer*, and the answer comes when a block has it, or after 15 seconds. Any client of x402 can pay so; see *Payments by machines*. It needs no credentials; the payment's id is the secret.
         */
        get: operations["payByX402"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/refunds/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund as its payer
         *
         * What the holder of a claim link may know. The link is the only credential.
         */
        get: operations["getPublicRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/refunds/{token}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say where a refund goes
         *
         * Sets the address that a refund is paid to. It can be changed until somebody begins to pay it. The link is the only credential; with a `signature` of the wallet that paid, the address is that wallet's, and nobody else can change it any more.
         */
        post: operations["claimRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscription-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a plan as a customer
         *
         * What the hosted page of a plan shows before anybody has subscribed. It needs no credentials. A plan that takes nobody new is shown, too, with `active: false`.
         */
        get: operations["getPublicPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscription-plans/{id}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe to a plan with a wallet
         *
         * Subscribes the customer themselves, whose wallet has signed the text of a challenge with `purpose: subscribe`. Nothing can be charged before they have agreed at `url`, and who does not agree in time is cancelled, also in a trial. A wallet that subscribes to the plan already gets the subscription that it has, with `isNew: false`. The merchant hears of a new one by `subscription.created`; name and e-mail are what the customer typed, and nobody has checked them.
         */
        post: operations["subscribeByWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription as a customer
         *
         * What the hosted page shows of a subscription, and what a wallet has to sign for it. It needs no credentials; the id is the secret.
         */
        get: operations["getPublicSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription with its wallet
         *
         * Ends the subscription as the merchant's own cancellation does, for a customer whose wallet has signed the text of a challenge with `purpose: cancel`. It costs no gas. What was paid holds until `currentPeriodEnd`, and nothing more is charged. To take the permission back from the chain as well, the wallet revokes the mandate there.
         */
        post: operations["cancelByWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscriptions/{id}/mandate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a signed mandate
         *
         * Takes the customer's signature over `typedData` and brings it to the chain, which costs the customer nothing. The mandate stands once the chain has taken it: then `mandateStatus` is `active`. Sending the same signature again changes nothing. A customer can also send the mandate to the chain himself; then nothing has to be submitted. Where `agreeBy` is `transaction`, that is the only way left.
         */
        post: operations["submitMandate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/wallet-challenges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a text to sign
         *
         * Makes a text (EIP-4361) by whose signature a wallet proves that it is its owner's will to subscribe to one plan, to cancel one subscription, or to see its own. The text names the site, what it is for and until when it holds, and is good for one use.
         */
        post: operations["createWalletChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds
         *
         * Your refunds, newest first.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["listRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund
         *
         * One of your refunds. It does not show `claimUrl` again.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a refund
         *
         * Takes a refund back that its payer has not claimed: the money is where it was before. It takes no body. What the payer has claimed is promised to them, and only an administrator can stop it. So is what sends ETH or BTC, a quarter of an hour after it was made and while those are worth less than the dollars that would come back; without a price then it is a 503 (`RATE_UNAVAILABLE`).
         *
         * An API key needs the scope `settlements:write`.
         */
        post: operations["cancelRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}/claim-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new claim link
         *
         * Makes a new `claimUrl` for a refund that waits to be claimed, and the former one stops working: for a link that was lost, or that somebody else got. When two-factor authentication is on it wants an `otp`, except from a signed request.
         *
         * An API key needs the scope `settlements:write`.
         */
        post: operations["renewRefundClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look around the sandbox
         *
         * The networks, nodes, contracts and test tokens of this sandbox, and which of its networks could not start.
         */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/chain/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mine blocks
         *
         * Mines blocks on a test chain, for example to confirm a payment. On `regtest` the first of them holds all that waits in the pool.
         */
        post: operations["mineSandboxBlocks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/chain/reorg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reorganise the chain
         *
         * Replaces the newest blocks of a test chain by others, with or without their transactions, as real chains sometimes do. The new branch is as long as the old one, and on `regtest` a block longer.
         */
        post: operations["reorgSandboxChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clock
         *
         * What the business clock shows. It decides when payments, links and sessions expire.
         */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Move the clock forward
         *
         * Moves the business clock and the test chain's time forward and does on the way what falls due, as if the time had passed. It never goes back. One call works for at most 20 seconds: when so much falls due that `now` in the answer is before the time you asked for, ask again with `to`.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/payments/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a payment with play money
         *
         * Sends a real transfer on a test chain to the payment's address, as a payer's wallet would. The service then sees it as it sees any other. The body may be left out.
         */
        post: operations["paySandboxPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/payments/{id}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a transfer that waits
         *
         * Replaces a transfer in bitcoins that `POST /v1/sandbox/payments/{id}/pay` left in the pool (`confirm: false`), as payers' wallets do to pay a higher fee, and as thieves do to take a payment back.
         */
        post: operations["replaceSandboxTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/refunds/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a refund out with play money
         *
         * Sends a real transfer to the address of a claimed refund, as whoever pays the platform's refunds would. An administrator then completes the refund with its `txHash`, and the chain is checked as anywhere. Every call sends again. The body may be left out.
         */
        post: operations["paySandboxRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/subscription-plans/{id}/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe a customer of play
         *
         * Makes a funded wallet, subscribes it to your plan and agrees with it, as a customer does on the page behind `authorizeUrl`: the wallet lets the subscription contract take the token and signs the mandate, which the service then brings to the chain. The answer comes when the mandate stands. The body may be left out.
         */
        post: operations["subscribeSandboxCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/subscriptions/{id}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Agree to a subscription
         *
         * Lets the subscription's wallet agree, as its owner does on the page behind `authorizeUrl`: it allows the subscription contract to take the token, as much as the page recommends, and signs the mandate, which the service then brings to the chain. The answer comes when the mandate stands. Once it does, only the allowance is given anew; after a revocation the wallet agrees to a new mandate.
         */
        post: operations["authorizeSandboxSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/subscriptions/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a mandate
         *
         * Lets the subscription's wallet revoke its mandate on the chain, as a customer can at any time, with or without your page. From then on nothing can be taken by it. The answer comes when the service has seen it.
         */
        post: operations["revokeSandboxMandate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a funded wallet
         *
         * Makes a new wallet on the test chain with test tokens and coin for fees. The sandbox remembers its key, so that it can act for this wallet later: change what it holds (`PUT /v1/sandbox/wallets/{address}`) and agree to a subscription (`POST /v1/sandbox/subscriptions/{id}/authorize`). The body may be left out.
         */
        post: operations["createSandboxWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/wallets/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set what a wallet holds and allows
         *
         * Sets how much of a token a wallet of the sandbox holds, or how much of it the subscription contract may take, by real transactions on the test chain. So you play a customer whose wallet is empty, or has been filled again. What you leave out stays as it is; `{}` changes nothing and shows the wallet.
         */
        put: operations["updateSandboxWallet"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/withdrawals/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a withdrawal out with play money
         *
         * Sends a real transfer on the test chain to the destination of an approved withdrawal, as whoever pays the platform's withdrawals would. An administrator then completes the withdrawal with its `txHash`, and the chain is checked as anywhere. Every call sends again. The body may be left out.
         */
        post: operations["paySandboxWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sdk/checkout/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout session, signed
         *
         * Creates a session and its payment, like `POST /v1/checkout/sessions`, but for your servers: with an API key in place of an access token. Redirect the customer to `checkoutUrl`; they come back to `successUrl` or `cancelUrl` with `session_id` in the query. Fulfil the order when the webhook `checkout.session.completed` or `payment.completed` arrives, not when the customer comes back.
         *
         * An API key needs the scope `payments:write`.
         */
        post: operations["createSdkCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the balance
         *
         * What is available, what is still confirming, and what you have earned in all.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["getSettlementBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List statements
         *
         * The months in which something was booked, newest first, each with what you had before and after.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["listStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a statement
         *
         * A month of your ledger: what each account held before, every movement, totals by cause, and what each held after. It adds up to the millionth of a dollar, and the closing of a month is the opening of the next. Read `/v1/settlements/statements/{month}/csv` for all movements in one file.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/statements/{month}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statement as CSV
         *
         * A month of your ledger as a table by RFC 4180, in UTF-8: a line of names, the line `opening`, a line for each movement, and the line `closing`, whose `value` and `fee` are sums. Every column of `opening` and the movements adds up to that of `closing`. A text that a spreadsheet would take for a formula has an apostrophe in front.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["getStatementCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ledger entries
         *
         * Every movement behind the balance, newest first, to the millionth of a dollar.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscription plans
         *
         * Your plans, newest first, with the number of their active subscribers.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a subscription plan
         *
         * Creates a plan that customers can subscribe to. It takes subscribers at once.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription plan
         *
         * Reads one of your plans.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        get: operations["getPlan"];
        /**
         * Change a subscription plan
         *
         * Changes the fields that you send and leaves the others as they are. An empty object changes nothing. While somebody subscribes, who has agreed to what the plan charges, only `name`, `description`, `trialDays` and `active` can change. For other terms, switch the plan off and create another.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        put: operations["updatePlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-plans/{id}/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe a customer to a plan
         *
         * Subscribes a customer. Nothing can be charged before they have agreed with their wallet: send them to `authorizeUrl`. A trial begins at once. Without one the first charge follows as soon as the customer has agreed.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        post: operations["subscribeToPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         *
         * Your customers' subscriptions, newest first.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription
         *
         * Reads one of your customers' subscriptions.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription
         *
         * Ends a subscription: nothing more is charged, and the customer keeps what was paid until `currentPeriodEnd`. It takes no body. A charge that is on its way to the chain is waited for: when it succeeds, it still counts, and `subscription.cancelled` comes after it.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the charges of a subscription
         *
         * What the subscription owed for each period and what became of it, the newest period first, with every try.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        get: operations["listCharges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed charge
         *
         * Has the charge of a `past_due` subscription tried again now, besides the tries that are planned. It takes no body. What comes of it is told by `subscription.renewed` or `subscription.charge_failed`; where it fails for the same reason as before, only the `attempts` of the charge show that.
         *
         * An API key needs the scope `subscriptions:manage`.
         */
        post: operations["retrySubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/certifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a certification
         *
         * How your endpoint did, check by check. While it is `running`, the checks fill in one after the other. Your 50 newest are kept.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        get: operations["getWebhookCertification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/certify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Certify the endpoint
         *
         * Tries your endpoint with what a handler meets in time: a genuine event, a duplicate, two out of order, bad signatures, an old timestamp, an unknown type, a slow body and an oversized one. It takes a minute at most and goes on after this answer: read the certification until its `status` is no longer `running`. Every check says in plain words what was expected, what came, and what to change. The events are of simulated payments (`metadata.simulated`) and stand in no list. It takes no body.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        post: operations["certifyWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         *
         * What was sent to your endpoint and what came of it, newest first.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         *
         * One delivery with every attempt, what your endpoint answered to each, and the bytes that were sent.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         *
         * Makes a new delivery of the same event, with the same `webhook-id` and the same body, whatever became of the first one. It goes to the URL that is set now, with all its attempts, also when the type is not among those that you want.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the endpoint
         *
         * Where your events go, which of them, and, when none do, why. Without a URL it is disabled and all else is null.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        get: operations["getWebhookEndpoint"];
        /**
         * Change the endpoint
         *
         * Changes the fields that you send and leaves the others as they are. The URL is the `webhookUrl` of your merchant: a change here is a change there. Another URL enables the endpoint, whatever had disabled it. What you disable yourself, no successful test enables again.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        put: operations["updateWebhookEndpoint"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List signing keys
         *
         * The public keys that your webhooks are signed with, to verify them.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        get: operations["listWebhookKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing key
         *
         * Makes a new key, which signs at once. Older keys sign along until their time is over, so that receivers can change over in between. The body may be left out.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        post: operations["rotateWebhookKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover what was missed
         *
         * Makes a delivery for every event since a time that your endpoint wants and that neither reached it nor is still on its way: what happened while it was disabled, not set, or failing. Oldest first, at most 1,000 a call; while `more` is true, call again with `next` as `since`. It reaches as far back as deliveries are kept, which is 60 days unless the platform says otherwise.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        post: operations["recoverWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the endpoint
         *
         * Sends one simulated `payment.completed` event, really signed, to your webhook URL and waits for the answer. An endpoint that fails is still a 200, with `success: false`. A success enables an endpoint that was disabled because it failed or answered 410. It takes no body.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find out why a webhook does not verify
         *
         * Takes the headers and the body of a webhook as your server received them and says whether they verify and, if not, which check failed and why: a header that is missing, bytes that a parser has changed, a key that is not yours or has ended, or a clock that is wrong. An aid for finding faults: in your handler verify with your keys, without asking us.
         *
         * An API key needs the scope `webhooks:manage`.
         */
        post: operations["verifyWebhookRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List withdrawals
         *
         * Your withdrawals, newest first.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["listWithdrawals"];
        put?: never;
        /**
         * Create a withdrawal
         *
         * Asks for money to be paid out. The whole amount leaves `availableBalance` at once and is held until the withdrawal is paid, refused or cancelled. When two-factor authentication is on it wants an `otp`, except from a signed request that pays to the `walletAddress` of your profile.
         *
         * An API key needs the scope `settlements:write`.
         */
        post: operations["createWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a withdrawal
         *
         * One of your withdrawals.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["getWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a withdrawal
         *
         * Takes a withdrawal back that nobody has looked at yet: it becomes `rejected` with `statusReason: cancelled`, and the money is in your balance again. It takes no body.
         *
         * An API key needs the scope `settlements:write`.
         */
        post: operations["cancelWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask what a withdrawal costs
         *
         * The fee of a withdrawal and what would arrive, with your balance and the limits as they are now. Nothing is held.
         *
         * An API key needs the scope `settlements:read`.
         */
        get: operations["quoteWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.created
         *
         * An API key was made, or made anew by rotating another.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** An API key was made, or made anew by rotating another. */
                    "application/json": ApiKeyCreatedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.revoked
         *
         * An API key was deleted or replaced at once and works no more.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** An API key was deleted or replaced at once and works no more. */
                    "application/json": ApiKeyRevokedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout.session.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * checkout.session.completed
         *
         * The payment of the session is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The payment of the session is paid. */
                    "application/json": CheckoutSessionCompletedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout.session.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * checkout.session.expired
         *
         * The session ended without being paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The session ended without being paid. */
                    "application/json": CheckoutSessionExpiredEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "merchant.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * merchant.status_changed
         *
         * Your merchant was approved, rejected, frozen, unfrozen or closed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** Your merchant was approved, rejected, frozen, unfrozen or closed. */
                    "application/json": MerchantStatusChangedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment_link.created
         *
         * A payment link was created.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A payment link was created. */
                    "application/json": PaymentLinkCreatedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment_link.expired
         *
         * The time of a payment link ran out.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The time of a payment link ran out. */
                    "application/json": PaymentLinkExpiredEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment_link.updated
         *
         * A payment link was changed, switched on or switched off.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A payment link was changed, switched on or switched off. */
                    "application/json": PaymentLinkUpdatedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.completed
         *
         * Enough money is confirmed: the payment is paid and credited. Fulfil the order now.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** Enough money is confirmed: the payment is paid and credited. Fulfil the order now. */
                    "application/json": PaymentCompletedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.confirming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.confirming
         *
         * Enough money was seen on the chain; its confirmations are awaited.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** Enough money was seen on the chain; its confirmations are awaited. */
                    "application/json": PaymentConfirmingEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.created
         *
         * A payment was created.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A payment was created. */
                    "application/json": PaymentCreatedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.exception": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.exception
         *
         * Money arrived that the payment can not take by itself: late, too much or in a wrong token. It waits for `resolvePayment`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** Money arrived that the payment can not take by itself: late, too much or in a wrong token. It waits for `resolvePayment`. */
                    "application/json": PaymentExceptionEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.expired
         *
         * The time ran out, or the merchant cancelled. `reason` and `exception` say more.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The time ran out, or the merchant cancelled. `reason` and `exception` say more. */
                    "application/json": PaymentExpiredEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.failed
         *
         * What was seen on the chain never confirmed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** What was seen on the chain never confirmed. */
                    "application/json": PaymentFailedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.pending
         *
         * The payer chose a token, or sent less than is needed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The payer chose a token, or sent less than is needed. */
                    "application/json": PaymentPendingEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.restored
         *
         * The money that `payment.reversed` took back is confirmed on the chain again, and in your balance.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The money that `payment.reversed` took back is confirmed on the chain again, and in your balance. */
                    "application/json": PaymentRestoredEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.reversed
         *
         * The chain undid a payment that was paid already. It stays `paid`; its amount was taken back from your balance.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The chain undid a payment that was paid already. It stays `paid`; its amount was taken back from your balance. `payment.restored` tells when it is there again. */
                    "application/json": PaymentReversedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reverted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.reverted
         *
         * The chain undid a transfer before it was confirmed; the payment is pending again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The chain undid a transfer before it was confirmed; the payment is pending again. */
                    "application/json": PaymentRevertedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.cancelled
         *
         * A refund was taken back, and its money is where it was.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A refund was taken back, and its money is where it was. */
                    "application/json": RefundCancelledEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.completed
         *
         * A refund is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A refund is paid. */
                    "application/json": RefundCompletedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.created
         *
         * A refund was made, and its money is held.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A refund was made, and its money is held. */
                    "application/json": RefundCreatedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.failed
         *
         * A refund could not be paid, and its money is where it was.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A refund could not be paid, and its money is where it was. */
                    "application/json": RefundFailedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.pending
         *
         * It is known where a refund goes, or that has changed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** It is known where a refund goes, or that has changed. */
                    "application/json": RefundPendingEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.processing
         *
         * A refund is being paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A refund is being paid. */
                    "application/json": RefundProcessingEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.reverted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.reverted
         *
         * The chain took the payout of a refund back. It is paid anew, or fails.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The chain took the payout of a refund back. It is paid anew, or fails. */
                    "application/json": RefundRevertedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.activated
         *
         * The first charge of a subscription is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The first charge of a subscription is paid. */
                    "application/json": SubscriptionActivatedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.cancelled
         *
         * A subscription was cancelled; `cancelReason` says why. Nothing more is charged.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A subscription was cancelled; `cancelReason` says why. Nothing more is charged. */
                    "application/json": SubscriptionCancelledEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.charge_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.charge_failed
         *
         * A charge failed; `failureCode` says why and `nextRetryAt` when it is tried again. A try between two scheduled ones (the wallet got some money, or you asked for it) that fails for the same reason as the one before is listed with the charge and not announced.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A charge failed; `failureCode` says why and `nextRetryAt` when it is tried again. */
                    "application/json": SubscriptionChargeFailedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.charge_recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.charge_recovered
         *
         * A charge that a reorganised chain had taken back has succeeded again, and its money is in your balance. The period that it pays for was counted before, so nothing else about the subscription changes; one that was `past_due` because of it is `active` again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A charge that a reorganised chain had taken back has succeeded again. */
                    "application/json": SubscriptionChargeRecoveredEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.charge_reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.charge_reversed
         *
         * A reorganised chain took back a charge that had succeeded, and its payment has announced `payment.reversed`. It is collected again by itself, once, unless the subscription has ended; `reversedAt` of the charge tells which one it is. Nothing has to be done. `subscription.charge_recovered` follows when the money is back, and `subscription.charge_failed` when the wallet no longer pays.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A reorganised chain took back a charge that had succeeded. It is collected again by itself. */
                    "application/json": SubscriptionChargeReversedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.created
         *
         * A customer was subscribed to a plan, and has to agree.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A customer was subscribed to a plan, and has to agree. */
                    "application/json": SubscriptionCreatedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.expired
         *
         * The last period of a cancelled subscription is over.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The last period of a cancelled subscription is over. */
                    "application/json": SubscriptionExpiredEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.past_due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.past_due
         *
         * A subscription became `past_due`, because a charge failed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A subscription became `past_due`, because a charge failed. */
                    "application/json": SubscriptionPastDueEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.paused
         *
         * Charging paused, because the network or token of the subscription is no longer listed. It goes on by itself when it is listed again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** Charging paused, because the network or token of the subscription is no longer listed. It goes on by itself when it is listed again. */
                    "application/json": SubscriptionPausedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.renewed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.renewed
         *
         * The charge of a further period is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The charge of a further period is paid. */
                    "application/json": SubscriptionRenewedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.trial_will_end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.trial_will_end
         *
         * A trial ends in three days; then the first charge is due.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A trial ends in three days; then the first charge is due. */
                    "application/json": SubscriptionTrialWillEndEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint_disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.endpoint_disabled
         *
         * Your endpoint was disabled, because it answered 410 or because it did nothing but fail for 120 hours. No webhook brings this event, since there is nowhere left to send it; it stands in the event feed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** Your endpoint was disabled, because it answered 410 or because it did nothing but fail for 120 hours. No webhook brings this event, since there is nowhere left to send it; it stands in the event feed. */
                    "application/json": WebhookEndpointDisabledEvent;
                };
            };
            responses: {
                /** Never asked for. This event is read from the feed. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.approved
         *
         * A withdrawal was approved and will be paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A withdrawal was approved and will be paid. */
                    "application/json": WithdrawalApprovedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.completed
         *
         * A withdrawal is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A withdrawal is paid. */
                    "application/json": WithdrawalCompletedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.created
         *
         * A withdrawal was asked for, and its money is held.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A withdrawal was asked for, and its money is held. */
                    "application/json": WithdrawalCreatedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.failed
         *
         * An approved withdrawal could not be paid; its money is back in the balance.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** An approved withdrawal could not be paid; its money is back in the balance. */
                    "application/json": WithdrawalFailedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.processing
         *
         * A withdrawal is being paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A withdrawal is being paid. */
                    "application/json": WithdrawalProcessingEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.rejected
         *
         * A withdrawal was refused or cancelled; its money is back in the balance.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** A withdrawal was refused or cancelled; its money is back in the balance. */
                    "application/json": WithdrawalRejectedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.reverted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.reverted
         *
         * The chain took back the transaction that had paid a withdrawal, which will be paid again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /** The chain took back the transaction that had paid a withdrawal. The withdrawal is *approved* again (`statusReason` *processing*), its money is held again, and it will be paid by another transaction. */
                    "application/json": WithdrawalRevertedEvent;
                };
            };
            responses: {
                /** Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** An amount for each account of your ledger, and their sum. US dollars, decimal strings with 6 decimals. */
        AccountAmounts: AccountAmounts;
        /** What others should know of it. */
        AcknowledgeIncidentRequest: AcknowledgeIncidentRequest;
        /** An entry of the platform's audit log, as administrators see it. */
        AdminAuditLogEntry: AdminAuditLogEntry;
        /** A page of the platform's audit log. */
        AdminAuditLogEntryList: AdminAuditLogEntryList;
        /** An administrator and the tokens of a new login session. */
        AdminAuthResult: AdminAuthResult;
        /** A merchant as administrators see it. */
        AdminMerchant: AdminMerchant;
        /** A page of merchants. */
        AdminMerchantList: AdminMerchantList;
        /** A merchant as administrators see it in lists. */
        AdminMerchantSummary: AdminMerchantSummary;
        /** A refund with what administrators need to pay it. */
        AdminRefund: AdminRefund;
        /** A fresh pair of tokens. */
        AdminTokens: AdminTokens;
        /** An administrator. */
        AdminUser: AdminUser;
        /** An administrator who was just added. */
        AdminUserCreated: AdminUserCreated;
        /** A page of administrators. */
        AdminUserList: AdminUserList;
        /**
         * A deactivated administrator can no longer log in; their sessions have ended.
         * @enum {string}
         */
        AdminUserStatus: AdminUserStatus;
        /** An administrator's state after it was set. */
        AdminUserStatusChange: AdminUserStatusChange;
        /** An administrator as lists show them. */
        AdminUserSummary: AdminUserSummary;
        /** A withdrawal with everything that administrators know of it. */
        AdminWithdrawal: AdminWithdrawal;
        /** A page of withdrawals. */
        AdminWithdrawalList: AdminWithdrawalList;
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
        AdminWithdrawalStatus: AdminWithdrawalStatus;
        /** A withdrawal as lists for administrators show it. */
        AdminWithdrawalSummary: AdminWithdrawalSummary;
        /** How far to move the clock, either by `seconds` or `to` a time. It only goes forward. */
        AdvanceSandboxClockRequest: AdvanceSandboxClockRequest;
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
        AgreementMethod: AgreementMethod;
        /** Where the platform sends its alerts, and how that is going. */
        AlertChannel: AlertChannel;
        /** A key for your servers. The secret that belongs to it was shown once, when it was made. */
        ApiKey: ApiKey;
        /** A new key with its secret. Store the secret now, it is never shown again. */
        ApiKeyCreated: ApiKeyCreated;
        /** An API key was made, or made anew by rotating another. */
        ApiKeyCreatedEvent: ApiKeyCreatedEvent;
        /** Your API keys. */
        ApiKeyList: ApiKeyList;
        /** An API key was deleted or replaced at once and works no more. */
        ApiKeyRevokedEvent: ApiKeyRevokedEvent;
        /**
         * What an API key may do. `payments:read` reads payments and checkout sessions, `payments:write` creates and decides about them, `settlements:read` reads the balance and the ledger, `settlements:write` asks for withdrawals, `webhooks:manage` is for everything about webhooks. Only a key that was made with them may do more: `links:manage` makes and changes payment links, `subscriptions:manage` plans and subscriptions.
         * @enum {string}
         */
        ApiKeyScope: ApiKeyScope;
        /** The approver's own second-factor code. */
        ApproveChangeRequest: ApproveChangeRequest;
        /** What there is to say about it. */
        ApproveWithdrawalRequest: ApproveWithdrawalRequest;
        /**
         * Who did it: `admin`, an administrator of the platform; `merchant`, the merchant itself, by a session or an API key; `system`, nobody of these: a job, a payer, or somebody who did not prove who they are.
         * @enum {string}
         */
        AuditActorType: AuditActorType;
        /** Something that was done, or tried and refused. Entries are never changed or removed. */
        AuditLogEntry: AuditLogEntry;
        /** A page of the audit log. */
        AuditLogEntryList: AuditLogEntryList;
        /** The fee of a payout to a bank account. */
        BankWithdrawalFee: BankWithdrawalFee;
        /** The fee of a payout to a bank account. */
        BankWithdrawalFeeInput: BankWithdrawalFeeInput;
        /**
         * The legal form of the business.
         * @enum {string}
         */
        BusinessType: BusinessType;
        /** The proof that the wallet's owner wants to cancel. */
        CancelByWalletRequest: CancelByWalletRequest;
        /** Why it is cancelled. */
        CancelChangeRequest: CancelChangeRequest;
        /**
         * What a signed text is good for.
         *
         * - `subscribe`: to subscribe the wallet to the plan `planId`.
         * - `sign_in`: to see the wallet's subscriptions.
         * - `cancel`: to cancel the subscription `subscriptionId`.
         * @example sign_in
         * @enum {string}
         */
        ChallengePurpose: ChallengePurpose;
        /** The old password and the new one. */
        ChangeAdminPasswordRequest: ChangeAdminPasswordRequest;
        /** The caller's own second-factor code. */
        ChangeAdminStatusRequest: ChangeAdminStatusRequest;
        /**
         * What a change is about.
         *
         * - `settings`: the settings of the platform.
         * - `role`: the permissions of a role.
         * - `admin`: the role of an administrator, or a new administrator.
         * @example settings
         * @enum {string}
         */
        ChangeKind: ChangeKind;
        /** A page of changes. */
        ChangeList: ChangeList;
        /** The old password and the new one. */
        ChangeMerchantPasswordRequest: ChangeMerchantPasswordRequest;
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
        ChangeStatus: ChangeStatus;
        /** What a subscription owes for one period, and what became of it. */
        Charge: Charge;
        /** One try to collect a charge. */
        ChargeAttempt: ChargeAttempt;
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
        ChargeFailureCode: ChargeFailureCode;
        /** A page of charges. */
        ChargeList: ChargeList;
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
        ChargeOutcome: ChargeOutcome;
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
        ChargeStatus: ChargeStatus;
        /** A checkout session, as its merchant sees it. Its payment has the details. */
        CheckoutSession: CheckoutSession;
        /** The payment of the session is paid. */
        CheckoutSessionCompletedEvent: CheckoutSessionCompletedEvent;
        /** A new checkout session. */
        CheckoutSessionCreated: CheckoutSessionCreated;
        /** The session ended without being paid. */
        CheckoutSessionExpiredEvent: CheckoutSessionExpiredEvent;
        /**
         * The state of a checkout session.
         *
         * - `open`: the customer can pay.
         * - `completed`: its payment is paid.
         * - `expired`: its time ran out, or you expired it.
         * @enum {string}
         */
        CheckoutSessionStatus: CheckoutSessionStatus;
        /** Where the money shall go. */
        ClaimRefundRequest: ClaimRefundRequest;
        /** What a transaction completed, and what it did not. */
        CompletedPayouts: CompletedPayouts;
        /** A transaction, and what it paid. */
        CompletePayoutsRequest: CompletePayoutsRequest;
        /** What paid the refund. */
        CompleteRefundRequest: CompleteRefundRequest;
        /** The transaction that paid it. */
        CompleteWithdrawalRequest: CompleteWithdrawalRequest;
        /** Who to add, and what they may do. */
        CreateAdminUserRequest: CreateAdminUserRequest;
        /** What the key is for, and what it may do. */
        CreateApiKeyRequest: CreateApiKeyRequest;
        /** What the customer is to pay, and where they go afterwards. */
        CreateCheckoutSessionRequest: CreateCheckoutSessionRequest;
        /** The proof of a wallet. */
        CreateCustomerSessionRequest: CreateCustomerSessionRequest;
        /** A refund, with the link by which its payer claims it. */
        CreatedRefund: CreatedRefund;
        /** A new payment link. */
        CreatePaymentLinkRequest: CreatePaymentLinkRequest;
        /** A payment without a link or a session, for a checkout page of your own. */
        CreatePaymentRequest: CreatePaymentRequest;
        /** A new subscription plan. */
        CreatePlanRequest: CreatePlanRequest;
        /** What to give back. It goes in a token that was paid, on the network where it was paid. Where a payment was paid in several, `token` and `network` say in which; without them it is the one of which most is left. */
        CreateRefundRequest: CreateRefundRequest;
        /** A role to be. */
        CreateRoleRequest: CreateRoleRequest;
        /** What the wallet gets. Everything is optional. */
        CreateSandboxWalletRequest: CreateSandboxWalletRequest;
        /** What a wallet wants to prove. */
        CreateWalletChallengeRequest: CreateWalletChallengeRequest;
        /** What to take out, and where it goes: for `crypto` to `destinationAddress`, for `bank` to the account of `bankAccountNumber`, `bankName` and `bankBranch`, all three. Fields of the other method are refused. */
        CreateWithdrawalRequest: CreateWithdrawalRequest;
        /**
         * The fiat currency of an amount.
         * @enum {string}
         */
        Currency: Currency;
        /** A charge that was paid, or is being confirmed. */
        CustomerCharge: CustomerCharge;
        /** A customer's session. */
        CustomerSession: CustomerSession;
        /** What is left of a session. */
        CustomerSessionEnded: CustomerSessionEnded;
        /** A subscription as the customer's own list shows it. */
        CustomerSubscription: CustomerSubscription;
        /** One page of a customer's subscriptions. */
        CustomerSubscriptionList: CustomerSubscriptionList;
        /** A question that every payer of the link answers. */
        CustomField: CustomField;
        /** What a payer answered to a question of a payment link. */
        CustomFieldAnswer: CustomFieldAnswer;
        /**
         * The payer's answers, by the `key` of the field: a string for a `text` or a `choice`, a whole number for a `number`. Leave out what is not answered.
         * @example {
         *       "size": "Medium",
         *       "seats": 2
         *     }
         */
        CustomFieldAnswers: CustomFieldAnswers;
        /** A question that every payer of the link answers. */
        CustomFieldInput: CustomFieldInput;
        /**
         * What a payer fills in.
         *
         * - `text`: a line of text, at most `maxLength` characters.
         * - `number`: a whole number from `minimum` to `maximum`.
         * - `choice`: one of `options`.
         * @enum {string}
         */
        CustomFieldKind: CustomFieldKind;
        /** Both factors, for the last time. */
        DisableTwoFactorRequest: DisableTwoFactorRequest;
        /** About what an amount comes to in another currency, for people to read. Nothing is asked or paid by it. */
        DisplayAmount: DisplayAmount;
        /** The rate by which an amount is shown in another currency. */
        DisplayRate: DisplayRate;
        /** The proof that the authenticator app has the secret. */
        EnableTwoFactorRequest: EnableTwoFactorRequest;
        /**
         * The machine-readable kind of an error. One code always comes with one HTTP status, a status may have several codes.
         * @enum {string}
         */
        ErrorCode: ErrorCode;
        /** What went wrong. */
        ErrorDetail: ErrorDetail;
        /** One thing in the request that is wrong. */
        ErrorField: ErrorField;
        /** The body of every answer that is not a success, on every path. */
        ErrorResponse: ErrorResponse;
        /** What every event carries around its `type` and `data`. */
        EventEnvelope: EventEnvelope;
        /**
         * The type of an event. New types may appear at any time; answer 2xx to those that you do not know.
         * @enum {string}
         */
        EventType: EventType;
        /** What to pay. */
        ExportPayoutsRequest: ExportPayoutsRequest;
        /** Why it fails. */
        FailRefundRequest: FailRefundRequest;
        /** How you know that a payout was not sent. */
        FailRequest: FailRequest;
        /** Why it can not be paid. */
        FailWithdrawalRequest: FailWithdrawalRequest;
        /** Why the merchant is frozen. */
        FreezeMerchantRequest: FreezeMerchantRequest;
        /** A change that touches where money goes. It waits, so that everybody can see it and object. */
        GuardedChange: GuardedChange;
        /** An incident with what it means, what it touches and what to do. */
        Incident: Incident;
        /** A page of incidents. */
        IncidentList: IncidentList;
        /**
         * `critical`: money or a whole network is concerned, look now. `warning`: look today.
         * @enum {string}
         */
        IncidentSeverity: IncidentSeverity;
        /**
         * `open`: no administrator has looked at it. `acknowledged`: an administrator has seen it, and it is not over. `resolved`: it is over; the same thing may open another one later.
         * @enum {string}
         */
        IncidentStatus: IncidentStatus;
        /** An incident as lists show it. */
        IncidentSummary: IncidentSummary;
        /** An Ed25519 public key as a JSON Web Key (RFC 8037). */
        JsonWebKey: JsonWebKey;
        /** The public keys of a merchant as a JSON Web Key Set (RFC 7517). */
        JsonWebKeySet: JsonWebKeySet;
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
        LedgerAccount: LedgerAccount;
        /** One movement on one of your accounts. Entries are never changed or removed. */
        LedgerEntry: LedgerEntry;
        /** A page of ledger entries. */
        LedgerEntryList: LedgerEntryList;
        /** A line of what a payment is for, as the payer sees it. */
        LineItem: LineItem;
        /** A line of what a payment is for. */
        LineItemInput: LineItemInput;
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
        Locale: Locale;
        /** The credentials of an administrator. */
        LoginAdminRequest: LoginAdminRequest;
        /** The credentials of a merchant. */
        LoginMerchantRequest: LoginMerchantRequest;
        /** What the customer agrees to, as the collector's contract knows it: amounts in base units of the token, times in seconds since 1970. */
        Mandate: Mandate;
        /** The mandate without its id, in the spelling that wallets sign. */
        MandateMessage: MandateMessage;
        /**
         * What the chain knows of the customer's mandate, without which nothing can be charged.
         *
         * - `pending`: the customer has not agreed yet. Send them to `authorizeUrl`.
         * - `active`: it stands.
         * - `revoked`: the customer has withdrawn it.
         * - `expired`: the time for which it was given is over.
         * @enum {string}
         */
        MandateStatus: MandateStatus;
        /** What the mandate allows at most, for words that people understand. */
        MandateTerms: MandateTerms;
        /** What the customer's wallet is to sign, the second parameter of `eth_signTypedData_v4` (EIP-712): pass it on as it is. null when nothing is to be signed. */
        MandateTypedData: MandateTypedData;
        /** A merchant, as the merchant sees itself. */
        Merchant: Merchant;
        /** A merchant and the tokens of a new login session. */
        MerchantAuthResult: MerchantAuthResult;
        /** What payers recognize the merchant by. */
        MerchantBrand: MerchantBrand;
        /** How payers reach the merchant. */
        MerchantContact: MerchantContact;
        /** A login session of the merchant. */
        MerchantSession: MerchantSession;
        /** A page of login sessions. */
        MerchantSessionList: MerchantSessionList;
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
        MerchantStatus: MerchantStatus;
        /** A merchant's state after it was changed. */
        MerchantStatusChange: MerchantStatusChange;
        /** Your merchant was approved, rejected, frozen, unfrozen or closed. */
        MerchantStatusChangedEvent: MerchantStatusChangedEvent;
        /** A fresh pair of tokens. */
        MerchantTokens: MerchantTokens;
        /** A plain confirmation. */
        MessageResponse: MessageResponse;
        /**
         * The key-value data that you attached, returned exactly as you sent it. `{}` when you attached none.
         * @example {
         *       "orderId": "A-1001"
         *     }
         */
        Metadata: Metadata;
        /**
         * Your own key-value data: at most 50 keys of 1 to 64 characters; each value a string of at most 500 characters, a number or a boolean; 8 KiB of JSON in all. Comes back in reads and in webhook events, never in public views.
         * @example {
         *       "orderId": "A-1001"
         *     }
         */
        MetadataInput: MetadataInput;
        /** How many blocks to mine. */
        MineSandboxBlocksRequest: MineSandboxBlocksRequest;
        /** An administrator as they see themselves. */
        OwnAdmin: OwnAdmin;
        /** Where a list page stands in the whole list. */
        Pagination: Pagination;
        /** The amounts between which payers choose, in USD. */
        PayerAmount: PayerAmount;
        /** The amounts between which payers choose, in USD. */
        PayerAmountInput: PayerAmountInput;
        /** A payment with everything that its merchant may know. */
        Payment: Payment;
        /** Enough money is confirmed: the payment is paid and credited. Fulfil the order now. */
        PaymentCompletedEvent: PaymentCompletedEvent;
        /** How far the confirmation of a payment is. */
        PaymentConfirmations: PaymentConfirmations;
        /** Enough money was seen on the chain; its confirmations are awaited. */
        PaymentConfirmingEvent: PaymentConfirmingEvent;
        /** A payment was created. */
        PaymentCreatedEvent: PaymentCreatedEvent;
        /** A payment with what was given back of it. */
        PaymentDetail: PaymentDetail;
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
        PaymentException: PaymentException;
        /** Money arrived that the payment can not take by itself: late, too much or in a wrong token. It waits for `resolvePayment`. */
        PaymentExceptionEvent: PaymentExceptionEvent;
        /** The time ran out, or the merchant cancelled. `reason` and `exception` say more. */
        PaymentExpiredEvent: PaymentExpiredEvent;
        /** What was seen on the chain never confirmed. */
        PaymentFailedEvent: PaymentFailedEvent;
        /** What is signed about how a payment is to be paid. */
        PaymentInstructions: PaymentInstructions;
        /** A shareable page that asks for one amount, as often as people open it. */
        PaymentLink: PaymentLink;
        /** A payment link was created. */
        PaymentLinkCreatedEvent: PaymentLinkCreatedEvent;
        /** The time of a payment link ran out. */
        PaymentLinkExpiredEvent: PaymentLinkExpiredEvent;
        /** A page of payment links. */
        PaymentLinkList: PaymentLinkList;
        /**
         * The state of a payment link.
         *
         * - `active`: it can be paid.
         * - `expired`: its `expiresAt` has passed. A later `expiresAt` makes it active again.
         * - `disabled`: you switched it off. `status: active` switches it on again.
         * @enum {string}
         */
        PaymentLinkStatus: PaymentLinkStatus;
        /** A payment link as lists show it. */
        PaymentLinkSummary: PaymentLinkSummary;
        /** A payment link was changed, switched on or switched off. */
        PaymentLinkUpdatedEvent: PaymentLinkUpdatedEvent;
        /** A page of payments. */
        PaymentList: PaymentList;
        /** One way to pay a payment, a token or a coin on a network. */
        PaymentOption: PaymentOption;
        /** The payer chose a token, or sent less than is needed. */
        PaymentPendingEvent: PaymentPendingEvent;
        /** By what an option in ETH or BTC comes to its amount. It holds for a quarter of an hour and is renewed while the payment is open; who sent the amount of the one before has paid by that. */
        PaymentQuote: PaymentQuote;
        /** The exchange rate that was locked when the payment was quoted. */
        PaymentRate: PaymentRate;
        /**
         * Why the payment ended without being paid, null when there is nothing to say.
         *
         * - `cancelled`: the merchant cancelled it, with `expired`.
         * - `not_confirmed`: what was seen never confirmed, with `failed`.
         * @example null
         * @enum {string|null}
         */
        PaymentReason: PaymentReason;
        /** The money that `payment.reversed` took back is confirmed on the chain again, and in your balance. */
        PaymentRestoredEvent: PaymentRestoredEvent;
        /** The chain undid a payment that was paid already. It stays `paid`; its amount was taken back from your balance. `payment.restored` tells when it is there again. */
        PaymentReversedEvent: PaymentReversedEvent;
        /** The chain undid a transfer before it was confirmed; the payment is pending again. */
        PaymentRevertedEvent: PaymentRevertedEvent;
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
        PaymentStatus: PaymentStatus;
        /** A payment as lists show it. */
        PaymentSummary: PaymentSummary;
        /** The story of a payment. */
        PaymentTimeline: PaymentTimeline;
        /** Something that happened to a payment. */
        PaymentTimelineEntry: PaymentTimelineEntry;
        /** A transfer on the chain that reached the address of the payment. */
        PaymentTransaction: PaymentTransaction;
        /** Money that waits to be sent, for a withdrawal or a refund. */
        Payout: Payout;
        /** What is to be paid on a network. */
        PayoutExport: PayoutExport;
        /** A page of payouts. */
        PayoutList: PayoutList;
        /** How to pay. Everything is optional. */
        PaySandboxPaymentRequest: PaySandboxPaymentRequest;
        /** How to pay it out. Everything is optional. */
        PaySandboxRefundRequest: PaySandboxRefundRequest;
        /** How to pay it out. Everything is optional. */
        PaySandboxWithdrawalRequest: PaySandboxWithdrawalRequest;
        /**
         * What a role can allow. Every operation for administrators names the one that it needs.
         * @enum {string}
         */
        Permission: Permission;
        /** A permission and what it allows. */
        PermissionEntry: PermissionEntry;
        /** The catalogue of permissions. */
        PermissionList: PermissionList;
        /** An allowance that the wallet signs besides the transfer (ERC-2612), because Permit2 may not move its tokens yet. It is of just the transfer's amount, and as short. */
        PermitToSign: PermitToSign;
        /** What customers subscribe to, an amount that comes again and again. */
        Plan: Plan;
        /** A page of subscription plans. */
        PlanList: PlanList;
        /** The subscription of a wallet to a plan. */
        PlanSubscription: PlanSubscription;
        /** What the platform's owners can change while it runs. Every process follows within a second. */
        PlatformSettings: PlatformSettings;
        /** What to note. */
        ProcessRefundRequest: ProcessRefundRequest;
        /** What there is to say about it. */
        ProcessWithdrawalRequest: ProcessWithdrawalRequest;
        /** A transaction of Bitcoin that nobody has signed. */
        PsbtFile: PsbtFile;
        /** What a payer may know about a checkout session. */
        PublicCheckoutSession: PublicCheckoutSession;
        /** What a payer may know about a payment. It never shows `metadata`, `customerEmail` or `customFields`. */
        PublicPayment: PublicPayment;
        /** What a payer may know about a payment link. */
        PublicPaymentLink: PublicPaymentLink;
        /** What everybody may know about a plan. */
        PublicPlan: PublicPlan;
        /** What a payer may know about a refund. */
        PublicRefund: PublicRefund;
        /** What a customer may know about a subscription. It never shows `customerEmail` or `customerName`. */
        PublicSubscription: PublicSubscription;
        /** An event as it was announced, and its place in your feed once it has one. */
        RecordedEvent: RecordedEvent;
        /** From when on events are sent again. */
        RecoverWebhooksRequest: RecoverWebhooksRequest;
        /** The refresh token to trade in. */
        RefreshAdminSessionRequest: RefreshAdminSessionRequest;
        /** The refresh token to trade in. */
        RefreshMerchantSessionRequest: RefreshMerchantSessionRequest;
        /** Money of a payment that goes back to its payer. */
        Refund: Refund;
        /** A refund was taken back, and its money is where it was. */
        RefundCancelledEvent: RefundCancelledEvent;
        /** A refund is paid. */
        RefundCompletedEvent: RefundCompletedEvent;
        /** A refund was made, and its money is held. */
        RefundCreatedEvent: RefundCreatedEvent;
        /** A refund could not be paid, and its money is where it was. */
        RefundFailedEvent: RefundFailedEvent;
        /** A page of refunds. */
        RefundList: RefundList;
        /** Money of a payment that its payer may have back at once. */
        RefundOffer: RefundOffer;
        /**
         * An exception for which a payment's page may offer the money back.
         * @example overpaid
         * @enum {string}
         */
        RefundOfferException: RefundOfferException;
        /** It is known where a refund goes, or that has changed. */
        RefundPendingEvent: RefundPendingEvent;
        /** A refund is being paid. */
        RefundProcessingEvent: RefundProcessingEvent;
        /** The chain took the payout of a refund back. It is paid anew, or fails. */
        RefundRevertedEvent: RefundRevertedEvent;
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
        RefundStatus: RefundStatus;
        /** A wallet that paid, and what it signs to get a refund. */
        RefundWallet: RefundWallet;
        /** A payout, and why nothing happened to it. */
        RefusedPayout: RefusedPayout;
        /** What a new merchant tells about itself. */
        RegisterMerchantRequest: RegisterMerchantRequest;
        /** Why the merchant is rejected. */
        RejectMerchantRequest: RejectMerchantRequest;
        /** Why it is refused. */
        RejectWithdrawalRequest: RejectWithdrawalRequest;
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
        RelayReason: RelayReason;
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
        RelayStatus: RelayStatus;
        /** The code of the second factor, where one is needed. */
        RenewRefundClaimRequest: RenewRefundClaimRequest;
        /** How much of the chain to replace. */
        ReorgSandboxChainRequest: ReorgSandboxChainRequest;
        /** A transfer that was seen and that the network took back: while it waited for a block, because its sender replaced it or because no block took it, or together with the block that held it. */
        ReplacedTransfer: ReplacedTransfer;
        /** What is to become of a transfer that waits in the pool. */
        ReplaceSandboxTransferRequest: ReplaceSandboxTransferRequest;
        /** A payment after a decision, with the refunds that the decision made. */
        ResolvedPayment: ResolvedPayment;
        /** Why it is over. */
        ResolveIncidentRequest: ResolveIncidentRequest;
        /** What to do with the money that waits. */
        ResolvePaymentRequest: ResolvePaymentRequest;
        /** What a group of administrators may do. */
        Role: Role;
        /** All roles. */
        RoleList: RoleList;
        /** The role of an administrator. */
        RoleReference: RoleReference;
        /** How long the old key goes on working beside the new one, and the code that this may need. */
        RotateApiKeyRequest: RotateApiKeyRequest;
        /** How long the old keys sign along. */
        RotateWebhookKeysRequest: RotateWebhookKeysRequest;
        /** Transactions for the Transaction Builder of a Safe, version 1.0 of its file. */
        SafeBatch: SafeBatch;
        /** What the file is. */
        SafeBatchMeta: SafeBatchMeta;
        /** A transaction of a Safe. */
        SafeTransaction: SafeTransaction;
        /** The newest block of a test chain. */
        SandboxChainHead: SandboxChainHead;
        /** The business clock, which decides expiry. */
        SandboxClock: SandboxClock;
        /** A customer of play, with their wallet. */
        SandboxCustomer: SandboxCustomer;
        /** What the sandbox is made of. */
        SandboxInfo: SandboxInfo;
        /** A test network that could not start. */
        SandboxMissingNetwork: SandboxMissingNetwork;
        /** A test network and the contracts on it. */
        SandboxNetwork: SandboxNetwork;
        /**
         * The network to do it on, one of those that `GET /v1/sandbox` lists; `devnet` when you leave it out.
         * @example devnet
         */
        SandboxNetworkName: SandboxNetworkName;
        /** A payout that the sandbox made on its chain. */
        SandboxPayout: SandboxPayout;
        /** A payout that the sandbox made on its chain. */
        SandboxRefundPayout: SandboxRefundPayout;
        /** What became of a transfer that waited in the pool. */
        SandboxReplacement: SandboxReplacement;
        /** A test token. */
        SandboxToken: SandboxToken;
        /**
         * An amount of a test token, a decimal string with no more decimals than the token has.
         * @example 25.000000
         */
        SandboxTokenAmount: SandboxTokenAmount;
        /** A transfer that the sandbox made on its chain. */
        SandboxTransfer: SandboxTransfer;
        /** A new test wallet with play money in it. */
        SandboxWallet: SandboxWallet;
        /** What a test wallet holds of one token. */
        SandboxWalletBalance: SandboxWalletBalance;
        /** A wallet that the sandbox has made, as the chain knows it now. */
        SandboxWalletState: SandboxWalletState;
        /** An event in your feed. */
        SealedEvent: SealedEvent;
        /** A piece of the feed. */
        SealedEventList: SealedEventList;
        /** The option that the payer chose, one of the payment's `options`. */
        SelectPaymentOptionRequest: SelectPaymentOptionRequest;
        /** What you have, in US dollars, rounded down to cents. */
        SettlementBalance: SettlementBalance;
        /** Who asks, once more. */
        SetUpTwoFactorRequest: SetUpTwoFactorRequest;
        /** Instructions for a payment with the signature of its merchant's key. */
        SignedInstructions: SignedInstructions;
        /** The allowance that the wallet has signed, where `permit` asked for one. */
        SignedPermit: SignedPermit;
        /** A transfer that the payer's wallet signs and we bring to the chain, so that the payer needs none of the network's coin. */
        SignedTransfer: SignedTransfer;
        /**
         * By which contract a signed transfer is made.
         *
         * - `erc3009`: by the token's own. One signature is enough.
         * - `permit2`: by [Permit2](https://github.com/Uniswap/permit2), which moves any token whose holder has approved it. A wallet that has not
         *   signs an allowance besides, where the token takes one (ERC-2612); otherwise it has to approve by a transaction first.
         * @example erc3009
         * @enum {string}
         */
        SignMethod: SignMethod;
        /** What the payer tells. Everything is optional, but what the link's `customFields` require. */
        StartPaymentLinkPaymentRequest: StartPaymentLinkPaymentRequest;
        /** A month of your ledger with its movements. */
        Statement: Statement;
        /** A page of months. */
        StatementList: StatementList;
        /** One booking, with what it did to each of your accounts. */
        StatementMovement: StatementMovement;
        /** What a coin counted as when it was credited. */
        StatementPrice: StatementPrice;
        /** A month of your ledger. */
        StatementSummary: StatementSummary;
        /** What changed in the month, by cause. `opening.total` and all of these add up to `closing.total`. US dollars, decimal strings with 6 decimals, negative where they took something from you. */
        StatementTotals: StatementTotals;
        /** The transfer that moved the money. */
        StatementTransfer: StatementTransfer;
        /** A signed transfer. */
        SubmitAuthorizationRequest: SubmitAuthorizationRequest;
        /** The customer's signature. */
        SubmitMandateRequest: SubmitMandateRequest;
        /** Who subscribes, and the proof of their wallet. */
        SubscribeByWalletRequest: SubscribeByWalletRequest;
        /**
         * Who made the subscription.
         *
         * - `merchant`: you did, by the API.
         * - `customer`: the customer did, on the page of the plan. Name and e-mail are what they typed there, so do not take them
         *   for an account of yours without a check of your own.
         * @example merchant
         * @enum {string}
         */
        SubscribedBy: SubscribedBy;
        /** Who subscribes. Everything is optional. */
        SubscribeSandboxCustomerRequest: SubscribeSandboxCustomerRequest;
        /** Who subscribes. */
        SubscribeToPlanRequest: SubscribeToPlanRequest;
        /** A customer who pays a plan, with everything that its merchant may know. */
        Subscription: Subscription;
        /** The first charge of a subscription is paid. */
        SubscriptionActivatedEvent: SubscriptionActivatedEvent;
        /** What cancelling came to. */
        SubscriptionCancellation: SubscriptionCancellation;
        /** A subscription was cancelled; `cancelReason` says why. Nothing more is charged. */
        SubscriptionCancelledEvent: SubscriptionCancelledEvent;
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
        SubscriptionCancelReason: SubscriptionCancelReason;
        /** A charge failed; `failureCode` says why and `nextRetryAt` when it is tried again. */
        SubscriptionChargeFailedEvent: SubscriptionChargeFailedEvent;
        /** A charge that a reorganised chain had taken back has succeeded again. */
        SubscriptionChargeRecoveredEvent: SubscriptionChargeRecoveredEvent;
        /** A reorganised chain took back a charge that had succeeded. It is collected again by itself. */
        SubscriptionChargeReversedEvent: SubscriptionChargeReversedEvent;
        /** A customer was subscribed to a plan, and has to agree. */
        SubscriptionCreatedEvent: SubscriptionCreatedEvent;
        /** The last period of a cancelled subscription is over. */
        SubscriptionExpiredEvent: SubscriptionExpiredEvent;
        /**
         * How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
         * and then on 31 March.
         * @example monthly
         * @enum {string}
         */
        SubscriptionInterval: SubscriptionInterval;
        /** A page of subscriptions. */
        SubscriptionList: SubscriptionList;
        /** A subscription became `past_due`, because a charge failed. */
        SubscriptionPastDueEvent: SubscriptionPastDueEvent;
        /** Charging paused, because the network or token of the subscription is no longer listed. It goes on by itself when it is listed again. */
        SubscriptionPausedEvent: SubscriptionPausedEvent;
        /** The charge of a further period is paid. */
        SubscriptionRenewedEvent: SubscriptionRenewedEvent;
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
        SubscriptionStatus: SubscriptionStatus;
        /** A subscription as lists show it. */
        SubscriptionSummary: SubscriptionSummary;
        /**
         * A stablecoin that plans are charged in. Each counts as one US dollar.
         * @example USDT
         * @enum {string}
         */
        SubscriptionToken: SubscriptionToken;
        /** A trial ends in three days; then the first charge is due. */
        SubscriptionTrialWillEndEvent: SubscriptionTrialWillEndEvent;
        /** The way to money that was offered back. */
        TakenRefundOffer: TakenRefundOffer;
        /** Why the account is closed. */
        TerminateMerchantRequest: TerminateMerchantRequest;
        /**
         * A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
         * @enum {string}
         */
        Token: Token;
        /** What the customer should let the collector take of the token, by its `approve`. */
        TokenAllowance: TokenAllowance;
        /** What a transfer of ETH or BTC counts, by the quote that was in force when it was first seen. */
        TransferWorth: TransferWorth;
        /** The way back in when the authenticator app is lost. */
        TwoFactorRecoveryCodes: TwoFactorRecoveryCodes;
        /** What an authenticator app needs. It is shown once; the second factor is off until a first code comes back. */
        TwoFactorSetup: TwoFactorSetup;
        /** For which contract on which chain the signature counts. */
        TypedDataDomain: TypedDataDomain;
        /** One field of a type. */
        TypedDataField: TypedDataField;
        /** Why the merchant may go on. */
        UnfreezeMerchantRequest: UnfreezeMerchantRequest;
        /** What to change of an administrator; everything else stays as it is. */
        UpdateAdminUserRequest: UpdateAdminUserRequest;
        /** What to change. Everything that you leave out stays as it is. */
        UpdateMerchantRequest: UpdateMerchantRequest;
        /** What to change. Everything that you leave out stays as it is. */
        UpdatePaymentLinkRequest: UpdatePaymentLinkRequest;
        /** What to change. Everything that you leave out stays as it is. `name`, `description`, `trialDays` and `active` can always change, the rest only while nobody subscribes. */
        UpdatePlanRequest: UpdatePlanRequest;
        /** What to change of a role; everything else stays as it is. */
        UpdateRoleRequest: UpdateRoleRequest;
        /** What to change. Everything is optional. */
        UpdateSandboxWalletRequest: UpdateSandboxWalletRequest;
        /** The settings to change; those that are left out stay as they are. */
        UpdateSettingsRequest: UpdateSettingsRequest;
        /** What to change. Everything that you leave out stays as it is. */
        UpdateWebhookEndpointRequest: UpdateWebhookEndpointRequest;
        /** A webhook as your server received it. */
        VerifyWebhookRequest: VerifyWebhookRequest;
        /** A text for a wallet to sign. */
        WalletChallenge: WalletChallenge;
        /** One attempt to deliver an event, and what your endpoint said. */
        WebhookAttempt: WebhookAttempt;
        /** The first place where a body is not what we sent. */
        WebhookBodyDifference: WebhookBodyDifference;
        /** How an endpoint did in a series of checks. */
        WebhookCertification: WebhookCertification;
        /** One thing that was tried, and how the endpoint did. */
        WebhookCertificationCheck: WebhookCertificationCheck;
        /**
         * The state of a certification.
         *
         * - `running`: the checks are being made
         * - `completed`: all were made, `verdict` says how it went
         * - `interrupted`: it could not be brought to its end, through no fault of yours; start another one
         * @enum {string}
         */
        WebhookCertificationStatus: WebhookCertificationStatus;
        /** An event on its way to your endpoint. */
        WebhookDelivery: WebhookDelivery;
        /** A delivery with every attempt, and with the bytes that are sent. */
        WebhookDeliveryDetail: WebhookDeliveryDetail;
        /** A page of deliveries. */
        WebhookDeliveryList: WebhookDeliveryList;
        /**
         * The state of a delivery.
         *
         * - `pending`: not delivered yet, another attempt will come
         * - `success`: your endpoint answered 2xx
         * - `failed`: given up
         * @enum {string}
         */
        WebhookDeliveryStatus: WebhookDeliveryStatus;
        /** Where your events go, which of them, and whether any go at all. */
        WebhookEndpoint: WebhookEndpoint;
        /** Your endpoint was disabled, because it answered 410 or because it did nothing but fail for 120 hours. No webhook brings this event, since there is nowhere left to send it; it stands in the event feed. */
        WebhookEndpointDisabledEvent: WebhookEndpointDisabledEvent;
        /**
         * Whether events go to your endpoint.
         *
         * - `enabled`: every event that it wants is sent
         * - `disabled`: nothing is sent, and what waits is given up; `disabledReason` tells who or what switched it off
         * @enum {string}
         */
        WebhookEndpointStatus: WebhookEndpointStatus;
        /** Any event that a webhook can bring. `type` tells which, and with it what `data` is. */
        WebhookEvent: WebhookEvent;
        /** A public key that your webhooks are signed with. */
        WebhookKey: WebhookKey;
        /** The keys that sign your webhooks. */
        WebhookKeyList: WebhookKeyList;
        /** What is sent again. */
        WebhookRecovery: WebhookRecovery;
        /** What your endpoint made of the test. */
        WebhookTestResult: WebhookTestResult;
        /** Whether a webhook verifies, and why not. */
        WebhookVerification: WebhookVerification;
        /** One of the checks that a verifier makes. */
        WebhookVerificationCheck: WebhookVerificationCheck;
        /** Money that you take out. */
        Withdrawal: Withdrawal;
        /** A withdrawal was approved and will be paid. */
        WithdrawalApprovedEvent: WithdrawalApprovedEvent;
        /** A withdrawal is paid. */
        WithdrawalCompletedEvent: WithdrawalCompletedEvent;
        /** A withdrawal that is paid. */
        WithdrawalCompletion: WithdrawalCompletion;
        /** A withdrawal was asked for, and its money is held. */
        WithdrawalCreatedEvent: WithdrawalCreatedEvent;
        /** An approved withdrawal could not be paid; its money is back in the balance. */
        WithdrawalFailedEvent: WithdrawalFailedEvent;
        /** A withdrawal that could not be paid. */
        WithdrawalFailure: WithdrawalFailure;
        /** A withdrawal that an administrator asks another one to fail. */
        WithdrawalFailureAsked: WithdrawalFailureAsked;
        /** What withdrawals cost. */
        WithdrawalFees: WithdrawalFees;
        /** What withdrawals cost. */
        WithdrawalFeesInput: WithdrawalFeesInput;
        /** A page of withdrawals. */
        WithdrawalList: WithdrawalList;
        /**
         * How a withdrawal is paid.
         *
         * - `crypto`: as a stablecoin to a wallet
         * - `bank`: to a bank account
         * @example crypto
         * @enum {string}
         */
        WithdrawalMethod: WithdrawalMethod;
        /** A withdrawal that is being paid. */
        WithdrawalProcessing: WithdrawalProcessing;
        /** A withdrawal is being paid. */
        WithdrawalProcessingEvent: WithdrawalProcessingEvent;
        /** What a withdrawal would cost, and how much you can withdraw now. */
        WithdrawalQuote: WithdrawalQuote;
        /** A withdrawal was refused or cancelled; its money is back in the balance. */
        WithdrawalRejectedEvent: WithdrawalRejectedEvent;
        /** The chain took back the transaction that had paid a withdrawal. The withdrawal is *approved* again (`statusReason` *processing*), its money is held again, and it will be paid by another transaction. */
        WithdrawalRevertedEvent: WithdrawalRevertedEvent;
        /** A decision about a withdrawal. */
        WithdrawalReview: WithdrawalReview;
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
        WithdrawalStatus: WithdrawalStatus;
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
        WithdrawalStatusReason: WithdrawalStatusReason;
        /**
         * A stablecoin that withdrawals are paid in. Each counts as one US dollar.
         * @example USDT
         * @enum {string}
         */
        WithdrawalToken: WithdrawalToken;
    };
    responses: {
        /** Another administrator has this e-mail address, or this would take the role super_admin from the last active one who has it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
        AdminEmailTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The credentials are missing or not valid (`UNAUTHORIZED`). `reason` is one of `token_missing`, `token_expired` (refresh the session and try again), `token_invalid` (a merchant's token opens nothing here), `session_revoked`. */
        AdminUnauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The request is not valid (`VALIDATION_ERROR`). `fields` names every part that has to change. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The credentials are missing or not valid (`UNAUTHORIZED`), or two-factor authentication is on and this needs a code: `otp` is missing (`reason: otp_required`), or it is wrong or was used before (`reason: otp_invalid`), or only a recovery code is taken after too many wrong ones (`reason: otp_locked`). */
        CodeNeeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The credentials are missing or not valid (`UNAUTHORIZED`), or the code is (`reason: otp_invalid`): it is not the one that the app shows now, or it was used before. After five wrong codes in a row further ones get a 429 for a while. */
        CodeRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** Nothing can be sent: no URL is set (`CONFLICT`, `reason: webhook_url_missing`) or the endpoint is disabled (`reason: webhook_endpoint_disabled`). Set or enable it with `PUT /v1/webhooks/endpoint`. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
        EndpointDisabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /**
         * Any other error. What can happen on every operation stands here once:
         *
         * | status | code | when |
         * |---|---|---|
         * | 400 | `VALIDATION_ERROR` | the query has a parameter that the operation does not take |
         * | 405 | `METHOD_NOT_ALLOWED` | the path exists, the method does not; see the `Allow` header |
         * | 413 | `PAYLOAD_TOO_LARGE` | the body is larger than 64 KiB |
         * | 415 | `UNSUPPORTED_MEDIA_TYPE` | the body is not `application/json` |
         * | 429 | `RATE_LIMITED` | too many requests; wait the seconds in `Retry-After` |
         * | 500 | `INTERNAL_ERROR` | our fault; it has been logged under the `requestId` |
         * | 503 | `SERVICE_UNAVAILABLE`, `RATE_UNAVAILABLE` | try again after `Retry-After` seconds |
         */
        Error: {
            headers: {
                /** For each of them, how many requests are left (`r`) and in how many seconds all are back (`t`). On every answer that was counted. */
                RateLimit?: string;
                /** The limits that this operation counts against: how many requests (`q`) in how many seconds (`w`). On every answer. */
                "RateLimit-Policy"?: string;
                /** With 429 and 503, the seconds to wait. */
                "Retry-After"?: number;
                /** The id of this request, as in `requestId`. Every answer carries it. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The credentials are missing or not valid (`UNAUTHORIZED`), or the password is wrong (`reason: credentials_invalid`), or the code is wrong or was used before (`reason: otp_invalid`). Both count like failed logins. */
        FactorsRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** This may not be done now (`FORBIDDEN`): the merchant's present state does not allow it (`reason: merchant_not_active`), the API key lacks the scope (`scope_missing`), or it may not be used from this address (`address_not_allowed`). */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** A request with the same `Idempotency-Key` is under way (`IDEMPOTENCY_IN_PROGRESS`). Wait the second that `Retry-After` says and send it again to get its answer. */
        IdempotencyInProgress: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The `Idempotency-Key` was used within the last 24 hours for a request that was different (`IDEMPOTENCY_KEY_REUSED`). Nothing was done. Take a new key for a new request. */
        IdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The API key may not do that (`FORBIDDEN`): it lacks the scope (`reason: scope_missing`), or it may not be used from this address (`address_not_allowed`). Requests with an access token never get this answer here. */
        KeyForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The link takes no payments now: its time is over (`EXPIRED`) or the merchant switched it off (`DISABLED`, which wins when both are true). */
        LinkGone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The link takes no more payments (`CONFLICT`, `reason: sold_out`): as many as its `maxPayments` are paid or open. A place comes free when an open payment expires or is cancelled. */
        LinkSoldOut: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** This merchant may not do that in its present state (`FORBIDDEN`, `reason: merchant_not_active`). Read `status` of the merchant. */
        MerchantNotActive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** There is no such thing, or it belongs to another merchant (`NOT_FOUND`). */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** This is another merchant's profile (`FORBIDDEN`, `reason: not_owner`). */
        NotOwner: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The credentials are missing or not valid (`UNAUTHORIZED`), or the password is wrong (`reason: credentials_invalid`), which counts like a failed login. */
        PasswordWrong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** There is no such payment, or it belongs to another merchant (`NOT_FOUND`). With `reason: payment_removed` it was begun by a payer through a link, ended without being paid, and was removed 30 days later. */
        PaymentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The role of this administrator does not allow that (`FORBIDDEN`, `reason: permission_missing`); the message names the permission. In live mode, an administrator who may manage withdrawals, users or roles, or change settings, is asked to turn on two-factor authentication first (`two_factor_required`). */
        PermissionMissing: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** You may not do that (`FORBIDDEN`): your role does not allow the operation (`reason: permission_missing`), it would give away permissions that you lack, or touch somebody or something that holds them (`permission_not_held`; the message names them), or it would change your own role (`own_role`), password or e-mail address (`own_credentials`). In live mode also `two_factor_required`. */
        RightsExceeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The role of this administrator does not allow that (`FORBIDDEN`, `reason: permission_missing`), or it takes a second person and this account may belong to the first (`second_person`): one of the two accounts made the other, or set its password or e-mail address, less than seven days ago. In live mode also `two_factor_required`. */
        SecondPerson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** There are 20 keys that work already (`CONFLICT`): delete one that is not needed. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
        TooManyApiKeys: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** Nothing waits for a first code, because it is on already, was never set up, or was set up more than 15 minutes ago (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
        TwoFactorNotPending: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** Two-factor authentication is off (`CONFLICT`). */
        TwoFactorOff: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** Two-factor authentication is on (`CONFLICT`). Disable it to set it up anew. */
        TwoFactorOn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
        /** The credentials are missing or not valid (`UNAUTHORIZED`). With an access token, `reason` is one of `token_missing`, `token_expired` (refresh the session and try again), `token_invalid`, `session_revoked`. With an API key, where the operation takes one: `api_key_invalid` (a header is missing, doubled or malformed, or the key has expired), `timestamp_skew` (not 10 digits, or more than 300 seconds from our clock), `signature_invalid` (the key is unknown or revoked, or the signature does not fit; the message shows the text that has to be signed). A token and a key at once are `credentials_invalid`. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** The body of every answer that is not a success, on every path. */
                "application/json": ErrorResponse;
            };
        };
    };
    parameters: {
        /** The id of the administrator. */
        AdminUserId: string;
        /** Only items behind this cursor: `pagination.next` of the answer before. Takes the place of `page`, and is as fast at any depth. */
        After: string;
        /** The id of the API key (`key_…`), not its public value. */
        ApiKeyId: string;
        /** Only entries of this action. */
        AuditAction: string;
        /** The id of the entry. */
        AuditLogEntryId: string;
        /** Only entries about this kind of thing. */
        AuditResourceType: string;
        /** Only items in front of this cursor, the nearest of them: `pagination.previous` of the answer before. Takes the place of `page`. */
        Before: string;
        /** The id of the change. */
        ChangeId: string;
        /** The id of the checkout session, `sessionId` in the answer that created it. */
        CheckoutSessionId: string;
        /** The token of a customer's session. */
        CustomerSessionToken: string;
        /** The id of the event. */
        EventId: string;
        /** Only what was created at or after this. A date means from the start of that UTC day. */
        FromDate: string;
        /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
        IdempotencyKey: string;
        /** Any text of your choice, on which the image does not depend. Browsers keep one image for each URL, so change it when the payment's `paymentUri` changes. */
        ImageMark: string;
        /** The id of the incident. */
        IncidentId: string;
        /** The most items on a page. */
        Limit: number;
        /** The id of the merchant. */
        MerchantId: string;
        /** The id of the login session. */
        MerchantSessionId: string;
        /** The page to return, counted from 1. A page past the end is an empty list with the true `total`. To read a whole list, `after` is better, and takes its place. */
        Page: number;
        /** The id of the payment. */
        PaymentId: string;
        /** The id of the payment link. */
        PaymentLinkId: string;
        /** The last part of the link's address. */
        PaymentLinkSlug: string;
        /** The id of the subscription plan. */
        PlanId: string;
        /** The id of the refund. */
        RefundId: string;
        /** The secret at the end of a claim link. */
        RefundToken: string;
        /** The id of the role. */
        RoleId: string;
        /** The address of a wallet that the sandbox has made. */
        SandboxWalletAddress: string;
        /** A month, by UTC, as `2026-01`. */
        StatementMonth: string;
        /** The id of the subscription. */
        SubscriptionId: string;
        /** Only what was created at or before this. A date means to the end of that UTC day. */
        ToDate: string;
        /** The id of the certification. */
        WebhookCertificationId: string;
        /** The id of the delivery (`whd_…`). */
        WebhookDeliveryId: string;
        /** The id of the event, the same in every attempt and redelivery. Remember it to handle an event once. */
        WebhookId: string;
        /** One or more signatures `v1a,<base64>`, divided by spaces: Ed25519 over the id, the time and the body. One that verifies is enough. See *Webhooks*. */
        WebhookSignature: string;
        /** The Unix time of this attempt in whole seconds. It is signed; refuse what is more than 5 minutes from your clock. */
        WebhookTimestamp: string;
        /** The id of the withdrawal. */
        WithdrawalId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAlertChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Where the platform sends its alerts, and how that is going. */
                    "application/json": AlertChannel;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    loginAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The credentials of an administrator. */
                "application/json": LoginAdminRequest;
            };
        };
        responses: {
            /** Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An administrator and the tokens of a new login session. */
                    "application/json": AdminAuthResult;
                };
            };
            400: components["responses"]["BadRequest"];
            /** Not logged in (`UNAUTHORIZED`). `reason` is `credentials_invalid`, `otp_required` or `otp_invalid`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    logoutAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            default: components["responses"]["Error"];
        };
    };
    getOwnAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The administrator. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An administrator as they see themselves. */
                    "application/json": OwnAdmin;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            default: components["responses"]["Error"];
        };
    };
    changeAdminPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The old password and the new one. */
                "application/json": ChangeAdminPasswordRequest;
            };
        };
        responses: {
            /** The new password is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            400: components["responses"]["BadRequest"];
            /** The credentials are missing or not valid (`UNAUTHORIZED`), the current password is wrong (`reason: credentials_invalid`), or two-factor authentication is on and `otp` is missing (`reason: otp_required`), wrong or used before (`reason: otp_invalid`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    refreshAdminSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The refresh token to trade in. */
                "application/json": RefreshAdminSessionRequest;
            };
        };
        responses: {
            /** A new pair of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A fresh pair of tokens. */
                    "application/json": AdminTokens;
                };
            };
            400: components["responses"]["BadRequest"];
            /** The refresh token is unknown, used or expired (`UNAUTHORIZED`). `reason` is `token_invalid`, `token_expired` or `session_revoked`. Log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    disableAdminTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Both factors, for the last time. */
                "application/json": DisableTwoFactorRequest;
            };
        };
        responses: {
            /** It is off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["FactorsRefused"];
            409: components["responses"]["TwoFactorOff"];
            default: components["responses"]["Error"];
        };
    };
    enableAdminTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The proof that the authenticator app has the secret. */
                "application/json": EnableTwoFactorRequest;
            };
        };
        responses: {
            /** It is on. Here are the recovery codes, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The way back in when the authenticator app is lost. */
                    "application/json": TwoFactorRecoveryCodes;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeRefused"];
            409: components["responses"]["TwoFactorNotPending"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    setupAdminTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Who asks, once more. */
                "application/json": SetUpTwoFactorRequest;
            };
        };
        responses: {
            /** The secret, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What an authenticator app needs. It is shown once; the second factor is off until a first code comes back. */
                    "application/json": TwoFactorSetup;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["PasswordWrong"];
            409: components["responses"]["TwoFactorOn"];
            default: components["responses"]["Error"];
        };
    };
    listChanges: {
        parameters: {
            query?: ListChangesQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of changes. */
                    "application/json": ChangeList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    getChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the change. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A change that touches where money goes. It waits, so that everybody can see it and object. */
                    "application/json": GuardedChange;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    approveChange: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the change. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** The approver's own second-factor code. */
                "application/json": ApproveChangeRequest;
            };
        };
        responses: {
            /** It is approved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A change that touches where money goes. It waits, so that everybody can see it and object. */
                    "application/json": GuardedChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["SecondPerson"];
            404: components["responses"]["NotFound"];
            /** It is not `proposed`, or you have proposed it yourself (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    cancelChange: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the change. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Why it is cancelled. */
                "application/json": CancelChangeRequest;
            };
        };
        responses: {
            /** It is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A change that touches where money goes. It waits, so that everybody can see it and object. */
                    "application/json": GuardedChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is over already (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listIncidents: {
        parameters: {
            query?: ListIncidentsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of incidents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of incidents. */
                    "application/json": IncidentList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the incident. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The incident. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An incident with what it means, what it touches and what to do. */
                    "application/json": Incident;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    acknowledgeIncident: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the incident. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** What others should know of it. */
                "application/json": AcknowledgeIncidentRequest;
            };
        };
        responses: {
            /** The incident. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An incident with what it means, what it touches and what to do. */
                    "application/json": Incident;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is resolved already (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    resolveIncident: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the incident. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Why it is over. */
                "application/json": ResolveIncidentRequest;
            };
        };
        responses: {
            /** The incident. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An incident with what it means, what it touches and what to do. */
                    "application/json": Incident;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is resolved already, or what it says is still so (`CONFLICT`); the message names what ends it. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    retryIncident: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the incident. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It is being tried again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An incident with what it means, what it touches and what to do. */
                    "application/json": Incident;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is resolved already, or nothing of its kind can be tried again (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    adminListMerchants: {
        parameters: {
            query?: AdminListMerchantsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of merchants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of merchants. */
                    "application/json": AdminMerchantList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    adminGetMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant as administrators see it. */
                    "application/json": AdminMerchant;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    approveMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant's state after it was changed. */
                    "application/json": MerchantStatusChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    freezeMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Why the merchant is frozen. */
                "application/json": FreezeMerchantRequest;
            };
        };
        responses: {
            /** The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant's state after it was changed. */
                    "application/json": MerchantStatusChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    rejectMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Why the merchant is rejected. */
                "application/json": RejectMerchantRequest;
            };
        };
        responses: {
            /** The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant's state after it was changed. */
                    "application/json": MerchantStatusChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    terminateMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Why the account is closed. */
                "application/json": TerminateMerchantRequest;
            };
        };
        responses: {
            /** The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant's state after it was changed. */
                    "application/json": MerchantStatusChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    unfreezeMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** Why the merchant may go on. */
                "application/json": UnfreezeMerchantRequest;
            };
        };
        responses: {
            /** The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant's state after it was changed. */
                    "application/json": MerchantStatusChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listPayouts: {
        parameters: {
            query?: ListPayoutsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of payouts. */
                    "application/json": PayoutList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    completePayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** A transaction, and what it paid. */
                "application/json": CompletePayoutsRequest;
            };
        };
        responses: {
            /** What was completed, and what was not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a transaction completed, and what it did not. */
                    "application/json": CompletedPayouts;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    exportPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to pay. */
                "application/json": ExportPayoutsRequest;
            };
        };
        responses: {
            /** What is to be paid, in this order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What is to be paid on a network. */
                    "application/json": PayoutExport;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Every permission that there is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The catalogue of permissions. */
                    "application/json": PermissionList;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    adminGetRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A refund with what administrators need to pay it. */
                    "application/json": AdminRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    completeRefund: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What paid the refund. */
                "application/json": CompleteRefundRequest;
            };
        };
        responses: {
            /** It is paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A refund with what administrators need to pay it. */
                    "application/json": AdminRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            /** The role lacks the permission (`FORBIDDEN`, `reason: permission_missing`), two-factor authentication has to be on first (`two_factor_required`), or the amount asks for two people and you are the one who began to pay it (`four_eyes`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            404: components["responses"]["NotFound"];
            /** It is neither `pending` nor `processing` (`CONFLICT`), its merchant is not `active` (`reason: merchant_not_active`) or owes while nothing has been sent (`merchant_owes`), what a `pending` one gives back is not there any more (`refund_uncovered`), the transaction has completed another payout (`tx_hash_used`), or is not what the chain shows (`payout_…`, as for a withdrawal). Or another payout of it, which the chain took back, is there after all (`lost_payout_seen`) or could not be looked for (`lost_payout_unclear`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    failRefund: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Why it fails. */
                "application/json": FailRefundRequest;
            };
        };
        responses: {
            /** It has failed, and its money is where it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A refund with what administrators need to pay it. */
                    "application/json": AdminRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            /** The role lacks the permission (`FORBIDDEN`, `reason: permission_missing`), two-factor authentication has to be on first (`two_factor_required`), or it is `processing`, its worth asks for two people, and no other administrator has asked to fail it (`four_eyes`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            404: components["responses"]["NotFound"];
            /** It is over (`CONFLICT`). Or a payout of it, which the chain took back, is there after all (`reason: lost_payout_seen`): complete it with that transaction; or nobody could look for it in the last minutes (`lost_payout_unclear`), which is worth trying again. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    askToFailRefund: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** How you know that a payout was not sent. */
                "application/json": FailRequest;
            };
        };
        responses: {
            /** It is noted; the refund is still `processing`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A refund with what administrators need to pay it. */
                    "application/json": AdminRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is not `processing` (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    processRefund: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** What to note. */
                "application/json": ProcessRefundRequest;
            };
        };
        responses: {
            /** It is being paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A refund with what administrators need to pay it. */
                    "application/json": AdminRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is not `pending` (`CONFLICT`), its merchant is not `active` (`reason: merchant_not_active`) or owes more than it has (`merchant_owes`), what it gives back is not there any more (`refund_uncovered`), or its network is no longer listed (`network_not_listed`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** All roles. */
                    "application/json": RoleList;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** A role to be. */
                "application/json": CreateRoleRequest;
            };
        };
        responses: {
            /** The new role. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a group of administrators may do. */
                    "application/json": Role;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["RightsExceeded"];
            /** Another role has this name (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the role. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a group of administrators may do. */
                    "application/json": Role;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the role. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to change of a role; everything else stays as it is. */
                "application/json": UpdateRoleRequest;
            };
        };
        responses: {
            /** The role as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a group of administrators may do. */
                    "application/json": Role;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            /** Another role has this name, or it is super_admin (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the role. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The role is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            /** Administrators have this role, or it is super_admin (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What the platform's owners can change while it runs. Every process follows within a second. */
                    "application/json": PlatformSettings;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The settings to change; those that are left out stay as they are. */
                "application/json": UpdateSettingsRequest;
            };
        };
        responses: {
            /** The settings in force after the change, and what waits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What the platform's owners can change while it runs. Every process follows within a second. */
                    "application/json": PlatformSettings;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["PermissionMissing"];
            /** The settings have changed since that version (`CONFLICT`), or another change of the same setting waits. Read them again, and decide with what they are now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listAdminUsers: {
        parameters: {
            query?: ListAdminUsersQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of administrators. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of administrators. */
                    "application/json": AdminUserList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    createAdminUser: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Who to add, and what they may do. */
                "application/json": CreateAdminUserRequest;
            };
        };
        responses: {
            /** The new administrator. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An administrator who was just added. */
                    "application/json": AdminUserCreated;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            409: components["responses"]["AdminEmailTaken"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the administrator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The administrator. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An administrator. */
                    "application/json": AdminUser;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the administrator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to change of an administrator; everything else stays as it is. */
                "application/json": UpdateAdminUserRequest;
            };
        };
        responses: {
            /** The administrator as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An administrator. */
                    "application/json": AdminUser;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AdminEmailTaken"];
            default: components["responses"]["Error"];
        };
    };
    activateAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the administrator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** The caller's own second-factor code. */
                "application/json": ChangeAdminStatusRequest;
            };
        };
        responses: {
            /** The administrator is active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An administrator's state after it was set. */
                    "application/json": AdminUserStatusChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            /** A change that would activate them waits already (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deactivateAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the administrator. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** The caller's own second-factor code. */
                "application/json": ChangeAdminStatusRequest;
            };
        };
        responses: {
            /** The administrator is deactivated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An administrator's state after it was set. */
                    "application/json": AdminUserStatusChange;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            /** This is your own account, or the last active one with the role super_admin (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    adminListWithdrawals: {
        parameters: {
            query?: AdminListWithdrawalsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of withdrawals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of withdrawals. */
                    "application/json": AdminWithdrawalList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    adminGetWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A withdrawal with everything that administrators know of it. */
                    "application/json": AdminWithdrawal;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    approveWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** What there is to say about it. */
                "application/json": ApproveWithdrawalRequest;
            };
        };
        responses: {
            /** It is approved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A decision about a withdrawal. */
                    "application/json": WithdrawalReview;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is not `pending` (`CONFLICT`); its network or token is no longer listed (`reason: network_not_listed`): reject it, so that the merchant can withdraw elsewhere; or the setting `offRampAddress` is no address of its network (`off_ramp_address`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    completeWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The transaction that paid it. */
                "application/json": CompleteWithdrawalRequest;
            };
        };
        responses: {
            /** It is completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A withdrawal that is paid. */
                    "application/json": WithdrawalCompletion;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            /** The role lacks the permission (`FORBIDDEN`, `reason: permission_missing`), two-factor authentication has to be on first (`two_factor_required`), or the amount, or a network that is no longer listed, asks for two people and you are the one who approved it (`four_eyes`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            404: components["responses"]["NotFound"];
            /** It is neither `approved` nor `processing` (`CONFLICT`), its merchant is not `active` (`reason: merchant_not_active`), or it is still `approved` and its merchant owes more than it has (`merchant_owes`): fail it, which repays that. What is in `processing` can be completed all the same, because its money may have left. The transaction has completed another payout (`tx_hash_used`), or is not what the chain shows: `payout_not_found`, `payout_not_mined`, `payout_reverted`, `payout_too_early`, `payout_wrong_token`, `payout_wrong_destination`, `payout_wrong_sender`, `payout_too_small`, `payout_unclear` (what came back to who paid can't be reckoned), `payout_not_confirmed`; or an earlier payout of it, which the chain took back, is there after all (`lost_payout_seen`) or could not be looked for (`lost_payout_unclear`); the message says what did not match, and with `Retry-After` it is worth trying again. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    failWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Why it can not be paid. */
                "application/json": FailWithdrawalRequest;
            };
        };
        responses: {
            /** It has failed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A withdrawal that could not be paid. */
                    "application/json": WithdrawalFailure;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            /** The role lacks the permission (`FORBIDDEN`, `reason: permission_missing`), two-factor authentication has to be on first (`two_factor_required`), or it is `processing`, its amount asks for two people, and no other administrator has asked to fail it (`four_eyes`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            404: components["responses"]["NotFound"];
            /** It is neither `approved` nor `processing` (`CONFLICT`). Or a payout of it, which the chain took back, is there after all (`reason: lost_payout_seen`): complete it with that transaction; or nobody could look for it in the last minutes (`lost_payout_unclear`), which is worth trying again. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    askToFailWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** How you know that a payout was not sent. */
                "application/json": FailRequest;
            };
        };
        responses: {
            /** It is noted; the withdrawal is still `processing`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A withdrawal that an administrator asks another one to fail. */
                    "application/json": WithdrawalFailureAsked;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is not `processing` (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    processWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** What there is to say about it. */
                "application/json": ProcessWithdrawalRequest;
            };
        };
        responses: {
            /** It is being paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A withdrawal that is being paid. */
                    "application/json": WithdrawalProcessing;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is not `approved`, its merchant is not `active` (`CONFLICT`, `reason: merchant_not_active`), or owes more than it has, because the chain took back what had paid it (`merchant_owes`): fail the withdrawal, which repays that first. Its network or token may no longer be listed (`network_not_listed`): fail it, so that the merchant can withdraw elsewhere. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    rejectWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Why it is refused. */
                "application/json": RejectWithdrawalRequest;
            };
        };
        responses: {
            /** It is rejected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A decision about a withdrawal. */
                    "application/json": WithdrawalReview;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** It is not `pending` (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Your API keys. */
                    "application/json": ApiKeyList;
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What the key is for, and what it may do. */
                "application/json": CreateApiKeyRequest;
            };
        };
        responses: {
            /** The key, with its secret for the only time. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A new key with its secret. Store the secret now, it is never shown again. */
                    "application/json": ApiKeyCreated;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["MerchantNotActive"];
            409: components["responses"]["TooManyApiKeys"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the API key (`key_…`), not its public value. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The key is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the API key (`key_…`), not its public value. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** How long the old key goes on working beside the new one, and the code that this may need. */
                "application/json": RotateApiKeyRequest;
            };
        };
        responses: {
            /** The new key, with its secret for the only time. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A new key with its secret. Store the secret now, it is never shown again. */
                    "application/json": ApiKeyCreated;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TooManyApiKeys"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listAuditLogs: {
        parameters: {
            query?: ListAuditLogsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of the platform's audit log. */
                    "application/json": AdminAuditLogEntryList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    getAuditLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the entry. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An entry of the platform's audit log, as administrators see it. */
                    "application/json": AdminAuditLogEntry;
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    loginMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The credentials of a merchant. */
                "application/json": LoginMerchantRequest;
            };
        };
        responses: {
            /** Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant and the tokens of a new login session. */
                    "application/json": MerchantAuthResult;
                };
            };
            400: components["responses"]["BadRequest"];
            /** Not logged in (`UNAUTHORIZED`). `reason` is `credentials_invalid`, `otp_required` or `otp_invalid`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    logoutMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    changeMerchantPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The old password and the new one. */
                "application/json": ChangeMerchantPasswordRequest;
            };
        };
        responses: {
            /** The new password is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            400: components["responses"]["BadRequest"];
            /** The credentials are missing or not valid (`UNAUTHORIZED`), the current password is wrong (`reason: credentials_invalid`), or two-factor authentication is on and `otp` is missing (`reason: otp_required`), wrong or used before (`reason: otp_invalid`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    refreshMerchantSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The refresh token to trade in. */
                "application/json": RefreshMerchantSessionRequest;
            };
        };
        responses: {
            /** A new pair of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A fresh pair of tokens. */
                    "application/json": MerchantTokens;
                };
            };
            400: components["responses"]["BadRequest"];
            /** The refresh token is unknown, used or expired (`UNAUTHORIZED`). `reason` is `token_invalid`, `token_expired` or `session_revoked`. Log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    registerMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What a new merchant tells about itself. */
                "application/json": RegisterMerchantRequest;
            };
        };
        responses: {
            /** The merchant exists and is logged in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant and the tokens of a new login session. */
                    "application/json": MerchantAuthResult;
                };
            };
            400: components["responses"]["BadRequest"];
            /** The e-mail address is already registered (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listMerchantSessions: {
        parameters: {
            query?: ListMerchantSessionsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of login sessions. */
                    "application/json": MerchantSessionList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    revokeMerchantSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the login session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Both factors, for the last time. */
                "application/json": DisableTwoFactorRequest;
            };
        };
        responses: {
            /** It is off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["FactorsRefused"];
            409: components["responses"]["TwoFactorOff"];
            default: components["responses"]["Error"];
        };
    };
    enableTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The proof that the authenticator app has the secret. */
                "application/json": EnableTwoFactorRequest;
            };
        };
        responses: {
            /** It is on. Here are the recovery codes, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The way back in when the authenticator app is lost. */
                    "application/json": TwoFactorRecoveryCodes;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeRefused"];
            409: components["responses"]["TwoFactorNotPending"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    setupTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Who asks, once more. */
                "application/json": SetUpTwoFactorRequest;
            };
        };
        responses: {
            /** The secret, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What an authenticator app needs. It is shown once; the second factor is off until a first code comes back. */
                    "application/json": TwoFactorSetup;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["PasswordWrong"];
            409: components["responses"]["TwoFactorOn"];
            default: components["responses"]["Error"];
        };
    };
    createCheckoutSession: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What the customer is to pay, and where they go afterwards. */
                "application/json": CreateCheckoutSessionRequest;
            };
        };
        responses: {
            /** The session is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A new checkout session. */
                    "application/json": CheckoutSessionCreated;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the checkout session, `sessionId` in the answer that created it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A checkout session, as its merchant sees it. Its payment has the details. */
                    "application/json": CheckoutSession;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    expireCheckoutSession: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the checkout session, `sessionId` in the answer that created it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A checkout session, as its merchant sees it. Its payment has the details. */
                    "application/json": CheckoutSession;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** The session is not open any more, or its payment is already confirming (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listEvents: {
        parameters: {
            query?: ListEventsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A piece of the feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A piece of the feed. */
                    "application/json": SealedEventList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An event as it was announced, and its place in your feed once it has one. */
                    "application/json": RecordedEvent;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listMerchantAuditLogs: {
        parameters: {
            query?: ListMerchantAuditLogsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of the audit log. */
                    "application/json": AuditLogEntryList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant, as the merchant sees itself. */
                    "application/json": Merchant;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotOwner"];
            default: components["responses"]["Error"];
        };
    };
    updateMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to change. Everything that you leave out stays as it is. */
                "application/json": UpdateMerchantRequest;
            };
        };
        responses: {
            /** The merchant as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A merchant, as the merchant sees itself. */
                    "application/json": Merchant;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["NotOwner"];
            default: components["responses"]["Error"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: ListPaymentLinksQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of payment links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of payment links. */
                    "application/json": PaymentLinkList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** A new payment link. */
                "application/json": CreatePaymentLinkRequest;
            };
        };
        responses: {
            /** The link is active. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A shareable page that asks for one amount, as often as people open it. */
                    "application/json": PaymentLink;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            /** The slug is taken (`CONFLICT`). Choose another or leave it out. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The payment link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A shareable page that asks for one amount, as often as people open it. */
                    "application/json": PaymentLink;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updatePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to change. Everything that you leave out stays as it is. */
                "application/json": UpdatePaymentLinkRequest;
            };
        };
        responses: {
            /** The payment link as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A shareable page that asks for one amount, as often as people open it. */
                    "application/json": PaymentLink;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    deletePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment link. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The link is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A plain confirmation. */
                    "application/json": MessageResponse;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listPayments: {
        parameters: {
            query?: ListPaymentsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of payments. */
                    "application/json": PaymentList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** A payment without a link or a session, for a checkout page of your own. */
                "application/json": CreatePaymentRequest;
            };
        };
        responses: {
            /** The payment can be paid. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A payment with everything that its merchant may know. */
                    "application/json": Payment;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A payment with what was given back of it. */
                    "application/json": PaymentDetail;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["PaymentNotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelPayment: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The payment as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A payment with everything that its merchant may know. */
                    "application/json": Payment;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["PaymentNotFound"];
            /** The payment is in another state, or a subscription's, and can't be cancelled (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to give back. It goes in a token that was paid, on the network where it was paid. Where a payment was paid in several, `token` and `network` say in which; without them it is the one of which most is left. */
                "application/json": CreateRefundRequest;
            };
        };
        responses: {
            /** The money is held, and the payer can claim it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A refund, with the link by which its payer claims it. */
                    "application/json": CreatedRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PaymentNotFound"];
            /** The payment is not over, or has had 100 refunds (`CONFLICT`); less than that is left of it, or nothing (`reason: refund_exceeds`, and the message lists what is left in each token); several tokens were paid and you have to say which (`refund_needs_token`); it comes to less than its network carries, such as a few cents in bitcoins (`payout_dust`); what you give back to others than the wallet that paid would exceed the most of 24 hours (`limit_exceeded`, and the message says what is left); you owe more than you have, because a payment was taken back (`merchant_owes`); or the money was credited to you and is not in your balance any more (`INSUFFICIENT_BALANCE`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    resolvePayment: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to do with the money that waits. */
                "application/json": ResolvePaymentRequest;
            };
        };
        responses: {
            /** The payment as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A payment after a decision, with the refunds that the decision made. */
                    "application/json": ResolvedPayment;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["PaymentNotFound"];
            /** No money waits, what waits is not confirmed as deep as its sum asks, or the payment is not finished yet (`CONFLICT`). What goes back to others than the wallet that paid would exceed the most of 24 hours (`limit_exceeded`): give back in parts. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getPaymentTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The timeline. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The story of a payment. */
                    "application/json": PaymentTimeline;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["PaymentNotFound"];
            default: components["responses"]["Error"];
        };
    };
    getPublicCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the checkout session, `sessionId` in the answer that created it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session, as the payer may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a checkout session. */
                    "application/json": PublicCheckoutSession;
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    createCustomerSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The proof of a wallet. */
                "application/json": CreateCustomerSessionRequest;
            };
        };
        responses: {
            /** The session. Its token is shown only now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A customer's session. */
                    "application/json": CustomerSession;
                };
            };
            400: components["responses"]["BadRequest"];
            /** The text was used or has run out (`CONFLICT`, `reason: challenge_over`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    endCustomerSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The token of a customer's session. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session is over. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What is left of a session. */
                    "application/json": CustomerSessionEnded;
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listCustomerSubscriptions: {
        parameters: {
            query?: ListCustomerSubscriptionsQuery;
            header?: never;
            path: {
                /** The token of a customer's session. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** One page of subscriptions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** One page of a customer's subscriptions. */
                    "application/json": CustomerSubscriptionList;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    retryCustomerSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription. */
                id: string;
                /** The token of a customer's session. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The charge is being tried. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A subscription as the customer's own list shows it. */
                    "application/json": CustomerSubscription;
                };
            };
            404: components["responses"]["NotFound"];
            /** It is not `past_due`, so there is nothing to try (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getMerchantWebhookKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the merchant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The key set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The public keys of a merchant as a JSON Web Key Set (RFC 7517). */
                    "application/json": JsonWebKeySet;
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getPublicPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The last part of the link's address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The link, ready to be paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a payment link. */
                    "application/json": PublicPaymentLink;
                };
            };
            404: components["responses"]["NotFound"];
            410: components["responses"]["LinkGone"];
            default: components["responses"]["Error"];
        };
    };
    startPaymentLinkPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The last part of the link's address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** What the payer tells. Everything is optional, but what the link's `customFields` require. */
                "application/json": StartPaymentLinkPaymentRequest;
            };
        };
        responses: {
            /** The payment, as the payer may see it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a payment. It never shows `metadata`, `customerEmail` or `customFields`. */
                    "application/json": PublicPayment;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LinkSoldOut"];
            410: components["responses"]["LinkGone"];
            default: components["responses"]["Error"];
        };
    };
    getPublicPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The payment, as the payer may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a payment. It never shows `metadata`, `customerEmail` or `customFields`. */
                    "application/json": PublicPayment;
                };
            };
            404: components["responses"]["PaymentNotFound"];
            default: components["responses"]["Error"];
        };
    };
    getSignedTransfer: {
        parameters: {
            query: GetSignedTransferQuery;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The transfer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A transfer that the payer's wallet signs and we bring to the chain, so that the payer needs none of the network's coin. */
                    "application/json": SignedTransfer;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** The payment can't be paid so: it is over or has no such option, its token takes no signed transfers, it is too small, another wallet's signature is on its way, or the wallet is a contract (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    submitAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** A signed transfer. */
                "application/json": SubmitAuthorizationRequest;
            };
        };
        responses: {
            /** The signature is on its way to the chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A transfer that the payer's wallet signs and we bring to the chain, so that the payer needs none of the network's coin. */
                    "application/json": SignedTransfer;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** The payment can't be paid so, the chain refused a signature for it before, or as many were sent today for this wallet or this merchant as we pay for (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    streamPublicPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            404: components["responses"]["PaymentNotFound"];
            default: components["responses"]["Error"];
        };
    };
    getPaymentInstructions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The instructions of this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Instructions for a payment with the signature of its merchant's key. */
                    "application/json": SignedInstructions;
                };
            };
            404: components["responses"]["PaymentNotFound"];
            /** Nothing must be paid: the payment has its money or is over, its time is up, or its network is no longer listed (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPaymentQrPng: {
        parameters: {
            query?: GetPaymentQrPngQuery;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** None of its networks is listed any more, so there is nowhere to pay it (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPaymentQrSvg: {
        parameters: {
            query?: GetPaymentQrSvgQuery;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** None of its networks is listed any more, so there is nowhere to pay it (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    takeRefundOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The refund waits for its address. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The way to money that was offered back. */
                    "application/json": TakenRefundOffer;
                };
            };
            404: components["responses"]["PaymentNotFound"];
            /** Nothing is offered (`no_offer`), or what arrived is still being counted (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    selectPaymentOption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The option that the payer chose, one of the payment's `options`. */
                "application/json": SelectPaymentOptionRequest;
            };
        };
        responses: {
            /** The payment with the chosen option in front. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a payment. It never shows `metadata`, `customerEmail` or `customFields`. */
                    "application/json": PublicPayment;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** Money has been seen already, the payment is over, or its network or coin is no longer listed (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    payByX402: {
        parameters: {
            query?: never;
            header?: {
                /** What the client has signed: the JSON of x402's `PaymentPayload` in Base64. Sending the same again changes nothing. */
                "payment-signature"?: string;
            };
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The payment has its money, or a block has the transfer that was signed. */
            200: {
                headers: {
                    /** The JSON of x402's `SettlementResponse` in Base64, with the transaction's hash; absent when the payment was paid another way. */
                    "payment-response"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a payment. It never shows `metadata`, `customerEmail` or `customFields`. */
                    "application/json": PublicPayment;
                };
            };
            /** What was signed for this payment is on its way to the chain. Read again without a signature. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a payment. It never shows `metadata`, `customerEmail` or `customFields`. */
                    "application/json": PublicPayment;
                };
            };
            400: components["responses"]["BadRequest"];
            /** Nothing is signed yet, or what was signed can't be taken, and the message says why (`PAYMENT_REQUIRED`). */
            402: {
                headers: {
                    /** The JSON of x402's `PaymentRequired` in Base64. */
                    "payment-required"?: string;
                    /** The JSON of x402's `SettlementResponse` in Base64, where a signature was refused. */
                    "payment-response"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            404: components["responses"]["PaymentNotFound"];
            /** The payment is over, or can't be paid by a signed transfer: no option takes one, it is too small, or as many were sent today for this wallet or this merchant as we pay for (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPublicRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The secret at the end of a claim link. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a refund. */
                    "application/json": PublicRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    claimRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The secret at the end of a claim link. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Where the money shall go. */
                "application/json": ClaimRefundRequest;
            };
        };
        responses: {
            /** The refund as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a payer may know about a refund. */
                    "application/json": PublicRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** It is being paid or over (`CONFLICT`), or the wallet that paid has said where it goes (`refund_proven`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPublicPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The plan, as everybody may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What everybody may know about a plan. */
                    "application/json": PublicPlan;
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    subscribeByWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Who subscribes, and the proof of their wallet. */
                "application/json": SubscribeByWalletRequest;
            };
        };
        responses: {
            /** The customer is subscribed, and has to agree. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The subscription of a wallet to a plan. */
                    "application/json": PlanSubscription;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            /** The plan is not active (`CONFLICT`, `reason: plan_inactive`) or differs from what was signed (`plan_changed`), its network can't collect any more (`no_collector`), the wallet has cancelled and a charge that was sent before is not settled yet (`already_subscribed`), or the text was used or has run out (`challenge_over`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPublicSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The subscription, as the customer may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a customer may know about a subscription. It never shows `customerEmail` or `customerName`. */
                    "application/json": PublicSubscription;
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelByWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The proof that the wallet's owner wants to cancel. */
                "application/json": CancelByWalletRequest;
            };
        };
        responses: {
            /** It is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What cancelling came to. */
                    "application/json": SubscriptionCancellation;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** It is over already (`CONFLICT`), or the text was used or has run out (`challenge_over`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    submitMandate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** The customer's signature. */
                "application/json": SubmitMandateRequest;
            };
        };
        responses: {
            /** The signature is on its way to the chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a customer may know about a subscription. It never shows `customerEmail` or `customerName`. */
                    "application/json": PublicSubscription;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** There is nothing to sign: the mandate stands already, the subscription is over, the merchant may not collect at present (`reason` `merchant_not_active`), or the chain has refused what the wallet had signed, so that `agreeBy` is `transaction` (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createWalletChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What a wallet wants to prove. */
                "application/json": CreateWalletChallengeRequest;
            };
        };
        responses: {
            /** The text, and how to name it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A text for a wallet to sign. */
                    "application/json": WalletChallenge;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** Nothing can be proven here at present, because no network of this platform collects subscriptions (`CONFLICT`, `reason: no_collector`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listRefunds: {
        parameters: {
            query?: ListRefundsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of refunds. */
                    "application/json": RefundList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Money of a payment that goes back to its payer. */
                    "application/json": Refund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The refund as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Money of a payment that goes back to its payer. */
                    "application/json": Refund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** It is being paid, over, or claimed by its payer (`CONFLICT`), or the price of its coin has fallen (`reason: coin_fell`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    renewRefundClaim: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** The code of the second factor, where one is needed. */
                "application/json": RenewRefundClaimRequest;
            };
        };
        responses: {
            /** The refund with its new link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A refund, with the link by which its payer claims it. */
                    "application/json": CreatedRefund;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** It is known where it goes, or it is over (`CONFLICT`); or what you give back to others than the wallet that paid would exceed the most of 24 hours (`reason: limit_exceeded`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The sandbox. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What the sandbox is made of. */
                    "application/json": SandboxInfo;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    mineSandboxBlocks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** How many blocks to mine. */
                "application/json": MineSandboxBlocksRequest;
            };
        };
        responses: {
            /** The new head of the chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The newest block of a test chain. */
                    "application/json": SandboxChainHead;
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Error"];
        };
    };
    reorgSandboxChain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** How much of the chain to replace. */
                "application/json": ReorgSandboxChainRequest;
            };
        };
        responses: {
            /** The new head of the chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The newest block of a test chain. */
                    "application/json": SandboxChainHead;
                };
            };
            400: components["responses"]["BadRequest"];
            /** The chain is not that long, or the blocks hold the sandbox's own contracts or coins (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The clock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The business clock, which decides expiry. */
                    "application/json": SandboxClock;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** How far to move the clock, either by `seconds` or `to` a time. It only goes forward. */
                "application/json": AdvanceSandboxClockRequest;
            };
        };
        responses: {
            /** The clock as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The business clock, which decides expiry. */
                    "application/json": SandboxClock;
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Error"];
        };
    };
    paySandboxPayment: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** How to pay. Everything is optional. */
                "application/json": PaySandboxPaymentRequest;
            };
        };
        responses: {
            /** The transfer was mined, or waits in the pool of `regtest`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A transfer that the sandbox made on its chain. */
                    "application/json": SandboxTransfer;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PaymentNotFound"];
            /** Nothing is due on this payment and no `amount` was given (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    replaceSandboxTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What is to become of a transfer that waits in the pool. */
                "application/json": ReplaceSandboxTransferRequest;
            };
        };
        responses: {
            /** The transfer is gone from the pool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What became of a transfer that waited in the pool. */
                    "application/json": SandboxReplacement;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PaymentNotFound"];
            /** No such transfer to this payment waits in the pool, or the sandbox has no Bitcoin node (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    paySandboxRefund: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** How to pay it out. Everything is optional. */
                "application/json": PaySandboxRefundRequest;
            };
        };
        responses: {
            /** The transfer was mined. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A payout that the sandbox made on its chain. */
                    "application/json": SandboxRefundPayout;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** There is nothing to pay out (`CONFLICT`): the refund is not claimed yet or not open any more. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    subscribeSandboxCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the subscription plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** Who subscribes. Everything is optional. */
                "application/json": SubscribeSandboxCustomerRequest;
            };
        };
        responses: {
            /** The customer is subscribed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A customer of play, with their wallet. */
                    "application/json": SandboxCustomer;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            /** The plan is not active (`CONFLICT`, `reason: plan_inactive`), or its network can't collect any more (`no_collector`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    authorizeSandboxSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The customer has agreed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A customer who pays a plan, with everything that its merchant may know. */
                    "application/json": Subscription;
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** The wallet was not made by the sandbox, or there is nothing to agree to because the subscription is over (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    revokeSandboxMandate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The mandate is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A customer who pays a plan, with everything that its merchant may know. */
                    "application/json": Subscription;
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** The wallet was not made by the sandbox, or the chain knows no mandate that could be revoked (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createSandboxWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** What the wallet gets. Everything is optional. */
                "application/json": CreateSandboxWalletRequest;
            };
        };
        responses: {
            /** The wallet. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A new test wallet with play money in it. */
                    "application/json": SandboxWallet;
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Error"];
        };
    };
    updateSandboxWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The address of a wallet that the sandbox has made. */
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to change. Everything is optional. */
                "application/json": UpdateSandboxWalletRequest;
            };
        };
        responses: {
            /** The wallet as it is now; the service has seen what changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A wallet that the sandbox has made, as the chain knows it now. */
                    "application/json": SandboxWalletState;
                };
            };
            400: components["responses"]["BadRequest"];
            /** The sandbox has made no wallet with this address (`NOT_FOUND`), so it has no key to act for it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    paySandboxWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** How to pay it out. Everything is optional. */
                "application/json": PaySandboxWithdrawalRequest;
            };
        };
        responses: {
            /** The transfer was mined. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A payout that the sandbox made on its chain. */
                    "application/json": SandboxPayout;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** There is nothing to pay out (`CONFLICT`): the withdrawal is not approved yet or not open any more, or it goes to a bank account and no crypto goes anywhere. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    createSdkCheckoutSession: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What the customer is to pay, and where they go afterwards. */
                "application/json": CreateCheckoutSessionRequest;
            };
        };
        responses: {
            /** The session is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A new checkout session. */
                    "application/json": CheckoutSessionCreated;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getSettlementBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What you have, in US dollars, rounded down to cents. */
                    "application/json": SettlementBalance;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    listStatements: {
        parameters: {
            query?: ListStatementsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of months. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of months. */
                    "application/json": StatementList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getStatement: {
        parameters: {
            query?: GetStatementQuery;
            header?: never;
            path: {
                /** A month, by UTC, as `2026-01`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A month of your ledger with its movements. */
                    "application/json": Statement;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            /** There is no such month, or it has not begun (`NOT_FOUND`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getStatementCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** A month, by UTC, as `2026-01`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            /** There is no such month, or it has not begun (`NOT_FOUND`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: ListLedgerEntriesQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of ledger entries. */
                    "application/json": LedgerEntryList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    listPlans: {
        parameters: {
            query?: ListPlansQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of plans. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of subscription plans. */
                    "application/json": PlanList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** A new subscription plan. */
                "application/json": CreatePlanRequest;
            };
        };
        responses: {
            /** The plan takes subscribers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What customers subscribe to, an amount that comes again and again. */
                    "application/json": Plan;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            /** No network of the platform can collect subscriptions (`CONFLICT`, `reason: no_collector`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What customers subscribe to, an amount that comes again and again. */
                    "application/json": Plan;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updatePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to change. Everything that you leave out stays as it is. `name`, `description`, `trialDays` and `active` can always change, the rest only while nobody subscribes. */
                "application/json": UpdatePlanRequest;
            };
        };
        responses: {
            /** The plan as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What customers subscribe to, an amount that comes again and again. */
                    "application/json": Plan;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** Customers subscribe, so the terms can't change (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    subscribeToPlan: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the subscription plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** Who subscribes. */
                "application/json": SubscribeToPlanRequest;
            };
        };
        responses: {
            /** The customer is subscribed, and has to agree. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A customer who pays a plan, with everything that its merchant may know. */
                    "application/json": Subscription;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            /** The plan is not active (`CONFLICT`, `reason: plan_inactive`), the wallet subscribes to it already (`already_subscribed`), or its network can't collect any more (`no_collector`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: ListSubscriptionsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of subscriptions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of subscriptions. */
                    "application/json": SubscriptionList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A customer who pays a plan, with everything that its merchant may know. */
                    "application/json": Subscription;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What cancelling came to. */
                    "application/json": SubscriptionCancellation;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** It is cancelled or expired already (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listCharges: {
        parameters: {
            query?: ListChargesQuery;
            header?: never;
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of charges. */
                    "application/json": ChargeList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    retrySubscription: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The charge is due now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A customer who pays a plan, with everything that its merchant may know. */
                    "application/json": Subscription;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** It is not `past_due` (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getWebhookCertification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the certification. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The certification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** How an endpoint did in a series of checks. */
                    "application/json": WebhookCertification;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    certifyWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The certification has begun. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** How an endpoint did in a series of checks. */
                    "application/json": WebhookCertification;
                };
            };
            /** No webhook URL is set (`VALIDATION_ERROR`, `reason: webhook_url_missing`). Set `webhookUrl` of your merchant first. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            /** A certification of this endpoint is under way (`CONFLICT`): read that one. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: ListWebhookDeliveriesQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of deliveries. */
                    "application/json": WebhookDeliveryList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the delivery (`whd_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A delivery with every attempt, and with the bytes that are sent. */
                    "application/json": WebhookDeliveryDetail;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the delivery (`whd_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The new delivery. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** An event on its way to your endpoint. */
                    "application/json": WebhookDelivery;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["EndpointDisabled"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Where your events go, which of them, and whether any go at all. */
                    "application/json": WebhookEndpoint;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to change. Everything that you leave out stays as it is. */
                "application/json": UpdateWebhookEndpointRequest;
            };
        };
        responses: {
            /** The endpoint as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Where your events go, which of them, and whether any go at all. */
                    "application/json": WebhookEndpoint;
                };
            };
            /** The request is not valid (`VALIDATION_ERROR`), `fields` names every part that has to change; or there is no URL to enable or to choose events for (`reason: webhook_url_missing`). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    listWebhookKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The keys that sign your webhooks. */
                    "application/json": WebhookKeyList;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    rotateWebhookKeys: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** How long the old keys sign along. */
                "application/json": RotateWebhookKeysRequest;
            };
        };
        responses: {
            /** The new key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A public key that your webhooks are signed with. */
                    "application/json": WebhookKey;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            /** Three older keys still sign along (`CONFLICT`): wait until the first of them ends, or end all of them with `gracePeriodSeconds: 0`. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    recoverWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** From when on events are sent again. */
                "application/json": RecoverWebhooksRequest;
            };
        };
        responses: {
            /** What is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What is sent again. */
                    "application/json": WebhookRecovery;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            409: components["responses"]["EndpointDisabled"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The test was sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What your endpoint made of the test. */
                    "application/json": WebhookTestResult;
                };
            };
            /** No webhook URL is set (`VALIDATION_ERROR`, `reason: webhook_url_missing`). Set `webhookUrl` of your merchant first. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    verifyWebhookRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** A webhook as your server received it. */
                "application/json": VerifyWebhookRequest;
            };
        };
        responses: {
            /** What is right and what is wrong. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Whether a webhook verifies, and why not. */
                    "application/json": WebhookVerification;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    listWithdrawals: {
        parameters: {
            query?: ListWithdrawalsQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of withdrawals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** A page of withdrawals. */
                    "application/json": WithdrawalList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** What to take out, and where it goes: for `crypto` to `destinationAddress`, for `bank` to the account of `bankAccountNumber`, `bankName` and `bankBranch`, all three. Fields of the other method are refused. */
                "application/json": CreateWithdrawalRequest;
            };
        };
        responses: {
            /** The money is held, and the withdrawal waits to be approved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Money that you take out. */
                    "application/json": Withdrawal;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["Forbidden"];
            /** There is less in your balance (`INSUFFICIENT_BALANCE`), or a limit stands against it (`CONFLICT`, `reason: limit_exceeded`): the least or the most of one withdrawal, the most of 24 hours, or how many may be open at once; the message says which. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Money that you take out. */
                    "application/json": Withdrawal;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: string;
            };
            path: {
                /** The id of the withdrawal. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The withdrawal as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** Money that you take out. */
                    "application/json": Withdrawal;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** It is not `pending` any more and can't be cancelled (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** The body of every answer that is not a success, on every path. */
                    "application/json": ErrorResponse;
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    quoteWithdrawal: {
        parameters: {
            query: QuoteWithdrawalQuery;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** What it would cost. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** What a withdrawal would cost, and how much you can withdraw now. */
                    "application/json": WithdrawalQuote;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
}
