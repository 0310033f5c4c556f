import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect } from 'vitest';
import { createAccountSender } from '../../src/chains/evm/account-sender.ts';
import { openReader } from '../../src/chains/evm/client.ts';
import { deterministicAddress } from '../../src/chains/evm/deploy.ts';
import { ensureDeployed } from '../../src/chains/evm/test-contracts.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createTestAdmin } from '../support/admins.ts';
import { connectOwner } from '../support/database.ts';
import { STRANGER } from '../support/permit2.ts';
import { secretOf } from '../support/refunds.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { newHash } from '../support/withdrawals.ts';

const test = sandboxTest();
const newAddress = (): Address => privateKeyToAddress(generatePrivateKey());

const openAdmin = (sandbox: SandboxService) => {
  const { db, clock } = sandbox.service().platform;
  return createTestAdmin({ db, clock, url: sandbox.url(), fetch });
};

/** A payment of 100 USDC, of which each call gives back one to an address that the payer has named. */
async function openClaims(sandbox: SandboxService, { client, reaches }: Trader) {
  const { id: paymentId } = await client.payments.create({ amount: 100, currency: 'USD', acceptedTokens: ['USDC'] });
  await client.sandbox.payments.pay(paymentId, { token: 'USDC' });
  await reaches(paymentId, 'paid');
  return async (): Promise<string> => {
    const made = await client.refunds.create(paymentId, { amount: 1, reason: 'Sold out.' });
    await sandbox.client().public.refunds.claim(secretOf(made), { destinationAddress: newAddress() });
    return made.id;
  };
}

/** As a release before begins a refund, which does not note its contract. */
async function asBefore({ database }: SandboxService, id: string): Promise<void> {
  const owner = await connectOwner(database);
  await owner.query('alter table refunds disable trigger refund_stays_begun_in');
  await owner.query('update refunds set begun_contract = null, begun_decimals = null where id = $1', [id]);
  await owner.query('alter table refunds enable trigger refund_stays_begun_in');
  await owner.end();
}

test('a refund in a token that is no longer listed is completed with a note, by another than who began to pay it', async ({
  sandbox,
  trader,
}) => {
  const [first, second] = [await openAdmin(sandbox), await openAdmin(sandbox)];
  const claim = await openClaims(sandbox, trader);
  const [begun, waiting] = [await claim(), await claim()];
  await first.client.refunds.process(begun, {});
  await asBefore(sandbox, begun);
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

test('a refund is not paid in a token with other decimals that is listed in the place of its own', async ({
  sandbox,
  trader,
}) => {
  const { network } = sandbox;
  await sandbox.stop();
  await sandbox.start(network);
  const admin = await openAdmin(sandbox);
  const claim = await openClaims(sandbox, trader);
  const [id, begun] = [await claim(), await claim()];
  await admin.client.refunds.process(begun, {});
  const { WideToken } = compileTestContracts('WideToken.sol');
  const client = openReader(network.rpcUrl);
  await ensureDeployed(client, createAccountSender(client, STRANGER, network.chainId), WideToken!.bytecode);
  const wide = {
    symbol: 'USDC',
    contract: deterministicAddress(WideToken!.bytecode).toLowerCase(),
    decimals: 18,
  } as const;
  await sandbox.stop();
  await sandbox.start({ ...network, tokens: [...network.tokens.filter(({ symbol }) => symbol !== 'USDC'), wide] });

  const unlisted = { reason: 'network_not_listed' };
  await expect(admin.client.refunds.process(id, {})).rejects.toMatchObject(unlisted);
  const exported = () => admin.client.payouts.export({ network: network.name, payoutIds: [id, begun] });
  // What was begun is paid in the contract in which it was.
  expect(await exported()).toMatchObject({ payouts: [{ id: begun }], refused: [{ id, ...unlisted }] });
  expect((await exported()).csv).not.toMatch(new RegExp(wide.contract, 'i'));
  const complete = () => admin.client.refunds.complete(begun, { txHash: newHash() });
  await expect(complete()).rejects.toMatchObject({ status: 409, reason: 'payout_not_found' });
  await asBefore(sandbox, begun);
  expect((await exported()).refused).toMatchObject([
    { id, ...unlisted },
    { id: begun, ...unlisted },
  ]);
  await expect(complete()).rejects.toMatchObject({
    ...{ status: 400, fields: [{ path: 'notes', message: expect.stringContaining('USDC on devnet is no longer') }] },
  });
});
