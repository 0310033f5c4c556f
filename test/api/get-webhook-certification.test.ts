import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { test as base } from '../fixture.ts';
import type { TestMerchant } from '../harness.ts';
import type { Respond } from '../support/receiver.ts';
import { createKey, sendSigned } from '../support/signing.ts';

const test = base
  // Accepts everything after a quarter of a second.
  .extend(
    'respond',
    { scope: 'file' },
    (): Respond => async () => {
      await sleep(250);
      return 200;
    },
  );

test.beforeAll(async ({ merchant, receiver }) => {
  await merchant.client.merchants.update(merchant.id, { webhookUrl: receiver.url });
});

const states = async (merchant: TestMerchant, id: string): Promise<string[]> =>
  (await merchant.client.webhooks.certifications.get(id)).checks.map(({ status }) => status);

test('fills in the checks one by one, and the verdict last', async ({ service, merchant, receiver }) => {
  const { id } = await merchant.client.webhooks.certify();
  const played = service.runJob('webhooks.certify');
  await vi.waitFor(async () => expect(await states(merchant, id)).toContain('passed'), {
    timeout: 60_000,
    interval: 50,
  });
  const between = await merchant.client.webhooks.certifications.get(id);
  expect(between).toMatchObject({ status: 'running', verdict: null, finishedAt: null });
  expect(between.checks.map(({ status }) => status)).toContain('pending');
  const pending = between.checks.filter(({ status }) => status === 'pending');
  expect(pending.every(({ observed, advice }) => observed === null && advice === null)).toBe(true);
  await receiver.close(); // So that the remaining checks fail at once.
  await played;
  const ended = await merchant.client.webhooks.certifications.get(id);
  expect(ended).toMatchObject({
    status: 'completed',
    verdict: 'failed',
    finishedAt: service.clock.now().toISOString(),
  });
  expect(await states(merchant, id)).not.toContain('pending');
});

test("answers the same 404 for an unknown certification and another merchant's", async ({ service, merchant }) => {
  const { id } = await merchant.client.webhooks.certify();
  const other = await service.activeMerchant();
  for (const wrong of [id, 'crt_00000000000000000000000000', 'nonsense']) {
    const asked = other.client.webhooks.certifications.get(wrong);
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  }
});

test('refuses callers without credentials and keys without the scope', async ({ service, merchant }) => {
  const path = '/v1/webhooks/certifications/crt_00000000000000000000000000';
  expect((await service.send('GET', path)).status).toBe(401);
  const key = await createKey(service, merchant, { permissions: ['payments:read'] });
  const answer = await sendSigned(service, key, { method: 'GET', target: path });
  expect(answer).toMatchObject({ status: 403, body: { error: { reason: 'scope_missing' } } });
});
