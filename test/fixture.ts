import { test as plain } from 'vitest';
import { type StartOptions, startService } from './harness.ts';
import { type Respond, startReceiver } from './support/receiver.ts';

/**
 * Tests of a service that starts with these options. Fixtures are lazy and made once a file, by the first test or
 * hook that names them: a file whose tests name none starts nothing. At the end of the file the service stops, and
 * the file fails if an answer or an event broke the contract, or if the service logged an error.
 *
 * A file declares one `test` and adds fixtures with `test.extend`. Don't call `test.override` on the shared `test`:
 * a worker runs many files in one process, and the next file would inherit the change.
 */
export const serviceTest = (options: StartOptions = {}) =>
  plain
    .extend('startOptions', { scope: 'file' }, options)
    .extend('service', { scope: 'file' }, async ({ startOptions }, { onCleanup }) => {
      const service = await startService(startOptions);
      onCleanup(() => service.close());
      return service;
    })
    /** An active merchant. */
    .extend('merchant', { scope: 'file' }, ({ service }) => service.activeMerchant())
    /** An administrator with the super role. */
    .extend('admin', { scope: 'file' }, ({ service }) => service.admin())
    /** How `receiver` answers. */
    .extend('respond', { scope: 'file' }, (): Respond => () => 200)
    /** An endpoint that takes webhooks. */
    .extend('receiver', { scope: 'file' }, async ({ respond }, { onCleanup }) => {
      const receiver = await startReceiver(respond);
      onCleanup(() => receiver.close());
      return receiver;
    });

export const test = serviceTest();
