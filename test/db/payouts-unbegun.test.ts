import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { AppError } from '../../src/lib/errors.ts';
import { newId } from '../../src/lib/ids.ts';
import { chooseUnbegun, type ExportDeps, exportPayouts } from '../../src/payouts/export.ts';
import type { Network } from '../../src/ports/chain.ts';
import { createPaymentWorld, type PaymentWorld, START, seedMerchant, TEST_NETWORK } from '../support/payments.ts';

const LEAST = 546n;
const [usdt] = TEST_NETWORK.tokens;
/** A network that lists USDT and a coin, and USDC no longer. */
const network: Network = {
  ...TEST_NETWORK,
  tokens: usdt ? [usdt] : [],
  native: { symbol: 'BTC', contract: '0x0000000000000000000000000000000000000000', decimals: 8 },
};

let world: PaymentWorld;
/** As who may write rows that no code makes. */
let owner: Db;
let paymentId: string;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = openDatabase({ url: world.database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => {} });
  // No ledger belongs to these.
  await sql`alter table refunds disable trigger refund_is_booked`.execute(owner);
  await sql`alter table ledger_accounts disable trigger user`.execute(owner);
  paymentId = (await world.create()).id;
});
beforeEach(() => sql`update refunds set status = 'processing' where status = 'pending'`.execute(owner));
afterAll(async () => {
  await owner.destroy();
  await world.close();
});

type Waiting = {
  readonly token: string;
  readonly units: bigint;
  readonly minute: number;
  readonly merchantId?: string;
  readonly decimals?: number;
};

/** Refunds that wait to be paid, in the order of their ids, which are returned. */
async function wait(
  times: number,
  { token, units, minute, merchantId = world.merchantId, decimals = token === 'BTC' ? 8 : 6 }: Waiting,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into refunds (id, merchant_id, payment_id, status, amount_minor, currency, from_suspense, from_available,
                         counted, token, network, decimals, units, reason, destination_address, destination_by,
                         destined_at, event_sequence, created_at, updated_at)
    select ${newId('refund', START)} || lpad(n::text, 4, '0'), ${merchantId}, ${paymentId}, 'pending', 100, 'USD', 0,
           1000000, true, ${token}, ${network.name}, ${decimals}, ${units}, 'Cold tea', '0xda', 'merchant',
           ${START}::timestamptz + ${minute}::integer * interval '1 minute', 1, ${START}, ${START}
      from generate_series(1, ${times}::integer) n returning id`.execute(owner);
  return rows.map(({ id }) => id).toSorted();
}

const choose = (): Promise<string[]> => chooseUnbegun({ db: world.db, chains: { leastPayout: () => LEAST } }, network);

const none = async (): Promise<never> => {
  throw new Error('nothing is begun');
};

const depsOf = (writePayouts: ExportDeps['chains']['writePayouts']): ExportDeps => ({
  ...{ db: world.db, clock: createClock(() => 0), networks: [network], asAdmin: none },
  ...{ beginWithdrawal: none, beginRefund: none, exportWithdrawalAgain: none, exportRefundAgain: none },
  chains: { writePayouts, leastPayout: () => LEAST, presentAddress: (address) => address },
});

const audit = { record: async () => undefined, recordOther: async () => undefined } as never;
const principal = { adminId: 'adm_1' } as never;

/** A merchant that owes a dollar. */
async function debtor(): Promise<string> {
  const id = newId('merchant', START);
  await seedMerchant(world.db, id);
  await sql`update ledger_accounts set balance = -1000000 where id = ${`${id}:debt`}`.execute(owner);
  return id;
}

test('what can not be sent takes no place of what can, however much of it waits before', async () => {
  const dust = await wait(2_000, { token: 'BTC', units: LEAST - 1n, minute: 0 });
  const sent = await wait(2, { token: 'BTC', units: LEAST, minute: 1 });
  const last = await wait(1, { token: 'USDT', units: 1n, minute: 2 });
  expect(await choose()).toEqual([...sent, ...last, ...dust.slice(0, 100)]);
});

test('nor does what belongs to merchants that owe, or is of a token that is listed no more', async () => {
  const owed = await wait(1_500, { token: 'BTC', units: LEAST, minute: 0, merchantId: await debtor() });
  await wait(600, { token: 'USDC', units: 1n, minute: 1 });
  // Of a contract of before that had other decimals.
  await wait(600, { token: 'USDT', units: 1n, minute: 1, decimals: 18 });
  const sent = await wait(120, { token: 'USDT', units: 1n, minute: 2 });
  expect(await choose()).toEqual([...sent.slice(0, 100), ...owed.slice(0, 100)]);
});

test('the file pays the fee of its trial, though more is advised by the time that payouts were begun', async () => {
  const rates: (number | null)[] = [];
  let advised = 2;
  const writePayouts: ExportDeps['chains']['writePayouts'] = async (_, { feeRate, isTrial }) => {
    rates.push(feeRate);
    const psbt = { psbt: '', txHash: '', fee: '0.00000000', feeRate: feeRate ?? advised };
    if (isTrial) advised = 300;
    return { safe: null, psbt };
  };
  const deps = depsOf(writePayouts);
  const order = { network: network.name, ids: [], principal, audit };
  expect((await exportPayouts(deps, { ...order, feeRate: null })).psbt?.feeRate).toBe(2);
  expect((await exportPayouts(deps, { ...order, feeRate: 5 })).psbt?.feeRate).toBe(5);
  expect(rates).toEqual([null, 2, 5, 5]);
});

test('nothing is handed out again for an administrator whose session ended since', async () => {
  const [id = ''] = await wait(1, { token: 'USDT', units: 1n, minute: 0 });
  await sql`update refunds set status = 'processing' where id = ${id}`.execute(owner);
  const files: (readonly string[])[] = [];
  const again: string[] = [];
  let hasEnded = false;
  const deps: ExportDeps = {
    ...depsOf(async (_, { payouts, isTrial }) => {
      if (!isTrial) files.push(payouts.map((each) => each.id));
      return { safe: null, psbt: null };
    }),
    asAdmin: async (_, work) => {
      if (hasEnded) throw new AppError('UNAUTHORIZED', 'The session has ended.');
      return inTransaction(world.db, work);
    },
    exportRefundAgain: async (_, payout) => again.push(payout.id),
  };
  const order = { network: network.name, ids: [id], principal, audit, feeRate: null };
  expect(await exportPayouts(deps, order)).toMatchObject({ payouts: [{ id }], refused: [] });
  hasEnded = true;
  const refused = await exportPayouts(deps, order);
  expect(refused).toMatchObject({ payouts: [], refused: [{ id, error: { code: 'UNAUTHORIZED' } }] });
  expect(again).toEqual([id]);
  expect(files).toEqual([[id], []]);
});
