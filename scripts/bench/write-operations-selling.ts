import { sql } from 'kysely';
import { proveWallet } from '../../test/support/customers.ts';
import { DESTINATION } from '../../test/support/refunds.ts';
import {
  customer,
  customerWallet,
  insertCharge,
  makePastDue,
  put,
  signMandate,
  TEA_CLUB,
} from '../../test/support/subscriptions.ts';
import { nothing, type Write, write } from './write-kinds.ts';
import type { Shop } from './write-shop.ts';

/** Of the seed: half of all that was paid by links, and a twentieth of all subscriptions. */
const LINK = 'plink_scale2';
const PLAN = 'plan_scale2';
/** With as many subscriptions, until all leave it. */
const LEFT_PLAN = 'plan_scale4';

const link = ({ client, unique }: Shop) => client.paymentLinks.create({ title: 'Tea', amount: 25, slug: unique() });
export const startLink = ({ anyone }: Shop) =>
  anyone.public.paymentLinks.startPayment('scale2', { customerEmail: 'buyer6@example.org' });

const linkWrites: readonly Write[] = [
  write('createPaymentLink', nothing, link),
  write('createPaymentLink, of items', nothing, ({ client }) =>
    client.paymentLinks.create({ title: 'Tea', amount: 25, maxPayments: 9, items: [{ name: 'Tea', unitAmount: 25 }] }),
  ),
  write('updatePaymentLink', nothing, ({ client, unique }) => client.paymentLinks.update(LINK, { title: unique() })),
  write('updatePaymentLink, its number', nothing, ({ client }) =>
    client.paymentLinks.update(LINK, { maxPayments: 1_000_000 }),
  ),
  write('deletePaymentLink', link, ({ client }, { id }) => client.paymentLinks.delete(id)),
  write('deletePaymentLink, of many payments', nothing, ({ client }) => client.paymentLinks.delete(LINK), {
    after: ({ db }) =>
      db
        .updateTable('payment_links')
        .set({ deleted_at: null, title: 'Tea', slug: 'scale2' })
        .where('id', '=', LINK)
        .execute(),
  }),
  write('startPaymentLinkPayment', nothing, startLink),
  write(
    'updatePaymentLink, disable',
    ({ client }) => client.paymentLinks.update(LINK, { status: 'active' }),
    ({ client }) => client.paymentLinks.update(LINK, { status: 'disabled' }),
    { after: ({ client }) => client.paymentLinks.update(LINK, { status: 'active' }) },
  ),
  write(
    'updatePaymentLink, enable',
    ({ client }) => client.paymentLinks.update(LINK, { status: 'disabled' }),
    ({ client }) => client.paymentLinks.update(LINK, { status: 'active' }),
  ),
];

const plan = ({ client }: Shop) => client.plans.create(TEA_CLUB);
/** So that no two of the numbers make one key. */
let wallets = 0x1000_0000;
/** A subscription of a wallet of its own to a plan of the seed. */
async function subscription({ client }: Shop) {
  wallets += 1;
  const wallet = customerWallet(wallets);
  const made = await client.plans.subscribe(PLAN, customer(wallets));
  return { ...made, wallet };
}

async function pastDue(shop: Shop) {
  const made = await subscription(shop);
  await makePastDue(shop.db, made.id, new Date());
  return made;
}

/** All have left it, and the planner knows that, as it does a day later. */
async function leavePlan({ db }: Shop): Promise<void> {
  const left = { status: 'cancelled', cancelled_at: new Date(), cancel_reason: 'requested' };
  const all = db.updateTable('subscriptions').set(left).where('plan_id', '=', LEFT_PLAN);
  const { numUpdatedRows } = await all.where('status', '<>', 'cancelled').executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await sql`vacuum (analyze) subscriptions`.execute(db);
}

const planWrites: readonly Write[] = [
  write('createPlan', nothing, plan),
  write('updatePlan', nothing, ({ client, unique }) => client.plans.update(PLAN, { name: unique(), active: true })),
  write('updatePlan, its price', plan, ({ client }, { id }) => client.plans.update(id, { amount: 26 })),
  write('updatePlan, its price when all have left', leavePlan, ({ client, unique }) =>
    client.plans.update(LEFT_PLAN, { amount: (2600 + Number(unique().slice(5))) / 100 }),
  ),
  write('updatePlan, close', nothing, ({ client }) => client.plans.update(PLAN, { active: false }), {
    after: ({ client }) => client.plans.update(PLAN, { active: true }),
  }),
  write('subscribeToPlan', nothing, subscription),
  write('cancelSubscription', subscription, ({ client }, { id }) => client.subscriptions.cancel(id)),
  write('retrySubscription', pastDue, ({ client }, { id }) => client.subscriptions.retry(id)),
  write(
    'submitMandate',
    async (shop) => {
      const { id, wallet } = await subscription(shop);
      return { id, signature: await signMandate(await shop.anyone.public.subscriptions.get(id), wallet) };
    },
    ({ anyone }, { id, signature }) => anyone.public.subscriptions.submitMandate(id, { signature }),
  ),
  write('subscriptions.sweep, one', dueSubscription, ({ runJob }) => runJob('subscriptions.sweep')),
];

async function dueSubscription(shop: Shop) {
  const { id } = await subscription(shop);
  await put(shop.db, id, { status: 'active', mandateStatus: 'active', nextActionAt: new Date() });
  await insertCharge(shop.db, id, new Date());
}

const customerWrites: readonly Write[] = [
  write('createWalletChallenge', nothing, ({ anyone }) =>
    anyone.public.customers.challenge({ purpose: 'sign_in', walletAddress: DESTINATION }),
  ),
  write(
    'subscribeByWallet',
    ({ anyone }) => {
      wallets += 1;
      return proveWallet(anyone, { purpose: 'subscribe', planId: PLAN }, customerWallet(wallets));
    },
    ({ anyone }, proof) =>
      anyone.public.plans.subscribe(PLAN, { ...proof, customerEmail: 'a@example.org', customerName: 'A' }),
  ),
  write(
    'cancelByWallet',
    async (shop) => {
      const { id, wallet } = await subscription(shop);
      return { id, proof: await proveWallet(shop.anyone, { purpose: 'cancel', subscriptionId: id }, wallet) };
    },
    ({ anyone }, { id, proof }) => anyone.public.subscriptions.cancel(id, proof),
  ),
  write(
    'createCustomerSession',
    async (shop) => {
      const { wallet } = await subscription(shop);
      return proveWallet(shop.anyone, { purpose: 'sign_in' }, wallet);
    },
    ({ anyone }, proof) => anyone.public.customers.begin(proof),
  ),
  write('endCustomerSession', customerSession, ({ anyone }, { token }) => anyone.public.customers.end(token)),
  write('retryCustomerSubscription', customerSession, ({ anyone }, { token, id }) =>
    anyone.public.customers.subscriptions.retry(token, id),
  ),
];

async function customerSession(shop: Shop) {
  const { id, wallet } = await pastDue(shop);
  const { token } = await shop.anyone.public.customers.begin(
    await proveWallet(shop.anyone, { purpose: 'sign_in' }, wallet),
  );
  return { id, token };
}

/** What a merchant sells by, and who subscribes. */
export const sellingWrites: readonly Write[] = [...linkWrites, ...planWrites, ...customerWrites];
