import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';
import type { SandboxService } from '../support/sandbox-service.ts';

const advance = (sandbox: SandboxService, body: { seconds: number } | { to: string }) =>
  sandbox.client().sandbox.clock.advance(body);
const invalid = (path: string) => ({ status: 400, code: 'VALIDATION_ERROR', fields: [{ path }] });
const read = async (sandbox: SandboxService) => new Date((await sandbox.client().sandbox.clock.get()).now).getTime();

test('moves the clock by seconds or to a given time', async ({ sandbox }) => {
  const before = await read(sandbox);
  const { now, offsetMs } = await advance(sandbox, { seconds: 60 });
  expect(new Date(now).getTime()).toBeGreaterThanOrEqual(before + 60_000);
  // Relative to the call: real time has moved on meanwhile.
  expect(offsetMs).toBeGreaterThan(50_000);
  const to = new Date((await read(sandbox)) + 3_600_000);
  expect(new Date((await advance(sandbox, { to: to.toISOString() })).now).getTime()).toBeGreaterThanOrEqual(
    to.getTime(),
  );
});

test('moves the chain along', async ({ sandbox }) => {
  const { now } = await advance(sandbox, { seconds: 7200 });
  const { timestamp } = await sandbox.node.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
  expect(Math.abs(Number(timestamp) * 1000 - new Date(now).getTime())).toBeLessThan(10_000);
});

test('refuses to go back, or forward by more than ten years', async ({ sandbox }) => {
  const now = await read(sandbox);
  await expect(advance(sandbox, { to: new Date(now - 60_000).toISOString() })).rejects.toMatchObject(invalid('to'));
  await expect(advance(sandbox, { to: new Date(now + 11 * 365 * 86_400_000).toISOString() })).rejects.toMatchObject(
    invalid('to'),
  );
  await expect(advance(sandbox, { seconds: 0 })).rejects.toMatchObject(invalid('seconds'));
  await expect(advance(sandbox, { seconds: 316_224_001 })).rejects.toMatchObject(invalid('seconds'));
});

test('takes exactly one of seconds and time', async ({ sandbox }) => {
  for (const body of [{}, { seconds: 60, to: '2030-01-01T00:00:00Z' }]) {
    await expect(advance(sandbox, body as { seconds: number })).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
  }
});
