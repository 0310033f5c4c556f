import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'clients/*/test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/support/worker.ts'],
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
