import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BitcoinWorld, openBitcoinWorld } from './bitcoin-fixture.ts';

let world: BitcoinWorld;
beforeAll(async () => {
  world = await openBitcoinWorld();
});
afterAll(async () => {
  await world.reconcile();
  await world.close();
});

/** The node of BITCOIN_RPC_URL, if there is one, forgets no transaction. */
const isBcoin = process.env['BITCOIN_RPC_URL'] === undefined;

test('waits in the pool, where its payer sees it, and is paid by its block', async () => {
  const payment = await world.ask();
  const { txid } = await world.wallet.pay([await payment.due()]);
  await world.look();
  expect(await payment.state()).toBe('confirming 100');
  expect((await payment.read()).transactions).toMatchObject([{ hash: txid, token: 'BTC', block: 0, confirmations: 0 }]);
  await world.restart();
  await world.look();
  await world.mine();
  expect(await payment.state()).toBe('paid 100');
  const { transactions } = await payment.read();
  expect(transactions).toMatchObject([{ hash: txid, confirmations: 1, worth: { amount: '100.000000' } }]);
  expect(await payment.events()).toBe('created confirming completed');
  expect(await payment.rows()).toHaveLength(1);
});

test('is not asked for in amounts that no node passes on', async () => {
  // 333 satoshis, and 550.
  await expect(world.ask(0.2)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/too little .* BTC/),
  });
  expect(await (await world.ask(0.33)).state()).toBe('initiated 0');
});

test('pays two payments by one transaction, one of them in two parts, and a third one by a block alone', async () => {
  const [first, second, third] = [await world.ask(), await world.ask(), await world.ask()];
  await world.wallet.pay([await first.due(), await second.due(0.5), await second.due(0.5)]);
  await world.look();
  expect([await first.state(), await second.state()]).toEqual(['confirming 100', 'confirming 100']);
  await world.wallet.pay([await third.due()]);
  await world.mine();
  expect([await first.state(), await second.state(), await third.state()]).toEqual([
    'paid 100',
    'paid 100',
    'paid 100',
  ]);
  expect([(await second.rows()).length, await third.events()]).toEqual([2, 'created confirming completed']);
});

describe('replaced', () => {
  test('by a higher fee, in the pool and again when it is mined, it stays the same payment', async () => {
    const payment = await world.ask();
    const { txid } = await world.wallet.pay([await payment.due()]);
    await world.look();
    const dearer = await world.wallet.replace(txid);
    await world.look();
    expect(await payment.state()).toBe('confirming 100');
    const dearest = await world.wallet.replace(dearer.txid);
    await world.mine();
    expect(await payment.state()).toBe('paid 100');
    expect(await payment.events()).toBe('created confirming completed');
    const rows = await payment.rows();
    expect(rows.map(({ tx_hash, gone_because, replaced_by }) => [tx_hash, gone_because, replaced_by])).toEqual([
      [txid, 'replaced', dearer.txid],
      [dearer.txid, 'replaced', dearest.txid],
      [dearest.txid, null, null],
    ]);
    expect(rows[2]?.arrived_at).toEqual(rows[0]?.arrived_at);
  });

  test('by one to another address, the payment waits again, and a payer may pay it after all', async () => {
    const payment = await world.ask();
    const { txid } = await world.wallet.pay([await payment.due()]);
    await world.look();
    const other = await world.wallet.replace(txid, { from: payment.address, to: world.wallet.sink });
    await world.look();
    expect(await payment.state()).toBe('pending 0');
    expect(await payment.rows()).toMatchObject([{ canonical: false, replaced_by: other.txid }]);
    await world.wallet.pay([await payment.due()]);
    await world.mine();
    expect(await payment.state()).toBe('paid 100');
    expect(await payment.events()).toBe('created confirming reverted confirming completed');
  });

  test('by a block, as when coins are spent twice, the payment waits again', async () => {
    const payment = await world.ask();
    const { txid } = await world.wallet.pay([await payment.due()]);
    await world.look();
    const other = await world.wallet.doubleSpend(txid);
    await world.look();
    expect(await payment.state()).toBe('pending 0');
    expect(await payment.rows()).toMatchObject([
      { canonical: false, gone_because: 'replaced', replaced_by: other.txid },
    ]);
    expect(await payment.events()).toBe('created confirming reverted');
  });
});

test.runIf(isBcoin)(
  'evicted from every pool, it is waited for, given up, and paid when it is mined after all',
  async () => {
    const payment = await world.ask();
    const { txid } = await world.wallet.pay([await payment.due()]);
    await world.look();
    const [waiting] = await world.node.listPool();
    await world.node.evict(txid);
    await world.look();
    await world.pass(9);
    await world.restart();
    await world.look();
    expect(await payment.state()).toBe('confirming 100');
    await world.pass(2);
    await world.look();
    expect(await payment.state()).toBe('pending 0');
    expect(await payment.rows()).toMatchObject([{ gone_because: 'dropped', replaced_by: null }]);
    await world.pass(20);
    await world.node.mineOnly([waiting?.hex ?? '']);
    await world.look();
    expect(await payment.state()).toBe('paid 100');
    expect(await payment.events()).toBe('created confirming reverted confirming completed');
    expect(await payment.rows()).toHaveLength(1);
  },
);

describe('a reorg of three blocks', () => {
  test('that keeps the transactions changes nothing for long', async () => {
    const payment = await world.ask();
    const before = await world.available();
    await world.wallet.pay([await payment.due()]);
    await world.mine(3);
    expect(await payment.state()).toBe('paid 100');
    await world.node.reorg(3, true);
    await world.look();
    expect([await payment.state(), await world.available()]).toEqual(['paid 100', before + 100]);
    const rows = await payment.rows();
    expect([rows.length, rows[0]?.inclusion]).toEqual([1, 1]);
  });

  test.runIf(isBcoin)('that drops them takes the money back once no node has them, and gives it back', async () => {
    const payment = await world.ask();
    const before = await world.available();
    await world.wallet.pay([await payment.due()]);
    await world.look();
    const [waiting] = await world.node.listPool();
    await world.mine(3);
    expect(await world.available()).toBe(before + 100);
    await world.node.reorg(3, false);
    await world.look();
    // It may wait in a pool that we don't see: the money is blocked, and not gone.
    expect([await payment.state(), await world.available()]).toEqual(['paid 100', before]);
    await world.pass(11);
    await world.look();
    expect([await payment.state(), await world.available()]).toEqual(['paid 0', before]);
    await world.node.mineOnly([waiting?.hex ?? '']);
    await world.look();
    expect([await payment.state(), await world.available()]).toEqual(['paid 100', before + 100]);
    expect(await payment.events()).toBe('created confirming completed reversed restored');
  });
});

test('a node that fell behind takes nothing back', async () => {
  const [mined, waiting] = [await world.ask(), await world.ask()];
  await world.wallet.pay([await mined.due()]);
  await world.mine();
  await world.wallet.pay([await waiting.due()]);
  await world.look();
  await world.rollBack(1);
  await world.look();
  expect([await mined.state(), await waiting.state()]).toEqual(['paid 100', 'confirming 100']);
  expect([await mined.events(), await waiting.events()]).toEqual([
    'created confirming completed',
    'created confirming',
  ]);
  await world.mine(2);
  expect(await waiting.state()).toBe('paid 100');
});
