import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSequencer, type TestSequencerConstructor, type Vitest } from 'vitest/node';

/** Files that take more time than others: they start processes, nodes or browsers, or kill services. */
const LONG = /\.long\.test\.ts$|\/flows\/crash|\/contract\/bad-input/;

/**
 * Without timings of an earlier run, Vitest starts with the largest files and would leave small but slow ones for the
 * end, where one worker runs them while the others have nothing to do.
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
    // Tests wait for servers, nodes and browsers half of their time: five keep two cores busy, where three left a third
    // of their time unused and four a sixth.
    maxWorkers: 5,
    // Far beyond what they take alone: a crowded machine makes them slow, and that is no fault of theirs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
