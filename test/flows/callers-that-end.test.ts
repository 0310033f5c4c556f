import { expect } from 'vitest';
import { createAdminClient } from '../../clients/typescript/src/admin.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { endSessions } from '../../src/identity/sessions.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { serviceTest } from '../fixture.ts';
import { type Answer, PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import { createKey, sendSigned } from '../support/signing.ts';
import { codeAt } from '../support/totp.ts';
import { countBlocked } from '../support/waiting.ts';
import { fund, newHash, WALLET } from '../support/withdrawals.ts';

/**
 * A caller that is read at the start of a transaction, and waits in it for a lock of whoever ends the caller. All of
 * this is about what becomes of the work that waited.
 */
const test = serviceTest();

const ENDED = { status: 401, body: { error: { reason: 'session_revoked' } } };

/** A rich merchant, whose owner logs in a second time: the first session is the thief's. */
async function open(service: TestService) {
  const stolen = await service.activeMerchant();
  await fund(service.db, stolen.id, 100_000n);
  const owner = service.client();
  await owner.auth.login({ email: stolen.email, password: PASSWORD });
  return { stolen, owner };
}

/** Runs `change` and lets `send` wait in it until nothing else can be done before the commit. */
async function whileHeld(
  service: TestService,
  change: (trx: Trx) => Promise<unknown>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { answer } = await inTransaction(service.db, async (trx) => {
    await change(trx);
    const sent = send();
    await expect.poll(() => countBlocked(service.db)).toBe(1);
    return { answer: sent };
  });
  return answer;
}

/** As the owner's new password does, which locks the merchant. */
const takeBack =
  (service: TestService, { id }: TestMerchant) =>
  async (trx: Trx) => {
    await trx.updateTable('merchants').set({ password_hash: 'new' }).where('id', '=', id).execute();
    await endSessions(trx, { type: 'merchant', id }, 'password_changed', service.clock.real());
  };

test.for<[string, string, string, object]>([
  ['withdraws nothing', 'POST', '/v1/withdrawals', { amount: 250, method: 'crypto', destinationAddress: WALLET }],
  ['makes no key', 'POST', '/v1/api-keys', { name: 'mine', permissions: ['payments:read'] }],
  ['sets no wallet', 'PUT', '/v1/merchants/ID', { walletAddress: WALLET }],
])('a thief whose request waits for the new password %s', async ([_, method, path, body], { service }) => {
  const { stolen } = await open(service);
  const send = () => service.send(method, path.replace('ID', stolen.id), { token: stolen.token, body });
  expect(await whileHeld(service, takeBack(service, stolen), send)).toMatchObject(ENDED);
  for (const table of ['withdrawals', 'api_keys'] as const) {
    expect(await service.db.selectFrom(table).select('id').where('merchant_id', '=', stolen.id).execute()).toEqual([]);
  }
  const profile = service.db.selectFrom('merchants').select('wallet_address').where('id', '=', stolen.id);
  expect(await profile.execute()).toEqual([{ wallet_address: null }]);
});

test('the new password of the owner, by its own operation, leaves nothing to a request that waited', async ({
  service,
}) => {
  const { stolen, owner } = await open(service);
  const body = { amount: 250, method: 'crypto', destinationAddress: WALLET };
  // The owner's change holds the merchant's lock and waits for a session that it has to end.
  const waiting = await inTransaction(service.db, async (trx) => {
    const first = trx.selectFrom('sessions').select('id').where('principal_id', '=', stolen.id).orderBy('created_at');
    await first.limit(1).forUpdate().execute();
    const changed = owner.auth.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD}-2` });
    await expect.poll(() => countBlocked(service.db)).toBe(1);
    const answer = service.send('POST', '/v1/withdrawals', { token: stolen.token, body });
    await expect.poll(() => countBlocked(service.db)).toBe(2);
    return { changed, answer };
  });
  await waiting.changed;
  expect(await waiting.answer).toMatchObject(ENDED);
});

test('a thief who waits for the new password enables no second factor, and ends no session of the owner', async ({
  service,
}) => {
  const { stolen } = await open(service);
  const { secret } = await stolen.client.auth.twoFactor.setUp({ password: PASSWORD });
  const body = { otp: codeAt(secret, service.clock.real()) };
  const send = () => service.send('POST', '/v1/auth/two-factor/enable', { token: stolen.token, body });
  expect(await whileHeld(service, takeBack(service, stolen), send)).toMatchObject(ENDED);
  const factors = service.db.selectFrom('second_factors').select('enabled_at').where('holder_id', '=', stolen.id);
  expect(await factors.execute()).toMatchObject([{ enabled_at: null }]);
});

/** A pending withdrawal, and the right to hold its row or its merchant's. */
async function openWithdrawal(service: TestService) {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
  const { id } = await merchant.client.withdrawals.create({
    ...{ amount: 250, method: 'crypto', destinationAddress: WALLET },
  });
  return { merchant, id, read: () => merchant.client.withdrawals.get(id) };
}

/** Holds a row, lets `send` wait for it, and commits what `end` does before the row is free again. */
const whileRowIsHeld = (
  service: TestService,
  { table, id }: { readonly table: 'withdrawals' | 'merchants' | 'admins'; readonly id: string },
  send: () => Promise<Answer>,
  end: () => Promise<unknown>,
): Promise<Answer> =>
  inTransaction(service.db, async (trx) => {
    await trx.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute();
    const sent = send();
    await expect.poll(() => countBlocked(service.db)).toBe(1);
    await end();
    return { sent };
  }).then(({ sent }) => sent);

test('a deactivated administrator whose approval waited for the withdrawal has approved nothing', async ({
  service,
}) => {
  const { id, read } = await openWithdrawal(service);
  const [owner, fired] = [await service.admin(), await service.admin()];
  const send = () => service.send('POST', `/v1/admin/withdrawals/${id}/approve`, { token: fired.token, body: {} });
  const answer = await whileRowIsHeld(service, { table: 'withdrawals', id }, send, () =>
    owner.client.users.deactivate(fired.id),
  );
  expect(answer).toMatchObject(ENDED);
  expect(await read()).toMatchObject({ status: 'pending' });
});

test('nor completed one, by an operation that opens its own transaction', async ({ service }) => {
  await service.set({ verifyPayoutOnChain: false });
  const { merchant, id, read } = await openWithdrawal(service);
  const [owner, fired] = [await service.admin(), await service.admin()];
  await owner.client.withdrawals.approve(id, {});
  const completion = { token: fired.token, body: { txHash: newHash() } };
  const send = () => service.send('POST', `/v1/admin/withdrawals/${id}/complete`, completion);
  const answer = await whileRowIsHeld(service, { table: 'merchants', id: merchant.id }, send, () =>
    owner.client.users.deactivate(fired.id),
  );
  expect(answer).toMatchObject(ENDED);
  expect(await read()).toMatchObject({ status: 'approved', txHash: null });
});

test('an administrator whose role loses the right while an approval waits has approved nothing', async ({
  service,
}) => {
  const { id, read } = await openWithdrawal(service);
  const [owner, lesser] = [await service.admin(), await service.admin(['withdrawals.view', 'withdrawals.manage'])];
  const send = () => service.send('POST', `/v1/admin/withdrawals/${id}/approve`, { token: lesser.token, body: {} });
  const answer = await whileRowIsHeld(service, { table: 'withdrawals', id }, send, () =>
    owner.client.roles.update(lesser.roleId, { permissions: ['withdrawals.view'] }),
  );
  expect(answer).toMatchObject({ status: 403, body: { error: { reason: 'permission_missing' } } });
  expect(await read()).toMatchObject({ status: 'pending' });
});

test("a thief who waits for a colleague's row sets no password once the owner has set their own", async ({
  service,
}) => {
  const [stolen, clerk] = [await service.admin(), await service.admin([])];
  const owner = createAdminClient({ baseUrl: service.url, fetch: service.fetch, maxRetries: 0 });
  await owner.auth.login({ email: stolen.email, password: PASSWORD });
  const body = { password: `${PASSWORD}-thief` };
  const send = () => service.send('PUT', `/v1/admin/users/${clerk.id}`, { token: stolen.token, body });
  const answer = await whileRowIsHeld(service, { table: 'admins', id: clerk.id }, send, () =>
    owner.auth.changePassword({ currentPassword: PASSWORD, newPassword: `${PASSWORD}-2` }),
  );
  expect(answer).toMatchObject(ENDED);
  await clerk.client.auth.me();
});

test('a key that is deleted while its withdrawal waits takes nothing out', async ({ service }) => {
  const { stolen, owner } = await open(service);
  const key = await createKey(service, stolen, { permissions: ['settlements:write'] });
  const body = JSON.stringify({ amount: 250, method: 'crypto', destinationAddress: WALLET });
  const send = () => sendSigned(service, key, { method: 'POST', target: '/v1/withdrawals', body });
  const answer = await whileRowIsHeld(service, { table: 'merchants', id: stolen.id }, send, () =>
    owner.apiKeys.delete(key.id),
  );
  expect(answer).toMatchObject({ status: 401, body: { error: { reason: 'api_key_invalid' } } });
  const made = service.db.selectFrom('withdrawals').select('id').where('merchant_id', '=', stolen.id);
  expect(await made.execute()).toEqual([]);
});
