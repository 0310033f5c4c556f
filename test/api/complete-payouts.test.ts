import { sql } from 'kysely';
import { type Address, type Hex, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect } from 'vitest';
import type { Db } from '../../src/lib/db-types.ts';
import { invoke } from '../chains/collector-fixture.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createTestAdmin, type TestAdmin } from '../support/admins.ts';
import { deploy, walletOf } from '../support/evm.ts';
import { secretOf } from '../support/refunds.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';
import { compileTestContracts } from '../support/solidity.ts';

const { Multisend } = compileTestContracts('Multisend.sol');
const OTHER_HASH = `0x${'0'.repeat(63)}1`;

type Payout = { readonly id: string; readonly to: Address; readonly amount: string };
type Payment = { readonly to: string; readonly amount: string };

const test = sandboxTest()
  .extend('admin', { scope: 'file' }, ({ sandbox }) => {
    const { db, clock } = sandbox.service().platform;
    return createTestAdmin({ db, clock, url: sandbox.url(), fetch });
  })
  /** Pays a thousand dollars in USDT, which refunds and withdrawals then share. */
  .extend('paymentId', { scope: 'file' }, async ({ trader }) => {
    const { id } = await trader.client.payments.create({ amount: 1000, currency: 'USD', acceptedTokens: ['USDT'] });
    await trader.client.sandbox.payments.pay(id, { token: 'USDT' });
    await trader.reaches(id, 'paid');
    return id;
  })
  /** Sends USDT to many in one transaction, confirmed. */
  .extend('payAll', { scope: 'file' }, async ({ sandbox }) => {
    const wallet = walletOf(sandbox.node);
    const contract = await deploy(wallet, Multisend!);
    const usdt = sandbox.network.tokens.find(({ symbol }) => symbol === 'USDT')!;
    return async (payments: readonly Payment[]): Promise<Hex> => {
      const units = payments.map(({ amount }) => parseUnits(amount, usdt.decimals));
      await sandbox.faucet.give(
        usdt,
        contract,
        units.reduce((sum, each) => sum + each, 0n),
      );
      const args = [usdt.contract, payments.map(({ to }) => to), units];
      const { transactionHash } = await invoke(wallet, contract, 'send', args, Multisend!.abi);
      await sandbox.node.rpc('anvil_mine', ['0x3']);
      return transactionHash;
    };
  });

const newAddress = (): Address => privateKeyToAddress(generatePrivateKey());

/** A refund of a dollar whose payer has named an address. */
async function refundTo(sandbox: SandboxService, { client }: Trader, paymentId: string, to: Address): Promise<Payout> {
  const made = await client.refunds.create(paymentId, { amount: 1, reason: 'Sold out.' });
  await sandbox.client().public.refunds.claim(secretOf(made), { destinationAddress: to });
  return { id: made.id, to, amount: '1' };
}

/** An approved withdrawal of nine dollars after its fee. */
async function withdrawTo({ client }: Trader, admin: TestAdmin, destinationAddress: Address): Promise<Payout> {
  const { id } = await client.withdrawals.create({ amount: 10, method: 'crypto', destinationAddress });
  await admin.client.withdrawals.approve(id, {});
  return { id, to: destinationAddress, amount: '9' };
}

/** Transactions that PostgreSQL ended because they waited for each other. */
async function countDeadlocks(db: Db): Promise<number> {
  const asked = sql<{ deadlocks: bigint }>`select deadlocks from pg_stat_database where datname = current_database()`;
  return Number((await asked.execute(db)).rows[0]?.deadlocks);
}

test('fifty refunds and withdrawals are completed by one transaction, and what it missed is named', async ({
  sandbox,
  trader,
  admin,
  paymentId,
  payAll,
}) => {
  const payouts: Payout[] = [];
  for (let made = 0; made < 50; made += 1) {
    // Some share an address: each still needs a transfer of its own.
    const to = made % 9 === 0 ? newAddress() : (payouts.at(-1)?.to ?? newAddress());
    payouts.push(
      made % 10 === 5 ? await withdrawTo(trader, admin, newAddress()) : await refundTo(sandbox, trader, paymentId, to),
    );
  }
  const missed = payouts[17]!;
  const txHash = await payAll(payouts.filter(({ id }) => id !== missed.id));
  const payoutIds = payouts.map(({ id }) => id);

  const { completed, refused } = await admin.client.payouts.complete({ txHash, payoutIds });
  expect(completed).toHaveLength(49);
  expect(refused).toMatchObject([{ code: 'CONFLICT' }]);
  const [left] = refused.map(({ id }) => payouts.find((each) => each.id === id));
  // Those who share an address are alike: any one of them is the one that is missing.
  expect(left?.to).toBe(missed.to);
  // Told twice, nothing else happens.
  expect(await admin.client.payouts.complete({ txHash, payoutIds })).toEqual({
    completed,
    refused: [expect.anything()],
  });
  expect((await admin.client.payouts.list()).payouts.map(({ id }) => id)).toEqual([left?.id]);

  const rest = await payAll([left!]);
  expect(await admin.client.payouts.complete({ txHash: rest, payoutIds: [left!.id] })).toEqual({
    ...{ completed: [left!.id], refused: [] },
  });
  const { db } = sandbox.service().platform;
  expect(await countDeadlocks(db)).toBe(0);
  const paid = db.selectFrom('payout_transfers').select(({ fn }) => fn.countAll().as('count'));
  expect(await paid.executeTakeFirstOrThrow()).toEqual({ count: 50n });
  const entries = db.selectFrom('audit_log').select('resource_id').where('action', '=', 'payout.complete');
  // One for each, and one for the call that completed nothing.
  expect((await entries.execute()).map(({ resource_id }) => resource_id).sort()).toEqual([txHash, ...payoutIds].sort());
});

test('one transfer completes one payout, whoever asks at once, and however much it moved', async ({
  sandbox,
  trader,
  admin,
  paymentId,
  payAll,
}) => {
  const to = newAddress();
  const [one, two] = [await refundTo(sandbox, trader, paymentId, to), await refundTo(sandbox, trader, paymentId, to)];
  const txHash = await payAll([{ to, amount: '2' }]);
  const outcomes = await Promise.allSettled([
    admin.client.refunds.complete(one.id, { txHash }),
    admin.client.refunds.complete(two.id, { txHash }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const { completed, refused } = await admin.client.payouts.complete({ txHash, payoutIds: [one.id, two.id] });
  expect(completed).toHaveLength(1);
  expect(refused).toMatchObject([{ reason: 'tx_hash_used' }]);
  // A repetition is one, however the hash is spelled.
  for (const same of [txHash.toUpperCase().replace('X', 'x'), txHash.slice(2)])
    expect(await admin.client.payouts.complete({ txHash: same, payoutIds: completed })).toMatchObject({ completed });

  const again = await payAll([
    { to, amount: '1' },
    { to, amount: '1' },
  ]);
  const third = await refundTo(sandbox, trader, paymentId, to);
  const ids = [...refused.map(({ id }) => id), third.id];
  // These were mined before the third got its address.
  const late = await admin.client.payouts.complete({ txHash: again, payoutIds: ids });
  expect(late.refused.every(({ reason }) => reason === 'payout_too_early')).toBe(true);
});

test('what is unknown, or waits for its payer, is named with its reason', async ({
  sandbox,
  trader,
  admin,
  paymentId,
  payAll,
}) => {
  const { id } = await trader.client.refunds.create(paymentId, { amount: 1, reason: 'Sold out.' });
  const claimed = await refundTo(sandbox, trader, paymentId, newAddress());
  const txHash = await payAll([claimed]);
  const unknown = 'wd_01jggk4x7c2m9q5s8v1y3b6d0f';
  const { completed, refused } = await admin.client.payouts.complete({ txHash, payoutIds: [id, unknown, claimed.id] });
  expect(completed).toEqual([claimed.id]);
  expect(refused).toMatchObject([
    { id, code: 'CONFLICT', message: expect.stringContaining('must be pending or processing') },
    { id: unknown, code: 'NOT_FOUND', reason: null },
  ]);
  const other = await refundTo(sandbox, trader, paymentId, newAddress());
  const nowhere = await admin.client.payouts.complete({ txHash: OTHER_HASH, payoutIds: [other.id] });
  expect(nowhere.refused).toMatchObject([{ id: other.id, reason: 'payout_not_found' }]);
  expect(nowhere.completed).toEqual([]);
});
