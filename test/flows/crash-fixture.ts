import { expect, inject } from 'vitest';
import { type CrashOptions, runCrash } from '../../scripts/crash/payments/run.ts';
import type { Endings } from '../../scripts/crash/stage.ts';
import { runSubscriptionCrash } from '../../scripts/crash/subscriptions/run.ts';
import type { SubscriptionCrashOptions } from '../../scripts/crash/subscriptions/years.ts';
import { controlChain } from '../../src/sandbox/chain-control.ts';
import { startAnvil } from '../support/anvil.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';

type PaymentSize = Pick<CrashOptions, 'kills' | 'payments'>;

/** A campaign of `npm run test:crash`, of this size: fails unless each payment was credited and told of once. */
export async function crashWhilePaying(size: PaymentSize, endings: Endings): Promise<void> {
  const database = await createTestDatabase();
  endings.push(database.drop);
  const dataDir = makeTestFolder(inject('runFolder'));
  const figures = await runCrash(
    { ...size, aliveMaxMs: 2_000, dataDir, database, impatient: true, progress: () => undefined },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures).toMatchObject(size);
  expect(figures.replaced).toBeGreaterThan(0);
  expect(figures.deliveries).toBeGreaterThanOrEqual(figures.events);
}

type SubscriptionSize = Pick<SubscriptionCrashOptions, 'count' | 'days' | 'killOf' | 'outages'>;

/**
 * A campaign of `npm run test:crash-subscriptions`, of this size, with two processes: fails unless each period was
 * charged once, with at least so many kills and charges.
 */
export async function crashWhileRenewing(
  { kills, charges, ...size }: SubscriptionSize & { readonly kills: number; readonly charges: number },
  endings: Endings,
): Promise<void> {
  const [database, chain] = await Promise.all([createTestDatabase(), startAnvil()]);
  endings.push(database.drop, chain.stop);
  const figures = await runSubscriptionCrash(
    {
      ...size,
      seconds: 1,
      sellers: 1,
      roles: ['api,scheduler,watcher', 'scheduler,watcher'],
      seed: 20_261_120,
      dataDir: makeTestFolder(inject('runFolder')),
      database,
      chain: controlChain(chain.url),
      progress: () => undefined,
    },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures.kills).toBeGreaterThanOrEqual(kills);
  expect(figures.charges['succeeded']).toBeGreaterThanOrEqual(charges);
}
