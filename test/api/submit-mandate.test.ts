import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { createRates, originOf } from '../../src/rates/reader.ts';
import { submitSignature } from '../../src/subscriptions/mandates/signing.ts';
import { test } from '../fixture.ts';
import { START, type TestService } from '../harness.ts';
import { customerWallet, signMandate, subscribe } from '../support/subscriptions.ts';

const customers = (service: TestService) => service.client().public.subscriptions;
/** A node on which no account has code. */
async function startNode() {
  const node = createServer((_, answer) => void answer.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: '0x' })));
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const { port } = node.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => node.close(resolve)) };
}

const storedOf = (service: TestService, id: string) =>
  service.db.selectFrom('mandates').selectAll().where('subscription_id', '=', id).executeTakeFirstOrThrow();

test("stores the wallet's signature once, and the mandate waits until the chain accepts it", async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client);
  const shown = await customers(service).get(id);
  const signature = await signMandate(shown);
  const submitted = { ...shown, submittedAt: START.toISOString() };
  expect(await customers(service).submitMandate(id, { signature })).toEqual(submitted);
  expect(await storedOf(service, id)).toMatchObject({ id: shown.mandate.id, signature, submitted_at: START });
  service.clock.advance(60_000);
  expect(await customers(service).submitMandate(id, { signature })).toEqual(submitted);
  const entries = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'subscription.sign');
  expect((await entries.execute())[0]).toMatchObject({
    resource_id: id,
    actor_type: 'system',
    actor_id: 'payer',
    merchant_id: merchant.id,
    ip_address: '',
    metadata: { mandateId: shown.mandate.id },
  });
});

test('rewrites signatures of hardware wallets into the form that the chain accepts', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  const signature = await signMandate(await customers(service).get(id));
  const v = signature.endsWith('1b') ? '00' : '01';
  await customers(service).submitMandate(id, {
    signature: `${signature.slice(0, -2)}${v}`.toUpperCase().replace('0X', '0x'),
  });
  expect(await storedOf(service, id)).toMatchObject({ signature });
});

test.for(['0x', '0xabc', 'signed', `0x${'ab'.repeat(8193)}`, ''])(
  'refuses %.20s as a signature',
  async (signature, { service, merchant }) => {
    const { id } = await subscribe(merchant.client);
    await expect(customers(service).submitMandate(id, { signature })).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: [{ path: 'signature' }],
    });
  },
);

test('refuses the signature of another wallet', async ({ service, merchant }) => {
  const node = await startNode();
  const network = service.service.platform.networks[0] as unknown as { rpcUrl: string };
  const { rpcUrl } = network;
  network.rpcUrl = node.url;
  const { id } = await subscribe(merchant.client);
  const signature = await signMandate(await customers(service).get(id), customerWallet(2));
  await expect(customers(service).submitMandate(id, { signature })).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: [{ path: 'signature' }],
  });
  expect(await storedOf(service, id)).toMatchObject({ signature: null });
  network.rpcUrl = rpcUrl;
  await node.close();
});

test('refuses any other signature after the chain rejected one, and shows the remaining way', async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client);
  const shown = await customers(service).get(id);
  const signature = await signMandate(shown);
  await customers(service).submitMandate(id, { signature });
  const relayed = (change: { signature?: null; submitted_at?: null }) =>
    service.db
      .updateTable('mandates')
      .set({ relayed_by: 'otx_relay', ...change })
      .where('subscription_id', '=', id)
      .execute();
  await relayed({});
  expect(await customers(service).get(id)).toMatchObject({ agreeBy: 'signature', submittedAt: expect.any(String) });
  await relayed({ signature: null, submitted_at: null });
  expect(await customers(service).get(id)).toEqual({ ...shown, agreeBy: 'transaction' });
  await expect(customers(service).submitMandate(id, { signature })).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining('by a transaction of the wallet') },
  });
  expect(await storedOf(service, id)).toMatchObject({ signature: null });
});

test('refuses what only the node could judge while the node is unreachable', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  const signature = await signMandate(await customers(service).get(id), customerWallet(2));
  const audit = { note: () => {}, record: async () => {}, recordOther: async () => {} };
  const { platform } = service.service;
  const rates = createRates({ clock: platform.clock, origin: originOf(platform.livemode, platform.sideDb) });
  const submitted = submitSignature({ ...platform, rates }, { subscriptionId: id, signature }, { now: START, audit });
  await expect(submitted).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
  expect(await storedOf(service, id)).toMatchObject({ signature: null });
});

test('refuses a signature once the mandate is active or withdrawn, or the subscription has ended', async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client);
  const signature = await signMandate(await customers(service).get(id));
  const conflict = { status: 409, code: 'CONFLICT' };
  const set = (change: { authorized_at?: Date; revoked_at?: Date }) =>
    service.db.updateTable('mandates').set(change).where('subscription_id', '=', id).execute();
  await set({ authorized_at: START });
  await expect(customers(service).submitMandate(id, { signature })).rejects.toMatchObject(conflict);
  await set({ revoked_at: START });
  await expect(customers(service).submitMandate(id, { signature })).rejects.toMatchObject(conflict);
  await merchant.client.subscriptions.cancel(id);
  await expect(customers(service).submitMandate(id, { signature })).rejects.toMatchObject(conflict);
  await expect(customers(service).submitMandate('sub_nothing', { signature })).rejects.toMatchObject({ status: 404 });
});
