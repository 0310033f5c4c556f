import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { DESTINATION, PAYER, refund, secretOf } from '../support/refunds.ts';
import { startSandboxService } from '../support/sandbox-service.ts';

const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

test('whoever holds the link says where the money goes, and may change it', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  const payer = service.client().public.refunds;
  expect(await payer.get(secretOf(made))).toMatchObject({
    ...{ status: 'awaiting_claim', amount: 5, paymentId: made.paymentId, paymentAmount: 25, isChangeable: true },
    ...{ destinationAddress: null, reason: 'Sold out.', livemode: false },
  });
  expect(await payer.claim(secretOf(made), { destinationAddress: DESTINATION })).toMatchObject({
    ...{ status: 'pending', destinationAddress: DESTINATION, isChangeable: true },
  });
  expect(await payer.claim(secretOf(made), { destinationAddress: OTHER })).toMatchObject({ destinationAddress: OTHER });
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({ status: 'pending', destinationAddress: OTHER });
});

test('refuses an address of ours, one of another network, and leaves the refund unclaimed', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  const { cryptoAddress } = await merchant.client.payments.get(made.paymentId);
  const payer = service.client().public.refunds;
  for (const [destinationAddress, reason] of [
    [cryptoAddress, 'address_not_yours'],
    [`0x${'0'.repeat(40)}`, 'address_not_yours'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', null],
  ] as const) {
    await expect(payer.claim(secretOf(made), { destinationAddress })).rejects.toMatchObject({
      ...{ status: 400, reason, fields: [expect.objectContaining({ path: 'destinationAddress' })] },
    });
  }
  expect(await payer.get(secretOf(made))).toMatchObject({ status: 'awaiting_claim', destinationAddress: null });
});

test('says of a network that is no longer listed that no address there can be checked, and not that it is none', async ({
  service,
}) => {
  const made = await refund(service, await service.activeMerchant());
  const secret = secretOf(made);
  const owner = await connectOwner(await urlsOf(service.db));
  await owner.query('alter table refunds disable trigger user');
  await owner.query(`update refunds set network = 'gone' where id = $1`, [made.id]);
  await owner.query('alter table refunds enable trigger user');
  await owner.end();
  const payer = service.client().public.refunds;
  const unlisted = { status: 503, message: expect.stringContaining('gone is not listed at present') };
  await expect(payer.claim(secret, { destinationAddress: DESTINATION })).rejects.toMatchObject(unlisted);
  const signature = await PAYER.signMessage({ message: 'Send my refund to this wallet.' });
  const proof = { destinationAddress: PAYER.address, signature };
  await expect(payer.claim(secret, proof)).rejects.toMatchObject(unlisted);
  expect(await payer.get(secret)).toMatchObject({ status: 'awaiting_claim', destinationAddress: null });
});

test('the guide says by which reason an address is refused', () => {
  expect(readFileSync('openapi/guides/refunds.md', 'utf8')).toContain('`reason: address_not_yours`');
});

test('finds nothing by another secret, and nothing by the id', async ({ service }) => {
  const payer = service.client().public.refunds;
  await expect(payer.claim('A'.repeat(43), { destinationAddress: DESTINATION })).rejects.toMatchObject({ status: 404 });
  const { id } = await refund(service, await service.activeMerchant());
  await expect(payer.get(id)).rejects.toMatchObject({ status: 404 });
});

describe('the wallet that paid', () => {
  const signed = async (service: TestService, secret: string, signer = PAYER) => {
    const { wallet } = await service.client().public.refunds.get(secret);
    if (wallet === null) throw new Error('no wallet is known to have paid');
    return { destinationAddress: wallet.address, signature: await signer.signMessage({ message: wallet.message }) };
  };

  test('is one that sent what goes back: who sends more afterwards changes nothing', async ({ service }) => {
    const merchant = await service.activeMerchant();
    const made = await refund(service, merchant);
    const secret = secretOf(made);
    const payer = service.client().public.refunds;
    await payer.claim(secret, await signed(service, secret));
    const thief = deriveAccounts(MNEMONIC)(8);
    const payment = await merchant.client.payments.get(made.paymentId);
    service.clock.advance(1000);
    await service.chain.transfer(payment, { amount: '26', from: thief.address });
    await service.runPaymentJobs();
    expect((await payer.get(secret)).wallet).toMatchObject({ address: PAYER.address });
    const { message } = (await payer.get(secret)).wallet!;
    const stolen = {
      destinationAddress: thief.address,
      signature: await thief.signMessage({ message: message.replace(PAYER.address, thief.address) }),
    };
    await expect(payer.claim(secret, stolen)).rejects.toMatchObject({ status: 400 });
    expect(await payer.get(secret)).toMatchObject({ destinationAddress: PAYER.address, isProven: true });
  });

  test('claims it by a signature, and nobody else changes that', async ({ service, admin }) => {
    const merchant = await service.activeMerchant();
    const made = await refund(service, merchant);
    const secret = secretOf(made);
    const payer = service.client().public.refunds;
    expect((await payer.get(secret)).wallet).toEqual({
      address: PAYER.address,
      message: [
        'Send my refund to this wallet.',
        '',
        `Wallet: ${PAYER.address}`,
        'Amount: 5.000000 USDT on devnet',
        `Refund: ${made.id}`,
        'Site: http://localhost:3000/checkout',
        '',
        'Signing this costs nothing and allows nothing else.',
      ].join('\n'),
    });
    // Somebody else who saw the link was faster.
    await payer.claim(secret, { destinationAddress: OTHER });
    const claim = await signed(service, secret);
    expect(await payer.claim(secret, claim)).toMatchObject({ destinationAddress: PAYER.address, isProven: true });
    expect(await admin.client.refunds.get(made.id)).toMatchObject({ destinationProven: true, claimedBy: 'payer' });
    await expect(payer.claim(secret, { destinationAddress: OTHER })).rejects.toMatchObject({
      ...{ status: 409, reason: 'refund_proven' },
    });
    expect(await payer.claim(secret, claim)).toMatchObject({ destinationAddress: PAYER.address });
  });

  test('is the one that paid most, whatever a stranger sends there', async ({ service }) => {
    const { client } = await service.activeMerchant();
    const payment = await client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
    await service.chain.transfer(payment, { amount: '1', from: OTHER });
    await service.chain.transfer(payment, { amount: '24', from: PAYER.address });
    await service.runPaymentJobs();
    const made = await client.refunds.create(payment.id, { amount: 'all', reason: 'Sold out.' });
    const payer = service.client().public.refunds;
    expect((await payer.get(secretOf(made))).wallet).toMatchObject({ address: PAYER.address });
    await client.refunds.cancel(made.id);
    expect((await payer.get(secretOf(made))).wallet).toBeNull();
  });
});

test("another key's signature, and one of another refund, claim nothing", async () => {
  const sandbox = await startSandboxService();
  try {
    const { client, reaches } = await sandbox.openTrader();
    const { id } = await client.payments.create({ amount: 20, currency: 'USD' });
    await client.sandbox.payments.pay(id);
    await reaches(id, 'paid');
    const [made, other] = [
      await client.refunds.create(id, { amount: 5, reason: 'Sold out.' }),
      await client.refunds.create(id, { amount: 5, reason: 'Sold out.' }),
    ];
    const payer = sandbox.client().public.refunds;
    const [{ wallet }, { wallet: elsewhere }] = [await payer.get(secretOf(made)), await payer.get(secretOf(other))];
    if (!wallet || !elsewhere) throw new Error('no wallet is known to have paid');
    const accounts = Array.from({ length: 20 }, (_, index) => deriveAccounts(MNEMONIC)(index));
    const own = accounts.find(({ address }) => address === wallet.address) ?? PAYER;
    const stranger = accounts.find(({ address }) => address !== wallet.address) ?? PAYER;
    const destinationAddress = wallet.address;
    const signature = await own.signMessage({ message: wallet.message });
    for (const [claim, path] of [
      [{ destinationAddress, signature: await stranger.signMessage({ message: wallet.message }) }, 'signature'],
      [{ destinationAddress, signature: await own.signMessage({ message: elsewhere.message }) }, 'signature'],
      [{ destinationAddress, signature: '0x' }, 'signature'],
      [{ destinationAddress: OTHER, signature }, 'destinationAddress'],
    ] as const) {
      await expect(payer.claim(secretOf(made), claim)).rejects.toMatchObject({
        ...{ status: 400, fields: [expect.objectContaining({ path })] },
      });
    }
    expect(await payer.get(secretOf(made))).toMatchObject({ status: 'awaiting_claim', destinationAddress: null });
    expect(await payer.claim(secretOf(made), { destinationAddress, signature })).toMatchObject({ isProven: true });
  } finally {
    await sandbox.close();
  }
});
