import { sql } from 'kysely';
import type { Client } from '../../../clients/typescript/src/index.ts';
import type { Db } from '../../../src/lib/db-types.ts';
import { reconcile } from '../../../src/reconcile/reconcile.ts';
import type { Shop } from '../../lib/shop.ts';
import { examineChain } from '../chain.ts';
import type { Bought, Market } from './customer.ts';
import { worthOf } from './plan.ts';

const MICRO_A_CENT = 10_000n;

/** The faults after the last crash, in words. */
export async function judge(
  { merchant, network, bitcoin }: Pick<Market, 'merchant' | 'network' | 'bitcoin'>,
  db: Db,
  shop: Shop,
  bought: readonly Bought[],
): Promise<string[]> {
  const faults = [...shop.refusals];
  for (const each of bought) faults.push(...(await judgePayment(merchant, db, shop, each)));
  const { availableBalance, pendingBalance, owed } = await merchant.settlements.balance();
  // A surplus waits for a decision; the rest is available.
  const wanted = bought.reduce((sum, { plan }) => sum + plan.cents, 0);
  const found = Math.round(availableBalance * 100);
  if (found !== wanted || pendingBalance !== 0 || owed !== 0) {
    faults.push(
      `the balance is ${found} cents, ${pendingBalance} USD pending and ${owed} USD owed, instead of ${wanted}`,
    );
  }
  faults.push(...(await judgeFeed(merchant, db, shop)));
  const { findings } = await reconcile(db);
  faults.push(...findings.map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`));
  faults.push(...(await examineChain(db, network, ...(bitcoin ? [bitcoin.network] : []))));
  const open = await db.selectFrom('incidents').select(['kind', 'message']).where('resolved_at', 'is', null).execute();
  return [...faults, ...open.map(({ kind, message }) => `incident ${kind}: ${message}`)];
}

/** Checks that the feed has no gap and contains every announced event once. */
async function judgeFeed(merchant: Client, db: Db, shop: Shop): Promise<string[]> {
  const inFeed = new Set<string>();
  try {
    await merchant.events.sync(0, ({ id }) => inFeed.add(id));
  } catch (error) {
    return [`the feed: ${String(error)}`];
  }
  const merchantIds = [...new Set(shop.events.map(({ merchantId }) => merchantId))];
  const announced = await db.selectFrom('events').select('id').where('merchant_id', 'in', merchantIds).execute();
  const missing = announced.filter(({ id }) => !inFeed.has(id));
  return missing.map(({ id }) => `${id} is not in the feed`);
}

async function judgePayment(merchant: Client, db: Db, shop: Shop, { id, plan }: Bought): Promise<string[]> {
  const { status, exception, amountReceived } = await merchant.payments.get(id);
  const completed = shop.events.filter((event) => event.type === 'payment.completed' && event.data.id === id);
  const { rows } = await sql<{ transfers: bigint; booked: bigint }>`
    select count(*) as transfers, coalesce(sum(booked_micro), 0)::bigint as booked
      from credits where payment_id = ${id} and canonical`.execute(db);
  const found = { status, exception, amountReceived, completed: completed.length, ...rows[0] };
  const wanted = {
    status: 'paid',
    exception: plan.way === 'over' ? 'overpaid' : null,
    amountReceived: Number(worthOf(plan) / MICRO_A_CENT) / 100,
    completed: 1,
    transfers: BigInt(plan.parts.length),
    booked: worthOf(plan),
  };
  return (Object.keys(wanted) as (keyof typeof wanted)[])
    .filter((name) => found[name] !== wanted[name])
    .map((name) => `${id} (${plan.token}, ${plan.way}): ${name} is ${found[name]} instead of ${wanted[name]}`);
}
