import { type Address, formatEther, getAddress, type Hex, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect } from 'vitest';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createTestAdmin } from '../support/admins.ts';
import { send, walletOf } from '../support/evm.ts';
import { BANK } from '../support/payouts.ts';
import { secretOf } from '../support/refunds.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';

const test = sandboxTest().extend('admin', { scope: 'file' }, ({ sandbox }) => {
  const { db, clock } = sandbox.service().platform;
  return createTestAdmin({ db, clock, url: sandbox.url(), fetch });
});

const newAddress = (): Address => privateKeyToAddress(generatePrivateKey());

async function paid({ client, reaches }: Trader, token: 'USDT' | 'USDC' | 'ETH', amount = 100): Promise<string> {
  const { id } = await client.payments.create({ amount, currency: 'USD', acceptedTokens: [token] });
  await client.sandbox.payments.pay(id, { token });
  await reaches(id, 'paid');
  return id;
}

async function refundTo(sandbox: SandboxService, { client }: Trader, paymentId: string, to: Address): Promise<string> {
  const made = await client.refunds.create(paymentId, { amount: 1, reason: 'Sold out.' });
  await sandbox.client().public.refunds.claim(secretOf(made), { destinationAddress: to });
  return made.id;
}

test('what waits is handed out once, as a table and as transactions that pay it', async ({
  sandbox,
  trader,
  admin,
}) => {
  const inTokens = await paid(trader, 'USDT');
  const inCoins = await paid(trader, 'ETH');
  const [toOne, toTwo] = [newAddress(), newAddress()];
  const one = await refundTo(sandbox, trader, inTokens, toOne);
  const two = await refundTo(sandbox, trader, inCoins, toTwo);
  const network = sandbox.network.name;

  const [first, second] = await Promise.all([1, 2].map(() => admin.client.payouts.export({ network })));
  // Two ask at once: each payout is in one of their files.
  const both = [first!, second!];
  const given = both.flatMap(({ payouts }) => payouts.map(({ id }) => id));
  expect(given.toSorted()).toEqual([one, two].toSorted());
  expect(await admin.client.payouts.export({ network })).toMatchObject({ payouts: [], refused: [], safe: null });

  // By its name a payout is handed out again, as after a file was lost.
  const again = await admin.client.payouts.export({ network, payoutIds: [one, two] });
  expect(again.payouts.map(({ id, status }) => [id, status])).toEqual([
    [one, 'processing'],
    [two, 'processing'],
  ]);
  const usdt = sandbox.network.tokens.find(({ symbol }) => symbol === 'USDT')!;
  const [header, tokenLine, coinLine, end] = again.csv.split('\r\n');
  const units = parseUnits('1', usdt.decimals);
  const [, coin] = again.payouts;
  const wei = parseUnits(coin!.tokenAmount, 18);
  expect(header).toBe('id,kind,network,token,contract,destination,amount,units');
  expect(tokenLine).toBe(
    `${one},refund,${network},USDT,${getAddress(usdt.contract)},${toOne},${formatDollars(units)},${units}`,
  );
  expect(coinLine).toBe(`${two},refund,${network},ETH,,${toTwo},${formatEther(wei)},${wei}`);
  expect(end).toBe('');

  const { safe } = again;
  expect(safe).toMatchObject({ version: '1.0', chainId: String(sandbox.network.chainId), meta: { name: /./ } });
  const wallet = walletOf(sandbox.node);
  await sandbox.faucet.give(usdt, wallet.account.address, units);
  const hashes: Hex[] = [];
  for (const { to, value, data } of safe!.transactions)
    hashes.push((await send(wallet, { to: to as Address, value: BigInt(value), data: data as Hex })).transactionHash);
  await sandbox.node.rpc('anvil_mine', ['0x4']);
  for (const [place, id] of [one, two].entries())
    expect(await admin.client.refunds.complete(id, { txHash: hashes[place]! })).toMatchObject({ status: 'completed' });
});

const formatDollars = (units: bigint): string => `${units / 1_000_000n}.000000`;

test('what can not be sent from here is named with its reason, and stays as it was', async ({
  sandbox,
  trader,
  admin,
}) => {
  const network = sandbox.network.name;
  const paymentId = await paid(trader, 'USDT', 200);
  const { id: byBank } = await trader.client.withdrawals.create({ amount: 50, ...BANK });
  await admin.client.withdrawals.approve(byBank, {});
  const { id: unclaimed } = await trader.client.refunds.create(paymentId, { amount: 1, reason: 'Sold out.' });
  const refund = await refundTo(sandbox, trader, paymentId, newAddress());
  const unknown = 'rfd_01jggm5r8e3t6y9b2d4f7h0k1n';

  await admin.client.merchants.freeze(trader.id, { reason: 'Asked to.' });
  const frozen = await admin.client.payouts.export({ network, payoutIds: [refund] });
  expect(frozen).toMatchObject({ payouts: [], refused: [{ id: refund, reason: 'merchant_not_active' }], safe: null });
  expect(await admin.client.payouts.export({ network })).toMatchObject({ payouts: [], refused: [] });
  await admin.client.merchants.unfreeze(trader.id, {});

  // What was handed out before the merchant was frozen is not handed out again either.
  const handedOut = await refundTo(sandbox, trader, paymentId, newAddress());
  await admin.client.payouts.export({ network, payoutIds: [handedOut] });
  await admin.client.merchants.freeze(trader.id, { reason: 'Asked to.' });
  const again = await admin.client.payouts.export({ network, payoutIds: [handedOut] });
  expect(again).toMatchObject({ payouts: [], refused: [{ id: handedOut, reason: 'merchant_not_active' }], safe: null });
  await admin.client.merchants.unfreeze(trader.id, {});

  const payoutIds = [byBank, unclaimed, unknown, refund];
  const { payouts, refused } = await admin.client.payouts.export({ network, payoutIds });
  expect(payouts.map(({ id }) => id)).toEqual([refund]);
  expect(refused).toMatchObject([
    { id: byBank, code: 'CONFLICT', reason: 'no_address' },
    { id: unclaimed, code: 'NOT_FOUND' },
    { id: unknown, code: 'NOT_FOUND' },
  ]);
  expect(await admin.client.withdrawals.get(byBank)).toMatchObject({ status: 'approved' });

  await expect(admin.client.payouts.export({ network: 'nowhere' })).rejects.toMatchObject({
    ...{ code: 'VALIDATION_ERROR', message: expect.stringContaining('network: is no network') },
  });
  const { db } = sandbox.service().platform;
  const entries = db.selectFrom('audit_log').select('action').where('resource_id', '=', refund);
  const told = (await entries.execute()).map(({ action }) => action);
  expect(told).toContain('refund.process');
});

test('a token that is no longer listed stops no other payout', async ({ sandbox, trader, admin }) => {
  const network = sandbox.network.name;
  const delisted = await refundTo(sandbox, trader, await paid(trader, 'USDC'), newAddress());
  const listed = await refundTo(sandbox, trader, await paid(trader, 'USDT'), newAddress());
  await sandbox.stop();
  const tokens = sandbox.network.tokens.filter(({ symbol }) => symbol !== 'USDC');
  await sandbox.start({ ...sandbox.network, tokens });
  const { payouts, refused } = await admin.client.payouts.export({ network });
  expect(payouts.map(({ id }) => id)).toEqual([listed]);
  expect(refused).toMatchObject([{ id: delisted, reason: 'network_not_listed' }]);
});
