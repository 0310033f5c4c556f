import { afterAll, beforeAll } from 'vitest';
import type { Client, CreateWithdrawalRequest } from '../../clients/typescript/src/index.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from './admins.ts';
import { fund, WALLET } from './withdrawals.ts';

export const BANK = {
  method: 'bank',
  bankAccountNumber: '0072 3456 7890',
  bankName: 'Bank of Ceylon',
  bankBranch: 'Kandy',
} as const;

/** A payment of so many dollars that is made, paid and confirmed. */
async function earn({ chain, settle }: TestService, { payments }: Client, amount: number): Promise<void> {
  const payment = await payments.create({ amount, currency: 'USD' });
  await chain.transfer(payment);
  await settle();
}

async function makeOwing(service: TestService, admin: TestAdmin, { process = false }: { readonly process?: boolean }) {
  const { client } = await service.activeMerchant();
  await earn(service, client, 100);
  const { id } = await client.withdrawals.create({ amount: 100, method: 'crypto', destinationAddress: WALLET });
  await admin.client.withdrawals.approve(id, {});
  if (process) await admin.client.withdrawals.process(id, {});
  await service.chain.drop(2);
  await service.settle();
  return { client, id, earn: (dollars: number) => earn(service, client, dollars) };
}

/** A service for as long as the test file, with a rich merchant and an administrator; no chain is asked about payouts. */
export function usePayouts(wanted: Partial<Settings> = {}) {
  const settings = { withdrawalMaxOpen: 1000, withdrawalDailyMax: '1000000.00', verifyPayoutOnChain: false, ...wanted };
  let service: TestService;
  let merchant: TestMerchant;
  let admin: TestAdmin;
  beforeAll(async () => {
    service = await startService({ settings });
    merchant = await service.activeMerchant();
    admin = await service.admin();
    await fund(service.db, merchant.id, 1_000_000n);
  });
  afterAll(() => service.close());
  const create = (draft: Partial<CreateWithdrawalRequest> = {}) =>
    merchant.client.withdrawals.create({
      amount: 250,
      method: 'crypto',
      ...(draft.method === 'bank' ? {} : { destinationAddress: WALLET }),
      ...draft,
    });
  return {
    get service() {
      return service;
    },
    get merchant() {
      return merchant;
    },
    get admin() {
      return admin;
    },
    /** Changes these settings and leaves the others. */
    set: (change: Partial<Settings>) => service.set({ ...settings, ...change }),
    create,
    approved: async (draft?: Partial<CreateWithdrawalRequest>) => {
      const { id } = await create(draft);
      await admin.client.withdrawals.approve(id, {});
      return id;
    },
    /** A merchant that has withdrawn all that a payment of 100 dollars brought, which a deep reorg has taken back since. */
    owing: (options: Parameters<typeof makeOwing>[2] = {}) => makeOwing(service, admin, options),
    balance: () => merchant.client.settlements.balance(),
    /** The types of the events of a withdrawal, in their order. */
    eventsOf: async (id: string) => {
      const events = service.db.selectFrom('events').select('type').where('resource_id', '=', id);
      return (await events.orderBy('sequence').execute()).map(({ type }) => type);
    },
    /** The audit entries about a withdrawal by administrators. */
    auditOf: (id: string) =>
      service.db
        .selectFrom('audit_log')
        .selectAll()
        .where('resource_id', '=', id)
        .where('actor_type', '=', 'admin')
        .orderBy('id')
        .execute(),
  };
}
