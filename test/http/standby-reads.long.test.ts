import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import { shownOf } from '../support/metrics.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { startPair, type TestPair } from '../support/standby.ts';
import { customer, TEA_CLUB } from '../support/subscriptions.ts';

let pair: TestPair;
let service: TestService;
let merchant: TestMerchant;
let db: Db;
beforeAll(async () => {
  pair = await startPair(makeTestFolder(inject('runFolder')));
  await pair.primary.query('create role kasi_app login');
  await pair.primary.query('create database kasi');
  const url = (port: number, role: string): string => `postgresql://${role}@127.0.0.1:${port}/kasi`;
  await migrate(url(pair.primary.port, 'postgres'), 'kasi_app');
  const database = {
    url: url(pair.primary.port, 'kasi_app'),
    ownerUrl: url(pair.primary.port, 'postgres'),
    drop: async () => undefined,
  };
  const standbyUrl = url(pair.standby.port, 'kasi_app');
  service = await startService({ database, env: { DATABASE_READ_URL: standbyUrl } });
  merchant = await service.activeMerchant();
  db = openDatabase({ url: database.url, standbyUrl, poolMax: 4, applicationName: 'test', onError: () => {} });
});
afterAll(async () => {
  await db.destroy();
  await service.close();
  await pair.stop();
});

const read = <T>(work: () => Promise<T>): Promise<T> => {
  if (!db.standbys) throw new Error('it was opened without standbys');
  return db.standbys.read(work);
};
const askPort = async (): Promise<number> => {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(db);
  return rows[0]?.port ?? 0;
};
const write = (value: number) =>
  inTransaction(db, (trx) =>
    sql`insert into sandbox_clock (id, offset_ms) values (1, ${value})
        on conflict (id) do update set offset_ms = excluded.offset_ms`.execute(trx),
  );
const readValue = async (): Promise<{ readonly value: bigint | undefined; readonly port: number | undefined }> => {
  const { rows } = await sql<{ value: bigint; port: number }>`
    select offset_ms as value, inet_server_port() as port from sandbox_clock`.execute(db);
  return { value: rows[0]?.value, port: rows[0]?.port };
};
const comesBack = () => expect.poll(() => read(askPort), { timeout: 60_000, interval: 100 }).toBe(pair.standby.port);

test('what was just written is read, mostly from the standby', async () => {
  const ports: (number | undefined)[] = [];
  for (let value = 1; value <= 50; value += 1) {
    await write(value);
    const found = await read(readValue);
    expect(found.value).toBe(BigInt(value));
    ports.push(found.port);
  }
  expect(ports).toContain(pair.standby.port);
  expect(await askPort()).toBe(pair.primary.port);
});

test('a standby that does not replay is passed over, and used again once it does', async () => {
  await comesBack();
  await pair.standby.query('select pg_wal_replay_pause()');
  await write(1001);
  expect(await read(readValue)).toEqual({ value: 1001n, port: pair.primary.port });
  await pair.standby.query('select pg_wal_replay_resume()');
  await comesBack();
});

test('what a standby was answering when it died is asked again of the primary, and so is all that follows', async () => {
  await comesBack();
  const repeated = () => db.standbys?.counts()['repeated'];
  const before = repeated() ?? 0;
  const asked: number[] = [];
  const answer = read(async () => {
    asked.push(await askPort());
    await sql`select pg_sleep(${asked.length === 1 ? 3 : 0})`.execute(db);
    return asked.at(-1);
  });
  await expect.poll(() => asked).toEqual([pair.standby.port]);
  await sleep(100);
  await pair.standby.stop();
  expect(await answer).toBe(pair.primary.port);
  expect(asked).toEqual([pair.standby.port, pair.primary.port]);
  expect(repeated()).toBe(before + 1);
  await write(1002);
  expect(await read(readValue)).toEqual({ value: 1002n, port: pair.primary.port });
  await pair.restartStandby();
  await comesBack();
});

test('what writes within a read does so on the primary, and what forgets to say so is done again there', async () => {
  await comesBack();
  const [before, inside, after] = await read(async () => [
    await askPort(),
    await inTransaction(db, async (trx) => {
      const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(trx);
      return rows[0]?.port;
    }),
    await askPort(),
  ]);
  expect([before, inside, after]).toEqual([pair.standby.port, pair.primary.port, pair.standby.port]);
  await read(() => sql`update sandbox_clock set offset_ms = 1003`.execute(db));
  expect(await read(readValue)).toMatchObject({ value: 1003n });
});

test('what a read leaves running asks the primary, which the standby may since have fallen behind', async () => {
  await comesBack();
  let isBehind = false;
  const looks: ReturnType<typeof readValue>[] = [];
  await read(async () => {
    await askPort();
    const timer = setInterval(() => {
      if (isBehind && looks.push(readValue()) === 3) clearInterval(timer);
    }, 20);
  });
  await pair.standby.query('select pg_wal_replay_pause()');
  await write(1004);
  isBehind = true;
  await expect.poll(() => looks.length).toBe(3);
  await pair.standby.query('select pg_wal_replay_resume()');
  expect(await looks.at(-1)).toEqual({ value: 1004n, port: pair.primary.port });
});

test('a merchant finds in a list what a request before has made, and the standby has answered', async () => {
  await comesBack();
  for (let count = 1; count <= 20; count += 1) {
    const { id } = await merchant.client.payments.create({ amount: count, currency: 'USD' });
    const { payments, pagination } = await merchant.client.payments.list({ limit: 1 });
    expect([payments[0]?.id, pagination.total]).toEqual([id, count]);
  }
  // A busy machine may let the primary answer some of them.
  const answered = async (): Promise<number | null> => {
    await merchant.client.payments.list({ limit: 1 });
    const { rowCount } = await pair.standby.query(
      `select from pg_stat_activity where application_name = 'kasi-read' and query like '%from payments%'`,
      'kasi',
    );
    return rowCount;
  };
  await expect.poll(answered).toBeGreaterThan(0);
});

/** Lists payments until the service has counted one more of an outcome. */
async function grows(outcome: string): Promise<void> {
  const shown = async () => shownOf(await service.metrics(), `kasi_db_standby_reads_total{outcome="${outcome}"}`);
  const before = await shown();
  const listed = async (): Promise<number> => {
    await merchant.client.payments.list({ limit: 1 });
    return (await shown()) - before;
  };
  await expect.poll(listed, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0);
}

test('the metrics say who answered reads, and why a standby did not', async () => {
  await comesBack();
  await grows('standby');
  await pair.standby.query('select pg_wal_replay_pause()');
  await write(1006);
  await grows('behind');
  await grows('resting');
  await pair.standby.query('select pg_wal_replay_resume()');
  await grows('standby');
  await pair.standby.stop();
  await grows('away');
  await pair.restartStandby();
  await grows('standby');
});

/** Where reads go that find their standby by this URL. */
async function answersTo(standbyUrl: string): Promise<readonly (number | null)[]> {
  const url = `postgresql://kasi_app@127.0.0.1:${pair.primary.port}/kasi`;
  const own = openDatabase({ url, standbyUrl, poolMax: 2, applicationName: 'test', onError: () => {} });
  const ports: (number | null)[] = [];
  for (let time = 0; time < 4; time += 1) {
    const { rows } = await (own.standbys?.read(() =>
      sql<{ port: number }>`select inet_server_port() as port`.execute(own),
    ) ?? { rows: [] });
    ports.push(rows[0]?.port ?? null);
    await sleep(400); // What was refused is tried again after a second.
  }
  await own.destroy();
  return ports;
}

test('a copy that was away at the start is read only if it is of this database, by a role that can do no more', async () => {
  await comesBack();
  await pair.primary.query('create database other template template0');
  await expect
    .poll(() =>
      pair.standby.query('select 1', 'other').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const of = (role: string, database: string): string =>
    `postgresql://${role}@127.0.0.1:${pair.standby.port}/${database}`;
  expect(await answersTo(of('kasi_app', 'kasi'))).toContain(pair.standby.port);
  expect(await answersTo(of('kasi_app', 'other'))).not.toContain(pair.standby.port);
  expect(await answersTo(of('postgres', 'kasi'))).not.toContain(pair.standby.port);
});

test('a standby that is not known to be on the timeline of the primary is passed over', async () => {
  await comesBack();
  await pair.turnTimeline();
  await expect.poll(() => read(askPort).catch(() => null)).toBe(pair.primary.port);
  await write(1005);
  for (let time = 0; time < 5; time += 1) {
    expect(await read(readValue)).toEqual({ value: 1005n, port: pair.primary.port });
    await sleep(300); // It is asked again once a second.
  }
  await grows('refused');
  // It has the new timeline in its own checkpoint now.
  await pair.primary.query('checkpoint');
  await expect
    .poll(
      async () => {
        await pair.standby.query('checkpoint');
        return read(askPort);
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(pair.standby.port);
  expect(await read(readValue)).toEqual({ value: 1005n, port: pair.standby.port });
});

test('a mandate that is asked for anew is shown at once, also where a standby does not know of it yet', async () => {
  const plan = await merchant.client.plans.create(TEA_CLUB);
  const { id } = await merchant.client.plans.subscribe(plan.id, customer());
  const former = '0x00000000000000000000000000000000000000b1';
  await pair.primary.query(
    `update mandates set token_contract = '${former}', created_at = created_at - interval '4 minutes'
      where subscription_id = '${id}'`,
    'kasi',
  );
  const { standbys } = service.service.platform.db;
  const isOnStandby = () =>
    standbys?.read(async () => {
      const { rows } = await sql<{ there: boolean }>`
        select pg_is_in_recovery() and exists (select from mandates where token_contract = ${former}) as there`.execute(
        service.db,
      );
      return rows[0]?.there;
    });
  await expect.poll(isOnStandby, { timeout: 60_000, interval: 100 }).toBe(true);
  await pair.standby.query('select pg_wal_replay_pause()');
  const before = standbys?.counts()['standby'] ?? 0;
  const { tokenContract } = await service.client().public.subscriptions.get(id);
  expect(tokenContract).not.toBe(former);
  expect(standbys?.counts()['standby']).toBeGreaterThan(before);
  const { rows } = await pair.primary.query(`select 1 from mandates where subscription_id = '${id}'`, 'kasi');
  expect(rows).toHaveLength(2);
  await pair.standby.query('select pg_wal_replay_resume()');
});
