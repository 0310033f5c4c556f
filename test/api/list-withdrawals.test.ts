import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { moveWithdrawal } from '../../src/withdrawals/service.ts';
import type { WithdrawalInput } from '../../src/withdrawals/withdrawal.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import { APPROVE, COMPLETE, FAIL, fund, PROCESS, REJECT, WALLET } from '../support/withdrawals.ts';

let service: TestService;
let merchant: TestMerchant;
const ids: Record<string, string> = {};

/** How each state is reached. */
const WAYS: Readonly<Record<string, readonly WithdrawalInput[]>> = {
  pending: [],
  approved: [APPROVE],
  processing: [APPROVE, PROCESS],
  completed: [APPROVE, COMPLETE],
  rejected: [REJECT],
  cancelled: [{ kind: 'cancel' }],
  failed: [APPROVE, PROCESS, FAIL],
};

beforeAll(async () => {
  service = await startService({ settings: { withdrawalMaxOpen: 100 } });
  merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
  for (const [name, inputs] of Object.entries(WAYS)) {
    service.clock.advance(1000);
    const { id } = await merchant.client.withdrawals.create({
      amount: 50,
      method: 'crypto',
      destinationAddress: WALLET,
    });
    const { events } = service.service.platform;
    for (const input of inputs) {
      await inTransaction(service.db, (trx) => moveWithdrawal(trx, { events }, { id }, input, service.clock.now()));
    }
    ids[name] = id;
  }
});
afterAll(() => service.close());

const list = (query: Parameters<typeof merchant.client.withdrawals.list>[0] = {}) =>
  merchant.client.withdrawals.list(query);

test('merchants know four states; what is one for them is told apart beside it', async () => {
  const { withdrawals, pagination } = await list();
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  expect(
    withdrawals.map(({ id, status, statusReason, statusMessage }) => [
      names.get(id),
      status,
      statusReason,
      statusMessage,
    ]),
  ).toEqual([
    ['failed', 'rejected', 'failed', 'sent back'],
    ['cancelled', 'rejected', 'cancelled', null],
    ['rejected', 'rejected', 'declined', 'no such account'],
    ['completed', 'completed', null, null],
    ['processing', 'approved', 'processing', null],
    ['approved', 'approved', null, null],
    ['pending', 'pending', null, null],
  ]);
  expect(pagination).toEqual({ page: 1, limit: 20, total: 7, totalPages: 1 });
});

test.each([
  ['pending', ['pending']],
  ['approved', ['processing', 'approved']],
  ['completed', ['completed']],
  ['rejected', ['failed', 'cancelled', 'rejected']],
] as const)('%s filters and counts as it is shown', async (status, names) => {
  const { withdrawals, pagination } = await list({ status });
  expect(withdrawals.map(({ id }) => id)).toEqual(names.map((name) => ids[name]));
  expect(pagination.total).toBe(names.length);
});

test('come page by page, and nobody sees those of another', async () => {
  const paged = [];
  for await (const withdrawal of merchant.client.withdrawals.iterate({ limit: 2 })) paged.push(withdrawal.id);
  expect(paged).toEqual(Object.values(ids).reverse());
  expect((await list({ page: 9 })).withdrawals).toEqual([]);
  const other = await service.activeMerchant();
  expect((await other.client.withdrawals.list()).pagination.total).toBe(0);
});

test('what came to nothing is back in the balance, what is open is held, what is paid is gone', async () => {
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 800, heldBalance: 150 });
});
