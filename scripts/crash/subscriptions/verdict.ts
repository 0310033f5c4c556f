import { sql } from 'kysely';
import type { Db } from '../../../src/lib/db-types.ts';
import { reconcile } from '../../../src/reconcile/reconcile.ts';
import { examineChain } from '../chain.ts';
import { type ChainFacts, type Collected, readChain } from './chain-facts.ts';
import { examineEvents, examineSubscription } from './examine.ts';
import { examineNonces, listLeftovers, readSubscriptions, type SubscriptionFacts } from './facts.ts';
import type { World } from './life.ts';

/** The faults at rest, in words. */
export async function judge(world: World, db: Db, operator: string): Promise<string[]> {
  const [chain, subscriptions] = [await readChain(world.network, operator), await readSubscriptions(db)];
  const { findings } = await reconcile(db);
  return [
    ...judgeCustomers(world, subscriptions, chain),
    ...matchCollections(subscriptions, chain),
    ...(await matchTreasury(db, chain)),
    ...(await examineNonces(db, chain.nonce)),
    ...(await listLeftovers(db)),
    ...findings.map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`),
    ...(await examineChain(db, world.network)),
  ];
}

function judgeCustomers(
  { customers, time }: World,
  subscriptions: ReadonlyMap<string, SubscriptionFacts>,
  { authorized }: ChainFacts,
): string[] {
  const known = new Set(customers.map(({ id }) => id));
  const faults = [...subscriptions.keys()].filter((id) => !known.has(id)).map((id) => `${id} belongs to no customer`);
  for (const customer of customers) {
    const facts = subscriptions.get(customer.id);
    if (!facts) {
      faults.push(`${customer.id} is gone`);
      continue;
    }
    const first = facts.mandates.flatMap((id) => authorized.get(id) ?? []).sort((a, b) => +a - +b)[0] ?? null;
    faults.push(...examineSubscription(facts, { customer, authorizedAt: first }, time.now()), ...examineEvents(facts));
  }
  return faults;
}

/** Compares collections on the chain with booked ones, one by one, with their times. */
function matchCollections(subscriptions: ReadonlyMap<string, SubscriptionFacts>, { collected }: ChainFacts): string[] {
  const owners = new Map([...subscriptions.values()].flatMap((each) => each.mandates.map((id) => [id, each] as const)));
  const faults: string[] = [];
  const taken = new Map<string, Collected>();
  for (const each of collected) {
    const owner = owners.get(each.mandate);
    if (!owner) {
      faults.push(`mandate ${each.mandate} was collected by and is unknown`);
      continue;
    }
    const key = `${owner.id} ${each.number}`;
    if (taken.has(key)) faults.push(`${key} was collected twice`);
    taken.set(key, each);
    faults.push(...judgeCollection(owner, each));
  }
  for (const { id, charges } of subscriptions.values()) {
    for (const { number, status } of charges) {
      const booked = status === 'succeeded' || status === 'confirming';
      if (booked && !taken.has(`${id} ${number}`))
        faults.push(`${id} ${number} is ${status}, and the chain knows nothing`);
    }
  }
  return faults;
}

function judgeCollection(
  { id, charges, cancelledAt }: SubscriptionFacts,
  { number, units, at, mandate }: Collected,
): string[] {
  const charge = charges.find((each) => each.number === number);
  const name = `${id} ${number}, collected at ${at.toISOString()},`;
  if (!charge) return [`${name} has no charge`];
  const faults: string[] = [];
  if (charge.status !== 'succeeded' && charge.status !== 'confirming') faults.push(`${name} is ${charge.status}`);
  if (charge.units !== units || charge.mandate !== mandate) faults.push(`${name} is booked as ${charge.units}`);
  const due = Math.floor(charge.start.getTime() / 1000) * 1000; // Blocks have whole seconds.
  if (at.getTime() < due) faults.push(`${name} was due only at ${charge.start.toISOString()}`);
  if (cancelledAt && charge.start > cancelledAt)
    faults.push(`${name} came after the end at ${cancelledAt.toISOString()}`);
  return faults;
}

/** Compares what the treasury received with what the ledger says came from outside. */
async function matchTreasury(db: Db, { received }: ChainFacts): Promise<string[]> {
  const { rows } = await sql<{ id: string; balance: bigint }>`
    select account_id as id, sum(amount)::bigint as balance from entries
     where account_id like 'external:%' group by account_id`.execute(db);
  const booked = new Map(rows.map(({ id, balance }) => [id.split(':').at(-1), -balance]));
  return [...received].flatMap(([token, units]) => {
    const micro = booked.get(token) ?? 0n; // Both tokens have six decimals, as the ledger has.
    return micro === units ? [] : [`the treasury received ${units} of ${token}, and ${micro} are booked`];
  });
}
