import { test as plain } from 'vitest';
import { type SandboxOptions, startSandboxService } from './support/sandbox-service.ts';

/**
 * Tests of the whole sandbox: every role of the service, on a real chain. Fixtures are made once a file, as those of
 * `fixture.ts`. At the end of the file the sandbox stops, with the checks of its `close`.
 */
export const test = plain
  .extend('sandboxOptions', { scope: 'file' }, {} as SandboxOptions)
  .extend('sandbox', { scope: 'file' }, async ({ sandboxOptions }, { onCleanup }) => {
    const sandbox = await startSandboxService(sandboxOptions);
    onCleanup(() => sandbox.close());
    return sandbox;
  })
  /** An active merchant with a shop that receives its webhooks. */
  .extend('trader', { scope: 'file' }, ({ sandbox }) => sandbox.openTrader());
