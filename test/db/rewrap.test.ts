import { sql } from 'kysely';
import { expect } from 'vitest';
import { rewrapBatch } from '../../src/db/sealed-column.ts';
import { listSealingKeys } from '../../src/deployment/evidence.ts';
import { createKeyRing, decrypt } from '../../src/lib/envelope.ts';
import { rewrapAll } from '../../src/sealed.ts';
import { openNumber, SEALED_ACCOUNTS } from '../../src/withdrawals/bank-account.ts';
import { findWithdrawal } from '../../src/withdrawals/queries.ts';
import { PASSWORD } from '../harness.ts';
import { BANK, payoutsTest } from '../support/payouts.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const test = payoutsTest();

/** The service's key, and the one that follows it. */
const [OLD, NEW] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)] as [Buffer, Buffer];
const both = createKeyRing(NEW, [OLD]);

test('every sealed column is wrapped by the new key alone, also in rows that are final, and says what it said', async ({
  service,
  merchant,
  admin,
  payouts,
}) => {
  const { db } = service;
  const { apiSecret, id: keyId } = await merchant.client.apiKeys.create({ name: 'Web shop' });
  await merchant.client.payments.create({ amount: 25, currency: 'USD' }, { idempotencyKey: 'order-1' });
  const open = await payouts.create(BANK);
  const { id: rejected } = await payouts.create(BANK);
  await admin.client.withdrawals.reject(rejected, { reason: 'Not this one.' });
  await turnOnTwoFactor(service, admin.client.auth, PASSWORD);
  const kinds = ['api_keys', 'idempotency_keys', 'second_factors', 'webhook_keys', 'withdrawals'] as const;
  for (const table of kinds) {
    const { n } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<bigint>().as('n'))
      .executeTakeFirstOrThrow();
    expect([table, n > 0n]).toEqual([table, true]);
  }
  expect(await listSealingKeys(db)).toEqual([createKeyRing(OLD).current.id.toString('hex')]);

  // Killed after a part, it goes on where it stopped; and one key at a time is enough for a large table.
  const { last } = await rewrapBatch(db, both, SEALED_ACCOUNTS, null, 1);
  expect(last).not.toBeNull();
  // Another run reads no further than its page, although it has nothing to wrap there: a table may hold millions.
  expect(await rewrapBatch(db, both, SEALED_ACCOUNTS, null, 1)).toEqual({ looked: 1, count: 0, locked: 0, last });
  expect(await rewrapBatch(db, both, SEALED_ACCOUNTS, last, 1)).toMatchObject({ count: 1 });
  // A row that something holds is passed over, and counted: its key is needed still.
  const round = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('api_keys').select('id').where('id', '=', keyId).forUpdate().execute();
    return rewrapAll(db, both);
  });
  expect(round).toEqual({ count: expect.any(Number), locked: 1 });
  expect(round.count).toBeGreaterThanOrEqual(3);
  expect(await rewrapAll(db, both)).toEqual({ count: 1, locked: 0 });
  const looks: number[][] = [];
  const onBatch = (...look: number[]) => void looks.push(look);
  expect(await rewrapAll(db, both, onBatch)).toEqual({ count: 0, locked: 0 });
  // A command tells how far it is, also where there is nothing to wrap any more.
  expect(looks.length).toBeGreaterThan(5);
  expect(looks.at(-1)).toEqual([expect.toSatisfy((looked: number) => looked > 5), 0]);
  expect(await listSealingKeys(db)).toEqual([both.current.id.toString('hex')]);

  const alone = createKeyRing(NEW);
  for (const id of [open.id, rejected]) {
    const withdrawal = await findWithdrawal(db, { id });
    if (!withdrawal) throw new Error('it is gone');
    expect(openNumber(alone, withdrawal)).toBe(BANK.bankAccountNumber);
  }
  const key = await db.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirstOrThrow();
  const place = { table: 'api_keys', column: 'sealed_secret', row: keyId, tenant: merchant.id };
  expect(decrypt(alone, place, key.sealed_secret as Buffer).toString()).toContain(apiSecret.replace(/^sk_\w+_/, ''));
});

test('of stored answers the oldest tell which keys are needed, so that a start need not read all', async ({
  service,
}) => {
  const { db } = service;
  const ids = async () => (await listSealingKeys(db)).sort();
  const before = await ids();
  const envelope = (byte: string) => sql`decode('01' || repeat(${byte}::text, 8) || repeat('00', 100), 'hex')`;
  const add = (byte: string, from: number, to: number, expires: string) =>
    sql`insert into idempotency_keys (id, merchant_id, request_id, expires_at, status, body, fingerprint)
        select decode(md5(n::text), 'hex'), 'mer_x', '', ${expires}::timestamptz + n * interval '1 s', 200,
               ${envelope(byte)}, ''
          from generate_series(${from}::int, ${to}::int) n`.execute(db);
  await add('bb', 201, 400, '2000-01-02');
  await add('cc', 401, 401, '2000-01-03');
  expect(await ids()).toEqual([...before, 'bb'.repeat(8)].sort());
  await add('aa', 1, 1, '2000-01-01');
  expect(await ids()).toEqual([...before, 'aa'.repeat(8), 'bb'.repeat(8)].sort());
  await db.deleteFrom('idempotency_keys').where('merchant_id', '=', 'mer_x').execute();
});

test('a value whose key is not listed is named, and nothing is changed', async ({ service, merchant }) => {
  await merchant.client.apiKeys.create({ name: 'Another shop' });
  await expect(rewrapAll(service.db, createKeyRing(NEW))).rejects.toThrow(/no master key [0-9a-f]{16}, which sealed/);
});
