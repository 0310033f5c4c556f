import { test as plain } from 'vitest';
import { type SandboxOptions, startSandboxService } from './support/sandbox-service.ts';

/**
 * Tests of the whole sandbox: every role of the service, on a real chain. Fixtures are made once a file, as those of
 * `fixture.ts`. At the end of the file the sandbox stops, with the checks of its `close`.
 */
export const test = sandboxTest();

/**
 * The same with other options. Not an `override` of `test`: the files of a worker share this module, and an override
 * would hold for those that run afterwards.
 */
export function sandboxTest(options: SandboxOptions = {}) {
  return (
    plain
      .extend('sandboxOptions', { scope: 'file' }, options)
      .extend('sandbox', { scope: 'file' }, async ({ sandboxOptions }, { onCleanup }) => {
        const sandbox = await startSandboxService(sandboxOptions);
        onCleanup(() => sandbox.close());
        return sandbox;
      })
      /** An active merchant with a shop that receives its webhooks. */
      .extend('trader', { scope: 'file' }, ({ sandbox }) => sandbox.openTrader())
  );
}
