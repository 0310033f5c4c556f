import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { createEvents } from '../../src/events/record.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import { createClock } from '../../src/lib/clock.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { deleteLink } from '../../src/payment-links/service.ts';
import { type DemoDeps, ensureDemoMerchant } from '../../src/sandbox/demo-data.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { makeTestFolder } from '../support/run-folder.ts';

let connection: TestConnection;
let dataDir: string;
let deps: DemoDeps;

beforeEach(async () => {
  connection = await connectTestDatabase();
  dataDir = makeTestFolder(inject('runFolder'));
  deps = {
    ...{ db: connection.db, clock: createClock(), keyRing: createKeyRing(Buffer.alloc(32, 7)) },
    ...{
      events: createEvents({ livemode: false, fanOut: fanOutToEndpoints }),
      checkoutUrl: 'http://localhost/checkout',
    },
  };
});

afterEach(() => connection.close());

const ensure = () => ensureDemoMerchant(deps, { dataDir });
const listMerchants = () => connection.db.selectFrom('merchants').select(['id', 'email', 'password_hash']).execute();
const listLinks = () => connection.db.selectFrom('payment_links').select(['id', 'merchant_id', 'slug']).execute();

async function knows(password: string): Promise<boolean> {
  const [merchant] = await listMerchants();
  return (await createPasswords().verify(password, merchant?.password_hash)).ok;
}

test('the demo merchant and its link are created once, with a stored password', async () => {
  const made = await ensure();
  expect(made).toMatchObject({ email: 'demo@kasi.example', linkUrl: 'http://localhost/checkout/pay/demo' });
  expect(await ensure()).toEqual(made);
  expect(readFileSync(join(dataDir, 'demo-password'), 'utf8').trim()).toBe(made.password);
  expect(await knows(made.password)).toBe(true);
  const merchants = await listMerchants();
  expect(merchants).toHaveLength(1);
  expect(await listLinks()).toMatchObject([{ merchant_id: merchants[0]?.id, slug: 'demo' }]);
  const accounts = connection.db.selectFrom('ledger_accounts').selectAll().where('owner_id', '=', merchants[0]!.id);
  expect((await accounts.execute()).length).toBeGreaterThan(0);
  const keys = connection.db.selectFrom('webhook_keys').selectAll().where('merchant_id', '=', merchants[0]!.id);
  expect(await keys.execute()).toHaveLength(1);
  const audit = connection.db.selectFrom('audit_log').select(['action', 'actor_type']).orderBy('id');
  expect(await audit.execute()).toEqual([
    { action: 'merchant.register', actor_type: 'system' },
    { action: 'merchant.approve', actor_type: 'system' },
    { action: 'payment_link.create', actor_type: 'system' },
  ]);
});

test('the demo merchant is verified, unless somebody decided otherwise', async () => {
  const status = async () =>
    (await connection.db.selectFrom('merchants').select('status').executeTakeFirstOrThrow()).status;
  await ensure();
  expect(await status()).toBe('active');
  await connection.db.updateTable('merchants').set({ status: 'frozen' }).execute();
  await ensure();
  expect(await status()).toBe('frozen');
});

test('the demo merchant has no session', async () => {
  await ensure();
  const open = connection.db.selectFrom('sessions').selectAll().where('ended_at', 'is', null);
  expect(await open.execute()).toEqual([]);
});

test('several processes that start concurrently create one demo merchant', async () => {
  const made = await Promise.all([ensure(), ensure(), ensure()]);
  expect(new Set(made.map(({ password }) => password)).size).toBe(1);
  expect(await listMerchants()).toHaveLength(1);
  expect(await listLinks()).toHaveLength(1);
  expect(await knows(made[0].password)).toBe(true);
});

test('a demo link deleted by its owner stays deleted', async () => {
  await ensure();
  const [link] = await listLinks();
  const ref = { id: link!.id, merchantId: link!.merchant_id };
  await inTransaction(connection.db, (trx) => deleteLink(trx, ref, deps.clock.now()));
  await ensure();
  expect(await listLinks()).toMatchObject([{ slug: null }]);
});

test('when the password file is lost, the merchant gets a new password', async () => {
  const before = await ensure();
  rmSync(join(dataDir, 'demo-password'));
  const after = await ensure();
  expect(after.password).not.toBe(before.password);
  expect([await knows(before.password), await knows(after.password)]).toEqual([false, true]);
  expect(await listMerchants()).toHaveLength(1);
});
