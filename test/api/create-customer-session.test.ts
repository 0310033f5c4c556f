import { afterAll, beforeAll, describe, expect } from 'vitest';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { test } from '../fixture.ts';
import { AGREES } from '../subscriptions/renewal-fixture.ts';
import { beginSession, proveWallet } from '../support/customers.ts';
import { type SandboxService, startSandboxService } from '../support/sandbox-service.ts';
import { customerWallet, subscribe } from '../support/subscriptions.ts';

test('begins half an hour for the wallet that signed, and keeps only a hash of the token', async ({ service }) => {
  const session = await beginSession(service.client());
  expect(session).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    walletAddress: customerWallet().address,
    networks: ['devnet'],
    expiresAt: expect.any(String),
  });
  const rows = await service.db.selectFrom('customer_sessions').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(session.token);
  service.clock.advanceReal(30 * MINUTE_MS);
  await expect(service.client().public.customers.subscriptions.list(session.token)).rejects.toMatchObject({
    status: 404,
  });
});

test('takes a text once, and none of another purpose', async ({ service, merchant }) => {
  const client = service.client();
  const proof = await proveWallet(client, { purpose: 'sign_in' });
  await client.public.customers.begin(proof);
  await expect(client.public.customers.begin(proof)).rejects.toMatchObject({ status: 409, reason: 'challenge_over' });
  const { id } = await subscribe(merchant.client);
  const other = await proveWallet(client, { purpose: 'cancel', subscriptionId: id });
  await expect(client.public.customers.begin(other)).rejects.toMatchObject({
    ...{ status: 400, fields: [{ path: 'challengeId' }] },
  });
});

describe('on a real chain', () => {
  let sandbox: SandboxService;
  beforeAll(async () => {
    sandbox = await startSandboxService();
  });
  afterAll(() => sandbox.close());

  test('a contract proves itself by its code, and whoever did not sign proves nothing', async () => {
    const { client } = await sandbox.openTrader();
    const { address } = customerWallet(5);
    const asked = () => client.public.customers.challenge({ purpose: 'sign_in', walletAddress: address });
    const wrong = { challengeId: (await asked()).id, signature: '0x1234' };
    await expect(client.public.customers.begin(wrong)).rejects.toMatchObject({
      ...{ status: 400, fields: [{ path: 'signature' }] },
    });
    const thief = await proveWallet(client, { purpose: 'sign_in' }, customerWallet(5), customerWallet(6));
    await expect(client.public.customers.begin(thief)).rejects.toMatchObject({ status: 400 });
    await sandbox.node.rpc('anvil_setCode', [address, AGREES]);
    const session = await client.public.customers.begin({ challengeId: (await asked()).id, signature: '0x1234' });
    expect(session).toMatchObject({ walletAddress: address, networks: ['devnet'] });
    await sandbox.node.rpc('anvil_setCode', [address, '0x']);
  });
});
