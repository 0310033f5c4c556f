import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { makeProbeWorld, type ProbeWorld } from '../contract/probe-world.ts';
import { operationIds } from '../support/contract.ts';
import { environmentFor, fillSample } from './fill-sample.ts';
import { missingFor, SHELL, skipWithout } from './program.ts';
import { type ClientLabel, RUNNERS, runCurl, type SampleRunner } from './sample-runner.ts';

/** No sandbox runs here: its operations answer 404. `samples-sandbox.long.test.ts` runs their samples. */
const served = operationIds.filter((id) => !operationMeta[id].sandbox);
const missing = missingFor(SHELL);

describe('curl', () => {
  let world: ProbeWorld;
  beforeAll(async () => {
    world = await makeProbeWorld();
  });
  afterAll(() => world.service.close());

  test.for(served)('the curl sample of %s works', async (id, { skip }) => {
    skipWithout(missing, skip);
    const source = await fillSample(world, id, 'curl');
    const status = await runCurl(source, await environmentFor(world, id), id === 'streamPublicPayment');
    expect(status).toBe(`${operationMeta[id].successStatus[0]}`);
  });
});

// A world for each: the second registration of one address fails.
describe.for(Object.keys(RUNNERS) as ClientLabel[])('%s', (label) => {
  let world: ProbeWorld;
  let runner: SampleRunner | { readonly missing: string };
  beforeAll(async () => {
    [world, runner] = await Promise.all([makeProbeWorld(), RUNNERS[label]()]);
  });
  afterAll(async () => {
    if ('stop' in runner) runner.stop();
    await world.service.close();
  });

  test.for(served)(`the ${label} sample of %s works`, async (id, { skip }) => {
    if ('missing' in runner) return skip(runner.missing);
    const source = await fillSample(world, id, label);
    const printed = await runner.run(id, source, await environmentFor(world, id));
    // The sample is there to show what comes back.
    if (/console\.log|print|echo|var_dump/.test(source)) expect(printed).not.toBe('');
  });
});
