import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../harness.ts';
import { type SandboxService, startSandboxService } from '../support/sandbox-service.ts';
import { CLIENTS, closeExamples, type Opened, openAllExamples } from './client-examples.ts';
import { readGuide } from './guide.ts';
import type { ClientLabel } from './sample-runner.ts';

const guide = readGuide('subscriptions');
let opened: ReadonlyMap<ClientLabel, Opened>;
let sandbox: SandboxService;
beforeAll(async () => {
  opened = await openAllExamples(() => sandbox.url());
  sandbox = await startSandboxService();
});
afterAll(async () => {
  closeExamples(opened);
  await sandbox.close();
});

describe.for(CLIENTS)('in %s', (label) => {
  let examples: Opened;
  let env: Record<string, string>;
  beforeAll(async () => {
    examples = opened.get(label) ?? { missing: 'was not opened' };
    const trader = await sandbox.openTrader();
    const { email } = await trader.client.merchants.get(trader.id);
    env = { KASI_EMAIL: email, KASI_PASSWORD: PASSWORD };
  });

  test("the guide's first program sends a customer to the subscription page", async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const [line = ''] = await examples.run(guide, 0, { env });
    const [, page = ''] =
      /^Send the customer to http:\/\/localhost:\d+(\/checkout\/subscription\/sub_\w+)$/.exec(line) ?? [];
    expect(await (await fetch(`${sandbox.url()}${page}`)).text()).toContain('Tea club');
  });

  test('the second program plays a year in which the money lasts for four months', async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const paid = [1, 2, 3, 4].map((number) => `${number} succeeded`);
    expect((await examples.run(guide, 1, { env })).map((line) => line.trim())).toEqual([
      ...paid,
      '5 failed insufficient_balance',
      'expired payment_failed',
    ]);
  });
});
