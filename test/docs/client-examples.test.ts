import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../harness.ts';
import { startReceiver } from '../support/receiver.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { CLIENTS, type Examples, openExamples } from './client-examples.ts';
import { readGuide, section } from './guide.ts';

let sandbox: SandboxService;
beforeAll(async () => {
  sandbox = await startSandboxService();
});
afterAll(() => sandbox.close());

/** How each language hands a webhook to the function of its example, and then another with a longer body. */
const RECEIVES = {
  TypeScript: `const { body, headers } = JSON.parse(process.env['WEBHOOK'] ?? '');
    for (const each of [body, \`\${body} \`]) {
      const request = new Request('http://shop.example', { method: 'POST', body: each, headers });
      console.log(await receive(request).then(({ status }) => status, ({ name }) => name));
    }`,
  Python: `import json
hook = json.loads(os.environ["WEBHOOK"])
for body in (hook["body"], hook["body"] + " "):
    print(receive(body.encode(), hook["headers"]))`,
  PHP: `$hook = json_decode(getenv('WEBHOOK'), true);
    foreach ([$hook['body'], $hook['body'] . ' '] as $body) {
        echo receive($body, $hook['headers']), "\\n";
    }`,
};

describe.for(CLIENTS)('in %s', (label) => {
  let examples: Examples | { readonly missing: string };
  let trader: Trader;
  let login: { readonly 'owner@teahouse.example': string; readonly 'Str0ng-enough': string };
  let key: Record<string, string>;
  beforeAll(async () => {
    [examples, trader] = await Promise.all([openExamples(label, sandbox.url()), sandbox.openTrader()]);
    const { email } = await trader.client.merchants.get(trader.id);
    login = { 'owner@teahouse.example': email, 'Str0ng-enough': PASSWORD };
  }, 180_000);
  afterAll(() => {
    if ('stop' in examples) examples.stop();
  });

  test('the shop of the guide gets a key that does what the guides do, and creates a session', async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const guide = readGuide('getting-started');
    const lines = await examples.run(guide, 0, { instead: login });
    key = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
    expect(Object.keys(key)).toEqual(['KASI_API_KEY', 'KASI_API_SECRET']);
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
  });

  test('an error is told by its code', async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const { id } = await trader.client.payments.create({ amount: 25, currency: 'USD' });
    const cancel = { env: key, instead: { pay_01jggfnds9e9gt3f3v5s7k2m4n: id } };
    expect(await examples.run(readGuide('errors'), 0, cancel)).toEqual(['It is expired now.']);
    expect(await examples.run(readGuide('errors'), 0, cancel)).toEqual(['Too late to cancel.']);
    const [unknown] = await examples.run(readGuide('errors'), 0, { env: key });
    expect(unknown).toMatch(/^NOT_FOUND There is no such payment\. req_\w+/);
  });

  test('an endpoint is set, and receives what is genuine and nothing else', async ({ skip }) => {
    if ('missing' in examples) return skip(examples.missing);
    const guide = readGuide('webhooks');
    const receiver = await startReceiver();
    await examples.run(guide, 0, { env: key, instead: { 'http://localhost:4000/webhooks': receiver.url } });
    expect((await trader.client.webhooks.test()).statusCode).toBe(200);
    const { id } = await trader.client.payments.create({
      amount: 25,
      currency: 'USD',
      metadata: { orderId: 'A-1001' },
    });
    await trader.client.sandbox.payments.pay(id);
    const paid = () =>
      receiver.received.find(({ body }) => `${body}`.includes('"payment.completed"') && `${body}`.includes(id));
    await expect.poll(paid, { timeout: 15_000, interval: 50 }).toBeDefined();
    await receiver.close();
    const { body = '', headers } = paid() ?? {};
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const sent = Object.fromEntries(names.map((name) => [name, String(headers?.[name])]));
    const env = { WEBHOOK: JSON.stringify({ body: `${body}`, headers: sent }), KASI_MERCHANT_ID: trader.id };
    expect(await examples.run(section(guide, '## Verify'), 0, { env, more: RECEIVES })).toEqual([
      'Paid: A-1001',
      '204',
      label === 'TypeScript' ? 'WebhookVerificationError' : '400',
    ]);
  });
});
