import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { hasSecondFactor } from '../../src/identity/second-factor-store.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { makeTestMerchants, registerTestMerchant, type TestMerchants } from '../support/merchants.ts';
import { codeAt } from '../support/totp.ts';

let connection: TestConnection;
let merchants: TestMerchants;
beforeAll(async () => {
  connection = await connectTestDatabase();
  merchants = await makeTestMerchants(connection);
});
afterAll(async () => {
  await merchants.close();
  await connection.close();
});

/** Runs `scripts/<script>` as npm would and tells what it printed. */
function run(script: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: connection.database.url };
  return new Promise((resolve) => {
    execFile(process.execPath, [`scripts/${script}`, ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

test('a merchant is approved by e-mail address, frozen by id, and the log says who did it and why', async () => {
  const { merchant } = await registerTestMerchant(merchants.deps, new Date(), 'tea@example.com');
  expect(await run('merchant.ts', 'approve', ' TEA@example.com')).toMatchObject({
    code: 0,
    out: `Ceylon Tea House (${merchant.id}): pending_verification -> active\n`,
  });
  expect(await run('merchant.ts', 'freeze', merchant.id, 'odd', 'payments')).toMatchObject({ code: 0 });
  const entries = await connection.db
    .selectFrom('audit_log')
    .select(['actor_type', 'action', 'ip_address', 'user_agent', 'metadata'])
    .where('resource_id', '=', merchant.id)
    .where('actor_type', '=', 'system')
    .orderBy('id')
    .execute();
  const system = { actor_type: 'system', ip_address: '', user_agent: '' };
  expect(entries).toEqual([
    {
      ...system,
      action: 'merchant.approve',
      metadata: { previousStatus: 'pending_verification', newStatus: 'active' },
    },
    {
      ...system,
      action: 'merchant.freeze',
      metadata: { previousStatus: 'active', newStatus: 'frozen', reason: 'odd payments' },
    },
  ]);
});

test('who has lost every code is let in again, by a reason, and all sessions end', async () => {
  const { merchant } = await registerTestMerchant(merchants.deps, new Date());
  const { db } = connection;
  const holder = { type: 'merchant', id: merchant.id } as const;
  const { setUp, enable } = merchants.deps.secondFactors;
  const { secret } = await inTransaction(db, (trx) => setUp(trx, holder, merchant.email, new Date()));
  await inTransaction(db, (trx) => enable(trx, holder, codeAt(secret, new Date()), new Date()));
  expect(await run('merchant.ts', 'reset-two-factor', merchant.id)).toMatchObject({ code: 1 });
  expect(await run('merchant.ts', 'reset-two-factor', merchant.email, 'was', 'here', 'in', 'person')).toMatchObject({
    code: 0,
    out: `Ceylon Tea House (${merchant.id}): two-factor authentication is off\n`,
  });
  expect(await hasSecondFactor(db, merchant.id)).toBe(false);
  const live = db
    .selectFrom('sessions')
    .select('id')
    .where('principal_id', '=', merchant.id)
    .where('ended_at', 'is', null);
  expect(await live.execute()).toEqual([]);
  const { metadata } = await db
    .selectFrom('audit_log')
    .select('metadata')
    .where('action', '=', 'two_factor.reset')
    .where('merchant_id', '=', merchant.id)
    .executeTakeFirstOrThrow();
  expect(metadata).toEqual({ reason: 'was here in person', sessionsEnded: 1 });
  expect(await run('merchant.ts', 'reset-two-factor', merchant.id, 'again')).toMatchObject({ code: 1, out: '' });
});

test('what can not be done is said in one line and changes nothing', async () => {
  const { merchant } = await registerTestMerchant(merchants.deps, new Date());
  const conflict = await run('merchant.ts', 'unfreeze', merchant.id, 'why not');
  expect(conflict).toMatchObject({ code: 1, out: '' });
  expect(conflict.err.trim().split('\n')).toEqual([
    'A merchant that is pending_verification does not allow "unfreeze".',
  ]);
  expect((await run('merchant.ts', 'approve', 'nobody@example.com')).err).toBe(
    'There is no merchant nobody@example.com.\n',
  );
  expect((await run('merchant.ts', 'reject', merchant.id)).err).toContain('Usage:');
  expect((await run('merchant.ts')).err).toContain('Usage:');
});

test('an administrator is made with a password that is shown once', async () => {
  const made = await run('admin.ts', 'admin@kasi.example');
  expect(made.out).toMatch(/^New administrator admin@kasi\.example\nPassword: \S{24,}\n$/);
  expect((await run('admin.ts', 'admin@kasi.example')).out).toContain('New password for admin@kasi.example');
  expect((await run('admin.ts')).err).toContain('Usage:');
});
