import { createHash, createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test } from '../fixture.ts';
import { blocks, readGuide, section } from './guide.ts';
import { LANGUAGES, missingFor, runProgram, skipWithout } from './program.ts';
import { SECRET, VECTORS, type Vector } from './signing-vectors.ts';

const guide = readGuide('signing');

const [secret, vectors] = [SECRET, VECTORS];

const textOf = ({ timestamp, method, target, body, key }: Vector): string =>
  [timestamp, method, target, createHash('sha256').update(body).digest('hex'), key].join('\n');

test("the guide's vectors are right, and the ones that every implementation is tested with", () => {
  expect(vectors.map((vector) => createHmac('sha256', secret).update(textOf(vector)).digest('hex'))).toEqual(
    vectors.map(({ signature }) => signature),
  );
  expect(vectors.map(({ signature }) => signature.slice(0, 8))).toEqual([
    '59a12af2',
    '20568939',
    'eba8f4e6',
    'd5134fc0',
    'df02b146',
    'b5acad61',
  ]);
});

test('the guide shows the text to sign of the first vector', () => {
  const shown = blocks(section(guide, '# Signing requests'), '')[1];
  expect(shown).toBe(`${textOf(vectors[0] as Vector)}\n`);
});

/** How each language calls the `sign` of its example with every vector, after the example's definitions. */
const CHECKS: Readonly<Record<string, string>> = {
  ts: `for (const { timestamp, method, target, body, key } of JSON.parse(process.env['VECTORS'] ?? '')) {
    console.log(await sign(KASI_API_SECRET, timestamp, { method, target, body, idempotencyKey: key }));
  }`,
  python: `for v in json.loads(os.environ["VECTORS"]):
    print(sign(KASI_API_SECRET, v["timestamp"], v["method"], v["target"], v["body"].encode(), v["key"]))`,
  php: `foreach (json_decode(getenv('VECTORS'), true) as $v) {
    echo sign(KASI_API_SECRET, $v['timestamp'], $v['method'], $v['target'], $v['body'], $v['key']), "\\n";
  }`,
  sh: vectors
    .map(({ timestamp, method, target, body, key }) => [timestamp, method, target, body, key])
    .map((values) => `sign "$KASI_API_SECRET" ${values.map((value) => `'${value}'`).join(' ')}`)
    .join('\n'),
};

describe.each(LANGUAGES)('the example in $name', (language) => {
  const [example = ''] = blocks(section(guide, `## In ${language.name}`), language.fence);
  const missing = missingFor(language);
  const [definitions = '', calls = ''] = example.split(/^(?:\/\/|#) Ask for money.*\n/m);

  test('signs like every vector', async ({ skip }) => {
    skipWithout(missing, skip);
    expect(calls, 'the definitions and the calls of the example can be separated').not.toBe('');
    const env = { KASI_API_KEY: 'pk_sandbox_1', KASI_API_SECRET: secret, VECTORS: JSON.stringify(vectors) };
    const lines = await runProgram(language, `${definitions}\n${CHECKS[language.fence]}\n`, { env });
    expect(lines).toEqual(vectors.map(({ signature }) => signature));
  });

  test('asks for money and reads what was paid', async ({ service, skip }) => {
    skipWithout(missing, skip);
    const { client } = await service.activeMerchant();
    const key = await client.apiKeys.create({ name: 'Web shop', permissions: ['payments:read', 'payments:write'] });
    const env = { KASI_URL: service.url, KASI_API_KEY: key.apiKey, KASI_API_SECRET: key.apiSecret };
    const said = (await runProgram(language, example, { env })).join('\n');
    const { payments } = await client.payments.list();
    expect(payments).toMatchObject([{ amount: 25, currency: 'USD' }]);
    const { metadata } = await client.payments.get(payments[0]?.id ?? '');
    expect(metadata).toEqual({ orderId: '1001', note: 'සිංහල ☕' });
    expect(said).toMatch(/http:\S+\/checkout\/session\/cs_\w+/);
    expect(said, 'the answer to the GET').toMatch(/^1$|"total":1\b/m);

    // A second run repeats the request, so there is still one payment.
    expect((await runProgram(language, example, { env })).join('\n')).toBe(said);
  });
});
