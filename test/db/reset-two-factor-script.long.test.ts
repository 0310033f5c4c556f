import { beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { hasSecondFactor } from '../../src/identity/second-factor-store.ts';
import { registerTestMerchant } from '../support/merchants.ts';
import { markAsSandbox, runScript } from '../support/run-script.ts';
import { codeAt } from '../support/totp.ts';
import { useMerchants } from './merchants-fixture.ts';

const world = useMerchants();
beforeAll(() => markAsSandbox(world.db));
const reset = (...args: string[]) => runScript('reset-two-factor.ts', args, { DATABASE_URL: world.database.url });

test('resetting lets a merchant without codes back in, requires a reason and ends all sessions', async () => {
  const { merchant } = await registerTestMerchant(world.merchants.deps, new Date());
  const { db } = world;
  const holder = { type: 'merchant', id: merchant.id } as const;
  const { setUp, enable } = world.merchants.deps.secondFactors;
  const { secret } = await inTransaction(db, (trx) => setUp(trx, holder, merchant.email, new Date()));
  await inTransaction(db, (trx) => enable(trx, holder, codeAt(secret, new Date()), new Date()));
  expect(await reset(merchant.id)).toMatchObject({ code: 2 });
  expect(await reset(merchant.email, 'was', 'here', 'in', 'person')).toMatchObject({
    code: 0,
    out: `Ceylon Tea House (${merchant.id}): two-factor authentication is off\n`,
  });
  expect(await hasSecondFactor(db, merchant.id)).toBe(false);
  const live = db.selectFrom('sessions').select('id').where('principal_id', '=', merchant.id);
  expect(await live.where('ended_at', 'is', null).execute()).toEqual([]);
  const { metadata } = await db
    .selectFrom('audit_log')
    .select('metadata')
    .where('action', '=', 'two_factor.reset')
    .where('merchant_id', '=', merchant.id)
    .executeTakeFirstOrThrow();
  expect(metadata).toEqual({ reason: 'was here in person', sessionsEnded: 1 });
  expect(await reset(merchant.id, 'again')).toMatchObject({ code: 1, out: '' });
});

test('errors are one line, and no arguments print the usage', async () => {
  expect((await reset('nobody@example.com', 'lost')).err).toBe('There is no merchant nobody@example.com.\n');
  expect((await reset()).err).toContain('Usage:');
});
