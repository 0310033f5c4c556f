import { afterEach, expect, inject, test } from 'vitest';
import type { Endings } from '../../scripts/crash/stage.ts';
import { runLiars } from '../../scripts/liars/run.ts';
import { startAnvil } from '../support/anvil.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const endings: Endings = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/**
 * `npm run test:liars` runs this with five hundred payments and many kills. On a crowded machine a lie has found nobody
 * to hear it within two minutes, so a run that fails is played once more.
 */
test('endpoints that lie in turn and a kill lose no payment and invent none, and each lie is named until it is over', {
  timeout: 400_000,
  retry: 1,
}, async () => {
  const database = await createTestDatabase();
  endings.push(database.drop);
  const node = await startAnvil({ timestamp: Math.floor(Date.now() / 1000) - 3600 });
  endings.push(node.stop);
  const figures = await runLiars(
    {
      ...{ kills: 1, payments: 5, aliveMaxMs: 1_000, impatient: true, rpcUrl: node.url, quick: true },
      dataDir: makeTestFolder(inject('runFolder')),
      database,
      progress: () => undefined,
    },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures.lies.map(({ name, times, kind }) => `${name} ${times} ${kind}`)).toEqual([
    'HTTP 429 1 chain.endpoint',
    'another fork 1 chain.disagreement',
    'invented transfers 1 chain.disagreement',
    'HTTP 503 1 chain.endpoint',
    'empty lists 1 chain.endpoint',
    'missing blocks 1 chain.endpoint',
  ]);
});
