import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { startListener } from '../../src/db/listen.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';

/** A way to a server on which what a client says last is still under way while the server stops. */
async function startSlowWay(to: URL) {
  let isSlow = false;
  const ended: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(Number(to.port), to.hostname);
    client.on('data', (chunk) => void (isSlow || upstream.write(chunk)));
    client.on('end', () => void (isSlow || upstream.end()));
    upstream.on('data', (chunk) => {
      if (isSlow) ended.push(chunk.toString());
      client.write(chunk);
    });
    upstream.on('end', () => client.end());
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  return {
    ...{ url: url.href, ended },
    slow: () => {
      isSlow = true;
    },
    close: () => server.close(),
  };
}

test('a server that stops just behind a process that closes its connections is no loss to it', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const way = await startSlowWay(new URL(database.url));
  onTestFinished(() => void way.close());
  const losses: string[] = [];
  const onError = (error: Error) => void losses.push(error.message);
  const db = openDatabase({ url: way.url, poolMax: 1, applicationName: 'kasi-test', onError });
  const listener = await startListener(way.url, onError);
  await sql`select 1`.execute(db);
  way.slow();
  const stopped = Promise.all([listener.stop(), db.destroy()]);
  const owner = await connectOwner(database);
  await owner.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename <> current_user`);
  await owner.end();
  await expect.poll(() => way.ended.filter((said) => said.includes('57P01')).length).toBe(2);
  await stopped;
  expect(losses).toEqual([]);
});
