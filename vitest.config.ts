import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSequencer, type TestSequencerConstructor, type Vitest } from 'vitest/node';

/** Files that take up to half a minute. */
const LONG = /browser\/pages|scripts\/start|flows\/crash/;

/**
 * Without timings of an earlier run, Vitest starts with the largest files and would leave the small but slow crash
 * tests for the end.
 */
function longFirst(vitest: Vitest): TestSequencer {
  const usual = new BaseSequencer(vitest);
  return {
    shard: (files) => usual.shard(files),
    sort: async (files) => {
      const sorted = await usual.sort(files);
      return sorted.toSorted((a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)));
    },
  };
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'clients/*/test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/support/worker.ts'],
    // Vitest calls `new` on this; a function that returns an object works too.
    sequence: { sequencer: longFirst as unknown as TestSequencerConstructor },
    pool: 'forks',
    // A worker loads the service once for all the files that it runs: that halves the time of a run. A file restores
    // what it changes beyond itself (clocks, the environment).
    isolate: false,
    // Tests wait for servers and browsers half of their time; more workers would only slow those down.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
