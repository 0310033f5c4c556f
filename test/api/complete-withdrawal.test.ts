import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { areLinked } from '../../src/admins/second-person.ts';
import { judgePayout } from '../../src/chains/payout-rules.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { after as later, MINUTE_MS } from '../../src/lib/clock.ts';
import type { Completion } from '../../src/payouts/complete.ts';
import type { BlockRef, CheckPayout } from '../../src/ports/chain.ts';
import { moveRefundPayout, narrowRefund } from '../../src/refunds/paid.ts';
import { completeWithdrawal } from '../../src/withdrawals/complete.ts';
import { moveWithdrawalPayout, narrowWithdrawal } from '../../src/withdrawals/paid.ts';
import { moveWithdrawal } from '../../src/withdrawals/service.ts';
import type { TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { asAnyone, BANK, type Payouts, payoutsTest } from '../support/payouts.ts';
import { APPROVE, decide, hold, NOW, newHash, WALLET, withdrawalOf } from '../support/withdrawals.ts';

const test = payoutsTest();
const complete = (admin: TestAdmin, id: string, txHash = newHash()) =>
  admin.client.withdrawals.complete(id, { txHash, notes: 'Sent.' });

test('moves the money out with its fee, and keeps the transaction hash in lower case', async ({
  service,
  merchant,
  admin,
  payouts,
}) => {
  const before = await payouts.balance();
  const id = await payouts.approved();
  const txHash = newHash();
  const now = service.clock.now().toISOString();
  expect(await complete(admin, id, `0x${txHash.slice(2).toUpperCase()}`)).toEqual({
    id,
    status: 'completed',
    txHash,
    reference: null,
    completedAt: now,
    message: 'Withdrawal completed.',
  });
  expect(await payouts.balance()).toEqual({ ...before, availableBalance: before.availableBalance - 250 });
  expect(await merchant.client.withdrawals.get(id)).toMatchObject({
    status: 'completed',
    statusReason: null,
    txHash,
    processedAt: now,
  });
  expect(await admin.client.withdrawals.get(id)).toMatchObject({
    completedAt: now,
    txVerified: false,
    notes: 'Sent.',
    closedBy: admin.id,
  });
  expect(await payouts.eventsOf(id)).toEqual(['withdrawal.created', 'withdrawal.approved', 'withdrawal.completed']);
  expect((await payouts.auditOf(id)).at(-1)).toMatchObject({
    action: 'withdrawal.complete',
    actor_id: admin.id,
    merchant_id: merchant.id,
    metadata: { previousStatus: 'approved', newStatus: 'completed', txHash, verified: false, notes: 'Sent.' },
  });
  await expect(complete(admin, id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('completes only an approved or processing withdrawal that exists', async ({ admin, payouts }) => {
  const { id } = await payouts.create();
  await expect(complete(admin, id)).rejects.toMatchObject({
    status: 409,
    message: 'This withdrawal is pending; to complete it, it must be approved or processing.',
  });
  const processing = await payouts.approved();
  await admin.client.withdrawals.process(processing, {});
  expect(await complete(admin, processing)).toMatchObject({ status: 'completed' });
  await expect(complete(admin, 'wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});

test('refuses what is no transaction hash', async ({ admin, payouts }) => {
  const id = await payouts.approved();
  for (const txHash of ['0x12', newHash().slice(2), `${newHash()}0`, `0x${'g'.repeat(64)}`]) {
    await expect(complete(admin, id, txHash)).rejects.toMatchObject({ status: 400, fields: [{ path: 'txHash' }] });
  }
});

test('completes one withdrawal per transaction, also under concurrent requests', async ({ admin, payouts }) => {
  const taken = { status: 409, code: 'CONFLICT', reason: 'tx_hash_used' };
  const [one, two, three] = [await payouts.approved(), await payouts.approved(), await payouts.approved()];
  const txHash = newHash();
  await complete(admin, one, txHash);
  await expect(complete(admin, two, `0x${txHash.slice(2).toUpperCase()}`)).rejects.toMatchObject(taken);
  const again = newHash();
  const both = await Promise.allSettled([complete(admin, two, again), complete(admin, three, again)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: taken });
});

test('from the four-eyes threshold on, needs another administrator than the one who approved', async ({
  service,
  admin,
  payouts,
}) => {
  await payouts.set({ fourEyesThreshold: '250.00' });
  const [large, small] = [await payouts.approved(), await payouts.approved({ amount: 249.99 })];
  expect(await complete(admin, small)).toMatchObject({ status: 'completed' });
  await expect(complete(admin, large)).rejects.toMatchObject({
    status: 403,
    code: 'FORBIDDEN',
    reason: 'four_eyes',
    message: 'From 250.00 USD on somebody else has to complete a withdrawal than who approved it.',
  });
  const other = await service.admin(['withdrawals.manage']);
  expect(await complete(other, large)).toMatchObject({ status: 'completed' });
  await payouts.set({ fourEyesThreshold: null });
});

test('holds what is on a network that is no longer listed, and completes what was paid there only by two people with a note', async ({
  service,
  merchant,
  admin,
  payouts,
}) => {
  await payouts.set({ fourEyesThreshold: null });
  const stored = () =>
    hold(service.db, withdrawalOf({ merchantId: merchant.id, network: 'gone', amountMinor: 5_000n, createdAt: NOW }));
  const [first, second, third] = [await stored(), await stored(), await stored()];
  const held = {
    status: 409,
    reason: 'network_not_listed',
    message: expect.stringContaining('USDT on gone is no longer'),
  };
  await expect(admin.client.withdrawals.approve(first.id, {})).rejects.toMatchObject(held);
  expect((await merchant.client.withdrawals.cancel(first.id)).status).toBe('rejected');
  for (const withdrawal of [second, third]) await decide(service.db, withdrawal, { ...APPROVE, by: admin.id });
  await expect(admin.client.withdrawals.process(second.id, {})).rejects.toMatchObject(held);
  expect(await admin.client.withdrawals.fail(second.id, { reason: 'Ask for another network.' })).toMatchObject({
    status: 'failed',
  });
  const other = await service.admin(['withdrawals.manage']);
  await expect(other.client.withdrawals.complete(third.id, { txHash: newHash() })).rejects.toMatchObject({
    status: 400,
    fields: [{ path: 'notes', message: expect.stringContaining('gone is no longer listed') }],
  });
  await expect(complete(admin, third.id)).rejects.toMatchObject({ status: 403, reason: 'four_eyes' });
  expect(await complete(other, third.id)).toMatchObject({ status: 'completed' });
});

test('refuses a merchant that was frozen after the approval until it is active again', async ({
  service,
  merchant,
  admin,
  payouts,
}) => {
  const id = await payouts.approved();
  await service.decide(merchant.id, { kind: 'freeze', reason: 'under review' });
  await expect(complete(admin, id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    reason: 'merchant_not_active',
  });
  expect(await admin.client.withdrawals.get(id)).toMatchObject({
    status: 'approved',
    merchantStatus: 'frozen',
  });
  await service.decide(merchant.id, { kind: 'unfreeze', reason: 'all is well' });
  expect(await complete(admin, id)).toMatchObject({ status: 'completed' });
});

test('refuses an administrator whose role lost the permission meanwhile', async ({ service, payouts }) => {
  const id = await payouts.approved();
  const admin = await service.admin(['withdrawals.manage']);
  const roles = service.db.updateTable('roles').set({ permissions: ['withdrawals.view'] });
  await roles.where('id', '=', admin.roleId).execute();
  await expect(complete(admin, id)).rejects.toMatchObject({
    status: 403,
    reason: 'permission_missing',
  });
});

test('refuses the withdrawal of a merchant in debt until the debt is repaid', async ({ admin, payouts }) => {
  const { client, id, earn } = await payouts.owing();
  const owes = { status: 409, code: 'CONFLICT', reason: 'merchant_owes' };
  await expect(complete(admin, id)).rejects.toMatchObject(owes);
  await earn(99.99);
  await expect(complete(admin, id)).rejects.toMatchObject({
    ...owes,
    message: expect.stringContaining('owes 0.01 USD'),
  });
  expect(await client.settlements.balance()).toMatchObject({ heldBalance: 100, owed: 0.01 });
  await earn(10);
  expect(await complete(admin, id)).toMatchObject({ status: 'completed' });
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: 9.99, heldBalance: 0, owed: 0 });
});

test('completes a withdrawal that was processing before its merchant fell into debt, because the money has left', async ({
  admin,
  payouts,
}) => {
  const { client, id } = await payouts.owing({ process: true });
  expect(await client.settlements.balance()).toMatchObject({ heldBalance: 100, owed: 100 });
  expect(await complete(admin, id)).toMatchObject({ status: 'completed' });
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: 0, heldBalance: 0, owed: 100 });
});

/** Nothing here has the whole of a transaction that the chain is asked about. */
const own = {
  narrow: { withdrawal: narrowWithdrawal, refund: narrowRefund },
  move: { withdrawal: moveWithdrawalPayout, refund: moveRefundPayout },
};

describe('respects what changes while the chain is asked', () => {
  const USDT = { symbol: 'USDT', contract: '0xc', decimals: 6 } as const;
  const BLOCK: BlockRef = { network: 'devnet', height: 7, hash: '0x7', parentHash: '0x6', time: new Date(0) };
  /** Completes a withdrawal as the administrator who approved it, while `meanwhile` happens. */
  const completeWhile = async (
    { service, admin, payouts }: { service: TestService; admin: TestAdmin; payouts: Payouts },
    meanwhile: (id: string) => Promise<unknown>,
  ) => {
    const id = await payouts.approved();
    await payouts.set({ verifyPayoutOnChain: true });
    const { platform } = service.service;
    const deps = {
      ...platform,
      checkPayout: async () => {
        await meanwhile(id);
        const money = { transfers: [{ index: 0, units: 10n ** 12n }], kept: 10n ** 12n, due: 1n };
        return { outcome: 'verified', block: BLOCK, asset: USDT, ...money } as const;
      },
      asAdmin: asAnyone(platform.db),
      areLinked,
      ...own,
    };
    const principal = { adminId: admin.id } as Completion['principal'];
    const audit = { note: () => {}, record: async () => {}, recordOther: async () => {} };
    return completeWithdrawal(deps, { id, txHash: newHash(), notes: null, principal, audit });
  };

  test('a four-eyes threshold', async ({ service, admin, payouts }) => {
    const lower = () => payouts.set({ verifyPayoutOnChain: true, fourEyesThreshold: '1.00' });
    await expect(completeWhile({ service, admin, payouts }, lower)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      reason: 'four_eyes',
    });
    await payouts.set({});
  });

  test('that it is begun in another contract than the chain is asked about', async ({ service, admin, payouts }) => {
    // The process that begins it has another list: its token is listed with the contract of the test network there.
    const begin = (id: string) => admin.client.withdrawals.process(id, {});
    await expect(completeWhile({ service, admin, payouts }, begin)).rejects.toMatchObject({
      ...{ code: 'CONFLICT', retryAfterSeconds: 1, message: expect.stringContaining('was paid in 0xc') },
    });
    await payouts.set({});
  });

  test('the time, which the completion and its event carry', async ({ service, admin, payouts }) => {
    const before = service.clock.now();
    const completed = await completeWhile({ service, admin, payouts }, async () => service.clock.advance(14_000));
    const after = service.clock.now();
    expect(after.getTime() - before.getTime()).toBe(14_000);
    expect(completed).toMatchObject({ status: 'completed', finishedAt: after, updatedAt: after });
    const event = service.db.selectFrom('events').select('created_at').where('resource_id', '=', completed.id);
    expect(await event.where('type', '=', 'withdrawal.completed').executeTakeFirst()).toEqual({ created_at: after });
    await payouts.set({});
  });
});

describe("with a clock that runs ahead of the network's", () => {
  /** Judges by the real rules what a node would show: the whole amount, in a block of that time, deep enough. */
  const paidAt =
    (time: Date): CheckPayout =>
    async (claim) => {
      const [token] = TEST_NETWORK.tokens;
      if (!token) throw new Error('the test network has no token');
      const block = { network: 'devnet', height: 200, hash: '0xb', parentHash: '0xa', time };
      const from = '0x00000000000000000000000000000000000000c1';
      const transfer = {
        network: 'devnet',
        block,
        txHash: claim.txHash,
        token,
        index: 0,
        from,
        to: WALLET.toLowerCase(),
      };
      const transfers = [{ ...transfer, units: 10n ** 12n }];
      return judgePayout(claim, token, { block, succeeded: true, transfers, shallow: null });
    };
  const completeAt = async ({ service, admin }: Setting, id: string, time: Date) => {
    const { db, clock, events, settings, networks } = service.service.platform;
    const principal = { adminId: admin.id } as Completion['principal'];
    const audit = { note: () => {}, record: async () => {}, recordOther: async () => {} };
    const world = { db, clock, events, settings, networks, asAdmin: asAnyone(db), areLinked, ...own };
    const deps = { ...world, checkPayout: paidAt(time) };
    return completeWithdrawal(deps, { id, txHash: newHash(), notes: null, principal, audit });
  };
  type Setting = { readonly service: TestService; readonly admin: TestAdmin; readonly payouts: Payouts };

  test('a payout that was mined after the approval is proven, and one from before is not', async ({
    service,
    admin,
    payouts,
  }) => {
    await payouts.set({ verifyPayoutOnChain: true });
    // The network's newest block is of now; then our clock runs two hours ahead of it, and somebody approves.
    const chainTime = service.clock.now();
    await service.chain.mine(1, chainTime);
    service.clock.advance(120 * MINUTE_MS);
    const id = await payouts.approved();
    await expect(completeAt({ service, admin, payouts }, id, later(chainTime, -MINUTE_MS))).rejects.toMatchObject({
      code: 'CONFLICT',
      reason: 'payout_too_early',
    });
    expect(await completeAt({ service, admin, payouts }, id, later(chainTime, MINUTE_MS))).toMatchObject({
      status: 'completed',
      txVerified: true,
    });
    await payouts.set({});
  });

  test('a payout is proven, too, where nobody had looked at the network for long, as far as a clock may be ahead', async ({
    service,
    admin,
    payouts,
  }) => {
    await payouts.set({ verifyPayoutOnChain: true });
    const chainTime = service.clock.now();
    await service.chain.mine(1, chainTime);
    const look = service.db
      .updateTable('chain_cursors')
      .set({ checked_at: sql`clock_timestamp() - interval '1 hour'` });
    await look.execute();
    service.clock.advance(10 * MINUTE_MS);
    const id = await payouts.approved();
    await expect(completeAt({ service, admin, payouts }, id, later(chainTime, -6 * MINUTE_MS))).rejects.toMatchObject({
      reason: 'payout_too_early',
    });
    expect(await completeAt({ service, admin, payouts }, id, chainTime)).toMatchObject({ status: 'completed' });
    await payouts.set({});
  });
});

describe('a withdrawal that a bank pays', () => {
  test("is completed with the bank's reference, which its merchant sees", async ({ admin, merchant, payouts }) => {
    const id = await payouts.approved(BANK);
    expect(await complete(admin, id, 'ceft 2026-11/22.00017')).toMatchObject({
      ...{ status: 'completed', txHash: 'CEFT 2026-11/22.00017', reference: 'CEFT 2026-11/22.00017' },
    });
    expect(await merchant.client.withdrawals.get(id)).toMatchObject({ reference: 'CEFT 2026-11/22.00017' });
    expect(await admin.client.withdrawals.get(id)).toMatchObject({ txVerified: false, txBlock: null });
    const second = await payouts.approved(BANK);
    for (const same of ['Ceft 2026-11/22.00017', ' CEFT  2026-11/22.00017'])
      await expect(complete(admin, second, same)).rejects.toMatchObject({ reason: 'tx_hash_used' });
  });

  test("is completed with a transaction's hash, which is no reference", async ({ admin, merchant, payouts }) => {
    const id = await payouts.approved(BANK);
    const txHash = `0x${'Ab'.repeat(32)}`;
    const completed = { status: 'completed', txHash: txHash.toLowerCase(), reference: null };
    expect(await complete(admin, id, txHash)).toMatchObject(completed);
    expect(await merchant.client.withdrawals.get(id)).toMatchObject(completed);
    const second = await payouts.approved(BANK);
    // No chain shows whose account it went to: only the bank tells them apart.
    for (const same of [` ${txHash} `, txHash.slice(2)])
      await expect(complete(admin, second, same)).rejects.toMatchObject({
        ...{ reason: 'tx_hash_used', message: expect.stringMatching(/do not fail this one: .* the bank's reference/) },
      });
    expect(await complete(admin, second, 'SLIPS of the second')).toMatchObject({ status: 'completed' });
  });

  test('is not completed with a hash that a release before took for a reference, because it had no 0x', async ({
    admin,
    payouts,
    service,
  }) => {
    const [first, second] = [await payouts.approved(BANK), await payouts.approved(BANK)];
    const digits = 'cd'.repeat(32);
    const asBefore = { by: admin.id, notes: null, txHash: digits.toUpperCase(), transfers: null, block: null };
    await inTransaction(service.db, (trx) =>
      moveWithdrawal(
        ...([trx, service.service.platform, { id: first }] as const),
        { kind: 'complete', ...asBefore, paidIn: null },
        service.clock.now(),
      ),
    );
    for (const same of [`0x${digits}`, digits]) {
      await expect(complete(admin, second, same)).rejects.toMatchObject({ reason: 'tx_hash_used' });
      // Sent again for the one that it has completed it changes nothing.
      expect(await admin.client.payouts.complete({ txHash: same, payoutIds: [first] })).toMatchObject({
        ...{ completed: [first], refused: [] },
      });
    }
  });

  test('is not completed with a reference of which a release before kept each space', async ({
    admin,
    payouts,
    service,
  }) => {
    const [first, second] = [await payouts.approved(BANK), await payouts.approved(BANK)];
    const asBefore = { by: admin.id, notes: null, txHash: 'SLIPS  2026  0099', transfers: null, block: null };
    await inTransaction(service.db, (trx) =>
      moveWithdrawal(
        ...([trx, service.service.platform, { id: first }] as const),
        { kind: 'complete', ...asBefore, paidIn: null },
        service.clock.now(),
      ),
    );
    for (const same of ['slips 2026 0099', 'SLIPS  2026 0099', 'SLIPS  2026  0099']) {
      await expect(complete(admin, second, same)).rejects.toMatchObject({
        ...{ reason: 'tx_hash_used', message: expect.stringContaining('This reference') },
      });
    }
  });

  test("is completed among many with a bank's reference as long as a hash, and again with the same", async ({
    admin,
    payouts,
  }) => {
    const id = await payouts.approved(BANK);
    for (const txHash of ['Ceft'.repeat(16), 'ceft'.repeat(16)])
      expect(await admin.client.payouts.complete({ txHash, payoutIds: [id] })).toMatchObject({
        ...{ completed: [id], refused: [] },
      });
  });

  test.for(['abc', 'a'.repeat(65), 'රු 100', '1234\n5678'])(
    'is not completed with %j',
    async (text, { admin, payouts }) => {
      const id = await payouts.approved(BANK);
      await expect(complete(admin, id, text)).rejects.toMatchObject({
        ...{ status: 400, fields: [expect.objectContaining({ path: 'txHash' })] },
      });
    },
  );

  test('needs a hash where a transfer on chain leads to the bank, and one to a wallet always does', async ({
    admin,
    merchant,
    payouts,
  }) => {
    await payouts.set({ offRampAddress: WALLET });
    const ids = [await payouts.approved(BANK), await payouts.approved()];
    await payouts.set({});
    for (const id of ids) {
      await expect(complete(admin, id, 'CEFT2026112200018')).rejects.toMatchObject({ status: 400 });
      await complete(admin, id);
      expect(await merchant.client.withdrawals.get(id)).toMatchObject({ reference: null });
    }
  });
});
