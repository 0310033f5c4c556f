import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signTestWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { outlivesStrangers, SOON, startExample } from '../client/readme-examples.ts';
import { PASSWORD } from '../harness.ts';
import { createTestAdmin } from '../support/admins.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { CLIENTS, closeExamples, type Opened, openAllExamples } from './client-examples.ts';
import { readGuide, section } from './guide.ts';
import type { ClientLabel } from './sample-runner.ts';

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

/** The arguments with which each language runs the server of its example. */
const SERVES: Readonly<Record<ClientLabel, (file: string, port: number) => string[]>> = {
  TypeScript: (file) => [file],
  Python: (file) => [file],
  PHP: (file, port) => ['-S', `127.0.0.1:${port}`, file],
};

describe.for(CLIENTS)('in %s', (label) => {
  let examples: Opened;
  let trader: Trader;
  let login: { readonly 'owner@teahouse.example': string; readonly 'Str0ng-enough': string };
  let key: Record<string, string>;
  beforeAll(async () => {
    examples = opened.get(label) ?? { missing: 'was not opened' };
    trader = await sandbox.openTrader();
    const { email } = await trader.client.merchants.get(trader.id);
    login = { 'owner@teahouse.example': email, 'Str0ng-enough': PASSWORD };
  });

  test('the shop of the guide gets a key that does what the guides do, and creates a session', async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const guide = readGuide('getting-started');
    const lines = await examples.run(guide, 0, { instead: login });
    key = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
    expect(Object.keys(key)).toEqual(['KASI_MERCHANT_ID', 'KASI_API_KEY', 'KASI_API_SECRET']);
    expect(await examples.run(guide, 1, { env: key })).toEqual([expect.stringMatching(/\/checkout\/session\/cs_\w+$/)]);
  });

  test('a payment is given back, and claimed', async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const guide = readGuide('refunds');
    const { id } = await trader.client.payments.create({ amount: 25, currency: 'USD' });
    await trader.client.sandbox.payments.pay(id);
    await trader.reaches(id, 'paid');
    const [said = ''] = await examples.run(guide, 0, { env: key, instead: { pay_01jggfnds9e9gt3f3v5s7k2m4n: id } });
    const [, CLAIM = ''] = /^Send this to your payer: http\S+\/([\w-]+)$/.exec(said) ?? [];
    const claimed = await examples.run(guide, 1, { env: { CLAIM } });
    expect(claimed).toEqual(['pending 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed']);
    const [refund] = (await trader.client.refunds.list({ paymentId: id })).refunds;
    const admin = await createTestAdmin({ ...sandbox.service().platform, url: sandbox.url(), fetch });
    const { 'owner@teahouse.example': KASI_EMAIL, 'Str0ng-enough': KASI_PASSWORD } = login;
    const instead = { rfd_01jggm5r8e3t6y9b2d4f7h0k1n: refund?.id ?? '', 'admin@kasi.example': admin.email };
    const both = { KASI_EMAIL, KASI_PASSWORD, ADMIN_PASSWORD: PASSWORD };
    expect(await examples.run(guide, 2, { env: both, instead })).toEqual(['completed']);
  });

  test('an error is told by its code', async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const { id } = await trader.client.payments.create({ amount: 25, currency: 'USD' });
    const cancel = { env: key, instead: { pay_01jggfnds9e9gt3f3v5s7k2m4n: id } };
    expect(await examples.run(readGuide('errors'), 0, cancel)).toEqual(['It is expired now.']);
    expect(await examples.run(readGuide('errors'), 0, cancel)).toEqual(['Too late to cancel.']);
    const [unknown] = await examples.run(readGuide('errors'), 0, { env: key });
    expect(unknown).toMatch(/^NOT_FOUND There is no such payment\. req_[\w-]+/);
  });

  test('an endpoint is set, and its server takes what is genuine and nothing else', async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const guide = readGuide('webhooks');
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/webhooks`;
    await examples.run(guide, 0, { env: key, instead: { 'http://localhost:4000/webhooks': url } });
    const here = { 'listen(4000)': `listen(${port}, '127.0.0.1')`, '("", 4000)': `("127.0.0.1", ${port})` };
    const { program, folder, file } = await examples.write(section(guide, '## Verify'), 0, here);
    const server = startExample([program, ...SERVES[label](file, port)], folder, key);
    await expect.poll(async () => (await trader.client.webhooks.test()).statusCode, SOON).toBe(204);
    const { id } = await trader.client.payments.create({
      amount: 25,
      currency: 'USD',
      metadata: { orderId: 'A-1001' },
    });
    await trader.client.sandbox.payments.pay(id);
    await expect.poll(server.printed, SOON).toContain('Paid: A-1001');
    const { body, headers } = signTestWebhook({ id: 'evt_1', type: 'payment.completed' } as WebhookEvent);
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(400);
    await outlivesStrangers(port);
  });
});
