import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceProcess } from '../../scripts/lib/service-process.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { createTestAdmin, type TestAdmin } from '../support/admins.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { startAnother } from '../support/second-process.ts';
import { fund, newHash, WALLET } from '../support/withdrawals.ts';

let sandbox: SandboxService;
let trader: Trader;
let second: ServiceProcess;
let admins: readonly [TestAdmin, TestAdmin];

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
  second = await startAnother(sandbox);
  const { db, clock } = sandbox.service().platform;
  const started = { db, clock, url: sandbox.url(), fetch };
  admins = [await createTestAdmin(started), await createTestAdmin(started)];
});
afterAll(async () => {
  await second.kill();
  await sandbox.close();
});

const platform = () => sandbox.service().platform;
const balance = () => trader.client.settlements.balance();
const CRYPTO = { method: 'crypto', destinationAddress: WALLET } as const;

/** Changes settings, and waits until both processes have seen it. */
async function set(change: Pick<Settings, 'verifyPayoutOnChain'>): Promise<void> {
  const settings = admins[0].client.settings;
  await settings.update({ version: (await settings.get()).version, ...change });
  await sleep(1100);
}

let asked = 0;

/**
 * Sends the same request this many times concurrently, alternating between the processes, each as a request of its own.
 */
async function atOnce(times: number, path: string, token: string, body: (index: number) => object) {
  const send = async (index: number): Promise<number> => {
    asked += 1;
    const base = index % 2 === 0 ? sandbox.url() : second.url;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `once-${asked}`,
    };
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body(index)) });
    await answer.arrayBuffer();
    return answer.status;
  };
  const statuses = await Promise.all(Array.from({ length: times }, (_, index) => send(index)));
  return Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
  );
}

test('of fifty concurrent withdrawals of the whole balance through two processes, one succeeds', async () => {
  await fund(platform().db, trader.id, 100_000n);
  const token = trader.client.tokens()?.token ?? '';
  const answers = await atOnce(50, '/v1/withdrawals', token, () => ({ amount: 1000, ...CRYPTO }));
  expect(answers).toEqual({ 201: 1, 409: 49 });
  expect(await balance()).toMatchObject({ availableBalance: 0, heldBalance: 1000, owed: 0 });
  const { withdrawals } = await trader.client.withdrawals.list();
  expect(withdrawals).toHaveLength(1);
  await trader.client.withdrawals.cancel(withdrawals[0]?.id ?? '');
  expect(await balance()).toMatchObject({ availableBalance: 1000, heldBalance: 0 });
});

test('of twenty concurrent approvals, rejections and completions each, one wins per state, and the money follows it', async () => {
  await set({ verifyPayoutOnChain: false });
  const ends = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    const before = await balance();
    const { id } = await trader.client.withdrawals.create({ amount: 50, ...CRYPTO });
    const on = (verb: string, body: () => object) => {
      const admin = admins[verb === 'complete' ? 1 : 0];
      return atOnce(20, `/v1/admin/withdrawals/${id}/${verb}`, admin.token, body);
    };
    const [approvals, rejections, completions] = await Promise.all([
      on('approve', () => ({})),
      on('reject', () => ({ reason: 'no' })),
      on('complete', () => ({ txHash: newHash() })),
    ]);
    const { status } = await admins[0].client.withdrawals.get(id);
    const won = (answers: Record<string, number>): number => answers[200] ?? 0;
    const outcomes: Record<string, readonly number[]> = {
      rejected: [0, 1, 0],
      approved: [1, 0, 0],
      completed: [1, 0, 1],
    };
    expect([status, won(approvals), won(rejections), won(completions)]).toEqual([status, ...(outcomes[status] ?? [])]);
    for (const answers of [approvals, rejections, completions]) expect(won(answers) + (answers[409] ?? 0)).toBe(20);
    if (status === 'approved') {
      const again = await on('complete', () => ({ txHash: newHash() }));
      expect(again).toEqual({ 200: 1, 409: 19 });
    }
    const spent = status === 'rejected' ? 0 : 50;
    expect(await balance()).toMatchObject({ availableBalance: before.availableBalance - spent, heldBalance: 0 });
    ends.add(status);
  }
  expect(ends.size).toBeGreaterThan(0);
});

test('one transaction for two withdrawals, concurrently through two processes, completes one of them', async () => {
  const made = [];
  for (let count = 0; count < 4; count += 1) {
    const { id } = await trader.client.withdrawals.create({ amount: 20, ...CRYPTO });
    await admins[0].client.withdrawals.approve(id, {});
    made.push(id);
  }
  const txHash = newHash();
  const answers = await Promise.all(
    made.map((id) => atOnce(10, `/v1/admin/withdrawals/${id}/complete`, admins[1].token, () => ({ txHash }))),
  );
  const winners = answers.filter((answers) => answers[200] !== undefined);
  expect(winners).toEqual([{ 200: 1, 409: 9 }]);
  expect(await balance()).toMatchObject({ heldBalance: 60 });
  for (const id of made) {
    const { status } = await admins[0].client.withdrawals.get(id);
    if (status === 'approved') await admins[0].client.withdrawals.fail(id, { reason: 'not sent' });
  }
});

test('a payout completes once the chain shows it, and is refused with the reason before', async () => {
  await set({ verifyPayoutOnChain: true });
  const [{ client: approver }, { client: completer }] = admins;
  const approve = async () => {
    const { id } = await trader.client.withdrawals.create({ amount: 30, ...CRYPTO });
    await approver.withdrawals.approve(id, {});
    return id;
  };
  const { pay } = trader.client.sandbox.withdrawals;
  const complete = (id: string, txHash: string) => completer.withdrawals.complete(id, { txHash });
  // Both before it is paid: of a later one the transaction would be too early.
  const [id, another] = [await approve(), await approve()];
  await expect(complete(id, newHash())).rejects.toMatchObject({ status: 409, reason: 'payout_not_found' });
  const short = await pay(id, { amount: '28.99' });
  await expect(complete(id, short.txHash)).rejects.toMatchObject({ status: 409, reason: 'payout_too_small' });
  const paid = await pay(id, {});
  expect(await complete(id, paid.txHash)).toMatchObject({ status: 'completed', txHash: paid.txHash });
  expect(await completer.withdrawals.get(id)).toMatchObject({ txVerified: true, closedBy: admins[1].id });
  // It went to the same wallet and would be enough.
  await expect(complete(another, paid.txHash)).rejects.toMatchObject({ status: 409, reason: 'tx_hash_used' });
  await approver.withdrawals.fail(another, { reason: 'not sent' });
});
