import { expect, test } from 'vitest';
import { type CollectDeps, collectDue } from '../../src/subscriptions/charging/collect.ts';
import { openAuthorized, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

test('batches that fail while others are still claimed fail the run, and nothing else', async () => {
  const subscribers = [await openAuthorized(world, trader), await openAuthorized(world, trader)];
  await world.play('advance', 'tick');
  const { clock } = world.service().platform;
  let failed = 0;
  // A collector whose node is away, and settings that can't be read: each charge is claimed and then fails.
  const deps = {
    ...{ db: world.db(), networks: [world.network], worker: 'failing', operator: {}, log: () => undefined },
    reach: { isClosed: () => false },
    chains: {
      openCollector: () => ({
        ...{ network: world.network, chargesMax: 1 },
        readHeadTime: () => Promise.reject(new Error('the node is away')),
      }),
      openOperatorNode: () => ({ quoteFees: () => Promise.reject(new Error('the node is away')) }),
    },
    settings: {
      current: () => {
        failed += 1;
        return Promise.reject(new Error('the settings are away'));
      },
    },
  } as unknown as CollectDeps;
  const run = { now: clock.now(), real: clock.real(), signal: new AbortController().signal };
  await expect(collectDue(deps, run)).rejects.toThrow('the settings are away');
  expect(failed).toBe(2);
  for (const { charge } of subscribers) expect(await charge()).toMatchObject({ status: 'due' });
});
