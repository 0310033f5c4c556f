import { expect, vi } from 'vitest';
import { KINDS } from '../../src/kinds.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { ETH, TEST_NETWORK } from '../support/payments.ts';

const MINUTE_MS = 60_000;
const test = serviceTest({ composed: { kinds: KINDS, networks: [{ ...TEST_NETWORK, native: ETH, dust: 10n ** 9n }] } });

const read = (service: TestService, id: string) => service.client().public.payments.instructions(id);

async function inEther(service: TestService, { client }: TestMerchant): Promise<string> {
  const { id } = await client.payments.create({ amount: 25, currency: 'USD' });
  await service.client().public.payments.select(id, { token: 'ETH', network: 'devnet' });
  return id;
}

test('instructions in a coin hold as long as its quote, and have another code with another amount', async ({
  service,
  merchant,
}) => {
  const id = await inEther(service, merchant);
  const before = await read(service, id);
  const [holds, expires] = [before.instructions.holdsUntil, before.instructions.expiresAt].map(Date.parse);
  expect(holds).toBe(service.clock.now().getTime() + 15 * MINUTE_MS);
  expect(holds).toBeLessThan(expires ?? 0);
  expect(before.instructions).toMatchObject({ token: 'ETH', contract: null, decimals: 18 });

  await service.set({ manualRates: { 'ETH/USD': '1000' } });
  service.clock.advance(15 * MINUTE_MS);
  await service.runJob('payments.requote');
  const after = await read(service, id);
  expect(Number(after.instructions.amount)).toBe(0.025);
  expect(after.code).not.toBe(before.code);
});

test('nothing is signed while the chosen coin has no price', async ({ service, merchant }) => {
  const id = await inEther(service, merchant);
  service.clock.advance(18 * MINUTE_MS);
  await expect(read(service, id)).rejects.toMatchObject({ status: 503, code: 'RATE_UNAVAILABLE' });
  await service.client().public.payments.select(id, { token: 'USDT', network: 'devnet' });
  expect((await read(service, id)).instructions.token).toBe('USDT');
});

test('nothing is signed while the network is closed', async ({ service, merchant }) => {
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const closed = vi.spyOn(service.service.platform.reach, 'isClosed').mockReturnValue(true);
  try {
    const refusal = { status: 503, code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('devnet') };
    await expect(read(service, id)).rejects.toMatchObject(refusal);
  } finally {
    closed.mockRestore();
  }
  expect((await read(service, id)).instructions.paymentId).toBe(id);
});

test('nothing is signed without an active key', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await service.db
    .updateTable('webhook_keys')
    .set({ retires_at: service.clock.real() })
    .where('merchant_id', '=', merchant.id)
    .execute();
  await expect(read(service, id)).rejects.toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
});
