import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService } from '../support/sandbox-service.ts';

let sandbox: SandboxService;
beforeAll(async () => {
  sandbox = await startSandboxService();
});
afterAll(() => sandbox.close());

const advance = (body: { seconds: number } | { to: string }) => sandbox.client().sandbox.clock.advance(body);
const invalid = (path: string) => ({ status: 400, code: 'VALIDATION_ERROR', fields: [{ path }] });
const read = async () => new Date((await sandbox.client().sandbox.clock.get()).now).getTime();

test('moves the clock by seconds or to a given time', async () => {
  const before = await read();
  const { now, offsetMs } = await advance({ seconds: 60 });
  expect(new Date(now).getTime()).toBeGreaterThanOrEqual(before + 60_000);
  // Counted from the moment of the call: the wall has moved on meanwhile.
  expect(offsetMs).toBeGreaterThan(50_000);
  const to = new Date((await read()) + 3_600_000);
  expect(new Date((await advance({ to: to.toISOString() })).now).getTime()).toBeGreaterThanOrEqual(to.getTime());
});

test('moves the chain along', async () => {
  const { now } = await advance({ seconds: 7200 });
  const { timestamp } = await sandbox.node.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
  expect(Math.abs(Number(timestamp) * 1000 - new Date(now).getTime())).toBeLessThan(10_000);
});

test('refuses to go back, or forward by more than ten years', async () => {
  const now = await read();
  await expect(advance({ to: new Date(now - 60_000).toISOString() })).rejects.toMatchObject(invalid('to'));
  await expect(advance({ to: new Date(now + 11 * 365 * 86_400_000).toISOString() })).rejects.toMatchObject(
    invalid('to'),
  );
  await expect(advance({ seconds: 0 })).rejects.toMatchObject(invalid('seconds'));
  await expect(advance({ seconds: 316_224_001 })).rejects.toMatchObject(invalid('seconds'));
});

test('takes exactly one of seconds and time', async () => {
  for (const body of [{}, { seconds: 60, to: '2030-01-01T00:00:00Z' }]) {
    await expect(advance(body as { seconds: number })).rejects.toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  }
});
