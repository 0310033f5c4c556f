import { sql } from 'kysely';
import { getAddress, parseEther } from 'viem';
import { getBalance, getTransactionReceipt } from 'viem/actions';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { SweepLimits } from '../../src/ports/treasury.ts';
import { sandboxSweepKey } from '../../src/sandbox/network.ts';
import { planSweep, reasonToWait } from '../../src/treasury/sweep.ts';
import { insertSweep } from '../../src/treasury/sweep-queries.ts';
import { chainsOf } from '../support/chains.ts';
import { send, walletOf } from '../support/evm.ts';
import { START } from '../support/payments.ts';
import { countWaitingFor } from '../support/waiting.ts';
import { openTreasury, type Treasury } from './fixture.ts';

const USDT = 1_000_000n;
const HASH = /0x[0-9a-f]{64}/g;

let treasury: Treasury;
beforeAll(async () => {
  treasury = await openTreasury();
});
afterAll(() => treasury.close());

/** Payments to each of which this much was paid, confirmed. */
async function paid(count: number, units: bigint): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (let i = 0; i < count; i += 1) payments.push(await treasury.world.create());
  await Promise.all(payments.map((payment) => treasury.pay(treasury.addressOf(payment), units)));
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan(...payments);
  // What became deep enough is confirmed by the job for plain payments, which this world has not.
  await sql`update credits set confirmed_at = now() where confirmed_at is null`.execute(treasury.world.db);
  return payments;
}

const sweep = (...args: string[]) => treasury.run('sweep.ts', '--no-wait', ...args);
const outcomes = async () =>
  (await treasury.world.db.selectFrom('sweep_items').select(['payment_id', 'outcome']).execute()).toSorted((a, b) =>
    a.payment_id < b.payment_id ? -1 : 1,
  );
const gasOf = async (out: string): Promise<number> => {
  let total = 0n;
  for (const [hash] of out.matchAll(HASH))
    total += (await getTransactionReceipt(walletOf(treasury.node), { hash: hash as `0x${string}` })).gasUsed;
  return Number(total);
};

test('a network or token that is not listed is named, with those that are', async () => {
  const refused = async (...args: string[]) => {
    const { code, err } = await treasury.run('sweep.ts', '--dry-run', ...args);
    return [code, err.split('\n')[0]];
  };
  expect(await refused('nope')).toEqual([2, 'No network "nope" is listed. Listed: devnet.']);
  const [code, reason] = await refused('devnet', 'USDX');
  expect(code).toBe(2);
  expect(reason).toMatch(/^devnet has no "USDX"\. Listed: .*USDT/);
});

test('three deposits of a millionth of a dollar are left where they are, for no gas at all', async () => {
  const before = await treasury.node.rpc('eth_blockNumber');
  await paid(3, 1n);
  const mined = Number(await treasury.node.rpc('eth_blockNumber'));
  expect(mined).toBeGreaterThan(Number(before));
  const dry = await treasury.run('sweep.ts', '--dry-run');
  expect(dry).toMatchObject({ code: 0, err: '' });
  expect(dry.out).toBe('devnet USDT: 3 deposits below 1 USDT, 0.000003 USDT together, stay\nNothing was sent.\n');
  const { out, code } = await sweep();
  expect(code).toBe(0);
  expect(out).toContain('There is nothing to sweep.');
  expect(Number(await treasury.node.rpc('eth_blockNumber'))).toBe(mined);
  expect(await treasury.world.db.selectFrom('operator_transactions').selectAll().execute()).toEqual([]);
});

test('deposits that are worth it reach the treasury in one stored transaction, first and later, as cheap as the contract is', async () => {
  const payments = await paid(50, 20n * USDT);
  const dry = await treasury.run('sweep.ts', '--dry-run', 'devnet', 'USDT');
  expect(dry.out).toMatch(/devnet USDT: 50 deposits, 1000 USDT: \d+ gas \(\d+ each\), 0\.\d+ of the coin\n/);
  const first = await sweep('devnet');
  expect(first).toMatchObject({ code: 0, err: '' });
  // Twice at once, or again before it is confirmed: money is in one sweep at a time.
  expect((await sweep('devnet')).out).toContain('There is nothing to sweep.');
  await treasury.settle();
  expect(await outcomes()).toEqual(
    payments
      .map(({ id }) => ({ payment_id: id, outcome: 'moved' }))
      .toSorted((a, b) => (a.payment_id < b.payment_id ? -1 : 1)),
  );
  expect((await gasOf(first.out)) / 50).toBeLessThan(66_000);
  await Promise.all(payments.map((payment) => treasury.pay(treasury.addressOf(payment), 2n * USDT)));
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan(...payments);
  await sql`update credits set confirmed_at = now() where confirmed_at is null`.execute(treasury.world.db);
  const later = await sweep('devnet');
  await treasury.settle();
  expect((await gasOf(later.out)) / 50).toBeLessThan(12_300);
  const reconciled = await treasury.run('reconcile.ts');
  expect(reconciled).toMatchObject({ code: 0, err: '' });
  expect(reconciled.out).toContain(
    'USDT: treasury 1100 (swept 1100, collected 0, foreign 0, spent 0); unswept 0.000003',
  );
});

test('a deposit that does not move becomes an incident, stops no other, and is tried again a day later', async () => {
  const { node, world } = treasury;
  const [blocked, free] = (await paid(2, 30n * USDT)) as [Payment, Payment];
  expect(await sweep('devnet', 'USDT')).toMatchObject({ code: 0, err: '' });
  // As if the issuer had blocked the address: whatever it is asked is reverted.
  await node.rpc('anvil_setCode', [treasury.addressOf(blocked), '0x60006000fd']);
  await treasury.settle(new Date());
  const mine = (await outcomes()).filter(({ payment_id }) => [blocked.id, free.id].includes(payment_id));
  expect(mine).toEqual([
    { payment_id: blocked.id, outcome: 'refused' },
    { payment_id: free.id, outcome: 'moved' },
  ]);
  const incidents = () =>
    world.db.selectFrom('incidents').select(['kind', 'subject']).where('resolved_at', 'is', null).execute();
  expect(await incidents()).toEqual([{ kind: 'sweep.refused', subject: 'devnet' }]);
  expect((await sweep('devnet', 'USDT')).out).toContain('There is nothing to sweep.');
  await node.rpc('anvil_setCode', [treasury.addressOf(blocked), '0x']);
  await sql`update sweeps set finished_at = finished_at - interval '25 hours'`.execute(world.db);
  expect((await sweep('devnet', 'USDT')).out).toMatch(/^devnet USDT: 1 deposits, 30 USDT: /);
  await treasury.settle();
  expect(await incidents()).toEqual([]);
});

test('ether that somebody sent by mistake is swept for the payments that are named', async () => {
  const [payment] = (await paid(1, 1n)) as [Payment];
  const wallet = walletOf(treasury.node);
  await send(wallet, { to: getAddress(treasury.addressOf(payment)), value: parseEther('0.5') });
  const before = await getBalance(wallet, { address: getAddress(treasury.network.treasury) });
  expect(await sweep('devnet', 'native', payment.id)).toMatchObject({ code: 0, err: '' });
  await treasury.settle();
  expect(await getBalance(wallet, { address: getAddress(treasury.network.treasury) })).toBe(before + parseEther('0.5'));
  expect(await sweep('devnet', 'native', 'pay_none')).toMatchObject({
    code: 1,
    err: expect.stringContaining('pay_none'),
  });
});

const REVERTS = '0x60006000fd';

/** With this code at a contract meanwhile. */
async function withCode<T>(address: string, code: string, work: () => Promise<T>): Promise<T> {
  const own = await treasury.node.rpc('eth_getCode', [address, 'latest']);
  await treasury.node.rpc('anvil_setCode', [address, code]);
  return work().finally(() => treasury.node.rpc('anvil_setCode', [address, own]));
}

test('a sweep that the chain reverts ends the command that waits for it with 1', async () => {
  await paid(1, 30n * USDT);
  const running = treasury.run('sweep.ts', 'devnet', 'USDT');
  const findOpen = () =>
    treasury.world.db.selectFrom('sweeps').select('id').where('status', '=', 'open').executeTakeFirst();
  await vi.waitUntil(findOpen, { timeout: 60_000 });
  await withCode(treasury.network.factory, REVERTS, () => treasury.settle(new Date()));
  const { code, out, err } = await running;
  expect(out).toMatch(/transaction 0x[0-9a-f]{64}: (mined|confirmed)\n$/);
  expect(err).toMatch(/^0x[0-9a-f]{64} on devnet was reverted: nothing was moved by it\.\n$/);
  expect(code).toBe(1);
  await sql`update sweeps set finished_at = finished_at - interval '25 hours'`.execute(treasury.world.db);
  await sweep('devnet', 'USDT');
  await treasury.settle();
});

test('deposits that another sweep takes meanwhile are said, end the command with 1, and stop no other asset', async () => {
  const { db } = treasury.world;
  const [first, other] = await paid(2, 30n * USDT);
  await treasury.pay(treasury.addressOf(other!), 40n * USDT, 'USDC');
  await treasury.node.rpc('anvil_mine', [3]);
  await treasury.scan(other!);
  await sql`update credits set confirmed_at = now() where confirmed_at is null`.execute(db);
  const contract = treasury.network.tokens.find(({ symbol }) => symbol === 'USDT')!.contract;
  const late = await inTransaction(db, async (trx) => {
    await sql`lock table sweeps in share row exclusive mode`.execute(trx);
    const running = sweep();
    await vi.waitUntil(async () => (await countWaitingFor(db, 'sweeps')) > 0, { timeout: 60_000 });
    const deposit = {
      address: treasury.addressOf(first!).toLowerCase(),
      paymentId: first!.id,
      factory: '0x',
      units: 1n,
    };
    const taken = { id: newId('operatorTransaction', START), network: 'devnet', contract, height: 1 };
    await insertSweep(trx, { ...taken, factory: '0x', work: 1n, deposits: [deposit] }, START);
    return { running };
  });
  const { code, out, err } = await late.running;
  expect(err).toBe(
    'devnet USDT: could not be swept: another sweep has taken one of its deposits meanwhile; run it again\n',
  );
  expect(out).toMatch(/^devnet USDC: 1 deposits, 40 USDC: /m);
  expect(out).toMatch(/^transaction 0x/m);
  expect(code).toBe(1);
  await sql`update sweeps set status = 'dropped', finished_at = now() where factory = '0x'`.execute(db);
  await sql`update sweep_items set outcome = 'unsent' where units = 1`.execute(db);
  await treasury.settle();
  expect(await sweep()).toMatchObject({ code: 0, err: '' });
  await treasury.settle();
});

test('what waits for cheaper gas is not called nothing', async () => {
  const [payment] = await paid(1, 30n * USDT);
  await treasury.node.rpc('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca0000000']);
  await treasury.node.rpc('anvil_mine', [1]);
  onTestFinished(async () => {
    await treasury.node.rpc('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
    await treasury.node.rpc('anvil_mine', [1]);
    await sweep('devnet', 'USDT');
    await treasury.settle();
  });
  const dear = await sweep('devnet', 'USDT');
  expect(dear).toMatchObject({ code: 0, err: '' });
  expect(dear.out).toMatch(
    /; it waits, because a unit of gas costs \d+ wei, [\s\S]*\nNothing was swept: all of it waits\.\n$/,
  );
  const coin = await sweep('devnet', 'native', payment!.id);
  expect(coin.out).toMatch(
    /^devnet ETH: waits, because a unit of gas costs \d+ wei, more than the \d+ that are allowed .*\nNothing was swept\.\n$/,
  );
  expect(coin).toMatchObject({ code: 0, err: '' });
});

const LIMITS: SweepLimits = {
  ...{ minimumMicro: 1n, priceMax: 10n, feeMax: 500_000n, workMax: () => 80_000n, workOfBatch: 50_000n, batchMax: 200 },
};
const USDT_TOKEN = { symbol: 'USDT', contract: '0x', decimals: 6 } as const;

test.each([
  ['pays', { work: 130_000n, price: 5n }, null],
  ['a token that takes too much gas', { work: 212_000n, price: 4n }, 'sweep.gasMax'],
  ['dear gas', { work: 130_000n, price: 11n }, 'sweep.gasPriceMaxGwei'],
  ['a fee above the cap', { work: 130_000n, price: 8n }, 'sweep.feeMax'],
])('a batch of two waits for its reason: %s', (_, { work, price }, reason) => {
  const call = { to: '0x', data: '0x', gas: work, work };
  const waits = reasonToWait(LIMITS, USDT_TOKEN, { page: [1, 2], call, fee: price * work, price });
  if (reason === null) expect(waits).toBeNull();
  else expect(waits).toContain(reason);
});

test('deposits that somebody has swept already do not hide the smaller ones that still lie there', async () => {
  const { db } = treasury.world;
  const [large, other] = await paid(2, 90n * USDT);
  const [small] = await paid(1, 3n * USDT);
  await treasury.sweepAsStranger(large!, other!);
  await treasury.scan();
  const network = treasury.network;
  const plan = await planSweep(
    { db, chains: chainsOf(network), coinWorth: async () => null },
    network,
    network.tokens[0]!,
    {
      ...{ from: operatorOfKey(sandboxSweepKey()).address, now: START, settledFor: 0, pageSize: 2 },
    },
  );
  const planned = plan!.batches.flatMap(({ deposits }) => deposits.map(({ paymentId }) => paymentId));
  expect(planned).toContain(small!.id);
  expect(planned).not.toContain(large!.id);
});
