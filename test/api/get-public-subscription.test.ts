import { hashStruct, keccak256, stringToBytes } from 'viem';
import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import { START, type TestService } from '../harness.ts';
import { customerWallet, put, subscribe } from '../support/subscriptions.ts';

const test = base.extend('merchant', { scope: 'file' }, ({ service }) =>
  service.activeMerchant({ businessName: 'Ceylon Tea House' }),
);

const NOBODY = { email: null, url: null, website: null };
const read = (service: TestService, id: string) => service.client().public.subscriptions.get(id);

test('shows a customer all that they agree to, but nothing that is only for the merchant', async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client, { trialDays: 14, description: 'A parcel of tea.' });
  const shown = await read(service, id);
  const { mandate, typedData, ...rest } = shown;
  expect(rest).toEqual({
    id,
    ...{ merchantName: 'Ceylon Tea House', merchantContact: NOBODY, merchantBrand: { color: null, logoUrl: null } },
    planName: 'Tea club',
    ...{ description: 'A parcel of tea.', merchantCollects: true },
    amount: 25,
    currency: 'USD',
    interval: 'monthly',
    ...{ status: 'trialing', cancelReason: null, paidUntil: null },
    trialEnd: '2026-01-15T10:00:00.000Z',
    firstChargeAt: '2026-01-15T10:00:00.000Z',
    nextChargeAt: '2026-01-15T10:00:00.000Z',
    currentPeriodEnd: '2026-01-15T10:00:00.000Z',
    walletAddress: customerWallet().address,
    network: 'devnet',
    chainId: 31337,
    token: 'USDT',
    tokenContract: '0x00000000000000000000000000000000000000A1',
    tokenDecimals: 6,
    collector: '0x00000000000000000000000000000000000000F2',
    mandateStatus: 'pending',
    agreeBy: 'signature',
    submittedAt: null,
    failureCode: null,
    terms: {
      mostPerCharge: '25.000000',
      mostAtOnce: '50.000000',
      mostInAll: '3275.000000',
      windowDays: 28,
      from: '2026-01-15T09:00:00.000Z',
      until: '2036-01-15T10:00:00.000Z',
    },
    allowance: { recommended: '325000000' },
    livemode: false,
  });
  expect(mandate).toMatchObject({
    payer: customerWallet().address,
    maxPerPeriod: '25000000',
    period: 28 * 86_400,
    start: Date.parse('2026-01-15T09:00:00.000Z') / 1000,
    carry: 1,
    ref: `${keccak256(stringToBytes(id)).slice(0, -8)}00000001`, // The last four bytes are the first number.
  });
  expect(typedData).toMatchObject({
    primaryType: 'Mandate',
    domain: { name: 'Kasi Subscriptions', version: '1', chainId: 31337, verifyingContract: expect.any(String) },
    message: { maxPerPeriod: '25000000', ref: mandate.ref },
  });
  const { EIP712Domain: _, ...types } = typedData?.types ?? {};
  expect(mandate.id).toBe(hashStruct({ primaryType: 'Mandate', types, data: typedData?.message } as never));
  expect(JSON.stringify(shown)).not.toContain('nimal');
});

test('shows nothing to sign once the mandate is active or the subscription has ended', async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client);
  const stood = () => service.db.updateTable('mandates').where('subscription_id', '=', id);
  await stood().set({ authorized_at: START }).execute();
  await put(service.db, id, { mandateStatus: 'active' });
  expect(await read(service, id)).toMatchObject({
    mandateStatus: 'active',
    typedData: null,
    nextChargeAt: START.toISOString(),
  });
  await stood().set({ authorized_at: null }).execute();
  expect((await read(service, id)).typedData).not.toBeNull();
  await merchant.client.subscriptions.cancel(id);
  expect(await read(service, id)).toMatchObject({ status: 'cancelled', cancelReason: 'requested', typedData: null });
});

test('answers 404 for an unknown id', async ({ service }) => {
  await expect(read(service, 'sub_nothing')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
