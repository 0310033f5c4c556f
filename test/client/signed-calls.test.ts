import fc from 'fast-check';
import { expect } from 'vitest';
import type { Client, KasiErrorCode, Result } from '../../clients/typescript/src/index.ts';
import { serviceTest } from '../fixture.ts';

const test = serviceTest({ env: { RATE_LIMITS: 'off' } });
/** Signs its requests. */
let signing: Client;

test.beforeAll(async ({ service, merchant }) => {
  const { apiKey, apiSecret } = await merchant.client.apiKeys.create({ name: 'Web shop' });
  signing = service.client({ apiKey, apiSecret });
});

const codeOf = (result: Result<unknown>): KasiErrorCode | null => result.error?.code ?? null;

test('signs exactly what arrives, whatever is in path, query and body', async () => {
  // What the service refuses to read has no valid signature either.
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((id) => !/^\.{1,2}$/.test(id));
  await fc.assert(
    fc.asyncProperty(text, text, async (id, note) => {
      expect(codeOf(await signing.payments.get.try(id))).toBe('NOT_FOUND');
      expect(['NOT_FOUND', 'VALIDATION_ERROR']).toContain(codeOf(await signing.payments.cancel.try(id)));
      const created = await signing.payments.create.try({ amount: 5, currency: 'USD', metadata: { note } });
      expect([null, 'VALIDATION_ERROR']).toContain(codeOf(created));
      const listed = await signing.http.GET('/v1/payments', { params: { query: { fromDate: note } } });
      expect([200, 400]).toContain(listed.response.status);
    }),
    { numRuns: 60 },
  );
});

test('five concurrent calls with one Idempotency-Key make one payment, which each gets', async ({ merchant }) => {
  const calls = Array.from({ length: 5 }, () =>
    signing.payments.create({ amount: 7, currency: 'USD' }, { idempotencyKey: 'order-7', maxRetries: 5 }),
  );
  const payments = await Promise.all(calls);
  expect(new Set(payments.map(({ id }) => id)).size).toBe(1);
  expect((await merchant.client.payments.list()).payments.filter(({ amount }) => amount === 7)).toHaveLength(1);
  const other = await signing.payments.create.try({ amount: 8, currency: 'USD' }, { idempotencyKey: 'order-7' });
  expect(codeOf(other)).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('calls without an Idempotency-Key are separate, even when identical', async () => {
  const twins = await Promise.all([1, 2, 3].map(() => signing.payments.create({ amount: 9, currency: 'USD' })));
  expect(new Set(twins.map(({ id }) => id)).size).toBe(3);
});

test('a rotated or deleted key is refused once it has ended, and operations for people need a session', async ({
  service,
  merchant,
}) => {
  const made = await merchant.client.apiKeys.create({ name: 'Old', permissions: ['payments:read'] });
  const old = service.client({ apiKey: made.apiKey, apiSecret: made.apiSecret });
  expect(await old.payments.list()).toMatchObject({ pagination: { page: 1 } });
  expect((await old.payments.create.try({ amount: 5, currency: 'USD' })).error).toMatchObject({
    code: 'FORBIDDEN',
    reason: 'scope_missing',
  });
  const next = await merchant.client.apiKeys.rotate(made.id, { overlapHours: 0 });
  expect(codeOf(await old.payments.list.try())).toBe('UNAUTHORIZED');
  const fresh = service.client({ apiKey: next.apiKey, apiSecret: next.apiSecret });
  expect(codeOf(await fresh.payments.list.try())).toBeNull();
  expect(codeOf(await fresh.merchants.get.try(merchant.id))).toBe('UNAUTHORIZED');
  await merchant.client.apiKeys.delete(next.id);
  expect(codeOf(await fresh.payments.list.try())).toBe('UNAUTHORIZED');
});
