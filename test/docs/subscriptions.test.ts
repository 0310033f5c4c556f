import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD } from '../harness.ts';
import { type SandboxService, startSandboxService } from '../support/sandbox-service.ts';
import { blocks, readGuide } from './guide.ts';
import { LANGUAGES, type Language, runProgram } from './program.ts';

let sandbox: SandboxService;
let email: string;
beforeAll(async () => {
  sandbox = await startSandboxService();
  const trader = await sandbox.openTrader();
  ({ email } = await trader.client.merchants.get(trader.id));
});
afterAll(() => sandbox.close());

const [subscribing = '', year = ''] = blocks(readGuide('subscriptions'), 'ts');
const run = (example: string): Promise<string[]> => {
  const source = example
    .replace('http://localhost:3000', sandbox.url())
    .replace('@kasi/client', resolve('clients/typescript/src/index.ts'));
  return runProgram(LANGUAGES[0] as Language, source, { env: { KASI_EMAIL: email, KASI_PASSWORD: PASSWORD } });
};

test("the guide's first program sends a customer to the subscription page", async () => {
  const [line = ''] = await run(subscribing);
  const [, page = ''] =
    /^Send the customer to http:\/\/localhost:\d+(\/checkout\/subscription\/sub_\w+)$/.exec(line) ?? [];
  expect(await (await fetch(`${sandbox.url()}${page}`)).text()).toContain('Tea club');
});

test('the second program plays a year in which the money lasts for four months', async () => {
  const paid = [1, 2, 3, 4].map((number) => `${number} succeeded`);
  expect((await run(year)).map((line) => line.trim())).toEqual([
    ...paid,
    '5 failed insufficient_balance',
    'expired payment_failed',
  ]);
});
