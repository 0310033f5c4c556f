"""What administrators can do.

Written by `npm run generate` from openapi/; never edited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, Tuple, Union

from .._feed import EventPosition, HandleEvent
from .._group import Group
from .._transport import CallOptions, Operation, Transport

if TYPE_CHECKING:
    from . import models as m


class AuthTwoFactor(Group):
    """`auth.two_factor` of the client."""

    def set_up(
        self,
        body: m.SetUpTwoFactorRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.TwoFactorSetup:
        """Set up the own two-factor authentication.

        Makes a secret for an authenticator app. Nothing changes until the first code comes back to
        `POST /v1/admin/auth/two-factor/enable`; setting up again replaces a secret that still
        waits.

        Every administrator may call it, for their own account.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.TwoFactorSetup = self._call(Operation("POST", "/v1/admin/auth/two-factor/setup"), {}, options, body=body)
        return answer

    def enable(
        self,
        body: m.EnableTwoFactorRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.TwoFactorRecoveryCodes:
        """Enable the own two-factor authentication.

        Turns it on by the first code of the secret that was set up, and shows the recovery codes.
        From now on logging in needs a code. All other sessions end.

        Every administrator may call it, for their own account.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.TwoFactorRecoveryCodes = self._call(Operation("POST", "/v1/admin/auth/two-factor/enable", is_idempotent=True), {}, options, body=body)
        return answer

    def disable(
        self,
        body: m.DisableTwoFactorRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Disable the own two-factor authentication.

        Turns it off by the password and a code of the authenticator app, or a recovery code. The
        secret and the recovery codes are worth nothing afterwards. All other sessions end.

        Every administrator may call it, for their own account.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("POST", "/v1/admin/auth/two-factor/disable"), {}, options, body=body)
        return answer


class Auth(Group):
    """`auth` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.two_factor = AuthTwoFactor(transport)

    def login(
        self,
        body: m.LoginAdminRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminAuthResult:
        """Log in as an administrator. The client then acts as who logged in.

        Starts a login session of at most twelve hours. A wrong e-mail address, a wrong password and
        a deactivated account give the same answer. With two-factor authentication on, the right
        password alone gets a 401 with `reason: otp_required`: send the same again with a code as
        `otp`. After five failures in a row from one address or device the account answers 429 there
        for a while. Send the `deviceToken` of an earlier login, and failures of strangers never
        make you wait.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminAuthResult = self._call(Operation("POST", "/v1/admin/auth/login", is_open=True), {}, options, body=body)
        return self._begins(answer)

    def refresh(
        self,
        body: m.RefreshAdminSessionRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminTokens:
        """Refresh an administrator's session. The client does it automatically when a token expires.

        Trades a refresh token for a new access token and a new refresh token. Each refresh token
        works once: using an old one again ends the session, because somebody may have stolen it. A
        session ends after twelve hours in any case.
        """
        options = CallOptions(timeout, max_retries)
        def trade() -> m.AdminTokens:
            answer: m.AdminTokens = self._call(Operation("POST", "/v1/admin/auth/refresh", is_open=True), {}, options, body=body)
            return answer
        
        return self._exchanges(body, trade)

    def logout(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Log out as an administrator. Afterwards the client holds no tokens.

        Ends the session that asks. Its access and refresh tokens stop working at once.

        Every administrator may call it, for their own account.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("POST", "/v1/admin/auth/logout"), {}, options)
        self._ends()
        return answer

    def me(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.OwnAdmin:
        """Who am I.

        The administrator that is logged in, and what their role allows at present.

        Every administrator may call it, for their own account.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.OwnAdmin = self._call(Operation("GET", "/v1/admin/auth/me"), {}, options)
        return answer

    def change_password(
        self,
        body: m.ChangeAdminPasswordRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Change the own password. The client then knows the new one, if it logs in by itself.

        Sets a new password and ends all other sessions. The session that asks goes on. With
        two-factor authentication on, a code has to come along as `otp`.

        Every administrator may call it, for their own account.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("POST", "/v1/admin/auth/password"), {}, options, body=body)
        self._changes_password(body)
        return answer


class Withdrawals(Group):
    """`withdrawals` of the client."""

    def list(
        self,
        query: Optional[m.AdminListWithdrawalsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminWithdrawalList:
        """List withdrawals of all merchants.

        The withdrawals of all merchants, newest first.

        The role of the administrator needs the permission `withdrawals.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminWithdrawalList = self._call(Operation("GET", "/v1/admin/withdrawals"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.AdminListWithdrawalsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.AdminWithdrawalSummary]:
        """List withdrawals of all merchants. All of them, each once, page after page as you use them
        up. `limit` is the page size (default: 100), `after` a cursor to begin at.

        The withdrawals of all merchants, newest first.

        The role of the administrator needs the permission `withdrawals.view`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/admin/withdrawals"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminWithdrawal:
        """Read a withdrawal of any merchant.

        A withdrawal with its merchant, its bank account and who decided what. The account number is
        whole only for those who may manage withdrawals.

        The role of the administrator needs the permission `withdrawals.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminWithdrawal = self._call(Operation("GET", "/v1/admin/withdrawals/{id}"), {"id": id}, options)
        return answer

    def approve(
        self,
        id: str,
        body: Optional[m.ApproveWithdrawalRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WithdrawalReview:
        """Approve a withdrawal.

        Lets a `pending` withdrawal be paid. For `bank`, the address that its crypto leg goes to is
        settled here.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WithdrawalReview = self._call(Operation("POST", "/v1/admin/withdrawals/{id}/approve", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def reject(
        self,
        id: str,
        body: m.RejectWithdrawalRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WithdrawalReview:
        """Reject a withdrawal.

        Refuses a `pending` withdrawal. The whole amount goes back to the merchant's balance, and
        the merchant reads the reason.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WithdrawalReview = self._call(Operation("POST", "/v1/admin/withdrawals/{id}/reject", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def process(
        self,
        id: str,
        body: Optional[m.ProcessWithdrawalRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WithdrawalProcessing:
        """Begin to pay a withdrawal.

        Says that an `approved` withdrawal is being paid, so that nobody pays it a second time.
        Never back from here by itself.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WithdrawalProcessing = self._call(Operation("POST", "/v1/admin/withdrawals/{id}/process", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def ask_to_fail(
        self,
        id: str,
        body: m.FailRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WithdrawalFailureAsked:
        """Ask to give a withdrawal up.

        Says that a withdrawal in `processing` could not be paid, and how you know. It changes
        nothing else: from the setting `fourEyesThreshold` on another administrator fails it after
        that, because its money may have left. The latest request counts, for a day, and is gone
        when the withdrawal is completed.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WithdrawalFailureAsked = self._call(Operation("POST", "/v1/admin/withdrawals/{id}/fail-request", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def fail(
        self,
        id: str,
        body: m.FailWithdrawalRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WithdrawalFailure:
        """Give a withdrawal up.

        Says that an `approved` or `processing` withdrawal could not be paid. The whole amount goes
        back to the merchant's balance: be sure that no transaction of it is under way. From the
        setting `fourEyesThreshold` on it takes two administrators to fail one in `processing`: one
        asks for it (`fail-request`), and another fails it.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WithdrawalFailure = self._call(Operation("POST", "/v1/admin/withdrawals/{id}/fail", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def complete(
        self,
        id: str,
        body: m.CompleteWithdrawalRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WithdrawalCompletion:
        """Complete a withdrawal.

        Records the transaction that paid an `approved` or `processing` withdrawal. With the setting
        `verifyPayoutOnChain`, on a network that the platform watches, the chain is asked first: the
        transaction must have succeeded after the approval, be confirmed, come from one of the
        `payoutWallets` if there are any, and have brought at least `netAmount` to the destination.
        A transaction may pay many payouts, each of its transfers one. Where the network or token is
        no longer listed, nothing is asked: then another person than the approver has to complete
        it, with `notes`, whatever the amount.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WithdrawalCompletion = self._call(Operation("POST", "/v1/admin/withdrawals/{id}/complete", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class Refunds(Group):
    """`refunds` of the client."""

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminRefund:
        """Read a refund of any merchant.

        One refund, with what is needed to pay it.

        The role of the administrator needs the permission `withdrawals.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminRefund = self._call(Operation("GET", "/v1/admin/refunds/{id}"), {"id": id}, options)
        return answer

    def process(
        self,
        id: str,
        body: Optional[m.ProcessRefundRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminRefund:
        """Begin to pay a refund.

        Says that a `pending` refund is being paid: its address does not change any more, and nobody
        pays it a second time.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.AdminRefund = self._call(Operation("POST", "/v1/admin/refunds/{id}/process", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def complete(
        self,
        id: str,
        body: m.CompleteRefundRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminRefund:
        """Complete a refund.

        Records the transaction that paid a `pending` or `processing` refund. With the setting
        `verifyPayoutOnChain` the chain is asked first, as for a withdrawal: the transaction must
        have succeeded after the address was named, be confirmed, come from one of the
        `payoutWallets` if there are any, and have brought all of `tokenAmount`. A transaction may
        pay many payouts, each of its transfers one. From the setting `fourEyesThreshold` on
        somebody else has to complete it than who began to pay it. Where its network or token is no
        longer listed the chain is not asked: then that holds for every amount, and `notes` are
        needed. It does as well for a refund in coins whose transaction has completed another payout
        about which no chain was asked, because no receipt shows what contracts send of them.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.AdminRefund = self._call(Operation("POST", "/v1/admin/refunds/{id}/complete", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def ask_to_fail(
        self,
        id: str,
        body: m.FailRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminRefund:
        """Ask to fail a refund.

        Says that a refund in `processing` can not be paid, and how you know. It changes nothing
        else: from the setting `fourEyesThreshold` on another administrator fails it after that,
        because its money may have left. The latest request counts, for a day, and is gone when the
        refund is completed.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.AdminRefund = self._call(Operation("POST", "/v1/admin/refunds/{id}/fail-request", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def fail(
        self,
        id: str,
        body: m.FailRefundRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminRefund:
        """Fail a refund.

        Ends a refund that can not be paid: its money is where it was. Fail one in `processing` only
        if nothing was sent; from the setting `fourEyesThreshold` on that takes two administrators:
        one asks for it (`fail-request`), and another fails it. Of one in ETH or BTC that have
        fallen since, the merchant gets more dollars than you keep in coins: fail it only where the
        payer will not claim it.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.AdminRefund = self._call(Operation("POST", "/v1/admin/refunds/{id}/fail", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class Payouts(Group):
    """`payouts` of the client."""

    def list(
        self,
        query: Optional[m.ListPayoutsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PayoutList:
        """List what waits to be paid.

        Withdrawals and refunds that can be paid or are being paid, the longest waiting first.

        The role of the administrator needs the permission `withdrawals.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PayoutList = self._call(Operation("GET", "/v1/admin/payouts"), {}, options, query=query)
        return answer

    def export(
        self,
        body: m.ExportPayoutsRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PayoutExport:
        """Begin to pay many payouts.

        Marks what waits on a network as `processing`, by you, and returns it as a table (CSV) and,
        for EVM networks, as a file that the Transaction Builder of a Safe reads, or for Bitcoin as
        an unsigned transaction (PSBT, BIP174), so that one transaction signed elsewhere pays all.
        Without `payoutIds` it is what no administrator has begun to pay, at most 100, the longest
        waiting first: so nothing is handed out twice unless it is named. One about which the
        database gave no answer is refused (`SERVICE_UNAVAILABLE`) and in no file: export it by its
        id. Where the coins of an account of Bitcoin do not suffice for all of that, what can be
        paid is exported, and the rest is refused (`coins_short`). A transaction of Bitcoin that is
        drafted again spends every coin of the one before, so that only one of them can be mined.
        Coins of EVM networks are in the file, but each is completed only with a transaction of its
        own.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PayoutExport = self._call(Operation("POST", "/v1/admin/payouts/export"), {}, options, body=body)
        return answer

    def complete(
        self,
        body: m.CompletePayoutsRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CompletedPayouts:
        """Complete many payouts with one transaction.

        Records one transaction as what paid up to 100 withdrawals and refunds of one network, each
        by a transfer of its own. The chain is asked about each, and each is completed or refused by
        itself, as if it were completed alone; what was not completed is named with its reason.
        Repeating the call changes nothing. Needs the setting `verifyPayoutOnChain`: where no chain
        is asked, a transaction pays one payout.

        The role of the administrator needs the permission `withdrawals.manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.CompletedPayouts = self._call(Operation("POST", "/v1/admin/payouts/complete"), {}, options, body=body)
        return answer

    def iterate(
        self,
        query: Optional[m.ListPayoutsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.Payout]:
        """List what waits to be paid. All of them, each once, page after page as you use them up.
        `limit` is the page size (default: 100), `after` a cursor to begin at.

        Withdrawals and refunds that can be paid or are being paid, the longest waiting first.

        The role of the administrator needs the permission `withdrawals.view`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/admin/payouts"), {}, query, options)


class Settings(Group):
    """`settings` of the client."""

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PlatformSettings:
        """Read the settings.

        The settings of the platform as they are in force, and their version.

        The role of the administrator needs the permission `settings.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PlatformSettings = self._call(Operation("GET", "/v1/admin/settings"), {}, options)
        return answer

    def update(
        self,
        body: m.UpdateSettingsRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PlatformSettings:
        """Change settings.

        Changes the settings that are sent, if `version` is the one in force; every process follows
        within a second. What was agreed before stays: payments keep the fee, tolerance and expiry
        with which they were made, withdrawals their fee.

        Whatever moves, delays or stops money needs a code (`otp`), which is everything but
        `webhookRetentionDays` and `auditRetentionDays`. What touches where money goes also waits
        for `changeDelayHours`, on a live platform for another administrator's approval, too, where
        there is one who can give it; until then it stands in `pendingChanges`: `offRampAddress`,
        `payoutWallets`, `withdrawalFees`, `verifyPayoutOnChain` turned off, `fourEyesThreshold`
        raised or removed, `changeDelayHours` changed, `confirmations` lowered or removed,
        `manualRates` set, `rateSpreadBps` lowered, and `withdrawalMax`, `withdrawalDailyMax`,
        `withdrawalMaxOpen`, `refundDailyMax`, `paymentToleranceBps` or `paymentToleranceMax`
        raised. What tightens takes effect at once.

        The role of the administrator needs the permission `settings.update`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PlatformSettings = self._call(Operation("PUT", "/v1/admin/settings"), {}, options, body=body)
        return answer


class Changes(Group):
    """`changes` of the client."""

    def list(
        self,
        query: Optional[m.ListChangesQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.ChangeList:
        """List changes that have to wait.

        What was proposed that touches where money goes: settings, permissions of roles, and
        administrators. Newest first, what is over included.

        The role of the administrator needs the permission `settings.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.ChangeList = self._call(Operation("GET", "/v1/admin/changes"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListChangesFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.GuardedChange]:
        """List changes that have to wait. All of them, each once, page after page as you use them up.
        `limit` is the page size (default: 100), `after` a cursor to begin at.

        What was proposed that touches where money goes: settings, permissions of roles, and
        administrators. Newest first, what is over included.

        The role of the administrator needs the permission `settings.view`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/admin/changes"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.GuardedChange:
        """Read a change that has to wait.

        One change, with who proposed it, who has to agree, and when it takes effect.

        The role of the administrator needs the permission `settings.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.GuardedChange = self._call(Operation("GET", "/v1/admin/changes/{id}"), {"id": id}, options)
        return answer

    def approve(
        self,
        id: str,
        body: Optional[m.ApproveChangeRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.GuardedChange:
        """Approve a change.

        Approves a `proposed` change, which takes effect when it is due. The administrator who
        proposed it can't approve it, nor can an account that may belong to the same person.

        The role of the administrator needs the permission `settings.update`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.GuardedChange = self._call(Operation("POST", "/v1/admin/changes/{id}/approve", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def cancel(
        self,
        id: str,
        body: m.CancelChangeRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.GuardedChange:
        """Cancel a change.

        Ends a change that has not taken effect. Every administrator with `settings.update` can
        cancel any change, and no code is needed, so that objecting is easy.

        The role of the administrator needs the permission `settings.update`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.GuardedChange = self._call(Operation("POST", "/v1/admin/changes/{id}/cancel", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class Merchants(Group):
    """`merchants` of the client."""

    def list(
        self,
        query: Optional[m.AdminListMerchantsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminMerchantList:
        """List merchants.

        All merchants, newest first, those in one state, or those that a search finds.

        The role of the administrator needs the permission `merchants.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminMerchantList = self._call(Operation("GET", "/v1/admin/merchants"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.AdminListMerchantsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.AdminMerchantSummary]:
        """List merchants. All of them, each once, page after page as you use them up. `limit` is the
        page size (default: 100), `after` a cursor to begin at.

        All merchants, newest first, those in one state, or those that a search finds.

        The role of the administrator needs the permission `merchants.view`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/admin/merchants"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminMerchant:
        """Read a merchant.

        The profile of a merchant, why it is in its state, and what has come together on its
        account.

        The role of the administrator needs the permission `merchants.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminMerchant = self._call(Operation("GET", "/v1/admin/merchants/{id}"), {"id": id}, options)
        return answer

    def approve(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantStatusChange:
        """Approve a merchant.

        Lets a merchant that waits for its verification collect payments and withdraw
        (`pending_verification` → `active`). The merchant hears of it by `merchant.status_changed`.

        The role of the administrator needs the permission `merchants.approve`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.MerchantStatusChange = self._call(Operation("POST", "/v1/admin/merchants/{id}/approve", is_idempotent=True), {"id": id}, options)
        return answer

    def reject(
        self,
        id: str,
        body: m.RejectMerchantRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantStatusChange:
        """Reject a merchant.

        Refuses a merchant that waits for its verification (`pending_verification` → `rejected`). It
        asks for another review by changing its profile. The merchant hears of it by
        `merchant.status_changed`.

        The role of the administrator needs the permission `merchants.reject`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.MerchantStatusChange = self._call(Operation("POST", "/v1/admin/merchants/{id}/reject", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def freeze(
        self,
        id: str,
        body: m.FreezeMerchantRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantStatusChange:
        """Freeze a merchant.

        Stops a merchant from creating, collecting and withdrawing (`active` → `frozen`). It can log
        in and read; what payers still send is credited. The merchant hears of it by
        `merchant.status_changed`.

        The role of the administrator needs the permission `merchants.freeze`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.MerchantStatusChange = self._call(Operation("POST", "/v1/admin/merchants/{id}/freeze", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def unfreeze(
        self,
        id: str,
        body: Optional[m.UnfreezeMerchantRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantStatusChange:
        """Unfreeze a merchant.

        Lets a frozen merchant go on as before (`frozen` → `active`). The merchant hears of it by
        `merchant.status_changed`.

        The role of the administrator needs the permission `merchants.freeze`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.MerchantStatusChange = self._call(Operation("POST", "/v1/admin/merchants/{id}/unfreeze", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def terminate(
        self,
        id: str,
        body: m.TerminateMerchantRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantStatusChange:
        """Terminate a merchant.

        Closes the account of a merchant for good, from any state (→ `terminated`). Its sessions end
        and its API keys are revoked; what it has stays in the ledger. The merchant hears of it by
        `merchant.status_changed`. Nothing undoes it, so it asks for a code (`otp`) where two-factor
        authentication is on: a stolen session alone closes no account.

        The role of the administrator needs the permission `merchants.terminate`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.MerchantStatusChange = self._call(Operation("POST", "/v1/admin/merchants/{id}/terminate", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class Users(Group):
    """`users` of the client."""

    def list(
        self,
        query: Optional[m.ListAdminUsersQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminUserList:
        """List administrators.

        All administrators of the platform, newest first, deactivated ones included.

        The role of the administrator needs the permission `users.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminUserList = self._call(Operation("GET", "/v1/admin/users"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListAdminUsersFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.AdminUserSummary]:
        """List administrators. All of them, each once, page after page as you use them up. `limit` is
        the page size (default: 100), `after` a cursor to begin at.

        All administrators of the platform, newest first, deactivated ones included.

        The role of the administrator needs the permission `users.view`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/admin/users"), {}, query, options)

    def create(
        self,
        body: m.CreateAdminUserRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminUserCreated:
        """Add an administrator.

        Adds an administrator, who can log in at once with the password that you tell them. You can
        only give a role whose permissions you hold yourself.

        A role with `withdrawals.manage`, `merchants.terminate`, `users.manage`, `roles.manage` or
        `settings.update` asks for a code (`otp`). On a live platform the administrator is
        `deactivated` until the change has taken effect that `GET /v1/admin/changes` shows.

        The role of the administrator needs the permission `users.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.AdminUserCreated = self._call(Operation("POST", "/v1/admin/users", is_idempotent=True), {}, options, body=body)
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminUser:
        """Read an administrator.

        Reads one administrator.

        The role of the administrator needs the permission `users.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminUser = self._call(Operation("GET", "/v1/admin/users/{id}"), {"id": id}, options)
        return answer

    def update(
        self,
        id: str,
        body: m.UpdateAdminUserRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminUser:
        """Change an administrator.

        Changes the fields that you send and leaves the others as they are. A new password ends all
        sessions of that administrator, and cancels the changes that they proposed or approved and
        that are not in effect yet. Administrators can't change their own role, give a role whose
        permissions they lack, or change an administrator whose role holds what they lack.

        Giving a role that moves money or rights needs a code (`otp`), and so does taking one away.
        On a live platform the role is given when its change, which `GET /v1/admin/changes` shows,
        takes effect. Changing the password or e-mail address of an administrator with such a role
        needs a code, too.

        The role of the administrator needs the permission `users.manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminUser = self._call(Operation("PUT", "/v1/admin/users/{id}"), {"id": id}, options, body=body)
        return answer

    def activate(
        self,
        id: str,
        body: Optional[m.ChangeAdminStatusRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminUserStatusChange:
        """Activate an administrator.

        Lets a deactivated administrator log in again. One who is active stays so. An administrator
        whose role moves money or rights needs a code (`otp`), and on a live platform stays
        `deactivated` until the change has taken effect that `GET /v1/admin/changes` shows.

        The role of the administrator needs the permission `users.manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminUserStatusChange = self._call(Operation("POST", "/v1/admin/users/{id}/activate"), {"id": id}, options, body=body)
        return answer

    def deactivate(
        self,
        id: str,
        body: Optional[m.ChangeAdminStatusRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminUserStatusChange:
        """Deactivate an administrator.

        Ends all sessions of an administrator, who can not log in any more. One who is deactivated
        stays so. Administrators can't deactivate themselves, and one active super_admin always
        remains. An administrator whose role moves money or rights is deactivated with a code
        (`otp`): a stolen session alone stops nobody who could object.

        The role of the administrator needs the permission `users.manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminUserStatusChange = self._call(Operation("POST", "/v1/admin/users/{id}/deactivate"), {"id": id}, options, body=body)
        return answer


class Roles(Group):
    """`roles` of the client."""

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.RoleList:
        """List roles.

        All roles, newest first, with what each of them allows.

        The role of the administrator needs the permission `roles.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.RoleList = self._call(Operation("GET", "/v1/admin/roles"), {}, options)
        return answer

    def create(
        self,
        body: m.CreateRoleRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Role:
        """Create a role.

        Makes a role of permissions that you hold yourself.

        The role of the administrator needs the permission `roles.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Role = self._call(Operation("POST", "/v1/admin/roles", is_idempotent=True), {}, options, body=body)
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Role:
        """Read a role.

        Reads one role.

        The role of the administrator needs the permission `roles.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Role = self._call(Operation("GET", "/v1/admin/roles/{id}"), {"id": id}, options)
        return answer

    def update(
        self,
        id: str,
        body: m.UpdateRoleRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Role:
        """Change a role.

        Changes the fields that you send and leaves the others as they are; `permissions` replaces
        the whole list. Administrators who have the role are bound by it from their next request on.
        They can't change their own role, or one that holds, before or afterwards, what they lack.
        super_admin stays as it is.

        Adding or removing `withdrawals.manage`, `merchants.terminate`, `users.manage`,
        `roles.manage` or `settings.update` asks for a code (`otp`). Where one is added on a live
        platform, the list changes when the change has taken effect that `GET /v1/admin/changes`
        shows.

        The role of the administrator needs the permission `roles.manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Role = self._call(Operation("PUT", "/v1/admin/roles/{id}"), {"id": id}, options, body=body)
        return answer

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Delete a role.

        Deletes a role that nobody has, not even a deactivated administrator.

        The role of the administrator needs the permission `roles.manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("DELETE", "/v1/admin/roles/{id}"), {"id": id}, options)
        return answer


class Permissions(Group):
    """`permissions` of the client."""

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PermissionList:
        """List permissions.

        The catalogue of what a role can allow.

        The role of the administrator needs the permission `roles.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PermissionList = self._call(Operation("GET", "/v1/admin/permissions"), {}, options)
        return answer


class Incidents(Group):
    """`incidents` of the client."""

    def list(
        self,
        query: Optional[m.ListIncidentsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.IncidentList:
        """List incidents.

        What needs an operator's eyes, newest first. The chapter "Incidents" describes each kind.

        The role of the administrator needs the permission `incidents.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.IncidentList = self._call(Operation("GET", "/v1/admin/incidents"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListIncidentsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.IncidentSummary]:
        """List incidents. All of them, each once, page after page as you use them up. `limit` is the
        page size (default: 100), `after` a cursor to begin at.

        What needs an operator's eyes, newest first. The chapter "Incidents" describes each kind.

        The role of the administrator needs the permission `incidents.view`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/admin/incidents"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Incident:
        """Read an incident.

        One incident with what it means, what it touches and what to do about it.

        The role of the administrator needs the permission `incidents.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Incident = self._call(Operation("GET", "/v1/admin/incidents/{id}"), {"id": id}, options)
        return answer

    def acknowledge(
        self,
        id: str,
        body: Optional[m.AcknowledgeIncidentRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Incident:
        """Acknowledge an incident.

        Marks the incident as seen (`open` → `acknowledged`), so that two administrators don't work
        on it. Acknowledging it again keeps the first administrator's name; a new note replaces the
        old one.

        The role of the administrator needs the permission `incidents.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Incident = self._call(Operation("POST", "/v1/admin/incidents/{id}/acknowledge", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def retry(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Incident:
        """Try again what an incident is about.

        Tries again what failed, in place of changing the database by hand: transfers and events
        that are parked are taken up at once. `retry` of the incident says what that does. The
        incident stays as it is until the service sees that it is over.

        The role of the administrator needs the permission `incidents.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Incident = self._call(Operation("POST", "/v1/admin/incidents/{id}/retry", is_idempotent=True), {"id": id}, options)
        return answer

    def resolve(
        self,
        id: str,
        body: m.ResolveIncidentRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Incident:
        """Resolve an incident.

        Says that it is over, with a note of what it was. For most kinds the service sees the end by
        itself; where the cause lasts, it opens another incident. While a change waits
        (`settings.change_pending`), or codes are locked (`identity.codes_locked`), their incident
        is not resolved by hand.

        The role of the administrator needs the permission `incidents.manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Incident = self._call(Operation("POST", "/v1/admin/incidents/{id}/resolve", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class Alerts(Group):
    """`alerts` of the client."""

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AlertChannel:
        """Read where alerts go.

        Where the platform sends an alert when an incident opens, the key that verifies alerts, and
        whether they arrive.

        The role of the administrator needs the permission `incidents.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AlertChannel = self._call(Operation("GET", "/v1/admin/alerts"), {}, options)
        return answer


class AuditLogs(Group):
    """`audit_logs` of the client."""

    def list(
        self,
        query: Optional[m.ListAuditLogsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminAuditLogEntryList:
        """List the audit log.

        Everything that anybody did on the platform, or tried and was refused, newest first.

        The role of the administrator needs the permission `audit_logs.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminAuditLogEntryList = self._call(Operation("GET", "/v1/audit-logs"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListAuditLogsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.AdminAuditLogEntry]:
        """List the audit log. All of them, each once, page after page as you use them up. `limit` is
        the page size (default: 100), `after` a cursor to begin at.

        Everything that anybody did on the platform, or tried and was refused, newest first.

        The role of the administrator needs the permission `audit_logs.view`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/audit-logs"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AdminAuditLogEntry:
        """Read an entry of the audit log.

        One entry with all that is known of it.

        The role of the administrator needs the permission `audit_logs.view`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AdminAuditLogEntry = self._call(Operation("GET", "/v1/audit-logs/{id}"), {"id": id}, options)
        return answer


class AdminSurface(Group):
    """What administrators can do."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.auth = Auth(transport)
        self.withdrawals = Withdrawals(transport)
        self.refunds = Refunds(transport)
        self.payouts = Payouts(transport)
        self.settings = Settings(transport)
        self.changes = Changes(transport)
        self.merchants = Merchants(transport)
        self.users = Users(transport)
        self.roles = Roles(transport)
        self.permissions = Permissions(transport)
        self.incidents = Incidents(transport)
        self.alerts = Alerts(transport)
        self.audit_logs = AuditLogs(transport)
