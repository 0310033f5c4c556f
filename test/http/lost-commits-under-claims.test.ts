import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Answer, PASSWORD, startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { type AnswerLoser, startAnswerLoser } from '../support/answer-loser.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { claimed } from '../support/refunds.ts';
import { fund, newHash, WALLET } from '../support/withdrawals.ts';

const receiver = await startReceiver();
let loser: AnswerLoser;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;
beforeAll(async () => {
  const database = await createTestDatabase();
  const { hostname: host, port } = new URL(database.url);
  loser = await startAnswerLoser({ host, port: Number(port) });
  const url = Object.assign(new URL(database.url), { port: String(loser.port) }).href;
  const settings = { verifyPayoutOnChain: false, withdrawalDailyMax: '1000000.00' };
  // What is lost is logged.
  service = await startService({ settings, database: { ...database, url }, logger: pino({ level: 'silent' }) });
  merchant = await service.activeMerchant();
  admin = await service.admin();
  await fund(service.db, merchant.id, 1_000_000n);
});
afterAll(async () => {
  const { findings } = await reconcile(service.db);
  await service.close();
  await loser.close();
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

test.for([
  ['a withdrawal that is completed', async () => [`withdrawals/${await approved()}/complete`, { txHash: newHash() }]],
  ['a refund that is completed', async () => [`refunds/${await claimedRefund()}/complete`, { txHash: newHash() }]],
  [
    'an administrator who is made',
    async () => [
      'users',
      { email: `${randomUUID()}@kasi.example`, name: 'A', password: PASSWORD, roleId: await role() },
    ],
  ],
] as const)('of %s, a key tells what became, whichever answer of the database was lost', async ([_what, prepare]) => {
  let [others, replays, wasLost] = [0, 0, true];
  for (; wasLost; others += 1) {
    const [path, body] = await prepare();
    const headers = { 'idempotency-key': randomUUID() };
    const ask = (): Promise<Answer> => service.send('POST', `/v1/admin/${path}`, { body, headers, token: admin.token });
    loser.lose(/^(COMMIT|INSERT|UPDATE)/, others);
    const first = await ask();
    wasLost = loser.end();
    if (first.status === 503) expect(first.headers.get('retry-after')).toBe('2');
    const answer = first.status === 503 ? await ask() : first;
    expect([200, 201], answer.text).toContain(answer.status);
    if (answer.headers.has('idempotent-replayed')) replays += 1;
    const again = await ask();
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      ...[answer.status, answer.text, 'true'],
    ]);
  }
  // The answer that was lost was that of the commit, at least once.
  expect(replays).toBeGreaterThan(0);
});

test('a test call whose record had no answer is told of under its key, and is not made again', async () => {
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
