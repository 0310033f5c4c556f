import type { components } from './generated/api.ts';

/** Every type of the contract, by name. */
export type Schemas = components['schemas'];

export type ApiKey = Schemas['ApiKey'];
export type ApiKeyCreated = Schemas['ApiKeyCreated'];
export type ApiKeyScope = Schemas['ApiKeyScope'];
export type Charge = Schemas['Charge'];
export type CheckoutSession = Schemas['CheckoutSession'];
export type CheckoutSessionCreated = Schemas['CheckoutSessionCreated'];
export type CreateCheckoutSessionRequest = Schemas['CreateCheckoutSessionRequest'];
export type CreatePaymentLinkRequest = Schemas['CreatePaymentLinkRequest'];
export type CreatePaymentRequest = Schemas['CreatePaymentRequest'];
export type CreatePlanRequest = Schemas['CreatePlanRequest'];
export type CreateWithdrawalRequest = Schemas['CreateWithdrawalRequest'];
export type Currency = Schemas['Currency'];
export type ErrorField = Schemas['ErrorField'];
export type JsonWebKey = Schemas['JsonWebKey'];
export type LedgerEntry = Schemas['LedgerEntry'];
export type Merchant = Schemas['Merchant'];
export type Payment = Schemas['Payment'];
export type PaymentInstructions = Schemas['PaymentInstructions'];
export type PaymentLink = Schemas['PaymentLink'];
export type PaymentStatus = Schemas['PaymentStatus'];
export type Plan = Schemas['Plan'];
export type PublicPayment = Schemas['PublicPayment'];
export type PublicSubscription = Schemas['PublicSubscription'];
export type SealedEvent = Schemas['SealedEvent'];
export type SettlementBalance = Schemas['SettlementBalance'];
export type SignedInstructions = Schemas['SignedInstructions'];
export type SubscribeToPlanRequest = Schemas['SubscribeToPlanRequest'];
export type Subscription = Schemas['Subscription'];
export type SubscriptionStatus = Schemas['SubscriptionStatus'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type Withdrawal = Schemas['Withdrawal'];
export type WithdrawalQuote = Schemas['WithdrawalQuote'];
export type WithdrawalStatus = Schemas['WithdrawalStatus'];

/** Any event that a webhook can bring. `type` determines the type of `data`. */
export type WebhookEvent = Schemas['WebhookEvent'];
export type WebhookEventType = WebhookEvent['type'];
/** The event of one type, for a function that handles it: `WebhookEventOf<'payment.completed'>`. */
export type WebhookEventOf<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>;
/**
 * Any event of the feed: those that webhooks bring, and the one that is never delivered, because it announces that the
 * endpoint is disabled.
 */
export type FeedEvent = WebhookEvent | Schemas['WebhookEndpointDisabledEvent'];
