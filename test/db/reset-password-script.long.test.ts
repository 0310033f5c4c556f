import { beforeAll, expect, test } from 'vitest';
import { registerTestMerchant } from '../support/merchants.ts';
import { markAsSandbox, runScript } from '../support/run-script.ts';
import { useMerchants } from './merchants-fixture.ts';

const world = useMerchants();
beforeAll(() => markAsSandbox(world.db));
const reset = (...args: string[]) => runScript('reset-password.ts', args, { DATABASE_URL: world.database.url });

test('a merchant who has lost the password, or to whom a thief gave another, is let in again', async () => {
  const { merchant } = await registerTestMerchant(world.merchants.deps, new Date());
  const { id, email } = merchant;
  const { db } = world;
  const hashOf = async () => {
    const query = db.selectFrom('merchants').select('password_hash').where('id', '=', id);
    return (await query.executeTakeFirstOrThrow()).password_hash;
  };
  const before = await hashOf();
  expect(await reset(id), 'without a reason').toMatchObject({ code: 2 });
  expect(await hashOf()).toBe(before);
  const { code, out } = await reset(email.toUpperCase(), 'was', 'here', 'in', 'person');
  expect(code).toBe(0);
  const [, password = ''] = /^New password for Ceylon Tea House \(mer_\w+\)\nPassword: (\S{24,})\n/.exec(out) ?? [];
  expect(await world.merchants.deps.passwords.verify(password, await hashOf())).toMatchObject({ ok: true });
  expect(out).toContain('0 API keys go on working. A thief may have made some of them');
  const live = db.selectFrom('sessions').select('id').where('principal_id', '=', id);
  expect(await live.where('ended_at', 'is', null).execute()).toEqual([]);
  const entry = db.selectFrom('audit_log').select(['metadata', 'merchant_id', 'actor_type']);
  expect(await entry.where('action', '=', 'merchant.reset_password').execute()).toEqual([
    { actor_type: 'system', merchant_id: id, metadata: { reason: 'was here in person', sessionsEnded: 1 } },
  ]);
});

test('a closed account stays closed, and errors are one line', async () => {
  const { merchant } = await registerTestMerchant(world.merchants.deps, new Date());
  await world.db.updateTable('merchants').set({ status: 'terminated' }).where('id', '=', merchant.id).execute();
  const { code, out, err } = await reset(merchant.id, 'asks again');
  expect([code, out, err]).toEqual([1, '', `${merchant.id} is closed, and no login opens it any more.\n`]);
  expect((await reset('unknown@example.com', 'lost')).err).toBe('There is no merchant unknown@example.com.\n');
  expect((await reset()).err).toContain('Usage:');
});
