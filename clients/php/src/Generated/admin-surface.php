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
final class AdminAuthTwoFactorMethods extends Group
{
    /**
     * Set up the own two-factor authentication.
     *
     * Makes a secret for an authenticator app. Nothing changes until the first code comes back to `POST /v1/admin/auth/two-factor/enable`; setting up again replaces a secret that still waits.
     *
     * Every administrator may call it, for their own account.
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
        return $this->transport->call(new Operation('POST', '/v1/admin/auth/two-factor/setup'), [], $call, body: $body);
    }

    /**
     * Enable the own two-factor authentication.
     *
     * Turns it on by the first code of the secret that was set up, and shows the recovery codes. From now on logging in needs a code. All other sessions end.
     *
     * Every administrator may call it, for their own account.
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
        return $this->transport->call(new Operation('POST', '/v1/admin/auth/two-factor/enable', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * Disable the own two-factor authentication.
     *
     * Turns it off by the password and a code of the authenticator app, or a recovery code. The secret and the recovery codes are worth nothing afterwards. All other sessions end.
     *
     * Every administrator may call it, for their own account.
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
        return $this->transport->call(new Operation('POST', '/v1/admin/auth/two-factor/disable'), [], $call, body: $body);
    }
}

/**
 * `auth` of the client.
 *
 * @phpstan-import-type AdminAuthResult from Types
 * @phpstan-import-type AdminTokens from Types
 * @phpstan-import-type ChangeAdminPasswordRequest from Types
 * @phpstan-import-type LoginAdminRequest from Types
 * @phpstan-import-type MessageResponse from Types
 * @phpstan-import-type OwnAdmin from Types
 * @phpstan-import-type RefreshAdminSessionRequest from Types
 */
final class AdminAuthMethods extends Group
{
    public readonly AdminAuthTwoFactorMethods $twoFactor;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->twoFactor = new AdminAuthTwoFactorMethods($transport);
    }

    /**
     * Log in as an administrator. The client then acts as who logged in.
     *
     * Starts a login session of at most twelve hours. A wrong e-mail address, a wrong password and a deactivated account give the same answer. With two-factor authentication on, the right password alone gets a 401 with `reason: otp_required`: send the same again with a code as `otp`. After five failures in a row from one address or device the account answers 429 there for a while. Send the `deviceToken` of an earlier login, and failures of strangers never make you wait.
     *
     * @param LoginAdminRequest $body
     * @return AdminAuthResult
     * @throws KasiError
     */
    public function login(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $answer = $this->transport->call(new Operation('POST', '/v1/admin/auth/login', isOpen: true), [], $call, body: $body);
        $this->transport->session?->replace($answer);
        return $answer;
    }

    /**
     * Refresh an administrator's session. The client does it automatically when a token expires.
     *
     * Trades a refresh token for a new access token and a new refresh token. Each refresh token works once: using an old one again ends the session, because somebody may have stolen it. A session ends after twelve hours in any case.
     *
     * @param RefreshAdminSessionRequest $body
     * @return AdminTokens
     * @throws KasiError
     */
    public function refresh(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $trade = fn (): array => $this->transport->call(new Operation('POST', '/v1/admin/auth/refresh', isOpen: true), [], $call, body: $body);
        return $this->transport->session?->trade($body['refreshToken'], $trade) ?? $trade();
    }

    /**
     * Log out as an administrator. Afterwards the client holds no tokens.
     *
     * Ends the session that asks. Its access and refresh tokens stop working at once.
     *
     * Every administrator may call it, for their own account.
     *
     * @return MessageResponse
     * @throws KasiError
     */
    public function logout(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $answer = $this->transport->call(new Operation('POST', '/v1/admin/auth/logout'), [], $call);
        $this->transport->session?->replace(null);
        return $answer;
    }

    /**
     * Who am I.
     *
     * The administrator that is logged in, and what their role allows at present.
     *
     * Every administrator may call it, for their own account.
     *
     * @return OwnAdmin
     * @throws KasiError
     */
    public function me(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/auth/me'), [], $call);
    }

    /**
     * Change the own password. The client then knows the new one, if it logs in by itself.
     *
     * Sets a new password and ends all other sessions. The session that asks goes on. With two-factor authentication on, a code has to come along as `otp`.
     *
     * Every administrator may call it, for their own account.
     *
     * @param ChangeAdminPasswordRequest $body
     * @return MessageResponse
     * @throws KasiError
     */
    public function changePassword(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        $answer = $this->transport->call(new Operation('POST', '/v1/admin/auth/password'), [], $call, body: $body);
        $this->transport->session?->replacePassword($body['newPassword']);
        return $answer;
    }
}

/**
 * `withdrawals` of the client.
 *
 * @phpstan-import-type AdminListWithdrawalsQuery from Types
 * @phpstan-import-type AdminWithdrawal from Types
 * @phpstan-import-type AdminWithdrawalList from Types
 * @phpstan-import-type AdminWithdrawalSummary from Types
 * @phpstan-import-type ApproveWithdrawalRequest from Types
 * @phpstan-import-type CompleteWithdrawalRequest from Types
 * @phpstan-import-type FailRequest from Types
 * @phpstan-import-type FailWithdrawalRequest from Types
 * @phpstan-import-type ProcessWithdrawalRequest from Types
 * @phpstan-import-type RejectWithdrawalRequest from Types
 * @phpstan-import-type WithdrawalCompletion from Types
 * @phpstan-import-type WithdrawalFailure from Types
 * @phpstan-import-type WithdrawalFailureAsked from Types
 * @phpstan-import-type WithdrawalProcessing from Types
 * @phpstan-import-type WithdrawalReview from Types
 */
final class AdminWithdrawalsMethods extends Group
{
    /**
     * List withdrawals of all merchants.
     *
     * The withdrawals of all merchants, newest first.
     *
     * The role of the administrator needs the permission `withdrawals.view`.
     *
     * @param ?AdminListWithdrawalsQuery $query
     * @return AdminWithdrawalList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/withdrawals'), [], $call, query: $query);
    }

    /**
     * List withdrawals of all merchants. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * The withdrawals of all merchants, newest first.
     *
     * The role of the administrator needs the permission `withdrawals.view`.
     *
     * @param ?AdminListWithdrawalsQuery $query
     * @return \Generator<int, AdminWithdrawalSummary>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/admin/withdrawals'), [], $query, $call);
    }

    /**
     * Read a withdrawal of any merchant.
     *
     * A withdrawal with its merchant, its bank account and who decided what. The account number is whole only for those who may manage withdrawals.
     *
     * The role of the administrator needs the permission `withdrawals.view`.
     *
     * @return AdminWithdrawal
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/withdrawals/{id}'), ['id' => $id], $call);
    }

    /**
     * Approve a withdrawal.
     *
     * Lets a `pending` withdrawal be paid. For `bank`, the address that its crypto leg goes to is settled here.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param ?ApproveWithdrawalRequest $body
     * @return WithdrawalReview
     * @throws KasiError
     */
    public function approve(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/withdrawals/{id}/approve', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Reject a withdrawal.
     *
     * Refuses a `pending` withdrawal. The whole amount goes back to the merchant's balance, and the merchant reads the reason.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param RejectWithdrawalRequest $body
     * @return WithdrawalReview
     * @throws KasiError
     */
    public function reject(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/withdrawals/{id}/reject', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Begin to pay a withdrawal.
     *
     * Says that an `approved` withdrawal is being paid, so that nobody pays it a second time. Never back from here by itself.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param ?ProcessWithdrawalRequest $body
     * @return WithdrawalProcessing
     * @throws KasiError
     */
    public function process(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/withdrawals/{id}/process', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Ask to give a withdrawal up.
     *
     * Says that a withdrawal in `processing` could not be paid, and how you know. It changes nothing else: from the setting `fourEyesThreshold` on another administrator fails it after that, because its money may have left. The latest request counts, for a day, and is gone when the withdrawal is completed.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param FailRequest $body
     * @return WithdrawalFailureAsked
     * @throws KasiError
     */
    public function askToFail(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/withdrawals/{id}/fail-request', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Give a withdrawal up.
     *
     * Says that an `approved` or `processing` withdrawal could not be paid. The whole amount goes back to the merchant's balance: be sure that no transaction of it is under way. From the setting `fourEyesThreshold` on it takes two administrators to fail one in `processing`: one asks for it (`fail-request`), and another fails it.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param FailWithdrawalRequest $body
     * @return WithdrawalFailure
     * @throws KasiError
     */
    public function fail(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/withdrawals/{id}/fail', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Complete a withdrawal.
     *
     * Records the transaction that paid an `approved` or `processing` withdrawal. With the setting `verifyPayoutOnChain`, on a network that the platform watches, the chain is asked first: the transaction must have succeeded after the approval, be confirmed, come from one of the `payoutWallets` if there are any, and have brought at least `netAmount` to the destination. A transaction may pay many payouts, each of its transfers one. Where the network or token is no longer listed, nothing is asked: then another person than the approver has to complete it, with `notes`, whatever the amount.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param CompleteWithdrawalRequest $body
     * @return WithdrawalCompletion
     * @throws KasiError
     */
    public function complete(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/withdrawals/{id}/complete', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `refunds` of the client.
 *
 * @phpstan-import-type AdminRefund from Types
 * @phpstan-import-type CompleteRefundRequest from Types
 * @phpstan-import-type FailRefundRequest from Types
 * @phpstan-import-type FailRequest from Types
 * @phpstan-import-type ProcessRefundRequest from Types
 */
final class AdminRefundsMethods extends Group
{
    /**
     * Read a refund of any merchant.
     *
     * One refund, with what is needed to pay it.
     *
     * The role of the administrator needs the permission `withdrawals.view`.
     *
     * @return AdminRefund
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/refunds/{id}'), ['id' => $id], $call);
    }

    /**
     * Begin to pay a refund.
     *
     * Says that a `pending` refund is being paid: its address does not change any more, and nobody pays it a second time.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param ?ProcessRefundRequest $body
     * @return AdminRefund
     * @throws KasiError
     */
    public function process(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/refunds/{id}/process', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Complete a refund.
     *
     * Records the transaction that paid a `pending` or `processing` refund. With the setting `verifyPayoutOnChain` the chain is asked first, as for a withdrawal: the transaction must have succeeded after the address was named, be confirmed, come from one of the `payoutWallets` if there are any, and have brought all of `tokenAmount`. A transaction may pay many payouts, each of its transfers one. From the setting `fourEyesThreshold` on somebody else has to complete it than who began to pay it. Where its network or token is no longer listed the chain is not asked: then that holds for every amount, and `notes` are needed. It does as well for a refund in coins whose transaction has completed another payout about which no chain was asked, because no receipt shows what contracts send of them.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param CompleteRefundRequest $body
     * @return AdminRefund
     * @throws KasiError
     */
    public function complete(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/refunds/{id}/complete', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Ask to fail a refund.
     *
     * Says that a refund in `processing` can not be paid, and how you know. It changes nothing else: from the setting `fourEyesThreshold` on another administrator fails it after that, because its money may have left. The latest request counts, for a day, and is gone when the refund is completed.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param FailRequest $body
     * @return AdminRefund
     * @throws KasiError
     */
    public function askToFail(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/refunds/{id}/fail-request', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Fail a refund.
     *
     * Ends a refund that can not be paid: its money is where it was. Fail one in `processing` only if nothing was sent; from the setting `fourEyesThreshold` on that takes two administrators: one asks for it (`fail-request`), and another fails it. Of one in ETH or BTC that have fallen since, the merchant gets more dollars than you keep in coins: fail it only where the payer will not claim it.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param FailRefundRequest $body
     * @return AdminRefund
     * @throws KasiError
     */
    public function fail(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/refunds/{id}/fail', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `payouts` of the client.
 *
 * @phpstan-import-type CompletePayoutsRequest from Types
 * @phpstan-import-type CompletedPayouts from Types
 * @phpstan-import-type ExportPayoutsRequest from Types
 * @phpstan-import-type ListPayoutsQuery from Types
 * @phpstan-import-type Payout from Types
 * @phpstan-import-type PayoutExport from Types
 * @phpstan-import-type PayoutList from Types
 */
final class AdminPayoutsMethods extends Group
{
    /**
     * List what waits to be paid.
     *
     * Withdrawals and refunds that can be paid or are being paid, the longest waiting first.
     *
     * The role of the administrator needs the permission `withdrawals.view`.
     *
     * @param ?ListPayoutsQuery $query
     * @return PayoutList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/payouts'), [], $call, query: $query);
    }

    /**
     * Begin to pay many payouts.
     *
     * Marks what waits on a network as `processing`, by you, and returns it as a table (CSV) and, for EVM networks, as a file that the Transaction Builder of a Safe reads, or for Bitcoin as an unsigned transaction (PSBT, BIP174), so that one transaction signed elsewhere pays all. Without `payoutIds` it is what no administrator has begun to pay, at most 100, the longest waiting first: so nothing is handed out twice unless it is named. One about which the database gave no answer is refused (`SERVICE_UNAVAILABLE`) and in no file: export it by its id. Where the coins of an account of Bitcoin do not suffice for all of that, what can be paid is exported, and the rest is refused (`coins_short`). A transaction of Bitcoin that is drafted again spends every coin of the one before, so that only one of them can be mined. Coins of EVM networks are in the file, but each is completed only with a transaction of its own.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param ExportPayoutsRequest $body
     * @return PayoutExport
     * @throws KasiError
     */
    public function export(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/admin/payouts/export'), [], $call, body: $body);
    }

    /**
     * Complete many payouts with one transaction.
     *
     * Records one transaction as what paid up to 100 withdrawals and refunds of one network, each by a transfer of its own. The chain is asked about each, and each is completed or refused by itself, as if it were completed alone; what was not completed is named with its reason. Repeating the call changes nothing. Needs the setting `verifyPayoutOnChain`: where no chain is asked, a transaction pays one payout.
     *
     * The role of the administrator needs the permission `withdrawals.manage`.
     *
     * @param CompletePayoutsRequest $body
     * @return CompletedPayouts
     * @throws KasiError
     */
    public function complete(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/admin/payouts/complete'), [], $call, body: $body);
    }

    /**
     * List what waits to be paid. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Withdrawals and refunds that can be paid or are being paid, the longest waiting first.
     *
     * The role of the administrator needs the permission `withdrawals.view`.
     *
     * @param ?ListPayoutsQuery $query
     * @return \Generator<int, Payout>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/admin/payouts'), [], $query, $call);
    }
}

/**
 * `settings` of the client.
 *
 * @phpstan-import-type PlatformSettings from Types
 * @phpstan-import-type UpdateSettingsRequest from Types
 */
final class AdminSettingsMethods extends Group
{
    /**
     * Read the settings.
     *
     * The settings of the platform as they are in force, and their version.
     *
     * The role of the administrator needs the permission `settings.view`.
     *
     * @return PlatformSettings
     * @throws KasiError
     */
    public function get(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/settings'), [], $call);
    }

    /**
     * Change settings.
     *
     * Changes the settings that are sent, if `version` is the one in force; every process follows within a second. What was agreed before stays: payments keep the fee, tolerance and expiry with which they were made, withdrawals their fee.
     *
     * Whatever moves, delays or stops money needs a code (`otp`), which is everything but `webhookRetentionDays` and `auditRetentionDays`. What touches where money goes also waits for `changeDelayHours`, on a live platform for another administrator's approval, too, where there is one who can give it; until then it stands in `pendingChanges`: `offRampAddress`, `payoutWallets`, `withdrawalFees`, `verifyPayoutOnChain` turned off, `fourEyesThreshold` raised or removed, `changeDelayHours` changed, `confirmations` lowered or removed, `manualRates` set, `rateSpreadBps` lowered, and `withdrawalMax`, `withdrawalDailyMax`, `withdrawalMaxOpen`, `refundDailyMax`, `paymentToleranceBps` or `paymentToleranceMax` raised. What tightens takes effect at once.
     *
     * The role of the administrator needs the permission `settings.update`.
     *
     * @param UpdateSettingsRequest $body
     * @return PlatformSettings
     * @throws KasiError
     */
    public function update(
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('PUT', '/v1/admin/settings'), [], $call, body: $body);
    }
}

/**
 * `changes` of the client.
 *
 * @phpstan-import-type ApproveChangeRequest from Types
 * @phpstan-import-type CancelChangeRequest from Types
 * @phpstan-import-type ChangeList from Types
 * @phpstan-import-type GuardedChange from Types
 * @phpstan-import-type ListChangesQuery from Types
 */
final class AdminChangesMethods extends Group
{
    /**
     * List changes that have to wait.
     *
     * What was proposed that touches where money goes: settings, permissions of roles, and administrators. Newest first, what is over included.
     *
     * The role of the administrator needs the permission `settings.view`.
     *
     * @param ?ListChangesQuery $query
     * @return ChangeList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/changes'), [], $call, query: $query);
    }

    /**
     * List changes that have to wait. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * What was proposed that touches where money goes: settings, permissions of roles, and administrators. Newest first, what is over included.
     *
     * The role of the administrator needs the permission `settings.view`.
     *
     * @param ?ListChangesQuery $query
     * @return \Generator<int, GuardedChange>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/admin/changes'), [], $query, $call);
    }

    /**
     * Read a change that has to wait.
     *
     * One change, with who proposed it, who has to agree, and when it takes effect.
     *
     * The role of the administrator needs the permission `settings.view`.
     *
     * @return GuardedChange
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/changes/{id}'), ['id' => $id], $call);
    }

    /**
     * Approve a change.
     *
     * Approves a `proposed` change, which takes effect when it is due. The administrator who proposed it can't approve it, nor can an account that may belong to the same person.
     *
     * The role of the administrator needs the permission `settings.update`.
     *
     * @param ?ApproveChangeRequest $body
     * @return GuardedChange
     * @throws KasiError
     */
    public function approve(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/changes/{id}/approve', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Cancel a change.
     *
     * Ends a change that has not taken effect. Every administrator with `settings.update` can cancel any change, and no code is needed, so that objecting is easy.
     *
     * The role of the administrator needs the permission `settings.update`.
     *
     * @param CancelChangeRequest $body
     * @return GuardedChange
     * @throws KasiError
     */
    public function cancel(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/changes/{id}/cancel', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `merchants` of the client.
 *
 * @phpstan-import-type AdminListMerchantsQuery from Types
 * @phpstan-import-type AdminMerchant from Types
 * @phpstan-import-type AdminMerchantList from Types
 * @phpstan-import-type AdminMerchantSummary from Types
 * @phpstan-import-type FreezeMerchantRequest from Types
 * @phpstan-import-type MerchantStatusChange from Types
 * @phpstan-import-type RejectMerchantRequest from Types
 * @phpstan-import-type TerminateMerchantRequest from Types
 * @phpstan-import-type UnfreezeMerchantRequest from Types
 */
final class AdminMerchantsMethods extends Group
{
    /**
     * List merchants.
     *
     * All merchants, newest first, those in one state, or those that a search finds.
     *
     * The role of the administrator needs the permission `merchants.view`.
     *
     * @param ?AdminListMerchantsQuery $query
     * @return AdminMerchantList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/merchants'), [], $call, query: $query);
    }

    /**
     * List merchants. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * All merchants, newest first, those in one state, or those that a search finds.
     *
     * The role of the administrator needs the permission `merchants.view`.
     *
     * @param ?AdminListMerchantsQuery $query
     * @return \Generator<int, AdminMerchantSummary>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/admin/merchants'), [], $query, $call);
    }

    /**
     * Read a merchant.
     *
     * The profile of a merchant, why it is in its state, and what has come together on its account.
     *
     * The role of the administrator needs the permission `merchants.view`.
     *
     * @return AdminMerchant
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/merchants/{id}'), ['id' => $id], $call);
    }

    /**
     * Approve a merchant.
     *
     * Lets a merchant that waits for its verification collect payments and withdraw (`pending_verification` → `active`). The merchant hears of it by `merchant.status_changed`.
     *
     * The role of the administrator needs the permission `merchants.approve`.
     *
     * @return MerchantStatusChange
     * @throws KasiError
     */
    public function approve(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/merchants/{id}/approve', isIdempotent: true), ['id' => $id], $call);
    }

    /**
     * Reject a merchant.
     *
     * Refuses a merchant that waits for its verification (`pending_verification` → `rejected`). It asks for another review by changing its profile. The merchant hears of it by `merchant.status_changed`.
     *
     * The role of the administrator needs the permission `merchants.reject`.
     *
     * @param RejectMerchantRequest $body
     * @return MerchantStatusChange
     * @throws KasiError
     */
    public function reject(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/merchants/{id}/reject', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Freeze a merchant.
     *
     * Stops a merchant from creating, collecting and withdrawing (`active` → `frozen`). It can log in and read; what payers still send is credited. The merchant hears of it by `merchant.status_changed`.
     *
     * The role of the administrator needs the permission `merchants.freeze`.
     *
     * @param FreezeMerchantRequest $body
     * @return MerchantStatusChange
     * @throws KasiError
     */
    public function freeze(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/merchants/{id}/freeze', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Unfreeze a merchant.
     *
     * Lets a frozen merchant go on as before (`frozen` → `active`). The merchant hears of it by `merchant.status_changed`.
     *
     * The role of the administrator needs the permission `merchants.freeze`.
     *
     * @param ?UnfreezeMerchantRequest $body
     * @return MerchantStatusChange
     * @throws KasiError
     */
    public function unfreeze(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/merchants/{id}/unfreeze', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Terminate a merchant.
     *
     * Closes the account of a merchant for good, from any state (→ `terminated`). Its sessions end and its API keys are revoked; what it has stays in the ledger. The merchant hears of it by `merchant.status_changed`. Nothing undoes it, so it asks for a code (`otp`) where two-factor authentication is on: a stolen session alone closes no account.
     *
     * The role of the administrator needs the permission `merchants.terminate`.
     *
     * @param TerminateMerchantRequest $body
     * @return MerchantStatusChange
     * @throws KasiError
     */
    public function terminate(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/merchants/{id}/terminate', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `users` of the client.
 *
 * @phpstan-import-type AdminUser from Types
 * @phpstan-import-type AdminUserCreated from Types
 * @phpstan-import-type AdminUserList from Types
 * @phpstan-import-type AdminUserStatusChange from Types
 * @phpstan-import-type AdminUserSummary from Types
 * @phpstan-import-type ChangeAdminStatusRequest from Types
 * @phpstan-import-type CreateAdminUserRequest from Types
 * @phpstan-import-type ListAdminUsersQuery from Types
 * @phpstan-import-type UpdateAdminUserRequest from Types
 */
final class AdminUsersMethods extends Group
{
    /**
     * List administrators.
     *
     * All administrators of the platform, newest first, deactivated ones included.
     *
     * The role of the administrator needs the permission `users.view`.
     *
     * @param ?ListAdminUsersQuery $query
     * @return AdminUserList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/users'), [], $call, query: $query);
    }

    /**
     * List administrators. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * All administrators of the platform, newest first, deactivated ones included.
     *
     * The role of the administrator needs the permission `users.view`.
     *
     * @param ?ListAdminUsersQuery $query
     * @return \Generator<int, AdminUserSummary>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/admin/users'), [], $query, $call);
    }

    /**
     * Add an administrator.
     *
     * Adds an administrator, who can log in at once with the password that you tell them. You can only give a role whose permissions you hold yourself.
     *
     * A role with `withdrawals.manage`, `merchants.terminate`, `users.manage`, `roles.manage` or `settings.update` asks for a code (`otp`). On a live platform the administrator is `deactivated` until the change has taken effect that `GET /v1/admin/changes` shows.
     *
     * The role of the administrator needs the permission `users.manage`.
     *
     * @param CreateAdminUserRequest $body
     * @return AdminUserCreated
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/users', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * Read an administrator.
     *
     * Reads one administrator.
     *
     * The role of the administrator needs the permission `users.view`.
     *
     * @return AdminUser
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/users/{id}'), ['id' => $id], $call);
    }

    /**
     * Change an administrator.
     *
     * Changes the fields that you send and leaves the others as they are. A new password ends all sessions of that administrator, and cancels the changes that they proposed or approved and that are not in effect yet. Administrators can't change their own role, give a role whose permissions they lack, or change an administrator whose role holds what they lack.
     *
     * Giving a role that moves money or rights needs a code (`otp`), and so does taking one away. On a live platform the role is given when its change, which `GET /v1/admin/changes` shows, takes effect. Changing the password or e-mail address of an administrator with such a role needs a code, too.
     *
     * The role of the administrator needs the permission `users.manage`.
     *
     * @param UpdateAdminUserRequest $body
     * @return AdminUser
     * @throws KasiError
     */
    public function update(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('PUT', '/v1/admin/users/{id}'), ['id' => $id], $call, body: $body);
    }

    /**
     * Activate an administrator.
     *
     * Lets a deactivated administrator log in again. One who is active stays so. An administrator whose role moves money or rights needs a code (`otp`), and on a live platform stays `deactivated` until the change has taken effect that `GET /v1/admin/changes` shows.
     *
     * The role of the administrator needs the permission `users.manage`.
     *
     * @param ?ChangeAdminStatusRequest $body
     * @return AdminUserStatusChange
     * @throws KasiError
     */
    public function activate(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/admin/users/{id}/activate'), ['id' => $id], $call, body: $body);
    }

    /**
     * Deactivate an administrator.
     *
     * Ends all sessions of an administrator, who can not log in any more. One who is deactivated stays so. Administrators can't deactivate themselves, and one active super_admin always remains. An administrator whose role moves money or rights is deactivated with a code (`otp`): a stolen session alone stops nobody who could object.
     *
     * The role of the administrator needs the permission `users.manage`.
     *
     * @param ?ChangeAdminStatusRequest $body
     * @return AdminUserStatusChange
     * @throws KasiError
     */
    public function deactivate(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('POST', '/v1/admin/users/{id}/deactivate'), ['id' => $id], $call, body: $body);
    }
}

/**
 * `roles` of the client.
 *
 * @phpstan-import-type CreateRoleRequest from Types
 * @phpstan-import-type MessageResponse from Types
 * @phpstan-import-type Role from Types
 * @phpstan-import-type RoleList from Types
 * @phpstan-import-type UpdateRoleRequest from Types
 */
final class AdminRolesMethods extends Group
{
    /**
     * List roles.
     *
     * All roles, newest first, with what each of them allows.
     *
     * The role of the administrator needs the permission `roles.view`.
     *
     * @return RoleList
     * @throws KasiError
     */
    public function list(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/roles'), [], $call);
    }

    /**
     * Create a role.
     *
     * Makes a role of permissions that you hold yourself.
     *
     * The role of the administrator needs the permission `roles.manage`.
     *
     * @param CreateRoleRequest $body
     * @return Role
     * @throws KasiError
     */
    public function create(
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/roles', isIdempotent: true), [], $call, body: $body);
    }

    /**
     * Read a role.
     *
     * Reads one role.
     *
     * The role of the administrator needs the permission `roles.view`.
     *
     * @return Role
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/roles/{id}'), ['id' => $id], $call);
    }

    /**
     * Change a role.
     *
     * Changes the fields that you send and leaves the others as they are; `permissions` replaces the whole list. Administrators who have the role are bound by it from their next request on. They can't change their own role, or one that holds, before or afterwards, what they lack. super_admin stays as it is.
     *
     * Adding or removing `withdrawals.manage`, `merchants.terminate`, `users.manage`, `roles.manage` or `settings.update` asks for a code (`otp`). Where one is added on a live platform, the list changes when the change has taken effect that `GET /v1/admin/changes` shows.
     *
     * The role of the administrator needs the permission `roles.manage`.
     *
     * @param UpdateRoleRequest $body
     * @return Role
     * @throws KasiError
     */
    public function update(
        string $id,
        #[\SensitiveParameter] array $body,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('PUT', '/v1/admin/roles/{id}'), ['id' => $id], $call, body: $body);
    }

    /**
     * Delete a role.
     *
     * Deletes a role that nobody has, not even a deactivated administrator.
     *
     * The role of the administrator needs the permission `roles.manage`.
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
        return $this->transport->call(new Operation('DELETE', '/v1/admin/roles/{id}'), ['id' => $id], $call);
    }
}

/**
 * `permissions` of the client.
 *
 * @phpstan-import-type PermissionList from Types
 */
final class AdminPermissionsMethods extends Group
{
    /**
     * List permissions.
     *
     * The catalogue of what a role can allow.
     *
     * The role of the administrator needs the permission `roles.view`.
     *
     * @return PermissionList
     * @throws KasiError
     */
    public function list(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/permissions'), [], $call);
    }
}

/**
 * `incidents` of the client.
 *
 * @phpstan-import-type AcknowledgeIncidentRequest from Types
 * @phpstan-import-type Incident from Types
 * @phpstan-import-type IncidentList from Types
 * @phpstan-import-type IncidentSummary from Types
 * @phpstan-import-type ListIncidentsQuery from Types
 * @phpstan-import-type ResolveIncidentRequest from Types
 */
final class AdminIncidentsMethods extends Group
{
    /**
     * List incidents.
     *
     * What needs an operator's eyes, newest first. The chapter "Incidents" describes each kind.
     *
     * The role of the administrator needs the permission `incidents.view`.
     *
     * @param ?ListIncidentsQuery $query
     * @return IncidentList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/incidents'), [], $call, query: $query);
    }

    /**
     * List incidents. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * What needs an operator's eyes, newest first. The chapter "Incidents" describes each kind.
     *
     * The role of the administrator needs the permission `incidents.view`.
     *
     * @param ?ListIncidentsQuery $query
     * @return \Generator<int, IncidentSummary>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/admin/incidents'), [], $query, $call);
    }

    /**
     * Read an incident.
     *
     * One incident with what it means, what it touches and what to do about it.
     *
     * The role of the administrator needs the permission `incidents.view`.
     *
     * @return Incident
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/incidents/{id}'), ['id' => $id], $call);
    }

    /**
     * Acknowledge an incident.
     *
     * Marks the incident as seen (`open` → `acknowledged`), so that two administrators don't work on it. Acknowledging it again keeps the first administrator's name; a new note replaces the old one.
     *
     * The role of the administrator needs the permission `incidents.manage`.
     *
     * @param ?AcknowledgeIncidentRequest $body
     * @return Incident
     * @throws KasiError
     */
    public function acknowledge(
        string $id,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/incidents/{id}/acknowledge', isIdempotent: true), ['id' => $id], $call, body: $body);
    }

    /**
     * Try again what an incident is about.
     *
     * Tries again what failed, in place of changing the database by hand: transfers and events that are parked are taken up at once. `retry` of the incident says what that does. The incident stays as it is until the service sees that it is over.
     *
     * The role of the administrator needs the permission `incidents.manage`.
     *
     * @return Incident
     * @throws KasiError
     */
    public function retry(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries, $idempotencyKey);
        return $this->transport->call(new Operation('POST', '/v1/admin/incidents/{id}/retry', isIdempotent: true), ['id' => $id], $call);
    }

    /**
     * Resolve an incident.
     *
     * Says that it is over, with a note of what it was. For most kinds the service sees the end by itself; where the cause lasts, it opens another incident. While a change waits (`settings.change_pending`), or codes are locked (`identity.codes_locked`), their incident is not resolved by hand.
     *
     * The role of the administrator needs the permission `incidents.manage`.
     *
     * @param ResolveIncidentRequest $body
     * @return Incident
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
        return $this->transport->call(new Operation('POST', '/v1/admin/incidents/{id}/resolve', isIdempotent: true), ['id' => $id], $call, body: $body);
    }
}

/**
 * `alerts` of the client.
 *
 * @phpstan-import-type AlertChannel from Types
 */
final class AdminAlertsMethods extends Group
{
    /**
     * Read where alerts go.
     *
     * Where the platform sends an alert when an incident opens, the key that verifies alerts, and whether they arrive.
     *
     * The role of the administrator needs the permission `incidents.view`.
     *
     * @return AlertChannel
     * @throws KasiError
     */
    public function get(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/admin/alerts'), [], $call);
    }
}

/**
 * `auditLogs` of the client.
 *
 * @phpstan-import-type AdminAuditLogEntry from Types
 * @phpstan-import-type AdminAuditLogEntryList from Types
 * @phpstan-import-type ListAuditLogsQuery from Types
 */
final class AdminAuditLogsMethods extends Group
{
    /**
     * List the audit log.
     *
     * Everything that anybody did on the platform, or tried and was refused, newest first.
     *
     * The role of the administrator needs the permission `audit_logs.view`.
     *
     * @param ?ListAuditLogsQuery $query
     * @return AdminAuditLogEntryList
     * @throws KasiError
     */
    public function list(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/audit-logs'), [], $call, query: $query);
    }

    /**
     * List the audit log. All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a cursor to begin at.
     *
     * Everything that anybody did on the platform, or tried and was refused, newest first.
     *
     * The role of the administrator needs the permission `audit_logs.view`.
     *
     * @param ?ListAuditLogsQuery $query
     * @return \Generator<int, AdminAuditLogEntry>
     * @throws KasiError
     */
    public function iterate(
        ?array $query = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->pages(new Operation('GET', '/v1/audit-logs'), [], $query, $call);
    }

    /**
     * Read an entry of the audit log.
     *
     * One entry with all that is known of it.
     *
     * The role of the administrator needs the permission `audit_logs.view`.
     *
     * @return AdminAuditLogEntry
     * @throws KasiError
     */
    public function get(
        string $id,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): array {
        $call = new CallOptions($timeout, $maxRetries);
        return $this->transport->call(new Operation('GET', '/v1/audit-logs/{id}'), ['id' => $id], $call);
    }
}

/**
 * What administrators can do.
 */
abstract class AdminSurface extends Group
{
    public readonly AdminAuthMethods $auth;
    public readonly AdminWithdrawalsMethods $withdrawals;
    public readonly AdminRefundsMethods $refunds;
    public readonly AdminPayoutsMethods $payouts;
    public readonly AdminSettingsMethods $settings;
    public readonly AdminChangesMethods $changes;
    public readonly AdminMerchantsMethods $merchants;
    public readonly AdminUsersMethods $users;
    public readonly AdminRolesMethods $roles;
    public readonly AdminPermissionsMethods $permissions;
    public readonly AdminIncidentsMethods $incidents;
    public readonly AdminAlertsMethods $alerts;
    public readonly AdminAuditLogsMethods $auditLogs;

    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->auth = new AdminAuthMethods($transport);
        $this->withdrawals = new AdminWithdrawalsMethods($transport);
        $this->refunds = new AdminRefundsMethods($transport);
        $this->payouts = new AdminPayoutsMethods($transport);
        $this->settings = new AdminSettingsMethods($transport);
        $this->changes = new AdminChangesMethods($transport);
        $this->merchants = new AdminMerchantsMethods($transport);
        $this->users = new AdminUsersMethods($transport);
        $this->roles = new AdminRolesMethods($transport);
        $this->permissions = new AdminPermissionsMethods($transport);
        $this->incidents = new AdminIncidentsMethods($transport);
        $this->alerts = new AdminAlertsMethods($transport);
        $this->auditLogs = new AdminAuditLogsMethods($transport);
    }
}
