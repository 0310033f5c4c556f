import { expect, test } from 'vitest';
import { runKeyCrash } from '../../scripts/crash/keys/run.ts';
import { useCrashStage } from '../support/crash-stage.ts';

const { endings, makePlace } = useCrashStage();

/** `npm run test:crash-keys` runs this with a hundred kills. */
test('a request repeated under its key while the service is killed repeatedly has its effect once', async () => {
  const figures = await runKeyCrash(
    {
      kills: 3,
      callers: 8,
      aliveMaxMs: 500,
      ...(await makePlace()),
    },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures.kills).toBe(3);
  expect(figures.orders).toBeGreaterThan(0);
});
