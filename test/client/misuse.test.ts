import { expect, test } from 'vitest';
import { createClient, KasiError, requestIdOf, verifyWebhook } from '../../clients/typescript/src/index.ts';
import { refusal, startFakeService } from './fake-service.ts';

const baseUrl = 'https://pay.shop.example';
const KEY = { apiKey: 'pk_sandbox_1', apiSecret: 'sk_sandbox_1' };
const NOBODY = { keys: undefined as never };
const FINE = [
  ...['https://v1', 'http://[::1]:3000', 'HTTPS://PAY.SHOP.EXAMPLE:8443/', 'http://localhost:3000/kasi//'],
  ...['https://pay.shop.example/@tea/v1x', 'https://münchen.example'],
];
/** Like the request of Express: no fetch Request. */
const NODE_REQUEST = { headers: {}, body: {}, on: () => undefined } as never;

test.each(FINE)('%s is an address of a service', (address) => {
  expect(() => createClient({ baseUrl: address })).not.toThrow();
});

/** What a developer does by mistake, and what they read. */
test.each<[string, () => unknown, string]>([
  ['no options', () => createClient(undefined as never), 'A client needs options: { baseUrl }.'],
  ['no baseUrl', () => createClient({} as never), 'baseUrl is missing: the URL of the service'],
  [
    'an unset variable',
    () => createClient({ baseUrl: process.env['NOT_SET_ANYWHERE'] as never }),
    'baseUrl is missing',
  ],
  ['no scheme', () => createClient({ baseUrl: 'localhost:3000' }), 'Write it with https://'],
  ['no host', () => createClient({ baseUrl: '/api' }), 'baseUrl is not a web address: /api'],
  ['a space behind it', () => createClient({ baseUrl: `${baseUrl} ` }), `baseUrl is not a web address: ${baseUrl} .`],
  ['a query in it', () => createClient({ baseUrl: `${baseUrl}?shop=1` }), 'is not a web address'],
  ['a user in it', () => createClient({ baseUrl: 'https://u:p@pay.shop.example' }), 'web address: pay.shop.example.'],
  ['a version in it', () => createClient({ baseUrl: `${baseUrl}/v1` }), 'baseUrl ends before /v1'],
  ['a key alone', () => createClient({ baseUrl, apiKey: KEY.apiKey }), 'apiKey needs apiSecret (sk_…)'],
  ['a secret alone', () => createClient({ baseUrl, apiSecret: KEY.apiSecret }), 'apiSecret needs apiKey (pk_…)'],
  ['both the wrong way round', () => createClient({ baseUrl, apiKey: 'sk_1', apiSecret: 'pk_1' }), 'are interchanged'],
  ['a line feed of a file', () => createClient({ baseUrl, ...KEY, apiSecret: 'sk_1\n' }), 'have white space'],
  [
    'a time that is no number',
    () => createClient({ baseUrl, timeoutMs: Number.NaN }),
    'timeoutMs is a whole number, 0 for none',
  ],
  ['a time below 0', () => createClient({ baseUrl, timeoutMs: -1 }), 'timeoutMs is a whole number, 0 for none'],
  [
    'such a time of a call',
    () => createClient({ baseUrl }).public.payments.get('pay_1', { timeoutMs: Number.NaN }),
    'timeoutMs is a whole number, 0 for none',
  ],
  ['a key and a session', () => createClient({ baseUrl, ...KEY, token: 'T1' }), 'either an API key or a session'],
  ['no id', () => createClient({ baseUrl }).payments.get(undefined as never), 'needs id as a string that is not empty'],
  [
    'the headers forgotten',
    () => verifyWebhook('{}' as never, {} as never),
    'verifyWebhook takes a fetch Request and options',
  ],
  ['the options forgotten', () => verifyWebhook('{}', {}, undefined as never), 'whose signature to accept'],
  ['keys that are not there', () => verifyWebhook('{}', {}, NOBODY), 'One of them is missing or empty'],
  ['no merchant', () => verifyWebhook('{}', {}, { baseUrl, merchantId: '' }), 'One of them is missing or empty'],
  [
    'a tolerance that is no number',
    () => verifyWebhook('{}', {}, { keys: 'whpk_', toleranceSeconds: Number(process.env['NOT_SET_ANYWHERE']) }),
    'toleranceSeconds is a number of seconds',
  ],
  ['the request of Express', () => verifyWebhook(NODE_REQUEST, { keys: 'whpk_' }), '@kasi/client/webhooks'],
])('%s', async (_what, run, said) => {
  const error = await Promise.resolve()
    .then(run)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toContain(said);
});

test('a parsed body is refused with the parser to use', async () => {
  const now = new Date(1_767_323_045_000);
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1767323045', 'webhook-signature': 'v1a,AAAA' };
  await expect(verifyWebhook({ id: 'evt_1' } as never, headers, { keys: 'whpk_', now })).rejects.toThrow(
    'express.raw()',
  );
});

test('an error names its code, operation and request in one line', async () => {
  const fields = [{ path: 'amount', message: 'must be greater than 0' }];
  const { url } = await startFakeService(() => refusal(400, 'VALIDATION_ERROR', { fields }));
  const client = createClient({ baseUrl: url, token: 'T1' });
  const error = await client.payments.create({ amount: 0, currency: 'USD' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ operation: 'POST /v1/payments', requestId: 'req-1', attempts: 1 });
  expect(String(error)).toBe(
    'KasiError VALIDATION_ERROR: This is VALIDATION_ERROR. amount: must be greater than 0 (POST /v1/payments, request req-1)',
  );
  expect(String(new KasiError('TIMEOUT', 'Too late.'))).toBe('KasiError TIMEOUT: Too late.');
});

test('an answer knows the request that brought it', async () => {
  const headers = { 'x-request-id': 'req-7' };
  const { url } = await startFakeService(() => ({ body: { id: 'pay_1' }, headers }));
  const client = createClient({ baseUrl: url, token: 'T1' });
  const payment = await client.payments.get('pay_1');
  expect([requestIdOf(payment), requestIdOf({ ...payment })]).toEqual(['req-7', null]);
  expect(payment).toEqual({ id: 'pay_1' });
  expect(await client.payments.get.try('pay_1')).toEqual({ ok: true, data: { id: 'pay_1' }, requestId: 'req-7' });
});
