import { spawnSync } from 'node:child_process';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { examine } from '../../scripts/doctor/examine.ts';
import { type Bouncer, startBouncer } from '../../scripts/lib/pgbouncer.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { findPoolerProblem } from '../../src/db/pooler.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { prepareInfrastructure } from '../../src/infrastructure.ts';
import { startService, type TestService } from '../harness.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { liveEnv, UNREACHED_NETWORK } from '../support/live.ts';
import { makeTestFolder } from '../support/run-folder.ts';

/** The first release that knows named statements. Debian 12 has an older one; PGBOUNCER may name another. */
const MIN = [1, 21];
const PROGRAM = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';

const versionOf = (): readonly number[] => {
  const { stdout } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return [Number(major), Number(minor)];
};
const [major = Number.NaN, minor = 0] = versionOf();
const isThere = !Number.isNaN(major);
const isNewEnough = major > (MIN[0] ?? 0) || (major === MIN[0] && minor >= (MIN[1] ?? 0));

const startBefore = (database: TestDatabase, change: (text: string) => string): Promise<Bouncer> =>
  startBouncer(PROGRAM, makeTestFolder(inject('runFolder')), database.url, change);

describe.skipIf(!isThere)(
  `PgBouncer that knows no named statements${isThere ? '' : ' (skipped: none is installed)'}`,
  () => {
    test('refuses a start in one sentence, and the doctor names it', async () => {
      const database = await createTestDatabase();
      // An older one does not know the setting.
      const off = isNewEnough ? 'max_prepared_statements = 0' : '';
      const bouncer = await startBefore(database, (text) => text.replace('max_prepared_statements = 400', off));
      const through = { ...database, url: bouncer.url };
      const start = (env: Readonly<Record<string, string>>) =>
        prepareInfrastructure(parseConfig(liveEnv(through, [UNREACHED_NETWORK], env)), pino({ level: 'silent' }));
      const listen = { DATABASE_LISTEN_URL: database.url };
      await expect(start(listen)).rejects.toThrow(/^DATABASE_URL leads through a pooler .*PgBouncer 1\.21 or newer/);
      const reads = { DATABASE_URL: database.url, DATABASE_READ_URL: bouncer.url };
      await expect(start(reads)).rejects.toThrow(/^DATABASE_READ_URL leads through a pooler /);
      const env = liveEnv(through, [UNREACHED_NETWORK], listen);
      const report = await examine(env);
      expect(report.filter(({ ok }) => !ok).map(({ text }) => text)).toEqual([
        expect.stringMatching(/^DATABASE_URL leads through a pooler /),
      ]);
      await bouncer.stop();
      expect(await findPoolerProblem(database.url, 'DATABASE_URL')).toBeNull();
      await database.drop();
    });

    test('is taken where it gives each client a session of its own', async () => {
      const database = await createTestDatabase();
      const bouncer = await startBefore(database, (text) =>
        text.replace('max_prepared_statements = 400', '').replace('pool_mode = transaction', 'pool_mode = session'),
      );
      expect(await findPoolerProblem(bouncer.url, 'DATABASE_URL')).toBeNull();
      await bouncer.stop();
      await database.drop();
    });
  },
);

describe.skipIf(!isNewEnough)('PgBouncer in transaction mode, by the file of deploy/', () => {
  let bouncer: Bouncer;
  let service: TestService;

  beforeAll(async () => {
    const database = await createTestDatabase();
    // Fewer sessions than connections of the process, so that they are shared.
    bouncer = await startBefore(database, (text) => text.replace('default_pool_size = 40', 'default_pool_size = 6'));
    const listenPort = Number(new URL(database.url).port);
    service = await startService({ database: { ...database, url: bouncer.url }, listenPort });
  });
  afterAll(async () => {
    await service.close();
    await bouncer.stop();
  });

  test('statements with names are found to work', async () => {
    expect(await findPoolerProblem(bouncer.url, 'DATABASE_URL')).toBeNull();
  });

  test('transactions and named statements work, on fewer sessions than the process has connections', async () => {
    const merchant = await service.activeMerchant();
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, at) => merchant.client.payments.create({ amount: at + 1, currency: 'USD' })),
    );
    const { pagination } = await merchant.client.payments.list({ limit: 1 });
    expect(pagination.total).toBe(40);
    const found = await Promise.all(made.map(({ id }) => merchant.client.payments.get(id)));
    expect(found.map(({ amount }) => amount)).toEqual(made.map(({ amount }) => amount));
    const { rows } = await sql<{ sessions: number }>`
      select count(*)::int as sessions from pg_stat_activity
       where datname = current_database() and application_name = 'kasi'`.execute(service.db);
    expect(rows[0]?.sessions).toBeLessThan(20);
  });

  test('what is sent through it is heard past it', async () => {
    expect((await service.send('GET', '/readyz')).body).toMatchObject({ status: 'ready' });
  });

  test('a statement that was skipped, or could not be prepared, is prepared when it comes again', async () => {
    const losses: string[] = [];
    const onError = ({ message }: Error) => void losses.push(message);
    const db = openDatabase({ url: bouncer.url, poolMax: 1, applicationName: 'kasi-test', onError });
    const skipped = sql<{ one: number }>`select ${1}::integer as one`;
    try {
      for (const failing of [sql`select 1 / ${0}::integer`, sql`select ${1}::integer from no_such_table`]) {
        for (let again = 0; again < 2; again += 1) {
          const piece = inTransaction(db, async (trx) => {
            trx.later(failing);
            trx.later(skipped);
          });
          await expect(piece).rejects.toMatchObject({ code: expect.stringMatching(/^(22012|42P01)$/) });
        }
      }
      expect((await skipped.execute(db)).rows).toEqual([{ one: 1 }]);
      expect(losses).toEqual([]);
    } finally {
      await db.destroy();
    }
  });

  test('a transaction in one piece has its level in a session that began at another than the one that was asked', async () => {
    const database = await createTestDatabase();
    const two = await startBefore(database, (text) => text.replace('default_pool_size = 40', 'default_pool_size = 2'));
    const owner = await connectOwner(database);
    const name = new URL(database.url).pathname.slice(1);
    const clients = [0, 1].map(() => new pg.Client({ connectionString: two.url }));
    const db = openDatabase({ url: two.url, poolMax: 1, applicationName: 'kasi-test', onError: () => {} });
    try {
      await owner.query('create table levels (level text); grant all on levels to public');
      const [before, after] = clients as [pg.Client, pg.Client];
      await owner.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`);
      await before.connect();
      await before.query('begin; select 1');
      await owner.query(`alter database ${name} reset default_transaction_isolation`);
      await sql`select ${1}::integer`.execute(db);
      await after.connect();
      await after.query('begin; select 1');
      await before.query('commit');
      await inTransaction(db, async (trx) =>
        trx.later(sql`insert into levels select current_setting('transaction_isolation') where ${true}`),
      );
      expect((await owner.query('select level from levels')).rows).toEqual([{ level: 'read committed' }]);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
      await db.destroy();
      await owner.end();
      await two.stop();
      await database.drop();
    }
  });
});
