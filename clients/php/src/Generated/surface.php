<?php

// Written by `npm run generate` from openapi/; never edited.

declare(strict_types=1);

namespace Kasi\Generated;

use Kasi\EventPosition;
use Kasi\Internal\CallOptions;
use Kasi\Internal\Group;
use Kasi\Internal\Operation;
use Kasi\Internal\Transport;
use Kasi\KasiError;

/**
 * `auth->twoFactor` of the client.
 *
 * @phpstan-import-type DisableTwoFactorRequest from Types
 * @phpstan-import-type EnableTwoFactorRequest from Types
 * @phpstan-import-type MessageResponse from Types
 * @phpstan-import-type SetUpTwoFactorRequest from Types
 * @phpstan-import-type TwoFactorRecoveryCodes from Types
 * @phpstan-import-type TwoFactorSetup from Types
 */
final class AuthTwoFactorMethods extends Group
{
    /**
     * Set up two-factor authentication.
     *
     * Makes a secret for an authenticator app. Nothing changes until the first code comes back to `POST /v1/auth/two-factor/enable`; setting up again replaces a secret that still waits.
     *
     * @param SetUpTwoFactorRequest $body
     * @return TwoFactorSetup
     * @throws KasiError
     */
    public function setUp(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/auth/two-factor/setup'), [], $call, body: $body);
    }

    /**
     * Enable two-factor authentication.
     *
     * Turns it on by the first code of the secret that was set up, and shows the recovery codes. From now on logging in, changing `walletAddress` and withdrawing need a code. All other sessions end. What was set before stays: look at your API keys and `walletAddress`, which a thief who knew your password may have set.
     *
     * @param EnableTwoFactorRequest $body
     * @return TwoFactorRecoveryCodes
     * @throws KasiError
     */
    public function enable(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/auth/two-factor/enable', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * Disable two-factor authentication.
     *
     * Turns it off by the password and a code of the authenticator app, or a recovery code. The secret and the recovery codes are worth nothing afterwards. All other sessions end.
     *
     * @param DisableTwoFactorRequest $body
     * @return MessageResponse
     * @throws KasiError
     */
    public function disable(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/auth/two-factor/disable'), [], $call, body: $body);
    }
}

/**
 * `auth->sessions` of the client.
 *
 * @phpstan-import-type ListMerchantSessionsQuery from Types
 * @phpstan-import-type MerchantSession from Types
 * @phpstan-import-type MerchantSessionList from Types
 * @phpstan-import-type MessageResponse from Types
 */
final class AuthSessionsMethods extends Group
{
    /**
     * List login sessions.
     *
     * Every session of the merchant that is alive, newest first.
     *
     * @param ?ListMerchantSessionsQuery $query
     * @return MerchantSessionList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/auth/sessions'), [], $call, query: $query);
    }

    /**
     * List login sessions. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Every session of the merchant that is alive, newest first.
     *
     * @param ?ListMerchantSessionsQuery $query
     * @return \Generator<int, MerchantSession>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/auth/sessions'), [], $query, $call);
    }

    /**
     * End a login session.
     *
     * Ends one session, for example on a lost device. Its tokens stop working at once.
     *
     * @return MessageResponse
     * @throws KasiError
     */
    public function revoke(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('DELETE', '/v1/auth/sessions/{id}'), ['id' => $id], $call);
    }
}

/**
 * `auth` of the client.
 *
 * @phpstan-import-type ChangeMerchantPasswordRequest from Types
 * @phpstan-import-type LoginMerchantRequest from Types
 * @phpstan-import-type MerchantAuthResult from Types
 * @phpstan-import-type MerchantTokens from Types
 * @phpstan-import-type MessageResponse from Types
 * @phpstan-import-type RefreshMerchantSessionRequest from Types
 * @phpstan-import-type RegisterMerchantRequest from Types
 */
final class AuthMethods extends Group
{
    public readonly AuthTwoFactorMethods $twoFactor;
    public readonly AuthSessionsMethods $sessions;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->twoFactor = new AuthTwoFactorMethods($transport);
        $this->sessions = new AuthSessionsMethods($transport);
    }

    /**
     * Register a merchant. The client then acts as who logged in.
     *
     * Creates a merchant in `pending_verification` and logs it in. In the sandbox such a merchant can collect payments at once; elsewhere somebody approves it first.
     *
     * @param RegisterMerchantRequest $body
     * @return MerchantAuthResult
     * @throws KasiError
     */
    public function register(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $answer = $this->transport->call(new Operation('POST', '/v1/auth/register', isOpen: true), [], $call, body: $body);
        $this->transport->session?->replace($answer);
        return $answer;
    }

    /**
     * Log in. The client then acts as who logged in.
     *
     * Starts a login session. A wrong e-mail address, a wrong password and a closed account give the same answer. With two-factor authentication on, the right password alone gets a 401 with `reason: otp_required`: send the same again with a code as `otp`. After five failures in a row from one address or device the account answers 429 there for a while. Send the `deviceToken` of an earlier login, and failures of strangers never make you wait.
     *
     * @param LoginMerchantRequest $body
     * @return MerchantAuthResult
     * @throws KasiError
     */
    public function login(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $answer = $this->transport->call(new Operation('POST', '/v1/auth/login', isOpen: true), [], $call, body: $body);
        $this->transport->session?->replace($answer);
        return $answer;
    }

    /**
     * Refresh a session. The client does it automatically when a token expires.
     *
     * Trades a refresh token for a new access token and a new refresh token. Each refresh token works once: using an old one again ends the session, because somebody may have stolen it. Run one refresh at a time. A session ends after 30 days without a refresh and after 90 days in any case.
     *
     * @param RefreshMerchantSessionRequest $body
     * @return MerchantTokens
     * @throws KasiError
     */
    public function refresh(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $trade = fn (): array => $this->transport->call(new Operation('POST', '/v1/auth/refresh', isOpen: true), [], $call, body: $body);
        return $this->transport->session?->trade($body['refreshToken'], $trade) ?? $trade();
    }

    /**
     * Log out. Afterwards the client holds no tokens.
     *
     * Ends the session that asks. Its access and refresh tokens stop working at once.
     *
     * @return MessageResponse
     * @throws KasiError
     */
    public function logout(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $answer = $this->transport->call(new Operation('POST', '/v1/auth/logout'), [], $call);
        $this->transport->session?->replace(null);
        return $answer;
    }

    /**
     * Change the password. The client then knows the new one, if it logs in by itself.
     *
     * Sets a new password and ends all other sessions. The session that asks goes on. With two-factor authentication on, a code has to come along as `otp`.
     *
     * @param ChangeMerchantPasswordRequest $body
     * @return MessageResponse
     * @throws KasiError
     */
    public function changePassword(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $answer = $this->transport->call(new Operation('POST', '/v1/auth/password'), [], $call, body: $body);
        $this->transport->session?->replacePassword($body['newPassword']);
        return $answer;
    }
}

/**
 * `merchants` of the client.
 *
 * @phpstan-import-type Merchant from Types
 * @phpstan-import-type UpdateMerchantRequest from Types
 */
final class MerchantsMethods extends Group
{
    /**
     * Read the profile.
     *
     * Reads the merchant's own profile.
     *
     * @return Merchant
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/merchants/{id}'), ['id' => $id], $call);
    }

    /**
     * Change the profile.
     *
     * Changes the fields that you send and leaves the others as they are. An empty object changes nothing. `webhookUrl` is where your webhook events go from now on. With two-factor authentication on, another `walletAddress` needs a code as `otp`, and so does what offers payers more of their money back.
     *
     * @param UpdateMerchantRequest $body
     * @return Merchant
     * @throws KasiError
     */
    public function update(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('PUT', '/v1/merchants/{id}'), ['id' => $id], $call, body: $body);
    }
}

/**
 * `apiKeys` of the client.
 *
 * @phpstan-import-type ApiKeyCreated from Types
 * @phpstan-import-type ApiKeyList from Types
 * @phpstan-import-type CreateApiKeyRequest from Types
 * @phpstan-import-type MessageResponse from Types
 * @phpstan-import-type RotateApiKeyRequest from Types
 */
final class ApiKeysMethods extends Group
{
    /**
     * Create an API key.
     *
     * Makes a key and its secret for one of your servers. The secret is in this answer and nowhere else: store it where the server finds it. A merchant has at most 20 keys that work. When two-factor authentication is on, a key with `settlements:write` wants an `otp`: it gives money back without one.
     *
     * @param CreateApiKeyRequest $body
     * @return ApiKeyCreated
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/api-keys', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * List API keys.
     *
     * The keys that work, newest first, at most 20. Deleted and expired ones are not shown, secrets never.
     *
     * @return ApiKeyList
     * @throws KasiError
     */
    public function list(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/api-keys'), [], $call);
    }

    /**
     * Delete an API key.
     *
     * Revokes the key for good. Requests that it signs are refused from now on.
     *
     * @return MessageResponse
     * @throws KasiError
     */
    public function delete(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('DELETE', '/v1/api-keys/{id}'), ['id' => $id], $call);
    }

    /**
     * Rotate an API key.
     *
     * Makes a new key with the same name, scopes, addresses and expiry. The old one goes on working for `overlapHours`, so that you can change your servers one after the other. The body may be left out, unless two-factor authentication is on and the key may do `settlements:write`: then this wants an `otp`.
     *
     * @param ?RotateApiKeyRequest $body
     * @return ApiKeyCreated
     * @throws KasiError
     */
    public function rotate(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/api-keys/{id}/rotate', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `paymentLinks` of the client.
 *
 * @phpstan-import-type CreatePaymentLinkRequest from Types
 * @phpstan-import-type ListPaymentLinksQuery from Types
 * @phpstan-import-type MessageResponse from Types
 * @phpstan-import-type PaymentLink from Types
 * @phpstan-import-type PaymentLinkList from Types
 * @phpstan-import-type PaymentLinkSummary from Types
 * @phpstan-import-type UpdatePaymentLinkRequest from Types
 */
final class PaymentLinksMethods extends Group
{
    /**
     * Create a payment link.
     *
     * Creates a link that you can share. Anyone who opens it may start a payment of their own.
     *
     * An API key needs the scope `links:manage`.
     *
     * @param CreatePaymentLinkRequest $body
     * @return PaymentLink
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/payment-links', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * List payment links.
     *
     * Your payment links, newest first.
     *
     * An API key needs the scope `links:manage`.
     *
     * @param ?ListPaymentLinksQuery $query
     * @return PaymentLinkList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/payment-links'), [], $call, query: $query);
    }

    /**
     * List payment links. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Your payment links, newest first.
     *
     * An API key needs the scope `links:manage`.
     *
     * @param ?ListPaymentLinksQuery $query
     * @return \Generator<int, PaymentLinkSummary>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/payment-links'), [], $query, $call);
    }

    /**
     * Read a payment link.
     *
     * Reads one of your payment links with what it has collected.
     *
     * An API key needs the scope `links:manage`.
     *
     * @return PaymentLink
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/payment-links/{id}'), ['id' => $id], $call);
    }

    /**
     * Change a payment link.
     *
     * Changes the fields that you send and leaves the others as they are. An empty object changes nothing. Payments that were started keep the terms under which they were started.
     *
     * An API key needs the scope `links:manage`.
     *
     * @param UpdatePaymentLinkRequest $body
     * @return PaymentLink
     * @throws KasiError
     */
    public function update(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('PUT', '/v1/payment-links/{id}'), ['id' => $id], $call, body: $body);
    }

    /**
     * Delete a payment link.
     *
     * Deletes the link for good and frees its slug. Payments that were started stay payable and stay in your list.
     *
     * An API key needs the scope `links:manage`.
     *
     * @return MessageResponse
     * @throws KasiError
     */
    public function delete(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('DELETE', '/v1/payment-links/{id}'), ['id' => $id], $call);
    }
}

/**
 * `checkout->sessions` of the client.
 *
 * @phpstan-import-type CheckoutSession from Types
 * @phpstan-import-type CheckoutSessionCreated from Types
 * @phpstan-import-type CreateCheckoutSessionRequest from Types
 */
final class CheckoutSessionsMethods extends Group
{
    /**
     * Create a checkout session.
     *
     * Creates a session and its payment. Redirect the customer to `checkoutUrl`; they come back to `successUrl` or `cancelUrl` with `session_id` in the query. Fulfil the order when the webhook `checkout.session.completed` or `payment.completed` arrives, not when the customer comes back.
     *
     * @param CreateCheckoutSessionRequest $body
     * @return CheckoutSessionCreated
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/checkout/sessions', isIdempotent: true, signedPath: '/v1/sdk/checkout/sessions'), [], $call, body: $body);
    }

    /**
     * Read a checkout session.
     *
     * Reads one of your checkout sessions.
     *
     * An API key needs the scope `payments:read`.
     *
     * @return CheckoutSession
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/checkout/sessions/{id}'), ['id' => $id], $call);
    }

    /**
     * Expire a checkout session.
     *
     * Closes an open session and cancels its payment, for example because the goods are sold out. It takes no body.
     *
     * An API key needs the scope `payments:write`.
     *
     * @return CheckoutSession
     * @throws KasiError
     */
    public function expire(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/checkout/sessions/{id}/expire', isIdempotent: true), ['id' => $id], $call);
    }
}

/**
 * `checkout` of the client.
 */
final class CheckoutMethods extends Group
{
    public readonly CheckoutSessionsMethods $sessions;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->sessions = new CheckoutSessionsMethods($transport);
    }
}

/**
 * `payments` of the client.
 *
 * @phpstan-import-type CreatePaymentRequest from Types
 * @phpstan-import-type ListPaymentsQuery from Types
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type PaymentDetail from Types
 * @phpstan-import-type PaymentList from Types
 * @phpstan-import-type PaymentSummary from Types
 * @phpstan-import-type PaymentTimeline from Types
 * @phpstan-import-type ResolvePaymentRequest from Types
 * @phpstan-import-type ResolvedPayment from Types
 */
final class PaymentsMethods extends Group
{
    /**
     * Create a payment.
     *
     * Creates a payment directly. Show its `options` on a page of your own, or send the payer to `checkoutUrl`. The exchange rate is locked now.
     *
     * An API key needs the scope `payments:write`.
     *
     * @param CreatePaymentRequest $body
     * @return Payment
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/payments', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * List payments.
     *
     * Your payments, newest first, whatever they were started through. What payers began through your links and nobody paid is removed 30 days after it ended, and then counts in no `total`.
     *
     * An API key needs the scope `payments:read`.
     *
     * @param ?ListPaymentsQuery $query
     * @return PaymentList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/payments'), [], $call, query: $query);
    }

    /**
     * List payments. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Your payments, newest first, whatever they were started through. What payers began through your links and nobody paid is removed 30 days after it ended, and then counts in no `total`.
     *
     * An API key needs the scope `payments:read`.
     *
     * @param ?ListPaymentsQuery $query
     * @return \Generator<int, PaymentSummary>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/payments'), [], $query, $call);
    }

    /**
     * Read a payment.
     *
     * Reads one of your payments in full.
     *
     * An API key needs the scope `payments:read`.
     *
     * @return PaymentDetail
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/payments/{id}'), ['id' => $id], $call);
    }

    /**
     * Cancel a payment.
     *
     * Ends a payment that is `initiated` or `pending`: it becomes `expired` with `reason: cancelled`. Money that still arrives waits for your decision, see `resolvePayment`. The payment of a subscription can't be cancelled: cancel the subscription. It takes no body.
     *
     * An API key needs the scope `payments:write`.
     *
     * @return Payment
     * @throws KasiError
     */
    public function cancel(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/payments/{id}/cancel', isIdempotent: true), ['id' => $id], $call);
    }

    /**
     * Decide about money that waits.
     *
     * Money that came late, in a wrong token, short, or on top of what was asked is never lost: it waits, `exception` says why, and this call decides. `accept` takes it into your available balance, `refund` gives it back to its payer as `POST /v1/payments/{id}/refunds` does: all of it, or nothing while a coin of it has no price (`RATE_UNAVAILABLE`).
     *
     * An API key needs the scope `payments:write`.
     *
     * @param ResolvePaymentRequest $body
     * @return ResolvedPayment
     * @throws KasiError
     */
    public function resolve(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/payments/{id}/resolve', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Read the story of a payment.
     *
     * What happened to a payment and when, oldest first, in plain words.
     *
     * An API key needs the scope `payments:read`.
     *
     * @return PaymentTimeline
     * @throws KasiError
     */
    public function timeline(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/payments/{id}/timeline'), ['id' => $id], $call);
    }
}

/**
 * `plans` of the client.
 *
 * @phpstan-import-type CreatePlanRequest from Types
 * @phpstan-import-type ListPlansQuery from Types
 * @phpstan-import-type Plan from Types
 * @phpstan-import-type PlanList from Types
 * @phpstan-import-type SubscribeToPlanRequest from Types
 * @phpstan-import-type Subscription from Types
 * @phpstan-import-type UpdatePlanRequest from Types
 */
final class PlansMethods extends Group
{
    /**
     * Create a subscription plan.
     *
     * Creates a plan that customers can subscribe to. It takes subscribers at once.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param CreatePlanRequest $body
     * @return Plan
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/subscription-plans', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * List subscription plans.
     *
     * Your plans, newest first, with the number of their active subscribers.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param ?ListPlansQuery $query
     * @return PlanList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/subscription-plans'), [], $call, query: $query);
    }

    /**
     * List subscription plans. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Your plans, newest first, with the number of their active subscribers.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param ?ListPlansQuery $query
     * @return \Generator<int, Plan>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/subscription-plans'), [], $query, $call);
    }

    /**
     * Read a subscription plan.
     *
     * Reads one of your plans.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @return Plan
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/subscription-plans/{id}'), ['id' => $id], $call);
    }

    /**
     * Change a subscription plan.
     *
     * Changes the fields that you send and leaves the others as they are. An empty object changes nothing. While somebody subscribes, who has agreed to what the plan charges, only `name`, `description`, `trialDays` and `active` can change. For other terms, switch the plan off and create another.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param UpdatePlanRequest $body
     * @return Plan
     * @throws KasiError
     */
    public function update(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('PUT', '/v1/subscription-plans/{id}'), ['id' => $id], $call, body: $body);
    }

    /**
     * Subscribe a customer to a plan.
     *
     * Subscribes a customer. Nothing can be charged before they have agreed with their wallet: send them to `authorizeUrl`. A trial begins at once. Without one the first charge follows as soon as the customer has agreed.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param SubscribeToPlanRequest $body
     * @return Subscription
     * @throws KasiError
     */
    public function subscribe(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/subscription-plans/{id}/subscribe', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `subscriptions->charges` of the client.
 *
 * @phpstan-import-type Charge from Types
 * @phpstan-import-type ChargeList from Types
 * @phpstan-import-type ListChargesQuery from Types
 */
final class SubscriptionsChargesMethods extends Group
{
    /**
     * List the charges of a subscription.
     *
     * What the subscription owed for each period and what became of it, the newest period first, with every try.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param ?ListChargesQuery $query
     * @return ChargeList
     * @throws KasiError
     */
    public function list(
        string $id,
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/subscriptions/{id}/charges'), ['id' => $id], $call, query: $query);
    }

    /**
     * List the charges of a subscription. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * What the subscription owed for each period and what became of it, the newest period first, with every try.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param ?ListChargesQuery $query
     * @return \Generator<int, Charge>
     * @throws KasiError
     */
    public function iterate(
        string $id,
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/subscriptions/{id}/charges'), ['id' => $id], $query, $call);
    }
}

/**
 * `subscriptions` of the client.
 *
 * @phpstan-import-type ListSubscriptionsQuery from Types
 * @phpstan-import-type Subscription from Types
 * @phpstan-import-type SubscriptionCancellation from Types
 * @phpstan-import-type SubscriptionList from Types
 * @phpstan-import-type SubscriptionSummary from Types
 */
final class SubscriptionsMethods extends Group
{
    public readonly SubscriptionsChargesMethods $charges;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->charges = new SubscriptionsChargesMethods($transport);
    }

    /**
     * List subscriptions.
     *
     * Your customers' subscriptions, newest first.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param ?ListSubscriptionsQuery $query
     * @return SubscriptionList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/subscriptions'), [], $call, query: $query);
    }

    /**
     * List subscriptions. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Your customers' subscriptions, newest first.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @param ?ListSubscriptionsQuery $query
     * @return \Generator<int, SubscriptionSummary>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/subscriptions'), [], $query, $call);
    }

    /**
     * Read a subscription.
     *
     * Reads one of your customers' subscriptions.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @return Subscription
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/subscriptions/{id}'), ['id' => $id], $call);
    }

    /**
     * Cancel a subscription.
     *
     * Ends a subscription: nothing more is charged, and the customer keeps what was paid until `currentPeriodEnd`. It takes no body. A charge that is on its way to the chain is waited for: when it succeeds, it still counts, and `subscription.cancelled` comes after it.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @return SubscriptionCancellation
     * @throws KasiError
     */
    public function cancel(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/subscriptions/{id}/cancel', isIdempotent: true), ['id' => $id], $call);
    }

    /**
     * Retry a failed charge.
     *
     * Has the charge of a `past_due` subscription tried again now, besides the tries that are planned. It takes no body. What comes of it is told by `subscription.renewed` or `subscription.charge_failed`; where it fails for the same reason as before, only the `attempts` of the charge show that.
     *
     * An API key needs the scope `subscriptions:manage`.
     *
     * @return Subscription
     * @throws KasiError
     */
    public function retry(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/subscriptions/{id}/retry', isIdempotent: true), ['id' => $id], $call);
    }
}

/**
 * `settlements->statements->movements` of the client.
 *
 * @phpstan-import-type GetStatementQuery from Types
 * @phpstan-import-type StatementMovement from Types
 */
final class SettlementsStatementsMovementsMethods extends Group
{
    /**
     * Read a statement. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * A month of your ledger: what each account held before, every movement, totals by cause, and what each held after. It adds up to the millionth of a dollar, and the closing of a month is the opening of the next. Read `/v1/settlements/statements/{month}/csv` for all movements in one file.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?GetStatementQuery $query
     * @return \Generator<int, StatementMovement>
     * @throws KasiError
     */
    public function iterate(
        string $month,
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/settlements/statements/{month}'), ['month' => $month], $query, $call);
    }
}

/**
 * `settlements->statements` of the client.
 *
 * @phpstan-import-type GetStatementQuery from Types
 * @phpstan-import-type ListStatementsQuery from Types
 * @phpstan-import-type Statement from Types
 * @phpstan-import-type StatementList from Types
 * @phpstan-import-type StatementSummary from Types
 */
final class SettlementsStatementsMethods extends Group
{
    public readonly SettlementsStatementsMovementsMethods $movements;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->movements = new SettlementsStatementsMovementsMethods($transport);
    }

    /**
     * List statements.
     *
     * The months in which something was booked, newest first, each with what you had before and after.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?ListStatementsQuery $query
     * @return StatementList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/settlements/statements'), [], $call, query: $query);
    }

    /**
     * List statements. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * The months in which something was booked, newest first, each with what you had before and after.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?ListStatementsQuery $query
     * @return \Generator<int, StatementSummary>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/settlements/statements'), [], $query, $call);
    }

    /**
     * Read a statement.
     *
     * A month of your ledger: what each account held before, every movement, totals by cause, and what each held after. It adds up to the millionth of a dollar, and the closing of a month is the opening of the next. Read `/v1/settlements/statements/{month}/csv` for all movements in one file.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?GetStatementQuery $query
     * @return Statement
     * @throws KasiError
     */
    public function get(
        string $month,
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/settlements/statements/{month}'), ['month' => $month], $call, query: $query);
    }

    /**
     * The statement as CSV.
     *
     * A month of your ledger as a table by RFC 4180, in UTF-8: a line of names, the line `opening`, a line for each movement, and the line `closing`, whose `value` and `fee` are sums. Every column of `opening` and the movements adds up to that of `closing`. A text that a spreadsheet would take for a formula has an apostrophe in front.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @return string
     * @throws KasiError
     */
    public function csv(
        string $month,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): string {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/settlements/statements/{month}/csv'), ['month' => $month], $call, accept: 'text/csv');
    }
}

/**
 * `settlements->entries` of the client.
 *
 * @phpstan-import-type LedgerEntry from Types
 * @phpstan-import-type LedgerEntryList from Types
 * @phpstan-import-type ListLedgerEntriesQuery from Types
 */
final class SettlementsEntriesMethods extends Group
{
    /**
     * List ledger entries.
     *
     * Every movement behind the balance, newest first, to the millionth of a dollar.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?ListLedgerEntriesQuery $query
     * @return LedgerEntryList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/settlements/transactions'), [], $call, query: $query);
    }

    /**
     * List ledger entries. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Every movement behind the balance, newest first, to the millionth of a dollar.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?ListLedgerEntriesQuery $query
     * @return \Generator<int, LedgerEntry>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/settlements/transactions'), [], $query, $call);
    }
}

/**
 * `settlements` of the client.
 *
 * @phpstan-import-type SettlementBalance from Types
 */
final class SettlementsMethods extends Group
{
    public readonly SettlementsStatementsMethods $statements;
    public readonly SettlementsEntriesMethods $entries;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->statements = new SettlementsStatementsMethods($transport);
        $this->entries = new SettlementsEntriesMethods($transport);
    }

    /**
     * Read the balance.
     *
     * What is available, what is still confirming, and what you have earned in all.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @return SettlementBalance
     * @throws KasiError
     */
    public function balance(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/settlements/balance'), [], $call);
    }
}

/**
 * `refunds` of the client.
 *
 * @phpstan-import-type CreateRefundRequest from Types
 * @phpstan-import-type CreatedRefund from Types
 * @phpstan-import-type ListRefundsQuery from Types
 * @phpstan-import-type Refund from Types
 * @phpstan-import-type RefundList from Types
 * @phpstan-import-type RenewRefundClaimRequest from Types
 */
final class RefundsMethods extends Group
{
    /**
     * Give money back.
     *
     * Gives back what a payment brought, all of it or a part, in the token that was paid and at the payment's locked rate. Of ETH and BTC more than an hour after they came less is sent where their price has risen: no more than what is given back is worth when the refund is made. While they have no price then, it is a 503 (`RATE_UNAVAILABLE`): try again in a minute. What waits for a decision is given back first, then what you were credited; the platform keeps its fee. The money is held at once. Your payer says by the link in `claimUrl` where it shall go, unless you name a `destinationAddress`. When two-factor authentication is on it wants an `otp`, except from a signed request.
     *
     * An API key needs the scope `settlements:write`.
     *
     * @param CreateRefundRequest $body
     * @return CreatedRefund
     * @throws KasiError
     */
    public function create(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/payments/{id}/refunds', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * List refunds.
     *
     * Your refunds, newest first.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?ListRefundsQuery $query
     * @return RefundList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/refunds'), [], $call, query: $query);
    }

    /**
     * List refunds. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Your refunds, newest first.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?ListRefundsQuery $query
     * @return \Generator<int, Refund>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/refunds'), [], $query, $call);
    }

    /**
     * Read a refund.
     *
     * One of your refunds. It does not show `claimUrl` again.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @return Refund
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/refunds/{id}'), ['id' => $id], $call);
    }

    /**
     * Cancel a refund.
     *
     * Takes a refund back that its payer has not claimed: the money is where it was before. It takes no body. What the payer has claimed is promised to them, and only an administrator can stop it. So is what sends ETH or BTC, a quarter of an hour after it was made and while those are worth less than the dollars that would come back; without a price then it is a 503 (`RATE_UNAVAILABLE`).
     *
     * An API key needs the scope `settlements:write`.
     *
     * @return Refund
     * @throws KasiError
     */
    public function cancel(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/refunds/{id}/cancel', isIdempotent: true), ['id' => $id], $call);
    }

    /**
     * Make a new claim link.
     *
     * Makes a new `claimUrl` for a refund that waits to be claimed, and the former one stops working: for a link that was lost, or that somebody else got. When two-factor authentication is on it wants an `otp`, except from a signed request.
     *
     * An API key needs the scope `settlements:write`.
     *
     * @param ?RenewRefundClaimRequest $body
     * @return CreatedRefund
     * @throws KasiError
     */
    public function renewClaim(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/refunds/{id}/claim-link', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `withdrawals` of the client.
 *
 * @phpstan-import-type CreateWithdrawalRequest from Types
 * @phpstan-import-type ListWithdrawalsQuery from Types
 * @phpstan-import-type QuoteWithdrawalQuery from Types
 * @phpstan-import-type Withdrawal from Types
 * @phpstan-import-type WithdrawalList from Types
 * @phpstan-import-type WithdrawalQuote from Types
 */
final class WithdrawalsMethods extends Group
{
    /**
     * Create a withdrawal.
     *
     * Asks for money to be paid out. The whole amount leaves `availableBalance` at once and is held until the withdrawal is paid, refused or cancelled. When two-factor authentication is on it wants an `otp`, except from a signed request that pays to the `walletAddress` of your profile.
     *
     * An API key needs the scope `settlements:write`.
     *
     * @param CreateWithdrawalRequest $body
     * @return Withdrawal
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/withdrawals', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * List withdrawals.
     *
     * Your withdrawals, newest first.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?ListWithdrawalsQuery $query
     * @return WithdrawalList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/withdrawals'), [], $call, query: $query);
    }

    /**
     * List withdrawals. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Your withdrawals, newest first.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?ListWithdrawalsQuery $query
     * @return \Generator<int, Withdrawal>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/withdrawals'), [], $query, $call);
    }

    /**
     * Ask what a withdrawal costs.
     *
     * The fee of a withdrawal and what would arrive, with your balance and the limits as they are now. Nothing is held.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @param ?QuoteWithdrawalQuery $query
     * @return WithdrawalQuote
     * @throws KasiError
     */
    public function quote(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/withdrawals/quote'), [], $call, query: $query);
    }

    /**
     * Read a withdrawal.
     *
     * One of your withdrawals.
     *
     * An API key needs the scope `settlements:read`.
     *
     * @return Withdrawal
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/withdrawals/{id}'), ['id' => $id], $call);
    }

    /**
     * Cancel a withdrawal.
     *
     * Takes a withdrawal back that nobody has looked at yet: it becomes `rejected` with `statusReason: cancelled`, and the money is in your balance again. It takes no body.
     *
     * An API key needs the scope `settlements:write`.
     *
     * @return Withdrawal
     * @throws KasiError
     */
    public function cancel(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/withdrawals/{id}/cancel', isIdempotent: true), ['id' => $id], $call);
    }
}

/**
 * `webhooks->endpoint` of the client.
 *
 * @phpstan-import-type UpdateWebhookEndpointRequest from Types
 * @phpstan-import-type WebhookEndpoint from Types
 */
final class WebhooksEndpointMethods extends Group
{
    /**
     * Read the endpoint.
     *
     * Where your events go, which of them, and, when none do, why. Without a URL it is disabled and all else is null.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @return WebhookEndpoint
     * @throws KasiError
     */
    public function get(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/webhooks/endpoint'), [], $call);
    }

    /**
     * Change the endpoint.
     *
     * Changes the fields that you send and leaves the others as they are. The URL is the `webhookUrl` of your merchant: a change here is a change there. Another URL enables the endpoint, whatever had disabled it. What you disable yourself, no successful test enables again.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param UpdateWebhookEndpointRequest $body
     * @return WebhookEndpoint
     * @throws KasiError
     */
    public function update(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('PUT', '/v1/webhooks/endpoint'), [], $call, body: $body);
    }
}

/**
 * `webhooks->certifications` of the client.
 *
 * @phpstan-import-type WebhookCertification from Types
 */
final class WebhooksCertificationsMethods extends Group
{
    /**
     * Read a certification.
     *
     * How your endpoint did, check by check. While it is `running`, the checks fill in one after the other. Your 50 newest are kept.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @return WebhookCertification
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/webhooks/certifications/{id}'), ['id' => $id], $call);
    }
}

/**
 * `webhooks->deliveries` of the client.
 *
 * @phpstan-import-type ListWebhookDeliveriesQuery from Types
 * @phpstan-import-type WebhookDelivery from Types
 * @phpstan-import-type WebhookDeliveryDetail from Types
 * @phpstan-import-type WebhookDeliveryList from Types
 */
final class WebhooksDeliveriesMethods extends Group
{
    /**
     * List deliveries.
     *
     * What was sent to your endpoint and what came of it, newest first.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param ?ListWebhookDeliveriesQuery $query
     * @return WebhookDeliveryList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/webhooks/deliveries'), [], $call, query: $query);
    }

    /**
     * List deliveries. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * What was sent to your endpoint and what came of it, newest first.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param ?ListWebhookDeliveriesQuery $query
     * @return \Generator<int, WebhookDelivery>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/webhooks/deliveries'), [], $query, $call);
    }

    /**
     * Read a delivery.
     *
     * One delivery with every attempt, what your endpoint answered to each, and the bytes that were sent.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @return WebhookDeliveryDetail
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/webhooks/deliveries/{id}'), ['id' => $id], $call);
    }

    /**
     * Deliver again.
     *
     * Makes a new delivery of the same event, with the same `webhook-id` and the same body, whatever became of the first one. It goes to the URL that is set now, with all its attempts, also when the type is not among those that you want.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @return WebhookDelivery
     * @throws KasiError
     */
    public function redeliver(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/webhooks/deliveries/{id}/redeliver', isIdempotent: true), ['id' => $id], $call);
    }
}

/**
 * `webhooks->keys` of the client.
 *
 * @phpstan-import-type RotateWebhookKeysRequest from Types
 * @phpstan-import-type WebhookKey from Types
 * @phpstan-import-type WebhookKeyList from Types
 */
final class WebhooksKeysMethods extends Group
{
    /**
     * List signing keys.
     *
     * The public keys that your webhooks are signed with, to verify them.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @return WebhookKeyList
     * @throws KasiError
     */
    public function list(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/webhooks/keys'), [], $call);
    }

    /**
     * Rotate the signing key.
     *
     * Makes a new key, which signs at once. Older keys sign along until their time is over, so that receivers can change over in between. The body may be left out.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param ?RotateWebhookKeysRequest $body
     * @return WebhookKey
     * @throws KasiError
     */
    public function rotate(
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/webhooks/keys/rotate', isIdempotent: true), [], $call, body: $body);
    }
}

/**
 * `webhooks` of the client.
 *
 * @phpstan-import-type RecoverWebhooksRequest from Types
 * @phpstan-import-type VerifyWebhookRequest from Types
 * @phpstan-import-type WebhookCertification from Types
 * @phpstan-import-type WebhookRecovery from Types
 * @phpstan-import-type WebhookTestResult from Types
 * @phpstan-import-type WebhookVerification from Types
 */
final class WebhooksMethods extends Group
{
    public readonly WebhooksEndpointMethods $endpoint;
    public readonly WebhooksCertificationsMethods $certifications;
    public readonly WebhooksDeliveriesMethods $deliveries;
    public readonly WebhooksKeysMethods $keys;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->endpoint = new WebhooksEndpointMethods($transport);
        $this->certifications = new WebhooksCertificationsMethods($transport);
        $this->deliveries = new WebhooksDeliveriesMethods($transport);
        $this->keys = new WebhooksKeysMethods($transport);
    }

    /**
     * Test the endpoint.
     *
     * Sends one simulated `payment.completed` event, really signed, to your webhook URL and waits for the answer. An endpoint that fails is still a 200, with `success: false`. A success enables an endpoint that was disabled because it failed or answered 410. It takes no body.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @return WebhookTestResult
     * @throws KasiError
     */
    public function test(
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/webhooks/test', isIdempotent: true), [], $call);
    }

    /**
     * Recover what was missed.
     *
     * Makes a delivery for every event since a time that your endpoint wants and that neither reached it nor is still on its way: what happened while it was disabled, not set, or failing. Oldest first, at most 1,000 a call; while `more` is true, call again with `next` as `since`. It reaches as far back as deliveries are kept, which is 60 days unless the platform says otherwise.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param RecoverWebhooksRequest $body
     * @return WebhookRecovery
     * @throws KasiError
     */
    public function recover(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/webhooks/recover', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * Certify the endpoint.
     *
     * Tries your endpoint with what a handler meets in time: a genuine event, a duplicate, two out of order, bad signatures, an old timestamp, an unknown type, a slow body and an oversized one. It takes a minute at most and goes on after this answer: read the certification until its `status` is no longer `running`. Every check says in plain words what was expected, what came, and what to change. The events are of simulated payments (`metadata.simulated`) and stand in no list. It takes no body.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @return WebhookCertification
     * @throws KasiError
     */
    public function certify(
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/webhooks/certify', isIdempotent: true), [], $call);
    }

    /**
     * Find out why a webhook does not verify.
     *
     * Takes the headers and the body of a webhook as your server received them and says whether they verify and, if not, which check failed and why: a header that is missing, bytes that a parser has changed, a key that is not yours or has ended, or a clock that is wrong. An aid for finding faults: in your handler verify with your keys, without asking us.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param VerifyWebhookRequest $body
     * @return WebhookVerification
     * @throws KasiError
     */
    public function verify(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/webhooks/verify'), [], $call, body: $body);
    }
}

/**
 * `events` of the client.
 *
 * @phpstan-import-type ListEventsQuery from Types
 * @phpstan-import-type RecordedEvent from Types
 * @phpstan-import-type SealedEvent from Types
 * @phpstan-import-type SealedEventList from Types
 * @phpstan-import-type WebhookEvent from Types
 */
final class EventsMethods extends Group
{
    /**
     * List events.
     *
     * Everything that was announced to you, oldest first and without gaps, whether or not a webhook brought it. Read on from the last `position` that you have. An event is here within about a second.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param ?ListEventsQuery $query
     * @return SealedEventList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/events'), [], $call, query: $query);
    }

    /**
     * List events. All of them, or all behind the position `after`. `limit` is the page size (default: 100).
     *
     * Everything that was announced to you, oldest first and without gaps, whether or not a webhook brought it. Read on from the last `position` that you have. An event is here within about a second.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param ?ListEventsQuery $query
     * @return \Generator<int, SealedEvent>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->feed(new Operation('GET', '/v1/events'), $query, $call);
    }

    /**
     * List events. Calls `handle` with each event in order, and proves that none is missing and none was changed. Reads from `after` (0 for the beginning, or what an earlier call returned) to the end and returns how far it came. Events whose bodies are gone (`pruned`) are skipped. Throws `EventFeedError` before the first wrong event, whatever `handle` throws, and `KasiError` like any call.
     *
     * Everything that was announced to you, oldest first and without gaps, whether or not a webhook brought it. Read on from the last `position` that you have. An event is here within about a second.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @param int|EventPosition $after
     * @param callable(WebhookEvent, EventPosition): mixed $handle
     * @return EventPosition
     * @throws KasiError
     */
    public function sync(
        int|EventPosition $after,
        callable $handle,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): EventPosition {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->proven(new Operation('GET', '/v1/events'), $after, $handle, $call);
    }

    /**
     * Read an event.
     *
     * One event as it was announced. Its position and hashes are null until it is in the feed, about a second.
     *
     * An API key needs the scope `webhooks:manage`.
     *
     * @return RecordedEvent
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/events/{id}'), ['id' => $id], $call);
    }
}

/**
 * `auditLogs` of the client.
 *
 * @phpstan-import-type AuditLogEntry from Types
 * @phpstan-import-type AuditLogEntryList from Types
 * @phpstan-import-type ListMerchantAuditLogsQuery from Types
 */
final class AuditLogsMethods extends Group
{
    /**
     * List your audit log.
     *
     * Everything that was done to what is yours, newest first, by whomever: you, your API keys, administrators, payers and jobs. What was tried and refused is there too.
     *
     * @param ?ListMerchantAuditLogsQuery $query
     * @return AuditLogEntryList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/merchant/audit-logs'), [], $call, query: $query);
    }

    /**
     * List your audit log. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Everything that was done to what is yours, newest first, by whomever: you, your API keys, administrators, payers and jobs. What was tried and refused is there too.
     *
     * @param ?ListMerchantAuditLogsQuery $query
     * @return \Generator<int, AuditLogEntry>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/merchant/audit-logs'), [], $query, $call);
    }
}

/**
 * `public->paymentLinks` of the client.
 *
 * @phpstan-import-type PublicPayment from Types
 * @phpstan-import-type PublicPaymentLink from Types
 * @phpstan-import-type StartPaymentLinkPaymentRequest from Types
 */
final class PublicPaymentLinksMethods extends Group
{
    /**
     * Read a payment link as a payer.
     *
     * What the page behind the link shows. It needs no credentials.
     *
     * @return PublicPaymentLink
     * @throws KasiError
     */
    public function get(
        string $slug,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/payment-links/by-slug/{slug}', isOpen: true), ['slug' => $slug], $call);
    }

    /**
     * Start a payment through a link.
     *
     * Makes a payment of its own for one payer, with an address that nobody else gets. The body may be left out, unless the link has `customFields` that have to be answered. A payment that was started stays payable until its own `expiresAt`, whatever happens to the link, and until then has a place of a link with `maxPayments`: 15 minutes at most. Of such a link one address starts at most as many payments as the limit `place_hold` says.
     *
     * @param ?StartPaymentLinkPaymentRequest $body
     * @return PublicPayment
     * @throws KasiError
     */
    public function startPayment(
        string $slug,
        #[\SensitiveParameter] ?array $body = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/payment-links/by-slug/{slug}/payments', isOpen: true), ['slug' => $slug], $call, body: $body);
    }
}

/**
 * `public->checkout->sessions` of the client.
 *
 * @phpstan-import-type PublicCheckoutSession from Types
 */
final class PublicCheckoutSessionsMethods extends Group
{
    /**
     * Read a checkout session as a payer.
     *
     * What the hosted page shows of a session. It needs no credentials.
     *
     * @return PublicCheckoutSession
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/checkout/sessions/{id}', isOpen: true), ['id' => $id], $call);
    }
}

/**
 * `public->checkout` of the client.
 */
final class PublicCheckoutMethods extends Group
{
    public readonly PublicCheckoutSessionsMethods $sessions;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->sessions = new PublicCheckoutSessionsMethods($transport);
    }
}

/**
 * `public->payments` of the client.
 *
 * @phpstan-import-type GetSignedTransferQuery from Types
 * @phpstan-import-type PublicPayment from Types
 * @phpstan-import-type SelectPaymentOptionRequest from Types
 * @phpstan-import-type SignedInstructions from Types
 * @phpstan-import-type SignedTransfer from Types
 * @phpstan-import-type SubmitAuthorizationRequest from Types
 * @phpstan-import-type TakenRefundOffer from Types
 */
final class PublicPaymentsMethods extends Group
{
    /**
     * Read a payment as a payer.
     *
     * What the hosted page shows of a payment. It needs no credentials; the id is the secret.
     *
     * @return PublicPayment
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/payments/{id}', isOpen: true), ['id' => $id], $call);
    }

    /**
     * Choose how to pay.
     *
     * Chooses one of the payment's `options`. The payer may choose again until money has been seen. An option that is not offered is a 400, and one that is `unavailable` a 503.
     *
     * @param SelectPaymentOptionRequest $body
     * @return PublicPayment
     * @throws KasiError
     */
    public function select(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/payments/{id}/select', isOpen: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Read what a wallet signs to pay without a network fee.
     *
     * The transfer that a wallet may sign instead of sending it, and what became of it. It needs no credentials; the payment's id is the secret.
     *
     * @param ?GetSignedTransferQuery $query
     * @return SignedTransfer
     * @throws KasiError
     */
    public function signedTransfer(
        string $id,
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/payments/{id}/authorizations', isOpen: true), ['id' => $id], $call, query: $query);
    }

    /**
     * Pay by a signed transfer.
     *
     * Takes a wallet's signature over `typedData` and brings the transfer to the chain, which costs the payer nothing. The payment is paid once the chain has the transfer, as by any other. Sending the same signature again changes nothing.
     *
     * @param SubmitAuthorizationRequest $body
     * @return SignedTransfer
     * @throws KasiError
     */
    public function authorize(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/payments/{id}/authorizations', isOpen: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Pay by x402.
     *
     * The invoice for programs that pay by themselves, in version 2 of the protocol x402. Without `payment-signature` the answer is 402, and its header `payment-required` says what to sign: a transfer of the scheme `exact` for every option of the payment whose token takes signed transfers, by ERC-3009 or by Permit2. With it the transfer is brought to the chain as by *Pay by a signed transfer*, and the answer comes when a block has it, or after 15 seconds. Any client of x402 can pay so; see *Payments by machines*. It needs no credentials; the payment's id is the secret.
     *
     * @return PublicPayment
     * @throws KasiError
     */
    public function x402(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/payments/{id}/x402', isOpen: true), ['id' => $id], $call);
    }

    /**
     * Read signed payment instructions.
     *
     * Where this payment is to be paid now, and how much, signed by the key of its merchant, so that anybody can verify that nothing on the way has swapped the address. See *Verify the address*. Only what may be paid at this moment is signed. It needs no credentials; the payment's id is the secret.
     *
     * @return SignedInstructions
     * @throws KasiError
     */
    public function instructions(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/payments/{id}/instructions', isOpen: true), ['id' => $id], $call);
    }

    /**
     * Take money back that is offered.
     *
     * Makes the refund that the payment's `refundOffer` describes, and a link by which it is claimed. Until it is claimed, the offer can be taken again: that makes a new link, and the former one stops working. Where `isEstimate` is true, the price of this moment decides how much is sent; without one it is a 503 (`RATE_UNAVAILABLE`): try again in a minute.
     *
     * @return TakenRefundOffer
     * @throws KasiError
     */
    public function takeRefund(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/payments/{id}/refund', isOpen: true), ['id' => $id], $call);
    }

    /**
     * Follow a payment. First its present state, then every change, until you leave the loop. Reconnects when the connection is lost.
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
     *
     *
     * @return \Generator<int, PublicPayment>
     * @throws KasiError
     */
    public function events(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->follow(new Operation('GET', '/v1/public/payments/{id}/events', isOpen: true), ['id' => $id], $call);
    }

    /**
     * The QR code as SVG.
     *
     * The QR code of the payment's `paymentUri`, sharp at any size.
     *
     * @return string
     * @throws KasiError
     */
    public function qrSvg(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): string {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/payments/{id}/qr.svg', isOpen: true), ['id' => $id], $call, accept: 'image/svg+xml');
    }

    /**
     * The QR code as PNG.
     *
     * The QR code of the payment's `paymentUri`, 512 pixels wide. `qrCodeUrl` points here.
     *
     * @return string
     * @throws KasiError
     */
    public function qrPng(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): string {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/payments/{id}/qr.png', isOpen: true), ['id' => $id], $call, accept: 'image/png');
    }
}

/**
 * `public->refunds` of the client.
 *
 * @phpstan-import-type ClaimRefundRequest from Types
 * @phpstan-import-type PublicRefund from Types
 */
final class PublicRefundsMethods extends Group
{
    /**
     * Read a refund as its payer.
     *
     * What the holder of a claim link may know. The link is the only credential.
     *
     * @return PublicRefund
     * @throws KasiError
     */
    public function get(
        string $token,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/refunds/{token}', isOpen: true), ['token' => $token], $call);
    }

    /**
     * Say where a refund goes.
     *
     * Sets the address that a refund is paid to. It can be changed until somebody begins to pay it. The link is the only credential; with a `signature` of the wallet that paid, the address is that wallet's, and nobody else can change it any more.
     *
     * @param ClaimRefundRequest $body
     * @return PublicRefund
     * @throws KasiError
     */
    public function claim(
        string $token,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/refunds/{token}/claim', isOpen: true), ['token' => $token], $call, body: $body);
    }
}

/**
 * `public->subscriptions` of the client.
 *
 * @phpstan-import-type CancelByWalletRequest from Types
 * @phpstan-import-type PublicSubscription from Types
 * @phpstan-import-type SubmitMandateRequest from Types
 * @phpstan-import-type SubscriptionCancellation from Types
 */
final class PublicSubscriptionsMethods extends Group
{
    /**
     * Read a subscription as a customer.
     *
     * What the hosted page shows of a subscription, and what a wallet has to sign for it. It needs no credentials; the id is the secret.
     *
     * @return PublicSubscription
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/subscriptions/{id}', isOpen: true), ['id' => $id], $call);
    }

    /**
     * Submit a signed mandate.
     *
     * Takes the customer's signature over `typedData` and brings it to the chain, which costs the customer nothing. The mandate stands once the chain has taken it: then `mandateStatus` is `active`. Sending the same signature again changes nothing. A customer can also send the mandate to the chain himself; then nothing has to be submitted. Where `agreeBy` is `transaction`, that is the only way left.
     *
     * @param SubmitMandateRequest $body
     * @return PublicSubscription
     * @throws KasiError
     */
    public function submitMandate(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/subscriptions/{id}/mandate', isOpen: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Cancel a subscription with its wallet.
     *
     * Ends the subscription as the merchant's own cancellation does, for a customer whose wallet has signed the text of a challenge with `purpose: cancel`. It costs no gas. What was paid holds until `currentPeriodEnd`, and nothing more is charged. To take the permission back from the chain as well, the wallet revokes the mandate there.
     *
     * @param CancelByWalletRequest $body
     * @return SubscriptionCancellation
     * @throws KasiError
     */
    public function cancel(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/subscriptions/{id}/cancel', isOpen: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `public->plans` of the client.
 *
 * @phpstan-import-type PlanSubscription from Types
 * @phpstan-import-type PublicPlan from Types
 * @phpstan-import-type SubscribeByWalletRequest from Types
 */
final class PublicPlansMethods extends Group
{
    /**
     * Read a plan as a customer.
     *
     * What the hosted page of a plan shows before anybody has subscribed. It needs no credentials. A plan that takes nobody new is shown, too, with `active: false`.
     *
     * @return PublicPlan
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/subscription-plans/{id}', isOpen: true), ['id' => $id], $call);
    }

    /**
     * Subscribe to a plan with a wallet.
     *
     * Subscribes the customer themselves, whose wallet has signed the text of a challenge with `purpose: subscribe`. Nothing can be charged before they have agreed at `url`, and who does not agree in time is cancelled, also in a trial. A wallet that subscribes to the plan already gets the subscription that it has, with `isNew: false`. The merchant hears of a new one by `subscription.created`; name and e-mail are what the customer typed, and nobody has checked them.
     *
     * @param SubscribeByWalletRequest $body
     * @return PlanSubscription
     * @throws KasiError
     */
    public function subscribe(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/subscription-plans/{id}/subscriptions', isOpen: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `public->customers->subscriptions` of the client.
 *
 * @phpstan-import-type CustomerSubscription from Types
 * @phpstan-import-type CustomerSubscriptionList from Types
 * @phpstan-import-type ListCustomerSubscriptionsQuery from Types
 */
final class PublicCustomersSubscriptionsMethods extends Group
{
    /**
     * List a customer's subscriptions.
     *
     * The subscriptions of the session's wallet, those that are over too, each with its newest charges: those first that the wallet has agreed to and that can be charged, then the others, newest first. `merchantOf` narrows them to the merchant of one plan.
     *
     * @param ?ListCustomerSubscriptionsQuery $query
     * @return CustomerSubscriptionList
     * @throws KasiError
     */
    public function list(
        string $token,
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/customer-sessions/{token}/subscriptions', isOpen: true), ['token' => $token], $call, query: $query);
    }

    /**
     * List a customer's subscriptions. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * The subscriptions of the session's wallet, those that are over too, each with its newest charges: those first that the wallet has agreed to and that can be charged, then the others, newest first. `merchantOf` narrows them to the merchant of one plan.
     *
     * @param ?ListCustomerSubscriptionsQuery $query
     * @return \Generator<int, CustomerSubscription>
     * @throws KasiError
     */
    public function iterate(
        string $token,
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/public/customer-sessions/{token}/subscriptions', isOpen: true), ['token' => $token], $query, $call);
    }

    /**
     * Try a failed charge now.
     *
     * Has the charge of a `past_due` subscription tried at once, for a customer who has filled the wallet or raised the allowance. It takes no more than was agreed, and one that is on its way already is not sent twice, so pressing again does no harm.
     *
     * @return CustomerSubscription
     * @throws KasiError
     */
    public function retry(
        string $token,
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/customer-sessions/{token}/subscriptions/{id}/retry', isOpen: true), ['token' => $token, 'id' => $id], $call);
    }
}

/**
 * `public->customers` of the client.
 *
 * @phpstan-import-type CreateCustomerSessionRequest from Types
 * @phpstan-import-type CreateWalletChallengeRequest from Types
 * @phpstan-import-type CustomerSession from Types
 * @phpstan-import-type CustomerSessionEnded from Types
 * @phpstan-import-type WalletChallenge from Types
 */
final class PublicCustomersMethods extends Group
{
    public readonly PublicCustomersSubscriptionsMethods $subscriptions;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->subscriptions = new PublicCustomersSubscriptionsMethods($transport);
    }

    /**
     * Ask for a text to sign.
     *
     * Makes a text (EIP-4361) by whose signature a wallet proves that it is its owner's will to subscribe to one plan, to cancel one subscription, or to see its own. The text names the site, what it is for and until when it holds, and is good for one use.
     *
     * @param CreateWalletChallengeRequest $body
     * @return WalletChallenge
     * @throws KasiError
     */
    public function challenge(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/wallet-challenges', isOpen: true), [], $call, body: $body);
    }

    /**
     * Let a customer see their subscriptions.
     *
     * Begins a session of half an hour for a wallet that has signed the text of a challenge with `purpose: sign_in`. Its token shows the wallet's subscriptions at all merchants of this platform, on the networks where the wallet has proven itself, and can have a failed charge tried again. It can not subscribe, cancel or pay.
     *
     * @param CreateCustomerSessionRequest $body
     * @return CustomerSession
     * @throws KasiError
     */
    public function begin(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/public/customer-sessions', isOpen: true), [], $call, body: $body);
    }

    /**
     * End a customer's session.
     *
     * Ends the session at once. Its token proves nothing any more.
     *
     * @return CustomerSessionEnded
     * @throws KasiError
     */
    public function end(
        string $token,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('DELETE', '/v1/public/customer-sessions/{token}', isOpen: true), ['token' => $token], $call);
    }
}

/**
 * `public->merchants` of the client.
 *
 * @phpstan-import-type JsonWebKeySet from Types
 */
final class PublicMerchantsMethods extends Group
{
    /**
     * Read signing keys as a JWKS.
     *
     * The same keys as a JSON Web Key Set, public, for verifiers that fetch keys by themselves. May be cached for 5 minutes.
     *
     * @return JsonWebKeySet
     * @throws KasiError
     */
    public function webhookKeys(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/public/merchants/{id}/webhook-keys', isOpen: true), ['id' => $id], $call);
    }
}

/**
 * `public` of the client.
 */
final class PublicMethods extends Group
{
    public readonly PublicPaymentLinksMethods $paymentLinks;
    public readonly PublicCheckoutMethods $checkout;
    public readonly PublicPaymentsMethods $payments;
    public readonly PublicRefundsMethods $refunds;
    public readonly PublicSubscriptionsMethods $subscriptions;
    public readonly PublicPlansMethods $plans;
    public readonly PublicCustomersMethods $customers;
    public readonly PublicMerchantsMethods $merchants;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->paymentLinks = new PublicPaymentLinksMethods($transport);
        $this->checkout = new PublicCheckoutMethods($transport);
        $this->payments = new PublicPaymentsMethods($transport);
        $this->refunds = new PublicRefundsMethods($transport);
        $this->subscriptions = new PublicSubscriptionsMethods($transport);
        $this->plans = new PublicPlansMethods($transport);
        $this->customers = new PublicCustomersMethods($transport);
        $this->merchants = new PublicMerchantsMethods($transport);
    }
}

/**
 * `sandbox->payments` of the client.
 *
 * @phpstan-import-type PaySandboxPaymentRequest from Types
 * @phpstan-import-type ReplaceSandboxTransferRequest from Types
 * @phpstan-import-type SandboxReplacement from Types
 * @phpstan-import-type SandboxTransfer from Types
 */
final class SandboxPaymentsMethods extends Group
{
    /**
     * Pay a payment with play money.
     *
     * Sends a real transfer on a test chain to the payment's address, as a payer's wallet would. The service then sees it as it sees any other. The body may be left out.
     *
     * @param ?PaySandboxPaymentRequest $body
     * @return SandboxTransfer
     * @throws KasiError
     */
    public function pay(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/payments/{id}/pay', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Replace a transfer that waits.
     *
     * Replaces a transfer in bitcoins that `POST /v1/sandbox/payments/{id}/pay` left in the pool (`confirm: false`), as payers' wallets do to pay a higher fee, and as thieves do to take a payment back.
     *
     * @param ReplaceSandboxTransferRequest $body
     * @return SandboxReplacement
     * @throws KasiError
     */
    public function replace(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/payments/{id}/replace', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `sandbox->withdrawals` of the client.
 *
 * @phpstan-import-type PaySandboxWithdrawalRequest from Types
 * @phpstan-import-type SandboxPayout from Types
 */
final class SandboxWithdrawalsMethods extends Group
{
    /**
     * Pay a withdrawal out with play money.
     *
     * Sends a real transfer on the test chain to the destination of an approved withdrawal, as whoever pays the platform's withdrawals would. An administrator then completes the withdrawal with its `txHash`, and the chain is checked as anywhere. Every call sends again. The body may be left out.
     *
     * @param ?PaySandboxWithdrawalRequest $body
     * @return SandboxPayout
     * @throws KasiError
     */
    public function pay(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/withdrawals/{id}/pay', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `sandbox->refunds` of the client.
 *
 * @phpstan-import-type PaySandboxRefundRequest from Types
 * @phpstan-import-type SandboxRefundPayout from Types
 */
final class SandboxRefundsMethods extends Group
{
    /**
     * Pay a refund out with play money.
     *
     * Sends a real transfer to the address of a claimed refund, as whoever pays the platform's refunds would. An administrator then completes the refund with its `txHash`, and the chain is checked as anywhere. Every call sends again. The body may be left out.
     *
     * @param ?PaySandboxRefundRequest $body
     * @return SandboxRefundPayout
     * @throws KasiError
     */
    public function pay(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/refunds/{id}/pay', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `sandbox->wallets` of the client.
 *
 * @phpstan-import-type CreateSandboxWalletRequest from Types
 * @phpstan-import-type SandboxWallet from Types
 * @phpstan-import-type SandboxWalletState from Types
 * @phpstan-import-type UpdateSandboxWalletRequest from Types
 */
final class SandboxWalletsMethods extends Group
{
    /**
     * Make a funded wallet.
     *
     * Makes a new wallet on the test chain with test tokens and coin for fees. The sandbox remembers its key, so that it can act for this wallet later: change what it holds (`PUT /v1/sandbox/wallets/{address}`) and agree to a subscription (`POST /v1/sandbox/subscriptions/{id}/authorize`). The body may be left out.
     *
     * @param ?CreateSandboxWalletRequest $body
     * @return SandboxWallet
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] ?array $body = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/wallets', isOpen: true), [], $call, body: $body);
    }

    /**
     * Set what a wallet holds and allows.
     *
     * Sets how much of a token a wallet of the sandbox holds, or how much of it the subscription contract may take, by real transactions on the test chain. So you play a customer whose wallet is empty, or has been filled again. What you leave out stays as it is; `{}` changes nothing and shows the wallet.
     *
     * @param UpdateSandboxWalletRequest $body
     * @return SandboxWalletState
     * @throws KasiError
     */
    public function update(
        string $address,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('PUT', '/v1/sandbox/wallets/{address}', isOpen: true), ['address' => $address], $call, body: $body);
    }
}

/**
 * `sandbox->plans` of the client.
 *
 * @phpstan-import-type SandboxCustomer from Types
 * @phpstan-import-type SubscribeSandboxCustomerRequest from Types
 */
final class SandboxPlansMethods extends Group
{
    /**
     * Subscribe a customer of play.
     *
     * Makes a funded wallet, subscribes it to your plan and agrees with it, as a customer does on the page behind `authorizeUrl`: the wallet lets the subscription contract take the token and signs the mandate, which the service then brings to the chain. The answer comes when the mandate stands. The body may be left out.
     *
     * @param ?SubscribeSandboxCustomerRequest $body
     * @return SandboxCustomer
     * @throws KasiError
     */
    public function subscribe(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/subscription-plans/{id}/subscribe', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `sandbox->subscriptions` of the client.
 *
 * @phpstan-import-type Subscription from Types
 */
final class SandboxSubscriptionsMethods extends Group
{
    /**
     * Agree to a subscription.
     *
     * Lets the subscription's wallet agree, as its owner does on the page behind `authorizeUrl`: it allows the subscription contract to take the token, as much as the page recommends, and signs the mandate, which the service then brings to the chain. The answer comes when the mandate stands. Once it does, only the allowance is given anew; after a revocation the wallet agrees to a new mandate.
     *
     * @return Subscription
     * @throws KasiError
     */
    public function authorize(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/subscriptions/{id}/authorize'), ['id' => $id], $call);
    }

    /**
     * Revoke a mandate.
     *
     * Lets the subscription's wallet revoke its mandate on the chain, as a customer can at any time, with or without your page. From then on nothing can be taken by it. The answer comes when the service has seen it.
     *
     * @return Subscription
     * @throws KasiError
     */
    public function revoke(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/subscriptions/{id}/revoke'), ['id' => $id], $call);
    }
}

/**
 * `sandbox->chain` of the client.
 *
 * @phpstan-import-type MineSandboxBlocksRequest from Types
 * @phpstan-import-type ReorgSandboxChainRequest from Types
 * @phpstan-import-type SandboxChainHead from Types
 */
final class SandboxChainMethods extends Group
{
    /**
     * Mine blocks.
     *
     * Mines blocks on a test chain, for example to confirm a payment. On `regtest` the first of them holds all that waits in the pool.
     *
     * @param MineSandboxBlocksRequest $body
     * @return SandboxChainHead
     * @throws KasiError
     */
    public function mine(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/chain/mine', isOpen: true), [], $call, body: $body);
    }

    /**
     * Reorganise the chain.
     *
     * Replaces the newest blocks of a test chain by others, with or without their transactions, as real chains sometimes do. The new branch is as long as the old one, and on `regtest` a block longer.
     *
     * @param ReorgSandboxChainRequest $body
     * @return SandboxChainHead
     * @throws KasiError
     */
    public function reorg(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/chain/reorg', isOpen: true), [], $call, body: $body);
    }
}

/**
 * `sandbox->clock` of the client.
 *
 * @phpstan-import-type AdvanceSandboxClockRequest from Types
 * @phpstan-import-type SandboxClock from Types
 */
final class SandboxClockMethods extends Group
{
    /**
     * Read the clock.
     *
     * What the business clock shows. It decides when payments, links and sessions expire.
     *
     * @return SandboxClock
     * @throws KasiError
     */
    public function get(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/sandbox/clock', isOpen: true), [], $call);
    }

    /**
     * Move the clock forward.
     *
     * Moves the business clock and the test chain's time forward and does on the way what falls due, as if the time had passed. It never goes back. One call works for at most 20 seconds: when so much falls due that `now` in the answer is before the time you asked for, ask again with `to`.
     *
     * @param AdvanceSandboxClockRequest $body
     * @return SandboxClock
     * @throws KasiError
     */
    public function advance(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/sandbox/clock', isOpen: true), [], $call, body: $body);
    }
}

/**
 * `sandbox` of the client.
 *
 * @phpstan-import-type SandboxInfo from Types
 */
final class SandboxMethods extends Group
{
    public readonly SandboxPaymentsMethods $payments;
    public readonly SandboxWithdrawalsMethods $withdrawals;
    public readonly SandboxRefundsMethods $refunds;
    public readonly SandboxWalletsMethods $wallets;
    public readonly SandboxPlansMethods $plans;
    public readonly SandboxSubscriptionsMethods $subscriptions;
    public readonly SandboxChainMethods $chain;
    public readonly SandboxClockMethods $clock;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->payments = new SandboxPaymentsMethods($transport);
        $this->withdrawals = new SandboxWithdrawalsMethods($transport);
        $this->refunds = new SandboxRefundsMethods($transport);
        $this->wallets = new SandboxWalletsMethods($transport);
        $this->plans = new SandboxPlansMethods($transport);
        $this->subscriptions = new SandboxSubscriptionsMethods($transport);
        $this->chain = new SandboxChainMethods($transport);
        $this->clock = new SandboxClockMethods($transport);
    }

    /**
     * Look around the sandbox.
     *
     * The networks, nodes, contracts and test tokens of this sandbox, and which of its networks could not start.
     *
     * @return SandboxInfo
     * @throws KasiError
     */
    public function get(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/sandbox', isOpen: true), [], $call);
    }
}

/**
 * What merchants and payers can do.
 */
abstract class Surface extends Group
{
    public readonly AuthMethods $auth;
    public readonly MerchantsMethods $merchants;
    public readonly ApiKeysMethods $apiKeys;
    public readonly PaymentLinksMethods $paymentLinks;
    public readonly CheckoutMethods $checkout;
    public readonly PaymentsMethods $payments;
    public readonly PlansMethods $plans;
    public readonly SubscriptionsMethods $subscriptions;
    public readonly SettlementsMethods $settlements;
    public readonly RefundsMethods $refunds;
    public readonly WithdrawalsMethods $withdrawals;
    public readonly WebhooksMethods $webhooks;
    public readonly EventsMethods $events;
    public readonly AuditLogsMethods $auditLogs;
    public readonly PublicMethods $public;
    public readonly SandboxMethods $sandbox;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->auth = new AuthMethods($transport);
        $this->merchants = new MerchantsMethods($transport);
        $this->apiKeys = new ApiKeysMethods($transport);
        $this->paymentLinks = new PaymentLinksMethods($transport);
        $this->checkout = new CheckoutMethods($transport);
        $this->payments = new PaymentsMethods($transport);
        $this->plans = new PlansMethods($transport);
        $this->subscriptions = new SubscriptionsMethods($transport);
        $this->settlements = new SettlementsMethods($transport);
        $this->refunds = new RefundsMethods($transport);
        $this->withdrawals = new WithdrawalsMethods($transport);
        $this->webhooks = new WebhooksMethods($transport);
        $this->events = new EventsMethods($transport);
        $this->auditLogs = new AuditLogsMethods($transport);
        $this->public = new PublicMethods($transport);
        $this->sandbox = new SandboxMethods($transport);
    }
}
