import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';
import type { SandboxService } from '../support/sandbox-service.ts';

let address: string;
test.beforeAll(async ({ sandbox }) => {
  ({ address } = await sandbox.client().sandbox.wallets.create({ amount: '25' }));
});

type Change = Parameters<ReturnType<SandboxService['client']>['sandbox']['wallets']['update']>[1];
const update = (sandbox: SandboxService, change: Change, wallet = address) =>
  sandbox.client().sandbox.wallets.update(wallet, change);

test('empties and fills a wallet, and changes nothing else', async ({ sandbox }) => {
  const as = (balance: string) => ({ address, network: 'devnet', token: 'USDT', balance, allowance: '0.000000' });
  expect(await update(sandbox, {})).toEqual(as('25.000000'));
  expect(await update(sandbox, { balance: '0' })).toEqual(as('0.000000'));
  expect(await update(sandbox, { balance: '12.5' })).toEqual(as('12.500000'));
  expect(await update(sandbox, { balance: '12.5' })).toEqual(as('12.500000'));
  expect(await update(sandbox, { token: 'USDC' })).toMatchObject({ token: 'USDC', balance: '25.000000' });
});

test('sets, changes and revokes the allowance, in a token that refuses to change it directly', async ({ sandbox }) => {
  expect(await update(sandbox, { allowance: '100' })).toMatchObject({ allowance: '100.000000', balance: '12.500000' });
  expect(await update(sandbox, { allowance: '7', balance: '3' })).toMatchObject({
    allowance: '7.000000',
    balance: '3.000000',
  });
  expect(await update(sandbox, { allowance: '0' }, address.toLowerCase())).toMatchObject({
    address,
    allowance: '0.000000',
  });
});

test('runs concurrent changes one after the other', async ({ sandbox }) => {
  const all = await Promise.all(['1', '2', '3', '4'].map((balance) => update(sandbox, { balance })));
  expect(all.map(({ balance }) => balance)).toEqual(['1.000000', '2.000000', '3.000000', '4.000000']);
});

test.for<[string, Change]>([
  ['balance', { balance: '1.0000001' }],
  ['balance', { balance: '-1' }],
  ['allowance', { allowance: '1000000001' }],
  ['token', { token: 'BTC' }],
])('refuses a wrong %s: %o', async ([path, change], { sandbox }) => {
  await expect(update(sandbox, change)).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: [{ path }],
  });
});

test('answers 404 for a wallet that the sandbox did not create', async ({ sandbox }) => {
  const foreign = update(sandbox, { balance: '0' }, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  await expect(foreign).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(update(sandbox, {}, 'nobody')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
