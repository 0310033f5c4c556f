import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSequencer, type TestSequencerConstructor, type Vitest } from 'vitest/node';

/** They take up to half a minute each. */
const LONG = /browser\/pages|scripts\/start|flows\/crash/;

/** Without an earlier run to go by, vitest begins with the largest files: the crash tests, which are small, would be left for the end. */
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
    // Vitest would make one of a class; a function that returns an object is made the same way.
    sequence: { sequencer: longFirst as unknown as TestSequencerConstructor },
    pool: 'forks',
    // A worker loads the service once and keeps it for all the files that it runs: that halves the time of a run. What a file changes
    // beyond itself (clocks, the environment) it puts back.
    isolate: false,
    // Tests wait for servers and browsers half of their time; more workers than this would only make those slower.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
