import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { createKey, sendSigned } from '../support/signing.ts';

const TARGET = '/v1/payments';
const BODY = JSON.stringify({ amount: 25, currency: 'USD' });

/** A merchant of its own, whose credentials the service has just read, and two ways to ask for a payment. */
async function open(service: TestService) {
  const merchant = await service.activeMerchant();
  const key = await createKey(service, merchant);
  const byToken = () => service.send('POST', TARGET, { raw: BODY, token: merchant.token, headers: JSON_TYPE });
  const byKey = () => sendSigned(service, key, { method: 'POST', target: TARGET, body: BODY });
  await service.send('GET', TARGET, { token: merchant.token });
  await sendSigned(service, key, { method: 'GET', target: TARGET });
  return { merchant, byToken, byKey, keyId: key.id };
}
const JSON_TYPE = { 'content-type': 'application/json' };

const countPayments = async ({ db }: TestService, { id }: TestMerchant): Promise<number> =>
  (await db.selectFrom('payments').select('id').where('merchant_id', '=', id).execute()).length;

/** Changes rows as another process would whose notification has not arrived yet. */
const change = (service: TestService, statement: RawBuilder<unknown>) => statement.execute(service.db);

describe.each(['byToken', 'byKey'] as const)('%s', (way) => {
  test('a caller that has not changed makes its payment', async ({ service }) => {
    const caller = await open(service);
    expect((await caller[way]()).status).toBe(201);
    expect(await countPayments(service, caller.merchant)).toBe(1);
  });

  test('a tolerance counts from the commit that has changed it', async ({ service }) => {
    const caller = await open(service);
    await change(service, sql`update merchants set payment_tolerance_bps = 77 where id = ${caller.merchant.id}`);
    const { id } = (await caller[way]()).body as { id: string };
    const { tolerance_micro: tolerance } = await service.db
      .selectFrom('payments')
      .select('tolerance_micro')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(tolerance).toBe(192_500n);
    expect(await countPayments(service, caller.merchant)).toBe(1);
  });

  test('a merchant that was terminated makes no payment', async ({ service }) => {
    const caller = await open(service);
    await change(service, sql`update merchants set status = 'terminated' where id = ${caller.merchant.id}`);
    expect((await caller[way]()).status).toBe(401);
    expect(await countPayments(service, caller.merchant)).toBe(0);
  });

  test('a merchant that was refused and may again is not refused for what it was', async ({ service }) => {
    const caller = await open(service);
    await change(service, sql`update merchants set status = 'frozen' where id = ${caller.merchant.id}`);
    expect((await caller[way]()).status).toBe(403);
    await sleep(1100);
    await service.send('GET', TARGET, { token: caller.merchant.token });
    await change(service, sql`update merchants set status = 'active' where id = ${caller.merchant.id}`);
    expect((await caller[way]()).status).toBe(201);
  });
});

test('a session that has ended makes no payment', async ({ service }) => {
  const caller = await open(service);
  await change(
    service,
    sql`update sessions set ended_at = now(), ended_reason = 'revoked' where principal_id = ${caller.merchant.id}`,
  );
  expect((await caller.byToken()).body).toMatchObject({ error: { reason: 'session_revoked' } });
  expect(await countPayments(service, caller.merchant)).toBe(0);
});

test.for<[string, RawBuilder<unknown>]>([
  ['revoked', sql`revoked_at = now(), sealed_secret = null`],
  ['expired', sql`expires_at = now() - interval '1 second'`],
])('a key that was %s makes no payment', async ([_, to], { service }) => {
  const caller = await open(service);
  await change(service, sql`update api_keys set ${to} where id = ${caller.keyId}`);
  expect((await caller.byKey()).status).toBe(401);
  expect(await countPayments(service, caller.merchant)).toBe(0);
});
