import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Answer, PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import type { AnswerLoser } from '../support/answer-loser.ts';
import { connectOwner, type TestDatabase } from '../support/database.ts';
import { startLossyService } from '../support/lossy-service.ts';
import { startReceiver } from '../support/receiver.ts';
import { claimed } from '../support/refunds.ts';
import { codeAt } from '../support/totp.ts';
import { fund, newHash, WALLET } from '../support/withdrawals.ts';

const receiver = await startReceiver();
let database: TestDatabase;
let loser: AnswerLoser;
let service: TestService;
let close: () => Promise<void>;
let merchant: TestMerchant;
let admin: TestAdmin;
beforeAll(async () => {
  const settings = { verifyPayoutOnChain: false, withdrawalMaxOpen: 1000, withdrawalDailyMax: '1000000.00' };
  ({ database, loser, service, close } = await startLossyService({ settings }));
  merchant = await service.activeMerchant();
  admin = await service.admin();
  await fund(service.db, merchant.id, 1_000_000n);
});
afterAll(async () => {
  const { findings } = await reconcile(service.db);
  await close();
  await receiver.close();
  expect(findings).toEqual([]);
});

const approved = async (): Promise<string> => {
  const draft = { amount: 50, method: 'crypto', destinationAddress: WALLET } as const;
  const { id } = await merchant.client.withdrawals.create(draft);
  await admin.client.withdrawals.approve(id, {});
  return id;
};

const claimedRefund = async (): Promise<string> => (await claimed(service, merchant)).id;

const role = async (): Promise<string> => {
  const roles = service.db.selectFrom('roles').select('id').where('is_super', '=', false);
  return (await roles.executeTakeFirstOrThrow()).id;
};

/** A request with its path, its body and the token of its caller. */
type Request = readonly [path: string, body: object, token: string];

const hash = () => ({ txHash: newHash() });
const requests: Readonly<Record<string, () => Promise<Request>>> = {
  'a withdrawal that is completed': async () => [`admin/withdrawals/${await approved()}/complete`, hash(), admin.token],
  'a withdrawal that is begun': async () => [`admin/withdrawals/${await approved()}/process`, {}, admin.token],
  'a refund that is completed': async () => [`admin/refunds/${await claimedRefund()}/complete`, hash(), admin.token],
  'a refund that is begun': async () => [`admin/refunds/${await claimedRefund()}/process`, {}, admin.token],
  'an administrator who is made': async () => [
    'admin/users',
    { email: `${randomUUID()}@kasi.example`, name: 'Another', password: PASSWORD, roleId: await role() },
    admin.token,
  ],
  'an API key that is made': async () => ['api-keys', { name: 'Shop', permissions: ['payments:read'] }, merchant.token],
  'a second factor that is turned on': async () => {
    const { client, token } = await service.registerMerchant();
    const { secret } = await client.auth.twoFactor.setUp({ password: PASSWORD });
    return ['auth/two-factor/enable', { otp: codeAt(secret, service.clock.real()) }, token];
  },
  'a certification that is begun': async () => {
    const { client, token } = await service.activeMerchant();
    await client.webhooks.endpoint.update({ url: receiver.url });
    return ['webhooks/certify', {}, token];
  },
};

test.for(Object.entries(requests))(
  'of %s, a key tells what became, whichever of its commits had no answer',
  async ([_what, prepare]) => {
    let [others, replays, wasLost] = [0, 0, true];
    for (; wasLost; others += 1) {
      const [path, body, token] = await prepare();
      const headers = { 'idempotency-key': randomUUID() };
      const ask = (): Promise<Answer> => service.send('POST', `/v1/${path}`, { body, headers, token });
      loser.lose('COMMIT', others);
      const first = await ask();
      wasLost = loser.end();
      if (first.status === 503) expect(first.headers.get('retry-after')).toBe('2');
      const answer = first.status === 503 ? await ask() : first;
      expect([200, 201, 202], answer.text).toContain(answer.status);
      if (answer.headers.has('idempotent-replayed')) replays += 1;
      const again = await ask();
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
        ...[answer.status, answer.text, 'true'],
      ]);
    }
    // The answer that was lost was that of the commit, at least once.
    expect(replays).toBeGreaterThan(0);
  },
);

test.for([
  ['withdrawals', approved],
  ['refunds', claimedRefund],
] as const)('of %s that are completed as a batch, a repetition finishes what is missing', async ([table, prepare]) => {
  for (let [others, wasLost] = [0, true]; wasLost; others += 1) {
    const id = await prepare();
    const body = { payoutIds: [id], ...hash() };
    const ask = (): Promise<Answer> => service.send('POST', '/v1/admin/payouts/complete', { body, token: admin.token });
    loser.lose('COMMIT', others);
    const first = await ask();
    wasLost = loser.end();
    const answer = first.status === 503 ? await ask() : first;
    expect(answer).toMatchObject({ status: 200, body: { completed: [id], refused: [] } });
    const entries = service.db.selectFrom('audit_log').select('action').where('resource_id', '=', id);
    expect((await entries.where('action', 'like', '%.complete').execute()).length, table).toBe(1);
  }
});

test('an export hands out all but the payout whose commit had no answer, names that, and hands it out by its name', async () => {
  await admin.client.payouts.export({ network: 'devnet' });
  const ids = [await approved(), await approved(), await approved()];
  loser.lose('COMMIT', 0);
  const { payouts, refused } = await admin.client.payouts.export({ network: 'devnet' });
  expect(loser.end()).toBe(true);
  expect([...payouts, ...refused].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(refused).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('by its id') }]);
  const payoutIds = refused.map(({ id }) => id);
  expect(await admin.client.payouts.export({ network: 'devnet' })).toMatchObject({ payouts: [] });
  expect(await admin.client.payouts.export({ network: 'devnet', payoutIds })).toMatchObject({
    ...{ payouts: [{ id: payoutIds[0], status: 'processing' }], refused: [] },
  });
});

test('an export names what it has begun whichever answer of a statement that writes was lost', async () => {
  await admin.client.payouts.export({ network: 'devnet' });
  for (let others = 0, isLost = true; isLost; others += 1) {
    const id = await approved();
    loser.lose(/^INSERT|^UPDATE/, others);
    const exported = await admin.client.payouts.export({ network: 'devnet' }).catch(() => null);
    isLost = loser.end();
    const named = exported && [...exported.payouts, ...exported.refused].map((each) => each.id);
    if (named) expect({ others, named }).toEqual({ others, named: [id] });
    // What keeps count of calls may have lost its answer before anything was begun.
    else expect(await admin.client.withdrawals.get(id)).toMatchObject({ status: 'approved' });
    await admin.client.payouts.export({ network: 'devnet', payoutIds: [id] });
  }
});

test('an export hands out all but the payout that another transaction keeps locked, and names that', async () => {
  await admin.client.payouts.export({ network: 'devnet' });
  const [kept, free] = [await approved(), await approved()];
  const owner = await connectOwner(database);
  await owner.query('begin');
  await owner.query('select from withdrawals where id = $1 for update', [kept]);
  const exported = await admin.client.payouts.export({ network: 'devnet' });
  await owner.query('rollback');
  await owner.end();
  expect(exported).toMatchObject({ payouts: [{ id: free }], refused: [{ id: kept, code: 'SERVICE_UNAVAILABLE' }] });
  expect(await admin.client.payouts.export({ network: 'devnet' })).toMatchObject({ payouts: [{ id: kept }] });
});

test('a test call whose commit had no answer is answered under its key, and is not made again', async () => {
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  const headers = { 'idempotency-key': randomUUID() };
  const ask = (): Promise<Answer> => service.send('POST', '/v1/webhooks/test', { headers, token: merchant.token });
  loser.lose('COMMIT', 1);
  const [first, second] = [await ask(), await ask()];
  expect(loser.end()).toBe(true);
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(second.body).toMatchObject({ success: true, statusCode: 200 });
  expect(receiver.received).toHaveLength(1);
});
