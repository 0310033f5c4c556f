import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import type { Client } from '../../clients/typescript/src/index.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { HOUR_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { insertCharges } from '../../src/subscriptions/charge-queries.ts';
import { lockSubscription, type Subscription, saveSubscriptions } from '../../src/subscriptions/queries.ts';
import type { Charge } from '../../src/subscriptions/schedule/charge.ts';

type Plan = Parameters<Client['plans']['create']>[0];
type Customer = Parameters<Client['plans']['subscribe']>[1];
type Public = Awaited<ReturnType<Client['public']['subscriptions']['get']>>;

export const TEA_CLUB = { name: 'Tea club', amount: 25, currency: 'USD', interval: 'monthly' } as const;

/** A wallet of the tests, one per number. */
export const customerWallet = (number = 1): LocalAccount =>
  privateKeyToAccount(`0x${number.toString(16).padStart(64, 'c')}`);

/** A customer who subscribes with the wallet of this number. */
export const customer = (number = 1): Customer => ({
  customerEmail: 'nimal@example.org',
  customerName: 'Nimal Perera',
  walletAddress: customerWallet(number).address,
});

/** A subscription to a plan of its own. */
export async function subscribe(client: Client, plan: Partial<Plan> = {}, wallet = 1) {
  const { id } = await client.plans.create({ ...TEA_CLUB, ...plan });
  return client.plans.subscribe(id, customer(wallet));
}

/** The customer's signature of the typed data on the page. */
export async function signMandate({ typedData }: Pick<Public, 'typedData'>, wallet = customerWallet()) {
  if (!typedData) throw new Error('there is nothing to sign');
  return wallet.signTypedData(typedData as never);
}

/** Puts a subscription into a state that otherwise only the chain or time would cause. */
export async function put(db: Db, id: string, change: Partial<Subscription>): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockSubscription(trx, { id });
    if (!before) throw new Error(`there is no subscription ${id}`);
    await saveSubscriptions(trx, [{ ...before, ...change }]);
  });
}

/** Stores a charge of a subscription, by default a failed one. */
export async function insertCharge(db: Db, subscriptionId: string, now: Date, change: Partial<Charge> = {}) {
  return inTransaction(db, async (trx) => {
    const subscription = await lockSubscription(trx, { id: subscriptionId });
    if (!subscription) throw new Error(`there is no subscription ${subscriptionId}`);
    const { merchantId, amountMinor, currency, network, token, mandateId } = subscription;
    const charge: Charge = {
      id: newId('charge', now),
      subscriptionId,
      ...{ merchantId, amountMinor, currency, network, token, mandateId },
      number: 1,
      periodStart: now,
      periodEnd: new Date(now.getTime() + 24 * HOUR_MS),
      status: 'failed',
      dueAt: null,
      attempts: 1,
      lastAttemptAt: now,
      failureCode: 'insufficient_balance',
      voidReason: null,
      reversedAt: null,
      quote: null,
      transactionId: null,
      paymentId: null,
      txHash: null,
      createdAt: now,
      updatedAt: now,
      ...change,
    };
    await insertCharges(trx, [charge]);
    return charge;
  });
}

/** Fails a charge of a subscription, by default its first, as if its wallet were empty. */
export async function makePastDue(db: Db, id: string, now: Date, change: Partial<Charge> = {}): Promise<Charge> {
  const nextActionAt = new Date(now.getTime() + HOUR_MS);
  await put(db, id, {
    status: 'past_due',
    mandateStatus: 'active',
    charge: 'none',
    firstFailedAt: now,
    failures: 1,
    lastFailure: 'insufficient_balance',
    nextActionAt,
  });
  return insertCharge(db, id, now, change);
}
