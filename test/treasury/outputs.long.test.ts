import { pbkdf2Sync } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { scriptOf } from '../../src/chains/bitcoin/addresses.ts';
import { signSpending } from '../../src/chains/bitcoin/dev-wallet.ts';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { formatUnits } from '../../src/lib/money.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { listHeldOutputs } from '../../src/payments/swept.ts';
import type { Payment } from '../../src/payments/types.ts';
import { allFindings, reconcileChains } from '../../src/reconcile/chains.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { treasuryMatcher } from '../../src/treasury/reorg.ts';
import { listRetired } from '../../src/treasury/retired.ts';
import { openBitcoin } from '../chains/bitcoin-fixture.ts';
import { chainsOf } from '../support/chains.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const ASKED = 166_667n;

let chain: Awaited<ReturnType<typeof openBitcoin>>;
let world: PaymentWorld;
let watcher: ReturnType<typeof createWatcher>;
beforeAll(async () => {
  chain = await openBitcoin(inject('runFolder'));
  const { network } = chain;
  world = await createPaymentWorld({}, network, { native: network.native, prices: { BTC: '60000' } });
  watcher = createWatcher({
    ...{ db: world.db, network, worker: 'test', now: () => START, log: () => undefined },
    ...{ reader: bitcoin.openReader(network), confirmationsOn: async () => 1 },
    matchers: [treasuryMatcher([network]), paymentMatcher],
  });
  await scan();
});
afterAll(async () => {
  await watcher?.release();
  await world?.close();
  await chain?.close();
});

/** Scans the chain to its head and applies what arrived for these payments. */
async function scan(...payments: readonly Payment[]): Promise<void> {
  while ((await watcher.look()) !== 'level');
  for (const payment of payments) await world.apply(payment);
}

const addressOf = (payment: Payment): string => payment.options[0]?.address ?? '';

/** A payment to which these outputs were paid by one transaction, in a block that is scanned. */
async function paid(...outputs: readonly bigint[]): Promise<Payment> {
  const payment = await world.create();
  await chain.wallet.pay(outputs.map((units) => ({ address: addressOf(payment), units })));
  await chain.node.mine(1);
  await scan(payment);
  return payment;
}

/** What a comparison finds, and its figures. */
async function compare(now = START, all = false) {
  const result = await reconcileChains(
    { db: world.db, networks: [chain.network], chains: chainsOf(chain.network) },
    { now, all },
  );
  const outcome = result.outcomes.get(chain.network.name);
  if (outcome?.kind !== 'outputs') throw outcome?.kind === 'failed' ? outcome.error : new Error('nothing was compared');
  const { findings } = await reconcile(world.db);
  const { blocks, outputs, unspent, spent } = outcome.comparison;
  const texts = [...findings, ...allFindings(result)].map(
    ({ rule, subject, message }) => `${rule}: ${subject}: ${message}`,
  );
  return { findings: texts, blocks, outputs, unspent, spent };
}

const creditsOf = (payment: Payment) =>
  world.db.selectFrom('credits').selectAll().where('payment_id', '=', payment.id).orderBy('transfer_index').execute();

test('outputs that were credited are found again once, those that wait are not looked for, and a reorg is followed', async () => {
  const whole = await paid(ASKED);
  await paid(100_000n, 66_667n);
  const waiting = await world.create();
  await chain.wallet.pay([{ address: addressOf(waiting), units: ASKED }]);
  await scan(waiting);
  expect(await creditsOf(waiting)).toMatchObject([{ canonical: true, block_hash: 'pool' }]);
  expect(await compare()).toMatchObject({ findings: [], outputs: 3, unspent: 2n * ASKED, spent: 0n });
  expect(await compare()).toMatchObject({ findings: [], blocks: 0, outputs: 0, unspent: 2n * ASKED });
  await chain.node.reorg(2, true);
  await scan(whole, waiting);
  expect(await compare()).toMatchObject({ findings: [], blocks: 3, outputs: 3, unspent: 2n * ASKED });
});

test('of a network that is no longer listed is said what of its outputs is not known to be spent', async () => {
  const { name: network } = chain.network;
  await paid(ASKED);
  const waiting = await world.create();
  await chain.wallet.pay([{ address: addressOf(waiting), units: ASKED }]);
  await scan(waiting);
  const { unspent } = await compare();
  expect(unspent).toBeGreaterThan(0n);
  const amount = formatUnits(unspent, 8);
  expect(await listRetired(world.db, [])).toMatchObject([{ network, held: [], unspent: [{ token: 'BTC', amount }] }]);
  expect(await listRetired(world.db, [chain.network])).toEqual([]);
});

test('an output that was never credited is found every time until it is', async () => {
  const payment = await paid(ASKED);
  const [credit] = await creditsOf(payment);
  const found = `chain.output: ${credit?.tx_hash}:${credit?.transfer_index}: it pays 0.00166667 BTC to a deposit address in block ${credit?.block_number}, and was never credited`;
  await world.db.updateTable('credits').set({ canonical: false }).where('payment_id', '=', payment.id).execute();
  for (let night = 0; night < 2; night += 1) {
    await chain.node.mine(2);
    await scan();
    expect((await compare()).findings).toContainEqual(found);
  }
  await world.db.updateTable('credits').set({ canonical: true }).where('payment_id', '=', payment.id).execute();
  expect((await compare()).findings).toEqual([]);
});

test.each<[string, Record<string, unknown>, RegExp]>([
  [
    'of another amount',
    { amount_units: 166_668n },
    /it credits 0.00166668 BTC of output \w+:\d, and block \d+ \(\w+\) has no such output/,
  ],
  ['of another transaction', { tx_hash: 'ab'.repeat(32) }, /it credits 0.00166667 BTC of output (ab)+:\d/],
])('a credit %s than the chain has is found', async (_, change, finding) => {
  const payment = await paid(ASKED);
  const [before] = await creditsOf(payment);
  await world.db.updateTable('credits').set(change).where('payment_id', '=', payment.id).execute();
  const { findings } = await compare();
  expect(findings.filter((text) => text.startsWith(`chain.output: ${before?.id}: `))).toContainEqual(
    expect.stringMatching(finding),
  );
  const { amount_units, tx_hash } = before as NonNullable<typeof before>;
  await world.db.updateTable('credits').set({ amount_units, tx_hash }).where('payment_id', '=', payment.id).execute();
  expect((await compare()).findings).toEqual([]);
});

/** Spends what was paid to a deposit address, as only the platform's wallet can. */
async function spend(payment: Payment): Promise<void> {
  const [credit] = await creditsOf(payment);
  const { index } = await world.db
    .selectFrom('bitcoin_deposits')
    .select('index')
    .where('payment_id', '=', payment.id)
    .executeTakeFirstOrThrow();
  const seed = pbkdf2Sync(MNEMONIC, 'mnemonic', 2048, 64, 'sha512');
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(`m/84'/1'/1'/0/${index}`);
  const { tx_hash: txid = '', transfer_index = 0 } = credit ?? {};
  const script = scriptOf(addressOf(payment))!;
  const signed = signSpending({
    coins: [{ txid, index: transfer_index, units: ASKED }],
    outputs: [{ script: scriptOf(chain.wallet.sink)!, units: ASKED - 400n }],
    owner: { address: '', script, privateKey: privateKey as Uint8Array },
    feeRate: 2,
  });
  await chain.node.mineOnly([signed?.hex ?? '']);
}

test('what the wallet of the platform has spent counts as spent once', async () => {
  const payment = await paid(ASKED);
  const { unspent } = await compare();
  await spend(payment);
  await scan(payment);
  const { spent, findings } = await compare();
  expect({ spent, findings }).toEqual({ spent: ASKED, findings: [] });
  expect(await creditsOf(payment)).toMatchObject([{ swept_at: START }]);
  expect(await compare()).toMatchObject({ unspent: unspent - ASKED, spent: 0n, findings: [] });
});

test('what was spent in a block that a reorg took lies there again, and can be drafted again', async () => {
  const payment = await paid(ASKED);
  const nights = [1, 2, 3].map((n) => after(START, n * DAY_MS));
  const { unspent } = await compare(nights[0]);
  await spend(payment);
  await scan(payment);
  expect(await compare(nights[1])).toMatchObject({ unspent: unspent - ASKED, spent: ASKED });
  await chain.node.reorg(1, false);
  await scan(payment);
  const held = async () =>
    (await listHeldOutputs(world.db, chain.network.name, 100)).some(({ paymentId }) => paymentId === payment.id);
  expect(await held()).toBe(false);
  expect(await compare(nights[2])).toMatchObject({ unspent, spent: 0n, findings: [] });
  expect(await held()).toBe(true);
  expect(await creditsOf(payment)).toMatchObject([{ swept_at: null }]);
});

test('what counts as spent is asked about for three nights, and later by a comparison of everything', async () => {
  const payment = await paid(ASKED);
  await world.db
    .updateTable('credits')
    .set({ swept_at: after(START, -10 * DAY_MS) })
    .where('payment_id', '=', payment.id)
    .execute();
  await compare();
  expect(await creditsOf(payment)).toMatchObject([{ swept_at: after(START, -10 * DAY_MS) }]);
  await compare(START, true);
  expect(await creditsOf(payment)).toMatchObject([{ swept_at: null }]);
});
