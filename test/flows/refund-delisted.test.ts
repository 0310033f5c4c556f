import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect } from 'vitest';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createTestAdmin } from '../support/admins.ts';
import { secretOf } from '../support/refunds.ts';
import { newHash } from '../support/withdrawals.ts';

const test = sandboxTest();
const newAddress = (): Address => privateKeyToAddress(generatePrivateKey());

test('a refund in a token that is no longer listed is completed with a note, by another than who began to pay it', async ({
  sandbox,
  trader: { client, reaches },
}) => {
  const openAdmin = () => {
    const { db, clock } = sandbox.service().platform;
    return createTestAdmin({ db, clock, url: sandbox.url(), fetch });
  };
  const [first, second] = [await openAdmin(), await openAdmin()];
  const { id: paymentId } = await client.payments.create({ amount: 100, currency: 'USD', acceptedTokens: ['USDC'] });
  await client.sandbox.payments.pay(paymentId, { token: 'USDC' });
  await reaches(paymentId, 'paid');
  const claim = async (): Promise<string> => {
    const made = await client.refunds.create(paymentId, { amount: 1, reason: 'Sold out.' });
    await sandbox.client().public.refunds.claim(secretOf(made), { destinationAddress: newAddress() });
    return made.id;
  };
  const [begun, waiting] = [await claim(), await claim()];
  await first.client.refunds.process(begun, {});
  await sandbox.stop();
  const tokens = sandbox.network.tokens.filter(({ symbol }) => symbol !== 'USDC');
  await sandbox.start({ ...sandbox.network, tokens });

  const note = { notes: 'The wallet shows it.' };
  await expect(second.client.refunds.complete(begun, { txHash: newHash() })).rejects.toMatchObject({
    ...{ status: 400, fields: [{ path: 'notes', message: expect.stringContaining('USDC on devnet is no longer') }] },
  });
  await expect(first.client.refunds.complete(begun, { txHash: newHash(), ...note })).rejects.toMatchObject({
    ...{ status: 403, reason: 'four_eyes' },
  });
  for (const id of [begun, waiting])
    expect(await second.client.refunds.complete(id, { txHash: newHash(), ...note })).toMatchObject({
      ...{ status: 'completed', txVerified: false },
    });
});
