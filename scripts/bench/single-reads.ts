import { nothing, write as read, type Write } from './write-kinds.ts';
import type { Shop } from './write-shop.ts';

const first = (rows: readonly { readonly id: string }[]): string => rows[0]?.id ?? '';

/** Of the seed, an older one. */
const payment = async ({ client }: Shop) =>
  first((await client.payments.list({ status: 'paid', toDate: '2026-01-01', limit: 1 })).payments);
const session = ({ db, merchantId }: Shop): Promise<string> =>
  db
    .selectFrom('checkout_sessions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
    .then((row) => row?.id ?? '');
const subscription = async ({ client }: Shop) => first((await client.subscriptions.list({ limit: 1 })).subscriptions);
const refund = async ({ client }: Shop) => first((await client.refunds.list({ limit: 1 })).refunds);
const withdrawal = async ({ client }: Shop) => first((await client.withdrawals.list({ limit: 1 })).withdrawals);
const delivery = async ({ client }: Shop) => first((await client.webhooks.deliveries.list({ limit: 1 })).deliveries);

export const singleReads: readonly Write[] = [
  read('getPayment', payment, ({ client }, id) => client.payments.get(id)),
  read('getPaymentTimeline', payment, ({ client }, id) => client.payments.timeline(id)),
  read('getPublicPayment', payment, ({ anyone }, id) => anyone.public.payments.get(id)),
  read('getCheckoutSession', session, ({ client }, id) => client.checkout.sessions.get(id)),
  read('getPublicCheckoutSession', session, ({ anyone }, id) => anyone.public.checkout.sessions.get(id)),
  read('getPaymentLink', nothing, ({ client }) => client.paymentLinks.get('plink_scale2')),
  read('getPublicPaymentLink', nothing, ({ anyone }) => anyone.public.paymentLinks.get('scale2')),
  read('getPlan', nothing, ({ client }) => client.plans.get('plan_scale2')),
  read('getPublicPlan', nothing, ({ anyone }) => anyone.public.plans.get('plan_scale2')),
  read('getSubscription', subscription, ({ client }, id) => client.subscriptions.get(id)),
  read('listCharges', subscription, ({ client }, id) => client.subscriptions.charges.list(id)),
  read('getRefund', refund, ({ client }, id) => client.refunds.get(id)),
  read('adminGetRefund', refund, ({ admin }, id) => admin.refunds.get(id)),
  read('getWithdrawal', withdrawal, ({ client }, id) => client.withdrawals.get(id)),
  read('adminGetWithdrawal', withdrawal, ({ admin }, id) => admin.withdrawals.get(id)),
  read('quoteWithdrawal', nothing, ({ client }) => client.withdrawals.quote({ amount: 20, method: 'bank' })),
  read('getWebhookDelivery', delivery, ({ client }, id) => client.webhooks.deliveries.get(id)),
  read('getMerchant', nothing, ({ client, merchantId }) => client.merchants.get(merchantId)),
  read('listApiKeys', nothing, ({ client }) => client.apiKeys.list()),
  read('listWebhookKeys', nothing, ({ client }) => client.webhooks.keys.list()),
  read('listMerchantSessions', nothing, ({ client }) => client.auth.sessions.list()),
  read('listStatements', nothing, ({ client }) => client.settlements.statements.list()),
  read('adminGetMerchant', nothing, ({ admin, merchantId }) => admin.merchants.get(merchantId)),
];
