import { afterEach, expect, inject, test } from 'vitest';
import { runCrash } from '../../scripts/crash/payments/run.ts';
import type { Endings } from '../../scripts/crash/stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const endings: Endings = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** `npm run test:crash` runs this with fifty kills and two hundred payments. */
test('a service killed repeatedly credits every payment once and loses no webhook', async () => {
  const database = await createTestDatabase();
  endings.push(database.drop);
  const figures = await runCrash(
    {
      kills: 3,
      payments: 12,
      aliveMaxMs: 2_000,
      dataDir: makeTestFolder(inject('runFolder')),
      database,
      impatient: true,
      progress: () => undefined,
    },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures).toMatchObject({ kills: 3, payments: 12 });
  expect(figures.replaced).toBeGreaterThan(0);
  expect(figures.deliveries).toBeGreaterThanOrEqual(figures.events);
}, 150_000);
