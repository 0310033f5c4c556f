import type { Client, CreateWithdrawalRequest } from '../../clients/typescript/src/index.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Events } from '../../src/events/record.ts';
import { payoutOwners } from '../../src/features.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { CompletionDeps } from '../../src/payouts/complete.ts';
import type { PayoutOwners } from '../../src/payouts/payout.ts';
import type { Token } from '../../src/ports/chain.ts';
import { createRates, originOf } from '../../src/rates/reader.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { TestAdmin } from './admins.ts';
import { fund, WALLET } from './withdrawals.ts';

export const BANK = {
  method: 'bank',
  bankAccountNumber: '0072 3456 7890',
  bankName: 'Bank of Ceylon',
  bankBranch: 'Kandy',
} as const;

/** No chain is asked about payouts. */
const SETTINGS = { withdrawalMaxOpen: 1000, withdrawalDailyMax: '1000000.00', verifyPayoutOnChain: false };

/** Tests of payouts, whose merchant is rich. */
export const payoutsTest = () =>
  serviceTest({ settings: SETTINGS })
    .extend('merchant', { scope: 'file' }, async ({ service }) => {
      const merchant = await service.activeMerchant();
      await fund(service.db, merchant.id, 1_000_000n);
      return merchant;
    })
    .extend('payouts', { scope: 'file' }, ({ service, merchant, admin }) => payoutsOf(service, merchant, admin));

export type Payouts = ReturnType<typeof payoutsOf>;

function payoutsOf(service: TestService, merchant: TestMerchant, admin: TestAdmin) {
  const create = (draft: Partial<CreateWithdrawalRequest> = {}) =>
    merchant.client.withdrawals.create({
      amount: 250,
      method: 'crypto',
      ...(draft.method === 'bank' ? {} : { destinationAddress: WALLET }),
      ...draft,
    });
  return {
    /** Changes these settings and keeps the others. */
    set: (change: Partial<Settings>) => service.set({ ...SETTINGS, ...change }),
    create,
    /** Creates and approves a withdrawal, and returns its id. */
    approved: async (draft?: Partial<CreateWithdrawalRequest>) => {
      const { id } = await create(draft);
      await admin.client.withdrawals.approve(id, {});
      return id;
    },
    /** A merchant that withdrew all of a payment of 100 dollars, which a deep reorg has reversed since. */
    owing: (options: Parameters<typeof makeOwing>[2] = {}) => makeOwing(service, admin, options),
    balance: () => merchant.client.settlements.balance(),
    /** The types of a withdrawal's events, in order. */
    eventsOf: async (id: string) => {
      const events = service.db.selectFrom('events').select('type').where('resource_id', '=', id);
      return (await events.orderBy('sequence').execute()).map(({ type }) => type);
    },
    /** The audit entries that administrators left about a withdrawal. */
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

/** What the service's features do about payouts that are looked at again; `events` in place of the service's. */
export function ownersOf({ service: { platform } }: TestService, events: Events = platform.events): PayoutOwners {
  const rates = createRates({ clock: platform.clock, origin: originOf(platform.livemode, platform.sideDb) });
  return payoutOwners({ ...platform, events }, { ...platform, events, rates, listeners: [] });
}

/** In the place of the service's own: whose administrator has not changed. */
export const asAnyone =
  (db: Db): CompletionDeps['asAdmin'] =>
  (_, work) =>
    inTransaction(db, work);

async function makeOwing(service: TestService, admin: TestAdmin, { process = false }: { readonly process?: boolean }) {
  const { client } = await service.activeMerchant();
  await earn(service, client, 100);
  const { id } = await client.withdrawals.create({ amount: 100, method: 'crypto', destinationAddress: WALLET });
  await admin.client.withdrawals.approve(id, {});
  if (process) await admin.client.withdrawals.process(id, {});
  await service.chain.drop(2);
  await service.runPaymentJobs();
  return { client, id, earn: (dollars: number) => earn(service, client, dollars) };
}

/** Creates, pays and confirms a payment of this many dollars. */
async function earn({ chain, runPaymentJobs }: TestService, { payments }: Client, amount: number): Promise<void> {
  const payment = await payments.create({ amount, currency: 'USD' });
  await chain.transfer(payment);
  await runPaymentJobs();
}

/** Fails a withdrawal as from the four-eyes threshold on: the first asks for it. */
export async function failByTwo(
  id: string,
  first: TestAdmin | undefined,
  second: TestAdmin | undefined,
): Promise<void> {
  await first?.client.withdrawals.askToFail(id, { notes: 'gone' });
  await second?.client.withdrawals.fail(id, { reason: 'gone' });
}

/** Records a network of the sandbox's chain with these tokens, as starts that list them would. */
export async function recordLists(
  { db }: Pick<TestService, 'db'>,
  { network }: { readonly network: { readonly name: string } },
  tokens: readonly Token[],
): Promise<void> {
  const chain = 'eip155:1337';
  await db
    .insertInto('deployment_networks')
    .values({ chain, kind: 'evm', name: network.name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('deployment_tokens')
    .values(tokens.map((token) => ({ chain, ...token })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
