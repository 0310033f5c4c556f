import { Readable } from 'node:stream';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../scripts/lib/tcp-proxy.ts';
import { type Copying, withCopying } from '../../src/db/copying.ts';
import { waitForTurn } from '../../src/db/migration-steps.ts';

const IMPATIENT = { lookEveryMs: 100 };
/** For a server that is known to be away. */
const SHORT = { ...IMPATIENT, answerWithinMs: 300 };

/** A way to the run's PostgreSQL that can swallow everything, as a host that vanishes. */
async function openWay(): Promise<TcpProxy & { readonly url: string }> {
  const url = new URL(inject('postgres').ownerUrl);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return { url: url.href, ...proxy };
}

const readAll = async (stream: Readable): Promise<void> => {
  for await (const _ of stream);
};

test.for<[string, (db: Copying) => Promise<unknown>]>([
  ['a statement', (db) => db.query('select 1')],
  ['rows that are read', (db) => readAll(db.copyOut('copy (select 1) to stdout'))],
  ['rows that are written', (db) => db.copyIn('copy gone from stdin', Readable.from([Buffer.from('1\n')]))],
])('the work ends when the server vanishes without a word during %s', async ([, work]) => {
  const way = await openWay();
  const copied = withCopying(
    way.url,
    'kasi-test',
    async (db) => {
      await db.query('create temporary table gone (id int)');
      way.mute();
      return work(db);
    },
    SHORT,
  );
  await expect(copied).rejects.toMatchObject({
    code: 'ETIMEDOUT',
    message: expect.stringContaining('does not answer'),
  });
});

test('the work ends when its connection is lost on the way although the server answers others', async () => {
  const way = await openWay();
  const copied = withCopying(
    way.url,
    'kasi-test',
    async (db) => {
      await db.query('select 1');
      way.forget();
      return db.query('select 1');
    },
    IMPATIENT,
  );
  await expect(copied).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test('a statement that takes longer than all looks together, and rows that wait for us, come to their end', async () => {
  const way = await openWay();
  const rows = await withCopying(
    way.url,
    'kasi-test',
    async (db) => {
      await db.query('select pg_sleep(1)');
      const stream = db.copyOut('copy (select repeat($$x$$, 1000) from generate_series(1, 5000)) to stdout');
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await readAll(stream);
      return db.query('select 7 as seven');
    },
    IMPATIENT,
  );
  expect(rows).toEqual([{ seven: 7 }]);
});

/** Longer than all looks of one that is impatient. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000));

test('rows that come slowly from where they are read are waited for, as the server does', async () => {
  const rows = await withCopying(
    inject('postgres').ownerUrl,
    'kasi-test',
    async (db) => {
      await db.query('create temporary table slow (id int)');
      async function* slowly() {
        yield Buffer.from('1\n');
        await pause();
        yield Buffer.from('2\n');
      }
      const copied = await db.copyIn('copy slow from stdin', slowly());
      return [copied, await db.query('select id from slow order by id')];
    },
    IMPATIENT,
  );
  expect(rows).toEqual([2, [{ id: 1 }, { id: 2 }]]);
});

test('a migration that waits for its turn ends when the server vanishes without a word', async () => {
  const way = await openWay();
  const giveTurn = await waitForTurn(inject('postgres').ownerUrl);
  onTestFinished(() => giveTurn());
  const waiting = waitForTurn(`${way.url}?application_name=kasi-turn`, 300);
  const asking = (): Promise<unknown[]> =>
    withCopying(inject('postgres').ownerUrl, 'kasi-test', (db) =>
      db.query(`select 1 from pg_stat_activity where application_name = 'kasi-turn' and query ~ 'try_advisory'`),
    );
  await expect.poll(asking).toHaveLength(1);
  way.mute();
  await expect(waiting).rejects.toThrow('timeout');
});
