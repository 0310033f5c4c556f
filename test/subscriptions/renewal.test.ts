import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/lib/clock.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { openSubscriber } from './renewal-fixture.ts';

let sandbox: SandboxService;
let trader: Trader;

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

const advance = (ms: number) => sandbox.client().sandbox.clock.advance({ seconds: ms / 1000 } as never);

test('a customer signs, is charged at once, and again a month later', async () => {
  const subscriber = await openSubscriber(sandbox, trader);
  await subscriber.charged(1, 'succeeded');
  expect(await subscriber.read()).toMatchObject({ status: 'active', mandateStatus: 'active' });
  await advance(32 * DAY_MS);
  const charges = await subscriber.charges();
  expect(charges.map(({ number, status }) => [number, status])).toEqual([
    [2, 'succeeded'],
    [1, 'succeeded'],
  ]);
  expect(await subscriber.told()).toEqual(['created', 'activated', 'renewed']);
});
