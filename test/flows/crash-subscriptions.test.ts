import { expect, inject, test } from 'vitest';
import { runSubscriptionCrash } from '../../scripts/crash/subscriptions/run.ts';
import { controlChain } from '../../src/sandbox/chain-control.ts';
import { startAnvil } from '../support/anvil.ts';
import { useCrashStage } from '../support/crash-stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const { endings } = useCrashStage();

/** `npm run test:crash-subscriptions` plays two years of a thousand subscriptions. */
test('every period is charged once while the service is killed during renewals', async () => {
  const [database, chain] = await Promise.all([createTestDatabase(), startAnvil()]);
  endings.push(database.drop, chain.stop);
  const figures = await runSubscriptionCrash(
    {
      count: 12,
      days: 26,
      seconds: 1,
      sellers: 1,
      roles: ['api,scheduler,watcher', 'scheduler,watcher'],
      killOf: 6,
      outages: 1,
      seed: 20_261_120,
      dataDir: makeTestFolder(inject('runFolder')),
      database,
      chain: controlChain(chain.url),
      progress: () => undefined,
    },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures.kills).toBeGreaterThan(1);
  expect(figures.charges['succeeded']).toBeGreaterThan(5);
}, 150_000);
