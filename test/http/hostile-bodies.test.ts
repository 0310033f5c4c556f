import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestMerchant, type TestService } from '../harness.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
});
afterAll(() => service.close());

const repeat = (text: string, times: number): string => Array.from({ length: times }, () => text).join(',');
const members = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',');
const ask = (raw: string) => service.send('POST', '/v1/payments', { token: merchant.token, raw });
const payment = (more: string): string => `{"amount":1,"currency":"USD",${more}}`;

test.each([
  ['a list of twenty thousand objects', payment(`"acceptedTokens":[${repeat('{}', 20_000)}]`)],
  ['six thousand unknown fields', `{${members(6000)}}`],
  ['six thousand fields of metadata', payment(`"metadata":{${members(6000)}}`)],
  ['thirty thousand lists in one another', payment(`"description":${'['.repeat(30_000)}${']'.repeat(30_000)}`)],
  ['ten thousand objects in one another', payment(`"description":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)],
])('%s are refused with few words and little work', async (_name, raw) => {
  await ask('{}'); // So that nothing is measured but the work.
  const cpu = process.cpuUsage();
  const { status, text } = await ask(raw);
  const { user } = process.cpuUsage(cpu);
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(1000);
  expect(user / 1000).toBeLessThan(200);
});

test('a body that is wrong in many places names fifty of them and says how many there are', async () => {
  const { status, body } = await ask(payment(members(80)));
  const { error } = body as { error: { message: string; fields: unknown[] } };
  expect([status, error.fields.length]).toEqual([400, 50]);
  expect(error.message).toMatch(/\(and 79 more, see fields\)$/);
});

test('as much metadata as may be is taken', async () => {
  expect((await ask(payment(`"metadata":{${members(50)}}`))).status).toBe(201);
});
