"""What merchants and payers can do.

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
        """Set up two-factor authentication.

        Makes a secret for an authenticator app. Nothing changes until the first code comes back to
        `POST /v1/auth/two-factor/enable`; setting up again replaces a secret that still waits.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.TwoFactorSetup = self._call(Operation("POST", "/v1/auth/two-factor/setup"), {}, options, body=body)
        return answer

    def enable(
        self,
        body: m.EnableTwoFactorRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.TwoFactorRecoveryCodes:
        """Enable two-factor authentication.

        Turns it on by the first code of the secret that was set up, and shows the recovery codes.
        From now on logging in, changing `walletAddress` and withdrawing need a code. All other
        sessions end. What was set before stays: look at your API keys and `walletAddress`, which a
        thief who knew your password may have set.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.TwoFactorRecoveryCodes = self._call(Operation("POST", "/v1/auth/two-factor/enable", is_idempotent=True), {}, options, body=body)
        return answer

    def disable(
        self,
        body: m.DisableTwoFactorRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Disable two-factor authentication.

        Turns it off by the password and a code of the authenticator app, or a recovery code. The
        secret and the recovery codes are worth nothing afterwards. All other sessions end.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("POST", "/v1/auth/two-factor/disable"), {}, options, body=body)
        return answer


class AuthSessions(Group):
    """`auth.sessions` of the client."""

    def list(
        self,
        query: Optional[m.ListMerchantSessionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantSessionList:
        """List login sessions.

        Every session of the merchant that is alive, newest first.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MerchantSessionList = self._call(Operation("GET", "/v1/auth/sessions"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListMerchantSessionsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.MerchantSession]:
        """List login sessions. All of them, each once, page after page as you use them up. `limit` is
        the page size (default: 100), `after` a cursor to begin at.

        Every session of the merchant that is alive, newest first.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/auth/sessions"), {}, query, options)

    def revoke(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """End a login session.

        Ends one session, for example on a lost device. Its tokens stop working at once.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("DELETE", "/v1/auth/sessions/{id}"), {"id": id}, options)
        return answer


class Auth(Group):
    """`auth` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.two_factor = AuthTwoFactor(transport)
        self.sessions = AuthSessions(transport)

    def register(
        self,
        body: m.RegisterMerchantRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantAuthResult:
        """Register a merchant. The client then acts as who logged in.

        Creates a merchant in `pending_verification` and logs it in. In the sandbox such a merchant
        can collect payments at once; elsewhere somebody approves it first.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MerchantAuthResult = self._call(Operation("POST", "/v1/auth/register", is_open=True), {}, options, body=body)
        return self._begins(answer)

    def login(
        self,
        body: m.LoginMerchantRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantAuthResult:
        """Log in. The client then acts as who logged in.

        Starts a login session. A wrong e-mail address, a wrong password and a closed account give
        the same answer. With two-factor authentication on, the right password alone gets a 401 with
        `reason: otp_required`: send the same again with a code as `otp`. After five failures in a
        row from one address or device the account answers 429 there for a while. Send the
        `deviceToken` of an earlier login, and failures of strangers never make you wait.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MerchantAuthResult = self._call(Operation("POST", "/v1/auth/login", is_open=True), {}, options, body=body)
        return self._begins(answer)

    def refresh(
        self,
        body: m.RefreshMerchantSessionRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MerchantTokens:
        """Refresh a session. The client does it automatically when a token expires.

        Trades a refresh token for a new access token and a new refresh token. Each refresh token
        works once: using an old one again ends the session, because somebody may have stolen it.
        Run one refresh at a time. A session ends after 30 days without a refresh and after 90 days
        in any case.
        """
        options = CallOptions(timeout, max_retries)
        def trade() -> m.MerchantTokens:
            answer: m.MerchantTokens = self._call(Operation("POST", "/v1/auth/refresh", is_open=True), {}, options, body=body)
            return answer
        
        return self._exchanges(body, trade)

    def logout(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Log out. Afterwards the client holds no tokens.

        Ends the session that asks. Its access and refresh tokens stop working at once.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("POST", "/v1/auth/logout"), {}, options)
        self._ends()
        return answer

    def change_password(
        self,
        body: m.ChangeMerchantPasswordRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Change the password. The client then knows the new one, if it logs in by itself.

        Sets a new password and ends all other sessions. The session that asks goes on. With
        two-factor authentication on, a code has to come along as `otp`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("POST", "/v1/auth/password"), {}, options, body=body)
        self._changes_password(body)
        return answer


class Merchants(Group):
    """`merchants` of the client."""

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Merchant:
        """Read the profile.

        Reads the merchant's own profile.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Merchant = self._call(Operation("GET", "/v1/merchants/{id}"), {"id": id}, options)
        return answer

    def update(
        self,
        id: str,
        body: m.UpdateMerchantRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Merchant:
        """Change the profile.

        Changes the fields that you send and leaves the others as they are. An empty object changes
        nothing. `webhookUrl` is where your webhook events go from now on. With two-factor
        authentication on, another `walletAddress` needs a code as `otp`, and so does what offers
        payers more of their money back.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Merchant = self._call(Operation("PUT", "/v1/merchants/{id}"), {"id": id}, options, body=body)
        return answer


class ApiKeys(Group):
    """`api_keys` of the client."""

    def create(
        self,
        body: m.CreateApiKeyRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.ApiKeyCreated:
        """Create an API key.

        Makes a key and its secret for one of your servers. The secret is in this answer and nowhere
        else: store it where the server finds it. A merchant has at most 20 keys that work. When
        two-factor authentication is on, a key with `settlements:write` wants an `otp`: it gives
        money back without one.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.ApiKeyCreated = self._call(Operation("POST", "/v1/api-keys", is_idempotent=True), {}, options, body=body)
        return answer

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.ApiKeyList:
        """List API keys.

        The keys that work, newest first, at most 20. Deleted and expired ones are not shown,
        secrets never.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.ApiKeyList = self._call(Operation("GET", "/v1/api-keys"), {}, options)
        return answer

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Delete an API key.

        Revokes the key for good. Requests that it signs are refused from now on.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("DELETE", "/v1/api-keys/{id}"), {"id": id}, options)
        return answer

    def rotate(
        self,
        id: str,
        body: Optional[m.RotateApiKeyRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.ApiKeyCreated:
        """Rotate an API key.

        Makes a new key with the same name, scopes, addresses and expiry. The old one goes on
        working for `overlapHours`, so that you can change your servers one after the other. The
        body may be left out, unless two-factor authentication is on and the key may do
        `settlements:write`: then this wants an `otp`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.ApiKeyCreated = self._call(Operation("POST", "/v1/api-keys/{id}/rotate", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class PaymentLinks(Group):
    """`payment_links` of the client."""

    def create(
        self,
        body: m.CreatePaymentLinkRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PaymentLink:
        """Create a payment link.

        Creates a link that you can share. Anyone who opens it may start a payment of their own.

        An API key needs the scope `links:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.PaymentLink = self._call(Operation("POST", "/v1/payment-links", is_idempotent=True), {}, options, body=body)
        return answer

    def list(
        self,
        query: Optional[m.ListPaymentLinksQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PaymentLinkList:
        """List payment links.

        Your payment links, newest first.

        An API key needs the scope `links:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PaymentLinkList = self._call(Operation("GET", "/v1/payment-links"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListPaymentLinksFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.PaymentLinkSummary]:
        """List payment links. All of them, each once, page after page as you use them up. `limit` is
        the page size (default: 100), `after` a cursor to begin at.

        Your payment links, newest first.

        An API key needs the scope `links:manage`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/payment-links"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PaymentLink:
        """Read a payment link.

        Reads one of your payment links with what it has collected.

        An API key needs the scope `links:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PaymentLink = self._call(Operation("GET", "/v1/payment-links/{id}"), {"id": id}, options)
        return answer

    def update(
        self,
        id: str,
        body: m.UpdatePaymentLinkRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PaymentLink:
        """Change a payment link.

        Changes the fields that you send and leaves the others as they are. An empty object changes
        nothing. Payments that were started keep the terms under which they were started.

        An API key needs the scope `links:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PaymentLink = self._call(Operation("PUT", "/v1/payment-links/{id}"), {"id": id}, options, body=body)
        return answer

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.MessageResponse:
        """Delete a payment link.

        Deletes the link for good and frees its slug. Payments that were started stay payable and
        stay in your list.

        An API key needs the scope `links:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.MessageResponse = self._call(Operation("DELETE", "/v1/payment-links/{id}"), {"id": id}, options)
        return answer


class CheckoutSessions(Group):
    """`checkout.sessions` of the client."""

    def create(
        self,
        body: m.CreateCheckoutSessionRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CheckoutSessionCreated:
        """Create a checkout session.

        Creates a session and its payment. Redirect the customer to `checkoutUrl`; they come back to
        `successUrl` or `cancelUrl` with `session_id` in the query. Fulfil the order when the
        webhook `checkout.session.completed` or `payment.completed` arrives, not when the customer
        comes back.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.CheckoutSessionCreated = self._call(Operation("POST", "/v1/checkout/sessions", is_idempotent=True, signed_path="/v1/sdk/checkout/sessions"), {}, options, body=body)
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CheckoutSession:
        """Read a checkout session.

        Reads one of your checkout sessions.

        An API key needs the scope `payments:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.CheckoutSession = self._call(Operation("GET", "/v1/checkout/sessions/{id}"), {"id": id}, options)
        return answer

    def expire(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CheckoutSession:
        """Expire a checkout session.

        Closes an open session and cancels its payment, for example because the goods are sold out.
        It takes no body.

        An API key needs the scope `payments:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.CheckoutSession = self._call(Operation("POST", "/v1/checkout/sessions/{id}/expire", is_idempotent=True), {"id": id}, options)
        return answer


class Checkout(Group):
    """`checkout` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.sessions = CheckoutSessions(transport)


class Payments(Group):
    """`payments` of the client."""

    def create(
        self,
        body: m.CreatePaymentRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Payment:
        """Create a payment.

        Creates a payment directly. Show its `options` on a page of your own, or send the payer to
        `checkoutUrl`. The exchange rate is locked now.

        An API key needs the scope `payments:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Payment = self._call(Operation("POST", "/v1/payments", is_idempotent=True), {}, options, body=body)
        return answer

    def list(
        self,
        query: Optional[m.ListPaymentsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PaymentList:
        """List payments.

        Your payments, newest first, whatever they were started through. What payers began through
        your links and nobody paid is removed 30 days after it ended, and then counts in no `total`.

        An API key needs the scope `payments:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PaymentList = self._call(Operation("GET", "/v1/payments"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListPaymentsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.PaymentSummary]:
        """List payments. All of them, each once, page after page as you use them up. `limit` is the
        page size (default: 100), `after` a cursor to begin at.

        Your payments, newest first, whatever they were started through. What payers began through
        your links and nobody paid is removed 30 days after it ended, and then counts in no `total`.

        An API key needs the scope `payments:read`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/payments"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PaymentDetail:
        """Read a payment.

        Reads one of your payments in full.

        An API key needs the scope `payments:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PaymentDetail = self._call(Operation("GET", "/v1/payments/{id}"), {"id": id}, options)
        return answer

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Payment:
        """Cancel a payment.

        Ends a payment that is `initiated` or `pending`: it becomes `expired` with `reason:
        cancelled`. Money that still arrives waits for your decision, see `resolvePayment`. The
        payment of a subscription can't be cancelled: cancel the subscription. It takes no body.

        An API key needs the scope `payments:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Payment = self._call(Operation("POST", "/v1/payments/{id}/cancel", is_idempotent=True), {"id": id}, options)
        return answer

    def resolve(
        self,
        id: str,
        body: m.ResolvePaymentRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.ResolvedPayment:
        """Decide about money that waits.

        Money that came late, in a wrong token, short, or on top of what was asked is never lost: it
        waits, `exception` says why, and this call decides. `accept` takes it into your available
        balance, `refund` gives it back to its payer as `POST /v1/payments/{id}/refunds` does: all
        of it, or nothing while a coin of it has no price (`RATE_UNAVAILABLE`).

        An API key needs the scope `payments:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.ResolvedPayment = self._call(Operation("POST", "/v1/payments/{id}/resolve", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def timeline(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PaymentTimeline:
        """Read the story of a payment.

        What happened to a payment and when, oldest first, in plain words.

        An API key needs the scope `payments:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PaymentTimeline = self._call(Operation("GET", "/v1/payments/{id}/timeline"), {"id": id}, options)
        return answer


class Plans(Group):
    """`plans` of the client."""

    def create(
        self,
        body: m.CreatePlanRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Plan:
        """Create a subscription plan.

        Creates a plan that customers can subscribe to. It takes subscribers at once.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Plan = self._call(Operation("POST", "/v1/subscription-plans", is_idempotent=True), {}, options, body=body)
        return answer

    def list(
        self,
        query: Optional[m.ListPlansQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PlanList:
        """List subscription plans.

        Your plans, newest first, with the number of their active subscribers.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PlanList = self._call(Operation("GET", "/v1/subscription-plans"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListPlansFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.Plan]:
        """List subscription plans. All of them, each once, page after page as you use them up. `limit`
        is the page size (default: 100), `after` a cursor to begin at.

        Your plans, newest first, with the number of their active subscribers.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/subscription-plans"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Plan:
        """Read a subscription plan.

        Reads one of your plans.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Plan = self._call(Operation("GET", "/v1/subscription-plans/{id}"), {"id": id}, options)
        return answer

    def update(
        self,
        id: str,
        body: m.UpdatePlanRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Plan:
        """Change a subscription plan.

        Changes the fields that you send and leaves the others as they are. An empty object changes
        nothing. While somebody subscribes, who has agreed to what the plan charges, only `name`,
        `description`, `trialDays` and `active` can change. For other terms, switch the plan off and
        create another.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Plan = self._call(Operation("PUT", "/v1/subscription-plans/{id}"), {"id": id}, options, body=body)
        return answer

    def subscribe(
        self,
        id: str,
        body: m.SubscribeToPlanRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Subscription:
        """Subscribe a customer to a plan.

        Subscribes a customer. Nothing can be charged before they have agreed with their wallet:
        send them to `authorizeUrl`. A trial begins at once. Without one the first charge follows as
        soon as the customer has agreed.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Subscription = self._call(Operation("POST", "/v1/subscription-plans/{id}/subscribe", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class SubscriptionsCharges(Group):
    """`subscriptions.charges` of the client."""

    def list(
        self,
        id: str,
        query: Optional[m.ListChargesQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.ChargeList:
        """List the charges of a subscription.

        What the subscription owed for each period and what became of it, the newest period first,
        with every try.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.ChargeList = self._call(Operation("GET", "/v1/subscriptions/{id}/charges"), {"id": id}, options, query=query)
        return answer

    def iterate(
        self,
        id: str,
        query: Optional[m.ListChargesFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.Charge]:
        """List the charges of a subscription. All of them, each once, page after page as you use them
        up. `limit` is the page size (default: 100), `after` a cursor to begin at.

        What the subscription owed for each period and what became of it, the newest period first,
        with every try.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/subscriptions/{id}/charges"), {"id": id}, query, options)


class Subscriptions(Group):
    """`subscriptions` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.charges = SubscriptionsCharges(transport)

    def list(
        self,
        query: Optional[m.ListSubscriptionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SubscriptionList:
        """List subscriptions.

        Your customers' subscriptions, newest first.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SubscriptionList = self._call(Operation("GET", "/v1/subscriptions"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListSubscriptionsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.SubscriptionSummary]:
        """List subscriptions. All of them, each once, page after page as you use them up. `limit` is
        the page size (default: 100), `after` a cursor to begin at.

        Your customers' subscriptions, newest first.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/subscriptions"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Subscription:
        """Read a subscription.

        Reads one of your customers' subscriptions.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Subscription = self._call(Operation("GET", "/v1/subscriptions/{id}"), {"id": id}, options)
        return answer

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SubscriptionCancellation:
        """Cancel a subscription.

        Ends a subscription: nothing more is charged, and the customer keeps what was paid until
        `currentPeriodEnd`. It takes no body. A charge that is on its way to the chain is waited
        for: when it succeeds, it still counts, and `subscription.cancelled` comes after it.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.SubscriptionCancellation = self._call(Operation("POST", "/v1/subscriptions/{id}/cancel", is_idempotent=True), {"id": id}, options)
        return answer

    def retry(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Subscription:
        """Retry a failed charge.

        Has the charge of a `past_due` subscription tried again now, besides the tries that are
        planned. It takes no body. What comes of it is told by `subscription.renewed` or
        `subscription.charge_failed`; where it fails for the same reason as before, only the
        `attempts` of the charge show that.

        An API key needs the scope `subscriptions:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Subscription = self._call(Operation("POST", "/v1/subscriptions/{id}/retry", is_idempotent=True), {"id": id}, options)
        return answer


class SettlementsStatementsMovements(Group):
    """`settlements.statements.movements` of the client."""

    def iterate(
        self,
        month: str,
        query: Optional[m.GetStatementFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.StatementMovement]:
        """Read a statement. All of them, each once, page after page as you use them up. `limit` is the
        page size (default: 100), `after` a cursor to begin at.

        A month of your ledger: what each account held before, every movement, totals by cause, and
        what each held after. It adds up to the millionth of a dollar, and the closing of a month is
        the opening of the next. Read `/v1/settlements/statements/{month}/csv` for all movements in
        one file.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/settlements/statements/{month}"), {"month": month}, query, options)


class SettlementsStatements(Group):
    """`settlements.statements` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.movements = SettlementsStatementsMovements(transport)

    def list(
        self,
        query: Optional[m.ListStatementsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.StatementList:
        """List statements.

        The months in which something was booked, newest first, each with what you had before and
        after.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.StatementList = self._call(Operation("GET", "/v1/settlements/statements"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListStatementsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.StatementSummary]:
        """List statements. All of them, each once, page after page as you use them up. `limit` is the
        page size (default: 100), `after` a cursor to begin at.

        The months in which something was booked, newest first, each with what you had before and
        after.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/settlements/statements"), {}, query, options)

    def get(
        self,
        month: str,
        query: Optional[m.GetStatementQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Statement:
        """Read a statement.

        A month of your ledger: what each account held before, every movement, totals by cause, and
        what each held after. It adds up to the millionth of a dollar, and the closing of a month is
        the opening of the next. Read `/v1/settlements/statements/{month}/csv` for all movements in
        one file.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Statement = self._call(Operation("GET", "/v1/settlements/statements/{month}"), {"month": month}, options, query=query)
        return answer

    def csv(
        self,
        month: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """The statement as CSV.

        A month of your ledger as a table by RFC 4180, in UTF-8: a line of names, the line
        `opening`, a line for each movement, and the line `closing`, whose `value` and `fee` are
        sums. Every column of `opening` and the movements adds up to that of `closing`. A text that
        a spreadsheet would take for a formula has an apostrophe in front.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: str = self._call(Operation("GET", "/v1/settlements/statements/{month}/csv"), {"month": month}, options, accept="text/csv")
        return answer


class SettlementsEntries(Group):
    """`settlements.entries` of the client."""

    def list(
        self,
        query: Optional[m.ListLedgerEntriesQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.LedgerEntryList:
        """List ledger entries.

        Every movement behind the balance, newest first, to the millionth of a dollar.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.LedgerEntryList = self._call(Operation("GET", "/v1/settlements/transactions"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListLedgerEntriesFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.LedgerEntry]:
        """List ledger entries. All of them, each once, page after page as you use them up. `limit` is
        the page size (default: 100), `after` a cursor to begin at.

        Every movement behind the balance, newest first, to the millionth of a dollar.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/settlements/transactions"), {}, query, options)


class Settlements(Group):
    """`settlements` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.statements = SettlementsStatements(transport)
        self.entries = SettlementsEntries(transport)

    def balance(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SettlementBalance:
        """Read the balance.

        What is available, what is still confirming, and what you have earned in all.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SettlementBalance = self._call(Operation("GET", "/v1/settlements/balance"), {}, options)
        return answer


class Refunds(Group):
    """`refunds` of the client."""

    def create(
        self,
        id: str,
        body: m.CreateRefundRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CreatedRefund:
        """Give money back.

        Gives back what a payment brought, all of it or a part, in the token that was paid and at
        the payment's locked rate. Of ETH and BTC more than an hour after they came less is sent
        where their price has risen: no more than what is given back is worth when the refund is
        made. While they have no price then, it is a 503 (`RATE_UNAVAILABLE`): try again in a
        minute. What waits for a decision is given back first, then what you were credited; the
        platform keeps its fee. The money is held at once. Your payer says by the link in `claimUrl`
        where it shall go, unless you name a `destinationAddress`. When two-factor authentication is
        on it wants an `otp`, except from a signed request.

        An API key needs the scope `settlements:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.CreatedRefund = self._call(Operation("POST", "/v1/payments/{id}/refunds", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def list(
        self,
        query: Optional[m.ListRefundsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.RefundList:
        """List refunds.

        Your refunds, newest first.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.RefundList = self._call(Operation("GET", "/v1/refunds"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListRefundsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.Refund]:
        """List refunds. All of them, each once, page after page as you use them up. `limit` is the
        page size (default: 100), `after` a cursor to begin at.

        Your refunds, newest first.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/refunds"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Refund:
        """Read a refund.

        One of your refunds. It does not show `claimUrl` again.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Refund = self._call(Operation("GET", "/v1/refunds/{id}"), {"id": id}, options)
        return answer

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Refund:
        """Cancel a refund.

        Takes a refund back that its payer has not claimed: the money is where it was before. It
        takes no body. What the payer has claimed is promised to them, and only an administrator can
        stop it. So is what sends ETH or BTC, a quarter of an hour after it was made and while those
        are worth less than the dollars that would come back; without a price then it is a 503
        (`RATE_UNAVAILABLE`).

        An API key needs the scope `settlements:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Refund = self._call(Operation("POST", "/v1/refunds/{id}/cancel", is_idempotent=True), {"id": id}, options)
        return answer

    def renew_claim(
        self,
        id: str,
        body: Optional[m.RenewRefundClaimRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CreatedRefund:
        """Make a new claim link.

        Makes a new `claimUrl` for a refund that waits to be claimed, and the former one stops
        working: for a link that was lost, or that somebody else got. When two-factor authentication
        is on it wants an `otp`, except from a signed request.

        An API key needs the scope `settlements:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.CreatedRefund = self._call(Operation("POST", "/v1/refunds/{id}/claim-link", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class Withdrawals(Group):
    """`withdrawals` of the client."""

    def create(
        self,
        body: m.CreateWithdrawalRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Withdrawal:
        """Create a withdrawal.

        Asks for money to be paid out. The whole amount leaves `availableBalance` at once and is
        held until the withdrawal is paid, refused or cancelled. When two-factor authentication is
        on it wants an `otp`, except from a signed request that pays to the `walletAddress` of your
        profile.

        An API key needs the scope `settlements:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Withdrawal = self._call(Operation("POST", "/v1/withdrawals", is_idempotent=True), {}, options, body=body)
        return answer

    def list(
        self,
        query: Optional[m.ListWithdrawalsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WithdrawalList:
        """List withdrawals.

        Your withdrawals, newest first.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WithdrawalList = self._call(Operation("GET", "/v1/withdrawals"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListWithdrawalsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.Withdrawal]:
        """List withdrawals. All of them, each once, page after page as you use them up. `limit` is the
        page size (default: 100), `after` a cursor to begin at.

        Your withdrawals, newest first.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/withdrawals"), {}, query, options)

    def quote(
        self,
        query: Optional[m.QuoteWithdrawalQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WithdrawalQuote:
        """Ask what a withdrawal costs.

        The fee of a withdrawal and what would arrive, with your balance and the limits as they are
        now. Nothing is held.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WithdrawalQuote = self._call(Operation("GET", "/v1/withdrawals/quote"), {}, options, query=query)
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Withdrawal:
        """Read a withdrawal.

        One of your withdrawals.

        An API key needs the scope `settlements:read`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Withdrawal = self._call(Operation("GET", "/v1/withdrawals/{id}"), {"id": id}, options)
        return answer

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Withdrawal:
        """Cancel a withdrawal.

        Takes a withdrawal back that nobody has looked at yet: it becomes `rejected` with
        `statusReason: cancelled`, and the money is in your balance again. It takes no body.

        An API key needs the scope `settlements:write`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.Withdrawal = self._call(Operation("POST", "/v1/withdrawals/{id}/cancel", is_idempotent=True), {"id": id}, options)
        return answer


class WebhooksEndpoint(Group):
    """`webhooks.endpoint` of the client."""

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookEndpoint:
        """Read the endpoint.

        Where your events go, which of them, and, when none do, why. Without a URL it is disabled
        and all else is null.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WebhookEndpoint = self._call(Operation("GET", "/v1/webhooks/endpoint"), {}, options)
        return answer

    def update(
        self,
        body: m.UpdateWebhookEndpointRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookEndpoint:
        """Change the endpoint.

        Changes the fields that you send and leaves the others as they are. The URL is the
        `webhookUrl` of your merchant: a change here is a change there. Another URL enables the
        endpoint, whatever had disabled it. What you disable yourself, no successful test enables
        again.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WebhookEndpoint = self._call(Operation("PUT", "/v1/webhooks/endpoint"), {}, options, body=body)
        return answer


class WebhooksCertifications(Group):
    """`webhooks.certifications` of the client."""

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookCertification:
        """Read a certification.

        How your endpoint did, check by check. While it is `running`, the checks fill in one after
        the other. Your 50 newest are kept.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WebhookCertification = self._call(Operation("GET", "/v1/webhooks/certifications/{id}"), {"id": id}, options)
        return answer


class WebhooksDeliveries(Group):
    """`webhooks.deliveries` of the client."""

    def list(
        self,
        query: Optional[m.ListWebhookDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookDeliveryList:
        """List deliveries.

        What was sent to your endpoint and what came of it, newest first.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WebhookDeliveryList = self._call(Operation("GET", "/v1/webhooks/deliveries"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListWebhookDeliveriesFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.WebhookDelivery]:
        """List deliveries. All of them, each once, page after page as you use them up. `limit` is the
        page size (default: 100), `after` a cursor to begin at.

        What was sent to your endpoint and what came of it, newest first.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/webhooks/deliveries"), {}, query, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookDeliveryDetail:
        """Read a delivery.

        One delivery with every attempt, what your endpoint answered to each, and the bytes that
        were sent.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WebhookDeliveryDetail = self._call(Operation("GET", "/v1/webhooks/deliveries/{id}"), {"id": id}, options)
        return answer

    def redeliver(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookDelivery:
        """Deliver again.

        Makes a new delivery of the same event, with the same `webhook-id` and the same body,
        whatever became of the first one. It goes to the URL that is set now, with all its attempts,
        also when the type is not among those that you want.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WebhookDelivery = self._call(Operation("POST", "/v1/webhooks/deliveries/{id}/redeliver", is_idempotent=True), {"id": id}, options)
        return answer


class WebhooksKeys(Group):
    """`webhooks.keys` of the client."""

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookKeyList:
        """List signing keys.

        The public keys that your webhooks are signed with, to verify them.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WebhookKeyList = self._call(Operation("GET", "/v1/webhooks/keys"), {}, options)
        return answer

    def rotate(
        self,
        body: Optional[m.RotateWebhookKeysRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookKey:
        """Rotate the signing key.

        Makes a new key, which signs at once. Older keys sign along until their time is over, so
        that receivers can change over in between. The body may be left out.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WebhookKey = self._call(Operation("POST", "/v1/webhooks/keys/rotate", is_idempotent=True), {}, options, body=body)
        return answer


class Webhooks(Group):
    """`webhooks` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.endpoint = WebhooksEndpoint(transport)
        self.certifications = WebhooksCertifications(transport)
        self.deliveries = WebhooksDeliveries(transport)
        self.keys = WebhooksKeys(transport)

    def test(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookTestResult:
        """Test the endpoint.

        Sends one simulated `payment.completed` event, really signed, to your webhook URL and waits
        for the answer. An endpoint that fails is still a 200, with `success: false`. A success
        enables an endpoint that was disabled because it failed or answered 410. It takes no body.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WebhookTestResult = self._call(Operation("POST", "/v1/webhooks/test", is_idempotent=True), {}, options)
        return answer

    def recover(
        self,
        body: m.RecoverWebhooksRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookRecovery:
        """Recover what was missed.

        Makes a delivery for every event since a time that your endpoint wants and that neither
        reached it nor is still on its way: what happened while it was disabled, not set, or
        failing. Oldest first, at most 1,000 a call; while `more` is true, call again with `next` as
        `since`. It reaches as far back as deliveries are kept, which is 60 days unless the platform
        says otherwise.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WebhookRecovery = self._call(Operation("POST", "/v1/webhooks/recover", is_idempotent=True), {}, options, body=body)
        return answer

    def certify(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookCertification:
        """Certify the endpoint.

        Tries your endpoint with what a handler meets in time: a genuine event, a duplicate, two out
        of order, bad signatures, an old timestamp, an unknown type, a slow body and an oversized
        one. It takes a minute at most and goes on after this answer: read the certification until
        its `status` is no longer `running`. Every check says in plain words what was expected, what
        came, and what to change. The events are of simulated payments (`metadata.simulated`) and
        stand in no list. It takes no body.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.WebhookCertification = self._call(Operation("POST", "/v1/webhooks/certify", is_idempotent=True), {}, options)
        return answer

    def verify(
        self,
        body: m.VerifyWebhookRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WebhookVerification:
        """Find out why a webhook does not verify.

        Takes the headers and the body of a webhook as your server received them and says whether
        they verify and, if not, which check failed and why: a header that is missing, bytes that a
        parser has changed, a key that is not yours or has ended, or a clock that is wrong. An aid
        for finding faults: in your handler verify with your keys, without asking us.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WebhookVerification = self._call(Operation("POST", "/v1/webhooks/verify"), {}, options, body=body)
        return answer


class Events(Group):
    """`events` of the client."""

    def list(
        self,
        query: Optional[m.ListEventsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SealedEventList:
        """List events.

        Everything that was announced to you, oldest first and without gaps, whether or not a
        webhook brought it. Read on from the last `position` that you have. An event is here within
        about a second.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SealedEventList = self._call(Operation("GET", "/v1/events"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListEventsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.SealedEvent]:
        """List events. All of them, or all behind the position `after`. `limit` is the page size
        (default: 100).

        Everything that was announced to you, oldest first and without gaps, whether or not a
        webhook brought it. Read on from the last `position` that you have. An event is here within
        about a second.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        return self._feed(Operation("GET", "/v1/events"), query, options)

    def sync(
        self,
        after: Union[int, Tuple[int, str]],
        handle: HandleEvent,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> EventPosition:
        """List events. Calls `handle` with each event in order, and proves that none is missing and
        none was changed. Reads from `after` (0 for the beginning, or what an earlier call returned)
        to the end and returns how far it came. Events whose bodies are gone (`pruned`) are skipped.
        Raises `EventFeedError` before the first wrong event, whatever `handle` raises, and
        `KasiError` like any call.

        Everything that was announced to you, oldest first and without gaps, whether or not a
        webhook brought it. Read on from the last `position` that you have. An event is here within
        about a second.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        return self._sync(Operation("GET", "/v1/events"), after, handle, options)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.RecordedEvent:
        """Read an event.

        One event as it was announced. Its position and hashes are null until it is in the feed,
        about a second.

        An API key needs the scope `webhooks:manage`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.RecordedEvent = self._call(Operation("GET", "/v1/events/{id}"), {"id": id}, options)
        return answer


class AuditLogs(Group):
    """`audit_logs` of the client."""

    def list(
        self,
        query: Optional[m.ListMerchantAuditLogsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.AuditLogEntryList:
        """List your audit log.

        Everything that was done to what is yours, newest first, by whomever: you, your API keys,
        administrators, payers and jobs. What was tried and refused is there too.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.AuditLogEntryList = self._call(Operation("GET", "/v1/merchant/audit-logs"), {}, options, query=query)
        return answer

    def iterate(
        self,
        query: Optional[m.ListMerchantAuditLogsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.AuditLogEntry]:
        """List your audit log. All of them, each once, page after page as you use them up. `limit` is
        the page size (default: 100), `after` a cursor to begin at.

        Everything that was done to what is yours, newest first, by whomever: you, your API keys,
        administrators, payers and jobs. What was tried and refused is there too.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/merchant/audit-logs"), {}, query, options)


class PublicPaymentLinks(Group):
    """`public.payment_links` of the client."""

    def get(
        self,
        slug: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicPaymentLink:
        """Read a payment link as a payer.

        What the page behind the link shows. It needs no credentials.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicPaymentLink = self._call(Operation("GET", "/v1/public/payment-links/by-slug/{slug}", is_open=True), {"slug": slug}, options)
        return answer

    def start_payment(
        self,
        slug: str,
        body: Optional[m.StartPaymentLinkPaymentRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicPayment:
        """Start a payment through a link.

        Makes a payment of its own for one payer, with an address that nobody else gets. The body
        may be left out, unless the link has `customFields` that have to be answered. A payment that
        was started stays payable until its own `expiresAt`, whatever happens to the link, and until
        then has a place of a link with `maxPayments`: 15 minutes at most. Of such a link one
        address starts at most as many payments as the limit `place_hold` says.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicPayment = self._call(Operation("POST", "/v1/public/payment-links/by-slug/{slug}/payments", is_open=True), {"slug": slug}, options, body=body)
        return answer


class PublicCheckoutSessions(Group):
    """`public.checkout.sessions` of the client."""

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicCheckoutSession:
        """Read a checkout session as a payer.

        What the hosted page shows of a session. It needs no credentials.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicCheckoutSession = self._call(Operation("GET", "/v1/public/checkout/sessions/{id}", is_open=True), {"id": id}, options)
        return answer


class PublicCheckout(Group):
    """`public.checkout` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.sessions = PublicCheckoutSessions(transport)


class PublicPayments(Group):
    """`public.payments` of the client."""

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicPayment:
        """Read a payment as a payer.

        What the hosted page shows of a payment. It needs no credentials; the id is the secret.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicPayment = self._call(Operation("GET", "/v1/public/payments/{id}", is_open=True), {"id": id}, options)
        return answer

    def select(
        self,
        id: str,
        body: m.SelectPaymentOptionRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicPayment:
        """Choose how to pay.

        Chooses one of the payment's `options`. The payer may choose again until money has been
        seen. An option that is not offered is a 400, and one that is `unavailable` a 503.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicPayment = self._call(Operation("POST", "/v1/public/payments/{id}/select", is_open=True), {"id": id}, options, body=body)
        return answer

    def signed_transfer(
        self,
        id: str,
        query: Optional[m.GetSignedTransferQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SignedTransfer:
        """Read what a wallet signs to pay without a network fee.

        The transfer that a wallet may sign instead of sending it, and what became of it. It needs
        no credentials; the payment's id is the secret.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SignedTransfer = self._call(Operation("GET", "/v1/public/payments/{id}/authorizations", is_open=True), {"id": id}, options, query=query)
        return answer

    def authorize(
        self,
        id: str,
        body: m.SubmitAuthorizationRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SignedTransfer:
        """Pay by a signed transfer.

        Takes a wallet's signature over `typedData` and brings the transfer to the chain, which
        costs the payer nothing. The payment is paid once the chain has the transfer, as by any
        other. Sending the same signature again changes nothing.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SignedTransfer = self._call(Operation("POST", "/v1/public/payments/{id}/authorizations", is_open=True), {"id": id}, options, body=body)
        return answer

    def x402(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicPayment:
        """Pay by x402.

        The invoice for programs that pay by themselves, in version 2 of the protocol x402. Without
        `payment-signature` the answer is 402, and its header `payment-required` says what to sign:
        a transfer of the scheme `exact` for every option of the payment whose token takes signed
        transfers, by ERC-3009 or by Permit2. With it the transfer is brought to the chain as by
        *Pay by a signed transfer*, and the answer comes when a block has it, or after 15 seconds.
        Any client of x402 can pay so; see *Payments by machines*. It needs no credentials; the
        payment's id is the secret.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicPayment = self._call(Operation("GET", "/v1/public/payments/{id}/x402", is_open=True), {"id": id}, options)
        return answer

    def instructions(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SignedInstructions:
        """Read signed payment instructions.

        Where this payment is to be paid now, and how much, signed by the key of its merchant, so
        that anybody can verify that nothing on the way has swapped the address. See *Verify the
        address*. Only what may be paid at this moment is signed. It needs no credentials; the
        payment's id is the secret.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SignedInstructions = self._call(Operation("GET", "/v1/public/payments/{id}/instructions", is_open=True), {"id": id}, options)
        return answer

    def take_refund(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.TakenRefundOffer:
        """Take money back that is offered.

        Makes the refund that the payment's `refundOffer` describes, and a link by which it is
        claimed. Until it is claimed, the offer can be taken again: that makes a new link, and the
        former one stops working. Where `isEstimate` is true, the price of this moment decides how
        much is sent; without one it is a 503 (`RATE_UNAVAILABLE`): try again in a minute.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.TakenRefundOffer = self._call(Operation("POST", "/v1/public/payments/{id}/refund", is_open=True), {"id": id}, options)
        return answer

    def events(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.PublicPayment]:
        """Follow a payment. First its present state, then every change, until you leave the loop.
        Reconnects when the connection is lost.

        Server-sent events. The present state comes at once, then one message for every change; a
        comment line every 15
        seconds keeps the connection alive. After 15 minutes at most it ends; connect again as long
        as you want to know,
        since money may arrive late too. Nothing is missed, because every connection begins with the
        whole state. Read it
        with `EventSource`, which connects again by itself. One address may hold 32 streams, and
        gets a 429 for more.

        ```
        event: payment
        data: {"id":"pay_01jggfnds9e9gt3f3v5s7k2m4n","status":"confirming",…}
        ```

        `data` is what `getPublicPayment` returns, on one line.
        """
        options = CallOptions(timeout, max_retries)
        return self._follow(Operation("GET", "/v1/public/payments/{id}/events", is_open=True), {"id": id}, options)

    def qr_svg(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """The QR code as SVG.

        The QR code of the payment's `paymentUri`, sharp at any size.
        """
        options = CallOptions(timeout, max_retries)
        answer: str = self._call(Operation("GET", "/v1/public/payments/{id}/qr.svg", is_open=True), {"id": id}, options, accept="image/svg+xml")
        return answer

    def qr_png(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> bytes:
        """The QR code as PNG.

        The QR code of the payment's `paymentUri`, 512 pixels wide. `qrCodeUrl` points here.
        """
        options = CallOptions(timeout, max_retries)
        answer: bytes = self._call(Operation("GET", "/v1/public/payments/{id}/qr.png", is_open=True), {"id": id}, options, accept="image/png")
        return answer


class PublicRefunds(Group):
    """`public.refunds` of the client."""

    def get(
        self,
        token: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicRefund:
        """Read a refund as its payer.

        What the holder of a claim link may know. The link is the only credential.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicRefund = self._call(Operation("GET", "/v1/public/refunds/{token}", is_open=True), {"token": token}, options)
        return answer

    def claim(
        self,
        token: str,
        body: m.ClaimRefundRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicRefund:
        """Say where a refund goes.

        Sets the address that a refund is paid to. It can be changed until somebody begins to pay
        it. The link is the only credential; with a `signature` of the wallet that paid, the address
        is that wallet's, and nobody else can change it any more.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicRefund = self._call(Operation("POST", "/v1/public/refunds/{token}/claim", is_open=True), {"token": token}, options, body=body)
        return answer


class PublicSubscriptions(Group):
    """`public.subscriptions` of the client."""

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicSubscription:
        """Read a subscription as a customer.

        What the hosted page shows of a subscription, and what a wallet has to sign for it. It needs
        no credentials; the id is the secret.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicSubscription = self._call(Operation("GET", "/v1/public/subscriptions/{id}", is_open=True), {"id": id}, options)
        return answer

    def submit_mandate(
        self,
        id: str,
        body: m.SubmitMandateRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicSubscription:
        """Submit a signed mandate.

        Takes the customer's signature over `typedData` and brings it to the chain, which costs the
        customer nothing. The mandate stands once the chain has taken it: then `mandateStatus` is
        `active`. Sending the same signature again changes nothing. A customer can also send the
        mandate to the chain himself; then nothing has to be submitted. Where `agreeBy` is
        `transaction`, that is the only way left.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicSubscription = self._call(Operation("POST", "/v1/public/subscriptions/{id}/mandate", is_open=True), {"id": id}, options, body=body)
        return answer

    def cancel(
        self,
        id: str,
        body: m.CancelByWalletRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SubscriptionCancellation:
        """Cancel a subscription with its wallet.

        Ends the subscription as the merchant's own cancellation does, for a customer whose wallet
        has signed the text of a challenge with `purpose: cancel`. It costs no gas. What was paid
        holds until `currentPeriodEnd`, and nothing more is charged. To take the permission back
        from the chain as well, the wallet revokes the mandate there.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SubscriptionCancellation = self._call(Operation("POST", "/v1/public/subscriptions/{id}/cancel", is_open=True), {"id": id}, options, body=body)
        return answer


class PublicPlans(Group):
    """`public.plans` of the client."""

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PublicPlan:
        """Read a plan as a customer.

        What the hosted page of a plan shows before anybody has subscribed. It needs no credentials.
        A plan that takes nobody new is shown, too, with `active: false`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PublicPlan = self._call(Operation("GET", "/v1/public/subscription-plans/{id}", is_open=True), {"id": id}, options)
        return answer

    def subscribe(
        self,
        id: str,
        body: m.SubscribeByWalletRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.PlanSubscription:
        """Subscribe to a plan with a wallet.

        Subscribes the customer themselves, whose wallet has signed the text of a challenge with
        `purpose: subscribe`. Nothing can be charged before they have agreed at `url`, and who does
        not agree in time is cancelled, also in a trial. A wallet that subscribes to the plan
        already gets the subscription that it has, with `isNew: false`. The merchant hears of a new
        one by `subscription.created`; name and e-mail are what the customer typed, and nobody has
        checked them.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.PlanSubscription = self._call(Operation("POST", "/v1/public/subscription-plans/{id}/subscriptions", is_open=True), {"id": id}, options, body=body)
        return answer


class PublicCustomersSubscriptions(Group):
    """`public.customers.subscriptions` of the client."""

    def list(
        self,
        token: str,
        query: Optional[m.ListCustomerSubscriptionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CustomerSubscriptionList:
        """List a customer's subscriptions.

        The subscriptions of the session's wallet, those that are over too, each with its newest
        charges: those first that the wallet has agreed to and that can be charged, then the others,
        newest first. `merchantOf` narrows them to the merchant of one plan.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.CustomerSubscriptionList = self._call(Operation("GET", "/v1/public/customer-sessions/{token}/subscriptions", is_open=True), {"token": token}, options, query=query)
        return answer

    def iterate(
        self,
        token: str,
        query: Optional[m.ListCustomerSubscriptionsFilter] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[m.CustomerSubscription]:
        """List a customer's subscriptions. All of them, each once, page after page as you use them up.
        `limit` is the page size (default: 100), `after` a cursor to begin at.

        The subscriptions of the session's wallet, those that are over too, each with its newest
        charges: those first that the wallet has agreed to and that can be charged, then the others,
        newest first. `merchantOf` narrows them to the merchant of one plan.
        """
        options = CallOptions(timeout, max_retries)
        return self._pages(Operation("GET", "/v1/public/customer-sessions/{token}/subscriptions", is_open=True), {"token": token}, query, options)

    def retry(
        self,
        token: str,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CustomerSubscription:
        """Try a failed charge now.

        Has the charge of a `past_due` subscription tried at once, for a customer who has filled the
        wallet or raised the allowance. It takes no more than was agreed, and one that is on its way
        already is not sent twice, so pressing again does no harm.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.CustomerSubscription = self._call(Operation("POST", "/v1/public/customer-sessions/{token}/subscriptions/{id}/retry", is_open=True), {"token": token, "id": id}, options)
        return answer


class PublicCustomers(Group):
    """`public.customers` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.subscriptions = PublicCustomersSubscriptions(transport)

    def challenge(
        self,
        body: m.CreateWalletChallengeRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.WalletChallenge:
        """Ask for a text to sign.

        Makes a text (EIP-4361) by whose signature a wallet proves that it is its owner's will to
        subscribe to one plan, to cancel one subscription, or to see its own. The text names the
        site, what it is for and until when it holds, and is good for one use.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.WalletChallenge = self._call(Operation("POST", "/v1/public/wallet-challenges", is_open=True), {}, options, body=body)
        return answer

    def begin(
        self,
        body: m.CreateCustomerSessionRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CustomerSession:
        """Let a customer see their subscriptions.

        Begins a session of half an hour for a wallet that has signed the text of a challenge with
        `purpose: sign_in`. Its token shows the wallet's subscriptions at all merchants of this
        platform, on the networks where the wallet has proven itself, and can have a failed charge
        tried again. It can not subscribe, cancel or pay.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.CustomerSession = self._call(Operation("POST", "/v1/public/customer-sessions", is_open=True), {}, options, body=body)
        return answer

    def end(
        self,
        token: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.CustomerSessionEnded:
        """End a customer's session.

        Ends the session at once. Its token proves nothing any more.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.CustomerSessionEnded = self._call(Operation("DELETE", "/v1/public/customer-sessions/{token}", is_open=True), {"token": token}, options)
        return answer


class PublicMerchants(Group):
    """`public.merchants` of the client."""

    def webhook_keys(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.JsonWebKeySet:
        """Read signing keys as a JWKS.

        The same keys as a JSON Web Key Set, public, for verifiers that fetch keys by themselves.
        May be cached for 5 minutes.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.JsonWebKeySet = self._call(Operation("GET", "/v1/public/merchants/{id}/webhook-keys", is_open=True), {"id": id}, options)
        return answer


class Public(Group):
    """`public` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.payment_links = PublicPaymentLinks(transport)
        self.checkout = PublicCheckout(transport)
        self.payments = PublicPayments(transport)
        self.refunds = PublicRefunds(transport)
        self.subscriptions = PublicSubscriptions(transport)
        self.plans = PublicPlans(transport)
        self.customers = PublicCustomers(transport)
        self.merchants = PublicMerchants(transport)


class SandboxPayments(Group):
    """`sandbox.payments` of the client."""

    def pay(
        self,
        id: str,
        body: Optional[m.PaySandboxPaymentRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxTransfer:
        """Pay a payment with play money.

        Sends a real transfer on a test chain to the payment's address, as a payer's wallet would.
        The service then sees it as it sees any other. The body may be left out.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.SandboxTransfer = self._call(Operation("POST", "/v1/sandbox/payments/{id}/pay", is_idempotent=True), {"id": id}, options, body=body)
        return answer

    def replace(
        self,
        id: str,
        body: m.ReplaceSandboxTransferRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxReplacement:
        """Replace a transfer that waits.

        Replaces a transfer in bitcoins that `POST /v1/sandbox/payments/{id}/pay` left in the pool
        (`confirm: false`), as payers' wallets do to pay a higher fee, and as thieves do to take a
        payment back.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.SandboxReplacement = self._call(Operation("POST", "/v1/sandbox/payments/{id}/replace", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class SandboxWithdrawals(Group):
    """`sandbox.withdrawals` of the client."""

    def pay(
        self,
        id: str,
        body: Optional[m.PaySandboxWithdrawalRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxPayout:
        """Pay a withdrawal out with play money.

        Sends a real transfer on the test chain to the destination of an approved withdrawal, as
        whoever pays the platform's withdrawals would. An administrator then completes the
        withdrawal with its `txHash`, and the chain is checked as anywhere. Every call sends again.
        The body may be left out.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.SandboxPayout = self._call(Operation("POST", "/v1/sandbox/withdrawals/{id}/pay", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class SandboxRefunds(Group):
    """`sandbox.refunds` of the client."""

    def pay(
        self,
        id: str,
        body: Optional[m.PaySandboxRefundRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxRefundPayout:
        """Pay a refund out with play money.

        Sends a real transfer to the address of a claimed refund, as whoever pays the platform's
        refunds would. An administrator then completes the refund with its `txHash`, and the chain
        is checked as anywhere. Every call sends again. The body may be left out.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.SandboxRefundPayout = self._call(Operation("POST", "/v1/sandbox/refunds/{id}/pay", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class SandboxWallets(Group):
    """`sandbox.wallets` of the client."""

    def create(
        self,
        body: Optional[m.CreateSandboxWalletRequest] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxWallet:
        """Make a funded wallet.

        Makes a new wallet on the test chain with test tokens and coin for fees. The sandbox
        remembers its key, so that it can act for this wallet later: change what it holds (`PUT
        /v1/sandbox/wallets/{address}`) and agree to a subscription (`POST
        /v1/sandbox/subscriptions/{id}/authorize`). The body may be left out.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SandboxWallet = self._call(Operation("POST", "/v1/sandbox/wallets", is_open=True), {}, options, body=body)
        return answer

    def update(
        self,
        address: str,
        body: m.UpdateSandboxWalletRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxWalletState:
        """Set what a wallet holds and allows.

        Sets how much of a token a wallet of the sandbox holds, or how much of it the subscription
        contract may take, by real transactions on the test chain. So you play a customer whose
        wallet is empty, or has been filled again. What you leave out stays as it is; `{}` changes
        nothing and shows the wallet.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SandboxWalletState = self._call(Operation("PUT", "/v1/sandbox/wallets/{address}", is_open=True), {"address": address}, options, body=body)
        return answer


class SandboxPlans(Group):
    """`sandbox.plans` of the client."""

    def subscribe(
        self,
        id: str,
        body: Optional[m.SubscribeSandboxCustomerRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxCustomer:
        """Subscribe a customer of play.

        Makes a funded wallet, subscribes it to your plan and agrees with it, as a customer does on
        the page behind `authorizeUrl`: the wallet lets the subscription contract take the token and
        signs the mandate, which the service then brings to the chain. The answer comes when the
        mandate stands. The body may be left out.
        """
        options = CallOptions(timeout, max_retries, idempotency_key)
        answer: m.SandboxCustomer = self._call(Operation("POST", "/v1/sandbox/subscription-plans/{id}/subscribe", is_idempotent=True), {"id": id}, options, body=body)
        return answer


class SandboxSubscriptions(Group):
    """`sandbox.subscriptions` of the client."""

    def authorize(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Subscription:
        """Agree to a subscription.

        Lets the subscription's wallet agree, as its owner does on the page behind `authorizeUrl`:
        it allows the subscription contract to take the token, as much as the page recommends, and
        signs the mandate, which the service then brings to the chain. The answer comes when the
        mandate stands. Once it does, only the allowance is given anew; after a revocation the
        wallet agrees to a new mandate.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Subscription = self._call(Operation("POST", "/v1/sandbox/subscriptions/{id}/authorize"), {"id": id}, options)
        return answer

    def revoke(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.Subscription:
        """Revoke a mandate.

        Lets the subscription's wallet revoke its mandate on the chain, as a customer can at any
        time, with or without your page. From then on nothing can be taken by it. The answer comes
        when the service has seen it.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.Subscription = self._call(Operation("POST", "/v1/sandbox/subscriptions/{id}/revoke"), {"id": id}, options)
        return answer


class SandboxChain(Group):
    """`sandbox.chain` of the client."""

    def mine(
        self,
        body: m.MineSandboxBlocksRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxChainHead:
        """Mine blocks.

        Mines blocks on a test chain, for example to confirm a payment. On `regtest` the first of
        them holds all that waits in the pool.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SandboxChainHead = self._call(Operation("POST", "/v1/sandbox/chain/mine", is_open=True), {}, options, body=body)
        return answer

    def reorg(
        self,
        body: m.ReorgSandboxChainRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxChainHead:
        """Reorganise the chain.

        Replaces the newest blocks of a test chain by others, with or without their transactions, as
        real chains sometimes do. The new branch is as long as the old one, and on `regtest` a block
        longer.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SandboxChainHead = self._call(Operation("POST", "/v1/sandbox/chain/reorg", is_open=True), {}, options, body=body)
        return answer


class SandboxClock(Group):
    """`sandbox.clock` of the client."""

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxClock:
        """Read the clock.

        What the business clock shows. It decides when payments, links and sessions expire.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SandboxClock = self._call(Operation("GET", "/v1/sandbox/clock", is_open=True), {}, options)
        return answer

    def advance(
        self,
        body: m.AdvanceSandboxClockRequest,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxClock:
        """Move the clock forward.

        Moves the business clock and the test chain's time forward and does on the way what falls
        due, as if the time had passed. It never goes back. One call works for at most 20 seconds:
        when so much falls due that `now` in the answer is before the time you asked for, ask again
        with `to`.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SandboxClock = self._call(Operation("POST", "/v1/sandbox/clock", is_open=True), {}, options, body=body)
        return answer


class Sandbox(Group):
    """`sandbox` of the client."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.payments = SandboxPayments(transport)
        self.withdrawals = SandboxWithdrawals(transport)
        self.refunds = SandboxRefunds(transport)
        self.wallets = SandboxWallets(transport)
        self.plans = SandboxPlans(transport)
        self.subscriptions = SandboxSubscriptions(transport)
        self.chain = SandboxChain(transport)
        self.clock = SandboxClock(transport)

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> m.SandboxInfo:
        """Look around the sandbox.

        The networks, nodes, contracts and test tokens of this sandbox, and which of its networks
        could not start.
        """
        options = CallOptions(timeout, max_retries)
        answer: m.SandboxInfo = self._call(Operation("GET", "/v1/sandbox", is_open=True), {}, options)
        return answer


class Surface(Group):
    """What merchants and payers can do."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.auth = Auth(transport)
        self.merchants = Merchants(transport)
        self.api_keys = ApiKeys(transport)
        self.payment_links = PaymentLinks(transport)
        self.checkout = Checkout(transport)
        self.payments = Payments(transport)
        self.plans = Plans(transport)
        self.subscriptions = Subscriptions(transport)
        self.settlements = Settlements(transport)
        self.refunds = Refunds(transport)
        self.withdrawals = Withdrawals(transport)
        self.webhooks = Webhooks(transport)
        self.events = Events(transport)
        self.audit_logs = AuditLogs(transport)
        self.public = Public(transport)
        self.sandbox = Sandbox(transport)
