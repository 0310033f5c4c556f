import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { signTestWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';
import { startService } from '../harness.ts';
import { startReceiver } from '../support/receiver.ts';
import { CLIENTS, openExamples } from './client-examples.ts';
import { blocks, readGuide, section } from './guide.ts';
import { LANGUAGES, type Language, missingFor, runProgram, skipWithout } from './program.ts';

const guide = section(readGuide('webhooks'), '## Verify');
const vector = Object.fromEntries(
  (blocks(guide, '').at(-1) ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => /^(\S+)\s+(.*)$/.exec(line)?.slice(1) ?? []),
) as Record<string, string>;

/** How each language calls the `verify` of its example with every case, after the example's definitions. */
const CHECKS: Readonly<Record<string, string>> = {
  php: `set_error_handler(function ($level, $said) { throw new Exception($said); });
  foreach (json_decode(getenv('CASES'), true) as $c) {
    echo verify($c['body'], $c['headers'], $c['keys'], $c['now']) ? 'yes' : 'no', "\\n";
  }`,
  python: `import json, os
for c in json.loads(os.environ["CASES"]):
    print("yes" if verify(c["body"].encode(), c["headers"], c["keys"], c["now"]) else "no")`,
};

type Case = {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  readonly now: number;
};

/** What every verifier must accept, and what it must refuse. */
function casesOf(): { readonly good: Case[]; readonly bad: Case[] } {
  const { key = '', body = '', ...headers } = vector;
  const now = Number(headers['webhook-timestamp']);
  const published = { body, headers, keys: [key], now };
  const other = signTestWebhook({ id: 'evt_1', type: 'payment.expired' } as WebhookEvent).publicKey;
  const signature = headers['webhook-signature'] ?? '';
  const signed = (value: string): Case => ({ ...published, headers: { ...headers, 'webhook-signature': value } });
  return {
    good: [
      published,
      { ...published, now: now + 299 },
      { ...published, now: now - 299 },
      { ...published, keys: [other, key] },
      signed(`v1,bm90IG91cnM= v1a,bm9uZQ== ${signature}`),
    ],
    bad: [
      { ...published, body: `${body} ` },
      { ...published, now: now + 301 },
      { ...published, now: now - 301 },
      { ...published, keys: [other] },
      { ...published, keys: [] },
      { ...published, headers: { ...headers, 'webhook-id': 'evt_2' } },
      signed(signature.replace('v1a,', 'v1,')),
      signed('v1a,AAAA'),
      signed('v1a,සිංහල'),
      signed('v1a'),
      signed(''),
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        ...published,
        headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
      })),
      { ...published, headers: {} },
      ...['', 'now', '9'.repeat(5000), `${now}, ${now}`].map((timestamp) => ({
        ...published,
        headers: { ...headers, 'webhook-timestamp': timestamp },
      })),
      { ...published, body: '' },
    ],
  };
}

/** What the example needs besides its interpreter. */
function missingBeside(language: Language): string[] {
  if (language.fence !== 'python') return [];
  try {
    execFileSync('python3', ['-c', 'import cryptography'], { stdio: 'ignore' });
    return [];
  } catch {
    return ['the Python package cryptography'];
  }
}

test.for(LANGUAGES.filter(({ fence }) => fence in CHECKS))(
  'the example in $name accepts genuine webhooks and nothing else',
  async (language, { skip }) => {
    const missing = [...missingFor(language)];
    if (missing.length === 0) missing.push(...missingBeside(language));
    skipWithout(missing, skip);
    // The one without a client, which comes last.
    const example = blocks(guide, language.fence).at(-1);
    const { good, bad } = casesOf();
    const env = { CASES: JSON.stringify([...good, ...bad]) };
    const said = await runProgram(language, `${example}\n${CHECKS[language.fence]}\n`, { env });
    expect(said).toEqual([...good.map(() => 'yes'), ...bad.map(() => 'no')]);
  },
);

test.for(CLIENTS)(
  'the recovery example in %s asks until nothing is left, and every missed event arrives',
  async (label, { skip }) => {
    const examples = await openExamples(label, () => '');
    if ('missing' in examples) return skip(examples.missing);
    const service = await startService({ now: new Date('2026-01-02T10:00:00Z') });
    const receiver = await startReceiver();
    const { client, db, id } = { ...(await service.activeMerchant()), db: service.db };
    // The approval and these happened before there was an endpoint.
    const many = Array.from({ length: 1001 }, (_, index) => ({
      ...{ id: `evt_${String(index).padStart(26, '0')}`, merchant_id: id, type: 'payment.created' },
      ...{ resource_id: 'pay_many', sequence: index + 1, body: Buffer.from('{}'), created_at: service.clock.now() },
    }));
    await db.insertInto('events').values(many).execute();
    await client.webhooks.endpoint.update({ url: receiver.url });
    const { apiKey, apiSecret } = await client.apiKeys.create({ name: 'Shop', permissions: ['webhooks:manage'] });
    const env = { KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret };
    const text = section(readGuide('webhooks'), '## See and repeat');
    const lines = await examples.run(text, 0, { env, instead: { 'http://localhost:3000': service.url } });
    examples.stop();
    expect(lines).toEqual(['1000 events are sent again', '2 events are sent again']);
    await service.runJob('webhooks.deliver');
    // Including the event of the key, which was sent anyway. By ids: strangers may have known a port before.
    const events = await db.selectFrom('events').select('id').where('merchant_id', '=', id).execute();
    const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(events).toHaveLength(1003);
    expect(events.filter((event) => !arrived.has(event.id))).toEqual([]);
    await receiver.close();
    await service.close();
  },
);
