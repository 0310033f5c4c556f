import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';

test('funds a wallet with play money in every token and coin for fees', async ({ sandbox }) => {
  const [first, second] = [
    await sandbox.client().sandbox.wallets.create(),
    await sandbox.client().sandbox.wallets.create(),
  ];
  expect(first).toMatchObject({
    address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    privateKey: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    network: 'devnet',
  });
  expect(first.balances.map(({ token }) => token)).toEqual(expect.arrayContaining(['USDT', 'USDC']));
  expect(second.address).not.toBe(first.address);
  expect(Number(await sandbox.node.rpc<string>('eth_getBalance', [first.address, 'latest']))).toBeGreaterThan(0);
});

test('funds a wallet with the requested amount, or with coin only', async ({ sandbox }) => {
  const amounts = async (amount: string) =>
    (await sandbox.client().sandbox.wallets.create({ amount })).balances.map((each) => each.amount);
  expect(await amounts('0')).toEqual(['0.000000', '0.000000', '1']);
  expect(await amounts('12.345678')).toEqual(['12.345678', '12.345678', '1']);
  const refused = sandbox.client().sandbox.wallets.create({ amount: '0.0000001' });
  await expect(refused).rejects.toMatchObject({ status: 400, fields: [{ path: 'amount' }] });
});
