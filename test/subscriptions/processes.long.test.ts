import { sql } from 'kysely';
import type { Address } from 'viem';
import { readContract } from 'viem/actions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { openCrowd } from '../../scripts/bench/crowd.ts';
import type { ServiceProcess } from '../../scripts/lib/service-process.ts';
import { openReader } from '../../src/chains/evm/client.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { startAnother } from '../support/second-process.ts';

const PEOPLE = 300;
const WITHIN_MS = 60_000;

let sandbox: SandboxService;
let trader: Trader;
let others: ServiceProcess[];

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
  others = await Promise.all([startAnother(sandbox), startAnother(sandbox)]);
});
afterAll(async () => {
  await Promise.all(others.map((other) => other.stop()));
  await sandbox.close();
});

test('three processes renew hundreds of subscriptions due at once, each of them once', async () => {
  const { db, clock } = sandbox.service().platform;
  const crowd = await openCrowd(db, sandbox.network, { merchantId: trader.id, count: PEOPLE, now: clock.now() });
  await crowd.becomeDue();
  const renewed = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from subscriptions where period_number = 2 and charge = 'none'`.execute(db);
    return rows[0]?.count ?? 0;
  };
  await expect.poll(renewed, { timeout: WITHIN_MS, interval: 100 }).toBe(PEOPLE);

  const charges = await sql<{ status: string; count: number; payments: number }>`
    select status, count(*)::integer as count, count(distinct payment_id)::integer as payments
      from charges group by status`.execute(db);
  expect(charges.rows).toEqual([{ status: 'succeeded', count: PEOPLE, payments: PEOPLE }]);
  const events = await sql<{ type: string; count: number }>`
    select type, count(*)::integer as count from events
     where type in ('subscription.renewed', 'payment.completed') group by type order by 1`.execute(db);
  expect(events.rows).toEqual([
    { type: 'payment.completed', count: PEOPLE },
    { type: 'subscription.renewed', count: PEOPLE },
  ]);
  expect(await trader.client.settlements.balance()).toMatchObject({ totalEarned: 5 * PEOPLE, pendingBalance: 0 });
  // The chain agrees: every customer was charged for this week, and nothing after it.
  const reader = openReader(sandbox.network.rpcUrl);
  const contract = {
    address: sandbox.network.collector as Address,
    abi: subscriptionCollector.abi,
    functionName: 'state',
  } as const;
  for (const { payer, id } of crowd.mandates.filter((_, i) => i % 100 === 0)) {
    const [, , lastNumber] = await readContract(reader, { ...contract, args: [payer as Address, id as `0x${string}`] });
    expect(lastNumber).toBe(2);
  }
});
