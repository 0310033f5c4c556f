import { expect } from 'vitest';
import { sandboxTest } from '../sandbox-fixture.ts';
import { expectKeysKept, sendUnderKey } from '../support/idempotency.ts';
import type { Trader } from '../support/sandbox-service.ts';

const test = sandboxTest({ bitcoin: true });

/** A payment with a transfer that waits in the pool. */
async function leaveWaiting({ client }: Trader) {
  const { id } = await client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['BTC'] });
  const sent = await client.sandbox.payments.pay(id, { confirm: false });
  expect(sent).toMatchObject({ network: 'regtest', token: 'BTC', block: 0 });
  expect(await client.payments.get(id)).toMatchObject({ status: 'confirming' });
  return { id, txHash: sent.txHash };
}

test('a higher fee keeps the payment, which the next block pays', async ({ trader }) => {
  const { id, txHash } = await leaveWaiting(trader);
  const { payments, sandbox } = trader.client;
  const replaced = await sandbox.payments.replace(id, { by: 'same_address', txHash });
  expect(replaced).toMatchObject({ paymentId: id, network: 'regtest', replacedTxHash: txHash, block: 0 });
  expect(await payments.get(id)).toMatchObject({ status: 'confirming', amountDue: 0 });
  await sandbox.chain.mine({ blocks: 1, network: 'regtest' });
  expect(await trader.reaches(id, 'paid')).toMatchObject({ txHash: replaced.txHash, amountReceived: 25 });
  await expect(sandbox.payments.replace(id, { by: 'nothing' })).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
  });
});

test.for(['other_address', 'double_spend', 'nothing'] as const)('%s takes the payment back', async (by, { trader }) => {
  const { id } = await leaveWaiting(trader);
  const { txHash, block } = await trader.client.sandbox.payments.replace(id, { by });
  expect([txHash === null, block > 0]).toEqual([by === 'nothing', by === 'double_spend']);
  expect(await trader.client.payments.get(id)).toMatchObject({ status: 'pending', amountReceived: 0 });
  const gone = (await trader.client.payments.timeline(id)).data.find(({ type }) => type === 'transfer.gone');
  expect(gone?.text).toContain(by === 'nothing' ? 'gone from the pool' : `replaced by ${txHash}`);
});

test('refuses what is wrong, and who may not', async ({ sandbox, trader }) => {
  const { id } = await leaveWaiting(trader);
  const replace = (by: string, payment = id, client = trader.client) =>
    client.sandbox.payments.replace(payment, { by } as { by: 'nothing' });
  await expect(replace('magic')).rejects.toMatchObject({ status: 400, fields: [{ path: 'by' }] });
  await expect(replace('nothing', 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const { client } = await sandbox.openTrader();
  await expect(replace('nothing', id, client)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(replace('nothing', id, sandbox.client())).rejects.toMatchObject({
    status: 401,
    reason: 'token_missing',
  });
});

test('replaces once per idempotency key', async ({ sandbox, trader }) => {
  const { id } = await leaveWaiting(trader);
  await expectKeysKept({
    operationId: 'replaceSandboxTransfer',
    merchantId: trader.id,
    db: sandbox.service().platform.db,
    path: `/v1/sandbox/payments/${id}/replace`,
    send: sendUnderKey(sandbox.url(), trader.client.tokens()?.token, '{"by":"same_address"}'),
  });
});

test('lists both networks, and reorganises the one that is named', async ({ trader }) => {
  const { sandbox } = trader.client;
  const { networks } = await sandbox.get();
  expect(networks.map(({ network }) => network)).toEqual(['devnet', 'regtest']);
  expect(new URL(networks[1]!.rpcUrl)).toMatchObject({ username: '', password: '' });
  const before = await sandbox.chain.mine({ blocks: 2, network: 'regtest' });
  const after = await sandbox.chain.reorg({ depth: 2, network: 'regtest' });
  expect(after).toMatchObject({ network: 'regtest', blockNumber: before.blockNumber + 1 });
  await expect(sandbox.chain.mine({ blocks: 1, network: 'mars' })).rejects.toMatchObject({ status: 400 });
});
