import { sql } from 'kysely';
import { type Address, encodeAbiParameters, type Hex, keccak256, pad, toHex } from 'viem';
import { openReader } from '../../src/chains/evm/client.ts';
import { openEvmCollector } from '../../src/chains/evm/collector-capability.ts';
import { readMandateState } from '../../src/chains/evm/collector-reader.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, DAY_MS, SECOND_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { piecesOf } from '../../src/lib/pieces-of.ts';
import type { Token } from '../../src/ports/chain.ts';
import { createRpc } from '../../src/sandbox/anvil.ts';
import { newMandate, type StoredMandate } from '../../src/subscriptions/mandates/mandate.ts';
import { insertMandate } from '../../src/subscriptions/mandates/queries.ts';
import { insertSubscription } from '../../src/subscriptions/queries.ts';
import { mandateTerms } from '../../src/subscriptions/schedule/mandate-window.ts';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';

/** What each member of a crowd pays per week. */
const PRICE_MINOR = 500n;
export const CROWD_PRICE_UNITS = 5_000_000n;
/** Storage slots: balances and allowances of the sandbox's USDT, and agreements of the collector. */
const [BALANCES, ALLOWANCES, AGREEMENTS] = [1n, 2n, 2n];
/** The lowest byte of an agreement's word. */
const ACTIVE = 1n;
const WRITES_AT_ONCE = 300;

/** Subscribers of one plan, with mandates on the chain and a paid first week. */
export type Crowd = {
  readonly ids: readonly string[];
  readonly mandates: readonly StoredMandate[];
  /** Makes everyone's second week due. */
  readonly becomeDue: () => Promise<void>;
};

export type CrowdDraft = {
  /** Null: the crowd exists only on the chain. */
  readonly merchantId: string | null;
  readonly count: number;
  readonly now: Date;
};

/** Makes a crowd whose second week begins at `now`. Nothing is charged before `begin` makes it due. */
export async function openCrowd(db: Db, network: EvmNetwork, { merchantId, count, now }: CrowdDraft): Promise<Crowd> {
  const token = network.tokens.find(({ symbol }) => symbol === 'USDT');
  const collector = openEvmCollector(network);
  if (!token || !collector) throw new Error(`${network.name} collects no USDT`);
  const start = new Date(Math.floor(now.getTime() / SECOND_MS) * SECOND_MS - 7 * DAY_MS);
  const terms = mandateTerms({ interval: 'weekly', currency: 'USD', tokenAmount: CROWD_PRICE_UNITS, firstDue: start });
  const people = Array.from({ length: count }, () => {
    const id = newId('subscription', now);
    const wallet = keccak256(toHex(id)).slice(0, 42);
    return { id, mandate: newMandate({ id, wallet }, { collector, token }, terms, 1, start) };
  });
  await prepareChain(network, token, people);
  if (merchantId !== null) await store(db, network, people, { merchantId, start, now });
  const ids = people.map(({ id }) => id);
  return {
    ids,
    mandates: people.map(({ mandate }) => mandate),
    becomeDue: () =>
      inTransaction(db, async (trx) => {
        await sql`update subscriptions set next_action_at = ${now} where id = any (${ids}::text[])`.execute(trx);
        trx.wake('kasi_subscriptions');
      }),
  };
}

type Stored = { readonly merchantId: string; readonly start: Date; readonly now: Date };

/** Inserts the charges of the first week. */
async function store(db: Db, network: EvmNetwork, people: readonly Person[], { merchantId, start, now }: Stored) {
  const id = newId('plan', now);
  const plan = { id, merchant_id: merchantId, name: 'Crowd', amount_minor: PRICE_MINOR, currency: 'USD' };
  const times = { created_at: start, updated_at: start };
  await db
    .insertInto('plans')
    .values({ ...plan, ...times, interval: 'weekly', token: 'USDT', network: network.name })
    .execute();
  const { next } = subscribe({ interval: 'weekly', trialDays: 0, mandateDeadlineHours: 72 }, start);
  const paid = { everCharged: true, nextNumber: 2, mandateStatus: 'active' } as const;
  await inTransaction(db, async (trx) => {
    for (const { id: subscriptionId, mandate } of people) {
      await insertSubscription(trx, {
        ...{ ...next, ...paid, id: subscriptionId, merchantId, planId: id, nextActionAt: after(now, 365 * DAY_MS) },
        ...{ wallet: mandate.payer, mandateId: mandate.id, network: network.name, token: 'USDT' },
        ...{ customerEmail: 'crowd@example.org', locale: null, customerName: 'One of many', subscribedBy: 'merchant' },
        ...{ amountMinor: PRICE_MINOR, currency: 'USD', eventSequence: 0, createdAt: start, updatedAt: start },
      });
      await insertMandate(trx, { ...mandate, authorizedAt: start });
    }
  });
}

/**
 * Writes balances of ten prices, full allowances and agreements into the contracts' storage, because thousands of
 * signatures would take longer than the measurement. Throws if the contracts store them elsewhere.
 */
async function prepareChain(network: EvmNetwork, { contract }: Token, people: readonly Person[]): Promise<void> {
  const rpc = createRpc(network.rpcUrl);
  const collector = network.collector as Address;
  const writes = people.flatMap(({ mandate: { id, payer } }): [contract: string, slot: Hex, value: bigint][] => [
    [contract, placeOf(payer as Address, pad(toHex(BALANCES))), 10n * CROWD_PRICE_UNITS],
    [contract, placeOf(collector, placeOf(payer as Address, pad(toHex(ALLOWANCES)))), 2n ** 256n - 1n],
    [collector, keccak256(`${id as Hex}${placeOf(payer as Address, pad(toHex(AGREEMENTS))).slice(2)}`), ACTIVE],
  ]);
  for (const some of piecesOf(writes, WRITES_AT_ONCE)) {
    await Promise.all(some.map(([place, slot, value]) => rpc('anvil_setStorageAt', [place, slot, pad(toHex(value))])));
  }
  const { id, payer } = people[0]?.mandate ?? { id: '', payer: '' };
  const { status } = await readMandateState(openReader(network.rpcUrl), collector, payer as Address, id as Hex);
  if (status !== 'active') throw new Error('the collector keeps agreements elsewhere');
}

/** The storage slot of an address in a mapping. */
const placeOf = (key: Address, slot: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]));

type Person = { readonly id: string; readonly mandate: StoredMandate };
