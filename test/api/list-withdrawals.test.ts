import { expect } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { moveWithdrawal } from '../../src/withdrawals/service.ts';
import type { WithdrawalInput } from '../../src/withdrawals/withdrawal.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant } from '../harness.ts';
import { onlyPage } from '../support/pages.ts';
import { APPROVE, COMPLETE, FAIL, fund, PROCESS, REJECT, WALLET } from '../support/withdrawals.ts';

const test = serviceTest({ settings: { withdrawalMaxOpen: 100 } }).extend(
  'merchant',
  { scope: 'file' },
  async ({ service }) => {
    const merchant = await service.activeMerchant();
    await fund(service.db, merchant.id, 100_000n);
    return merchant;
  },
);
const ids: Record<string, string> = {};

/** How each status is reached. */
const WAYS: Readonly<Record<string, readonly WithdrawalInput[]>> = {
  pending: [],
  approved: [APPROVE],
  processing: [APPROVE, PROCESS],
  completed: [APPROVE, COMPLETE],
  rejected: [REJECT],
  cancelled: [{ kind: 'cancel' }],
  failed: [APPROVE, PROCESS, FAIL],
};

test.beforeAll(async ({ service, merchant }) => {
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

const list = (merchant: TestMerchant, query: Parameters<typeof merchant.client.withdrawals.list>[0] = {}) =>
  merchant.client.withdrawals.list(query);

test('shows merchants four statuses, with the difference in statusReason', async ({ merchant }) => {
  const { withdrawals, pagination } = await list(merchant);
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
  expect(pagination).toEqual(onlyPage(7));
});

test.for([
  ['pending', ['pending']],
  ['approved', ['processing', 'approved']],
  ['completed', ['completed']],
  ['rejected', ['failed', 'cancelled', 'rejected']],
] as const)('filters and counts %s by the status that merchants see', async ([status, names], { merchant }) => {
  const { withdrawals, pagination } = await list(merchant, { status });
  expect(withdrawals.map(({ id }) => id)).toEqual(names.map((name) => ids[name]));
  expect(pagination.total).toBe(names.length);
});

test("lists page by page, and hides another merchant's", async ({ service, merchant }) => {
  const paged = [];
  for await (const withdrawal of merchant.client.withdrawals.iterate({ limit: 2 })) paged.push(withdrawal.id);
  expect(paged).toEqual(Object.values(ids).reverse());
  expect((await list(merchant, { page: 9 })).withdrawals).toEqual([]);
  const other = await service.activeMerchant();
  expect((await other.client.withdrawals.list()).pagination.total).toBe(0);
});

test('returns failed amounts to the balance, holds open ones, and drops paid ones', async ({ merchant }) => {
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 800, heldBalance: 150 });
});
